"""Beyond the lectures: how true the Perceptron's bound is.

Examples are written as vectors ``v = y x``, so that every label is +1; ``ratio`` is
``R**2 / gamma**2``, with the largest margin of the vectors, and may be a Fraction.
"""

from fractions import Fraction
from typing import Any

import numpy as np

from olutil.theorems._common import inner
from olutil.theorems._registry import theorem

TRUTH = "The Perceptron's truth"

# ---------------------------------------------------------------- pieces


def _each(function: Any, *numbers: Any) -> Any:
    """The function's exact value for numbers, or for arrays of them."""
    arrays = (np.asarray(value, dtype=object) for value in numbers)
    return np.vectorize(function, otypes=[object])(*arrays)[()]


def _gram(V: Any) -> np.ndarray:
    """The inner products of vectors (..., m, d) with each other, (..., m, m)."""
    V = np.asarray(V)
    return V @ np.swapaxes(V, -1, -2)


def _apart(V: Any) -> Any:
    """The inner products of different vectors, the others 0."""
    gram = _gram(V)
    return gram * (1 - np.eye(gram.shape[-1], dtype=int))


def _least_counts(V: Any) -> int:
    """The sum of the least whole n with ``sum_j n_j v_i . v_j > 0`` for all i."""
    gram, counts = _gram(V), np.zeros(len(V), dtype=int)
    own = np.diag(gram)
    while True:
        # Each entry as small as the others allow; none of them ever goes down.
        raised = (own * counts - gram @ counts) // own + 1
        if np.array_equal(raised, counts):
            return int(counts.sum())
        counts = raised


