"""From a folder or a zip of submissions to each student's notebook.

Where a student's cannot be read, there is a reason in its place.

Understood layouts, below the folder or inside the zip:

- nbgrader's:   STUDENT/SET/SET.ipynb, with the time of timestamp.txt beside it
- a folder a student:  STUDENT/anything.ipynb
- flat files:   STUDENT.ipynb
- Canvas's:     STUDENT_NUMBER_NUMBER_anything.ipynb, with LATE before the numbers, and
  anon_WORD_NUMBER_anything.ipynb where it grades without names
- Moodle's:     "Full Name_NUMBER_assignsubmission_file/anything.ipynb", and the same
  with "_" for "/"
- Blackboard's: Assignment_STUDENT_attempt_2027-01-31-23-59-00_anything.ipynb
- Brightspace's: "NUMBER-NUMBER - Full Name - Jan 31, 2027 1159 PM/anything.ipynb"
- Gradescope's: assignment_N_export/submission_N/anything.ipynb, with whose they are in
  submission_metadata.yml
- Google Classroom's: "Full Name - SET.ipynb"

A student may hand in more than once.  Of several notebooks those count that have the
set's cells, whatever they are called; of these those with answers; of these the newest.

Anything here may be hostile: names, links, devices and sizes are checked before a file
is opened, and nothing is ever written.
"""

import json
import os
import re
import stat
import struct
import unicodedata
import zipfile
import zlib
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Set
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path, PurePosixPath
from typing import NamedTuple, Protocol

import nbformat
import yaml
from nbformat import NotebookNode

from grading import answers
from grading.answers import CELLS

SIZE = 5 << 20  # bytes of a notebook without what its cells have shown
WHOLE = 100 << 20  # bytes of one with it
NOTEBOOKS = 30  # of a student, which are looked into
NO_TIME = (1980, 1, 1, 0, 0, 0)  # what a zip has where it has none
FOLDER_DEPTH = 8  # folders in folders
NAME_LENGTH = 255  # characters; a name in a zip can have any number
# Files whose times are closer than this may have been copied together, so that their
# order says nothing.
TOGETHER = timedelta(minutes=1)

# What no person's name has.  All else is shown as it is written, in whatever script.
NO_NAME = re.compile(r'[<>:"/\\|*=]|^[+@.-]|\.\.|^\s|\s$')
# Unseen, and part of how names are spelled: joiners and marks of direction, but not
# what turns all that follows around.
UNSEEN = "\u200c\u200d\u200e\u200f\u061c\u00ad\ufeff\u200b\u2060"
CANVAS = re.compile(
    r"(?P<student>[^/]+?)_(?P<late>LATE_)?(?P<number>\d+)_(?P<upload>\d+)_(?P<name>.+)"
)
ANONYMOUS = re.compile(
    r"(?P<late>LATE_)?(?P<student>anon_[A-Za-z0-9]{1,20})_(?P<upload>\d+)_(?P<name>.+)"
)
BLACKBOARD = re.compile(
    r"(?P<student>.+)_attempt_(?P<time>\d{4}(?:-\d\d){5})(?:_(?P<name>.+)|\.txt)"
)
BRIGHTSPACE = re.compile(r"(?P<number>\d+)-\d+ - (?P<student>.+) - (?P<time>.+)")
GRADESCOPE = re.compile(r"assignment_\d+_export")
MOODLE = re.compile(
    r"(?P<student>[^_/]+)_(?P<number>\d+)_assignsubmission_[a-z]+_?(?P<name>.*)"
)
# What is added to a name that is taken: "-1", " (1)", "-Copy1", " copy 2", " - Copy".
RENAMED = re.compile(
    r"(?i)(?: ?\(\d{1,3}\)|[ _-]\d{1,3}|[ _–-]+(copy|kopie|copie|copia) ?\d{0,3})$"
)
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


class Judge(Protocol):
    """What tells of a notebook whose it is, such as `problems.ProblemSet`."""

    def set_of(self, notebook: NotebookNode) -> str | None:
        """The set whose cells it has."""

    def answered(self, notebook: NotebookNode) -> int:
        """How many of the set's answers it has."""


