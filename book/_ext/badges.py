"""A badge at each statement: its kinds of evidence and tightness.

The badge links to the statement's row in the ledger.  A box has its badges in
a line below its text; a paragraph has them at its upper right corner.
"""

from collections import defaultdict
from pathlib import Path

from docutils import nodes
from ledger_page import PAGE, anchor, docname, tightness
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx_proof.nodes import proof_node


def statements(env: BuildEnvironment) -> dict[str, list[dict]]:
    """The statements with evidence, by the page that states them."""
    from olutil import ledger

    found = defaultdict(list)
    for row in ledger.rows(Path(env.srcdir).parent):
        if row["page"] and row["how"]:
            found[docname(row["page"])].append(row)
    return dict(found)


def outdated(app: Sphinx, env: BuildEnvironment, *_) -> list[str]:
    """Read a page again if its badges have changed, wherever the evidence is."""
    before, env.badges = getattr(env, "badges", {}), statements(env)
    return [
        page
        for page, rows in env.badges.items()
        if page in env.found_docs and rows != before.get(page)
    ]


def add_badges(app: Sphinx, doctree: nodes.document) -> None:
    """Put the badges of a page where its statements are."""
    by_id = {
        id: node
        for node in doctree.findall(nodes.Element)
        if not isinstance(node, nodes.target)
        for id in node.get("ids", ())
    }
    groups = defaultdict(list)
    for row in app.env.badges.get(app.env.docname, ()):
        # The statement's box, or else what follows its target.
        place = by_id.get(f"prf-{row['id']}") or by_id[nodes.make_id(row["id"])]
        if isinstance(place, proof_node):
            place = place[0]
        groups[place].append(row)
    for place, rows in groups.items():
        badges = [badge(app, row, named=len(rows) > 1) for row in rows]
        if isinstance(place, nodes.paragraph):
            place[0:0] = badges
        else:
            place.append(nodes.paragraph("", "", *badges, classes=["evidence-line"]))


def badge(app: Sphinx, row: dict, *, named: bool) -> nodes.reference:
    """The link, which says in full what it is the evidence for."""
    name = nodes.inline(text=f"Evidence for {row['title']}: ")
    name["classes"].append("visually-hidden")
    if named:
        name = nodes.inline(text=f"{row['title']}: ")
    says = ", ".join(row["how"])
    if tightness(row):
        says += f" · tightness {tightness(row)}"
    uri = app.builder.get_relative_uri(app.env.docname, PAGE)
    return nodes.reference(
        "",
        "",
        name,
        nodes.Text(says),
        internal=True,
        refuri=f"{uri}#{anchor(row['id'])}",
        classes=["evidence"],
    )


def setup(app: Sphinx) -> dict:
    app.setup_extension("ledger_page")
    app.connect("env-get-outdated", outdated)
    # After `proofs` has named its boxes.
    app.connect("doctree-read", add_badges, priority=600)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
