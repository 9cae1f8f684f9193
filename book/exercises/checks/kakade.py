"""Hidden checks of the problem set to Kakade's lecture: mistake bounds.

No check can fail a right answer: each compares with an exact value, or with a
bound that is a theorem.  The inputs are fresh in each run.
"""

from fractions import Fraction
from itertools import product

import numpy as np

from grading.checks import Checks, bit, real, vector, whole, wrong
from olutil.classes import all_functions, singletons, thresholds
from olutil.concepts import Halving
from olutil.theorems import bound

checks = Checks()


# --- What several questions need ----------------------------------------


def some_class(rng, points, size):
    """``size`` random concepts, all different, as a table."""
    functions = all_functions(points)
    return functions[rng.choice(len(functions), size, replace=False)]


def shuffled(rng, C):
    """The same class with its concepts and its points in another order."""
    C = np.asarray(C)
    return rng.permutation(rng.permutation(C), axis=1)


def game(learner, rounds):
    """The predictions of a learner, asked once a round before the label is told."""
    said = []
    for x, y in rounds:
        y_hat = bit(learner.predict(int(x)))
        said.append(y_hat)
        learner.update(int(x), int(y), y_hat)
    return said


class Frozen(Halving):
    """The majority of the whole class, forever."""

    def update(self, x, y, y_hat):
        pass


class Smug(Halving):
    """Drops concepts only after a round without a mistake."""

    def update(self, x, y, y_hat):
        if y == y_hat:
            super().update(x, y, y_hat)


class Minority(Halving):
    """The losing side of the vote."""

    def predict(self, x):
        return 1 - super().predict(x)


class Reversed(Halving):
    """Keeps the concepts that were wrong."""

    def update(self, x, y, y_hat):
        super().update(x, 1 - y, y_hat)


class Believer(Halving):
    """Starts afresh when nobody is left, and then believes the label of that round."""

    def update(self, x, y, y_hat):
        super().update(x, y, y_hat)
        if not self.alive.any():
            self.alive = np.ones(len(self.C), dtype=bool)
            super().update(x, y, y_hat)


# --- 1. By hand ---------------------------------------------------------

HAND = [[int(b) for b in row] for row in
        "10011 10110 01011 11110 00110 00000 10111 01010".split()]  # fmt: skip
HAND_ROUNDS = [(0, 0), (3, 1), (1, 1), (2, 0), (4, 0)]


def entries(student, key):
    """Five whole numbers of the answer to question 1."""
    given = student.call("halving_by_hand")
    if not isinstance(given, dict) or key not in given:
        wrong(f"halving_by_hand should return a dict with the key '{key}'.")
    found = vector(given[key], 5, f"the list '{key}'")
    return [whole(float(value), f"an entry of '{key}'") for value in found]


def first_fault(found, right, what):
    """Fail with the number of the first round that is not right."""
    for number, (mine, its) in enumerate(zip(found, right, strict=True), start=1):
        if mine != its:
            wrong(f"{what} wrong for the first time in round {number}.")


@checks("by-hand", "Halving: the five predictions", points=2)
def hand_predictions(student, rng):
    right = game(Halving(HAND), HAND_ROUNDS)
    found = entries(student, "predicts")
    if found == game(Halving(HAND, tie=0), HAND_ROUNDS):
        wrong(
            "These are the labels, and what Halving with ties broken in favor of 0 "
            "would predict here; on the page a tie is a vote for 1."
        )
    left = sizes(Halving(HAND, lazy=True))
    lazy = found == game(Halving(HAND, lazy=True), HAND_ROUNDS)
    if lazy and entries(student, "left") == left:
        wrong("You drop concepts only after a mistake; Halving does it in every round.")
    first_fault(found, right, "The prediction is")


def sizes(learner):
    """How many concepts are left after each round of the game by hand."""
    left = []
    for x, y in HAND_ROUNDS:
        learner.update(x, y, learner.predict(x))
        left.append(int(learner.alive.sum()))
    return left


@checks("by-hand", "Halving: the size of the version space", points=2)
def hand_sizes(student, rng):
    right = sizes(Halving(HAND))
    found = entries(student, "left")
    if found == [len(HAND), *right[:-1]]:
        wrong("These are the sizes before each round; asked are those after it.")
    if found == sizes(Halving(HAND, lazy=True)):
        wrong("You drop concepts only after a mistake; Halving does it in every round.")
    first_fault(found, right, "The number of concepts left is")


