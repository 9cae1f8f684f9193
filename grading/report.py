"""The tables for people: grades.csv, and a page for the instructor."""

import csv
import html
import io
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from statistics import mean, median

from grading.choice import NAME_IT
from grading.files import file_name, write
from grading.lateness import in_words
from grading.marks import Marks
from grading.records import Record
from grading.roster import Person


@dataclass(frozen=True)
class Row:
    """One student's line.

    ``points`` has a question's points, or None where a hand mark is missing.
    ``seconds_late`` is 0 without a due date or a known time, and ``marked_late`` is
    what a learning-management system says; ``system`` is its name, "canvas" or
    "moodle", and ``number`` the student's there.
    ``checks`` has by question and title what each hidden check gave, of how much.
    ``total`` is what counts, without the ``penalty`` for lateness.
    ``person`` is the student's line in the roster; ``stranger`` says that there is
    none, and ``missing`` that there is nothing else.
    ``faults`` has the errors of checks whose question is not yet marked by hand.
    ``refused`` says why the newest file was not graded; points beside it are those of
    an earlier one.
    """

    student: str
    number: str = ""
    system: str = ""
    points: dict[str, float | None] = field(default_factory=dict)
    total: float | None = None
    seconds_late: float = 0.0
    marked_late: bool = False
    to_mark: tuple[str, ...] = ()
    checks: Mapping[tuple[str, str], tuple[float, float]] = field(default_factory=dict)
    faults: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    refused: str = ""
    feedback: str = ""
    handed_in: str = ""
    penalty: float = 0.0
    person: Person | None = None
    stranger: bool = False
    missing: bool = False

    @classmethod
    def of(cls, record: Record, marks: Marks, refused: str = "") -> "Row":
        """The line of a graded submission."""
        return cls(
            record.student,
            number=record.number,
            system=record.system,
            points=dict(marks.points),
            total=marks.counting,
            penalty=marks.penalty,
            seconds_late=marks.seconds_late,
            marked_late=record.late and marks.handed_in is None,
            to_mark=marks.to_mark,
            checks={
                (question, outcome.title): (outcome.earned, outcome.points)
                for question, outcomes in record.result.outcomes.items()
                for outcome in outcomes
                if not outcome.fault
            },
            faults={
                f"{question}: {title}": fault
                for question, faults in record.result.faults().items()
                for title, fault in faults.items()
                if question in marks.to_mark
            },
            notes=(*record.notes, *record.result.notes, *marks.overruled),
            refused=refused,
            feedback=f"feedback/{file_name(record.student)}.html",
            handed_in=in_utc(marks.handed_in),
        )


def in_utc(when: datetime | None) -> str:
    """A time as tables have it; nothing if nobody knows it."""
    return "" if when is None else when.astimezone(UTC).strftime("%Y-%m-%d %H:%M UTC")


# Where a spreadsheet would take what follows for a formula: at the start of a cell, and
# after what some of them take for its end.
SPREADSHEET_FORMULA = re.compile(r"(^|[;,|\"'])( *)(?=[=+@＝＋＠－-].)")


def cell(value: object) -> str:
    """A value of a CSV that no spreadsheet takes for a formula."""
    if value is None:
        return ""
    if isinstance(value, int | float):
        return f"{value:.10g}"
    return SPREADSHEET_FORMULA.sub(r"\1\2'", " ".join(str(value).split()))


def write_csv(path: Path, header: list[str], rows: Iterable[list]) -> None:
    """Write a table whole or not at all."""
    table = io.StringIO()
    writer = csv.writer(table)
    writer.writerow(header)
    writer.writerows([cell(value) for value in row] for row in rows)
    write(path, table.getvalue())


def grades(path: Path, rows: list[Row], questions: dict[str, float]) -> None:
    """grades.csv: a student a line, a column a question."""
    penalty = ["penalty"] if any(row.penalty for row in rows) else []
    header = ["student", *questions, *penalty, "total", "late", "handed in", "notes"]
    write_csv(
        path,
        header,
        (
            [
                row.student,
                *(row.points.get(question) for question in questions),
                *(-row.penalty or None for _ in penalty),
                row.total,
                late(row),
                row.handed_in,
                "; ".join(notes(row)),
            ]
            for row in rows
        ),
    )


