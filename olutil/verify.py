"""The only place that compares a run with a theorem.

`check` computes the right-hand side from the registry, refuses premises that do not
hold and checks that could not fail, raises `BoundViolated`, and otherwise shows a
record: one line in a terminal; in a notebook also a sentence for a reader and the data
from which the ledger is made.  `refute` is its mirror: it passes when a claim as
printed in a lecture *fails* on an example.
"""

import html
import sys
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np

from olutil._arguments import array_of, broadcast, exact, invalid, numbers, one_of
from olutil.errata import ERRATA
from olutil.instances import Instances, instances_of
from olutil.theorems._registry import STATEMENTS, Statement, bound

# Floating-point sums may miss a bound that they attain by a few roundings; integers
# and Fractions get no slack at all.
ROUNDING = 1e-10
LONGEST = 500  # characters of a command that repeats a comparison

SIGNS = {"<=": "≤", ">=": "≥", "==": "=", "<": "<"}
# What the bound is, for a reader.
BORDERS = {"≤": "the bound is", "≥": "the lower bound is", "<": "always less than"}
# Kinds of evidence whose instances are the numbers compared; the others come from what
# made the instances.
BY_NUMBERS = {
    "steps": "steps",
    "exact": "cases, computed exactly",
    "data": "cases of real data",
}
RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
MIME = "application/vnd.olutil.check+json"


class BoundViolated(AssertionError):
    """A run contradicts a registered statement."""

    def __init__(self, id: str, message: str):
        super().__init__(id, message)  # both, so that it survives pickling
        self.id = id

    def __str__(self) -> str:
        return self.args[1]


class ClaimHolds(AssertionError):
    """A claim that was to be refuted holds on the example given."""


class VacuousCheck(ValueError):
    """A check that could not have failed."""


@dataclass(frozen=True)
class Record:
    """What one check found.

    Attributes
    ----------
    id, how : str
        The statement, and the kind of evidence.
    instances : int
        How many instances were compared.
    what : str
        What they are, in the plural.
    observed, relation, bound : str
        The instance that comes nearest to the bound.
    tightness : float or None
        Observed over bound there (bound over observed for a lower bound), to six
        digits; None where the ratio has no meaning.
    unit : str
        What the observed number counts, such as mistakes; empty if it has no unit.
    """

    id: str
    how: str
    instances: int
    what: str
    observed: str
    relation: str
    bound: str
    tightness: float | None
    unit: str = ""

    def __str__(self) -> str:
        """The line that a terminal shows."""
        plural = "" if self.instances == 1 else "s"
        line = (
            f"✓ {self.id} · {self.how} · {_rounded(self.instances)} instance{plural} · "
            f"{self.observed} {self.relation} {self.bound}"
        )
        tight = self.tightness is not None
        return f"{line} · tightness {self.tightness:.4f}" if tight else line

    def sentence(self) -> str:
        """What was found, after the statement's name: in how many games, how nearly."""
        number = _readable(self.instances) if self.instances > 1 else "one of the"
        all_of = "all " if self.how != "random" and self.instances > 1 else ""
        holds = f"holds in {all_of}{number} {self.what}"
        if self.relation == "=":
            return f"{holds}: both sides are equal."
        unit = self.unit.removesuffix("s") if self.observed == "1" else self.unit
        nearest = f"{self.observed} {unit}".rstrip()
        border = f"{BORDERS[self.relation]} {self.bound}"
        return f"{holds}; the nearest has {nearest}, {border}."

    def _repr_mimebundle_(self, **_: Any) -> dict[str, Any]:
        """The record in three forms: for a terminal, for a reader, for the ledger."""
        id, sentence = html.escape(self.id), html.escape(self.sentence())
        return {
            "text/plain": str(self),
            "text/html": f'<p class="check">✓ <a href="#{id}">{id}</a>: {sentence}</p>',
            MIME: vars(self),
        }

    def show(self) -> None:
        """Show the record where the program runs: a notebook, or a terminal."""
        ipython = sys.modules.get("IPython")
        if ipython is None or ipython.get_ipython() is None:
            print(self)
        else:
            ipython.display.display(self)


def _rounded(number: int) -> str:
    """All digits; past a trillion they say less than the magnitude."""
    return f"{Decimal(number):.3e}" if number >= 10**12 else f"{number:,}"


def _readable(number: int) -> str:
    """The same as a reader would write it: 1,024, or 1.1 × 10²⁵."""
    if number < 10**12:
        return f"{number:,}"
    digits, exponent = f"{Decimal(number):.1e}".split("e+")
    return f"{digits} × 10{exponent.translate(RAISED)}"


def _show(value: Any) -> str:
    """A number without spaces: whole, a short fraction, or six digits."""
    if isinstance(value, bool | np.bool_ | int | np.integer):
        return str(int(value))
    if isinstance(value, Fraction) and len(str(value)) <= 12:
        return str(value)
    if float(value).is_integer() and abs(value) < 1e15:
        return str(int(value))
    return f"{float(value):.6g}"


