"""Schapire, COS 511 lecture 14, section 2: the Perceptron Algorithm.

A stream is ``X`` of shape (T, ..., d) with labels ``y`` of shape (T, ...): time first,
features last.  Only the direction of a separator ``u`` counts, so margins are divided
by its length; ``1 / delta**2`` is then a ratio of whole numbers whenever the data are.
"""

import numpy as np

from olutil.theorems._common import inner, least_margin, length, radius_squared, root
from olutil.theorems._registry import theorem

ROUNDING = 1e-9  # of squared lengths, which are near 1
SHORT = {"|x_t| <= 1": lambda X: inner(X, X) <= 1 + ROUNDING}
UNIT = {"|u| = 1": lambda u: abs(inner(u, u) - 1) <= ROUNDING}
MARGIN = {"y_t (u . x_t) >= delta > 0": lambda X, y, u: least_margin(X, y, u) > 0}

# ---------------------------------------------------------------- the model


@theorem("cos511-rem-neg", "section 2", relation="==", evidence="exhaustive")
@theorem("cos511-alg-online", "section 2", relation="==", evidence="steps")
@theorem("cos511-def-sep", "section 2", relation="==", errata="cos511-E15",
         evidence="exhaustive")  # fmt: skip
def exceptions():
    """None: no disagreement, no changed prediction, no remembered round."""
    return 0


@theorem("cos511-fig2", "Figure 2", relation="==",
         premises={"u_2 > 0": lambda u: np.asarray(u)[..., 1] > 0, **MARGIN},
         evidence="random")  # fmt: skip
def misplaced_points(*, X, y, u):
    """Number of points on the wrong side of the line drawn: none."""
    return 0


@theorem("cos511-alg-perc", "section 2", errata="cos511-E15", evidence="exhaustive")
def updates_of_the_run(*, updates):
    """The number of updates of the run."""
    return updates


@theorem("cos511-rem-update", "section 2", relation="==", evidence="exact")
def rise_of_the_margin(*, x):
    """The squared length of the example."""
    return inner(x, x)


@theorem("cos511-fig3", "Figure 3", relation=">=", evidence="steps", premises={
    "w_t is not 0": lambda w: inner(w, w) > 0,
    "x_t is not 0": lambda x: inner(x, x) > 0,
})  # fmt: skip
def cosine_before_the_update(*, w, x, y):
    """The cosine of the angle between ``w`` and ``y x``."""
    lengths = root(inner(w, w) * inner(x, x))
    return np.asarray(y) * inner(w, x) / lengths


# ---------------------------------------------------------------- the assumptions


@theorem("cos511-ass-norm", "section 2", premises=MARGIN, errata="cos511-E8",
         evidence="random adversary", nontrivial=True, unit="mistakes")  # fmt: skip
def radius_over_margin_squared(*, X, y, u):
    """``R**2 / delta**2``, with the margin of the direction ``u``."""
    return radius_squared(X) * inner(u, u) / least_margin(X, y, u) ** 2


@theorem("cos511-fig4", "Figure 4", evidence="random", premises={
    "lambda >= 0": lambda lam: np.asarray(lam) >= 0,
    "sum of lambda = 1": lambda lam: abs(np.sum(lam, axis=-1) - 1) <= ROUNDING,
})  # fmt: skip
def hull_distance(*, X, y, lam):
    """The length of a convex combination of the ``y_t x_t``; ``lam`` (..., T)."""
    point = np.asarray(lam) @ (np.asarray(y)[..., None] * np.asarray(X))
    return length(point)


# ---------------------------------------------------------------- Theorem 3


@theorem("cos511-thm3", "Theorem 3", premises=SHORT | MARGIN, errata="cos511-E10",
         evidence="exhaustive random adversary", nontrivial=True,
         unit="mistakes")  # fmt: skip
def perceptron_bound(*, X, y, u):
    """``1 / delta**2``, with the margin of the direction ``u``."""
    return inner(u, u) / least_margin(X, y, u) ** 2


@theorem("cos511-pf3-phi", "proof of Theorem 3",
         premises={"w_t is not 0": lambda w: inner(w, w) > 0} | UNIT,
         errata="cos511-E11", evidence="steps")  # fmt: skip
def largest_cosine(*, w, u):
    """A cosine is at most 1."""
    return 1


@theorem("cos511-pf3-1", "proof of Theorem 3, Step 1", relation=">=",
         premises=UNIT | MARGIN, evidence="steps")  # fmt: skip
def least_projection(*, X, y, u, mistakes):
    """``mistakes * delta``, for one round or for all so far."""
    return mistakes * least_margin(X, y, u)


@theorem("cos511-pf3-2", "proof of Theorem 3, Step 2", premises=SHORT, evidence="steps")
def largest_squared_length(*, X, mistakes):
    """``mistakes``, for one round or for all so far."""
    return mistakes


@theorem("cos511-pf3-3", "proof of Theorem 3",
         premises={"Phi <= 1": lambda phi_squared: phi_squared <= 1},
         evidence="exact")  # fmt: skip
def potential_squared(*, phi_squared):
    """``Phi**2``, to be compared with ``T * delta**2``: squares stay rational."""
    return phi_squared


# ---------------------------------------------------------------- the VC dimension


@theorem("cos511-vc-prev", "section 2, after Theorem 3",
         evidence="exhaustive adversary")  # fmt: skip
def mistakes_of_a_learner(*, mistakes):
    """The worst case of the learner, or of the best of all learners."""
    return mistakes


@theorem("cos511-vc-chain", "section 2, after Theorem 3",
         premises={"delta > 0": lambda delta: np.asarray(delta) > 0},
         errata="cos511-E12", evidence="exhaustive")  # fmt: skip
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


@theorem("cos511-vc-margin", "section 2, after Theorem 3", errata="cos511-E13",
         evidence="exhaustive random adversary", premises={
    **SHORT,
    "shattered with a margin": lambda X, U: shattering_margin_squared(X, U) > 0,
})  # fmt: skip
def margin_dimension(*, X, U):
    """``1 / delta**2``, delta being the margin with which ``U`` shatters ``X``."""
    return 1 / shattering_margin_squared(X, U)


@theorem("cos511-minimax", "section 2, after Theorem 3", relation="==",
         premises=SHORT | MARGIN, evidence="exhaustive adversary",
         unit="mistakes")  # fmt: skip
def least_worst_case(*, X, y, u):
    """``floor(1 / delta**2)``, with the margin of the direction ``u``."""
    return np.floor(perceptron_bound(X=X, y=y, u=u) + ROUNDING).astype(int)
