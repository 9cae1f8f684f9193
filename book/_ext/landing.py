"""The landing page's cards, games and numbers: made of what is in the book.

A ``{div}`` of class ``cards`` around a list of links to pages gives each its picture:
one that the page's notebook has drawn, without its labels.  ``games`` shows what can be
played, and ``numbers`` what the ledger counts.
"""

import json
import re
from html import escape
from pathlib import Path
from urllib.parse import unquote
from xml.etree import ElementTree

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

# Where a page's first picture is not its best: which one.
PICTURES = {
    "lectures/kakade": 4,
    "lectures/kakade-volume": 1,
    "lectures/chandola": 4,
    "lectures/chandola-winnow": 7,
    "lectures/cos511-tuning": 2,
    "lectures/cos511-horizon": 1,
    "lectures/cos511-perceptron": 3,
    "lectures/das-linear": 2,
    "lectures/das-separation": 2,
    "lectures/das-descent": 4,
    "lectures/das-experts": 2,
    "lectures/das-games": 3,
    "lectures/das-shapley": 1,
    "lectures/das-regret": 4,
    "beyond/best-learner": 1,
    "beyond/experts": 5,
    "beyond/comb": 1,
    "beyond/five-experts": 1,
    "beyond/coins": 2,
    "beyond/perceptron": 2,
    "beyond/games": 2,
    "beyond/games-ordinal": 2,
    "beyond/games-selfplay": 4,
    "beyond/slow-play": 1,
    "beyond/descent": 1,
    "beyond/scale": 2,
    "real-data": 1,
}
SVG = "http://www.w3.org/2000/svg"
# What matplotlib calls the parts of a drawing that are words and numbers.
LABELS = re.compile(r"matplotlib\.axis|legend|text_")
PLAYER = re.compile(
    r'<figure class="ol-player">\s*<img src="data:image/svg\+xml,([^"]+)'
)
GAME = re.compile(
    r'<section class="ol-figure" data-figure="([^"]+)" aria-label="([^"]+)"'
)

NUMBERS = """\
<ul class="numbers">
<li><b>{statements}</b> statements, proved or quoted</li>
<li><b>{checked}</b> of them run and counted</li>
<li><b>{reached}</b> bounds met exactly by some run</li>
<li><b>10<sup>{digits}</sup></b> games in the largest check</li>
</ul>
"""


class cards(nodes.General, nodes.Element):
    """A list of links to pages, which get their pictures when all pages are read."""


class Div(SphinxDirective):
    """``{div}`` with one of these classes, whose own text JupyterLab shows."""

    has_content = True
    option_spec = {"class": directives.unchanged}

    def run(self) -> list[nodes.Node]:
        made = {"cards": self.cards, "games": self.games, "numbers": self.numbers}
        return made[self.options["class"]]()

    def cards(self) -> list[nodes.Node]:
        """A list of pages as cards."""
        box = cards()
        self.state.nested_parse(self.content, self.content_offset, box)
        return [box]

    def games(self) -> list[nodes.Node]:
        """What can be played, each with its picture of ``_assets/games``."""
        root = Path(self.env.srcdir)
        listed = nodes.bullet_list()
        seen = set()  # a figure on two pages is listed once
        for path in sorted(
            [*root.glob("lectures/*.ipynb"), *root.glob("beyond/*.ipynb")]
        ):
            self.env.note_dependency(str(path))
            page = path.relative_to(root).with_suffix("").as_posix()
            for number, data in outputs(path):
                for figure, label in GAME.findall("".join(data.get("text/html", ""))):
                    if label in seen:
                        continue
                    seen.add(label)
                    image = shown(f"_static/games/{figure}.svg", 160, 90, label)
                    uri = f"{page}.html#cell-{number}"
                    name = label[0].upper() + label[1:]
                    link = nodes.reference("", name, internal=True, refuri=uri)
                    listed += nodes.list_item("", image, nodes.paragraph("", "", link))
        return [nodes.container("", listed, classes=["cards", "games"])]

    def numbers(self) -> list[nodes.Node]:
        """The ledger in a few numbers."""
        from olutil import ledger

        root = Path(self.env.srcdir).parent
        for path in ledger.notebooks(root):
            self.env.note_dependency(str(path))
        rows = ledger.rows(root)
        exhaustive = [
            check["instances"]
            for row in rows
            for check in row["checks"]
            if check["how"] == "exhaustive"
        ]
        text = NUMBERS.format(
            statements=len(rows),
            checked=sum(bool(row["how"]) for row in rows),
            reached=sum(
                row["tightness"] == 1 and row["relation"] != "=" for row in rows
            ),
            digits=len(str(max(exhaustive))) - 1,
        )
        return [nodes.raw("", text, format="html")]


