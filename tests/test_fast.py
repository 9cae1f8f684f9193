"""Fast paths count what the readable learners count, and repeat none of the faults."""

import os
import shutil
import subprocess
import sys
from fractions import Fraction
from importlib.util import find_spec
from itertools import islice
from pathlib import Path

import numpy as np
import pytest

from olutil import fast, play
from olutil.classes import all_functions, intervals
from olutil.concepts import Halving
from olutil.experts import RandomizedWeightedMajority, WeightedMajority
from olutil.fast import loops
from olutil.games import MATCHING_PENNIES, SHAPLEY, fictitious_play, game
from olutil.linear import Perceptron, Winnow
from olutil.streams import every_stream, one_at_a_time

PACKAGE = Path(fast.__file__).parent.parent
BETAS = [0, 1e-200, 1e-9, 1e-4, 0.1, 0.3, 0.5, 0.7, 0.9, 0.999, 1 - 2**-53]


def need_numba():
    """Where the tests are to be complete, none is skipped."""
    if find_spec("numba") is None:
        (pytest.fail if os.environ.get("CI") else pytest.skip)("numba is not installed")


@pytest.fixture(params=["compiled", "numpy"])
def engine(request, monkeypatch):
    """With numba, and as if it were not there."""
    if request.param == "compiled":
        need_numba()
        assert loops.compiled(loops.votes)
    else:
        monkeypatch.setitem(sys.modules, "numba", None)
        monkeypatch.setattr(loops, "compiled", loops.compiled.__wrapped__)
        assert loops.compiled(loops.votes) is None


both = pytest.mark.usefixtures("engine")


def readable(kind, advice, outcomes, **options):
    rounds = zip(advice.astype(int), outcomes.astype(int), strict=True)
    return play(kind(advice.shape[-1], **options), rounds).mistakes


def agree(advice, outcomes, beta, tie=0):
    """Both algorithms of experts, the majority's mistakes one by one."""
    advice, outcomes = np.asarray(advice), np.asarray(outcomes)
    expected = readable(RandomizedWeightedMajority, advice, outcomes, beta=beta)
    found = fast.randomized_mistakes(advice, outcomes, beta=beta)
    np.testing.assert_allclose(found, expected, rtol=1e-11, atol=1e-11)
    expected = readable(WeightedMajority, advice, outcomes, beta=beta, tie=tie)
    found = fast.majority_mistakes(advice, outcomes, beta=beta, tie=tie)
    np.testing.assert_array_equal(found, expected)


# ---------------------------------------------------------------- experts


@both
@pytest.mark.parametrize("beta", BETAS)
def test_experts_agree_on_random_streams(beta):
    rng = np.random.default_rng(1)
    for shape in [(1, 1), (7, 1), (40, 4), (30, 5, 10), (90, 6), (25, 2, 3, 4)]:
        advice = rng.random(shape) < rng.random(shape[-1])
        outcomes = rng.random(shape[:-1]) < 0.5
        agree(advice, outcomes, beta)
        agree(advice, outcomes, beta, tie=1)


@both
@pytest.mark.parametrize("beta", [0, 0.3, 0.5])
def test_experts_agree_on_every_stream(beta):
    rounds = list(every_stream(2, 4))
    advice = np.stack([x for x, _ in rounds])
    outcomes = np.stack([y for _, y in rounds])
    agree(advice, outcomes, beta)
    agree(advice, outcomes, beta, tie=1)


@both
@pytest.mark.parametrize("layout", ["streams last", "experts last"])
def test_the_layout_in_memory_does_not_matter(layout):
    rng = np.random.default_rng(2)
    advice = rng.random((20, 6, 50)) < 0.5
    advice = advice.swapaxes(1, 2)
    if layout == "experts last":
        advice = np.ascontiguousarray(advice)
    agree(advice, rng.random((20, 50)) < 0.5, 0.5)


