"""Das, 9.520, slides 1-19: the online setting, Perceptron, online gradient descent.

Shapes: samples ``X`` (T, ..., d) and ``y`` (T, ...), a competitor ``u`` (..., d); time
is axis 0.  Radii, hinge losses and margins are computed here from the data.
"""

import numpy as np

from olutil.theorems._common import (
    SOME_FEATURE,
    hinge_losses,
    inner,
    least_margin,
    length,
    margins,
    radius_squared,
    root,
)
from olutil.theorems._registry import definition, theorem

LABELS = {"y is -1 or +1": lambda y: abs(y) == 1}
UNIT_MARGIN = {"every margin is at least 1": lambda X, y, u: margins(X, y, u) >= 1}

# ---------------------------------------------------------------- slides 3-8

definition(
    "das-s7-protocol",
    "The online protocol",
    r"Start with an estimator $f_0$. For $i=1,\dots,n$: receive $x_i$; predict "
    r"$f_{i-1}(x_i)$; receive $y_i$; update $(f_{i-1},z_i)\mapsto f_i$. So $f_i$ "
    r"depends on the first $i$ samples only, and storing $f_{i-1}$ may need much less "
    r"memory than storing $z_1,\dots,z_{i-1}$.",
    where="slide 7",
)

definition(
    "das-s8-goals",
    "What batch and online learning minimize",
    r"Batch learning wants a small expected loss $I[f_n]=\mathbb{E}_zV(f_n(x),y)$; "
    r"online learning wants a small cumulative loss $\sum_{i=1}^nV(f_{i-1}(x_i),y_i)$.",
    where="slide 8",
)


@theorem(
    "das-s4-assets",
    "The state of a linear online learner",
    r"After any number of rounds, the Perceptron, Passive-Aggressive and online "
    r"gradient descent hold a weight vector of $d$ numbers and none of the samples.",
    where="slide 4",
    relation="==",
    premises=SOME_FEATURE,
    evidence=("random",),
)
def state_size(*, d):
    """The numbers that a linear learner keeps."""
    return d


@theorem(
    "das-s5-problems",
    "Online can be worse than batch by as much as possible",
    r"For every $n$ and every deterministic online learner there are $n$ samples in "
    r"$\mathbb{R}^n$ on which it errs in all $n$ rounds, although some fixed "
    r"$u\in\mathbb{R}^n$ classifies all of them correctly.",
    where="slide 5",
    relation="==",
    premises={
        "u classifies every sample correctly": lambda X, y, u: margins(X, y, u) > 0,
    },
    evidence=("adversary",),
)
def worse_than_batch(*, X):
    """The number of rounds."""
    return len(X)


@theorem(
    "das-s6-setting",
    "The hinge loss bounds the 0-1 loss",
    r"Let $\Theta(z)=1$ for $z\ge0$ and $\Theta(z)=0$ for $z<0$. For every "
    r"$y\in\{-1,+1\}$ and every real $w$, the 0-1 loss $E(w,y)=\Theta(-yw)$ is at "
    r"most the hinge loss $V(w,y)=|1-yw|_+$.",
    where="slide 6",
    premises=LABELS,
    errata=("das-E1",),
    evidence=("exact",),
)
def hinge_loss(*, score, y):
    """``|1 - y score|_+``."""
    return np.maximum(1 - y * score, 0)


# ---------------------------------------------------------------- slides 9-11


@theorem(
    "das-s9-alg",
    "The Perceptron",
    r"Start with $\omega_0=0$. Let $E_i=1$ if $y_i(\omega_{i-1}\cdot x_i)\le0$, and "
    r"$E_i=0$ otherwise. If $E_i=0$, keep $\omega_i=\omega_{i-1}$; if $E_i=1$, set "
    r"$\omega_i=\omega_{i-1}+y_ix_i$. Hence $\omega_i=\sum_{j\le i}E_jy_jx_j$.",
    where="slide 9",
    relation="==",
    premises=LABELS,
    errata=("das-E1",),
    evidence=("exhaustive",),
)
def perceptron_weights(*, X, y):
    """The sums of ``y x`` over the rounds with ``E = 1``, shape (T + 1, ..., d)."""
    sums = [np.zeros_like(X[0])]
    for x_i, y_i in zip(X, y, strict=True):
        errs = y_i * inner(sums[-1], x_i) <= 0
        sums.append(sums[-1] + (errs * y_i)[..., None] * x_i)
    return np.stack(sums)


