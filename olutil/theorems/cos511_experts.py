"""Schapire, COS 511 lecture 14, up to section 1.3: learning with expert advice.

Names of parameters: ``n`` experts (N), ``best`` the best one's mistakes (m), ``cap``
a bound on those that is known beforehand (K), ``rounds`` (T), the penalty ``beta``, the
experts' counts ``mistakes`` (experts on the last axis), ``losses`` the learner's
expected loss in each round (time on axis 0).
"""

from fractions import Fraction
from typing import Any

import numpy as np

from olutil._exact_sums import powers
from olutil.exact import expected_best
from olutil.theorems._common import (
    INSIDE,
    PENALTY,
    SOME_EXPERT,
    SOME_ROUND,
    TWO_EXPERTS,
)
from olutil.theorems._registry import definition, theorem

INTRO, S11, S12, S13 = "introduction", "section 1.1", "section 1.2", "section 1.3"

# ---------------------------------------------------------------- hypotheses

MISTAKES = {"m >= 0": lambda best: np.asarray(best) >= 0}
# With beta = 0 nothing is claimed unless some expert is perfect.
INSIDE_OR_PERFECT = {
    "0 < beta < 1, or beta = 0 and m = 0": lambda beta, best: (
        (np.asarray(beta) < 1)
        & ((np.asarray(beta) > 0) | ((np.asarray(beta) == 0) & (np.asarray(best) == 0)))
    )
}
CAPPED = {
    "0 <= m <= K": lambda best, cap: (np.asarray(best) >= 0) & (best <= np.asarray(cap))
}
CAPPED_RATE = {
    "0 <= m <= rT": lambda best, rate, rounds: (
        (np.asarray(best) >= 0) & (best <= np.asarray(rate) * rounds)
    )
}
HALF_AT_MOST = {
    "0 <= m <= T/2": lambda best, rounds: (
        (np.asarray(best) >= 0) & (2 * np.asarray(best) <= rounds)
    )
}


# ---------------------------------------------------------------- pieces


def _plain(value: Any) -> Any:
    """A Python number for a single value; arrays stay arrays."""
    value = np.asarray(value)
    return value.item() if value.ndim == 0 else value


def _real(value: Any) -> np.ndarray:
    """Fractions and integers as floating point numbers."""
    return np.asarray(value, dtype=float)


def _charge(beta: Any, best: Any) -> np.ndarray:
    """``best * ln(1 / beta)``, which is 0 for a perfect expert even if beta = 0."""
    beta, best = np.broadcast_arrays(_real(beta), _real(best))
    return -best * np.log(np.where(best == 0, 1, beta))


def _majority(beta: Any, n: Any, best: Any) -> np.ndarray:
    """Theorem 1's right-hand side; every logarithm in it may have any one base."""
    return (_charge(beta, best) + np.log(_real(n))) / np.log(2 / (1 + _real(beta)))


def _randomized(beta: Any, n: Any, best: Any) -> np.ndarray:
    """Theorem 2's right-hand side."""
    return (_charge(beta, best) + np.log(_real(n))) / (1 - _real(beta))


# ---------------------------------------------------------------- introduction


@theorem(
    "cos511-prot-experts",
    "The protocol of learning with expert advice",
    r"In each of $T$ rounds the learner receives the advice "
    r"$\xi_1,\dots,\xi_N\in\{0,1\}$ of $N$ experts, predicts $\hat y\in\{0,1\}$, and "
    r"only then sees the outcome $y\in\{0,1\}$.",
    where=INTRO,
    relation="==",
    premises=SOME_ROUND,
    evidence=("steps",),
)
def breaches_of_protocol(*, rounds):
    """No step of the game is out of order."""
    return 0


