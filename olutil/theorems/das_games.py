r"""Das's 9.520 class, slides 26-34: games, fictitious play, universal consistency.

Payoff matrices are the player's own, with its own actions on the last axis but one
and the other player's on the last; batch axes come first.  Actions are numbered from 0.
"""

from fractions import Fraction

import numpy as np

from olutil.theorems._common import SOME_EXPERT, SOME_ROUND, TWO_EXPERTS
from olutil.theorems._registry import definition, theorem

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


@theorem(
    "das-s26-defs",
    "Pure deviations decide a Nash equilibrium",
    r"Against any mixed strategy $\sigma_{-i}$ of the others, the largest payoff that "
    r"a mixed strategy can earn is earned by a pure one: "
    r"$\max_{\sigma_i} u_i(\sigma_i, \sigma_{-i}) = "
    r"\max_{s_i \in S_i} u_i(s_i, \sigma_{-i})$. Hence $\sigma^*$ is a Nash "
    r"equilibrium if and only if "
    r"$u_i(\sigma_i^*, \sigma_{-i}^*) \ge u_i(s_i, \sigma_{-i}^*)$ for every player "
    r"$i$ and every pure strategy $s_i \in S_i$.",
    where="slide 26",
    relation="==",
    premises={
        "the other's strategy is a distribution": lambda other: (
            (np.asarray(other) >= 0).all() and (np.asarray(other).sum(axis=-1) == 1)
        ),
    },
    evidence=("exact",),
)
def best_pure_payoff(*, payoffs, other):
    """The largest entry of ``payoffs @ other``."""
    return (payoffs * other[..., None, :]).sum(axis=-1).max(axis=-1)


@theorem(
    "das-s27-pd",
    "The Prisoner's Dilemma has one equilibrium",
    r"In a Prisoner's Dilemma (temptation $>$ reward $>$ punishment $>$ sucker's "
    r"payoff; on the slide $5 > 3 > 1 > 0$) the only Nash equilibrium, pure or mixed, "
    r"is that both players defect: each cooperates with probability $0$.",
    where="slide 27",
    relation="==",
    premises={
        "temptation > reward > punishment > sucker": lambda t, r, p, s: (
            (np.asarray(t) > r) & (np.asarray(r) > p) & (np.asarray(p) > s)
        ),
    },
    evidence=("exhaustive", "exact"),
)
def dilemma_cooperates():
    """The probability of cooperating in equilibrium: 0."""
    return 0


@theorem(
    "das-s28-mp",
    "Matching pennies has one equilibrium",
    r"The only Nash equilibrium of matching pennies, pure or mixed, is that each "
    r"player shows heads with probability $\tfrac12$.",
    where="slide 28",
    relation="==",
    evidence=("exhaustive", "exact"),
)
def pennies_heads():
    """The probability of heads in equilibrium: one half, exactly."""
    return Fraction(1, 2)


# ---------------------------------------------------------------- fictitious play


@theorem(
    "das-s29-fp",
    "The weights of fictitious play count",
    r"Player $i$ keeps a weight for every action $s^{-i}$ of the opponent and adds "
    r"one to the action it has just seen: $\kappa^i_t(s^{-i}) = "
    r"\kappa^i_{t-1}(s^{-i}) + \mathbf{1}[s^{-i}_{t-1} = s^{-i}]$. So "
    r"$\kappa^i_t(s^{-i})$ is the initial weight plus the number of rounds before $t$ "
    r"in which the opponent played $s^{-i}$.",
    where="slide 29",
    relation="==",
    evidence=("steps",),
)
def weight_counts(*, initial, actions):
    """Initial weights plus counts, after each round, shape (T, len(initial))."""
    seen = np.asarray(actions)[:, None] == np.arange(len(initial))
    return np.asarray(initial) + seen.astype(int).cumsum(axis=0)


@theorem(
    "das-s30-fp",
    "Fictitious play answers the forecast",
    r"From weights with a positive sum, player $i$ forecasts "
    r"$\gamma^i_t(s^{-i}) = \kappa^i_t(s^{-i}) / \sum_{\tilde s \in S^{-i}} "
    r"\kappa^i_t(\tilde s)$ and plays a best response: its action earns against "
    r"$\gamma^i_t$ at least what every other action would earn.",
    where="slide 30",
    relation=">=",
    premises={
        "the weights are at least 0, with a positive sum": lambda kappa: (
            (np.asarray(kappa) >= 0).all() and (np.asarray(kappa).sum(axis=-1) > 0)
        ),
    },
    errata=("das-E21",),
    evidence=("steps",),
)
def best_forecast_payoff(*, payoffs, kappa):
    """The largest expected payoff against the normalized weights, shape (...)."""
    kappa = np.asarray(kappa)
    gamma = kappa / kappa.sum(axis=-1, keepdims=True)
    return (gamma @ np.asarray(payoffs).T).max(axis=-1)


