"""Who is in the course: lists of every kind, matched with what was handed in."""

import os
import random

import pytest
import tiny
from tiny import hand_in

from grading import roster, tables
from grading.roster import Handed

PEOPLE = [("Jane", "Doe", "jd@x.edu", "71"), ("Zoë", "Müller", "zm@x.edu", "72")]
CANVAS = (
    "Student,ID,SIS User ID,SIS Login ID,Section,Set 1\n"
    '    Points Possible,,,,,40\n"Doe, Jane",501,71,jd,1,\n"Müller, Zoë",502,72,zm,1,\n'
    '"Student, Test",599,,x,1,\n'
)
MOODLE = (
    "Identifier,Full name,Email address,Status,Grade\n"
    "Participant 501,Jane Doe,jd@x.edu,,\nParticipant 502,Zoë Müller,zm@x.edu,,\n"
)
PLAIN = "name,email,id\nJane Doe,jd@x.edu,71\nZoë Müller,zm@x.edu,72\n"
LISTS = {
    "canvas": CANVAS,
    "moodle": MOODLE,
    "moodle's participants": "First name,Surname,ID number,Email address\n"
    + "".join(
        f"{first},{last},{number},{email}\n" for first, last, email, number in PEOPLE
    ),
    "gradescope": "Name,SID,Email,Role\nJane Doe,71,jd@x.edu,Student\n"
    "Zoë Müller,72,zm@x.edu,Student\n",
    "brightspace": "OrgDefinedId,Username,Last Name,First Name,Email\n"
    "71,jd,Doe,Jane,jd@x.edu\n72,zm,Müller,Zoë,zm@x.edu\n",
    "moodle in German": "Vorname;Nachname;ID-Nummer;E-Mail-Adresse\n"
    "Jane;Doe;71;jd@x.edu\nZoë;Müller;72;zm@x.edu\n",
    "moodle in Spanish": "Nombre,Apellido(s),Dirección de correo\n"
    "Jane,Doe,jd@x.edu\nZoë,Müller,zm@x.edu\n",
    "plain": PLAIN,
    "emails alone": "email\njd@x.edu\nzm@x.edu\n",
}


def people(tmp_path, text: str | bytes, known=()) -> list[roster.Person]:
    path = tmp_path / "roster.csv"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return roster.read(path, "tiny", known)


def matched(found: list[roster.Person], *handed: Handed) -> dict[str, list[str]]:
    matches = roster.match(found, handed)
    return {student: [p.name for p in ps] for student, ps in matches.people.items()}


@pytest.mark.parametrize("kind", LISTS)
def test_lists_as_systems_write_them(tmp_path, kind):
    found = people(tmp_path, LISTS[kind])
    assert len(found) == 2
    jane, zoe = found
    handed = [Handed("jd@x.edu"), Handed("zm@x.edu")]
    if kind == "canvas":
        handed = [
            Handed("doejane 501", "501", "canvas"),
            Handed("mllerzo 502", "502", "canvas"),
        ]
        assert (jane.canvas, jane.login, jane.sis) == ("501", "jd", "71")
    if kind == "moodle":
        handed = [
            Handed("Jane Doe 501", "501", "moodle"),
            Handed("Zoë Müller 502", "502", "moodle"),
        ]
    matches = roster.match(found, handed)
    assert list(matches.people.values()) == [[jane], [zoe]]
    assert not (matches.questions or matches.strangers or matches.missing)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_any_delimiter_and_encoding(tmp_path, encoding, delimiter):
    text = PLAIN.replace(",", delimiter).replace("\n", "\r\n")
    found = people(tmp_path, text.encode(encoding))
    assert [p.name for p in found] == ["Jane Doe", "Zoë Müller"]
    hinted = people(tmp_path, (f"sep={delimiter}\r\n" + text).encode(encoding))
    assert hinted == found


@pytest.mark.parametrize(
    ("page", "name"),
    [
        ("cp1251", "Андрей Иванов"), ("cp1250", "Michał Żak"), ("cp1253", "Νίκος Α"),
        ("cp932", "山田 太郎"), ("euc_kr", "김 민준"), ("gb18030", "李 明"),
    ],
)  # fmt: skip
def test_the_submissions_tell_in_which_code_page_a_list_is(tmp_path, page, name):
    text = f"name;email\n{name};a@x.edu\n".encode(page)
    assert [p.name for p in people(tmp_path, text, [name, "Zoë"])] == [name]


