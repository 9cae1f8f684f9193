"""Hidden checks of the problem set to Chandola's lecture: opt and Winnow.

No check can fail a right answer: each compares with an exact value, or with a
bound that is a theorem.  The inputs are fresh in each run.
"""

import numpy as np

from grading.checks import Checks, array, bit, vector, whole, wrong
from olutil.classes import all_functions, singletons, thresholds
from olutil.dimension import littlestone_dimension, vc_dimension
from olutil.exact import halving_worst_case

checks = Checks()
ALONE = "Even when it plays alone your learner is not the right one; see the others."


# --- What several questions need ----------------------------------------


def wholes(value, what):
    """A list of whole numbers of any length."""
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if not isinstance(value, list):
        wrong(f"Expected {what} to be a list of whole numbers.")
    return [whole(entry, f"an entry of {what}") for entry in value]


def positions(value, d, what):
    """Different positions 0 to d - 1, as a mask."""
    found = wholes(value, what)
    if any(not 0 <= j < d for j in found):
        wrong(f"Expected {what} to hold positions from 0 to {d - 1}.")
    mask = np.zeros(d, dtype=bool)
    mask[found] = True
    return mask


def bits(value, d, what):
    """A point of d bits."""
    found = vector(value, d, what)
    if not np.isin(found, (0, 1)).all():
        wrong(f"Expected {what} to hold 0s and 1s only.")
    return found.astype(int)


def game(learner, rounds, after=lambda learner: None):
    """Play: the predictions, and what ``after`` sees of the learner each time."""
    said, seen = [], []
    for x, y in rounds:
        y_hat = bit(learner.predict(x))
        learner.update(x, int(y), y_hat)
        said.append(y_hat)
        seen.append(after(learner))
    return said, seen


class Winnow:
    """Winnow with what can be done wrong in it."""

    def __init__(self, d, theta=None, *, rule="right"):
        self.theta = d / 2 if theta is None else theta
        if rule == "d":
            self.theta = d
        self.w = np.ones(d)
        self.rule = rule

    def predict(self, x):
        score = self.w @ x
        return int(score >= self.theta if self.rule == ">=" else score > self.theta)

    def update(self, x, y, y_hat):
        if y == y_hat and self.rule != "always":
            return
        if y == 1:
            new = self.w + 1 if self.rule == "add" else 2 * self.w
        else:
            new = self.w / 2 if self.rule == "halve" else 0 * self.w
        active = np.ones(len(x)) if self.rule == "all" else x
        self.w = np.where(active == 1, new, self.w)


# --- 1. By hand ---------------------------------------------------------

HAND_CONJUNCTION = [
    ((0, 1, 1, 0), 0), ((1, 1, 0, 1), 1), ((1, 1, 1, 1), 0),
    ((1, 1, 0, 0), 1), ((1, 1, 0, 1), 1), ((1, 0, 0, 1), 1),
]  # fmt: skip
HAND_DISJUNCTION = [
    ((1, 0, 1, 0), 1), ((0, 0, 1, 1), 0), ((1, 0, 0, 1), 1),
    ((0, 1, 1, 0), 1), ((1, 1, 0, 0), 1),
]  # fmt: skip


class Conjunctions:
    """The elimination of literals; ``zeros``: it also learns from label 0."""

    def __init__(self, d, *, negation=True, zeros=False):
        self.kept = np.ones((2, d), dtype=bool)
        self.kept[1] = negation
        self.zeros = zeros

    def predict(self, x):
        return int((~self.kept | np.array([x, 1 - x], dtype=bool)).all())

    def update(self, x, y, y_hat):
        true = np.array([x, 1 - x], dtype=bool)
        if y == 1:
            self.kept = self.kept & true
        elif self.zeros:
            self.kept = self.kept & ~true


def hand_game(**kind):
    rounds = [(np.array(x), y) for x, y in HAND_CONJUNCTION]
    learner = Conjunctions(4, **kind)
    return game(learner, rounds, lambda learner: int(learner.kept.sum()))


