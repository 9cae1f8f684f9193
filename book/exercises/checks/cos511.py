"""Hidden checks of the problem set on expert advice (COS 511).

No check can fail a right answer by chance: inputs are random, what is asked
of the answer holds for all of them.
"""

from math import inf, log, log2, sqrt

import numpy as np

from grading.checks import Checks, array, bit, real, vector, whole, wrong
from olutil.experts import tuned_beta
from olutil.theorems import bound

checks = Checks()
NEAR = 1e-9  # relative tolerance


# --- Question 1: three rounds by hand -----------------------------------


def table(student, beta, entry):
    """An entry of the student's dictionary."""
    found = student.call("three_rounds", beta)
    if not isinstance(found, dict) or entry not in found:
        wrong(f'three_rounds returns a dictionary with the entry "{entry}".')
    return found[entry]


def fresh_penalty(rng):
    """A penalty with an exact square and cube."""
    return int(rng.integers(3, 14)) / 16


@checks("hand", "the three predictions", points=1)
def hand_predictions(student, rng):
    for _ in range(2):
        found = vector(table(student, fresh_penalty(rng), "predictions"), 3)
        if found[0] != 0 or found[1] != 0:
            wrong(
                "Rounds 1 and 2: are the two sides equally heavy? "
                "Then the box says what to predict."
            )
        if found[2] != 1:
            wrong(
                "Round 3: compare q1 and q0 as polynomials in beta; "
                "their difference is a square."
            )


@checks("hand", "the weights after each round", points=1)
def hand_weights(student, rng):
    for _ in range(2):
        b = fresh_penalty(rng)
        found = array(table(student, b, "weights"), (3, 4), "the weights")
        right = np.array([[1, 1, b, b], [b, 1, b**2, b], [b, b, b**3, b]])
        if np.allclose(found, right, rtol=NEAR, atol=0):
            continue
        lazy = [[1, 1, b, b], [1, 1, b, b], [1, b, b**2, b]]
        if np.allclose(found, lazy, rtol=NEAR, atol=0):
            wrong(
                "In round 2 the learner was right and you left the weights alone: "
                "they change in every round."
            )
        if np.allclose(found[1:], right[:2], rtol=NEAR, atol=0):
            wrong("The first row is asked after round 1, not before it.")
        row = int(np.argmin(np.isclose(found, right, rtol=NEAR, atol=0).all(axis=1)))
        wrong(
            f"The weights after round {row + 1} are not those of the experts that "
            "were wrong cut by beta."
        )


@checks("hand", "the chances of a mistake, with the coin", points=1)
def hand_chances(student, rng):
    for _ in range(2):
        b = fresh_penalty(rng)
        found = vector(table(student, b, "chances"), 3, "the chances")
        right = [1 / 2, 1 / 2, (1 + b**2) / (1 + b) ** 2]
        if np.allclose(found, right, rtol=NEAR, atol=0):
            continue
        if not np.allclose(found[:2], right[:2], rtol=NEAR, atol=0):
            wrong("Rounds 1 and 2: which share of the weight is wrong?")
        if np.isclose(found[2], 1 - right[2], rtol=NEAR, atol=0):
            wrong("Round 3: this is the chance of being right.")
        wrong("Round 3: divide the weight that is wrong by the weight of all four.")


# --- Question 2: Weighted Majority --------------------------------------


def exact_lead(counts, beta, x):
    """The weight of the 1s minus that of the 0s, up to a factor above 0."""
    top, bottom = float(beta).as_integer_ratio()
    less, more = (counts - counts.min()).tolist(), (counts.max() - counts).tolist()
    weights = [top**i * bottom**j for i, j in zip(less, more, strict=True)]
    return sum(w if says == 1 else -w for w, says in zip(weights, x, strict=True))


