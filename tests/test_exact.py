"""Exact worst cases against brute force that plays every stream."""

from fractions import Fraction
from functools import cache
from itertools import combinations, product
from math import comb, floor, log2

import numpy as np
import pytest

from olutil import play
from olutil.classes import (
    all_functions,
    conjunctions,
    cube,
    dnf,
    every_class,
    halfspaces,
    intervals,
    monotone_disjunctions,
    parities,
    rectangles,
    singletons,
    thresholds,
)
from olutil.dimension import (
    Node,
    littlestone_dimension,
    mistake_tree,
    vc_dimension,
    verify_tree,
)
from olutil.exact import (
    conservative_worst_case,
    elimination_worst_case,
    every_class_measures,
    halving_worst_case,
    perceptron_worst_case,
    winnow_worst_case,
)
from olutil.linear import Perceptron, Winnow
from olutil.streams import every_stream


def test_every_stream_is_every_stream():
    x, y = zip(*every_stream(2, 2), strict=True)
    streams = np.c_[x[0], y[0], x[1], y[1]]
    assert sorted(streams.tolist()) == cube(6).tolist()


CLASSES = {
    "thresholds": thresholds(7),
    "singletons": singletons(6),
    "intervals": intervals(5),
    "rectangles": rectangles(3, 2),
    "disjunctions": monotone_disjunctions(3, 2),
    "conjunctions": conjunctions(3),
    "monotone conjunctions": conjunctions(3, negation=False),
    "parities": parities(3),
    "halfspaces": halfspaces(3),
    "2-DNF": dnf(2, 2),
    # Nine concepts against which eager Halving is worse than lazy Halving.
    "nine": cube(5)[[3, 7, 9, 10, 13, 17, 19, 21, 25]],
    "all": all_functions(3),
}


def _opt_by_partial_labels(C):
    """Littlestone's dimension from all 3**m partial labelings, 2 for an open point.

    Those that some concept fits have dimension 0 at least; a labeling has d + 1 at
    least if at some open point both labels leave d.
    """
    deep = np.zeros((3,) * C.shape[1], dtype=bool)
    deep[tuple(C.T)] = True
    axes = [np.moveaxis(deep, axis, 0) for axis in range(deep.ndim)]
    for axis in axes:
        axis[2] = axis[0] | axis[1]
    for depth in range(len(C)):
        deeper = np.zeros_like(deep)
        for axis in range(deep.ndim):
            known = np.moveaxis(deep, axis, 0)
            np.moveaxis(deeper, axis, 0)[2] |= known[0] & known[1]
        if not deeper[(2,) * deep.ndim]:
            return depth
        deep = deeper


def _halving_plainly(C, tie, lazy):
    """The recursion itself, on tuples of rows and without any bound."""

    @cache
    def worst(rows):
        most = 0
        for x in range(C.shape[1]):
            ones = tuple(r for r in rows if C[r, x])
            zeros = tuple(r for r in rows if not C[r, x])
            says = tie if len(ones) == len(zeros) else len(ones) > len(zeros)
            erred, right = (zeros, ones) if says else (ones, zeros)
            if erred:
                most = max(most, 1 + worst(erred))
            if not lazy and erred and right:
                most = max(most, worst(right))
        return most

    return worst(tuple(range(len(C))))


def _vc_by_counting(C):
    """The largest number of points with all patterns, set by set."""
    shattered = [0]
    for size in range(1, C.shape[1] + 1):
        for chosen in combinations(range(C.shape[1]), size):
            if len({tuple(row) for row in C[:, chosen].tolist()}) == 2**size:
                shattered.append(size)
    return max(shattered)


@pytest.mark.parametrize("name", CLASSES)
def test_measures_of_a_class_by_other_means(name):
    C = CLASSES[name]
    assert vc_dimension(C) == _vc_by_counting(C)
    assert littlestone_dimension(C) == _opt_by_partial_labels(C)
    for tie, lazy in product((0, 1), (False, True)):
        if lazy or C.shape[0] < 50:
            found = halving_worst_case(C, tie=tie, lazy=lazy)
            assert found == _halving_plainly(C, tie, lazy)


