"""Schapire, COS 511 lecture 14, section 2: the Perceptron Algorithm.

A stream is ``X`` of shape (T, ..., d) with labels ``y`` of shape (T, ...): time first,
features last.  Only the direction of a separator ``u`` counts, so margins are divided
by its length; ``1 / delta**2`` is then a ratio of whole numbers whenever the data are.
"""

import numpy as np

from olutil.theorems._common import inner, least_margin, length, radius_squared, root
from olutil.theorems._registry import definition, theorem

ROUNDING = 1e-9  # of squared lengths, which are near 1
SHORT = {"|x_t| <= 1": lambda X: inner(X, X) <= 1 + ROUNDING}
UNIT = {"|u| = 1": lambda u: abs(inner(u, u) - 1) <= ROUNDING}
MARGIN = {"y_t (u . x_t) >= delta > 0": lambda X, y, u: least_margin(X, y, u) > 0}

# ---------------------------------------------------------------- the model

definition(
    "cos511-rem-combo",
    "Compete with a combination of experts",
    r"Weighted Majority competes with a single good expert. If no expert is good alone "
    r"but a subset of them, voting together, is, the learner should make almost as few "
    r"mistakes as the best combination.",
    where="section 2",
)

definition(
    "cos511-prot-lin",
    "The protocol for linear classification",
    r"On round $t = 1, \dots, T$ the learner gets $\mathbf x_t \in \{-1, +1\}^N$ "
    r"(more generally $\mathbf x_t \in \mathbb{R}^N$), predicts $\hat y_t \in \{-1, "
    r"+1\}$, and observes the outcome $y_t \in \{-1, +1\}$.",
    where="section 2",
)


@theorem(
    "cos511-def-sep",
    "Linear separability, in two ways",
    r"A stream is *linearly separable* if some $\mathbf u \in \mathbb{R}^N$ has $y_t "
    r"= \operatorname{sign}(\mathbf u \cdot \mathbf x_t)$ for every $t$. When "
    r"$\operatorname{sign}(0)$ is neither $-1$ nor $+1$, this says exactly that $y_t "
    r"(\mathbf u \cdot \mathbf x_t) > 0$ for every $t$.",
    where="section 2",
    relation="==",
    errata=("cos511-E15",),
    evidence=("exhaustive",),
)
def separability_disagreements():
    """Number of triples (u, x, y) on which the two conditions differ: none."""
    return 0


@theorem(
    "cos511-rem-neg",
    "Negative weights are allowed",
    r"Weights may be negative. Reversing the advice of some experts in every round "
    r"reverses the sign of their weights, in a separator $\mathbf u$ and in the "
    r"Perceptron's $\mathbf w_t$, and changes no prediction.",
    where="section 2",
    relation="==",
    evidence=("exhaustive",),
)
def predictions_changed_by_reversal():
    """Number of predictions that reversing experts changes: none."""
    return 0


@theorem(
    "cos511-fig2",
    "Figure 2: a separating hyperplane",
    r"In the plane, the hyperplane $\mathbf u \cdot \mathbf x = 0$ with $u_2 > 0$ has "
    r"all positive examples of a separable stream above it and all negative ones "
    r"below.",
    where="Figure 2",
    relation="==",
    premises={"u_2 > 0": lambda u: np.asarray(u)[..., 1] > 0, **MARGIN},
    evidence=("random",),
)
def misplaced_points(*, X, y, u):
    """Number of points on the wrong side of the line drawn: none."""
    return 0


@theorem(
    "cos511-alg-online",
    "An online linear learner",
    r"Start from $\mathbf w_1$. On round $t$ predict "
    r"$\hat y_t = \operatorname{sign}(\mathbf w_t \cdot \mathbf x_t)$ and update "
    r"$\mathbf w_{t+1} = F(\mathbf w_t, \mathbf x_t, y_t)$. The new weights depend on "
    r"the old ones and on the current example alone, not on the earlier examples.",
    where="section 2",
    relation="==",
    evidence=("steps",),
)
def rounds_that_needed_memory():
    """Number of rounds whose update depends on more than (w, x, y): none."""
    return 0