# --- 2. Halving ---------------------------------------------------------


def votes(C, tie=1):
    """The vote of a whole class at each of its points."""
    learner = Halving(C, tie=tie)
    return [int(learner.predict(x)) for x in range(np.shape(C)[1])]


def tied(C):
    return votes(C, 0) != votes(C, 1)


@checks("halving", "the first vote: the majority, and 1 in a tie", points=1)
def halving_votes(student, rng):
    asked = []
    while len(asked) < 12:
        C = some_class(rng, 4, int(rng.integers(3, 10)))
        if tied(C) == (len(asked) < 6) and len(set(votes(C))) == 2:
            asked.append(C)
    found = []
    for C in asked:
        learner = student.new("Halving", C.tolist())
        found.append([bit(learner.predict(x)) for x in range(4)])
    if found == [votes(C) for C in asked]:
        return
    if found == [votes(C, tie=0) for C in asked]:
        wrong(TIES)
    for tie in (0, 1):
        if found == [[1 - vote for vote in votes(C, tie)] for C in asked]:
            wrong("Your learner believes the minority.")
    if found == [[int(all(c)) for c in C.T] for C in asked]:
        wrong("Your learner says 1 only if all concepts do.")
    if found == [[int(any(c)) for c in C.T] for C in asked]:
        wrong("Your learner says 1 as soon as one concept does.")
    wrong("In the first round, your learner does not predict what the majority says.")


TIES = "In a tie your learner says 0; the page's majority says 1."
VARIANTS = [
    (lambda C: Halving(C, lazy=True),
     "Your learner drops concepts only after a mistake. The page's Halving does it in "
     "every round."),
    (Smug, "Your learner drops concepts only when it was right."),
    (Frozen, "Your learner never drops a concept: all of them vote in every round."),
    (lambda C: Halving(C, tie=0), TIES),
    (Minority, "Your learner believes the minority."),
    (Reversed, "Your learner keeps the concepts that were wrong and drops the others."),
]  # fmt: skip


def telling(rng, variant, *, ties):
    """A class and a realizable game in which a wrong learner says something else.

    With ``ties=False``, how ties are broken makes no difference.
    """
    while True:
        C = some_class(rng, 5, int(rng.integers(7, 13)))
        target = C[rng.integers(len(C))]
        points = np.concatenate([rng.permutation(5), rng.integers(5, size=4)])
        rounds = [(int(x), int(target[x])) for x in points]
        right = game(Halving(C), rounds)
        if game(variant(C), rounds) == right:
            continue
        if ties or game(Halving(C, tie=0), rounds) == right:
            return C, rounds


@checks("halving", "drops in every round the concepts that were wrong", points=2)
def halving_games(student, rng):
    variants = [variant for variant, sentence in VARIANTS if sentence != TIES]
    compare_games(student, [telling(rng, v, ties=False) for v in variants * 2])


@checks("halving", "the same in games with ties", points=1)
def halving_ties(student, rng):
    games = [telling(rng, v, ties=True) for v, _ in VARIANTS * 2]
    # Majorities of one in many, which whoever rounds the share of the votes misses.
    for C in (narrow(rng, 101), narrow(rng, 399)):
        games += [(C, [(x, 1)]) for x in range(4)]
    # Long ones of many concepts, whose points come ever nearer to the target's step.
    C = thresholds(90)
    for a in rng.integers([10, 65], [25, 80]).tolist():
        points = sorted(range(90), key=lambda x, a=a: -abs(x - a))
        games.append((C, [(x, int(C[a, x])) for x in points]))
    compare_games(student, games)


def narrow(rng, size):
    """An odd number of concepts that vote by a majority of one, each side twice."""
    more, less = size // 2 + 1, size // 2
    while True:
        ones = rng.permutation([more, less, more, less])
        first = np.array([rng.permutation(np.arange(size) < n) for n in ones]).T
        C = np.hstack([first, rng.integers(0, 2, (size, 12))]).astype(int)
        if len(np.unique(C, axis=0)) == size:
            return C


