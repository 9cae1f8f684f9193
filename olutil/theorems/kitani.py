"""Kitani and Chen: Online Linear Classification.

Section 3 counts mistakes, not rounds: the weights ``w^(k)`` are those after the k-th
mistake.  Data have time on axis 0: ``X`` has shape (T, ..., d), ``y`` shape (T, ...),
the separator ``u`` shape (..., d).  In section 4, ``n`` is the lecture's N and
``beta`` is 1 unless a check says otherwise.
"""

import numpy as np

from olutil.theorems._common import (
    SOME_EXPERT,
    inner,
    least_margin,
    radius_squared,
)
from olutil.theorems._registry import definition, theorem


def equation(number, title, text, **options):
    """Register an equation of the lecture; by default its evidence is a run's steps."""
    options = {"evidence": ("steps",)} | options
    where = f"equation ({number})"
    return theorem(f"kit-eq{number}", title, text, where=where, **options)


def no_exceptions():
    """No exception."""
    return 0


ETA = {"0 < eta <= 1/2": lambda eta: (eta > 0) & (eta <= 0.5)}


# ---------------------------------------------------------------- section 1: experts

definition(
    "kit-rem-review",
    "Two forms of online learning, one yardstick",
    r"""Prediction with expert advice and online linear classification are two forms of
online learning.
Both are judged by *regret*: the mistakes $M^{(T)}$ of the learner in $T$ rounds, less
the mistakes $m_n^{(T)}$ of the hypothesis $h_n$ in hindsight,
$R(h_n)=M^{(T)}-m_n^{(T)}$; against the whole class, $R^{(T)}(H)=\max_n R(h_n)$.
A learner is *no-regret* if the largest $R^{(T)}(H)/T$ over all streams of $T$ rounds
tends to at most $0$ as $T$ grows; its parameters may depend on $T$, and the regret of a
learner that tosses coins is the expected one.""",
    where="section 1",
)

definition(
    "kit-alg-wma",
    "Weighted Majority Algorithm with penalty rate eta",
    r"""**Parameter:** a penalty rate $0<\eta\le\frac12$.

**Start:** $w_n^{(1)}=1$ for $n=1,\dots,N$.

**In each round** $t=1,\dots,T$:

1. receive the advice $\mathbf x^{(t)}\in\{-1,1\}^N$;
2. predict $\hat y^{(t)}=\operatorname{sign}\bigl(\sum_n x_n^{(t)}w_n^{(t)}\bigr)$,
   with one fixed label where the sum is $0$;
3. receive $y^{(t)}\in\{-1,1\}$;
4. for every $n$, set
   $w_n^{(t+1)}=w_n^{(t)}\bigl(1-\eta\,\mathbf{1}[y^{(t)}\ne x_n^{(t)}]\bigr)$.""",
    where="Algorithm 1",
    errata=("kit-E2", "kit-E5"),
)


@theorem(
    "kit-rem-update",
    "A weight falls when its own expert errs",
    r"""A weight falls exactly when its own expert errs, whether or not the learner
errs.
So the weight of expert $n$ is $(1-\eta)^{m_n}$ after $m_n$ mistakes of that expert, and
relative to the largest weight it is $(1-\eta)^{m_n-\min_j m_j}$.""",
    where="section 1.1",
    relation="==",
    premises=ETA,
    errata=("kit-E1",),
    evidence=("exhaustive",),
)
def relative_weights(*, advice, outcomes, eta):
    """``(1 - eta) ** (m_n - min m_j)`` from the stream alone."""
    errors = (advice != outcomes[..., None]).sum(axis=0).astype(object)
    return (1 - eta) ** (errors - errors.min(axis=-1, keepdims=True))


theorem(
    "kit-rem-weights",
    "Weights never grow; shares may",
    r"""No weight ever grows.
What can grow is an expert's *share* $w_n/\sum_j w_j$: it never falls in a round in
which the expert is right, and never rises in a round in which the expert errs.""",
    where="section 1.1",
    relation="==",
    premises=ETA,
    errata=("kit-E22",),
    evidence=("exhaustive",),
)(no_exceptions)


@theorem(
    "kit-wma-step",
    "A mistake of WMA costs a fixed share of the potential",
    r"""In a round in which WMA errs, the potential $\Phi=\sum_n w_n$ falls to at most
$\bigl(1-\frac\eta2\bigr)\Phi$.""",
    where="section 1.1, in the proof of (1)",
    premises=ETA,
    evidence=("steps",),
)
def wma_step(*, before, eta):
    """``(1 - eta/2) * before``."""
    return (1 - eta / 2) * before


@equation(
    1,
    "Regret bound of WMA",
    r"""For $0<\eta\le\frac12$ and every expert $h_n$, WMA has

$$
\begin{aligned}
R(h_n)&=M^{(T)}-m_n^{(T)}\cr
&\le(1+2\eta)\,m_n^{(T)}+\frac{2\ln N}{\eta}\,.
\end{aligned} \tag{1}
$$""",
    premises=ETA | SOME_EXPERT,
    errata=("kit-E2", "kit-E20"),
    evidence=("exhaustive", "exact"),
    nontrivial=True,
)
def wma_regret(*, eta, n, best):
    """``(1 + 2 eta) m + 2 ln(N) / eta``."""
    return (1 + 2 * eta) * best + 2 * np.log(n) / np.asarray(eta, dtype=float)


