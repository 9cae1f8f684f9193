"""The ledger in the site: shows what `olutil.ledger` collects.

A page says ``{ledger}`` and gets one section a lecture, with one row for
each statement that asserts something and a list of the others.  The rows
link to where the book states them and to the cells where their checks ran,
so this extension also gives every code cell an anchor: ``#cell-7`` is the
seventh.
"""

from decimal import Decimal
from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

COLUMNS = {
    "Statement": 34,
    "Evidence": 22,
    "Instances": 12,
    "Worst case": 22,
    "Tight": 10,
}
ERRATA = "book/errata.ipynb"


class Ledger(SphinxDirective):
    """Tables of all statements, by lecture, with the evidence for each."""

    def run(self) -> list[nodes.Node]:
        # Only the page that needs the registry reads it.
        from olutil import ledger, theorems

        self.root = Path(self.env.srcdir).parent
        self.depend(ledger.notebooks(self.root), theorems)
        errata = self.root / ERRATA
        self.errata = ledger.targets(errata) if errata.exists() else set()
        rows = ledger.rows(self.root)
        lectures = dict.fromkeys(row["lecture"] for row in rows)
        return [
            self.summary(rows),
            *(
                self.section(lecture, [r for r in rows if r["lecture"] == lecture])
                for lecture in lectures
            ),
        ]

    def depend(self, notebooks: list[Path], theorems) -> None:
        """Have the page rebuilt when what it shows has changed."""
        pages = (self.root / "book").rglob("*.md")
        registry = Path(theorems.__file__).parent.glob("*.py")
        for path in [*notebooks, *pages, *registry]:
            if not any(part.startswith((".", "_")) for part in path.parts[-2:-1]):
                self.env.note_dependency(str(path))

    # --- Parts of the page ------------------------------------------

    def summary(self, rows: list[dict]) -> nodes.paragraph:
        checked = [row for row in rows if row["asserts"]]
        lacking = [row for row in rows if row["lacks"]]
        paragraph = nodes.paragraph(
            text=f"{len(rows)} statements, of which {len(checked)} assert "
            f"something that can be checked. "
        )
        if lacking:
            paragraph += self.mark(f"{len(lacking)} lack something.")
        else:
            paragraph += nodes.Text("All of these are, and none is missing.")
        return paragraph

    def section(self, lecture: str, rows: list[dict]) -> nodes.section:
        key = rows[0]["id"].split("-")[0]
        section = nodes.section(ids=[f"ledger-{key}"], names=[f"ledger-{key}"])
        section += nodes.title(text=lecture)
        checked = [row for row in rows if row["asserts"]]
        stated = [row for row in rows if not row["asserts"]]
        if checked:
            section += self.table(checked)
        if stated:
            section += nodes.paragraph(text="Stated, with nothing to check:")
            section += self.listing(stated)
        return section

    def table(self, rows: list[dict]) -> nodes.table:
        group = nodes.tgroup(cols=len(COLUMNS))
        group += [nodes.colspec(colwidth=width) for width in COLUMNS.values()]
        head, body = nodes.thead(), nodes.tbody()
        head += self.row([nodes.paragraph(text=name)] for name in COLUMNS)
        body += [self.row(self.cells(row)) for row in rows]
        group += [head, body]
        return nodes.table("", group, classes=["ledger"])

    def row(self, cells) -> nodes.row:
        return nodes.row("", *(nodes.entry("", *cell) for cell in cells))

    def cells(self, row: dict) -> list[list[nodes.Node]]:
        texts = ["", "", ""]
        if row["how"]:
            texts = [count(row["instances"]), worst(row), tightness(row)]
        return [
            [self.statement(row)],
            [self.evidence(row)],
            *([nodes.paragraph(text=text)] for text in texts),
        ]

    def listing(self, rows: list[dict]) -> nodes.bullet_list:
        return nodes.bullet_list(
            "", *(nodes.list_item("", self.statement(row)) for row in rows)
        )

    # --- Parts of a row ---------------------------------------------

    def statement(self, row: dict) -> nodes.paragraph:
        """Title, id, errata, and what is missing."""
        title = self.title(row["title"])
        paragraph = nodes.paragraph(ids=[f"row-{row['id'].lower()}"])
        paragraph += self.link(row["page"], row["id"], *title) if row["page"] else title
        paragraph += [nodes.Text(" "), nodes.literal(text=row["id"])]
        for number, erratum in enumerate(row["errata"]):
            paragraph += nodes.Text(", " if number else ", corrected: ")
            name = nodes.Text(erratum)
            known = erratum in self.errata
            paragraph += self.link(ERRATA, erratum, name) if known else name
        if row["lacks"]:
            paragraph += nodes.Text(" ")
            paragraph += self.mark(f"lacks {', '.join(row['lacks'])}")
        return paragraph

    def evidence(self, row: dict) -> nodes.paragraph:
        """Each kind of evidence, linked to the first cell that gives it."""
        first = {}
        for check in row["checks"]:
            first.setdefault(check["how"], check)
        paragraph = nodes.paragraph()
        for how, check in first.items():
            if paragraph.children:
                paragraph += nodes.Text(", ")
            cell = f"cell-{check['cell']}"
            paragraph += self.link(check["notebook"], cell, nodes.Text(how))
        if row["asserts"] and not first:
            paragraph += self.mark("no evidence")
        return paragraph

    def title(self, text: str) -> list[nodes.Node]:
        """A title, whose formulas are Markdown's."""
        found, _ = self.parse_inline(text)
        return [nodes.inline("", "", *found)]

    def link(self, page: str, anchor: str, *text: nodes.Node) -> nodes.reference:
        """A link into the book; ``page`` is a file's path in the repository."""
        docname = Path(page).relative_to("book").with_suffix("").as_posix()
        uri = self.env.app.builder.get_relative_uri(self.env.docname, docname)
        return nodes.reference(
            "", "", *text, internal=True, refuri=f"{uri}#{nodes.make_id(anchor)}"
        )

    def mark(self, text: str) -> nodes.inline:
        return nodes.inline(text=text, classes=["ledger-lacks"])


def count(instances: int) -> str:
    """How many; past a trillion the magnitude says more than the digits."""
    if instances < 10**12:
        return f"{instances:,}"
    return f"{Decimal(instances):.2e}"


def worst(row: dict) -> str:
    """What was observed, against the bound, in the tightest check."""
    return f"{row['observed']} {row['relation']} {row['bound']}"


def tightness(row: dict) -> str:
    """Observed over bound, where that ratio means something."""
    return "" if row["tightness"] is None else f"{row['tightness']:.4f}"


def name_cells(app: Sphinx, doctree: nodes.document) -> None:
    """Give each code cell the anchor that the ledger links to."""
    for cell in doctree.findall(nodes.container):
        if cell.get("nb_element") == "cell_code" and cell.get("exec_count"):
            cell["ids"].append(f"cell-{cell['exec_count']}")


def setup(app: Sphinx) -> dict:
    app.add_directive("ledger", Ledger)
    app.connect("doctree-read", name_cells)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
