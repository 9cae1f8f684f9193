"""Beyond the lectures: the values of the games with expert advice.

Names of parameters as in `cos511_experts`: ``n`` experts (N), ``best`` the promise on
the best one's mistakes (K), ``rounds`` (T), the penalty ``beta``.
"""

from fractions import Fraction
from math import comb
from typing import Any

import numpy as np

from olutil.exact import expected_best, experts_minimax, experts_minimax_horizon
from olutil.theorems._common import INSIDE, PENALTY, SOME_EXPERT, SOME_ROUND
from olutil.theorems._registry import theorem

PRICE, COMB = "The price of not knowing", "A fixed horizon, and the comb"
RANDOM = "How random is the worst case?"

# ---------------------------------------------------------------- hypotheses

PROMISE = {"K >= 0": lambda best: np.asarray(best) >= 0}
EVEN = {"T is even": lambda rounds: np.asarray(rounds) % 2 == 0}
CURVES = {
    "curve is step, diagonal or improved": lambda curve: (
        curve in ("step", "diagonal", "improved")
    )
}
# How far the tables of the page go.
COMB_REACH = {2: 60, 3: 40, 4: 24}
FIVE_REACH = 20

# ---------------------------------------------------------------- pieces


def _each(function: Any, *numbers: Any) -> Any:
    """The function's exact value for Python's numbers, or for arrays of them."""
    arrays = (np.array(np.asarray(value).tolist(), dtype=object) for value in numbers)
    return np.vectorize(function, otypes=[object])(*arrays)[()]


def _harmonic(n: int) -> Fraction:
    return sum((Fraction(1, i) for i in range(1, n + 1)), Fraction(0))


def _walk(m: int) -> Fraction:
    """``m`` binomial(2m, m) / 4**m."""
    return Fraction(m * comb(2 * m, m), 4**m)


def _divergence(x: Any) -> Any:
    """``D(x)``: the relative entropy of a coin with bias x to a fair one, in nats."""
    x = np.asarray(x, dtype=float)
    inside = np.clip(x, 1e-300, 1 - 1e-16)
    terms = x * np.log(inside) + (1 - x) * np.log1p(-inside)
    return np.log(2) + terms


# ---------------------------------------------------------------- the value


@theorem("bey-exp-round", PRICE, relation="==", evidence="exact")
def value_of_a_round(*, after_0, after_1):
    """The largest of A, B and ``(1 + A + B) / 2``."""
    after_0, after_1 = np.asarray(after_0), np.asarray(after_1)
    return np.max([after_0, after_1, (1 + after_0 + after_1) / 2], axis=0)


@theorem("bey-exp-value", PRICE, relation="==", premises=SOME_EXPERT | PROMISE,
         evidence="exhaustive adversary")  # fmt: skip
def value_with_horizon(*, n, best, rounds):
    """The value of the game, as a Fraction."""
    return _each(lambda n, k, t: experts_minimax(n, k, horizon=t), n, best, rounds)


@theorem("bey-exp-limit", PRICE, relation="==", premises=SOME_EXPERT | PROMISE,
         evidence="exact")  # fmt: skip
def value_without_horizon(*, n, best):
    """The value of the game that lasts as long as the adversary likes."""
    return _each(lambda n, k: experts_minimax(n, k), n, best)


@theorem("bey-exp-perfect", PRICE, relation="==", premises=SOME_EXPERT,
         evidence="exact")  # fmt: skip
def value_with_perfect_expert(*, n):
    """The broken line at N."""

    def line(n):
        k = n.bit_length() - 1
        return Fraction(k, 2) + Fraction(n - 2**k, 2 ** (k + 1))

    return _each(line, n)


@theorem("bey-exp-walk", PRICE, relation="==", evidence="exact",
         premises={"t >= 1": lambda steps: np.asarray(steps) >= 1})  # fmt: skip
