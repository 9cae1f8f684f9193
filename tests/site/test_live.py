"""Live code: Pyodide's core, which npm has, answers at the address that the site asks.

The packages of Pyodide's distribution (numpy, matplotlib, ...) are in no registry.  So
what needs them is watched failing, with its message, and stand-ins of a few lines take
their place where the page's own part is tested.  Everything else really runs.

Python takes seconds to start, so tests that leave it as they found it share one page,
in one process.
"""

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect
from web import OF_COLORS, PREFIX, Pages, switch

NAME = "lectures/kakade"
HOST = "https://cdn.jsdelivr.net/"
# A browser reports an answer 404, such as the one for numpy's wheel, on its console.
REFUSED = r"cdn\.jsdelivr\.net|status of 404"
PARTS = ".live-bar, .cell.live:has(.live-output:not(:empty))"
RUN_HERE = "(label) => label.textContent.includes('Run here')"
RESET = ".live-tools button[aria-label^=Reset]"


class Distribution:
    """Answers for Pyodide's address with files of our server; notes what was asked."""

    def __init__(self, folder: Path, address: str):
        self.folder = folder
        self.address = address
        self.asked = []
        self.reachable = True

    def __call__(self, route):
        name = route.request.url.rpartition("/")[2]
        self.asked.append(name)
        headers = {"access-control-allow-origin": "*"}
        if not self.reachable:
            route.abort()
        elif (self.folder / name).is_file():
            # Sent on, since megabytes are slow to pass through the test.
            headers["location"] = f"{self.address}/{name}"
            route.fulfill(status=302, headers=headers)
        else:
            route.fulfill(status=404, headers=headers)


def served(node_modules, site_url) -> Distribution:
    host = site_url.removesuffix(f"{PREFIX}/")
    return Distribution(node_modules / "pyodide", f"{host}pyodide")


@pytest.fixture
def distribution(node_modules, site_url):
    return served(node_modules, site_url)


def offer(pages, distribution, name=NAME):
    """Open a page as it is before the click."""
    routes = {f"{HOST}**": distribution}
    only = "div.cell, .dropdown > .admonition-title"  # which the theme asks for
    return pages(name, only=only, routes=routes, expected=REFUSED)


@pytest.fixture(scope="module")
def shared_page(browser, site_url, node_modules):
    """A live page for several tests; what went wrong in it shows when all are over."""
    pages = Pages(browser, site_url)
    distribution = served(node_modules, site_url)
    page = offer(pages, distribution)
    make_live(page)
    yield page, distribution
    pages.close()
    assert pages.problems == []


@pytest.fixture
def page(shared_page):
    """The shared page, with the code and the outputs that it was built with."""
    page, _ = shared_page
    page.locator(RESET).evaluate_all("all => all.forEach((button) => button.click())")
    return page


def make_live(page):
    page.locator(".live-bar button").click()
    expect(page.get_by_role("button", name="Run all", exact=True)).to_be_visible()
    # Which cells a page folds is not what is tested here.
    page.locator("details").evaluate_all("all => all.forEach((it) => it.open = true)")


def cell(page, number):
    return page.locator("div.cell.live").nth(number - 1)


def code(page, number):
    return cell(page, number).get_by_role("textbox")


def label(page, number):
    return cell(page, number).locator(".live-label")


def output(page, number):
    return cell(page, number).locator(".live-output")


def stored(page, number):
    return cell(page, number).locator(".cell_output:not(.live-output)")


def run(page, number, source=None):
    """Run a cell, typed anew if there is a source; gives its output."""
    if source is not None:
        code(page, number).fill(source)
    code(page, number).press("Shift+Enter")
    # (`expect` would look again after up to a second.)
    page.wait_for_function(RUN_HERE, arg=label(page, number).element_handle())
    return output(page, number)


def test_nothing_is_loaded_before_the_click(open_page, distribution):
    page = offer(open_page, distribution)
    loaded = page.evaluate(
        "performance.getEntriesByType('resource').map((entry) => entry.name)"
    )
    assert any(name.endswith("live.js") or "live.js?" in name for name in loaded)
    later = re.compile(r"live-worker|live_cell|\.whl")
    assert [name for name in loaded if later.search(name)] == []
    assert distribution.asked == []


