"""Halving's figure: its numbers beside olutil's, and how it is driven."""

import numpy as np
import pytest
from playwright.sync_api import expect
from web import OF_COLORS, switch

from olutil import play
from olutil.classes import intervals, singletons, thresholds
from olutil.concepts import Halving
from olutil.exact import halving_worst_case
from olutil.theorems import bound

PAGE = "lectures/kakade"
ONLY = ".ol-figure[data-figure=halving]"


def some_games(seed, many):
    """Classes, some with equal concepts, and rounds that one of their concepts labels;
    now and then the last label is contrary, and may leave no concept."""
    rng = np.random.default_rng(seed)
    for _ in range(many):
        concepts, points = rng.integers(1, 13), rng.integers(1, 7)
        C = rng.integers(2, size=(concepts, points))
        xs = rng.integers(points, size=rng.integers(1, 8))
        ys = C[rng.integers(concepts), xs]
        ys[-1] ^= rng.random() < 0.2
        yield C, np.stack([xs, ys], axis=1), int(rng.integers(2))


GAMES = list(some_games(0, 500))


def test_predictions_and_version_spaces_are_those_of_olutil(computed):
    calls = [[C.tolist(), rounds.tolist(), tie] for C, rounds, tie in GAMES]
    for (C, rounds, tie), found in zip(
        GAMES, computed("halving", "play", calls), strict=True
    ):
        run = play(Halving(C, tie=tie), rounds.tolist(), watch=lambda it: it.alive)
        assert [each["said"] for each in found] == run.predictions.tolist()
        assert [each["before"] for each in found] == run.states[:-1].tolist()
        assert [each["alive"] for each in found] == run.states[1:].tolist()


def test_the_most_that_can_be_forced_is_the_worst_case_of_olutil(computed):
    calls = [[C.tolist(), [True] * len(C), tie] for C, _, tie in GAMES]
    for (C, _, tie), found in zip(
        GAMES, computed("halving", "hardest", calls), strict=True
    ):
        assert found["mistakes"] == halving_worst_case(C, tie=tie)
        assert (found["round"] is None) == (found["mistakes"] == 0)


def test_the_bounds_are_those_of_the_theorem(computed):
    sizes = range(1, 17)
    assert computed("halving", "bound", [[n] for n in sizes]) == pytest.approx(
        bound("kak-thm2.2", size=np.array(sizes)).tolist()
    )
    cases = [(n, m) for n in sizes for m in range(5)]
    assert computed("halving", "limit", [[*case] for case in cases]) == [
        bound("kak-eq1", size=n, mistakes=m) for n, m in cases
    ]


# ---------------------------------------------------------------- on its page

CLASSES = {
    "thresholds": thresholds(7), "intervals": intervals(5), "singletons": singletons(7)
}  # fmt: skip
SEEN = """
(figure) => {
  const texts = (selector) =>
    [...figure.querySelectorAll(selector)].map((element) => element.textContent);
  return {
    said: figure.querySelector(".ol-said").textContent,
    counts: figure.querySelector(".ol-counts").textContent,
    table: [...figure.querySelectorAll("tbody tr")].map((row) =>
      [...row.querySelectorAll("button")].map((b) => Number(b.textContent))),
    out: texts(".ol-end"),
    ones: texts("tfoot tr:first-child td"),
    says: texts("tfoot tr:last-child td"),
  };
}
"""


class Figure:
    """The figure on its page."""

    def __init__(self, page):
        self.page, self.root = page, page.locator(ONLY)
        self.root.scroll_into_view_if_needed()

    def see(self):
        return self.root.evaluate(SEEN)

    def press(self, name):
        self.root.get_by_role("button", name=name, exact=True).click()

    def take(self, name):
        self.root.get_by_text(name, exact=True).click()


@pytest.fixture
def figure(open_page):
    return Figure(open_page(PAGE, only=ONLY))


def test_it_begins_with_a_round(figure):
    seen = figure.see()
    assert seen["table"] == CLASSES["thresholds"].tolist()
    assert seen["said"].startswith(
        "Point 3 has label 0, and Halving said 1: a mistake."
    )
    assert seen["counts"] == "4 of 8 left; 1 mistake, 3 can be forced, at most lg 8 = 3"


