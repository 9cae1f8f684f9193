"""Answers to the problem set on mistake bounds: right ones, wrong ones, and nothing."""

RIGHT, WRONG, NOTHING = {}, {}, {}

# --- 1. By hand ---------------------------------------------------------

HALVING = "\ndef halving_by_hand():\n    return "

RIGHT["by-hand"] = [
    """
def halving_by_hand():
    table, says, sizes = np.array(C), [], []
    for x, y in GAME:
        says.append(table[:, x].mean() >= 0.5)
        table = table[table[:, x] == y]
        sizes.append(len(table))
    return {"left": np.array(sizes), "predicts": np.array(says)}
""",
    HALVING + "dict(predicts=(1.0, 1, True, 0, 1.0), left=(4, 3.0, 2, 2, 1), more=0)",
    """
from fractions import Fraction

def halving_by_hand():
    alive, predicts, left = list(C), [], []
    for x, y in GAME:
        ones = [f for f in alive if f[x] == 1]
        predicts.append(Fraction(int(len(ones) >= len(alive) - len(ones))))
        alive = [f for f in alive if f[x] == y]
        left.append(Fraction(len(alive)))
    return {"predicts": predicts, "left": left}
""",
]
WRONG["by-hand"] = [
    (
        HALVING + "{'predicts': [y for x, y in GAME], 'left': [4, 3, 2, 2, 1]}",
        2,
        "ties broken in favor of 0",
    ),
    (
        HALVING + "{'predicts': [1, 1, 1, 0, 0], 'left': [4, 4, 4, 4, 4]}",
        0,
        "You drop concepts only after a mistake",
    ),
    # Only the last tie is wrong.
    (
        HALVING + "{'predicts': [1, 1, 1, 0, 0], 'left': [4, 3, 2, 2, 1]}",
        2,
        "The prediction is wrong for the first time in round 5",
    ),
    (
        HALVING + "{'predicts': [1, 1, 1, 0, 1], 'left': [4, 4, 4, 4, 4]}",
        2,
        "You drop concepts only after a mistake",
    ),
    (
        HALVING + "{'predicts': [1, 1, 1, 0, 1], 'left': [8, 4, 3, 2, 2]}",
        2,
        "sizes before each round",
    ),
    (
        HALVING + "{'predicts': [0, 1, 1, 0, 0.5], 'left': [4, 3, 2, 1, 1]}",
        0,
        "left is wrong for the first time in round 4",
    ),
    (
        HALVING + "{'predicts': [0, 1, 1, 0, 0], 'left': [4, 3, 2, 1, 0]}",
        0,
        "left is wrong for the first time in round 4",
    ),
    (HALVING + "{'predicts': [1, 1, 1], 'left': (4, 3, 2)}", 0, "shape (5,)"),
    (HALVING + "None", 0, "a dict with the key 'left'"),
]
NOTHING["by-hand"] = [
    HALVING + "{'predicts': [1, 0, 0, 0, 0], 'left': [4, 4, 4, 4, 4]}",
    HALVING + "{'predicts': [0] * 5, 'left': [4, 2, 1, 1, 1]}",
    HALVING + "{'predicts': [y for x, y in GAME], 'left': [4, 0, 0, 0, 0]}",
]

HAND_LINE = """
def halving_by_hand():
    return {{"predicts": {}, "left": {}}}
"""

# --- 2. Halving ---------------------------------------------------------

