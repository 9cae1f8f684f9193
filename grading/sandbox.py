"""A student's process in a sandbox, which answers one request at a time.

`Sandbox` starts the worker in bubblewrap and exchanges plain values with it, each
within a deadline.  It ends all processes in there when they hold too much memory, and
when it is closed.
"""

import contextlib
import fcntl
import math
import os
import platform
import random
import re
import select
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from grading import bubblewrap, container, messages, syscalls

# Set by `gradescope` where bubblewrap cannot start: then `container` is the wall.
WALL = "OLUTIL_WALL"
MEMORY = 2 << 30  # bytes, all processes of a submission together
FILES = 10_000  # in the scratch folder; each costs the kernel memory
CORES = Path("/sys/devices/system/cpu")  # a folder for each
TICKS = os.sysconf("SC_CLK_TCK")  # of a second, in /proc/PID/stat
START = 60.0  # seconds until the worker must be there
LOOK = 0.2  # seconds until one looks again what a process is doing
ERROR_LENGTH = 500  # characters of what an error of the student's code says
# In /proc/PID/status, whose first line is a name that the student's code may choose, in
# whatever bytes.
HELD = re.compile(rb"^Vm(?:RSS|Swap):\s+(\d+) kB$", re.MULTILINE)


class NoSandbox(RuntimeError):
    """A sandbox cannot be started here, so nothing is graded."""


class Ended(Exception):
    """The student's process ended, or answered what no worker answers."""


class Overdue(Ended):
    """The student's process did not answer in time."""


class StudentError(Exception):
    """The student's code raised: the name of the error, and what it says."""

    def __init__(self, kind: str, text: str) -> None:
        super().__init__(kind, text)
        self.kind, self.text = kind, text


class Budget:
    """Seconds that a student's processes may use, and more that may pass on the clock.

    Parameters
    ----------
    seconds : float
    used : callable
        How many they have used until now.
    within : Budget, optional
        Another one, which holds as well.
    """

    def __init__(
        self, seconds: float, used: Callable[[], float], within: "Budget | None" = None
    ) -> None:
        self._used, self._within = used, within
        self._most = used() + seconds
        self._until = time.monotonic() + messages.PATIENCE * seconds

    def left(self) -> float:
        """How many may still be used."""
        waiting = (self._until - time.monotonic()) / messages.PATIENCE
        left = min(self._most - self._used(), waiting)
        return left if self._within is None else min(left, self._within.left())

    def is_over(self) -> bool:
        """Whether too little is left to begin anything."""
        return self.left() < 0.1


def preflight() -> None:
    """Try out a sandbox, before the first submission is run.

    Raises
    ------
    NoSandbox
        With what to install or to allow.
    """
    if not sys.platform.startswith("linux"):
        raise NoSandbox(
            "Submissions are graded on Linux only, where bubblewrap can hold them; "
            f"this is {sys.platform}. Grade in a Linux machine, real or virtual."
        )
    if platform.machine() not in syscalls.MACHINES:
        raise NoSandbox(
            "The filter of system calls is written for "
            f"{' and '.join(syscalls.MACHINES)}; this is {platform.machine()}."
        )
    if os.environ.get(WALL) == "container":
        Sandbox().close()
        return
    if shutil.which("bwrap") is None:
        raise NoSandbox(
            "bubblewrap is not installed, and no submission is run without it: "
            "apt-get install bubblewrap"
        )
    try:
        Sandbox().close()
    except NoSandbox as error:
        raise NoSandbox(
            f"bubblewrap is installed but cannot start ({error}). It needs "
            "unprivileged user namespaces, which containers often forbid: allow them "
            "(sysctl kernel.unprivileged_userns_clone=1; docker run "
            "--security-opt seccomp=unconfined --cap-add SYS_ADMIN), or grade outside "
            "the container."
        ) from None


