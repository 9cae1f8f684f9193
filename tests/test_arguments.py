"""Bad input is a ValueError that names argument, expectation and value."""

from fractions import Fraction

import numpy as np
import pytest

from olutil import (
    classes,
    concepts,
    dimension,
    exact,
    experts,
    games,
    linear,
    margins,
    play,
    streams,
)

NAN = float("nan")
CLASS = [[0, 1], [1, 1]]

BAD = {
    "no experts": (lambda: experts.WeightedMajority(0, beta=0.5), "n: .*at least 1.*0"),
    "half an expert": (lambda: experts.FollowTheLeader(1.5), "n: .*1.5"),
    "True is no count": (lambda: experts.FollowTheLeader(True), "n: .*True"),
    "beta 1": (lambda: experts.WeightedMajority(2, beta=1), r"beta: .*\[0, 1\).*1"),
    "improved beta": (lambda: experts.AggregatingAlgorithm(2, beta=1.5), "beta: .*1.5"),
    "beta -1": (lambda: experts.WeightedMajority(2, beta=-1), "beta: .*-1"),
    "beta nan": (lambda: experts.WeightedMajority(2, beta=NAN), "beta: .*nan"),
    "beta text": (lambda: experts.WeightedMajority(2, beta="x"), "beta: .*'x'"),
    "eta 0": (lambda: experts.WeightedMajority(2, eta=0), "eta: .*0"),
    "eta > 1": (lambda: experts.RandomizedWeightedMajority(2, eta=1.5), "eta: .*1.5"),
    "both": (
        lambda: experts.WeightedMajority(2, beta=0.5, eta=0.5),
        "beta, eta: .*one",
    ),
    "neither": (lambda: experts.WeightedMajority(2), "beta, eta: .*one"),
    "tie": (lambda: experts.WeightedMajority(2, beta=0.5, tie=2), "tie: .*0, 1.*2"),
    "rng": (lambda: experts.RandomizedWeightedMajority(2, beta=0.5, rng=3), "rng: .*3"),
    "draw": (lambda: experts.RandomizedWeightedMajority(2, beta=0.5, draw="x"), "draw"),
    "advice label": (
        lambda: experts.WeightedMajority(2, beta=0.5).predict([0, 2]),
        "x: .*0 or 1.*2",
    ),
    "advice nan": (lambda: experts.FollowTheLeader(2).predict([0, NAN]), "x: .*nan"),
    "advice shape": (
        lambda: experts.WeightedMajority(2, beta=0.5).predict([0, 1, 1]),
        r"x: .*length 2.*\(3,\)",
    ),
    "outcome": (lambda: experts.FollowTheLeader(2).update([0, 1], -1, 0), "y: .*-1"),
    "K < 0": (lambda: experts.tuned_beta(4, -1), "best: .*-1"),
    "tuning N = 1": (lambda: experts.tuned_beta(1, 3), "n: .*2.*1"),
    "curve": (lambda: experts.improved_curve(1.5, 0.5), "r: .*1.5"),
    "empty class": (lambda: concepts.Halving([]), "C: .*not empty"),
    "empty class opt": (
        lambda: dimension.littlestone_dimension([[]]),
        "C: .*not empty",
    ),
    "ragged class": (lambda: dimension.vc_dimension([0, 1]), "C: .*table"),
    "class labels": (lambda: concepts.Elimination([[0, 3]]), "C: .*3"),
    "point": (lambda: concepts.Halving(CLASS).predict(2), "x: .*0 to 1.*2"),
    "point < 0": (lambda: concepts.Elimination(CLASS).predict(-1), "x: .*-1"),
    "real point": (lambda: concepts.StandardOptimal(CLASS).predict(0.5), "x: .*0.5"),
    "halving y": (lambda: concepts.Halving(CLASS).update(0, 2, 0), "y: .*2"),
    "k > d": (lambda: classes.monotone_disjunctions(2, 3), "k: .*2.*3"),
    "halfspaces": (lambda: classes.halfspaces(5), "d: .*4.*5"),
    "d = 0": (lambda: linear.Perceptron(0), "d: .*0"),
    "zero": (lambda: linear.Perceptron(2, zero=2), "zero: .*2"),
    "feature nan": (lambda: linear.Perceptron(2).predict([0, NAN]), "x: .*nan"),
    "feature inf": (lambda: linear.Perceptron(1).predict([np.inf]), "x: .*inf"),
    "feature text": (lambda: linear.Perceptron(1).predict(["a"]), "x: .*numbers"),
    "feature shape": (lambda: linear.Perceptron(2).predict([1]), "x: .*length 2"),
    "perceptron y": (lambda: linear.Perceptron(1).update([1], 0, 0), "y: .*-1 or 1.*0"),
    "perceptron bool y": (
        lambda: linear.Perceptron(1).update([[1]] * 9, np.zeros(9, dtype=bool), 0),
        "y: .*-1 or 1.*False",
    ),
    "pa y": (lambda: linear.PassiveAggressive(1).update([1], 0, 0), "y: .*0"),
    "winnow x": (lambda: linear.Winnow(2).predict([1, -1]), "x: .*-1"),
    "winnow y": (lambda: linear.Winnow(2).update([1, 1], -1, 0), "y: .*-1"),
    "factor": (lambda: linear.Winnow(2, factor=1), "factor: .*1"),
    "threshold": (lambda: linear.Winnow(2, threshold=NAN), "threshold: .*nan"),
    "demote": (lambda: linear.Winnow(2, demote="halve"), "demote: .*'halve'"),
    "rate": (lambda: linear.OnlineGradientDescent(1, rate=0), "rate: .*0"),
    "gamma": (lambda: margins.weight_grid(1, 1, 0, 1), "gamma: .*0"),
    "grid": (lambda: linear.GridHalving([]), "W: "),
    "ellipsoid d": (lambda: linear.EllipsoidHalving(1, radius=1), "d: .*2.*1"),
    "ellipsoid radius": (lambda: linear.EllipsoidHalving(2, radius=-1), "radius: .*-1"),
    "game": (lambda: games.game([[1]], [[1, 2]]), "A, B: "),
    "kappa": (
        lambda: next(games.fictitious_play(games.MATCHING_PENNIES, [0, 0], [1, 1])),
        r"kappa_1: .*\[0, 0\]",
    ),
    "kappa < 0": (
        lambda: next(games.fictitious_play(games.MATCHING_PENNIES, [1, 1], [2, -1])),
        "kappa_2: ",
    ),
    "lambda": (lambda: games.exponential_weights([0, 1], 0), "lam: .*0"),
    "nash": (lambda: games.nash_2x2(games.SHAPLEY), "game: .*2x2"),
    "all equilibria": (
        lambda: games.nash_2x2(games.game([[0, 0], [0, 0]])),
        "finitely",
    ),
    "regret": (
        lambda: games.regret(games.MATCHING_PENNIES, [0], [0, 1]),
        "rows, columns",
    ),
    "zero rounds": (lambda: play(experts.FollowTheLeader(2), []), "rounds: .*none"),
    "no stream": (lambda: list(streams.every_stream(2, 0)), "rounds: .*0"),
    "too many": (lambda: list(streams.every_stream(9, 9)), "n, rounds: .*22 bits"),
    "error rate": (
        lambda: list(streams.random_advice(np.random.default_rng(0), 1, 2, error=2)),
        "error: .*2",
    ),
    "margin": (
        lambda: list(streams.separable(np.random.default_rng(0), 1, [1], gamma=1)),
        "gamma: .*1",
    ),
    "horizon": (
        lambda: exact.experts_worst_case(experts.FollowTheLeader(2), 0),
        "horizon: .*0",
    ),
    "coins": (
        lambda: exact.experts_worst_case(
            experts.RandomizedWeightedMajority(
                2, beta=0.5, rng=np.random.default_rng(0)
            ),
            3,
        ),
        "learner: ",
    ),
    "points": (lambda: exact.every_class_measures(5), "points: .*4.*5"),
    "masked advice": (
        lambda: experts.FollowTheLeader(2).predict(np.ma.array([0, 1], mask=[1, 0])),
        "x: .*masked",
    ),
    "ragged advice": (
        lambda: experts.FollowTheLeader(2).predict([[0, 1], [0]]),
        "x: .*unequal",
    ),
    "batch of y": (
        lambda: experts.FollowTheLeader(2).update(np.eye(2), [0, 1, 0], 0),
        r"y: .*\(2,\).*\(3,\)",
    ),
    "batch of x": (
        lambda: play(linear.Perceptron(1), [(np.ones((n, 1)), 1) for n in (2, 3)]),
        r"x: .*\(2, 1\).*\(3, 1\)",
    ),
    "y_hat of winnow": (lambda: linear.Winnow(1).update([1], 1, 0.5), "y_hat: .*0.5"),
    "y_hat missing": (lambda: linear.Perceptron(1).update([1], 1, None), "y_hat: .*No"),
    "y_hat shape": (
        lambda: concepts.Elimination(CLASS).update(0, 1, [0, 1]),
        r"y_hat: .*\(\).*\(2,\)",
    ),
    "tie array": (
        lambda: experts.WeightedMajority(2, beta=0.5, tie=np.array([0, 1])),
        "tie: .*array",
    ),
    "complex": (lambda: linear.Perceptron(1).predict([1j]), "x: .*complex"),
    "object nan": (
        lambda: linear.Perceptron(2).predict(np.array([Fraction(1), NAN], object)),
        "x: .*nan",
    ),
    "object None": (lambda: linear.Perceptron(2).predict([None, 1]), "x: .*None"),
    "threshold beyond floats": (
        lambda: linear.Winnow(2, threshold=10**400),
        "threshold: .*10000",
    ),
    "grid nan": (lambda: linear.GridHalving([[NAN]]), "W: .*nan"),
    "ogd y": (
        lambda: linear.OnlineGradientDescent(1, rate=1).update([1], None, 0),
        "y: .*None",
    ),
    "payoff nan": (lambda: games.game([[1, NAN]]), "A: .*nan"),
    "payoff text": (lambda: games.game([["a"]]), "A: .*text"),
    "no mixed strategy": (
        lambda: games.is_nash(games.MATCHING_PENNIES, [0, 0], [0, 1]),
        "p: .*sum 1",
    ),
    "action": (
        lambda: games.regret(games.MATCHING_PENNIES, [-1], [0]),
        "rows: .*0 to 1",
    ),
    "utility": (lambda: games.exponential_weights([NAN, 1], 1), "utilities: .*nan"),
    "error nan": (
        lambda: list(streams.random_advice(np.random.default_rng(0), 1, 2, error=NAN)),
        "error: .*nan",
    ),
    "errors": (
        lambda: list(
            streams.random_advice(np.random.default_rng(0), 1, 1, error=[0, 1])
        ),
        "error: .*each expert",
    ),
    "no separator": (
        lambda: list(streams.separable(np.random.default_rng(0), 1, [0], gamma=0.1)),
        "u: .*other than 0",
    ),
    "relevant": (
        lambda: list(streams.disjunction(np.random.default_rng(0), 1, 2, [-1])),
        "relevant: .*0 to 1",
    ),
    "label": (lambda: exact.winnow_worst_case(2, 1, label=7), "label: .*7"),
    "errs forever": (
        lambda: exact.winnow_worst_case(2, 0, threshold=0, demote="divide"),
        "options: .*stops erring",
    ),
    "short y": (
        lambda: exact.perceptron_worst_case([[1, 0], [0, 1]], [1]),
        r"y: .*2.*\(1,\)",
    ),
    "winnow k": (lambda: exact.winnow_worst_case(2, 3), "k: .*2.*3"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_input(name):
    call, message = BAD[name]
    with pytest.raises(ValueError, match=message):
        call()


def test_a_misspelled_option_is_not_swallowed():
    with pytest.raises(TypeError, match="lasy"):
        experts.WeightedMajority(2, beta=0.5, lasy=True)
    with pytest.raises(TypeError, match="tresh"):
        exact.winnow_worst_case(2, 1, tresh=3)


def test_a_single_expert_is_followed():
    rounds = [([0], 1), ([1], 1), ([0], 0)]
    for learner in (
        experts.WeightedMajority(1, beta=0.5),
        experts.RandomizedWeightedMajority(1, beta=Fraction(1, 2)),
        experts.AggregatingAlgorithm(1, beta=0.5),
        experts.FollowTheLeader(1),
    ):
        assert play(learner, rounds).predictions.tolist() == [0, 1, 0]


def test_beta_zero_is_the_limit():
    """All weight on the experts with the fewest mistakes, even if all have erred."""
    learner = experts.RandomizedWeightedMajority(3, beta=0)
    learner.update([1, 0, 0], 1, 0)
    assert learner.weights.tolist() == [1, 0, 0]
    learner.update([0, 1, 0], 1, 0)
    assert learner.weights.tolist() == [1, 1, 0]


def test_an_empty_version_space_votes_a_tie():
    learner = concepts.Halving([[0, 0]], tie=1)
    learner.update(0, 1, 0)
    assert learner.predict(1) == 1


def test_bad_input_leaves_the_learner_as_it_was():
    learner = experts.WeightedMajority(2, beta=0.5)
    with pytest.raises(ValueError, match="y: "):
        learner.update([0, 1], 7, 0)
    assert learner.counts.tolist() == [0, 0]
    ogd = linear.OnlineGradientDescent(1, rate=0.5)
    with pytest.raises(ValueError, match="x: "):
        ogd.update([NAN], 1.0, 0.0)
    assert ogd.t == 0


def test_small_and_large_integers_do_not_wrap_around():
    learner = linear.PassiveAggressive(1)
    learner.update(np.array([16], dtype=np.uint8), 1, 0)
    assert learner.w.tolist() == [1 / 16]
    perceptron = linear.Perceptron(1)
    perceptron.update([2**32], 1, 0)
    assert perceptron.predict([2**32]) == 1
    assert games.game(np.array([[1, 0]], dtype=np.uint8)).B.tolist() == [[-1, 0]]
    beta = Fraction(np.int64(1), np.int64(3))
    learner = experts.RandomizedWeightedMajority(2, beta=beta)
    learner.counts = np.array([0, 80])
    assert learner.predict([0, 1]) == Fraction(1, 3**80 + 1)


def test_numpy_counts_are_counts():
    assert classes.thresholds(np.uint8(255)).shape == (256, 255)
    assert len(classes.intervals(np.uint8(255))) == 255 * 128 + 1
    size = margins.lecture_grid_size(1, 1, 0.01, 12)
    assert margins.lecture_grid_size(1, 1, 0.01, np.int64(12)) == size
    mean = exact.expected_best(8, 10)
    assert exact.expected_best(np.int64(8), np.int64(10)) == mean


def test_a_beta_that_rounds_to_1():
    beta = 1 - Fraction(1, 10**20)
    assert experts.improved_curve(0.25, beta) == pytest.approx(0.25)
    assert experts.tuned_beta(2, Fraction(1, 10**400)) == 0
