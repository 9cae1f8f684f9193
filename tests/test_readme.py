"""What README and CONTRIBUTING show is what happens."""

import doctest
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PAGES = ["README.md", "CONTRIBUTING.md"]


@pytest.mark.parametrize("page", PAGES)
def test_examples_run(page):
    found = doctest.testfile(str(ROOT / page), module_relative=False)
    assert found.failed == 0
    assert found.attempted > 0 or page != "README.md"


@pytest.mark.parametrize("page", PAGES)
def test_make_targets_exist(page):
    """Every `make` command that is named is one of the Makefile's."""
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.M))
    text = (ROOT / page).read_text(encoding="utf-8")
    named = set(re.findall(r"(?:`| {4})make ([a-z]+)", text))
    assert named and named <= targets
