"""The grades in the forms that learning-management systems import.

A submission with a question that is still to be marked by hand has a line without a
grade, and these systems then leave the grade as it is.
"""

import json
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import Any

from grading.checks import Outcome
from grading.files import write
from grading.marking import Result
from grading.owners import handed_back
from grading.records import Record
from grading.report import Row, late, write_csv


def _grade(row: Row, zeros: bool) -> float | None:
    if row.missing:
        return 0.0 if zeros else None
    return None if row.to_mark else row.total


def canvas(
    path: Path, name: str, rows: list[Row], maximum: float, *, zeros: bool = False
) -> None:
    """Canvas's gradebook: the students, and one assignment with its points possible.

    Canvas finds a student by ``ID``, the number that it puts into a file's name, or
    else by ``SIS Login ID``; both may be in the roster.  Whose file came from Moodle
    has a number that is another student's in Canvas, and is left out; so is who is
    without a name in Canvas.

    With ``zeros``, who handed in nothing has none, and otherwise a line without grade.
    """
    header = ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", name]
    lines = [["Points Possible", "", "", "", "", maximum]]
    for row in rows:
        if row.system == "moodle" or row.system == "canvas" and not row.number:
            continue
        own = row.number if row.system == "canvas" else ""
        login = "" if own else row.student
        if login and row.person and row.person.login:
            login = row.person.login
        number = row.person and row.person.canvas or own
        sis = row.person.sis if row.person else ""
        lines.append([_person(row), number, sis, login, "", _grade(row, zeros)])
    write_csv(path, header, lines)


def moodle(path: Path, rows: list[Row], maximum: float, *, zeros: bool = False) -> None:
    """Moodle's offline grading worksheet, of those whose file came from Moodle.

    Who handed in nothing has a line if the roster has the number of participant.

    Moodle refuses a worksheet without the column ``Last modified (grade)``, and skips
    a line whose grade has changed there since that time; "-" means never.
    """
    header = [
        "Identifier", "Full name", "Grade", "Maximum Grade", "Last modified (grade)",
    ]  # fmt: skip
    write_csv(
        path,
        header,
        (
            [f"Participant {row.number}", _person(row), points, maximum, "-"]
            for row, points in ((row, _grade(row, zeros)) for row in rows)
            if row.system == "moodle"
        ),
    )


def feedback(folder: Path, name: str, pages: Iterable[tuple[Record, Path]]) -> None:
    """Zips of feedback pages, which Canvas and Moodle hand back to the students.

    Both find the student by the name of the file that was handed in, down to their own
    part of it.

    Parameters
    ----------
    folder : Path
    name : str
        Of the problem set.
    pages : iterable
        A student's record, and the page.
    """
    zips: dict[str, dict[str, Path]] = {"canvas": {}, "moodle": {}}
    for record, page in pages:
        if record.system in zips and record.path:
            path = handed_back(PurePosixPath(record.path), f"feedback-{name}.html")
            zips[record.system][path.encode("utf-8", "replace").decode()] = page
    for system, members in zips.items():
        path = folder / f"feedback-{system}.zip"
        path.unlink(missing_ok=True)
        if members:
            new = path.with_suffix(".new")
            with zipfile.ZipFile(new, "w", zipfile.ZIP_DEFLATED) as archive:
                for member, page in sorted(members.items()):
                    archive.write(page, member)
            new.replace(path)


def _person(row: Row) -> str:
    if row.person:
        return row.person.name
    return row.student.removesuffix(f" {row.number}")


def gradescope(
    path: Path, row: Row, result: Result, questions: Mapping[str, float]
) -> None:
    """Gradescope's results.json of one submission: a test for each check.

    What was marked by hand has a line of its own, so that the lines add up.  A question
    with a check that raised an error has only this line.

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
        _check(question, outcome)
        for question, outcomes in judged.items()
        for outcome in outcomes
    ]
    for question, maximum in questions.items():
        tests += _by_hand(
            question, maximum, row.points.get(question), judged.get(question, [])
        )
    if row.penalty:
        tests.append({
            "name": f"handed in {late(row)} late", "score": -row.penalty,
            "max_score": 0.0, "visibility": "visible",
        })  # fmt: skip
    to_mark = f"Still to be marked by hand: {', '.join(row.to_mark)}."
    content = {
        # Gradescope takes it in place of the sum of the tests.
        "score": row.total,
        "execution_time": round(result.seconds),
        "output_format": "text",
        "output": to_mark if row.to_mark else "",
        "tests": tests,
    }
    write(path, json.dumps(content, indent=1, ensure_ascii=False))


def _check(question: str, outcome: Outcome) -> dict[str, Any]:
    return {
        "name": f"{question}: {outcome.title}",
        "score": outcome.earned,
        "max_score": outcome.points,
        "status": "passed" if outcome.earned == outcome.points else "failed",
        "output": outcome.message,
        "output_format": "text",
        "visibility": "visible",
    }


def _by_hand(
    question: str, maximum: float, points: float | None, outcomes: list[Outcome]
) -> Iterator[dict[str, Any]]:
    """The line of what a person has marked or is to mark, if there is any."""
    earned = sum(outcome.earned for outcome in outcomes)
    line = {
        "name": f"{question}: marked by hand",
        "max_score": maximum - sum(outcome.points for outcome in outcomes),
        "visibility": "visible",
    }
    if points is None:
        yield line | {"output": "Not yet marked.", "output_format": "text"}
    elif not outcomes or points != earned:
        yield line | {"score": points - earned}
