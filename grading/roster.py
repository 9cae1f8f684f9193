"""Who is in the course: a list that a system for teaching exports, or a plain one.

Submissions are matched with it by their names as they are written, then by numbers,
logins and addresses, then by names in a normal form.  A match that is not the only one
of its kind is none, and becomes a question: nobody is guessed.
"""

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from grading import tables
from grading.lateness import moment

# The words of a header, as `tables.word` has them; Moodle writes in a user's language.
NAME = (
    "name", "student", "full name", "student name", "display name",
    "first name last name", "first name surname", "vollständiger name", "nom complet",
    "nombre completo", "nome completo",
)  # fmt: skip
FIRST = ("first name", "firstname", "given name", "vorname", "prénom", "nombre", "nome")
LAST = (
    "last name", "lastname", "surname", "family name", "nachname", "nom",
    "nom de famille", "apellido s", "apellidos", "cognome", "sobrenome",
)  # fmt: skip
EMAIL = (
    "email", "e mail", "email address", "mail", "e mail adresse", "adresse de courriel",
    "dirección de correo", "indirizzo email", "endereço de email",
)  # fmt: skip
LOGIN = (
    "sis login id", "login id", "login", "username", "user name", "user id",
    "anmeldename", "nom d utilisateur",
)  # fmt: skip
NUMBER = (
    "sis user id", "id number", "student id", "sid", "orgdefinedid", "student number",
    "id nummer", "matrikelnummer", "numéro d identification", "número de id",
)  # fmt: skip
COLUMNS = {*NAME, *FIRST, *LAST, *EMAIL, *LOGIN, *NUMBER, "id", "identifier"}
CANVAS = {"student", "id", "section"}  # of its gradebook, which has its numbers


@dataclass(frozen=True)
class Person:
    """A line of the list.

    ``names`` are spellings of the name, and ``ids`` whatever else is this person's
    alone.  ``canvas`` and ``moodle`` are the numbers there, ``sis`` and ``login`` what
    Canvas knows, too.  ``due`` is a time of this person's own, ``handed_in`` the one
    that a teacher knows, and ``group`` names those who hand in together.
    """

    name: str
    names: frozenset[str]
    ids: frozenset[str]
    canvas: str = ""
    moodle: str = ""
    sis: str = ""
    login: str = ""
    due: datetime | None = None
    handed_in: datetime | None = None
    group: str = ""

    def numbers(self) -> dict[str, str]:
        """The number in each system where it is known."""
        known = {"canvas": self.canvas, "moodle": self.moodle}
        return {system: number for system, number in known.items() if number}

    def in_full(self) -> str:
        """The name, and what tells this person from another one of that name."""
        about = self.login or self.canvas or min(self.ids, default="")
        return f"{self.name} ({about})" if about not in ("", self.name) else self.name


@dataclass(frozen=True)
class Handed:
    """What the name of a submission says of its student."""

    student: str
    number: str = ""
    system: str = ""

    @property
    def name(self) -> str:
        """The name without the number that a system adds to it."""
        return self.student.removesuffix(f" {self.number}")


@dataclass(frozen=True)
class Matches:
    """Whose each submission is, and what a teacher is to know or to say.

    ``people`` has by student those whose submission it is, ``questions`` whom or what
    they are about and what is asked, ``strangers`` who is not on the list, and
    ``missing`` of whom there is nothing.
    """

    people: dict[str, list[Person]]
    questions: list[tuple[str, str]]
    strangers: set[str]
    missing: list[Person]

    def latest(self, which: str, student: str) -> datetime | None:
        """The latest time of their own, ``due`` or ``handed_in``, of a submission's."""
        own = [getattr(person, which) for person in self.people.get(student, [])]
        return max((time.astimezone() for time in own if time), default=None)


