"""Fast twins of the readable learners: the same mistakes, in less time.

Each function plays a whole stream that is known beforehand, and returns what the
learner of the same name would count.  They rest on four ideas.

1. *Streams side by side.*  The experts are the outer axis in memory and the streams the
   inner one, so that numpy adds long rows.  One long stream is cut into segments, which
   are streams too: an expert's count at the start of each is known from the losses.
2. *Rounds at a time.*  Eight rounds of an expert are one byte, and all experts with the
   same byte are handled as one (`randomized_mistakes`, for many experts).
3. *Looking ahead.*  A conservative learner changes only at a mistake: score many rounds
   with the current weights and go to the first one that errs (`perceptron`, `winnow`).
   In the same manner fictitious play goes from switch to switch.
4. *Sets as bits.*  A version space has one bit a concept, 64 to a word (`halving`).

The state is what the readable learner keeps: counts of mistakes.  Floating-point
weights are made anew from the counts every few rounds, so no total drifts and no weight
is lost for good.  Where rounding might decide, the readable learner does.
"""

from collections.abc import Callable, Iterator
from fractions import Fraction
from math import floor, lcm, log
from typing import Any, NamedTuple

import numpy as np

from olutil._border import (
    array_of,
    count,
    indices,
    labels,
    number,
    numbers,
    one_of,
    wrong,
)
from olutil._border import table as concept_table
from olutil.experts import WeightedMajority
from olutil.games import Game
from olutil.linear import SIGN, Winnow

# Weights are made anew from the counts before the best one can have fallen this far.
FALL, LONGEST = 1e-6, 64
# Shares this near one half are left to the readable learner.
DOUBT = 1e-9
# Elements of a batch that a core's cache holds beside their products.
WIDTH = 2**15
# From here on experts are counted byte by byte, in pieces of WIDTH.
MANY, LEAST_BETA = 2**13, 1e-3
# Entries of the inputs to score ahead: as many as one call costs, and a cache holds.
NEAR, FAR = 2**13, 2**18
ROUNDING = np.finfo(float).eps


# ---------------------------------------------------------------- experts


def randomized_mistakes(advice: Any, outcomes: Any, *, beta: float) -> Any:
    """The expected mistakes of Randomized Weighted Majority on whole streams.

    Parameters
    ----------
    advice : array_like of 0/1, shape (T, ..., N)
        Quickest with the streams innermost in memory: made with shape (T, N, R) and
        handed over as ``advice.swapaxes(1, 2)``.
    outcomes : array_like of 0/1, broadcasting to shape (T, ...)
    beta : float
        The factor for an expert that was wrong, in [0, 1).

    Returns
    -------
    float or ndarray, shape (...)
        What `olutil.experts.RandomizedWeightedMajority` without ``rng`` sums up to, but
        for the rounding of sums: about 1e-12 of the value, at any horizon.

    Raises
    ------
    ValueError
        If an argument is out of range, or ``beta`` a Fraction: exact runs are the
        readable learner's.

    Notes
    -----
    COS 511, section 1.2.  An update does not depend on predictions, so the counts at
    the start of any segment of a stream are sums of losses, and its segments can be
    played side by side.

    Examples
    --------
    >>> float(randomized_mistakes([[0, 1], [0, 1]], [1, 1], beta=0.5))  # 1/2 + 1/3
    0.8333333333333333
    """
    beta = _float_beta(beta)
    advice, outcomes = _streams(advice, outcomes)
    rounds, *batch, n = advice.shape
    if advice.ndim == 2 and n >= MANY and beta >= LEAST_BETA:
        return _many(advice, outcomes, beta)
    losses = _experts_outermost(advice, outcomes)
    losses, counts = _side_by_side(losses)
    expected = np.zeros(counts.shape[1:])
    for lost, total, _ in _weights(losses, counts, beta):
        expected += lost / total
    return expected.reshape(-1, *batch).sum(axis=0)[()]