def test_names_then_numbers_then_normal_forms(tmp_path):
    found = people(
        tmp_path,
        "name,email,id\nJosé Díaz,jose@x.edu,1\nJose Diaz,j2@x.edu,2\n"
        "Ann van Dyke,ann@x.edu,3\nकमल,k@x.edu,4\n",
    )
    assert matched(found, Handed("José Díaz"), Handed("Jose Diaz")) == {
        "José Díaz": ["José Díaz"], "Jose Diaz": ["Jose Diaz"],
    }  # fmt: skip
    assert matched(found, Handed("2"), Handed("JOSE@x.edu")) == {
        "2": ["Jose Diaz"], "JOSE@x.edu": ["José Díaz"],
    }  # fmt: skip
    for student in ("Dyke Ann van", "vandykeann", "ANN  VAN DYKE", "van Dyke, Ann"):
        assert matched(found, Handed(student)) == {student: ["Ann van Dyke"]}
    # Vowel signs tell names apart, and accents alone do not make two of one.
    matches = roster.match(found, [Handed("कमला"), Handed("JOSE DIAZ")])
    assert matches.people == {} and matches.strangers == {"कमला"}
    [(student, asked)] = matches.questions
    assert student == "JOSE DIAZ" and asked.startswith("may be Jose Diaz (j2@x.edu) or")


@pytest.mark.parametrize("listed", ["'", "’", "‘", "ʼ"])
@pytest.mark.parametrize("written", ["'", "’", "‘", "ʼ", ""])
def test_an_apostrophe_is_one_however_it_is_written(tmp_path, listed, written):
    found = people(tmp_path, f"name\nSeán O{listed}Neil\n")
    name = f"Sean O{written}Neil" if written else "oneilsean"  # as Canvas has it
    assert matched(found, Handed(name)) == {name: [f"Seán O{listed}Neil"]}


def test_what_is_ambiguous_is_asked_and_never_guessed(tmp_path):
    text = "name,email\nJane Doe,a@x.edu\nJane Doe,b@x.edu\nBob,bob@x.edu\n"
    found = people(tmp_path, text)
    twice = [Handed("Jane Doe 1", "1", "moodle"), Handed("Jane Doe 2", "2", "moodle")]
    matches = roster.match(found, twice)
    assert matches.people == {} and [p.name for p in matches.missing] == ["Bob"]
    assert dict(matches.questions).keys() == {"Jane Doe 1", "Jane Doe 2"}
    # One that is known leaves the other one open, too.
    matches = roster.match(found, [Handed("a@x.edu"), Handed("JANE DOE")])
    assert list(matches.people) == ["a@x.edu"]
    assert [who for who, _ in matches.questions] == ["JANE DOE"]
    # The teacher's word.
    found = people(tmp_path, text.replace("Jane Doe,b", "Jane Doe 2,b"))
    assert matched(found, *twice) == {
        "Jane Doe 1": ["Jane Doe"], "Jane Doe 2": ["Jane Doe 2"],
    }  # fmt: skip


@pytest.mark.parametrize("name", ["smithjohn {}", "John Smith {}"])
def test_the_ids_of_a_plain_list_tell_people_of_one_name_apart(tmp_path, name):
    text = "name,email,id\nJohn Smith,a@x.edu,105\nJohn Smith,b@x.edu,106\n"
    found = people(tmp_path, text)
    for system in "canvas", "moodle":
        handed = [Handed(name.format(n), n, system) for n in ("106", "105")]
        matches = roster.match(found, handed)
        assert list(matches.people.values()) == [[found[1]], [found[0]]]
        # Another system's numbers say nothing, and nobody is guessed.
        matches = roster.match(found, [Handed(name.format(9), "9", system)])
        assert matches.people == {} and "may be" in matches.questions[0][1]


def test_two_submissions_of_one_person_are_asked_about(tmp_path):
    found = people(tmp_path, "name\nJane Doe\n")
    matches = roster.match(found, [Handed("Jane Doe"), Handed("jane doe")])
    assert list(matches.people) == ["Jane Doe"]
    assert matches.questions == [("jane doe", "may be Jane Doe")]
    matches = roster.match(found, [Handed("JANE DOE"), Handed("jane doe")])
    assert not matches.people and not matches.missing and len(matches.questions) == 2


def test_a_number_of_a_system_is_stronger_than_a_name(tmp_path):
    found = people(tmp_path, MOODLE)
    other = Handed("Jane Doe 999", "999", "moodle")
    assert roster.match(found, [other, Handed("Zoë Müller 502", "502", "moodle")]) == (
        roster.Matches({"Zoë Müller 502": [found[1]]}, [], {"Jane Doe 999"}, [found[0]])
    )
    # Moodle's numbers are another assignment's if none of them occurs.
    assert matched(found, other) == {"Jane Doe 999": ["Jane Doe"]}


def test_a_number_of_one_system_is_nobody_in_another(tmp_path):
    found = people(tmp_path, "name,id\nBob,12\n")
    for system in ("canvas", "moodle"):
        matches = roster.match(found, [Handed("Ann 12", "12", system)])
        assert matches.strangers == {"Ann 12"} and matches.missing == found


