"""The book's figures: their style, their looks and their axes."""

from itertools import combinations

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.colors import to_rgb

from olutil import figures
from olutil.figures import LOOKS, look, panels


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


@pytest.fixture
def no_names_yet(monkeypatch):
    monkeypatch.setattr(figures, "_other_names", {})


def test_other_names_get_looks_of_their_own(no_names_yet):
    """Twenty in the order of first use, none of them like one of the book's."""
    names = [f"learner {number}" for number in range(20)]
    looks = [look(name) for name in names]
    assert len({str(each) for each in looks}) == 20
    assert not {each["color"] for each in looks} & {v["color"] for v in LOOKS.values()}
    assert not {str(v["linestyle"]) for v in LOOKS.values()} & {
        str(each["linestyle"]) for each in looks
    }
    assert [look(name) for name in reversed(names)] == looks[::-1]


def test_a_look_can_be_drawn(no_names_yet):
    _, ax = panels()
    for name in ("wma", "my learner", "yours"):
        ax.plot([0, 1], label=name, **look(name))
    ax.figure.canvas.draw()


@pytest.mark.parametrize("name", ["", 3, None])
def test_a_name_is_a_text(name):
    with pytest.raises(ValueError, match=f"name: expected the name.*got {name!r}"):
        look(name)


# Machado, Oliveira and Fernandes (2009): what is left of linear RGB.
VISIONS = {
    "common": np.eye(3),
    "no red cones": [[0.152, 1.053, -0.205], [0.115, 0.786, 0.099],
                     [-0.004, -0.048, 1.052]],
    "no green cones": [[0.367, 0.861, -0.228], [0.280, 0.673, 0.047],
                       [-0.012, 0.043, 0.969]],
    "no blue cones": [[1.256, -0.077, -0.179], [-0.078, 0.931, 0.148],
                      [0.005, 0.691, 0.304]],
}  # fmt: skip


def lab(color, vision):
    """A color as it is seen, in CIELAB, where a distance of about 2 can be noticed."""
    rgb = np.array(to_rgb(color))
    rgb = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    rgb = np.clip(np.array(vision) @ rgb, 0, 1)
    xyz = [[0.434, 0.376, 0.190], [0.213, 0.715, 0.072], [0.018, 0.109, 0.873]] @ rgb
    x, y, z = np.where(xyz > 0.008856, np.cbrt(xyz), 7.787 * xyz + 16 / 116)
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


@pytest.mark.parametrize("vision", VISIONS)
def test_other_colors_can_be_told_apart(vision):
    colors = [lab(color, VISIONS[vision]) for color in figures.OTHER_COLORS]
    distances = [np.linalg.norm(a - b) for a, b in combinations(colors, 2)]
    assert min(distances) > 15
