"""From a folder or a zip of submissions to one notebook a student, or a reason why not.

Understood layouts, below the folder or inside the zip:

- nbgrader's:   STUDENT/SET/SET.ipynb, with the time of timestamp.txt beside it
- a folder a student:  STUDENT/anything.ipynb
- flat files:   STUDENT.ipynb
- Canvas's:     STUDENT_NUMBER_NUMBER_anything.ipynb
- Moodle's:     "Full Name_NUMBER_assignsubmission_file/anything.ipynb", and the same
  with "_" for "/"

Everything here is hostile: links, devices, bombs and names are looked at before
anything is opened, and nothing is ever written.
"""

import json
import os
import re
import stat
import unicodedata
import zipfile
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath

import nbformat
from nbformat import NotebookNode

from olutil.grading.graft import CELLS

SIZE = 5 << 20  # bytes of a notebook
DEEPEST = 8  # folders in folders

# A name of a person that is also a name of a file, and of nothing in a page or a shell.
STUDENT = re.compile(r"\w(?:[\w.,@+'’() -]{0,62}[\w)])?")
CANVAS = re.compile(r"(?P<student>[^/]+?)_(?:LATE_)?(?P<number>\d+)_\d+_(?P<name>.+)")
MOODLE = re.compile(
    r"(?P<student>[^_/]+)_(?P<number>\d+)_assignsubmission_[a-z]+_?(?P<name>.*)"
)


class Refused(ValueError):
    """A file that is not read; its text says why."""


@dataclass(frozen=True)
class File:
    """A file handed in: where it stood, when it came, and how to read it."""

    name: PurePosixPath
    handed_in: datetime
    size: int = 0
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
        If ``source`` is no folder and no zip, or holds nothing.
    """
    if source.is_dir():
        found = _sorted(list(_folder(source)), name, _open)
    elif source.is_file() and zipfile.is_zipfile(source):
        try:
            with zipfile.ZipFile(source) as archive:
                files = list(_members(archive))
                found = _sorted(files, name, lambda file: _member(archive, file))
        except (zipfile.BadZipFile, NotImplementedError) as error:
            raise ValueError(
                f"--submissions: expected a zip without faults, got {source} ({error})"
            ) from None
    else:
        raise ValueError(f"--submissions: expected a folder or a zip, got {source}")
    if not found:
        raise ValueError(
            f"--submissions: expected notebooks of students, found none in {source}"
        )
    return found


def which(source: Path, sets: list[str]) -> str:
    """The one of the problem ``sets`` after which the files are named.

    Raises
    ------
    ValueError
        If they are named after none of them, or after several.
    """
    if zipfile.is_zipfile(source):
        with zipfile.ZipFile(source) as archive:
            files = [PurePosixPath(name) for name in archive.namelist()]
    else:
        files = [file.name for file in _folder(source)]
    stems = {Path(whose(file)[2]).stem for file in files if file.parts}
    found = [name for name in sets if name in stems]
    if len(found) != 1:
        raise ValueError(
            f"set: expected one of {', '.join(sets)}, since the files in {source} are "
            f"named after {' and '.join(found) or 'none'}; got nothing"
        )
    return found[0]


# --- The files -----------------------------------------------------------


def _folder(root: Path) -> Iterator[File]:
    for folder, folders, files in os.walk(root):
        folders.sort()
        here = Path(folder)
        name = PurePosixPath(here.relative_to(root).as_posix())
        if len(name.parts) == 1:
            yield _listed(here, name)  # so that an empty one gets its line
        links = [f for f in folders if (here / f).is_symlink()]
        for entry in sorted([*files, *links]):
            yield _listed(here / entry, name / entry)
        if len(name.parts) >= DEEPEST and folders:
            yield _listed(here, name, f"has folders more than {DEEPEST} deep")
            folders.clear()


def _listed(path: Path, name: PurePosixPath, refused: str = "") -> File:
    about = os.lstat(path)
    if stat.S_ISREG(about.st_mode):
        if about.st_nlink > 1:
            refused = "is a hard link to a file elsewhere"
    elif not refused:
        refused = _unlike_a_file(about.st_mode)
    when = datetime.fromtimestamp(about.st_mtime, UTC)
    return File(name, when, about.st_size, path=path, refused=refused)


def _unlike_a_file(mode: int) -> str:
    kinds = {
        stat.S_IFDIR: "",  # a folder is looked into
        stat.S_IFLNK: "is a link, not a file",
        stat.S_IFIFO: "is a fifo, not a file",
        stat.S_IFSOCK: "is a socket, not a file",
    }
    return kinds.get(stat.S_IFMT(mode), "is a device, not a file")


def _members(archive: zipfile.ZipFile) -> Iterator[File]:
    for member in archive.infolist():
        name = PurePosixPath(member.filename)
        mode = member.external_attr >> 16
        refused = ""
        if name.is_absolute() or ".." in name.parts or "\\" in member.filename:
            refused = "has a path that leads out of the zip"
        elif stat.S_IFMT(mode) not in (0, stat.S_IFREG):
            refused = _unlike_a_file(mode)
        elif member.flag_bits & 1:
            refused = "is encrypted"
        yield File(
            name, _dated(member), member.file_size, member=member, refused=refused
        )


def _dated(member: zipfile.ZipInfo) -> datetime:
    # A zip has the time of the clock on the wall where it was made.
    try:
        return datetime(*member.date_time).astimezone(UTC)
    except (ValueError, OverflowError):  # the thirtieth of February, say
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


@dataclass
class Pile:
    """What one student handed in, before one notebook of it is chosen."""

    number: str = ""
    notebooks: list[tuple[str, File]] = field(default_factory=list)
    others: list[File] = field(default_factory=list)


def _sorted(
    files: list[File], name: str, opener: Callable[[File], bytes]
) -> list[Submission]:
    piles: dict[str, Pile] = defaultdict(Pile)
    for file in _unwrapped([file for file in files if not _hidden(file.name)]):
        student, number, called = whose(file.name)
        pile = piles[student]
        pile.number = number
        if file.name.suffix.lower() != ".ipynb":
            pile.others.append(file)
        elif not _of_another_set(file.name, name):
            pile.notebooks.append((called, file))
    return [
        _submission(student, piles[student], name, opener) for student in sorted(piles)
    ]


def _hidden(name: PurePosixPath) -> bool:
    hidden = (part for part in name.parts if part.startswith((".", "__MACOSX")))
    return any(part != ".." for part in hidden)


def _unwrapped(files: list[File]) -> list[File]:
    """The same without a folder around all students, as a zip of a folder has."""
    if len({file.name.parts[:1] for file in files}) != 1:
        return files
    below = {
        file.name.parts[1]
        for file in files
        if file.name.suffix.lower() == ".ipynb"
        and len(file.name.parts) > 2
        and file.name.parts[1] != file.name.stem
    }
    if len(below) < 2:
        return files  # all is one student's
    return [
        replace(file, name=PurePosixPath(*file.name.parts[1:]))
        for file in files
        if len(file.name.parts) > 1
    ]


def _of_another_set(file: PurePosixPath, name: str) -> bool:
    """Whether nbgrader's layout says so: STUDENT/OTHER/OTHER.ipynb."""
    return len(file.parts) == 3 and file.parts[1] == file.stem != name


