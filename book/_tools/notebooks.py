"""Execute the book's notebooks and store them in one normal form.

    python book/_tools/notebooks.py                      all below book/
    python book/_tools/notebooks.py book/errata.ipynb    of the named ones, what has
                                                         changed since their last run
    python book/_tools/notebooks.py --check              run nothing, report

Each notebook runs in a fresh kernel, in its own folder, two at a time.
What is stored depends on the sources and the locked packages alone: run
twice, get the same bytes.  A notebook with a failing cell is left as it was.
"""

import argparse
import ast
import asyncio
import hashlib
import json
import os
import re
import sys
import tempfile
import time
from pathlib import Path

import kernels
import nbformat
import partial
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError
from nbformat import NotebookNode

from olutil.figures import concise

TOOLS = Path(__file__).resolve().parent
BOOK = TOOLS.parent
RECORDS = BOOK.parent / "_build" / "executed"  # of each notebook's last run

# Puts changes.py into a kernel, without a trace among the notebook's names.
PUT_CHANGES = f"""
exec({(TOOLS / "changes.py").read_text()!r}, __import__("sys").modules.setdefault(
    "changes", __import__("types").ModuleType("changes")).__dict__)
"""

FAILURES = (CellExecutionError, CellTimeoutError, DeadKernelError)

TIMEOUT = 600  # seconds a cell may take on a busy machine; nbval is given the same
AT_ONCE = 2  # kernels

# A cell so marked would not be compared, or would be allowed to fail.
REFUSED_TAGS = {"raises-exception", "nbval-raises-exception", "nbval-skip"}
REFUSED_COMMENTS = re.compile(r"^\s*#\s*(NBVAL_RAISES_EXCEPTION|NBVAL_SKIP)", re.M)

# Notebook metadata that the site reads; everything else is an editor's own.
KEPT_METADATA = {"mystnb", "myst", "title", "authors"}
DROPPED_CELL_METADATA = {"collapsed", "execution", "ExecuteTime", "scrolled", "trusted"}
KERNEL = {"display_name": "Python 3", "language": "python", "name": "python3"}

VIEW = "application/vnd.jupyter.widget-view+json"
ADDRESS = re.compile(r"\bat 0x[0-9a-fA-F]{6,}")
ANSI = re.compile(r"\x1b\[[0-9;]*m")


def find(named: list[Path]) -> list[Path]:
    """The named notebooks, or all of the book's.

    A problem set runs with its solutions, as its source; without them it is all blanks.
    """
    if named:
        return named
    return sorted(
        path
        for path in BOOK.rglob("*.ipynb")
        if not any(p.startswith((".", "_")) for p in path.relative_to(BOOK).parts)
        and not (path.parent / "source" / path.name).exists()
    )


def read(path: Path) -> NotebookNode:
    """A notebook in the current format, whatever older minor version it was."""
    return nbformat.read(path, as_version=4)


def write(notebook: NotebookNode) -> str:
    """The text of the file, as nbformat writes it."""
    return nbformat.writes(notebook) + "\n"


def code_cells(notebook: NotebookNode) -> list[NotebookNode]:
    """The code cells; the book counts cells from 1 and counts no others."""
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


# --- What a notebook may not contain -------------------------------------


def refusals(notebook: NotebookNode) -> list[str]:
    """Sources that hide errors, or that run in Jupyter alone."""
    found = []
    for number, cell in enumerate(code_cells(notebook), start=1):
        try:
            # Magics and shell lines are whatever is not Python.
            flags = ast.PyCF_ONLY_AST | ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
            compile(cell.source, "cell", "exec", flags)
        except SyntaxError as error:
            line = (error.text or "").strip()
            found.append(f"cell {number}: not plain Python ({error.msg}): {line}")
        if not cell.source.strip():
            found.append(f"cell {number}: is empty")
        if "get_ipython" in cell.source:
            found.append(f"cell {number}: calls get_ipython")
        marks = REFUSED_TAGS & set(cell.metadata.get("tags", []))
        marks |= set(REFUSED_COMMENTS.findall(cell.source))
        found += [f"cell {number}: is marked {mark}" for mark in sorted(marks)]
    return found


def texts(output: NotebookNode) -> list[str]:
    """What an output shows in letters."""
    if output.output_type == "error":
        return []
    if output.output_type == "stream":
        return [output.text]
    return [
        value
        for kind, value in output.data.items()
        if isinstance(value, str) and not kind.startswith("image/")
    ]


def faults(notebook: NotebookNode) -> list[str]:
    """Outputs that are missing, failed, or would differ in the next run."""
    found = []
    for number, cell in enumerate(code_cells(notebook), start=1):
        if cell.execution_count != number:
            found.append(
                f"cell {number}: execution count {cell.execution_count}, not {number}"
            )
        for output in cell.outputs:
            if output.output_type == "error":
                found.append(f"cell {number}: {output.ename}: {output.evalue}")
            elif output.get("name") == "stderr":
                found.append(f"cell {number}: writes to stderr: {output.text}")
            data = output.get("data", {})
            if VIEW in data and "text/html" not in data:
                found.append(f"cell {number}: shows a widget that no page can drive")
            if any(ADDRESS.search(text) for text in texts(output)):
                found.append(f"cell {number}: shows a memory address")
    return found


