"""Across the lectures: what each convention that they fix differently costs.

Bounds that a lecture has are taken from its own entry in the registry.
"""

import numpy as np

from olutil.theorems._common import INSIDE, K_OF_D, floor_lg
from olutil.theorems._registry import bound, theorem
from olutil.theorems.cos511_perceptron import MARGIN

NOT_EMPTY = {"C is not empty": lambda size: np.asarray(size) >= 1}


@theorem(
    "x-halving",
    "Two algorithms called Halving",
    r"Halving may drop the wrong concepts in every round (eager) or only in the rounds "
    r"in which it errs (lazy). These are two learners. On a finite class $C$ that "
    r"contains the target each makes at most $\lfloor \lg |C| \rfloor$ mistakes. Their "
    r"worst cases agree on every class over at most four points, and differ on some "
    r"classes over five.",
    where="Kakade, Algorithm 1; Das, slide 21; Chandola, section 4.1",
    premises=NOT_EMPTY,
    errata=("x-E1",),
    evidence=("exhaustive",),
    nontrivial=True,
)
def halving_bound(*, size):
    """``floor(lg |C|)``, for either of the two."""
    return floor_lg(size)


@theorem(
    "x-ties",
    "What the tie rule changes",
    r"For the eager Halving algorithm, breaking ties to 1 and breaking them to 0 have "
    r"the same worst case on every class over at most three points. Over four points "
    r"the two worst cases differ on 2336 of the 65535 classes.",
    where="Kakade, section 2; Chandola, section 4.1; COS 511, introduction",
    relation="==",
    premises={"1 to 4 points": lambda points: (points >= 1) & (points <= 4)},
    errata=("kak-E9",),
    evidence=("exhaustive",),
)
def classes_where_ties_matter(*, points):
    """Number of classes over so many points whose worst case the rule changes."""
    return np.array([0, 0, 0, 2336])[np.asarray(points) - 1]


@theorem(
    "x-wma-regimes",
    "Weighted Majority, updated always or on mistakes",
    r"Whether Weighted Majority lowers the weights of the wrong experts in every round "
    r"or only in the rounds in which it errs itself, and however it breaks ties, it "
    r"makes at most $a_\beta m + c_\beta \lg N$ mistakes, with the $a_\beta$ and "
    r"$c_\beta$ of Theorem 1 of COS 511.",
    where="COS 511, Theorem 1; Kitani and Chen, section 1; Das, slides 22-25",
    premises=INSIDE,
    evidence=("exhaustive",),
    nontrivial=True,
)
def weighted_majority_bound(*, beta, n, best):
    """Theorem 1 of COS 511."""
    return bound("cos511-thm1", beta=beta, n=n, best=best)


@theorem(
    "x-winnow",
    "Two algorithms called Winnow",
    r"Let the labels be a monotone disjunction of $k$ of $d$ variables. Chandola's "
    r"Winnow (threshold $d/2$, a false positive sets weights to 0) makes at most "
    r"$2k \lg d + 2$ mistakes, whether it predicts 1 for $w \cdot x > d/2$ or for "
    r"$w \cdot x \ge d/2$. That of Kitani and Chen (threshold $d$, a false positive "
    r"halves weights) makes fewer than $2 + 3k(\lg d + 1)$.",
    where="Chandola, section 5; Kitani and Chen, section 4",
    premises=K_OF_D
    | {
        "demote is eliminate or divide": lambda demote: (
            demote in ("eliminate", "divide")
        ),
    },
    errata=("chan-E10",),
    evidence=("exhaustive",),
    nontrivial=True,
)
def winnow_bound(*, d, k, demote):
    """The bound of the lecture that demotes in this way.

    Fewer than a bound, for a whole number, is at most its ceiling minus 1.
    """
    if demote == "eliminate":
        return 2 * np.asarray(k) * np.log2(d) + 2
    return np.ceil(bound("kit-thm-winnow", n=d, k=k)) - 1


@theorem(
    "x-perceptron",
    "What the value of sign(0) changes",
    r"Let $R = \max_t \lVert x_t \rVert$ and $y_t (u \cdot x_t) \ge \gamma > 0$ for "
    r"every $t$. The Perceptron makes at most $R^2 \lVert u \rVert^2 / \gamma^2$ "
    r"mistakes, whether an inner product of 0 counts as a mistake or is predicted as "
    r"$+1$ or as $-1$. If only $y_t (w_t \cdot x_t) < 0$ counts, the bound still "
    r"holds, but the weights stay 0 forever.",
    where="Kakade, Theorem 4.1; COS 511, Theorem 3; Kitani and Chen, Theorem 1",
    premises=MARGIN,
    errata=("cos511-E15", "kak-E10"),
    evidence=("exhaustive", "random", "adversary"),
    nontrivial=True,
)
def perceptron_bound(*, X, y, u):
    """``R**2 |u|**2 / gamma**2``."""
    return bound("cos511-ass-norm", X=X, y=y, u=u)


@theorem(
    "x-chain",
    "The chain of complexities",
    r"For every nonempty finite class $C$: $\operatorname{VC}(C) \le "
    r"\operatorname{opt}(C) \le M_{\text{Halving}}(C) \le \lfloor \lg |C| \rfloor \le "
    r"|C| - 1$, where $\operatorname{opt}$ is the least worst case of a deterministic "
    r"learner, and Halving may break ties either way and be eager or lazy.",
    where="Chandola, section 3.1; COS 511, section 2; Kakade, Theorem 2.2",
    premises=NOT_EMPTY,
    evidence=("exhaustive",),
)
def links_of_the_chain(*, opt, halving, size):
    """What each of VC, opt, Halving and floor(lg |C|) must not exceed."""
    return np.stack([opt, halving, floor_lg(size), np.asarray(size) - 1])
