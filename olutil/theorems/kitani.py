"""Kitani and Chen: Online Linear Classification.

Section 3 counts mistakes, not rounds: the weights ``w^(k)`` are those after the k-th
mistake.  Data have time on axis 0: ``X`` has shape (T, ..., d), ``y`` shape (T, ...),
the separator ``u`` shape (..., d).  In section 4, ``n`` is the lecture's N and
``beta`` is 1 unless a check says otherwise.
"""

import numpy as np

from olutil.theorems._common import SOME_EXPERT, inner, least_margin, radius_squared
from olutil.theorems._registry import theorem


def equation(number, **options):
    """Register an equation of the lecture; by default its evidence is a run's steps."""
    options = {"evidence": "steps"} | options
    return theorem(f"kit-eq{number}", f"equation ({number})", **options)


def no_exceptions():
    """No exception."""
    return 0


ETA = {"0 < eta <= 1/2": lambda eta: (eta > 0) & (eta <= 0.5)}


# ---------------------------------------------------------------- section 1: experts


@theorem("kit-rem-update", "section 1.1", relation="==", premises=ETA, errata="kit-E1",
         evidence="exhaustive")  # fmt: skip
def relative_weights(*, advice, outcomes, eta):
    """``(1 - eta) ** (m_n - min m_j)`` from the stream alone."""
    errors = (advice != outcomes[..., None]).sum(axis=0).astype(object)
    return (1 - eta) ** (errors - errors.min(axis=-1, keepdims=True))


theorem("kit-rem-weights", "section 1.1", relation="==", premises=ETA,
        errata="kit-E22", evidence="exhaustive")(no_exceptions)  # fmt: skip


@theorem("kit-wma-step", "section 1.1, in the proof of (1)", premises=ETA,
         evidence="steps")  # fmt: skip
def wma_step(*, before, eta):
    """``(1 - eta/2) * before``."""
    return (1 - eta / 2) * before


@equation(1, premises=ETA | SOME_EXPERT, errata="kit-E2 kit-E20",
          evidence="exhaustive exact", nontrivial=True,
          unit="mistakes of regret")  # fmt: skip
def wma_regret(*, eta, n, best):
    """``(1 + 2 eta) m + 2 ln(N) / eta``."""
    return (1 + 2 * eta) * best + 2 * np.log(n) / np.asarray(eta, dtype=float)


@theorem("kit-rem-noregret", "section 1.1", relation=">=",
         premises={"T >= 1": lambda rounds: np.asarray(rounds) >= 1}, errata="kit-E3",
         evidence="adversary", nontrivial=True, unit="mistakes of regret")  # fmt: skip
def forced_regret(*, rounds):
    """``T / 2``."""
    return np.asarray(rounds) / 2


@theorem("kit-rwma-step", "section 1.2, in the proof of (2)", relation="==",
         premises=ETA, evidence="steps")  # fmt: skip
def rwma_step(*, before, chance, eta):
    """``(1 - eta * chance) * before``."""
    return (1 - eta * chance) * before


@equation(2, premises=ETA | SOME_EXPERT, errata="kit-E2 kit-E20", evidence="exhaustive",
          nontrivial=True, unit="expected mistakes of regret")  # fmt: skip
def rwma_regret(*, eta, n, best):
    """``eta m + ln(N) / eta``."""
    return eta * best + np.log(n) / np.asarray(eta, dtype=float)


@theorem("kit-rem-half", "section 1.2", relation=">=", premises=ETA, errata="cos511-E3",
         evidence="exhaustive", unit="expected mistakes")  # fmt: skip
def half_of_wma(*, majority, eta):
    """``M_WMA / 2``."""
    return np.asarray(majority) / 2


@theorem("kit-rem-rwma-noregret", "section 1.2", errata="kit-E4",
         evidence="exhaustive adversary", nontrivial=True,
         unit="expected mistakes of regret", premises={
    "N >= 2": lambda n: np.asarray(n) >= 2,
    "T >= 4 ln N": lambda rounds, n: rounds >= 4 * np.log(n),
    "eta = sqrt(ln N / T)": lambda eta, rounds, n: (
        np.isclose(eta, np.sqrt(np.log(n) / rounds))
    ),
})  # fmt: skip
def tuned_regret(*, rounds, n, eta):
    """``2 sqrt(T ln N)``."""
    return 2 * np.sqrt(rounds * np.log(n))


