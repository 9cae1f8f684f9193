"""Every class on a few points: dimensions and worst cases, all at once."""

from itertools import combinations

import numpy as np

from olutil._arguments import count
from olutil.classes import all_functions, cube


def every_class_measures(points: int) -> dict[str, np.ndarray]:
    """Sizes, dimensions and worst cases of *every* class on a few points.

    Parameters
    ----------
    points : int
        1 to 4.  On four points there are 65,535 nonempty classes.

    Returns
    -------
    dict of ndarray, shape (2**(2**points) - 1,)
        Entry i belongs to the class whose members are the set bits of i + 1 among the
        rows of `olutil.classes.all_functions`.  Keys: ``size``; ``vc``; ``opt``;
        ``halving`` for ties to 1 and pruning every round; ``halving_tie0``;
        ``halving_lazy``; ``halving_lazy_tie0``.

    Raises
    ------
    ValueError
        If ``points`` is out of range.

    Notes
    -----
    A class comes after all its subclasses in this order, so one pass fills each table.
    It shares no code with `olutil.dimension.littlestone_dimension`.

    Examples
    --------
    >>> measures = every_class_measures(2)
    >>> int(measures["opt"].max()), len(measures["opt"])
    (2, 15)
    """
    count("points", points, most=4)
    functions = all_functions(points)
    columns = [
        sum(1 << i for i, value in enumerate(functions[:, p]) if value)
        for p in range(points)
    ]
    everything = 2 ** len(functions)
    classes = np.arange(1, everything)
    measures = {"size": np.bitwise_count(classes).astype(int)}
    measures["vc"] = _every_vc(classes, columns, len(functions))
    measures["opt"] = _every_opt(everything, columns)
    for lazy in (False, True):
        for tie in (1, 0):
            name = "halving" + "_lazy" * lazy + "_tie0" * (tie == 0)
            measures[name] = _every_halving(everything, columns, tie, lazy)
    return measures


def _every_vc(classes: np.ndarray, columns: list[int], functions: int) -> np.ndarray:
    full = 2**functions - 1
    dimension = np.zeros(len(classes), dtype=int)
    for size in range(1, len(columns) + 1):
        for chosen in combinations(columns, size):
            shattered = np.ones(len(classes), dtype=bool)
            for pattern in cube(size):
                fits = full
                for column, bit in zip(chosen, pattern, strict=True):
                    fits &= column if bit else full & ~column
                shattered &= (classes & fits) != 0
            dimension[shattered] = size
    return dimension


def _every_opt(everything: int, columns: list[int]) -> np.ndarray:
    opt = [-1] * everything
    for versions in range(1, everything):
        best = 0
        for column in columns:
            one = versions & column
            zero = versions ^ one
            if one and zero:
                best = max(best, 1 + min(opt[one], opt[zero]))
        opt[versions] = best
    return np.array(opt[1:])


def _every_halving(everything: int, columns: list, tie: int, lazy: bool) -> np.ndarray:
    worst = [0] * everything
    for versions in range(1, everything):
        most = 0
        for column in columns:
            one = versions & column
            zero = versions ^ one
            if not (one and zero):
                continue
            ones, zeros = one.bit_count(), zero.bit_count()
            says_1 = ones > zeros or (ones == zeros and tie == 1)
            erred, right = (zero, one) if says_1 else (one, zero)
            most = max(most, 1 + worst[erred])
            if not lazy:
                most = max(most, worst[right])
        worst[versions] = most
    return np.array(worst[1:])
