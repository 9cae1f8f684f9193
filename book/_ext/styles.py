"""Style sheets of the theme and of extensions, reduced to what the pages use.

The theme brings all of Bootstrap, and 1,400 icons by name: most of what a page weighs.
A rule stays if every class and every id in its selector is found in a page or a script.
"""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import tinycss2
from sphinx.application import Sphinx
from tinycss2.ast import HashToken, IdentToken, LiteralToken, Node

NAMES = re.compile(r"""\b(?:class|id)=["']([^"']*)""")
SCRIPT = re.compile(r"<script(?![^>]*json).*?</script>", re.DOTALL)
WORD = re.compile(r"[A-Za-z_][\w-]*")
# Scripts that are not loaded (see _templates/layout.html), and have all names.
UNUSED = {"fontawesome.js", "bootstrap.js"}
# Those that hold rules, and not declarations.
NESTING = {"media", "supports", "layer", "container"}


def names(out: Path) -> set[str]:
    """All classes and ids of the built pages, and all words of their scripts."""
    found: set[str] = set()
    for page in out.rglob("*.html"):
        text = page.read_text("utf-8")
        found.update(WORD.findall(" ".join(NAMES.findall(text))))
        found.update(WORD.findall(" ".join(SCRIPT.findall(text))))
    for script in out.glob("_static/**/*.js"):
        if script.name not in UNUSED:
            found.update(WORD.findall(script.read_text("utf-8")))
    return found


def named(selector: Iterable[Node]) -> Iterator[str]:
    """The classes and ids that a selector asks for."""
    before = None
    for token in selector:
        if isinstance(token, HashToken):
            yield token.value
        elif isinstance(token, IdentToken) and before == ".":
            yield token.value
        elif token.type == "function" and token.lower_name in ("is", "where", "has"):
            parts = alternatives(token.arguments)
            if len(parts) == 1:
                yield from named(parts[0])
        before = token.value if isinstance(token, LiteralToken) else None


def alternatives(tokens: Iterable[Node]) -> list[list[Node]]:
    """Selectors that commas part."""
    parts: list[list[Node]] = [[]]
    for token in tokens:
        if token == ",":
            parts.append([])
        else:
            parts[-1].append(token)
    return parts


def reduced(rules: Iterable[Node], known: set[str]) -> str:
    """Rules as text, without those that can apply to nothing."""
    kept = []
    for rule in rules:
        if rule.type == "qualified-rule":
            selectors = [
                tinycss2.serialize(selector).strip()
                for selector in alternatives(rule.prelude)
                if known.issuperset(named(selector))
            ]
            if selectors:
                content = tinycss2.serialize(rule.content).strip()
                kept.append(f"{','.join(selectors)}{{{content}}}")
        elif (
            rule.type == "at-rule" and rule.content and rule.lower_at_keyword in NESTING
        ):
            inside = tinycss2.parse_rule_list(rule.content or [], True, True)
            if text := reduced(inside, known):
                prelude = tinycss2.serialize(rule.prelude)
                kept.append(f"@{rule.at_keyword}{prelude}{{{text}}}")
        elif rule.type != "error":
            kept.append(rule.serialize())
    return "\n".join(kept)


def reduce_sheets(app: Sphinx, error: Exception | None) -> None:
    """Write the sheets anew, but for the book's own.

    (The scripts of the figures put their classes together.)
    """
    if error or app.builder.format != "html":
        return
    out = Path(app.outdir)
    known = names(out)
    own = {path.name for path in Path(app.srcdir, "_assets").glob("*.css")}
    own |= {"figures.css", "joined.css", "own.css"}
    for sheet in out.glob("_static/**/*.css"):
        text = sheet.read_text("utf-8")
        if sheet.name not in own and "base64" not in text[:1000]:
            rules = tinycss2.parse_stylesheet(text, True, True)
            sheet.write_text(reduced(rules, known), "utf-8")


def setup(app: Sphinx) -> dict:
    # When the extensions have brought theirs.
    app.connect("build-finished", reduce_sheets, priority=600)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
