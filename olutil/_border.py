"""Checks of arguments, done once, where a caller's value enters the package.

Every message names the argument, what was expected and what came.
"""

from fractions import Fraction
from numbers import Integral, Real
from typing import Any

import numpy as np


def wrong(name: str, expected: str, got: Any) -> ValueError:
    """Make the error for a bad argument."""
    return ValueError(f"{name}: expected {expected}, got {got!r}")


def count(name: str, value: Any, *, least: int = 1) -> int:
    """Return ``value`` as an int that is at least ``least``."""
    if not isinstance(value, Integral) or isinstance(value, bool) or value < least:
        raise wrong(name, f"a whole number of at least {least}", value)
    return int(value)


def number(name: str, value: Any, expected: str, holds) -> Any:
    """Return ``value`` if it is a finite real number for which ``holds``."""
    real = isinstance(value, Real) and not isinstance(value, bool)
    if not real or (not isinstance(value, Fraction) and not np.isfinite(value)):
        raise wrong(name, expected, value)
    if not holds(value):
        raise wrong(name, expected, value)
    return value


def one_of(name: str, value: Any, choices: tuple) -> Any:
    """Return ``value`` if it is one of ``choices``."""
    if value not in choices:
        raise wrong(name, f"one of {', '.join(map(repr, choices))}", value)
    return value


def labels(name: str, values: Any, allowed: tuple[int, int]) -> np.ndarray:
    """Return ``values`` as an integer array of the two ``allowed`` labels."""
    array = np.asarray(values)
    good = (array == allowed[0]) | (array == allowed[1])
    if not good.all():
        bad = array[~good].flat[0] if array.ndim else array[()]
        raise wrong(name, f"labels {allowed[0]} or {allowed[1]}", bad)
    return array.astype(int, copy=False)


def indices(name: str, values: Any, size: int) -> np.ndarray:
    """Return ``values`` as an array of whole numbers from 0 to ``size - 1``."""
    array = np.asarray(values)
    whole = np.issubdtype(array.dtype, np.integer)
    if not whole or np.any((array < 0) | (array >= size)):
        raise wrong(name, f"indices of points, 0 to {size - 1}", array)
    return array


def last_axis(name: str, values: Any, size: int) -> np.ndarray:
    """Return ``values`` as an array whose last axis has ``size`` entries."""
    array = np.asarray(values)
    if array.ndim == 0 or array.shape[-1] != size:
        raise wrong(name, f"a last axis of length {size}", f"shape {array.shape}")
    return array


def reals(name: str, values: Any, size: int) -> np.ndarray:
    """Return ``values`` as finite numbers whose last axis has ``size`` entries."""
    array = last_axis(name, values, size)
    if array.dtype != object:
        if not np.issubdtype(array.dtype, np.number):
            raise wrong(name, "numbers", f"dtype {array.dtype}")
        if not np.all(np.isfinite(array)):
            raise wrong(name, "finite numbers", array[~np.isfinite(array)].flat[0])
    return array


def table(name: str, values: Any) -> np.ndarray:
    """Return a concept class: a 0/1 table, concepts by points, not empty."""
    array = np.asarray(values)
    if array.ndim != 2 or 0 in array.shape:
        raise wrong(name, "a table, concepts by points, not empty", array.shape)
    return labels(name, array, (0, 1))
