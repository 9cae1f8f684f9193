"""Every learner equals its naive twin, and a batch equals its single runs."""

from fractions import Fraction

import numpy as np
import pytest
import twins
from hypothesis import given
from hypothesis import strategies as st

from olutil import play
from olutil._exact_sums import powers
from olutil.concepts import Elimination, Halving, StandardOptimal
from olutil.dimension import littlestone_dimension
from olutil.exact import halving_worst_case
from olutil.experts import (
    AggregatingAlgorithm,
    FollowTheLeader,
    RandomizedWeightedMajority,
    WeightedMajority,
)
from olutil.games import best_response, fictitious_play, game
from olutil.linear import (
    EllipsoidHalving,
    GridHalving,
    OnlineGradientDescent,
    PassiveAggressive,
    Perceptron,
    Winnow,
)
from olutil.margins import hull_weights, weight_grid
from olutil.streams import random_advice

BITS = st.integers(0, 1)
BETAS = st.fractions(Fraction(1, 16), Fraction(15, 16), max_denominator=16)


def rounds_of(width, values=BITS, labels=BITS, most=12):
    """Strategies for streams: lists of (x, y)."""
    x = st.lists(values, min_size=width, max_size=width)
    return st.lists(st.tuples(x, labels), min_size=1, max_size=most)


def streams_of(values=BITS, labels=BITS, least=1, most=5):
    return st.integers(least, most).flatmap(
        lambda n: st.tuples(st.just(n), rounds_of(n, values, labels))
    )


def agree(learner, twin, rounds, *, exact=True):
    run = play(learner, rounds)
    predictions, loss = twins.play(twin, rounds)
    if exact:
        assert run.predictions.tolist() == predictions
        assert run.mistakes == loss
    else:
        assert run.predictions.tolist() == pytest.approx(predictions, abs=1e-9)
        assert float(run.mistakes) == pytest.approx(float(loss), abs=1e-9)


@given(streams_of(), BETAS, BITS, st.booleans())
def test_weighted_majority(stream, beta, tie, lazy):
    n, rounds = stream
    agree(
        WeightedMajority(n, beta=beta, tie=tie, lazy=lazy),
        twins.WeightedMajority(n, beta, tie, lazy),
        rounds,
    )


@given(streams_of(), BETAS)
def test_eta_is_one_minus_beta(stream, beta):
    n, rounds = stream
    agree(WeightedMajority(n, eta=1 - beta), twins.WeightedMajority(n, beta), rounds)


@given(streams_of(), BETAS)
def test_randomized_weighted_majority(stream, beta):
    n, rounds = stream
    agree(
        RandomizedWeightedMajority(n, beta=beta),
        twins.RandomizedWeightedMajority(n, beta),
        rounds,
    )


@given(streams_of(), BETAS)
def test_aggregating_algorithm(stream, beta):
    n, rounds = stream
    agree(
        AggregatingAlgorithm(n, beta=float(beta)),
        twins.AggregatingAlgorithm(n, beta),
        rounds,
        exact=False,
    )


@given(streams_of())
def test_follow_the_leader(stream):
    n, rounds = stream
    agree(FollowTheLeader(n), twins.FollowTheLeader(n), rounds)


TABLES = st.integers(1, 4).flatmap(
    lambda m: st.tuples(
        st.lists(st.lists(BITS, min_size=m, max_size=m), min_size=1, max_size=8),
        st.lists(st.tuples(st.integers(0, m - 1), BITS), min_size=1, max_size=8),
    )
)


@given(TABLES, BITS, st.booleans())
def test_halving(case, tie, lazy):
    C, rounds = case
    agree(Halving(C, tie=tie, lazy=lazy), twins.Halving(C, tie, lazy), rounds)


@given(TABLES, BITS)
def test_standard_optimal(case, tie):
    C, rounds = case
    agree(StandardOptimal(C, tie=tie), twins.StandardOptimal(C, tie), rounds)


@given(TABLES)
def test_elimination(case):
    C, rounds = case
    agree(Elimination(C), twins.Elimination(C), rounds)


@given(TABLES)
def test_littlestone_dimension(case):
    C, _ = case
    assert littlestone_dimension(C) == twins.opt(tuple(c) for c in C)


