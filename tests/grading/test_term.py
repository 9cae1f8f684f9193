"""What a term adds: lateness that costs, one student again, several graders, copies."""

import copy
import csv
import json
import math
import os
import re
import shutil
import zipfile
from itertools import combinations
from pathlib import Path, PurePosixPath

import nbformat
import pytest
import tiny
from tiny import PARTLY, RIGHT, hand_in

from grading import lateness, likeness, owners, parallel
from grading.__main__ import main
from grading.release import released

DUE = "2027-01-31 12:00+00:00"
NOON = 1801396800  # the same in seconds


def hand_in_late(folder, student: str, hours: float, texts=RIGHT) -> None:
    at = NOON + hours * 3600
    os.utime(hand_in(folder, student, texts), (at, at))


# --- Lateness ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (1, "1 minute"), (119, "1 minute"), (3600, "1 hour"),
        (5460, "1 hour 31 minutes"),
        (86400, "1 day"), (90000, "1 day 1 hour"), (86400 + 1800, "1 day"),
        (644 * 3600 + 19 * 60, "26 days 20 hours"),
    ],
)  # fmt: skip
def test_lateness_in_words(seconds, words):
    assert lateness.in_words(seconds) == words


def test_a_policy_of_the_courses_own(both):
    hand_in_late(both.handed_in, "ann", -1)
    hand_in_late(both.handed_in, "bob", 25, PARTLY)
    hand_in_late(both.handed_in, "cyd", 9000)
    policy = both.folder / "late.py"
    policy.write_text(
        "from math import ceil\n\ndef late(points, hours):\n"
        "    return points * min(0.5, 0.1 * ceil(hours / 24))\n"
    )
    both.run("--due", DUE)
    before = both.grades()
    assert before["bob"]["total"] == "2" and "penalty" not in before["bob"]

    said = both.run("--late", policy)
    assert "3 unchanged, 0 to grade" in said
    grades = both.grades()
    assert [grades[s]["penalty"] for s in ("ann", "bob", "cyd")] == ["", "-0.4", "-2"]
    assert [grades[s]["total"] for s in ("ann", "bob", "cyd")] == ["4", "1.6", "2"]
    assert grades["bob"]["square"] == "2", "the points of the questions stay"
    assert grades["bob"]["late"] == "1 day 1 hour"
    page = (both.out / "feedback" / "bob.html").read_text()
    line = "Handed in 1 day 1 hour late: 0.4 is taken off, which leaves 1.6."
    assert line in page
    assert "late" not in (both.out / "feedback" / "ann.html").read_text()
    summary = re.sub(r"<[^>]+>", " ", (both.out / "summary.html").read_text())
    assert "penalty" in summary and "−0.4  1.6  1 day 1 hour" in summary
    path = both.out / "exports" / "gradescope" / "bob.json"
    found = json.loads(path.read_text())
    assert found["score"] == pytest.approx(1.6)
    scores = (test.get("score", 0.0) for test in found["tests"])
    assert sum(scores) == pytest.approx(1.6), "the lines add up"
    with both.gradebook() as gradebook:
        submission = gradebook.find_submission(tiny.NAME, "bob")
        assert submission.late_submission_penalty == pytest.approx(0.4)

    # A later run knows it; other dates and marks by hand count at once.
    both.mark("bob", 3.0)
    said = both.run("--due", "2027-01-30 12:00+00:00")
    assert "3 unchanged, 0 to grade" in said
    grades = both.grades()
    assert (grades["bob"]["penalty"], grades["bob"]["total"]) == ("-1.5", "3.5")
    policy.write_text("def late(points, hours):\n    return 1 if points > 1 else 0\n")
    both.run("--late", policy)
    assert both.grades()["bob"]["total"] == "4"
    (both.out / "late.py").unlink()
    both.run()
    assert both.grades()["bob"]["total"] == "5"
    with both.gradebook() as gradebook:
        assert not gradebook.find_submission(tiny.NAME, "bob").late_submission_penalty


def blocks(heading: str) -> list[str]:
    """The blocks of code of the manual, below one of its headings."""
    manual = Path(__file__).parents[2] / "book" / "teaching" / "grading.md"
    section = manual.read_text("utf-8").split(f"## {heading}\n")[1].split("\n## ")[0]
    found = re.findall(r"(?m)^\n((?:    .*\n|\n)+)", section)
    return [re.sub(r"(?m)^    ", "", block).strip() for block in found]