class Vote:
    """Weighted Majority, or one of its wrong relatives."""

    def __init__(self, n, beta, *, lazy=False, charge="wrong", sign=1, tie=0):
        self.counts = np.zeros(n, dtype=int)
        self.beta, self.lazy, self.charge = beta, lazy, charge
        self.sign, self.tie = sign, tie

    def lead(self, x):
        """The share of the 1s minus that of the 0s, up to rounding."""
        weights = self.beta ** (self.counts - self.counts.min())
        return self.sign * float((weights * (2 * x - 1)).sum() / weights.sum())

    def predict(self, x):
        """Where the vote is close, decided in whole numbers."""
        lead = self.lead(x)
        if abs(lead) < 1e-9:
            lead = self.sign * exact_lead(self.counts, self.beta, x)
        return self.tie if lead == 0 else int(lead > 0)

    def update(self, x, y):
        if self.lazy and self.predict(x) == y:
            return
        if self.charge == "wrong":
            self.counts = self.counts + (x != y)
        elif self.charge == "right":
            self.counts = self.counts + (x == y)


RELATIVES = {
    "This looks like updating only in the rounds in which the learner erred.": {
        "lazy": True
    },
    "This looks like cutting the weights of the experts that were right.": {
        "charge": "right"
    },
    "This looks like a vote with equal weights: do they ever change?": {
        "charge": "nobody"
    },
    "This looks like following the lighter side.": {"sign": -1},
}


def fault(n, beta, past, slip):
    """A sentence about predictions, (x, y, p), that are not right from a round on."""
    for sentence, how in RELATIVES.items():
        relative = Vote(n, beta, **how)
        for x, y, p in past:
            if relative.predict(x) != p:
                break
            relative.update(x, y)
        else:
            return sentence
    ones = {p for _, _, p in past}
    if len(ones) == 1:
        return f"Your learner always predicts {ones.pop()}."
    return f"The prediction in round {slip} is not that of the heavier side."


def telling_advice(rng, n, learner, relatives):
    """Advice without a close vote, on which most relatives of the learner differ."""
    found = []
    while len(found) < 6:
        x = rng.integers(0, 2, n)
        if abs(learner.lead(x)) > 1e-4:
            says = learner.predict(x)
            found.append((sum(r.predict(x) != says for r in relatives), x))
    return max(found, key=lambda pair: pair[0])[1]


def vote_game(student, rng, rounds, *, opposed):
    """A game without close votes, which a right answer plays as Vote does."""
    n = int(rng.integers(3, 8))
    beta = float(rng.choice([0.3, 0.5, 0.7]))
    learner = student.new("WeightedMajority", n, beta)
    right = Vote(n, beta)
    relatives = [Vote(n, beta, **how) for how in RELATIVES.values()]
    past, slip = [], 0
    for _ in range(rounds):
        x = telling_advice(rng, n, right, relatives)
        p = whole(learner.predict(x), "a prediction")
        says = right.predict(x)
        y = 1 - says if opposed or rng.random() < 0.2 else says
        past.append((x, y, p))
        if p != says and not slip:
            slip = len(past)
        learner.update(x, y)
        for one in (right, *relatives):
            one.update(x, y)
    if slip:
        wrong(fault(n, beta, past, slip))


def one_against(student, rng, n, rounds, above):
    """The same expert is right against n - 1 others, in every round.

    The penalty is such that the others lose the vote after ``rounds`` mistakes, or,
    if it is ``above`` the limit, after one more; so a penalty that is off by more than
    1 percent, to the one side, shows.  Until then the learner errs in every round.
    """
    beta = (n - 1) ** (-1 / rounds) * (1.01 if above else 0.99)
    learner, right = student.new("WeightedMajority", n, beta), Vote(n, beta)
    one = int(rng.integers(n))
    past = []
    for t in range(1, rounds + 2):
        y = int(rng.integers(0, 2))
        x = np.where(np.arange(n) == one, y, 1 - y)
        p, says = whole(learner.predict(x), "a prediction"), right.predict(x)
        past.append((x, y, p))
        if p != says and t > rounds:
            wrong(
                f"One of {n} experts is right in every round, and the others are "
                f"wrong: with the penalty {beta:.4f} the vote in round {t} is {says}. "
                "Is your penalty the one that was given?"
            )
        if p != says:
            wrong(fault(n, beta, past, t))
        learner.update(x, y)
        right.update(x, y)


