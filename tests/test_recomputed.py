"""A second opinion on the tables beyond the lectures: other methods, nothing shared.

Classes are built from their definitions, games are played over unsorted states, and
means are taken over whole distributions.
"""

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import combinations, product
from math import log

import numpy as np
import pytest

from olutil import classes, dimension, exact
from olutil.exact import (
    expected_best,
    experts_minimax,
    experts_minimax_horizon,
    experts_worst_case,
    winnow_worst_case,
)
from olutil.experts import (
    AggregatingAlgorithm,
    RandomizedWeightedMajority,
    WeightedMajority,
)

# ---------------------------------------------------------------- classes


def _rectangles(width, height):
    corners = product(range(width), range(width), range(height), range(height))
    cells = list(product(range(width), range(height)))
    boxes = {
        tuple(left <= x <= right and low <= y <= high for x, y in cells)
        for left, right, low, high in corners
    }
    return boxes | {(False,) * len(cells)}


def _disjunctions(d, k):
    points = list(product((0, 1), repeat=d))
    sets = [s for size in range(k + 1) for s in combinations(range(d), size)]
    return {tuple(any(x[i] for i in s) for x in points) for s in sets}


def _halfspaces(d):
    """What no two ones and two zeros with equal sums contradict (2-asummable)."""
    points = np.array(list(product((0, 1), repeat=d)))
    pairs = {}
    for i, j in product(range(2**d), repeat=2):
        pairs.setdefault(tuple(points[i] + points[j]), []).append((i, j))
    return {
        f
        for f in product((False, True), repeat=2**d)
        if not any(
            any(f[i] and f[j] for i, j in same)
            and any(not f[i] and not f[j] for i, j in same)
            for same in pairs.values()
        )
    }


def _intervals(points):
    ends = product(range(points + 1), repeat=2)
    return {tuple(a <= x < b for x in range(points)) for a, b in ends}


# The tie rule decides on the first two, and pruning in every round on the second.
NINE = "00011 00111 01001 01010 01101 10001 10011 10101 11001".split()
CLASSES = {
    "intervals, 5 points": (_intervals(5), classes.intervals(5)),
    "nine concepts": (
        {tuple(label == "1" for label in row) for row in NINE},
        np.array([list(map(int, row)) for row in NINE]),
    ),
    "rectangles, 3 by 3": (_rectangles(3, 3), classes.rectangles(3, 3)),
    "disjunctions, 4, 2": (_disjunctions(4, 2), classes.monotone_disjunctions(4, 2)),
    "halfspaces, d = 3": (_halfspaces(3), classes.halfspaces(3)),
}


def _by_version_spaces(rows, rule=None):
    """The longest game: against the best learner, or against Halving's tie rule."""
    points = range(len(next(iter(rows))))

    @cache
    def longest(versions):
        best = 0
        for x in points:
            one = frozenset(c for c in versions if c[x])
            zero = versions - one
            if not (one and zero):
                continue
            if rule is None:
                best = max(best, 1 + min(longest(one), longest(zero)))
                continue
            tie, lazy = rule
            says_1 = len(one) > len(zero) or (len(one) == len(zero) and tie == 1)
            wrong, right = (zero, one) if says_1 else (one, zero)
            best = max(best, 1 + longest(wrong), 0 if lazy else longest(right))
        return best

    return longest(frozenset(rows))


@pytest.mark.parametrize("name", CLASSES)
def test_classes(name):
    """The table of classes, by the plain recursion over sets of concepts."""
    rows, C = CLASSES[name]
    assert set(map(tuple, C.astype(bool).tolist())) == rows
    assert dimension.littlestone_dimension(C) == _by_version_spaces(rows)
    for tie, lazy in product((0, 1), (False, True)):
        found = exact.halving_worst_case(C, tie=tie, lazy=lazy)
        assert found == _by_version_spaces(rows, (tie, lazy))


@pytest.mark.parametrize(("d", "k"), [(4, 0), (4, 1), (4, 2), (4, 3), (5, 1), (5, 2)])
def test_winnow(d, k):
    """Winnow's column, by every mistake on every point, with the weights themselves."""

    @cache
    def longest(weights):
        best = 0
        for x in product((0, 1), repeat=d):
            y = any(x[:k])
            says = (
                2 * sum(w for w, active in zip(weights, x, strict=True) if active) > d
            )
            if says != y:
                factor = 2 if y else 0
                after = (
                    w * factor if on else w for w, on in zip(weights, x, strict=True)
                )
                best = max(best, 1 + longest(tuple(after)))
        return best

    assert winnow_worst_case(d, k) == longest((1,) * d)


# ---------------------------------------------------------------- games


def _even_out(A, B):
    """What the learner suffers at its best p: an end, or where the outcomes meet."""
    p = np.clip((1 + B - A) / 2, 0, 1)
    return np.maximum(p + A, 1 - p + B)


