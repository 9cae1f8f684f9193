"""A library for hasty hands: the right value, or one clear error.

Every public function and learner is called once rightly, and then with each argument
replaced by values that make no sense: what comes is a ValueError that begins with the
argument's name, or a value without NaN.
"""

import copy
import functools
import pickle
import warnings
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
import scipy.sparse

from olutil import (
    Run,
    check,
    classes,
    concepts,
    dimension,
    exact,
    experts,
    fast,
    games,
    linear,
    margins,
    play,
    streams,
)

NAN = float("nan")
CLASS = [[0, 1], [1, 1]]
PENNIES = games.MATCHING_PENNIES


def rng():
    return np.random.default_rng(0)


def first(generator, **arguments):
    return next(iter(generator(**arguments)), None)


def a_round(learner, *, x, y, y_hat):
    learner = learner()
    says = learner.predict(x)
    learner.update(x, y, y_hat)
    return says


ROUND = {"x": [0, 1], "y": 1, "y_hat": 0}
POINT = {"x": 0, "y": 1, "y_hat": 0}
of = functools.partial
LEARNERS = {
    "weighted majority": (of(experts.WeightedMajority, 2, beta=0.5, lazy=True), ROUND),
    "randomized": (of(experts.RandomizedWeightedMajority, 2, beta=0.5), ROUND),
    "aggregating": (of(experts.AggregatingAlgorithm, 2, beta=0.5), ROUND),
    "leader": (of(experts.FollowTheLeader, 2), ROUND),
    "halving": (of(concepts.Halving, CLASS, lazy=True), POINT),
    "standard optimal": (of(concepts.StandardOptimal, CLASS), POINT),
    "elimination": (of(concepts.Elimination, CLASS), POINT),
    "perceptron": (of(linear.Perceptron, 2), ROUND),
    "passive-aggressive": (of(linear.PassiveAggressive, 2), ROUND),
    "winnow": (of(linear.Winnow, 2), ROUND),
    "gradient descent": (of(linear.OnlineGradientDescent, 2, rate=0.1), ROUND),
    "grid": (of(linear.GridHalving, [[1, 2], [2, 1]]), ROUND),
    "ellipsoid": (of(linear.EllipsoidHalving, 2), ROUND),
    "exponential": (
        of(games.ExponentialWeights, 2, lam=0.1), {"x": None, "y": [1, 2], "y_hat": 0}
    ),
}  # fmt: skip

