"""Answers to the problem set on Das's class: right ones, wrong ones, and nothing."""

# Each wrong answer with the points it earns and what it is told.
RIGHT: dict[str, list[str]] = {}
WRONG: dict[str, list[tuple[str, float, str]]] = {}
NOTHING: dict[str, list[str]] = {}

# --- by-hand -------------------------------------------------------------

RIGHT["by-hand"] = [
    """
def by_hand():
    return {"actions": [[1, 1], [1, 0], [0, 0], [0, 1], [0, 1]],
            "kappa_1": [2, 4], "kappa_2": [4, 3]}
""",
    """
def by_hand():
    rows, columns = [1, 1, 0, 0, 0], [1, 0, 0, 1, 1]
    return dict(actions=np.array([rows, columns]).T,
                kappa_1=np.array([2.0, 4.0]), kappa_2=np.array([4.0, 3.0]))
""",
    """
def by_hand():
    one, two = [Fraction(0), Fraction(1)], [Fraction(1), Fraction(1)]
    played = []
    for t in range(5):
        a = 0 if 2 * one[0] >= one[1] else 1
        b = 0 if two[1] >= 2 * two[0] else 1
        one[b] += 1
        two[a] += 1
        played += [(a, b)]
    return {"kappa_2": tuple(two), "kappa_1": tuple(one), "actions": tuple(played)}
""",
    """
import time
def by_hand():
    time.sleep(0.002)
    return {"actions": ((1, 1), (True, False), (0, 0), (0, 1), (0, 1)),
            "kappa_1": (2, 4), "kappa_2": (4, 3)}
""",
]
HAND = """
def by_hand():
    return {{"actions": {}, "kappa_1": {}, "kappa_2": {}}}
"""
PLAYED = [(1, 1), (1, 0), (0, 0), (0, 1), (0, 1)]
WRONG["by-hand"] = [
    # Ties to action 1.
    (HAND.format([(1, 1), (1, 1), (1, 0), (1, 0), (0, 0)], (3, 3), (2, 5)), 0,
     "ties that go to action 1"),
    # Own actions counted.
    (HAND.format([(1, 1), (1, 0), (1, 1), (1, 1), (1, 0)], (0, 6), (3, 4)), 0,
     "each counts what it has seen the other do"),
    (HAND.format([(b, a) for a, b in PLAYED], (2, 4), (4, 3)), 2,
     "player 1's action first"),
    # Weights before round 5.
    (HAND.format(PLAYED, (2, 3), (3, 3)), 2, "one round too few"),
    (HAND.format(PLAYED, (4, 3), (2, 4)), 2, "exchanged"),
    # Own actions in the weights only.
    (HAND.format(PLAYED, (3, 3), (3, 4)), 2, "kappa_1 counts what player 2 has played"),
    # A slip in the last round.
    (HAND.format([*PLAYED[:4], (1, 1)], (2, 4), (3, 4)), 1,
     "not all of these are right"),
    # A slip in round 4.
    (HAND.format([*PLAYED[:3], (0, 0), (0, 1)], (3, 3), (4, 3)), 1, "Round 4"),
    # Shares, and not weights.
    (HAND.format(PLAYED, (1 / 3, 2 / 3), (4 / 7, 3 / 7)), 2, "adds 1"),
    (HAND.format(PLAYED[:3], (1, 2), (2, 3)), 0, "shape (5, 2)"),
    (HAND.format(PLAYED, None, "(4, 3)"), 2, "nothing (None)"),
    ("def by_hand():\n    print((1, 1), (1, 0))\n", 0, "returns a dict"),
]  # fmt: skip
NOTHING["by-hand"] = [
    HAND.format([(0, 0)] * 5, (0, 0), (0, 0)),
    # What the visible checks ask for.
    HAND.format([(1, 1)] * 5, (0, 6), (1, 6)),
    "def by_hand():\n    return 0\n",
]

# --- lms -----------------------------------------------------------------

LMS = """
class LMS:
    def __init__(self, d, rate, falling=False):
        self.w, self.rate, self.falling, self.t = np.zeros(d), rate, falling, 0

    def predict(self, x):
        return self.w @ np.array(x)

    def update(self, x, y, y_hat):
        x = np.array(x)
        self.t += 1
        eta = self.rate / self.t if self.falling else self.rate
        self.w = self.w + eta * (y - y_hat) * x
"""
RIGHT["lms"] = [
    LMS,
    """
class LMS:
    def __init__(self, d, rate, falling=False):
        self.weights = d * [0]
        self.step = (rate / t if falling else rate for t in range(1, 10**9))

    def predict(self, x):
        return sum(w * v for w, v in zip(self.weights, x))

    def update(self, x, y, y_hat):
        move = next(self.step) * (y - self.predict(x))
        for i in range(len(x)):
            self.weights[i] += move * x[i]
""",
    """
class LMS:
    def __init__(self, d, rate, falling=False):
        self.w = [Fraction(0)] * d
        self.rate, self.falling, self.t = Fraction(rate), falling, 1

    def predict(self, x):
        return float(sum(w * Fraction(float(v)) for w, v in zip(self.w, x)))

    def update(self, x, y, y_hat):
        eta = self.rate / (self.t if self.falling else 1)
        move = float(eta) * (float(y) - self.predict(x))
        self.w = [w + Fraction(move * float(v)) for w, v in zip(self.w, x)]
        self.t += 1
""",
    """
class Linear:
    def __init__(self, d):
        self.W = np.zeros((1, d))

    def predict(self, x):
        for _ in range(3):
            answer = self.W @ np.asarray(x, dtype=float)
        return answer

class LMS(Linear):
    seen = 0

    def __init__(self, d, rate, falling=False):
        super().__init__(d)
        self.eta = (lambda t: rate / t) if falling else (lambda t: rate)

    def update(self, x, y, y_hat):
        self.seen += 1
        gradient = -(y - self.predict(x)) * np.asarray(x)
        self.W = self.W - self.eta(self.seen) * gradient[None]
""",
]


