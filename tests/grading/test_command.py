"""The one command: what it leaves, killed and begun again, and its errors."""

import html
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time
import urllib.parse

import nbconvert
import nbformat
import pytest
import tiny
from tiny import PARTLY, RIGHT, hand_in

from grading import sandbox
from grading.__main__ import main
from grading.files import file_name
from grading.release import released

SLOW = RIGHT | {
    "square-answer": "import time\ntime.sleep(2)\n" + RIGHT["square-answer"]
}


def test_a_folder_in_the_real_sandbox(classroom):
    hand_in(classroom.handed_in, "ann")
    hand_in(classroom.handed_in, "bob", PARTLY)
    hand_in(classroom.handed_in, "cyd", RIGHT | {"double-answer": "1/0"})
    hand_in(classroom.handed_in, "dee", RIGHT | {"square-answer": "exit("})
    (classroom.handed_in / "eve").mkdir()
    before = tiny.fingerprint(classroom.handed_in)
    said = classroom.run()
    assert classroom.code == 0
    for line in (
        "ann: 4 of 4 points, 3 more to mark by hand, ",
        "bob: 3 of 4 points, 3 more to mark by hand, ",
        "eve: not graded: no notebook",
    ):
        assert line in said
    summary = classroom.out / "summary.html"
    assert f"4 graded, 1 not, 4 to mark by hand: {summary}" in said
    grades = classroom.grades()
    assert [grades[s]["double"] for s in ("ann", "bob", "cyd", "dee")] == list("2102")
    assert [grades[s]["square"] for s in ("ann", "bob", "cyd", "dee")] == list("2220")
    assert grades["eve"]["notes"].startswith("not graded: no notebook")
    page = (classroom.out / "feedback" / "bob.html").read_text()
    assert "The double of a negative number is negative." in page
    assert "ZeroDivisionError" in (classroom.out / "feedback" / "cyd.html").read_text()
    assert not (classroom.out / "feedback" / "eve.html").exists()
    assert tiny.fingerprint(classroom.handed_in) == before, "nothing handed in changes"


def test_a_wrong_notebook_and_an_old_release_get_their_lines(quick):
    hand_in(quick.handed_in, "ann")
    path = hand_in(quick.handed_in, "bob")
    path.write_text('{"cells": [{"cell_type": "code", "source": "x = 1"}] }')
    path = hand_in(quick.handed_in, "cyd")
    text = path.read_text().replace('"grade_id": "square-answer', '"grade_id": "old')
    path.write_text(text.replace("def square", "def root"))
    said = quick.run()
    assert "bob: not graded: has 0 of the 3 cells for answers" in said
    grades = quick.grades()
    assert "1 answer found by the texts around" in grades["cyd"]["notes"]
    assert (grades["cyd"]["double"], grades["cyd"]["square"]) == ("2", "0")
    assert grades["ann"]["notes"] == "to mark by hand: proof"


def another_set(quick) -> str:
    """A second set beside the first, with a cell of the same name; a notebook of it."""
    source = tiny.source()
    for cell in source.cells:
        about = cell.metadata.get("nbgrader", {})
        if about.get("grade_id", "proof") != "proof":
            about.grade_id = f"other-{about.grade_id}"
    nbformat.write(source, quick.exercises / "source" / "other.ipynb")
    (quick.exercises / "checks" / "other.py").write_text("checks = None")
    return nbformat.writes(released(source))


def test_another_sets_notebook_is_refused_and_takes_nothing(quick):
    other = another_set(quick)
    for student in ("ann", "bob", "cyd"):
        hand_in(quick.handed_in, student)
    quick.run()
    quick.mark("ann", 3)
    (quick.handed_in / "ann" / "tiny.ipynb").write_text(other)
    (quick.handed_in / "bob" / "tiny.ipynb").rename(
        quick.handed_in / "bob" / "other (1).ipynb"
    )
    (quick.handed_in / "cyd" / "other.ipynb").write_text(other)
    said = quick.run()
    assert "ann: not graded: has the cells of another problem set, other" in said
    assert "bob: not graded" not in said, "its cells are this set's, whatever its name"
    grades = quick.grades()
    assert [row["total"] for row in grades.values()] == ["7", "4", "4"]
    assert "this is the grade of before" in grades["ann"]["notes"]
    assert "tiny.ipynb counts; left out: other.ipynb" in grades["cyd"]["notes"]
    with quick.gradebook() as gradebook:
        assert gradebook.find_grade("proof", "tiny", "tiny", "ann").manual_score == 3


