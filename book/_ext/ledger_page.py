"""The ledger in the site: shows what `olutil.ledger` collects.

A page says ``{ledger}`` and gets one table of all statements.  Each has a
part of the table (a ``tbody``) with two rows: what the ledger says in short,
and, folded, the statement itself with every check.  `_assets/ledger.js`
sorts and filters these parts by their classes; without it the page is a
plain table.

The rows link to where the book states them and to the cells where their
checks ran, so this extension also gives every code cell an anchor:
``#cell-7`` is the seventh.
"""

import re
from pathlib import Path, PurePosixPath
from posixpath import normpath

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

PAGE = "theorems"  # the page with the ledger
COLUMNS = {
    "Statement": 34,
    "Lecture": 12,
    "Evidence": 18,
    "Instances": 12,
    "Nearest case": 16,
    "Tight": 8,
}
ERRATA = "book/errata.ipynb"
LINK = re.compile(r"\]\((?!https?:|#)([^)#\s]+)")  # to another file
STATED = "stated"  # stands for a kind of evidence where nothing can be checked
LEGEND = {
    "exhaustive": "all instances of a size were tried, every class on four points or "
    "every stream of nine rounds, so among these there is no exception.",
    "adversary": "an opponent who may look into the learner, though not at its coins, "
    "played against it.",
    "random": "seeded random instances, the same in every run.",
    "steps": "the inequalities of the proof, each at every round of a run.",
    "exact": "computed with whole numbers, fractions or symbols, without rounding.",
    "data": "real data, such as the weather, a stock index or digits.",
    STATED: "a definition, an algorithm or a remark: nothing in it can be checked.",
    "Nearest case": "the instance that came nearest to its bound.",
    "Tight": "the observed value over the bound there (for a lower bound, the bound "
    "over the value), rounded to two digits. Where the nearest case shows two equal "
    "numbers, the bound was reached. An equality has no tightness.",
}

# Shown by the script, which is what makes it work.
CONTROLS = """
<form class="ledger-controls" role="search" aria-label="Filter the ledger" hidden>
<label>Lecture <select name="lecture"><option value="">all</option>{lectures}</select>
</label>
<label>Evidence <select name="how"><option value="">all</option>{kinds}</select></label>
<label>Text <input type="search" name="text" autocomplete="off"></label>
<button type="reset">Show all</button>
<output></output>
</form>
"""


class details(nodes.General, nodes.Element):
    """What opens when a reader asks for it; ``summary`` is shown, ``of`` is said."""


class Ledger(SphinxDirective):
    """A table of all statements, with the evidence for each."""

    def run(self) -> list[nodes.Node]:
        # Only the page that needs the registry reads it.
        from olutil import errata, ledger, theorems

        self.root = Path(self.env.srcdir).parent
        self.grades = {id: errata.SEVERITIES[key] for id, key in errata.ERRATA.items()}
        self.depend(ledger.notebooks(self.root), theorems)
        # What asserts nothing comes last.
        rows = sorted(ledger.rows(self.root), key=lambda row: not row["asserts"])
        return [
            self.summary(rows), self.legend(), self.controls(rows), self.table(rows)
        ]  # fmt: skip

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

    def legend(self) -> details:
        """What the kinds of evidence and the columns mean, folded."""
        said = "What the kinds of evidence and the columns mean"
        found = details(summary=said, of="", classes=["ledger-legend"])
        for word, means in LEGEND.items():
            words = nodes.strong(text=word), nodes.Text(f": {means}")
            found += nodes.paragraph("", "", *words)
        return found

    def controls(self, rows: list[dict]) -> nodes.raw:
        lectures = {key(row): short(row["lecture"]) for row in rows}
        kinds = dict.fromkeys(kind for row in rows for kind in kinds_of(row))

        def options(choices: dict[str, str]) -> str:
            return "".join(
                f'<option value="{value}">{text}</option>'
                for value, text in choices.items()
            )

        return nodes.raw(
            "",
            CONTROLS.format(
                lectures=options(lectures),
                kinds=options({kind: kind for kind in sorted(kinds)}),
            ),
            format="html",
        )

    def table(self, rows: list[dict]) -> nodes.table:
        group = nodes.tgroup(cols=len(COLUMNS))
        group += [nodes.colspec(colwidth=width) for width in COLUMNS.values()]
        head = nodes.thead()
        head += self.row([nodes.paragraph(text=name)] for name in COLUMNS)
        group += head
        group += [self.part(row) for row in rows]
        return nodes.table("", group, classes=["ledger"])

    def row(self, cells) -> nodes.row:
        return nodes.row("", *(nodes.entry("", *cell) for cell in cells))

    def part(self, row: dict) -> nodes.tbody:
        """The two rows of one statement."""
        classes = [f"lecture-{key(row)}", *(f"how-{kind}" for kind in kinds_of(row))]
        part = nodes.tbody(ids=[anchor(row["id"])], classes=classes)
        part += self.row(self.cells(row))
        whole = nodes.entry("", self.opened(row), morecols=len(COLUMNS) - 1)
        part += nodes.row("", whole)
        return part

    def cells(self, row: dict) -> list[list[nodes.Node]]:
        texts = ["", "", ""]
        if row["how"]:
            texts = [count(row["instances"]), nearest(row), tightness(row)]
        return [
            [self.statement(row)],
            [nodes.paragraph(text=short(row["lecture"]))],
            [self.evidence(row)],
            *([nodes.paragraph(text=text)] if text else [] for text in texts),
        ]

    # --- Parts of a row ---------------------------------------------

    def statement(self, row: dict) -> nodes.paragraph:
        """Title, id, and what is missing."""
        title = nodes.Text(row["title"])
        paragraph = nodes.paragraph()
        paragraph += self.link(row["page"], row["id"], title) if row["page"] else title
        paragraph += [nodes.Text(" "), nodes.literal(text=row["id"])]
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
            paragraph += self.link(*cell(check), nodes.Text(how))
        if row["asserts"] and not first:
            paragraph += self.mark("no evidence")
        if not row["asserts"]:
            paragraph += nodes.Text(STATED)
        return paragraph

    def opened(self, row: dict) -> details:
        """The statement as the book prints it, its checks and its errata."""
        number = len(row["checks"])
        checks = "1 check" if number == 1 else f"{number} checks"
        found = details(summary=checks, of=f": {row['title']}")
        if not row["asserts"]:
            found["summary"] = "Statement"
        found += self.parse_text_to_nodes(from_here(row["text"], row["page"]))
        found += nodes.paragraph(text=f"Source: {row['source']}.")
        if row["checks"]:
            checks = (nodes.list_item("", self.check(check)) for check in row["checks"])
            found += nodes.bullet_list("", *checks, classes=["ledger-checks"])
        elif not row["asserts"]:
            found += nodes.paragraph(text="No check belongs to it.")
        if row["errata"]:
            found += self.corrected(row["errata"])
        return found

    def check(self, check: dict) -> nodes.paragraph:
        """What a cell found, in the sentence that it shows there."""
        from olutil.verify import Record

        record = Record(**{name: check[name] for name in Record.__match_args__})
        name = f"cell {check['cell']} of {self.page_name(check['notebook'])}"
        paragraph = nodes.paragraph("", "", nodes.strong(text=record.how))
        paragraph += nodes.Text(f": {record.sentence()} (")
        paragraph += [self.link(*cell(check), nodes.Text(name)), nodes.Text(")")]
        return paragraph

    def corrected(self, errata: list[str]) -> nodes.paragraph:
        """Which errata the statement answers, and how serious each is."""
        said = "Repaired from the lecture's text: "
        paragraph = nodes.paragraph(text=said, classes=["ledger-errata"])
        for number, erratum in enumerate(errata):
            paragraph += nodes.Text(", " if number else "")
            paragraph += self.link(ERRATA, erratum, nodes.Text(erratum))
            paragraph += nodes.Text(f" ({self.grades[erratum]})")
        paragraph += nodes.Text(".")
        return paragraph

    def page_name(self, page: str) -> str:
        """A page's short title, from the table of contents, or its file's name."""
        name = docname(page)
        if name == self.config.root_doc:
            return "the landing page"
        return self.env.external_site_map[name].title or name.replace("-", " ")

    def link(self, page: str, target: str, *text: nodes.Node) -> nodes.reference:
        """A link into the book; ``page`` is a file's path in the repository."""
        builder = self.env.app.builder
        uri = builder.get_relative_uri(self.env.docname, docname(page))
        return nodes.reference(
            "", "", *text, internal=True, refuri=f"{uri}#{nodes.make_id(target)}"
        )

    def mark(self, text: str) -> nodes.inline:
        return nodes.inline(text=text, classes=["ledger-lacks"])


