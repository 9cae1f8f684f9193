"""The game's table, and its start as it stands in a page."""

import json
import re
from math import log

import pytest
from bs4 import BeautifulSoup

from olutil.widgets import weather_game

RULES = {"always sun": "0000", "always rain": "1111", "like yesterday": "0101"}


def page(game):
    return BeautifulSoup(game._repr_html_(), "html.parser")


# ---------------------------------------------------------------- the weather


def test_the_bounds_are_those_of_theorem_1():
    bounds = weather_game(RULES, rounds=6).table["bounds"]
    by_hand = [(m * log(2) + log(3)) / log(4 / 3) for m in range(7)]
    assert bounds == pytest.approx(by_hand, abs=1e-6)


def test_the_experts_stand_in_the_order_of_the_rules():
    game = weather_game(RULES)
    rows = page(game).select(".ol-experts tbody th")
    assert [row.get_text() for row in rows] == list(RULES)
    assert game.table["rules"] == list(RULES.values())


# ---------------------------------------------------------------- the page

GAMES = {
    "weather": lambda: weather_game(RULES),
}
every_game = pytest.mark.parametrize("kind", GAMES)


@every_game
def test_the_output_depends_on_nothing_but_the_arguments(kind):
    assert GAMES[kind]()._repr_html_() == GAMES[kind]()._repr_html_()


@every_game
def test_the_page_holds_the_table_and_the_start(kind):
    game = GAMES[kind]()
    section = page(game).select_one("section.ol-game")
    assert section["data-game"] == kind
    assert (section["data-rounds"], section["data-mistakes"]) == ("0", "0")
    assert section["data-over"] == "false"
    told = json.loads(section.select_one("script").string)
    assert told == json.loads(json.dumps(dict(game.table)))
    labels = [button["data-label"] for button in section.select("[data-label]")]
    assert labels == ["0", "1"]
    assert section.select_one("noscript").get_text(strip=True)
    assert repr(game).startswith("A game to play on the page: ")


@every_game
def test_nothing_is_asked_of_another_host_and_no_id_is_taken(kind):
    html = GAMES[kind]()._repr_html_()
    assert not re.search(r"https?://|\bid=|\bsrc=|@import|url\(", html)


@pytest.mark.parametrize(
    "rules, rounds, message",
    [
        ({"one": "0000"}, 5, "rules: expected a mapping of at least two experts"),
        (RULES | {"short": "01"}, 5, "rules: expected four labels .*'short', got '01'"),
        (
            RULES | {"odd": "0120"},
            5,
            "rules: expected four labels .* for 'odd', got '0120'",
        ),
        (RULES, 0, "rounds: expected a whole number of at least 1, got 0"),
        (RULES, 41, "rounds: expected at most 40, got 41"),
    ],
)
def test_bad_rules_or_rounds_are_refused(rules, rounds, message):
    with pytest.raises(ValueError, match=message):
        weather_game(rules, rounds=rounds)
