"""Marking: what is kept of a run, and how it goes on after a process has ended."""

import base64
import json
import os
import shutil
import struct
import subprocess
import sys
import time
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
import trial
from sets import NAMES, checks

from grading import answers, cells, marking, notebooks
from grading import checks as checks_module
from grading.checks import (
    STUMBLED,
    Checks,
    Outcome,
    Wrong,
    array,
    bit,
    load,
    real,
    run,
    vector,
    whole,
)
from grading.marking import Cell, Result, checked_output
from grading.sandbox import Budget, Overdue, Sandbox, StudentError

needs_sandbox = pytest.mark.skipif(
    shutil.which("bwrap") is None and "CI" not in os.environ,
    reason="needs bubblewrap; never skipped where CI is set",
)


def png(width=10, height=10, signature=b"\x89PNG\r\n\x1a\n") -> str:
    head = signature + struct.pack(">I4sII", 13, b"IHDR", width, height) + b"x" * 20
    return base64.b64encode(head).decode()


# --- Outputs -----------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["stream", "result", "failed"])
def test_texts_are_kept_and_cut(kind):
    assert checked_output({kind: "a"}) == {kind: "a"}
    assert checked_output({kind: "a" * 10**6}) == {kind: "a" * marking.OUTPUT_LENGTH}


def test_pictures_are_kept():
    assert checked_output({"png": png()}) == {"png": png()}
    assert checked_output({"png": png(2000, 2000)}) is not None


@pytest.mark.parametrize(
    "output",
    [
        None, 3, "x", [], {}, {"stream": 3}, {"html": "<b>"}, {"text/html": "x"},
        {"stream": "x", "png": png()}, {"stream": "x", "result": "y"},
        {"png": '"><script>'}, {"png": "x" + png()}, {"png": png() + "\n"},
        {"png": png(signature=b"GIF89a..")}, {"png": png(10**5, 10**5)},
        {"png": ""}, {"png": "A" * 4}, {"png": "A" * 4 * marking.PICTURE_LENGTH},
        np.zeros(3), {"png": np.zeros(3)},
    ],
    ids=lambda output: str(output)[:20],
)  # fmt: skip
def test_nothing_else_is_kept(output):
    assert checked_output(output) is None


# --- A submission ---------------------------------------------------------------


def mark(texts: dict[str, str]) -> Result:
    notebook = notebooks.parse(json.dumps(trial.handed_in(texts)).encode())
    filled, _ = answers.fill(trial.RELEASED, notebook)
    return marking.mark(cells.code(filled), load(trial.CHECKS), 1)


@needs_sandbox
def test_an_honest_submission_has_all_points():
    result = mark(trial.HONEST)
    assert {name: result.earned(name) for name in trial.POINTS} == trial.POINTS
    assert result.notes == [] and result.seconds > 0


@needs_sandbox
def test_points_are_given_by_check():
    code = """
calls = []
def weights(losses):
    with open("/tmp/calls", "a") as file:
        file.write("x")
    if len(open("/tmp/calls").read()) > 2:
        return "no"
    good = np.exp(-losses)
    return good / good.sum()
"""
    result = mark({**trial.HONEST, "weights-answer": code})
    assert [o.earned for o in result.outcomes["weights"]] == [1, 0]


@needs_sandbox
def test_after_an_end_it_goes_on_without_that_cell():
    exits = "import os\nos._exit(1)"
    result = mark({**trial.HONEST, "guess-answer": exits})
    assert [result.earned(name) for name in trial.POINTS] == [2, 0, 2]
    assert result.notes == ["cell 5 was ended: the process ended"]
    assert result.outputs[4] == [{"failed": "This cell was ended: the process ended."}]


@needs_sandbox
def test_the_first_reason_is_that_a_cell_ended_the_process():
    code = "import os\ndef weights(losses):\n    return losses\nos._exit(1)"
    result = mark({**trial.HONEST, "weights-answer": code})
    for outcome in result.outcomes["weights"]:
        assert outcome.message == (
            "Your code raised NameError: weights is not defined, since its cell ended "
            "early: the process ended"
        )


@needs_sandbox
@pytest.mark.parametrize(
    ("error", "said"),
    [
        ("MemoryError", "MemoryError: it may hold 2 GiB"),
        ("ValueError", "ValueError"), ("ValueError('no')", "ValueError: no"),
    ],
)  # fmt: skip
def test_an_error_without_words(error, said):
    code = f"def weights(losses):\n    raise {error}"
    result = mark({**trial.HONEST, "weights-answer": code})
    for outcome in result.outcomes["weights"]:
        assert outcome.message == f"Your code raised {said}"


def mark_within(monkeypatch, limits: dict, texts: dict, honest: str) -> Result:
    """A result within limits on time, or longer ones if honest work needs them here."""
    for factor in (1, 20):
        for name, seconds in limits.items():
            monkeypatch.setattr(marking, name, factor * seconds)
        result = mark({**trial.HONEST, **texts})
        if result.earned(honest) == trial.POINTS[honest]:
            break
    return result


