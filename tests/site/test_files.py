"""The site's files: all its own, and as they were vendored."""

import json
import re
import subprocess
import sys

import pytest
from bs4 import BeautifulSoup
from built import ROOT, SITE, pages, soup
from playwright.sync_api import expect
from web import TIMEOUT

from olutil.widgets.interactive import style

HERE = ROOT / "tests" / "site"
OUTSIDE = re.compile(r"\s*(?:https?:)?//", re.IGNORECASE)
STYLE_LOADS = re.compile(r"""(?:url\(|@import)\s*["']?\s*((?:https?:)?//[^"')\s]+)""")
SCRIPT_LOADS = re.compile(
    r"""(?:\bfrom|\bimport|\bimport\(|\bimportScripts\(|\bfetch\(|\.src\s*=)"""
    r"""\s*["'`]((?:https?:)?//[^"'`]+)"""
)
# What makes a browser fetch something, which a plain link does not.
LOADS = {
    "audio": ["src"],
    "embed": ["src"],
    "iframe": ["src"],
    "image": ["href", "xlink:href"],
    "img": ["src", "srcset"],
    "input": ["src"],
    "object": ["data"],
    "script": ["src"],
    "source": ["src", "srcset"],
    "track": ["src"],
    "use": ["href", "xlink:href"],
    "video": ["src", "poster"],
}
FETCHED = {"stylesheet", "icon", "preload", "modulepreload", "prefetch", "manifest",
           "preconnect", "dns-prefetch", "prerender", "apple-touch-icon"}  # fmt: skip


def outside(page: BeautifulSoup) -> list[str]:
    """What a page would load from elsewhere."""
    found = []
    for tag in page.find_all(True):  # once: a page has tens of thousands
        keys = LOADS.get(tag.name, [])
        if tag.name == "link" and FETCHED & {rel.lower() for rel in tag.get("rel", [])}:
            keys = ["href"]
        found += [tag[key] for key in keys if OUTSIDE.match(tag.get(key, ""))]
        if "style" in tag.attrs:
            found += STYLE_LOADS.findall(tag["style"])
        if tag.name == "style":
            found += STYLE_LOADS.findall(tag.get_text())
        if tag.name == "script":
            found += SCRIPT_LOADS.findall(tag.get_text())
    return found


@pytest.mark.parametrize("name", pages())
def test_page_loads_nothing_from_elsewhere(name):
    assert outside(soup(name)) == []


@pytest.mark.parametrize(
    ("suffix", "loads"), [("css", STYLE_LOADS.findall), ("js", SCRIPT_LOADS.findall)]
)
def test_file_loads_nothing_from_elsewhere(suffix, loads):
    files = sorted(SITE.rglob(f"*.{suffix}"))
    assert files
    found = {
        path.relative_to(SITE).as_posix(): loads(path.read_text(encoding="utf-8"))
        for path in files
    }
    assert {name: urls for name, urls in found.items() if urls} == {}


def test_figures_have_their_whole_style():
    """Their scripts put classes together, so no page and no script has them whole."""
    built = SITE / "_static" / "figures" / "figures.css"
    assert built.read_text(encoding="utf-8") == style()


def test_vendored_files_are_what_the_manifest_says():
    command = [sys.executable, "book/_tools/vendor.py", "--check"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("folder", [HERE, HERE / "lighthouse"])
def test_lock_of_npm_has_sums_and_no_host(folder):
    lock = json.loads((folder / "package-lock.json").read_text(encoding="utf-8"))
    packages = [entry for name, entry in lock["packages"].items() if name]
    assert packages
    assert all(entry["integrity"].startswith("sha512-") for entry in packages)
    assert [entry["resolved"] for entry in packages if "resolved" in entry] == []


@pytest.fixture
def from_folder(browser):
    """A function that opens a page of the site as a file, as from an unzipped zip."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    context.set_default_timeout(TIMEOUT)
    thrown = []
    context.on("weberror", lambda error: thrown.append(error.error.message))

    def opened(name):
        page = context.new_page()
        page.goto((SITE / name).as_uri())
        return page

    yield opened
    context.close()
    assert thrown == []


def test_a_page_from_a_folder_reads_and_works(from_folder):
    page = from_folder("lectures/kakade.html")
    assert page.locator("article math").first.bounding_box()["width"] > 0
    said = page.locator(".ol-said").first
    before = said.text_content()
    page.get_by_role("button", name="Best round").click()
    expect(said).not_to_have_text(before)


def test_what_a_folder_forbids_is_said(from_folder):
    """No preview of another page, no Python, and no excerpt of what is found."""
    page = from_folder("lectures/kakade.html")
    preview = page.locator("#preview")
    page.locator("article a.internal[href='#ex-kakade-7']").first.hover()
    expect(preview).to_contain_text("Exercise")
    page.keyboard.press("Escape")
    page.locator("article a.internal[href*='glossary.html#']").first.hover()
    expect(preview).to_contain_text("A page opened from a folder shows no previews")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Live code").click()
    page.locator(".live-bar button").first.click()
    expect(page.locator(".live-status")).to_contain_text("it has to be served")

    page = from_folder("search.html")
    page.goto(f"{page.url}?q=halving")
    found = page.locator("#search-results li")
    expect(found.filter(has_text="Halving by Volume").first).to_be_visible()
    expect(page.get_by_text("titles without excerpts")).to_be_visible()
