"""The wall where bubblewrap cannot start, as in most containers: root only, and weaker.

    python container.py UID FILTER REQUESTS ANSWERS

This program runs as root, starts the worker as a user of its own and waits for it.
When the worker has ended, however that happened, it ends all processes of that user.
The worker has the same limits and the same filter of system calls as in bubblewrap, so
no network, no shared memory, no change of user.  Files are kept from it by Landlock,
where the kernel has that, and otherwise by their permissions alone.  It can see that
other processes run.
"""

import contextlib
import ctypes
import os
import signal
import struct
import sys
import sysconfig
from pathlib import Path

# Users of nobody else; each sandbox has the next one.
USERS = range(61_200, 61_900)
NO_NEW_PRIVS, SECCOMP, FILTER = 38, 22, 2
# Landlock's calls, and rights: of files to run, write and read, of folders to list.
CREATE, ADD, RESTRICT = 444, 445, 446
EVERYTHING, READ, WRITE = (1 << 13) - 1, 1 | 4 | 8, 2 | 4
PATHS = ("/lib", "/lib64", "/usr/lib", "/usr/lib64", "/etc/ld.so.cache")
DEVICES = ("/dev/null", "/dev/zero", "/dev/random", "/dev/urandom")


def command(allowed: int, requests: int, answers: int) -> list[str]:
    """The command that starts a worker; the descriptors are those of `bubblewrap`."""
    user = USERS[(os.getpid() + requests) % len(USERS)]
    words = map(str, (user, allowed, requests, answers))
    return [sys.executable, "-I", str(Path(__file__).resolve()), *words]


def main() -> None:
    user, *descriptors = map(int, sys.argv[1:])
    with os.fdopen(descriptors.pop(0), "rb") as file:
        allowed = file.read()
    libc = ctypes.CDLL(None, use_errno=True)
    packages, program = sysconfig.get_path("purelib"), os.path.realpath(sys.executable)
    folder = Path(sys.prefix, "worker")
    worker = os.fork()
    if worker == 0:
        os.setgroups([])
        os.setresgid(user, user, user)
        os.setresuid(user, user, user)
        must(libc.prctl(NO_NEW_PRIVS, 1, 0, 0, 0))
        only_read(
            libc, [*PATHS, f"{sys.base_prefix}/lib", program, packages, str(folder)]
        )
        load(libc, allowed)
        words = [program, "-s", str(folder / "worker.py"), *map(str, descriptors)]
        os.execve(program, words, environment(packages))
    os.waitpid(worker, 0)
    end_all(user)


def environment(packages: str) -> dict[str, str]:
    threads = {f"{name}_NUM_THREADS": "1" for name in ("OPENBLAS", "OMP")}
    return {
        "PYTHONPATH": packages, "HOME": "/tmp", "LANG": "C.UTF-8", **threads,
        "MPLBACKEND": "agg", "MPLCONFIGDIR": "/tmp", "PYTHONDONTWRITEBYTECODE": "1",
    }  # fmt: skip


def must(result: int) -> None:
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))


def only_read(libc: ctypes.CDLL, paths: list[str]) -> None:
    """Keep all files from this process but these, where there is Landlock."""
    kinds = ctypes.create_string_buffer(struct.pack("=Q", EVERYTHING))
    rules = libc.syscall(CREATE, kinds, ctypes.c_size_t(8), 0)
    if rules < 0:
        return
    devices = [(path, WRITE) for path in DEVICES]
    for path, rights in [*((path, READ) for path in paths), *devices]:
        with contextlib.suppress(FileNotFoundError):
            place = os.open(path, os.O_PATH)
            right = rights if Path(path).is_dir() else rights & ~8
            rule = ctypes.create_string_buffer(struct.pack("=Qi", right, place))
            must(libc.syscall(ADD, rules, 1, rule, 0))
            os.close(place)
    must(libc.syscall(RESTRICT, rules, 0))
    os.close(rules)


def load(libc: ctypes.CDLL, allowed: bytes) -> None:
    """The filter of system calls, for this process and all that it starts."""
    lines = ctypes.create_string_buffer(allowed, len(allowed))
    program = struct.pack("@HP", len(allowed) // 8, ctypes.addressof(lines))
    must(libc.prctl(SECCOMP, FILTER, ctypes.create_string_buffer(program), 0, 0))


def end_all(user: int) -> None:
    """End the processes of a user, also those that others start meanwhile."""
    found = True
    while found:
        found = False
        for entry in Path("/proc").glob("[0-9]*"):
            with contextlib.suppress(OSError):
                state = (entry / "stat").read_text(errors="replace").rpartition(") ")[2]
                if entry.stat().st_uid == user and state[0] not in "ZX":
                    os.kill(int(entry.name), signal.SIGKILL)
                    found = True


if __name__ == "__main__":
    main()