@both
@pytest.mark.parametrize("beta", [0, 0.5, 0.9])
def test_a_long_stream_is_played_in_segments(beta):
    """Ties and leads at the seams too: the segments start from the right counts."""
    rng = np.random.default_rng(3)
    advice = rng.random((1001, 4)) < [0.1, 0.5, 0.5, 0.9]
    agree(advice, rng.random(1001) < 0.5, beta)
    rounds = list(one_at_a_time(4, 500))
    agree([x for x, _ in rounds], [y for _, y in rounds], beta)


@both
def test_no_losses_and_no_rounds():
    agree(np.zeros((9, 3)), np.zeros(9), 0.5)
    assert fast.randomized_mistakes(np.zeros((0, 3)), [], beta=0.5) == 0
    assert fast.majority_mistakes(np.zeros((0, 3)), [], beta=0.5) == 0
    none = np.zeros((0, 5, 3))
    assert fast.randomized_mistakes(none, 0, beta=0.5).tolist() == [0] * 5
    assert fast.majority_mistakes(none, 0, beta=0.5).tolist() == [0] * 5


@both
@pytest.mark.parametrize("rounds", [1, 8, 21, 37])
@pytest.mark.parametrize("beta", [0.5, 0.7, 0.999, 0])
@pytest.mark.parametrize("n", [2**13, 2**16 + 5])
def test_many_experts_agree(rounds, beta, n):
    rng = np.random.default_rng(4)
    advice, outcomes = rng.random((rounds, n)) < 0.4, rng.random(rounds) < 0.5
    expected = readable(RandomizedWeightedMajority, advice, outcomes, beta=beta)
    found = fast.randomized_mistakes(advice, outcomes, beta=beta)
    assert found == pytest.approx(expected, rel=1e-11)


@both
def test_many_experts_whose_best_one_errs_late():
    """Weights that were too small for a float count again when the others fall."""
    advice = np.zeros((2300, loops.PART + 3), dtype=bool)
    advice[:1100, 1:] = True
    advice[1100:2300, [0, -1]] = True
    agree(advice, np.zeros(2300), 0.5)


@both
def test_no_weight_is_lost_by_underflow():
    """Textbook weights are all 0 after 1074 mistakes (beta = 1/2)."""
    rng = np.random.default_rng(5)
    advice = rng.random((2400, 3)) < 0.5
    agree(advice, np.zeros(2400), 0.5)
    # An expert far behind that leads in the end: a weight once 0 stays 0.
    late = np.zeros((2300, 2), dtype=int)
    late[:1100, 1], late[1100:2300, 0] = 1, 1
    agree(late, np.zeros(2300), 0.5)
    w, lost = np.ones(3), 0.0
    with np.errstate(invalid="ignore"):
        for loss in advice:
            lost += w @ loss / w.sum()
            w = w * np.where(loss, 0.5, 1)
    assert np.isnan(lost)


@both
def test_no_total_drifts():
    """A total kept by subtraction is soon wrong; here the mistakes stay exact."""
    advice = np.random.default_rng(6).random((1000, 10)) < 0.45
    agree(advice, np.zeros(1000), 0.7)
    w, total, drifted = np.ones(10), 10.0, 0
    for loss in advice:
        q = w @ loss
        drifted += 2 * q > total
        total -= 0.3 * q
        w *= np.where(loss, 0.7, 1)
    assert drifted != fast.majority_mistakes(advice, 0, beta=0.7)


