"""Hidden checks of the problem set to Kitani and Chen: online linear classification.

No check can fail a right answer: each compares with an exact value, or with a
bound that is a theorem.  The inputs are fresh in each run.
"""

from itertools import product
from math import ceil, log, log2, pi, sqrt

import numpy as np

from grading.checks import Checks, array, bit, real, vector, whole, wrong

checks = Checks()
NEAR = 1e-9  # relative tolerance


# --- What several questions need ----------------------------------------


def near(found, right):
    return np.allclose(found, right, rtol=NEAR, atol=0)


def entry(given, key, where):
    """An entry of a dict that the student gave."""
    if not isinstance(given, dict) or key not in given:
        wrong(f"{where} should return a dict with the key '{key}'.")
    return given[key]


def sign_of(value, what):
    """A label -1 or 1."""
    found = whole(value, what)
    if found not in (-1, 1):
        wrong(f"Expected {what} to be -1 or 1, got {found}.")
    return found


class Machine:
    """Winnow in floats, with what can be done wrong in it."""

    def __init__(
        self, n, beta, *, at=False, threshold=None, demote="divide",
        when="mistakes", moves="active", cut=False,
    ):  # fmt: skip
        self.w, self.beta, self.at = np.ones(n), beta, at
        self.threshold = n if threshold is None else threshold
        self.demote, self.when, self.moves, self.cut = demote, when, moves, cut

    def predict(self, x):
        score = np.trunc(self.w @ x) if self.cut else self.w @ x
        return int(score >= self.threshold if self.at else score > self.threshold)

    def update(self, x, y, y_hat):
        if self.when == "mistakes" and y == y_hat:
            return
        chosen = np.ones(len(x)) if self.moves == "all" else np.asarray(x)
        factors = {
            "divide": 1 / (1 + self.beta), "eliminate": 0, "take": 1 - self.beta,
            "halve": 1 / 2, "never": 1,
        }  # fmt: skip
        factor = 1 + self.beta if y == 1 else factors[self.demote]
        self.w = np.where(chosen == 1, self.w * factor, self.w)


FAULTS = [
    (lambda n, b: Machine(n, b, at=True),
     "A sum that is exactly N is a 1 for your learner; Winnow asks for more than N."),
    (lambda n, b: Machine(n, b, threshold=n / 2),
     "Your threshold is N/2; this lecture's is N."),
    (lambda n, b: Machine(n, b, demote="eliminate"),
     "Your demotion sets weights to 0; this lecture's Winnow divides by 1 + beta."),
    (lambda n, b: Machine(n, b, demote="take"),
     "Your demotion multiplies by 1 - beta; it should divide by 1 + beta."),
    (lambda n, b: Machine(n, b, demote="never"),
     "Your learner never demotes: what should happen after a mistake on a label 0?"),
    (lambda n, b: Machine(n, b, when="always"),
     "Your weights change in every round, not after mistakes only."),
    (lambda n, b: Machine(n, b, cut=True),
     "Your learner cuts or rounds its sum: one just above N is above N."),
    (lambda n, b: Machine(n, b, moves="all"),
     "You change all weights; only those of the active features should change."),
]  # fmt: skip


def winnow_game(learner, rounds):
    """Predictions, and weights after each round."""
    said, weights = [], []
    for x, y in rounds:
        y_hat = bit(learner.predict(x))
        learner.update(x, y, y_hat)
        said.append(y_hat)
        w = learner.w if isinstance(learner, Machine) else learner.get("w")
        weights.append(vector(w, len(x), "w"))
    return said, np.array(weights)


def predictions(learner, rounds):
    """What a `Machine` predicts in each round."""
    said = []
    for x, y in rounds:
        said.append(learner.predict(x))
        learner.update(x, y, said[-1])
    return said


# --- 1. By hand ---------------------------------------------------------

HAND = [
    ((1, 1, 0, 1), 1), ((1, 0, 1, 1), 0), ((1, 1, 0, 1), 1), ((1, 0, 1, 1), 0),
    ((0, 1, 0, 0), 1), ((1, 0, 1, 1), 0),
]  # fmt: skip
ADVICE = np.array([(1, 1, -1), (1, -1, -1), (-1, -1, 1), (1, -1, 1)])
LABELS = np.array([-1, -1, 1, -1])


