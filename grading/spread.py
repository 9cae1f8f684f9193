"""Mark many submissions at once: on all cores, or on a cluster.

The work keeps no state and needs no gradebook, so a process that marks starts without
nbgrader, and a machine of a cluster need not have it.
"""

import os
import select
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from threading import Thread
from types import ModuleType

from joblib import Parallel, cpu_count, delayed

from grading import sandbox
from grading.checks import Checks
from grading.marking import Cell, Result, mark

PATIENCE = 10.0  # seconds that a scheduler may take to answer


@cache
def load(text: str) -> Checks:
    """The checks of a module's text."""
    module = ModuleType("hidden_checks")
    exec(compile(text, "hidden_checks", "exec"), vars(module))
    return module.checks


def mark_one(checks: str, cells: list[Cell], seed: int) -> Result:
    """Mark one submission; a fault of the grader is a note, not the end of the run."""
    try:
        return mark(cells, load(checks), seed)
    except sandbox.NoSandbox:
        raise
    except Exception as error:
        return _stumbled(error)


def _stumbled(error: Exception) -> Result:
    return Result(notes=[f"the grader stumbled: {type(error).__name__}: {error}"])


# A student's name, the text of the checks, the cells to run, a secret seed.
Task = tuple[str, str, list[Cell], int]


def mark_there(task: Task) -> tuple[str, Result]:
    """`mark_one` with the student's name, for results that come in any order."""
    student, *rest = task
    return student, mark_one(*rest)


def locally(tasks: list[Task], jobs: int) -> Iterator[tuple[str, Result]]:
    """Spread the work over the processes of this machine, as many as it has cores.

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
    results = pool(delayed(mark_there)(task) for task in tasks)
    try:
        for result in results:  # noqa: UP028 - "yield from" would close them before us
            yield result
    finally:
        with warnings.catch_warnings():
            # joblib has advice for whoever stops early, which is no use after Ctrl-C.
            warnings.simplefilter("ignore", UserWarning)
            results.close()


def _end_with(grader: int) -> None:
    """End this process of the pool with the grader, also where that is killed.

    By itself it would finish its submission, and wait for minutes for another one.
    """
    gone = os.pidfd_open(grader)

    def wait() -> None:
        select.select([gone], [], [])
        os._exit(1)

    Thread(target=wait, daemon=True).start()


@contextmanager
def cluster(address: str) -> Iterator[Callable[[list[Task]], Iterator]]:
    """Spread the same work over a dask.distributed cluster.

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
        whose = {client.submit(mark_there, task, pure=False): task[0] for task in tasks}
        for future in as_completed(whose):
            try:
                yield future.result()
            except sandbox.NoSandbox:
                raise
            except Exception as error:  # a worker that died, more than once
                yield whose[future], _stumbled(error)

    with client:
        if not client.run(sandbox.preflight):
            raise ValueError(f"--dask: expected workers at {address}, got none")
        yield work
