"""Which of a student's files counts.

Of several notebooks those count that have the set's cells, whatever they are called; of
these those with answers; of these the newest.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path, PurePosixPath
from typing import Protocol

from nbformat import NotebookNode

from grading import notebooks
from grading.archives import File, Opener, Unreadable
from grading.names import set_of, shown
from grading.owners import Owner, whose

NAME_IT = "name the one that counts"  # what a teacher is asked to do, by --keep
NOTEBOOKS = 30  # of a student, which are looked into
# Files whose times are closer than this may have been copied together, so that their
# order says nothing.
TOGETHER = timedelta(minutes=1)


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

    ``keep`` has the paths that a teacher has chosen where there was a choice, ``kept``
    those of earlier runs, each with the `fingerprint` of what it was chosen from.
    """

    name: str
    sets: frozenset[str]
    judge: Judge
    opener: Opener
    keep: frozenset[str] = frozenset()
    kept: Mapping[str, str] = field(default_factory=dict)


class OfAnotherSet(Unreadable):
    """Whoever handed it in has none of this set; ``sets`` has those that it is of."""

    def __init__(self, what: str, sets: list[str]) -> None:
        super().__init__(f"{what} another problem set, {' and '.join(sets)}")
        self.sets = sets


@dataclass
class Pile:
    """What one student handed in, before one notebook of it is chosen."""

    notebooks: list[tuple[Owner, File]] = field(default_factory=list)
    others: list[tuple[Owner, File]] = field(default_factory=list)
    other_sets: set[str] = field(default_factory=set)


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
        return shown(self.file.name.name)


def chosen(
    pile: Pile, source: Source
) -> tuple[Owner, File, NotebookNode | None, tuple[str, ...], str]:
    """The notebook of a pile that counts, and notes if there are others.

    Last comes the `fingerprint` of the pile, if a teacher has chosen.

    Raises
    ------
    Unreadable
        If there is none, or nothing says which.
    """
    if not pile.notebooks and pile.other_sets & source.sets:
        raise OfAnotherSet("is named after", sorted(pile.other_sets))
    if not pile.notebooks:
        raise Unreadable(_why_none(pile))
    if len(pile.notebooks) > NOTEBOOKS:
        raise Unreadable(
            f"{len(pile.notebooks)} notebooks of one student; of at most {NOTEBOOKS} "
            "one is chosen: keep fewer"
        )
    all_of_them = [_looked_into(owner, file, source) for owner, file in pile.notebooks]
    found = _of_the_set(all_of_them, source)
    among = fingerprint(all_of_them)
    kept = [c for c in found if str(c.file.name) in source.keep]
    # An earlier word holds for the files of which it was said: a newer one is news.
    kept += [c for c in found if source.kept.get(str(c.file.name)) == among]
    one = kept[0] if kept else _newest(found, pile, source)
    if one.why:
        raise Unreadable(one.why)
    notes = _left_out(one, all_of_them)
    return one.owner, one.file, one.notebook, notes, among if kept else ""


def fingerprint(candidates: list[Candidate]) -> str:
    """A text that changes with the names and the contents of a student's notebooks."""
    about = sorted((str(c.file.name), repr(c.notebook), c.why) for c in candidates)
    return hashlib.sha256(repr(about).encode()).hexdigest()


def _looked_into(owner: Owner, file: File, source: Source) -> Candidate:
    try:
        notebook = notebooks.read(file, source.opener)
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
        raise OfAnotherSet("has the cells of", others)
    others = sorted(set(named) - {None})
    raise OfAnotherSet("is named after", others)


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
            ", ".join(map(shown, folders[:4])),
            found[0].file.name.parts[0],
        )
        raise Unreadable(
            f"{len(found)} notebooks in folders of their own ({names}): keep one "
            f"(if these are students, {shown(top)} is the folder to grade)"
        )
    inside = [whose(PurePosixPath(c.file.name.name)) for c in found]
    if len(people := {owner.student for owner in inside if owner.system}) > 1:
        names, top = ", ".join(map(shown, sorted(people)[:4])), found[0].owner.student
        raise Unreadable(
            f"{len(found)} notebooks, named as those of several students ({names}): if "
            f"they are, {shown(top)} is the folder to grade, or else keep one"
        )
    times = [
        # A count of uploads, or a time; they cannot be compared with each other.
        c.owner.upload or time(c.owner, c.file, pile)
        for c in found
    ]
    newest = _last(times) if _are_one(found, source) else None
    if newest is None and len({repr(c.notebook) for c in found}) == 1:
        newest = 0  # all the same
    if newest is None or not found[newest].notebook:
        names = ", ".join(shown(str(c.file.name)) for c in found[:4])
        raise Unreadable(
            f"{len(found)} notebooks of one student ({names}), and nothing says "
            f"which is the newest: keep one, or {NAME_IT}"
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
        shown(file.name.name)
        for _, file in pile.others
        if file.path is None or file.path.is_file()
    ]
    if not found:
        return "no notebook"
    zips = any(name.lower().endswith(".zip") for name in found)
    hint = ": unpack the zip into a folder with the student's name" if zips else ""
    return f"no notebook among {', '.join(found[:4])}{hint}"


def time(owner: Owner, notebook: File, pile: Pile) -> datetime | None:
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
