"""Schapire, COS 511 lecture 14, up to section 1.3: learning with expert advice.

Names of parameters: ``n`` experts (N), ``best`` the best one's mistakes (m), ``cap``
a bound on those that is known beforehand (K), ``rounds`` (T), the penalty ``beta``, the
experts' counts ``mistakes`` (experts on the last axis), ``losses`` the learner's
expected loss in each round (time on axis 0).
"""

from fractions import Fraction
from math import comb
from typing import Any

import numpy as np

from olutil._exact_sums import powers
from olutil.exact import expected_best
from olutil.theorems._common import (
    INSIDE,
    PENALTY,
    SOME_EXPERT,
    SOME_ROUND,
    TWO_EXPERTS,
)
from olutil.theorems._registry import theorem

INTRO, S11, S12, S13 = "introduction", "section 1.1", "section 1.2", "section 1.3"

# ---------------------------------------------------------------- hypotheses

MISTAKES = {"m >= 0": lambda best: np.asarray(best) >= 0}
# With beta = 0 nothing is claimed unless some expert is perfect.
INSIDE_OR_PERFECT = {
    "0 < beta < 1, or beta = 0 and m = 0": lambda beta, best: (
        (np.asarray(beta) < 1)
        & ((np.asarray(beta) > 0) | ((np.asarray(beta) == 0) & (np.asarray(best) == 0)))
    )
}
CAPPED = {
    "0 <= m <= K": lambda best, cap: (np.asarray(best) >= 0) & (best <= np.asarray(cap))
}
CAPPED_RATE = {
    "0 <= m <= rT": lambda best, rate, rounds: (
        (np.asarray(best) >= 0) & (best <= np.asarray(rate) * rounds)
    )
}
HALF_AT_MOST = {
    "0 <= m <= T/2": lambda best, rounds: (
        (np.asarray(best) >= 0) & (2 * np.asarray(best) <= rounds)
    )
}


# ---------------------------------------------------------------- pieces


def _plain(value: Any) -> Any:
    """A Python number for a single value; arrays stay arrays."""
    value = np.asarray(value)
    return value.item() if value.ndim == 0 else value


def _real(value: Any) -> np.ndarray:
    """Fractions and integers as floating point numbers."""
    return np.asarray(value, dtype=float)


def _charge(beta: Any, best: Any) -> np.ndarray:
    """``best * ln(1 / beta)``, which is 0 for a perfect expert even if beta = 0."""
    beta, best = np.broadcast_arrays(_real(beta), _real(best))
    return -best * np.log(np.where(best == 0, 1, beta))


def _majority(beta: Any, n: Any, best: Any) -> np.ndarray:
    """Theorem 1's right-hand side; every logarithm in it may have any one base."""
    return (_charge(beta, best) + np.log(_real(n))) / np.log(2 / (1 + _real(beta)))


def _randomized(beta: Any, n: Any, best: Any) -> np.ndarray:
    """Theorem 2's right-hand side."""
    return (_charge(beta, best) + np.log(_real(n))) / (1 - _real(beta))


# ---------------------------------------------------------------- introduction


@theorem("cos511-prot-experts", INTRO, relation="==", premises=SOME_ROUND,
         evidence="steps")  # fmt: skip
def breaches_of_protocol(*, rounds):
    """No step of the game is out of order."""
    return 0


@theorem("cos511-alg-wma", INTRO, relation="==", premises=PENALTY, errata="cos511-E4",
         evidence="exhaustive exact")  # fmt: skip
def weights_of_mistakes(*, beta, mistakes):
    """``beta ** mistakes``, exact for a Fraction."""
    return powers(beta, np.asarray(mistakes))


@theorem("cos511-thm1", "Theorem 1",
         premises=SOME_EXPERT | MISTAKES | INSIDE_OR_PERFECT,
         errata="cos511-E1 cos511-E4", evidence="exhaustive adversary", nontrivial=True,
         unit="mistakes")  # fmt: skip
def weighted_majority_bound(*, beta, n, best):
    """``a * best + c * lg(n)`` with Theorem 1's constants."""
    return _plain(_majority(beta, n, best))


@theorem("cos511-pf1-shrink", "Theorem 1, proof (from the lecture before)",
         premises=SOME_EXPERT | INSIDE, evidence="steps")  # fmt: skip
