"""Kakade: the mistake bound model, Halving, linear classifiers and the Perceptron.

Throughout, ``X`` has shape (T, ..., d), ``y`` shape (T, ...), and ``u`` is the
separator that the lecture calls w*, shape (..., d).
"""

import numpy as np

from olutil.theorems._common import inner, least_margin, length, radius_squared, root
from olutil.theorems._registry import definition, theorem

# ---------------------------------------------------------------- hypotheses


SLACK = 1 + 1e-12  # a factor for norms, which are square roots

ASSUMPTION_M = {
    "y_t (w* . x_t) > 0 in every round": lambda X, y, u: least_margin(X, y, u) > 0
}
NOT_EMPTY = {"the class is not empty": lambda size: np.asarray(size) >= 1}
POSITIVE = {
    "R, |w*| and gamma are positive": lambda radius, norm, gamma: (
        (radius > 0) & (norm > 0) & (gamma > 0)
    )
}
KNOWN = POSITIVE | {
    "no input is longer than R": lambda X, radius: length(X) <= radius * SLACK,
    "w* is no longer than the learner was told": lambda u, norm: (
        length(u) <= norm * SLACK
    ),
    "the margin is at least gamma": lambda X, y, u, gamma: (
        least_margin(X, y, u) * SLACK >= gamma
    ),
}


# ---------------------------------------------------------------- 1 Introduction

definition(
    "kak-parts",
    "Online and statistical learning",
    "Online learning assumes nothing about how the data arise: its results hold in the "
    "worst case, and they belong to the theory of games. Statistical learning assumes "
    "that the examples are independent draws from one fixed, unknown distribution.",
    where="section 1",
)

definition(
    "kak-defs",
    "Data set, hypothesis, concept",
    r"A data set is a sequence $(x_1, y_1), \dots, (x_T, y_T)$ in $\mathcal{X} \times "
    r"\mathcal{Y}$. A hypothesis is a function $h: \mathcal{X} \to \mathcal{Y}$, or "
    r"into a larger decision space $\mathcal{D}$. Prediction is called binary "
    r"classification if $\mathcal{Y} = \{-1, +1\}$, multiclass classification if "
    r"$\mathcal{Y} = \{1, \dots, K\}$ with $K \ge 3$, and regression if $\mathcal{Y} "
    r"= [-B, B]$ or $\mathcal{Y} = \mathbb{R}$. A hypothesis with values in $\{-1, "
    r"+1\}$ or in $\{0, 1\}$ is a concept, and it can be identified "
    "with the set of points where it is 1.",
    where="section 1",
)


# ---------------------------------------------------------------- 2 Mistake bound model

definition(
    "kak-def-mistake",
    "The mistakes of an algorithm on a class",
    r"For a nonempty class $\mathcal{C}$, $\mathrm{mistake}(\mathcal{A}, \mathcal{C}) "
    r"= \sup_{f \in \mathcal{C},\, T,\, x_1, \dots, x_T} \sum_{t=1}^{T} "
    r"\mathbf{1}[h_t(x_t) \ne f(x_t)]$, a number in $\{0, 1, 2, \dots\} \cup "
    r"\{\infty\}$, where $\mathcal{A}$ receives the labels $y_t = f(x_t)$.",
    where="section 2",
    errata=("kak-E8",),
)

definition(
    "kak-def2.1",
    "Learning with a mistake bound",
    r"An algorithm $\mathcal{A}$ learns a class $\mathcal{C}$ with mistake bound $M$ "
    r"if and only if $\mathrm{mistake}(\mathcal{A}, \mathcal{C}) \le M$.",
    where="Definition 2.1",
)


@theorem(
    "kak-majority",
    "The majority vote",
    r"For a finite nonempty set $\mathcal{H}$ of concepts, "
    r"$\mathrm{majority}(\mathcal{H})(x)$ is $+1$ if "
    r"$\lvert\{h \in \mathcal{H} : h(x) = +1\}\rvert \ge \lvert\mathcal{H}\rvert / 2$, "
    r"and $-1$ otherwise.",
    where="section 2",
    relation="==",
    premises=NOT_EMPTY,
    errata=("kak-E9",),
    evidence=("exhaustive",),
)
def majority(*, plus, size):
    """+1 if at least half of the ``size`` concepts say +1; a tie goes to +1."""
    return np.where(2 * np.asarray(plus) >= size, 1, -1)