def test_what_the_manual_shows_works_as_written(quick):
    _, roster = blocks("Who is in the course")
    policy, _ = blocks("Handing in late")
    (quick.folder / "roster.csv").write_text(roster.replace("kakade", "tiny"), "utf-8")
    (quick.folder / "late.py").write_text(policy)
    hand_in_late(quick.handed_in, "Ann Lee", 30)
    hand_in_late(quick.handed_in, "bob diaz", 30)
    given = "--roster", quick.folder / "roster.csv", "--late", quick.folder / "late.py"
    quick.run(*given, "--due", DUE)
    grades = quick.grades()
    assert {
        s: (row["late"], row["penalty"], row["total"]) for s, row in grades.items()
    } == {
        "Ann Lee": ("", "", "4"),
        "bob diaz": ("1 day 6 hours", "-0.8", "3.2"),
        "Cyd Ng": ("1 day 6 hours", "-0.8", "3.2"),
    }


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("late = 3", "expected a function late(points, hours) in"),
        ("def late(", "expected a Python file, got"),
        ("def late(points, hours):\n    return -1", "from 0 to 0, got -1"),
        ("def late(points, hours):\n    return hours", "got 0.0166667"),
        ("def late(points, hours):\n    return points * 1.1", "got 2.56667"),
        ("def late(points):\n    return 0", "got TypeError"),
        ("def late(points, hours):\n    return None", "got TypeError"),
        (f"def late(points, hours):\n    return {math.nan}", "got NameError"),
    ],
)
def test_a_policy_that_is_none_is_refused(quick, text, said):
    hand_in(quick.handed_in, "ann")
    policy = quick.folder / "late.py"
    policy.write_text(text)
    shown = quick.run("--late", policy)
    assert quick.code == 2 and shown.startswith("--late: ") and said in shown
    assert not (quick.out / "late.py").exists(), "a later run must not stumble on it"


def test_a_policy_that_is_not_there(quick):
    hand_in(quick.handed_in, "ann")
    assert "--late: expected a Python file, got nowhere.py" in quick.run(
        "--late", "nowhere.py"
    )


# --- One student again ------------------------------------------------------


def test_one_student_again(quick, monkeypatch):
    for student in ("ann", "bob", "Zoë Müller"):
        hand_in(quick.handed_in, student)
    quick.run()
    said = quick.run("--again", "bob", "--again", "zoe muller")
    assert "1 unchanged, 2 to grade" in said
    assert "bob, again: every question has the points that it had" in said
    assert "Zoë Müller, again: every" in said and "ann" not in said

    def worse(task):
        student, result = tiny.fake_mark(task)
        result.outcomes["double"] = []
        return student, result

    monkeypatch.setattr(parallel, "mark_one", worse)
    said = quick.run("--again", "bob")
    assert "bob, again: double 2 before, 0 now" in said
    assert {s: row["total"] for s, row in quick.grades().items()} == {
        "ann": "4", "bob": "2", "Zoë Müller": "4",
    }  # fmt: skip


def test_again_asks_for_one_student(quick):
    for student in ("ann lee", "lee ann", "bob"):
        hand_in(quick.handed_in, student)
    said = quick.run("--again", "bop")
    assert quick.code == 2
    assert said.startswith("--again: expected the name of one student as in grades.csv")
    assert "got 'bop', which is nobody of bob" in said
    said = quick.run("--again", "Ann Lee")
    assert "got 'Ann Lee', which is not one of ann lee, lee ann" in said


# --- Several graders ---------------------------------------------------------


def opine(quick, grader: str, *lines: str) -> None:
    folder = quick.out / "graders"
    folder.mkdir(parents=True, exist_ok=True)
    text = "student;question;points;comment\n" + "".join(f"{x}\n" for x in lines)
    (folder / f"{grader}.csv").write_text(text, encoding="utf-8")