def entries(student, key):
    """Six whole numbers of the answer to question 1."""
    given = student.call("elimination_by_hand")
    if not isinstance(given, dict) or key not in given:
        wrong(f"elimination_by_hand should return a dict with the key '{key}'.")
    found = vector(given[key], 6, f"the list '{key}'")
    return [whole(float(value), f"an entry of '{key}'") for value in found]


def first_fault(found, right, what):
    """Fail with the number of the first round that is not right."""
    for number, (mine, its) in enumerate(zip(found, right, strict=True), start=1):
        if not np.array_equal(mine, its):
            wrong(f"{what} wrong for the first time in round {number}.")


@checks("by-hand", "elimination of literals: the six predictions", points=1)
def hand_predictions(student, rng):
    found = entries(student, "predicts")
    if found == [y for _, y in HAND_CONJUNCTION]:
        wrong("These are the labels, not what the learner predicts.")
    variables_only = found == hand_game(negation=False)[0]
    if variables_only and entries(student, "left")[0] == 4:
        wrong("Your list begins with the variables only; negations belong to it.")
    first_fault(found, hand_game()[0], "The prediction is")


@checks("by-hand", "elimination of literals: how many are left", points=1)
def hand_left(student, rng):
    found, right = entries(student, "left"), hand_game()[1]
    if found == [8, *right[:-1]]:
        wrong("These are the numbers before each round; asked are those after it.")
    if found == hand_game(negation=False)[1]:
        wrong("Your list begins with the variables only; negations belong to it.")
    if found == hand_game(zeros=True)[1]:
        wrong("You strike literals out after a label 0 as well, which refutes none.")
    first_fault(found, right, "The number of literals is")


def hand_weights(rule="right"):
    rounds = [(np.array(x), y) for x, y in HAND_DISJUNCTION]
    return game(Winnow(4, rule=rule), rounds, lambda learner: learner.w)[1]


HAND_FAULTS = {
    ">=": "A score equal to the threshold is not more than it: Winnow says 0 there.",
    "always": "Your weights change in every round; Winnow changes after a mistake.",
    "halve": "You halve the weights after a false 1; an elimination sets them to 0.",
    "add": "A promotion doubles the active weights; it does not add 1 to them.",
    "all": "Your updates touch all weights; only the active ones change.",
}


def compare_weights(student, rounds):
    found = array(student.call("winnow_by_hand"), (5, 4), "the list of weights")
    for rule, sentence in HAND_FAULTS.items():
        if np.array_equal(found, hand_weights(rule)):
            wrong(sentence)
    first_fault(found[:rounds], hand_weights()[:rounds], "The weight vector is")


@checks("by-hand", "Winnow: the weights after three rounds", points=1)
def hand_three(student, rng):
    compare_weights(student, 3)


@checks("by-hand", "Winnow: the weights after all five rounds", points=2)
def hand_five(student, rng):
    compare_weights(student, 5)


# --- 2. The elimination of literals, for disjunctions --------------------


class Disjunctions:
    """The right learner, or one with a fault."""

    def __init__(self, d, *, rule="right"):
        self.kept = np.ones((2, d), dtype=bool)
        self.rule = rule
        if rule == "monotone":
            self.kept[1] = False

    def predict(self, x):
        true = np.array([x, 1 - x], dtype=bool)
        if self.rule == "and":
            return int((~self.kept | true).all())
        return int((self.kept & true).any())

    def update(self, x, y, y_hat):
        true = np.array([x, 1 - x], dtype=bool)
        if self.rule in ("page", "and"):
            self.kept = self.kept & (true if y == 1 else True)
        elif self.rule == "keeps the true":
            self.kept = self.kept & (true if y == 0 else True)
        elif y == 0 or self.rule == "always":
            self.kept = self.kept & ~true

    def literals(self):
        plain, negated = (np.flatnonzero(row) + 1 for row in self.kept)
        return [*plain.tolist(), *(-negated).tolist()]


