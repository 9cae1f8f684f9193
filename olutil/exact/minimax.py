"""Exact values of games with expert advice: what the best learner can guarantee.

A round in these games: the adversary shows the advice, 0 or 1 from each of n experts;
the learner names the probability p of predicting 1; the adversary names the outcome.
With the values A and B of the games that follow an outcome 0 and an outcome 1, the
learner faces ``max(p + A, 1 - p + B)``, whose least value over p is

    ``max(A, B, (1 + A + B) / 2)``,

attained at ``p = (1 + B - A) / 2``, brought into [0, 1].  In both games below the mean
alone decides, so the adversary may toss a fair coin for the outcome.
"""

from fractions import Fraction
from itertools import combinations_with_replacement, product

import numpy as np

from olutil._arguments import count
from olutil.classes import cube
from olutil.exact._count_vectors import place_values

Levels = tuple[int, ...]


def experts_minimax(n: int, best: int, *, horizon: int | None = None) -> Fraction:
    r"""The mistakes that the best learner can guarantee if one expert errs rarely.

    Parameters
    ----------
    n : int
        Experts, at least 1.
    best : int
        The promise K: some expert errs at most K times, at least 0.
    horizon : int, optional
        The number of rounds, at least 0; by default as many as the adversary likes.

    Returns
    -------
    Fraction
        The least over randomized learners of the largest expected number of mistakes
        over all streams that keep the promise; without a horizon, the supremum.

    Raises
    ------
    ValueError
        If a parameter is out of range.

    Notes
    -----
    COS 511, sections 1.2 and 1.3, bound this number.  An expert is described by how
    many mistakes it may still make, and leaves the game when it makes one more; the
    state is the multiset ``a`` of these budgets, and must not become empty.  Let S be
    the experts that say 1 and S' the others, and ``a - S`` what follows if S is wrong.
    With r rounds to go the value is ``V_0(a) = 0`` and

    .. math:: V_r(a) = \max_{S, S'} \frac{1 + V_{r-1}(a - S) + V_{r-1}(a - S')}{2},

    where -1 stands for the value of the empty state.  *Proof.*  By induction V_r grows
    with the budgets and with r: a partition is as good with larger ones, and
    ``V_1 >= 0``.  So neither A nor B exceeds ``V_{r-1}(a)``, or this maximum, and the
    ends of p never decide.  Nor does it matter that the adversary may not choose what
    leads to the empty state: -1 is so low that it loses by it.

    Without a horizon, ``V(a)`` is the larger of ``1 + V(a - all)`` and of that maximum
    over proper partitions alone.  *At least*: by unanimous advice ``V_r(a) >= (1 +
    V_{r-1}(a - all) + V_{r-1}(a)) / 2``; let r grow.  *At most*: let x be that larger
    number.  By induction ``V_r(a) <= x``, for unanimous advice gives at most
    ``(1 + (x - 1) + x) / 2``.  All states that this recursion names have smaller
    budgets, so it ends; it halves at most once while the sum of all ``a_i + 1`` falls,
    so ``V(a)`` times 2 to the power of that sum is a whole number.

    Examples
    --------
    >>> experts_minimax(4, 0), experts_minimax(2, 1)
    (Fraction(1, 1), Fraction(7, 4))
    >>> experts_minimax(2, 1, horizon=4)
    Fraction(13, 8)
    """
    best = count("best", best, least=0)
    states = _states(count("n", n), best)
    if horizon is None:
        unit, values = _without_horizon(states, n * (best + 1))
    else:
        unit, values = _with_horizon(states, count("horizon", horizon, least=0))
    return Fraction(values[states[-1]], unit)


def _states(n: int, best: int) -> list[Levels]:
    """All states: how many of n experts have budget 0, 1, ..., ``best``.

    The first one is empty, the last one has all experts with budget ``best``.
    """
    budgets = range(-1, best + 1)
    vectors = combinations_with_replacement(budgets, n)
    return [tuple(map(vector.count, budgets[1:])) for vector in vectors]


def _after(wrong: Levels, right: Levels) -> Levels:
    """The budgets after a round in which these experts were wrong and right."""
    return tuple(r + w for r, w in zip(right, wrong[1:] + (0,), strict=True))


def _partitions(state: Levels) -> list[tuple[Levels, Levels]]:
    """The states after either outcome, for every advice; unanimous advice is first."""
    pairs = []
    for some in product(*(range(size + 1) for size in state)):
        others = tuple(size - s for size, s in zip(state, some, strict=True))
        if some <= others:  # each partition once
            pairs.append((_after(some, others), _after(others, some)))
    return pairs


