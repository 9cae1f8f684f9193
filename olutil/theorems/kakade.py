"""Kakade: the mistake bound model, Halving, linear classifiers and the Perceptron.

Throughout, ``X`` has shape (T, ..., d), ``y`` shape (T, ...), and ``u`` is the
separator that the lecture calls w*, shape (..., d).
"""

import numpy as np

from olutil.theorems._common import inner, least_margin, length, radius_squared, root
from olutil.theorems._registry import theorem

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


# ---------------------------------------------------------------- 2 Mistake bound model


@theorem("kak-majority", "section 2", relation="==", premises=NOT_EMPTY,
         errata="kak-E9", evidence="exhaustive")  # fmt: skip
def majority(*, plus, size):
    """+1 if at least half of the ``size`` concepts say +1; a tie goes to +1."""
    return np.where(2 * np.asarray(plus) >= size, 1, -1)


@theorem("kak-alg-halving", "Algorithm 1, in a sentence", relation="==",
         evidence="exhaustive")  # fmt: skip
def in_version_space(*, errors):
    """Whether a concept with so many ``errors`` is still in the version space."""
    return np.asarray(errors) == 0


@theorem("kak-thm2.2", "Theorem 2.2", premises=NOT_EMPTY, errata="kak-E8",
         evidence="exhaustive adversary", nontrivial=True, unit="mistakes")  # fmt: skip
def halving_bound(*, size):
    """``lg |C|``."""
    return np.log2(size)


@theorem("kak-eq-half", "proof of Theorem 2.2",
         premises={"the learner erred in this round": lambda erred: erred == 1},
         evidence="steps", unit="concepts")  # fmt: skip
def half(*, before, erred):
    """``|C_t| / 2``."""
    return np.asarray(before) / 2


@theorem("kak-eq1", "equation (1)", premises=NOT_EMPTY, errata="kak-E4",
         evidence="steps", unit="concepts")  # fmt: skip
def version_space_bound(*, size, mistakes):
    """``|C| / 2**M_t``."""
    return size / 2.0 ** np.asarray(mistakes)


@theorem("kak-eq2", "equation (2)", relation=">=", errata="kak-E7", evidence="steps",
         unit="concepts", premises={
    "a concept of the class made no mistake": lambda fewest: fewest == 0,
})  # fmt: skip
def survivors(*, fewest):
    """1, if the ``fewest`` errors that a concept of the class has made are 0."""
    return np.ones_like(fewest)


# ---------------------------------------------------------------- 3 Linear classifiers


@theorem("kak-def-hw", "section 3", relation="==",
         premises={"c > 0": lambda c: np.asarray(c) > 0},
         evidence="exhaustive")  # fmt: skip
def linear_classifier(*, score, c):
    """``sgn(w . x)`` from the score ``w . x``: the same for every factor ``c``."""
    return 2 * (np.asarray(score) >= 0) - 1


@theorem("kak-sep", "after equation (3)", relation="==",
         premises={"labels are -1 or +1": lambda y: abs(np.asarray(y)) == 1},
         errata="kak-E1", evidence="exhaustive")  # fmt: skip
def separates(*, y, score):
    """Whether ``y score >= 0``, strictly for ``y = -1``."""
    product = np.asarray(y) * score
    return (product >= 0) & ((product > 0) | (np.asarray(y) == 1))


@theorem("kak-assM", "Assumption M, equation (4)", relation="==",
         premises={"the margin is positive": lambda gamma: np.asarray(gamma) > 0},
         errata="kak-E1", evidence="exhaustive")  # fmt: skip
def label_with_margin(*, y, gamma):
    """The label, which is what the separator says."""
    return y


def side(radius, norm, gamma, d):
    """``ceil(4 A) + 1``, what Corollary 3.1 allows each coordinate."""
    amplitude = np.asarray(radius * norm * d / gamma, dtype=float)
    return np.ceil(4 * amplitude).astype(int) + 1


@theorem("kak-grid", "section 3, the set W_gamma", premises=POSITIVE,
         errata="kak-E3 kak-E6", evidence="exhaustive")  # fmt: skip
def grid_size(*, radius, norm, gamma, d):
    """``(ceil(4 A) + 1) ** d``."""
    return side(radius, norm, gamma, d) ** d


@theorem("kak-approx", "section 3, the chain before Corollary 3.1",
         errata="kak-E3 kak-E6", evidence="random steps", premises={
    "gamma > 0": lambda gamma: gamma > 0,
    "every coordinate is within one step of the grid": lambda u, near, step: (
        abs(near - u) <= step * SLACK
    ),
})  # fmt: skip
def half_margin(*, gamma):
    """``gamma / 2``."""
    return gamma / 2


@theorem("kak-cor3.1", "Corollary 3.1", premises=KNOWN, errata="kak-E3 kak-E7",
         evidence="random adversary", nontrivial=True, unit="mistakes")  # fmt: skip
