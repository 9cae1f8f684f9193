"""Das, 9.520, slides 20-25: the experts framework, Halving, Weighted Majority.

Outcomes and advice are 0 and 1, for the slides' -1 and +1.  Weighted Majority is the
slides' lazy form, which updates only in the rounds in which it errs.
"""

import numpy as np

from olutil._exact_sums import powers
from olutil.theorems._common import INSIDE, PENALTY, floor_lg
from olutil.theorems._registry import theorem

# ---------------------------------------------------------------- slide 21: Halving


@theorem("das-s21-halving", "slide 21", errata="das-E18",
         evidence="exhaustive adversary", nontrivial=True, unit="mistakes", premises={
    "at least one expert": lambda k: np.asarray(k) >= 1,
    "some expert makes no mistake": lambda best=0: np.asarray(best) == 0,
})  # fmt: skip
def halving_bound(*, k):
    """``floor(lg k)``."""
    return floor_lg(k)


@theorem("das-s21-q", "slide 21", relation="==", evidence="adversary", premises={
    "the best expert errs exactly once": lambda advice, y: (
        (advice != y[..., None]).sum(axis=0).min(axis=-1) == 1
    ),
})  # fmt: skip
def halving_fails(*, y):
    """The number of rounds."""
    return len(y)


# ---------------------------------------------------------------- slides 22-25


@theorem("das-s22-wm", "slide 22", relation="==", premises=PENALTY, errata="das-E9",
         evidence="exhaustive")  # fmt: skip
def lazy_weights(*, advice, y, beta):
    """The weights after the last round, by the box."""
    shared = np.zeros(np.shape(advice)[1:], dtype=int)
    for x_t, y_t in zip(advice, y, strict=True):
        vote = (powers(beta, shared) * (2 * x_t - 1)).sum(axis=-1) > 0
        both = (vote != y_t)[..., None] & (x_t != y_t[..., None])
        shared = shared + both
    return powers(beta, shared)


@theorem("das-s23-steps", "slide 23", evidence="steps", premises=PENALTY | {
    "some weight is left": lambda after=1: np.asarray(after) > 0,
})  # fmt: skip
def weight_after_mistakes(*, before, beta, mistakes=1, after=None):
    """``u**mistakes * before``; given ``after`` too, the bound on the mistakes."""
    if after is None:
        return ((1 + beta) / 2) ** mistakes * before
    ratio = np.asarray(before / after, dtype=float)
    return np.log(ratio) / np.log(2 / (1 + float(beta)))


@theorem("das-s24-step", "slide 24", evidence="exact", premises={
    "the prediction was the heavier side": lambda wrong, right: wrong >= right,
    **PENALTY,
})  # fmt: skip
def weight_after_one_mistake(*, wrong, right, beta):
    """``(1 + beta) / 2`` times the sum of the two sides."""
    return (1 + beta) / 2 * (wrong + right)


@theorem("das-thm-wm", "slide 24 (Littlestone and Warmuth)",
         premises=INSIDE | {"k >= 1": lambda k: k >= 1}, errata="das-E11",
         evidence="exhaustive", nontrivial=True, unit="mistakes")  # fmt: skip
def weighted_majority_bound(*, beta, k, best):
    """``(log k + best log(1 / beta)) / log(2 / (1 + beta))``."""
    beta = np.asarray(beta, dtype=float)
    return (np.log(k) + np.asarray(best) * np.log(1 / beta)) / np.log(2 / (1 + beta))


@theorem("das-bigfact", "slide 24", relation=">=",
         premises={"the learner errs in every round": lambda M, rounds: M == rounds},
         errata="das-E12", evidence="adversary", unit="mistakes")  # fmt: skip
def twice_the_best(*, best):
    """Twice the mistakes of the best expert."""
    return 2 * best


@theorem("das-s25-finish", "slide 25", relation=">=", premises=INSIDE, errata="das-E10",
         evidence="steps")  # fmt: skip
def weight_left(*, beta, errors):
    """``beta ** errors``, entry by entry."""
    return powers(beta, np.asarray(errors))