def test_a_page_without_cells_has_no_button(open_page):
    page = open_page("glossary")
    assert page.locator(".live-bar").count() == 0
    assert page.locator("script[src*='live.js']").count() == 0


def test_what_a_cell_shows(page):
    shown = run(page, 2, "print('printed')\nvotes = {0: 2, 1: 3}\nmax(votes.values())")
    expect(shown.locator(".stream")).to_have_text("printed")
    expect(shown.locator(".text_plain")).to_have_text("3")

    # Variables stay; a semicolon silences the value; both streams keep their order.
    expect(run(page, 3, "sorted(votes)")).to_have_text("[0, 1]")
    expect(run(page, 3, "sorted(votes);")).to_have_text("")
    order = "import sys\nprint(1)\nprint(2, file=sys.stderr)\nprint(3, end='')"
    expect(run(page, 3, order)).to_have_text(re.compile(r"1\s*2\s*3"))

    # HTML, whose scripts run.
    html = "<b>rich</b><script>document.currentScript.previousSibling.title = 'ran'"
    shows = f'class Rich:\n    def _repr_html_(self):\n        return "{html}</script>"'
    expect(run(page, 3, f"{shows}\nRich()").locator("b")).to_have_attribute(
        "title", "ran"
    )

    # A figure that is still open, as a picture; here of one pixel.
    figure = """\
import base64, sys, types
class plt:
    open = [1]
    def get_fignums(): return list(plt.open)
    def close(figure): plt.open.clear()
    class figure:
        def __init__(self, number): pass
        def savefig(self, file, **options): file.write(base64.b64decode(pixel))
sys.modules["matplotlib.pyplot"] = plt
pixel = ("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42Y"
         "AAAAASUVORK5CYII=")"""
    image = run(page, 4, figure).locator("img")
    expect(image).to_have_attribute("alt", "Figure drawn by cell 4, run here")
    assert image.evaluate("image => image.decode().then(() => image.naturalWidth)") == 1
    expect(run(page, 4, "pixel;")).to_have_text("")
    expect(output(page, 4).locator("img")).to_have_count(0)


def test_the_stored_output_is_kept(page):
    before = stored(page, 2).inner_text()
    source = code(page, 2).inner_text()
    # Stand-ins for numpy and olutil, with which the unedited cell prints the same.
    run(
        page,
        1,
        """\
class Row(list):
    def __str__(self): return "[" + " ".join(map(str, self)) + "]"
class Indices(list):
    def tolist(self): return list(self)
class np:
    def flatnonzero(row): return Indices(i for i, x in enumerate(row) if x)
def thresholds(n): return [Row([0] * a + [1] * (n - a)) for a in range(n + 1)]""",
    )
    shown = run(page, 2)
    assert shown.inner_text().strip() == before.strip()
    expect(stored(page, 2)).to_be_hidden()

    toggle = cell(page, 2).get_by_role("button", name="Stored output")
    toggle.click()
    expect(stored(page, 2)).to_be_visible()
    expect(toggle).to_have_attribute("aria-pressed", "true")

    run(page, 2, "'edited'")
    cell(page, 2).get_by_role("button", name="Reset").click()
    expect(stored(page, 2)).to_be_visible()
    expect(output(page, 2)).to_be_hidden()
    assert code(page, 2).inner_text() == source


def test_errors_say_what_to_do(page, shared_page):
    _, distribution = shared_page
    shown = run(page, 2, "def divide(x):\n    return x / 0\ndivide(1)")
    lines = shown.locator(".traceback").inner_text().strip().splitlines()
    assert lines[0] == "Traceback (most recent call last):"
    assert '  File "cell 2", line 2, in divide' in lines
    assert lines[-1] == "ZeroDivisionError: division by zero"
    assert "pyodide" not in "".join(lines)
    expect(run(page, 2, "1 +")).to_contain_text("SyntaxError")

    shown = run(page, 3, "import numpy")
    assert any(name.startswith("numpy-") for name in distribution.asked)
    expect(shown.locator(".live-hint")).to_contain_text(
        "could not be loaded from https:"
    )
    expect(shown.locator(".live-hint")).to_contain_text("make lab")
    shown = run(page, 3, "import no_such_module")
    expect(shown.locator(".live-hint")).to_contain_text("not part of Pyodide")
    shown = run(page, 3, "open('data/nothing.csv')")
    expect(shown.locator(".live-hint")).to_contain_text("not in the browser")

    # What was to run after a failure does not run.
    for number, source in ((1, "1 + 1"), (2, "2 + 2"), (4, "1 / 0")):
        code(page, number).fill(source)
    page.get_by_role("button", name="Run all above cell 6", exact=True).click()
    expect(label(page, 2)).to_contain_text("Run here")
    expect(label(page, 3)).to_contain_text("FileNotFoundError")
    expect(label(page, 4)).to_have_text("")


