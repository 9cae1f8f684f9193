"""Learning with expert advice: the learners that keep a count for every expert.

Advice and outcomes are 0 or 1.  Weights are never stored: each learner keeps the
experts' mistake counts, which are integers, and derives the weights as
``beta ** (count - least count)``.  Only ratios of weights matter for a prediction, so
nothing underflows at any horizon, and with ``beta=Fraction(1, 2)`` a run is exact.

Sources: Schapire, COS 511 lecture 14; Das, slides 21-25; Kitani and Chen, section 1.
"""

# Annotations would load numpy.random, a tenth of numpy's own time.
from __future__ import annotations

from abc import ABC, abstractmethod
from math import log, sqrt
from typing import Any

import numpy as np

from olutil import _arguments as need
from olutil._arguments import BIT
from olutil._exact_sums import powers, signs_of_sums


class _Experts(ABC):
    """What the learners of this module share: N experts and their mistake counts.

    Attributes
    ----------
    counts : ndarray of int32, shape (..., N)
        The mistakes that each expert was charged with so far.
    """

    def __init__(self, n: int):
        self.n = need.count("n", n)
        # Small integers, here and for advice: a large batch waits for memory.
        self.counts = np.zeros(self.n, dtype=np.int32)

    def _advice(self, x: Any) -> np.ndarray:
        advice = need.labels("x", need.last_axis("x", x, self.n), BIT, dtype=np.int8)
        return need.broadcast("x", advice, self.counts.shape)

    def update(self, x: Any, y: Any, y_hat: Any) -> None:
        """Charge every expert that was wrong, whatever the learner predicted."""
        advice = self._advice(x)
        outcome = need.labels("y", y, BIT, advice.shape[:-1], np.int8)
        self.counts = self.counts + (advice != outcome[..., None])

    @abstractmethod
    def predict(self, x: Any) -> Any:
        """Predict from the advice ``x``, shape (..., N)."""


def _factor(beta: Any) -> Any:
    return need.number("beta", beta, "a number in [0, 1)", lambda v: 0 <= v < 1)


class _Weighted(_Experts):
    """Experts with weights ``beta ** count``.

    Parameters
    ----------
    n : int
        The number of experts, at least 1.
    beta : number, optional
        The factor for an expert that was wrong, in [0, 1).  A Fraction makes the run
        exact.  ``beta=0`` is the limit as beta falls to 0: the experts with the fewest
        mistakes share all the weight.
    eta : number, optional
        Kitani and Chen's name for ``1 - beta``, in (0, 1].  Give one of the two.
    """

    def __init__(self, n: int, *, beta: Any = None, eta: Any = None):
        super().__init__(n)
        if (beta is None) == (eta is None):
            raise need.invalid("beta, eta", "exactly one of the two", (beta, eta))
        if beta is None:
            wanted = "a number in (0, 1], so large that 1 - eta is less than 1"
            beta = 1 - need.number("eta", eta, wanted, lambda v: 0 <= 1 - v < 1)
        self.beta = _factor(beta)

    @property
    def weights(self) -> np.ndarray:
        """The weights relative to the best expert's, shape (..., N), in [0, 1]."""
        return powers(self.beta, self.counts - self.counts.min(axis=-1, keepdims=True))

    def share(self, x: Any) -> Any:
        """The share of the weight that advises 1: the lecture's ``q_1 / W``."""
        weights = self.weights
        return (weights * self._advice(x)).sum(axis=-1) / weights.sum(axis=-1)


