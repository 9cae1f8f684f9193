"""The game against the Standard Optimal Algorithm: its numbers, and played by hand."""

import numpy as np
import pytest
from playwright.sync_api import expect
from web import OF_COLORS, switch

from olutil._version_spaces import bit_set, columns_of, littlestone_dimensions
from olutil.classes import intervals, thresholds
from olutil.concepts import StandardOptimal
from olutil.widgets import adversary_game, learner_game


def text(C):
    return ["".join(map(str, row)) for row in C.tolist()]


def random_game(rng):
    """A class, and answers at random points that some concept of it agrees with."""
    shape = rng.integers(2, 14), rng.integers(1, 8)
    C = np.unique(rng.integers(2, size=shape), axis=0)
    C = rng.permutation(C)
    target = rng.choice(C)
    points = rng.integers(C.shape[1], size=4).tolist()
    return C, [[x, int(target[x])] for x in points]


def expected(C, answers):
    """What the figure should say, by the package's learner, after each answer."""
    learner = StandardOptimal(C)
    dimension = littlestone_dimensions(columns_of(C))
    for answer in [None, *answers]:
        if answer:
            learner.update(*answer, 0)
        alive = learner.alive
        sides = [
            [dimension(bit_set(alive & (column == b))) for b in (0, 1)]
            for column in C.T
        ]
        says = [int(learner.predict(x)) for x in range(C.shape[1])]
        yield dimension(bit_set(alive)), sides, says


def test_dimensions_and_predictions_are_those_of_the_package(computed):
    rng = np.random.default_rng(14)
    games = [random_game(rng) for _ in range(600)]
    games += [(thresholds(15), [[7, 0], [11, 1]]), (intervals(8), [[3, 1], [5, 0]])]
    shown = computed("soa", "replay", [[text(C), answers] for C, answers in games])
    for (C, answers), states in zip(games, shown, strict=True):
        for (dimension, sides, says), state in zip(
            expected(C, answers), states, strict=True
        ):
            assert state["dimension"] == dimension
            assert state["predictions"] == says
            if dimension == 0:
                assert "asked" not in state
                continue
            # As in mistake_tree: the first point with two sides that are deep enough.
            deep = [x for x, side in enumerate(sides) if min(side) == dimension - 1]
            assert state["best"] == deep[0]


def test_the_adversary_never_gives_a_mistake_away(computed):
    rng = np.random.default_rng(15)
    games = [random_game(rng) for _ in range(600)]
    shown = computed("soa", "replay", [[text(C), answers] for C, answers in games])
    lured = 0
    for (C, answers), states in zip(games, shown, strict=True):
        for t, ((dimension, sides, says), state) in enumerate(
            zip(expected(C, answers), states, strict=True)
        ):
            if dimension == 0:
                continue
            # It asks where most concepts are on the wrong side of a whole dimension, if
            # that is half of them, or else as the mistake tree does.
            alive = [c for c in C if all(c[x] == y for x, y in answers[:t])]
            lures = [
                sum(c[x] != side.index(dimension) for c in alive)
                if dimension in side else 0
                for x, side in enumerate(sides)
            ]  # fmt: skip
            lure = int(np.argmax(lures))
            tempting = 3 * lures[lure] >= len(alive)
            assert state["asked"] == (lure if tempting else state["best"])
            lured += tempting
            # The worst answer, never less than the dimension promises, and a mistake at
            # once if that is as bad; the Standard Optimal Algorithm loses no more.
            side = sides[state["asked"]]
            for said, told in enumerate(state["replies"]):
                totals = [d + (b != said) if d >= 0 else -1 for b, d in enumerate(side)]
                assert totals[told] == max(totals) >= dimension
                assert told != said or totals[0] != totals[1]
                if said == says[state["asked"]]:
                    assert totals[told] == dimension
    assert lured > 30


# ---------------------------------------------------------------- the Python side


def test_the_page_gets_the_classes_row_by_row():
    figure = learner_game({"thresholds": thresholds(2), "mine": [[True], [False]]})
    assert dict(figure.data) == {
        "role": 0,
        "classes": [("thresholds", ["11", "01", "00"]), ("mine", ["1", "0"])],
    }
    assert dict(adversary_game([[0], [1]]).data) == {
        "role": 1, "classes": [("this class", ["0", "1"])],
    }  # fmt: skip