def test_a_draft_beside_the_set_is_no_reason_to_stop(quick):
    (quick.exercises / "source" / "draft.ipynb").write_text("{")
    hand_in(quick.handed_in, "ann")
    quick.run()
    assert quick.code == 0 and quick.grades()["ann"]["total"] == "4"


def test_a_set_that_comes_from_another_folder_is_told(quick):
    hand_in(quick.handed_in, "ann")
    assert "The set comes from" not in quick.run()
    before = quick.exercises
    quick.exercises = tiny.exercises(quick.folder / "private")
    said = quick.run()
    assert f"The set comes from {quick.exercises} now; the last run had it from" in said
    assert str(before) in said
    assert "The set comes from" not in quick.run()


NAMES = [
    "सुनीता देवी", "สมชาย ใจดี", "தமிழ்ச்செல்வி", "علی‌رضا", "מֹשֶׁה", "李明",
    "Nguyễn Thị", "Zoë", "Smith John Jr.", "O`Brien", "D·Souza", "Lee & Kim",
    "Ng, Ann (B)", "'t Hooft", "Ana#1", "Jos?", "50%", "ann$", "a;b", "{c}", "[d]",
    "~e", "ann^2", "Ann", "ann", "ӘНƏР", "x" * 100, "李" * 80, "李" * 79 + "明",
]  # fmt: skip


def test_names_in_every_script_are_kept_apart_and_shown_as_written(quick):
    for student in NAMES:
        hand_in(quick.handed_in, student)
    said = quick.run()
    assert f"{len(NAMES)} graded, 0 not" in said, said
    grades = quick.grades()
    assert set(grades) == set(NAMES)
    summary = html.unescape((quick.out / "summary.html").read_text())
    for student in NAMES:
        assert f">{student}</a>" in summary
        assert f"{student}:" in said
    pages = {path.name: path for path in (quick.out / "feedback").iterdir()}
    assert len(pages) == len(NAMES)
    for link in re.findall(r'href="feedback/([^"]+)"', summary):
        assert urllib.parse.unquote(link) in pages
    assert f"{len(NAMES)} unchanged, 0 to grade" in quick.run()
    quick.mark(file_name("Lee & Kim"), 2)
    quick.mark(file_name("Ana#1"), 1)
    quick.run()
    grades = quick.grades()
    assert [grades[s]["proof"] for s in ("Lee & Kim", "Ana#1", "李明")] == [
        "2",
        "1",
        "",
    ]


def test_the_sets_of_a_folder_are_graded_in_one_command(quick, monkeypatch):
    source = tiny.source()
    for cell in source.cells:
        if about := cell.metadata.get("nbgrader"):
            about["grade_id"] = f"second-{about['grade_id']}"
        cell.source = cell.source.replace("A tiny set", "A second set")
    nbformat.write(source, quick.exercises / "source" / "second.ipynb")
    checks = (quick.exercises / "checks" / "tiny.py").read_text()
    checks = checks.replace('@checks("', '@checks("second-')
    (quick.exercises / "checks" / "second.py").write_text(checks)
    third = tiny.exercises(quick.folder / "more")
    for part, end in (("source", "ipynb"), ("checks", "py")):
        path = third / part / f"tiny.{end}"
        path.rename(quick.exercises / part / f"third.{end}")
    other = nbformat.writes(released(source))
    for student in ("ann", "bob", "cyd", "dee", "eve"):
        hand_in(quick.handed_in, student)
        (quick.handed_in / student / "second.ipynb").write_text(other)
    (quick.handed_in / "ann" / "third.ipynb").write_text("{}")
    quick.code = main([*quick.arguments()[1:], "--jobs", "1"])
    said = quick.capsys.readouterr().out
    assert quick.code == 0
    assert "Not graded: 1 notebook of third, unless asked: SET=third" in said
    assert said.count("5 graded, 0 not, 5 to mark by hand") == 1, said
    assert said.count("5 graded, 0 not, 0 to mark by hand") == 1, "nothing to mark"
    for name in ("tiny", "second"):
        assert (quick.out / name / "grades.csv").exists()


# --- Killed and begun again ------------------------------------------------


def start(classroom, *more) -> subprocess.Popen:
    """The command, as somebody starts it at a terminal.

    A shell starts what runs in the background with interrupts ignored, and rightly so:
    Ctrl-C is meant for what runs before one's eyes.  These tests may run there.
    """
    return subprocess.Popen(
        [sys.executable, "-m", "grading", *classroom.arguments(*more)],
        stdout=subprocess.PIPE, text=True, cwd=classroom.folder,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )  # fmt: skip


