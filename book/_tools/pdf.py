"""Print the built site: a PDF for each part of the book, and one of all of it.

    python book/_tools/pdf.py _build/html _build/pdf            all of them
    python book/_tools/pdf.py _build/html _build/pdf kakade     one

They have bookmarks, links and page numbers.  The pages of a part are bound into one
in the browser (bind.js), so that the PDF's
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
# The name of a part, its first page, and how the addresses of its pages begin.
PARTS = {
    "kakade": ("lectures/kakade", "lectures/kakade"),
    "chandola": ("lectures/chandola", "lectures/chandola"),
    "schapire": ("lectures/cos511-experts", "lectures/cos511"),
    "kitani": ("lectures/kitani", "lectures/kitani"),
    "das": ("lectures/das-linear", "lectures/das"),
    "beyond": ("beyond/best-learner", "beyond/"),
    "book": ("index", ""),
}
# The one without windows first: it takes less time.
BROWSERS = (
    "chromium-headless-shell", "chromium", "chromium-browser", "google-chrome",
)  # fmt: skip
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
    """The address, with a slash at its end, of a folder while it is served."""
    handler = partial(Quiet, directory=str(site))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


def print_part(site: Path, target: Path, browser: str) -> int:
    """Print a part of a built site.

    Parameters
    ----------
    site
        The folder with the built pages.
    target
        The PDF to write, with the name of the part.
    browser
        The command of a Chromium.

    Returns
    -------
    int
        How many pages of the site are in it.
    """
    first, beginning = PARTS[target.stem]
    with served(site) as address, sync_playwright() as playwright:
        # Without the sandbox, which a container's root user cannot have; the pages are
        # the site's own.
        chromium = playwright.chromium.launch(
            executable_path=browser, args=["--no-sandbox"], timeout=MINUTES * 60_000
        )
        page = chromium.new_page(viewport={"width": WIDTH, "height": 1000})
        page.set_default_timeout(MINUTES * 60_000)
        page.emulate_media(media="print", color_scheme="light")
        page.goto(f"{address}{first}.html")
        bind = BIND.read_text("utf-8").strip().removesuffix(";")
        bound, headings = page.evaluate(bind, address + beginning)
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
    finish(target, headings)
    return bound


def finish(target: Path, headings: list[str]) -> None:
    """Correct the bookmarks, and compress the objects to a third of the size."""
    with pikepdf.open(target, allow_overwriting_input=True) as pdf:
        with pdf.open_outline() as outline:
            correct(outline.root, headings)
        pdf.save(target, object_stream_mode=pikepdf.ObjectStreamMode.generate)


def correct(items: list[pikepdf.OutlineItem], headings: list[str]) -> None:
    """Write each title once."""
    for item in items:
        item.title = once(item.title, headings)
        correct(item.children, headings)


def once(title: str, headings: list[str]) -> str:
    """The heading that a bookmark stands for.

    Chromium adds to it what stood on the page before, if the heading was moved to the
    next: its first words, its last ones, or all of it.
    """
    said = " ".join(title.split())
    for heading in sorted(headings, key=len, reverse=True):
        before, found, after = said.partition(heading)
        whole = heading.startswith(before.strip()) and heading.endswith(after.strip())
        if found and whole:
            return heading
    return said


def main() -> int:
    """Print what the command line names; returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("site", type=Path, help="the folder of the built site")
    parser.add_argument("folder", type=Path, help="where to write the PDFs")
    parser.add_argument("parts", nargs="*", help=f"of {', '.join(PARTS)}; else all")
    arguments = parser.parse_args()
    if not (arguments.site / "index.html").exists():
        print(f"There is no built site in {arguments.site}.", file=sys.stderr)
        return 1
    if unknown := set(arguments.parts) - set(PARTS):
        parser.error(f"parts: expected some of {', '.join(PARTS)}, got {unknown}")
    browser = next(filter(None, map(shutil.which, BROWSERS)), None)
    if browser is None:
        print(
            "make pdf prints with Chromium, which is not installed.  "
            "On Debian or Ubuntu: apt-get install chromium-headless-shell",
            file=sys.stderr,
        )
        return 1
    arguments.folder.mkdir(parents=True, exist_ok=True)
    for part in arguments.parts or PARTS:
        target = arguments.folder / f"{part}.pdf"
        pages = print_part(arguments.site, target, browser)
        size = target.stat().st_size / 2**20
        print(f"{target}: {pages} pages of the site, {size:.1f} MB", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