@pytest.mark.parametrize(
    ("n", "rounds"), [(1, 5), (2, 24), (3, 12), (4, 8), (5, 5), (5, 7)]
)
def test_regret(n, rounds):
    """The regret, on the whole grid of unsorted counts; floats are exact here."""
    worth = -np.indices((rounds + 1,) * n).min(axis=0).astype(float)
    for size in range(rounds, 0, -1):
        sides = [
            worth[tuple(slice(wrong, size + wrong) for wrong in S)]
            for S in product((0, 1), repeat=n)
        ]
        worth = np.max(
            [_even_out(*s) for s in zip(sides, sides[::-1], strict=True)], axis=0
        )
    assert experts_minimax_horizon(n, rounds) == Fraction(worth.item())


@cache
def _promise(n, best, rounds):
    """The values after 0, 1, ... rounds, on the whole grid of unsorted counts.

    The adversary may not take an outcome that leaves nobody, here minus infinity.
    """
    counts, shape = np.indices((best + 2,) * n), (n,) + (1,) * n
    nobody = (counts == best + 1).all(axis=0)
    worth, values = np.where(nobody, -np.inf, 0.0), [0.0]
    for _ in range(rounds):
        sides = [
            worth[tuple(np.minimum(counts + np.reshape(S, shape), best + 1))]
            for S in product((0, 1), repeat=n)
        ]
        with np.errstate(invalid="ignore"):
            worth = np.max(
                [
                    np.where(np.isinf(A), B, np.where(np.isinf(B), A, _even_out(A, B)))
                    for A, B in zip(sides, sides[::-1], strict=True)
                ],
                axis=0,
            )
        worth[nobody] = -np.inf
        values.append(worth[(0,) * n].item())
    return values


PROMISES = [(1, 3), (2, 0), (2, 1), (2, 4), (3, 1), (3, 2), (4, 1), (5, 0)]


@pytest.mark.parametrize(("n", "best"), PROMISES)
def test_promise(n, best):
    """The price of not knowing: each horizon, and long games for the one without."""
    values = _promise(n, best, 90)
    for rounds in range(12):
        assert experts_minimax(n, best, horizon=rounds) == Fraction(values[rounds])
    assert float(experts_minimax(n, best)) == pytest.approx(values[-1], abs=1e-9)


@pytest.mark.parametrize(("n", "best"), [(2, 1), (2, 3), (3, 1)])
def test_no_horizon_is_long_enough(n, best):
    """If the best expert may err at all, the value without a horizon is a limit."""
    without = experts_minimax(n, best)
    for rounds in (2 * best + 1, 4 * best, 30):
        assert experts_minimax(n, best, horizon=rounds) < without


# ---------------------------------------------------------------- algorithms


def _majority(share, beta):
    return float(share > 0.5 - 1e-12)


def _randomized(share, beta):
    return share


def _improved(share, beta):
    if share < 1e-12 or share > 1 - 1e-12:
        return round(share)
    right, wrong = log(1 - share * (1 - beta)), log(beta + share * (1 - beta))
    return right / (right + wrong)


@pytest.mark.parametrize("beta", [0.0, 0.5, 0.8])
@pytest.mark.parametrize(
    ("loss", "learner"),
    [
        (_majority, WeightedMajority),
        (_randomized, RandomizedWeightedMajority),
        (_improved, AggregatingAlgorithm),
    ],
)
def test_algorithms(loss, learner, beta):
    """The three algorithms' columns, forward over unsorted counts, from the share."""
    n, rounds = 3, 8
    most = {(0,) * n: 0.0}
    for _ in range(rounds):
        longer = {}
        for counts, lost in most.items():
            weights = [beta ** (c - min(counts)) for c in counts]
            for S in product((0, 1), repeat=n):
                share = np.dot(weights, S) / sum(weights)
                after = tuple(c + wrong for c, wrong in zip(counts, S, strict=True))
                total = lost + loss(share, beta)
                longer[after] = max(total, longer.get(after, 0.0))
        most = longer
    worst = experts_worst_case(learner(n, beta=beta), rounds)
    for K in range(rounds + 1):
        ours = max(lost for counts, lost in most.items() if min(counts) == K)
        assert float(worst[K]) == pytest.approx(ours, abs=1e-9)


# ---------------------------------------------------------------- random data


@pytest.mark.parametrize(("n", "rounds"), [(1, 6), (2, 9), (3, 6), (4, 4)])
def test_random_advice(n, rounds):
    """The mean of the best of n, from the joint law of all counts, coin after coin."""
    law = Counter({(0,) * n: 1})
    for _ in range(rounds):
        before, law = law, Counter()
        for counts, ways in before.items():
            for S in product((0, 1), repeat=n):
                law[tuple(c + wrong for c, wrong in zip(counts, S, strict=True))] += (
                    ways
                )
    total = sum(min(counts) * ways for counts, ways in law.items())
    assert expected_best(n, rounds) == Fraction(total, 2 ** (n * rounds))
