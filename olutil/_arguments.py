"""Checks of arguments, done once, where a caller's value enters the package.

Every message names the argument, what was expected and what came.
"""

from fractions import Fraction
from math import isfinite
from numbers import Integral, Real
from typing import Any

import numpy as np

# Labels of experts, concepts and Winnow; labels of the Perceptron family.
BIT, SIGN = (0, 1), (-1, 1)
# Sums of products of larger integers might not fit 64 bits: these become Python's.
LARGE = 2**16
# So few labels are compared one by one, which is quicker than as an array.
FEW = 8


def invalid(name: str, expected: str, got: Any) -> ValueError:
    """Make the error for a bad argument."""
    return ValueError(f"{name}: expected {expected}, got {got!r}")


def count(name: str, value: Any, *, least: int = 1) -> int:
    """Return ``value`` as an int that is at least ``least``."""
    if not isinstance(value, Integral) or isinstance(value, bool) or value < least:
        raise invalid(name, f"a whole number of at least {least}", value)
    return int(value)


def number(name: str, value: Any, expected: str, holds) -> Any:
    """Return ``value`` as a Python number, if it is real and ``holds(value)``."""
    real = isinstance(value, Real) and not isinstance(value, bool)
    try:
        good = real and isfinite(value) and holds(value)
    except OverflowError:
        good = False
    if not good:
        raise invalid(name, expected, value)
    if isinstance(value, Fraction):
        # Fraction(np.int64(1), 2) computes in 64 bits and overflows without a word.
        return Fraction(int(value.numerator), int(value.denominator))
    return value.item() if isinstance(value, np.generic) else value


def one_of(name: str, value: Any, choices: tuple) -> Any:
    """Return ``value`` if it is one of ``choices``."""
    if isinstance(value, np.ndarray) or value not in choices:
        raise invalid(name, f"one of {', '.join(map(repr, choices))}", value)
    return value


def array_of(name: str, values: Any) -> np.ndarray:
    """Return ``values`` as an array, with rows of one length and none masked."""
    if isinstance(values, np.ma.MaskedArray) and np.ma.is_masked(values):
        raise invalid(name, "no masked entries", values)
    try:
        return np.asarray(values)
    except ValueError:
        raise invalid(name, "an array, not rows of unequal length", values) from None


def broadcast(
    name: str, array: Any, shape: tuple[int, ...], *, wider: bool = True
) -> Any:
    """Return ``array`` in this ``shape``; if ``wider``, in the one of both together."""
    if array.shape == shape or (wider and not shape):
        return array
    try:
        if wider:
            shape = np.broadcast_shapes(shape, array.shape)
        return np.broadcast_to(array, shape)
    except ValueError:
        raise invalid(
            name, f"a shape that broadcasts to {shape}", f"shape {array.shape}"
        ) from None


def labels(
    name: str, values: Any, allowed: tuple[int, ...], batch: tuple[int, ...] = (),
    dtype: type = int,
) -> np.ndarray:  # fmt: skip
    """Return ``values`` as integers, one for each game, if all are ``allowed``."""
    array = array_of(name, values)
    if array.dtype == bool:
        good = {False, True} <= set(allowed)
    else:
        good = array.size <= FEW and all(
            label in allowed for label in array.ravel().tolist()
        )
    if not good:
        good = array == allowed[0]
        for label in allowed[1:]:
            good = good | (array == label)
        if np.count_nonzero(good) != array.size:
            bad = array[~good].flat[0] if array.ndim else array[()]
            raise invalid(name, f"labels {' or '.join(map(str, allowed))}", bad)
    return broadcast(name, array.astype(dtype, copy=False), batch)


def predicted_labels(
    y_hat: Any, outcome: np.ndarray, allowed: tuple[int, ...]
) -> np.ndarray:
    """Return the prediction for each ``outcome``, as an array of ``allowed`` labels."""
    return broadcast(
        "y_hat", labels("y_hat", y_hat, allowed), outcome.shape, wider=False
    )


def bits(name: str, values: Any) -> np.ndarray:
    """Return ``values`` as an array, not copied, if all are 0 or 1."""
    array = array_of(name, values)
    if array.dtype.kind in "iu":  # two passes and no copy: these may be large
        good = not array.size or (array.min() >= 0 and array.max() <= 1)
    else:
        good = array.dtype == bool or np.all((array == 0) | (array == 1))
    if not good:
        bad = array[(array != 0) & (array != 1)].flat[0]
        raise invalid(name, "labels 0 or 1", bad)
    return array


def indices(name: str, values: Any, size: int) -> np.ndarray:
    """Return ``values`` as an array of whole numbers from 0 to ``size - 1``."""
    array = array_of(name, values)
    whole = np.issubdtype(array.dtype, np.integer) or array.size == 0
    if not whole or np.any((array < 0) | (array >= size)):
        raise invalid(name, f"indices of points, 0 to {size - 1}", array)
    return array.astype(int, copy=False)


def last_axis(name: str, values: Any, size: int) -> np.ndarray:
    """Return ``values`` as an array whose last axis has ``size`` entries."""
    array = array_of(name, values)
    if array.ndim == 0 or array.shape[-1] != size:
        raise invalid(name, f"a last axis of length {size}", f"shape {array.shape}")
    return array


def numbers(name: str, values: Any) -> np.ndarray:
    """Return ``values`` as finite real numbers whose sums do not overflow."""
    array = array_of(name, values)
    if array.dtype.kind in "iu":
        large = array.size and max(-int(array.min()), int(array.max())) > LARGE
        return array.astype(object if large else int, copy=False)
    if array.dtype.kind not in "fbO":
        raise invalid(name, "finite numbers", f"dtype {array.dtype}")
    for value in array.flat if array.dtype == object else array[~np.isfinite(array)]:
        number(name, value, "finite numbers", lambda v: True)
    if array.dtype.kind == "f":
        return array.astype(np.promote_types(array.dtype, float), copy=False)
    return array


def reals(name: str, values: Any, size: int, batch: tuple[int, ...] = ()) -> np.ndarray:
    """Return ``values`` as numbers, the last axis of length ``size``."""
    array = last_axis(name, values, size)
    if array.dtype == bool:
        raise invalid(name, "numbers", "dtype bool")
    return broadcast(name, numbers(name, array), (*batch, size))


def table(name: str, values: Any) -> np.ndarray:
    """Return a concept class: a 0/1 table, concepts by points, not empty."""
    array = array_of(name, values)
    if array.ndim != 2 or 0 in array.shape:
        raise invalid(name, "a table, concepts by points, not empty", array.shape)
    return labels(name, array, (0, 1))