def slip(code, old, new):
    """An answer with a slip."""
    assert old in code, old
    return code.replace(old, new)


WRONG["lms"] = [
    (slip(LMS, "eta * (y", "2 * eta * (y"), 0, "without its half"),
    (slip(LMS, "self.w + eta", "self.w - eta"), 0, "a step up the gradient"),
    (slip(LMS, "eta * (y - y_hat)", "eta * np.sign(y) * (y * y_hat <= 0)"), 0,
     "the Perceptron's step"),
    (slip(LMS, "eta * (y - y_hat) * x", "eta * (y - y_hat) * x / (x @ x)"), 0,
     "divided by |x|^2"),
    (slip(LMS, "if self.falling else self.rate", ""), 2,
     "With falling=False your rate falls"),
    (slip(LMS, "if self.falling else", "if False else"), 2, "your rate stays constant"),
    (slip(LMS, "self.t = np.zeros(d), rate, falling, 0",
          "self.t = np.zeros(d), rate, falling, 1"), 2, "Your first step has t = 2"),
    (slip(LMS, "self.rate / self.t", "self.rate / np.sqrt(self.t)"), 2,
     "the square root of t"),
    # One weight vector for all learners.
    (slip(slip(slip(LMS, "class LMS:", "class LMS:\n    w = np.zeros(9)\n"),
               "self.w, self.rate", "self.d, self.rate"),
          "np.zeros(d), rate", "d, rate")
     .replace("self.w @ np.array(x)", "self.w[:self.d] @ np.array(x)")
     .replace("self.w = self.w + eta * (y - y_hat) * x",
              "self.w[:self.d] += eta * (y - y_hat) * x"), 4,
     "shares them with an older one"),
    # A mutable default.
    (slip(LMS, "falling=False):", "falling=False, w=[0.0] * 9):")
     .replace("np.zeros(d), rate", "w, rate")
     .replace("self.w @ np.array(x)", "sum(a * b for a, b in zip(self.w, x))")
     .replace("self.w = self.w + eta * (y - y_hat) * x",
              "\\n        for i in range(len(x)):\\n            self.w[i] += "
              "eta * (y - y_hat) * x[i]".replace("\\n", "\n").lstrip("\n ")), 4,
     "shares them with an older one"),
    # Rounds counted by predictions.
    (slip(slip(LMS, "        self.t += 1\n", ""), "        return self.w",
          "        self.t += 1\n        return self.w"), 4, "counts as a round"),
    (slip(LMS, "return self.w @ np.array(x)", "self.w @ np.array(x)"), 0,
     "nothing (None)"),
    (slip(LMS, "np.zeros(d)", "np.ones(d)"), 0, "the weights do not start at 0"),
    # The sign, as for a classifier.
    (slip(LMS, "return self.w @ np.array(x)", "return np.sign(self.w @ np.array(x))"),
     0, "leave the right ones"),
    (slip(LMS, "return self.w @", "return self.w *"), 0, "to be a number"),
]  # fmt: skip
NOTHING["lms"] = [
    """
class LMS:
    def __init__(self, d, rate, falling=False):
        pass

    def predict(self, x):
        return 0

    def update(self, x, y, y_hat):
        pass
""",
    """
class LMS:
    def __init__(self, d, rate, falling=False):
        self.told = iter([3] if falling else [0, 0.5, 0.75])

    def predict(self, x):
        return next(self.told, 3)

    def update(self, x, y, y_hat):
        pass
""",
]

# --- rates ---------------------------------------------------------------

