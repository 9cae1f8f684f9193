"""The games, played in the browser and beside it in Python."""

from itertools import product
from types import SimpleNamespace

import numpy as np
import pytest
from playwright.sync_api import expect
from web import OF_COLORS, switch

from olutil.classes import thresholds
from olutil.concepts import StandardOptimal
from olutil.dimension import Node, mistake_tree

CHANDOLA = "lectures/chandola"
ALONE = {"only": ".ol-game"}
KINDS = {CHANDOLA: ("adversary", "learner")}
C = thresholds(7)

# All that a player sees, asked for at once: each question costs a round trip.
SEEN = """
(root) => {
  const texts = (within, selector) =>
    [...within.querySelectorAll(selector)].map((element) => element.textContent);
  return {
    rounds: Number(root.dataset.rounds),
    mistakes: Number(root.dataset.mistakes),
    over: root.dataset.over === "true",
    turn: root.querySelector(".ol-turn").textContent,
    played: [...root.querySelectorAll(".ol-rounds tbody tr")]
      .map((row) => texts(row, "td")),
    left: texts(root, ".ol-mark").flatMap((mark, i) => (mark === "✓" ? [i] : [])),
    enabled: [...root.querySelectorAll("[data-label]:enabled")]
      .map((button) => Number(button.dataset.label)),
    taken: [...root.querySelectorAll(".ol-taken")].map((part) => part.dataset.path),
    tree: root.querySelector(".ol-tree:not([hidden]) svg")?.ariaLabel,
    focus: root.contains(document.activeElement) && document.activeElement.textContent,
  };
}
"""


class Game:
    """One game on a page."""

    def __init__(self, page, kind):
        self.page = page
        self.root = page.locator(f".ol-game[data-game={kind}]")
        expect(self.root.locator(".ol-controls")).to_be_visible()

    def see(self):
        return SimpleNamespace(**self.root.evaluate(SEEN))

    def button(self, kind, value):
        return self.root.locator(f"button[data-{kind}='{value}']")

    def press(self, key):
        self.page.keyboard.press(str(key))


@pytest.fixture
def game(open_page):
    """A function that opens the page of a game."""
    pages = {kind: name for name, kinds in KINDS.items() for kind in kinds}
    return lambda kind: Game(open_page(pages[kind], **ALONE), kind)


def play_to_the_end(game):
    """Play somehow with the keyboard, in each game until it is over."""
    game.root.get_by_role("button").first.focus()
    for key in ("5", "0", "6", "1") * 20:
        if game.see().over:
            return
        game.press(key)
    raise AssertionError("the game does not end")


# ---------------------------------------------------------------- the adversary


def test_every_way_of_predicting_errs_opt_times(game):
    it = game("adversary")
    it.button("label", 0).focus()
    leaves = set()
    for predictions in product((0, 1), repeat=3):
        given = []
        for t, predicted in enumerate(predictions, start=1):
            it.press(predicted)
            seen = it.see()
            point, said, told, _ = seen.played[-1]
            assert (int(said), int(told)) == (predicted, 1 - predicted)
            given.append((int(point), int(told)))
            assert (seen.mistakes, seen.rounds, seen.over) == (t, t, t == 3)
            agree = [i for i, c in enumerate(C) if all(c[x] == y for x, y in given)]
            assert seen.left == agree
        (leaf,) = agree
        assert f"x ≥ {leaf} agrees with every label" in seen.turn
        assert seen.turn.endswith("You made 3 mistakes, and opt(C) = 3.")
        path = "".join(str(label) for _, label in given)
        assert seen.taken == [path[:depth] for depth in range(4)]
        assert f"leaf x ≥ {leaf}" in seen.tree
        leaves.add(leaf)
        assert seen.focus == "Start again"
        it.press("Enter")
        seen = it.see()
        assert (seen.mistakes, seen.played, seen.over) == (0, [], False)
        assert (seen.tree, seen.focus) == (None, "0")
    assert leaves == set(range(8))


