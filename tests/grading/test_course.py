"""The gradebook over time: only what changed is graded, and no hand mark is lost.

Each test runs on SQLite and on a real Postgres.
"""

import os
import shutil
import subprocess
import sys
from datetime import datetime

import nbformat
import pytest
import tiny
from nbgrader.dbutil import _temp_alembic_ini
from tiny import PARTLY, RIGHT, hand_in

from grading import course, parallel


def test_a_second_run_grades_nothing_and_tells_what_was_marked_by_hand(both):
    hand_in(both.handed_in, "ann")
    hand_in(both.handed_in, "bob", PARTLY)
    assert "0 unchanged, 2 to grade" in both.run()
    first = both.grades()
    assert first["ann"]["total"] == "4" and first["bob"]["total"] == "2"
    assert first["ann"]["proof"] == "" and "proof" in first["ann"]["notes"]
    page = both.out / "feedback" / "ann.html"
    before = page.read_text()
    both.mark("ann", 2.5)
    assert "2 unchanged, 0 to grade" in both.run()
    second = both.grades()
    assert second["bob"] == first["bob"]
    assert second["ann"]["proof"] == "2.5" and second["ann"]["total"] == "6.5"
    assert "to mark" not in second["ann"]["notes"]
    assert "2.5" in page.read_text() and page.read_text() != before


def test_a_newer_file_is_graded_and_keeps_the_hand_mark(both):
    hand_in(both.handed_in, "ann", PARTLY)
    hand_in(both.handed_in, "bob")
    both.run()
    both.mark("ann", 2)
    # Another answer to another question: the proof need not be marked again.
    hand_in(both.handed_in, "ann", RIGHT)
    assert "1 unchanged, 1 to grade" in both.run()
    ann = both.grades()["ann"]
    assert (ann["double"], ann["proof"], ann["total"]) == ("2", "2", "6")
    assert "to mark" not in ann["notes"]
    # Another proof: the mark stays, and the instructor is told to look again.
    hand_in(both.handed_in, "ann", RIGHT | {"proof": "I know better now."})
    both.run()
    ann = both.grades()["ann"]
    assert ann["proof"] == "2" and "to mark by hand: proof" in ann["notes"]


def test_a_mark_by_hand_does_not_hide_what_the_checks_give_later(both):
    hand_in(both.handed_in, "ann", PARTLY)
    both.run()
    both.mark("ann", 1, "double")
    both.run()
    ann = both.grades()["ann"]
    assert ann["double"] == "1" and "to mark by hand: proof" in ann["notes"]
    assert "double: 1 by hand, 0 without" in ann["notes"]
    # A better answer: the mark stays, but the instructor is told to look again.
    hand_in(both.handed_in, "ann", RIGHT)
    both.run()
    ann = both.grades()["ann"]
    assert ann["double"] == "1" and "to mark by hand: double, proof" in ann["notes"]
    assert "double: 1 by hand, 2 without" in ann["notes"]
    # Another answer to another question is no reason to look again.
    both.mark("ann", 1, "double")
    hand_in(both.handed_in, "ann", RIGHT | {"square-answer": "pass"})
    both.run()
    assert "to mark by hand: proof" in both.grades()["ann"]["notes"]


def test_changed_checks_grade_all_anew_and_keep_hand_marks(both):
    for student in ("ann", "bob"):
        hand_in(both.handed_in, student)
    both.run()
    both.mark("ann", 3)
    checks = both.exercises / "checks" / "tiny.py"
    checks.write_text(checks.read_text().replace("doubles a number", "doubles any"))
    assert "0 unchanged, 2 to grade" in both.run()
    assert both.grades()["ann"]["proof"] == "3"
    assert "to mark" not in both.grades()["ann"]["notes"]
    assert "doubles any" in (both.out / "feedback" / "ann.html").read_text()


def change(both, edit) -> None:
    path = both.exercises / "source" / "tiny.ipynb"
    notebook = nbformat.read(path, 4)
    edit(notebook.cells)
    nbformat.write(notebook, path)


