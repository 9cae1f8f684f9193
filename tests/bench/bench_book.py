"""How long the book itself takes: to build, to build again, and to run all notebooks.

    python tests/bench/bench_book.py

All in a copy of this tree, which shares its environment, so nothing here is touched.
"""

import resource
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
ELSEWHERE = (".git", ".venv", "_build", "node_modules", "__pycache__")
COMMANDS = {
    "make book, from nothing": ["book"],
    "make book, nothing changed": ["book"],
    "make execute, all notebooks": ["execute"],
}


def timed(target: list[str], tree: Path) -> tuple[float, float]:
    """Seconds on the wall, and of CPU time, of a target of make that must succeed."""
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run(["make", *target], cwd=tree, check=True, stdout=subprocess.DEVNULL)
    wall, after = (
        time.perf_counter() - began,
        resource.getrusage(resource.RUSAGE_CHILDREN),
    )
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return wall, cpu


def main() -> None:
    """Measure and print."""
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder, "book")
        shutil.copytree(ROOT, tree, ignore=shutil.ignore_patterns(*ELSEWHERE))
        (tree / ".venv").symlink_to(ROOT / ".venv")
        print(f"{'seconds':30}{'wall':>8}{'CPU':>8}")
        for name, target in COMMANDS.items():
            wall, cpu = timed(target, tree)
            print(f"{name:30}{wall:8.1f}{cpu:8.1f}", flush=True)


if __name__ == "__main__":
    main()