# A call that is right, and what its errors may name instead of an argument of its own.
CALLS = {
    **{f"{name}, a round": (of(a_round, *learner[:1]), learner[1])
       for name, learner in LEARNERS.items()},
    "WeightedMajority": (
        experts.WeightedMajority, {"n": 2, "beta": 0.5, "tie": 0, "lazy": False}),
    "eta": (experts.RandomizedWeightedMajority, {"n": 2, "eta": 0.5}),
    "draws": (experts.RandomizedWeightedMajority,
              {"n": 2, "beta": 0.5, "rng": rng(), "draw": "vote"}),
    "improved_curve": (experts.improved_curve, {"r": 0.3, "beta": 0.5}),
    "tuned_beta": (experts.tuned_beta, {"n": 2, "best": 3}),
    "improved_beta": (experts.improved_beta, {"n": 2, "best": 3}),
    "Halving": (concepts.Halving, {"C": CLASS, "tie": 1, "lazy": False}),
    "StandardOptimal": (concepts.StandardOptimal, {"C": CLASS, "tie": 1}),
    "Elimination": (concepts.Elimination, {"C": CLASS}),
    "littlestone_dimension": (dimension.littlestone_dimension, {"C": CLASS}),
    "vc_dimension": (dimension.vc_dimension, {"C": CLASS}),
    "mistake_tree": (dimension.mistake_tree, {"C": CLASS}),
    "verify_tree": (dimension.verify_tree,
                    {"C": CLASS, "tree": dimension.Node(0, 0, 1)}),
    "Perceptron": (linear.Perceptron, {"d": 2, "zero": 0}),
    "Winnow": (
        linear.Winnow, {"d": 2, "threshold": 1, "factor": 2, "demote": "divide"}),
    "OnlineGradientDescent": (linear.OnlineGradientDescent, {"d": 2, "rate": 0.1}),
    "GridHalving": (linear.GridHalving, {"W": [[1, 2.0]]}),
    "EllipsoidHalving": (linear.EllipsoidHalving, {"d": 2, "radius": 1, "zero": 0}),
    "literals": (margins.literals, {"x": [0, 1]}),
    "term_features": (margins.term_features, {"x": [0, 1], "k": 1}),
    "margin": (margins.margin, {"X": [[1, 0], [0, 1]], "y": [1, 1]}),
    "hull_weights": (margins.hull_weights, {"V": [[1, 0], [0, 1.0]]}),
    "weight_grid": (margins.weight_grid, {"radius": 1, "norm": 1, "gamma": 1, "d": 1}),
    "lecture_grid_size": (
        margins.lecture_grid_size, {"radius": 1, "norm": 1, "gamma": 1, "d": 1}),
    "game": (games.game, {"A": [[1, 2]], "B": [[1, 2]]}),
    "best_response": (games.best_response, {"payoffs": [[1, 2]], "belief": [1, 2]}),
    "is_nash": (games.is_nash, {"game": PENNIES, "p": [0.5, 0.5], "q": [0.5, 0.5]}),
    "nash_2x2": (games.nash_2x2, {"game": PENNIES}),
    "fictitious_play": (of(first, games.fictitious_play),
                        {"game": PENNIES, "kappa_1": [1, 2], "kappa_2": [1, 2]}),
    "fictitious_runs": (of(first, games.fictitious_runs),
                        {"game": PENNIES, "kappa_1": [1, 2], "kappa_2": [1, 2]}),
    "smooth_response": (games.smooth_response, {"rng": rng(), "lam": 0.1}),
    "exponential_weights": (
        games.exponential_weights, {"utilities": [1.0, 2], "lam": 0.1}),
    "ExponentialWeights": (games.ExponentialWeights, {"n": 2, "lam": 0.1, "batch": ()}),
    "regret": (games.regret, {"game": PENNIES, "rows": [0], "columns": [1]}),
    "fictitious_play_counts": (
        fast.fictitious_play_counts,
        {"game": PENNIES, "kappa_1": [1, 2], "kappa_2": [1, 2], "rounds": 5}),
    "randomized_mistakes": (fast.randomized_mistakes,
                            {"advice": [[0, 1]], "outcomes": [1], "beta": 0.5}),
    "majority_mistakes": (fast.majority_mistakes,
                          {"advice": [[0, 1]], "outcomes": [1], "beta": 0.5, "tie": 0}),
    "perceptron": (
        fast.perceptron, {"X": [[1.0, 2]], "y": [1], "epochs": 1, "zero": 0}),
    "sparse_perceptron": (
        fast.sparse_perceptron,
        {"indptr": [0, 1], "indices": [0], "data": [1.0], "y": [1], "d": 2, "zero": 0}),
    "winnow": (fast.winnow, {"X": [[1, 0]], "y": [1], "threshold": 1, "factor": 2,
                             "demote": "divide", "epochs": 1}),
    "concept_sets": (fast.concept_sets, {"C": CLASS}),
    "halving": (fast.halving, {"sets": fast.concept_sets(CLASS), "concepts": 2,
                               "points": [0], "y": [1], "tie": 1}),
    **{each.__name__: (each, {"points": 2}) for each in (
        classes.all_functions, classes.singletons, classes.thresholds,
        classes.intervals, exact.every_class_measures)},
    **{each.__name__: (each, {"d": 2})
       for each in (classes.cube, classes.parities, classes.halfspaces)},
    "monotone_disjunctions": (classes.monotone_disjunctions, {"d": 2, "k": 1}),
    "disjunction_count": (classes.disjunction_count, {"d": 2, "k": 1}),
    "conjunctions": (classes.conjunctions, {"d": 2, "negation": True}),
    "terms": (classes.terms, {"n": 2, "k": 1}),
    "every_class": (of(first, classes.every_class), {"points": 2}),
    "every_stream": (of(first, streams.every_stream), {"n": 1, "rounds": 2}),
    "random_advice": (
        of(first, streams.random_advice),
        {"rng": rng(), "rounds": 2, "n": 2, "batch": (), "error": 0.5}),
    "opposites": (of(first, streams.opposites), {"rounds": 2}),
    "halving_advice": (of(first, streams.halving_advice), {"n": 2}),
    "one_at_a_time": (of(first, streams.one_at_a_time), {"n": 2, "rounds": 2}),
    "descend": (of(first, streams.descend, learner=concepts.Halving(CLASS)),
                {"tree": dimension.Node(0, 0, 1)}),
    "every_sequence": (of(first, streams.every_sequence),
                       {"target": [0, 1], "rounds": 2}),
    "separable": (of(first, streams.separable),
                  {"rng": rng(), "rounds": 2, "u": [1, 0], "gamma": 0.1, "batch": ()}),
    "unit_vectors": (of(first, streams.unit_vectors), {"d": 2, "repeats": 1}),
    "disjunction": (
        of(first, streams.disjunction),
        {"rng": rng(), "rounds": 2, "d": 2, "relevant": [0], "active": 0.5,
         "batch": ()}),
    "sign_patterns": (streams.sign_patterns, {"m": 2}),
    "experts_worst_case": (
        of(exact.experts_worst_case, experts.FollowTheLeader(2)),
        {"horizon": 2, "symmetric": False}),
    "expected_best": (exact.expected_best, {"n": 2, "rounds": 2}),
    "experts_minimax": (exact.experts_minimax, {"n": 2, "best": 1}),
    "experts_minimax_horizon": (
        exact.experts_minimax_horizon, {"n": 2, "horizon": 2}),
    "comb_regret": (exact.comb_regret, {"n": 2, "horizon": 2}),
    "halving_worst_case": (
        exact.halving_worst_case, {"C": CLASS, "tie": 1, "lazy": False}),
    "elimination_worst_case": (exact.elimination_worst_case, {"C": CLASS}),
    "winnow_worst_case": (exact.winnow_worst_case, {"d": 2, "k": 1, "label": 1}),
    "check": (of(check, "kak-thm2.2", how="exact", size=[2]),
              {"observed": [1], "trivial": 9}),
}  # fmt: skip