def notes(row: Row) -> list[str]:
    """What an instructor should know about a submission."""
    first = [f"not graded: {row.refused}"] if row.refused and row.total is None else []
    last = [f"to mark by hand: {', '.join(row.to_mark)}"] if row.to_mark else []
    roster = ["handed in nothing"] if row.missing else []
    roster += ["not on the roster"] if row.stranger else []
    return [*first, *roster, *row.notes, *last]


def faults(rows: Iterable[Row]) -> dict[str, str]:
    """By check, the error that it raised for the first student, and for whom it did."""
    raised: dict[str, str] = {}
    whom: dict[str, list[str]] = {}
    for row in rows:
        for check, fault in row.faults.items():
            raised.setdefault(check, fault)
            whom.setdefault(check, []).append(row.student)
    return {
        check: f"{fault} ({_counted(len(whom[check]))}: {_few(whom[check])})"
        for check, fault in raised.items()
    }


def _counted(students: int) -> str:
    return f"{students} student{'s' if students > 1 else ''}"


def _few(names: list[str]) -> str:
    return ", ".join(names[:4]) + (", ..." if len(names) > 4 else "")


def late(row: Row) -> str:
    """How late, in words; nothing if in time."""
    if row.seconds_late <= 0:
        return "marked late" if row.marked_late else ""
    return in_words(row.seconds_late)


STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 80rem; margin: 2rem auto;
  padding: 0 1rem; color: #222; background: #fff; }
table { border-collapse: collapse; margin: 1rem 0; }
th, td { padding: 0.25rem 0.7rem; border-bottom: 1px solid #bbb; text-align: left;
  vertical-align: top; }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; }
