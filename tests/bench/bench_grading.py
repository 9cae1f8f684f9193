"""How long grading takes, beside plain nbgrader's own time; both measured here and now.

    python tests/bench/bench_grading.py [SET ...]

For each set, or all: one honest submission, by `nbgrader autograde` and `nbgrader
generate_feedback` in a course folder that is ready, and by `python -m grading`
in one that is ready; then a folder of 60 with two processes, feedback included.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import nbformat

from grading.release import released

EXERCISES = Path(__file__).resolve().parents[2] / "book" / "exercises"
RATIO = 1.3  # of nbgrader's time, for one submission
FOLDER, SECONDS = 60, 75.0  # submissions on two cores


def timed(*command: object, cwd: Path) -> float:
    """Wall time of a command that must succeed."""
    began = time.perf_counter()
    # Commands of this environment, and no cell that only one of the two would show.
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    subprocess.run(
        [sys.executable, "-m", *map(str, command)],
        cwd=cwd,
        check=True,
        capture_output=True,
        env={**os.environ, "PATH": path},
    )
    return time.perf_counter() - began


def hand_in(folder: Path, name: str, students: list[str]) -> None:
    """Put the reference answers, student by student, in nbgrader's layout."""
    source = nbformat.read(EXERCISES / "source" / f"{name}.ipynb", 4)
    given = released(source)
    for cell, solved in zip(given.cells, source.cells, strict=True):
        if cell.metadata.get("nbgrader", {}).get("solution"):
            cell.source = solved.source
    for student in students:
        at = folder / student / name
        at.mkdir(parents=True)
        nbformat.write(given, at / f"{name}.ipynb")


def plain(folder: Path, name: str) -> float:
    """Seconds of nbgrader's own commands for one submission."""
    (folder / "source" / name).mkdir(parents=True)
    (folder / "nbgrader_config.py").write_text("c = get_config()\n")
    (folder / "source" / name / f"{name}.ipynb").write_bytes(
        (EXERCISES / "source" / f"{name}.ipynb").read_bytes()
    )
    timed("nbgrader", "generate_assignment", name, cwd=folder)
    hand_in(folder / "submitted", name, ["warm", "honest"])
    seconds = 0.0
    for student in ("warm", "honest"):
        seconds = sum(
            timed("nbgrader", command, name, f"--student={student}", cwd=folder)
            for command in ("autograde", "generate_feedback")
        )
    return seconds


def ours(folder: Path, name: str, students: list[str], jobs: int) -> float:
    """Seconds of the command for these submissions, in a course that is ready."""
    folder.mkdir()
    hand_in(folder / "first", name, ["warm"])
    hand_in(folder / "handed-in", name, students)
    seconds = 0.0
    for submissions in ("first", "handed-in"):
        seconds = timed(
            "grading", name, "--exercises", EXERCISES, "--out", "out",
            "--submissions", submissions, "--jobs", jobs, cwd=folder,
        )  # fmt: skip
    return seconds


def measured(name: str) -> tuple[float, float, float]:
    """Seconds of nbgrader and of ours for one submission, and of ours for a folder."""
    students = [f"student{number:02}" for number in range(FOLDER)]
    with tempfile.TemporaryDirectory(prefix="olutil-bench-") as folder:
        return (
            plain(Path(folder, "plain"), name),
            ours(Path(folder, "one"), name, ["honest"], 1),
            ours(Path(folder, "many"), name, students, 2),
        )


def main() -> int:
    """Print all figures; the exit code is 1 if one is above its limit."""
    sets = sorted(path.stem for path in (EXERCISES / "source").glob("*.ipynb"))
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("sets", nargs="*", choices=[*sets, []], metavar="SET")
    above = False
    print("set        nbgrader   this   ratio   60 submissions, two processes")
    for name in parser.parse_args().sets or sets:
        nbgrader, one, many = measured(name)
        print(
            f"{name:<10}{nbgrader:7.1f} s {one:4.1f} s {one / nbgrader:6.2f} "
            f"{many:10.1f} s",
            flush=True,
        )
        above |= one > RATIO * nbgrader or many > SECONDS
    print(f"at most                      {RATIO:6.2f} {SECONDS:10.1f} s")
    return int(above)


if __name__ == "__main__":
    sys.exit(main())
