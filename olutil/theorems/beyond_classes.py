"""Beyond the lectures: exact values of opt for classes, and where Halving loses."""

from functools import partial

import numpy as np

from olutil.theorems._common import SOME_RELEVANT, floor_lg
from olutil.theorems._registry import theorem
from olutil.theorems.beyond_experts import value_with_perfect_expert

BEST = "What the best learner can do"
COINS = "What coins are worth"
HALVING = "Halving is not optimal"

SOME_POINT = {"n >= 1": lambda points: np.asarray(points) >= 1}
TWO_POINTS = {"n >= 2": lambda points: np.asarray(points) >= 2}
POWER_OF_TWO = {"|C| is a power of 2": lambda size: np.bitwise_count(size) == 1}
AT_LEAST_ONE = {"opt(C) >= 1": lambda opt: np.asarray(opt) >= 1}
AT_MOST_ONE = {"opt(C) <= 1": lambda opt: np.asarray(opt) <= 1}
TWO_STEPS = {"m >= 2": lambda m: np.asarray(m) >= 2}
THREE_STEPS = {"m >= 3": lambda m: np.asarray(m) >= 3}

exhausted = partial(theorem, evidence="exhaustive")
equal = partial(exhausted, relation="==")

# ---------------------------------------------------------------- the best learner


@equal("bey-labelings", BEST)
@equal("bey-one", HALVING, premises=AT_MOST_ONE)
@exhausted("bey-certificate", BEST)
@exhausted("bey-coin-below", COINS, relation="<", premises=AT_LEAST_ONE)
def optimum(*, opt):
    """opt(C), found in another way than what is compared with it."""
    return opt


@equal("bey-linear", BEST, premises=POWER_OF_TWO)
def dimension_of_the_space(*, size):
    """``lg |C|``, a whole number."""
    return floor_lg(size)


@equal("bey-thresholds", BEST, premises=SOME_POINT)
def measures_of_thresholds(*, points):
    """VC, opt, and Halving; shape (3, ...)."""
    search = floor_lg(np.asarray(points) + 1)
    return np.stack([np.ones_like(search), search, search])


@equal("bey-singletons", BEST, premises=TWO_POINTS)
def measures_of_singletons(*, points):
    """VC, opt, and Halving; shape (3, ...)."""
    return np.ones((3, *np.shape(points)), dtype=int)


@theorem("bey-disjunctions", BEST, relation=">=", premises=SOME_RELEVANT,
         evidence="exhaustive adversary", nontrivial=True, unit="mistakes")  # fmt: skip
def mistakes_by_groups(*, d, k):
    """``k (a - 1) + floor((d + k) / 2**a)``."""
    d, k = np.asarray(d), np.asarray(k)
    a = floor_lg((d + k) // k)
    return k * (a - 1) + (d + k) // 2**a


# ---------------------------------------------------------------- coins

equal("bey-coin-even", COINS)(value_with_perfect_expert)
exhausted("bey-coin-size", COINS)(value_with_perfect_expert)


@equal("bey-coin-gaps", COINS)
@exhausted("bey-coin-potential", COINS, relation=">=")
@exhausted("bey-coin-tree", COINS)
@theorem("bey-coins", COINS, relation="==", evidence="exhaustive adversary")
def least_expected(*, coins):
    """RL(C), found in another way than what is compared with it."""
    return coins


@exhausted("bey-coin-half", COINS, unit="mistakes")
def coins_and_no_coins(*, coins, opt):
    """What ``opt / 2`` and RL(C) must not exceed: RL(C) and opt."""
    return np.stack([coins, opt])


# ---------------------------------------------------------------- Halving


@equal("bey-four", HALVING)
def classes_where_halving_loses():
    """Losses over 1, 2, 3 and 4 points; the only size, opt and worst case there."""
    return np.array([0, 0, 0, 1456, 8, 2, 3])


@equal("bey-coin-sum", COINS)
@equal("bey-sum", HALVING)
def sum_of_both(*, first, second):
    """The measure of the one class plus that of the other."""
    return np.asarray(first) + np.asarray(second)


@theorem("bey-stairs", HALVING, relation="==", premises=TWO_STEPS,
         evidence="exhaustive adversary")  # fmt: skip
def the_best_learner_and_halving_on_stairs(*, m):
    """opt and Halving; shape (2, ...)."""
    return np.stack([np.full_like(m, 2), m])


@exhausted("bey-lazy", HALVING)
def worst_case_of_the_eager_form(*, eager):
    """The worst case of eager Halving with the same tie rule."""
    return eager


@equal("bey-ties", HALVING, premises=THREE_STEPS)
def the_four_kinds_of_halving_on_stairs(*, m):
    """opt; ties to 1 eager and lazy, ties to 0 eager and lazy; shape (5, ...)."""
    m = np.asarray(m)
    return np.stack([np.full_like(m, 2), m, m, m - 1, np.full_like(m, 2)])
