"""Answers to the problem set on opt and Winnow: right ones, wrong ones, and nothing."""

RIGHT, WRONG, NOTHING = {}, {}, {}

# --- 1. By hand ---------------------------------------------------------

ELIMINATION = "\ndef elimination_by_hand():\n    return "
WINNOW = "\ndef winnow_by_hand():\n    return "
ELIMINATION_RIGHT = (
    ELIMINATION + "{'predicts': [0, 0, 0, 0, 1, 0], 'left': [8, 4, 4, 3, 3, 2]}"
)
WINNOW_RIGHT = (
    WINNOW + "[(2, 1, 2, 1), (2, 1, 0, 0), (4, 1, 0, 0), (4, 2, 0, 0), (4, 2, 0, 0)]"
)

RIGHT["by-hand"] = [
    """
def elimination_by_hand():
    kept, says, sizes = np.ones(8, dtype=bool), [], []
    for x, y in CONJUNCTION:
        true = np.array([*x, *(1 - b for b in x)]) == 1
        says.append(true[kept].all())
        if y == 1:
            kept &= true
        sizes.append(kept.sum())
    return {"left": np.array(sizes), "predicts": np.array(says)}

def winnow_by_hand():
    w, path = np.ones(4), []
    for x, y in DISJUNCTION:
        x = np.array(x)
        if (w @ x > 2) != y:
            w = w * np.where(x, 2 * y, 1)
        path.append(w)
    return np.array(path)
""",
    ELIMINATION
    + "dict(predicts=(0, False, 0.0, 0, True, 0), left=(8.0, 4, 4, 3, 3, 2))"
    + WINNOW
    + "([2, 1, 2, 1], [2, 1, 0, 0], [4.0, 1, 0, 0], np.array([4, 2, 0, 0]),"
    " [4, 2, 0, 0])",
    """
from fractions import Fraction

def elimination_by_hand():
    left = {j: [0, 1] for j in range(4)}
    predicts, counts = [], []
    for x, y in CONJUNCTION:
        says = all(b == x[j] for j, bs in left.items() for b in bs)
        if y > says:
            left = {j: [b for b in bs if b == x[j]] for j, bs in left.items()}
        predicts.append(Fraction(int(says)))
        counts.append(Fraction(sum(map(len, left.values()))))
    return {"predicts": predicts, "left": counts}

def winnow_by_hand():
    ups = [(1, 0, 1, 0), None, (1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 0, 0)]
    w, path = [Fraction(1)] * 4, []
    for up in ups:
        if up is None:
            w = w[:2] + [Fraction(0)] * 2
        else:
            w = [v * 2**u for v, u in zip(w, up)]
        path.append(w)
    return path
""",
]
WRONG["by-hand"] = [
    (
        ELIMINATION
        + "{'predicts': [0, 0, 0, 1, 1, 0], 'left': [8, 4, 4, 4, 4, 3]}"
        + WINNOW_RIGHT,
        3,
        "The prediction is wrong for the first time in round 4",
    ),
    (
        ELIMINATION
        + "{'predicts': [0, 0, 1, 0, 1, 0], 'left': [4, 3, 3, 2, 2, 1]}"
        + WINNOW_RIGHT,
        3,
        "Your list begins with the variables only",
    ),
    # A slip in round 3: no sign of a list that begins with the variables only.
    (
        ELIMINATION
        + "{'predicts': [0, 0, 1, 0, 1, 0], 'left': [8, 4, 4, 3, 3, 2]}"
        + WINNOW_RIGHT,
        4,
        "wrong for the first time in round 3",
    ),
    (
        ELIMINATION
        + "{'predicts': [0, 0, 0, 0, 1, 0], 'left': [8, 8, 4, 4, 3, 3]}"
        + WINNOW_RIGHT,
        4,
        "numbers before each round",
    ),
    (
        ELIMINATION
        + "{'predicts': [0, 1, 0, 1, 1, 1], 'left': [4, 2, 1, 1, 1, 1]}"
        + WINNOW_RIGHT,
        3,
        "These are the labels",
    ),
    (
        ELIMINATION_RIGHT
        + WINNOW
        + "[(1, 1, 1, 1), (1, 1, 0, 0), (2, 1, 0, 0), (2, 2, 0, 0), (2, 2, 0, 0)]",
        2,
        "A score equal to the threshold",
    ),
    (
        ELIMINATION_RIGHT
        + WINNOW
        + "[(2, 1, 2, 1), (2, 1, 0, 0), (4, 1, 0, 0), (4, 2, 0, 0), (8, 4, 0, 0)]",
        2,
        "Your weights change in every round",
    ),
    (
        ELIMINATION_RIGHT
        + WINNOW
        + "[(2, 1, 2, 1), (2, 1, 1, .5), (2, 1, 1, .5), (2, 2, 2, .5), (2, 2, 2, .5)]",
        2,
        "You halve the weights",
    ),
    (
        ELIMINATION_RIGHT
        + WINNOW
        + "[(2, 1, 2, 1), (2, 1, 0, 0), (4, 1, 0, 0), (4, 2, 0, 0), (4, 2, 1, 0)]",
        3,
        "wrong for the first time in round 5",
    ),
    (ELIMINATION_RIGHT + WINNOW + "[(2, 1, 2, 1)] * 3", 2, "shape (5, 4)"),
    (ELIMINATION + "None" + WINNOW + "None", 0, "a dict with the key 'left'"),
]
NOTHING["by-hand"] = [
    ELIMINATION
    + "{'predicts': [0] * 6, 'left': [8] * 6}"
    + WINNOW
    + "[(2, 1, 2, 1)] * 5",
    ELIMINATION
    + "{'predicts': [0, 1, 1, 1, 1, 1], 'left': [8, 0, 0, 0, 0, 0]}"
    + WINNOW
    + "np.ones((5, 4))",
]

