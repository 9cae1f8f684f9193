"""What each cell of a problem set is for, by nbgrader's metadata."""

from typing import Any

from nbformat import NotebookNode

from grading.marking import Cell


def about(cell: NotebookNode) -> dict[str, Any]:
    """What nbgrader's metadata say of a cell; nothing for most of the text."""
    return cell.metadata.get("nbgrader", {})


def grade_id(cell: NotebookNode) -> str | None:
    """The name by which a cell is known to the gradebook."""
    return about(cell).get("grade_id")


def is_graded(cell: NotebookNode) -> bool:
    """Whether a cell has a question's points."""
    return bool(about(cell).get("grade"))


def is_answer(cell: NotebookNode) -> bool:
    """Whether a cell is the student's to write."""
    return bool(about(cell).get("solution"))


def has_checks(cell: NotebookNode) -> bool:
    """Whether a cell holds the visible checks of a question, and its points."""
    return is_graded(cell) and not is_answer(cell)


def part_of(cell: NotebookNode) -> str | None:
    """The answer to which a cell belongs that a student has added."""
    return cell.metadata.get("grading", {}).get("part_of")


def is_students(cell: NotebookNode) -> bool:
    """Whether a student has written a cell of a notebook that is graded."""
    return is_answer(cell) or part_of(cell) is not None


def plain(text: str) -> str:
    """A cell's text without the blanks at its ends and at those of its lines."""
    return "\n".join(line.rstrip() for line in text.strip().splitlines())


def signs(notebook: NotebookNode) -> set[str]:
    """By what a set's cells are known again: their names, or else their texts."""
    names = {grade_id(cell) for cell in notebook.cells}
    return (names | {plain(cell.source) for cell in notebook.cells}) - {None, ""}


def by_question(notebook: NotebookNode) -> dict[str, list[NotebookNode]]:
    """Each question's cells, up to and with the one that is graded."""
    found: dict[str, list[NotebookNode]] = {}
    cells: list[NotebookNode] = []
    for cell in notebook.cells:
        cells.append(cell)
        if is_graded(cell):
            found[grade_id(cell)], cells = cells, []
    return found


def answers(notebook: NotebookNode) -> dict[str, list[str]]:
    """The texts of each question's answers."""
    return {
        question: [cell.source for cell in filter(is_students, cells)]
        for question, cells in by_question(notebook).items()
    }


def code(notebook: NotebookNode) -> list[Cell]:
    """The code cells to run, and after which of them a question's checks follow."""
    return [
        Cell(number, cell.source, grade_id(cell) if has_checks(cell) else None)
        for number, cell in enumerate(notebook.cells)
        if cell.cell_type == "code"
    ]
