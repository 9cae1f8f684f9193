"""An answer on its way to the gradebook: from submissions to marks, tables and pages.

A `Submission` becomes a `Record`: first the released notebook with the student's
answers, then also what came of them when they were marked.  The record is written to a
file and entered in the gradebook.  What the gradebook then says, with all marks given
by hand, becomes a `Row` of the tables.  What a term adds to it is asked on the way: who
is in the course (`roster`), what lateness costs (`lateness`), what several graders say
(`graders`), and which answers are alike (`likeness`).
"""

import fcntl
import secrets
import sys
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Any

import nbformat
from nbformat import NotebookNode
from tqdm import tqdm

from grading import (
    exports,
    feedback,
    files,
    graders,
    lateness,
    likeness,
    report,
    roster,
)
from grading.answers import Unusable, fill
from grading.cells import code
from grading.course import Course, NbGraderError
from grading.intake import Submission
from grading.marking import Result
from grading.parallel import Task
from grading.problems import ProblemSet
from grading.records import Record, Records, key
from grading.report import Row

Work = Callable[[list[Task]], Iterable[tuple[str, Result]]]


@contextmanager
def only_run(out: Path) -> Iterator[None]:
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


@dataclass(frozen=True)
class Results:
    """A folder of results: the records, the course folder, the tables and the pages."""

    problems: ProblemSet
    out: Path
    records: Records
    course: Course
    released: NotebookNode
    late: lateness.Policy | None = None
    matches: roster.Matches | None = None
    opinions: graders.Opinions = field(default_factory=dict)

    @classmethod
    def open(
        cls, problems: ProblemSet, out: Path, *, db: str | None = None,
        due: datetime | None = None, late: Path | None = None,
    ) -> "Results":  # fmt: skip
        """Make a folder ready for the results of a set.

        Parameters
        ----------
        problems : ProblemSet
        out : Path
            Holds the course folder, grades.csv, summary.html and the exports.
        db : str, optional
            Address of the gradebook.
        due : datetime, optional
            After it a submission is late; without it, what the gradebook knows holds.
        late : Path, optional
            The course's own function for lateness; without it, that of the last run.

        Raises
        ------
        ValueError
            If the folder or the gradebook cannot be used.
        """
        # Tables and pages of two sets in one folder would be written over.
        others = {path.parent.name for path in out.glob("marks/*/origin.txt")}
        if others := sorted(others - {problems.name}):
            raise ValueError(
                f"--out: expected a folder for the set {problems.name} alone, got "
                f"{out}, which has the results of {', '.join(others)}"
            )
        course = Course(out / "course", problems.name, db)
        released = course.release(problems.source, due)
        for folder in "feedback", "graders", "exports/gradescope":
            (out / folder).mkdir(parents=True, exist_ok=True)
        records = Records.of(out, problems.name)
        records.folder.mkdir(parents=True, exist_ok=True)
        maximum = sum(problems.questions.values())
        path = late or _kept(out / "late.py")
        policy = lateness.policy(path, maximum) if path else None
        _keep(path, out / "late.py")
        return cls(problems, out, records, course, released, policy)

    def knowing(
        self, submissions: Iterable[Submission], list_of_people: Path | None = None
    ) -> "Results":
        """The same with what the roster and the graders say of these students.

        Parameters
        ----------
        submissions : iterable of Submission
        list_of_people : Path, optional
            The roster; without it, that of the last run.

        Raises
        ------
        ValueError
            If one of these files cannot be understood.
        """
        name, questions = self.problems.name, self.problems.questions
        known = {
            one.student: roster.Handed(one.student, one.number, one.system)
            for one in (*self.records.all(), *submissions)
        }
        opinions = graders.read(self.out / "graders", questions, known)
        path, matches = list_of_people or _kept(self.out / "roster.csv"), None
        if path:
            people = roster.read(path, name, known)
            if self.course.due() is None and any(person.due for person in people):
                raise ValueError(
                    f"--due: expected a time, since the roster has the column 'due "
                    f"{name}' of extensions, got none"
                )
            matches = roster.match(people, known.values())
            _keep(path, self.out / "roster.csv")
        return replace(self, opinions=opinions, matches=matches)

    def origin(self) -> str:
        """A line if the set comes from another folder than last time, else nothing."""
        path = self.records.folder / "origin.txt"
        now = str(self.problems.source.resolve().parent.parent)
        before = path.read_text("utf-8") if path.exists() else now
        files.write(path, now)
        if before == now:
            return ""
        return (
            f"The set comes from {now} now; the last run had it from {before}. "
            "Where the two differ, all are graded anew."
        )


def _kept(path: Path) -> Path | None:
    """What an earlier run has kept, if it has."""
    return path if path.exists() else None


def _keep(given: Path | None, path: Path) -> None:
    """Keep a file for later runs."""
    if given and given.resolve() != path.resolve():
        path.write_bytes(given.read_bytes())


