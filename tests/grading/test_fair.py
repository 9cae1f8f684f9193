"""Right answers get their points; typical wrong ones lose what they should."""

import pytest
from sets import NAMES, Bench, answers, checks, questions, source

from olutil.grading import grading, graft
from olutil.grading.release import released

ALL = [(name, question) for name in NAMES for question in questions(name)]
NOISY = """
import sys, warnings
print("a student's own print")
print("and one to stderr", file=sys.stderr)
warnings.warn("a warning of a student's code")
"""


@pytest.fixture(scope="module", params=ALL, ids=lambda p: f"{p[0]}-{p[1]}")
def question(request):
    name, key = request.param
    bench = Bench(name, questions(name)[key])
    yield name, questions(name)[key], bench
    bench.close()


def earned(outcomes) -> float:
    return sum(outcome.earned for outcome in outcomes)


def stumbles(outcomes) -> bool:
    """Whether a check failed itself, on an answer of a kind it did not foresee."""
    return any(outcome.fault for outcome in outcomes)


def said(outcomes) -> str:
    return "\n".join(f"{o.title}: {o.said} {o.fault}" for o in outcomes)


def whole(bench) -> float:
    return sum(check.points for check in bench.checks)


def test_reference_answer_gets_full_marks(question):
    _, asked, bench = question
    outcomes = bench.outcomes(asked.answer)
    assert earned(outcomes) == whole(bench), said(outcomes)


def test_three_other_right_answers_get_full_marks(question):
    name, asked, bench = question
    right = answers(name).RIGHT[asked.name]
    assert len(right) >= 3
    for number, answer in enumerate(right):
        outcomes = bench.outcomes(answer, seed=number)
        assert earned(outcomes) == whole(bench), f"answer {number}\n{said(outcomes)}"


def test_printing_and_warning_cost_nothing(question):
    _, asked, bench = question
    outcomes = bench.outcomes(NOISY + asked.answer + NOISY)
    assert earned(outcomes) == whole(bench), said(outcomes)


def test_wrong_answers_lose_their_points_and_are_told_why(question):
    name, asked, bench = question
    wrong = answers(name).WRONG[asked.name]
    assert len(wrong) >= 6
    for number, (answer, points, told) in enumerate(wrong):
        outcomes = bench.outcomes(answer, seed=number)
        assert not stumbles(outcomes), f"answer {number}\n{said(outcomes)}"
        assert earned(outcomes) == points, f"answer {number}\n{said(outcomes)}"
        assert points < whole(bench)
        assert told in said(outcomes), f"answer {number}\n{said(outcomes)}"


def test_nothing_is_worth_nothing(question):
    """The stub, an empty cell, a constant, the visible checks' answers typed in."""
    name, asked, bench = question
    nothing = answers(name).NOTHING[asked.name]
    assert len(nothing) >= 2, "a constant and the visible checks' answers"
    for answer in ["", asked.stub, *nothing]:
        outcomes = bench.outcomes(answer)
        assert not stumbles(outcomes), f"{answer}\n{said(outcomes)}"
        assert earned(outcomes) == 0, f"{answer}\n{said(outcomes)}"


@pytest.mark.parametrize("name", NAMES)
def test_points_of_cells_and_checks_agree(name):
    points = grading.check_points(source(name), checks(name))
    assert 6 <= len(points) <= 8
    marked = [
        cell
        for cell in source(name).cells
        if graft.is_answer(cell) and cell.metadata.nbgrader.get("grade")
    ]
    assert len(marked) == 1, "one proof is marked by hand"


@pytest.mark.parametrize("name", NAMES)
def test_released_notebook_is_the_source_minus_the_blanks(name):
    """Every line that a student is given stands in the source, in that order."""
    cells = zip(source(name).cells, released(source(name).copy()).cells, strict=True)
    for cell, cut in cells:
        if not graft.is_answer(cell):
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