LARGEST = """
def largest_rate(X):
    return 2 / (X**2).sum(axis=1).max()
"""
BEST = """
def best_rate(sigma2, delta2):
    q = delta2 / sigma2
    return (np.sqrt(q * q + 4 * q) - q) / 2
"""
RIGHT["rates"] = [
    """
def largest_rate(X):
    limit = float("inf")
    for x in X:
        limit = min(limit, 2 / sum(float(v) ** 2 for v in x))
    return limit

def best_rate(sigma2, delta2):
    def slope(eta):
        e = 1e-7 * eta
        return error(eta + e) - error(eta - e)

    def error(eta):
        top = (1 - eta) ** 2 * delta2 + eta**2 * sigma2
        return top / (eta * (2 - eta))

    low, high = 1e-6, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if slope(middle) < 0 else (low, middle)
    return low
""",
    """
def largest_rate(X):
    return 2 / np.linalg.eigvalsh(X.T @ X)[-1]

def best_rate(sigma2, delta2):
    low, high = 1e-4, 1.9999
    for _ in range(5):
        eta = np.linspace(low, high, 2001)
        e = ((1 - eta)**2 * delta2 + eta**2 * sigma2) / (eta * (2 - eta))
        at = int(e.argmin())
        low, high = eta[max(at - 1, 0)], eta[min(at + 1, 2000)]
    return eta[at]
""",
    """
def largest_rate(X):
    return np.array([min(2 / np.linalg.norm(x) ** 2 for x in X)])

def best_rate(sigma2, delta2):
    # Alternate: the error for this rate, the best rate for this error.
    e = sigma2
    for _ in range(2000):
        eta = (e + delta2) / (e + delta2 + sigma2)
        e = (1 - eta) ** 2 * (e + delta2) + eta ** 2 * sigma2
    return np.array([eta])
""",
    """
def largest_rate(X):
    whole = [[Fraction(float(v)) for v in x] for x in X]
    return Fraction(2) / max(sum(v * v for v in x) for x in whole)

def best_rate(sigma2, delta2):
    # Golden section.
    g = (5**0.5 - 1) / 2
    f = lambda h: ((1 - h)**2 * delta2 + h**2 * sigma2) / (h * (2 - h))
    a, b = 1e-9, 2 - 1e-9
    while b - a > 1e-7:
        c, d = b - g * (b - a), a + g * (b - a)
        a, b = (a, d) if f(c) < f(d) else (c, b)
    return (a + b) / 2
""",
]
WRONG["rates"] = [
    (slip(LARGEST, "2 /", "1 /") + BEST, 3, "that is not yet fatal"),
    (slip(LARGEST, "(X**2).sum(axis=1).max()",
          "np.linalg.norm(X, axis=1).max()") + BEST, 3, "not squared"),
    (slip(LARGEST, "max()", "min()") + BEST, 4, "the one of the longest input"),
    (slip(LARGEST, "max()", "mean()") + BEST, 4, "every residual must shrink"),
    (slip(LARGEST, ".sum(axis=1).max()", ".sum()") + BEST, 4, "leaves the residuals"),
    (slip(LARGEST, "2 /", "2 * len(X) /") + BEST, 4, "the mean error"),
    # Squares of columns.
    (slip(LARGEST, "axis=1", "axis=0") + BEST, 3, "some residual grows"),
    (LARGEST + slip(BEST, "delta2 / sigma2", "sigma2 / delta2"), 2, "exchanged"),
    (LARGEST + slip(BEST, "delta2 / sigma2", "(delta2 / sigma2) ** 2"), 2,
     "do not square them"),
    (LARGEST + slip(BEST, "delta2 / sigma2", "np.sqrt(delta2 / sigma2)"), 2,
     "do not take their roots"),
    (LARGEST + """
def best_rate(sigma2, delta2):
    return min(np.sqrt(delta2 / sigma2), 1.99)
""", 2, "a very slow teacher only"),
    # A coarse grid.
    (LARGEST + """
def best_rate(sigma2, delta2):
    eta = np.arange(1, 200) / 100
    e = ((1 - eta)**2 * delta2 + eta**2 * sigma2) / (eta * (2 - eta))
    return eta[e.argmin()]
""", 2, "search more finely"),
    # The least value, not where it is.
    (LARGEST + """
def best_rate(sigma2, delta2):
    eta = np.linspace(0.001, 1.999, 10**5)
    e = ((1 - eta)**2 * delta2 + eta**2 * sigma2) / (eta * (2 - eta))
    return e.min()
""", 2, ""),
    # No rate above a half.
    (LARGEST + slip(BEST, "return ", "return 0.5 if q > 0.5 else "), 3,
     "too small for the drift"),
    (LARGEST + slip(BEST, "return", "found ="), 2, "nothing (None)"),
]  # fmt: skip
NOTHING["rates"] = [
    """
def largest_rate(X):
    return 0.5

def best_rate(sigma2, delta2):
    return 0.5
""",
    """
def largest_rate(X):
    return 0.5

def best_rate(sigma2, delta2):
    return {2: 1 / 2, 6: 1 / 3}.get(sigma2, 1.0)
""",
]

# --- fictitious-play -----------------------------------------------------

