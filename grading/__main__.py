"""Grade a folder of submissions to a problem set.

    python -m grading kakade --submissions handed-in/
    python -m grading kakade --submissions export.zip --due "2027-01-31 23:59"

Everything goes below --out: grades.csv, summary.html, feedback/, exports/ and the
course folder with nbgrader's gradebook. Run it again after new submissions or after
marking by hand: only what changed is graded anew, and no hand mark is lost.
"""

import argparse
import os
import sys
import warnings
from contextlib import ExitStack
from datetime import date, datetime, time
from functools import partial
from pathlib import Path
from typing import Any


def main(arguments: list[str] | None = None) -> int:
    """The command; its exit code is 0 if all submissions were graded or refused."""
    parser = _parser()
    options = parser.parse_args(arguments)
    if options.jobs < 1:
        parser.error(f"--jobs: expected at least 1, got {options.jobs}")
    try:
        import grading.grade  # noqa: F401
    except ModuleNotFoundError as error:
        if error.name and error.name.startswith("grading"):
            raise
        print(f"{error}: grading needs pip install '.[grading]'", file=sys.stderr)
        return 2
    # SQLAlchemy's remarks on nbgrader's models.
    warnings.filterwarnings("ignore", module="nbgrader")
    try:
        with ExitStack() as stack:
            return _grade(options, stack)
    except KeyboardInterrupt:
        print("Interrupted. What is graded stays; the same command goes on.")
        return 130


def _grade(options: argparse.Namespace, stack: ExitStack) -> int:
    from grading import intake, parallel, problems, sandbox

    work = partial(parallel.on_cores, jobs=options.jobs)
    try:
        known = problems.signs_of_all(options.exercises)
        if not (options.set or known):
            raise ValueError(
                "--exercises: expected a folder with problem sets, source/SET.ipynb "
                f"and checks/SET.py, found none in {options.exercises}: name another "
                "(make grade EXERCISES=...)"
            )
        names = options.set or _common(intake.which(options.submissions, known))
        sandbox.preflight()
        if options.dask:
            work = stack.enter_context(parallel.on_cluster(options.dask))
        for name in names:
            out = options.out or Path("graded") / name
            if options.out and len(names) > 1:
                out = options.out / name
            _grade_set(options, name, out, work)
    except (ValueError, sandbox.NoSandbox) as error:
        print(error, file=sys.stderr)
        return 2
    return 0


def _common(found: dict[str, int]) -> list[str]:
    """The sets to grade: not one of which a few students have left a notebook."""
    most = max(found.values())
    names = [name for name, count in found.items() if 4 * count >= most]
    for name in found.keys() - set(names):
        files = "notebook" if found[name] == 1 else "notebooks"
        print(f"Not graded: {found[name]} {files} of {name}, unless asked: SET={name}")
    return names


def _grade_set(options: argparse.Namespace, name: str, out: Path, work: Any) -> None:
    from grading import grade, intake, problems

    problem_set = problems.ProblemSet.read(options.exercises, name)
    submissions = intake.read(
        options.submissions, name, [name, *problem_set.others], problem_set,
        options.keep,
    )  # fmt: skip
    with grade.only_run(out):
        results = grade.Results.open(problem_set, out, db=options.db, due=options.due)
        rows = grade.grade(results, submissions, work)
    refused = sum(bool(row.refused) for row in rows)
    to_mark = sum(bool(row.to_mark) for row in rows)
    if options.due and any(row.system == "canvas" for row in rows):
        print("--due has no effect on files with Canvas's names: they have no time.")
    print(
        f"{len(rows) - refused} graded, {refused} not, {to_mark} to mark by hand: "
        f"{out / 'summary.html'}"
    )


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m grading",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "set",
        nargs="*",
        help="problem sets, such as kakade (default: those of the notebooks)",
    )
    parser.add_argument(
        "--submissions", type=_path, required=True, metavar="PATH",
        help="a folder or a zip, as a learning-management system exports it",
    )  # fmt: skip
    parser.add_argument(
        "--keep", action="append", default=[], metavar="FILE",
        help="of several files of a student the one that counts; can be given again",
    )  # fmt: skip
    parser.add_argument(
        "--exercises", type=Path, default=Path("book/exercises"), metavar="FOLDER",
        help="has source/ and checks/ (default: %(default)s)",
    )  # fmt: skip
    parser.add_argument(
        "--out",
        type=Path,
        metavar="FOLDER",
        help="where results go (default: graded/SET)",
    )
    parser.add_argument(
        "--db",
        metavar="URL",
        help="gradebook (default: a SQLite file in the course folder)",
    )
    parser.add_argument(
        "--due", type=_time, metavar="TIME",
        help="after it a submission is late: '2027-01-31 23:59', local time unless it "
        "says otherwise; a date alone is the end of that day",
    )  # fmt: skip
    where = parser.add_mutually_exclusive_group()
    where.add_argument(
        "--jobs", type=int, default=os.cpu_count(), metavar="N",
        help="processes (default: all cores, %(default)s)",
    )  # fmt: skip
    where.add_argument(
        "--dask",
        metavar="ADDRESS",
        help="scheduler of a dask.distributed cluster instead",
    )
    return parser


def _path(text: str) -> Path:
    # An empty path would be the folder of the book.
    if not text.strip():
        raise argparse.ArgumentTypeError(
            "expected a folder or a zip, got nothing: make grade SUBMISSIONS=PATH"
        )
    return Path(text)


def _time(text: str) -> datetime:
    try:
        return datetime.combine(date.fromisoformat(text), time.max)
    except ValueError:
        pass
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        raise argparse.ArgumentTypeError(
            f"expected a time such as '2027-01-31 23:59', got {text!r}"
        ) from None


if __name__ == "__main__":
    sys.exit(main())
