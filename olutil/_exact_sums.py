"""Powers and sums of powers that come out as exact arithmetic has them.

Learners keep integer counts and derive weights ``base ** count``.  Floating point is
fast and nearly always enough to see which of two sums is larger; where the two are too
close for it, `signs_of_sums` asks the integers.
"""

from collections import Counter
from fractions import Fraction
from typing import Any

import numpy as np

# Sums nearer than this, relative to their terms, are decided in integers; so are sums
# near the least floats, whose terms have lost digits.
DOUBT, LEAST = 1e-12, 1e-290
# Floats hold sums of powers of two exactly while the sum spans no more bits than this.
BITS = 53
# From so many powers on a table of them is made.
MANY = 512


def powers(base: Any, exponents: np.ndarray) -> np.ndarray:
    """``base ** exponents``, entry by entry, exact for a Fraction."""
    if isinstance(base, Fraction):
        # Left to itself, Fraction ** array would go through floating point.
        return np.power(np.array(base, dtype=object), exponents.astype(object))
    if exponents.size >= MANY and exponents.dtype.kind == "i":
        # Read without its sign, a negative exponent is a huge one.
        most = int(exponents.view(f"u{exponents.itemsize}").max())
        if most < exponents.size:
            # A large batch holds few different powers, and looking up is quicker.
            table = base ** np.arange(most + 1)
            if exponents.flags.f_contiguous:  # keep the order in memory
                return table.take(exponents.T, mode="clip").T
            return table.take(exponents, mode="clip")
    return base**exponents


def sign_of_sum(base: Any, exponents: Any, coefficients: Any, constant: Any) -> int:
    """The sign of ``constant + sum(c * base**e)``, a float taken at its value."""
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
    difference: Any,
    scale: Any,
    base: Any,
    exponents: np.ndarray,
    coefficients: np.ndarray,
    constant: Any = 0,
) -> np.ndarray:
    """The signs of sums of powers, from their floating-point values where those do.

    Parameters
    ----------
    difference : ndarray, shape (...)
        The sums ``constant + sum(c * base**e)`` up to a positive factor, as computed.
    scale : ndarray, shape (...)
        The sums of their terms' sizes, by the same factor.
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
    doubtful = np.asarray(abs(difference) <= DOUBT * scale + LEAST)
    if doubtful.any() and base in (0.5, 2):
        used = np.where(coefficients == 0, 0, exponents)
        span = used.max(axis=-1, initial=0) - used.min(axis=-1, initial=0)
        doubtful = doubtful & (span + used.shape[-1].bit_length() > BITS)
    if not doubtful.any():
        return signs
    exponents, coefficients = np.broadcast_arrays(exponents, coefficients)
    cases = np.concatenate([exponents[doubtful], coefficients[doubtful]], axis=-1)
    # A large batch holds few different cases.
    cases, which = np.unique(cases, axis=0, return_inverse=True)
    exact = [sign_of_sum(base, *np.split(case, 2), constant) for case in cases]
    signs[doubtful] = np.array(exact)[which.ravel()]
    return signs
