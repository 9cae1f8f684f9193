"""What goes out: the lines of those on the roster, the tables, pages and exports."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from grading import exports, files, graders, likeness, report, roster
from grading.report import Row
from grading.results import Results


def written(
    results: Results, rows: list[Row], zeros: bool, say: Callable[[str], None]
) -> list[Row]:
    """Write everything; the rows in order, with a line for each on the roster."""
    rows = of_people(results.matches, rows) if results.matches else rows
    rows.sort(key=lambda row: row.student)
    if zeros and (who := unknown(results.matches)):
        say(f"No zeros: whose submissions are those of {who}? Say it in the roster.")
        zeros = False
    write_tables(results, rows, zeros)
    for check, fault in report.faults(rows).items():
        say(f"The check {check!r} raised an error, mark by hand or mend it: {fault}")
    return rows


# --- Those on the roster ------------------------------------------------------


def of_people(matches: roster.Matches, rows: list[Row]) -> list[Row]:
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


def unknown(matches: roster.Matches | None) -> str:
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