# --- 2. The elimination of literals, for disjunctions --------------------

RIGHT["elimination"] = [
    """
class DisjunctionElimination:
    def __init__(self, d):
        self.left = {*range(1, d + 1), *range(-d, 0)}

    def predict(self, x):
        return any((x[abs(j) - 1] == 1) == (j > 0) for j in self.left)

    def update(self, x, y, y_hat):
        if y == 0:
            for j in range(1, len(x) + 1):
                self.left.discard(j if x[j - 1] else -j)

    def literals(self):
        return list(self.left)
""",
    """
class Conjunction:
    def __init__(self, d):
        self.kept = np.ones(2 * d)

    def predict(self, z):
        return float(np.all(z >= self.kept))

    def update(self, z, y, y_hat):
        if y > y_hat:
            self.kept = self.kept * z

class DisjunctionElimination:
    '''By De Morgan, around the learner of the page.'''

    def __init__(self, d):
        self.d, self.inner = d, Conjunction(d)

    def predict(self, x):
        return 1 - self.inner.predict(np.r_[1 - x, x])

    def update(self, x, y, y_hat):
        self.inner.update(np.r_[1 - x, x], 1 - y, 1 - y_hat)

    def literals(self):
        names = np.r_[1 : self.d + 1, -np.arange(1, self.d + 1)]
        return names[self.inner.kept == 1] * 1.0
""",
    """
class DisjunctionElimination:
    '''Remembers the points and asks them all again in each round: slow.'''

    def __init__(self, d):
        self.d, self.zeros = d, []

    def literals(self):
        zeros = np.array(self.zeros).reshape(-1, self.d)
        return tuple(
            sign * (j + 1)
            for j in range(self.d) for sign in (1, -1)
            if not (zeros[:, j] == (sign > 0)).any()
        )

    def predict(self, x):
        return np.array([sum(x[abs(j) - 1] == (j > 0) for j in self.literals()) > 0])

    def update(self, x, y, y_hat):
        if y_hat and not y:
            self.zeros.append(x)
""",
    # A set, and the keys of a dict.
    *[
        f"""
class DisjunctionElimination:
    def __init__(self, d):
        self.left = dict.fromkeys([*range(-d, 0), *range(1, d + 1)], True)

    def predict(self, x):
        return any((x[abs(j) - 1] == 1) == (j > 0) for j in self.left)

    def update(self, x, y, y_hat):
        if y == 0:
            self.left = {{j: True for j in self.left if x[abs(j) - 1] != (j > 0)}}

    def literals(self):
        return {returned}
"""
        for returned in ("set(self.left)", "self.left.keys()")
    ],
]
SETS = """
class DisjunctionElimination:
    def __init__(self, d):
        self.left = {start}

    def true(self, x):
        return {{j for j in self.left if x[abs(j) - 1] == (j > 0)}}

    def predict(self, x):
        return int({says})

    def update(self, x, y, y_hat):
        {update}

    def literals(self):
        return {listed}
"""
SETS_RIGHT = dict(
    start="{*range(1, d + 1), *range(-d, 0)}",
    says="len(self.true(x)) > 0",
    update="if y == 0: self.left = self.left - self.true(x)",
    listed="sorted(self.left)",
)


def sets(**parts):
    return SETS.format(**{**SETS_RIGHT, **parts})


