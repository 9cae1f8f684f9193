"""Every page of the site, opened once in a browser."""

import gzip
import re
from functools import cache
from pathlib import Path
from urllib.parse import unquote

import pytest
import reading
from built import SITE, pages
from web import OF_COLORS, PREFIX, THEMES, Pages, switch

# As narrow as can be first: what a page notes by itself is seen before a resize.
WIDTHS = (390, 1920, 1280)
HEIGHT = 900
WEIGHT = 300 * 1024  # bytes, compressed, of a page with all it loads

UNRENDERED = r"""
() => [...document.querySelectorAll(".math")]
  .filter((formula) => !formula.querySelector(":scope > math"))
  .map((formula) => formula.textContent.slice(0, 80))
"""
RAW = r"""
() => {
  const main = document.querySelector("main").cloneNode(true);
  main.querySelectorAll("pre, code, script, style, textarea, math")
    .forEach((part) => part.remove());
  return main.textContent.match(/.{0,20}(\\\(|\\\[|\$\$|\$[^$\s]+\$).{0,40}/g) ?? [];
}
"""
FAULTY_IMAGES = r"""
async () => {
  const faults = [];
  for (const image of document.images) {
    image.loading = "eager";
    const is = (fault) => faults.push(`${fault}: ${image.outerHTML.slice(0, 200)}`);
    await image.decode().catch(() => is("not an image"));
    if (!(image.getAttribute("width") > 0)) is("no width");
    if (!(image.getAttribute("height") > 0)) is("no height");
    if (!image.alt.trim()) is("no alternative text");
    if (/^\S+\.(png|svg|jpe?g)$/.test(image.alt)) is("a file's name");
  }
  return faults;
}
"""
# What reaches beyond the window, except where its container scrolls or clips it.
STICKING_OUT = r"""
() => {
  const root = document.documentElement;
  const held = (element) => {
    const box = element.parentElement;
    if (box === document.body) return false;
    return getComputedStyle(box).overflowX !== "visible" || held(box);
  };
  // (What is folded away would be laid out to be measured; the parts of a formula are
  // where it is.)
  const seen = ".bd-article-container *:not(details:not([open]) *, math *)";
  const all = [...document.querySelectorAll(seen)];
  const found = all.filter((element) => {
    const box = element.getBoundingClientRect();
    return box.width > 1 && box.right > root.clientWidth + 1 && !held(element);
  }).map((element) => element.outerHTML.slice(0, 120));
  if (root.scrollWidth > root.clientWidth) found.push(`scrolls to ${root.scrollWidth}`);
  return found;
}
"""
# Pictures so much smaller than drawn that their words, of 13 pixels, cannot be read.
TOO_SMALL = r"""
() => [...document.querySelectorAll(".bd-article :is(.cell_output, .ol-player) img")]
  .filter((picture) => picture.checkVisibility() &&
    picture.clientWidth < 0.63 * picture.getAttribute("width"))
  .map((picture) => picture.outerHTML.slice(0, 120))
"""
# What goes on at its right edge without a sign of it, or has a sign in vain.
WRONGLY_SHADED = r"""
() => {
  const seen = document.querySelectorAll(
    ".bd-article *:not(details:not([open]) *, math *)");
  return [...seen].filter((element) => {
    const more = element.scrollWidth > element.clientWidth + 1 &&
      /auto|scroll/.test(getComputedStyle(element).overflowX);
    return element.matches(".more-after") !== more;
  }).map((element) => element.outerHTML.slice(0, 120));
}
"""
# The theme's sidebars slide to their new widths, and the text with them; what the page
# notes of its layout it has noted a frame later.
SETTLE = r"""
async () => {
  await document.fonts.ready;
  await new Promise(requestAnimationFrame);
  for (const animation of document.getAnimations()) {
    if (animation instanceof CSSTransition) animation.finish();
  }
  await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
}
"""
# A formula that must be pushed, and does not show its beginning first.
NOT_FROM_THE_BEGINNING = r"""
() => [...document.querySelectorAll(".math:not(details:not([open]) *)")]
  .filter((formula) => {
    const drawn = formula.querySelector("math")?.getBoundingClientRect();
    return drawn && drawn.left < formula.getBoundingClientRect().left - 1;
  })
  .map((formula) => formula.textContent.slice(0, 80))
"""
# Two texts are of one kind if they, and all around them, are styled alike, in every
# theme in which this has been asked: a number for each kind, the same on every page.
NOTE_KINDS = """
() => {
  window.kinds ??= new Map();
  const hash = (text) => {  // cyrb53
    let [a, b] = [0xdeadbeef, 0x41c6ce57];
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i);
      a = Math.imul(a ^ code, 2654435761);
      b = Math.imul(b ^ code, 1597334677);
    }
    a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
    b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909);
    return 4294967296 * (2097151 & b) + (a >>> 0);
  };
  const numbers = new Map();  // of what has been hashed
  const here = new Map();
  for (const element of document.querySelectorAll("body, body *")) {
    const style = getComputedStyle(element);
    const kind = [
      here.get(element.parentElement), element.localName, style.color,
      style.backgroundColor, style.backgroundImage, style.opacity, style.filter,
      style.fontSize, style.fontWeight, style.textDecoration, style.textShadow,
    ].join("; ");
    if (!numbers.has(kind)) numbers.set(kind, hash(kind));
    here.set(element, numbers.get(kind));
    kinds.set(element, `${kinds.get(element)} ${numbers.get(kind)}`);
  }
}
"""
# Leaves one text of each kind that is not known; gives the kinds of all.
KEEP_ONE_OF_EACH_NEW_KIND = """
(known) => {
  const [seen, old] = [new Set(), new Set(known)];
  const kept = new Set();
  for (const [element, kind] of kinds) {
    const says = [...element.childNodes].some(
      (node) => node.nodeType === Node.TEXT_NODE && node.data.trim());
    if (!says || seen.has(kind) || !element.checkVisibility()) continue;
    seen.add(kind);
    if (old.has(kind)) continue;
    for (let it = element; it; it = it.parentElement) kept.add(it);
  }
  // Emptied, not removed: every other row of a table may have its own color.
  for (const element of kinds.keys()) if (!kept.has(element)) element.replaceChildren();
  return [...seen];
}
"""
# What of a page's height is visible code and output, and how many screens a reader goes
# without a picture or a figure to touch, from the title to the exercises.
MAIN_LINE = r"""
(screen) => {
  const page = document.querySelector(".bd-article").getBoundingClientRect();
  const drawn = "figure, img, svg:not(button *), .ol-player, .ol-figure";
  // (The title of a fold is no code.)
  const seen = (selector) => [...document.querySelectorAll(selector)].filter(
    (element) => element.checkVisibility() && !element.matches("details:not([open])"));
  const printed = seen(".bd-article :is(.cell_input, .cell_output > *)")
    .filter((element) => !element.matches(drawn) && !element.querySelector(drawn));
  const height = (elements) =>
    elements.reduce((sum, element) => sum + element.offsetHeight, 0);
  const end = document.getElementById("exercises")?.getBoundingClientRect().top;
  let [at, longest] = [page.top, 0];
  for (const picture of seen(`.bd-article :is(${drawn})`)) {
    const { top, bottom } = picture.getBoundingClientRect();
    if (bottom - top < 60 || top > end) continue;
    longest = Math.max(longest, top - at);
    at = Math.max(at, bottom);
  }
  longest = Math.max(longest, (end ?? page.bottom) - at);
  return [height(printed) / page.height, longest / screen];
}
"""
# What departs from the looks of the book on a wide screen.
DEPARTING = r"""
() => {
  const article = document.querySelector(".bd-article");
  const style = (element) => getComputedStyle(element);
  const seen = (selector) => [...article.querySelectorAll(selector)]
    .filter((element) => element.checkVisibility());
  const faults = ["STIX Two Text", "Source Sans 3"].filter((family) =>
    ![...document.fonts].some((font) =>
      font.family.includes(family) && font.status === "loaded"));
  const sample = "A learner predicts, is told the truth, and learns; in every round.";
  const pen = document.createElement("canvas").getContext("2d");
  for (const text of seen("section > p:not([class], .cell_output *)")) {
    pen.font = style(text).font;
    const letters = sample.length * text.clientWidth / pen.measureText(sample).width;
    if (letters < 38 || letters > 80) faults.push(`${letters} letters in a line`);
  }
  const size = parseFloat(style(article).fontSize);
  const most = { h1: 2.6, h2: 1.6, h3: 1.25, h4: 1 };
  for (const [heading, times] of Object.entries(most)) {
    for (const element of seen(heading)) {
      if (parseFloat(style(element).fontSize) > times * size) faults.push(heading);
    }
  }
  for (const figure of seen("[data-figure]")) {
    const goal = figure.matches(":has(> .ol-task:first-child > strong)");
    if (!goal) faults.push("a figure without a goal");
  }
  for (const code of seen(".cell_input pre, .cell_output pre")) {
    if (parseFloat(style(code).fontSize) < 0.7 * size) faults.push("small code");
  }
  for (const picture of seen(".cell_output img")) {
    const column = picture.closest(".cell_output").clientWidth;
    if (picture.clientWidth < column) faults.push(picture.outerHTML.slice(0, 200));
  }
  return faults;
}
"""
LOADED = r"""
() => [
  location.href,
  ...performance.getEntriesByType("resource").map((entry) => entry.name),
  ...[...document.images].map((image) => image.src),
]
"""


