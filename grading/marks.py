"""What the gradebook says of a submission, marks given by hand included."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime


@dataclass(frozen=True)
class Marks:
    """The marks of a submission.

    ``points`` is None for a question that nobody has marked; ``maximum`` has the most
    that each is worth, ``to_mark`` those that a person is still to look at, and
    ``comments`` what was said, by the name of the cell.  ``by_hand`` are the questions
    with a mark in the gradebook, and ``said`` has by question what graders wrote in
    tables of their own: who, what mark, and a comment.  ``handed_in`` is None if
    nobody knows; ``overruled`` says where a mark given by hand stands in the place of
    the checks' points, or beside them.  ``penalty`` are the points that are taken off
    the ``total`` for lateness.
    """

    points: Mapping[str, float | None]
    maximum: Mapping[str, float]
    to_mark: tuple[str, ...] = ()
    comments: Mapping[str, str] = field(default_factory=dict)
    total: float = 0.0
    handed_in: datetime | None = None
    seconds_late: float = 0.0
    overruled: tuple[str, ...] = ()
    by_hand: frozenset[str] = frozenset()
    said: Mapping[str, list[tuple[str, str, str]]] = field(default_factory=dict)
    penalty: float = 0.0

    @property
    def counting(self) -> float:
        """The points without those that are taken off."""
        return self.total - self.penalty

    def in_words(self, question: str) -> str:
        """A question's points."""
        if question not in self.maximum:
            return "not in the set any more"
        points, maximum = self.points.get(question), self.maximum[question]
        if points is None:
            return f"not yet marked, of {maximum:g}"
        again = ", to be looked at again" if question in self.to_mark else ""
        return f"{points:g} / {maximum:g}{again}"

    def total_in_words(self) -> str:
        """All points, of what is marked so far."""
        marked = [q for q in self.maximum if self.points.get(q) is not None]
        earned = sum(self.points[q] for q in marked)
        maximum = sum(self.maximum[q] for q in marked)
        rest = sum(self.maximum.values()) - maximum
        if not rest:
            again = ", some to be looked at again" if self.to_mark else ""
            return f"{earned:g} / {maximum:g} points{again}"
        return (
            f"{earned:g} / {maximum:g} points so far; {rest:g} points are not yet "
            "marked"
        )
