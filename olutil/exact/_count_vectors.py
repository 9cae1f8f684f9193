"""Count vectors as single numbers, for looking them up."""

import numpy as np

WORD = 2**62


def place_values(base: int, n: int) -> np.ndarray:
    """What the digits of an n-digit number weigh, the first one most.

    Python's integers where such numbers might not fit 64 bits.
    """
    kind = int if base**n < WORD else object
    return np.array([base**i for i in reversed(range(n))], dtype=kind)
