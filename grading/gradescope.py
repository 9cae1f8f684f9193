"""An autograder for Gradescope: the same grading, in Gradescope's container.

    python -m grading.gradescope kakade                 makes autograder.zip
    python -m grading.gradescope kakade --root FOLDER   grades, inside the container

Gradescope unpacks the zip into /autograder/source, runs setup.sh once as root, and
run_autograder for each submission, whose files are in /autograder/submission.
"""

import argparse
import contextlib
import io
import json
import os
import shutil
import sys
import tempfile
import zipfile
from pathlib import Path

from grading import bubblewrap, files, problems, sandbox
from grading.__main__ import main as grade

HERE = Path(__file__).resolve().parent.parent
STUDENT = "submission"
SETUP = """#!/usr/bin/env bash
# Gradescope runs this once, as root, when it makes the image.
set -euo pipefail
root=${{AUTOGRADER:-/autograder}} tools=${{AUTOGRADER_TOOLS:-/opt/olutil}}
cd "$root/source"
export DEBIAN_FRONTEND=noninteractive
apt-get install -y --no-install-recommends bubblewrap util-linux
new='import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 15))'
python=python3
if ! python3 -c "$new"; then
  apt-get install -y --no-install-recommends python3.11 python3.11-venv
  python=python3.11
else
  apt-get install -y --no-install-recommends python3-venv
fi
$python -m venv "$tools"
"$tools/bin/python" -m pip install --quiet --require-hashes -r requirements-grading.txt
# Everybody may read what the worker is made of; only root, what has solutions.
install -m 755 -d "$tools/worker"
install -m 644 {worker} "$tools/worker/"
chmod -R go-rwx "$root/source/exercises" "$root/source/olutil"
"""
RUN = """#!/usr/bin/env bash
# Gradescope runs this for each submission, as root.
root=${{AUTOGRADER:-/autograder}} tools=${{AUTOGRADER_TOOLS:-/opt/olutil}}
cd "$root/source"
chmod go-rwx "$root/submission" "$root/results"
exec "$tools/bin/python" -m grading.gradescope {name} --root "$root"
"""


def make(exercises: Path, name: str, out: Path) -> Path:
    """Write autograder.zip of a problem set into a folder.

    Raises
    ------
    ValueError
        If there is no such set.
    """
    problem_set = problems.ProblemSet.read(exercises, name)
    sources = [*HERE.glob("grading/*.py"), *HERE.glob("olutil/**/*.py")]
    contents = {
        str(path.relative_to(HERE)): path.read_text("utf-8") for path in sources
    }
    lock = HERE / "requirements-grading.txt"
    worker = " ".join(f"grading/{file}" for file in bubblewrap.WORKER)
    contents |= {
        f"exercises/source/{name}.ipynb": problem_set.source.read_text("utf-8"),
        f"exercises/checks/{name}.py": problem_set.checks,
        lock.name: lock.read_text("utf-8"),
        "setup.sh": SETUP.format(worker=worker),
        "run_autograder": RUN.format(name=name),
    }
    out.mkdir(parents=True, exist_ok=True)
    path = out / "autograder.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for inside, text in sorted(contents.items()):
            about = zipfile.ZipInfo(inside, (2020, 1, 1, 0, 0, 0))
            program = inside in ("setup.sh", "run_autograder")
            about.external_attr = (0o100755 if program else 0o100644) << 16
            archive.writestr(about, text, zipfile.ZIP_DEFLATED)
    return path


def run(root: Path, name: str) -> None:
    """Grade the submission in the container, and write results/results.json."""
    said = io.StringIO()
    with tempfile.TemporaryDirectory() as folder:
        handed_in, out = Path(folder, "handed-in"), Path(folder, "out")
        shutil.copytree(root / "submission", handed_in / STUDENT, symlinks=True)
        with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
            choose_wall()
            code = grade([
                name, "--submissions", str(handed_in), "--out", str(out), "--jobs", "1",
                "--exercises", str(root / "source" / "exercises"),
            ])  # fmt: skip
        found = list((out / "exports" / "gradescope").glob("*.json"))
        if code == 0 and found:
            results = json.loads(found[0].read_text("utf-8"))
        else:
            results = refused(said.getvalue(), whose=STUDENT if code == 0 else "")
    results |= {"visibility": "visible", "stdout_visibility": "hidden"}
    text = json.dumps(results, indent=1, ensure_ascii=False)
    files.write(root / "results" / "results.json", text)
    print(said.getvalue())


def refused(said: str, whose: str) -> dict:
    """What a student reads whose notebook is not graded, or where grading failed."""
    why = [
        line for line in said.splitlines() if line.startswith(f"{whose}: not graded")
    ]
    if whose and why:
        text = why[-1].partition(": ")[2]
    else:
        text = "The autograder itself has failed; tell your instructor."
    return {"score": 0, "output": text, "output_format": "text", "tests": []}


def choose_wall() -> None:
    """Bubblewrap if it starts here, and else the weaker wall."""
    try:
        sandbox.preflight()
    except sandbox.NoSandbox as error:
        print(f"The weaker wall stands, because {error}")
        os.environ[sandbox.WALL] = "container"


def main(arguments: list[str] | None = None) -> int:
    """The command."""
    parser = argparse.ArgumentParser(
        prog="python -m grading.gradescope",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("set", help="the problem set, such as kakade")
    parser.add_argument(
        "--exercises", type=Path, default=Path("book/exercises"), metavar="FOLDER"
    )
    parser.add_argument("--out", type=Path, metavar="FOLDER", help="graded/SET")
    parser.add_argument("--root", type=Path, metavar="FOLDER", help="/autograder")
    options = parser.parse_args(arguments)
    if options.root:
        run(options.root, options.set)
        return 0
    try:
        out = options.out or Path("graded") / options.set
        print(make(options.exercises, options.set, out))
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
