"""What the pages on opt and on Halving claim, by other ways than the pages go."""

from itertools import product

import numpy as np
import pytest

from olutil.classes import disjunction_count, monotone_disjunctions
from olutil.dimension import (
    littlestone_dimension,
    mistake_tree,
    vc_dimension,
    verify_tree,
)
from olutil.exact import halving_worst_case
from olutil.theorems import bound

KINDS = list(product((1, 0), (False, True)))  # tie, lazy


def halving(C):
    return [halving_worst_case(C, tie=tie, lazy=lazy) for tie, lazy in KINDS]


def some_class(rng, concepts, points):
    return np.unique(rng.integers(0, 2, (concepts, points)), axis=0)


def stairs(m, length):
    """The table of the statement, entry by entry."""
    concepts = [(j, i) for j in range(m + 1) for i in range(length(j))]
    points = [("x", j) for j in range(1, m + 1)]
    points += [("y", i) for i in range(1, 2**m)]
    return np.array(
        [
            [int(at == (j if axis == "x" else i)) for axis, at in points]
            for j, i in concepts
        ]
    )


@pytest.mark.parametrize("k", [1, 2, 3, 5, 8])
def test_no_other_groups_force_more_on_disjunctions(k):
    """The closed form is the best choice of k group sizes."""
    d = np.arange(k, 41)
    gain = [(size + 1).bit_length() - 1 for size in range(41)]
    best = [0] * 41
    for _ in range(k):
        best = [max(best[n - s] + gain[s] for s in range(n + 1)) for n in range(41)]
    found = bound("bey-disjunctions", d=d, k=k)
    assert found.tolist() == best[k:]
    limits = [disjunction_count(n, k).bit_length() - 1 for n in d.tolist()]
    assert np.all(found <= limits)


def test_groups_are_not_always_the_best_for_the_adversary():
    C = monotone_disjunctions(9, 2)
    depth = verify_tree(C, mistake_tree(C))
    assert depth == bound("chan-b-log", size=len(C))
    assert depth > bound("bey-disjunctions", d=9, k=2)


def test_linear_classes_are_equal_in_all_measures():
    rng = np.random.default_rng(5)
    for _ in range(20):
        basis = rng.integers(0, 2, (3, 6))
        C = np.unique(np.array(list(product((0, 1), repeat=3))) @ basis % 2, axis=0)
        found = {vc_dimension(C), littlestone_dimension(C), *halving(C)}
        assert found == {int(bound("bey-linear", size=len(C)))}


@pytest.mark.parametrize("m", [2, 3, 4])
def test_stairs(m):
    C = stairs(m, lambda j: 2**j)
    assert len(C) == 2 ** (m + 1) - 1
    opt, worst = bound("bey-stairs", m=m).tolist()
    assert littlestone_dimension(C) == opt
    assert halving(C) == [worst] * len(KINDS)


@pytest.mark.parametrize("m", [3, 4])
def test_tied_stairs(m):
    C = stairs(m, lambda j: max(1, 2 ** (j - 1)) if j else 1)
    assert len(C) == 2**m
    assert [littlestone_dimension(C), *halving(C)] == bound("bey-ties", m=m).tolist()


def test_measures_add_up_side_by_side():
    rng = np.random.default_rng(6)
    for _ in range(15):
        C, D = some_class(rng, 5, 4), some_class(rng, 4, 3)
        pairs = np.array([[*c, *d] for c in C for d in D])
        first, second, both = (
            np.array([vc_dimension(A), littlestone_dimension(A), *halving(A)])
            for A in (C, D, pairs)
        )
        assert np.array_equal(both, bound("bey-sum", first=first, second=second))


def test_lazy_halving_is_never_worse():
    rng = np.random.default_rng(7)
    for _ in range(300):
        eager_1, lazy_1, eager_0, lazy_0 = halving(some_class(rng, 11, 6))
        assert lazy_1 <= eager_1
        assert lazy_0 <= eager_0


def test_halving_is_optimal_where_one_mistake_is_enough():
    rng = np.random.default_rng(8)
    seen = 0
    for _ in range(400):
        C = some_class(rng, 4, 5)
        opt = littlestone_dimension(C)
        if opt <= 1:
            seen += 1
            assert halving(C) == [bound("bey-one", opt=opt)] * len(KINDS)
    assert seen > 20


@pytest.mark.parametrize(
    ("id", "parameters"),
    [
        ("bey-disjunctions", {"d": 4, "k": 0}),
        ("bey-disjunctions", {"d": 4, "k": 5}),
        ("bey-linear", {"size": 6}),
        ("bey-one", {"opt": 2}),
        ("bey-singletons", {"points": 1}),
        ("bey-stairs", {"m": 1}),
        ("bey-thresholds", {"points": 0}),
        ("bey-ties", {"m": 2}),
    ],
)
def test_premises_are_demanded(id, parameters):
    with pytest.raises(ValueError, match="premise"):
        bound(id, **parameters)
