"""The problem sets and the answers they are tried with.

They are the book's, or those of the folder that EXERCISES names, with its answers/.
"""

import copy
import functools
import importlib.util
import inspect
import io
import os
import pickle
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from types import FunctionType

import nbformat
import numpy as np

from grading import cells
from grading.checks import Outcome, Student, load, run
from grading.sandbox import Budget, Sandbox

ROOT = Path(__file__).resolve().parents[2]
OWN = os.environ.get("EXERCISES")
EXERCISES = Path(OWN) if OWN else ROOT / "book" / "exercises"
ANSWERS = EXERCISES / "answers" if OWN else Path(__file__).with_name("answers")
NAMES = sorted(path.stem for path in (EXERCISES / "checks").glob("[!_]*.py"))


@cache
def source(name: str) -> nbformat.NotebookNode:
    return nbformat.read(EXERCISES / "source" / f"{name}.ipynb", 4)


@cache
def checks(name: str):
    """A set's checks, which draw each secret input of one seed only once."""
    found = load((EXERCISES / "checks" / f"{name}.py").read_text("utf-8"))
    functions = {check.function for check in found.all}
    module = found.all[0].function.__globals__
    for name, helper in list(module.items()):
        if (
            inspect.isfunction(helper)
            and not inspect.isgeneratorfunction(helper)
            and helper not in functions
            and next(iter(inspect.signature(helper).parameters), "") == "rng"
        ):
            module[name] = remembered(helper)
    return found


def remembered(draw):
    """A function of a generator and other values that computes nothing twice.

    It must change nothing else.  What it returns, and the state in which it leaves the
    generator, are the same.
    """
    known = {}

    @functools.wraps(draw)
    def again(rng, *values, **more):
        given = Given.pickled((rng.bit_generator.state, values, more))
        if given not in known:
            found = draw(rng, *values, **more)
            # With the values, so that nothing else gets the identity of one of them.
            known[given] = found, rng.bit_generator.state, (values, more)
        found, rng.bit_generator.state, _ = known[given]
        return copy.deepcopy(found)

    return again


class Given(pickle.Pickler):
    """Writes what a function was given, to compare it; other functions by identity."""

    def persistent_id(self, value):
        return id(value) if isinstance(value, (type, FunctionType)) else None

    @classmethod
    def pickled(cls, values) -> bytes:
        file = io.BytesIO()
        cls(file).dump(values)
        return file.getvalue()


def answers(name: str, question: str, kind: str, least: int) -> list:
    """Answers to a question from the module answers/NAME.py.

    Parameters
    ----------
    name, question : str
    kind : str
        RIGHT, WRONG or NOTHING.
    least : int
        So many there must be.
    """
    found = getattr(_answers(name), kind).get(question, [])
    assert len(found) >= least, (
        f"{ANSWERS / name}.py: expected at least {least} answers in "
        f"{kind}[{question!r}], got {len(found)}"
    )
    return found


@cache
def _answers(name: str):
    path = ANSWERS / f"{name}.py"
    spec = importlib.util.spec_from_file_location(f"answers_{name}", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@dataclass
class Question:
    """A question of a set: the code before it, and its reference answer."""

    name: str
    before: list[str] = field(default_factory=list)
    answer: str = ""
    stub: str = ""
    visible: str = ""


@cache
def questions(name: str) -> dict[str, Question]:
    """The questions with hidden checks; before each, all that stands above it."""
    from grading.release import released

    found, before, mine, stubs = {}, [], [], []
    pairs = zip(source(name).cells, released(source(name)).cells, strict=True)
    for cell, cut in pairs:
        if cell.cell_type != "code":
            continue
        if cells.has_checks(cell):
            found[cells.grade_id(cell)] = Question(
                cells.grade_id(cell), list(before), "\n".join(mine), "\n".join(stubs),
                cell.source,
            )  # fmt: skip
            before, mine, stubs = [*before, *mine], [], []
        elif cells.is_answer(cell):
            mine.append(cell.source)
            stubs.append(cut.source)
        else:
            before.append(cell.source)
    return found


class Bench:
    """One process in the sandbox, in which many answers are tried, each on a fork."""

    def __init__(self, name: str, question: Question) -> None:
        self.checks = checks(name).questions()[question.name]
        self.sandbox = Sandbox()
        for cell in question.before:
            self.run(cell)

    def run(self, cell: str) -> dict:
        return self.sandbox.ask("run", cell, 20.0, False, deadline=30)

    def outcomes(self, answer: str, seed: int = 1) -> list[Outcome]:
        """What the hidden checks say of an answer."""

        self.sandbox.ask("fork")
        self.run(answer)
        found = []
        for number, check in enumerate(self.checks):
            self.sandbox.ask("fork")
            rng = np.random.default_rng([seed, number])
            budget = Budget(60, self.sandbox.used)
            found.append(run(check, Student(self.sandbox, budget), rng))
            self.sandbox.ask("close")
        self.sandbox.ask("close")
        return found

    def close(self) -> None:
        self.sandbox.close()