def _simplest(low: Fraction, high: Fraction) -> Fraction:
    """The simplest fraction strictly between two positive ones."""
    whole = low.numerator // low.denominator
    if whole + 1 < high:
        return Fraction(whole + 1)
    low, high = low - whole, high - whole
    if low == 0:  # whole + 1/n for the least n with 1/n < high
        return whole + Fraction(1, high.denominator // high.numerator + 1)
    return whole + 1 / _simplest(1 / high, 1 / low)


def fibonacci(n: int) -> int:
    """``F_n``, with ``F_1 = F_2 = 1``."""
    a, b = 0, 1
    for _ in range(n):
        a, b = b, a + b
    return a


# ---------------------------------------------------------------- hypotheses

RATIO = {"R >= gamma": lambda ratio: np.asarray(ratio) >= 1}
OBTUSE = {"no two vectors at an acute angle": lambda V: np.all(_apart(V) <= 0)}
# Without acute angles separable vectors are linearly independent.
SEPARABLE = {
    "a hyperplane separates the vectors": lambda V: (
        np.linalg.matrix_rank(np.asarray(V, dtype=float)) == np.shape(V)[-2]
    )
}
ORTHOGONAL = {"orthogonal vectors": lambda V: np.all(_apart(V) == 0)}
NOT_ZERO = {"no vector is 0": lambda V: inner(V, V) > 0}
BLUNT_PAIR = {
    "a . b < 0": lambda a, b: inner(a, b) < 0,
    "a and b are not parallel": lambda a, b: (
        inner(a, b) ** 2 < inner(a, a) * inner(b, b)
    ),
}
WIDTH = {
    "K is a whole number, at least 1": lambda K: (
        (np.asarray(K) >= 1) & (np.asarray(K) % 1 == 0)
    )
}
POSITIVE = {
    "gamma > 0 and p . v > 0": lambda squared, highest: (
        (np.asarray(squared) > 0) & (np.asarray(highest) > 0)
    )
}
SOME_VARIABLE = {"d >= 1": lambda d: np.asarray(d) >= 1}
SINE = {"0 < gamma <= R": lambda sine: (np.asarray(sine) > 0) & (np.asarray(sine) <= 1)}

# ---------------------------------------------------------------- when it is attained


@theorem(
    "bey-perc-equality",
    "When the Perceptron's bound is attained",
    r"Let $V$ be a finite set of vectors with largest margin $\gamma > 0$, attained by "
    r"the unit vector $\mathbf u$, and let $R$ be the length of the longest. Some "
    r"stream from $V$ makes the Perceptron err $R^2/\gamma^2$ times if and only if "
    r"there are $\mathbf v_1, \dots, \mathbf v_M \in V$, $M \ge 1$, repetitions "
    r"allowed, all of length $R$ and with $\mathbf u \cdot \mathbf v_t = \gamma$, such "
    r"that each $\mathbf v_t$ is orthogonal to $\mathbf v_1 + \dots + "
    r"\mathbf v_{t-1}$, and $\mathbf v_1 + \dots + \mathbf v_M$ is parallel to "
    r"$\mathbf u$. Then $M = R^2/\gamma^2$.",
    where=TRUTH,
    relation="==",
    evidence=("exhaustive",),
)
def sets_on_which_the_two_differ():
    """Number of sets with one of the two and not the other: none."""
    return 0


@theorem(
    "bey-perc-orthogonal",
    "Orthogonal vectors",
    r"On vectors $\mathbf v_1, \dots, \mathbf v_m \ne \mathbf 0$ that are pairwise "
    r"orthogonal the Perceptron errs exactly $m$ times on every stream that presents "
    r"each of them, and $R^2/\gamma^2 = \sum_i R^2 / \lVert \mathbf v_i \rVert^2$. The "
    r"two are equal if and only if all lengths are.",
    where=TRUTH,
    relation="==",
    premises=NOT_ZERO | ORTHOGONAL,
    evidence=("exhaustive", "exact"),
)
def mistakes_and_ratio(*, V):
    """The number of vectors, and ``R**2 / gamma**2``; V (..., m, d), of integers."""
    squares = inner(V, V)
    ratio = _each(lambda r, v: Fraction(r, v), squares.max(-1)[..., None], squares)
    count = np.broadcast_to(np.array(squares.shape[-1], dtype=object), ratio.shape[:-1])
    return np.stack([count, ratio.sum(axis=-1)])


# ---------------------------------------------------------------- the plane


@theorem(
    "bey-perc-plane",
    "In the plane, half of the bound",
    r"In the plane the Perceptron errs at most $\lfloor R^2 / (2 \gamma^2) \rfloor + "
    r"1$ times on a stream of vectors of length at most $R$ that some hyperplane "
    r"through the origin separates with margin $\gamma$. For all $R \ge \gamma > 0$ "
    r"some such stream attains this.",
    where=TRUTH,
    premises=RATIO,
    evidence=("exhaustive", "adversary"),
    nontrivial=True,
)
def half_of_the_bound(*, ratio):
    """``floor(ratio / 2) + 1``."""
    return _each(lambda r: int(r // 2) + 1, ratio)


@theorem(
    "bey-perc-obtuse",
    "Without acute angles the order does not matter",
    r"Let $V = \{\mathbf v_1, \dots, \mathbf v_m\}$ be separable, with $\mathbf v_i "
    r"\cdot \mathbf v_j \le 0$ for $i \ne j$. Then on every stream from $V$ that goes "
    r"on until no vector of $V$ is wrong the Perceptron errs $n_i$ times on $\mathbf "
    r"v_i$, whatever the order. These are the least whole numbers $n_1, \dots, n_m \ge "
    r"0$, each of them, with $\sum_j n_j\, \mathbf v_i \cdot \mathbf v_j > 0$ for "
    r"every $i$.",
    where=TRUTH,
    relation="==",
    premises=NOT_ZERO | OBTUSE | SEPARABLE,
    evidence=("exhaustive",),
)
def least_counts(*, V):
    """The sum of the ``n_i``; V (..., m, d) of whole numbers."""
    V = np.asarray(V)
    sets = V.reshape(-1, *V.shape[-2:])
    return np.array([_least_counts(v) for v in sets]).reshape(V.shape[:-2])[()]


@theorem(
    "bey-perc-fraction",
    "Two vectors, and the simplest fraction",
    r"Let $\mathbf a$ and $\mathbf b$ be separable with $C = -\mathbf a \cdot \mathbf "
    r"b > 0$. Then on every stream that goes on until neither is wrong the Perceptron "
    r"errs $i$ times on $\mathbf a$ and $j$ times on $\mathbf b$, where $j/i$ is the "
    r"simplest fraction, the one with the least numerator and the least denominator, "
    r"strictly between $C / \lVert \mathbf b \rVert^2$ and $\lVert \mathbf a \rVert^2 "
    r"/ C$.",
    where=TRUTH,
    relation="==",
    premises=BLUNT_PAIR,
    evidence=("exhaustive",),
)
def terms_of_the_simplest_fraction(*, a, b):
    """``i + j``; a and b (..., d), of whole numbers."""

    def terms(A, B, C):
        between = _simplest(Fraction(int(C), int(B)), Fraction(int(A), int(C)))
        return between.numerator + between.denominator

    return _each(terms, inner(a, a), inner(b, b), -inner(a, b))


@theorem(
    "bey-perc-cancel",
    "Two vectors that nearly cancel",
    r"Let $K \ge 1$ be a whole number. On $(K, 1)$ and $(-K, 1)$ the Perceptron errs "
    r"exactly twice, while $R^2/\gamma^2 = K^2 + 1$. On $(K, 1)$ and $(-K, 0)$ it errs "
    r"exactly $2 K^2 + 3$ times, while $R^2 / \gamma^2 = 4 K^2 + 5 + 1 / K^2$. Both "
    r"are so on every stream that goes on until neither vector is wrong.",
    where=TRUTH,
    relation="==",
    premises=WIDTH,
    evidence=("exhaustive",),
)
def counts_and_bounds(*, K):
    """Count and ratio of the first pair, and of the second."""

    def values(k):
        k = Fraction(k)
        return 2, k**2 + 1, 2 * k**2 + 3, 4 * k**2 + 5 + 1 / k**2

    return np.array([values(k) for k in np.ravel(K).tolist()], dtype=object)


# ---------------------------------------------------------------- small margins cost


@theorem(
    "bey-perc-whole",
    "Whole numbers: a small margin must be paid for",
    r"Let $V$ be a finite separable set of vectors of whole numbers, $R$ the length of "
    r"the longest, $\gamma$ the largest margin, $\mathbf p$ the point of the convex "
    r"hull nearest to the origin, and $h = \max_{\mathbf v \in V} \mathbf p \cdot "
    r"\mathbf v$. On every stream after which no vector of $V$ is wrong the number of "
    r"mistakes is at least $1/(R^2 \gamma^2)$, and at least $1/h$. If all vectors have "
    r"the margin $\gamma$ exactly, then $h = \gamma^2$.",
    where=TRUTH,
    relation=">=",
    premises=POSITIVE,
    evidence=("exhaustive", "adversary"),
    nontrivial=True,
)
def least_price(*, radius_squared, squared, highest):
    """The larger of ``1 / (R**2 gamma**2)`` and ``1 / h``."""
    return _each(
        lambda r, g, h: max(1 / Fraction(r * g), 1 / Fraction(h)),
        radius_squared,
        squared,
        highest,
    )


@theorem(
    "bey-perc-list",
    "A decision list with a Fibonacci margin",
    r"Let the label of $\mathbf x \in \{0, 1\}^d$, $\mathbf x \ne \mathbf 0$, be "
    r"$(-1)^{j+1}$ where $j$ is the last index with $x_j = 1$. Then $1/\gamma^2 = "
    r"F_{d+1} F_{d+2} - 1$ for all of these $2^d - 1$ examples together, and also for "
    r"the $d$ examples $\mathbf z_j = \mathbf e_j + \mathbf e_{j-1} + \mathbf e_{j-3} "
    r"+ \mathbf e_{j-5} + \dots$ alone. On every stream of these $d$ that goes on "
    r"until none of them is wrong the Perceptron errs exactly $1/\gamma^2$ times.",
    where=TRUTH,
    relation="==",
    premises=SOME_VARIABLE,
    evidence=("exact", "exhaustive", "adversary"),
)
def fibonacci_product(*, d):
    """``F_{d+1} F_{d+2} - 1``, with ``F_1 = F_2 = 1``."""
    return _each(lambda n: fibonacci(n + 1) * fibonacci(n + 2) - 1, d)


# ---------------------------------------------------------------- dimensions


@theorem(
    "bey-perc-shatter",
    "Dimensions with a margin",
    r"Let $R \ge \gamma > 0$ and $d \ge m = \lfloor R^2/\gamma^2 \rfloor$. For the "
    r"points of $\mathbb{R}^d$ of length at most $R$, labeled by hyperplanes through "
    r"the origin with margin at least $\gamma$ on all points presented, the most "
    r"points that can be shattered, the greatest depth of a complete mistake tree and "
    r"the worst case of the Perceptron are the same number, $m$.",
    where=TRUTH,
    relation="==",
    premises=RATIO,
    evidence=("exhaustive",),
)
def whole_part_of_the_ratio(*, ratio):
    """``floor(ratio)``."""
    return _each(lambda r: int(r // 1), ratio)


@theorem(
    "bey-perc-arc",
    "What the best learner can do in the plane",
    r"In the plane let $0 < \gamma \le R$, and let points of length at most $R$ be "
    r"labeled by lines through the origin with margin at least $\gamma$ on all points "
    r"presented. Some learner errs at most "
    r"$\lfloor \lg (\pi / \arcsin(\gamma / R)) \rfloor$ times, and none guarantees "
    r"fewer.",
    where=TRUTH,
    relation="==",
    premises=SINE,
    evidence=("exhaustive",),
)
def halvings_of_the_circle(*, sine):
    """``floor(lg(pi / arcsin(sine)))``, with ``sine = gamma / R``."""
    sharp = np.pi / np.arcsin(np.asarray(sine, dtype=float))
    # At powers of 2 the logarithm is a whole number, up to rounding.
    return np.floor(np.log2(sharp) + 1e-12).astype(int)
