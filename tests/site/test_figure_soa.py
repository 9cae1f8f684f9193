"""The game against the Standard Optimal Algorithm: its numbers, and played by hand."""

import numpy as np
import pytest

from olutil._version_spaces import bit_set, columns_of, littlestone_dimensions
from olutil.classes import intervals, thresholds
from olutil.concepts import StandardOptimal


def text(C):
    return ["".join(map(str, row)) for row in C.tolist()]


def random_game(rng):
    """A class, and answers at random points that some concept of it agrees with."""
    shape = rng.integers(2, 14), rng.integers(1, 8)
    C = np.unique(rng.integers(2, size=shape), axis=0)
    C = rng.permutation(C)
    target = rng.choice(C)
    points = rng.integers(C.shape[1], size=4).tolist()
    return C, [[x, int(target[x])] for x in points]


def expected(C, answers):
    """What the figure should say, by the package's learner, after each answer."""
    learner = StandardOptimal(C)
    dimension = littlestone_dimensions(columns_of(C))
    for answer in [None, *answers]:
        if answer:
            learner.update(*answer, 0)
        alive = learner.alive
        sides = [
            [dimension(bit_set(alive & (column == b))) for b in (0, 1)] for column in C.T
        ]
        yield dimension(bit_set(alive)), sides, [
            int(learner.predict(x)) for x in range(C.shape[1])
        ]  # fmt: skip


def test_dimensions_and_predictions_are_those_of_the_package(computed):
    rng = np.random.default_rng(14)
    games = [random_game(rng) for _ in range(600)]
    games += [(thresholds(15), [[7, 0], [11, 1]]), (intervals(8), [[3, 1], [5, 0]])]
    shown = computed("soa", "replay", [[text(C), answers] for C, answers in games])
    for (C, answers), states in zip(games, shown, strict=True):
        for (dimension, sides, says), state in zip(
            expected(C, answers), states, strict=True
        ):
            assert state["dimension"] == dimension
            assert state["predictions"] == says
            if dimension == 0:
                assert state["best"] is state["asked"] is state["replies"] is None
                continue
            # As in mistake_tree: the first point with two sides that are deep enough.
            deep = [x for x, side in enumerate(sides) if min(side) == dimension - 1]
            assert state["best"] == deep[0]


def test_the_adversary_never_gives_a_mistake_away(computed):
    rng = np.random.default_rng(15)
    games = [random_game(rng) for _ in range(600)]
    shown = computed("soa", "replay", [[text(C), answers] for C, answers in games])
    lured = 0
    for (C, answers), states in zip(games, shown, strict=True):
        for (dimension, sides, says), state in zip(
            expected(C, answers), states, strict=True
        ):
            if dimension == 0:
                continue
            side = sides[state["asked"]]
            totals = [
                [side[told] + (told != said) if side[told] >= 0 else -1
                 for told in (0, 1)]
                for said in (0, 1)
            ]  # fmt: skip
            for said, told in enumerate(state["replies"]):
                # The best answer, and never less than the dimension promises; the
                # Standard Optimal Algorithm does not lose more.
                assert totals[said][told] == max(totals[said]) >= dimension
            soa = says[state["asked"]]
            assert max(totals[soa]) == dimension
            lured += max(totals[1 - soa]) > dimension
    assert lured > 100
