"""Which cells of a notebook need which others, by the names that they use."""

import ast
import symtable
from collections.abc import Iterable
from dataclasses import dataclass, replace

__all__ = ["Cell", "needed_cells", "read_cell"]


@dataclass(frozen=True)
class Cell:
    """What a cell does with the notebook's names."""

    needs: frozenset[str]  # must be there before it runs
    late: frozenset[str]  # are read by its functions, whenever these are called
    makes: frozenset[str]  # are made or changed by it
    anew: frozenset[str]  # are made by it whatever they were before

    def making(self, names: Iterable[str]) -> "Cell":
        """The cell, if it makes or changes these, too."""
        return replace(self, makes=self.makes.union(names))

    @property
    def uses(self) -> frozenset[str]:
        """All names in it that may have come from other cells."""
        return self.needs | self.late


def read_cell(source: str) -> Cell:
    """What a cell of plain Python does with the notebook's names."""
    statements = ast.parse(source).body
    parts = [_statement(node) for node in statements]
    return Cell(
        needs=frozenset(_needed(statements)),
        late=frozenset().union(*(_late(_scope(node)) for node in statements)),
        makes=frozenset().union(*(makes for _, makes, _ in parts)),
        anew=frozenset().union(*(anew for _, _, anew in parts)),
    )


def needed_cells(cells: list[Cell], targets: Iterable[int]) -> set[int]:
    """The numbers of the targets, and of all that must run before them."""
    targets, late = set(targets), set()
    while targets:
        chosen, needs = set(), set(late)
        for number in range(max(targets), -1, -1):
            cell = cells[number]
            if number in targets or cell.makes & needs:
                chosen.add(number)
                needs = (needs - cell.anew) | cell.needs
        # A function reads its names when it is called, which may be at the end.
        called = set().union(*(cells[number].late for number in chosen))
        if called <= late:
            return chosen
        late |= called
    return set()


# ---------------------------------------------------------------- one statement


def _scope(node: ast.stmt) -> symtable.SymbolTable:
    return symtable.symtable(ast.unparse(node), "<cell>", "exec")


def _statement(node: ast.stmt) -> tuple[set[str], set[str], set[str]]:
    """The names that a statement needs before it runs, those it makes or changes, and
    those it makes whatever they were before."""
    scope = _scope(node)
    bound = {
        name.get_name()
        for name in scope.get_symbols()
        if name.is_assigned() or name.is_imported()
    }
    changed = set(filter(None, map(_changed, ast.walk(node))))
    if isinstance(node, ast.For):
        # A loop makes its variables before its body reads them.
        needs = _names(node.iter) | (_needed(node.body) - _names(node.target))
        needs |= _needed(node.orelse)
    else:
        needs = _reads(scope) | changed
    sure = not isinstance(node, ast.If | ast.While | ast.Try)
    return needs, bound | changed, bound - changed if sure else set()


def _needed(statements: list[ast.stmt]) -> set[str]:
    """The names that must be there before these run."""
    needs = set()
    for needed, _, anew in map(_statement, reversed(statements)):
        needs = (needs - anew) | needed
    return needs


def _names(node: ast.AST) -> set[str]:
    """All names in an expression."""
    return {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}


def _changed(node: ast.AST) -> str | None:
    """The name of which `x += 1`, `x[0] = 1` or `x.a = 1` changes the value."""
    if isinstance(node, ast.AugAssign):
        node = node.target
    elif isinstance(node, ast.Name) or not isinstance(
        getattr(node, "ctx", None), ast.Store
    ):
        return None
    while isinstance(node, ast.Subscript | ast.Attribute):
        node = node.value
    return node.id if isinstance(node, ast.Name) else None


def _reads(scope: symtable.SymbolTable) -> set[str]:
    """The notebook's names that are read in a scope, and in those within it."""
    outermost = scope.get_type() == "module"
    names = {
        name.get_name()
        for name in scope.get_symbols()
        if name.is_referenced() and (outermost or name.is_global())
    }
    return names.union(*map(_reads, scope.get_children()))


def _late(scope: symtable.SymbolTable) -> set[str]:
    """Of these the ones that are read in the scopes within."""
    return set().union(*map(_reads, scope.get_children()))