def grade(
    results: Results,
    submissions: list[Submission],
    work: Work,
    say: Callable[[str], None] = tqdm.write,
    *,
    again: Collection[str] = (),
    zeros: bool = False,
) -> list[Row]:
    """Grade what is new or changed, enter it, and write the tables.

    Parameters
    ----------
    results : Results
    submissions : list of Submission
    work : callable
        `parallel.on_cores` with its number of jobs bound, or what `parallel.on_cluster`
        gives.
    say : callable
        Takes one line a submission.
    again : collection of str
        Students who are graded again, whether or not anything has changed.
    zeros : bool
        Whether the exports have zeros for those who handed in nothing.

    Returns
    -------
    list of Row
        Of these submissions, and of those that were graded before.
    """
    if moved := results.origin():
        say(moved)
    rows: list[Row] = []
    new: dict[str, tuple[Submission, Record]] = {}
    unchanged: list[tuple[Submission, Record]] = []

    def refuse(handed: Submission, error: Exception) -> None:
        rows.append(refused(results, handed, reason(error)))
        say(f"{handed.student}: not graded: {reason(error)}")

    def enter(handed: Submission, record: Record) -> None:
        try:
            rows.append(entered(results, record))
        except Exception as error:  # whatever fails on the way is this student's alone
            refuse(handed, error)

    for handed in submissions:
        try:
            record = received(results, handed)
        except Exception as error:
            refuse(handed, error)
            continue
        before = results.records.read(handed.student)
        if before and before.key == record.key and handed.student not in again:
            unchanged.append((handed, replace(record, result=before.result)))
        else:
            new[handed.student] = handed, record
    say(f"{len(unchanged)} unchanged, {len(new)} to grade")
    for student, result in marked(results, [r for _, r in new.values()], work):
        handed, record = new[student]
        before = results.records.read(student)
        enter(handed, replace(record, result=result))
        if not rows[-1].refused:
            say(f"{student}: {_earned(results, rows[-1])}, {result.seconds:.1f} s")
            if student in again and before:
                say(f"{student}, again: {_changed(before.result, result)}")
    for handed, record in unchanged:
        enter(handed, record)
    rows += absent(results, {handed.student for handed in submissions})
    rows = _of_people(results.matches, rows) if results.matches else rows
    rows.sort(key=lambda row: row.student)
    if zeros and (who := _unknown(results.matches)):
        say(f"No zeros: whose submissions are those of {who}? Say it in the roster.")
        zeros = False
    write_tables(results, rows, zeros)
    for check, fault in report.faults(rows).items():
        say(f"The check {check!r} raised an error, mark by hand or mend it: {fault}")
    return rows


# --- The steps of one submission ------------------------------------------


def received(results: Results, handed: Submission) -> Record:
    """The record of a submission that is not marked yet.

    Raises
    ------
    Unusable
    """
    if handed.notebook is None:
        raise Unusable(handed.refused)
    problems = results.problems
    notebook, notes = fill(results.released, handed.notebook, problems.others)
    return Record(
        handed.student, key(notebook, problems.checks), notebook, Result(),
        handed_in=handed.handed_in, number=handed.number, system=handed.system,
        late=handed.late, notes=(*handed.notes, *notes), path=handed.path,
        kept=handed.kept,
    )  # fmt: skip


def marked(
    results: Results, records: list[Record], work: Work
) -> Iterator[tuple[str, Result]]:
    """Mark submissions, each with secret inputs of its own; students and results."""
    problems = results.problems
    solution = code(nbformat.read(problems.source, 4))
    tasks = [
        (r.student, problems.checks, code(r.notebook), secrets.randbits(64), solution)
        for r in records
    ]
    return tqdm(
        work(tasks) if tasks else [],
        total=len(tasks),
        unit="submission",
        disable=not sys.stderr.isatty(),
    )


def entered(results: Results, record: Record) -> Row:
    """Keep a record, and its line with what the gradebook then says.

    Raises
    ------
    Unusable
        If the grader has failed, so that there is not a result for each question.
    NbGraderError
    """
    asked = {cell.question for cell in code(record.notebook)} - {None}
    if not asked <= record.result.outcomes.keys():
        raise Unusable("; ".join(record.result.notes))
    results.records.write(record)
    return shown(results, record)


def shown(results: Results, record: Record, why_refused: str = "") -> Row:
    """A record's line, and its feedback page, with marks given by hand.

    Parameters
    ----------
    results : Results
    record : Record
        Is entered in the gradebook if it is not there.
    why_refused : str
        Why nothing of this student was graded this time, if it was not.

    Raises
    ------
    NbGraderError
    """
    graded = record.graded()
    results.course.enter(record, graded)
    if results.matches:
        due = results.matches.due(record.student)
        results.course.extend(record.student, due)
    marks = graders.counted(
        results.course.marks(record.student),
        record.student,
        results.opinions,
        record.notebook,
    )
    if results.late and marks.seconds_late and marks.total > 0:
        penalty = results.late(marks.total, marks.seconds_late / 3600)
        marks = replace(marks, penalty=penalty)
    results.course.penalize(record.student, marks.penalty)
    if why_refused:
        earlier = f"not graded this time ({why_refused}): this is the grade of before"
        record = replace(record, notes=(earlier, *record.notes))
    page = feedback.page(
        results.problems.name, record.student, graded, marks, record.notes
    )
    files.write(
        results.out / "feedback" / f"{files.file_name(record.student)}.html", page
    )
    return Row.of(record, marks, why_refused)


