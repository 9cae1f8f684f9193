"""What a reader does on any page: searches, switches, tabs, follows, downloads."""

import os
import re
import subprocess
import sys
from io import BytesIO

import pytest
from built import ROOT, SITE
from PIL import Image, ImageStat
from playwright.sync_api import expect
from web import OF_COLORS, PREFIX, Pages, download, serve, switch

sys.path.insert(0, str(ROOT / "book" / "_ext"))
from searching import words  # noqa: E402

FINDS = {
    "perceptron": {
        "lectures/cos511-perceptron",
        "lectures/kakade-linear",
        "lectures/kitani-perceptron",
    },
    "winnow": {"lectures/kitani-winnow", "glossary"},
    "regret": {"lectures/das-regret", "lectures/das-descent", "glossary"},
    "0-1": {"lectures/das-linear"},
    "0–1 loss": {"lectures/das-linear"},
    "ε": {"lectures/das-regret", "beyond/games-selfplay"},
    "Epsilon": {"lectures/das-regret", "beyond/games-selfplay"},
    "\\beta": {"lectures/cos511-tuning", "notation"},
    "pdf": {"cite"},
    "Lovász": {"references"},
    "lovasz": {"references"},
}
# What has to be taken apart by the page as it was by the index.
TEXTS = [
    "László Lovász's 0–1 loss, 0/1, 10-1 and x-1",
    r"$\varepsilon$-universal, \frac{\Gamma}{2}, \lg 𝜀 Δw ϕ ς β₁",
    "play(learner, rounds) naïve ÅNGSTRÖM_2",
]
# Everything that the Tab key should stop at, with how it looks without focus.
CONTROLS = r"""
() => {
  // A card shows its focus around what covers it, which is ::after.
  const look = (element) => [null, "::after"].map((part) => {
    const style = getComputedStyle(element, part);
    return [
      style.outline, style.boxShadow, style.border, style.backgroundColor,
      style.color, style.textDecoration,
    ].join(" ");
  }).join(" ");
  const selector = "a[href], button, input, select, textarea, summary, [tabindex]";
  // Of a group of radio buttons the chosen one is a stop; arrow keys lead on.
  window.controls = [...document.querySelectorAll(selector)].filter((element) =>
    element.tabIndex >= 0 && !element.disabled &&
    (element.type !== "radio" || element.checked) &&
    element.checkVisibility({ visibilityProperty: true }) &&
    !element.closest("[inert]"));
  window.looks = controls.map(look);
  window.reached = new Set();
  window.unseen = [];
  document.addEventListener("focusin", ({ target }) => {
    // After this frame, when the style for focus is there.
    const at = controls.indexOf(target);
    if (at < 0) return;
    reached.add(at);
    target.getAnimations().forEach((animation) => animation.finish());
    if (look(target) === looks[at]) unseen.push(target.outerHTML.slice(0, 150));
  });
  return controls.length;
}
"""
NOT_REACHED = """
() => controls.filter((_, at) => !reached.has(at)).map((c) => c.outerHTML.slice(0, 150))
"""


# --- Search -------------------------------------------------------------------------


def results(page) -> set[str]:
    """The pages that a search has found, when it is over."""
    expect(page.locator(".search-summary")).to_contain_text("Search finished")
    links = page.locator("#search-results li > a").evaluate_all(
        "links => links.map((link) => link.href)"
    )
    found = (re.search(rf"{PREFIX}/(.+)\.html", link) for link in links)
    return {match[1] for match in found if match}


def test_search_page(open_page, subtests):
    page = open_page("search")
    box = page.locator("main input[type=search]")

    def search(asked):
        box.fill(asked)
        with page.expect_navigation():
            box.press("Enter")

    for asked, expected in FINDS.items():
        with subtests.test("finds", words=asked):
            search(asked)
            assert expected - results(page) == set()
    with subtests.test("an accent that was not typed is marked"):
        expect(page.locator(".context .highlighted").first).to_have_text("Lovász")
    with subtests.test("passages are text"):
        search("weights")
        assert len(results(page)) > 5
        # (What is found by the name of an object has a description instead.)
        found = page.locator("#search-results li:not(:has(> span))").count()
        expect(page.locator(".context")).to_have_count(found)
        for text in page.locator(".context").all_inner_texts():
            assert 0 < len(text) < 260
            assert re.search(r"[\\{}#]|Toggle|Show the|Contents", text) is None
    with subtests.test("a slip is put right"):
        search("the Perceptorn")
        page.locator(".search-summary a").click()
        page.wait_for_url("**/search.html?q=the%20perceptron")
        assert FINDS["perceptron"] - results(page) == set()
    with subtests.test("nothing found"):
        search("qqqqqq")
        expect(page.locator(".search-summary")).to_contain_text("No page")
        expect(
            page.get_by_role("main").get_by_role("link", name="glossary")
        ).to_be_visible()
    with subtests.test("the same words in the index and here"):
        split = "(texts) => texts.map((text) => splitQuery(text))"
        assert page.evaluate(split, TEXTS) == list(map(words, TEXTS))


