"""Corrections of what the theme and its extensions write.

Changed templates are in ``_templates/``.  Here the rest is corrected: what the
templates are given for a page, and how some nodes become HTML.
"""

import re
from pathlib import Path

from docutils import nodes
from myst_nb.sphinx_ import (
    HideCodeCellNode,
    depart_HideCellInput,
    visit_HideCellInput,
)
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.writers.html5 import HTML5Translator

# Thebe would run cells on somebody else's server; and its settings are declared twice,
# which is a syntax error.  No page has sphinx-design's tabs.
UNUSED = ("sphinx-thebe", "THEBE_JS_URL", "design-tabs")

# In points, as matplotlib writes it; a pixel is three quarters of a point.
SVG_SIZE = re.compile(r'<svg [^>]*?width="([\d.]+)pt" height="([\d.]+)pt"')

# Pixels: what is wider keeps a size on a phone at which its words can be read.
WIDE = 560

# Search results show about so many characters of a page's description.
DESCRIPTION = 160


def fix_assets(
    app: Sphinx,
    pagename: str,
    templatename: str,
    context: dict,
    doctree: nodes.document | None,
) -> None:
    """Drop scripts and styles that nobody needs, and load scripts after the page."""
    for kind in ("script_files", "css_files"):
        seen = set()
        kept = []
        for asset in context[kind]:
            text = f"{asset.filename}{asset.attributes.get('body', '')}"
            # Some extensions are set up twice, and then declare their settings twice.
            if text in seen or any(name in text for name in UNUSED):
                continue
            seen.add(text)
            kept.append(asset)
        context[kind][:] = kept
    for script in context["script_files"]:
        # These are used at once, by inline scripts and by the search.
        at_once = ("documentation_options", "doctools")
        if script.filename and not any(n in str(script.filename) for n in at_once):
            if script.attributes.get("type") != "module":
                script.attributes["defer"] = "defer"
            script.attributes.pop("async", None)


def describe(
    app: Sphinx,
    pagename: str,
    templatename: str,
    context: dict,
    doctree: nodes.document | None,
) -> None:
    """Give each page its own description: its first sentences."""
    if doctree is None:
        return
    sentences = ""
    for paragraph in doctree.findall(nodes.paragraph):
        of_text = "reading-time" not in paragraph["classes"]
        if of_text and isinstance(paragraph.parent, nodes.section):
            sentences = f"{sentences} {' '.join(paragraph.astext().split())}".strip()
        if len(sentences) >= DESCRIPTION:
            break
    context["description"] = shorten(sentences)


def shorten(text: str) -> str:
    """Cut a text after its last sentence, or else word, that has room."""
    if len(text) <= DESCRIPTION:
        return text
    cut = text[: DESCRIPTION - 2]
    end = max(cut.rfind(mark) for mark in (". ", "? ", "! "))
    return cut[: end + 1] if end > 0 else f"{cut.rpartition(' ')[0]} …"


def name_neighbors(
    app: Sphinx,
    pagename: str,
    templatename: str,
    context: dict,
    doctree: nodes.document | None,
) -> None:
    """Give the links to the neighboring pages their titles in the table of contents."""
    root = app.env.tocs[app.config.root_doc]
    titles = {
        app.builder.get_relative_uri(pagename, page): title
        for tree in root.findall(addnodes.toctree)
        for title, page in tree["entries"]
        if title
    }
    for side in ("prev", "next"):
        if neighbor := context.get(side):
            neighbor["title"] = titles.get(neighbor["link"], neighbor["title"])


def part_from_link(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """Move a blank at the beginning of a link's text in front of the link."""
    for link in doctree.findall(nodes.reference):
        text = link.next_node(nodes.Text)
        if text is not None and text.startswith(" "):
            text.parent.replace(text, nodes.Text(text.lstrip()))
            link.parent.insert(link.parent.index(link), nodes.Text(" "))


def mark_sentences(app: Sphinx, doctree: nodes.document) -> None:
    """Tell printed sentences, whose lines may be broken on a phone, from tables.

    What is set in columns has blanks side by side in a line.
    """
    for output in doctree.findall(nodes.container):
        if output.get("nb_element") != "cell_code_output":
            continue
        for text in output.findall(nodes.literal_block):
            if not re.search(r"\S {2,}\S", text.astext()):
                text["classes"].append("sentences")


def visit_image(self: HTML5Translator, node: nodes.image) -> None:
    """Write an image with its size, so that nothing moves when it is loaded."""
    # The file as it is now; `visit_image` replaces its address by the one in the site.
    path = Path(self.builder.srcdir, node["uri"])
    HTML5Translator.visit_image(self, node)
    svg = path.read_text("utf-8") if path.suffix == ".svg" and path.is_file() else ""
    if found := SVG_SIZE.search(svg):
        width, height = (round(float(points) * 4 / 3) for points in found.groups())
        self.body[-1] = self.body[-1].replace(
            "<img ",
            f'<img width="{width}" height="{height}" loading="lazy" decoding="async" ',
        )
        if width > WIDE:
            self.body[-1] = f'<div class="wide-picture">{self.body[-1]}</div>'


def visit_entry(self: HTML5Translator, node: nodes.entry) -> None:
    """Write the empty corner of a table as a cell: a header cell must not be empty."""
    HTML5Translator.visit_entry(self, node)
    if not node.astext().strip():
        self.body[-1] = self.body[-1].replace("<th", "<td", 1)
        self.context[-1] = self.context[-1].replace("</th", "</td")


def depart_entry(self: HTML5Translator, node: nodes.entry) -> None:
    HTML5Translator.depart_entry(self, node)


def visit_citation(self: HTML5Translator, node: nodes.citation) -> None:
    """Give a reference the role of an item of its list, which the deprecated role
    ``doc-biblioentry`` is not."""
    at = len(self.body)
    HTML5Translator.visit_citation(self, node)
    self.body[at:] = (
        part.replace('role="doc-biblioentry"', 'role="listitem"')
        for part in self.body[at:]
    )


def depart_citation(self: HTML5Translator, node: nodes.citation) -> None:
    HTML5Translator.depart_citation(self, node)


def visit_hidden(self: HTML5Translator, node: HideCodeCellNode) -> None:
    """Drop the summary's label of a folded cell: its text says more."""
    visit_HideCellInput(self, node)
    at = self.body.index('<summary aria-label="Toggle hidden content">\n', -4)
    self.body[at] = "<summary>\n"


def depart_image(self: HTML5Translator, node: nodes.image) -> None:
    HTML5Translator.depart_image(self, node)


def setup(app: Sphinx) -> dict:
    # 900: after the extensions have added their scripts.
    app.connect("html-page-context", fix_assets, priority=900)
    app.connect("html-page-context", describe)
    app.connect("html-page-context", name_neighbors)
    app.connect("doctree-read", mark_sentences)
    app.connect("doctree-resolved", part_from_link, priority=900)
    app.add_node(nodes.image, override=True, html=(visit_image, depart_image))
    app.add_node(nodes.citation, override=True, html=(visit_citation, depart_citation))
    app.add_node(nodes.entry, override=True, html=(visit_entry, depart_entry))
    app.add_node(
        HideCodeCellNode, override=True, html=(visit_hidden, depart_HideCellInput)
    )
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
