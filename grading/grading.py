"""One command of an instructor: grade a folder of submissions to a problem set."""

import ast
import fcntl
import hashlib
import importlib.metadata
import json
import re
import secrets
import sys
import traceback
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

import nbformat
from nbformat import NotebookNode
from tqdm import tqdm

from grading import exports, graft, report
from grading.checks import Checks
from grading.course import Course, NbGraderStumbled
from grading.intake import Submission
from grading.marking import Result
from grading.release import students
from grading.report import Row
from grading.spread import Task, load


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
        missing = [str(path) for path in (source, checks) if not path.is_file()]
        if missing:
            raise ValueError(
                f"set: expected one of those in {folder} "
                f"({', '.join(cls.names(folder)) or 'there is none'}), got {name!r}: "
                f"there is no {' and no '.join(missing)}"
            )
        return cls(name, source, checks)

    def others(self) -> dict[str, set[str]]:
        """The other sets beside it, and the names of their cells."""
        found = {}
        for path in self.source.parent.glob("*.ipynb"):
            if path != self.source:
                try:
                    cells = nbformat.read(path, 4).cells
                except (OSError, ValueError):
                    continue  # a draft that is not whole is no set yet
                found[path.stem] = {graft.grade_id(cell) for cell in cells} - {None}
        return found

    @staticmethod
    def names(folder: Path) -> list[str]:
        """The names of the sets below ``folder``: of those that are whole."""
        checked = {path.stem for path in (folder / "checks").glob("[!_]*.py")}
        return sorted(checked & {p.stem for p in (folder / "source").glob("*.ipynb")})


def loaded(checks: str, path: Path) -> Checks:
    """The checks of a module's text.

    Raises
    ------
    ValueError
        If it does not run, or has none.
    """
    try:
        return load(checks)
    except Exception as error:
        frames = traceback.extract_tb(error.__traceback__)
        lines = [frame.lineno for frame in frames if frame.filename == "hidden_checks"]
        where = f", line {lines[-1]}" if lines else ""
        raise ValueError(
            f"{path}{where}: expected a module with checks = Checks(), got "
            f"{type(error).__name__}: {error}"
        ) from None


def check_points(notebook: NotebookNode, checks: Checks) -> dict[str, float]:
    """The points of each question, by the notebook; the checks must agree.

    Raises
    ------
    ValueError
        If a question has no checks, checks have no question, or their points differ.
    """
    points = {}
    graded = checks.questions()
    asked = {graft.grade_id(cell) for cell in notebook.cells if graft.is_question(cell)}
    if unknown := graded.keys() - asked:
        raise ValueError(
            f"checks of no question: {', '.join(sorted(unknown))}; the questions are "
            f"{', '.join(sorted(asked)) or 'none'}"
        )
    for cell in notebook.cells:
        about = cell.metadata.get("nbgrader", {})
        if not about.get("grade"):
            continue
        name = graft.grade_id(cell)
        points[name] = float(about["points"])
        if graft.is_question(cell):
            found = sum(check.points for check in graded.get(name, []))
            if found != points[name]:
                raise ValueError(
                    f"{name}: has {points[name]:g} points, its checks {found:g}"
                )
    return points