WRONG["elimination"] = [
    (sets(start="set(range(1, d + 1))"), 0, "begins without the negations"),
    (
        sets(
            says="self.true(x) == self.left",
            update="if y == 1: self.left = self.true(x)",
        ),
        0,
        "still learns conjunctions",
    ),
    (
        sets(update="if y == 1: self.left = self.true(x)"),
        0,
        "strikes literals out after label 1",
    ),
    (
        sets(update="self.left = self.left - self.true(x)"),
        1,
        "whatever the label is",
    ),
    (
        sets(update="if y == 0: self.left = self.true(x)"),
        0,
        "strikes out the literals that are 0 at the point",
    ),
    (sets(update="pass"), 0, "errs twice at the same point"),
    (
        sets(update="if y == 0: self.left = self.left - set(list(self.true(x))[:1])"),
        0,
        "some literals are on your list that are refuted",
    ),
    (
        sets(listed="[j - 1 if j > 0 else j + 1 for j in self.left]"),
        4,
        "should count the variables from 1",
    ),
    (
        """
class DisjunctionElimination:
    left = set()

    def __init__(self, d):
        self.left |= {*range(1, d + 1), *range(-d, 0)}

    def true(self, x):
        return {j for j in self.left if x[abs(j) - 1] == (j > 0)}

    def predict(self, x):
        return int(len(self.true(x)) > 0)

    def update(self, x, y, y_hat):
        if y == 0:
            self.left -= self.true(x)

    def literals(self):
        return sorted(self.left)
""",
        4,
        "a list of its own",
    ),
]
NOTHING["elimination"] = [
    """
class DisjunctionElimination:
    def __init__(self, d): pass
    def predict(self, x): return 1
    def update(self, x, y, y_hat): pass
    def literals(self): return [1, 2, -1, -2]
""",
    """
class DisjunctionElimination:
    def __init__(self, d): self.y = 1
    def predict(self, x): return self.y
    def update(self, x, y, y_hat): self.y = y
    def literals(self): return [1, 2, -1, -2] if self.y else [2, -1]
""",
    # A memory of points, a count of mistakes, and both.
    """
class DisjunctionElimination:
    def __init__(self, d): self.seen = {}
    def predict(self, x): return self.seen.get(tuple(map(int, x)), 1)
    def update(self, x, y, y_hat): self.seen[tuple(map(int, x))] = y
    def literals(self): return []
""",
    """
class DisjunctionElimination:
    def __init__(self, d): self.left = d + 1
    def predict(self, x): return int(self.left > 0)
    def update(self, x, y, y_hat): self.left -= 1
    def literals(self): return []
""",
    """
class DisjunctionElimination:
    def __init__(self, d): self.d, self.seen = d, {}
    def predict(self, x):
        return self.seen.get(tuple(map(int, x)), int(len(self.seen) <= self.d))
    def update(self, x, y, y_hat): self.seen[tuple(map(int, x))] = y
    def literals(self): return []
""",
]

# --- 3. The optimal mistake bound ----------------------------------------

RIGHT["opt"] = [
    """
from functools import lru_cache

@lru_cache(maxsize=None)
def depth(rows):
    best = 0
    for column in zip(*rows):
        zero = frozenset(r for r, b in zip(rows, column) if b == 0)
        if 0 < len(zero) < len(rows):
            best = max(best, 1 + min(depth(zero), depth(rows - zero)))
    return best

def opt(C):
    return depth(frozenset(tuple(map(int, row)) for row in C))

def first_points(C):
    C = np.array(C)
    if len(C) == 1:
        return ()
    return tuple(
        x for x in range(C.shape[1])
        if len(set(C[:, x])) == 2
        and opt(C) - 1 == min(opt(C[C[:, x] == b]) for b in (0, 1))
    )
""",
    """
def opt(C):
    '''The empty class counts -1, so no point has to be left out.'''
    if len(C) <= 1:
        return len(C) - 1.0
    return max(with_root(C, x) for x in range(len(C[0])))

def with_root(C, x):
    zero = [row for row in C if row[x] == 0]
    one = [row for row in C if row[x] == 1]
    if not zero or not one:
        return 0.0
    return 1 + min(opt(zero), opt(one))

def first_points(C):
    values = np.array([with_root(C, x) for x in range(len(C[0]))])
    return np.flatnonzero((values == opt(C)) & (values > 0))
""",
    """
def tree(C, depth):
    '''Whether there is a complete mistake tree of that depth.'''
    if depth == 0:
        return len(C) > 0
    return len(C) >= 2**depth and any(root(C, x, depth) for x in range(C.shape[1]))

def root(C, x, depth):
    return all(tree(C[C[:, x] == b], depth - 1) for b in (1, 0))

def opt(C):
    C, m = np.array(C), 0
    while tree(C, m + 1):
        m += 1
    return np.array([m])

def first_points(C):
    C, m = np.array(C), int(opt(C)[0])
    return [] if m == 0 else [float(x) for x in range(C.shape[1]) if root(C, x, m)]
""",
    # A set of points.
    """
def sides(C, x):
    return [[row for row in C if row[x] == b] for b in (0, 1)]

def opt(C):
    split = [sides(C, x) for x in range(len(C[0]))]
    return max([0] + [1 + min(map(opt, pair)) for pair in split if all(pair)])

def first_points(C):
    m = opt(C)
    return {
        x for x in range(len(C[0]))
        if all(sides(C, x)) and 1 + min(map(opt, sides(C, x))) == m
    }
""",
]
OPT = """
def opt(C):
    C, best = np.asarray(C), {start}
    for x in range(C.shape[1]):
        zero, one = C[C[:, x] == 0], C[C[:, x] == 1]
        if len(zero) and len(one):
            best = {best}
    return {last}
"""
OPT_RIGHT = dict(start="0", best="max(best, 1 + min(opt(zero), opt(one)))", last="best")
FIRST = """
def exact(C):
    return max([0] + [1 + side for _, side in splits(C)])

def splits(C):
    for x in range(C.shape[1]):
        zero, one = C[C[:, x] == 0], C[C[:, x] == 1]
        if len(zero) and len(one):
            yield x, min(exact(zero), exact(one))

def first_points(C):
    C = np.asarray(C)
    {body}
"""
BODY = "m = exact(C); return [x for x, side in splits(C) if side + 1 == m]"