def penalties(student, rng):
    """Small penalties and large ones, each off by 1 percent to either side."""
    for rounds in (1, 2, 4):
        n = int(rng.integers(5, 12))
        for above in (False, True):
            one_against(student, rng, n, rounds, above)


@checks("wma", "follows the heavier side", points=2)
def wma_votes(student, rng):
    # The learner errs in every round, so that it does not matter here whether
    # weights change in the other rounds as well.
    for _ in range(3):
        vote_game(student, rng, 14, opposed=True)
    penalties(student, rng)


@checks("wma", "cuts weights in every round", points=2)
def wma_every_round(student, rng):
    for _ in range(4):
        vote_game(student, rng, 18, opposed=False)
    penalties(student, rng)


def tied_rounds(rng):
    """Rounds (N, beta, x, y, prediction) of two games, half of them ties.

    The learner errs in all of them.  Each side has one or two experts, with powers
    of 1/2 as weights, so that a tie is exact however the weights are scaled.
    """
    n, beta = 4, float(rng.choice([0.5, 0.25]))
    for says in rng.permutation([0, 0, 1, 1]):
        x = rng.permutation([0, 0, 1, 1])
        yield n, beta, x, 1, 0  # 1 + 1 against 1 + 1; now 0 loses weight
        yield n, beta, np.where(x == 1, says, 1 - says), 1 - says, says
    n, beta = 3, 0.5
    for says in rng.permutation([0, 0, 1, 1]):
        x = rng.permutation([0, 1, 1])
        yield n, beta, np.where(x == 1, says, 1 - says), 1 - says, says
        yield n, beta, x, 1, 0  # 1 against 1/2 + 1/2


@checks("wma", "predicts 0 at a tie", points=1)
def wma_ties(student, rng):
    learner, size = None, 0
    for n, beta, x, y, says in tied_rounds(rng):
        if n != size:
            learner, right, size = (
                student.new("WeightedMajority", n, beta),
                Vote(n, beta),
                n,
            )
        p = whole(learner.predict(x), "a prediction")
        if p != says and right.lead(x) == 0:
            wrong("At a tie, q1 = q0, the box predicts 0.")
        if p != says:
            wrong("Between two ties, a prediction is not that of the heavier side.")
        learner.update(x, y)
        right.update(x, y)
    nearly_tied(student, rng)


def nearly_tied(student, rng):
    """Two experts err in turns, and a third one in each round.

    Every vote is decided by the third one's weight, which becomes tiny, though not as
    small as what rounding does to the others.  The learner errs in every round.
    """
    for beta, levels in ((0.5, 40), (0.25, 20)):
        learner, right = student.new("WeightedMajority", 3, beta), Vote(3, beta)
        order = rng.permutation(3)
        for t in range(2 * levels):
            y = int(rng.integers(0, 2))
            x = np.where(order == t % 2, y, 1 - y)
            if whole(learner.predict(x), "a prediction") != right.predict(x):
                wrong(
                    "Two sides that are almost equally heavy are not a tie: q1 > q0, "
                    "by however little, is predicted 1."
                )
            learner.update(x, y)
            right.update(x, y)


@checks("wma", "long games, in which the weights are tiny", points=1)
def wma_long(student, rng):
    n, beta = 5, 2.0**-20
    learner, right = student.new("WeightedMajority", n, beta), Vote(n, beta)
    equal = Vote(n, beta, charge="nobody")
    # Two experts are better than the others, and then all are wrong for long:
    # beta ** 70 is 0 in floating point, but who is better must not be forgotten.
    good = rng.permutation(n) < 2
    for t in range(71):
        y = int(rng.integers(0, 2))
        x = np.where(good & (t == 0), y, 1 - y)
        learner.predict(x)
        learner.update(x, y)
        right.update(x, y)
    for _ in range(24):
        x = telling_advice(rng, n, right, [equal])
        if whole(learner.predict(x), "a prediction") != right.predict(x):
            wrong(
                "After many mistakes of all experts the vote is not that of the "
                "heavier side: the weights may have become 0, or equal again."
            )
        y = 1 - right.predict(x)
        learner.update(x, y)
        right.update(x, y)
    comeback(student, rng)


