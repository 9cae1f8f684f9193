"""Answers to the set on Kitani and Chen: right ones, wrong ones, and nothing."""

# Each wrong answer with the points it earns and what it is told.
RIGHT: dict[str, list[str]] = {}
WRONG: dict[str, list[tuple[str, float, str]]] = {}
NOTHING: dict[str, list[str]] = {}


def but(text: str, *changes: str) -> str:
    """The text with each of the old pieces replaced by the new one after it."""
    for old, new in zip(changes[::2], changes[1::2], strict=True):
        assert old in text, f"{old!r} is not in the answer"
        text = text.replace(old, new)
    return text


# --- 1. by-hand ----------------------------------------------------------

WINNOW_HAND = """
def winnow_by_hand():
    w, predicts, weights = np.ones(4), [], []
    for x, y in GAME:
        x = np.array(x)
        predicts.append(int(w @ x > 4))
        if predicts[-1] != y:
            w = np.where(x == 1, w * 2 if y else w / 2, w)
        weights.append(w)
    return {"predicts": predicts, "weights": weights}
"""
COIN_HAND = """
def coin_by_hand():
    w, chances = np.ones(3), []
    for x, y in zip(np.array(ADVICE), LABELS):
        chances.append(w[x != y].sum() / w.sum())
        w[x != y] /= 2
    return chances
"""
HAND = WINNOW_HAND + COIN_HAND
RIGHT["by-hand"] = [
    HAND,
    """
def winnow_by_hand():
    table = [[2, 2, 1, 2], [1, 2, 0.5, 1], [2, 4, 0.5, 2], [1, 4, 0.25, 1],
             [1, 8, 0.25, 1], [1, 8, 0.25, 1]]
    return dict(weights=np.array(table), predicts=np.array([0, 1, 0, 1, 0, 0]))

def coin_by_hand():
    return np.array([2 / 3, 0.25, 3 / 7, 9 / 11])
""",
    """
from fractions import Fraction as F

def winnow_by_hand():
    e, said, seen = [0, 0, 0, 0], (), []
    for x, y in GAME:
        total = sum(F(2) ** k for k, on in zip(e, x) if on)
        guess = total > 4
        said += (guess,)
        e = [k + (y - guess) * on for k, on in zip(e, x)]
        seen.append(tuple(F(2) ** k for k in e))
    return {"predicts": said, "weights": tuple(seen)}

def coin_by_hand():
    return (F(2, 3), F(1, 4), F(3, 7), F(9, 11))
""",
    "import time\ntime.sleep(0.002)\n" + HAND,
]
WRONG["by-hand"] = [
    (but(HAND, "> 4", ">= 4"), 2, "Winnow asks for more than N"),
    (but(HAND, "> 4", "> 2"), 2, "this lecture's is N"),
    (but(HAND, "w / 2", "0 * w"), 2, "sets weights to 0"),
    (but(HAND, "if predicts[-1] != y", "if True"), 4, "not after mistakes only"),
    (but(HAND, "weights.append(w)\n", "pass\n", "x = np.array(x)\n",
         "x = np.array(x)\n        weights.append(w)\n"), 4, "weights before each"),
    (but(HAND, "np.where(x == 1, w * 2 if y else w / 2, w)",
         "w * 2 if y else w / 2"), 2, "You change all weights"),
    (but(HAND, "[x != y].sum()", "[x == y].sum()"), 4, "chances of being right"),
    (but(HAND, "w[x != y] /= 2", "pass"), 4, "weights never change"),
    (but(HAND, "w[x != y] /= 2", "w[x != y] *= 2"), 4, "weights grow"),
    (but(HAND, "w[x != y] /= 2", "w[x != y] = 0 * w[x != y]"), 4, "not all of it"),
    (but(HAND, "w[x != y] /= 2", "w[x != y] /= 1 if w @ x * y > 0 else 2"), 4,
     "whether or not the learner errs"),
    (WINNOW_HAND + "def coin_by_hand():\n    return [2 / 3, 1 / 4, 3 / 7, 1 / 2]", 4,
     "in round 4"),
    (WINNOW_HAND + "def coin_by_hand():\n    print(2 / 3)", 4, "shape (4,)"),
    # The first chance is the text's, the others are those of being right.
    (WINNOW_HAND + "def coin_by_hand():\n    return [2 / 3, 3 / 4, 4 / 7, 2 / 11]", 4,
     "chances of being right"),
    (WINNOW_HAND + "def coin_by_hand():\n    return [2 / 3, 0.25, 0.428571, 0.8182]",
     4, "are rounded"),
    (but(HAND, '"predicts": predicts', '"predicts": [y for _, y in GAME]'), 4,
     "These are the labels"),
]  # fmt: skip
NOTHING["by-hand"] = [
    """
def winnow_by_hand():
    return {"predicts": [0] * 6, "weights": [(2, 2, 1, 2)] * 6}

def coin_by_hand():
    return [2 / 3] * 4
""",
    """
def winnow_by_hand():
    return 0

def coin_by_hand():
    return 1 / 2
""",
]

