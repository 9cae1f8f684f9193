"""Fictitious play on the page: its rounds against the package's, and driven by hand."""

from fractions import Fraction
from itertools import islice

import numpy as np
import pytest

from olutil.games import fictitious_play, fictitious_runs, game, regret


def hundredths(rng, low, high, shape, step):
    """Multiples of step hundredths, from low to high."""
    return rng.integers(low // step, high // step + 1, size=shape) * step


def random_play(rng):
    """A game and its start in hundredths; small whole numbers make ties frequent."""
    n = int(rng.integers(2, 4))
    step, most = [(100, 200), (100, 100), (10, 200), (1, 9900)][rng.integers(4)]
    A, B = hundredths(rng, -most, most, (2, n, n), step)
    k1, k2 = hundredths(rng, 0, 300, (2, n), max(step, 10))
    k1[0] += 100 * (not k1.any())
    k2[-1] += 100 * (not k2.any())
    return {"A": A, "B": B, "k1": k1, "k2": k2}, int(rng.integers(1, 300))


def exactly(values):
    return np.array([Fraction(int(v), 100) for v in values.flat]).reshape(values.shape)


def plain(numbers):
    return {name: (values / 100).tolist() for name, values in numbers.items()}


def expected(numbers, T):
    """The runs in T rounds and the weights after them, in exact fractions."""
    A, B, k1, k2 = map(exactly, numbers.values())
    left = T
    for run in fictitious_runs(game(A, B), k1, k2):
        rounds = left if run.rounds is None else min(left, run.rounds)
        yield run.row, run.column, rounds
        left -= rounds
        if left == 0:
            return


def test_runs_weights_and_regrets_are_those_of_the_package(computed):
    rng = np.random.default_rng(16)
    plays = [random_play(rng) for _ in range(600)]
    arguments = [[plain(numbers), T] for numbers, T in plays]
    ties = 0
    for (numbers, T), shown in zip(
        plays, computed("fictitious", "play", arguments), strict=True
    ):
        runs = list(expected(numbers, T))
        assert shown["runs"] == [list(run) for run in runs]
        row, column, rounds = np.transpose(runs)
        rows, columns = np.repeat(row, rounds), np.repeat(column, rounds)
        A, B, k1, k2 = numbers.values()
        seen = [
            100 * np.bincount(actions, minlength=len(A)) for actions in (columns, rows)
        ]
        assert shown["kappa"] == [(k1 + seen[0]).tolist(), (k2 + seen[1]).tolist()]
        assert shown["regrets"] == pytest.approx([
            regret((A / 100, B / 100), rows, columns),
            regret((B.T / 100, A.T / 100), columns, rows),
        ], abs=1e-9)  # fmt: skip
        ties += any(np.unique(M @ k).size < len(M) for M, k in ((A, k1), (B.T, k2)))
    assert ties > 100


def test_round_by_round_it_is_fictitious_play(computed):
    rng = np.random.default_rng(17)
    plays = [random_play(rng)[0] for _ in range(60)]
    shown = computed("fictitious", "play", [[plain(numbers), 25] for numbers in plays])
    for numbers, page in zip(plays, shown, strict=True):
        A, B, k1, k2 = map(exactly, numbers.values())
        rounds = islice(fictitious_play(game(A, B), k1, k2), 25)
        actions = [[r, c] for r, c, n in page["runs"] for _ in range(n)]
        assert actions == [[one.row, one.column] for one in rounds]
