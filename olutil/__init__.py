"""Play online learners, count their mistakes, compare the count with the theorem.

The package follows the lectures: a learner predicts and updates, `play` runs the
protocol, `theorems` holds every bound, and `verify.check` compares.
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from olutil.protocol import Run, play, steps
    from olutil.verify import BoundViolated, check, refute

__all__ = ["BoundViolated", "Run", "check", "play", "refute", "steps"]


def __getattr__(name: str) -> Any:
    """Import a name when it is asked for: the theorems take longer than numpy."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    home = "protocol" if name in ("Run", "play", "steps") else "verify"
    value = getattr(importlib.import_module(f"olutil.{home}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
