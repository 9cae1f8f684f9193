"""Answers to the problem set on expert advice (COS 511): right, wrong, and none."""

RIGHT: dict[str, list[str]] = {}
WRONG: dict[str, list[tuple[str, float, str]]] = {}
NOTHING: dict[str, list[str]] = {}


def changed(answer: str, *pairs: tuple[str, str]) -> str:
    """An answer with some pieces of its text replaced."""
    for old, new in pairs:
        assert old in answer, old
        answer = answer.replace(old, new)
    return answer


# --- Question 1: three rounds by hand -----------------------------------

HAND = """
def three_rounds(beta):
    first = [1, 1, beta, beta]
    second = [beta, 1, beta ** 2, beta]
    third = [beta, beta, beta ** 3, beta]
    last = (1 + beta ** 2) / (1 + 2 * beta + beta ** 2)
    return {
        "predictions": [0, 0, 1],
        "weights": [first, second, third],
        "chances": [0.5, 0.5, last],
    }
"""
RIGHT["hand"] = [
    HAND,
    # A program instead of a pencil, three times as slow.
    """
ADVICE = np.array([[1, 1, 0, 0], [1, 0, 1, 0], [0, 1, 1, 0]])
OUTCOMES = (1, 0, 0)

def three_rounds(beta):
    for again in range(3):
        w, found = np.ones(4), {"predictions": [], "weights": [], "chances": []}
        for xi, y in zip(ADVICE, OUTCOMES):
            q = [w[xi == b].sum() for b in (0, 1)]
            found["predictions"].append(bool(q[1] > q[0]))
            found["chances"].append(q[1 - y] / sum(q))
            w = np.where(xi == y, w, beta * w)
            found["weights"].append(w)
    return found
""",
    # Tuples and arrays.
    """
def three_rounds(beta):
    b = beta
    return dict(
        predictions=(0.0, 0.0, 1.0),
        weights=np.array([(1, 1, b, b), (b, 1, b * b, b), (b, b, b * b * b, b)]),
        chances=np.array([1 / 2, 1 / 2, 1 - 2 * b / (1 + b) ** 2]),
    )
""",
]
WRONG["hand"] = [
    (changed(HAND, ("[0, 0, 1]", "[1, 1, 1]")), 2, "Then the box says"),
    (changed(HAND, ("[0, 0, 1]", "[0, 0, 0]")), 2, "difference is a square"),
    (
        changed(
            HAND,
            ("second = [beta, 1, beta ** 2, beta]", "second = first"),
            ("[beta, beta, beta ** 3, beta]", "[1, beta, beta ** 2, beta]"),
        ),
        2,
        "they change in every round",
    ),
    (
        changed(HAND, ("[first, second, third]", "[[1] * 4, first, second]")),
        2,
        "after round 1, not before it",
    ),
    (
        changed(HAND, ("third = [beta, beta, beta ** 3", "third = [beta, beta, beta")),
        2,
        "after round 3 are not",
    ),
    (changed(HAND, ("0.5, last", "0.5, 1 - last")), 2, "chance of being right"),
    (changed(HAND, ("0.5, last", "0.5, 1 + beta ** 2")), 2, "weight of all four"),
    (changed(HAND, ("[0.5, 0.5", "[1, 0")), 2, "which share of the weight is wrong"),
    (changed(HAND, ("beta):", "beta):\n    beta = 0.5")), 1, "after round 1 are not"),
    (changed(HAND, ("return {", "{")), 0, "returns a dictionary"),
]
NOTHING["hand"] = [
    "def three_rounds(beta): return 0",
    """
def three_rounds(beta):
    rows = [[1, 1, 0.5, 0.5]] * 3
    return {"predictions": [0, 0, 0], "weights": rows, "chances": [0, 0, 0]}
""",
]

# --- Question 2: Weighted Majority --------------------------------------