@theorem(
    "kit-rem-noregret",
    "WMA is not a no-regret algorithm",
    r"""Against every deterministic learner, WMA with any $\eta$ included, and with only
two experts, one that always says $-1$ and one that always says $+1$, an adversary
forces regret at least $T/2$ in $T$ rounds.
So no deterministic learner is no-regret.""",
    where="section 1.1",
    relation=">=",
    premises={"T >= 1": lambda rounds: np.asarray(rounds) >= 1},
    errata=("kit-E3",),
    evidence=("adversary",),
    nontrivial=True,
)
def forced_regret(*, rounds):
    """``T / 2``."""
    return np.asarray(rounds) / 2


definition(
    "kit-alg-rwma",
    "Randomized Weighted Majority Algorithm with penalty rate eta",
    r"""**Parameter:** a penalty rate $0<\eta\le\frac12$.

**Start:** $w_n^{(1)}=1$ for $n=1,\dots,N$.

**In each round** $t=1,\dots,T$:

1. receive the advice $\mathbf x^{(t)}\in\{-1,1\}^N$;
2. draw an expert $I$ with probabilities $\mathbf w^{(t)}/\Phi^{(t)}$, where
   $\Phi^{(t)}=\sum_n w_n^{(t)}$;
3. predict what it says, $\hat y^{(t)}=h_I(\mathbf x^{(t)})=x_I^{(t)}$;
4. receive $y^{(t)}\in\{-1,1\}$;
5. for every $n$, set
   $w_n^{(t+1)}=w_n^{(t)}\bigl(1-\eta\,\mathbf{1}[y^{(t)}\ne x_n^{(t)}]\bigr)$.""",
    where="Algorithm 2",
    errata=("kit-E2", "kit-E6"),
)


@theorem(
    "kit-rwma-step",
    "The potential of RWMA falls by its chance of a mistake",
    r"""If $\ell$ is the probability that RWMA errs in a round, then the potential
$\Phi=\sum_n w_n$ becomes exactly $(1-\eta\,\ell)\,\Phi$.""",
    where="section 1.2, in the proof of (2)",
    relation="==",
    premises=ETA,
    evidence=("steps",),
)
def rwma_step(*, before, chance, eta):
    """``(1 - eta * chance) * before``."""
    return (1 - eta * chance) * before


@equation(
    2,
    "Expected regret bound of RWMA",
    r"""For $0<\eta\le\frac12$ and every expert $h_n$, RWMA has

$$
\begin{aligned}
\mathbb{E}[R]&=\mathbb{E}[M^{(T)}]-m_n^{(T)}\cr
&\le\eta\,m_n^{(T)}+\frac{\ln N}{\eta}\,.
\end{aligned} \tag{2}
$$""",
    premises=ETA | SOME_EXPERT,
    errata=("kit-E2", "kit-E20"),
    evidence=("exhaustive",),
    nontrivial=True,
)
def rwma_regret(*, eta, n, best):
    """``eta m + ln(N) / eta``."""
    return eta * best + np.log(n) / np.asarray(eta, dtype=float)


@theorem(
    "kit-rem-half",
    "Randomizing saves at most half of the mistakes",
    r"""On every stream, RWMA's expected number of mistakes is at least *half* the
number of mistakes of WMA with the same $\eta$, and there are streams with equality.
Between the guarantees the factor is exactly two: (1) bounds $M$ by twice what (2)
bounds $\mathbb{E}[M]$ by.""",
    where="section 1.2",
    relation=">=",
    premises=ETA,
    errata=("cos511-E3",),
    evidence=("exhaustive",),
)
def half_of_wma(*, majority, eta):
    """``M_WMA / 2``."""
    return np.asarray(majority) / 2


@theorem(
    "kit-rem-rwma-noregret",
    "RWMA is no-regret when eta is tuned to the horizon",
    r"""With $\eta=\sqrt{\ln N/T}$, for $N\ge2$ and $T\ge4\ln N$, RWMA has
$\mathbb{E}[R^{(T)}(H)]\le2\sqrt{T\ln N}$ on every stream, so its average regret
vanishes as the horizon $T$ grows.
With a fixed $\eta$ it need not vanish.""",
    where="section 1.2",
    premises={
        "N >= 2": lambda n: np.asarray(n) >= 2,
        "T >= 4 ln N": lambda rounds, n: rounds >= 4 * np.log(n),
        "eta = sqrt(ln N / T)": lambda eta, rounds, n: np.isclose(
            eta, np.sqrt(np.log(n) / rounds)
        ),
    },
    errata=("kit-E4",),
    evidence=("exhaustive", "adversary"),
    nontrivial=True,
)
def tuned_regret(*, rounds, n, eta):
    """``2 sqrt(T ln N)``."""
    return 2 * np.sqrt(rounds * np.log(n))


# ---------------------------------------------------------------- section 2


theorem(
    "kit-olc",
    "One example at a time; additive and multiplicative updates",
    r"""An online linear classifier processes one example at a time.
Both of ours change their weights in mistake rounds only: the Perceptron *adds* to them
the example or its negative, Winnow *multiplies* the active ones by one number.""",
    where="section 2.1",
    relation="==",
    premises={
        "there are mistakes, and rounds without": lambda mistakes, rounds: (
            (np.asarray(mistakes) > 0) & (np.asarray(mistakes) < rounds)
        )
    },
    evidence=("steps",),
)(no_exceptions)


# ---------------------------------------------------------------- section 3: Perceptron


UNIT = {"|w*| = 1": lambda u: np.isclose(np.asarray(inner(u, u), dtype=float), 1)}
SEPARABLE = UNIT | {"gamma > 0": lambda X, y, u: least_margin(X, y, u) > 0}
MISTAKE = {
    "the example is a mistake: y <w, x> <= 0": lambda before, x, y: (
        y * inner(before, x) <= 0
    )
}