def test_the_set_changes_while_it_is_graded(both):
    hand_in(both.handed_in, "ann")
    both.run()
    both.mark("ann", 3)
    checks = both.exercises / "checks" / "tiny.py"
    everything = checks.read_text()

    # Other points for the proof.
    change(both, lambda cells: cells[-1].metadata.nbgrader.update(points=6))
    assert "1 to grade" in both.run()
    assert both.grades()["ann"]["total"] == "7"
    assert "3 / 6" in (both.out / "feedback" / "ann.html").read_text()

    # One question more, which nobody has answered yet, and one less.
    cube = '\n@checks("cube", "cubes", points=1)\ndef cube(student, rng):\n    pass\n'
    change(both, lambda cells: cells.extend(tiny.question("cube", "x**3", 1)))
    change(both, lambda cells: cells.__delitem__(slice(4, 6)))
    checks.write_text(everything[: everything.index('@checks("square"')] + cube)
    assert "1 to grade" in both.run()
    ann = both.grades()["ann"]
    assert (ann["cube"], ann["proof"], ann["total"]) == ("0", "3", "5")
    assert "square" not in ann

    # A question that was marked by hand does not leave.
    change(both, lambda cells: cells.pop(4))
    said = both.run()
    assert both.code == 2 and "marked by hand" in said and "proof" in said
    with both.gradebook() as gradebook:
        grade = gradebook.find_grade("proof", tiny.NAME, tiny.NAME, "ann")
        assert grade.manual_score == 3


@pytest.fixture
def recorded(both, monkeypatch):
    """A class that is graded, one of it earlier, and marked by hand.

    From here on nothing can be marked: what is lost comes from the records.
    """
    hand_in(both.folder / "earlier", "ann")
    both.handed_in, now = both.folder / "earlier", both.handed_in
    both.run()
    both.handed_in = now
    hand_in(both.handed_in, "bob", PARTLY)
    both.run()
    both.mark("bob", 1)
    both.run()
    monkeypatch.setattr(parallel, "mark_one", None)
    return both


def test_what_nbgrader_shows_is_made_again_when_it_was_deleted(recorded):
    before = recorded.grades()
    folder = recorded.out / "course" / "autograded"
    texts = {path: path.read_text() for path in folder.rglob("*.ipynb")}
    shutil.rmtree(folder)
    assert "1 unchanged, 0 to grade" in recorded.run()
    assert {path: path.read_text() for path in folder.rglob("*.ipynb")} == texts
    # Whether his proof is the one that was marked, nobody knows any more.
    before["bob"]["notes"] = "to mark by hand: proof"
    assert recorded.grades() == before and before["bob"]["proof"] == "1"


def test_points_that_are_not_those_of_the_record_are_entered_again(recorded):
    before = recorded.grades()
    with recorded.gradebook() as gradebook:
        for student in ("ann", "bob"):
            grade = gradebook.find_grade("square", tiny.NAME, tiny.NAME, student)
            grade.auto_score = 1.5
        gradebook.db.commit()
    assert "1 unchanged, 0 to grade" in recorded.run()
    assert recorded.grades() == before and before["bob"]["proof"] == "1"


def test_the_gradebook_is_rebuilt_from_the_records(recorded):
    """All but what people entered there; also for those who are not in this folder."""
    before = recorded.grades()
    shutil.rmtree(recorded.out / "course")
    recorded.db = f"sqlite:///{recorded.folder}/new.db"
    assert "1 unchanged, 0 to grade" in recorded.run()
    after = recorded.grades()
    assert after["ann"] == before["ann"] and after["ann"]["total"] == "4"
    assert after["bob"]["proof"] == "" and "to mark" in after["bob"]["notes"]
    recorded.mark("bob", 1)
    recorded.run()
    assert recorded.grades() == before


def test_without_its_record_a_submission_is_graded_anew(both):
    hand_in(both.handed_in, "ann")
    both.run()
    both.mark("ann", 3)
    (both.out / "marks" / "tiny" / "ann.json").unlink()
    assert "1 to grade" in both.run()
    ann = both.grades()["ann"]
    assert ann["total"] == "7" and "to mark" not in ann["notes"]


def test_a_student_who_is_not_in_this_folder_keeps_the_grade(both):
    hand_in(both.handed_in, "ann")
    hand_in(both.handed_in, "bob")
    both.run()
    both.handed_in = both.folder / "late-ones"
    hand_in(both.handed_in, "cyd")
    assert "0 unchanged, 1 to grade" in both.run()
    assert {s: row["total"] for s, row in both.grades().items()} == {
        "ann": "4", "bob": "4", "cyd": "4",
    }  # fmt: skip
    assert "not this time" in both.grades()["ann"]["notes"]


def without_square(both) -> None:
    """The set without its second question."""
    checks = both.exercises / "checks" / "tiny.py"
    change(both, lambda cells: cells.__delitem__(slice(4, 6)))
    text = checks.read_text()
    checks.write_text(text[: text.index('@checks("square"')])


