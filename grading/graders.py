"""Marks and comments of several graders, each of whom writes a table.

A grader's table is ``graders/NAME.csv`` in the folder of results, with the columns
student, question, points and comment.  All that was written is kept and shown with its
grader's name.  Marks on which all agree count; others become a question, which a mark
in the gradebook answers.

``answer`` is a column that may be missing: the sign of the answer that was read, as
to-mark.csv gives it, so that a mark of an earlier answer is known as such.
"""

import hashlib
import math
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from nbformat import NotebookNode

from grading import cells, tables
from grading.marks import Marks
from grading.report import Row, write_csv

COLUMNS = ["student", "question", "answer", "points", "comment"]


@dataclass(frozen=True)
class Opinion:
    """What one grader says of an answer."""

    grader: str
    points: float | None
    comment: str
    answer: str

    def __str__(self) -> str:
        return self.grader if self.points is None else f"{self.grader} {self.points:g}"


# By student and question.
Opinions = Mapping[tuple[str, str], list[Opinion]]


def read(
    folder: Path, questions: Mapping[str, float], students: Collection[str]
) -> Opinions:
    """What all graders have written.

    Parameters
    ----------
    folder : Path
        May be missing.
    questions : mapping
        The most points of each.
    students : collection of str

    Raises
    ------
    ValueError
        If a line is about nobody or about no question, or has points that are none.
    """
    found: dict[tuple[str, str], list[Opinion]] = defaultdict(list)
    students = {" ".join(student.split()): student for student in students}
    for path in sorted(folder.glob("*.csv")):
        header, *lines = tables.read(path, str(path))
        if missing := set(COLUMNS) - {"answer"} - header.values.keys():
            raise ValueError(
                f"{path}: expected the columns {', '.join(COLUMNS)}, got no "
                f"{' and no '.join(sorted(missing))}"
            )
        for line in lines:
            if line.first("points", "comment"):
                student = students[_known(line, "student", students, path)]
                question = _known(line, "question", questions, path)
                found[student, question].append(
                    Opinion(
                        path.stem,
                        _points(line, questions[question], path),
                        line.first("comment"),
                        line.first("answer"),
                    )
                )
    return found


def _known(
    line: tables.Line, column: str, expected: Collection[str], path: Path
) -> str:
    got = line.first(column)
    if got in expected:
        return got
    names = ", ".join(sorted(expected)[:8])
    raise ValueError(
        f"{path}, line {line.number}: expected a {column} as grades.csv has it "
        f"({names}...), got {got!r}"
    )


def _points(line: tables.Line, most: float, path: Path) -> float | None:
    text = line.first("points")
    try:
        points = float(text.replace(",", ".")) if text else None
    except ValueError:
        points = math.nan
    if points is None or 0 <= points <= most:
        return points
    raise ValueError(
        f"{path}, line {line.number}: expected points from 0 to {most:g}, got {text!r}"
    )


def sign(notebook: NotebookNode, question: str) -> str:
    """What tells an answer from another one."""
    answer = "\0".join(cells.answers(notebook).get(question, []))
    return hashlib.sha256(answer.encode("utf-8", "replace")).hexdigest()[:8]


def counted(
    marks: Marks, student: str, opinions: Opinions, notebook: NotebookNode
) -> Marks:
    """The marks with what the graders agree on, and with what they have said."""
    points, to_mark = dict(marks.points), list(marks.to_mark)
    said, notes = defaultdict(list), list(marks.overruled)
    for question, maximum in marks.maximum.items():
        given = opinions.get((student, question), [])
        now = sign(notebook, question)
        early = [o for o in given if o.answer not in ("", now)]
        marked = {o.points for o in given if o not in early and o.points is not None}
        for one in given:
            of = "for an earlier answer" if one in early else f"of {maximum:g}"
            worth = "" if one.points is None else f"{one.points:g} {of}"
            said[question].append((one.grader, worth, one.comment))
        names = ", ".join(str(o) for o in given if o.points is not None)
        if question in marks.by_hand:
            if marked - {points[question]}:
                notes.append(f"{question}: {points[question]:g} counts; {names}")
        elif len(marked) == 1:
            [points[question]] = marked
            to_mark = [other for other in to_mark if other != question]
        elif marked or early:
            why = "the graders differ" if marked else "another answer since then"
            notes.append(f"{question}: {why} ({names})")
            to_mark = sorted({*to_mark, question})
    total = sum(p for p in points.values() if p is not None)
    return replace(
        marks, points=points, to_mark=tuple(to_mark), said=said,
        overruled=tuple(notes), total=total if said else marks.total,
    )  # fmt: skip


def to_mark(path: Path, rows: Iterable[tuple[Row, NotebookNode]]) -> None:
    """A table of what waits, for a grader to fill in."""
    write_csv(
        path,
        COLUMNS,
        (
            [row.student, question, sign(notebook, question), None, None]
            for row, notebook in rows
            for question in row.to_mark
        ),
    )