@theorem(
    "cos511-alg-wma",
    "Weighted Majority and its weights",
    r"Weighted Majority starts with $w_i=1$ for every expert. "
    r"In each round it predicts 1 if $q_1>q_0$ and 0 otherwise, where "
    r"$q_b=\sum_{i:\xi_i=b}w_i$, and then multiplies by $\beta\in[0,1)$ the weight of "
    r"every expert that was wrong, whether or not the learner was. "
    r"Hence at any time $w_i=\beta^{L_i}$, where $L_i$ is the number of mistakes of "
    r"expert $i$ so far.",
    where=INTRO,
    relation="==",
    premises=PENALTY,
    errata=("cos511-E4",),
    evidence=("exhaustive", "exact"),
)
def weights_of_mistakes(*, beta, mistakes):
    """``beta ** mistakes``, exact for a Fraction."""
    return powers(beta, np.asarray(mistakes))


@theorem(
    "cos511-thm1",
    "Mistake bound of Weighted Majority",
    r"Let $\beta\in(0,1)$ and $N\ge1$. On every stream Weighted Majority makes "
    r"$$M\le a_\beta\,m+c_\beta\lg N$$ mistakes, with the constants "
    r"$$a_\beta=\frac{\lg\frac1\beta}{\lg\frac2{1+\beta}},\qquad "
    r"c_\beta=\frac1{\lg\frac2{1+\beta}},$$ where $m=\min_iL_i$ is the number of "
    r"mistakes of the best expert. Ties may be broken either way, and the weights may "
    r"be updated in every round or only in the rounds in which the learner errs. For "
    r"$\beta=0$ the bound holds if $m=0$, with $a_0\cdot0$ read as 0.",
    where="Theorem 1",
    premises=SOME_EXPERT | MISTAKES | INSIDE_OR_PERFECT,
    errata=("cos511-E1", "cos511-E4"),
    evidence=("exhaustive", "adversary"),
    nontrivial=True,
)
def weighted_majority_bound(*, beta, n, best):
    """``a * best + c * lg(n)`` with Theorem 1's constants."""
    return _plain(_majority(beta, n, best))


@theorem(
    "cos511-pf1-shrink",
    "Theorem 1, step 1: a mistake costs weight",
    r"A mistake of Weighted Majority leaves at most the fraction $\frac{1+\beta}2$ of "
    r"the total weight: $W_{\text{final}}\le N\left(\frac{1+\beta}2\right)^M$.",
    where="Theorem 1, proof (from the lecture before)",
    premises=SOME_EXPERT | INSIDE,
    evidence=("steps",),
)
def shrunken_weight(*, beta, n, errors):
    """``n * ((1 + beta) / 2) ** errors``, exact for a Fraction."""
    return n * powers((1 + beta) / 2, np.asarray(errors))


# ---------------------------------------------------------------- section 1.1


@theorem(
    "cos511-rem-abeta2",
    "The leading constant of Theorem 1 tends to 2",
    r"$a_\beta=\lg\frac1\beta\big/\lg\frac2{1+\beta}$ decreases strictly in "
    r"$\beta\in(0,1)$ and tends to 2 as $\beta\to1$. So $2<a_\beta$ for every $\beta$.",
    where=S11,
    relation="<",
    premises=INSIDE,
    evidence=("exact",),
)
def leading_constant_of_majority(*, beta):
    """Theorem 1's ``a_beta``."""
    return _plain(_majority(beta, 1, 1))


@theorem(
    "cos511-rem-want1",
    "No deterministic learner beats the constant 2",
    r"A leading constant close to 1 is what one would like, and no deterministic "
    r"learner has it. Let one expert always say 0 and another always say 1. For every "
    r"deterministic learner there is a stream of any length $T$ on which it errs in "
    r"every round, while $m\le T/2$. So $M\ge2m$ there, and $M\le a\,m+c$ cannot hold "
    r"for all $T$ with a constant $a<2$.",
    where=S11,
    relation=">=",
    premises=MISTAKES,
    evidence=("adversary",),
)
def twice_the_best(*, best):
    """``2 * best``."""
    return 2 * np.asarray(best)


