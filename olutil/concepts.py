"""Learners of a concept class, which is a table of 0s and 1s: concepts by points.

A learner receives the index of a point and predicts 0 or 1.

Sources: Chandola, sections 3 and 4; Kakade, section 2; Das, slide 21.
"""

from collections.abc import Callable
from functools import cached_property
from typing import Any

import numpy as np

from olutil import _arguments as need
from olutil._arguments import BIT
from olutil._version_spaces import bit_set, columns_of, littlestone_dimensions


class _VersionSpaceLearner:
    """What learners share that keep a version space: a mask over the concepts.

    Attributes
    ----------
    alive : ndarray of bool, shape (..., number of concepts)
        The version space.
    """

    def __init__(self, C: Any):
        self.C = need.table("C", C)
        self.alive = np.ones(len(self.C), dtype=bool)

    def _votes(self, x: Any) -> np.ndarray:
        """What every concept says at the points ``x``, shape (..., concepts)."""
        x = need.indices("x", x, self.C.shape[1])
        return self.C.T[need.broadcast("x", x, self.alive.shape[:-1])]

    def update(self, x: Any, y: Any, y_hat: Any) -> None:
        """Drop the concepts that were wrong."""
        votes = self._votes(x)
        outcome = need.labels("y", y, BIT, votes.shape[:-1])
        self.alive = self.alive & (votes == outcome[..., None])


class Halving(_VersionSpaceLearner):
    """Halving: predict what the majority of the version space says.

    Parameters
    ----------
    C : array_like of 0/1, shape (concepts, points)
        The class, not empty.
    tie : {0, 1}
        The prediction when both sides are equally many (Chandola and Kakade: 1).
    lazy : bool
        Prune only in rounds in which the learner erred (Chandola, section 4.1),
        instead of in every round (Kakade, Algorithm 1; Das, slide 21).

    Raises
    ------
    ValueError
        If ``C`` is no such table.

    Notes
    -----
    At most ``floor(lg |C|)`` mistakes: Kakade, Theorem 2.2.  If no concept fits, the
    version space is empty and every vote a tie.

    Examples
    --------
    >>> from olutil.classes import singletons
    >>> learner = Halving(singletons(3))
    >>> int(learner.predict(0))
    0
    >>> learner.update(0, 1, 0)
    >>> learner.alive
    array([ True, False, False])
    """

    def __init__(self, C: Any, *, tie: int = 1, lazy: bool = False):
        super().__init__(C)
        self.tie = need.one_of("tie", tie, BIT)
        self.lazy = need.one_of("lazy", lazy, (False, True))

    def predict(self, x: Any) -> Any:
        """Vote: 0 or 1, shape (...)."""
        votes = self._votes(x)
        ones = (self.alive & (votes == 1)).sum(axis=-1)
        zeros = (self.alive & (votes == 0)).sum(axis=-1)
        return np.where(ones == zeros, self.tie, ones > zeros).astype(int)[()]

    def update(self, x: Any, y: Any, y_hat: Any) -> None:
        """Drop the concepts that were wrong."""
        if not self.lazy:
            return super().update(x, y, y_hat)
        votes = self._votes(x)
        outcome = need.labels("y", y, BIT, votes.shape[:-1])
        wrong_concepts = votes != outcome[..., None]
        erred = (need.predicted_labels(y_hat, outcome, BIT) != outcome)[..., None]
        self.alive = self.alive & ~(wrong_concepts & erred)


class StandardOptimal(_VersionSpaceLearner):
    """The Standard Optimal Algorithm: predict the side that is harder to learn.

    Parameters
    ----------
    C : array_like of 0/1, shape (concepts, points)
        The class, not empty.
    tie : {0, 1}
        The prediction when both sides have the same Littlestone dimension.

    Raises
    ------
    ValueError
        If ``C`` is no such table.

    Notes
    -----
    Littlestone (1988).  It errs at most opt(C) times, Chandola's optimal mistake bound,
    since a mistake leaves the side of the smaller dimension.

    Examples
    --------
    >>> from olutil.classes import thresholds
    >>> learner = StandardOptimal(thresholds(3))
    >>> [int(learner.predict(x)) for x in range(3)]
    [0, 1, 1]
    """

    def __init__(self, C: Any, *, tie: int = 1):
        super().__init__(C)
        self.tie = need.one_of("tie", tie, BIT)

    @cached_property
    def _dimension(self) -> Callable[[int], int]:
        return littlestone_dimensions(columns_of(self.C))

    def __getstate__(self) -> dict[str, Any]:
        """What is pickled: all but the table of dimensions, which is made anew."""
        return {k: v for k, v in vars(self).items() if k != "_dimension"}

    def predict(self, x: Any) -> Any:
        """Predict the side of larger Littlestone dimension, shape (...)."""
        votes = self._votes(x)
        zero, one = (self._dimensions(self.alive & (votes == b)) for b in BIT)
        return np.where(zero == one, self.tie, one > zero).astype(int)[()]

    def _dimensions(self, alive: np.ndarray) -> np.ndarray:
        rows = alive.reshape(-1, len(self.C))
        dimensions = [self._dimension(bit_set(row)) for row in rows]
        return np.array(dimensions).reshape(alive.shape[:-1])


class Elimination:
    """Try the concepts one by one, giving each up at its first mistake.

    Parameters
    ----------
    C : array_like of 0/1, shape (concepts, points)
        The class, in the order in which to try.

    Raises
    ------
    ValueError
        If ``C`` is no such table.

    Notes
    -----
    Chandola, section 3.1: at most ``|C| - 1`` mistakes, since the target is never given
    up.  After the last concept it starts again, which happens only if none fits.

    Examples
    --------
    >>> from olutil.classes import singletons
    >>> learner = Elimination(singletons(3))
    >>> learner.update(0, 0, 1)
    >>> int(learner.tried)
    1
    """

    def __init__(self, C: Any):
        self.C = need.table("C", C)
        self.tried = np.zeros((), dtype=int)

    def predict(self, x: Any) -> Any:
        """What the current concept says, shape (...)."""
        return self.C[self.tried % len(self.C), self._points(x)]

    def _points(self, x: Any) -> np.ndarray:
        x = need.indices("x", x, self.C.shape[1])
        return need.broadcast("x", x, np.shape(self.tried))

    def update(self, x: Any, y: Any, y_hat: Any) -> None:
        """Move on to the next concept after a mistake."""
        outcome = need.labels("y", y, BIT, self._points(x).shape)
        self.tried = self.tried + (
            need.predicted_labels(y_hat, outcome, BIT) != outcome
        )
