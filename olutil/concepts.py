"""Concept classes as 0/1 tables, the learners that work on them, and exact measures.

A class over m points is a table ``C`` of 0s and 1s, concepts by points.  A learner
receives the index of a point and predicts 0 or 1.

Inside, a set of concepts is a Python integer with one bit a concept: `split` keeps the
concepts that say b at a point with one ``&``.

Sources: Chandola, sections 3-5; Kakade, section 2; Das, slide 21.
"""

from collections.abc import Callable, Iterator
from itertools import combinations, product
from math import comb
from typing import Any, NamedTuple

import numpy as np

from olutil._border import count, fit, indices, labels, one_of, said, table, wrong

BIT = (0, 1)


# ---------------------------------------------------------------- classes


def cube(d: int) -> np.ndarray:
    """All points of {0,1}^d in counting order, shape (2**d, d)."""
    count("d", d)
    return np.array(list(product(BIT, repeat=d)))


def all_functions(points: int) -> np.ndarray:
    """All functions on ``points`` points, shape (2**points, points)."""
    return cube(count("points", points))


def singletons(points: int) -> np.ndarray:
    """The concepts that are 1 at exactly one point, shape (points, points)."""
    return np.eye(count("points", points), dtype=int)


def thresholds(points: int) -> np.ndarray:
    """The concepts [x >= a] on the points 0..points-1, shape (points + 1, points)."""
    points = count("points", points)
    return (np.arange(points) >= np.arange(points + 1)[:, None]).astype(int)


def intervals(points: int) -> np.ndarray:
    """The concepts [a <= x < b], the empty one once; points*(points+1)/2 + 1 rows."""
    points = count("points", points)
    ends = combinations(range(points + 1), 2)
    x = np.arange(points)
    rows = [(a <= x) & (x < b) for a, b in ends]
    return np.array([np.zeros(points, dtype=bool), *rows]).astype(int)


def rectangles(width: int, height: int) -> np.ndarray:
    """The rectangles of cells of a grid, the empty one once.

    Parameters
    ----------
    width, height : int
        The grid's sides.

    Returns
    -------
    ndarray, shape (rectangles, width * height)
        Distinct concepts; point ``x * height + y`` is the cell (x, y).  A product of
        two `intervals`.
    """
    across, up = intervals(width), intervals(height)
    cells = across[:, None, :, None] & up[None, :, None, :]
    return np.unique(cells.reshape(-1, width * height), axis=0)


def monotone_disjunctions(d: int, k: int) -> np.ndarray:
    """ORs of at most k of d variables, the empty one (constant 0) included.

    Parameters
    ----------
    d, k : int
        Variables, and how many may occur: 0 <= k <= d.

    Returns
    -------
    ndarray, shape (sum of binomials (d choose j) for j <= k, 2**d)
        Columns in the order of `cube`.  Chandola, section 5.
    """
    count("d", d)
    if count("k", k, least=0) > d:
        raise wrong("k", f"at most d = {d}", k)
    points = cube(d)
    chosen = [c for size in range(k + 1) for c in combinations(range(d), size)]
    return np.array([points[:, list(c)].any(axis=1) for c in chosen]).astype(int)


def conjunctions(d: int, *, negation: bool = True) -> np.ndarray:
    """ANDs of variables, or of literals, on {0,1}^d, as distinct concepts.

    Parameters
    ----------
    d : int
        Variables.
    negation : bool
        Whether a variable may occur negated.  Then the contradictory conjunction
        (constant 0) is one of the 3**d + 1 concepts; without negation there are 2**d.
        The empty conjunction (constant 1) belongs to both.

    Returns
    -------
    ndarray, shape (concepts, 2**d)
        Columns in the order of `cube`.  Chandola, section 3.1.
    """
    points = cube(d)
    if not negation:
        subsets = product((False, True), repeat=d)
        return np.array([points[:, list(s)].all(axis=1) for s in subsets]).astype(int)
    # Each variable is required to be 0, required to be 1, or free (2).
    rows = [
        [all(w in (2, v) for w, v in zip(want, x, strict=True)) for x in points]
        for want in product((0, 1, 2), repeat=d)
    ]
    return np.array([*rows, [False] * len(points)]).astype(int)


