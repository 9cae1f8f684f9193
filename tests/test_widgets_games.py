"""The games' tables against brute force, and their start as it stands in a page."""

import json
import re
from itertools import combinations, product

import numpy as np
import pytest
from bs4 import BeautifulSoup

from olutil import play
from olutil.classes import (
    all_functions,
    intervals,
    monotone_disjunctions,
    singletons,
    thresholds,
)
from olutil.concepts import StandardOptimal
from olutil.widgets import adversary_game, learner_game

CLASSES = {
    "thresholds": thresholds(7),
    "intervals": intervals(4),
    "singletons": singletons(5),
    "disjunctions": monotone_disjunctions(3, 3),
    "all functions": all_functions(2),
    "rows in no order": np.array([[1, 0, 1], [0, 0, 1], [1, 1, 1], [0, 1, 0]]),
}

every_class = pytest.mark.parametrize("C", CLASSES.values(), ids=CLASSES)


def page(game):
    return BeautifulSoup(game._repr_html_(), "html.parser")


# ---------------------------------------------------------------- brute force


def shrunk(C, given):
    """The rows of C that agree with labels at points."""
    return [row for row in C if all(row[x] == y for x, y in given)]


def forced(rows):
    """The most mistakes that can be forced: the recursion, as plainly as can be."""
    rows = [tuple(row) for row in rows]
    if not rows:
        return -1
    halves = [
        [[row for row in rows if row[x] == y] for y in (0, 1)]
        for x in range(len(rows[0]))
    ]
    return max((1 + min(forced(a), forced(b)) for a, b in halves if a and b), default=0)


def name_of(C, rows):
    """A version space as the table writes it."""
    members = {tuple(row) for row in rows}
    return "".join("1" if tuple(row) in members else "0" for row in C)


# ---------------------------------------------------------------- the adversary


@every_class
def test_whatever_is_predicted_the_tree_forces_opt_mistakes(C):
    table = adversary_game(C).table
    assert table["opt"] == forced(C)
    for predictions in product((0, 1), repeat=table["opt"]):
        node, given = table["tree"], []
        for predicted in predictions:
            point, *children = node
            given.append((point, 1 - predicted))
            node = children[1 - predicted]
        assert isinstance(node, int)
        assert all(C[node][x] == y for x, y in given)


@every_class
def test_the_drawing_shows_the_tree(C):
    game = adversary_game(C)
    drawn = {g["data-path"]: g for g in page(game).select("svg g")}
    assert len(drawn) == 2 ** (game.table["opt"] + 1) - 1
    for path, group in drawn.items():
        node = game.table["tree"]
        for label in path:
            node = node[1 + int(label)]
        shown = node if isinstance(node, int) else node[0]
        *edge, text = (tag.get_text() for tag in group.select("text"))
        assert (edge, text) == (list(path[-1:]), str(shown))
        assert (group.circle is None) == isinstance(node, int)


# ---------------------------------------------------------------- the learner


@every_class
def test_the_table_has_every_version_space_and_no_other(C):
    points = range(C.shape[1])
    left = (
        name_of(C, shrunk(C, list(zip(chosen, labels, strict=True))))
        for size in range(len(points) + 1)
        for chosen in combinations(points, size)
        for labels in product((0, 1), repeat=size)
    )
    assert set(learner_game(C).table["spaces"]) == set(left) - {"0" * len(C)}


@every_class
def test_dimensions_and_predictions_are_those_of_the_definition(C):
    for alive, (dimension, says) in learner_game(C).table["spaces"].items():
        rows = C[[bit == "1" for bit in alive]]
        assert dimension == forced(rows)
        for x, predicted in enumerate(says):
            zero, one = (forced(shrunk(rows, [(x, y)])) for y in (0, 1))
            assert int(predicted) == (one >= zero)


@every_class
def test_predictions_are_those_of_the_learner_at_play(C):
    spaces = learner_game(C).table["spaces"]
    rng = np.random.default_rng(0)
    for _ in range(20):
        target = rng.choice(C)
        rounds = [(x, target[x]) for x in rng.integers(C.shape[1], size=6)]
        run = play(StandardOptimal(C), rounds)
        for t, (x, _) in enumerate(rounds):
            alive = name_of(C, shrunk(C, rounds[:t]))
            assert int(spaces[alive][1][x]) == run.predictions[t]


@every_class
def test_the_best_play_against_the_table_forces_opt_mistakes(C):
    table = learner_game(C).table

    def most(alive):
        """The most mistakes from here on, over the rounds that change something."""
        reached = [0]
        for x, predicted in enumerate(table["spaces"][alive][1]):
            for label in "01":
                left = "".join(
                    "1" if bit == "1" and row[x] == label else "0"
                    for bit, row in zip(alive, table["rows"], strict=True)
                )
                if left in table["spaces"] and left != alive:
                    reached.append((label != predicted) + most(left))
        return max(reached)

    assert most("1" * len(C)) == table["opt"] == forced(C)


# ---------------------------------------------------------------- the page

GAMES = {
    "adversary": lambda: adversary_game(thresholds(7)),
    "learner": lambda: learner_game(thresholds(7)),
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


@pytest.mark.parametrize("make", [adversary_game, learner_game])
@every_class
def test_the_class_is_shown_row_by_row(make, C):
    rows = page(make(C)).select(".ol-concepts tbody tr")
    shown = [[cell.get_text() for cell in row.select("td")[:-1]] for row in rows]
    assert shown == [[str(label) for label in row] for row in C]


def test_names_are_shown_and_cannot_break_the_page():
    game = adversary_game([[0], [1]], points=["</script>"], concepts=["<i>a</i>", "b"])
    parsed = page(game)
    assert parsed.select_one(".ol-concepts tbody th").get_text() == "<i>a</i>"
    assert "<i>a</i>" in [text.get_text() for text in parsed.select("svg text")]
    assert len(parsed.select("script")) == 2
    assert json.loads(parsed.script.string)["points"] == ["</script>"]


# ---------------------------------------------------------------- bad input


@pytest.mark.parametrize("make", [adversary_game, learner_game])
@pytest.mark.parametrize(
    "arguments, message",
    [
        (([[0, 2]],), "C: expected labels 0 or 1, got .*2"),
        (([[0, 1]],), "C: expected two or more concepts, none of them twice"),
        (([[0, 1], [0, 1]],), "C: expected two or more concepts, none of them twice"),
        (([[0], [1]], ["a", "b"]), "points: expected 1 different names, got"),
        (([[0], [1]], None, ["a", "a"]), "concepts: expected 2 different names, got"),
    ],
)
def test_a_bad_class_or_bad_names_are_refused(make, arguments, message):
    C, points, concepts = (*arguments, None, None)[:3]
    with pytest.raises(ValueError, match=message):
        make(C, points=points, concepts=concepts)


def test_a_class_with_too_many_version_spaces_is_refused():
    with pytest.raises(ValueError, match="C: expected at most 200 version spaces"):
        learner_game(all_functions(5))
