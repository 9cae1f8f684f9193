"""A game that a reader plays on the page.

The script beside this module follows a table, whose bounds are the package's.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import Any

import numpy as np

from olutil._arguments import count, invalid
from olutil.figures import look
from olutil.theorems import bound
from olutil.widgets import _html

# The script adds up weights as whole numbers, 2**rounds at most, and is exact only
# as long as their sum is below 2**53.
MOST_ROUNDS = 40
BETA = 0.5


@dataclass(frozen=True)
class PageGame:
    """A game to play on the page, which shows itself as the last value of a cell.

    Attributes
    ----------
    name : str
        What the game is, in a sentence.
    table : mapping
        What the script plays from.
    """

    name: str
    table: Mapping[str, Any]
    _body: str = field(repr=False)
    _script: str = field(repr=False)

    def __repr__(self) -> str:
        return f"A game to play on the page: {self.name}"

    def _repr_html_(self) -> str:
        kind = self.table["game"]
        style = _html.asset("games.css")
        markup = f"""\
<style>{style}</style>
<section class="ol-game" data-game="{kind}" data-rounds="0" data-mistakes="0"
 data-over="false" aria-label="Game: {escape(self.name)}">
{self._body}
<noscript><p>The game needs JavaScript.</p></noscript>
<p class="ol-paper">This is a game: it can be played on the page of the site.</p>
<script type="application/json">{_html.as_json(dict(self.table))}</script>
</section>"""
        return _html.output(markup, self._script)


def _controls(*groups: str) -> str:
    """A line that says whose turn it is, and the buttons; the script shows them."""
    return f"""\
<div class="ol-controls" hidden>
<p class="ol-turn" aria-live="polite"></p>
{"".join(groups)}
<button type="button" data-again>Start again</button>
</div>"""


def _choices(what: str, words: Sequence[str]) -> str:
    buttons = "".join(
        f'<button type="button" data-label="{label}">{word}</button>'
        for label, word in enumerate(words)
    )
    return f'<div role="group" aria-label="{what}"><span>{what}</span> {buttons}</div>'


# ---------------------------------------------------------------- the weather


def weather_game(rules: Mapping[str, str], *, rounds: int = 20) -> PageGame:
    """The reader makes the weather; Weighted Majority predicts it from the rules.

    Parameters
    ----------
    rules : mapping of str to str
        The experts, at least two.  Each is a name and four forecasts, 0 for sun and
        1 for rain: on an odd day after sun, on an odd day after rain, on an even day
        after sun, on an even day after rain.  Before day 1 there was sun.
    rounds : int
        The number of days, 1 to 40.

    Returns
    -------
    PageGame
        The last value of a cell: `WeightedMajority` with ``beta=1/2``, beside the
        best expert and the bound of its Theorem 1.

    Raises
    ------
    ValueError
        If a rule is no such string, or a number is out of range.

    Examples
    --------
    >>> weather_game({"always sun": "0000", "like yesterday": "0101"}, rounds=5)
    A game to play on the page: be the weather, against Weighted Majority
    """
    if not isinstance(rules, Mapping) or len(rules) < 2:
        raise invalid("rules", "a mapping of at least two experts", rules)
    for name, says in rules.items():
        if not isinstance(says, str) or len(says) != 4 or set(says) - set("01"):
            raise invalid("rules", f"four labels such as '0101' for {name!r}", says)
    if count("rounds", rounds) > MOST_ROUNDS:
        raise invalid("rounds", f"at most {MOST_ROUNDS}", rounds)
    best = np.arange(rounds + 1)
    bounds = bound("cos511-thm1", beta=BETA, n=len(rules), best=best)
    game = {
        "game": "weather", "rules": list(rules.values()), "rounds": rounds,
        "bounds": [round(float(value), 6) for value in bounds],
    }  # fmt: skip
    body = f"""\
<p><strong>You are the weather, for {rounds} days.</strong>
Weighted Majority hears {len(rules)} experts, halves the weight of each that was wrong,
and tells you its forecast before you decide.
Make it err as often as you can while one expert stays good.</p>
{_controls(_choices("Today", ("☀ Sun", "☂ Rain")))}
<div class="ol-board" style="--ol-wma:{look("wma")["color"]}">
{_experts_table(rules)}
<figure class="ol-chart">
<svg viewBox="0 0 340 190" role="img" aria-label="No day has passed."></svg>
<figcaption><span class="ol-wma">Weighted Majority <b>0</b></span>
<span class="ol-best">best expert <b>0</b></span>
<span class="ol-bound">bound <b>{game["bounds"][0]:.2f}</b></span></figcaption>
</figure>
</div>"""
    name = "be the weather, against Weighted Majority"
    return PageGame(name, game, body, "weather.js")


def _experts_table(names: Iterable[str]) -> str:
    """The experts, with room for today's forecast, the weight and the mistakes."""
    rows = "\n".join(
        f'<tr data-count="0"><th scope="row">{escape(name)}</th>'
        '<td></td><td><span class="ol-bar"></span> <span></span></td><td>0</td></tr>'
        for name in names
    )
    return f"""\
<table class="ol-experts"><caption>The experts today</caption>
<thead><tr><th scope="col">Expert</th><th scope="col">Says</th>
<th scope="col">Weight</th><th scope="col">Mistakes</th></tr></thead>
<tbody>
{rows}
</tbody></table>"""