ELIMINATION_FAULTS = {
    "and": "Your learner still learns conjunctions: it says 1 if all literals are 1.",
    "page": "Your learner strikes literals out after label 1, as for conjunctions.",
    "always": "Your learner strikes literals out whatever the label is.",
    "keeps the true": "Your learner strikes out the literals that are 0 at the point; "
    "those may still belong to the target.",
    "monotone": "Your list begins without the negations.",
}


def literal_stream(rng, d, k, rounds):
    """Points and labels of a disjunction of k literals; both labels are frequent."""
    target = np.zeros((2, d), dtype=bool)
    chosen = rng.permutation(d)[:k]
    target[rng.integers(0, 2, k), chosen] = True
    X = rng.integers(0, 2, (rounds, d))
    # In two of three rounds all literals of the target are 0.
    X[::3, chosen] = X[1::3, chosen] = target[1, chosen]
    X = X[rng.permutation(rounds)]
    y = (target[0] & (X == 1)).any(axis=1) | (target[1] & (X == 0)).any(axis=1)
    return [(x, int(label)) for x, label in zip(X, y, strict=True)]


def telling_literals(rng, d, *rules):
    """A stream on which learners with these faults predict otherwise."""
    while True:
        rounds = literal_stream(rng, d, int(rng.integers(1, 5)), 20)
        right = game(Disjunctions(d), rounds)[0]
        if all(game(Disjunctions(d, rule=r), rounds)[0] != right for r in rules):
            return rounds


def lists(learner, rounds):
    """The literals of a learner after each round, in order."""

    def listed(learner):
        found = sorted(wholes(learner.literals(), "literals()"))
        if 0 in found:
            wrong("literals() should count the variables from 1.")
        if len(set(found)) < len(found):
            wrong("literals() has some literal twice.")
        return found

    return game(learner, rounds, listed)[1]


@checks("elimination", "predicts the disjunction of what is left", points=2)
def elimination_games(student, rng):
    games = [telling_literals(rng, 8, rule) for rule in ELIMINATION_FAULTS]
    found = [game(student.new("DisjunctionElimination", 8), g)[0] for g in games]
    right = [game(Disjunctions(8), g)[0] for g in games]
    if found == right:
        return
    for rule, sentence in ELIMINATION_FAULTS.items():
        if found == [game(Disjunctions(8, rule=rule), g)[0] for g in games]:
            wrong(sentence)
    number = next(
        t for mine, its in zip(found, right, strict=True)
        for t, (a, b) in enumerate(zip(mine, its, strict=True), 1) if a != b
    )  # fmt: skip
    wrong(
        f"In a game with 8 variables, round {number} is the first in which your "
        "learner does not predict the disjunction of the literals that are left."
    )


@checks("elimination", "literals() lists what is left, after every round", points=1)
def elimination_lists(student, rng):
    rounds = telling_literals(rng, 7, *ELIMINATION_FAULTS)
    found = lists(student.new("DisjunctionElimination", 7), rounds)
    right = lists(Disjunctions(7), rounds)
    if found == right:
        return
    for rule, sentence in ELIMINATION_FAULTS.items():
        if found == lists(Disjunctions(7, rule=rule), rounds):
            wrong(sentence)
    for t, (mine, its) in enumerate(zip(found, right, strict=True), 1):
        if len(mine) > len(its):
            wrong(f"After round {t} some literals are on your list that are refuted.")
        if mine != its:
            wrong(f"After round {t} literals() does not list what should be left.")


@checks("elimination", "among many variables, exactly d + 1 mistakes", points=1)
def elimination_forced(student, rng):
    """The page's adversary, by De Morgan: each of its points is a mistake.

    In between, points with all literals refuted: some old, some new.  So neither a
    memory of points nor a count of mistakes will do.
    """
    d = int(rng.integers(70, 90))
    first = rng.integers(0, 2, d)
    learner = student.new("DisjunctionElimination", d)
    order = rng.permutation(d)

    def flipped(chosen):
        return np.where(np.isin(np.arange(d), chosen), 1 - first, first)

    points = [first, *map(flipped, order)]
    for number, x in enumerate(points, 1):
        y_hat = bit(learner.predict(x))
        if y_hat == 0:
            wrong(
                f"The target is the constant 0, and in round {number} some literal "
                "that is 1 at the point should still be on your list."
            )
        learner.update(x, 0, y_hat)
        if number < 3 or (rng.random() < 0.7 and number < len(points)):
            continue
        x = points[rng.integers(number)]
        if bit(learner.predict(x)) != 0:
            wrong("Your learner errs twice at the same point with label 0.")
        learner.update(x, 0, 0)
        x = flipped(rng.choice(order[: number - 1], 2, replace=False))
        if bit(learner.predict(x)) != 0:
            wrong(
                f"After {number} mistakes your learner says 1 at a new point, though "
                "each literal that is 1 there was 1 at a point with label 0."
            )
        learner.update(x, 0, 0)


