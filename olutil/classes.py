"""Concept classes over m points, as tables of 0s and 1s: concepts by points.

Sources: Chandola, sections 3-5; Kakade, section 2.
"""

from collections.abc import Iterator
from itertools import combinations, product
from math import comb

import numpy as np

from olutil._arguments import BIT, count, one_of


def cube(d: int) -> np.ndarray:
    """All points of {0,1}^d in counting order, shape (2**d, d)."""
    count("d", d)
    return np.array(list(product(BIT, repeat=d)))


def all_functions(points: int) -> np.ndarray:
    """All functions on ``points`` points, shape (2**points, points)."""
    return cube(count("points", points))


def singletons(points: int) -> np.ndarray:
    """The concepts that are 1 at exactly one point, shape (points, points)."""
    return np.eye(count("points", points), dtype=int)


def thresholds(points: int) -> np.ndarray:
    """The concepts [x >= a] on the points 0..points-1, shape (points + 1, points)."""
    points = count("points", points)
    return (np.arange(points) >= np.arange(points + 1)[:, None]).astype(int)


def intervals(points: int) -> np.ndarray:
    """The concepts [a <= x < b], the empty one once; points*(points+1)/2 + 1 rows."""
    points = count("points", points)
    ends = combinations(range(points + 1), 2)
    x = np.arange(points)
    rows = [(a <= x) & (x < b) for a, b in ends]
    return np.array([np.zeros(points, dtype=bool), *rows]).astype(int)


def rectangles(width: int, height: int) -> np.ndarray:
    """The rectangles of cells of a grid, the empty one once.

    Parameters
    ----------
    width, height : int
        The grid's sides.

    Returns
    -------
    ndarray, shape (rectangles, width * height)
        Distinct concepts; point ``x * height + y`` is the cell (x, y).  A product of
        two `intervals`.
    """
    across, up = intervals(width), intervals(height)
    cells = across[:, None, :, None] & up[None, :, None, :]
    return np.unique(cells.reshape(-1, width * height), axis=0)


def monotone_disjunctions(d: int, k: int) -> np.ndarray:
    """ORs of at most k of d variables, the empty one (constant 0) included.

    Parameters
    ----------
    d, k : int
        Variables, and how many may occur: 0 <= k <= d.

    Returns
    -------
    ndarray, shape (sum of binomials (d choose j) for j <= k, 2**d)
        Columns in the order of `cube`.  Chandola, section 5.
    """
    points, k = cube(d), count("k", k, least=0, most=d)
    chosen = [c for size in range(k + 1) for c in combinations(range(d), size)]
    return np.array([points[:, list(c)].any(axis=1) for c in chosen]).astype(int)


def disjunction_count(d: int, k: int) -> int:
    """The number of monotone disjunctions of at most k of d variables: ``|C|``."""
    count("k", k, least=0, most=count("d", d))
    return sum(comb(d, j) for j in range(k + 1))


def conjunctions(d: int, *, negation: bool = True) -> np.ndarray:
    """ANDs of variables, or of literals, on {0,1}^d, as distinct concepts.

    Parameters
    ----------
    d : int
        Variables.
    negation : bool
        Whether a variable may occur negated.  Then the contradictory conjunction
        (constant 0) is one of the 3**d + 1 concepts; without negation there are 2**d.
        The empty conjunction (constant 1) belongs to both.

    Returns
    -------
    ndarray, shape (concepts, 2**d)
        Columns in the order of `cube`.  Chandola, section 3.1.
    """
    points = cube(d)
    if not one_of("negation", negation, (False, True)):
        subsets = product((False, True), repeat=d)
        return np.array([points[:, list(s)].all(axis=1) for s in subsets]).astype(int)
    # Each variable is required to be 0, required to be 1, or free (2).
    rows = [
        [all(w in (2, v) for w, v in zip(want, x, strict=True)) for x in points]
        for want in product((0, 1, 2), repeat=d)
    ]
    return np.array([*rows, [False] * len(points)]).astype(int)


def parities(d: int) -> np.ndarray:
    """The sums modulo 2 of subsets of d variables, shape (2**d, 2**d)."""
    points = cube(d)
    return points @ points.T % 2


def halfspaces(d: int) -> np.ndarray:
    """The linear threshold functions on {0,1}^d, d at most 4.

    Parameters
    ----------
    d : int
        Dimension, 1 to 4.

    Returns
    -------
    ndarray, shape (4, 14, 104 or 1882; 2**d)
        The concepts ``[w . x >= theta]``.  Integer weights of size at most 3 reach all
        of them: the counts are the known ones (Muroga, 1971).
    """
    count("d", d, most=4)
    weights = np.array(list(product(range(-3, 4), repeat=d)))
    scores = weights @ cube(d).T
    limits = np.arange(scores.min(), scores.max() + 2)
    found = np.unique(scores, axis=0)[:, None, :] >= limits[:, None]
    return np.unique(found.reshape(-1, 2**d), axis=0).astype(int)


def terms(n: int, k: int) -> list[tuple[tuple[int, int], ...]]:
    """The nonempty conjunctions of at most k literals over n variables.

    Each term is a tuple of (variable, required value).  Chandola, section 5.3.
    """
    count("n", n)
    count("k", k)
    return [
        tuple(zip(variables, values, strict=True))
        for size in range(1, min(k, n) + 1)
        for variables in combinations(range(n), size)
        for values in product((1, 0), repeat=size)
    ]


def dnf(n: int, k: int) -> np.ndarray:
    """All k-DNF concepts on {0,1}^n: ORs of terms of at most k literals.

    Parameters
    ----------
    n, k : int
        Variables, and literals a term.

    Returns
    -------
    ndarray, shape (concepts, 2**n)
        Distinct concepts, the constant 0 (no term) included.
    """
    points = cube(n)
    closed = {(0,) * len(points)}
    for term in terms(n, k):
        row = tuple(int(all(x[i] == b for i, b in term)) for x in points)
        closed |= {tuple(map(max, c, row)) for c in closed}
    return np.array(sorted(closed))


def every_class(points: int) -> Iterator[np.ndarray]:
    """All 2**(2**points) - 1 nonempty classes on ``points`` points, as tables."""
    functions = all_functions(points)
    for members in range(1, 2 ** len(functions)):
        yield functions[[bool(members >> i & 1) for i in range(len(functions))]]