def _without_horizon(states: list[Levels], halvings: int) -> tuple[int, dict]:
    """A unit, and V for every state as a whole number of units."""
    nobody, *states = states
    unit = 2**halvings
    values = {nobody: -unit}
    for state in states:
        _, *proper = _partitions(state)
        split = [(unit + values[a] + values[b]) // 2 for a, b in proper]
        values[state] = max([unit + values[_after(state, nobody)], *split])
    return unit, values


def _with_horizon(states: list[Levels], rounds: int) -> tuple[int, dict]:
    """A unit, and V_r for every state as a whole number of units; r is ``rounds``."""
    nobody, *states = states
    unit = 2**rounds
    values = dict.fromkeys(states, 0) | {nobody: -unit}
    advice = {state: _partitions(state) for state in states}
    for _ in range(rounds):
        before, values = values, {nobody: -unit}
        for state, pairs in advice.items():
            values[state] = max((unit + before[a] + before[b]) // 2 for a, b in pairs)
    return unit, values


def experts_minimax_horizon(n: int, horizon: int) -> Fraction:
    r"""The regret that the best learner can guarantee after a fixed number of rounds.

    Parameters
    ----------
    n, horizon : int
        Experts and rounds T, at least 1 each.

    Returns
    -------
    Fraction
        The least over randomized learners of the largest regret over all streams of T
        rounds: expected mistakes less the mistakes of the best expert.

    Raises
    ------
    ValueError
        If a parameter is out of range.

    Notes
    -----
    COS 511, section 1.3, has the upper bound ``sqrt(T ln(n) / 2)`` plus a logarithm,
    and the lower bound by random advice, ``T / 2 - expected_best(n, T)``.  With r
    rounds to go and mistake counts L, the value is ``W_0(L) = -min L`` and

    .. math:: W_r(L) = \max_{S \cup S' = \text{all}}
              \frac{1 + W_{r-1}(L + S) + W_{r-1}(L + S')}{2} .

    The ends of p never decide: W falls as L grows, and by 1 if all of L grow by 1, so
    A and B differ by at most 1, and in every round there is a p that makes both
    outcomes equally bad.

    Only gaps to the best expert matter, and gaps above T not at all.

    Examples
    --------
    >>> [str(experts_minimax_horizon(2, T)) for T in (1, 2, 3, 4)]
    ['1/2', '1/2', '3/4', '3/4']
    """
    # Every partition once: the first expert is right if the outcome is 0.
    return _regret(n, horizon, [s for s in cube(count("n", n)) if not s[0]])


def comb_regret(n: int, horizon: int) -> Fraction:
    """The regret that the comb adversary forces on every learner.

    Parameters
    ----------
    n, horizon : int
        Experts and rounds T, at least 1 each.

    Returns
    -------
    Fraction
        Expected mistakes less those of the best expert, whatever the learner does; at
        most `experts_minimax_horizon`.

    Raises
    ------
    ValueError
        If a parameter is out of range.

    Notes
    -----
    Gravin, Peres and Sivan (2016): rank the experts by their mistakes; those of odd
    rank predict 1, those of even rank 0, and the outcome is a fair coin.

    Examples
    --------
    >>> comb_regret(3, 2) == experts_minimax_horizon(3, 2)
    True
    """
    return _regret(n, horizon, [np.arange(count("n", n)) % 2])


def _regret(n: int, horizon: int, advice: list[np.ndarray]) -> Fraction:
    """The value of the regret game, with experts sorted by mistakes and such advice."""
    rounds = count("horizon", horizon)
    behind = list(combinations_with_replacement(range(rounds + 1), n - 1))
    gaps = np.array([(0, *others) for others in behind])
    weights = place_values(rounds + 1, n)
    keys = gaps @ weights

    def following(wrong: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The states after a round, and by how much the best expert's mistakes grew."""
        counts = gaps + wrong
        grown = counts.min(axis=1)
        counts = np.sort(np.minimum(counts - grown[:, None], rounds), axis=1)
        return np.searchsorted(keys, counts @ weights), grown.astype(object)

    outcomes = [(following(one), following(1 - one)) for one in advice]
    # In units of 2**-r, with r rounds to go; Python's integers, so nothing overflows.
    values = np.zeros(len(gaps), dtype=object)
    for r in range(rounds):
        worth = [
            values[a] + values[b] + (1 - grown_a - grown_b) * 2**r
            for (a, grown_a), (b, grown_b) in outcomes
        ]
        values = np.max(worth, axis=0)
    return Fraction(values[0], 2**rounds)