# --- 2. winnow -----------------------------------------------------------

WINNOW = """
class Winnow:
    def __init__(self, n, beta):
        self.n, self.beta = n, beta
        self.w = np.ones(n)

    def predict(self, x):
        return int((self.w * x).sum() > self.n)

    def update(self, x, y, y_hat):
        for i in range(self.n):
            if x[i] == 1 and y == 1 and y_hat == 0:
                self.w[i] *= 1 + self.beta
            if x[i] == 1 and y == 0 and y_hat == 1:
                self.w[i] /= 1 + self.beta
"""
RIGHT["winnow"] = [
    WINNOW,
    """
class Winnow:
    def __init__(self, n, beta):
        self.k, self.base = [0] * n, 1 + beta

    @property
    def w(self):
        return [self.base**k for k in self.k]

    def predict(self, x):
        active = [w for w, on in zip(self.w, x) if on]
        return sum(active) > len(self.k)

    def update(self, x, y, y_hat):
        self.k = [k + (int(y) - int(y_hat)) * int(on) for k, on in zip(self.k, x)]
""",
    """
from fractions import Fraction

class Winnow:
    def __init__(self, n, beta):
        self.w = (Fraction(1),) * n
        self.up = 1 + Fraction(beta)

    def predict(self, features):
        total = sum(w * int(f) for w, f in zip(self.w, features))
        return 1.0 if total > len(self.w) else 0.0

    def update(self, features, label, guess):
        if label == guess:
            return
        factor = self.up if label else 1 / self.up
        self.w = tuple(w * factor if f else w for w, f in zip(self.w, features))
""",
    """
class Winnow:
    def __init__(self, n, beta):
        self.w, self.log = np.ones((n,)), np.log(1 + beta)
        self.beta = beta

    def predict(self, x):
        for _ in range(3):
            answer = np.dot(np.asarray(x, float), self.w) > self.w.size
        return np.array(answer)

    def update(self, x, y, y_hat):
        self.w = self.w * (1 + self.beta) ** ((y - y_hat) * x)
""",
]
WRONG["winnow"] = [
    (but(WINNOW, "> self.n", ">= self.n"), 4, "asks for more than N"),
    (but(WINNOW, "> self.n", "> self.n / 2"), 0, "Your threshold is N/2"),
    (but(WINNOW, "/= 1 + self.beta", "= 0"), 0, "sets weights to 0"),
    (but(WINNOW, "/= 1 + self.beta", "*= 1 - self.beta"), 0, "multiplies by 1 - beta"),
    (but(WINNOW, "/= 1 + self.beta", "/= 2"), 0, "halves the weights"),
    (but(WINNOW, "and y_hat == 0", "", "and y_hat == 1", ""), 0,
     "change in every round"),
    (but(WINNOW, "x[i] == 1 and", ""), 0, "You change all weights"),
    (but(WINNOW, "1 + self.beta", "2"), 0, "beta = 1 throughout"),
    (but(WINNOW, "1 + self.beta", "self.beta"), 0, "factor is beta itself"),
    (but(WINNOW, "y == 0 and", "False and"), 0, "never demotes"),
    (but(WINNOW, "class Winnow:", "W = np.ones(99)\n\nclass Winnow:",
         "self.w = np.ones(n)", "self.w = W[:n]; self.w[:] = 1"), 5,
     "weights of its own"),
    (but(WINNOW, "return int", "print"), 0, "nothing (None)"),
    (but(WINNOW, "(self.w * x).sum() > self.n)", "(self.w * x).sum()) > self.n"), 0,
     "cuts or rounds its sum"),
    (but(WINNOW, "*= 1 + self.beta", "= min(40, self.w[i] * (1 + self.beta))"), 2,
     "w is wrong for the first time"),
    (but(WINNOW, "np.ones(n)", "np.zeros(n)"), 0, "w is wrong for the first time"),
    (but(WINNOW, "np.ones(n)", "np.ones(n, dtype=int)", "/= 1", "//= 1",
         "*= 1 + self.beta", "= int(self.w[i] * (1 + self.beta))"), 0,
     "w holds whole numbers only"),
]  # fmt: skip
NOTHING["winnow"] = [
    but(WINNOW, "return int((self.w * x).sum() > self.n)", "return 0"),
    but(WINNOW, "return int((self.w * x).sum() > self.n)", "return 1"),
    """
class Winnow:
    def __init__(self, n, beta):
        self.w = np.ones(n)

    def predict(self, x):
        return int(list(x) == [0, 1, 1])

    def update(self, x, y, y_hat):
        if y != y_hat:
            self.w = np.array([4, 4, 1] if y else [4, 1, 1 / 4])
""",
]