class WeightedMajority(_Weighted):
    """Weighted Majority: predict what the larger weight says.

    Parameters
    ----------
    n, beta, eta
        The number of experts and the penalty: ``beta`` in [0, 1), or
        ``eta = 1 - beta`` in (0, 1].
    tie : {0, 1}
        The prediction when both sides weigh the same.  COS 511's box says 0, its
        Figure 1 says 1; Das says -1, which is 0 here.
    lazy : bool
        Update only in rounds in which the learner erred (Das, slide 22), instead of in
        every round (COS 511; Kitani and Chen).

    Raises
    ------
    ValueError
        If a parameter is out of range.

    Notes
    -----
    COS 511, box in the introduction; its mistake bound is Theorem 1.  The vote is exact
    for any ``beta``, a float being the number that it stores: ``0.1`` is not 1/10, so
    give ``Fraction(1, 10)`` where ten experts of that weight should tie with one.

    Examples
    --------
    >>> learner = WeightedMajority(3, beta=0.5)
    >>> int(learner.predict([1, 1, 0]))
    1
    >>> learner.update([1, 1, 0], 0, 1)
    >>> learner.weights
    array([0.5, 0.5, 1. ])
    """

    def __init__(
        self, n: int, *, beta: Any = None, eta: Any = None, tie: int = 0,
        lazy: bool = False,
    ):  # fmt: skip
        super().__init__(n, beta=beta, eta=eta)
        self.tie = need.one_of("tie", tie, BIT)
        self.lazy = need.one_of("lazy", lazy, (False, True))

    def predict(self, x: Any) -> Any:
        """Vote: 0 or 1, shape (...)."""
        weights, advice = self.weights, self._advice(x)
        q1 = (weights * advice).sum(axis=-1)
        q0 = (weights * (1 - advice)).sum(axis=-1)
        # The sign of q1 - q0, exactly, so that a tie is a tie at any horizon.
        counts = self.counts - self.counts.min(axis=-1, keepdims=True)
        lead = signs_of_sums(q1 - q0, q1 + q0, self.beta, counts, 2 * advice - 1)
        return np.where(lead == 0, self.tie, lead > 0).astype(int)[()]

    def update(self, x: Any, y: Any, y_hat: Any) -> None:
        """Multiply the weight of every wrong expert by beta."""
        advice = self._advice(x)
        outcome = need.labels("y", y, BIT, advice.shape[:-1], np.int8)
        wrong_experts = advice != outcome[..., None]
        if self.lazy:
            y_hat = need.predicted_labels(y_hat, outcome, BIT)
            wrong_experts = wrong_experts & (y_hat != outcome)[..., None]
        self.counts = self.counts + wrong_experts


class RandomizedWeightedMajority(_Weighted):
    """Randomized Weighted Majority: predict 1 with probability ``q_1 / W``.

    Parameters
    ----------
    n, beta, eta
        The number of experts and the penalty: ``beta`` in [0, 1), or
        ``eta = 1 - beta`` in (0, 1].
    rng : numpy.random.Generator, optional
        With it, the learner tosses its coin and predicts 0 or 1.  Without it, it
        predicts the probability of a 1, so that ``|prediction - y|`` is the exact
        chance of a mistake.
    draw : {"vote", "expert"}
        How to toss: on the share of the vote, or by drawing an expert in proportion to
        the weights and repeating what it said.  The law is the same.

    Raises
    ------
    ValueError
        If a parameter is out of range.

    Notes
    -----
    COS 511, section 1.2; its bound is Theorem 2.  Kitani and Chen, Algorithm 2, draws
    the expert.

    Examples
    --------
    >>> from fractions import Fraction
    >>> learner = RandomizedWeightedMajority(3, beta=Fraction(1, 2))
    >>> learner.predict([1, 1, 0])
    Fraction(2, 3)
    """

    def __init__(
        self, n: int, *, beta: Any = None, eta: Any = None,
        rng: np.random.Generator | None = None, draw: str = "vote",
    ):  # fmt: skip
        super().__init__(n, beta=beta, eta=eta)
        self.rng = rng if rng is None else need.generator("rng", rng)
        self.draw = need.one_of("draw", draw, ("vote", "expert"))

    def predict(self, x: Any) -> Any:
        """The probability of a 1, or a draw from it; shape (...)."""
        if self.rng is None:
            return self.share(x)
        if self.draw == "vote":
            share = self.share(x)
            return (self.rng.random(np.shape(share)) < share).astype(int)[()]
        return self._drawn_expert_says(self._advice(x))

    def _drawn_expert_says(self, advice: np.ndarray) -> Any:
        weights = np.broadcast_to(self.weights, advice.shape).astype(float)
        ladder = weights.cumsum(axis=-1)
        height = self.rng.random(advice.shape[:-1] + (1,)) * ladder[..., -1:]
        expert = (ladder <= height).sum(axis=-1, keepdims=True)
        return np.take_along_axis(advice, expert, axis=-1)[..., 0].astype(int)[()]


