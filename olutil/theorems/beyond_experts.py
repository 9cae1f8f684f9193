"""Beyond the lectures: the values of the games with expert advice.

Names of parameters as in `cos511_experts`: ``n`` experts (N), ``best`` the promise on
the best one's mistakes (K), ``rounds`` (T), the penalty ``beta``.
"""

from fractions import Fraction
from math import comb
from typing import Any

import numpy as np

from olutil.exact import expected_best, experts_minimax, experts_minimax_horizon
from olutil.theorems._common import INSIDE, PENALTY, SOME_EXPERT, SOME_ROUND
from olutil.theorems._registry import theorem

PRICE, RANDOM = "The price of not knowing", "How random is the worst case?"

# ---------------------------------------------------------------- hypotheses

PROMISE = {"K >= 0": lambda best: np.asarray(best) >= 0}
EVEN = {"T is even": lambda rounds: np.asarray(rounds) % 2 == 0}
CURVES = {
    "curve is step, diagonal or improved": lambda curve: (
        curve in ("step", "diagonal", "improved")
    )
}
# How far the tables of the page go.
COMB_REACH = {2: 60, 3: 40, 4: 24}
FIVE_REACH = 20

# ---------------------------------------------------------------- pieces


def _each(function: Any, *numbers: Any) -> Any:
    """The function's exact value for whole numbers, or for arrays of them."""
    arrays = (np.asarray(value, dtype=object) for value in numbers)
    return np.vectorize(function, otypes=[object])(*arrays)[()]


def _harmonic(n: int) -> Fraction:
    return sum((Fraction(1, i) for i in range(1, n + 1)), Fraction(0))


def _walk(m: int) -> Fraction:
    """``m`` binomial(2m, m) / 4**m."""
    return Fraction(m * comb(2 * m, m), 4**m)


def _divergence(x: Any) -> Any:
    """``D(x)``: the relative entropy of a coin with bias x to a fair one, in nats."""
    x = np.asarray(x, dtype=float)
    inside = np.clip(x, 1e-300, 1 - 1e-16)
    terms = x * np.log(inside) + (1 - x) * np.log1p(-inside)
    return np.log(2) + terms


# ---------------------------------------------------------------- the value


@theorem(
    "bey-exp-round",
    "One round against a learner who may toss a coin",
    r"Let the learner predict 1 with probability $p$, and let an outcome 0 be followed "
    r"by $A$ further mistakes and an outcome 1 by $B$. Then "
    r"$$\min_{0\le p\le1}\max(p+A,\;1-p+B)=\max\Bigl(A,\;B,\;\frac{1+A+B}2\Bigr),$$ "
    r"attained at $p=\frac{1+B-A}2$, brought into $[0,1]$.",
    where=PRICE,
    relation="==",
    evidence=("exact",),
)
def value_of_a_round(*, after_0, after_1):
    """The largest of A, B and ``(1 + A + B) / 2``."""
    after_0, after_1 = np.asarray(after_0), np.asarray(after_1)
    return np.max([after_0, after_1, (1 + after_0 + after_1) / 2], axis=0)


@theorem(
    "bey-exp-value",
    "The value of the game with experts",
    r"Let one of $N$ experts err at most $K$ times in $T$ rounds. An expert that may "
    r"still err $a_i$ times has the budget $a_i$; one that errs with budget 0 leaves. "
    r"For a list $a$ of budgets and a set $S$ of experts let $a-S$ be what is left if "
    r"those in $S$ err. Put $V_0(a)=0$, and $V_r(\text{nobody})=-1$ for every $r$, and "
    r"$$V_r(a)=\max_{S}\frac{1+V_{r-1}(a-S)+V_{r-1}(a-S')}2,$$ where $S'$ are the "
    r"experts that are not in $S$. Then the least over all learners of the largest "
    r"expected number of mistakes over all such streams is $V_T(K,\dots,K)$.",
    where=PRICE,
    relation="==",
    premises=SOME_EXPERT | PROMISE,
    evidence=("exhaustive", "adversary"),
)
def value_with_horizon(*, n, best, rounds):
    """The value of the game, as a Fraction."""
    return _each(
        lambda n, k, t: experts_minimax(int(n), int(k), horizon=int(t)),
        n, best, rounds,
    )  # fmt: skip