@theorem(
    "cos511-alg-perc",
    "The Perceptron Algorithm",
    r"Start from $\mathbf w_1 = \mathbf 0$. If the learner makes a mistake, that is "
    r"if $y_t (\mathbf w_t \cdot \mathbf x_t) \le 0$, then $\mathbf w_{t+1} = \mathbf "
    r"w_t + y_t \mathbf x_t$; else $\mathbf w_{t+1} = \mathbf w_t$. A zero inner "
    r"product counts as a mistake, so for either choice of $\operatorname{sign}(0) "
    r"\in \{-1, +1\}$ the wrong predictions in a run are at most its updates.",
    where="section 2",
    errata=("cos511-E15",),
    evidence=("exhaustive",),
)
def updates_of_the_run(*, updates):
    """The number of updates of the run."""
    return updates


@theorem(
    "cos511-rem-update",
    "What an update does to its own example",
    r"An update raises the margin of its own example by $\lVert \mathbf x_t \rVert^2$: "
    r"$y_t (\mathbf w_{t+1} \cdot \mathbf x_t) = "
    r"y_t (\mathbf w_t \cdot \mathbf x_t) + \lVert \mathbf x_t \rVert^2$. "
    r"The example may still be on the wrong side.",
    where="section 2",
    relation="==",
    evidence=("exact",),
)
def rise_of_the_margin(*, x):
    """The squared length of the example."""
    return inner(x, x)


@theorem(
    "cos511-fig3",
    "Figure 3: an update turns the hyperplane toward the example",
    r"An update never widens the angle between the weights and $y_t \mathbf x_t$: if "
    r"$\mathbf w_t$, $\mathbf x_t$ and $\mathbf w_{t+1}$ are not zero, then "
    r"$\cos\angle(\mathbf w_{t+1}, y_t \mathbf x_t) \ge "
    r"\cos\angle(\mathbf w_t, y_t \mathbf x_t)$.",
    where="Figure 3",
    relation=">=",
    premises={
        "w_t is not 0": lambda w: inner(w, w) > 0,
        "x_t is not 0": lambda x: inner(x, x) > 0,
    },
    evidence=("steps",),
)
def cosine_before_the_update(*, w, x, y):
    """The cosine of the angle between ``w`` and ``y x``."""
    lengths = root(inner(w, w) * inner(x, x))
    return np.asarray(y) * inner(w, x) / lengths


# ---------------------------------------------------------------- the assumptions


@theorem(
    "cos511-ass-norm",
    "Examples in the unit ball",
    r"Assume $\lVert \mathbf x_t \rVert \le 1$ for every $t$. A bounded stream gets "
    r"there by dividing every example by the same "
    r"$R = \max_t \lVert \mathbf x_t \rVert$: this changes no prediction of the "
    r"Perceptron, and it divides the margin $\delta$ by $R$ as well, so that on the "
    r"stream as it was the bound is $R^2 / \delta^2$.",
    where="section 2",
    premises=MARGIN,
    errata=("cos511-E8",),
    evidence=("random", "adversary"),
    nontrivial=True,
)
def radius_over_margin_squared(*, X, y, u):
    """``R**2 / delta**2``, with the margin of the direction ``u``."""
    return radius_squared(X) * inner(u, u) / least_margin(X, y, u) ** 2


definition(
    "cos511-ass-margin",
    "Separability with a margin",
    r"Assume that some $\mathbf u$ with $\lVert \mathbf u \rVert_2 = 1$ and some "
    r"$\delta > 0$ have $y_t (\mathbf u \cdot \mathbf x_t) \ge \delta$ for every $t$.",
    where="section 2",
    errata=("cos511-E9",),
)