@pytest.mark.parametrize("name", CLASSES)
def test_chain_and_certificate(name):
    C = CLASSES[name]
    opt = littlestone_dimension(C)
    chain = [vc_dimension(C), opt, halving_worst_case(C), floor(log2(len(C)))]
    assert chain == sorted(chain)
    assert verify_tree(C, mistake_tree(C)) == opt


def test_a_false_tree_is_refused():
    C = thresholds(3)
    tree = mistake_tree(C)
    assert verify_tree(C, tree) == 2
    with pytest.raises(ValueError, match="tree: expected leaf . to agree"):
        verify_tree(C, Node(tree.point, tree.one, tree.zero))
    with pytest.raises(ValueError, match="tree: expected equally deep sides.*1, 0"):
        verify_tree(C, Node(0, Node(1, 3, 1), 0))
    with pytest.raises(ValueError, match="tree: expected equally deep sides.*0, 1"):
        verify_tree(C, Node(2, 3, Node(1, 2, 1)))
    with pytest.raises(ValueError, match="tree: expected leaf 0 to agree"):
        verify_tree(C, Node(0, 0, 1))
    # To ask a point twice and be told two labels is no mistake forced.
    twice = Node(0, Node(0, 0, 1), Node(0, 0, 1))
    with pytest.raises(ValueError, match="tree: expected leaf 1 to agree"):
        verify_tree(cube(1), twice)


def test_large_classes_of_the_book():
    """Known values, at sizes where a search without bounds would not end.

    The 9 was also found by `_opt_by_partial_labels`, which takes some seconds.
    """
    C = halfspaces(4)
    assert (vc_dimension(C), littlestone_dimension(C)) == (5, 9)
    assert halving_worst_case(C, lazy=True) == 10
    assert vc_dimension(monotone_disjunctions(7, 3)) == 5
    assert littlestone_dimension(singletons(200)) == 1


def _size(C):
    """The number of concepts, of which none stands twice."""
    assert len(np.unique(C, axis=0)) == len(C)
    return len(C)


def test_sizes_of_the_classes():
    assert _size(intervals(5)) == 5 * 6 // 2 + 1
    for width, height in ((1, 1), (2, 3), (4, 3)):
        C = rectangles(width, height)
        assert _size(C) == comb(width + 1, 2) * comb(height + 1, 2) + 1
        for grid in C.reshape(-1, width, height):
            # Occupied columns and rows are intervals, and all their cells are filled.
            sides = grid.any(axis=1), grid.any(axis=0)
            assert all((np.diff(np.flatnonzero(side)) == 1).all() for side in sides)
            assert np.array_equal(grid, np.outer(*sides))
    assert [_size(halfspaces(d)) for d in (1, 2, 3, 4)] == [4, 14, 104, 1882]
    for d in range(1, 5):
        assert _size(conjunctions(d)) == 3**d + 1
        assert _size(conjunctions(d, negation=False)) == 2**d
        assert _size(parities(d)) == 2**d
        for k in range(d + 1):
            size = _size(monotone_disjunctions(d, k))
            assert size == sum(comb(d, j) for j in range(k + 1))
    assert _size(dnf(2, 2)) == 16
    assert _size(dnf(2, 1)) == 10  # 0, 1, four literals and four ORs of two


def test_every_class_agrees_with_the_measures_of_a_single_class():
    measures = every_class_measures(3)
    for i, C in enumerate(every_class(3)):
        assert measures["size"][i] == len(C)
        assert measures["vc"][i] == vc_dimension(C)
        assert measures["opt"][i] == littlestone_dimension(C)
        assert measures["halving"][i] == halving_worst_case(C)
        assert measures["halving_tie0"][i] == halving_worst_case(C, tie=0)
        assert measures["halving_lazy"][i] == halving_worst_case(C, lazy=True)
        assert measures["halving_lazy_tie0"][i] == halving_worst_case(
            C, lazy=True, tie=0
        )


