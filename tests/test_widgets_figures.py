"""The figures that are computed in the browser, as far as Python makes them."""

import json

import numpy as np
import pytest
from bs4 import BeautifulSoup

from olutil.classes import intervals, thresholds
from olutil.widgets import halving_figure, perceptron_figure

FIGURES = {
    "perceptron": lambda: perceptron_figure([[3, 4], [-50, 0]], [1, -1], margin="δ"),
    "halving": lambda: halving_figure({"b": thresholds(7), "a": intervals(5)}, tie=0),
}
DATA = {
    "perceptron": {
        "X": [[3, 4], [-50, 0]],
        "y": [1, -1],
        "names": {"margin": "δ", "normal": "u", "mistakes": "M"},
    },
    "halving": {
        "classes": [["b", thresholds(7).tolist()], ["a", intervals(5).tolist()]],
        "tie": 0,
    },
}


@pytest.mark.parametrize("name", FIGURES)
def test_a_page_holds_what_the_module_reads(name):
    figure = FIGURES[name]()
    page = BeautifulSoup(figure._repr_html_(), "html.parser")
    section = page.select_one("section.ol-figure")
    assert section["data-figure"] == name
    assert json.loads(section.script.string) == DATA[name]
    assert section["aria-label"] in section.p.get_text() and section["aria-label"]
    assert repr(figure) == f"A figure to touch: {section['aria-label']}"


@pytest.mark.parametrize(
    "X, y, message",
    [
        ([[51, 0]], [1], "X: expected 1 to 12 pairs of whole numbers, .*, got .*51, 0"),
        ([[36, 36]], [1], "X: expected 1 to 12 pairs"),
        ([[1.5, 0]], [1], "X: expected 1 to 12 pairs"),
        ([[1, 2, 3]], [1], "X: expected 1 to 12 pairs"),
        ([1, 2], [1], "X: expected 1 to 12 pairs"),
        (np.zeros((0, 2), int), [], "X: expected 1 to 12 pairs"),
        ([[1, 0]] * 13, [1] * 13, "X: expected 1 to 12 pairs"),
        ([[10**30, 0]], [1], "X: expected 1 to 12 pairs"),
        ([[1, 0]], [0], "y: expected labels -1 or 1, got .*0"),
        ([[1, 0]], [1, 1], "y: expected a last axis of length 1"),
    ],
)
def test_bad_examples_are_refused(X, y, message):
    with pytest.raises(ValueError, match=message):
        perceptron_figure(X, y)


@pytest.mark.parametrize(
    "classes, tie, message",
    [
        ({}, 1, "classes: expected a mapping of names to tables, got {}"),
        (thresholds(3), 1, "classes: expected a mapping of names to tables"),
        ({"a": [[0, 2]]}, 1, r"classes\['a'\]: expected labels 0 or 1, got .*2"),
        ({"a": []}, 1, r"classes\['a'\]: expected a table"),
        ({"a": intervals(6)}, 1, r"\['a'\]: expected at most 16 concepts on 8 points"),
        ({"a": thresholds(9)}, 1, r"\['a'\]: expected at most 16 concepts on 8 points"),
        ({"a": [[0, 1]]}, 2, "tie: expected one of 0, 1, got 2"),
    ],
)
def test_bad_classes_are_refused(classes, tie, message):
    with pytest.raises(ValueError, match=message):
        halving_figure(classes, tie=tie)