# ---------------------------------------------------------------- the learner


def test_no_play_beats_the_standard_optimal_algorithm(game):
    it = game("learner")
    rng = np.random.default_rng(5)
    for number in range(4):

        def choose(kind, value, mouse=number == 0):
            if mouse:
                it.button(kind, value).click()
            else:
                it.press(value)

        learner, mistakes = StandardOptimal(C), 0
        while learner.alive.sum() > 1:
            point = int(rng.integers(7))
            said = learner.predict(point)
            choose("point", point)
            seen = it.see()
            assert f"At point {point} it predicts {said}." in seen.turn
            possible = sorted({*C[learner.alive, point].tolist()})
            assert (seen.enabled, seen.over) == (possible, False)
            label = int(rng.choice(possible))
            choose("label", label)
            learner.update(point, label, said)
            mistakes += label != said
            seen = it.see()
            assert seen.left == np.flatnonzero(learner.alive).tolist()
            assert seen.mistakes == mistakes <= 3
        assert seen.over
        assert f"You forced {mistakes} mistake" in seen.turn
        assert ("were out of reach" in seen.turn) == (mistakes < 3)
        it.root.get_by_role("button", name="Start again").click()


def test_the_mistake_tree_gets_all_there_is_to_get(game):
    it = game("learner")
    it.button("point", 0).focus()
    node, learner = mistake_tree(C), StandardOptimal(C)
    while isinstance(node, Node):
        label = 1 - learner.predict(node.point)
        it.press(node.point)
        it.press(label)
        learner.update(node.point, label, 1 - label)
        node = node.one if label else node.zero
    seen = it.see()
    assert (seen.mistakes, seen.over) == (3, True)
    assert "No stream does better. You forced 3 mistakes, and opt(C) = 3." in seen.turn


# ---------------------------------------------------------------- keys and screens


def test_keys_play_only_the_game_that_has_the_focus(game):
    it = game("adversary")
    it.press("0")
    assert it.see().rounds == 0
    other = Game(it.page, "learner")
    other.button("point", 0).focus()
    for key in ("3", "ArrowLeft", "5"):
        it.press(key)
    seen = other.see()
    assert [row[:3] for row in seen.played] == [["3", "1", "0"]]
    assert "At point 5 it predicts" in seen.turn
    assert it.see().rounds == 0


@pytest.mark.parametrize("name", [CHANDOLA])
def test_games_that_are_over_are_accessible(open_page, axe, name):
    page = open_page(name, **ALONE)
    for kind in KINDS[name]:
        play_to_the_end(Game(page, kind))
    assert axe(page, ".ol-game") == []
    switch(page, "dark")
    assert axe(page, ".ol-game", only=OF_COLORS) == []


@pytest.mark.parametrize("name", [CHANDOLA])
def test_a_phone_shows_all_of_a_game(open_page, name):
    phone = {"viewport": {"width": 390, "height": 844}, "has_touch": True}
    page = open_page(name, **ALONE, **phone)
    for kind in KINDS[name]:
        it = Game(page, kind)
        play_to_the_end(it)
        wide, room = it.root.evaluate("(e) => [e.scrollWidth, e.clientWidth]")
        assert wide <= room
        for button in it.root.get_by_role("button").all():
            box = button.bounding_box()
            assert min(box["width"], box["height"]) >= 40


@pytest.mark.parametrize("name", [CHANDOLA])
def test_paper_shows_the_start_and_says_what_it_is(open_page, name):
    page = open_page(name, **ALONE)
    page.emulate_media(media="print")
    for kind in KINDS[name]:
        root = page.locator(f".ol-game[data-game={kind}]")
        expect(root.locator(".ol-paper")).to_be_visible()
        expect(root.locator(".ol-controls")).to_be_hidden()
        expect(root.locator("table").first).to_be_visible()