RIGHT["halving"] = [
    """
class Halving:
    def __init__(self, C):
        self.C = np.array(C)
        self.alive = np.ones(len(self.C), dtype=bool)

    def predict(self, x):
        votes = self.C[self.alive, x]
        return votes.sum() >= (1 - votes).sum()

    def update(self, x, y, y_hat):
        self.alive &= self.C[:, x] == y
""",
    """
class Halving:
    def __init__(self, table):
        self.left = [tuple(row) for row in table]

    def predict(self, point):
        yes, no = 0, 0
        for concept in self.left:
            if concept[point] == 1:
                yes += 1
            else:
                no += 1
        return 0.0 if no > yes else 1.0

    def update(self, point, label, said):
        kept = []
        for concept in self.left:
            if concept[point] == label:
                kept.append(concept)
        self.left = kept
""",
    """
class Halving:
    '''Remembers the labels and does everything again in each round: slow.'''

    def __init__(self, C):
        self.C, self.seen = C, {}

    def predict(self, x):
        for _ in range(3):
            fits = [
                row for row in self.C
                if all(row[z] in ys and len(ys) == 1 for z, ys in self.seen.items())
            ]
            balance = np.array([2 * row[x] - 1 for row in fits] or [0]).sum()
        return np.array([int(balance >= 0)])

    def update(self, x, y, y_hat):
        self.seen.setdefault(x, set()).add(y)
""",
]
HALVING_CLASS = """
class Halving:
    def __init__(self, C):
        self.C = np.array(C)

    def predict(self, x):
        ones = self.C[:, x].sum()
        return int({vote})

    def update(self, x, y, y_hat):
        {update}
"""
PRUNE = "self.C = self.C[self.C[:, x] == y]"
WRONG["halving"] = [
    (
        HALVING_CLASS.format(vote="2 * ones > len(self.C)", update=PRUNE),
        3,
        "In a tie your learner says 0",
    ),
    (
        HALVING_CLASS.format(
            vote="2 * ones >= len(self.C)", update=f"if y != y_hat: {PRUNE}"
        ),
        2,
        "drops concepts only after a mistake",
    ),
    (
        HALVING_CLASS.format(
            vote="2 * ones >= len(self.C)", update=f"if y == y_hat: {PRUNE}"
        ),
        1,
        "only when it was right",
    ),
    (
        HALVING_CLASS.format(vote="2 * ones >= len(self.C)", update="pass"),
        1,
        "Your learner never drops a concept",
    ),
    (
        HALVING_CLASS.format(
            vote="2 * ones >= len(self.C)", update=PRUNE.replace("==", "!=")
        ),
        1,
        "keeps the concepts that were wrong",
    ),
    (
        HALVING_CLASS.format(vote="2 * ones < len(self.C)", update=PRUNE),
        0,
        "Your learner believes the minority",
    ),
    (
        HALVING_CLASS.format(vote="ones == len(self.C)", update=PRUNE),
        0,
        "says 1 only if all concepts do",
    ),
    (
        HALVING_CLASS.format(vote="round(self.C[:, x].mean())", update=PRUNE),
        3,
        "In a tie your learner says 0",
    ),
    (
        """
class Halving:
    left = []

    def __init__(self, C):
        Halving.left = np.array(C)

    def predict(self, x):
        return int(2 * self.left[:, x].sum() >= len(self.left))

    def update(self, x, y, y_hat):
        Halving.left = self.left[self.left[:, x] == y]
""",
        5,
        "a version space of its own",
    ),
    (
        HALVING_CLASS.format(
            vote="len(self.C) and 2 * ones >= len(self.C)", update=PRUNE
        ),
        5,
        "a tie, and your learner should say 1",
    ),
    (
        HALVING_CLASS.format(vote="0", update=PRUNE).replace("return ", "_ = "),
        0,
        "got nothing (None)",
    ),
    # The majority of the whole class, and what was heard at the point itself.
    (
        """
class Halving:
    def __init__(self, C):
        self.C, self.heard = np.array(C), {}

    def predict(self, x):
        if any(len(labels) > 1 for labels in self.heard.values()):
            return 1
        if x in self.heard:
            return max(self.heard[x])
        return int(self.C[:, x].mean() >= 0.5)

    def update(self, x, y, y_hat):
        self.heard.setdefault(x, set()).add(y)
""",
        1,
        "does not say at the other points",
    ),
]
NOTHING["halving"] = [
    HALVING_CLASS.format(vote="1", update="pass"),
    HALVING_CLASS.format(vote="0", update="pass"),
    HALVING_CLASS.format(
        vote="x > 0 or self.seen == 1", update="self.seen += 1"
    ).replace("self.C = np.array(C)", "self.seen = 0"),
]

# --- 3. The adversary ----------------------------------------------------

