"""Beyond the lectures: gradient descent, exactly.

Names of parameters: ``rates``, one a round along the last axis; ``kappa``, the number
with ``E |x|**2 x x^T = kappa I``; ``noise``, which is ``d`` times the variance of the
noise; ``drift``, the mean squared length of the teacher's step; ``start``, the error
before round 1.  Where gradients are chosen by an adversary, they are ``X`` of shape
(T, ..., d), and ``rounds`` is T.
"""

from fractions import Fraction
from math import comb, isqrt
from typing import Any

import numpy as np

from olutil.theorems._common import SOME_FEATURE, SOME_ROUND, inner, root
from olutil.theorems._registry import theorem

DESCENT = "Gradient descent, exactly"

# ---------------------------------------------------------------- hypotheses

VARIANCES = {
    "noise and drift are not negative": lambda noise, drift: (
        (np.asarray(noise) >= 0) & (np.asarray(drift) >= 0)
    ),
}
KAPPA = {"kappa >= 1": lambda kappa: np.asarray(kappa) >= 1}
POSITIVE = {"a positive rate": lambda rate: np.asarray(rate) > 0}
LONG = {"T >= 19": lambda rounds: np.asarray(rounds) >= 19}

# ---------------------------------------------------------------- pieces


def _root(value: Any) -> Any:
    """The square root: a Fraction where it is one, else a float."""
    if not isinstance(value, int | Fraction):
        return float(value) ** 0.5
    top, bottom = (isqrt(v) for v in Fraction(value).as_integer_ratio())
    exact = Fraction(top, bottom)
    return exact if exact**2 == value else float(value) ** 0.5


def _roots(rounds: Any) -> Any:
    """The root of each whole number, as `_root` has it."""
    return np.vectorize(lambda v: _root(int(v)), otypes=[object])(rounds)[()]


# ---------------------------------------------------------------- a linear teacher


@theorem(
    "bey-desc-recursion",
    "The mean-square recursion",
    r"Let the inputs $x_t\in\mathbb{R}^d$ be independent and identically distributed, "
    r"with $\mathbb{E}\,xx^\top=I$ and $\mathbb{E}\lVert x\rVert^2xx^\top=\kappa I$, "
    r"and let $y_t=w^*_t\cdot x_t+\varepsilon_t$. The noise $\varepsilon_t$ has mean 0 "
    r"and variance $\sigma^2$, the teacher's steps $w^*_t-w^*_{t-1}$ have mean 0 and "
    r"mean squared length $\delta^2$, and all of these are independent of one another "
    r"and of the start. The rates are fixed beforehand. Then the error "
    r"$e_t=\mathbb{E}\lVert w_t-w^*_t\rVert^2$ of online gradient descent obeys "
    r"$$e_t=(1-2\eta_t+\kappa\eta_t^2)(e_{t-1}+\delta^2)+d\sigma^2\eta_t^2.$$ "
    r"If the coordinates of $x$ are independent with mean 0, variance 1 and fourth "
    r"moment $\mu$, then $\kappa=d-1+\mu$: it is $d$ for signs $\pm1$ on fair coins, "
    r"and $d+2$ for standard normal inputs.",
    where=DESCENT,
    relation="==",
    premises=VARIANCES,
    evidence=("exhaustive",),
)
def mean_square_errors(*, rates, kappa, noise, drift, start):
    """The errors after each round, shape of ``rates`` (time is the last axis)."""
    error, errors = start, []
    for eta in np.moveaxis(np.asarray(rates), -1, 0):
        error = (1 - 2 * eta + kappa * eta**2) * (error + drift) + noise * eta**2
        errors.append(error)
    return np.stack(errors, axis=-1)


@theorem(
    "bey-desc-mean",
    "The mean of the weights",
    r"Under the same hypotheses, with a teacher at rest and a constant rate, "
    r"$\mathbb{E}\,w_t-w^*=(1-\eta)^t(w_0-w^*)$, whatever the noise. So the mean tends "
    r"to the teacher from every start if and only if $0<\eta<2$, in every dimension.",
    where=DESCENT,
    relation="==",
    evidence=("exhaustive",),
)
def mean_of_the_weights(*, rate, before, rounds):
    """``(1 - rate) ** rounds`` times what the mean was off ``before``."""
    factor = np.asarray(1 - rate, dtype=object)
    return factor ** np.asarray(rounds, dtype=object) * before


