"""The package as others get it: olutil alone, and light to import."""

import ast
import subprocess
import sys
import zipfile
from email.parser import Parser
from pathlib import Path

import pytest

import olutil

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    with zipfile.ZipFile(next(folder.glob("*.whl"))) as archive:
        yield archive


def test_wheel_holds_olutil_alone(wheel):
    tops = {name.split("/")[0] for name in wheel.namelist()}
    assert tops == {"olutil", "olutil-0.1.0.dist-info"}


def test_wheel_holds_every_module(wheel):
    modules = {p.relative_to(ROOT).as_posix() for p in ROOT.glob("olutil/**/*.py")}
    assert modules <= set(wheel.namelist())


def test_numpy_is_the_only_hard_dependency(wheel):
    text = wheel.read("olutil-0.1.0.dist-info/METADATA").decode()
    needs = Parser().parsestr(text).get_all("Requires-Dist")
    hard = [need for need in needs if "extra ==" not in need]
    assert [need.split(">")[0] for need in hard] == ["numpy"]


@pytest.mark.parametrize(
    "module",
    ["matplotlib", "ipywidgets", "IPython", "sklearn", "numba", "olutil.theorems"],
)
def test_import_stays_light(module):
    code = f"import olutil, sys; sys.exit({module!r} in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT).returncode == 0


def test_learners_do_not_load_what_they_may_not_need():
    """`numpy.random` takes a tenth of the time that numpy itself does."""
    code = "import olutil.experts, sys; sys.exit('numpy.random' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT).returncode == 0


def test_every_public_name_is_there():
    """They are imported when they are asked for."""
    assert set(olutil.__all__) <= set(dir(olutil))
    for name in olutil.__all__:
        assert getattr(olutil, name).__name__ == name
    with pytest.raises(AttributeError, match="'olutil' has no attribute 'plya'"):
        _ = olutil.plya


def test_olutil_needs_nothing_that_grades():
    """Every module is imported where there is no package `grading`."""
    names = ["grading", "nbgrader"]
    code = (
        "import pkgutil, sys\n"
        f"sys.modules.update(dict.fromkeys({names}))\n"
        "import olutil\n"
        "for module in pkgutil.walk_packages(olutil.__path__, 'olutil.'):\n"
        "    __import__(module.name)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True)
    assert done.returncode == 0, done.stderr.decode()


def test_what_grades_needs_nothing_of_olutil():
    for path in (ROOT / "grading").glob("*.py"):
        imported = {
            name.split(".")[0]
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
            if isinstance(node, ast.Import | ast.ImportFrom)
            for name in [getattr(node, "module", None), *(a.name for a in node.names)]
            if name
        }
        assert "olutil" not in imported, path
