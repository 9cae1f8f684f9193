"""Grade a folder of submissions to a problem set.

    python -m grading kakade --submissions handed-in/
    python -m grading kakade --submissions export.zip --due "2027-01-31 23:59"

Everything goes below --out: grades.csv, summary.html, feedback/, exports/ and the
course folder with nbgrader's gradebook. Run it again after new submissions or after
marking by hand: only what changed is graded anew, and no hand mark is lost.
"""

import argparse
import difflib
import os
import sys
import warnings
from contextlib import ExitStack
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any

from grading.lateness import moment


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
        outs = {name: _out(options, name, len(names)) for name in names}
        read = {name: _read(options, name, outs) for name in names}
        again = _again(options.again, [handed for _, handed in read.values()])
        for name, (problem_set, submissions) in read.items():
            _grade_set(options, problem_set, submissions, outs[name], work, again)
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


def _out(options: argparse.Namespace, name: str, sets: int) -> Path:
    """Where a set's results go."""
    if options.out is None:
        return Path("graded") / name
    return options.out / name if sets > 1 else options.out


def _read(
    options: argparse.Namespace, name: str, outs: dict[str, Path]
) -> tuple[Any, list]:
    """A set, and what was handed in."""
    from grading import intake, problems
    from grading.records import Records

    problem_set = problems.ProblemSet.read(options.exercises, name)
    submissions = intake.read(
        options.submissions, name, [name, *problem_set.others], problem_set,
        options.keep, Records.of(outs[name], name).kept(),
    )  # fmt: skip
    # Who has handed in another set that is graded as well has none of this one.
    return problem_set, [s for s in submissions if not outs.keys() & {*s.other_sets}]


def _again(wanted: list[str], sets: list[list]) -> set[str]:
    """The students to be graded again, by the names that were given."""
    from grading import roster

    students = {
        one.student: roster.Handed(one.student, one.number, one.system)
        for submissions in sets
        for one in submissions
    }
    found = set()
    for name in wanted:
        meant = roster.called(name, students.values())
        if len(meant) != 1:
            near = meant or difflib.get_close_matches(name, students, cutoff=0.4)
            raise ValueError(
                "--again: expected the name of one student as in grades.csv, got "
                f"{name!r}, which is {'not one' if meant else 'nobody'} of "
                f"{', '.join(near or sorted(students)[:4])}"
            )
        found.update(meant)
    return found


def _grade_set(
    options: argparse.Namespace, problem_set: Any, submissions: list, out: Path,
    work: Any, again: set[str],
) -> None:  # fmt: skip
    from grading import grade
    from grading.results import Results, only_run

    with only_run(out):
        results = Results.open(
            problem_set, out, db=options.db, due=options.due, late=options.late
        ).knowing(submissions, options.roster)
        if options.zeros and results.matches is None:
            raise ValueError(
                "--zeros: expected --roster, which says who handed in nothing, got none"
            )
        rows = grade.grade(results, submissions, work, again=again, zeros=options.zeros)
    missing = sum(row.missing for row in rows)
    refused = sum(bool(row.refused) for row in rows)
    to_mark = sum(bool(row.to_mark) for row in rows)
    if options.due and any(row.system == "canvas" for row in rows):
        print(
            "--due has no effect on files with Canvas's names: they have no time, "
            "unless the roster says it."
        )
    print(
        f"{len(rows) - refused - missing} graded, {refused} not, {to_mark} to mark by "
        f"hand{f', {missing} with nothing handed in' if missing else ''}: "
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
    parser.add_argument(
        "--roster", type=Path, metavar="FILE",
        help="who is in the course, as a CSV file, with extensions and groups",
    )  # fmt: skip
    parser.add_argument(
        "--zeros", action="store_true",
        help="export a zero for who is on the roster and handed in nothing",
    )  # fmt: skip
    parser.add_argument(
        "--late", type=Path, metavar="FILE",
        help="a Python file with late(points, hours), the points that are taken off",
    )  # fmt: skip
    parser.add_argument(
        "--again", action="append", default=[], metavar="NAME",
        help="a student who is graded again; can be given again",
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
        return moment(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


if __name__ == "__main__":
    sys.exit(main())
