r"""Das's 9.520 class, slides 26-34: games, fictitious play, universal consistency.

Payoff matrices are the player's own, with its own actions on the last axis but one
and the other player's on the last; batch axes come first.  Actions are numbered from 0.
"""

from fractions import Fraction

import numpy as np

from olutil.theorems._common import SOME_EXPERT, SOME_ROUND, TWO_EXPERTS
from olutil.theorems._registry import theorem

# The table of slide 31: both actions (H = 0, T = 1), then player 1's and player 2's
# weights of the other's H and T.
H, T = 0, 1
SLIDE_31 = (
    (T, T, "1.5", "3", "2", "2.5"),
    (T, H, "2.5", "3", "2", "3.5"),
    (T, H, "3.5", "3", "2", "4.5"),
    (H, H, "4.5", "3", "3", "4.5"),
    (H, H, "5.5", "3", "4", "4.5"),
    (H, H, "6.5", "3", "5", "4.5"),
    (H, T, "6.5", "4", "6", "4.5"),
)

POSITIVE_LAM = {"lambda > 0": lambda lam: np.asarray(lam) > 0}


def spread(payoffs):
    """The most that a player's own action changes its payoff, shape (...)."""
    return np.ptp(np.asarray(payoffs), axis=-2).max(axis=-1)


# ---------------------------------------------------------------- games


@theorem("das-s26-defs", "slide 26", relation="==", evidence="exact", premises={
    "the other's strategy is a distribution": lambda other: (
        (np.asarray(other) >= 0).all() and (np.asarray(other).sum(axis=-1) == 1)
    ),
})  # fmt: skip
def best_pure_payoff(*, payoffs, other):
    """The largest entry of ``payoffs @ other``."""
    return (payoffs * other[..., None, :]).sum(axis=-1).max(axis=-1)


@theorem("das-s28-mp", "slide 28", relation="==", evidence="exhaustive exact")
def pennies_heads():
    """The probability of heads in equilibrium: one half, exactly."""
    return Fraction(1, 2)


# ---------------------------------------------------------------- fictitious play


@theorem("das-s29-fp", "slide 29", relation="==", evidence="steps")
def weight_counts(*, initial, actions):
    """Initial weights plus counts, after each round, shape (T, len(initial))."""
    seen = np.asarray(actions)[:, None] == np.arange(len(initial))
    return np.asarray(initial) + seen.astype(int).cumsum(axis=0)


@theorem("das-s30-fp", "slide 30", relation=">=", errata="das-E21", evidence="steps",
         premises={
    "the weights are at least 0, with a positive sum": lambda kappa: (
        (np.asarray(kappa) >= 0).all() and (np.asarray(kappa).sum(axis=-1) > 0)
    ),
})  # fmt: skip
def best_forecast_payoff(*, payoffs, kappa):
    """The largest expected payoff against the normalized weights, shape (...)."""
    kappa = np.asarray(kappa)
    gamma = kappa / kappa.sum(axis=-1, keepdims=True)
    return (gamma @ np.asarray(payoffs).T).max(axis=-1)


@theorem("das-s31-a", "slide 31", premises={"n >= 2": lambda n: np.asarray(n) >= 2},
         evidence="exhaustive random", nontrivial=True)  # fmt: skip
def constant_play_gain(*, payoffs, weight, n):
    """``D * K / (n - 1)``."""
    return spread(payoffs) * weight / (np.asarray(n) - 1)


@theorem("das-s33", "slide 33", relation="==", errata="das-E17", evidence="exact")
@theorem("das-s27-pd", "slide 27", relation="==", evidence="exhaustive exact",
         premises={
    "temptation > reward > punishment > sucker": lambda t, r, p, s: (
        (np.asarray(t) > r) & (np.asarray(r) > p) & (np.asarray(p) > s)
    ),
})  # fmt: skip
@theorem("das-s31-b", "slide 31", relation="==", errata="das-E16",
         evidence="exhaustive")  # fmt: skip
def exceptions():
    """None: no cooperation, no departure, no forecast that favors what happens."""
    return 0


@theorem("das-s31-c", "slide 31", evidence="exhaustive random", nontrivial=True,
         premises={
    "n >= 1": lambda n: np.asarray(n) >= 1,
    "K >= 0": lambda weight: np.asarray(weight) >= 0,
    "delta >= 0": lambda delta: np.asarray(delta) >= 0,
})  # fmt: skip
def marginal_gain(*, payoffs, delta, weight, n):
    """``D * (delta + K / (K + n))``."""
    return spread(payoffs) * (delta + weight / (weight + np.asarray(n)))


@theorem("das-s31-hyp-runs", "slide 31", relation="==", evidence="exact")
def shapley_run(*, before, third_before):
    """``a_{m-1} + a_{m-3} + 2``."""
    return before + third_before + 2


