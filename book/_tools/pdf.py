"""Print the built site to one PDF, with bookmarks, links and page numbers.

The pages are bound into one in the browser (bind.js), so that the PDF's
links, outline and page numbers are the browser's own.  How a page looks on
paper is in ``book/_assets/print.css``.
"""

import argparse
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pikepdf
from playwright.sync_api import sync_playwright

BIND = Path(__file__).with_name("bind.js")
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
MINUTES = 10
# The text is as wide on the screen as it will be on paper, so that what is measured on
# the screen (formulas, tables) fits.
WIDTH = 690
FOOTER = """
<div style="width: 100%; font-size: 8px; text-align: center">
  <span class="pageNumber"></span>
</div>
"""


class Quiet(SimpleHTTPRequestHandler):
    """A handler that does not write a line for each file."""

    def log_message(self, *_) -> None:
        pass


@contextmanager
def served(site: Path) -> Iterator[str]:
    """The address of a folder's index while it is served: modules need one."""
    handler = partial(Quiet, directory=str(site))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/index.html"
        server.shutdown()


def print_book(site: Path, target: Path, browser: str) -> int:
    """Print a built site.

    Parameters
    ----------
    site
        The folder with the built pages.
    target
        The PDF to write.
    browser
        The command of a Chromium.

    Returns
    -------
    int
        How many pages of the site are in it.
    """
    with served(site) as address, sync_playwright() as playwright:
        # Without the sandbox, which a container's root user cannot have; the pages are
        # the site's own.
        chromium = playwright.chromium.launch(
            executable_path=browser, args=["--no-sandbox"], timeout=MINUTES * 60_000
        )
        page = chromium.new_page(viewport={"width": WIDTH, "height": 1000})
        page.set_default_timeout(MINUTES * 60_000)
        page.emulate_media(media="print", color_scheme="light")
        page.goto(address)
        bound = page.evaluate(BIND.read_text("utf-8").strip().removesuffix(";"))
        page.pdf(
            path=target,
            prefer_css_page_size=True,
            outline=True,
            tagged=True,
            display_header_footer=True,
            header_template="<span></span>",
            footer_template=FOOTER,
        )
        chromium.close()
    finish(target)
    return bound


def finish(target: Path) -> None:
    """Correct the bookmarks, and compress the objects to a third of the size."""
    with pikepdf.open(target, allow_overwriting_input=True) as pdf:
        with pdf.open_outline() as outline:
            correct(outline.root)
        pdf.save(target, object_stream_mode=pikepdf.ObjectStreamMode.generate)


def correct(items: list[pikepdf.OutlineItem]) -> None:
    """Write each title once: Chromium repeats a heading moved to the next page."""
    for item in items:
        half = len(item.title) // 2
        if half and item.title == 2 * item.title[:half]:
            item.title = item.title[:half]
        correct(item.children)


def main() -> int:
    """Print the site named on the command line; returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("site", type=Path, help="the folder of the built site")
    parser.add_argument("target", type=Path, help="the PDF to write")
    arguments = parser.parse_args()
    if not (arguments.site / "index.html").exists():
        print(f"There is no built site in {arguments.site}.", file=sys.stderr)
        return 1
    browser = next(filter(None, map(shutil.which, BROWSERS)), None)
    if browser is None:
        print(
            "make pdf prints with Chromium, which is not installed.  "
            "On Debian or Ubuntu: apt-get install chromium",
            file=sys.stderr,
        )
        return 1
    pages = print_book(arguments.site, arguments.target, browser)
    size = arguments.target.stat().st_size / 2**20
    print(f"{arguments.target}: {pages} pages of the site, {size:.1f} MB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