# ---------------------------------------------------------------- section 2


theorem(
    "kit-olc",
    "section 2.1",
    relation="==",
    evidence="steps",
    premises={
        "there are mistakes, and rounds without": lambda mistakes, rounds: (
            (np.asarray(mistakes) > 0) & (np.asarray(mistakes) < rounds)
        ),
    },
)(no_exceptions)


# ---------------------------------------------------------------- section 3: Perceptron


UNIT = {"|w*| = 1": lambda u: np.isclose(np.asarray(inner(u, u), dtype=float), 1)}
SEPARABLE = UNIT | {"gamma > 0": lambda X, y, u: least_margin(X, y, u) > 0}
MISTAKE = {
    "the example is a mistake: y <w, x> <= 0": lambda before, x, y: (
        y * inner(before, x) <= 0
    )
}


@theorem("kit-prop1", "section 3.1, property 1", premises=SOME_EXPERT, evidence="exact",
         unit="operations")  # fmt: skip
def operations(*, n):
    """``4 N``."""
    return 4 * np.asarray(n)


@theorem("kit-prop2", "section 3.1, property 2",
         premises={"0 < eps <= 1": lambda eps: (eps > 0) & (eps <= 1)},
         evidence="adversary")  # fmt: skip
def margin_share(*, eps):
    """``sqrt(2) * eps``."""
    return np.sqrt(2) * eps


@theorem("kit-prop3", "section 3.1, property 3", errata="kit-E12",
         evidence="random adversary", nontrivial=True, unit="mistakes")  # fmt: skip
def inseparable_bound(*, X, y, u):
    """``(R |u| + sqrt(sum of squared hinge losses)) ** 2``."""
    hinge = np.maximum(0, 1 - y * inner(X, u))
    reach = np.sqrt(radius_squared(X) * inner(u, u))
    return (reach + np.sqrt((hinge**2).sum(axis=0))) ** 2


@theorem("kit-thm1", "Theorem 1, equation (3)", premises=SEPARABLE, errata="kit-E8",
         evidence="random adversary", nontrivial=True, unit="mistakes")  # fmt: skip
def perceptron_bound(*, X, y, u):
    """``R**2 / gamma**2``."""
    return radius_squared(X) / least_margin(X, y, u) ** 2


@equation(5, relation="==", premises=MISTAKE, errata="kit-E9 kit-E11b")
def updated_potential(*, before, x, y):
    """``|w + y x|**2``."""
    after = before + y[..., None] * x
    return inner(after, after)


@equation(6, relation="==", premises=MISTAKE, errata="kit-E9 kit-E11b")
def expanded_potential(*, before, x, y):
    """``|w|**2 + |x|**2 + 2 y <w, x>``."""
    return inner(before, before) + inner(x, x) + 2 * y * inner(before, x)


@equation(7, premises=MISTAKE, errata="kit-E9 kit-E11b")
def potential_without_cross_term(*, before, x, y):
    """``|w|**2 + |x|**2``."""
    return inner(before, before) + inner(x, x)


@equation(8, errata="kit-E9 kit-E11b", premises=MISTAKE | {
    "|x| <= R": lambda x, radius2: inner(x, x) <= np.asarray(radius2),
})  # fmt: skip
def potential_step(*, before, x, y, radius2):
    """``|w|**2 + R**2``."""
    return inner(before, before) + radius2


@equation(9, errata="kit-E9")
def potential_after_one(*, start, X):
    """``|w0|**2 + R**2``."""
    return inner(start, start) + radius_squared(X)


@equation(10, errata="kit-E9")
def potential_after_two(*, start, X):
    """``|w0|**2 + 2 R**2``."""
    return inner(start, start) + 2 * radius_squared(X)


@equation(11, errata="kit-E9")
def potential_after_some(*, start, X, k):
    """``|w0|**2 + k R**2``."""
    return inner(start, start) + k * radius_squared(X)