@theorem(
    "das-s31-a",
    "Constant play is an equilibrium",
    r"Suppose fictitious play shows the same profile in $n \ge 2$ successive rounds, "
    r"and before the first of them a player's weights add up to $K$. Then this player "
    r"cannot gain more than $D K / (n - 1)$ by leaving the profile, where $D$ is the "
    r"most that its own action changes its payoff. Hence, if fictitious play is "
    r"constant from some round on, the profile that it plays is a Nash equilibrium.",
    where="slide 31",
    premises={"n >= 2": lambda n: np.asarray(n) >= 2},
    evidence=("exhaustive", "random"),
    nontrivial=True,
)
def constant_play_gain(*, payoffs, weight, n):
    """``D * K / (n - 1)``."""
    return spread(payoffs) * weight / (np.asarray(n) - 1)


@theorem(
    "das-s31-b",
    "A strict equilibrium is absorbing",
    r"If fictitious play shows a strict Nash equilibrium in round $t$, it shows it in "
    r"every round after $t$, however ties are broken. If ties are always broken in the "
    r"same order of the actions, this holds for every Nash equilibrium in pure "
    r"strategies: the number of departures is $0$.",
    where="slide 31",
    relation="==",
    errata=("das-E16",),
    evidence=("exhaustive",),
)
def departures():
    """The number of rounds that leave a pure equilibrium: none."""
    return 0


@theorem(
    "das-s31-c",
    "Convergent marginals are an equilibrium",
    r"Let $p$ and $q$ be player 1's and player 2's empirical marginals (initial "
    r"weights included) after round $T$ of fictitious play. Let $K$ be the sum of the "
    r"weights of player 1's actions after round $t_0 < T$, let $n = T - t_0$, and let "
    r"$\delta = \max_{t_0 < t \le T} \lVert \gamma^1_t - q \rVert_1$. Then player 1 "
    r"gains at most $D \left( \delta + K / (K + n) \right)$ by deviating from "
    r"$(p, q)$, where $D$ is the most that its own action changes its payoff; and "
    r"likewise player 2. Hence, if the empirical marginals converge, their limit is a "
    r"Nash equilibrium.",
    where="slide 31",
    premises={
        "n >= 1": lambda n: np.asarray(n) >= 1,
        "K >= 0": lambda weight: np.asarray(weight) >= 0,
        "delta >= 0": lambda delta: np.asarray(delta) >= 0,
    },
    evidence=("exhaustive", "random"),
    nontrivial=True,
)
def marginal_gain(*, payoffs, delta, weight, n):
    """``D * (delta + K / (K + n))``."""
    return spread(payoffs) * (delta + weight / (weight + np.asarray(n)))


@theorem(
    "das-s31-hyp-runs",
    "Run lengths in Shapley's game",
    r"In Shapley's game, from the weights $(1, 0, 0)$ of both players and with ties "
    r"broken for the action of the smaller index, let $a_1, a_2, \dots$ be the lengths "
    r"of the runs in which the profile stays the same. Then "
    r"$a_m = a_{m-1} + a_{m-3} + 2$ for every $m \ge 4$.",
    where="slide 31",
    relation="==",
    evidence=("exact",),
)
def shapley_run(*, before, third_before):
    """``a_{m-1} + a_{m-3} + 2``."""
    return before + third_before + 2


@theorem(
    "das-s31-hyp",
    "Fictitious play need not converge",
    r"That marginals converge is a hypothesis, not a consequence. In Shapley's "
    r"$3 \times 3$ game, from the weights $(1, 0, 0)$ of both players, they do not: "
    r"the runs grow by the factor $x \approx 1.4656$ with $x^3 = x^2 + 1$, and between "
    r"rounds $T/10$ and $T$ the frequency of each action swings by at least "
    r"$\tfrac25$, for every large $T$ (in the limit by $x - 1 \approx 0.4656$).",
    where="slide 31",
    relation=">=",
    premises={"T >= 1000": lambda rounds: np.asarray(rounds) >= 1000},
    evidence=("exact",),
)
def shapley_swing(*, rounds):
    """The least swing of a frequency between rounds T / 10 and T: 2/5."""
    return Fraction(2, 5)


@theorem(
    "das-s31-table",
    "The table of slide 31",
    r"In matching pennies with player 1 as the matcher and initial weights "
    r"$\kappa^1 = (\tfrac32, 2)$ and $\kappa^2 = (2, \tfrac32)$, fictitious play shows "
    r"the seven rows of the slide, if the weights are read *after* the round's play; "
    r"no other initial weights do.",
    where="slide 31",
    relation="==",
    errata=("das-E13",),
    evidence=("exact",),
)
def slide_31_table():
    """Actions and weights of the seven rows, as Fractions, shape (7, 6)."""
    rows = [[Fraction(v) for v in row] for row in SLIDE_31]
    return np.array(rows, dtype=object)


