"""Pages opened in JupyterLab, as `make lab` starts it, in the browser.

What is read there is read as on the site: nothing is shown as it was typed.  All cells
run, what they show answers the hand, and a save leaves the file as it was.
"""

import json
import re
import secrets
import shutil
import subprocess
import sys
import time
import urllib.request

import pytest
from built import ROOT
from web import TIMEOUT

sys.path.append(str(ROOT / "book" / "_tools"))
import notebooks  # noqa: E402

from olutil.boxes import boxes  # noqa: E402

# With all kinds of content between them: boxes, proofs, exercises, solutions with code,
# equations, links of every kind, a figure with sliders, games.
PAGES = ["lectures/kakade", "lectures/cos511-experts", "index"]
RAW = {
    "role": r"\{[\w:-]+\}`|\{(?:ref|doc|term|cite|numref|eq|prf)\b",
    "directive": r":::|```|\{(?:prf:\w+|exercise|solution|dropdown|admonition)",
    "option": r"(?<!\S):(?:label|class|nonumber):",
    "target": r"(?<!\S)\([\w.-]+\)=",
    "TeX": r"\\[A-Za-z]+|\$",
    "error": r"Wrong: .*",
}
# The text of a cell as it is seen: a formula is drawn, and code is code.
SEEN = """
(cell) => {
  const shown = cell.querySelector(".myst").cloneNode(true);
  const marked = "[class*=text-yellow-], [class*=text-red-], .katex-error";
  const dead = [...shown.querySelectorAll("a[href='#'], a[href^='#']")]
    .filter((link) => !document.getElementById(link.hash.slice(1)));
  const wrong = [...shown.querySelectorAll(marked), ...dead];
  const said = wrong.map((node) => `Wrong: ${node.outerHTML}`);
  for (const drawn of shown.querySelectorAll(".katex, code, pre")) drawn.remove();
  return [shown.textContent, ...said].join("\\n");
}
"""
# What a cell shows, without what is pressed and moved.
SHOWN = """
(output) => {
  const shown = output.cloneNode(true);
  const controls = "button, input, output, label, .widget-slider, .widget-play, " +
    "[role=slider], .jupyter-button";
  for (const control of shown.querySelectorAll(controls)) control.remove();
  return shown.innerHTML;
}
"""
SOLUTION = "details.myst-exercise:has(.myst-exercise-body:empty)"
CONTROL = "[role=slider], input[type=range], button:not([disabled])"
LIVE = ".jp-OutputArea-output.lm-Panel"  # a widget of any kind


def settled(page):
    """Wait until each cell of text is drawn."""
    page.wait_for_function(
        """() => {
          const cells = [...document.querySelectorAll(".jp-MarkdownCell")];
          return cells.length && cells.every((cell) => cell.querySelector(".myst > *"));
        }"""
    )


def raw(page) -> list[list[str]]:
    """What the text of a notebook shows as it was typed, cell by cell."""
    texts = page.locator(".jp-MarkdownCell").evaluate_all(
        f"(cells) => cells.map({SEEN})"
    )
    return [
        [
            f"{kind}: {text[max(0, at.start() - 20) : at.end() + 30]!r}"
            for kind, pattern in RAW.items()
            for at in re.finditer(pattern, text)
        ]
        for text in texts
    ]


def plain(text: str) -> str:
    return re.sub(r"[\s'’]+", " ", text).strip()


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    """A JupyterLab on a copy of the book: its folder, its address and its token."""
    home = tmp_path_factory.mktemp("lab")
    book = home / "book"
    shutil.copytree(ROOT / "book", book, ignore=shutil.ignore_patterns("_vendor"))
    settings = home / "settings" / "@jupyterlab" / "notebook-extension"
    settings.mkdir(parents=True)
    # All cells are in the page, whether or not they are in the window.
    (settings / "tracker.jupyterlab-settings").write_text('{"windowingMode": "none"}')
    token = secrets.token_hex()
    environment = notebooks.kernel_environment(str(home)) | {
        "JUPYTER_CONFIG_DIR": str(home / "config"),
        "JUPYTER_DATA_DIR": str(home / "data"),
        "JUPYTER_RUNTIME_DIR": str(home / "runtime"),
        "JUPYTERLAB_SETTINGS_DIR": str(home / "settings"),
        "JUPYTERLAB_WORKSPACES_DIR": str(home / "workspaces"),
        "JUPYTER_TOKEN": token,
    }
    command = [
        sys.executable, "-m", "jupyter", "lab", "--no-browser", "--allow-root",
        "--port=0", f"--config={book / '_tools/lab/config.py'}",
        "--expose-app-in-browser",
    ]  # fmt: skip
    with (home / "log").open("wb") as log:
        server = subprocess.Popen(
            command, env=environment, stdout=log, stderr=log, start_new_session=True
        )
        try:
            yield book, address(server, home, token), token
        finally:
            server.kill()  # and its kernels, which see it
            server.wait()