@checks("elimination", "several learners at once do not disturb each other", points=1)
def elimination_twice(student, rng):
    games = [literal_stream(rng, 6, k, 15) for k in (1, 2, 3)]
    right = [game(Disjunctions(6), g)[0] for g in games]
    if game(student.new("DisjunctionElimination", 6), games[0])[0] != right[0]:
        wrong(ALONE)
    mine = [student.new("DisjunctionElimination", 6) for _ in games]
    for t in range(15):
        for learner, rounds, its in zip(mine, games, right, strict=True):
            x, y = rounds[t]
            y_hat = bit(learner.predict(x))
            if y_hat != its[t]:
                wrong(
                    "Several learners play at once, and one of them departs in round "
                    f"{t + 1}. Does each have a list of its own?"
                )
            learner.update(x, y, y_hat)


# --- 3. The optimal mistake bound ----------------------------------------


def some_class(rng, points, size):
    """``size`` random concepts, all different, as a table."""
    functions = all_functions(points)
    return functions[rng.choice(len(functions), size, replace=False)]


def shuffled(rng, C):
    """The same class with its concepts and its points in another order."""
    return rng.permutation(rng.permutation(np.asarray(C)), axis=1)


def recursion(C, over_points=max, over_sides=max):
    """The recursion with another choice of the point or of the side."""
    found = []
    for column in C.T:
        sides = C[column == 0], C[column == 1]
        if len(sides[0]) and len(sides[1]):
            values = (recursion(side, over_points, over_sides) for side in sides)
            found.append(1 + over_sides(values))
    return over_points(found, default=0)


def compare_opt(student, classes):
    """All values of opt; if they are not right, what they look like instead."""
    found = [whole(student.call("opt", C.tolist()), "opt(C)") for C in classes]
    right = [littlestone_dimension(C) for C in classes]
    if found == right:
        return
    looks = [
        (
            lambda C: len(C).bit_length() - 1,
            "This looks like floor(lg |C|), which is a bound only.",
        ),
        (lambda C: len(C) - 1, "This looks like the bound |C| - 1."),
        (
            vc_dimension,
            "This looks like the VC dimension: the same points on every path. In a "
            "mistake tree the next point may depend on the labels.",
        ),
        (
            recursion,
            "This looks as if the larger of the two sides counted. The learner chooses "
            "its prediction, so it is the smaller one.",
        ),
        (
            lambda C: recursion(C, over_points=min, over_sides=min),
            "This looks as if the learner chose the point. The adversary does, so the "
            "point with the largest value counts.",
        ),
        (
            halving_worst_case,
            "This looks like Halving's worst case, not that of the best learner.",
        ),
    ]
    for value, sentence in looks:
        pairs = zip(classes, found, strict=True)
        if all(value(C) == mine for C, mine in pairs):
            wrong(sentence)
    low = sum(mine < its for mine, its in zip(found, right, strict=True))
    high = sum(mine > its for mine, its in zip(found, right, strict=True))
    wrong(
        f"Of {len(classes)} classes, your number is too small for {low} and too large "
        f"for {high}."
    )


