"""Checks of arguments, done once, where a caller's value enters the package.

Every message names the argument, what was expected and what came.
"""

from collections.abc import Callable
from fractions import Fraction
from functools import wraps
from math import inf, isfinite
from numbers import Integral, Real
from typing import Any

import numpy as np

# Labels of experts, concepts and Winnow; labels of the Perceptron family.
BIT, SIGN = (0, 1), (-1, 1)
# Sums of products of larger integers might not fit 64 bits: these become Python's.
LARGE = 2**16
# So few labels are compared one by one, which is quicker than as an array.
FEW = 8
NAMES = "what a data frame yields is its columns' names: hand over .to_numpy()"


def invalid(name: str, expected: str, got: Any) -> ValueError:
    """Make the error for a bad argument."""
    return ValueError(f"{name}: expected {expected}, got {got!r}")


def count(name: str, value: Any, *, least: int = 1, most: float = inf) -> int:
    """Return ``value`` as an int from ``least`` to ``most``."""
    whole = isinstance(value, Integral) and not isinstance(value, bool)
    if not (whole and least <= value <= most):
        wanted = f"of at least {least}" if most == inf else f"from {least} to {most}"
        raise invalid(name, f"a whole number {wanted}", value)
    return int(value)


def sizes(name: str, value: Any) -> tuple[int, ...]:
    """Return the lengths of axes, one of them or several, as a tuple."""
    value = value if isinstance(value, tuple | list) else (value,)
    return tuple(count(name, size, least=0) for size in value)


def place(name: str, value: Any, size: int) -> int:
    """Return ``value`` as an index from 0 to ``size - 1``."""
    return count(name, value, least=0, most=size - 1)


def generator(name: str, value: Any) -> Any:
    """Return ``value`` if it is a `numpy.random.Generator`."""
    if not isinstance(value, np.random.Generator):
        raise invalid(name, "a numpy.random.Generator, as default_rng(0) makes", value)
    return value


def number(name: str, value: Any, expected: str, holds) -> Any:
    """Return ``value`` as a Python number, if it is real and ``holds(value)``."""
    real = isinstance(value, Real) and not isinstance(value, bool)
    try:
        good = real and isfinite(value) and holds(value)
    except OverflowError:
        good = False
    if not good:
        kinds = "" if real else " as an int, float or Fraction"
        raise invalid(name, expected + kinds, value)
    if isinstance(value, Fraction):
        # Fraction(np.int64(1), 2) computes in 64 bits and overflows without a word.
        return Fraction(int(value.numerator), int(value.denominator))
    return value.item() if isinstance(value, np.generic) else value


def one_of(name: str, value: Any, choices: tuple) -> Any:
    """Return ``value`` if it is one of ``choices``."""
    plain = isinstance(value, Real | str | np.bool_ | None)
    if not plain or value not in choices:
        raise invalid(name, f"one of {', '.join(map(repr, choices))}", value)
    return value


def exact(array: np.ndarray) -> bool:
    """Whether all entries are integers or Fractions, so that comparing is exact."""
    if array.dtype == object:
        return all(isinstance(v, int | Fraction | np.integer) for v in array.flat)
    return array.dtype.kind in "biu"


def array_of(name: str, values: Any) -> np.ndarray:
    """Return ``values`` as an array, with rows of one length and none masked."""
    if isinstance(values, np.ma.MaskedArray) and np.ma.is_masked(values):
        raise invalid(name, "no masked entries", values)
    try:
        array = np.asarray(values)
    except ValueError:
        raise invalid(name, "an array, not rows of unequal length", values) from None
    if array.dtype.kind in "SU":
        raise invalid(name, f"numbers, not text ({NAMES})", values)
    if array.dtype == object and hasattr(values, "toarray"):
        raise invalid(name, "a dense array (sparse ones have .toarray())", type(values))
    return array


def broadcast(name: str, array: Any, shape: tuple, *, wider: bool = True) -> Any:
    """Return ``array`` in this ``shape``; if ``wider``, in the one of both together."""
    if array.shape == shape or (wider and not shape):
        return array
    try:
        if wider:
            shape = np.broadcast_shapes(shape, array.shape)
        return np.broadcast_to(array, shape)
    except ValueError:
        wanted = f"a shape that broadcasts to {shape}"
        raise invalid(name, wanted, f"shape {array.shape}") from None


def _no_label(name: str, allowed: tuple, got: Any) -> ValueError:
    return invalid(name, f"labels {' or '.join(map(str, allowed))}", got)


def labels(
    name: str, values: Any, allowed: tuple, batch: tuple = (), dtype: type = int
) -> np.ndarray:
    """Return ``values`` as integers, one for each game, if all are ``allowed``."""
    array = array_of(name, values)
    if array.dtype == object and not all(isinstance(v, Real) for v in array.flat):
        raise _no_label(name, allowed, values)
    if array.dtype == bool:
        good = {False, True} <= set(allowed)
    else:
        good = array.size <= FEW and all(v in allowed for v in array.ravel().tolist())
    if not good:
        good = array == allowed[0]
        for label in allowed[1:]:
            good = good | (array == label)
        if np.count_nonzero(good) != array.size:
            bad = array[~good].flat[0] if array.ndim else array[()]
            raise _no_label(name, allowed, bad)
    return broadcast(name, array.astype(dtype, copy=False), batch)


def predicted_labels(y_hat: Any, outcome: np.ndarray, allowed: tuple) -> np.ndarray:
    """Return the prediction for each ``outcome``, as an array of ``allowed`` labels."""
    said = labels("y_hat", y_hat, allowed)
    return broadcast("y_hat", said, outcome.shape, wider=False)


def bits(name: str, values: Any) -> np.ndarray:
    """Return ``values`` as an array, not copied, if all are 0 or 1."""
    array = array_of(name, values)
    if array.dtype == object:
        return labels(name, array, BIT)
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
    """Return a concept class, copied: a 0/1 table, concepts by points, not empty."""
    array = array_of(name, values)
    if array.ndim != 2 or 0 in array.shape:
        raise invalid(name, "a table, concepts by points, not empty", array.shape)
    return labels(name, array, BIT).copy()


def within_floats(update: Callable) -> Callable:
    """Have an update that floats cannot hold be an error, which changes nothing."""

    strict = np.errstate(over="raise", invalid="raise")(update)

    @wraps(update)
    def checked(self, x: Any, y: Any, y_hat: Any) -> None:
        try:
            strict(self, x, y, y_hat)
        except (FloatingPointError, OverflowError) as error:
            raise invalid("x, y", "weights that floats hold", str(error)) from None

    return checked
