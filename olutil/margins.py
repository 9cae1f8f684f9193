"""Margins and feature maps: the geometry behind the linear learners' bounds.

Sources: Kakade, section 3; COS 511, section 2; Chandola, section 5.3.
"""

from collections.abc import Iterable
from fractions import Fraction
from itertools import combinations, product
from math import ceil, floor, gcd, lcm, prod
from typing import Any, NamedTuple

import numpy as np

from olutil import _arguments as need
from olutil._arguments import BIT, SIGN
from olutil.classes import terms

MODEST = "numbers whose ratios floats hold"

# ---------------------------------------------------------------- feature maps


def literals(x: Any) -> np.ndarray:
    """Append to every 0/1 feature its negation, shape (..., d) to (..., 2d).

    A disjunction of literals is a monotone disjunction of these (Chandola, 5.3).
    """
    x = need.labels("x", np.atleast_1d(need.array_of("x", x)), BIT)
    return np.concatenate([x, 1 - x], axis=-1)


def term_features(x: Any, k: int) -> np.ndarray:
    """One feature for every conjunction of at most k literals; shape (..., terms).

    A k-DNF is a monotone disjunction of these (Chandola, section 5.3); the order is
    that of `olutil.classes.terms`.
    """
    x = need.labels("x", np.atleast_1d(need.array_of("x", x)), BIT)
    columns = [
        prod((x[..., i] == b).astype(int) for i, b in term)
        for term in terms(x.shape[-1], k)
    ]
    return np.stack(columns, axis=-1)


# ---------------------------------------------------------------- the largest margin


class Margin(NamedTuple):
    """The largest margin of some examples, with its proof.

    The weights are at least 0 and sum to 1, and the normal vector has the direction of
    the sum of ``weights * y * x``.  Weights other than 0 belong to support vectors.
    """

    squared: Fraction  #: The square of the margin.
    normal: tuple[int, ...]  #: Of the hyperplane; whole, without a common divisor.
    weights: tuple[Fraction, ...]  #: One for each example.


def margin(X: Any, y: Any) -> Margin:
    """The largest margin of a hyperplane through the origin, exactly.

    Parameters
    ----------
    X : array_like of int or Fraction, shape (examples, d)
        The inputs, not normalized.
    y : array_like of -1/+1, shape (examples,)

    Returns
    -------
    Margin
        The largest ``min_t y_t (u . x_t)`` over vectors u of Euclidean length 1 is a
        square root, so its square is returned.

    Raises
    ------
    ValueError
        If ``X`` has other numbers, or no hyperplane through the origin separates.

    Notes
    -----
    COS 511, Figure 4.  Let p be the point of the convex hull of the ``y_t x_t`` that is
    nearest to the origin.  Every unit vector u has ``min_t y_t (u . x_t) <= u . p <=
    |p|``, and u along p attains it, for ``p . v >= p . p`` at all v of the hull.  Wolfe
    (1976) finds p: it adds the example farthest below p, moves to the nearest point of
    the plane through the examples in use, and drops those that it would need with
    negative weight.  In Fractions the length falls strictly, so it ends.

    Examples
    --------
    >>> margin([[1, 0], [0, 1], [3, 3]], [1, 1, 1])[:2]
    (Fraction(1, 2), (1, 1))
    """
    X = need.array_of("X", X)
    if X.ndim != 2 or 0 in X.shape:
        raise need.invalid("X", "examples by features, not empty", f"shape {X.shape}")
    X = need.numbers("X", X)
    if not all(isinstance(v, int | Fraction) for v in X.ravel().tolist()):
        raise need.invalid("X", "whole numbers or Fractions", X)
    y = need.labels("y", need.last_axis("y", y, len(X)), SIGN)
    V = (X.astype(object) * y[:, None].astype(object)).tolist()
    first = min(range(len(V)), key=lambda i: _dot(V[i], V[i]))
    weights = {first: Fraction(1)}
    while True:
        used = [V[i] for i in weights]
        p = [_dot(weights.values(), column) for column in zip(*used, strict=True)]
        if not any(p):
            wanted = "examples that a hyperplane through the origin separates"
            found = f"a mean of y x that is 0, over the examples {sorted(weights)}"
            raise need.invalid("X, y", wanted, found)
        lowest = min(range(len(V)), key=lambda i: _dot(p, V[i]))
        if _dot(p, V[lowest]) >= _dot(p, p):
            break
        weights = _nearest(V, weights | {lowest: Fraction(0)})
    scale = Fraction(lcm(*(v.denominator for v in p)), gcd(*(v.numerator for v in p)))
    return Margin(
        _dot(p, p),
        tuple(int(v * scale) for v in p),
        tuple(weights.get(i, Fraction(0)) for i in range(len(V))),
    )


def _nearest(V: list, weights: dict[int, Fraction]) -> dict[int, Fraction]:
    """The point nearest to the origin in the simplex of these rows, as weights.

    Wolfe's minor cycle: move toward the nearest point of their plane.  If a weight
    would become negative on the way, stop where it is 0, and go on without that row.
    """
    while True:
        rows = list(weights)
        gram = [[_dot(V[i], V[j]) for j in rows] + [1, 0] for i in rows]
        goal = _solve([*gram, [1] * len(rows) + [0, 1]])[: len(rows)]
        pairs = list(zip(weights.values(), goal, strict=True))
        step = min((a / (a - b) for a, b in pairs if b < 0), default=None)
        if step is None:
            return dict(zip(rows, goal, strict=True))
        moved = (a + step * (b - a) for a, b in pairs)
        weights = {i: w for i, w in zip(rows, moved, strict=True) if w}


