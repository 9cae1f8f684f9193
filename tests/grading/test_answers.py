"""Only the text of the student's own cells comes from a submission."""

import json
from copy import deepcopy

import nbformat
import pytest
import trial
from sets import NAMES, source

from grading import answers, cells, notebooks
from grading.release import released


def filled(notebook: dict):
    return answers.fill(trial.RELEASED, notebooks.parse(json.dumps(notebook).encode()))


def texts(notebook) -> dict[str, str]:
    return {
        cells.grade_id(cell): cell.source
        for cell in notebook.cells
        if cells.is_answer(cell)
    }


def without_answers(notebook):
    """Everything that must not change."""
    rest = deepcopy(notebook)
    rest.cells = [cell for cell in rest.cells if not cells.part_of(cell)]
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
    assert notes == ["1 cell of code outside of the answers, run before the next one"]
    assert ran(notebook)[1:3] == ["forged", trial.HONEST["twice-answer"]], "the imports"
    nbformat.validate(notebook)


def ran(notebook) -> list[str]:
    """The code in the order in which it runs."""
    return [cell.source for cell in cells.code(notebook)]


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
    twice = trial.HONEST["twice-answer"]
    assert ran(notebook)[1:4] == ["extra", twice, "second"]
    assert notes == [
        "twice-answer is in 3 cells, which are run in order",
        "essay is missing; the released text is graded",
    ]


def test_many_cells_of_one_name_get_one_note():
    handed_in = trial.handed_in(trial.HONEST)
    cells = handed_in["cells"]
    first = next(c for c in cells if c["source"] == trial.HONEST["twice-answer"])
    cells += [dict(first, source=f"x = {i}") for i in range(470)]
    notebook, notes = filled(handed_in)
    assert texts(notebook) == trial.HONEST
    assert notes == ["twice-answer is in 471 cells, which are run in order"]
    assert len({cell.id for cell in notebook.cells}) == len(notebook.cells)


@pytest.mark.parametrize(
    ("kind", "name", "source", "runs"),
    [
        ("code", None, "from itertools import combinations", True),
        ("code", "imports", "import numpy as np\nimport math", True),
        ("code", "imports", "import numpy as np\n", False),
        ("code", None, "import numpy as np", False),  # the given one without its name
        ("code", None, " \n", False),
        ("code", "twice", "print(twice(3))", False),  # tried out in the visible checks
        ("markdown", None, "A remark.", False),
    ],
)
def test_code_outside_of_the_answers_runs_where_it_stands(kind, name, source, runs):
    handed_in = trial.handed_in(trial.HONEST)
    about = {"nbgrader": {"grade_id": name}} if name else {}
    cell = {"cell_type": kind, "metadata": about, "source": source}
    handed_in["cells"].insert(2, cell)
    notebook, notes = filled(handed_in)
    added = [source] if runs else []
    assert ran(notebook)[1:-5] == [*added, trial.HONEST["twice-answer"]]
    assert texts(notebook) == trial.HONEST and bool(notes) == runs


STUB = next(
    cell.source
    for cell in trial.RELEASED.cells
    if cells.grade_id(cell) == "twice-answer"
)
ANSWER = "def twice(number):\n    return plus(number, number)"
HELPER = "def plus(a, b):\n    return a + b"
OLD = "def twice(number):\n    return 0"


PIECES = [
    # JupyterLab gives both halves the cell's name, others only the first.
    ([("a", HELPER), ("a", ANSWER)], [HELPER, ANSWER]),
    ([("a", HELPER), (None, ANSWER)], [HELPER, ANSWER]),
    ([(None, HELPER), ("a", ANSWER)], [HELPER, ANSWER]),
    # The released text kept, and the answer in a copy above or below.
    ([("a", STUB), ("a", ANSWER)], [ANSWER]),
    ([("a", STUB), (None, HELPER + "\n" + ANSWER)], [HELPER + "\n" + ANSWER]),
    ([(None, ANSWER), ("a", STUB + "\n")], [ANSWER]),
    ([("a", OLD), ("a", ANSWER)], [OLD, ANSWER]),
    ([("a", ""), (None, ANSWER)], [ANSWER]),
    # Retyped: the cell deleted and made anew, or its name lost with all others.
    ([(None, ANSWER)], [ANSWER]),
    ([("a", "")], [""]),
]  # fmt: skip