def test_who_is_not_in_this_folder_keeps_the_points_of_a_set_that_changes(both):
    hand_in(both.handed_in, "ann")
    both.run()
    both.mark("ann", 3)
    both.handed_in = both.folder / "late-ones"
    hand_in(both.handed_in, "cyd")
    without_square(both)
    both.run()
    ann = both.grades()["ann"]
    assert both.code == 0 and (ann["double"], ann["total"]) == ("2", "5")
    assert "not this time" in ann["notes"] and "square" not in ann


def test_a_record_that_cannot_be_entered_again_stops_nobody_else(quick):
    """Such as one of a set that has changed since, when the gradebook is lost."""
    hand_in(quick.handed_in, "ann")
    quick.run()
    quick.handed_in = quick.folder / "late-ones"
    hand_in(quick.handed_in, "cyd")
    without_square(quick)
    shutil.rmtree(quick.out / "course")
    quick.run()
    grades = quick.grades()
    assert grades["cyd"]["total"] == "2" and grades["ann"]["total"] == ""
    assert "not graded: cannot be entered again: " in grades["ann"]["notes"]


def test_a_broken_newer_file_leaves_the_gradebook_alone(both):
    hand_in(both.handed_in, "ann")
    both.run()
    both.mark("ann", 3)
    (both.handed_in / "ann" / "tiny.ipynb").write_text("{")
    both.run()
    ann = both.grades()["ann"]
    assert ann["total"] == "7" and "is not JSON" in ann["notes"]
    assert "this is the grade of before" in ann["notes"]
    page = both.out / "feedback" / "ann.html"
    assert "this is the grade of before" in page.read_text()
    canvas = (both.out / "exports" / "canvas.csv").read_text()
    assert "ann,,,ann,,7" in canvas
    assert "Not graded: 1" in (both.out / "summary.html").read_text()
    hand_in(both.handed_in, "ann")
    assert "1 unchanged" in both.run()
    assert both.grades()["ann"]["total"] == "7"
    assert "of before" not in both.grades()["ann"]["notes"] + page.read_text()


def test_a_file_that_was_kept_counts_until_another_one_comes(quick):
    path = hand_in(quick.handed_in, "ann", PARTLY)
    path.rename(path.with_stem("tiny-1"))
    hand_in(quick.handed_in, "ann")  # within a minute
    quick.run()
    assert "--keep FILE" in (quick.out / "summary.html").read_text()
    quick.run("--keep", "ann/tiny.ipynb")
    total = quick.grades()["ann"]["total"]
    hand_in(quick.handed_in, "bob")
    for _ in range(2):  # the same files of hers: the teacher's word holds
        assert "1 unchanged" in quick.run() or "2 unchanged" in quick.run()
        ann = quick.grades()["ann"]
        assert ann["total"] == total != "" and "not graded" not in ann["notes"]
    quick.run("--keep", "ann/tiny-1.ipynb")  # a new word goes before the old one
    assert float(quick.grades()["ann"]["total"]) < float(total)
    total = quick.grades()["ann"]["total"]
    path.with_stem("tiny-2").write_text(tiny.answered(RIGHT))
    quick.run()  # it may be a new submission: asked again
    ann, page = quick.grades()["ann"], quick.out / "feedback" / "ann.html"
    assert ann["total"] == total
    assert "not graded this time (3 notebooks of one student" in ann["notes"]
    assert "this is the grade of before" in page.read_text()
    assert "--" not in page.read_text().partition("</style>")[2]
    assert "--keep FILE" in (quick.out / "summary.html").read_text()


def test_late_by_the_due_date(both):
    noon = 1_800_000_000  # 2027-01-15 08:00 UTC
    for student, minutes in (("ann", -5), ("bob", 90)):
        path = hand_in(both.handed_in, student)
        os.utime(path, (noon + 60 * minutes,) * 2)
    both.run("--due", "2027-01-15T08:00+00:00")
    late = {student: row["late"] for student, row in both.grades().items()}
    assert late == {"ann": "", "bob": "1 hour 30 minutes"}
    both.run()  # a later run need not say it again
    assert both.grades()["bob"]["late"] == "1 hour 30 minutes"
    both.run("--due", "2027-01-15T09:00+00:00")
    assert both.grades()["bob"]["late"] == "30 minutes"
    assert both.grades()["bob"]["handed in"] == "2027-01-15 09:30 UTC"
    # A time that was wrong is read anew, though nothing is graded anew.
    os.utime(both.handed_in / "bob" / "tiny.ipynb", (noon,) * 2)
    assert "2 unchanged" in both.run()
    bob = both.grades()["bob"]
    assert (bob["late"], bob["handed in"]) == ("", "2027-01-15 08:00 UTC")


