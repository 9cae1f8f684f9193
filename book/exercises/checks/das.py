"""Hidden checks of the problem set on Das's class.

No check passes or fails by chance: where inputs are drawn, they are drawn again until
they tell right from the usual wrong answers, and every bound holds with certainty.
"""

from math import log, sqrt

import numpy as np

from grading.checks import Checks, array, real, vector, wrong
from olutil import play
from olutil.games import game
from olutil.games import nash_2x2 as every_equilibrium
from olutil.linear import OnlineGradientDescent

checks = Checks()


def got(value):
    """The value, if there is one."""
    if value is None:
        wrong("Your function returned nothing (None); is a return missing?")
    return value


def close(found, expected, least=1):
    """Equal up to a relative error of 1e-9, or up to 1e-9 of ``least``."""
    return abs(found - expected) <= 1e-9 * max(least, abs(expected))


# --- Question 1: by hand -------------------------------------------------

COMPANY = np.array([[2, 0], [0, 1]]), np.array([[0, 2], [1, 0]])


def five_rounds(*, tie=0, own=False):
    """The five rounds, perhaps with a usual slip."""
    A, B = COMPANY
    kappa = [np.array([0, 1]), np.array([1, 1])]
    actions = []
    for _ in range(5):
        pair = []
        for values in (A @ kappa[0], kappa[1] @ B):
            best = np.flatnonzero(values == values.max())
            pair.append(int(best[tie]))
        actions.append(pair)
        seen = pair if own else pair[::-1]
        kappa = [k + (np.arange(2) == s) for k, s in zip(kappa, seen, strict=True)]
    return np.array(actions), kappa


def part(student, key):
    """One entry of what ``by_hand`` returns."""
    found = student.call("by_hand")
    if not isinstance(found, dict):
        wrong("by_hand returns a dict with the three keys of the text.")
    if key not in found:
        wrong(f'The dict has no entry "{key}".')
    return got(found[key])


def compare_actions(student, start, stop):
    found = array(part(student, "actions"), (5, 2), "the actions")
    right = five_rounds()[0]
    if np.array_equal(found[start:stop], right[start:stop]):
        return
    if np.array_equal(found, right[:, ::-1]):
        wrong("Each pair has player 1's action first, then player 2's.")
    if np.array_equal(found, five_rounds(tie=-1)[0]):
        wrong("This looks like ties that go to action 1; here they go to action 0.")
    if np.array_equal(found, five_rounds(own=True)[0]):
        wrong(
            "This looks like players who count their own actions; each counts "
            "what it has seen the other do."
        )
    rounds = np.flatnonzero((found != right).any(axis=1))
    if rounds[0] < start:
        wrong(f"The mistake is in an earlier round, round {rounds[0] + 1}.")
    wrong(f"Round {rounds[0] + 1} is not what the weights before it call for.")


@checks("by-hand", "the actions of rounds 1 to 3", points=1)
def hand_early(student, rng):
    compare_actions(student, 0, 3)


@checks("by-hand", "the actions of all five rounds", points=1)
def hand_late(student, rng):
    compare_actions(student, 0, 5)


@checks("by-hand", "the weights after round 5", points=2)
def hand_weights(student, rng):
    kappa = five_rounds()[1]
    found = [vector(part(student, key), 2, key) for key in ("kappa_1", "kappa_2")]
    if all(np.array_equal(f, k) for f, k in zip(found, kappa, strict=True)):
        return
    if all(np.array_equal(f, k) for f, k in zip(found, kappa[::-1], strict=True)):
        wrong("kappa_1 and kappa_2 are exchanged.")
    if [f.sum() for f in found] == [5, 6]:
        wrong("These weights have one round too few: they are asked after round 5.")
    if [f.sum() for f in found] != [6, 7]:
        wrong("Each round adds 1 to each player's weights; count what you have added.")
    actions = array(part(student, "actions"), (5, 2), "the actions")
    counts = [np.array([(a == s).sum() for s in (0, 1)]) for a in actions.T]
    seen = [np.array([0, 1]) + counts[1], np.array([1, 1]) + counts[0]]
    if all(np.array_equal(f, k) for f, k in zip(found, seen, strict=True)):
        wrong("The weights fit the actions you give, but not all of these are right.")
    own = [np.array([0, 1]) + counts[0], np.array([1, 1]) + counts[1]]
    if all(np.array_equal(f, k) for f, k in zip(found, own, strict=True)):
        wrong("kappa_1 counts what player 2 has played, and kappa_2 what player 1 has.")
    wrong("The weights are not the initial ones plus what each player has seen.")