@theorem(
    "kak-alg-halving",
    "The version space of Halving",
    r"Halving predicts $h_t(x_t)$ with $h_t = \mathrm{majority}(\mathcal{C}_t)$, where "
    r"$\mathcal{C}_1 = \mathcal{C}$ and, in every round, "
    r"$\mathcal{C}_{t+1} = \{f \in \mathcal{C}_t : f(x_t) = y_t\}$. "
    r"So $\mathcal{C}_{t+1}$ holds exactly the concepts without a mistake in the "
    r"rounds $1, \dots, t$.",
    where="Algorithm 1",
    relation="==",
    evidence=("exhaustive",),
)
def in_version_space(*, errors):
    """Whether a concept with so many ``errors`` is still in the version space."""
    return np.asarray(errors) == 0


@theorem(
    "kak-thm2.2",
    "Mistake bound of Halving",
    r"For every finite nonempty class $\mathcal{C}$, "
    r"$\mathrm{mistake}(\mathrm{Halving}(\mathcal{C}), \mathcal{C}) \le "
    r"\lg \lvert\mathcal{C}\rvert$.",
    where="Theorem 2.2",
    premises=NOT_EMPTY,
    errata=("kak-E8",),
    evidence=("exhaustive", "adversary"),
    nontrivial=True,
)
def halving_bound(*, size):
    """``lg |C|``."""
    return np.log2(size)


@theorem(
    "kak-eq-half",
    "A mistake halves the version space",
    r"If Halving errs in round $t$, then "
    r"$\lvert\mathcal{C}_{t+1}\rvert \le \lvert\mathcal{C}_t\rvert / 2$.",
    where="proof of Theorem 2.2",
    premises={"the learner erred in this round": lambda erred: erred == 1},
    evidence=("steps",),
)
def half(*, before, erred):
    """``|C_t| / 2``."""
    return np.asarray(before) / 2


@theorem(
    "kak-eq1",
    "The version space after some mistakes",
    r"$\lvert\mathcal{C}_{t+1}\rvert \le \lvert\mathcal{C}\rvert / 2^{M_t}$, where "
    r"$M_t = \sum_{s=1}^{t} \mathbf{1}[h_s(x_s) \ne y_s]$ counts the mistakes of the "
    r"first $t$ rounds.",
    where="equation (1)",
    premises=NOT_EMPTY,
    errata=("kak-E4",),
    evidence=("steps",),
)
def version_space_bound(*, size, mistakes):
    """``|C| / 2**M_t``."""
    return size / 2.0 ** np.asarray(mistakes)


@theorem(
    "kak-eq2",
    "The target survives",
    r"If some $f \in \mathcal{C}$ has $f(x_s) = y_s$ for all $s \le t$, then "
    r"$1 \le \lvert\mathcal{C}_{t+1}\rvert$.",
    where="equation (2)",
    relation=">=",
    premises={"a concept of the class made no mistake": lambda fewest: fewest == 0},
    errata=("kak-E7",),
    evidence=("steps",),
)
def survivors(*, fewest):
    """1, if the ``fewest`` errors that a concept of the class has made are 0."""
    return np.ones_like(fewest)


# ---------------------------------------------------------------- 3 Linear classifiers


@theorem(
    "kak-def-hw",
    "Linear classifiers",
    r"For $w \in \mathbb{R}^d$, $h_w(x) = \operatorname{sgn}(w \cdot x)$ with "
    r"$\operatorname{sgn}(z) = 2 \cdot \mathbf{1}[z \ge 0] - 1$, and "
    r"$\mathcal{C}_{\mathrm{lin}} = \{h_w : w \in \mathbb{R}^d\}$. For every $c > 0$, "
    r"$h_{cw} = h_w$.",
    where="section 3",
    relation="==",
    premises={"c > 0": lambda c: np.asarray(c) > 0},
    evidence=("exhaustive",),
)
def linear_classifier(*, score, c):
    """``sgn(w . x)`` from the score ``w . x``: the same for every factor ``c``."""
    return 2 * (np.asarray(score) >= 0) - 1