def shrunken_weight(*, beta, n, errors):
    """``n * ((1 + beta) / 2) ** errors``, exact for a Fraction."""
    return n * powers((1 + beta) / 2, np.asarray(errors))


# ---------------------------------------------------------------- section 1.1


@theorem("cos511-rem-abeta2", S11, relation="<", premises=INSIDE, evidence="exact")
def leading_constant_of_majority(*, beta):
    """Theorem 1's ``a_beta``."""
    return _plain(_majority(beta, 1, 1))


@theorem("cos511-rem-want1", S11, relation=">=", premises=MISTAKES,
         evidence="adversary", unit="mistakes")  # fmt: skip
def twice_the_best(*, best):
    """``2 * best``."""
    return 2 * np.asarray(best)


@theorem("cos511-ftl", S11, premises=SOME_EXPERT | MISTAKES,
         evidence="exhaustive adversary", nontrivial=True, unit="mistakes")  # fmt: skip
def follow_the_leader_bound(*, n, best):
    """``n * (best + 1) - 1``."""
    return np.asarray(n) * (np.asarray(best) + 1) - 1


# ---------------------------------------------------------------- section 1.2


@theorem("cos511-rem-51", S12, relation="==", premises=PENALTY, evidence="exhaustive")
def votes_decided_otherwise(*, beta):
    """No vote is decided by anything but the sign."""
    return 0


@theorem("cos511-alg-rwma", S12, relation="==", premises=INSIDE, errata="cos511-E1",
         evidence="exact")  # fmt: skip
def share_for_one(*, beta, mistakes, advice):
    """``q_1 / W`` for the weights ``beta ** mistakes``."""
    weights = powers(beta, np.asarray(mistakes))
    return (weights * (np.asarray(advice) == 1)).sum(axis=-1) / weights.sum(axis=-1)


@theorem("cos511-rem-equiv", S12, relation="==", premises=INSIDE, evidence="exact")
def drawn_expert_says_one(*, beta, mistakes, advice):
    """The probability that an expert drawn by weight says 1."""
    weights = powers(beta, np.asarray(mistakes))
    chance = weights / weights.sum(axis=-1, keepdims=True)
    return (chance * np.asarray(advice)).sum(axis=-1)


@theorem("cos511-pf2-solve", "Theorem 2, proof", relation="==",
         premises=SOME_EXPERT | MISTAKES | INSIDE, evidence="exact")  # fmt: skip
@theorem("cos511-thm2", "Theorem 2",
         premises=SOME_EXPERT | MISTAKES | INSIDE_OR_PERFECT,
         errata="cos511-E1 cos511-E16 cos511-E17", evidence="exhaustive adversary",
         nontrivial=True, unit="expected mistakes")  # fmt: skip
def randomized_bound(*, beta, n, best):
    """``a * best + c * ln(n)`` with Theorem 2's constants."""
    return _plain(_randomized(beta, n, best))


@theorem("cos511-rem-exp", S12, relation="==", errata="cos511-E16",
         evidence="exhaustive")  # fmt: skip
def sum_of_losses(*, losses):
    """``l_1 + ... + l_T`` (time on axis 0)."""
    return np.asarray(losses).sum(axis=0)


@theorem("cos511-rem-abeta1", S12, relation="<", premises=INSIDE, evidence="exact")
def leading_constant_of_randomized(*, beta):
    """Theorem 2's ``a_beta``."""
    return _plain(_randomized(beta, 1, 1))


@theorem("cos511-rem-halve", S12, relation="<", premises=INSIDE, errata="cos511-E3",
         evidence="exact")  # fmt: skip
def ratio_of_leading_constants(*, beta):
    """The limit of the ratio."""
    return 2


@theorem("cos511-pf2-l", "Theorem 2, proof", relation="==", premises=INSIDE,
         evidence="steps exact")  # fmt: skip
def wrong_share(*, beta, mistakes, erred):
    """The share of the weight on the experts that ``erred`` (0/1 an expert)."""
    weights = powers(beta, np.asarray(mistakes))
    return (weights * np.asarray(erred)).sum(axis=-1) / weights.sum(axis=-1)


@theorem("cos511-pf2-W", "Theorem 2, proof", relation="==", premises=INSIDE,
         evidence="steps exact")  # fmt: skip