NONSENSE = {
    "text": "x", "'False'": "False", "nan": NAN, "Decimal": Decimal("0.5"),
    "object": object(), "ragged": [[1], [1, 2]], "complex": 1j, "dict": {},
    "sparse": scipy.sparse.csr_matrix([[0, 1]]), "function": lambda *_: NAN,
    "dates": np.array(["2020-01-01", "2020-01-02"], dtype="M8[D]"),
    "missing": np.array([1, None]), "names": ["height", "width"],
}  # fmt: skip
# What a learner does not look at, and what may be left out or be a function.
FREE = {
    ("exponential, a round", "x"), ("OnlineGradientDescent", "rate", "function"),
    *((f"{name}, a round", "y_hat") for name in LEARNERS),
}  # fmt: skip
# What a message may name: the argument, or that of the table or the number behind it.
ALSO = {"d", "A", "A, B", "tree"}


@pytest.mark.parametrize("name", CALLS)
def test_the_call_is_right(name):
    call, arguments = CALLS[name]
    call(**arguments)


@pytest.mark.parametrize("nonsense", NONSENSE)
@pytest.mark.parametrize("name", CALLS)
def test_nonsense_is_an_error_that_names_the_argument(name, nonsense):
    call, arguments = CALLS[name]
    for argument in arguments:
        if FREE & {(name, argument), (name, argument, nonsense)}:
            continue
        bad = {**arguments, argument: NONSENSE[nonsense]}
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            with pytest.raises(ValueError) as raised:
                call(**bad)
        named = str(raised.value).removeprefix("kak-thm2.2: ").split(":")[0]
        assert argument in named.split(", ") or named in ALSO, str(raised.value)


EXTREME = [-1, 0, True, 0.5, 1e308, -1e308, 5e-324, 10**400, float("inf"),
           [], [1, 2, 3], np.ones((3, 3)), [1e308, -1e308], [5e-324, 0],
           Fraction(1, 10**400), 2**63]  # fmt: skip
SLOW = {"rounds", "horizon", "epochs", "repeats", "n", "d", "m", "points", "best", "k"}


@pytest.mark.parametrize("name", CALLS)
def test_extreme_numbers_are_an_error_or_leave_no_nan(name):
    call, arguments = CALLS[name]
    for argument in arguments:
        for value in EXTREME:
            if argument in SLOW and isinstance(value, int) and value > 100:
                continue
            try:
                with np.errstate(all="ignore"):
                    result = call(**{**arguments, argument: value})
            except (ValueError, TypeError, AssertionError):
                continue
            for part in result if isinstance(result, tuple) else (result,):
                if isinstance(part, float | np.floating | np.ndarray):
                    assert not np.any(np.not_equal(part, part)), (argument, value)


