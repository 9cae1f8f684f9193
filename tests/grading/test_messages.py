"""Plain values come back unchanged from a message; nothing else passes."""

import json
import math
import tracemalloc
from collections import deque
from fractions import Fraction
from itertools import count, cycle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from grading.messages import LINE_LENGTH, NotPlain, decode, encode

NUMBERS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(10**400), 10**400),
    st.floats(),
    st.fractions(),
    st.text(st.characters(exclude_categories=["Cs"])),
)
TEXTS = st.text(max_size=5)
VALUES = st.recursive(
    NUMBERS,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(TEXTS.filter(lambda t: t.isascii()), inner, max_size=4)
    ),
    max_leaves=12,
)
ARRAYS = arrays.arrays(
    st.sampled_from([np.bool_, np.int8, np.uint32, np.int64, np.float32, np.float64]),
    arrays.array_shapes(min_dims=0, min_side=0, max_side=4),
)


def same(one, other) -> bool:
    """Equal, and of the same types; NaN is itself here."""
    if isinstance(one, list):
        pairs = zip(one, other, strict=True)
        return type(other) is list and all(same(a, b) for a, b in pairs)
    if isinstance(one, dict):
        return list(one) == list(other) and all(same(one[k], other[k]) for k in one)
    if isinstance(one, float) and math.isnan(one):
        return type(other) is float and math.isnan(other)
    return type(one) is type(other) and one == other


@given(VALUES)
def test_values_come_back_as_they_were(value):
    assert same(value, decode(encode(value)))


@given(ARRAYS)
def test_arrays_come_back_with_shape_and_kind(value):
    found = decode(encode(value))
    assert found.shape == value.shape
    assert found.dtype.kind == {"u": "i"}.get(value.dtype.kind, value.dtype.kind)
    np.testing.assert_array_equal(found, value)


def test_numpy_numbers_and_tuples_become_plain():
    value = (np.int32(3), np.float32(0.5), np.True_, (1, 2))
    assert same([3, 0.5, True, [1, 2]], decode(encode(value)))


def test_halves_of_characters_are_replaced():
    assert decode(encode("a\ud800b")) == "a?b"
    assert decode(rb'"\ud800"') == "?"
    assert decode(rb'{"map":{"\ud800":1}}') == {"?": 1}


class Liar(int):
    """An int in name only."""


class Word(str):
    """And a text."""


@pytest.mark.parametrize(
    "value",
    [
        {1, 0.5}, frozenset({1, 0.5}), {1: "x", 0.5: "y"}.keys(), deque([1, 0.5]),
        {"x": 1, "y": 0.5}.values(), (x for x in (1, 0.5)), map(abs, (-1, -0.5)),
        np.array([1, 0.5], dtype=object), iter([1, 0.5]), np.array([1, 0.5]).flat,
    ],
    ids=lambda value: type(value).__name__,
)  # fmt: skip
def test_what_is_like_a_list_comes_back_as_one(value):
    found = decode(encode({"within": [value]}))["within"][0]
    assert type(found) is list and sorted(found) == [0.5, 1]


def test_lists_in_other_clothes():
    pairs = {((Fraction(1, 2), 1), range(2))}
    assert decode(encode(pairs)) == [[[Fraction(1, 2), 1], [0, 1]]]
    assert decode(encode({"a": 1}.items())) == [["a", 1]]
    assert decode(encode(np.array([[None, "x"]], object))) == [[None, "x"]]
    assert decode(encode(zip([1], [2], strict=True))) == [[1, 2]]


@pytest.mark.parametrize(
    "value",
    [
        1j, b"x", bytearray(2), object(), print, Liar(3), {1: 2}, Word("x"), {1j},
        range(10**30), count(), cycle("ab"), [map(str, count())],
        10**400 + 1, np.array(["a"]), np.array([1j, None]), np.zeros(3, complex),
        np.zeros(LINE_LENGTH, np.bool_), "x" * LINE_LENGTH,
        [[[[[[[[[[[[[[0]]]]]]]]]]]]]],
        np.zeros((LINE_LENGTH, LINE_LENGTH, 0)), np.zeros((0, LINE_LENGTH)),
        np.zeros((1, 1, 1, 1, 1)),
    ],
    ids=lambda value: type(value).__name__,
)  # fmt: skip
def test_nothing_else_is_written(value):
    with pytest.raises(NotPlain):
        encode(value)