RIGHT["adversary"] = [
    """
class Adversary:
    '''All functions on floor(lg n) points, and other rows to fill up.'''

    def __init__(self, n):
        self.n, self.points, self.x = n, n.bit_length() - 1, -1

    def table(self):
        width = self.points + 1
        return [[i >> (width - 1 - j) & 1 for j in range(width)] for i in self.order()]

    def order(self):
        return range(self.n)

    def next_point(self):
        self.x += 1
        return self.x + 1

    def label(self, y_hat):
        return not y_hat
""",
    """
class Adversary:
    '''Any table, and the point that divides what is left best.'''

    def __init__(self, n):
        self.C = np.array([[float(x < a) for x in range(n - 1)] for a in range(n)])
        self.left = self.C

    def table(self):
        return self.C

    def next_point(self):
        ones = self.left.sum(axis=0)
        self.x = np.argmax(np.minimum(ones, len(self.left) - ones))
        return self.x

    def label(self, y_hat):
        y = 1.0 - y_hat
        self.left = self.left[self.left[:, self.x] == y]
        return np.array([y])
""",
    """
class Adversary:
    '''Thresholds, the slow way, and only if the smaller side stays large enough.'''

    def __init__(self, n):
        self.rows = tuple(tuple(int(x >= a) for x in range(n)) for a in range(n))
        self.left = list(self.rows)

    def table(self):
        return self.rows

    def next_point(self):
        half = len(self.left) // 2
        for x in range(len(self.rows)):
            for _ in range(3):
                ones = [row for row in self.left if row[x] == 1]
            if min(len(ones), len(self.left) - len(ones)) == half:
                self.asked = x
                return float(x)

    def label(self, guess):
        told = {0: 1, 1: 0}[guess]
        self.left = [row for row in self.left if row[self.asked] == told]
        return told
""",
]
THRESHOLDS = """
class Adversary:
    def __init__(self, n):
        self.n, self.low, self.high = n, 0, n

    def table(self):
        return (np.arange({columns}) >= np.arange({rows})[:, None]).astype(int)

    def next_point(self):
        self.x = {x}
        return self.x

    def label(self, y_hat):
        y = {y}
        if y == 1:
            self.high = self.x + 1
        else:
            self.low = self.x + 1
        return y
"""
HALF = "self.low + (self.high - self.low) // 2 - 1"
PLAY = dict(columns="self.n - 1", rows="self.n", x=HALF, y="1 - y_hat")
WRONG["adversary"] = [
    (
        THRESHOLDS.format(**{**PLAY, "y": "y_hat"}),
        0,
        "the label is the one that was predicted",
    ),
    (THRESHOLDS.format(**{**PLAY, "y": "1"}), 0, "so it is no mistake"),
    (
        THRESHOLDS.format(**{**PLAY, "columns": "self.n", "x": HALF[:-4]}),
        0,
        "all that were left agreed",
    ),
    (
        THRESHOLDS.format(**{**PLAY, "columns": "self.n", "x": "self.low"}),
        0,
        "no concept of your table has all the labels",
    ),
    (
        THRESHOLDS.format(**{**PLAY, "columns": "1", "x": "0"}),
        0,
        "Two rows of your table are the same",
    ),
    (
        THRESHOLDS.format(**{**PLAY, "rows": "self.n - 1"}),
        0,
        "a row for each of the n concepts",
    ),
    (
        """
class Adversary:
    '''Puts the target down in advance, and is right only against luck.'''

    def __init__(self, n):
        self.C, self.x = np.tri(n, n - 1, -1, dtype=int), -1

    def table(self):
        return self.C

    def next_point(self):
        self.x += 1
        return self.x

    def label(self, y_hat):
        return self.C[len(self.C) // 2, self.x]
""",
        0,
        "so it is no mistake",
    ),
    (
        """
class Adversary:
    '''All functions: no table if n is no power of 2.'''

    def __init__(self, n):
        self.k, self.x = n.bit_length() - 1, -1

    def table(self):
        return [[i >> j & 1 for j in range(self.k)] for i in range(2 ** self.k)]

    def next_point(self):
        self.x += 1
        return self.x

    def label(self, y_hat):
        return 1 - y_hat
""",
        5,
        "a row for each of the n concepts",
    ),
    (
        """
class Adversary:
    '''Cuts off a third when n is odd.'''

    def __init__(self, n):
        self.C = np.tri(n, n - 1, -1, dtype=int)
        self.left = self.C

    def table(self):
        return self.C

    def next_point(self):
        size = len(self.left)
        want = size // 2 if size % 2 == 0 else size // 3
        self.x = int(np.argmin(abs(self.left.sum(axis=0) - want)))
        return self.x

    def label(self, y_hat):
        self.left = self.left[self.left[:, self.x] == 1 - y_hat]
        return 1 - y_hat
""",
        5,
        "all that were left agreed",
    ),
    (
        """
class Adversary:
    game = {}

    def __init__(self, n):
        self.n = n
        self.game.update(low=0, high=n)

    def table(self):
        return (np.arange(self.n - 1) >= np.arange(self.n)[:, None]).astype(int)

    def next_point(self):
        self.x = (self.game["low"] + self.game["high"]) // 2 - 1
        return max(self.x, 0)

    def label(self, y_hat):
        self.game["low" if y_hat else "high"] = self.x + 1
        return 1 - y_hat
""",
        5,
        "all that were left agreed",
    ),
    (
        """
class Adversary(dict):
    '''Good against Halving only: expects its vote, and gives its own label.'''

    def __init__(self, n):
        self.C = np.tri(n, n - 1, -1, dtype=int)
        self.left = self.C

    def table(self):
        return self.C

    def next_point(self):
        ones = self.left.sum(axis=0)
        self.x = int(np.argmin(abs(2 * ones - len(self.left) + 0.5)))
        return self.x

    def label(self, y_hat):
        column = self.left[:, self.x]
        y = int(2 * column.sum() < len(column))
        self.left = self.left[column == y]
        return y
""",
        0,
        "so it is no mistake",
    ),
    (THRESHOLDS.format(**{**PLAY, "y": "print(y_hat)"}), 0, "got nothing (None)"),
    (
        THRESHOLDS.format(**{**PLAY, "x": HALF[:-4] + " + 1"}),
        0,
        "is no column of your table",
    ),
]
NOTHING["adversary"] = [
    """
class Adversary:
    def __init__(self, n):
        self.n = n

    def table(self):
        return np.eye(self.n)

    def next_point(self):
        return 0

    def label(self, y_hat):
        return 1
""",
    """
class Adversary:
    def __init__(self, n):
        pass

    def table(self):
        return [[0], [1]]

    def next_point(self):
        return 0

    def label(self, y_hat):
        return 0
""",
    """
class Adversary:
    def __init__(self, n):
        self.n, self.t = n, -1

    def table(self):
        return np.eye(self.n)[:, :-1]

    def next_point(self):
        self.t += 1
        return {2: [0], 5: [1, 0], 8: [3, 1, 0]}.get(self.n, [0])[self.t]

    def label(self, y_hat):
        return 0
""",
]

