"""Chandola, Online Learning and Mistake Bounds: optimal bounds, Halving, Winnow."""

from math import comb

import numpy as np

from olutil.classes import disjunction_count
from olutil.theorems._common import K_OF_D, SOME_FEATURE, floor_lg
from olutil.theorems._registry import definition, theorem

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


@theorem(
    "chan-why",
    "Conjunctions are as hard as disjunctions",
    r"For every $d \ge 1$, the conjunctions of literals over $d$ variables and the "
    r"disjunctions of literals over $d$ variables have the same optimal mistake bound.",
    where="section 1",
    relation="==",
    evidence=("exhaustive",),
)
def bound_of_the_disjunctions(*, disjunctions):
    """opt of the disjunctions of literals."""
    return disjunctions


definition(
    "chan-prot",
    "The online protocol",
    r"The domain is $X = \{0,1\}^d$, the target is a concept $c : X \to \{0,1\}$ from "
    r"a known class $\mathcal C$, and the data are a sequence $D = x^{(1)}, x^{(2)}, "
    r"\dots$ of points of $X$, in which points may come again. In round $i$ the "
    r"learner receives $x^{(i)}$, predicts $c_*(x^{(i)}) \in \{0,1\}$ and is then "
    r"told $c(x^{(i)})$; if the two differ, that is a mistake.",
    where="section 2",
    errata=("chan-E5", "chan-E15"),
)

definition(
    "chan-objective",
    "The learning objective",
    r"The learner's objective is to make as few mistakes as possible, whatever the "
    r"target and the sequence; its running time and its memory count as well.",
    where="section 2",
)

# ---------------------------------------------------------------- section 3

definition(
    "chan-def-M",
    "Mistakes of a learner in the worst case",
    r"$M_{\mathcal L}(c, D)$ is the number of mistakes of the learner $\mathcal L$ on "
    r"the sequence $D$ with labels from $c$. Its worst cases are $M_{\mathcal L}(c) = "
    r"\sup_D M_{\mathcal L}(c, D)$ and $M_{\mathcal L}(\mathcal C) = \max_{c \in "
    r"\mathcal C} M_{\mathcal L}(c)$, both in $\{0, 1, 2, \dots\} \cup \{\infty\}$.",
    where="section 3",
    errata=("chan-E17",),
)


@theorem(
    "chan-def-opt",
    "The optimal mistake bound is the Littlestone dimension",
    r"$\operatorname{opt}(\mathcal C) = \min_{\mathcal L} M_{\mathcal L}(\mathcal "
    r"C)$, the minimum over all deterministic learners. For a finite nonempty class "
    r"it is equal to the Littlestone dimension, the greatest depth of a complete "
    r"mistake tree of $\mathcal C$.",
    where="section 3",
    relation="==",
    evidence=("exhaustive",),
)
def littlestone_dimension_of_the_class(*, dimension):
    """The depth of the deepest complete mistake tree."""
    return dimension


definition(
    "chan-rem-indep",
    "What the optimal mistake bound depends on",
    r"$\operatorname{opt}(\mathcal C)$ depends on nothing but the class and its "
    r"domain: not on the target, not on the sequence of examples, and not on any one "
    r"learner.",
    where="section 3",
)


@theorem(
    "chan-rem-upper",
    "No learner beats the optimal mistake bound",
    r"$M_{\mathcal L}(\mathcal C) \ge \operatorname{opt}(\mathcal C)$ for every "
    r"deterministic learner $\mathcal L$: a lower bound on every learner's worst "
    r"case, and so an upper limit on how good a learner can be.",
    where="section 3",
    relation=">=",
    errata=("chan-E14",),
    evidence=("exhaustive",),
    nontrivial=True,
)
def no_learner_beats(*, dimension):
    """opt(C)."""
    return dimension


@theorem(
    "chan-rem-hardest",
    "The best learner on the hardest concept and sequence",
    r"The Standard Optimal Algorithm attains the minimum: on the hardest concept of "
    r"$\mathcal C$ and the hardest sequence it makes exactly "
    r"$\operatorname{opt}(\mathcal C)$ mistakes.",
    where="section 3",
    relation="==",
    evidence=("exhaustive",),
)
def mistakes_of_the_best_learner(*, dimension):
    """opt(C)."""
    return dimension