def test_graders_who_agree_mark_and_who_differ_ask(quick):
    for student in ("ann", "bob", "cyd"):
        hand_in(quick.handed_in, student)
    quick.run()
    opine(quick, "eve", "ann;proof;3;Well *said*.", "bob;proof;1,5;", "cyd;double;;Hm.")
    opine(quick, "fay", "ann;proof;3;<script>x</script>", "bob;proof;2;Why not 3?")
    quick.run()
    grades = quick.grades()
    assert (grades["ann"]["proof"], grades["ann"]["total"]) == ("3", "7")
    assert "to mark" not in grades["ann"]["notes"]
    assert grades["bob"]["proof"] == "" and grades["bob"]["total"] == "4"
    assert "proof: the graders differ (eve 1.5, fay 2)" in grades["bob"]["notes"]
    assert "to mark by hand: proof" in grades["bob"]["notes"]
    page = (quick.out / "feedback" / "ann.html").read_text()
    assert "<h3>eve (3 of 3)</h3><p>Well <em>said</em>.</p>" in page
    assert "<h3>fay (3 of 3)</h3>" in page and "<script>x" not in page
    assert "<h3>eve</h3><p>Hm.</p>" in (quick.out / "feedback" / "cyd.html").read_text()

    # A mark in the gradebook answers the question, and what was said stays.
    quick.mark("bob", 2.5)
    quick.run()
    bob = quick.grades()["bob"]
    assert (bob["proof"], bob["total"]) == ("2.5", "6.5")
    assert "proof: 2.5 counts; eve 1.5, fay 2" in bob["notes"]
    assert "Why not 3?" in (quick.out / "feedback" / "bob.html").read_text()


def test_a_mark_of_an_earlier_answer_waits(quick):
    hand_in(quick.handed_in, "ann")
    quick.run()
    text = (quick.out / "to-mark.csv").read_text()
    filled = re.sub(r",,\r?\n$", ",2,Nearly.\n", text)
    assert filled != text
    (quick.out / "graders" / "eve.csv").write_text(filled)
    quick.run()
    assert quick.grades()["ann"]["proof"] == "2"
    assert len((quick.out / "to-mark.csv").read_text().splitlines()) == 1
    hand_in(quick.handed_in, "ann", RIGHT | {"proof": "Another one."})
    quick.run()
    ann = quick.grades()["ann"]
    assert ann["proof"] == ""
    assert "proof: another answer since then (eve 2)" in ann["notes"]
    assert (
        "eve (2 for an earlier answer)"
        in (quick.out / "feedback" / "ann.html").read_text()
    )


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("bob;proof;1;", "line 2: expected a student as grades.csv has it (ann"),
        ("ann;prof;1;", "expected a question as grades.csv has it (double, proof"),
        ("ann;proof;4;", "expected points from 0 to 3, got '4'"),
        ("ann;proof;three;", "expected points from 0 to 3, got 'three'"),
        ("ann;proof;nan;", "expected points from 0 to 3, got 'nan'"),
    ],
)
def test_a_graders_line_that_is_none_is_refused(quick, line, said):
    hand_in(quick.handed_in, "ann")
    opine(quick, "eve", line)
    shown = quick.run()
    assert quick.code == 2 and "eve.csv, line 2: " in shown and said in shown


def test_a_graders_table_without_its_columns(quick):
    hand_in(quick.handed_in, "ann")
    (quick.out / "graders").mkdir(parents=True)
    (quick.out / "graders" / "eve.csv").write_text("student,mark\nann,3\n")
    assert "got no comment and no points and no question" in quick.run()


# --- Answers that are alike ---------------------------------------------------

LONG = '''def counts(rounds, experts):
    """How often each expert was wrong."""
    wrong = [0] * experts
    for advice, outcome in rounds:
        for expert, said in enumerate(advice):
            if said != outcome:
                wrong[expert] += 1
    best = min(wrong)
    return {"best": best, "who": [e for e, w in enumerate(wrong) if w == best]}
'''
RENAMED = re.sub(r"\bexpert\b", "i", LONG.replace("wrong", "errs")) + "# mine alone\n"
OTHER = """def counts(rounds, experts):
    table = {e: sum(a[e] != y for a, y in rounds) for e in range(experts)}
    ordered = sorted(table.items(), key=lambda pair: pair[1])
    least = ordered[0][1]
    chosen = []
    while ordered and ordered[0][1] == least:
        chosen.append(ordered.pop(0)[0])
    return dict(best=least, who=sorted(chosen))
"""
PROSE = (
    "Whenever the majority errs, at least half of the weight is on experts that are "
    "wrong, so that the total falls to three quarters of what it was before, or less."
)


