"""From a folder or a zip of submissions to one notebook a student, or a reason why not.

Understood layouts, below the folder or inside the zip:

- nbgrader's:   STUDENT/SET/SET.ipynb
- a folder a student:  STUDENT/anything.ipynb
- flat files:   STUDENT.ipynb, and Canvas's STUDENT_NUMBER_NUMBER_name.ipynb,
  and Moodle's "Full Name_NUMBER_assignsubmission_file/name.ipynb"

Everything here is hostile: links, devices, bombs and names are looked at before
anything is opened.
"""

import json
import os
import re
import stat
import zipfile
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath

import nbformat
from nbformat import NotebookNode

SIZE = 5 << 20  # bytes of a notebook
TOTAL = 2 << 30  # bytes that a zip may hold when unpacked
MEMBERS = 20_000  # files in a folder or zip

STUDENT = re.compile(r"[A-Za-z0-9](?:[\w.@+ -]{0,62}[\w])?", re.ASCII)
CANVAS = re.compile(r"(?P<student>[^_/]+)_(?:LATE_)?(?P<number>\d+)_\d+_.*\.ipynb")
MOODLE = re.compile(r"(?P<student>[^_/]+)_(?P<number>\d+)_assignsubmission_file_?")


class Refused(ValueError):
    """A file that is not read; its text says why."""


@dataclass(frozen=True)
class File:
    """A file handed in: where it stood, when it came, and how to read it."""

    name: PurePosixPath
    handed_in: datetime
    size: int
    path: Path | None = None
    member: zipfile.ZipInfo | None = None
    refused: str = ""


@dataclass(frozen=True)
class Submission:
    """What one student handed in: a notebook, or the reason why there is none.

    ``number`` is what a learning-management system has in the file's name.
    """

    student: str
    file: str
    handed_in: datetime
    number: str = ""
    notebook: NotebookNode | None = None
    refused: str = ""


def read(source: Path, name: str) -> list[Submission]:
    """All submissions to the problem set ``name``, in order of the students.

    Raises
    ------
    ValueError
        If ``source`` is no folder and no zip, or holds far too much.
    """
    if source.is_dir():
        return _sorted(list(_folder(source)), name, _open)
    if not zipfile.is_zipfile(source):
        raise ValueError(f"submissions: expected a folder or a zip, got {source}")
    with zipfile.ZipFile(source) as archive:
        return _sorted(list(_members(archive)), name, lambda f: _member(archive, f))


# --- The files -----------------------------------------------------------


def _folder(root: Path) -> Iterator[File]:
    count = 0
    for folder, folders, files in os.walk(root, followlinks=False):
        folders.sort()
        links = [f for f in folders if os.path.islink(os.path.join(folder, f))]
        for entry in sorted([*files, *links]):
            count += 1
            if count > MEMBERS:
                raise ValueError(f"submissions: more than {MEMBERS:,} files in {root}")
            path = Path(folder) / entry
            about = os.lstat(path)
            refused = ""
            if not stat.S_ISREG(about.st_mode):
                refused = f"is {_kind(about.st_mode)}, not a file"
            elif about.st_nlink > 1:
                refused = "is a hard link to a file elsewhere"
            yield File(
                PurePosixPath(path.relative_to(root).as_posix()),
                datetime.fromtimestamp(about.st_mtime, UTC),
                about.st_size,
                path=path,
                refused=refused,
            )


def _kind(mode: int) -> str:
    kinds = {
        stat.S_IFLNK: "a link",
        stat.S_IFIFO: "a fifo",
        stat.S_IFSOCK: "a socket",
        stat.S_IFCHR: "a device",
        stat.S_IFBLK: "a device",
    }
    return kinds.get(stat.S_IFMT(mode), "a folder")


def _members(archive: zipfile.ZipFile) -> Iterator[File]:
    members = [member for member in archive.infolist() if not member.is_dir()]
    if len(members) > MEMBERS:
        raise ValueError(f"submissions: more than {MEMBERS:,} files in the zip")
    if sum(member.file_size for member in members) > TOTAL:
        raise ValueError(
            f"submissions: the zip would unpack to more than {TOTAL >> 30} GiB"
        )
    for member in members:
        name = PurePosixPath(member.filename)
        mode = member.external_attr >> 16
        refused = ""
        if name.is_absolute() or ".." in name.parts or "\\" in member.filename:
            refused = "has a path that leads out of the zip"
        elif mode and stat.S_IFMT(mode) not in (0, stat.S_IFREG):
            refused = f"is {_kind(mode)}, not a file"
        elif member.flag_bits & 1:
            refused = "is encrypted"
        yield File(
            name, _dated(member), member.file_size, member=member, refused=refused
        )


def _dated(member: zipfile.ZipInfo) -> datetime:
    try:
        return datetime(*member.date_time, tzinfo=UTC)
    except ValueError:  # the thirtieth of February, say
        return datetime.fromtimestamp(0, UTC)