@theorem(
    "bey-desc-factor",
    "The best rate, and the last stable one",
    r"Without noise and drift $e_t=(1-2\eta+\kappa\eta^2)^te_0$. So $e_t\to0$ for "
    r"every $e_0$ if and only if $0<\eta<\frac2\kappa$, and the best rate is "
    r"$\eta=\frac1\kappa$, with the factor $1-\frac1\kappa$ a round.",
    where=DESCENT,
    relation=">=",
    premises=KAPPA,
    evidence=("exhaustive",),
)
def best_factor(*, kappa):
    """``1 - 1 / kappa``."""
    return 1 - Fraction(1) / np.asarray(kappa, dtype=object)


@theorem(
    "bey-desc-kappa",
    "Inputs of constant length are the best",
    r"Whatever the law of $x$ with $\mathbb{E}\,xx^\top=I$ and "
    r"$\mathbb{E}\lVert x\rVert^2xx^\top=\kappa I$, we have $\kappa\ge d$, with "
    r"equality if and only if $\lVert x\rVert^2=d$ with probability 1.",
    where=DESCENT,
    relation=">=",
    premises=SOME_FEATURE,
    evidence=("exact",),
)
def least_kappa(*, d):
    """The dimension."""
    return np.asarray(d)


@theorem(
    "bey-desc-paths",
    "From the limit on, no path comes nearer",
    r"If $\lVert x_t\rVert^2=d$ in every round, then without noise and drift "
    r"$$\lVert w_t-w^*\rVert^2=\lVert w_{t-1}-w^*\rVert^2-\eta(2-d\eta)"
    r"\bigl((w_{t-1}-w^*)\cdot x_t\bigr)^2.$$ So for $\eta\ge\frac2d$ no stream of "
    r"such inputs ever brings the student nearer to the teacher.",
    where=DESCENT,
    relation=">=",
    premises={
        "the rate is at least 2 / d": lambda rate, d: np.asarray(rate) * d >= 2,
    },
    evidence=("exhaustive",),
)
def never_nearer(*, before):
    """The squared distance to the teacher ``before`` the round."""
    return before


@theorem(
    "bey-desc-falling",
    "What the rate 1/t costs at the start",
    r"Let $\kappa>1$ and $a=\sqrt{\kappa-1}$. Without noise and drift the rates "
    r"$\eta_t=\frac1t$ lead to "
    r"$$e_T=e_0\,\frac{a^2}{T^2}\prod_{t=1}^{T-1}\Bigl(1+\frac{a^2}{t^2}\Bigr)"
    r"<e_0\,\frac{a\sinh(\pi a)}{\pi T^2},$$ and the quotient of the two sides tends "
    r"to 1.",
    where=DESCENT,
    relation="<",
    premises=SOME_ROUND | {"kappa > 1": lambda kappa: np.asarray(kappa) > 1},
    evidence=("exact",),
)
def falling_from_the_start(*, kappa, rounds):
    """``a sinh(pi a) / (pi T**2)``, for a start at distance 1."""
    a = root(np.asarray(kappa) - 1)
    return a * np.sinh(np.pi * a) / (np.pi * np.asarray(rounds, dtype=float) ** 2)


@theorem(
    "bey-desc-rates",
    "The best rates",
    r"Let $\sigma$ or $\delta$ be positive, and put $q=e_{t-1}+\delta^2$. Every rate "
    r"leads to "
    r"$$e_t\ge q-\frac{q^2}{\kappa q+d\sigma^2},$$ with equality for "
    r"$\eta_t=\frac q{\kappa q+d\sigma^2}$. If it is chosen in every round, then $e_t$ "
    r"is as small as with any sequence of rates, for all $t$ at once. Without drift, "
    r"and with $e_0>0$, then $t\,e_t\to d\sigma^2$; and for $\kappa=d=1$ exactly "
    r"$\frac1{e_t}=\frac1{e_0}+\frac t{\sigma^2}$.",
    where=DESCENT,
    relation=">=",
    premises=VARIANCES
    | KAPPA
    | {
        "noise or drift is positive": lambda noise, drift: (
            (np.asarray(noise) > 0) | (np.asarray(drift) > 0)
        ),
    },
    evidence=("exact",),
)
def least_errors(*, kappa, noise, drift, start, rounds):
    """The least errors after rounds 1 to ``rounds``, a number; time is last."""
    error, errors = start, []
    for _ in range(rounds):
        q = error + drift
        error = q - q**2 / (kappa * q + noise)
        errors.append(error)
    return np.stack(errors, axis=-1)


