"""Keep a formula on one line with what touches it: a comma, or the "th" of "$n$-th"."""

import re

from docutils import nodes
from sphinx.application import Sphinx

BEFORE = re.compile(r"[(\[“‘]+$")
AFTER = re.compile(r"[^\s—–]{1,4}(?=[\s—–]|$)")


def keep_together(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """Put both in a box that is not broken: browsers break lines around a formula."""
    for formula in list(doctree.findall(nodes.math)):
        parent, box = formula.parent, [formula]
        at = parent.index(formula)
        before = parent[at - 1] if at > 0 else None
        after = parent[at + 1] if at + 1 < len(parent) else None
        if isinstance(after, nodes.Text) and (touching := AFTER.match(after)):
            parent[at + 1] = nodes.Text(after[touching.end() :])
            box.append(nodes.Text(touching.group()))
        if isinstance(before, nodes.Text) and (touching := BEFORE.search(before)):
            parent[at - 1] = nodes.Text(before[: touching.start()])
            box.insert(0, nodes.Text(touching.group()))
        if len(box) > 1:
            parent[at] = nodes.inline("", "", *box, classes=["together"])


def setup(app: Sphinx) -> dict:
    app.connect("doctree-resolved", keep_together)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