@theorem(
    "cos511-ftl",
    "Mistake bound of Follow the Leader",
    r"Follow the Leader repeats in each round the advice of an expert with the fewest "
    r"mistakes so far. It makes $M\le N(m+1)-1$ mistakes, and for every $N\ge1$ and "
    r"$m\ge0$ some stream attains this.",
    where=S11,
    premises=SOME_EXPERT | MISTAKES,
    evidence=("exhaustive", "adversary"),
    nontrivial=True,
)
def follow_the_leader_bound(*, n, best):
    """``n * (best + 1) - 1``."""
    return np.asarray(n) * (np.asarray(best) + 1) - 1


# ---------------------------------------------------------------- section 1.2


@theorem(
    "cos511-rem-51",
    "Weighted Majority ignores how close the vote is",
    r"The prediction of Weighted Majority depends on the sign of $q_1-q_0$ alone: a "
    r"vote of 51% counts as much as a unanimous one.",
    where=S12,
    relation="==",
    premises=PENALTY,
    evidence=("exhaustive",),
)
def votes_decided_otherwise(*, beta):
    """No vote is decided by anything but the sign."""
    return 0


@theorem(
    "cos511-alg-rwma",
    "Randomized Weighted Majority",
    r"Randomized Weighted Majority keeps the weights of Weighted Majority and predicts "
    r"$\hat y=1$ with probability $\frac{q_1}W$, where $W=\sum_iw_i=q_0+q_1$, and "
    r"$\hat y=0$ otherwise. This needs $W>0$: take $\beta>0$, or $\beta=0$ as long as "
    r"some expert is perfect.",
    where=S12,
    relation="==",
    premises=INSIDE,
    errata=("cos511-E1",),
    evidence=("exact",),
)
def share_for_one(*, beta, mistakes, advice):
    """``q_1 / W`` for the weights ``beta ** mistakes``."""
    weights = powers(beta, np.asarray(mistakes))
    return (weights * (np.asarray(advice) == 1)).sum(axis=-1) / weights.sum(axis=-1)


@theorem(
    "cos511-rem-equiv",
    "Tossing on the vote is drawing an expert",
    r"It is the same to draw expert $i$ with probability $\frac{w_i}W$ and to predict "
    r"$\hat y=\xi_i$: both predict 1 with the same probability.",
    where=S12,
    relation="==",
    premises=INSIDE,
    evidence=("exact",),
)
def drawn_expert_says_one(*, beta, mistakes, advice):
    """The probability that an expert drawn by weight says 1."""
    weights = powers(beta, np.asarray(mistakes))
    chance = weights / weights.sum(axis=-1, keepdims=True)
    return (chance * np.asarray(advice)).sum(axis=-1)


@theorem(
    "cos511-thm2",
    "Expected mistakes of Randomized Weighted Majority",
    r"Let $\beta\in(0,1)$ and $N\ge1$. If advice and outcome of a round do not depend "
    r"on the coin of that round (they may depend on everything before it), then "
    r"Randomized Weighted Majority has $$\mathbb{E}[M]\le a_\beta\,m+c_\beta\ln N$$ "
    r"with the constants $$a_\beta=\frac{\ln\frac1\beta}{1-\beta},\qquad "
    r"c_\beta=\frac1{1-\beta},$$ where $m$ is the number of mistakes of the best "
    r"expert, or $\mathbb{E}[m]$ in its place if the stream depends on earlier coins. "
    r"For $\beta=0$ the bound holds if $m=0$, with $a_0\cdot0$ read as 0.",
    where="Theorem 2",
    premises=SOME_EXPERT | MISTAKES | INSIDE_OR_PERFECT,
    errata=("cos511-E1", "cos511-E16", "cos511-E17"),
    evidence=("exhaustive", "adversary"),
    nontrivial=True,
)
def randomized_bound(*, beta, n, best):
    """``a * best + c * ln(n)`` with Theorem 2's constants."""
    return _plain(_randomized(beta, n, best))