def first_fault(agree, what):
    """Fail with the number of the first round that is not right."""
    for number, fine in enumerate(agree, start=1):
        if not fine:
            wrong(f"{what} wrong for the first time in round {number}.")


@checks("by-hand", "Winnow: the six predictions", points=2)
def hand_predictions(student, rng):
    given = entry(student.call("winnow_by_hand"), "predicts", "winnow_by_hand")
    found = vector(given, 6, "the list 'predicts'").tolist()
    right = winnow_game(Machine(4, 1), HAND)[0]
    if found == right:
        return
    for faulty, sentence in FAULTS:
        if found == winnow_game(faulty(4, 1), HAND)[0]:
            wrong(sentence)
    if found == [y for _, y in HAND]:
        wrong("These are the labels, not what Winnow predicts.")
    first_fault(np.equal(found, right), "The prediction is")


@checks("by-hand", "Winnow: the weights after each round", points=2)
def hand_weights(student, rng):
    given = entry(student.call("winnow_by_hand"), "weights", "winnow_by_hand")
    found = array(given, (6, 4), "'weights'")
    right = winnow_game(Machine(4, 1), HAND)[1]
    if near(found, right):
        return
    for faulty, sentence in FAULTS:
        if near(found, winnow_game(faulty(4, 1), HAND)[1]):
            wrong(sentence)
    if near(found, [np.ones(4), *right[:-1]]):
        wrong("These are the weights before each round; asked are those after it.")
    first_fault([near(*pair) for pair in zip(found, right, strict=True)],
                "A weight is")  # fmt: skip


def coin_chances(beta=0.5, lazy=False):
    """The chances of a mistake, and what faulty updates make of them."""
    w, chances = np.ones(3), []
    for x, y in zip(ADVICE, LABELS, strict=True):
        erring = x != y
        chances.append(w[erring].sum() / w.sum())
        vote = 1 if w @ x > 0 else -1
        if not lazy or vote != y:
            w = np.where(erring, w * beta, w)
    return np.array(chances)


@checks("by-hand", "the coin: the chance of a mistake in each round", points=2)
def hand_coin(student, rng):
    found = vector(student.call("coin_by_hand"), 4, "the list of chances")
    right = coin_chances()
    if near(found, right):
        return
    if near(found[1:], 1 - right[1:]):
        wrong("These are the chances of being right.")
    if near(found, coin_chances(beta=1)):
        wrong("Your weights never change: an expert that errs should lose its share.")
    if near(found, coin_chances(beta=2)):
        wrong("Your weights grow for the experts that were wrong.")
    if near(found, coin_chances(lazy=True)):
        wrong("The weights change in every round, whether or not the learner errs.")
    if near(found, coin_chances(beta=0)):
        wrong("An expert that errs loses a share eta of its weight, not all of it.")
    if np.allclose(found, right, rtol=1e-2, atol=0):
        wrong("Your chances are rounded: return fractions, such as 2 / 3.")
    first_fault(np.isclose(found, right, rtol=NEAR, atol=0), "The chance is")


# --- 2. Winnow ----------------------------------------------------------


def rounds_of(rng, n, length):
    """Random examples, two thirds of them dense, with random labels."""
    X = (rng.random((length, n)) < rng.choice([0.3, 0.7, 0.7], (length, 1))).astype(int)
    return list(zip(X, rng.integers(2, size=length).tolist(), strict=True))


def no_tie(rounds, n, beta):
    """Whether every sum is off the threshold by more than rounding."""
    learner = Machine(n, beta)
    for x, y in rounds:
        if abs(learner.w @ x - n) < 1e-6:
            return False
        learner.update(x, y, learner.predict(x))
    return True


def telling(rng, betas, *, ties):
    """A game in which every faulty learner says something else than Winnow.

    Without ties the first fault, about ties, does not show.
    """
    while True:
        n, beta = int(rng.integers(3, 7)), float(rng.choice(betas))
        rounds = rounds_of(rng, n, 20)
        right = predictions(Machine(n, beta), rounds)
        if not ties and not no_tie(rounds, n, beta):
            continue
        faults = FAULTS if ties else FAULTS[1:]
        if all(right != predictions(make(n, beta), rounds) for make, _ in faults):
            return n, beta, rounds