def read(path: Path, name: str, known: Iterable[str] = ()) -> list[Person]:
    """The people on a list, each once.

    Parameters
    ----------
    path : Path
        A CSV file.
    name : str
        Of the problem set, whose extensions are in the column ``due NAME``, and whose
        times that a teacher knows better in ``handed in NAME``.
    known : iterable of str
        Names that may be on it.

    Raises
    ------
    ValueError
    """
    words = (part for student in known for part in student.split())
    header, *lines = tables.read(path, "--roster", words)
    if not COLUMNS & header.values.keys():
        raise ValueError(
            "--roster: expected a header with columns such as name, email and id, got "
            f"{', '.join(map(repr, header.values.values()))} in {path}"
        )
    if "due" in header.values:
        raise ValueError(
            "--roster: expected the set in the name of a column of extensions, such as "
            f"'due {name}', got 'due' in {path}"
        )
    in_canvas = header.values.keys() >= CANVAS
    found = [_person(line, name, in_canvas) for line in lines]
    people = list(dict.fromkeys(person for person in found if person))
    if not people:
        raise ValueError(f"--roster: expected students, found none in {path}")
    return people


def _person(line: tables.Line, name: str, in_canvas: bool) -> Person | None:
    shown, first, last = line.first(*NAME), line.first(*FIRST), line.first(*LAST)
    if in_canvas and shown in ("", "Points Possible", "Student, Test"):
        return None  # lines that Canvas adds
    both = f"{first} {last}".strip()
    names = {shown, both, f"{last}, {first}" if first and last else ""} - {""}
    names |= {" ".join(reversed(n.split(", "))) for n in names if n.count(", ") == 1}
    email, login, number = line.first(*EMAIL), line.first(*LOGIN), line.first("id")
    ids = [email, *map(line.first, (*LOGIN, *NUMBER)), "" if in_canvas else number]
    label = shown or both or next(filter(None, (*ids, number)), "")
    participant = re.search(r"\d+$", line.first("identifier"))
    if not (label or participant):
        return None
    return Person(
        label or participant.string,
        frozenset(map(_composed, names)),
        # Brightspace writes "#71", so that no spreadsheet takes it for a number.
        frozenset(one.removeprefix("#").casefold() for one in ids if one),
        canvas=number if in_canvas else "",
        moodle=participant[0] if participant else "",
        sis=line.first("sis user id"),
        login=login or email,
        due=_time(line, f"due {name}"),
        handed_in=_time(line, f"handed in {name}"),
        group=line.first("group"),
    )


def _time(line: tables.Line, column: str) -> datetime | None:
    text = line.first(tables.word(column))
    try:
        return moment(text) if text else None
    except ValueError as error:
        raise ValueError(
            f"--roster: line {line.number}, column {column!r}: {error}"
        ) from None


# --- Whose is it? ---------------------------------------------------------


def match(people: list[Person], handed: Iterable[Handed]) -> Matches:
    """Match submissions with the people on a list.

    Parameters
    ----------
    people : list of Person
    handed : iterable of Handed
        One for each student of whom there is a submission.
    """
    handed = list(handed)
    found: dict[str, list[Person]] = {}
    asked: dict[str, set[Person]] = {}
    for one in _matched(people, handed, found, asked):
        if one.system or one.student in asked:
            continue
        # Gradescope's have the numbers of one person, or of all who have handed it in.
        theirs: dict[str, list[Person]] = {}
        left = _matched(
            people, list(map(_with_number, one.student.split(", "))), theirs
        )
        persons = list(dict.fromkeys(p for several in theirs.values() for p in several))
        if not left and not {p for ps in found.values() for p in ps} & set(persons):
            found[one.student] = persons
    questions = [
        (student, f"may be {' or '.join(sorted(p.in_full() for p in persons))}")
        for student, persons in asked.items()
    ]
    there = {p for persons in (*found.values(), *asked.values()) for p in persons}
    questions += _shared(people, found, there)
    strangers = {one.student for one in handed} - found.keys() - asked.keys()
    return Matches(found, questions, strangers, [p for p in people if p not in there])


def called(wanted: str, handed: Iterable[Handed]) -> list[str]:
    """The students whom a name means: the one of that name, or those like it."""
    students = {one.student: one for one in handed}
    if wanted in students:
        return [wanted]
    keys = normal(wanted)
    return [s for s, one in students.items() if keys & (normal(s) | normal(one.name))]


def _with_number(name: str) -> Handed:
    last = name.rpartition(" ")[2]
    return Handed(name, last if re.search(r"[\d@]", last) else "")