def until(process: subprocess.Popen, text: str) -> None:
    for line in process.stdout:
        if text in line:
            return
    pytest.fail(f"never said {text!r}")


@pytest.mark.parametrize("signum", [signal.SIGINT, signal.SIGKILL])
def test_a_run_that_ended_early_goes_on_where_it_was(classroom, signum):
    hand_in(classroom.handed_in, "ann")
    hand_in(classroom.handed_in, "bob", SLOW)
    with start(classroom, "--jobs", 1) as process:
        until(process, "ann: 4 of 4 points")
        _wait_for(lambda: _workers("-e"))
        process.send_signal(signum)
        rest, _ = process.communicate(timeout=300)
    if signum == signal.SIGINT:
        assert process.returncode == 130
        assert "What is graded stays" in rest
    hand_in(classroom.handed_in, "bob")
    assert "1 unchanged, 1 to grade" in classroom.run()
    assert [row["total"] for row in classroom.grades().values()] == ["4", "4"]
    # Whoever outlives its parent becomes a child of the first process.
    _wait_for(lambda: not _workers("--ppid", "1"))


def _wait_for(condition) -> None:
    deadline = time.monotonic() + 300
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def _workers(*which: str) -> list[str]:
    """Processes in a sandbox, and those that hold it."""
    found = subprocess.run(
        ["ps", "-o", "pid=,args=", *which], capture_output=True, text=True
    )
    return [line for line in found.stdout.splitlines() if "/worker/worker.py" in line]


@pytest.mark.parametrize(
    ("when", "step"),
    [
        ("before", "records.Records.write"),
        ("before", "course.Course.enter"),
        ("after", "course.SaveAutoGrades.preprocess"),
        ("before", "course.Course.marks"),
        ("before", "feedback.page"),
    ],
)
def test_killed_at_any_step_of_the_storing(quick, monkeypatch, step, when):
    """An end at this moment, as a kill gives it, leaves what the next run needs."""
    from grading import course, feedback, records

    hand_in(quick.handed_in, "ann", PARTLY)
    quick.run()
    quick.mark("ann", 3)
    hand_in(quick.handed_in, "ann", RIGHT)
    hand_in(quick.handed_in, "bob", RIGHT)
    *path, name = step.split(".")
    owner = {"course": course, "feedback": feedback, "records": records}[path[0]]
    for part in path[1:]:
        owner = getattr(owner, part)
    real = getattr(owner, name)

    def killed(*arguments, **more):
        if when == "after":
            real(*arguments, **more)
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(owner, name, killed)
        assert "What is graded stays" in quick.run() and quick.code == 130
    quick.run()
    grades = quick.grades()
    assert (grades["ann"]["double"], grades["ann"]["proof"]) == ("2", "3")
    assert grades["bob"]["total"] == "4"
    for student in ("ann", "bob"):
        assert "2/2" in (quick.out / "feedback" / f"{student}.html").read_text()


def test_killed_while_a_newer_file_is_stored_and_then_the_older_comes_back(
    quick, monkeypatch
):
    from grading import course

    hand_in(quick.handed_in, "ann", PARTLY)
    quick.run()
    hand_in(quick.handed_in, "ann", RIGHT)
    real = course.Course.enter

    def killed(*arguments):
        real(*arguments)
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(course.Course, "enter", killed)
        quick.run()
    hand_in(quick.handed_in, "ann", PARTLY)
    quick.run()
    assert quick.grades()["ann"]["total"] == "2"


def test_a_submission_over_which_nbgrader_fails_stops_nobody_else(quick, monkeypatch):
    from grading import course

    for student in ("ann", "bob"):
        hand_in(quick.handed_in, student)
    real = course.SaveAutoGrades.preprocess

    def fails(self, notebook, resources):
        if resources["nbgrader"]["student"] == "ann":
            raise RecursionError("too deep")
        return real(self, notebook, resources)

    monkeypatch.setattr(course.SaveAutoGrades, "preprocess", fails)
    assert "ann: not graded: RecursionError: too deep" in quick.run()
    assert quick.grades()["bob"]["total"] == "4"


# The renderer of Markdown goes deeper with each line until Python ends it.
DEEP = "- a\n> b\n" * 300


