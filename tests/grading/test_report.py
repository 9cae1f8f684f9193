"""Tables, pages and exports: right, whole, and with nothing active in them."""

import csv
import html
import html.parser
import io
import json
import re
from dataclasses import replace

import pytest
import tiny
from tiny import PARTLY, RIGHT, hand_in

from grading import exports, records, report
from grading.checks import Outcome
from grading.marking import Result
from grading.report import Row

QUESTIONS = {"double": 2.0, "proof": 3.0}
HOSTILE = "<script>alert(1)</script><img src=x onerror=alert(1)>"
ROWS = [
    Row("ann", points={"double": 2.0, "proof": 2.5}, total=4.5, feedback="f/ann.html"),
    Row(
        "bob 12", number="12", system="moodle", points={"double": 0.0, "proof": None},
        total=0.0, seconds_late=5460, to_mark=("proof",), feedback="f/bob 12.html",
    ),
    Row(
        "cyd 13", number="13", system="moodle", points={"double": 1 / 3, "proof": 3.0},
        total=10 / 3,
    ),
    Row(HOSTILE, refused=f"is no name; {HOSTILE}", notes=("=1+1", "a;=1+1")),
]  # fmt: skip


# --- CSV ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ("=1+1", "'=1+1"),
        ("+1", "'+1"),
        ("-2+3", "'-2+3"),
        ("@SUM(A1)", "'@SUM(A1)"),
        ("\t=1", "'=1"),
        ("\r\n=1", "'=1"),
        ("  =1", "'=1"),
        ("＝1", "'＝1"),
        ("a; =1", "a; '=1"),
        ("a,=1", "a,'=1"),
        ('"=1', "\"'=1"),
        ("a\n=1", "a =1"),
        ("a-b = c", "a-b = c"),
        ("j.doe+x@y.org", "j.doe+x@y.org"),
        (-1.5, "-1.5"),
        (1e-5, "1e-05"),
        (1234567.25, "1234567.25"),
        (None, ""),
        (0.0, "0"),
    ],
)
def test_a_cell_is_no_formula(value, shown):
    assert report.cell(value) == shown


def table(path) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(path.read_text(encoding="utf-8"))))


def test_grades_csv(tmp_path):
    report.grades(tmp_path / "grades.csv", ROWS, QUESTIONS)
    ann, bob, cyd, bad = table(tmp_path / "grades.csv")
    assert list(ann) == [
        "student", "double", "proof", "total", "late", "handed in", "notes",
    ]  # fmt: skip
    assert (ann["double"], ann["proof"], ann["total"]) == ("2", "2.5", "4.5")
    assert (bob["proof"], bob["late"]) == ("", "1 hour 31 minutes")
    assert bob["notes"] == "to mark by hand: proof"
    assert float(cyd["total"]) == pytest.approx(10 / 3)
    assert bad["total"] == "" and bad["notes"].startswith("not graded: is no name")
    assert "'=1+1; a;'=1+1" in bad["notes"]
    assert list(tmp_path.iterdir()) == [tmp_path / "grades.csv"], "no half file"


# --- Pages --------------------------------------------------------------


