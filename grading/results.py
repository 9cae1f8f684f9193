"""A folder of results: what a run finds there, and what it keeps for later runs."""

import fcntl
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path

from nbformat import NotebookNode

from grading import files, graders, lateness, roster
from grading.course import Course
from grading.intake import Submission
from grading.problems import ProblemSet
from grading.records import Records


@contextmanager
def only_run(out: Path) -> Iterator[None]:
    """Make the folder of results, and keep other runs out of it.

    Raises
    ------
    ValueError
        If it cannot be written, or another run is writing there.
    """
    try:
        out.mkdir(parents=True, exist_ok=True)
        lock = (out / ".lock").open("w")
    except OSError as error:
        raise ValueError(
            f"--out: expected a folder that can be written, got {out} "
            f"({error.strerror})"
        ) from None
    with lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise ValueError(
                f"--out: expected a folder for this run alone, got {out}, "
                "into which another run is grading now"
            ) from None
        yield


@dataclass(frozen=True)
class Results:
    """A folder of results: the records, the course folder, the tables and the pages."""

    problems: ProblemSet
    out: Path
    records: Records
    course: Course
    released: NotebookNode
    late: lateness.Policy | None = None
    matches: roster.Matches | None = None
    opinions: graders.Opinions = field(default_factory=dict)

    @classmethod
    def open(
        cls, problems: ProblemSet, out: Path, *, db: str | None = None,
        due: datetime | None = None, late: Path | None = None,
    ) -> "Results":  # fmt: skip
        """Make a folder ready for the results of a set.

        Parameters
        ----------
        problems : ProblemSet
        out : Path
            Holds the course folder, grades.csv, summary.html and the exports.
        db : str, optional
            Address of the gradebook.
        due : datetime, optional
            After it a submission is late; without it, what the gradebook knows holds.
        late : Path, optional
            The course's own function for lateness; without it, that of the last run.

        Raises
        ------
        ValueError
            If the folder or the gradebook cannot be used.
        """
        # Tables and pages of two sets in one folder would be written over.
        others = {path.parent.name for path in out.glob("marks/*/origin.txt")}
        if others := sorted(others - {problems.name}):
            raise ValueError(
                f"--out: expected a folder for the set {problems.name} alone, got "
                f"{out}, which has the results of {', '.join(others)}"
            )
        course = Course(out / "course", problems.name, db)
        released = course.release(problems.source, due)
        for folder in "feedback", "graders", "exports/gradescope":
            (out / folder).mkdir(parents=True, exist_ok=True)
        records = Records.of(out, problems.name)
        records.folder.mkdir(parents=True, exist_ok=True)
        maximum = sum(problems.questions.values())
        path = late or _kept(out / "late.py")
        policy = lateness.policy(path, maximum) if path else None
        _keep(path, out / "late.py")
        return cls(problems, out, records, course, released, policy)

    def knowing(
        self, submissions: Iterable[Submission], list_of_people: Path | None = None
    ) -> "Results":
        """The same with what the roster and the graders say of these students.

        Parameters
        ----------
        submissions : iterable of Submission
        list_of_people : Path, optional
            The roster; without it, that of the last run.

        Raises
        ------
        ValueError
            If one of these files cannot be understood.
        """
        name, questions = self.problems.name, self.problems.questions
        known = {
            one.student: roster.Handed(one.student, one.number, one.system)
            for one in (*self.records.all(), *submissions)
        }
        opinions = graders.read(self.out / "graders", questions, known)
        path, matches = list_of_people or _kept(self.out / "roster.csv"), None
        if path:
            people = roster.read(path, name, known)
            if self.course.due() is None and any(person.due for person in people):
                raise ValueError(
                    f"--due: expected a time, since the roster has the column 'due "
                    f"{name}' of extensions, got none"
                )
            matches = roster.match(people, known.values())
            _keep(path, self.out / "roster.csv")
        return replace(self, opinions=opinions, matches=matches)

    def origin(self) -> str:
        """A line if the set comes from another folder than last time, else nothing."""
        path = self.records.folder / "origin.txt"
        now = str(self.problems.source.resolve().parent.parent)
        before = path.read_text("utf-8") if path.exists() else now
        files.write(path, now)
        if before == now:
            return ""
        return (
            f"The set comes from {now} now; the last run had it from {before}. "
            "Where the two differ, all are graded anew."
        )


def _kept(path: Path) -> Path | None:
    """What an earlier run has kept, if it has."""
    return path if path.exists() else None


def _keep(given: Path | None, path: Path) -> None:
    """Keep a file for later runs."""
    if given and given.resolve() != path.resolve():
        path.write_bytes(given.read_bytes())