# --- 4. The Perceptron ---------------------------------------------------

RIGHT["perceptron"] = [
    """
class Perceptron:
    def __init__(self, d):
        self.w, self.mistakes = [0] * d, 0

    def predict(self, x):
        score = 0
        for i in range(len(x)):
            score += self.w[i] * x[i]
        if score < 0:
            return -1
        return 1

    def update(self, x, y, y_hat):
        if y != y_hat:
            self.w = [wi + y * xi for wi, xi in zip(self.w, x)]
            self.mistakes = self.mistakes + 1
""",
    """
class Perceptron:
    def __init__(self, d):
        self.w = np.zeros(d)
        self.mistakes = np.zeros(())

    def predict(self, x):
        return 2.0 * (np.dot(self.w, x) >= 0) - 1

    def update(self, x, y, y_hat):
        m = int(self.predict(x) != y)
        self.w += m * y * np.asarray(x)
        self.mistakes += m
""",
    """
from fractions import Fraction

class Perceptron:
    '''From the history of its mistakes, in fractions: slow.'''

    def __init__(self, d):
        self.d, self.missed = d, []

    @property
    def w(self):
        return [
            sum((y * x[i] for x, y in self.missed), Fraction(0)) for i in range(self.d)
        ]

    @property
    def mistakes(self):
        return len(self.missed)

    def predict(self, x):
        score = sum(a * Fraction(float(b)) for a, b in zip(self.w, x))
        return np.int64(1 if score >= 0 else -1)

    def update(self, x, y, y_hat):
        if y != y_hat:
            self.missed.append(([Fraction(float(b)) for b in x], y))
""",
]
PERCEPTRON_CLASS = """
class Perceptron:
    def __init__(self, d):
        self.w = np.zeros(d{kind})
        self.mistakes = 0

    def predict(self, x):
        return {sign}

    def update(self, x, y, y_hat):
        if {when}:
            self.w {step}
            self.mistakes += 1
"""
WELL = dict(
    kind="",
    sign="1 if self.w @ x >= 0 else -1",
    when="y != y_hat",
    step="+= y * x",
)
WRONG["perceptron"] = [
    (
        PERCEPTRON_CLASS.format(**{**WELL, "when": "True"}),
        0,
        "Your weights move in every round",
    ),
    (
        PERCEPTRON_CLASS.format(**{**WELL, "when": "y == y_hat"}),
        0,
        "Your weights move when you were right",
    ),
    (
        PERCEPTRON_CLASS.format(**{**WELL, "sign": "1 if self.w @ x > 0 else -1"}),
        3,
        "For a score of 0 your learner says -1",
    ),
    (
        PERCEPTRON_CLASS.format(**{**WELL, "sign": "np.sign(self.w @ x)"}),
        0,
        "A prediction was 0; on the page sgn(0) is +1",
    ),
    (
        PERCEPTRON_CLASS.format(**{**WELL, "step": "-= y * x"}),
        0,
        "Your weights move away from the label",
    ),
    (
        PERCEPTRON_CLASS.format(**{**WELL, "step": "+= x"}),
        0,
        "You add x whatever the label is",
    ),
    (
        PERCEPTRON_CLASS.format(**{**WELL, "sign": "int(self.w @ x >= 0)"}),
        0,
        "A prediction was 0",
    ),
    (
        PERCEPTRON_CLASS.format(
            **{**WELL, "kind": ", dtype=int", "step": "[:] += y * x"}
        ),
        4,
        "Cannot cast",
    ),
    (
        PERCEPTRON_CLASS.format(**WELL).replace("            self.mistakes += 1\n", ""),
        5,
        "where the grader saw",
    ),
    (
        PERCEPTRON_CLASS.format(**WELL).replace(
            "            self.mistakes += 1", "        self.mistakes += 1"
        ),
        5,
        "`mistakes` is",
    ),
    (
        PERCEPTRON_CLASS.format(**{**WELL, "step": "= y * x"}),
        0,
        "does not say sgn(w . x) with the right weights",
    ),
    (
        PERCEPTRON_CLASS.format(
            **{**WELL, "step": "= self.w + y * x / np.linalg.norm(x)"}
        ),
        0,
        "w is not the sum of y x",
    ),
    # Scores above -1 count as 0, and a band around 0.
    (
        PERCEPTRON_CLASS.format(
            **{**WELL, "sign": "1 if int(self.w @ x) >= 0 else -1"}
        ),
        4,
        "Do you round or cut it?",
    ),
    (
        PERCEPTRON_CLASS.format(**{**WELL, "sign": "1 if self.w @ x > -0.001 else -1"}),
        4,
        "Do you round or cut it?",
    ),
    (
        """
class Perceptron:
    w, mistakes = np.zeros(9), 0

    def __init__(self, d):
        self.d = d
        Perceptron.w = np.zeros(d)

    def predict(self, x):
        return 1 if self.w @ x >= 0 else -1

    def update(self, x, y, y_hat):
        if y != y_hat:
            Perceptron.w = self.w + y * x
            self.mistakes += 1
""",
        5,
        "weights of its own",
    ),
]
NOTHING["perceptron"] = [
    PERCEPTRON_CLASS.format(**{**WELL, "sign": "1", "when": "False"}),
    PERCEPTRON_CLASS.format(**{**WELL, "sign": "-1", "when": "False"}),
    """
class Perceptron:
    def __init__(self, d):
        self.w, self.mistakes = np.zeros(2), 0

    def predict(self, x):
        return 1 if self.mistakes == 0 else -1

    def update(self, x, y, y_hat):
        if y == -1:
            self.w, self.mistakes = np.array([-1, -2]), 1
""",
]