WMA = """
from fractions import Fraction

class WeightedMajority:
    def __init__(self, n, beta):
        self.beta = Fraction(beta)
        self.w = [Fraction(1)] * n

    def predict(self, advice):
        q0 = sum(w for w, xi in zip(self.w, advice) if xi == 0)
        q1 = sum(w for w, xi in zip(self.w, advice) if xi == 1)
        if q1 > q0:
            return 1
        return 0

    def update(self, advice, outcome):
        for i, xi in enumerate(advice):
            if xi != outcome:
                self.w[i] *= self.beta
        top = max(self.w)
        self.w = [w / top for w in self.w]
"""
# The same in floats: an expert that has fallen to 0 stays there.
FLOATS = changed(WMA, ("Fraction(beta)", "beta"), ("[Fraction(1)]", "[1.0]"))
RIGHT["wma"] = [
    WMA,
    # Vectorized, in floats, from the counts; and the weights add up to 1.
    """
class WeightedMajority:
    def __init__(self, n, beta):
        self.penalty, self.L = beta, np.zeros(n)

    def predict(self, advice):
        signs = 2 * advice - 1
        weights = self.penalty ** (self.L - self.L.min())
        weights /= weights.sum()
        ones = weights[signs > 0].sum()
        return np.int64(ones > weights[signs < 0].sum())

    def update(self, advice, outcome):
        self.L += advice != outcome
""",
    # Exact, from the counts.
    """
from fractions import Fraction

class WeightedMajority:
    def __init__(self, n, beta):
        self.beta = Fraction(beta)
        self.L = {i: 0 for i in range(n)}

    def predict(self, advice):
        lead = Fraction(0)
        for i, L in self.L.items():
            w = self.beta ** L
            lead += w if advice[i] else -w
        return lead > 0

    def update(self, advice, outcome):
        for i in self.L:
            self.L[i] += int(advice[i] != outcome)
""",
    # Slow: the whole past is counted again, three times.
    """
class WeightedMajority:
    def __init__(self, n, beta):
        self.n, self.beta, self.past = n, beta, []

    def predict(self, advice):
        for again in range(3):
            L = np.zeros(self.n)
            for x, y in self.past:
                L += x != y
            w = self.beta ** (L - L.min())
        return 1.0 if w @ advice > w @ (1 - advice) else 0.0

    def update(self, advice, outcome):
        self.past.append((advice.copy(), outcome))
""",
]
WRONG["wma"] = [
    (changed(WMA, ("q1 > q0", "q1 >= q0")), 6, "At a tie, q1 = q0"),
    (changed(WMA, ("xi != outcome", "xi == outcome")), 0, "experts that were right"),
    (
        changed(
            WMA,
            (
                "for i, xi in",
                "wrong = self.predict(advice) != outcome\n        for i, xi in",
            ),
            ("if xi != outcome", "if wrong and xi != outcome"),
        ),
        5,
        "only in the rounds in which the learner erred",
    ),
    (
        changed(FLOATS, ("top = max(self.w)", "top = 1")),
        6,
        "the weights may have become 0",
    ),
    # Another penalty than the one given.
    *[
        (changed(WMA, ("*= self.beta", f"*= {penalty}")), points, "penalty")
        for penalty, points in (
            ("self.beta ** 1.2", 1),
            ("self.beta ** 0.9", 1),
            ("0.5", 2),
            ("(0.5 + self.beta) / 2", 3),
        )
    ],
    (changed(WMA, ("*= self.beta", "*= 1")), 0, "do they ever change"),
    (changed(WMA, ("q1 > q0", "q1 < q0")), 0, "the lighter side"),
    (
        changed(
            WMA,
            ("self.w[i]", "W[i]"),
            ("self.w = [Fraction(1)] * n", "global W\n        W = [Fraction(1)] * n"),
            ("(self.w, advice)", "(W, advice)"),
            ("top = max(self.w)", "top = max(W)"),
            (
                "self.w = [w / top for w in self.w]",
                "W[:] = [w / top for w in W]",
            ),
        ),
        6,
        "Where do you keep the weights?",
    ),
    (
        changed(WMA, ("            return 1\n", "            pass\n")),
        0,
        "always predicts 0",
    ),
    (changed(WMA, ("return 0", "pass")), 0, "None"),
    (changed(WMA, ("*= self.beta", "-= 1 - self.beta")), 0, "The prediction in round"),
    (changed(WMA, ("__init__(self, n, beta)", "__init__(self, n)")), 0, "TypeError"),
    (
        changed(WMA, ("return 1\n", "return np.ones(3)\n")),
        0,
        "Expected a prediction to be a number",
    ),
    # All weights are 1 again when all have become 0.
    (
        changed(
            FLOATS,
            ("top = max(self.w)", "top = 1"),
            (
                "for w in self.w]\n",
                "for w in self.w]\n        if not any(self.w):\n"
                "            self.w = [1.0] * len(self.w)\n",
            ),
        ),
        6,
        "or equal again",
    ),
]
NOTHING["wma"] = [
    """
class WeightedMajority:
    def __init__(self, n, beta): pass
    def predict(self, advice): return 0
    def update(self, advice, outcome): pass
""",
    """
class WeightedMajority:
    def __init__(self, n, beta): pass
    def predict(self, advice): return 1
    def update(self, advice, outcome): pass
""",
    """
class WeightedMajority:
    def __init__(self, n, beta): self.answers = iter([0, 0, 1])
    def predict(self, advice): return next(self.answers, 0)
    def update(self, advice, outcome): pass
""",
]

