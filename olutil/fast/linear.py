"""The Perceptron and Winnow on whole streams, from mistake to mistake."""

from collections.abc import Callable
from fractions import Fraction
from math import floor
from typing import Any, NamedTuple

import numpy as np

from olutil import _arguments as need
from olutil._arguments import SIGN
from olutil._exact_sums import TINY, inner
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


def _play_conservative(
    shape: tuple[int, int], epochs: int, suspects: Callable, learn: Callable
) -> np.ndarray:
    """Play a learner that changes only at mistakes: the rounds in which it errs.

    Parameters
    ----------
    shape : (int, int)
        How many rounds the stream has, and how many entries a round.
    epochs : int
        How often the stream is played.
    suspects : callable
        ``suspects(a, b)`` says of the rounds a, ..., b - 1, as booleans, in which of
        them the learner might err as it is now; it may say so too often, never too
        seldom.
    learn : callable
        ``learn(t)`` says whether the learner errs in round t, and if so updates it.
    """
    rounds, entries = shape
    shortest, longest = max(NEAR // entries, 8), max(FAR // entries, 64)
    mistakes, ahead = [], shortest
    right = 0  # how many rounds in a row: after a whole epoch, nothing changes any more
    for epoch in range(epochs):
        start = 0
        while start < rounds and right < rounds:
            stop = min(start + ahead, rounds)
            mistake = _first_mistake(suspects(start, stop), start, learn)
            if mistake is None:
                right += stop - start
                start, ahead = stop, min(2 * ahead, longest)
            else:
                mistakes.append(epoch * rounds + mistake)
                start, right, ahead = mistake + 1, 0, shortest
    return np.array(mistakes, dtype=int)


def _first_mistake(doubtful: np.ndarray, start: int, learn: Callable) -> int | None:
    """The first of the doubtful rounds, counted from ``start``, with a mistake."""
    (places,) = doubtful.nonzero()
    for place in places:
        t = start + int(place)
        if learn(t):
            return t
    return None


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
    return _perceptron(
        _Dense(X, need.count("epochs", epochs)), y, X.shape, epochs, zero
    )


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
    rows = _Sparse(indptr.astype(np.intp), columns, data, d)
    return _perceptron(rows, y, (len(indptr) - 1, d), epochs, zero)


def _doubles(name: str, values: Any) -> np.ndarray:
    array = need.array_of(name, values)
    if array.dtype.kind == "f":
        return array.astype(float, copy=False)  # finite, if its squares are
    array = need.numbers(name, array)
    if array.dtype == object:
        raise need.invalid(name, "numbers that doubles hold", values)
    return array.astype(float)


class _Dense:
    """Rows of an array."""

    def __init__(self, X: np.ndarray, epochs: int):
        self.X = self.screen = self.entries = X
        self.squares = np.einsum("td,td->t", X, X)
        # Single precision, where it has the range: half as much memory is read, which
        # pays from the third epoch on.
        sizes = self.squares[self.squares > 0]
        if epochs > 2 and sizes.size and 1e-30 < sizes.min() and sizes.max() < 1e30:
            self.screen = X.astype(np.float32)

    def tiny(self) -> bool:
        """Whether the square of some input, which is not 0, loses digits."""
        return bool(self.X[self.squares < TINY].any())

    def scores(self, w: np.ndarray, a: int, b: int) -> np.ndarray:
        """The scores of rounds a, ..., b - 1, to the precision of ``screen``."""
        return self.screen[a:b].dot(w.astype(self.screen.dtype))

    def score(self, w: np.ndarray, t: int, close: float) -> float:
        """One score: if it is close to 0, as the readable learner adds it up."""
        score = w.dot(self.X[t])
        return score if abs(score) > close else inner(w, self.X[t])

    def add(self, w: np.ndarray, t: int, y: int) -> None:
        if y > 0:
            w += self.X[t]
        else:
            w -= self.X[t]


class _Sparse:
    """Compressed sparse rows."""

    def __init__(self, indptr, indices, data, d):
        self.indptr, self.indices, self.d = indptr, indices, d
        self.screen = self.entries = data
        # An index that occurs m times adds m values, whose sum has a square of at most
        # m times the sum of their squares.
        with np.errstate(over="ignore"):  # which is then refused
            self.squares = self._sums(data**2, 0, len(indptr) - 1) * self._repeated()

    def _repeated(self) -> int:
        """How often an index occurs in one row, at most."""
        rows = np.repeat(np.arange(len(self.indptr) - 1), np.diff(self.indptr))
        keys = np.sort(rows * self.d + self.indices)
        if not np.any(keys[1:] == keys[:-1]):
            return 1
        return int(np.unique(keys, return_counts=True)[1].max())

    def _sums(self, values: np.ndarray, a: int, b: int) -> np.ndarray:
        """The sum of each row from the values of rows a, ..., b - 1."""
        starts, ends = self.indptr[a:b], self.indptr[a + 1 : b + 1]
        full = starts < ends
        sums = np.zeros(b - a)
        if full.any():
            # For an empty row reduceat would return the entry that follows it.
            sums[full] = np.add.reduceat(values, starts[full] - self.indptr[a])
        return sums

    def tiny(self) -> bool:
        rows = np.repeat(self.squares < TINY, np.diff(self.indptr))
        return bool(self.entries[rows].any())

    def scores(self, w: np.ndarray, a: int, b: int) -> np.ndarray:
        part = slice(self.indptr[a], self.indptr[b])
        return self._sums(w.take(self.indices[part]) * self.entries[part], a, b)

    def score(self, w: np.ndarray, t: int, close: float) -> float:
        """One score: if it is close to 0, as the readable learner adds it up."""
        part = slice(self.indptr[t], self.indptr[t + 1])
        weights = w.take(self.indices[part])
        score = (weights * self.entries[part]).sum()
        if abs(score) > close or not (close and weights.any()):
            return score
        x = np.zeros(self.d)
        self.add(x, t, 1)
        return inner(w, x)

    def add(self, w: np.ndarray, t: int, y: int) -> None:
        part = slice(self.indptr[t], self.indptr[t + 1])
        # Of repeated indices ``w[indices] += values`` would add only one value.
        np.add.at(w, self.indices[part], y * self.entries[part])


def _perceptron(rows: Any, y: Any, shape: tuple, epochs: int, zero: int) -> Learned:
    rounds, d = shape
    y = need.labels("y", y, SIGN)
    if y.shape != (rounds,):
        raise need.invalid("y", f"{rounds} labels, one a round", f"shape {y.shape}")
    epochs, zero = need.count("epochs", epochs), need.one_of("zero", zero, (0, 1, -1))
    largest = float(rows.squares.max(initial=0))
    exact = _whole(rows.entries)
    most = largest * rounds * epochs
    if rows.tiny() or not most < HUGE or (exact and most >= 1 / EPS):
        raise need.invalid("X", "numbers whose products and sums doubles hold", largest)
    kind = rows.screen.dtype
    w, signs = np.zeros(d), y.astype(kind)
    squared = 0.0  # a bound on the squared length of w
    unit = 0.0  # a score is off by at most this, times the precision that it has
    fine = 0.0 if exact else EPS
    rough = fine if kind == w.dtype else float(np.finfo(kind).eps)

    def suspects(a: int, b: int) -> np.ndarray:
        return rows.scores(w, a, b) * signs[a:b] <= unit * rough

    def learn(t: int) -> bool:
        nonlocal squared, unit
        score = rows.score(w, t, unit * fine)
        says = zero if score == 0 else 1 if score > 0 else -1
        if says == y[t]:
            return False
        rows.add(w, t, y[t])
        squared += float(rows.squares[t])
        unit = 4 * d * (largest * squared) ** 0.5
        return True

    entries = max(1, rows.entries.size // max(rounds, 1))
    return Learned(_play_conservative((rounds, entries), epochs, suspects, learn), w)


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

    def learn(t: int) -> bool:
        nonlocal live, weights
        errs = exact or learner.predict(X[t]) != y[t]
        if errs:
            learner.update(X[t], y[t], 1 - y[t])
            live = np.flatnonzero(~learner.eliminated)
            weights = learner.weights[live].astype(kind)
        return errs

    mistakes = _play_conservative(
        X.shape, need.count("epochs", epochs), suspects, learn
    )
    return Learned(mistakes, learner.weights)
