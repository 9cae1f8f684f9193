"""Worst cases of the experts' learners against brute force over all streams."""

from fractions import Fraction
from itertools import product

import pytest

from olutil import play
from olutil.exact import experts_worst_case
from olutil.experts import (
    AggregatingAlgorithm,
    FollowTheLeader,
    RandomizedWeightedMajority,
    WeightedMajority,
)
from olutil.streams import every_stream

HALF, THIRD = Fraction(1, 2), Fraction(1, 3)
COUNTING = {
    "wma": lambda n: WeightedMajority(n, beta=HALF),
    "wma tie 1": lambda n: WeightedMajority(n, beta=0.3, tie=1),
    "wma lazy": lambda n: WeightedMajority(n, beta=HALF, lazy=True),
    "rwma": lambda n: RandomizedWeightedMajority(n, beta=HALF),
    "improved": lambda n: AggregatingAlgorithm(n, beta=0.4),
    "ftl": FollowTheLeader,
}
SIZES = [(1, 5), (2, 4), (3, 3)]


class Contrary(WeightedMajority):
    """Says what the majority denies, even where all agree."""

    def predict(self, x):
        """The lighter side: 0 or 1, shape (...)."""
        return 1 - super().predict(x)


COUNTING["contrary"] = lambda n: Contrary(n, beta=HALF)


def _over_all_streams(learner, n, rounds):
    """The largest mistakes for each K, by playing the learner itself."""
    run = play(learner, every_stream(n, rounds))
    best = (run.inputs != run.labels[..., None]).sum(axis=0).min(axis=-1)
    return {k: max(run.mistakes[best == k]) for k in range(rounds + 1)}


@pytest.mark.parametrize("name", COUNTING)
@pytest.mark.parametrize(("n", "rounds"), SIZES)
def test_the_program_equals_all_streams(name, n, rounds):
    make = COUNTING[name]
    found = experts_worst_case(make(n), rounds, symmetric=name != "ftl")
    assert found == pytest.approx(_over_all_streams(make(n), n, rounds), abs=1e-12)


@pytest.mark.parametrize(("n", "rounds"), SIZES)
@pytest.mark.parametrize("beta", [0, THIRD, 0.7])
@pytest.mark.parametrize("lazy", [False, True])
def test_majority_equals_all_streams(n, rounds, beta, lazy):
    for tie in (0, 1):
        learner = WeightedMajority(n, beta=beta, lazy=lazy, tie=tie)
        found = experts_worst_case(learner, rounds)
        assert found == _over_all_streams(learner, n, rounds)


@pytest.mark.parametrize(("n", "rounds"), SIZES)
def test_the_randomized_ones_equal_all_streams(n, rounds):
    learner = RandomizedWeightedMajority(n, beta=THIRD)
    found = experts_worst_case(learner, rounds)
    assert found == _over_all_streams(learner, n, rounds)
    assert n == 1 or isinstance(found[0], Fraction)
    learner = AggregatingAlgorithm(n, beta=0.2)
    found = experts_worst_case(learner, rounds)
    assert found == pytest.approx(_over_all_streams(learner, n, rounds), abs=1e-12)


def _by_hand(n, rounds, beta, majority):
    """Weights, votes and counts in plain Python, without sorting or tables."""
    reached = {(0,) * n: Fraction(0)}
    for _ in range(rounds):
        after = {}
        for counts, value in reached.items():
            weights = [beta**c for c in counts]
            for wrong in product((0, 1), repeat=n):
                share = sum(w for w, b in zip(weights, wrong, strict=True) if b)
                share = share / sum(weights)
                loss = int(2 * share >= 1) if majority else share
                new = tuple(c + b for c, b in zip(counts, wrong, strict=True))
                after[new] = max(after.get(new, 0), value + loss)
        reached = after
    worst = {}
    for counts, value in reached.items():
        worst[min(counts)] = max(value, worst.get(min(counts), 0))
    return worst


@pytest.mark.parametrize(("n", "rounds"), [(2, 11), (3, 6), (4, 3)])
@pytest.mark.parametrize("beta", [HALF, Fraction(2, 3)])
def test_worst_cases_by_hand(n, rounds, beta):
    found = experts_worst_case(WeightedMajority(n, beta=beta), rounds)
    assert found == _by_hand(n, rounds, beta, True)
    found = experts_worst_case(RandomizedWeightedMajority(n, beta=beta), rounds)
    assert found == _by_hand(n, rounds, beta, False)


@pytest.mark.parametrize("beta", [0, 0.1, THIRD, HALF, 0.9])
@pytest.mark.parametrize(("n", "rounds"), [(2, 20), (3, 12), (4, 8), (5, 5)])
def test_lazy_and_eager_are_equally_bad(n, rounds, beta):
    lazy = experts_worst_case(WeightedMajority(n, beta=beta, lazy=True), rounds)
    assert experts_worst_case(WeightedMajority(n, beta=beta), rounds) == lazy


def test_sizes_and_values_named_in_the_book():
    """2**160 and 2**100 streams; and a leader that errs whenever it leads."""
    worst = experts_worst_case(WeightedMajority(3, beta=0.5), 40)
    assert list(worst.values())[:4] == [2, 4, 6, 8]
    worst = experts_worst_case(WeightedMajority(4, beta=0.5), 20)
    assert list(worst.values())[:4] == [3, 5, 7, 9]
    lead = experts_worst_case(FollowTheLeader(3), 11, symmetric=False)
    assert [lead[m] for m in range(3)] == [3 * (m + 1) - 1 for m in range(3)]


def test_a_learner_that_was_lent_comes_back_fresh():
    learner = WeightedMajority(3, beta=HALF)
    experts_worst_case(learner, 3)
    assert learner.counts.tolist() == [0, 0, 0]


@pytest.mark.parametrize(("n", "rounds"), SIZES)
def test_a_part_of_a_worst_case_counts_its_streams(n, rounds):
    run = play(FollowTheLeader(n), every_stream(n, rounds))
    best = (run.inputs != run.labels[..., None]).sum(axis=0).min(axis=-1)
    worst = experts_worst_case(WeightedMajority(n, beta=HALF), rounds)
    for most in worst:
        part = worst.up_to(most)
        assert part == {k: worst[k] for k in range(most + 1)}
        assert part.instances.count == (best <= most).sum()
        assert part.instances.entries == most + 1
    assert part.instances == worst.instances
    with pytest.raises(ValueError, match="most: expected"):
        worst.up_to(rounds + 1)
