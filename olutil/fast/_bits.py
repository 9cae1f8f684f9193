"""The one check that the fast paths share."""

from typing import Any

import numpy as np

from olutil._arguments import array_of, bad_argument


def bits(name: str, values: Any) -> np.ndarray:
    """Return ``values`` as an array, if all are 0 or 1."""
    array = array_of(name, values)
    if array.dtype.kind in "iu":  # two passes and no copy: these may be large
        good = not array.size or (array.min() >= 0 and array.max() <= 1)
    else:
        good = array.dtype == bool or np.all((array == 0) | (array == 1))
    if not good:
        raise bad_argument(
            name, "labels 0 or 1", array[(array != 0) & (array != 1)].flat[0]
        )
    return array