def test_a_proof_that_no_renderer_gets_through_stops_nobody(quick):
    hand_in(quick.handed_in, "ann", RIGHT | {"proof": DEEP})
    hand_in(quick.handed_in, "bob")
    for _ in range(2):
        assert "2 graded, 0 not" in quick.run()
    page = (quick.out / "feedback" / "ann.html").read_text()
    assert "<pre>- a\n&gt; b\n" in page
    # Where it is marked by hand it is a block of code as well.
    graded = quick.out / "course" / "autograded" / "ann" / "tiny" / "tiny.ipynb"
    assert nbconvert.HTMLExporter().from_filename(str(graded))


@pytest.mark.parametrize("step", ["fill", "feedback.page", "entered", "shown", "key"])
def test_whatever_fails_in_the_grader_is_one_students_alone(quick, monkeypatch, step):
    """In this run, and in those after it."""
    from grading import feedback, grade

    for student in ("ann", "bob"):
        hand_in(quick.handed_in, student, PARTLY)
    quick.run()
    *module, name = step.split(".")
    owner = feedback if module else grade
    real = getattr(owner, name)

    def fails(*given, **more):
        if "proof of ann" in str(given):
            raise RecursionError("too deep")
        return real(*given, **more)

    monkeypatch.setattr(owner, name, fails)
    hand_in(quick.handed_in, "ann", RIGHT | {"proof": "The proof of ann."})
    hand_in(quick.handed_in, "bob", RIGHT)
    said = quick.run()
    assert "ann: not graded: the grader failed (RecursionError: too deep)" in said
    assert quick.grades()["bob"]["double"] == "2"
    shutil.rmtree(quick.handed_in / "ann")
    assert quick.run() and quick.code == 0
    assert set(quick.grades()) == {"ann", "bob"}


def test_two_runs_into_one_folder(quick):
    from grading.results import only_run

    hand_in(quick.handed_in, "ann")
    with only_run(quick.out):
        said = quick.run()
    assert quick.code == 2 and said.startswith("--out: expected a folder for this run")
    quick.run()
    assert quick.code == 0


# --- What an instructor may get wrong -----------------------------------------


def complaint(classroom, arguments: list[str]) -> str:
    classroom.code = None
    try:
        from grading.__main__ import main

        classroom.code = main([str(argument) for argument in arguments])
    except SystemExit as error:
        classroom.code = error.code
    return classroom.capsys.readouterr().err


@pytest.mark.parametrize(
    ("replaced", "expected"),
    [
        (
            {0: "nosuch"},
            "set: expected one of those in {exercises} (tiny), got 'nosuch'",
        ),
        (
            {0: "nosuch"},
            "got 'nosuch': there is no {exercises}/source/nosuch.ipynb and",
        ),
        ({2: "/nowhere"}, "(there is none), got 'tiny'"),
        (
            {0: "--jobs=1", 2: "/nowhere"},
            "--exercises: expected a folder with problem sets, source/SET.ipynb and "
            "checks/SET.py, found none in /nowhere",
        ),
        (
            {4: "/nowhere"},
            "--submissions: expected a folder or a zip, got /nowhere, wh",
        ),
        ({4: ""}, "expected a folder or a zip, got nothing: make grade SUBMISSIONS=PA"),
        ({0: "--jobs=1", 4: "/nowhere"}, "got /nowhere, which does not exist"),
        ({6: "/dev/null/x"}, "--out: expected a folder that can be written, got /dev/"),
        ({6: "{folder}/a[1]"}, "--out: expected a path without * ? ["),
        ({7: "--due", 8: "soon"}, "--due: expected a time such as '2027-01-31 23:59'"),
        ({7: "--jobs", 8: "0"}, "--jobs: expected at least 1, got 0"),
        ({7: "--jobs", 8: "many"}, "argument --jobs: invalid int value: 'many'"),
        ({7: "--dask", 8: "nonsense"}, "--dask: expected the address of a scheduler"),
        ({7: "--dask", 8: "tcp://127.0.0.1:1"}, "got 'tcp://127.0.0.1:1'"),
    ],
)
def test_errors_name_what_was_expected_and_what_came(
    quick, monkeypatch, replaced, expected
):
    monkeypatch.setattr("grading.parallel.PATIENCE", 0.5)
    hand_in(quick.handed_in, "ann")
    arguments = dict(enumerate(quick.arguments())) | replaced
    known = {"folder": quick.folder, "exercises": quick.exercises}
    filled = [str(argument).format(**known) for argument in arguments.values()]
    said = complaint(quick, filled)
    assert quick.code == 2
    assert expected.format(**known) in said, said
    assert "Traceback" not in said


