"""Figures on concept classes: a learner and its adversary, and Halving."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from olutil._arguments import BIT, invalid, one_of, table
from olutil.widgets.interactive import Interactive

# A column must be wide enough for a finger, and a row high enough for the eye.
MOST_POINTS, MOST_CONCEPTS = 15, 40
# Of a class to draw all version spaces are searched in no time: concepts, points.
MOST_DRAWN = 16, 8


def adversary_game(C: Any) -> Interactive:
    """The reader predicts labels; an optimal adversary asks and answers.

    The reader can change sides, draw a class of their own, and take rounds back; at the
    end the tree of the game shows which predictions threw a mistake away.

    Parameters
    ----------
    C : array_like of 0/1, shape (concepts, points), or mapping
        The class: at most 40 concepts, at least two and none of them twice, on at most
        15 points; or several, each with its name.

    Returns
    -------
    Interactive
        The last value of a cell.

    Raises
    ------
    ValueError
        If ``C`` is no such table, and no mapping of such tables.

    Examples
    --------
    >>> from olutil.classes import thresholds
    >>> adversary_game(thresholds(3))
    A figure to touch: predict against an optimal adversary
    """
    return _class_game("predict against an optimal adversary", C, role=1)


def learner_game(C: Any) -> Interactive:
    """The reader chooses points and labels; the Standard Optimal Algorithm predicts.

    It is the same figure as `adversary_game`, with the reader on the other side.

    Parameters
    ----------
    C : array_like of 0/1, shape (concepts, points), or mapping
        As for `adversary_game`.

    Returns
    -------
    Interactive
        The last value of a cell.

    Raises
    ------
    ValueError
        If ``C`` is no such table, and no mapping of such tables.

    Examples
    --------
    >>> from olutil.classes import intervals, thresholds
    >>> learner_game({"thresholds": thresholds(15), "intervals": intervals(8)})
    A figure to touch: be the adversary of the Standard Optimal Algorithm
    """
    return _class_game("be the adversary of the Standard Optimal Algorithm", C, role=0)


def _class_game(label: str, C: Any, role: int) -> Interactive:
    classes = C if isinstance(C, Mapping) else {"this class": C}
    if not classes:
        raise invalid("C", "a class, or classes by name", C)
    shown = [(str(name), _rows(one)) for name, one in classes.items()]
    return Interactive("soa", label, {"role": role, "classes": shown})


def _rows(C: Any) -> list[str]:
    """The rows as text, of a class that fits into the figure."""
    C = table("C", C)
    if not (2 <= len(C) == len(np.unique(C, axis=0)) <= MOST_CONCEPTS):
        wanted = f"2 to {MOST_CONCEPTS} concepts, none of them twice"
        raise invalid("C", wanted, C.tolist())
    if C.shape[1] > MOST_POINTS:
        raise invalid("C", f"at most {MOST_POINTS} points", C.shape[1])
    return ["".join(map(str, row)) for row in C.tolist()]


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
        raise invalid("classes", "a mapping of names to tables", classes)
    tables = []  # not a mapping, whose order JSON might not keep
    for name, C in classes.items():
        C = table(f"classes[{name!r}]", C)
        if len(C) > MOST_DRAWN[0] or C.shape[1] > MOST_DRAWN[1]:
            wanted = "at most {} concepts on {} points".format(*MOST_DRAWN)
            raise invalid(f"classes[{name!r}]", wanted, C.shape)
        tables.append([str(name), C.tolist()])
    data = {"classes": tables, "tie": one_of("tie", tie, BIT)}
    return Interactive("halving", "Halving on a class that can be drawn", data)
