"""Play online learners, count their mistakes, compare the count with the theorem.

The package follows the lectures: a learner predicts and updates, `play` runs the
protocol, `theorems` holds every statement, and `verify.check` compares.
"""

from olutil.protocol import Run, play, steps
from olutil.verify import BoundViolated, check, refute

__all__ = ["BoundViolated", "Run", "check", "play", "refute", "steps"]
