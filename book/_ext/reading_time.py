"""The minutes that a page takes, below its title; `_tools/reading.py` has the rule."""

import sys
from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx

sys.path.append(str(Path(__file__).resolve().parent.parent / "_tools"))
import reading  # noqa: E402


def show(app: Sphinx, doctree: nodes.document) -> None:
    """Say how long the page takes to read."""
    path = Path(app.env.doc2path(app.env.docname))
    if path in reading.pages():
        page = reading.measure(path)
        text = (
            f"{page.minutes} minutes to read, {page.pencil} to follow each step with "
            "a pencil, without what is folded"
        )
        title = next(iter(doctree.findall(nodes.title)))
        title.parent.insert(1, nodes.paragraph("", text, classes=["reading-time"]))


def setup(app: Sphinx) -> dict:
    app.connect("doctree-read", show)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