# --- The normal form -----------------------------------------------------


def normalize(notebook: NotebookNode) -> NotebookNode:
    """Drop what editors leave; name the rest by content or order."""
    notebook.nbformat, notebook.nbformat_minor = 4, 5
    kept = {k: v for k, v in notebook.metadata.items() if k in KEPT_METADATA}
    kept |= {"kernelspec": KERNEL, "language_info": {"name": "python"}}
    notebook.metadata = nbformat.from_dict(kept)
    seen = {}
    for cell in notebook.cells:
        cell.source = cell.source.rstrip()
        # By content: a new cell leaves the ids of the others alone.
        digest = hashlib.sha256(f"{cell.cell_type}\n{cell.source}".encode()).hexdigest()
        count = seen[digest] = seen.get(digest, 0) + 1
        cell.id = digest[:8] if count == 1 else f"{digest[:8]}-{count}"
        for key in DROPPED_CELL_METADATA & set(cell.metadata):
            del cell.metadata[key]
        if cell.cell_type == "markdown":
            cell.pop("outputs", None)
    for number, cell in enumerate(code_cells(notebook), start=1):
        ran = cell.execution_count is not None
        cell.execution_count = number if ran else None
        cell.outputs = coalesced(cell.outputs)
        for output in cell.outputs:
            if output.output_type == "execute_result":
                output.execution_count = cell.execution_count
    drop_widgets(notebook)
    return notebook


def coalesced(outputs: list[NotebookNode]) -> list[NotebookNode]:
    """Join the pieces of a stream: where it is cut is chance."""
    joined = []
    for output in outputs:
        last = joined[-1] if joined else None
        if (
            last is not None
            and output.output_type == last.output_type == "stream"
            and output.name == last.name
        ):
            last.text += output.text
        else:
            joined.append(output)
    return joined


def drop_widgets(notebook: NotebookNode) -> None:
    """Keep a live widget's HTML without its view, whose model ends with the kernel."""
    for cell in code_cells(notebook):
        for output in cell.outputs:
            if "text/html" in output.get("data", {}):
                output.data.pop(VIEW, None)


def shrink(cells: list[NotebookNode]) -> None:
    """Store drawings without what is not seen: half of the size, same look."""
    for cell in cells:
        for output in cell.outputs:
            data = output.get("data", {})
            if svg := data.get("image/svg+xml"):
                data["image/svg+xml"] = concise(svg)


# --- Running -------------------------------------------------------------


def kernel_environment(scratch: str) -> dict[str, str]:
    """Settings that keep a user's own configuration out of what is stored.

    ``scratch`` is an empty folder, for IPython's configuration.
    """
    quiet = "c.Application.log_level = 40  # errors\n"
    profile = Path(scratch) / "profile_default"
    profile.mkdir(exist_ok=True)
    (profile / "ipython_kernel_config.py").write_text(quiet)
    return {
        **os.environ,
        "IPYTHONDIR": scratch,
        "MATPLOTLIBRC": str(TOOLS / "matplotlibrc"),
        "SOURCE_DATE_EPOCH": "0",
        # How a sum is rounded depends on the number of threads that share it.
        "OMP_NUM_THREADS": "1",
        "OPENBLAS_NUM_THREADS": "1",
    }


async def execute(
    path: Path, turn: asyncio.Semaphore, environment: dict, *, whole: bool
) -> bool:
    """Run one notebook, or of it what must run, and store it; say how it went."""
    async with turn:
        began = time.perf_counter()
        before = path.read_text(encoding="utf-8")
        notebook = read(path)
        problems = refusals(notebook)
        if not problems:
            try:
                ran, found = await run(path, notebook, environment, whole=whole)
            except FAILURES as error:
                problems = [failure(notebook, error)]
            else:
                problems = faults(notebook)
        if problems:
            print(*(f"{shown(path)}: {problem}" for problem in problems), sep="\n")
            print(f"{shown(path)}: left as it was", flush=True)
            return False
        after = write(notebook)
        if after != before:
            replace(path, after)
        remember(path, found)
        cells = len(code_cells(notebook))
        news = "unchanged" if after == before else "stored"
        of = f"{ran} of " if ran < cells else ""
        seconds = time.perf_counter() - began
        print(f"{shown(path)}: {of}{cells} cells, {seconds:.1f} s, {news}", flush=True)
        return True


async def run(
    path: Path, notebook: NotebookNode, environment: dict, *, whole: bool
) -> tuple[int, dict]:
    """Run in place what must run; how many cells that were, and a record of the run."""
    cells, before = code_cells(notebook), code_cells(read(path))
    last = None if whole else last_run(path)
    plan = partial.plan(before, last)
    if not plan.why:
        try:
            seen, closed = await run_cells(path, notebook, environment, plan.runs)
            plan = partial.second_thoughts(before, cells, plan, last, seen)
        except FAILURES:
            plan = partial.whole(cells, "one of those that depend on the change failed")
    if plan.why:
        if not whole:
            print(f"{shown(path)}: all cells run, since {plan.why}", flush=True)
        seen, closed = await run_cells(path, notebook, environment, plan.runs)
    return len(plan.runs), partial.record(cells, last, plan, seen, closed)


