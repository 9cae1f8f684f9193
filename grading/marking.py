"""Mark one submission: run its cells in the sandbox, and the checks in this process.

It takes plain data and returns plain data, so it can run in any process or on any
machine, and needs no gradebook.
"""

import base64
import struct
import time
from collections.abc import Sequence
from copy import deepcopy
from dataclasses import asdict, dataclass, field, replace
from typing import Any

import numpy as np

from grading import messages
from grading.checks import STUMBLED, Check, Checks, Outcome, Student, run
from grading.sandbox import Budget, Ended, Overdue, Sandbox, StudentError

# Seconds that a student's processes may use; more may pass on the clock.
CELL = 20.0  # for a cell
QUESTION = 60.0  # for all checks of a question
SUBMISSION = 300.0  # for everything
GRACE = 15.0  # seconds more until a process that does not answer is ended

# How much of the outputs is kept: all of it stands in one page.
OUTPUTS = 20  # of a cell
OUTPUT_LENGTH = 21_000  # characters of one that is text
PICTURE_LENGTH = 400_000  # characters of one that is a picture, in base64
PIXELS = 4_000_000  # of a picture: a few bytes can give one that fills the memory
OUTPUTS_LENGTH = 4_000_000  # characters of all outputs of a submission


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
        """By question, the checks that raised an error of their own, and which."""
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
    """A student's process; if a cell ends it, another one runs the rest."""

    def __init__(self) -> None:
        self.done: list[Cell] = []
        self.lost: dict[str, str] = {}  # cells that ended a process, and why
        self.room = OUTPUTS_LENGTH
        self.spent = 0.0  # in processes that have ended
        self.sandbox = Sandbox()
        self.budget = Budget(SUBMISSION, self.used)

    def used(self) -> float:
        """Seconds that the student's processes have used."""
        return self.spent + self.sandbox.used()

    def close(self) -> None:
        self.sandbox.close()

    def execute(self, cell: Cell) -> list[dict[str, str]]:
        """Run a cell; what it showed, as much of it as is kept."""
        try:
            outputs = self._run(cell, show=True)
        except Ended as error:
            self.lost[cell.source] = str(error)
            raise
        self.done.append(cell)
        kept = []
        for output in map(checked_output, outputs[:OUTPUTS]):
            if output is not None:
                self.room -= sum(map(len, output.values()))
                if self.room >= 0:
                    kept.append(output)
        return kept

    def check(self, check: Check, rng: np.random.Generator, budget: Budget) -> Outcome:
        """Run one check on a fork of the process."""
        if budget.is_over():
            message = "The time for this question was over before this check."
            return Outcome(check.title, check.points, 0.0, message)
        try:
            self._ask("fork", seconds=GRACE)
            outcome = run(check, Student(self.sandbox, budget), rng)
            self._ask("close", seconds=GRACE)
            return outcome
        except Ended as error:
            self.begin_again()
            message = f"Your code did not answer: {error}."
            return Outcome(check.title, check.points, 0.0, message)

    def begin_again(self) -> None:
        """Start another process, and run there the cells that did not end one."""
        self._new_sandbox()
        for cell in list(self.done):
            try:
                self._run(cell, show=False)
            except Ended as error:
                self.lost[cell.source] = str(error)
                self.done.remove(cell)
                self._new_sandbox()

    def _new_sandbox(self) -> None:
        if not self.budget.is_over():
            self.spent = self.used()
            self.sandbox.close()
            self.sandbox = Sandbox()
            for source, why in self.lost.items():
                self.sandbox.ask("lost", source, why)

    def _run(self, cell: Cell, *, show: bool) -> list:
        limit = max(0.01, min(CELL, self.budget.left()))
        found = self._ask("run", cell.source, limit, show, seconds=limit + GRACE)
        if not isinstance(found, list):
            raise Ended("an answer that is no list of outputs")
        return found

    def question(self) -> Budget:
        """The time of a question that begins now."""
        return Budget(QUESTION, self.used, self.budget)

    def _ask(self, verb: str, *rest: Any, seconds: float) -> Any:
        if self.budget.is_over():
            raise Overdue("the time for the whole submission is over")
        deadline = messages.PATIENCE * seconds
        try:
            return self.sandbox.ask(verb, *rest, deadline=deadline, most=seconds)
        except StudentError:
            raise Ended("an error where a cell gives outputs") from None


def checked_output(output: Any) -> dict[str, str] | None:
    """An output of the worker, which is not trusted, or None if it has another form.

    Parameters
    ----------
    output : plain value
        ``{"stream": text}``, or with ``result`` or ``failed``, or ``{"png": base64}``.
    """
    match output:
        case {"stream": str(text)} | {"result": str(text)} | {"failed": str(text)}:
            [kind, *more] = output
            return None if more else {kind: text[:OUTPUT_LENGTH]}
        case {"png": str(text)} if len(output) == 1 and len(text) <= PICTURE_LENGTH:
            try:
                head = base64.b64decode(text, validate=True)[:24]
                signature, _, width, height = struct.unpack(">8s8sII", head)
            except (ValueError, struct.error):
                return None
            if signature == b"\x89PNG\r\n\x1a\n" and width * height <= PIXELS:
                return {"png": text}
    return None


def _judged(
    session: Session, check: Check, rng: np.random.Generator, budget: Budget,
    solution: Sequence[Cell], notes: list[str],
) -> Outcome:  # fmt: skip
    """What came of a check, or of asking the model solution the same where it fails."""
    before = deepcopy(rng)
    outcome = session.check(check, rng, budget)
    if outcome.fault and _is_passed(solution, check, before):
        notes.append(f"check '{check.title}': {outcome.fault}")
        outcome = replace(outcome, message=STUMBLED, fault="")
    return outcome


def _is_passed(
    solution: Sequence[Cell], check: Check, rng: np.random.Generator
) -> bool:
    """Whether the model solution has a check's points, for the same secret inputs."""
    session = Session()
    try:
        for cell in solution:
            session.execute(cell)
            if cell.question == check.question:
                outcome = session.check(check, rng, session.question())
                return outcome.earned == check.points
    except Ended:
        pass
    finally:
        session.close()
    return False


def mark(
    cells: list[Cell], checks: Checks, seed: int, solution: Sequence[Cell] = ()
) -> Result:
    """Run a submission's cells in order, and each question's checks after its cell.

    Where a check raises an error of its own, the model solution is asked the same.  If
    that passes, the student's answer is at fault; else the check is.

    Parameters
    ----------
    cells : list of Cell
        The code cells of the released notebook with the student's answers.
    checks : Checks
        Of the problem set.
    seed : int
        Secret, and another one in every run.
    solution : sequence of Cell
        Those of the set's source.

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
                kept = session.execute(cell)
                result.outputs[cell.number] = kept
                if any(o.get("failed", "").startswith(messages.TOO_LONG) for o in kept):
                    result.notes.append(
                        f"cell {cell.number + 1} was interrupted: its time was over"
                    )
            except Ended as error:
                result.outputs[cell.number] = [
                    {"failed": f"This cell was ended: {error}."}
                ]
                result.notes.append(f"cell {cell.number + 1} was ended: {error}")
                session.begin_again()
            if cell.question is not None:
                budget = session.question()
                rng = np.random.default_rng([seed, cell.number])
                result.outcomes[cell.question] = [
                    _judged(session, check, rng, budget, solution, result.notes)
                    for check in questions[cell.question]
                ]
    finally:
        session.close()
    result.seconds = time.monotonic() - began
    result.notes += [
        f"check '{title}' raised {fault}"
        for faults in result.faults().values()
        for title, fault in faults.items()
    ]
    return result
