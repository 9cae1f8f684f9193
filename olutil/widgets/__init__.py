"""Figures that a reader drives, and games that a reader plays.

`explore` stores a drawing for each setting of its sliders.  The others are computed in
the browser, on a page without a kernel, offline, and in JupyterLab; the tests compare
them with the package.  matplotlib, ipywidgets and anywidget are imported when they are
needed, not with this package.
"""

from olutil.widgets.concepts import adversary_game, learner_game
from olutil.widgets.experts import experts_race, weather_game
from olutil.widgets.interactive import Interactive
from olutil.widgets.matrix_games import fictitious_figure
from olutil.widgets.player import Player, explore

__all__ = [
    "Interactive", "Player", "adversary_game", "experts_race", "explore",
    "fictitious_figure", "learner_game", "weather_game",
]  # fmt: skip
