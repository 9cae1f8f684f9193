"""How the book's figures look: one style, and one color and line for an algorithm.

Matplotlib is imported when a figure is made, not with the package.
"""

import re
from typing import Any

from olutil._arguments import invalid

# Okabe and Ito's colors, which color-blind readers can tell apart; the line styles
# differ as well, so that the figures survive without color.
LOOKS = {
    "wma": {"color": "#D55E00", "linestyle": "-"},
    "rwma": {"color": "#0072B2", "linestyle": "--"},
    "improved": {"color": "#E69F00", "linestyle": "-."},
    "ftl": {"color": "#CC79A7", "linestyle": ":"},
    "halving": {"color": "#009E73", "linestyle": "-"},
    "soa": {"color": "#000000", "linestyle": "--"},
    "elimination": {"color": "#CC79A7", "linestyle": "-."},
    "perceptron": {"color": "#0072B2", "linestyle": "-"},
    "pa": {"color": "#56B4E9", "linestyle": "--"},
    "winnow": {"color": "#D55E00", "linestyle": "--"},
    "ellipsoid": {"color": "#009E73", "linestyle": "-."},
    "ogd": {"color": "#56B4E9", "linestyle": "-"},
    "fictitious play": {"color": "#D55E00", "linestyle": "-"},
    "exponential weights": {"color": "#0072B2", "linestyle": "--"},
    "bound": {"color": "#555555", "linestyle": ":"},
    "best": {"color": "#999999", "linestyle": "-"},
}

# The letters are those of the site's text and formulas, and come with matplotlib.
STYLE = {
    "figure.dpi": 110, "font.size": 10, "font.family": "STIXGeneral",
    "mathtext.fontset": "stix", "svg.hashsalt": "olutil", "axes.spines.top": False,
    "axes.spines.right": False, "axes.edgecolor": "#666666", "axes.grid": True,
    "axes.titlelocation": "left", "axes.titlesize": "medium", "grid.alpha": 0.25,
    "legend.frameon": False, "figure.constrained_layout.use": True,
}  # fmt: skip

# For algorithms that are not in the table: five of Paul Tol's "muted" colors, which are
# safe too and which the table does not use, on lines of its own.  As 5 and 4 have no
# common divisor, going round both meets all 20 pairs.
OTHER_COLORS = ("#332288", "#999933", "#882255", "#117733", "#AA4499")
OTHER_LINES = ((0, (8, 2)), (0, (8, 2, 2, 2)), (0, (2, 2)), (0, (8, 2, 2, 2, 2, 2)))
_other_names: dict[str, int] = {}  # numbered in the order in which they are first used


def look(name: str) -> dict[str, Any]:
    """Keyword arguments for ``ax.plot``: the color and line of an algorithm.

    Parameters
    ----------
    name : str
        An algorithm of the book, such as ``"rwma"``, or any other.

    Returns
    -------
    dict
        The book's algorithms look the same in every figure.  Any other name gets the
        next look of a cycle when it is first used, and keeps it as long as Python runs.
        The looks differ from each other and from the book's; after 20 names they
        repeat.

    Raises
    ------
    ValueError
        If ``name`` is no text, or empty.

    Examples
    --------
    >>> look("rwma")
    {'color': '#0072B2', 'linestyle': '--'}
    >>> look("my learner") == look("my learner") != look("another")
    True
    """
    if not isinstance(name, str) or not name:
        raise invalid("name", "the name of an algorithm", name)
    if name in LOOKS:
        return dict(LOOKS[name])
    number = _other_names.setdefault(name, len(_other_names))
    return {"color": OTHER_COLORS[number % 5], "linestyle": OTHER_LINES[number % 4]}


def panels(
    columns: int = 1, rows: int = 1, *, width: float = 7.0, height: float = 3.4,
    **options: Any,
):  # fmt: skip
    """A figure in the book's style with its axes in a grid.

    From here on a notebook shows figures as SVG, which is sharp at any size.

    Parameters
    ----------
    columns, rows : int
        Axes side by side, and one above the other, where a phone can show them.
    width, height : float
        Inches.
    **options
        As for `matplotlib.pyplot.subplots`.

    Returns
    -------
    (Figure, Axes or ndarray of Axes)
    """
    import matplotlib.pyplot as plt

    plt.rcParams.update(STYLE)
    if "inline" in plt.get_backend():
        from matplotlib_inline.backend_inline import set_matplotlib_formats

        set_matplotlib_formats("svg")
    return plt.subplots(rows, columns, figsize=(width, height), **options)


# What is not seen of a drawing: comments, blanks between elements, a second decimal.
UNSEEN = re.compile(r"<metadata>.*?</metadata>|<!--.*?-->|(?<=>)\s+(?=<)", re.DOTALL)
UNSEEN_IN_PATHS = re.compile(r"(?<=\.\d)\d+| (?=\n)")


def concise(svg: str) -> str:
    """matplotlib's SVG without what is not seen."""
    svg = UNSEEN.sub("", svg[svg.index("<svg") :])
    return re.sub(r' (d|x|y)="[^"]*"', lambda m: UNSEEN_IN_PATHS.sub("", m[0]), svg)
