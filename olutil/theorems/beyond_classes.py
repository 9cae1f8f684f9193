"""Beyond the lectures: exact values of opt for classes, and where Halving loses."""

import numpy as np

from olutil.theorems._common import SOME_RELEVANT, floor_lg
from olutil.theorems._registry import theorem

BEST = "What the best learner can do"
HALVING = "Halving is not optimal"

SOME_POINT = {"n >= 1": lambda points: np.asarray(points) >= 1}
TWO_POINTS = {"n >= 2": lambda points: np.asarray(points) >= 2}
POWER_OF_TWO = {
    "|C| is a power of 2": lambda size: np.bitwise_count(np.asarray(size)) == 1
}
AT_MOST_ONE = {"opt(C) <= 1": lambda opt: np.asarray(opt) <= 1}
TWO_STEPS = {"m >= 2": lambda m: np.asarray(m) >= 2}
THREE_STEPS = {"m >= 3": lambda m: np.asarray(m) >= 3}

# ---------------------------------------------------------------- the best learner


@theorem("bey-labelings", BEST, relation="==", evidence="exhaustive")
@theorem("bey-one", HALVING, relation="==", premises=AT_MOST_ONE, evidence="exhaustive")
@theorem("bey-certificate", BEST, evidence="exhaustive")
def optimum(*, opt):
    """opt(C), found in another way than what is compared with it."""
    return opt


@theorem("bey-linear", BEST, relation="==", premises=POWER_OF_TWO,
         evidence="exhaustive")  # fmt: skip
def dimension_of_the_space(*, size):
    """``lg |C|``, a whole number."""
    return floor_lg(size)


@theorem("bey-thresholds", BEST, relation="==", premises=SOME_POINT,
         evidence="exhaustive")  # fmt: skip
def measures_of_thresholds(*, points):
    """VC, opt, and Halving; shape (3, ...)."""
    search = floor_lg(np.asarray(points) + 1)
    return np.stack([np.ones_like(search), search, search])


@theorem("bey-singletons", BEST, relation="==", premises=TWO_POINTS,
         evidence="exhaustive")  # fmt: skip
def measures_of_singletons(*, points):
    """VC, opt, and Halving; shape (3, ...)."""
    return np.ones((3, *np.shape(points)), dtype=int)


@theorem("bey-coins", BEST, evidence="exhaustive", unit="mistakes")
def coins_and_no_coins(*, coins, opt):
    """What ``opt / 2`` and RL(C) must not exceed: RL(C) and opt."""
    return np.stack([coins, opt])


@theorem("bey-disjunctions", BEST, relation=">=", premises=SOME_RELEVANT,
         evidence="exhaustive adversary", nontrivial=True, unit="mistakes")  # fmt: skip
def mistakes_by_groups(*, d, k):
    """``k (a - 1) + floor((d + k) / 2**a)``."""
    d, k = np.asarray(d), np.asarray(k)
    a = floor_lg((d + k) // k)
    return k * (a - 1) + (d + k) // 2**a


# ---------------------------------------------------------------- Halving


@theorem("bey-four", HALVING, relation="==", evidence="exhaustive")
def classes_where_halving_loses():
    """Losses over 1, 2, 3 and 4 points; the only size, opt and worst case there."""
    return np.array([0, 0, 0, 1456, 8, 2, 3])


@theorem("bey-sum", HALVING, relation="==", evidence="exhaustive")
def sum_of_both(*, first, second):
    """The measure of the one class plus that of the other."""
    return np.asarray(first) + np.asarray(second)


@theorem("bey-stairs", HALVING, relation="==", premises=TWO_STEPS,
         evidence="exhaustive adversary")  # fmt: skip
def the_best_learner_and_halving_on_stairs(*, m):
    """opt and Halving; shape (2, ...)."""
    m = np.asarray(m)
    return np.stack([np.full_like(m, 2), m])


@theorem("bey-lazy", HALVING, evidence="exhaustive")
def worst_case_of_the_eager_form(*, eager):
    """The worst case of eager Halving with the same tie rule."""
    return eager


@theorem("bey-ties", HALVING, relation="==", premises=THREE_STEPS,
         evidence="exhaustive")  # fmt: skip
def the_four_kinds_of_halving_on_stairs(*, m):
    """opt; ties to 1 eager and lazy, ties to 0 eager and lazy; shape (5, ...)."""
    m = np.asarray(m)
    return np.stack([np.full_like(m, 2), m, m, m - 1, np.full_like(m, 2)])
