"""Equilibria, regret and exponential weights against plain re-computations."""

import contextlib
import math
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


@pytest.mark.filterwarnings("ignore:the matrix subclass")
def test_is_nash_on_games_with_ties():
    """Degenerate games, on which programs that enumerate supports have stumbled."""
    A = [[0, 0, -6, 0, 0], [0, 0, -3, -2, -1], [-4, -3, 0, 0, -1]]
    B = [[-3, 0, -2, -1, 0], [0, -2, 0, 0, -4], [-4, 0, -2, -4, -4]]
    found = [
        ("1 0 0", "0 1 0 0 0"), ("1 0 0", "0 0 0 0 1"), ("2/3 1/3 0", "0 1 0 0 0"),
        ("1/3 1/2 1/6", "0 4/9 2/9 1/3 0"), ("0 1/2 1/2", "0 1/2 1/2 0 0"),
        ("0 1 0", "3/7 0 4/7 0 0"), ("0 1 0", "1 0 0 0 0"),
        ("0 1 0", "3/8 0 1/4 3/8 0"),
    ]  # fmt: skip
    for mixes in found:
        p, q = ([*map(Fraction, mix.split())] for mix in mixes)
        for tables in ((A, B), (np.matrix(A), np.matrix(B))):
            assert is_nash(game(*tables), p, q)
            assert is_nash(game(*tables), [*map(float, p)], [*map(float, q)])
    segment = game([[-3, 3], [-3, 5]], [[2, 7], [4, 2]])
    for share, ends in ((0, True), (0.1, True), (2 / 7, True), (0.3, False)):
        assert is_nash(segment, [share, 1 - share], [1, 0]) == ends
    with pytest.raises(ValueError, match="^game: expected finitely many equilibria"):
        nash_2x2(segment)


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


# ---------------------------------------------------------------- floats

RPS = np.array([[0, -1, 1], [1, 0, -1], [-1, 1, 0]])


EIGHTHS = st.integers(0, 8).map(lambda k: [Fraction(k, 8), Fraction(8 - k, 8)])


@given(MATRIX, MATRIX, EIGHTHS, EIGHTHS, st.sampled_from([1, 0.1, 1 / 3, 1e-9, 1e200]))
def test_floats_know_an_equilibrium_at_any_scale(A, B, p, q, scale):
    """What a deviation gains here is 0, or at least 1/64 of a payoff."""
    profiles = [(p, q)]
    with contextlib.suppress(ValueError):
        profiles += nash_2x2(game(A, B))
    scaled = game(np.array(A) * scale, np.array(B) * scale)
    for p, q in profiles:
        floats = ([float(share) for share in mix] for mix in (p, q))
        assert is_nash(scaled, *floats) == is_nash((A, B), p, q)


def test_an_equilibrium_of_ninths_and_elevenths():
    mixed = game([[3, 1], [1, 8]], [[-4, 6], [3, -9]])
    ((p, q),) = nash_2x2(mixed)
    assert (p, q) == (
        [Fraction(6, 11), Fraction(5, 11)],
        [Fraction(7, 9), Fraction(2, 9)],
    )
    assert is_nash(mixed, [6 / 11, 5 / 11], [7 / 9, 2 / 9])
    assert not is_nash(mixed, [6 / 11, 5 / 11], [7 / 9 + 1e-8, 2 / 9 - 1e-8])
    # Exact numbers have no tolerance at all.
    near = [Fraction(7, 9) + Fraction(1, 10**30), Fraction(2, 9) - Fraction(1, 10**30)]
    assert not is_nash(mixed, p, near)


@pytest.mark.parametrize("scale", [0.1, 0.3, 1 / 7, 1e-300, 1e300, -0.1])
def test_fictitious_play_on_scaled_payoffs_is_that_on_whole_ones(scale):
    whole, scaled = (game(RPS * s) for s in (np.sign(scale).astype(int), scale))
    for start in ([1, 0, 0], [1, 1, 1], [0.5, 2, 0.25]):
        plays = (fictitious_play(g, start, start) for g in (whole, scaled))
        for here, there in zip(*plays, strict=True):
            assert here[:2] == there[:2]
            if here.kappa_1.sum() > 300:
                break


