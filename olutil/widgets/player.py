"""A figure with sliders, drawn once for each setting."""

import inspect
import itertools
import re
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property, reduce
from html import escape
from io import StringIO
from math import prod
from typing import Any
from urllib.parse import quote

from olutil._arguments import invalid
from olutil.widgets import _html

# All pictures are a part of the page, which is read on phones too.
MOST_FRAMES = 120

# Letters are drawn as outlines, to look the same everywhere; the salt makes ids the
# same in every run.
SVG = {"svg.fonttype": "path", "svg.hashsalt": "olutil"}


class Player:
    """A figure with sliders, which shows itself as the last value of a cell.

    The parameters are those of `explore`, which returns it.
    """

    def __init__(
        self, draw: Callable[..., tuple[Any, str]], axes: Mapping[str, Iterable],
        caption: str, *, start: Mapping[str, Any] | None = None,
    ) -> None:  # fmt: skip
        if not callable(draw):
            raise TypeError(f"draw: expected a function, got {draw!r}")
        if not isinstance(caption, str) or not caption.strip():
            raise invalid("caption", "what the figure shows", caption)
        self.draw = draw
        self.axes = {name: list(values) for name, values in dict(axes).items()}
        self.caption = caption
        self._check_axes()
        first = {name: values[0] for name, values in self.axes.items()}
        self.start = first | dict(start or {})
        for name, value in self.start.items():
            if name not in self.axes or value not in self.axes[name]:
                wanted = f"values of {', '.join(self.axes)}"
                raise invalid("start", wanted, {name: value})

    def _check_axes(self) -> None:
        if not self.axes:
            raise invalid("axes", "at least one slider", self.axes)
        for name, values in self.axes.items():
            if len(values) < 2:
                raise invalid("axes", f"at least two values of {name}", values)
        try:
            inspect.signature(self.draw).bind(**self.axes)
        except TypeError as error:
            raise TypeError(
                f"draw: expected parameters {', '.join(self.axes)}: {error}"
            ) from None
        if len(self) > MOST_FRAMES:
            raise invalid("axes", f"at most {MOST_FRAMES} settings in all", len(self))

    def __len__(self) -> int:
        """How many settings there are."""
        return prod(map(len, self.axes.values()))

    def __repr__(self) -> str:
        sliders = ", ".join(f"{n} ({len(v)} values)" for n, v in self.axes.items())
        return f"A figure with sliders: {sliders}"

    def frame(self, **values: Any) -> tuple[str, str]:
        """The picture for one setting, as SVG, and its sentence."""
        import matplotlib.pyplot as plt
        from matplotlib.backends.backend_svg import FigureCanvasSVG

        figure, sentence = self._drawn(values)
        if self._layout and _shape(figure) == self._layout[0]:
            figure.set_layout_engine("none")
            for ax, box in zip(figure.axes, self._layout[1], strict=True):
                ax.set_position(box)
        written = StringIO()
        with plt.rc_context(SVG):
            # The bytes that `savefig` gives, which draws everything twice.
            FigureCanvasSVG(figure).print_svg(written, metadata={"Date": None})
        plt.close(figure)
        return _concise(written.getvalue()), sentence

    def _drawn(self, values: Mapping[str, Any]) -> tuple[Any, str]:
        """The figure for one setting, and its sentence."""
        figure, sentence = self.draw(**values)
        if not isinstance(sentence, str) or not sentence.strip():
            wanted = f"a figure and a sentence that says what it shows, for {values}"
            raise invalid("draw", wanted, sentence)
        return figure, sentence

    @cached_property
    def _layout(self) -> tuple[tuple, list] | None:
        """The shape of the figure, and where its axes are in every frame.

        They stay where they are while a slider moves, and matplotlib's layout, which
        takes longer than the drawing, is asked at the start and at the ends of the
        sliders only: the axes get what these layouts have in common.  Figures that
        differ in shape, or have a layout of their own, keep it.
        """
        import matplotlib.pyplot as plt
        from matplotlib.transforms import Bbox

        ends = ((values[0], values[-1]) for values in self.axes.values())
        shapes, layouts = set(), []
        for values in (self.start, *self._settings(ends)):
            figure, _ = self._drawn(values)
            if figure.get_layout_engine() is None:
                return None
            figure.draw_without_rendering()
            shapes.add(_shape(figure))
            layouts.append([ax.get_position(original=True) for ax in figure.axes])
            plt.close(figure)
        if len(shapes) > 1:
            return None
        boxes = zip(*layouts, strict=True)
        return shapes.pop(), [reduce(Bbox.intersection, each) for each in boxes]

    def _settings(self, values: Iterable) -> list[dict[str, Any]]:
        """All combinations of these values of the sliders."""
        combined = itertools.product(*values)
        return [dict(zip(self.axes, each, strict=True)) for each in combined]

    def _repr_html_(self) -> str:
        """The figure for a page: every frame is in it."""
        settings = self._settings(self.axes.values())
        frames = [self.frame(**values) for values in settings]
        pictures, sentences = zip(*frames, strict=True)
        shown = settings.index(self.start)
        sentence = escape(sentences[shown])
        picture = "data:image/svg+xml," + quote(pictures[shown], safe=" /:;=,()!*'")
        width, height = _size(pictures[shown])
        sliders = "\n".join(itertools.starmap(self._slider, self.axes.items()))
        markup = f"""\
<figure class="ol-player">
<img src="{picture}" alt="{sentence}" width="{width}" height="{height}">
<div class="ol-controls" role="group" aria-label="Drive the figure" hidden>
<button type="button" class="ol-play">▶ Play</button>
{sliders}
</div>
<p class="ol-said" aria-live="polite">{sentence}</p>
<figcaption>{escape(self.caption)}</figcaption>
<script type="application/json" class="ol-sentences">{_html.as_json(sentences)}</script>
<script type="application/json" class="ol-pictures">{_frames_json(pictures)}</script>
</figure>"""
        return _html.output(markup, "player.js")

    def _slider(self, name: str, values: list) -> str:
        at = values.index(self.start[name])
        texts = escape(_html.as_json([_text(value) for value in values]))
        return (
            f'<label>{escape(_label(name))} <input type="range" min="0" '
            f'max="{len(values) - 1}" value="{at}" data-values="{texts}"> '
            f"<output>{escape(_text(values[at]))}</output></label>"
        )

    def _repr_mimebundle_(self, include=None, exclude=None) -> dict[str, Any]:
        bundle = {"text/plain": repr(self), "text/html": self._repr_html_()}
        if _html.kernel_runs():
            # JupyterLab prefers this; a page without a kernel shows the other.
            bundle |= self._live()._repr_mimebundle_()
            bundle["text/plain"] = repr(self)
        return bundle

    def _live(self):
        """The same figure for a running notebook: a slider calls ``draw`` again."""
        import ipywidgets

        picture = ipywidgets.Image(format="svg+xml", layout={"max_width": "100%"})
        sentence = ipywidgets.Label()
        sliders = {
            name: ipywidgets.SelectionSlider(
                options=[(_text(value), value) for value in values],
                value=self.start[name],
                description=_label(name),
                style={"description_width": "initial"},
                layout={"width": "30em", "max_width": "100%"},
            )
            for name, values in self.axes.items()
        }
        first = next(iter(sliders.values()))
        play = ipywidgets.Play(max=len(first.options) - 1, interval=600)
        ipywidgets.jslink((play, "value"), (first, "index"))

        def redraw(change=None) -> None:
            values = {name: slider.value for name, slider in sliders.items()}
            svg, sentence.value = self.frame(**values)
            picture.value = svg.encode()

        for slider in sliders.values():
            slider.observe(redraw, "value")
        redraw()
        controls = ipywidgets.HBox([play, *sliders.values()])
        controls.layout.flex_flow = "wrap"
        return ipywidgets.VBox([picture, controls, sentence])


