"""How late a submission is, and what a course takes off for it."""

import math
import runpy
from collections.abc import Callable
from datetime import date, datetime, time
from pathlib import Path

# Points that are taken off, of a submission's points and the hours that it is late.
Policy = Callable[[float, float], float]
TRIED = (1 / 60, 1.0, 23.9, 24.0, 48.0, 100.0, 1000.0, 10_000.0)  # hours


def moment(text: str) -> datetime:
    """A time that a person wrote; a date alone is the end of that day.

    Raises
    ------
    ValueError
    """
    try:
        return datetime.combine(date.fromisoformat(text), time.max)
    except ValueError:
        pass
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        raise ValueError(
            f"expected a time such as '2027-01-31 23:59', got {text!r}"
        ) from None


def in_words(seconds: float) -> str:
    """How late that is: in days and hours, or below a day in hours and minutes."""
    minutes = max(1, int(seconds // 60))
    hours, minutes = divmod(minutes, 60)
    days, rest = divmod(hours, 24)
    parts = (
        [(days, "day"), (rest, "hour")]
        if days
        else [(rest, "hour"), (minutes, "minute")]
    )
    return " ".join(f"{n} {unit}{'s' * (n != 1)}" for n, unit in parts if n)


def policy(path: Path, maximum: float) -> Policy:
    """The function ``late(points, hours)`` of a file, tried out.

    Parameters
    ----------
    path : Path
        A Python file of the course's own.
    maximum : float
        The most points of the problem set.

    Raises
    ------
    ValueError
        If there is no such function, or it takes off what nobody can.
    """
    try:
        late = runpy.run_path(str(path)).get("late")
    except Exception as error:
        raise ValueError(
            f"--late: expected a Python file, got {path} "
            f"({type(error).__name__}: {error})"
        ) from None
    if not callable(late):
        raise ValueError(f"--late: expected a function late(points, hours) in {path}")

    def taken_off(points: float, hours: float) -> float:
        try:
            found = float(late(points, hours))
        except Exception as error:
            found, got = math.nan, f"{type(error).__name__}: {error}"
        else:
            got = f"{found:g}"
        if not 0 <= found <= points:
            raise ValueError(
                f"--late: expected late({points:g}, {hours:g}) to be the points that "
                f"are taken off, from 0 to {points:g}, got {got} ({path})"
            )
        return found

    for hours in TRIED:
        for points in (0.0, maximum / 3, maximum):
            taken_off(points, hours)
    return taken_off
