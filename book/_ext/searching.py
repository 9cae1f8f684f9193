"""The words of the search: of the index, and of what a reader types.

- An accent makes no difference: "Lovasz" finds Lovász.
- A Greek letter is its name, as a letter and in a formula: "ε" and "epsilon" find both.
- What else TeX is told, such as ``\\frac``, is no word.
- "0-1" is one word, also with a dash or a slash.

Both sides take a text apart by the same steps, so `words` is written twice: here, and
in JavaScript for Sphinx's search page.
"""

import json
import re
import unicodedata
from itertools import groupby

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.search.en import SearchEnglish

NAMES = (
    "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron "
    "pi rho sigma tau upsilon phi chi psi omega"
).split()
GREEK = dict(zip("αβγδεζηθικλμνξοπρστυφχψω", NAMES, strict=True))

SPLITTER = r"""
function splitQuery(query) {
  const names = Object.values(GREEK);
  const plain = query
    .toLowerCase()
    .replace(/\\(?:var)?([a-z]+)/g, (_, it) => (names.includes(it) ? ` ${it} ` : " "))
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .replace(/[α-ω]/g, (letter) => ` ${GREEK[letter] ?? letter} `);
  return (plain.match(/\b\d[-–/]\d\b|[\p{L}\p{N}_]+/gu) ?? [])
    .map((word) => word.replace(/[–/]/, "-"));
}
"""


def words(text: str) -> list[str]:
    """The words of a text, as the index has them before it takes their stems."""
    plain = re.sub(r"\\(?:var)?([a-z]+)", named, text.lower())
    plain = unicodedata.normalize("NFKD", plain)
    plain = "".join(char for char in plain if not unicodedata.category(char)[0] == "M")
    plain = re.sub("[α-ω]", lambda it: f" {GREEK.get(it[0], it[0])} ", plain)
    found = re.findall(r"\b\d[-–/]\d\b|\w+", plain)
    return [re.sub("[–/]", "-", word) for word in found]


def named(command: re.Match) -> str:
    return f" {command[1]} " if command[1] in NAMES else " "


def join_texts(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """Make one text of those in a row: each é of a bibliography is one of its own."""
    for element in doctree.findall(nodes.TextElement):
        parts = groupby(element.children, lambda child: isinstance(child, nodes.Text))
        joined = []
        for are_texts, found in parts:
            found = list(found)
            joined += [nodes.Text("".join(found))] if are_texts else found
        if len(joined) < len(element.children):
            element[:] = joined


class Words(SearchEnglish):
    """English, with these words."""

    js_splitter_code = f"const GREEK = {json.dumps(GREEK)};{SPLITTER}"

    def split(self, input: str) -> list[str]:
        return words(input)


def setup(app: Sphinx) -> dict:
    app.add_search_language(Words)
    app.connect("doctree-resolved", join_texts, priority=950)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
