"""The figures about expert advice, as far as Python makes them."""

import json

import numpy as np
import pytest

from olutil.theorems import bound
from olutil.widgets import experts_race, weather_game

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
        ({"rounds": 0}, "rounds: expected a whole number from 1 to 30, got 0"),
        ({"rounds": 31}, "rounds: expected a whole number from 1 to 30, got 31"),
        ({"example": ("no", [0, 1])}, "example: expected a name and 3 labels 0 or 1"),
        ({"example": ("no", [0, 1, 2])}, "example: expected a name and 3 labels"),
        ({"example": "010"}, "example: expected a name and 3 labels 0 or 1"),
    ],
)
def test_bad_rules_days_or_examples_are_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        weather_game(**{"rules": RULES, "rounds": 3} | arguments)


# ---------------------------------------------------------------- the race

ADVICE, OUTCOMES = [[0, 1, 1], [1, 0, 1]], [1, 0]


def test_the_race_starts_as_given_and_has_the_bounds():
    data = json.loads(json.dumps(dict(experts_race(ADVICE, OUTCOMES, beta=0.35).data)))
    assert data["start"] == {"advice": ADVICE, "outcomes": OUTCOMES, "step": 7}
    ids = ("cos511-thm1", "cos511-thm2", "cos511-improve-beta")
    for id, values in zip(ids, data["bounds"], strict=True):
        for step, row in enumerate(values, start=1):
            promised = [bound(id, beta=step / 20, n=3, best=m) for m in range(3)]
            assert row == pytest.approx(promised, abs=1e-4)
        assert len(values) == 19


@pytest.mark.parametrize(
    "arguments, message",
    [
        ({"advice": [[0, 2, 1], [1, 0, 1]]}, "advice: expected labels 0 or 1, got .*2"),
        ({"advice": [0, 1]}, r"advice: expected 1 to 12 rounds by 2 to 5 .*\(2,\)"),
        ({"advice": [[0], [1]]}, r"advice: expected 1 to 12 rounds .*\(2, 1\)"),
        ({"advice": [[0, 1]] * 13}, r"advice: expected 1 to 12 rounds .*\(13, 2\)"),
        ({"outcomes": [1]}, r"outcomes: expected 2 labels, got 'shape \(1,\)'"),
        ({"outcomes": [1, -1]}, "outcomes: expected labels 0 or 1, got .*-1"),
        ({"beta": 0.52}, "beta: expected one of 0.05, 0.1, .*, got 0.52"),
    ],
)
def test_a_bad_stream_or_penalty_is_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        experts_race(**{"advice": ADVICE, "outcomes": OUTCOMES} | arguments)