@equation(12, errata="kit-E9")
def potential_after_all(*, start, X, mistakes):
    """``|w0|**2 + M R**2``."""
    return inner(start, start) + mistakes * radius_squared(X)


@equation(13, errata="kit-E9")
def potential_upper(*, X, mistakes):
    """``M R**2``."""
    return mistakes * radius_squared(X)


@equation(15, errata="kit-E10", premises={
    "w is not 0": lambda w: inner(w, w) > 0,
    "|w'| = 1": lambda unit: np.isclose(inner(unit, unit), 1),
})  # fmt: skip
def largest_inner_product(*, w):
    """``|w|``."""
    return np.sqrt(inner(w, w))


equation(16, premises=UNIT | {"w is not 0": lambda w: inner(w, w) > 0},
         errata="kit-E9 kit-E10")(largest_inner_product)  # fmt: skip


@equation(17, relation="==", premises=MISTAKE, errata="kit-E11 kit-E11b")
def updated_alignment(*, before, x, y, u):
    """``<w*, w> + y <w*, x>``."""
    return inner(before, u) + y * inner(x, u)


@equation(18, relation=">=", errata="kit-E9 kit-E11b", premises=MISTAKE | {
    "y <w*, x> >= gamma > 0": lambda x, y, u, gamma: (
        (np.asarray(gamma) > 0) & (y * inner(x, u) >= gamma * (1 - 1e-12))
    ),
})  # fmt: skip
def alignment_step(*, before, u, gamma):
    """``<w*, w> + gamma``."""
    return inner(before, u) + gamma


@equation(19, relation=">=", premises=SEPARABLE, errata="kit-E9")
def alignment_after_some(*, start, X, y, u, k):
    """``<w*, w0> + k gamma``."""
    return inner(start, u) + k * least_margin(X, y, u)


@equation(20, relation=">=", premises=SEPARABLE, errata="kit-E9")
def alignment_lower(*, X, y, u, mistakes):
    """``M gamma``."""
    return mistakes * least_margin(X, y, u)


@equation(21, relation=">=", premises=SEPARABLE, errata="kit-E9")
def squeeze(*, X, y, u, mistakes, alignment):
    """Both lower bounds: ``M gamma``, and ``<w*, w>``."""
    return np.stack([mistakes * least_margin(X, y, u), alignment])


equation(22, relation=">=", premises=SEPARABLE, errata="kit-E9")(alignment_lower)


@equation(23, relation=">=", premises=SEPARABLE, errata="kit-E9")
def potential_lower(*, X, y, u, mistakes):
    """``(M gamma)**2``."""
    return (mistakes * least_margin(X, y, u)) ** 2


@equation(24, premises=SEPARABLE, errata="kit-E9")
def combined(*, X, y, u, mistakes):
    """``M R**2``."""
    return mistakes * radius_squared(X)


@theorem("kit-rem-gamma", "section 3.2, last remark", relation="==",
         premises={"d >= 1": lambda d: np.asarray(d) >= 1}, errata="kit-E13",
         evidence="adversary")  # fmt: skip
def worst_at_margin(*, d):
    """``d``, which is ``R**2 / gamma**2`` at R = 1 and gamma = 1 / sqrt(d)."""
    return np.asarray(d)


# ---------------------------------------------------------------- section 4: Winnow


def _whole_log(n, base):
    """The largest whole j with ``base ** j <= n``, without a logarithm."""
    j, power = 0, base
    while power <= n:
        j, power = j + 1, power * base
    return j


def _promotions(n, beta):
    """``floor(log_(1+beta) N) + 1``, entry by entry."""
    most = np.frompyfunc(lambda n, beta: _whole_log(n, 1 + beta) + 1, 2, 1)
    return np.asarray(most(n, beta)).astype(int)


BETA = {"beta > 0": lambda beta=1: np.asarray(beta) > 0}
BETA_1 = {"beta = 1": lambda beta=1: np.asarray(beta) == 1}
DISJUNCTION = SOME_EXPERT | {
    "0 <= k <= N": lambda k, n: (np.asarray(k) >= 0) & (np.asarray(k) <= n),
    "the labels are the OR of the first k features": (
        lambda k, inputs=None, labels=None: (
            inputs is None or labels == inputs[..., :k].any(axis=-1)
        )
    ),
}


