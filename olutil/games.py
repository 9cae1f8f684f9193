"""Two-player games: equilibria, fictitious play, exponential weights, regret.

A game is a pair of payoff matrices ``(A, B)``, rows for player 1's actions and columns
for player 2's: ``A`` pays player 1 and ``B`` pays player 2.

Source: Das, slides 26-34.
"""

# Annotations would load numpy.random, a tenth of numpy's own time.
from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial
from itertools import product
from math import lcm
from typing import Any, NamedTuple

import numpy as np

from olutil import _arguments as need
from olutil._exact_sums import CLOSE, TINY

# With floats, what a deviation gains must exceed so much of the largest payoff.
SLACK = 1e-9


class Game(NamedTuple):
    """Payoff matrices of players 1 and 2, both of shape (rows, columns)."""

    A: np.ndarray  #: Player 1's payoffs; player 1 chooses the row.
    B: np.ndarray  #: Player 2's payoffs; player 2 chooses the column.


def game(A: Any, B: Any = None) -> Game:
    """Make a game; with one matrix, the zero-sum game in which player 2 gets ``-A``.

    The matrices are copied.  The functions of this module take a pair of tables, too.

    Raises
    ------
    ValueError
        If the matrices are not two tables of the same shape.
    """
    A = need.numbers("A", A).copy()
    B = -1 * A if B is None else need.numbers("B", B).copy()
    if A.ndim != 2 or 0 in A.shape or A.shape != B.shape:
        raise need.invalid("A, B", "two tables of one shape", (A.shape, B.shape))
    return Game(A, B)


def _checked(pair: Any) -> Game:
    """A game, also if only a tuple, or made of lists."""
    if not isinstance(pair, tuple | list) or len(pair) != 2:
        raise need.invalid("game", "two matrices, as game(A, B) makes it", pair)
    return game(*pair)


PRISONERS_DILEMMA = game([[3, 0], [5, 1]], [[3, 5], [0, 1]])
MATCHING_PENNIES = game([[1, -1], [-1, 1]])
MISCOORDINATION = game([[0, 1], [1, 0]], [[0, 1], [1, 0]])
SHAPLEY = game([[1, 0, 0], [0, 1, 0], [0, 0, 1]], [[0, 1, 0], [0, 0, 1], [1, 0, 0]])


def best_response(payoffs: Any, belief: Any) -> Any:
    """The action with the largest expected payoff, the first one at a tie.

    Parameters
    ----------
    payoffs : array_like, shape (own actions, other's actions)
        The player's own matrix, own actions first.
    belief : array_like, shape (..., other's actions)
        Weights of the other's actions; they need not sum to 1.

    Returns
    -------
    int or ndarray, shape (...)

    Notes
    -----
    Floats count as the fractions that they store: where sums of floats are too close to
    tell apart, Fractions decide, so rock-paper-scissors times 0.1 has the ties that it
    has in whole numbers.
    """
    payoffs = need.numbers("payoffs", payoffs)
    if payoffs.ndim != 2 or 0 in payoffs.shape:
        raise need.invalid("payoffs", "a table, own actions by other's", payoffs.shape)
    belief = _weights("belief", belief, payoffs.shape[1])
    with np.errstate(over="ignore", invalid="ignore"):
        values = np.asarray(belief @ payoffs.T)
        best = np.asarray(values.argmax(axis=-1))
        if need.exact(values) or not any(isinstance(v, float) for v in values.flat):
            return best[()]
        # Floats that are too close to tell apart are compared as what they store.
        error = CLOSE * (abs(belief) @ abs(payoffs.T)) + TINY
        worse = values < values.max(axis=-1, keepdims=True) - error
    doubtful = worse.sum(axis=-1) < len(payoffs) - 1
    if doubtful.any():
        exactly = _as_fractions(belief[doubtful]) @ _as_fractions(payoffs).T
        best[doubtful] = exactly.argmax(axis=-1)
    return best[()]


def is_nash(game: Game, p: Any, q: Any) -> bool:
    """Whether mixed strategies ``p`` and ``q`` are best responses to each other.

    Comparing with the pure deviations suffices (Das, slide 26).  Exact for integers and
    Fractions.  As soon as one number is a float, a deviation has to gain more than 1e-9
    times the player's largest payoff, since 6/11 in floats is not the share at which
    both actions are equally good.

    Parameters
    ----------
    game : Game
    p, q : array_like
        Probabilities of the rows and of the columns.
    """
    A, B = _checked(game)
    p, q = _mixed_strategy("p", p, len(A)), _mixed_strategy("q", q, A.shape[1])
    return not _gains(A, p, q) and not _gains(B.T, q, p)


