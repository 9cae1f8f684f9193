"""What the page on gradient descent claims, by ways that the page does not take."""

from fractions import Fraction
from math import sqrt

import numpy as np
import pytest

from olutil.exact import experts_minimax_horizon
from olutil.theorems import bound

half = Fraction(1, 2)


def _second_moments(rates, d, signs, variance, drift, start):
    """The errors as traces of the matrix E v v^T, by the pairings of fourth moments."""
    eye = np.diag([Fraction(1)] * d)
    M, errors = np.outer(start, start) * Fraction(1), []
    for eta in rates:
        M = M + drift / d * eye
        fourth = 2 * M + M.trace() * eye - 2 * signs * np.diag(np.diag(M))
        M = M - 2 * eta * M + eta**2 * (fourth + variance * eye)
        errors.append(M.trace())
    return errors


@pytest.mark.parametrize("signs", [True, False])
@pytest.mark.parametrize("d", [1, 2, 5])
def test_the_whole_matrix_of_second_moments_has_this_trace(d, signs):
    rates = [Fraction(1, t + 1) for t in range(8)]
    start, variance, drift = np.arange(1, d + 1), Fraction(1, 3), Fraction(1, 7)
    matrix = _second_moments(rates, d, signs, variance, drift, start)
    assert matrix == bound(
        "bey-desc-recursion", rates=np.array(rates), kappa=d if signs else d + 2,
        noise=d * variance, drift=drift, start=start @ start,
    ).tolist()  # fmt: skip


def test_the_lectures_recursion_is_the_case_of_one_dimension():
    rates = np.array([Fraction(1, t) for t in range(1, 9)])
    world = {"noise": half, "drift": Fraction(1, 5), "start": Fraction(3)}
    lecture = bound("das-s19-lr", rates=rates, **world)
    page = bound("bey-desc-recursion", rates=rates, kappa=1, **world)
    assert page.tolist() == lecture.tolist()


def test_the_product_tends_to_the_hyperbolic_sine():
    t = np.arange(1, 20_001)
    for kappa in (1.5, 2, 17):
        product = np.prod(1 + (kappa - 1) / t[:-1] ** 2)
        error = (kappa - 1) * product / t[-1] ** 2
        limit = bound("bey-desc-falling", kappa=kappa, rounds=t[-1])
        assert 0.998 < error / limit < 1


def test_no_random_rates_beat_the_best():
    rng = np.random.default_rng(3)
    for kappa, noise, drift in ((1, 0.3, 0.0), (4, 0.1, 0.2), (9, 2.0, 0.0)):
        world = {"kappa": kappa, "noise": noise, "drift": drift, "start": 1.0}
        rates = rng.random((2000, 6)) * 2 / kappa
        errors = bound("bey-desc-recursion", rates=rates, **world)
        least = bound("bey-desc-rates", **world, rounds=6)
        assert (errors >= least - 1e-12).all()
        assert errors.min(axis=0)[0] == pytest.approx(least[0], rel=1e-2)


def test_the_floor_is_the_limit_of_the_best_rates():
    for kappa, noise, drift in ((1, 1.0, 0.01), (12, 2.5, 0.001), (3, 0.1, 5.0)):
        world = {"kappa": kappa, "noise": noise, "drift": drift}
        floor = bound("bey-desc-drift", **world)
        for start in (0.0, 7.0):
            last = bound("bey-desc-rates", **world, start=start, rounds=3000)[-1]
            assert last == pytest.approx(floor)


def test_a_rational_floor_is_a_fraction():
    floor = bound(
        "bey-desc-drift", kappa=3, noise=Fraction(10, 7), drift=Fraction(1, 7)
    )
    assert (floor, type(floor)) == (Fraction(4, 7), Fraction)


def test_the_line_is_twice_the_game_with_two_experts():
    for rounds in range(1, 13):
        value = 2 * experts_minimax_horizon(2, rounds)
        assert bound("bey-desc-line", rounds=rounds) == value


def test_what_is_forced_from_the_falling_rate_is_below_its_bound():
    rounds = np.arange(19, 5000)
    forced = bound("bey-desc-three", rounds=rounds)
    assert (forced < bound("bey-desc-zinkevich", rounds=rounds)).all()
    far = 10**12
    assert bound("bey-desc-three", rounds=far) / sqrt(far) == pytest.approx(3, abs=1e-4)


@pytest.mark.parametrize(
    ("id", "given"),
    [
        ("bey-desc-paths", {"d": 3, "rate": half, "before": 1}),
        ("bey-desc-falling", {"kappa": 1, "rounds": 4}),
        (
            "bey-desc-rates",
            {"kappa": 2, "noise": 0, "drift": 0, "start": 1, "rounds": 2},
        ),
        ("bey-desc-drift", {"kappa": 2, "noise": 0, "drift": 1}),
        ("bey-desc-three", {"rounds": 18}),
        ("bey-desc-regret", {"X": np.ones((2, 1)), "u": np.ones(1), "rate": 0}),
    ],
)
def test_beyond_its_reach_a_statement_claims_nothing(id, given):
    with pytest.raises(ValueError, match=id):
        bound(id, **given)


@pytest.mark.parametrize("mu", [1, 3, Fraction(5, 2)])
def test_coordinates_alike_add_up_to_one_number(mu):
    d, rates = 3, [Fraction(1, t + 2) for t in range(6)]
    start, drift = np.array([2, 1, 0]), np.array([half, 0, Fraction(1, 3)])
    each = bound(
        "bey-desc-vector", rates=rates, squares=[1] * d, mu=mu, noise=half,
        drift=drift, start=start,
    )  # fmt: skip
    whole = bound(
        "bey-desc-recursion", rates=rates, kappa=d - 1 + mu, noise=d * half,
        drift=drift.sum(), start=start.sum(),
    )  # fmt: skip
    assert each.sum(axis=1).tolist() == whole.tolist()


def test_stable_is_what_tends_to_zero():
    """Long runs of the recursion, away from the border."""
    rng = np.random.default_rng(8)
    seen = set()
    for _ in range(60):
        squares, mu = rng.integers(1, 7, rng.integers(1, 5)), int(rng.integers(1, 5))
        rate = rng.choice([0.02, 0.1, 0.3, 0.8])
        last = bound(
            "bey-desc-vector", rates=np.full(100, rate), squares=squares, mu=mu,
            noise=0, drift=0, start=np.ones(len(squares)),
        )[-2:]  # fmt: skip
        falls = bool((last[1] < last[0]).all())
        seen.add(falls)
        assert falls == bound(
            "bey-desc-stable", rate=rate, squares=squares, mu=mu
        )  # fmt: skip
    assert seen == {False, True}


@pytest.mark.parametrize("d", [1, 2, 7])
def test_the_last_stable_rate_of_coordinates_alike(d):
    for mu in (1, 3):
        last = Fraction(2, d - 1 + mu)
        for rate, expected in ((last, False), (last * Fraction(99, 100), True)):
            found = bound(
                "bey-desc-stable", rate=rate, squares=np.array([1] * d), mu=mu
            )
            assert bool(found) == expected
