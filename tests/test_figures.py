"""The book's figures: their style, their looks and their axes."""

import matplotlib.pyplot as plt
import pytest

from olutil.figures import look, panels


@pytest.fixture(autouse=True)
def closed():
    yield
    plt.close("all")


@pytest.mark.parametrize("columns, rows", [(2, 1), (1, 2)])
def test_panels_stand_side_by_side_or_stacked(columns, rows):
    figure, axes = panels(columns, rows, width=5, height=4, sharex=True)
    grid = axes[0].get_subplotspec().get_gridspec()
    assert (grid.ncols, grid.nrows) == (columns, rows)
    assert len(axes) == 2
    assert tuple(figure.get_size_inches()) == (5, 4)


def test_one_panel_is_no_array():
    _, ax = panels()
    ax.plot([0, 1])


@pytest.mark.parametrize(
    "drawn_together",
    [
        ("wma", "rwma", "improved", "ftl", "bound", "best"),
        ("halving", "soa", "elimination", "bound"),
        ("perceptron", "winnow", "pa", "ellipsoid", "ogd", "bound", "best"),
    ],
)
def test_what_is_drawn_together_differs(drawn_together):
    assert len({str(look(name)) for name in drawn_together}) == len(drawn_together)


def test_a_look_is_a_copy():
    look("wma")["color"] = "red"
    assert look("wma")["color"] != "red"


def test_an_unknown_name_is_named():
    with pytest.raises(ValueError, match="name: expected one of wma, .*got 'sgd'"):
        look("sgd")
