"""The sentence of a check names its statement by the title, and links to it.

A notebook knows a statement by its id alone; its title stands in its box.
"""

import html
import re

from docutils import nodes
from sphinx.application import Sphinx

LINK = re.compile(r'(?<=<p class="check">✓ )<a href="#([\w.+-]+)">[^<]*</a>')


def name_statements(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """Write the title of the box where the output has its id."""
    labels = app.env.get_domain("std").labels

    def named(found: re.Match) -> str:
        page, anchor, title = labels[nodes.fully_normalize_name(found[1])]
        uri = app.builder.get_relative_uri(docname, page)
        return f'<a href="{uri}#{anchor}">{html.escape(title)}</a>'

    for output in doctree.findall(nodes.raw):
        if '<p class="check">' in output.astext():
            output[:] = [nodes.Text(LINK.sub(named, output.astext()))]


def setup(app: Sphinx) -> dict:
    app.connect("doctree-resolved", name_statements)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