@checks("opt", "thresholds, all functions, singletons, a single concept", points=1)
def opt_known(student, rng):
    compare_opt(
        student,
        [
            shuffled(rng, thresholds(int(rng.integers(3, 7)))),
            shuffled(rng, thresholds(6)),
            shuffled(rng, all_functions(3)),
            shuffled(rng, singletons(int(rng.integers(4, 7)))),
            some_class(rng, 3, 1),
            padded(rng, all_functions(4), 2),
            padded(rng, all_functions(4), -2),
        ],
    )


def padded(rng, C, more):
    """The class with ``more`` points at which all agree; if below 0, in front."""
    C = shuffled(rng, C)
    alike = np.repeat(rng.integers(0, 2, (1, abs(more))), len(C), axis=0)
    return np.hstack([C, alike] if more > 0 else [alike, C])


# Halving's worst case on this class is 3, and opt is 2.
NOT_FOR_HALVING = [
    [int(b) for b in row]
    for row in "0111 0001 1111 0101 0100 0011 0000 0110".split()
]  # fmt: skip


# Here opt is 3, and the recursion finds 2 if it looks, in each step, at those points
# only at which the two sides differ least in size: about one random class of a
# thousand is like that.
NOT_FOR_BALANCE = [
    [[int(b) for b in row] for row in rows.split()]
    for rows in (
        "00011 00100 00111 01011 01110 10010 11000 11010 11011 11110",
        "00101 01010 01100 01111 10001 10100 10101 10111 11000 11101",
        "00001 00100 01001 01100 01101 01110 10010 10011 11000 11100",
        "00011 00101 00110 01001 01110 10100 11000 11100 11101 11110",
    )
]


def disguised(rng, C):
    """A class with the same mistake trees: labels exchanged at some points, too."""
    C = shuffled(rng, C)
    return C ^ rng.integers(0, 2, C.shape[1])


@checks("opt", "random classes", points=2)
def opt_random(student, rng):
    """Draws until floor(lg |C|) and the VC dimension are told apart from opt."""
    classes = [shuffled(rng, NOT_FOR_HALVING), thresholds(6)]
    classes += [disguised(rng, C) for C in NOT_FOR_BALANCE]
    wanted = {"size": 2, "vc": 1, "any": 2}
    while any(wanted.values()):
        C = some_class(rng, 4, int(rng.integers(5, 11)))
        exact = littlestone_dimension(C)
        kinds = {
            "size": len(C).bit_length() - 1 != exact,
            "vc": vc_dimension(C) != exact,
            "any": True,
        }
        kind = next((k for k, yes in kinds.items() if yes and wanted[k]), None)
        if kind:
            wanted[kind] -= 1
            classes.append(C)
    compare_opt(student, classes)


def roots(C):
    """The points at which a mistake costs no more than one."""
    exact = littlestone_dimension(C)
    return [
        x for x, column in enumerate(C.T)
        if 0 < column.sum() < len(C) and exact - 1 == min(
            littlestone_dimension(C[column == b]) for b in (0, 1))
    ]  # fmt: skip


def balanced(C):
    """The points at which the two sides differ least in size."""
    gap = abs(2 * C.sum(axis=0) - len(C))
    return [int(x) for x in np.flatnonzero(gap == gap.min())]


def splitting(C):
    """The points at which both labels are possible."""
    return [x for x, n in enumerate(C.sum(axis=0)) if 0 < n < len(C)]


def whole_class(rng):
    """Sixteen concepts, of whom neither the first ten nor the last ten will do."""
    while True:
        C = some_class(rng, 5, 16)
        if roots(C) not in (roots(C[:10]), roots(C[-10:])):
            return C