def compare_games(student, games):
    """Fail, with the sentence of the wrong learner that says the same."""
    found = []
    for C, rounds in games:
        found.append(game(student.new("Halving", C.tolist()), rounds))
    if found == [game(Halving(C), rounds) for C, rounds in games]:
        return
    for variant, sentence in VARIANTS:
        if found == [game(variant(C), rounds) for C, rounds in games]:
            wrong(sentence)
    for (C, rounds), said in zip(games, found, strict=True):
        for t, right in enumerate(game(Halving(C), rounds)):
            if said[t] != right:
                wrong(
                    f"In a game on {C.shape[1]} points, round {t + 1} is the first in "
                    "which your learner does not say what the concepts that are left "
                    "say."
                )


@checks("halving", "several learners at once do not disturb each other", points=1)
def halving_twice(student, rng):
    games = [telling(rng, variant, ties=False) for variant, _ in VARIANTS[:3]]
    right = [game(Halving(C), rounds) for C, rounds in games]
    alone = [game(student.new("Halving", C.tolist()), rounds) for C, rounds in games]
    if alone != right:
        wrong("Even when it plays alone your learner is not Halving; see the others.")
    mine = [student.new("Halving", C.tolist()) for C, _ in games]
    for t in range(len(right[0])):
        for learner, (_, rounds), its in zip(mine, games, right, strict=True):
            x, y = rounds[t]
            y_hat = bit(learner.predict(x))
            if y_hat != its[t]:
                wrong(
                    "Several learners play at once, and one of them departs from "
                    f"Halving in round {t + 1}. Does each have a version space of its "
                    "own?"
                )
            learner.update(x, y, y_hat)


def others_change(C, x):
    """Whether the vote at another point changes when x has the label 1."""
    before, after = votes(C), votes(C[C[:, x] == 1])
    return any(before[z] != after[z] for z in range(C.shape[1]) if z != x)


@checks("halving", "an empty version space votes 1", points=1)
def halving_empty(student, rng):
    done = 0
    while done < 3:
        C = some_class(rng, 4, 7)
        left = [1] if done == 0 else [2, 3]  # before the last label
        few = [
            x for x in range(4)
            if C[:, x].sum() in left and others_change(C, x)
            and not C[C[:, x] == 1].all()
        ]  # fmt: skip
        many = [x for x in range(4) if 4 <= C[:, x].sum() <= 6]
        if not few or not many:
            continue
        done += 1
        learner = student.new("Halving", C.tolist())
        if [bit(learner.predict(x)) for x in range(4)] != votes(C):
            wrong(
                "In the first round your learner does not say what the majority says."
            )
        x = int(rng.choice(few))
        learner.update(x, 1, 0)
        if bit(learner.predict(x)) != 1:
            wrong(
                "After a label 1 at a point, your learner does not say 1 at that point."
            )
        if [bit(learner.predict(z)) for z in range(4)] != votes(C[C[:, x] == 1]):
            wrong(
                "After a label 1 at a point, your learner does not say at the other "
                "points what the majority of the concepts that are left says."
            )
        learner.update(x, 0, 1)  # now nobody is left
        if any(bit(learner.predict(z)) != 1 for z in range(4)):
            wrong(
                "When no concept is left, the vote is 0 against 0: a tie, and your "
                "learner should say 1."
            )


# --- 3. The adversary ----------------------------------------------------


class Guesser:
    def __init__(self, rng):
        self.rng = rng

    def predict(self, x):
        return int(self.rng.integers(2))

    def update(self, x, y, y_hat):
        pass


class Stubborn:
    def __init__(self, y):
        self.y = y

    def predict(self, x):
        return self.y

    def update(self, x, y, y_hat):
        pass


class Follower(Stubborn):
    """Says what the label was last."""

    def update(self, x, y, y_hat):
        self.y = y


def class_of(adversary, n):
    """The table that an adversary plays with."""
    C = adversary.table()
    try:
        C = np.asarray(C, dtype=float)
    except (TypeError, ValueError):
        wrong("table() should return n rows of equally many 0s and 1s.")
    if C.ndim != 2 or len(C) != n:
        wrong(f"table() should have a row for each of the n concepts; got {C.shape}.")
    if not 1 <= C.shape[1] <= 100:
        wrong(f"table() should have 1 to 100 columns, got {C.shape[1]}.")
    if not np.isin(C, (0, 1)).all():
        wrong("table() should hold 0s and 1s only.")
    if len(np.unique(C, axis=0)) < n:
        wrong("Two rows of your table are the same, so it has fewer than n concepts.")
    return C


