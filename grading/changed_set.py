"""A problem set that changes after submissions to it were graded.

nbgrader itself refuses to change the cells of a set that has submissions.
"""

from nbformat import NotebookNode
from nbgrader.api import (
    Comment,
    Grade,
    Gradebook,
    GradeCell,
    MissingEntry,
    Notebook,
    SolutionCell,
    SourceCell,
)
from nbgrader.utils import is_grade, is_locked, is_solution

from grading.cells import grade_id

# The kinds of entries that a set has for its cells, and whether a cell has one.
KINDS = {
    GradeCell: is_grade,
    SolutionCell: is_solution,
    SourceCell: lambda cell: is_solution(cell) or is_locked(cell),
}
# What each submission has for an entry of a kind.
OF_A_SUBMISSION = {GradeCell: Grade, SolutionCell: Comment}


def follow(gradebook: Gradebook, name: str, source: NotebookNode) -> None:
    """Take questions into a graded set, or out of it, as its source has them now.

    Raises
    ------
    ValueError
        If a question is gone that was marked by hand.
    """
    try:
        book = gradebook.find_notebook(name, name)
    except MissingEntry:
        return
    if not book.submissions:
        return
    cells = {grade_id(c): c for c in source.cells if "nbgrader" in c.metadata}
    entered = {
        GradeCell: list(book.grade_cells),
        SolutionCell: list(book.solution_cells),
        SourceCell: list(book.source_cells),
    }
    for kind, has_one in KINDS.items():
        wanted = {cell_name for cell_name, cell in cells.items() if has_one(cell)}
        gone = [entry for entry in entered[kind] if entry.name not in wanted]
        _remove(gradebook, name, gone)
        for new in sorted(wanted - {entry.name for entry in entered[kind]}):
            _add(gradebook, book, kind, new, cells[new])
    gradebook.db.commit()


def _remove(gradebook: Gradebook, name: str, gone: list) -> None:
    marks = [
        mark
        for entry in gone
        if not isinstance(entry, SourceCell)
        for mark in [*(entry.grades or []), *(entry.comments or [])]
    ]
    by_hand = {mark.name for mark in marks if _by_hand(mark)}
    if by_hand:
        raise ValueError(
            f"{name}: marked by hand, but no longer in the set's source: "
            f"{', '.join(sorted(by_hand))}. Put it back, or grade into another --out."
        )
    for row in [*marks, *gone]:
        gradebook.db.delete(row)


def _by_hand(mark: Grade | Comment) -> bool:
    if isinstance(mark, Comment):
        return bool(mark.manual_comment)
    return mark.manual_score is not None or bool(mark.extra_credit)


def _add(
    gradebook: Gradebook, book: Notebook, kind: type, name: str,
    cell: NotebookNode,
) -> None:  # fmt: skip
    entry = kind(name=name, notebook=book)
    if kind is not SolutionCell:
        entry.cell_type = cell.cell_type
    if kind is GradeCell:
        entry.max_score = cell.metadata.nbgrader.points
    gradebook.db.add(entry)
    if kind in OF_A_SUBMISSION:
        for submitted in book.submissions:
            gradebook.db.add(OF_A_SUBMISSION[kind](cell=entry, notebook=submitted))
