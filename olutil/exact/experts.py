"""Worst cases of learners that keep a count for every expert, over every stream."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations_with_replacement, product
from math import comb
from typing import Any

import numpy as np

from olutil._arguments import BIT, count, invalid, one_of
from olutil.classes import cube
from olutil.exact._count_vectors import place_values
from olutil.instances import Instances


class WorstCase(dict):
    """A learner's worst case for each number of mistakes of the best expert.

    Attributes
    ----------
    instances : olutil.instances.Instances
        All the streams that it is a maximum over.
    """

    def __init__(self, worst: dict[int, Any], n: int, horizon: int):
        super().__init__(worst)
        self.n, self.horizon = n, horizon
        what = f"streams of {horizon} rounds with {n} experts"
        if max(worst) < horizon:
            what += f", of whom the best errs at most {max(worst)} times"
        # For each outcome, all advice but that in which all experts err more often.
        few = sum(comb(horizon, best) for best in worst)
        count = 2**horizon * (2 ** (n * horizon) - (2**horizon - few) ** n)
        self.instances = Instances("exhaustive", count, what, len(worst))

    def up_to(self, most: int) -> WorstCase:
        """The same over the streams whose best expert errs at most ``most`` times.

        Raises
        ------
        ValueError
            If ``most`` is not among the numbers from 0 to the number of rounds.

        Examples
        --------
        >>> from olutil.experts import WeightedMajority
        >>> worst = experts_worst_case(WeightedMajority(2, beta=0.5), 3)
        >>> worst.up_to(0), worst.up_to(0).instances.count, worst.instances.count
        ({0: 1}, 120, 512)
        """
        one_of("most", most, tuple(self))
        few = {best: worst for best, worst in self.items() if best <= most}
        return WorstCase(few, self.n, self.horizon)


def experts_worst_case(
    learner: Any, horizon: int, *, symmetric: bool = True
) -> WorstCase:
    """The worst case of a counting learner over every stream, for each best expert.

    Parameters
    ----------
    learner : WeightedMajority, RandomizedWeightedMajority, ...
        A fresh learner of `olutil.experts`, whose ``counts`` are all it remembers, who
        heeds only their differences, and who predicts without an ``rng``.
    horizon : int
        The number of rounds T, at least 1.
    symmetric : bool
        Whether the learner treats its experts alike (not so `FollowTheLeader`, which
        breaks ties by index).  Then sorted count vectors suffice.

    Returns
    -------
    WorstCase
        A dict: for K = 0, 1, ..., T the largest (expected) number of mistakes over all
        streams in which the best expert errs exactly K times; all together these are
        ``2 ** ((n + 1) T)``.  Fractions if the learner's ``beta`` is one.

    Raises
    ------
    ValueError
        If the learner is not fresh or tosses coins.

    Notes
    -----
    What a round costs depends on the count vector before it and on the set of experts
    that it proves wrong, and not on the time.  So both are tabulated once, and each
    round is a maximum over the sets.

    A lazy learner charges experts only in the rounds in which it errs, and the others
    are left out.  That loses nothing with a learner that errs when all its experts do:
    if a stream has M mistakes in T rounds and its best expert errs K times, of which k
    are charged, then K - k <= T - M, so there is time to play the M rounds alone and
    then K - k in which all experts are wrong.

    For ``beta > 0`` the lazy and the eager Weighted Majority have the same worst case.
    What is bad for the lazy one is as bad for the other, for it needs no rounds but
    those with a mistake.  Conversely, take the last round in which the eager one is
    right and some experts are wrong, and leave it out: they are then one mistake ahead
    of where they were.  In each later round with a mistake let the same experts R be
    wrong; or, where the learner would not err on that, R and all that are still ahead.
    These weigh at least what R did, and the rest at most what the rest did, so it errs;
    and who is wrong without being in R is ahead no longer.  If at the end the best
    expert has K - 1 mistakes instead of K, the round saved is one in which all are
    wrong.

    Examples
    --------
    >>> from fractions import Fraction
    >>> from olutil.experts import RandomizedWeightedMajority, WeightedMajority
    >>> learner = RandomizedWeightedMajority(2, beta=Fraction(1, 2))
    >>> experts_worst_case(learner, 2)[0]
    Fraction(5, 6)
    >>> experts_worst_case(WeightedMajority(3, beta=0.5), 40)[5]
    12
    """
    count("horizon", horizon), one_of("symmetric", symmetric, (False, True))
    if getattr(learner, "rng", None) is not None or np.any(learner.counts):
        raise invalid("learner", "a fresh learner without an rng", learner)
    states = _count_vectors(learner.n, horizon, symmetric)
    tops = states.max(axis=1)
    transitions = _transitions(learner, states, symmetric)
    # States that no stream reaches: their values stay below 0, whatever is added.
    values = np.full(len(states), -horizon - 1, dtype=transitions[0][2].dtype)
    values[0] = 0
    for t in range(1, horizon + 1):
        # After t rounds no expert has erred more than t times.
        reachable, before = np.searchsorted(tops, t, side="right"), values.copy()
        for after, origin, loss in transitions:
            few = np.searchsorted(after, reachable)
            here = after[:few]
            gained = before[origin[:few]] + loss[:few]
            values[here] = np.maximum(values[here], gained)
    worst: dict[int, Any] = {}
    for best, value in zip(states.min(axis=1).tolist(), values.tolist(), strict=True):
        worst[best] = max(value, worst.get(best, 0))
    return WorstCase(dict(sorted(worst.items())), learner.n, horizon)


def _count_vectors(n: int, most: int, symmetric: bool) -> np.ndarray:
    """The vectors of n counts from 0 to ``most``, ordered by their largest count.

    All of them, or if ``symmetric`` those with sorted counts.
    """
    each = range(most + 1)
    vectors = combinations_with_replacement(each, n)
    states = np.array(list(vectors if symmetric else product(each, repeat=n)))
    return states[np.argsort(states.max(axis=1), kind="stable")]


def _transitions(learner: Any, states: np.ndarray, symmetric: bool) -> list[tuple]:
    """For every set of wrong experts: the states that it leads to, and for each of
    these the state before and the loss."""
    weights = place_values(int(states.max()) + 1, learner.n)
    keys = states @ weights
    order = np.argsort(keys)
    transitions = []
    for wrong_experts in cube(learner.n):
        before = states - wrong_experts
        possible = (before >= 0).all(axis=1)
        if symmetric:
            # Of experts that end with equal counts, let the first ones be wrong: then
            # the counts before are sorted too, and no other order is needed.
            possible = possible & (np.diff(before) >= 0).all(axis=1)
        after, before = np.flatnonzero(possible), before[possible]
        loss = _losses(learner, before, wrong_experts, weights)
        if getattr(learner, "lazy", False):
            after, before, loss = (part[loss == 1] for part in (after, before, loss))
        origin = order[np.searchsorted(keys, before @ weights, sorter=order)]
        transitions.append((after, origin, loss))
    learner.counts = np.zeros(learner.n, dtype=int)
    return transitions


def _losses(
    learner: Any, counts: np.ndarray, wrong_experts: np.ndarray, weights: np.ndarray
) -> np.ndarray:
    """The larger loss of the two outcomes, when these experts are wrong."""
    gaps = counts - counts.min(axis=1, keepdims=True)
    # Many count vectors have the same gaps: the learner is asked once for each.
    _, first, which = np.unique(gaps @ weights, return_index=True, return_inverse=True)
    learner.counts = gaps[first]
    says = [np.broadcast_to(wrong_experts ^ y, learner.counts.shape) for y in BIT]
    losses = [abs(learner.predict(x) - y) for x, y in zip(says, BIT, strict=True)]
    return np.maximum(*losses)[which]


def expected_best(n: int, rounds: int) -> Fraction:
    """The mean mistakes of the best of n experts when all advice is a fair coin.

    Parameters
    ----------
    n, rounds : int
        Experts and horizon, at least 1 each.

    Returns
    -------
    Fraction
        ``E[min L]``, the sum over k >= 1 of ``P(L >= k) ** n``, where each expert's
        count L is binomial: ``rounds`` fair coins.

    Notes
    -----
    COS 511, section 1.3, the lower bound.

    Examples
    --------
    >>> expected_best(2, 1), expected_best(1, 6)
    (Fraction(1, 4), Fraction(3, 1))
    """
    n = count("n", n)
    total, tail = 0, 0
    for k in range(count("rounds", rounds), 0, -1):
        tail += comb(rounds, k)
        total += tail**n
    return Fraction(total, 2 ** (int(rounds) * n))