def test_search_dialog_finds(open_page):
    page = open_page("lectures/kakade", only="h1")
    page.get_by_role("button", name="Search").first.click()
    box = page.locator("dialog[open] input[type=search]")
    expect(box).to_be_focused()
    box.fill("winnow")
    box.press("Enter")
    page.wait_for_url("**/search.html?q=winnow*")
    assert FINDS["winnow"] - results(page) == set()


def test_matches_can_be_hidden_where_there_are_any(open_page):
    """In the text: the table of contents has every lecture's words."""
    page = open_page("cite")
    for searched, count in (("license", 1), ("winnow", 0)):
        page.evaluate("(it) => { localStorage.sphinx_highlight_terms = it; }", searched)
        page.reload()
        hide = page.get_by_role("link", name="Hide Search Matches")
        expect(hide).to_have_count(count)
        if count:
            hide.click()
            expect(page.locator("article .highlighted")).to_have_count(0)


# --- Keyboard -----------------------------------------------------------------------


def test_skip_link(open_page):
    page = open_page("lectures/kakade")
    page.keyboard.press("Tab")
    link = page.locator("a:focus")
    expect(link).to_have_text("Skip to main content")
    expect(link).to_be_in_viewport()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.closest('main, .bd-main') !== null")


@pytest.mark.parametrize("name", ["index", "search", "lectures/das-experts"])
def test_tab_reaches_every_control_and_shows_where_it_is(open_page, name):
    page = open_page(name)
    count = page.evaluate(CONTROLS)
    assert count > 10
    # A scroll container is a stop too, so there are more stops than controls.
    for _ in range(count + 80):
        page.keyboard.press("Tab")
        if page.evaluate("reached.size === controls.length"):
            break
    assert page.evaluate(NOT_REACHED) == []
    assert page.evaluate("unseen") == []


# --- Theme --------------------------------------------------------------------------


def test_theme_switch(open_page):
    page = open_page("index")
    root = page.locator("html")
    switch = page.locator(".theme-switch-button:visible").first
    seen = set()
    for _ in range(3):
        switch.click()
        seen.add((root.get_attribute("data-mode"), root.get_attribute("data-theme")))
    assert {mode for mode, _ in seen} == {"light", "dark", "auto"}
    assert {("light", "light"), ("dark", "dark")} <= seen
    while root.get_attribute("data-mode") != "dark":
        switch.click()
    page.reload()
    expect(root).to_have_attribute("data-theme", "dark")


def test_pictures_are_dark_where_the_page_is(open_page):
    page = open_page("lectures/kakade-linear", color_scheme="dark")
    for kind in (".cell_output img", ".ol-player img"):
        picture = page.locator(f"article {kind}").first
        picture.scroll_into_view_if_needed()
        page.wait_for_function("(it) => it.complete", arg=picture.element_handle())
        with Image.open(BytesIO(picture.screenshot())) as shown:
            brightness = ImageStat.Stat(shown.convert("L"))
        assert brightness.mean[0] < 60
        assert brightness.extrema[0][1] > 150  # its lines are there


# --- Menu ---------------------------------------------------------------------------


def test_menu_opens_and_closes(open_page):
    page = open_page("lectures/kakade", only="h1")
    button = page.get_by_role("button", name="Download this page")
    item = page.locator("a.btn-download-source-button")
    expect(item).to_be_hidden()
    button.focus()
    page.keyboard.press("Enter")
    expect(item).to_be_visible()
    expect(button).to_have_attribute("aria-expanded", "true")
    page.keyboard.press("Tab")
    expect(item).to_be_focused()
    page.keyboard.press("Escape")
    expect(item).to_be_hidden()
    expect(button).to_be_focused()
    button.click()
    page.locator("article h1").click()
    expect(item).to_be_hidden()


# --- Dialog --------------------------------------------------------------------------