@theorem(
    "das-s10-update",
    "A Perceptron update raises the margin",
    r"If the Perceptron errs on $x_i\ne0$, then $y_i(\omega_i\cdot "
    r"x_i)=y_i(\omega_{i-1}\cdot x_i)+\lVert x_i\rVert^2>y_i(\omega_{i-1}\cdot x_i)$.",
    where="slide 10",
    relation="==",
    premises={
        "the Perceptron erred: the margin was at most 0": lambda before: before <= 0,
        "x is not 0": lambda x: inner(x, x) > 0,
    },
    errata=("das-E2",),
    evidence=("steps", "exact"),
)
def margin_after_update(*, before, x):
    """The margin before the update plus ``|x|**2``."""
    return before + inner(x, x)


@theorem(
    "das-s10-pa",
    "Loss bound of Passive-Aggressive",
    r"Passive-Aggressive starts with $\omega_0=0$ and sets "
    r"$\omega_i=\omega_{i-1}+\tau_iy_ix_i$ with $\tau_i=\ell_i/\lVert x_i\rVert^2$ "
    r"and $\ell_i=|1-y_i(\omega_{i-1}\cdot x_i)|_+$. If $\lVert x_i\rVert\le R$ and "
    r"$y_i(u\cdot x_i)\ge1$ for all $i$, then after every round $\sum_{j\le "
    r"i}\ell_j^2\le R^2\bigl(\lVert u\rVert^2-\lVert\omega_i-u\rVert^2\bigr)\le "
    r"R^2\lVert u\rVert^2$, and it makes at most $R^2\lVert u\rVert^2$ mistakes.",
    where="slide 10 (named there; Crammer et al., 2006)",
    premises=UNIT_MARGIN,
    errata=("das-E3",),
    evidence=("random", "adversary", "steps"),
    nontrivial=True,
)
def passive_aggressive_bound(*, X, u, w=None):
    """``R**2 |u|**2``; given the weights ``w`` too, less ``R**2 |w - u|**2``."""
    left = 0 if w is None else inner(w - u, w - u)
    return radius_squared(X) * (inner(u, u) - left)


@theorem(
    "das-s11-conv",
    "Perceptron convergence theorem",
    r"Let finitely many samples satisfy $y_i(u\cdot x_i)\ge\gamma>0$ for some "
    r"$u\in\mathbb{R}^d$, and let $R=\max_i\lVert x_i\rVert$. Presented cyclically to "
    r"the Perceptron, they change its weights at most $R^2\lVert u\rVert^2/\gamma^2$ "
    r"times, so $\omega_i$ is eventually constant, and its limit classifies every "
    r"sample correctly.",
    where="slide 11",
    premises={"u separates: gamma > 0": lambda X, y, u: margins(X, y, u) > 0},
    errata=("das-E4",),
    evidence=("random", "exhaustive"),
    nontrivial=True,
)
def convergence_bound(*, X, y, u):
    """``R**2 |u|**2 / gamma**2``."""
    return radius_squared(X) * inner(u, u) / least_margin(X, y, u) ** 2


# ---------------------------------------------------------------- slides 12-13


@theorem(
    "das-thm-mistake",
    "Mistake bound of the Perceptron, separable or not",
    r"Let $\lVert x_i\rVert\le R$ for $i=1,\dots,n$. Then for every "
    r"$u\in\mathbb{R}^d$ the Perceptron's number of mistakes $M=\sum_{i=1}^nE_i$ "
    r"satisfies $M\le\Bigl(R\lVert u\rVert+\sqrt{\sum_{i=1}^n\hat V_i^2}\Bigr)^2$, "
    r"where $\hat V_i=|1-y_i(u\cdot x_i)|_+$.",
    where="slide 12",
    errata=("das-E1", "das-E5"),
    evidence=("exhaustive", "random", "adversary"),
    nontrivial=True,
)
def hinge_bound(*, X, y, u):
    """``(R |u| + sqrt(sum of squared hinge losses))**2``."""
    squares = (hinge_losses(X, y, u) ** 2).sum(axis=0)
    return (root(radius_squared(X) * inner(u, u)) + root(squares)) ** 2


@theorem(
    "das-s13-necessary",
    "The inputs must be bounded",
    r"Without a bound on $\lVert x_i\rVert$ there is no mistake bound: with $u=(1,0)$ "
    r"there are, for every $n$, samples in $\mathbb{R}^2$ with $y_i(u\cdot x_i)=1$, "
    r"so that all $\hat V_i=0$, on which the Perceptron errs in all $n$ rounds.",
    where="slide 13",
    relation="==",
    premises={
        "every margin is 1": lambda X, y, u: margins(X, y, u) == 1,
        "u = (1, 0)": lambda u: np.array_equal(u, [1, 0]),
    },
    evidence=("adversary",),
)
def unbounded_inputs(*, X):
    """The number of rounds."""
    return len(X)