def majority_mistakes(advice: Any, outcomes: Any, *, beta: float, tie: int = 0) -> Any:
    """The mistakes of Weighted Majority on whole streams.

    Parameters
    ----------
    advice : array_like of 0/1, shape (T, ..., N)
        As for `randomized_mistakes`.
    outcomes : array_like of 0/1, broadcasting to shape (T, ...)
    beta : float
        The factor for an expert that was wrong, in [0, 1).
    tie : {0, 1}
        The prediction when both sides weigh the same.

    Returns
    -------
    int or ndarray of int, shape (...)
        Exactly the mistakes of `olutil.experts.WeightedMajority`, which decides where
        the two sides are too close for floating-point sums.

    Raises
    ------
    ValueError
        If an argument is out of range, or ``beta`` a Fraction.

    Notes
    -----
    COS 511, box in the introduction.  It errs where the share of the weight that errs,
    the chance of a mistake of Randomized Weighted Majority, is above one half.

    Examples
    --------
    >>> int(majority_mistakes([[0, 1], [0, 1]], [1, 1], beta=0.5))
    1
    """
    beta = _float_beta(beta)
    advice, outcomes = _streams(advice, outcomes)
    rounds, *batch, n = advice.shape
    judge = WeightedMajority(n, beta=beta, tie=tie)
    losses, counts = _side_by_side(_experts_outermost(advice, outcomes))
    said, _ = _side_by_side(_experts_outermost(advice, np.zeros_like(outcomes)))
    mistakes = np.zeros(counts.shape[1:], dtype=int)
    for t, (lost, total, now) in enumerate(_weights(losses, counts, beta)):
        errs = 2 * lost > total
        close = np.flatnonzero(abs(2 * lost - total) <= DOUBT * total)
        if close.size:
            judge.counts = now(close).T
            vote = judge.predict(said[t][:, close].T)
            # The outcome is what an expert said, turned round if it was wrong.
            errs[close] = vote != (said[t][0, close] ^ losses[t][0, close])
        mistakes += errs
    return mistakes.reshape(-1, *batch).sum(axis=0)[()]


def _float_beta(beta: Any) -> float:
    expected = "a float in [0, 1) (for exact Fractions use the learners of experts)"
    if isinstance(beta, Fraction):
        raise wrong("beta", expected, beta)
    return float(number("beta", beta, expected, lambda v: 0 <= v < 1))


def _bits(name: str, values: Any) -> np.ndarray:
    """Return ``values`` if all are 0 or 1."""
    array = array_of(name, values)
    if array.dtype.kind in "biu":
        good = not array.size or (array.min() >= 0 and array.max() <= 1)
    else:
        good = np.all((array == 0) | (array == 1))
    if not good:
        raise wrong(name, "labels 0 or 1", array[(array != 0) & (array != 1)].flat[0])
    return array


def _streams(advice: Any, outcomes: Any) -> tuple[np.ndarray, np.ndarray]:
    advice, outcomes = _bits("advice", advice), _bits("outcomes", outcomes)
    if advice.ndim < 2 or advice.shape[-1] == 0:
        raise wrong("advice", "rounds by experts, one at least", advice.shape)
    try:
        return advice, np.broadcast_to(outcomes, advice.shape[:-1])
    except ValueError:
        raise wrong(
            "outcomes", f"a shape that broadcasts to {advice.shape[:-1]}",
            f"shape {outcomes.shape}",
        ) from None  # fmt: skip


def _experts_outermost(advice: np.ndarray, outcomes: np.ndarray) -> np.ndarray:
    """Which expert errs, shape (T, N, streams), in memory too."""
    rounds, n = len(advice), advice.shape[-1]
    streams = outcomes.size // rounds if rounds else int(np.prod(advice.shape[1:-1]))
    errs = np.empty((rounds, n, streams), dtype=bool)
    advice = np.moveaxis(advice, -1, 1).reshape(errs.shape)
    return np.not_equal(advice, outcomes.reshape(rounds, 1, streams), out=errs)


