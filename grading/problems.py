"""A problem set: its source with solutions, its hidden checks, and what follows."""

import ast
import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from grading import answers, points
from grading.cells import about, grade_id, is_graded, signs
from grading.checks import load_file
from grading.release import read_source, released


@dataclass(frozen=True)
class ProblemSet:
    """A problem set whose parts agree.

    ``checks`` is the text of the module of checks, ``questions`` has the points of
    each question, and ``others`` what tells the cells of each set beside this one.
    """

    name: str
    source: Path
    checks: str
    questions: dict[str, float]
    others: dict[str, set[str]]

    @classmethod
    def read(cls, folder: Path, name: str) -> "ProblemSet":
        """The set of that name below ``folder``, which has source/ and checks/.

        Raises
        ------
        ValueError
            If there is none, or its parts do not agree.
        """
        source = folder / "source" / f"{name}.ipynb"
        path = folder / "checks" / f"{name}.py"
        missing = [str(p) for p in (source, path) if not p.is_file()]
        if missing:
            raise ValueError(
                f"set: expected one of those in {folder} "
                f"({', '.join(names(folder)) or 'there is none'}), got {name!r}: "
                f"there is no {' and no '.join(missing)}"
            )
        notebook = read_source(source)
        questions = points.of(notebook, load_file(path))
        text = path.read_text(encoding="utf-8")
        _must_have_points(notebook, questions)
        _must_have_names(notebook, text, path)
        return cls(name, source, text, questions, _others(source))

    @cached_property
    def released(self) -> NotebookNode:
        """The students' notebook."""
        return released(nbformat.read(self.source, 4))

    def set_of(self, notebook: NotebookNode) -> str | None:
        """The set whose cells a submission has, if it has any."""
        return answers.set_of(
            notebook, {self.name: signs(self.released), **self.others}
        )

    def answered(self, notebook: NotebookNode) -> int:
        """How many of the answers a submission has."""
        return answers.answered(self.released, notebook)


def names(folder: Path) -> list[str]:
    """The names of the sets below ``folder``: of those that have both parts."""
    checked = {path.stem for path in (folder / "checks").glob("[!_]*.py")}
    return sorted(checked & {p.stem for p in (folder / "source").glob("*.ipynb")})


def signs_of_all(folder: Path) -> dict[str, set[str]]:
    """By the name of each set below ``folder``, what tells its cells."""
    found = _others(folder / "source" / ".ipynb")
    return {name: found[name] for name in names(folder) if name in found}


def _must_have_points(notebook: NotebookNode, questions: dict[str, float]) -> None:
    """nbgrader reads the points from the metadata, where `make release` puts them."""
    for cell in filter(is_graded, notebook.cells):
        name, written = grade_id(cell), float(about(cell)["points"])
        if written != questions[name]:
            raise ValueError(
                f"{name}: has {written:g} points, its checks {questions[name]:g}: "
                "make release"
            )


def _must_have_names(notebook: NotebookNode, checks: str, path: Path) -> None:
    """A check that asks for a name which nobody has would fail everybody's answer."""
    cells = (cell.source for cell in notebook.cells if cell.cell_type == "code")
    words = set(re.findall(r"\w+", "\n".join(cells)))
    for node in ast.walk(ast.parse(checks)):
        match node:
            case ast.Call(
                func=ast.Attribute(
                    value=ast.Name("student"), attr="call" | "new" | "get"
                ),
                args=[ast.Constant(str(name)), *_],
            ) if name not in words:
                raise ValueError(
                    f"{path}, line {node.lineno}: expected a name that the set's "
                    f"source defines, got {name!r}"
                )


def _others(source: Path) -> dict[str, set[str]]:
    found = {}
    for path in source.parent.glob("*.ipynb"):
        if path != source:
            try:
                found[path.stem] = signs(nbformat.read(path, 4))
            except (OSError, ValueError):
                continue  # a draft that is not whole is no set yet
    return found
