"""From a submission to the notebook that is graded.

Only the text of the student's own cells is taken, and put into the released notebook.
Tags, ids, points, outputs, attachments, the kernel, and cells that were added, moved
or deleted in the submission have no effect.
"""

import re
from collections import Counter
from collections.abc import Mapping, Set
from copy import deepcopy
from textwrap import indent
from types import MappingProxyType

from nbformat import NotebookNode

from grading.cells import grade_id, has_checks, is_answer
from grading.feedback import can_be_rendered

CELLS = 500  # in a submission
ANSWER_LENGTH = 20_000  # characters; the time to parse Markdown grows with the square

# What Markdown or a browser could take for a tag, an entity, a picture or a script.
# Each is cut in two by a blank, which formulas do not mind.
ACTIVE = [
    # A browser takes tabs and the like out of an address before it reads it.
    (re.compile(r"[^\S\n]|[\x00-\x08\x0e-\x1f\x7f-\x9f]"), " "),
    (re.compile(r"<(?=[a-zA-Z/!?])"), "< "),
    (re.compile(r"&(?=#?\w+;)"), "& "),
    (re.compile(r"!(?=\[)"), "! "),
    (re.compile(r"(?i)\b(javascript|vbscript|data)(?=\\?:)"), r"\1 "),
    # And of TeX, what MathJax turns into links and styles.
    (
        re.compile(
            r"\\(?=(href|url|require|style|class|cssId|data|unicode|mmlToken|bbox"
            r"|enclose|html[A-Z]\w*)(?![a-zA-Z]))"
        ),
        r"\\ ",
    ),
]


class Unusable(ValueError):
    """A submission that cannot be graded; its text says why."""


def fill(
    released: NotebookNode,
    submitted: NotebookNode,
    others: Mapping[str, Set[str]] = MappingProxyType({}),
) -> tuple[NotebookNode, list[str]]:
    """The released notebook with the student's answers.

    Parameters
    ----------
    released : NotebookNode
    submitted : NotebookNode
        As `intake.parse` gives it: of each cell its kind, its name and its text.
    others : mapping
        The course's other problem sets, and the names of their cells.

    Returns
    -------
    (NotebookNode, list of str)
        And what was odd about the submission, in words that its student may read.

    Raises
    ------
    Unusable
        If it has too many cells, not half of the answers' cells, or more of another
        set's cells than of this one's: the sets of a course share some names.
    """
    cells = submitted.cells
    if len(cells) > CELLS:
        raise Unusable(f"has {len(cells)} cells; at most {CELLS} are read")
    _must_not_be_another_set(released, cells, others)
    wanted = {grade_id(cell) for cell in filter(is_answer, released.cells)}
    found = [cell for cell in cells if cell["grade_id"] in wanted]
    texts = {cell["grade_id"]: cell["source"] for cell in reversed(found)}
    if 2 * len(texts) < len(wanted):
        raise Unusable(
            f"has {len(texts)} of the {len(wanted)} cells for answers: is it the right "
            "notebook?"
        )
    notes = [
        f"{name} occurs {'twice' if n == 2 else f'{n} times'}; the first is graded"
        for name, n in Counter(cell["grade_id"] for cell in found).items()
        if n > 1
    ]
    filled = deepcopy(released)
    for cell in filter(is_answer, filled.cells):
        name = grade_id(cell)
        if name not in texts:
            notes.append(f"{name} is missing; the released text is graded")
            continue
        if (length := len(texts[name])) > ANSWER_LENGTH:
            notes.append(
                f"{name} has {length:,} characters; the first {ANSWER_LENGTH:,} are "
                "graded"
            )
        # Lone surrogates can be in JSON but in no file.
        text = texts[name][:ANSWER_LENGTH].encode("utf-8", "replace").decode()
        text = text.replace("\0", "")
        cell.source = harmless(text) if cell.cell_type == "markdown" else text
    return filled, [*notes, *_unread(released, cells)]


def _must_not_be_another_set(
    released: NotebookNode, cells: list[NotebookNode], others: Mapping[str, Set[str]]
) -> None:
    names = {cell["grade_id"] for cell in cells} - {None}
    shared = {other: len(names & theirs) for other, theirs in others.items()}
    likely = max(shared, key=shared.get, default=None)
    if likely and shared[likely] > len(names & set(map(grade_id, released.cells))):
        raise Unusable(f"has the cells of another problem set, {likely}")


def _unread(released: NotebookNode, cells: list[NotebookNode]) -> list[str]:
    """A note on code of the student's own that stands outside of the answers."""
    given = {"", *(cell.source.strip() for cell in released.cells)}
    # In the cells of visible checks people print and try things out; that is no answer.
    ignored = {
        grade_id(cell) for cell in released.cells if is_answer(cell) or has_checks(cell)
    }
    unread = sum(
        cell["code"]
        and cell["grade_id"] not in ignored
        and cell["source"].strip() not in given
        for cell in cells
    )
    if not unread:
        return []
    cell, was = ("cells", "were") if unread > 1 else ("cell", "was")
    return [
        f"{unread} {cell} of code outside of the answers {was} added or changed, and "
        f"{was} not read: a name defined there is missing"
    ]


def harmless(markdown: str) -> str:
    """A written answer that can run nothing in the page where it is marked."""
    for pattern, instead in ACTIVE:
        markdown = pattern.sub(instead, markdown)
    # As a block of code, which every renderer gets through.
    return markdown if can_be_rendered(markdown) else indent(markdown, "    ")
