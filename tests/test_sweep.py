"""Blocks of streams add up to the same sums on every engine of one machine.

That a cluster does so, too, is in tests/grading, where the packages for it are.
"""

import io
import os
import subprocess
import sys
from fractions import Fraction

import joblib
import numpy as np
import pytest
from joblib.parallel import ThreadingBackend

from olutil import play
from olutil.experts import RandomizedWeightedMajority
from olutil.streams import random_advice
from olutil.sweep import BlockError, Sums, sweep


class AllAtOnce(ThreadingBackend):
    """An engine that cannot hand results out one by one, as ray's cannot."""

    supports_return_generator = False


joblib.register_parallel_backend("all at once", AllAtOnce)

ENGINES = {
    "one process": {"backend": "sequential"},
    "two threads": {"backend": "threading", "n_jobs": 2},
    "three threads": {"backend": "threading", "n_jobs": 3},
    "one worker": {"backend": "loky", "n_jobs": 1},
    "two workers": {"backend": "loky", "n_jobs": 2},
    "three workers": {"backend": "loky", "n_jobs": 3},
    "all at once": {"backend": "all at once", "n_jobs": 2},
}


def game(rng, n):
    """The learner's expected mistakes, and those of the best expert as floats."""
    run = play(
        RandomizedWeightedMajority(3, beta=0.7), random_advice(rng, 5, 3, batch=(n,))
    )
    best = (run.inputs != run.labels[..., None]).sum(axis=0).min(axis=-1)
    return np.stack([run.mistakes, best], axis=-1)


def dice(rng, n):
    return rng.integers(1, 7, size=n)


@pytest.fixture(scope="module")
def alone():
    """Both sweeps without joblib: what the others are compared with."""

    def block(play_one, number, n):
        seed = np.random.SeedSequence(11, spawn_key=(number,))
        return play_one(np.random.default_rng(seed), n)

    sizes = [40] * 12 + [20]
    return tuple(
        [block(one, number, n) for number, n in enumerate(sizes)]
        for one in (game, dice)
    )


@pytest.mark.parametrize("engine", ENGINES)
def test_every_engine_has_the_same_sums(engine, alone):
    with joblib.parallel_config(**ENGINES[engine]):
        played, thrown = (sweep(one, 500, seed=11, size=40) for one in (game, dice))
    rows = alone[0]
    total, squares = 0, 0
    for block in rows:  # block by block, since floats are rounded on the way
        total, squares = total + block.sum(axis=0), squares + (block**2).sum(axis=0)
    assert played.total.tolist() == total.tolist()
    assert played.squares.tolist() == squares.tolist()
    spots = np.concatenate(alone[1])
    assert thrown == Sums(500, int(spots.sum()), int((spots**2).sum()))
    np.testing.assert_allclose(played.mean, np.concatenate(rows).mean(axis=0))
    np.testing.assert_allclose(
        played.standard_error,
        np.concatenate(rows).std(axis=0, ddof=1) / np.sqrt(500),
    )


def test_blocks_differ_and_so_do_seeds():
    def word(rng, n):
        return rng.integers(2**60, size=n)

    seeds = [sweep(word, 1, seed=seed).total for seed in range(50)]
    assert len(set(seeds)) == 50
    blocks = sweep(word, 50, seed=3, size=1)
    assert blocks.squares * 50 > blocks.total**2  # as it is for numbers that differ


def test_a_longer_sweep_begins_with_the_shorter_one():
    seen = []

    def watch(rng, n):
        seen.append(rng.integers(2**60, size=n))
        return seen[-1] >= 0

    assert sweep(watch, 25, seed=5, size=10) == Sums(25, 25, 25)
    sweep(watch, 40, seed=5, size=10)
    assert [len(s) for s in seen] == [10, 10, 5, 10, 10, 10, 10]
    assert np.array_equal(seen[0], seen[3]) and np.array_equal(seen[1], seen[4])
    assert not np.array_equal(seen[0], seen[1])


@pytest.mark.parametrize("value", [2**62, np.int64(2**40), Fraction(1, 3), 10**30])
def test_sums_beyond_a_word_are_exact(value):
    found = sweep(lambda rng, n: [value] * n, 10, seed=0, size=3)
    value = Fraction(value) if isinstance(value, Fraction) else int(value)
    assert (found.total, found.squares) == (10 * value, 10 * value**2)
    assert found.mean == float(value) and found.standard_error == 0


def test_flags_and_short_integers_do_not_wrap():
    found = sweep(lambda rng, n: np.full(n, 200, np.uint8), 1000, seed=0)
    assert (found.total, found.squares) == (200_000, 40_000_000)
    assert sweep(lambda rng, n: np.full(n, True), 7, seed=0) == Sums(7, 7, 7)