# ---------------------------------------------------------------- single findings


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: experts.WeightedMajority(2, eta=1e-20), r"eta: .*1 - eta.*1e-20"),
        (lambda: dimension.verify_tree(CLASS, None), "leaf: .*0 to 1, got None"),
        (lambda: dimension.verify_tree(CLASS, (0, 0, 1)), r"leaf: .*\(0, 0, 1\)"),
        (lambda: dimension.verify_tree(CLASS, [0, 0, 1]), r"leaf: .*\[0, 0, 1\]"),
        (lambda: dimension.verify_tree(CLASS, dimension.Node(0, 0, 99)), "leaf: .*99"),
        (lambda: dimension.verify_tree(CLASS, dimension.Node(-1, 0, 1)), "point: .*-1"),
        (lambda: dimension.verify_tree(CLASS, True), "leaf: .*True"),
        (lambda: classes.disjunction_count(3, -1), "k: .*0 to 3, got -1"),
        (lambda: classes.disjunction_count(3, 4), "k: .*0 to 3, got 4"),
        (lambda: check("kak-thm2.2", -5, how="exact", trivial=9, size=4),
         "observed: .*at least 0 mistakes, got .*-5"),
        (lambda: check("kak-thm2.2", 1, how="exact", trivial="x", size=4), "trivial: "),
        (lambda: check("kak-thm2.2", 1, how="exact", trivial=NAN, size=4), "trivial: "),
        (lambda: margins.hull_weights([]), "V: .*rows"),
        (lambda: margins.hull_weights([[NAN, 1]]), "V: .*nan"),
        (lambda: games.nash_2x2((1, 2, 3)), r"game: .*game\(A, B\).*\(1, 2, 3\)"),
        (lambda: first(streams.random_advice, rng=0, rounds=1, n=1), "rng: .*got 0"),
        (lambda: linear.Perceptron(1).predict([Decimal(1)]), "x: .*Fraction.*Decimal"),
        (lambda: linear.OnlineGradientDescent(1, rate=Decimal(1)), "rate: .*Fraction"),
        (lambda: margins.lecture_grid_size(1e300, 1e300, 1, 1), "radius, norm, gamma"),
        (lambda: linear.Perceptron(2).predict(scipy.sparse.csr_array([[0, 1]])),
         "x: .*toarray"),
    ],
)  # fmt: skip
def test_unclear_or_silent_before(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_one_number_stands_for_an_axis_or_a_feature():
    x, y = first(streams.random_advice, rng=rng(), rounds=1, n=2, batch=3)
    assert (x.shape, y.shape) == ((3, 2), (3,))
    assert games.ExponentialWeights(2, lam=1, batch=3).predict().shape == (3, 2)
    assert margins.literals(1).tolist() == [1, 0]
    assert margins.term_features(1, 2).tolist() == [1, 0]


def test_a_transcript_of_lists():
    run = Run([[0, 1], [1, 1]], [0, 1], [1, 1])
    assert (run.losses.tolist(), run.mistakes, run.rounds) == ([1, 0], 1, 2)


def test_a_rate_of_mistakes_that_no_float_holds():
    assert experts.improved_beta(2, Fraction(1, 10**320)) == 0
    assert experts.improved_beta(10**9, 1e-300) == pytest.approx(0)


def scrambled(array):
    """The same array, after its owner has changed it."""
    array[...] = 1 - array
    return array


@pytest.mark.parametrize("kind", [int, float, np.int8, bool, object])
def test_no_learner_shares_a_table_with_its_caller(kind):
    table = np.array([[0, 1, 1], [1, 0, 1], [1, 1, 1]]).astype(kind)
    for make in (concepts.Halving, concepts.StandardOptimal, concepts.Elimination,
                 *([] if kind is bool else [linear.GridHalving])):  # fmt: skip
        mine = table.copy()
        learner, other = make(mine), make(table)
        mine[...] = 0
        point = [1, -2, 1] if make is linear.GridHalving else 0
        for _ in range(3):
            assert learner.predict(point) == other.predict(point)
            label = other.predict(point)
            learner.update(point, label, label)
            other.update(point, label, label)
    payoffs = np.array([[1, -1], [-1, 1]]).astype(kind)
    pennies = games.game(payoffs, payoffs)
    before = [matrix.tolist() for matrix in pennies]
    payoffs[...] = 0
    assert [matrix.tolist() for matrix in pennies] == before


@pytest.mark.parametrize("name", LEARNERS)
def test_no_learner_shares_a_round_with_its_caller(name):
    make, round = LEARNERS[name]
    learner, other = make(), make()
    x, y = (np.array(round[key]) for key in "xy")
    for _ in range(3):
        says = learner.predict(x), other.predict(round["x"])
        assert np.array_equal(*says)
        mine = [np.array(v) for v in (x, y, round["y_hat"])]
        learner.update(*mine)
        other.update(*round.values())
        for array in mine:
            if array.dtype != object:
                array[...] = 0


@pytest.mark.parametrize("rounds", [
    np.ones((3, 3)), (np.ones((3, 2)), np.ones(3)), {1: 2}, [[1, 0], [0, 1]], 3, None,
    "ab", [([1, 0],)],
])  # fmt: skip
def test_rounds_that_are_none_are_one_clear_error(rounds):
    with pytest.raises(ValueError, match="^(rounds: expected|x: expected)"):
        play(linear.Perceptron(2), rounds)


@pytest.mark.parametrize("learner", [linear.Perceptron, None, 3])
def test_a_learner_that_is_none_is_one_clear_error(learner):
    with pytest.raises(ValueError, match="^learner: expected an object that predicts"):
        play(learner, [([1, 0], 1)])


def test_a_stream_that_has_been_played_says_so():
    rounds = zip([[1, 0], [0, 1]], [1, -1], strict=True)
    assert play(linear.Perceptron(2), rounds).mistakes
    with pytest.raises(ValueError, match="^rounds: expected at least one round"):
        play(linear.Perceptron(2), rounds)


def test_the_ellipsoid_takes_fractions_as_the_floats_that_they_are():
    one, other = linear.EllipsoidHalving(2), linear.EllipsoidHalving(2)
    for x, y in (([1, -3], 1), ([2, 5], -1), ([-1, 4], 1)):
        halves = [Fraction(v, 2) for v in x]
        says = one.predict(halves)
        assert says == other.predict([v / 2 for v in x])
        one.update(halves, y, says)
        other.update([v / 2 for v in x], y, says)
    assert np.array_equal(one.center, other.center)


@pytest.mark.parametrize("name", LEARNERS)
def test_to_predict_changes_nothing_and_a_copy_goes_on_as_the_original(name):
    make, _ = LEARNERS[name]
    if name == "exponential":
        draw = [(None, pair, 0) for pair in rng().random((12, 2))]
    elif name in ("halving", "standard optimal", "elimination"):
        draw = [(int(x), 1, 0) for x in rng().integers(0, 2, 12)]
    else:
        draw = [(x, 1, 0) for x in rng().integers(0, 2, (12, 2))]
    said = []
    for ask, copies in ((1, copy.deepcopy), (3, lambda one: one), (1, pickled)):
        learner, heard = make(), []
        for x, y, _ in draw:
            heard.append([np.array(learner.predict(x)).tolist()])
            for _ in range(ask):
                learner.predict(x)
            learner.update(x, y, learner.predict(x))
            learner = copies(learner)
        said.append(heard)
    assert said[0] == said[1] == said[2]


def pickled(learner):
    return pickle.loads(pickle.dumps(learner))


class Frame:
    """What `play` sees of a data frame of pandas or polars."""

    columns = ("height", "width")

    def __iter__(self):
        return iter(self.columns)

    def to_numpy(self):
        return np.array([[1.0, 2.0], [2.0, 1.0]])


def test_a_data_frame_is_one_clear_error_and_its_numbers_work():
    frame, y = Frame(), [1, -1]
    with pytest.raises(ValueError, match=r"rounds: .*zip\(frame.to_numpy.*got 'Frame'"):
        play(linear.Perceptron(2), frame)
    with pytest.raises(ValueError, match="x: .*names: hand over .to_numpy"):
        play(linear.Perceptron(2), zip(frame, y, strict=True))
    assert play(linear.Perceptron(2), zip(frame.to_numpy(), y, strict=True)).mistakes


def test_sparse_rows_are_one_clear_error():
    X, y = scipy.sparse.csr_matrix([[0, 1.0], [1, 0]]), [1, -1]
    for name in ("perceptron", "passive-aggressive", "gradient descent", "winnow",
                 "ellipsoid", "grid", "leader"):  # fmt: skip
        learner = LEARNERS[name][0]()
        with pytest.raises(ValueError, match=r"x: .*toarray"):
            play(learner, zip(X, y, strict=True))
    with pytest.raises(ValueError, match=r"X: .*toarray"):
        fast.perceptron(X, y)
    dense = play(linear.Perceptron(2), zip(X.toarray(), y, strict=True))
    quick = fast.sparse_perceptron(X.indptr, X.indices, X.data, y, 2)
    assert dense.mistakes == len(quick.mistakes)