@theorem("kit-rem-rule", "section 4.1", relation="==", premises=BETA, evidence="steps")
def updated_weights(*, before, x, y, y_hat, beta=1):
    """``w_i (1 + beta) ** ((y - y_hat) x_i)``, case by case."""
    beta = np.asarray(beta)[..., None]
    up = (y_hat == 0) & (y == 1)
    down = (y_hat == 1) & (y == 0)
    on = x == 1
    promoted = np.where(on & up[..., None], before * (1 + beta), before)
    return np.where(on & down[..., None], before / (1 + beta), promoted)


@equation(26, relation="==")
def both_kinds(*, labels, predictions):
    """``m+ + m-``."""
    positive = ((labels == 1) & (predictions == 0)).sum(axis=0)
    negative = ((labels == 0) & (predictions == 1)).sum(axis=0)
    return positive + negative


POSITIVE = {
    "the example is positive and the prediction 0": lambda y, y_hat: (
        (y == 1) & (y_hat == 0)
    )
}
NEGATIVE = {
    "the example is negative and the prediction 1": lambda y, y_hat: (
        (y == 0) & (y_hat == 1)
    )
}


@equation(27, relation="==", premises=POSITIVE, errata="kit-E15 kit-E19")
def promoted_potential(*, before, x, y, y_hat, beta=1):
    """``Phi + beta w.x``."""
    return before.sum(axis=-1) + beta * inner(before, x)


@equation(28, relation="==", premises={"the example is positive": lambda y: y == 1},
          errata="kit-E19")  # fmt: skip
def indicator(*, before, x, y, n):
    """``1[<w, x> > N]``."""
    return (inner(before, x) > n).astype(int)


@equation(29, premises=POSITIVE, errata="kit-E19")
def threshold(*, n, y, y_hat):
    """``N``."""
    return np.asarray(n)


@equation(30, premises=POSITIVE, errata="kit-E15 kit-E19")
def promotion_step(*, before, n, y, y_hat, beta=1):
    """``Phi + beta N``."""
    return before.sum(axis=-1) + beta * n


@equation(31, premises=BETA | SOME_EXPERT, errata="kit-E15")
def potential_promoted(*, n, positive, beta=1):
    """``N + beta m+ N``."""
    return n + beta * positive * n


@equation(32, relation="==", premises=NEGATIVE, errata="kit-E15 kit-E19")
def demoted_potential(*, before, x, y, y_hat, beta=1):
    """``Phi - beta / (1 + beta) w.x``."""
    return before.sum(axis=-1) - beta * inner(before, x) / (1 + beta)


@equation(33, relation="<", premises=NEGATIVE, errata="kit-E15")
def demotion_step(*, before, n, y, y_hat, beta=1):
    """``Phi - beta / (1 + beta) N``."""
    return before.sum(axis=-1) - beta * n / (1 + beta)


@equation(34, relation=">=", premises=BETA | SOME_EXPERT, errata="kit-E15 kit-E16")
def taken(*, n, negative, beta=1):
    """``beta / (1 + beta) m- N``."""
    return beta * negative * n / (1 + beta)


@equation(35, premises=BETA | SOME_EXPERT, errata="kit-E15")
def winnow_potential(*, n, positive, negative, beta=1):
    """``N + beta m+ N - beta / (1 + beta) m- N``."""
    return n + beta * positive * n - beta * negative * n / (1 + beta)


equation(36, relation="<", premises=BETA | SOME_EXPERT, errata="kit-E15 kit-E17")(
    winnow_potential
)


@equation(37, relation="<", premises=BETA, errata="kit-E15 kit-E17")
def negatives(*, positive, beta=1):
    """``(1 + beta) / beta + (1 + beta) m+``."""
    return (1 + beta) * (1 / beta + positive)


theorem(
    "kit-lemmas",
    "section 4.2",
    relation="==",
    errata="kit-E23",
    evidence="steps exhaustive",
    premises={
        "the labels are the OR of the first k features": lambda k, inputs, labels: (
            labels == inputs[..., :k].any(axis=-1)
        ),
    },
)(no_exceptions)


