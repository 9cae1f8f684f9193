"""The students' notebooks are what the sources give, and a stale one is told."""

import re

import nbformat
import pytest
import tiny

from grading import release


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
    assert released(folder) == 1
    assert not (folder / "tiny.ipynb").exists()


@pytest.mark.parametrize(
    ("number", "slip", "said"),
    [
        (4, {"grade_id": "double-answer"}, ": Duplicate grade id: double-answer"),
        (2, None, ", cell 3: Solution region detected in a non-solution cell"),
        (2, "", ", cell 3 (double-answer): no end solution statement found"),
        (3, {"points": "two"}, ", cell 4 (double): 'two' is not of type 'number'"),
        (3, {"grade_id": "a b"}, ", cell 4 (a b): 'a b' does not match"),
    ],
    ids=["twice", "no role", "no end", "no number", "no name"],
)
def test_a_slip_of_the_author_is_told_with_its_cell(folder, capsys, number, slip, said):
    """And the other sets are released."""
    path = folder / "source" / "slip.ipynb"
    source = tiny.source()
    cell = source.cells[number]
    if isinstance(slip, dict):
        cell.metadata.nbgrader.update(slip)
    elif slip is None:
        del cell.metadata["nbgrader"]
    else:
        cell.source = cell.source.replace("### END SOLUTION", slip)
    nbformat.write(source, path)
    assert released(folder) == 1
    told = capsys.readouterr()
    assert told.err.startswith(f"{path}{said}") and "Traceback" not in told.err
    assert "1 released anew, 0 as they were, 1 not released" in told.out
    assert (folder / "tiny.ipynb").exists() and not (folder / "slip.ipynb").exists()


def test_a_source_that_is_no_notebook_is_told(folder, capsys):
    (folder / "source" / "slip.ipynb").write_text("{")
    assert released(folder) == 1
    assert "slip.ipynb: expected a notebook, got" in capsys.readouterr().err


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
