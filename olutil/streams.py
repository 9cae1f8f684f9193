"""Streams of rounds ``(x, y)``: exhaustive, random, structured, and adversarial.

An adversary is a generator that is given the learner and looks at it before it yields a
round; it never sees the coin of a round that is still to come.  Random streams take a
`numpy.random.Generator` and are the same whenever it is seeded alike.  Each stream says
which of these it is, so that `olutil.verify.check` knows.
"""

from collections.abc import Callable, Iterable, Iterator
from itertools import product
from typing import Any

import numpy as np

from olutil import _arguments as need
from olutil._exact_sums import scaled
from olutil.dimension import Node
from olutil.instances import stream

Rounds = Iterator[tuple[np.ndarray, np.ndarray]]


# ---------------------------------------------------------------- experts


@stream("exhaustive", "streams of {rounds} rounds with {n} experts")
def every_stream(n: int, rounds: int) -> Rounds:
    """All streams of n experts over T rounds at once, on one batch axis.

    Parameters
    ----------
    n, rounds : int
        Experts and horizon; there are ``2 ** ((n + 1) * rounds)`` streams, at most
        2**22 of them.

    Yields
    ------
    x : ndarray of 0/1, shape (streams, n)
    y : ndarray of 0/1, shape (streams,)

    Raises
    ------
    ValueError
        If there would be more than 2**22 streams.
    """
    bits = (need.count("n", n) + 1) * need.count("rounds", rounds)
    if bits > 22:
        raise need.invalid("n, rounds", "at most 22 bits (n + 1) * rounds", (n, rounds))
    numbers = np.arange(2**bits)
    for t in range(rounds):
        chunk = numbers >> (t * (n + 1))
        yield np.stack([chunk >> i & 1 for i in range(n)], axis=-1), chunk >> n & 1


@stream("random", "random streams of {rounds} rounds with {n} experts")
def random_advice(
    rng: np.random.Generator, rounds: int, n: int, *, batch: tuple[int, ...] = (),
    error: Any = 0.5,
) -> Rounds:  # fmt: skip
    """Fair outcomes, and experts that err independently.

    Parameters
    ----------
    rng : numpy.random.Generator
    rounds, n : int
        Horizon and experts.
    batch : tuple of int
        The shape of the batch axes.
    error : array_like, shape () or (n,)
        Each expert's chance of an error in a round, in [0, 1].

    Yields
    ------
    x : ndarray of 0/1, shape batch + (n,)
    y : ndarray of 0/1, shape batch
    """
    rng, batch = need.generator("rng", rng), need.sizes("batch", batch)
    error, shapes = need.numbers("error", error), ((), (need.count("n", n),))
    if error.shape not in shapes or not np.all(abs(error - 0.5) <= 0.5):
        raise need.invalid("error", "a chance in [0, 1], or one for each expert", error)
    for _ in range(need.count("rounds", rounds)):
        y = rng.integers(0, 2, size=batch)
        errs = rng.random((*batch, n)) < error
        # Experts outermost in memory, where sums over few experts are quicker.
        errs = np.asfortranarray(errs)
        yield y[..., None] ^ errs, y


@stream("adversary", "games in which every prediction is contradicted")
def contrary(learner: Any, advice: Iterable) -> Rounds:
    """Give the advice and reveal the opposite of what the learner predicts.

    Against a deterministic learner with labels 0 and 1: one mistake a round.
    """
    for x in advice:
        yield x, 1 - learner.predict(x)


def opposites(rounds: int) -> Iterator[np.ndarray]:
    """The advice of two constant experts, one saying 0 and one saying 1."""
    for _ in range(need.count("rounds", rounds)):
        yield np.array([0, 1])


