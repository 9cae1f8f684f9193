"""The rounds of four learners as plain loops, compiled where numba is installed.

Each says in its own words what the learner does.  Sums may be added up in any order, so
a score that rounding might have turned is left to the caller.
"""

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

# So many weights stay near the processor while the rounds of a block pass.
PART = 2**10


@cache
def compiled(loop: Callable) -> Callable | None:
    """The loop, compiled when it is first called; None where there is no numba.

    The compiled code is kept beside this file, or where numba has its cache, until this
    file changes; where nothing can be written, it is made anew in every process.
    """
    try:
        import numba
    except ImportError:
        return None
    # Numbers that are gathered are added up quickest one by one.
    any_order = loop is not sparse_perceptron and {"reassoc", "contract", "nsz"}
    try:
        return numba.njit(cache=True, fastmath=any_order)(loop)
    except RuntimeError:  # no folder can be written
        return numba.njit(fastmath=any_order)(loop)


def fixed(values: Any, dtype: Any) -> np.ndarray:
    """An array that is only read, of one kind: so that a loop is compiled only once."""
    array = np.require(values, dtype, "CA").view()
    array.flags.writeable = False
    return array


def perceptron(X, y, zero, w, close, step, mistakes, many, start):
    """Play from round ``start`` on, up to a score that is too close to 0.

    Returns that round, and how many of the ``mistakes`` there are by now.
    """
    rounds, d = X.shape
    for t in range(start, rounds):
        score = 0.0
        for i in range(d):
            score += w[i] * X[t, i]
        if abs(score) < close:
            return t, many
        says = 1 if score > 0 else -1 if score < 0 else zero
        if says != y[t]:
            for i in range(d):
                w[i] += y[t] * X[t, i]
            mistakes[many] = t
            many += 1
            close += step
    return rounds, many


def sparse_perceptron(
    indptr, indices, data, y, zero, w, close, step, mistakes, many, start
):
    """The same on compressed sparse rows."""
    rounds = len(y)
    for t in range(start, rounds):
        score = 0.0
        for k in range(indptr[t], indptr[t + 1]):
            score += w[indices[k]] * data[k]
        if abs(score) < close:
            return t, many
        says = 1 if score > 0 else -1 if score < 0 else zero
        if says != y[t]:
            for k in range(indptr[t], indptr[t + 1]):
                w[indices[k]] += y[t] * data[k]
            mistakes[many] = t
            many += 1
            close += step
    return rounds, many


def vote(advice, outcomes, w, shares, lost, gain):
    """Weighted Majority on one stream: the share of the weight that errs, each round.

    The weights of the experts that are right grow, which comes to the same as shrinking
    the others.  How often an expert has ``lost`` is counted, too.
    """
    rounds, experts = advice.shape
    total = np.zeros(rounds)
    shares[:] = 0
    for first in range(0, experts, PART):
        part, behind = w[first : first + PART], lost[first : first + PART]
        for t in range(rounds):
            says, outcome = advice[t, first : first + PART], outcomes[t]
            right = whole = 0.0
            for i in range(len(part)):
                stays = part[i] * (says[i] == outcome)
                right += stays
                whole += part[i]
                part[i] += gain * stays
            for i in range(len(part)):
                behind[i] += says[i] != outcome
            shares[t] += right
            total[t] += whole
    for t in range(rounds):
        shares[t] = 1 - shares[t] / total[t]


def votes(advice, outcomes, w, shares, lost, gain):
    """The same on many streams side by side."""
    rounds, experts, streams = advice.shape
    for t in range(rounds):
        says, outcome = advice[t], outcomes[t]
        right, total = np.zeros(streams), np.zeros(streams)
        for i in range(experts):
            for r in range(streams):
                stays = w[i, r] * (says[i, r] == outcome[r])
                right[r] += stays
                total[r] += w[i, r]
                w[i, r] += gain * stays
            for r in range(streams):
                lost[i, r] += says[i, r] != outcome[r]
        for r in range(streams):
            shares[t, r] = 1 - right[r] / total[r]