# --- Question 2: LMS -----------------------------------------------------


def samples(rng, d, T):
    """A stream of regression, its inputs of a norm about 1."""
    X = rng.normal(size=(T, d)) / np.sqrt(d)
    return X, X @ rng.normal(size=d) + rng.normal(size=T)


def predictions(X, y, rates, *, factor=1.0, step="lms"):
    """What gradient descent predicts, right or with a usual slip."""
    w, told = np.zeros(X.shape[1]), []
    for x, label, rate in zip(X, y, rates, strict=True):
        told.append(w @ x)
        error = label - w @ x
        if step == "sign":
            error = np.sign(label) * (np.sign(label) != np.sign(w @ x))
        if step == "normed":
            error = error / (x @ x)
        w = w + factor * rate * error * x
    return np.array(told)


FAULTS = [
    ({"factor": 2.0}, "This looks like the gradient of the error without its half."),
    ({"factor": -1.0}, "This looks like a step up the gradient: check the sign."),
    ({"step": "sign"}, "This looks like the Perceptron's step on mistakes only."),
    ({"step": "normed"}, "This looks like a step that is divided by |x|^2."),
]


def follow(student, rng, falling):
    d, T, rate = int(rng.integers(3, 6)), 120, float(rng.uniform(0.3, 0.6))
    X, y = samples(rng, d, T)
    t = np.arange(1, T + 1)
    rates = rate / t if falling else np.full(T, rate)
    learner = student.new("LMS", d, rate, falling=falling)
    told = []
    for x, label in zip(X, y, strict=True):
        told.append(real(got(learner.predict(x)), "a prediction"))
        learner.update(x, float(label), told[-1])
    told = np.array(told, dtype=float)
    if falling:
        # The book's own learner is the judge.
        expected = play(
            OnlineGradientDescent(d, rate=lambda t: rate / t), zip(X, y, strict=True)
        ).predictions
    else:
        expected = play(
            OnlineGradientDescent(d, rate=rate), zip(X, y, strict=True)
        ).predictions

    def same(other):
        return np.allclose(told, other, rtol=1e-9, atol=1e-9)

    if same(expected):
        return
    if falling and same(predictions(X, y, np.full(T, rate))):
        wrong("With falling=True your rate stays constant.")
    if falling and same(predictions(X, y, rate / (t + 1))):
        wrong("Your first step has t = 2: the rate of round 1 is rate / 1.")
    if falling and same(predictions(X, y, rate / np.sqrt(t))):
        wrong("Your rate falls like the square root of t, not like t.")
    if not falling and same(predictions(X, y, rate / t)):
        wrong("With falling=False your rate falls.")
    for slip, sentence in FAULTS:
        if same(predictions(X, y, rates, **slip)):
            wrong(sentence)
    if not close(told[0], 0):
        wrong("The first prediction is not 0, so the weights do not start at 0.")
    first = int(np.argmax(~np.isclose(told, expected, rtol=1e-9, atol=1e-9)))
    wrong(f"Your predictions leave the right ones in round {first + 1}.")


@checks("lms", "follows a fresh stream with a constant rate", points=2)
def lms_constant(student, rng):
    follow(student, rng, False)


@checks("lms", "follows a fresh stream with a falling rate", points=2)
def lms_falling(student, rng):
    follow(student, rng, True)


