"""The online protocol, written once: receive, predict, reveal, update.

Axes
----
Time is axis 0 of every array of a `Run`; batch axes follow; experts or features
are the last axis.  A learner that is handed advice of shape ``(B, N)`` plays ``B``
independent streams at once.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from olutil._arguments import invalid
from olutil.instances import Instances


class Learner(Protocol):
    """What `play` needs of a learner."""

    def predict(self, x: Any) -> Any:
        """Return the prediction for ``x`` (a label, or the probability of a 1)."""

    def update(self, x: Any, y: Any, y_hat: Any) -> None:
        """Learn from the revealed label ``y``, having predicted ``y_hat``."""


@dataclass(frozen=True)
class Run:
    """The transcript of one game, or of a batch of games.

    Attributes
    ----------
    inputs : ndarray, shape (T, ..., n)
        What the learner received (points of a table have no last axis).
    predictions : ndarray, shape (T, ...)
        Labels; or probabilities of the label 1; or 0 where a linear learner with
        labels -1 and +1 was undecided.
    labels : ndarray, shape (T, ...)
        What was revealed: 0/1, or -1/+1.
    states : ndarray or None, shape (T + 1, ...)
        What `play` was asked to watch: ``states[t]`` is the learner's state before
        round ``t`` (counted from 0), ``states[-1]`` the final one.
    instances : olutil.instances.Instances or None
        How the games came about, and how many they are, if the stream says it.
    """

    inputs: np.ndarray
    predictions: np.ndarray
    labels: np.ndarray
    states: np.ndarray | None = None
    instances: Instances | None = None

    @property
    def losses(self) -> np.ndarray:
        """The 0-1 loss of each round; its expectation for a probability.

        The distance between prediction and label, cut off at 1, serves both kinds of
        labels: ``|p - y|`` is the chance of a mistake when ``p`` is the probability
        of a 1, and among -1, 0 (undecided) and +1 any two differ by at least 1.
        """
        return np.minimum(abs(np.subtract(self.predictions, self.labels)), 1)

    @property
    def mistakes(self) -> Any:
        """The (expected) number of mistakes of each game, shape ``(...)``."""
        return self.losses.sum(axis=0)

    @property
    def rounds(self) -> int:
        """The number of rounds T."""
        return len(self.labels)


def steps(learner: Learner, rounds: Iterable) -> Iterator[tuple]:
    """Play round by round; yield ``(x, y_hat, y)`` after each update.

    Parameters
    ----------
    learner : Learner
        Predicts and updates in place.
    rounds : iterable of (x, y)
        The stream.  A generator may look at the learner before it yields a round:
        that is an adversary.

    Yields
    ------
    tuple
        ``(x, y_hat, y)`` of the round just played.
    """
    for pair in rounds:
        try:
            x, y = pair
        except (TypeError, ValueError):
            raise invalid("rounds", "pairs (x, y)", pair) from None
        y_hat = learner.predict(x)
        learner.update(x, y, y_hat)
        yield x, y_hat, y


def play(
    learner: Learner, rounds: Iterable, *, watch: Callable[[Any], Any] | None = None
) -> Run:
    """Play the whole stream and return its transcript.

    Parameters
    ----------
    learner : Learner
        Predicts and updates in place.
    rounds : iterable of (x, y)
        The stream; see `steps`.  Of a data frame, ``zip(frame.to_numpy(), labels)``.
    watch : callable, optional
        ``watch(learner)`` is recorded before every round and after the last one,
        for the inequalities of a proof.

    Returns
    -------
    Run

    Raises
    ------
    ValueError
        If there is no round, or something that is none.

    Examples
    --------
    >>> from olutil.experts import WeightedMajority
    >>> run = play(WeightedMajority(2, beta=0.5), [([0, 1], 1), ([0, 1], 1)])
    >>> run.predictions, int(run.mistakes)
    (array([0, 1]), 1)
    """
    if hasattr(rounds, "columns"):
        raise invalid("rounds", "zip(frame.to_numpy(), labels)", type(rounds).__name__)
    if not isinstance(rounds, Iterable):
        raise invalid("rounds", "an iterable of pairs (x, y)", rounds)
    if isinstance(learner, type) or not hasattr(learner, "predict"):
        raise invalid("learner", "an object that predicts and updates", learner)
    seen = [] if watch is None else [np.array(watch(learner))]
    transcript = []
    for step in steps(learner, rounds):
        # Copies, since a stream may fill the same array anew in each round.
        transcript.append([np.array(item) for item in step])
        if watch is not None:
            seen.append(np.array(watch(learner)))
    if not transcript:
        raise ValueError("rounds: expected at least one round (x, y), got none")
    inputs, predictions, labels = zip(*transcript, strict=True)
    inputs = _stack(inputs, inputs)
    outcomes = (*predictions, *labels)  # one label for a whole batch is all its labels
    predictions, labels = _stack(predictions, outcomes), _stack(labels, outcomes)
    states = np.stack(np.broadcast_arrays(*seen)) if seen else None
    source = getattr(rounds, "instances", None)
    games = source and source.games(labels[0].size)
    return Run(inputs, predictions, labels, states, games)


def _stack(arrays: tuple, like: tuple) -> np.ndarray:
    """The arrays along a first axis, broadcast against all of ``like``."""
    shape = np.broadcast_shapes(*{array.shape for array in like})
    return np.stack([np.broadcast_to(array, shape) for array in arrays])