def distance_of_a_walk(*, steps):
    """``2h binomial(2h, h) / 4**h`` with h the half of t, rounded up."""
    return _each(lambda t: 2 * _walk((t + 1) // 2), steps)


@theorem("bey-exp-two", PRICE, relation="==", premises=PROMISE, evidence="exact")
def value_of_two_experts(*, best):
    """``K + (K + 1) binomial(2K + 2, K + 1) / 4**(K + 1)``."""
    return _each(lambda k: k + _walk(k + 1), best)


@theorem("bey-exp-floor", PRICE, relation=">=", premises=SOME_EXPERT | PROMISE,
         evidence="exhaustive", unit="expected mistakes")  # fmt: skip
def floor_of_every_learner(*, n, best, rounds):
    """The value of the game, in floating point: the algorithms' worst cases are."""
    value = value_with_horizon(n=n, best=best, rounds=rounds)
    return np.asarray(value, dtype=float)


# ---------------------------------------------------------------- the algorithms


@theorem("bey-exp-any-beta", PRICE, relation=">=", premises=SOME_EXPERT | PENALTY,
         evidence="exhaustive", nontrivial=True, unit="expected mistakes")  # fmt: skip
@theorem("bey-exp-harmonic", PRICE, relation="==", premises=SOME_EXPERT,
         evidence="exhaustive")  # fmt: skip
def harmonic_less_one(*, n):
    """``H_N - 1``, whatever the penalty."""
    return _each(lambda n: _harmonic(n) - 1, n)


@theorem("bey-exp-constants", PRICE, premises=INSIDE | CURVES, evidence="exact")
def constant_of_curve(*, beta, curve):
    """The constant that the theorem of this curve has."""
    beta = np.asarray(beta, dtype=float)
    step = 1 / np.log(2 / (1 + beta))
    return {"step": step, "diagonal": 1 / (1 - beta), "improved": step / 2}[curve]


@theorem("bey-exp-tuning", PRICE, relation="<", evidence="exact")
def top_of_minus_the_slack():
    """Zero, for what must be positive, with its sign reversed."""
    return 0


# ---------------------------------------------------------------- fixed horizons


@theorem("bey-rnd-order", RANDOM, premises=SOME_EXPERT | SOME_ROUND, evidence="exact")
@theorem("bey-exp-regret", COMB, relation="==", premises=SOME_EXPERT | SOME_ROUND,
         evidence="exhaustive adversary")  # fmt: skip
def value_of_the_regret(*, n, rounds):
    """The value of the regret, as a Fraction."""
    return _each(lambda n, t: experts_minimax_horizon(n, t), n, rounds)


@theorem("bey-exp-regret-two", COMB, relation="==", premises=SOME_ROUND,
         evidence="exact")  # fmt: skip
def regret_of_two_experts(*, rounds):
    """``h binomial(2h, h) / 4**h`` with h the half of T, rounded up."""
    return _each(lambda t: _walk((t + 1) // 2), rounds)


@theorem("bey-exp-comb", COMB, relation="==", evidence="exact", premises={
    "N = 2, 3, 4 and T <= 60, 40, 24, or N = 5 and T <= 5": lambda n, rounds: (
        np.all(_each(lambda n, t: t <= {**COMB_REACH, 5: 5}[n], n, rounds))
    ),
})  # fmt: skip
def what_the_comb_misses(*, n, rounds):
    """Value less what the comb forces."""
    missed = Fraction(1, 32)
    return _each(lambda n, t: missed if (n, t) == (5, 5) else Fraction(0), n, rounds)


@theorem("bey-exp-five", COMB, relation="==", evidence="exact", premises={
    f"1 <= T <= {FIVE_REACH}": lambda rounds: (
        np.all((np.asarray(rounds) >= 1) & (np.asarray(rounds) <= FIVE_REACH))
    ),
})  # fmt: skip
def regret_of_five_experts(*, rounds):
    """The value of the regret with five experts."""
    return _each(lambda t: experts_minimax_horizon(5, t), rounds)


# ---------------------------------------------------------------- random advice


@theorem("bey-rnd-two", RANDOM, relation="==", premises=SOME_ROUND, evidence="exact")
def gap_of_two_coins(*, rounds):
    """``T binomial(2T, T) / 2**(2T + 1)``."""
    return _each(lambda t: _walk(t) / 2, rounds)


@theorem("bey-rnd-half", RANDOM, relation="<", premises=SOME_ROUND, evidence="exact")
def limit_of_two_coins(*, rounds):
    """``sqrt(T / pi) / 2``."""
    return np.sqrt(np.asarray(rounds, dtype=float) / np.pi) / 2


@theorem("bey-rnd-entropy", RANDOM, relation=">=", evidence="exact", nontrivial=True,
         premises={
    "2 <= N <= 2**T": lambda n, rounds: (
        np.all((np.asarray(n) >= 2) & (np.log2(n) <= rounds))
    ),
})  # fmt: skip
def entropy_bound(*, n, rounds):
    """``x T``, by bisection."""
    level = np.log(np.asarray(n, dtype=float)) / rounds
    low, high = np.zeros_like(level), np.full_like(level, 0.5)
    for _ in range(60):
        middle = (low + high) / 2
        above = _divergence(middle) > level
        low, high = np.where(above, middle, low), np.where(above, high, middle)
    return (low * rounds)[()]


@theorem("bey-rnd-sharp", RANDOM, evidence="exact", nontrivial=True,
         premises=SOME_EXPERT | {
    "0 <= k <= T/2": lambda few, rounds: (
        (np.asarray(few) >= 0) & (2 * np.asarray(few) <= rounds)
    ),
})  # fmt: skip
def few_mistakes_are_likely(*, n, few, rounds):
    """``k + T exp(-N exp(-T D(k/T)) / (T + 1))``."""
    rounds = np.asarray(rounds, dtype=float)
    logarithm = np.log(np.asarray(n, dtype=float)) - rounds * _divergence(few / rounds)
    crowd = np.exp(np.minimum(logarithm, 700)) / (rounds + 1)
    return few + rounds * np.exp(-crowd)


@theorem("bey-rnd-split", RANDOM, relation="<", premises=SOME_ROUND | EVEN,
         evidence="exact")  # fmt: skip
def gap_squared(*, rounds):
    """The square of the gap; half of the squared value is less."""
    return _each(lambda t: (Fraction(t, 2) - expected_best(2, t)) ** 2, rounds)
