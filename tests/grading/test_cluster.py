"""A sweep on a cluster, whose packages are among those of grading.

Two worker processes, one of which is killed at its work.
"""

import os
import signal
import tempfile
import time
from functools import partial
from threading import Thread

import joblib
import pytest
from dask.distributed import Client, LocalCluster

from olutil import play
from olutil.experts import RandomizedWeightedMajority, WeightedMajority
from olutil.streams import random_advice
from olutil.sweep import BlockError, sweep

BLOCKS = 30


@pytest.fixture(scope="module")
def client():
    with (
        LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=":0"
        ) as cluster,
        Client(cluster) as client,
    ):
        yield client


def game(rng, n, learner=WeightedMajority, pause=0.0, folder=None):
    """The mistakes on random data; a file for each time that a worker begins."""
    if folder is not None:
        handle, _ = tempfile.mkstemp(prefix=f"{os.getpid()}-", dir=folder)
        os.close(handle)
    time.sleep(pause)
    stream = random_advice(rng, 6, 4, batch=(n,))
    return play(learner(4, beta=0.7), stream).mistakes


def whole(block, **more):
    return sweep(block, 10 * BLOCKS - 3, seed=4, size=10, **more)


@pytest.mark.parametrize("learner", [WeightedMajority, RandomizedWeightedMajority])
def test_a_cluster_has_the_same_sums(client, learner):
    block = partial(game, learner=learner)
    with joblib.parallel_config(backend="dask"):
        assert whole(block) == whole_alone(block)


def whole_alone(block):
    with joblib.parallel_config(backend="sequential"):
        return whole(block)


def test_a_worker_is_killed_at_its_work_and_nothing_is_lost(client, tmp_path):
    block = partial(game, pause=0.1, folder=tmp_path)
    workers = set(client.run(os.getpid).values())
    assert len(workers) == 2
    killed = []

    def kill():
        """When both have begun some blocks, end the one that began the latest."""
        while not killed:
            time.sleep(0.005)
            files = sorted(tmp_path.iterdir(), key=lambda path: path.stat().st_mtime_ns)
            begun = [int(path.name.split("-")[0]) for path in files]
            if all(begun.count(worker) >= 3 for worker in workers):
                killed.append(begun[-1])
                os.kill(begun[-1], signal.SIGKILL)

    killer = Thread(target=kill, daemon=True)
    killer.start()
    with joblib.parallel_config(backend="dask"):
        found = whole(block)
    killer.join(timeout=1)
    assert killed, "the sweep ended before a worker was killed"
    assert found == whole_alone(game)
    # What the worker had begun was lost with it, and somebody began it again.
    begun = len(list(tmp_path.iterdir()))
    assert begun > BLOCKS, "no block was lost, so this test shows nothing"


def test_a_block_that_raises_on_a_worker_is_named(client):
    with joblib.parallel_config(backend="dask"):
        # All blocks raise, and any of them may be the first.
        with pytest.raises(BlockError, match=r"^block (\d+) .*: 1 and 2\n.*=\(\1,\)"):
            whole(fail)


def fail(rng, n):
    raise Stubborn(1, 2)


class Stubborn(Exception):
    """It cannot be rebuilt in another process."""

    def __init__(self, one, two):
        super().__init__(f"{one} and {two}")
