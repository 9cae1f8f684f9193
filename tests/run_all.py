"""Run the tests of the book, in order, and end with one block of counts.

    make test                       all steps but grading
    make test-grading               grading, with packages that readers do without
    python tests/run_all.py site    the named ones: lint units theorems ledger execute
                                    mutants grading notebooks build site browser

Each step is a command of its own, which can be repeated alone: it is printed before it
runs, and again at the end if it failed.  A failing step does not stop the others.
"""

import io
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as ElementTree
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import TextIO

ROOT = Path(__file__).resolve().parent.parent
RESULTS = ROOT / "_build" / "results"
PYTHON = os.path.relpath(sys.executable, ROOT)
WORKERS = ("-n", "2")
SHOWN = 20  # failures of a step that the summary repeats
WIDTH = 1000  # characters of a line; pytest prints whole arrays

sys.path.insert(0, str(ROOT / "book" / "_tools"))
import notebooks  # noqa: E402


@dataclass
class Step:
    """One command, and what came of it."""

    name: str
    command: list[str]
    passed: int = 0
    failed: int = 0
    skipped: int = 0
    seconds: float = 0.0
    reports: list[str] = field(default_factory=list)
    reasons: Counter = field(default_factory=Counter)  # of what was skipped

    @property
    def xml(self) -> Path:
        """Where pytest writes the results of this step."""
        return RESULTS / f"{self.name}.xml"


def pytest(name: str, *arguments: str) -> Step:
    """A step that pytest runs, with all that a failing comparison can say."""
    options = ["-q", "-o", "verbosity_assertions=2"]
    if "--nbval" not in arguments:  # it takes seconds to load
        options += ["-p", "no:nbval"]
    results = f"--junitxml=_build/results/{name}.xml"
    return Step(name, [PYTHON, "-m", "pytest", *options, results, *arguments])


def steps() -> list[Step]:
    """Everything, from what is quick to fail to what is slow."""
    theorems = sorted(
        os.path.relpath(p, ROOT) for p in ROOT.glob("tests/test_theorem*")
    )
    books = [os.path.relpath(path, ROOT) for path in notebooks.find([])]
    executing = ("tests/test_execute.py", "tests/test_partial.py")  # they start kernels
    return [
        Step("lint", ["make", "--no-print-directory", "lint"]),
        pytest(
            "units", "tests", "olutil", *WORKERS, "--dist", "worksteal",
            "--ignore=tests/site", "--ignore=tests/grading",
            "--ignore-glob=tests/test_theorem*", *map("--ignore={}".format, executing),
        ),
        pytest("theorems", *WORKERS, *(theorems or ["tests/test_theorems.py"])),
        Step("ledger", [PYTHON, "-m", "olutil.ledger", "--missing"]),
        pytest("execute", *executing, *WORKERS, "--dist", "worksteal"),
        Step("mutants", [PYTHON, "tests/mutants.py"]),
        # More than the cores, since hostile submissions let their time run out; which
        # tests stay together, and the order, is for tests/grading/conftest.py to say.
        pytest(
            "grading", "tests/grading", "grading", "-n", "4",
            "--dist", "loadscope", "--no-loadscope-reorder",
        ),
        # One notebook is one kernel, so its cells stay on one worker.
        pytest(
            "notebooks", *WORKERS, "--dist", "loadfile",
            "--nbval", "--nbval-current-env",
            f"--nbval-cell-timeout={notebooks.TIMEOUT}",
            f"--nbval-kernel-startup-timeout={notebooks.TIMEOUT}",
            "--nbval-sanitize-with", "tests/nbval_sanitize.cfg",
            *(books or ["book/lectures"]),
        ),
        Step("build", ["make", "--no-print-directory", "book"]),
        pytest(
            "site", "tests/site", "-m", "not browser", *WORKERS, "--dist", "loadscope",
        ),
        # One more than the cores, since a test waits for the browser and a browser for
        # the test.
        pytest(
            "browser", "tests/site", "-m", "browser", "-n", "3", "--dist", "loadscope",
        ),
    ]  # fmt: skip


# --- Running ------------------------------------------------------------------------


