"""How large the repository is, room by room::

    python tests/sizes.py

A line of code is one that is not blank, not a comment and not part of a docstring.  A
function has the lines of its body, and those of the functions inside it.
`tests/test_sizes.py` holds the package to its limits.
"""

import ast
import io
import tokenize
from collections.abc import Iterator
from pathlib import Path
from statistics import mean, median, quantiles

ROOT = Path(__file__).resolve().parent.parent
NOT_CODE = {
    tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT,
    tokenize.ENCODING, tokenize.ENDMARKER,
}  # fmt: skip
FUNCTION = ast.FunctionDef | ast.AsyncFunctionDef

# Each room: where its files are, and which of them belong to another room.
ROOMS = {
    "olutil top level": (["olutil/*.py"], []),
    "exact + fast": (["olutil/exact/*.py", "olutil/fast/*.py"], []),
    "widgets": (["olutil/widgets/*.py"], []),
    "theorems": (["olutil/theorems/*.py"], []),
    "grading": (["grading/*.py"], []),
    "_ext + _tools": (["book/_ext/*.py", "book/_tools/*.py"], []),
    "hidden checks": (["book/exercises/checks/*.py"], []),
    "tests": (["tests/**/*.py"], ["node_modules", "answers"]),
}
LIBRARY = ["olutil top level", "exact + fast", "widgets"]


def files(room: str) -> list[Path]:
    """The Python files of a room."""
    patterns, elsewhere = ROOMS[room]
    found = {path for pattern in patterns for path in ROOT.glob(pattern)}
    return sorted(path for path in found if not set(elsewhere) & set(path.parts))


def code_lines(text: str) -> set[int]:
    """The numbers of the lines that hold code."""
    lines = set()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type not in NOT_CODE:
            lines.update(range(token.start[0], token.end[0] + 1))
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Module | ast.ClassDef | FUNCTION):
            if ast.get_docstring(node, clean=False) is not None:
                docstring = node.body[0]
                lines.difference_update(
                    range(docstring.lineno, docstring.end_lineno + 1)
                )
    return lines


def functions(path: Path) -> Iterator[tuple[str, int]]:
    """The name of each function of a file, and its lines of code."""
    text = path.read_text("utf-8")
    lines = code_lines(text)
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, FUNCTION):
            body = range(node.body[0].lineno, node.end_lineno + 1)
            name = f"{path.relative_to(ROOT)}:{node.lineno} {node.name}"
            yield name, len(lines.intersection(body))


def size(room: str) -> int:
    """How many lines of code a room has."""
    return sum(len(code_lines(path.read_text("utf-8"))) for path in files(room))


def table() -> Iterator[str]:
    """The rooms, one line each, and the library without its theorems."""
    yield "| room | files | code | functions: median / mean / p90 / max |"
    yield "|---|---|---|---|"
    for name, rooms in {**{room: [room] for room in ROOMS}, "library": LIBRARY}.items():
        paths = [path for room in rooms for path in files(room)]
        spans = [lines for path in paths for _, lines in functions(path)]
        code = sum(map(size, rooms))
        p90 = quantiles(spans, n=10, method="inclusive")[-1]
        yield (
            f"| {name} | {len(paths)} | {code:,} | "
            f"{median(spans):g} / {mean(spans):.1f} / {p90:.0f} / {max(spans)} |"
        )


if __name__ == "__main__":
    print(*table(), sep="\n")
