"""The built site that the tests of this folder look at."""

import os
from functools import cache
from pathlib import Path

from bs4 import BeautifulSoup
from toc import documents

ROOT = Path(__file__).resolve().parents[2]

# Another build can be tested: BOOK_SITE=/path/to/_build/html pytest tests/site
SITE = Path(os.environ.get("BOOK_SITE", ROOT / "_build" / "html")).resolve()


def pages() -> list[str]:
    """All pages, those that Sphinx adds included: `lectures/kakade`, `search`."""
    found = (path.relative_to(SITE) for path in SITE.rglob("*.html"))
    built = {
        path.with_suffix("").as_posix() for path in found if "_static" not in path.parts
    }
    return sorted(built | set(documents()))


def notebooks() -> list[str]:
    """The pages that are made from a notebook."""
    return [name for name in documents() if (ROOT / "book" / f"{name}.ipynb").exists()]


@cache
def soup(name: str) -> BeautifulSoup:
    """A page, parsed once."""
    path = SITE / f"{name}.html"
    if not path.exists():
        raise FileNotFoundError(f"no {path}: build the site with `make book`")
    return BeautifulSoup(path.read_text(encoding="utf-8"), "html.parser")


def pages_with(markup: str) -> list[str]:
    """The pages in whose source something stands."""
    paths = {name: SITE / f"{name}.html" for name in pages()}
    return [
        name
        for name, path in paths.items()
        if path.exists() and markup in path.read_text(encoding="utf-8")
    ]