# --- Question 3: the coin -----------------------------------------------

RWMA_COUNTS = """
def chances(beta, advice, outcomes):
    T, N = advice.shape
    e, l = np.zeros(N), np.zeros(T)
    for t in range(T):
        w = beta ** (e - e.min())
        bad = advice[t] != outcomes[t]
        l[t] = w[bad].sum() / w.sum()
        e[bad] += 1
    return l
"""
# Weights instead of counts, kept from 0 by dividing through the largest.
RWMA = """
def chances(beta, advice, outcomes):
    T, N = advice.shape
    w, l = np.ones(N), np.zeros(T)
    for t in range(T):
        bad = advice[t] != outcomes[t]
        l[t] = w[bad].sum() / w.sum()
        w[bad] *= beta
        w /= w.max()
    return l
"""
RIGHT["rwma"] = [
    RWMA_COUNTS,
    # Vectorized over all rounds.
    """
def chances(beta, advice, outcomes):
    erred = advice != outcomes[:, None]
    L = np.cumsum(erred, axis=0) - erred
    w = beta ** (L - L.min(axis=1)[:, None])
    return np.sum(w * erred, axis=1) / np.sum(w, axis=1)
""",
    # Plain lists and loops; the probability of a 1 first.
    """
def chances(beta, advice, outcomes):
    counts = [0 for xi in advice[0]]
    answer = []
    for xis, y in zip(advice.tolist(), outcomes.tolist()):
        weights = [beta ** (L - min(counts)) for L in counts]
        p = sum(w for w, xi in zip(weights, xis) if xi) / sum(weights)
        answer.append(abs(p - y))
        counts = [L + (xi != y) for L, xi in zip(counts, xis)]
    return answer
""",
    # Logarithms of the weights; slow.
    """
def chances(beta, advice, outcomes):
    for again in range(3):
        found, logs = (), np.zeros(advice.shape[1])
        for row, y in zip(advice, outcomes):
            v = np.exp(logs - logs.max())
            share = v[row == 1 - y].sum() / v.sum()
            found += (share,)
            logs[row == 1 - y] += log(beta)
    return found
""",
]
WRONG["rwma"] = [
    (
        changed(RWMA, ("w[bad].sum()", "w[advice[t] == 1].sum()")),
        0,
        "probabilities of predicting 1",
    ),
    (changed(RWMA, ("w[bad].sum()", "w[~bad].sum()")), 0, "chances of being right"),
    (
        changed(RWMA, ("        w[bad] *= beta\n", "")),
        1,
        "weights that never change",
    ),
    (changed(RWMA, ("w[bad] *= beta", "w[~bad] *= beta")), 1, "that were right"),
    (
        changed(
            RWMA,
            ("        w[bad] *= beta\n        w /= w.max()\n", ""),
            (
                "        l[t] =",
                "        w[bad] *= beta\n        w /= w.max()\n        l[t] =",
            ),
        ),
        1,
        "update afterwards",
    ),
    (
        changed(RWMA, ("        w /= w.max()\n", "")),
        4,
        "0/0",
    ),
    (
        changed(RWMA, ("return l", "return (l > 0.5).astype(int)")),
        1,
        "mistakes of the vote",
    ),
    (
        changed(RWMA, ("w[bad] *= beta", "w[bad & (l[t] >= 0.5)] *= beta")),
        1,
        "in which the vote erred",
    ),
    (changed(RWMA, ("return l", "return l.sum()")), 0, "shape"),
    (changed(RWMA, ("return l", "return np.cumsum(l)")), 0, "share of the wrong"),
    (changed(RWMA, ("return l", "pass")), 0, "shape"),
    (changed(RWMA, ("/ w.sum()", "/ N")), 1, "share of the wrong"),
]
NOTHING["rwma"] = [
    "def chances(beta, advice, outcomes): return np.full(len(outcomes), 0.5)",
    "def chances(beta, advice, outcomes): return np.zeros(len(outcomes))",
    "def chances(beta, advice, outcomes): return [1 / 2, 1 / 3]",
]