@theorem(
    "chan-rem-exact",
    "The optimal mistake bound can be computed",
    r"For a finite class the optimal mistake bound can be computed exactly. With "
    r"$\mathcal C_{x \to b} = \{c \in \mathcal C : c(x) = b\}$, it is "
    r"$\operatorname{opt}(\mathcal C) = \max_x \bigl(1 + "
    r"\min(\operatorname{opt}(\mathcal C_{x \to 0}), \operatorname{opt}(\mathcal C_{x "
    r"\to 1}))\bigr)$ over the points $x$ at which both parts are nonempty, and $0$ "
    r"if there is no such point.",
    where="section 3.1",
    relation="==",
    premises={
        "an empty part has -1": lambda zero, one: (
            (np.asarray(zero) >= -1) & (np.asarray(one) >= -1)
        ),
    },
    errata=("chan-E1",),
    evidence=("exhaustive",),
)
def recursion(*, zero, one):
    """``max (1 + min(zero, one))`` over the points (last axis); -1 if empty."""
    return (1 + np.minimum(zero, one)).max(axis=-1)


@theorem(
    "chan-b-2d",
    "At most one mistake a point",
    r"$\operatorname{opt}(\mathcal C) \le 2^d$ for every class on $\{0,1\}^d$.",
    where="section 3.1",
    errata=("chan-E15",),
    evidence=("exhaustive",),
    nontrivial=True,
)
def number_of_points(*, d):
    """``2 ** d``."""
    return 2 ** np.asarray(d)


@theorem(
    "chan-b-C1",
    "Trying the concepts one by one",
    r"$\operatorname{opt}(\mathcal C) \le |\mathcal C| - 1$: the learner that tries "
    r"the concepts one after the other, and gives each up at its first mistake, makes "
    r"at most $|\mathcal C| - 1$ mistakes.",
    where="section 3.1",
    premises=NONEMPTY,
    errata=("chan-E2",),
    evidence=("exhaustive", "adversary"),
    nontrivial=True,
)
def all_concepts_but_one(*, size):
    """``|C| - 1``."""
    return np.asarray(size) - 1


@theorem(
    "chan-conj",
    "Conjunctions with d + 1 mistakes",
    r"On the conjunctions of literals over $d$ variables, the empty and the "
    r"contradictory one included, the elimination of literals makes $d + 1$ mistakes "
    r"in the worst case, and no deterministic learner guarantees fewer.",
    where="section 3.1",
    relation="==",
    premises=SOME_FEATURE,
    errata=("chan-E18",),
    evidence=("exhaustive", "adversary"),
    nontrivial=True,
)
def one_more_than_the_variables(*, d):
    """``d + 1``."""
    return np.asarray(d) + 1


@theorem(
    "chan-b-log",
    "Halving bounds the optimal mistake bound",
    r"$\operatorname{opt}(\mathcal C) \le \lfloor \lg |\mathcal C| \rfloor$ for every "
    r"finite nonempty class.",
    where="section 3.1",
    premises=NONEMPTY,
    errata=("chan-E3",),
    evidence=("exhaustive",),
    nontrivial=True,
)
def floor_of_lg_size(*, size):
    """``floor(lg |C|)``."""
    return floor_lg(size)


# ---------------------------------------------------------------- section 4

definition(
    "chan-alg-halving",
    "Halving, lazy",
    r"Let $\xi_b(V, x) = \{c \in V : c(x) = b\}$ and $V_0 = \mathcal C$. Halving "
    r"predicts $c_*(x^{(i)}) = 1$ if $|\xi_1(V_{i-1}, x^{(i)})| \ge |\xi_0(V_{i-1}, "
    r"x^{(i)})|$ and $0$ otherwise. After a mistake, $V_i = V_{i-1} \cap "
    r"\xi_{c(x^{(i)})}(\mathcal C, x^{(i)})$; after a correct prediction, $V_i = "
    r"V_{i-1}$.",
    where="section 4.1",
    errata=("chan-E4", "chan-E5", "chan-E6"),
)


@theorem(
    "chan-rem-halves",
    "A mistake halves the version space",
    r"Every mistake of Halving at least halves the version space: $|V_i| \le \frac12 "
    r"|V_{i-1}|$.",
    where="section 4.1",
    evidence=("steps",),
    nontrivial=True,
)
def half_of_the_version_space(*, before):
    """``before / 2``."""
    return np.asarray(before) / 2


@theorem(
    "chan-halving-tight",
    "Halving is optimal only sometimes",
    r"Of the $65535$ nonempty classes on four points, Halving's worst case is "
    r"$\lfloor \lg |\mathcal C| \rfloor$ on $61103$ and greater than "
    r"$\operatorname{opt}(\mathcal C)$ on $1456$, the smallest of which have $8$ "
    r"concepts.",
    where="section 4.1, supplied",
    relation="==",
    evidence=("exhaustive",),
)
def counts_of_classes():
    """Classes; those on the bound; those above opt; size of the smallest of these."""
    return np.array([65535, 61103, 1456, 8])


