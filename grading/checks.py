"""Hidden checks: plain Python in the grader's process.

A problem set's checks stand in a module of their own::

    from grading.checks import Checks, wrong

    checks = Checks()

    @checks("halving", "votes with the majority of the consistent concepts", points=2)
    def majority(student, rng):
        learner = student.new("Halving", [[0, 0], [0, 1], [1, 1]])
        if learner.predict(1) != 1:
            wrong("Two of the three concepts say 1, so the vote is 1.")

What is called on ``student`` runs in the sandbox, and only plain values come back
(`grading.messages`).  Inputs should be drawn from ``rng``, whose seed is secret and new
in each run.  In a game the label is sent after the prediction has come back, and
mistakes are counted here.
"""

import traceback
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any, NoReturn

import numpy as np

from grading.messages import PATIENCE
from grading.sandbox import MEMORY, Budget, Ended, Overdue, Sandbox, StudentError

CALL = 10.0  # seconds that one call may take
LATE = 2.0  # seconds more until a process that does not answer is ended
UNWRITTEN = "your code here"  # the text of the error that a stub raises
MESSAGE_LENGTH = 600  # characters of what an outcome tells
# What a student reads of a check that raised an error of its own.
FAULTY = "This check could not judge your answer, so the question is marked by hand."
# And of one that fails for the student's answer, but not for the model solution.
STUMBLED = (
    "Your code gave a value that this check cannot use, where a right one would do."
)


class Wrong(Exception):
    """An answer that is not right; its text is for the student."""


def wrong(sentence: str) -> NoReturn:
    """Fail the check that runs, with a sentence for the student.

    The sentence names the fault, never the answer or the secret input.
    """
    raise Wrong(sentence)


# --- An answer, read as what it should be ------------------------------


def whole(value: Any, what: str = "the answer") -> int:
    """A whole number, as a student may give it: 3, 3.0, True or array(3).

    Raises
    ------
    Wrong
        If it is something else.
    """
    number = real(value, what)
    if number != int(number):
        wrong(f"Expected {what} to be a whole number, got {_shown(value)}.")
    return int(number)


def bit(value: Any, what: str = "a prediction") -> int:
    """A label 0 or 1, as a student may give it: see `whole`.

    Raises
    ------
    Wrong
        If it is something else.
    """
    found = whole(value, what)
    if found not in (0, 1):
        wrong(f"Expected {what} to be 0 or 1, got {_shown(found)}.")
    return found


def real(value: Any, what: str = "the answer") -> Any:
    """A finite number: int, float or Fraction, or an array or list of just one."""
    if isinstance(value, np.ndarray) and value.size == 1:
        value = value.item()
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    if isinstance(value, (list, dict, str, np.ndarray)) or value is None:
        wrong(f"Expected {what} to be a number, got {_shown(value)}.")
    if value != value or value in (float("inf"), float("-inf")):
        wrong(f"Expected {what} to be a finite number, got {value}.")
    return value


def vector(value: Any, length: int, what: str = "the answer") -> np.ndarray:
    """An array of floats of that length, from a list, a tuple or an array.

    Raises
    ------
    Wrong
        If it has another shape or holds what is no finite number.
    """
    return array(value, (length,), what)


def array(value: Any, shape: tuple[int, ...], what: str = "the answer") -> np.ndarray:
    """An array of floats of that shape, as `vector`."""
    try:
        found = np.asarray(value, dtype=float)
    except (TypeError, ValueError, OverflowError):
        wrong(f"Expected {what} to hold numbers only, got {_shown(value)}.")
    if found.shape != shape:
        wrong(f"Expected {what} to have shape {shape}, got {found.shape}.")
    if not np.isfinite(found).all():
        wrong(f"Expected {what} to hold finite numbers.")
    return found


def _shown(value: Any) -> str:
    text = "nothing (None)" if value is None else repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


# --- The set's checks ---------------------------------------------------


@dataclass(frozen=True)
class Check:
    """One thing that is tested: of which question, in words, and its points."""

    question: str
    title: str
    points: float
    function: Callable[["Student", np.random.Generator], None]


@dataclass(frozen=True)
class Outcome:
    """What came of a check.

    ``message`` is for the student.  ``fault`` is for the instructor: the check itself
    has raised an error, so the points are unknown, and a person must mark the question.
    """

    title: str
    points: float
    earned: float
    message: str = ""
    fault: str = ""


