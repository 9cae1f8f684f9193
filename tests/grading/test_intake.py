"""Whatever is handed in becomes a notebook or a line, and hurts nobody else."""

import json
import os
import shutil
import socket
import stat
import struct
import subprocess
import time
import zipfile
import zlib
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath
from types import SimpleNamespace

import pytest
import tiny
from tiny import hand_in

from grading import answers, archives, intake, names, notebooks, owners
from grading.cells import signs
from grading.release import released

GOOD = tiny.answered(tiny.RIGHT)


def read(source) -> dict[str, intake.Submission]:
    found = intake.read(source, "tiny")
    assert len({submission.student for submission in found}) == len(found)
    return {submission.student: submission for submission in found}


def refusals(source) -> dict[str, str]:
    return {student: s.refused for student, s in read(source).items()}


# --- Layouts ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "student", "number"),
    [
        ("ann/tiny.ipynb", "ann", ""),
        ("ann/tiny/tiny.ipynb", "ann", ""),
        ("j.doe@site.edu/my work.ipynb", "j.doe@site.edu", ""),
        ("j.doe.ipynb", "j.doe", ""),
        ("doejane_1234_987_tiny.ipynb", "doejane 1234", "1234"),
        ("doejane_LATE_1234_987_tiny-2.ipynb", "doejane 1234", "1234"),
        ("van_dyke_LATE_12_98_a_b_1_2_.ipynb", "van_dyke 12", "12"),
        (
            "Zoë O'Brien_1234_assignsubmission_file/any.ipynb",
            "Zoë O'Brien 1234",
            "1234",
        ),
        ("Jane Doe_1234_assignsubmission_file_tiny.ipynb", "Jane Doe 1234", "1234"),
        ("Jane Doe_1234_assignsubmission_file_/a.ipynb", "Jane Doe 1234", "1234"),
        ("李明/tiny.ipynb", "李明", ""),
        ("Jose\u0301/tiny.ipynb", "José", ""),
        ("ann/deep/er/tiny.ipynb", "ann", ""),
        ("ann/TINY.IPYNB", "ann", ""),
    ],
)
def test_layouts(tmp_path, name, student, number):
    for top, write in (("folder", _in_folder), ("s.zip", _in_zip)):
        found = read(write(tmp_path / top, {name: GOOD}))
        assert list(found) == [student]
        assert found[student].number == number
        assert found[student].notebook is not None, found[student].refused


def _in_folder(root: Path, files: dict[str, str | bytes]) -> Path:
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        data = content if isinstance(content, bytes) else content.encode()
        path.write_bytes(data)
    return root