@theorem(
    "chan-rem-infeasible",
    "The version space is too large to store",
    r"Halving, as it stands, stores the version space and goes through it in every "
    r"round, and at the start that has $3^d + 1$ concepts already for the conjunctions "
    r"of literals over $d$ variables.",
    where="section 4.1",
    relation="==",
    evidence=("exhaustive",),
)
def conjunctions_of_literals(*, d):
    """``3 ** d + 1``."""
    return 3 ** np.asarray(d) + 1


definition(
    "chan-rem-q",
    "The question that Winnow answers",
    r"Are there learners whose time in a round is polynomial in $d$, and whose "
    r"mistake bounds are comparable with Halving's?",
    where="section 4.1",
)

# ---------------------------------------------------------------- section 5

definition(
    "chan-def-mondisj",
    "Monotone disjunctions",
    r"A monotone disjunction is a disjunction of variables, $x_{i_1} \lor x_{i_2} "
    r"\lor \dots \lor x_{i_k}$, none of which is negated.",
    where="section 5",
)

definition(
    "chan-C",
    "The class of monotone disjunctions of at most k variables",
    r"$\mathcal C = \bigl\{ \bigvee_{i \in S} x_i : S \subseteq \{1, \dots, d\}, |S| "
    r"\le k \bigr\}$, where the empty disjunction, $S = \emptyset$, is the constant "
    r"$0$.",
    where="section 5",
    errata=("chan-E7",),
)


@theorem(
    "chan-card",
    "The number of monotone disjunctions",
    r"$|\mathcal C| = \binom dk + \binom d{k-1} + \dots + \binom d0$.",
    where="section 5",
    relation="==",
    premises=K_OF_SOME_D,
    errata=("chan-E7",),
    evidence=("exhaustive",),
)
def number_of_disjunctions(*, d, k):
    """The sum of the binomials ``d choose j``, j up to k."""
    return _size(d, k)


@theorem(
    "chan-mb",
    "Halving on monotone disjunctions",
    r"On the monotone disjunctions of at most $k$ of $d$ variables, Halving makes at "
    r"most $\lfloor \lg |\mathcal C| \rfloor$ mistakes.",
    where="section 5",
    premises=K_OF_SOME_D,
    evidence=("exhaustive",),
    nontrivial=True,
)
def halving_on_disjunctions(*, d, k):
    """``floor(lg |C|)``."""
    return floor_lg(_size(d, k))


@theorem(
    "chan-theta",
    "The order of lg |C|",
    r"If $d \ge 2$ and $1 \le k \le \sqrt d$, then $\frac12 k \lg d \le \lg |\mathcal "
    r"C| \le k \lg(d + 1)$, so $\lg |\mathcal C| = \Theta(k \lg d)$.",
    where="section 5",
    premises={
        "d >= 2": lambda d: np.asarray(d) >= 2,
        **K_UP_TO_ROOT_D,
        "side is upper or lower": lambda side: side in ("upper", "lower"),
    },
    errata=("chan-E8",),
    evidence=("exhaustive",),
)
def order_of_lg_size(*, d, k, side):
    """Upper side: a bound on ``lg |C|``; lower side: on its reciprocal."""
    k = np.asarray(k)
    return k * np.log2(np.add(d, 1)) if side == "upper" else 2 / (k * np.log2(d))


definition(
    "chan-def-linsep",
    "Linearly separable concepts",
    r"A concept $c$ is linearly separable if there are $w \in \mathbb{R}^d$ and "
    r"$\Theta \in \mathbb{R}$ such that $c(x) = 1 \iff w^\top x \ge \Theta$ for all "
    r"$x$.",
    where="section 5.1",
    errata=("chan-E10",),
)


@theorem(
    "chan-rem-inner",
    "The inner product with a 0/1 vector",
    r"For $x \in \{0,1\}^d$ the inner product $w^\top x = \sum_{j : x_j = 1} w_j$ is "
    r"the sum of the weights of those attributes that are $1$ in $x$.",
    where="section 5.1",
    relation="==",
    premises={"x in {0,1}^d": lambda x: np.isin(x, (0, 1))},
    evidence=("exact",),
)
def sum_of_active_weights(*, w, x):
    """The sum of ``w[j]`` over the active attributes; attributes on the last axis."""
    return np.where(np.asarray(x) == 1, w, 0).sum(axis=-1)


