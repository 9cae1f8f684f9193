"""Worst cases of learners that change only on a mistake, over every stream.

Only mistakes change such a learner, so its worst case is the longest path through the
states that mistakes can reach.
"""

from functools import cache
from typing import Any

import numpy as np

from olutil._arguments import count, invalid, labels, last_axis, one_of
from olutil.classes import cube
from olutil.linear import Perceptron, Winnow

# In the place of the exponent, where a weight was set to 0.
ELIMINATED = np.iinfo(np.int64).min // 2


def winnow_worst_case(d: int, k: int, *, label: Any = None, **options: Any) -> int:
    """The most mistakes of Winnow over every stream of a monotone k-disjunction.

    Parameters
    ----------
    d, k : int
        Features, and relevant ones among them: 0 <= k <= d.
    label : {0, 1}, optional
        Count only the mistakes on examples with this label.
    **options
        As for `olutil.linear.Winnow`: threshold, factor, demote.

    Returns
    -------
    int

    Raises
    ------
    ValueError
        If ``k`` is out of range, or if some stream makes it err forever.

    Notes
    -----
    Only mistakes change the weights, so the worst case is the longest path through the
    weight vectors that mistakes can reach.  By symmetry the target is the disjunction
    of the first k features, and within each of the two groups order does not matter.

    Examples
    --------
    >>> winnow_worst_case(4, 1), winnow_worst_case(4, 2)
    (3, 5)
    """
    count("k", k, least=0, most=count("d", d))
    one_of("label", label, (None, 0, 1))
    points, relevant = cube(d), np.arange(d) < k
    target = points[:, relevant].any(axis=1).astype(int)
    learner = Winnow(d, **options)
    open_paths = set()

    @cache
    def longest(state: tuple) -> int:
        if state in open_paths:
            raise invalid("options", "a learner that stops erring", options)
        open_paths.add(state)
        exponents = np.array(state)
        # Neighboring features that are alike may be exchanged, so it is enough to look
        # at points where the first ones of them are 1.
        alike = (exponents[1:] == exponents[:-1]) & (relevant[1:] == relevant[:-1])
        some = (np.diff(points)[:, alike] <= 0).all(axis=1)
        x, y = points[some], target[some]
        learner.exponents, learner.eliminated = exponents, exponents == ELIMINATED
        y_hat = learner.predict(x)
        x, y, y_hat = (part[y_hat != y] for part in (x, y, y_hat))
        learner.update(x, y, y_hat)
        counts = (y == label).tolist() if label is not None else [True] * len(y)
        mistakes = set(zip(counts, _canonical(learner, relevant), strict=True))
        most = max((c + longest(following) for c, following in mistakes), default=0)
        open_paths.discard(state)
        return most

    try:
        return longest(_canonical(learner, relevant)[0])
    except RecursionError:
        raise invalid("options", "a learner that stops erring soon", options) from None


def _canonical(learner: Winnow, relevant: np.ndarray) -> list[tuple[int, ...]]:
    """Winnow's states in a batch: exponents, each of the two groups sorted."""
    exponents = np.where(learner.eliminated, ELIMINATED, learner.exponents)
    groups = (np.sort(exponents[..., part], axis=-1) for part in (relevant, ~relevant))
    return list(map(tuple, np.atleast_2d(np.concatenate([*groups], -1)).tolist()))


def conservative_worst_case(learner: Any, points: Any, target: Any) -> int:
    """The most mistakes of a conservative learner over every stream of one target.

    Parameters
    ----------
    learner : Learner
        Fresh.  It changes only in rounds in which it errs, its arrays are all that it
        remembers, and it predicts at many points at once.
    points : array_like, shape (m, ...)
        What the rounds may present, in any order and any number of times.
    target : array_like, shape (m,)
        The label of each point.

    Returns
    -------
    int

    Raises
    ------
    ValueError
        If some stream makes the learner err forever.

    Notes
    -----
    The longest path through the states that mistakes can reach.  `winnow_worst_case`
    is the same for Winnow, with symmetric states counted once.

    Examples
    --------
    >>> conservative_worst_case(Winnow(4), cube(4), cube(4)[:, 0])
    3
    """
    points = np.asarray(points)
    target = last_axis("target", target, len(points))
    fresh, known, open_paths = dict(vars(learner)), {}, set()

    def longest(state: dict) -> int:
        arrays = [v for v in state.values() if isinstance(v, np.ndarray | np.generic)]
        key = tuple(map(_remembered, arrays))
        if key in open_paths:
            raise invalid("learner", "a learner that stops erring", learner)
        if key not in known:
            open_paths.add(key)
            vars(learner).update(state)
            predicted = learner.predict(points)
            known[key] = 0
            for i in np.flatnonzero(predicted != target):
                vars(learner).update(state)
                learner.update(points[i], target[i], predicted[i])
                known[key] = max(known[key], 1 + longest(dict(vars(learner))))
            open_paths.discard(key)
        return known[key]

    try:
        return longest(fresh)
    except RecursionError:
        raise invalid("learner", "a learner that stops erring soon", learner) from None
    finally:
        vars(learner).update(fresh)


def _remembered(array: Any) -> tuple:
    """A key that is the same for arrays with the same numbers, and quick to compare."""
    if array.dtype == object:
        return tuple(array.ravel().tolist())
    return array.dtype.str, array.tobytes()


def perceptron_worst_case(X: Any, y: Any, *, zero: int = 0, limit: int = 10_000) -> int:
    """The most mistakes of the Perceptron over every order and repetition of examples.

    Parameters
    ----------
    X : array_like, shape (examples, d)
        Integers, so that equal weights are found equal.
    y : array_like of -1/+1, shape (examples,)
        Labels that some hyperplane through the origin separates.
    zero : {0, 1, -1}
        As for `olutil.linear.Perceptron`.
    limit : int
        Give up after so many mistakes.

    Returns
    -------
    int

    Raises
    ------
    ValueError
        If ``X`` is not whole, or the learner can be made to err ``limit`` times.

    Notes
    -----
    Only mistakes change the weights, so the worst case is the longest path through the
    weight vectors that mistakes can reach: all vectors after 1, 2, 3, ... mistakes.

    Examples
    --------
    >>> perceptron_worst_case([[1, 0], [0, 1]], [1, -1])
    2
    """
    X = np.asarray(X)
    if X.ndim != 2 or not np.issubdtype(X.dtype, np.integer):
        raise invalid("X", "integers, examples by features", X)
    y = labels("y", last_axis("y", y, len(X)), (-1, 1))
    learner = Perceptron(X.shape[1], zero=zero)
    weights = learner.w[None]
    for mistakes in range(limit):
        learner.w = weights[:, None, :]
        predicted = learner.predict(X)
        learner.update(X, y, predicted)
        weights = np.unique(learner.w[predicted != y], axis=0)
        if not len(weights):
            return mistakes
    raise invalid("X, y", f"a learner that errs fewer than {limit} times", limit)
