"""`make execute NB=...` after a change: what depends on it runs, to the same bytes."""

import nbformat
import notebooks
import partial
import pytest
from dependencies import needed_cells, read_cell
from nbformat import v4

START = [
    "import numpy as np\nrng = np.random.default_rng(0)\nnumbers = [1]",
    "first = rng.integers(100)\nprint(first)",
    "numbers.append(2)\nsame = numbers",
    "def total():\n    return sum(numbers) + bonus",
    "bonus = 10",
    "print(rng.integers(100))",
    "print(total())",
    "print('apart')",
]
NOTEBOOK = v4.new_notebook(cells=list(map(v4.new_code_cell, START)))


FIRST_RUNS: dict[str, tuple[bytes, bytes]] = {}  # of a notebook: stored, and its record


@pytest.fixture
def edit(tmp_path, monkeypatch, capsys):
    """Run a notebook, alter it and run it: the news, if a whole run does the same."""
    monkeypatch.setattr(notebooks, "BOOK", tmp_path)
    monkeypatch.setattr(notebooks, "RECORDS", tmp_path / "records")
    path = tmp_path / "page.ipynb"
    record = notebooks.memory(path)

    def execute() -> str:
        assert notebooks.main([str(path)]) == 0
        return capsys.readouterr().out

    def run_once(text: str) -> None:
        """The first run of the same cells is the same for all who alter them."""
        if text not in FIRST_RUNS:
            path.write_text(text, encoding="utf-8")
            assert "since they have not run here before" in execute()
            FIRST_RUNS[text] = path.read_bytes(), record.read_bytes()
        record.parent.mkdir(parents=True, exist_ok=True)
        for file, content in zip((path, record), FIRST_RUNS[text], strict=True):
            file.write_bytes(content)

    def change(notebook, alter) -> str:
        run_once(nbformat.writes(notebook))
        notebook = nbformat.reads(path.read_text(encoding="utf-8"), as_version=4)
        alter(notebook.cells)
        nbformat.write(notebook, path)
        changed = path.read_bytes()
        news = execute()
        found = path.read_bytes()
        path.write_bytes(changed)
        record.unlink()
        execute()
        assert found == path.read_bytes()
        return news

    return change


def setting(number, source):
    def alter(cells):
        cells[number].source = source

    return alter


def inserting(number, source):
    return lambda cells: cells.insert(number, v4.new_code_cell(source))


def removing(number):
    return lambda cells: cells.pop(number)


@pytest.mark.parametrize(
    ("alter", "news"),
    [
        # Nothing depends on it, and it depends on nothing.
        (setting(7, "print('alone')"), "1 of 8 cells"),
        (setting(7, "print('apart')"), "0 of 8 cells"),
        # The state of a generator goes through all cells that draw from it.
        (setting(1, "print(rng.integers(100, size=3))"), "3 of 8 cells"),
        # What a function reads when it is called.
        (setting(4, "bonus = 20"), "5 of 8 cells"),
        # Another name for the same list; what it did only the run has shown.
        (setting(2, "same = numbers\nsame.append(5)"), "5 of 8 cells"),
        (inserting(5, "same.append(7)"), "reaches further than it seemed"),
        (inserting(8, "print(first)"), "3 of 9 cells"),
        (removing(2), "4 of 7 cells"),
        # What the record cannot tell.
        (setting(7, "print(eval('bonus'))"), "all cells run, since cell 8 calls eval"),
        (setting(7, "np.set_printoptions(precision=3)"), "sets something for all"),
    ],
)
def test_what_depends_on_a_change_runs(edit, alter, news):
    assert news in edit(NOTEBOOK, alter)


def test_a_page_of_the_book(edit):
    """Another size of a figure in its middle."""
    page = notebooks.TOOLS.parent / "lectures" / "cos511-perceptron-vc.ipynb"
    notebook, old = notebooks.read(page), "height=3.4"
    assert [cell.source.count(old) for cell in notebook.cells].count(1) == 1

    def alter(cells):
        for cell in cells:
            cell.source = cell.source.replace(old, "height=3.2")

    ran, of, cells, *_ = edit(notebook, alter).split(": ")[1].split()
    assert (of, int(cells)) == ("of", len(notebooks.code_cells(notebook)))
    assert 1 < int(ran) < int(cells) / 3


def test_a_change_of_the_package_is_a_change_of_everything(edit, monkeypatch):
    notebook = v4.new_notebook(cells=[v4.new_code_cell("print(1)")])
    texts = iter(range(100))
    monkeypatch.setattr(partial, "world", lambda: next(texts))
    assert "since olutil, the data or the environment" in edit(notebook, lambda _: None)


def test_record_stands_outside_of_the_repository():
    page = notebooks.BOOK / "lectures" / "kakade.ipynb"
    assert "_build" in notebooks.memory(page).parts


@pytest.mark.parametrize(
    ("sources", "target", "needed"),
    [
        (["x = 1", "y = 2", "z = x"], 2, {0, 2}),
        (["x = 1", "x = 2", "z = x"], 2, {1, 2}),
        (["x = [1]", "x += [2]", "z = x"], 2, {0, 1, 2}),
        (["x = 1", "f = lambda: x", "x = 2", "f()"], 3, {0, 1, 2, 3}),
        (["x = 1", "for i in [x]:\n    i", "i"], 2, {0, 1, 2}),
    ],
)
def test_needed_cells(sources, target, needed):
    assert needed_cells(list(map(read_cell, sources)), {target}) == needed