# --- 5. A counterexample -------------------------------------------------

FIT = """
def no_fit(k):
    w = np.array({w})
    far = {far} * np.array([-w[1], w[0]])
    return {{"X": {X}, "y": {y}, "w": w}}
"""
FINE = dict(
    w="[k + 1, k]",
    far="3 * (k + 1) ** 2",
    X="[w + far, w - far, -w]",
    y="[1, 1, -1]",
)
RIGHT["counterexample"] = [
    """
def no_fit(k):
    # Nearly the first axis, but not quite: the slope 1 / (k + 1).
    w = (k + 1, 1)
    points = [(2, -2 * k - 1), (-1, k + 2), (-2, 2 * k + 1), (1, -k - 2)]
    labels = [1 if w[0] * x + w[1] * z > 0 else -1 for x, z in points]
    return {"X": points, "y": labels, "w": w}
""",
    """
def no_fit(k):
    angle = np.arctan2(k, k + 1)
    w = np.array([np.cos(angle), np.sin(angle)])
    rot = np.array([[0.0, -1.0], [1.0, 0.0]])
    tilt = 1 / (9 * (k + 1) ** 2)
    X = np.array([w * tilt + rot @ w, w * tilt - rot @ w])
    return {"X": np.concatenate([X, -X]), "y": np.array([1.0, 1, -1, -1]), "w": w}
""",
    """
import itertools

def no_fit(k):
    '''Collect points until nobody is left, and check at the end: slow.'''
    w = (2 * k + 1, 2 * k - 1 if k > 1 else 2)
    left = list(itertools.product(range(-k, k + 1), repeat=2))
    X, y = [], []
    candidates = [(x, z) for x in range(-3 * k - 3, 3 * k + 4)
                  for z in range(-3 * k - 3, 3 * k + 4)]
    while left:
        best, fewest, said = None, len(left), None
        for p in candidates:
            s = w[0] * p[0] + w[1] * p[1]
            if s == 0:
                continue
            t = 1 if s > 0 else -1
            keep = sum((v[0] * p[0] + v[1] * p[1] >= 0) == (t > 0) for v in left[:60])
            if keep < fewest:
                best, fewest, said = p, keep, t
        if best is None:
            best, said = (-w[0], -w[1]), -1
        X.append(best)
        y.append(said)
        left = [v for v in left if (v[0] * best[0] + v[1] * best[1] >= 0) == (said > 0)]
        if len(X) > 12:
            break
    return {"X": X, "y": y, "w": w}
""",
]
WRONG["counterexample"] = [
    # Fine enough for k up to 3.
    (FIT.format(**{**FINE, "w": "[4, 3]"}), 2, "make no mistake on your data"),
    (
        FIT.format(**{**FINE, "X": "[w + far, w - far]", "y": "[1, 1]"}),
        0,
        "the zero vector, for which sgn(0) = +1",
    ),
    (
        FIT.format(**{**FINE, "w": "[k, k - 1]"}),
        0,
        "make no mistake on your data",
    ),
    (
        FIT.format(**{**FINE, "X": "[far, -far, -w]"}),
        0,
        "Your w has no margin",
    ),
    (
        FIT.format(**{**FINE, "far": "1"}),
        0,
        "make no mistake on your data",
    ),
    (
        """
def no_fit(k):
    return {"X": [(1, 0), (0.3, -1), (0.36, -1)], "y": [1, -1, 1], "w": (1, 0.33)}
""",
        0,
        "make no mistake on your data",
    ),
    (
        FIT.format(**{**FINE, "y": "[1, 1, 0]"}),
        0,
        "The labels should be -1 and +1",
    ),
    (
        """
def no_fit(k):
    return [(1, 0), (0, 1)], [1, 1], (1, 1)
""",
        0,
        "a dict with the keys",
    ),
    (
        """
def no_fit(k):
    return {"X": [[1, 0, 0]] * 3, "y": [1, 1, 1], "w": [1, 0, 0]}
""",
        0,
        "two coordinates",
    ),
    (FIT.format(**FINE).replace("return ", "_ = "), 0, "a dict with the keys"),
]
NOTHING["counterexample"] = [
    """
def no_fit(k):
    return {"X": [(1, 0), (0.3, -1), (0.36, -1)], "y": [1, -1, 1], "w": (1, 0.33)}
""",
    """
def no_fit(k):
    return {"X": [(1, 0), (1, 1), (-1, 0)], "y": [1, 1, -1], "w": (1, 1)}
""",
    FIT.format(**{**FINE, "w": "[2, 1]", "far": "12"}),  # for k = 1
    "def no_fit(k):\n    return None",
]

