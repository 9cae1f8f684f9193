"""Corrections of sphinx-proof, for what a lecture's proofs need.

- A proof may begin with anything: a list, a formula, the target of its first
  step.  (The original puts "Proof." before the first line of the source.)
- Targets before a proof become anchors.  (The original drops them.)
- A title begins as in print: "Theorem 2.2 (mistake bound of Halving)".
- No id is given twice on a page.
"""

import re

from docutils import nodes
from sphinx.application import Sphinx
from sphinx_proof.directive import ProofDirective
from sphinx_proof.nodes import proof_node, unenumerable_node, visit_unenumerable_node

NUMBERED = re.compile(r"^ \((\d[\d.]*): ")  # a title that gives the lecture's number


class Proof(ProofDirective):
    """A proof, with the word "Proof." before what its content turns into."""

    def run(self) -> list[nodes.Node]:
        classes = ["proof", "proof-text", *self.options.get("class", [])]
        box = nodes.admonition(classes=classes)
        self.state.nested_parse(self.content, self.content_offset, box)
        word = nodes.inline(text="Proof. ", classes=["proof-word"])
        shown = (child for child in box if not isinstance(child, nodes.target))
        first = next(shown, None)
        if isinstance(first, nodes.paragraph):
            first.insert(0, word)
        else:
            at = box.index(first) if first else len(box)
            box.insert(at, nodes.paragraph("", "", word))
        return [proof_node("", box)]


def keep_anchors(app: Sphinx, doctree: nodes.document) -> None:
    """Hand a proof's ids to its box: the proof itself writes no element."""
    for proof in doctree.findall(proof_node):
        proof[0]["ids"] = proof["ids"]


def set_titles(app: Sphinx, doctree: nodes.document) -> None:
    """Put the kind, and the number that the lecture gave, before a box's title."""
    for box in doctree.findall(unenumerable_node):
        title = box[0]
        title["ids"] = []  # the box has it
        kind = box["realtype"].title()
        if title.children and (number := NUMBERED.match(title[0])):
            kind += f" {number[1]}"
            title[0] = nodes.Text(NUMBERED.sub(" (", title[0]))
        title.insert(0, nodes.inline(text=kind, classes=["caption-number"]))


def drop_repeated_ids(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """The content of every theorem has the same id, to which nothing links."""
    for section in doctree.findall(nodes.section):
        if section["ids"] == ["proof-content"]:
            section["ids"] = []


def depart_box(translator, node: unenumerable_node) -> None:
    """Close the box.  The original would look for its title, written before."""
    translator.body.append("</div>")


def setup(app: Sphinx) -> dict:
    app.setup_extension("sphinx_proof")
    app.add_directive_to_domain("prf", "proof", Proof, override=True)
    app.add_node(
        unenumerable_node, override=True, html=(visit_unenumerable_node, depart_box)
    )
    app.connect("doctree-read", keep_anchors)
    app.connect("doctree-read", set_titles)
    app.connect("doctree-resolved", drop_repeated_ids)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
