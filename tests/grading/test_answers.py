"""Only the text of the student's own cells comes from a submission."""

import json
from copy import deepcopy

import nbformat
import pytest
import trial
from sets import NAMES, source

from grading import answers, cells, intake
from grading.release import released


def filled(notebook: dict):
    return answers.fill(trial.RELEASED, intake.parse(json.dumps(notebook).encode()))


def texts(notebook) -> dict[str, str]:
    return {
        cells.grade_id(cell): cell.source
        for cell in notebook.cells
        if cells.is_answer(cell)
    }


def without_answers(notebook):
    """Everything that must not change."""
    rest = deepcopy(notebook)
    for cell in rest.cells:
        if cells.is_answer(cell):
            cell.source = ""
    return rest


def test_answers_are_taken_and_nothing_else():
    handed_in = trial.handed_in(trial.HONEST)
    for cell in handed_in["cells"]:
        cell["metadata"]["tags"] = ["skip-execution"]
        cell["metadata"]["nbgrader"].update(points=99, locked=False)
        cell["id"] = "other"
        if not cell["metadata"]["nbgrader"]["solution"]:
            cell["source"] = "forged"
    handed_in["metadata"] = {"kernelspec": {"name": "bash"}}
    notebook, notes = filled(handed_in)
    assert texts(notebook) == trial.HONEST
    assert without_answers(notebook) == without_answers(trial.RELEASED)
    assert len(notes) == 1 and "1 cell of code outside" in notes[0], "the imports"
    nbformat.validate(notebook)


def test_the_released_notebook_is_not_changed():
    before = deepcopy(trial.RELEASED)
    filled(trial.handed_in(trial.HONEST))
    assert trial.RELEASED == before


def test_moved_missing_double_and_added_cells():
    handed_in = trial.handed_in(trial.HONEST)
    cells = [cell for cell in reversed(handed_in["cells"])]
    cells = [c for c in cells if c["metadata"]["nbgrader"]["grade_id"] != "essay"]
    cells.append(dict(cells[0], source="second"))
    first = next(c for c in cells if c["source"] == trial.HONEST["twice-answer"])
    cells.append(dict(first, source="second"))
    cells.insert(0, {"cell_type": "code", "metadata": {}, "source": "extra"})
    notebook, notes = filled({"cells": cells})
    assert texts(notebook) == {**trial.HONEST, "essay": "*Your answer here.*"}
    assert notes == [
        "twice-answer occurs twice; the first is graded",
        "essay is missing; the released text is graded",
        "1 cell of code outside of the answers was added or changed, and was not read: "
        "a name defined there is missing",
    ]


def test_many_cells_of_one_name_get_one_note():
    handed_in = trial.handed_in(trial.HONEST)
    cells = handed_in["cells"]
    first = next(c for c in cells if c["source"] == trial.HONEST["twice-answer"])
    cells += [dict(first, source=f"x = {i}") for i in range(470)]
    notebook, notes = filled(handed_in)
    assert texts(notebook) == trial.HONEST
    assert notes == ["twice-answer occurs 471 times; the first is graded"]


@pytest.mark.parametrize(
    ("kind", "name", "source", "read"),
    [
        ("code", None, "from itertools import combinations", False),
        ("code", "imports", "import numpy as np\nimport math", False),
        ("code", "imports", "import numpy as np\n", True),
        ("code", None, "import numpy as np", True),  # the given one without its name
        ("code", None, " \n", True),
        ("code", "twice", "print(twice(3))", True),  # tried out in the visible checks
        ("markdown", None, "A remark.", True),
    ],
)
def test_code_outside_of_the_answers_gets_a_note(kind, name, source, read):
    handed_in = trial.handed_in(trial.HONEST)
    about = {"nbgrader": {"grade_id": name}} if name else {}
    cell = {"cell_type": kind, "metadata": about, "source": source}
    handed_in["cells"].insert(2, cell)
    assert (filled(handed_in)[1] == []) == read


@pytest.mark.parametrize("here", NAMES)
def test_no_set_of_the_book_is_taken_for_another(here):
    """Though their cells share some names, such as proof."""
    mine = released(source(here))
    others = {
        name: {cells.grade_id(cell) for cell in source(name).cells} - {None}
        for name in set(NAMES) - {here}
    }
    assert answers.fill(mine, parsed(mine), others)
    for other in others:
        with pytest.raises(answers.Unusable, match=f"another problem set, {other}"):
            answers.fill(mine, parsed(released(source(other))), others)


def test_a_notebook_with_few_of_the_answers_is_not_the_right_one():
    handed_in = trial.handed_in(trial.HONEST)
    for lost, usable in (("twice", True), ("guess", True), ("weights", False)):
        for cell in handed_in["cells"]:
            if cell["metadata"]["nbgrader"]["grade_id"] == f"{lost}-answer":
                cell["metadata"]["nbgrader"]["grade_id"] = "other"
        if usable:
            assert f"{lost}-answer is missing" in "\n".join(filled(handed_in)[1])
    with pytest.raises(answers.Unusable, match="has 1 of the 4 cells for answers"):
        filled(handed_in)


def parsed(notebook):
    return intake.parse(nbformat.writes(notebook).encode())


def test_the_answers_of_each_question():
    found = cells.answers(trial.RELEASED)
    assert list(found) == [*trial.POINTS, "essay"]
    assert found["essay"] == ["*Your answer here.*"]
    assert all("NotImplementedError" in text for [text] in list(found.values())[:3])


def test_long_texts_are_cut_and_odd_characters_replaced():
    odd = "a\ud800b\0c"
    notebook, notes = filled(
        trial.handed_in({"twice-answer": "x" * 20_001, "guess-answer": odd})
    )
    assert len(texts(notebook)["twice-answer"]) == answers.ANSWER_LENGTH
    assert texts(notebook)["guess-answer"] == "a?bc"
    assert notes == ["twice-answer has 20,001 characters; the first 20,000 are graded"]


@pytest.mark.parametrize(
    "notebook", [{"cells": []}, {"cells": [{"source": "x"}]}, {"cells": [{}] * 3}]
)
def test_another_notebook_is_unusable(notebook):
    with pytest.raises(answers.Unusable, match="right notebook"):
        filled(notebook)


def test_code_and_where_the_checks_follow():
    found = cells.code(trial.RELEASED)
    assert [cell.question for cell in found if cell.question] == list(trial.POINTS)
    assert [cell.number for cell in found] == [1, 2, 3, 4, 5, 6, 7]
    assert found[2].source == trial.VISIBLE["twice"]


@pytest.mark.parametrize(
    "text",
    [
        "Since $a < b$ and $b<c$, we have $a \\le c$.", "**bold** & *italic* `code`",
        "- a\n- b\n\n1. c", "$$\\sum_{t=1}^T \\mathbb{1}[y \\ne \\hat y]$$",
        "A [link](https://example.org/a?b=c&d=e) and data: three rows",
        "    indented\n\n> quoted!", "$x\\data_set$ \\classes \\urls", "Über $\\Delta$",
    ],
)  # fmt: skip
def test_honest_prose_reads_the_same(text):
    """Only a blank here and there, which no reader of the page sees."""
    cleaned = answers.harmless(text)
    assert cleaned.replace(" ", "") == text.replace(" ", "")
    assert answers.harmless(cleaned) == cleaned


def test_formulas_without_active_parts_are_untouched():
    text = "$\\frac{1}{2} \\le \\log_2 N$ and $i<n$: $\\hat y_t \\in \\{0, 1\\}$"
    assert answers.harmless(text).replace("i< n", "i<n") == text