def weight_after_round(*, beta, before, losses):
    """``W * (1 - l * (1 - beta))``, for the weights before each round."""
    return before * (1 - np.asarray(losses) * (1 - beta))


@theorem("cos511-pf2-prod", "Theorem 2, proof", relation="==",
         premises=SOME_EXPERT | INSIDE, evidence="steps exact")  # fmt: skip
def weight_as_product(*, beta, n, losses):
    """``n`` times the product over the rounds (time on axis 0)."""
    return n * np.prod(1 - np.asarray(losses) * (1 - beta), axis=0)


@theorem("cos511-pf2-exp", "Theorem 2, proof", premises=SOME_EXPERT | INSIDE,
         evidence="steps")  # fmt: skip
def weight_at_most(*, beta, n, losses):
    """``n * exp(-(1 - beta) * sum of losses)`` (time on axis 0)."""
    total = _real(np.asarray(losses).sum(axis=0))
    return _plain(_real(n) * np.exp(-(1 - _real(beta)) * total))


@theorem("cos511-pf2-lb", "Theorem 2, proof", premises=SOME_EXPERT | INSIDE,
         evidence="steps")  # fmt: skip
def weight_sandwich(*, beta, n, expected):
    """``n * exp(-(1 - beta) * expected)``."""
    return _plain(_real(n) * np.exp(-(1 - _real(beta)) * _real(expected)))


# ---------------------------------------------------------------- section 1.3


@theorem("cos511-tune", S13, relation="==",
         premises=TWO_EXPERTS | {"K > 0": lambda cap: np.asarray(cap) > 0},
         errata="cos511-E2", evidence="exact")  # fmt: skip
def tuned_penalty(*, n, cap):
    """``1 / (1 + sqrt(2 ln(n) / cap))``."""
    return _plain(1 / (1 + np.sqrt(2 * np.log(_real(n)) / _real(cap))))


@theorem("cos511-tuned", S13, premises=TWO_EXPERTS | CAPPED, errata="cos511-E2",
         evidence="exact exhaustive", nontrivial=True,
         unit="expected mistakes")  # fmt: skip
def tuned_bound(*, n, best, cap):
    """``best + sqrt(2 cap ln n) + ln n``."""
    log_n = np.log(_real(n))
    return _plain(_real(best) + np.sqrt(2 * _real(cap) * log_n) + log_n)


@theorem("cos511-fig1", "Figure 1",
         premises=INSIDE | {"0 <= s <= 1": lambda share: (share >= 0) & (share <= 1)},
         errata="cos511-E4 cos511-E14", evidence="exact steps")  # fmt: skip
def admissible_chance(*, beta, share):
    """The largest admissible chance of an error if this share of the weight errs."""
    lost = -np.log1p(-_real(share) * (1 - _real(beta)))
    return _plain(lost / (2 * np.log(2 / (1 + _real(beta)))))


@theorem("cos511-improve-beta", S13 + ", proof of the improved bound",
         premises=SOME_EXPERT | MISTAKES | INSIDE_OR_PERFECT, errata="cos511-E14",
         evidence="exhaustive random", nontrivial=True,
         unit="expected mistakes")  # fmt: skip
def improved_bound_any_penalty(*, beta, n, best):
    """Half of Theorem 1's bound."""
    return _plain(_majority(beta, n, best) / 2)


@theorem("cos511-improve", S13, premises=TWO_EXPERTS | CAPPED,
         errata="cos511-E14 cos511-E17", evidence="exact exhaustive adversary",
         nontrivial=True, unit="expected mistakes")  # fmt: skip
def improved_bound(*, n, best, cap):
    """``best + sqrt(cap ln n) + lg(n) / 2``."""
    n = _real(n)
    return _plain(_real(best) + np.sqrt(_real(cap) * np.log(n)) + np.log2(n) / 2)


@theorem("cos511-improve-penalty", S13 + ", proof of the improved bound", relation="==",
         premises=TWO_EXPERTS | {"K > 0": lambda cap: np.asarray(cap) > 0},
         evidence="exact")  # fmt: skip
def improved_bound_at_the_cap(*, n, cap):
    """The improved bound if the best expert makes ``cap`` mistakes."""
    return improved_bound(n=n, best=cap, cap=cap)


