"""The same work as other packages do it, each in the manner of its own documentation.

Every function returns what the `expected` of its entry is compared with.
"""

import math
from typing import Any

import numpy as np

RATE = math.log(2)  # beta = 1/2


def pyol(losses: np.ndarray) -> float:
    """PyOL: Hedge with a constant rate, on one stream; its expected mistakes."""
    from pyol.learning_rates import LearningRateConstant
    from pyol.oco import EntropyOptimisticFTRL

    n = losses.shape[1]
    learner = EntropyOptimisticFTRL(n, lr_handler=LearningRateConstant(RATE))
    expected = 0.0
    for loss in losses:
        expected += learner.get_x() @ loss
        learner.update(loss)
    return expected


def noregret(losses: np.ndarray) -> float:
    """noregret: multiplicative weights, told utilities, which are minus the losses."""
    from noregret.regret_minimizers import MultiplicativeWeightsUpdate

    learner = MultiplicativeWeightsUpdate(losses.shape[1], RATE)
    expected = 0.0
    for loss in losses:
        expected += learner.next_strategy() @ loss
        learner.observe_utility(-loss)
    return expected


def river_experts(losses: np.ndarray) -> float:
    """river: the exponentially weighted average of regressors that look their loss up.

    Its weights begin as ones, so that the first average is a sum: they are set right.
    """
    from river import base, ensemble, optim

    class Expert(base.Regressor):
        def __init__(self, i: int = 0):
            self.i = i

        def predict_one(self, x):
            return x[self.i]

        def learn_one(self, x, y):
            pass

    n = losses.shape[1]
    learner = ensemble.EWARegressor(
        [Expert(i) for i in range(n)],
        loss=optim.losses.Absolute(),
        learning_rate=RATE,
    )
    learner.weights = [1 / n] * n
    expected = 0.0
    for loss in losses.tolist():
        expected += learner.predict_one(loss)
        learner.learn_one(loss, 0.0)
    return expected


def sklearn_perceptron(X: Any, y: np.ndarray, epochs: int) -> np.ndarray:
    """scikit-learn's compiled Perceptron, dense or sparse; its weights."""
    from sklearn.linear_model import Perceptron

    learner = Perceptron(
        max_iter=epochs, tol=None, shuffle=False, fit_intercept=False
    )  # fmt: skip
    return learner.fit(X, y).coef_[0]


def river_perceptron(
    rows: list[dict], y: list[bool], d: int, epochs: int
) -> np.ndarray:
    """river's Perceptron on rows as it takes them, without the constant; its weights.

    It learns only, which is in its favor: to count mistakes it would predict as well.
    """
    from river import linear_model

    learner = linear_model.Perceptron()
    for _ in range(epochs):
        for x, label in zip(rows, y, strict=True):
            learner.learn_one(x, label)
    w = np.zeros(d)
    for i, value in learner.weights.items():
        w[i] = value
    w[d - 1] = learner.intercept
    return w


def row_slices(X: Any, y: np.ndarray, epochs: int) -> np.ndarray:
    """The Perceptron on rows of a `scipy.sparse.csr_matrix`; its weights."""
    w = np.zeros(X.shape[1])
    for _ in range(epochs):
        for t, label in enumerate(y):
            x = X[t]
            if label * (x @ w)[0] <= 0:
                w[x.indices] += label * x.data
    return w


def quantecon(A: np.ndarray, B: np.ndarray, kappas: list, rounds: int) -> list:
    """QuantEcon.py: how often each action was played, rows first.

    It keeps mixed actions, from which the counts follow.
    """
    from quantecon.game_theory import FictitiousPlay, NormalFormGame, Player

    play = FictitiousPlay(NormalFormGame((Player(A), Player(B.T.copy()))))
    weight = sum(kappas[0])
    mixed = tuple(np.array(kappa, dtype=float) / weight for kappa in kappas)
    mixed = play.play(actions=mixed, num_reps=rounds, t_init=int(weight) - 1)
    return [
        np.rint(p * (rounds + weight) - kappa).astype(int)
        for p, kappa in zip(mixed, kappas, strict=True)
    ]


def nashpy(A: np.ndarray, B: np.ndarray, kappas: list, rounds: int) -> list:
    """Nashpy: how often each action was played, rows first; ties fall at random."""
    from nashpy.learning.fictitious_play import fictitious_play

    start = [np.array(kappa, dtype=float) for kappa in kappas]
    for counts in fictitious_play(A, B, rounds, play_counts=start):
        last = counts
    return [
        np.rint(p - kappa).astype(int) for p, kappa in zip(last, kappas, strict=True)
    ]


# ---------------------------------------------------------------- textbook loops


def textbook_experts(losses: np.ndarray) -> float:
    """Randomized Weighted Majority as one writes it in numpy.

    Divided by the largest weight, no stream runs out of weights; but an expert whose
    weight has become 0 stays out, which matters on streams that are made for it.
    """
    w = np.ones(losses.shape[1])
    expected = 0.0
    for loss in losses:
        expected += w @ loss / w.sum()
        w *= np.where(loss, 0.5, 1.0)
        w /= w.max()
    return expected


def box_experts(advice: np.ndarray, outcomes: np.ndarray) -> float:
    """Randomized Weighted Majority as the lecture's box has it; its expected mistakes.

    On more than about a thousand rounds its weights would all fall to 0.
    """
    w = np.ones(advice.shape[1])
    expected = 0.0
    for x, y in zip(advice, outcomes, strict=True):
        q0, q1 = w[x == 0].sum(), w[x == 1].sum()
        expected += abs(q1 / (q0 + q1) - y)
        w[x != y] *= 0.5
    return expected


def textbook_winnow(X: np.ndarray, y: np.ndarray, epochs: int) -> int:
    """Winnow1 as one writes it in numpy; its mistakes."""
    d = X.shape[1]
    w = np.ones(d)
    mistakes = 0
    for _ in range(epochs):
        for x, label in zip(X, y, strict=True):
            if (w @ x > d / 2) != label:
                mistakes += 1
                w[x == 1] *= 2 * label
    return mistakes


def mask_halving(C: np.ndarray, points: np.ndarray, y: np.ndarray) -> int:
    """Halving with a boolean mask over the concepts, points outermost; its mistakes."""
    alive = np.ones(C.shape[1], dtype=bool)
    mistakes = 0
    for point, label in zip(points.tolist(), y.tolist(), strict=True):
        votes = C[point]
        ones, zeros = (alive & votes).sum(), (alive & ~votes).sum()
        mistakes += int(ones >= zeros) != label
        alive &= votes == label
    return mistakes


def tuned_mask_halving(C: np.ndarray, points: np.ndarray, y: np.ndarray) -> int:
    """The same with fewer passes over the concepts."""
    alive, size = np.ones(C.shape[1], dtype=bool), C.shape[1]
    mistakes = 0
    for point, label in zip(points.tolist(), y.tolist(), strict=True):
        ones = alive & C[point]
        many = np.count_nonzero(ones)
        mistakes += int(2 * many >= size) != label
        alive, size = (ones, many) if label else (alive ^ ones, size - many)
    return mistakes