def alike(answers: dict[str, str], given: str = "", *, code: bool = True):
    return list(likeness.pairs("q", answers, given, code=code))


def test_a_renamed_copy_is_seen_and_another_answer_is_not():
    [pair] = alike({"ann": LONG, "bob": RENAMED, "cyd": OTHER})
    assert pair.students == ("ann", "bob") and pair.share > 0.9 > pair.usual + 0.5
    assert 3 in pair.lines[0] and 10 not in pair.lines[1], "a comment of bob's"
    [pair] = alike({"ann": PROSE, "bob": f"I say: {PROSE.upper()}"}, code=False)
    assert pair.share == 1.0


def test_what_was_given_or_is_everybodys_is_no_sign():
    assert alike({"ann": LONG, "bob": LONG}, given=f"# a stub\n{LONG}") == []
    assert alike({f"s{n}": LONG for n in range(8)}) == []
    ring = {f"s{n}": LONG for n in range(4)}
    own = {f"t{n}": "" for n in range(5)}
    found = {pair.students for pair in alike(ring | own)}
    assert found == set(combinations(ring, 2)), "four of nine"


def test_short_answers_and_no_answers_are_no_sign():
    assert alike({"ann": "return x", "bob": "return x", "cyd": ""}) == []
    assert alike({}) == []


def test_two_proofs_are_not_hidden_behind_many_programs():
    pages = {}
    for n in range(24):  # half of the class has the same program: 66 pairs
        texts = {"square-answer": LONG if n < 12 else ""}
        texts |= {"proof": f"{PROSE} {f'So say I{n}. ' * 2}"} if n in (14, 17) else {}
        pages[f"s{n:02}"] = nbformat.reads(tiny.answered(texts), 4)
    found = likeness.of_class(released(tiny.source()), pages)
    assert len(found) == 67 and [p.question for p in found[:2]] == ["square", "proof"]
    assert found[1].share < 1
    page = likeness.page("tiny", found)
    assert "50 of 67 pairs are shown" in page and "proof: s14 and s17" in page
    assert page.count("<h2>") == likeness.MOST
    assert page.count("in the median pair") == 49, "the proof has only one pair"


@pytest.mark.parametrize(
    "text",
    ["'''", "def f(", "\x00\ud800\u202e" * 50, "(" * 5000, "a\\\n" * 99, "é́" * 999],
)
def test_whatever_was_written_breaks_nothing(text):
    pairs = alike({"ann": text, "bob": text})
    assert "<script" not in likeness.page("tiny", pairs)


def test_the_page_of_likeness_is_for_the_teacher(quick):
    long = RIGHT | {"square-answer": LONG + "<script>alert(1)</script>"}
    for student in ("ann", "bob"):
        hand_in(quick.handed_in, student, long)
    hand_in(quick.handed_in, "cyd")
    quick.run()
    page = (quick.out / "likeness.html").read_text()
    assert "square: ann and bob" in page and "100 % of the shorter" in page
    assert "<mark>" in page and "<script" not in page and "default-src 'none'" in page
    assert (
        '"likeness.html">Answers that are alike</a>: 1'
        in (quick.out / "summary.html").read_text()
    )
    for path in (quick.out / "feedback").iterdir():
        assert "alike" not in path.read_text()


# --- Feedback that systems take back ------------------------------------------

CAME = {
    "canvas": [
        "doejane_12_345_tiny.ipynb",
        "van_dyke_LATE_13_346_a_b_1_.ipynb",
        "mllerzo_14_347_link.ipynb",
        "anon_aB3x9_348_tiny.ipynb",
    ],
    "moodle": [
        "Jane Doe_501_assignsubmission_file/any name.ipynb",
        "Zoë Müller_502_assignsubmission_file_/deep/er.ipynb",
        "Participant 503_503_assignsubmission_file_tiny.ipynb",
    ],
}


def canvas_finds(path: str) -> list[str]:
    """The numbers by which Canvas finds the student and the file, as its code does."""
    parts = [p for p in PurePosixPath(path).name.split("_") if p != "LATE"]
    assert not parts[-1].startswith("link"), "Canvas takes it for a submitted address"
    if parts[0] == "anon":
        return parts[1:3]
    return [part for part in parts if part.isdecimal()][:2]


