"""Links back from the glossary: where each lecture first uses a term."""

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment

PAGE = "glossary"
WHERE = "lectures/"


def begin(app: Sphinx) -> None:
    """Keep, page by page, the anchor of each term's first use."""
    if not hasattr(app.env, "term_uses"):
        app.env.term_uses = {}


def forget(app: Sphinx, env: BuildEnvironment, docname: str) -> None:
    env.term_uses.pop(docname, None)


def note_uses(app: Sphinx, doctree: nodes.document) -> None:
    """Give the first use of each term on a lecture's page an anchor."""
    if not app.env.docname.startswith(WHERE):
        return
    uses = app.env.term_uses[app.env.docname] = {}
    for reference in list(doctree.findall(addnodes.pending_xref)):
        term = reference["reftarget"]
        if term.startswith("term-") and term not in uses:
            uses[term] = term.replace("term", "use", 1)
            at = reference.parent.index(reference)
            reference.parent.insert(at, nodes.target(ids=[uses[term]]))


def rewrite(app: Sphinx, env: BuildEnvironment) -> list[str]:
    """Write the glossary again: any page that was read may use a term."""
    return [PAGE]


def add_links(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """Say below each definition where the term is used."""
    if docname != PAGE:
        return
    contents = app.env.get_doctree(app.config.root_doc)
    pages = [
        (title, page)
        for toctree in contents.findall(addnodes.toctree)
        for title, page in toctree["entries"]
    ]
    for item in doctree.findall(nodes.definition_list_item):
        terms = [id.lower() for term in item.findall(nodes.term) for id in term["ids"]]
        links = [
            link(app, title, page, uses[term])
            for title, page in pages
            for uses in [app.env.term_uses.get(page, {})]
            for term in terms
            if term in uses
        ]
        if links:
            line = nodes.paragraph(text="Used in: ", classes=["term-uses"])
            for number, found in enumerate(links):
                line += nodes.Text("; " if number else "")
                line += found
            item[-1] += line


def link(app: Sphinx, title: str, page: str, anchor: str) -> nodes.reference:
    uri = app.builder.get_relative_uri(PAGE, page)
    text = title or app.env.titles[page].astext()
    return nodes.reference("", text, internal=True, refuri=f"{uri}#{anchor}")


def setup(app: Sphinx) -> dict:
    app.connect("builder-inited", begin)
    app.connect("env-purge-doc", forget)
    app.connect("doctree-read", note_uses)
    app.connect("env-updated", rewrite)
    app.connect("doctree-resolved", add_links)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
