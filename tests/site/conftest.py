"""A server and a browser for the built site.

    def test_something(open_page):
        page = open_page("lectures/kakade", color_scheme="dark")
        page.get_by_role("button", name="Start again").click()

`open_page` gives a Playwright page.  When the test is over, it fails if the page wrote
an error to the console, threw one, missed a file, or asked for anything from elsewhere.
"""

import os
from pathlib import Path

import pytest
from built import ROOT, SITE
from playwright.sync_api import sync_playwright
from web import OF_COLORS, PREFIX, TIMEOUT, Pages, chromium, serve

from olutil.widgets.interactive import module

INSTALL = "apt-get install $(.ci/packages site)"
NODE_MODULES = Path(__file__).parent / "node_modules"
# What axe, which looks at each element, would look at thousands of times in vain: a
# formula has one color and one role, whatever is in it.
THIN_OUT = """
() => {
  for (const math of document.querySelectorAll("math")) {
    math.replaceChildren(math.textContent);
  }
}
"""
# Code has a part for each color; where colors do not matter, it is one text meanwhile.
FLATTEN_CODE = """
() => {
  window.code = new Map();
  for (const pre of document.querySelectorAll("pre")) {
    code.set(pre, [...pre.childNodes]);
    pre.replaceChildren(pre.textContent);
  }
}
"""
RESTORE_CODE = "() => code.forEach((parts, pre) => pre.replaceChildren(...parts))"
# By default all rules: WCAG 2.0 and 2.1 at levels A and AA, and best practices.
AXE = """
async ([part, only, but]) => {
  // Halfway from light to dark a color is neither.
  for (const animation of document.getAnimations()) {
    if (animation instanceof CSSTransition) animation.finish();
  }
  const rules = Object.fromEntries(but.map((rule) => [rule, { enabled: false }]));
  const { violations } = await axe.run(part, {
    resultTypes: ["violations"], rules, ...(only && { runOnly: only }),
  });
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, target }) => `${id}: ${target} ${html.slice(0, 200)}`));
}
"""


def pytest_configure(config):
    config.addinivalue_line("markers", "browser: needs Chromium and npm's packages")


def pytest_collection_modifyitems(items):
    """Whatever uses the browser is a browser test."""
    for item in items:
        if "browser" in getattr(item, "fixturenames", ()):
            item.add_marker("browser")


def pytest_xdist_make_scheduler(config, log):
    """With --dist loadscope, what shares something slow is done by one process.

    That is Python in the page, which has to start, and a page that is parsed.
    """
    from xdist.scheduler import LoadScopeScheduling

    class Sharing(LoadScopeScheduling):
        def _split_scope(self, nodeid):
            file, _, test = nodeid.partition("::")
            if file.endswith("test_live.py"):
                return file
            if file.endswith(("test_pages.py", "test_files.py")):
                return test.partition("[")[2] or nodeid
            return nodeid

    return Sharing(config, log) if config.getvalue("dist") == "loadscope" else None


def missing(what: str, cure: str) -> None:
    """Skip a test for what the machine lacks; where CI is set, fail it."""
    message = f"the browser tests need {what}: {cure}"
    if os.environ.get("CI"):
        pytest.fail(message)
    pytest.skip(message)


@pytest.fixture(scope="session")
def node_modules() -> Path:
    """Where npm has put the packages of tests/site/package.json."""
    if not (NODE_MODULES / ".package-lock.json").exists():
        here = NODE_MODULES.parent.relative_to(ROOT)
        install = f"install npm (Debian: {INSTALL}), then npm ci --prefix {here}"
        missing("packages from npm", install)
    return NODE_MODULES


@pytest.fixture(scope="session")
def browser(node_modules):
    """Chromium, as the machine has it."""
    path = chromium()
    if path is None:
        missing("Chromium", f"install it (Debian: {INSTALL})")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, timeout=TIMEOUT)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def site_url(tmp_path_factory):
    """The address of the site, which is below a prefix, with a slash at its end."""
    if not (SITE / "index.html").exists():
        pytest.fail(f"no {SITE / 'index.html'}: build the site with `make book`")
    folder = tmp_path_factory.mktemp("host")
    (folder / PREFIX).parent.mkdir(parents=True)
    (folder / PREFIX).symlink_to(SITE, target_is_directory=True)
    # Pyodide's files stand outside the site, as they do on their own host.
    (folder / "pyodide").symlink_to(NODE_MODULES / "pyodide", target_is_directory=True)
    with serve(folder) as address:
        yield f"{address}{PREFIX}/"


@pytest.fixture
def open_page(browser, site_url):
    """A function that opens a page of the site: ``open_page(name, **options)``."""
    pages = Pages(browser, site_url)
    yield pages
    pages.close()
    assert pages.problems == []


@pytest.fixture(scope="session")
def computed(browser):
    """What an interactive figure's function gives for each list of arguments.

    ``computed("perceptron", "run", [[X, y], ...])`` calls the function ``run`` of the
    module's default export, in the browser.
    """
    page = browser.new_page()
    loaded = set()

    def values(figure: str, function: str, arguments: list[list]) -> list:
        if figure not in loaded:
            code = module(figure).replace("export default", f"window.{figure} =")
            page.add_script_tag(content=f"(() => {{{code}}})()")
            loaded.add(figure)
        call = "([of, name, all]) => all.map((each) => window[of][name](...each))"
        return page.evaluate(call, [figure, function, arguments])

    yield values
    page.close()


@pytest.fixture(scope="session")
def axe(node_modules):
    """A function that gives what axe-core finds wrong in a page, or in a part of it.

    It takes the page, the part (a selector), and which rules are the only ones, or are
    left out.
    """
    source = (node_modules / "axe-core" / "axe.min.js").read_text(encoding="utf-8")

    def violations(page, part="html", *, only=None, but=()) -> list[str]:
        page.evaluate(THIN_OUT)
        if not page.evaluate("'axe' in window"):
            page.evaluate(source)
        colorless = set(OF_COLORS) <= set(but)
        if colorless:
            page.evaluate(FLATTEN_CODE)
        found = page.evaluate(AXE, [part, only, list(but)])
        if colorless:
            page.evaluate(RESTORE_CODE)
        return found

    return violations