@given(
    st.lists(
        st.lists(st.floats(-3, 3), min_size=3, max_size=3), min_size=2, max_size=3
    ),
    st.lists(st.floats(0, 2), min_size=3, max_size=3),
)
def test_the_best_response_to_floats_is_that_to_what_they_store(payoffs, belief):
    values = [
        sum(Fraction(a) * Fraction(b) for a, b in zip(row, belief, strict=True))
        for row in payoffs
    ]
    expected = values.index(max(values))
    assert best_response(payoffs, belief) == expected
    assert best_response(payoffs, [belief, belief]).tolist() == [expected] * 2
    mixed = [[Fraction(v) for v in row] for row in payoffs]
    assert best_response(mixed, belief) == expected


@pytest.mark.parametrize(
    "bad", [2, -1, 1.9, True, None, "H", np.array([0]), np.array([1, 0])]
)
def test_a_response_that_is_no_action_is_refused(bad):
    for first in (True, False):

        def answers(payoffs, belief, first=first):
            is_first = payoffs is not None and payoffs.tolist() == [[1, -1], [-1, 1]]
            return bad if is_first == first else 0

        with pytest.raises(ValueError, match="response: .*from 0 to 1, got"):
            next(fictitious_play(MATCHING_PENNIES, [1, 2], [2, 1], response=answers))


@pytest.mark.parametrize(
    ("utilities", "lam", "expected"),
    [
        ([1e308, -1e308], 0.1, [1, 0]),
        ([-1e308, 1e308, 1e308], 1e-300, [0, 0.5, 0.5]),
        ([1, 1], 5e-324, [0.5, 0.5]),
        ([1, 2], 5e-324, [0, 1]),
        ([5e-324, 0], 5e-324, [math.e / (1 + math.e), 1 / (1 + math.e)]),
        ([1e308, -1e308], 1e308, [1 / (1 + exp(-2)), exp(-2) / (1 + exp(-2))]),
        ([10**300, 0], Fraction(1, 3), [1, 0]),
    ],
)
def test_exponential_weights_at_the_ends_of_the_floats(utilities, lam, expected):
    got = exponential_weights(utilities, lam)
    assert got.tolist() == pytest.approx(expected, rel=1e-12)


def test_a_lambda_that_is_no_float_is_refused():
    for make in (exponential_weights, lambda u, lam: ExponentialWeights(2, lam=lam)):
        with pytest.raises(ValueError, match="lam: .*float"):
            make([1, 2], Fraction(1, 10**400))
    learner = ExponentialWeights(2, lam=1)
    learner.update(None, [1.7e308, 0], None)
    with np.errstate(over="ignore"), pytest.raises(ValueError, match="y: .*finite"):
        learner.update(None, [1.7e308, 0], None)
    assert learner.t == 1


def test_a_game_may_be_two_tables_and_owns_its_own():
    A = np.array([[1, -1], [-1, 1]])
    pennies = game(A, -A)
    A[0] = 7
    assert pennies.A.tolist() == [[1, -1], [-1, 1]]
    assert pennies.B.tolist() == [[-1, 1], [1, -1]]
    pair = ([[1, -1], [-1, 1]], [[-1, 1], [1, -1]])
    assert nash_2x2(pair) == nash_2x2(MATCHING_PENNIES)
    assert regret(pair, [0, 1], [1, 1]) == regret(MATCHING_PENNIES, [0, 1], [1, 1])
    plays = (fictitious_play(g, [1, 2], [2, 1]) for g in (pair, MATCHING_PENNIES))
    assert next(next(plays))[:2] == next(next(plays))[:2]
    for bad in (3, None, "ab", ([[1]],), {"A": 1, "B": 2}):
        with pytest.raises(ValueError, match="(game|A): expected"):
            nash_2x2(bad)
