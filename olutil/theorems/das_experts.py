"""Das, 9.520, slides 20-25: the experts framework, Halving, Weighted Majority.

Outcomes and advice are 0 and 1, for the slides' -1 and +1.  Weighted Majority is the
slides' lazy form, which updates only in the rounds in which it errs.
"""

import numpy as np

from olutil._exact_sums import powers
from olutil.theorems._common import INSIDE, PENALTY, floor_lg
from olutil.theorems._registry import definition, theorem

definition(
    "das-s20-prot",
    "The experts framework",
    r"A pool $\mathcal E=\{E_1,\dots,E_n\}$ of prediction strategies is given, called "
    r"experts. In each round every expert predicts $y_i\in\{-1,+1\}$ from $x_i$, the "
    r"master algorithm combines these predictions into its own, and then $y_i$ is "
    r"revealed. The aim is a bound on how many more mistakes the master algorithm "
    r"makes than the best expert.",
    where="slide 20",
)


# ---------------------------------------------------------------- slide 21: Halving


@theorem(
    "das-s21-halving",
    "Mistake bound of Halving",
    r"If at least one of the experts $\mathcal E$ makes no mistake, then predicting "
    r"with the majority of the experts that have not erred so far makes at most "
    r"$\lfloor\lg|\mathcal E|\rfloor$ mistakes, however ties are broken and however "
    r"the experts arrive at their predictions.",
    where="slide 21",
    premises={
        "at least one expert": lambda k: np.asarray(k) >= 1,
        "some expert makes no mistake": lambda best=0: np.asarray(best) == 0,
    },
    errata=("das-E18",),
    evidence=("exhaustive", "adversary"),
    nontrivial=True,
)
def halving_bound(*, k):
    """``floor(lg k)``."""
    return floor_lg(k)


@theorem(
    "das-s21-q",
    "Halving without a consistent expert",
    r"If no expert is consistent, Halving has no mistake bound: there are pools and, "
    r"for every $n$, streams of $n$ rounds on which the best expert makes one mistake "
    r"and Halving makes $n$.",
    where="slide 21",
    relation="==",
    premises={
        "the best expert errs exactly once": lambda advice, y: (
            (advice != y[..., None]).sum(axis=0).min(axis=-1) == 1
        ),
    },
    evidence=("adversary",),
)
def halving_fails(*, y):
    """The number of rounds."""
    return len(y)


# ---------------------------------------------------------------- slides 22-25


@theorem(
    "das-s22-wm",
    "The Weighted Majority algorithm",
    r"Every expert has the weight $w_i=1$ at first. At example $t$ let $q_{-1}$ and "
    r"$q_1$ be the total weights of the experts that predict $-1$ and $+1$; predict "
    r"$+1$ if $q_1>q_{-1}$, and $-1$ otherwise. If the prediction is wrong, multiply "
    r"the weight of every expert that was wrong by $\beta$, where $0\le\beta<1$. "
    r"Hence $w_i=\beta^{c_i}$, where $c_i$ counts the rounds in which the pool and "
    r"expert $i$ both erred.",
    where="slide 22",
    relation="==",
    premises=PENALTY,
    errata=("das-E9",),
    evidence=("exhaustive",),
)
def lazy_weights(*, advice, y, beta):
    """The weights after the last round, by the box."""
    shared = np.zeros(np.shape(advice)[1:], dtype=int)
    for x_t, y_t in zip(advice, y, strict=True):
        vote = (powers(beta, shared) * (2 * x_t - 1)).sum(axis=-1) > 0
        both = (vote != y_t)[..., None] & (x_t != y_t[..., None])
        shared = shared + both
    return powers(beta, shared)


