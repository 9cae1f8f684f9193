"""The notebooks as files: executed, stored, and in the one normal form."""

from pathlib import Path

import notebooks
import pytest
import toc

ROOT = Path(__file__).resolve().parent.parent
BOOK = ROOT / "book"

# Files of the book that are no pages of the site.
NO_PAGES = {"LICENSE-text.md", "README.md"}
NO_PAGE_FOLDERS = {("exercises", "source"), ("exercises", "checks")}


def names(paths) -> list[str]:
    return [path.relative_to(BOOK).as_posix() for path in paths]


def test_there_are_notebooks():
    assert notebooks.find([])


@pytest.mark.parametrize("path", notebooks.find([]), ids=names(notebooks.find([])))
def test_notebook_is_stored_in_normal_form(path):
    """Every code cell executed in order, no error, no magic, nothing by chance."""
    assert notebooks.problems(path) == []


def test_toc_lists_exactly_the_pages_that_exist():
    listed = toc.documents()
    assert len(listed) == len(set(listed)), "a page is listed twice"
    pages = [
        path
        for suffix in ("*.md", "*.ipynb")
        for path in BOOK.rglob(suffix)
        if not any(p.startswith((".", "_")) for p in path.relative_to(BOOK).parts)
        and path.name not in NO_PAGES
        and path.relative_to(BOOK).parts[:2] not in NO_PAGE_FOLDERS
    ]
    exist = sorted(Path(name).with_suffix("").as_posix() for name in names(pages))
    assert sorted(listed) == exist