def _side_by_side(losses: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Cut streams into segments, if they are few: (S, N, streams'), and their counts.

    The last segments are filled up with rounds in which no expert errs.
    """
    rounds, n, streams = losses.shape
    segments = min(WIDTH // (n * streams or 1), rounds // LONGEST)
    if segments < 2:
        return losses, np.zeros((n, streams), dtype=int)
    length = -(-rounds // segments)
    parts = np.zeros((segments, length, n, streams), dtype=bool)
    parts.reshape(-1, n, streams)[:rounds] = losses
    wide = np.ascontiguousarray(parts.transpose(1, 2, 0, 3))
    sums = wide.sum(axis=0)
    counts = sums.cumsum(axis=1) - sums
    return wide.reshape(length, n, -1), counts.reshape(n, -1)


def _weights(losses: np.ndarray, counts: np.ndarray, beta: float) -> Iterator[tuple]:
    """Yield each round's weight that errs, the total, and how to get the counts.

    Parameters
    ----------
    losses : ndarray of bool, shape (T, N, R)
    counts : ndarray of int, shape (N, R)
        The experts' mistakes before the first round.
    beta : float
    """
    block = max(1, int(min(LONGEST, log(FALL) / log(beta)))) if beta else 1
    ladder = _ladder(beta, int(counts.max(initial=0)) + len(losses))
    lost = np.empty(counts.shape)
    for first in range(0, len(losses), block):
        part = losses[first : first + block]
        w = ladder.take(counts - counts.min(axis=0), mode="clip")
        for t, loss in enumerate(part):
            np.multiply(w, loss, out=lost)

            def now(streams, part=part, t=t, counts=counts):
                return counts[:, streams] + part[:t, :, streams].sum(axis=0)

            yield lost.sum(axis=0), w.sum(axis=0), now
            lost *= 1 - beta
            w -= lost
        # No block is longer than a byte can count.
        counts = counts + part.sum(axis=0, dtype=np.uint8)


def _ladder(beta: float, rounds: int) -> np.ndarray:
    """The powers of beta, up to one of no weight beside the best expert's, or to T."""
    lowest = log(np.finfo(float).tiny) / log(beta) if beta else 1
    return beta ** np.arange(min(int(lowest), rounds) + 1.0)


def _many(advice: np.ndarray, outcomes: np.ndarray, beta: float) -> float:
    """Expected mistakes on one stream of many experts, eight rounds at a time.

    Rounds 8 k, ..., 8 k + 7 of an expert are a byte.  The weights of all experts with
    the same byte have one sum, and these 256 sums give the shares of eight rounds.
    """
    rounds, n = advice.shape
    ladder = _ladder(beta, rounds)
    byte = np.arange(256)[:, None]
    before = beta ** np.bitwise_count(byte & (2 ** np.arange(8) - 1)).astype(float)
    erring = before * (byte >> np.arange(8) & 1)
    counts = np.zeros(n, dtype=np.uint32)
    least, expected = 0, 0.0
    for first in range(0, rounds, 8):
        now, sums, lowest = slice(first, first + 8), np.zeros(256), rounds
        for at in range(0, n, WIDTH):
            piece = counts[at : at + WIDTH]
            packed = _packed(advice[now, at : at + WIDTH], outcomes[now])
            steps = np.subtract(piece, least, dtype=np.intp)
            sums += np.bincount(packed, ladder.take(steps, mode="clip"), 256)
            piece += np.bitwise_count(packed)
            lowest = min(lowest, int(piece.min()))
        least = lowest
        # Rounds that are missing from the last byte are rounds without a loss.
        expected += float(((sums @ erring) / (sums @ before)).sum())
    return expected


def _packed(advice: np.ndarray, outcomes: np.ndarray) -> np.ndarray:
    """Who errs in up to eight rounds: one byte an expert, round 1 its lowest bit."""
    packed = np.zeros(advice.shape[1], dtype=np.uint8)
    for says in advice.astype(bool, copy=False).view(np.uint8)[::-1]:
        packed += packed
        packed |= says
    packed ^= np.packbits(outcomes.astype(bool, copy=False), bitorder="little")
    return packed


# ---------------------------------------------------------------- conservative learners


class Learned(NamedTuple):
    """What a conservative learner has done on a stream."""

    mistakes: np.ndarray  #: The rounds in which it erred, counted from 0 on.
    weights: np.ndarray  #: The last weights, shape (d,).


def _conservative(
    shape: tuple[int, int], epochs: int, suspects: Callable, learn: Callable
) -> np.ndarray:
    """Play a learner that changes only at mistakes: the rounds in which it errs.

    Parameters
    ----------
    shape : (int, int)
        The stream is so many rounds of so many entries.
    epochs : int
        It is played so many times over.
    suspects : callable
        ``suspects(a, b)``: in which of the rounds a, ..., b - 1 it might err as it is
        now, as booleans; all where it errs must be among them.
    learn : callable
        ``learn(t)`` says whether it errs in round t, and if so learns from that.
    """
    rounds, entries = shape
    near, far = max(NEAR // entries, 8), max(FAR // entries, 64)
    mistakes, gap, ahead = [], 0, near
    for epoch in range(epochs):
        at = 0
        while at < rounds:
            stop = min(at + ahead, rounds)
            for t in (at + suspects(at, stop).nonzero()[0]).tolist():
                if learn(t):
                    mistakes.append(epoch * rounds + t)
                    # The next mistake is about as far off as this one was.
                    at, gap, ahead = t + 1, 0, min(max(near, gap + t - at), far)
                    break
            else:
                at, gap, ahead = stop, gap + stop - at, min(2 * ahead, far)
    return np.array(mistakes, dtype=int)


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
        If an argument is out of range, among them Fractions, and whole numbers so large
        that doubles might not hold their sums.

    Notes
    -----
    Kakade, Algorithm 2.  Sums of whole numbers are exact.  Otherwise two orders of
    summation differ by at most ``2 d eps |w| |x|``, and as in the proof of Theorem 4.1
    ``|w|**2`` is at most the sum of ``|x|**2`` over the mistakes; a score that is
    nearer to 0 is computed once more, as the readable learner does it.

    Examples
    --------
    >>> perceptron([[1, 2], [2, 1], [1, 2]], [1, -1, 1]).mistakes
    array([0, 1])
    """
    X = _doubles("X", X)
    if X.ndim != 2 or X.shape[1] == 0:
        raise wrong("X", "rounds by features", f"shape {X.shape}")
    return _perceptron(_Dense(X, epochs), y, X.shape, epochs, zero)


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
    d = count("d", d)
    indptr, data = array_of("indptr", indptr), _doubles("data", data)
    columns = _columns("indices", indices, d)
    good = indptr.ndim == 1 and indptr.dtype.kind in "iu" and indptr.size
    if not (good and indptr[0] == 0 and np.all(indptr[1:] >= indptr[:-1])):
        raise wrong("indptr", "whole numbers that do not fall, from 0 on", indptr)
    if data.ndim != 1 or not indptr[-1] == len(data) == len(columns):
        raise wrong("data, indices", f"{indptr[-1]} entries each, as indptr has it",
                    (data.shape, columns.shape))  # fmt: skip
    rows = _Sparse(indptr.astype(np.intp), columns, data, d)
    return _perceptron(rows, y, (len(indptr) - 1, d), epochs, zero)


def _columns(name: str, values: Any, d: int) -> np.ndarray:
    return indices(name, values, d).astype(np.intp, copy=False).ravel()


def _doubles(name: str, values: Any) -> np.ndarray:
    array = array_of(name, values)
    if array.dtype.kind == "f":
        return array.astype(float, copy=False)  # finite, if its squares are
    array = numbers(name, array)
    if array.dtype == object:
        raise wrong(name, "numbers that doubles hold", values)
    return array.astype(float)


class _Dense:
    """Rows of an array."""

    def __init__(self, X: np.ndarray, epochs: int):
        self.X = self.screen = self.entries = X
        self.squares = np.einsum("td,td->t", X, X)
        # Half the memory to read, where that pays and single precision has the range.
        if epochs > 2 and 1e-30 < self.squares.max(initial=0) < 1e30:
            self.screen = X.astype(np.float32)

    def scores(self, w: np.ndarray, a: int, b: int) -> np.ndarray:
        """Roughly: to the precision of ``screen``."""
        return self.screen[a:b] @ w.astype(self.screen.dtype)

    def score(self, w: np.ndarray, t: int, close: float) -> float:
        """One score: if it is close to 0, as the readable learner adds it up."""
        score = w.dot(self.X[t])
        return score if abs(score) > close else (w * self.X[t]).sum()

    def add(self, w: np.ndarray, t: int, y: int) -> None:
        w += y * self.X[t]


class _Sparse:
    """Compressed sparse rows."""

    def __init__(self, indptr, indices, data, d):
        self.indptr, self.indices, self.d = indptr, indices, d
        self.screen = self.entries = data
        # A repeated index may add up to more: (a + b)**2 <= 2 (a**2 + b**2), and so on.
        self.squares = self._sums(data * data, 0, len(indptr) - 1) * self._repeated()

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
            # (Of an empty row, reduceat would return the entry that follows.)
            sums[full] = np.add.reduceat(values, starts[full] - self.indptr[a])
        return sums

    def scores(self, w: np.ndarray, a: int, b: int) -> np.ndarray:
        part = slice(self.indptr[a], self.indptr[b])
        return self._sums(w.take(self.indices[part]) * self.entries[part], a, b)

    def score(self, w: np.ndarray, t: int, close: float) -> float:
        """One score: if it is close to 0, as the readable learner adds it up."""
        part = slice(self.indptr[t], self.indptr[t + 1])
        products = w.take(self.indices[part]) * self.entries[part]
        if abs(products.sum()) > close or not (close and products.any()):
            return products.sum()
        x = np.zeros(self.d)
        self.add(x, t, 1)
        return (w * x).sum()

    def add(self, w: np.ndarray, t: int, y: int) -> None:
        part = slice(self.indptr[t], self.indptr[t + 1])
        # Not ``w[indices] += values``, which keeps one of the repeated indices.
        np.add.at(w, self.indices[part], y * self.entries[part])


def _perceptron(rows: Any, y: Any, shape: tuple, epochs: int, zero: int) -> Learned:
    rounds, d = shape
    y = labels("y", y, SIGN)
    if y.shape != (rounds,):
        raise wrong("y", f"{rounds} labels, one a round", f"shape {y.shape}")
    epochs, zero = count("epochs", epochs), one_of("zero", zero, (0, 1, -1))
    largest = float(rows.squares.max(initial=0))
    exact = _whole(rows.entries)
    if not largest < np.inf or (exact and largest * rounds * epochs >= 1 / ROUNDING):
        raise wrong("X", "numbers whose products and sums doubles hold", largest)
    kind = rows.screen.dtype
    w, signs = np.zeros(d), y.astype(kind)
    size = 0.0  # at least the square of the length of w
    close = doubtful = 0.0  # what may be 0 in double precision, and in the screen's

    def suspects(a: int, b: int) -> np.ndarray:
        return rows.scores(w, a, b) * signs[a:b] <= doubtful

    def learn(t: int) -> bool:
        nonlocal size, close, doubtful
        score = rows.score(w, t, close)
        says = zero if score == 0 else 1 if score > 0 else -1
        if says == y[t]:
            return False
        rows.add(w, t, y[t])
        size += float(rows.squares[t])
        doubtful = 4 * d * float(np.finfo(kind).eps) * (largest * size) ** 0.5
        close = 4 * d * ROUNDING * (largest * size) ** 0.5
        if exact:
            close, doubtful = 0.0, doubtful if kind == np.float32 else 0.0
        return True

    entries = max(1, rows.entries.size // max(rounds, 1))
    return Learned(_conservative((rounds, entries), epochs, suspects, learn), w)


def _whole(values: np.ndarray) -> bool:
    """Whether all numbers are whole; most arrays that fail do so early."""
    flat = values.ravel()
    pieces = (flat[at : at + WIDTH] for at in range(0, flat.size, WIDTH))
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
    X = array_of("X", X)
    if X.ndim != 2 or X.shape[1] == 0:
        raise wrong("X", "rounds by features", f"shape {X.shape}")
    rounds, d = X.shape
    if isinstance(factor, Fraction):
        raise wrong("factor", "a float or whole number", factor)
    learner = Winnow(d, threshold=threshold, factor=factor, demote=demote)
    limit = float(learner.threshold)
    if abs(limit) > 1e100 or factor > 1e100:
        raise wrong("threshold, factor", "at most 1e100", (threshold, factor))
    y = labels("y", y, (0, 1))
    if y.shape != (rounds,):
        raise wrong("y", f"{rounds} labels, one a round", f"shape {y.shape}")
    most = d * max(2 * limit, 1)
    exact = demote == "eliminate" and factor == 2 and most < 1 / ROUNDING
    if exact:
        limit = floor(learner.threshold)  # the same for votes that are whole
    X, kind = _bits("X", X), np.float32 if exact and most < 2**24 else float
    live, weights = np.arange(d), learner.weights.astype(kind)

    def suspects(a: int, b: int) -> np.ndarray:
        active = X[a:b] if len(live) == d else X[a:b].take(live, axis=1)
        votes = active.astype(kind) @ weights
        errs = (votes > limit) != y[a:b]
        if not exact:
            errs |= abs(votes - limit) <= 4 * d * ROUNDING * (votes + abs(limit))
        return errs

    def learn(t: int) -> bool:
        nonlocal live, weights
        errs = exact or learner.predict(X[t]) != y[t]
        if errs:
            learner.update(X[t], y[t], 1 - y[t])
            live = np.flatnonzero(~learner.eliminated)
            weights = learner.weights[live].astype(kind)
        return errs

    mistakes = _conservative(X.shape, count("epochs", epochs), suspects, learn)
    return Learned(mistakes, learner.weights)


# ---------------------------------------------------------------- version spaces


def concept_sets(C: Any) -> np.ndarray:
    """For every point of a class, the set of the concepts that are 1 there.

    Parameters
    ----------
    C : array_like of 0/1, shape (concepts, points)

    Returns
    -------
    ndarray of uint64, shape (points, words)
        One bit a concept.

    Examples
    --------
    >>> concept_sets([[1, 0], [1, 1]])
    array([[3],
           [2]], dtype=uint64)
    """
    columns = concept_table("C", C).T.astype(bool)
    padded = np.zeros((len(columns), -(-columns.shape[1] // 64) * 64), dtype=bool)
    padded[:, : columns.shape[1]] = columns
    return np.packbits(padded, axis=1, bitorder="little").view("<u8").astype(np.uint64)


def halving(sets: Any, concepts: int, points: Any, y: Any, *, tie: int = 1) -> int:
    """The mistakes of Halving, its version space a string of bits.

    Parameters
    ----------
    sets : ndarray of uint64, shape (points, words)
        For every point the set of concepts that are 1 there: see `concept_sets`.
    concepts : int
        How many concepts there are.
    points : array_like of int, shape (T,)
        The point of each round.
    y : array_like of 0/1, shape (T,)
    tie : {0, 1}
        The prediction when both sides are equally many.

    Returns
    -------
    int
        Exactly the mistakes of `olutil.concepts.Halving`.

    Raises
    ------
    ValueError
        If an argument is out of range.

    Notes
    -----
    Kakade, Algorithm 1.  One ``&`` and one count of bits a round handle 64 concepts at
    a time.

    Examples
    --------
    >>> halving(concept_sets([[1, 0], [0, 1]]), 2, [0, 1], [0, 1])
    1
    """
    size, tie = count("concepts", concepts), one_of("tie", tie, (0, 1))
    if sets.dtype != np.uint64 or sets.ndim != 2 or sets.shape[1] != -(-size // 64):
        raise wrong("sets", f"sets of {size} concepts", (sets.dtype, sets.shape))
    points, y = indices("points", points, len(sets)), labels("y", y, (0, 1))
    if points.ndim != 1 or points.shape != y.shape:
        raise wrong("points, y", "two lists of one length", (points.shape, y.shape))
    # Bits beyond the last concept are in no set, and so never counted.
    alive, mistakes = np.full(sets.shape[1], ~np.uint64(0)), 0
    for point, label in zip(points.tolist(), y.tolist(), strict=True):
        ones = alive & sets[point]
        many = int(np.bitwise_count(ones).sum(dtype=np.uint32))
        says = tie if 2 * many == size else int(2 * many > size)
        mistakes += says != label
        alive, size = (ones, many) if label else (alive ^ ones, size - many)
    return mistakes


# ---------------------------------------------------------------- games


def fictitious_play_counts(
    game: Game, kappa_1: Any, kappa_2: Any, rounds: int
) -> tuple[np.ndarray, np.ndarray]:
    """How often each action is played in fictitious play, from switch to switch.

    Parameters
    ----------
    game : Game
        With whole or Fraction payoffs.
    kappa_1, kappa_2 : array_like of int or Fraction
        The initial weights, as for `olutil.games.fictitious_play`.
    rounds : int
        At least 0.

    Returns
    -------
    rows, columns : ndarray of int
        Exactly the counts of `olutil.games.fictitious_play` after so many rounds.

    Raises
    ------
    ValueError
        If an argument is out of range, or a number neither whole nor a Fraction: sums
        of floats depend on their order.

    Notes
    -----
    Das, slides 29-31.  While neither best response changes, each round adds the same
    to the payoffs; the first round in which another action is better is a division.

    Examples
    --------
    >>> from olutil.games import MATCHING_PENNIES
    >>> rows, columns = fictitious_play_counts(MATCHING_PENNIES, [1, 2], [2, 1], 100)
    >>> int(rows[0]), int(columns[0])
    (45, 48)
    """
    A, B = (_exact_numbers("game", matrix) for matrix in game)
    kappa_1 = _initial("kappa_1", kappa_1, A.shape[1])
    kappa_2 = _initial("kappa_2", kappa_2, A.shape[0])
    left = count("rounds", rounds, least=0)
    A, for_rows = _multiples(A, A @ kappa_1, left)
    B, for_columns = _multiples(B, kappa_2 @ B, left)
    rows, columns = np.zeros(A.shape[0], int), np.zeros(A.shape[1], int)
    while left:
        row, column = int(for_rows.argmax()), int(for_columns.argmax())
        run = min(
            left, _run(for_rows, A[:, column], row), _run(for_columns, B[row], column)
        )
        rows[row] += run
        columns[column] += run
        for_rows = for_rows + run * A[:, column]
        for_columns = for_columns + run * B[row]
        left -= run
    return rows, columns


def _multiples(
    payoffs: np.ndarray, values: np.ndarray, rounds: int
) -> tuple[np.ndarray, np.ndarray]:
    """Both times a common denominator: as integers, Python's if need be."""
    numbers = [*payoffs.ravel().tolist(), *values.tolist()]
    scale = lcm(*(v.denominator for v in numbers))
    numbers = [int(v * scale) for v in numbers]
    few = max(map(abs, numbers)) * (rounds + 1) < 2**61
    table = np.array(numbers, dtype=np.int64 if few else object)
    return table[: payoffs.size].reshape(payoffs.shape), table[payoffs.size :]


def _run(values: np.ndarray, gains: np.ndarray, best: int) -> Any:
    """For how many rounds the action that is best now stays the first best one."""
    rates = gains - gains[best]
    rivals = np.flatnonzero(rates > 0)
    if not rivals.size:
        return np.inf
    gaps, rates = values[best] - values[rivals], rates[rivals]
    # A rival that stands first wins a tie; one that stands after must be better.
    return int(np.where(rivals < best, -(-gaps // rates), gaps // rates + 1).min())


def _exact_numbers(name: str, values: Any) -> np.ndarray:
    array = numbers(name, array_of(name, values))
    if array.dtype.kind == "f" or any(isinstance(v, float) for v in array.flat):
        raise wrong(name, "whole numbers or Fractions", array)
    return array


def _initial(name: str, kappa: Any, size: int) -> np.ndarray:
    kappa = _exact_numbers(name, kappa)
    if kappa.shape != (size,) or np.any(kappa < 0) or not np.any(kappa > 0):
        raise wrong(name, f"{size} weights of at least 0, not all 0", kappa)
    return kappa