def parities(d: int) -> np.ndarray:
    """The sums modulo 2 of subsets of d variables, shape (2**d, 2**d)."""
    points = cube(d)
    return points @ points.T % 2


def halfspaces(d: int) -> np.ndarray:
    """The linear threshold functions on {0,1}^d, d at most 4.

    Parameters
    ----------
    d : int
        Dimension, 1 to 4.

    Returns
    -------
    ndarray, shape (4, 14, 104 or 1882; 2**d)
        The concepts ``[w . x >= theta]``.  Integer weights of size at most 3 reach all
        of them: the counts are the known ones (Muroga, 1971).
    """
    if count("d", d) > 4:
        raise wrong("d", "at most 4", d)
    weights = np.array(list(product(range(-3, 4), repeat=d)))
    scores = weights @ cube(d).T
    limits = np.arange(scores.min(), scores.max() + 2)
    found = np.unique(scores, axis=0)[:, None, :] >= limits[:, None]
    return np.unique(found.reshape(-1, 2**d), axis=0).astype(int)


def terms(n: int, k: int) -> list[tuple[tuple[int, int], ...]]:
    """The nonempty conjunctions of at most k literals over n variables.

    Each term is a tuple of (variable, required value).  Chandola, section 5.3.
    """
    count("n", n)
    count("k", k)
    return [
        tuple(zip(variables, values, strict=True))
        for size in range(1, min(k, n) + 1)
        for variables in combinations(range(n), size)
        for values in product((1, 0), repeat=size)
    ]


def dnf(n: int, k: int) -> np.ndarray:
    """All k-DNF concepts on {0,1}^n: ORs of terms of at most k literals.

    Parameters
    ----------
    n, k : int
        Variables, and literals a term.

    Returns
    -------
    ndarray, shape (concepts, 2**n)
        Distinct concepts, the constant 0 (no term) included.
    """
    points = cube(n)
    closed = {(0,) * len(points)}
    for term in terms(n, k):
        row = tuple(int(all(x[i] == b for i, b in term)) for x in points)
        closed |= {tuple(map(max, c, row)) for c in closed}
    return np.array(sorted(closed))


def every_class(points: int) -> Iterator[np.ndarray]:
    """All 2**(2**points) - 1 nonempty classes on ``points`` points, as tables."""
    functions = all_functions(points)
    for members in range(1, 2 ** len(functions)):
        yield functions[[bool(members >> i & 1) for i in range(len(functions))]]


# ---------------------------------------------------------------- learners


class _Versions:
    """What learners share that keep a version space: a mask over the concepts.

    Attributes
    ----------
    alive : ndarray of bool, shape (..., number of concepts)
        The version space.
    """

    def __init__(self, C: Any):
        self.C = table("C", C)
        self.alive = np.ones(len(self.C), dtype=bool)

    def _votes(self, x: Any) -> np.ndarray:
        """What every concept says at the points ``x``, shape (..., concepts)."""
        x = indices("x", x, self.C.shape[1])
        return self.C.T[fit("x", x, self.alive.shape[:-1])]

    def _keep(self, x: Any, y: Any) -> None:
        votes = self._votes(x)
        outcome = labels("y", y, BIT, votes.shape[:-1])
        self.alive = self.alive & (votes == outcome[..., None])


class Halving(_Versions):
    """Halving: predict what the majority of the version space says.

    Parameters
    ----------
    C : array_like of 0/1, shape (concepts, points)
        The class, not empty.
    tie : {0, 1}
        The prediction when both sides are equally many (Chandola and Kakade: 1).
    lazy : bool
        Prune only in rounds in which the learner erred (Chandola, section 4.1),
        instead of in every round (Kakade, Algorithm 1; Das, slide 21).

    Raises
    ------
    ValueError
        If ``C`` is no such table.

    Notes
    -----
    At most ``floor(lg |C|)`` mistakes: Kakade, Theorem 2.2.  If no concept fits, the
    version space is empty and every vote a tie.

    Examples
    --------
    >>> learner = Halving(singletons(3))
    >>> int(learner.predict(0))
    0
    >>> learner.update(0, 1, 0)
    >>> learner.alive
    array([ True, False, False])
    """

    def __init__(self, C: Any, *, tie: int = 1, lazy: bool = False):
        super().__init__(C)
        self.tie = one_of("tie", tie, BIT)
        self.lazy = lazy

    def predict(self, x: Any) -> Any:
        """Vote: 0 or 1, shape (...)."""
        votes = self._votes(x)
        ones = (self.alive & (votes == 1)).sum(axis=-1)
        zeros = (self.alive & (votes == 0)).sum(axis=-1)
        return np.where(ones == zeros, self.tie, ones > zeros).astype(int)[()]

    def update(self, x: Any, y: Any, y_hat: Any) -> None:
        """Drop the concepts that were wrong."""
        if not self.lazy:
            self._keep(x, y)
            return
        votes = self._votes(x)
        outcome = labels("y", y, BIT, votes.shape[:-1])
        wrong_concepts = votes != outcome[..., None]
        erred = (said(y_hat, outcome, BIT) != outcome)[..., None]
        self.alive = self.alive & ~(wrong_concepts & erred)