@stream("adversary", "games where each round at least half of the perfect experts err")
def halving_advice(n: int) -> Rounds:
    """At least half of the experts that never erred err, until one is left.

    Parameters
    ----------
    n : int
        The number of experts; ``floor(lg n)`` rounds follow.

    Yields
    ------
    x : ndarray of 0/1, shape (n,)
        The experts that are still perfect after this round say 1, all others say 0.
    y : int
        Always 1.  A learner that follows the majority and breaks ties to 0 errs in
        every round.
    """
    perfect = need.count("n", n)
    while perfect >= 2:
        perfect //= 2
        yield (np.arange(n) < perfect).astype(int), 1


@stream("adversary", "games in which the experts err in turn")
def one_at_a_time(n: int, rounds: int) -> Rounds:
    """In each round one expert errs, another one in turn; all others are right."""
    for t in range(need.count("rounds", rounds)):
        x = np.zeros(need.count("n", n), dtype=int)
        x[t % n] = 1
        yield x, 0


# ---------------------------------------------------------------- concepts


@stream("adversary", "games down a mistake tree")
def descend(tree: Node | int, learner: Any) -> Rounds:
    """Walk down a mistake tree, always contradicting the learner.

    Parameters
    ----------
    tree : Node or int
        From `olutil.dimension.mistake_tree`; a leaf has no rounds.
    learner : Learner
        Deterministic; predicts 0 or 1 at the index of a point.

    Yields
    ------
    x : int
        The point at the current node.
    y : int
        The opposite of the learner's prediction.
    """
    if not isinstance(tree, Node):
        need.count("tree", tree, least=0)
    while isinstance(tree, Node):
        y = 1 - int(learner.predict(tree.point))
        yield tree.point, y
        tree = tree.one if y else tree.zero


@stream("exhaustive", "labeled sequences of {rounds} points")
def every_sequence(target: Any, rounds: int) -> Rounds:
    """All sequences of points, labeled by one concept, on one batch axis.

    Parameters
    ----------
    target : array_like of 0/1, shape (points,) or (concepts, points)
        A concept; or a class, each of whose concepts is the target in turn.
    rounds : int
        ``points ** rounds`` sequences, at most 2**22.

    Yields
    ------
    x : ndarray of int
        Shape ``(points ** rounds,)`` or ``(concepts, points ** rounds)``.
    y : ndarray of 0/1, of the same shape

    Examples
    --------
    >>> [x.shape for x, y in every_sequence([[0, 1, 1], [1, 1, 1]], 2)]
    [(2, 9), (2, 9)]
    """
    target = need.labels("target", target, (0, 1))
    points = max(target.shape[-1:], default=0)
    if points == 0:
        raise need.invalid("target", "a label for every point", target)
    if points ** need.count("rounds", rounds) > 2**22:
        raise need.invalid("rounds", "at most 2**22 sequences", points**rounds)
    numbers = np.arange(points**rounds)
    for t in range(rounds):
        x = numbers // points**t % points
        y = target[..., x]
        yield np.broadcast_to(x, y.shape), y


# ---------------------------------------------------------------- linear


@stream("random", "random streams of {rounds} points with margin {gamma}")
def separable(
    rng: np.random.Generator, rounds: int, u: Any, *, gamma: float,
    batch: tuple[int, ...] = (),
) -> Rounds:  # fmt: skip
    """Points of the unit ball, at least ``gamma`` away from a hyperplane.

    Parameters
    ----------
    rng : numpy.random.Generator
    rounds : int
    u : array_like, shape (d,)
        The separator; scaled to norm 1.
    gamma : float
        The margin, in (0, 1).
    batch : tuple of int
        The shape of the batch axes.

    Yields
    ------
    x : ndarray, shape batch + (d,)
        With norm at most 1 and ``y (u . x) >= gamma``.
    y : ndarray of -1/+1, shape batch
    """
    rng, batch = need.generator("rng", rng), need.sizes("batch", batch)
    u = need.numbers("u", u).astype(float)
    if u.ndim != 1 or not np.any(u):
        raise need.invalid("u", "a vector other than 0", u)
    u = scaled(u)[0] / np.linalg.norm(scaled(u)[0])
    need.number("gamma", gamma, "a margin in (0, 1)", lambda v: 0 < v < 1)
    for _ in range(need.count("rounds", rounds)):
        y = 2 * rng.integers(0, 2, size=batch) - 1
        along = gamma + (1 - gamma) * rng.random((*batch, 1)) ** 2
        across = rng.standard_normal((*batch, len(u)))
        across -= (across @ u)[..., None] * u
        length = np.linalg.norm(across, axis=-1, keepdims=True)
        reach = np.sqrt(1 - along**2) * rng.random((*batch, 1))
        safe = np.where(length > 0, length, 1)
        x = y[..., None] * along * u + reach * across / safe
        yield x, y