class ByName:
    """Knows of no cells, so that names and times decide alone."""

    def set_of(self, notebook: NotebookNode) -> str | None:
        return None

    def answered(self, notebook: NotebookNode) -> int:
        return 0


@dataclass(frozen=True)
class Source:
    """What is looked for, and how a file is opened.

    ``keep`` has the paths that a teacher has chosen where there was a choice.
    """

    name: str
    sets: frozenset[str]
    judge: Judge
    opener: Callable[[File], bytes]
    keep: frozenset[str] = frozenset()


def read(
    source: Path,
    name: str,
    sets: Collection[str] = (),
    judge: Judge | None = None,
    keep: Collection[str] = (),
) -> list[Submission]:
    """All submissions to the problem set ``name``, in order of the students.

    Parameters
    ----------
    source : Path
        A folder or a zip.
    name : str
    sets : collection of str
        The names of all problem sets.
    judge : Judge, optional
        Knows the sets' cells.  Without it only the files' names and times decide.
    keep : collection of str
        Paths of files that count for their students, below ``source``.

    Raises
    ------
    ValueError
        If ``source`` is no folder and no zip, or holds nothing, or lacks one to keep.
    """
    with _files(source) as (files, opener):
        if unknown := set(keep) - {str(file.name) for file in files}:
            raise ValueError(
                f"--keep: expected files below {source}, got "
                f"{', '.join(sorted(unknown))}"
            )
        wanted = Source(
            name, frozenset({name, *sets}), judge or ByName(), opener, frozenset(keep)
        )
        found = _sorted(files, wanted)
    if not found:
        raise ValueError(
            f"--submissions: expected notebooks of students, found none in {source}"
        )
    return found


@contextmanager
def _files(source: Path) -> Iterator[tuple[list[File], Callable[[File], bytes]]]:
    """The files that are not hidden, and what opens them."""
    _must_be_there(source)
    if source.is_dir():
        yield _unwrapped(_shown(_folder(source)), ""), _open
    else:
        with _archive(source) as archive:
            files = _unwrapped(_shown(_members(archive)), source.name)
            yield files, lambda file: _member(archive, file)


def which(source: Path, sets: Mapping[str, Set[str]]) -> dict[str, int]:
    """The problem ``sets`` of which there are notebooks, the most common first.

    Parameters
    ----------
    source : Path
    sets : mapping
        By the name of a set, the `cells.signs` of its notebook.

    Returns
    -------
    dict
        How many notebooks are of each, by their names, or else by their cells.

    Raises
    ------
    ValueError
        If there are no files, or they are of no set.
    """
    found: Counter[str] = Counter()
    with _files(source) as (files, opener):
        notebooks = [f for f in files if f.name.suffix.lower() == ".ipynb"]
        for file in notebooks:
            if named := set_of(whose(file.name).called, sets):
                found[named] += 1
        if not found:
            for file in notebooks[:1000]:
                with suppress(Unreadable):
                    found[answers.set_of(_parsed(file, opener), sets)] += 1
    del found[None]
    if not found:
        raise ValueError(
            f"set: expected one of {', '.join(sets)}, since the files in {source} are "
            "neither named after one nor have the cells of one; got nothing: name the "
            "set (make grade SET=...)"
        )
    return dict(found.most_common())


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
    members = archive.infolist()
    written = _written(members)
    # Some programs of Windows write their own sign between folders.
    windows = not any("/" in name for name in written)
    for member, full in zip(members, written, strict=True):
        name = PurePosixPath(full.replace("\\", "/") if windows else full)
        mode = member.external_attr >> 16
        refused = ""
        if any(len(part) > NAME_LENGTH for part in name.parts):
            # What remains is no student's name either.
            name = PurePosixPath(*(part[:NAME_LENGTH] for part in name.parts))
            refused = "has a name that is too long for a file"
        elif name.is_absolute() or ".." in name.parts or "\\" in str(name):
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


# The code pages of those who make a zip without saying in which one its names are.
CODE_PAGES = (
    "cp437 cp850 cp866 cp932 euc_kr gbk big5 cp1252 cp1251 cp852 cp1250".split()
)
UNICODE_PATH = 0x7075  # the field of a zip with a name in UTF-8 beside the old one


