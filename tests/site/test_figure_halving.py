"""Halving's figure: its numbers beside olutil's, and how it is driven."""

import numpy as np
import pytest
from playwright.sync_api import expect
from web import OF_COLORS, switch

from olutil import play
from olutil.classes import intervals, singletons, thresholds
from olutil.concepts import Halving
from olutil.exact import halving_worst_case
from olutil.theorems import bound

PAGE = "lectures/kakade"
ONLY = ".ol-figure[data-figure=halving]"


def some_games(seed, many):
    """Classes, some with equal concepts, and rounds that one of their concepts labels;
    now and then the last label is contrary, and may leave no concept."""
    rng = np.random.default_rng(seed)
    for _ in range(many):
        concepts, points = rng.integers(1, 13), rng.integers(1, 7)
        C = rng.integers(2, size=(concepts, points))
        xs = rng.integers(points, size=rng.integers(1, 8))
        ys = C[rng.integers(concepts), xs]
        ys[-1] ^= rng.random() < 0.2
        yield C, np.stack([xs, ys], axis=1), int(rng.integers(2))


GAMES = list(some_games(0, 500))


def test_predictions_and_version_spaces_are_those_of_olutil(computed):
    calls = [[C.tolist(), rounds.tolist(), tie] for C, rounds, tie in GAMES]
    for (C, rounds, tie), found in zip(
        GAMES, computed("halving", "play", calls), strict=True
    ):
        run = play(Halving(C, tie=tie), rounds.tolist(), watch=lambda it: it.alive)
        assert [each["said"] for each in found] == run.predictions.tolist()
        assert [each["before"] for each in found] == run.states[:-1].tolist()
        assert [each["alive"] for each in found] == run.states[1:].tolist()


def test_the_most_that_can_be_forced_is_the_worst_case_of_olutil(computed):
    calls = [[C.tolist(), [True] * len(C), tie] for C, _, tie in GAMES]
    for (C, _, tie), found in zip(
        GAMES, computed("halving", "hardest", calls), strict=True
    ):
        assert found["mistakes"] == halving_worst_case(C, tie=tie)
        assert (found["round"] is None) == (found["mistakes"] == 0)


def test_the_bounds_are_those_of_the_theorem(computed):
    sizes = range(1, 17)
    assert computed("halving", "bound", [[n] for n in sizes]) == pytest.approx(
        bound("kak-thm2.2", size=np.array(sizes)).tolist()
    )
    cases = [(n, m) for n in sizes for m in range(5)]
    assert computed("halving", "limit", [[*case] for case in cases]) == [
        bound("kak-eq1", size=n, mistakes=m) for n, m in cases
    ]