def growing(rng, beta):
    """A game in which one weight of many grows beyond N, and is demoted at last."""
    n = int(rng.integers(60, 70))
    alone = np.eye(n, dtype=int)[rng.integers(n)]
    return n, float(beta), [(alone, 1)] * 9 + [(alone, 0)] * 3


def almost(rng, beta):
    """Sums above N by less and less: one weight returns to N, and another one falls."""
    n, one, two = 4, *rng.permutation(4)[:2]
    alone = np.eye(n, dtype=int)[one]
    both = alone + np.eye(n, dtype=int)[two]
    rounds = [(alone, 1)] * (2 if beta == 1 else 1)
    return n, float(beta), rounds + [(both, 0), (alone, 1)] * (40 // (1 + beta) * 2)


def extreme(rng, beta):
    """A game with a tiny or a huge beta, in which no sum is at the threshold."""
    while True:
        n = int(rng.integers(3, 7))
        rounds = rounds_of(rng, n, 40)
        if no_tie(rounds, n, beta):
            return n, beta, rounds


def compare_winnow(student, games):
    """Play all games; blame the fault that explains what came back."""
    found = [winnow_game(student.new("Winnow", n, b), game) for n, b, game in games]
    right = [winnow_game(Machine(n, b), game) for n, b, game in games]

    def explained(theirs):
        return all(
            a[0] == b[0] and np.allclose(a[1], b[1], rtol=NEAR, atol=1e-300)
            for a, b in zip(found, theirs, strict=True)
        )

    if explained(right):
        return
    faults = [
        *FAULTS,
        (lambda n, b: Machine(n, 1), "Your learner plays with beta = 1 throughout."),
        (lambda n, b: Machine(n, b, demote="halve"),
         "Your demotion halves the weights; it should divide by 1 + beta."),
        (lambda n, b: Machine(n, b - 1),
         "Your factor is beta itself; it should be 1 + beta."),
    ]  # fmt: skip
    for faulty, sentence in faults:
        if explained([winnow_game(faulty(n, b), game) for n, b, game in games]):
            wrong(sentence)
    for mine, its in zip(found, right, strict=True):
        for t in range(len(its[0])):
            if mine[0][t] != its[0][t]:
                wrong(f"In a game, round {t + 1} is the first with a wrong prediction.")
            if near(mine[1][t], its[1][t]):
                continue
            if np.array_equal(mine[1][t], np.trunc(its[1][t])):
                wrong("Your w holds whole numbers only: the rest of them is cut off.")
            wrong(f"In a game, w is wrong for the first time after round {t + 1}.")


SMALL, LARGE = [1 / 4, 1 / 2, 3 / 4], [3 / 2, 2, 5 / 2]


@checks("winnow", "beta = 1 and 3, with sums at the threshold", points=3)
def winnow_whole(student, rng):
    games = [telling(rng, [beta], ties=True) for beta in (1, 3)]
    games += [almost(rng, beta) for beta in (1, 3)]
    compare_winnow(student, [*games, growing(rng, 1)])


@checks("winnow", "any other beta", points=2)
def winnow_other(student, rng):
    games = [telling(rng, b, ties=False) for b in (SMALL, LARGE)]
    compare_winnow(student, [*games, extreme(rng, 0.03), extreme(rng, 1000.0)])


@checks("winnow", "several learners at once do not disturb each other", points=2)
def winnow_together(student, rng):
    games = [telling(rng, betas, ties=False) for betas in (SMALL, LARGE, [1, 3])]
    compare_winnow(student, games[:1])
    mine = [student.new("Winnow", n, beta) for n, beta, _ in games]
    right = [winnow_game(Machine(n, b), game)[0] for n, b, game in games]
    for t in range(len(right[0])):
        for learner, (_, _, game), its in zip(mine, games, right, strict=True):
            x, y = game[t]
            y_hat = bit(learner.predict(x))
            if y_hat != its[t]:
                wrong(
                    "Several learners play at once, and one of them departs from "
                    f"Winnow in round {t + 1}. Does each have weights of its own?"
                )
            learner.update(x, y, y_hat)


# --- 3. Rates -----------------------------------------------------------


def tuned(n, K):
    eta = min(1 / 2, sqrt(log(n) / K)) if K else 1 / 2
    return eta, eta * K + log(n) / eta


def compare_rates(student, asked):
    for n, K in asked:
        eta, limit = vector(student.call("tuned_eta", n, K), 2, "the pair")
        right = tuned(n, K)
        if near(eta, right[0]):
            if not near(limit, right[1]):
                wrong("The rate is right, and the bound there is not.")
            continue
        if K and near(eta, sqrt(log2(n) / K)):
            wrong("Your logarithm has base 2; that of (2) is natural.")
        if eta > 1 / 2:
            wrong("Your eta is above 1/2, where the theorem promises nothing.")
        if K and near(eta, sqrt(2 * log(n) / K)):
            wrong("Take the derivative of the bound once more: your rate has a factor.")
        wrong("For some n and K there is an eta in (0, 1/2] with a smaller bound.")


@checks("rates", "the coin: the rate where the bound balances", points=1)
def rate_balanced(student, rng):
    sizes, most = rng.integers(2, 50, size=4), rng.integers(20, 999, size=4)
    asked = [*zip(sizes.tolist(), most.tolist(), strict=True), (10**9, 10**12)]
    compare_rates(student, asked)


@checks("rates", "the coin: also where K is small", points=1)
def rate_small(student, rng):
    n = int(rng.integers(3, 50))
    asked = [(n, 4 * log(n) * share) for share in rng.uniform(0.05, 0.95, size=2)]
    edge = [(n, 4 * log(n) * share) for share in (0.999, 1.001)]
    compare_rates(student, [(n, 40), *asked, (n, 0), *edge])


@checks("rates", "the rounds that an average regret takes", points=2)
def rate_rounds(student, rng):
    ranges = [(0.004, 0.01, 100), (0.02, 0.1, 100), (0.1, 0.6, 100), (0.6, 0.99, 100)]
    # On either side of the half, so that to round is not to round up, and away from
    # whole numbers, so that what floats round decides nothing.
    rests = (0.01, 0.49), (0.51, 0.99)
    for (least, most, largest), rest in product((*ranges, (0.8, 0.99, 3)), rests):
        exact = 0.0
        while not rest[0] < exact % 1 < rest[1]:
            n, eps = int(rng.integers(2, largest)), float(rng.uniform(least, most))
            exact = 4 * log(n) / eps**2
        found = whole(student.call("rounds_needed", n, eps), "the number of rounds")
        if found == ceil(exact):
            continue
        if found == ceil(4 * log2(n) / eps**2):
            wrong("Your logarithm has base 2; that of (2) is natural.")
        if found == ceil(exact) - 1:
            wrong("One round too few: there the promise is still above eps.")
        if found == ceil(exact) + 1:
            wrong("One round less would do as well.")
        if found < exact:
            wrong("For so few rounds the bound promises less than you say.")
        wrong("The bound promises this already for fewer rounds.")


def winnow_limit(n, k, beta):
    steps = np.log(n) / np.log1p(beta) + 1
    return (1 + beta) / beta + (2 + beta) * k * steps


def compare_betas(student, asked):
    for n, k in asked:
        beta = float(real(student.call("best_beta", n, k), "beta"))
        if not 0 < beta < 1e6:
            wrong("Your beta is not above 0, or it is huge.")
        low, high = 1e-3, 1e3
        for _ in range(4):
            grid = np.geomspace(low, high, 201)
            best = int(winnow_limit(n, k, grid).argmin())
            low, high = grid[max(best - 1, 0)], grid[min(best + 1, 200)]
        least = winnow_limit(n, k, grid).min()
        if not winnow_limit(n, k, beta) <= least * (1 + 1e-6):
            if abs(beta - 1) < 1e-9:
                wrong("beta = 1 is the lecture's choice, but not the best one.")
            if abs(log(1 + beta) - (2 + beta) / (1 + beta)) < 1e-3:
                wrong("This is the best beta in the limit of large N, not for this N.")
            if winnow_limit(n, k, beta) < least * 1.001:
                wrong(
                    "Close, but the bound is more than one millionth above the least: "
                    "search more finely."
                )
            wrong("For some n and k another beta has a clearly smaller bound.")


@checks("rates", "Winnow: the best beta, n small", points=1.5)
def beta_small(student, rng):
    n = int(rng.integers(3, 30))
    compare_betas(student, [(n, 1), (n, int(rng.integers(2, n + 1))), (2, 2), (2, 1)])


@checks("rates", "Winnow: the best beta, n large", points=1.5)
def beta_large(student, rng):
    n = int(rng.integers(1000, 10**6))
    compare_betas(student, [(n, 1), (n, int(rng.integers(2, 50))), (10**9, 10**8)])


# --- 4. The adversaries -------------------------------------------------


class Adds:
    """The Perceptron; a score of 0 predicts what ``zero`` says."""

    def __init__(self, zero):
        self.zero, self.w = zero, 0

    def predict(self, x):
        score = np.sum(self.w * x)
        return int(np.sign(score)) if score else self.zero

    def update(self, x, y, y_hat):
        self.w = self.w + y * x


class Says:
    """Predicts by a rule that looks at no example."""

    def __init__(self, rule):
        self.rule, self.last = rule, 1

    def predict(self, x):
        return self.rule(self.last)

    def update(self, x, y, y_hat):
        self.last = y


def opponents(rng):
    return [
        Adds(1), Adds(-1), Says(lambda last: 1), Says(lambda last: -1),
        Says(lambda last: last), Says(lambda last: int(rng.choice([-1, 1]))),
    ]  # fmt: skip


def fight(adversaries, learners, d, rounds, gamma):
    """Games at the same time; each label must contradict, some vector fit."""
    X, y = [[] for _ in learners], [[] for _ in learners]
    for t in range(1, rounds + 1):
        for i, (adversary, learner) in enumerate(
            zip(adversaries, learners, strict=True)
        ):
            x = vector(adversary.next_point(), d, "an example")
            y_hat = learner.predict(x)
            label = sign_of(adversary.label(y_hat), "a label")
            if label == y_hat:
                wrong(
                    f"In round {t} of {rounds} the label is the one that was "
                    "predicted, so it is no mistake."
                )
            learner.update(x, label, y_hat)
            X[i].append(x)
            y[i].append(label)
    for adversary, points, labels in zip(adversaries, X, y, strict=True):
        w = vector(adversary.separator(), d, "the separator")
        if not np.linalg.norm(points, axis=1).max() <= 1 + NEAR:
            wrong("One of your examples is longer than 1.")
        if not abs(np.linalg.norm(w) - 1) <= NEAR:
            wrong("Your separator is no unit vector.")
        margin = (np.array(labels) * (np.array(points) @ w)).min()
        if not margin > 0:
            wrong(f"After round {rounds} your separator is wrong about an example.")
        if not margin >= gamma * (1 - NEAR):
            wrong(f"After round {rounds} your separator's margin is below gamma.")


@checks("adversary", "in space: d mistakes of any learner", points=2)
def space(student, rng):
    for d in (1, 2, int(rng.integers(3, 9)), int(rng.integers(20, 60)), 60):
        for learner in opponents(rng)[:: 1 if d < 20 else 2]:
            fight([student.new("InSpace", d)], [learner], d, d, 1 / sqrt(d))


@checks("adversary", "in space: several games at a time", points=1)
def spaces(student, rng):
    d, learners = int(rng.integers(4, 12)), opponents(rng)
    adversaries = [student.new("InSpace", d) for _ in learners]
    fight(adversaries, learners, d, d, 1 / sqrt(d))


def plane(student, rng, rounds):
    """At a margin that leaves room for so many rounds, and not for one more."""
    gamma = float(np.sin(rng.uniform(0.51, 0.99) * pi / 2**rounds))
    for learner in opponents(rng):
        fight([student.new("InPlane", gamma)], [learner], 2, rounds, gamma)


@checks("adversary", "in the plane: up to four rounds", points=2)
def plane_short(student, rng):
    for rounds in (1, 2, 3, 4):
        plane(student, rng, rounds)


@checks(
    "adversary", "in the plane: small margins, as many rounds as there are", points=2
)
def plane_long(student, rng):
    for rounds in (5, int(rng.integers(6, 10)), int(rng.integers(10, 14)), 14):
        plane(student, rng, rounds)


@checks(
    "adversary", "in the plane: no room to spare, several games at a time", points=1
)
def planes(student, rng):
    for rounds in (1, 2, int(rng.integers(3, 8)), int(rng.integers(8, 14)), 14):
        gamma = float(np.sin(pi / 2**rounds))  # the last round just fits
        learners = opponents(rng)
        adversaries = [student.new("InPlane", gamma) for _ in learners]
        fight(adversaries, learners, 2, rounds, gamma)


# --- 5. A counterexample ------------------------------------------------


def items(value, what, most):
    """A list of at least one item, from a list or an array."""
    if isinstance(value, np.ndarray):
        value = list(value) if value.ndim else value.item()
    if not isinstance(value, list) or not 1 <= len(value) <= most:
        wrong(f"Expected {what} to be a list of 1 to {most} items.")
    return value


def data_set(X, y, name, most):
    """Examples and labels as arrays, with the longest example of length 1."""
    labels = items(y, f"the labels of {name}", most)
    labels = vector(labels, len(labels), f"the labels of {name}")
    if not np.isin(labels, (-1, 1)).all():
        wrong(f"The labels of {name} should be -1 and +1.")
    X = items(X, f"the examples of {name}", most)
    if len(X) != len(labels):
        wrong(f"{name} should have an example for each label.")
    d = np.size(X[0]) if isinstance(X[0], (list, np.ndarray)) else 0
    if not 1 <= d <= 100:
        wrong(f"The examples of {name} should have 1 to 100 features.")
    X = array(X, (len(labels), d), f"the examples of {name}")
    if abs(np.linalg.norm(X, axis=1).max() - 1) > NEAR:
        wrong(f"The longest example of {name} should have length 1.")
    return X, labels


def perceptron_mistakes(X, y):
    w, mistakes = np.zeros(X.shape[1]), 0
    for x, label in zip(X, y, strict=True):
        if label * (w @ x) <= 0:
            w, mistakes = w + label * x, mistakes + 1
    return mistakes


def largest_margin(X, y):
    """The largest margin of two examples: from 0 to the segment between them."""
    a, b = y[:, None] * X
    length = (a - b) @ (a - b)
    share = np.clip(a @ (a - b) / length, 0, 1) if length else 0
    return np.linalg.norm(a + share * (b - a))


def misleading(student, c):
    given = student.call("easy_and_hard", c)
    A, B = (entry(given, key, "easy_and_hard") for key in "AB")
    if not isinstance(A, list) or len(A) != 3 or not isinstance(B, list) or len(B) != 2:
        wrong("'A' should be a triple (X, y, w) and 'B' a pair (X, y).")
    X, y = data_set(A[0], A[1], "A", 100)
    w = vector(A[2], X.shape[1], "w")
    if not w.any():
        wrong("Your w for A is the zero vector, which separates nothing.")
    w = w / abs(w).max()  # a huge one would overflow
    margin = (y * (X @ w)).min() / np.linalg.norm(w)
    if not margin > 0:
        wrong("Your w does not separate A.")
    two = data_set(B[0], B[1], "B", 2)
    if len(two[1]) != 2:
        wrong("B should have exactly two examples.")
    other = largest_margin(*two)
    if not other >= 1e-6 * (1 - NEAR):
        wrong("No vector separates B with a margin of at least 10^-6.")
    if not margin >= c * other * (1 - NEAR):
        wrong(f"For c = {c}, the margin of A is less than c times that of B.")
    if perceptron_mistakes(X, y) <= c * perceptron_mistakes(*two):
        wrong(
            f"For c = {c}, the Perceptron's mistakes on A are not more than c times "
            "those on B."
        )


@checks("counterexample", "a large margin and many mistakes, c up to 3", points=2)
def misleading_little(student, rng):
    for c in (1, 2, 3):
        misleading(student, c)


@checks("counterexample", "a large margin and many mistakes, every c", points=3)
def misleading_much(student, rng):
    for c in range(1, 7):
        misleading(student, c)