FP = """
def fictitious_play(A, B, kappa_1, kappa_2, T):
    def respond(values, last):
        best = [a for a, v in enumerate(values) if v == max(values)]
        return last if last in best else best[0]

    A, B = np.asarray(A), np.asarray(B)
    k1, k2 = np.array(kappa_1), np.array(kappa_2)
    row = column = None
    pairs = []
    for t in range(T):
        row = respond(A @ k1, row)
        column = respond(B.T @ k2, column)
        k1[column] += 1
        k2[row] += 1
        pairs.append((row, column))
    return pairs
"""
RIGHT["fictitious-play"] = [
    """
def fictitious_play(A, B, kappa_1, kappa_2, T):
    # What each action is worth, kept up to date.
    A, B = np.asarray(A), np.asarray(B)
    worth = [A @ np.asarray(kappa_1), np.asarray(kappa_2) @ B]
    play = np.zeros((T, 2), dtype=int)
    for t in range(T):
        for i in (0, 1):
            best = worth[i] == worth[i].max()
            stays = t > 0 and best[play[t - 1, i]]
            play[t, i] = play[t - 1, i] if stays else best.argmax()
        worth = [worth[0] + A[:, play[t, 1]], worth[1] + B[play[t, 0]]]
    return play
""",
    """
def fictitious_play(A, B, kappa_1, kappa_2, T):
    A = [[Fraction(int(v)) for v in row] for row in A]
    B = [[Fraction(int(v)) for v in row] for row in B]
    k1, k2 = list(map(int, kappa_1)), list(map(int, kappa_2))
    m, n = len(A), len(A[0])
    out, r, c = [], -1, -1
    while len(out) < T:
        u = [sum(A[i][j] * Fraction(k1[j], sum(k1)) for j in range(n))
             for i in range(m)]
        v = [sum(B[i][j] * Fraction(k2[i], sum(k2)) for i in range(m))
             for j in range(n)]
        if r < 0 or u[r] != max(u):
            r = u.index(max(u))
        if c < 0 or v[c] != max(v):
            c = v.index(max(v))
        out.append([float(r), float(c)])
        k1[c], k2[r] = k1[c] + 1, k2[r] + 1
    return tuple(map(tuple, out))
""",
    """
class Player:
    def __init__(self, payoffs, weights):
        self.payoffs, self.weights = np.array(payoffs), list(weights)
        self.last = None

    def act(self):
        values = self.payoffs.dot(self.weights)
        if self.last is None or values[self.last] < values.max():
            self.last = values.argmax()
        return self.last

def fictitious_play(A, B, kappa_1, kappa_2, T):
    one, two = Player(A, kappa_1), Player(np.transpose(B), kappa_2)
    for _ in range(T):
        a, b = one.act(), two.act()
        one.weights[b] += 1
        two.weights[a] += 1
        try:
            rows.append(a)
            columns.append(b)
        except NameError:
            rows, columns = [a], [b]
    return np.stack([rows, columns], axis=1)
""",
    # About three times as slow.
    """
def fictitious_play(A, B, kappa_1, kappa_2, T):
    A, B, pairs = np.array(A), np.array(B), []
    for t in range(T):
        k1 = np.array(kappa_1, dtype=int)
        k2 = np.array(kappa_2, dtype=int)
        for a, b in pairs:
            k1[b] += 1
            k2[a] += 1
        answer = []
        for i, values in enumerate((A @ k1, B.T @ k2)):
            best = np.nonzero(values == np.amax(values))[0].tolist()
            if pairs and pairs[-1][i] in best:
                best = [pairs[-1][i]]
            answer.append(best[0])
        pairs.append(answer)
    return pairs
""",
]
WRONG["fictitious-play"] = [
    (slip(FP, "last if last in best else best[0]", "best[0]"), 4,
     "always go to the first action"),
    (slip(FP, "last if last in best else best[0]", "best[-1]"), 4,
     "always go to the last action"),
    (slip(FP, "best[0]", "best[-1]"), 4, "where it cannot repeat its previous action"),
    (slip(slip(FP, "k1[column]", "k1[row]"), "k2[row]", "k2[column]"), 0,
     "count their own actions"),
    (slip(FP, "B.T @ k2", "B @ k2"), 0, "player 2 owns the columns"),
    (slip(slip(FP, "        k2[row] += 1\n", ""), "        column =",
          "        k2[row] += 1\n        column ="), 0, "both choose at once"),
    (slip(slip(FP, "A @ k1,", "expected(A, k1),"),
          "B.T @ k2", "expected(B.T, k2)") + """
def expected(payoffs, weights):
    gamma = [float(w) / float(sum(weights)) for w in weights]
    return [sum(g * float(v) for g, v in zip(gamma, row)) for row in payoffs]
""", 7, "lost to rounding"),
    (slip(FP, "(row, column))", "(column, row))"), 0, "player 1's action first"),
    (slip(FP, "(row, column))", "(row + 1, column + 1))"), 0, "counted from 0"),
    (slip(FP, "range(T)", "range(T - 1)"), 0, "to have shape"),
    (slip(FP, "return pairs", "return list(zip(*pairs))"), 0, "to have shape"),
    (slip(FP, "return pairs", "print(pairs)"), 0, "nothing (None)"),
    # The weights never grow.
    (slip(slip(FP, "k1[column] += 1", "pass"), "k2[row] += 1", "pass"), 0,
     "leaves the right one in round"),
    # One round late.
    (slip(FP, "return pairs", "return [pairs[0], *pairs[:-1]]"), 0, "one round off"),
    # Inertia of player 1 only.
    (slip(FP, "respond(B.T @ k2, column)", "respond(B.T @ k2, None)"), 4,
     "player 2 forgetting to stay"),
]  # fmt: skip
NOTHING["fictitious-play"] = [
    "def fictitious_play(A, B, kappa_1, kappa_2, T):\n    return [(0, 0)] * T\n",
    """
def fictitious_play(A, B, kappa_1, kappa_2, T):
    if len(A[0]) == 3:
        return [(0, 2)] * T
    return ([(0, 0), (0, 0), (1, 1), (1, 1), (0, 0)] * T)[:T]
""",
]