class StandardOptimal(_Versions):
    """The Standard Optimal Algorithm: predict the side that is harder to learn.

    Parameters
    ----------
    C : array_like of 0/1, shape (concepts, points)
        The class, not empty.
    tie : {0, 1}
        The prediction when both sides have the same Littlestone dimension.

    Raises
    ------
    ValueError
        If ``C`` is no such table.

    Notes
    -----
    Littlestone (1988).  It errs at most opt(C) times, Chandola's optimal mistake bound,
    since a mistake leaves the side of the smaller dimension.

    Examples
    --------
    >>> learner = StandardOptimal(thresholds(3))
    >>> [int(learner.predict(x)) for x in range(3)]
    [0, 1, 1]
    """

    def __init__(self, C: Any, *, tie: int = 1):
        super().__init__(C)
        self.tie = one_of("tie", tie, BIT)
        self._dimension = _dimensions(_columns(self.C))

    def predict(self, x: Any) -> Any:
        """Predict the side of larger Littlestone dimension, shape (...)."""
        votes = self._votes(x)
        sides = [self._dimension_of(self.alive & (votes == b)) for b in BIT]
        return np.where(sides[0] == sides[1], self.tie, sides[1] > sides[0]).astype(
            int
        )[()]

    def _dimension_of(self, alive: np.ndarray) -> np.ndarray:
        flat = [self._dimension(_bits(row)) for row in alive.reshape(-1, len(self.C))]
        return np.array(flat).reshape(alive.shape[:-1])

    def update(self, x: Any, y: Any, y_hat: Any) -> None:
        """Drop the concepts that were wrong."""
        self._keep(x, y)


class Elimination:
    """Try the concepts one by one, giving each up at its first mistake.

    Parameters
    ----------
    C : array_like of 0/1, shape (concepts, points)
        The class, in the order in which to try.

    Raises
    ------
    ValueError
        If ``C`` is no such table.

    Notes
    -----
    Chandola, section 3.1: at most ``|C| - 1`` mistakes, since the target is never given
    up.  After the last concept it starts again, which happens only if none fits.

    Examples
    --------
    >>> learner = Elimination(singletons(3))
    >>> learner.update(0, 0, 1)
    >>> int(learner.tried)
    1
    """

    def __init__(self, C: Any):
        self.C = table("C", C)
        self.tried = np.zeros((), dtype=int)

    def predict(self, x: Any) -> Any:
        """What the current concept says, shape (...)."""
        return self.C[self.tried % len(self.C), self._points(x)]

    def _points(self, x: Any) -> np.ndarray:
        return fit("x", indices("x", x, self.C.shape[1]), np.shape(self.tried))

    def update(self, x: Any, y: Any, y_hat: Any) -> None:
        """Move on to the next concept after a mistake."""
        outcome = labels("y", y, BIT, self._points(x).shape)
        self.tried = self.tried + (said(y_hat, outcome, BIT) != outcome)


# ---------------------------------------------------------------- exact measures


def _bits(row: Any) -> int:
    """A row of truth values as an integer, entry i as bit i."""
    return int("".join("1" if v else "0" for v in reversed(row)), 2)


def _columns(C: np.ndarray) -> list[int]:
    """For every distinct point, the set of concepts that are 1 there."""
    return sorted({_bits(column) for column in C.T})


