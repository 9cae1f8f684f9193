"""What the printed book is corrected in after the browser has made it."""

import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
sys.path.append(str(ROOT / "book" / "_tools"))
pdf = pytest.importorskip("pdf", reason="the book extra has pikepdf")


HEADINGS = [
    "Halving",
    "The check",
    "The rule (slides 9 to 12)",
    "no",
    "no regret no more",
]


@pytest.mark.parametrize(
    ("title", "once"),
    [
        ("Halving", "Halving"),
        ("HalvingHalving", "Halving"),
        ("The check The check", "The check"),
        ("The rule (slides 9 The rule (slides 9 to 12)", "The rule (slides 9 to 12)"),
        ("The rule (slides 9 to 12)to 12)", "The rule (slides 9 to 12)"),
        ("no regret no more", "no regret no more"),
        ("Another  one", "Another one"),
        ("", ""),
    ],
)
def test_a_bookmark_says_its_title_once(title, once):
    assert pdf.once(title, HEADINGS) == once


def test_the_parts_begin_with_pages_of_theirs():
    for first, beginning in pdf.PARTS.values():
        assert (ROOT / "book" / f"{first}.ipynb").is_file()
        assert first.startswith(beginning)