@pytest.mark.parametrize("name", CLASSES)
def test_the_mouse_plays_random_rounds_as_olutil_does(figure, name):
    C, rng = CLASSES[name], np.random.default_rng(3)
    figure.take(name)
    figure.press("Start again")
    learner, mistakes, target = Halving(C), 0, C[rng.integers(len(C))]
    for t, x in enumerate(rng.permutation(C.shape[1])[:4].tolist(), 1):
        says, ones = learner.predict(x), C[learner.alive, x].sum()
        figure.press(f"Ask point {x}")
        said = figure.see()["said"]
        assert f"{ones} say 1 and {learner.alive.sum() - ones} say 0" in said
        assert f"Halving says {says}." in said
        before = learner.alive
        learner.update(x, target[x], says)
        mistakes += int(says != target[x])
        figure.press(f"Label {target[x]}")
        seen = figure.see()
        assert seen["said"].startswith(f"Point {x} has label {target[x]}, ")
        assert ("a mistake" in seen["said"]) == (says != target[x])
        assert [mark == "✓" for mark in seen["out"]] == learner.alive.tolist()
        assert seen["out"].count(str(t)) == (before & ~learner.alive).sum()
        everywhere = [str(learner.predict(x)) for x in range(C.shape[1])]
        assert seen["says"][:-1] == everywhere
        votes = C[learner.alive].sum(axis=0)
        assert seen["ones"][:-1] == [str(ones) for ones in votes]
        words = "1 mistake" if mistakes == 1 else f"{mistakes} mistakes"
        assert f"{learner.alive.sum()} of {len(C)} left; {words}, " in seen["counts"]


@pytest.mark.parametrize("name", CLASSES)
def test_the_best_rounds_force_what_can_be_forced(figure, name):
    figure.take(name)
    figure.press("Start again")
    most = halving_worst_case(CLASSES[name])
    assert f"{most} can be forced, at most lg" in figure.see()["counts"]
    while "errs no more" not in figure.see()["said"]:
        figure.press("Best round")
    assert f"you made it err {most} of {most} possible" in figure.see()["said"]
    figure.press("Best round")
    assert "No further mistake can be forced" in figure.see()["said"]


def test_a_label_needs_a_point_and_a_concept(figure):
    figure.press("Label 1")
    assert figure.see()["said"].startswith("First choose a point")
    figure.press("Ask point 0")
    figure.press("Label 1")
    assert figure.see()["said"] == "No concept that is left says 1 at point 0."
    assert figure.see()["counts"].startswith("4 of 8 left; 1 mistake, ")


def test_keys_draw_a_class_and_play_on_it(figure):
    figure.root.get_by_role("button", name="Ask point 0").focus()
    press = figure.page.keyboard.press
    for key in ("ArrowRight", "ArrowDown", "ArrowDown", "Space"):
        press(key)
    C = CLASSES["thresholds"].copy()
    C[1, 1] = 0
    seen = figure.see()
    assert seen["table"] == C.tolist()
    most = halving_worst_case(C)
    words = f"{most} mistakes can be forced, and lg 8 = 3 is the bound."
    assert seen["said"].startswith("Concept 2 now says 0 at point 1.")
    assert words in seen["said"]
    assert set(seen["out"]) == {"✓"}
    expect(figure.root.get_by_role("radio", name="your own")).to_be_checked()
    for key in ("ArrowUp", "ArrowUp", "ArrowLeft", "ArrowLeft", "Enter"):
        press(key)
    assert figure.see()["said"].startswith(
        f"Point 6: of the 8 concepts left {C[:, 6].sum()}"
    )
    press("0")
    assert figure.see()["out"] == [*"1111111", "✓"]


def test_a_phone_shows_all_of_it_and_a_finger_plays(open_page):
    phone = {"viewport": {"width": 390, "height": 844}, "has_touch": True}
    figure = Figure(open_page(PAGE, only=ONLY, **phone))
    for name in CLASSES:
        figure.root.get_by_text(name, exact=True).tap()
        wide, room = figure.root.evaluate("(e) => [e.scrollWidth, e.clientWidth]")
        assert wide <= room
    assert figure.root.locator(".ol-scroll").evaluate(
        "(e) => e.scrollWidth <= e.clientWidth"
    )
    for button in figure.root.get_by_role("button").all():
        box = button.bounding_box()
        assert min(box["width"], box["height"]) >= 24
    figure.root.get_by_role("button", name="Ask point 2").tap()
    figure.root.get_by_role("button", name="Label 1").tap()
    assert figure.see()["out"].count("✓") == 1


def test_the_figure_is_accessible(open_page, axe):
    page = open_page(PAGE, only=ONLY)
    assert axe(page, ONLY) == []
    switch(page, "dark")
    assert axe(page, ONLY, only=OF_COLORS) == []


def test_a_page_without_scripts_says_what_it_is(open_page):
    page = open_page(PAGE, only=ONLY, java_script_enabled=False)
    expect(page.locator(ONLY)).to_contain_text("A figure to touch: Halving")
