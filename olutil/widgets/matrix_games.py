"""A figure on games of two players, whose payoffs are typed on the page."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from olutil._arguments import count, invalid
from olutil.games import fictitious_play, game
from olutil.widgets.interactive import Interactive

MOST_ROUNDS = 10_000  # and the largest payoff is 99, as in fictitious.js


def fictitious_figure(games: Mapping[str, tuple], *, rounds: int = 400) -> Interactive:
    """Fictitious play in games that the reader changes, from where the reader likes.

    The page plays it exactly, with ties for the first action, as `fictitious_play`; it
    shows both players' weights, the lengths of the runs, and the average regret.

    Parameters
    ----------
    games : mapping of str to (game, kappa_1, kappa_2, actions)
        The games to choose from, by name; the first one is shown first.  Each is a
        pair of matrices, 2x2 or 3x3, the initial weights as for `fictitious_play`, and
        the actions' names as text: a letter an action, such as ``"HT"``.
    rounds : int
        How many rounds are shown at first, 1 to 10,000.

    Returns
    -------
    Interactive
        The last value of a cell.

    Raises
    ------
    ValueError
        If a game has another shape, a payoff is not from -99 to 99, a payoff or a
        weight has more than two decimals, or another argument does not fit.

    Examples
    --------
    >>> from olutil.games import MATCHING_PENNIES
    >>> fictitious_figure({"pennies": (MATCHING_PENNIES, [1.5, 2], [2, 1.5], "HT")})
    A figure to touch: fictitious play in a game of your own
    """
    if not isinstance(games, Mapping) or not games:
        raise invalid("games", "games by name", games)
    shown = [{"name": str(name)} | _given(one) for name, one in games.items()]
    data = {"games": shown, "rounds": count("rounds", rounds, most=MOST_ROUNDS)}
    return Interactive("fictitious", "fictitious play in a game of your own", data)


def _given(one: Any) -> dict[str, Any]:
    """A game with its start, as plain numbers."""
    if not isinstance(one, tuple) or len(one) != 4:
        raise invalid("games", "tuples (game, kappa_1, kappa_2, actions)", one)
    pair, kappa_1, kappa_2, actions = one
    pair = game(*pair)
    next(fictitious_play(pair, kappa_1, kappa_2))  # which refuses what is no start
    size = pair.A.shape
    if size not in ((2, 2), (3, 3)) or len(actions) != len(pair.A):
        wanted = "2x2 or 3x3 games, with a letter an action"
        raise invalid("games", wanted, (size, actions))
    numbers = {"A": pair.A, "B": pair.B, "k1": kappa_1, "k2": kappa_2}
    for name, values in numbers.items():
        values = np.asarray(values, dtype=float)
        if (values != values.round(2)).any() or (abs(values) > 99).any():
            wanted = "numbers up to 99 with at most two decimals"
            raise invalid(f"games: {name}", wanted, values.tolist())
        numbers[name] = values.tolist()
    return numbers | {"actions": actions}