def both(body=BODY, **parts):
    return OPT.format(**{**OPT_RIGHT, **parts}) + FIRST.format(body=body)


# Mistake trees of depth 3 at most, and points at which the class need not split.
SHALLOW = """
def deep(C, most):
    found = 0
    for x in range(C.shape[1] if most else 0):
        zero, one = C[C[:, x] == 0], C[C[:, x] == 1]
        if len(zero) and len(one):
            found = max(found, 1 + min(deep(zero, most - 1), deep(one, most - 1)))
    return found

def opt(C):
    return deep(np.asarray(C), 3)
"""
VACUOUS = (
    "m, sides = exact(C), lambda x: [C[C[:, x] == b] for b in (0, 1)]; return "
    "[x for x in range(C.shape[1]) if min(map(exact, sides(x))) == m - 1]"
)
WRONG["opt"] = [
    (
        both(best="max(best, 1 + max(opt(zero), opt(one)))"),
        3,
        "the larger of the two sides counted",
    ),
    (
        both(start="9", best="min(best, 1 + min(opt(zero), opt(one)))",
             last="best if best < 9 else 0"),
        3,
        "the learner chose the point",
    ),
    (both(last="int(np.log2(len(C)))"), 3, "floor(lg |C|)"),
    (both(last="len(C) - 1"), 3, "the bound |C| - 1"),
    ("def opt(C): pass" + FIRST.format(body=BODY), 3, "to be a number"),
    (
        """
from itertools import combinations

def opt(C):
    C = np.asarray(C)
    return max(
        n for n in range(C.shape[1] + 1) for s in combinations(range(C.shape[1]), n)
        if len(np.unique(C[:, list(s)], axis=0)) == 2 ** n
    )
"""
        + FIRST.format(body=BODY),
        3,
        "the VC dimension",
    ),
    # The first of the most balanced points only, or all of them.
    (
        """
def opt(C):
    C = np.asarray(C)
    if len(C) == 1:
        return 0
    x = abs(2 * C.sum(axis=0) - len(C)).argmin()
    return 1 + min(opt(C[C[:, x] == b]) for b in (0, 1))
"""
        + FIRST.format(body=BODY),
        4,
        "too small for",
    ),
    (
        """
def opt(C):
    C = np.asarray(C)
    if len(C) == 1:
        return 0
    gap = abs(2 * C.sum(axis=0) - len(C))
    return 1 + max(
        min(opt(C[C[:, x] == b]) for b in (0, 1))
        for x in np.flatnonzero(gap == gap.min())
    )
"""
        + FIRST.format(body=BODY),
        4,
        "too small for",
    ),
    (
        both(
            "gap = abs(2 * C.sum(axis=0) - len(C)); "
            "return [] if len(C) == 1 else np.flatnonzero(gap == gap.min())"
        ),
        3,
        "differ least in size",
    ),
    (both("return [x for x, side in splits(C)]"), 3, "both labels are possible"),
    (both(BODY + "[:1]"), 3, "some of the points, but not all"),
    (
        both("m = exact(C); return [x for x in range(C.shape[1]) if m == 0] or "
             "[x for x, side in splits(C) if side + 1 == m]"),
        3,
        "the list should be empty",
    ),
    (
        both(BODY.replace("[x ", "[x + 1 ")),
        3,
        "costs more than one unit",
    ),
]  # fmt: skip
NOTHING["opt"] = [
    "def opt(C): return 2\ndef first_points(C): return []",
    """
def opt(C):
    return {1: 0, 4: 2}.get(len(C), 1)

def first_points(C):
    return [1] if len(C[0]) == 3 else [0, 1, 2, 3]
""",
]