definition(
    "kit-alg-perc",
    "Perceptron",
    r"""**Start:** $\mathbf w^{(1)}=\mathbf 0$.

**In each round** $t=1,\dots,T$:

1. receive $\mathbf x^{(t)}\in\mathbb{R}^N$;
2. predict
   $\hat y^{(t)}=\operatorname{sign}\langle\mathbf w^{(t)},\mathbf x^{(t)}\rangle$,
   where the value $0$ agrees with neither label;
3. receive $y^{(t)}\in\{-1,1\}$;
4. for every $n$, set
   $w_n^{(t+1)}=w_n^{(t)}+y^{(t)}x_n^{(t)}\,\mathbf{1}[y^{(t)}\ne\hat y^{(t)}]$.""",
    where="Algorithm 3",
    errata=("kit-E5", "kit-E7"),
)


@theorem(
    "kit-prop1",
    "The Perceptron is fast",
    r"""A round of the Perceptron with $N$ features takes at most $4N$ additions and
multiplications: fewer than $2N$ for the inner product, and $2N$ for the update after a
mistake.""",
    where="section 3.1, property 1",
    premises=SOME_EXPERT,
    evidence=("exact",),
)
def operations(*, n):
    """``4 N``."""
    return 4 * np.asarray(n)


@theorem(
    "kit-prop2",
    "The Perceptron is not a large-margin classifier",
    r"""For every $0<\varepsilon\le1$ there are two examples on which the Perceptron
ends with a separator whose margin is at most $\sqrt2\,\varepsilon$ times the largest
possible one.""",
    where="section 3.1, property 2",
    premises={"0 < eps <= 1": lambda eps: (eps > 0) & (eps <= 1)},
    evidence=("adversary",),
)
def margin_share(*, eps):
    """``sqrt(2) * eps``."""
    return np.sqrt(2) * eps


@theorem(
    "kit-prop3",
    "The Perceptron on data that no hyperplane separates",
    r"""Let $R=\max_t\lVert\mathbf x^{(t)}\rVert$.
Whether or not the data can be separated, for every vector $\mathbf u$ the Perceptron's
mistakes obey

$$
M\le\Bigl(R\,\lVert\mathbf u\rVert+\sqrt{\textstyle\sum_t\xi_t^2}\,\Bigr)^2,\qquad
\xi_t=\max\bigl(0,\,1-y^{(t)}\langle\mathbf u,\mathbf x^{(t)}\rangle\bigr).
$$

What fails without a separating hyperplane is convergence: over repeated presentations
of such data the mistakes never stop.""",
    where="section 3.1, property 3",
    errata=("kit-E12",),
    evidence=("random", "adversary"),
    nontrivial=True,
)
def inseparable_bound(*, X, y, u):
    """``(R |u| + sqrt(sum of squared hinge losses)) ** 2``."""
    hinge = np.maximum(0, 1 - y * inner(X, u))
    reach = np.sqrt(radius_squared(X) * inner(u, u))
    return (reach + np.sqrt((hinge**2).sum(axis=0))) ** 2


definition(
    "kit-strategy",
    "The five-step strategy",
    r"""Five steps lead to a mistake bound: (1) define a potential function; (2) bound
it from above; (3) bound it from below; (4) combine the two bounds; (5) solve for the
number of mistakes by algebra or approximation.""",
    where="section 3.2",
)


@theorem(
    "kit-thm1",
    "Perceptron mistake bound",
    r"""Let $R=\max_t\lVert\mathbf x^{(t)}\rVert$, and let a unit vector $\mathbf w^*$
separate the data with margin
$\gamma=\min_t y^{(t)}\langle\mathbf w^*,\mathbf x^{(t)}\rangle>0$.
Then the number $M$ of mistakes of the Perceptron obeys

$$
M\le\frac{R^2}{\gamma^2}\,. \tag{3}
$$""",
    where="Theorem 1, equation (3)",
    premises=SEPARABLE,
    errata=("kit-E8",),
    evidence=("random", "adversary"),
    nontrivial=True,
)
def perceptron_bound(*, X, y, u):
    """``R**2 / gamma**2``."""
    return radius_squared(X) / least_margin(X, y, u) ** 2


definition(
    "kit-eq4",
    "Potential of the Perceptron",
    r"""The potential is the squared length of the weight vector after the $k$-th
mistake,

$$
\Phi^{(k)}=\lVert\mathbf w^{(k)}\rVert^2=\sum_{n=1}^N\bigl(w_n^{(k)}\bigr)^2. \tag{4}
$$""",
    where="equation (4)",
    errata=("kit-E9", "kit-E11b"),
)


@equation(
    5,
    "The update inside the potential",
    r"""At the $k$-th mistake the update adds the signed example:

$$
\Phi^{(k)}=\bigl\lVert\mathbf w^{(k-1)}+y^{(k)}\mathbf x^{(k)}\bigr\rVert^2
=\sum_{n=1}^N\bigl(w_n^{(k)}\bigr)^2. \tag{5}
$$""",
    relation="==",
    premises=MISTAKE,
    errata=("kit-E9", "kit-E11b"),
)
def updated_potential(*, before, x, y):
    """``|w + y x|**2``."""
    after = before + y[..., None] * x
    return inner(after, after)


