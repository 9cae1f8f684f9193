"""The command that starts a worker in bubblewrap.

In the sandbox there are Python with its packages, the system's libraries and an empty
scratch folder.  There is no network, no process from outside, no shell, no file of the
grader, no olutil.  Where programs lie among the libraries, they run in the same
sandbox and can do no more than Python can.
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
WORKER = ("awaiting.py", "ipython.py", "messages.py", "worker.py")
SCRATCH = 64 << 20  # bytes of files
NOBODY = 65534
# Where root makes folders visible to the user "nobody", who may not open their parents.
STAGE = Path("/run/olutil-stage")


def command(allowed: int, requests: int, answers: int) -> list[str]:
    """The command for the user who runs the grader.

    Parameters
    ----------
    allowed : int
        Descriptor from which bubblewrap reads the filter of system calls.
    requests, answers : int
        Descriptors from which the worker reads requests, and to which it answers.
    """
    folders = {
        "python": Path(sys.base_prefix).resolve(),
        "packages": Path(sysconfig.get_path("purelib")).resolve(),
        "own": HERE,
    }
    modules = "lib"
    if str(folders["python"] / "lib") in LIBRARIES:  # the system's own Python
        modules = f"lib/{PYTHON}"
    root = os.geteuid() == 0
    shown = {name: STAGE / name if root else path for name, path in folders.items()}
    inner = [
        "bwrap", "--unshare-user", "--unshare-all", "--disable-userns",
        "--die-with-parent", "--new-session", "--cap-drop", "ALL", "--clearenv",
        "--seccomp", str(allowed), *_libraries(),
        "--ro-bind", str(shown["python"] / modules), f"/python/{modules}",
        "--ro-bind", str(shown["python"] / "bin" / PYTHON), f"/python/bin/{PYTHON}",
        "--ro-bind", str(shown["packages"]), "/packages",
        *_hide(folders),
        *(
            word
            for name in WORKER
            for word in ("--ro-bind", str(shown["own"] / name), f"/worker/{name}")
        ),
        "--proc", "/proc", *_devices(),
        "--size", str(SCRATCH), "--tmpfs", "/tmp",
        # Writing there would have no limit, or reach the memory of other processes.
        "--remount-ro", "/proc", "--remount-ro", "/",
        "--setenv", "PYTHONPATH", "/packages", "--setenv", "HOME", "/tmp",
        "--setenv", "LD_LIBRARY_PATH", "/python/lib",
        "--setenv", "MPLBACKEND", "agg", "--setenv", "MPLCONFIGDIR", "/tmp",
        "--setenv", "OPENBLAS_NUM_THREADS", "1", "--setenv", "OMP_NUM_THREADS", "1",
        "--setenv", "PYTHONDONTWRITEBYTECODE", "1", "--setenv", "LANG", "C.UTF-8",
        f"/python/bin/{PYTHON}", "-s", "/worker/worker.py", str(requests), str(answers),
    ]  # fmt: skip
    return _as_nobody(inner, folders) if root else inner


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
    """The folder of the machine's architecture and the loader, where there is one.

    Debian and Ubuntu have one, and programs and their data lie beside it.  Elsewhere
    libraries and programs lie in one folder, which is then shown whole.
    """
    libraries = folder / (sysconfig.get_config_var("MULTIARCH") or "")
    if (libraries / "libc.so.6").exists():
        return [libraries, *folder.glob("ld-*")]
    return [folder]


def _devices() -> list[str]:
    """What Python needs; no terminals, of which a machine has only so many."""
    paths = [f"/dev/{name}" for name in DEVICES]
    return [word for path in paths for word in ("--dev-bind", path, path)]


def _hide(folders: dict[str, Path]) -> list[str]:
    """Cover olutil and all else of ours among the packages: it has the solutions."""
    lib = folders["python"] / "lib"
    seen = {lib: Path("/python/lib"), folders["packages"]: Path("/packages")}
    found = []
    for site in {folders["packages"], lib / PYTHON / "site-packages"}:
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


def _as_nobody(inner: list[str], folders: dict[str, Path]) -> list[str]:
    """The same command for root, which becomes the user "nobody" first.

    The kernel does not hold root to a number of processes, not even inside bubblewrap.
    Python may lie where nobody else may look (below /root), so its folders are first
    bound to a place where everybody may, in a mount namespace that ends with the
    command.
    """
    steps = [f"mkdir -p {STAGE}", f"mount -t tmpfs -o size=1m,mode=755 tmpfs {STAGE}"]
    for name, path in folders.items():
        steps += [
            f"mkdir {STAGE / name}",
            f"mount --bind {shlex.quote(str(path))} {STAGE / name}",
        ]
    drop = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"]
    steps.append(shlex.join(["exec", *drop, *inner]))
    return ["unshare", "--mount", "sh", "-ec", "\n".join(steps)]