class Sandbox:
    """A worker in bubblewrap.

    Parameters
    ----------
    memory : int
        Bytes that all its processes may hold together.

    Raises
    ------
    NoSandbox
        If it cannot be started.
    """

    def __init__(self, *, memory: int = MEMORY) -> None:
        read, self._requests = os.pipe()
        self._answers, write = os.pipe()
        allowed = _readable(syscalls.seccomp_filter())
        # Even where there is something to read, the other end can take it back first.
        os.set_blocking(self._requests, False)
        os.set_blocking(self._answers, False)
        self._unread = b""
        self._memory = memory
        self._killed = ""
        self._used = self._before = self._asleep = 0.0
        self._first: int | None = None
        self._own_files = os.environ.get(WALL) != "container"
        wall = bubblewrap if self._own_files else container
        core, self._core = _free_core()
        with _on(core):
            self._process = subprocess.Popen(
                wall.command(allowed, read, write),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                pass_fds=(allowed, read, write),
                # Nothing else of ours: inside, /proc/1/environ shows it.
                env={"PATH": os.environ.get("PATH", os.defpath)},
                start_new_session=True,
                cwd="/",
            )
        for descriptor in (allowed, read, write):
            os.close(descriptor)
        try:
            self._receive(time.monotonic() + START)
        except Ended as error:
            self._process.kill()
            reason = self._process.communicate()[1].decode(errors="replace").strip()
            self._close_files()
            raise NoSandbox(reason or str(error)) from None
        self._process.stderr.close()
        # The first process inside: when it ends, the kernel ends all others.  It is the
        # only child, for no code of the student's has run yet.
        [self._first] = _children(self._process.pid)
        self._init = os.pidfd_open(self._first)
        self._used = self._before = _used(self._first)
        self._over = threading.Event()
        self._watcher = threading.Thread(target=self._watch, daemon=True)
        self._watcher.start()

    def __enter__(self) -> "Sandbox":
        return self

    def __exit__(self, *error) -> None:
        self.close()

    def close(self) -> None:
        """End every process in the sandbox, and wait until they are gone."""
        self._over.set()
        self._watcher.join()
        self._kill()
        _ready(self._init, select.POLLIN, time.monotonic() + 10)
        self._process.wait()
        os.close(self._init)
        self._close_files()

    def used(self) -> float:
        """Seconds that the processes have used, or slept, since the sandbox was ready.

        Whoever waits for the processor does not sleep: others may have it.
        """
        return self._used - self._before + self._asleep

    def ask(
        self, verb: str, *rest: Any, deadline: float = 30.0, most: float = math.inf
    ) -> Any:
        """Send one request and wait for its answer.

        Parameters
        ----------
        verb, *rest
            The request.
        deadline : float
            Seconds on the clock.
        most : float
            Seconds that the processes may use for it.

        Raises
        ------
        StudentError
            If the student's code raised.
        Ended, Overdue
            If there is no answer, or what is none.
        """
        until, most = time.monotonic() + deadline, self.used() + most
        self._send([verb, *rest], until, most)
        reply = self._receive(until, most)
        if isinstance(reply, list) and reply and isinstance(reply[0], str):
            match reply:
                case ["value", value]:
                    return value
                case ["error", str(kind), str(text)]:
                    raise StudentError(kind[:80], text[:ERROR_LENGTH])
        raise Ended("an answer of no known form")

    # --- Lines there and back ------------------------------------------

    def _send(self, request: list, until: float, most: float) -> None:
        line = messages.encode(request).encode() + b"\n"
        while line:
            try:
                line = line[os.write(self._requests, line) :]
            except BlockingIOError:
                self._wait(self._requests, select.POLLOUT, until, most)
            except BrokenPipeError:
                raise Ended(self._why()) from None

    def _receive(self, until: float, most: float = math.inf) -> Any:
        while b"\n" not in self._unread:
            if len(self._unread) > messages.LINE_LENGTH:
                raise Ended("an answer that is too long")
            self._wait(self._answers, select.POLLIN, until, most)
            try:
                piece = os.read(self._answers, 1 << 16)
            except BlockingIOError:
                continue
            if not piece:
                raise Ended(self._why())
            self._unread += piece
        line, self._unread = self._unread.split(b"\n", 1)
        try:
            return messages.decode(line)
        except messages.NotPlain as error:
            raise Ended(f"an answer that is {error}") from None

    def _wait(self, descriptor: int, event: int, until: float, most: float) -> None:
        """Wait for the other end, and count how long nothing there could run."""
        spent = None
        while not _ready(descriptor, event, min(until, time.monotonic() + LOOK)):
            if self._first is not None:
                before, spent = spent, _used(self._first)
                if before == spent and not _can_run(self._first):
                    self._asleep += LOOK
            if time.monotonic() >= until or self.used() > most:
                raise Overdue("no answer in time")

    def _why(self) -> str:
        return self._killed or "the process ended"

    def _close_files(self) -> None:
        for descriptor in (self._requests, self._answers, self._core):
            os.close(descriptor)

    # --- Limits for all processes together: the kernel's are for each ----

    def _watch(self) -> None:
        scratch = f"/proc/{self._first}/root/tmp" if self._own_files else ""
        try:
            while not self._over.wait(0.05):
                # A process that has ended unseen may take its time along.
                self._used = max(self._used, _used(self._first))
                if _held(self._first) > self._memory:
                    self._killed = f"used more than {self._memory >> 20} MiB of memory"
                    return
                if _files(scratch) > FILES:
                    self._killed = f"made more than {FILES:,} files"
                    return
        finally:
            # Also if this loop itself has failed: nothing may run unwatched.
            self._kill()

    def _kill(self) -> None:
        try:
            signal.pidfd_send_signal(self._init, signal.SIGKILL)
        except ProcessLookupError:
            pass


