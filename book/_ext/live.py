"""Python in the page, on a click (the scripts are _assets/live.js and its worker).

The script of a page with code cells puts a button into the page's header.  What it
needs of this site lies below ``_static/``: the worker, the wheel of `olutil`, and the
files that cells open.  Pyodide itself comes from ``live_pyodide_url``, an absolute
address or a folder of the site.
"""

import json
import re
from pathlib import Path
from shutil import copyfile
from urllib.parse import urlsplit

from docutils import nodes
from hatchling.builders.wheel import WheelBuilder
from sphinx.application import Sphinx

# Pyodide 314 is Python 3.14, with the numpy of requirements.txt.
PYODIDE = "https://cdn.jsdelivr.net/pyodide/v314.0.7/full/"


def sources(doctree: nodes.document) -> list[str]:
    """The code of a page's cells."""
    boxes = doctree.findall(nodes.container)
    return [
        box.astext() for box in boxes if box.get("nb_element") == "cell_code_source"
    ]


def opened(codes: list[str], folder: Path) -> list[str]:
    """The files of the book that cells name, by paths relative to the page."""
    named = re.findall(r'"([\w./-]+\.\w+)"', "\n".join(codes))
    return [name for name in dict.fromkeys(named) if (folder / name).is_file()]


def add_assets(app: Sphinx, pagename, templatename, context, doctree) -> None:
    """Load style and script where there are cells, with what the script has to know."""
    codes = sources(doctree) if doctree else []
    if not codes:
        return
    to_root = "../" * pagename.count("/")
    static = f"{to_root}_static/"
    page = Path(app.env.doc2path(pagename))
    files = opened(codes, page.parent)
    for name in files:
        target = Path(app.outdir, "_static", "live", pagename, name)
        target.parent.mkdir(parents=True, exist_ok=True)
        copyfile(page.parent / name, target)
    pyodide = app.config.live_pyodide_url
    host = urlsplit(pyodide).netloc
    settings = {
        "pyodide": pyodide if host or pyodide.startswith("/") else to_root + pyodide,
        "worker": f"{static}live-worker.js",
        "runner": f"{static}live_cell.py",
        "wheel": f"{static}live/olutil.whl",
        "files": [[name, f"{static}live/{pagename}/{name}"] for name in files],
    }
    data = {"data-live": json.dumps(settings)}
    app.add_js_file("live.js", loading_method="defer", **data)


def build_wheel(app: Sphinx, error: Exception | None) -> None:
    """Put the wheel of `olutil`, built from this repository, into the site."""
    if error or app.builder.format != "html":
        return
    folder = Path(app.outdir, "_static", "live")
    folder.mkdir(parents=True, exist_ok=True)
    builder = WheelBuilder(str(Path(app.srcdir).parent))
    (wheel,) = builder.build(directory=str(folder), versions=["standard"])
    Path(wheel).replace(folder / "olutil.whl")


def setup(app: Sphinx) -> dict:
    app.add_config_value("live_pyodide_url", PYODIDE, "html", types=[str])
    app.connect("html-page-context", add_assets)
    app.connect("build-finished", build_wheel)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
