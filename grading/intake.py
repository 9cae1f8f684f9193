"""From a folder or a zip of submissions to each student's notebook.

Where a student's cannot be read, there is a reason in its place.

Understood layouts, below the folder or inside the zip:

- nbgrader's:   STUDENT/SET/SET.ipynb, with the time of timestamp.txt beside it
- a folder a student:  STUDENT/anything.ipynb
- flat files:   STUDENT.ipynb
- Canvas's:     STUDENT_NUMBER_NUMBER_anything.ipynb
- Moodle's:     "Full Name_NUMBER_assignsubmission_file/anything.ipynb", and the same
  with "_" for "/"

A student may hand in more than once, and systems and browsers then number the file:
``kakade-1.ipynb`` and ``kakade (1).ipynb`` are kakade's.  The newest counts.

Anything here may be hostile: names, links, devices and sizes are checked before a file
is opened, and nothing is ever written.
"""

import json
import os
import re
import stat
import unicodedata
import zipfile
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path, PurePosixPath
from typing import NamedTuple

import nbformat
from nbformat import NotebookNode

from grading.answers import CELLS

SIZE = 5 << 20  # bytes of a notebook
NO_TIME = (1980, 1, 1, 0, 0, 0)  # what a zip has where it has none
FOLDER_DEPTH = 8  # folders in folders
NAME_LENGTH = 255  # characters; a name in a zip can have any number
# Files whose times are closer than this may have been copied together, so that their
# order says nothing.
TOGETHER = timedelta(minutes=1)

# A person's name that can name a file, and that means nothing to a page or a shell.
STUDENT_NAME = re.compile(r"\w(?:[\w.,@+'’() -]{0,62}[\w)])?")
CANVAS = re.compile(
    r"(?P<student>[^/]+?)_(?P<late>LATE_)?(?P<number>\d+)_(?P<upload>\d+)_(?P<name>.+)"
)
MOODLE = re.compile(
    r"(?P<student>[^_/]+)_(?P<number>\d+)_assignsubmission_[a-z]+_?(?P<name>.*)"
)
# What is added to a name that is taken: "-1", " (1)", "-Copy1", " copy 2", " - Copy".
RENAMED = re.compile(r"(?i)(?: ?\(\d{1,3}\)|[ _-]\d{1,3}|[ _-]+copy ?\d{0,3})$")
FLAT = re.compile(r"(?P<student>.+?) ?\(\d{1,3}\)")


class Unreadable(ValueError):
    """A file that is not read; its text says why."""


@dataclass(frozen=True)
class File:
    """A file handed in: its path, its time if known, and where to read it."""

    name: PurePosixPath
    handed_in: datetime | None
    size: int = 0
    path: Path | None = None
    member: zipfile.ZipInfo | None = None
    refused: str = ""


@dataclass(frozen=True)
class Submission:
    """What one student handed in: a notebook, or the reason why there is none.

    ``system`` is the learning-management system that has named the file, "canvas" or
    "moodle", ``number`` the student's there, ``late`` its mark; ``notes`` say which of
    several files was taken.
    """

    student: str
    file: str
    handed_in: datetime | None
    number: str = ""
    system: str = ""
    late: bool = False
    notes: tuple[str, ...] = ()
    notebook: NotebookNode | None = None
    refused: str = ""


def read(source: Path, name: str, sets: Sequence[str] = ()) -> list[Submission]:
    """All submissions to the problem set ``name``, in order of the students.

    Parameters
    ----------
    source : Path
        A folder or a zip.
    name : str
    sets : sequence of str
        The names of all problem sets; what is named after another one is not read.

    Raises
    ------
    ValueError
        If ``source`` is no folder and no zip, or holds nothing.
    """
    _must_be_there(source)
    sets = {name, *sets}
    if source.is_dir():
        found = _sorted(_shown(_folder(source)), name, sets, _open)
    else:
        with _archive(source) as archive:
            files = _unwrapped(_shown(_members(archive)), source.name)
            found = _sorted(files, name, sets, lambda file: _member(archive, file))
    if not found:
        raise ValueError(
            f"--submissions: expected notebooks of students, found none in {source}"
        )
    return found


