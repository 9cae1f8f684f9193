"""How hard a concept class is to learn: its Littlestone and its VC dimension, exactly.

Sources: Chandola, sections 3 and 4.
"""

from typing import Any, NamedTuple

import numpy as np

from olutil._arguments import invalid, place, table
from olutil._version_spaces import bit_set, columns_of, littlestone_dimensions, split


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
    >>> from olutil.classes import singletons, thresholds
    >>> littlestone_dimension(thresholds(7)), littlestone_dimension(singletons(7))
    (3, 1)
    """
    C = _distinct(C)
    return littlestone_dimensions(columns_of(C))(2 ** len(C) - 1)


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
    columns = [bit_set(column) for column in C.T]
    dimension = littlestone_dimensions(columns_of(C))

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
        If some leaf is no row or contradicts its path, some point is no column, or two
        leaves are not equally deep.

    Examples
    --------
    >>> from olutil.classes import cube
    >>> verify_tree(cube(2), Node(0, Node(1, 0, 1), Node(1, 2, 3)))
    2
    """
    C = table("C", C)

    def depth(node: Node | int, path: tuple) -> int:
        if not isinstance(node, Node):
            place("tree: a leaf", node, len(C))
            if any(C[node, point] != label for point, label in path):
                raise invalid("tree", f"leaf {node} to agree with its path", path)
            return 0
        place("tree: a point", node.point, C.shape[1])
        sides = (node.zero, node.one)
        below = [depth(side, (*path, (node.point, b))) for b, side in enumerate(sides)]
        if below[0] != below[1]:
            raise invalid("tree", f"equally deep sides after {path}", below)
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
    >>> from olutil.classes import cube, intervals, thresholds
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

    columns, size = columns_of(C), 0
    while shatters([2 ** len(C) - 1], columns, size + 1):
        size += 1
    return size


def _distinct(C: Any) -> np.ndarray:
    return np.unique(table("C", C), axis=0)
