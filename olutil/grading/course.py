"""nbgrader's part: gradebook, scores, pages for feedback and for marking by hand.

A course folder is laid out as nbgrader expects, so that all of its own commands
and its formgrader work there on what was graded here.
"""

import hashlib
import logging
import os
import re
import sys
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NoReturn

import nbformat
from nbformat import NotebookNode
from nbformat.v4 import new_output
from nbgrader.apps import NbGraderAPI
from nbgrader.coursedir import CourseDirectory
from nbgrader.preprocessors import (
    AssignLatePenalties,
    CheckCellMetadata,
    NbGraderPreprocessor,
    SaveAutoGrades,
)
from traitlets.config import Config

from olutil.grading import graft
from olutil.grading.checks import Outcome
from olutil.grading.marking import Result
from olutil.grading.release import STUB, TEXT_STUB

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


class Refuse(NbGraderPreprocessor):
    """Stands where nbgrader's own commands would run a student's code without a wall."""

    def preprocess(self, nb: NotebookNode, resources: dict) -> NoReturn:
        raise RuntimeError("Submissions are graded by: python -m olutil.grading")


# What nbgrader reads when it is started in the course folder by hand.
SETTINGS = """\
# Written by `python -m olutil.grading`.  Marking by hand and nbgrader's reports work
# here; running submissions does not, because nbgrader would do it without a sandbox.
c = get_config()
c.CourseDirectory.db_url = {db!r}
c.Autograde.autograde_preprocessors = ["olutil.grading.course.Refuse"]
"""

# A feedback page shows text and pictures, so nothing in it may run or be fetched.
POLICY = (
    '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; '
    "img-src data:; font-src data:; style-src 'unsafe-inline'\">"
)
SCRIPT = re.compile(r"<script\b.*?</script\s*>", re.DOTALL | re.IGNORECASE)


def inert(page: str) -> str:
    """A page of nbconvert's without its scripts, and with a policy against others."""
    return SCRIPT.sub("", page).replace("<head>", f"<head>{POLICY}", 1)


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
        lines.append(f"{mark} {outcome.earned:g}/{outcome.points:g}  {outcome.title}")
        if outcome.said:
            lines.append(f"      {clean(outcome.said).strip()}")
    return "\n".join(lines) + "\n"


class Course:
    """A course folder and its gradebook.

    Parameters
    ----------
    folder : Path
        Is made if it does not exist.
    db : str
        SQLAlchemy's address of the gradebook; a file in the folder by default.
    """

    def __init__(self, folder: Path, db: str | None = None) -> None:
        self.folder = folder.resolve()
        self.folder.mkdir(parents=True, exist_ok=True)
        # nbgrader calls alembic by its name when it makes a gradebook.
        here = os.path.dirname(sys.executable)
        if here not in os.environ.get("PATH", "").split(os.pathsep):
            os.environ["PATH"] = os.pathsep.join([here, os.environ.get("PATH", "")])
        self.db = db or f"sqlite:///{self.folder}/gradebook.db"
        config = Config()
        config.CourseDirectory.root = str(self.folder)
        config.CourseDirectory.db_url = self.db
        config.ClearSolutions.code_stub = {"python": STUB}
        config.ClearSolutions.text_stub = TEXT_STUB
        config.Autograde.sanitize_preprocessors = [CheckCellMetadata]
        config.Autograde.autograde_preprocessors = [
            Insert, SaveAutoGrades, AssignLatePenalties, CheckCellMetadata,
        ]  # fmt: skip
        config.ExecutePreprocessor.enabled = False
        (self.folder / "nbgrader_config.py").write_text(SETTINGS.format(db=self.db))
        self.api = NbGraderAPI(CourseDirectory(config=config), config=config)
        self.api.log_level = logging.ERROR

    def release(
        self, name: str, source: Path, due: datetime | None = None
    ) -> NotebookNode:
        """Make the students' notebook of a set, and enter it in the gradebook."""
        with self.api.gradebook as gradebook:
            when = None if due is None else due.astimezone(UTC).replace(tzinfo=None)
            gradebook.update_or_create_assignment(name, duedate=when)
        at = self.folder / "source" / name
        at.mkdir(parents=True, exist_ok=True)
        (at / f"{name}.ipynb").write_bytes(source.read_bytes())
        done = self.api.generate_assignment(name, force=True)
        if not done["success"]:
            raise RuntimeError(done["log"] or done["error"])
        return nbformat.read(self.folder / "release" / name / f"{name}.ipynb", 4)

    def store(
        self,
        name: str,
        student: str,
        notebook: NotebookNode,
        result: Result,
        at: datetime,
    ) -> None:
        """Enter one graded submission, and make its feedback page."""
        folder = self.folder / "submitted" / student / name
        folder.mkdir(parents=True, exist_ok=True)
        nbformat.write(notebook, folder / f"{name}.ipynb")
        (folder / "timestamp.txt").write_text(
            f"{at.astimezone(UTC):%Y-%m-%d %H:%M:%S} UTC"
        )
        RESULTS[student] = result
        try:
            done = self.api.autograde(name, student, force=True)
        finally:
            del RESULTS[student]
        if not done["success"]:
            raise RuntimeError(done["log"] or done["error"])

    def feedback(self, name: str, student: str) -> str:
        """A student's feedback page."""
        done = self.api.generate_feedback(name, student, force=True)
        if not done["success"]:
            raise RuntimeError(done["log"] or done["error"])
        page = self.folder / "feedback" / student / name / f"{name}.html"
        page.write_text(inert(page.read_text("utf-8")), encoding="utf-8")
        return page.read_text("utf-8")

    def standing(self, name: str, student: str) -> "Standing":
        """What the gradebook says of a submission now, hand marks included."""
        with self.api.gradebook as gradebook:
            submission = gradebook.find_submission(name, student)
            points, to_mark, said = {}, [], []
            for notebook in submission.notebooks:
                for grade in notebook.grades:
                    marked = (
                        grade.auto_score is not None or grade.manual_score is not None
                    )
                    points[grade.name] = grade.score if marked else None
                    if grade.needs_manual_grade:
                        to_mark.append(grade.name)
                said += [
                    (comment.name, comment.comment) for comment in notebook.comments
                ]
            late = submission.total_seconds_late
            total = submission.score
        digest = hashlib.sha256(
            repr((sorted(points.items()), sorted(said), late)).encode()
        )
        return Standing(points, total, late, tuple(sorted(to_mark)), digest.hexdigest())


@dataclass(frozen=True)
class Standing:
    """A submission in the gradebook; ``digest`` changes with what feedback shows."""

    points: dict[str, float | None]
    total: float
    seconds_late: float
    to_mark: tuple[str, ...]
    digest: str