@theorem("das-s31-hyp", "slide 31", relation=">=",
         premises={"T >= 1000": lambda rounds: np.asarray(rounds) >= 1000},
         evidence="exact")  # fmt: skip
def shapley_swing(*, rounds):
    """The least swing of a frequency between rounds T / 10 and T: 2/5."""
    return Fraction(2, 5)


@theorem("das-s31-table", "slide 31", relation="==", errata="das-E13", evidence="exact")
def slide_31_table():
    """Actions and weights of the seven rows, as Fractions, shape (7, 6)."""
    rows = [[Fraction(v) for v in row] for row in SLIDE_31]
    return np.array(rows, dtype=object)


@theorem("das-s31-cycle", "slide 31", relation="==",
         premises={"k >= 1": lambda k: np.asarray(k) >= 1}, errata="das-E13",
         evidence="exact")  # fmt: skip
def pennies_run_length(*, k):
    """The length of run k: k."""
    return k


@theorem("das-s31-cycle-rate", "slide 31", premises=SOME_ROUND, evidence="steps",
         nontrivial=True)  # fmt: skip
def pennies_distance(*, rounds):
    """``(sqrt(2 T + 1/4) + 3/2) / (2 T)``."""
    rounds = np.asarray(rounds)
    return (np.sqrt(2 * rounds + 0.25) + 1.5) / (2 * rounds)


# ---------------------------------------------------------------- miscoordination


@theorem("das-s32-misco", "slide 32", relation="==", premises=SOME_ROUND,
         errata="das-E14", evidence="exact")  # fmt: skip
def coordination_payoff(*, same_order, rounds):
    """The total payoff of each player: 0, or T where the orders are opposite."""
    return np.where(same_order, 0, rounds)[()]


@theorem("das-s31-similar", "slides 31 and 32", relation="==", premises=SOME_ROUND,
         evidence="exact")  # fmt: skip
def miscoordination_regret(*, rounds):
    """``ceil(T / 2)``."""
    return -(-np.asarray(rounds) // 2)


# ---------------------------------------------------------------- consistency, experts


@theorem("das-s33-log", "slide 33", premises=SOME_EXPERT, errata="das-E17",
         evidence="exhaustive")  # fmt: skip
def bayes_log_regret(*, n):
    """``ln n``."""
    return np.log(n)


@theorem("das-s34-gibbs", "slide 34", premises=POSITIVE_LAM, evidence="random exact")
def soft_maximum(*, u, lam):
    """``lam * ln(sum(exp(u / lam)))``, shape (...)."""
    u = np.asarray(u, dtype=float)
    top = u.max(axis=-1)
    inner = np.exp((u - top[..., None]) / lam).sum(axis=-1)
    return top + lam * np.log(inner)


@theorem("das-s34-step", "slide 34 (supplied)",
         premises={**POSITIVE_LAM, "t >= 2": lambda t: np.asarray(t) >= 2},
         evidence="steps")  # fmt: skip
def potential_step(*, earned, lam, n, t):
    """``I . u + lam ln n + 1 / (8 lam (t - 1))``."""
    return earned + lam * np.log(n) + 1 / (8 * lam * (np.asarray(t) - 1))


@theorem("das-s34", "slide 34", premises=POSITIVE_LAM | SOME_ROUND | TWO_EXPERTS,
         evidence="exhaustive adversary random", nontrivial=True)  # fmt: skip
def average_regret(*, lam, n, rounds):
    """``lam ln n + (1 + ln T) / (8 lam T) + 1 / T``."""
    rounds = np.asarray(rounds)
    rest = (1 + np.log(rounds)) / (8 * lam * rounds) + 1 / rounds
    return lam * np.log(n) + rest


@theorem("das-s34-eps", "slide 34 (supplied)", evidence="adversary", nontrivial=True,
         premises={
    "0 < epsilon <= 1": lambda epsilon: (
        (np.asarray(epsilon) > 0) & (np.asarray(epsilon) <= 1)
    ),
    **TWO_EXPERTS,
    "T >= 2": lambda rounds: np.asarray(rounds) >= 2,
    "T is large enough": lambda epsilon, n, rounds: (
        (1 + np.log(rounds)) * np.log(n) / (4 * epsilon * rounds) + 1 / rounds
        <= epsilon / 2
    ),
})  # fmt: skip
def promised_regret(*, epsilon, n, rounds):
    """``epsilon``."""
    return epsilon


# ---------------------------------------------------------------- two learners


@theorem("das-minimax", "slide 34 (supplied)", evidence="exhaustive random")
def from_the_value(*, epsilon):
    """``2 epsilon``: how far from the value an average strategy may stay."""
    return 2 * np.asarray(epsilon)


@theorem("das-cce-shapley", "slide 34 (supplied)", relation=">=", evidence="exhaustive")
def least_in_shapley(*, epsilon):
    """``1/3 - epsilon``: what each player earns."""
    return 1 / 3 - np.asarray(epsilon)
