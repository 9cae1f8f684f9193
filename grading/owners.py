"""Whose a file is, by the names that learning-management systems give to files.

Understood layouts, below the folder or inside the zip:

- nbgrader's:   STUDENT/SET/SET.ipynb, with the time of timestamp.txt beside it
- a folder a student:  STUDENT/anything.ipynb
- flat files:   STUDENT.ipynb
- Canvas's:     STUDENT_NUMBER_NUMBER_anything.ipynb, with LATE before the numbers, and
  anon_WORD_NUMBER_anything.ipynb where it grades without names
- Moodle's:     "Full Name_NUMBER_assignsubmission_file/anything.ipynb", and the same
  with "_" for "/"
- Blackboard's: Assignment_STUDENT_attempt_2027-01-31-23-59-00_anything.ipynb
- Brightspace's: "NUMBER-NUMBER - Full Name - Jan 31, 2027 1159 PM/anything.ipynb", and
  the same with " - " for "/", beside an index.html
- Gradescope's: assignment_N_export/submission_N/anything.ipynb, with whose they are in
  submission_metadata.yml
- Google Classroom's: "Full Name - SET.ipynb"
"""

import os
import re
import unicodedata
from collections.abc import Collection
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import PurePosixPath
from typing import NamedTuple

import yaml

from grading.archives import File, Opener
from grading.names import notebook, set_of

LIST = "submission_metadata.yml"  # Gradescope's, of all submissions
INDEX = "index.html"  # Brightspace's
METADATA = 5 << 20  # bytes of it

CANVAS = re.compile(
    r"(?P<student>[^/]+?)_(?P<late>LATE_)?(?P<number>\d+)_(?P<upload>\d+)_(?P<name>.+)"
)
ANONYMOUS = re.compile(
    r"(?P<late>LATE_)?(?P<student>anon_[A-Za-z0-9]{1,20})_(?P<upload>\d+)_(?P<name>.+)"
)
BLACKBOARD = re.compile(
    r"(?P<student>.+)_attempt_(?P<time>\d{4}(?:-\d\d){5})(?:_(?P<name>.+)|\.txt)"
)
# The first part with a digit is the time; a name may have " - " in it, too.
BRIGHTSPACE = re.compile(
    r"(?P<number>\d+)-\d+ - (?P<student>.+?) - "
    r"(?P<time>(?:(?! - )\D)*\d(?:(?! - ).)*)(?: - (?P<name>.+))?"
)
GRADESCOPE = re.compile(r"assignment_\d+_export")
MOODLE = re.compile(
    r"(?P<student>[^_/]+)_(?P<number>\d+)_assignsubmission_[a-z]+_?(?P<name>.*)"
)
FLAT = re.compile(r"(?P<student>.+?) ?\(\d{1,3}\)")


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


def whose(file: PurePosixPath) -> Owner:
    """Whose a file is, by its name."""
    file = file.with_name(notebook(file.name)) if file.name else file
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
            f"{found['student']} {found['number']}", found["number"],
            found["name"] or file.name, system="brightspace", handed_in=when,
        )  # fmt: skip
    if len(file.parts) == 1 and file.suffix.lower() == ".ipynb":
        first = first[: -len(".ipynb")]
    return Owner(first, called=file.name)


def handed_back(file: PurePosixPath, name: str) -> str:
    """The path under which Canvas or Moodle takes a file back for whose this one is."""
    first = file.parts[0]
    for pattern in (MOODLE, ANONYMOUS, CANVAS):
        if found := pattern.fullmatch(first):
            own = first[: found.start("name")]
            return f"{first}/{name}" if len(file.parts) > 1 else f"{own}{name}"
    raise ValueError(f"file: expected a name of Canvas or Moodle, got {str(file)!r}")


def of_all(files: list[File], sets: Collection[str], opener: Opener) -> list[Owner]:
    """Whose each file is; for some systems the files together say it."""
    owners = [whose(file.name) for file in files]
    stems = [o.student for o in owners if o.system == "blackboard"]
    # What all begin with is the name of the assignment.
    start = (
        os.path.commonprefix(stems).rpartition("_")[0] if len(set(stems)) > 1 else ""
    )
    known = _of_gradescope(files, opener)
    for n, (owner, file) in enumerate(zip(owners, files, strict=True)):
        if owner.system == "blackboard":
            student = owner.student.removeprefix(f"{start}_" if start else "")
            owners[n] = owner._replace(
                student=student if start else _last_part(student)
            )
        elif about := known.get(file.name.parts[0]):
            owners[n] = owner._replace(student=about[0], handed_in=about[1])
        elif len(file.name.parts) == 1 and not owner.system:
            parts = owner.student.split(" - ")
            for at in range(len(parts) - 1, 0, -1):
                if set_of(" - ".join(parts[at:]) + ".ipynb", sets):
                    student = " - ".join(parts[:at])
                    owners[n] = owner._replace(student=student, system="google")
    return owners


def nobodys(found: Collection[Owner]) -> set[str]:
    """The files that a system may have put beside those of the students."""
    systems = {owner.system for owner in found}
    return {LIST, INDEX} if "brightspace" in systems else {LIST}


def _last_part(stem: str) -> str:
    return stem.rpartition("_")[2] or stem


def _of_gradescope(
    files: list[File], opener: Opener
) -> dict[str, tuple[str, datetime | None]]:
    """By folder of Gradescope's export, whose it is and when it was handed in."""
    about = next((f for f in files if str(f.name) == LIST), None)
    if about is None or about.refused or about.size > METADATA:
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


def unwrapped(files: list[File], archive: str) -> list[File]:
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
