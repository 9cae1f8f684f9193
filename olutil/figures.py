"""How the book's figures look: one style, and one color and line for an algorithm.

Matplotlib is imported when a figure is made, not with the package.
"""

from typing import Any

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


def look(name: str) -> dict[str, str]:
    """Keyword arguments for ``ax.plot``: the color and line of an algorithm.

    Examples
    --------
    >>> look("rwma")
    {'color': '#0072B2', 'linestyle': '--'}
    """
    if name not in LOOKS:
        raise ValueError(f"name: expected one of {', '.join(LOOKS)}, got {name!r}")
    return dict(LOOKS[name])


def panels(
    columns: int = 1,
    rows: int = 1,
    *,
    width: float = 7.0,
    height: float = 3.4,
    **options: Any,
):
    """A figure in the book's style with its axes in a grid.

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

    style = {
        "figure.dpi": 110,
        "font.size": 10,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.grid": True,
        "grid.alpha": 0.25,
        "legend.frameon": False,
        "figure.constrained_layout.use": True,
    }
    plt.rcParams.update(style)
    return plt.subplots(rows, columns, figsize=(width, height), **options)