# --- Question 4: the tuned penalty --------------------------------------

TUNE = """
def right_side(N, K, beta):
    return (K * log(1 / beta) + log(N)) / (1 - beta)

def tuned(N, K):
    if K == 0:
        return 0, log(N)
    beta = 1 / (1 + sqrt(2 * log(N) / K))
    return beta, right_side(N, K, beta)
"""
RIGHT["tune"] = [
    TUNE,
    # With numpy.
    """
def tuned(N, K):
    with np.errstate(divide="ignore"):
        beta = 1 / (1 + np.sqrt(2 * np.log(N) / np.float64(K)))
        m_term = K * np.log(1 / beta) if K > 0 else 0
    return np.array([beta, (m_term + np.log(N)) / (1 - beta)])
""",
    # In terms of the root.
    """
def tuned(N, K):
    if not K:
        return [0.0, float(np.log(N))]
    s = (2 * log(N) / K) ** 0.5
    return [1 / (1 + s), (1 + s) / s * (K * log(1 + s) + log(N))]
""",
]
WRONG["tune"] = [
    (
        changed(TUNE, ("2 * log(N) / K", "2 * log2(N) / K")),
        2,
        "logarithm to base 2",
    ),
    (
        changed(TUNE, ("sqrt(2 * log(N) / K)", "sqrt(log(N) / K)")),
        2,
        "The 2 under the root",
    ),
    (
        changed(TUNE, ("sqrt(2 * log(N) / K)", "sqrt(2 * K / log(N))")),
        2,
        "what is divided by what",
    ),
    (changed(TUNE, ("sqrt(2 * log(N) / K)", "(2 * log(N) / K)")), 2, "root is missing"),
    (
        changed(TUNE, ("    if K == 0:\n        return 0, log(N)\n", "")),
        3,
        "ZeroDivisionError",
    ),
    (changed(TUNE, ("return 0, log(N)", "return 1, log(N)")), 3, "is its limit"),
    (changed(TUNE, ("return 0, log(N)", "return 0, log2(N)")), 3, "what is left"),
    (
        changed(
            TUNE,
            (
                "return beta, right_side(N, K, beta)",
                "return beta, K + sqrt(2 * K * log(N)) + log(N)",
            ),
        ),
        3,
        "estimate K + sqrt",
    ),
    (
        changed(TUNE, ("log(1 / beta) + log(N)", "log(1 / beta) + log2(N)")),
        3,
        "all logarithms are natural",
    ),
    (changed(TUNE, ("return beta, right_side", "right_side")), 1, "returns a pair"),
]
NOTHING["tune"] = [
    """
def tuned(N, K): return 0, 0
""",
    """
def tuned(N, K): return 0.7287, 14.2207
""",
    # Above 0, but not for floats: the promise for it is infinite.
    """
from fractions import Fraction

def tuned(N, K): return Fraction(1, 10**350), 0
""",
    "def tuned(N, K): return 5e-324, 1e308",
    "def tuned(N, K): return 0, 10**400",
]

# --- Question 5: the adversary ------------------------------------------

