"""Fictitious play on the page: its rounds against the package's, and driven by hand."""

import re
from fractions import Fraction
from itertools import islice

import numpy as np
import pytest
from playwright.sync_api import expect
from web import OF_COLORS, switch

from olutil.games import (
    MATCHING_PENNIES,
    fictitious_play,
    fictitious_runs,
    game,
    regret,
)
from olutil.widgets import fictitious_figure


def hundredths(rng, low, high, shape, step):
    """Multiples of step hundredths, from low to high."""
    return rng.integers(low // step, high // step + 1, size=shape) * step


def random_play(rng):
    """A game and its start in hundredths; small whole numbers make ties frequent."""
    n = int(rng.integers(2, 4))
    step, most = [(100, 200), (100, 100), (10, 200), (1, 9900)][rng.integers(4)]
    A, B = hundredths(rng, -most, most, (2, n, n), step)
    k1, k2 = hundredths(rng, 0, 300, (2, n), max(step, 10))
    k1[0] += 100 * (not k1.any())
    k2[-1] += 100 * (not k2.any())
    return {"A": A, "B": B, "k1": k1, "k2": k2}, int(rng.integers(1, 300))


def exactly(values):
    return np.array([Fraction(int(v), 100) for v in values.flat]).reshape(values.shape)


def plain(numbers):
    return {name: (values / 100).tolist() for name, values in numbers.items()}


def expected(numbers, T):
    """The runs in T rounds and the weights after them, in exact fractions."""
    A, B, k1, k2 = map(exactly, numbers.values())
    left = T
    for run in fictitious_runs(game(A, B), k1, k2):
        rounds = left if run.rounds is None else min(left, run.rounds)
        yield run.row, run.column, rounds
        left -= rounds
        if left == 0:
            return


def test_runs_weights_and_regrets_are_those_of_the_package(computed):
    rng = np.random.default_rng(16)
    plays = [random_play(rng) for _ in range(600)]
    arguments = [[plain(numbers), T] for numbers, T in plays]
    ties = 0
    for (numbers, T), shown in zip(
        plays, computed("fictitious", "play", arguments), strict=True
    ):
        runs = list(expected(numbers, T))
        assert shown["runs"] == [list(run) for run in runs]
        row, column, rounds = np.transpose(runs)
        rows, columns = np.repeat(row, rounds), np.repeat(column, rounds)
        A, B, k1, k2 = numbers.values()
        seen = [
            100 * np.bincount(actions, minlength=len(A)) for actions in (columns, rows)
        ]
        assert shown["kappa"] == [(k1 + seen[0]).tolist(), (k2 + seen[1]).tolist()]
        assert shown["regrets"] == pytest.approx([
            regret((A / 100, B / 100), rows, columns),
            regret((B.T / 100, A.T / 100), columns, rows),
        ], abs=1e-9)  # fmt: skip
        ties += any(np.unique(M @ k).size < len(M) for M, k in ((A, k1), (B.T, k2)))
    assert ties > 100


def test_round_by_round_it_is_fictitious_play(computed):
    rng = np.random.default_rng(17)
    plays = [random_play(rng)[0] for _ in range(60)]
    shown = computed("fictitious", "play", [[plain(numbers), 25] for numbers in plays])
    for numbers, page in zip(plays, shown, strict=True):
        A, B, k1, k2 = map(exactly, numbers.values())
        rounds = islice(fictitious_play(game(A, B), k1, k2), 25)
        actions = [[r, c] for r, c, n in page["runs"] for _ in range(n)]
        assert actions == [[one.row, one.column] for one in rounds]


def area(polygon):
    """The area of a polygon of mixtures; the whole triangle has 1/2."""
    x, y = np.transpose([corner[:2] for corner in polygon])
    return abs(x @ np.roll(y, -1) - y @ np.roll(x, -1)) / 2


def test_regions_are_where_an_action_is_the_best_answer(computed):
    rng = np.random.default_rng(18)
    tables = rng.integers(-500, 501, size=(500, 3, 3))
    regions = computed("fictitious", "region", [
        [table.tolist(), action] for table in tables for action in range(3)
    ])  # fmt: skip
    for i, table in enumerate(tables):
        polygons = regions[3 * i : 3 * i + 3]
        for action, polygon in enumerate(polygons):
            for corner in polygon:
                values = table @ corner
                assert values[action] >= values.max() - 1e-9
        assert sum(area(p) for p in polygons if p) == pytest.approx(0.5)


def test_a_place_becomes_weights_with_the_same_sum(computed):
    rng = np.random.default_rng(19)
    mixtures = rng.uniform(-0.2, 1, size=(500, 3))
    mixtures[:, 0] = abs(mixtures[:, 0]) + 0.01
    totals = rng.integers(1, 1000, size=500).tolist()
    arguments = [[m.tolist(), total] for m, total in zip(mixtures, totals, strict=True)]
    found = computed("fictitious", "weights", arguments)
    for (mixture, total), weights in zip(arguments, found, strict=True):
        shares = np.clip(mixture, 0, None) / np.clip(mixture, 0, None).sum()
        assert sum(weights) == total and min(weights) >= 0
        assert weights == pytest.approx(total * shares, abs=1.5)


# ---------------------------------------------------------------- the Python side

START = ([1.5, 2], [2, 1.5])


def test_the_page_gets_plain_numbers():
    figure = fictitious_figure({"pennies": (MATCHING_PENNIES, *START, "HT")}, rounds=9)
    (shown,) = figure.data["games"]
    assert figure.data["rounds"] == 9
    assert (shown["name"], shown["actions"]) == ("pennies", "HT")
    assert shown["A"] == [[1, -1], [-1, 1]] == [[-v for v in row] for row in shown["B"]]
    assert (shown["k1"], shown["k2"]) == START


WIDE = game([[1, 2, 3], [4, 5, 6]])


@pytest.mark.parametrize(
    "games, message",
    [
        ({}, "games: expected games by name, got {}"),
        (
            {"a": MATCHING_PENNIES},
            "games: expected tuples .game, kappa_1, kappa_2, act",
        ),
        (
            {"a": (MATCHING_PENNIES, [0, 0], [1, 1], "HT")},
            "kappa_1: expected 2 weights",
        ),
        ({"a": (WIDE, [1, 1, 1], [1, 1], "HT")}, "games: expected 2x2 or 3x3 games"),
        (
            {"a": (MATCHING_PENNIES, *START, "H")},
            "games: expected .* a letter an action",
        ),
        ({"a": (game([[100, 0], [0, 1]]), *START, "HT")}, "games: A: expected numbers"),
        ({"a": (game([[0.001, 0], [0, 1]]), *START, "HT")}, "games: A: .*two decimals"),
        (
            {"a": (MATCHING_PENNIES, [1, 2**0.5], [1, 1], "HT")},
            "games: k1: expected num",
        ),
    ],
)
def test_games_that_do_not_fit_are_refused(games, message):
    with pytest.raises(ValueError, match=message):
        fictitious_figure(games)


# ---------------------------------------------------------------- on the page

GAMES, SHAPLEY = "lectures/das-games", "lectures/das-shapley"
FIGURE = {"only": ".ol-figure"}
# The smallest words of a drawing, in pixels of the screen.
SMALLEST = """(figure) => Math.min(
  ...[...figure.querySelectorAll("svg text")].map((text) =>
    parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().a))"""


def opened(page):
    """The figure on its page, and the sentence below it."""
    root = page.locator(".ol-figure[data-figure=fictitious]")
    said = root.locator(".ol-said")
    expect(said).not_to_be_empty()
    return root, said


def test_steps_go_on_by_rounds_and_by_runs(open_page):
    root, said = opened(open_page(GAMES, **FIGURE))
    root.get_by_role("button", name="From round 1").click()
    expect(said).to_contain_text("Round 1: player 1 shows T and player 2 shows T")
    root.get_by_role("button", name="One round").click()
    expect(said).to_contain_text("Round 2: player 1 shows T and player 2 shows H")
    # Run k lasts k rounds, so run 4 ends with round 10.
    for end in (3, 6, 10):
        root.get_by_role("button", name="One run").click()
        expect(said).to_contain_text(f"Round {end}: ")
    expect(said).to_contain_text("H and player 2 shows T, for 4 rounds now.")
    expect(said).to_contain_text("The runs before lasted 1, 2, 3.")


def test_payoffs_are_typed_and_reset(open_page):
    root, said = opened(open_page(GAMES, **FIGURE))
    cell = root.get_by_label("payoff of player 1 at T, H")
    cell.fill("2.5")  # now heads is never better for player 1
    expect(said).to_contain_text("player 1 shows T and player 2 shows H, for 39")
    cell.fill("1.234")
    expect(said).to_contain_text("A payoff is a number from −99 to 99")
    root.get_by_role("button", name="Reset").click()
    expect(root.get_by_label("payoff of player 1 at T, H")).to_have_value("-1")
    expect(said).to_contain_text("The runs before lasted 25, 26, 27.")


def test_the_start_is_dragged_clicked_and_moved_by_keys(open_page):
    page = open_page(SHAPLEY, **FIGURE)
    root, said = opened(page)
    mark = root.get_by_role("slider", name="start: player 2 has shown")
    before = said.text_content()
    mark.scroll_into_view_if_needed()
    box = mark.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 60, y - 30, steps=3)
    page.mouse.up()
    expect(said).not_to_have_text(before)
    dragged = mark.get_attribute("aria-valuetext")
    assert dragged != "weights 1, 0, 0 and 1, 0, 0"
    mark.focus()
    page.keyboard.press("ArrowRight")
    expect(mark).not_to_have_attribute("aria-valuetext", dragged)
    moved = mark.get_attribute("aria-valuetext")
    area = root.locator(".ol-area").nth(1).bounding_box()
    page.mouse.click(area["x"] + area["width"] / 2, area["y"] + area["height"] / 2)
    expect(mark).not_to_have_attribute("aria-valuetext", moved)