@checks("opt", "first_points: all of them and no other", points=3)
def first_points(student, rng):
    """Draws until the most even points and the splitting points are told apart."""
    classes = [some_class(rng, 4, 1), shuffled(rng, thresholds(5))]
    classes.append(shuffled(rng, NOT_FOR_HALVING))
    wanted = {"balanced": 1, "several": 2}
    while any(wanted.values()):
        C = some_class(rng, 4, int(rng.integers(5, 10)))
        right = roots(C)
        kinds = {
            "balanced": not set(balanced(C)) <= set(right),
            "several": 1 < len(right) < len(splitting(C)),
        }
        kind = next((k for k, yes in kinds.items() if yes and wanted[k]), None)
        if kind:
            wanted[kind] -= 1
            classes.append(C)
    # Where all concepts agree, a mistake would cost nothing, but there is none.
    classes += [padded(rng, some_class(rng, 3, 2), more) for more in (1, -2)]
    classes += [padded(rng, singletons(4), -1), padded(rng, all_functions(4), -2)]
    classes.append(whole_class(rng))
    what = "first_points(C)"
    found = [set(wholes(student.call("first_points", C.tolist()), what))
             for C in classes]  # fmt: skip
    right = [set(roots(C)) for C in classes]
    if found == right:
        return
    if found[0]:
        wrong("If opt is 0 there is no such point: the list should be empty.")
    if found[1:] == [set(balanced(C)) for C in classes[1:]]:
        wrong(
            "These are the points at which the two sides differ least in size; their "
            "dimension counts."
        )
    if found == [set(splitting(C)) for C in classes]:
        wrong("These are all points at which both labels are possible.")
    split = [mine & set(splitting(C)) for mine, C in zip(found, classes, strict=True)]
    if split == right:
        wrong("At some of your points all concepts agree, so no mistake is possible.")
    if all(mine <= its for mine, its in zip(found, right, strict=True)):
        wrong("You find some of the points, but not all.")
    wrong("At some of your points a mistake costs more than one unit of dimension.")


# --- 4. The adversary ----------------------------------------------------


class Fixed:
    """Says the same forever."""

    def __init__(self, y):
        self.y = y

    def predict(self, x):
        return self.y

    def update(self, x, y, y_hat):
        pass


class Follower(Fixed):
    """Says what the label was last."""

    def update(self, x, y, y_hat):
        self.y = y


class Guesser(Fixed):
    """Tosses a coin."""

    def predict(self, x):
        return int(self.y.integers(2))


