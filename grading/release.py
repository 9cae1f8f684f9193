"""Make the students' notebooks from the sources with solutions.

    python -m grading.release            all of book/exercises/source
    python -m grading.release --check    write nothing; fail if one is stale
    python -m grading.release --sources ../mine/source    into ../mine

First each source gets its points, from its hidden checks and mark schemes (`points`).
A released notebook is its source without solutions, mark schemes and outputs.
nbgrader's own preprocessors cut them out.
"""

import argparse
import sys
from copy import deepcopy
from pathlib import Path

import nbformat
from nbformat import NotebookNode
from nbgrader.nbgraderformat import MetadataValidator
from nbgrader.preprocessors import (
    CheckCellMetadata,
    ClearMarkScheme,
    ClearOutput,
    ClearSolutions,
    LockCells,
)

from grading import points
from grading.checks import UNWRITTEN, load_file

STUB = f'raise NotImplementedError("{UNWRITTEN}")'
TEXT_STUB = "*Your answer here.*"
SOURCES = Path("book/exercises/source")


def cut() -> ClearSolutions:
    """nbgrader's preprocessor that puts a stub in the place of each solution."""
    return ClearSolutions(code_stub={"python": STUB}, text_stub=TEXT_STUB)


def released(source: NotebookNode) -> NotebookNode:
    """The students' notebook of a source."""
    # Said here, where the reason is not lost as it is in CheckCellMetadata.
    MetadataValidator().validate_nb(source)
    notebook, resources = deepcopy(source), {}
    steps = LockCells(), cut(), ClearOutput(), ClearMarkScheme(), CheckCellMetadata()
    for preprocessor in steps:
        notebook, resources = preprocessor.preprocess(notebook, resources)
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.execution_count = None
    return notebook


def read_source(path: Path) -> NotebookNode:
    """A source, if it can be released.

    Raises
    ------
    ValueError
        Says of which notebook, which cell, and why.
    """
    try:
        source = nbformat.read(path, 4)
    except (OSError, ValueError, AttributeError) as error:
        why = str(error).partition("\n")[0][:80]
        raise ValueError(f"{path}: expected a notebook, got {why}") from None
    try:
        released(source)
    except Exception as error:  # nbgrader's are of many kinds
        why = getattr(error, "message", str(error)) or type(error).__name__
        raise ValueError(
            f"{path}{_where(source)}: {' '.join(why.split())[:300]}"
        ) from None
    return source


def _where(source: NotebookNode) -> str:
    """The first cell that cannot be released even alone."""
    for number, cell in enumerate(source.cells, 1):
        try:
            released(nbformat.from_dict({**source, "cells": [cell]}))
        except Exception:
            name = cell.metadata.get("nbgrader", {}).get("grade_id")
            return f", cell {number}" + (f" ({name})" if name else "")
    return ""


def _with_points(source: NotebookNode, checks: Path) -> NotebookNode:
    if not checks.is_file():
        return source  # a draft, without checks yet
    return points.write(source, points.of(source, load_file(checks)))


def _update(path: Path, notebook: NotebookNode, *, check: bool) -> bool:
    """Write a notebook to a file, or with ``check`` only say so, if it is another."""
    text = nbformat.writes(notebook) + "\n"
    if path.is_file() and path.read_text(encoding="utf-8") == text:
        return False
    if check:
        print(f"{path}: not what its source and its checks give (make release)")
    else:
        path.write_text(text, encoding="utf-8")
        print(path)
    return True


def main(arguments: list[str] | None = None) -> int:
    """Write or compare; see the module's docstring."""
    parser = argparse.ArgumentParser(
        prog="python -m grading.release",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--sources", type=Path, default=SOURCES, metavar="FOLDER")
    parser.add_argument("--check", action="store_true", help="write nothing")
    options = parser.parse_args(arguments)
    sources = sorted(options.sources.glob("*.ipynb"))
    if not sources:
        parser.error(
            f"--sources: expected a folder with notebooks, got {options.sources}"
        )
    stale = failed = 0
    for path in sources:
        checks = path.parent.parent / "checks" / f"{path.stem}.py"
        try:
            given = read_source(path)
            source = _with_points(given, checks)
        except ValueError as error:
            failed += 1
            print(error, file=sys.stderr)
            continue
        changed = [(path.parent.parent / path.name, released(source))]
        if source != given:
            changed.append((path, source))
        stale += any([_update(*pair, check=options.check) for pair in changed])
    if not options.check:
        print(
            f"problem sets in {options.sources}: {stale} released anew, "
            f"{len(sources) - stale - failed} as they were"
            + (f", {failed} not released" if failed else "")
        )
    return int(failed > 0 or options.check and stale > 0)


if __name__ == "__main__":
    sys.exit(main())