definition(
    "kak-eq3",
    "Linearly separable",
    r"A data set is linearly separable if there is a vector $w^*$ with "
    r"$y_t = \operatorname{sgn}(w^* \cdot x_t)$ for all $t \in \{1, \dots, T\}$.",
    where="equation (3)",
)


@theorem(
    "kak-sep",
    "What separability says about the margin",
    r"$y = \operatorname{sgn}(w \cdot x)$ holds if and only if $y\,(w \cdot x) \ge 0$, "
    r"and $y\,(w \cdot x) > 0$ in case $y = -1$.",
    where="after equation (3)",
    relation="==",
    premises={"labels are -1 or +1": lambda y: abs(np.asarray(y)) == 1},
    errata=("kak-E1",),
    evidence=("exhaustive",),
)
def separates(*, y, score):
    """Whether ``y score >= 0``, strictly for ``y = -1``."""
    product = np.asarray(y) * score
    return (product >= 0) & ((product > 0) | (np.asarray(y) == 1))


@theorem(
    "kak-assM",
    "Assumption M: a positive margin",
    r"Assumption M: there are $w^* \in \mathbb{R}^d$ and $\gamma > 0$ with "
    r"$\min_{t} y_t (w^* \cdot x_t) \ge \gamma$. It implies that $w^*$ separates the "
    r"data: $y_t = \operatorname{sgn}(w^* \cdot x_t)$ for all $t$.",
    where="Assumption M, equation (4)",
    relation="==",
    premises={"the margin is positive": lambda gamma: np.asarray(gamma) > 0},
    errata=("kak-E1",),
    evidence=("exhaustive",),
)
def label_with_margin(*, y, gamma):
    """The label, which is what the separator says."""
    return y


definition(
    "kak-norm",
    "The radius of the data",
    r"$\lVert x_{1:T} \rVert = \max_{t \in \{1, \dots, T\}} \lVert x_t \rVert$, "
    r"for which we also write $R$.",
    where="section 3",
)


def side(radius, norm, gamma, d):
    """``ceil(4 A) + 1``, what Corollary 3.1 allows each coordinate."""
    amplitude = np.asarray(radius * norm * d / gamma, dtype=float)
    return np.ceil(4 * amplitude).astype(int) + 1


@theorem(
    "kak-grid",
    "The size of the grid",
    r"Let $A = R \lVert w^* \rVert d / \gamma$, and let $W_\gamma$ be the set of the "
    r"vectors with coordinates $m \gamma / (2 R d)$ for integers $m$ with "
    r"$\lvert m \rvert \le \lfloor 2A \rfloor$. Then "
    r"$\lvert W_\gamma \rvert = (2 \lfloor 2A \rfloor + 1)^d \le "
    r"(\lceil 4A \rceil + 1)^d$.",
    where="section 3, the set W_gamma",
    premises=POSITIVE,
    errata=("kak-E3", "kak-E6"),
    evidence=("exhaustive",),
)
def grid_size(*, radius, norm, gamma, d):
    """``(ceil(4 A) + 1) ** d``."""
    return side(radius, norm, gamma, d) ** d


@theorem(
    "kak-approx",
    "Some classifier of the grid separates",
    r"Under Assumption M there is a $\tilde w \in W_\gamma$ with "
    r"$\lvert \tilde w_i - w^*_i \rvert \le \gamma / (2 R d)$ for every $i$. For every "
    r"such $\tilde w$ and all $t$, "
    r"$\lvert y_t (\tilde w \cdot x_t) - y_t (w^* \cdot x_t) \rvert \le \gamma / 2$, "
    r"hence $\gamma - y_t (\tilde w \cdot x_t) \le \gamma / 2$, that is, "
    r"$y_t (\tilde w \cdot x_t) \ge \gamma / 2 > 0$.",
    where="section 3, the chain before Corollary 3.1",
    premises={
        "gamma > 0": lambda gamma: gamma > 0,
        "every coordinate is within one step of the grid": lambda u, near, step: (
            abs(near - u) <= step * SLACK
        ),
    },
    errata=("kak-E3", "kak-E6"),
    evidence=("random", "steps"),
)
def half_margin(*, gamma):
    """``gamma / 2``."""
    return gamma / 2