@theorem(
    "das-s13-sep",
    "Mistake bound in the separable case",
    r"If $y_i(u^*\cdot x_i)\ge1$ and $\lVert x_i\rVert\le R$ for all $i$, then every "
    r"hinge loss of $u^*$ is 0 and $M\le R^2\lVert u^*\rVert^2$. Such a $u^*$ exists "
    r"for every finite set of samples that a hyperplane through the origin separates.",
    where="slide 13",
    premises=UNIT_MARGIN,
    errata=("das-E19",),
    evidence=("exhaustive", "adversary"),
    nontrivial=True,
)
def separable_bound(*, X, u):
    """``R**2 |u|**2``."""
    return radius_squared(X) * inner(u, u)


@theorem(
    "das-s13-insep",
    "Against the best linear separator",
    r"For every nonempty set $U\subset\mathbb{R}^d$ of competitors, $M\le\inf_{u\in "
    r"U}\Bigl(R\lVert u\rVert+\sqrt{\sum_{i=1}^n|1-y_i(u\cdot "
    r"x_i)|_+^2}\Bigr)^2$: the online mistakes are compared with the batch "
    r"losses of the best $u$ in $U$.",
    where="slide 13",
    evidence=("exhaustive", "random"),
    nontrivial=True,
)
def best_competitor_bound(*, X, y, U):
    """The least `hinge_bound` over the rows of ``U``."""
    return np.min([hinge_bound(X=X, y=y, u=u) for u in U], axis=0)


# ---------------------------------------------------------------- slides 14-16

ERRED = {"the Perceptron erred": lambda before, x, y: y * inner(before, x) <= 0}
RIGHT = {"the Perceptron was right": lambda before, x, y: y * inner(before, x) > 0}


@theorem(
    "das-s14-1",
    "Proof: without a mistake the projection stays",
    r"If $E_i=0$, then $\omega_i\cdot u=\omega_{i-1}\cdot u$.",
    where="slide 14, step 1",
    relation="==",
    premises=RIGHT,
    evidence=("steps",),
)
def projection_kept(*, before, u):
    """The projection before the round."""
    return inner(before, u)


@theorem(
    "das-s14-2",
    "Proof: a mistake adds at least one minus the hinge loss",
    r"If $E_i=1$, then $\omega_i\cdot u=\omega_{i-1}\cdot u+y_i(x_i\cdot "
    r"u)\ge\omega_{i-1}\cdot u+1-\hat V_i$.",
    where="slide 14, step 2",
    relation=">=",
    premises=ERRED,
    evidence=("steps",),
)
def projection_after_mistake(*, before, x, y, u):
    """The projection before the round, plus one minus the hinge loss."""
    return inner(before, u) + 1 - hinge_losses(x, y, u)


@theorem(
    "das-s14-3",
    "Proof: both cases in one line",
    r"In every round, $\omega_i\cdot u\ge\omega_{i-1}\cdot u+(1-\hat V_i)E_i$.",
    where="slide 14, step 3",
    relation=">=",
    errata=("das-E6",),
    evidence=("steps",),
)
def projection_step(*, before, x, y, u, E):
    """The projection before the round, plus ``(1 - hinge loss) E``."""
    return inner(before, u) + (1 - hinge_losses(x, y, u)) * E


@theorem(
    "das-s14-4",
    "Proof: the projection of the final weights",
    r"Summing up, $\omega_n\cdot u\ge M-\sum_{i=1}^n\hat V_iE_i$.",
    where="slide 14, step 4",
    relation=">=",
    evidence=("steps",),
)
def projection_sum(*, X, y, u, E):
    """The mistakes less the hinge losses of ``u`` in the rounds with a mistake."""
    return (E - hinge_losses(X, y, u) * E).sum(axis=0)


@theorem(
    "das-s15-1",
    "Proof: without a mistake the norm stays",
    r"If $E_i=0$, then $\lVert\omega_i\rVert^2=\lVert\omega_{i-1}\rVert^2$.",
    where="slide 15, step 1",
    relation="==",
    premises=RIGHT,
    evidence=("steps",),
)
def norm_kept(*, before):
    """The squared norm before the round."""
    return inner(before, before)


