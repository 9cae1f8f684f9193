"""Exact worst cases: every stream at once, by what the learner's state remembers.

A learner that only counts its experts' mistakes meets just as many situations as there
are count vectors, so a dynamic programme over those gives its worst case over *all*
streams.  The programme asks the learner itself what it predicts in each situation.
"""

from fractions import Fraction
from functools import cache
from itertools import combinations
from math import comb
from typing import Any

import numpy as np

from olutil._border import count, labels, last_axis, one_of, wrong
from olutil.concepts import BIT, all_functions, cube
from olutil.linear import Perceptron, Winnow


def experts_worst_case(
    learner: Any, horizon: int, *, symmetric: bool = True
) -> dict[int, Any]:
    """The worst case of a counting learner over every stream, for each best expert.

    Parameters
    ----------
    learner : WeightedMajority, RandomizedWeightedMajority, ...
        A fresh learner of `olutil.experts`, whose ``counts`` are all it remembers and
        which predicts without an ``rng``.
    horizon : int
        The number of rounds T, at least 1.
    symmetric : bool
        Whether the learner treats its experts alike (not so `FollowTheLeader`, which
        breaks ties by index).  Then sorted count vectors suffice.

    Returns
    -------
    dict
        For K = 0, 1, ..., T: the largest (expected) number of mistakes over all
        ``2 ** ((n + 1) T)`` streams in which the best expert errs exactly K times.
        Fractions if the learner's ``beta`` is one.

    Raises
    ------
    ValueError
        If the learner is not fresh or tosses coins.

    Notes
    -----
    A lazy learner is charged only in the rounds in which it errs; an adversary gains
    nothing from the others, so they are left out.

    Examples
    --------
    >>> from fractions import Fraction
    >>> from olutil.experts import RandomizedWeightedMajority
    >>> learner = RandomizedWeightedMajority(2, beta=Fraction(1, 2))
    >>> experts_worst_case(learner, 2)[0]
    Fraction(5, 6)
    """
    count("horizon", horizon)
    if getattr(learner, "rng", None) is not None or np.any(learner.counts):
        raise wrong("learner", "a fresh learner without an rng", learner)
    lazy = getattr(learner, "lazy", False)
    states = np.zeros((1, learner.n), dtype=int)
    values = np.zeros(1, dtype=int)
    for _ in range(horizon):
        reached, gained = [states], [values]
        for outcome in BIT:
            for wrong_experts in cube(learner.n):
                learner.counts = states
                advice = np.broadcast_to(wrong_experts ^ outcome, states.shape)
                loss = abs(learner.predict(advice) - outcome)
                keep = np.asarray(loss == 1) if lazy else np.ones(len(states), bool)
                reached.append((states + wrong_experts)[keep])
                gained.append((values + loss)[keep])
        states, values = _best_of_each(
            np.concatenate(reached), np.concatenate(gained), symmetric
        )
    learner.counts = np.zeros(learner.n, dtype=int)
    worst: dict[int, Any] = {}
    for best, value in zip(states.min(axis=1).tolist(), values.tolist(), strict=True):
        worst[best] = max(value, worst.get(best, 0))
    return worst


def _best_of_each(states: np.ndarray, values: np.ndarray, symmetric: bool):
    """The distinct states, each with the largest value found for it."""
    if symmetric:
        states = np.sort(states, axis=1)
    distinct, group = np.unique(states, axis=0, return_inverse=True)
    best = np.full(len(distinct), -1, dtype=values.dtype)
    np.maximum.at(best, group.ravel(), values)
    return distinct, best


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