# --- 4. The adversary ----------------------------------------------------

RIGHT["adversary"] = [
    """
class Adversary:
    def __init__(self, d, k):
        self.d, self.k, self.size = d, k, d // k
        self.chosen, self.begin(0)

    chosen = ()

    def begin(self, group):
        self.group = group
        first = group * self.size
        self.left = list(range(first, first + self.size)) + [-1]

    def next_point(self):
        if len(self.left) < 2 or self.done():
            self.chosen += tuple(j for j in self.left[:1] if j >= 0)
            self.begin(self.group + 1)
        self.ones = self.left[: len(self.left) // 2]
        return [int(j in self.ones) for j in range(self.d)]

    def done(self):
        '''As many rounds as the group has to give.'''
        return self.asked == int(np.log2(self.size + 1))

    asked = 0

    def label(self, y_hat):
        self.asked = self.asked % int(np.log2(self.size + 1)) + 1
        if y_hat:
            self.left = [j for j in self.left if j not in self.ones]
        else:
            self.left = self.ones
        return 1 - y_hat

    def target(self):
        return self.chosen + tuple(j for j in self.left[:1] if j >= 0)
""".replace("self.chosen, self.begin(0)", "self.begin(0)"),
    """
class Adversary:
    '''All groups take turns; variables may be spread over the groups.'''

    def __init__(self, d, k):
        self.d = d
        self.low = [0] * k
        self.high = [d // k] * k  # the last candidate stands for no variable
        self.step = d // k
        self.turn = 0

    def next_point(self):
        g = self.turn % len(self.low)
        self.middle = (self.low[g] + self.high[g] + 1) // 2
        x = np.zeros(self.d)
        x[g * self.step + np.arange(self.low[g], self.middle)] = 1
        return x

    def label(self, y_hat):
        g = self.turn % len(self.low)
        self.turn += 1
        if y_hat == 1:
            self.low[g] = self.middle
            return 0
        self.high[g] = self.middle - 1
        return True

    def target(self):
        return np.array(
            [g * self.step + low for g, low in enumerate(self.low) if low < self.step]
        )
""",
    """
def adversary(d, k):
    '''A generator that is sent the predictions; groups j, j + k, j + 2k, ...'''
    target, size = set(), d // k
    for g in range(k):
        left = [None] + [g + k * i for i in range(size)]
        for _ in range((size + 1).bit_length() - 1):
            ones = left[(len(left) + 1) // 2 :]
            y_hat = yield [1.0 if j in ones else 0.0 for j in range(d)]
            left = ones if y_hat == 0 else left[: len(left) - len(ones)]
            yield 1 - y_hat, [*target, *(j for j in left[-1:] if j is not None)]
        target |= {j for j in left[-1:] if j is not None}

class Adversary:
    def __init__(self, d, k):
        self.game = adversary(d, k)

    def next_point(self):
        return next(self.game)

    def label(self, y_hat):
        y, self.now = self.game.send(y_hat)
        return y

    def target(self):
        return self.now
""",
]
# A set, and a generator: the positions may come in any order.
RIGHT["adversary"] += [
    RIGHT["adversary"][1].replace("return np.array(", f"return {kind}(")
    for kind in ("set", "iter")
]
ADVERSARY = """
class Adversary:
    def __init__(self, d, k):
        size = d // k
        self.d, self.k, self.turn = d, k, 0
        self.groups = [{group} for i in range(k)]
        self.rounds = {rounds}

    def next_point(self):
        self.g = min(self.turn // max(self.rounds, 1), self.k - 1)
        self.turn += 1
        left = self.groups[self.g]
        self.ones = left[: {half}]
        return [int(j in self.ones) for j in range(self.d)]

    def label(self, y_hat):
        left = self.groups[self.g]
        rest = [j for j in left if j not in self.ones]
        self.groups[self.g] = {kept}
        return {label}

    def target(self):
        return {target}
"""
ADVERSARY_RIGHT = dict(
    group="[*range(i * size, (i + 1) * size), None]",
    rounds="(size + 1).bit_length() - 1",
    half="len(left) // 2",
    kept="self.ones if y_hat == 0 else rest",
    label="1 - y_hat",
    target="[left[0] for left in self.groups if left and left[0] is not None]",
)