def which(source: Path, sets: Collection[str]) -> str:
    """The one of the problem ``sets`` after which the files are named.

    Raises
    ------
    ValueError
        If there are no files, or they are named after no set, or after several.
    """
    _must_be_there(source)
    if source.is_dir():
        files = [file.name for file in _folder(source)]
    else:
        with _archive(source) as archive:
            files = [file.name for file in _members(archive)]
    found = sorted({set_of(whose(file).called, sets) for file in files} - {None})
    if len(found) != 1:
        raise ValueError(
            f"set: expected one of {', '.join(sets)}, since the files in {source} are "
            f"named after {' and '.join(found) or 'none'}; got nothing: name the set "
            "(make grade SET=...)"
        )
    return found[0]


def _must_be_there(source: Path) -> None:
    if not source.exists():
        why = "which does not exist"
    elif source.is_dir() or source.is_file() and zipfile.is_zipfile(source):
        return
    else:
        why = "which is neither"
    raise ValueError(f"--submissions: expected a folder or a zip, got {source}, {why}")


@contextmanager
def _archive(source: Path) -> Iterator[zipfile.ZipFile]:
    try:
        with zipfile.ZipFile(source) as archive:
            yield archive
    except (zipfile.BadZipFile, NotImplementedError) as error:
        raise ValueError(
            f"--submissions: expected a zip without faults, got {source} ({error})"
        ) from None


def set_of(file: str, sets: Collection[str]) -> str | None:
    """The one of the ``sets`` after which a file is named, numbered anew or not."""
    stem = Path(file).stem
    while stem not in sets:
        shorter = RENAMED.sub("", stem)
        if shorter == stem:
            return None
        stem = shorter
    return stem


# --- The files -----------------------------------------------------------


def _folder(root: Path) -> Iterator[File]:
    for folder, folders, files in os.walk(root):
        folders.sort()
        here = Path(folder)
        name = PurePosixPath(here.relative_to(root).as_posix())
        if len(name.parts) == 1:
            yield _listed(here, name)  # so that an empty one is reported
        links = [f for f in folders if (here / f).is_symlink()]
        for entry in sorted([*files, *links]):
            yield _listed(here / entry, name / entry)
        if len(name.parts) >= FOLDER_DEPTH and folders:
            yield _listed(here, name, f"has folders more than {FOLDER_DEPTH} deep")
            folders.clear()


def _listed(path: Path, name: PurePosixPath, refused: str = "") -> File:
    about = os.lstat(path)
    if stat.S_ISREG(about.st_mode):
        if about.st_nlink > 1:
            refused = "is a hard link to a file elsewhere"
    elif not refused:
        refused = _unlike_a_file(about.st_mode)
    try:
        when = datetime.fromtimestamp(about.st_mtime, UTC)
    except (ValueError, OverflowError):  # after the year 9999, say
        when = None
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
        if any(len(part) > NAME_LENGTH for part in name.parts):
            # What remains is no student's name either.
            name = PurePosixPath(*(part[:NAME_LENGTH] for part in name.parts))
            refused = "has a name that is too long for a file"
        elif name.is_absolute() or ".." in name.parts or "\\" in member.filename:
            refused = "has a path that leads out of the zip"
        elif stat.S_IFMT(mode) not in (0, stat.S_IFREG):
            refused = _unlike_a_file(mode)
        elif member.flag_bits & 1:
            refused = "is encrypted"
        elif member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            # Other methods unpack a whole block, however little is read.
            refused = "is packed by a method other than deflate"
        yield File(
            name, _dated(member), member.file_size, member=member, refused=refused
        )


def _dated(member: zipfile.ZipInfo) -> datetime | None:
    if member.date_time == NO_TIME:
        return None
    # A zip has local time, without the time zone.
    try:
        return datetime(*member.date_time).astimezone(UTC)
    except (ValueError, OverflowError):  # the thirtieth of February, say
        return None