def winnow_worst_case(
    d: int, k: int, *, label: int | None = None, **options: Any
) -> int:
    """The most mistakes of Winnow over every stream of a monotone k-disjunction.

    Parameters
    ----------
    d, k : int
        Features, and relevant ones among them: 0 <= k <= d.
    label : {0, 1}, optional
        Count only the mistakes on examples with this label.
    **options
        As for `olutil.linear.Winnow`: threshold, factor, demote.

    Returns
    -------
    int

    Raises
    ------
    ValueError
        If ``k`` is out of range, or if some stream makes it err for ever.

    Notes
    -----
    Only mistakes change the weights, so the worst case is the longest path through the
    weight vectors that mistakes can reach.  By symmetry the target is the disjunction
    of the first k features, and within each of the two groups order does not matter.

    Examples
    --------
    >>> winnow_worst_case(4, 1), winnow_worst_case(4, 2)
    (3, 5)
    """
    if count("k", k, least=0) > count("d", d):
        raise wrong("k", f"at most d = {d}", k)
    one_of("label", label, (None, 0, 1))
    points = cube(d)
    target = points[:, :k].any(axis=1).astype(int)
    learner = Winnow(d, **options)
    open_paths = set()

    @cache
    def longest(state: tuple) -> int:
        if state in open_paths:
            raise wrong("options", "a learner that stops erring", options)
        open_paths.add(state)
        most = 0
        exponents, eliminated = (np.array(part) for part in zip(*state, strict=True))
        learner.exponents, learner.eliminated = exponents, eliminated == 1
        predicted = learner.predict(points)
        after = set()
        for i in np.flatnonzero(predicted != target):
            learner.exponents, learner.eliminated = exponents, eliminated == 1
            learner.update(points[i], target[i], predicted[i])
            after.add((_canonical(learner, k), label in (None, target[i])))
        for following, counts in after:
            most = max(most, int(counts) + longest(following))
        open_paths.discard(state)
        return most

    try:
        return longest(_canonical(learner, k))
    except RecursionError:
        raise wrong("options", "a learner that stops erring soon", options) from None


def _canonical(learner: Winnow, k: int) -> tuple:
    """Winnow's state with each group of features sorted, as plain integers."""
    exponents = np.where(learner.eliminated, 0, learner.exponents)
    pairs = list(zip(exponents.tolist(), map(int, learner.eliminated), strict=True))
    return tuple(sorted(pairs[:k]) + sorted(pairs[k:]))


def conservative_worst_case(learner: Any, points: Any, target: Any) -> int:
    """The most mistakes of a conservative learner over every stream of one target.

    Parameters
    ----------
    learner : Learner
        Fresh.  It changes only in rounds in which it errs, its arrays are all that it
        remembers, and it predicts at many points at once.
    points : array_like, shape (m, ...)
        What the rounds may present, in any order and any number of times.
    target : array_like, shape (m,)
        The label of each point.

    Returns
    -------
    int

    Raises
    ------
    ValueError
        If some stream makes the learner err for ever.

    Notes
    -----
    The longest path through the states that mistakes can reach.  `winnow_worst_case`
    is the same for Winnow, with symmetric states counted once.

    Examples
    --------
    >>> conservative_worst_case(Winnow(4), cube(4), cube(4)[:, 0])
    3
    """
    points = np.asarray(points)
    target = last_axis("target", target, len(points))
    fresh, known, open_paths = dict(vars(learner)), {}, set()

    def longest(state: dict) -> int:
        arrays = [v for v in state.values() if isinstance(v, np.ndarray | np.generic)]
        key = tuple(tuple(array.ravel().tolist()) for array in arrays)
        if key in open_paths:
            raise wrong("learner", "a learner that stops erring", learner)
        if key not in known:
            open_paths.add(key)
            vars(learner).update(state)
            predicted = learner.predict(points)
            known[key] = 0
            for i in np.flatnonzero(predicted != target):
                vars(learner).update(state)
                learner.update(points[i], target[i], predicted[i])
                known[key] = max(known[key], 1 + longest(dict(vars(learner))))
            open_paths.discard(key)
        return known[key]

    try:
        return longest(fresh)
    except RecursionError:
        raise wrong("learner", "a learner that stops erring soon", learner) from None
    finally:
        vars(learner).update(fresh)