@both
def test_ties_are_ties():
    """Repeated ties, and leads too small for single precision."""
    agree(np.tile([0, 1], (100, 1)), np.arange(100) % 2, 0.5)
    agree(np.tile([0, 1], (100, 1)), np.arange(100) % 2, 0.5, tie=1)
    # Thirty mistakes apart, the second expert still turns a tie of the other two.
    advice = np.zeros((31, 3), dtype=int)
    advice[:30, 2] = 1
    advice[30] = [0, 1, 1]
    agree(advice, np.zeros(31), 0.5)
    weights = np.array([1, 1, 2**-30], dtype=np.float32)
    assert weights[1] + weights[2] == weights[0]  # as single precision has it
    assert fast.majority_mistakes(advice, np.zeros(31), beta=0.5) == 1


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (([[0, 1]], [0], Fraction(1, 2)), "beta: expected a float"),
        (([[0, 1]], [0], 1), "beta: expected a float"),
        (([[0, 1]], [0], np.nan), "beta: expected a float"),
        (([[0, 2]], [0], 0.5), "advice: expected labels 0 or 1, got .*2"),
        (([[0, 0.5]], [0], 0.5), "advice: expected labels 0 or 1"),
        (([[0, 1]], [-1], 0.5), "outcomes: expected labels 0 or 1"),
        (([0, 1], [0], 0.5), "advice: expected rounds by experts"),
        (([[0, 1]], [0, 1], 0.5), "outcomes: expected a shape"),
        ((np.zeros((3, 0)), 0, 0.5), "advice: expected rounds by experts"),
    ],
)
@pytest.mark.parametrize("function", [fast.randomized_mistakes, fast.majority_mistakes])
def test_experts_refuse(function, arguments, says):
    advice, outcomes, beta = arguments
    with pytest.raises(ValueError, match=says):
        function(advice, outcomes, beta=beta)


# ---------------------------------------------------------------- conservative learners


def erred(learner, X, y, epochs=1):
    rounds = [(x, label) for _ in range(epochs) for x, label in zip(X, y, strict=True)]
    return np.flatnonzero(play(learner, rounds).losses)


def as_rows(X):
    """Compressed sparse rows."""
    filled = X != 0
    indptr = np.concatenate([[0], filled.sum(axis=1).cumsum()])
    return indptr, np.nonzero(filled)[1], X[filled]


def perceptrons_agree(X, y, zero=0, epochs=1):
    learner = Perceptron(X.shape[1], zero=zero)
    expected = erred(learner, X, y, epochs)
    options = {"zero": zero, "epochs": epochs}
    dense = fast.perceptron(X, y, **options)
    np.testing.assert_array_equal(dense.mistakes, expected)
    np.testing.assert_array_equal(dense.weights, learner.w)
    sparse = fast.sparse_perceptron(*as_rows(X), y, X.shape[1], **options)
    np.testing.assert_array_equal(sparse.mistakes, expected)
    np.testing.assert_array_equal(sparse.weights, learner.w)


@both
@pytest.mark.parametrize("zero", [0, 1, -1])
def test_perceptrons_agree(zero):
    rng = np.random.default_rng(7)
    for rounds, d in [(1, 1), (60, 1), (150, 3), (80, 40)]:
        y = rng.choice([-1, 1], rounds)
        perceptrons_agree(rng.standard_normal((rounds, d)), y, zero, 2)
        # Ties at 0 all the time, and rows that are empty.
        perceptrons_agree(rng.integers(-1, 2, (rounds, d)), y, zero, 2)
        perceptrons_agree((rng.random((rounds, d)) < 0.1) * 1.0, y, zero)
    teacher = rng.standard_normal(6)
    X = rng.standard_normal((300, 6))
    perceptrons_agree(X, np.where(X @ teacher > 0, 1, -1), zero, 3)


@both
def test_scores_of_rounding_size_are_the_readable_learners():
    """Sums that are 0 in one order of summation and not in another."""
    rng = np.random.default_rng(8)
    X = rng.choice([0.1, 0.2, 0.3, -0.1, -0.2, -0.3], (300, 7))
    for epochs in (1, 3):  # in double precision, and screened in single
        perceptrons_agree(X, rng.choice([-1, 1], 300), epochs=epochs)
    w = np.array([0.1, 0.2, -0.3])
    assert w.sum() != w[::-1].sum()