class Active(html.parser.HTMLParser):
    """What could run in a page or fetch something."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found, self.policy = [], None
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        about = dict(attributes)
        if about.get("http-equiv") == "Content-Security-Policy":
            self.policy = about["content"]
        elif tag in ("script", "iframe", "object", "embed", "base", "svg", "form"):
            self.found.append(tag)
        self.found += [
            f"{name}={value}"
            for name, value in attributes
            if name.startswith("on")
            or value == "refresh"
            or re.match(r"\s*(javascript|vbscript|data:text)", value or "", re.I)
        ]


def test_the_detector_sees_what_is_active():
    for sample in (
        HOSTILE, "<a href=' JavaScript:x'>", "<svg onload=x>", "<iframe srcdoc=x>",
        "<meta http-equiv=refresh>",
    ):  # fmt: skip
        assert Active(sample).found


def test_summary_page(tmp_path):
    report.summary(tmp_path / "summary.html", "tiny", ROWS, QUESTIONS)
    page = (tmp_path / "summary.html").read_text(encoding="utf-8")
    assert not Active(page).found and "default-src 'none'" in Active(page).policy
    assert "&lt;script&gt;" in page
    text = re.sub(r"<[^>]+>", " ", page)
    assert re.search(r"tiny: 3 graded, 1 not", text)
    assert re.search(r"mean 2\.61, median 3\.33, lowest 0, highest 4\.5", text)
    rubric = r"The rubric stands in course/source/tiny/tiny.ipynb, with an answer\."
    assert re.search(rf"To mark by hand: 1\s+{rubric}\s+bob 12\s+proof", text)
    assert re.search(r"Not graded: 1\s+&lt;script", text)
    # A row a question: points, mean, full marks, zero, to mark.
    assert re.search(r"double\s+2\s+0\.78\s+1\s+1\s+0", text)
    assert re.search(r"proof\s+3\s+2\.75\s+1\s+0\s+1", text)
    # Of ten bins: 0 of 5 in the first, 10/3 of 5 in the seventh, 4.5 in the tenth.
    counts = re.findall(r"\d+–\d+ %\s+(\d+)", text)
    assert counts == ["1", "0", "0", "0", "0", "0", "1", "0", "0", "1"]


def test_what_is_to_be_marked_again_is_counted(tmp_path):
    again = Row("ann", points={"double": 2.0, "proof": 1.0}, total=3.0)
    again = replace(again, to_mark=("double", "proof"))
    report.summary(tmp_path / "summary.html", "tiny", [again], QUESTIONS)
    text = re.sub(r"<[^>]+>", " ", (tmp_path / "summary.html").read_text())
    assert re.search(
        r"double\s+2\s+2\.00\s+1\s+0\s+1\s+proof\s+3\s+1\.00\s+0\s+0\s+1", text
    )


def test_a_grade_of_an_earlier_file_counts_though_the_newest_is_refused(tmp_path):
    row = replace(ROWS[0], refused="is not JSON", notes=("an earlier one",))
    report.summary(tmp_path / "summary.html", "tiny", [row], QUESTIONS)
    text = re.sub(r"<[^>]+>", " ", (tmp_path / "summary.html").read_text())
    assert "tiny: 0 graded, 1 not" in text and "mean 4.50" in text
    assert re.search(r"Not graded: 1\s+ann\s+is not JSON", text)
    assert report.notes(row) == ["an earlier one"]


@pytest.mark.parametrize(
    ("row", "said"),
    [
        (Row("ann"), ""), (Row("ann", seconds_late=61), "1 minute"),
        (Row("ann", marked_late=True), "marked late"),
        (Row("ann", seconds_late=7200, marked_late=True), "2 hours"),
        (Row("ann", seconds_late=644 * 3600 + 19 * 60), "26 days 20 hours"),
    ],
)  # fmt: skip
def test_how_late(row, said):
    assert report.late(row) == said


def test_the_summary_has_a_row_for_each_hidden_check(tmp_path):
    title = f"doubles {HOSTILE}"
    rows = [
        replace(ROWS[0], checks={("double", title): (1.0, 2.0)}),
        replace(ROWS[1], checks={("double", title): (2.0, 2.0)}),
        ROWS[2],
    ]
    report.summary(tmp_path / "summary.html", "tiny", rows, QUESTIONS)
    text = (tmp_path / "summary.html").read_text()
    shown = html.escape(title)
    numbers = "".join(f"<td class=number>{n}" for n in ("2", "1.50", "1", "0", ""))
    assert f"<tr><td>{shown}{numbers}</tr>" in text


def test_summary_page_with_nothing_graded(tmp_path):
    report.summary(tmp_path / "summary.html", "tiny", ROWS[-1:], QUESTIONS)
    assert "Nothing was graded." in (tmp_path / "summary.html").read_text()


def test_totals_outside_of_the_points_are_counted(tmp_path):
    rows = [Row("ann", total=7.0), Row("bob", total=-1.0)]
    report.summary(tmp_path / "summary.html", "tiny", rows, QUESTIONS)
    text = re.sub(r"<[^>]+>", " ", (tmp_path / "summary.html").read_text())
    counts = re.findall(r"\d+–\d+ %\s+(\d+)", text)
    assert counts == ["1", *["0"] * 8, "1"]


def test_feedback_page_tells_points_and_nothing_active(quick):
    hostile = RIGHT | {"proof": f"{HOSTILE} [x](javascript:alert(1))"}
    hand_in(quick.handed_in, "ann", hostile)
    quick.run()
    page = (quick.out / "feedback" / "ann.html").read_text()
    assert not Active(page).found
    assert Active(page).policy.startswith("default-src 'none'")
    assert "doubles a negative number" in page and "1/1" in page
    assert "rng.integers" not in page, "the check's code"


@pytest.mark.parametrize(
    ("kept", "kind", "text"),
    [
        ({"stream": "a\x1b[2Jb\r\u202e\0c"}, "stream", "a[2Jbc\n"),
        ({"result": "<b>"}, "stream", "<b>\n"),
        ({"failed": "x\ud800"}, "stream", "x?\n"),
        ({"html": HOSTILE}, "stream", "[an output that cannot be shown]\n"),
        ({"png": ["x"]}, "stream", "[an output that cannot be shown]\n"),
    ],
)
def test_an_output_is_text_or_a_picture(kept, kind, text):
    found = records.shown(kept)
    assert (found.output_type, found.text) == (kind, text)


# --- Exports --------------------------------------------------------------


def test_canvas_columns(tmp_path):
    """What Canvas's importer asks for, column by column and in this order.

    The first row has the names: Student, ID, SIS User ID, SIS Login ID, Section, then
    assignments.  A row whose first column has "Points Possible" gives the points.
    Students are found by ID, a number, or by the login.
    """
    came = [replace(row, system=row.system and "canvas") for row in ROWS[:3]]
    exports.canvas(tmp_path / "canvas.csv", "tiny", came, 5.0)
    with (tmp_path / "canvas.csv").open(newline="") as file:
        header, possible, *rows = list(csv.reader(file))
    assert header == [
        "Student", "ID", "SIS User ID", "SIS Login ID", "Section", "tiny",
    ]  # fmt: skip
    assert "Points Possible" in possible[0] and possible[-1] == "5"
    assert rows == [
        ["ann", "", "", "ann", "", "4.5"],
        ["bob", "12", "", "", "", ""],  # the proof is not marked yet
        ["cyd", "13", "", "", "", "3.333333333"],
    ]


def test_the_number_of_another_system_is_none_of_canvas(tmp_path):
    row = replace(ROWS[2], system="brightspace")
    exports.canvas(tmp_path / "canvas.csv", "tiny", [row], 5.0)
    *_, line = csv.reader((tmp_path / "canvas.csv").open(newline=""))
    assert line == ["cyd", "", "", "cyd 13", "", "3.333333333"]


def test_moodle_columns(tmp_path):
    """What Moodle's grading worksheet must have, or it is refused as a whole.

    Its importer looks for Identifier, Grade and Last modified (grade) by name, and
    cuts the number from the end of "Participant 12".
    """
    exports.moodle(tmp_path / "moodle.csv", ROWS[:3], 5.0)
    bob, cyd = table(tmp_path / "moodle.csv")  # ann did not come by Moodle
    assert {"Identifier", "Grade", "Last modified (grade)"} <= set(bob)
    assert bob["Identifier"][len("Participant ") :] == "12" and bob["Grade"] == ""
    assert (cyd["Full name"], cyd["Grade"]) == ("cyd", "3.333333333")
    assert cyd["Maximum Grade"] == "5" and cyd["Last modified (grade)"] == "-"


# Gradescope's documentation of results.json, as a schema.
FORMATS = {"text", "html", "simple_format", "md", "ansi"}
VISIBLE = {"hidden", "after_due_date", "after_published", "visible"}
TEST = {
    "score": float, "max_score": float, "status": {"passed", "failed"}, "name": str,
    "name_format": FORMATS, "number": str, "output": str, "output_format": FORMATS,
    "tags": list, "visibility": VISIBLE, "extra_data": dict,
}  # fmt: skip
RESULTS = {
    "score": float, "execution_time": int, "output": str, "output_format": FORMATS,
    "test_output_format": FORMATS, "test_name_format": FORMATS, "visibility": VISIBLE,
    "stdout_visibility": VISIBLE, "extra_data": dict, "tests": list,
    "leaderboard": list,
}  # fmt: skip


def conforms(given: dict, schema: dict) -> bool:
    return all(
        key in schema
        and (
            value in schema[key]
            if isinstance(schema[key], set)
            else isinstance(value, schema[key])
        )
        for key, value in given.items()
    )


def test_gradescope_results(tmp_path):
    outcomes = {
        "double": [Outcome("doubles", 1.0, 1.0), Outcome("halves", 1.0, 0.0, "No.")]
    }
    result = Result(outcomes=outcomes, seconds=1.6, notes=["secret"])
    exports.gradescope(tmp_path / "ann.json", ROWS[0], result, QUESTIONS)
    found = json.loads((tmp_path / "ann.json").read_text())
    assert conforms(found, RESULTS) and "score" in found
    assert all(conforms(test, TEST) for test in found["tests"])
    assert not conforms({"points": 1.0}, TEST) and not conforms({"score": "1"}, TEST)
    assert found["score"] == 4.5, "with the hand mark"
    status = [test.get("status") for test in found["tests"]]
    # ann's double has a point more than its checks gave, and her proof was marked.
    assert status == ["passed", "failed", None, None]
    assert sum(test["score"] for test in found["tests"]) == found["score"]
    assert sum(test["max_score"] for test in found["tests"]) == 5
    assert "secret" not in json.dumps(found), "notes are for the instructor"
    nothing = replace(ROWS[0], points={"double": 1.0, "proof": 0.0}, total=1.0)
    exports.gradescope(tmp_path / "ann.json", nothing, result, QUESTIONS)
    found = json.loads((tmp_path / "ann.json").read_text())
    assert [test["score"] for test in found["tests"]] == [1, 0, 0], "the proof's too"
    exports.gradescope(tmp_path / "bob.json", ROWS[1], result, QUESTIONS)
    found = json.loads((tmp_path / "bob.json").read_text())
    assert "by hand: proof" in found["output"]
    assert found["tests"][-1] == {
        "name": "proof: marked by hand", "max_score": 3.0, "visibility": "visible",
        "output": "Not yet marked.", "output_format": "text",
    }  # fmt: skip


def test_exports_of_a_run(quick):
    (quick.handed_in / "doe_7_8_tiny.ipynb").write_text(tiny.answered(PARTLY))
    hand_in(quick.handed_in, "Jo Roe_7_assignsubmission_file")
    quick.run()
    quick.mark("doe 7", 3)
    quick.mark("Jo Roe 7", 2)
    quick.run()
    folder = quick.out / "exports"
    # The same number is another person's in the other system.
    _, doe = table(folder / "canvas.csv")
    assert doe == {
        "Student": "doe", "ID": "7", "SIS User ID": "", "SIS Login ID": "",
        "Section": "", "tiny": "5",
    }  # fmt: skip
    (roe,) = table(folder / "moodle.csv")
    assert (roe["Identifier"], roe["Full name"]) == ("Participant 7", "Jo Roe")
    assert roe["Grade"] == "6"
    found = json.loads((folder / "gradescope" / "doe 7.json").read_text())
    assert found["score"] == 5 and len(found["tests"]) == 4
    assert sum(test["score"] for test in found["tests"]) == 5