def perceptron_worst_case(X: Any, y: Any, *, zero: int = 0, limit: int = 10_000) -> int:
    """The most mistakes of the Perceptron over every order and repetition of examples.

    Parameters
    ----------
    X : array_like, shape (examples, d)
        Integers, so that equal weights are found equal.
    y : array_like of -1/+1, shape (examples,)
        Labels that some hyperplane through the origin separates.
    zero : {0, 1, -1}
        As for `olutil.linear.Perceptron`.
    limit : int
        Give up after so many mistakes.

    Returns
    -------
    int

    Raises
    ------
    ValueError
        If ``X`` is not whole, or the learner can be made to err ``limit`` times.

    Notes
    -----
    Only mistakes change the weights, so the worst case is the longest path through the
    weight vectors that mistakes can reach: all vectors after 1, 2, 3, ... mistakes.

    Examples
    --------
    >>> perceptron_worst_case([[1, 0], [0, 1]], [1, -1])
    2
    """
    X = np.asarray(X)
    if X.ndim != 2 or not np.issubdtype(X.dtype, np.integer):
        raise wrong("X", "integers, examples by features", X)
    y = labels("y", last_axis("y", y, len(X)), (-1, 1))
    learner = Perceptron(X.shape[1], zero=zero)
    weights = learner.w[None]
    for mistakes in range(limit):
        learner.w = weights[:, None, :]
        predicted = learner.predict(X)
        learner.update(X, y, predicted)
        weights = np.unique(learner.w[predicted != y], axis=0)
        if not len(weights):
            return mistakes
    raise wrong("X, y", f"a learner that errs fewer than {limit} times", limit)


def every_class_measures(points: int) -> dict[str, np.ndarray]:
    """Sizes, dimensions and worst cases of *every* class on a few points.

    Parameters
    ----------
    points : int
        1 to 4.  On four points there are 65,535 nonempty classes.

    Returns
    -------
    dict of ndarray, shape (2**(2**points) - 1,)
        Entry i belongs to the class whose members are the set bits of i + 1 among the
        rows of `olutil.concepts.all_functions`.  Keys: ``size``; ``vc``; ``opt``;
        ``halving`` for ties to 1 and pruning every round; ``halving_tie0``;
        ``halving_lazy``; ``halving_lazy_tie0``.

    Raises
    ------
    ValueError
        If ``points`` is out of range.

    Notes
    -----
    A class comes after all its subclasses in this order, so one pass fills each table.
    It shares no code with `olutil.concepts.littlestone_dimension`.

    Examples
    --------
    >>> measures = every_class_measures(2)
    >>> int(measures["opt"].max()), len(measures["opt"])
    (2, 15)
    """
    if count("points", points) > 4:
        raise wrong("points", "at most 4", points)
    functions = all_functions(points)
    columns = [
        sum(1 << i for i, value in enumerate(functions[:, p]) if value)
        for p in range(points)
    ]
    everything = 2 ** len(functions)
    classes = np.arange(1, everything)
    measures = {"size": np.bitwise_count(classes).astype(int)}
    measures["vc"] = _every_vc(classes, columns, len(functions))
    measures["opt"] = _every_opt(everything, columns)
    for lazy in (False, True):
        for tie in (1, 0):
            name = "halving" + "_lazy" * lazy + "_tie0" * (tie == 0)
            measures[name] = _every_halving(everything, columns, tie, lazy)
    return measures


def _every_vc(classes: np.ndarray, columns: list[int], functions: int) -> np.ndarray:
    full = 2**functions - 1
    dimension = np.zeros(len(classes), dtype=int)
    for size in range(1, len(columns) + 1):
        for chosen in combinations(columns, size):
            shattered = np.ones(len(classes), dtype=bool)
            for pattern in cube(size):
                fits = full
                for column, bit in zip(chosen, pattern, strict=True):
                    fits &= column if bit else full & ~column
                shattered &= (classes & fits) != 0
            dimension[shattered] = size
    return dimension


def _every_opt(everything: int, columns: list[int]) -> np.ndarray:
    opt = [-1] * everything
    for versions in range(1, everything):
        best = 0
        for column in columns:
            one = versions & column
            zero = versions ^ one
            if one and zero:
                best = max(best, 1 + min(opt[one], opt[zero]))
        opt[versions] = best
    return np.array(opt[1:])


def _every_halving(
    everything: int, columns: list[int], tie: int, lazy: bool
) -> np.ndarray:
    worst = [0] * everything
    for versions in range(1, everything):
        most = 0
        for column in columns:
            one = versions & column
            zero = versions ^ one
            if not (one and zero):
                continue
            ones, zeros = one.bit_count(), zero.bit_count()
            says_1 = ones > zeros or (ones == zeros and tie == 1)
            erred, right = (zero, one) if says_1 else (one, zero)
            most = max(most, 1 + worst[erred])
            if not lazy:
                most = max(most, worst[right])
        worst[versions] = most
    return np.array(worst[1:])