@theorem(
    "kak-cor3.1",
    "Mistake bound of Halving on the grid",
    r"Let Assumption M hold, and let the learner know $R$, $\lVert w^* \rVert$ and "
    r"$\gamma$ (or upper bounds for the first two and a lower bound for the third, "
    r"used in their place). Then Halving on $\{h_w : w \in W_\gamma\}$ makes at most "
    r"$d \lg\left(\lceil 4 d R \lVert w^* \rVert / \gamma \rceil + 1\right)$ mistakes.",
    where="Corollary 3.1",
    premises=KNOWN,
    errata=("kak-E3", "kak-E7"),
    evidence=("random", "adversary"),
    nontrivial=True,
)
def grid_halving_bound(*, radius, norm, gamma, d):
    """``d lg(ceil(4 A) + 1)``."""
    return d * np.log2(side(radius, norm, gamma, d))


@theorem(
    "kak-rem-ineff",
    "The grid is too large to enumerate",
    r"$\lvert W_\gamma \rvert \ge (4d + 1)^d$, whatever the data that satisfy "
    r"Assumption M: the grid grows exponentially with the dimension.",
    where="after Corollary 3.1",
    relation=">=",
    premises=POSITIVE
    | {
        "gamma <= R |w*| (Cauchy-Schwarz)": lambda radius, norm, gamma: (
            gamma <= radius * norm * SLACK
        )
    },
    evidence=("exhaustive",),
)
def least_grid_size(*, d):
    """``(4 d + 1) ** d``."""
    return (4 * np.asarray(d) + 1) ** np.asarray(d)


@theorem(
    "kak-ellipsoid",
    "Mistake bound of the ellipsoid variant",
    r"Let $d \ge 2$ and let Assumption M hold. Predict with the center of an ellipsoid "
    r"$E(c, P)$ that starts as a ball around $0$, of any radius, and after each "
    r"mistake set $g = P x_t / \sqrt{x_t^\top P x_t}$ and replace $c$ by "
    r"$c + y_t g / (d + 1)$ and $P$ by "
    r"$\frac{d^2}{d^2 - 1} \bigl(P - \frac{2}{d + 1} g g^\top\bigr)$, which is a "
    r"smaller ellipsoid around the half that the label leaves possible. "
    r"This makes at most "
    r"$2 d (d + 1) \ln(2 R \lVert w^* \rVert / \gamma)$ mistakes, with $O(d^2)$ "
    r"operations a round and without knowing $R$, $w^*$ or $\gamma$.",
    where="section 3, named there; the theorem and its proof are supplied",
    premises=ASSUMPTION_M | {"d >= 2": lambda X: X.shape[-1] >= 2},
    evidence=("random", "adversary", "steps"),
    nontrivial=True,
)
def ellipsoid_bound(*, X, y, u):
    """``2 d (d + 1) ln(2 R |w*| / gamma)``."""
    d = X.shape[-1]
    radius = root(radius_squared(X))
    return 2 * d * (d + 1) * np.log(2 * radius * length(u) / least_margin(X, y, u))


definition(
    "kak-rem-dim",
    "Why go on: the dimension",
    r"The bounds of Halving on the grid and of the ellipsoid variant grow with $d$ "
    r"even where $R \lVert w^* \rVert / \gamma$ stays the same. One would like a "
    r"bound that does not mention $d$, and the Perceptron has one.",
    where="end of section 3",
)


# ---------------------------------------------------------------- 4 Perceptron