def test_report_dialog(open_page, axe):
    page = open_page("lectures/kakade", only="h1")
    button = page.get_by_role("button", name="Report an error")
    button.click()
    dialog = page.get_by_role("dialog", name="Report an error")
    text = dialog.get_by_role("textbox")
    expect(text).to_be_focused()
    title = page.locator("article h1").first.inner_text().removesuffix("#").strip()
    assert f"Page: {title}\n" in text.input_value()
    assert axe(page, "dialog") == []
    switch(page, "dark")
    assert axe(page, "dialog", only=OF_COLORS) == []
    text.press("End")
    text.press_sequentially("A sign is wrong.")
    with page.expect_download() as saved:
        dialog.get_by_role("button", name="Save as a file").click()
    assert saved.value.path().read_text(encoding="utf-8") == text.input_value()
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    expect(button).to_be_focused()


# --- Previews -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "links"),
    [
        (
            "lectures/kakade",
            {
                "a term": "a[href='../glossary.html#term-version-space']",
                "of this page": "article p a.reference.internal[href^='#']",
                "a badge": "a.evidence[href$='#row-kak-thm2-2']",
            },
        ),
        (
            "lectures/cos511-perceptron",
            {"of another page": "a.reference[href^='kakade-linear.html#']"},
        ),
        (
            "errata",
            {"a remark": "a.reference[href='lectures/kakade-linear.html#kak-pf4-7']"},
        ),
    ],
)
def test_preview_of_a_reference(open_page, axe, subtests, name, links):
    page = open_page(name, only="section > :not(.cell)")
    for what, link in links.items():
        with subtests.test("preview", of=what):
            shows_its_preview(page, link)
    page.locator(link).first.hover()
    expect(page.locator("#preview")).to_be_visible()
    assert axe(page, "#preview") == []


def test_preview_says_what_it_is_about(open_page):
    """A badge's has what was checked, an erratum's what is wrong."""
    page = open_page("lectures/kakade", only="section > :not(.cell)")
    page.locator("a.evidence[href$='#row-kak-thm2-2']").first.hover()
    preview = page.locator("#preview")
    expect(preview).to_contain_text("Mistake bound of Halving")
    expect(preview).to_contain_text("exhaustive: holds in all")
    page.mouse.move(0, 0)
    expect(preview).to_be_hidden()
    page.locator("a[href$='errata.html#kak-e8']").first.hover()
    expect(preview).to_contain_text("Needs a hypothesis.")
    assert preview.locator("p").count() > 1
    assert len(preview.inner_text()) > 300


def shows_its_preview(page, link):
    reference = page.locator(link).first
    preview = page.locator("#preview[role=tooltip]")
    expect(preview).to_be_hidden()
    reference.hover()
    expect(preview).to_be_visible()
    expect(preview).to_be_in_viewport(ratio=1)
    expect(preview).to_have_text(re.compile(r"\w"))
    expect(preview.locator(".evidence")).to_have_count(0)
    page.mouse.move(0, 0)
    expect(preview).to_be_hidden()
    # By keyboard, too: Tab arrives at the link.
    reference.focus()
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Tab")
    expect(reference).to_be_focused()
    expect(preview).to_be_visible()
    page.keyboard.press("Escape")
    expect(preview).to_be_hidden()
    expect(reference).to_be_focused()


def test_touch_follows_a_reference(open_page):
    phone = {"viewport": {"width": 390, "height": 844}, "has_touch": True}
    page = open_page("lectures/kakade", **phone)
    page.locator("a[href='../glossary.html#term-version-space']").first.tap()
    page.wait_for_url("**/glossary.html#term-version-space")


# --- Contents -----------------------------------------------------------------------


def test_contents_show_the_sections_and_where_one_is(open_page):
    page = open_page("lectures/kakade")
    links = page.locator("#contents a")
    hashes = [link.get_attribute("href") for link in links.all()]
    assert {"#halving", "#theorem-2-2", "#notes"} < set(hashes)
    for link in links.all():
        expect(link).to_be_visible()
    marked = page.locator("#contents a[aria-current]")
    expect(marked).to_have_count(0)
    # By a click, by going back, and by scrolling on.
    for at in (5, 2, 9, len(hashes) - 1):
        links.nth(at).click()
        expect(marked).to_have_attribute("href", hashes[at])
        expect(marked).to_have_count(1)
    page.go_back()
    expect(marked).to_have_attribute("href", hashes[9])
    page.locator(hashes[5]).evaluate(
        "it => scrollTo({ top: it.offsetTop - 50, behavior: 'instant' })"
    )
    expect(marked).to_have_attribute("href", hashes[5])


# --- Wide things on a phone ---------------------------------------------------------