@theorem(
    "bey-desc-drift",
    "The best constant rate for a drifting teacher",
    r"Let $\sigma,\delta>0$ and $\rho=\frac{d\sigma^2}{\delta^2}$. With a constant "
    r"rate $0<\eta<\frac2\kappa$ the error has a limit. It is least for "
    r"$$\eta^*=\frac2{\kappa+\sqrt{\kappa^2+4\rho}},\qquad\text{where it is}\quad "
    r"e^*=\delta^2\Bigl(\frac1{\eta^*}-1\Bigr).$$ No sequence of rates does better in "
    r"the long run, $\liminf e_t\ge e^*$; and if $e_0\ge e^*$, then $e_t\ge e^*$ for "
    r"all $t$.",
    where=DESCENT,
    relation=">=",
    premises=KAPPA
    | {
        "noise and drift are positive": lambda noise, drift: (
            (np.asarray(noise) > 0) & (np.asarray(drift) > 0)
        ),
    },
    evidence=("exact",),
)
def tracking_floor(*, kappa, noise, drift):
    """The error that no sequence of rates passes below in the long run."""

    def floor(kappa, noise, drift):
        # The positive solution of q**2 = drift (kappa q + noise), less the drift.
        q = (kappa * drift + _root((kappa * drift) ** 2 + 4 * noise * drift)) / 2
        return q - drift

    each = (np.asarray(value, dtype=object) for value in (kappa, noise, drift))
    return np.vectorize(floor, otypes=[object])(*each)[()]


@theorem(
    "bey-desc-crossing",
    "Falling against constant, under drift",
    r"Let $\sigma,\delta>0$, $e_0\ge e^*$ and $b\ge0$. Let $r_t$ be the error with the "
    r"rates $\frac1{t+b}$ and $c_t$ that with the best constant rate $\eta^*$. Then "
    r"$\frac{r_t}t\to\frac{\delta^2}3$ and $c_t\to e^*$, so in the end the constant "
    r"rate is ahead. If $c_t\le r_t$ in a round $t\ge\frac1{\eta^*}-1-b$, then "
    r"$c_s\le r_s$ in all later rounds.",
    where=DESCENT,
    relation="==",
    evidence=("exact",),
)
def rounds_of_relapse():
    """How often 1/t is ahead again after such a round: never."""
    return 0


# ---------------------------------------------------------------- regret


@theorem(
    "bey-desc-regret",
    "The regret of online gradient descent",
    r"Let $K$ be a closed convex set, $w_1\in K$, and let $w_{t+1}$ be the point of "
    r"$K$ nearest to $w_t-\eta g_t$. Then for every $u\in K$ "
    r"$$\sum_{t=1}^Tg_t\cdot(w_t-u)\le\frac{\lVert w_1-u\rVert^2}{2\eta}"
    r"+\frac\eta2\sum_{t=1}^T\lVert g_t\rVert^2.$$ If no step leads out of $K$, the "
    r"right-hand side is larger by exactly $\frac1{2\eta}\lVert w_{T+1}-u\rVert^2$. "
    r"With $\lVert g_t\rVert\le G$, $\lVert w_1-u\rVert\le B$ and "
    r"$\eta=\frac B{G\sqrt T}$ the bound is $BG\sqrt T$.",
    where=DESCENT,
    relation="<=",
    premises=POSITIVE,
    evidence=("exhaustive", "exact"),
)
def regret_of_descent(*, X, u, rate, off=0):
    """The bound for a start at 0; ``off`` is how far from ``u`` it ended, squared."""
    slack = (inner(u, u) - off) / (2 * rate)
    return slack + rate * inner(X, X).sum(axis=0) / 2


@theorem(
    "bey-desc-spiral",
    "A stream that attains the bound",
    r"In the unit ball let every $g_t$ have length 1 and be orthogonal to "
    r"$g_1+\dots+g_{t-1}$. Then online gradient descent from 0 with "
    r"$\eta=\frac1{\sqrt T}$ has the regret $\sqrt T$ exactly, which is its bound.",
    where=DESCENT,
    relation="==",
    premises=SOME_ROUND,
    evidence=("exact",),
)
def regret_on_the_spiral(*, rounds):
    """The root of the number of rounds, a Fraction where it is one."""
    return _roots(rounds)