def _excess(observed: np.ndarray, limit: np.ndarray, relation: str) -> np.ndarray:
    """How far each instance is on the wrong side (positive: it violates)."""
    observed, limit = (
        array.astype(int) if array.dtype == bool else array
        for array in (observed, limit)
    )
    difference = observed - limit
    if relation == ">=":
        difference = -difference
    elif relation == "==":
        difference = abs(difference)
    if not (exact(observed) and exact(limit)):
        difference = np.asarray(difference, dtype=float)
        scale = np.maximum(1.0, abs(np.asarray(limit, dtype=float)))
        difference = np.where(abs(difference) <= ROUNDING * scale, 0.0, difference)
    return difference


def _violates(excess: np.ndarray, relation: str) -> np.ndarray:
    return excess >= 0 if relation == "<" else excess > 0


def _tightness(observed: Any, limit: Any, relation: str) -> float | None:
    if observed == limit:
        return 1.0
    top, bottom = (limit, observed) if relation == ">=" else (observed, limit)
    # (Six digits, since other processors differ in the last ones.)
    return float(f"{float(top / bottom):.6g}") if bottom > 0 and top >= 0 else None


def _nearest(
    observed: np.ndarray, limit: np.ndarray, excess: np.ndarray, relation: str,
    counts: np.ndarray,
) -> int:  # fmt: skip
    """The flat index of the instance nearest to its bound, the largest among equals.

    Only instances that count are looked at: where the bound is no better than the
    trivial one, to be near it means nothing.
    """
    observed, limit = (np.asarray(a, dtype=float).ravel() for a in (observed, limit))
    excess = np.asarray(excess, dtype=float).ravel()
    top, bottom = (limit, observed) if relation == ">=" else (observed, limit)
    meaningful = (bottom > 0) & (top >= 0)
    ratio = np.where(meaningful, top / np.where(meaningful, bottom, 1), -np.inf)
    ratio[excess == 0] = 1
    ratio, excess = (np.where(counts.ravel(), a, -np.inf) for a in (ratio, excess))
    nearness = ratio if np.any(np.isfinite(ratio)) else excess
    among = np.flatnonzero(nearness == nearness.max())
    return int(among[limit[among].argmax()])


def check(
    id: str, observed: Any, *, over: Any = None, how: str | None = None,
    trivial: Any = None, **parameters: Any,
) -> Record:  # fmt: skip
    """Compare what a run showed with what a theorem says, and show the record.

    Parameters
    ----------
    id : str
        The statement, as registered in `olutil.theorems`.
    observed : number or array_like
        The left-hand side: counted mistakes, a potential, whether something is an
        exception; one entry an instance, or several.
    over : object with ``instances``, or a list of such
        What made the instances, and so knows their kind and number: the
        `olutil.protocol.Run` of a stream, a worst case of `olutil.exact`, an
        enumeration such as ``every(points, "points of the cube")``.
    how : {"steps", "exact", "data"}
        Instead of ``over``, where the instances are the observed numbers themselves:
        inequalities of a proof along a run; rational, symbolic or closed-form
        arithmetic; real data.
    trivial : number or array_like, optional
        What holds without any theorem (usually the number of rounds).  Required where
        the statement claims more than that; the bound must be smaller for at least one
        instance, or the check is refused.
    **parameters
        What the statement's right-hand side and premises take.  Arrays broadcast
        against ``observed``.

    Returns
    -------
    Record

    Raises
    ------
    BoundViolated
        With the statement, the numbers and, where it is short, a command that repeats
        the comparison.
    VacuousCheck
        If there is no instance, or the bound is no better than the trivial one.
    ValueError
        If a premise does not hold, a number is NaN, a count (of mistakes, say) is
        negative, or the observed numbers are not those of ``over``.

    Examples
    --------
    >>> _ = check("kak-thm2.2", [1, 2, 3], how="exact", trivial=9, size=[2, 4, 8])
    ✓ kak-thm2.2 · exact · 3 instances · 3 ≤ 3 · tightness 1.0000
    """
    limit = numbers(f"{id}: bound", bound(id, **parameters))
    observed = broadcast("observed", numbers(f"{id}: observed", observed), limit.shape)
    observed, limit = np.broadcast_arrays(observed, limit)
    if observed.size == 0:
        raise VacuousCheck(f"{id}: expected at least one instance, got none")
    instances = _instances(over, how, observed.size)
    statement = STATEMENTS[id]
    if statement.unit and "regret" not in statement.unit and np.any(observed < 0):
        raise invalid("observed", f"at least 0 {statement.unit}", observed.min())
    counts = _meaningful(statement, limit, trivial)
    excess = _excess(observed, limit, statement.relation)
    bad = _violates(excess, statement.relation)
    if np.any(bad):
        at = int(max(np.flatnonzero(bad), key=np.ravel(excess).__getitem__))
        arguments = {"how": "exact", "trivial": trivial, **parameters}
        raise BoundViolated(id, _violation(id, observed, limit, bad, at, arguments))
    at = _nearest(observed, limit, excess, statement.relation, counts)
    nearest, its_limit = observed.flat[at], limit.flat[at]
    record = Record(
        id, instances.how, instances.count, instances.what,
        _show(nearest), SIGNS[statement.relation], _show(its_limit),
        _tightness(nearest, its_limit, statement.relation), statement.unit,
    )  # fmt: skip
    record.show()
    return record