@needs_sandbox
def test_a_cell_that_is_too_long_is_cut_and_said_so(monkeypatch):
    loop = {"weights-answer": "while True:\n    pass"}
    result = mark_within(monkeypatch, {"CELL": 1.0}, loop, honest="guess")
    seconds = marking.CELL
    assert result.outputs[6] == [
        {"failed": f"This cell ran longer than {seconds:.0f} seconds."}
    ]
    assert result.notes == ["cell 7 was interrupted: its time was over"]
    assert result.earned("guess") == 3


@needs_sandbox
def test_a_questions_time_ends_its_checks_only(monkeypatch):
    slow = {"weights-answer": "import time\ndef weights(losses):\n    time.sleep(60)"}
    result = mark_within(
        monkeypatch, {"QUESTION": 1.0, "CELL": 1.0}, slow, honest="twice"
    )
    first, second = result.outcomes["weights"]
    assert "longer than" in first.message and "was over" in second.message
    assert result.earned("twice") == 2


@needs_sandbox
def test_the_submissions_time_ends_everything(monkeypatch):
    limits = {"SUBMISSION": 1.0, "GRACE": 0.5}
    sleep = {"guess-answer": "import time\ntime.sleep(100)"}
    result = mark_within(monkeypatch, limits, sleep, honest="twice")
    assert result.seconds < 60
    assert result.earned("twice") == 2 and result.earned("weights") == 0
    assert result.outcomes.keys() == trial.POINTS.keys()


BURN = """
import time
def weights(losses):
    began = time.process_time()
    while time.process_time() - began < 0.3:
        pass
    good = np.exp(-np.asarray(losses))
    return good / good.sum()
"""


@needs_sandbox
def test_a_busy_machine_changes_no_mark(monkeypatch):
    """An answer is not too long because others have the processor."""
    monkeypatch.setattr(checks_module, "CALL", 1.0)
    monkeypatch.setattr(marking, "QUESTION", 2.0)
    busy = [
        subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in "x" * 8
    ]
    try:
        began = time.monotonic()
        result = mark({**trial.HONEST, "weights-answer": BURN})
        took = time.monotonic() - began
    finally:
        for process in busy:
            process.kill()
            process.wait()
    assert {name: result.earned(name) for name in trial.POINTS} == trial.POINTS
    assert took > 0.6


@needs_sandbox
def test_a_process_that_waits_is_ended_by_the_clock(monkeypatch):
    monkeypatch.setattr(checks_module, "CALL", 0.2)
    monkeypatch.setattr(marking, "CELL", 1.0)
    slow = {"weights-answer": "import time\ndef weights(losses):\n    time.sleep(60)"}
    result = mark({**trial.HONEST, **slow})
    assert result.seconds < 40 and result.earned("weights") == 0
    assert result.earned("guess") == 3


@needs_sandbox
def test_what_is_used_is_counted_with_all_processes():
    with Sandbox() as box:
        code = (
            "import os, time\ndef burn():\n    began = time.process_time()\n"
            "    while time.process_time() - began < 0.5: pass\n"
            "burn()\nif not os.fork():\n    burn()\n    os._exit(0)\nos.wait()"
        )
        box.ask("run", code, 60.0, False, deadline=100)
        time.sleep(0.3)
        assert 0.9 < box.used() < 3
        budget = Budget(5.0, box.used)
        assert 0 < Budget(9.0, box.used, budget).left() <= 5
        with pytest.raises(Overdue):
            box.ask(
                "run", "import signal\nsignal.setitimer(signal.ITIMER_PROF, 0)\n"
                "while True: pass", 60.0, False, deadline=100, most=0.5,
            )  # fmt: skip


@needs_sandbox
def test_all_outputs_together_are_limited(monkeypatch):
    monkeypatch.setattr(marking, "OUTPUTS_LENGTH", 30_000)
    loud = "print('x' * 15_000)"
    result = mark({"twice-answer": loud, "guess-answer": loud, "weights-answer": loud})
    lengths = [sum(len(str(o)) for o in result.outputs[n]) for n in (2, 4, 6)]
    assert lengths[0] > 15_000 and sum(lengths) < 31_000


@needs_sandbox
def test_a_check_that_raises_an_error_is_a_note():
    own = Checks()

    @own("twice", "fails", points=1)
    def fails(student, rng):
        raise KeyError("x" * 10_000)

    result = marking.mark([Cell(0, "x = 1", "twice")], own, 1)
    assert result.earned("twice") == 0
    assert result.notes[0].startswith("check 'fails' raised KeyError: 'xxx")
    assert len(result.notes[0]) < 1000


