"""What Monte Carlo costs: by experts, rounds and streams, and on each engine.

    python tests/bench/bench_sweep.py

Measures blocks of `olutil.sweep` in CPU seconds, then whole sweeps on engines of this
machine; prints both, and stores them where the page `book/beyond/scale.ipynb` reads.
"""

import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from itertools import product
from pathlib import Path

import joblib
import numpy as np
from _timing import RUNS, Entry, machine, race
from dask.distributed import Client, LocalCluster

from olutil.experts import RandomizedWeightedMajority
from olutil.fast import randomized_mistakes
from olutil.protocol import steps
from olutil.streams import random_advice
from olutil.sweep import sweep

STORE = Path(__file__).resolve().parents[2] / "book" / "data" / "sweep.json"
GRID = tuple(product((2, 10, 100), (50, 250), (128, 1024)))
APART = ((30, 150, 512), (10, 500, 2048))  # to try the fitted cost on
WORK = {"n": 10, "rounds": 500, "streams": 2048, "blocks": 100}
EMPTY = 500  # blocks that do nothing


def readable(rng: np.random.Generator, streams: int, *, n: int, rounds: int):
    """Expected mistakes on fair coins, by the book's own learner."""
    learner = RandomizedWeightedMajority(n, beta=0.5)
    stream = random_advice(rng, rounds, n, batch=(streams,))
    return sum(abs(p - y) for _, p, y in steps(learner, stream))


def fast(rng: np.random.Generator, streams: int, *, n: int, rounds: int):
    """The same by its fast twin; the outcome is always 0, and the advice is coins."""
    bits = rounds * n * streams
    coins = np.frombuffer(rng.bytes(-(-bits // 8)), np.uint8)
    advice = np.unpackbits(coins, count=bits).view(bool).reshape(rounds, n, streams)
    return randomized_mistakes(advice.swapaxes(1, 2), 0, beta=0.5)


LEARNERS = {"readable": readable, "fast": fast}


def blocks() -> Iterator[dict]:
    """CPU seconds of one block: medians of runs that take turns."""
    cases = list(product(LEARNERS, GRID + APART))
    entries = []
    for learner, case in cases:
        n, rounds, streams = case
        once = partial(one_block, learner, n, rounds, streams)
        # The first time is slower than the others, and counts for nothing.
        mistakes = once()
        # A learner that skipped the work would not be right half of the time.
        assert abs(mistakes.mean() / rounds - 0.5) < 0.05
        entries.append(Entry(f"{learner} {case}", once, 1, mistakes))
    # All cases in one race: a slow minute of the machine is then shared by all.
    times = race(entries)
    for (learner, case), entry in zip(cases, entries, strict=True):
        sizes = dict(zip(("n", "rounds", "streams"), case, strict=True))
        kept = round(times[entry.name]["cpu"] / 1e9, 6)
        yield {"learner": learner, **sizes, "apart": case in APART, "seconds": kept}


def one_block(learner: str, n: int, rounds: int, streams: int) -> np.ndarray:
    """A block as a sweep plays it: to make its generator is part of the work."""
    rng = np.random.default_rng(0)
    return LEARNERS[learner](rng, streams, n=n, rounds=rounds)


def timed(block: Callable, rng: np.random.Generator, streams: int) -> np.ndarray:
    """The mistakes, and each stream's share of the CPU seconds."""
    began = time.process_time()
    mistakes = block(rng, streams)
    share = (time.process_time() - began) / streams
    return np.stack([mistakes, np.full(streams, share)], axis=-1)


def nothing(rng: np.random.Generator, streams: int) -> np.ndarray:
    return np.zeros(streams)


@contextmanager
def engine(name: str) -> Iterator[None]:
    """An engine with two worker processes, or none."""
    if name == "dask":
        with (
            LocalCluster(
                n_workers=2, threads_per_worker=1, processes=True,
                dashboard_address=":0",
            ) as cluster,
            Client(cluster),
            joblib.parallel_config(backend="dask"),
        ):  # fmt: skip
            yield
    else:
        jobs = {"loky": 2}.get(name, 1)
        with joblib.parallel_config(backend=name, n_jobs=jobs):
            yield


def engines() -> Iterator[dict]:
    """Whole sweeps: time on the wall, CPU seconds in the blocks, cost of a block."""
    work = partial(fast, n=WORK["n"], rounds=WORK["rounds"])
    streams = WORK["blocks"] * WORK["streams"]
    totals = set()
    for name in ("sequential", "loky", "dask"):
        began = time.perf_counter()
        with engine(name):
            sweep(nothing, 2, seed=0, size=1)
            ready = time.perf_counter()
            found = sweep(partial(timed, work), streams, seed=0, size=WORK["streams"])
            done = time.perf_counter()
            sweep(nothing, EMPTY, seed=0, size=1)
            empty = time.perf_counter() - done
        mistakes, cpu = found.total
        totals.add(float(mistakes))
        yield {
            "engine": name,
            "start": round(ready - began, 3),
            "wall": round(done - ready, 3),
            "cpu": round(float(cpu), 3),
            "empty block": round(empty / EMPTY, 6),
            "mistakes": float(mistakes),
        }
    assert len(totals) == 1, "the engines disagree"


def main() -> None:
    """Measure, print, store."""
    found = {
        "machine": machine(["numpy", "joblib", "distributed"]),
        "runs": RUNS,
        "work": WORK,
    }
    print("learner       N     T  streams   CPU s of a block   ns a stream-round")
    found["blocks"] = []
    for row in blocks():
        found["blocks"].append(row)
        per = 1e9 * row["seconds"] / (row["rounds"] * row["streams"])
        print(
            f"{row['learner']:<10}{row['n']:5}{row['rounds']:6}{row['streams']:9}"
            f"{row['seconds']:19.4f}{per:20.1f}",
            flush=True,
        )
    print("\nengine      start s   wall s    CPU s   empty block ms   mistakes")
    found["engines"] = []
    for row in engines():
        found["engines"].append(row)
        print(
            f"{row['engine']:<12}{row['start']:7.2f}{row['wall']:9.2f}"
            f"{row['cpu']:9.2f}{1000 * row['empty block']:17.3f}   {row['mistakes']}",
            flush=True,
        )
    STORE.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
