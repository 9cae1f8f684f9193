"""A million rounds, where textbook weights have long left the floating-point range.

Each oracle is integer arithmetic, written for its stream and for nothing else.
"""

from fractions import Fraction

import numpy as np
import pytest

from olutil import steps
from olutil.experts import RandomizedWeightedMajority, WeightedMajority
from olutil.linear import Winnow

T = 1_000_000


def total_loss(learner, x, y):
    return sum(
        abs(y_hat - label) for _, y_hat, label in steps(learner, zip(x, y, strict=True))
    )


def test_weighted_majority_for_a_million_rounds():
    """The third of three experts errs nearly always, the other two hardly ever.

    Once in 1000 rounds the two good ones disagree, being equal, and then the third
    decides, although its weight is 2 ** -900,000 of theirs: less than any float.
    """
    t = np.arange(T)
    first = (t % 1000 != 0).astype(int)
    second = (t % 1000 != 500).astype(int)
    third = ((t % 1000 == 0) & (t // 1000 % 3 == 0)).astype(int)
    x = np.stack([first, second, third], axis=1)
    # Every label is 1.  Before a round 0 of 1000 the good ones have equal counts;
    # before a round 500 the second is ahead by one, so the learner errs with it.
    mistakes = int(np.sum((t % 1000 == 0) & (third == 0)) + np.sum(t % 1000 == 500))
    assert (
        total_loss(WeightedMajority(3, beta=0.5), x, np.ones(T, dtype=int)) == mistakes
    )


def test_randomized_weighted_majority_for_a_million_rounds():
    """Two experts that err in turn: the expected loss is 1/2 and 2/3, for ever."""
    t = np.arange(T)
    x = np.stack([t % 2, 1 - t % 2], axis=1)
    loss = total_loss(RandomizedWeightedMajority(2, beta=0.5), x, np.ones(T, dtype=int))
    assert loss == pytest.approx(float(T // 2 * (Fraction(1, 2) + Fraction(2, 3))))


def test_winnow_for_a_million_rounds():
    """Feature 1 is demoted and promoted in turn; feature 2 is only ever demoted.

    With labels that no disjunction gives, feature 2's exponent leaves the range of
    floats.  Once in 1000 rounds the vote is 2 + 2 ** b against the threshold 2: for
    exact arithmetic that is more, however far b has fallen.
    """
    up, down, doubt = ([1, 0], 1), ([1, 1], 0), ([1, 1], 1)
    cycle = [up, *[down, up] * 498, down, doubt, up]
    x, y = (np.array(c * (T // 1000)) for c in map(list, zip(*cycle, strict=True)))
    # The exponent of feature 1 climbs to 2 (the first time from 0, at the cost of two
    # mistakes); then each label 0 is a mistake that takes it to 1 and b down by 1, and
    # each ([1, 0], 1) after it is a mistake that takes it back.
    a = b = mistakes = 0
    for (_, v), label in zip(x.tolist(), y.tolist(), strict=True):
        says = int(a >= 2 or (a == 1 and v == 1))
        assert a >= 0 and b <= 0  # what the line above relies on
        mistakes += says != label
        a, b = a + label - says, b + (label - says) * v
    learner = Winnow(2, threshold=2, demote="divide")
    assert total_loss(learner, x, y) == mistakes
    assert learner.exponents.tolist() == [a, b]
    assert b < -100_000
