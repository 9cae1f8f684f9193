"""Fictitious play from one switch of a best response to the next."""

from math import lcm
from typing import Any

import numpy as np

from olutil._border import array_of, count, numbers, wrong
from olutil.games import Game


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
    A, B = (_exact_numbers("game", matrix) for matrix in game)
    kappa_1 = _initial("kappa_1", kappa_1, A.shape[1])
    kappa_2 = _initial("kappa_2", kappa_2, A.shape[0])
    left = count("rounds", rounds, least=0)
    A, for_rows = _multiples(A, A @ kappa_1, left)
    B, for_columns = _multiples(B, kappa_2 @ B, left)
    rows, columns = np.zeros(A.shape[0], int), np.zeros(A.shape[1], int)
    while left:
        row, column = int(for_rows.argmax()), int(for_columns.argmax())
        run = min(
            left, _run(for_rows, A[:, column], row), _run(for_columns, B[row], column)
        )
        rows[row] += run
        columns[column] += run
        for_rows = for_rows + run * A[:, column]
        for_columns = for_columns + run * B[row]
        left -= run
    return rows, columns


def _multiples(
    payoffs: np.ndarray, values: np.ndarray, rounds: int
) -> tuple[np.ndarray, np.ndarray]:
    """Both times a common denominator: as integers, Python's if need be."""
    numbers = [*payoffs.ravel().tolist(), *values.tolist()]
    scale = lcm(*(v.denominator for v in numbers))
    numbers = [int(v * scale) for v in numbers]
    few = max(map(abs, numbers)) * (rounds + 1) < 2**61
    table = np.array(numbers, dtype=np.int64 if few else object)
    return table[: payoffs.size].reshape(payoffs.shape), table[payoffs.size :]


def _run(values: np.ndarray, gains: np.ndarray, best: int) -> Any:
    """For how many rounds the action that is best now stays the first best one."""
    rates = gains - gains[best]
    rivals = np.flatnonzero(rates > 0)
    if not rivals.size:
        return np.inf
    gaps, rates = values[best] - values[rivals], rates[rivals]
    # A rival that stands first wins a tie; one that stands after must be better.
    return int(np.where(rivals < best, -(-gaps // rates), gaps // rates + 1).min())


def _exact_numbers(name: str, values: Any) -> np.ndarray:
    array = numbers(name, array_of(name, values))
    if array.dtype.kind == "f" or any(isinstance(v, float) for v in array.flat):
        raise wrong(name, "whole numbers or Fractions", array)
    return array


def _initial(name: str, kappa: Any, size: int) -> np.ndarray:
    kappa = _exact_numbers(name, kappa)
    if kappa.shape != (size,) or np.any(kappa < 0) or not np.any(kappa > 0):
        raise wrong(name, f"{size} weights of at least 0, not all 0", kappa)
    return kappa
