"""nbgrader's part: the gradebook, and the pages for marking by hand.

A course folder is laid out as nbgrader expects, so that all of its own commands and its
formgrader work there.  What this module enters is derived from the records (`records`),
and can be entered again; what people enter, in formgrader or with nbgrader's commands,
is kept in the gradebook alone.
"""

import logging
import os
import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any

import nbformat
import nbgrader.api
from alembic.script import ScriptDirectory
from nbconvert.exporters import NotebookExporter
from nbformat import NotebookNode
from nbgrader.api import Course as CourseEntry
from nbgrader.api import Grade, Gradebook, MissingEntry
from nbgrader.apps import NbGraderAPI
from nbgrader.coursedir import CourseDirectory
from nbgrader.dbutil import ALEMBIC_DIR
from nbgrader.preprocessors import (
    AssignLatePenalties,
    CheckCellMetadata,
    SaveAutoGrades,
)
from sqlalchemy import create_engine
from sqlalchemy.engine import make_url
from sqlalchemy.exc import SQLAlchemyError
from traitlets.config import Config

from grading import changed_set
from grading.cells import answers, grade_id
from grading.files import file_name
from grading.marks import Marks
from grading.records import Record
from grading.release import STUB, TEXT_STUB


@cache
def schema() -> str:
    """The version of the gradebook's tables."""
    return ScriptDirectory(ALEMBIC_DIR).get_current_head()


# nbgrader starts a program to ask for that version, which takes a second.  And whenever
# it opens the gradebook, a few times for each submission, it makes a new engine; one
# that stays has compiled its statements already, which is half of the time.
nbgrader.api.get_alembic_version = schema
nbgrader.api.create_engine = cache(nbgrader.api.create_engine)


class SavePoints(SaveAutoGrades):
    """Enters the checks' points, and none where they are unknown.

    Such a question waits to be marked by hand, as a written answer does.
    """

    def _add_score(self, cell: NotebookNode, resources: dict) -> None:
        super()._add_score(cell, resources)
        about = cell.metadata.get("grading", {})
        if about.get("points_unknown") or about.get("settled"):
            grade = self.gradebook.find_grade(
                grade_id(cell), self.notebook_id, self.assignment_id, self.student_id
            )
            if about.get("points_unknown"):
                grade.auto_score, grade.needs_manual_grade = None, True
            if about.get("settled"):
                grade.needs_manual_grade = False
            self.gradebook.db.commit()


