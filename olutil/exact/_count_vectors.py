"""Vectors of counts as single numbers, by which they are looked up."""

import numpy as np


def place_values(base: int, n: int) -> np.ndarray:
    """The place values of a number of n digits, the largest first.

    With counts below ``base`` as digits, ``counts @ place_values(base, n)`` tells all
    count vectors apart.  Python's integers if such numbers might not fit 64 bits.
    """
    kind = int if base**n < 2**62 else object
    return np.array([base**i for i in reversed(range(n))], dtype=kind)
