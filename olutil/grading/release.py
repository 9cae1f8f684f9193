"""Make the students' notebooks from the sources with solutions.

    python -m olutil.grading.release            all of book/exercises/source
    python -m olutil.grading.release --check    write nothing; fail if one is stale
    python -m olutil.grading.release --sources ../mine/source    into ../mine

A released notebook is its source without solutions, mark schemes and outputs.
nbgrader's own preprocessors cut them out.
"""

import argparse
import sys
from copy import deepcopy
from pathlib import Path

import nbformat
from nbformat import NotebookNode
from nbgrader.preprocessors import (
    CheckCellMetadata,
    ClearMarkScheme,
    ClearOutput,
    ClearSolutions,
    LockCells,
)

from olutil.grading.checks import UNWRITTEN

STUB = f'raise NotImplementedError("{UNWRITTEN}")'
TEXT_STUB = "*Your answer here.*"
SOURCES = Path("book/exercises/source")


def cut() -> ClearSolutions:
    """nbgrader's preprocessor that puts a stub in the place of each solution."""
    return ClearSolutions(code_stub={"python": STUB}, text_stub=TEXT_STUB)


def released(source: NotebookNode) -> NotebookNode:
    """The students' notebook of a source."""
    notebook, resources = deepcopy(source), {}
    steps = LockCells(), cut(), ClearOutput(), ClearMarkScheme(), CheckCellMetadata()
    for preprocessor in steps:
        notebook, resources = preprocessor.preprocess(notebook, resources)
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.execution_count = None
    return notebook


def main(arguments: list[str] | None = None) -> int:
    """Write or compare; see the module's docstring."""
    parser = argparse.ArgumentParser(
        prog="python -m olutil.grading.release",
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
    stale = 0
    for path in sources:
        target = path.parent.parent / path.name
        text = nbformat.writes(released(nbformat.read(path, 4))) + "\n"
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
            f"{len(sources) - stale} as they were"
        )
    return int(options.check and stale > 0)


if __name__ == "__main__":
    sys.exit(main())