def _written(members: list[zipfile.ZipInfo]) -> list[str]:
    """The names in a zip as they were written, whatever has written them."""
    raw = [
        b"" if m.flag_bits & 0x800 else m.orig_filename.encode("cp437", "replace")
        for m in members
    ]
    names = [
        _unicode_path(m, r) or m.filename if r else m.filename
        for m, r in zip(members, raw, strict=True)
    ]
    odd = [n for n, r in enumerate(raw) if not r.isascii()]
    odd = [n for n in odd if names[n] == members[n].filename]
    for page in ("utf-8", *CODE_PAGES):
        with suppress(UnicodeDecodeError):
            read = {n: raw[n].decode(page) for n in odd}
            if page == "utf-8" or all(map(_is_spelled, read.values())):
                return [read.get(n, name) for n, name in enumerate(names)]
    return names


def _unicode_path(member: zipfile.ZipInfo, raw: bytes) -> str:
    extra = member.extra
    while len(extra) >= 4:
        kind, size = struct.unpack("<HH", extra[:4])
        field, extra = extra[4 : 4 + size], extra[4 + size :]
        if kind == UNICODE_PATH and field[1:5] == struct.pack("<I", zlib.crc32(raw)):
            return field[5:].decode("utf-8", "replace")
    return ""


def _is_spelled(name: str) -> bool:
    """Whether each word of a name is in one script, and of letters."""
    for word in re.findall(r"[^\W\d_]*[^\x00-\x7f]+[^\W\d_]*", name):
        scripts = {unicodedata.name(c, "?").split()[0] for c in word if c not in UNSEEN}
        if scripts <= {"CJK", "HIRAGANA", "KATAKANA"}:
            scripts = {"CJK"}
        letters = all(unicodedata.category(c)[0] in "LM" for c in word)
        capital = any(c.isupper() and not c.isascii() for c in word[1:])
        if (
            len(scripts) > 1 or "HALFWIDTH" in scripts or not letters
            or capital and not word.isupper()
        ):  # fmt: skip
            return False
    return True


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
        return opened.read(WHOLE + 1)


def _member(archive: zipfile.ZipFile, file: File) -> bytes:
    with archive.open(file.member) as opened:
        # No more than this is unpacked, whatever size the member claims.
        return opened.read(WHOLE + 1)


# --- Whose they are -----------------------------------------------------


class Owner(NamedTuple):
    """What the name of a file says.

    ``system`` is the one that has named it, ``number`` the student's there, ``called``
    the file as the student named it, ``upload`` Canvas's number of it, which grows,
    ``late`` its mark, and ``handed_in`` the time that Blackboard writes there.
    """

    student: str
    number: str = ""
    called: str = ""
    upload: int = 0
    late: bool = False
    system: str = ""
    handed_in: datetime | None = None


@dataclass
class Pile:
    """What one student handed in, before one notebook of it is chosen."""

    notebooks: list[tuple[Owner, File]] = field(default_factory=list)
    others: list[tuple[Owner, File]] = field(default_factory=list)


def _sorted(files: list[File], source: Source) -> list[Submission]:
    piles: dict[str, Pile] = defaultdict(Pile)
    owners = _owners(files, source)
    students = {owner.student for owner in owners}
    for owner, file in zip(owners, files, strict=True):
        student = owner.student
        if len(file.name.parts) == 1 and (again := FLAT.fullmatch(student)):
            # "ann (1).ipynb" beside "ann.ipynb"
            student = again["student"] if again["student"] in students else student
        pile = piles[student]
        if file.name.suffix.lower() != ".ipynb":
            pile.others.append((owner, file))
        elif not _of_another_set(file.name, source.name):
            pile.notebooks.append((owner, file))
    return [_submission(s, piles[s], source) for s in sorted(piles)]


