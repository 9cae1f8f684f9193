"""The record of a graded submission: what was graded, and what came of it.

There is one file a student, ``marks/SET/STUDENT.json``, and it is written first.  The
gradebook is derived from it: nbgrader's folders, the points of the checks and the time
of handing in are entered by `course`, and entered again whenever they are missing.
Only what people enter themselves is in the gradebook alone: marks given by hand,
comments, extra credit.
"""

import hashlib
import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any

import nbformat
from nbformat import NotebookNode
from nbformat.v4 import new_output

from grading import files
from grading.cells import grade_id, has_checks
from grading.checks import Outcome
from grading.marking import Result


@dataclass(frozen=True)
class Record:
    """A graded submission.

    ``notebook`` is the released one with the student's answers, and ``key`` changes
    with whatever could change the result.  ``handed_in``, ``number``, ``system``,
    ``late``, ``notes``, ``path`` and ``kept`` are as in `intake.Submission`.
    """

    student: str
    key: str
    notebook: NotebookNode
    result: Result
    handed_in: datetime | None = None
    number: str = ""
    system: str = ""
    late: bool = False
    notes: tuple[str, ...] = ()
    path: str = ""
    kept: str = ""

    def graded(self) -> NotebookNode:
        """The notebook with what its cells showed and what the checks gave.

        The metadata ``grading`` tell `course` which record it is, and the questions
        whose points are unknown because a check has failed itself.
        """
        notebook = nbformat.from_dict(self.notebook)
        faults = self.result.faults()
        for number, cell in enumerate(notebook.cells):
            if cell.cell_type != "code":
                continue
            cell.outputs = list(map(shown, self.result.outputs.get(number, [])))
            cell.execution_count = None
            if has_checks(cell):
                name = grade_id(cell)
                points = repr(float(self.result.earned(name)))
                cell.outputs = [
                    # Pictures stay out, so that the points are the only output of a
                    # kind that nbgrader takes for them.
                    *(o for o in cell.outputs if o.output_type == "stream"),
                    _text(verdict(self.result.outcomes[name])),
                    new_output("execute_result", data={"text/plain": points}),
                ]
                cell.metadata["grading"] = {"points_unknown": name in faults}
        notebook.metadata["grading"] = {"key": self.key}
        return notebook


class Records:
    """The records of a problem set, in a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @classmethod
    def of(cls, out: Path, name: str) -> "Records":
        """Those of a set in a folder of results, which need not be there yet."""
        return cls(out / "marks" / name)

    def _path(self, student: str) -> Path:
        return self.folder / f"{files.file_name(student)}.json"

    def students(self) -> list[str]:
        """Who has a record."""
        return sorted(record.student for record in self.all())

    def read(self, student: str) -> Record | None:
        """A student's record, if there is one."""
        return self._read(self._path(student))

    def _read(self, path: Path) -> Record | None:
        try:
            about = json.loads(path.read_text("utf-8"))
            return Record(
                **about | {
                    "notebook": nbformat.from_dict(about["notebook"]),
                    "result": Result.of(about["result"]),
                    "handed_in": _time(about["handed_in"]),
                    "notes": tuple(about["notes"]),
                }
            )  # fmt: skip
        except (FileNotFoundError, ValueError, KeyError, TypeError):
            return None

    def all(self) -> Iterator[Record]:
        """The records of all students."""
        paths = sorted(self.folder.glob("*.json"))
        return filter(None, map(self._read, paths))

    def kept(self) -> dict[str, str]:
        """The files that a teacher has chosen, each with what it was chosen from."""
        return {record.path: record.kept for record in self.all() if record.kept}

    def write(self, record: Record) -> None:
        """Keep a record, in the place of an earlier one."""
        if record != self.read(record.student):
            plain = asdict(record) | {
                "handed_in": record.handed_in and record.handed_in.isoformat(),
            }
            files.write(self._path(record.student), json.dumps(plain))


def _time(text: str | None) -> datetime | None:
    return None if text is None else datetime.fromisoformat(text)


@cache
def _grader() -> str:
    """The text of the whole grader."""
    modules = sorted(Path(__file__).parent.glob("*.py"))
    return "\0".join(path.read_text("utf-8") for path in modules)


def key(notebook: NotebookNode, checks: str) -> str:
    """A text that changes with whatever could change the result."""
    cells = json.dumps([(cell.source, cell.metadata) for cell in notebook.cells])
    return hashlib.sha256("\0".join([cells, checks, _grader()]).encode()).hexdigest()


def _text(text: str) -> NotebookNode:
    return new_output("stream", name="stdout", text=text)


def shown(output: dict[str, Any]) -> NotebookNode:
    """An output of the worker as a notebook's: text and pictures, nothing active."""
    match output:
        case {"png": str(picture)}:
            return new_output("display_data", data={"image/png": picture})
        case {"stream": str(text)} | {"result": str(text)} | {"failed": str(text)}:
            return _text(without_controls(text))
    return _text("[an output that cannot be shown]\n")


def without_controls(text: str) -> str:
    """Text without control characters, which could move what a terminal shows."""
    text = text.encode("utf-8", "replace").decode()
    return "".join(c for c in text if c.isprintable() or c in "\n\t") + "\n"


def verdict(outcomes: list[Outcome]) -> str:
    """What the student reads about a question: each check, its points, a sentence."""
    lines = []
    for outcome in outcomes:
        mark = "✓" if outcome.earned == outcome.points else "✗"
        points = f"{mark} {outcome.earned:g}/{outcome.points:g}"
        if outcome.fault:
            points = f"? –/{outcome.points:g}"
        lines.append(f"{points}  {outcome.title}")
        if outcome.message:
            lines.append(f"      {without_controls(outcome.message).strip()}")
    return "\n".join(lines) + "\n"
