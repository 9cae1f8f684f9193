"""One command of an instructor: grade a folder of submissions to a problem set."""

import hashlib
import importlib.metadata
import json
import secrets
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from pathlib import Path
from types import ModuleType

import nbformat
from joblib import Parallel, delayed
from nbformat import NotebookNode
from tqdm import tqdm

from olutil.grading import exports, graft, intake, report, sandbox
from olutil.grading.checks import Checks
from olutil.grading.course import Course
from olutil.grading.intake import Submission
from olutil.grading.marking import Cell, Result, mark
from olutil.grading.report import Row


@dataclass(frozen=True)
class ProblemSet:
    """A problem set: its source with solutions, and its hidden checks."""

    name: str
    source: Path
    checks: Path

    @classmethod
    def at(cls, folder: Path, name: str) -> "ProblemSet":
        """The set of that name below ``folder``, which has source/ and checks/.

        Raises
        ------
        ValueError
            If there is none.
        """
        source, checks = (
            folder / "source" / f"{name}.ipynb",
            folder / "checks" / f"{name}.py",
        )
        if not source.is_file() or not checks.is_file():
            known = sorted(path.stem for path in (folder / "checks").glob("[!_]*.py"))
            raise ValueError(
                f"problem set: expected one of {', '.join(known) or 'none'} "
                f"in {folder}, got {name!r}"
            )
        return cls(name, source, checks)


@cache
def load(text: str) -> Checks:
    """The checks of a module's text."""
    module = ModuleType("hidden_checks")
    exec(compile(text, "hidden_checks", "exec"), vars(module))
    return module.checks


def check_points(notebook: NotebookNode, checks: Checks) -> dict[str, float]:
    """The points of each question, by the notebook; the checks must agree.

    Raises
    ------
    ValueError
        If a question has no checks, checks have no question, or their points differ.
    """
    points = {}
    graded = checks.questions()
    for cell in notebook.cells:
        about = cell.metadata.get("nbgrader", {})
        if not about.get("grade"):
            continue
        name = graft.grade_id(cell)
        points[name] = float(about["points"])
        if graft.is_question(cell):
            found = sum(check.points for check in graded.pop(name, []))
            if found != points[name]:
                raise ValueError(
                    f"{name}: has {points[name]:g} points, its checks {found:g}"
                )
    if graded:
        raise ValueError(f"checks of no question: {', '.join(graded)}")
    return points


# --- The work: stateless, anywhere --------------------------------------


def mark_one(checks: str, cells: list[Cell], seed: int) -> Result:
    """Mark one submission; a fault of the grader is a note, not the end of the run."""
    try:
        return mark(cells, load(checks), seed)
    except sandbox.NoSandbox:
        raise
    except Exception as error:
        return Result(notes=[f"the grader stumbled: {type(error).__name__}: {error}"])


def mark_there(student: str, checks: str, cells: list[Cell], seed: int):
    """The same with the student's name, for results that come in any order."""
    return student, mark_one(checks, cells, seed)


def locally(tasks: list[tuple], jobs: int) -> Iterator[tuple[str, Result]]:
    """Spread the work over the processes of this machine."""
    pool = Parallel(n_jobs=jobs, return_as="generator_unordered", batch_size=1)
    yield from pool(delayed(mark_there)(*task) for task in tasks)


def on_cluster(tasks: list[tuple], address: str) -> Iterator[tuple[str, Result]]:
    """Spread the same work over a dask.distributed cluster."""
    from dask.distributed import Client, as_completed

    with Client(address) as client:
        client.run(sandbox.preflight)
        futures = [client.submit(mark_there, *task, pure=False) for task in tasks]
        for future in as_completed(futures):
            yield future.result()


# --- The run ------------------------------------------------------------


