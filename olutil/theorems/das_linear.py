"""Das, 9.520, slides 1-19: the online setting, Perceptron, online gradient descent,
and what their slides 5 and 8 ask for: from mistakes to generalization.

Shapes: samples ``X`` (T, ..., d) and ``y`` (T, ...), a competitor ``u`` (..., d); time
is axis 0.  Radii, hinge losses and margins are computed here from the data.
"""

import numpy as np

from olutil.theorems._common import (
    INSIDE,
    SOME_FEATURE,
    hinge_losses,
    inner,
    least_margin,
    length,
    margins,
    radius_squared,
    root,
)
from olutil.theorems._registry import theorem

LABELS = {"y is -1 or +1": lambda y: abs(y) == 1}
UNIT_MARGIN = {"every margin is at least 1": lambda X, y, u: margins(X, y, u) >= 1}

# ---------------------------------------------------------------- slides 3-8


@theorem("das-s4-assets", "slide 4", relation="==", premises=SOME_FEATURE,
         evidence="random")  # fmt: skip
def state_size(*, d):
    """The numbers that a linear learner keeps."""
    return d


@theorem("das-s13-necessary", "slide 13", relation="==", evidence="adversary",
         premises={
    "every margin is 1": lambda X, y, u: margins(X, y, u) == 1,
    "u = (1, 0)": lambda u: np.array_equal(u, [1, 0]),
})  # fmt: skip
@theorem("das-s5-problems", "slide 5", relation="==", evidence="adversary", premises={
    "u classifies every sample correctly": lambda X, y, u: margins(X, y, u) > 0,
})  # fmt: skip
def all_rounds(*, X):
    """The number of rounds."""
    return len(X)


@theorem("das-s6-setting", "slide 6", premises=LABELS, errata="das-E1",
         evidence="exact")  # fmt: skip
def hinge_loss(*, score, y):
    """``|1 - y score|_+``."""
    return np.maximum(1 - y * score, 0)


# ---------------------------------------------------------------- slides 9-11


@theorem("das-s9-alg", "slide 9", relation="==", premises=LABELS, errata="das-E1",
         evidence="exhaustive")  # fmt: skip
def perceptron_weights(*, X, y):
    """The sums of ``y x`` over the rounds with ``E = 1``, shape (T + 1, ..., d)."""
    sums = [np.zeros_like(X[0])]
    for x_i, y_i in zip(X, y, strict=True):
        errs = y_i * inner(sums[-1], x_i) <= 0
        sums.append(sums[-1] + (errs * y_i)[..., None] * x_i)
    return np.stack(sums)


@theorem("das-s10-update", "slide 10", relation="==", errata="das-E2",
         evidence="steps exact", premises={
    "the Perceptron erred: the margin was at most 0": lambda before: before <= 0,
    "x is not 0": lambda x: inner(x, x) > 0,
})  # fmt: skip
def margin_after_update(*, before, x):
    """The margin before the update plus ``|x|**2``."""
    return before + inner(x, x)


@theorem("das-s10-pa", "slide 10 (named there; Crammer et al., 2006)",
         premises=UNIT_MARGIN, errata="das-E3", evidence="random adversary steps",
         nontrivial=True)  # fmt: skip
def passive_aggressive_bound(*, X, u, w=None):
    """``R**2 |u|**2``; given the weights ``w`` too, less ``R**2 |w - u|**2``."""
    left = 0 if w is None else inner(w - u, w - u)
    return radius_squared(X) * (inner(u, u) - left)


@theorem("das-s11-conv", "slide 11",
         premises={"u separates: gamma > 0": lambda X, y, u: margins(X, y, u) > 0},
         errata="das-E4", evidence="random exhaustive", nontrivial=True,
         unit="updates")  # fmt: skip
def convergence_bound(*, X, y, u):
    """``R**2 |u|**2 / gamma**2``."""
    return radius_squared(X) * inner(u, u) / least_margin(X, y, u) ** 2


# ---------------------------------------------------------------- slides 12-13


@theorem("das-thm-mistake", "slide 12", errata="das-E1 das-E5",
         evidence="exhaustive random adversary", nontrivial=True,
         unit="mistakes")  # fmt: skip