def run_in_order(chosen: list[Step], environment: dict[str, str]) -> None:
    """Run the steps; the build, which keeps one core busy, beside the mutants.

    Both read the notebooks, and neither writes any.
    """
    by_name = {step.name: step for step in chosen}
    shown = io.StringIO()
    with ThreadPoolExecutor() as pool:
        building = None
        for step in chosen:
            if step.name == "mutants" and "build" in by_name:
                building = pool.submit(run, by_name["build"], environment, shown)
            if step.name == "build" and building:
                building.result()
                print(shown.getvalue(), end="", flush=True)
            else:
                run(step, environment, sys.stdout)


def run(step: Step, environment: dict[str, str], out: TextIO) -> None:
    """Run a step, show its output as it comes, and count."""
    print(f"\n=== {step.name}: {shlex.join(step.command)}", file=out, flush=True)
    step.xml.unlink(missing_ok=True)
    began = time.perf_counter()
    process = subprocess.Popen(
        step.command,
        cwd=ROOT,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
    )
    lines = []
    for line in process.stdout:
        line = cut(line.rstrip("\n"))
        print(line, file=out, flush=True)
        lines.append(line + "\n")
    failed = process.wait() != 0
    step.seconds = time.perf_counter() - began
    if step.xml.exists():
        count_tests(step, lines)
        weigh(step)
    elif step.name == "mutants":
        count_mutants(step, "".join(lines))
    else:
        step.passed = int(not failed)
    if failed and not step.failed:
        step.failed = 1
        step.reports.append("".join(lines[-15:]).rstrip())


def cut(line: str) -> str:
    """The line, or its beginning and how long it was."""
    if len(line) <= WIDTH:
        return line
    return f"{line[:WIDTH]} ... ({len(line):,} characters)"


def count_tests(step: Step, lines: list[str]) -> None:
    """Read what pytest counted, and keep a report of each failure."""
    # As pytest says it, since its XML does not list the subtests that passed.
    said = re.findall(r"(\d+) (?:subtests )?([a-z]+)", lines[-1] if lines else "")
    for number, what in said:
        if what in ("passed", "skipped"):
            setattr(step, what, getattr(step, what) + int(number))
        elif what in ("failed", "error", "errors"):
            step.failed += int(number)
    for case in cases(step):
        for problem in (*case.iter("failure"), *case.iter("error")):
            step.reports.append(report(case, problem))
        for skipped in case.iter("skipped"):
            step.reasons[skipped.get("message", "")] += 1


def cases(step: Step) -> Iterator[ElementTree.Element]:
    """The tests of a step, as pytest has written them down."""
    return ElementTree.parse(step.xml).iter("testcase")


def weigh(step: Step) -> None:
    """Show what a page weighs with all it loads, where the tests have measured it."""
    weights = {
        case.get("name", ""): int(entry.get("value", 0))
        for case in cases(step)
        for entry in case.iter("property")
        if entry.get("name") == "weight"
    }
    if weights:
        print(f"\n{'page, with all it loads, compressed':40}{'KiB':>6}")
    for name, weight in sorted(weights.items()):
        page = re.sub(r".*\[(.*)\]", r"\1", name)
        print(f"{page:40}{weight / 1024:6.0f}")


def report(case: ElementTree.Element, problem: ElementTree.Element) -> str:
    """Where a test failed, and with which numbers."""
    # Colors, as escapes or as XML's stand-in for them.
    text = re.sub(
        r"(\x1b|#x1B)\[[0-9;]*m", "", problem.text or problem.get("message", "")
    )
    home, name = case.get("classname", ""), case.get("name", "")
    if home.endswith(".ipynb"):
        path = home.removesuffix(".ipynb").replace(".", "/") + ".ipynb"
        # nbval counts cells from 0, the book from 1; - is the new output, + the stored.
        number = int(name.removeprefix("Cell ")) + 1
        again = f"{PYTHON} -m pytest --nbval --nbval-current-env {path}"
        where = f"{path}, cell {number}\nrepeat: {again}"
    else:
        where = f"{home}::{name}"
    violated = re.search(r"^BoundViolated: .*", text, re.MULTILINE | re.DOTALL)
    said = violated[0].rstrip() if violated else essence(text)
    return "\n".join([where, *map(cut, said.splitlines())])