@stream("adversary", "streams of the unit vectors of {d} dimensions")
def unit_vectors(d: int, y: Any = 1, *, repeats: int = 1) -> Rounds:
    """The coordinate vectors e_1, ..., e_d in turn, each ``repeats`` times, label y."""
    for row in np.eye(need.count("d", d), dtype=int):
        for _ in range(need.count("repeats", repeats)):
            yield row, y


@stream("random", "random streams of {rounds} points with {d} features")
def disjunction(
    rng: np.random.Generator, rounds: int, d: int, relevant: Any, *,
    active: float = 0.5, batch: tuple[int, ...] = (),
) -> Rounds:  # fmt: skip
    """Random 0/1 points, labeled by the disjunction of the ``relevant`` features.

    Parameters
    ----------
    rng : numpy.random.Generator
    rounds, d : int
        Horizon and features.
    relevant : sequence of int
        The features of the disjunction; none means the constant 0.
    active : float
        Each feature's chance of a 1, in [0, 1].
    batch : tuple of int
        The shape of the batch axes.

    Yields
    ------
    x : ndarray of 0/1, shape batch + (d,)
    y : ndarray of 0/1, shape batch
    """
    rng, batch = need.generator("rng", rng), need.sizes("batch", batch)
    need.number("active", active, "a chance in [0, 1]", lambda v: 0 <= v <= 1)
    relevant = need.indices("relevant", relevant, need.count("d", d))
    for _ in range(need.count("rounds", rounds)):
        x = (rng.random((*batch, d)) < active).astype(int)
        yield x, x[..., relevant].any(axis=-1).astype(int)


@stream("adversary", "games of at most {rounds} rounds against a greedy adversary")
def most_costly(
    learner: Any, points: Any, target: Callable, rounds: int, *, sign: bool = False
) -> Rounds:
    """A greedy adversary: a point on which the learner errs, as dense as possible.

    Parameters
    ----------
    learner : Learner
    points : array_like, shape (m, d)
        The points to choose from.
    target : callable
        ``target(points)`` gives their labels.
    rounds : int
        Stop after so many rounds, or when the learner errs nowhere.
    sign : bool
        Whether the labels are -1 and +1 instead of 0 and 1.

    Yields
    ------
    x : ndarray, shape (d,)
    y : int
    """
    points = np.asarray(points)
    points = points[np.argsort(-points.sum(axis=1), kind="stable")]
    labels = np.asarray(target(points))
    labels = 2 * labels - 1 if need.one_of("sign", sign, (False, True)) else labels
    for _ in range(need.count("rounds", rounds)):
        errs = np.flatnonzero(np.asarray(learner.predict(points)) != labels)
        if not len(errs):
            return
        yield points[errs[0]], labels[errs[0]]


def cycle(X: Any, y: Any, epochs: int) -> Rounds:
    """Present the same examples again and again, in order.

    Parameters
    ----------
    X : array_like, shape (m, d)
    y : array_like, shape (m,)
    epochs : int
        How many times.
    """
    for _ in range(need.count("epochs", epochs)):
        yield from zip(np.asarray(X), np.asarray(y), strict=True)


def sign_patterns(m: int) -> np.ndarray:
    """All vectors of m signs, shape (2**m, m)."""
    return np.array(list(product((-1, 1), repeat=need.count("m", m))))