def _readable(content: bytes) -> int:
    """A descriptor from which this can be read."""
    read, write = os.pipe()
    with os.fdopen(write, "wb") as file:
        file.write(content)
    return read


def _free_core() -> tuple[int, int]:
    """A core without another sandbox of this machine, and a descriptor that holds it.

    Where every core has a sandbox already, one of them gets another.
    """
    cores = sorted(os.sched_getaffinity(0))
    for core in cores:
        held = os.open(CORES / f"cpu{core}", os.O_RDONLY)
        try:
            # The lock ends when the process does, however that happens.
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(held)
        else:
            return core, held
    return random.choice(cores), os.open(os.devnull, os.O_RDONLY)


@contextlib.contextmanager
def _on(core: int) -> Iterator[None]:
    """Keep the processes that this thread starts here on that core."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {core})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def _ready(descriptor: int, event: int, until: float) -> bool:
    """Whether something can be done with a descriptor before that time."""
    left = until - time.monotonic()
    poll = select.poll()
    poll.register(descriptor, event)
    return left > 0 and bool(poll.poll(1000 * left))


def _family(pid: int) -> list[int]:
    """A process and all that descend from it."""
    family = [pid]
    for member in family:
        family += _children(member)
    return family


def _held(pid: int) -> int:
    """Bytes of a process and of all that descend from it."""
    return sum(map(_own, _family(pid)))


def _used(pid: int) -> float:
    """Seconds that a process and all that descend from it have used, ended ones too."""
    ticks = 0
    for member in _family(pid):
        with contextlib.suppress(OSError, ValueError):
            about = Path(f"/proc/{member}/stat").read_bytes()
            # After the name, which is in brackets and may have any letters.
            ticks += sum(map(int, about.rpartition(b")")[2].split()[11:15]))
    return ticks / TICKS


def _can_run(pid: int) -> bool:
    """Whether any thread of a process, or of what descends from it, runs or could."""
    return any(
        about.rpartition(b")")[2].split()[0] in (b"R", b"D")
        for member in _family(pid)
        for about in _of_tasks(member, "stat")
    )


def _children(pid: int) -> list[int]:
    return [int(c) for content in _of_tasks(pid, "children") for c in content.split()]


def _own(pid: int) -> int:
    """Bytes of one process.

    All its threads show the same number, but one that has ended shows 0, and the first
    may have ended while others go on.
    """
    shown = _of_tasks(pid, "status")
    return max((sum(map(int, HELD.findall(about))) << 10 for about in shown), default=0)


def _of_tasks(pid: int, name: str) -> Iterator[bytes]:
    """What a file of /proc holds for each thread of a process, if that lives."""
    tasks = Path(f"/proc/{pid}/task")
    with contextlib.suppress(OSError):
        for task in os.listdir(tasks):
            with contextlib.suppress(OSError):
                yield (tasks / task / name).read_bytes()


def _files(folder: str) -> int:
    try:
        about = os.statvfs(folder)
    except OSError:  # the process has ended
        return 0
    return about.f_files - about.f_ffree