@equation(
    6,
    "The square multiplied out",
    r"""Multiply the square out, with $(y^{(k)})^2=1$:

$$
\Phi^{(k)}=\lVert\mathbf w^{(k-1)}\rVert^2+\lVert\mathbf x^{(k)}\rVert^2
+2y^{(k)}\bigl\langle\mathbf w^{(k-1)},\mathbf x^{(k)}\bigr\rangle. \tag{6}
$$""",
    relation="==",
    premises=MISTAKE,
    errata=("kit-E9", "kit-E11b"),
)
def expanded_potential(*, before, x, y):
    """``|w|**2 + |x|**2 + 2 y <w, x>``."""
    return inner(before, before) + inner(x, x) + 2 * y * inner(before, x)


@equation(
    7,
    "A mistake makes the cross term at most 0",
    r"""A mistake means $y^{(k)}\langle\mathbf w^{(k-1)},\mathbf x^{(k)}\rangle\le0$:

$$
\Phi^{(k)}\le\lVert\mathbf w^{(k-1)}\rVert^2+\lVert\mathbf x^{(k)}\rVert^2. \tag{7}
$$""",
    premises=MISTAKE,
    errata=("kit-E9", "kit-E11b"),
)
def potential_without_cross_term(*, before, x, y):
    """``|w|**2 + |x|**2``."""
    return inner(before, before) + inner(x, x)


@equation(
    8,
    "A mistake adds at most R squared",
    r"""No example is longer than $R=\max_t\lVert\mathbf x^{(t)}\rVert$:

$$
\Phi^{(k)}\le\lVert\mathbf w^{(k-1)}\rVert^2+R^2. \tag{8}
$$""",
    premises=MISTAKE
    | {"|x| <= R": lambda x, radius2: inner(x, x) <= np.asarray(radius2)},
    errata=("kit-E9", "kit-E11b"),
)
def potential_step(*, before, x, y, radius2):
    """``|w|**2 + R**2``."""
    return inner(before, before) + radius2


@equation(
    9,
    "After one mistake",
    r"""After one mistake,

$$
\Phi^{(1)}\le\lVert\mathbf w^{(0)}\rVert^2+R^2. \tag{9}
$$""",
    errata=("kit-E9",),
)
def potential_after_one(*, start, X):
    """``|w0|**2 + R**2``."""
    return inner(start, start) + radius_squared(X)


@equation(
    10,
    "After two mistakes",
    r"""After two mistakes,

$$
\Phi^{(2)}\le\lVert\mathbf w^{(0)}\rVert^2+2R^2. \tag{10}
$$""",
    errata=("kit-E9",),
)
def potential_after_two(*, start, X):
    """``|w0|**2 + 2 R**2``."""
    return inner(start, start) + 2 * radius_squared(X)


@equation(
    11,
    "After k mistakes",
    r"""And so on, one $R^2$ a mistake:

$$
\vdots\qquad
\Phi^{(k)}\le\lVert\mathbf w^{(0)}\rVert^2+kR^2
\quad\text{for every }k\le M^{(T)}. \tag{11}
$$""",
    errata=("kit-E9",),
)
def potential_after_some(*, start, X, k):
    """``|w0|**2 + k R**2``."""
    return inner(start, start) + k * radius_squared(X)


@equation(
    12,
    "After the last mistake",
    r"""After all $M$ mistakes of $T$ rounds,

$$
\Phi^{(M)}\le\lVert\mathbf w^{(0)}\rVert^2+M^{(T)}R^2. \tag{12}
$$""",
    errata=("kit-E9",),
)
def potential_after_all(*, start, X, mistakes):
    """``|w0|**2 + M R**2``."""
    return inner(start, start) + mistakes * radius_squared(X)


@equation(
    13,
    "Upper bound of the Perceptron's potential",
    r"""The Perceptron starts at $\mathbf w^{(0)}=\mathbf 0$, so

$$
\Phi^{(M)}\le M^{(T)}R^2. \tag{13}
$$""",
    errata=("kit-E9",),
)
def potential_upper(*, X, mistakes):
    """``M R**2``."""
    return mistakes * radius_squared(X)


definition(
    "kit-eq14",
    "Intermediate potential",
    r"""The intermediate potential compares the weights with the perfect classifier, the
unit vector $\mathbf w^*$:

$$
\bigl\langle\mathbf w^*,\mathbf w^{(k)}\bigr\rangle. \tag{14}
$$""",
    where="equation (14)",
)


@equation(
    15,
    "The unit vector with the largest inner product",
    r"""For $\mathbf w\ne\mathbf 0$, among the vectors of length 1 the one with the
largest inner product with $\mathbf w$ points along $\mathbf w$,

$$
\frac{\mathbf w}{\lVert\mathbf w\rVert}
=\operatorname*{arg\,max}_{\lVert\mathbf w'\rVert=1}\langle\mathbf w',\mathbf w\rangle,
\tag{15}
$$

and this largest inner product is $\lVert\mathbf w\rVert$.""",
    premises={
        "w is not 0": lambda w: inner(w, w) > 0,
        "|w'| = 1": lambda unit: np.isclose(inner(unit, unit), 1),
    },
    errata=("kit-E10",),
)
def largest_inner_product(*, w):
    """``|w|``."""
    return np.sqrt(inner(w, w))


equation(
    16,
    "Upper bound of the intermediate potential",
    r"""So, for $\mathbf w^{(M)}\ne\mathbf 0$,

$$
\bigl\langle\mathbf w^*,\mathbf w^{(M)}\bigr\rangle
\le\Bigl\langle\frac{\mathbf w^{(M)}}{\lVert\mathbf w^{(M)}\rVert},
\mathbf w^{(M)}\Bigr\rangle
=\frac{\lVert\mathbf w^{(M)}\rVert^2}{\lVert\mathbf w^{(M)}\rVert}
=\lVert\mathbf w^{(M)}\rVert. \tag{16}
$$""",
    premises=UNIT | {"w is not 0": lambda w: inner(w, w) > 0},
    errata=("kit-E9", "kit-E10"),
)(largest_inner_product)


