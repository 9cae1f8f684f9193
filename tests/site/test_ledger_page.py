"""The ledger: filters, sorts, opens, and is linked with the lectures both ways."""

import re

import pytest
from playwright.sync_api import expect

PAGE = "theorems"
COLUMNS = ("Statement", "Lecture", "Evidence", "Instances", "Nearest case", "Tight")


@pytest.fixture
def ledger(open_page):
    return open_page(PAGE)


def column(page, name: str) -> list[str]:
    """What the shown statements have in a column."""
    cells = page.locator("table.ledger > tbody:visible > tr:first-child").locator(
        f"td:nth-child({COLUMNS.index(name) + 1})"
    )
    return [text.strip() for text in cells.all_inner_texts()]


def said(page) -> int:
    """How many statements the page says that it shows."""
    return int(page.locator(".ledger-controls output").inner_text().split()[0])


def numbers(texts: list[str]) -> list[float]:
    """The numbers of a column: 83,521, or 1.1 × 10²⁵."""
    raised = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
    plain = (text.translate(raised).replace(",", "") for text in texts if text)
    return [float(text.replace(" × 10", "e")) for text in plain]


def test_filter_by_lecture(ledger):
    everything = len(column(ledger, "Lecture"))
    ledger.get_by_label("Lecture").select_option(label="Kakade")
    shown = column(ledger, "Lecture")
    assert set(shown) == {"Kakade"}
    assert len(shown) == said(ledger) < everything
    ledger.reload()
    assert column(ledger, "Lecture") == shown
    ledger.get_by_role("button", name="Show all").click()
    assert len(column(ledger, "Lecture")) == said(ledger) == everything


def test_filter_by_kind_of_evidence(ledger):
    ledger.get_by_label("Evidence").select_option("adversary")
    shown = column(ledger, "Evidence")
    assert shown and all("adversary" in kinds for kinds in shown)
    assert len(shown) == said(ledger)


def test_filter_by_text(ledger):
    ledger.get_by_label("Text", exact=True).fill("cos511-thm2")
    names = column(ledger, "Statement")
    assert any("cos511-thm2" in name for name in names)
    assert len(names) == said(ledger) < 20
    ledger.get_by_label("Text", exact=True).fill("nowhere-to-be-found")
    assert column(ledger, "Statement") == []
    assert said(ledger) == 0


@pytest.mark.parametrize("name", ["Instances", "Tight"])
def test_sort(ledger, name):
    before = numbers(column(ledger, name))
    head = ledger.get_by_role("columnheader", name=name)
    head.get_by_role("button").click()
    expect(head).to_have_attribute("aria-sort", "descending")
    assert numbers(column(ledger, name)) == sorted(before, reverse=True) != before
    head.get_by_role("button").click()
    expect(head).to_have_attribute("aria-sort", "ascending")
    assert numbers(column(ledger, name)) == sorted(before)


def test_words_sort_from_a(ledger):
    head = ledger.get_by_role("columnheader", name="Lecture")
    head.get_by_role("button").click()
    expect(head).to_have_attribute("aria-sort", "ascending")
    shown = column(ledger, "Lecture")
    assert shown == sorted(shown)


def test_what_is_checked_comes_first(ledger):
    kinds = column(ledger, "Evidence")
    stated = [kind == "stated" for kind in kinds]
    assert stated == sorted(stated)
    assert {True, False} == set(stated)
    assert max(numbers(column(ledger, "Instances"))) > 1e12
    assert not any("e+" in text for text in column(ledger, "Instances"))


def test_kinds_of_evidence_are_explained(ledger):
    legend = ledger.locator(".ledger-legend")
    words = legend.locator("strong")
    expect(words.first).to_be_hidden()
    legend.locator("summary").click()
    kinds = {kind for cell in column(ledger, "Evidence") for kind in cell.split(", ")}
    assert kinds <= set(words.all_inner_texts())


def test_wide_on_a_desk_and_short_on_a_phone(open_page):
    page = open_page(PAGE)
    table = page.locator("table.ledger")
    assert table.bounding_box()["width"] > 900
    page.set_viewport_size({"width": 390, "height": 800})
    page.reload()
    everything = said(page)
    shown = table.locator("> tbody:visible")
    assert page.evaluate("document.documentElement.scrollHeight") < 10 * 800
    page.get_by_role("button", name="Show the other").click()
    expect(shown).to_have_count(everything)


def test_row_opens(open_page):
    part = open_page(PAGE).locator("#row-kak-thm2-2")
    checks = part.locator("li")
    expect(checks.first).to_be_hidden()
    part.locator("summary").press("Enter")
    expect(checks.first).to_be_visible()
    expect(part.locator("details math").first).to_be_visible()
    assert "exhaustive" in checks.first.inner_text()


def test_address_of_a_row_shows_it_whatever_is_filtered(open_page):
    page = open_page(f"{PAGE}?lecture=das#row-kak-thm2-2")
    part = page.locator("#row-kak-thm2-2")
    expect(part.locator("li").first).to_be_visible()
    expect(part).to_be_in_viewport()


def test_badge_leads_to_the_row_and_the_row_leads_back(open_page):
    page = open_page("lectures/kakade")
    page.locator("a.evidence[href$='#row-kak-thm2-2']").click()
    page.wait_for_url("**/theorems.html#row-kak-thm2-2")
    part = page.locator("#row-kak-thm2-2")
    expect(part.locator("details")).to_have_attribute("open", "")
    part.locator("td:first-child a").first.click()
    page.wait_for_url("**/lectures/kakade.html#kak-thm2-2")
    expect(page.locator("#kak-thm2-2")).to_be_in_viewport()
    page.go_back()
    page.locator("#row-kak-thm2-2 td:nth-child(3) a").first.click()
    page.wait_for_url(re.compile(r"/lectures/kakade\.html#cell-\d+$"))
    expect(page.locator(":target")).to_be_in_viewport()
    assert "kak-thm2.2" in page.locator(":target").inner_text()
