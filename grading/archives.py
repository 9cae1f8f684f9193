"""The files of a folder or a zip, each with its time, and what opens it.

Anything here may be hostile: names, links, devices and sizes are checked before a file
is opened, and nothing is ever written.
"""

import os
import re
import stat
import struct
import unicodedata
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath

from grading.names import UNSEEN

WHOLE = 100 << 20  # bytes of a file that are read
NO_TIME = (1980, 1, 1, 0, 0, 0)  # what a zip has where it has none
FOLDER_DEPTH = 8  # folders in folders
NAME_LENGTH = 255  # characters; a name in a zip can have any number


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


Opener = Callable[[File], bytes]


@contextmanager
def listed(source: Path) -> Iterator[tuple[list[File], Opener]]:
    """The files below a folder or in a zip that are not hidden, and what opens them.

    Raises
    ------
    ValueError
        If ``source`` is neither, or a zip that is damaged.
    """
    _must_be_there(source)
    if source.is_dir():
        yield _shown(_folder(source)), _open
    else:
        with _archive(source) as archive:
            yield _shown(_members(archive)), lambda file: _member(archive, file)


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


def _shown(files: Iterable[File]) -> list[File]:
    """Those that are not hidden; Jupyter's checkpoints are, and what Windows leaves."""
    return [file for file in files if not any(map(_hidden, file.name.parts))]


def _hidden(part: str) -> bool:
    left = part.casefold() in ("desktop.ini", "thumbs.db")
    return left or part.startswith((".", "__MACOSX")) and part != ".."


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
