"""How fast the learners are, beside other packages; measured here and now.

    python tests/bench/bench_learners.py [ROW ...]

Each row of the table is run by turns with its peers, on the same data and with the same
mistakes, five times, on one core.  A peer that takes a constant time a round, and would
take minutes, plays the first part of the same data; then the row says which.  Writes
the medians, with what the machine is, to book/data/bench.json, which the page on speed
reads, and prints what was reached.
"""

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest import mock

import _peers
import numpy as np
from _timing import RUNS, Entry, machine, race, same
from threadpoolctl import threadpool_limits

from olutil import fast, play
from olutil.exact import experts_worst_case
from olutil.experts import RandomizedWeightedMajority, WeightedMajority
from olutil.fast import loops
from olutil.games import MATCHING_PENNIES, game
from olutil.linear import Perceptron, Winnow

OUT = Path(__file__).resolve().parents[2] / "book" / "data" / "bench.json"
PACKAGES = ["numpy", "scipy", "scikit-learn", "river", "PyOL", "noregret", "quantecon",
            "nashpy", "numba"]  # fmt: skip


# How much quicker than scikit-learn the Perceptron is to be, on whatever data.
TWICE = 2
# The packages with a learner for expert advice.
EXPERTS = ("PyOL", "noregret", "river")


def peers(streams: list[np.ndarray], expected: list, *names: str) -> list:
    """The experts packages on these streams of losses, one after the other."""
    loops = {"PyOL": _peers.pyol, "noregret": _peers.noregret,
             "river": _peers.river_experts}  # fmt: skip
    streams = [losses.astype(float) for losses in streams]
    return [
        Entry(name, lambda loop=loops[name]: [loop(losses) for losses in streams],
              sum(map(len, streams)), expected)
        for name in names
    ]  # fmt: skip


# ---------------------------------------------------------------- experts


def batch() -> list:
    """RWMA on 3,000 streams of ten experts."""
    few = 20
    losses = np.random.default_rng(1).random((100, 10, 3000)) < 0.4
    advice, outcomes = losses.swapaxes(1, 2), np.zeros((100, 3000), dtype=bool)
    expected = fast.randomized_mistakes(advice, outcomes, beta=0.5)

    def readable():
        learner = RandomizedWeightedMajority(10, beta=0.5)
        total = 0
        for x, y in zip(advice, outcomes, strict=True):
            p = learner.predict(x)
            learner.update(x, y, p)
            total = total + abs(p - y)
        return total

    work = outcomes.size
    entries = [
        Entry("olutil.fast", lambda: fast.randomized_mistakes(
            advice, outcomes, beta=0.5), work, expected),
        Entry("olutil.experts, a batch", readable, work, expected),
        *peers([losses[..., i] for i in range(few)], expected[:few], *EXPERTS),
    ]  # fmt: skip
    times = race(entries)
    peer = fastest(times, *EXPERTS)
    name = f"RWMA, 3,000 streams of 10 experts ({peer}: {few} of them)"
    return [
        row(name, times, "stream-round", peer, 250),
        row(f"{name}, the readable class", times, "stream-round", peer, 250,
            ours="olutil.experts, a batch"),
    ]  # fmt: skip


def long() -> list:
    """RWMA on one stream of ten experts and 10^5 rounds."""
    losses = np.random.default_rng(2).random((100_000, 10)) < 0.4
    part = losses[:3000]
    expected = _peers.textbook_experts(losses)
    entries = [
        Entry("olutil.fast", lambda: fast.randomized_mistakes(losses, 0, beta=0.5),
              len(losses), expected),
        Entry("olutil.experts", lambda: readable_experts(part), len(part),
              _peers.textbook_experts(part)),
        *peers([losses], [expected], *EXPERTS),
    ]  # fmt: skip
    times = race(entries)
    return [row("RWMA, one stream, N = 10, T = 10^5", times, "round",
                fastest(times, *EXPERTS), 100)]  # fmt: skip


def readable_experts(losses: np.ndarray) -> float:
    learner = RandomizedWeightedMajority(losses.shape[1], beta=0.5)
    return float(play(learner, ((x, 0) for x in losses)).mistakes)


