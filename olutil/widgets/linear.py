"""The Perceptron as a figure that answers the hand."""

from typing import Any

from olutil import _arguments as need
from olutil._arguments import SIGN
from olutil.widgets.interactive import Interactive

# The disc's radius, as perceptron.js has it, and how many examples have room in it.
RADIUS, MOST = 50, 12


def perceptron_figure(
    X: Any, y: Any, *, margin: str = "γ", normal: str = "u", mistakes: str = "M"
) -> Interactive:
    """Examples to drag, with the Perceptron and the two sides of its proof live.

    Parameters
    ----------
    X : array_like of int, shape (examples, 2)
        Where the examples are at first, at most 12: no longer than 50, which is the
        length that the figure calls 1.
    y : array_like of -1/+1, shape (examples,)
    margin, normal, mistakes : str
        What the page calls the margin, the separator's normal vector, and the number
        of mistakes so far.

    Returns
    -------
    Interactive
        The last value of a cell.  It plays `olutil.linear.Perceptron` in passes over
        the examples until one is without a mistake, or 1000 are made, and compares
        the mistakes with the bound of the largest margin or of the reader's separator.

    Raises
    ------
    ValueError
        If there are no such examples.

    Examples
    --------
    >>> perceptron_figure([[30, 10], [-20, 5]], [1, -1])
    A figure to touch: the Perceptron on examples that can be dragged
    """
    X = need.numbers("X", X)
    pairs = X.dtype.kind == "i" and X.ndim == 2 and X.shape[1] == 2
    if not (pairs and 0 < len(X) <= MOST and ((X**2).sum(axis=1) <= RADIUS**2).all()):
        wanted = f"1 to {MOST} pairs of whole numbers, no longer than {RADIUS}"
        raise need.invalid("X", wanted, X.tolist())
    y = need.labels("y", need.last_axis("y", y, len(X)), SIGN)
    names = {"margin": margin, "normal": normal, "mistakes": mistakes}
    data = {"X": X.tolist(), "y": y.tolist(), "names": names}
    what = "the Perceptron on examples that can be dragged"
    return Interactive("perceptron", what, data)
