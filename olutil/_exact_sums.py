"""Which of two sums of powers is larger, exactly; products of any size.

Learners keep integer counts and derive their weights ``base ** count``.  Floating point
is fast, and nearly always enough to tell which of two sums of weights is larger; where
they are too close for that, `signs_of_sums` computes with whole numbers.
"""

from collections import Counter
from fractions import Fraction
from typing import Any

import numpy as np

from olutil._arguments import exact

# A difference of sums is computed once more, in whole numbers, if it is this small
# compared with their terms, or near the least floats, whose terms have lost digits.
CLOSE, TINY = 1e-12, 1e-290
# A float holds a sum of powers of two exactly if it spans at most so many bits.
FLOAT_BITS = 53
# Less than the power of two of any product of floats.
NO_POWER = -(2**12)
# From so many powers on, they are looked up in a table.
MANY_POWERS = 512


def inner(w: np.ndarray, x: np.ndarray, unit: Any = None) -> Any:
    """The inner products along the last axis, whatever the size of the numbers.

    The sign is never lost: one that is too large for floats is infinite, and one that
    is too small is the least float.  Exact numbers are multiplied exactly.  With a
    ``unit``, a power of two, it is the product times this, and the axis stays.
    """
    keepdims, factor = (False, 1) if unit is None else (True, unit)
    if w.dtype.hasobject or x.dtype.hasobject:
        if exact(w) and exact(x) and not np.ndim(factor):
            return (w * x).sum(axis=-1, keepdims=keepdims)
        w, x = w.astype(float), x.astype(float)
    try:
        with np.errstate(over="raise", under="raise", invalid="raise"):
            product = (w * x).sum(axis=-1, keepdims=keepdims)
            return product if unit is None else product * unit
    except FloatingPointError:
        (w, e), (x, f) = np.frexp(w), np.frexp(x)
    top = np.where(w * x == 0, NO_POWER, e + f).max(axis=-1, keepdims=True)
    total = np.ldexp(w * x, e + f - top).sum(axis=-1, keepdims=True)
    with np.errstate(over="raise" if np.geterr()["over"] == "raise" else "ignore"):
        value = np.ldexp(total, top + np.frexp(factor)[1] - 1)
    value = np.where(value == 0, np.copysign(5e-324, total) * (total != 0), value)
    return value if keepdims else value[..., 0][()]


def scaled(x: np.ndarray, w: Any = None) -> tuple[np.ndarray, Any]:
    """Inputs times powers of two, the largest entry of each about 1; and these powers.

    So squares neither overflow nor vanish, and no digit changes.  Fractions stay as
    they are beside exact weights ``w``.
    """
    fractions = x.dtype.hasobject and any(isinstance(v, Fraction) for v in x.flat)
    if fractions and w is not None:
        if exact(x) and exact(w):
            return x, 1
    x = x.astype(float)
    power = 1 - np.frexp(abs(x).max(axis=-1, keepdims=True))[1]
    return np.ldexp(x, power), np.ldexp(1.0, power)


def powers(base: Any, exponents: np.ndarray) -> np.ndarray:
    """``base ** exponents``, entry by entry, exact for a Fraction."""
    if isinstance(base, Fraction):
        # Left to itself, Fraction ** array would go through floating point.
        return np.power(np.array(base, dtype=object), exponents.astype(object))
    if exponents.size >= MANY_POWERS and exponents.dtype.kind == "i":
        # Unsigned: a negative exponent then is huge, and no table is made.
        most = int(exponents.view(f"u{exponents.itemsize}").max())
        if most < exponents.size:
            table = base ** np.arange(most + 1)
            if exponents.flags.f_contiguous:  # the result keeps the order in memory
                return table.take(exponents.T, mode="clip").T
            return table.take(exponents, mode="clip")
    return base**exponents


def sign_of_sum(base: Any, exponents: Any, coefficients: Any, constant: Any) -> int:
    """The sign of ``constant + sum(c * base**e)``; a float is the number it stores."""
    total: Counter = Counter({0: Fraction(constant)})
    for exponent, coefficient in zip(exponents, coefficients, strict=True):
        total[int(exponent)] += int(coefficient)
    left = {e: c for e, c in total.items() if c}
    if not left:
        return 0
    p, q = base.as_integer_ratio()
    low, high = min(left), max(left)
    value = sum(c * p ** (e - low) * q ** (high - e) for e, c in left.items())
    return (value > 0) - (value < 0)


def signs_of_sums(
    difference: Any, scale: Any, base: Any, exponents: np.ndarray,
    coefficients: np.ndarray, constant: Any = 0,
) -> np.ndarray:  # fmt: skip
    """The signs of sums of powers: those of the floating-point sums, where these can
    be trusted, and otherwise those of the exact ones.

    Parameters
    ----------
    difference : ndarray, shape (...)
        The sums ``constant + sum(c * base**e)`` as computed, times any positive number.
    scale : ndarray, shape (...)
        The sums of the absolute values of their terms, times the same number.
    base, constant : number
    exponents, coefficients : ndarray of int, shape (..., n)

    Returns
    -------
    ndarray of int, shape (...)
        -1, 0 or 1.
    """
    signs = np.asarray(np.sign(difference)).astype(int)
    if isinstance(base, Fraction) or base == 0:
        return signs
    doubtful = np.asarray(abs(difference) <= CLOSE * scale + TINY)
    if doubtful.any() and base in (0.5, 2):
        used = np.where(coefficients == 0, 0, exponents)
        span = used.max(axis=-1, initial=0) - used.min(axis=-1, initial=0)
        doubtful = doubtful & (span + used.shape[-1].bit_length() > FLOAT_BITS)
    if not doubtful.any():
        return signs
    exponents, coefficients = np.broadcast_arrays(exponents, coefficients)
    cases = np.concatenate([exponents[doubtful], coefficients[doubtful]], axis=-1)
    # A large batch holds few different cases.
    cases, which = np.unique(cases, axis=0, return_inverse=True)
    exact = [sign_of_sum(base, *np.split(case, 2), constant) for case in cases]
    signs[doubtful] = np.array(exact)[which.ravel()]
    return signs
