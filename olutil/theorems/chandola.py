"""Chandola, Online Learning and Mistake Bounds: optimal bounds, Halving, Winnow."""

from math import comb

import numpy as np

from olutil.classes import disjunction_count
from olutil.theorems._common import K_OF_D, SOME_FEATURE, SOME_RELEVANT, floor_lg
from olutil.theorems._registry import theorem

K_OF_SOME_D = SOME_FEATURE | K_OF_D
K_UP_TO_ROOT_D = {
    "1 <= k <= sqrt(d)": lambda d, k: (np.asarray(k) >= 1) & (np.asarray(k) ** 2 <= d)
}
HALF = {"Theta >= 1/2": lambda theta: 2 * np.asarray(theta) >= 1}
NONEMPTY = {"|C| >= 1": lambda size: np.asarray(size) >= 1}


def _size(d, k):
    """The sizes of the classes of disjunctions, as Python integers."""
    return np.vectorize(disjunction_count, otypes=[object])(d, k)


# ---------------------------------------------------------------- sections 1 and 2


@theorem("chan-why", "section 1", relation="==", evidence="exhaustive")
def bound_of_the_disjunctions(*, disjunctions):
    """opt of the disjunctions of literals."""
    return disjunctions


# ---------------------------------------------------------------- section 3


@theorem("chan-rem-upper", "section 3", relation=">=", errata="chan-E14",
         evidence="exhaustive", nontrivial=True, unit="mistakes")  # fmt: skip
@theorem("chan-rem-hardest", "section 3", relation="==", evidence="exhaustive")
@theorem("chan-def-opt", "section 3", relation="==", evidence="exhaustive")
def littlestone_dimension_of_the_class(*, dimension):
    """opt(C), the depth of the deepest complete mistake tree."""
    return dimension


@theorem("chan-rem-exact", "section 3.1", relation="==", errata="chan-E1",
         evidence="exhaustive", premises={
    "an empty part has -1": lambda zero, one: (
        (np.asarray(zero) >= -1) & (np.asarray(one) >= -1)
    ),
})  # fmt: skip
def recursion(*, zero, one):
    """``max (1 + min(zero, one))`` over the points (last axis); -1 if empty."""
    return (1 + np.minimum(zero, one)).max(axis=-1)


@theorem("chan-b-2d", "section 3.1", errata="chan-E15", evidence="exhaustive",
         nontrivial=True, unit="mistakes")  # fmt: skip
def number_of_points(*, d):
    """``2 ** d``."""
    return 2 ** np.asarray(d)


@theorem("chan-b-C1", "section 3.1", premises=NONEMPTY, errata="chan-E2",
         evidence="exhaustive adversary", nontrivial=True, unit="mistakes")  # fmt: skip
def all_concepts_but_one(*, size):
    """``|C| - 1``."""
    return np.asarray(size) - 1


@theorem("chan-conj", "section 3.1", relation="==", premises=SOME_FEATURE,
         errata="chan-E18", evidence="exhaustive adversary",
         nontrivial=True)  # fmt: skip
def one_more_than_the_variables(*, d):
    """``d + 1``."""
    return np.asarray(d) + 1


@theorem("chan-b-log", "section 3.1", premises=NONEMPTY, errata="chan-E3",
         evidence="exhaustive", nontrivial=True, unit="mistakes")  # fmt: skip
def floor_of_lg_size(*, size):
    """``floor(lg |C|)``."""
    return floor_lg(size)


# ---------------------------------------------------------------- section 4


@theorem("chan-rem-halves", "section 4.1", evidence="steps", nontrivial=True,
         unit="concepts")  # fmt: skip
def half_of_the_version_space(*, before):
    """``before / 2``."""
    return np.asarray(before) / 2


@theorem("chan-halving-tight", "section 4.1, supplied", relation="==",
         evidence="exhaustive")  # fmt: skip
def counts_of_classes():
    """Classes; those on the bound; those above opt; size of the smallest of these."""
    return np.array([65535, 61103, 1456, 8])


@theorem("chan-rem-infeasible", "section 4.1", relation="==", evidence="exhaustive")
def conjunctions_of_literals(*, d):
    """``3 ** d + 1``."""
    return 3 ** np.asarray(d) + 1


# ---------------------------------------------------------------- section 5


@theorem("chan-card", "section 5", relation="==", premises=K_OF_SOME_D,
         errata="chan-E7", evidence="exhaustive")  # fmt: skip
def number_of_disjunctions(*, d, k):
    """The sum of the binomials ``d choose j``, j up to k."""
    return _size(d, k)


@theorem("chan-mb", "section 5", premises=K_OF_SOME_D, evidence="exhaustive",
         nontrivial=True, unit="mistakes")  # fmt: skip
def halving_on_disjunctions(*, d, k):
    """``floor(lg |C|)``."""
    return floor_lg(_size(d, k))


@theorem("chan-theta", "section 5", errata="chan-E8", evidence="exhaustive", premises={
    "d >= 2": lambda d: np.asarray(d) >= 2,
    **K_UP_TO_ROOT_D,
    "side is upper or lower": lambda side: side in ("upper", "lower"),
})  # fmt: skip
def order_of_lg_size(*, d, k, side):
    """Upper side: a bound on ``lg |C|``; lower side: on its reciprocal."""
    k = np.asarray(k)
    return k * np.log2(np.add(d, 1)) if side == "upper" else 2 / (k * np.log2(d))


@theorem("chan-rem-inner", "section 5.1", relation="==",
         premises={"x in {0,1}^d": lambda x: np.isin(x, (0, 1))},
         evidence="exact")  # fmt: skip
def sum_of_active_weights(*, w, x):
    """The sum of ``w[j]`` over the active attributes; attributes on the last axis."""
    return np.where(np.asarray(x) == 1, w, 0).sum(axis=-1)