@theorem(
    "chan-sep-disj",
    "Monotone disjunctions are linearly separable",
    r"For every $S$ and every $0 < \Theta \le 1$, the hyperplane $\sum_{i \in S} x_i "
    r"= \Theta$, for instance with $\Theta = \frac12$, separates the points labeled "
    r"$1$ by $\bigvee_{i \in S} x_i$ from those labeled $0$: there is no exception.",
    where="section 5.1",
    relation="==",
    premises={
        "0 < Theta <= 1": lambda theta: (np.asarray(theta) > 0) & (
            np.asarray(theta) <= 1
        ),
    },
    evidence=("exhaustive",),
)  # fmt: skip
def points_on_the_wrong_side(*, theta):
    """None."""
    return 0


@theorem(
    "chan-rem-name",
    "Winnow keeps the relevant attributes",
    r"Winnow never eliminates a relevant attribute: on a stream of the disjunction "
    r"$\bigvee_{j \in S} x_j$ every weight $w_j$ with $j \in S$ stays at least $1$. "
    r"It need not tell these attributes from the others.",
    where="section 5.2",
    relation=">=",
    errata=("chan-E16",),
    evidence=("steps",),
    nontrivial=True,
)
def least_relevant_weight():
    """1."""
    return 1


definition(
    "chan-alg-winnow",
    "Winnow",
    r"Winnow starts with $\Theta = \frac d2$ and $w = (1, 1, \dots, 1)$. It predicts "
    r"$c_*(x) = 1$ if $w^\top x > \Theta$ and $0$ otherwise. After a mistake with "
    r"$c(x) = 1$ it sets $w_j \leftarrow 2 w_j$ for all $j$ with $x_j = 1$; after a "
    r"mistake with $c(x) = 0$ it sets $w_j \leftarrow 0$ for all $j$ with $x_j = 1$.",
    where="section 5.2",
    errata=("chan-E9",),
)


@theorem(
    "chan-rem-move",
    "Promotions and eliminations",
    r"The hyperplane $w^\top x = \Theta$ moves only after a mistake. Then the weights "
    r"of the attributes that are $1$ in $x$ are doubled (a promotion) or set to $0$ "
    r"(an elimination), and all others stay.",
    where="section 5.2",
    relation="==",
    evidence=("steps",),
)
def weights_after_the_round(*, w, x, y, y_hat):
    """The weights after a round; attributes on the last axis."""
    y, y_hat = np.asarray(y)[..., None], np.asarray(y_hat)[..., None]
    factor = np.where(y > y_hat, 2, np.where(y < y_hat, 0, 1))
    return np.where(np.asarray(x) == 1, factor * w, w)


@theorem(
    "chan-winnow-steps",
    "How often Winnow promotes and eliminates",
    r"On every stream of a monotone disjunction of $k$ variables, Winnow with a "
    r"threshold $\Theta \ge \frac12$ makes $u \le k (\lfloor \lg \Theta \rfloor + 1)$ "
    r"promotions and $v < u + \frac d\Theta$ eliminations.",
    where="section 5.3, supplied",
    premises={
        **K_OF_SOME_D,
        **HALF,
        "promotions given for the eliminations": lambda promotions=None: (
            promotions is None or np.all(np.asarray(promotions) >= 0)
        ),
    },
    evidence=("steps", "adversary"),
    nontrivial=True,
)
def promotions_or_eliminations(*, d, k, theta, promotions=None):
    """Most promotions; given their number, the most eliminations (a whole number)."""
    if promotions is None:
        # 2 Theta >= 1, and floor(lg Theta) + 1 = floor(lg 2 Theta).
        return k * floor_lg(np.floor(2 * np.asarray(theta)))
    return np.ceil(promotions + np.asarray(d) / np.asarray(theta)).astype(int) - 1


@theorem(
    "chan-winnow",
    "Mistake bound of Winnow",
    r"On every stream of a monotone disjunction of $k$ of $d$ variables, Winnow makes "
    r"$M \le 2k \lfloor \lg d \rfloor + 1 \le 2k \lg d + 2$ mistakes, which is $O(k "
    r"\lg d)$ if $k \ge 1$ and $d \ge 2$.",
    where="section 5.3",
    premises=K_OF_SOME_D,
    errata=("chan-E11",),
    evidence=("exhaustive", "adversary"),
    nontrivial=True,
)
def winnow_bound(*, d, k):
    """``2 k floor(lg d) + 1``."""
    return 2 * np.asarray(k) * floor_lg(d) + 1


@theorem(
    "chan-winnow-opt",
    "Winnow is optimal up to a constant",
    r"If $d \ge 4$ and $1 \le k \le \sqrt d$, then Winnow makes at most $7 "
    r"\operatorname{opt}(\mathcal C)$ mistakes on the monotone disjunctions of at "
    r"most $k$ of $d$ variables.",
    where="section 5.3",
    premises={"d >= 4": lambda d: np.asarray(d) >= 4, **K_UP_TO_ROOT_D},
    errata=("chan-E12",),
    evidence=("exhaustive",),
    nontrivial=True,
)
def seven_times_optimal(*, opt):
    """``7 opt``."""
    return 7 * np.asarray(opt)


