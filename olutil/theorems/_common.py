"""What the statements of several lectures share: quantities and hypotheses.

A stream is ``X`` of shape (T, ..., d) with labels ``y`` of shape (T, ...): time first,
features last.  A separator, or a competitor, is ``u`` of shape (..., d).  All of these
may hold Fractions.
"""

from typing import Any

import numpy as np

# ---------------------------------------------------------------- quantities


def inner(a: Any, b: Any) -> Any:
    """The inner products along the last axis."""
    return (np.asarray(a) * np.asarray(b)).sum(axis=-1)


def root(a: Any) -> Any:
    """The square root, in floating point also for Fractions."""
    return np.sqrt(np.asarray(a, dtype=float))


def length(a: Any) -> Any:
    """The Euclidean length along the last axis."""
    return root(inner(a, a))


def radius_squared(X: Any) -> Any:
    """``R**2``, the largest squared length of an input, shape (...)."""
    return inner(X, X).max(axis=0)


def margins(X: Any, y: Any, u: Any) -> Any:
    """``y_t (u . x_t)`` for every round, not divided by the length of ``u``."""
    return np.asarray(y) * inner(X, u)


def least_margin(X: Any, y: Any, u: Any) -> Any:
    """The least of the `margins` of a stream, shape (...)."""
    return margins(X, y, u).min(axis=0)


def hinge_losses(X: Any, y: Any, u: Any) -> Any:
    """``|1 - y_t (u . x_t)|_+`` for every round."""
    return np.maximum(1 - margins(X, y, u), 0)


def floor_lg(n: Any) -> Any:
    """``floor(lg n)`` of positive whole numbers, exactly, whatever their size.

    >>> floor_lg([8, 2**60 - 1])
    array([ 3, 59])
    """
    return np.vectorize(lambda v: int(v).bit_length() - 1, otypes=[int])(n)


# ---------------------------------------------------------------- hypotheses

SOME_EXPERT = {"N >= 1": lambda n: np.asarray(n) >= 1}
TWO_EXPERTS = {"N >= 2": lambda n: np.asarray(n) >= 2}
SOME_ROUND = {"T >= 1": lambda rounds: np.asarray(rounds) >= 1}
SOME_FEATURE = {"d >= 1": lambda d: np.asarray(d) >= 1}
K_OF_D = {"0 <= k <= d": lambda d, k: (np.asarray(k) >= 0) & (np.asarray(k) <= d)}
SOME_RELEVANT = K_OF_D | {"k >= 1": lambda k: np.asarray(k) >= 1}
PENALTY = {
    "0 <= beta < 1": lambda beta: (np.asarray(beta) >= 0) & (np.asarray(beta) < 1)
}
INSIDE = {"0 < beta < 1": lambda beta: (np.asarray(beta) > 0) & (np.asarray(beta) < 1)}
