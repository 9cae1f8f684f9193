"""Linear learners on numbers of any size: against Fractions, which hold them all."""

import warnings
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from olutil import fast
from olutil.linear import (
    EllipsoidHalving,
    GridHalving,
    OnlineGradientDescent,
    PassiveAggressive,
    Perceptron,
    sign,
)

SIGN = st.sampled_from([-1, 1])
SIZE = st.integers(-300, 300)
MANTISSA = st.floats(1, 10).flatmap(lambda m: st.sampled_from([0.0, m, -m]))
# Of one vector all numbers may be of one size, or each of its own.
NUMBER = st.builds(lambda m, e: m * 10.0**e, MANTISSA, SIZE)


def vectors(d):
    alike = st.builds(
        lambda ms, e: [m * 10.0**e for m in ms],
        st.lists(MANTISSA, min_size=d, max_size=d),
        SIZE,
    )
    return alike | st.lists(NUMBER, min_size=d, max_size=d)


CASES = st.integers(1, 4).flatmap(lambda d: st.tuples(vectors(d), vectors(d), SIGN))


@pytest.fixture(autouse=True)
def no_warnings():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


def dot(u, v):
    return sum(Fraction(a) * Fraction(b) for a, b in zip(u, v, strict=True))


def rough(u, v):
    """What the terms of an inner product sum up to, without their signs."""
    return dot(map(abs, u), map(abs, v))


@settings(max_examples=400)
@given(CASES, st.sampled_from([0, 1, -1]))
def test_the_sign_of_a_score(case, zero):
    w, x, _ = case
    exactly = dot(w, x)
    assume(exactly == 0 or abs(exactly) > rough(w, x) / 10**13)
    assume(exactly or not rough(w, x))
    learner = Perceptron(len(w), zero=zero)
    learner.w = np.array(w)
    expected = (exactly > 0) - (exactly < 0) or zero
    assert learner.predict(x) == expected
    assert learner.predict([x, x]).tolist() == [expected] * 2
    exact = GridHalving([list(map(Fraction, w))]).predict(list(map(Fraction, x)))
    assert GridHalving([w]).predict(x) == exact


@settings(max_examples=400)
@given(CASES)
def test_a_passive_aggressive_step(case):
    w, x, y = case
    loss, square = max(1 - y * dot(w, x), 0), dot(x, x)
    tau = loss / square if square else Fraction(0)
    after = [Fraction(a) + y * tau * Fraction(b) for a, b in zip(w, x, strict=True)]
    learner = PassiveAggressive(len(w))
    learner.w = np.array(w)
    if max(map(abs, after)) > 10**308:
        with pytest.raises(ValueError, match="x, y: .*floats hold"):
            learner.update(x, y, 0)
        return
    learner.update(x, y, 0)
    # What 1 - y (w . x) loses by rounding, the step loses; and what its sum loses.
    lost = (1 + rough(w, x)) / square / 10**14 if square else 0
    # An entry that is 10**308 times smaller than another loses digits.
    least = Fraction(2) ** -1072 * (100 + tau * max(map(abs, map(Fraction, x))))
    for got, a, b, expected in zip(learner.w.tolist(), w, x, after, strict=True):
        off = lost * abs(Fraction(b)) + abs(expected - Fraction(a)) / 10**13
        off += abs(Fraction(a)) / 10**15 + least
        assert abs(Fraction(got) - expected) <= off


@pytest.mark.parametrize("x", [[70_000], [2**40, 1], [10**200, 3]])
def test_passive_aggressive_takes_large_integers(x):
    learner = PassiveAggressive(len(x))
    assert learner.hinge(x, 1) == 1
    learner.update(x, 1, learner.predict(x))
    assert learner.score(x) == pytest.approx(1, rel=1e-12)
    assert learner.w.dtype == float


def test_passive_aggressive_keeps_fractions():
    learner = PassiveAggressive(2)
    x = [Fraction(1, 3), Fraction(2)]
    learner.update(x, 1, learner.predict(x))
    assert learner.w.tolist() == [Fraction(3, 37), Fraction(18, 37)]
    assert learner.score(x) == 1
    assert learner.hinge(x, -1) == 2
    learner.update([[Fraction(-1), 0], [0, Fraction(1)]], [1, -1], [0, 0])
    assert learner.w.tolist() == [[-1, Fraction(18, 37)], [Fraction(3, 37), -1]]


@given(st.lists(st.tuples(st.lists(st.integers(-9, 9), min_size=2, max_size=2), SIGN),
                min_size=1, max_size=8),
       st.integers(-190, 190))  # fmt: skip
