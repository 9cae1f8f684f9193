"""The grades in the forms that learning-management systems import."""

import json
from pathlib import Path

from olutil.grading.marking import Result
from olutil.grading.report import Row, notes, write_csv


def canvas(path: Path, name: str, rows: list[tuple[Row, str]], whole: float) -> None:
    """Canvas's gradebook: Student, ID, SIS User ID, SIS Login ID, Section, the set.

    Parameters
    ----------
    rows : list of (Row, str)
        With the number that Canvas has put into the file's name.
    """
    header = ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", name]
    lines = [["    Points Possible", "", "", "", "", whole]]
    for row, number in rows:
        if not row.refused:
            lines.append([row.student, number, "", row.student, "", row.total])
    write_csv(path, header, lines)


def moodle(path: Path, rows: list[tuple[Row, str]], whole: float) -> None:
    """Moodle's grading worksheet."""
    header = ["Identifier", "Full name", "Grade", "Maximum Grade", "Feedback comments"]
    lines = []
    for row, number in rows:
        if not row.refused:
            participant = f"Participant {number}" if number else row.student
            person = row.student.removesuffix(f" {number}")
            said = "; ".join(notes(row))
            lines.append([participant, person, row.total, whole, said])
    write_csv(path, header, lines)


def gradescope(path: Path, row: Row, result: Result) -> None:
    """Gradescope's results.json of one submission: a test for each check."""
    tests = [
        {
            "name": f"{question}: {outcome.title}",
            "score": outcome.earned,
            "max_score": outcome.points,
            "status": "passed" if outcome.earned == outcome.points else "failed",
            "output": outcome.said,
            "visibility": "visible",
        }
        for question, outcomes in result.outcomes.items()
        for outcome in outcomes
    ]
    content = {
        "output": "; ".join(notes(row)),
        "output_format": "text",
        "execution_time": round(result.seconds),
        "tests": tests,
    }
    new = path.with_suffix(".new")
    new.write_text(json.dumps(content, indent=1, ensure_ascii=False), encoding="utf-8")
    new.replace(path)