# --- 3. rates ------------------------------------------------------------

RATES = """
def tuned_eta(n, K):
    eta = min(0.5, sqrt(log(n) / max(K, 1e-9)))
    return eta, eta * K + log(n) / eta

def rounds_needed(n, eps):
    return int(4 * log(n) / eps**2) + 1

def best_beta(n, k):
    def limit(b):
        return (1 + b) / b + (2 + b) * k * (log(n) / log(1 + b) + 1)
    low, high = 1e-2, 100.0
    for _ in range(100):
        one, two = low + (high - low) / 3, high - (high - low) / 3
        low, high = (low, two) if limit(one) < limit(two) else (one, high)
    return low
"""
RIGHT["rates"] = [
    RATES,
    """
def tuned_eta(n, K):
    etas = [0.5]
    if K > 0:
        etas.append(float(np.sqrt(np.log(n) / K)))
    allowed = [eta for eta in etas if eta <= 0.5]
    best = min(allowed, key=lambda eta: eta * K + np.log(n) / eta)
    return np.array([best, best * K + np.log(n) / best])

def rounds_needed(n, eps):
    T = 1
    while tuned_eta(n, 2 * T)[1] > eps * 2 * T:
        T *= 2
    low, high = T, 2 * T
    while low < high:
        middle = (low + high) // 2
        if tuned_eta(n, middle)[1] <= eps * middle:
            high = middle
        else:
            low = middle + 1
    return float(low)

def best_beta(n, k):
    # The derivative of the bound, by bisection.
    def slope(b):
        l = np.log(1 + b)
        steps = np.log(n) / l + 1
        change = -np.log(n) / l**2 / (1 + b)
        return -1 / b**2 + k * steps + (2 + b) * k * change
    low, high = 1e-3, 1e3
    while high - low > 1e-9:
        b = (low + high) / 2
        low, high = (low, b) if slope(b) > 0 else (b, high)
    return np.array(high)
""",
    """
from fractions import Fraction

def tuned_eta(n, K):
    if K <= 4 * log(n):
        return [Fraction(1, 2), K / 2 + 2 * log(n)]
    return [sqrt(log(n) / K), 2 * sqrt(K * log(n))]

def rounds_needed(n, eps):
    return np.ceil(np.array([4 * log(n) / eps / eps]))

def best_beta(n, k):
    b = np.exp(np.linspace(-4, 6, 20_000))
    steps = 1 + np.log(n) / np.log(1 + b)
    return b[np.argmin(1 + 1 / b + (2 + b) * k * steps)]
""",
    but(RATES, "range(100)", "range(300)"),
]
WRONG["rates"] = [
    (but(RATES, "min(0.5, sqrt(log(n) / max(K, 1e-9)))",
         "sqrt(log(n) / max(K, 1e-9))"), 6, "above 1/2"),
    (but(RATES, "sqrt(log(n) /", "sqrt(log2(n) /"), 5, "has base 2"),
    (but(RATES, "sqrt(log(n) /", "sqrt(2 * log(n) /"), 5, "your rate has a factor"),
    (but(RATES, "return eta, eta * K + log(n) / eta",
         "return eta, 2 * sqrt(K * log(n))"), 6, "the bound there is not"),
    (but(RATES, "return eta, eta * K + log(n) / eta", "return eta"), 5,
     "shape (2,)"),
    (but(RATES, "4 * log(n) / eps", "4 * log2(n) / eps"), 5, "has base 2"),
    (but(RATES, "eps**2) + 1", "eps**2)"), 5, "One round too few"),
    (but(RATES, "eps**2) + 1", "eps**2) + 2"), 5, "One round less"),
    (but(RATES, "4 * log(n) / eps**2", "log(n) / eps**2"), 5, "so few rounds"),
    (but(RATES, "return low", "return 1"), 4, "the lecture's choice"),
    (but(RATES, "(1 + b) / b + (2 + b) * k * (log(n) / log(1 + b) + 1)",
         "(2 + b) / log(1 + b)"), 4, "in the limit of large N"),
    (but(RATES, "(1 + b) / b + ", ""), 4, "another beta has a clearly smaller"),
    (but(RATES, "range(100)", "range(20)"), 4, "search more finely"),
    (but(RATES, "    return low", "    low"), 4, "nothing (None)"),
]  # fmt: skip
NOTHING["rates"] = [
    """
def tuned_eta(n, K):
    return 1 / 2, 1 / 2 + 2 * log(2)

def rounds_needed(n, eps):
    return 12

def best_beta(n, k):
    return 1
""",
    """
def tuned_eta(n, K):
    return 0.5, 0.5 * K + 2 * log(n)

def rounds_needed(n, eps):
    return 10**6

def best_beta(n, k):
    return 3
""",
]

