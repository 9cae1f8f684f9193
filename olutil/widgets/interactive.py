"""Figures that answer the hand: computed in the browser from what the reader does.

Each is one ES module beside this file, in the form of an anywidget: its default export
has ``render({model, el})``, which builds the figure in an element from ``model.get``,
and the pure functions that the tests compare with the package.  The site serves the
modules as scripts (book/_ext/figures.py); a running notebook gets them as widgets.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from html import escape
from typing import Any

from olutil.widgets import _html

D3 = ("d3-dispatch", "d3-selection", "d3-drag")


@dataclass(frozen=True)
class Interactive:
    """A figure to touch, which shows itself as the last value of a cell.

    Attributes
    ----------
    name : str
        The module: ``perceptron`` for ``perceptron.js``.
    label : str
        What the figure is, in a few words; it is the name that a screen reader says.
    data : mapping
        What the module reads with ``model.get``, as JSON can have it.
    """

    name: str
    label: str
    data: Mapping[str, Any] = field(default_factory=dict, repr=False)

    def __repr__(self) -> str:
        return f"A figure to touch: {self.label}"

    def _repr_html_(self) -> str:
        data = _html.as_json(dict(self.data))
        return f"""\
<section class="ol-figure" data-figure="{self.name}" aria-label="{escape(self.label)}">
<p>A figure to touch: {escape(self.label)}.
It works on the page of the site, and here once its cell has run.</p>
<script type="application/json">{data}</script>
</section>"""

    def _repr_mimebundle_(self, include=None, exclude=None) -> dict[str, Any]:
        bundle = {"text/html": self._repr_html_()}
        if _html.kernel_runs():
            # JupyterLab prefers this; a page without a kernel shows the other.
            bundle |= _live(self)
        return bundle | {"text/plain": repr(self)}


@cache
def module(name: str) -> str:
    """The ES module of a figure: d3's parts, the figures' common kit, the figure."""
    parts = "\n".join(_html.asset(f"_vendor/{part}/dist/{part}.min.js") for part in D3)
    # They look for other module systems first, which a page may have.
    d3 = f"((define, exports, module) => {{\n{parts}\n}})();"
    return "\n".join([d3, _html.asset("kit.js"), _html.asset(f"{name}.js")])


def style() -> str:
    """The figures' style sheet."""
    return _html.asset("widget.css") + _html.asset("figure.css")


def _live(figure: Interactive) -> dict[str, Any]:
    """The MIME bundle of the same figure as a widget."""
    import anywidget
    import traitlets

    traits = {
        key: traitlets.Any(value).tag(sync=True) for key, value in figure.data.items()
    }
    source = {"_esm": module(figure.name), "_css": style()}
    widget = type("Live", (anywidget.AnyWidget,), source | traits)()
    return widget._repr_mimebundle_()[0]
