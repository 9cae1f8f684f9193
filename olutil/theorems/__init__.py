"""The registry: what can be checked of the five lectures, under the statement's id.

A statement is registered as a function whose value is its right-hand side; nothing
else in the project types a bound.  Its title and text are in the book, in the box with
the same id.  Each lecture has a module of its own; importing this package registers
them all.

    >>> from olutil.theorems import STATEMENTS, bound
    >>> STATEMENTS["cos511-thm1"].source
    'Schapire, COS 511, lecture 14 (2006), Theorem 1'
    >>> round(bound("cos511-thm1", beta=0.5, n=16, best=3), 3)
    16.866
"""

import importlib

from olutil.theorems._registry import LECTURES, STATEMENTS, Statement, bound, theorem

# In the order of the lectures, which the ledger keeps.
_MODULES = (
    "kakade", "chandola", "cos511_experts", "cos511_perceptron", "kitani",
    "das_linear", "das_experts", "das_games", "cross", "beyond_classes",
    "beyond_experts", "beyond_descent", "beyond_perceptron",
    "beyond_games",
)  # fmt: skip
for _module in _MODULES:
    importlib.import_module(f"olutil.theorems.{_module}")

__all__ = ["LECTURES", "STATEMENTS", "Statement", "bound", "theorem"]
