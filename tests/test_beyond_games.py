"""Fictitious play by runs, and what the page on games claims, by other ways."""

from fractions import Fraction
from itertools import islice, permutations, product
from math import exp, log

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

from olutil.games import (
    MATCHING_PENNIES,
    SHAPLEY,
    fictitious_play,
    fictitious_runs,
    game,
    nash_2x2,
)
from olutil.theorems import bound

ROUNDS = 30
THIRDS = st.integers(0, 9).map(lambda v: Fraction(v, 3))


def weights(size):
    return st.lists(THIRDS, min_size=size, max_size=size).filter(any)


@st.composite
def plays(draw):
    """A game with small payoffs, so that ties are frequent, and initial weights."""
    rows, columns = draw(st.integers(1, 3)), draw(st.integers(1, 3))
    table = st.lists(
        st.lists(st.integers(-2, 2), min_size=columns, max_size=columns),
        min_size=rows,
        max_size=rows,
    )
    return game(draw(table), draw(table)), draw(weights(columns)), draw(weights(rows))


@settings(deadline=None, max_examples=40)
@given(plays())
def test_runs_are_those_of_the_loop(play):
    beats = list(islice(fictitious_play(*play), ROUNDS))
    t = 0
    previous = None
    for run in fictitious_runs(*play):
        assert (run.row, run.column) != previous
        previous = run.row, run.column
        before = play[1:] if t == 0 else (beats[t - 1].kappa_1, beats[t - 1].kappa_2)
        assert run.kappa_1.tolist() == list(before[0])
        assert run.kappa_2.tolist() == list(before[1])
        last = ROUNDS if run.rounds is None else min(t + run.rounds, ROUNDS)
        assert {(b.row, b.column) for b in beats[t:last]} == {previous}
        t = last
        if t == ROUNDS:
            break
    assert t == ROUNDS


def test_a_run_without_end_is_the_last():
    dilemma = game([[3, 0], [5, 1]], [[3, 5], [0, 1]])
    (run,) = fictitious_runs(dilemma, [1, 1], [1, 1])
    assert (run.row, run.column, run.rounds) == (1, 1, None)


def test_runs_do_not_change_what_they_are_given_or_gave():
    start = np.array([1, 0, 0]), np.array([1, 0, 0])
    first, second = islice(fictitious_runs(SHAPLEY, *start), 2)
    assert first.kappa_1.tolist() == start[0].tolist() == [1, 0, 0]
    assert second.kappa_1.tolist() != first.kappa_1.tolist()


def test_runs_may_outgrow_64_bits():
    """The same game with payoffs that never fitted has the same runs."""
    start = [1, 0, 0], [1, 0, 0]
    large = game(*(2**70 * payoffs.astype(object) for payoffs in SHAPLEY))
    found, expected = (
        [run[:3] for run in islice(fictitious_runs(played, *start), 200)]
        for played in (SHAPLEY, large)
    )
    assert sum(rounds for _, _, rounds in found) > 2**64
    assert found == expected


def test_a_float_counts_as_the_fraction_that_it_is():
    run = next(fictitious_runs(MATCHING_PENNIES, [0.1, 0], [1, 1]))
    assert run.kappa_1[0] == Fraction(0.1) != Fraction(1, 10)


@pytest.mark.parametrize("kappa", [[0, 0], [1, -1], [1, 1, 1]])
def test_runs_refuse_weights_that_are_none(kappa):
    with pytest.raises(ValueError, match="kappa_2"):
        next(fictitious_runs(MATCHING_PENNIES, [1, 1], kappa))


@settings(deadline=None, max_examples=10)
@given(weights(3), weights(3))
def test_shapley_round_by_round(kappa_1, kappa_2):
    """The recurrence, from runs that are counted in the loop."""
    beats = islice(fictitious_play(SHAPLEY, kappa_1, kappa_2), 250)
    lengths, ends = [], []
    for beat in beats:
        profile = beat.row, beat.column
        if not lengths and (beat.column - beat.row) % 3 == 2:
            continue  # nobody earns anything yet
        if not ends or ends[-1] != profile:
            lengths.append(0)
            ends.append(profile)
        lengths[-1] += 1
    for m in range(4, len(lengths) - 1):
        kappa = kappa_1
        if ends[m][0] == ends[m][1]:  # player 2 switches; its action j answers j - 1
            kappa = [kappa_2[j - 1] for j in range(3)]
        excess = lengths[m] - lengths[m - 1] - lengths[m - 3]
        assert excess == bound("bey-game-shapley", kappa=kappa, m=m + 1)
        assert excess in (1, 2)


def test_the_late_favorite_written_out():
    lam, n, idle, paid = 0.1, 5, 300, 90
    lost = sum((n - 1) / (exp(j / (lam * (idle + j))) + n - 1) for j in range(paid)) / (
        idle + paid
    )
    least = bound("bey-game-lambda", lam=lam, n=n, idle=idle, paid=paid)
    assert 0.8 * lost < least <= lost <= bound("das-s34", lam=lam, n=n, rounds=390)


