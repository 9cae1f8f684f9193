"""Make the students' notebooks from the sources with solutions.

    python -m grading.release            all of book/exercises/source
    python -m grading.release --check    write nothing; fail if one is stale
    python -m grading.release --sources ../mine/source    into ../mine

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

from grading.checks import UNWRITTEN

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


def students(path: Path) -> NotebookNode:
    """The students' notebook of a source in a file.

    Raises
    ------
    ValueError
        If it cannot be made; says of which notebook, which cell, and why.
    """
    try:
        source = nbformat.read(path, 4)
    except (OSError, ValueError, AttributeError) as error:
        why = str(error).partition("\n")[0][:80]
        raise ValueError(f"{path}: expected a notebook, got {why}") from None
    try:
        return released(source)
    except Exception as error:  # nbgrader's are of many kinds
        why = getattr(error, "message", str(error)) or type(error).__name__
        raise ValueError(
            f"{path}{_where(source)}: {' '.join(why.split())[:300]}"
        ) from None


def _where(source: NotebookNode) -> str:
    """The first cell that cannot be released even alone."""
    for number, cell in enumerate(source.cells, 1):
        try:
            released(nbformat.from_dict({**source, "cells": [cell]}))
        except Exception:
            name = cell.metadata.get("nbgrader", {}).get("grade_id")
            return f", cell {number}" + (f" ({name})" if name else "")
    return ""


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
    stale = wrong = 0
    for path in sources:
        target = path.parent.parent / path.name
        try:
            text = nbformat.writes(students(path)) + "\n"
        except ValueError as error:
            wrong += 1
            print(error, file=sys.stderr)
            continue
        if target.is_file() and target.read_text(encoding="utf-8") == text:
            continue
        stale += 1
        if options.check:
            print(f"{target}: not what {path} gives (make release)")
        else:
            target.write_text(text, encoding="utf-8")
            print(target)
    if not options.check:
        print(
            f"problem sets in {options.sources}: {stale} released anew, "
            f"{len(sources) - stale - wrong} as they were"
            + (f", {wrong} not released" if wrong else "")
        )
    return int(wrong > 0 or options.check and stale > 0)


if __name__ == "__main__":
    sys.exit(main())