def _open(file: File) -> bytes:
    # What was a file when it was listed may be a link or a fifo by now.
    flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK
    with os.fdopen(os.open(file.path, flags), "rb") as opened:
        if not stat.S_ISREG(os.fstat(opened.fileno()).st_mode):
            raise Unreadable("is not a file any more")
        return opened.read(SIZE + 1)


def _member(archive: zipfile.ZipFile, file: File) -> bytes:
    with archive.open(file.member) as opened:
        # No more than this is unpacked, whatever size the member claims.
        return opened.read(SIZE + 1)


# --- Whose they are -----------------------------------------------------


class Owner(NamedTuple):
    """What the name of a file says.

    ``system`` is the one that has named it, ``number`` the student's there, ``called``
    the file as the student named it, ``upload`` Canvas's number of it, which grows, and
    ``late`` its mark.
    """

    student: str
    number: str = ""
    called: str = ""
    upload: int = 0
    late: bool = False
    system: str = ""


@dataclass
class Pile:
    """What one student handed in, before one notebook of it is chosen."""

    notebooks: list[tuple[Owner, File]] = field(default_factory=list)
    others: list[tuple[Owner, File]] = field(default_factory=list)


def _sorted(
    files: list[File], name: str, sets: set[str], opener: Callable[[File], bytes]
) -> list[Submission]:
    piles: dict[str, Pile] = defaultdict(Pile)
    owners = [whose(file.name) for file in files]
    students = {owner.student for owner in owners}
    for owner, file in zip(owners, files, strict=True):
        student = owner.student
        if len(file.name.parts) == 1 and (again := FLAT.fullmatch(student)):
            # "ann (1).ipynb" beside "ann.ipynb"
            student = again["student"] if again["student"] in students else student
        pile = piles[student]
        if file.name.suffix.lower() != ".ipynb":
            pile.others.append((owner, file))
        elif not _of_another_set(file.name, name):
            pile.notebooks.append((owner, file))
    return [
        _submission(student, piles[student], name, sets, opener)
        for student in sorted(piles)
    ]


def _shown(files: Iterable[File]) -> list[File]:
    """Those that are not hidden; Jupyter's checkpoints are."""
    return [file for file in files if not any(map(_hidden, file.name.parts))]


def _hidden(part: str) -> bool:
    return part.startswith((".", "__MACOSX")) and part != ".."


def _unwrapped(files: list[File], archive: str) -> list[File]:
    """The same without a folder around all students, as a zip of a folder has.

    Only a folder of the archive's own name is taken off: any other may be a student's,
    and what a student has put into it names nobody.
    """
    tops = {file.name.parts[0] for file in files if file.name.parts}
    if len(tops) != 1 or set_of(archive, tops) is None:
        return files
    return [
        replace(file, name=PurePosixPath(*file.name.parts[1:]))
        for file in files
        if len(file.name.parts) > 1
    ]


def _of_another_set(file: PurePosixPath, name: str) -> bool:
    """Whether nbgrader's layout says so: STUDENT/OTHER/OTHER.ipynb."""
    return len(file.parts) == 3 and file.parts[1] == file.stem != name


def whose(file: PurePosixPath) -> Owner:
    """Whose a file is, by its name."""
    first = unicodedata.normalize("NFC", file.parts[0] if file.parts else "")
    if found := MOODLE.fullmatch(first):
        called = found["name"] or file.name
        # Two students may have one name; the number tells them apart.
        return Owner(
            f"{found['student']} {found['number']}", found["number"], called,
            system="moodle",
        )  # fmt: skip
    if len(file.parts) == 1 and (found := CANVAS.fullmatch(first)):
        return Owner(
            f"{found['student']} {found['number']}", found["number"], found["name"],
            int(found["upload"]), bool(found["late"]), "canvas",
        )  # fmt: skip
    if len(file.parts) == 1 and file.suffix.lower() == ".ipynb":
        first = first[: -len(".ipynb")]
    return Owner(first, called=file.name)


