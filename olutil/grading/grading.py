"""One command of an instructor: grade a folder of submissions to a problem set."""

import fcntl
import hashlib
import importlib.metadata
import json
import secrets
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import nbformat
from nbformat import NotebookNode
from tqdm import tqdm

from olutil.grading import exports, graft, report
from olutil.grading.checks import Checks
from olutil.grading.course import Course, NbGraderStumbled
from olutil.grading.intake import Submission
from olutil.grading.marking import Result
from olutil.grading.report import Row
from olutil.grading.spread import Task, load


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
        source = folder / "source" / f"{name}.ipynb"
        checks = folder / "checks" / f"{name}.py"
        if not source.is_file() or not checks.is_file():
            raise ValueError(
                f"set: expected one of those in {folder} "
                f"({', '.join(cls.names(folder)) or 'there is none'}), got {name!r}"
            )
        return cls(name, source, checks)

    @staticmethod
    def names(folder: Path) -> list[str]:
        """The names of the sets below ``folder``."""
        return sorted(path.stem for path in (folder / "checks").glob("[!_]*.py"))


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


# --- The run ------------------------------------------------------------


@contextmanager
def alone(out: Path) -> Iterator[None]:
    """Make the folder of results, and keep other runs out of it.

    Raises
    ------
    ValueError
        If it cannot be written, or another run is writing there.
    """
    try:
        out.mkdir(parents=True, exist_ok=True)
        lock = (out / ".lock").open("w")
    except OSError as error:
        raise ValueError(
            f"--out: expected a folder that can be written, got {out} "
            f"({error.strerror})"
        ) from None
    with lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise ValueError(
                f"--out: expected a folder for this run alone, got {out}, "
                "into which another run is grading now"
            ) from None
        yield


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
        After it a submission is late; without it, what the gradebook knows holds.
    """

    def __init__(
        self, problems: ProblemSet, out: Path, *, db: str | None = None,
        due: datetime | None = None,
    ) -> None:  # fmt: skip
        self.name = problems.name
        self.out = out
        self.checks = problems.checks.read_text(encoding="utf-8")
        source = nbformat.read(problems.source, 4)
        self.questions = check_points(source, load(self.checks))
        self.course = Course(out / "course", db)
        self.released = self.course.release(self.name, problems.source, due)
        self.marks = out / "marks" / self.name
        for folder in self.marks, out / "feedback", out / "exports" / "gradescope":
            folder.mkdir(parents=True, exist_ok=True)

    def grade(
        self,
        submissions: list[Submission],
        work: Callable[[list[Task]], Iterable[tuple[str, Result]]],
        say: Callable[[str], None] = tqdm.write,
    ) -> list[Row]:
        """Grade what is new or changed, store it, and write the reports.

        Parameters
        ----------
        submissions : list of Submission
        work : callable
            `spread.locally` with its number of jobs bound, or what `spread.cluster`
            gives.
        say : callable
            Takes one line a submission.

        Returns
        -------
        list of Row
            Of these submissions, and of those that were graded before.
        """
        there = self.course.graded(self.name)
        refused, unchanged, pending = [], [], {}
        for handed in submissions:
            try:
                notebook, notes = self.graft(handed)
            except graft.Unusable as error:
                refused.append(self.refusal(handed, str(error), there))
                say(f"{handed.student}: not graded: {error}")
                continue
            key = self.key(notebook)
            if handed.student in there and self.kept(handed.student).get("key") == key:
                unchanged.append(handed.student)
            else:
                pending[handed.student] = handed, notebook, notes, key
        say(f"{len(unchanged)} unchanged, {len(pending)} to grade")
        rows = []
        tasks = [
            (student, self.checks, graft.code(notebook), secrets.randbits(64))
            for student, (_, notebook, _, _) in pending.items()
        ]
        with tqdm(
            total=len(tasks), unit="submission", disable=not sys.stderr.isatty()
        ) as bar:
            for student, result in work(tasks) if tasks else []:
                handed, notebook, notes, key = pending[student]
                result.notes = [*notes, *result.notes]
                try:
                    self.store(handed, notebook, result, key)
                    row = self.row(student)
                    rows.append(row)
                    say(f"{student}: {row.total:g} points in {result.seconds:.1f} s")
                except (graft.Unusable, NbGraderStumbled) as error:
                    refused.append(self.refusal(handed, str(error), there))
                    say(f"{student}: not graded: {error}")
                bar.update()
        rows += map(self.row, unchanged)
        absent = there - {handed.student for handed in submissions}
        rows += [self.row(s, "handed in before, not this time") for s in absent]
        rows = sorted([*rows, *refused], key=lambda row: row.student)
        self.report(rows)
        return rows

    def graft(self, handed: Submission) -> tuple[NotebookNode, list[str]]:
        """The released notebook with the student's text.

        Raises
        ------
        Unusable
        """
        if handed.notebook is None:
            raise graft.Unusable(handed.refused)
        return graft.graft(self.released, handed.notebook)

    def key(self, notebook: NotebookNode) -> str:
        """Changes with whatever could change the grade."""
        parts = [
            json.dumps([(cell.source, cell.metadata) for cell in notebook.cells]),
            self.checks,
            importlib.metadata.version("olutil"),
        ]
        return hashlib.sha256("\0".join(parts).encode()).hexdigest()

    # --- What was graded stays on the disk ------------------------------

    def store(
        self, handed: Submission, notebook: NotebookNode, result: Result, key: str
    ) -> None:
        """Enter a result into the gradebook, and remember of what it is the result.

        Raises
        ------
        Unusable
            If the grader has stumbled over the submission.
        NbGraderStumbled
            If nbgrader has.
        """
        if not result.outcomes.keys() >= load(self.checks).questions().keys():
            raise graft.Unusable("; ".join(result.notes))
        path = self.path(handed.student)
        # Until all is stored there is no key, so a run that is killed here begins anew.
        path.unlink(missing_ok=True)
        self.course.store(self.name, handed.student, notebook, result, handed.handed_in)
        kept = {"key": key, "number": handed.number, "result": result.plain()}
        report.write(path, json.dumps(kept))

    def path(self, student: str) -> Path:
        """Where a student's last result is kept."""
        return self.marks / f"{student}.json"

    def kept(self, student: str) -> dict:
        """What was kept of a student's last grading, or nothing."""
        try:
            return json.loads(self.path(student).read_text("utf-8"))
        except (FileNotFoundError, ValueError):
            return {}

    # --- What is left for people --------------------------------------

    def row(self, student: str, note: str = "") -> Row:
        """A student's line with the marks given by hand, and the feedback page."""
        kept = self.kept(student)
        standing = self.course.standing(self.name, student)
        page = self.out / "feedback" / f"{student}.html"
        if kept.get("shown") != standing.digest or not page.exists():
            report.write(page, self.course.feedback(self.name, student))
            if kept:
                kept["shown"] = standing.digest
                report.write(self.path(student), json.dumps(kept))
        notes = kept["result"]["notes"] if kept else []
        return Row(
            student,
            number=kept.get("number", ""),
            points=standing.points,
            total=standing.total,
            seconds_late=standing.seconds_late,
            to_mark=standing.to_mark,
            notes=(*notes, note) if note else tuple(notes),
            feedback=f"feedback/{student}.html",
            handed_in=_time(standing.handed_in),
        )

    def refusal(self, handed: Submission, why: str, there: set[str]) -> Row:
        """The line of a submission that is not graded."""
        if handed.file not in ("", handed.student):
            why = f"{why} ({handed.file})"
        stands = "the gradebook keeps the grade of an earlier file"
        return Row(
            handed.student,
            number=handed.number,
            refused=why,
            notes=(stands,) if handed.student in there else (),
            handed_in=_time(handed.handed_in),
        )

    def report(self, rows: list[Row]) -> None:
        """Write all tables."""
        report.grades(self.out / "grades.csv", rows, self.questions)
        report.summary(self.out / "summary.html", self.name, rows, self.questions)
        folder, whole = self.out / "exports", sum(self.questions.values())
        graded = [row for row in rows if not row.refused]
        exports.canvas(folder / "canvas.csv", self.name, graded, whole)
        exports.moodle(folder / "moodle.csv", graded, whole)
        for row in graded:
            if kept := self.kept(row.student):
                to = folder / "gradescope" / f"{row.student}.json"
                exports.gradescope(to, row, Result.of(kept["result"]))


def _time(when: datetime) -> str:
    return when.astimezone(UTC).strftime("%Y-%m-%d %H:%M UTC")
