"""What the citations say agrees with the package's metadata."""

import re
import tomllib
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parent.parent
CITATION = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
PAGE = (ROOT / "book" / "cite.md").read_text(encoding="utf-8")


def bibtex(field: str) -> str:
    """A field of the entry that the page offers."""
    return re.search(rf"^  {field} += \{{(.*)\}},$", PAGE, re.MULTILINE)[1]


def test_versions_agree():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert CITATION["version"] == bibtex("version") == project["version"]


def test_titles_agree():
    site = yaml.safe_load((ROOT / "_config.yml").read_text(encoding="utf-8"))
    assert CITATION["title"] == bibtex("title") == site["title"]


def test_licenses_are_named():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert CITATION["license"] == [project["license"], "CC-BY-4.0"]