def test_a_set_without_its_checks_is_told_by_what_is_missing(quick):
    hand_in(quick.handed_in, "ann")
    another_set(quick)
    (quick.exercises / "checks" / "other.py").unlink()
    said = complaint(quick, ["other", *quick.arguments()[1:]])
    assert "(tiny), got 'other': there is no " in said and quick.code == 2
    assert f"{quick.exercises / 'checks' / 'other.py'}\n" in said


def test_results_of_two_sets_do_not_mix(quick):
    hand_in(quick.handed_in, "ann")
    quick.run()
    for folder, ending in ("source", "ipynb"), ("checks", "py"):
        path = quick.exercises / folder / f"tiny.{ending}"
        path.with_name(f"second.{ending}").write_bytes(path.read_bytes())
    before = tiny.fingerprint(quick.out)
    said = complaint(quick, ["second", *quick.arguments()[1:]])
    assert quick.code == 2 and "--out: expected a folder for the set second" in said
    assert "which has the results of tiny" in said
    lock = os.fsencode(quick.out / ".lock")
    after = tiny.fingerprint(quick.out)
    assert before.keys() == after.keys()
    assert all(before[path] == after[path] for path in before if path != lock)


def test_a_source_that_cannot_be_released_is_told(quick):
    hand_in(quick.handed_in, "ann")
    path = quick.exercises / "source" / "tiny.ipynb"
    path.write_text(path.read_text().replace("### END SOLUTION", "###", 1))
    said = quick.run()
    assert quick.code == 2 and said.startswith(f"{path}, cell 3 (double-answer): no en")


def test_a_due_date_that_has_no_effect_is_told(quick):
    (quick.handed_in / "ann_7_8_tiny.ipynb").write_text(tiny.answered(RIGHT))
    assert "--due has no effect" in quick.run("--due", "2027-01-31")
    assert "--due" not in quick.run()


@pytest.mark.parametrize("verb", ["call", "new", "get"])
def test_a_check_that_asks_for_a_name_that_nobody_has(quick, verb):
    hand_in(quick.handed_in, "ann")
    path = quick.exercises / "checks" / "tiny.py"
    path.write_text(path.read_text().replace('call("square"', f'{verb}("sqare"'))
    said = quick.run()
    assert quick.code == 2 and said == (
        f"{path}, line 21: expected a name that the set's source defines, got 'sqare'\n"
    )


def test_extra_credit_is_noted(quick):
    hand_in(quick.handed_in, "ann")
    quick.run()
    quick.mark("ann", 3)
    with quick.gradebook() as gradebook:
        gradebook.find_grade("double", "tiny", "tiny", "ann").extra_credit = 1.5
        gradebook.db.commit()
    quick.run()
    ann = quick.grades()["ann"]
    assert ann["total"] == "8.5" and ann["notes"] == "double: 1.5 of extra credit"


def test_a_misspelt_question_is_told(quick):
    hand_in(quick.handed_in, "ann")
    path = quick.exercises / "checks" / "tiny.py"
    path.write_text(path.read_text().replace('"square"', '"sqare"'))
    said = quick.run()
    assert "checks of no question: sqare; the questions are double, square" in said


def test_checks_and_notebook_that_do_not_agree(quick):
    hand_in(quick.handed_in, "ann")
    path = quick.exercises / "checks" / "tiny.py"
    path.write_text(path.read_text().replace("points=2", "points=1"))
    assert "square: has 2 points, its checks 1" in quick.run() and quick.code == 2


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("x = 1\ndef f(:\n", "SyntaxError"), ("x = 1\n1 / 0", "line 2: expected"),
        ("x = 1", "no attribute 'checks'"), ("import nonsense", "ModuleNotFoundError"),
    ],
)  # fmt: skip
def test_checks_that_do_not_run(quick, text, why):
    hand_in(quick.handed_in, "ann")
    path = quick.exercises / "checks" / "tiny.py"
    path.write_text(text)
    said = quick.run()
    assert quick.code == 2 and said.startswith(str(path)) and why in said
    assert "expected a module with checks = Checks(), got" in said
    assert "Traceback" not in said


def made(target: str, *variables: str) -> list[str]:
    """The command that make would run."""
    # (The make that runs the tests would have this one say where it is.)
    done = subprocess.run(
        ["make", "-n", "--no-print-directory", target, *variables],
        cwd=tiny.BOOK.parents[2],
        capture_output=True,
        text=True,
        check=True,
    )
    command = done.stdout[done.stdout.index("-m grading") :]
    return shlex.split(command.replace("\\\n", " "))[2:]


