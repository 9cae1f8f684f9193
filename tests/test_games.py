"""Equilibria, regret and exponential weights against plain re-computations."""

from fractions import Fraction
from itertools import product
from math import exp

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from olutil.games import (
    MATCHING_PENNIES,
    PRISONERS_DILEMMA,
    SHAPLEY,
    ExponentialWeights,
    best_response,
    exponential_weights,
    fictitious_play,
    game,
    is_nash,
    nash_2x2,
    regret,
    smooth_response,
)

PAYOFF = st.integers(-2, 2)
MATRIX = st.lists(st.lists(PAYOFF, min_size=2, max_size=2), min_size=2, max_size=2)


def _payoff(M, p, q):
    return sum(p[i] * q[j] * M[i][j] for i in (0, 1) for j in (0, 1))


def _is_equilibrium(A, B, p, q):
    """No pure deviation pays, written out."""
    sure = ([1, 0], [0, 1])
    return all(_payoff(A, s, q) <= _payoff(A, p, q) for s in sure) and all(
        _payoff(B, p, s) <= _payoff(B, p, q) for s in sure
    )


@given(MATRIX, MATRIX)
def test_nash_2x2_is_what_a_grid_that_holds_every_equilibrium_shows(A, B):
    """Indifference shares of payoffs in -2..2 have denominators of at most 8."""
    shares = sorted({Fraction(a, b) for b in range(1, 9) for a in range(b + 1)})
    try:
        found = nash_2x2(game(A, B))
    except ValueError:
        found = None
    mixes = [[s, 1 - s] for s in shares]
    grid = [(p, q) for p, q in product(mixes, mixes) if _is_equilibrium(A, B, p, q)]
    if found is None:
        # Infinitely many: a segment of them, which the grid meets again and again.
        assert len(grid) > 3
    else:
        assert sorted(found) == sorted(grid)


def test_asymmetric_equilibria():
    """Chicken with unequal stakes: the mixes differ, and so do their complements."""
    chicken = game([[0, -1], [1, -10]], [[0, 2], [-1, -5]])
    mixed = [(p, q) for p, q in nash_2x2(chicken) if 0 < p[0] < 1]
    assert mixed == [
        ([Fraction(2, 3), Fraction(1, 3)], [Fraction(9, 10), Fraction(1, 10)])
    ]


def test_is_nash_asks_both_players():
    assert is_nash(PRISONERS_DILEMMA, [0, 1], [0, 1])
    assert not is_nash(PRISONERS_DILEMMA, [1, 0], [0, 1])
    assert not is_nash(PRISONERS_DILEMMA, [0, 1], [1, 0])
    third = [Fraction(1, 3)] * 3
    assert is_nash(SHAPLEY, third, third)


def test_regret_is_player_1s_against_what_player_2_played():
    A = [[1, 0], [5, 2]]
    rows, columns = [0, 0, 1], [0, 1, 1]
    payoff = [[A[r][c] for c in columns] for r in (0, 1)]
    earned = [A[r][c] for r, c in zip(rows, columns, strict=True)]
    expected = (max(map(sum, payoff)) - sum(earned)) / 3
    assert regret(game(A), rows, columns) == pytest.approx(expected)
    assert regret(game(A), columns, rows) != pytest.approx(expected)


@given(st.lists(st.floats(-3, 3), min_size=1, max_size=5), st.floats(0.05, 5))
def test_exponential_weights_are_exponential(utilities, lam):
    raw = [exp(u / lam) for u in utilities]
    expected = [r / sum(raw) for r in raw]
    assert exponential_weights(utilities, lam).tolist() == pytest.approx(expected)


def test_exponential_weights_survive_large_payoffs():
    assert exponential_weights([1e6, 0.0], 1e-3).tolist() == [1.0, 0.0]


def test_the_learner_weighs_average_payoffs():
    learner = ExponentialWeights(2, lam=0.5)
    for payoffs in ([1, 0], [0, 0], [1, 1]):
        learner.update(None, payoffs, learner.predict())
    expected = exponential_weights([2 / 3, 1 / 3], 0.5)
    assert learner.predict().tolist() == pytest.approx(expected.tolist())


def test_smooth_responses_follow_the_logit():
    """20,000 draws; Hoeffding: off by 0.02 with probability below 3e-7."""
    response = smooth_response(np.random.default_rng(3), 1.0)
    A = np.array([[1, 0], [0, 1]])
    draws = [response(A, np.array([3, 1])) for _ in range(20_000)]
    chance = exp(0.75) / (exp(0.75) + exp(0.25))
    assert abs(1 - np.mean(draws) - chance) < 0.02


def test_a_batch_of_beliefs():
    beliefs = [[3, 1], [1, 3], [2, 2]]
    assert best_response(MATCHING_PENNIES.A, beliefs).tolist() == [0, 1, 0]


def test_fictitious_play_takes_exact_weights():
    beats = fictitious_play(MATCHING_PENNIES, [Fraction(3, 2), 2], [2, Fraction(3, 2)])
    actions = "".join("HT"[b.column] for b, _ in zip(beats, range(7), strict=False))
    assert actions == "THHHHHT"


def test_a_zero_sum_game_of_truth_values():
    assert game([[True, False]]).B.tolist() == [[-1, 0]]
