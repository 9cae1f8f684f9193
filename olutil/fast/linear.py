"""The Perceptron and Winnow on whole streams, from mistake to mistake."""

from collections.abc import Callable
from fractions import Fraction
from math import floor
from typing import Any, NamedTuple

import numpy as np

from olutil import _arguments as need
from olutil._arguments import SIGN
from olutil._exact_sums import TINY, inner
from olutil.fast import loops
from olutil.linear import Winnow

# How many entries of the inputs to score at a time: so few after a mistake, then twice
# as many each time that no mistake is found, up to what a cache holds.
NEAR, FAR = 2**12, 2**18
# How many numbers at a time are tested for being whole.
PIECE = 2**15
EPS = float(np.finfo(float).eps)
# Sums of squares below this have room for products and their rounding.
HUGE = 1e300


class Learned(NamedTuple):
    """What a conservative learner has done on a stream."""

    mistakes: np.ndarray  #: The rounds in which it erred, counted from 0 on.
    weights: np.ndarray  #: The last weights, shape (d,).


def _play(rounds: int, epochs: int, certain: Callable, judge: Callable) -> np.ndarray:
    """Play a learner that changes only at mistakes: the rounds in which it errs.

    Parameters
    ----------
    rounds, epochs : int
        How many rounds the stream has, and how often it is played.
    certain : callable
        ``certain(t, mistakes, many)`` plays the rounds from t on, up to one in which it
        does not know whether the learner errs.  It appends to the first ``many`` of the
        ``mistakes`` of this epoch, and returns that round and how many there are now.
    judge : callable
        ``judge(t)`` says whether the learner errs in round t, and if so updates it.
    """
    played = []
    for epoch in range(epochs):
        mistakes, many, t = np.empty(rounds, dtype=int), 0, 0
        while t < rounds:
            t, many = certain(t, mistakes, many)
            if t < rounds and judge(t):
                mistakes[many] = t
                many += 1
            t += 1
        played.append(mistakes[:many] + epoch * rounds)
        if not many:  # nothing changes any more
            break
    return np.concatenate(played)


