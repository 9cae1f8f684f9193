"""The wall around a student's code: the command that starts a worker behind it.

Inside there is Python with its packages, the system's libraries, an empty
scratch folder, and nothing else: no network, no other process, no shell, no file
of the grader, no olutil.  A program may lie among the libraries; it runs behind the
same wall, and can do no more than Python can.
"""

import os
import shlex
import sys
import sysconfig
from pathlib import Path

HERE = Path(__file__).resolve().parent
PYTHON = f"python{sys.version_info[0]}.{sys.version_info[1]}"
LIBRARIES = ("/lib", "/lib64", "/usr/lib", "/usr/lib64")
DEVICES = ("null", "zero", "random", "urandom")
SCRATCH = 64 << 20  # bytes of files
NOBODY = 65534
STAGE = Path("/run/olutil-stage")  # where root shows nobody what nobody may not open


def command(rules: int, requests: int, answers: int) -> list[str]:
    """The command for this user, who must have bubblewrap.

    Parameters
    ----------
    rules : int
        Descriptor from which the filter of system calls is read.
    requests, answers : int
        Descriptors that the worker gets.
    """
    places = {
        "python": Path(sys.base_prefix).resolve(),
        "packages": Path(sysconfig.get_path("purelib")).resolve(),
        "own": HERE,
    }
    modules = "lib"
    if str(places["python"] / "lib") in LIBRARIES:  # the system's own Python
        modules = f"lib/{PYTHON}"
    root = os.geteuid() == 0
    shown = {name: STAGE / name if root else path for name, path in places.items()}
    inner = [
        "bwrap", "--unshare-user", "--unshare-all", "--disable-userns",
        "--die-with-parent", "--new-session", "--cap-drop", "ALL", "--clearenv",
        "--seccomp", str(rules), *_libraries(),
        "--ro-bind", str(shown["python"] / modules), f"/python/{modules}",
        "--ro-bind", str(shown["python"] / "bin" / PYTHON), f"/python/bin/{PYTHON}",
        "--ro-bind", str(shown["packages"]), "/packages",
        *_hide(places),
        "--ro-bind", str(shown["own"] / "wire.py"), "/worker/wire.py",
        "--ro-bind", str(shown["own"] / "worker.py"), "/worker/worker.py",
        "--proc", "/proc", *_devices(),
        "--size", str(SCRATCH), "--tmpfs", "/tmp",
        # They could be written to without a limit, or to other processes' memory.
        "--remount-ro", "/proc", "--remount-ro", "/",
        "--setenv", "PYTHONPATH", "/packages", "--setenv", "HOME", "/tmp",
        "--setenv", "LD_LIBRARY_PATH", "/python/lib",
        "--setenv", "MPLBACKEND", "agg", "--setenv", "MPLCONFIGDIR", "/tmp",
        "--setenv", "OPENBLAS_NUM_THREADS", "1", "--setenv", "OMP_NUM_THREADS", "1",
        "--setenv", "PYTHONDONTWRITEBYTECODE", "1", "--setenv", "LANG", "C.UTF-8",
        f"/python/bin/{PYTHON}", "-s", "/worker/worker.py", str(requests), str(answers),
    ]  # fmt: skip
    return _as_nobody(inner, places) if root else inner


def _libraries() -> list[str]:
    found = []
    for path in map(Path, LIBRARIES):
        if path.is_symlink():
            found += ["--symlink", str(path.readlink()), str(path)]
        elif path.is_dir():
            for shown in _only_libraries(path):
                found += ["--ro-bind", str(shown), str(shown)]
    return found


def _only_libraries(folder: Path) -> list[Path]:
    """Where the C library has a folder for the architecture, that and the loader.

    Beside it lie whole programs and their data; elsewhere they cannot be told apart.
    """
    libraries = folder / (sysconfig.get_config_var("MULTIARCH") or "")
    if (libraries / "libc.so.6").exists():
        return [libraries, *folder.glob("ld-*")]
    return [folder]


def _devices() -> list[str]:
    """No terminals: the machine has a number of them, and nobody would have one."""
    paths = [f"/dev/{name}" for name in DEVICES]
    return [word for path in paths for word in ("--dev-bind", path, path)]


def _hide(places: dict[str, Path]) -> list[str]:
    """Cover what is ours among the packages, which has the solutions in it."""
    lib = places["python"] / "lib"
    seen = {lib: Path("/python/lib"), places["packages"]: Path("/packages")}
    found = []
    for site in {places["packages"], lib / PYTHON / "site-packages"}:
        for path in site.glob("*olutil*"):
            for outside, inside in seen.items():
                if not path.is_relative_to(outside):
                    continue
                target = str(inside / path.relative_to(outside))
                if path.is_dir():
                    found += ["--tmpfs", target, "--remount-ro", target]
                else:
                    found += ["--ro-bind", "/dev/null", target]
    return found


def _as_nobody(inner: list[str], places: dict[str, Path]) -> list[str]:
    """The same command for root to call: it becomes nobody first.

    The limit on processes does not bind root, under whatever name it goes
    inside.  Python may lie where nobody may not look (below /root), so its
    folders are first bound, in a mount namespace that ends with the command,
    to a place where everybody may.
    """
    steps = [f"mkdir -p {STAGE}", f"mount -t tmpfs -o size=1m,mode=755 tmpfs {STAGE}"]
    for name, path in places.items():
        steps += [
            f"mkdir {STAGE / name}",
            f"mount --bind {shlex.quote(str(path))} {STAGE / name}",
        ]
    drop = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"]
    steps.append(shlex.join(["exec", *drop, *inner]))
    return ["unshare", "--mount", "sh", "-ec", "\n".join(steps)]