def outputs(notebook: Path) -> list[tuple[int, dict]]:
    """What the code cells of a notebook show, each with its cell's number."""
    cells = json.loads(notebook.read_text("utf-8"))["cells"]
    code = [cell for cell in cells if cell["cell_type"] == "code"]
    return [
        (number, output.get("data", {}))
        for number, cell in enumerate(code, start=1)
        for output in cell["outputs"]
    ]


def drawings(notebook: Path) -> list[str]:
    """The pictures of a notebook: its figures, and the first of each player."""
    found = []
    for _, data in outputs(notebook):
        found += ["".join(data[kind]) for kind in data if kind == "image/svg+xml"]
        found += map(unquote, PLAYER.findall("".join(data.get("text/html", ""))))
    return found


def vignette(drawing: str) -> tuple[str, float, float]:
    """What a drawing shows between its axes, without words; its width and height."""
    ElementTree.register_namespace("", SVG)
    svg = ElementTree.fromstring(drawing)
    left, top, right, bottom = [], [], [], []
    for group in list(svg.iter(f"{{{SVG}}}g")):
        for part in list(group):
            if LABELS.match(part.get("id", "")):
                group.remove(part)
        if group.get("id", "").startswith("axes_"):
            paper = group.find(f"{{{SVG}}}g/{{{SVG}}}path").get("d")
            x, y = zip(*re.findall(r"([\d.-]+) ([\d.-]+)", paper), strict=True)
            left.append(min(map(float, x)))
            right.append(max(map(float, x)))
            top.append(min(map(float, y)))
            bottom.append(max(map(float, y)))
    width, height = max(right) - min(left), max(bottom) - min(top)
    svg.set("viewBox", f"{min(left):.1f} {min(top):.1f} {width:.1f} {height:.1f}")
    svg.set("width", f"{width:.0f}")
    svg.set("height", f"{height:.0f}")
    return ElementTree.tostring(svg, encoding="unicode"), width, height


def shown(address: str, width: float, height: float, of: str) -> nodes.raw:
    """The markup of a card's picture."""
    image = (
        f'<span class="card-picture"><img src="{address}" loading="lazy" '
        f'width="{width:.0f}" height="{height:.0f}" '
        f'alt="A picture of {escape(of)}"></span>'
    )
    return nodes.raw("", image, format="html")


def picture(app: Sphinx, page: str, title: str, drawing: str) -> nodes.raw:
    """Store the picture of a page; the markup that shows it."""
    svg, width, height = vignette(drawing)
    name = f"_images/cards/{page.replace('/', '-')}.svg"
    target = Path(app.outdir, name)
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(svg, "utf-8")
    return shown(name, width, height, f"the page {title}")


def draw_cards(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """Give each card its picture."""
    for box in list(doctree.findall(cards)):
        for item in box.findall(nodes.list_item):
            link = next(iter(item.findall(nodes.reference)))
            page = link["refuri"].removesuffix(".html")
            notebook = Path(app.srcdir, f"{page}.ipynb")
            if drawn := drawings(notebook):
                best = drawn[min(PICTURES.get(page, 0), len(drawn) - 1)]
                item.insert(0, picture(app, page, link.astext(), best))
        box.replace_self(nodes.container("", *box.children, classes=["cards"]))


def setup(app: Sphinx) -> dict:
    # (It takes the place of sphinx-design's, which the book does not use.)
    app.add_directive("div", Div, override=True)
    app.connect("doctree-resolved", draw_cards)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
