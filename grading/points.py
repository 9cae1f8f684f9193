"""The points of each question, and every place of a notebook that names them.

The points of a question have one home.  For a question with hidden checks it is the
checks, each of which has its ``points=``; for an answer that is marked by hand it is
the mark scheme, which gives its points in bold ("**1 point, the induction:**").  A mark
scheme without such numbers leaves the points where nbgrader keeps them, in the cell's
metadata.

All other places are written from there by ``make release``: the metadata of the
question's cell, the end of its heading ("(3 points)"), and the sentence that counts
them ("**Points:** 40, in seven questions").
"""

import re
from collections.abc import Iterable
from copy import deepcopy

from nbformat import NotebookNode

from grading.cells import about, by_question, grade_id, has_checks, is_graded
from grading.checks import Checks

SCHEME = re.compile(r"=== BEGIN MARK SCHEME ===(.*?)=== END MARK SCHEME ===", re.S)
BOLD = re.compile(r"\*\*([^*]+)\*\*")
AMOUNT = re.compile(r"\b([\d.]+)[ \u00a0]points?\b")
HEADING = re.compile(r"(?m)^(#{2,6} .*\()[\d.]+[ \u00a0]points?\)$")
COUNTED = re.compile(r"(\*\*Points:\*\* )[\d.]+, in \w+ questions?")
WORDS = "no one two three four five six seven eight nine ten eleven twelve".split()


def of(notebook: NotebookNode, checks: Checks) -> dict[str, float]:
    """The points of each question, from their homes.

    Raises
    ------
    ValueError
        If there are checks of a question that the notebook does not ask.
    """
    checked = checks.questions()
    cells = {grade_id(cell): cell for cell in filter(is_graded, notebook.cells)}
    asked = {name for name, cell in cells.items() if has_checks(cell)}
    if unknown := checked.keys() - asked:
        raise ValueError(
            f"checks of no question: {', '.join(sorted(unknown))}; the questions are "
            f"{', '.join(sorted(asked)) or 'none'}"
        )
    return {
        name: sum(check.points for check in checked[name])
        if name in checked
        else _by_scheme(cell)
        for name, cell in cells.items()
    }


def _by_scheme(cell: NotebookNode) -> float:
    bold = " ".join(BOLD.findall(" ".join(SCHEME.findall(cell.source))))
    return sum(map(float, AMOUNT.findall(bold))) or float(about(cell)["points"])


def write(notebook: NotebookNode, points: dict[str, float]) -> NotebookNode:
    """The same notebook with these points wherever it names them."""
    written = deepcopy(notebook)
    for name, cells in by_question(written).items():
        cells[-1].metadata["nbgrader"]["points"] = _plain(points[name])
        headings = [c for c in filter(_is_text, cells) if HEADING.search(c.source)]
        for cell in headings[:1]:  # what stands below it can be the question's parts
            unit = "point" if points[name] == 1 else "points"
            # No line ends at the blank between them.
            worth = f"{points[name]:g}\u00a0{unit})"
            cell.source = HEADING.sub(rf"\g<1>{worth}", cell.source, count=1)
    for cell in filter(_is_text, written.cells):
        cell.source = COUNTED.sub(
            lambda found: found[1] + _counted(points.values()), cell.source
        )
    return written


def _is_text(cell: NotebookNode) -> bool:
    return cell.cell_type == "markdown"


def _plain(points: float) -> float:
    return int(points) if points == int(points) else points


def _counted(points: Iterable[float]) -> str:
    points = list(points)
    number = WORDS[len(points)] if len(points) < len(WORDS) else str(len(points))
    return f"{sum(points):g}, in {number} question{'s' if len(points) != 1 else ''}"
