"""Right answers get their points; typical wrong ones lose what they should."""

import ast
import re

import pytest
from sets import NAMES, Bench, answers, checks, questions, source

from grading import cells, points
from grading.release import released

ALL = [(name, question) for name in NAMES for question in questions(name)]
NOISY = """
import sys, warnings
print("a student's own print")
print("and one to stderr", file=sys.stderr)
warnings.warn("a warning of a student's code")
"""

# The answer whose text is {answer}, with another form for what its {names} return: the
# kind of a number by itself, of one among several, and of the several.
REFORMED = """
import numpy as np
from fractions import Fraction

alone, among, several = {form}

def reformed(value, kind):
    if callable(value):
        return lambda *args, **more: reformed(value(*args, **more), alone)
    if isinstance(value, dict):
        return dict(((key, reformed(v, among)) for key, v in value.items()), more=0)
    if isinstance(value, (list, tuple)) or np.ndim(value):
        return several([reformed(item, among) for item in value])
    if isinstance(value, (int, float, np.generic, np.ndarray)):
        return kind(float(value))
    return value if value is None else Reformed(value)

class Reformed:
    def __init__(self, inner):
        self.inner = inner

    def __getattr__(self, name):
        return reformed(getattr(self.inner, name), alone)

own = dict(globals())
exec({answer!r}, own)
globals().update((name, reformed(own[name], alone)) for name in {names})
"""
FORMS = [
    "float, float, tuple",
    "Fraction, Fraction, list",
    "np.atleast_1d, float, list",
]


@pytest.fixture(scope="module", params=ALL, ids=lambda p: f"{p[0]}-{p[1]}")
def question(request):
    name, key = request.param
    bench = Bench(name, questions(name)[key])
    yield name, questions(name)[key], bench
    bench.close()


def earned(outcomes) -> float:
    return sum(outcome.earned for outcome in outcomes)


def fails(outcomes) -> bool:
    """Whether a check failed itself, on an answer of a kind it did not foresee."""
    return any(outcome.fault for outcome in outcomes)


def said(outcomes) -> str:
    return "\n".join(f"{o.title}: {o.message} {o.fault}" for o in outcomes)


def whole(bench) -> float:
    return sum(check.points for check in bench.checks)


def test_reference_answer_gets_full_marks(question):
    _, asked, bench = question
    outcomes = bench.outcomes(asked.answer)
    assert earned(outcomes) == whole(bench), said(outcomes)


def test_three_other_right_answers_get_full_marks(question):
    name, asked, bench = question
    for number, answer in enumerate(answers(name, asked.name, "RIGHT", 3)):
        outcomes = bench.outcomes(answer, seed=number)
        assert earned(outcomes) == whole(bench), f"answer {number}\n{said(outcomes)}"


def failures(bench, answer, visible) -> list[str]:
    """What is said where the answer or the cell of visible checks fails."""
    bench.sandbox.ask("fork")
    shown = [*bench.run(answer), *bench.run(visible)]
    bench.sandbox.ask("close")
    return [output["failed"] for output in shown if "failed" in output]


def test_right_answers_pass_the_visible_checks(question):
    """What the hidden checks take as right, those that a student sees take, too."""
    name, asked, bench = question
    right = answers(name, asked.name, "RIGHT", 3)
    for number, answer in enumerate([asked.answer, *right]):
        failed = failures(bench, answer, asked.visible)
        assert not failed, f"answer {number}\n{failed}"


@pytest.mark.parametrize("form", FORMS)
def test_right_answers_may_have_another_form(question, form):
    _, asked, bench = question
    names = [getattr(node, "name", "") for node in ast.parse(asked.answer).body]
    names = [name for name in names if name and name in asked.visible]
    answer = REFORMED.format(answer=asked.answer, names=names, form=form)
    assert not failures(bench, answer, asked.visible)
    outcomes = bench.outcomes(answer)
    assert earned(outcomes) == whole(bench), said(outcomes)


def test_visible_checks_fail_where_nothing_is_written(question):
    _, asked, bench = question
    failed = failures(bench, asked.stub, asked.visible)
    assert "NotImplementedError" in "".join(failed)


