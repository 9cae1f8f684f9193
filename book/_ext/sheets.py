"""The style sheets of every page, joined into two files.

A browser draws nothing before it has all of them, and asks for six at a time: twenty
take a phone several rounds.  What only some pages need (the font of the formulas, the
style of the figures) stays as it is, between the two.
"""

from fnmatch import fnmatch
from pathlib import Path

from sphinx.application import Sphinx

THEME, OWN = "joined.css", "own.css"
# In the order of the pages: those of the theme and the extensions.  (The theme's first
# sheet has nothing in it but an import of `basic.css`, which would be asked for later.)
OF_THEME = (
    "basic.css",
    "styles/pydata-sphinx-theme.css",
    "pygments.css",
    "styles/sphinx-book-theme.css",
    "togglebutton.css",
    "copybutton.css",
    "mystnb.*.css",
    "exercise.css",
    "sphinx-design.min.css",
    "fonts.css",
)


def parts(app: Sphinx) -> dict[str, list[str]]:
    """The patterns of what each of the two has in it."""
    return {THEME: list(OF_THEME), OWN: [name for name, _ in app.config.html_css_files]}


def join(app: Sphinx, error: Exception | None = None) -> None:
    """Write the two."""
    if error or app.builder.format != "html":
        return
    static = Path(app.outdir, "_static")
    for name, patterns in parts(app).items():
        sheets = [path for pattern in patterns for path in static.glob(pattern)]
        text = "\n".join(sheet.read_text("utf-8") for sheet in sheets)
        # They come from folders.
        static.joinpath(name).write_text(text.replace("url(../", "url("), "utf-8")


def load_joined(app: Sphinx, pagename: str, template: str, context: dict, _) -> None:
    """Let a page load the two instead of their parts."""
    if not Path(app.outdir, "_static", THEME).exists():
        join(app)  # for now: the pages name a sum of what is in it
    patterns = [pattern for patterns in parts(app).values() for pattern in patterns]
    context["css_files"][:] = [
        sheet
        for sheet in context["css_files"]
        if not any(
            fnmatch(str(sheet.filename), f"_static/{pattern}") for pattern in patterns
        )
    ]
    app.add_css_file(THEME, priority=0)
    app.add_css_file(OWN, priority=800)  # as the book's are


def setup(app: Sphinx) -> dict:
    app.connect("html-page-context", load_joined, priority=950)
    # When the extensions have brought theirs, and styles.py has reduced all.
    app.connect("build-finished", join, priority=700)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