@checks("lms", "two learners at once, each asked several times a round", points=1)
def lms_apart(student, rng):
    runs = []
    for d, falling in ((2, True), (4, False)):
        X, y = samples(rng, d, 8)
        t = np.arange(1, 9)
        rates = 0.7 / t if falling else np.full(8, 0.7)
        learner = student.new("LMS", d, 0.7, falling=falling)
        runs.append((learner, X, y, predictions(X, y, rates)))
    for t in range(8):
        for learner, X, y, expected in runs:
            told = [real(got(learner.predict(X[t].tolist()))) for _ in range(3)]
            if not all(close(p, told[0]) for p in told):
                wrong("Your learner answers the same question differently: predict "
                      "changes it.")  # fmt: skip
            if not close(told[0], expected[t]):
                if t == 0:
                    wrong(
                        "A new learner does not start from weights 0; perhaps it "
                        "shares them with an older one."
                    )
                wrong(
                    "The predictions are not right here.  If the checks above pass, "
                    "two learners disturb each other, or asking more than once counts "
                    "as a round."
                )
            learner.update(X[t].tolist(), float(y[t]), told[0])


# --- Question 3: rates ---------------------------------------------------


def orthogonal(rng, n, d):
    """n whole-numbered orthogonal inputs in d coordinates, of different lengths."""
    signs = np.array([[1, 1], [1, -1]])
    hadamard = np.kron(signs, signs)
    rows = np.zeros((n, d), dtype=int)
    lengths = rng.choice(np.arange(1, 9), size=n, replace=False)
    rows[:, :4] = hadamard[rng.permutation(4)[:n]] * lengths[:, None]
    return rows[:, rng.permutation(d)]


def stability(student, X):
    found = real(got(student.call("largest_rate", X)), "the rate")
    size = (X**2).sum(axis=1)
    if close(found, 2 / size.max(), least=0):
        return
    slips = [
        (1 / size.max(), "Above this rate a step overshoots; that is not yet fatal."),
        (2 / np.sqrt(size.max()), "The norm is not squared."),
        (2 / size.min(), "With this rate some sample's residual grows: the one of the "
                         "longest input."),
        (2 / size.mean(), "The mean square is not enough: every residual must shrink."),
        (2 / size.sum(), "Smaller than necessary: the inputs are orthogonal, so a step "
                         "on one leaves the residuals of the others alone."),
        (2 * len(X) / size.max(), "That is for the mean error; each step here is on "
                                  "one sample, with the full rate."),
        (2 / (size.max() + size.min()), "That rate is fast, but not the limit."),
    ]  # fmt: skip
    for value, sentence in slips:
        if close(found, value, least=0):
            wrong(sentence)
    wrong(
        "Below your number some residual grows, or above it all still shrink: see by "
        "what factor a step multiplies the residual."
    )


@checks("rates", "the largest stable rate for one input", points=1)
def rates_single(student, rng):
    for d in (1, 3, 5):
        x = rng.integers(2, 8, size=(1, d)) * rng.choice([-1, 1], size=(1, d))
        for scale in (1, 1 / 4, 2.0**40, 2.0**-40):
            stability(student, x * scale)


@checks("rates", "the largest stable rate for several orthogonal inputs", points=1)
def rates_several(student, rng):
    for n, d in ((2, 4), (3, 5), (4, 6)):
        X = orthogonal(rng, n, d)
        X = np.roll(X, 1 - (X**2).sum(axis=1).argmax(), axis=0)  # neither end counts
        for scale in (1, 1 / 8, 2.0**40, 2.0**-40):
            stability(student, X * scale)


