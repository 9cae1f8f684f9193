"""The students' notebooks are what the sources give, and a stale one is told."""

import re

import nbformat
import pytest
import tiny

from olutil.grading import release


@pytest.fixture
def folder(tmp_path):
    return tiny.exercises(tmp_path / "exercises")


def released(folder) -> int:
    return release.main(["--sources", str(folder / "source")])


def test_what_a_student_is_given(folder):
    released(folder)
    notebook = nbformat.read(folder / "tiny.ipynb", 4)
    nbformat.validate(notebook)
    text = "\n".join(cell.source for cell in notebook.cells)
    assert "return 2 * x" not in text and "SOLUTION" not in text
    assert "MARK SCHEME" not in text and "Because" not in text
    assert text.count('raise NotImplementedError("your code here")') == 2
    assert "*Your answer here.*" in text
    for cell in notebook.cells:
        about = cell.metadata.get("nbgrader", {})
        assert cell.get("outputs", []) == [] and cell.get("execution_count") is None
        if about and not about.solution:
            assert about.locked and not cell.metadata.editable


def test_check_says_what_is_stale_and_writes_nothing(folder, capsys):
    check = ["--sources", str(folder / "source"), "--check"]
    assert release.main(check) == 1 and not (folder / "tiny.ipynb").exists()
    assert released(folder) == 0
    assert release.main(check) == 0
    path = folder / "tiny.ipynb"
    stale = path.read_text().replace("A tiny set", "An old set")
    path.write_text(stale)
    capsys.readouterr()
    assert release.main(check) == 1
    assert str(path) in capsys.readouterr().out and path.read_text() == stale
    released(folder)
    assert release.main(check) == 0


def test_a_mark_scheme_outside_of_a_solution_is_not_given_away(folder):
    path = folder / "source" / "tiny.ipynb"
    source = nbformat.read(path, 4)
    source.cells[0].source += "\n=== BEGIN MARK SCHEME ===\nx\n=== END MARK SCHEME ==="
    nbformat.write(source, path)
    with pytest.raises(RuntimeError, match="(?i)mark scheme"):
        released(folder)
    assert not (folder / "tiny.ipynb").exists()


def test_it_says_what_it_made(folder, capsys):
    released(folder)
    said = capsys.readouterr().out
    assert str(folder / "tiny.ipynb") in said
    assert f"problem sets in {folder / 'source'}: 1 released anew, 0 as they" in said
    released(folder)
    assert "0 released anew, 1 as they were" in capsys.readouterr().out


def test_a_folder_without_sources(tmp_path, capsys):
    with pytest.raises(SystemExit) as error:
        release.main(["--sources", str(tmp_path)])
    assert error.value.code == 2
    assert f"--sources: expected a folder with notebooks, got {tmp_path}" in (
        capsys.readouterr().err
    )


def test_the_books_own_are_up_to_date():
    assert release.main(["--check", "--sources", str(tiny.BOOK)]) == 0


def test_a_table_of_what_a_cell_prints_has_its_numbers():
    """Students see no outputs before they run a cell; das tells them one in a table."""
    cells = nbformat.read(release.SOURCES / "das.ipynb", 4).cells
    said = next(cell for cell in cells if "| rounds $T$ |" in cell.source)
    rows = re.findall(r"^\| *(\d+) *\| *([\d.]+) *\| *([\d.]+) *\|$", said.source, re.M)
    (printed,) = cells[cells.index(said) + 1].outputs
    line = r"T = *(\d+): regret *([\d.]+), sqrt\(T ln N\) = ([\d.]+)"
    assert rows == re.findall(line, printed.text) != []