async def run_cells(
    path: Path, notebook: NotebookNode, environment: dict, numbers: set[int]
) -> tuple[dict[int, list[str]], set[str]]:
    """Run cells in place, in a fresh kernel, and leave the notebook in normal form.

    Returns the names that each cell has changed, and those whose values the kernel
    cannot compare.
    """
    seen, closed = {}, set()
    if numbers:
        client = NotebookClient(
            notebook,
            timeout=TIMEOUT,
            startup_timeout=TIMEOUT,
            kernel_name="python3",
            resources={"metadata": {"path": str(path.parent)}},
            record_timing=False,
            # Nothing is left to save, and a graceful end may take seconds.
            shutdown_kernel="immediate",
        )
        async with client.async_setup_kernel(env=environment):
            await ask(client, PUT_CHANGES)
            for number, cell in enumerate(code_cells(notebook)):
                if number in numbers:
                    await client.async_execute_cell(cell, notebook.cells.index(cell))
                    found = await ask(client)
                    seen[number] = found["changed"]
                    closed.update(found["closed"])
    shrink([cell for i, cell in enumerate(code_cells(notebook)) if i in numbers])
    normalize(notebook)
    return seen, closed


async def ask(client: NotebookClient, code: str = "") -> dict:
    """Run code unseen, then ask the kernel what has changed since the last time."""
    question = client.kc.execute(
        code, silent=True, user_expressions={"it": "__import__('changes').changes()"}
    )
    while True:
        reply = await client.kc.get_shell_msg(timeout=TIMEOUT)
        if reply["parent_header"].get("msg_id") == question:
            said = reply["content"]["user_expressions"]["it"]["data"]["text/plain"]
            return json.loads(ast.literal_eval(said))


def last_run(path: Path) -> dict | None:
    """What is remembered of the last run of a notebook of the book."""
    file = memory(path)
    return json.loads(file.read_text()) if file and file.exists() else None


def remember(path: Path, found: dict) -> None:
    if file := memory(path):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(found))


def memory(path: Path) -> Path | None:
    inside = path.is_relative_to(BOOK)
    return RECORDS / path.relative_to(BOOK).with_suffix(".json") if inside else None


def failure(notebook: NotebookNode, error: Exception) -> str:
    """The cell that failed, with its traceback."""
    for number, cell in enumerate(code_cells(notebook), start=1):
        for output in cell.outputs:
            if output.output_type == "error":
                text = "\n".join(output.traceback)
                text = text if sys.stdout.isatty() else ANSI.sub("", text)
                return f"cell {number} failed\n{text}"
        if cell.execution_count is None:
            return f"cell {number} failed\n{ANSI.sub('', str(error))}"
    return str(error)


def replace(path: Path, text: str) -> None:
    """Write a file whole or not at all."""
    new = path.with_suffix(".new")
    new.write_text(text, encoding="utf-8", newline="\n")
    new.replace(path)


def shown(path: Path) -> str:
    """A path, relative to the working directory if it is below that."""
    path = path.resolve()
    here = Path.cwd()
    return str(path.relative_to(here) if path.is_relative_to(here) else path)


async def execute_all(paths: list[Path], *, whole: bool) -> bool:
    """Run the notebooks, a few at a time; True if all went well."""
    kernels.start_by_forking()
    turn = asyncio.Semaphore(AT_ONCE)
    with tempfile.TemporaryDirectory() as scratch:
        environment = kernel_environment(scratch)
        runs = (
            execute(path, turn, environment, whole=whole)
            for path in map(Path.resolve, paths)
        )
        return all(await asyncio.gather(*runs))


def problems(path: Path) -> list[str]:
    """What keeps a stored notebook from being in normal form."""
    notebook = read(path)
    found = refusals(notebook) + faults(notebook)
    if not found and write(normalize(notebook)) != path.read_text(encoding="utf-8"):
        found = ["is not in normal form"]
    return found


def check_all(paths: list[Path]) -> bool:
    """Print what is wrong with the stored notebooks; True if nothing is."""
    good = True
    for path in paths:
        for problem in problems(path):
            good = False
            print(f"{shown(path)}: {problem} (make execute NB={shown(path)})")
    return good


def main(arguments: list[str] | None = None) -> int:
    """Execute or check notebooks; see the module's docstring."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("notebooks", nargs="*", type=Path, metavar="NOTEBOOK")
    parser.add_argument("--check", action="store_true", help="run nothing")
    options = parser.parse_args(arguments)
    missing = [str(path) for path in options.notebooks if not path.is_file()]
    if missing:
        parser.error(f"no such notebook: {', '.join(missing)}")
    paths = find(options.notebooks)
    if options.check:
        return 0 if check_all(paths) else 1
    whole = not options.notebooks
    return 0 if asyncio.run(execute_all(paths, whole=whole)) else 1


if __name__ == "__main__":
    sys.exit(main())
