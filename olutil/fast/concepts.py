"""Halving with its version space as a string of bits."""

from typing import Any

import numpy as np

from olutil._arguments import array_of, count, indices, invalid, labels, one_of, table


def concept_sets(C: Any) -> np.ndarray:
    """For every point of a class, the set of the concepts that are 1 there.

    Parameters
    ----------
    C : array_like of 0/1, shape (concepts, points)

    Returns
    -------
    ndarray of uint64, shape (points, words)
        One bit a concept.

    Examples
    --------
    >>> concept_sets([[1, 0], [1, 1]])
    array([[3],
           [2]], dtype=uint64)
    """
    columns = table("C", C).T.astype(bool)
    padded = np.zeros((len(columns), -(-columns.shape[1] // 64) * 64), dtype=bool)
    padded[:, : columns.shape[1]] = columns
    return np.packbits(padded, axis=1, bitorder="little").view("<u8").astype(np.uint64)


def halving(sets: Any, concepts: int, points: Any, y: Any, *, tie: int = 1) -> int:
    """The mistakes of Halving, its version space a string of bits.

    Parameters
    ----------
    sets : ndarray of uint64, shape (points, words)
        For every point the set of concepts that are 1 there: see `concept_sets`.
    concepts : int
        How many concepts there are.
    points : array_like of int, shape (T,)
        The point of each round.
    y : array_like of 0/1, shape (T,)
    tie : {0, 1}
        The prediction when both sides are equally many.

    Returns
    -------
    int
        Exactly the mistakes of `olutil.concepts.Halving`.

    Raises
    ------
    ValueError
        If an argument is out of range.

    Notes
    -----
    Kakade, Algorithm 1.  One ``&`` and one count of bits a round handle 64 concepts at
    a time.

    Examples
    --------
    >>> halving(concept_sets([[1, 0], [0, 1]]), 2, [0, 1], [0, 1])
    1
    """
    size, tie = count("concepts", concepts), one_of("tie", tie, (0, 1))
    sets = array_of("sets", sets)
    if sets.dtype != np.uint64 or sets.ndim != 2 or sets.shape[1] != -(-size // 64):
        raise invalid("sets", f"sets of {size} concepts", (sets.dtype, sets.shape))
    points, y = indices("points", points, len(sets)), labels("y", y, (0, 1))
    if points.ndim != 1 or points.shape != y.shape:
        raise invalid("points, y", "two lists of one length", (points.shape, y.shape))
    # Bits beyond the last concept are in no set, and so never counted.
    alive, mistakes = np.full(sets.shape[1], ~np.uint64(0)), 0
    for point, label in zip(points.tolist(), y.tolist(), strict=True):
        ones = alive & sets[point]
        many = int(np.bitwise_count(ones).sum(dtype=np.uint32))
        says = tie if 2 * many == size else int(2 * many > size)
        mistakes += says != label
        alive, size = (ones, many) if label else (alive ^ ones, size - many)
    return mistakes