def comeback(student, rng):
    """An expert falls so far behind that its share becomes 0 in floats, and returns.

    Of three others two err in each round, in turns, and the fourth expert in all, so
    that it loses a factor of beta in three rounds.  Then it is alone against the
    three, who follow it down.  The learner errs in every round, and no vote is close.
    """
    beta, behind = 1e-6, int(rng.integers(55, 65))
    learner, right = student.new("WeightedMajority", 4, beta), Vote(4, beta)
    order = rng.permutation(4)
    for t in range(4 * behind + 10):
        one = t % 3 if t < 3 * behind else 3
        x = np.where(order == one, *rng.permutation(2))
        says = right.predict(x)
        if whole(learner.predict(x), "a prediction") != says and t >= 3 * behind:
            wrong(
                "An expert was far behind and errs no more, while all others do: at "
                "last it decides the vote. But a weight that has become 0 on the "
                "computer stays 0."
            )
        learner.update(x, 1 - says)
        right.update(x, 1 - says)


def two_games(rng, n, beta, rounds):
    """Two streams in turns, (x, y) each, opposed to Weighted Majority.

    No vote is close, and at least four are others if the games share their weights.
    """
    while True:
        right, shared = [Vote(n, beta), Vote(n, beta)], Vote(n, beta)
        streams, differ = ([], []), 0
        for which in [0, 1] * rounds:
            x = telling_advice(rng, n, right[which], [shared])
            y = 1 - right[which].predict(x)
            differ += shared.predict(x) == y and abs(shared.lead(x)) > 1e-4
            streams[which].append((x, y))
            right[which].update(x, y)
            shared.update(x, y)
        if differ >= 4:
            return streams


@checks("wma", "two learners do not disturb each other", points=1)
def wma_two(student, rng):
    streams = two_games(rng, 5, 0.5, 12)
    alone = student.new("WeightedMajority", 5, 0.5)
    for x, y in streams[0]:
        if whole(alone.predict(x), "a prediction") != 1 - y:
            wrong("One learner alone is wrong already; see the first check.")
        alone.update(x, y)
    two = [student.new("WeightedMajority", 5, 0.5) for _ in range(2)]
    for both in zip(*streams, strict=True):
        for learner, (x, y) in zip(two, both, strict=True):
            if whole(learner.predict(x), "a prediction") != 1 - y:
                wrong(
                    "Right alone, wrong when two learners play at once: what one "
                    "learns reaches the other. Where do you keep the weights?"
                )
            learner.update(x, y)


# --- Question 3: the coin -----------------------------------------------


def true_chances(beta, advice, outcomes):
    """The chances of a mistake of Randomized Weighted Majority."""
    erred = advice != outcomes[:, None]
    counts = erred.cumsum(axis=0) - erred
    weights = beta ** (counts - counts.min(axis=1, keepdims=True)).astype(float)
    return (weights * erred).sum(axis=1) / weights.sum(axis=1)


def random_rounds(rng, n, rounds, error=(0.2, 0.6)):
    """Experts with random chances of an error, on random outcomes."""
    outcomes = rng.integers(0, 2, rounds)
    erred = rng.random((rounds, n)) < rng.uniform(*error, n)
    return np.where(erred, 1 - outcomes[:, None], outcomes[:, None]), outcomes


def near(found, right):
    return np.allclose(found, right, rtol=NEAR, atol=1e-12)


