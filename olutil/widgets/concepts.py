"""Figures on concept classes: a game between a learner and its adversary."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from olutil._arguments import invalid, table
from olutil.widgets.interactive import Interactive

# A column must be wide enough for a finger, and a row high enough for the eye.
MOST_POINTS, MOST_CONCEPTS = 15, 40


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