@both
@pytest.mark.parametrize("epochs", [1, 4])
def test_perceptrons_agree_where_scores_are_close(epochs):
    """Inputs of very different sizes, empty ones, and ones that nothing is known of."""
    rng = np.random.default_rng(14)
    X = rng.choice([0, 0.1, 0.2, -0.3, 1e-9, 1e-200, 3e5], (200, 9))
    X[:, 3] = 0
    X[100:110] = 0
    X[150, 3] = 0.7
    perceptrons_agree(X, rng.choice([-1, 1], 200), epochs=epochs)


@both
def test_an_epoch_without_a_mistake_is_the_last():
    X = np.array([[1.0, 0.5], [0.5, 1.0], [-1.0, 0.25]])
    perceptrons_agree(X, np.array([1, 1, -1]), epochs=7)
    found = fast.perceptron(X, [1, 1, -1], epochs=10**9)
    assert found.mistakes.tolist() == fast.perceptron(X, [1, 1, -1]).mistakes.tolist()


@both
def test_no_rounds_and_no_entries():
    assert fast.perceptron(np.zeros((0, 3)), []).mistakes.size == 0
    assert fast.sparse_perceptron([0], [], [], [], 3).mistakes.size == 0
    perceptrons_agree(np.zeros((5, 2)), np.array([1, -1, 1, 1, -1]))
    assert fast.winnow(np.zeros((0, 3)), []).mistakes.size == 0


@both
def test_repeated_indices_add_up():
    """``w[index] += value`` would keep one of the repeated indices."""
    rng = np.random.default_rng(9)
    d, filled, rounds = 6, 5, 300
    indices = rng.integers(0, d, (rounds, filled))
    values = rng.integers(-3, 4, (rounds, filled))
    X = np.zeros((rounds, d), dtype=int)
    np.add.at(X, (np.arange(rounds)[:, None], indices), values)
    y = rng.choice([-1, 1], rounds)
    expected = erred(Perceptron(d), X, y)
    indptr = np.arange(rounds + 1) * filled
    arguments = indptr, indices.ravel(), values.ravel(), y, d
    found = fast.sparse_perceptron(*arguments)
    np.testing.assert_array_equal(found.mistakes, expected)
    w, naive = np.zeros(d), []
    for t in range(rounds):
        if y[t] * (w[indices[t]] @ values[t]) <= 0:
            naive.append(t)
            w[indices[t]] += y[t] * values[t]
    assert naive != expected.tolist()


@pytest.mark.parametrize("demote", ["eliminate", "divide"])
@pytest.mark.parametrize("factor", [2, 1.5, 2.0, 3])
@pytest.mark.parametrize("threshold", [None, 3, 2.999999999, 0.1, 20, -1])
def test_winnow_agrees(demote, factor, threshold):
    rng = np.random.default_rng(10)
    X = rng.integers(0, 2, (150, 12))
    options = {"threshold": threshold, "factor": factor, "demote": demote}
    for y in (X[:, :2].any(axis=1).astype(int), rng.integers(0, 2, 150)):
        learner = Winnow(12, **options)
        expected = erred(learner, X, y, 2)
        found = fast.winnow(X, y, epochs=2, **options)
        np.testing.assert_array_equal(found.mistakes, expected)
        np.testing.assert_array_equal(found.weights, learner.weights)


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: fast.perceptron([[1, np.nan]], [1]), "X: expected numbers"),
        (lambda: fast.perceptron([[1, np.inf]], [1]), "X: expected numbers"),
        (lambda: fast.perceptron([[2**40, 1]], [1]), "X: expected numbers"),
        (lambda: fast.perceptron([[Fraction(1, 3)]], [1]), "X: expected numbers"),
        (lambda: fast.perceptron([[1]], [0]), "y: expected labels -1 or 1"),
        (lambda: fast.perceptron([[1]], [1, 1]), "y: expected 1 labels"),
        (lambda: fast.perceptron([1], [1]), "X: expected rounds by features"),
        (lambda: fast.perceptron([[1]], [1], epochs=0), "epochs: expected"),
        (lambda: fast.perceptron([[1]], [1], zero=2), "zero: expected"),
        (lambda: fast.sparse_perceptron([0, 2], [0], [1], [1], 2), "data, indices"),
        (lambda: fast.sparse_perceptron([0, 1], [2], [1], [1], 2), "indices: expected"),
        (lambda: fast.sparse_perceptron([1, 1], [0], [1], [1], 2), "indptr: expected"),
        (lambda: fast.sparse_perceptron([0, 1, 0], [0], [1], [1, 1], 2), "indptr"),
        (lambda: fast.winnow([[1]], [1], factor=Fraction(2)), "factor: expected"),
        (lambda: fast.winnow([[2]], [1]), "X: expected labels 0 or 1"),
        (lambda: fast.winnow([[1]], [1, 0]), "y: expected 1 labels"),
    ],
)
def test_linear_learners_refuse(call, says):
    with pytest.raises(ValueError, match=says):
        call()


