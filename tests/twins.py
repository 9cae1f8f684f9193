"""Naive twins: every learner once more, in plain Python, as a lecture's box reads.

They share no code with `olutil` (no numpy, no batch axes, no counts in place of
weights), so that agreement between the two means something.  Exact if given Fractions.
"""

import math
from fractions import Fraction


class WeightedMajority:
    def __init__(self, n, beta, tie=0, lazy=False):
        self.w = [1] * n
        self.beta, self.tie, self.lazy = beta, tie, lazy

    def predict(self, x):
        q = [0, 0]
        for w, vote in zip(self.w, x, strict=True):
            q[vote] += w
        return self.tie if q[0] == q[1] else int(q[1] > q[0])

    def update(self, x, y, y_hat):
        if self.lazy and y_hat == y:
            return
        for i, vote in enumerate(x):
            if vote != y:
                self.w[i] *= self.beta


class RandomizedWeightedMajority(WeightedMajority):
    def predict(self, x):
        return Fraction(
            sum(w for w, vote in zip(self.w, x, strict=True) if vote == 1)
        ) / sum(self.w)


class AggregatingAlgorithm(WeightedMajority):
    def predict(self, x):
        r = float(
            sum(w for w, vote in zip(self.w, x, strict=True) if vote == 1) / sum(self.w)
        )
        b = float(self.beta)
        if r in (0, 1):
            return r
        low = math.log(1 - r + r * b)
        return low / (low + math.log((1 - r) * b + r))


class FollowTheLeader:
    def __init__(self, n):
        self.errors = [0] * n

    def predict(self, x):
        return x[self.errors.index(min(self.errors))]

    def update(self, x, y, y_hat):
        for i, vote in enumerate(x):
            self.errors[i] += vote != y


class Halving:
    def __init__(self, C, tie=1, lazy=False):
        self.V = [tuple(c) for c in C]
        self.tie, self.lazy = tie, lazy

    def predict(self, x):
        ones = [c for c in self.V if c[x] == 1]
        zeros = [c for c in self.V if c[x] == 0]
        if len(ones) == len(zeros):
            return self.tie
        return 1 if len(ones) > len(zeros) else 0

    def update(self, x, y, y_hat):
        if not self.lazy or y_hat != y:
            self.V = [c for c in self.V if c[x] == y]


def opt(V):
    """Chandola's optimal mistake bound by the minimax recursion, straight off."""
    V = set(V)
    if not V:
        return -1
    best = 0
    for x in range(len(next(iter(V)))):
        zero = {c for c in V if c[x] == 0}
        if zero and zero != V:
            best = max(best, 1 + min(opt(zero), opt(V - zero)))
    return best


class StandardOptimal:
    def __init__(self, C, tie=1):
        self.V = {tuple(c) for c in C}
        self.tie = tie

    def predict(self, x):
        zero, one = (opt({c for c in self.V if c[x] == b}) for b in (0, 1))
        return self.tie if zero == one else int(one > zero)

    def update(self, x, y, y_hat):
        self.V = {c for c in self.V if c[x] == y}


class Elimination:
    def __init__(self, C):
        self.queue = [tuple(c) for c in C]

    def predict(self, x):
        return self.queue[0][x]

    def update(self, x, y, y_hat):
        if y_hat != y:
            self.queue.append(self.queue.pop(0))


def dot(a, b):
    return sum(p * q for p, q in zip(a, b, strict=True))


class Perceptron:
    def __init__(self, d, zero=0):
        self.w = [0] * d
        self.zero = zero

    def predict(self, x):
        z = dot(self.w, x)
        return self.zero if z == 0 else (1 if z > 0 else -1)

    def update(self, x, y, y_hat):
        if y_hat != y:
            self.w = [w + y * v for w, v in zip(self.w, x, strict=True)]


class PassiveAggressive(Perceptron):
    def update(self, x, y, y_hat):
        loss = max(0, 1 - y * dot(self.w, x))
        if loss > 0 and any(x):
            tau = loss / dot(x, x)
            self.w = [w + tau * y * v for w, v in zip(self.w, x, strict=True)]


class Winnow1:
    """Chandola's: threshold d/2, promote by 2, demote to 0."""

    def __init__(self, d):
        self.w = [Fraction(1)] * d
        self.threshold = Fraction(d, 2)

    def predict(self, x):
        return int(dot(self.w, x) > self.threshold)

    def update(self, x, y, y_hat):
        if y_hat != y:
            factor = 2 if y == 1 else 0
            self.w = [w * factor if v else w for w, v in zip(self.w, x, strict=True)]


class Winnow2(Winnow1):
    """Kitani and Chen's: threshold N, factor (1 + beta) both ways."""

    def __init__(self, d, beta):
        self.w = [Fraction(1)] * d
        self.threshold, self.beta = d, beta

    def update(self, x, y, y_hat):
        self.w = [
            w * (1 + self.beta) ** ((y - y_hat) * v)
            for w, v in zip(self.w, x, strict=True)
        ]


class OnlineGradientDescent:
    def __init__(self, d, rate):
        self.w, self.rate, self.t = [0] * d, rate, 0

    def predict(self, x):
        return dot(self.w, x)

    def update(self, x, y, y_hat):
        self.t += 1
        step = self.rate(self.t) * (y - dot(self.w, x))
        self.w = [w + step * v for w, v in zip(self.w, x, strict=True)]


class GridHalving:
    def __init__(self, W):
        self.W = [tuple(w) for w in W]

    def predict(self, x):
        plus = sum(dot(w, x) >= 0 for w in self.W)
        return 1 if 2 * plus >= len(self.W) else -1

    def update(self, x, y, y_hat):
        self.W = [w for w in self.W if (1 if dot(w, x) >= 0 else -1) == y]


class EllipsoidHalving:
    """Index by index, as the formulas of the ellipsoid method are printed."""

    def __init__(self, d, radius):
        self.d, self.c = d, [0.0] * d
        self.P = [[float(radius) ** 2 * (i == j) for j in range(d)] for i in range(d)]

    def predict(self, x):
        z = dot(self.c, x)
        return (z > 0) - (z < 0)

    def update(self, x, y, y_hat):
        if y_hat == y or not any(x):
            return
        d, a = self.d, [-y * v for v in x]  # keep the half with a . (w - c) <= 0
        Pa = [dot(row, a) for row in self.P]
        g = [v / math.sqrt(dot(a, Pa)) for v in Pa]
        self.c = [c - v / (d + 1) for c, v in zip(self.c, g, strict=True)]
        self.P = [
            [
                d * d / (d * d - 1) * (self.P[i][j] - 2 / (d + 1) * g[i] * g[j])
                for j in range(d)
            ]
            for i in range(d)
        ]


def play(learner, rounds):
    """Predictions and total loss."""
    predictions, loss = [], 0
    for x, y in rounds:
        y_hat = learner.predict(x)
        learner.update(x, y, y_hat)
        predictions.append(y_hat)
        loss += min(abs(y_hat - y), 1)
    return predictions, loss


def fictitious_play(A, B, kappa_1, kappa_2, rounds):
    """Both players' actions."""
    kappa_1, kappa_2, actions = list(kappa_1), list(kappa_2), []
    for _ in range(rounds):
        rows = [dot(row, kappa_1) for row in A]
        columns = [
            sum(B[i][j] * kappa_2[i] for i in range(len(B))) for j in range(len(B[0]))
        ]
        row, column = rows.index(max(rows)), columns.index(max(columns))
        kappa_1[column] += 1
        kappa_2[row] += 1
        actions.append((row, column))
    return actions