tr:first-child > th { vertical-align: bottom; }
th.upright { writing-mode: vertical-rl; transform: rotate(180deg); }
.wide { overflow-x: auto; }
.wide td:last-child { min-width: 18rem; }
.bar { display: inline-block; height: 0.8em; background: #0072b2; }
.refused { color: #a32a00; }
@media (prefers-color-scheme: dark) { body { color: #ddd; background: #1b1b1b; }
  .refused { color: #ff9d7a; } a { color: #7cc4ff; } }
"""


def summary(
    path: Path, name: str, rows: list[Row], questions: dict[str, float],
    asked: Sequence[tuple[str, str]] = (), alike: int = 0,
) -> None:  # fmt: skip
    """The instructor's page: distribution, questions, hand marks, what was refused.

    Parameters
    ----------
    path : Path
    name : str
        Of the problem set.
    rows : list of Row
    questions : dict
        The most points of each.
    asked : sequence of pairs of str
        Whom or what the roster leaves open, and what is to be said.
    alike : int
        How many pairs of answers are on the page beside this one.
    """
    graded = [row for row in rows if row.total is not None]
    refused = [row for row in rows if row.refused]
    missing = [row for row in rows if row.missing]
    none = f", {len(missing)} with nothing handed in" if missing else ""
    counts = f"{len(rows) - len(refused) - len(missing)} graded, {len(refused)} not"
    parts = [
        f"<h1>{_e(name)}: {counts}{none}</h1>",
        _distribution(graded, sum(questions.values())),
        _questions(graded, questions),
        _people(
            "To mark by hand",
            [(r.student, ", ".join(r.to_mark)) for r in graded],
            f"The rubric stands in course/source/{name}/{name}.ipynb, with an answer.",
        ),
        _people(
            "Checks that raised an error",
            list(faults(rows).items()),
            "Their questions wait to be marked by hand, and no grade is exported until "
            "then. If a check has a bug, mend it and run the command again.",
        ),
        _people(
            "Not graded",
            [(r.student, r.refused) for r in refused],
            "A file is named with --keep FILE (make: KEEP=FILE), once."
            if any(NAME_IT in r.refused for r in refused)
            else "",
        ),
        _people(
            "Late, and nobody knows how late",
            [(r.student, "marked late") for r in rows if r.marked_late],
            "Canvas says LATE and no time, so nothing is taken off, and no extension "
            "counts, until you have looked the time up there and written it into the "
            f"roster, in a column 'handed in {name}'.",
        ),
        _people(
            "Handed in nothing", [(r.student, r.person.login or " ") for r in missing]
        ),
        _people(
            "Not on the roster",
            [(r.student, r.number or " ") for r in rows if r.stranger],
        ),
        _people("Not clear whose", asked, "Write the name here into the roster."),
        f'<p><a href="likeness.html">Answers that are alike</a>: {alike}</p>',
        _students(rows, questions),
    ]
    write(path, page(f"{name}: grades", "".join(parts)))


def page(title: str, content: str) -> str:
    """A page for the instructor, with nothing active."""
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width">'
        # Nothing here needs a script, so nothing may run one.
        '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; '
        "style-src 'unsafe-inline'\">"
        f"<title>{_e(title)}</title><style>{STYLE}</style></head><body><main>"
        f"{content}</main></body></html>\n"
    )


def _e(value: object) -> str:
    return html.escape(str(value))


def _distribution(rows: list[Row], whole: float) -> str:
    totals = [row.total for row in rows if row.total is not None]
    if not totals:
        return "<p>Nothing was graded.</p>"
    bins = [0] * 10
    for total in totals:
        bins[max(0, min(9, int(10 * total / whole)))] += 1
    lines = "".join(
        f"<tr><th>{10 * i}–{10 * i + 10} %</th><td class=number>{count}</td>"
        f'<td><span class="bar" style="width:{16 * count / max(bins):.2f}rem">'
        "</span></td></tr>"
        for i, count in enumerate(bins)
    )
    return (
        f"<h2>Distribution</h2><p>Of {whole:g} points: mean {mean(totals):.2f}, "
        f"median {median(totals):.2f}, lowest {min(totals):g}, highest "
        f"{max(totals):g}. Points still to be marked by hand are "
        f"not in it.</p><table>{lines}</table>"
    )


def _questions(rows: list[Row], questions: dict[str, float]) -> str:
    checks = {check: None for row in rows for check in row.checks}
    lines = []
    for question, most in questions.items():
        found = [p for row in rows if (p := row.points.get(question)) is not None]
        to_mark = sum(question in row.to_mark for row in rows)
        lines.append(_counts(f"<th>{_e(question)}", found, most, str(to_mark)))
        for check in checks:
            given = [row.checks[check] for row in rows if check in row.checks]
            if check[0] == question:
                found, of = [earned for earned, _ in given], given[0][1]
                lines.append(_counts(f"<td>{_e(check[1])}", found, of, ""))
    return (
        "<h2>Questions</h2><table><tr><th>question<th class=number>points"
        "<th class=number>mean<th class=number>full marks<th class=number>zero"
        "<th class=number>to mark</tr>"
        f"{''.join(lines)}</table>"
    )


def _counts(what: str, found: list[float], most: float, to_mark: str) -> str:
    """A row of the table of questions: of one, or of one of its checks."""
    average = f"{mean(found):.2f}" if found else ""
    full, none = sum(p == most for p in found), sum(p == 0 for p in found)
    numbers = f"{most:g}", average, full, none, to_mark
    return f"<tr>{what}{''.join(f'<td class=number>{n}' for n in numbers)}</tr>"


def _people(title: str, lines: Sequence[tuple[str, str]], hint: str = "") -> str:
    filled = [(who, what) for who, what in lines if what]
    table = "".join(f"<tr><th>{_e(w)}<td>{_e(what)}</tr>" for w, what in filled)
    if not filled:
        return ""
    return f"<h2>{title}: {len(filled)}</h2><p>{_e(hint)}</p><table>{table}</table>"


def _students(rows: list[Row], questions: dict[str, float]) -> str:
    head = "".join(f"<th class=upright>{_e(question)}" for question in questions)
    lines, penalties = [], any(row.penalty for row in rows)
    for row in rows:
        given = (row.points.get(question) for question in questions)
        points = "".join(
            f"<td class=number>{'' if p is None else f'{p:g}'}</td>" for p in given
        )
        who = _e(row.student)
        if row.feedback:
            where = row.feedback.replace("%", "%25")
            who = f'<a href="{_e(where)}">{who}</a>'
        total = "" if row.total is None else f"{row.total:.4g}"
        penalty = f"−{row.penalty:.4g}" if row.penalty else ""
        penalty = f"<td class=number>{penalty}</td>" if penalties else ""
        kind = ' class="refused"' if row.refused else ""
        remarks = "<br>".join(map(_e, notes(row)))
        lines.append(
            f"<tr><th>{who}</th>{points}{penalty}<td class=number>{total}</td>"
            f"<td>{late(row)}</td><td{kind}>{remarks}</td></tr>"
        )
    return (
        "<h2>Students</h2><div class=wide><table><tr><th>student"
        f"{head}{'<th class=upright>penalty' if penalties else ''}"
        "<th class=upright>total<th>late<th>notes</tr>"
        f"{''.join(lines)}</table></div>"
    )
