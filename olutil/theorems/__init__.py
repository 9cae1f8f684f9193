"""The registry: every statement of the five lectures, under its id.

A theorem is a function whose value is the right-hand side of the statement; nothing
else in the project types a bound.  Each lecture has a module of its own; importing
this package registers them all.

    >>> from olutil.theorems import STATEMENTS, bound
    >>> STATEMENTS["cos511-thm1"].title
    'Mistake bound of Weighted Majority'
    >>> round(bound("cos511-thm1", beta=0.5, n=16, best=3), 3)
    16.866
"""

import importlib

from olutil.theorems._registry import (
    LECTURES,
    STATEMENTS,
    Statement,
    bound,
    definition,
    theorem,
)

# In the order of the lectures: the ledger and the book list statements in this order.
_MODULES = (
    "kakade", "chandola", "cos511_experts", "cos511_perceptron", "kitani",
    "das_linear", "das_experts", "das_games", "cross", "beyond_classes",
    "beyond_experts", "beyond_descent", "beyond_perceptron",
    "beyond_games",
)  # fmt: skip
for _module in _MODULES:
    importlib.import_module(f"olutil.theorems.{_module}")

__all__ = ["LECTURES", "STATEMENTS", "Statement", "bound", "definition", "theorem"]