def _distinct(C: Any) -> np.ndarray:
    return np.unique(table("C", C), axis=0)


def split(versions: int, column: int) -> tuple[int, int]:
    """The concepts of ``versions`` that say 0, and those that say 1, at a point."""
    return versions & ~column, versions & column


def _monotone(test: Callable[[int, int], bool]) -> Callable[[int, int], bool]:
    """Remember, for every version space, how far a test of its size is known to hold.

    The test holds for all sizes up to one that is at most ``floor(lg |versions|)``; of
    no concepts it does not hold at all.  It is called for sizes from 1 up.
    """
    shown: dict[int, int] = {}
    refuted: dict[int, int] = {}

    def holds(versions: int, size: int) -> bool:
        if size >= refuted.get(versions, versions.bit_count().bit_length()):
            return False
        if size <= shown.get(versions, 0):
            return True
        answer = test(versions, size)
        (shown if answer else refuted)[versions] = size
        return answer

    return holds


def _largest(holds: Callable[[int, int], bool], versions: int) -> int:
    """The largest size for which a `_monotone` test holds; -1 if there is none."""
    size = -1
    while holds(versions, size + 1):
        size += 1
    return size


def _dimensions(columns: list[int]) -> Callable[[int], int]:
    """The Littlestone dimension as a function of the version space; -1 if empty."""

    @_monotone
    def shatters(versions: int, depth: int) -> bool:
        for column in columns:
            # The side with fewer concepts is the likelier one to fail.
            small, large = sorted(split(versions, column), key=int.bit_count)
            if shatters(small, depth - 1) and shatters(large, depth - 1):
                return True
        return False

    return lambda versions: _largest(shatters, versions)


def littlestone_dimension(C: Any) -> int:
    """The Littlestone dimension of a class: Chandola's opt(C), exactly.

    Parameters
    ----------
    C : array_like of 0/1, shape (concepts, points)
        The class, not empty; repeated concepts count once.

    Returns
    -------
    int
        The fewest mistakes that a deterministic learner can guarantee, which is the
        depth of the deepest complete mistake tree (Littlestone, 1988).

    Raises
    ------
    ValueError
        If ``C`` is no such table.

    Examples
    --------
    >>> littlestone_dimension(thresholds(7)), littlestone_dimension(singletons(7))
    (3, 1)
    """
    C = _distinct(C)
    return _dimensions(_columns(C))(2 ** len(C) - 1)


class Node(NamedTuple):
    """An inner node of a mistake tree: a point and the two subtrees.

    A leaf is the index of a concept that agrees with every label on its path.
    """

    point: int  #: The point that is asked, a column of the table.
    zero: "Node | int"  #: Where the game goes on after the label 0.
    one: "Node | int"  #: Where the game goes on after the label 1.


def mistake_tree(C: Any) -> Node | int:
    """A complete mistake tree of the class, as deep as its Littlestone dimension.

    Parameters
    ----------
    C : array_like of 0/1, shape (concepts, points)
        The class, not empty.

    Returns
    -------
    Node or int
        An adversary that walks down the tree and always contradicts the learner forces
        one mistake a level.  A leaf is the index of a consistent row of ``C``.

    Raises
    ------
    ValueError
        If ``C`` is no such table.

    Examples
    --------
    >>> mistake_tree([[0, 1], [1, 1]])
    Node(point=0, zero=0, one=1)
    """
    C = table("C", C)
    columns = [_bits(column) for column in C.T]
    dimension = _dimensions(_columns(C))

    def grow(versions: int, depth: int) -> Node | int:
        if depth == 0:
            return (versions & -versions).bit_length() - 1
        for point, column in enumerate(columns):
            zero, one = split(versions, column)
            if min(dimension(zero), dimension(one)) >= depth - 1:
                return Node(point, grow(zero, depth - 1), grow(one, depth - 1))
        raise AssertionError("a class of this dimension splits at some point")

    everything = 2 ** len(C) - 1
    return grow(everything, dimension(everything))