def reason(error: Exception) -> str:
    """Why a student's line could not be made."""
    if isinstance(error, Unusable | NbGraderError):
        return str(error)
    return f"the grader failed ({type(error).__name__}: {str(error)[:200]})"


def refused(results: Results, handed: Submission, why: str) -> Row:
    """The line of a submission that is not graded; an earlier grade stays."""
    if handed.file not in ("", handed.student):
        why = f"{why} ({handed.file})"
    if earlier := results.records.read(handed.student):
        # What refused this one may refuse the earlier one, too.
        with suppress(Exception):
            return shown(results, earlier, why)
    return Row(
        handed.student,
        number=handed.number,
        system=handed.system,
        marked_late=handed.late,
        refused=why,
        notes=handed.notes,
        handed_in=report.in_utc(handed.handed_in),
    )


def absent(results: Results, present: set[str]) -> Iterator[Row]:
    """The lines of those who were graded before and are not in this folder."""
    for record in results.records.all():
        if record.student not in present:
            try:
                row = shown(results, record)
            except Exception as error:
                why = f"cannot be entered again: {reason(error)}"
                row = Row(record.student, refused=why)
            note = "handed in before, not this time"
            yield replace(row, notes=(*row.notes, note))


# --- Those on the roster ------------------------------------------------------


def _of_people(matches: roster.Matches, rows: list[Row]) -> list[Row]:
    """The rows with whose they are, and one for each who has none of their own."""
    asked, found = dict(matches.questions), []
    for row in rows:
        notes = [asked[row.student]] if row.student in asked else []
        first, *others = matches.people.get(row.student, [None])
        found.append(
            replace(
                row, person=first, stranger=row.student in matches.strangers,
                notes=(*row.notes, *notes),
            )
        )  # fmt: skip
        found += [
            replace(row, **_as(person, row.system), notes=(
                *row.notes, f"handed in by {row.student}"
            ))
            for person in others
        ]  # fmt: skip
    for person in matches.missing:
        system = "canvas" if person.canvas else "moodle"
        found.append(Row(**_as(person, system), missing=True))
    return found


def _as(person: roster.Person, system: str) -> dict[str, Any]:
    """A person's part of a row, as a system knows this person."""
    number = person.numbers().get(system, "")
    of = {"number": number, "system": system if number else ""}
    return {"student": person.name, "person": person, **of}


def _unknown(matches: roster.Matches | None) -> str:
    """Whose submissions are of somebody that nobody knows."""
    if matches is None:
        return ""
    return ", ".join(sorted(matches.strangers | {who for who, _ in matches.questions}))


# --- The tables -------------------------------------------------------------


def write_tables(results: Results, rows: list[Row], zeros: bool = False) -> None:
    """grades.csv, the pages, and the exports."""
    name, questions = results.problems.name, results.problems.questions
    records = {record.student: record for record in results.records.all()}
    alike = likeness.of_class(
        results.released, {s: record.notebook for s, record in records.items()}
    )
    files.write(results.out / "likeness.html", likeness.page(name, alike))
    report.grades(results.out / "grades.csv", rows, questions)
    asked = results.matches.questions if results.matches else []
    path = results.out / "summary.html"
    report.summary(path, name, rows, questions, asked, len(alike))
    folder, maximum = results.out / "exports", sum(questions.values())
    listed = [row for row in rows if row.total is not None or row.missing]
    exports.canvas(folder / "canvas.csv", name, listed, maximum, zeros=zeros)
    exports.moodle(folder / "moodle.csv", listed, maximum, zeros=zeros)
    own = [(row, records[row.student]) for row in rows
           if row.total is not None and row.student in records]  # fmt: skip
    for row, record in own:
        path = folder / "gradescope" / f"{files.file_name(row.student)}.json"
        exports.gradescope(path, row, record.result, questions)
    pages = ((record, results.out / row.feedback) for row, record in own)
    exports.feedback(folder, name, pages)
    graders.to_mark(
        results.out / "to-mark.csv", ((row, record.notebook) for row, record in own)
    )


def _changed(before: Result, now: Result) -> str:
    """What another grading of a submission has changed, in words."""
    changes = [
        f"{question} {before.earned(question):g} before, {now.earned(question):g} now"
        for question in now.outcomes
        if before.earned(question) != now.earned(question)
    ]
    return "; ".join(changes) or "every question has the points that it had"


def _earned(results: Results, row: Row) -> str:
    """A row's total in words, of what is marked so far."""
    questions = results.problems.questions
    unmarked = sum(most for q, most in questions.items() if row.points.get(q) is None)
    rest = f", {unmarked:g} more to mark by hand" if unmarked else ""
    return f"{row.total:g} of {sum(questions.values()) - unmarked:g} points{rest}"
