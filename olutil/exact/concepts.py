"""Worst cases of the learners of a concept class, over every target and sequence."""

from typing import Any

import numpy as np

from olutil._arguments import BIT, one_of, table
from olutil._version_spaces import columns_of, largest_size, monotone, split


def halving_worst_case(C: Any, *, tie: int = 1, lazy: bool = False) -> int:
    """The most mistakes of `Halving` over all targets and sequences, exactly.

    Parameters
    ----------
    C : array_like of 0/1, shape (concepts, points)
        The class, not empty; repeated concepts vote as often as they occur.
    tie, lazy
        As in `Halving`.

    Returns
    -------
    int

    Raises
    ------
    ValueError
        If ``C`` is no such table.

    Notes
    -----
    An adversary need only ask points that split the version space.  Against the lazy
    form it need only force mistakes, for a correct round changes nothing.

    Examples
    --------
    >>> from olutil.classes import singletons, thresholds
    >>> halving_worst_case(thresholds(7)), halving_worst_case(singletons(8))
    (3, 1)
    """
    C = table("C", C)
    one_of("tie", tie, BIT), one_of("lazy", lazy, (False, True))
    columns = columns_of(C)

    @monotone
    def forces(versions: int, mistakes: int) -> bool:
        """Whether an adversary can force so many mistakes."""
        quiet = []
        for column in columns:
            sides = split(versions, column)
            if not (sides[0] and sides[1]):
                continue
            zeros, ones = sides[0].bit_count(), sides[1].bit_count()
            says = tie if zeros == ones else int(ones > zeros)
            if forces(sides[1 - says], mistakes - 1):
                return True
            quiet.append(sides[says])
        return not lazy and any(forces(side, mistakes) for side in quiet)

    return largest_size(forces, 2 ** len(C) - 1)


def elimination_worst_case(C: Any) -> int:
    """The most mistakes of `Elimination` over all targets and sequences, exactly.

    Parameters
    ----------
    C : array_like of 0/1, shape (concepts, points)
        The class, not empty, in the order in which it is tried.

    Returns
    -------
    int
        For a target in row i (its first occurrence): i, for every earlier row differs
        from it at some point, and the adversary asks that point.

    Raises
    ------
    ValueError
        If ``C`` is no such table.

    Examples
    --------
    >>> from olutil.classes import thresholds
    >>> elimination_worst_case(thresholds(5))
    5
    """
    _, first = np.unique(table("C", C), axis=0, return_index=True)
    return int(first.max())