def verify_tree(C: Any, tree: Node | int) -> int:
    """The depth of a mistake tree, after checking that it is one of the class.

    Parameters
    ----------
    C : array_like of 0/1, shape (concepts, points)
        The class, not empty.
    tree : Node or int
        As `mistake_tree` gives it, or any other.

    Returns
    -------
    int
        No deterministic learner can guarantee fewer mistakes: a lower bound on opt(C).

    Raises
    ------
    ValueError
        If some leaf contradicts its path, or two leaves are not equally deep.

    Examples
    --------
    >>> verify_tree(cube(2), Node(0, Node(1, 0, 1), Node(1, 2, 3)))
    2
    """
    C = table("C", C)

    def depth(node: Node | int, path: tuple) -> int:
        if not isinstance(node, Node):
            if any(C[node, point] != label for point, label in path):
                raise wrong("tree", f"leaf {node} to agree with its path", path)
            return 0
        sides = (node.zero, node.one)
        below = [depth(side, (*path, (node.point, b))) for b, side in enumerate(sides)]
        if below[0] != below[1]:
            raise wrong("tree", f"equally deep sides after {path}", below)
        return 1 + below[0]

    return depth(tree, ())


def vc_dimension(C: Any) -> int:
    """The VC dimension: the size of the largest set of points that is shattered.

    Parameters
    ----------
    C : array_like of 0/1, shape (concepts, points)
        The class, not empty.

    Returns
    -------
    int

    Raises
    ------
    ValueError
        If ``C`` is no such table.

    Examples
    --------
    >>> vc_dimension(thresholds(5)), vc_dimension(intervals(5)), vc_dimension(cube(3))
    (1, 2, 3)
    """
    C = _distinct(C)

    def shatters(cells: list[int], columns: list[int], size: int) -> bool:
        """Whether some ``size`` of the columns cut every cell into 2**size parts."""
        if size == 0:
            return True
        if min(map(int.bit_count, cells)) < 2**size:
            return False
        for i, column in enumerate(columns):
            parts = [side for cell in cells for side in split(cell, column)]
            if all(parts) and shatters(parts, columns[i + 1 :], size - 1):
                return True
        return False

    columns, size = _columns(C), 0
    while shatters([2 ** len(C) - 1], columns, size + 1):
        size += 1
    return size


def halving_worst_case(C: Any, *, tie: int = 1, lazy: bool = False) -> int:
    """The most mistakes of `Halving` over all targets and sequences, exactly.

    Parameters
    ----------
    C : array_like of 0/1, shape (concepts, points)
        The class, not empty; repeated concepts vote as often as they occur.
    tie, lazy
        As in `Halving`.

    Returns
    -------
    int

    Raises
    ------
    ValueError
        If ``C`` is no such table.

    Notes
    -----
    An adversary need only ask points that split the version space.  Against the lazy
    form it need only force mistakes, for a correct round changes nothing.

    Examples
    --------
    >>> halving_worst_case(thresholds(7)), halving_worst_case(singletons(8))
    (3, 1)
    """
    C = table("C", C)
    one_of("tie", tie, BIT)
    columns = _columns(C)

    @_monotone
    def forces(versions: int, mistakes: int) -> bool:
        """Whether an adversary can force so many mistakes."""
        quiet = []
        for column in columns:
            sides = split(versions, column)
            if not (sides[0] and sides[1]):
                continue
            zeros, ones = sides[0].bit_count(), sides[1].bit_count()
            says = tie if zeros == ones else int(ones > zeros)
            if forces(sides[1 - says], mistakes - 1):
                return True
            quiet.append(sides[says])
        return not lazy and any(forces(side, mistakes) for side in quiet)

    return _largest(forces, 2 ** len(C) - 1)


def elimination_worst_case(C: Any) -> int:
    """The most mistakes of `Elimination` over all targets and sequences, exactly.

    Parameters
    ----------
    C : array_like of 0/1, shape (concepts, points)
        The class, not empty, in the order in which it is tried.

    Returns
    -------
    int
        For a target in row i (its first occurrence): i, for every earlier row differs
        from it at some point, and the adversary asks that point.

    Raises
    ------
    ValueError
        If ``C`` is no such table.

    Examples
    --------
    >>> elimination_worst_case(thresholds(5))
    5
    """
    _, first = np.unique(table("C", C), axis=0, return_index=True)
    return int(first.max())


def disjunction_count(d: int, k: int) -> int:
    """The number of monotone disjunctions of at most k of d variables: ``|C|``."""
    return sum(comb(d, j) for j in range(k + 1))
