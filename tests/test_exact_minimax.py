"""The values of the experts' games against linear programs and plain recursions."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from scipy.optimize import linprog

from olutil.exact import (
    comb_regret,
    expected_best,
    experts_minimax,
    experts_minimax_horizon,
    experts_worst_case,
)
from olutil.experts import (
    AggregatingAlgorithm,
    RandomizedWeightedMajority,
    improved_beta,
    tuned_beta,
)


def _by_linear_program(n, rounds, best):
    """The least guarantee over all learners: one unknown for every history.

    Each stream is one constraint: expected mistakes, less the best expert's if
    ``best`` is None, are at most the guarantee.  Streams that break the promise of
    ``best`` mistakes make no constraint.
    """
    histories, constraints, limits = {}, [], []
    one_round = [*product(product((0, 1), repeat=n), (0, 1))]
    for stream in product(one_round, repeat=rounds):
        least = min(sum(advice[i] != y for advice, y in stream) for i in range(n))
        if best is not None and least > best:
            continue
        # The loss is p for outcome 0, and 1 - p for outcome 1.
        signs, ones = {}, 0
        for t, (advice, y) in enumerate(stream):
            history = histories.setdefault((stream[:t], advice), len(histories) + 1)
            signs[history] = 1 - 2 * y
            ones += y
        constraints.append(signs)
        limits.append((least if best is None else 0) - ones)
    matrix = np.zeros((len(constraints), len(histories) + 1))
    matrix[:, 0] = -1
    for row, signs in zip(matrix, constraints, strict=True):
        row[list(signs)] = list(signs.values())
    goal = np.eye(len(histories) + 1)[0]
    bounds = [(None, None)] + [(0, 1)] * len(histories)
    return linprog(goal, A_ub=matrix, b_ub=limits, bounds=bounds).fun


SMALL = [(1, 3), (2, 1), (2, 2), (2, 3), (3, 1), (3, 2)]


@pytest.mark.parametrize(("n", "rounds"), SMALL)
def test_values_equal_those_of_the_whole_game(n, rounds):
    value = experts_minimax_horizon(n, rounds)
    assert _by_linear_program(n, rounds, None) == pytest.approx(float(value))
    for best in range(rounds + 1):
        value = experts_minimax(n, best, horizon=rounds)
        assert _by_linear_program(n, rounds, best) == pytest.approx(float(value))


def _by_recursion(budgets, rounds, known):
    """The learner tries the ends and the point that evens out; nothing is sorted."""
    if max(budgets) < 0:
        return -np.inf
    if rounds == 0:
        return 0
    if (budgets, rounds) not in known:
        value = 0
        for advice in product((0, 1), repeat=len(budgets)):
            pairs = list(zip(budgets, advice, strict=True))
            ones = tuple(max(b - a, -1) for b, a in pairs)
            zeros = tuple(max(b - 1 + a, -1) for b, a in pairs)
            after_0 = _by_recursion(ones, rounds - 1, known)
            after_1 = _by_recursion(zeros, rounds - 1, known)
            tries = {0, 1}
            if abs(after_0 - after_1) < 1:
                tries.add((1 + after_1 - after_0) / 2)
            least = min(max(p + after_0, 1 - p + after_1) for p in tries)
            value = max(value, least)
        known[budgets, rounds] = value
    return known[budgets, rounds]


@pytest.mark.parametrize(("n", "best"), [(1, 2), (2, 0), (2, 2), (3, 1), (4, 0)])
def test_value_without_horizon_is_the_limit(n, best):
    rounds = 40
    limit = _by_recursion((best,) * n, rounds, {})
    value = experts_minimax(n, best)
    assert limit <= value
    assert limit == pytest.approx(float(value), abs=1e-6)
    # The same rounds of the program itself, exactly.
    at_horizon = experts_minimax(n, best, horizon=rounds)
    assert limit == pytest.approx(float(at_horizon), abs=1e-12)


def _regret_by_recursion(counts, rounds, known):
    if rounds == 0:
        return -min(counts)
    if (counts, rounds) not in known:
        value = -np.inf
        for advice in product((0, 1), repeat=len(counts)):
            ones = tuple(c + a for c, a in zip(counts, advice, strict=True))
            zeros = tuple(c + 1 - a for c, a in zip(counts, advice, strict=True))
            after_0 = _regret_by_recursion(ones, rounds - 1, known)
            after_1 = _regret_by_recursion(zeros, rounds - 1, known)
            tries = {0, 1}
            if abs(after_0 - after_1) < 1:
                tries.add((1 + after_1 - after_0) / 2)
            least = min(max(p + after_0, 1 - p + after_1) for p in tries)
            value = max(value, least)
        known[counts, rounds] = value
    return known[counts, rounds]


@pytest.mark.parametrize(("n", "rounds"), [(1, 4), (2, 12), (3, 7), (4, 5), (5, 3)])
def test_regret_equals_a_plain_recursion(n, rounds):
    value = _regret_by_recursion((0,) * n, rounds, {})
    assert float(experts_minimax_horizon(n, rounds)) == value


def _comb_by_coins(n, rounds):
    """Play the comb against every sequence of outcomes."""
    total = Fraction(0)
    for outcomes in product((0, 1), repeat=rounds):
        counts = [0] * n
        for y in outcomes:
            ranked = sorted(range(n), key=lambda i: counts[i])
            for rank, expert in enumerate(ranked):
                counts[expert] += int((rank % 2 == 0) != y)
        total += Fraction(rounds, 2) - min(counts)
    return total / 2**rounds


@pytest.mark.parametrize("n", range(1, 7))
def test_comb_by_coins(n):
    for rounds in (1, 4, 7):
        assert comb_regret(n, rounds) == _comb_by_coins(n, rounds)


def test_comb_with_more_experts_than_digits_fit_a_word():
    assert comb_regret(40, 3) == _comb_by_coins(40, 3)


def test_one_value_lies_below_another():
    """Random advice, the comb, the best adversary; the best learner and two others."""
    for n, rounds in product((2, 3, 4), (1, 6, 9)):
        random = Fraction(rounds, 2) - expected_best(n, rounds)
        assert random <= comb_regret(n, rounds) <= experts_minimax_horizon(n, rounds)
    for n, best in product((2, 3), (0, 1, 2)):
        value = experts_minimax(n, best, horizon=8)
        for learner in (
            RandomizedWeightedMajority(n, beta=tuned_beta(n, best)),
            AggregatingAlgorithm(n, beta=improved_beta(n, best)),
        ):
            worst = experts_worst_case(learner, 8)
            at_most = max(worst[k] for k in range(best + 1))
            assert value <= at_most + 1e-12


def test_values_named_in_the_book():
    """With a perfect expert: lg(n) / 2, and straight lines between powers of two."""
    for k in range(4):
        assert experts_minimax(2**k, 0) == Fraction(k, 2)
        between = experts_minimax(2**k + 1, 0) - Fraction(k, 2)
        assert between == Fraction(1, 2 ** (k + 1))
    assert experts_minimax(2, 1) == Fraction(7, 4)
    assert experts_minimax(3, 2, horizon=0) == 0
    assert [experts_minimax(1, k) for k in range(4)] == [0, 1, 2, 3]


def test_where_the_comb_is_best():
    """For two, three and four experts; with five it falls short after five rounds."""
    for n, most in ((2, 30), (3, 20), (4, 12), (5, 4)):
        for rounds in range(1, most + 1):
            assert comb_regret(n, rounds) == experts_minimax_horizon(n, rounds)
    assert comb_regret(5, 5) == _comb_by_coins(5, 5) == Fraction(49, 32)
    assert experts_minimax_horizon(5, 5) == Fraction(50, 32)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: experts_minimax(0, 1), "n: .*at least 1.*0"),
        (lambda: experts_minimax(2, -1), "best: .*at least 0.*-1"),
        (lambda: experts_minimax(2, 1, horizon=-1), "horizon: .*at least 0.*-1"),
        (lambda: experts_minimax_horizon(0, 1), "n: .*at least 1.*0"),
        (lambda: experts_minimax_horizon(2, 0), "horizon: .*at least 1.*0"),
        (lambda: comb_regret(2, 1.5), "horizon: .*1.5"),
        (lambda: comb_regret(0, 1), "n: .*at least 1.*0"),
    ],
)
def test_bad_input(call, message):
    with pytest.raises(ValueError, match=message):
        call()