def test_printing_and_warning_cost_nothing(question):
    _, asked, bench = question
    outcomes = bench.outcomes(NOISY + asked.answer + NOISY)
    assert earned(outcomes) == whole(bench), said(outcomes)


def test_wrong_answers_lose_their_points_and_are_told_why(question):
    name, asked, bench = question
    wrong = answers(name, asked.name, "WRONG", 6)
    for number, (answer, left, told) in enumerate(wrong):
        outcomes = bench.outcomes(answer, seed=number)
        assert not fails(outcomes), f"answer {number}\n{said(outcomes)}"
        assert earned(outcomes) == left, f"answer {number}\n{said(outcomes)}"
        assert left < whole(bench)
        assert told in said(outcomes), f"answer {number}\n{said(outcomes)}"


def test_visible_checks_find_what_objects_share(question):
    name, asked, bench = question
    for number, (answer, _, told) in enumerate(answers(name, asked.name, "WRONG", 6)):
        if "of its own" in told or "shares" in told:
            assert failures(bench, answer, asked.visible), f"answer {number}"


def test_nothing_is_worth_nothing(question):
    """The stub, an empty cell, a constant, the visible checks' answers typed in."""
    name, asked, bench = question
    # A constant, and the visible checks' answers.
    nothing = answers(name, asked.name, "NOTHING", 2)
    for answer in ["", asked.stub, *nothing]:
        outcomes = bench.outcomes(answer)
        assert not fails(outcomes), f"{answer}\n{said(outcomes)}"
        assert earned(outcomes) == 0, f"{answer}\n{said(outcomes)}"


@pytest.mark.parametrize("name", NAMES)
def test_the_cells_have_the_points_of_their_checks(name):
    found = {
        cells.grade_id(cell): cell.metadata.nbgrader.points
        for cell in filter(cells.is_graded, source(name).cells)
    }
    assert found == points.of(source(name), checks(name))
    marked = [cell for cell in source(name).cells if by_hand(cell)]
    assert len(marked) == 1, "one proof is marked by hand"


def by_hand(cell) -> bool:
    return cells.is_answer(cell) and cells.is_graded(cell)


def rules(name: str) -> str:
    """What the first cell says of time, points and rules."""
    return re.search(r"\*\*Time:.*not graded\.", source(name).cells[0].source, re.S)[0]


@pytest.mark.parametrize("name", NAMES)
def test_points_that_the_text_names_are_those_that_are_given(name):
    given = points.of(source(name), checks(name)).values()
    named = re.search(r"Points:\*\* (\d+), in (\w+) questions", rules(name)).groups()
    assert named == (f"{sum(given):g}", points.WORDS[len(given)])
    text = "\n".join(c.source for c in source(name).cells if c.cell_type == "markdown")
    # A space that does not break, so that no heading ends with "(7".
    headings = re.findall(r"^## Question (\d): .* \((\d+)\u00a0points?\)$", text, re.M)
    assert headings == [(str(i), f"{p:g}") for i, p in enumerate(given, 1)]


def test_all_sets_have_the_same_rules():
    counted = r"\d+, in \w+ questions"
    assert len({re.sub(counted, "", rules(name)) for name in NAMES}) == 1


@pytest.mark.parametrize("name", NAMES)
def test_released_notebook_is_the_source_minus_the_blanks(name):
    """Every line that a student is given stands in the source, in that order."""
    pairs = zip(source(name).cells, released(source(name)).cells, strict=True)
    for cell, cut in pairs:
        if not cells.is_answer(cell):
            assert cut.source == cell.source
            continue
        kept, inside = [], False
        for line in cell.source.splitlines():
            if "BEGIN SOLUTION" in line:
                inside = True
            elif "END SOLUTION" in line:
                inside = False
            elif not inside:
                kept.append(line)
        stubs = ('raise NotImplementedError("your code here")', "*Your answer here.*")
        given = [line for line in cut.source.splitlines() if line.strip() not in stubs]
        assert given == kept
        assert len(given) < len(cut.source.splitlines()), "nothing was cut out"