def _matched(
    people: list[Person], handed: list[Handed], found: dict[str, list[Person]],
    asked: dict[str, set[Person]] | None = None,
) -> list[Handed]:  # fmt: skip
    """Enter whose submissions are, or whose they may be; those that are left."""
    asked = {} if asked is None else asked
    left, taken = list(handed), set()
    numbered = {(one.system, one.number) for one in handed}
    # Moodle has other numbers for each assignment: those of another one say nothing.
    telling = {system for p in people for system, n in p.numbers().items()
               if (system, n) in numbered}  # fmt: skip
    for of_handed, of_person in KINDS:
        by_key: dict[str, set[Person]] = defaultdict(set)
        for person in people:
            for key in of_person(person):
                by_key[key].add(person)
        candidates = {
            one: {
                person
                for key in of_handed(one)
                for person in by_key.get(key, ())
                if one.system not in telling
                or person.numbers().get(one.system, one.number) == one.number
            }
            for one in left
        }
        for one, persons in candidates.items():
            # In a plain list, the number may be what tells two of one name apart.
            if has_it := {p for p in persons if one.number.casefold() in p.ids}:
                candidates[one] = has_it
        suitors = Counter(p for persons in candidates.values() for p in persons)
        for one, persons in candidates.items():
            only = len(persons) == 1 and all(suitors[p] == 1 for p in persons)
            if only and persons.isdisjoint(taken):
                found[one.student] = list(persons)
                asked.pop(one.student, None)
                left.remove(one)
            elif persons:
                asked.setdefault(one.student, set()).update(persons)
        taken.update(p for persons in found.values() for p in persons)
    return left


def _shared(
    people: list[Person], found: dict[str, list[Person]], there: set[Person]
) -> Iterator[tuple[str, str]]:
    """Give a group's one submission to all in it, or ask which if there are several."""
    for group in dict.fromkeys(person.group for person in people if person.group):
        members = {person for person in people if person.group == group}
        theirs = [s for s, persons in found.items() if not members.isdisjoint(persons)]
        without = [person for person in people if person in members - there]
        if len(theirs) == 1:
            found[theirs[0]] = [*found[theirs[0]], *without]
        elif theirs:
            which = f"of which there are several submissions ({', '.join(theirs)})"
            for person in without:
                yield person.name, f"is in group {group}, {which}"
        if theirs:
            there.update(without)


def _composed(name: str) -> str:
    return unicodedata.normalize("NFC", " ".join(name.split()))


def normal(name: str) -> set[str]:
    """A name without accents and capitals, as words in any order and as one word.

    However an apostrophe is written, it is the plain one.  Canvas writes the
    words of a name together, the last name first.
    """
    plain = unicodedata.normalize("NFKD", name.casefold())
    plain = re.sub("[\u2018\u2019\u02bc]", "'", plain)  # as word processors write it
    # Accents alone: marks of other scripts are letters, and tell names apart.
    plain = re.sub("[\u0300-\u036f]", "", plain)
    words = re.findall(r"(?:\w|[^\x00-\x7f\s])+", plain)
    turned = {"".join(words[at:] + words[:at]) for at in range(len(words))}
    return {" ".join(sorted(words)), *turned} - {""}


def _ids(one: Handed) -> set[str]:
    if one.system in ("canvas", "moodle") and one.number:
        return {f"{one.system} {one.number}"}
    return {one.student.casefold(), one.number.casefold()} - {""}


def _ids_of(person: Person) -> set[str]:
    return {*person.ids, *map(" ".join, person.numbers().items())}


def _normal_of(person: Person) -> set[str]:
    before_at = {one.partition("@")[0] for one in person.ids if "@" in one}
    return before_at.union(*map(normal, person.names))


# By what they are matched, one after the other: keys of a submission and of a person.
KINDS: list[tuple[Callable[[Handed], set[str]], Callable[[Person], set[str]]]] = [
    (lambda one: {_composed(one.student)}, lambda person: set(person.names)),
    (lambda one: {_composed(one.name)}, lambda person: set(person.names)),
    (_ids, _ids_of),
    (lambda one: normal(one.name), _normal_of),
]