def _submission(
    student: str, pile: Pile, name: str, sets: set[str], opener: Callable[[File], bytes]
) -> Submission:
    known = STUDENT_NAME.fullmatch(student) and ".." not in student
    owner, first = (pile.notebooks or pile.others or [(Owner(student), None)])[0]
    answer = Submission(
        # In place of what is no name stands a label that is no other student's name.
        student if known else f"{shown_name(student).rstrip('?')}?",
        shown_name(str(first.name)) if first else "",
        None,
        number=owner.number,
        system=owner.system,
    )
    try:
        owner, chosen, notes = _chosen(pile, name, sets)
        if owner.late:
            notes = (*notes, "Canvas marks it as late")
        answer = replace(
            answer,
            file=shown_name(str(chosen.name)),
            handed_in=_time(owner, chosen, pile),
            late=owner.late,
            notes=notes,
        )
        if chosen.refused:
            raise Unreadable(chosen.refused)
        if not known:
            raise Unreadable(
                "the student's name has characters that no name of a file has"
            )
        alone = len(chosen.name.parts) == 1 and not owner.number
        if alone and set_of(owner.called, sets):
            raise Unreadable("is named after a problem set, and after no student")
        if len(student.encode()) > 200:
            raise Unreadable("the student's name is too long for the name of a file")
        if chosen.size > SIZE:
            raise Unreadable(f"has {chosen.size:,} bytes; at most {SIZE:,} are read")
        return replace(answer, notebook=parse(opener(chosen)))
    except Unreadable as error:
        return replace(answer, refused=str(error))
    except Exception as error:
        # Whatever a broken file or archive raises, only this student's is not read.
        return replace(answer, refused=f"cannot be read ({type(error).__name__})")


def _chosen(
    pile: Pile, name: str, sets: set[str]
) -> tuple[Owner, File, tuple[str, ...]]:
    """The notebook of a pile that counts, and a note if there are others.

    Raises
    ------
    Unreadable
        If there is none, or nothing says which.
    """
    found = _of_the_set(pile, name, sets)
    folders = sorted({f.name.parts[1] for _, f in found if len(f.name.parts) > 2})
    if len(folders) > 1:
        top, names = found[0][1].name.parts[0], ", ".join(map(shown_name, folders[:4]))
        raise Unreadable(
            f"{len(found)} notebooks in folders of their own ({names}): keep one "
            f"(if these are students, {shown_name(top)} is the folder to grade)"
        )
    owner, file = _newest(found, pile, name) if len(found) > 1 else found[0]
    others = [other.name.name for _, other in pile.notebooks if other is not file]
    if not others:
        return owner, file, ()
    left_out = ", ".join(map(shown_name, others[:4]))
    return owner, file, (f"{shown_name(file.name.name)} counts; left out: {left_out}",)


def _of_the_set(pile: Pile, name: str, sets: set[str]) -> list[tuple[Owner, File]]:
    """The notebooks with the set's name, or if there are none, those with no set's."""
    of = [set_of(owner.called, sets) for owner, _ in pile.notebooks]
    wanted = name if name in of else None
    found = [b for b, own in zip(pile.notebooks, of, strict=True) if own == wanted]
    if found:
        return found
    if others := sorted({own for own in of if own}):
        raise Unreadable(f"is named after another problem set, {' and '.join(others)}")
    raise Unreadable(_why_none(pile))


def _newest(
    found: list[tuple[Owner, File]], pile: Pile, name: str
) -> tuple[Owner, File]:
    """The newest of several, where their names say that they are one, renumbered."""
    called = [owner.called for owner, _ in found]
    shortest = min((Path(c).stem for c in called), key=len)
    times = [
        # A count of uploads, or a time; they cannot be compared with each other.
        owner.upload or _time(owner, file, pile)
        for owner, file in found
    ]
    newest = None
    if all(set_of(c, {name}) for c in called) or all(
        set_of(c, {shortest}) for c in called
    ):
        newest = _last(times)
    if newest is None:
        names = ", ".join(shown_name(str(file.name)) for _, file in found[:4])
        raise Unreadable(
            f"{len(found)} notebooks of one student ({names}), and nothing says "
            "which is the newest: keep one"
        )
    return found[newest]


