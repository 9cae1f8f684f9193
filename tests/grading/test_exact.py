"""Model solutions and the hidden checks' own references against exact arithmetic.

Extreme parameters, games in which somebody falls far behind and returns, near ties.
"""

from fractions import Fraction
from itertools import product
from math import ceil, log

import numpy as np
import pytest
from sets import checks, questions

RNG = np.random.default_rng(6)


def model(name, question):
    """The names that a model solution defines."""
    asked, space = questions(name)[question], {}
    for cell in [*asked.before, asked.answer]:
        exec(cell, space)
    return space


def hidden(name):
    """The names of a set's module of checks."""
    return checks(name).all[0].function.__globals__


def exact_chances(beta, erred):
    """The share of the weight that is wrong, for each round of ``erred``."""
    beta, counts, found = Fraction(beta), [0] * len(erred[0]), []
    for row in erred:
        weights = [beta ** (c - min(counts)) for c in counts]
        found.append(sum(w for w, e in zip(weights, row, strict=True) if e)
                     / sum(weights))  # fmt: skip
        counts = [c + int(e) for c, e in zip(counts, row, strict=True)]
    return found


COMEBACK = [  # penalty, rounds against the last expert, rounds against the others
    (0.5, 1200, 1300), (1e-6, 60, 70), (2.0**-40, 30, 40), (1 - 2.0**-30, 50, 60),
    (5e-324, 3, 5), (0.3, 700, 720),
]  # fmt: skip


@pytest.mark.parametrize(("beta", "down", "up"), COMEBACK)
def test_the_coin_of_cos511(beta, down, up):
    erred = np.repeat([[0, 0, 1], [1, 1, 0]], [down, up], axis=0)
    erred[::7, 0] = 1
    outcomes = RNG.integers(0, 2, len(erred))
    advice = np.where(erred == 1, 1 - outcomes[:, None], outcomes[:, None])
    right = [float(share) for share in exact_chances(beta, erred.tolist())]
    for chances in (
        model("cos511", "rwma")["chances"],
        hidden("cos511")["true_chances"],
    ):
        np.testing.assert_allclose(chances(beta, advice, outcomes), right, rtol=1e-11)


@pytest.mark.parametrize(("beta", "down", "up"), COMEBACK)
def test_the_vote_of_cos511(beta, down, up):
    """Also where the vote is decided by a weight that floats take for 0."""
    n = 3
    learner = model("cos511", "wma")["WeightedMajority"](n, beta)
    reference = hidden("cos511")["Vote"](n, beta)
    counts = [0] * n
    for t in range(min(down, 130) + min(up, 130)):
        y = int(RNG.integers(0, 2))
        wrong = [t % 2 == 0, t % 2 == 1, True] if t < min(down, 130) else [1, 1, 0]
        x = np.array([1 - y if e else y for e in wrong])
        weights = [Fraction(beta) ** (c - min(counts)) for c in counts]
        lead = sum(w if says else -w for w, says in zip(weights, x, strict=True))
        assert learner.predict(x) == reference.predict(x) == int(lead > 0)
        learner.update(x, y)
        reference.update(x, y)
        counts = [c + int(e) for c, e in zip(counts, wrong, strict=True)]


def test_both_learners_of_cos511():
    """The reference, and the visible checks' own, on a stream of 3,000 rounds."""
    erred = np.repeat([[0, 0, 1], [1, 1, 0]], [1200, 1800], axis=0)
    outcomes = np.zeros(len(erred), dtype=int)
    exact = exact_chances(0.5, erred.tolist())
    right = sum(share > Fraction(1, 2) for share in exact)
    space = model("cos511", "counterexample")
    exec(questions("cos511")["counterexample"].visible, space)
    for both in (hidden("cos511")["both_learners"], space["two_learners"]):
        voted, drawn = both(erred, outcomes)
        assert (voted, drawn) == (right, pytest.approx(float(sum(exact))))


def test_winnow_in_powers():
    """Both Winnows, as long as floats hold the sums that are promised to be exact."""
    kitani, chandola = model("kitani", "winnow"), model("chandola", "winnow")
    for beta in (1.0, 3.0):
        n, w = 4, [Fraction(1)] * 4
        learner, own = kitani["Winnow"](n, beta), hidden("kitani")["Machine"](n, beta)
        for t in range(int(80 / beta)):
            x = np.array([1, t % 2, 0, int(t % 5 == 0)])
            total = sum(v for v, on in zip(w, x, strict=True) if on)
            assert learner.predict(x) == own.predict(x) == int(total > n)
            y = int(total <= n)
            learner.update(x, y, 1 - y)
            own.update(x, y, 1 - y)
            factor = Fraction(1 + beta) if y else 1 / Fraction(1 + beta)
            w = [v * factor if on else v for v, on in zip(w, x, strict=True)]
            assert [Fraction(float(v)) for v in learner.w] == w
    learner = chandola["Winnow"](3, 2.0**50)
    for _ in range(52):
        x = np.array([1, 0, 0])
        assert learner.predict(x) == int(learner.w[0] > 2**50)
        learner.update(x, 1, 0)


def test_the_perceptron_at_every_scale():
    for scale in (2.0**-400, 1.0, 2.0**400):
        learner = model("kakade", "perceptron")["Perceptron"](3)
        w = [Fraction(0)] * 3
        for x in RNG.integers(-3, 4, (60, 3)) * scale:
            score = sum(a * Fraction(float(b)) for a, b in zip(w, x, strict=True))
            y_hat = learner.predict(x)
            assert y_hat == (1 if score >= 0 else -1)
            learner.update(x, -y_hat, y_hat)
            w = [a - y_hat * Fraction(float(b)) for a, b in zip(w, x, strict=True)]


def test_rates_against_their_definitions():
    kitani, das = model("kitani", "rates"), model("das", "rates")
    for n, eps in product((2, 3, 100, 10**6), (0.01, 0.1, 0.5, 0.9, 0.999)):
        T = kitani["rounds_needed"](n, eps)
        assert kitani["tuned_eta"](n, T)[1] <= eps * T * (1 + 1e-12)
        assert kitani["tuned_eta"](n, T - 1)[1] > eps * (T - 1) * (1 - 1e-12)
        assert T == ceil(4 * log(n) / eps**2)
    for n, K in product((2, 10**9), (0, 1e-9, 0.5, 1, 10**12)):
        eta, bound = kitani["tuned_eta"](n, K)
        others = np.linspace(1e-6, 0.5, 1000)
        assert 0 < eta <= 0.5
        assert bound <= (others * K + log(n) / others).min() * (1 + 1e-12)
    for scale, ratio in product((1e-12, 1, 1e12), (0.01, 0.3, 1, 100)):
        s, d = Fraction(scale), Fraction(scale) * Fraction(ratio)
        eta = Fraction(float(das["best_rate"](float(s), float(d))))

        def error(e, s=s, d=d):
            return ((1 - e) ** 2 * d + e**2 * s) / (e * (2 - e))

        for step in (1e-4, -1e-4):
            assert error(eta) < error(eta * (1 + Fraction(step)))
    for scale in (2.0**-200, 1.0, 2.0**200):
        X = np.array([[3, 4, 0], [4, -3, 0]]) * scale
        assert das["largest_rate"](X) == 2 / (25 * scale**2)