@theorem(
    "das-s23-steps",
    "Proof: every mistake costs weight",
    r"Let $W_t=\sum_iw_i=q_{-1}+q_1$ and $u=\frac{1+\beta}2<1$. A mistake at example "
    r"$t$ implies $W_{t+1}\le uW_t$. Therefore $W_0u^m\ge W_n$ after $m$ mistakes, "
    r"and if $W_n>0$, then $m\le\frac{\log(W_0/W_n)}{\log(1/u)}=\frac{\log(W_0/W_n)}{"
    r"\log(2/(1+\beta))}$.",
    where="slide 23",
    premises=PENALTY | {"some weight is left": lambda after=1: np.asarray(after) > 0},
    evidence=("steps",),
)
def weight_after_mistakes(*, before, beta, mistakes=1, after=None):
    """``u**mistakes * before``; given ``after`` too, the bound on the mistakes."""
    if after is None:
        return ((1 + beta) / 2) ** mistakes * before
    ratio = np.asarray(before / after, dtype=float)
    return np.log(ratio) / np.log(2 / (1 + float(beta)))


@theorem(
    "das-s24-step",
    "Proof: the weight after a mistake",
    r"If Weighted Majority predicts $-1$ and the outcome is $+1$, then $q_{-1}\ge "
    r"q_1$, and the new total weight is $\beta q_{-1}+q_1\le\beta "
    r"q_{-1}+q_1+\frac{1-\beta}2(q_{-1}-q_1)=\frac{1+\beta}2(q_{-1}+q_1)$.",
    where="slide 24",
    premises={
        "the prediction was the heavier side": lambda wrong, right: wrong >= right,
        **PENALTY,
    },
    evidence=("exact",),
)
def weight_after_one_mistake(*, wrong, right, beta):
    """``(1 + beta) / 2`` times the sum of the two sides."""
    return (1 + beta) / 2 * (wrong + right)


@theorem(
    "das-thm-wm",
    "Mistake bound of Weighted Majority",
    r"Let expert $i$ make $m_i$ mistakes on a sequence of $n$ examples, let "
    r"$|\mathcal E|=k$ and $0<\beta<1$. Then Weighted Majority makes at most "
    r"$\frac{\log k+m_i\log(1/\beta)}{\log(2/(1+\beta))}$ mistakes, for every expert "
    r"$i$, and so for the best one.",
    where="slide 24 (Littlestone and Warmuth)",
    premises=INSIDE | {"k >= 1": lambda k: k >= 1},
    errata=("das-E11",),
    evidence=("exhaustive",),
    nontrivial=True,
)
def weighted_majority_bound(*, beta, k, best):
    """``(log k + best log(1 / beta)) / log(2 / (1 + beta))``."""
    beta = np.asarray(beta, dtype=float)
    return (np.log(k) + np.asarray(best) * np.log(1 / beta)) / np.log(2 / (1 + beta))


@theorem(
    "das-bigfact",
    "The big fact and its leading constant",
    r"For fixed $0<\beta<1$, Weighted Majority makes $O(m_i+\log k)$ mistakes. The "
    r"constant of $m_i$ matters: for every deterministic master algorithm with "
    r"$k\ge2$ experts and every $n$ there is a stream of $n$ rounds on which it makes "
    r"$n$ mistakes and the best expert at most $n/2$, so no constant below 2 is "
    r"possible.",
    where="slide 24",
    relation=">=",
    premises={"the learner errs in every round": lambda M, rounds: M == rounds},
    errata=("das-E12",),
    evidence=("adversary",),
)
def twice_the_best(*, best):
    """Twice the mistakes of the best expert."""
    return 2 * best


@theorem(
    "das-s25-finish",
    "Proof: the weight that is left",
    r"$W_0=k$ and $W_n\ge\beta^{m_i}$ for every expert $i$. For $0<\beta<1$ this "
    r"means $\log W_n\ge m_i\log\beta$, so $-\log W_n\le m_i\log(1/\beta)$ and "
    r"$\log(W_0/W_n)=\log W_0-\log W_n\le\log k+m_i\log(1/\beta)$.",
    where="slide 25",
    relation=">=",
    premises=INSIDE,
    errata=("das-E10",),
    evidence=("steps",),
)
def weight_left(*, beta, errors):
    """``beta ** errors``, entry by entry."""
    return powers(beta, np.asarray(errors))
