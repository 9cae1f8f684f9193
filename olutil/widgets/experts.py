"""Learning with expert advice, as figures that answer the hand."""

from collections.abc import Mapping, Sequence

import numpy as np

from olutil._arguments import count, invalid
from olutil.theorems import bound
from olutil.widgets.interactive import Interactive

# The script adds up weights as whole numbers, at most 2**rounds each, which is exact
# as long as their sum is below 2**53.
MOST_ROUNDS = 40


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
        The number of days, 1 to 40.
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
