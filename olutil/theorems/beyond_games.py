"""Beyond the lectures: runs of fictitious play, exact gaps, all ordinal 2x2 games."""

from fractions import Fraction
from math import ceil, floor
from typing import Any

import numpy as np

from olutil.theorems._common import SOME_ROUND, TWO_EXPERTS
from olutil.theorems._registry import theorem

GAMES = "Games in exact arithmetic"

# ---------------------------------------------------------------- fictitious play


@theorem(
    "bey-game-pennies",
    "Runs in matching pennies",
    r"In matching pennies let each player break ties always for the same one of its "
    r"actions. From whatever initial weights, every run of fictitious play after the "
    r"second is exactly one round longer than the run before it.",
    where=GAMES,
    relation="==",
    premises={"after the second run": lambda k: np.asarray(k) >= 3},
    evidence=("exact",),
)
def next_run_of_pennies(*, before, k):
    """The run before it plus one; ``k`` counts the runs from 1."""
    return before + 1


def _sigma(kappa: Any) -> int:
    """The sum of what three successive switches exceed, for ties to the first."""
    first, second, third = map(Fraction, kappa)
    later = sum(v - ceil(v) + 1 for v in (second - first, third - second))
    return int(later + (first - third) - floor(first - third))


@theorem(
    "bey-game-shapley",
    "Runs in Shapley's game",
    r"In Shapley's game let ties be broken for the action with the smaller index, and "
    r"let the initial weights be whatever they are. Once a profile is shown in which "
    r"somebody earns 1, somebody earns 1 in every later round. The runs from there on "
    r"have lengths with $a_m = a_{m-1} + a_{m-3} + \sigma$ for every $m \ge 5$. Here "
    r"$\sigma$ is 1 or 2, the same in all runs that end with a switch of the same "
    r"player, and it is 2 if this player's initial weights are whole numbers.",
    where=GAMES,
    relation="==",
    premises={
        "m >= 5": lambda m: np.asarray(m) >= 5,
        "three weights": lambda kappa: np.shape(kappa)[-1] == 3,
    },
    evidence=("exact",),
)
def excess_over_recurrence(*, kappa):
    """``sigma = a_m - a_{m-1} - a_{m-3}``, shape (...).

    ``kappa`` holds the initial weights that the actions 0, 1, 2 of the player who
    switches are answers to, shape (..., 3).
    """
    kappa = np.asarray(kappa, dtype=object)
    sigma = [_sigma(weights) for weights in kappa.reshape(-1, 3)]
    return np.reshape(sigma, kappa.shape[:-1])


def _in_order(low: Any, middle: Any, high: Any) -> Any:
    return (low < middle) & (middle < high) & (high < low + 1)


@theorem(
    "bey-game-settle",
    "Shapley's game can settle",
    r"In Shapley's game let the initial weights satisfy $\kappa^1(1) < \kappa^1(0) < "
    r"\kappa^1(2) < \kappa^1(1) + 1$ and $\kappa^2(2) < \kappa^2(1) < \kappa^2(0) < "
    r"\kappa^2(2) + 1$. Then fictitious play shows $(2, 1), (1, 0), (0, 2)$ and these "
    r"three again forever, without a tie. Nobody ever earns anything, and both "
    r"marginals converge to the equilibrium $(\frac13, \frac13, \frac13)$.",
    where=GAMES,
    relation="==",
    premises={
        "player 1's weights are in order": lambda kappa_1: _in_order(
            kappa_1[1], kappa_1[0], kappa_1[2]
        ),
        "player 2's weights are in order": lambda kappa_2: _in_order(
            kappa_2[2], kappa_2[1], kappa_2[0]
        ),
    },
    evidence=("exact",),
)
def settled_profile(*, t):
    """The profile of round t, shape (..., 2)."""
    return np.stack([2 - (np.asarray(t) - 1) % 3, (1 - (np.asarray(t) - 1)) % 3], -1)


# ---------------------------------------------------------------- lambda


