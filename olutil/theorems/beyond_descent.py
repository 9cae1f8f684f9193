"""Beyond the lectures: gradient descent, exactly.

Names of parameters: ``rates``, one a round along the last axis; ``kappa``, the number
with ``E |x|**2 x x^T = kappa I``; ``noise``, which is ``d`` times the variance of the
noise; ``drift``, the mean squared length of the teacher's step; ``start``, the error
before round 1.  Where gradients are chosen by an adversary, they are ``X`` of shape
(T, ..., d), and ``rounds`` is T.
"""

from fractions import Fraction
from math import comb, isqrt
from typing import Any

import numpy as np

from olutil.theorems._common import SOME_FEATURE, SOME_ROUND, inner, root
from olutil.theorems._registry import theorem

DESCENT = "Gradient descent, exactly"
REGRET = "Gradient descent against an adversary"

# ---------------------------------------------------------------- hypotheses

VARIANCES = {
    "noise and drift are not negative": lambda noise, drift: (
        (np.asarray(noise) >= 0) & (np.asarray(drift) >= 0)
    ),
}
KAPPA = {"kappa >= 1": lambda kappa: np.asarray(kappa) >= 1}
POSITIVE = {"a positive rate": lambda rate: np.asarray(rate) > 0}
LONG = {"T >= 19": lambda rounds: np.asarray(rounds) >= 19}

# ---------------------------------------------------------------- pieces


def _root(value: Any) -> Any:
    """The square root of a number: a Fraction where it is one, else a float."""
    if isinstance(value, float):
        return value**0.5
    exact = Fraction(*map(isqrt, Fraction(value).as_integer_ratio()))
    return exact if exact**2 == value else float(value) ** 0.5


def _roots(values: Any) -> Any:
    """The root of each number, as `_root` has it."""
    values = np.asarray(values).tolist()  # Python's own numbers
    return np.vectorize(_root, otypes=[object])(np.array(values, dtype=object))[()]


# ---------------------------------------------------------------- a linear teacher


@theorem("bey-desc-recursion", DESCENT, relation="==", premises=VARIANCES,
         evidence="exhaustive")  # fmt: skip
def mean_square_errors(*, rates, kappa, noise, drift, start):
    """The errors after each round, shape of ``rates`` (time is the last axis)."""
    error, errors = start, []
    for eta in np.moveaxis(np.asarray(rates), -1, 0):
        error = (1 - 2 * eta + kappa * eta**2) * (error + drift) + noise * eta**2
        errors.append(error)
    return np.stack(errors, axis=-1)


@theorem("bey-desc-mean", DESCENT, relation="==", evidence="exhaustive")
def mean_of_the_weights(*, rate, before, rounds):
    """``(1 - rate) ** rounds`` times what the mean was off ``before``."""
    factor = np.asarray(1 - rate, dtype=object)
    return factor ** np.asarray(rounds, dtype=object) * before


@theorem("bey-desc-factor", DESCENT, relation=">=", premises=KAPPA,
         evidence="exhaustive")  # fmt: skip
def best_factor(*, kappa):
    """``1 - 1 / kappa``."""
    return 1 - Fraction(1) / np.asarray(kappa, dtype=object)


@theorem("bey-desc-kappa", DESCENT, relation=">=", premises=SOME_FEATURE,
         evidence="exact")  # fmt: skip
def least_kappa(*, d):
    """The dimension."""
    return np.asarray(d)


@theorem("bey-desc-paths", DESCENT, relation=">=", evidence="exhaustive", premises={
    "the rate is at least 2 / d": lambda rate, d: np.asarray(rate) * d >= 2,
})  # fmt: skip
def never_nearer(*, before):
    """The squared distance to the teacher ``before`` the round."""
    return before


@theorem("bey-desc-vector", DESCENT, relation="==", premises=VARIANCES,
         evidence="exhaustive")  # fmt: skip
def errors_by_coordinate(*, rates, squares, mu, noise, drift, start):
    """The mean squares of the coordinates' errors after each round, shape (T, d).

    ``squares`` are the mean squares of the inputs, ``noise`` is the variance of the
    noise, ``drift`` and ``start`` have a number for each coordinate.
    """
    error, errors = np.asarray(start), []
    for eta in rates:
        q, pull = error + drift, eta * np.asarray(squares)
        spread = eta * ((squares * q).sum() + noise)
        error = (1 - 2 * pull + (mu - 1) * pull**2) * q + pull * spread
        errors.append(error)
    return np.stack(errors)