def tuning(student, rng, ratios):
    """The error in the limit is within a millionth of the least."""

    def error(eta, noise, drift):
        return ((1 - eta) ** 2 * drift + eta**2 * noise) / (eta * (2 - eta))

    def best(noise, drift):
        return (sqrt(drift**2 + 4 * noise * drift) - drift) / (2 * noise)

    for ratio, scale in zip(ratios, (1, 1e-6, 1e6, 1, 1, 1, 1), strict=False):
        noise = float(rng.uniform(0.2, 5)) * scale
        drift = noise * ratio
        eta = real(got(student.call("best_rate", noise, drift)), "the rate")
        if not 0 < eta < 2:
            wrong("A constant rate between 0 and 2 is asked for.")
        least = error(best(noise, drift), noise, drift)
        if error(eta, noise, drift) <= least * (1 + 1e-6):
            continue
        if close(eta, best(drift, noise)):
            wrong("Noise and drift are exchanged.")
        if close(eta, best(noise**2, drift**2)):
            wrong("The arguments are variances already: do not square them.")
        if close(eta, best(sqrt(noise), sqrt(drift))):
            wrong("The arguments are variances: do not take their roots.")
        # The least of the same quotient without the factor of the drift.
        if close(eta, sqrt(drift / noise)):
            wrong("That rate is nearly best for a very slow teacher only.")
        if abs(eta - best(noise, drift)) < 0.02:
            wrong(
                "Close, but the error in the limit is more than one millionth above "
                "the least: search more finely, or derive a formula."
            )
        if eta > best(noise, drift):
            wrong("Your rate is too large for the noise: a smaller one is better.")
        wrong("Your rate is too small for the drift: a larger one is better.")


@checks("rates", "the best rate for a slow teacher", points=1)
def rates_slow(student, rng):
    tuning(student, rng, [*rng.uniform(0.6, 1, size=4) * [0.02, 0.05, 0.2, 0.5], 0.01])


@checks("rates", "the best rate for any teacher", points=2)
def rates_any(student, rng):
    tuning(student, rng, [*rng.uniform(0.6, 1, size=5) * [0.03, 0.7, 4, 15, 90], 100])


# --- Question 4: fictitious play -----------------------------------------


def fictitious(A, B, kappa_1, kappa_2, T, *, tie="stay", own=False, turned=False,
               second=False, rounded=False):  # fmt: skip
    """The play as asked, or with a slip; and whether a tie occurred."""
    m, n = A.shape
    rows = [list(map(int, row)) for row in A]
    columns = [list(map(int, column)) for column in (B if turned else B.T)]
    k1, k2 = list(map(int, kappa_1)), list(map(int, kappa_2))
    last, pairs, tied = [None, None], [], 0

    def respond(payoffs, weights, player):
        nonlocal tied
        if rounded:
            gamma = [weight / sum(weights) for weight in weights]
            values = [sum(map(float.__mul__, gamma, row)) for row in payoffs]
        else:
            values = [sum(map(int.__mul__, row, weights)) for row in payoffs]
        top = max(values)
        best = [action for action, value in enumerate(values) if value == top]
        tied += len(best) > 1
        stays = (
            len(best) == 2 if tie == "two" else tie in ("stay", "stay or last", player)
        )
        if last[player] in best and stays:
            return last[player]
        return best[-1] if tie in ("last", "stay or last") else best[0]

    for _ in range(T):
        row = respond(rows, k1, 0)
        if second:
            k2[row] += 1
        column = respond(columns, k2, 1)
        last[:] = row, column
        k1[row if own else column] += 1
        if not second:
            k2[column if own else row] += 1
        pairs.append((row, column))
    return np.array(pairs), tied