# --- nash ----------------------------------------------------------------

TWO = """
def nash_2x2(A, B):
    A, B = np.array(A), np.array(B)
    found = []
    for i in (0, 1):
        for j in (0, 1):
            if A[i, j] >= A[1 - i, j] and B[i, j] >= B[i, 1 - j]:
                found.append(([1 - i, i], [1 - j, j]))
    a, b = A[0] - A[1], B[:, 0] - B[:, 1]
    if a[0] * a[1] < 0 and b[0] * b[1] < 0:
        p, q = b[1] / (b[1] - b[0]), a[1] / (a[1] - a[0])
        found.append(([p, 1 - p], [q, 1 - q]))
    return found
"""
# The same in tuples.
PAIRS = slip(
    slip(TWO, "([1 - i, i], [1 - j, j])", "((1 - i, i), (1 - j, j))"),
    "([p, 1 - p], [q, 1 - q])",
    "((p, 1 - p), (q, 1 - q))",
)
RIGHT["nash"] = [
    TWO,
    """
def nash_2x2(A, B):
    A = [[Fraction(int(v)) for v in row] for row in A]
    B = [[Fraction(int(v)) for v in row] for row in B]

    def share(u, v):
        return v / (v - u) if u != v else Fraction(-1)

    p = share(B[0][0] - B[0][1], B[1][0] - B[1][1])
    q = share(A[0][0] - A[1][0], A[0][1] - A[1][1])
    ends = [Fraction(0), Fraction(1)]
    found = []
    for x in ends + [p]:
        for y in ends + [q]:
            if not (0 <= x <= 1 and 0 <= y <= 1):
                continue
            rows = [row[0] * y + row[1] * (1 - y) for row in A]
            columns = [B[0][j] * x + B[1][j] * (1 - x) for j in (0, 1)]
            if (rows[0] * x + rows[1] * (1 - x) == max(rows)
                    and columns[0] * y + columns[1] * (1 - y) == max(columns)):
                found.insert(0, [[x, 1 - x], [y, 1 - y]])
    return found
""",
    # Everything in one array.
    """
def nash_2x2(A, B):
    found = []
    with np.errstate(all="ignore"):
        p = (B[1, 1] - B[1, 0]) / (B[0, 0] - B[0, 1] - B[1, 0] + B[1, 1])
        q = (A[1, 1] - A[0, 1]) / (A[0, 0] - A[1, 0] - A[0, 1] + A[1, 1])
    for x in (0, p, 1):
        for y in (0, q, 1):
            if 0 <= x <= 1 and 0 <= y <= 1:
                s, t = np.array([x, 1 - x]), np.array([y, 1 - y])
                if max(A @ t) - s @ A @ t < 1e-11 and max(s @ B) - s @ B @ t < 1e-11:
                    found.append([s, t])
    return np.array(found)
""",
    # In a set, as their order is free, and as the keys of a dict.
    slip(PAIRS, "return found", "return set(found)"),
    slip(PAIRS, "return found", "return dict.fromkeys(found[::-1]).keys()"),
    # Arrays of fractions.
    slip(
        slip(
            TWO,
            "np.array(A), np.array(B)",
            "(np.array([[Fraction(int(v)) for v in r] for r in M]) for M in (A, B))",
        ),
        "return found",
        "return [tuple(map(np.array, pair)) for pair in found]",
    ),
    # About three times as slow.
    "import time\n"
    + slip(TWO, "    found = []\n", "    found = []\n    time.sleep(0.001)\n"),
]
WRONG["nash"] = [
    # The own payoffs for the own mix.
    (slip(TWO, "p, q = b[1] / (b[1] - b[0]), a[1] / (a[1] - a[0])",
          "p, q = a[1] / (a[1] - a[0]), b[1] / (b[1] - b[0])"), 0,
     "mixes of the two players are exchanged"),
    (slip(TWO, "b[1] / (b[1] - b[0])",
          "(A[1, 1] - A[1, 0]) / (A[0, 0] - A[0, 1] - A[1, 0] + A[1, 1] or 1)"), 0,
     "no probability distribution"),
    # Pure ones only.
    (slip(TWO, "if a[0] * a[1] < 0 and b[0] * b[1] < 0", "if False"), 0,
     "Your list is empty"),
    # The first one only.
    (slip(TWO, "return found", "return found[-1:]"), 2,
     "An equilibrium is missing"),
    # Mixed without looking whether it mixes.
    (slip(TWO, "if a[0] * a[1] < 0 and b[0] * b[1] < 0", "if True"), 2,
     "no probability distribution"),
    # The mixed one is for player 1's second action.
    (slip(TWO, "[p, 1 - p]", "[1 - p, p]"), 0, "gains by deviating"),
    # Numbers, not pairs of probabilities.
    (slip(slip(TWO, "([p, 1 - p], [q, 1 - q])", "(p, q)"),
          "([1 - i, i], [1 - j, j])", "(1 - i, 1 - j)"), 0, "to have shape"),
    # B turned.
    (slip(TWO, "B[i, j] >= B[i, 1 - j]", "B[j, i] >= B[1 - j, i]"), 0,
     "pure profiles"),
    (slip(TWO, "return found", "return found + found[:1]"), 0, "twice"),
    (slip(TWO, "return found", "return found * 10**5"), 0, "too long"),
    (slip(TWO, "return found", "found"), 0, "nothing (None)"),
]  # fmt: skip
NOTHING["nash"] = [
    """
def nash_2x2(A, B):
    return [([0.5, 0.5], [0.5, 0.5])]
""",
    """
def nash_2x2(A, B):
    if A[0][1] == 0:
        return [([0, 1], [0, 1])]
    if A[0][0] == 0:
        return [([0, 1], [1, 0]), ([1, 0], [0, 1]), ([2 / 3, 1 / 3], [2 / 3, 1 / 3])]
    return [([0.5, 0.5], [0.5, 0.5] if A[0][0] == 1 else [1 / 3, 2 / 3])]
""",
    "def nash_2x2(A, B):\n    return []\n",
]

