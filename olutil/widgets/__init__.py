"""Figures that a reader drives and games that a reader plays.

Each is one HTML output with its own style and script, so it works on a page
without a kernel, offline, and in JupyterLab; the numbers in it are computed
by the package when the cell runs.  matplotlib and ipywidgets are imported
when they are needed, not with this package.
"""

from olutil.widgets.games import PageGame, adversary_game, learner_game, weather_game
from olutil.widgets.halving import halving_figure
from olutil.widgets.linear import perceptron_figure
from olutil.widgets.player import Player, explore

__all__ = [
    "PageGame", "Player", "adversary_game", "explore", "halving_figure",
    "learner_game", "perceptron_figure", "weather_game",
]  # fmt: skip
