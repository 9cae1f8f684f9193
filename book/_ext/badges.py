"""A badge at each statement: its kinds of evidence and tightness.

The badge links to the statement's row in the ledger.  It stands in a line below the
text of its box, or after the last word of a remark.
"""

from collections import defaultdict
from pathlib import Path

from docutils import nodes
from ledger_page import PAGE, anchor, docname, tightness
from proofs import LIGHT, boxes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment


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
    """Put the badges of a page into its boxes."""
    places = {id: box for box in boxes(doctree) for id in box["ids"]}
    for row in app.env.badges.get(app.env.docname, ()):
        box = places[nodes.make_id(row["id"])]
        if box["kind"] == LIGHT and isinstance(box[-1], nodes.paragraph):
            box[-1] += [nodes.Text(" "), badge(app, row)]
        else:
            line = nodes.paragraph("", "", badge(app, row), classes=["evidence-line"])
            box.append(line)


def badge(app: Sphinx, row: dict) -> nodes.reference:
    """The link, which says in full what it is the evidence for."""
    name = nodes.inline(text=f"Evidence for {row['title']}: ")
    name["classes"].append("visually-hidden")
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
    app.setup_extension("proofs")
    app.connect("env-get-outdated", outdated)
    app.connect("doctree-read", add_badges)
    return {"version": "2", "parallel_read_safe": True, "parallel_write_safe": True}
