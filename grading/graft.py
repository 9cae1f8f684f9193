"""From a submission only the student's own text is taken, into the released notebook.

Tags, ids, points, outputs, attachments, kernel, cells added, moved or deleted in
what was handed in do not matter: the result is the released notebook with
other text in the cells that are the student's.
"""

import re
from collections import Counter
from collections.abc import Mapping, Set
from copy import deepcopy
from types import MappingProxyType

from nbformat import NotebookNode

from grading.marking import Cell

CELLS = 500  # in a submission
TEXT = 20_000  # characters of a cell; parsing Markdown is quadratic

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


def grade_id(cell: NotebookNode) -> str | None:
    """The name by which a cell is known to the gradebook."""
    return cell.metadata.get("nbgrader", {}).get("grade_id")


def is_answer(cell: NotebookNode) -> bool:
    """Whether a cell is the student's to write."""
    return bool(cell.metadata.get("nbgrader", {}).get("solution"))


def is_question(cell: NotebookNode) -> bool:
    """Whether a cell has the visible checks of a question, and its points."""
    about = cell.metadata.get("nbgrader", {})
    return bool(about.get("grade")) and not about.get("solution")


def graft(
    released: NotebookNode,
    submitted: NotebookNode,
    others: Mapping[str, Set[str]] = MappingProxyType({}),
) -> tuple[NotebookNode, list]:
    """The released notebook with the student's text.

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
    mine = {grade_id(cell) for cell in released.cells if is_answer(cell)}
    answers: dict[str, str] = {}
    times: Counter[str] = Counter()
    for cell in cells:
        name = cell["grade_id"]
        if name in mine:
            answers.setdefault(name, cell["source"])
            times[name] += 1
    notes = [
        f"{name} occurs {'twice' if n == 2 else f'{n} times'}; the first is graded"
        for name, n in times.items()
        if n > 1
    ]
    names = {cell["grade_id"] for cell in cells} - {None}
    here = {grade_id(cell) for cell in released.cells}
    likely = max(others, key=lambda other: len(names & others[other]), default=None)
    if likely and len(names & others[likely]) > len(names & here):
        raise Unusable(f"has the cells of another problem set, {likely}")
    if 2 * len(answers) < len(mine):
        raise Unusable(
            f"has {len(answers)} of the {len(mine)} cells for answers: is it the right "
            "notebook?"
        )
    grafted = deepcopy(released)
    for cell in filter(is_answer, grafted.cells):
        name = grade_id(cell)
        if name not in answers:
            notes.append(f"{name} is missing; the released text is graded")
            continue
        text = answers[name]
        if len(text) > TEXT:
            notes.append(
                f"{name} has {len(text):,} characters; the first {TEXT:,} are graded"
            )
            text = text[:TEXT]
        # Lone surrogates can be in JSON but in no file.
        text = text.encode("utf-8", "replace").decode().replace("\0", "")
        cell.source = harmless(text) if cell.cell_type == "markdown" else text
    return grafted, [*notes, *_unread(released, cells)]


def _unread(released: NotebookNode, cells: list[NotebookNode]) -> list[str]:
    """A note on code of the student's own that stands outside of the answers."""
    given = {"", *(cell.source.strip() for cell in released.cells)}
    # In the cells of visible checks people print and try things out; that is no answer.
    passed = {
        grade_id(cell)
        for cell in released.cells
        if is_answer(cell) or is_question(cell)
    }
    unread = sum(
        cell["code"]
        and cell["grade_id"] not in passed
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


def answers(notebook: NotebookNode) -> dict[str, list[str]]:
    """The texts of each question's answers: those above what is graded, or in it."""
    found: dict[str, list[str]] = {}
    above: list[str] = []
    for cell in notebook.cells:
        if is_answer(cell):
            above.append(cell.source)
        if cell.metadata.get("nbgrader", {}).get("grade"):
            found[grade_id(cell)], above = above, []
    return found


def harmless(markdown: str) -> str:
    """A written answer that can run nothing in the page where it is marked."""
    for pattern, instead in ACTIVE:
        markdown = pattern.sub(instead, markdown)
    return markdown


def code(notebook: NotebookNode) -> list[Cell]:
    """The code cells to run, and after which of them a question's checks follow."""
    return [
        Cell(number, cell.source, grade_id(cell) if is_question(cell) else None)
        for number, cell in enumerate(notebook.cells)
        if cell.cell_type == "code"
    ]
