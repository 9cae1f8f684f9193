"""Online linear learners: Perceptron, Passive-Aggressive, Winnow, gradient descent.

Labels are -1 and +1 for the Perceptron family, 0 and 1 for Winnow, real numbers for
gradient descent.  Features are the last axis; a learner that is handed inputs of shape
``(B, d)`` plays ``B`` independent streams at once.

Sources: Kakade, sections 3-4; COS 511, section 2; Kitani and Chen, sections 3-4;
Chandola, section 5; Das, slides 9-19.
"""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np

from olutil import _arguments as need
from olutil._arguments import BIT, SIGN
from olutil._exact_sums import inner, powers, scaled, signs_of_sums

SIGN_OR_0 = (-1, 0, 1)


class _Linear:
    """A weight vector that starts at zero.

    Attributes
    ----------
    w : ndarray, shape (..., d)
        The current weights.
    """

    def __init__(self, d: int):
        self.d = need.count("d", d)
        self.w = np.zeros(self.d, dtype=int)

    def _input(self, x: Any) -> np.ndarray:
        return need.reals("x", x, self.d, self.w.shape[:-1])

    def score(self, x: Any) -> Any:
        """The inner product of weights and input, shape (...).

        Its sign is never lost: a product beyond the floats is infinite, and one below
        them is the least float.
        """
        return inner(self.w, self._input(x))


def sign(z: Any, zero: int = 0) -> Any:
    """The sign of ``z``, with ``zero`` for the value at 0."""
    if isinstance(z, float) and z == z:  # one number: quicker than as an array
        return np.int64(1 if z > 0 else -1 if z < 0 else zero)
    z = need.array_of("z", z)
    if np.count_nonzero(z != z):
        raise need.invalid("z", "numbers, not NaN", z)
    return np.where(z == 0, zero, np.where(z > 0, 1, -1))[()]


class Perceptron(_Linear):
    """The Perceptron: after a mistake, add ``y x`` to the weights.

    Parameters
    ----------
    d : int
        The number of features.
    zero : {0, 1, -1}
        What it predicts for an inner product of 0.  With 0 it predicts neither label,
        which is a mistake whatever the label: the rule ``y (w . x) <= 0`` of COS 511
        and Das.  With 1 it is Kakade's ``sgn(0) = +1``.

    Raises
    ------
    ValueError
        If a parameter is out of range.

    Notes
    -----
    Kakade, Algorithm 2; COS 511, section 2; Kitani and Chen, Algorithm 3; Das, slide 9.
    At most ``R**2 / gamma**2`` mistakes: Kakade, Theorem 4.1.  Integer inputs keep
    integer weights, Fractions keep Fractions, and with them all is exact.  With floats
    of any size the sign is that of the rounded sum; weights beyond the floats are an
    error, and leave the learner as it was.

    Examples
    --------
    >>> learner = Perceptron(2)
    >>> learner.update([1, 2], -1, learner.predict([1, 2]))
    >>> learner.w
    array([-1, -2])
    """

    def __init__(self, d: int, *, zero: int = 0):
        super().__init__(d)
        self.zero = need.one_of("zero", zero, (0, 1, -1))

    def predict(self, x: Any) -> Any:
        """The sign of the inner product: -1, +1, or ``zero``; shape (...)."""
        return sign(self.score(x), self.zero)

    @need.within_floats
    def update(self, x: Any, y: Any, y_hat: Any) -> None:
        """Add ``y x`` where the prediction was wrong."""
        x = self._input(x)
        outcome = need.labels("y", y, SIGN, x.shape[:-1])
        y_hat = need.predicted_labels(y_hat, outcome, SIGN_OR_0)
        step = outcome * (y_hat != outcome)
        self.w = self.w + step[..., None] * x


