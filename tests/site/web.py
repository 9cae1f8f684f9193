"""A server for the built site, and the pages that a browser opens there."""

import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

from playwright.sync_api import expect

PREFIX = "some/prefix"
THEMES = ("light", "dark")
# Rules of axe that look at the colors of text, and so depend on the theme.
OF_COLORS = ["color-contrast", "link-in-text-block"]
# Milliseconds, for whatever is waited for: a wait is over as soon as it can be, and how
# long that takes depends on what else the machine does.
TIMEOUT = 120_000
expect.set_options(timeout=TIMEOUT)
# Takes out the rest of the article, but for what scripts of every page look for: the
# headings, and styles.  When the page is read, and none has run.
KEEP_ONLY = """
document.addEventListener("readystatechange", () => {
  if (document.readyState !== "interactive") return;
  const needed = "h1, h2, h3, h4, style, script";
  const kept = new Set(document.querySelectorAll(`%s, ${needed}`));
  const around = new Set();
  for (let it of kept) while ((it = it.parentElement)) around.add(it);
  const thin = (element) => {
    for (const child of [...element.children]) {
      if (kept.has(child)) continue;
      if (around.has(child)) thin(child);
      else child.remove();
    }
  };
  const article = document.querySelector("article");
  if (article) thin(article);
});
"""


class Handler(SimpleHTTPRequestHandler):
    """Serves files, keeps connections open, and says nothing."""

    protocol_version = "HTTP/1.1"
    extensions_map = SimpleHTTPRequestHandler.extensions_map | {
        ".mjs": "text/javascript"
    }

    def send_error(self, code, message=None, explain=None):
        """Answer as static hosts do where nothing is: with the site's own page."""
        above = Path(self.translate_path(self.path)).parents
        found = (folder / "404.html" for folder in above)
        page = next((path for path in found if path.exists()), None)
        if code != 404 or page is None:
            return super().send_error(code, message, explain)
        data = page.read_bytes()
        self.send_response(404)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)

    def end_headers(self):
        # A browser that comes from another host's address may read the answer.
        self.send_header("Access-Control-Allow-Origin", "*")
        super().end_headers()

    def log_message(self, *_):
        pass


@contextmanager
def serve(folder: Path, handler: type[Handler] = Handler) -> Iterator[str]:
    """The address, with a slash at its end, at which a folder is served."""
    handler = partial(handler, directory=str(folder))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


def chromium(*, shell: bool = True) -> str | None:
    """Where the machine has its Chromium: the one without windows, if that will do.

    (Debian: chromium-headless-shell.  It takes four fifths of the time.)
    """
    names = ("chromium", "chromium-browser", "google-chrome")
    names = ("chromium-headless-shell", *names) if shell else names
    return next(filter(None, map(shutil.which, names)), None)


class Pages:
    """Opens pages of the site, and notes everything that goes wrong in them."""

    def __init__(self, browser, address: str):
        self.browser = browser
        self.address = address
        self.contexts = []
        self.problems = []

    def __call__(
        self,
        name="index",
        *,
        only=None,
        routes=None,
        expected=None,
        **options,
    ):
        """Open a page in a fresh context, and wait until its scripts have run.

        Parameters
        ----------
        name : str
            The page, as the table of contents writes it, with what may follow:
            ``"search?q=winnow"``, ``"theorems#kak-thm2.2"``.
        only : str, optional
            A selector: of the article, what it finds and little else.  A long
            page takes its time to be drawn again after each click.
        routes : dict, optional
            Addresses (Playwright's patterns) outside the site that the test answers,
            each with its handler.
        expected : str, optional
            A regular expression: problems that it finds are what the test provokes.
        **options
            Of the context: ``viewport``, ``color_scheme``, ``reduced_motion``,
            ``java_script_enabled``, ``has_touch``, ...

        Returns
        -------
        playwright.sync_api.Page
        """
        options = {"viewport": {"width": 1280, "height": 900}} | options
        context = self.browser.new_context(service_workers="block", **options)
        context.set_default_timeout(TIMEOUT)
        self.contexts.append(context)
        self.watch(context, re.compile(expected or r"(?!)"))
        for pattern, handler in (routes or {}).items():
            context.route(pattern, handler)
        if only:
            context.add_init_script(KEEP_ONLY % only)
        page = context.new_page()
        page.goto(self.at(name))
        return page

    def at(self, name: str) -> str:
        """The address of a page, with what may follow its name."""
        return self.address + re.sub(r"^[^?#]+", r"\g<0>.html", name)

    def watch(self, context, expected: re.Pattern) -> None:
        """Note errors, files that are missing, and requests that leave the site."""

        def note(problem):
            if not expected.search(problem):
                self.problems.append(problem)

        def refuse(route):
            note(f"asked outside the site: {route.request.url}")
            route.abort()

        def said(message):
            if message.type == "error":
                note(f"console: {message.text}")

        def answered(response):
            if response.status >= 400:
                note(f"{response.status}: {response.url}")

        inside = re.escape(self.address.removeprefix("http://"))
        context.route(re.compile(rf"^(?:https?|wss?)://(?!{inside})"), refuse)
        context.on("console", said)
        context.on("weberror", lambda error: note(f"thrown: {error.error.stack}"))
        context.on("response", answered)

    def close(self) -> None:
        """Close all pages."""
        for context in self.contexts:
            context.close()


def switch(page, scheme: str) -> None:
    """Let the page's theme follow the reader's system."""
    page.emulate_media(color_scheme=scheme)
    page.wait_for_function(
        "(scheme) => document.documentElement.dataset.theme === scheme", arg=scheme
    )


def download(page) -> Path:
    """The notebook that the page's button for downloads gives."""
    page.locator("button[aria-label='Download this page']").click()
    with page.expect_download() as found:
        page.locator("a[href$='.ipynb']:visible").click()
    return found.value.path()