def test_brightspace_has_the_name_and_a_number(tmp_path):
    found = people(tmp_path, LISTS["brightspace"].replace("\n7", "\n#7"))
    handed = [Handed("Jane Doe 7", "7", "brightspace"),
              Handed("Z. M. 72", "72", "brightspace")]  # fmt: skip
    assert matched(found, *handed) == {"Jane Doe 7": ["Jane Doe"],
                                       "Z. M. 72": ["Zoë Müller"]}  # fmt: skip
    other = Handed("Eve 9", "9", "brightspace")
    assert roster.match(found, [other]).strangers == {"Eve 9"}


def test_a_group_of_gradescope_is_all_its_members(tmp_path):
    found = people(tmp_path, PLAIN)
    student = "Jane Doe 71, Zoë Müller zm@x.edu"
    assert matched(found, Handed(student)) == {student: ["Jane Doe", "Zoë Müller"]}
    assert matched(found, Handed("Jane Doe 71")) == {"Jane Doe 71": ["Jane Doe"]}
    assert matched(found, Handed("Jane Doe 71, Eve 9")) == {}


def test_one_file_of_a_group_is_everybodys(tmp_path):
    found = people(tmp_path, "name,group\nAnn,a\nBob,a\nCyd,b\nDee,b\nEve,b\nFay,\n")
    matches = roster.match(found, [Handed("Ann"), Handed("Cyd"), Handed("Dee")])
    assert {s: [p.name for p in ps] for s, ps in matches.people.items()} == {
        "Ann": ["Ann", "Bob"], "Cyd": ["Cyd"], "Dee": ["Dee"],
    }  # fmt: skip
    assert matches.questions == [
        ("Eve", "is in group b, of which there are several submissions (Cyd, Dee)")
    ]
    assert [p.name for p in matches.missing] == ["Fay"]


def test_a_group_has_the_latest_of_its_times(tmp_path):
    found = people(
        tmp_path, "name,due tiny,group\nAnn,2027-02-01,a\nBob,2027-02-03,a\nCyd,,a\n"
    )
    matches = roster.match(found, [Handed("Cyd")])
    assert matches.latest("due", "Cyd").day == 3
    assert matches.latest("due", "nobody") is None


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (b"", "expected a table with a header, got nothing"),
        (b"Nimi,Luokka\na,b\n", "such as name, email and id, got 'Nimi', 'Luokka'"),
        (b"name\n", "expected students, found none"),
        (b"PK\x03\x04 and more", 'a workbook: save it as "CSV UTF-8"'),
        (b"name,due\nAnn,2027-01-01\n", "such as 'due tiny', got 'due'"),
        (
            b"name,due tiny\nAnn,1.2.2027\n",
            "line 2, column 'due tiny': expected a time such as '2027-01-31 23:59', "
            "got '1.2.2027'",
        ),
        (b"name\n\"" + b"x" * 200_000, "expected a table, got .*field larger"),
    ],
)  # fmt: skip
def test_a_list_that_is_none_is_refused_with_what_was_expected(tmp_path, text, said):
    with pytest.raises(ValueError, match=f"^--roster: .*{said}"):
        people(tmp_path, text)


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(ValueError, match="^--roster: expected a CSV file, got .*none"):
        roster.read(tmp_path / "none.csv", "tiny")


def test_random_lists_and_names_break_nothing(tmp_path):
    """Each submission is one person's, a question or a stranger's; nobody is lost."""
    rng = random.Random(1)
    letters = "aäAÄ ,;\t'\"@.-_1२क\u093e\u0301\u200d\u202e=<\\\x00李\ud800"
    for _ in range(300):
        names = ["".join(rng.choices(letters, k=rng.randint(0, 6))) for _ in range(8)]
        text = "name,email,group\n" + "".join(
            f'"{n.replace(chr(34), "")}",{rng.choice(names)},{rng.choice("ab")}\n'
            for n in names
        )
        try:
            found = people(tmp_path, text.encode("utf-8", "replace"), names)
        except ValueError:
            continue
        systems = ["", "canvas", "moodle"]
        handed = {
            n: Handed(n, rng.choice(["", "1"]), rng.choice(systems)) for n in names
        }
        matches = roster.match(found, handed.values())
        asked = {who for who, _ in matches.questions}
        for name in names:
            assert (name in matches.people) + (name in matches.strangers) <= 1
            assert name in matches.people.keys() | matches.strangers | asked
        several = [p for ps in matches.people.values() for p in ps]
        assert len(set(several)) == len(several)
        assert not set(several) & set(matches.missing)


