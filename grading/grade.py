"""An answer on its way to the gradebook: from submissions to marks.

A `Submission` becomes a `Record`: first the released notebook with the student's
answers, then also what came of them when they were marked.  The record is written to a
file and entered in the gradebook.  What the gradebook then says, with all marks given
by hand, becomes a `Row` of the tables, which are in `outputs`.
"""

import secrets
import sys
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace

import nbformat
from tqdm import tqdm

from grading import feedback, files, graders, outputs, report
from grading.answers import Unusable, fill
from grading.cells import code
from grading.course import NbGraderError
from grading.intake import Submission
from grading.marking import Result
from grading.parallel import Task
from grading.records import Record, key
from grading.report import Row
from grading.results import Results

Work = Callable[[list[Task]], Iterable[tuple[str, Result]]]


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
    run = Run(results, say)
    if moved := results.origin():
        say(moved)
    new, unchanged = run.sorted(submissions, again)
    say(f"{len(unchanged)} unchanged, {len(new)} to grade")
    for student, result in marked(results, [r for _, r in new.values()], work):
        before = results.records.read(student)
        handed, record = new[student]
        run.enter(handed, replace(record, result=result))
        if not run.rows[-1].refused:
            earned = _earned(results, run.rows[-1])
            say(f"{student}: {earned}, {result.seconds:.1f} s")
            if student in again and before:
                say(f"{student}, again: {_changed(before.result, result)}")
    for handed, record in unchanged:
        run.enter(handed, record)
    run.rows += absent(results, {handed.student for handed in submissions})
    return outputs.written(results, run.rows, zeros, say)


@dataclass
class Run:
    """The rows of a run so far; whatever fails on the way to one is its student's."""

    results: Results
    say: Callable[[str], None]
    rows: list[Row] = field(default_factory=list)

    def sorted(
        self, submissions: list[Submission], again: Collection[str]
    ) -> tuple[dict[str, tuple[Submission, Record]], list[tuple[Submission, Record]]]:
        """Those to mark, by student, and those of which nothing has changed."""
        new, unchanged = {}, []
        for handed in submissions:
            try:
                record = received(self.results, handed)
            except Exception as error:
                self.refuse(handed, error)
                continue
            before = self.results.records.read(handed.student)
            if before and before.key == record.key and handed.student not in again:
                unchanged.append((handed, replace(record, result=before.result)))
            else:
                new[handed.student] = handed, record
        return new, unchanged

    def enter(self, handed: Submission, record: Record) -> None:
        """Add the row of a submission that is marked."""
        try:
            self.rows.append(entered(self.results, record))
        except Exception as error:
            self.refuse(handed, error)

    def refuse(self, handed: Submission, error: Exception) -> None:
        """Add the row of a submission that cannot be graded, and say so."""
        self.rows.append(refused(self.results, handed, reason(error)))
        self.say(f"{handed.student}: not graded: {reason(error)}")


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
    graded, matches = record.graded(), results.matches
    if matches and (told := matches.latest("handed_in", record.student)):
        record = replace(record, handed_in=told)
    results.course.enter(record, graded)
    if matches:
        results.course.extend(record.student, matches.latest("due", record.student))
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