def _owners(files: list[File], source: Source) -> list[Owner]:
    """Whose each file is; for some systems the files together say it."""
    owners = [whose(file.name) for file in files]
    stems = [o.student for o in owners if o.system == "blackboard"]
    # What all begin with is the name of the assignment.
    start = (
        os.path.commonprefix(stems).rpartition("_")[0] if len(set(stems)) > 1 else ""
    )
    known = _of_gradescope(files, source.opener)
    for n, (owner, file) in enumerate(zip(owners, files, strict=True)):
        if owner.system == "blackboard":
            student = owner.student.removeprefix(f"{start}_" if start else "")
            owners[n] = owner._replace(
                student=student if start else _last_part(student)
            )
        elif len(file.name.parts) == 1 and not owner.system:
            parts = owner.student.split(" - ")
            for at in range(len(parts) - 1, 0, -1):
                if set_of(" - ".join(parts[at:]) + ".ipynb", source.sets):
                    student = " - ".join(parts[:at])
                    owners[n] = owner._replace(student=student, system="google")
        elif about := known.get(file.name.parts[0]):
            owners[n] = owner._replace(student=about[0], handed_in=about[1])
    return owners


def _last_part(stem: str) -> str:
    return stem.rpartition("_")[2] or stem


def _of_gradescope(
    files: list[File], opener: Callable[[File], bytes]
) -> dict[str, tuple[str, datetime | None]]:
    """By folder of Gradescope's export, whose it is and when it was handed in."""
    about = next((f for f in files if str(f.name) == "submission_metadata.yml"), None)
    if about is None or about.refused or about.size > SIZE:
        return {}
    found = {}
    try:
        plain = yaml.load(opener(about), getattr(yaml, "CSafeLoader", yaml.SafeLoader))
        for folder, entry in plain.items():
            people = entry.get(":submitters") or []
            names = [
                f"{one.get(':name', '')} {one.get(':sid') or one.get(':email', '')}"
                for one in people
            ]
            when = entry.get(":created_at")
            when = when.astimezone(UTC) if isinstance(when, datetime) else None
            if names:
                found[folder] = ", ".join(map(str.strip, names)), when
    except (yaml.YAMLError, AttributeError, TypeError, ValueError):
        return {}
    return found


def _shown(files: Iterable[File]) -> list[File]:
    """Those that are not hidden; Jupyter's checkpoints are."""
    return [file for file in files if not any(map(_hidden, file.name.parts))]


def _hidden(part: str) -> bool:
    return part.startswith((".", "__MACOSX")) and part != ".."


def _unwrapped(files: list[File], archive: str) -> list[File]:
    """The same without a folder around all students, as a zip of a folder has.

    Only a folder of the archive's own name is taken off, or one that Gradescope makes:
    any other may be a student's, and what a student has put into it names nobody.
    """
    tops = {file.name.parts[0] for file in files if file.name.parts}
    if len(tops) != 1:
        return files
    if set_of(archive, tops) is None and not GRADESCOPE.fullmatch(*tops):
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
    if len(file.parts) == 1 and (found := ANONYMOUS.fullmatch(first)):
        return Owner(
            found["student"].replace("_", " "), "", found["name"],
            int(found["upload"]), bool(found["late"]), "canvas",
        )  # fmt: skip
    if len(file.parts) == 1 and (found := CANVAS.fullmatch(first)):
        return Owner(
            f"{found['student']} {found['number']}", found["number"], found["name"],
            int(found["upload"]), bool(found["late"]), "canvas",
        )  # fmt: skip
    if len(file.parts) == 1 and (found := BLACKBOARD.fullmatch(first)):
        with suppress(ValueError):
            when = datetime.strptime(found["time"], "%Y-%m-%d-%H-%M-%S").astimezone(UTC)
            return Owner(
                found["student"], called=found["name"] or file.name,
                system="blackboard", handed_in=when,
            )  # fmt: skip
    if found := BRIGHTSPACE.fullmatch(first):
        when = None  # in words of the course's language
        with suppress(ValueError):
            when = datetime.strptime(found["time"], "%b %d, %Y %I%M %p").astimezone(UTC)
        return Owner(
            f"{found['student']} {found['number']}", called=file.name,
            system="brightspace", handed_in=when,
        )  # fmt: skip
    if len(file.parts) == 1 and file.suffix.lower() == ".ipynb":
        first = first[: -len(".ipynb")]
    return Owner(first, called=file.name)


