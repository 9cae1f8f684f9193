"""Figures with sliders: what a page stores, and what a kernel redraws."""

import json
import re
import xml.etree.ElementTree as ElementTree
from urllib.parse import unquote

import numpy as np
import pytest
from bs4 import BeautifulSoup

from olutil.figures import panels
from olutil.widgets import explore
from olutil.widgets.player import MOST_FRAMES


def draw(beta, mistakes):
    figure, ax = panels()
    ax.set_ylim(0, 1)
    ax.bar(range(mistakes + 1), beta ** np.arange(mistakes + 1))
    return figure, f"{mistakes} mistakes leave {beta**mistakes:.4f} of the weight & <."


AXES = {"beta": [0.25, 0.5, 0.75], "mistakes": [1, 2]}
CAPTION = "A weight shrinks."


@pytest.fixture(scope="module")
def page():
    start = {"beta": 0.5, "mistakes": 2}
    html = explore(draw, AXES, CAPTION, start=start)._repr_html_()
    return BeautifulSoup(html, "html.parser")


def stored(page) -> tuple[list[str], list[str]]:
    """The pictures and the sentences, as the script puts them together."""
    shared = json.loads(page.select_one(".ol-pictures").string)
    first = unquote(page.find("img")["src"].removeprefix("data:image/svg+xml,"))
    elements = [*dict.fromkeys(re.findall("<[^<]*", first)), *shared["elements"]]
    pictures = ["".join(elements[n] for n in frame) for frame in shared["frames"]]
    return pictures, json.loads(page.select_one(".ol-sentences").string)


def test_every_setting_has_its_own_picture_and_sentence(page):
    pictures, sentences = stored(page)
    assert len(pictures) == len(set(pictures)) == 6
    settings = [(beta, k) for beta in AXES["beta"] for k in AXES["mistakes"]]
    assert sentences == [draw(*setting)[1] for setting in settings]
    player = explore(draw, AXES, CAPTION)
    again = [player.frame(beta=beta, mistakes=k) for beta, k in settings]
    assert list(zip(pictures, sentences, strict=True)) == again


def test_first_picture_needs_no_script(page):
    pictures, sentences = stored(page)
    image = page.find("img")
    assert unquote(image["src"].removeprefix("data:image/svg+xml,")) == pictures[3]
    assert image["alt"] == sentences[3] == page.select_one(".ol-said").text
    assert [slider["value"] for slider in page.find_all("input")] == ["1", "1"]
    assert [value.text for value in page.find_all("output")] == ["0.5", "2"]
    # Inches of `panels`, at 96 CSS pixels each.
    assert (image["width"], image["height"]) == ("672", "326")


def test_controls_wait_for_the_script(page):
    assert page.select_one(".ol-controls").has_attr("hidden")
    labels = [label.text.split()[0] for label in page.find_all("label")]
    assert labels == ["beta", "mistakes"]


def test_pictures_are_well_formed_and_share_their_elements(page):
    pictures, _ = stored(page)
    for picture in pictures:
        ElementTree.fromstring(picture)

    written = len(page.select_one(".ol-pictures").string)
    assert written < sum(map(len, pictures)) / 3


def test_outlines_are_not_rounded_away(page):
    """Letters are drawn at a scale with six decimals."""
    pictures, _ = stored(page)
    assert "scale(0.1 -0.1)" in pictures[0]
    assert "scale(0.015625)" in pictures[0]


def test_a_kernel_redraws():
    player = explore(draw, AXES, CAPTION)
    picture, controls, sentence = player._live().children
    _, beta, mistakes = controls.children
    assert sentence.value == draw(0.25, 1)[1]
    beta.value, mistakes.value = 0.75, 2
    svg, said = player.frame(beta=0.75, mistakes=2)
    assert (picture.value, sentence.value) == (svg.encode(), said)


def test_without_a_kernel_there_is_no_widget():
    bundle = explore(draw, AXES, CAPTION)._repr_mimebundle_()
    assert set(bundle) == {"text/plain", "text/html"}
    assert bundle["text/plain"] == (
        "A figure with sliders: beta (3 values), mistakes (2 values)"
    )


@pytest.mark.parametrize(
    ("change", "error", "said"),
    [
        ({"draw": 3}, TypeError, "draw: expected a function"),
        ({"draw": lambda beta: None}, TypeError, "draw: expected parameters beta, mis"),
        ({"axes": {}}, ValueError, "axes: expected at least one slider"),
        ({"axes": AXES | {"beta": [1]}}, ValueError, "at least two values of beta"),
        (
            {"axes": AXES | {"beta": range(MOST_FRAMES)}},
            ValueError,
            f"at most {MOST_FRAMES} settings in all, got {2 * MOST_FRAMES}",
        ),
        ({"caption": " "}, ValueError, "caption: expected"),
        ({"start": {"beta": 0.3}}, ValueError, "start: expected .* got {'beta': 0.3}"),
        ({"start": {"eta": 0.5}}, ValueError, "start: expected .* got {'eta': 0.5}"),
    ],
)
def test_bad_arguments_are_named(change, error, said):
    arguments = {"draw": draw, "axes": AXES, "caption": CAPTION, "start": None} | change
    start = arguments.pop("start")
    with pytest.raises(error, match=said):
        explore(*arguments.values(), start=start)


def test_a_picture_without_a_sentence_is_refused():
    player = explore(lambda beta: (panels()[0], ""), {"beta": [1, 2]}, CAPTION)
    with pytest.raises(ValueError, match="draw: expected a figure and a sentence"):
        player._repr_html_()
