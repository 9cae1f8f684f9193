"""The theme's icon font, reduced to the icons that the site shows.

The font has some 1,400 icons, which weigh 150 KiB on every page; the site
shows about twenty.
"""

import logging
import re
from pathlib import Path

import pydata_sphinx_theme
from fontTools import subset
from sphinx.application import Sphinx

THEME = Path(pydata_sphinx_theme.__file__).parent / "theme/pydata_sphinx_theme/static"
FONT = Path("vendor/fontawesome/webfonts/fa-solid-900.woff2")

logging.getLogger(subset.__name__).setLevel(logging.WARNING)

# .fa-gear:before,.fa-cog:before{content:"\f013"}
RULE = re.compile(r'((?:\.fa-[\w-]+:+before,?)+)\{content:"\\(\w+)"\}')
ICON = re.compile(r"\bfa-[\w-]+")
PRIVATE = re.compile(r"[\ue000-\uf8ff]|\\([ef][0-9a-f]{3})")


def reduce_font(app: Sphinx, error: Exception | None) -> None:
    """Write the font anew, with what the built pages, styles and scripts name."""
    if error or app.builder.format != "html":
        return
    out = Path(app.outdir)
    icons: dict[str, int] = {}
    used: set[int] = set()
    for sheet in out.glob("_static/**/*.css"):
        text = sheet.read_text("utf-8")
        for selectors, code in RULE.findall(text):
            icons |= dict.fromkeys(ICON.findall(selectors), int(code, 16))
        # Icons that a style sheet shows by their characters.
        for found in PRIVATE.finditer(RULE.sub("", text)):
            used.add(int(found[1], 16) if found[1] else ord(found[0]))
    for page in [*out.rglob("*.html"), *out.glob("_static/**/*.js")]:
        # This script names all icons, and is not loaded.
        if page.name != "fontawesome.js":
            names = set(ICON.findall(page.read_text("utf-8")))
            used |= {icons[name] for name in names & icons.keys()}

    options = subset.Options(flavor="woff2", layout_features=[])
    font = subset.load_font(THEME / FONT, options)
    subsetter = subset.Subsetter(options)
    subsetter.populate(unicodes=used)
    subsetter.subset(font)
    subset.save_font(font, out / "_static" / FONT, options)


def setup(app: Sphinx) -> dict:
    # After styles.py, which leaves the names of those that are used.
    app.connect("build-finished", reduce_font, priority=650)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