def _gains(payoffs: np.ndarray, own: np.ndarray, other: np.ndarray) -> bool:
    """Whether some action gains on the own mix, by more than rounding may do."""
    values = payoffs @ other
    exactly = all(map(need.exact, (payoffs, own, other)))
    slack = 0 if exactly else SLACK * abs(payoffs).max()
    return bool(np.any(values - own @ values > slack))


def _weights(name: str, values: Any, size: int) -> np.ndarray:
    """Finite numbers, or numbers of a class of the caller's own, unchecked."""
    array = need.last_axis(name, values, size)
    own = array.dtype == object and all(v is not None and v == v for v in array.flat)
    return array if own else need.reals(name, array, size)


def _mixed_strategy(name: str, shares: Any, size: int) -> np.ndarray:
    shares = need.reals(name, shares, size)
    if shares.ndim != 1 or any(v < 0 for v in shares) or abs(sum(shares) - 1) > 1e-9:
        raise need.invalid(name, f"{size} probabilities with sum 1", shares.tolist())
    return shares


def nash_2x2(game: Game) -> list[tuple[list[Fraction], list[Fraction]]]:
    """All Nash equilibria of a 2x2 game, exactly, if there are finitely many.

    Parameters
    ----------
    game : Game
        With integer or Fraction payoffs.

    Returns
    -------
    list of (p, q)
        Mixed strategies of the two players, as Fractions.

    Raises
    ------
    ValueError
        If the game is not 2x2 or has infinitely many equilibria.

    Examples
    --------
    >>> nash_2x2(MATCHING_PENNIES)
    [([Fraction(1, 2), Fraction(1, 2)], [Fraction(1, 2), Fraction(1, 2)])]
    """
    game = _checked(game)
    if game.A.shape != (2, 2):
        raise need.invalid("game", "a 2x2 game", game.A.shape)
    A, B = map(_as_fractions, game)
    # A player mixes only if the other's mix makes both of its actions equally good.
    q = _indifferent_shares(A[0][0] - A[1][0], A[0][1] - A[1][1])
    p = _indifferent_shares(B[0][0] - B[0][1], B[1][0] - B[1][1])
    pure = {Fraction(0), Fraction(1)}
    mixes = [[[s, 1 - s] for s in sorted(pure | shares)] for shares in (p, q)]
    found = [pair for pair in product(*mixes) if is_nash(game, *pair)]
    # If there is a segment of equilibria, its ends were found; one player's strategy is
    # the same at both, and the middle is an equilibrium too.
    for i, (p1, q1) in enumerate(found):
        for p2, q2 in found[i + 1 :]:
            middle = [(u + v) / 2 for u, v in zip(p1, p2, strict=True)]
            other = [(u + v) / 2 for u, v in zip(q1, q2, strict=True)]
            if (p1 == p2 or q1 == q2) and is_nash(game, middle, other):
                raise need.invalid("game", "finitely many equilibria", game)
    return found


def _indifferent_shares(first: Fraction, second: Fraction) -> set[Fraction]:
    """The shares s between 0 and 1 with s * first + (1 - s) * second = 0."""
    if first == second:
        return set()
    share = Fraction(second, second - first)
    return {share} if 0 < share < 1 else set()


class Round(NamedTuple):
    """One round of play: both actions, and both weight vectors after the round."""

    row: int  #: Player 1's action.
    column: int  #: Player 2's action.
    kappa_1: np.ndarray  #: Player 1's weights, of player 2's actions; shape (columns,).
    kappa_2: np.ndarray  #: Player 2's weights, of player 1's actions; shape (rows,).


def fictitious_play(
    game: Game, kappa_1: Any, kappa_2: Any, *, response: Callable = best_response
) -> Iterator[Round]:
    """Fictitious play: each player answers the other's past actions, forever.

    Parameters
    ----------
    game : Game
    kappa_1, kappa_2 : array_like
        The initial weights: player 1's of player 2's actions, and player 2's of player
        1's.  At least 0, with a positive sum; any numbers that can be compared.
    response : callable
        ``response(own payoffs, weights)`` returns an action, counted from 0;
        `best_response` by default, which breaks ties for the first action.

    Yields
    ------
    Round
        The actions of round 1, 2, ... with the weights *after* that round.

    Raises
    ------
    ValueError
        If initial weights are negative, all zero or of the wrong length, or a response
        is no action.

    Notes
    -----
    Das, slides 29-31.  A tie is one of the weights as they are stored; where sums of
    weights in floats round, `fictitious_runs` is exact.

    Examples
    --------
    >>> rounds = fictitious_play(MATCHING_PENNIES, [1.5, 2], [2, 1.5])
    >>> ["HT"[next(rounds).column] for _ in range(4)]
    ['T', 'H', 'H', 'H']
    """
    game = _checked(game)
    rows, columns = game.A.shape
    kappa_1 = _initial_weights("kappa_1", kappa_1, columns)
    kappa_2 = _initial_weights("kappa_2", kappa_2, rows)
    while True:
        row = need.place("response", response(game.A, kappa_1), rows)
        column = need.place("response", response(game.B.T, kappa_2), columns)
        kappa_1 = kappa_1 + (np.arange(columns) == column)
        kappa_2 = kappa_2 + (np.arange(rows) == row)
        yield Round(row, column, kappa_1, kappa_2)