def _submission(student: str, pile: Pile, source: Source) -> Submission:
    odd = _odd(student)
    owner, first = (pile.notebooks or pile.others or [(Owner(student), None)])[0]
    answer = Submission(
        # In place of what is no name stands a label that is no other student's name.
        f"{shown_name(student).rstrip('?')}?" if odd else student,
        shown_name(str(first.name)) if first else "",
        None,
        number=owner.number,
        system=owner.system,
    )
    try:
        owner, chosen, notebook, notes = _chosen(pile, source)
        if owner.late:
            notes = (*notes, "Canvas marks it as late")
        answer = replace(
            answer,
            file=shown_name(str(chosen.name)),
            handed_in=_time(owner, chosen, pile),
            late=owner.late,
            notes=notes,
        )
        if odd and not chosen.refused:
            raise Unreadable(f"the student's name has {odd}, which no name has")
        if len(chosen.name.parts) == 1 and not owner.system:
            if set_of(owner.called, source.sets):
                raise Unreadable("is named after a problem set, and after no student")
        return replace(answer, notebook=notebook or _parsed(chosen, source.opener))
    except Unreadable as error:
        return replace(answer, refused=str(error))


def _odd(name: str) -> str:
    """What a name has that no person's name has, if anything."""
    if found := NO_NAME.search(name):
        return repr(found[0])
    if any(not c.isprintable() and c not in UNSEEN for c in name):
        return "characters that cannot be shown"
    return "" if name else "no letter"


def _parsed(file: File, opener: Callable[[File], bytes]) -> NotebookNode:
    """The notebook in a file.

    Raises
    ------
    Unreadable
    """
    if file.refused:
        raise Unreadable(file.refused)
    if file.size > WHOLE:
        raise Unreadable(f"has {file.size:,} bytes; at most {WHOLE:,} are read")
    try:
        return parse(opener(file))
    except Unreadable:
        raise
    except Exception as error:
        # Whatever a broken file or archive raises, only this file is not read.
        raise Unreadable(f"cannot be read ({type(error).__name__})") from None


# --- Which of several files counts -------------------------------------------


@dataclass
class Candidate:
    """One of a student's notebooks: what it is, or why it cannot be read."""

    owner: Owner
    file: File
    notebook: NotebookNode | None = None
    why: str = ""
    of: str | None = None  # the set whose cells it has
    answers: int = 0

    def __str__(self) -> str:
        return shown_name(self.file.name.name)


def _chosen(
    pile: Pile, source: Source
) -> tuple[Owner, File, NotebookNode | None, tuple[str, ...]]:
    """The notebook of a pile that counts, and notes if there are others.

    Raises
    ------
    Unreadable
        If there is none, or nothing says which.
    """
    if not pile.notebooks:
        raise Unreadable(_why_none(pile))
    if len(pile.notebooks) > NOTEBOOKS:
        raise Unreadable(
            f"{len(pile.notebooks)} notebooks of one student; of at most {NOTEBOOKS} "
            "one is chosen: keep fewer"
        )
    all_of_them = [_looked_into(owner, file, source) for owner, file in pile.notebooks]
    found = _of_the_set(all_of_them, source)
    kept = [c for c in found if str(c.file.name) in source.keep]
    one = kept[0] if kept else _newest(found, pile, source)
    if one.why:
        raise Unreadable(one.why)
    return one.owner, one.file, one.notebook, _left_out(one, all_of_them)


def _looked_into(owner: Owner, file: File, source: Source) -> Candidate:
    try:
        notebook = _parsed(file, source.opener)
    except Unreadable as error:
        return Candidate(owner, file, why=str(error))
    of, count = source.judge.set_of(notebook), source.judge.answered(notebook)
    return Candidate(owner, file, notebook, of=of, answers=count)


def _of_the_set(candidates: list[Candidate], source: Source) -> list[Candidate]:
    """Those with the set's cells; else with its name; else with no set's at all."""
    named = [set_of(c.owner.called, source.sets) for c in candidates]
    if mine := [c for c in candidates if c.of == source.name]:
        return mine
    unknown = [(c, name) for c, name in zip(candidates, named, strict=True) if not c.of]
    for wanted in (source.name, None):
        if mine := [c for c, name in unknown if name == wanted]:
            return mine
    if others := sorted({c.of for c in candidates} - {None}):
        raise Unreadable(
            f"has the cells of another problem set, {' and '.join(others)}"
        )
    others = sorted(set(named) - {None})
    raise Unreadable(f"is named after another problem set, {' and '.join(others)}")