@theorem(
    "das-s15-2",
    "Proof: a mistake adds at most the squared radius",
    r"If $E_i=1$, then $y_i(\omega_{i-1}\cdot x_i)\le0$, and so "
    r"$\lVert\omega_i\rVert^2=\lVert\omega_{i-1}\rVert^2+\lVert "
    r"x_i\rVert^2+2y_i(\omega_{i-1}\cdot x_i)\le\lVert\omega_{i-1}\rVert^2+R^2$.",
    where="slide 15, step 2",
    premises=ERRED | {"|x| <= R": lambda x, radius2: inner(x, x) <= radius2},
    evidence=("steps",),
)
def norm_after_mistake(*, before, radius2):
    """The squared norm before the round plus ``R**2`` (given as ``radius2``)."""
    return inner(before, before) + radius2


@theorem(
    "das-s15-3",
    "Proof: the norm of the final weights",
    r"Summing up, $\lVert\omega_n\rVert^2\le MR^2$.",
    where="slide 15, step 3",
    evidence=("steps",),
)
def norm_sum(*, X, E):
    """The number of mistakes times ``R**2``."""
    return E.sum(axis=0) * radius_squared(X)


@theorem(
    "das-s16-1",
    "Proof: Cauchy-Schwarz joins the two estimates",
    r"$M-\sum_{i=1}^n\hat V_iE_i\le\omega_n\cdot u\le\lVert\omega_n\rVert\lVert "
    r"u\rVert\le\sqrt M\,R\lVert u\rVert$.",
    where="slide 16, step 1",
    evidence=("steps",),
)
def cauchy_schwarz_chain(*, X, u, w, E):
    """The last three members of the chain, stacked; ``w`` holds the final weights."""
    chain = (
        inner(w, u),
        length(w) * length(u),
        root(E.sum(axis=0) * radius_squared(X)) * length(u),
    )
    return np.stack(np.broadcast_arrays(*chain))


@theorem(
    "das-s16-2",
    "Proof: Cauchy-Schwarz on the losses",
    r"$\sum_{i=1}^n\hat V_iE_i\le\sqrt{\sum_{i=1}^n\hat "
    r"V_i^2}\,\sqrt{\sum_{i=1}^nE_i^2}=\sqrt{\sum_{i=1}^n\hat V_i^2}\,\sqrt M$.",
    where="slide 16, step 2",
    errata=("das-E7",),
    evidence=("steps",),
)
def loss_product(*, X, y, u, E):
    """The root of the sum of squared hinge losses times the root of the mistakes."""
    squares = (hinge_losses(X, y, u) ** 2).sum(axis=0)
    return root(squares) * root(E.sum(axis=0))


@theorem(
    "das-s16-3",
    "Proof: divide by the root of the mistakes",
    r"$\sqrt M-\sqrt{\sum_{i=1}^n\hat V_i^2}\le R\lVert u\rVert$.",
    where="slide 16, step 3",
    errata=("das-E7",),
    evidence=("steps",),
)
def root_bound(*, X, u):
    """``R |u|``."""
    return root(radius_squared(X) * inner(u, u))


# ---------------------------------------------------------------- slides 17-19


@theorem(
    "das-s17-gd",
    "Batch and online gradient steps",
    r"Gradient descent steps by $\Delta w=-\eta\nabla E|_w$ with $E=\sum_nE_n$; "
    r"online gradient descent steps by $\Delta w=-\eta\nabla E_n|_w$ for one example "
    r"$n$, taken in sequence or at random. For $E_n=\frac12(y_n-w\cdot x_n)^2$, a "
    r"minimizer $w^*$ of $E$ and $H=\sum_nx_nx_n^\top$, the quadratic approximation "
    r"is exact, $E(w)=E(w^*)+\frac12(w-w^*)^\top H(w-w^*)$, and the one-example steps "
    r"from the same $w$ add up to the batch step $-\eta H(w-w^*)$.",
    where="slide 17",
    relation="==",
    premises={
        "the gradient of E vanishes at the minimizer": lambda X, y, minimizer: (
            ((y - X @ minimizer)[:, None] * X).sum(axis=0) == 0
        ),
    },
    evidence=("exact",),
)
def batch_step(*, X, w, minimizer, rate):
    """``-rate H (w - minimizer)``."""
    return -rate * (X.T @ (X @ (w - minimizer)))


