"""The built site, page by page (build it first: `make book`)."""

import re
from copy import copy
from functools import cache
from pathlib import Path
from urllib.parse import unquote, urldefrag, urlsplit

import pytest
from bs4 import BeautifulSoup
from toc import documents

ROOT = Path(__file__).resolve().parents[2]
SITE = ROOT / "_build" / "html"

# What a page shows if Markdown or a role was not understood.
JUNK = re.compile(
    r"\{(ref|numref|eq|doc|cite|cite:\w+|prf:\w+|term|math|code-cell)\}"
    r"|\$\$|\$[^$\s]+\$|```|:::|\]\(|\\\(|\\\[|\*\*|\([\w.-]+\)="
)


def built() -> list[str]:
    """All pages, those that Sphinx adds included."""
    pages = SITE.rglob("*.html")
    found = (path.relative_to(SITE) for path in pages if "_static" not in path.parts)
    return sorted(path.with_suffix("").as_posix() for path in found)


@cache
def page(name: str) -> BeautifulSoup:
    path = SITE / f"{name}.html"
    if not path.exists():
        pytest.fail(f"no {path.relative_to(ROOT)}: build the site with `make book`")
    return BeautifulSoup(path.read_text(encoding="utf-8"), "html.parser")


@cache
def anchors(name: str) -> frozenset[str]:
    found = page(name).find_all(id=True)
    return frozenset(tag["id"] for tag in found) | {""}


@pytest.mark.parametrize("name", documents())
def test_page_has_title_and_text(name):
    article = page(name).find("article")
    assert article.find("h1") is not None
    assert len(article.get_text().split()) >= 20


@pytest.mark.parametrize("name", documents())
def test_page_has_no_traceback(name):
    assert "Traceback (most recent call last)" not in page(name).get_text()


@pytest.mark.parametrize("name", documents())
def test_page_has_no_raw_markdown(name):
    article = copy(page(name).find("article"))
    # Signatures have stars of their own; so do powers in the docstrings of the API.
    for tag in article.select("pre, code, script, style, .math, dl.py"):
        tag.decompose()
    text = article.get_text()
    found = [text[max(0, m.start() - 30) : m.end() + 30] for m in JUNK.finditer(text)]
    assert found == []


@pytest.mark.parametrize("name", [n for n in documents() if n.startswith("lectures/")])
def test_lecture_has_formulas_and_cells(name):
    assert page(name).select(".math")
    assert page(name).select("div.cell[id^=cell-]")


@pytest.mark.parametrize("name", built() or ["index"])
def test_links_inside_the_site_resolve(name):
    broken = []
    for tag in page(name).select("[href], [src]"):
        target = tag.get("href") or tag.get("src") or ""
        parts = urlsplit(target)
        if parts.scheme or parts.netloc:
            continue
        file, anchor = urldefrag(target)
        path = (SITE / name).parent / unquote(urlsplit(file).path)
        path = path.resolve() if file else SITE / f"{name}.html"
        if not path.is_file():
            broken.append(target)
        elif path.suffix == ".html" and tag.name == "a":
            other = path.relative_to(SITE.resolve() if file else SITE)
            if unquote(anchor) not in anchors(other.with_suffix("").as_posix()):
                broken.append(target)
    assert broken == []


@pytest.mark.parametrize("name", documents())
def test_images_say_what_they_show(name):
    """An alternative text, and not the name of a file (which is myst-nb's default)."""
    alts = [image.get("alt", "") for image in page(name).find("article").select("img")]
    named = re.compile(r"\S+\.(png|svg|jpe?g)")
    assert [alt for alt in alts if not alt.strip() or named.fullmatch(alt)] == []


def test_landing_page_is_a_real_page():
    html = page("index").html
    assert html["lang"] == "en"
    assert "Online Learning and Mistake Bounds" in html.title.get_text()
    assert html.find("meta", attrs={"name": "description"})


def test_ledger_has_every_statement_and_no_red_row():
    from olutil.theorems import STATEMENTS

    ledger = page("theorems")
    named = {tag.get_text() for tag in ledger.select("article code")}
    assert set(STATEMENTS) - named == set()
    assert [tag.parent.get_text() for tag in ledger.select(".ledger-lacks")] == []
