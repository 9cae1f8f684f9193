"""All that the package makes can be sent to another process and comes back the same."""

import builtins
import copy
import importlib
import inspect
import multiprocessing
import pickle
from concurrent.futures import ProcessPoolExecutor
from fractions import Fraction

import joblib
import numpy as np
import pytest
from test_api import public_modules

import olutil
from olutil import (
    boxes,
    concepts,
    dimension,
    exact,
    experts,
    fast,
    games,
    linear,
    margins,
    play,
    streams,
    sweep,
    theorems,
    verify,
    widgets,
)

CLASS = [[0, 1, 1], [0, 0, 1], [1, 1, 1]]
# A learner after a round: what it received, what was revealed.
POINTS, BITS, REALS = (1, 0), ([0, 1], 1), ([1.5, -2.0], 1)
LEARNERS = [
    (experts.WeightedMajority(2, beta=0.5, lazy=True), BITS),
    (experts.RandomizedWeightedMajority(2, beta=Fraction(1, 3)), BITS),
    (
        experts.RandomizedWeightedMajority(2, eta=0.1, rng=np.random.default_rng(1)),
        BITS,
    ),
    (experts.AggregatingAlgorithm(2, beta=0.5), BITS),
    (experts.FollowTheLeader(2), BITS),
    (concepts.Halving(CLASS), POINTS),
    (concepts.StandardOptimal(CLASS), POINTS),
    (concepts.Elimination(CLASS), POINTS),
    (linear.Perceptron(2), REALS),
    (linear.PassiveAggressive(2), REALS),
    (linear.Winnow(2), BITS),
    (linear.OnlineGradientDescent(2, rate=0.1), REALS),
    (linear.GridHalving([[1, 2], [2, 1]]), REALS),
    (linear.EllipsoidHalving(2), REALS),
    (games.ExponentialWeights(2, lam=0.1), (None, [1, 2])),
]


def drawn(beta):
    return None, f"beta = {beta}"


RUN = play(experts.FollowTheLeader(2), streams.every_stream(2, 1))
RECORDS = [
    RUN,
    RUN.instances,
    verify.Record("kak-thm2.2", "exact", 3, "cases", "3", "≤", "3", 1.0),
    theorems.STATEMENTS["kak-thm2.2"],
    boxes.Box("kak-x", "theorem", "A title", "A text", "page.md"),
    sweep.Sums(2, 3, 5),
    margins.margin([[1, 0], [0, 1]], [1, 1]),
    fast.perceptron([[1, 2], [2, 1]], [1, -1]),
    dimension.mistake_tree(CLASS),
    exact.experts_worst_case(experts.FollowTheLeader(2), 2, symmetric=False),
    games.MATCHING_PENNIES,
    next(games.fictitious_play(games.MATCHING_PENNIES, [1, 2], [2, 1])),
    next(games.fictitious_runs(games.MATCHING_PENNIES, [1, 2], [2, 1])),
    widgets.adversary_game(CLASS),
    widgets.explore(drawn, {"beta": [0, 1]}, "A caption."),
    games.smooth_response(np.random.default_rng(0), 0.1),
]
ERRORS = [
    verify.BoundViolated("kak-thm2.2", "kak-thm2.2 is violated"),
    verify.ClaimHolds("cos511-E3: the claim holds"),
    verify.VacuousCheck("kak-thm2.2: expected at least one instance"),
    sweep.BlockError("block 3 failed"),
]
# A generator runs in one process; a protocol and what is abstract have no instances.
NEVER = {"Stream", "Learner"}


def everything(thing):
    """The numbers and texts in an object, for a comparison."""
    if isinstance(thing, np.random.Generator):
        return thing.bit_generator.state
    if isinstance(thing, np.ndarray):
        return str(thing.dtype), thing.tolist()
    if isinstance(thing, BaseException):
        return type(thing), str(thing), thing.args
    if isinstance(thing, tuple | list):
        return type(thing), [everything(item) for item in thing]
    if hasattr(thing, "__dict__") and not inspect.isroutine(thing):
        state = {k: v for k, v in vars(thing).items() if k != "_dimension"}
        return type(thing), {key: everything(value) for key, value in state.items()}
    return thing


def after_a_round(learner, x, y):
    y_hat = learner.predict(x)
    learner.update(x, y, y_hat)
    return learner, y_hat


def the_same(thing):
    return thing


def fails(error):
    raise error


def test_all_public_classes_are_tried():
    tried = {type(item).__name__ for item in RECORDS + ERRORS}
    tried |= {type(learner).__name__ for learner, _ in LEARNERS}
    found = {
        name
        for module in public_modules()
        for name, value in inspect.getmembers(importlib.import_module(module))
        if inspect.isclass(value) and value.__module__.startswith("olutil")
        if not name.startswith("_")
    }
    assert found - tried == NEVER


@pytest.mark.parametrize("copied", [pickle.dumps, copy.deepcopy, copy.copy])
@pytest.mark.parametrize(
    "thing", RECORDS + ERRORS, ids=lambda thing: type(thing).__name__
)
def test_records_and_errors(thing, copied):
    back = copied(thing)
    back = pickle.loads(back) if isinstance(back, bytes) else back
    assert everything(back) == everything(thing)


@pytest.mark.parametrize(("learner", "round"), LEARNERS, ids=lambda v: type(v).__name__)
def test_learners_go_on_where_they_were(learner, round):
    learner, _ = after_a_round(copy.deepcopy(learner), *round)
    back = pickle.loads(pickle.dumps(learner))
    assert everything(back) == everything(learner)
    assert everything(after_a_round(back, *round)) == everything(
        after_a_round(learner, *round)
    )


def test_a_pool_of_processes():
    """Learners come back from it, and errors do, with all that they say."""
    spawned = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, mp_context=spawned) as pool:
        played = [pool.submit(after_a_round, s, *round) for s, round in LEARNERS]
        for (learner, round), there in zip(LEARNERS, played, strict=True):
            here = after_a_round(copy.deepcopy(learner), *round)
            assert everything(there.result(timeout=120)) == everything(here)
        sent = [pool.submit(the_same, record) for record in RECORDS]
        assert everything([s.result() for s in sent]) == everything(RECORDS)
        for error in ERRORS:
            with pytest.raises(type(error)) as raised:
                pool.submit(fails, error).result(timeout=120)
            assert str(raised.value) == str(error)
    assert raised.type is sweep.BlockError


def test_joblib():
    tasks = [joblib.delayed(after_a_round)(s, *round) for s, round in LEARNERS]
    there = joblib.Parallel(n_jobs=2)(tasks)
    here = [after_a_round(copy.deepcopy(s), *round) for s, round in LEARNERS]
    assert everything(there) == everything(here)
    with pytest.raises(verify.BoundViolated) as raised:
        joblib.Parallel(n_jobs=2)(
            [joblib.delayed(fails)(error) for error in ERRORS[:1]]
        )
    assert raised.value.id == "kak-thm2.2"


def test_a_star_import_takes_no_name_of_the_package_itself():
    """`from olutil.games import *` once replaced `olutil.Run`."""
    for module in public_modules()[1:]:
        names = {}
        exec(f"from {module} import *", names)
        del names["__builtins__"]
        for name in names.keys() & set(olutil.__all__):
            assert names[name] is getattr(olutil, name), (module, name)
        assert not names.keys() & set(dir(builtins)), module