ADVERSARY = """
class Adversary:
    def __init__(self, n):
        self.n = n
        self.pool = np.arange(n)

    def next_advice(self):
        self.xi = np.zeros(self.n, dtype=int)
        self.xi[self.pool[len(self.pool) // 2 :]] = 1
        return self.xi

    def outcome(self, y_hat):
        y = 1 - y_hat
        if len(self.pool) > 3:
            self.pool = self.pool[self.xi[self.pool] == y]
        return y
"""
PAIR = """
class Adversary:
    def __init__(self, n):
        self.n = n

    def next_advice(self):
        return [i % 2 for i in range(self.n)]

    def outcome(self, y_hat):
        return 1 - y_hat
"""
RIGHT["adversary"] = [
    ADVERSARY,
    # Lists of lists, without remembering advice that is over.
    """
class Adversary:
    def __init__(self, n):
        half = n // 2
        self.n, self.sides = n, (list(range(half)), list(range(half, n)))

    def next_advice(self):
        return [1 if i in self.sides[1] else 0 for i in range(self.n)]

    def outcome(self, y_hat):
        y = int(not y_hat)
        stay = self.sides[y]
        if len(self.sides[0]) >= 2 and len(self.sides[1]) >= 2:
            middle = len(stay) // 2
            self.sides = (stay[:middle], stay[middle:])
        return y
""",
    # Counts: always split the two halves of the leaders, then the best two.
    """
class Adversary:
    def __init__(self, n):
        self.L = [0] * n

    def next_advice(self):
        if not hasattr(self, "two"):
            best = [i for i, L in enumerate(self.L) if L == 0]
            if len(best) <= 3:
                self.two = best[:2]
        split = best[::2] if not hasattr(self, "two") else self.two[:1]
        self.advice = tuple(True if i in split else False for i in range(len(self.L)))
        return self.advice

    def outcome(self, y_hat):
        y = not y_hat
        for i, xi in enumerate(self.advice):
            if xi != y:
                self.L[i] += 1
        return y
""",
    # Slow, and floats.
    """
class Adversary:
    def __init__(self, n):
        self.good = np.ones(n, dtype=bool)

    def next_advice(self):
        for again in range(3):
            rank = np.cumsum(self.good) * self.good
            xi = ((rank > 0) & (rank <= self.good.sum() // 2)).astype(float)
        self.xi = xi
        return xi

    def outcome(self, y_hat):
        if self.good.sum() >= 4:
            self.good = self.good & (self.xi == 1 - y_hat)
        return 1.0 - y_hat
""",
]
WRONG["adversary"] = [
    (PAIR, 3, "how many survive your round"),
    (PAIR, 3, "when the two constant ones take over"),
    # Halving to the end, and then nobody contradicts anybody.
    (
        changed(
            ADVERSARY,
            ("len(self.pool) > 3", "len(self.pool) > 1"),
            ("len(self.pool) // 2 :", ": len(self.pool) // 2"),
        ),
        2,
        "Which two experts cannot both be wrong?",
    ),
    (changed(ADVERSARY, ("== y]", "!= y]")), 0, "no expert is perfect"),
    (changed(ADVERSARY, ("y = 1 - y_hat", "y = y_hat")), 0, "was right in some round"),
    (changed(ADVERSARY, ("y = 1 - y_hat", "y = 1")), 0, "was right in some round"),
    (
        changed(PAIR, ("i % 2 for i in range(self.n)", "0 for i in range(self.n)")),
        0,
        "more than T/2 mistakes",
    ),
    (
        changed(
            PAIR,
            (
                "i % 2 for i in range(self.n)",
                "np.random.randint(2) for i in range(self.n)",
            ),
            ("self.n = n", "self.n = n; np.random.seed(3)"),
        ),
        0,
        "more than T/2 mistakes",
    ),
    (changed(ADVERSARY, ("        return y\n", "")), 0, "nothing (None)"),
    (changed(ADVERSARY, ("return self.xi\n", "return self.xi[:2]\n")), 0, "shape"),
    (changed(ADVERSARY, ("] = 1\n", "] = 2\n")), 0, "bits, 0 or 1"),
    # Stops halving too early: with three perfect experts or more.
    (
        changed(ADVERSARY, ("len(self.pool) > 3", "len(self.pool) > 7")),
        3,
        "rounded up",
    ),
]
NOTHING["adversary"] = [
    """
class Adversary:
    def __init__(self, n): self.n = n
    def next_advice(self): return [0] * self.n
    def outcome(self, y_hat): return 1
""",
    """
class Adversary:
    def __init__(self, n): self.n = n
    def next_advice(self): return [0] * self.n
    def outcome(self, y_hat): return 1 - y_hat
""",
    """
class Adversary:
    def __init__(self, n): self.n, self.outcomes = n, iter([1, 1, 1, 1, 1, 1])
    def next_advice(self): return [1] * self.n
    def outcome(self, y_hat): return next(self.outcomes, 1)
""",
]

# --- Question 6: randomization does not always help ---------------------