@theorem(
    "bey-game-lambda",
    "What lambda costs at least",
    r"Let $N \ge 2$ experts earn 0 for $m \ge 1$ rounds, and then let expert 1 earn 1 "
    r"and the others 0 for $n \ge 1$ rounds. With $c = n / (\lambda m)$ the learner "
    r"that maximizes $I \cdot \bar u_{t-1} + \lambda v(I)$, $v$ the entropy, has an "
    r"expected average regret of at least $\frac{\lambda}{1 + c \lambda} \bigl( \ln N "
    r"- \ln(1 + (N - 1) e^{-c}) \bigr)$ in these $m + n$ rounds. Hence, for every "
    r"$N$, no constant below 1 can stand before the $\lambda \ln N$ of the upper "
    r"bound for all $\lambda$.",
    where=GAMES,
    relation=">=",
    premises=TWO_EXPERTS
    | {
        "m, n >= 1": lambda idle, paid: (
            (np.asarray(idle) >= 1) & (np.asarray(paid) >= 1)
        ),
        "lambda > 0": lambda lam: np.asarray(lam) > 0,
    },
    evidence=("adversary",),
)
def price_of_lambda(*, lam, n, idle, paid):
    """The bound for ``n`` experts, with m = ``idle`` and then ``paid`` rounds."""
    c = paid / (lam * np.asarray(idle))
    return lam / (1 + c * lam) * (np.log(n) - np.log1p((n - 1) * np.exp(-c)))


# ---------------------------------------------------------------- duality gap


@theorem(
    "bey-game-gap",
    "The duality gap is the sum of the regrets",
    r"Let two players play mixed strategies $p_t$ and $q_t$ for $T \ge 1$ rounds of "
    r"the zero-sum game with payoffs $A$, with means $\bar p$ and $\bar q$ and with "
    r"total regrets $R_1$ and $R_2$, that is $R_1 = \max_a \sum_t (A q_t)_a - \sum_t "
    r"p_t^\top A q_t$ and $R_2 = \sum_t p_t^\top A q_t - \min_b \sum_t (p_t^\top "
    r"A)_b$. Then $\max_a (A \bar q)_a - \min_b (\bar p^\top A)_b = \frac{R_1 + "
    r"R_2}{T}$.",
    where=GAMES,
    relation="==",
    premises=SOME_ROUND,
    evidence=("exact",),
)
def gap_from_regrets(*, first, second, rounds):
    """``(R_1 + R_2) / T``."""
    return (first + second) / rounds


@theorem(
    "bey-game-selfplay",
    "Exponential weights against exponential weights",
    r"Let two players of a zero-sum game, with $M$ and $N$ actions and payoffs to "
    r"player 1 in $[0, 1]$, draw their actions in each round independently, with "
    r"probabilities proportional to $\beta^{-U}$, where $U$ are the total payoffs that "
    r"the actions would have earned so far and $0 < \beta < 1$. With $\eta = "
    r"\ln(1/\beta)$, the expected duality gap of the empirical marginals after $T$ "
    r"rounds is at most $\frac{\ln M + \ln N}{\eta T} + \frac{\eta}{4}$.",
    where=GAMES,
    premises=SOME_ROUND
    | {
        "0 < beta < 1": lambda beta: (np.asarray(beta) > 0) & (np.asarray(beta) < 1),
        "some action each": lambda rows, columns: rows >= 1 and columns >= 1,
    },
    evidence=("exact",),
    nontrivial=True,
)
def expected_gap(*, beta, rounds, rows, columns):
    """``(ln M + ln N) / (eta T) + eta / 4``."""
    eta = -np.log(np.asarray(beta, dtype=float))
    return np.log(rows * columns) / (eta * rounds) + eta / 4


# ---------------------------------------------------------------- ordinal 2x2 games


@theorem(
    "bey-game-count",
    "How many ordinal games there are",
    r"Two players each rank the four outcomes of a $2 \times 2$ game strictly. There "
    r"are 576 pairs of rankings. Two that differ by the names of a player's actions "
    r"are one game: 144 games. If the players may be exchanged as well, 78 are left. "
    r"Both players have a dominant action in 144, 36 and 21 of them, exactly one "
    r"player in 288, 72 and 36; without a dominant action there are two pure "
    r"equilibria in 72, 18 and 12, and none in 72, 18 and 9.",
    where=GAMES,
    relation="==",
    evidence=("exhaustive",),
)
def ordinal_games():
    """By rows the three ways to count, by columns the four classes."""
    return np.array([[144, 288, 72, 72], [36, 72, 18, 18], [21, 36, 12, 9]])