@theorem(
    "bey-exp-limit",
    "The value without a horizon",
    r"As $r$ grows, $V_r(a)$ grows to a limit $V(a)$, for which "
    r"$$V(a)=\max\Bigl(1+V(a-\text{all}),\;\max_{S}\frac{1+V(a-S)+V(a-S')}2\Bigr)$$ "
    r"with $V(\text{nobody})=-1$, where $S$ runs over the proper nonempty subsets of "
    r"the experts. It is a rational number whose denominator is a power of 2.",
    where=PRICE,
    relation="==",
    premises=SOME_EXPERT | PROMISE,
    evidence=("exact",),
)
def value_without_horizon(*, n, best):
    """The value of the game that lasts as long as the adversary likes."""
    return _each(lambda n, k: experts_minimax(int(n), int(k)), n, best)


@theorem(
    "bey-exp-perfect",
    "With a perfect expert",
    r"Let $2^k\le N\le2^{k+1}$. The value without a horizon for $K=0$ is "
    r"$$V=\frac k2+\frac{N-2^k}{2^{k+1}},$$ the broken line through the points "
    r"$(2^k,\frac k2)$. So it is $\frac{\lg N}2$ if $N$ is a power of 2, and less "
    r"otherwise.",
    where=PRICE,
    relation="==",
    premises=SOME_EXPERT,
    evidence=("exact",),
)
def value_with_perfect_expert(*, n):
    """The broken line at N."""

    def line(n):
        k = int(n).bit_length() - 1
        return Fraction(k, 2) + Fraction(int(n) - 2**k, 2 ** (k + 1))

    return _each(line, n)


@theorem(
    "bey-exp-two",
    "Two experts",
    r"The value without a horizon for $N=2$ is "
    r"$$V=K+\frac{K+1}{4^{K+1}}\binom{2K+2}{K+1},$$ where the last term is less than "
    r"$\sqrt{(K+1)/\pi}$ and, divided by it, tends to 1. The adversary tosses a "
    r"fair coin for every outcome; it lets the two contradict each other until one has "
    r"erred $K+1$ times, and then lets the other go on until that one has erred $K$ "
    r"times.",
    where=PRICE,
    relation="==",
    premises=PROMISE,
    evidence=("exact",),
)
def value_of_two_experts(*, best):
    """``K + (K + 1) binomial(2K + 2, K + 1) / 4**(K + 1)``."""
    return _each(lambda k: k + _walk(int(k) + 1), best)


@theorem(
    "bey-exp-floor",
    "No algorithm is below the value",
    r"For every learner there is a stream of $T$ rounds whose best expert errs at most "
    r"$K$ times and on which the learner makes at least $V_T(K,\dots,K)$ mistakes in "
    r"the mean.",
    where=PRICE,
    relation=">=",
    premises=SOME_EXPERT | PROMISE,
    evidence=("exhaustive",),
)
def floor_of_every_learner(*, n, best, rounds):
    """The value of the game, in floating point: the algorithms' worst cases are."""
    value = value_with_horizon(n=n, best=best, rounds=rounds)
    return np.asarray(value, dtype=float)


# ---------------------------------------------------------------- the algorithms


@theorem(
    "bey-exp-harmonic",
    "Randomized Weighted Majority with a perfect expert",
    r"For $\beta=0$ and $K=0$ the largest expected number of mistakes of Randomized "
    r"Weighted Majority is $H_N-1$, where $H_N=1+\frac12+\dots+\frac1N$.",
    where=PRICE,
    relation="==",
    premises=SOME_EXPERT,
    evidence=("exhaustive",),
)
def harmonic_less_one(*, n):
    """``H_N - 1``."""
    return _each(lambda n: _harmonic(int(n)) - 1, n)


