"""Entries of the index: statements, algorithms and authors.

Sphinx enters the terms of the glossary and the objects of the API by itself.
"""

import re

from docutils import nodes
from pybtex.database import Entry, Person
from pybtex.richtext import Text
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment

# Left out: a title's article; the number that a lecture gave an algorithm; and after
# the algorithm's name its setting.
ARTICLE = re.compile(r"^(A|An|The) ")
NUMBER = re.compile(r"^\d+: ")
DETAIL = re.compile(r", (the|for) .*")


def entry(text: str, target: str) -> tuple[str, str, str, str, None]:
    """One entry as Sphinx keeps it: kind, text, target, emphasis, letter."""
    return ("single", text, target, "", None)


def enter_statements(app: Sphinx, doctree: nodes.document) -> None:
    """Enter what the page states in boxes, by title, and its algorithms."""
    from olutil.theorems import STATEMENTS

    boxed = {f"prf-{id}": statement.title for id, statement in STATEMENTS.items()}
    entries = []
    for node in doctree.findall(nodes.Element):
        if isinstance(node, nodes.target):
            continue
        for id in boxed.keys() & node.get("ids", ()):
            # A semicolon would begin a subentry.
            title = ARTICLE.sub("", boxed[id]).replace("; ", ", ")
            entries.append(entry(title, id))
        if node.get("realtype") == "algorithm":
            name = algorithm(node["title"])
            entries.append(entry(f"algorithms; {name}", node["ids"][0]))
    index = app.env.get_domain("index").entries
    index.setdefault(app.env.docname, []).extend(entries)


def algorithm(title: str) -> str:
    """An algorithm's name out of its box's title: " (1: Halving)"."""
    return DETAIL.sub("", NUMBER.sub("", title.strip(" ()")))


def enter_authors(app: Sphinx, env: BuildEnvironment) -> None:
    """Enter the authors of the references, with their works."""
    works = env.get_domain("cite").citations
    index = env.get_domain("index").entries
    pages = {work.bibliography_key.docname for work in works}
    for page in pages:
        # Each build comes here, even if it has read other pages only.
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
    """A title and year, without a semicolon, which would begin another subentry."""
    text = plain(work.fields["title"]).replace(";", ",")
    return f"{text} ({work.fields['year']})"


def plain(latex: str) -> str:
    return str(Text.from_latex(latex))


def setup(app: Sphinx) -> dict:
    app.connect("doctree-read", enter_statements, priority=600)
    # After the bibliography has said which works it lists.
    app.connect("env-updated", enter_authors, priority=900)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