@theorem(
    "bey-game-dominance",
    "Fictitious play with a dominant action",
    r"In a $2 \times 2$ game with the ranks 1 to 4 as payoffs let player 1 have the "
    r"dominant action $a$, and let $\kappa$ be player 2's initial weight of the other "
    r"one. Then fictitious play shows the pure equilibrium in every round from number "
    r"$\lfloor 3 \kappa \rfloor + 2$ on.",
    where=GAMES,
    premises={"a weight": lambda kappa: np.asarray(kappa) >= 0},
    evidence=("exhaustive",),
)
def settled_by(*, kappa):
    """``floor(3 kappa) + 2``."""
    return np.floor(3 * np.asarray(kappa)).astype(int) + 2


@theorem(
    "bey-game-misco",
    "Who can miscoordinate forever",
    r"Let a $2 \times 2$ game have two strict pure equilibria, in which both players "
    r"use their first action or both their second, and let $(p, 1 - p)$, $(q, 1 - q)$ "
    r"be its mixed equilibrium. If fictitious play never shows a pure equilibrium, "
    r"from whatever weights, both players switch in the same rounds, and $p + q = 1$.",
    where=GAMES,
    relation="==",
    evidence=("exhaustive",),
)
def sum_of_mixes():
    """One."""
    return 1


@theorem(
    "bey-game-noregret",
    "No regret in 2x2 games",
    r"In a $2 \times 2$ game let each player's two payoffs differ against each action "
    r"of the other, and let the game have at most one pure equilibrium. Then it has "
    r"exactly one equilibrium $(p, q)$, and the product of $p$ and $q$ is the only "
    r"joint distribution of the two actions that gives neither player a positive "
    r"regret against a constant action. Hence, if the average regrets of both players "
    r"have limits superior of at most 0, the joint frequencies of play converge to it.",
    where=GAMES,
    relation="==",
    evidence=("exhaustive",),
)
def product_of_mixes(*, p, q):
    """The table ``p q^T``, shape (..., 2, 2)."""
    return np.asarray(p)[..., :, None] * np.asarray(q)[..., None, :]


@theorem(
    "bey-game-chase",
    "Runs without a pure equilibrium",
    r"In a $2 \times 2$ game without a pure equilibrium, in which no player is ever "
    r"indifferent against an action, let payoffs and initial weights be whole numbers. "
    r"Fictitious play goes round the four profiles, and there are a $P \ge 1$ and a "
    r"number $c > 0$ such that from some run on $a_{k + 4P} - a_k = c \, z_k$, where "
    r"$a_k$ is the length of run $k$ and $z_k$ the probability of its profile in the "
    r"mixed equilibrium. Hence the joint frequencies converge to the equilibrium.",
    where=GAMES,
    relation="==",
    evidence=("exact",),
)
def growth_of_runs(*, p, q):
    """``a_{k + 4P} - a_k`` by profiles, divided by its sum, shape (..., 2, 2)."""
    return product_of_mixes(p=p, q=q)


@theorem(
    "bey-game-away",
    "Exponential weights leave a mixed equilibrium",
    r"In a $2 \times 2$ game without a pure equilibrium, in which no player is ever "
    r"indifferent against an action, let $(p^*, 1 - p^*)$, $(q^*, 1 - q^*)$ be the "
    r"equilibrium, and $d_1$, $d_2$ the amounts by which each player's gain from its "
    r"first action changes when the other changes its action. Let both play "
    r"exponential weights with the same fixed rate and hear the other's probabilities "
    r"$p_t$ and $q_t$. With the relative entropy $K(a, b) = a \ln \frac ab + (1 - a) "
    r"\ln \frac{1 - a}{1 - b}$, the number $\frac{K(p^*, p_t)}{d_1} + \frac{K(q^*, "
    r"q_t)}{d_2}$ grows in every round, unless play is at the equilibrium.",
    where=GAMES,
    relation=">=",
    evidence=("steps",),
)
def distance_before(*, before):
    """The number one round before."""
    return before