@theorem(
    "cos511-fig4",
    "Figure 4: the largest margin",
    r"For every unit vector $\mathbf u$ and all $\lambda_t \ge 0$ with "
    r"$\sum_t \lambda_t = 1$, "
    r"$\min_t y_t (\mathbf u \cdot \mathbf x_t) \le "
    r"\bigl\lVert \sum_t \lambda_t y_t \mathbf x_t \bigr\rVert$. "
    r"If the examples are separable, the hyperplane of the support vector machine, "
    r"with suitable $\lambda$, makes the two sides equal.",
    where="Figure 4",
    premises={
        "lambda >= 0": lambda lam: np.asarray(lam) >= 0,
        "sum of lambda = 1": lambda lam: abs(np.sum(lam, axis=-1) - 1) <= ROUNDING,
    },
    evidence=("random",),
)
def hull_distance(*, X, y, lam):
    """The length of a convex combination of the ``y_t x_t``; ``lam`` (..., T)."""
    point = np.asarray(lam) @ (np.asarray(y)[..., None] * np.asarray(X))
    return length(point)


# ---------------------------------------------------------------- Theorem 3


@theorem(
    "cos511-thm3",
    "Mistake bound of the Perceptron",
    r"Let $\lVert \mathbf x_t \rVert_2 \le 1$ for every $t$, and let some $\mathbf u$ "
    r"with $\lVert \mathbf u \rVert_2 = 1$ and some $\delta > 0$ have "
    r"$y_t (\mathbf u \cdot \mathbf x_t) \ge \delta$ for every $t$. Then, however long "
    r"the stream, $\#\text{mistakes} \le \dfrac{1}{\delta^2}$.",
    where="Theorem 3",
    premises=SHORT | MARGIN,
    errata=("cos511-E10",),
    evidence=("exhaustive", "random", "adversary"),
    nontrivial=True,
)
def perceptron_bound(*, X, y, u):
    """``1 / delta**2``, with the margin of the direction ``u``."""
    return inner(u, u) / least_margin(X, y, u) ** 2


@theorem(
    "cos511-pf3-phi",
    "The potential of Theorem 3",
    r"$\Phi_t = \cos\angle(\mathbf u, \mathbf w_t) = "
    r"\dfrac{\mathbf u \cdot \mathbf w_t}{\lVert \mathbf w_t \rVert_2} \le 1$, "
    r"defined once $\mathbf w_t \ne \mathbf 0$, that is after the first mistake.",
    where="proof of Theorem 3",
    premises={"w_t is not 0": lambda w: inner(w, w) > 0} | UNIT,
    errata=("cos511-E11",),
    evidence=("steps",),
)
def largest_cosine(*, w, u):
    """A cosine is at most 1."""
    return 1


@theorem(
    "cos511-pf3-1",
    "Step 1: the projection on u grows",
    r"A mistake gives $\mathbf w_{t+1} \cdot \mathbf u = \mathbf w_t \cdot \mathbf u + "
    r"y_t (\mathbf u \cdot \mathbf x_t) \ge \mathbf w_t \cdot \mathbf u + \delta$; "
    r"hence $\mathbf w_{T+1} \cdot \mathbf u \ge T \delta$ after $T$ mistakes.",
    where="proof of Theorem 3, Step 1",
    relation=">=",
    premises=UNIT | MARGIN,
    evidence=("steps",),
)
def least_projection(*, X, y, u, mistakes):
    """``mistakes * delta``, for one round or for all so far."""
    return mistakes * least_margin(X, y, u)


@theorem(
    "cos511-pf3-2",
    "Step 2: the length grows slowly",
    r"A mistake gives $\lVert \mathbf w_{t+1} \rVert_2^2 = "
    r"\lVert \mathbf w_t \rVert_2^2 + 2 y_t (\mathbf w_t \cdot \mathbf x_t) + "
    r"\lVert \mathbf x_t \rVert_2^2 \le \lVert \mathbf w_t \rVert_2^2 + 1$; hence "
    r"$\lVert \mathbf w_{T+1} \rVert_2^2 \le T$ after $T$ mistakes.",
    where="proof of Theorem 3, Step 2",
    premises=SHORT,
    evidence=("steps",),
)
def largest_squared_length(*, X, mistakes):
    """``mistakes``, for one round or for all so far."""
    return mistakes