def against(**parts):
    return ADVERSARY.format(**{**ADVERSARY_RIGHT, **parts})


WRONG["adversary"] = [
    # The page's adversary: one relevant variable in each group.
    (
        against(
            group="[*range(i * size, (i + 1) * size)]", rounds="size.bit_length() - 1"
        ),
        2,
        "your target does not have the label",
    ),
    (against(kept="rest if y_hat == 0 else self.ones"), 0, "does not have the label"),
    (against(label="y_hat"), 0, "the label is the prediction"),
    (against(target="list(range(self.k))"), 0, "does not have the label"),
    (against(target="list(range(self.d))"), 0, "more than the"),
    (against(target="None"), 0, "to be a list of whole numbers"),
    (
        against(target="[left[0] + 1 for left in self.groups if left[0] is not None]"),
        0,
        "positions from 0",
    ),
    # One candidate at a time: it works against a learner that says 1 first only.
    (against(half="1"), 1, "does not have the label"),
    # Works for one group, but forgets the others in the target.
    (
        against(target="[j for j in self.groups[self.g][:1] if j is not None]"),
        1,
        "does not have the label",
    ),
]
NOTHING["adversary"] = [
    """
class Adversary:
    def __init__(self, d, k): self.d = d
    def next_point(self): return np.ones(self.d)
    def label(self, y_hat): return 1 - y_hat
    def target(self): return [0]
""",
    """
class Adversary:
    def __init__(self, d, k): self.d, self.S = d, []
    def next_point(self): return np.eye(self.d)[0]
    def label(self, y_hat):
        self.S = [] if y_hat else [0]
        return 1 - y_hat
    def target(self): return self.S
""",
]

# --- 5. Winnow -----------------------------------------------------------

RIGHT["winnow"] = [
    """
class Winnow:
    def __init__(self, d, theta=None):
        self.w = [1] * d
        # The weights are whole, so the threshold of an odd d may be rounded down.
        self.theta = theta if theta is not None else d // 2

    def predict(self, x):
        return sum(v for v, b in zip(self.w, x) if b) > self.theta

    def update(self, x, y, y_hat):
        if y == y_hat:
            return
        for j, b in enumerate(x):
            if b:
                self.w[j] *= 2 * y
""",
    """
class Winnow:
    '''Exponents, as olutil keeps them.'''

    def __init__(self, d, theta=None):
        self.twice = d if theta is None else 2 * theta
        self.e = np.zeros(d, dtype=int)
        self.alive = np.ones(d, dtype=bool)

    @property
    def w(self):
        return np.where(self.alive, 2**self.e, 0)

    def predict(self, x):
        return np.array([1.0 if 2 * np.dot(self.w, x) > self.twice else 0.0])

    def update(self, x, y, y_hat):
        if y > y_hat:
            self.e += np.array(x)
        if y < y_hat:
            self.alive &= np.array(x) == 0
""",
    """
from fractions import Fraction

class Winnow:
    '''Begins anew from the list of its mistakes whenever it is asked: slow.'''

    def __init__(self, n, theta=None):
        self.n, self.erred = n, []
        self.theta = Fraction(n, 2) if theta is None else Fraction(theta)

    @property
    def w(self):
        w = tuple(Fraction(1) for _ in range(self.n))
        for x, factor in self.erred:
            w = tuple(factor * v if b == 1 else v for v, b in zip(w, x))
        return w

    def predict(self, x):
        return int(sum((v * int(b) for v, b in zip(self.w, x)), start=0) > self.theta)

    def update(self, x, y, y_hat):
        if y_hat != y:
            self.erred.append((x, 2 * y))
""",
]
WINNOW_CLASS = """
class Winnow:
    def __init__(self, d, theta=None):
        self.theta = {theta}
        self.w = np.ones(d)

    def predict(self, x):
        return int(self.w @ x {sign} self.theta)

    def update(self, x, y, y_hat):
        if {when}:
            self.w = {new}
"""
WINNOW_PARTS = dict(
    theta="d / 2 if theta is None else theta",
    sign=">",
    when="y != y_hat",
    new="np.where(x == 1, 2 * y * self.w, self.w)",
)


def winnow(**parts):
    return WINNOW_CLASS.format(**{**WINNOW_PARTS, **parts})


