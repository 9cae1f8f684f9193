"""Statements and proofs: the directives ``{prf:theorem}``, ..., ``{prf:proof}``.

- A box has no number of the book's; where its lecture numbers it, its title says so.
- A title begins with the kind of its box, "Lemma. One cut", unless it names the kind
  itself: "Mistake bound of Halving (Theorem 2.2 of Kakade)".
- A remark is text that begins with its title.
- A link to a box shows the title of the box, unless it says something else.
- A proof begins with the word "Proof.", whatever follows: a list, a formula, a box.
"""

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.application import Sphinx
from sphinx.domains import Domain
from sphinx.util.docutils import SphinxDirective

FRAMED = (
    "theorem", "lemma", "corollary", "proposition", "property", "definition",
    "algorithm",
)  # fmt: skip
LIGHT = "remark"


class Box(SphinxDirective):
    """A statement, under its title."""

    has_content = True
    required_arguments = 1
    final_argument_whitespace = True
    option_spec = {"class": directives.class_option}

    def run(self) -> list[nodes.Node]:
        kind = self.name.removeprefix("prf:")
        box = nodes.admonition(classes=[kind, *self.options.get("class", [])])
        self.state.nested_parse(self.content, self.content_offset, box)
        title, messages = self.state.inline_text(self.arguments[0], self.lineno)
        box["kind"] = kind
        box["title"] = "".join(part.astext() for part in title)
        if kind == LIGHT:
            begin(box, nodes.strong("", "", *title, nodes.Text(".")), nodes.Text(" "))
        else:
            if kind not in box["title"].lower():
                title.insert(0, nodes.Text(f"{kind.title()}. "))
            box.insert(0, nodes.title(self.arguments[0], "", *title))
        return [box, *messages]


class Proof(SphinxDirective):
    """A proof, with the word "Proof." before what its content turns into."""

    has_content = True
    option_spec = {"class": directives.class_option}

    def run(self) -> list[nodes.Node]:
        box = nodes.admonition(classes=["proof", *self.options.get("class", [])])
        self.state.nested_parse(self.content, self.content_offset, box)
        begin(box, nodes.inline(text="Proof. ", classes=["proof-word"]))
        return [box]


def begin(box: nodes.admonition, *words: nodes.Node) -> None:
    """Put words before the first paragraph of a box, or before what else is first."""
    shown = (child for child in box if not isinstance(child, nodes.target))
    first = next(shown, None)
    if isinstance(first, nodes.paragraph):
        first[0:0] = words
    else:
        box.insert(0, nodes.paragraph("", "", *words))


class Statements(Domain):
    """The directives, under the names that sphinx-proof has made usual."""

    name = "prf"
    label = "Statements and proofs"
    directives = {**dict.fromkeys((*FRAMED, LIGHT), Box), "proof": Proof}

    def merge_domaindata(self, docnames: list[str], otherdata: dict) -> None:
        """Nothing is kept here."""

    def resolve_any_xref(self, *_) -> list:
        """A box is known by its target, to the domain of all targets."""
        return []


def boxes(doctree: nodes.document) -> list[nodes.admonition]:
    """The boxes of a page, each with its kind and title, in their order."""
    return [box for box in doctree.findall(nodes.admonition) if "kind" in box]


def name_boxes(app: Sphinx, doctree: nodes.document) -> None:
    """Have a link to a box show its title."""
    labels = app.env.get_domain("std").labels
    for box in boxes(doctree):
        for name in box["names"]:
            labels[name] = (app.env.docname, doctree.nameids[name], box["title"])


def setup(app: Sphinx) -> dict:
    app.add_domain(Statements)
    app.connect("doctree-read", name_boxes)
    return {"version": "2", "parallel_read_safe": True, "parallel_write_safe": True}