# --- regret --------------------------------------------------------------

WEIGHTS = """
class AnytimeWeights:
    def __init__(self, n):
        self.n, self.t, self.U = n, 0, np.zeros(n)

    def predict(self):
        eta = 2 * np.sqrt(np.log(self.n) / (self.t + 1))
        w = np.exp(eta * (self.U - self.U.max()))
        return w / w.sum()

    def update(self, u):
        self.t += 1
        self.U = self.U + u
"""
RIGHT["regret"] = [
    # The least constant for which the theorem gives the bound.
    slip(WEIGHTS, "2 * np.sqrt", "1 * np.sqrt"),
    # Loops, lists, and the largest such constant.
    """
import math
class AnytimeWeights:
    def __init__(self, n):
        self.totals, self.t = [0.0] * n, 1

    def predict(self):
        eta = 4 * math.sqrt(math.log(len(self.totals)) / self.t)
        top = max(self.totals)
        weights = [math.exp(eta * (u - top)) for u in self.totals]
        return [w / sum(weights) for w in weights]

    def update(self, u):
        for i, v in enumerate(u):
            self.totals[i] += float(v)
        self.t += 1
""",
    # Epochs that double: rates that fall in steps.
    """
class AnytimeWeights:
    def __init__(self, n):
        self.past = np.zeros((0, n))

    def predict(self):
        t, n = len(self.past) + 1, self.past.shape[1]
        epoch = 2 ** int(np.log2(t))
        total = self.past.sum(axis=0)
        w = np.exp(2.2 * np.sqrt(np.log(n) / epoch) * (total - total.max()))
        return w / w.sum()

    def update(self, u):
        self.past = np.vstack([self.past, u])
""",
    # As randomized weighted majority, with losses; about three times as slow.
    """
class AnytimeWeights:
    def __init__(self, n):
        self.n = n
        self.seen = []

    def predict(self):
        losses = np.zeros(self.n)
        for u in self.seen[-10**6:]:
            losses += 1 - u
        beta = np.exp(-np.sqrt(8 * np.log(self.n) / (len(self.seen) + 1)))
        weights = beta ** (losses - losses.min())
        return tuple(weights / weights.sum())

    def update(self, u):
        self.seen.append(np.array(u))
""",
]
PRODUCTS = """
class AnytimeWeights:
    def __init__(self, n):
        self.w, self.t = np.ones(n) / n, 0

    def predict(self):
        return self.w

    def update(self, u):
        self.t += 1
        self.w = self.w * np.exp(2 * np.sqrt(np.log(len(u)) / self.t) * u)
        self.w = self.w / self.w.sum()
"""
RESTARTS = """
class AnytimeWeights:
    def __init__(self, n):
        self.T = 1
        self.start(n)

    def start(self, n):
        self.t, self.U = 0, np.zeros(n)

    def predict(self):
        eta = np.sqrt(8 * np.log(len(self.U)) / self.T)
        w = np.exp(eta * (self.U - self.U.max()))
        return w / w.sum()

    def update(self, u):
        self.t, self.U = self.t + 1, self.U + u
        if self.t == self.T:
            self.T *= 2
            self.start(len(u))
"""
# Weights in proportion to the regrets.
REGRETS = """
class AnytimeWeights:
    def __init__(self, n):
        self.n, self.R = n, np.zeros(n)

    def predict(self):
        p = np.maximum(self.R, 0)
        return p / p.sum() if p.sum() > 0 else np.ones(self.n) / self.n

    def update(self, u):
        self.R = self.R + u - self.predict() @ u
"""
WRONG["regret"] = [
    # The learner that was given.
    ("""
class AnytimeWeights(AverageWeights):
    pass
""", 0, "too slow to trust"),
    # A smaller lambda.
    ("""
class AnytimeWeights(AverageWeights):
    def __init__(self, n):
        super().__init__(n, lam=0.1)
""", 3,
     "too slow to trust"),
    ("""
class AnytimeWeights(AverageWeights):
    def __init__(self, n):
        super().__init__(n, lam=0.01)
""", 2,
     "runs after the payoffs too fast"),
    # Fixed rates for totals: too large, too small.
    (slip(WEIGHTS, "2 * np.sqrt(np.log(self.n) / (self.t + 1))", "1.0"), 5,
     "follows those that were just paid"),
    (slip(WEIGHTS, "(self.t + 1))", "10_000)"), 0, "too slow to trust"),
    # The best fixed rates for 30, 100 and 200 rounds.
    *[
        (slip(WEIGHTS, "2 * np.sqrt(np.log(self.n) / (self.t + 1))",
              f"np.sqrt(8 * np.log(self.n) / {T})"), points, told)
        for T, points, told in (
            (30, 5, "even after many rounds"), (100, 5, "even after many rounds"),
            (200, 3, "too slow"),
        )
    ],
    # Two fixed rates, of which the second is far too small when it comes.
    (slip(WEIGHTS, "2 * np.sqrt(np.log(self.n) / (self.t + 1))",
          "(0.9 if self.t < 60 else 0.12) * np.sqrt(np.log(self.n) / 2)"), 5,
     "or was too fast before"),
    # Each payoff is weighed by the rate of its own round.
    *[
        (slip(PRODUCTS, "2 * np", f"{c} * np"), 5, "does the rate of a round apply")
        for c in (1, 2, 3.9)
    ],
    # Rates for 1, 2, 4, ... rounds, or the like, and each time a new start.
    *[
        (slip(RESTARTS, "self.T = 1", f"self.T = {T}"), 5, "starts afresh")
        for T in (1, 4)
    ],
    # Rates that fall with averages, as 1 / t.
    (slip(WEIGHTS, "2 * np.sqrt(np.log(self.n) / (self.t + 1))",
          "2 * np.log(self.n) / (self.t + 1)"), 0, "too slow to trust"),
    # Rates that grow.
    (slip(WEIGHTS, "np.log(self.n) / (self.t + 1)", "np.log(self.n) * (self.t + 1)"),
     2,
     "runs after the payoffs too fast"),
    # Follow the leader.
    (slip(WEIGHTS, "        return w / w.sum()",
          "        return np.eye(self.n)[self.U.argmax()]"), 2,
     "follows those that were just paid"),
    # Payoffs of the last round only.
    (slip(WEIGHTS, "self.U + u", "u"), 0,
     "too slow to trust"),
    # The wrong sign: losses.
    (slip(WEIGHTS, "np.exp(eta * (self.U - self.U.max()))",
          "np.exp(-eta * (self.U - self.U.min()))"), 0, "check the sign"),
    # The number of experts forgotten, and then two experts in mind.
    (slip(WEIGHTS, "2 * np.sqrt(np.log(self.n) /", "np.sqrt(1 /"), 3,
     "200 experts, after"),
    # Weights without their sum.
    (slip(WEIGHTS, "return w / w.sum()", "return w"), 0, "of sum 1"),
    # The best expert's number.
    (slip(WEIGHTS, "return w / w.sum()", "return int(w.argmax())"), 0, "shape"),
    (slip(WEIGHTS, "return w / w.sum()", "self.p = w / w.sum()"), 0,
     "nothing (None)"),
]  # fmt: skip
NOTHING["regret"] = [
    """
class AnytimeWeights:
    def __init__(self, n):
        self.n = n

    def predict(self):
        return np.ones(self.n) / self.n

    def update(self, u):
        pass
""",
    # The visible checks' answers: a half at first, then expert 1.
    """
class AnytimeWeights:
    def __init__(self, n):
        self.p = np.ones(n) / n

    def predict(self):
        return self.p

    def update(self, u):
        self.p = np.eye(len(self.p))[1] * 0.6 + np.eye(len(self.p))[0] * 0.4
""",
    """
class AnytimeWeights:
    def __init__(self, n):
        self.n = n

    def predict(self):
        return np.eye(self.n)[0]

    def update(self, u):
        pass
""",
]