@theorem(
    "kak-alg-perc",
    "The Perceptron's step",
    r"$w_1 = 0$; the Perceptron predicts $\operatorname{sgn}(w_t \cdot x_t)$, and "
    r"$w_{t+1} = w_t + m_t y_t x_t$ with "
    r"$m_t = \mathbf{1}[\operatorname{sgn}(w_t \cdot x_t) \ne y_t]$. "
    r"So $w_{t+1}$ is the sum of $y_s x_s$ over the mistakes $s \le t$.",
    where="Algorithm 2",
    relation="==",
    errata=("kak-E10",),
    evidence=("steps",),
)
def perceptron_weights(*, X, y, scores):
    """The sum of ``y_s x_s`` over the rounds in which ``sgn(w_s . x_s)`` was wrong."""
    erred = 2 * (np.asarray(scores) >= 0) - 1 != y
    return np.cumsum((erred * y)[..., None] * X, axis=0)


@theorem(
    "kak-thm4.1",
    "Mistake bound of the Perceptron",
    r"Under Assumption M the number of mistakes of the Perceptron is "
    r"$M_T \le \lVert x_{1:T} \rVert^2 \lVert w^* \rVert^2 / \gamma^2$.",
    where="Theorem 4.1",
    premises=ASSUMPTION_M,
    errata=("kak-E2", "kak-E10"),
    evidence=("random", "adversary"),
    nontrivial=True,
)
def perceptron_bound(*, X, y, u):
    """``R**2 |w*|**2 / gamma**2``."""
    return radius_squared(X) * inner(u, u) / least_margin(X, y, u) ** 2


@theorem(
    "kak-pf4-5",
    "Every mistake moves the weights toward the separator",
    r"$w^* \cdot w_{t+1} = w^* \cdot w_t + y_t (w^* \cdot x_t)\, m_t \ge "
    r"w^* \cdot w_t + \gamma m_t$, and therefore $w^* \cdot w_{T+1} \ge \gamma M_T$.",
    where="proof of Theorem 4.1, equation (5)",
    relation=">=",
    premises={"gamma > 0": lambda gamma: np.asarray(gamma) > 0},
    evidence=("steps",),
)
def progress(*, gamma, mistakes):
    """``gamma m_t`` for one round, ``gamma M_T`` for all."""
    return gamma * mistakes


@theorem(
    "kak-pf4-6",
    "Cauchy-Schwarz",
    r"$w^* \cdot w_{T+1} \le \lVert w^* \rVert \cdot \lVert w_{T+1} \rVert$.",
    where="proof of Theorem 4.1, equation (6)",
    evidence=("steps",),
)
def cauchy_schwarz(*, u, w):
    """``|w*| |w|``."""
    return length(u) * length(w)


@theorem(
    "kak-pf4-7",
    "A mistake lengthens the weights by little",
    r"$y_t (w_t \cdot x_t) \le 0$ if $m_t = 1$, so "
    r"$\lVert w_{t+1} \rVert^2 \le \lVert w_t \rVert^2 + "
    r"\lVert x_{1:T} \rVert^2 m_t$, and therefore "
    r"$\lVert w_{T+1} \rVert^2 \le \lVert x_{1:T} \rVert^2 M_T$.",
    where="proof of Theorem 4.1, equation (7)",
    errata=("kak-E2",),
    evidence=("steps",),
)
def growth(*, square, mistakes):
    """``R**2 m_t`` for one round, ``R**2 M_T`` for all; ``square`` is ``R**2``."""
    return square * mistakes


@theorem(
    "kak-pf4-8",
    "The two estimates together",
    r"$\gamma M_T \le \lVert w^* \rVert \cdot \lVert x_{1:T} \rVert \sqrt{M_T}$, "
    r"hence $M_T \le \lVert w^* \rVert^2 \lVert x_{1:T} \rVert^2 / \gamma^2$.",
    where="proof of Theorem 4.1, end",
    premises=ASSUMPTION_M,
    evidence=("steps",),
)
def squeeze(*, X, y, u, mistakes):
    """``|w*| R sqrt(M_T)``."""
    return length(u) * root(radius_squared(X)) * np.sqrt(mistakes)