def whose(file: PurePosixPath) -> tuple[str, str, str]:
    """Of a file: the student, the system's number, and how the student called it."""
    first = unicodedata.normalize("NFC", file.parts[0] if file.parts else "")
    found = MOODLE.fullmatch(first)
    if found is None and len(file.parts) == 1:
        found = CANVAS.fullmatch(first)
    if found:
        # Two students may have one name; the number tells them apart.
        student = f"{found['student']} {found['number']}"
        return student, found["number"], found["name"] or file.name
    if len(file.parts) == 1 and file.suffix.lower() == ".ipynb":
        first = first[: -len(".ipynb")]
    return first, "", file.name


def _submission(
    student: str, pile: Pile, name: str, opener: Callable[[File], bytes]
) -> Submission:
    # The one with the set's name, else the only one.
    named = [file for called, file in pile.notebooks if Path(called).stem == name]
    chosen = named or [file for _, file in pile.notebooks]
    first = (chosen or pile.others or [None])[0]
    known = STUDENT.fullmatch(student) and ".." not in student
    answer = Submission(
        # What is no name gets a label that cannot be another student's name.
        student if known else f"{clean(student).rstrip('?')}?",
        clean(str(first.name)) if first else "",
        max((_time(file, pile) for file in chosen), default=datetime.now(UTC)),
        number=pile.number,
    )
    try:
        if not chosen:
            raise Refused(_why_none(pile))
        if len(chosen) > 1:
            names = ", ".join(clean(str(file.name)) for file in chosen[:4])
            raise Refused(f"{len(chosen)} notebooks of one student ({names}): keep one")
        if first.refused:
            raise Refused(first.refused)
        if not known:
            raise Refused(
                "the student's name has characters that no name of a file has"
            )
        if len(student.encode()) > 200:
            raise Refused("the student's name is too long for the name of a file")
        if first.size > SIZE:
            raise Refused(f"has {first.size:,} bytes; at most {SIZE:,} are read")
        return replace(answer, notebook=parse(opener(first)))
    except Refused as error:
        return replace(answer, refused=str(error))
    except Exception as error:
        # Whatever a broken file or archive raises, it is this student's alone.
        return replace(answer, refused=f"cannot be read ({type(error).__name__})")


def _why_none(pile: Pile) -> str:
    refused = [file.refused for file in pile.others if file.refused]
    if refused:
        return refused[0]
    found = [
        clean(file.name.name)
        for file in pile.others
        if file.path is None or file.path.is_file()
    ]
    return f"no notebook among {', '.join(found[:4])}" if found else "no notebook"


def _time(notebook: File, pile: Pile) -> datetime:
    """When a notebook was handed in: as nbgrader noted it, else the file's time."""
    stamp = notebook.name.with_name("timestamp.txt")
    for file in pile.others:
        if file.name == stamp and file.path and not file.refused and file.size < 100:
            try:
                noted = file.path.read_text("utf-8").strip()
                return datetime.strptime(noted, "%Y-%m-%d %H:%M:%S.%f UTC").replace(
                    tzinfo=UTC
                )
            except (OSError, ValueError):
                pass
    return notebook.handed_in


def clean(name: str) -> str:
    """A name that can be shown, whatever it was."""
    return re.sub(r"[^\w./@+ -]", "?", name)[:100].strip() or "?"


def parse(data: bytes) -> NotebookNode:
    """A notebook, or the reason why these bytes are none.

    Raises
    ------
    Refused
    """
    if len(data) > SIZE:
        raise Refused(f"has more than {SIZE:,} bytes")
    try:
        plain = json.loads(data)  # in UTF-8, UTF-16 or UTF-32
    except UnicodeDecodeError:
        raise Refused("is not text in UTF-8") from None
    except (ValueError, RecursionError) as error:
        raise Refused(f"is not JSON ({str(error)[:80]})") from None
    cells = plain.get("cells") if isinstance(plain, dict) else None
    if not isinstance(cells, list) or not all(isinstance(cell, dict) for cell in cells):
        raise Refused("is JSON, but no notebook of format 4")
    if len(cells) > CELLS:
        raise Refused(f"has {len(cells):,} cells; at most {CELLS} are read")
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