@theorem(
    "cos511-rem-exp",
    "The expectation is over the learner's coins only",
    r"Advice and outcomes are not random: they are any fixed stream. The expectation "
    r"in Theorem 2 averages over the learner's own draws, and on every stream "
    r"$\mathbb{E}[M]=\sum_{t=1}^Tl_t$, where $l_t$ is the probability of a mistake in "
    r"round $t$.",
    where=S12,
    relation="==",
    errata=("cos511-E16",),
    evidence=("exhaustive",),
)
def sum_of_losses(*, losses):
    """``l_1 + ... + l_T`` (time on axis 0)."""
    return np.asarray(losses).sum(axis=0)


@theorem(
    "cos511-rem-abeta1",
    "The leading constant of Theorem 2 tends to 1",
    r"$a_\beta=\ln\frac1\beta\big/(1-\beta)$ decreases strictly in $\beta\in(0,1)$ and "
    r"tends to 1 as $\beta\to1$. So $1<a_\beta$ for every $\beta$.",
    where=S12,
    relation="<",
    premises=INSIDE,
    evidence=("exact",),
)
def leading_constant_of_randomized(*, beta):
    """Theorem 2's ``a_beta``."""
    return _plain(_randomized(beta, 1, 1))


@theorem(
    "cos511-rem-halve",
    "Randomization halves the leading constant, in the limit",
    r"The leading constant of Theorem 1 is "
    r"$\frac{1-\beta}{\ln\frac2{1+\beta}}$ times that of Theorem 2. This ratio "
    r"increases strictly in $\beta$ from $\frac1{\ln2}$ to 2, so it is less than 2 for "
    r"every $\beta<1$ and tends to 2 as $\beta\to1$. What is halved is the leading "
    r"constant of a bound, not the number of mistakes on a given stream.",
    where=S12,
    relation="<",
    premises=INSIDE,
    errata=("cos511-E3",),
    evidence=("exact",),
)
def ratio_of_leading_constants(*, beta):
    """The limit of the ratio."""
    return 2


@theorem(
    "cos511-pf2-l",
    "Theorem 2, step 1: the chance of a mistake",
    r"In each round the probability of a mistake is the share of the weight that is "
    r"wrong: $l=\frac1W\sum_{i:\xi_i\ne y}w_i$.",
    where="Theorem 2, proof",
    relation="==",
    premises=INSIDE,
    evidence=("steps", "exact"),
)
def wrong_share(*, beta, mistakes, erred):
    """The share of the weight on the experts that ``erred`` (0/1 an expert)."""
    weights = powers(beta, np.asarray(mistakes))
    return (weights * np.asarray(erred)).sum(axis=-1) / weights.sum(axis=-1)


@theorem(
    "cos511-pf2-W",
    "Theorem 2, step 2: what a round leaves of the weight",
    r"$W_{\text{new}}=\beta\sum_{i:\xi_i\ne y}w_i+\sum_{i:\xi_i=y}w_i"
    r"=W\bigl(1-l(1-\beta)\bigr)$.",
    where="Theorem 2, proof",
    relation="==",
    premises=INSIDE,
    evidence=("steps", "exact"),
)
def weight_after_round(*, beta, before, losses):
    """``W * (1 - l * (1 - beta))``, for the weights before each round."""
    return before * (1 - np.asarray(losses) * (1 - beta))


@theorem(
    "cos511-pf2-prod",
    "Theorem 2, step 3: the weight at the end",
    r"$W_{\text{final}}=N\prod_{t=1}^T\bigl(1-l_t(1-\beta)\bigr)$.",
    where="Theorem 2, proof",
    relation="==",
    premises=SOME_EXPERT | INSIDE,
    evidence=("steps", "exact"),
)
def weight_as_product(*, beta, n, losses):
    """``n`` times the product over the rounds (time on axis 0)."""
    return n * np.prod(1 - np.asarray(losses) * (1 - beta), axis=0)