@equation(
    17,
    "The update inside the intermediate potential",
    r"""At the $k$-th mistake,

$$
\bigl\langle\mathbf w^*,\mathbf w^{(k)}\bigr\rangle
=\bigl\langle\mathbf w^*,\mathbf w^{(k-1)}\bigr\rangle
+y^{(k)}\bigl\langle\mathbf w^*,\mathbf x^{(k)}\bigr\rangle, \tag{17}
$$""",
    relation="==",
    premises=MISTAKE,
    errata=("kit-E11", "kit-E11b"),
)
def updated_alignment(*, before, x, y, u):
    """``<w*, w> + y <w*, x>``."""
    return inner(before, u) + y * inner(x, u)


@equation(
    18,
    "A mistake adds at least gamma",
    r"""and since $y^{(k)}\langle\mathbf w^*,\mathbf x^{(k)}\rangle\ge\gamma$,

$$
\bigl\langle\mathbf w^*,\mathbf w^{(k)}\bigr\rangle
\ge\bigl\langle\mathbf w^*,\mathbf w^{(k-1)}\bigr\rangle+\gamma. \tag{18}
$$""",
    relation=">=",
    premises=MISTAKE
    | {
        "y <w*, x> >= gamma > 0": lambda x, y, u, gamma: (
            (np.asarray(gamma) > 0) & (y * inner(x, u) >= gamma * (1 - 1e-12))
        )
    },
    errata=("kit-E9", "kit-E11b"),
)
def alignment_step(*, before, u, gamma):
    """``<w*, w> + gamma``."""
    return inner(before, u) + gamma


@equation(
    19,
    "After 1, 2, ..., M mistakes",
    r"""By induction, one $\gamma$ a mistake:

$$
\begin{aligned}
\bigl\langle\mathbf w^*,\mathbf w^{(1)}\bigr\rangle
&\ge\bigl\langle\mathbf w^*,\mathbf w^{(0)}\bigr\rangle+\gamma,\cr
\bigl\langle\mathbf w^*,\mathbf w^{(2)}\bigr\rangle
&\ge\bigl\langle\mathbf w^*,\mathbf w^{(0)}\bigr\rangle+2\gamma,\cr
&\;\;\vdots\cr
\bigl\langle\mathbf w^*,\mathbf w^{(M)}\bigr\rangle
&\ge\bigl\langle\mathbf w^*,\mathbf w^{(0)}\bigr\rangle+M^{(T)}\gamma.
\end{aligned} \tag{19}
$$""",
    relation=">=",
    premises=SEPARABLE,
    errata=("kit-E9",),
)
def alignment_after_some(*, start, X, y, u, k):
    """``<w*, w0> + k gamma``."""
    return inner(start, u) + k * least_margin(X, y, u)


@equation(
    20,
    "Lower bound of the intermediate potential",
    r"""The Perceptron starts at $\mathbf w^{(0)}=\mathbf 0$, so

$$
\bigl\langle\mathbf w^*,\mathbf w^{(M)}\bigr\rangle\ge M^{(T)}\gamma. \tag{20}
$$""",
    relation=">=",
    premises=SEPARABLE,
    errata=("kit-E9",),
)
def alignment_lower(*, X, y, u, mistakes):
    """``M gamma``."""
    return mistakes * least_margin(X, y, u)


@equation(
    21,
    "The two bounds combined",
    r"""Chain (20) and (16):

$$
M^{(T)}\gamma\le\bigl\langle\mathbf w^*,\mathbf w^{(M)}\bigr\rangle
\le\lVert\mathbf w^{(M)}\rVert. \tag{21}
$$""",
    relation=">=",
    premises=SEPARABLE,
    errata=("kit-E9",),
)
def squeeze(*, X, y, u, mistakes, alignment):
    """Both lower bounds: ``M gamma``, and ``<w*, w>``."""
    return np.stack([mistakes * least_margin(X, y, u), alignment])


equation(
    22,
    "The ends of the chain",
    r"""Leave the middle out:

$$
M^{(T)}\gamma\le\lVert\mathbf w^{(M)}\rVert. \tag{22}
$$""",
    relation=">=",
    premises=SEPARABLE,
    errata=("kit-E9",),
)(alignment_lower)


@equation(
    23,
    "Lower bound of the potential",
    r"""Square both sides, neither of which is negative; on the right stands the
potential:

$$
\bigl(M^{(T)}\gamma\bigr)^2\le\lVert\mathbf w^{(M)}\rVert^2=\Phi^{(M)}. \tag{23}
$$""",
    relation=">=",
    premises=SEPARABLE,
    errata=("kit-E9",),
)
def potential_lower(*, X, y, u, mistakes):
    """``(M gamma)**2``."""
    return (mistakes * least_margin(X, y, u)) ** 2


@equation(
    24,
    "From the potential to the mistakes",
    r"""Put (13) on top of (23), and divide by $M^{(T)}\gamma^2$ if there was a mistake:

$$
\bigl(M^{(T)}\gamma\bigr)^2\le M^{(T)}R^2
\quad\therefore\quad M^{(T)}\le\frac{R^2}{\gamma^2}. \tag{24}
$$""",
    premises=SEPARABLE,
    errata=("kit-E9",),
)
def combined(*, X, y, u, mistakes):
    """``M R**2``."""
    return mistakes * radius_squared(X)


