"""Fictitious play, from one switch of a best response to the next."""

from typing import Any

import numpy as np

from olutil._arguments import array_of, count, invalid
from olutil.games import Game, _checked, fictitious_runs


def fictitious_play_counts(
    game: Game, kappa_1: Any, kappa_2: Any, rounds: int
) -> tuple[np.ndarray, np.ndarray]:
    """How often each action is played in fictitious play, from switch to switch.

    Parameters
    ----------
    game : Game
        With whole or Fraction payoffs.
    kappa_1, kappa_2 : array_like of int or Fraction
        The initial weights, as for `olutil.games.fictitious_play`.
    rounds : int
        At least 0.

    Returns
    -------
    rows, columns : ndarray of int
        Exactly the counts of `olutil.games.fictitious_play` after so many rounds.

    Raises
    ------
    ValueError
        If an argument is out of range, or a number neither whole nor a Fraction: sums
        of floats depend on their order.

    Notes
    -----
    Das, slides 29-31.  While neither best response changes, each round adds the same
    to the payoffs; the first round in which another action is better is a division.

    Examples
    --------
    >>> from olutil.games import MATCHING_PENNIES
    >>> rows, columns = fictitious_play_counts(MATCHING_PENNIES, [1, 2], [2, 1], 100)
    >>> int(rows[0]), int(columns[0])
    (45, 48)
    """
    game = _checked(game)
    for name, numbers in zip(
        ("game", "game", "kappa_1", "kappa_2"), (*game, kappa_1, kappa_2), strict=True
    ):
        if any(isinstance(v, float) for v in array_of(name, numbers).ravel().tolist()):
            raise invalid(name, "whole numbers or Fractions", numbers)
    left = count("rounds", rounds, least=0)
    rows, columns = (np.zeros(size, dtype=int) for size in game.A.shape)
    for run in fictitious_runs(game, kappa_1, kappa_2):
        played = left if run.rounds is None else min(run.rounds, left)
        rows[run.row] += played
        columns[run.column] += played
        left -= played
        if not left:
            break
    return rows, columns
