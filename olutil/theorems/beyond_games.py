"""Beyond the lectures: runs of fictitious play, exact gaps, all ordinal 2x2 games."""

from fractions import Fraction
from math import ceil, floor
from typing import Any

import numpy as np

from olutil.theorems._common import SOME_ROUND, TWO_EXPERTS
from olutil.theorems._registry import theorem

GAMES = "Games in exact arithmetic"
ORDINAL = "All games of two by two"
DUEL = "Two learners in one game"
SLOW = "How slow fictitious play can be"

# ---------------------------------------------------------------- fictitious play


@theorem("bey-game-pennies", GAMES, relation="==",
         premises={"after the second run": lambda k: np.asarray(k) >= 3},
         evidence="exact")  # fmt: skip
def next_run_of_pennies(*, before, k):
    """The run before it plus one; ``k`` counts the runs from 1."""
    return before + 1


def _sigma(kappa: Any) -> int:
    """The sum of what three successive switches exceed, for ties to the first."""
    first, second, third = map(Fraction, kappa)
    later = sum(v - ceil(v) + 1 for v in (second - first, third - second))
    return int(later + (first - third) - floor(first - third))


THREE = {"three weights": lambda kappa: np.shape(kappa)[-1] == 3}


@theorem("bey-game-shapley", GAMES, relation="==", evidence="exact",
         premises=THREE | {"m >= 5": lambda m: np.asarray(m) >= 5})  # fmt: skip
@theorem("bey-game-twins", GAMES, relation="==", evidence="exact",
         premises=THREE | {"m >= 3": lambda m: np.asarray(m) >= 3})  # fmt: skip
def sum_of_three_excesses(*, kappa):
    """The number sigma, shape (...).

    ``kappa`` holds what the actions 0, 1, 2 of the player who switches are expected to
    earn from the initial weights (in Shapley's game the weights that they answer to),
    shape (..., 3).
    """
    kappa = np.asarray(kappa, dtype=object)
    sigma = [_sigma(weights) for weights in kappa.reshape(-1, 3)]
    return np.reshape(sigma, kappa.shape[:-1])


def _in_order(kappa: Any, *places: int) -> Any:
    low, middle, high = (kappa[i] for i in places)
    return (low < middle) & (middle < high) & (high < low + 1)


@theorem("bey-game-settle", GAMES, relation="==", evidence="exact", premises={
    "player 1's weights are in order": lambda kappa_1: _in_order(kappa_1, 1, 0, 2),
    "player 2's weights are in order": lambda kappa_2: _in_order(kappa_2, 2, 1, 0),
})  # fmt: skip
def settled_profile(*, t):
    """The profile of round t, shape (..., 2)."""
    return np.stack([2 - (np.asarray(t) - 1) % 3, (1 - (np.asarray(t) - 1)) % 3], -1)


# ---------------------------------------------------------------- slow play


@theorem("bey-slow-runs", SLOW, relation="<=", evidence="random")
def gap_of_runs(*, spread, runs):
    """``2 D k`` for ``k`` runs, with D = ``spread``."""
    return 2 * spread * runs


@theorem("bey-slow-grain", SLOW, relation=">=", evidence="random")
def least_gap_of_runs(*, unit, runs):
    """``k / p`` for ``k`` runs, with 1/p = ``unit``."""
    return unit * runs


@theorem("bey-slow-turn", SLOW, relation="==", evidence="exact")
def run_of_turn(*, first, growth, q):
    """The run of turn 0 plus ``q`` times its growth."""
    return first + growth * q


@theorem("bey-slow-ten", SLOW, relation="==", evidence="exact")
def phase_of_ten(*, m):
    """The runs and the rounds of phase ``m``, shape (..., 2)."""
    return np.stack([6 * m + 32, 108 * m**2 + 812 * m + 1362], axis=-1)


# ---------------------------------------------------------------- lambda


@theorem("bey-game-lambda", DUEL, relation=">=", evidence="adversary",
         premises=TWO_EXPERTS | {
    "m, n >= 1": lambda idle, paid: (np.asarray(idle) >= 1) & (np.asarray(paid) >= 1),
    "lambda > 0": lambda lam: np.asarray(lam) > 0,
})  # fmt: skip
def price_of_lambda(*, lam, n, idle, paid):
    """The bound for ``n`` experts, with m = ``idle`` and then ``paid`` rounds."""
    c = paid / (lam * np.asarray(idle))
    return lam / (1 + c * lam) * (np.log(n) - np.log1p((n - 1) * np.exp(-c)))


# ---------------------------------------------------------------- duality gap


@theorem("bey-game-gap", DUEL, relation="==", premises=SOME_ROUND, evidence="exact")
def gap_from_regrets(*, first, second, rounds):
    """``(R_1 + R_2) / T``."""
    return (first + second) / rounds


@theorem("bey-game-selfplay", DUEL, evidence="exact", nontrivial=True,
         premises=SOME_ROUND | {
    "0 < beta < 1": lambda beta: (np.asarray(beta) > 0) & (np.asarray(beta) < 1),
    "some action each": lambda rows, columns: rows >= 1 and columns >= 1,
})  # fmt: skip
def expected_gap(*, beta, rounds, rows, columns):
    """``(ln M + ln N) / (eta T) + eta / 4``."""
    eta = -np.log(np.asarray(beta, dtype=float))
    return np.log(rows * columns) / (eta * rounds) + eta / 4


@theorem("bey-game-optimist", DUEL, evidence="exhaustive random", nontrivial=True,
         premises=SOME_ROUND | {
    "0 < eta <= 2/3": lambda rate: (np.asarray(rate) > 0) & (np.asarray(rate) <= 2 / 3),
})  # fmt: skip
def gap_of_optimists(*, rate, rounds, rows, columns):
    """``((ln M + ln N) / eta + eta / 2) / T``."""
    return (np.log(rows * columns) / rate + rate / 2) / np.asarray(rounds)


# ---------------------------------------------------------------- ordinal 2x2 games


@theorem("bey-game-count", ORDINAL, relation="==", evidence="exhaustive")
def ordinal_games():
    """By rows the three ways to count, by columns the four classes."""
    return np.array([[144, 288, 72, 72], [36, 72, 18, 18], [21, 36, 12, 9]])


@theorem("bey-game-dominance", ORDINAL,
         premises={"a weight": lambda kappa: np.asarray(kappa) >= 0},
         evidence="exhaustive", unit="rounds")  # fmt: skip
def settled_by(*, kappa):
    """``floor(3 kappa) + 2``."""
    return np.floor(3 * np.asarray(kappa)).astype(int) + 2


@theorem("bey-game-misco", ORDINAL, relation="==", evidence="exhaustive")
def sum_of_mixes():
    """One."""
    return 1


@theorem("bey-game-noregret", ORDINAL, relation="==", evidence="exhaustive")
@theorem("bey-game-chase", ORDINAL, relation="==", evidence="exact")
def product_of_mixes(*, p, q):
    """The table ``p q^T``, shape (..., 2, 2)."""
    return np.asarray(p)[..., :, None] * np.asarray(q)[..., None, :]


@theorem("bey-game-away", ORDINAL, relation=">=", evidence="steps")
def distance_before(*, before):
    """The number one round before."""
    return before