@theorem(
    "bey-desc-zinkevich",
    "Zinkevich's bound for the falling rate",
    r"Let $K$ be closed and convex with diameter $D$, and $\lVert g_t\rVert\le G$. "
    r"With $w_1\in K$, $\eta_t=\frac1{\sqrt t}$ and projection onto $K$, for every "
    r"$u\in K$ "
    r"$$\sum_{t=1}^Tg_t\cdot(w_t-u)\le\frac{D^2\sqrt T}2"
    r"+G^2\Bigl(\sqrt T-\frac12\Bigr).$$",
    where=DESCENT,
    premises=SOME_ROUND,
    evidence=("exhaustive",),
    nontrivial=True,
)
def zinkevich(*, rounds, diameter=2, gradient=1):
    """Both terms, for a set of this diameter and gradients of at most this length."""
    return diameter**2 * root(rounds) / 2 + gradient**2 * (root(rounds) - 0.5)


@theorem(
    "bey-desc-three",
    "Zinkevich's constants are right",
    r"In $K=[-1,1]$, with $w_1=0$ and $\eta_t=\frac1{\sqrt t}$, there is for every "
    r"$T\ge19$ a stream with $|g_t|\le1$ on which the regret is at least "
    r"$$3\sqrt T-\tfrac12\ln T-8.$$ There $D=2$, $G=1$, and Zinkevich's bound is "
    r"$3\sqrt T-\frac12$.",
    where=DESCENT,
    relation=">=",
    premises=LONG,
    evidence=("adversary",),
)
def forced_from_zinkevich(*, rounds):
    """``3 sqrt(T) - ln(T) / 2 - 8``."""
    return 3 * root(rounds) - np.log(rounds) / 2 - 8


@theorem(
    "bey-desc-lower",
    "Nobody does better",
    r"In the unit ball of $\mathbb{R}^d$, $d\ge2$, let $v_t$ be a unit vector "
    r"orthogonal to $g_1+\dots+g_{t-1}$, and $g_t=\pm v_t$ by a fair coin. Then the "
    r"expected regret after $T$ rounds of every learner whose $w_t$ does not depend on "
    r"the coin of round $t$ is exactly $\sqrt T$.",
    where=DESCENT,
    relation="==",
    premises=SOME_ROUND,
    evidence=("adversary",),
)
def forced_in_the_ball(*, rounds):
    """The root of the number of rounds, a Fraction where it is one."""
    return _roots(rounds)


@theorem(
    "bey-desc-optimal",
    "An optimal learner in the ball",
    r"In a Euclidean space, with $r$ rounds to go (this one included) and the sum $S$ "
    r"of the gradients so far, let $w=-S/\sqrt{\lVert S\rVert^2+r}$. If "
    r"$\lVert g_t\rVert\le1$ for all $t$, the regret of this learner against the unit "
    r"ball is at most $\sqrt T$. So for $d\ge2$ the value of the game is $\sqrt T$.",
    where=DESCENT,
    premises=SOME_ROUND,
    evidence=("exhaustive",),
    nontrivial=True,
)
def value_of_the_ball(*, rounds):
    """The root of the number of rounds."""
    return root(rounds)


@theorem(
    "bey-desc-line",
    "The value on the line",
    r"For $K=[-1,1]$ and $|g_t|\le1$ the value of the game after $T$ rounds is the "
    r"mean distance from 0 of a walk of $T$ fair steps $\pm1$, "
    r"$$\mathbb{E}|R_T|=\frac{2m}{4^m}\binom{2m}m,\qquad "
    r"m=\Bigl\lceil\frac T2\Bigr\rceil.$$",
    where=DESCENT,
    relation="==",
    premises=SOME_ROUND,
    evidence=("exhaustive", "adversary"),
)
def value_of_the_line(*, rounds):
    """The mean distance, as a Fraction."""

    def distance(rounds):
        m = (int(rounds) + 1) // 2
        return Fraction(2 * m * comb(2 * m, m), 4**m)

    return np.vectorize(distance, otypes=[object])(rounds)[()]