def essence(text: str) -> str:
    """Of pytest's long report the lines that say what differed, else the last ones."""
    lines = text.splitlines()
    said = [line for line in lines if line.startswith("E ")]
    return "\n".join(line[:200] for line in said[:8] or lines[-25:]).strip()


def count_mutants(step: Step, output: str) -> None:
    """Read the last line of tests/mutants.py: so many of so many mutants killed."""
    found = re.findall(r"^(\d+) of (\d+) mutants killed", output, re.MULTILINE)
    if found:
        killed, planted = map(int, found[-1])
        step.passed, step.failed = killed, planted - killed
        if step.failed:
            lines = output.splitlines()
            survivors = [line for line in lines if "surviv" in line.lower()]
            step.reports.append("\n".join(survivors))


# --- Summing up ---------------------------------------------------------------------


def statements() -> str:
    """How many statements have been checked in the executed notebooks."""
    command = [PYTHON, "-m", "olutil.ledger", "--json"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    if done.returncode:
        return "unknown (the ledger does not run)"
    rows = [row for row in json.loads(done.stdout) if row["asserts"]]
    return f"{sum(bool(row['how']) for row in rows)} of {len(rows)}"


def pages() -> int:
    """How many pages the site has."""
    html = ROOT / "_build" / "html"
    generated = {"genindex", "search", "prf-prf", "py-modindex"}
    found = (p for p in html.rglob("*.html") if "_static" not in p.parts)
    return sum(path.stem not in generated for path in found)


def summary(done: list[Step], seconds: float) -> None:
    """Failures first, then the counts, then the line that a machine reads."""
    for step in done:
        # Violated bounds first: what else differs most often follows from them.
        reports = sorted(step.reports, key=lambda text: "\nBoundViolated:" not in text)
        for text in reports[:SHOWN]:
            print(f"\n--- {step.name} failed: {text}")
        if len(step.reports) > SHOWN:
            print(f"\n--- {step.name}: and {len(step.reports) - SHOWN} more, above")
        if step.failed:
            print(f"\n    repeat: {shlex.join(step.command)}")
    for step in done:
        for reason, times in step.reasons.items():
            print(f"\n--- {step.name} SKIPPED {times}: {reason}")
    by_name = {step.name: step for step in done}
    total = Counter()
    print(f"\n{'step':12}{'passed':>8}{'failed':>8}{'seconds':>9}")
    for step in done:
        print(f"{step.name:12}{step.passed:8}{step.failed:8}{step.seconds:9.1f}")
        total.update(passed=step.passed, failed=step.failed, skipped=step.skipped)
    print(f"\n{'statements checked':20}{statements()}")
    if "notebooks" in by_name:
        print(f"{'cells compared':20}{by_name['notebooks'].passed}")
    if "mutants" in by_name:
        print(f"{'mutants killed':20}{by_name['mutants'].passed}")
    if "site" in by_name:
        print(f"{'pages':20}{pages()}")
    print(f"{'seconds':20}{seconds:.0f}\n")
    skipped = f", {total['skipped']} skipped" if total["skipped"] else ""
    print(f"{total['passed']} passed, {total['failed']} failed{skipped}")


def main(names: list[str]) -> int:
    """Run the named steps, or all but grading."""
    began = time.perf_counter()
    chosen = [
        step
        for step in steps()
        if (step.name in names if names else step.name != "grading")
    ]
    if "build" in (step.name for step in chosen):
        # From nothing: a page that Sphinx has in store does not warn again.
        for built in ("html", ".doctrees"):
            shutil.rmtree(ROOT / "_build" / built, ignore_errors=True)
    RESULTS.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        environment = notebooks.kernel_environment(scratch)
        # Each of some hundred processes would compile all that it imports.
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        run_in_order(chosen, environment)
    summary(chosen, time.perf_counter() - began)
    return 1 if any(step.failed for step in chosen) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