class PassiveAggressive(Perceptron):
    """Passive-Aggressive: the least step that gives this example a margin of 1.

    Parameters
    ----------
    d : int
        The number of features.
    zero : {0, 1, -1}
        What it predicts for an inner product of 0, as for `Perceptron`.

    Raises
    ------
    ValueError
        If a parameter is out of range.

    Notes
    -----
    Crammer, Dekel, Keshet, Shalev-Shwartz and Singer (2006); named on Das, slide 10.
    It predicts as the Perceptron does.  The step is ``tau = loss / |x|**2`` with the
    hinge loss ``|1 - y (w . x)|_+``; an input of zero, whose margin no step changes,
    leaves the weights as they are.  Inputs are scaled by powers of two, which changes
    no digit, so that ``|x|**2`` neither overflows nor vanishes.  Fractions stay exact;
    integers give floats.

    Examples
    --------
    >>> learner = PassiveAggressive(2)
    >>> learner.update([3, 0], 1, 0)
    >>> learner.update([-1, 1], 1, -1)
    >>> learner.score([-1, 1])
    np.float64(1.0)
    """

    def hinge(self, x: Any, y: Any) -> Any:
        """The hinge loss of the current weights, shape (...), at least 0."""
        score = self.score(x)
        return np.maximum(1 - need.labels("y", y, SIGN, np.shape(score)) * score, 0)

    @need.within_floats
    def update(self, x: Any, y: Any, y_hat: Any) -> None:
        """Move to the nearest weights with hinge loss 0 on this example."""
        x = self._input(x)
        outcome = need.labels("y", y, SIGN, x.shape[:-1])[..., None]
        scaled_x, unit = scaled(x, self.w)
        loss = np.maximum(unit - outcome * inner(self.w, x, unit), 0)
        size = (scaled_x * scaled_x).sum(axis=-1, keepdims=True)
        tau = loss / np.where(size > 0, size, 1)
        self.w = self.w + outcome * tau * scaled_x


class Winnow:
    """Winnow: multiply the weights of the active features after a mistake.

    Parameters
    ----------
    d : int
        The number of 0/1 features.
    threshold : number, optional
        Predict 1 when the active weights sum to more than this; by default ``d / 2``
        (Chandola).  Kitani and Chen have ``d``, which they call N.
    factor : number, optional
        Promotion multiplies by it: by default 2; ``1 + beta`` for Kitani and Chen.
        Greater than 1.
    demote : {"eliminate", "divide"}
        After a false positive, set the active weights to 0 (Chandola: Winnow1) or
        divide them by ``factor`` (Kitani and Chen: Winnow2).

    Attributes
    ----------
    exponents : ndarray of int, shape (..., d)
        The weights are ``factor ** exponents``, and 0 where eliminated.
    eliminated : ndarray of bool, shape (..., d)

    Raises
    ------
    ValueError
        If a parameter is out of range.

    Notes
    -----
    Littlestone (1988).  Exponents are integers, and the vote is compared with the
    threshold after dividing both by the largest active weight: no horizon overflows.

    Examples
    --------
    >>> learner = Winnow(4)
    >>> learner.update([1, 0, 0, 1], 1, learner.predict([1, 0, 0, 1]))
    >>> learner.weights
    array([2., 1., 1., 2.])
    """

    def __init__(
        self, d: int, *, threshold: Any = None, factor: Any = 2,
        demote: str = "eliminate",
    ):  # fmt: skip
        self.d = need.count("d", d)
        if threshold is None:
            threshold = Fraction(self.d, 2)
        self.threshold = need.number("threshold", threshold, "a number", lambda v: True)
        self.factor = need.number("factor", factor, "a number above 1", lambda v: v > 1)
        self.demote = need.one_of("demote", demote, ("eliminate", "divide"))
        self.exponents = np.zeros(self.d, dtype=int)
        self.eliminated = np.zeros(self.d, dtype=bool)

    @property
    def weights(self) -> np.ndarray:
        """The weights, floats or (if ``factor`` is one) Fractions; shape (..., d)."""
        base = self.factor if isinstance(self.factor, Fraction) else float(self.factor)
        return np.where(self.eliminated, 0, powers(base, self.exponents))

    def _active(self, x: Any) -> np.ndarray:
        active = need.labels("x", need.last_axis("x", x, self.d), BIT)
        return need.broadcast("x", active, self.exponents.shape)

    def predict(self, x: Any) -> Any:
        """1 if the active weights sum to more than the threshold; shape (...)."""
        active = self._active(x) * ~self.eliminated
        # Vote and threshold are divided by the largest weight, so nothing overflows.
        exponents = self.exponents * active
        top = np.max(exponents, axis=-1, keepdims=True, initial=0)
        kind = Fraction if isinstance(self.factor, Fraction) else float
        factor, threshold = kind(self.factor), kind(self.threshold)
        vote = (powers(factor, exponents - top) * active).sum(axis=-1)
        limit = threshold * powers(factor, -top[..., 0])
        lead = signs_of_sums(
            vote - limit, vote + abs(limit), factor, exponents, active, -threshold
        )
        return (lead > 0).astype(int)[()]

    def update(self, x: Any, y: Any, y_hat: Any) -> None:
        """Promote after a false negative, demote after a false positive."""
        active = self._active(x)
        outcome = need.labels("y", y, BIT, active.shape[:-1])
        step = outcome - need.predicted_labels(y_hat, outcome, BIT)
        moved = step[..., None] * active
        if self.demote == "divide":
            self.exponents = self.exponents + moved
            return
        self.exponents = self.exponents + np.maximum(moved, 0)
        self.eliminated = self.eliminated | (moved < 0)