def fights(student, n, learners):
    """One game for each learner, all at the same time, floor(lg n) rounds long."""
    sides = []
    for make in learners:
        adversary = student.new("Adversary", n)
        C = class_of(adversary, n)
        sides.append([adversary, C, make(C.astype(int)), np.ones(n, dtype=bool)])
    last = n.bit_length() - 1
    for number in range(1, last + 1):
        for side in sides:
            adversary, C, learner, alive = side
            x = whole(adversary.next_point(), "the point")
            if not 0 <= x < C.shape[1]:
                wrong(f"next_point() gave {x}, which is no column of your table.")
            y_hat = int(learner.predict(x))
            y = bit(adversary.label(y_hat), "the label")
            if y == y_hat:
                wrong(
                    f"In round {number} of {last} the label is the one that was "
                    "predicted, so it is no mistake."
                )
            side[3] = alive & (C[:, x] == y)
            if not side[3].any():
                wrong(
                    f"After round {number} of {last} no concept of your table has all "
                    "the labels that you gave: at the point that you asked, all that "
                    "were left agreed."
                )
            learner.update(x, y, y_hat)


@checks("adversary", "forces lg n mistakes from Halving, n a power of 2", points=3)
def adversary_halving(student, rng):
    for n in (2, 4, int(2 ** rng.integers(3, 5)), int(2 ** rng.integers(5, 7))):
        fights(student, n, [Halving])
        fights(student, n, [lambda C: Halving(C, tie=0)])


@checks("adversary", "does it for every n", points=2)
def adversary_any(student, rng):
    n = int(2 ** rng.integers(3, 6))
    for size in (3, n + 1, n + int(rng.integers(2, n)), 2 * n - 1, 100):
        fights(student, size, [Halving])
        fights(student, size, [lambda C: Halving(C, tie=0)])
        fights(student, size, [Minority])


@checks("adversary", "and against any learner, several games at a time", points=2)
def adversary_others(student, rng):
    for n in (8, int(2 ** rng.integers(4, 7))):
        fights(
            student,
            n,
            [
                lambda C: Stubborn(0),
                lambda C: Stubborn(1),
                lambda C: Follower(1),
                lambda C: Guesser(rng),
                Minority,
                lambda C: Guesser(rng),
            ],
        )


# --- 4. The Perceptron ---------------------------------------------------


class Plain:
    """The Perceptron with what can be done wrong in it."""

    def __init__(self, d, zero=1, rule="mistakes", step=1):
        self.w = np.zeros(d)
        self.zero, self.rule, self.step = zero, rule, step

    def predict(self, x):
        score = self.w @ x
        return self.zero if score == 0 else (1 if score > 0 else -1)

    def update(self, x, y, y_hat):
        moves = {"always": True, "right": y_hat == y}.get(self.rule, y_hat != y)
        if moves:
            self.w = self.w + self.step * (1 if self.rule == "no label" else y) * x


FAULTS = [
    (dict(rule="always"), "Your weights move in every round, not after mistakes only."),
    (dict(rule="right"), "Your weights move when you were right."),
    (dict(zero=-1), "For a score of 0 your learner says -1; on the page sgn(0) is +1."),
    (dict(step=-1), "Your weights move away from the label: check the step's sign."),
    (dict(rule="no label"), "You add x whatever the label is; the step is y times x."),
]  # fmt: skip


def sign_of(value):
    found = whole(value, "a prediction")
    if found == 0:
        wrong("A prediction was 0; on the page sgn(0) is +1.")
    if found not in (-1, 1):
        wrong(f"Expected a prediction to be -1 or 1, got {found}.")
    return found