def _instances(over: Any, how: str | None, size: int) -> Instances:
    """Kind and number of what is compared in ``size`` numbers."""
    if over is not None and how is None:
        return instances_of(over).compared_in(size)
    if over is not None:
        raise invalid("how", "nothing, since over= says it", how)
    if how not in BY_NUMBERS:
        raise invalid("over", "what made them, or how= steps, exact or data", how)
    return Instances(how, size, BY_NUMBERS[how], size)


def _meaningful(statement: Statement, limit: np.ndarray, trivial: Any) -> np.ndarray:
    """In which instances the bound is better than the trivial one; some must be."""
    if not statement.nontrivial:
        return np.ones(limit.shape, dtype=bool)
    if trivial is None:
        raise VacuousCheck(
            f"{statement.id}: claims more than the trivial bound: name that as trivial="
        )
    trivial = array_of("trivial", trivial)
    numbers("trivial", [v for v in trivial.flat if v != np.inf])
    broadcast("trivial", trivial, limit.shape, wider=False)
    lower = statement.relation == ">="
    counts = np.asarray(limit > trivial if lower else limit < trivial)
    if not counts.any():
        raise VacuousCheck(
            f"{statement.id}: the bound {limit.flat[0]} is no better than the trivial "
            f"{np.max(trivial)} in any instance, so this check could not fail"
        )
    return counts


def _violation(id, observed, limit, bad, at, arguments) -> str:
    """The message of a violated bound, with a command that repeats the comparison."""
    statement = STATEMENTS[id]

    def here(value):
        array = np.asarray(value)
        same = array.shape == observed.shape
        return array.flat[at] if same else value

    there = {name: here(value) for name, value in arguments.items()}
    call = "".join(f", {name}={_literal(value)}" for name, value in there.items())
    again = (
        'python -c "from fractions import Fraction; from olutil import check; '
        f"check('{id}', {_literal(observed.flat[at])}{call})\""
    )
    # A shell takes no longer command, and nobody reads one.
    if len(again) > LONGEST or not _gives(id, there, limit.flat[at]):
        again = "run this cell (its arrays do not fit into a command)"
    return (
        f"{id} ({statement.source}) is violated in "
        f"{int(np.sum(bad))} of {observed.size} instances.\n"
        f"Worst: observed {observed.flat[at]}, which is not "
        f"{SIGNS[statement.relation]} {limit.flat[at]}.\n"
        f"Repeat: {again}"
    )


def _gives(id: str, arguments: dict[str, Any], limit: Any) -> bool:
    """Whether the arguments of one instance have its right-hand side."""
    own = {k: v for k, v in arguments.items() if k not in ("how", "trivial")}
    try:
        return np.array_equal(bound(id, **own), limit)
    except ValueError:
        return False


def _literal(value: Any) -> str:
    """A Python expression for a parameter, free of numpy's own reprs."""
    return repr(value.tolist() if isinstance(value, np.ndarray | np.generic) else value)


def refute(erratum: str, observed: Any, relation: str, claimed: Any, /) -> None:
    """Show that a claim, as printed in a lecture, fails on an example.

    Parameters
    ----------
    erratum : str
        Its id on the errata page.
    observed : number or bool
        What the example shows.
    relation : {"<=", ">=", "==", "<"}
        How the claim relates the two.
    claimed : number or bool
        The right-hand side of the claim.

    Raises
    ------
    ClaimHolds
        If the example does not refute the claim.
    ValueError
        If there is no such erratum.

    Examples
    --------
    >>> refute("cos511-E3", 0.75, "<=", 0)
    ✗ cos511-E3 · the claim 0.75 ≤ 0 is false
    """
    one_of("relation", relation, tuple(SIGNS))
    if erratum not in ERRATA:
        raise invalid("erratum", "an id of olutil.errata", erratum)
    left, right = numbers("observed", observed), numbers("claimed", claimed)
    if left.ndim or right.ndim:
        raise invalid("observed, claimed", "two numbers", (observed, claimed))
    sentence = f"{_show(observed)} {SIGNS[relation]} {_show(claimed)}"
    if not np.all(_violates(_excess(left, right, relation), relation)):
        raise ClaimHolds(f"{erratum}: the claim {sentence} holds, so it is not refuted")
    print(f"✗ {erratum} · the claim {sentence} is false")
