"""What is registered of a statement, and how; title and text are in its box."""

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

import numpy as np

# In the order of the book.
LECTURES = {
    "kak": "Kakade, Mistake Bound Model, Halving, Linear Classifiers, Perceptron",
    "chan": "Chandola, Online Learning and Mistake Bounds (2017)",
    "cos511": "Schapire, COS 511, lecture 14 (2006)",
    "kit": "Kitani and Chen, Online Linear Classification",
    "das": "Das, 9.520 class on online learning (2007)",
    "x": "Across the lectures",
    "bey": "Beyond the lectures",
}
HOW = ("exhaustive", "adversary", "random", "steps", "exact", "data")
RELATIONS = ("<=", ">=", "==", "<")

STATEMENTS: dict[str, "Statement"] = {}


@dataclass(frozen=True)
class Statement:
    """What a check has to know of one statement of a lecture.

    Attributes
    ----------
    id : str
        The lecture's key and a name, such as ``cos511-thm2``; the target of its box.
    source : str
        Lecture and place in the lecture.
    relation : {"<=", ">=", "==", "<"}
        How the observed quantity relates to the right-hand side.
    rhs : callable
        The right-hand side, a function of keyword parameters.
    premises : mapping of str to callable
        Each hypothesis in words, and as a predicate of keyword parameters.
    errata : tuple of str
        The ids of the errata that this corrected statement answers.
    evidence : tuple of str
        The kinds of evidence that the ledger demands (a subset of `HOW`).
    nontrivial : bool
        Whether the statement claims more than the trivial bound, so that a check
        must name the trivial bound and beat it.
    unit : str
        What the observed number counts, in the plural: ``"mistakes"``.
    """

    id: str
    source: str
    relation: str
    rhs: Callable
    premises: Mapping[str, Callable]
    errata: tuple[str, ...]
    evidence: tuple[str, ...]
    nontrivial: bool
    unit: str

    def __reduce__(self) -> tuple:
        return _registered, (self.id,)  # its functions cannot be pickled

    @property
    def lecture(self) -> str:
        """The lecture's key: the id up to its first hyphen."""
        return self.id.split("-", 1)[0]

    def parameters(self) -> dict[str, bool]:
        """Every parameter of right-hand side and premises; True where required."""
        names: dict[str, bool] = {}
        for function in (self.rhs, *self.premises.values()):
            for name, parameter in inspect.signature(function).parameters.items():
                required = parameter.default is inspect.Parameter.empty
                names[name] = names.get(name, False) or required
        return names

    def broken_premise(self, given: Mapping[str, Any]) -> str | None:
        """The first hypothesis that does not hold for the given parameters."""
        for words, holds in self.premises.items():
            if not np.all(_call(holds, given)):
                return words
        return None


def _registered(id: str) -> Statement:
    return STATEMENTS[id]


def _call(function: Callable, given: Mapping[str, Any]) -> Any:
    """Call ``function`` with those of the given parameters that it names."""
    names = inspect.signature(function).parameters
    return function(**{name: given[name] for name in names if name in given})


def theorem(
    id: str,
    where: str,
    *,
    relation: str = "<=",
    premises: Mapping[str, Callable] | None = None,
    errata: str = "",
    evidence: str = "",
    nontrivial: bool = False,
    unit: str = "",
) -> Callable[[Callable], Callable]:
    """Register the decorated function as the right-hand side of a statement.

    Parameters
    ----------
    id, relation, premises, nontrivial, unit
        See `Statement`.
    where : str
        The place in the lecture, such as ``"Theorem 2"``.
    errata, evidence : str
        Ids and kinds with a space between them, such as ``"exhaustive adversary"``.

    Returns
    -------
    callable
        A decorator that returns the function unchanged.

    Raises
    ------
    ValueError
        If the lecture, the relation or a kind of evidence is unknown, or the id is
        registered already.
    """
    lecture = id.split("-", 1)[0]
    if lecture not in LECTURES:
        raise ValueError(
            f"id: expected one of the lectures {', '.join(LECTURES)} before the first "
            f"hyphen, got {id!r}"
        )
    if relation not in RELATIONS:
        raise ValueError(f"relation: expected one of {RELATIONS}, got {relation!r}")
    kinds = tuple(evidence.split())
    if unknown := set(kinds) - set(HOW):
        raise ValueError(f"evidence: expected kinds among {HOW}, got {unknown}")

    def register(rhs: Callable) -> Callable:
        if id in STATEMENTS:
            raise ValueError(f"id: {id!r} is registered twice")
        STATEMENTS[id] = Statement(
            id, f"{LECTURES[lecture]}, {where}", relation, rhs, premises or {},
            tuple(errata.split()), kinds, nontrivial, unit,
        )  # fmt: skip
        return rhs

    return register


def bound(id: str, **parameters: Any) -> Any:
    """The right-hand side of a registered statement.

    Parameters
    ----------
    id : str
        As in the ledger.
    **parameters
        What the statement's function and premises take; arrays broadcast.

    Returns
    -------
    number or ndarray

    Raises
    ------
    KeyError
        If no statement has this id.
    TypeError
        If a parameter is missing or unknown.
    ValueError
        If a premise does not hold.
    """
    statement = STATEMENTS.get(id)
    if statement is None:
        near = get_close_matches(str(id), STATEMENTS, 1)
        meant = f"; did you mean {near[0]!r}?" if near else ""
        raise KeyError(f"id: expected a registered theorem, got {id!r}{meant}")
    known = statement.parameters()
    missing = [n for n, needed in known.items() if needed and n not in parameters]
    unknown = [name for name in parameters if name not in known]
    if missing or unknown:
        raise TypeError(
            f"{id}: expected the parameters {', '.join(known) or 'none'}; "
            f"missing {missing}, unknown {unknown}"
        )
    if broken := statement.broken_premise(parameters):
        raise ValueError(f'{id}: the premise "{broken}" does not hold for {parameters}')
    return _call(statement.rhs, parameters)