def _look_ahead(shape: tuple[int, int], suspects: Callable) -> Callable:
    """A function for `_play` that scores blocks of rounds.

    ``suspects(a, b)`` says of the rounds a, ..., b - 1, as booleans, in which of them
    the learner might err as it is now; it may say so too often, never too seldom.
    """
    rounds, d = shape
    shortest, longest = max(NEAR // d, 8), max(FAR // d, 64)

    def certain(t: int, mistakes: np.ndarray, many: int) -> tuple[int, int]:
        ahead = shortest
        while t < rounds:
            stop = min(t + ahead, rounds)
            doubtful = suspects(t, stop)
            if doubtful.any():
                return t + int(doubtful.argmax()), many
            t, ahead = stop, min(2 * ahead, longest)
        return rounds, many

    return certain


def perceptron(X: Any, y: Any, *, epochs: int = 1, zero: int = 0) -> Learned:
    """The mistakes of the Perceptron on a whole stream of dense inputs.

    Parameters
    ----------
    X : array_like of numbers, shape (T, d)
    y : array_like of -1/+1, shape (T,)
    epochs : int
        How often to play the rounds, one time after the other.
    zero : {0, 1, -1}
        The prediction for an inner product of 0, as for `olutil.linear.Perceptron`.

    Returns
    -------
    Learned
        Exactly the mistakes of the readable learner, and its weights.

    Raises
    ------
    ValueError
        If an argument is out of range, among them Fractions, and numbers so large or so
        small that doubles might not hold their products and sums.

    Notes
    -----
    Kakade, Algorithm 2.  Sums of whole numbers are exact.  Otherwise two orders of
    summation differ by at most ``2 d eps |w| |x|``, and as in the proof of Theorem 4.1
    ``|w|**2`` is at most the sum of ``|x|**2`` over the mistakes.  A score nearer to 0
    than that is computed once more, as the readable learner does it.

    Examples
    --------
    >>> perceptron([[1, 2], [2, 1], [1, 2]], [1, -1, 1]).mistakes
    array([0, 1])
    """
    X = _doubles("X", X)
    if X.ndim != 2 or X.shape[1] == 0:
        raise need.invalid("X", "rounds by features", f"shape {X.shape}")
    with np.errstate(over="ignore"):  # which is then refused
        columns, largest = np.arange(X.shape[1]), float(np.vecdot(X, X).max(initial=0))
    inputs = _Inputs(X, largest, lambda t: (columns, X[t]), loops.perceptron, (X,))
    return _perceptron(inputs, y, X.shape, epochs, zero)


def sparse_perceptron(
    indptr: Any, indices: Any, data: Any, y: Any, d: int, *, epochs: int = 1,
    zero: int = 0,
) -> Learned:  # fmt: skip
    """The mistakes of the Perceptron on a whole stream of sparse inputs.

    Parameters
    ----------
    indptr, indices, data : array_like
        Compressed sparse rows: the features of round t that are not 0 are
        ``indices[indptr[t]:indptr[t + 1]]``, their values the same part of ``data``.
        An index that is repeated in a row counts for the sum of its values.
    y : array_like of -1/+1, shape (T,)
    d : int
        The number of features.
    epochs, zero
        As for `perceptron`.

    Returns
    -------
    Learned
        Exactly the mistakes of `olutil.linear.Perceptron` on the same rows, dense, if
        no index is repeated; and the weights.

    Raises
    ------
    ValueError
        If an argument is out of range.

    Examples
    --------
    >>> sparse_perceptron([0, 1, 2], [3, 3], [1, 1], [1, 1], d=4).mistakes
    array([0])
    """
    d = need.count("d", d)
    indptr, data = need.array_of("indptr", indptr), _doubles("data", data)
    columns = need.indices("indices", indices, d)
    good = indptr.ndim == 1 and indptr.dtype.kind in "iu" and indptr.size
    if not (good and indptr[0] == 0 and np.all(indptr[1:] >= indptr[:-1])):
        raise need.invalid("indptr", "whole numbers from 0 on, none falling", indptr)
    entries = int(indptr[-1])
    if not data.shape == columns.shape == (entries,):
        raise need.invalid("data, indices", f"{entries} entries each, as indptr has it",
                    (data.shape, columns.shape))  # fmt: skip
    indptr = indptr.astype(int, copy=False)

    def row(t: int) -> tuple[np.ndarray, np.ndarray]:
        part = slice(indptr[t], indptr[t + 1])
        return columns[part], data[part]

    # An index may be repeated, so the sum of a row's sizes has to do for its length.
    largest = max(data.max(initial=0), -data.min(initial=0))
    size = float(largest) * int(np.diff(indptr).max(initial=0))
    # As unsigned numbers indices need no look whether they are below 0.
    arrays = indptr, columns.view(np.uintp), data
    inputs = _Inputs(data, size * size, row, loops.sparse_perceptron, arrays)
    return _perceptron(inputs, y, (len(indptr) - 1, d), epochs, zero)


def _doubles(name: str, values: Any) -> np.ndarray:
    array = need.array_of(name, values)
    if array.dtype.kind == "f":
        return array.astype(float, copy=False)  # finite, if its squares are
    array = need.numbers(name, array)
    if array.dtype == object:
        raise need.invalid(name, "numbers that doubles hold", values)
    return array.astype(float)


class _Inputs(NamedTuple):
    """The inputs of a stream."""

    entries: np.ndarray  # all their numbers
    largest: float  # at least the square of the length of each of them
    row: Callable  # of a round: the columns and values of its input
    loop: Callable  # what plays them
    arrays: tuple  # and its first arguments


def _perceptron(inputs: _Inputs, y: Any, shape: tuple, epochs: int, zero: int) -> Any:
    y = need.labels("y", y, SIGN)
    if y.shape != shape[:1]:
        raise need.invalid("y", f"{shape[0]} labels, one a round", f"shape {y.shape}")
    epochs, zero = need.count("epochs", epochs), need.one_of("zero", zero, (0, 1, -1))
    w, signs, total = np.zeros(shape[1]), y.astype(float), 0
    unit = _rounding(inputs, shape, epochs)

    def judge(t: int) -> bool:
        nonlocal total
        columns, values = inputs.row(t)
        active = w[columns]
        score = active.dot(values)
        if abs(score) < unit * total**0.5 and active.any():
            x = np.zeros(len(w))
            np.add.at(x, columns, values)
            score = inner(w, x)
        errs = y[t] != (zero if score == 0 else 1 if score > 0 else -1)
        if errs:
            # Of repeated indices ``w[columns] += values`` would add only one value.
            np.add.at(w, columns, signs[t] * values)
            total += 1
        return errs

    def suspects(a: int, b: int) -> np.ndarray:
        return inputs.entries[a:b].dot(w) * signs[a:b] <= unit * total**0.5

    def certain(t: int, mistakes: np.ndarray, many: int) -> tuple[int, int]:
        nonlocal total
        t, now = loop(*arrays, zero, w, unit * total**0.5, unit, mistakes, many, t)
        total += now - many
        return t, now

    loop = loops.compiled(inputs.loop)
    if loop:
        arrays = [loops.fixed(part, part.dtype) for part in (*inputs.arrays, signs)]
    elif inputs.loop is loops.perceptron:
        certain = _look_ahead(shape, suspects)
    else:  # rows of few entries are judged one by one
        certain = lambda t, mistakes, many: (t, many)  # noqa: E731
    return Learned(_play(shape[0], epochs, certain, judge), w)


def _rounding(inputs: _Inputs, shape: tuple, epochs: int) -> float:
    """More than a score is off by, divided by the root of the number of mistakes."""
    rounds, d = shape
    entries, largest, exact = inputs.entries, inputs.largest, _whole(inputs.entries)
    weights = largest * rounds * epochs  # a bound on the square of their length
    fits = weights < HUGE and (largest >= TINY or not entries.any())
    if not fits or (exact and weights * largest >= EPS**-2):
        raise need.invalid("X", "numbers whose products and sums doubles hold", largest)
    return 0.0 if exact else 4 * d * EPS * largest


def _whole(values: np.ndarray) -> bool:
    """Whether all numbers are whole: if not, an early piece mostly shows it."""
    flat = values.ravel()
    pieces = (flat[at : at + PIECE] for at in range(0, flat.size, PIECE))
    return all(np.array_equal(np.rint(piece), piece) for piece in pieces)


def winnow(
    X: Any, y: Any, *, threshold: Any = None, factor: Any = 2,
    demote: str = "eliminate", epochs: int = 1,
) -> Learned:  # fmt: skip
    """The mistakes of Winnow on a whole stream.

    Parameters
    ----------
    X : array_like of 0/1, shape (T, d)
    y : array_like of 0/1, shape (T,)
    threshold, factor, demote
        As for `olutil.linear.Winnow`; a float or whole factor.
    epochs : int
        How often to play the rounds, one time after the other.

    Returns
    -------
    Learned
        Exactly the mistakes of the readable learner, and its weights.  That learner
        makes every update, and decides where the vote is too close to the threshold for
        floating-point sums.

    Raises
    ------
    ValueError
        If an argument is out of range, or ``factor`` a Fraction.

    Notes
    -----
    Littlestone (1988).  With elimination and the factor 2 all weights are whole numbers
    of at most twice the threshold, so that sums are exact, in single precision too
    where 24 bits hold them.

    Examples
    --------
    >>> winnow([[1, 0, 0, 1], [1, 0, 0, 1]], [1, 1]).mistakes
    array([0])
    """
    X = need.array_of("X", X)
    if X.ndim != 2 or X.shape[1] == 0:
        raise need.invalid("X", "rounds by features", f"shape {X.shape}")
    rounds, d = X.shape
    if isinstance(factor, Fraction):
        raise need.invalid("factor", "a float or whole number", factor)
    learner = Winnow(d, threshold=threshold, factor=factor, demote=demote)
    limit = float(learner.threshold)
    if abs(limit) > 1e100 or factor > 1e100:
        raise need.invalid("threshold, factor", "at most 1e100", (threshold, factor))
    y = need.labels("y", y, (0, 1))
    if y.shape != (rounds,):
        raise need.invalid("y", f"{rounds} labels, one a round", f"shape {y.shape}")
    most = d * max(2 * limit, 1)
    exact = demote == "eliminate" and factor == 2 and most < 1 / EPS
    if exact:
        limit = floor(learner.threshold)  # the same for votes that are whole
    X, kind = need.bits("X", X), np.float32 if exact and most < 2**24 else float
    live, weights = np.arange(d), learner.weights.astype(kind)

    def suspects(a: int, b: int) -> np.ndarray:
        active = X[a:b] if len(live) == d else X[a:b].take(live, axis=1)
        votes = active.astype(kind) @ weights
        errs = (votes > limit) != y[a:b]
        if not exact:
            errs |= abs(votes - limit) <= 4 * d * EPS * (votes + abs(limit))
        return errs

    def judge(t: int) -> bool:
        nonlocal live, weights
        errs = exact or learner.predict(X[t]) != y[t]
        if errs:
            learner.update(X[t], y[t], 1 - y[t])
            live = np.flatnonzero(~learner.eliminated)
            weights = learner.weights[live].astype(kind)
        return errs

    certain = _look_ahead((rounds, d), suspects)
    mistakes = _play(rounds, need.count("epochs", epochs), certain, judge)
    return Learned(mistakes, learner.weights)