def mistaken_chances(beta, advice, outcomes, found):
    """A sentence about chances that are not right."""
    right = true_chances(beta, advice, outcomes)
    erred = advice != outcomes[:, None]
    if near(found, 1 - right):
        return "These look like the chances of being right."
    if near(found, np.where(outcomes == 1, 1 - right, right)):
        return "These look like the probabilities of predicting 1."
    if near(found, erred.mean(axis=1)):
        return "These look like chances for weights that never change."
    if near(found, true_chances(1 / beta, advice, outcomes)):
        return "This looks like cutting the weights of the experts that were right."
    counts = erred.cumsum(axis=0)
    after = beta ** (counts - counts.min(axis=1, keepdims=True)).astype(float)
    if near(found, (after * erred).sum(axis=1) / after.sum(axis=1)):
        return "The learner predicts before it knows the outcome: update afterwards."
    if near(found, right > 0.5) or near(found, right >= 0.5):
        return "These are the mistakes of the vote; the coin errs with a chance."
    votes, lazy = Vote(advice.shape[1], beta, lazy=True), []
    for x, y in zip(advice, outcomes, strict=True):
        weights = beta ** (votes.counts - votes.counts.min())
        lazy.append(weights[x != y].sum() / weights.sum())
        votes.update(x, y)
    if near(found, lazy):
        return "This looks like updating only in the rounds in which the vote erred."
    t = int(np.argmin(np.isclose(found, right, rtol=NEAR, atol=1e-12)))
    return f"The chance in round {t + 1} of {len(right)} is not the share of the wrong."


def compare_chances(student, beta, advice, outcomes):
    found = student.call("chances", beta, advice, outcomes)
    found = vector(found, len(outcomes), "the chances")
    if not near(found, true_chances(beta, advice, outcomes)):
        wrong(mistaken_chances(beta, advice, outcomes, found))


@checks("rwma", "the chance of a mistake in each round", points=3)
def rwma_chances(student, rng):
    for _ in range(4):
        n, rounds = int(rng.integers(2, 9)), int(rng.integers(12, 30))
        advice, outcomes = random_rounds(rng, n, rounds)
        advice[0, 0] = 1 - advice[0, 1]  # not all alike in the first round
        compare_chances(student, float(rng.uniform(0.2, 0.8)), advice, outcomes)


@checks("rwma", "one expert, and rounds in which all agree", points=1)
def rwma_edges(student, rng):
    for n in (1, int(rng.integers(3, 7))):
        outcomes = rng.permutation([0, 0, 0, 1, 1, 1])
        advice = np.repeat(rng.permutation([0, 0, 1, 1, 0, 1])[:, None], n, axis=1)
        advice[0], advice[1] = outcomes[0], 1 - outcomes[1]
        compare_chances(student, float(rng.uniform(0.2, 0.8)), advice, outcomes)


@checks("rwma", "thousands of rounds", points=2)
def rwma_long(student, rng):
    advice, outcomes = random_rounds(rng, 5, 4000, error=(0.45, 0.5))
    beta = float(rng.uniform(0.4, 0.6))
    found = np.asarray(student.call("chances", beta, advice, outcomes))
    if found.dtype.kind == "f" and np.isnan(found).any():
        wrong("Some chances are 0/0: all weights have become 0 on the computer.")
    found = vector(found, len(outcomes), "the chances")
    right = true_chances(beta, advice, outcomes)
    if not near(found, right):
        if near(found[:100], right[:100]):
            wrong(
                "The chances are right at first and wrong later, when the weights "
                "have become tiny."
            )
        wrong(mistaken_chances(beta, advice, outcomes, found))
    for beta, behind in ((0.5, 1100), (1e-6, 60)):
        # One expert errs until its share is 0 in floats, and then the other two do.
        bad = np.repeat([[1, 0, 0], [0, 1, 1]], [behind, 2 * behind], axis=0)
        outcomes = rng.integers(0, 2, len(bad))
        advice = np.where(bad == 1, 1 - outcomes[:, None], outcomes[:, None])
        found = student.call("chances", beta, advice[:, rng.permutation(3)], outcomes)
        found = vector(found, len(outcomes), "the chances")
        if not near(found, true_chances(beta, advice, outcomes)):
            wrong(
                "Two experts lead by far, and then they err and the third does not: "
                "from some round on it leads. But a weight that has become 0 on the "
                "computer stays 0."
            )