@given(TABLES, BITS, st.booleans())
def test_halving_worst_case_is_what_some_sequence_reaches(case, tie, lazy):
    """Search every sequence of the twin for its worst case, by depth-first play."""
    C, _ = case
    C = sorted({tuple(c) for c in C})[:5]

    def most(V, target):
        worst = 0
        for x in range(len(target)):
            twin = twins.Halving(V, tie, lazy)
            y_hat, y = twin.predict(x), target[x]
            twin.update(x, y, y_hat)
            if len(twin.V) < len(V):
                worst = max(worst, (y_hat != y) + most(twin.V, target))
            else:
                worst = max(worst, int(y_hat != y))
        return worst

    brute = max(most(C, target) for target in C)
    assert halving_worst_case(C, tie=tie, lazy=lazy) == brute


SMALL = st.integers(-3, 3)
SIGN = st.sampled_from([-1, 1])


@given(streams_of(SMALL, SIGN), st.sampled_from([0, 1, -1]))
def test_perceptron(stream, zero):
    d, rounds = stream
    agree(Perceptron(d, zero=zero), twins.Perceptron(d, zero), rounds)


@given(streams_of(SMALL, SIGN))
def test_passive_aggressive(stream):
    d, rounds = stream
    learner, twin = PassiveAggressive(d), twins.PassiveAggressive(d)
    # Signs of numbers that are 0 but for rounding are nobody's: compare the weights.
    for x, y in rounds:
        learner.update(x, y, learner.predict(x))
        twin.update(x, y, twin.predict(x))
        assert learner.w.tolist() == pytest.approx(twin.w, abs=1e-9)


@given(streams_of())
def test_winnow_1(stream):
    d, rounds = stream
    agree(Winnow(d), twins.Winnow1(d), rounds)
    agree(Winnow(d, factor=Fraction(2)), twins.Winnow1(d), rounds)


@given(streams_of(), st.fractions(Fraction(1, 8), 2, max_denominator=8))
def test_winnow_2(stream, beta):
    d, rounds = stream
    learner = Winnow(d, threshold=d, factor=1 + beta, demote="divide")
    twin = twins.Winnow2(d, beta)
    agree(learner, twin, rounds)
    assert learner.weights.tolist() == twin.w


@given(streams_of(SMALL, SMALL), st.sampled_from([0.25, lambda t: 0.5 / t]))
def test_online_gradient_descent(stream, rate):
    d, rounds = stream
    twin_rate = rate if callable(rate) else lambda t: rate
    agree(
        OnlineGradientDescent(d, rate=rate),
        twins.OnlineGradientDescent(d, twin_rate),
        rounds,
        exact=False,
    )


@given(streams_of(SMALL, SIGN, most=2))
def test_grid_halving(stream):
    d, rounds = stream
    W = weight_grid(1, 1, 1, d)
    agree(GridHalving(W), twins.GridHalving(W.tolist()), rounds)


@given(streams_of(SMALL, SIGN, least=2, most=4))
def test_ellipsoid_halving(stream):
    d, rounds = stream
    learner, twin = EllipsoidHalving(d, radius=3), twins.EllipsoidHalving(d, 3)
    for x, y in rounds:
        y_hat = learner.predict(x)
        learner.update(x, y, y_hat)
        twin.update(x, y, y_hat)
        assert learner.center.tolist() == pytest.approx(twin.c, abs=1e-6)


@given(
    st.integers(1, 3).flatmap(
        lambda m: st.lists(
            st.lists(SMALL, min_size=3, max_size=3), min_size=2 * m, max_size=2 * m
        )
    )
)
def test_fictitious_play(rows):
    half = len(rows) // 2
    A, B = rows[:half], rows[half:]
    kappa_1, kappa_2 = [1, 2, 1], [1] * half
    beats = fictitious_play(game(A, B), kappa_1, kappa_2)
    actions = [(b.row, b.column) for b, _ in zip(beats, range(30), strict=False)]
    assert actions == twins.fictitious_play(A, B, kappa_1, kappa_2, 30)


@given(st.lists(SMALL, min_size=6, max_size=6))
def test_best_response_takes_the_first_of_equals(values):
    payoffs = np.reshape(values, (3, 2))
    scores = payoffs.sum(axis=1).tolist()
    assert best_response(payoffs, [1, 1]) == scores.index(max(scores))


