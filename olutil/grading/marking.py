"""Mark one submission: run its cells behind the wall, and the checks on this side.

Takes plain data and returns plain data, so it can run in any process or on
any machine, and needs no gradebook.
"""

import time
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np

from olutil.grading.checks import Check, Checks, Outcome, Student, run
from olutil.grading.sandbox import Ended, Sandbox

CELL = 20.0  # seconds that a cell may run
QUESTION = 60.0  # seconds for all checks of a question
SUBMISSION = 300.0  # seconds for everything


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
        self.sandbox = Sandbox()

    def close(self) -> None:
        self.sandbox.close()

    def execute(self, cell: Cell) -> dict[str, Any]:
        """Run a cell; what it showed and the error it ended with."""
        answer = self._run(cell, show=True)
        self.done.append(cell)
        return answer

    def _run(self, cell: Cell, *, show: bool) -> dict[str, Any]:
        left = self.until - time.monotonic()
        if left <= 0:
            raise Ended("the submission's time is over")
        limit = min(CELL, left)
        found = self.sandbox.ask("run", cell.source, limit, show, deadline=limit + 15)
        if not isinstance(found, dict) or not isinstance(found.get("outputs"), list):
            raise Ended("an answer that no cell gives")
        return found

    def begin_again(self) -> None:
        """A new process with the same cells, as far as they run."""
        self.sandbox.close()
        self.sandbox = Sandbox()
        for cell in list(self.done):
            try:
                self._run(cell, show=False)
            except Ended:
                self.done.remove(cell)
                self.sandbox.close()
                self.sandbox = Sandbox()

    def check(self, check: Check, rng: np.random.Generator, until: float) -> Outcome:
        """Run one check on a fork of the process."""
        try:
            self.sandbox.ask("fork", deadline=10)
            outcome = run(check, Student(self.sandbox, min(until, self.until)), rng)
            self.sandbox.close_fork()
            return outcome
        except Ended as error:
            self.begin_again()
            said = f"Your code did not answer: {error}."
            return Outcome(check.title, check.points, 0.0, said)


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
                answer = session.execute(cell)
                result.outputs[cell.number] = answer["outputs"]
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
    faults = [o for found in result.outcomes.values() for o in found if o.fault]
    result.notes += [f"check '{o.title}' stumbled: {o.fault}" for o in faults]
    return result
