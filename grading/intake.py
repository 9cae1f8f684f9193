"""From a folder or a zip of submissions to each student's notebook.

Where a student's cannot be read, there is a reason in its place.  `archives` lists the
files, `owners` knows whose they are, and `choice` which of several counts.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Set
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path, PurePosixPath

from nbformat import NotebookNode

from grading import answers, archives, choice, notebooks, owners
from grading.archives import File, Opener, Unreadable
from grading.choice import ByName, Judge, Pile, Source
from grading.names import is_notebook, odd, set_of, shown
from grading.owners import Owner

LOOKED_INTO = 5000  # notebooks, to see which sets there are


@dataclass(frozen=True)
class Submission:
    """What one student handed in: a notebook, or the reason why there is none.

    ``path`` is that of the file, as it came, and ``file`` the same to be shown.
    ``system`` is the learning-management system that has named the file, "canvas" or
    "moodle", ``number`` the student's there, ``late`` its mark; ``notes`` say which of
    several files was taken, and ``other_sets`` of which the notebooks are instead.
    ``kept`` is the `choice.fingerprint` of the files if a teacher has chosen from them.
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
    path: str = ""
    other_sets: tuple[str, ...] = ()
    kept: str = ""


def read(
    source: Path,
    name: str,
    sets: Collection[str] = (),
    judge: Judge | None = None,
    keep: Collection[str] = (),
    kept: Mapping[str, str] | None = None,
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
    kept : mapping, optional
        Those of earlier runs, with what was kept of them in `Submission`.

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
            name, frozenset({name, *sets}), judge or ByName(), opener,
            frozenset(keep), kept or {},
        )  # fmt: skip
        found = _sorted(files, wanted)
    if not found:
        raise ValueError(
            f"--submissions: expected notebooks of students, found none in {source}"
        )
    return found


@contextmanager
def _files(source: Path) -> Iterator[tuple[list[File], Opener]]:
    """The students' files, without a folder around all of them."""
    with archives.listed(source) as (files, opener):
        yield owners.unwrapped(files, "" if source.is_dir() else source.name), opener


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
        handed_in = [f for f in files if is_notebook(f.name.name)]
        for file in handed_in[:LOOKED_INTO]:
            named = set_of(owners.whose(file.name).called, sets)
            with suppress(Unreadable):
                by_cells = named or answers.set_of(notebooks.read(file, opener), sets)
                found[by_cells] += 1
    del found[None]
    if not found:
        raise ValueError(
            f"set: expected one of {', '.join(sets)}, since the files in {source} are "
            "neither named after one nor have the cells of one; got nothing: name the "
            "set (make grade SET=...)"
        )
    return dict(found.most_common())


def _sorted(files: list[File], source: Source) -> list[Submission]:
    piles: dict[str, Pile] = defaultdict(Pile)
    found = owners.of_all(files, source.sets, source.opener)
    nobodys = owners.nobodys(found)
    students = {owner.student for owner in found}
    for owner, file in zip(found, files, strict=True):
        if str(file.name) in nobodys:
            continue
        student = owner.student
        if len(file.name.parts) == 1 and (again := owners.FLAT.fullmatch(student)):
            # "ann (1).ipynb" beside "ann.ipynb"
            student = again["student"] if again["student"] in students else student
        pile = piles[student]
        if not is_notebook(file.name.name):
            pile.others.append((owner, file))
        elif _of_another_set(file.name, source.name):
            pile.other_sets.add(file.name.stem)
        else:
            pile.notebooks.append((owner, file))
    return [_submission(s, piles[s], source) for s in sorted(piles)]


def _of_another_set(file: PurePosixPath, name: str) -> bool:
    """Whether nbgrader's layout says so: STUDENT/OTHER/OTHER.ipynb."""
    return len(file.parts) == 3 and file.parts[1] == file.stem != name


def _submission(student: str, pile: Pile, source: Source) -> Submission:
    strange = odd(student)
    owner, first = (pile.notebooks or pile.others or [(Owner(student), None)])[0]
    answer = Submission(
        # In place of what is no name stands a label that is no other student's name.
        f"{shown(student).rstrip('?')}?" if strange else student,
        shown(str(first.name)) if first else "",
        None,
        number=owner.number,
        system=owner.system,
    )
    try:
        owner, chosen, notebook, notes, kept = choice.chosen(pile, source)
        if owner.late:
            notes = (*notes, "Canvas marks it as late")
        answer = replace(
            answer,
            file=shown(str(chosen.name)),
            path=str(chosen.name),
            handed_in=choice.time(owner, chosen, pile),
            late=owner.late,
            notes=notes,
            kept=kept,
        )
        if strange and not chosen.refused:
            raise Unreadable(f"the student's name has {strange}, which no name has")
        if len(chosen.name.parts) == 1 and not owner.system:
            if set_of(owner.called, source.sets):
                raise Unreadable("is named after a problem set, and after no student")
        return replace(
            answer, notebook=notebook or notebooks.read(chosen, source.opener)
        )
    except Unreadable as error:
        others = error.sets if isinstance(error, choice.OfAnotherSet) else ()
        return replace(answer, refused=str(error), other_sets=tuple(others))
