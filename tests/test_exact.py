"""Exact worst cases against brute force that plays every stream."""

from fractions import Fraction
from math import comb, floor, log2

import numpy as np
import pytest

from olutil import play
from olutil.concepts import (
    Node,
    all_functions,
    conjunctions,
    cube,
    dnf,
    elimination_worst_case,
    every_class,
    halfspaces,
    halving_worst_case,
    intervals,
    littlestone_dimension,
    mistake_tree,
    monotone_disjunctions,
    parities,
    singletons,
    thresholds,
    vc_dimension,
)
from olutil.exact import (
    conservative_worst_case,
    every_class_measures,
    experts_worst_case,
    winnow_worst_case,
)
from olutil.experts import (
    AggregatingAlgorithm,
    FollowTheLeader,
    RandomizedWeightedMajority,
    WeightedMajority,
)
from olutil.linear import Perceptron, Winnow
from olutil.streams import every_stream

HALF = Fraction(1, 2)
COUNTING = {
    "wma": lambda n: WeightedMajority(n, beta=HALF),
    "wma tie 1": lambda n: WeightedMajority(n, beta=0.3, tie=1),
    "wma lazy": lambda n: WeightedMajority(n, beta=HALF, lazy=True),
    "rwma": lambda n: RandomizedWeightedMajority(n, beta=HALF),
    "improved": lambda n: AggregatingAlgorithm(n, beta=0.4),
    "ftl": FollowTheLeader,
}


@pytest.mark.parametrize("name", COUNTING)
@pytest.mark.parametrize(("n", "rounds"), [(1, 5), (2, 4), (3, 3)])
def test_the_dynamic_programme_equals_all_streams(name, n, rounds):
    make = COUNTING[name]
    run = play(make(n), every_stream(n, rounds))
    best = (run.inputs != run.labels[..., None]).sum(axis=0).min(axis=-1)
    programme = experts_worst_case(make(n), rounds, symmetric=name != "ftl")
    for k, value in programme.items():
        seen = max(run.mistakes[best == k])
        # A lazy learner's rounds without a mistake are left out of the programme, and
        # no stream of this length may then have the best expert err that often.
        assert float(seen) == pytest.approx(float(value), abs=1e-12), (name, k)
    assert set(programme) <= set(best.tolist())


def test_every_stream_is_every_stream():
    x, y = zip(*every_stream(2, 2), strict=True)
    streams = np.c_[x[0], y[0], x[1], y[1]]
    assert sorted(streams.tolist()) == cube(6).tolist()


def _certified_depth(tree, C):
    """The depth of a mistake tree, having checked every leaf; no shared code."""

    def walk(node, path):
        if not isinstance(node, Node):
            assert all(C[node][x] == y for x, y in path)
            return 0
        left = walk(node.zero, [*path, (node.point, 0)])
        right = walk(node.one, [*path, (node.point, 1)])
        assert left == right
        return 1 + left

    return walk(tree, [])


CLASSES = {
    "thresholds": thresholds(7),
    "singletons": singletons(6),
    "intervals": intervals(5),
    "disjunctions": monotone_disjunctions(4, 2),
    "conjunctions": conjunctions(3),
    "monotone conjunctions": conjunctions(3, negation=False),
    "parities": parities(3),
    "halfspaces": halfspaces(2),
    "2-DNF": dnf(2, 2),
    "all": all_functions(3),
}


@pytest.mark.parametrize("name", CLASSES)
def test_chain_and_certificate(name):
    C = CLASSES[name]
    opt = littlestone_dimension(C)
    chain = [vc_dimension(C), opt, halving_worst_case(C), floor(log2(len(C)))]
    assert chain == sorted(chain)
    assert _certified_depth(mistake_tree(C), C) == opt


def _size(C):
    """The number of concepts, of which none stands twice."""
    assert len(np.unique(C, axis=0)) == len(C)
    return len(C)


def test_sizes_of_the_classes():
    assert _size(intervals(5)) == 5 * 6 // 2 + 1
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


def test_worst_cases_named_in_the_book():
    assert [winnow_worst_case(4, k) for k in range(5)] == [1, 3, 5, 6, 8]
    assert winnow_worst_case(5, 5) == 10
    programme = experts_worst_case(FollowTheLeader(3), 11, symmetric=False)
    assert [programme[m] for m in range(3)] == [3 * (m + 1) - 1 for m in range(3)]


def test_equal_fractions_are_one_state():
    """An array of Fractions is compared by value, not by where its entries live."""
    points = np.array([[Fraction(1, 2), 1], [1, Fraction(-1, 3)], [-1, 2]], object)
    target = [1, -1, 1]
    whole = conservative_worst_case(Perceptron(2), (6 * points).astype(int), target)
    assert conservative_worst_case(Perceptron(2), points, target) == whole
    line = np.array([[Fraction(1, 3)], [Fraction(1, 3)]])
    with pytest.raises(ValueError, match="stops erring"):
        conservative_worst_case(Perceptron(1), line, [1, -1])
