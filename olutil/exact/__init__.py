"""Exact worst cases over all streams, and the values of games, by dynamic programs.

A learner that only counts its experts' mistakes has as many states as there are count
vectors, and one that changes only on mistakes has those that mistakes can lead to.  A
dynamic program over the states gives the worst case over *all* streams; it asks the
learner itself what it predicts.  A program over the experts' budgets of mistakes gives
what the best learner can do.
"""

from olutil.exact.classes import every_class_measures
from olutil.exact.concepts import elimination_worst_case, halving_worst_case
from olutil.exact.experts import WorstCase, expected_best, experts_worst_case
from olutil.exact.minimax import comb_regret, experts_minimax, experts_minimax_horizon
from olutil.exact.mistakes import (
    conservative_worst_case,
    perceptron_worst_case,
    winnow_worst_case,
)

__all__ = [
    "WorstCase", "comb_regret", "conservative_worst_case", "elimination_worst_case",
    "every_class_measures", "expected_best", "experts_minimax",
    "experts_minimax_horizon", "experts_worst_case", "halving_worst_case",
    "perceptron_worst_case", "winnow_worst_case",
]  # fmt: skip
