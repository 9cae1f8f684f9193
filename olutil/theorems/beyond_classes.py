"""Beyond the lectures: exact values of opt for classes, and where Halving loses."""

import numpy as np

from olutil.theorems._common import K_OF_D, floor_lg
from olutil.theorems._registry import theorem

BEST = "What the best learner can do"
HALVING = "Halving is not optimal"

SOME_POINT = {"n >= 1": lambda points: np.asarray(points) >= 1}
TWO_POINTS = {"n >= 2": lambda points: np.asarray(points) >= 2}
SOME_RELEVANT = K_OF_D | {"k >= 1": lambda k: np.asarray(k) >= 1}
POWER_OF_TWO = {
    "|C| is a power of 2": lambda size: np.bitwise_count(np.asarray(size)) == 1
}
AT_MOST_ONE = {"opt(C) <= 1": lambda opt: np.asarray(opt) <= 1}
TWO_STEPS = {"m >= 2": lambda m: np.asarray(m) >= 2}
THREE_STEPS = {"m >= 3": lambda m: np.asarray(m) >= 3}

# ---------------------------------------------------------------- the best learner


@theorem(
    "bey-certificate",
    "A mistake tree is a certificate",
    r"Let a binary tree have points of the domain as inner nodes and the labels 0 and "
    r"1 as the two edges below each, let all its leaves have depth $m$, and let every "
    r"leaf name a concept of $\mathcal C$ that agrees with all labels on the path to "
    r"it. Then $\operatorname{opt}(\mathcal C) \ge m$.",
    where=BEST,
    evidence=("exhaustive",),
)
def what_a_tree_must_not_exceed(*, opt):
    """opt(C), found without a tree."""
    return opt


@theorem(
    "bey-labelings",
    "The optimal mistake bound from partial labelings",
    r"Let $\mathcal C$ be a nonempty class on finitely many points. Call a labeling of "
    r"some of the points $0$-deep if a concept of $\mathcal C$ agrees with it, and "
    r"$(m + 1)$-deep if at some point without a label both labels extend it to an "
    r"$m$-deep one. Then $\operatorname{opt}(\mathcal C)$ is the largest $m$ for which "
    r"the empty labeling is $m$-deep.",
    where=BEST,
    relation="==",
    evidence=("exhaustive",),
)
def depth_of_the_empty_labeling(*, opt):
    """opt(C), from the table of all classes or from the search for a tree."""
    return opt


@theorem(
    "bey-linear",
    "Linear classes",
    r"Let $\mathcal C$ be linear: it is not empty, and with any two of its concepts, "
    r"equal ones included, it contains their sum modulo 2. Then "
    r"$\operatorname{VC}(\mathcal C) = \operatorname{opt}(\mathcal C) = "
    r"M_{\text{Halving}}(\mathcal C) = \lg |\mathcal C|$, however Halving breaks ties "
    r"and whether it is eager or lazy.",
    where=BEST,
    relation="==",
    premises=POWER_OF_TWO,
    evidence=("exhaustive",),
)
def dimension_of_the_space(*, size):
    """``lg |C|``, a whole number."""
    return floor_lg(size)


@theorem(
    "bey-thresholds",
    "Thresholds",
    r"For the $n + 1$ thresholds on $n \ge 1$ points $\operatorname{VC} = 1$, and "
    r"$\operatorname{opt} = M_{\text{Halving}} = \lfloor \lg(n + 1) \rfloor$ for every "
    r"kind of Halving.",
    where=BEST,
    relation="==",
    premises=SOME_POINT,
    evidence=("exhaustive",),
)
def measures_of_thresholds(*, points):
    """VC, opt, and Halving; shape (3, ...)."""
    search = floor_lg(np.asarray(points) + 1)
    return np.stack([np.ones_like(search), search, search])


@theorem(
    "bey-singletons",
    "Singletons",
    r"For the $n$ singletons on $n \ge 2$ points $\operatorname{VC} = "
    r"\operatorname{opt} = M_{\text{Halving}} = 1$ for every kind of Halving.",
    where=BEST,
    relation="==",
    premises=TWO_POINTS,
    evidence=("exhaustive",),
)
def measures_of_singletons(*, points):
    """VC, opt, and Halving; shape (3, ...)."""
    return np.ones((3, *np.shape(points)), dtype=int)