def _solve(system: list[list]) -> list[Fraction]:
    """Solve linear equations, each a row of coefficients and its right-hand side."""
    left = [[Fraction(v) for v in row] for row in system]
    size = len(left)
    for i in range(size):
        pivot = next(r for r in range(i, size) if left[r][i])
        left[i], left[pivot] = left[pivot], left[i]
        left[i] = [v / left[i][i] for v in left[i]]
        for r in range(size):
            times = left[r][i] if r != i else 0
            left[r] = [a - times * b for a, b in zip(left[r], left[i], strict=True)]
    return [row[-1] for row in left]


def _dot(u: Iterable, v: Iterable) -> Any:
    return sum(a * b for a, b in zip(u, v, strict=True))


def hull_weights(V: Any) -> np.ndarray:
    """Weights of the point of a convex hull that is nearest to the origin.

    With rows ``y_t x_t`` that point is the normal vector of the largest margin, and its
    length is that margin: the hyperplane of a hard support vector machine.

    Parameters
    ----------
    V : array_like, shape (..., m, d)
        The hull is that of the m rows.  Every group of at most ``d + 1`` rows is tried,
        so m and d should be small.

    Returns
    -------
    ndarray, shape (..., m)
        Not negative, with sum 1; the point is ``weights @ V``.

    Notes
    -----
    COS 511, Figure 4.  The nearest point is the nearest one of the plane through the
    rows that carry weight, at most ``d + 1`` of them (Caratheodory).

    Examples
    --------
    >>> hull_weights([[1, 0], [0, 1], [3, 3]]).round(6)
    array([0.5, 0.5, 0. ])
    """
    V = need.numbers("V", V).astype(float)
    if V.ndim < 2 or 0 in V.shape:
        raise need.invalid("V", "rows, one at least", f"shape {V.shape}")
    # The weights do not depend on the scale, but their rounding does: make it about 1.
    V = np.ldexp(V, -np.frexp(abs(V).max(axis=(-2, -1), keepdims=True))[1])
    m, d = V.shape[-2:]
    weights, least = np.zeros(V.shape[:-1]), np.full(V.shape[:-2], np.inf)
    for size in range(1, min(m, d + 1) + 1):
        for rows in combinations(range(m), size):
            part = V[..., rows, :]
            # Minimize |share @ part|**2 for sum(share) = 1, with a Lagrange multiplier.
            system = np.ones((*V.shape[:-2], size + 1, size + 1))
            system[..., -1, -1] = 0
            system[..., :-1, :-1] = part @ part.swapaxes(-1, -2)
            share = np.linalg.pinv(system, hermitian=True)[..., :-1, -1]
            length = np.linalg.norm((share[..., None, :] @ part)[..., 0, :], axis=-1)
            better = (share >= -1e-12).all(axis=-1) & (length < least - 1e-12)
            least = np.where(better, length, least)
            full = np.zeros(V.shape[:-1])
            full[..., rows] = np.maximum(share, 0)
            weights = np.where(better[..., None], full, weights)
    return weights / weights.sum(axis=-1, keepdims=True)


# ---------------------------------------------------------------- Kakade's grid


def weight_grid(radius: float, norm: float, gamma: float, d: int) -> np.ndarray:
    """Kakade's finite class of weight vectors, with its size put right.

    Parameters
    ----------
    radius, norm, gamma : float
        Bounds on the inputs' norm and on the separator's, and its margin; positive.
    d : int
        Dimension.

    Returns
    -------
    ndarray, shape (``(2 * floor(2 A) + 1) ** d``, d)
        All vectors with coordinates ``m * gamma / (2 radius d)``, for the whole numbers
        ``|m| <= floor(2 A)``, ``A = radius * norm * d / gamma``.

    Raises
    ------
    ValueError
        If a parameter is not positive.

    Notes
    -----
    Kakade, section 3.  Rounding the separator toward zero keeps half its margin and
    stays in this grid, and the grid is small enough for Corollary 3.1; the lecture's
    (``ceil`` for ``floor``) can be larger.
    """
    side = floor(2 * _amplitude(radius, norm, gamma, d))
    unit = need.number("gamma", gamma / (2 * radius * d), MODEST, lambda v: True)
    ticks = np.arange(-side, side + 1) * unit
    return np.array(list(product(ticks, repeat=d)))


def lecture_grid_size(radius: float, norm: float, gamma: float, d: int) -> int:
    """The size of the grid as Kakade's lecture has it: ``(2 ceil(2 A) + 1) ** d``."""
    return (2 * ceil(2 * _amplitude(radius, norm, gamma, d)) + 1) ** int(d)


def _amplitude(radius: float, norm: float, gamma: float, d: int) -> float:
    for name, value in (("radius", radius), ("norm", norm), ("gamma", gamma)):
        need.number(name, value, "a positive number", lambda v: v > 0)
    amplitude = radius * norm * need.count("d", d) / gamma
    return need.number("radius, norm, gamma", amplitude, MODEST, lambda v: v < 1e300)
