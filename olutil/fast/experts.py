"""Weighted Majority and its randomized form on whole streams."""

from collections.abc import Iterator
from fractions import Fraction
from math import log
from typing import Any, NamedTuple

import numpy as np

from olutil._arguments import bits, broadcast, invalid, number
from olutil.experts import WeightedMajority
from olutil.fast import loops

# Weights are computed anew from the counts after so many rounds, which fit into a byte,
# or sooner if the best one might have grown by this factor.
MAX_ROUNDS, MAX_GROWTH = 64, 1e100
# A share of the weight this near one half is left to the readable learner.
CLOSE = 1e-9
# A stream is cut into segments, of which one round together has so many entries: a
# core's cache holds them.  Fewer segments than this are not worth the copy.
CACHED, MIN_SEGMENTS = 2**12, 6


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
    streams = _side_by_side(advice, outcomes)
    expected = np.zeros(streams.counts.shape[1])
    for _, shares in _shares(streams, beta):
        expected += shares.sum(axis=0)
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
    for first, shares in _shares(streams, beta):
        errs = shares > 0.5
        for t, close in enumerate(abs(shares - 0.5) <= CLOSE):
            if close.any():
                advice, outcomes = (part[first:, :, close] for part in streams[:2])
                lost = (advice[:t] != outcomes[:t]).sum(axis=0)
                judge.counts = (streams.counts[:, close] + lost).T
                errs[t, close] = judge.predict(advice[t].T) != outcomes[t, 0]
        mistakes += errs.sum(axis=0)
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
    advice = loops.fixed(np.moveaxis(advice, -1, 1), bool).reshape(rounds, n, size)
    outcomes = loops.fixed(outcomes, bool).reshape(rounds, 1, size)
    segments = min(CACHED // (n * size or 1), rounds // MAX_ROUNDS)
    if segments < MIN_SEGMENTS:
        return _Streams(advice, outcomes, np.zeros((n, size), dtype=int))
    advice, outcomes = _cut(advice, segments), _cut(outcomes, segments)
    sums = (advice != outcomes).sum(axis=0, dtype=np.int32).reshape(n, segments, size)
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
    return loops.fixed(parts, bool).reshape(length, shape[0], -1)


def _shares(streams: _Streams, beta: float) -> Iterator[tuple[int, np.ndarray]]:
    """Yield the first round of a block, and its rounds' shares of the weight that errs.

    These have shape (rounds, R).  ``streams.counts`` are those before the block, less
    the same number for all experts of a stream, until the next block is asked for.

    Weights are made from the counts once a block.  Within a block the weights of the
    experts that are right grow by the factor 1 / beta, which comes to the same as
    shrinking the others: sums of what only grows keep their precision.
    """
    advice, outcomes, counts = streams
    length = max(1, int(min(MAX_ROUNDS, log(MAX_GROWTH) / -log(beta)))) if beta else 1
    gain = 1 / beta - 1 if length > 1 else 0.0
    ladder = _ladder(beta, int(counts.max(initial=0)) + len(advice))
    alone = counts.shape[1] == 1  # one stream, whose experts then lie side by side
    loop = loops.compiled(loops.vote if alone else loops.votes) or _votes
    shares = np.empty((length, counts.shape[1]))
    for first in range(0, len(advice), length):
        block, share = slice(first, first + length), shares[: len(advice) - first]
        w = ladder.take(counts - counts.min(axis=0), mode="clip")
        lost = np.zeros(counts.shape, dtype=np.uint8)
        each = advice[block], outcomes[block, 0], w, share, lost
        loop(*(part[..., 0] if alone else part for part in each), gain)
        yield first, share
        counts += lost


def _votes(advice, outcomes, w, shares, lost, gain):
    """What the loops `vote` and `votes` do, in numpy."""
    kept, total = np.empty_like(w), w.sum(axis=0)
    for t, outcome in enumerate(outcomes):
        stays = advice[t] == outcome
        lost += ~stays
        np.multiply(stays, w, out=kept)
        right = np.add.reduce(kept, axis=0)
        shares[t] = 1 - right / total
        kept *= gain
        w += kept
        total = total + gain * right


def _ladder(beta: float, rounds: int) -> np.ndarray:
    """The powers of beta up to the T-th, or to one too small to count beside 1."""
    lowest = log(np.finfo(float).tiny) / log(beta) if beta else 1
    return beta ** np.arange(min(int(lowest), rounds) + 1.0)
