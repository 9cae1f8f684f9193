"""The built site, page by page (build it first: `make book`)."""

import re
from functools import cache
from html import unescape
from pathlib import Path
from urllib.parse import unquote, urldefrag, urlsplit

import pytest
from bs4 import Tag
from built import ROOT, SITE, notebooks, pages, soup
from toc import documents

# What a page shows if Markdown or a role was not understood.
JUNK = re.compile(
    r"\{(ref|numref|eq|doc|cite|cite:\w+|prf:\w+|term|math|code-cell)\}"
    r"|\$\$|\$[^$\s]+\$|```|:::|\]\(|\\\(|\\\[|\*\*|\([\w.-]+\)="
)


@cache
def anchors(name: str) -> frozenset[str]:
    """The ids of a page, which is not parsed for them."""
    html = (SITE / f"{name}.html").read_text(encoding="utf-8")
    html = re.sub(r"<script.*?</script>", "", html, flags=re.DOTALL)
    found = re.findall(r'<[a-z][^<>]*?\sid="([^"]*)"', html)
    return frozenset(map(unescape, found)) | {""}


@pytest.mark.parametrize("name", documents())
def test_page_has_title_and_text(name):
    article = soup(name).find("article")
    assert article.find("h1") is not None
    assert len(article.get_text().split()) >= 20


@pytest.mark.parametrize("name", documents())
def test_page_has_no_traceback(name):
    assert "Traceback (most recent call last)" not in soup(name).get_text()


@pytest.mark.parametrize("name", documents())
def test_page_has_no_raw_markdown(name):
    article = soup(name).find("article")

    def other(tag):
        # Signatures have stars of their own; so do powers in the API's docstrings.
        kinds = tag.get("class", ())
        return (
            tag.name in ("pre", "code", "script", "style")
            or "math" in kinds
            or (tag.name == "dl" and "py" in kinds)
        )

    def strings(tag):
        for child in tag.children:
            if isinstance(child, Tag):
                yield from strings(child) if not other(child) else ()
            else:
                yield child

    text = "".join(strings(article))
    found = [text[max(0, m.start() - 30) : m.end() + 30] for m in JUNK.finditer(text)]
    assert found == []


@pytest.mark.parametrize("name", [n for n in documents() if n.startswith("lectures/")])
def test_lecture_has_formulas_and_cells(name):
    assert soup(name).select(".math")
    assert soup(name).select("div.cell[id^=cell-]")


@pytest.mark.parametrize("name", pages())
def test_links_inside_the_site_resolve(name):
    broken = []
    for tag in soup(name).find_all(True):  # (`select` takes ten times as long)
        if not {"href", "src"} & tag.attrs.keys():
            continue
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
            other = path.relative_to(SITE)
            if unquote(anchor) not in anchors(other.with_suffix("").as_posix()):
                broken.append(target)
    assert broken == []


CHAPTERS = [n for n in documents() if n.startswith(("lectures/", "beyond/"))]


@pytest.mark.parametrize("name", CHAPTERS)
def test_chapters_open_alike(name):
    """With sentences, then one box on what they are for, and then a section."""
    article = soup(name).find("article")
    opening = article.find("section").find_all(recursive=False)
    end = next(i for i, part in enumerate(opening) if part.name == "section")
    titles = [
        title.get_text()
        for part in opening[:end]
        for title in part.find_all("p", class_="admonition-title")
    ]
    assert titles.count("After this page you can") == 1
    assert opening[0].name == "h1"
    first = next(
        part for part in opening[1:] if "reading-time" not in part.get("class", ())
    )
    assert first.name == "p"


@pytest.mark.parametrize("name", [n for n in CHAPTERS if n.startswith("beyond/")])
def test_only_what_a_lecture_numbers_has_a_number(name):
    titles = [title.get_text() for title in soup(name).find("article").find_all("h2")]
    assert [title for title in titles if title[0].isdigit()] == []


def test_badges_break_no_line():
    """Each is the last thing in its paragraph, or in a line of its own."""
    found = [badge for name in CHAPTERS for badge in soup(name).select("p > .evidence")]
    assert len(found) > 100
    assert [badge["href"] for badge in found if badge.find_next_sibling()] == []