@pytest.mark.parametrize(
    "line",
    [
        "", "]", "{", "nul", "\x00", "1 2", "NaN", "Infinity", "1e999",
        "9" * 5000, str(10**400 + 1), "[" * 14 + "]" * 14, "[" * 100_000,
        "{}", '{"a":1}', '{"map":[]}', '{"map":{},"x":1}', '{"float":"1.5"}',
        '{"float":"inf","x":1}', '{"fraction":[1,0]}', '{"fraction":[1,-2]}',
        '{"fraction":[1.5,2]}', '{"fraction":[1]}', '{"fraction":[1,2],"x":1}',
        '{"array":[1],"shape":[2],"kind":"i"}', '{"array":[1],"shape":[1],"kind":"O"}',
        '{"array":[1.5],"shape":[1],"kind":"i"}', '{"array":[1],"shape":[1]}',
        '{"array":[true],"shape":[1],"kind":"i"}',
        '{"array":[],"shape":[0,99999999999],"kind":"i"}',
        '{"array":[],"shape":[4000000,4000000,0],"kind":"f"}',
        '{"array":[],"shape":[9,0],"kind":"f"}', '{"array":[],"shape":[0],"kind":"i"}',
        '{"array":[1],"shape":[0],"kind":"i"}',
        '{"array":[null],"shape":[1],"kind":"f"}',
        '{"array":[1],"shape":[1,1,1,1,1],"kind":"i"}',
        '{"array":[],"shape":[-1,0],"kind":"f"}',
        '{"array":[1],"shape":[1.0],"kind":"i"}',
        '{"array":[99999999999999999999],"shape":[1],"kind":"i"}',
        '{"array":[1],"shape":[' + ",".join("1" * 40) + '],"kind":"i"}',
        '{"__reduce__":"os.system"}', '{"map":{"a":{"map":{"b":{"x":1}}}}}',
        '"' + "x" * LINE_LENGTH + '"',
    ],
    ids=lambda line: line[:20],
)  # fmt: skip
def test_no_other_line_is_read(line):
    with pytest.raises(NotPlain):
        decode(line)


def lists(value):
    """A value with lists for its arrays, both ways round, as a check may make them."""
    if isinstance(value, np.ndarray):
        return value.tolist(), value.T.tolist()
    if isinstance(value, list):
        return [lists(item) for item in value]
    return value


@pytest.mark.parametrize(
    "value",
    [
        np.zeros((20_000, 0)), np.zeros((0, 20_000)), np.zeros((100, 100, 0)),
        [np.zeros((30, 40, 0))] * 20, np.ones((20_000, 1, 1, 1), int), [[]] * 20_000,
        [[[[[[[[[[[0]]]]]]]]]]] * 2000, [{}] * 9000, [Fraction(1, 3)] * 4000,
        [float("nan")] * 4000, ["ab"] * 20_000, "\N{PILE OF POO}" + "x" * 90_000,
        dict.fromkeys(map(str, range(9000)), 1), [10**399] * 200,
    ],
    ids=lambda value: f"{type(value).__name__}-{str(value)[:12]}",
)  # fmt: skip
def test_what_a_value_costs_was_paid_for_in_characters(value):
    line = encode(value)
    tracemalloc.start()
    try:
        made = lists(decode(line))
        assert made is not None
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert most < 150 * len(line)


@given(st.binary(max_size=40) | st.text(max_size=40))
def test_any_line_gives_a_plain_value_or_is_refused(line):
    try:
        value = decode(line)
    except NotPlain:
        return
    encode(value)


@given(st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(
        st.sampled_from(["map", "array", "shape", "kind", "fraction", "float"]), inner
    ),
))  # fmt: skip
def test_any_json_gives_a_plain_value_or_is_refused(value):
    line = json.dumps(value).encode()
    try:
        encode(decode(line))
    except NotPlain:
        pass


@pytest.mark.parametrize("kind", [np.float16, np.float32, np.longdouble])
def test_floats_of_every_size(kind):
    found = decode(encode(np.array([0.5, np.inf, -0.0], kind)))
    assert found.dtype == float and found.tolist() == [0.5, np.inf, -0.0]


def test_floats_are_not_nested_deeper_than_other_values():
    """All of a list at once are read in another way than one by one."""
    for item in (0.5, 1):
        value = [item]
        for _ in range(11):
            value = [value]
        assert decode(encode(value)) == value
        with pytest.raises(NotPlain, match="deep"):
            encode([value])
        with pytest.raises(NotPlain, match="deep"):
            decode(str([value]))
    for text in ("[NaN]", "[0.5, Infinity]", '{"array":[NaN],"shape":[1],"kind":"f"}'):
        with pytest.raises(NotPlain):
            decode(text)