# --- Question 4: the tuned penalty --------------------------------------


def pair(student, n, K):
    found = student.call("tuned", n, K)
    if isinstance(found, np.ndarray):
        found = found.tolist()
    if not isinstance(found, list) or len(found) != 2:
        wrong("tuned returns a pair: the penalty and what Theorem 2 promises.")
    numbers = real(found[0], "the penalty"), real(found[1], "the promise")
    return vector(numbers, 2, "the pair").tolist()  # in floats, as the bounds are


def same(found, right):
    return abs(found - right) <= NEAR * abs(right) < inf


def fresh_game(rng):
    return int(rng.integers(3, 2000)), int(rng.integers(2, 500))


def extreme_games(rng):
    """Few experts and many, few mistakes and many."""
    many, most = int(rng.integers(10**6, 10**9)), int(rng.integers(10**5, 10**6))
    return (2, 1), (2, most), (many, 1), (many, most)


@checks("tune", "the tuned penalty", points=2)
def tune_beta(student, rng):
    for n, K in (*(fresh_game(rng) for _ in range(3)), *extreme_games(rng)):
        beta, _ = pair(student, n, K)
        if same(beta, tuned_beta(n, K)):
            continue
        others = {
            "This looks like the logarithm to base 2.": 2 * log2(n) / K,
            "The 2 under the root is missing.": log(n) / K,
            "N and K: what is divided by what?": 2 * K / log(n),
            "This looks like ln K / N instead of ln N / K.": 2 * log(K) / n,
        }
        for sentence, inside in others.items():
            if same(beta, 1 / (1 + sqrt(inside))):
                wrong(sentence)
        if same(beta, 1 / (1 + 2 * log(n) / K)):
            wrong("The root is missing.")
        z = sqrt(log(n) / K)
        if same(beta, 1 / (1 + 2 * z + z**2 / log(2))):
            wrong("This is the penalty of the improved algorithm.")
        wrong("This is not the penalty of section 1.3.")


@checks("tune", "what Theorem 2 promises for it", points=1)
def tune_promise(student, rng):
    for n, K in (*(fresh_game(rng) for _ in range(3)), *extreme_games(rng)):
        beta, promise = pair(student, n, K)
        if not 0 < beta < 1:
            wrong("The penalty is not in (0, 1), so there is nothing to promise.")
        right = float(bound("cos511-thm2", beta=beta, n=n, best=K))
        if same(promise, right):  # for the student's own penalty
            continue
        if same(promise, float(bound("cos511-tuned", n=n, best=K, cap=K))):
            wrong("This is the estimate K + sqrt(2 K ln N) + ln N, not Theorem 2.")
        if same(promise, float(bound("cos511-thm1", beta=beta, n=n, best=K))):
            wrong("This is the bound of Theorem 1, for the vote.")
        if same(promise, (K * log(1 / beta) + log2(n)) / (1 - beta)):
            wrong("In Theorem 2 all logarithms are natural.")
        wrong("The promise is not Theorem 2's for the penalty you return with it.")


@checks("tune", "K = 0", points=1)
def tune_zero(student, rng):
    for _ in range(3):
        n, _ = fresh_game(rng)
        beta, promise = pair(student, n, 0)
        if abs(beta) > 1e-12:
            wrong("For K = 0 the penalty is its limit.")
        if not same(promise, log(n)):
            wrong("For K = 0 and beta = 0, what is left of the right-hand side?")


# --- Question 5: the adversary ------------------------------------------
#
# The learners are deterministic functions of the advice and of what was before.


class Stubborn:
    """Always the same bit."""

    def __init__(self, n, rng):
        self.bit = int(rng.integers(0, 2))

    def predict(self, x):
        return self.bit

    def update(self, x, y):
        pass


