"""Listings on the pages, shortened; notebooks and modules stay as they are.

- A cell of many lines that only imports is folded.
- The formatter's marks (``# fmt: skip``) are left out.
- Functions and classes shown from `olutil` keep the first line of their
  docstrings; the API page has the rest.
"""

import ast
import re
from textwrap import dedent

from docutils import nodes
from sphinx.application import Sphinx

LONG = 8  # lines of imports that are worth folding
MARK = re.compile(r" *# fmt: skip$", re.MULTILINE)


def fold_imports(app: Sphinx, doctree: nodes.document) -> None:
    for cell in doctree.findall(nodes.container):
        if cell.get("nb_element") != "cell_code" or cell.get("hide_mode"):
            continue
        source = next(cell.findall(nodes.literal_block)).astext()
        if source.count("\n") >= LONG and only_imports(source):
            cell["hide_mode"] = "input"
            cell["prompt_show"] = "Show the imports"
            cell["prompt_hide"] = "Hide the imports"


def only_imports(source: str) -> bool:
    body = ast.parse(source).body
    return all(isinstance(node, ast.Import | ast.ImportFrom) for node in body)


def shorten(app: Sphinx, doctree: nodes.document) -> None:
    for block in doctree.findall(nodes.literal_block):
        text = MARK.sub("", block.astext())
        if "source" in block:  # set by literalinclude
            text = first_lines(text)
        if text != block.astext():
            block[:] = [nodes.Text(text)]
            block.rawsource = text


def first_lines(code: str) -> str:
    """The code with the first line of each docstring; unchanged if it is a fragment."""
    try:
        tree = ast.parse(dedent(code))
    except SyntaxError:
        return code
    lines = code.splitlines()
    dropped = set()
    for node in ast.walk(tree):
        if not isinstance(node, ast.FunctionDef | ast.ClassDef):
            continue
        if not ast.get_docstring(node):
            continue
        doc = node.body[0]
        if doc.end_lineno > doc.lineno:
            lines[doc.lineno - 1] += '"""'
            dropped.update(range(doc.lineno, doc.end_lineno))
    return "\n".join(line for at, line in enumerate(lines) if at not in dropped)


def setup(app: Sphinx) -> dict:
    app.connect("doctree-read", fold_imports)
    app.connect("doctree-read", shorten)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
