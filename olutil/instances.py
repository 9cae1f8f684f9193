"""What a check compares: how many instances, of which kind, in words for a reader.

Nobody types these.  An enumeration says that it is whole, a stream that an adversary or
chance has made it, a dynamic program over how many games its maximum is taken; `check`
takes kind and number from there.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable, Iterator, Sized
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from olutil._arguments import count, invalid


@dataclass(frozen=True)
class Instances:
    """The instances of a statement, as whatever made them describes them.

    Attributes
    ----------
    how : {"exhaustive", "adversary", "random"}
        All there are; an opponent that sees the learner; chance, seeded.
    count : int
        How many.
    what : str
        In the plural: ``"streams of 8 rounds with 3 experts"``.
    entries : int
        In how many numbers they are compared: fewer than ``count`` where each number
        is a maximum or a mean over several instances.
    """

    how: str
    count: int
    what: str
    entries: int

    @property
    def instances(self) -> Instances:
        """These: what makes instances has them under this name."""
        return self

    def games(self, count: int) -> Instances:
        """So many of the games, of which this describes one."""
        return replace(self, count=count, entries=count)

    def where(self, chosen: Any) -> Instances:
        """Those of the instances that are ``chosen``: a truth value for each."""
        chosen = np.asarray(chosen)
        if chosen.dtype != bool or chosen.size != self.count:
            raise invalid("chosen", f"{self.count} truth values", chosen)
        left = int(chosen.sum())
        return replace(self, count=left, entries=left)

    def into(self, entries: int) -> Instances:
        """The same in fewer numbers, each a maximum or a mean over several."""
        count("entries", entries, most=self.count)
        return replace(self, entries=entries)

    def compared_in(self, size: int) -> Instances:
        """The same, if ``size`` numbers can be theirs: so many for each, or once each.

        Raises
        ------
        ValueError
            If ``size`` is no multiple of ``entries``.
        """
        times, rest = divmod(size, self.entries) if self.entries else (0, size)
        if rest or not times:
            raise ValueError(
                f"observed: expected a number for each of {self.entries:,} "
                f"{self.what}, or several for each, got {size:,}"
            )
        what = self.what
        if times > 1:
            what = f"cases, {times:,} for each of the {self.count:,} {what}"
        return Instances(self.how, self.count * times, what, size)


def instances_of(over: Any) -> Instances:
    """The instances that a source describes, or several sources together.

    Parameters
    ----------
    over : object with ``instances``, or a list of such
        A `olutil.protocol.Run`, a stream, a worst case of `olutil.exact`, an
        enumeration; in a list all of one kind.

    Raises
    ------
    ValueError
        If it does not say what its instances are.
    """
    sources = list(over) if isinstance(over, list | tuple) else [over]
    found = [getattr(source, "instances", None) for source in sources]
    if not found or not all(isinstance(each, Instances) for each in found):
        wanted = "what made the instances (a run, a worst case, every(...)), or a list"
        raise invalid("over", wanted, over)
    hows = {each.how for each in found}
    if len(hows) > 1:
        raise invalid("over", "one kind of evidence", sorted(hows))
    what = _common({each.what for each in found})
    number, entries = (sum(getattr(i, n) for i in found) for n in ("count", "entries"))
    return Instances(hows.pop(), number, what, entries)


def _common(words: set[str]) -> str:
    """What all of these are: in the same words, by the same noun, or instances."""
    nouns = {each.split(" of ")[0] for each in words}
    (common,) = next((s for s in (words, nouns) if len(s) == 1), {"instances"})
    return common


def every(items: Sized, what: str) -> Instances:
    """All of a finite collection, each compared for itself.

    Parameters
    ----------
    items : list, array, ...
        The collection, whole.
    what : str
        What they are, in the plural.

    Examples
    --------
    >>> every([(0, 0), (0, 1), (1, 0), (1, 1)], "votes of two experts").count
    4
    """
    return Instances("exhaustive", len(items), what, len(items))


def drawn(items: Sized, what: str) -> Instances:
    """What a seeded generator has drawn, each compared for itself; see `every`."""
    return Instances("random", len(items), what, len(items))


def opposed(items: Sized, what: str) -> Instances:
    """What an adversary has chosen, each compared for itself; see `every`."""
    return Instances("adversary", len(items), what, len(items))


class Stream:
    """Rounds ``(x, y)`` that know how they come about.

    Parameters
    ----------
    rounds : iterable
    instances : Instances
        Of one game; a `olutil.protocol.Run` counts the games of a batch.
    """

    def __init__(self, rounds: Iterable, instances: Instances):
        self.rounds = iter(rounds)
        self.instances = instances

    def __iter__(self) -> Iterator:
        return self.rounds

    def __next__(self) -> Any:
        return next(self.rounds)


def stream(how: str, what: str) -> Callable:
    """Have a generator of rounds say how they come about.

    Parameters
    ----------
    how : {"exhaustive", "adversary", "random"}
        See `Instances`.
    what : str
        What its games are, in the plural; ``{name}`` is the argument of that name.

    Returns
    -------
    callable
        A decorator: the generator function then returns a `Stream`.

    Examples
    --------
    >>> @stream("adversary", "games of {rounds} rounds against a contrarian")
    ... def contrarian(learner, rounds):
    ...     for x in range(rounds):
    ...         yield x, 1 - learner.predict(x)
    >>> contrarian(None, 7).instances.what
    'games of 7 rounds against a contrarian'
    """

    def decorate(generator: Callable) -> Callable:
        signature = inspect.signature(generator)

        @functools.wraps(generator)
        def made(*args: Any, **kwargs: Any) -> Stream:
            given = signature.bind(*args, **kwargs)
            given.apply_defaults()
            words = what.format(**given.arguments)
            return Stream(generator(*args, **kwargs), Instances(how, 1, words, 1))

        return made

    return decorate


adversary = functools.partial(stream, "adversary")
