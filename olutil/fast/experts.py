"""Weighted Majority and its randomized form on whole streams."""

from collections.abc import Iterator
from fractions import Fraction
from math import log
from typing import Any, NamedTuple

import numpy as np

from olutil._arguments import bits, broadcast, invalid, number
from olutil.experts import WeightedMajority

# Weights are computed anew from the counts after so many rounds, which fit into a byte,
# or sooner if the best one might have grown by this factor.
MAX_ROUNDS, MAX_GROWTH = 64, 1e100
# A share of the weight this near one half is left to the readable learner.
CLOSE = 1e-9
# A stream is cut into segments, of which one round together has so many entries: a
# core's cache holds them.  Fewer segments than this are not worth the copy.
CACHED, MIN_SEGMENTS = 2**15, 6
# From so many experts on rounds are packed in bytes, unless beta is smaller than this:
# the weight of an expert that erred 16 times must not vanish beside the others'.
MANY_EXPERTS, MIN_BETA = 2**13, 0.03
# How many experts are packed at a time.
PART = 2**16


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
        for rounding: about 1e-16 a round, and 1e-12 of the value, at any horizon.

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
    >>> expected = randomized_mistakes([[0, 1], [0, 1]], [1, 1], beta=0.5)
    >>> round(float(expected), 6)  # 1/2 + 1/3
    0.833333
    """
    beta, advice, outcomes = _checked(beta, advice, outcomes)
    *batch, n = advice.shape[1:]
    if not batch and n >= MANY_EXPERTS and beta >= MIN_BETA:
        return _packed_mistakes(advice, outcomes, beta)
    streams = _side_by_side(advice, outcomes)
    expected = np.zeros(streams.counts.shape[1])
    for share, _ in _shares(streams, beta):
        expected += share
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
    beta, advice, outcomes = _checked(beta, advice, outcomes)
    *batch, n = advice.shape[1:]
    judge = WeightedMajority(n, beta=beta, tie=tie)
    streams = _side_by_side(advice, outcomes)
    mistakes = np.zeros(streams.counts.shape[1], dtype=int)
    for t, (share, recent) in enumerate(_shares(streams, beta)):
        errs = share > 0.5
        close = np.flatnonzero(abs(share - 0.5) <= CLOSE)
        if close.size:
            judge.counts = (streams.counts[:, close] - recent[:, close]).T
            vote = judge.predict(streams.advice[t][:, close].T)
            errs[close] = vote != streams.outcomes[t, 0, close]
        mistakes += errs
    return mistakes.reshape(-1, *batch).sum(axis=0)[()]


def _checked(beta: Any, advice: Any, outcomes: Any) -> tuple:
    expected = "a float in [0, 1) (for exact Fractions use the learners of experts)"
    if isinstance(beta, Fraction):
        raise invalid("beta", expected, beta)
    beta = float(number("beta", beta, expected, lambda v: 0 <= v < 1))
    advice = bits("advice", advice).astype(bool, copy=False)
    outcomes = bits("outcomes", outcomes).astype(bool, copy=False)
    if advice.ndim < 2 or advice.shape[-1] == 0:
        raise invalid("advice", "rounds by experts, one at least", advice.shape)
    return beta, advice, broadcast("outcomes", outcomes, advice.shape[:-1], wider=False)


# ---------------------------------------------------------------- streams side by side


class _Streams(NamedTuple):
    """Streams to be played at once, each contiguous in memory along the last axis."""

    advice: np.ndarray  # bool, (S, N, R)
    outcomes: np.ndarray  # bool, (S, 1, R)
    counts: np.ndarray  # int, (N, R): mistakes up to now, less the rounds played


def _side_by_side(advice: np.ndarray, outcomes: np.ndarray) -> _Streams:
    """The streams of a batch, or the segments of a few long streams."""
    rounds, *batch, n = advice.shape
    size = int(np.prod(batch))
    advice = np.ascontiguousarray(np.moveaxis(advice, -1, 1)).reshape(rounds, n, size)
    outcomes = outcomes.reshape(rounds, 1, size)
    segments = min(CACHED // (n * size or 1), rounds // MAX_ROUNDS)
    if segments < MIN_SEGMENTS:
        return _Streams(advice, outcomes, np.zeros((n, size), dtype=int))
    advice, outcomes = _cut(advice, segments), _cut(outcomes, segments)
    sums = (advice != outcomes).sum(axis=0).reshape(n, segments, size)
    counts = (sums.cumsum(axis=1) - sums).reshape(n, -1)
    return _Streams(advice, outcomes, counts)


def _cut(stream: np.ndarray, segments: int) -> np.ndarray:
    """Segments of a stream of shape (T, n, R), side by side: (S, n, segments * R).

    The last ones are filled up with zeros, rounds in which no expert errs.
    """
    rounds, *shape = stream.shape
    length = -(-rounds // segments)
    parts = np.zeros((segments * length, *shape), dtype=bool)
    parts[:rounds] = stream
    parts = parts.reshape(segments, length, *shape).transpose(1, 2, 0, 3)
    return np.ascontiguousarray(parts).reshape(length, shape[0], -1)


def _shares(streams: _Streams, beta: float) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Yield, for each round, the share of the weight that errs and the recent rights.

    The first has shape (R,).  The second, of shape (N, R), says in how many rounds each
    expert was right since ``streams.counts`` was last brought up to date; subtract it
    from there to have the counts before this round.

    Counts and weights are brought up to date once a block.  Within a block the weights
    of the experts that are right grow by the factor 1 / beta, which comes to the same
    as shrinking the others: a sum that only grows keeps its precision, so its growth
    can be added to it, and a round takes one sum instead of two.
    """
    advice, outcomes, counts = streams
    block = max(1, int(min(MAX_ROUNDS, log(MAX_GROWTH) / -log(beta)))) if beta else 1
    gain = 1 / beta - 1 if block > 1 else 0.0
    ladder = _ladder(beta, int(counts.max(initial=0)) + len(advice))
    kept = np.empty(counts.shape)
    for first in range(0, len(advice), block):
        w = ladder.take(counts - counts.min(axis=0), mode="clip")
        total = w.sum(axis=0)
        recent = np.zeros(counts.shape, dtype=np.uint8)
        for t in range(first, min(first + block, len(advice))):
            right = advice[t] == outcomes[t]
            np.copyto(kept, right)
            kept *= w
            sums = np.add.reduce(kept, axis=0)
            yield 1 - sums / total, recent
            if gain != 1:
                kept *= gain
                sums *= gain
            w += kept
            total += sums
            recent += right
        counts -= recent