def test_a_date_alone_is_the_end_of_the_day(quick):
    midnight = datetime(2027, 1, 16).timestamp()
    for student, seconds in (("ann", -1), ("bob", 60)):
        path = hand_in(quick.handed_in, student)
        os.utime(path, (midnight + seconds,) * 2)
    quick.run("--due", "2027-01-15")
    late = {student: row["late"] for student, row in quick.grades().items()}
    assert late == {"ann": "", "bob": "1 minute"}


def test_canvas_says_who_is_late_and_a_time_that_nobody_knows_is_none(quick):
    for name in ("ann_LATE_1_5_tiny.ipynb", "bob_2_6_tiny.ipynb"):
        (quick.handed_in / name).write_text(tiny.answered(RIGHT))
    quick.run("--due", "2020-01-01")
    rows = quick.grades()
    assert [row["late"] for row in rows.values()] == ["marked late", ""]
    assert [row["handed in"] for row in rows.values()] == ["", ""]
    assert "Canvas marks it as late" in rows["ann 1"]["notes"]
    (quick.handed_in / "ann_LATE_1_5_tiny.ipynb").rename(
        quick.handed_in / "ann_1_5_tiny.ipynb"
    )
    assert "2 unchanged" in quick.run()
    assert quick.grades()["ann 1"]["late"] == ""


def test_of_a_file_that_canvas_calls_late_the_teacher_says_the_time(quick, tmp_path):
    for name in ("ann_LATE_1_5_tiny.ipynb", "bob_LATE_2_6_tiny.ipynb"):
        (quick.handed_in / name).write_text(tiny.answered(RIGHT))
    late, people = tmp_path / "late.py", tmp_path / "roster.csv"
    late.write_text("def late(points, hours):\n    return min(points, hours)\n")
    said = quick.run("--due", "2027-01-15T08:00+00:00", "--late", late)
    assert "unless the roster says it" in said
    page = (quick.out / "summary.html").read_text()
    assert "<h2>Late, and nobody knows how late: 2</h2>" in page
    assert "'handed in tiny'" in page.replace("&#x27;", "'")
    assert "penalty" not in quick.grades()["ann 1"]
    people.write_text(
        "name,due tiny,handed in tiny\nann,,2027-01-15T10:00+00:00\n"
        "bob,2027-01-15T12:00+00:00,2027-01-15T11:00+00:00\n"
    )
    assert "2 unchanged" in quick.run("--roster", people)
    ann, bob = quick.grades()["ann 1"], quick.grades()["bob 2"]
    assert (ann["late"], ann["penalty"]) == ("2 hours", "-2")
    assert (bob["late"], bob["penalty"]) == ("", "")  # within the extension
    assert "nobody knows" not in (quick.out / "summary.html").read_text()


def test_a_relative_file_of_sqlite(quick, monkeypatch):
    monkeypatch.chdir(quick.folder)
    quick.db = "sqlite:///mine.db"
    hand_in(quick.handed_in, "ann")
    quick.run()
    assert (quick.folder / "mine.db").exists()


@pytest.mark.parametrize(
    "db",
    [
        "nonsense",
        "sqlite://",
        "postgresql+psycopg2://teacher:secret@127.0.0.1:1/none",
        "oracle+nothing://host/name",
    ],
)
def test_a_database_that_cannot_be_had(quick, db):
    quick.db = db
    hand_in(quick.handed_in, "ann")
    said = quick.run()
    assert quick.code == 2
    assert said.startswith("--db: expected") and "got" in said
    assert "secret" not in said and "Traceback" not in said


def test_nbgraders_own_autograde_refuses_and_destroys_nothing(quick):
    hand_in(quick.handed_in, "ann")
    quick.run()
    quick.mark("ann", 3)
    before = tiny.fingerprint(quick.out / "course" / "autograded")
    said = subprocess.run(
        [sys.executable, "-m", "nbgrader", "autograde", "tiny", "--force"],
        cwd=quick.out / "course", capture_output=True, text=True, timeout=600,
    )  # fmt: skip
    assert said.returncode != 0
    assert "python -m grading" in said.stderr
    assert tiny.fingerprint(quick.out / "course" / "autograded") == before


def test_the_schema_is_the_one_that_nbgrader_asks_for():
    with _temp_alembic_ini("sqlite://") as settings:
        command = [sys.executable, "-m", "alembic.config", "-c", settings, "heads"]
        said = subprocess.run(command, capture_output=True, text=True, check=True)
    assert said.stdout.split()[0] == course.schema()