@theorem(
    "cos511-pf2-exp",
    "Theorem 2, step 4: from a product to a sum",
    r"Since $1-x\le e^{-x}$, $W_{\text{final}}\le N\exp\bigl(-(1-\beta)"
    r"\sum_{t=1}^Tl_t\bigr)$.",
    where="Theorem 2, proof",
    premises=SOME_EXPERT | INSIDE,
    evidence=("steps",),
)
def weight_at_most(*, beta, n, losses):
    """``n * exp(-(1 - beta) * sum of losses)`` (time on axis 0)."""
    total = _real(np.asarray(losses).sum(axis=0))
    return _plain(_real(n) * np.exp(-(1 - _real(beta)) * total))


@theorem(
    "cos511-pf2-lb",
    "Theorem 2, step 5: one expert's weight from below",
    r"For every expert $i$, with $L_A=\sum_{t=1}^Tl_t=\mathbb{E}[M]$: "
    r"$\beta^{L_i}=w_i\le W_{\text{final}}\le N e^{-(1-\beta)L_A}$.",
    where="Theorem 2, proof",
    premises=SOME_EXPERT | INSIDE,
    evidence=("steps",),
)
def weight_sandwich(*, beta, n, expected):
    """``n * exp(-(1 - beta) * expected)``."""
    return _plain(_real(n) * np.exp(-(1 - _real(beta)) * _real(expected)))


@theorem(
    "cos511-pf2-solve",
    "Theorem 2, step 6: solved for the learner's mistakes",
    r"The largest $L_A$ with $\beta^{L_i}\le Ne^{-(1-\beta)L_A}$ is "
    r"$a_\beta L_i+c_\beta\ln N$ (take logarithms, divide by $1-\beta>0$). So "
    r"$L_A\le a_\beta L_i+c_\beta\ln N$ for every $i$, in particular for the best "
    r"expert.",
    where="Theorem 2, proof",
    relation="==",
    premises=SOME_EXPERT | MISTAKES | INSIDE,
    evidence=("exact",),
)
def solved_for_the_learner(*, beta, n, best):
    """``a * best + c * ln(n)`` with Theorem 2's constants."""
    return _plain(_randomized(beta, n, best))


# ---------------------------------------------------------------- section 1.3


@theorem(
    "cos511-tune",
    "The tuned penalty",
    r"Let $N\ge2$, and let $K>0$ be known beforehand with $m\le K$. The penalty "
    r"$$\beta=\frac1{1+\sqrt{2\ln N/K}}$$ lies in $(0,1)$, and it is the minimizer of "
    r"$K\,\frac{1+\beta}{2\beta}+\frac{\ln N}{1-\beta}$, which is at least the right-"
    r"hand side of Theorem 2 for $m=K$. For $K=0$ take its limit $\beta=0$.",
    where=S13,
    relation="==",
    premises=TWO_EXPERTS | {"K > 0": lambda cap: np.asarray(cap) > 0},
    errata=("cos511-E2",),
    evidence=("exact",),
)
def tuned_penalty(*, n, cap):
    """``1 / (1 + sqrt(2 ln(n) / cap))``."""
    return _plain(1 / (1 + np.sqrt(2 * np.log(_real(n)) / _real(cap))))


@theorem(
    "cos511-tuned",
    "Expected mistakes with the tuned penalty",
    r"If $N\ge2$ and $m\le K$, Randomized Weighted Majority with the tuned $\beta$ has "
    r"$$L_A\le m+\sqrt{2K\ln N}+\ln N.$$",
    where=S13,
    premises=TWO_EXPERTS | CAPPED,
    errata=("cos511-E2",),
    evidence=("exact", "exhaustive"),
    nontrivial=True,
)
def tuned_bound(*, n, best, cap):
    """``best + sqrt(2 cap ln n) + ln n``."""
    log_n = np.log(_real(n))
    return _plain(_real(best) + np.sqrt(2 * _real(cap) * log_n) + log_n)