# ``tie=0``: player 1 stays and player 2 does not; ``tie=1``: the reverse.
SLIPS = [
    (
        {"rounded": True},
        "This looks like a tie that was lost to rounding: compare before you divide "
        "by the sum of the weights.",
    ),
    ({"tie": "first"}, "This looks like ties that always go to the first action."),
    ({"tie": "last"}, "This looks like ties that always go to the last action."),
    (
        {"tie": "stay or last"},
        "This looks like a player who takes the last of its best responses where it "
        "cannot repeat its previous action.",
    ),
    (
        {"tie": "two"},
        "This looks like a player who stays where two actions are best, and not where "
        "three are.",
    ),
    ({"tie": 0}, "This looks like player 2 forgetting to stay in a tie."),
    ({"tie": 1}, "This looks like player 1 forgetting to stay in a tie."),
    (
        {"second": True},
        "This looks like player 2 answering the action of the same round: both choose "
        "at once.",
    ),
    ({"own": True}, "This looks like players who count their own actions."),
    (
        {"turned": True},
        "This looks like player 2 choosing among the rows of B; player 2 owns the "
        "columns.",
    ),
]


def same_play(student, A, B, k1, k2, T):
    expected, _ = fictitious(A, B, k1, k2, T)
    found = got(student.call("fictitious_play", A, B, k1, k2, T))
    found = array(found, (T, 2), "the answer")
    if np.array_equal(found, expected):
        return
    if np.array_equal(found, expected[:, ::-1]):
        wrong("Each pair is (row, column): player 1's action first.")
    if np.array_equal(found, expected + 1):
        wrong("Actions are counted from 0.")
    square = A.shape[0] == A.shape[1]
    for slip, sentence in SLIPS:
        if not square and ("own" in slip or "turned" in slip):
            continue
        if np.array_equal(found, fictitious(A, B, k1, k2, T, **slip)[0]):
            wrong(sentence)
    late, early = found[1:] == expected[:-1], found[:-1] == expected[1:]
    if late.all() or early.all():
        wrong("Your play is one round off.")
    first = int(np.argmax((found != expected).any(axis=1)))
    wrong(f"Your play leaves the right one in round {first + 1} of {T}.")


def draw(rng, shape, *, most, weights, T, ties, slips, alike=()):
    """A game of whole numbers whose play tells the slips apart.

    From the right play, and from each other; those of ``alike`` make no difference.
    """
    while True:
        A, B = rng.integers(0, most + 1, size=(2, *shape)) - rng.integers(0, 2 * most)
        k1 = rng.integers(0, weights + 1, size=shape[1])
        k2 = rng.integers(0, weights + 1, size=shape[0])
        if not (k1.any() and k2.any()):
            continue
        right, tied = fictitious(A, B, k1, k2, T)
        if (tied > 0) != ties or len({tuple(pair) for pair in right}) < 3:
            continue
        seen = {right.tobytes()}
        for slip in slips:
            play = fictitious(A, B, k1, k2, T, **slip)[0].tobytes()
            if play in seen:
                break
            seen.add(play)
        else:
            same = (fictitious(A, B, k1, k2, T, **slip)[0] for slip in alike)
            if all(np.array_equal(play, right) for play in same):
                return A, B, k1, k2, T


SECOND, ROUNDED = {"second": True}, {"rounded": True}
BASIC = [SECOND, {"own": True}, {"turned": True}]
TIES = [{"tie": tie} for tie in ("first", "last", "stay or last", 0, 1)]


@checks("fictitious-play", "square games without ties", points=3)
def play_square(student, rng):
    for n in (2, 3, 3):
        same_play(
            student,
            *draw(rng, (n, n), most=40, weights=6, T=25, ties=False, slips=BASIC),
        )


@checks("fictitious-play", "games with unequal numbers of actions", points=1)
def play_oblong(student, rng):
    for shape in ((2, 4), (4, 3)):
        same_play(
            student,
            *draw(rng, shape, most=40, weights=6, T=25, ties=False, slips=[SECOND]),
        )


@checks(
    "fictitious-play",
    "ties: the previous action if it is among the best, else the first",
    points=3,
)
def play_ties(student, rng):
    for shape in ((2, 2), (2, 3), (3, 3), (4, 3)):
        same_play(
            student,
            *draw(
                rng,
                shape,
                most=2,
                weights=2,
                T=20,
                ties=True,
                slips=TIES,
                alike=[ROUNDED],
            ),
        )
    same_play(
        student,
        *draw(
            rng, (4, 4), most=1, weights=2, T=20, ties=True, slips=[{"tie": "two"}],
            alike=[ROUNDED],
        ),
    )  # fmt: skip


