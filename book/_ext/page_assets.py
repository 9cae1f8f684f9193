"""Styles and scripts of ``_assets/`` that only one page needs."""

from sphinx.application import Sphinx

ASSETS = {
    "index": ("landing.css",),
    "search": ("search.js",),
    "theorems": ("ledger.css", "ledger.js"),
}


def add_assets(app: Sphinx, pagename: str, *_) -> None:
    for name in ASSETS.get(pagename, ()):
        if name.endswith(".css"):
            app.add_css_file(name, priority=900)  # after those of all pages
        else:
            app.add_js_file(name, defer="defer")


def setup(app: Sphinx) -> dict:
    app.connect("html-page-context", add_assets)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