# --- 4. adversary --------------------------------------------------------

SPACE = """
class InSpace:
    def __init__(self, d):
        self.t, self.w = -1, np.zeros(d)

    def next_point(self):
        self.t += 1
        return np.eye(len(self.w))[self.t]

    def label(self, y_hat):
        self.w[self.t] = -y_hat
        return -y_hat

    def separator(self):
        return self.w / np.linalg.norm(self.w)
"""
PLANE = """
class InPlane:
    def __init__(self, gamma):
        self.low, self.high = 0, 2 * np.pi

    def next_point(self):
        self.middle = (self.low + self.high) / 2
        return [-np.sin(self.middle), np.cos(self.middle)]

    def label(self, y_hat):
        y = -y_hat
        if y == 1:
            self.low = self.middle
        else:
            self.high = self.middle
        return y

    def separator(self):
        angle = (self.low + self.high) / 2
        return [np.cos(angle), np.sin(angle)]
"""
RIGHT["adversary"] = [
    SPACE + PLANE,
    """
class InSpace:
    def __init__(self, d):
        self.left = [[float(i == j) for j in range(d)] for i in range(d)]
        self.sum = [0.0] * d

    def next_point(self):
        self.x = self.left.pop()
        return tuple(self.x)

    def label(self, guess):
        y = 1 if guess == -1 else -1
        self.sum = [s + y * x for s, x in zip(self.sum, self.x)]
        return float(y)

    def separator(self):
        return [s / len(self.sum) ** 0.5 for s in self.sum]

class InPlane:
    # Two unit vectors, u and v, with the possible separators between them.
    def __init__(self, gamma):
        self.u = self.v = None

    def next_point(self):
        if self.u is None:
            self.x = np.array([1.0, 0.0])
        else:
            s = self.between()
            self.x = np.array([-s[1], s[0]])
        return self.x

    def between(self):
        if abs(self.u @ self.v) > 0.999999999999 and self.u @ self.v < 0:
            s = self.side
        else:
            s = self.u + self.v
        return s / np.linalg.norm(s)

    def label(self, y_hat):
        y = -y_hat
        if self.u is None:
            self.side = y * self.x
            self.u = np.array([-self.side[1], self.side[0]])
            self.v = -self.u
        else:
            s = self.between()
            if (self.u @ self.x > 0) == (y == 1):
                self.v = s
            else:
                self.u = s
        return y

    def separator(self):
        return self.between()
""",
    """
import cmath

class InSpace:
    def __init__(self, d):
        # Any orthogonal axes will do.
        self.Q = np.linalg.qr(np.random.default_rng(d).normal(size=(d, d)))[0]
        self.Q /= 1 + 1e-12
        self.y = []

    def next_point(self):
        return self.Q[len(self.y)]

    def label(self, y_hat):
        self.y += [-y_hat]
        return self.y[-1]

    def separator(self):
        w = np.array(self.y) @ self.Q[: len(self.y)]
        return w / np.linalg.norm(w)

class InPlane:
    def __init__(self, gamma):
        self.angle, self.step = 1.0, cmath.pi

    def next_point(self):
        z = cmath.exp(1j * (self.angle + cmath.pi / 2))
        return np.array([z.real, z.imag])

    def label(self, y_hat):
        self.step /= 2
        self.angle -= y_hat * self.step
        return np.array([-y_hat])

    def separator(self):
        return (cmath.exp(1j * self.angle).real, cmath.exp(1j * self.angle).imag)
""",
    but(SPACE, "np.eye(len(self.w))[self.t]",
        "[np.eye(len(self.w)) for _ in range(3)][0][self.t]") + PLANE,
]  # fmt: skip
WRONG["adversary"] = [
    # Each with one of the two classes only, for the other would take its time.
    (but(SPACE, "return -y_hat", "return 1"), 0, "so it is no mistake"),
    (but(SPACE, "= -y_hat", "= y_hat"), 0, "is wrong about an example"),
    (but(SPACE, "self.w / np.linalg.norm(self.w)", "self.w"), 0, "no unit vector"),
    (but(SPACE, "np.eye(len(self.w))[self.t]", "2 * np.eye(len(self.w))[self.t]"), 0,
     "longer than 1"),
    (but(SPACE, "np.eye(len(self.w))[self.t]", "np.eye(len(self.w))[self.t] / 2"), 0,
     "margin is below gamma"),
    (but(SPACE, "self.t, self.w = -1, np.zeros(d)",
         "self.t, self.w = -1, W[d - 1]", "class InSpace:",
         "W = [np.zeros(d) for d in range(1, 99)]\n\nclass InSpace:"), 2,
     "is wrong about an example"),
    (but(SPACE, "self.t += 1\n", "self.t += 1\n        self.t = min(self.t, 0)\n"), 0,
     "is wrong about an example"),
    # In the plane, the angles on the wrong side of each point.
    (but(PLANE, "if y == 1", "if y == -1"), 0, "is wrong about an example"),
    # Does not cut in the middle.
    (but(PLANE, "(self.low + self.high) / 2\n        return [-",
         "(2 * self.low + self.high) / 3\n        return [-"), 0,
     "margin is below gamma"),
    # The end of the arc has margin 0.
    (but(PLANE, "angle = (self.low + self.high) / 2", "angle = self.low"), 0,
     "is wrong about an example"),
    # Only the two axes.
    (but(PLANE, "return [-np.sin(self.middle), np.cos(self.middle)]",
         "return np.round([-np.sin(self.middle), np.cos(self.middle)])"), 0,
     "longer than 1"),
    (SPACE + "class InPlane(InSpace):\n    def __init__(self, gamma):\n"
     "        super().__init__(2)\n", 3, "index 2 is out of bounds"),
    (but(PLANE, "return y\n", "return -y\n"), 0, "so it is no mistake"),
]  # fmt: skip
NOTHING["adversary"] = [
    """
class InSpace:
    def __init__(self, d):
        self.d = d

    def next_point(self):
        return np.eye(self.d)[0]

    def label(self, y_hat):
        return -y_hat

    def separator(self):
        return np.eye(self.d)[0]

class InPlane(InSpace):
    def __init__(self, gamma):
        self.d = 2
""",
    """
class InSpace:
    def __init__(self, d):
        self.d = d

    def next_point(self):
        return np.zeros(self.d)

    def label(self, y_hat):
        return -1

    def separator(self):
        return np.ones(self.d)

InPlane = InSpace
""",
]