@theorem("cos511-rem-K0", S13, premises=TWO_EXPERTS, errata="cos511-E17",
         evidence="adversary exhaustive", nontrivial=True,
         unit="expected mistakes")  # fmt: skip
def half_of_halving(*, n):
    """``lg(n) / 2``."""
    return _plain(np.log2(_real(n)) / 2)


@theorem("cos511-rate", S13, premises=TWO_EXPERTS | SOME_ROUND | CAPPED_RATE,
         evidence="exhaustive", nontrivial=True)  # fmt: skip
def improved_rate(*, n, best, rate, rounds):
    """``best / T + sqrt(r ln(n) / T) + lg(n) / (2 T)``."""
    n, rounds = _real(n), _real(rounds)
    root = np.sqrt(_real(rate) * np.log(n) / rounds)
    return _plain(_real(best) / rounds + root + np.log2(n) / (2 * rounds))


@theorem("cos511-rem-rates", S13, relation="==", errata="cos511-E5", evidence="exact",
         premises={
    "0 <= a <= 1": lambda a: (np.asarray(a) >= 0) & (np.asarray(a) <= 1),
})  # fmt: skip
def exponent_of_excess(*, a):
    """``(1 + a) / 2``."""
    return (1 + np.asarray(a)) / 2


@theorem("cos511-rem-KT2", S13, premises=SOME_ROUND, errata="cos511-E6",
         evidence="exhaustive")  # fmt: skip
def half_of_the_rounds(*, rounds):
    """``floor(T / 2)``."""
    return np.asarray(rounds) // 2


@theorem("cos511-cor-T", S13, premises=TWO_EXPERTS | SOME_ROUND | HALF_AT_MOST,
         errata="cos511-E6", evidence="exhaustive", nontrivial=True,
         unit="expected mistakes")  # fmt: skip
def improved_bound_for_horizon(*, n, best, rounds):
    """``best + sqrt(T ln(n) / 2) + lg(n) / 2``."""
    return improved_bound(n=n, best=best, cap=_real(rounds) / 2)


@theorem("cos511-lb-expert", S13, relation="==", premises=SOME_ROUND, evidence="exact")
@theorem("cos511-lb-learner", S13, relation="==", premises=SOME_ROUND,
         evidence="exhaustive exact")  # fmt: skip
def half_the_rounds(*, rounds):
    """``T / 2`` as a Fraction."""
    return Fraction(int(rounds), 2)


@theorem("cos511-lb-sum", S13, relation="==", premises=SOME_EXPERT | SOME_ROUND,
         evidence="exhaustive")  # fmt: skip
def mean_of_the_minimum(*, n, rounds):
    """``E[min L]`` as a Fraction, for whole numbers or arrays of them."""
    return np.vectorize(expected_best, otypes=[object])(n, rounds)[()]


@theorem("cos511-lb-min", S13, relation=">=", premises=SOME_EXPERT | SOME_ROUND,
         errata="cos511-E7", evidence="exact exhaustive")  # fmt: skip
def least_expected_minimum(*, n, rounds):
    """``T / 2 - sqrt(T ln(n) / 2)``."""
    rounds = _real(rounds)
    return _plain(rounds / 2 - np.sqrt(rounds * np.log(_real(n)) / 2))


@theorem("cos511-lb", S13, relation=">=", premises=TWO_EXPERTS | SOME_ROUND,
         errata="cos511-E7", evidence="exhaustive exact")  # fmt: skip
def least_worst_regret(*, n, rounds):
    """``T / 2 - E[min L]`` on random data, as a Fraction."""
    return Fraction(rounds, 2) - expected_best(n, rounds)


@theorem("cos511-lb-K", S13 + ", for a known K", relation=">=",
         premises=TWO_EXPERTS | {"K >= 1": lambda cap: np.asarray(cap) >= 1},
         evidence="exhaustive")  # fmt: skip
def least_worst_regret_within(*, n, cap):
    """``K - E[m]`` on 2K rounds of coins, two of the n experts opposite; a Fraction."""
    chance = [Fraction(comb(2 * cap, k), 4**cap) for k in range(2 * cap + 1)]
    at_least = [sum(chance[k:]) for k in range(1, cap + 1)]
    return cap - sum((2 * p - 1) * p ** (n - 2) for p in at_least)
