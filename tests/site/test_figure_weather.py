"""Be the weather: its numbers against the package's, and a game in the browser."""

from itertools import product

import numpy as np
import pytest
from playwright.sync_api import expect
from web import OF_COLORS, switch

from olutil import play
from olutil.experts import RandomizedWeightedMajority, WeightedMajority

PAGE = "lectures/cos511-experts"
ALONE = {"only": ".ol-figure"}
LEARNERS = (WeightedMajority, RandomizedWeightedMajority)
COINS = pytest.mark.parametrize("coin", (0, 1), ids=("vote", "coin"))


def run_on(rules, coin, weathers):
    """The package's run on weathers, and the score that it gives each of them."""
    weathers = np.array(weathers).T  # time first
    yesterday = np.vstack([0 * weathers[:1], weathers[:-1]])
    forecasts = np.array([list(map(int, rule)) for rule in rules]).T
    days = np.arange(len(weathers))[:, None]
    advice = forecasts[2 * (days % 2) + yesterday]
    run = play(LEARNERS[coin](len(rules), beta=0.5), zip(advice, weathers, strict=True))
    erred = (advice != weathers[..., None]).sum(axis=0)
    return run, run.mistakes - erred.min(axis=-1)


def some_rules(rng):
    says = rng.integers(0, 2, (rng.integers(2, 7), 4))
    return ["".join(map(str, rule)) for rule in says]


@COINS
def test_forecasts_and_score_are_the_package_s(computed, coin):
    rng = np.random.default_rng(0)
    games = [
        [some_rules(rng), coin, rng.integers(0, 2, rng.integers(1, 31)).tolist()]
        for _ in range(500)
    ]
    said = computed("weather", "says", games)
    scores = computed("weather", "score", games)
    for (rules, _, weather), says, score in zip(games, said, scores, strict=True):
        run, expected = run_on(rules, coin, [weather])
        assert says == run.predictions[:, 0].tolist()
        assert score == pytest.approx(expected[0], abs=1e-9)


@COINS
def test_no_weather_of_all_has_more_than_what_is_within_reach(computed, coin):
    rng = np.random.default_rng(1)
    games = [
        [some_rules(rng), coin, 8, rng.integers(0, 2, rng.integers(0, 9)).tolist()]
        for _ in range(500)
    ]
    for game, best in zip(games, computed("weather", "best", games), strict=True):
        rules, _, rounds, past = game
        left = product((0, 1), repeat=rounds - len(past))
        every = [past + list(rest) for rest in left]
        assert best == pytest.approx(run_on(rules, coin, every)[1].max(), abs=1e-9)


@COINS
def test_the_perfect_weather_has_the_best_score(computed, coin):
    rng = np.random.default_rng(2)
    games = [[some_rules(rng), coin, int(rng.integers(1, 15))] for _ in range(500)]
    perfect = computed("weather", "perfect", games)
    bests = computed("weather", "best", [[*game, []] for game in games])
    for (rules, *_), weather, best in zip(games, perfect, bests, strict=True):
        assert run_on(rules, coin, [weather])[1][0] == pytest.approx(best, abs=1e-9)


# ---------------------------------------------------------------- in the page


@pytest.fixture
def game(open_page):
    """A function that opens the page and gives its figure."""

    def opened(**options):
        figure = open_page(PAGE, **ALONE, **options).locator("[data-figure=weather]")
        expect(figure.get_by_role("button", name="sun")).to_be_visible()
        return figure

    return opened


def told(figure):
    return figure.get_by_role("status").inner_text()


def contradict(figure, press):
    """Play all days, each time what the forecaster does not say."""
    while figure.get_by_role("button", name="sun").is_enabled():
        press("rain" if told(figure).endswith("says sun.") else "sun")


