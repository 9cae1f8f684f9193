"""Figures that are computed in the browser: their modules, as scripts of the site.

A page loads the scripts of the figures that it shows.  They are classic scripts, not
modules, since a page that is opened from a folder may not load modules.
"""

import re
from pathlib import Path

from sphinx.application import Sphinx

from olutil.widgets.interactive import module, style

SHOWN = re.compile(r'class="ol-figure" data-figure="(\w+)"')
# The figure of every section that waits for it, with the data that stands there.
SCRIPT = """\
(() => {
%s
for (const el of document.querySelectorAll('.ol-figure[data-figure="%s"]')) {
  const data = JSON.parse(el.querySelector("script").textContent);
  figure.render({ model: { get: (key) => data[key] }, el });
}
})();
"""


def add_figures(app: Sphinx, pagename: str, template: str, context: dict, _) -> None:
    """Write the scripts and the style of a page's figures, and load them."""
    names = sorted(set(SHOWN.findall(context.get("body", ""))))
    if not names:
        return
    folder = Path(app.outdir, "_static", "figures")
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "figures.css").write_text(style(), "utf-8")
    app.add_css_file("figures/figures.css")
    for name in names:
        code = module(name).replace("export default", "const figure =")
        (folder / f"{name}.js").write_text(SCRIPT % (code, name), "utf-8")
        app.add_js_file(f"figures/{name}.js", loading_method="defer")


def setup(app: Sphinx) -> dict:
    app.connect("html-page-context", add_figures)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