# ---------------------------------------------------------------- compiled loops


def test_each_loop_is_compiled_once_for_inputs_of_every_kind():
    """Two processes that compile it for different kinds could mix up what they keep."""
    need_numba()
    rng = np.random.default_rng(15)
    X, y = rng.integers(-3, 4, (40, 6)), rng.choice([-1, 1], 40)
    locked = X.astype(float)
    locked.flags.writeable = False
    narrow = rng.integers(0, 2, (40, 6), dtype=np.uint8)
    for rows in (X, X.astype(np.float32), np.asfortranarray(X), X[::2], locked):
        labels = y[: len(rows)]
        dense = fast.perceptron(rows, labels)
        indptr, indices, data = as_rows(np.asarray(rows))
        for kind in (np.int32, np.int64, np.uint16):
            sparse = fast.sparse_perceptron(
                indptr.astype(kind), indices.astype(kind), data, labels, 6
            )
            assert sparse.mistakes.tolist() == dense.mistakes.tolist()
    for advice in (
        narrow,
        narrow.astype(bool),
        np.asfortranarray(narrow),
        narrow * 1.0,
    ):
        for part in (advice, np.stack([advice, advice], axis=1)):
            assert fast.randomized_mistakes(part, 0, beta=0.5).ravel()[0] > 0
    for loop in (loops.perceptron, loops.sparse_perceptron, loops.vote, loops.votes):
        assert len(loops.compiled(loop).signatures) == 1


CODE = """
import sys
from olutil import fast
from olutil.fast import loops
assert "numba" not in sys.modules
print(*fast.perceptron([[1.5, 2], [2, 1], [1, 2]], [1, -1, 1]).mistakes)
print(sum(loops.compiled(loops.perceptron).stats.cache_hits.values()))
"""


@pytest.fixture
def play_a_copy(tmp_path):
    """Play a stream in a new process, with a copy of the package."""
    need_numba()
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(PACKAGE, tmp_path / "olutil", ignore=ignored)

    def run(**settings):
        env = {"PATH": os.environ["PATH"], "PYTHONDONTWRITEBYTECODE": "1", **settings}
        command = [sys.executable, "-c", CODE]
        done = subprocess.run(
            command, cwd=tmp_path, env=env, capture_output=True, text=True
        )
        assert (done.returncode, done.stderr) == (0, "")
        return done.stdout.splitlines()

    run.loops = tmp_path / "olutil" / "fast" / "loops.py"
    return run


def test_what_is_compiled_is_kept_until_the_source_changes(play_a_copy):
    assert play_a_copy() == ["0 1", "0"]
    assert play_a_copy() == ["0 1", "1"]
    text = play_a_copy.loops.read_text()
    assert "if says != y[t]:" in text
    play_a_copy.loops.write_text(text.replace("if says != y[t]:", "if says == y[t]:"))
    assert play_a_copy() == ["", "0"]