def test_who_contradicts_the_vote_wins_and_has_a_record(game):
    figure = game()
    # Real weather is there at first.
    assert "score of 2, where 8 is possible. Your turn, day 1: " in told(figure)
    contradict(figure, lambda kind: figure.get_by_role("button", name=kind).click())
    end = told(figure)
    assert end.startswith("You fooled the forecaster 14 times")
    assert end.endswith("Nobody can do better! What if it tosses a coin?")
    score = figure.locator(".ol-score")
    assert score.get_attribute("aria-label") == "Score 8; the best is 8"
    expect(figure).to_contain_text("your record 8")
    # The same weather is a poor one against the coin, and the best one can be seen.
    figure.get_by_text("a coin", exact=True).click()
    assert "on average" in told(figure) and told(figure).endswith("is possible.")
    figure.get_by_role("button", name="Show the best").click()
    assert "Nobody can do better!" in told(figure)
    figure.page.reload()
    expect(figure).to_contain_text("your record 8")


def test_arrow_keys_are_the_weather(game):
    figure = game()
    figure.get_by_role("button", name="Start again").focus()
    keys = {"sun": "ArrowLeft", "rain": "ArrowRight"}
    contradict(figure, lambda kind: figure.page.keyboard.press(keys[kind]))
    assert "Nobody can do better!" in told(figure)
    expect(figure.get_by_role("button", name="Start again")).to_be_focused()
    figure.page.keyboard.press("Enter")
    assert told(figure) == "A new game. Day 1: the forecaster says sun."


def test_the_buttons_stay_where_they_are(open_page):
    """In a narrow column, where the sentence has two lines or three."""
    figure = open_page("index", **ALONE).locator("[data-figure=weather]")
    sun = figure.get_by_role("button", name="sun")
    place = sun.bounding_box()
    for kind in ("sun", "rain", "rain", "rain", "sun") * 2:
        figure.get_by_role("button", name=kind).click()
        assert sun.bounding_box() == place


def test_a_stranger_with_a_phone_sees_where_to_press(open_page):
    """The landing page's first screen, before anything is scrolled."""
    page = open_page("index", viewport={"width": 390, "height": 844})
    for kind in ("sun", "rain"):
        box = page.get_by_role("button", name=kind, exact=True).bounding_box()
        assert box["y"] + box["height"] <= 700  # browsers have bars


def test_code_waits_for_the_game_below_which_it_stands(open_page):
    """The file has it first, and may come in pieces."""
    page = open_page("index")
    code = page.get_by_text("Show the code").first
    expect(code).to_be_visible()
    page.locator(".cell:has(.ol-weather) > .cell_output").evaluate("it => it.remove()")
    expect(code).to_be_hidden()


def test_a_day_that_costs_says_what_it_cost(game):
    figure = game()
    for _ in range(3):
        figure.get_by_role("button", name="sun").click()
    assert told(figure).startswith("It was right: day 3 had sun, but it cost you")
    assert figure.locator(".ol-cost").count() > 0


def test_a_phone_shows_all_of_it_and_a_finger_plays(game):
    figure = game(viewport={"width": 390, "height": 844}, has_touch=True)
    contradict(figure, lambda kind: figure.get_by_role("button", name=kind).tap())
    wide, room = figure.evaluate("(e) => [e.scrollWidth, e.clientWidth]")
    assert wide <= room
    for button in figure.get_by_role("button").all():
        if button.is_visible():
            box = button.bounding_box()
            assert min(box["width"], box["height"]) >= 40


def test_it_is_accessible_at_each_stage(game, axe):
    figure = game()
    figure.get_by_text("a coin", exact=True).click()
    for _ in range(4):
        figure.get_by_role("button", name="rain").click()
    part = "[data-figure=weather]"
    assert axe(figure.page, part) == []
    switch(figure.page, "dark")
    assert axe(figure.page, part, only=OF_COLORS) == []


def test_without_scripts_a_sentence_says_what_it_is(open_page):
    page = open_page(PAGE, **ALONE, java_script_enabled=False)
    figure = page.locator("[data-figure=weather]")
    expect(figure).to_contain_text("A figure to touch: be the weather")