# --- 6. Liars ------------------------------------------------------------

RIGHT["liars"] = [
    """
class Forgiving:
    '''Follows the majority of those with the fewest errors so far.'''

    def __init__(self, C):
        self.C = np.array(C)
        self.errors = np.zeros(len(self.C))

    def predict(self, x):
        best = self.C[self.errors == self.errors.min(), x]
        return best.mean() > 0.5

    def update(self, x, y, y_hat):
        self.errors += self.C[:, x] != y
""",
    """
class Forgiving:
    '''Each error makes a vote negligible.'''

    def __init__(self, C):
        self.C = [list(map(int, row)) for row in C]
        self.votes = [1] * len(self.C)

    def predict(self, x):
        yes = sum(v for v, f in zip(self.votes, self.C) if f[x] == 1)
        no = sum(v for v, f in zip(self.votes, self.C) if f[x] == 0)
        return 1.0 if yes >= no else 0.0

    def update(self, x, y, y_hat):
        for i, f in enumerate(self.C):
            if f[x] == y:
                self.votes[i] *= 1000
""",
    """
class Forgiving:
    '''Learns from mistakes only, and starts afresh.'''

    def __init__(self, table):
        self.table = table
        self.left = set(range(len(table)))

    def predict(self, x):
        for _ in range(3):
            votes = [self.table[i][x] for i in self.left]
        return int(votes.count(1) > votes.count(0))

    def update(self, x, y, y_hat):
        if y != y_hat:
            self.left -= {i for i in self.left if self.table[i][x] != y}
        if not self.left:
            self.left = set(range(len(self.table)))
""",
]
FORGIVING = """
class Forgiving:
    def __init__(self, C):
        self.C = np.array(C)
        self.left = np.array(C)
        self.weights = np.ones(len(self.C))
        self.errors = np.zeros(len(self.C))
        self.seen = {{}}

    def predict(self, x):
        return {vote}

    def update(self, x, y, y_hat):
        {update}
"""
LEFT = "int(2 * self.left[:, x].sum() >= len(self.left))"
WEIGHED = "int(2 * self.weights @ self.C[:, x] >= self.weights.sum())"
KEEP = "self.left = self.left[self.left[:, x] == y]"
WRONG["liars"] = [
    (FORGIVING.format(vote=LEFT, update=KEEP), 2, "does what plain Halving does"),
    (
        FORGIVING.format(
            vote=LEFT,
            update="kept = self.left[self.left[:, x] == y]\n"
            "        self.left = kept if len(kept) else self.left",
        ),
        2,
        "are allowed",
    ),
    (
        FORGIVING.format(
            vote=LEFT,
            update=f"{KEEP}\n        if not len(self.left):\n"
            "            self.left = self.C[self.C[:, x] == y]",
        ),
        4,
        "at once believes the label of that round",
    ),
    (
        FORGIVING.format(vote=WEIGHED, update="self.weights[self.C[:, x] != y] *= 0.5"),
        5,
        "no false label",
    ),
    (
        FORGIVING.format(
            vote="self.C[np.argmin(self.errors), x]",
            update="self.errors += self.C[:, x] != y",
        ),
        5,
        "no false label",
    ),
    (
        FORGIVING.format(vote="self.seen.get(x, 1)", update="self.seen[x] = y"),
        0,
        "are allowed",
    ),
    (FORGIVING.format(vote=LEFT, update="pass"), 0, "no false label"),
    (
        FORGIVING.format(
            vote=LEFT,
            update="if len(self.left) > 1: " + KEEP,
        ),
        2,
        "are allowed",
    ),
    (
        FORGIVING.format(
            vote=LEFT,
            update=f"{KEEP}\n        if len(self.left) <= 1: self.left = self.C",
        ),
        0,
        "are allowed",
    ),
    (FORGIVING.format(vote=LEFT[3:], update=KEEP), 2, "does what plain Halving does"),
    (
        FORGIVING.format(vote=LEFT, update=KEEP).replace("return ", "_ = "),
        0,
        "got nothing (None)",
    ),
    # Starts afresh with those that had been dropped.
    *[
        (
            FORGIVING.format(
                vote=f"int({vote})",
                update="kept = self.weights * (self.C[:, x] == y)\n"
                "        self.weights = kept if kept.any() else 1 - self.weights",
            ),
            4,
            "an adversary who lies once",
        )
        for vote in (
            "2 * self.weights @ self.C[:, x] >= self.weights.sum()",
            "2 * self.weights @ self.C[:, x] > self.weights.sum()",
        )
    ],
    # What was heard last, or at the nearest point; never looks at a concept.
    (
        FORGIVING.format(
            vote="self.seen[min(self.seen, key=lambda z: abs(z - x))] "
            "if self.seen else 0",
            update="self.seen[x] = y",
        ),
        0,
        "In a long stream",
    ),
    (
        FORGIVING.format(
            vote="int(2 * sum(near) >= len(near)) if (near := self.seen.get(min("
            "self.seen, key=lambda z: abs(z - x), default=0))) else 0",
            update="self.seen.setdefault(x, []).append(y)",
        ),
        0,
        "In a long stream",
    ),
]
NOTHING["liars"] = [
    FORGIVING.format(vote="0", update="pass"),
    FORGIVING.format(vote="1", update="pass"),
    FORGIVING.format(vote="int(x == 2)", update="pass"),
]