@theorem(
    "kit-rem-gamma",
    "A larger margin means a smaller guarantee",
    r"""At a fixed $R$ the *bound* falls like $1/\gamma^2$ as the margin grows, and so
does the worst case: with $R=1$ and $\gamma=1/\sqrt d$ the largest possible number of
mistakes is exactly $d=R^2/\gamma^2$.
The mistakes on particular data need not fall.""",
    where="section 3.2, last remark",
    relation="==",
    premises={"d >= 1": lambda d: np.asarray(d) >= 1},
    errata=("kit-E13",),
    evidence=("adversary",),
)
def worst_at_margin(*, d):
    """``d``, which is ``R**2 / gamma**2`` at R = 1 and gamma = 1 / sqrt(d)."""
    return np.asarray(d)


# ---------------------------------------------------------------- section 4: Winnow


def _whole_log(n, base):
    """The largest whole j with ``base ** j <= n``, without a logarithm."""
    j, power = 0, base
    while power <= n:
        j, power = j + 1, power * base
    return j


def _promotions(n, beta):
    """``floor(log_(1+beta) N) + 1``, entry by entry."""
    most = np.frompyfunc(lambda n, beta: _whole_log(n, 1 + beta) + 1, 2, 1)
    return np.asarray(most(n, beta)).astype(int)


BETA = {"beta > 0": lambda beta=1: np.asarray(beta) > 0}
BETA_1 = {"beta = 1": lambda beta=1: np.asarray(beta) == 1}
DISJUNCTION = SOME_EXPERT | {
    "0 <= k <= N": lambda k, n: (np.asarray(k) >= 0) & (np.asarray(k) <= n),
    "the labels are the OR of the first k features": (
        lambda k, inputs=None, labels=None: (
            inputs is None or labels == inputs[..., :k].any(axis=-1)
        )
    ),
}

definition(
    "kit-rem-winnow",
    "How Winnow differs from the Perceptron",
    r"""Winnow updates by multiplication instead of addition, and its weights start at
$1$ instead of $0$.
It is made for binary features and labels and for a target that is a disjunction of few
features: most features may be irrelevant.
Its prediction is $0$ or $1$; the Perceptron's is binary too, $-1$ or $+1$.""",
    where="section 4.1",
)

definition(
    "kit-alg-winnow",
    "Winnow with demotion by division",
    r"""**Parameter:** $\beta>0$ (the lecture's proof takes $\beta=1$).

**Start:** $\mathbf w^{(1)}=(1,1,\dots,1)$.

**In each round** $t=1,\dots,T$:

1. receive $\mathbf x^{(t)}\in\{0,1\}^N$;
2. predict $\hat y^{(t)}=\mathbf{1}[\langle\mathbf w^{(t)},\mathbf x^{(t)}\rangle>N]$;
3. receive $y^{(t)}\in\{0,1\}$;
4. for every $i$, set
   $w_i^{(t+1)}=w_i^{(t)}(1+\beta)^{(y^{(t)}-\hat y^{(t)})\,x_i^{(t)}}$.""",
    where="Algorithm 4",
    errata=("kit-E15",),
)


@theorem(
    "kit-rem-rule",
    "Promotion and demotion",
    r"""Where Winnow predicts $0$ and the label is $1$, the active weights are
multiplied by $1+\beta$; where it predicts $1$ and the label is $0$, by
$\frac1{1+\beta}$; every other weight stays, and after a correct prediction all of them
do.""",
    where="section 4.1",
    relation="==",
    premises=BETA,
    evidence=("steps",),
)
def updated_weights(*, before, x, y, y_hat, beta=1):
    """``w_i (1 + beta) ** ((y - y_hat) x_i)``, case by case."""
    beta = np.asarray(beta)[..., None]
    up = (y_hat == 0) & (y == 1)
    down = (y_hat == 1) & (y == 0)
    on = x == 1
    promoted = np.where(on & up[..., None], before * (1 + beta), before)
    return np.where(on & down[..., None], before / (1 + beta), promoted)


definition(
    "kit-eq25",
    "Potential of Winnow",
    r"""The potential is the sum of the weights,

$$
\Phi^{(k)}=\sum_{n=1}^N w_n^{(k)}. \tag{25}
$$""",
    where="equation (25)",
)


@equation(
    26,
    "Two kinds of mistakes",
    r"""A mistake is made either on a positive example, which has label 1, or on a
negative one, which has label 0:

$$
m=m^++m^-. \tag{26}
$$""",
    relation="==",
)
def both_kinds(*, labels, predictions):
    """``m+ + m-``."""
    positive = ((labels == 1) & (predictions == 0)).sum(axis=0)
    negative = ((labels == 0) & (predictions == 1)).sum(axis=0)
    return positive + negative


POSITIVE = {
    "the example is positive and the prediction 0": lambda y, y_hat: (
        (y == 1) & (y_hat == 0)
    )
}
NEGATIVE = {
    "the example is negative and the prediction 1": lambda y, y_hat: (
        (y == 0) & (y_hat == 1)
    )
}


@equation(
    27,
    "Promotion inside the potential",
    r"""A mistake on a positive example doubles the active weights, so that

$$
\Phi^{(k)}=\Phi^{(k-1)}+\mathbf w^{(k-1)}\cdot\mathbf x^{(k)}; \tag{27}
$$

for a general $\beta$ the last term is
$\beta\,\mathbf w^{(k-1)}\cdot\mathbf x^{(k)}$.""",
    relation="==",
    premises=POSITIVE,
    errata=("kit-E15", "kit-E19"),
)
def promoted_potential(*, before, x, y, y_hat, beta=1):
    """``Phi + beta w.x``."""
    return before.sum(axis=-1) + beta * inner(before, x)