# --- 5. counterexample ---------------------------------------------------

EASY = """
def easy_and_hard(c):
    d, g = 2 * c + 1, 1e-4
    tall = sqrt(1 - g * g)
    B = [[g, tall], [-g, tall]], [1, -1]
    return {"A": (np.eye(d), [1] * d, np.ones(d)), "B": B}
"""
RIGHT["counterexample"] = [
    EASY,
    """
def easy_and_hard(c):
    # Signs, another order, whole vectors; B's second example is far shorter.
    d = 13
    X = [[(-1) ** i if j == d - 1 - i else 0 for j in range(d)] for i in range(d)]
    w = tuple([5] * d)
    y = [(-1) ** i for i in range(d)]
    return dict(A=[X, y, w], B=([(1, 0), (-1e-2, 2e-2)], (1.0, 1.0)))
""",
    """
def easy_and_hard(c):
    # Nearly orthogonal; each example is on the wrong side of those before it.
    d = 2 * c + 5
    X = np.eye(d) - 0.01
    keep = X / np.linalg.norm(X, axis=1)[:, None]
    a = 1e-3
    B = np.array([[np.cos(a), np.sin(a)], [np.cos(a), -np.sin(a)]])
    return {"B": (B, np.array([1, -1])),
            "A": (keep, np.ones(len(keep)), keep.sum(axis=0))}
""",
    but(EASY, "    d, g", "    for _ in range(3): np.eye(99)\n    d, g"),
]
WRONG["counterexample"] = [
    # Too few mistakes for A.
    (but(EASY, "2 * c + 1", "c + 1"), 0, "not more than c times"),
    (but(EASY, "2 * c + 1", "2 * c"), 0, "not more than c times"),
    # Enough for c up to 3, whatever c is.
    (but(EASY, "2 * c + 1", "7"), 2, "not more than c times"),
    # B's margin is large.
    (but(EASY, "1e-4", "0.6"), 0, "is less than c times that of B"),
    # Cancels exactly.
    (but(EASY, "1e-4", "0"), 0, "No vector separates B"),
    # A short example is no small margin at a fixed R.
    (but(EASY, "[[g, tall], [-g, tall]], [1, -1]", "[[g, 0], [g, 0]], [1, 1]"),
     0, "longest example of B should have length 1"),
    (but(EASY, "np.ones(d))", "-np.ones(d))"), 0, "does not separate A"),
    (but(EASY, "(np.eye(d), [1] * d, np.ones(d))", "(np.eye(d), [1] * d)"), 0,
     "should be a triple"),
    (but(EASY, '"A": (', '"a": ('), 0, "a dict with the key 'A'"),
    (but(EASY, "[1, -1]", "[1, 0]"), 0, "labels of B should be -1 and +1"),
    (but(EASY, "return", "found ="), 0, "should return a dict"),
    # Not separable, and the products with this w are infinite.
    (but(EASY, "(np.eye(d), [1] * d, np.ones(d))",
         "([[1 / 3] * 9] * 100, [1, -1] * 50, [1.7e308] * 9)"), 0,
     "does not separate A"),
]  # fmt: skip
NOTHING["counterexample"] = [
    """
def easy_and_hard(c):
    return {"A": (np.eye(2), [1, 1], [1, 1]), "B": (np.eye(2), [1, 1])}
""",
    """
def easy_and_hard(c):
    # Passes the visible checks of c = 1 and 2.
    B = [[1e-4, sqrt(1 - 1e-8)], [-1e-4, sqrt(1 - 1e-8)]], [1, -1]
    return {"A": (np.eye(5), [1] * 5, [1] * 5), "B": B}
""",
]