def grid_halving_bound(*, radius, norm, gamma, d):
    """``d lg(ceil(4 A) + 1)``."""
    return d * np.log2(side(radius, norm, gamma, d))


@theorem("kak-rem-ineff", "after Corollary 3.1", relation=">=", evidence="exhaustive",
         premises=POSITIVE | {
    "gamma <= R |w*| (Cauchy-Schwarz)": lambda radius, norm, gamma: (
        gamma <= radius * norm * SLACK
    ),
})  # fmt: skip
def least_grid_size(*, d):
    """``(4 d + 1) ** d``."""
    return (4 * np.asarray(d) + 1) ** np.asarray(d)


@theorem("kak-ellipsoid",
         "section 3, named there; the theorem and its proof are supplied",
         premises=ASSUMPTION_M | {"d >= 2": lambda X: X.shape[-1] >= 2},
         evidence="random adversary steps", nontrivial=True)  # fmt: skip
def ellipsoid_bound(*, X, y, u):
    """``2 d (d + 1) ln(2 R |w*| / gamma)``."""
    d = X.shape[-1]
    radius = root(radius_squared(X))
    return 2 * d * (d + 1) * np.log(2 * radius * length(u) / least_margin(X, y, u))


@theorem("kak-grunbaum", "supplied: a lemma of Grunbaum", evidence="steps",
         premises={"the body has a volume": lambda before: np.asarray(before) > 0},
)  # fmt: skip
def cut_through_the_center(*, before, d):
    """``(1 - (d / (d + 1)) ** d) before``."""
    return (1 - (d / (d + 1)) ** d) * np.asarray(before)


@theorem("kak-gravity", "supplied: section 3 at any cost", premises=ASSUMPTION_M,
         evidence="random adversary steps", nontrivial=True)  # fmt: skip
def gravity_bound(*, X, y, u):
    """``d ln(kappa + 1) / ln(e / (e - 1))``."""
    kappa = root(radius_squared(X)) * length(u) / least_margin(X, y, u)
    return X.shape[-1] * np.log(kappa + 1) / np.log(np.e / (np.e - 1))


@theorem("kak-planes", "supplied: what no learner can avoid", relation=">=",
         premises=ASSUMPTION_M | {"d is even": lambda X: X.shape[-1] % 2 == 0},
         evidence="adversary", nontrivial=True)  # fmt: skip
def least_forced(*, X, y, u):
    """``k (1 + lg(kappa / sqrt(k)))`` for ``d = 2 k``."""
    kappa = root(radius_squared(X)) * length(u) / least_margin(X, y, u)
    k = X.shape[-1] // 2
    return k * (1 + np.log2(kappa / np.sqrt(k)))


# ---------------------------------------------------------------- 4 Perceptron


@theorem("kak-alg-perc", "Algorithm 2, in a sentence", relation="==", errata="kak-E10",
         evidence="steps")  # fmt: skip
def perceptron_weights(*, X, y, scores):
    """The sum of ``y_s x_s`` over the rounds in which ``sgn(w_s . x_s)`` was wrong."""
    erred = 2 * (np.asarray(scores) >= 0) - 1 != y
    return np.cumsum((erred * y)[..., None] * X, axis=0)


@theorem("kak-thm4.1", "Theorem 4.1", premises=ASSUMPTION_M, errata="kak-E2 kak-E10",
         evidence="random adversary", nontrivial=True, unit="mistakes")  # fmt: skip
def perceptron_bound(*, X, y, u):
    """``R**2 |w*|**2 / gamma**2``."""
    return radius_squared(X) * inner(u, u) / least_margin(X, y, u) ** 2


@theorem("kak-pf4-5", "proof of Theorem 4.1, equation (5)", relation=">=",
         premises={"gamma > 0": lambda gamma: np.asarray(gamma) > 0},
         evidence="steps")  # fmt: skip
def progress(*, gamma, mistakes):
    """``gamma m_t`` for one round, ``gamma M_T`` for all."""
    return gamma * mistakes


@theorem("kak-pf4-6", "proof of Theorem 4.1, equation (6)", evidence="steps")
def cauchy_schwarz(*, u, w):
    """``|w*| |w|``."""
    return length(u) * length(w)


@theorem("kak-pf4-7", "proof of Theorem 4.1, equation (7)", errata="kak-E2",
         evidence="steps")  # fmt: skip
def growth(*, square, mistakes):
    """``R**2 m_t`` for one round, ``R**2 M_T`` for all; ``square`` is ``R**2``."""
    return square * mistakes


@theorem("kak-pf4-8", "proof of Theorem 4.1, end", premises=ASSUMPTION_M,
         evidence="steps")  # fmt: skip
def squeeze(*, X, y, u, mistakes):
    """``|w*| R sqrt(M_T)``."""
    return length(u) * root(radius_squared(X)) * np.sqrt(mistakes)