def _newest(found: list[Candidate], pile: Pile, source: Source) -> Candidate:
    """Of those that have answers the newest, if it is known for sure."""
    found = [c for c in found if not c.why] or found
    found = [c for c in found if c.answers] or found
    if len(found) == 1:
        return found[0]
    folders = sorted(
        {c.file.name.parts[1] for c in found if len(c.file.name.parts) > 2}
    )
    if len(folders) > 1:
        names, top = (
            ", ".join(map(shown_name, folders[:4])),
            found[0].file.name.parts[0],
        )
        raise Unreadable(
            f"{len(found)} notebooks in folders of their own ({names}): keep one "
            f"(if these are students, {shown_name(top)} is the folder to grade)"
        )
    times = [
        # A count of uploads, or a time; they cannot be compared with each other.
        c.owner.upload or _time(c.owner, c.file, pile)
        for c in found
    ]
    newest = _last(times) if _are_one(found, source) else None
    if newest is None and len({repr(c.notebook) for c in found}) == 1:
        newest = 0  # all the same
    if newest is None or not found[newest].notebook:
        names = ", ".join(shown_name(str(c.file.name)) for c in found[:4])
        raise Unreadable(
            f"{len(found)} notebooks of one student ({names}), and nothing says "
            "which is the newest: keep one, or name it (--keep)"
        )
    return found[newest]


def _are_one(found: list[Candidate], source: Source) -> bool:
    """Whether these are the set's: their cells say it, or names numbered anew."""
    called = [c.owner.called for c in found]
    shortest = min((Path(c).stem for c in called), key=len)
    return (
        all(c.of == source.name for c in found)
        or all(set_of(c, {source.name}) for c in called)
        or all(set_of(c, {shortest}) for c in called)
    )


def _left_out(one: Candidate, candidates: list[Candidate]) -> tuple[str, ...]:
    others = [c for c in candidates if c is not one]
    if not others:
        return ()
    names = [f"{c} ({c.why})" if c.why else str(c) for c in others[:4]]
    notes = [f"{one} counts; left out: {', '.join(names)}"]
    if more := [str(c) for c in others if c.of == one.of and c.answers > one.answers]:
        notes.append(f"{', '.join(more[:4])} has answers to more questions")
    return tuple(notes)


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
    if owner.handed_in:
        return owner.handed_in
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
    seen = (c if c.isprintable() or c in UNSEEN else "?" for c in name)
    return "".join(seen)[:100].strip() or "?"


def parse(data: bytes) -> NotebookNode:
    """A notebook, or the reason why these bytes are none.

    Raises
    ------
    Unreadable
    """
    if len(data) > WHOLE:
        raise Unreadable(f"has more than {WHOLE:,} bytes")
    try:
        text = data.decode(json.detect_encoding(data))  # UTF-8, UTF-16 or UTF-32
        if len(text) > SIZE:
            text = without_outputs(text)
        plain = json.loads(text)
    except Unreadable:
        raise
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


TOKEN = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"|[][{}]', re.S)
TOKENS = 5_000_000


def without_outputs(text: str) -> str:
    """A notebook's JSON without what its cells have shown, and other large parts.

    Only the brackets and the strings are looked at, so that the parts that are dropped
    take no memory.

    Raises
    ------
    Unreadable
        If it still is too large.
    """
    kept, start, depth, drop = [], 0, 0, None
    key = None
    for count, token in enumerate(TOKEN.finditer(text)):
        if count > TOKENS:
            break
        first = text[token.start()]
        if first in "{[":
            depth += 1
            if drop is None and (depth, key) in LARGE:
                drop = depth
                kept.append(text[start : token.start()])
        elif first in "]}":
            if drop == depth:
                drop, start = None, token.end()
                kept.append("null")
            depth -= 1
        key = token[0] if first == '"' and len(token[0]) < 20 else None
    else:
        kept.append(text[start:])
        if sum(map(len, kept)) <= SIZE:
            return "".join(kept)
    raise Unreadable(f"has more than {SIZE:,} characters without its outputs")


# At which depth of brackets stands what is dropped, and after which key.
LARGE = {(4, '"outputs"'), (4, '"attachments"'), (2, '"metadata"')}


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
