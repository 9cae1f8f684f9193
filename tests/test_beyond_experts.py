"""What the pages on experts claim, by ways that the pages do not take."""

from fractions import Fraction
from functools import cache
from itertools import product
from math import log, log1p

import mpmath
import numpy as np
import pytest

from olutil.exact import comb_regret, experts_minimax, experts_minimax_horizon
from olutil.experts import improved_beta
from olutil.theorems import bound


def _forced(rule, rounds):
    """The regret that a rank rule forces, over all coins, one after the other."""
    total = 0
    for coins in product((0, 1), repeat=rounds):
        mistakes = [0] * len(rule)
        for coin in coins:
            mistakes = sorted(
                m + (side == coin) for m, side in zip(mistakes, rule, strict=True)
            )
        total += mistakes[0]
    return Fraction(rounds, 2) - Fraction(total, 2**rounds)


def test_the_comb_fails_first_with_five_experts_and_five_rounds():
    comb, better = (0, 1, 0, 1, 0), (0, 1, 0, 1, 1)
    assert _forced(comb, 5) == comb_regret(5, 5) == Fraction(49, 32)
    assert _forced(better, 5) == experts_minimax_horizon(5, 5) == Fraction(25, 16)
    for rounds in range(1, 9):
        assert _forced(better, rounds) == bound("bey-exp-five", rounds=rounds)


@pytest.mark.parametrize("best", range(5))
def test_two_experts_by_all_coins(best):
    """Contradict until one has gone, then let the other use up its budget."""
    total = Fraction(0)
    for coins in product((0, 1), repeat=2 * best + 1):
        mistakes, lost = [0, 0], Fraction(0)
        for coin in coins:
            if max(mistakes) > best:
                mistakes[mistakes[1] < mistakes[0]] += 1
                lost += 1
            else:
                mistakes[coin] += 1
                lost += Fraction(1, 2)
        assert sorted(mistakes) == [best, best + 1]
        total += lost
    value = total / 2 ** (2 * best + 1)
    assert value == bound("bey-exp-two", best=best) == experts_minimax(2, best)


@cache
def _share_of_the_perfect(n):
    """The worst case of Randomized Weighted Majority with beta 0, by its own law."""
    each = (Fraction(j, n) + _share_of_the_perfect(n - j) for j in range(1, n))
    return max(each, default=Fraction(0))


def test_harmonic_numbers():
    n = np.arange(1, 30)
    exact = [_share_of_the_perfect(i) for i in n.tolist()]
    assert exact == bound("bey-exp-harmonic", n=n).tolist()
    lecture = np.log2(n[2:]) / 2
    assert (bound("bey-exp-any-beta", n=n[2:], beta=0.5) > lecture).all()


def test_no_curve_has_a_smaller_constant():
    rng = np.random.default_rng(5)
    shares = np.arange(1, 40) / 40
    for beta in (0.1, 0.5, 0.9):
        lost = -np.log1p(-shares * (1 - beta))
        least = bound("bey-exp-constants", beta=beta, curve="improved")
        for curve in rng.random((200, len(shares))):
            needed = np.maximum(curve / lost, (1 - curve) / lost[::-1]).max()
            assert needed >= least - 1e-12


def test_the_tuning_inequality_in_forty_digits():
    with mpmath.workdps(40):
        for z in (mpmath.mpf(10) ** e for e in range(-6, 7)):
            D = 1 + 2 * z + z**2 / mpmath.log(2)
            f = (1 + D) * mpmath.log(2 * D / (1 + D)) - mpmath.log(D) - z**2
            assert f > bound("bey-exp-tuning")
    assert improved_beta(7, 3) == pytest.approx(
        1 / (1 + 2 * (log(7) / 3) ** 0.5 + log(7) / 3 / log(2))
    )


def test_entropy_bound_solves_its_equation():
    for n, rounds in ((2, 3), (10, 50), (10**9, 40), (1000, 10**4)):
        x = bound("bey-rnd-entropy", n=n, rounds=rounds) / rounds
        D = log(2) + x * log(x) + (1 - x) * log1p(-x)
        assert pytest.approx(log(n) / rounds) == D
        assert x * rounds >= bound("cos511-lb-min", n=n, rounds=rounds)
    assert bound("bey-rnd-entropy", n=2**8, rounds=8) == pytest.approx(0, abs=1e-9)


def test_twice_the_gap_is_not_enough_for_the_formula():
    rounds = 10 ** np.arange(1, 5)
    limit = bound("bey-rnd-half", rounds=rounds)
    assert (limit < np.sqrt(rounds * log(2) / 2) / 2).all()


@pytest.mark.parametrize(
    ("id", "given"),
    [
        ("bey-exp-comb", {"n": 5, "rounds": 6}),
        ("bey-exp-comb", {"n": 4, "rounds": np.array([40, 41])}),
        ("bey-exp-five", {"rounds": 21}),
        ("bey-five-walk", {"n": 5, "rounds": 6}),
        ("bey-five-limit", {"rounds": 5}),
        ("bey-rnd-entropy", {"n": 9, "rounds": 3}),
        ("bey-rnd-sharp", {"n": 9, "few": 3, "rounds": 5}),
        ("bey-rnd-split", {"rounds": 3}),
        ("bey-exp-constants", {"beta": 0.5, "curve": "straight"}),
    ],
)
def test_beyond_its_reach_a_statement_claims_nothing(id, given):
    with pytest.raises(ValueError, match=id):
        bound(id, **given)