# --- Short cuts: special cases, small sizes, near ties, long games ---------
WRONG["by-hand"] += [
    (
        WINNOW_HAND + "def coin_by_hand():\n    return [2 / 3, 1 / 4, 3 / 7, 2 / 11]\n",
        4,
        "The chance is wrong for the first time in",
    ),
    (
        but(HAND, "w / 2", "w // 2"),
        2,
        "Your demotion sets weights to",
    ),
    (
        but(HAND, "> 4", "> 4.5"),
        2,
        "Your demotion sets weights to",
    ),
    (
        but(HAND, "    return {", "    predicts[-1] = 1\n    return {"),
        4,
        "You change all weights; only those of the",
    ),
]
WRONG["winnow"] += [
    (
        but(
            WINNOW,
            "return int(",
            "return int(not np.isclose((self.w * x).sum(), self.n) and ",
        ),
        4,
        "is the first with a wrong prediction.",
    ),
    (
        but(WINNOW, "> self.n)", "> self.n + 1e-9)"),
        4,
        "is the first with a wrong prediction.",
    ),
    (
        but(
            WINNOW,
            "(self.w * x).sum() > self.n",
            "round((self.w * x).sum(), 9) > self.n",
        ),
        4,
        "is the first with a wrong prediction.",
    ),
    (
        but(
            WINNOW,
            "*= 1 + self.beta",
            "= min(self.w[i] * (1 + self.beta), 10 * self.n)",
        ),
        5,
        "In a game, w is wrong for the first time",
    ),
    (
        but(WINNOW, "np.ones(n)", "np.ones(n, dtype=np.float32)"),
        3,
        "In a game, w is wrong for the first time",
    ),
]
WRONG["rates"] += [
    # The limit of 1/2 comes one mistake late.
    (
        but(RIGHT["rates"][2], "if K <= 4 * log(n):", "if K <= 4 * log(n) - 1:"),
        6,
        "Your eta is above 1/2",
    ),
    (
        but(RATES, "eta = min", "K = int(K)\n    eta = min"),
        6,
        "The rate is right, and the bound there is not.",
    ),
    (
        but(RATES, "max(K, 1e-9)", "max(int(K), 1e-9)"),
        6,
        "For some n and K there is an eta in (",
    ),
    (
        but(RATES, "max(K, 1e-9)", "max(K, 20)"),
        6,
        "For some n and K there is an eta in (",
    ),
    (
        but(
            RATES,
            "int(4 * log(n) / eps**2) + 1",
            "next(T for T in range(1, 10001) if tuned_eta(n, T)[1] <= eps * T)",
        ),
        5,
        "Your code raised StopIteration",
    ),
    (
        but(
            RATES,
            "int(4 * log(n) / eps**2) + 1",
            "max(16, int(4 * log(n) / eps**2) + 1)",
        ),
        5,
        "The bound promises this already for fewer",
    ),
    (
        but(RATES, "int(4 * log(n) / eps**2) + 1", "round(4 * log(n) / eps**2)"),
        5,
        "One round too few: there the promise is still",
    ),
    (
        but(RATES, "    return low", "    return round(low, 2)"),
        5.5,
        "Close, but the bound is more than one",
    ),
]
WRONG["adversary"] += [
    (
        but(SPACE, "np.zeros(d)", "np.zeros(min(d, 50))") + PLANE,
        6,
        "Expected an example to have shape (",
    ),
    (
        SPACE + but(PLANE, "0, 2 * np.pi", "0, 6.28"),
        7,
        "s margin is below gamma.",
    ),
    (
        SPACE
        + but(
            PLANE,
            "(self.low + self.high) / 2\n        return [-",
            "round((self.low + self.high) / 2, 3)\n        return [-",
        ),
        5,
        "s margin is below gamma.",
    ),
]
WRONG["counterexample"] += [
    (
        but(EASY, "2 * c + 1", "2 * min(c, 5) + 1"),
        2,
        "s mistakes on A are not more than c times",
    ),
    (
        but(EASY, "1e-4", "1e-7"),
        0,
        "No vector separates B with a margin of at",
    ),
    (
        but(EASY, "1e-4", "0.2"),
        0,
        "the margin of A is less than c times that of",
    ),
    (
        but(EASY, "(np.eye(d)", "(0.5 * np.eye(d)"),
        0,
        "The longest example of A should have length",
    ),
]