@pytest.mark.parametrize("name", notebooks())
def test_download_is_the_notebook(name):
    """The bytes that the tests have run; `test_habits` pushes the button."""
    (link,) = soup(name).select("a.btn-download-source-button[download]")
    source = ROOT / "book" / f"{name}.ipynb"
    # As a truth value: to show how two notebooks differ takes minutes.
    same = ((SITE / name).parent / link["href"]).read_bytes() == source.read_bytes()
    assert same, f"the download is not {source.relative_to(ROOT)}"


@pytest.mark.parametrize("name", documents())
def test_images_say_what_they_show(name):
    """An alternative text, and not the name of a file (which is myst-nb's default)."""
    alts = [
        image.get("alt", "") for image in soup(name).find("article").find_all("img")
    ]
    named = re.compile(r"\S+\.(png|svg|jpe?g)")
    assert [alt for alt in alts if not alt.strip() or named.fullmatch(alt)] == []


def test_landing_page_is_a_real_page():
    html = soup("index").html
    assert html["lang"] == "en"
    assert "Online Learning and Mistake Bounds" in html.title.get_text()
    assert html.find("meta", attrs={"name": "description"})


def test_landing_page_leads_to_every_page_and_shows_what_it_has_drawn():
    landing = soup("index").find("article")
    linked = {
        link["href"].partition("#")[0] for link in landing.find_all("a", href=True)
    }
    assert {f"{name}.html" for name in documents()} - linked <= {"index.html"}
    cards = landing.select(".cards li")
    of_lectures = [n for n in documents() if n.startswith(("lectures/", "beyond/"))]
    games = {Path(image["src"]).stem for image in landing.select(".games li img")}
    modules = {path.stem for path in ROOT.glob("olutil/widgets/*.js")}
    assert games == modules - {"kit", "player"}
    assert len(cards) == len(of_lectures) + 1 + len(games)  # 1: the real data
    assert [card.get_text() for card in cards if not card.select("img")] == []


@pytest.mark.parametrize("lecture", ["kakade", "chandola", "cos511", "kitani", "das"])
def test_lecture_has_figures_to_drive(lecture):
    parts = [name for name in documents() if name.startswith(f"lectures/{lecture}")]
    assert sum(len(soup(name).select("figure.ol-player")) for name in parts) >= 2


def test_ledger_has_every_statement_and_no_red_row():
    from olutil.theorems import STATEMENTS

    ledger = soup("theorems")
    named = {tag.get_text() for tag in ledger.select("article code")}
    assert set(STATEMENTS) - named == set()
    assert [tag.parent.get_text() for tag in ledger.select(".ledger-lacks")] == []


def test_badges_lead_to_rows_and_rows_back():
    """A statement with evidence has a badge on its page; its row has its address."""
    from olutil import ledger

    table = soup("theorems").find("table", class_="ledger")
    ways_back = {
        part["id"]: {link["href"] for link in part.find_all("a", href=True)}
        for part in table.find_all("tbody", recursive=False)  # a statement may have one
    }
    faults = []
    for row in ledger.rows(ROOT):
        if not row["how"]:
            continue
        name = row["page"].removeprefix("book/").rsplit(".", 1)[0]
        anchor = row["id"].replace(".", "-").lower()
        there = f"{'../' * name.count('/')}theorems.html#row-{anchor}"
        if there not in badges(name):
            faults.append(f"no badge of {row['id']} on {name}")
        if f"{name}.html#{anchor}" not in ways_back.get(f"row-{anchor}", ()):
            faults.append(f"no way from the ledger to {row['id']} on {name}")
    assert faults == []


@cache
def badges(name: str) -> frozenset[str]:
    """Where the badges of a page lead."""
    return frozenset(
        link["href"] for link in soup(name).find_all("a", class_="evidence")
    )


@pytest.mark.parametrize(
    "words",
    ["Littlestone, Nick", "Mistake bound of Halving", "Winnow", "regret", "play()"],
    ids=["author", "statement", "algorithm", "term", "function"],
)
def test_index_has(words):
    entries = soup("genindex").select(".indextable li")
    assert any(words in entry.get_text() for entry in entries)
