"""The zip for Gradescope, in a tree like that of its container."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

import pytest
import tiny
import yaml
from tiny import PARTLY, RIGHT

from grading import gradescope
from grading.__main__ import main as grade

# The system's Python, which every user may read.
PYTHON = f"/usr/bin/python3.{sys.version_info[1]}"
pytestmark = pytest.mark.skipif(
    not os.path.exists(PYTHON) and "CI" not in os.environ, reason=f"needs {PYTHON}"
)

# Tries what it should not; what succeeds makes its answer wrong.
SPY = RIGHT | {
    "double-answer": """
import glob, os, socket

def double(x):
    return x + x + len(tries())

def tries():
    found = []
    known = ["source/exercises/checks/tiny.py", "submission/my work.ipynb"]
    known = ["{root}/" + path for path in known]
    for path in known + glob.glob("{root}/**", recursive=True):
        try:
            found.append(open(path).read()[:1])
        except OSError:
            pass
    for act in (lambda: os.setuid(0), socket.socket, lambda: os.kill({pid}, 9),
                lambda: open("/proc/{pid}/environ").read()):
        try:
            act()
            found.append("did it")
        except OSError:
            pass
    return found
"""
}


class Container:
    """The folders that Gradescope has, with the zip unpacked and set up."""

    def __init__(self, folder: Path) -> None:
        self.root, self.tools = folder / "autograder", folder / "tools"
        for name in ("source", "submission", "results"):
            (self.root / name).mkdir(parents=True)
        self.exercises = tiny.exercises(folder / "exercises")
        made = gradescope.make(self.exercises, tiny.NAME, folder)
        with zipfile.ZipFile(made) as archive:
            archive.extractall(self.root / "source")
            for about in archive.infolist():
                path = self.root / "source" / about.filename
                path.chmod(about.external_attr >> 16 & 0o777)
        stubs = folder / "stubs"
        stubs.mkdir()
        # Nothing is installed: the environment of the tests stands for the new one.
        self.stub(stubs / "apt-get", "exit 0")
        self.stub(stubs / "python3", f'''
            case "$1 $2" in
              "-m venv") mkdir -p "$3/bin" "$3/lib"
                ln -s {PYTHON} "$3/bin/python"
                echo "home = /usr/bin" > "$3/pyvenv.cfg"
                ln -s {sys.prefix}/lib/* "$3/lib/" ;;
              *) exec {sys.executable} "$@" ;;
            esac''')  # fmt: skip
        self.environment = {
            **os.environ, "PATH": f"{stubs}:{os.environ['PATH']}",
            "AUTOGRADER": str(self.root), "AUTOGRADER_TOOLS": str(self.tools),
            "PIP_NO_INDEX": "1",
        }  # fmt: skip
        (self.root / "source" / "requirements-grading.txt").write_text("")
        self.sh(self.root / "source" / "setup.sh")
        shutil.copy(self.root / "source" / "run_autograder", self.root)

    def stub(self, path: Path, text: str) -> None:
        path.write_text(f"#!/bin/sh\n{text}\n")
        path.chmod(0o755)

    def sh(self, path: Path, **more: str) -> None:
        self.said = subprocess.run(
            [path], env=self.environment | more, check=True, cwd="/",
            capture_output=True, text=True,
        ).stdout  # fmt: skip

    def grade(self, text: str, **more: str) -> dict:
        """What Gradescope gets for a notebook."""
        for path in (self.root / "submission").iterdir():
            path.unlink()
        (self.root / "submission" / "my work.ipynb").write_text(text)
        (self.root / "results" / "results.json").unlink(missing_ok=True)
        self.sh(self.root / "run_autograder", **more)
        return json.loads((self.root / "results" / "results.json").read_text())


@pytest.fixture(scope="module")
def container():
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        yield Container(Path(folder))


WALLS = [
    pytest.param({}, id="bubblewrap"),
    pytest.param(
        {"OLUTIL_WALL": "container"},
        id="container",
        marks=pytest.mark.skipif(os.geteuid() != 0, reason="needs root"),
    ),
]


@pytest.mark.parametrize("wall", WALLS)
@pytest.mark.parametrize("answers", [RIGHT, PARTLY], ids=["right", "partly"])
def test_the_results_are_those_of_make_grade(container, tmp_path, wall, answers):
    text = tiny.answered(answers)
    found = container.grade(text, **wall)
    assert "weaker wall" not in container.said, "bubblewrap has not started"
    folder = tmp_path / "handed-in" / "ann"
    folder.mkdir(parents=True)
    (folder / "tiny.ipynb").write_text(text)
    code = grade([
        "tiny", "--submissions", str(folder.parent), "--out", str(tmp_path / "out"),
        "--exercises", str(container.exercises), "--jobs", "1",
    ])  # fmt: skip
    assert code == 0
    path = tmp_path / "out" / "exports" / "gradescope" / "ann.json"
    its = json.loads(path.read_text())
    assert found.pop("visibility") == "visible"
    assert found.pop("stdout_visibility") == "hidden"
    for one in (found, its):
        one.pop("execution_time")
    assert found == its
    scored = [test for test in found["tests"] if "score" in test]
    assert found["score"] == sum(test["score"] for test in scored)


@pytest.mark.parametrize("wall", WALLS)
def test_a_student_reads_nothing_of_the_container(container, wall):
    spy = SPY["double-answer"].format(root=container.root, pid=os.getpid())
    told = container.grade(tiny.answered(SPY | {"double-answer": spy}), **wall)
    said = json.dumps(told)
    assert told["score"] == 4, said  # the function itself is right
    assert "Twice a number" not in said


def test_what_cannot_be_graded_gets_a_sentence(container):
    found = container.grade("{}")
    assert found["score"] == 0 and found["tests"] == []
    assert found["output"].startswith("not graded: "), found


def test_a_grader_that_fails_says_so(container):
    checks = container.root / "source" / "exercises" / "checks" / "tiny.py"
    text = checks.read_text()
    try:
        checks.write_text("1 / 0")
        assert "tell your instructor" in container.grade(tiny.answered(RIGHT))["output"]
    finally:
        checks.write_text(text)


WORKFLOW = tiny.BOOK.parents[1] / "teaching" / "visible-checks.yml"


@pytest.mark.parametrize(("answers", "says"), [(RIGHT, "passed"), ({}, "your code")])
def test_the_workflow_runs_the_visible_checks(tmp_path, answers, says):
    """The commands of the file that students get, in a folder with their notebook."""
    steps = yaml.safe_load(WORKFLOW.read_text())["jobs"]["checks"]["steps"]
    [command] = [step["run"] for step in steps if step.get("shell") == "python"]
    (tmp_path / "tiny.ipynb").write_text(tiny.answered(answers))
    done = subprocess.run(
        [sys.executable, "-c", command], cwd=tmp_path, capture_output=True, text=True
    )
    assert done.returncode == (answers != RIGHT), done.stderr
    lines = done.stdout.splitlines()
    assert [line.split(":")[0] for line in lines] == [
        "tiny.ipynb, double", "tiny.ipynb, square",
    ]  # fmt: skip
    assert all(says in line for line in lines)
