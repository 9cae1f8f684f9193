"""A million rounds, where textbook weights have long left the floating-point range.

Each oracle is integer arithmetic, written for its stream and for nothing else.  It says
what a learner has counted when most of the rounds are over; only the last ones are
played, which are as hard as the stream gets.
"""

from fractions import Fraction

import numpy as np
import pytest

from olutil import steps
from olutil.experts import RandomizedWeightedMajority, WeightedMajority
from olutil.linear import Winnow

T = 1_000_000
PLAYED = np.arange(T - 30_000, T)


def total_loss(learner, x, y):
    return sum(
        abs(y_hat - label) for _, y_hat, label in steps(learner, zip(x, y, strict=True))
    )


def test_weighted_majority_for_a_million_rounds():
    """The third of three experts errs nearly always, the other two hardly ever.

    Once in 1000 rounds the two good ones disagree, being equal, and then the third
    decides, although its weight is 2 ** -900,000 of theirs: less than any float.
    """

    def advice(t):
        first = t % 1000 != 0
        second = t % 1000 != 500
        third = (t % 1000 == 0) & (t // 1000 % 3 == 0)
        return np.stack([first, second, third], axis=1).astype(int)

    # Every label is 1, so that whoever says 0 errs.
    learner = WeightedMajority(3, beta=0.5)
    learner.counts = (advice(np.arange(PLAYED[0])) == 0).sum(axis=0)
    assert learner.counts.tolist() == [970, 970, 969_676]
    # Before a round 0 of 1000 the good ones have equal counts; before a round 500 the
    # second is ahead by one, so the learner errs with it.
    x = advice(PLAYED)
    third = x[:, 2]
    mistakes = np.sum((PLAYED % 1000 == 0) & (third == 0)) + len(PLAYED) // 1000
    assert total_loss(learner, x, np.ones(len(x), dtype=int)) == mistakes
    assert learner.counts.tolist() == [1000, 1000, T - 334]


def test_randomized_weighted_majority_for_a_million_rounds():
    """Two experts that err in turn: the expected loss is 1/2 and 2/3, forever."""
    learner = RandomizedWeightedMajority(2, beta=0.5)
    learner.counts = np.array([PLAYED[0] // 2, PLAYED[0] // 2])
    x = np.stack([PLAYED % 2, 1 - PLAYED % 2], axis=1)
    loss = total_loss(learner, x, np.ones(len(x), dtype=int))
    assert loss == pytest.approx(
        float(len(x) // 2 * (Fraction(1, 2) + Fraction(2, 3))), rel=1e-12
    )


def test_winnow_for_a_million_rounds():
    """Feature 1 is demoted and promoted in turn; feature 2 is only ever demoted.

    With labels that no disjunction gives, feature 2's exponent leaves the range of
    floats.  Once in 1000 rounds the vote is 2 + 2 ** b against the threshold 2: for
    exact arithmetic that is more, however far b has fallen.
    """
    up, down, doubt = ([1, 0], 1), ([1, 1], 0), ([1, 1], 1)
    cycle = [up, *[down, up] * 498, down, doubt, up]
    # The exponent of feature 1 climbs to 2 (the first time from 0, at the cost of two
    # mistakes); then each label 0 is a mistake that takes it to 1 and b down by 1, and
    # each ([1, 0], 1) after it is a mistake that takes it back.
    a = b = mistakes = 0
    exponents, counted = [], []
    for (_, v), label in cycle * (T // 1000):
        exponents.append([a, b])
        counted.append(mistakes)
        says = int(a >= 2 or (a == 1 and v == 1))
        assert a >= 0 and b <= 0  # what the line above relies on
        mistakes += says != label
        a, b = a + label - says, b + (label - says) * v
    learner = Winnow(2, threshold=2, demote="divide")
    learner.exponents = np.array(exponents[PLAYED[0]])
    assert learner.exponents[1] < -100_000
    x, y = map(np.array, zip(*cycle * (len(PLAYED) // 1000), strict=True))
    assert total_loss(learner, x, y) == mistakes - counted[PLAYED[0]]
    assert learner.exponents.tolist() == [a, b]