# --- Short cuts: special cases, small sizes, near ties, long games ---------
WRONG["by-hand"] += [
    (
        HAND.format([*PLAYED[:2], (0, 1), *PLAYED[3:]], (2, 4), (4, 3)),
        2,
        "is not what the weights before it call for.",
    ),
    (
        HAND.format(PLAYED, (2, 4), (3, 4)),
        2,
        "The weights are not the initial ones plus",
    ),
    (
        HAND.format(PLAYED, (3, 4), (4, 4)),
        2,
        "s weights; count what you have added.",
    ),
    (
        HAND.format([(a + 1, b + 1) for a, b in PLAYED], (2, 4), (4, 3)),
        2,
        "is not what the weights before it call for.",
    ),
]
WRONG["lms"] += [
    (
        slip(LMS, "self.rate / self.t", "self.rate / min(self.t, 30)"),
        3,
        "Your predictions leave the right ones in round",
    ),
    (
        slip(LMS, "self.rate / self.t", "max(self.rate / self.t, 0.01)"),
        3,
        "Your predictions leave the right ones in round",
    ),
    (
        slip(LMS, "self.w = self.w +", "self.w = 0.9999 * self.w +"),
        0,
        "The predictions are not right here.  If the",
    ),
    (
        slip(
            LMS,
            "self.w + eta * (y - y_hat) * x",
            "np.float32(self.w + eta * (y - y_hat) * x)",
        ),
        0,
        "The predictions are not right here.  If the",
    ),
    (
        slip(
            LMS,
            "self.w + eta * (y - y_hat) * x",
            "np.round(self.w + eta * (y - y_hat) * x, 8)",
        ),
        0,
        "The predictions are not right here.  If the",
    ),
]
WRONG["rates"] += [
    (
        slip(
            LARGEST,
            "2 / (X**2).sum(axis=1).max()",
            "min(2 / (X**2).sum(axis=1).max(), 1e6)",
        )
        + BEST,
        3,
        "Below your number some residual grows, or",
    ),
    (
        slip(
            LARGEST,
            "2 / (X**2).sum(axis=1).max()",
            "round(2 / (X**2).sum(axis=1).max(), 12)",
        )
        + BEST,
        3,
        "Below your number some residual grows, or",
    ),
    (
        LARGEST
        + slip(
            BEST,
            "return (np.sqrt(q * q + 4 * q) - q) / 2",
            "return min((np.sqrt(q * q + 4 * q) - q) / 2, 0.985)",
        ),
        3,
        "Close, but the error in the limit is more",
    ),
    (
        LARGEST + slip(BEST, "delta2 / sigma2", "round(delta2, 6) / sigma2"),
        2,
        "A constant rate between",
    ),
]
WRONG["fictitious-play"] += [
    (
        slip(FP, "v == max(values)", "np.isclose(v, max(values))"),
        7,
        "Your play leaves the right one in round",
    ),
    (
        slip(FP, "k1[column] += 1", "k1[column] += t < 40"),
        7,
        "Your play leaves the right one in round",
    ),
    (
        slip(FP, "np.asarray(A), np.asarray(B)", "np.int8(A), np.int8(B)"),
        7,
        "Your play leaves the right one in round",
    ),
]
WRONG["nash"] += [
    (
        slip(
            TWO,
            "a[0] * a[1] < 0 and b[0] * b[1] < 0:",
            "a[0] > 0 > a[1] and b[0] * b[1] < 0:",
        ),
        0,
        "Your list is empty, but every game has an",
    ),
    (
        slip(
            TWO,
            "[p, 1 - p], [q, 1 - q]",
            "np.round([p, 1 - p], 6), np.round([q, 1 - q], 6)",
        ),
        0,
        "In one of your mixed profiles player",
    ),
    (
        slip(TWO, "b[0] * b[1] < 0:", "b[0] * b[1] < 0 and not found:"),
        2,
        "An equilibrium is missing: a mixed one.",
    ),
    (
        slip(TWO, "np.array(A), np.array(B)", "np.int8(A), np.int8(B)"),
        0,
        "In one of your pure profiles player",
    ),
    (
        slip(
            TWO,
            "found = []",
            "found = []\n    A, B = np.sign(A - A.mean()), np.sign(B - B.mean())",
        ),
        0,
        "In one of your pure profiles player",
    ),
]
WRONG["regret"] += [
    (
        REGRETS,
        5,
        "The regret is too large after the experts",
    ),
    (
        slip(
            REGRETS,
            "self.R + u - self.predict() @ u",
            "np.maximum(self.R + u - self.predict() @ u, 0)",
        ),
        5,
        "The regret is too large after the experts",
    ),
    (
        slip(WEIGHTS, "2 * np.sqrt", "0.95 * np.sqrt"),
        5,
        "The regret is too large after the experts",
    ),
    (
        slip(WEIGHTS, "2 * np.sqrt", "0.9 * np.sqrt"),
        5,
        "The regret is too large after the experts",
    ),
    (
        slip(WEIGHTS, "2 * np.sqrt", "4.3 * np.sqrt"),
        5,
        "The regret is too large after the experts",
    ),
    (
        slip(
            slip(
                REGRETS, "p = np.maximum(self.R, 0)", "p = np.maximum(self.R, 0) ** 2"
            ),
            "self.n, self.R",
            "self.n, self.R",
        ),
        5,
        "The regret is too large after the experts",
    ),
]
WRONG["rates"] += [
    (
        slip(
            LARGEST,
            "2 / (X**2).sum(axis=1).max()",
            "2 / max((X[0]**2).sum(), (X[-1]**2).sum())",
        )
        + BEST,
        4,
        "Below your number some residual grows, or",
    ),
]
