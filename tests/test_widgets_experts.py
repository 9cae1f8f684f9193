"""The figures about expert advice, as far as Python makes them."""

import json

import numpy as np
import pytest

from olutil.theorems import bound
from olutil.widgets import weather_game

RULES = {"always sun": "0000", "always rain": "1111", "like yesterday": "0101"}


def test_the_weather_has_rules_an_example_and_the_bounds():
    game = weather_game(RULES, rounds=3, example=("Rain", np.array([1, 1, 1])))
    data = json.loads(json.dumps(dict(game.data)))
    assert data["names"] == list(RULES)
    assert data["rules"] == list(RULES.values())
    assert (data["rounds"], data["example"]) == (3, ["Rain", [1, 1, 1]])
    for id, values in zip(("cos511-thm1", "cos511-thm2"), data["bounds"], strict=True):
        promised = [bound(id, beta=0.5, n=3, best=m) for m in range(4)]
        assert values == pytest.approx(promised, abs=1e-6)


def test_without_an_example_sun_and_rain_take_turns():
    assert weather_game(RULES, rounds=3).data["example"][1] == [0, 1, 0]


@pytest.mark.parametrize(
    "arguments, message",
    [
        ({"rules": {"one": "0000"}}, "rules: expected a mapping of at least two exp"),
        ({"rules": RULES | {"short": "01"}}, "rules: .* labels .*'short', got '01'"),
        ({"rules": RULES | {"odd": "0120"}}, "rules: .* for 'odd', got '0120'"),
        ({"rounds": 0}, "rounds: expected a whole number from 1 to 40, got 0"),
        ({"rounds": 41}, "rounds: expected a whole number from 1 to 40, got 41"),
        ({"example": ("no", [0, 1])}, "example: expected a name and 3 labels 0 or 1"),
        ({"example": ("no", [0, 1, 2])}, "example: expected a name and 3 labels"),
        ({"example": "010"}, "example: expected a name and 3 labels 0 or 1"),
    ],
)
def test_bad_rules_days_or_examples_are_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        weather_game(**{"rules": RULES, "rounds": 3} | arguments)