@theorem(
    "bey-exp-any-beta",
    "No penalty saves Randomized Weighted Majority from the harmonic numbers",
    r"For every $\beta\in[0,1)$ some stream of $N-1$ rounds with a perfect expert "
    r"makes the expected number of mistakes of Randomized Weighted Majority at least "
    r"$H_N-1$. For $N\ge3$ this is more than $\frac{\lg N}2$, the improved bound for "
    r"$K=0$.",
    where=PRICE,
    relation=">=",
    premises=SOME_EXPERT | PENALTY,
    evidence=("exhaustive",),
    nontrivial=True,
)
def harmonic_for_any_penalty(*, n, beta):
    """``H_N - 1``, whatever the penalty."""
    return _each(lambda n, beta: _harmonic(int(n)) - 1, n, beta)


@theorem(
    "bey-exp-constants",
    "The best constant of each curve",
    r"Let $\beta\in(0,1)$ and $F:[0,1]\to[0,1]$. A learner that keeps the weights of "
    r"Weighted Majority and predicts 1 with probability $F(q_1/W)$ has $L_A\le "
    r"c\,(m\ln\frac1\beta+\ln N)$ if for every share $r$ "
    r"$$F(r)\le-c\ln(1-r(1-\beta))\quad\text{and}\quad "
    r"1-F(r)\le-c\ln(\beta+r(1-\beta)).$$ The least such $c$ is "
    r"$\frac1{\ln\frac2{1+\beta}}$ for the step of Weighted Majority, "
    r"$\frac1{1-\beta}$ for the diagonal of Randomized Weighted Majority, and "
    r"$\frac1{2\ln\frac2{1+\beta}}$ for $F_\beta$ of the improved algorithm. No $F$ "
    r"has a smaller one.",
    where=PRICE,
    premises=INSIDE | CURVES,
    evidence=("exact",),
)
def constant_of_curve(*, beta, curve):
    """The constant that the theorem of this curve has."""
    beta = np.asarray(beta, dtype=float)
    step = 1 / np.log(2 / (1 + beta))
    return {"step": step, "diagonal": 1 / (1 - beta), "improved": step / 2}[curve]


@theorem(
    "bey-exp-tuning",
    "The tuning inequality, for all N and K at once",
    r"Let $z>0$, $D=1+2z+\frac{z^2}{\ln2}$ and "
    r"$$f(z)=(1+D)\ln\frac{2D}{1+D}-\ln D-z^2.$$ Then $f(z)>0$. So for all real "
    r"$N>1$ and $K>0$ the bound $\frac{K\ln\frac1\beta+\ln N}{2\ln\frac2{1+\beta}}$ "
    r"with the penalty of the improved algorithm, $\beta=\frac1D$ for "
    r"$z=\sqrt{\ln N/K}$, is less than $K+\sqrt{K\ln N}+\frac{\lg N}2$.",
    where=PRICE,
    relation="<",
    evidence=("exact",),
)
def top_of_minus_the_slack():
    """Zero, for what must be positive, with its sign reversed."""
    return 0


# ---------------------------------------------------------------- fixed horizons


@theorem(
    "bey-exp-regret",
    "The value of the regret",
    r"Let $W_0(L)=-\min_iL_i$ for a list $L$ of the experts' mistakes, and "
    r"$$W_r(L)=\max_S\frac{1+W_{r-1}(L+S)+W_{r-1}(L+S')}2,$$ where the experts in $S$ "
    r"have one mistake more in $L+S$, and the others in $L+S'$. Then the least over "
    r"all learners of the largest regret $\mathbb{E}[M]-m$ over all streams of $T$ "
    r"rounds is $W_T(0,\dots,0)$.",
    where=PRICE,
    relation="==",
    premises=SOME_EXPERT | SOME_ROUND,
    evidence=("exhaustive", "adversary"),
)
def value_of_the_regret(*, n, rounds):
    """The value of the regret, as a Fraction."""
    return _each(lambda n, t: experts_minimax_horizon(int(n), int(t)), n, rounds)