class OnlineGradientDescent(_Linear):
    """Online gradient descent on the squared error ``|y - w . x|**2 / 2``.

    Parameters
    ----------
    d : int
        The number of features.
    rate : number or callable
        The learning rate, positive: a constant, or a function of the round 1, 2, ...

    Raises
    ------
    ValueError
        If a constant rate is not positive; in a round, if the function returns no
        positive number, or the weights leave the floats.

    Notes
    -----
    Das, slides 17-19: ``w <- w - eta * gradient = w + eta (y - w . x) x``.  It predicts
    ``w . x``, a real number.

    Examples
    --------
    >>> learner = OnlineGradientDescent(1, rate=lambda t: 1 / t)
    >>> learner.update([1.0], 2.0, learner.predict([1.0]))
    >>> learner.w
    array([2.])
    """

    def __init__(self, d: int, *, rate: float | Callable[[int], float]):
        super().__init__(d)
        self.rate, self.t = rate, 0
        if not callable(rate):
            self._rate()

    def _rate(self) -> Any:
        rate = self.rate(self.t + 1) if callable(self.rate) else self.rate
        return need.number("rate", rate, "a positive number", lambda v: v > 0)

    def predict(self, x: Any) -> Any:
        """The inner product, shape (...)."""
        return self.score(x)

    @need.within_floats
    def update(self, x: Any, y: Any, y_hat: Any) -> None:
        """Step against the gradient of this example's error."""
        x = self._input(x)
        y = need.reals("y", need.array_of("y", y)[..., None], 1, x.shape[:-1])
        error = y - inner(self.w, x, 1)
        self.w = need.numbers("x", self.w + self._rate() * error * x)
        self.t += 1


