"""What of a notebook must run when some of its cells have changed.

After each run a record says, outside of the repository, what the cells were and which
names each of them changed, as the kernel has seen it (`changes.py`).  Cells that are as
they were, and that use nothing that may be another, keep their outputs.
"""

import hashlib
import json
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from dependencies import Cell, needed_cells, read_cell
from nbformat import NotebookNode

ROOT = Path(__file__).resolve().parents[2]
# What outputs depend on besides the cells.
WORLD = ["olutil/**/*.*", "book/data/**/*.*", "book/_tools/*.*", "requirements.txt"]
# With these a cell may use or make names that do not stand in it.
BEYOND = {"eval", "exec", "globals", "__import__"}


@dataclass(frozen=True)
class Plan:
    """Which code cells run, by their numbers from 0, and whose outputs are stored."""

    runs: frozenset[int]
    renewed: frozenset[int]
    why: str = ""  # all of them run
    known: Mapping[int, list[str]] = field(
        default_factory=dict
    )  # to be changed by each


def world() -> str:
    """One text for all that outputs depend on besides the cells."""
    digest = hashlib.sha256(sys.version.encode())
    for pattern in WORLD:
        for path in sorted(ROOT.glob(pattern)):
            if "__pycache__" not in path.parts:
                digest.update(path.as_posix().encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


def record(
    cells: list[NotebookNode],
    last: dict | None,
    plan: Plan,
    seen: Mapping[int, list[str]],
    closed: Iterable[str],
) -> dict:
    """What is to be remembered of a run.

    Parameters
    ----------
    cells : list of code cells
        As they are stored.
    last : dict or None
        What is remembered of the run before.
    plan : Plan
        What ran.
    seen : mapping
        The names that each of the cells has changed.
    closed : iterable of str
        The names whose values cannot be compared: to mention one may be to change it.
    """
    names = {i: [] for i in range(len(cells))}
    if last and not plan.why:
        names |= plan.known
        closed = {*closed, *last["closed"]}
    for number, found in seen.items():
        names[number] = sorted({*names[number], *found})
    return {
        "world": world(),
        "closed": sorted(closed),
        "cells": [
            {"source": cell.source, "outputs": outputs(cell), "changed": names[number]}
            for number, cell in enumerate(cells)
        ],
    }


def outputs(cell: NotebookNode) -> str:
    """One text for the outputs of a cell."""
    text = json.dumps(cell.outputs, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()


def plan(
    cells: list[NotebookNode],
    last: dict | None,
    seen: Mapping[int, Iterable[str]] | None = None,
) -> Plan:
    """What must run of these code cells, after the run that is recorded, if any is.

    Afterwards ``seen`` has what the cells that ran have changed: if the plan is another
    then, it was not enough.
    """
    seen = seen or {}
    if last is None:
        return whole(cells, "they have not run here before")
    if last["world"] != world():
        return whole(cells, "olutil, the data or the environment have changed")
    told = [read_cell(cell.source) for cell in cells]
    for number, cell in enumerate(told, start=1):
        if unknown := cell.uses & BEYOND:
            return whole(cells, f"cell {number} calls {', '.join(sorted(unknown))}")
    edited, gone, kept = compare(cells, last["cells"])
    known = [
        cell.making(before["changed"] if before else ())
        .making(cell.uses & set(last["closed"]))
        .making(seen.get(number, ()))
        for number, (cell, before) in enumerate(zip(told, kept, strict=True))
    ]
    stale = {name for cell in gone for name in cell["changed"]}
    stale = stale.union(*(read_cell(cell["source"]).makes for cell in gone))
    setting = {i for i, cell in enumerate(known) if any(map(is_setting, cell.makes))}
    if setting & set(edited) or any(map(is_setting, stale)):
        return whole(cells, "the cell that has changed sets something for all")
    renewed = dependents(known, edited, stale)
    runs = needed_cells(known, renewed | setting) if renewed else ()
    changed = {i: before["changed"] for i, before in enumerate(kept) if before}
    return Plan(frozenset(runs), frozenset(renewed), known=changed)


def whole(cells: list[NotebookNode], why: str) -> Plan:
    """The plan that all cells run."""
    numbers = frozenset(range(len(cells)))
    return Plan(numbers, numbers, why)


def compare(cells: list[NotebookNode], old: list[dict]) -> tuple[range, list, list]:
    """Which cells are new, which old ones are gone, and what each was, or None."""
    now = [(cell.source.rstrip(), outputs(cell)) for cell in cells]
    then = [(cell["source"], cell["outputs"]) for cell in old]
    same = agreement(now, then)
    rest = agreement(now[same:][::-1], then[same:][::-1])
    edited = range(same, len(now) - rest)
    end = len(old) - rest
    return edited, old[same:end], [*old[:same], *[None] * len(edited), *old[end:]]


def agreement(one: list, other: list) -> int:
    """How long the common beginning of two lists is."""
    differ = (i for i in range(min(len(one), len(other))) if one[i] != other[i])
    return next(differ, min(len(one), len(other)))


def is_setting(name: str) -> bool:
    return name.startswith("<")


def dependents(cells: list[Cell], edited: range, stale: Iterable[str]) -> set[int]:
    """The edited cells, and those after them that use what may now be another."""
    found, stale = set(edited), set(stale)
    for number in range(edited.start, len(cells)):
        cell = cells[number]
        called = needed_cells(cells[: number + 1], {number})
        uses = cell.needs.union(*(cells[other].late for other in called))
        if number in edited or uses & stale:
            found.add(number)
            stale |= cell.makes
        else:
            stale -= cell.anew
    return found


def second_thoughts(
    before: list[NotebookNode],
    after: list[NotebookNode],
    first: Plan,
    last: dict,
    seen: Mapping[int, Iterable[str]],
) -> Plan:
    """The plan after a run that went by it: the same, or that all cells must run.

    What the edited cells change could only be guessed before.
    """
    second = plan(before, last, seen)
    if not (second.runs <= first.runs and second.renewed <= first.renewed):
        return whole(before, second.why or "the change reaches further than it seemed")
    for number in sorted(first.runs - first.renewed):
        if outputs(after[number]) != outputs(before[number]):
            return whole(before, f"cell {number + 1}, as it was, gives another output")
    return first
