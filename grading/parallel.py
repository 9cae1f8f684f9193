"""Mark many submissions at once: on all cores, or on a cluster.

Marking keeps no state and needs no gradebook, so a process that marks starts without
nbgrader, and a machine of a cluster need not have it.
"""

import os
import select
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Thread

from joblib import Parallel, cpu_count, delayed

from grading import sandbox
from grading.checks import load
from grading.marking import Cell, Result, mark

PATIENCE = 10.0  # seconds that a scheduler may take to answer


# A student's name, the text of the checks, the cells to run, a secret seed, and the
# cells of the model solution.
Task = tuple[str, str, list[Cell], int, list[Cell]]


def mark_one(task: Task) -> tuple[str, Result]:
    """The student's name, since results come in any order, and what came of the task.

    An error of the grader is a note in the result, not the end of the run.
    """
    student, checks, cells, seed, solution = task
    try:
        return student, mark(cells, load(checks), seed, solution)
    except sandbox.NoSandbox:
        raise
    except Exception as error:
        return student, _failed(error)


def _failed(error: Exception) -> Result:
    return Result(notes=[f"the grader failed: {type(error).__name__}: {error}"])


def on_cores(tasks: list[Task], jobs: int) -> Iterator[tuple[str, Result]]:
    """Mark in several processes of this machine, at most one a core.

    Each sandbox has a core for itself: with more of them at once, a submission could
    take time from another.
    """
    pool = Parallel(
        n_jobs=max(1, min(jobs, len(tasks), cpu_count())),
        return_as="generator_unordered",
        batch_size=1,
        initializer=_end_with,
        initargs=(os.getpid(),),
    )
    results = pool(delayed(mark_one)(task) for task in tasks)
    try:
        for result in results:  # noqa: UP028 - "yield from" would close them before us
            yield result
    finally:
        with warnings.catch_warnings():
            # joblib has advice for whoever stops early, which is no use after Ctrl-C.
            warnings.simplefilter("ignore", UserWarning)
            results.close()


def _end_with(grader: int) -> None:
    """End this process of the pool when the grader ends, even if that is killed.

    Otherwise it would finish its submission, and wait for minutes for another one.
    """
    gone = os.pidfd_open(grader)

    def wait() -> None:
        select.select([gone], [], [])
        os._exit(1)

    Thread(target=wait, daemon=True).start()


@contextmanager
def on_cluster(address: str) -> Iterator[Callable[[list[Task]], Iterator]]:
    """Mark on a dask.distributed cluster.

    Raises
    ------
    ValueError
        If no scheduler answers at that address, or it has no workers.
    NoSandbox
        If a worker has no sandbox.
    """
    from dask.distributed import Client, as_completed

    try:
        client = Client(address, timeout=PATIENCE)
    except (OSError, ValueError) as error:
        why = str(error).splitlines()[0]
        raise ValueError(
            "--dask: expected the address of a scheduler that answers, such as "
            f"tcp://127.0.0.1:8786, got {address!r} ({why})"
        ) from None

    def work(tasks: list[Task]) -> Iterator[tuple[str, Result]]:
        whose = {client.submit(mark_one, task, pure=False): task[0] for task in tasks}
        for future in as_completed(whose):
            try:
                yield future.result()
            except sandbox.NoSandbox:
                raise
            except Exception as error:  # a worker that died, more than once
                yield whose[future], _failed(error)

    with client:
        if not client.run(sandbox.preflight):
            raise ValueError(f"--dask: expected workers at {address}, got none")
        yield work