@needs_sandbox
@pytest.mark.parametrize(
    "value", ["10**399", "np.array(1.0)", "Fraction(1, 10**399)", "[[1], [2, 3]]"]
)
def test_a_check_that_stumbles_over_an_answer_gives_nothing_and_is_told(value):
    own = Checks()

    @own("q", "halves", points=1)
    def halves(student, rng):
        number = int(rng.integers(100))
        found = [float(v) for v in student.call("half", number)]
        assert sum(found) == number / 2

    def cells(value: str) -> list[Cell]:
        head = "import numpy as np\nfrom fractions import Fraction\n"
        return [Cell(0, head + f"def half(x):\n    return {value}"), Cell(1, "", "q")]

    right, wrong = cells("[x / 2]"), cells(value)
    assert marking.mark(right, own, 1).earned("q") == 1
    result = marking.mark(wrong, own, 1, right)
    (outcome,) = result.outcomes["q"]
    assert (outcome.earned, outcome.message, outcome.fault) == (0, STUMBLED, "")
    assert result.notes[0].startswith("check 'halves': ") and not result.faults()
    # Where the model solution does not pass either, the check is at fault.
    assert marking.mark(wrong, own, 1, cells("[0, x]")).faults()


def test_a_result_survives_json():
    outcome = Outcome("a title", 2.0, 1.0, "a sentence", "a fault")
    result = Result({3: [{"stream": "x"}]}, {"q": [outcome]}, ["a note"], 1.5)
    assert Result.of(json.loads(json.dumps(result.plain()))) == result
    assert result.earned("q") == 1.0 and result.earned("other") == 0


# --- What checks say of an answer's kind -----------------------------------------


@pytest.mark.parametrize("value", [3, 3.0, Fraction(3), True + 2, np.array(3), [3]])
def test_whole_numbers(value):
    assert whole(value) == 3 and type(whole(value)) is int


@pytest.mark.parametrize("value", [1, 1.0, True, Fraction(1), np.array(1), [1]])
def test_bits(value):
    assert bit(value) == 1 and type(bit(value)) is int
    with pytest.raises(Wrong, match="Expected the outcome to be 0 or 1, got 2"):
        bit(2 * np.asarray(value, dtype=int), "the outcome")


@pytest.mark.parametrize(
    "value", [[1, 2], (1, 2), np.array([1, 2]), [1.0, Fraction(2)]]
)
def test_vectors(value):
    assert vector(value, 2).tolist() == [1.0, 2.0]


HOSTILE = [
    None, "1", "", [], {}, {"a": 1}, [[1]], [1, 2], np.zeros(0), np.zeros(7),
    np.zeros((2, 3)), float("nan"), float("inf"), -float("inf"), 1e308, -1e308, 1e-320,
    10**400, -(10**400), Fraction(10**400, 3), Fraction(1, 10**400), [10**400] * 3,
    [None], [[]], [[1], [1, 2]], [{}], ["a", "b"], ["1", "2"], True, False, 0, 1, -1,
    2**63, 2**64, 0.5, [True, "x", None, 1.5], [float("nan")] * 6, np.array(["a"]),
    {"predicts": [1] * 5, "left": 10**400}, [[0, 1]] * 1000, list(range(1000)),
    [0] * 100_000, np.zeros((300, 300)), "x" * 100_000, [[[[[[[[1]]]]]]]],
]  # fmt: skip
# What becomes 0, infinite or no number on the way.
EXTREME = [0, 1, 5e-324, 1.7e308, -1.7e308, Fraction(1, 10**350), 10**400]
HOSTILE += map(list, product(EXTREME, repeat=2))
HOSTILE.append({
    "A": [[[1 / 3] * 9] * 100, [1, -1] * 50, [1.7e308] * 9],
    "B": [[[1.0], [1.0]], [1, 1]],
})  # fmt: skip


@pytest.mark.parametrize("value", HOSTILE, ids=lambda value: str(value)[:15])
def test_helpers_judge_or_refuse_and_never_fail(value):
    for judge in (whole, bit, real, lambda v: vector(v, 6), lambda v: array(v, (2, 3))):
        try:
            judge(value)
        except Wrong as error:
            assert len(str(error)) < 600


class Parrot:
    """A student who gives the same answer to everything."""

    def __init__(self, value) -> None:
        self.value = value

    def call(self, name, *args, **kwargs):
        return self.value

    def get(self, name):
        return self.value

    def new(self, name, *args, **kwargs):
        return self

    def __getattr__(self, name):
        return lambda *args, **kwargs: self.value


@pytest.mark.parametrize("name", NAMES)
def test_no_constant_answer_earns_a_point_or_holds_a_check_up(name):
    """Checks run on the grader's side: whatever is answered, they end soon."""
    for check in checks(name).all:
        for value in HOSTILE:
            began = time.process_time()
            outcome = run(check, Parrot(value), np.random.default_rng(1))
            where = f"{check.question}: {check.title}: {str(value)[:30]}"
            assert outcome.earned == 0, where
            assert time.process_time() - began < 5, where


def test_an_error_of_the_students_is_no_fault_of_the_checks():
    class Raises(Parrot):
        def call(self, *args):
            raise StudentError("ValueError", "x")

    own = Checks()

    @own("q", "t", points=1)
    def check(student, rng):
        student.call("f")

    assert run(own.all[0], Raises(0), np.random.default_rng(1)).earned == 0
