"""Across the lectures: what each convention that they fix differently costs.

Bounds that a lecture has are taken from its own entry in the registry.
"""

import numpy as np

from olutil.theorems._common import INSIDE, K_OF_D, floor_lg
from olutil.theorems._registry import bound, theorem
from olutil.theorems.cos511_perceptron import MARGIN

NOT_EMPTY = {"C is not empty": lambda size: np.asarray(size) >= 1}


@theorem("x-halving", "Kakade, Algorithm 1; Das, slide 21; Chandola, section 4.1",
         premises=NOT_EMPTY, errata="x-E1", evidence="exhaustive", nontrivial=True,
         unit="mistakes")  # fmt: skip
def halving_bound(*, size):
    """``floor(lg |C|)``, for either of the two."""
    return floor_lg(size)


@theorem("x-ties", "Kakade, section 2; Chandola, section 4.1; COS 511, introduction",
         relation="==",
         premises={"1 to 4 points": lambda points: (points >= 1) & (points <= 4)},
         errata="kak-E9", evidence="exhaustive")  # fmt: skip
def classes_where_ties_matter(*, points):
    """Number of classes over so many points whose worst case the rule changes."""
    return np.array([0, 0, 0, 2336])[np.asarray(points) - 1]


@theorem("x-wma-regimes",
         "COS 511, Theorem 1; Kitani and Chen, section 1; Das, slides 22-25",
         premises=INSIDE, evidence="exhaustive", nontrivial=True,
         unit="mistakes")  # fmt: skip
def weighted_majority_bound(*, beta, n, best):
    """Theorem 1 of COS 511."""
    return bound("cos511-thm1", beta=beta, n=n, best=best)


@theorem("x-winnow", "Chandola, section 5; Kitani and Chen, section 4",
         errata="chan-E10", evidence="exhaustive", nontrivial=True, unit="mistakes",
         premises=K_OF_D | {
    "demote is eliminate or divide": lambda demote: demote in ("eliminate", "divide"),
})  # fmt: skip
def winnow_bound(*, d, k, demote):
    """The bound of the lecture that demotes in this way.

    Fewer than a bound, for a whole number, is at most its ceiling minus 1.
    """
    if demote == "eliminate":
        return 2 * np.asarray(k) * np.log2(d) + 2
    return np.ceil(bound("kit-thm-winnow", n=d, k=k)) - 1


@theorem("x-perceptron",
         "Kakade, Theorem 4.1; COS 511, Theorem 3; Kitani and Chen, Theorem 1",
         premises=MARGIN, errata="cos511-E15 kak-E10",
         evidence="exhaustive random adversary", nontrivial=True,
         unit="mistakes")  # fmt: skip
def perceptron_bound(*, X, y, u):
    """``R**2 |u|**2 / gamma**2``."""
    return bound("cos511-ass-norm", X=X, y=y, u=u)


@theorem("x-chain", "Chandola, section 3.1; COS 511, section 2; Kakade, Theorem 2.2",
         premises=NOT_EMPTY, evidence="exhaustive")  # fmt: skip
def links_of_the_chain(*, opt, halving, size):
    """What each of VC, opt, Halving and floor(lg |C|) must not exceed."""
    return np.stack([opt, halving, floor_lg(size), np.asarray(size) - 1])
