"""Make coins.json: certificates of RL for the larger classes of the book.

    python book/data/coins.py

What it finds, `book/beyond/coins.ipynb` checks without it.  The search is the recursion
of that page with three shortcuts: version spaces that differ by a symmetry of the class
count as one; points at which the broken line g promises most come first; and a point
is left as soon as g shows that it is not better than the best one so far.
"""

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np

from olutil.classes import (
    conjunctions,
    cube,
    dnf,
    halfspaces,
    intervals,
    monotone_disjunctions,
    rectangles,
)  # fmt: skip
from olutil.theorems import bound

TARGET = Path(__file__).with_suffix(".json")


@cache
def line(size: int) -> float:
    """The broken line g, which no class of this size exceeds."""
    return float(bound("bey-exp-perfect", n=size))


def moves(d: int, flips: bool) -> list[list[int]]:
    """Symmetries of {0,1}^d that generate all: exchange two variables, flip one."""
    points, order = cube(d), np.arange(d)
    exchanged = np.where(order < 2, 1 - order, order)
    found = [points[:, exchanged], points[:, np.roll(order, 1)]]
    found += [points ^ (order == 0)] if flips else []
    return [(moved @ 2 ** order[::-1]).tolist() for moved in found]


def turns(side: int) -> list[list[int]]:
    """A quarter turn and a reflection of a square grid."""
    cells = np.arange(side**2).reshape(side, side)
    return [np.rot90(cells).ravel().tolist(), cells.T.ravel().tolist()]


def closure(generators: list[list[int]]) -> np.ndarray:
    """All products of these permutations."""
    everything = todo = {tuple(range(len(generators[0])))}
    while todo:
        todo = {tuple(g[i] for i in p) for p in todo for g in generators} - everything
        everything = everything | todo
    return np.array(sorted(everything))


def certificate(C: np.ndarray, generators: list[list[int]]) -> dict:
    """The value, a tree that forces it, and potentials that show it to be enough."""
    group, memo = closure(generators), {}

    def sides(V: np.ndarray) -> list[tuple]:
        """Every way to split V, the most promising first: point, smaller, larger."""
        split = {}
        for x in range(C.shape[1]):
            ones = C[V, x] == 1
            both = sorted((V[~ones], V[ones]), key=len)
            if len(both[0]):
                split.setdefault(tuple(both[0]), (x, *both))
        return sorted(split.values(), key=lambda s: -line(len(s[1])) - line(len(s[2])))

    def name(V: np.ndarray) -> str:
        """The labels that V agrees on, in the first of their symmetric forms."""
        low, high = C[V].min(axis=0), C[V].max(axis=0)
        labels = np.where(low == high, low, 2).astype(np.uint8) + ord("0")
        images = labels[group].view(f"S{C.shape[1]}").ravel().tolist()
        return min(images).decode()

    def value(V: np.ndarray) -> float:
        if len(V) == 1:
            return 0.0
        known = name(V)
        if known not in memo:
            best = 0.0
            for _, small, large in sides(V):
                if 1 + line(len(small)) + line(len(large)) <= 2 * best:
                    break
                low = 1 + value(small)
                if low + line(len(large)) > 2 * best:
                    best = max(best, (low + value(large)) / 2)
            memo[known] = best
        return memo[known]

    def tree(V: np.ndarray) -> list | int:
        """[point, below 0, below 1], or a concept."""
        if len(V) == 1:
            return int(V[0])
        aim = 2 * value(V) - 1
        x = next(x for x, small, large in sides(V)
                 if line(len(small)) + line(len(large)) >= aim
                 and value(small) + value(large) == aim)  # fmt: skip
        return [x, tree(V[C[V, x] == 0]), tree(V[C[V, x] == 1])]

    everything = np.arange(len(C))
    listed, todo = {}, [everything]
    while todo:
        V = todo.pop()
        if name(V) in listed:
            continue
        listed[name(V)] = value(V)
        for _, small, large in sides(V):
            room = 2 * value(V) - 1
            if line(len(small)) + line(len(large)) > room:
                if value(small) + line(len(large)) <= room:
                    todo.append(small)
                elif line(len(small)) + value(large) <= room:
                    todo.append(large)
                else:
                    todo += [small, large]
    return {"symmetries": generators, "tree": tree(everything),
            "potentials": dict(sorted(listed.items()))}  # fmt: skip


def main() -> None:
    """Write the file."""
    classes: dict[str, tuple[Callable[[], np.ndarray], list]] = {
        "rectangles, 4 by 4": (lambda: rectangles(4, 4), turns(4)),
        "conjunctions, d = 4": (lambda: conjunctions(4), moves(4, True)),
        "disjunctions, 6, 3": (lambda: monotone_disjunctions(6, 3), moves(6, False)),
        "disjunctions, 7, 2": (lambda: monotone_disjunctions(7, 2), moves(7, False)),
        "disjunctions, 7, 3": (lambda: monotone_disjunctions(7, 3), moves(7, False)),
        "2-DNF, d = 3": (lambda: dnf(3, 2), moves(3, True)),
        "halfspaces, d = 4": (lambda: halfspaces(4), moves(4, True)),
    }
    found = {name: certificate(make(), by) for name, (make, by) in classes.items()}
    # For intervals a theorem of the page is the proof from above.
    whole = certificate(intervals(15), [list(range(15))[::-1]])
    found["intervals, 15 points"] = {"tree": whole["tree"]}
    rows = (f"{json.dumps(name)}: {json.dumps(each)}" for name, each in found.items())
    TARGET.write_text("{\n" + ",\n".join(rows) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
