"""The registry and the book agree: each statement stands where and as it should.

The checks themselves run in the notebooks; here it is about words, links and evidence.
"""

import inspect
import json
import re
from collections import Counter
from pathlib import Path

import pytest

from olutil import ledger
from olutil.boxes import TARGET
from olutil.theorems import LECTURES, STATEMENTS

ROOT = Path(__file__).resolve().parent.parent
ASSERTING = {"theorem", "lemma", "corollary", "proposition"}
UNCHECKED = {
    "kak-cut": "a step of the proof of kak-ellipsoid, whose check by steps is of this",
}
# How a title gives the number that its lecture gave a statement.
NAMES = {"kak": "Kakade", "cos511": "COS 511", "kit": "Kitani and Chen"}
NUMBER = r"(Theorem|Lemma|Corollary|Proposition|Property|Definition|Algorithm) \d[\d.]*"


@pytest.fixture(scope="module")
def targets():
    """Every target of the book, with how often it stands there."""
    found = Counter()
    for notebook in ledger.notebooks(ROOT):
        for cell in json.loads(notebook.read_text(encoding="utf-8"))["cells"]:
            if cell["cell_type"] == "markdown":
                found.update(TARGET.findall("".join(cell["source"])))
    for page in (ROOT / "book").rglob("*.md"):
        found.update(TARGET.findall(page.read_text(encoding="utf-8")))
    return found


@pytest.fixture(scope="module")
def boxes():
    """Every box of the book; to collect them fails where an id has two."""
    return ledger.stated(ROOT)


@pytest.fixture(scope="module")
def rows():
    return ledger.rows(ROOT)


def test_no_target_stands_twice(targets):
    assert [name for name, times in targets.items() if times > 1] == []


def test_every_registered_statement_has_a_box(boxes):
    assert set(STATEMENTS) - set(boxes) == set()


def test_every_box_that_asserts_has_a_function(boxes):
    asserting = {id for id, box in boxes.items() if box.kind in ASSERTING}
    assert len(asserting) > 100
    assert asserting - set(STATEMENTS) == set(UNCHECKED)


def test_the_ledger_shows_each_box_in_its_own_words(boxes, rows):
    assert {row["id"]: (row["title"], row["text"], row["page"]) for row in rows} == {
        id: (box.title, box.text, box.page) for id, box in boxes.items()
    }


def test_titles_are_distinct_within_a_lecture(boxes):
    titles = Counter((box.lecture, box.title) for box in boxes.values())
    assert [title for title, times in titles.items() if times > 1] == []


def test_a_title_gives_the_lectures_number_once_and_in_one_form(boxes):
    """As in "Mistake bound of Halving (Theorem 2.2 of Kakade)"."""
    numbered = {}
    for box in boxes.values():
        of = NAMES.get(box.lecture, "nobody")
        found = re.search(rf" \(({NUMBER}) of {of}\)$", box.title)
        rest = box.title.removesuffix(found[0]) if found else box.title
        assert not re.search(rf"\({NUMBER}|{NUMBER}:", rest), box.title
        if found:
            numbered[box.id] = found[1]
    for id, statement in STATEMENTS.items():
        where = statement.source.removeprefix(f"{LECTURES[statement.lecture]}, ")
        number = re.fullmatch(rf"({NUMBER})(, equation .*)?", where)
        if number:
            assert numbered[id] == number[1], id
    assert len(set(numbered.items())) == len(numbered) > 12


@pytest.mark.parametrize("id", STATEMENTS)
def test_its_errata_are_on_the_errata_page(targets, id):
    for erratum in STATEMENTS[id].errata:
        assert erratum in targets, f"no target ({erratum})= on the errata page"


def test_every_statement_has_the_evidence_that_it_needs(rows):
    assert {row["id"]: row["lacks"] for row in rows if row["lacks"]} == {}


def test_no_bound_rests_on_random_streams_alone(rows):
    """A mistake bound is shown on all small games, or by an opponent, not by luck."""
    nontrivial = [
        row for row in rows if row["asserts"] and STATEMENTS[row["id"]].nontrivial
    ]
    assert nontrivial
    assert [row["id"] for row in nontrivial if set(row["how"]) <= {"random"}] == []


def test_every_record_names_a_registered_statement():
    ids = {
        record.id
        for path in ledger.notebooks(ROOT)
        for _, record in ledger.records(path)
    }
    assert ids - set(STATEMENTS) == set()


def test_right_hand_sides_are_documented_and_take_keywords_only():
    for statement in STATEMENTS.values():
        assert inspect.getdoc(statement.rhs), statement.id
        kinds = {p.kind for p in inspect.signature(statement.rhs).parameters.values()}
        assert kinds <= {inspect.Parameter.KEYWORD_ONLY}, statement.id