class Imitator(Stubborn):
    """The last outcome."""

    def update(self, x, y):
        self.bit = y


class Follower(Stubborn):
    """One of the experts, the next one after each mistake."""

    def __init__(self, n, rng):
        self.n, self.i = n, int(rng.integers(0, n))

    def predict(self, x):
        return int(x[self.i])

    def update(self, x, y):
        if x[self.i] != y:
            self.i = (self.i + 1) % self.n


class Table(Stubborn):
    """A secret function of the advice and the number of the round."""

    def __init__(self, n, rng):
        self.key, self.t = int(rng.integers(1, 2**40)) | 1, 0

    def predict(self, x):
        number = int("".join(map(str, x)), 2) + (self.t << 33)
        return (self.key * (2 * number + 1) >> 37) & 1

    def update(self, x, y):
        self.t += 1


class Leader:
    """Follow the Leader: an expert with the fewest mistakes."""

    def __init__(self, n, rng):
        self.counts = np.zeros(n, dtype=int)

    def predict(self, x):
        return int(x[self.counts.argmin()])

    def update(self, x, y):
        self.counts = self.counts + (x != y)


class Majority(Vote):
    """Weighted Majority."""

    def __init__(self, n, rng):
        beta, tie = float(rng.choice([0.25, 0.5, 0.9])), int(rng.integers(0, 2))
        super().__init__(n, beta, tie=tie)


LEARNERS = [Stubborn, Imitator, Follower, Table, Leader, Majority]


def tyranny(student, rng, make, n, rounds):
    """Play; the learner has to err in each round.  The best expert's mistakes
    after each round."""
    adversary, learner = student.new("Adversary", n), make(n, rng)
    counts, best = np.zeros(n, dtype=int), []
    for _ in range(rounds):
        advice = array(adversary.next_advice(), (n,), "the advice")
        if not np.isin(advice, (0, 1)).all():
            wrong("Advice consists of bits, 0 or 1.")
        advice = advice.astype(int)
        y_hat = learner.predict(advice)
        y = bit(adversary.outcome(y_hat), "the outcome")
        if y == y_hat:
            wrong("A learner was right in some round.")
        learner.update(advice, y)
        counts += advice != y
        best.append(int(counts.min()))
    return np.array(best)


