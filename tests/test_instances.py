"""Instances are counted by what made them, and must fit what was observed."""

import numpy as np
import pytest

from olutil import check, play
from olutil.exact import experts_worst_case
from olutil.experts import WeightedMajority
from olutil.instances import (
    Instances,
    adversary,
    drawn,
    every,
    instances_of,
    opposed,
    stream,
)
from olutil.streams import contrary, every_stream, opposites, random_advice

WMA = {"beta": 0.5, "n": 2}


def _all_streams():
    run = play(WeightedMajority(2, beta=0.5), every_stream(2, 3))
    errors = (run.inputs != run.labels[..., None]).sum(axis=0)
    return run, errors.min(axis=-1)


def test_a_run_counts_its_games_and_its_stream_says_which_they_are():
    run, best = _all_streams()
    record = check("cos511-thm1", run.mistakes, over=run, trivial=3, best=best, **WMA)
    assert (record.how, record.instances) == ("exhaustive", 2**9)
    assert record.what == "streams of 3 rounds with 2 experts"
    rng = np.random.default_rng(0)
    run = play(WeightedMajority(2, beta=0.5), random_advice(rng, 5, 2, batch=(7, 3)))
    assert (run.instances.how, run.instances.count) == ("random", 21)
    learner = WeightedMajority(2, beta=0.5)
    run = play(learner, contrary(learner, opposites(4)))
    assert (run.instances.how, run.instances.count) == ("adversary", 1)


def test_a_worst_case_stands_for_all_its_streams():
    worst = experts_worst_case(WeightedMajority(2, beta=0.5), 20)
    best, most = np.array(list(worst.items())).T
    record = check("cos511-thm1", most, over=worst, trivial=20, best=best, **WMA)
    assert (record.how, record.instances) == ("exhaustive", 2**60)
    both = check(
        "cos511-thm1", [most, most], over=[worst, worst], trivial=20, best=best, **WMA
    )
    assert both.instances == 2**61


def test_numbers_that_do_not_fit_what_was_observed_are_refused():
    run, best = _all_streams()
    for observed, given in (
        (run.mistakes[:-1], best[:-1]),
        (run.mistakes.max(), 0),
        ([1, 2], np.array([0, 0])),
    ):
        with pytest.raises(ValueError, match="observed: expected a number for each"):
            check("cos511-thm1", observed, over=run, trivial=9, best=given, **WMA)
    worst = experts_worst_case(WeightedMajority(2, beta=0.5), 20)
    with pytest.raises(ValueError, match="observed: expected a number for each of 21"):
        check("cos511-thm1", [1], over=worst, trivial=20, best=0, **WMA)


@pytest.mark.parametrize("how", ["exhaustive", "adversary", "random"])
def test_a_kind_that_nothing_vouches_for_is_refused(how):
    with pytest.raises(ValueError, match="over: expected what made"):
        check("kak-thm2.2", 1, how=how, trivial=5, size=4)
    with pytest.raises(ValueError, match="how: expected nothing"):
        check("kak-thm2.2", 1, how=how, over=every([0], "x"), trivial=5, size=4)


@pytest.mark.parametrize(
    "over", [3, [], [3], "exhaustive", play(WeightedMajority(1, beta=0), [([1], 1)])]
)
def test_what_does_not_say_its_instances_is_refused(over):
    with pytest.raises(ValueError, match="over: expected what made the instances"):
        check("kak-thm2.2", 1, over=over, trivial=5, size=4)


def test_sources_of_one_kind_are_added_and_others_refused():
    some, more = every("abc", "games of 2 rounds"), every("ab", "games of 3 rounds")
    assert instances_of([some, more]) == Instances("exhaustive", 5, "games", 5)
    assert instances_of([some, every("a", "classes")]).what == "instances"
    with pytest.raises(ValueError, match="one kind"):
        instances_of([some, drawn("ab", "games")])
    assert opposed("ab", "games").how == "adversary"


def test_several_numbers_for_each_are_cases_of_their_own():
    found = every("abc", "games").compared_in(6)
    assert (found.count, found.what) == (6, "cases, 2 for each of the 3 games")
    for size in (2, 4):
        with pytest.raises(ValueError, match="a number for each of 3 games"):
            every("abc", "games").compared_in(size)


def test_only_some_of_the_games_or_a_mean_over_them():
    games = every(range(8), "games")
    kept = games.where(np.arange(8) < 3)
    assert (kept.count, kept.entries) == (3, 3)
    assert (games.into(1).count, games.into(1).compared_in(1).count) == (8, 8)
    for bad in (np.ones(7, bool), np.ones(8)):
        with pytest.raises(ValueError, match="chosen: expected 8 truth values"):
            games.where(bad)
    with pytest.raises(ValueError, match="entries: .*from 1 to 8, got 9"):
        games.into(9)


def test_a_generator_says_its_kind_with_the_words_of_its_arguments():
    @stream("random", "streams of {rounds} rounds")
    def noise(rounds, *, lazy=False):
        yield from [(0, 1)] * rounds

    @adversary("games of {rounds} rounds")
    def spite(learner, rounds=2):
        for _ in range(rounds):
            yield [0], 1 - learner.predict([0])

    assert noise(3).instances == Instances("random", 1, "streams of 3 rounds", 1)
    assert list(noise(3)) == [(0, 1)] * 3
    learner = WeightedMajority(1, beta=0)
    run = play(learner, spite(learner))
    assert run.instances == Instances("adversary", 1, "games of 2 rounds", 1)
    assert next(noise(1)) == (0, 1)
