"""The experts' race: its numbers against the package's, and painting in the browser."""

from fractions import Fraction

import numpy as np
import pytest
from playwright.sync_api import expect
from web import OF_COLORS, switch

from olutil import play
from olutil.exact import experts_worst_case
from olutil.experts import (
    AggregatingAlgorithm,
    RandomizedWeightedMajority,
    WeightedMajority,
)

PAGE = "lectures/cos511-tuning"
ALONE = {"only": ".ol-figure"}
LEARNERS = (WeightedMajority, RandomizedWeightedMajority, AggregatingAlgorithm)


def learners(n, step):
    """The three with a penalty of so many twentieths; ties of the vote are exact."""
    betas = (Fraction(step, 20), step / 20, step / 20)
    return [make(n, beta=beta) for make, beta in zip(LEARNERS, betas, strict=True)]


def mistakes(advice, outcomes, step):
    stream = list(zip(np.array(advice), outcomes, strict=True))
    racers = learners(len(advice[0]), step)
    return [float(play(learner, stream).mistakes) for learner in racers]


def test_mistakes_are_the_package_s(computed):
    rng = np.random.default_rng(0)
    games = []
    for _ in range(600):
        rounds, n = rng.integers(1, 13), rng.integers(2, 6)
        stream = rng.integers(0, 2, (rounds, n + 1)).tolist()
        advice, outcomes = [row[1:] for row in stream], [row[0] for row in stream]
        games.append([advice, outcomes, int(rng.integers(1, 20))])
    for game, counts in zip(games, computed("race", "mistakes", games), strict=True):
        assert counts == pytest.approx(mistakes(*game), abs=1e-9)


def test_the_worst_cases_are_the_package_s(computed):
    games = [[n, 5, step] for n in (2, 3, 4) for step in range(1, 20)]
    games += [[5, 3, 8], [2, 12, 13], [4, 10, 10]]
    for game, worst in zip(games, computed("race", "worst", games), strict=True):
        n, rounds, step = game
        for learner, most in zip(learners(n, step), worst, strict=True):
            exact = experts_worst_case(learner, rounds).values()
            assert most == pytest.approx(list(map(float, exact)), abs=1e-9)


def test_the_worst_stream_is_as_bad_as_it_can_be(computed):
    games = [[n, 6, step, k] for n in (2, 4) for step in range(1, 20) for k in range(3)]
    streams = computed("race", "worstStream", games)
    worst = computed("race", "worst", [game[:3] for game in games])
    for game, (advice, outcomes), most in zip(games, streams, worst, strict=True):
        *_, step, k = game
        best = (np.array(advice) != np.array(outcomes)[:, None]).sum(axis=0).min()
        beyond = max(value - m for m, value in enumerate(most[k]))
        found = mistakes(advice, outcomes, step)[k] - best
        assert found == pytest.approx(beyond, abs=1e-9)


# ---------------------------------------------------------------- in the page


@pytest.fixture
def race(open_page):
    """A function that opens the page and gives its figure."""

    def opened(**options):
        figure = open_page(PAGE, **ALONE, **options).locator("[data-figure=race]")
        expect(figure.get_by_role("button", name="Show the worst")).to_be_visible()
        figure.scroll_into_view_if_needed()
        return figure

    return opened


def bits(figure):
    """What is painted: a row for each expert, and one for the outcomes."""
    rows = figure.locator(".ol-paint .ol-row").all()
    return [[int(c) for c in row.locator("button").all_inner_texts()] for row in rows]


def bill(figure):
    """The mistakes in the table, as numbers."""
    cells = figure.locator("tbody td:nth-child(3)").all_inner_texts()
    return [float(cell) for cell in cells]


def told(figure):
    return figure.get_by_role("status").inner_text()


def agrees(figure, step):
    *experts, outcomes = bits(figure)
    counts = mistakes(list(zip(*experts, strict=True)), outcomes, step)
    return bill(figure) == pytest.approx(counts, abs=0.006)


def test_a_mouse_paints_a_stroke(race):
    figure = race()
    cells = figure.locator(".ol-paint .ol-row").nth(1).locator("button")
    before, first = told(figure), bits(figure)[1][2]
    for i, act in ((2, "down"), (4, "move"), (6, "up")):
        box = cells.nth(i).bounding_box()
        figure.page.mouse.move(box["x"] + 5, box["y"] + 5, steps=8)
        if act != "move":
            getattr(figure.page.mouse, act)()
    assert bits(figure)[1][2:7] == [1 - first] * 5
    assert agrees(figure, 10)
    assert told(figure) != before


def test_keys_walk_and_paint(race):
    figure = race()
    before = bits(figure)
    figure.locator(".ol-paint button").first.focus()
    for key in ("ArrowDown", "ArrowRight", "ArrowRight", "Space"):
        figure.page.keyboard.press(key)
    after = bits(figure)
    assert after[1][2] == 1 - before[1][2]
    cell = figure.locator(".ol-paint .ol-row").nth(1).locator("button").nth(2)
    expect(cell).to_be_focused()
    expect(cell).to_have_attribute("aria-pressed", "true" if after[1][2] else "false")
    assert agrees(figure, 10)


def test_the_penalty_moves_everything_and_the_worst_can_be_seen(race):
    figure = race()
    figure.get_by_label("β").fill("4")
    assert agrees(figure, 4)
    for name in ("randomized", "improved", "majority"):
        figure.get_by_text(name, exact=True).first.click()
        assert "The worst of all streams" in told(figure)
        figure.get_by_role("button", name="Show the worst").click()
        assert told(figure).endswith("No stream is worse!")
        assert agrees(figure, 4)
        figure.get_by_role("button", name="Start again").click()


def test_a_finger_paints_on_a_phone_and_scrolls_beside(race):
    figure = race(viewport={"width": 390, "height": 844}, has_touch=True)
    before = bits(figure)
    cells = figure.locator(".ol-paint .ol-row").last.locator("button")
    figure.locator(".ol-paint button").first.tap()
    assert bits(figure)[0][0] == 1 - before[0][0]
    assert agrees(figure, 10)
    touch = figure.page.context.new_cdp_session(figure.page)
    stroke = [cells.nth(i).bounding_box() for i in range(3, 8)]
    for i, box in enumerate(stroke):
        kind = "touchMove" if i else "touchStart"
        at = {"x": box["x"] + 9, "y": box["y"] + 9}
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [at]})
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    assert bits(figure)[-1][3:8] == [1 - before[-1][3]] * 5
    assert agrees(figure, 10)
    wide, room = figure.evaluate("(e) => [e.scrollWidth, e.clientWidth]")
    assert wide <= room
    for mark in figure.locator("button").all():
        box = mark.bounding_box()
        assert min(box["width"], box["height"]) >= 24
    action = "(e) => getComputedStyle(e).touchAction"
    assert figure.locator(".ol-paint .ol-days").first.evaluate(action) == "none"
    assert figure.locator(".ol-paint").evaluate(action) == "auto"


def test_it_is_accessible(race, axe):
    figure = race()
    figure.get_by_role("button", name="Show the worst").click()
    part = "[data-figure=race]"
    assert axe(figure.page, part) == []
    switch(figure.page, "dark")
    assert axe(figure.page, part, only=OF_COLORS) == []


def test_paper_shows_what_is_painted(race):
    figure = race()
    figure.page.emulate_media(media="print")
    expect(figure.locator("button.ol-bit").first).to_be_visible()
    expect(figure.get_by_role("button", name="Show the worst")).to_be_hidden()
