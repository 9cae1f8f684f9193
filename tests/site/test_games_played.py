"""The weather game, played in the browser and beside it in Python."""

from fractions import Fraction
from math import floor
from types import SimpleNamespace

import numpy as np
import pytest
from playwright.sync_api import expect
from web import OF_COLORS, switch

from olutil.experts import WeightedMajority
from olutil.theorems import bound

EXPERTS = "lectures/cos511-experts"
ALONE = {"only": ".ol-game"}
KINDS = {EXPERTS: ("weather",)}

# What each expert of the lecture's game says on a day (from 1) after this weather.
FORECASTS = {
    "always sun": lambda day, yesterday: 0,
    "always rain": lambda day, yesterday: 1,
    "like yesterday": lambda day, yesterday: yesterday,
    "unlike yesterday": lambda day, yesterday: 1 - yesterday,
    "rain on odd days": lambda day, yesterday: day % 2,
    "rain on even days": lambda day, yesterday: 1 - day % 2,
}


# All that a player sees, asked for at once: each question costs a round trip.
SEEN = """
(root) => {
  const texts = (within, selector) =>
    [...within.querySelectorAll(selector)].map((element) => element.textContent);
  return {
    rounds: Number(root.dataset.rounds),
    mistakes: Number(root.dataset.mistakes),
    over: root.dataset.over === "true",
    forecast: root.dataset.forecast,
    turn: root.querySelector(".ol-turn").textContent,
    played: [...root.querySelectorAll(".ol-rounds tbody tr")]
      .map((row) => texts(row, "td")),
    left: texts(root, ".ol-mark").flatMap((mark, i) => (mark === "✓" ? [i] : [])),
    enabled: [...root.querySelectorAll("[data-label]:enabled")]
      .map((button) => Number(button.dataset.label)),
    taken: [...root.querySelectorAll(".ol-taken")].map((part) => part.dataset.path),
    tree: root.querySelector(".ol-tree:not([hidden]) svg")?.ariaLabel,
    experts: [...root.querySelectorAll(".ol-experts tbody tr")]
      .map((row) => [row.dataset.count, ...texts(row, "th, td:nth-child(2)")]),
    weights: texts(root, ".ol-bar + span"),
    chart: texts(root, ".ol-chart b"),
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


# ---------------------------------------------------------------- the weather


def tied(learner, advice):
    """Whether half of the weight is for rain."""
    return 2 * (learner.weights * advice).sum() == learner.weights.sum()


def test_forecasts_and_counts_are_those_of_weighted_majority(game):
    it = game("weather")
    rng = np.random.default_rng(0)
    # Random weather, weather that is often contrary, weather that always is.
    for spite in (0, 0.5, 1):
        it.root.get_by_role("button", name="Start again").click()
        learner = WeightedMajority(len(FORECASTS), beta=Fraction(1, 2))
        yesterday, mistakes = 0, 0
        seen = it.see()
        for day in range(1, 21):
            advice = [says(day, yesterday) for says in FORECASTS.values()]
            words = [("sun", "rain")[forecast] for forecast in advice]
            assert [row[1:] for row in seen.experts] == [
                [name, word] for name, word in zip(FORECASTS, words, strict=True)
            ]
            said = learner.predict(advice)
            assert (seen.forecast, seen.over) == (str(said), False)
            assert f"Day {day}, your turn" in seen.turn
            assert ("a tie, and then it says sun" in seen.turn) == tied(learner, advice)
            label = int(1 - said if rng.random() < spite else rng.integers(2))
            it.press(label)
            learner.update(advice, label, said)
            mistakes += label != said
            yesterday = label
            seen = it.see()
            assert [int(row[0]) for row in seen.experts] == learner.counts.tolist()
            shares = learner.weights / learner.weights.sum()
            percents = [f"{floor(100 * share + Fraction(1, 2))}%" for share in shares]
            assert seen.weights == percents
            best = learner.counts.min()
            allowed = bound("cos511-thm1", beta=0.5, n=learner.n, best=best)
            assert seen.chart == [str(mistakes), str(best), f"{allowed:.2f}"]
            assert seen.mistakes == mistakes <= allowed
        assert seen.over
        told = f"You forced {mistakes} mistakes, and the best expert made {best}."
        assert told in seen.turn


# ---------------------------------------------------------------- keys and screens


@pytest.mark.parametrize("name", [EXPERTS])
def test_games_that_are_over_are_accessible(open_page, axe, name):
    page = open_page(name, **ALONE)
    for kind in KINDS[name]:
        play_to_the_end(Game(page, kind))
    assert axe(page, ".ol-game") == []
    switch(page, "dark")
    assert axe(page, ".ol-game", only=OF_COLORS) == []


@pytest.mark.parametrize("name", [EXPERTS])
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


@pytest.mark.parametrize("name", [EXPERTS])
def test_paper_shows_the_start_and_says_what_it_is(open_page, name):
    page = open_page(name, **ALONE)
    page.emulate_media(media="print")
    for kind in KINDS[name]:
        root = page.locator(f".ol-game[data-game={kind}]")
        expect(root.locator(".ol-paper")).to_be_visible()
        expect(root.locator(".ol-controls")).to_be_hidden()
        expect(root.locator("table").first).to_be_visible()
