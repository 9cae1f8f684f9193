"""Beyond the lectures: how true the Perceptron's bound is.

Examples are written as vectors ``v = y x``, so that every label is +1; ``ratio`` is
``R**2 / gamma**2``, with the largest margin of the vectors, and may be a Fraction.
"""

from fractions import Fraction
from typing import Any

import numpy as np

from olutil.theorems._common import SOME_FEATURE, inner
from olutil.theorems._registry import theorem

TRUTH, PRICE = "The Perceptron's truth", "What a small margin costs"

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
SEPARABLE = {"a hyperplane separates the vectors": lambda V: (
    np.linalg.matrix_rank(np.asarray(V, dtype=float)) == np.shape(V)[-2]
)}  # fmt: skip
WHOLE = {"coordinates are whole numbers": lambda V: np.asarray(V) % 1 == 0}
ORTHOGONAL = {"orthogonal vectors": lambda V: np.all(_apart(V) == 0)}
NOT_ZERO = {"no vector is 0": lambda V: inner(V, V) > 0}
BLUNT_PAIR = {
    "a . b < 0": lambda a, b: inner(a, b) < 0,
    "a and b are not parallel": lambda a, b: (
        inner(a, b) ** 2 < inner(a, a) * inner(b, b)
    ),
}
WIDTH = {"K is a whole number, at least 1": lambda K: (
    (np.asarray(K) >= 1) & (np.asarray(K) % 1 == 0)
)}  # fmt: skip
POSITIVE = {"gamma > 0 and p . v > 0": lambda squared, highest: (
    (np.asarray(squared) > 0) & (np.asarray(highest) > 0)
)}  # fmt: skip
SINE = {"0 < gamma <= R": lambda sine: (np.asarray(sine) > 0) & (np.asarray(sine) <= 1)}

# ---------------------------------------------------------------- when it is attained


@theorem("bey-perc-equality", TRUTH, relation="==", evidence="exhaustive")
def sets_on_which_the_two_differ():
    """Number of sets with one of the two and not the other: none."""
    return 0


@theorem("bey-perc-orthogonal", TRUTH, relation="==", premises=NOT_ZERO | ORTHOGONAL,
         evidence="exhaustive exact")  # fmt: skip
def mistakes_and_ratio(*, V):
    """The number of vectors, and ``R**2 / gamma**2``; V (..., m, d), of integers."""
    squares = inner(V, V)
    ratio = _each(lambda r, v: Fraction(r, v), squares.max(-1)[..., None], squares)
    count = np.broadcast_to(np.array(squares.shape[-1], dtype=object), ratio.shape[:-1])
    return np.stack([count, ratio.sum(axis=-1)])


# ---------------------------------------------------------------- the plane


@theorem("bey-perc-plane", TRUTH, premises=RATIO, evidence="exhaustive adversary",
         nontrivial=True, unit="mistakes")  # fmt: skip
def half_of_the_bound(*, ratio):
    """``floor(ratio / 2) + 1``."""
    return _each(lambda r: int(r // 2) + 1, ratio)


@theorem("bey-perc-obtuse", TRUTH, relation="==",
         premises=NOT_ZERO | OBTUSE | SEPARABLE, evidence="exhaustive")  # fmt: skip
def least_counts(*, V):
    """The sum of the ``n_i``; V (..., m, d) of whole numbers."""
    return np.vectorize(_least_counts, otypes=[int], signature="(m,d)->()")(V)[()]


@theorem("bey-perc-pile", TRUTH, relation=">=", premises=OBTUSE | SEPARABLE | WHOLE,
         evidence="exhaustive", unit="mistakes")  # fmt: skip
def grains_of_the_pile(*, squared):
    """``1 / gamma**2``, the sum of the inverse's entries; ``squared`` is gamma^2."""
    return 1 / np.asarray(squared, dtype=object)


@theorem("bey-perc-fraction", TRUTH, relation="==", premises=BLUNT_PAIR,
         evidence="exhaustive")  # fmt: skip
def terms_of_the_simplest_fraction(*, a, b):
    """``i + j``; a and b (..., d), of whole numbers."""

    def terms(A, B, C):
        low, high = Fraction(int(C), int(B)), Fraction(int(A), int(C))
        return sum(_simplest(low, high).as_integer_ratio())

    return _each(terms, inner(a, a), inner(b, b), -inner(a, b))


@theorem("bey-perc-cancel", TRUTH, relation="==", premises=WIDTH, evidence="exhaustive")
def counts_and_bounds(*, K):
    """Count and ratio of the first pair, and of the second."""
    squares = (Fraction(k) ** 2 for k in np.ravel(K).tolist())
    return np.array([(2, k + 1, 2 * k + 3, 4 * k + 5 + 1 / k) for k in squares])


# ---------------------------------------------------------------- small margins cost


@theorem("bey-perc-whole", PRICE, relation=">=", premises=POSITIVE,
         evidence="exhaustive adversary", nontrivial=True, unit="mistakes")  # fmt: skip
def least_price(*, radius_squared, squared, highest):
    """The larger of ``1 / (R**2 gamma**2)`` and ``1 / h``."""
    return _each(lambda r, g, h: max(1 / Fraction(r * g), 1 / Fraction(h)),
                 radius_squared, squared, highest)  # fmt: skip


@theorem("bey-perc-list", PRICE, relation="==", premises=SOME_FEATURE,
         evidence="exact exhaustive adversary")  # fmt: skip
def fibonacci_product(*, d):
    """``F_{d+1} F_{d+2} - 1``, with ``F_1 = F_2 = 1``."""
    return _each(lambda n: fibonacci(n + 1) * fibonacci(n + 2) - 1, d)


# ---------------------------------------------------------------- dimensions


@theorem("bey-perc-shatter", PRICE, relation="==", premises=RATIO,
         evidence="exhaustive")  # fmt: skip
def whole_part_of_the_ratio(*, ratio):
    """``floor(ratio)``."""
    return _each(lambda r: int(r // 1), ratio)


@theorem("bey-perc-arc", PRICE, relation="==", premises=SINE, evidence="exhaustive")
def halvings_of_the_circle(*, sine):
    """``floor(lg(pi / arcsin(sine)))``, with ``sine = gamma / R``."""
    sharp = np.pi / np.arcsin(np.asarray(sine, dtype=float))
    # At powers of 2 the logarithm is a whole number, up to rounding.
    return np.floor(np.log2(sharp) + 1e-12).astype(int)
