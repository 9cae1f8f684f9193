"""A problem set of two questions and a proof, for quick tests, and answers to it."""

import copy
import hashlib
import os
from pathlib import Path

import nbformat
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from grading.checks import Outcome, load
from grading.marking import Result
from grading.parallel import Task
from grading.release import released

NAME = "tiny"
BOOK = Path(__file__).resolve().parents[2] / "book" / "exercises" / "source"
CHECKS = """
from grading.checks import Checks, whole, wrong

checks = Checks()

@checks("double", "doubles a number", points=1)
def number(student, rng):
    x = int(rng.integers(100, 1000))
    if whole(student.call("double", x)) != 2 * x:
        wrong("Twice a number is the number plus itself.")

@checks("double", "doubles a negative number", points=1)
def negative(student, rng):
    x = -int(rng.integers(100, 1000))
    if whole(student.call("double", x)) != 2 * x:
        wrong("The double of a negative number is negative.")

@checks("square", "squares a number", points=2)
def square(student, rng):
    x = int(rng.integers(100, 1000))
    if whole(student.call("square", x)) != x * x:
        wrong("The square of a number is the number times itself.")
"""

SOLUTION = """def {name}(x):
    ### BEGIN SOLUTION
    return {value}
    ### END SOLUTION
"""
PROOF = """*Say why.*

=== BEGIN MARK SCHEME ===
One point for each word.
=== END MARK SCHEME ===

Because."""

RIGHT = {
    "double-answer": "def double(x):\n    return x + x\n",
    "square-answer": "def square(x):\n    return x * x\n",
    "proof": "It is so, because $x < y$.",
}
# Half of the first question.
PARTLY = RIGHT | {"double-answer": "def double(x):\n    return 2 * abs(x)\n"}


def about(name: str, **kind: object) -> dict:
    usual = {"grade": False, "solution": False, "locked": False, "task": False}
    return {"nbgrader": usual | {"grade_id": name, "schema_version": 3} | kind}


def question(name: str, value: str, points: float) -> list[nbformat.NotebookNode]:
    """The student's cell and the cell of visible checks."""
    return [
        new_code_cell(
            SOLUTION.format(name=name, value=value),
            metadata=about(f"{name}-answer", solution=True),
        ),
        new_code_cell(
            f"assert {name}(0) == 0",
            metadata=about(name, grade=True, locked=True, points=points),
        ),
    ]


def source() -> nbformat.NotebookNode:
    return new_notebook(
        cells=[
            new_markdown_cell("# A tiny set"),
            new_code_cell("import math", metadata=about("setup", locked=True)),
            *question("double", "2 * x", 2),
            *question("square", "x**2", 2),
            new_markdown_cell(
                PROOF, metadata=about("proof", grade=True, solution=True, points=3)
            ),
        ]
    )


def exercises(folder: Path) -> Path:
    """A folder with source/ and checks/ of the set."""
    for name in ("source", "checks"):
        (folder / name).mkdir(parents=True)
    nbformat.write(source(), folder / "source" / f"{NAME}.ipynb")
    (folder / "checks" / f"{NAME}.py").write_text(CHECKS)
    return folder


def answered(texts: dict[str, str]) -> str:
    """The released notebook with a student's answers, as JSON."""
    notebook = copy.deepcopy(released(source()))
    for cell in notebook.cells:
        name = cell.metadata.get("nbgrader", {}).get("grade_id")
        cell.source = texts.get(name, cell.source)
    return nbformat.writes(notebook)


def hand_in(folder: Path, student: str, texts: dict[str, str] = RIGHT) -> Path:
    """Put a student's notebook where a folder a student is expected."""
    path = folder / student / f"{NAME}.ipynb"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(answered(texts), encoding="utf-8")
    return path


def fake_mark(task: Task) -> tuple[str, Result]:
    """Judge by eye, without a sandbox: what is not RIGHT gets nothing."""
    student, checks, cells, *_ = task
    result, right = Result(seconds=0.1), set(RIGHT.values())
    answer = ""
    for cell in cells:
        if cell.question is None:
            answer = cell.source
            result.outputs[cell.number] = []
            continue
        result.outputs[cell.number] = [{"stream": "seen\n"}]
        result.outcomes[cell.question] = [
            Outcome(c.title, c.points, c.points if answer in right else 0.0)
            for c in load(checks).questions()[cell.question]
        ]
    return student, result


def fingerprint(folder: Path) -> dict[bytes, tuple]:
    """Every entry below a folder and what is in it, so that a change is seen."""
    found = {}
    for root, folders, files in os.walk(folder):
        for name in [*folders, *files]:
            path = Path(root, name)
            about = path.lstat()
            content = (
                hashlib.sha256(path.read_bytes()).hexdigest()
                if path.is_file() and not path.is_symlink()
                else ""
            )
            found[os.fsencode(path)] = about.st_mode, about.st_mtime_ns, content
    return found