# --- What badges and other pages need, too --------------------------------


def docname(page: str) -> str:
    """Sphinx's name for a file of the book, given as its path in the repository."""
    return Path(page).relative_to("book").with_suffix("").as_posix()


def from_here(text: str, page: str) -> str:
    """A text of another page, whose links lead from the ledger to where they led."""
    folder = PurePosixPath(docname(page)).parent
    return LINK.sub(lambda link: f"]({normpath(folder / link[1])}", text)


def anchor(id: str) -> str:
    """Where the ledger has a statement."""
    return f"row-{nodes.make_id(id)}"


def tightness(row: dict) -> str:
    """Observed over bound, where that ratio says something: an equality has none."""
    if row["tightness"] is None or row["relation"] == "=":
        return ""
    return f"{row['tightness']:.2f}"


# --- Words ----------------------------------------------------------------


def key(row: dict) -> str:
    """The lecture's key."""
    return row["id"].split("-")[0]


def short(lecture: str) -> str:
    """A lecture by its lecturers alone."""
    return lecture.split(",")[0]


def kinds_of(row: dict) -> list[str]:
    """The kinds of evidence, or that there is nothing to check."""
    return row["how"] if row["asserts"] else [STATED]


def cell(check: dict) -> tuple[str, str]:
    """The page and the anchor of the cell that printed a check."""
    return check["notebook"], f"cell-{check['cell']}"


def count(instances: int) -> str:
    """How many; past a trillion the magnitude says more than the digits."""
    from olutil.verify import _readable

    return _readable(instances)


def nearest(row: dict) -> str:
    """What was observed, against the bound, where it came nearest."""
    return f"{row['observed']} {row['relation']} {row['bound']}"


# --- Sphinx ---------------------------------------------------------------


def visit_details(translator, node: details) -> None:
    of = translator.encode(node["of"])
    classes = f' class="{" ".join(node["classes"])}"' if node["classes"] else ""
    translator.body.append(
        f"<details{classes}><summary>{node['summary']}"
        f'<span class="visually-hidden">{of}</span></summary>\n'
    )


def depart_details(translator, node: details) -> None:
    translator.body.append("</details>\n")


def name_cells(app: Sphinx, doctree: nodes.document) -> None:
    """Give each code cell the anchor that the ledger links to."""
    for found in doctree.findall(nodes.container):
        if found.get("nb_element") == "cell_code" and found.get("exec_count"):
            found["ids"].append(f"cell-{found['exec_count']}")


def setup(app: Sphinx) -> dict:
    app.add_node(details, html=(visit_details, depart_details))
    app.add_directive("ledger", Ledger)
    app.connect("doctree-read", name_cells)
    return {"version": "2", "parallel_read_safe": True, "parallel_write_safe": True}