def many() -> list:
    """RWMA with a million experts."""
    losses = np.random.default_rng(3).random((64, 10**6)) < 0.4
    floats = losses.astype(float)
    total, expected = np.count_nonzero(losses), _peers.textbook_experts(losses)
    entries = [
        Entry("olutil.fast", lambda: fast.randomized_mistakes(losses, 0, beta=0.5),
              len(losses), expected),
        Entry("one pass, losses as floats", lambda: floats.sum(), len(losses),
              float(total)),
        Entry("one pass, losses as bytes", lambda: np.count_nonzero(losses),
              len(losses), total),
        *peers([losses], [expected], "PyOL", "noregret"),
    ]  # fmt: skip
    times = race(entries)
    return [
        row("RWMA, N = 10^6", times, "round", fastest(times, "PyOL", "noregret"), 10),
        row("RWMA, N = 10^6, a pass over the losses (floats)", times, "round",
            "one pass, losses as floats", 1 / 1.3),
        row("RWMA, N = 10^6, a pass over the losses (bytes, as they are stored)", times,
            "round", "one pass, losses as bytes", 1 / 1.3),
    ]  # fmt: skip


def monte_carlo() -> list:
    """10^5 streams of 500 rounds and ten experts.

    Of ours the time includes the random numbers; the loops are handed theirs.
    """
    streams, rounds, n, block = 100_000, 500, 10, 3125

    def of_block(number):
        return coins(np.random.default_rng((4, number)), rounds, n, block)

    def ours():
        """The expected mistakes of the first twenty streams, and the mean of all."""
        found = [
            fast.randomized_mistakes(of_block(number).swapaxes(1, 2), 0, beta=0.5)
            for number in range(streams // block)
        ]
        return [*found[0][:20], np.mean(found)]

    few = list(np.moveaxis(of_block(0)[..., :20], -1, 0))
    zeros = np.zeros(rounds, dtype=int)

    def box():
        return [_peers.box_experts(losses, zeros) for losses in few]

    def tuned():
        return [_peers.textbook_experts(losses) for losses in few]

    work, mean = streams * rounds, ours()[-1]
    # Each expert errs in half of the rounds, and so do their mixtures.
    assert abs(mean - rounds / 2) < 4 * (rounds / 4 / streams) ** 0.5
    times = race([
        Entry("olutil.fast", ours, work, [*tuned(), mean]),
        Entry("textbook loop", box, 20 * rounds, tuned()),
        Entry("tuned loop", tuned, 20 * rounds, box()),
    ])  # fmt: skip
    name = "Monte Carlo, 10^5 streams of 500 rounds, N = 10 (loops: 20 of them)"
    return [
        row(name, times, "stream-round", "textbook loop", 400),
        row(name, times, "stream-round", "tuned loop", None),
    ]


def coins(rng: np.random.Generator, rounds: int, n: int, streams: int) -> np.ndarray:
    """Fair losses, shape (rounds, n, streams), 64 of a random word."""
    size = rounds * n * streams
    words = rng.integers(2**64, size=-(-size // 64), dtype=np.uint64)
    bits = np.unpackbits(words.view(np.uint8), count=size)
    return bits.view(bool).reshape(rounds, n, streams)


# ---------------------------------------------------------------- linear learners


def separable(d: int, rounds: int, margin: float) -> tuple[np.ndarray, np.ndarray]:
    """Inputs of length 1, a last constant entry included, with at least this margin."""
    rng = np.random.default_rng(5)
    teacher = np.append(rng.standard_normal(d - 2), 0)
    teacher /= np.linalg.norm(teacher)
    X = rng.standard_normal((rounds, d - 1))
    X -= (X @ teacher)[:, None] * teacher
    X /= np.linalg.norm(X, axis=1, keepdims=True)
    y = rng.choice([-1, 1], rounds)
    share = rng.uniform(margin * 2**0.5, 0.5, rounds)
    X = np.sqrt(1 - share**2)[:, None] * X + (share * y)[:, None] * teacher
    X = np.concatenate([X, np.ones((rounds, 1))], axis=1) * 0.5**0.5
    return X, y


def dense(d: int) -> list:
    """The Perceptron on separable inputs: 8,000 rounds, margin 0.05, ten epochs.

    Then the same with one thing changed, or two, for how much hangs on it.
    """
    rounds, epochs, part = 8000, 10, slice(0, 1000)
    X, y = separable(d, rounds, 0.05)
    mistakes, w = fast.perceptron(X, y, epochs=epochs)
    # River's constant is 1: in other units, the same predictions.
    scaled = X / X[0, -1]
    rows = [dict(enumerate(x[:-1])) for x in scaled.tolist()]
    signs = (y > 0).tolist()
    times = race([
        *on_dense_rows(X, y, epochs),
        Entry("olutil.linear", lambda: readable_perceptron(X[part], y[part]), 1000,
              fast.perceptron(X[part], y[part]).weights),
        Entry("river", lambda: _peers.river_perceptron(rows, signs, d, epochs),
              rounds * epochs, fast.perceptron(scaled, y, epochs=epochs).weights),
    ])  # fmt: skip
    name = f"Perceptron, dense, d = {d}"
    often = f"{len(mistakes)} mistakes in {rounds * epochs:,} rounds"
    lines = [
        row(f"{name}, {often}", times, "round", "scikit-learn", TWICE),
        row(f"{name}, {often}", times, "round", "river", 200),
    ]
    flipped = np.where(np.random.default_rng(10).random(rounds) < 0.1, -y, y)
    for change, (inputs, says), passes in (
        ("100 epochs", (X, y), 100),
        ("one epoch", (X, y), 1),
        ("margin 0.01", separable(d, rounds, 0.01), 10),
        ("one label in ten flipped", (X, flipped), 10),
        ("one label in ten flipped, one epoch", (X, flipped), 1),
    ):
        lines.append(beside_sklearn(f"{name}, {change}", inputs, says, passes))
    return lines


def beside_sklearn(name: str, X: np.ndarray, y: np.ndarray, epochs: int) -> dict:
    """One line: the fast path and scikit-learn on dense inputs."""
    work, mistakes = len(X) * epochs, fast.perceptron(X, y, epochs=epochs).mistakes
    often = f"{name}, {len(mistakes)} mistakes in {work:,} rounds"
    return row(often, race(on_dense_rows(X, y, epochs)), "round", "scikit-learn", TWICE)


def on_dense_rows(X: np.ndarray, y: np.ndarray, epochs: int) -> list:
    """The fast path, compiled or not, and scikit-learn, with the same weights."""
    work, w = len(X) * epochs, fast.perceptron(X, y, epochs=epochs).weights

    def ours():
        return fast.perceptron(X, y, epochs=epochs).weights

    return [
        Entry("olutil.fast", ours, work, w),
        Entry("without numba", lambda: not_compiled(ours), work, w),
        Entry("scikit-learn", lambda: _peers.sklearn_perceptron(X, y, epochs), work, w),
    ]  # fmt: skip


def dense_784() -> list:
    """Rows as long as those of a picture of 28 by 28."""
    return dense(784)


def dense_30() -> list:
    """Rows of 30 entries, so short that a step costs more than its arithmetic."""
    return dense(30)


def real() -> list:
    """Digits and tumors, as the book's page on real data has them."""
    from sklearn.datasets import load_breast_cancer, load_digits

    digits, tumors = load_digits(), load_breast_cancer()
    pixels = np.c_[digits.data, np.full(len(digits.data), 16)].astype(int)
    eight = np.where(digits.target == 8, 1, -1)
    nuclei = tumors.data - tumors.data.mean(axis=0)
    nuclei = np.c_[nuclei / tumors.data.std(axis=0), np.ones(len(nuclei))]
    unit = nuclei / np.linalg.norm(nuclei, axis=1)[:, None]
    benign = 2 * tumors.target - 1
    return [
        beside_sklearn(f"Perceptron, {name}, d = {X.shape[1]}, {said}", X, y, epochs)
        for name, X, y in (("digits, 8 or not", pixels, eight),
                           ("tumors", unit, benign))
        for said, epochs in (("one epoch", 1), ("100 epochs", 100))
    ]  # fmt: skip


def not_compiled(work: Callable) -> Any:
    """Do the work as where numba is not installed."""
    with mock.patch.object(loops, "compiled", lambda loop: None):
        return work()


def readable_perceptron(X: np.ndarray, y: np.ndarray) -> np.ndarray:
    learner = Perceptron(X.shape[1])
    for x, label in zip(X, y, strict=True):
        learner.update(x, label, learner.predict(x))
    return learner.w


def sparse() -> list:
    """The Perceptron on 10^6 features, about 100 of them set, some far oftener."""
    from scipy.sparse import csr_matrix

    rng, d, rounds, filled, epochs = np.random.default_rng(6), 10**6, 20_000, 100, 5
    columns = ((d - 1) * rng.random((rounds, filled - 1)) ** 6).astype(int)
    columns = [np.unique(line) for line in columns]
    teacher = rng.standard_normal(d)
    y = np.array([1 if teacher[line].sum() > 0 else -1 for line in columns])
    columns = [np.append(line, d - 1) for line in columns]
    indptr = np.concatenate([[0], np.cumsum([len(line) for line in columns])])
    indices = np.concatenate(columns)
    data = np.ones(len(indices))
    X = csr_matrix((data, indices.astype(np.int32), indptr.astype(np.int32)),
                  shape=(rounds, d))  # fmt: skip

    def ours():
        return fast.sparse_perceptron(indptr, indices, data, y, d, epochs=epochs)

    mistakes, w = len(ours().mistakes), ours().weights
    rows = [dict.fromkeys(line[:-1].tolist(), 1.0) for line in columns]
    signs, work = (y > 0).tolist(), rounds * epochs
    times = race([
        Entry("olutil.fast", lambda: ours().weights, work, w),
        Entry("without numba", lambda: not_compiled(ours).weights, work, w),
        Entry("scikit-learn", lambda: _peers.sklearn_perceptron(X, y, epochs), work, w),
        Entry("scipy's row slices", lambda: _peers.row_slices(X, y, epochs), work, w),
        Entry("river", lambda: _peers.river_perceptron(rows, signs, d, epochs), work,
              w),
    ])  # fmt: skip
    name = "Perceptron, sparse, 10^6 features, 100 set"
    name = f"{name}, {mistakes} mistakes in {work:,} rounds"
    return [
        row(name, times, "round", "river", 5),
        row(name, times, "round", "scipy's row slices", 5),
        row(name, times, "round", "scikit-learn", 1.5),
    ]


def winnow() -> list:
    """Winnow, d = 1,000, a disjunction of k = 5."""
    rng, d, k, rounds, epochs = np.random.default_rng(7), 1000, 5, 5000, 10
    X = (rng.random((rounds, d)) < 1 - 0.5 ** (1 / k)).astype(np.uint8)
    y = X[:, :k].any(axis=1).astype(int)
    floats = X.astype(float)
    mistakes = len(fast.winnow(X, y, epochs=epochs).mistakes)
    once = len(fast.winnow(X[:1000], y[:1000]).mistakes)

    def readable():
        return int(play(Winnow(d), zip(X[:1000], y[:1000], strict=True)).mistakes)

    entries = [
        Entry("olutil.fast", lambda: len(fast.winnow(X, y, epochs=epochs).mistakes),
              rounds * epochs, mistakes),
        Entry("textbook loop", lambda: _peers.textbook_winnow(floats, y, epochs),
              rounds * epochs, mistakes),
        Entry("olutil.linear", readable, 1000, once),
    ]  # fmt: skip
    return [row("Winnow, d = 1,000, k = 5", race(entries), "round", "textbook loop",
                10)]  # fmt: skip


# ---------------------------------------------------------------- concepts and games


def halving() -> list:
    """Halving over all 2^20 functions on twenty points."""
    points, concepts = 20, 2**20
    C = (np.arange(concepts) >> np.arange(points)[:, None] & 1).astype(bool)
    sets = fast.concept_sets(C.T)
    rng = np.random.default_rng(8)
    x, y = rng.permutation(points), rng.integers(0, 2, points)
    mistakes = fast.halving(sets, concepts, x, y)
    times = race([
        Entry("olutil.fast", lambda: fast.halving(sets, concepts, x, y), points,
              mistakes),
        Entry("a boolean mask", lambda: _peers.mask_halving(C, x, y), points, mistakes),
        Entry("a tuned mask", lambda: _peers.tuned_mask_halving(C, x, y), points,
              mistakes),
    ])  # fmt: skip
    name = "Halving over 2^20 concepts"
    return [
        row(name, times, "round", "a boolean mask", 10),
        row(name, times, "round", "a tuned mask", None),
    ]


def fictitious(name: str, A: np.ndarray, kappas: list, target: float) -> list:
    """Fictitious play of a zero-sum game, 10^6 rounds, in which no tie occurs.

    The peers' time is that of the first rounds: each of theirs takes as long.  For the
    counts the quicker of them plays all, once.
    """
    played, rounds, short = game(A), 10**6, 5000
    expected = fast.fictitious_play_counts(played, kappas[1], kappas[0], rounds)
    few = fast.fictitious_play_counts(played, kappas[1], kappas[0], short)
    entries = [Entry("olutil.fast", lambda: np.concatenate(
        fast.fictitious_play_counts(played, kappas[1], kappas[0], rounds)),
        rounds, np.concatenate(expected))]  # fmt: skip
    floats = [[float(v) for v in kappa] for kappa in kappas]
    loops = {"quantecon": _peers.quantecon, "nashpy": _peers.nashpy}
    for peer, loop in loops.items():
        entries.append(Entry(peer, lambda loop=loop: np.concatenate(
            loop(played.A, played.B, floats, short)), short,
            np.concatenate(few)))  # fmt: skip
    times = race(entries)
    assert same(
        _peers.quantecon(played.A, played.B, floats, rounds), list(expected)
    )  # fmt: skip
    return [
        row(f"fictitious play, 10^6 rounds, {name} ({peer}: the first {short:,})",
            times, "round", peer, target)
        for peer in loops
    ]  # fmt: skip


def fictitious_2() -> list:
    """Matching pennies, from initial weights that rule ties out."""
    kappas = [[Fraction(7, 4), Fraction(5, 4)], [Fraction(5, 4), Fraction(7, 4)]]
    return fictitious("2x2", MATCHING_PENNIES.A, kappas, 400)


def fictitious_100() -> list:
    """A game of 100 by 100 with random payoffs."""
    A = np.random.default_rng(9).integers(-30_000, 30_000, (100, 100))
    first = np.eye(100, dtype=int)[0].tolist()
    return fictitious("100x100", A, [first, first], 40)


def every_stream() -> list:
    """The exact worst case of Weighted Majority over every stream."""
    lines = []
    for n, rounds in ((3, 40), (4, 20)):
        learner = WeightedMajority(n, beta=0.5)
        expected = list(experts_worst_case(learner, rounds).values())
        times = race([Entry("olutil.exact", lambda learner=learner, rounds=rounds: list(
            experts_worst_case(learner, rounds).values()), 1, expected)])  # fmt: skip
        times["one second"] = {"cpu": 1e9, "wall": 1e9, "rounds": 1}
        name = f"WMA over all 2^{n * rounds} streams, N = {n}, T = {rounds}"
        lines.append(row(name, times, "answer", "one second", 1, ours="olutil.exact"))
    return lines


def imports() -> list:
    """`import olutil` beside `import numpy`: CPU time of a new process."""
    times = in_new_processes({
        "numpy": "import numpy",
        "olutil": "import olutil",
        "from olutil import play": "from olutil import play",
        "from olutil import check": "from olutil import check",
    }, 25)  # fmt: skip
    most = 1 / 1.05
    targets = {"olutil": most, "from olutil import play": most,
               "from olutil import check": None}  # fmt: skip
    return [
        row(f"import: {name}", times, "process", "numpy", target, ours=name)
        for name, target in targets.items()
    ]


def first_calls() -> list:
    """What the first call of a compiled loop costs: CPU time of a new process."""
    call = "from olutil import fast; fast.perceptron([[1.5, 2]], [1])"
    times = in_new_processes({
        "numpy": "import numpy",
        "without numba": f"import sys; sys.modules['numba'] = None; {call}",
        "compiled before": call,
        "to be compiled": "import os, sys, tempfile; os.environ['NUMBA_CACHE_DIR'] = "
                          f"tempfile.mkdtemp(dir=sys.pycache_prefix); {call}",
    }, 7)  # fmt: skip
    return [
        row(f"first call of fast.perceptron: {name}", times, "process", "numpy", None,
            ours=name)
        for name in ("without numba", "compiled before", "to be compiled")
    ]  # fmt: skip


def in_new_processes(codes: dict[str, str], turns: int) -> dict:
    """Medians of the CPU time of new processes that run these by turns."""
    seconds: dict = {name: [] for name in codes}
    # As for an installed package, bytecode is there: a first round makes it.
    env = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    with TemporaryDirectory() as folder:
        env["PYTHONPYCACHEPREFIX"] = folder
        for turn in range(turns + 1):
            for name, code in codes.items():
                before = resource.getrusage(resource.RUSAGE_CHILDREN)
                command = [sys.executable, "-c", code]
                subprocess.run(command, check=True, env=env)
                after = resource.getrusage(resource.RUSAGE_CHILDREN)
                used = after.ru_utime - before.ru_utime
                used += after.ru_stime - before.ru_stime
                if turn:
                    seconds[name].append(used * 1e9)
    return {
        name: {"cpu": statistics.median(ns), "wall": None, "rounds": 1}
        for name, ns in seconds.items()
    }


ROWS = {
    f.__name__: f
    for f in (
        batch, long, many, monte_carlo, dense_784, dense_30, real, sparse, winnow,
        halving, fictitious_2, fictitious_100, every_stream, imports, first_calls,
    )
}  # fmt: skip


# ---------------------------------------------------------------- the table


def fastest(times: dict, *names: str) -> str:
    """The fastest of these."""
    return min(names, key=lambda name: times[name]["cpu"])


def row(
    work: str, times: dict, unit: str, peer: str, target: float | None,
    ours: str = "olutil.fast",
) -> dict:  # fmt: skip
    """A line of the table: how many times faster than the peer, in CPU time."""
    reached = times[peer]["cpu"] / times[ours]["cpu"]
    return {
        "work": work,
        "unit": unit,
        "ours": ours,
        "peer": peer,
        "target": target,
        "reached": reached,
        "times": times,
    }


def main() -> None:
    """Measure, print, store."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("rows", nargs="*", choices=[*ROWS, []], metavar="ROW")
    chosen = parser.parse_args().rows
    old = json.loads(OUT.read_text()) if OUT.exists() and chosen else {"rows": {}}
    found = old["rows"]
    with threadpool_limits(1):
        for name in chosen or ROWS:
            found[name] = ROWS[name]()
            for line in found[name]:
                print(text(line), flush=True)
    OUT.write_text(
        json.dumps({"machine": machine(PACKAGES), "runs": RUNS, "rows": found},
                   indent=1) + "\n"
    )  # fmt: skip
    goals = [line for lines in found.values() for line in lines if line["target"]]
    missed = sum(not reached(line) for line in goals)
    print(f"{len(goals) - missed} of {len(goals)} goals reached; written to {OUT.name}")


def reached(line: dict) -> bool:
    """Whether a line's target, if it has one, was reached."""
    return line["target"] is None or line["reached"] >= line["target"]


def text(line: dict) -> str:
    """One line of the table."""
    mine, other = (line["times"][line[who]]["cpu"] for who in ("ours", "peer"))
    goal = "no target"
    if line["target"] is not None:
        goal = f"of {line['target']:.4g}{'' if reached(line) else ': NOT reached'}"
    return (
        f"{line['work']:<70}{mine:>14,.1f} ns  {line['peer']:<27}{other:>14,.1f} ns"
        f"{line['reached']:>10.2f} {goal}"
    )


if __name__ == "__main__":
    main()
