"""Halving as a figure that answers the hand."""

from collections.abc import Mapping
from typing import Any

from olutil import _arguments as need
from olutil._arguments import BIT
from olutil.widgets.interactive import Interactive

# What has room on a phone; all version spaces of so many are searched in no time.
MOST_CONCEPTS, MOST_POINTS = 16, 8


def halving_figure(classes: Mapping[str, Any], *, tie: int = 1) -> Interactive:
    """Classes to draw and to play against Halving, with its version space live.

    Parameters
    ----------
    classes : mapping of str to array_like of 0/1, shape (concepts, points)
        What the reader can begin with, by name: at most 16 concepts on 8 points.
    tie : {0, 1}
        What Halving predicts when both sides are equally many.

    Returns
    -------
    Interactive
        The last value of a cell.  It plays `olutil.concepts.Halving` against the
        points and labels that the reader chooses, and compares the mistakes with the
        most that can be forced.

    Raises
    ------
    ValueError
        If there are no such classes.

    Examples
    --------
    >>> from olutil.classes import thresholds
    >>> halving_figure({"thresholds": thresholds(7)})
    A figure to touch: Halving on a class that can be drawn
    """
    if not isinstance(classes, Mapping) or not classes:
        raise need.invalid("classes", "a mapping of names to tables", classes)
    tables = []  # not a mapping, whose order JSON might not keep
    for name, C in classes.items():
        C = need.table(f"classes[{name!r}]", C)
        if len(C) > MOST_CONCEPTS or C.shape[1] > MOST_POINTS:
            wanted = f"at most {MOST_CONCEPTS} concepts on {MOST_POINTS} points"
            raise need.invalid(f"classes[{name!r}]", wanted, C.shape)
        tables.append([str(name), C.tolist()])
    data = {"classes": tables, "tie": need.one_of("tie", tie, BIT)}
    return Interactive("halving", "Halving on a class that can be drawn", data)