@checks("fictitious-play", "ties stay exact in long play", points=1)
def play_long(student, rng):
    for stays in (0, 1):
        slips = [ROUNDED, *TIES[:3], {"tie": stays}]
        same_play(
            student,
            *draw(rng, (3, 3), most=4, weights=2, T=60, ties=True, slips=slips),
        )
    # The same play with sums that are almost equal, and with huge ones.
    A, B, *rest = draw(
        rng, (3, 3), most=4, weights=2, T=60, ties=True, slips=[ROUNDED, *TIES[:3]]
    )
    same_play(student, A + 10**8, B + 10**8, *rest)
    same_play(student, A * 1_000_003, B * 1_000_003, *rest)


# --- Question 5: Nash equilibria -----------------------------------------


def pure(A, B):
    """Where the pure equilibria are, to tell a turned table."""
    best = (A == A.max(axis=0)) & (B == B.max(axis=1, keepdims=True))
    return best.tolist()


def two_by_two(rng, count, mixed, most=9):
    """A game with that many equilibria, of which that many are mixed."""
    while True:
        A, B = rng.integers(-most, most + 1, size=(2, 2, 2))
        if not (np.diff(A, axis=0).all() and np.diff(B, axis=1).all()):
            continue
        here = pure(A, B)
        if np.sum(here) != count - mixed or here in (pure(A, B.T), pure(A.T, B)):
            continue
        found = every_equilibrium(game(A, B))
        inside = [p for p, _ in found if 0 < p[0] < 1]
        halves = any(p[0] == p[1] for p in inside)
        if len(found) == count and len(inside) == mixed and not halves:
            return A, B, found


def all_equilibria(student, A, B, expected):
    value = got(student.call("nash_2x2", A, B))
    if not isinstance(value, (list, np.ndarray)):
        wrong("nash_2x2 returns a list of pairs (p, q).")
    if len(value) == 0:
        wrong("Your list is empty, but every game has an equilibrium.")
    if len(value) > 9:
        wrong("Your list is too long: these games have one equilibrium or three.")
    found = array(value, (len(value), 2, 2), "the list of pairs")
    for p, q in found:
        if min(*p, *q) < -1e-9 or abs(p.sum() - 1) > 1e-9 or abs(q.sum() - 1) > 1e-9:
            wrong("A strategy of yours is no probability distribution.")
        gain = [max(A @ q) - p @ A @ q, max(p @ B) - p @ B @ q]
        if max(gain) > 1e-8:
            a, b = A[:, 0] - A[:, 1], B[0] - B[1]
            own = a[0] != a[1] and b[0] != b[1]
            if own and np.isclose(p[0], a[1] / (a[1] - a[0])):
                wrong(
                    "Your mix makes the player itself indifferent between the other's "
                    "actions; it must make the other player indifferent."
                )
            turned = ((q, p) for p, q in np.array(expected, dtype=float))
            if any(np.allclose([p, q], pair) for pair in turned):
                wrong("The mixes of the two players are exchanged.")
            who = 1 if gain[0] > 1e-8 else 2
            kind = "pure" if {*p.round(9), *q.round(9)} <= {0, 1} else "mixed"
            wrong(f"In one of your {kind} profiles player {who} gains by deviating.")
    for p, q in expected:
        pair = np.array([p, q], dtype=float)
        if not np.isclose(found, pair, rtol=1e-9, atol=1e-8).all(axis=(1, 2)).any():
            kind = "mixed" if 0 < p[0] < 1 else "pure"
            wrong(f"An equilibrium is missing: a {kind} one.")
    if len(found) > len(expected):
        wrong("An equilibrium occurs twice in your list.")