def _last(times: list[datetime | int | None]) -> int | None:
    """The place of the last time, if it is the last for sure."""
    if all(isinstance(time, int) for time in times):
        least = 1
    elif all(isinstance(time, datetime) for time in times):
        least = TOGETHER
    else:
        return None
    *_, second, last = sorted(times)
    return times.index(last) if last - second >= least else None


def _why_none(pile: Pile) -> str:
    refused = [file.refused for _, file in pile.others if file.refused]
    if refused:
        return refused[0]
    found = [
        shown_name(file.name.name)
        for _, file in pile.others
        if file.path is None or file.path.is_file()
    ]
    if not found:
        return "no notebook"
    zips = any(name.lower().endswith(".zip") for name in found)
    hint = ": unpack the zip into a folder with the student's name" if zips else ""
    return f"no notebook among {', '.join(found[:4])}{hint}"


def _time(owner: Owner, notebook: File, pile: Pile) -> datetime | None:
    """When a notebook was handed in: as nbgrader noted it, else the file's time."""
    if owner.upload:
        return None  # in Canvas's zip every file has the time of the zip
    folder = notebook.name.parent
    if owner.number or len(folder.parts) != 2 or folder.name != notebook.name.stem:
        return notebook.handed_in  # a note in another layout would be the student's own
    for _, file in pile.others:
        if file.name == folder / "timestamp.txt":
            return _noted(file) or notebook.handed_in
    return notebook.handed_in


def _noted(file: File) -> datetime | None:
    if file.refused or file.size > 100 or file.path is None:
        return None
    try:
        noted = file.path.read_text("utf-8").strip()
        when = datetime.strptime(noted, "%Y-%m-%d %H:%M:%S.%f UTC")
    except (OSError, ValueError):
        return None
    return when.replace(tzinfo=UTC)


def shown_name(name: str) -> str:
    """A name that can be shown, whatever it was."""
    return re.sub(r"[^\w./@+() -]", "?", name)[:100].strip() or "?"


def parse(data: bytes) -> NotebookNode:
    """A notebook, or the reason why these bytes are none.

    Raises
    ------
    Unreadable
    """
    if len(data) > SIZE:
        raise Unreadable(f"has more than {SIZE:,} bytes")
    try:
        plain = json.loads(data)  # in UTF-8, UTF-16 or UTF-32
    except UnicodeDecodeError:
        raise Unreadable("is not text in UTF-8") from None
    except (ValueError, RecursionError) as error:
        raise Unreadable(f"is not JSON ({str(error)[:80]})") from None
    cells = plain.get("cells") if isinstance(plain, dict) else None
    if not isinstance(cells, list) or not all(isinstance(cell, dict) for cell in cells):
        raise Unreadable("is JSON, but no notebook of format 4")
    if len(cells) > CELLS:
        raise Unreadable(f"has {len(cells):,} cells; at most {CELLS} are read")
    return nbformat.from_dict({"cells": [_bare(cell) for cell in cells]})


def _bare(cell: dict) -> dict:
    """A cell's kind, its name and its text: nothing else is ever used."""
    about = cell.get("metadata")
    about = about.get("nbgrader") if isinstance(about, dict) else None
    name = about.get("grade_id") if isinstance(about, dict) else None
    source = cell.get("source")
    if isinstance(source, list) and all(isinstance(line, str) for line in source):
        source = "".join(source)
    return {
        "code": cell.get("cell_type") == "code",
        "grade_id": name if isinstance(name, str) else None,
        "source": source if isinstance(source, str) else "",
    }
