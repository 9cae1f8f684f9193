"""All cores of a machine, and a cluster, give what one process gives."""

import secrets
import warnings

import pytest
import tiny
from tiny import PARTLY, RIGHT, hand_in

from grading import parallel

# A student whose points depend on the secret input, so on the seed.
LUCKY = RIGHT | {"square-answer": "def square(x):\n    return x * x * (x % 2)\n"}


@pytest.fixture
def seeded(classroom, monkeypatch):
    """The command with seeds that are the same in each run, and four submissions."""
    hand_in(classroom.handed_in, "ann")
    hand_in(classroom.handed_in, "bob", PARTLY)
    hand_in(classroom.handed_in, "cyd", LUCKY)
    hand_in(classroom.handed_in, "dee", LUCKY)

    def run(out, *more):
        seeds = iter(range(4))
        monkeypatch.setattr(secrets, "randbits", lambda bits: next(seeds))
        classroom.out = classroom.folder / out
        assert "4 graded" in classroom.run(*more)
        return {
            student: {k: v for k, v in row.items() if k != "handed in"}
            for student, row in classroom.grades().items()
        }

    return run


@pytest.fixture
def scheduler():
    distributed = pytest.importorskip("dask.distributed")
    with distributed.LocalCluster(
        n_workers=1, threads_per_worker=2, processes=True, dashboard_address=":0",
    ) as cluster:  # fmt: skip
        yield cluster.scheduler_address


def test_one_process_all_cores_and_a_cluster_agree(seeded, scheduler):
    alone = seeded("alone", "--jobs", 1)
    assert {alone["cyd"]["square"], alone["dee"]["square"]} == {"0", "2"}
    assert seeded("cores", "--jobs", 2) == alone
    assert seeded("cluster", "--dask", scheduler) == alone


def test_who_stops_early_gets_no_advice():
    """As after Ctrl-C, which may come while a result is stored."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        results = parallel.on_cores(
            [(s, "", [], 0, []) for s in ("ann", "bob", "cyd")], 2
        )
        next(results)
        results.close()


def test_a_worker_that_dies_is_a_line_and_not_the_end(monkeypatch):
    distributed = pytest.importorskip("dask.distributed")

    class Future:
        def __init__(self, task):
            self.task = task

        def result(self):
            if self.task[0] == "ann":
                raise distributed.scheduler.KilledWorker("ann", None, 3, [])
            return tiny.fake_mark((self.task[0], tiny.CHECKS, [], 0))

    class Client:
        def __init__(self, *arguments, **more):
            self.run = lambda function: {"worker": None}
            self.submit = lambda function, task, pure: Future(task)

        def __enter__(self):
            return self

        def __exit__(self, *error):
            pass

    monkeypatch.setattr(distributed, "Client", Client)
    monkeypatch.setattr(distributed, "as_completed", list)
    with parallel.on_cluster("anywhere") as work:
        found = dict(work([("ann", "", [], 0), ("bob", "", [], 0)]))
    assert "KilledWorker" in found["ann"].notes[0] and not found["bob"].notes


def test_a_cluster_without_workers(quick):
    distributed = pytest.importorskip("dask.distributed")
    hand_in(quick.handed_in, "ann")
    with distributed.LocalCluster(
        n_workers=0, processes=False, dashboard_address=":0"
    ) as cluster:
        said = quick.run("--dask", cluster.scheduler_address)
    assert quick.code == 2 and said.startswith("--dask: expected workers at ")


def test_each_run_has_seeds_of_its_own(quick, monkeypatch):
    seeds = []
    monkeypatch.setattr(
        parallel,
        "mark_one",
        lambda task: seeds.append(task[3]) or tiny.fake_mark(task),
    )
    for student in ("ann", "bob"):
        hand_in(quick.handed_in, student)
    quick.run()
    quick.out = quick.folder / "again"
    quick.run()
    assert len(set(seeds)) == 4 and min(seeds) > 2**32
