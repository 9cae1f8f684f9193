"""The grades in the forms that learning-management systems import.

A grade goes out when it is whole: a submission with a question still to be marked by
hand has its line without a grade, which these systems leave as it is.
"""

import json
from collections.abc import Mapping
from pathlib import Path

from grading.marking import Result
from grading.report import Row, write, write_csv


def _grade(row: Row) -> float | None:
    return None if row.to_mark else row.total


def canvas(path: Path, name: str, rows: list[Row], whole: float) -> None:
    """Canvas's gradebook: who, and one assignment with its points possible.

    Canvas finds a student by ``ID``, the number it puts into a file's name, or else
    by ``SIS Login ID``.  Who came by Moodle has a number that is another's in Canvas.
    """
    header = ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", name]
    lines = [["Points Possible", "", "", "", "", whole]]
    for row in rows:
        if row.system == "moodle":
            continue
        login = "" if row.number else row.student
        lines.append([_person(row), row.number, "", login, "", _grade(row)])
    write_csv(path, header, lines)


def moodle(path: Path, rows: list[Row], whole: float) -> None:
    """Moodle's offline grading worksheet, of those who came by Moodle.

    Moodle refuses a worksheet without the column ``Last modified (grade)``, and skips
    a line whose grade it has changed since that time; "-" is its word for never.
    """
    header = [
        "Identifier", "Full name", "Grade", "Maximum Grade", "Last modified (grade)",
    ]  # fmt: skip
    write_csv(
        path,
        header,
        (
            [f"Participant {row.number}", _person(row), _grade(row), whole, "-"]
            for row in rows
            if row.system == "moodle"
        ),
    )


def _person(row: Row) -> str:
    return row.student.removesuffix(f" {row.number}")


def gradescope(
    path: Path, row: Row, result: Result, questions: Mapping[str, float]
) -> None:
    """Gradescope's results.json of one submission: a test for each check.

    What was marked by hand has a line of its own, so that the lines add up; a question
    with a check that has stumbled has this line alone.

    Parameters
    ----------
    path : Path
    row : Row
    result : Result
    questions : mapping
        The most points of each question.
    """
    judged = {q: o for q, o in result.outcomes.items() if q not in result.faults()}
    tests = [
        {
            "name": f"{question}: {outcome.title}",
            "score": outcome.earned,
            "max_score": outcome.points,
            "status": "passed" if outcome.earned == outcome.points else "failed",
            "output": outcome.said,
            "output_format": "text",
            "visibility": "visible",
        }
        for question, outcomes in judged.items()
        for outcome in outcomes
    ]
    for question, whole in questions.items():
        checks = judged.get(question, [])
        points = row.points.get(question)
        earned = sum(outcome.earned for outcome in checks)
        line = {
            "name": f"{question}: marked by hand",
            "max_score": whole - sum(outcome.points for outcome in checks),
            "visibility": "visible",
        }
        if points is None:
            tests.append(line | {"output": "Not yet marked.", "output_format": "text"})
        elif not checks or points != earned:
            tests.append(line | {"score": points - earned})
    content = {
        # Counts in place of the sum of the tests, so marks given by hand are in it.
        "score": row.total,
        "execution_time": round(result.seconds),
        "output_format": "text",
        "output": (
            f"Still to be marked by hand: {', '.join(row.to_mark)}."
            if row.to_mark
            else ""
        ),
        "tests": tests,
    }
    write(path, json.dumps(content, indent=1, ensure_ascii=False))