@theorem(
    "chan-rem-theta",
    "Winnow with another threshold",
    r"With any threshold $\Theta \ge \frac12$ Winnow makes $M < 2k (\lg \Theta + 1) + "
    r"\frac d\Theta$ mistakes on every stream of a monotone disjunction of $k$ of $d$ "
    r"variables.",
    where="section 5.3",
    relation="<",
    premises={**K_OF_SOME_D, **HALF},
    errata=("chan-E13",),
    evidence=("exhaustive",),
    nontrivial=True,
)
def winnow_bound_with_threshold(*, d, k, theta):
    """``2 k (lg theta + 1) + d / theta``."""
    theta = np.asarray(theta, dtype=float)
    return 2 * np.asarray(k) * (np.log2(theta) + 1) + np.asarray(d) / theta


@theorem(
    "chan-named-arb",
    "Arbitrary disjunctions",
    r"Over the $2d$ attributes $x_1, \dots, x_d, 1 - x_1, \dots, 1 - x_d$ a "
    r"disjunction of $k$ literals is a monotone disjunction, so Winnow makes at most "
    r"$2k \lfloor \lg 2d \rfloor + 1$ mistakes.",
    where="section 5.3, named there",
    premises={
        **SOME_FEATURE,
        "0 <= k <= 2d": lambda d, k: (
            (np.asarray(k) >= 0) & (np.asarray(k) <= 2 * np.asarray(d))
        ),
    },
    evidence=("exhaustive", "random"),
    nontrivial=True,
)
def winnow_bound_for_literals(*, d, k):
    """``2 k floor(lg 2d) + 1``."""
    return winnow_bound(d=2 * np.asarray(d), k=k)


@theorem(
    "chan-named-kdnf",
    "k-DNF",
    r"Over one attribute for each term of at most $k$ of the $2n$ literals, $N = "
    r"\sum_{j=1}^k \binom nj 2^j$ in all, a $k$-DNF of $s$ terms is a monotone "
    r"disjunction of $s$ attributes, so Winnow makes at most $2s \lfloor \lg N "
    r"\rfloor + 1$ mistakes.",
    where="section 5.3, named there",
    premises={
        "1 <= k <= n": lambda n, k: 1 <= k <= n,
        "0 <= s <= N": lambda n, k, terms: 0 <= terms <= number_of_terms(n, k),
    },
    evidence=("exhaustive", "random"),
    nontrivial=True,
)
def winnow_bound_for_dnf(*, n, k, terms):
    """``2 s floor(lg N) + 1``, s the number of terms of the target."""
    return winnow_bound(d=number_of_terms(n, k), k=terms)


def number_of_terms(n: int, k: int) -> int:
    """The nonempty terms of at most k literals, no variable twice: N."""
    return sum(comb(n, j) * 2**j for j in range(1, k + 1))


@theorem(
    "chan-example-kdnf",
    "The lecture's 2-DNF",
    r"$(x_1 \land x_2) \lor x_4 \lor (x_7 \land \lnot x_3)$ is a 2-DNF of $3$ terms "
    r"over $7$ variables, so Winnow on its $98$ terms as attributes makes at most $2 "
    r"\cdot 3 \lfloor \lg 98 \rfloor + 1 = 37$ mistakes.",
    where="section 5.3",
    evidence=("random", "adversary"),
    nontrivial=True,
)
def winnow_bound_for_the_example():
    """The bound for n = 7, k = 2 and three terms."""
    return winnow_bound_for_dnf(n=7, k=2, terms=3)


@theorem(
    "chan-rem-ltc",
    "Winnow is a linear threshold classifier",
    r"In every round Winnow's prediction is $\mathbf{1}[w^\top x > \Theta]$: it "
    r"divides the input space by a hyperplane.",
    where="section 5.3",
    relation="==",
    evidence=("steps",),
)
def side_of_the_hyperplane(*, w, x, theta):
    """``[w . x > theta]``; attributes on the last axis."""
    return ((np.asarray(w) * x).sum(axis=-1) > theta).astype(int)


definition(
    "chan-named-variants",
    "Other variants",
    r"Other variants of Winnow promote by another factor than $2$, use another "
    r"threshold, or divide the active weights after a false positive instead of "
    r"setting them to $0$ (Winnow2).",
    where="section 5.3",
)