def address(server: subprocess.Popen, home, token: str) -> str:
    """Where the server answers, as soon as it does."""
    until = time.monotonic() + TIMEOUT / 1000
    while time.monotonic() < until and server.poll() is None:
        for told in (home / "runtime").glob("jpserver-*.json"):
            try:
                url = json.loads(told.read_text())["url"]
                headers = {"Authorization": f"token {token}"}
                asked = urllib.request.Request(f"{url}api/status", headers=headers)
                urllib.request.urlopen(asked, timeout=10).close()
                return url
            except (OSError, ValueError):  # not yet written, not yet listening
                pass
        time.sleep(0.2)
    pytest.fail((home / "log").read_text()[-2000:].replace(token, "..."))


@pytest.fixture(scope="module")
def open_notebook(browser, lab):
    """A function that opens a notebook, by its path."""
    _, url, token = lab
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    context.set_default_timeout(TIMEOUT)
    # Who has shown the token once has a cookie, and the token is in no address.
    headers = {"Authorization": f"token {token}"}
    assert context.request.get(f"{url}api/contents", headers=headers).ok

    def opened(path):
        page = context.new_page()
        page.goto(f"{url}doc/tree/{path}?reset")
        settled(page)
        return page

    yield opened
    context.close()


@pytest.mark.parametrize("name", PAGES)
def test_a_page_reads_runs_and_answers(name, open_notebook, lab, subtests):
    path = lab[0] / f"{name}.ipynb"
    stored = path.read_text("utf-8").splitlines()
    page = open_notebook(f"{name}.ipynb")
    with subtests.test("nothing is seen as it was typed"):
        assert sum(raw(page), []) == []
    with subtests.test("statements have their titles"):
        text = plain(" ".join(page.locator(".myst-proof-title").all_text_contents()))
        for cell in notebooks.read(path).cells:
            if cell.cell_type == "markdown":
                for box in boxes(cell.source, name):
                    assert plain(re.sub(r"[`*]|\$.*", "", box.title)) in text
        labels = page.locator(".myst-proof-title > :first-child").all_text_contents()
        assert [label for label in labels if re.search(r"\d", label)] == []
    for solution in page.locator(SOLUTION).all()[:1]:
        with subtests.test("a solution in cells of its own is folded, and opens"):
            cells = page.locator(".jp-Cell").filter(has=solution).locator("~ .jp-Cell")
            assert not cells.first.is_visible()
            solution.locator("summary").click(position={"x": 4, "y": 4})
            cells.first.wait_for()
    # The promise is kept when the last cell has run.
    page.evaluate(
        """async () => {
          await jupyterapp.shell.currentWidget.sessionContext.ready;
          await jupyterapp.commands.execute("notebook:run-all-cells");
        }"""
    )
    with subtests.test("all cells run"):
        said = page.evaluate(
            """() => [...jupyterapp.shell.currentWidget.content.model.cells]
              .filter((cell) => cell.type === "code")
              .map((cell) => [cell.executionCount, cell.outputs.toJSON()])"""
        )
        assert [count for count, _ in said] == list(range(1, len(said) + 1))
        assert [shown for _, all in said for shown in all if "ename" in shown] == []
    page.locator(f"{LIVE} *").first.wait_for()
    for output in page.locator(LIVE).all():
        output.scroll_into_view_if_needed()
        with subtests.test("what a cell shows fits on a screen, and answers"):
            height = output.bounding_box()["height"]
            assert height < 840
            answers(page, output)
    with subtests.test("a save leaves the file as it was"):
        page.evaluate("() => jupyterapp.commands.execute('docmanager:save')")
        assert path.read_text("utf-8").splitlines() == stored


def answers(page, output):
    """Drive the first control of a figure or of a game: what is shown changes."""
    control = output.locator(CONTROL).first
    control.wait_for()
    before = output.evaluate(SHOWN)
    if control.evaluate("(it) => it.matches('[role=slider], input')"):
        at = [control.get_attribute(f"aria-value{which}") for which in ("now", "max")]
        control.press("ArrowLeft" if at[0] == at[1] else "ArrowRight")
    else:
        control.click()
    page.wait_for_function(
        f"([output, before]) => ({SHOWN})(output) !== before",
        arg=[output.element_handle(), before],
    )


def test_what_is_raw_is_found(open_notebook, lab):
    typed = [
        "```{nosuch} One\nIt holds.\n```",
        "See { ref}`that`, {ref}\\`that\\`.",
        "(bare)= target",
        "A formula \\\\alpha.",
        "{ref}`elsewhere`",
        "$\\nosuch$",
        "[elsewhere](#elsewhere)",
    ]
    cells = [notebooks.nbformat.v4.new_markdown_cell(text) for text in typed]
    notebook = notebooks.nbformat.v4.new_notebook(cells=cells)
    (lab[0] / "typed.ipynb").write_text(notebooks.write(notebook), encoding="utf-8")
    found = raw(open_notebook("typed.ipynb"))
    assert [text for text, seen in zip(typed, found, strict=True) if not seen] == []