def test_where_nothing_can_be_kept_the_loops_run_all_the_same(play_a_copy, tmp_path):
    """A folder is kept from being written by a file in its place."""
    (play_a_copy.loops.parent / "__pycache__").touch()
    (tmp_path / "file").touch()
    settings = {
        "HOME": str(tmp_path / "file"),
        "XDG_CACHE_HOME": str(tmp_path / "file"),
    }
    assert play_a_copy(**settings) == ["0 1", "0"]


# ---------------------------------------------------------------- concepts and games


@pytest.mark.parametrize("tie", [0, 1])
@pytest.mark.parametrize("table", [all_functions(3), intervals(9), all_functions(7)])
def test_halving_agrees(tie, table):
    rng = np.random.default_rng(11)
    sets = fast.concept_sets(table)
    for rounds in (0, 1, 5, 30):
        points = rng.integers(0, table.shape[1], rounds)
        # Labels of a concept, and labels that soon fit none.
        for y in (table[-2][points], rng.integers(0, 2, rounds)):
            found = fast.halving(sets, len(table), points, y, tie=tie)
            learner, mistakes = Halving(table, tie=tie), 0
            for x, label in zip(points, y, strict=True):
                said = learner.predict(x)
                mistakes += said != label
                learner.update(x, label, said)
            assert found == mistakes


def test_halving_refuses():
    sets = fast.concept_sets(all_functions(2))
    with pytest.raises(ValueError, match="points: expected indices"):
        fast.halving(sets, 4, [2], [0])
    with pytest.raises(ValueError, match="sets: expected sets of 65 concepts"):
        fast.halving(sets, 65, [0], [0])
    with pytest.raises(ValueError, match="points, y: expected"):
        fast.halving(sets, 4, [0, 1], [0])


def counted(played, kappa_1, kappa_2, rounds):
    beats = list(islice(fictitious_play(played, kappa_1, kappa_2), rounds))
    rows, columns = played.A.shape
    return (
        [sum(beat.row == action for beat in beats) for action in range(rows)],
        [sum(beat.column == action for beat in beats) for action in range(columns)],
    )


HALF = Fraction(1, 2)


@pytest.mark.parametrize("rounds", [0, 1, 2, 3, 17, 400])
@pytest.mark.parametrize(
    ("played", "kappa_1", "kappa_2"),
    [
        (MATCHING_PENNIES, [1, 0], [0, 1]),  # ties again and again
        (MATCHING_PENNIES, [3 * HALF, 2], [2, 3 * HALF]),
        (MATCHING_PENNIES, [Fraction(1, 3), 2], [2, Fraction(1, 7)]),
        (SHAPLEY, [1, 0, 0], [0, 1, 0]),
        (game([[5]]), [1], [1]),
        (game([[0, 0], [0, 0]]), [1, 1], [1, 1]),
        (game([[HALF, -1], [0, Fraction(1, 3)]]), [1, 0], [0, 1]),
        (game([[2**70, 0], [0, 2**70]]), [1, 0], [0, 1]),
        (game(np.random.default_rng(12).integers(-9, 9, (4, 7))), [1] * 7, [1] * 4),
    ],
)
def test_fictitious_play_agrees(played, kappa_1, kappa_2, rounds):
    found = fast.fictitious_play_counts(played, kappa_1, kappa_2, rounds)
    expected = counted(played, kappa_1, kappa_2, rounds)
    assert tuple(part.tolist() for part in found) == expected


def test_fictitious_play_refuses():
    with pytest.raises(ValueError, match="kappa_1: expected whole numbers"):
        fast.fictitious_play_counts(MATCHING_PENNIES, [1.5, 2], [2, 1], 5)
    with pytest.raises(ValueError, match="kappa_2: expected 2 weights"):
        fast.fictitious_play_counts(MATCHING_PENNIES, [1, 2], [0, 0], 5)
    with pytest.raises(ValueError, match="rounds: expected"):
        fast.fictitious_play_counts(MATCHING_PENNIES, [1, 2], [2, 1], -1)
