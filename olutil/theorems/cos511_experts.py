"""Schapire, COS 511 lecture 14: expert advice and the Perceptron."""

from math import log2

from olutil.theorems._registry import theorem

IN_0_1 = {"0 < beta < 1": lambda beta: 0 < beta < 1, "N >= 1": lambda n: n >= 1}


@theorem(
    "cos511-thm1",
    "Mistake bound of Weighted Majority",
    r"$M \le a_\beta m + c_\beta \lg N$",
    where="Theorem 1",
    premises=IN_0_1,
    evidence=("exhaustive",),
    nontrivial=True,
)
def weighted_majority_bound(*, beta, n, best):
    r"""``a_beta * best + c_beta * lg n``."""
    c = 1 / log2(2 / (1 + beta))
    return c * log2(1 / beta) * best + c * log2(n)
