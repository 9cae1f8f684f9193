"""Figures that a reader drives, and games that a reader plays in them.

They work on a page without a kernel, offline, and in JupyterLab.  An `Interactive` is
computed in the browser from what the reader does; a `Player` shows pictures that are
drawn when the cell runs.  matplotlib, ipywidgets and anywidget are imported when they
are needed, not with this package.
"""

from olutil.widgets.concepts import adversary_game, halving_figure, learner_game
from olutil.widgets.experts import experts_race, weather_game
from olutil.widgets.interactive import Interactive
from olutil.widgets.linear import perceptron_figure
from olutil.widgets.matrix_games import fictitious_figure
from olutil.widgets.player import Player, explore

__all__ = [
    "Interactive", "Player", "adversary_game", "experts_race", "explore",
    "fictitious_figure", "halving_figure", "learner_game", "perceptron_figure",
    "weather_game",
]  # fmt: skip