def check_names(notebook: NotebookNode, checks: str, path: Path) -> None:
    """A check that asks for a name which nobody has would fail everybody's answer.

    Raises
    ------
    ValueError
        If a name that the checks ask a student for is no word of the notebook's code.
    """
    cells = (cell.source for cell in notebook.cells if cell.cell_type == "code")
    words = set(re.findall(r"\w+", "\n".join(cells)))
    for node in ast.walk(ast.parse(checks)):
        match node:
            case ast.Call(
                func=ast.Attribute(
                    value=ast.Name("student"), attr="call" | "new" | "get"
                ),
                args=[ast.Constant(str(name)), *_],
            ) if name not in words:
                raise ValueError(
                    f"{path}, line {node.lineno}: expected a name that the set's "
                    f"source defines, got {name!r}"
                )


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

    Raises
    ------
    ValueError
        If the set is not whole, or the folder or the gradebook cannot be used.
    """

    def __init__(
        self, problems: ProblemSet, out: Path, *, db: str | None = None,
        due: datetime | None = None,
    ) -> None:  # fmt: skip
        self.name = problems.name
        self.out = out
        self.checks = problems.checks.read_text(encoding="utf-8")
        students(problems.source)  # or it says what is wrong, which nbgrader does not
        source = nbformat.read(problems.source, 4)
        self.questions = check_points(source, loaded(self.checks, problems.checks))
        check_names(source, self.checks, problems.checks)
        self.marks = out / "marks" / self.name
        self._must_be_its_own()
        self.course = Course(out / "course", db)
        self.released = self.course.release(self.name, problems.source, due)
        self.others = problems.others()
        for folder in self.marks, out / "feedback", out / "exports" / "gradescope":
            folder.mkdir(parents=True, exist_ok=True)
        self.moved = self._moved(problems.source.resolve().parent.parent)

    def _must_be_its_own(self) -> None:
        """Tables and pages of two sets in one folder would be written over."""
        others = {path.parent.name for path in self.out.glob("marks/*/origin.txt")}
        if others := sorted(others - {self.name}):
            raise ValueError(
                f"--out: expected a folder for the set {self.name} alone, got "
                f"{self.out}, which has the results of {', '.join(others)}"
            )

    def _moved(self, now: Path) -> str:
        """A line if the set comes from another folder than last time."""
        path = self.marks / "origin.txt"
        before = path.read_text("utf-8") if path.exists() else str(now)
        report.write(path, str(now))
        if before == str(now):
            return ""
        return (
            f"The set comes from {now} now; the last run had it from {before}. "
            "Where the two differ, all are graded anew."
        )

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
        if self.moved:
            say(self.moved)
        there = self.course.graded(self.name)
        refused, unchanged, pending = [], [], {}
        for handed in submissions:
            try:
                notebook, notes = self.graft(handed)
            except graft.Unusable as error:
                refused.append(self.refusal(handed, str(error), there))
                say(f"{handed.student}: not graded: {error}")
                continue
            handed = replace(handed, notes=(*handed.notes, *notes))
            key = self.key(notebook)
            if handed.student in there and self.kept(handed.student).get("key") == key:
                self.remember(handed)
                unchanged.append(handed.student)
            else:
                pending[handed.student] = handed, notebook, key
        say(f"{len(unchanged)} unchanged, {len(pending)} to grade")
        rows = []
        tasks = [
            (student, self.checks, graft.code(notebook), secrets.randbits(64))
            for student, (_, notebook, _) in pending.items()
        ]
        with tqdm(
            total=len(tasks), unit="submission", disable=not sys.stderr.isatty()
        ) as bar:
            for student, result in work(tasks) if tasks else []:
                handed, notebook, key = pending[student]
                try:
                    self.store(handed, notebook, result, key)
                    row = self.row(student)
                    rows.append(row)
                    say(f"{student}: {self.earned(row)}, {result.seconds:.1f} s")
                except (graft.Unusable, NbGraderStumbled) as error:
                    refused.append(self.refusal(handed, str(error), there))
                    say(f"{student}: not graded: {error}")
                bar.update()
        rows += map(self.row, unchanged)
        absent = there - {handed.student for handed in submissions}
        rows += [self.row(s, note="handed in before, not this time") for s in absent]
        rows = sorted([*rows, *refused], key=lambda row: row.student)
        self.report(rows)
        for check, what in report.stumbled(rows).items():
            say(f"The check {check!r} stumbled, mark by hand or mend it: {what}")
        return rows

    def graft(self, handed: Submission) -> tuple[NotebookNode, list[str]]:
        """The released notebook with the student's text.

        Raises
        ------
        Unusable
        """
        if handed.notebook is None:
            raise graft.Unusable(handed.refused)
        return graft.graft(self.released, handed.notebook, self.others)

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
        self.course.store(self.name, handed.student, notebook, result)
        self.remember(handed, {"key": key, "result": result.plain()})

    def remember(self, handed: Submission, graded: dict | None = None) -> None:
        """Keep what is known of a file beside its answers, which may change alone."""
        self.course.handed_in(self.name, handed.student, handed.handed_in)
        kept = self.kept(handed.student) | (graded or {})
        about = {
            "number": handed.number, "system": handed.system, "late": handed.late,
            "notes": list(handed.notes),
        }  # fmt: skip
        report.write(self.path(handed.student), json.dumps(kept | about))

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

    def row(self, student: str, *, note: str = "", refused: str = "") -> Row:
        """A student's line with the marks given by hand, and the feedback page.

        Parameters
        ----------
        student : str
            Who is in the gradebook.
        note : str
            For the instructor.
        refused : str
            Why the newest file was not graded, if it was not.
        """
        kept = self.kept(student)
        standing = self.course.standing(self.name, student)
        said = kept.get("notes", [])
        if refused:
            said = [
                f"the newest file is not graded ({refused}): this is the grade of an "
                "earlier one",
                *said,
            ]
        page = self.out / "feedback" / f"{student}.html"
        shown = hashlib.sha256(repr((standing, said)).encode()).hexdigest()
        if kept.get("shown") != shown or not page.exists():
            text = self.course.feedback(self.name, student, standing.marks, said)
            report.write(page, text)
            if kept:
                report.write(self.path(student), json.dumps(kept | {"shown": shown}))
        result = Result.of(kept["result"]) if kept else Result()
        to_mark = standing.marks.to_mark
        return Row(
            student,
            number=kept.get("number", ""),
            system=kept.get("system", ""),
            points=standing.marks.points,
            total=standing.total,
            seconds_late=standing.seconds_late,
            marked_late=kept.get("late", False),
            to_mark=to_mark,
            stumbled={
                f"{question}: {title}": fault
                for question, faults in result.faults().items()
                for title, fault in faults.items()
                if question in to_mark
            },
            notes=(*said, *result.notes, *standing.overruled, *filter(None, [note])),
            refused=refused,
            feedback=f"feedback/{student}.html",
            handed_in=_time(standing.handed_in),
        )

    def earned(self, row: Row) -> str:
        """A row's total in words, of what is marked so far."""
        unmarked = sum(
            points
            for question, points in self.questions.items()
            if row.points.get(question) is None
        )
        marked = sum(self.questions.values()) - unmarked
        rest = f", {unmarked:g} more to mark by hand" if unmarked else ""
        return f"{row.total:g} of {marked:g} points{rest}"

    def refusal(self, handed: Submission, why: str, there: set[str]) -> Row:
        """The line of a submission that is not graded; an earlier grade stays."""
        if handed.file not in ("", handed.student):
            why = f"{why} ({handed.file})"
        if handed.student in there and self.course.shows(self.name, handed.student):
            return self.row(handed.student, refused=why)
        return Row(
            handed.student,
            number=handed.number,
            system=handed.system,
            marked_late=handed.late,
            refused=why,
            notes=handed.notes,
            handed_in=_time(handed.handed_in),
        )

    def report(self, rows: list[Row]) -> None:
        """Write all tables."""
        report.grades(self.out / "grades.csv", rows, self.questions)
        report.summary(self.out / "summary.html", self.name, rows, self.questions)
        folder, whole = self.out / "exports", sum(self.questions.values())
        graded = [row for row in rows if row.total is not None]
        exports.canvas(folder / "canvas.csv", self.name, graded, whole)
        exports.moodle(folder / "moodle.csv", graded, whole)
        for row in graded:
            if kept := self.kept(row.student):
                to = folder / "gradescope" / f"{row.student}.json"
                result = Result.of(kept["result"])
                exports.gradescope(to, row, result, self.questions)


def _time(when: datetime | None) -> str:
    return "" if when is None else when.astimezone(UTC).strftime("%Y-%m-%d %H:%M UTC")