def _initial_weights(name: str, kappa: Any, size: int) -> np.ndarray:
    kappa = _weights(name, kappa, size)
    if kappa.ndim != 1 or any(v < 0 for v in kappa) or not sum(kappa) > 0:
        wanted = f"{size} weights of at least 0, not all 0"
        raise need.invalid(name, wanted, kappa.tolist())
    return kappa


class ProfileRun(NamedTuple):
    """Successive rounds with the same actions, as many as there are."""

    row: int  #: Player 1's action.
    column: int  #: Player 2's action.
    rounds: int | None  #: How many rounds; None if the run never ends.
    kappa_1: np.ndarray  #: Player 1's weights *before* the run; shape (columns,).
    kappa_2: np.ndarray  #: Player 2's weights before the run; shape (rows,).


def fictitious_runs(game: Game, kappa_1: Any, kappa_2: Any) -> Iterator[ProfileRun]:
    """Fictitious play from one switch to the next, exactly.

    These are the plays of `fictitious_play` with `best_response`, ties included.  The
    time is that of the runs and not of the rounds, which may be far too many to play.

    Parameters
    ----------
    game : Game
    kappa_1, kappa_2 : array_like
        The initial weights, as for `fictitious_play`.

    Yields
    ------
    ProfileRun
        The maximal runs of equal profiles, in their order; the last one never ends, if
        there is a last one.

    Raises
    ------
    ValueError
        If initial weights are negative, all zero or of the wrong length.

    Notes
    -----
    It computes with integers, and with Fractions where a payoff or a weight is not
    whole.  A float is the fraction that it stores; `fictitious_play` rounds sums of
    floats, so it may decide a near tie differently.  Das, slides 29-31.

    Examples
    --------
    >>> runs = fictitious_runs(MATCHING_PENNIES, [1.5, 2], [2, 1.5])
    >>> [next(runs).rounds for _ in range(7)]
    [1, 2, 3, 4, 5, 6, 7]
    """
    A, B = map(_as_fractions, _checked(game))
    rows, columns = A.shape
    kappa_1 = _as_fractions(_initial_weights("kappa_1", kappa_1, columns))
    kappa_2 = _as_fractions(_initial_weights("kappa_2", kappa_2, rows))
    parts = *_as_integers(A, A @ kappa_1), *_as_integers(B, kappa_2 @ B)
    # For so many rounds all sums fit 64 bits; after that they are Python's integers.
    left = 2**61 // max(1, *(abs(v) for part in parts for v in part.flat)) - 1
    A, for_row, B, for_column = (v.astype(int if left > 0 else object) for v in parts)
    while True:
        row, column = int(for_row.argmax()), int(for_column.argmax())
        ends = [
            *_rounds_to_overtake(for_row, A[:, column], row),
            *_rounds_to_overtake(for_column, B[row], column),
        ]
        rounds = min(ends, default=None)
        yield ProfileRun(row, column, rounds, kappa_1, kappa_2)
        if rounds is None:
            return
        left -= rounds
        if left < 0:
            parts = A, for_row, B, for_column
            A, for_row, B, for_column = (v.astype(object, copy=False) for v in parts)
        for_row = for_row + rounds * A[:, column]
        for_column = for_column + rounds * B[row]
        kappa_1, kappa_2 = kappa_1.copy(), kappa_2.copy()
        kappa_1[column] += rounds
        kappa_2[row] += rounds


def _as_fractions(values: np.ndarray) -> np.ndarray:
    """The same numbers, as Python's integers where they are whole."""
    exact = [Fraction(v) for v in values.ravel().tolist()]
    exact = [v.numerator if v.denominator == 1 else v for v in exact]
    return np.array(exact, dtype=object).reshape(values.shape)


def _as_integers(*parts: np.ndarray) -> Iterator[np.ndarray]:
    """The arrays times the least common denominator of all: Python's integers."""
    scale = lcm(*(v.denominator for part in parts for v in part.flat))
    return (_as_fractions(part * scale) for part in parts)