def test_a_line_knows_its_number(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("a,b\n\n1,2\n")
    assert tables.read(path, "--x")[1] == tables.Line(3, {"a": "1", "b": "2"})


# --- In the command --------------------------------------------------------


def table(path) -> list[list[str]]:
    return [line.split(",") for line in path.read_text().splitlines()]


def test_who_is_missing_and_who_is_a_stranger(quick):
    for student in ("ann", "Zoe Q"):
        hand_in(quick.handed_in, student)
    path = quick.folder / "list.csv"
    path.write_text(
        "name,email\nAnn,ann@x.edu\nBob <b>,bob@x.edu\n=1+1,c@x.edu\n", "utf-8"
    )
    said = quick.run("--roster", path)
    assert "2 graded, 0 not, 2 to mark by hand, 2 with nothing handed in" in said
    grades = quick.grades()
    assert grades["Bob <b>"]["notes"] == "handed in nothing"
    assert grades["Bob <b>"]["total"] == ""
    assert grades["Zoe Q"]["total"] == "4"
    assert "not on the roster" in grades["Zoe Q"]["notes"]
    summary = (quick.out / "summary.html").read_text()
    assert "<h2>Handed in nothing: 2</h2>" in summary and "<b>" not in summary
    assert "<h2>Not on the roster: 1</h2><p></p><table><tr><th>Zoe Q<" in summary
    canvas = quick.out / "exports" / "canvas.csv"
    assert ["Bob <b>", "", "", "bob@x.edu", "", ""] in table(canvas)
    assert ["'=1+1", "", "", "c@x.edu", "", ""] in table(canvas)

    # Whoever is a stranger here may be one of those who are missing.
    said = quick.run("--roster", path, "--zeros")
    assert "No zeros: whose submissions are those of Zoe Q?" in said
    assert ["Bob <b>", "", "", "bob@x.edu", "", ""] in table(canvas)
    path.write_text(path.read_text() + "Zoe Q,q@x.edu\n")
    quick.run("--roster", path, "--zeros")
    assert ["Bob <b>", "", "", "bob@x.edu", "", "0"] in table(canvas)
    assert ["Ann", "", "", "ann@x.edu", "", ""] in table(canvas), "a proof to mark"
    # A later run knows the roster, and zeros are for who asks for them.
    quick.run()
    assert ["Bob <b>", "", "", "bob@x.edu", "", ""] in table(canvas)


def test_zeros_need_a_roster(quick):
    hand_in(quick.handed_in, "ann")
    assert "--zeros: expected --roster, which says who" in quick.run("--zeros")
    assert quick.code == 2


def test_who_is_missing_in_moodle(quick):
    file = quick.handed_in / "Jane Doe_501_assignsubmission_file" / "tiny.ipynb"
    file.parent.mkdir()
    file.write_text(tiny.answered(tiny.RIGHT))
    path = quick.folder / "list.csv"
    path.write_text(MOODLE)
    quick.run("--roster", path, "--zeros")
    assert [line[:3] for line in table(quick.out / "exports" / "moodle.csv")[1:]] == [
        ["Participant 501", "Jane Doe", ""], ["Participant 502", "Zoë Müller", "0"],
    ]  # fmt: skip


def test_a_group_has_one_grade(quick):
    hand_in(quick.handed_in, "ann")
    path = quick.folder / "list.csv"
    path.write_text("name,email,group\nAnn,a@x.edu,1\nBob,b@x.edu,1\n")
    quick.run("--roster", path)
    grades = quick.grades()
    assert grades["Bob"]["total"] == grades["ann"]["total"] == "4"
    assert "handed in by ann" in grades["Bob"]["notes"]
    assert 'href="feedback/ann.html">Bob<' in (quick.out / "summary.html").read_text()


def test_an_extension_is_one_students(both):
    due = "2027-01-31 12:00+00:00"
    for student in ("ann", "bob"):
        path = hand_in(both.handed_in, student)
        (path.parent / "x").mkdir()
        at = 1801396800 + 26 * 3600  # a day and two hours after it

        os.utime(path, (at, at))
    path = both.folder / "list.csv"
    path.write_text("name,due tiny\nann,2027-02-02\nbob,\n")
    assert "--due: expected a time, since the roster" in both.run("--roster", path)
    both.run("--roster", path, "--due", due)
    late = {student: row["late"] for student, row in both.grades().items()}
    assert late == {"ann": "", "bob": "1 day 2 hours"}
    # One that is before the common time takes nothing away, and one can be taken back.
    path.write_text("name,due tiny\nann,2027-01-01\nbob,2027-02-01 13:00+00:00\n")
    both.run("--roster", path)
    late = {student: row["late"] for student, row in both.grades().items()}
    assert late == {"ann": "1 day 2 hours", "bob": "1 hour"}