@checks("adversary", "some expert errs at most half as often", points=3)
def adversary_half(student, rng):
    sizes = [(n + int(rng.integers(0, 3)), 24) for n in (2, 2, 3, 4, 5, 7)]
    sizes += [(int(rng.integers(2, 12)), 300), (int(rng.integers(70, 90)), 40)]
    makers = [*LEARNERS, Majority, Leader]
    for (n, most), make in zip(sizes, makers, strict=True):
        rounds = int(rng.integers(most // 2, most + 1))
        best = tyranny(student, rng, make, n, rounds)
        if (best > np.arange(1, rounds + 1) / 2).any():
            wrong(
                "A learner erred in every round, but at some time every expert had "
                "made more than T/2 mistakes. Which two experts cannot both be wrong?"
            )


@checks("adversary", "lg N mistakes, and a perfect expert", points=2)
def adversary_perfect(student, rng):
    games = [(int(rng.integers(3, 6)), make) for make in LEARNERS]
    games += [(int(rng.integers(8, 11)), make) for make in (Imitator, Table)]
    for k, make in games:
        if tyranny(student, rng, make, 2**k, k)[-1] > 0:
            wrong(
                "After lg N rounds no expert is perfect. Of those without a "
                "mistake, how many survive your round whatever the learner says?"
            )


@checks("adversary", "twice the best expert and lg N more", points=3)
def adversary_both(student, rng):
    games = [(int(rng.integers(2, 6)), int(rng.integers(12, 24))) for _ in LEARNERS]
    games += [(int(rng.integers(7, 9)), 30), (2, 200)]
    for (k, rounds), make in zip(games, [*LEARNERS, Imitator, Majority], strict=True):
        best = tyranny(student, rng, make, 2**k, rounds)[k - 1 :]
        most = np.ceil(np.arange(rounds - k + 1) / 2)  # for T = k, k + 1, ...
        if (best > most).any():
            wrong(
                "At some time the best expert has made more than (T - lg N)/2 "
                "mistakes, rounded up. How many perfect experts should be left "
                "when the two constant ones take over?"
            )


# --- Question 6: randomization does not always help ---------------------


def both_learners(advice, outcomes, tie=0):
    """Mistakes of Weighted Majority for beta = 1/2, and the coin's expected ones."""
    erred = advice != outcomes[:, None]
    counts = erred.cumsum(axis=0) - erred
    counts = counts - counts.min(axis=1, keepdims=True)
    weights = 0.5**counts
    wrong_share = (weights * erred).sum(axis=1) / weights.sum(axis=1)
    sign = np.sign(wrong_share - 0.5)
    for t in np.flatnonzero(abs(wrong_share - 0.5) < 1e-9):
        # In whole numbers, so that a tie is a tie.
        least = int(counts[t].max())
        exact = [1 << (least - int(c)) for c in counts[t]]
        against = sum(w if e else -w for w, e in zip(exact, erred[t], strict=True))
        sign[t] = (against > 0) - (against < 0)
    mistakes = (sign > 0) | ((sign == 0) & (outcomes != tie))
    return int(mistakes.sum()), float(wrong_share.sum())


def stream(student, k, c):
    """The student's stream."""
    found = student.call("coin_loses", k, c)
    if not isinstance(found, list) or len(found) != 2:
        wrong("coin_loses returns a pair: the advice and the outcomes.")
    try:
        advice, outcomes = (np.asarray(part, dtype=float) for part in found)
    except (TypeError, ValueError):
        wrong("Advice and outcomes hold numbers only, in rows of the same length.")
    if advice.ndim != 2 or outcomes.shape != advice.shape[:1]:
        wrong(
            "The advice has the shape (T, N) and the outcomes (T,), but yours have "
            f"{advice.shape} and {outcomes.shape}."
        )
    if not 1 <= advice.shape[0] <= 10_000 or not 1 <= advice.shape[1] <= 50:
        wrong("At most 10,000 rounds and 50 experts, and at least one of each.")
    if not np.isin(advice, (0, 1)).all() or not np.isin(outcomes, (0, 1)).all():
        wrong("Advice and outcomes are bits, 0 or 1.")
    return advice.astype(int), outcomes.astype(int)


def refuted(student, k, c):
    advice, outcomes = stream(student, k, c)
    voted, drawn = both_learners(advice, outcomes)
    if voted != k and both_learners(advice, outcomes, tie=1)[0] == k:
        wrong("Weighted Majority errs k times only if a tie is predicted 1.")
    if voted != k:
        more = "more" if voted > k else "fewer"
        wrong(f"Weighted Majority makes {more} than k mistakes on your stream.")
    if drawn < (c - 1e-9) * k:
        if drawn > k / 2:
            wrong(
                "The coin loses more than half of what the vote loses, but not c "
                "times as much. Is its loss bounded, however long the stream?"
            )
        wrong("On your stream the coin does halve the mistakes.")


@checks("counterexample", "the sentence is false: c = 1", points=2)
def coin_not_half(student, rng):
    for k in rng.choice(np.arange(3, 12), 2, replace=False):
        refuted(student, int(k), 1)


@checks("counterexample", "larger c, with one or two mistakes of the vote", points=2)
def coin_any_factor(student, rng):
    for k in (1, 2):
        refuted(student, k, int(rng.integers(5, 12)))


@checks("counterexample", "k and c together", points=2)
def coin_both(student, rng):
    for _ in range(2):
        refuted(student, int(rng.integers(3, 7)), int(rng.integers(4, 9)))
    for k, c in ((1, 50), (7, 7), (50, 1)):  # as much as there may be
        refuted(student, k, c)
