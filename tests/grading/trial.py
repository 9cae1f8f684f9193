"""A small problem set on which hostile submissions are tried: 7 points, 2 by hand."""

from copy import deepcopy

import nbformat
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from grading.release import released

# A text that no submission may get to see.
TOKEN = "the-token-of-the-hidden-checks"
CHECKS = f'''
"""Hidden checks: {TOKEN}."""

import numpy as np

from grading.checks import Checks, vector, whole, wrong

checks = Checks()


@checks("twice", "doubles secret numbers", points=2)
def doubles(student, rng):
    for number in map(int, rng.integers(100, 10**6, size=5)):
        if whole(student.call("twice", number)) != 2 * number:
            wrong("This is not twice the number.")


@checks("guess", "at most one mistake at each of 22 points", points=3)
def few_mistakes(student, rng):
    # Guessing a point's label, once or in each of its three rounds, is right often
    # enough with probability 1/2, and at all points with 2**-22 < 1e-6.
    target = rng.integers(2, size=22)
    learner = student.new("Learner")
    mistakes = np.zeros(22)
    for x in map(int, rng.permutation(np.repeat(range(22), 3))):
        guess = whole(learner.predict(x))
        mistakes[x] += guess != target[x]
        learner.update(x, int(target[x]))
    if mistakes.max() > 1:
        wrong("Your learner makes more than one mistake at some point.")


@checks("weights", "weights that add up to one", points=1)
def weights(student, rng):
    losses = rng.random(6)
    right = np.exp(-losses) / np.exp(-losses).sum()
    found = vector(student.call("weights", losses), 6)
    if not np.allclose(found, right):
        wrong("These are not the weights of the losses.")


@checks("weights", "the same for other losses", points=1)
def weights_again(student, rng):
    weights(student, rng)
'''
HONEST = {
    "twice-answer": "def twice(number):\n    return 2 * number",
    "guess-answer": (
        "class Learner:\n"
        "    def __init__(self):\n"
        "        self.seen = {}\n"
        "    def predict(self, x):\n"
        "        return self.seen.get(x, 0)\n"
        "    def update(self, x, y):\n"
        "        self.seen[x] = y"
    ),
    "weights-answer": (
        "def weights(losses):\n"
        "    good = np.exp(-np.asarray(losses))\n"
        "    return good / good.sum()"
    ),
    "essay": "An answer in words.",
}
POINTS = {"twice": 2.0, "guess": 3.0, "weights": 2.0}
VISIBLE = {
    "twice": "assert twice(3) == 6, 'twice(3) should be 6'",
    "guess": "assert Learner().predict(0) in (0, 1)",
    "weights": "assert abs(sum(weights([0.0, 1.0])) - 1) < 1e-9",
}


def _about(name: str, **more) -> dict:
    about = {
        "grade_id": name, "schema_version": 3, "locked": False, "task": False,
        "grade": False, "solution": False, **more,
    }  # fmt: skip
    return {"nbgrader": about}


def source() -> nbformat.NotebookNode:
    """The set with its solutions, as an author writes it."""
    cells = [
        new_markdown_cell("# A trial", metadata=_about("title", locked=True)),
        new_code_cell("import numpy as np", metadata=_about("imports", locked=True)),
    ]
    for name, points in POINTS.items():
        mine = f"{name}-answer"
        body = f"### BEGIN SOLUTION\n{HONEST[mine]}\n### END SOLUTION"
        cells += [
            new_code_cell(body, metadata=_about(mine, solution=True)),
            new_code_cell(
                VISIBLE[name],
                metadata=_about(name, grade=True, locked=True, points=points),
            ),
        ]
    essay = _about("essay", grade=True, solution=True, points=2.0)
    cells.append(new_markdown_cell(HONEST["essay"], metadata=essay))
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    return new_notebook(cells=cells, metadata={"kernelspec": kernel})


RELEASED = released(source())


def handed_in(answers: dict[str, str]) -> dict:
    """The students' notebook with these texts in its answer cells, as plain JSON."""
    notebook = deepcopy(RELEASED)
    for cell in notebook.cells:
        name = cell.metadata.nbgrader.grade_id
        cell.source = answers.get(name, cell.source)
    return deepcopy(nbformat.from_dict(notebook))