class GridHalving:
    """Halving over a finite set of linear classifiers.

    Parameters
    ----------
    W : array_like, shape (classifiers, d)
        The weight vectors, for instance `weight_grid`.

    Notes
    -----
    Kakade, Corollary 3.1.  Predicts and prunes as `olutil.concepts.Halving` does (every
    round, ties to +1), on inputs from R^d instead of the points of a table, with labels
    -1 and +1 and ``sgn(0) = +1``.

    Examples
    --------
    >>> from olutil.margins import weight_grid
    >>> learner = GridHalving(weight_grid(1, 1, 1, 1))
    >>> int(learner.predict([0.5]))
    1
    """

    def __init__(self, W: Any):
        self.W = need.numbers("W", W).copy()
        if self.W.ndim != 2 or 0 in self.W.shape:
            raise need.invalid("W", "a table, classifiers by features", self.W.shape)
        self.alive = np.ones(len(self.W), dtype=bool)

    def _votes(self, x: Any) -> np.ndarray:
        x = need.reals("x", x, self.W.shape[1], self.alive.shape[:-1])
        return sign(inner(self.W, x[..., None, :]), zero=1)

    def predict(self, x: Any) -> Any:
        """The majority of the version space: -1 or +1, shape (...)."""
        return sign((self.alive * self._votes(x)).sum(axis=-1), zero=1)

    def update(self, x: Any, y: Any, y_hat: Any) -> None:
        """Drop the classifiers that were wrong."""
        votes = self._votes(x)
        outcome = need.labels("y", y, SIGN, votes.shape[:-1])
        self.alive = self.alive & (votes == outcome[..., None])


class EllipsoidHalving:
    """Halving by volume: keep an ellipsoid around the consistent weight vectors.

    Parameters
    ----------
    d : int
        Dimension, at least 2.
    radius : number
        The first ellipsoid is the ball of this radius, by default 1, and from 1e-100 to
        1e100.  Only the direction of the weights matters for a prediction, so every
        radius plays the same game; and so does every scale of the inputs.
    zero : {0, 1, -1}
        What it predicts for an inner product of 0, as for `Perceptron`.

    Attributes
    ----------
    center : ndarray, shape (..., d)
    shape : ndarray, shape (..., d, d)
        The ellipsoid is ``(w - center)^T shape^-1 (w - center) <= 1``.

    Raises
    ------
    ValueError
        If a parameter is out of range.

    Notes
    -----
    The efficient variant that Kakade's section 3 names: predict with the center; after
    a mistake, keep the least ellipsoid around the half that is still possible.  Each
    cut multiplies the volume by less than ``exp(-1 / (2 (d + 1)))``.  A ball around a
    multiple of the separator is never cut, and its volume bounds the number of cuts.
    One update costs ``O(d**2)``.  Floating point throughout.

    Examples
    --------
    >>> learner = EllipsoidHalving(2, radius=2)
    >>> learner.update([1, 0], -1, learner.predict([1, 0]))
    >>> bool(learner.center[0] < 0)
    True
    """

    def __init__(self, d: int, *, radius: float = 1, zero: int = 0):
        self.d = need.count("d", d, least=2)
        wanted = "a number from 1e-100 to 1e100"
        need.number("radius", radius, wanted, lambda v: 1e-100 <= v <= 1e100)
        self.zero = need.one_of("zero", zero, (0, 1, -1))
        self.center = np.zeros(self.d)
        self.shape = np.eye(self.d) * float(radius) ** 2

    def predict(self, x: Any) -> Any:
        """The sign of the inner product with the center; shape (...)."""
        return sign((self.center * self._input(x)).sum(axis=-1), self.zero)

    def _input(self, x: Any) -> np.ndarray:
        return scaled(need.reals("x", x, self.d, self.center.shape[:-1]))[0]

    @need.within_floats
    def update(self, x: Any, y: Any, y_hat: Any) -> None:
        """After a mistake, cut through the center and enclose the half that is left."""
        d, x = self.d, self._input(x)
        outcome = need.labels("y", y, SIGN, x.shape[:-1])
        along = (self.shape @ x[..., None])[..., 0]
        width = np.sqrt(np.maximum((x * along).sum(axis=-1, keepdims=True), 0))
        y_hat = need.predicted_labels(y_hat, outcome, SIGN_OR_0)
        cuts = (y_hat != outcome)[..., None] & (width > 0)
        step = outcome[..., None] * along / np.where(width > 0, width, 1)
        squeezed = self.shape - 2 / (d + 1) * step[..., :, None] * step[..., None, :]
        self.shape = np.where(cuts[..., None], d**2 / (d**2 - 1) * squeezed, self.shape)
        self.center = np.where(cuts, self.center + step / (d + 1), self.center)