@equation(38, premises=BETA | SOME_EXPERT, errata="kit-E14 kit-E15",
          evidence="exhaustive adversary")  # fmt: skip
def weight_limit(*, n, beta=1):
    """``N``."""
    return np.asarray(n)


@equation(39, premises=BETA | SOME_EXPERT, errata="kit-E14 kit-E15",
          evidence="exhaustive adversary", nontrivial=True,
          unit="mistakes")  # fmt: skip
def promotions_of_one(*, n, beta=1):
    """``floor(log_(1+beta) N) + 1``."""
    return _promotions(n, beta)


@equation(40, premises=BETA | DISJUNCTION, errata="kit-E14 kit-E14b kit-E15",
          evidence="exhaustive adversary", nontrivial=True,
          unit="mistakes")  # fmt: skip
def positives(*, n, k, beta=1):
    """``k (floor(log_(1+beta) N) + 1)``."""
    return k * _promotions(n, beta)


@equation(41, relation="<", premises=BETA_1 | DISJUNCTION, errata="kit-E15 kit-E18",
          evidence="exhaustive adversary", nontrivial=True,
          unit="mistakes")  # fmt: skip
def negatives_in_all(*, n, k):
    """``2 + 2 k (lg N + 1)``."""
    return 2 + 2 * k * (np.log2(n) + 1)


@theorem("kit-thm-winnow", "equation (42)", relation="<", premises=BETA_1 | DISJUNCTION,
         errata="kit-E15 kit-E18", evidence="exhaustive adversary", nontrivial=True,
         unit="mistakes")  # fmt: skip
def winnow_bound(*, n, k):
    """``2 + 3 k (lg N + 1)``."""
    return 2 + 3 * k * (np.log2(n) + 1)


@theorem("kit-winnow-beta", "section 4.2, for the free beta of Algorithm 4",
         relation="<", premises=BETA | DISJUNCTION, errata="kit-E15",
         evidence="exhaustive adversary", nontrivial=True, unit="mistakes")  # fmt: skip
def winnow_beta_bound(*, n, k, beta):
    """``(1 + beta) / beta + (2 + beta) k (log_(1+beta) N + 1)``."""
    beta = np.asarray(beta, dtype=float)
    return (1 + beta) / beta + (2 + beta) * k * (np.log(n) / np.log1p(beta) + 1)


# ---------------------------------------------------------------- section 5


@theorem("kit-concl", "section 5", relation=">=",
         premises={"N >= 2": lambda n: np.asarray(n) >= 2}, errata="kit-E21",
         evidence="adversary", nontrivial=True, unit="mistakes")  # fmt: skip
def perceptron_forced(*, n):
    """``N``."""
    return np.asarray(n)


MARGIN = {"y <u, x> >= gamma > 0": lambda X, y, u: least_margin(X, y, u) > 0}


@theorem("kit-pnorm", "section 5, added: one method, two geometries", premises=MARGIN
         | {"p >= 2": lambda p: np.asarray(p) >= 2},
         evidence="exhaustive adversary random", nontrivial=True,
         unit="mistakes")  # fmt: skip
def pnorm_bound(*, X, y, u, p):
    """``(p - 1) max |x|_p**2 |u|_q**2 / gamma**2``, where ``1/p + 1/q = 1``."""
    size, dual = np.linalg.norm(X, p, axis=-1), np.linalg.norm(u, p / (p - 1), axis=-1)
    return (p - 1) * (size.max(axis=0) * dual / least_margin(X, y, u)) ** 2


@theorem("kit-pnorm-log", "section 5, added: one method, two geometries",
         premises=MARGIN | {"N >= 3": lambda u: np.shape(u)[-1] >= 3},
         evidence="adversary random", nontrivial=True, unit="mistakes")  # fmt: skip
def pnorm_log_bound(*, X, y, u):
    """``e (2 ln N - 1) max |x|_inf**2 |u|_1**2 / gamma**2``."""
    factor = np.e * (2 * np.log(np.shape(u)[-1]) - 1)
    size, dual = abs(X).max(axis=-1), abs(u).sum(axis=-1)
    return factor * (size.max(axis=0) * dual / least_margin(X, y, u)) ** 2