def test_elimination_counts_the_rows_before_the_target():
    assert elimination_worst_case(thresholds(4)) == 4
    assert elimination_worst_case([[0, 1], [0, 1], [1, 1]]) == 2
    assert elimination_worst_case([[0, 1]]) == 0


def _brute_winnow(d, k, rounds, options):
    """The worst case over all sequences of a few rounds, in one batch."""
    points = cube(d)
    labels = points[:, :k].any(axis=1).astype(int)
    numbers = np.arange(len(points) ** rounds)
    chosen = [numbers // len(points) ** t % len(points) for t in range(rounds)]
    return play(Winnow(d, **options), ((points[c], labels[c]) for c in chosen)).mistakes


@pytest.mark.parametrize(("d", "k"), [(1, 0), (1, 1), (2, 0), (2, 1), (2, 2), (3, 1)])
@pytest.mark.parametrize("divide", [False, True])
def test_winnow_worst_case_is_reached_and_not_passed(d, k, divide):
    options = {"threshold": d, "demote": "divide"} if divide else {}
    worst = winnow_worst_case(d, k, **options)
    rounds = min(max(worst, 1), 6 if d < 3 else 5)
    assert _brute_winnow(d, k, rounds, options).max() == min(worst, rounds)


@pytest.mark.parametrize("d", [1, 2, 3, 4])
@pytest.mark.parametrize("divide", [False, True])
def test_winnow_worst_case_without_its_symmetries(d, divide):
    options = {"threshold": d, "demote": "divide"} if divide else {}
    for k in range(d + 1):
        target = cube(d)[:, :k].any(axis=1).astype(int)
        plain = conservative_worst_case(Winnow(d, **options), cube(d), target)
        assert winnow_worst_case(d, k, **options) == plain


@pytest.mark.parametrize("label", [0, 1])
@pytest.mark.parametrize(("d", "k"), [(2, 0), (2, 1), (2, 2), (3, 1)])
def test_winnow_mistakes_on_one_label(d, k, label):
    """Streams of as many rounds as there can be mistakes hold every worst case."""
    points, rounds = cube(d), winnow_worst_case(d, k)
    target = points[:, :k].any(axis=1).astype(int)
    numbers = np.arange(len(points) ** rounds)
    chosen = [numbers // len(points) ** t % len(points) for t in range(rounds)]
    run = play(Winnow(d), ((points[c], target[c]) for c in chosen))
    counted = (run.losses * (run.labels == label)).sum(axis=0)
    assert counted.max() == winnow_worst_case(d, k, label=label)


def test_perceptron_worst_case_without_layers():
    """Following single weight vectors, not all of a layer together."""
    rng = np.random.default_rng(5)
    for d in (1, 2, 3):
        for _ in range(8):
            X, u = rng.integers(-2, 3, (5, d)), rng.integers(1, 4, d)
            X = X[X @ u != 0]
            y = np.where(X @ u > 0, 1, -1)
            if len(X):
                plain = conservative_worst_case(Perceptron(d), X, y)
                assert perceptron_worst_case(X, y) == plain


def test_worst_cases_named_in_the_book():
    assert [winnow_worst_case(4, k) for k in range(5)] == [1, 3, 5, 6, 8]
    assert winnow_worst_case(5, 5) == 10


def test_equal_fractions_are_one_state():
    """An array of Fractions is compared by value, not by where its entries live."""
    points = np.array([[Fraction(1, 2), 1], [1, Fraction(-1, 3)], [-1, 2]], object)
    target = [1, -1, 1]
    whole = conservative_worst_case(Perceptron(2), (6 * points).astype(int), target)
    assert conservative_worst_case(Perceptron(2), points, target) == whole
    line = np.array([[Fraction(1, 3)], [Fraction(1, 3)]])
    with pytest.raises(ValueError, match="stops erring"):
        conservative_worst_case(Perceptron(1), line, [1, -1])
