"""The package stays thin: how long it is, and who imports whom."""

import ast
from graphlib import TopologicalSorter
from statistics import median

import pytest
import sizes

PACKAGE = sorted((sizes.ROOT / "olutil").rglob("*.py"))
# From the bottom up; all other modules of the package are below these.
FLOORS = ["exact", "fast", "theorems", "verify", "ledger", "widgets", "olutil"]


@pytest.mark.parametrize(
    ("rooms", "limit"),
    [
        pytest.param(sizes.LIBRARY, 3000, id="library"),
        pytest.param(["theorems"], 2000, id="theorems"),
    ],
)
def test_lines_of_code(rooms, limit):
    assert sum(map(sizes.size, rooms)) <= limit


@pytest.mark.parametrize("rooms", [sizes.LIBRARY, ["theorems"]], ids=", ".join)
def test_half_of_the_functions_have_at_most_five_lines(rooms):
    paths = [path for room in rooms for path in sizes.files(room)]
    assert median(n for path in paths for _, n in sizes.functions(path)) <= 5


@pytest.mark.parametrize(
    "path", PACKAGE, ids=lambda path: path.relative_to(sizes.ROOT).as_posix()
)
def test_no_function_is_longer_than_forty_lines(path):
    assert [found for found in sizes.functions(path) if found[1] > 40] == []


def test_lines_are_counted_as_said():
    text = '"""A module."""\n\n# a remark\nx = [\n    1,  # one\n]\n\n\n'
    text += 'def f():\n    """Of\n    two lines."""\n\n    return """a\nb"""\n'
    assert sizes.code_lines(text) == {4, 5, 6, 9, 13, 14}


# ---------------------------------------------------------------- imports


def module(path):
    """The name by which a file is imported."""
    parts = path.relative_to(sizes.ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {module(path): path for path in PACKAGE}


def imports(path):
    """The package's modules that a file imports, wherever in the file it does."""
    names = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            parts = {f"{node.module}.{alias.name}" for alias in node.names}
            names |= {part if part in MODULES else node.module for part in parts}
    return names & MODULES.keys()


def floor(name):
    """How high up a module is; 0 is the ground floor."""
    room = name.split(".")[1] if "." in name else name
    return FLOORS.index(room) + 1 if room in FLOORS else 0


def test_no_imports_go_round_in_a_circle():
    graph = {name: imports(path) for name, path in MODULES.items()}
    assert len([*TopologicalSorter(graph).static_order()]) == len(MODULES)


@pytest.mark.parametrize("name", MODULES)
def test_no_import_leads_up(name):
    """The learners know nothing of theorems, and theorems nothing of checks."""
    assert {n for n in imports(MODULES[name]) if floor(n) > floor(name)} == set()