def hinge_bound(*, X, y, u):
    """``(R |u| + sqrt(sum of squared hinge losses))**2``."""
    squares = (hinge_losses(X, y, u) ** 2).sum(axis=0)
    return (root(radius_squared(X) * inner(u, u)) + root(squares)) ** 2


@theorem("das-s13-sep", "slide 13", premises=UNIT_MARGIN, errata="das-E19",
         evidence="exhaustive adversary", nontrivial=True, unit="mistakes")  # fmt: skip
def separable_bound(*, X, u):
    """``R**2 |u|**2``."""
    return radius_squared(X) * inner(u, u)


@theorem("das-s13-insep", "slide 13", evidence="exhaustive random", nontrivial=True,
         unit="mistakes")  # fmt: skip
def best_competitor_bound(*, X, y, U):
    """The least `hinge_bound` over the rows of ``U``."""
    return np.min([hinge_bound(X=X, y=y, u=u) for u in U], axis=0)


# ---------------------------------------------------------------- slides 14-16

ERRED = {"the Perceptron erred": lambda before, x, y: y * inner(before, x) <= 0}
RIGHT = {"the Perceptron was right": lambda before, x, y: y * inner(before, x) > 0}


@theorem("das-s14-1", "slide 14, step 1", relation="==", premises=RIGHT,
         evidence="steps")  # fmt: skip
def projection_kept(*, before, u):
    """The projection before the round."""
    return inner(before, u)


@theorem("das-s14-2", "slide 14, step 2", relation=">=", premises=ERRED,
         evidence="steps")  # fmt: skip
def projection_after_mistake(*, before, x, y, u):
    """The projection before the round, plus one minus the hinge loss."""
    return inner(before, u) + 1 - hinge_losses(x, y, u)


@theorem("das-s14-3", "slide 14, step 3", relation=">=", errata="das-E6",
         evidence="steps")  # fmt: skip
def projection_step(*, before, x, y, u, E):
    """The projection before the round, plus ``(1 - hinge loss) E``."""
    return inner(before, u) + (1 - hinge_losses(x, y, u)) * E


@theorem("das-s14-4", "slide 14, step 4", relation=">=", evidence="steps")
def projection_sum(*, X, y, u, E):
    """The mistakes less the hinge losses of ``u`` in the rounds with a mistake."""
    return (E - hinge_losses(X, y, u) * E).sum(axis=0)


@theorem("das-s15-1", "slide 15, step 1", relation="==", premises=RIGHT,
         evidence="steps")  # fmt: skip
def norm_kept(*, before):
    """The squared norm before the round."""
    return inner(before, before)


@theorem("das-s15-2", "slide 15, step 2",
         premises=ERRED | {"|x| <= R": lambda x, radius2: inner(x, x) <= radius2},
         evidence="steps")  # fmt: skip
def norm_after_mistake(*, before, radius2):
    """The squared norm before the round plus ``R**2`` (given as ``radius2``)."""
    return inner(before, before) + radius2


@theorem("das-s15-3", "slide 15, step 3", evidence="steps")
def norm_sum(*, X, E):
    """The number of mistakes times ``R**2``."""
    return E.sum(axis=0) * radius_squared(X)


@theorem("das-s16-1", "slide 16, step 1", evidence="steps")
def cauchy_schwarz_chain(*, X, u, w, E):
    """The last three members of the chain, stacked; ``w`` holds the final weights."""
    chain = (
        inner(w, u),
        length(w) * length(u),
        root(E.sum(axis=0) * radius_squared(X)) * length(u),
    )
    return np.stack(np.broadcast_arrays(*chain))


@theorem("das-s16-2", "slide 16, step 2", errata="das-E7", evidence="steps")
def loss_product(*, X, y, u, E):
    """The root of the sum of squared hinge losses times the root of the mistakes."""
    squares = (hinge_losses(X, y, u) ** 2).sum(axis=0)
    return root(squares) * root(E.sum(axis=0))


@theorem("das-s16-3", "slide 16, step 3", errata="das-E7", evidence="steps")
def root_bound(*, X, u):
    """``R |u|``."""
    return root(radius_squared(X) * inner(u, u))


# ---------------------------------------------------------------- slides 17-19


