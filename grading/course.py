"""nbgrader's part: gradebook, scores, pages for marking by hand.

A course folder is laid out as nbgrader expects, so that all of its own commands
and its formgrader work there on what was graded here.
"""

import logging
import os
import re
import sys
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import nbformat
from nbconvert.exporters import NotebookExporter
from nbformat import NotebookNode
from nbformat.v4 import new_output
from nbgrader.api import (
    Comment,
    Grade,
    Gradebook,
    GradeCell,
    MissingEntry,
    SolutionCell,
    SourceCell,
)
from nbgrader.api import Course as CourseEntry
from nbgrader.apps import NbGraderAPI
from nbgrader.coursedir import CourseDirectory
from nbgrader.preprocessors import (
    AssignLatePenalties,
    CheckCellMetadata,
    NbGraderPreprocessor,
    SaveAutoGrades,
)
from nbgrader.utils import is_grade, is_locked, is_solution
from sqlalchemy import create_engine
from sqlalchemy.engine import make_url
from sqlalchemy.exc import SQLAlchemyError
from traitlets.config import Config

from grading import feedback, graft
from grading.checks import Outcome
from grading.feedback import Marks
from grading.marking import Result
from grading.release import STUB, TEXT_STUB

# The results of the submission that is being stored; nbgrader makes the
# preprocessor itself, from its class.
RESULTS: dict[str, Result] = {}


class Insert(NbGraderPreprocessor):
    """Puts into each cell what the run behind the wall and the checks have given."""

    def preprocess(
        self, nb: NotebookNode, resources: dict
    ) -> tuple[NotebookNode, dict]:
        result = RESULTS[resources["nbgrader"]["student"]]
        for number, cell in enumerate(nb.cells):
            if cell.cell_type != "code":
                continue
            cell.outputs = [shown(kept) for kept in result.outputs.get(number, [])]
            cell.execution_count = None
            if graft.is_question(cell):
                name = graft.grade_id(cell)
                # The last execute_result is the score, and there is no other output
                # of a kind that nbgrader would take for one.
                cell.outputs = [
                    *(
                        output
                        for output in cell.outputs
                        if output.output_type == "stream"
                    ),
                    new_output(
                        "stream", name="stdout", text=report(result.outcomes[name])
                    ),
                    new_output(
                        "execute_result",
                        data={"text/plain": repr(float(result.earned(name)))},
                        execution_count=None,
                    ),
                ]
        return nb, resources


class SavePoints(SaveAutoGrades):
    """Enters the checks' points, and none where a check has stumbled.

    Such a question waits to be marked by hand, as a written answer does.
    """

    def _add_score(self, cell: NotebookNode, resources: dict) -> None:
        super()._add_score(cell, resources)
        if graft.grade_id(cell) in RESULTS[self.student_id].faults():
            grade = self.gradebook.find_grade(
                graft.grade_id(cell), self.notebook_id, self.assignment_id,
                self.student_id,
            )  # fmt: skip
            grade.auto_score, grade.needs_manual_grade = None, True
            self.gradebook.db.commit()


class Refuse(NotebookExporter):
    """Stands where nbgrader's own commands would run a student's code without a wall.

    An exporter is made before anything is written, so what was graded stays.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        raise RuntimeError("Submissions are graded by: python -m grading")


# What nbgrader reads when it is started in the course folder by hand.
SETTINGS = """\
# Written by `python -m grading`.  Marking by hand and nbgrader's reports work
# here; running submissions does not, because nbgrader would do it without a sandbox.
c = get_config()
c.CourseDirectory.db_url = {db!r}
c.Autograde.exporter_class = "grading.course.Refuse"
"""


def shown(kept: dict[str, Any]) -> NotebookNode:
    """An output of the worker as a notebook's: text and pictures, nothing active."""
    match kept:
        case {"png": str(picture)}:
            return new_output("display_data", data={"image/png": picture})
        case {"stream": str(text)} | {"result": str(text)} | {"failed": str(text)}:
            return new_output("stream", name="stdout", text=clean(text))
    return new_output(
        "stream", name="stdout", text="[an output that cannot be shown]\n"
    )


def clean(text: str) -> str:
    """Text without control characters, which could move what a terminal shows."""
    text = text.encode("utf-8", "replace").decode()
    return "".join(c for c in text if c.isprintable() or c in "\n\t") + "\n"


def report(outcomes: list[Outcome]) -> str:
    """What the student reads about a question: each check, its points, a sentence."""
    lines = []
    for outcome in outcomes:
        mark = "✓" if outcome.earned == outcome.points else "✗"
        points = f"{mark} {outcome.earned:g}/{outcome.points:g}"
        if outcome.fault:
            points = f"? –/{outcome.points:g}"
        lines.append(f"{points}  {outcome.title}")
        if outcome.said:
            lines.append(f"      {clean(outcome.said).strip()}")
    return "\n".join(lines) + "\n"


