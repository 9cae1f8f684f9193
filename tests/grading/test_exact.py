"""Model solutions and the hidden checks' own references against exact arithmetic.

Extreme parameters, games in which somebody falls far behind and returns, near ties.
"""

from decimal import Decimal, getcontext
from fractions import Fraction
from functools import cache
from itertools import product
from math import ceil, log, pi, sin

import numpy as np
import pytest
from sets import checks, questions

RNG = np.random.default_rng(6)
getcontext().prec = 50


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


class Direct:
    """A hidden check's student whose code runs here."""

    def __init__(self, space):
        self.space = space

    def call(self, name, *args):
        return self.space[name](*args)


def majority(alive, x):
    return int(2 * sum(row[x] for row in alive) >= len(alive))


def test_both_halvings_of_kakade():
    """Long games with many concepts, with and without a label that nobody has."""
    halving, forgiving = (model("kakade", q) for q in ("halving", "liars"))
    for size, points, rounds in ((2, 3, 40), (300, 12, 60), (1500, 400, 900)):
        C = RNG.integers(0, 2, (size, points)).tolist()
        learners = [halving["Halving"](C), hidden("kakade")["Halving"](C)]
        fresh = forgiving["Forgiving"](C)
        alive, again = C, C
        for t in range(rounds):
            x = int(RNG.integers(points))
            y = int(RNG.integers(2)) if t % 40 == 39 else C[-1][x]
            assert {one.predict(x) for one in learners} == {majority(alive, x)}
            assert fresh.predict(x) == majority(again, x)
            for one in (*learners, fresh):
                one.update(x, y, one.predict(x))
            alive = [row for row in alive if row[x] == y]
            again = [row for row in again if row[x] == y] or C


@pytest.mark.parametrize("k", [0, 1, 5, 60])
def test_the_liar_of_kakade_lies_as_often_as_is_said(k):
    """And Forgiving keeps its bound, in whole numbers."""
    thresholds = [[int(x >= a) for x in range(24)] for a in range(25)]
    for C in (thresholds, [[0, 1], [1, 0]], RNG.integers(0, 2, (40, 9)).tolist()):
        learner = model("kakade", "liars")["Forgiving"](C)
        opponent = hidden("kakade")["contrary"](np.array(C), k)
        errors, mistakes = [0] * len(C), 0
        for x, _ in opponent:
            y_hat = learner.predict(x)
            _, y = opponent.send(y_hat)
            learner.update(x, y, y_hat)
            mistakes += y != y_hat
            errors = [e + (row[x] != y) for e, row in zip(errors, C, strict=True)]
            assert mistakes <= (k + 1) * (len(C).bit_length() - 1) + k
        assert min(errors) <= k