@pytest.mark.parametrize("make", [adversary_game, learner_game])
@pytest.mark.parametrize(
    "C, message",
    [
        ([[0, 2]], "C: expected labels 0 or 1, got .*2"),
        ([[0, 1]], "C: expected 2 to 40 concepts, none of them twice, got"),
        ([[0, 1], [0, 1]], "C: expected 2 to 40 concepts, none of them twice, got"),
        (thresholds(16), "C: expected at most 15 points, got 16"),
        (intervals(9), "C: expected 2 to 40 concepts, none of them twice, got"),
        ({}, "C: expected a class, or classes by name, got {}"),
    ],
)
def test_a_class_that_does_not_fit_is_refused(make, C, message):
    with pytest.raises(ValueError, match=message):
        make(C)


# ---------------------------------------------------------------- on the page

CHANDOLA = "lectures/chandola"
FIGURE = {"only": ".ol-figure"}
# The smallest words of a drawing, in pixels of the screen.
SMALLEST = """(figure) => Math.min(
  ...[...figure.querySelectorAll("svg text")].map((text) =>
    parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().a))"""


class Game:
    """The figure on its page."""

    def __init__(self, page):
        self.page = page
        self.root = page.locator(".ol-figure[data-figure=soa]")
        self.said = self.root.get_by_role("status")
        expect(self.said).not_to_be_empty()

    def mark(self, label, point):
        return self.root.locator(f".ol-answer[aria-label^='{label} at point {point},']")

    def choose(self, *marks):
        for label, point in marks:
            self.mark(label, point).click()

    def be(self, word):
        self.root.get_by_text(word, exact=True).click()


def test_a_greedy_adversary_is_told_where_it_went_wrong(open_page):
    game = Game(open_page(CHANDOLA, **FIGURE))
    assert "How many of 4 mistakes" in game.said.text_content()
    out = game.root.locator(".ol-table .ol-out")
    game.mark(1, 0).hover()
    expect(out).to_have_count(15)  # which is to be seen beforehand
    game.mark(0, 7).hover()
    expect(out).to_have_count(8)
    game.choose((1, 0))  # the mistake at point 0, which leaves one rule
    expect(game.said).to_contain_text("You forced 1 of 4 mistakes. Round 1 threw 3")
    expect(game.said).to_contain_text("point 7 was better. The rule x ≥ 0 agrees")
    expect(game.root.locator(".ol-lost").first).to_be_visible()
    game.root.get_by_role("button", name="Take back").click()
    game.choose((0, 7), (0, 11), (0, 13))
    expect(game.said).to_contain_text("3 made, dimension 1 left, 4 in all.")
    game.choose((0, 14))
    expect(game.said).to_contain_text("You forced 4 of 4 mistakes, the best there is.")


def test_the_learner_can_be_lured_and_may_change_the_class(open_page):
    page = open_page(CHANDOLA, **FIGURE)
    game = Game(page)
    game.be("the learner")
    game.be("yours")
    expect(game.said).to_contain_text("2 mistakes can be forced on everybody.")
    expect(game.said).to_contain_text("A click in the table changes a rule.")
    game.choose((1, 3))
    expect(game.said).to_contain_text(
        "At point 3 you said 1, it is 0: a mistake. 1 made, dimension 2 left, 3 in all."
    )
    entry = game.root.get_by_role("button", name="rule 0, point 4: 0")
    entry.click()
    changed = game.root.get_by_role("button", name="rule 0, point 4: 1")
    expect(changed).to_have_attribute("aria-pressed", "true")
    expect(game.said).to_contain_text("can be forced on everybody.")


def test_the_keyboard_plays_a_game_to_its_end(open_page):
    page = open_page(CHANDOLA, **FIGURE)
    game = Game(page)
    game.mark(1, 0).focus()
    for _ in range(7):
        page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(game.said).to_contain_text("At point 7 it said 1, you answered 0: a mist")
    for point in (11, 13, 14):
        expect(game.root.locator(".ol-answer:focus")).to_have_count(1)
        game.mark(0, point).focus()
        page.keyboard.press(" ")
    expect(game.said).to_contain_text("You forced 4 of 4 mistakes")
    expect(game.root.get_by_role("button", name="Again")).to_be_focused()


def test_the_figure_is_accessible_and_fits_a_phone(open_page, axe):
    phone = {"viewport": {"width": 390, "height": 844}, "has_touch": True}
    page = open_page(CHANDOLA, **FIGURE, **phone)
    game = Game(page)
    game.mark(0, 3).tap()
    expect(game.said).to_contain_text("At point 3")
    for mark in (game.mark(1, 4), game.mark(0, 14)):
        box = mark.bounding_box()
        assert min(box["width"], box["height"]) >= 24
    wide, room = game.root.evaluate("(e) => [e.scrollWidth, e.clientWidth]")
    assert wide <= room
    game.be("yours")
    assert game.root.evaluate(SMALLEST) >= 11
    assert axe(page, ".ol-figure") == []
    switch(page, "dark")
    assert axe(page, ".ol-figure", only=OF_COLORS) == []