def separable(rng, d, rounds, *, scale=1, offset=0):
    """At most ``rounds`` points, exact in floats, and the labels of some vector.

    Their coordinates are whole numbers up to 3, or odd ones beyond an odd ``offset`` on
    either side of 0, times ``scale``.  The first label is -1; its score is 0, so the
    Perceptron errs.
    """
    u = rng.integers(-3, 4, size=d)
    u[rng.integers(d)] = rng.choice([-2, -1, 1, 2])
    X = np.zeros((0, d))
    while len(X) < rounds / 2:
        X = rng.integers(-3, 4, size=(rounds, d))
        if offset:
            X = np.where(X < 0, 2 * X - offset, 2 * X + offset)
        X = X * scale
        X = X[X @ u != 0]
    X[0] *= -np.sign(X[0] @ u)
    return X, np.where(X @ u > 0, 1, -1), u


def against(learner, X, y):
    """Play; predictions and weights after each round."""
    said, weights = [], []
    for x, label in zip(X, y, strict=True):
        y_hat = sign_of(learner.predict(x))
        learner.update(x, int(label), y_hat)
        said.append(y_hat)
        w = learner.w if isinstance(learner, Plain) else learner.get("w")
        weights.append(vector(w, X.shape[1], "w"))
    return said, np.array(weights)


def blame(found, runs, d):
    """Fail with the sentence of the faulty learner that says the same."""
    for kind, sentence in FAULTS:
        if all(
            mine[0] == against(Plain(d, **kind), X, y)[0]
            for mine, (X, y) in zip(found, runs, strict=True)
        ):
            wrong(sentence)


@checks("perceptron", "predicts sgn(w . x), also at a score of 0", points=2)
def perceptron_says(student, rng):
    d, runs = 3, []
    while len(runs) < 6:
        X, y, _ = separable(rng, d, 16)
        right = against(Plain(d), X, y)[0]
        others = [against(Plain(d, **kind), X, y)[0] for kind, _ in FAULTS]
        if right not in others:
            runs.append((X, y))
    found = [against(student.new("Perceptron", d), X, y) for X, y in runs]
    if [said for said, _ in found] == [against(Plain(d), X, y)[0] for X, y in runs]:
        return
    blame(found, runs, d)
    wrong("In some round your learner does not say sgn(w . x) with the right weights.")


@checks("perceptron", "w is the sum of y x over the mistakes, in every round", points=2)
def perceptron_weights(student, rng):
    """In numbers that floats hold exactly; a relative 1e-9 is allowed all the same.

    In two streams scores are tiny, and whoever cuts or rounds them takes them for 0; in
    one they are huge; in one the weights have more digits than single precision.
    """
    kinds = [(2, 25, {}), (5, 25, {"scale": 0.5}), (4, 25, {"scale": 2.0**-10})]
    kinds += [(4, 25, {"scale": 2.0**-100}), (3, 25, {"scale": 2.0**100})]
    for d, rounds, how in [*kinds, (2, 6, {"offset": 2**25 - 9})]:
        X, y, _ = separable(rng, d, rounds, **how)
        scale = how.get("scale", 1)
        said, weights = against(student.new("Perceptron", d), X, y)
        errs = np.array(said) != y
        sums = np.cumsum((errs * y)[:, None] * X, axis=0)
        away = ~np.isclose(weights, sums, rtol=1e-9, atol=1e-9 * scale).all(axis=1)
        if errs.any() and not away.any():
            before = np.vstack([np.zeros(d), sums[:-1]])
            if (said * (before * X).sum(axis=1) < 0).any():
                wrong(
                    "Your w is the right one for your mistakes, but in some round your "
                    "prediction is not the sign of w . x. Do you round or cut it?"
                )
            continue
        if np.allclose(weights, np.cumsum(y[:, None] * X, axis=0), atol=0):
            wrong("Your weights move in every round, not only after a mistake.")
        if np.allclose(weights, -sums, atol=0):
            wrong("Your weights move away from the label: check the sign of the step.")
        if not errs[0]:
            wrong("The first score is 0, so +1 is predicted; here that is a mistake.")
        t = int(away.argmax()) + 1
        wrong(f"After round {t}, w is not the sum of y x over your mistakes so far.")