@theorem(
    "bey-disjunctions",
    "A lower bound for disjunctions of few variables",
    r"Let $\mathcal C$ be the monotone disjunctions of at most $k$ of $d$ variables, "
    r"$1 \le k \le d$, and $a = \lfloor \lg \frac{d + k}{k} \rfloor$. Then "
    r"$\operatorname{opt}(\mathcal C) \ge k (a - 1) + \lfloor (d + k) / 2^a \rfloor$.",
    where=BEST,
    relation=">=",
    premises=SOME_RELEVANT,
    evidence=("exhaustive", "adversary"),
    nontrivial=True,
)
def mistakes_by_groups(*, d, k):
    """``k (a - 1) + floor((d + k) / 2**a)``."""
    d, k = np.asarray(d), np.asarray(k)
    a = floor_lg((d + k) // k)
    return k * (a - 1) + (d + k) // 2**a


# ---------------------------------------------------------------- Halving


@theorem(
    "bey-four",
    "The smallest classes on which Halving loses",
    r"None of the four kinds of Halving (ties to 1 or to 0, eager or lazy) ever makes "
    r"more than $\operatorname{opt}(\mathcal C)$ mistakes on a class over at most "
    r"three points. Over four points each of them does so on $1456$ classes, and each "
    r"of these has $|\mathcal C| = 8$, $\operatorname{opt}(\mathcal C) = 2$ and "
    r"$M_{\text{Halving}}(\mathcal C) = 3$.",
    where=HALVING,
    relation="==",
    evidence=("exhaustive",),
)
def classes_where_halving_loses():
    """Losses over 1, 2, 3 and 4 points; the only size, opt and worst case there."""
    return np.array([0, 0, 0, 1456, 8, 2, 3])


@theorem(
    "bey-one",
    "One mistake is one mistake",
    r"If $\operatorname{opt}(\mathcal C) \le 1$, then $M_{\text{Halving}}(\mathcal C) "
    r"= \operatorname{opt}(\mathcal C)$, however Halving breaks ties and whether it is "
    r"eager or lazy.",
    where=HALVING,
    relation="==",
    premises=AT_MOST_ONE,
    evidence=("exhaustive",),
)
def halving_on_the_easiest_classes(*, opt):
    """opt(C)."""
    return opt


@theorem(
    "bey-sum",
    "Two classes side by side",
    r"Let $\mathcal C \oplus \mathcal C'$ be the class on two disjoint domains "
    r"together whose concepts are all pairs, $c \in \mathcal C$ on the one and $c' \in "
    r"\mathcal C'$ on the other. Then $\operatorname{VC}$, $\operatorname{opt}$ and "
    r"$M_{\text{Halving}}$, with the same tie rule and the same way to prune, add up: "
    r"each of them is for $\mathcal C \oplus \mathcal C'$ the sum of what it is for "
    r"$\mathcal C$ and for $\mathcal C'$.",
    where=HALVING,
    relation="==",
    evidence=("exhaustive",),
)
def sum_of_both(*, first, second):
    """The measure of the one class plus that of the other."""
    return np.asarray(first) + np.asarray(second)


@theorem(
    "bey-stairs",
    "Two mistakes, or all that the logarithm allows",
    r"For $m \ge 2$ let $\mathcal S_m$ have the concepts $(j, i)$ with $0 \le j \le m$ "
    r"and $0 \le i < 2^j$ on the points $x_1, \dots, x_m$ and $y_1, \dots, y_{2^m - "
    r"1}$: the concept $(j, i)$ is $1$ at $x_j$ if $j \ge 1$, at $y_i$ if $i \ge 1$, "
    r"and nowhere else. Then $\operatorname{opt}(\mathcal S_m) = 2$, but "
    r"$M_{\text{Halving}}(\mathcal S_m) = m = \lfloor \lg |\mathcal S_m| \rfloor$, "
    r"however Halving breaks ties and whether it is eager or lazy.",
    where=HALVING,
    relation="==",
    premises=TWO_STEPS,
    evidence=("exhaustive", "adversary"),
)
def the_best_learner_and_halving_on_stairs(*, m):
    """opt and Halving; shape (2, ...)."""
    m = np.asarray(m)
    return np.stack([np.full_like(m, 2), m])


@theorem(
    "bey-lazy",
    "Laziness never costs a mistake",
    r"For every finite class and either tie rule, the worst case of lazy Halving is at "
    r"most that of eager Halving.",
    where=HALVING,
    evidence=("exhaustive",),
)
def worst_case_of_the_eager_form(*, eager):
    """The worst case of eager Halving with the same tie rule."""
    return eager


@theorem(
    "bey-ties",
    "What the tie rule and pruning can cost",
    r"For $m \ge 3$ let $\mathcal S'_m$ be like $\mathcal S_m$, but with $0 \le i < "
    r"2^{j - 1}$ for $j \ge 1$. Then $\operatorname{opt}(\mathcal S'_m) = 2$. With "
    r"ties to 1 Halving makes $m$ mistakes in the worst case, eager or lazy; with ties "
    r"to 0 it makes $m - 1$ if it is eager and $2$ if it is lazy.",
    where=HALVING,
    relation="==",
    premises=THREE_STEPS,
    evidence=("exhaustive",),
)
def the_four_kinds_of_halving_on_stairs(*, m):
    """opt; ties to 1 eager and lazy, ties to 0 eager and lazy; shape (5, ...)."""
    m = np.asarray(m)
    return np.stack([np.full_like(m, 2), m, m, m - 1, np.full_like(m, 2)])