class Course:
    """A course folder and its gradebook.

    Parameters
    ----------
    folder : Path
        Is made if it does not exist.
    db : str, optional
        SQLAlchemy's address of the gradebook; a file in the folder by default.

    Raises
    ------
    ValueError
        If nbgrader cannot work in that folder, or the gradebook cannot be reached.
    """

    def __init__(self, folder: Path, db: str | None = None) -> None:
        self.folder = folder.resolve()
        if set("*?[") & set(str(self.folder)):
            raise ValueError(
                f"--out: expected a path without * ? [, which nbgrader takes for a "
                f"pattern, got {self.folder}"
            )
        self.folder.mkdir(parents=True, exist_ok=True)
        # nbgrader calls alembic by its name when it makes a gradebook.
        here = os.path.dirname(sys.executable)
        if here not in os.environ.get("PATH", "").split(os.pathsep):
            os.environ["PATH"] = os.pathsep.join([here, os.environ.get("PATH", "")])
        self.db = address(db) if db else f"sqlite:///{self.folder}/gradebook.db"
        config = Config()
        config.CourseDirectory.root = str(self.folder)
        config.CourseDirectory.db_url = self.db
        config.ClearSolutions.code_stub = {"python": STUB}
        config.ClearSolutions.text_stub = TEXT_STUB
        config.Autograde.sanitize_preprocessors = [CheckCellMetadata]
        config.Autograde.autograde_preprocessors = [
            Insert, SavePoints, AssignLatePenalties, CheckCellMetadata,
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

    def release(
        self, name: str, source: Path, due: datetime | None = None
    ) -> NotebookNode:
        """Make the students' notebook of a set, and enter it in the gradebook.

        Raises
        ------
        ValueError
            If a question is gone that was marked by hand.
        """
        with self.api.gradebook as gradebook:
            # Without a due date, the one that the gradebook knows stays.
            about = {} if due is None else {"duedate": _utc(due)}
            gradebook.update_or_create_assignment(name, **about)
            _follow(gradebook, name, nbformat.read(source, 4))
        at = self.folder / "source" / name
        at.mkdir(parents=True, exist_ok=True)
        (at / f"{name}.ipynb").write_bytes(source.read_bytes())
        _done(self.api.generate_assignment(name, force=True))
        return nbformat.read(self.folder / "release" / name / f"{name}.ipynb", 4)

    def graded(self, name: str) -> set[str]:
        """The students whose submission is in the gradebook and can be shown."""
        with self.api.gradebook as gradebook:
            found = gradebook.find_assignment(name).submissions
            return {s.student_id for s in found if self.shows(name, s.student_id)}

    def shows(self, name: str, student: str) -> bool:
        """Whether there is a submission of the student's that was graded."""
        return self._autograded(name, student).exists()

    def _autograded(self, name: str, student: str) -> Path:
        return self.folder / "autograded" / student / name / f"{name}.ipynb"

    def store(
        self,
        name: str,
        student: str,
        notebook: NotebookNode,
        result: Result,
    ) -> None:
        """Enter one graded submission; what was marked by hand keeps its mark."""
        folder = self.folder / "submitted" / student / name
        folder.mkdir(parents=True, exist_ok=True)
        nbformat.write(notebook, folder / f"{name}.ipynb")
        settled = self._settled(name, student, notebook)
        RESULTS[student] = result
        try:
            _done(self.api.autograde(name, student, force=True))
        finally:
            del RESULTS[student]
        with self.api.gradebook as gradebook:
            for question in settled:
                grade = gradebook.find_grade(question, name, name, student)
                grade.needs_manual_grade = False
            gradebook.db.commit()

    def _settled(self, name: str, student: str, notebook: NotebookNode) -> list[str]:
        """The questions marked by hand whose answers have not changed since."""
        if not self.shows(name, student):
            return []
        old = graft.answers(nbformat.read(self._autograded(name, student), 4))
        new = graft.answers(notebook)
        with self.api.gradebook as gradebook:
            try:
                grades = gradebook.find_submission_notebook(name, name, student).grades
            except MissingEntry:
                return []
            return [
                grade.name
                for grade in grades
                if grade.manual_score is not None
                and not grade.needs_manual_grade
                and old.get(grade.name) == new.get(grade.name)
            ]

    def handed_in(self, name: str, student: str, at: datetime | None) -> None:
        """Enter when a submission was handed in, or that nobody knows."""
        when = None if at is None else _utc(at).replace(microsecond=0)
        with self.api.gradebook as gradebook:
            submission = gradebook.find_submission(name, student)
            if submission.timestamp != when:
                submission.timestamp = when
                gradebook.db.commit()

    def feedback(self, name: str, student: str, marks: Marks, said: list[str]) -> str:
        """A student's feedback page, with remarks on the whole submission."""
        notebook = nbformat.read(self._autograded(name, student), 4)
        return feedback.page(name, student, notebook, marks, said)

    def standing(self, name: str, student: str) -> "Standing":
        """What the gradebook says of a submission now, hand marks included."""
        with self.api.gradebook as gradebook:
            submission = gradebook.find_submission(name, student)
            points, whole, comments, to_mark, overruled = {}, {}, {}, [], []
            for notebook in submission.notebooks:
                for grade in sorted(notebook.grades, key=lambda grade: grade.name):
                    auto, mine = grade.auto_score, grade.manual_score
                    unmarked = auto is None and mine is None
                    points[grade.name] = None if unmarked else grade.score
                    whole[grade.name] = grade.max_score
                    if grade.needs_manual_grade:
                        to_mark.append(grade.name)
                    if grade.extra_credit:
                        overruled.append(
                            f"{grade.name}: {grade.extra_credit:g} of extra credit"
                        )
                    if None not in (auto, mine) and auto != mine:
                        overruled.append(
                            f"{grade.name}: {mine:g} by hand, {auto:g} without"
                        )
                for comment in sorted(notebook.comments, key=lambda c: c.name):
                    if comment.comment:
                        comments[comment.name] = comment.comment
            return Standing(
                Marks(points, whole, tuple(to_mark), comments),
                submission.score,
                submission.timestamp and submission.timestamp.replace(tzinfo=UTC),
                submission.total_seconds_late,
                tuple(overruled),
            )


@dataclass(frozen=True)
class Standing:
    """A submission in the gradebook.

    ``handed_in`` is None if nobody knows; ``overruled`` says where a mark given by
    hand stands in the place of the checks' points, or beside them.
    """

    marks: Marks
    total: float
    handed_in: datetime | None
    seconds_late: float
    overruled: tuple[str, ...]


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


def _done(answer: dict[str, Any]) -> None:
    """Raise if nbgrader says that it did not succeed."""
    if answer["success"]:
        return
    why = "\n".join(filter(None, [answer.get("log"), answer.get("error")]))
    # nbgrader catches everything, and says it in the last line of a traceback.
    faults = re.findall(r"(?m)^ *([\w.]+(?:Error|Exception|Interrupt)\b.*)", why)
    if "KeyboardInterrupt" in faults:
        raise KeyboardInterrupt
    raise NbGraderStumbled(faults[0] if faults else "no reason given")


class NbGraderStumbled(RuntimeError):
    """nbgrader could not do what it was asked; its text says why."""


def _follow(gradebook: Gradebook, name: str, source: NotebookNode) -> None:
    """Take questions into a graded set, or out of it, as its source has them now.

    nbgrader itself refuses to change the cells of a set that has submissions.
    """
    try:
        book = gradebook.find_notebook(name, name)
    except MissingEntry:
        return
    if not book.submissions:
        return
    cells = {graft.grade_id(c): c for c in source.cells if "nbgrader" in c.metadata}
    wanted: dict[type, set[str]] = {
        GradeCell: {name for name, cell in cells.items() if is_grade(cell)},
        SolutionCell: {name for name, cell in cells.items() if is_solution(cell)},
        SourceCell: {
            name for name, c in cells.items() if is_solution(c) or is_locked(c)
        },
    }
    entered = {
        GradeCell: list(book.grade_cells),
        SolutionCell: list(book.solution_cells),
        SourceCell: list(book.source_cells),
    }
    gone = [
        c for kind, old in entered.items() for c in old if c.name not in wanted[kind]
    ]
    marks = [m for c in gone if not isinstance(c, SourceCell) for m in _marks(c)]
    by_hand = {mark.name for mark in marks if _by_hand(mark)}
    if by_hand:
        raise ValueError(
            f"{name}: marked by hand, but no longer in the set's source: "
            f"{', '.join(sorted(by_hand))}. Put it back, or grade into another --out."
        )
    for row in [*marks, *gone]:
        gradebook.db.delete(row)
    for kind, old in entered.items():
        for new in sorted(wanted[kind] - {cell.name for cell in old}):
            cell = kind(name=new, notebook=book)
            if kind is not SolutionCell:
                cell.cell_type = cells[new].cell_type
            if kind is GradeCell:
                cell.max_score = cells[new].metadata.nbgrader.points
            gradebook.db.add(cell)
            for submitted in book.submissions if kind in MARKS else []:
                gradebook.db.add(MARKS[kind](cell=cell, notebook=submitted))
    gradebook.db.commit()


# What a submission has for each cell of a kind.
MARKS = {GradeCell: Grade, SolutionCell: Comment}


def _marks(cell: GradeCell | SolutionCell) -> list[Grade | Comment]:
    return [*(cell.grades or []), *(cell.comments or [])]


def _by_hand(mark: Grade | Comment) -> bool:
    if isinstance(mark, Comment):
        return bool(mark.manual_comment)
    return mark.manual_score is not None or bool(mark.extra_credit)
