"""Tell the script of "Report an error" what it cannot find on a page."""

import tomllib
from pathlib import Path

from sphinx.application import Sphinx
from sphinx.config import Config


def add_assets(app: Sphinx, config: Config) -> None:
    """Load the script on every page, with the version and where issues go."""
    root = Path(app.srcdir).parent
    project = tomllib.loads((root / "pyproject.toml").read_text())["project"]
    data = {"data-version": project["version"]}
    if repository := config.html_theme_options.get("repository_url"):
        data["data-issues"] = f"{repository.rstrip('/')}/issues"
    app.add_js_file("report_error.js", defer="defer", **data)


def setup(app: Sphinx) -> dict:
    app.connect("config-inited", add_assets)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