def _rounds_to_overtake(values: np.ndarray, gains: np.ndarray, best: int) -> list[int]:
    """After how many rounds each action that gains on the best one is preferred."""
    speeds = gains - gains[best]
    rivals = np.flatnonzero(speeds > 0)
    if not rivals.size:
        return []
    leads, speeds = values[best] - values[rivals], speeds[rivals]
    # An earlier action wins a tie; a later one has to be strictly better.
    rounds = np.where(rivals < best, -(-leads // speeds), leads // speeds + 1)
    return rounds.tolist()


def smooth_response(rng: np.random.Generator, lam: float) -> Callable:
    """A response for `fictitious_play`: draw from the logit of average payoffs.

    Parameters
    ----------
    rng : numpy.random.Generator
    lam : float
        The weight of the entropy (the slides' lambda), positive.

    Returns
    -------
    callable
        Smooth fictitious play: Das, slide 34, with `exponential_weights`.  It can be
        pickled, with the generator as it then is.
    """
    need.number("lam", lam, "a positive number", lambda v: v > 0)
    return partial(_smooth, need.generator("rng", rng), lam)


def _smooth(rng, lam: float, payoffs: np.ndarray, belief: np.ndarray) -> int:
    average = np.asarray(payoffs) @ (belief / belief.sum())
    return int(rng.choice(len(average), p=exponential_weights(average, lam)))


def exponential_weights(utilities: Any, lam: float) -> np.ndarray:
    """The maximizer of ``I . u + lam * entropy(I)``: proportional to ``exp(u / lam)``.

    Parameters
    ----------
    utilities : array_like, shape (..., n)
        Average payoffs of the experts (or actions).
    lam : float
        Positive.

    Returns
    -------
    ndarray, shape (..., n)
        A distribution over the experts: Das, slide 34.

    Examples
    --------
    >>> exponential_weights([1.0, 1.0], 0.1)
    array([0.5, 0.5])
    """
    lam = float(need.number("lam", lam, "a positive float", lambda v: float(v) > 0))
    u = need.array_of("utilities", utilities)
    u = need.reals("utilities", u, max([1, *u.shape[-1:]])).astype(float)
    with np.errstate(over="ignore"):  # to be infinitely worse is to have no weight
        first = lam if np.isfinite(u / lam).all() else 1.0
        scores = u / first
        powers = np.exp((scores - scores.max(axis=-1, keepdims=True)) / (lam / first))
    return powers / powers.sum(axis=-1, keepdims=True)


class ExponentialWeights:
    """Play experts in proportion to ``exp(average payoff / lam)``.

    Parameters
    ----------
    n : int
        The number of experts.
    lam : float
        The weight of the entropy, positive.
    batch : tuple of int
        The shape of the batch axes: independent streams played at once.

    Attributes
    ----------
    total : ndarray, shape (..., n)
        Each expert's payoffs so far.

    Raises
    ------
    ValueError
        If a parameter is out of range.

    Notes
    -----
    Das, slide 34.  Because the *average* payoffs enter, the weights are those of Hedge
    with the rate ``1 / (lam * (t - 1))`` in round t = 2, 3, ...  It predicts a
    distribution over the experts (its input is ignored); it is told the vector of their
    payoffs.

    Examples
    --------
    >>> learner = ExponentialWeights(2, lam=0.1)
    >>> learner.predict()
    array([0.5, 0.5])
    """

    def __init__(self, n: int, *, lam: float, batch: tuple[int, ...] = ()):
        self.n = need.count("n", n)
        self.lam = need.number("lam", lam, "a positive float", lambda v: float(v) > 0)
        self.total = np.zeros((*need.sizes("batch", batch), self.n))
        self.t = 0

    def predict(self, x: Any = None) -> np.ndarray:
        """The distribution for this round, shape (..., n)."""
        return exponential_weights(self.total / max(self.t, 1), self.lam)

    def update(self, x: Any, y: Any, y_hat: Any) -> None:
        """Add the payoffs ``y`` of the experts, shape (..., n)."""
        payoffs = need.reals("y", y, self.n, self.total.shape[:-1])
        self.total = need.numbers("y", self.total + payoffs)
        self.t += 1


def regret(game: Game, rows: Any, columns: Any) -> Any:
    """Player 1's average regret: the best constant action against what was played.

    Parameters
    ----------
    game : Game
    rows, columns : array_like of int, shape (T,)
        The actions of both players.

    Returns
    -------
    number
        ``max_a mean_t A[a, columns_t] - mean_t A[rows_t, columns_t]``, the quantity
        that universal consistency bounds (Das, slide 32).
    """
    game, rows = _checked(game), need.array_of("rows", rows)
    columns = need.array_of("columns", columns)
    if rows.shape != columns.shape or rows.ndim != 1 or not len(rows):
        raise need.invalid("rows, columns", "two action lists of one length, not empty",
                    (rows.shape, columns.shape))  # fmt: skip
    rows = need.indices("rows", rows, len(game.A))
    columns = need.indices("columns", columns, game.A.shape[1])
    return (game.A[:, columns].mean(axis=1)).max() - game.A[rows, columns].mean()