class RefuseToExecute(NotebookExporter):
    """Stops nbgrader's own commands where they would run a student's code unsandboxed.

    They make their exporter before they write anything, so what was graded stays.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        raise RuntimeError("Submissions are graded by: python -m grading")


# What nbgrader reads when it is started in the course folder by hand.
SETTINGS = """\
# Written by `python -m grading`.  Marking by hand and nbgrader's reports work
# here; running submissions does not, because nbgrader would do it without a sandbox.
c = get_config()
c.CourseDirectory.db_url = {db!r}
c.Autograde.exporter_class = "grading.course.RefuseToExecute"
"""


class Course:
    """A course folder and its gradebook, for one problem set.

    Parameters
    ----------
    folder : Path
        Is made if it does not exist.
    name : str
        Of the problem set.
    db : str, optional
        SQLAlchemy's address of the gradebook; a file in the folder by default.

    Raises
    ------
    ValueError
        If nbgrader cannot work in that folder, or the gradebook cannot be reached.
    """

    def __init__(self, folder: Path, name: str, db: str | None = None) -> None:
        self.folder, self.name = folder.resolve(), name
        if set("*?[") & set(str(self.folder)):
            raise ValueError(
                f"--out: expected a path without * ? [, which nbgrader takes for a "
                f"pattern, got {self.folder}"
            )
        self.folder.mkdir(parents=True, exist_ok=True)
        self.db = address(db) if db else f"sqlite:///{self.folder}/gradebook.db"
        config = Config()
        config.CourseDirectory.root = str(self.folder)
        config.CourseDirectory.db_url = self.db
        config.ClearSolutions.code_stub = {"python": STUB}
        config.ClearSolutions.text_stub = TEXT_STUB
        config.Autograde.sanitize_preprocessors = [CheckCellMetadata]
        config.Autograde.autograde_preprocessors = [
            SavePoints, AssignLatePenalties, CheckCellMetadata,
        ]  # fmt: skip
        config.ExecutePreprocessor.enabled = False
        settings = self.folder / "nbgrader_config.py"
        settings.touch(mode=0o600)  # the address may have a password
        settings.write_text(SETTINGS.format(db=self.db), encoding="utf-8")
        self.api = NbGraderAPI(CourseDirectory(config=config), config=config)
        self.api.log_level = logging.ERROR
        with self.api.gradebook as gradebook:
            # nbgrader gives its assignments to a course without a name, which it does
            # not enter: SQLite lets that pass, Postgres does not.
            gradebook.db.merge(CourseEntry(id=""))
            gradebook.db.commit()

    def release(self, source: Path, due: datetime | None = None) -> NotebookNode:
        """Make the students' notebook of the set, and enter it in the gradebook.

        Raises
        ------
        ValueError
            If a question is gone that was marked by hand.
        """
        name = self.name
        with self.api.gradebook as gradebook:
            # Without a due date, the one that the gradebook knows stays.
            about = {} if due is None else {"duedate": _utc(due)}
            gradebook.update_or_create_assignment(name, **about)
            changed_set.follow(gradebook, name, nbformat.read(source, 4))
        at = self.folder / "source" / name
        at.mkdir(parents=True, exist_ok=True)
        (at / f"{name}.ipynb").write_bytes(source.read_bytes())
        _must_succeed(self.api.generate_assignment(name, force=True))
        return nbformat.read(self.folder / "release" / name / f"{name}.ipynb", 4)

    def enter(self, record: Record, graded: NotebookNode) -> None:
        """Enter a record, unless the gradebook has it; marks given by hand stay.

        Parameters
        ----------
        record : Record
        graded : NotebookNode
            What `Record.graded` gives.

        Raises
        ------
        NbGraderError
        """
        if not self._has(record):
            settled = self._settled(record)
            for cell in graded.cells:
                if grade_id(cell) in settled:
                    cell.metadata.setdefault("grading", {})["settled"] = True
            folder = self.folder / "submitted" / file_name(record.student) / self.name
            folder.mkdir(parents=True, exist_ok=True)
            nbformat.write(graded, folder / f"{self.name}.ipynb")
            _must_succeed(
                self.api.autograde(self.name, file_name(record.student), force=True)
            )
        at = record.handed_in
        when = None if at is None else _utc(at).replace(microsecond=0)
        with self.api.gradebook as gradebook:
            submission = gradebook.find_submission(self.name, file_name(record.student))
            if submission.timestamp != when:
                submission.timestamp = when
                gradebook.db.commit()

    def _graded(self, student: str) -> NotebookNode | None:
        """What nbgrader has of a student, where it shows marks and takes them."""
        folder = self.folder / "autograded" / file_name(student) / self.name
        try:
            return nbformat.read(folder / f"{self.name}.ipynb", 4)
        except (FileNotFoundError, ValueError):
            return None

    def _grades(self, gradebook: Gradebook, student: str) -> list[Grade]:
        try:
            book = gradebook.find_submission_notebook(
                self.name, self.name, file_name(student)
            )
        except MissingEntry:
            return []
        return book.grades

    def _has(self, record: Record) -> bool:
        """Whether nbgrader has this record's notebook and its points.

        A question that has left the set has none there.
        """
        graded = self._graded(record.student)
        if graded is None or graded.metadata.get("grading") != {"key": record.key}:
            return False
        with self.api.gradebook as gradebook:
            grades = self._grades(gradebook, record.student)
            entered = {grade.name: grade.auto_score for grade in grades}
        result = record.result
        points = {name: result.earned(name) for name in result.outcomes}
        points |= dict.fromkeys(result.faults())
        known = {name: points[name] for name in points.keys() & entered.keys()}
        return bool(entered) and known.items() <= entered.items()

    def _settled(self, record: Record) -> set[str]:
        """The questions marked by hand whose answers have not changed since."""
        graded = self._graded(record.student)
        if graded is None:
            return set()
        old, new = answers(graded), answers(record.notebook)
        with self.api.gradebook as gradebook:
            return {
                grade.name
                for grade in self._grades(gradebook, record.student)
                if grade.manual_score is not None
                and not grade.needs_manual_grade
                and old.get(grade.name) == new.get(grade.name)
            }

    def marks(self, student: str) -> Marks:
        """What the gradebook says of a submission now, hand marks included."""
        with self.api.gradebook as gradebook:
            submission = gradebook.find_submission(self.name, file_name(student))
            [notebook] = submission.notebooks
            grades = sorted(notebook.grades, key=lambda grade: grade.name)
            return Marks(
                points={grade.name: _points(grade) for grade in grades},
                maximum={grade.name: grade.max_score for grade in grades},
                to_mark=tuple(g.name for g in grades if g.needs_manual_grade),
                comments={c.name: c.comment for c in notebook.comments if c.comment},
                total=submission.score,
                handed_in=submission.timestamp
                and submission.timestamp.replace(tzinfo=UTC),
                seconds_late=submission.total_seconds_late,
                overruled=tuple(line for grade in grades for line in _overruled(grade)),
                by_hand=frozenset(
                    grade.name
                    for grade in grades
                    if grade.manual_score is not None and not grade.needs_manual_grade
                ),
            )

    def due(self) -> datetime | None:
        """When the set is due, if the gradebook knows it."""
        with self.api.gradebook as gradebook:
            due = gradebook.find_assignment(self.name).duedate
            return due and due.replace(tzinfo=UTC)

    def extend(self, student: str, due: datetime | None) -> None:
        """Give a student until another time, if that is later; or no longer."""
        with self.api.gradebook as gradebook:
            submission = gradebook.find_submission(self.name, file_name(student))
            common = submission.assignment.duedate
            more = _utc(due) - common if due and common else timedelta(0)
            extension = more if more > timedelta(0) else None
            if submission.extension != extension:
                submission.extension = extension
                gradebook.db.commit()

    def penalize(self, student: str, penalty: float) -> None:
        """Let nbgrader's own tables show the points that are taken off."""
        with self.api.gradebook as gradebook:
            submission = gradebook.find_submission(self.name, file_name(student))
            [notebook] = submission.notebooks
            if (notebook.late_submission_penalty or 0.0) != penalty:
                notebook.late_submission_penalty = penalty or None
                gradebook.db.commit()