@checks("perceptron", "counts its mistakes, at most the theorem's bound", points=1)
def perceptron_counts(student, rng):
    for d in (3, 8):
        X, y, u = separable(rng, d, 90)
        learner = student.new("Perceptron", d)
        said = []
        for x, label in zip(X, y, strict=True):
            said.append(sign_of(learner.predict(x)))
            learner.update(x, int(label), said[-1])
        right, other = (against(Plain(d, zero), X, y)[0] for zero in (1, -1))
        mine, its = (sum(np.array(each) != y) for each in (said, right))
        told = whole(learner.get("mistakes"), "mistakes")
        if told != mine:
            wrong(
                f"In {len(y)} rounds, `mistakes` is {told} where the grader saw {mine}."
            )
        # What is said at a score of 0 is another check's; the bound holds all the same.
        if said not in (right, other) or mine > bound("kak-thm4.1", X=X, y=y, u=u):
            wrong(
                f"Your learner errs {mine} times in {len(y)} rounds, the page's "
                f"Perceptron {its} times, and not in the same rounds."
            )


@checks("perceptron", "two learners at once do not disturb each other", points=1)
def perceptron_twice(student, rng):
    runs = [separable(rng, 3, 30)[:2] for _ in range(2)]
    right = [against(Plain(3), X, y)[0] for X, y in runs]
    if against(student.new("Perceptron", 3), *runs[0])[0] != right[0]:
        wrong("Even when it plays alone it is not the Perceptron; see the others.")
    mine = [student.new("Perceptron", 3) for _ in runs]
    for t in range(min(len(X) for X, _ in runs)):
        for learner, (X, y), its in zip(mine, runs, right, strict=True):
            y_hat = sign_of(learner.predict(X[t]))
            if y_hat != its[t]:
                wrong(
                    "Two learners play at the same time, and one of them departs from "
                    f"the Perceptron in round {t + 1}. Does each have weights of its "
                    "own?"
                )
            learner.update(X[t], int(y[t]), y_hat)


# --- 5. A counterexample --------------------------------------------------


def exact(value, what):
    """The fraction that a number is; a float is one exactly."""
    return Fraction(real(value, what))


def exactly(value, what):
    """A list of fractions."""
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if not isinstance(value, list) or not value:
        wrong(f"Expected {what} to be a list that is not empty.")
    return [exact(number, f"an entry of {what}") for number in value]


def unfitted(student, k):
    """Judge the data for the grid of whole numbers from -k to k."""
    given = student.call("no_fit", k)
    if not isinstance(given, dict) or not {"X", "y", "w"} <= set(given):
        wrong("no_fit should return a dict with the keys 'X', 'y' and 'w'.")
    w = exactly(given["w"], "w")
    y = exactly(given["y"], "y")
    X = given["X"].tolist() if isinstance(given["X"], np.ndarray) else given["X"]
    if not isinstance(X, list) or len(X) != len(y):
        wrong("X and y should have an entry for each example.")
    X = [exactly(x, "a point") for x in X]
    if len(w) != 2 or any(len(x) != 2 for x in X):
        wrong("w and every point should have two coordinates.")
    if len(y) > 12:
        wrong("At most 12 examples, please.")
    if any(label not in (-1, 1) for label in y):
        wrong("The labels should be -1 and +1.")
    if any(t * (w[0] * x[0] + w[1] * x[1]) <= 0 for x, t in zip(X, y, strict=True)):
        wrong("Your w has no margin: some y (w . x) is not above 0.")
    fitting = []
    for v in product(range(-k, k + 1), repeat=2):
        scores = [v[0] * x[0] + v[1] * x[1] for x in X]
        if all((s >= 0) == (t == 1) for s, t in zip(scores, y, strict=True)):
            fitting.append(v)
    if fitting == [(0, 0)]:
        wrong(
            "One vector of the grid makes no mistake on your data: the zero vector, "
            "for which sgn(0) = +1 everywhere."
        )
    if fitting:
        wrong(
            f"For some k, among the {(2 * k + 1) ** 2} vectors of the grid there are "
            f"some that make no mistake on your data; counted: {len(fitting)}."
        )


@checks(
    "counterexample", "separable data that no vector of a small grid fits", points=2
)
def small_grid(student, rng):
    for k in (1, 2, 3):
        unfitted(student, k)


@checks("counterexample", "the same, however fine the grid", points=2)
def fine_grid(student, rng):
    for k in (int(rng.integers(4, 8)), int(rng.integers(8, 16)), 20):
        unfitted(student, k)


