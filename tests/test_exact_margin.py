"""The exact margin, certified by its own weights and by other methods."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from olutil.margins import hull_weights, margin


def _certify(X, y, found):
    """The conditions of Karush, Kuhn and Tucker, in whole numbers and Fractions."""
    V = [[int(label) * v for v in row] for row, label in zip(X, y, strict=True)]
    assert all(w >= 0 for w in found.weights) and sum(found.weights) == 1
    p = [
        sum(w * v for w, v in zip(found.weights, c, strict=True))
        for c in zip(*V, strict=True)
    ]
    assert sum(v * v for v in p) == found.squared > 0
    # No example is nearer than p, and those that carry weight are as near.
    for v, weight in zip(V, found.weights, strict=True):
        slack = sum(a * b for a, b in zip(p, v, strict=True)) - found.squared
        assert slack >= 0 and slack * weight == 0
    # The normal is p, made whole and primitive.
    scale = {Fraction(a) / b for a, b in zip(p, found.normal, strict=True) if b}
    assert len(scale) == 1 and scale.pop() > 0
    assert all(a == 0 for a, b in zip(p, found.normal, strict=True) if b == 0)
    assert np.gcd.reduce(found.normal) == 1


def _examples(seed, d, m):
    rng = np.random.default_rng(seed)
    X = rng.integers(-4, 5, (m, d))
    return X, np.where(X @ rng.integers(-3, 4, d) > 0, 1, -1)


@pytest.mark.parametrize("d", [1, 2, 3, 4])
@pytest.mark.parametrize("m", [1, 2, 5, 8])
def test_margin_is_certified_or_refused(d, m):
    for seed in range(12):
        X, y = _examples(seed, d, m)
        V = y[:, None] * X
        nearest = np.linalg.norm(hull_weights(V) @ V) ** 2
        if nearest < 1e-9:
            with pytest.raises(ValueError, match="X, y: .*separates.*mean.*0"):
                margin(X, y)
            continue
        found = margin(X.tolist(), y)
        _certify(X.tolist(), y, found)
        assert float(found.squared) == pytest.approx(nearest, abs=1e-9)


def test_margin_in_the_plane_by_pairs():
    """The margin is attained at a point, or between two points: try them all."""
    for seed in range(40):
        X, y = _examples(seed, 2, 7)
        V = [tuple(map(int, v)) for v in y[:, None] * X]
        normals = [*V]
        normals += [
            n
            for a, b in product(V, V)
            for n in ((a[1] - b[1], b[0] - a[0]), (b[1] - a[1], a[0] - b[0]))
        ]
        least = [
            Fraction(low * low, n[0] ** 2 + n[1] ** 2)
            for n in normals
            if any(n) and (low := min(n[0] * v[0] + n[1] * v[1] for v in V)) > 0
        ]
        if least:
            assert margin(X, y).squared == max(least)


def test_margin_of_a_cube_with_repeats():
    """As many ties as there can be: all points of a cube, some of them twice."""
    X = np.array([*product((-1, 1), repeat=5), *product((-1, 1), repeat=5)])
    y = np.where(X @ [1, 1, 1, 1, 1] > 0, 1, -1)
    found = margin(X, y)
    assert found[:2] == (Fraction(1, 5), (1, 1, 1, 1, 1))
    _certify(X.tolist(), y, found)


def test_margin_at_every_scale():
    X = [[10**20, 1], [1, Fraction(1, 10**20)]]
    found = margin(X, [1, 1])
    _certify(X, [1, 1], found)
    assert found.squared == 1 + Fraction(1, 10**40)


@pytest.mark.parametrize(
    ("X", "y", "message"),
    [
        ([[0.5, 1]], [1], "X: .*whole numbers or Fractions.*0.5"),
        ([1, 2], [1, 1], r"X: .*examples by features.*\(2,\)"),
        ([[1, 2]], [0], "y: .*-1 or 1.*0"),
        ([[1, 2]], [1, 1], r"y: .*1.*\(2,\)"),
    ],
)
def test_bad_input(X, y, message):
    with pytest.raises(ValueError, match=message):
        margin(X, y)