@equation(
    28,
    "What a mistake on a positive example means",
    r"""A mistake on a positive example means

$$
\hat y^{(k)}=\mathbf{1}[\langle\mathbf w^{(k-1)},\mathbf x^{(k)}\rangle>N]=0, \tag{28}
$$""",
    relation="==",
    premises={"the example is positive": lambda y: y == 1},
    errata=("kit-E19",),
)
def indicator(*, before, x, y, n):
    """``1[<w, x> > N]``."""
    return (inner(before, x) > n).astype(int)


@equation(
    29,
    "The active weights are at most N",
    r"""that is

$$
\mathbf w^{(k-1)}\cdot\mathbf x^{(k)}\le N, \tag{29}
$$""",
    premises=POSITIVE,
    errata=("kit-E19",),
)
def threshold(*, n, y, y_hat):
    """``N``."""
    return np.asarray(n)


@equation(
    30,
    "A promotion adds at most N",
    r"""so that

$$
\Phi^{(k)}\le\Phi^{(k-1)}+N; \tag{30}
$$

for a general $\beta$ it adds at most $\beta N$.""",
    premises=POSITIVE,
    errata=("kit-E15", "kit-E19"),
)
def promotion_step(*, before, n, y, y_hat, beta=1):
    """``Phi + beta N``."""
    return before.sum(axis=-1) + beta * n


@equation(
    31,
    "The potential after the promotions",
    r"""By induction, and because mistakes on negative examples only lower the
potential,

$$
\Phi^{(k)}\le\Phi^{(0)}+m^+N=N+m^+N; \tag{31}
$$

for a general $\beta$ it is at most $N+\beta m^+N$.""",
    premises=BETA | SOME_EXPERT,
    errata=("kit-E15",),
)
def potential_promoted(*, n, positive, beta=1):
    """``N + beta m+ N``."""
    return n + beta * positive * n


@equation(
    32,
    "Demotion inside the potential",
    r"""A mistake on a negative example halves the active weights, so that

$$
\Phi^{(k)}=\Phi^{(k-1)}-\sum_{n:\,x_n^{(k)}=1}\tfrac12\,w_n^{(k-1)}
=\Phi^{(k-1)}-\tfrac12\,\mathbf w^{(k-1)}\cdot\mathbf x^{(k)}; \tag{32}
$$

for a general $\beta$ the factor is $\frac\beta{1+\beta}$ instead of $\frac12$.""",
    relation="==",
    premises=NEGATIVE,
    errata=("kit-E15", "kit-E19"),
)
def demoted_potential(*, before, x, y, y_hat, beta=1):
    """``Phi - beta / (1 + beta) w.x``."""
    return before.sum(axis=-1) - beta * inner(before, x) / (1 + beta)


@equation(
    33,
    "A demotion takes more than N/2",
    r"""Since the prediction was 1, the active weights sum to more than $N$, so that

$$
\Phi^{(k)}<\Phi^{(k-1)}-\tfrac12N; \tag{33}
$$

for a general $\beta$ it takes more than $\frac\beta{1+\beta}N$.""",
    relation="<",
    premises=NEGATIVE,
    errata=("kit-E15",),
)
def demotion_step(*, before, n, y, y_hat, beta=1):
    """``Phi - beta / (1 + beta) N``."""
    return before.sum(axis=-1) - beta * n / (1 + beta)


@equation(
    34,
    "What the demotions take in all",
    r"""By induction, all $m^-$ demotions together take from the potential

$$
\sum_{k\text{ on a negative example}}\bigl(\Phi^{(k-1)}-\Phi^{(k)}\bigr)
\ge m^-\,\tfrac12N, \tag{34}
$$

strictly more if there is at least one; for a general $\beta$,
$m^-\frac\beta{1+\beta}N$.""",
    relation=">=",
    premises=BETA | SOME_EXPERT,
    errata=("kit-E15", "kit-E16"),
)
def taken(*, n, negative, beta=1):
    """``beta / (1 + beta) m- N``."""
    return beta * negative * n / (1 + beta)


@equation(
    35,
    "Upper bound of Winnow's potential",
    r"""Add up what promotions bring and demotions take:

$$
\Phi^{(k)}\le N+m^+N-m^-\,\tfrac12N; \tag{35}
$$

for a general $\beta$, $\Phi^{(k)}\le N+\beta m^+N-\frac\beta{1+\beta}m^-N$.""",
    premises=BETA | SOME_EXPERT,
    errata=("kit-E15",),
)
def winnow_potential(*, n, positive, negative, beta=1):
    """``N + beta m+ N - beta / (1 + beta) m- N``."""
    return n + beta * positive * n - beta * negative * n / (1 + beta)


equation(
    36,
    "Upper and lower bound combined",
    r"""All weights stay positive, so $\Phi^{(k)}>0$ and

$$
0<N+m^+N-m^-\,\tfrac12N. \tag{36}
$$""",
    relation="<",
    premises=BETA | SOME_EXPERT,
    errata=("kit-E15", "kit-E17"),
)(winnow_potential)


@equation(
    37,
    "Few mistakes on negatives if few on positives",
    r"""Divide by $\frac12N$:

$$
m^-<2+2m^+; \tag{37}
$$

for a general $\beta$, $m^-<\frac{1+\beta}\beta+(1+\beta)\,m^+$.""",
    relation="<",
    premises=BETA,
    errata=("kit-E15", "kit-E17"),
)
def negatives(*, positive, beta=1):
    """``(1 + beta) / beta + (1 + beta) m+``."""
    return (1 + beta) * (1 / beta + positive)


