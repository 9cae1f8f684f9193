"""Mark one submission: run its cells behind the wall, and the checks on this side.

Takes plain data and returns plain data, so it can run in any process or on
any machine, and needs no gradebook.
"""

import base64
import struct
import time
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np

from grading.checks import Check, Checks, Outcome, Student, run
from grading.sandbox import Ended, Overdue, Refused, Sandbox

CELL = 20.0  # seconds that a cell may run
QUESTION = 60.0  # seconds for all checks of a question
SUBMISSION = 300.0  # seconds for everything
GRACE = 15.0  # seconds more until a process that does not answer is ended

# What is kept of the outputs, which a page must bear.
OUTPUTS = 20  # of a cell
TEXT = 21_000  # characters of one
PICTURE = 400_000  # characters of one, in base64
PIXELS = 4_000_000  # of one: few bytes can be a picture that fills the memory
SHOWN = 4_000_000  # characters of a submission


@dataclass(frozen=True)
class Cell:
    """A code cell to run; ``question`` is set where its checks follow."""

    number: int
    source: str
    question: str | None = None


@dataclass
class Result:
    """What came of a submission."""

    outputs: dict[int, list[dict]] = field(default_factory=dict)
    outcomes: dict[str, list[Outcome]] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    seconds: float = 0.0

    def earned(self, question: str) -> float:
        """The points of a question."""
        return sum(outcome.earned for outcome in self.outcomes.get(question, []))

    def faults(self) -> dict[str, dict[str, str]]:
        """By question, the checks that have stumbled, and over what."""
        return {
            question: faults
            for question, found in self.outcomes.items()
            if (faults := {o.title: o.fault for o in found if o.fault})
        }

    def plain(self) -> dict[str, Any]:
        """The same as JSON takes it."""
        return asdict(self)

    @classmethod
    def of(cls, plain: dict[str, Any]) -> "Result":
        """The result that `plain` gave."""
        outcomes = {
            question: [Outcome(**outcome) for outcome in found]
            for question, found in plain["outcomes"].items()
        }
        outputs = {int(number): kept for number, kept in plain["outputs"].items()}
        return cls(outputs, outcomes, plain["notes"], plain["seconds"])


class Session:
    """A student's process, begun anew without the cell that ended it."""

    def __init__(self) -> None:
        self.until = time.monotonic() + SUBMISSION
        self.done: list[Cell] = []
        self.room = SHOWN
        self.sandbox = Sandbox()

    def close(self) -> None:
        self.sandbox.close()

    def execute(self, cell: Cell) -> list[dict[str, str]]:
        """Run a cell; what it showed, as much of it as is kept."""
        outputs = self._run(cell, show=True)
        self.done.append(cell)
        kept = []
        for output in map(bearable, outputs[:OUTPUTS]):
            if output is not None:
                self.room -= sum(map(len, output.values()))
                if self.room >= 0:
                    kept.append(output)
        return kept

    def check(self, check: Check, rng: np.random.Generator, until: float) -> Outcome:
        """Run one check on a fork of the process."""
        until = min(until, self.until)
        if time.monotonic() > until:
            said = "The time for this question was over before this check."
            return Outcome(check.title, check.points, 0.0, said)
        try:
            self._ask("fork", seconds=GRACE)
            outcome = run(check, Student(self.sandbox, until), rng)
            self._ask("close", seconds=GRACE)
            return outcome
        except Ended as error:
            self.begin_again()
            said = f"Your code did not answer: {error}."
            return Outcome(check.title, check.points, 0.0, said)

    def begin_again(self) -> None:
        """A new process with the same cells, as far as they run."""
        self._new_sandbox()
        for cell in list(self.done):
            try:
                self._run(cell, show=False)
            except Ended:
                self.done.remove(cell)
                self._new_sandbox()

    def _new_sandbox(self) -> None:
        if time.monotonic() < self.until:
            self.sandbox.close()
            self.sandbox = Sandbox()

    def _run(self, cell: Cell, *, show: bool) -> list:
        limit = max(0.0, min(CELL, self.until - time.monotonic()))
        found = self._ask("run", cell.source, limit, show, seconds=limit + GRACE)
        if not isinstance(found, list):
            raise Ended("an answer that no cell gives")
        return found

    def _ask(self, verb: str, *rest: Any, seconds: float) -> Any:
        if time.monotonic() > self.until:
            raise Overdue("the time for the whole submission is over")
        try:
            return self.sandbox.ask(verb, *rest, deadline=seconds)
        except Refused:
            raise Ended("an error that is none of a cell's") from None


def bearable(output: Any) -> dict[str, str] | None:
    """An output as the worker gives it, or None: what it says is not trusted.

    Parameters
    ----------
    output : plain value
        ``{"stream": text}``, or with ``result`` or ``failed``, or ``{"png": base64}``.
    """
    match output:
        case {"stream": str(text)} | {"result": str(text)} | {"failed": str(text)}:
            return {next(iter(output)): text[:TEXT]} if len(output) == 1 else None
        case {"png": str(text)} if len(output) == 1 and len(text) <= PICTURE:
            try:
                head = base64.b64decode(text, validate=True)[:24]
                signature, _, width, height = struct.unpack(">8s8sII", head)
            except (ValueError, struct.error):
                return None
            if signature == b"\x89PNG\r\n\x1a\n" and width * height <= PIXELS:
                return {"png": text}
    return None


def mark(cells: list[Cell], checks: Checks, seed: int) -> Result:
    """Run a submission's cells in order, and each question's checks after its cell.

    Parameters
    ----------
    cells : list of Cell
        The code cells of the grafted notebook.
    checks : Checks
        Of the problem set.
    seed : int
        Secret, and another one in every run.

    Returns
    -------
    Result
    """
    began = time.monotonic()
    result = Result()
    questions = checks.questions()
    session = Session()
    try:
        for cell in cells:
            try:
                result.outputs[cell.number] = session.execute(cell)
            except Ended as error:
                result.outputs[cell.number] = [
                    {"failed": f"This cell was ended: {error}."}
                ]
                result.notes.append(f"cell {cell.number + 1} was ended: {error}")
                session.begin_again()
            if cell.question is not None:
                until = time.monotonic() + QUESTION
                rng = np.random.default_rng([seed, cell.number])
                result.outcomes[cell.question] = [
                    session.check(check, rng, until)
                    for check in questions[cell.question]
                ]
    finally:
        session.close()
    result.seconds = time.monotonic() - began
    result.notes += [
        f"check '{title}' stumbled: {fault}"
        for faults in result.faults().values()
        for title, fault in faults.items()
    ]
    return result