def test_a_finger_drags_the_start(open_page):
    phone = {"viewport": {"width": 390, "height": 844}, "has_touch": True}
    page = open_page(SHAPLEY, **FIGURE, **phone)
    root, said = opened(page)
    mark = root.get_by_role("slider", name="start: player 2 has shown")
    mark.scroll_into_view_if_needed()
    box = mark.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    before = said.text_content()
    touch = page.context.new_cdp_session(page)
    for kind, far in (("Start", 0), ("Move", 20), ("Move", 40), ("Move", 60)):
        at = {"x": x + far, "y": y - far / 2}
        touch.send(
            "Input.dispatchTouchEvent", {"type": f"touch{kind}", "touchPoints": [at]}
        )
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    expect(said).not_to_have_text(before)
    now = mark.bounding_box()
    assert now["x"] + now["width"] / 2 == pytest.approx(x + 60, abs=3)
    assert now["y"] + now["height"] / 2 == pytest.approx(y - 30, abs=3)


def test_play_runs_and_pauses_and_stands_still_where_motion_is_not_wanted(open_page):
    page = open_page(GAMES, **FIGURE)
    root, said = opened(page)
    root.get_by_role("button", name="From round 1").click()
    root.get_by_role("button", name="Play").click()
    expect(root.locator(".ol-regret")).not_to_have_text(re.compile("round 1$"))
    assert said.text_content() == "Playing."
    page.wait_for_timeout(300)
    assert said.text_content() == "Playing."  # what changes at once cannot be read
    ended = re.compile(r"Run (\d+) ended with round (\d+): .* for (\d+) rounds.$")
    expect(said).to_have_text(ended)
    run, end, rounds = map(int, ended.search(said.text_content()).groups())
    assert rounds == run and end == run * (run + 1) // 2
    root.get_by_role("button", name="Pause").click()
    expect(said).to_contain_text("Average regret: ")
    still = open_page(GAMES, reduced_motion="reduce", **FIGURE)
    root, said = opened(still)
    root.get_by_role("button", name="Play").click()
    expect(said).to_contain_text("Round 10000: ")


@pytest.mark.parametrize("name", [GAMES, SHAPLEY])
def test_the_figure_is_accessible_and_fits_a_phone(open_page, axe, name):
    phone = {"viewport": {"width": 390, "height": 844}, "has_touch": True}
    page = open_page(name, **FIGURE, **phone)
    root, _ = opened(page)
    wide, room = root.evaluate("(e) => [e.scrollWidth, e.clientWidth]")
    assert wide <= room
    for mark in root.get_by_role("slider", name="start: ").all():
        box = mark.bounding_box()
        assert min(box["width"], box["height"]) >= 24
    assert root.evaluate(SMALLEST) >= 11
    assert axe(page, ".ol-figure") == []
    switch(page, "dark")
    assert axe(page, ".ol-figure", only=OF_COLORS) == []