def forced(d, k):
    """The mistakes that question 4 asks for."""
    return k * ((d // k + 1).bit_length() - 1)


def fight(student, d, k, learner):
    """A game against a learner; every round has to be a mistake."""
    adversary, rounds = student.new("Adversary", d, k), []
    last = forced(d, k)
    for number in range(1, last + 1):
        x = bits(adversary.next_point(), d, "the point")
        y_hat = int(learner.predict(x))
        y = bit(adversary.label(y_hat), "the label")
        if y == y_hat:
            wrong(f"In round {number} of {last} the label is the prediction.")
        learner.update(x, y, y_hat)
        rounds.append((x, y))
    S = positions(adversary.target(), d, "target()")
    if S.sum() > k:
        wrong(f"Your target has {S.sum()} variables, more than the {k} allowed.")
    for number, (x, y) in enumerate(rounds, 1):
        if int(x[S].any()) != y:
            wrong(
                f"With d = {d} and k = {k} your target does not have the label that "
                f"you gave in round {number} of {last}."
            )


@checks("adversary", "groups of 2, 4, 8, ... variables, as on the page", points=2)
def adversary_page(student, rng):
    for learner in (Fixed(0), Fixed(1), Follower(1), Guesser(rng)):
        k = int(rng.integers(2, 5))
        fight(student, int(k * 2 ** rng.integers(1, 5)), k, learner)


@checks("adversary", "forces Winnow, one group, d + 1 a power of 2", points=1)
def adversary_one(student, rng):
    for m in (2, *rng.integers(3, 7, 2), 9):
        fight(student, int(2**m - 1), 1, Winnow(int(2**m - 1)))
        fight(student, int(2**m - 1), 1, Fixed(1))


@checks("adversary", "forces d mistakes if k = d", points=1)
def adversary_full(student, rng):
    for d in (int(rng.integers(4, 20)), int(rng.integers(60, 90))):
        for learner in (Winnow(d), Fixed(0), Guesser(rng)):
            fight(student, d, d, learner)


@checks("adversary", "several groups, any d and k", points=1.5)
def adversary_groups(student, rng):
    many = int(rng.integers(255, 300))
    for size in (int(rng.choice([3, 7])), *rng.integers(3, 12, 3).tolist(), many):
        k = int(rng.integers(2, 6))
        d = k * size + int(rng.integers(0, k))
        fight(student, d, k, Winnow(d))
        fight(student, d, k, Follower(0))
    for size in (2, 6):  # too few variables for a round more
        fight(student, 3 * size, 3, Fixed(0))


@checks("adversary", "any learner, groups of 3, 7, 15, ... variables", points=1.5)
def adversary_others(student, rng):
    for learner in (Fixed(0), Fixed(1), Follower(1), Guesser(rng), Guesser(rng)):
        k = int(rng.integers(2, 5))
        d = k * int(2 ** rng.integers(2, 5) - 1) + int(rng.integers(0, k))
        fight(student, d, k, learner)


# --- 5. Winnow -----------------------------------------------------------

WINNOW_FAULTS = {
    ">=": "At a score equal to the threshold your learner says 1; the page's says 0.",
    "always": "Your weights change in every round, not after mistakes only.",
    "halve": "Your learner halves weights after a false 1; Winnow sets them to 0.",
    "add": "A promotion doubles the active weights; it does not add 1 to them.",
    "all": "Your updates touch all weights; only the active ones change.",
    "d": "Your threshold looks like d; it should be d/2.",
}


def disjunction_stream(rng, d, k, rounds):
    """Points and labels of a monotone disjunction, with all sorts of densities."""
    S = rng.permutation(d)[:k]
    X = (rng.random((rounds, d)) < rng.choice([0.2, 0.5, 0.8], (rounds, 1))) * 1
    X[np.ix_(rng.random(rounds) < 0.4, S)] = 0
    return [(x, int(x[S].any())) for x in X]


def telling(rng, rule, theta=None, *, ties=True):
    """A stream on which a faulty Winnow predicts otherwise.

    With ``ties=False`` no score can be equal to d/2: d is odd, and weights are whole.
    """
    while True:
        d = int(rng.choice([4, 6, 8])) + (not ties)
        rounds = disjunction_stream(rng, d, int(rng.integers(1, 3)), 12)
        said = [game(Winnow(d, theta, rule=r), rounds)[0] for r in (rule, "right")]
        if said[0] != said[1]:
            return d, rounds


def growing(rng):
    """A stream on which one weight of many grows beyond d/2, and the others do not."""
    d = int(rng.integers(60, 70))
    j = int(rng.integers(d))
    alone = np.eye(d, dtype=int)[j]
    rounds = []
    for x, _ in disjunction_stream(rng, d, 1, 9):
        rounds += [(alone, 1), (np.where(alone, 0, x), 0)]
    return d, rounds


def compare(found, plays, see):
    """Fail, with the sentence of the faulty Winnow that does the same."""

    def same(**kind):
        its = [see(Winnow(d, *theta, **kind), g) for d, *theta, g in plays]
        return all(np.array_equal(a, b) for a, b in zip(found, its, strict=True))

    if same():
        return
    for rule, sentence in WINNOW_FAULTS.items():
        if same(rule=rule):
            wrong(sentence)
    for mine, (d, *theta, rounds) in zip(found, plays, strict=True):
        its = see(Winnow(d, *theta), rounds)
        for t, (a, b) in enumerate(zip(mine, its, strict=True), 1):
            if not np.array_equal(a, b):
                wrong(
                    f"In one of the games, round {t} is the first in which your "
                    "learner does not do what Winnow does."
                )


def says(learner, rounds):
    return game(learner, rounds)[0]


def weighs(learner, rounds):
    d = len(rounds[0][0])

    def weights(learner):
        w = learner.w if isinstance(learner, Winnow) else learner.get("w")
        return vector(w, d, "w")

    return game(learner, rounds, weights)[1]


@checks("winnow", "predicts as Winnow does, with the threshold d/2", points=1.5)
def winnow_says(student, rng):
    plays = [*(telling(rng, rule) for rule in WINNOW_FAULTS), growing(rng)]
    compare([says(student.new("Winnow", d), g) for d, g in plays], plays, says)


@checks("winnow", "the weights after every round", points=1.5)
def winnow_weighs(student, rng):
    plays = [*(telling(rng, rule) for rule in WINNOW_FAULTS), growing(rng)]
    compare([weighs(student.new("Winnow", d), g) for d, g in plays], plays, weighs)


def climbing(rng, over):
    """A high threshold, which one weight reaches after many promotions.

    It lies ``over`` a power of two, or below it.
    """
    d, high = int(rng.integers(2, 9)), int(rng.integers(30, 45))
    alone = np.eye(d, dtype=int)[rng.integers(d)]
    return d, 2.0**high + over, [(alone, 1)] * (high + 2) + [(alone, 0)] * 2


@checks("winnow", "other thresholds", points=1)
def winnow_threshold(student, rng):
    plays = []
    # No whole number, so no ties: those are the other checks'.
    for theta, rule in ((0.5, "halve"), (1.5, "always"), (2.5, "halve"), (4.5, "all")):
        d, rounds = telling(rng, rule, theta)
        while says(Winnow(d), rounds) == says(Winnow(d, theta), rounds):
            d, rounds = telling(rng, rule, theta)
        plays.append((d, theta, rounds))
    plays += [climbing(rng, 0.5), climbing(rng, -0.5)]
    found = [says(student.new("Winnow", d, theta), g) for d, theta, g in plays]
    if found == [says(Winnow(d), g) for d, _, g in plays]:
        wrong("Your learner ignores the threshold that it is given.")
    compare(found, plays, says)


@checks("winnow", "several learners at once do not disturb each other", points=1)
def winnow_twice(student, rng):
    plays = [telling(rng, rule, ties=False) for rule in ("always", "halve", "all")]
    right = [says(Winnow(d), g) for d, g in plays]
    if says(student.new("Winnow", plays[0][0]), plays[0][1]) != right[0]:
        wrong(ALONE)
    mine = [student.new("Winnow", d) for d, _ in plays]
    for t in range(12):
        for learner, (_, rounds), its in zip(mine, plays, right, strict=True):
            x, y = rounds[t]
            y_hat = bit(learner.predict(x))
            if y_hat != its[t]:
                wrong(
                    "Several learners play at once, and one of them departs in round "
                    f"{t + 1}. Does each have weights of its own?"
                )
            learner.update(x, y, y_hat)


# --- 6. A counterexample ------------------------------------------------


def stream(student, m):
    """A stream that the student gave: the rounds, and how many variables matter."""
    given = student.call("beyond_opt", m)
    if not isinstance(given, dict) or not {"X", "S"} <= set(given):
        wrong("beyond_opt should return a dict with the keys 'X' and 'S'.")
    X = given["X"].tolist() if isinstance(given["X"], np.ndarray) else given["X"]
    if not isinstance(X, list) or not 1 <= len(X) <= 500:
        wrong("Expected 'X' to hold 1 to 500 points.")
    X = array(X, (len(X), 2**m), "'X'")
    if not np.isin(X, (0, 1)).all():
        wrong("Expected the points to hold 0s and 1s only.")
    S = positions(given["S"], 2**m, "'S'")
    return [(x, int(x[S].any())) for x in X.astype(int)], S.sum()


def mistakes_of(learner, rounds):
    said = says(learner, rounds)
    return sum(y_hat != y for y_hat, (_, y) in zip(said, rounds, strict=True))


def beyond(student, m):
    rounds, relevant = stream(student, m)
    if relevant > 1:
        wrong("The target may have one relevant variable at most.")
    if (made := mistakes_of(Winnow(2**m), rounds)) <= m:
        wrong(f"For m = {m} Winnow's mistakes on your stream number {made} only.")


@checks(
    "counterexample", "Winnow makes more mistakes than opt, few attributes", points=3
)
def beyond_small(student, rng):
    for m in (2, 3, 4):
        beyond(student, m)


@checks("counterexample", "and also among many attributes", points=3)
def beyond_large(student, rng):
    for m in (int(rng.integers(5, 7)), 7):
        beyond(student, m)