COIN = """
def coin_loses(k, c):
    advice = [(0, 0, 0)] * k
    outcomes = [1] * k
    for again in range(c * k):
        advice += [(1, 0, 0), (0, 1, 0), (0, 0, 1)]
        outcomes += [0, 0, 0]
    return advice, outcomes
"""
RIGHT["counterexample"] = [
    COIN,
    # Nine experts in turn, simulated until the coin has lost enough.
    """
def coin_loses(k, c):
    N, w, drawn = 9, np.ones(9), k
    rows, ys = [np.ones(N)] * k, [0] * k
    i = 0
    while drawn < c * k:
        bad = np.arange(N) == i % N
        rows.append(1 * bad)
        ys.append(0)
        drawn += w[bad].sum() / w.sum()
        w[bad] /= 2
        i += 1
    return np.array(rows), np.array(ys)
""",
    # Greedy: as many of the leaders are wrong as the vote can bear; exact.
    """
from fractions import Fraction

def coin_loses(k, c):
    N = 7
    L, drawn = [0] * N, Fraction(k)
    advice, outcomes = [[1] * N for _ in range(k)], [0] * k
    while drawn < c * k:
        w = [Fraction(1, 2) ** mistakes for mistakes in L]
        chosen, weight = [], 0
        for i in sorted(range(N), key=lambda i: L[i]):
            if 2 * (weight + w[i]) <= sum(w):
                chosen, weight = chosen + [i], weight + w[i]
        advice.append([int(i in chosen) for i in range(N)])
        outcomes.append(0)
        drawn += weight / sum(w)
        L = [mistakes + (i in chosen) for i, mistakes in enumerate(L)]
    return advice, outcomes
""",
    # A tie of three and then all level again; floats, and slow.
    """
def coin_loses(k, c):
    for again in range(3):
        block = np.eye(3)
        advice = np.concatenate([np.ones((k, 3))] + [block] * (c * k))
        outcomes = np.zeros(len(advice))
    return [advice, outcomes]
""",
]
WRONG["counterexample"] = [
    # The lecture page's own: the vote never errs.
    (
        "def coin_loses(k, c): return [[1, 1, 0]] * 10, [1] * 10",
        0,
        "makes fewer than k mistakes",
    ),
    # All are wrong k times: the same for both.
    (
        "def coin_loses(k, c): return [[0, 0, 0]] * k, [1] * k",
        2,
        "not c times as much",
    ),
    # And then a bounded loss.
    (
        """
def coin_loses(k, c):
    return [[0, 0, 0]] * k + [[1, 1, 0]] * (9 * k * c), [1] * (k + 9 * k * c)
""",
        2,
        "Is its loss bounded",
    ),
    # Right for the other tie rule only.
    (
        changed(
            COIN,
            ("[(1, 0, 0), (0, 1, 0), (0, 0, 1)]", "[(0, 1, 1), (1, 0, 1), (1, 1, 0)]"),
            ("[0, 0, 0]", "[1, 1, 1]"),
        ),
        0,
        "only if a tie is predicted 1",
    ),
    # Close votes that the vote loses as well.
    (
        """
def coin_loses(k, c):
    return [[0, 1]] * 2 * (c * k), [1, 0] * (c * k)
""",
        0,
        "makes more than k mistakes",
    ),
    (
        """
def coin_loses(k, c):
    return [[0] * 40 + [1] * 8] * k, [1] * k
""",
        0,
        "mistakes",
    ),
    (changed(COIN, ("c * k", "c")), 2, "not c times as much"),
    (changed(COIN, ("= [1] * k", "= [1] * (k + 1)")), 0, "shape"),
    (changed(COIN, ("return advice, outcomes", "return advice")), 0, "pair"),
    (changed(COIN, ("(0, 0, 1)]", "(0, 1)]")), 0, "numbers only"),
    (
        changed(COIN, ("range(c * k)", "range(2000 * c * k)")),
        0,
        "At most 10,000 rounds",
    ),
    (changed(COIN, ("(1, 0, 0)", "(-1, 0, 0)")), 0, "are bits"),
]
NOTHING["counterexample"] = [
    "def coin_loses(k, c): return [[0, 1]], [0]",
    "def coin_loses(k, c): return 0",
    """
def coin_loses(k, c):
    if (k, c) == (1, 2):
        return [[0, 0, 0]] + [[1, 0, 0], [0, 1, 0], [0, 0, 1]], [1, 0, 0, 0]
    return [[0, 0, 0]] * min(k, 2), [1] * min(k, 2)
""",
]