@theorem("das-s17-gd", "slide 17", relation="==", evidence="exact", premises={
    "the gradient of E vanishes at the minimizer": lambda X, y, minimizer: (
        ((y - X @ minimizer)[:, None] * X).sum(axis=0) == 0
    ),
})  # fmt: skip
def batch_step(*, X, w, minimizer, rate):
    """``-rate H (w - minimizer)``."""
    return -rate * (X.T @ (X @ (w - minimizer)))


@theorem("das-s18-ex", "slide 18", relation="==",
         premises={"y is the teacher's answer": lambda x, y, teacher: y == teacher @ x},
         errata="das-E8", evidence="exact")  # fmt: skip
def teacher_step(*, x, w, teacher, rate):
    """``-rate (w - teacher) x x^T``; ``w`` has shape (outputs, inputs)."""
    return -rate * ((w - teacher) @ np.outer(x, x))


@theorem("das-s19-lr", "slide 19 (supplied)", relation="==",
         evidence="exhaustive exact", premises={
    "variances are not negative": lambda noise, drift: (noise >= 0) & (drift >= 0),
})  # fmt: skip
def tracking_error(*, rates, noise, drift, start):
    """The errors after each round, shape of ``rates`` (time is the last axis).

    ``noise`` and ``drift`` are variances, ``start`` is the error before round 1.
    """
    error, errors = start, []
    for eta in np.moveaxis(np.asarray(rates), -1, 0):
        error = (1 - eta) ** 2 * (error + drift) + eta**2 * noise
        errors.append(error)
    return np.stack(errors, axis=-1)


@theorem("das-s19-redundant", "slide 19", relation="==",
         premises={"at least one copy": lambda copies: copies >= 1},
         evidence="random")  # fmt: skip
def gradients_needed(*, single, copies, batch):
    """Example gradients on ``copies`` copies, from those on a single one."""
    return np.where(batch, single * copies, single)


@theorem("das-s19-localmin", "slide 19", relation=">=", evidence="exhaustive",
         premises={
    "gradient descent stays": lambda moved: abs(moved) < 1e-9,
    "the other minimum is lower": lambda here, there: there < here,
})  # fmt: skip
def orders_that_leave():
    """At least one order."""
    return 1


@theorem("das-s19-overshoot", "slide 19", relation="==",
         premises={"a positive rate": lambda rate: rate > 0},
         evidence="exact")  # fmt: skip
def residual_after_steps(*, before, rate, x, steps=1):
    """``(1 - rate |x|**2) ** steps`` times the residual before."""
    return (1 - rate * inner(x, x)) ** steps * before


# ---------------------------------------------------------------- slides 5 and 8

ASKED = "slides 5 and 8 (supplied)"


@theorem("das-otb-stop", ASKED, relation="==", evidence="exhaustive")
def mean_mistake_rate(*, chance, mistakes, rounds):
    """The expected mistakes over the rounds; ``chance`` of each stream."""
    return inner(chance, mistakes) / rounds


@theorem("das-otb-average", ASKED, evidence="exhaustive")
def mean_risk(*, risks):
    """The mean of the hypotheses' risks (time on axis 0)."""
    return risks.mean(axis=0)


@theorem("das-otb-vote", ASKED, evidence="exhaustive adversary data")
def twice_the_mean(*, risks):
    """Twice the mean of the hypotheses' errors (time on axis 0)."""
    return 2 * risks.mean(axis=0)


@theorem("das-otb-weight", ASKED, premises=INSIDE, evidence="exhaustive")
def weight_kept(*, beta):
    """1."""
    return np.ones_like(beta)


@theorem("das-otb-prob", ASKED, evidence="exhaustive adversary data", nontrivial=True,
         premises=INSIDE | {
    "a share of at most delta is left out": lambda delta, left_out=0: left_out <= delta,
})  # fmt: skip
def risk_with_confidence(*, mistakes, rounds, beta, delta):
    """``(mistakes ln(1/beta) + ln(1/delta)) / ((1 - beta) rounds)``."""
    allowed = mistakes * np.log(1 / beta) + np.log(1 / delta)
    return allowed / ((1 - beta) * rounds)


@theorem("das-voted", ASKED, evidence="exhaustive", nontrivial=True)
def voted_bound(*, chance, X, y, U):
    """Twice the mean of `best_competitor_bound`, over the rounds."""
    return 2 * inner(chance, best_competitor_bound(X=X, y=y, U=U)) / len(X)