@pytest.mark.parametrize(
    ("pieces", "run", "names"),
    [(*case, "kept") for case in PIECES] + [(*case, "lost") for case in PIECES[:-1]],
)
def test_an_answer_is_all_that_ran_for_it(pieces, run, names):
    handed_in = trial.handed_in(trial.HONEST)
    at = [c["source"] for c in handed_in["cells"]].index(trial.HONEST["twice-answer"])
    old = handed_in["cells"].pop(at)
    for name, text in reversed(pieces):
        cell = dict(old, source=text) if name else dict(old, source=text, metadata={})
        handed_in["cells"].insert(at, cell)
    if names == "lost":
        for cell in handed_in["cells"]:
            cell["metadata"] = {}
    notebook, notes = filled(handed_in)
    assert ran(notebook)[1 : 1 + len(run)] == run
    assert len(ran(notebook)) == 6 + len(run)
    assert ("is in" in " ".join(notes)) == (len(run) > 1)
    assert cells.answers(notebook)["twice"] == run
    assert {**texts(notebook), "twice-answer": ""} == {
        **trial.HONEST,
        "twice-answer": "",
    }


def test_the_released_text_stays_where_nothing_takes_its_place():
    stub = answers.Piece("def f(x):\n    raise NotImplementedError", named=True)
    for text, stays in (("import math", True), ("g = 1\ndef f(x): return x", False)):
        own = [answers.Piece(text), stub]
        assert (stub in answers._without_stub(own, stub.text)) == stays


def test_an_answer_in_words_is_all_its_cells():
    handed_in = trial.handed_in({**trial.HONEST, "essay": "*Your answer here.*"})
    for text in ("First.", "Second."):
        cell = {"cell_type": "markdown", "metadata": {}, "source": text}
        handed_in["cells"].append(cell)
    notebook, notes = filled(handed_in)
    assert texts(notebook)["essay"] == "First.\n\nSecond."
    assert notes == ["essay is in 2 cells, which are joined"]


@pytest.mark.parametrize(
    ("text", "noted"),
    [
        ("![IMG_2041.jpg](attachment:IMG_2041.jpg)", True),
        ('See <img src="proof.png">.', True),
        ("Since $n! > 2^n$, see [1](https://x.org): done! [sic]", False),
    ],
)
def test_whoever_marks_is_told_of_a_picture(text, noted):
    handed_in = trial.handed_in({**trial.HONEST, "essay": text})
    _, notes = filled(handed_in)
    assert notes == ["essay has a picture, which only the file shows"] * noted


def test_code_below_the_last_answer_is_not_run_and_told():
    handed_in = trial.handed_in(trial.HONEST)
    handed_in["cells"].append({"cell_type": "code", "source": "x", "metadata": {}})
    assert filled(handed_in)[1] == ["1 cell of code below the last answer, not run"]


@pytest.mark.parametrize("here", NAMES)
def test_no_set_of_the_book_is_taken_for_another(here):
    """Though their cells share some names, such as proof."""
    mine = released(source(here))
    others = {
        name: cells.signs(source(name)) for name in set(NAMES) - {here}
    }  # fmt: skip
    assert answers.fill(mine, parsed(mine), others)
    for other in others:
        notebook = released(source(other))
        for _ in range(2):
            with pytest.raises(answers.Unusable, match=f"another problem set, {other}"):
                answers.fill(mine, parsed(notebook), others)
            for cell in notebook.cells:
                cell.metadata.clear()  # known by their texts


def test_a_notebook_with_few_of_the_answers_is_not_the_right_one():
    handed_in = trial.handed_in(trial.HONEST)
    for lost, usable in (("twice", True), ("guess", True), ("weights", False)):
        handed_in["cells"] = [
            cell
            for cell in handed_in["cells"]
            if cell["metadata"]["nbgrader"]["grade_id"] != f"{lost}-answer"
        ]
        if usable:
            assert f"{lost}-answer is missing" in "\n".join(filled(handed_in)[1])
    with pytest.raises(answers.Unusable, match="has 1 of the 4 cells for answers"):
        filled(handed_in)


def parsed(notebook):
    return notebooks.parse(nbformat.writes(notebook).encode())


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
