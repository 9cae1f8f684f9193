"""The errata page: every erratum stands there once, and its claim is refuted there."""

import json
import re
from collections import Counter
from pathlib import Path

import pytest

from olutil import ledger
from olutil.boxes import TARGET
from olutil.errata import ERRATA, SEVERITIES

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "book" / "errata.ipynb"
REFUTED = re.compile(r"^✗ (\S+) · ", re.MULTILINE)
LINK = re.compile(r"\]\([^)\s]*#([\w.+-]+)\)")


def cells(path, kind):
    """The cells of one kind."""
    every = json.loads(path.read_text(encoding="utf-8"))["cells"]
    return [cell for cell in every if cell["cell_type"] == kind]


def prose(path):
    """The Markdown of a notebook."""
    return "\n\n".join("".join(cell["source"]) for cell in cells(path, "markdown"))


def refuted(path):
    """The ids in the lines that `refute` printed, in order."""
    return [
        id
        for cell in cells(path, "code")
        for output in cell["outputs"]
        if output.get("name") == "stdout"
        for id in REFUTED.findall("".join(output["text"]))
    ]


NOTEBOOKS = ledger.notebooks(ROOT)


def test_every_erratum_is_a_target_of_the_page_once():
    found = Counter(TARGET.findall(prose(PAGE)))
    assert {id: found[id] for id in ERRATA} == dict.fromkeys(ERRATA, 1)


def test_every_erratum_is_refuted_on_the_page():
    assert set(refuted(PAGE)) == set(ERRATA)


def test_every_erratum_shows_its_severity():
    """The word below an item's heading is that of the registry."""
    items = re.split(r"^\((?=[\w.+-]+\)=\s*$)", prose(PAGE), flags=re.MULTILINE)
    words = {}
    for item in items:
        id, _, text = item.partition(")=")
        if id in ERRATA:
            words[id] = re.search(r"^\*(.+?)\.\*", text, re.MULTILINE)[1].lower()
    assert words == {id: SEVERITIES[severity] for id, severity in ERRATA.items()}


def test_every_item_is_followed_by_its_own_refutation():
    """A cell refutes the item above it, and no other."""
    item, astray = None, []
    for cell in json.loads(PAGE.read_text(encoding="utf-8"))["cells"]:
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            item = next((t for t in TARGET.findall(source) if t in ERRATA), item)
        else:
            ids = set(re.findall(r'refute\(\s*"([^"]+)"', source))
            if ids - {item}:
                astray.append((item, ids))
    assert astray == []


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_refutes_known_errata_only_and_links_to_them(path):
    ids = set(refuted(path))
    assert ids - set(ERRATA) == set()
    if path != PAGE:
        assert ids - set(LINK.findall(prose(path))) == set()