@theorem(
    "cos511-fig1",
    "The admissible band of Figure 1",
    r"Let $\beta\in(0,1)$ and "
    r"$F_\beta(r)=\frac{\ln(1-r+r\beta)}{\ln(1-r+r\beta)+\ln((1-r)\beta+r)}$. "
    r"For every share $r=q_1/W$ in $[0,1]$ "
    r"$$1+\frac{\ln((1-r)\beta+r)}{2\ln\frac2{1+\beta}}\;\le\;F_\beta(r)\;\le\;"
    r"\frac{-\ln(1-r+r\beta)}{2\ln\frac2{1+\beta}}.$$ "
    r"In words: if the share $s$ of the weight is wrong in a round, a learner that "
    r"predicts 1 with probability $F_\beta(r)$ errs with probability at most "
    r"$-\ln(1-s(1-\beta))\big/\bigl(2\ln\frac2{1+\beta}\bigr)$. Neither the step of "
    r"Weighted Majority nor the identity of Randomized Weighted Majority stays in this "
    r"band: the step is outside at $r=\frac12$, and the identity at every $r$ except "
    r"$0$, $\frac12$ and $1$.",
    where="Figure 1",
    premises=INSIDE | {"0 <= s <= 1": lambda share: (share >= 0) & (share <= 1)},
    errata=("cos511-E4", "cos511-E14"),
    evidence=("exact", "steps"),
)
def admissible_chance(*, beta, share):
    """The largest admissible chance of an error if this share of the weight errs."""
    lost = -np.log1p(-_real(share) * (1 - _real(beta)))
    return _plain(lost / (2 * np.log(2 / (1 + _real(beta)))))


@theorem(
    "cos511-improve-beta",
    "Expected mistakes of the improved algorithm, any penalty",
    r"Let $\beta\in(0,1)$ and $N\ge1$. On every stream, a learner that keeps the "
    r"weights of Weighted Majority and whose probability of predicting 1 stays in the "
    r"band of Figure 1 has "
    r"$$L_A\le\frac{m\ln\frac1\beta+\ln N}{2\ln\frac2{1+\beta}},$$ half "
    r"the right-hand side of Theorem 1. For $\beta=0$ it holds if $m=0$.",
    where=S13 + ", proof of the improved bound",
    premises=SOME_EXPERT | MISTAKES | INSIDE_OR_PERFECT,
    errata=("cos511-E14",),
    evidence=("exhaustive", "random"),
    nontrivial=True,
)
def improved_bound_any_penalty(*, beta, n, best):
    """Half of Theorem 1's bound."""
    return _plain(_majority(beta, n, best) / 2)


@theorem(
    "cos511-improve",
    "The improved bound",
    r"Let $N\ge2$ and $m\le K$, where $K\ge0$ is known beforehand. The improved "
    r"algorithm predicts 1 with probability $F_\beta(q_1/W)$; with "
    r"$\beta=1\big/\bigl(1+2z+\frac{z^2}{\ln2}\bigr)$, $z=\sqrt{\ln N/K}$ (and "
    r"$\beta=0$ for $K=0$), it has $$L_A\le m+\sqrt{K\ln N}+\frac{\lg N}2,$$ where "
    r"$\ln$ is the natural logarithm and $\lg$ the one to base 2.",
    where=S13,
    premises=TWO_EXPERTS | CAPPED,
    errata=("cos511-E14", "cos511-E17"),
    evidence=("exact", "exhaustive", "adversary"),
    nontrivial=True,
)
def improved_bound(*, n, best, cap):
    """``best + sqrt(cap ln n) + lg(n) / 2``."""
    n = _real(n)
    return _plain(_real(best) + np.sqrt(_real(cap) * np.log(n)) + np.log2(n) / 2)


@theorem(
    "cos511-improve-penalty",
    "The penalty of the improved algorithm",
    r"For $K>0$ the penalty of the improved algorithm is the $\beta$ for which "
    r"$\frac K2\left(1+\frac1\beta\right)=K+\sqrt{K\ln N}+\frac{\lg N}2$.",
    where=S13 + ", proof of the improved bound",
    relation="==",
    premises=TWO_EXPERTS | {"K > 0": lambda cap: np.asarray(cap) > 0},
    evidence=("exact",),
)
def improved_bound_at_the_cap(*, n, cap):
    """The improved bound if the best expert makes ``cap`` mistakes."""
    return improved_bound(n=n, best=cap, cap=cap)


