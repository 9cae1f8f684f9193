"""One HTML output out of markup, the shared style, and a script."""

import json
from functools import cache
from importlib.resources import files
from typing import Any


@cache
def asset(name: str) -> str:
    """The text of a file that stands beside this module."""
    return (files("olutil.widgets") / name).read_text(encoding="utf-8")


def as_json(value: Any) -> str:
    """A value as JSON that may stand inside a ``<script>`` element."""
    text = json.dumps(value, separators=(",", ":"), sort_keys=True)
    return text.replace("<", "\\u003c")


def output(markup: str, script: str) -> str:
    """The markup with the shared style and the script of that name.

    A page may hold several outputs with the same script: each run of it takes
    care of the elements that no run has yet marked as ready.
    """
    style = asset("widget.css")
    return f"<style>{style}</style>\n{markup}\n<script>{asset(script)}</script>"


def kernel_runs() -> bool:
    """Whether a notebook's kernel is there to answer, and ipywidgets to ask it."""
    try:
        import ipywidgets  # noqa: F401
        from IPython import get_ipython
    except ImportError:
        return False
    return getattr(get_ipython(), "kernel", None) is not None
