"""What the page on the Perceptron's bound claims, by other ways than the page goes."""

from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest

from olutil.dimension import littlestone_dimension
from olutil.exact import perceptron_worst_case
from olutil.margins import hull_weights, margin
from olutil.streams import sign_patterns
from olutil.theorems import bound


def to_the_end(V, rng=None):
    """Mistakes in a random order (or the given one) until no vector is wrong."""
    V = [tuple(map(int, v)) for v in V]
    w, mistakes = [0] * len(V[0]), 0
    while True:
        wrong = [v for v in V if sum(a * b for a, b in zip(w, v, strict=True)) <= 0]
        if not wrong:
            return mistakes
        v = wrong[rng.integers(len(wrong)) if rng else 0]
        w = [a + b for a, b in zip(w, v, strict=True)]
        mistakes += 1


def separable_sets(seed, tries, m, d, most, *, acute=True):
    """Random sets with their margins; without acute angles, if asked."""
    rng = np.random.default_rng(seed)
    for V in rng.integers(-most, most + 1, (tries, m, d)):
        gram = V @ V.T
        if not acute and (gram[~np.eye(m, dtype=bool)] > 0).any():
            continue
        try:
            yield V, margin(V, np.ones(m, dtype=int))
        except ValueError:  # nothing separates them
            continue


def ratio(V, found):
    return int((V**2).sum(axis=1).max()) / found.squared


def test_half_of_the_bound_for_more_vectors_in_the_plane():
    seen = 0
    for V, found in separable_sets(1, 150, 4, 2, 4):
        seen += 1
        worst = perceptron_worst_case(V, np.ones(len(V), dtype=int))
        assert worst <= bound("bey-perc-plane", ratio=ratio(V, found))
    assert seen > 20


def test_no_smaller_bound_in_the_plane():
    """The vectors of the proof, in floating point, for any ratio at all."""
    for big in (1.0, 1.99, 2.0, 3.5, 4.0, 7.9, 31.0, 100.0):
        mistakes = bound("bey-perc-plane", ratio=big)
        r, h, a = np.sqrt(big - 1), 0.0, 0.0
        start = (mistakes - 1) / r - (r if mistakes % 2 else 0) if r else 0.0
        for t in range(1, mistakes + 1):
            x = start if t == 1 else -np.sign(a) * r
            assert a * x + h <= 1e-9 and abs(x) <= r + 1e-9
            a, h = a + x, h + 1


def test_without_acute_angles_every_order_costs_the_least_counts():
    rng, seen = np.random.default_rng(3), 0
    for V, _ in separable_sets(2, 1000, 3, 4, 3, acute=False):
        seen += 1
        costs = {to_the_end(V, rng) for _ in range(4)} | {to_the_end(V)}
        assert costs == {bound("bey-perc-obtuse", V=V)}
    assert seen > 20


def test_simplest_fraction_by_trying_denominators():
    rng, seen = np.random.default_rng(4), 0
    while seen < 60:
        a, b = rng.integers(-9, 10, (2, 2))
        A, B, C = int(a @ a), int(b @ b), -int(a @ b)
        if not 0 < C * C < A * B or C < 0:
            continue
        seen += 1
        low, high = Fraction(C, B), Fraction(A, C)
        i = next(i for i in range(1, 10**4) if int(low * i) + 1 < high * i)
        j = int(low * i) + 1
        assert bound("bey-perc-fraction", a=a, b=b) == i + j
        assert to_the_end([a, b]) == to_the_end([b, a]) == i + j


def test_whole_numbers_pay_for_a_small_margin():
    rng = np.random.default_rng(5)
    for V, found in separable_sets(6, 100, 4, 3, 2):
        p = np.array(found.weights, dtype=object) @ V
        least = bound(
            "bey-perc-whole",
            radius_squared=int((V**2).sum(axis=1).max()),
            squared=found.squared,
            highest=max(V @ p),
        )
        assert least <= to_the_end(V, rng) <= ratio(V, found)


@pytest.mark.parametrize("d", [1, 2, 3, 4, 5, 6, 7])
def test_decision_list_in_random_orders(d):
    V = np.eye(d, dtype=int)
    for j in range(d):
        V[j, [k for k in range(j) if (j - k) % 2]] = -1
    costs = {to_the_end(V, np.random.default_rng(seed)) for seed in range(4)}
    assert costs == {bound("bey-perc-list", d=d)}
    assert margin(V, np.ones(d, dtype=int)).squared == Fraction(1, costs.pop())


def test_best_learner_in_the_plane_on_whole_points():
    """Points of a circle, labeled with margin: never more than the formula."""
    points = np.array([(5, 0), (4, 3), (3, 4), (0, 5), (-3, 4), (-4, 3)])
    patterns = sign_patterns(len(points))
    V = patterns[..., None] * points
    weights = hull_weights(V)
    margins = np.linalg.norm((weights[:, None] @ V)[:, 0], axis=1).round(9)
    for least in np.unique(margins[margins > 0]):
        C = (patterns[margins >= least] + 1) // 2
        assert littlestone_dimension(C) <= bound("bey-perc-arc", sine=least / 5)


def test_halvings_of_the_circle_at_powers_of_two():
    k = np.arange(1, 30)
    assert bound("bey-perc-arc", sine=np.sin(np.pi / 2.0**k)).tolist() == k.tolist()


def test_orthogonal_vectors_by_pairs_and_margin():
    V = np.array([[3, 4, 0], [4, -3, 0], [0, 0, 2]])
    for rows in combinations(range(3), 2):
        pair = V[list(rows)]
        count, value = bound("bey-perc-orthogonal", V=pair)
        assert count == to_the_end(pair) == 2
        assert value == ratio(pair, margin(pair, [1, 1]))


@pytest.mark.parametrize(
    ("id", "parameters"),
    [
        ("bey-perc-arc", {"sine": 1.5}),
        ("bey-perc-cancel", {"K": 0}),
        ("bey-perc-cancel", {"K": 1.5}),
        ("bey-perc-fraction", {"a": [1, 0], "b": [1, 1]}),
        ("bey-perc-fraction", {"a": [1, 0], "b": [-2, 0]}),
        ("bey-perc-list", {"d": 0}),
        ("bey-perc-obtuse", {"V": [[1, 0], [1, 1]]}),
        ("bey-perc-obtuse", {"V": [[1, 0], [-1, 0]]}),
        ("bey-perc-orthogonal", {"V": [[1, 0], [1, 1]]}),
        ("bey-perc-plane", {"ratio": Fraction(1, 2)}),
        ("bey-perc-shatter", {"ratio": Fraction(1, 2)}),
        ("bey-perc-whole", {"radius_squared": 1, "squared": 0, "highest": 1}),
    ],
)
def test_premises_are_demanded(id, parameters):
    with pytest.raises(ValueError, match="premise"):
        bound(id, **parameters)