@theorem(
    "cos511-pf3-3",
    "The two steps together",
    r"After $T \ge 1$ mistakes, $\dfrac{T \delta}{\sqrt T} \le \Phi_{T+1} \le 1$, and "
    r"therefore $T \le \dfrac{1}{\delta^2}$.",
    where="proof of Theorem 3",
    premises={"Phi <= 1": lambda phi_squared: phi_squared <= 1},
    evidence=("exact",),
)
def potential_squared(*, phi_squared):
    """``Phi**2``, to be compared with ``T * delta**2``: squares stay rational."""
    return phi_squared


# ---------------------------------------------------------------- the VC dimension


@theorem(
    "cos511-vc-prev",
    "No learner beats the VC dimension",
    r"For a deterministic learner $A$ let $M_A(\mathcal H)$ be the largest number of "
    r"its mistakes over all $c \in \mathcal H$ and all sequences of points labeled by "
    r"$c$. Then $\operatorname{VC}(\mathcal H) \le \min_A M_A(\mathcal H)$.",
    where="section 2, after Theorem 3",
    evidence=("exhaustive", "adversary"),
)
def mistakes_of_a_learner(*, mistakes):
    """The worst case of the learner, or of the best of all learners."""
    return mistakes


@theorem(
    "cos511-vc-chain",
    "From the VC dimension to the margin",
    r"Let $\mathcal H$ be a class of labelings of a set of points in the unit ball, "
    r"each of them induced with margin at least $\delta > 0$ by some unit vector. Then "
    r"$\operatorname{VC}(\mathcal H) \le \min_A M_A(\mathcal H) \le "
    r"M_{\text{Perceptron}}(\mathcal H) \le 1/\delta^2$.",
    where="section 2, after Theorem 3",
    premises={"delta > 0": lambda delta: np.asarray(delta) > 0},
    errata=("cos511-E12",),
    evidence=("exhaustive",),
)
def links_of_the_chain(*, opt, perceptron, delta):
    """What each of VC, opt and the Perceptron's worst case must not exceed."""
    return np.stack([opt, perceptron, 1 / np.asarray(delta) ** 2])


def shattering_margin_squared(X, U):
    """``delta**2`` for points X (..., m, d) and separators U (..., 2**m, d).

    Row i of ``U`` is for the i-th sign pattern, in the order of counting with -1 for 0.
    """
    m = np.shape(X)[-2]
    places = np.arange(2**m)[:, None] >> np.arange(m)[::-1]
    signs = 2 * (places & 1) - 1
    least = (signs * (np.asarray(U) @ np.swapaxes(X, -1, -2))).min(axis=-1)
    return (np.sign(least) * least**2 / inner(U, U)).min(axis=-1)


@theorem(
    "cos511-vc-margin",
    "VC dimension with a margin",
    r"Let $\mathbf x_1, \dots, \mathbf x_m$ be points of the unit ball and "
    r"$\delta > 0$. If for each of the $2^m$ sign patterns $\sigma$ some unit vector "
    r"$\mathbf u$ has "
    r"$\sigma_i (\mathbf u \cdot \mathbf x_i) \ge \delta$ for every $i$, then "
    r"$m \le 1/\delta^2$.",
    where="section 2, after Theorem 3",
    premises={
        **SHORT,
        "shattered with a margin": lambda X, U: shattering_margin_squared(X, U) > 0,
    },
    errata=("cos511-E13",),
    evidence=("exhaustive", "random", "adversary"),
)
def margin_dimension(*, X, U):
    """``1 / delta**2``, delta being the margin with which ``U`` shatters ``X``."""
    return 1 / shattering_margin_squared(X, U)