@theorem("chan-sep-disj", "section 5.1", relation="==", evidence="exhaustive",
         premises={
    "0 < Theta <= 1": lambda theta: (np.asarray(theta) > 0) & (np.asarray(theta) <= 1),
})  # fmt: skip
def points_on_the_wrong_side(*, theta):
    """None."""
    return 0


@theorem("chan-rem-name", "section 5.2", relation=">=", errata="chan-E16",
         evidence="steps", nontrivial=True)  # fmt: skip
def least_relevant_weight():
    """1."""
    return 1


@theorem("chan-rem-move", "section 5.2", relation="==", evidence="steps")
def weights_after_the_round(*, w, x, y, y_hat):
    """The weights after a round; attributes on the last axis."""
    y, y_hat = np.asarray(y)[..., None], np.asarray(y_hat)[..., None]
    factor = np.where(y > y_hat, 2, np.where(y < y_hat, 0, 1))
    return np.where(np.asarray(x) == 1, factor * w, w)


@theorem("chan-winnow-steps", "section 5.3, supplied", evidence="steps adversary",
         nontrivial=True, premises={
    **K_OF_SOME_D,
    **HALF,
    "promotions given for the eliminations": lambda promotions=None: (
        promotions is None or np.all(np.asarray(promotions) >= 0)
    ),
})  # fmt: skip
def promotions_or_eliminations(*, d, k, theta, promotions=None):
    """Most promotions; given their number, the most eliminations (a whole number)."""
    if promotions is None:
        # 2 Theta >= 1, and floor(lg Theta) + 1 = floor(lg 2 Theta).
        return k * floor_lg(np.floor(2 * np.asarray(theta)))
    return np.ceil(promotions + np.asarray(d) / np.asarray(theta)).astype(int) - 1


@theorem("chan-winnow", "section 5.3", premises=K_OF_SOME_D, errata="chan-E11",
         evidence="exhaustive adversary", nontrivial=True, unit="mistakes")  # fmt: skip
def winnow_bound(*, d, k):
    """``2 k floor(lg d) + 1``."""
    return 2 * np.asarray(k) * floor_lg(d) + 1


@theorem("chan-winnow-opt", "section 5.3",
         premises={"d >= 4": lambda d: np.asarray(d) >= 4, **K_UP_TO_ROOT_D},
         errata="chan-E12", evidence="exhaustive", nontrivial=True,
         unit="mistakes")  # fmt: skip
def seven_times_optimal(*, opt):
    """``7 opt``."""
    return 7 * np.asarray(opt)


@theorem("chan-rem-theta", "section 5.3", relation="<",
         premises={**K_OF_SOME_D, **HALF}, errata="chan-E13", evidence="exhaustive",
         nontrivial=True, unit="mistakes")  # fmt: skip
def winnow_bound_with_threshold(*, d, k, theta):
    """``2 k (lg theta + 1) + d / theta``."""
    theta = np.asarray(theta, dtype=float)
    return 2 * np.asarray(k) * (np.log2(theta) + 1) + np.asarray(d) / theta


@theorem("chan-winnow-k", "section 5.3, supplied",
         premises=SOME_RELEVANT, evidence="exhaustive adversary", nontrivial=True,
         unit="mistakes")  # fmt: skip
def winnow_bound_knowing_k(*, d, k):
    """``k (2 floor(lg (d / k)) + 3) - 1``."""
    return np.asarray(k) * (2 * floor_lg(np.floor_divide(d, k)) + 3) - 1


@theorem("chan-winnow-every-k", "section 5.3, supplied", premises=SOME_RELEVANT,
         evidence="exhaustive", nontrivial=True, unit="mistakes")  # fmt: skip
def five_times_optimal(*, opt):
    """``5 opt``."""
    return 5 * np.asarray(opt)


@theorem("chan-named-arb", "section 5.3, named there", evidence="exhaustive random",
         nontrivial=True, unit="mistakes", premises={
    **SOME_FEATURE,
    "0 <= k <= 2d": lambda d, k: (
        (np.asarray(k) >= 0) & (np.asarray(k) <= 2 * np.asarray(d))
    ),
})  # fmt: skip
def winnow_bound_for_literals(*, d, k):
    """``2 k floor(lg 2d) + 1``."""
    return winnow_bound(d=2 * np.asarray(d), k=k)


@theorem("chan-named-kdnf", "section 5.3, named there", evidence="exhaustive random",
         nontrivial=True, unit="mistakes", premises={
    "1 <= k <= n": lambda n, k: 1 <= k <= n,
    "0 <= s <= N": lambda n, k, terms: 0 <= terms <= number_of_terms(n, k),
})  # fmt: skip
def winnow_bound_for_dnf(*, n, k, terms):
    """``2 s floor(lg N) + 1``, s the number of terms of the target."""
    return winnow_bound(d=number_of_terms(n, k), k=terms)


def number_of_terms(n: int, k: int) -> int:
    """The nonempty terms of at most k literals, no variable twice: N."""
    return sum(comb(n, j) * 2**j for j in range(1, k + 1))


@theorem("chan-example-kdnf", "section 5.3", evidence="random adversary",
         nontrivial=True, unit="mistakes")  # fmt: skip
def winnow_bound_for_the_example():
    """The bound for n = 7, k = 2 and three terms."""
    return winnow_bound_for_dnf(n=7, k=2, terms=3)


@theorem("chan-rem-ltc", "section 5.3", relation="==", evidence="steps")
def side_of_the_hyperplane(*, w, x, theta):
    """``[w . x > theta]``; attributes on the last axis."""
    return ((np.asarray(w) * x).sum(axis=-1) > theta).astype(int)
