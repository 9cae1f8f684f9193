"""Learning with expert advice, as figures that answer the hand."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from olutil._arguments import BIT, count, invalid, labels, one_of
from olutil.theorems import bound
from olutil.widgets.interactive import Interactive

# The best of all weathers is computed in the page, in less than a second.
MOST_ROUNDS = 30
# The worst case of all streams is computed at each touch.
MOST_EXPERTS, MOST_PAINTED = 5, 12
RACERS = ("cos511-thm1", "cos511-thm2", "cos511-improve-beta")
PENALTIES = tuple(step / 20 for step in range(1, 20))


def weather_game(
    rules: Mapping[str, str], *, rounds: int = 14,
    example: tuple[str, Sequence[int]] | None = None,
) -> Interactive:  # fmt: skip
    """The reader makes the weather; Weighted Majority predicts it from the rules.

    Parameters
    ----------
    rules : mapping of str to str
        The experts, at least two.  Each is a name and four forecasts, 0 for sun and
        1 for rain: on an odd day after sun, on an odd day after rain, on an even day
        after sun, on an even day after rain.  Before day 1 there was sun.
    rounds : int
        The number of days, 1 to 30.
    example : pair of a str and a sequence of 0/1, optional
        What is shown at first: a name, and the weather of each day.  By default sun
        and rain take turns.

    Returns
    -------
    Interactive
        The last value of a cell: `WeightedMajority` with ``beta=1/2``, or
        `RandomizedWeightedMajority`.  The score is its mistakes less the best expert's;
        beside it stand the largest of all weathers and the bounds of the two theorems.

    Raises
    ------
    ValueError
        If a rule or the example is none, or a number is out of range.

    Examples
    --------
    >>> weather_game({"always sun": "0000", "like yesterday": "0101"}, rounds=5)
    A figure to touch: be the weather, against Weighted Majority
    """
    if not isinstance(rules, Mapping) or len(rules) < 2:
        raise invalid("rules", "a mapping of at least two experts", rules)
    for name, says in rules.items():
        if not isinstance(says, str) or len(says) != 4 or set(says) - set("01"):
            raise invalid("rules", f"four labels such as '0101' for {name!r}", says)
    rounds = count("rounds", rounds, most=MOST_ROUNDS)
    example = example or ("Weather that alternates", np.arange(rounds) % 2)
    pair = isinstance(example, tuple) and len(example) == 2
    if not pair or np.shape(example[1]) != (rounds,) or {*example[1]} - {0, 1}:
        raise invalid("example", f"a name and {rounds} labels 0 or 1", example)
    name, weather = str(example[0]), [int(label) for label in example[1]]
    bounds = [
        np.round(bound(id, beta=0.5, n=len(rules), best=np.arange(rounds + 1)), 6)
        for id in ("cos511-thm1", "cos511-thm2")
    ]
    data = {
        "names": list(rules), "rules": list(rules.values()), "rounds": rounds,
        "example": [name, weather], "bounds": np.array(bounds).tolist(),
    }  # fmt: skip
    return Interactive("weather", "be the weather, against Weighted Majority", data)


def experts_race(advice: Any, outcomes: Any, *, beta: float = 0.5) -> Interactive:
    """Three learners on a stream that the reader paints, beside worst case and bound.

    Parameters
    ----------
    advice : array_like of 0/1, shape (rounds, experts)
        What the experts say at first: at most 12 rounds, and 2 to 5 experts.
    outcomes : array_like of 0/1, shape (rounds,)
        The outcomes at first.
    beta : float
        The penalty at first, one of 0.05, 0.1, ..., 0.95.

    Returns
    -------
    Interactive
        The last value of a cell: `WeightedMajority`, `RandomizedWeightedMajority` and
        `AggregatingAlgorithm`; what `olutil.exact` computes for them is computed in the
        browser, and the bounds are those of the registry.

    Raises
    ------
    ValueError
        If the stream is none, or too long, or the penalty is another one.

    Examples
    --------
    >>> experts_race([[0, 1], [1, 1]], [0, 1])
    A figure to touch: three learners on a stream that you paint
    """
    advice, outcomes = labels("advice", advice, BIT), labels("outcomes", outcomes, BIT)
    rounds, n = advice.shape if advice.ndim == 2 else (0, 0)
    if not (1 <= rounds <= MOST_PAINTED and 2 <= n <= MOST_EXPERTS):
        wanted = f"1 to {MOST_PAINTED} rounds by 2 to {MOST_EXPERTS} experts"
        raise invalid("advice", wanted, f"shape {advice.shape}")
    if outcomes.shape != (rounds,):
        raise invalid("outcomes", f"{rounds} labels", f"shape {outcomes.shape}")
    one_of("beta", beta, PENALTIES)
    given = {"beta": np.array(PENALTIES)[:, None], "n": n, "best": range(rounds + 1)}
    bounds = [np.round(bound(id, **given), 4).tolist() for id in RACERS]
    start = {
        "advice": advice.tolist(), "outcomes": outcomes.tolist(),
        "step": PENALTIES.index(beta) + 1,
    }  # fmt: skip
    name = "three learners on a stream that you paint"
    return Interactive("race", name, {"start": start, "bounds": bounds})