def test_a_spread_beyond_a_word_is_exact():
    def extremes(rng, n):
        return 65_000 * (np.arange(n) % 2)

    found = sweep(extremes, 100_000, seed=0)
    assert found.standard_error == pytest.approx(32_500 / np.sqrt(99_999), rel=1e-15)


def test_numpy_counts_become_pythons():
    found = sweep(dice, np.int32(5), seed=np.uint8(1), size=np.int8(2))
    assert found == sweep(dice, 5, seed=1, size=2)
    assert {type(found.count), type(found.total), type(found.squares)} == {int}


def test_one_stream_has_no_spread():
    found = sweep(lambda rng, n: np.full((n, 2), 4), 1, seed=0)
    assert found.mean.tolist() == [4, 4] and np.isnan(found.standard_error).all()


# ---------------------------------------------------------------- errors


@pytest.mark.parametrize(
    "arguments, message",
    [
        ({"block": 3}, "block: expected a function .*3"),
        ({"streams": 0}, "streams: .*at least 1.*0"),
        ({"streams": 1e9}, "streams: .*whole number.*1000000000.0"),
        ({"seed": -1}, "seed: .*at least 0.*-1"),
        ({"seed": None}, "seed: .*None"),
        ({"size": 0}, "size: .*at least 1.*0"),
        ({"progress": "yes"}, "progress: .*None, True, False.*'yes'"),
    ],
)
def test_wrong_arguments_are_named(arguments, message):
    given = {"block": dice, "streams": 5, "seed": 1, **arguments}
    block, streams = given.pop("block"), given.pop("streams")
    with pytest.raises(ValueError, match=message):
        sweep(block, streams, **given)


@pytest.mark.parametrize(
    "result, message",
    [
        (lambda n: 1, r"expected 10 rows, one a stream, got 'shape \(\)'"),
        (lambda n: np.ones((2, n)), r"expected 10 rows, .*shape \(2, 10\)"),
        (lambda n: [float("nan")] * n, "finite numbers.*nan"),
        (lambda n: ["a"] * n, "block: expected numbers, not text"),
        (lambda n: None, "expected "),
    ],
)
def test_a_block_without_a_row_for_each_stream(result, message):
    with pytest.raises(BlockError, match=message):
        sweep(lambda rng, n: result(n), 10, seed=1)


class Stubborn(Exception):
    """It cannot be rebuilt in another process."""

    def __init__(self, one, two):
        super().__init__(f"{one} and {two}")


@pytest.mark.parametrize("engine", ENGINES)
def test_a_block_that_raises_is_named_with_its_seed(engine):
    culprit = np.random.default_rng(np.random.SeedSequence(9, spawn_key=(2,)))
    state = culprit.bit_generator.state

    with joblib.parallel_config(**ENGINES[engine]):
        with pytest.raises(BlockError) as caught:
            sweep(Raises(state), 45, seed=9, size=10)
    said = str(caught.value)
    assert said.startswith("block 2 of the sweep failed: Stubborn: bad and worse")
    again = eval(said.split("generator: ")[1].split(", and")[0], {"np": np})
    assert again.bit_generator.state == state and said.endswith("streams: 10")


class Raises:
    """A block that raises when it meets one generator."""

    def __init__(self, state):
        self.state = state

    def __call__(self, rng, n):
        if rng.bit_generator.state == self.state:
            raise Stubborn("bad", "worse")
        return np.zeros(n)


@pytest.mark.parametrize("name", ["joblib", "tqdm.auto"])
def test_a_missing_package_is_named_with_the_extra(name, monkeypatch):
    monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(ModuleNotFoundError, match=rf"{name}.*olutil\[sweep\]"):
        sweep(dice, 5, seed=1, progress=True)


def test_nothing_is_imported_before_it_is_needed():
    code = (
        "import olutil.sweep, sys; sys.exit(bool({'joblib', 'tqdm'} & {*sys.modules}))"
    )
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0


def test_a_worker_that_dies_is_an_error_and_not_a_smaller_sum():
    with joblib.parallel_config(backend="loky", n_jobs=2):
        with pytest.raises(RuntimeError, match="terminated"):
            sweep(lambda rng, n: os._exit(1), 20, seed=1, size=5)


# ---------------------------------------------------------------- progress


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.mark.parametrize(
    "stream, progress, shown",
    [
        (Terminal, None, True),
        (Terminal, False, False),
        (io.StringIO, None, False),
        (io.StringIO, True, True),
    ],
)
def test_progress_is_shown_on_a_terminal_or_on_demand(
    stream, progress, shown, monkeypatch
):
    screen = stream()
    monkeypatch.setattr(sys, "stderr", screen)
    sweep(dice, 50, seed=1, size=10, progress=progress)
    assert ("5/5" in screen.getvalue()) == shown
    assert bool(screen.getvalue()) == shown