def test_make_gives_on_its_variables():
    """Each of them, with the blanks in it, and nothing where there is none."""
    assert made("grade") == ["--submissions", ""]
    options = {
        "SUBMISSIONS": "my folder", "OUT": "o", "DUE": "2027-01-31 23:59", "JOBS": "2",
        "DB": "sqlite:///a b", "EXERCISES": "../my own", "KEEP": "ann/my file.ipynb",
        "ROSTER": "my list.csv", "LATE": "late.py", "AGAIN": "Ann Lee",
    }  # fmt: skip
    given = made("grade", "SET=tiny", *(f"{k}={v}" for k, v in options.items()))
    assert given[0] == "tiny"
    found = dict(zip(given[1::2], given[2::2], strict=True))
    assert found == {f"--{key.lower()}": value for key, value in options.items()}
    assert made("grade", "ZEROS=1") == ["--submissions", "", "--zeros"]
    assert made("release") == []
    assert made("release", "EXERCISES=../my own") == ["--sources", "../my own/source"]


def test_results_are_not_published_by_accident():
    ignored = subprocess.run(
        ["git", "check-ignore", "graded/kakade/grades.csv"], cwd=tiny.BOOK.parents[2]
    )
    assert ignored.returncode == 0


def test_without_a_sandbox_nothing_is_graded(classroom, monkeypatch):
    hand_in(classroom.handed_in, "ann")

    def none():
        raise sandbox.NoSandbox("bubblewrap is not installed")

    monkeypatch.setattr(sandbox, "preflight", none)
    assert "bubblewrap is not installed" in classroom.run() and classroom.code == 2
    assert not classroom.out.exists()


def test_a_check_with_a_bug_costs_nobody_a_point(classroom):
    """It is told on the terminal and in the summary; a person marks the question."""
    path = classroom.exercises / "checks" / "tiny.py"
    sound = path.read_text()
    path.write_text(sound.replace("x = int(rng", "x = nonsense(rng", 1))
    for student in ("ann_7_8_tiny.ipynb", "bob_9_10_tiny.ipynb"):
        (classroom.handed_in / student).write_text(tiny.answered(RIGHT))
    check = "double: doubles a number"
    what = "NameError: name 'nonsense' is not defined (2 students: ann 7, bob 9)"
    for _ in range(2):  # and again while nothing has changed
        said = classroom.run()
        assert (
            f"The check '{check}' raised an error, mark by hand or mend it: {what}"
            in said
        )
    summary = html.unescape((classroom.out / "summary.html").read_text())
    assert "<h2>Checks that raised an error: 1</h2>" in summary
    assert f"<th>{check}<td>{what}" in summary
    ann = classroom.grades()["ann 7"]
    assert ann["double"] == "" and "NameError" in ann["notes"]
    assert "to mark by hand: double, proof" in ann["notes"] and ann["total"] == "2"
    classroom.mark("ann 7", 3)
    classroom.mark("bob 9", 3)
    classroom.mark("bob 9", 1.5, "double")
    said = classroom.run()
    assert "(1 student: ann 7)" in said, "bob's is marked"
    exported = (classroom.out / "exports" / "canvas.csv").read_text()
    assert re.search("^ann,7,,,,$", exported, re.M), "no grade"
    assert re.search("^bob,9,,,,6.5$", exported, re.M)
    for student, score in (("ann 7", 5), ("bob 9", 6.5)):
        path_of = classroom.out / "exports" / "gradescope" / f"{student}.json"
        found = json.loads(path_of.read_text())
        assert found["score"] == score
        assert sum(test.get("score", 0) for test in found["tests"]) == score
        assert sum(test["max_score"] for test in found["tests"]) == 7
    page = (classroom.out / "feedback" / "ann 7.html").read_text()
    assert "not yet marked, of 2" in page and "? –/1  doubles a number" in page
    assert "This check could not judge your answer" in page
    assert "nonsense" not in page and "NameError" not in page
    # Mended, it gives its points; the mark given meanwhile stays until it is emptied.
    path.write_text(sound)
    assert "raised an error" not in classroom.run()
    grades = classroom.grades()
    assert (grades["ann 7"]["double"], grades["bob 9"]["double"]) == ("2", "1.5")
    assert "double: 1.5 by hand, 2 without" in grades["bob 9"]["notes"]