@theorem("bey-desc-stable", DESCENT, relation="==", premises=POSITIVE, evidence="exact")
def tends_to_the_teacher(*, rate, squares, mu):
    """Whether the mean square does, shape (...); ``squares`` have shape (..., d)."""
    pull = np.asarray(rate)[..., None] * squares
    left = 2 - np.asarray(mu - 1)[..., None] * pull
    return (left > 0).all(-1) & ((pull / np.where(left > 0, left, 1)).sum(-1) < 1)


@theorem("bey-desc-falling", DESCENT, relation="<",
         premises=SOME_ROUND | {"kappa > 1": lambda kappa: np.asarray(kappa) > 1},
         evidence="exact")  # fmt: skip
def falling_from_the_start(*, kappa, rounds):
    """``a sinh(pi a) / (pi T**2)``, for a start at distance 1."""
    a = root(np.asarray(kappa) - 1)
    return a * np.sinh(np.pi * a) / (np.pi * np.asarray(rounds, dtype=float) ** 2)


@theorem("bey-desc-rates", DESCENT, relation=">=", evidence="exact",
         premises=VARIANCES | KAPPA | {
    "noise or drift is positive": lambda noise, drift: (
        (np.asarray(noise) > 0) | (np.asarray(drift) > 0)
    ),
})  # fmt: skip
def least_errors(*, kappa, noise, drift, start, rounds):
    """The least errors after rounds 1 to ``rounds``, a number; time is last."""
    error, errors = start, []
    for _ in range(rounds):
        q = error + drift
        error = q - q**2 / (kappa * q + noise)
        errors.append(error)
    return np.stack(errors, axis=-1)


@theorem("bey-desc-drift", DESCENT, relation=">=", evidence="exact", premises=KAPPA | {
    "noise and drift are positive": lambda noise, drift: (
        (np.asarray(noise) > 0) & (np.asarray(drift) > 0)
    ),
})  # fmt: skip
def tracking_floor(*, kappa, noise, drift):
    """The error that no sequence of rates passes below in the long run."""
    # The positive solution of q**2 = drift (kappa q + noise), less the drift.
    b, c = kappa * np.asarray(drift, dtype=object), 4 * noise * np.asarray(drift)
    return (b + _roots(b**2 + c)) / 2 - drift


@theorem("bey-desc-crossing", DESCENT, relation="==", evidence="exact")
def rounds_of_relapse():
    """How often 1/t is ahead again after such a round: never."""
    return 0


# ---------------------------------------------------------------- regret


@theorem("bey-desc-regret", REGRET, premises=POSITIVE, evidence="exhaustive exact")
def regret_of_descent(*, X, u, rate, off=0):
    """The bound for a start at 0; ``off`` is how far from ``u`` it ended, squared."""
    slack = (inner(u, u) - off) / (2 * rate)
    return slack + rate * inner(X, X).sum(axis=0) / 2


@theorem("bey-desc-spiral", REGRET, relation="==", premises=SOME_ROUND,
         evidence="exact")  # fmt: skip
@theorem("bey-desc-lower", REGRET, relation="==", premises=SOME_ROUND,
         evidence="adversary")  # fmt: skip
def root_of_the_rounds(*, rounds):
    """The root of the number of rounds, a Fraction where it is one."""
    return _roots(rounds)


@theorem("bey-desc-zinkevich", REGRET, premises=SOME_ROUND, evidence="exhaustive",
         nontrivial=True)  # fmt: skip
def zinkevich(*, rounds, diameter=2, gradient=1):
    """Both terms, for a set of this diameter and gradients of at most this length."""
    return diameter**2 * root(rounds) / 2 + gradient**2 * (root(rounds) - 0.5)


@theorem("bey-desc-three", REGRET, relation=">=", premises=LONG, evidence="adversary")
def forced_from_zinkevich(*, rounds):
    """``3 sqrt(T) - ln(T) / 2 - 8``."""
    return 3 * root(rounds) - np.log(rounds) / 2 - 8


@theorem("bey-desc-optimal", REGRET, premises=SOME_ROUND, evidence="exhaustive",
         nontrivial=True)  # fmt: skip
def value_of_the_ball(*, rounds):
    """The root of the number of rounds."""
    return root(rounds)


@theorem("bey-desc-line", REGRET, relation="==", premises=SOME_ROUND,
         evidence="exhaustive adversary")  # fmt: skip
def value_of_the_line(*, rounds):
    """The mean distance, as a Fraction."""

    def distance(rounds):
        m = (int(rounds) + 1) // 2
        return Fraction(2 * m * comb(2 * m, m), 4**m)

    return np.vectorize(distance, otypes=[object])(rounds)[()]
