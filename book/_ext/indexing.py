"""Entries of the index: statements, algorithms and authors.

Sphinx enters the terms of the glossary and the objects of the API by itself.
"""

import re

from docutils import nodes
from proofs import FRAMED, boxes
from pybtex.database import Entry, Person
from pybtex.richtext import Text
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment

ARTICLE = re.compile(r"^(A|An|The) ")  # by which nobody looks for anything
DETAIL = re.compile(r", (the|for) .*")  # its place in the lecture, its setting


def entry(text: str, target: str) -> tuple[str, str, str, str, None]:
    """One entry as Sphinx keeps it: kind, text, target, emphasis, letter."""
    return ("single", text, target, "", None)


def enter_statements(app: Sphinx, doctree: nodes.document) -> None:
    """Enter what the page states in framed boxes, by title, and its algorithms."""
    entries = []
    framed = [box for box in boxes(doctree) if box["kind"] in FRAMED]
    for box in framed:
        # A semicolon would part the entry.
        title = ARTICLE.sub("", box["title"]).replace("; ", ", ")
        entries.append(entry(title, box["ids"][0]))
        if box["kind"] == "algorithm":
            name = DETAIL.sub("", title)
            entries.append(entry(f"algorithms; {name}", box["ids"][0]))
    index = app.env.get_domain("index").entries
    index.setdefault(app.env.docname, []).extend(entries)


def enter_authors(app: Sphinx, env: BuildEnvironment) -> None:
    """Enter the authors of the references, with their works."""
    works = env.get_domain("cite").citations
    index = env.get_domain("index").entries
    pages = {work.bibliography_key.docname for work in works}
    for page in pages:
        # This runs after every reading, also of other pages alone.
        others = [e for e in index.get(page, []) if e[0] != "single"]
        index[page] = others + [
            entry(f"{name(person)}; {title(work.entry)}", work.citation_id)
            for work in works
            for person in work.entry.persons["author"]
        ]


def name(person: Person) -> str:
    first = person.first_names + person.middle_names
    return plain(" ".join(person.last_names) + ", " + " ".join(first))


def title(work: Entry) -> str:
    """A title and year, without the semicolon that would part an entry."""
    text = plain(work.fields["title"]).replace(";", ",")
    return f"{text} ({work.fields['year']})"


def plain(latex: str) -> str:
    return str(Text.from_latex(latex))


def setup(app: Sphinx) -> dict:
    app.connect("doctree-read", enter_statements, priority=600)
    # After the bibliography has said which works it lists.
    app.connect("env-updated", enter_authors, priority=900)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
