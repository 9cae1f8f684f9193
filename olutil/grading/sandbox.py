"""A wall around a student's code: bubblewrap, an unprivileged user, limits.

Inside there is a read-only system, Python with numpy and matplotlib, an empty
scratch folder, and nothing else: no network, no other process, no file of the
grader, no olutil.  `Sandbox` starts the worker behind the wall and exchanges
plain values with it, each under a deadline.
"""

import os
import resource
import select
import shlex
import shutil
import signal
import subprocess
import sys
import sysconfig
import threading
import time
from pathlib import Path
from typing import Any

from olutil.grading import wire

HERE = Path(__file__).resolve().parent
NOBODY = 65534
MEMORY = 2 << 30  # bytes, all processes of a submission together
SCRATCH = 64 << 20  # bytes of files
PACKAGES = ("numpy", "numpy.libs", "matplotlib")
SYSTEM = ("/usr", "/bin", "/lib", "/lib64", "/lib32", "/sbin")


class NoSandbox(RuntimeError):
    """No wall can be had here, so nothing is graded."""


class Ended(Exception):
    """The student's process ended, or said what no worker says."""


class Overdue(Ended):
    """The student's process did not answer in time."""


# --- The wall ------------------------------------------------------------


def environment() -> list[Path]:
    """The folders of Python and its packages, which must be seen inside."""
    found = [Path(sys.base_prefix), Path(sysconfig.get_path("purelib"))]
    return [path.resolve() for path in found]


def command() -> list[str]:
    """The command that starts the worker behind the wall.

    Whoever calls it must be unprivileged, and able to read `environment`.
    """
    prefix, packages = environment()
    wall = [
        "bwrap", "--unshare-user", "--unshare-all", "--disable-userns",
        "--die-with-parent", "--new-session", "--cap-drop", "ALL", "--clearenv",
    ]  # fmt: skip
    for path in map(Path, SYSTEM):
        if path.is_symlink():
            wall += ["--symlink", str(path.readlink()), str(path)]
        elif path.is_dir():
            wall += ["--ro-bind", str(path), str(path)]
    wall += [
        "--ro-bind",
        str(prefix),
        "/python",
        "--ro-bind",
        str(packages),
        "/packages",
    ]
    # Everything of ours that is in the environment is hidden again.
    for path in packages.glob("*olutil*"):
        hide = ["--tmpfs", f"/packages/{path.name}"]
        wall += (
            hide
            if path.is_dir()
            else ["--ro-bind", "/dev/null", f"/packages/{path.name}"]
        )
    for name in ("wire.py", "worker.py"):
        wall += ["--ro-bind", str(HERE / name), f"/worker/{name}"]
    wall += [
        "--proc", "/proc", "--dev", "/dev",
        "--size", str(SCRATCH), "--tmpfs", "/tmp",
        "--remount-ro", "/dev", "--remount-ro", "/",
        "--setenv", "PYTHONPATH", "/packages", "--setenv", "HOME", "/tmp",
        "--setenv", "LD_LIBRARY_PATH", "/python/lib",
        "--setenv", "MPLBACKEND", "agg", "--setenv", "MPLCONFIGDIR", "/tmp",
        "--setenv", "OPENBLAS_NUM_THREADS", "1", "--setenv", "OMP_NUM_THREADS", "1",
        "--setenv", "PYTHONDONTWRITEBYTECODE", "1",
        "--setenv", "LANG", "C.UTF-8",
    ]  # fmt: skip
    python = f"/python/bin/python{sys.version_info[0]}.{sys.version_info[1]}"
    return [*wall, python, "-s", "/worker/worker.py"]


def as_nobody(inner: list[str]) -> list[str]:
    """The same command for root to call: it becomes nobody first.

    The limit on processes does not bind root, under whatever name it goes
    inside.  Python may lie where nobody may not look (below /root), so the two
    folders are first bound, in a mount namespace that ends with the command,
    to a place where everybody may.
    """
    prefix, packages = map(str, environment())
    stage = "/tmp/.olutil-stage"
    moved = {
        prefix: f"{stage}/python",
        packages: f"{stage}/packages",
        str(HERE): f"{stage}/own",
    }

    def staged(argument: str) -> str:
        for old, new in moved.items():
            if argument == old or argument.startswith(old + "/"):
                return new + argument[len(old) :]
        return argument

    binds = [
        f"mkdir {new} && mount --bind {shlex.quote(old)} {new}"
        for old, new in moved.items()
    ]
    empty = f"mkdir -p {stage} && mount -t tmpfs -o size=1m,mode=755 tmpfs {stage}"
    drop = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"]
    last = shlex.join(["exec", *drop, *map(staged, inner)])
    return ["unshare", "--mount", "sh", "-ec", "\n".join([empty, *binds, last])]