class Run:
    """A folder of results: what was marked stays marked until its cause changes.

    Parameters
    ----------
    problems : ProblemSet
    out : Path
        Holds the course folder, grades.csv, summary.html and the exports.
    db : str, optional
        Address of the gradebook.
    due : datetime, optional
        After it a submission is late.
    """

    def __init__(
        self, problems: ProblemSet, out: Path, *, db: str | None = None,
        due: datetime | None = None,
    ) -> None:  # fmt: skip
        self.problems = problems
        self.out = out
        self.checks = problems.checks.read_text(encoding="utf-8")
        self.questions = check_points(
            nbformat.read(problems.source, 4), load(self.checks)
        )
        out.mkdir(parents=True, exist_ok=True)
        self.course = Course(out / "course", db)
        self.released = self.course.release(problems.name, problems.source, due)
        self.marks = out / "marks" / problems.name
        self.marks.mkdir(parents=True, exist_ok=True)

    def grade(self, submissions: list[Submission], work, say=print) -> list[Row]:
        """Grade what is new or changed, store it, and write the reports.

        Parameters
        ----------
        submissions : list of Submission
        work : callable
            `locally` or `on_cluster` with its last parameter bound.
        say : callable
            Takes one line a submission.
        """
        grafted = {}
        refused = {s.student: s.refused for s in submissions if s.refused}
        for submission in submissions:
            if submission.notebook is None:
                continue
            try:
                grafted[submission.student] = graft.graft(
                    self.released, submission.notebook
                )
            except graft.Unusable as error:
                refused[submission.student] = str(error)
        by_student = {s.student: s for s in submissions}
        for student, why in refused.items():
            say(f"{student}: not graded: {why}")
        keys = {student: self.key(book) for student, (book, _) in grafted.items()}
        pending = [s for s, key in keys.items() if self.stored(s).get("key") != key]
        say(f"{len(grafted) - len(pending)} unchanged, {len(pending)} to grade")
        tasks = [
            (s, self.checks, graft.code(grafted[s][0]), secrets.randbits(64))
            for s in pending
        ]
        bar = tqdm(total=len(tasks), unit="submission", disable=not sys.stderr.isatty())
        with bar:
            for student, result in work(tasks):
                notebook, notes = grafted[student]
                result.notes = [*notes, *result.notes]
                if result.outcomes.keys() >= load(self.checks).questions().keys():
                    at = by_student[student].handed_in
                    self.course.store(self.problems.name, student, notebook, result, at)
                    self.keep(student, keys[student], result)
                    earned = sum(map(result.earned, result.outcomes))
                    say(f"{student}: {earned:g} points in {result.seconds:.1f} s")
                else:
                    refused[student] = "; ".join(result.notes)
                    say(f"{student}: not graded: {refused[student]}")
                bar.update()
        return self.report(submissions, refused)

    def key(self, notebook: NotebookNode) -> str:
        """Changes with whatever could change the grade."""
        parts = [
            json.dumps([cell.source for cell in notebook.cells]),
            self.checks,
            importlib.metadata.version("olutil"),
        ]
        return hashlib.sha256("\0".join(parts).encode()).hexdigest()

    def stored(self, student: str) -> dict:
        """What was kept of a student's last grading, or nothing."""
        try:
            return json.loads((self.marks / f"{student}.json").read_text("utf-8"))
        except (FileNotFoundError, ValueError):
            return {}

    def keep(self, student: str, key: str, result: Result, shown: str = "") -> None:
        """Remember a result, after it is in the gradebook."""
        path = self.marks / f"{student}.json"
        new = path.with_suffix(".new")
        content = {"key": key, "shown": shown, "result": result.plain()}
        new.write_text(json.dumps(content, ensure_ascii=False), encoding="utf-8")
        new.replace(path)

    # --- What is left for people --------------------------------------

    def report(
        self, submissions: list[Submission], refused: dict[str, str]
    ) -> list[Row]:
        """Write feedback where a grade is new, and all tables."""
        rows = [self.row(submission, refused) for submission in submissions]
        whole = sum(self.questions.values())
        name = self.problems.name
        report.grades(self.out / "grades.csv", rows, self.questions)
        report.summary(self.out / "summary.html", name, rows, self.questions)
        folder = self.out / "exports"
        (folder / "gradescope").mkdir(parents=True, exist_ok=True)
        numbers = [submission.number for submission in submissions]
        numbered = list(zip(rows, numbers, strict=True))
        exports.canvas(folder / "canvas.csv", name, numbered, whole)
        exports.moodle(folder / "moodle.csv", numbered, whole)
        for row in rows:
            kept = self.stored(row.student)
            if not row.refused and kept:
                result = Result.of(kept["result"])
                exports.gradescope(
                    folder / "gradescope" / f"{row.student}.json", row, result
                )
        return rows

    def row(self, submission: Submission, refused: dict[str, str]) -> Row:
        """A student's line, with the marks that were given by hand."""
        student, at = submission.student, submission.handed_in.isoformat(" ", "minutes")
        if student in refused:
            return Row(student, submission.file, refused=refused[student], handed_in=at)
        kept = self.stored(student)
        result = Result.of(kept["result"])
        standing = self.course.standing(self.problems.name, student)
        page = self.out / "feedback" / f"{student}.html"
        if kept["shown"] != standing.digest or not page.exists():
            page.parent.mkdir(exist_ok=True)
            made = self.course.feedback(self.problems.name, student)
            page.write_text(made, encoding="utf-8")
            self.keep(student, kept["key"], result, standing.digest)
        return Row(
            student,
            submission.file,
            points=standing.points,
            total=standing.total,
            seconds_late=standing.seconds_late,
            to_mark=standing.to_mark,
            notes=tuple(result.notes),
            feedback=f"feedback/{student}.html",
            handed_in=at,
        )


def submissions(source: Path, name: str) -> Iterable[Submission]:
    """As `intake.read`, with an error that names the argument."""
    if not source.exists():
        raise ValueError(f"submissions: expected a folder or a zip, got {source}")
    return intake.read(source, name)