WRONG["winnow"] = [
    (winnow(sign=">="), 2, "At a score equal to the threshold your learner says 1"),
    (winnow(when="True"), 0, "in every round, not after mistakes only"),
    (
        winnow(new="np.where(x == 1, self.w * (2 if y else 0.5), self.w)"),
        0,
        "halves weights after a false 1",
    ),
    (
        winnow(new="np.where(x == 1, (self.w + 1) * y, self.w)"),
        0,
        "it does not add 1",
    ),
    (winnow(new="2 * y * self.w"), 0, "touch all weights"),
    (winnow(theta="d if theta is None else theta"), 1, "looks like d;"),
    (winnow(theta="d / 2"), 4, "ignores the threshold"),
    (
        winnow(new="np.where(x == 1, np.minimum(2 * y * self.w, 8), self.w)"),
        1,
        "does not do what Winnow does",
    ),
    (
        winnow(new="np.where(x == 1, 2 * (1 - y) * self.w, self.w)"),
        0,
        "does not do what Winnow does",
    ),
    (
        winnow() + "    def predict(self, x): pass",
        0,
        "Expected a prediction to be a number",
    ),
    (
        """
class Winnow:
    w = {}

    def __init__(self, d, theta=None):
        self.theta, self.d = d / 2 if theta is None else theta, d
        Winnow.w = np.ones(d)

    def predict(self, x):
        return int(self.w[: len(x)] @ x[: len(self.w)] > self.theta)

    def update(self, x, y, y_hat):
        if y != y_hat:
            n = min(len(x), len(self.w))
            Winnow.w[:n] = np.where(x[:n] == 1, 2 * y * self.w[:n], self.w[:n])
""",
        4,
        "weights of its own",
    ),
]
NOTHING["winnow"] = [
    """
class Winnow:
    def __init__(self, d, theta=None): self.w = np.ones(d)
    def predict(self, x): return 0
    def update(self, x, y, y_hat): pass
""",
    """
class Winnow:
    def __init__(self, d, theta=None):
        self.w, self.said = np.ones(4), int(theta == 1)
    def predict(self, x): return self.said
    def update(self, x, y, y_hat):
        self.w, self.said = np.array([2, 2, 1, 1]) if y else np.array([2, 0, 0, 1]), 1
""",
]

# --- 6. A counterexample -------------------------------------------------

BEYOND = """
def beyond_opt(m):
    d = 2**m
    {}
"""
BEYOND_RIGHT = BEYOND.format(
    "x = np.eye(d)[0]; return {'X': [1 - x] + [x] * m, 'S': [0]}"
)

RIGHT["counterexample"] = [
    """
def beyond_opt(m):
    # The last promotion comes more often than needed.
    d = 2**m
    mine = [int(j == d - 1) for j in range(d)]
    others = [1 - b for b in mine]
    return {"X": [others] + [mine for _ in range(3 * m)], "S": (d - 1,)}
""",
    """
def beyond_opt(m):
    d, j = 2**m, 1
    X = np.zeros((m + 3, d))
    X[:, j] = 1
    X[0] = 1 - X[0]
    return {"X": X, "S": np.array([j])}
""",
    """
def beyond_opt(m):
    '''No relevant variable is of no use, so the last one it is.'''
    d = 2**m
    rest = [True] * (d - 1) + [False]
    only = [not b for b in rest]
    return {"X": [rest] + [only] * m + [rest], "S": [float(d - 1)], "d": d}
""",
    BEYOND_RIGHT.replace("'S': [0]", "'S': {0}"),
    BEYOND_RIGHT.replace("'S': [0]", "'S': range(1)"),
]
WRONG["counterexample"] = [
    # Exactly opt mistakes: promotions only.
    (
        BEYOND.format("return {'X': [np.eye(d)[0]] * 9, 'S': [0]}"),
        0,
        "mistakes on your stream",
    ),
    # The elimination comes last, when nothing but weight 1 is left to be active.
    (
        BEYOND.format("return {'X': np.eye(d)[::-1], 'S': [0]}"),
        0,
        "mistakes on your stream",
    ),
    # As many promotions as are needed among 16 attributes.
    (
        BEYOND_RIGHT.replace("[x] * m", "[x] * 4"),
        3,
        "mistakes on your stream number 5 only",
    ),
    (
        BEYOND.format(
            "return {'X': np.tile(np.eye(d), (m, 1))[:500], 'S': range(d)}"
        ).replace("range(d)", "list(range(d))"),
        0,
        "one relevant variable at most",
    ),
    (
        BEYOND.format("return {'X': [[1] * d] * 600, 'S': [0]}"),
        0,
        "1 to 500 points",
    ),
    (BEYOND.format("return None"), 0, "a dict with the keys"),
    (BEYOND.format("return {'X': np.ones((3, d + 1)), 'S': [0]}"), 0, "to have shape"),
    (BEYOND_RIGHT.replace("[0]}", "[d]}"), 0, "positions from 0"),
]
NOTHING["counterexample"] = [
    BEYOND.format("return {'X': np.eye(d), 'S': [0]}"),
    """
def beyond_opt(m):
    '''Typed in for the visible m = 2 and 3.'''
    x = np.eye(8 if m == 3 else 4)[0]
    return {"X": [1 - x, x, x, x], "S": [0]}
""",
]