def test_the_scale_of_a_stream_does_not_matter(rounds, power):
    """Powers of two change no digit."""
    scale = 2.0 ** (5 * power)
    for make, by in (
        (lambda: Perceptron(2), scale),
        (lambda: PassiveAggressive(2), 1 / scale),
        (lambda: EllipsoidHalving(2), 1),
    ):
        one, other = make(), make()
        for x, y in rounds:
            x = np.array(x, dtype=float)
            says = one.predict(x), other.predict(x * scale)
            assert says[0] == says[1]
            one.update(x, y, says[0])
            other.update(x * scale, y, says[1])
        for name in vars(one).keys() & {"w", "center", "shape"}:
            pair = getattr(one, name), getattr(other, name)
            assert np.array_equal(pair[0] * by, pair[1])


@given(CASES)
def test_the_quick_perceptron_agrees_or_refuses(case):
    a, b, y = case
    X, labels = [a, b, a, b], [y, -y, y, -y]
    learner, mistakes = Perceptron(len(a)), []
    for t, (x, label) in enumerate(zip(X * 3, labels * 3, strict=True)):
        says = learner.predict(x)
        if says != label:
            mistakes.append(t)
        learner.update(x, label, says)
    data = (range(0, 4 * len(a) + 1, len(a)), [*range(len(a))] * 4, sum(X, []))
    for play in (
        lambda: fast.perceptron(X, labels, epochs=3),
        lambda: fast.sparse_perceptron(*map(list, data), labels, len(a), epochs=3),
    ):
        try:
            found = play()
        except ValueError as error:
            assert str(error).startswith("X: ")
            sizes = [abs(value) for value in a + b if value]
            assert max(sizes) > 1e6 or min(sizes) < 1e-140
            continue
        assert found.mistakes.tolist() == mistakes


def test_weights_beyond_floats_are_an_error_that_changes_nothing():
    for learner, x in (
        (Perceptron(1), [1.7e308]),
        (PassiveAggressive(1), [1e-309]),
        (OnlineGradientDescent(1, rate=1e300), [1e300]),
    ):
        if isinstance(learner, Perceptron) and type(learner) is Perceptron:
            learner.update(x, 1, 0)
        before = learner.w
        with pytest.raises(ValueError, match="x, y: .*weights that floats hold"):
            learner.update(x, 1, 0)
        assert learner.w is before
    assert learner.t == 0


def test_gradient_descent_on_integers_does_not_wrap_around():
    learner, exactly = OnlineGradientDescent(1, rate=1), 0
    for _ in range(40):
        learner.update([10], 3, 0)
        exactly += (3 - 10 * exactly) * 10
        assert learner.w.tolist() == [exactly]
    with pytest.raises(ValueError, match="x: .*finite"):
        for _ in range(200):
            learner.update([10], 3, 0)


@pytest.mark.parametrize("rate", [float("nan"), 0, -1, "fast", None, float("inf")])
def test_what_a_rate_returns_is_checked(rate):
    learner = OnlineGradientDescent(1, rate=lambda t: rate)
    with pytest.raises(ValueError, match="rate: .*positive"):
        learner.update([1.0], 1.0, 0.0)
    assert (learner.t, learner.w.tolist()) == (0, [0])


@pytest.mark.parametrize("exponent", [-300, -200, 0, 200, 300])
def test_the_ellipsoid_learns_at_any_scale(exponent):
    learner = EllipsoidHalving(2)
    learner.update(np.array([1.0, 0.5]) * 10.0**exponent, -1, 1)
    assert learner.center[0] < -0.1


@pytest.mark.parametrize("radius", [1e200, 1e-200, 10**400, float("inf")])
def test_the_radius_of_an_ellipsoid_has_bounds(radius):
    with pytest.raises(ValueError, match="radius: .*1e-100 to 1e100"):
        EllipsoidHalving(2, radius=radius)


def test_nan_has_no_sign():
    with pytest.raises(ValueError, match="z: .*NaN"):
        sign(float("nan"))
    with pytest.raises(ValueError, match="z: .*NaN"):
        sign([1.0, float("nan")])


def test_a_score_beyond_floats_is_infinite_and_one_below_them_not_zero():
    learner = Perceptron(2)
    learner.w = np.array([1e300, -1e-300])
    assert learner.score([1e300, 0]) == np.inf
    assert 0 > learner.score([0, 1e-300]) > -1e-323
    assert learner.score([[1e300, 1e300], [0, 0], [0, 1]]).tolist() == [
        np.inf, 0, -1e-300,
    ]  # fmt: skip
