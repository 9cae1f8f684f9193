"""`make execute`: the same bytes twice, and a failing notebook left alone."""

import nbformat
import notebooks
import pytest
from nbformat import v4

FIGURE = """
import matplotlib.pyplot as plt
from olutil.figures import panels

fig, ax = panels()
ax.plot([0, 1, 4, 9])
print("before")
plt.show()
print("after")
"""
PLAYER = """
from olutil.figures import panels
from olutil.widgets import explore


def draw(beta):
    fig, ax = panels()
    ax.plot([beta**t for t in range(9)])
    return fig, f"beta {beta}"


explore(draw, {"beta": [0.25, 0.5]}, "A weight shrinks.")
"""


@pytest.fixture
def store(tmp_path):
    """Write a notebook with the given code cells; its path."""

    def write(name, *sources):
        cells = [v4.new_markdown_cell("# Title"), *map(v4.new_code_cell, sources)]
        path = tmp_path / f"{name}.ipynb"
        nbformat.write(v4.new_notebook(cells=cells), path)
        return path

    return write


def test_two_runs_give_the_same_bytes(store):
    paths = [store("figure", FIGURE, "1 + 1"), store("player", PLAYER, "print(2)")]
    assert notebooks.main(list(map(str, paths))) == 0
    first = [path.read_bytes() for path in paths]
    assert notebooks.main(list(map(str, paths))) == 0
    assert [path.read_bytes() for path in paths] == first
    assert b"image/svg+xml" in first[0]
    assert b"ol-player" in first[1]
    assert notebooks.VIEW.encode() not in first[1]


def test_a_page_of_the_book_gives_its_stored_bytes(tmp_path, monkeypatch):
    """The shortest one; nbval compares the others, but for their pictures."""
    monkeypatch.setattr(notebooks, "RECORDS", tmp_path)  # without them all cells run
    path = min(notebooks.find([]), key=lambda path: path.stat().st_size)
    stored = path.read_bytes()
    try:
        assert notebooks.main([str(path)]) == 0
        assert path.read_bytes() == stored
    finally:
        path.write_bytes(stored)


def test_normal_form_depends_on_sources_alone(store):
    """Two files with the same sources end as the same file, whatever their ids."""
    one, two = store("one", PLAYER), store("two", PLAYER)
    assert one.read_bytes() != two.read_bytes()
    assert notebooks.main([str(one), str(two)]) == 0
    assert one.read_bytes() == two.read_bytes()


def test_executed_notebook_is_in_normal_form(store):
    path = store("plain", "print(1)", "{2: 3}")
    assert notebooks.main(["--check", str(path)]) == 1
    assert notebooks.main([str(path)]) == 0
    assert notebooks.main(["--check", str(path)]) == 0


def test_failing_cell_is_named_and_the_file_left_alone(store, capsys):
    path = store("failing", "x = 1", "1 / (x - 1)", "x")
    before = path.read_bytes()
    assert notebooks.main([str(path)]) == 1
    said = capsys.readouterr().out
    assert "cell 2 failed" in said
    assert "ZeroDivisionError: division by zero" in said
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("source", "because"),
    [
        ("%matplotlib inline", "not plain Python"),
        ("!ls", "not plain Python"),
        ("print?", "not plain Python"),
        ("get_ipython().system('ls')", "get_ipython"),
        ("# NBVAL_SKIP\n1", "NBVAL_SKIP"),
        ("", "empty"),
        # Fine as sources; what they show is refused.
        ("object()", "memory address"),
        ("import ipywidgets\nipywidgets.IntSlider()", "no page can drive"),
        ("import warnings\nwarnings.warn('careful')", "stderr"),
    ],
)
def test_what_is_refused(store, capsys, source, because):
    path = store("refused", source)
    assert notebooks.main([str(path)]) == 1
    assert because in capsys.readouterr().out


def test_tag_that_allows_errors_is_refused():
    cell = v4.new_code_cell("1", metadata={"tags": ["raises-exception"]})
    assert notebooks.refusals(v4.new_notebook(cells=[cell]))
