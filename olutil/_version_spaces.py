"""Version spaces as Python integers, one bit a concept.

One ``&`` keeps the concepts that say b at a point, and results for a version space are
looked up under its number.
"""

from collections.abc import Callable
from typing import Any

import numpy as np


def bit_set(row: Any) -> int:
    """A row of truth values as an integer, entry i as bit i."""
    return int("".join("1" if v else "0" for v in reversed(row)), 2)


def columns_of(C: np.ndarray) -> list[int]:
    """The distinct columns of a class: for each, the concepts that are 1 there."""
    return sorted({bit_set(column) for column in C.T})


def split(versions: int, column: int) -> tuple[int, int]:
    """The concepts of ``versions`` that say 0, and those that say 1, at a point."""
    return versions & ~column, versions & column


def monotone(test: Callable[[int, int], bool]) -> Callable[[int, int], bool]:
    """Decorate a monotone test of ``(versions, size)``: remember how far it holds.

    If it holds for a size it must hold for all smaller ones, and no size for which it
    holds may exceed ``floor(lg |versions|)``; it is not asked about sizes below 1, nor
    about no concepts, for which it holds at no size.
    """
    shown: dict[int, int] = {}  # the largest size for which it was found to hold
    refuted: dict[int, int] = {}  # the smallest for which it was found not to

    def holds(versions: int, size: int) -> bool:
        if size >= refuted.get(versions, versions.bit_count().bit_length()):
            return False
        if size <= shown.get(versions, 0):
            return True
        answer = test(versions, size)
        (shown if answer else refuted)[versions] = size
        return answer

    return holds


def largest_size(holds: Callable[[int, int], bool], versions: int) -> int:
    """The largest size for which a `monotone` test holds; -1 if there is none."""
    size = -1
    while holds(versions, size + 1):
        size += 1
    return size


def littlestone_dimensions(columns: list[int]) -> Callable[[int], int]:
    """The Littlestone dimension of version spaces, as a function; -1 of the empty one.

    ``columns`` is `columns_of` the class.
    """

    @monotone
    def shatters(versions: int, depth: int) -> bool:
        for column in columns:
            # The side with fewer concepts is the likelier one to fail.
            small, large = sorted(split(versions, column), key=int.bit_count)
            if shatters(small, depth - 1) and shatters(large, depth - 1):
                return True
        return False

    return lambda versions: largest_size(shatters, versions)
