"""What a page asks of its reader: words, formulas, code, pictures, minutes.

    python book/_tools/reading.py                       the table of all pages
    python book/_tools/reading.py book/lectures/das-*   of the named ones

Only what is visible without opening anything counts.  The minutes follow one rule,
for two readers: one who reads takes 200 words a minute, and one who follows each step
with a pencil 100, that is, goes through each sentence twice; both take 3 seconds a
formula, 1.5 seconds a line of code or output, and 20 seconds a picture.  To solve the
exercises is not counted.

The first number was 77 and 88 for two pages that took their readers 75 to 90 minutes.
The second is calibrated with 45 readings of 31 pages by readers who worked through each
proof and moved each slider: in the mean they took as long as it says, and 35 of the 45
at most a fifth longer.  Readers of one page differ as 31 minutes do from 47.  A slower
pace through all words fits them better than more time for a formula, proof or figure.
"""

import argparse
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from markdown_it.token import Token
from myst_parser.config.main import MdParserConfig
from myst_parser.mdit_to_docutils.base import DocutilsRenderer
from myst_parser.parsers.mdit import create_md_parser

BOOK = Path(__file__).resolve().parent.parent
TIMED = ("lectures", "beyond", "real-data.ipynb")
WORDS_A_MINUTE = {"minutes": 200, "pencil": 100}
SECONDS = {"formulas": 3.0, "lines": 1.5, "pictures": 20.0}

PARSER = create_md_parser(
    MdParserConfig(
        enable_extensions={
            "amsmath", "attrs_block", "attrs_inline", "colon_fence", "deflist",
            "dollarmath", "substitution",
        },
        dmath_double_inline=True,
    ),
    DocutilsRenderer,
)  # fmt: skip
DIRECTIVE = re.compile(r"^\{([\w:-]+)\}\s*(.*)$")
OPTION = re.compile(r"^:(\w+):\s*(.*)$")
# Directives whose content is no text: what is shown instead counts below.
NO_TEXT = {"image", "literalinclude", "math", "code-block", "eval-rst"}
FORMULAS = {
    "math_inline", "math_inline_double", "math_block", "math_block_label", "amsmath",
}  # fmt: skip
DRAWS = re.compile(r"\b(explore|\w+_game|panels|plot|scatter|bar|imshow)\(|\bplt\.")
CHECKS = re.compile(r"\b(check|refute)\(")
SHOWN = ("<svg", "ol-player", "ol-figure")  # in the HTML of a picture


@dataclass
class Page:
    """The measures of one page."""

    words: int = 0
    formulas: int = 0
    code: int = 0  # visible lines of code
    output: int = 0  # visible lines that cells printed
    pictures: int = 0
    repaired: int = 0  # boxes that repair the lecture's text
    included: int = 0  # listings that JupyterLab does not show
    cells: list[str] = field(default_factory=list)  # the visible ones

    @property
    def minutes(self) -> int:
        """The rule, for one who reads."""
        return self.time("minutes")

    @property
    def pencil(self) -> int:
        """The rule, for one who follows each step."""
        return self.time("pencil")

    def time(self, reader: str) -> int:
        """The minutes of one of the two readers."""
        seconds = (
            self.formulas * SECONDS["formulas"]
            + (self.code + self.output) * SECONDS["lines"]
            + self.pictures * SECONDS["pictures"]
        )
        return max(1, round(self.words / WORDS_A_MINUTE[reader] + seconds / 60))

    @property
    def density(self) -> float:
        """Visible lines of code in 1000 words."""
        return 1000 * self.code / max(1, self.words)

    @property
    def longest(self) -> int:
        """Lines of the longest visible cell."""
        return max((cell.count("\n") + 1 for cell in self.cells), default=0)

    @property
    def checking(self) -> int:
        """Visible cells that check."""
        return sum(bool(CHECKS.search(cell)) for cell in self.cells)

    @property
    def drawing(self) -> int:
        """Visible cells that draw."""
        return sum(bool(DRAWS.search(cell)) for cell in self.cells)


