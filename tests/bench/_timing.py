"""Time contestants side by side: by turns, on the same data, with the same results."""

import importlib.metadata
import os
import platform
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

RUNS = 5
# Seconds of CPU time that a measurement lasts at least: what is quicker is repeated.
LEAST = 0.05


@dataclass(frozen=True)
class Entry:
    """A contestant: what it runs, and what must come out.

    Attributes
    ----------
    name : str
    run : callable
        Without arguments; its value is compared with ``expected`` every time.
    rounds : int
        How much work a run is, in units that all contestants of a row share.
    expected : number or array_like
        Compared entry by entry: whole numbers exactly, floats to 1e-9 of their value.
    """

    name: str
    run: Callable[[], Any]
    rounds: int
    expected: Any


def race(entries: list[Entry], runs: int = RUNS) -> dict[str, dict[str, float]]:
    """Medians of CPU and wall time a unit of work, in ns, the contestants by turns.

    A turn repeats the run until it has used a twentieth of a second.
    """
    cpu: dict = {entry.name: [] for entry in entries}
    wall: dict = {entry.name: [] for entry in entries}
    for _ in range(runs):
        for entry in entries:
            began, started = time.perf_counter(), time.process_time()
            used = work = 0
            while used < LEAST:
                found = entry.run()
                work += entry.rounds
                used = time.process_time() - started
            wall[entry.name].append((time.perf_counter() - began) / work * 1e9)
            cpu[entry.name].append(used / work * 1e9)
            assert same(found, entry.expected), (entry.name, found, entry.expected)
    return {
        entry.name: {
            "cpu": statistics.median(cpu[entry.name]),
            "wall": statistics.median(wall[entry.name]),
            "rounds": entry.rounds,
        }
        for entry in entries
    }


def same(found: Any, expected: Any) -> bool:
    """Equal if whole, and equal to nine digits otherwise."""
    found, expected = np.asarray(found), np.asarray(expected)
    if found.shape != expected.shape:
        return False
    if found.dtype.kind in "iub" and expected.dtype.kind in "iub":
        return bool(np.array_equal(found, expected))
    return bool(np.allclose(found, expected, rtol=1e-9, atol=1e-9))


def machine(packages: list[str]) -> dict[str, Any]:
    """What a reader must know of the machine that measured."""
    versions = {name: version(name) for name in packages}
    model = platform.processor() or platform.machine()
    information = Path("/proc/cpuinfo")
    if information.exists():
        for line in information.read_text().splitlines():
            if line.startswith("model name"):
                model = line.partition(":")[2].strip()
                break
    pages = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return {
        "cpu": model,
        "cores": os.cpu_count(),
        "memory_gib": round(pages / 2**30, 1),
        "python": platform.python_version(),
        "versions": {name: found for name, found in versions.items() if found},
    }


def version(package: str) -> str | None:
    """The version that is installed here, if one is."""
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return None