@theorem(
    "cos511-rem-K0",
    "With a perfect expert: half of Halving's bound",
    r"For $K=0$, when some expert is perfect, Halving makes up to "
    r"$\lfloor\lg N\rfloor$ mistakes, and the improved algorithm has "
    r"$L_A\le\frac{\lg N}2$, with equality for $N=2^k$ against experts of whom half "
    r"are eliminated in each round. No learner does better for such $N$.",
    where=S13,
    premises=TWO_EXPERTS,
    errata=("cos511-E17",),
    evidence=("adversary", "exhaustive"),
    nontrivial=True,
)
def half_of_halving(*, n):
    """``lg(n) / 2``."""
    return _plain(np.log2(_real(n)) / 2)


@theorem(
    "cos511-rate",
    "The improved bound per round",
    r"If $m\le K=rT$, the improved algorithm tuned to $K$ errs at the rate "
    r"$$\frac{L_A}T\le\frac mT+\sqrt{\frac{r\ln N}T}+\frac{\lg N}{2T}.$$",
    where=S13,
    premises=TWO_EXPERTS | SOME_ROUND | CAPPED_RATE,
    evidence=("exhaustive",),
    nontrivial=True,
)
def improved_rate(*, n, best, rate, rounds):
    """``best / T + sqrt(r ln(n) / T) + lg(n) / (2 T)``."""
    n, rounds = _real(n), _real(rounds)
    root = np.sqrt(_real(rate) * np.log(n) / rounds)
    return _plain(_real(best) / rounds + root + np.log2(n) / (2 * rounds))


@theorem(
    "cos511-rem-rates",
    "How fast the rate converges",
    r"Let $N\ge2$. The excess $\sqrt{\frac{r\ln N}T}+\frac{\lg N}{2T}$ is of the order "
    r"$\sqrt{\frac rT}+\frac1T$. Along $r=T^{-a}$ with $0\le a\le1$ it decays like "
    r"$T^{-(1+a)/2}$: like $\sqrt{1/T}$ if $r$ stays constant, like $\frac1T$ only if "
    r"$r=O(1/T)$, which means that $K$ stays bounded.",
    where=S13,
    relation="==",
    premises={"0 <= a <= 1": lambda a: (np.asarray(a) >= 0) & (np.asarray(a) <= 1)},
    errata=("cos511-E5",),
    evidence=("exact",),
)
def exponent_of_excess(*, a):
    """``(1 + a) / 2``."""
    return (1 + np.asarray(a)) / 2


@theorem(
    "cos511-rem-KT2",
    "The trivial bound on the best expert's mistakes",
    r"If two experts of the pool disagree in every round, such as one that always says "
    r"0 and one that always says 1, then $m\le\left\lfloor\frac T2\right\rfloor$. For "
    r"the pool of these two, some outcomes attain it for every $T$.",
    where=S13,
    premises=SOME_ROUND,
    errata=("cos511-E6",),
    evidence=("exhaustive",),
)
def half_of_the_rounds(*, rounds):
    """``floor(T / 2)``."""
    return np.asarray(rounds) // 2


@theorem(
    "cos511-cor-T",
    "The improved bound for a known horizon",
    r"If the pool of $N$ experts contains two that disagree in every round, the "
    r"improved algorithm tuned to $K=\frac T2$ has "
    r"$$L_A\le m+\sqrt{\frac{T\ln N}2}+\frac{\lg N}2.$$",
    where=S13,
    premises=TWO_EXPERTS | SOME_ROUND | HALF_AT_MOST,
    errata=("cos511-E6",),
    evidence=("exhaustive",),
    nontrivial=True,
)
def improved_bound_for_horizon(*, n, best, rounds):
    """``best + sqrt(T ln(n) / 2) + lg(n) / 2``."""
    return improved_bound(n=n, best=best, cap=_real(rounds) / 2)