def sequences(rounds, few=150):
    """All sequences of so many predictions, or some of them."""
    if 2**rounds <= few:
        return list(product((0, 1), repeat=rounds))
    return RNG.integers(0, 2, (few // 20, rounds)).tolist()


def test_the_adversary_of_kakade_for_every_class_and_learner():
    make = model("kakade", "adversary")["Adversary"]
    for n in (*range(2, 34), 63, 64, 65, 99, 100):
        C = make(n).table()
        assert len({tuple(row) for row in C.tolist()}) == n
        for said in sequences(n.bit_length() - 1):
            adversary, left = make(n), C.tolist()
            for y_hat in said:
                x = adversary.next_point()
                y = adversary.label(y_hat)
                left = [row for row in left if row[x] == y]
                assert y == 1 - y_hat
                assert left


def test_the_counterexamples_of_kakade_and_chandola():
    for k in range(1, 21):  # judged in fractions, on the whole grid
        hidden("kakade")["unfitted"](Direct(model("kakade", "counterexample")), k)
    for m in range(2, 8):
        found = model("chandola", "counterexample")["beyond_opt"](m)
        w, mistakes = [Fraction(1)] * 2**m, 0
        for x in np.array(found["X"]).tolist():
            y = max((x[j] for j in found["S"]), default=0)
            y_hat = int(sum(v for v, on in zip(w, x, strict=True) if on) > 2 ** (m - 1))
            if y != y_hat:
                mistakes += 1
                w = [v * 2 * y if on else v for v, on in zip(w, x, strict=True)]
        assert mistakes > m


@cache
def depth(C):
    """The optimal mistake bound of a set of concepts, by its definition."""
    return max((1 + min(map(depth, both)) for _, both in split(C)), default=0)


def split(C):
    """The points at which both labels are possible, and the two sides."""
    for x in range(len(next(iter(C)))):
        sides = [frozenset(c for c in C if c[x] == b) for b in (0, 1)]
        if all(sides):
            yield x, sides


def test_opt_on_every_class_of_three_points_and_on_large_ones():
    cube = list(product((0, 1), repeat=3))
    classes = [
        [c for i, c in enumerate(cube) if mask >> i & 1] for mask in range(1, 256)
    ]
    wide = list(product((0, 1), repeat=6))
    classes += [[wide[i] for i in RNG.permutation(64)[:size]] for size in (14, 18)]
    space = model("chandola", "opt")
    for C in classes:
        right, table = depth(frozenset(C)), np.array(C)
        assert space["opt"](table) == right
        assert hidden("chandola")["littlestone_dimension"](table) == right
        roots = [x for x, both in split(frozenset(C))
                 if 1 + min(map(depth, both)) == right]  # fmt: skip
        assert space["first_points"](table) == hidden("chandola")["roots"](table)
        assert roots == space["first_points"](table)


def test_the_learners_of_chandola_in_long_games():
    for d, theta in ((3, None), (90, None), (6, 2.0**45 + 0.5), (2, 1e-300)):
        learner = model("chandola", "winnow")["Winnow"](d, theta)
        own, w = hidden("chandola")["Winnow"](d, theta), [Fraction(1)] * d
        limit = Fraction(d, 2) if theta is None else Fraction(theta)
        target = RNG.permutation(d)[:2]
        for x in (RNG.random((600, d)) < RNG.choice([0.1, 0.6], (600, 1))) * 1:
            y = int(x[target].any())
            total = sum(v for v, on in zip(w, x, strict=True) if on)
            assert learner.predict(x) == own.predict(x) == int(total > limit)
            for one in (learner, own):
                one.update(x, y, int(total > limit))
            if y != int(total > limit):
                w = [v * 2 * y if on else v for v, on in zip(w, x, strict=True)]
            assert [Fraction(v) for v in learner.w.tolist()] == w
            assert own.w.tolist() == learner.w.tolist()
    for d in (1, 4, 80):
        learner = model("chandola", "elimination")["DisjunctionElimination"](d)
        own = hidden("chandola")["Disjunctions"](d)
        left = {*range(1, d + 1), *range(-d, 0)}
        for x, y in hidden("chandola")["literal_stream"](RNG, d, min(d, 3), 300):
            true = {j if x[j - 1] else -j for j in range(1, d + 1)}
            y_hat = int(bool(left & true))
            assert learner.predict(x) == own.predict(x) == y_hat
            learner.update(x, y, y_hat)
            own.update(x, y, y_hat)
            left -= set() if y else true
            assert set(learner.literals()) == set(own.literals()) == left


def test_the_adversary_of_chandola_for_every_learner():
    make = model("chandola", "adversary")["Adversary"]
    for d in (*range(1, 11), 15, 16, 90):
        for k in {1, 2, 3, d // 2, d - 1, d} & {*range(1, d + 1)}:
            rounds = k * ((d // k + 1).bit_length() - 1)
            assert rounds == hidden("chandola")["forced"](d, k)
            for said in sequences(rounds):
                adversary, told = make(d, k), []
                for y_hat in said:
                    told.append((adversary.next_point(), adversary.label(y_hat)))
                target = adversary.target()
                assert len(target) <= k
                assert [y for _, y in told] == [1 - y_hat for y_hat in said]
                assert all(int(x[target].any()) == y for x, y in told)


def test_the_adversary_and_the_tuning_of_cos511():
    make = model("cos511", "adversary")["Adversary"]
    for n, rounds in ((2, 6), (3, 6), (4, 7), (7, 6), (8, 7), (64, 40), (256, 90)):
        k = n.bit_length() - 1
        for said in sequences(rounds):
            adversary = make(n)
            errors = [0] * n
            for t, y_hat in enumerate(said, 1):
                advice, y = adversary.next_advice(), adversary.outcome(y_hat)
                assert y == 1 - y_hat
                errors = [e + int(a != y) for e, a in zip(errors, advice, strict=True)]
                assert 2 * min(errors) <= t
                if n == 2**k and t >= k:
                    assert min(errors) <= ceil((t - k) / 2)
    for k, c in ((1, 2), (37, 2), (1, 38), (20, 11)):
        advice, outcomes = model("cos511", "counterexample")["coin_loses"](k, c)
        erred = (advice != outcomes[:, None]).astype(int).tolist()
        shares = exact_chances(0.5, erred)
        voted = [  # where the weight is divided equally, the vote is 0
            share > Fraction(1, 2) or (share == Fraction(1, 2) and y == 1)
            for share, y in zip(shares, outcomes, strict=True)
        ]
        assert sum(voted) == k
        assert sum(shares) >= c * k
    tuned = model("cos511", "tune")["tuned"]
    for N, K in product((2, 10**12), (1, 7, 10**15)):
        beta, bound = tuned(N, K)
        ln, root = Decimal(N).ln(), (2 * Decimal(N).ln() / Decimal(K)).sqrt()
        assert beta == pytest.approx(float(1 / (1 + root)), rel=1e-14)
        stored = Decimal(beta)  # the promise is that of the penalty beside it
        right = (ln - Decimal(K) * stored.ln()) / (1 - stored)
        assert bound == pytest.approx(float(right), rel=1e-12)


def test_the_learners_of_das_in_long_games():
    """LMS in fractions; the weights in decimals of many digits."""
    for rate, falling, scale in ((0.5, False, 1), (2.0, True, 1), (0.5, False, 2**60)):
        X, y = RNG.integers(-3, 4, (40, 3)) / 4 * scale, RNG.integers(-9, 9, 40) / 8
        learner = model("das", "lms")["LMS"](3, rate / scale**2, falling=falling)
        rates = rate / np.arange(1, 41) if falling else np.full(40, rate)
        own = hidden("das")["predictions"](X, y, rates / scale**2)
        w = [Fraction(0)] * 3
        for t, (x, label) in enumerate(zip(X, y, strict=True)):
            score = sum(a * Fraction(b) for a, b in zip(w, x.tolist(), strict=True))
            told = learner.predict(x)
            assert [told, own[t]] == pytest.approx([float(score)] * 2, rel=1e-9)
            learner.update(x, label, told)
            step = Fraction(rate) / (t + 1 if falling else 1) / scale**2
            step *= Fraction(label) - score
            w = [a + step * Fraction(b) for a, b in zip(w, x.tolist(), strict=True)]
    for n, rounds in ((2, 3000), (200, 60)):
        learner = model("das", "regret")["AnytimeWeights"](n)
        totals, best = [Decimal(0)] * n, 0
        for t in range(1, rounds + 1):
            eta = 2 * (Decimal(n).ln() / t).sqrt()
            if t % 30 == 1:
                weights = [(eta * (u - max(totals))).exp() for u in totals]
                right = [float(w / sum(weights)) for w in weights]
                np.testing.assert_allclose(learner.predict(), right, 1e-10, 1e-300)
            best = int(RNG.integers(n)) if t % 200 == 0 else best
            u = np.eye(n)[best] * 0.75 + RNG.integers(0, 2, n) / 4
            learner.update(u)
            totals = [a + Decimal(b) for a, b in zip(totals, u.tolist(), strict=True)]


def test_the_games_of_das():
    play, own = model("das", "fictitious-play")["fictitious_play"], hidden("das")
    for shape, T, most in (((2, 2), 3000, 2), ((4, 3), 800, 1), ((3, 3), 400, 10**9)):
        A, B = RNG.integers(-most, most + 1, (2, *shape))
        k1, k2 = RNG.integers(1, 4, shape[1]), RNG.integers(1, 4, shape[0])
        counts, last, pairs = [k1.tolist(), k2.tolist()], [None, None], []
        for _ in range(T):
            for i, table in enumerate((A.tolist(), B.T.tolist())):
                values = [sum(map(int.__mul__, row, counts[i])) for row in table]
                best = [a for a, v in enumerate(values) if v == max(values)]
                last[i] = last[i] if last[i] in best else best[0]
            counts[0][last[1]] += 1
            counts[1][last[0]] += 1
            pairs.append(tuple(last))
        assert np.array_equal(play(A, B, k1, k2, T), pairs)
        assert np.array_equal(own["fictitious"](A, B, k1, k2, T)[0], pairs)
    for most in (1, 9, 10**9):
        for A, B in RNG.integers(-most, most + 1, (150, 2, 2, 2)):
            if not (np.diff(A, axis=0).all() and np.diff(B, axis=1).all()):
                continue  # the question leaves out ties of a player's own
            right = sorted(equilibria(A.tolist(), B.tolist()))
            for nash in (
                model("das", "nash")["nash_2x2"],
                lambda A, B: own["every_equilibrium"](own["game"](A, B)),
            ):
                found = sorted((float(p[0]), float(q[0])) for p, q in nash(A, B))
                assert found == pytest.approx(np.array(right, dtype=float), rel=1e-12)


def equilibria(A, B):
    """The pairs (p, q) of chances of the first action, in fractions."""
    for p, q in product((0, 1), repeat=2):
        i, j = 1 - p, 1 - q
        if A[i][j] > A[1 - i][j] and B[i][j] > B[i][1 - j]:
            yield Fraction(p), Fraction(q)
    a = [A[0][j] - A[1][j] for j in (0, 1)]
    b = [B[i][0] - B[i][1] for i in (0, 1)]
    if a[0] * a[1] < 0 and b[0] * b[1] < 0:
        yield Fraction(b[1], b[1] - b[0]), Fraction(a[1], a[1] - a[0])


def margin_squared(X, y, w):
    """The square of the least margin, exactly, of floats as they are stored."""
    X, w = [[*map(Fraction, x)] for x in np.array(X, float).tolist()], [*map(
        Fraction, np.array(w, float).tolist())]  # fmt: skip
    least = min(label * sum(map(Fraction.__mul__, x, w))
                for x, label in zip(X, map(int, y), strict=True))  # fmt: skip
    assert least > 0
    return least**2 / sum(v * v for v in w)


def test_the_adversaries_of_kitani_for_every_learner():
    """Their margins in fractions, to the relative 1e-9 that the question allows."""
    space, near = model("kitani", "adversary"), 1 - Fraction(2, 10**9)
    games = [("InSpace", d, d, Fraction(1, d)) for d in (1, 2, 5, 7, 60)]
    for gamma in (1e-4, 0.5, 1.0, *(sin(pi / 2**j) for j in (2, 7, 14)), 0.0123):
        rounds = sum(sin(pi / 2**j) >= gamma for j in range(1, 40))
        games.append(("InPlane", gamma, rounds, Fraction(gamma) ** 2))
    for name, size, rounds, wanted in games:
        for said in sequences(rounds):
            adversary, X, y = space[name](size), [], []
            for y_hat in (2 * bit - 1 for bit in said):
                X.append(np.array(adversary.next_point(), dtype=float))
                y.append(adversary.label(y_hat))
                assert y[-1] == -y_hat
                length = sum(Fraction(v) ** 2 for v in X[-1].tolist())
                assert length <= 1 / near
            assert margin_squared(X, y, adversary.separator()) >= wanted * near


def test_the_counterexample_and_the_best_beta_of_kitani():
    for c in range(1, 7):
        given = model("kitani", "counterexample")["easy_and_hard"](c)
        (X, y, w), (two, labels) = given["A"], given["B"]
        a, b = ([label * Fraction(v) for v in x]
                for x, label in zip(two, labels, strict=True))  # fmt: skip
        away = [s - t for s, t in zip(a, b, strict=True)]
        share = sum(map(Fraction.__mul__, a, away)) / sum(v * v for v in away)
        nearest = [s - share * v for s, v in zip(a, away, strict=True)]
        other = sum(v * v for v in nearest)
        assert other > Fraction(1, 10**12)
        assert margin_squared(X, y, w) >= c * c * other * (1 - Fraction(1, 10**8))
        own = hidden("kitani")["largest_margin"](np.array(two), np.array(labels))
        assert own == pytest.approx(float(other) ** 0.5, rel=1e-12)
        assert mistakes_of(X, y) > c * mistakes_of(two, labels)
    for n, k in ((2, 1), (2, 2), (10**9, 1), (10**9, 10**9), (3, 3)):
        beta = Decimal(float(model("kitani", "rates")["best_beta"](n, k)))
        bounds = []
        for factor in range(-400, 401):
            b = beta * Decimal(factor / 100).exp()
            steps = Decimal(n).ln() / (1 + b).ln() + 1
            bounds.append((1 + b) / b + (2 + b) * k * steps)
        assert bounds[400] <= min(bounds) * (1 + Decimal("1e-9"))


def mistakes_of(X, y):
    """The Perceptron's, in fractions; a score of 0 is one."""
    w, mistakes = [Fraction(0)] * len(X[0]), 0
    for x, label in zip(np.array(X, float).tolist(), map(int, y), strict=True):
        x = [*map(Fraction, x)]
        if label * sum(map(Fraction.__mul__, w, x)) <= 0:
            w = [a + label * b for a, b in zip(w, x, strict=True)]
            mistakes += 1
    return mistakes