@dataclass
class Checks:
    """The checks of a problem set, in order."""

    all: list[Check] = field(default_factory=list)

    def __call__(self, question: str, title: str, *, points: float) -> Callable:
        """Decorate a check.

        Parameters
        ----------
        question : str
            The grade id of the question's cell of visible checks.
        title : str
            What is tested, as the student will read it.
        points : float
            Above zero.
        """
        if not points > 0:
            raise ValueError(f"points: expected more than zero, got {points!r}")

        def register(function):
            self.all.append(Check(question, title, points, function))
            return function

        return register

    def questions(self) -> dict[str, list[Check]]:
        """The checks by question."""
        found: dict[str, list[Check]] = {}
        for check in self.all:
            found.setdefault(check.question, []).append(check)
        return found


@cache
def load(text: str) -> Checks:
    """The checks of a module's text."""
    module = ModuleType("hidden_checks")
    exec(compile(text, "hidden_checks", "exec"), vars(module))
    return module.checks


def load_file(path: Path) -> Checks:
    """The checks of a module in a file.

    Raises
    ------
    ValueError
        If it does not run, or has none.
    """
    try:
        return load(path.read_text(encoding="utf-8"))
    except Exception as error:
        frames = traceback.extract_tb(error.__traceback__)
        lines = [frame.lineno for frame in frames if frame.filename == "hidden_checks"]
        where = f", line {lines[-1]}" if lines else ""
        raise ValueError(
            f"{path}{where}: expected a module with checks = Checks(), got "
            f"{type(error).__name__}: {error}"
        ) from None


# --- What a check asks the student's process -----------------------------


class Student:
    """Gives a check the names that a student's cells have defined."""

    def __init__(self, sandbox: Sandbox, budget: Budget) -> None:
        self._sandbox = sandbox
        self._budget = budget

    def _ask(self, verb: str, *rest: Any) -> Any:
        if self._budget.is_over():
            raise Overdue("the question's time is over")
        limit = min(CALL, self._budget.left())
        deadline = PATIENCE * limit + LATE
        try:
            return self._sandbox.ask(
                verb, *rest, limit, deadline=deadline, most=limit + LATE
            )
        except Overdue:
            raise Overdue(f"one call took longer than {CALL:.0f} seconds") from None
        except StudentError as error:
            if error.kind == "TooLong":
                wrong(f"Your code took longer than {CALL:.0f} seconds for one call.")
            if (error.kind, error.text) == ("NotImplementedError", UNWRITTEN):
                wrong("Not answered.")
            if error.kind == "NotPlain":
                wrong(
                    f"Your code returned {error.text}; expected numbers, lists, arrays."
                )
            said = error.text
            if error.kind == "MemoryError" and not said:
                said = f"it may hold {MEMORY >> 30} GiB"
            wrong(f"Your code raised {error.kind}{said and f': {said}'}")

    def call(self, name: str, *args: Any, **kwargs: Any) -> Any:
        """Call one of the student's functions; its plain value."""
        return self._ask("call", None, name, list(args), kwargs)

    def new(self, name: str, *args: Any, **kwargs: Any) -> "Remote":
        """Make an object of one of the student's classes; it stays in the sandbox."""
        number = self._ask("new", name, list(args), kwargs)
        return Remote(self, whole(number))

    def get(self, name: str) -> Any:
        """The plain value of one of the student's names."""
        return self._ask("get", None, name)


class Remote:
    """An object of a student's class: its methods are called in the sandbox."""

    def __init__(self, student: Student, number: int) -> None:
        self._student, self._number = student, number

    def __getattr__(self, name: str) -> Callable:
        if name.startswith("__"):
            raise AttributeError(name)

        def method(*args: Any, **kwargs: Any) -> Any:
            return self._student._ask("call", self._number, name, list(args), kwargs)

        return method

    def get(self, name: str) -> Any:
        """The plain value of an attribute."""
        return self._student._ask("get", self._number, name)


def run(check: Check, student: Student, rng: np.random.Generator) -> Outcome:
    """Run one check.

    Raises
    ------
    Ended
        If the student's process is lost.
    """
    try:
        check.function(student, rng)
    except Wrong as error:
        return Outcome(check.title, check.points, 0.0, _one_line(str(error)))
    except Ended:
        raise
    except Exception as error:
        # A bug in the check, or an answer of a kind that its author did not foresee.
        fault = _one_line(f"{type(error).__name__}: {error}")
        return Outcome(check.title, check.points, 0.0, FAULTY, fault)
    return Outcome(check.title, check.points, check.points)


def _one_line(text: str) -> str:
    # A student's code may have written it, and it goes into pages and tables.
    return "".join(c if c.isprintable() else " " for c in text[:MESSAGE_LENGTH])