# ---------------------------------------------------------------- batches

B, T = 7, 15


def _bits(rng, *shape):
    return rng.integers(0, 2, size=shape)


def _signs(rng, *shape):
    return 2 * rng.integers(0, 2, size=shape) - 1


CONCEPTS = np.array(
    [[0, 0, 1, 1], [0, 1, 0, 1], [1, 1, 0, 0], [1, 0, 1, 1], [0, 0, 0, 0]]
)
POINTS = "points"
BATCHED = {
    "WeightedMajority": (lambda: WeightedMajority(3, beta=0.5), _bits, 3),
    "WeightedMajority lazy": (
        lambda: WeightedMajority(3, beta=0.5, lazy=True),
        _bits,
        3,
    ),
    "RandomizedWeightedMajority": (
        lambda: RandomizedWeightedMajority(3, beta=Fraction(1, 3)),
        _bits,
        3,
    ),
    "AggregatingAlgorithm": (lambda: AggregatingAlgorithm(3, beta=0.5), _bits, 3),
    "FollowTheLeader": (lambda: FollowTheLeader(3), _bits, 3),
    "Halving": (lambda: Halving(CONCEPTS), _bits, POINTS),
    "Halving lazy": (lambda: Halving(CONCEPTS, lazy=True), _bits, POINTS),
    "StandardOptimal": (lambda: StandardOptimal(CONCEPTS), _bits, POINTS),
    "Elimination": (lambda: Elimination(CONCEPTS), _bits, POINTS),
    "Perceptron": (lambda: Perceptron(3), _signs, 3),
    "PassiveAggressive": (lambda: PassiveAggressive(3), _signs, 3),
    "Winnow": (lambda: Winnow(3), _bits, 3),
    "Winnow 2": (lambda: Winnow(3, threshold=3, demote="divide"), _bits, 3),
    "GridHalving": (lambda: GridHalving(weight_grid(1, 1, 1, 3)), _signs, 3),
    "EllipsoidHalving": (lambda: EllipsoidHalving(3, radius=2), _signs, 3),
    "OnlineGradientDescent": (lambda: OnlineGradientDescent(3, rate=0.1), _signs, 3),
}


@pytest.mark.parametrize("name", BATCHED)
def test_a_batch_is_its_single_runs(name):
    make, draw, width = BATCHED[name]
    rng = np.random.default_rng(7)
    y = draw(rng, T, B)
    x = rng.integers(0, 4, size=(T, B)) if width == POINTS else draw(rng, T, B, width)
    together = play(make(), zip(x, y, strict=True))
    assert together.predictions.shape == (T, B)
    for b in range(B):
        alone = play(make(), zip(x[:, b], y[:, b], strict=True))
        assert together.predictions[:, b].tolist() == pytest.approx(
            alone.predictions.tolist(), abs=1e-12
        )


def test_two_batch_axes():
    rng = np.random.default_rng(8)
    x, y = _bits(rng, T, 2, B, 3), _bits(rng, T, 2, B)
    run = play(WeightedMajority(3, beta=0.5), zip(x, y, strict=True))
    flat = play(
        WeightedMajority(3, beta=0.5),
        zip(x.reshape(T, -1, 3), y.reshape(T, -1), strict=True),
    )
    assert run.mistakes.ravel().tolist() == flat.mistakes.tolist()


@pytest.mark.parametrize("draw", ["vote", "expert"])
def test_sampled_predictions_follow_the_share(draw):
    """With weights 4 : 2 : 1 the chance of a 1 is 5/7; 40,000 tosses.

    Hoeffding: a deviation of 0.02 or more has probability below 3e-14.
    """
    learner = RandomizedWeightedMajority(
        3, beta=0.5, rng=np.random.default_rng(1), draw=draw
    )
    learner.counts = np.array([0, 1, 2])
    tosses = learner.predict(np.broadcast_to([1, 0, 1], (40_000, 3)))
    assert set(tosses.tolist()) == {0, 1}
    assert abs(tosses.mean() - 5 / 7) < 0.02