def _ladder(beta: float, rounds: int) -> np.ndarray:
    """The powers of beta up to the T-th, or to one too small to count beside 1."""
    lowest = log(np.finfo(float).tiny) / log(beta) if beta else 1
    return beta ** np.arange(min(int(lowest), rounds) + 1.0)


# ---------------------------------------------------------------- many experts


def _packed_mistakes(advice: np.ndarray, outcomes: np.ndarray, beta: float) -> float:
    """Expected mistakes on one stream of many experts, 8 or 16 rounds at a time.

    The outcomes of eight rounds for an expert, right or wrong, are a byte; one byte, or
    two with many experts, are a word.  The experts with the same word are handled as
    one: their weights are summed up.  From these sums follow, for each byte of a word,
    the sums of the weights before its first round, and from those 256 sums the shares
    of its eight rounds.
    """
    rounds, n = advice.shape
    ladder = _ladder(beta, rounds)
    byte = np.arange(256)
    after = beta ** np.bitwise_count(byte).astype(float)
    bits = byte[:, None] >> np.arange(8) & 1
    before = beta ** (bits.cumsum(axis=1) - bits).astype(float)
    erring = before * bits
    counts = np.zeros(n, dtype=np.uint32)  # of mistakes, beyond those of the best
    size = 2 if n >= PART else 1  # bytes a word: 256**2 sums pay if experts are more
    # These are allocated once: to do so for each part would cost as much as the sums.
    pairs = np.zeros((min(n, PART), size), dtype=np.uint8)
    bins, weights = np.zeros(len(pairs), dtype=np.intp), np.zeros(len(pairs))
    least, expected = 0, 0.0
    for first in range(0, rounds, 8 * size):
        sums, lowest = np.zeros(256**size), rounds
        for at in range(0, n, PART):
            part = slice(at, at + PART)
            behind = counts[part]
            behind -= least
            here = slice(len(behind))
            pair = pairs[here]
            for k in range(size):
                now = slice(first + 8 * k, first + 8 * k + 8)
                pair[:, k] = _packed(advice[now, part], outcomes[now])
            words = pair.view(f"<u{size}")[:, 0]
            bins[here] = words
            ladder.take(behind, mode="clip", out=weights[here])
            sums += np.bincount(bins[here], weights[here], 256**size)
            behind += np.bitwise_count(words)
            lowest = min(lowest, int(behind.min()))
        least = lowest
        # Rounds missing from the last word count as rounds in which nobody errs.
        table = sums.reshape(-1, 256)  # rows for the second byte, columns for the first
        for half in (table.sum(axis=0), table @ after)[:size]:
            expected += float(((half @ erring) / (half @ before)).sum())
    return expected


def _packed(advice: np.ndarray, outcomes: np.ndarray) -> np.ndarray:
    """Who errs in up to eight rounds: one byte an expert, round 1 its lowest bit."""
    packed = np.zeros(advice.shape[1], dtype=np.uint8)
    for says in advice.view(np.uint8)[::-1]:
        packed += packed
        packed |= says
    if len(outcomes):
        packed ^= np.packbits(outcomes, bitorder="little")
    return packed