def preflight() -> None:
    """Make sure of the wall before the first submission.

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
    if shutil.which("bwrap") is None:
        raise NoSandbox(
            "bubblewrap is not installed, and no submission is run without it: "
            "apt-get install bubblewrap"
        )
    try:
        with Sandbox() as sandbox:
            sandbox.ask("run", "answer = 6 * 7", 5.0, False)
            works = sandbox.ask("get", None, "answer", 5.0) == 42
    except Ended as error:
        works, why = False, f" ({error})"
    else:
        why = ""
    if not works:
        raise NoSandbox(
            f"bubblewrap is installed but cannot start{why}. It needs unprivileged "
            "user namespaces, which containers often forbid: allow them "
            "(sysctl kernel.unprivileged_userns_clone=1; docker run "
            "--security-opt seccomp=unconfined --cap-add SYS_ADMIN), or grade outside "
            "the container."
        )


# --- The worker behind it ------------------------------------------------


class Sandbox:
    """A worker behind the wall, asked one thing at a time.

    Parameters
    ----------
    memory : int
        Bytes that all its processes may hold together.

    Raises
    ------
    Ended
        By `ask`, if the worker is gone or answers with what is no value.
    """

    def __init__(self, *, memory: int = MEMORY) -> None:
        ours, theirs = os.pipe(), os.pipe()
        self.requests, self.answers = ours[1], theirs[0]
        inner = command()
        outer = as_nobody(inner) if os.geteuid() == 0 else inner

        def connect() -> None:
            # Descriptors 3 and 4 inside; others are closed.
            read, write = os.dup(ours[0]), os.dup(theirs[1])
            high = [os.dup2(read, 203), os.dup2(write, 204)]
            os.dup2(high[0], 3)
            os.dup2(high[1], 4)
            os.closerange(5, 256)
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

        self.process = subprocess.Popen(
            outer,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            preexec_fn=connect,
            close_fds=False,
            start_new_session=True,
            cwd="/",
        )
        os.close(ours[0])
        os.close(theirs[1])
        self.unread = b""
        self.over = False
        self.killed = ""
        threading.Thread(target=self._watch, args=(memory,), daemon=True).start()

    def __enter__(self) -> "Sandbox":
        return self

    def __exit__(self, *error) -> None:
        self.close()

    def close(self) -> None:
        """End every process behind the wall."""
        self.over = True
        self._kill()
        self.process.wait()
        self.process.stderr.close()
        for descriptor in (self.requests, self.answers):
            if descriptor is not None:
                os.close(descriptor)
        self.requests = self.answers = None

    def ask(self, verb: str, *rest: Any, deadline: float = 30.0) -> Any:
        """Send one request and wait for its answer, as long as ``deadline`` seconds.

        Raises
        ------
        Refused
            If the student's code raised.
        Ended, Overdue
            If there is no answer.
        """
        self._send([verb, *rest])
        reply = self._receive(time.monotonic() + deadline)
        match reply:
            case ["value", value]:
                return value
            case ["error", str(kind), str(text)]:
                raise Refused(kind, text)
        raise Ended("the process of this answer ended")

    def close_fork(self, deadline: float = 5.0) -> None:
        """End the forked worker that stands in the place of the first."""
        self._send(["close"])
        if self._receive(time.monotonic() + deadline) != ["closed"]:
            raise Ended("the process of this answer did not end")

    def _send(self, request: list) -> None:
        line = wire.encode(request).encode() + b"\n"
        until = time.monotonic() + 10
        os.set_blocking(self.requests, False)
        while line:
            _, ready, _ = select.select(
                [], [self.requests], [], max(0, until - time.monotonic())
            )
            if not ready:
                raise Overdue("the process does not read")
            try:
                line = line[os.write(self.requests, line) :]
            except BrokenPipeError:
                raise Ended(self._why()) from None

    def _receive(self, until: float) -> Any:
        while b"\n" not in self.unread:
            if len(self.unread) > wire.LONGEST:
                raise Ended("an answer that is too long")
            left = until - time.monotonic()
            ready = left > 0 and select.select([self.answers], [], [], left)[0]
            if not ready:
                raise Overdue("no answer in time")
            piece = os.read(self.answers, 1 << 16)
            if not piece:
                raise Ended(self._why())
            self.unread += piece
        line, self.unread = self.unread.split(b"\n", 1)
        try:
            return wire.decode(line)
        except wire.NotPlain as error:
            raise Ended(f"an answer that is {error}") from None

    def _why(self) -> str:
        if self.killed:
            return self.killed
        try:
            self.process.wait(timeout=1)
        except subprocess.TimeoutExpired:
            return "the process closed its answers"
        said = os.read(self.process.stderr.fileno(), 2000).decode(errors="replace")
        return said.strip() or "the process ended"

    # --- Memory in sum: the kernel's limit is for one process ----------

    def _watch(self, memory: int) -> None:
        while not self.over and self.process.poll() is None:
            if _resident(self.process.pid) > memory:
                self.killed = f"used more than {memory >> 20} MiB of memory"
                self._kill()
                return
            time.sleep(0.05)

    def _kill(self) -> None:
        for pid in reversed(_family(self.process.pid)):
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass


class Refused(Exception):
    """The student's code raised: the name of the error, and what it says."""

    def __init__(self, kind: str, text: str) -> None:
        super().__init__(kind, text)
        self.kind, self.text = kind, text


def _family(pid: int) -> list[int]:
    """A process and all that descend from it."""
    found = [pid]
    for parent in found:
        try:
            tasks = list(Path(f"/proc/{parent}/task").glob("*/children"))
        except OSError:  # it has ended meanwhile
            continue
        for task in tasks:
            try:
                found += map(int, task.read_text().split())
            except (OSError, ValueError):
                continue
    return found


def _resident(pid: int) -> int:
    pages = 0
    for member in _family(pid):
        try:
            pages += int(Path(f"/proc/{member}/statm").read_text().split()[1])
        except (OSError, ValueError, IndexError):
            continue
    return pages * os.sysconf("SC_PAGE_SIZE")