@checks("nash", "games with a mixed equilibrium only", points=2)
def nash_mixed(student, rng):
    for most in (9, 9, 9, 10**3):
        all_equilibria(student, *two_by_two(rng, 1, 1, most))


@checks("nash", "games with one pure equilibrium, or three", points=2)
def nash_several(student, rng):
    for kind in ((1, 0), (3, 1), (1, 0), (3, 1), (3, 1)):
        all_equilibria(student, *two_by_two(rng, *kind))
    all_equilibria(student, *two_by_two(rng, 3, 1, 10**3))


# --- Question 6: regret --------------------------------------------------


class Match:
    """Plays a learner and holds it to the bound after every round."""

    def __init__(self, student, n):
        self.learner, self.n = student.new("AnytimeWeights", n), n
        self.totals, self.earned, self.t = np.zeros(n), 0.0, 0
        self.backward = True  # so far: more payoff, less weight

    def round(self, choose, sentence):
        p = vector(got(self.learner.predict()), self.n, "the probabilities")
        if p.min() < -1e-9 or abs(p.sum() - 1) > 1e-9:
            wrong("What you return are not probabilities: at least 0, of sum 1.")
        most, least = self.totals.argmax(), self.totals.argmin()
        if self.totals[most] > self.totals[least]:
            self.backward &= p[most] < p[least]
        u = choose(p)
        self.learner.update(u)
        self.t += 1
        self.totals += u
        self.earned += p @ u
        limit = 1.25 * sqrt(self.t * log(self.n))
        if self.totals.max() - self.earned > limit * (1 + 1e-9):
            if self.backward:
                wrong(
                    "Your learner trusts an expert the less, the more it was paid: "
                    "check the sign in the exponent."
                )
            wrong(f"{sentence} ({self.n} experts, after {self.t} rounds)")


def leading(n, good, gap):
    u = np.full(n, 0.5 - gap / 2)
    u[good] += gap
    return u


SLOW = (
    "The regret is too large: your learner is too slow to trust an expert that is "
    "better in every round."
)
# No rate that stays the same keeps the bound both here and in `halves`: the smaller
# ones are too slow for 12 rounds, the larger ones too fast for some 2,000.
SHORT = [(n, 1.0, 12) for n in (16, 20)]


@checks("regret", "one expert is better by the same lead in every round", points=2)
def regret_lead(student, rng):
    # Each of another number of experts, and another good one.
    good = rng.permutation(np.arange(1, 8))
    games = (10, 0.4, 90), (200, 0.28, 150), (200, 1.0, 20), *SHORT
    for i, (n, gap, T) in enumerate(games):
        match = Match(student, n)
        u = leading(n, int(good[i]), gap)
        for _ in range(T):
            match.round(
                lambda p, u=u: u,
                SLOW,
            )


@checks("regret", "an opponent who sees the probabilities", points=3)
def regret_opponent(student, rng):
    for n, gap in ((2, 0.5), (6, 0.6)):
        match = Match(student, n)
        names = rng.permutation(n)

        def least(p, n=n, names=names):
            u = np.zeros(n)
            u[names[p[names].argmin()]] = 1
            return u

        for _ in range(20):
            match.round(
                least,
                "The regret is too large against an opponent who pays the expert that "
                "you trust least: your learner runs after the payoffs too fast.",
            )
        u = leading(n, int(names[0]), gap)
        for _ in range(80):
            match.round(
                lambda p, u=u: u,
                "The regret is too large after the opponent has left: your learner is "
                "too slow to trust the better expert.",
            )