# --- 6. Liars ------------------------------------------------------------


def limit(C, k):
    """The mistakes that are allowed with k false labels."""
    return (k + 1) * (len(C).bit_length() - 1) + k


def contrary(C, k):
    """The hardest labels that at most k lies explain: yields x, is sent y_hat.

    Asks where the concepts that may still be the target are most divided, and
    contradicts; when only one is left and its lies are spent, tells the truth.
    """
    errors = np.zeros(len(C), dtype=int)
    while True:
        open_ = errors <= k
        weight = np.where(open_, 2.0 ** (k - errors), 0)
        spare = np.where(errors < k, weight, 0)
        # What is left if the label is y: those who say y, and those with lies to spare.
        left = [
            (weight * (C.T == y)).sum(1) + (spare * (C.T != y)).sum(1) / 2
            for y in (0, 1)
        ]
        x = int(np.argmax(np.minimum(*left)))
        if np.minimum(*left)[x] == 0:
            break
        y_hat = yield x, None
        y = 1 - y_hat  # both labels are possible, so each of these is a mistake
        errors = errors + (C[:, x] != y)
        yield x, y
    target = C[errors.argmin()]
    for _ in range(4):
        for x in range(C.shape[1]):
            yield x, None
            yield x, int(target[x])


def fought(learner, C, k):
    """The mistakes of a learner against `contrary`, until they are too many."""
    mistakes, opponent = 0, contrary(C, k)
    for x, _ in opponent:
        if mistakes > limit(C, k):
            break
        y_hat = bit(learner.predict(x))
        _, y = opponent.send(y_hat)
        mistakes += y_hat != y
        learner.update(x, y, y_hat)
    return mistakes