@theorem(
    "das-s31-cycle",
    "Growing cycles in matching pennies",
    r"From the initial weights of the slide's table, fictitious play in matching "
    r"pennies goes round the four profiles TT, TH, HH, HT forever, and its $k$-th run "
    r"of equal profiles lasts exactly $k$ rounds.",
    where="slide 31",
    relation="==",
    premises={"k >= 1": lambda k: np.asarray(k) >= 1},
    errata=("das-E13",),
    evidence=("exact",),
)
def pennies_run_length(*, k):
    """The length of run k: k."""
    return k


@theorem(
    "das-s31-cycle-rate",
    "The cycles' marginals tend to one half",
    r"In that play, after $T$ rounds the frequency of heads of either player differs "
    r"from $\tfrac12$ by at most $\left( \sqrt{2T + \tfrac14} + \tfrac32 \right) / "
    r"(2T)$.",
    where="slide 31",
    premises=SOME_ROUND,
    evidence=("steps",),
    nontrivial=True,
)
def pennies_distance(*, rounds):
    """``(sqrt(2 T + 1/4) + 3/2) / (2 T)``."""
    rounds = np.asarray(rounds)
    return (np.sqrt(2 * rounds + 0.25) + 1.5) / (2 * rounds)


# ---------------------------------------------------------------- miscoordination


@theorem(
    "das-s32-misco",
    "Persistent miscoordination",
    r"In the coordination game that pays both players $1$ if their actions differ and "
    r"$0$ if they agree, let fictitious play start from the weights $(1, \sqrt2)$ on "
    r"$(A, B)$ for *both* players. Then no tie ever occurs, the players choose "
    r"the same action in every round, and after $T$ rounds each has earned $0$. With "
    r"the two weights exchanged for one of the players they earn $1$ in every round, "
    r"$T$ in all.",
    where="slide 32",
    relation="==",
    premises=SOME_ROUND,
    errata=("das-E14",),
    evidence=("exact",),
)
def coordination_payoff(*, same_order, rounds):
    """The total payoff of each player: 0, or T where the orders are opposite."""
    return np.where(same_order, 0, rounds)[()]


