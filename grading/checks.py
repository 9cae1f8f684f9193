"""Hidden checks: plain Python on the grader's side of the wall.

A problem set's checks stand in one module, next to no student's code::

    from grading.checks import Checks, wrong

    checks = Checks()

    @checks("halving", "votes with the majority of the consistent concepts", points=2)
    def majority(student, rng):
        learner = student.new("Halving", [[0, 0], [0, 1], [1, 1]])
        if learner.predict(1) != 1:
            wrong("Two of the three concepts say 1, so the vote is 1.")

The ``student`` is a stand-in: what is called on it runs behind the wall, and
only plain values come back (`grading.wire`).  Inputs should be fresh
from ``rng``, whose seed is secret and new in each run; in a game, the label is
given after the prediction has come back, and mistakes are counted here.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NoReturn

import numpy as np

from grading.sandbox import Ended, Overdue, Refused, Sandbox

CALL = 10.0  # seconds that one call may take
LATE = 2.0  # seconds more until a process that does not answer is ended
UNWRITTEN = "your code here"  # what the stub of an answer says
SENTENCE = 600  # characters of what is said about a check
# What a student reads of a check that has stumbled, over itself or over an answer.
STUMBLED = "This check could not judge your answer, so the question is marked by hand."


class Wrong(Exception):
    """An answer that is not right; its text is for the student."""


def wrong(sentence: str) -> NoReturn:
    """Fail the check that runs, with a sentence for the student.

    The sentence names the fault, never the answer or the secret input.
    """
    raise Wrong(sentence)


# --- What came back, as what it should be ------------------------------


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

    ``said`` is for the student.  ``fault`` is for the instructor: the check itself has
    raised an error, so ``earned`` says nothing, and a person must mark the question.
    """

    title: str
    points: float
    earned: float
    said: str = ""
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


# --- The student's side, seen from here ---------------------------------


class Student:
    """Stands for the names that a student's cells have defined."""

    def __init__(self, sandbox: Sandbox, until: float) -> None:
        self._sandbox = sandbox
        self._until = until

    def _ask(self, verb: str, *rest: Any) -> Any:
        left = self._until - time.monotonic()
        if left <= 0:
            raise Overdue("the question's time is over")
        limit = min(CALL, left)
        try:
            return self._sandbox.ask(verb, *rest, limit, deadline=limit + LATE)
        except Refused as error:
            if error.kind == "TooLong":
                wrong(f"Your code took longer than {CALL:.0f} seconds for one call.")
            if (error.kind, error.text) == ("NotImplementedError", UNWRITTEN):
                wrong("Not answered.")
            if error.kind == "NotPlain":
                wrong(
                    f"Your code returned {error.text}; expected numbers, lists, arrays."
                )
            wrong(f"Your code raised {error.kind}: {error.text}")

    def call(self, name: str, *args: Any, **kwargs: Any) -> Any:
        """Call one of the student's functions; its plain value."""
        return self._ask("call", None, name, list(args), kwargs)

    def new(self, name: str, *args: Any, **kwargs: Any) -> "Remote":
        """Make an object of one of the student's classes; a stand-in for it."""
        number = self._ask("new", name, list(args), kwargs)
        return Remote(self, whole(number))

    def get(self, name: str) -> Any:
        """The plain value of one of the student's names."""
        return self._ask("get", None, name)


class Remote:
    """Stands for an object behind the wall: its methods are called there."""

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
        return Outcome(check.title, check.points, 0.0, _printable(str(error)))
    except Ended:
        raise
    except Exception as error:
        # A bug in the check, or an answer of a kind that it did not foresee.
        fault = _printable(f"{type(error).__name__}: {error}")
        return Outcome(check.title, check.points, 0.0, STUMBLED, fault)
    return Outcome(check.title, check.points, check.points)


def _printable(text: str) -> str:
    # A student's code has a hand in it, and it goes into pages and tables.
    return "".join(c if c.isprintable() else " " for c in text[:SENTENCE])
