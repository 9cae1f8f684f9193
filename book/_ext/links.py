"""Links that every reader of Markdown can follow: ``[text](page.ipynb#target)``.

JupyterLab, an editor and a host of code know no roles that lead to another page.  For
the site such a link is the role that says the same: to a target of a page, to a term of
the glossary (``glossary.md#term-regret``), or to a reference, whose author and year
come from the bibliography, whatever the text is.
"""

from docutils import nodes
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx

BIBLIOGRAPHY = "references"


def read_as_roles(app: Sphinx, doctree: nodes.document) -> None:
    """Turn each link to a part of a page into a reference of Sphinx's."""
    for link in doctree.findall(pending_xref):
        if link["reftype"] == "myst" and (target := link.get("reftargetid")):
            if link["reftarget"] == BIBLIOGRAPHY:
                link.update_all_atts(
                    {"refdomain": "cite", "reftype": "t", "reftarget": target},
                    replace=True,
                )
            else:
                link.update_all_atts(
                    {"refdomain": "std", "reftype": "ref", "reftarget": target.lower()},
                    replace=True,
                )


def name_terms(app: Sphinx, doctree: nodes.document) -> None:
    """Let a link lead to a term, under its id: labels have no capital letters."""
    labels = app.env.get_domain("std").anonlabels
    for term in doctree.findall(nodes.term):
        for id in term["ids"]:
            labels[id.lower()] = (app.env.docname, id)


def setup(app: Sphinx) -> dict:
    # 400: before those who look at references.
    app.connect("doctree-read", read_as_roles, priority=400)
    app.connect("doctree-read", name_terms)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