@checks("regret", "experts that take turns, then a new best one", points=3)
def regret_turns(student, rng):
    for n, best, turns, more in ((4, 1, 20, 80), (4, 2, 20, 80)):
        match = Match(student, n)
        order = [*rng.permutation([i for i in range(n) if i != best]), best]
        for t in range(turns):
            u = np.eye(n)[order[t % n]]
            if t == 0:
                # Half a payoff puts whoever is followed out of step.
                u = u / 2
            match.round(
                lambda p, u=u: u,
                "The regret is too large while the experts take turns: your learner "
                "follows the one that was just paid.",
            )
        u = leading(n, best, 0.5)
        for _ in range(more):
            match.round(
                lambda p, u=u: u,
                "The regret is too large after the experts have stopped taking turns: "
                "your learner is too slow to trust the better one.",
            )
    halves(student, rng, SHORT[rng.integers(len(SHORT))][0], 2100, 200)
    halves(student, rng, 2, int(rng.integers(60, 90)), 40)
    halves(student, rng, 200, int(rng.integers(200, 240)), 150)
    new_starts(student, rng)
    overtaking(student, rng)


def halves(student, rng, n, turns, lead):
    """Two halves of the experts take turns, and then one expert leads.

    Here a rate c sqrt(ln n / t) keeps the bound in round t for c from 0.9 to 9, so one
    that stays the same can do so from some t to about 100 t: `SHORT` and the two
    lengths tell it, and tell most pairs of rates that are exchanged in between.  Not
    all of them: what a learner does after the last round, no check can see.

    After the turns all experts are as good as each other.  To overtake them, the one
    that leads needs about ln n divided by the rate.  With a rate of c sqrt(ln n / t) in
    round t, turns and lead together cost almost the theorem's (1 / c + c / 4) times the
    root of t ln n.  That of the right constants, 1 to 4, is at most 5 / 4, and 2,000
    rounds tell 0.95 and 4.3 from them: shorter games lose more at their beginning and
    end than these are wrong.  Many experts tell the weights in proportion to the
    regrets, too, whose regret grows with the root of n and not of its logarithm.
    """
    match = Match(student, n)
    first = rng.permutation(n) < n // 2
    for t in range(turns):
        u = (first if t % 2 == 0 else ~first) * (0.5 if t == 0 else 1.0)
        match.round(
            lambda p, u=u: u,
            "The regret is too large while the experts take turns: your learner "
            "follows those that were just paid, even after many rounds.",
        )
    u = np.eye(n)[first.argmax()]
    for _ in range(lead):
        match.round(
            lambda p, u=u: u,
            "The regret is too large after the experts have stopped taking turns: your "
            "learner is too slow to trust the better one, or was too fast before.",
        )


def overtaking(student, rng):
    """One of two experts leads, and the other has three times as many rounds then.

    Whoever weighs each payoff by the rate of its own round trusts the first, whose
    rounds had the larger rates, almost until the end.
    """
    match = Match(student, 2)
    pays = rng.permutation(np.eye(2))
    lead = int(rng.integers(13, 19))
    for t in range(4 * lead):
        match.round(
            lambda p, u=pays[int(t >= lead)]: u,
            "The regret is too large where one expert overtakes another: does the rate "
            "of a round apply to the total payoffs, those of earlier rounds included?"
            if t >= lead
            else SLOW,
        )


def new_starts(student, rng):
    """Against whoever starts afresh: turns, and a lead before the next start.

    The opponent sees a start where the probabilities are equal again, and expects the
    next one after twice as many rounds.  Whoever never starts afresh is soon let go.
    """
    n = 4
    match = Match(student, n)
    first = rng.permutation(n) < n // 2
    begun, length = 0, 1

    def choose(p):
        nonlocal begun, length
        if match.t > 0 and np.allclose(p, 1 / n):
            begun, length = match.t, 2 * (match.t - begun)
        played = match.t - begun
        if length - played <= max(1, 1.3 * sqrt(length)):
            return np.eye(n)[first.argmax()]
        return (first if played % 2 else ~first) * (0.5 if played == 0 else 1.0)

    while match.t < (260 if begun else 40):
        match.round(
            choose,
            "The regret is too large: your learner starts afresh from time to time, "
            "and what it pays for learning anew adds up."
            if begun
            else SLOW,
        )
