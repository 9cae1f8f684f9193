"""Kernels that start at once: forks of one process that has their libraries loaded.

A kernel imports for most of a second before its first cell, which is half of the time
that a short notebook takes.  After `start_by_forking()` this process has its kernels,
whoever starts them (nbclient, nbval), forked from a server, which ends with it.  Where
the system cannot do that, they start as ever.
"""

import gc
import importlib
import json
import os
import select
import signal
import subprocess
import sys
from collections.abc import Callable
from functools import cache

from jupyter_client.provisioning import local_provisioner

# Where figures go, as a kernel says before it loads what draws.
FIGURES = "module://matplotlib_inline.backend_inline"
LAUNCHER = ["-m", "ipykernel_launcher"]
# Not pyplot, which looks for a notebook when it is imported.
LIBRARIES = (
    "ipykernel.kernelapp",
    "ipykernel.ipkernel",
    "matplotlib.axes",
    "matplotlib.backends.backend_agg",
    "matplotlib.backends.backend_svg",
    "matplotlib.figure",
    "ipywidgets",
    "PIL.Image",
)


@cache
def start_by_forking() -> None:
    """From here on this process forks its kernels."""
    if hasattr(os, "pidfd_open"):
        started = local_provisioner.launch_kernel
        local_provisioner.launch_kernel = lambda command, **options: (
            launch(command, options)
            if command[1:3] == LAUNCHER
            else started(command, **options)
        )


class Process:
    """What jupyter_client asks of a kernel's process, which is not our child."""

    stdin = stdout = stderr = None

    def __init__(self, pid: int):
        self.pid = pid
        self.end = os.pidfd_open(pid)  # readable when the process has ended

    def __del__(self):
        os.close(self.end)

    def wait(self, timeout: float | None = None) -> int | None:
        """0 when it has ended, None if it goes on."""
        return 0 if select.select([self.end], [], [], timeout)[0] else None

    def poll(self) -> int | None:
        return self.wait(0)

    def send_signal(self, number: int) -> None:
        signal.pidfd_send_signal(self.end, number)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)


def launch(command: list[str], options: dict) -> Process:
    """A kernel; the command is that of one that would start by itself."""
    cwd = options.get("cwd") or os.getcwd()
    order = {"argv": command[3:], "cwd": cwd, "env": options["env"]}
    # Libraries read settings when they are imported, but IPython when a kernel starts.
    settings = {k: v for k, v in options["env"].items() if k != "IPYTHONDIR"}
    server = fork_server(frozenset(settings.items()))
    server.stdin.write(json.dumps(order) + "\n")
    server.stdin.flush()
    return Process(int(server.stdout.readline()))


@cache
def fork_server(environment: frozenset[tuple[str, str]]) -> subprocess.Popen:
    """The process that forks; it ends when this one does, and its kernels with it."""
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    # (-P: the folder of this file is not in the path of what runs in a kernel.)
    command = [sys.executable, "-P", __file__]
    settings = {"MPLBACKEND": FIGURES, **dict(environment)}
    return subprocess.Popen(command, env=settings, start_new_session=True, **pipes)


# --- The server -----------------------------------------------------------------


def serve() -> Callable[[], None]:
    """Fork for each order; what a fork has to do then."""
    for library in LIBRARIES:
        importlib.import_module(library)
    gc.freeze()  # a collection in a fork need not copy all that
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody asks how a fork has ended
    for line in sys.stdin:
        pid = os.fork()
        if not pid:
            return lambda: become_kernel(**json.loads(line))
        os.setpgid(pid, pid)  # an interrupt goes to all of a group
        print(pid, flush=True)
    return lambda: None


def become_kernel(argv: list[str], cwd: str, env: dict[str, str]) -> None:
    """In a fork: run as a kernel that has just started."""
    from ipykernel.kernelapp import IPKernelApp

    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    nothing = os.open(os.devnull, os.O_RDWR)
    for standard in range(3):
        os.dup2(nothing, standard)
    os.chdir(cwd)
    os.environ.clear()
    os.environ.update(env)
    parent = f"--IPKernelApp.parent_handle={os.getppid()}"
    IPKernelApp.launch_instance(argv=[*argv, parent])


if __name__ == "__main__":
    serve()()