theorem(
    "kit-lemmas",
    "The two lemmas",
    r"""Let the labels be a monotone disjunction.
*Lemma 1.* At a mistake on a positive example every active weight is at most $N$.
*Lemma 2.* A relevant feature is never demoted, so its weight is $2^m$ after $m$
mistakes on positive examples in which it is active; for a general $\beta$,
$(1+\beta)^m$.""",
    where="section 4.2",
    relation="==",
    premises={
        "the labels are the OR of the first k features": (
            lambda k, inputs, labels: labels == inputs[..., :k].any(axis=-1)
        )
    },
    errata=("kit-E23",),
    evidence=("steps", "exhaustive"),
)(no_exceptions)


@equation(
    38,
    "The weight before the last promotion",
    r"""Let the relevant feature $n$ have been active in $m_n^+\ge1$ mistakes on
positive examples.
Before the last of them its weight was

$$
w_n=2^{\,m_n^+-1}\le N, \tag{38}
$$

for a general $\beta$, $(1+\beta)^{m_n^+-1}\le N$.""",
    premises=BETA | SOME_EXPERT,
    errata=("kit-E14", "kit-E15"),
    evidence=("exhaustive", "adversary"),
)
def weight_limit(*, n, beta=1):
    """``N``."""
    return np.asarray(n)


@equation(
    39,
    "Promotions of one relevant feature",
    r"""As $m_n^+$ is a whole number,

$$
m_n^+\le\lfloor\log_2N\rfloor+1; \tag{39}
$$

for a general $\beta$ the base is $1+\beta$ instead of $2$.""",
    premises=BETA | SOME_EXPERT,
    errata=("kit-E14", "kit-E15"),
    evidence=("exhaustive", "adversary"),
    nontrivial=True,
)
def promotions_of_one(*, n, beta=1):
    """``floor(log_(1+beta) N) + 1``."""
    return _promotions(n, beta)


@equation(
    40,
    "Mistakes on positive examples",
    r"""Every positive example has an active relevant feature, of which there are $k$:

$$
m^+\le k\bigl(\lfloor\log_2N\rfloor+1\bigr)\qquad(k\text{ relevant features}); \tag{40}
$$

for a general $\beta$ the base is $1+\beta$ instead of $2$.""",
    premises=BETA | DISJUNCTION,
    errata=("kit-E14", "kit-E14b", "kit-E15"),
    evidence=("exhaustive", "adversary"),
    nontrivial=True,
)
def positives(*, n, k, beta=1):
    """``k (floor(log_(1+beta) N) + 1)``."""
    return k * _promotions(n, beta)


@equation(
    41,
    "Mistakes on negative examples",
    r"""Put (40) into (37):

$$
m^-<2+2k(\log_2N+1), \tag{41}
$$""",
    relation="<",
    premises=BETA_1 | DISJUNCTION,
    errata=("kit-E15", "kit-E18"),
    evidence=("exhaustive", "adversary"),
    nontrivial=True,
)
def negatives_in_all(*, n, k):
    """``2 + 2 k (lg N + 1)``."""
    return 2 + 2 * k * (np.log2(n) + 1)


@theorem(
    "kit-thm-winnow",
    "Winnow mistake bound",
    r"""Let the labels be a monotone disjunction of $k$ of the $N$ features.
Then the number $m$ of mistakes of Winnow with $\beta=1$ obeys

$$
\begin{aligned}
m&=m^++m^-\cr
&<2+3k(\log_2N+1).
\end{aligned} \tag{42}
$$""",
    where="equation (42)",
    relation="<",
    premises=BETA_1 | DISJUNCTION,
    errata=("kit-E15", "kit-E18"),
    evidence=("exhaustive", "adversary"),
    nontrivial=True,
)
def winnow_bound(*, n, k):
    """``2 + 3 k (lg N + 1)``."""
    return 2 + 3 * k * (np.log2(n) + 1)


@theorem(
    "kit-winnow-beta",
    "Winnow mistake bound for every beta",
    r"""Let the labels be a monotone disjunction of $k$ of the $N$ features.
Then the number $m$ of mistakes of Winnow with any $\beta>0$ obeys

$$
m<\frac{1+\beta}\beta+(2+\beta)\,k\,\bigl(\log_{1+\beta}N+1\bigr),
$$

which is (42) for $\beta=1$.""",
    where="section 4.2, for the free beta of Algorithm 4",
    relation="<",
    premises=BETA | DISJUNCTION,
    errata=("kit-E15",),
    evidence=("exhaustive", "adversary"),
    nontrivial=True,
)
def winnow_beta_bound(*, n, k, beta):
    """``(1 + beta) / beta + (2 + beta) k (log_(1+beta) N + 1)``."""
    beta = np.asarray(beta, dtype=float)
    return (1 + beta) / beta + (2 + beta) * k * (np.log(n) / np.log1p(beta) + 1)


# ---------------------------------------------------------------- section 5


@theorem(
    "kit-concl",
    "Winnow is better where few features are relevant",
    r"""For $N\ge2$ features of which one is relevant there is a stream of $N$ examples
on which the Perceptron errs $N$ times, whereas Winnow with $\beta=1$ errs fewer than
$2+3(\log_2N+1)$ times on every stream labeled by that feature.""",
    where="section 5",
    relation=">=",
    premises={"N >= 2": lambda n: np.asarray(n) >= 2},
    errata=("kit-E21",),
    evidence=("adversary",),
    nontrivial=True,
)
def perceptron_forced(*, n):
    """``N``."""
    return np.asarray(n)