def stream(rng, C, k, rounds):
    """Truth of a concept that is 1 at half of the points, and k lies early on."""
    balance = np.abs(C.mean(axis=1) - 0.5)
    target = C[rng.choice(np.flatnonzero(balance <= balance.min() + 0.1))]
    points = np.concatenate([
        rng.permutation(C.shape[1]) for _ in range(-(-rounds // C.shape[1]))
    ])  # fmt: skip
    labels = target[points].copy()
    lies = rng.choice(3 * C.shape[1], k, replace=False)
    labels[lies] = 1 - labels[lies]
    return list(zip(points.tolist(), labels.tolist(), strict=True))


def apart(rng, size, points):
    """A class whose neighboring points have nothing to do with each other.

    So many points that nobody can do without the concepts: whoever only remembers
    labels errs on about half of the points, and more than is allowed.
    """
    while True:
        C = rng.integers(0, 2, size=(size, points))
        jumps = (C[:, 1:] != C[:, :-1]).sum(axis=1)
        if jumps.min() > points / 3 and len(np.unique(C, axis=0)) == size:
            return C


def cornered(student, rng):
    """All functions on two points, one lie, and contradiction wherever it can be.

    Whoever starts afresh with less than the whole class errs too often: with those
    that had been dropped, in more than two of five games.
    """
    C, k = all_functions(2), 1
    for _ in range(36):
        learner = student.new("Forgiving", C.tolist())
        errors, mistakes = np.zeros(len(C), dtype=int), 0
        for x in rng.integers(2, size=10).tolist():
            y_hat = bit(learner.predict(x))
            y = 1 - y_hat
            if (errors + (C[:, x] != y)).min() > k:
                y = y_hat
            learner.update(x, y, y_hat)
            errors, mistakes = errors + (C[:, x] != y), mistakes + (y != y_hat)
        too_many(mistakes, C, k, "Against an adversary who lies once")


def too_many(mistakes, C, k, how):
    if mistakes > limit(C, k):
        lies = {0: "no false label", 1: "one false label"}.get(k, f"{k} false labels")
        wrong(
            f"{how}, with {len(C)} concepts and {lies}, your learner errs {mistakes} "
            f"times; {limit(C, k)} are allowed."
        )


def told(student, C, k, rounds, how):
    """Play given rounds, of whose labels k are false, and count."""
    said = game(student.new("Forgiving", C.tolist()), rounds)
    mistakes = sum(h != y for h, (_, y) in zip(said, rounds, strict=True))
    if mistakes > limit(C, k) and k:
        if said in [game(Halving(C, tie=tie), rounds) for tie in (0, 1)]:
            wrong(
                "On one stream your learner does what plain Halving does. What should "
                "happen when no concept is left?"
            )
        if said in [game(Believer(C, tie=tie), rounds) for tie in (0, 1)]:
            wrong(
                "On one stream your learner starts afresh when no concept is left, and "
                "at once believes the label of that round. Need it be true?"
            )
    too_many(mistakes, C, k, how)


@checks("liars", "no false label: as good as Halving", points=2)
def nobody_lies(student, rng):
    for C in (
        thresholds(int(rng.integers(23, 31))),
        shuffled(rng, thresholds(int(rng.integers(8, 30)))),
        some_class(rng, 5, int(rng.integers(17, 32))),
        some_class(rng, 6, 16),
    ):
        learner = student.new("Forgiving", C.tolist())
        too_many(fought(learner, C, 0), C, 0, "Against an adversary")
    C = singletons(int(rng.integers(12, 20)))
    rounds = [(x, 0) for x in range(len(C) - 1)]  # whoever tries one by one is lost
    told(student, C, 0, rounds, "On one stream")
    told(student, C[::-1], 0, rounds, "On one stream")
    for beta in (0.2, 0.05):
        swayed(student, beta)


def swayed(student, beta):
    """Against a vote in which the refuted concepts still have a little weight.

    Asks where the vote of whoever multiplies by ``beta`` goes to the side that has
    fewer of the concepts that are left, and contradicts: 63, 31, 16, 8, ... are left.
    """
    C = thresholds(62)
    learner = student.new("Forgiving", C.tolist())
    errors, mistakes = np.zeros(len(C), dtype=int), 0
    while (errors == 0).sum() > 1:
        weight, alive = beta**errors, (errors == 0).astype(int)
        sides = np.array([alive @ (1 - C), alive @ C])
        votes = (2 * weight @ C >= weight.sum()).astype(int)
        x = int(np.where(sides.min(axis=0), sides[1 - votes, range(62)], 0).argmax())
        y_hat = bit(learner.predict(x))
        learner.update(x, 1 - y_hat, y_hat)
        errors, mistakes = errors + (C[:, x] == y_hat), mistakes + 1
    too_many(mistakes, C, 0, "Against an adversary")


@checks("liars", "a few false labels in a long stream", points=2)
def some_lies(student, rng):
    C = thresholds(int(rng.integers(40, 60)))
    edge = [(0, 1), (C.shape[1] - 1, 0)][rng.integers(2)]
    runs = [
        (C, 1, [edge, *stream(rng, C, 0, 4 * C.shape[1])]),
        (C, 3, [edge, *stream(rng, C, 2, 4 * C.shape[1])]),
    ]
    C = some_class(rng, 6, 8)
    runs.append((C, 3, stream(rng, C, 3, 150)))
    C = apart(rng, 4, 60)
    runs.append((C, 1, stream(rng, C, 1, 180)))
    for C, k, rounds in runs:
        told(student, C, k, rounds, "In a long stream")


@checks("liars", "an adversary who may lie a few times", points=3)
def sly(student, rng):
    for C, k in (
        (thresholds(int(rng.integers(7, 16))), 1),
        (shuffled(rng, thresholds(int(rng.integers(7, 25)))), int(rng.integers(2, 5))),
        (some_class(rng, 5, int(rng.integers(8, 20))), 2),
        (all_functions(3), 3),
        (np.array([[0, 1], [1, 0]]), int(rng.integers(3, 9))),
        (np.array([[0, 1], [1, 0]]), int(rng.integers(40, 60))),
    ):
        learner = student.new("Forgiving", C.tolist())
        too_many(fought(learner, C, k), C, k, "Against an adversary who lies")
    # Against whoever believes, after starting afresh, the label that was a lie.
    k = int(rng.integers(2, 6))
    rounds = [(1, 0), (2, 0), (1, 1), (0, 0)] * k + [(1, 0), (2, 0)]
    mirrored = [(2 - x, 1 - y) for x, y in rounds]
    for chosen in (rounds, mirrored):
        told(student, thresholds(3), k, chosen, "On one stream")
    cornered(student, rng)