@theorem(
    "das-s18-ex",
    "Online gradient descent with a linear teacher",
    r"Let $E=\frac12|y-wx|^2$ with $y=w^*x$, and let $W=w-w^*$. Then "
    r"$E=\frac12|Wx|^2$, $\nabla E=Wxx^\top$, and the online step is $\Delta w=-\eta "
    r"Wxx^\top$.",
    where="slide 18",
    relation="==",
    premises={
        "y is the teacher's answer": lambda x, y, teacher: y == teacher @ x,
    },
    errata=("das-E8",),
    evidence=("exact",),
)
def teacher_step(*, x, w, teacher, rate):
    """``-rate (w - teacher) x x^T``; ``w`` has shape (outputs, inputs)."""
    return -rate * ((w - teacher) @ np.outer(x, x))


@theorem(
    "das-s19-lr",
    "The learning rate: constant or falling",
    r"For $x_\tau=1$ and $y_\tau=w^*_\tau+\varepsilon_\tau$, with noise "
    r"$\varepsilon_\tau$ of mean 0 and variance $\sigma^2$ and a teacher $w^*_\tau$ "
    r"whose steps have mean 0 and variance $\delta^2$, all independent of one another, "
    r"the error "
    r"$e_\tau=\mathbb{E}(w_\tau-w^*_\tau)^2$ of online gradient descent obeys "
    r"$e_\tau=(1-\eta_\tau)^2(e_{\tau-1}+\delta^2)+\eta_\tau^2\sigma^2$. Hence "
    r"$\eta_\tau=1/\tau$ gives $e_\tau=\frac{\sigma^2}\tau+\delta^2\frac{(\tau-1)(2"
    r"\tau-1)}{6\tau}$, and a constant $0<\eta<2$ leads to "
    r"$e_\tau\to\frac{(1-\eta)^2\delta^2+\eta^2\sigma^2}{\eta(2-\eta)}$.",
    where="slide 19 (supplied)",
    relation="==",
    premises={
        "variances are not negative": lambda noise, drift: (noise >= 0) & (drift >= 0),
    },
    evidence=("exhaustive", "exact"),
)
def tracking_error(*, rates, noise, drift, start):
    """The errors after each round, shape of ``rates`` (time is the last axis).

    ``noise`` and ``drift`` are variances, ``start`` is the error before round 1.
    """
    error, errors = start, []
    for eta in np.moveaxis(np.asarray(rates), -1, 0):
        error = (1 - eta) ** 2 * (error + drift) + eta**2 * noise
        errors.append(error)
    return np.stack(errors, axis=-1)


@theorem(
    "das-s19-redundant",
    "Redundant examples cost online learning nothing",
    r"Repeat a data set $k$ times. To bring the mean error below a given level, "
    r"gradient descent on the mean error evaluates $k$ times as many example "
    r"gradients as on a single copy; online gradient descent, going through the "
    r"copies in order, evaluates as many as on a single copy.",
    where="slide 19",
    relation="==",
    premises={"at least one copy": lambda copies: copies >= 1},
    evidence=("random",),
)
def gradients_needed(*, single, copies, batch):
    """Example gradients on ``copies`` copies, from those on a single one."""
    return np.where(batch, single * copies, single)


@theorem(
    "das-s19-localmin",
    "Online steps can leave a local minimum",
    r"There is an error $E=\frac12(E_1+E_2)$ with a local minimum in which gradient "
    r"descent stays forever, while online gradient descent with the same learning "
    r"rate crosses into the valley of a lower minimum in at least one of the equally "
    r"likely orders of the examples.",
    where="slide 19",
    relation=">=",
    premises={
        "gradient descent stays": lambda moved: abs(moved) < 1e-9,
        "the other minimum is lower": lambda here, there: there < here,
    },
    evidence=("exhaustive",),
)
def orders_that_leave():
    """At least one order."""
    return 1


@theorem(
    "das-s19-overshoot",
    "Overshooting",
    r"A gradient step on one example multiplies the residual $w\cdot x-y$ by "
    r"$1-\eta\lVert x\rVert^2$. It overshoots (a residual other than 0 changes sign) "
    r"if and only if $\eta\lVert x\rVert^2>1$, and repeated steps bring every "
    r"residual to 0 if and only if $0<\eta\lVert x\rVert^2<2$.",
    where="slide 19",
    relation="==",
    premises={"a positive rate": lambda rate: rate > 0},
    evidence=("exact",),
)
def residual_after_steps(*, before, rate, x, steps=1):
    """``(1 - rate |x|**2) ** steps`` times the residual before."""
    return (1 - rate * inner(x, x)) ** steps * before
