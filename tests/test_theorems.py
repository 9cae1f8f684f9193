"""The registry and the book agree: each statement stands where and as it should.

The checks themselves run in the notebooks; here it is about words, links and evidence.
"""

import inspect
import json
import re
from collections import Counter, defaultdict
from pathlib import Path

import pytest

from olutil import ledger
from olutil.theorems import STATEMENTS

ROOT = Path(__file__).resolve().parent.parent


def _squeezed(text):
    return re.sub(r"\s+", " ", text).strip()


@pytest.fixture(scope="module")
def cells():
    """For every target of the book, the Markdown cells or pages in which it stands."""
    found = defaultdict(list)
    for notebook in ledger.notebooks(ROOT):
        for cell in json.loads(notebook.read_text(encoding="utf-8"))["cells"]:
            if cell["cell_type"] == "markdown":
                text = "".join(cell["source"])
                for target in ledger.TARGET.findall(text):
                    found[target].append(text)
    for page in (ROOT / "book").rglob("*.md"):
        text = page.read_text(encoding="utf-8")
        for target in ledger.TARGET.findall(text):
            found[target].append(text)
    return found


@pytest.fixture(scope="module")
def rows():
    return ledger.rows(ROOT)


def test_no_target_stands_twice(cells):
    twice = [name for name, places in cells.items() if len(places) > 1]
    assert twice == []


@pytest.mark.parametrize("id", STATEMENTS)
def test_the_book_states_it_in_the_registrys_words(cells, id):
    assert id in cells, f"no target ({id})= in the book"
    assert _squeezed(STATEMENTS[id].text) in _squeezed(cells[id][0])


@pytest.mark.parametrize("id", STATEMENTS)
def test_its_errata_are_on_the_errata_page(cells, id):
    for erratum in STATEMENTS[id].errata:
        assert erratum in cells, f"no target ({erratum})= on the errata page"


def test_every_statement_has_the_evidence_that_it_needs(rows):
    assert {row["id"]: row["lacks"] for row in rows if row["lacks"]} == {}


def test_no_bound_rests_on_random_streams_alone(rows):
    """A mistake bound is shown on all small games, or by an opponent, not by luck."""
    nontrivial = [row for row in rows if STATEMENTS[row["id"]].nontrivial]
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
        if statement.asserts:
            assert inspect.getdoc(statement.rhs), statement.id
            kinds = {
                p.kind for p in inspect.signature(statement.rhs).parameters.values()
            }
            assert kinds <= {inspect.Parameter.KEYWORD_ONLY}, statement.id


def test_titles_are_distinct_within_a_lecture():
    titles = Counter((s.lecture, s.title) for s in STATEMENTS.values())
    assert [title for title, times in titles.items() if times > 1] == []