def _in_zip(path: Path, files: dict[str, str | bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return path


def test_canvas_tells_students_of_one_name_apart(tmp_path):
    files = {"doe_1_5_tiny.ipynb": GOOD, "doe_2_6_tiny.ipynb": GOOD}
    assert refusals(_in_zip(tmp_path / "s.zip", files)) == {"doe 1": "", "doe 2": ""}


@pytest.mark.parametrize("loose", ["tiny.ipynb", "tiny (1).ipynb", "tiny-2.ipynb"])
def test_a_loose_copy_of_the_set_is_no_student(tmp_path, loose):
    found = refusals(_in_folder(tmp_path, {loose: GOOD, "ann/tiny.ipynb": GOOD}))
    assert found.pop("ann") == ""
    assert [*found.values()] == ["is named after a problem set, and after no student"]


def test_names_that_differ_in_case_are_two_students(tmp_path):
    files = {"Ann/tiny.ipynb": GOOD, "ann/tiny.ipynb": GOOD}
    assert refusals(_in_folder(tmp_path, files)) == {"Ann": "", "ann": ""}


@pytest.mark.parametrize("archive", ["handed-in.zip", "handed-in (1).zip"])
def test_a_zip_of_a_folder_has_the_students_in_it(tmp_path, archive):
    files = {f"handed-in/{s}/tiny.ipynb": GOOD for s in ("ann", "bob")}
    files["handed-in/cyd/essay.pdf"] = "%PDF"
    found = refusals(_in_zip(tmp_path / archive, files))
    assert found == {"ann": "", "bob": "", "cyd": "no notebook among essay.pdf"}


@pytest.mark.parametrize("top", ["mallory", "Mallory M_11_assignsubmission_file"])
def test_what_a_student_puts_into_a_folder_names_nobody_else(tmp_path, top):
    """Not even where it is the only one, and looks like a folder around them all."""
    inside = ("bob", "Carol_13_assignsubmission_file", "bob_5_6_tiny.ipynb")
    files = {f"{top}/{name}/tiny.ipynb": GOOD for name in inside}
    files |= {f"{top}/bob/tiny/tiny.ipynb": GOOD, f"{top}/carol_1_2_tiny.ipynb": GOOD}
    for where in (
        _in_folder(tmp_path / "s", files), _in_zip(tmp_path / "s.zip", files),
    ):  # fmt: skip
        ((student, why),) = refusals(where).items()
        assert student == owners.whose(PurePosixPath(top)).student
        assert "in folders of their own (Carol_13" in why and "keep one" in why


def test_other_sets_in_nbgraders_layout_are_not_this_one(tmp_path):
    files = {
        "ann/tiny/tiny.ipynb": GOOD,
        "ann/other/other.ipynb": GOOD,
        "bob/other/other.ipynb": GOOD,
        "bob/third/third.ipynb": GOOD,
    }
    assert refusals(_in_folder(tmp_path, files)) == {"ann": "", "bob": "no notebook"}


def test_of_several_notebooks_the_one_with_the_sets_name(tmp_path):
    _in_folder(tmp_path, {"ann/tiny.ipynb": GOOD, "ann/scratch.ipynb": "{"})
    assert refusals(tmp_path) == {"ann": ""}


def test_checkpoints_and_what_macos_adds_are_passed_over(tmp_path):
    files = {
        "ann/tiny.ipynb": GOOD,
        "ann/.ipynb_checkpoints/tiny-checkpoint.ipynb": GOOD,
        "__MACOSX/ann/._tiny.ipynb": b"\0\1",
        ".DS_Store": b"\0",
    }
    assert refusals(_in_zip(tmp_path / "s.zip", files)) == {"ann": ""}


def test_when_it_was_handed_in(tmp_path):
    path = hand_in(tmp_path / "s", "ann")
    os.utime(path, (1_800_000_000,) * 2)
    noon = datetime.fromtimestamp(1_800_000_000, UTC)
    assert read(tmp_path / "s")["ann"].handed_in == noon
    # nbgrader's own note of the time counts before the file's, in its own layout.
    moodle = "Cyd_12_assignsubmission_file"
    own = _in_folder(
        tmp_path / "n",
        {
            "ann/tiny/tiny.ipynb": GOOD,
            "ann/tiny/timestamp.txt": "2027-02-03 04:05:06.789 UTC",
            "bob/tiny/tiny.ipynb": GOOD,
            "bob/tiny/timestamp.txt": "never",
            f"{moodle}/tiny.ipynb": GOOD,
            f"{moodle}/timestamp.txt": "2020-02-03 04:05:06.789 UTC",
            f"Dee{moodle[3:]}/tiny/tiny.ipynb": GOOD,
            f"Dee{moodle[3:]}/tiny/timestamp.txt": "2020-02-03 04:05:06.789 UTC",
            "eve/tiny.ipynb": GOOD,
            "eve/timestamp.txt": "2020-02-03 04:05:06.789 UTC",
            "fay/mine/tiny/tiny.ipynb": GOOD,
            "fay/mine/tiny/timestamp.txt": "2020-02-03 04:05:06.789 UTC",
        },
    )
    found = read(own)
    assert found["ann"].handed_in == datetime(2027, 2, 3, 4, 5, 6, 789000, UTC)
    for student in ("bob", "Cyd 12", "Dee 12", "eve", "fay"):
        assert found[student].handed_in.year == datetime.now(UTC).year
    # A zip has local time.
    with zipfile.ZipFile(tmp_path / "s.zip", "w") as archive:
        member = zipfile.ZipInfo("ann/tiny.ipynb", (2027, 5, 6, 7, 8, 10))
        archive.writestr(member, GOOD)
    local = datetime(2027, 5, 6, 7, 8, 10).astimezone(UTC)
    assert read(tmp_path / "s.zip")["ann"].handed_in == local


def test_when_nobody_knows_when_it_was_handed_in(tmp_path, monkeypatch):
    with zipfile.ZipFile(tmp_path / "s.zip", "w") as archive:
        archive.writestr(zipfile.ZipInfo("ann/tiny.ipynb"), GOOD)
        # What Canvas makes has the time of the download everywhere, and its own mark.
        for name in ("bob_LATE_1_5_tiny.ipynb", "cyd_2_6_tiny.ipynb"):
            archive.writestr(zipfile.ZipInfo(name, (2027, 5, 6, 7, 8, 10)), GOOD)
    found = read(tmp_path / "s.zip")
    assert [s.handed_in for s in found.values()] == [None] * 3
    assert [s.late for s in found.values()] == [False, True, False]
    assert found["bob 1"].notes == ("Canvas marks it as late",)
    # Some file systems have times after the year 9999.
    far = SimpleNamespace(st_mode=stat.S_IFREG, st_mtime=2**40, st_nlink=1, st_size=9)
    monkeypatch.setattr(archives.os, "lstat", lambda path: far)
    assert archives._listed(Path("x"), PurePosixPath("x")).handed_in is None


# --- Several files of one student ---------------------------------------------


@pytest.mark.parametrize(
    ("file", "name"),
    [
        ("tiny.ipynb", "tiny"), ("tiny-1.ipynb", "tiny"), ("tiny (1).ipynb", "tiny"),
        ("tiny(2).ipynb", "tiny"), ("tiny-Copy1.ipynb", "tiny"),
        ("tiny - Copy (2).ipynb", "tiny"), ("tiny copy 3.ipynb", "tiny"),
        ("tiny_1-2.ipynb", "tiny"), ("week-1.ipynb", "week-1"),
        ("week-1-2.ipynb", "week-1"), ("week-10.ipynb", None), ("week.ipynb", None),
        ("tiny1.ipynb", None), ("my tiny.ipynb", None), ("tiny-2027.ipynb", None),
        ("other-1.ipynb", "other"), ("", None),
    ],
)  # fmt: skip
def test_a_file_that_was_numbered_anew_is_the_same_sets(file, name):
    assert names.set_of(file, ["tiny", "other", "week-1"]) == name


def _dated(root: Path, times: dict[str, int]) -> Path:
    """Files of these names, so many minutes old, each with its name as an answer."""
    for name in times:
        text = tiny.answered(tiny.RIGHT | {"proof": name})
        _in_folder(root, {name: text})
        os.utime(root / name, (1_800_000_000 - 60 * times[name],) * 2)
    return root


def _proof(submission: intake.Submission) -> str:
    cells = submission.notebook.cells
    return next(cell["source"] for cell in cells if cell["grade_id"] == "proof")


@pytest.mark.parametrize(
    ("times", "newest"),
    [
        ({"ann/tiny.ipynb": 9, "ann/tiny (1).ipynb": 2}, "ann/tiny (1).ipynb"),
        ({"ann/tiny.ipynb": 1, "ann/tiny-2.ipynb": 2.5}, "ann/tiny.ipynb"),
        ({"ann/tiny.ipynb": 9, "ann/scratch.ipynb": 1}, "ann/tiny.ipynb"),
        ({"ann/tiny.ipynb": 9, "ann/other.ipynb": 1}, "ann/tiny.ipynb"),
        ({"ann/other.ipynb": 9, "ann/mine.ipynb": 1}, "ann/mine.ipynb"),
        ({"ann.ipynb": 9, "ann (1).ipynb": 1}, "ann (1).ipynb"),
        ({"ann/mine.ipynb": 1, "ann/mine-1.ipynb": 9}, "ann/mine.ipynb"),
        # Canvas counts its uploads; the files' times are all those of the download.
        ({"a_1_17_tiny-1.ipynb": 9, "a_1_7_tiny.ipynb": 1}, "a_1_17_tiny-1.ipynb"),
        ({"ann_1_5_tiny.ipynb": 9, "ann_1_5_tiny-1.ipynb": 1}, None),
        ({"ann/tiny.ipynb": 9, "ann/tiny-1.ipynb": 9}, None),
        ({"ann/tiny.ipynb": 9, "ann/tiny-1.ipynb": 8.5, "ann/tiny-2.ipynb": 8}, None),
        ({"ann/mine.ipynb": 9, "ann/scratch.ipynb": 1}, None),
    ],
)  # fmt: skip
def test_the_newest_of_several_counts_and_a_note_says_so(tmp_path, times, newest):
    (found,) = intake.read(_dated(tmp_path, times), "tiny", ["tiny", "other"])
    if newest is None:
        assert found.refused.endswith(
            "which is the newest: keep one, or name the one that counts"
        )
        assert all(name in found.refused for name in times)
        return
    assert not found.refused and found.file == newest and _proof(found) == newest
    (left,) = times.keys() - {newest}
    newest, left = newest.rpartition("/")[2], left.rpartition("/")[2]
    assert found.notes == (f"{newest} counts; left out: {left}",)


def test_a_file_with_a_number_is_a_student_where_nobody_has_the_name(tmp_path):
    files = {"ann (1).ipynb": GOOD, "bob-1.ipynb": GOOD, "bob.ipynb": GOOD}
    found = refusals(_in_folder(tmp_path, files))
    assert found == {"ann (1)": "", "bob-1": "", "bob": ""}


@pytest.mark.parametrize(
    "name", ["ann/other.ipynb", "ann_1_2_other-1.ipynb", "ann/other (1).ipynb"]
)
def test_a_file_that_is_named_after_another_set_is_not_read(tmp_path, name):
    (found,) = intake.read(_in_folder(tmp_path, {name: GOOD}), "tiny", ["other"])
    assert found.refused == "is named after another problem set, other"
    assert found.notebook is None and found.file == name


# --- Which file counts, by what is in it ---------------------------------------


class Tiny:
    """Knows the cells of two sets, of which one has the cells of the other renamed."""

    released = released(tiny.source())
    sets = {"tiny": signs(released), "other": {"other-double-answer", "other-double"}}

    def set_of(self, notebook):
        return answers.set_of(notebook, self.sets)

    def answered(self, notebook):
        return answers.answered(self.released, notebook)


BLANK = tiny.answered({})
HALF = tiny.answered({"double-answer": tiny.RIGHT["double-answer"]})
OTHER = GOOD.replace('"grade_id": "', '"grade_id": "other-')
NAMELESS = GOOD.replace('"grade_id"', '"lost"')


def chosen(tmp_path, files: dict[str, tuple[str, float]], keep=()):
    """What counts of files with these texts, each so many minutes old."""
    for name, (text, minutes) in files.items():
        _in_folder(tmp_path, {name: text})
        os.utime(tmp_path / name, (1_800_000_000 - 60 * minutes,) * 2)
    (found,) = intake.read(tmp_path, "tiny", ["tiny", "other"], Tiny(), keep)
    return found


@pytest.mark.parametrize(
    ("files", "counts"),
    [
        # A blank release never beats a filled one, whatever their names and times.
        ({"a/tiny.ipynb": (BLANK, 1), "a/Copy of tiny.ipynb": (GOOD, 9)}, "a/Copy"),
        ({"a/tiny.ipynb": (BLANK, 9), "a/tiny – Kopie.ipynb": (GOOD, 9)}, "a/tiny – K"),
        ({"a/tiny.ipynb": (HALF, 9), "a/tiny_final.ipynb": (GOOD, 1)}, "a/tiny_final"),
        ({"a/tiny.ipynb": (GOOD, 9), "a/old/tiny.ipynb": (BLANK, 1)}, "a/tiny"),
        ({"a/tiny.ipynb": (BLANK, 9), "a/tiny-1.ipynb": (BLANK, 1)}, "a/tiny-1"),
        # Cells before names: a file of another set is not this set's.
        ({"a/x.ipynb": (OTHER, 1), "a/y.ipynb": (GOOD, 9)}, "a/y"),
        ({"a/tiny.ipynb": (OTHER, 1), "a/other.ipynb": (GOOD, 9)}, "a/other"),
        ({"a/other.ipynb": (GOOD, 1)}, "a/other"),
        ({"a/tiny.ipynb": (NAMELESS, 1), "a/x.ipynb": (OTHER, 1)}, "a/tiny"),
        # What cannot be read is left out, and what is the same twice is no choice.
        ({"a/tiny.ipynb": (GOOD, 9), "a/tiny-1.ipynb": ("{", 1)}, "a/tiny.ipynb"),
        ({"a/u.ipynb": (GOOD, 9), "a/v.ipynb": (GOOD, 9)}, "a/u"),
        ({"a/u.ipynb": (GOOD, 9), "a/v.ipynb": (HALF, 9)}, None),
        ({"a/u.ipynb": (GOOD, 9), "a/v.ipynb": (HALF, 8.5)}, None),
        ({"a/m/tiny.ipynb": (GOOD, 9), "a/n/tiny.ipynb": (HALF, 1)}, None),
        # Uploads are counted, even where the first one was another file.
        ({"a_1_5_tiny.ipynb": (GOOD, 1), "a_1_9_tiny-1.ipynb": (HALF, 1)}, "a_1_9_"),
        ({"a_1_5_x.ipynb": (GOOD, 1), "a_1_9_tiny.ipynb": (BLANK, 1)}, "a_1_5_x"),
    ],
)  # fmt: skip
def test_content_decides_before_names_and_dates(tmp_path, files, counts):
    found = chosen(tmp_path, files)
    if counts is None:
        assert "keep one" in found.refused
        for name in files:
            assert chosen(tmp_path, {}, [name]).file == name, "as the teacher says"
        return
    assert not found.refused and found.file.startswith(counts)
    assert len(files) == 1 or "left out: " in found.notes[0]
    more = "has answers to more questions" in " ".join(found.notes)
    assert more == (counts == "a_1_9_")


def test_a_file_to_keep_must_be_there(tmp_path):
    _in_folder(tmp_path, {"a/tiny.ipynb": GOOD})
    with pytest.raises(
        ValueError, match="^--keep: expected files below .*, got b.ipynb"
    ):
        intake.read(tmp_path, "tiny", keep=["b.ipynb"])


@pytest.mark.parametrize("large", ["outputs", "attachments", "widgets"])
def test_what_cells_have_shown_may_be_large(tmp_path, large):
    notebook = json.loads(GOOD)
    picture = {"image/png": 'é\\"' + "A" * (6 << 20)}
    cell = notebook["cells"][2]
    if large == "outputs":
        cell["outputs"] = [{"output_type": "display_data", "data": picture}] * 2
    elif large == "attachments":
        cell["attachments"] = {"a.png": picture}
    else:
        notebook["metadata"]["widgets"] = {"state": [picture, {"outputs": [1]}]}
    for ascii in (True, False):
        text = json.dumps(notebook, ensure_ascii=ascii)
        read_anew = notebooks.parse(text.encode())
        assert read_anew == notebooks.parse(GOOD.encode())


def test_no_large_file_takes_long(tmp_path):
    for text in ("[" * (6 << 20), '{"cells":[' + "{}," * (2 << 20)):
        began = time.process_time()
        with pytest.raises(archives.Unreadable):
            notebooks.parse(text.encode())
        assert time.process_time() - began < 30


# --- Systems -----------------------------------------------------------------

GRADESCOPE = """
submission_11:
  :submitters:
  - :name: Jane Doe
    :sid: 'j1'
    :email: jane@site.edu
  :created_at: 2027-01-31 23:59:00 -08:00
submission_12:
  :submitters:
  - :name: Jane Doe
    :email: other@site.edu
  - :name: 李明
    :sid: 77
"""
PREFIX = "assignment_9_export"


@pytest.mark.parametrize(
    ("files", "students"),
    [
        ({"anon_aB3x9_5_tiny.ipynb": GOOD, "LATE_anon_12345_6_tiny.ipynb": GOOD,
          "anon_cD_7_2_tiny.ipynb": GOOD}, {"anon aB3x9", "anon 12345", "anon cD"}),
        ({"Participant 12_345_assignsubmission_file_/tiny.ipynb": GOOD},
         {"Participant 12 345"}),
        ({"A_B Set 1_ann_attempt_2027-01-31-10-00-00_tiny.ipynb": GOOD,
          "A_B Set 1_ann_attempt_2027-01-31-10-00-00.txt": "Name: Ann",
          "A_B Set 1_b_d_attempt_2027-02-01-10-00-00_tiny.ipynb": GOOD},
         {"ann", "b_d"}),
        ({"Set 1_ann_attempt_2027-01-31-10-00-00_tiny.ipynb": GOOD}, {"ann"}),
        ({f"{PREFIX}/submission_11/tiny.ipynb": GOOD,
          f"{PREFIX}/submission_12/a/tiny.ipynb": GOOD,
          f"{PREFIX}/submission_13/tiny.ipynb": GOOD,
          f"{PREFIX}/submission_metadata.yml": GRADESCOPE},
         {"Jane Doe j1", "Jane Doe other@site.edu, 李明 77", "submission_13"}),
        ({"Jane Doe - tiny.ipynb": GOOD, "李明 - tiny (1).ipynb": GOOD},
         {"Jane Doe", "李明"}),
        ({"Ann - B - tiny.ipynb": GOOD, "Bob - mine.ipynb": GOOD},
         {"Ann - B", "Bob - mine"}),
        ({"7-9 - Ann B - Jan 31, 2027 959 AM/tiny.ipynb": HALF,
          "7-9 - Ann B - Jan 31, 2027 1159 PM/tiny.ipynb": GOOD,
          "8-9 - Ann B - 31. Januar 2027 1159/tiny.ipynb": GOOD},
         {"Ann B 7", "Ann B 8"}),
        ({"284923-9 - Olu Ade - Jan 31, 2027 959 AM - tiny.ipynb": HALF,
          "284923-9 - Olu Ade - Jan 31, 2027 1159 PM - my - set 1.ipynb": GOOD,
          "8-9 - Ann - Marie B - 31 janv. 2027 2359 - tiny.ipynb": GOOD,
          "index.html": "<html>"}, {"Olu Ade 284923", "Ann - Marie B 8"}),
        ({"अ_1_5_tiny.ipynb": GOOD, "آ_2_6_tiny.ipynb": GOOD}, {"अ 1", "آ 2"}),
        ({"submission_11/tiny.ipynb": GOOD, "submission_12/tiny.ipynb": GOOD,
          "submission_metadata.yml": GRADESCOPE},
         {"Jane Doe j1", "Jane Doe other@site.edu, 李明 77"}),
        ({"ann/tiny.ipynb": GOOD, "ann/desktop.ini": "", "desktop.ini": "",
          "Thumbs.db": "", ".DS_Store": "", "__MACOSX/ann/._tiny.ipynb": "\0"},
         {"ann"}),
        ({"ann/tiny.ipynb.txt": GOOD, "bob.ipynb.json": GOOD,
          "cyd_1_5_tiny.ipynb.json": GOOD, "d/tiny.ipynb.txt": HALF,
          "d/tiny-1.ipynb": "{"}, {"ann", "bob", "cyd 1", "d"}),
    ],
    ids=["canvas", "moodle", "blackboard", "alone", "gradescope", "google", "dashes",
         "brightspace", "brightspace, flat", "scripts", "unpacked", "left", "endings"],
)  # fmt: skip
def test_whose_a_file_is_in_each_system(tmp_path, files, students):
    for where in (
        _in_folder(tmp_path / "s", files), _in_zip(tmp_path / "s.zip", files),
    ):  # fmt: skip
        found = read(where)
        graded = {student for student, s in found.items() if not s.refused}
        assert graded == students, {s: f.refused for s, f in found.items()}
        assert set(found) == students


def test_what_a_system_says_of_time(tmp_path):
    name = "Set_ann_attempt_2027-01-31-10-00-00_tiny.ipynb"
    later = "Set_ann_attempt_2027-02-03-10-00-00_tiny.ipynb"
    files = {name: HALF, later: GOOD, "Set_bob_attempt_2027-01-31-10-00-00.txt": ""}
    found = read(_in_folder(tmp_path / "b", files))
    assert found["ann"].file == later
    when = datetime(2027, 2, 3, 10).astimezone(UTC)
    assert found["ann"].handed_in == when
    files = {
        "submission_11/tiny.ipynb": GOOD, "submission_metadata.yml": GRADESCOPE,
    }  # fmt: skip
    found = read(_in_folder(tmp_path / "g", files))
    assert found["Jane Doe j1"].handed_in == datetime(2027, 2, 1, 7, 59, tzinfo=UTC)
    flat = "7-9 - Ann B - Jan 31, 2027 1159 PM - tiny.ipynb"
    ann = read(_in_folder(tmp_path / "d", {flat: GOOD}))["Ann B 7"]
    assert ann.handed_in == datetime(2027, 1, 31, 23, 59).astimezone(UTC)
    assert (ann.system, ann.number) == ("brightspace", "7")
    late = read(_in_folder(tmp_path / "c", {"LATE_anon_x_6_tiny.ipynb": GOOD}))
    assert late["anon x"].late and late["anon x"].system == "canvas"


def test_students_of_canvas_in_a_folder_of_one_are_asked_for(tmp_path):
    files = {"new/ann_1_5_tiny.ipynb": GOOD, "new/bob_LATE_2_6_tiny.ipynb": GOOD}
    (found,) = read(_in_folder(tmp_path / "x", files)).values()
    assert "several students (ann 1, bob 2): if they are, new is the folder" in (
        found.refused
    )
    assert chosen(tmp_path / "x", {}, ["new/ann_1_5_tiny.ipynb"]).notebook
    again = {"new/ann_1_5_tiny.ipynb": HALF, "new/ann_1_7_tiny-1.ipynb": GOOD}
    os.makedirs(tmp_path / "y")
    assert "named as" not in read(_in_folder(tmp_path / "y", again))["new"].refused


@pytest.mark.parametrize("yml", ["{", "a: &a [*a]", "- 1", "submission_11: 3", ""])
def test_a_gradescope_export_whose_list_cannot_be_read(tmp_path, yml):
    files = {"submission_11/tiny.ipynb": GOOD, "submission_metadata.yml": yml}
    assert read(_in_folder(tmp_path, files))["submission_11"].notebook


# --- The names in a zip ---------------------------------------------------------


def _named(path: Path, names: list[bytes], field: str = "") -> Path:
    """A zip whose names are these bytes, with nothing that says how they are meant."""
    with zipfile.ZipFile(path, "w") as archive:
        for n, name in enumerate(names):
            member = zipfile.ZipInfo("!@#$"[n] * len(name))
            if field:
                member.extra = (
                    struct.pack(
                        "<HHBI", 0x7075, 5 + len(field.encode()), 1, zlib.crc32(name)
                    )
                    + field.encode()
                )
            archive.writestr(member, GOOD)
    data = path.read_bytes()
    for n, name in enumerate(names):
        data = data.replace(b"!@#$"[n : n + 1] * len(name), name)
    path.write_bytes(data)
    return path


@pytest.mark.parametrize(
    ("students", "page"),
    [
        (["José", "Müller", "Zoë"], "utf-8"), (["José", "Müller"], "cp437"),
        (["Ágnes", "Árpád", "Óscar"], "cp850"), (["Müller", "Großmann"], "cp1252"),
        (["Иван Петров", "Анна Сорокина"], "cp866"), (["李明", "王芳"], "gbk"),
        (["田中さくら", "鈴木"], "cp932"), (["新しい", "ソ"], "cp932"),
        (["김민수", "이지은"], "euc_kr"),
        (["सुनीता"], "utf-8"),
    ],
)  # fmt: skip
def test_names_in_a_zip_that_does_not_say_how_they_are_written(
    tmp_path, students, page
):
    names = [f"{student}/tiny.ipynb".encode(page) for student in students]
    assert set(read(_named(tmp_path / "s.zip", names))) == set(students)


def test_a_zip_may_have_a_name_twice_in_two_ways(tmp_path):
    name = "李明/tiny.ipynb"
    path = _named(tmp_path / "q.zip", [b"??/tiny.ipynb"], name)
    assert set(read(path)) == {"李明"}
    path = _named(tmp_path / "s.zip", [name.encode("big5")], name)
    assert set(read(path)) == {"李明"}


def test_a_zip_with_the_sign_that_windows_has_between_folders(tmp_path):
    files = {"ann\\tiny.ipynb": GOOD, "bob\\tiny.ipynb": GOOD, "..\\c.ipynb": GOOD}
    found = refusals(_in_zip(tmp_path / "s.zip", files))
    assert found == {
        "ann": "", "bob": "", "..?": "has a path that leads out of the zip",
    }  # fmt: skip


# --- What is malformed -------------------------------------------------------

DEEP = b'{"cells": ' + b"[" * 100_000 + b"]" * 100_000 + b"}"
CELL = {"cell_type": "code", "metadata": {}, "source": "x"}
CONTENTS = {
    "broken": (b'{"cells": [', "is not JSON"),
    "empty": (b"", "is empty"),
    "page": (b"\n<!DOCTYPE html>\n<html lang=en>", "is a web page"),
    "zeros": (b"\0" * 4096, "is not JSON"),
    "conflict": (b"<<<<<<< HEAD\n" + GOOD.encode(), "is not JSON"),
    "twice": (GOOD.encode() * 2, "is not JSON"),
    "binary": (os.urandom(2000), "is not"),
    "list": (b"[]", "no notebook of format 4"),
    "null": (b"null", "no notebook of format 4"),
    "format3": (b'{"worksheets": [{"cells": []}]}', "no notebook of format 4"),
    "textcells": (b'{"cells": "abc"}', "no notebook of format 4"),
    "nested": (DEEP, "is not JSON"),
    "digits": (b'{"cells": ' + b"9" * 10_000 + b"}", "is not JSON"),
    "latin1": ('{"cells": ["é"]}'.encode("latin-1"), "is not text in UTF-8"),
    "manycells": (json.dumps({"cells": [CELL] * 501}).encode(), "501 cells"),
    "large": (b" " * (6 << 20), "more than 5,242,880 characters without its outputs"),
    "larger": (b" " * ((100 << 20) + 1), "has 104,857,601 bytes"),
}


def test_malformed_files_get_a_line_each(tmp_path):
    files = {f"{name}/tiny.ipynb": content for name, (content, _) in CONTENTS.items()}
    files |= {
        "good/tiny.ipynb": GOOD,
        "pdf/essay.pdf": b"%PDF",
        "nestedzip/work.zip": b"PK\3\4",
        "two/a.ipynb": GOOD,
        "two/b.ipynb": GOOD,
        "<img src=x onerror=alert(1)>/tiny.ipynb": GOOD,
        "=cmd|calc/tiny.ipynb": GOOD,
        "long" * 40 + "/tiny.ipynb": GOOD,
    }
    _in_folder(tmp_path, files)
    (tmp_path / "void").mkdir()
    link = tmp_path / "link" / "tiny.ipynb"
    link.parent.mkdir()
    link.symlink_to("/etc/passwd")
    (tmp_path / "loop").symlink_to(tmp_path)
    (tmp_path / "fifo").mkdir()
    os.mkfifo(tmp_path / "fifo" / "tiny.ipynb")
    (tmp_path / "sock").mkdir()
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(tmp_path / "sock" / "tiny.ipynb"))
    (tmp_path / "hard").mkdir()
    os.link(tmp_path / "pdf" / "essay.pdf", tmp_path / "hard" / "tiny.ipynb")
    before = tiny.fingerprint(tmp_path)

    found = refusals(tmp_path)

    assert found.pop("good") == ""
    for name, (_, why) in CONTENTS.items():
        assert why in found.pop(name), name
    expected = {
        "pdf": "is a hard link to a file elsewhere",
        "nestedzip": "no notebook among work.zip: unpack the zip into a folder with "
        "the student's name",
        "two": "",  # but they are the same
        "<img src=x onerror=alert(1)>?": "the student's name has '<', which no",
        "=cmd|calc?": "the student's name has '=', which no name has",
        "long" * 40: "",
        "void": "no notebook",
        "link": "is a link, not a file",
        "loop": "is a link, not a file",
        "fifo": "is a fifo, not a file",
        "sock": "is a socket, not a file",
        "hard": "is a hard link to a file elsewhere",
    }
    for name, why in expected.items():
        assert found.pop(name).startswith(why), name
    assert not found
    assert tiny.fingerprint(tmp_path) == before


def test_folders_deeper_than_a_recursion_or_a_path_can_go(tmp_path, monkeypatch):
    hand_in(tmp_path, "good")
    (tmp_path / "deep").mkdir()
    monkeypatch.chdir(tmp_path / "deep")
    for _ in range(1200):
        os.mkdir("d")
        os.chdir("d")
    try:
        found = refusals(tmp_path)
    finally:
        subprocess.run(["rm", "-rf", tmp_path / "deep"], check=True)
    assert found == {"good": "", "deep": "has folders more than 8 deep"}


def test_odd_encodings_that_are_json_are_read(tmp_path):
    for name, encoding in (("bom", "utf-8-sig"), ("wide", "utf-16")):
        path = tmp_path / name / "tiny.ipynb"
        path.parent.mkdir()
        path.write_bytes(GOOD.encode(encoding))
    path = tmp_path / "crlf" / "tiny.ipynb"
    path.parent.mkdir()
    path.write_bytes(GOOD.replace("\n", "\r\n").encode())
    assert refusals(tmp_path) == {"bom": "", "wide": "", "crlf": ""}


def test_a_name_in_no_encoding(tmp_path):
    os.mkdir(os.fsencode(tmp_path) + b"/b\xffb")
    Path(os.fsdecode(os.fsencode(tmp_path) + b"/b\xffb/tiny.ipynb")).write_text(GOOD)
    hand_in(tmp_path, "good")
    found = refusals(tmp_path)
    assert found.pop("good") == ""
    ((label, why),) = found.items()
    assert label.isprintable() and "characters" in why
    label.encode("utf-8")


def test_a_label_of_no_name_is_no_students_name(tmp_path):
    """ " bob" is refused, and the bob without a blank is not taken for it."""
    files = {" bob/tiny.ipynb": "{", "bob/tiny.ipynb": GOOD, "bob /tiny.ipynb": "{"}
    found = intake.read(_in_folder(tmp_path, files), "tiny")
    assert [s.student for s in found if not s.refused] == ["bob"]
    assert [s.student for s in found if s.refused] == ["bob?", "bob?"]


def _link(name: str, target: str) -> tuple[zipfile.ZipInfo, str]:
    member = zipfile.ZipInfo(name)
    member.external_attr = (stat.S_IFLNK | 0o777) << 16
    return member, target


def test_zips_with_tricks(tmp_path):
    path = tmp_path / "s.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("good/tiny.ipynb", GOOD)
        archive.writestr("bomb/tiny.ipynb", b"0" * (12 << 20))
        archive.writestr("../up/tiny.ipynb", GOOD)
        archive.writestr("/abs/tiny.ipynb", GOOD)
        archive.writestr("back\\..\\tiny.ipynb", GOOD)
        archive.writestr("inner/../../tiny.ipynb", GOOD)
        archive.writestr(*_link("link/tiny.ipynb", "/etc/passwd"))
        archive.writestr("void/", b"")
        twice = zipfile.ZipInfo("twice/tiny.ipynb", (2027, 5, 6, 7, 8, 10))
        archive.writestr(twice, GOOD)
        with pytest.warns(UserWarning, match="Duplicate"):
            archive.writestr(twice, GOOD)
        archive.writestr("/".join(["deep"] * 900) + "/tiny.ipynb", GOOD)
        archive.writestr("liar/tiny.ipynb", b"0" * (12 << 20))
        archive.writestr("locked/tiny.ipynb", GOOD)
        archive.writestr("torn/tiny.ipynb", GOOD)
        # However little is asked for, these methods unpack the most of a small file.
        archive.writestr("bzip2/tiny.ipynb", GOOD, zipfile.ZIP_BZIP2)
        archive.writestr("lzma/tiny.ipynb", GOOD, zipfile.ZIP_LZMA)
        archive.writestr("plain/tiny.ipynb", GOOD, zipfile.ZIP_STORED)
    _lie(path)
    found = refusals(path)
    assert found.pop("good") == found.pop("plain") == found.pop("deep") == ""
    expected = {
        "bomb": "has more than 5,242,880 characters",
        "..?": "has a path that leads out of the zip",
        "/?": "has a path that leads out of the zip",
        "back\\..\\tiny?": "has a path that leads out of the zip",
        "inner": "has a path that leads out of the zip",
        "link": "is a link, not a file",
        "void": "no notebook",
        "twice": "",  # the same file, twice
        "liar": "cannot be read",
        "locked": "is encrypted",
        "torn": "cannot be read",
        "bzip2": "is packed by a method other than deflate",
        "lzma": "is packed by a method other than deflate",
    }
    for name, why in expected.items():
        assert found.pop(name).startswith(why), name
    assert not found
    assert sorted(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize(
    "name",
    ["a_1_" + "9" * 60_000 + "_tiny.ipynb", "a/" + " " * 60_000 + ".ipynb",
     "a/" + "-1" * 30_000 + ".ipynb", "_1" * 30_000 + ".ipynb", "(1)" * 20_000],
    ids=["digits", "blanks", "numbers", "canvas", "copies"],
)  # fmt: skip
def test_a_name_without_end_is_refused_at_once(tmp_path, name):
    began = time.perf_counter()
    found = refusals(_in_zip(tmp_path / "s.zip", {name: GOOD, "bob/tiny.ipynb": GOOD}))
    assert intake.which(tmp_path / "s.zip", {"tiny": set()}) == {"tiny": 1}
    assert time.perf_counter() - began < 2
    assert found.pop("bob") == ""
    assert list(found.values()) == ["has a name that is too long for a file"]


def _lie(path: Path) -> None:
    """Say small of what is large, encrypted of what is not, and tear a member."""
    data = bytearray(path.read_bytes())
    with zipfile.ZipFile(path) as archive:
        start = {m.filename: m.header_offset for m in archive.infolist()}
    at = data.rindex(b"liar/tiny.ipynb") - 46
    data[at + 24 : at + 28] = (1000).to_bytes(4, "little")
    at = data.rindex(b"locked/tiny.ipynb") - 46
    data[at + 8] |= 1
    at = start["torn/tiny.ipynb"] + 30 + len("torn/tiny.ipynb")
    data[at : at + 40] = b"\xff" * 40
    path.write_bytes(data)


@pytest.mark.parametrize("data", [
    b"\xef\xbb\xbf" + GOOD.encode(), GOOD.encode("utf-16"), GOOD.encode("utf-16-be"),
    GOOD.replace("\n", "\r\n").encode(), GOOD.encode() + b"\0" * 512,
    GOOD.replace('"nbformat_minor": 5', '"nbformat_minor": 4').encode(),
    GOOD.replace('"outputs": []', '"outputs": null').encode(),
])  # fmt: skip
def test_notebooks_as_other_programs_write_them(data):
    assert notebooks.parse(data) == notebooks.parse(GOOD.encode())


def test_a_member_that_says_small_is_read_no_further_than_allowed():
    with pytest.raises(archives.Unreadable, match="more than"):
        notebooks.parse(b" " * (notebooks.SIZE + 1))


@pytest.mark.parametrize(
    ("make", "why"),
    [
        (lambda p: None, "expected a folder or a zip, got .*, which does not exist"),
        (lambda p: p.mkdir(), "found none"),
        (lambda p: p.write_text("abc"), "expected a folder or a zip"),
        (os.mkfifo, "expected a folder or a zip"),
        (lambda p: _in_zip(p, {}), "found none"),
    ],
)
def test_what_is_no_folder_of_submissions(tmp_path, make, why):
    make(tmp_path / "given")
    with pytest.raises(ValueError, match=why) as error:
        intake.read(tmp_path / "given", "tiny")
    assert str(error.value).startswith("--submissions: expected")
    assert str(tmp_path / "given") in str(error.value)


def test_a_zip_that_is_cut_off_or_damaged(tmp_path):
    path = _in_zip(tmp_path / "s.zip", {"ann/tiny.ipynb": GOOD})
    data = path.read_bytes()
    path.write_bytes(data[200:])
    assert refusals(path)["ann"].startswith("cannot be read")
    path.write_bytes(data.replace(b"PK\1\2", b"PK\7\7"))  # its list of files
    for look in (lambda: refusals(path), lambda: intake.which(path, {"tiny": set()})):
        with pytest.raises(ValueError, match="^--submissions: expected a zip without"):
            look()


def test_whose_has_no_part_outside_of_the_name():
    assert owners.whose(PurePosixPath("")) == owners.Owner("")


@pytest.mark.parametrize(
    "file",
    [
        "ann/kakade.ipynb",
        "ann/kakade/kakade.ipynb",
        "ann_12_345_kakade.ipynb",
        "ann/kakade (1).ipynb",
        "ann_12_345_kakade-1.ipynb",
    ],  # fmt: skip
)
def test_the_files_names_say_which_set(tmp_path, file):
    path = tmp_path / "in" / file
    path.parent.mkdir(parents=True)
    path.write_text("{}")
    (path.parent / "notes.ipynb").write_text("{}")
    known = {"das": set(), "kakade": set()}
    assert intake.which(tmp_path / "in", known) == {"kakade": 1}
    archive = shutil.make_archive(str(tmp_path / "all"), "zip", tmp_path / "in")
    assert intake.which(Path(archive), known) == {"kakade": 1}


def test_files_that_do_not_say_which_set_are_looked_into(tmp_path):
    known = {"das": set(), "tiny": signs(released(tiny.source()))}
    (tmp_path / "ann.ipynb").write_text(GOOD)
    assert intake.which(tmp_path, known) == {"tiny": 1}
    (tmp_path / "ann.ipynb").write_text("{}")
    with pytest.raises(ValueError, match="^set: .* das, tiny.*make grade SET="):
        intake.which(tmp_path, known)
    with pytest.raises(ValueError, match="^--submissions: .*, which does not exist"):
        intake.which(tmp_path / "nowhere", known)


def test_several_sets_in_one_folder(tmp_path):
    files = {f"s{n}/kakade.ipynb": "{}" for n in range(5)} | {"s0/das.ipynb": "{}"}
    known = {"das": set(), "kakade": set()}
    found = intake.which(_in_folder(tmp_path, files), known)
    assert found == {"kakade": 5, "das": 1}