def moodle_finds(path: str) -> str:
    """The participant's number, as Moodle's importer cuts it from a path."""
    for part in path.split("/"):
        info = part.split("_", 4)
        if len(info) >= 4 and info[1].isdecimal() and info[2:4] == [
            "assignsubmission", "file",
        ]:  # fmt: skip
            return info[1]
    raise AssertionError(path)


def test_feedback_goes_back_to_whoever_handed_in(quick):
    for path in [*CAME["canvas"], *CAME["moodle"]]:
        file = quick.handed_in / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(tiny.answered(RIGHT))
    quick.run()
    for system, finds in ("canvas", canvas_finds), ("moodle", moodle_finds):
        with zipfile.ZipFile(quick.out / "exports" / f"feedback-{system}.zip") as found:
            names = found.namelist()
            assert found.testzip() is None
            texts = {finds(n)[0] if system == "canvas" else finds(n): found.read(n)
                     for n in names}  # fmt: skip
        came = (name.replace("link", "tiny") for name in CAME[system])
        assert sorted(map(finds, names)) == sorted(map(finds, came))
        assert all(name.endswith("feedback-tiny.html") for name in names)
        pattern = owners.MOODLE if system == "moodle" else owners.CANVAS
        if system == "moodle":
            assert b"<b>Jane Doe 501</b>" in texts["501"]
            assert all(pattern.fullmatch(name.split("/")[0]) for name in names)
        else:
            assert b"<b>doejane 12</b>" in texts["12"]
    # What is not Canvas's or Moodle's is in no zip.
    shutil.rmtree(quick.handed_in)
    quick.handed_in.mkdir()
    hand_in(quick.handed_in, "ann")
    shutil.rmtree(quick.out)
    quick.run()
    assert not list((quick.out / "exports").glob("*.zip"))


def test_only_names_of_canvas_and_moodle_are_handed_back():
    with pytest.raises(ValueError, match="^file: expected .*, got 'ann/a.ipynb'"):
        owners.handed_back(PurePosixPath("ann/a.ipynb"), "f.html")


# --- Two sets in one folder -----------------------------------------------------


def second_set(quick) -> nbformat.NotebookNode:
    """Another set, 'other', beside the tiny one; its source."""
    other = copy.deepcopy(tiny.source())
    for cell in other.cells:
        cell.source = re.sub(r"\b(double|square)", r"\1_again", cell.source)
        about = cell.metadata.get("nbgrader", {})
        if about:
            about["grade_id"] = "b-" + about["grade_id"]
    nbformat.write(other, quick.exercises / "source" / "other.ipynb")
    text = tiny.CHECKS.replace('"double', '"b-double').replace('"square', '"b-square')
    text = text.replace('call("b-double"', 'call("double_again"')
    text = text.replace('call("b-square"', 'call("square_again"')
    (quick.exercises / "checks" / "other.py").write_text(text)
    return other


@pytest.mark.parametrize(
    "layout", ["{}/{}.ipynb", "{0}/{1}/{1}.ipynb", "{}/my {}.ipynb"]
)
def test_two_sets_in_one_folder_are_graded_in_one_command(quick, layout):
    other = nbformat.writes(released(second_set(quick)))
    for student in ("ann", "bob"):
        file = quick.handed_in / layout.format(student, "tiny")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(tiny.answered(RIGHT))
    for student in ("ann", "cyd"):
        file = quick.handed_in / layout.format(student, "other")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(other)
    path = quick.folder / "list.csv"
    path.write_text("name\nann\nbob\ncyd\n")
    arguments = quick.arguments("--jobs", 1, "--roster", path, "--again", "bob")[1:]
    assert main(arguments) == 0
    quick.capsys.readouterr()
    grades = {}
    for name in ("tiny", "other"):
        with (quick.out / name / "grades.csv").open(newline="") as file:
            grades[name] = {row["student"]: row for row in csv.DictReader(file)}
    assert {s: r["total"] for s, r in grades["tiny"].items()} == {
        "ann": "4", "bob": "4", "cyd": "",
    }  # fmt: skip
    assert grades["tiny"]["cyd"]["notes"] == "handed in nothing"
    assert grades["other"]["bob"]["notes"] == "handed in nothing"
    assert {s: r["total"] for s, r in grades["other"].items()} == {
        "ann": "0", "bob": "", "cyd": "0",
    }  # fmt: skip