# --- Short cuts: special cases, small sizes, near ties, long games ---------
WRONG["by-hand"] += [
    (
        HAND_LINE.format([1, 1, 1, 0, 1], [4, 3, 2, 2, 2]),
        2,
        "The number of concepts left is wrong for the",
    ),
    (
        HAND_LINE.format([1, 1, 1, 0, 0], [4, 3, 2, 2, 1]),
        2,
        "The prediction is wrong for the first time in",
    ),
    (
        HAND_LINE.format([1.2, 1, 1, 0, 1], [4, 3, 2, 2, 1]),
        2,
        "to be a whole number, got",
    ),
    (
        HAND_LINE.format([1, 1, 1, 0], [4, 3, 2, 2, 1]),
        2,
        "Expected the list",
    ),
]
WRONG["halving"] += [
    (
        HALVING_CLASS.format(vote="ones > 0 and 2 * ones >= len(self.C)", update=PRUNE),
        5,
        "When no concept is left, the vote is",
    ),
    (
        HALVING_CLASS.format(vote="np.round(ones / max(len(self.C), 1))", update=PRUNE),
        3,
        "When no concept is left, the vote is",
    ),
    (
        HALVING_CLASS.format(
            vote="2 * ones >= len(self.C)", update="if len(self.C) > 1: " + PRUNE
        ),
        5,
        "When no concept is left, the vote is",
    ),
    (
        HALVING_CLASS.format(
            vote="2 * ones >= len(self.C)",
            update="self.n = getattr(self, 'n', 0) + 1\n        if self.n <= 6: "
            + PRUNE,
        ),
        5,
        "is the first in which your learner does not",
    ),
]
WRONG["adversary"] += [
    (
        THRESHOLDS.format(**{**PLAY, "rows": "min(self.n, 64)"}),
        5,
        "table() should have a row for each of the n",
    ),
    (
        THRESHOLDS.format(**{**PLAY, "columns": "min(self.n - 1, 63)"}),
        5,
        "Two rows of your table are the same, so it",
    ),
    (
        THRESHOLDS.format(
            **{**PLAY, "x": "self.low + (self.high - self.low + 1) // 3"}
        ),
        0,
        "no concept of your table has all the labels",
    ),
]
WRONG["counterexample"] += [
    (
        FIT.format(**{**FINE, "w": "[k + 2, k]"}),
        0,
        "vectors of the grid there are some that make",
    ),
    (
        FIT.format(**{**FINE, "w": "[11, 10]"}),
        0,
        "vectors of the grid there are some that make",
    ),
    (
        FIT.format(**{**FINE, "far": "3"}),
        0,
        "vectors of the grid there are some that make",
    ),
    (
        FIT.format(**{**FINE, "far": "3e18"}),
        0,
        "Your w has no margin: some y (w . x) is not",
    ),
]
WRONG["perceptron"] += [
    (
        PERCEPTRON_CLASS.format(
            **{
                **WELL,
                "kind": ", dtype=np.float32",
                "step": "= np.float32(self.w + y * x)",
            }
        ),
        4,
        "w is not the sum of y x over your mistakes so",
    ),
    (
        PERCEPTRON_CLASS.format(
            **{**WELL, "sign": "1 if round(self.w @ x, 9) >= 0 else -1"}
        ),
        4,
        "Your w is the right one for your mistakes,",
    ),
    (
        PERCEPTRON_CLASS.format(
            **{**WELL, "sign": "1 if self.w @ x >= -1e-12 else -1"}
        ),
        4,
        "Your w is the right one for your mistakes,",
    ),
    (
        PERCEPTRON_CLASS.format(
            **{**WELL, "sign": "1 if np.float32(self.w @ x) >= 0 else -1"}
        ),
        4,
        "Your w is the right one for your mistakes,",
    ),
    (
        PERCEPTRON_CLASS.format(**{**WELL, "step": "= np.round(self.w + y * x, 12)"}),
        4,
        "w is not the sum of y x over your mistakes so",
    ),
    (
        PERCEPTRON_CLASS.format(
            **{**WELL, "step": "= np.clip(self.w + y * x, -1000, 1000)"}
        ),
        4,
        "w is not the sum of y x over your mistakes so",
    ),
]
WRONG["liars"] += [
    (
        FORGIVING.format(vote=WEIGHED, update="self.weights[self.C[:, x] != y] *= 0.2"),
        5,
        "concepts and no false label, your learner errs",
    ),
    (
        FORGIVING.format(vote=WEIGHED, update="self.weights[self.C[:, x] != y] *= 0.1"),
        5,
        "concepts and no false label, your learner errs",
    ),
    (
        FORGIVING.format(
            vote=WEIGHED, update="self.weights[self.C[:, x] != y] *= 0.05"
        ),
        5,
        "concepts and no false label, your learner errs",
    ),
    (
        FORGIVING.format(
            vote=LEFT,
            update=KEEP
            + "\n        self.n = getattr(self, 'n', 0)"
            + "\n        if not len(self.left) and self.n < 8:"
            + "\n            self.left, self.n = self.C, self.n + 1",
        ),
        4,
        "Against an adversary who lies, with",
    ),
]
WRONG["halving"] += [
    (
        HALVING_CLASS.format(vote="2 * ones >= len(self.C)", update=PRUNE).replace(
            "np.array(C)", "np.array(C)[:60]"
        ),
        5,
        "is the first in which your learner does not",
    ),
    (  # the share of the votes, rounded
        HALVING_CLASS.format(
            vote="len(self.C) == 0 or round(ones / len(self.C), 2) >= 0.5", update=PRUNE
        ),
        5,
        "In a game on 16 points, round 1 is the first",
    ),
]