def test_the_edge_where_something_goes_on_is_in_the_shade(open_page):
    phone = {"viewport": {"width": 390, "height": 844}}
    page = open_page("lectures/kakade-linear", **phone)
    for wide in ("div.math", "span.math.long", "pre"):
        it = page.locator(f"article :is({wide}).more-after").first
        expect(it).not_to_have_class(re.compile("more-before"))
        it.focus()  # a stop of the Tab key
        it.evaluate("it => it.scrollTo({ left: 3, behavior: 'instant' })")
        expect(it).to_have_class(re.compile("more-before"))
        it.evaluate("it => it.scrollTo({ left: 9999, behavior: 'instant' })")
        # (By its focus, since the class that found it is gone.)
        page.wait_for_function("!document.activeElement.matches('.more-after')")
        assert page.evaluate("document.activeElement.matches('.more-before')")
    # What is printed in sentences need not be pushed.
    assert page.locator(".sentences pre:visible").count() > 0
    expect(page.locator(".sentences .more-after")).to_have_count(0)
    page.set_viewport_size({"width": 1280, "height": 844})
    expect(page.locator("span.math.more-after")).to_have_count(0)


def test_what_is_folded_is_not_measured(open_page):
    """As the theme's script would do: the page would be laid out for each part."""
    page = open_page("lectures/kitani-winnow")
    assert page.locator("details:not([open]) pre").count() > 5
    expect(page.locator("details:not([open]) pre[tabindex]")).to_have_count(0)


# --- Other hosts, other readers -----------------------------------------------------


def test_site_works_at_the_root_of_a_host(browser):
    with serve(SITE) as address:
        pages = Pages(browser, address)
        page = pages("index")
        page.locator("nav a[href*='lectures/kakade']").first.click()
        page.wait_for_url(f"{address}lectures/kakade.html")
        expect(page.locator("math").first).to_be_visible()
        page.locator("a.right-next, a.next-page, a[rel=next]").first.click()
        page.wait_for_url(f"{address}lectures/kakade-linear.html")
        pages.close()
        assert pages.problems == []


@pytest.mark.parametrize("address", ["nothing", "lectures/no/such/page.html?a=b#c"])
def test_where_nothing_is(browser, site_url, address):
    pages = Pages(browser, site_url)
    page = pages(expected=r"404")
    page.goto(site_url + address)
    expect(page.locator("article h1")).to_have_text("There is no such page")
    root = page.locator("html")
    expect(root).to_have_css("scroll-padding-top", "64px")  # so its style is there
    read = page.locator("article").get_by_role("link", name="Read")
    assert read.evaluate("link => link.href") == f"{site_url}lectures/kakade.html"
    box = page.locator("article input[type=search]")
    box.fill("winnow")
    box.press("Enter")
    page.wait_for_url(f"{site_url}search.html?q=winnow*")
    assert FINDS["winnow"] - results(page) == set()
    pages.close()
    assert pages.problems == []


@pytest.mark.parametrize("name", ["index", "lectures/kakade", "theorems"])
def test_page_can_be_read_without_scripts(open_page, name):
    page = open_page(name, java_script_enabled=False)
    article = page.locator("article")
    expect(article.locator("h1")).to_be_visible()
    shown = article.locator("p:visible")
    assert shown.count() > 0.5 * article.locator("p").count()
    for image in article.locator("img:visible").all():
        image.scroll_into_view_if_needed()
        box = image.bounding_box()
        assert box["width"] > 50 and box["height"] > 20


def test_downloaded_notebook_runs_in_a_clone(open_page, tmp_path):
    """The others are the same bytes as the ones that the notebooks step has run."""
    clone = tmp_path / "clone"
    # What a clone has once the working tree is committed.
    listed = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    files = subprocess.run(listed, cwd=ROOT, capture_output=True, check=True).stdout
    for name in filter(None, files.decode().split("\0")):
        if (ROOT / name).is_file():
            (clone / name).parent.mkdir(parents=True, exist_ok=True)
            (clone / name).write_bytes((ROOT / name).read_bytes())
    notebook = clone / "downloads" / "notation.ipynb"
    notebook.parent.mkdir()
    notebook.write_bytes(download(open_page("notation", only="h1")).read_bytes())
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    options = ["--nbval", "--nbval-current-env"]
    options += ["--nbval-sanitize-with", "tests/nbval_sanitize.cfg"]
    done = subprocess.run(
        [*command, *options, str(notebook.relative_to(clone))],
        cwd=clone,
        # The clone's package, not the one that is installed.
        env=os.environ | {"PYTHONPATH": str(clone)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout[-3000:]
    assert re.search(r"^\d+ passed", done.stdout, re.MULTILINE)
