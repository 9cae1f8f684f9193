"""The package index has all that the locks name, for every Python that we promise."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
KINDS = ("", "-fast", "-grading", "-bench")
LOCKS = [f"requirements{kind}.txt" for kind in KINDS]
PYTHONS = ["3.11", "3.12", "3.13", "3.14"]


def resolve(
    locks: list[Path], python: str, target: Path
) -> subprocess.CompletedProcess:
    """Plan, for a Python that need not be here, to install locks from wheels alone."""
    command = [sys.executable, "-m", "uv", "pip", "install", "--dry-run", "--quiet"]
    command += ["--python", sys.executable, "--python-version", python]
    command += ["--only-binary", ":all:", "--require-hashes", "--target", target]
    for lock in locks:
        command += ["--requirements", lock]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True)


def answer(locks: list[Path], python: str, target: Path) -> subprocess.CompletedProcess:
    """The plan; without a network a test is skipped, but where CI is set it fails."""
    done = resolve(locks, python, target)
    if "error sending request" in done.stderr and not os.environ.get("CI"):
        pytest.skip("the package index is out of reach")
    return done


@pytest.mark.parametrize("python", PYTHONS)
def test_locks_install_from_wheels_alone(python, tmp_path):
    """All at once, so that they agree with each other, too."""
    done = answer([ROOT / lock for lock in LOCKS], python, tmp_path)
    assert done.returncode == 0, done.stderr


def test_a_package_without_a_wheel_is_found(tmp_path):
    """Of this old release the index has the source alone."""
    digest = "49b3a825280bd66b3aa83585ef59c4a8c82f2c8a522dbe754a8bc8d08c85c491"
    lock = tmp_path / "lock.txt"
    lock.write_text(f"docopt==0.6.2 --hash=sha256:{digest}\n")
    done = answer([lock], PYTHONS[-1], tmp_path)
    assert done.returncode != 0
    assert "no usable wheels" in done.stderr


def test_workflow_and_makefile_know_the_same_pythons():
    workflow = (ROOT / ".github" / "workflows" / "book.yml").read_text()
    assert f"python: {PYTHONS}".replace("'", '"') in workflow
    first, last = (version.replace(".", ", ") for version in (PYTHONS[0], PYTHONS[-1]))
    makefile = (ROOT / "Makefile").read_text()
    major, minor = last.split(", ")
    assert f"({first}) <= sys.version_info < ({major}, {int(minor) + 1})" in makefile