def test_one_label_for_a_whole_batch():
    """As many rounds as games, where a wrong axis would go unseen."""
    x = np.array([[[0, 1], [1, 0]], [[1, 0], [1, 0]]])
    run = play(FollowTheLeader(2), [(x[0], 1), (x[1], 0)])
    assert run.labels.tolist() == [[1, 1], [0, 0]]
    assert run.mistakes.tolist() == [1, 1]


def test_one_advice_for_a_whole_batch():
    run = play(FollowTheLeader(2), [([0, 1], [1, 0, 1])] * 2)
    assert run.predictions.tolist() == [[0, 0, 0], [1, 0, 1]]


def test_a_stream_may_fill_one_array_again_and_again():
    def stream():
        x = np.zeros(2, dtype=int)
        for t in (0, 1):
            x[:] = t, 1 - t
            yield x, x[0]

    run = play(FollowTheLeader(2), stream())
    assert run.inputs.tolist() == [[0, 1], [1, 0]]
    assert run.labels.tolist() == [0, 1]


@pytest.mark.parametrize(
    ("factor", "threshold", "exponents", "x"),
    [
        (2, 2**40, [40, -30], [1, 1]),  # both exponents are small, their span is not
        (2, 0.0, [-1100], [1]),
        (1.5, 12.0, [1] * 10 + [1837], [1] * 10 + [0]),  # an idle weight is huge
        (1.5, 6e-323, [-1836] * 10, [1] * 10),  # terms near the least float
        (Fraction(2), 0.1, [-4, -5], [1, 1]),
        (Fraction(3, 2), 1.1, [1800, 0], [0, 1]),
    ],
)
def test_winnow_votes_exactly(factor, threshold, exponents, x):
    learner = Winnow(len(x), factor=factor, threshold=threshold, demote="divide")
    learner.exponents = np.array(exponents)
    active = [e for e, bit in zip(exponents, x, strict=True) if bit]
    vote = sum(Fraction(factor) ** e for e in active)
    assert learner.predict(x) == (vote > Fraction(threshold))


@pytest.mark.parametrize("scale", [1e-12, 1e-6, 1.0, 1e6, 1e12])
def test_hull_weights_at_every_scale(scale):
    V = scale * np.array([[1, 0], [0, 1], [3, 3]])
    assert hull_weights(V).tolist() == pytest.approx([0.5, 0.5, 0])


@pytest.mark.parametrize("beta", [0, 0.1, 0.5, 2 / 3, 0.999, Fraction(1, 3)])
@pytest.mark.parametrize("spread", [3, 900, 20_000])
def test_weights_of_a_batch_are_those_of_its_streams(beta, spread):
    """To the last bit, and in the order in memory that sums are quick in."""
    draws = np.random.default_rng(1).integers(0, spread, (5, 300), dtype=np.int32)
    learner = RandomizedWeightedMajority(5, beta=beta)
    learner.counts = draws.T
    weights = learner.weights
    assert weights.flags.f_contiguous or beta == Fraction(1, 3)
    for stream in range(0, 300, 60):
        learner.counts = draws[:, stream]
        assert weights[stream].tolist() == learner.weights.tolist()


def test_powers_that_rise_and_fall():
    """Only a batch without negative exponents is looked up in a table."""
    exponents = np.arange(-5, 600)
    assert powers(0.5, exponents).tolist() == [0.5 ** int(e) for e in exponents]


def test_random_experts_err_as_often_as_they_should():
    """Some never, some always; experts outermost in memory."""
    rng = np.random.default_rng(1)
    for x, y in random_advice(rng, 3, 2, batch=(50, 4), error=[0, 1]):
        assert (x[..., 0] == y).all() and (x[..., 1] != y).all()
        assert x.shape == (50, 4, 2) and x.strides[-1] == max(x.strides)


@pytest.mark.parametrize("order", ["C", "F"])
def test_all_of_the_weight_is_no_more_than_all(order):
    """Weights and advice that lie differently in memory are added in another order."""
    advice = np.ones((2, 20), dtype=int, order=order)
    rng = np.random.default_rng(1)
    for _ in range(200):
        learner = AggregatingAlgorithm(20, beta=rng.random())
        learner.counts = rng.integers(0, 9, 20)
        assert np.all(learner.predict(advice) <= 1)
        assert learner.predict(advice) == pytest.approx(1, abs=1e-14)