# --- Short cuts: special cases, small sizes, near ties, long games ---------
WRONG["hand"] += [
    (
        changed(HAND, ("beta ** 3", "beta ** 2")),
        2,
        "are not those of the experts that were wrong",
    ),
    (
        changed(HAND, ("0.5, last", "0.5, round(last, 6)")),
        2,
        ": divide the weight that is wrong by the",
    ),
    (
        changed(HAND, ("[0, 0, 1]", "[0, 0, int(beta < 0.1)]")),
        2,
        "as polynomials in beta; their difference is a",
    ),
    (
        changed(HAND, ("0.5, last", "0.5, max(last, 0.7)")),
        2,
        ": divide the weight that is wrong by the",
    ),
]
WRONG["wma"] += [
    (
        changed(
            WMA, ("if q1 > q0", "if q1 > q0 and not np.isclose(float(q1), float(q0))")
        ),
        6,
        "Two sides that are almost equally heavy are",
    ),
    (
        changed(WMA, ("if q1 > q0", "if q1 > q0 + 1e-9 * (q1 + q0)")),
        6,
        "Two sides that are almost equally heavy are",
    ),
    (
        FLOATS,
        6,
        "An expert was far behind and errs no more,",
    ),
    (
        changed(FLOATS, ("top = max(self.w)", "top = sum(self.w)")),
        6,
        "An expert was far behind and errs no more,",
    ),
    (
        changed(
            FLOATS,
            (
                "self.w = [w / top for w in self.w]",
                "self.w = [max(w / top, 1e-300) for w in self.w]",
            ),
        ),
        6,
        "An expert was far behind and errs no more,",
    ),
]
WRONG["rwma"] += [
    (
        RWMA,
        4,
        "Two experts lead by far, and then they err",
    ),
    (
        changed(RWMA, ("w /= w.max()", "w /= w.sum()")),
        4,
        "Two experts lead by far, and then they err",
    ),
    (
        changed(RWMA, ("w /= w.max()", "w = np.maximum(w / w.max(), 1e-300)")),
        4,
        "Two experts lead by far, and then they err",
    ),
    (
        changed(RWMA, ("w /= w.max()", "w = w / w.max() if t % 100 == 99 else w")),
        4,
        "Two experts lead by far, and then they err",
    ),
]
WRONG["tune"] += [
    (
        changed(TUNE, ("* log(N)", "* log(min(N, 10**6))")),
        2,
        "This is not the penalty of section",
    ),
    (
        changed(TUNE, ("    if K == 0", "    K = min(K, 10**4)\n    if K == 0")),
        1,
        "s for the penalty you return with it.",
    ),
    (
        changed(TUNE, ("if K == 0", "if K <= 1")),
        1,
        "), so there is nothing to promise.",
    ),
    (
        changed(
            TUNE,
            ("return beta, right", "beta = min(beta, 0.99)\n    return beta, right"),
        ),
        2,
        "This is not the penalty of section",
    ),
]
WRONG["adversary"] += [
    (
        changed(
            ADVERSARY,
            ("self.n = n", "self.n = n; self.t = 0"),
            (
                "y = 1 - y_hat",
                "self.t += 1\n        y = 1 - y_hat if self.t <= 30 else y_hat",
            ),
        ),
        2,
        "A learner was right in some round.",
    ),
    (
        changed(
            ADVERSARY,
            ("self.n = n", "self.n = n; self.t = 0"),
            ("self.xi = np.zeros", "self.t += 1\n        self.xi = np.zeros"),
            ("// 2 :]] = 1", "// 2 :]] = self.t <= 30"),
        ),
        2,
        "mistakes, rounded up. How many perfect",
    ),
    (
        changed(ADVERSARY, ("np.arange(n)", "np.arange(min(n, 32))")),
        3,
        "mistakes, rounded up. How many perfect",
    ),
    (
        changed(ADVERSARY, ("np.arange(n)", "np.arange(min(n, 64))")),
        3,
        "mistakes, rounded up. How many perfect",
    ),
]
WRONG["counterexample"] += [
    (
        changed(COIN, ("c * k", "min(c * k, 15)")),
        4,
        "The coin loses more than half of what the",
    ),
    (
        changed(COIN, ("range(c * k)", "range(int(0.7 * c * k))")),
        2,
        "The coin loses more than half of what the",
    ),
]
WRONG["counterexample"] += [
    (
        changed(COIN, ("outcomes += [0, 0, 0]", "outcomes += [0, 0, 1]")),
        0,
        "Weighted Majority errs k times only if a tie",
    ),
]
