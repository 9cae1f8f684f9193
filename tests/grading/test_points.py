"""The points of a question are said once, and written wherever they are named."""

import nbformat
import pytest
import tiny
from nbformat.v4 import new_markdown_cell

from grading import cells, points, release
from grading.checks import load

SCHEME = """A proof.

=== BEGIN MARK SCHEME ===
- **1 point, the start:** at $n = 1$; half of its 2 points if it is not named.
- **Then (2.5\u00a0points).** All of the step.
=== END MARK SCHEME ==="""


def asked():
    """The tiny set with headings that name points, all of them wrong."""
    source = tiny.source()
    source.cells[0].source += "\n**Points:** 1, in two questions; one is a proof."
    for at, heading in (
        (2, "## Question 1: double (9 points)\n### A part (1 point)"),
        (5, "## Question 2: square (9\u00a0points)"),
        (8, "## Why? (9 points)"),
    ):
        source.cells.insert(at, new_markdown_cell(heading))
    source.cells.insert(3, new_markdown_cell("### Another part (1 point)"))
    for cell in filter(cells.is_graded, source.cells):
        cell.metadata.nbgrader.points = 9
    source.cells[-1].source = SCHEME
    return source


def test_each_place_gets_the_points_of_checks_and_mark_scheme():
    checks = load(tiny.CHECKS)
    given = points.of(asked(), checks)
    assert given == {"double": 2, "square": 2, "proof": 3.5}
    written = points.write(asked(), given)
    text = [cell.source for cell in written.cells if cell.cell_type == "markdown"]
    assert text[0].endswith("**Points:** 7.5, in three questions; one is a proof.")
    assert text[1] == "## Question 1: double (2\u00a0points)\n### A part (1 point)"
    assert text[2] == "### Another part (1 point)", "no other heading is changed"
    assert text[3] == "## Question 2: square (2\u00a0points)"
    assert text[4] == "## Why? (3.5\u00a0points)"
    graded = filter(cells.is_graded, written.cells)
    assert {cells.grade_id(c): c.metadata.nbgrader.points for c in graded} == given
    assert points.write(written, given) == written


def test_without_points_in_the_mark_scheme_the_cell_keeps_its_own():
    source = tiny.source()
    assert points.of(source, load(tiny.CHECKS))["proof"] == 3


def test_one_point_is_one():
    checks = load(tiny.CHECKS.replace("points=2", "points=1"))
    written = points.write(asked(), points.of(asked(), checks))
    assert "(1\u00a0point)" in written.cells[6].source


def test_a_check_of_no_question():
    checks = load(tiny.CHECKS.replace('"square", "squares', '"sqare", "squares'))
    with pytest.raises(ValueError, match="checks of no question: sqare; the questions"):
        points.of(tiny.source(), checks)


def test_release_writes_them_into_the_source(tmp_path, capsys):
    """And whoever reads the checks alone can change them."""
    folder = tiny.exercises(tmp_path / "exercises")
    nbformat.write(asked(), folder / "source" / "tiny.ipynb")
    arguments = ["--sources", str(folder / "source")]
    assert release.main([*arguments, "--check"]) == 1
    assert str(folder / "source" / "tiny.ipynb") in capsys.readouterr().out
    assert release.main(arguments) == 0 and release.main([*arguments, "--check"]) == 0
    checks = folder / "checks" / "tiny.py"
    checks.write_text(checks.read_text().replace("points=2", "points=4"))
    assert release.main(arguments) == 0
    for path in (folder / "source" / "tiny.ipynb", folder / "tiny.ipynb"):
        text = path.read_text(encoding="utf-8")
        assert "(4\u00a0points)" in text and "9.5, in three questions" in text