def test_python_is_stopped_and_starts_again(page):
    run(page, 2, "kept = 1")
    # Without an end, and flooding the page.
    code(page, 3).fill("while True: print(1)")
    code(page, 3).press("Shift+Enter")
    expect(label(page, 3)).to_contain_text("Running")
    expect(output(page, 3)).to_contain_text("and more, which is not shown")
    assert page.evaluate("1 + 1") == 2
    cell(page, 3).get_by_role("button", name="Stop").click()
    expect(label(page, 3)).to_contain_text("Stopped")
    status = page.locator(".live-status")
    expect(status).to_contain_text("the next run starts it anew")
    assert len(output(page, 3).inner_text()) <= 101_000
    # It starts again by itself, and has forgotten everything.
    expect(run(page, 2, "'kept' in globals()")).to_have_text("False")

    run(page, 1, "seen = 1")
    page.get_by_role("button", name="Restart Python").click()
    shown = run(page, 2, "seen + 1")
    expect(shown).to_contain_text("Earlier cells may define this name")
    shown.get_by_role("button", name="Run all above").click()
    expect(shown).to_have_text("2")


def test_keyboard(page):
    code(page, 2).fill("")
    code(page, 2).focus()
    for line in ("def double(x):", "y = 2 * x", "return y"):
        page.keyboard.type(line)
        page.keyboard.press("Enter")
    for _ in range(4):
        page.keyboard.press("Backspace")
    page.keyboard.type("double(21)")
    expect(run(page, 2)).to_have_text("42")
    page.keyboard.press("Tab")
    assert page.evaluate("!document.activeElement.matches('pre')")


def test_the_wheel_is_this_package(page):
    """olutil imports in Pyodide's Python, and knows the same statements."""
    from olutil.theorems import STATEMENTS

    run(page, 2, "import sys\nfrom unittest.mock import MagicMock")
    run(page, 2, "before = {*sys.modules}\nsys.modules['numpy'] = MagicMock();")
    # (Not games, which computes when it is imported.)
    modules = "concepts, errata, exact, experts, figures, linear, streams, verify"
    run(page, 3, f"from olutil import {modules}")
    expect(label(page, 3)).to_contain_text("Run here.")
    shown = run(page, 3, "from olutil.theorems import STATEMENTS\nlist(STATEMENTS)")
    assert shown.inner_text().strip() == repr(list(STATEMENTS))
    run(page, 2, "for name in {*sys.modules} - before: del sys.modules[name]")


def test_unreachable_at_first(open_page, distribution):
    """Then the cells run, and find the files that they read."""
    page = offer(open_page, distribution, "real-data")
    distribution.reachable = False
    page.locator(".live-bar button").click()
    status = page.locator(".live-status")
    expect(status).to_contain_text(HOST)
    expect(status).to_contain_text("make lab")
    expect(page.locator(".live-bar button")).to_have_text("Try again")
    distribution.reachable = True
    make_live(page)
    expect(run(page, 3, "6 * 7")).to_have_text("42")
    shown = run(page, 3, "print(open('data/seattle-weather.csv').readline())")
    expect(shown).to_contain_text("date,precipitation")


def test_axe_and_phone(page, axe):
    page.set_viewport_size({"width": 390, "height": 844})
    run(page, 2, "import sys\nprint(1)\nprint(2, file=sys.stderr)\n'x' * 200")
    run(page, 3, "nothing")
    run(page, 4, "import numpy")
    width = page.evaluate("document.documentElement.scrollWidth")
    assert width == 390
    assert axe(page, PARTS) == []
    switch(page, "dark")
    assert axe(page, PARTS, only=OF_COLORS) == []