@pytest.mark.parametrize("beta", [Fraction(1, 2), Fraction(1, 9)])
def test_self_play_over_all_histories(beta):
    """The expected gap in matching pennies, from all 4**4 histories one by one."""
    T, expected = 4, Fraction(0)
    for history in product(product((0, 1), repeat=2), repeat=T):
        chance, rows, columns = Fraction(1), [0, 0], [0, 0]
        for row, column in history:
            # Player 1 earns by matching, player 2 by differing.
            first = [beta ** -columns[0], beta ** -columns[1]]
            second = [beta ** -rows[1], beta ** -rows[0]]
            chance *= first[row] / sum(first) * second[column] / sum(second)
            rows[row] += 1
            columns[column] += 1
        expected += chance * Fraction(max(columns) - min(rows), T)
    assert (
        0
        < expected
        <= bound("bey-game-selfplay", beta=beta, rounds=T, rows=2, columns=2)
    )


def test_78_games_as_orbits():
    """Each game's eight forms, collected as a set."""
    tables = [(r[:2], r[2:]) for r in permutations(range(1, 5))]

    def forms(A, B):
        for players in (
            (A, B),
            (tuple(zip(*B, strict=True)), tuple(zip(*A, strict=True))),
        ):
            for r, c in product((1, -1), repeat=2):
                yield tuple(tuple(row[::c] for row in M[::r]) for M in players)

    orbits = {frozenset(forms(A, B)) for A, B in product(tables, repeat=2)}
    assert len(orbits) == bound("bey-game-count")[2].sum() == 78
    assert bound("bey-game-count").sum(axis=1).tolist() == [576, 144, 78]


@pytest.mark.parametrize(
    "G",
    [
        game([[4, 2], [1, 3]], [[2, 3], [4, 1]]),
        game([[7, 0], [1, 2]], [[-3, 0], [5, 4]]),
        game([[2, 4], [1, 3]], [[2, 1], [4, 3]]),
        game([[4, 2], [3, 1]], [[2, 3], [4, 1]]),
    ],
)
def test_one_joint_distribution_has_no_regret(G):
    """The least and the largest probability of each cell, by linear programming."""
    ((p, q),) = nash_2x2(G)
    law = np.array(bound("bey-game-noregret", p=p, q=q), dtype=float).ravel()
    regrets = []
    for i in (0, 1):
        row, column = np.zeros((2, 2)), np.zeros((2, 2))
        row[1 - i] = G.A[i] - G.A[1 - i]
        column[:, 1 - i] = G.B[:, i] - G.B[:, 1 - i]
        regrets += [row.ravel(), column.ravel()]
    for goal in (*np.eye(4), *-np.eye(4)):
        found = linprog(goal, A_ub=regrets, b_ub=np.zeros(4), A_eq=[np.ones(4)], b_eq=1)
        assert found.x == pytest.approx(law, abs=1e-7)


@settings(deadline=None, max_examples=20)
@given(weights(3))
def test_twins_round_by_round(kappa):
    """The clock of rock, paper, scissors, counted in the loop."""
    twins = game([[0, -1, 1], [1, 0, -1], [-1, 1, 0]])
    lengths, shown = [], None
    for beat in islice(fictitious_play(twins, kappa, kappa), 200):
        assert beat.row == beat.column
        if beat.row != shown:
            assert shown is None or beat.row == (shown + 1) % 3
            lengths.append(0)
            shown = beat.row
        lengths[-1] += 1
    earns = [kappa[j - 1] - kappa[(j + 1) % 3] for j in range(3)]
    for m in range(2, len(lengths) - 1):
        sigma = bound("bey-game-twins", kappa=earns, m=m + 1)
        assert lengths[m] - lengths[m - 1] == sigma
        assert sigma in (1, 2)


@pytest.mark.parametrize("rate", [2 / 3, 0.1])
def test_two_optimists_written_out(rate):
    """Both regrets of two learners in a game of 2x3, in plain Python."""
    A, T = [[0.9, 0.1, 0.4], [0.2, 1.0, 0.0]], 40
    totals = [[0.0] * 2, [0.0] * 3]
    last = [[0.0] * 2, [0.0] * 3]
    earned = 0.0
    for _ in range(T):
        mixes = []
        for total, u in zip(totals, last, strict=True):
            powers = [exp(rate * (a + b)) for a, b in zip(total, u, strict=True)]
            mixes.append([power / sum(powers) for power in powers])
        p, q = mixes
        last = [
            [sum(a * b for a, b in zip(row, q, strict=True)) for row in A],
            [-sum(p[i] * A[i][j] for i in (0, 1)) for j in range(3)],
        ]
        earned += sum(a * b for a, b in zip(p, last[0], strict=True))
        totals = [
            [a + b for a, b in zip(total, u, strict=True)]
            for total, u in zip(totals, last, strict=True)
        ]
    regrets = max(totals[0]) - earned + max(totals[1]) + earned
    limit = T * bound("bey-game-optimist", rate=rate, rounds=T, rows=2, columns=3)
    assert 0 < regrets <= limit == pytest.approx(log(6) / rate + rate / 2)


def test_optimists_have_a_largest_rate():
    with pytest.raises(ValueError, match="eta"):
        bound("bey-game-optimist", rate=0.7, rounds=9, rows=2, columns=2)
