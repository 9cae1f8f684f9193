"""The ledger: one row a statement, made from the records in the executed notebooks::

    python -m olutil.ledger              the table
    python -m olutil.ledger --json       the same as data
    python -m olutil.ledger --missing    statements without the evidence they need

Nobody types a row.
"""

import argparse
import json
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from olutil.boxes import Box, boxes
from olutil.theorems import LECTURES, STATEMENTS, Statement
from olutil.verify import MIME, Record

# What a row shows of the tightest record.
SHOWN = ("observed", "relation", "bound", "tightness")


def notebooks(root: Path) -> list[Path]:
    """The book's notebooks, in a fixed order."""
    return _files(root, "*.ipynb")


def _files(root: Path, pattern: str) -> list[Path]:
    """The book's own files, without what Jupyter and the build store beside them."""
    return sorted(
        path
        for path in (root / "book").rglob(pattern)
        if not any(part.startswith((".", "_")) for part in path.relative_to(root).parts)
    )


def _cells(notebook: Path, kind: str) -> list[dict]:
    try:
        cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
        return [cell for cell in cells if cell["cell_type"] == kind]
    except (ValueError, KeyError, TypeError) as error:
        raise ValueError(f"{notebook}: expected a notebook, got {error!r}") from error


def records(notebook: Path) -> Iterator[tuple[int, Record]]:
    """The records of an executed notebook's checks, each with its cell's number."""
    for number, cell in enumerate(_cells(notebook, "code"), start=1):
        for output in cell.get("outputs", []):
            fields = output.get("data", {}).get(MIME)
            if fields is not None:
                yield number, Record(**fields)


def stated(root: Path) -> dict[str, Box]:
    """Every box of the book, by its id, page by page.

    Raises
    ------
    ValueError
        If a box is malformed, or its id is no statement's or another's.
    """
    found = {}
    for page in [*notebooks(root), *_files(root, "*.md")]:
        name = page.relative_to(root).as_posix()
        for text in _texts(page):
            for box in boxes(text, name):
                if box.id in found:
                    raise ValueError(
                        f"{name}: ({box.id})= has a box in {found[box.id].page}, too"
                    )
                if box.lecture not in LECTURES:
                    raise ValueError(
                        f"{name}: ({box.id})= must begin with one of "
                        f"{', '.join(LECTURES)}, and a hyphen"
                    )
                found[box.id] = box
    return found


def _texts(page: Path) -> list[str]:
    """What a page says in Markdown: its cells, or all of it."""
    if page.suffix == ".ipynb":
        return ["".join(cell["source"]) for cell in _cells(page, "markdown")]
    return [page.read_text(encoding="utf-8")]


def _lacks(statement: Statement | None, how: list[str], box: Box | None) -> list[str]:
    """What the ledger still demands of a statement."""
    lacks = [] if box else ["a box in the book"]
    if statement:
        lacks += [kind for kind in statement.evidence if kind not in how]
        if not how:
            lacks.append("a check")
    return lacks


def rows(root: Path) -> list[dict]:
    """One row for every statement, by lecture; those without a function come last.

    Parameters
    ----------
    root : Path
        The repository.

    Returns
    -------
    list of dict
        With keys id, title, text, lecture, source, errata, asserts, how, instances,
        observed, relation, bound, tightness, notebook, cell, page, checks, lacks.
        Title, text and ``page`` are those of the statement's box; ``asserts`` says
        whether it has a function; ``notebook`` and ``cell`` are where the tightest
        check ran; ``checks`` has all of them.

    Raises
    ------
    ValueError
        If a notebook or a box is malformed.
    """
    root = Path(root)
    evidence = defaultdict(list)
    for notebook in notebooks(root):
        name = notebook.relative_to(root).as_posix()
        for cell, record in records(notebook):
            evidence[record.id].append((name, cell, record))
    found = stated(root)
    ids = dict.fromkeys([*STATEMENTS, *found])
    table = [_row(id, found.get(id), evidence[id]) for id in ids]
    lectures = [*LECTURES.values()]
    return sorted(table, key=lambda row: lectures.index(row["lecture"]))


def _row(id: str, box: Box | None, found: list[tuple[str, int, Record]]) -> dict:
    """One statement's row: its box, what is registered, and what was found."""
    statement = STATEMENTS.get(id)
    lecture = LECTURES[(statement or box).lecture]
    how = list(dict.fromkeys(record.how for _, _, record in found))
    # The check to show: the tightest one, the first among equals.
    strongest = max(found, key=lambda one: one[2].tightness or 0.0, default=(None,) * 3)
    notebook, cell, record = strongest
    return {
        "id": id,
        "title": box.title if box else id,
        "text": box.text if box else "",
        "lecture": lecture,
        "source": statement.source if statement else lecture,
        "errata": list(statement.errata) if statement else [],
        "asserts": statement is not None,
        "how": how,
        "instances": sum(record.instances for _, _, record in found),
        **{name: getattr(record, name, None) for name in SHOWN},
        "notebook": notebook,
        "cell": cell,
        "page": box.page if box else None,
        "checks": [
            {"notebook": name, "cell": cell, **vars(record)}
            for name, cell, record in found
        ],
        "lacks": _lacks(statement, how, box),
    }


def _line(row: dict) -> str:
    if not row["asserts"]:
        return f"{row['id']:24} stated in {row['page'] or '-'}"
    tight = "-" if row["tightness"] is None else f"{row['tightness']:.4f}"
    compared = f"{row['observed']} {row['relation']} {row['bound']}"
    where = f"{row['notebook']}:{row['cell']}"
    return (
        f"{row['id']:24} {','.join(row['how']) or '-':28} {row['instances']:>12,} "
        f"{compared:28} {tight:>8}  {where}"
    )


def main(arguments: list[str] | None = None) -> int:
    """Print the ledger; see the module's docstring."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--root", type=Path, default=Path("."), help="the repository")
    shape = parser.add_mutually_exclusive_group()
    shape.add_argument("--json", action="store_true", help="print the rows as data")
    lacking = "print what lacks evidence; fail if any"
    shape.add_argument("--missing", action="store_true", help=lacking)
    options = parser.parse_args(arguments)
    if not (options.root / "book").is_dir():
        parser.error(f"--root: expected a clone, with book/ in it, got {options.root}")
    table = rows(options.root)
    if options.json:
        print(json.dumps(table, indent=1, ensure_ascii=False))
        return 0
    if options.missing:
        lacking = [row for row in table if row["lacks"]]
        for row in lacking:
            print(f"{row['id']}: lacks {', '.join(row['lacks'])}")
        return 1 if lacking else 0
    for row in table:
        print(_line(row))
    return 0


if __name__ == "__main__":
    sys.exit(main())