@theorem(
    "das-s31-similar",
    "Marginals in equilibrium, play never",
    r"In persistent miscoordination the empirical marginals converge to the mixed "
    r"equilibrium $(\tfrac12, \tfrac12)$, but play does not resemble it: after $T$ "
    r"rounds each player's total regret is $\lceil T / 2 \rceil$, on average at least "
    r"$\tfrac12$ a round.",
    where="slides 31 and 32",
    relation="==",
    premises=SOME_ROUND,
    evidence=("exact",),
)
def miscoordination_regret(*, rounds):
    """``ceil(T / 2)``."""
    return -(-np.asarray(rounds) // 2)


# ---------------------------------------------------------------- consistency, experts

definition(
    "das-s32-uc",
    "Universal consistency",
    r"A rule $\rho^i$, which maps each history $h_{t-1}$ to a mixed action, is "
    r"*$\varepsilon$-universally consistent* if for every behavior $\rho^{-i}$ of the "
    r"others, almost surely under the play of $(\rho^i, \rho^{-i})$, "
    r"$\limsup_{T \to \infty} \Bigl[ \max_{\sigma^i} u^i(\sigma^i, \gamma^i_T) - "
    r"\frac1T \sum_{t=1}^{T} u^i \bigl( \rho^i_t(h_{t-1}), s^{-i}_t \bigr) \Bigr] "
    r"\le \varepsilon$, where $\gamma^i_T$ is the empirical distribution of the "
    r"others' actions in rounds $1, \dots, T$.",
    where="slide 32",
    errata=("das-E15",),
)


@theorem(
    "das-s33",
    "A best response to a Bayesian forecast guarantees no payoff",
    r"If the way in which the opponent plays is outside the support of the prior, a "
    r"Bayesian forecast need not become accurate, and the best response to it may earn "
    r"nothing. In persistent miscoordination every forecast gives the action that is "
    r"then played a probability smaller than $\tfrac12$: the number of rounds in which "
    r"it gets $\tfrac12$ or more is $0$.",
    where="slide 33",
    relation="==",
    errata=("das-E17",),
    evidence=("exact",),
)
def good_forecasts():
    """The number of rounds in which the forecast favors what happens: 0."""
    return 0


@theorem(
    "das-s33-log",
    "Bayes's guarantee is for the log loss",
    r"The Bayes mixture of $N$ forecasters with the uniform prior loses, on every "
    r"sequence of outcomes and without any assumption on it, at most $\ln N$ more than "
    r"the best forecaster in log loss: "
    r"$-\ln \prod_t P(y_t \mid y_{<t}) \le \min_i \bigl( -\ln \prod_t "
    r"P_i(y_t \mid y_{<t}) \bigr) + \ln N$.",
    where="slide 33",
    premises=SOME_EXPERT,
    errata=("das-E17",),
    evidence=("exhaustive",),
)
def bayes_log_regret(*, n):
    """``ln n``."""
    return np.log(n)


@theorem(
    "das-s34-gibbs",
    "Entropy makes the weights exponential",
    r"Let $v(I) = -\sum_k I_k \ln I_k$. For every distribution $I$ over $N$ experts "
    r"with average payoffs $u$, and every $\lambda > 0$, $I \cdot u + \lambda v(I) \le "
    r"\lambda \ln \sum_{k=1}^{N} e^{u_k / \lambda}$, with equality for "
    r"$I_k = e^{u_k / \lambda} / \sum_j e^{u_j / \lambda}$ and for no other $I$.",
    where="slide 34",
    premises=POSITIVE_LAM,
    evidence=("random", "exact"),
)
def soft_maximum(*, u, lam):
    """``lam * ln(sum(exp(u / lam)))``, shape (...)."""
    u = np.asarray(u, dtype=float)
    top = u.max(axis=-1)
    inner = np.exp((u - top[..., None]) / lam).sum(axis=-1)
    return top + lam * np.log(inner)


@theorem(
    "das-s34-step",
    "One round of the potential",
    r"Let $U_t$ be the experts' total payoffs after round $t$, all payoffs $u_t$ in "
    r"$[0, 1]$, and $\Phi_t = \lambda t \ln \sum_k e^{U_{t,k} / (\lambda t)}$. In a "
    r"round $t \ge 2$ in which the learner plays $I_t$, "
    r"$\Phi_t - \Phi_{t-1} \le I_t \cdot u_t + \lambda \ln N + "
    r"\frac{1}{8 \lambda (t - 1)}$.",
    where="slide 34 (supplied)",
    premises={**POSITIVE_LAM, "t >= 2": lambda t: np.asarray(t) >= 2},
    evidence=("steps",),
)
def potential_step(*, earned, lam, n, t):
    """``I . u + lam ln n + 1 / (8 lam (t - 1))``."""
    return earned + lam * np.log(n) + 1 / (8 * lam * (np.asarray(t) - 1))


@theorem(
    "das-s34",
    "Exponential weights are universally expert",
    r"Let $N \ge 2$ experts have payoffs in $[0, 1]$, chosen in any way that does not "
    r"foresee the learner's coins, and let $\lambda > 0$. The learner that "
    r"maximizes $I \cdot \bar u_{t-1} + \lambda v(I)$ in round $t$, with "
    r"$\bar u_{t-1}$ the experts' average payoffs so far ($\bar u_0 = 0$) and $v$ "
    r"the entropy, has after every number $T \ge 1$ of rounds the expected average "
    r"regret "
    r"$\frac1T \Bigl( \max_k U_{T,k} - \sum_{t=1}^{T} I_t \cdot u_t \Bigr) \le "
    r"\lambda \ln N + \frac{1 + \ln T}{8 \lambda T} + \frac1T$. Hence for every "
    r"$\varepsilon > 0$ the choice $\lambda = \varepsilon / \ln N$ makes it "
    r"$\varepsilon$-universally expert.",
    where="slide 34",
    premises=POSITIVE_LAM | SOME_ROUND | TWO_EXPERTS,
    evidence=("exhaustive", "adversary", "random"),
    nontrivial=True,
)
def average_regret(*, lam, n, rounds):
    """``lam ln n + (1 + ln T) / (8 lam T) + 1 / T``."""
    rounds = np.asarray(rounds)
    rest = (1 + np.log(rounds)) / (8 * lam * rounds) + 1 / rounds
    return lam * np.log(n) + rest


@theorem(
    "das-s34-eps",
    "A lambda for every epsilon, with its horizon",
    r"Let $0 < \varepsilon \le 1$, $N \ge 2$ and $\lambda = \varepsilon / (2 \ln N)$. "
    r"If $T \ge 2$ is so large that "
    r"$\frac{(1 + \ln T) \ln N}{4 \varepsilon T} + \frac1T \le \frac{\varepsilon}{2}$, "
    r"the expected average regret after $T$ rounds is at most $\varepsilon$.",
    where="slide 34 (supplied)",
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
    },
    evidence=("adversary",),
    nontrivial=True,
)
def promised_regret(*, epsilon, n, rounds):
    """``epsilon``."""
    return epsilon