@theorem(
    "bey-exp-regret-two",
    "The regret with two experts",
    r"For $N=2$ the value of the regret after $T$ rounds is "
    r"$$\frac h{4^h}\binom{2h}h,\qquad h=\Bigl\lceil\frac T2\Bigr\rceil,$$ and two "
    r"experts that contradict each other in every round force it, if the outcomes "
    r"are fair coins. For $T=2K+1$ and $T=2K+2$ it is the value of the game with the "
    r"promise $K$ and without a horizon, less $K$.",
    where=PRICE,
    relation="==",
    premises=SOME_ROUND,
    evidence=("exact",),
)
def regret_of_two_experts(*, rounds):
    """``h binomial(2h, h) / 4**h`` with h the half of T, rounded up."""
    return _each(lambda t: _walk((int(t) + 1) // 2), rounds)


@theorem(
    "bey-exp-comb",
    "Where the comb is optimal",
    r"The comb ranks the experts by their mistakes and lets those of odd rank "
    r"contradict those of even rank; the outcome is a fair coin. It forces the value "
    r"of the regret with two experts for every $T$, with three for $T\le40$ and with "
    r"four for $T\le24$. With five experts it does so for $T\le4$, and at $T=5$ it "
    r"forces $\frac1{32}$ less than the value, which is $\frac{25}{16}$.",
    where=PRICE,
    relation="==",
    premises={
        "N = 2, 3, 4 and T <= 60, 40, 24, or N = 5 and T <= 5": lambda n, rounds: (
            np.all(_each(lambda n, t: t <= {**COMB_REACH, 5: 5}[n], n, rounds))
        )
    },
    evidence=("exact",),
)
def what_the_comb_misses(*, n, rounds):
    """Value less what the comb forces."""
    missed = Fraction(1, 32)
    return _each(lambda n, t: missed if (n, t) == (5, 5) else Fraction(0), n, rounds)


@theorem(
    "bey-exp-five",
    "A comb with a broken tooth",
    r"Rank five experts by their mistakes and let the first and the third contradict "
    r"the other three; the outcome is a fair coin. For $T\le20$ this forces the value "
    r"of the regret with five experts.",
    where=PRICE,
    relation="==",
    premises={f"1 <= T <= {FIVE_REACH}": lambda rounds: np.all(
        (np.asarray(rounds) >= 1) & (np.asarray(rounds) <= FIVE_REACH)
    )},
    evidence=("exact",),
)  # fmt: skip
def regret_of_five_experts(*, rounds):
    """The value of the regret with five experts."""
    return _each(lambda t: experts_minimax_horizon(5, int(t)), rounds)


# ---------------------------------------------------------------- random advice


@theorem(
    "bey-rnd-two",
    "Two who toss coins",
    r"If two experts and the outcomes are fair coins, "
    r"$$\frac T2-\mathbb{E}[m]=\frac T{2^{2T+1}}\binom{2T}T.$$",
    where=RANDOM,
    relation="==",
    premises=SOME_ROUND,
    evidence=("exact",),
)
def gap_of_two_coins(*, rounds):
    """``T binomial(2T, T) / 2**(2T + 1)``."""
    return _each(lambda t: _walk(int(t)) / 2, rounds)


@theorem(
    "bey-rnd-half",
    "With two experts the formula is off by more than a factor of two",
    r"For $N=2$ and every $T\ge1$ the gap $\frac T2-\mathbb{E}[m]$ of random data is "
    r"less than $\frac12\sqrt{T/\pi}$. So it is less than $1/\sqrt{2\pi\ln2}<\frac12$ "
    r"times the formula $\sqrt{T\ln N/2}$, and the factor tends to this number.",
    where=RANDOM,
    relation="<",
    premises=SOME_ROUND,
    evidence=("exact",),
)
def limit_of_two_coins(*, rounds):
    """``sqrt(T / pi) / 2``."""
    return np.sqrt(np.asarray(rounds, dtype=float) / np.pi) / 2


@theorem(
    "bey-rnd-entropy",
    "The best of many coins, from below",
    r"Let $D(x)=\ln2+x\ln x+(1-x)\ln(1-x)$ for $0\le x\le\frac12$, where "
    r"$0\ln0=0$; it falls from $\ln2$ to 0. For random data, $N\ge2$ and "
    r"$\ln N\le T\ln2$, $$\mathbb{E}[m]\ge xT\quad\text{where}\quad "
    r"D(x)=\frac{\ln N}T.$$ Since $D(x)\ge2(\frac12-x)^2$, this is at least $\frac "
    r"T2-\sqrt{\frac{T\ln N}2}$.",
    where=RANDOM,
    relation=">=",
    premises={
        "2 <= N <= 2**T": lambda n, rounds: np.all(
            (np.asarray(n) >= 2) & (np.log2(n) <= rounds)
        )
    },
    evidence=("exact",),
    nontrivial=True,
)
def entropy_bound(*, n, rounds):
    """``x T``, by bisection."""
    level = np.log(np.asarray(n, dtype=float)) / rounds
    low, high = np.zeros_like(level), np.full_like(level, 0.5)
    for _ in range(60):
        middle = (low + high) / 2
        above = _divergence(middle) > level
        low, high = np.where(above, middle, low), np.where(above, high, middle)
    return (low * rounds)[()]


@theorem(
    "bey-rnd-sharp",
    "The best of many coins, from above",
    r"For random data and every whole number $k$ with $0\le k\le\frac T2$, "
    r"$$\mathbb{E}[m]\le k+T\exp\Bigl(-\frac{N\,e^{-TD(k/T)}}{T+1}\Bigr).$$ So if "
    r"$T\to\infty$ and $\frac{\ln N}T\to\rho>0$, then $\frac1T\mathbb{E}[m]$ tends "
    r"to the $x$ with $D(x)=\rho$ if $\rho<\ln2$, and to 0 if $\rho\ge\ln2$.",
    where=RANDOM,
    premises=SOME_EXPERT
    | {
        "0 <= k <= T/2": lambda few, rounds: (
            (np.asarray(few) >= 0) & (2 * np.asarray(few) <= rounds)
        )
    },
    evidence=("exact",),
    nontrivial=True,
)
def few_mistakes_are_likely(*, n, few, rounds):
    """``k + T exp(-N exp(-T D(k/T)) / (T + 1))``."""
    rounds = np.asarray(rounds, dtype=float)
    logarithm = np.log(np.asarray(n, dtype=float)) - rounds * _divergence(few / rounds)
    crowd = np.exp(np.minimum(logarithm, 700)) / (rounds + 1)
    return few + rounds * np.exp(-crowd)


@theorem(
    "bey-rnd-order",
    "Random advice is an adversary among others",
    r"For all $N\ge1$ and $T\ge1$ the gap $\frac T2-\mathbb{E}[m]$ of random data is "
    r"at most the value of the regret after $T$ rounds.",
    where=RANDOM,
    premises=SOME_EXPERT | SOME_ROUND,
    evidence=("exact",),
)
def worst_regret(*, n, rounds):
    """The value of the regret, as a Fraction."""
    return value_of_the_regret(n=n, rounds=rounds)


@theorem(
    "bey-rnd-split",
    "Two coins against two who contradict each other",
    r"For $N=2$ and even $T$ the gap of random data is more than $\frac1{\sqrt2}$ of "
    r"the value of the regret. Their quotient decreases to $\frac1{\sqrt2}$ as $T$ "
    r"grows through the even numbers.",
    where=RANDOM,
    relation="<",
    premises=SOME_ROUND | EVEN,
    evidence=("exact",),
)
def gap_squared(*, rounds):
    """The square of the gap; half of the squared value is less."""
    return _each(
        lambda t: (Fraction(int(t), 2) - expected_best(2, int(t))) ** 2, rounds
    )