def _open(file: File) -> bytes:
    # What was a file when it was listed may be a link or a fifo by now.
    flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK
    with os.fdopen(os.open(file.path, flags), "rb") as opened:
        if not stat.S_ISREG(os.fstat(opened.fileno()).st_mode):
            raise Refused("is not a file any more")
        return opened.read(SIZE + 1)


def _member(archive: zipfile.ZipFile, file: File) -> bytes:
    with archive.open(file.member) as opened:
        # No more than asked for is unpacked, whatever the member says of itself.
        return opened.read(SIZE + 1)


# --- Whose they are -----------------------------------------------------


def _sorted(files: list[File], name: str, opener) -> list[Submission]:
    found: dict[str, list[File]] = defaultdict(list)
    numbers: dict[str, str] = {}
    for file in files:
        hidden = any(p.startswith((".", "__MACOSX")) for p in file.name.parts)
        notebook = file.name.suffix == ".ipynb"
        if (hidden or not notebook) and not file.refused:
            continue
        student, number, sets = whose(file.name)
        numbers[student] = number
        if sets is not None and sets != name:
            continue  # nbgrader's layout: another problem set of the same student
        found[student].append(file)
    taken: dict[str, str] = {}
    submissions = []
    for student in sorted(found):
        one = _submission(student, found[student], name, taken, opener)
        submissions.append(replace(one, number=numbers[student]))
    return submissions


def whose(name: PurePosixPath) -> tuple[str, str, str | None]:
    """Of a file: the student, the system's number, the set if a folder names one."""
    first = name.parts[0] if name.parts else ""
    if len(name.parts) == 1:
        match = CANVAS.fullmatch(first)
        return (
            (match["student"], match["number"], None)
            if match
            else (name.stem, "", None)
        )
    match = MOODLE.match(first)
    if match:
        return f"{match['student']} {match['number']}", match["number"], None
    return first, "", name.parts[1] if len(name.parts) == 3 else None


def _submission(student, files, name, taken, opener) -> Submission:
    # The one with the set's name, else the latest.
    files = sorted(files, key=lambda f: (f.name.stem == name, f.handed_in, str(f.name)))
    chosen = files[-1]

    def refused(why: str) -> Submission:
        return Submission(
            clean(student), str(chosen.name)[:200], chosen.handed_in, refused=why
        )

    if not STUDENT.fullmatch(student) or ".." in student:
        return refused("the student's name has characters that no name of a file has")
    folded = student.casefold()
    if folded in taken:
        return refused(f"differs only in case from {taken[folded]}")
    taken[folded] = student
    named = [file for file in files if file.name.stem == name]
    if len(files) > 1 and len(named) != 1:
        names = ", ".join(str(file.name)[:80] for file in files[:4])
        return refused(f"{len(files)} notebooks of one student ({names}): keep one")
    if chosen.refused:
        return refused(chosen.refused)
    if chosen.size > SIZE:
        return refused(f"has {chosen.size:,} bytes; at most {SIZE:,} are read")
    try:
        notebook = parse(opener(chosen))
        return Submission(
            student, str(chosen.name), chosen.handed_in, notebook=notebook
        )
    except Refused as error:
        return refused(str(error))
    except (OSError, zipfile.BadZipFile, RuntimeError, NotImplementedError) as error:
        return refused(f"cannot be read ({type(error).__name__})")


def clean(student: str) -> str:
    """A name that can be shown and be a column's value, whatever it was."""
    return re.sub(r"[^\w.@+ -]", "?", student, flags=re.ASCII)[:64] or "?"


def parse(data: bytes) -> NotebookNode:
    """A notebook, or the reason why these bytes are none.

    Raises
    ------
    Refused
    """
    if len(data) > SIZE:
        raise Refused(f"has more than {SIZE:,} bytes")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        raise Refused("is not text in UTF-8") from None
    try:
        plain = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise Refused(f"is not JSON ({str(error)[:80]})") from None
    cells = plain.get("cells") if isinstance(plain, dict) else None
    if not isinstance(cells, list) or not all(isinstance(cell, dict) for cell in cells):
        raise Refused("is JSON, but no notebook of format 4")
    return nbformat.from_dict({"cells": [_bare(cell) for cell in cells]})


def _bare(cell: dict) -> dict:
    """Of a cell its name and its text, the only parts that are ever used."""
    about = cell.get("metadata")
    about = about.get("nbgrader") if isinstance(about, dict) else None
    name = about.get("grade_id") if isinstance(about, dict) else None
    source = cell.get("source")
    if isinstance(source, list) and all(isinstance(line, str) for line in source):
        source = "".join(source)
    return {
        "grade_id": name if isinstance(name, str) else None,
        "source": source if isinstance(source, str) else "",
    }