class AggregatingAlgorithm(_Weighted):
    r"""The improved algorithm of COS 511's Figure 1 (its third curve).

    It keeps Weighted Majority's weights and predicts 1 with probability

    .. math:: F_\beta(r) = \frac{\ln(1 - r + r\beta)}
              {\ln(1 - r + r\beta) + \ln((1 - r)\beta + r)},
              \qquad r = q_1 / W .

    Parameters
    ----------
    n, beta, eta
        The number of experts and the penalty: here ``beta`` in (0, 1), or
        ``eta = 1 - beta`` in (0, 1); or ``beta=0`` for a pool with a perfect expert.

    Raises
    ------
    ValueError
        If a parameter is out of range.

    Notes
    -----
    Vovk (1990); Cesa-Bianchi, Freund, Haussler, Helmbold, Schapire and Warmuth (1997).
    Its bound is the last one of COS 511, section 1.3.  Logarithms make it irrational,
    so it computes in floating point.  For ``beta=0`` the formula is read as its limit:
    0 and 1 where the vote is unanimous.

    Examples
    --------
    >>> learner = AggregatingAlgorithm(4, beta=0.5)
    >>> [round(float(learner.predict([1] * k + [0] * (4 - k))), 3) for k in range(5)]
    [0.0, 0.221, 0.5, 0.779, 1.0]
    """

    def predict(self, x: Any) -> Any:
        """The probability of a 1, shape (...)."""
        # Two sums in different orders: the part may round to more than the whole.
        return improved_curve(np.minimum(self.share(x), 1), self.beta)


def improved_curve(r: Any, beta: Any) -> Any:
    """The third curve of COS 511's Figure 1: the probability of predicting 1.

    Parameters
    ----------
    r : array_like
        The share of the weight that advises 1, in [0, 1].
    beta : float
        In [0, 1).

    Returns
    -------
    ndarray or float
        The value ``F_beta(r)``, in [0, 1]; see `AggregatingAlgorithm`.
    """
    r = need.numbers("r", r).astype(float)
    if np.any((r < 0) | (r > 1)):
        raise need.invalid("r", "shares in [0, 1]", r)
    beta = min(float(_factor(beta)), np.nextafter(1, 0))  # a Fraction may round to 1
    # A unanimous vote is followed; with beta = 0 a logarithm would be infinite there.
    inner = np.where((r == 0) | (r == 1), 0.5, r)
    says_0 = np.log1p(-inner * (1 - beta))
    says_1 = np.log1p(-(1 - inner) * (1 - beta))
    return np.where((r == 0) | (r == 1), r, says_0 / (says_0 + says_1))[()]


class FollowTheLeader(_Experts):
    """Repeat what the expert with the fewest mistakes says (the first one of them).

    Parameters
    ----------
    n : int
        The number of experts, at least 1.

    Notes
    -----
    COS 511, section 1.1, named there and not developed.

    Examples
    --------
    >>> learner = FollowTheLeader(2)
    >>> learner.update([0, 1], 1, 0)
    >>> int(learner.predict([0, 1]))
    1
    """

    def predict(self, x: Any) -> Any:
        """What the leader says: 0 or 1, shape (...)."""
        advice = self._advice(x)
        leader = np.broadcast_to(self.counts, advice.shape).argmin(axis=-1)
        says = np.take_along_axis(advice, leader[..., None], axis=-1)[..., 0]
        return says.astype(int)[()]


def tuned_beta(n: int, best: Any) -> float:
    """The beta for Theorem 2 when the best expert makes at most ``best`` mistakes.

    Parameters
    ----------
    n : int
        The number of experts, at least 2.
    best : number
        The bound K on the best expert's mistakes, at least 0; K = 0 gives beta = 0.

    Returns
    -------
    float
        ``1 / (1 + sqrt(2 ln(n) / K))``: COS 511, section 1.3.  For a horizon of T
        rounds and a pair of opposite experts K is ``T / 2``: one of the two errs at
        most that often.
    """
    need.count("n", n, least=2)
    best = float(need.number("best", best, "a number of at least 0", lambda v: v >= 0))
    return 1 / (1 + sqrt(2 * log(n) / best)) if best else 0.0


def improved_beta(n: int, best: Any) -> float:
    """The beta for the improved algorithm when the best expert errs at most K times.

    Parameters
    ----------
    n : int
        The number of experts, at least 2.
    best : number
        The bound K on the best expert's mistakes, at least 0; K = 0 gives beta = 0.

    Returns
    -------
    float
        ``1 / (1 + 2 z + z**2 / ln 2)`` with ``z = sqrt(ln(n) / K)``: Cesa-Bianchi et
        al. (1997).
    """
    need.count("n", n, least=2)
    best = float(need.number("best", best, "a number of at least 0", lambda v: v >= 0))
    if best == 0:
        return 0.0
    z = sqrt(log(n) / best)
    return 1 / (1 + 2 * z + z * z / log(2))