# --- Short cuts: special cases, small sizes, near ties, long games ---------
WRONG["by-hand"] += [
    (
        ELIMINATION
        + "{'predicts': [0, 0, 0, 0, 1, 0], 'left': [8, 4, 4, 3, 3, 3]}"
        + WINNOW_RIGHT,
        4,
        "The number of literals is wrong for the first",
    ),
    (
        ELIMINATION
        + "{'predicts': [0, 0, 0, 0, 1, 1], 'left': [8, 4, 4, 3, 3, 2]}"
        + WINNOW_RIGHT,
        4,
        "The prediction is wrong for the first time in",
    ),
    (
        ELIMINATION_RIGHT
        + WINNOW
        + "[(2, 1, 2, 1), (2, 1, 0, 0), (4, 1, 0, 0), (4, 2, 0, 0)]",
        2,
        "Expected the list of weights to have shape (",
    ),
    (
        ELIMINATION_RIGHT
        + WINNOW
        + "[(2, 1, 2, 1), (2, 1, 0, 0), (4, 1, 0, 1)] + [(4, 2, 0, 1)] * 2",
        2,
        "The weight vector is wrong for the first time",
    ),
]
WRONG["elimination"] += [
    (
        sets(start="{*range(1, min(d, 60) + 1), *range(-min(d, 60), 0)}"),
        4,
        "at the point should still be on your list.",
    ),
    (
        sets(says="len(self.true(x)) > 0 or not self.left"),
        4,
        "Your learner errs twice at the same point",
    ),
    (
        sets(listed="[*self.left, *self.left]"),
        4,
        "literals() has some literal twice.",
    ),
]
WRONG["opt"] += [
    (
        SHALLOW + FIRST.format(body=BODY),
        5,
        "classes, your number is too small for",
    ),
    (
        both().replace(
            "C, best = np.asarray(C), 0", "C, best = np.asarray(C)[:10], 0", 1
        ),
        5,
        "classes, your number is too small for",
    ),
    (
        both(VACUOUS),
        3,
        "At some of your points all concepts agree, so",
    ),
    (
        both(VACUOUS.replace("== m - 1", "== m - 1 and m > 0")),
        3,
        "At some of your points all concepts agree, so",
    ),
    (
        both("C = C[:10]; " + BODY),
        3,
        "You find some of the points, but not all.",
    ),
    (
        both("C = C[:, :5]; " + BODY),
        3,
        "You find some of the points, but not all.",
    ),
]
WRONG["adversary"] += [
    (
        against(group="[*range(i * size, i * size + min(size, 63)), None]"),
        4.5,
        "your target does not have the label that you",
    ),
    (
        against(group="[*range(i * size, i * size + min(size, 255)), None]"),
        6,
        "your target does not have the label that you",
    ),
    (
        against().replace("range(k)", "range(min(k, 20))"),
        6,
        "Your code raised IndexError: list index out",
    ),
    (
        against(target="[left[0] for left in self.groups if left[0] is not None][:30]"),
        6,
        "your target does not have the label that you",
    ),
]
WRONG["winnow"] += [
    (
        winnow(new="np.where(x == 1, np.minimum(2 * y * self.w, 64), self.w)"),
        4,
        "does not add 1",
    ),
    (
        winnow(new="np.where(x == 1, np.minimum(2 * y * self.w, 1e6), self.w)"),
        4,
        "is the first in which your learner does not",
    ),
    (
        winnow(new="np.where(x == 1, 2 * y * self.w, self.w).astype(np.int16)"),
        4,
        "is the first in which your learner does not",
    ),
    (
        winnow(theta="d / 2 if not theta or theta < 1 else theta"),
        4,
        "is the first in which your learner does not",
    ),
]
WRONG["counterexample"] += [
    (
        BEYOND_RIGHT.replace("[x] * m", "[x] * min(m, 5)"),
        3,
        "s mistakes on your stream number",
    ),
    (
        BEYOND_RIGHT.replace("[x] * m", "[x] * (m - 1)"),
        0,
        "s mistakes on your stream number",
    ),
    (
        BEYOND_RIGHT.replace("[1 - x] + [x] * m", "[1 - x] * m + [x]"),
        0,
        "s mistakes on your stream number",
    ),
    (
        BEYOND_RIGHT.replace("d = 2**m", "d = 2**min(m, 6)"),
        3,
        "to have shape (",
    ),
]
