"""Plant bugs in olutil, one at a time, and see a named check of the book find each.

    python tests/mutants.py              all of tests/mutants.toml
    python tests/mutants.py winnow       those with the word in their name

A mutant is killed only if the check that is named for it, run from the book's notebook,
raises `BoundViolated`.  Of the notebook only the cells run that this check needs.
First all cells that the checks named for a notebook need run without a bug, and each of
these checks must pass.
"""

import argparse
import builtins
import contextlib
import importlib
import io
import json
import multiprocessing
import os
import shutil
import sys
import tempfile
import time
import tomllib
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "book" / "_tools"))
from dependencies import Cell, needed_cells, read_cell  # noqa: E402

TABLE = Path(__file__).with_suffix(".toml")
WORKERS = 2
LIBRARIES = ("numpy", "matplotlib.pyplot", "sympy", "scipy.optimize")
SECONDS = 600  # for one mutant on a busy machine; one that hangs has not been found


@dataclass(frozen=True)
class Mutant:
    """One planted bug, and the check that must find it."""

    name: str
    file: str
    old: str
    new: str
    check: str
    notebook: str


def load() -> list[Mutant]:
    """The table, each entry checked against the sources."""
    mutants = [Mutant(**entry) for entry in tomllib.loads(TABLE.read_text())["mutant"]]
    names = [mutant.name for mutant in mutants]
    for mutant in mutants:
        found = (ROOT / "olutil" / mutant.file).read_text().count(mutant.old)
        if found != 1:
            sys.exit(f"{mutant.name}: 'old' stands {found} times in {mutant.file}")
        if names.count(mutant.name) != 1:
            sys.exit(f"{mutant.name}: the name is given twice")
    return mutants


# ---------------------------------------------------------------- slicing a notebook


@cache
def code_cells(notebook: Path) -> list[tuple[str, str, Cell]]:
    """Sources, outputs, and what the cells do with names."""
    cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    sources = [("".join(c["source"]), c) for c in cells if c["cell_type"] == "code"]
    return [
        (source, json.dumps(cell["outputs"], ensure_ascii=False), read_cell(source))
        for source, cell in sources
    ]


def sliced(notebook: Path, checks: list[str]) -> list[str]:
    """The cells that print these checks, and those before that they depend on."""
    sources, outputs, cells = zip(*code_cells(notebook), strict=True)
    targets = set()
    for check in checks:
        # All of them: any may be the one that finds a bug.
        printed = {i for i, output in enumerate(outputs) if f"✓ {check} ·" in output}
        if not printed:
            raise LookupError(f"{notebook.name} prints no check of {check}")
        targets |= printed
    return [sources[number] for number in sorted(needed_cells(cells, targets))]


# ---------------------------------------------------------------- one mutant


@contextlib.contextmanager
def mutated(mutant: Mutant | None) -> Iterator[None]:
    """Import `olutil` from a copy with the bug in it."""
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(ROOT / "olutil", Path(folder, "olutil"))
        if mutant is not None:
            file = Path(folder, "olutil", mutant.file)
            file.write_text(file.read_text().replace(mutant.old, mutant.new))
        sys.path.insert(0, folder)
        sys.dont_write_bytecode = True
        yield


def run_cells(cells: list[str], checks: list[str]) -> str:
    """Run the cells; what happened to the checks."""
    verify = importlib.import_module("olutil.verify")
    olutil = importlib.import_module("olutil")
    honest, missing = verify.check, set(checks)

    def only_these(id, *args, **kwargs):
        # Other checks may fail on the way; a named one must be the one to find it.
        try:
            record = honest(id, *args, **kwargs)
        except Exception:
            if id in checks:
                raise
            return None
        missing.discard(id)
        return record

    olutil.check = verify.check = only_these
    space = {"__name__": "__main__", "__builtins__": builtins}
    try:
        for cell in cells:
            try:
                # Without the book's plain asserts: the checks are on trial, not they.
                exec(compile(cell, "<cell>", "exec", optimize=1), space)
            except verify.ClaimHolds:
                continue  # an erratum's example, not a check
    except verify.BoundViolated as violated:
        return "killed" if violated.id in checks else f"violates {violated.id}"
    except Exception as error:
        return f"stopped by {type(error).__name__}: {error}"[:160]
    finally:
        olutil.check = verify.check = honest
    return f"no check of {', '.join(sorted(missing))} ran" if missing else "survived"


def trial(notebook: str, checks: list[str], mutant: Mutant | None) -> str:
    """In a process of its own: what happens to the checks, with a mutant or none."""
    path = ROOT / notebook
    os.chdir(path.parent)
    with mutated(mutant), contextlib.redirect_stdout(io.StringIO()):
        return run_cells(sliced(path, checks), checks)


def outcomes(jobs: list) -> Iterator[str]:
    """The outcomes of all jobs in order, two processes at a time."""
    # A fork has the libraries loaded and the notebooks read already, but never olutil.
    for library in LIBRARIES:
        importlib.import_module(library)
    for notebook, *_ in jobs:
        code_cells(ROOT / notebook)
    context = multiprocessing.get_context("fork")
    with context.Pool(WORKERS, maxtasksperchild=1) as pool:
        for pending in [pool.apply_async(trial, job) for job in jobs]:
            try:
                yield pending.get(SECONDS)
            except multiprocessing.TimeoutError:
                yield f"still running after {SECONDS} s"
            except Exception as error:
                yield f"{type(error).__name__}: {error}"


def main() -> int:
    """Run the table; 0 if every mutant is killed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("word", nargs="?", default="", help="only names with this word")
    word = parser.parse_args().word
    os.environ["MPLBACKEND"] = "agg"
    began = time.perf_counter()
    mutants = [mutant for mutant in load() if word in mutant.name]
    checks = defaultdict(set)
    for mutant in mutants:
        checks[mutant.notebook].add(mutant.check)
    jobs = [(notebook, sorted(named), None) for notebook, named in checks.items()]
    jobs += [(mutant.notebook, [mutant.check], mutant) for mutant in mutants]
    results = list(outcomes(jobs))
    broken = 0
    for (notebook, _, _), found in zip(jobs[: len(checks)], results, strict=False):
        # Without a bug, each check must pass.
        if found != "survived":
            broken += 1
            print(f"without a bug, {notebook}: {found}")
    killed = 0
    for mutant, result in zip(mutants, results[len(checks) :], strict=True):
        killed += result == "killed"
        shown = "killed" if result == "killed" else f"SURVIVED ({result})"
        print(f"{mutant.name:44} {mutant.check:22} {shown}")
    seconds = time.perf_counter() - began
    print(f"{killed} of {len(mutants)} mutants killed in {seconds:.0f} s")
    return int(bool(broken) or killed < len(mutants) or not mutants)


if __name__ == "__main__":
    sys.exit(main())