KINDS_SEEN: set[str] = set()  # and found legible in both themes, by this process


@pytest.fixture(scope="module")
def tab(browser, site_url):
    """One tab for all pages: what they have in common is compiled once."""
    pages = Pages(browser, site_url)
    page = pages("genindex")
    yield pages, page
    pages.close()


@pytest.fixture
def visit(tab):
    """A function that goes to a page."""
    pages, page = tab

    def go(name):
        page.emulate_media(color_scheme="light")
        page.set_viewport_size({"width": WIDTHS[0], "height": HEIGHT})
        page.goto(pages.at(name))
        return page

    pages.problems.clear()
    yield go
    assert pages.problems == []


def largest_first() -> list[str]:
    """All pages; no process is to begin a long visit when the others are done."""
    sizes = {path.with_suffix(""): path.stat().st_size for path in SITE.rglob("*.html")}
    return sorted(pages(), key=lambda name: -sizes.get(SITE / name, 0))


@pytest.mark.parametrize("name", largest_first())
def test_page(name, visit, axe, subtests, record_property):
    """One visit, since to load a page takes longer than to look at it."""
    page = visit(name)
    # First, while the page has loaded only what it needs.
    with subtests.test("weight"):
        files = loaded(page)
        assert len(files) > 1
        weight = sum(compressed(path) for path in files)
        record_property("weight", weight)
        assert weight <= WEIGHT
    for width in WIDTHS:
        with subtests.test("nothing sticks out", width=width):
            page.set_viewport_size({"width": width, "height": HEIGHT})
            page.evaluate(SETTLE)
            assert page.evaluate(STICKING_OUT) == []
            assert page.evaluate(NOT_FROM_THE_BEGINNING) == []
            assert page.evaluate(TOO_SMALL) == []
            assert page.evaluate(WRONGLY_SHADED) == []
    with subtests.test("looks"):  # in the last width
        assert page.evaluate(DEPARTING) == []
    if reading.BOOK / f"{name}.ipynb" in reading.pages():
        with subtests.test("the main line is light"):
            code, screens = page.evaluate(MAIN_LINE, HEIGHT)
            assert code <= 0.2
            assert screens <= 4
    with subtests.test("formulas are typeset"):
        assert page.evaluate(UNRENDERED) == []
        assert page.evaluate(RAW) == []
    with subtests.test("images"):
        assert page.evaluate(FAULTY_IMAGES) == []
    with subtests.test("axe"):
        assert axe(page, but=OF_COLORS) == []
    for scheme in THEMES:
        switch(page, scheme)
        page.evaluate(NOTE_KINDS)
    kinds = set(page.evaluate(KEEP_ONE_OF_EACH_NEW_KIND, sorted(KINDS_SEEN)))
    assert len(kinds) > 5
    # A kind that another page has shown to be legible need not be looked at again.
    if kinds <= KINDS_SEEN:
        return
    faults = []
    for scheme in THEMES:
        with subtests.test("axe on colors", scheme=scheme):
            switch(page, scheme)
            found = axe(page, only=OF_COLORS)
            faults += found
            assert found == []
    if not faults:
        KINDS_SEEN.update(kinds)


def loaded(page) -> set[Path]:
    """The files of the site that a page has loaded, and all its images."""
    found = (address.partition(f"/{PREFIX}/") for address in page.evaluate(LOADED))
    return {SITE / unquote(re.sub(r"[?#].*", "", file)) for _, _, file in found if file}


@cache
def compressed(path: Path) -> int:
    """How many bytes a host sends that compresses what gets smaller by it."""
    data = path.read_bytes()
    return min(len(data), len(gzip.compress(data, mtime=0)))