def explore(
    draw: Callable[..., tuple[Any, str]], axes: Mapping[str, Iterable], caption: str,
    *, start: Mapping[str, Any] | None = None,
) -> Player:  # fmt: skip
    """A figure that a reader drives with sliders.

    On a page without a kernel the sliders choose among pictures drawn
    beforehand, one for each setting; in a running notebook they call
    ``draw`` again, so a change of the code shows at once.

    Parameters
    ----------
    draw : callable
        Takes one keyword argument for each slider and returns a matplotlib
        Figure and one sentence that says what this picture shows: it is the
        picture's alternative text and stands below it.
    axes : mapping of str to iterable
        The sliders: the parameters of ``draw`` and their values, at least
        two each.  The button Play runs through the first one.
    caption : str
        What there is to find, in plain text.
    start : mapping, optional
        Values that are shown first, and in print; otherwise the first ones.

    Returns
    -------
    Player
        Shows itself as the last value of a cell.

    Raises
    ------
    ValueError
        If there is no slider, one with fewer than two values, more than 120
        settings in all, an empty caption, or a start that is not a setting.
    TypeError
        If ``draw`` does not take the sliders' names.

    Examples
    --------
    >>> from olutil.figures import panels
    >>> def draw(beta):
    ...     figure, ax = panels()
    ...     ax.plot([beta**mistakes for mistakes in range(10)])
    ...     return figure, f"With beta = {beta}, ten mistakes leave {beta**10:.3g}."
    >>> explore(draw, {"beta": [0.25, 0.5, 0.75]}, "A weight shrinks with mistakes.")
    A figure with sliders: beta (3 values)
    """
    return Player(draw, axes, caption, start=start)


def _shape(figure) -> tuple:
    """Figures of one shape can have one layout."""
    return len(figure.axes), *figure.get_size_inches()


def _label(name: str) -> str:
    return name.replace("_", " ")


def _text(value: Any) -> str:
    """A slider's value as a reader sees it."""
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def _concise(svg: str) -> str:
    """matplotlib's SVG without what is not seen: comments, and a third decimal."""
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r"<metadata>.*?</metadata>|<!--.*?-->", "", svg, flags=re.DOTALL)
    svg = re.sub(r">\s+<", "><", svg)

    def shortened(path: re.Match) -> str:
        return re.sub(r"(\.\d\d)\d+", r"\1", path[0].replace(" \n", " "))

    return re.sub(r' d="[^"]*"', shortened, svg)


def _frames_json(pictures: Iterable[str]) -> str:
    """Pictures as JSON: each element that occurs is stored once, and numbered.

    The frames of a figure have axes, letters and most lines in common.
    """
    numbers: dict[str, int] = {}
    frames = [
        [numbers.setdefault(part, len(numbers)) for part in re.split("(?=<)", picture)]
        for picture in pictures
    ]
    return _html.as_json({"elements": list(numbers), "frames": frames})


def _size(picture: str) -> tuple[int, int]:
    """Width and height in CSS pixels, of which a point is four thirds."""
    found = re.search(r'width="([\d.]+)pt" height="([\d.]+)pt"', picture)
    return tuple(round(float(points) * 4 / 3) for points in found.groups())
