"""Whether a busy machine changes a mark: a class graded alone, then beside others.

    python tests/bench/bench_busy.py [SET]

The class has the model solution, the same with each answer slowed to a quarter of what
a call may take, and for each question one without it.  Then eight processes that never
rest take the processors, and the class is graded again.  Every mark must be the same.
"""

import argparse
import csv
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import nbformat
from bench_grading import EXERCISES, timed

from grading.cells import by_question, has_checks, is_answer
from grading.checks import CALL
from grading.release import released

BUSY = 8
# Below an answer: the first call of one of its functions takes so long, in each check.
SLOW = """
def _slowly(function, left=[{seconds}]):
    import functools, time

    @functools.wraps(function)
    def slowly(*args, **more):
        until = time.process_time() + (left.pop() if left else 0)
        while time.process_time() < until:
            pass
        return function(*args, **more)

    return slowly

globals().update((name, _slowly(globals()[name])) for name in {names})
"""


def answered(name: str, wrong: str | None = None, slow: float = 0.0) -> str:
    """The model solution of a set, as JSON; one question empty, or all of them slow."""
    source = nbformat.read(EXERCISES / "source" / f"{name}.ipynb", 4)
    given = released(source)
    empty = {id(c) for c in by_question(given).get(wrong, [])}
    for cell, solved in zip(given.cells, source.cells, strict=True):
        if is_answer(cell) and id(cell) not in empty:
            cell.source = solved.source
            if slow and cell.cell_type == "code":
                names = re.findall(r"(?m)^def (\w+)", cell.source)
                cell.source += SLOW.format(seconds=slow, names=names)
    return nbformat.writes(given)


def hand_in(folder: Path, name: str) -> int:
    """The class; how many they are."""
    source = nbformat.read(EXERCISES / "source" / f"{name}.ipynb", 4)
    questions = [q for q, cells in by_question(source).items() if has_checks(cells[-1])]
    texts = {
        "model": answered(name),
        "slow": answered(name, slow=CALL / 4),
        **{f"without {question}": answered(name, question) for question in questions},
    }
    for student, text in texts.items():
        (folder / student).mkdir(parents=True)
        (folder / student / f"{name}.ipynb").write_text(text, encoding="utf-8")
    return len(texts)


@contextmanager
def busy(processes: int) -> Iterator[None]:
    """So many processes that never rest, in the meantime."""
    forever = [sys.executable, "-c", "while True: pass"]
    others = [subprocess.Popen(forever) for _ in range(processes)]
    try:
        yield
    finally:
        for process in others:
            process.kill()
            process.wait()


def grades(folder: Path, name: str, out: str) -> tuple[dict[str, list[str]], float]:
    """By student the points of all questions, and how long it took."""
    seconds = timed(
        "grading", name, "--exercises", EXERCISES, "--out", out,
        "--submissions", "handed-in", cwd=folder,
    )  # fmt: skip
    with (folder / out / "grades.csv").open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    points = {row["student"]: list(row.values())[1:-3] for row in rows}
    return points, seconds


def main() -> int:
    """Print both times; the exit code is 1 if any mark differs."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("set", nargs="?", default="kakade")
    name = parser.parse_args().set
    with tempfile.TemporaryDirectory(prefix="olutil-bench-") as temporary:
        folder = Path(temporary)
        count = hand_in(folder / "handed-in", name)
        alone, first = grades(folder, name, "alone")
        with busy(BUSY):
            time.sleep(1)
            beside, second = grades(folder, name, "beside")
    same = alone == beside
    print(
        f"{name}: {count} submissions, {first:.0f} s alone and {second:.0f} s beside "
        f"{BUSY} busy processes; {'every mark is the same' if same else 'NOT the same'}"
    )
    for student in alone:
        if alone[student] != beside.get(student):
            print(f"  {student}: {alone[student]}, {beside.get(student)}")
    return int(not same)


if __name__ == "__main__":
    sys.exit(main())