definition(
    "cos511-lb-setup",
    "Random data as the worst case",
    r"All advice bits $\xi_{t,i}$ and all outcomes $y_t$ are independent fair coins: "
    r"each is 0 or 1 with probability $\frac12$.",
    where=S13,
)


@theorem(
    "cos511-lb-learner",
    "On random data every learner errs half the time",
    r"On such data every learner, deterministic or randomized, has "
    r"$\mathbb{E}[M]=\frac T2$.",
    where=S13,
    relation="==",
    premises=SOME_ROUND,
    evidence=("exhaustive", "exact"),
)
def half_the_rounds_on_average(*, rounds):
    """``T / 2`` as a Fraction."""
    return Fraction(int(rounds), 2)


@theorem(
    "cos511-lb-expert",
    "On random data every expert errs half the time",
    r"On such data $\mathbb{E}[L_i]=\frac T2$ for every expert $i$.",
    where=S13,
    relation="==",
    premises=SOME_ROUND,
    evidence=("exact",),
)
def half_the_rounds_for_an_expert(*, rounds):
    """``T / 2`` as a Fraction."""
    return Fraction(int(rounds), 2)


@theorem(
    "cos511-lb-sum",
    "The mean of the best expert's mistakes on random data",
    r"On such data "
    r"$$\mathbb{E}[m]=\sum_{k=1}^T\Pr\bigl[\mathrm{Bin}(T,\tfrac12)\ge k\bigr]^N.$$",
    where=S13,
    relation="==",
    premises=SOME_EXPERT | SOME_ROUND,
    evidence=("exhaustive",),
)
def mean_of_the_minimum(*, n, rounds):
    """``E[min L]`` as a Fraction, for whole numbers or arrays of them."""
    return np.vectorize(expected_best, otypes=[object])(n, rounds)[()]


@theorem(
    "cos511-lb-min",
    "On random data the best expert is a little better than half",
    r"On such data, for all $N\ge1$ and $T\ge1$, $$\mathbb{E}[m]\ge\frac "
    r"T2-\sqrt{\frac{T\ln N}2}.$$ For $N\ge2$ the mean is less than $\frac T2$, and "
    r"to first order the right-hand side is right: $\bigl(\frac "
    r"T2-\mathbb{E}[m]\bigr)\big/\sqrt{\frac{T\ln N}2}$ tends to 1 when first "
    r"$T\to\infty$ and then $N\to\infty$.",
    where=S13,
    relation=">=",
    premises=SOME_EXPERT | SOME_ROUND,
    errata=("cos511-E7",),
    evidence=("exact", "exhaustive"),
)
def least_expected_minimum(*, n, rounds):
    """``T / 2 - sqrt(T ln(n) / 2)``."""
    rounds = _real(rounds)
    return _plain(rounds / 2 - np.sqrt(rounds * np.log(_real(n)) / 2))


@theorem(
    "cos511-lb",
    "No learner has a smaller regret to first order",
    r"For every learner there is a stream of $T$ rounds on which $$\mathbb{E}[M]\ge "
    r"m+\Bigl(\frac T2-\mathbb{E}[\textstyle\min_iL_i]\Bigr),$$ where the last "
    r"expectation is that of random data. The bracket is at most $\sqrt{\frac{T\ln "
    r"N}2}$, and equals it to first order when first $T\to\infty$ and then "
    r"$N\to\infty$. So to first order the upper bound for a known horizon cannot be "
    r"improved.",
    where=S13,
    relation=">=",
    premises=TWO_EXPERTS | SOME_ROUND,
    errata=("cos511-E7",),
    evidence=("exhaustive", "exact"),
)
def least_worst_regret(*, n, rounds):
    """``T / 2 - E[min L]`` on random data, as a Fraction."""
    return Fraction(rounds, 2) - expected_best(n, rounds)