def _points(grade: Grade) -> float | None:
    unmarked = grade.auto_score is None and grade.manual_score is None
    return None if unmarked else grade.score


def _overruled(grade: Grade) -> Iterator[str]:
    """Where what people entered stands in the place of the checks' points."""
    auto, by_hand = grade.auto_score, grade.manual_score
    if grade.extra_credit:
        yield f"{grade.name}: {grade.extra_credit:g} of extra credit"
    if None not in (auto, by_hand) and auto != by_hand:
        yield f"{grade.name}: {by_hand:g} by hand, {auto:g} without"


# --- What nbgrader does not do -------------------------------------------


def address(db: str) -> str:
    """A gradebook's address, if it can be reached.

    Raises
    ------
    ValueError
    """
    try:
        url = make_url(db)
        if url.get_backend_name() == "sqlite":
            if not url.database or url.database == ":memory:":
                raise ValueError(f"--db: expected a file of SQLite, got {db}")
            # nbgrader goes from folder to folder.
            url = url.set(database=os.path.abspath(url.database))
        engine = create_engine(url)
        engine.connect().close()
        engine.dispose()
    except (SQLAlchemyError, ModuleNotFoundError) as error:
        why = (str(error).splitlines() or [type(error).__name__])[0]
        got = PASSWORD.sub(r"\1***@", db)
        raise ValueError(
            "--db: expected the address of a database that answers, such as "
            f"postgresql+psycopg2://USER:PASSWORD@HOST/NAME, got {got} ({why})"
        ) from None
    return url.render_as_string(hide_password=False)


PASSWORD = re.compile(r"(://[^/@]*:)[^/@]*@")


def _utc(when: datetime) -> datetime:
    """A time as the gradebook has it; local if it does not say otherwise."""
    return when.astimezone(UTC).replace(tzinfo=None)


def _must_succeed(answer: dict[str, Any]) -> None:
    """Raise if nbgrader says that it did not succeed."""
    if answer["success"]:
        return
    why = "\n".join(filter(None, [answer.get("log"), answer.get("error")]))
    # nbgrader catches everything, and says it in the last line of a traceback.
    faults = re.findall(r"(?m)^ *([\w.]+(?:Error|Exception|Interrupt)\b.*)", why)
    if "KeyboardInterrupt" in faults:
        raise KeyboardInterrupt
    raise NbGraderError(faults[0] if faults else "no reason given")


class NbGraderError(RuntimeError):
    """nbgrader could not do what it was asked; its text says why."""