def measure(path: Path) -> Page:
    """The measures of a notebook."""
    page, folded = Page(), False
    for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
        source = "".join(cell["source"])
        if "{solution-end}" in source:
            folded = False
        elif "{solution-start}" in source:
            folded = True
        elif folded:
            continue
        elif cell["cell_type"] == "markdown":
            count_text(page, source)
        else:
            count_cell(page, source, cell)
    return page


def count_cell(page: Page, source: str, cell: dict) -> None:
    """Add a code cell as the site shows it."""
    tags = set(cell["metadata"].get("tags", ()))
    if not tags & {"hide-input", "hide-cell", "remove-input", "remove-cell"}:
        page.code += source.count("\n") + 1
        page.cells.append(source)
    if tags & {"hide-output", "hide-cell", "remove-output", "remove-cell"}:
        return
    for output in cell["outputs"]:
        data = output.get("data", {})
        shown = "".join(data.get("text/html", ""))
        if "image/svg+xml" in data or any(part in shown for part in SHOWN):
            page.pictures += 1
        else:
            text = "".join(output.get("text", data.get("text/plain", "")))
            page.output += 1 if shown else len(text.strip().splitlines())


def count_text(page: Page, text: str) -> None:
    """Add Markdown, without what is folded in it."""
    for token in flat(PARSER.parse(text)):
        fenced = token.type in ("fence", "colon_fence")
        directive = DIRECTIVE.match(token.info) if fenced else None
        if directive:
            count_directive(page, *directive.groups(), token.content)
        elif fenced:
            page.output += len(token.content.splitlines())
        elif token.type in FORMULAS:
            page.formulas += 1
        elif token.type in ("text", "code_inline", "myst_role"):
            page.words += len(re.sub(r"<[^>]*>$", "", token.content).split())
        elif token.type == "image":
            page.pictures += 1


def count_directive(page: Page, name: str, title: str, content: str) -> None:
    """Add what a directive shows, unless it is folded."""
    options, lines = {}, content.split("\n")
    while lines and (found := OPTION.match(lines[0])):
        options[found[1]] = found[2]
        lines.pop(0)
    page.repaired += title.startswith("Repaired")
    page.included += name == "literalinclude"
    if name == "dropdown" or "dropdown" in options.get("class", ""):
        return
    page.pictures += name in ("figure", "image")
    page.formulas += name == "math"
    if name not in NO_TEXT:
        head = "" if name == "figure" else title
        count_text(page, f"{head}\n\n" + "\n".join(lines))


def flat(tokens: list[Token]) -> Iterator[Token]:
    """The tokens, each followed by those within it."""
    for token in tokens:
        yield token
        yield from flat(token.children or [])


def pages() -> list[Path]:
    """The pages whose measures the tests keep."""
    return [
        path
        for path in sorted(BOOK.rglob("*.ipynb"))
        if path.relative_to(BOOK).parts[0] in TIMED
    ]


COLUMNS = {
    "words": "words", "formulas": "formulas", "code": "code", "/1000": "density",
    "longest": "longest", "output": "output", "pictures": "pictures",
    "checking": "checking", "drawing": "drawing", "repaired": "repaired",
    "included": "included", "minutes": "minutes", "pencil": "pencil",
}  # fmt: skip


def table(paths: list[Path]) -> str:
    """One row a page."""
    rows = [f"{'page':24}" + "".join(f"{head:>9}" for head in COLUMNS)]
    for path in paths:
        page = measure(path)
        values = (getattr(page, name) for name in COLUMNS.values())
        rows.append(f"{path.stem:24}" + "".join(f"{value:9.0f}" for value in values))
    return "\n".join(rows)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pages", nargs="*", type=Path)
    print(table(parser.parse_args().pages or pages()))


if __name__ == "__main__":
    main()
