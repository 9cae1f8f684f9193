"""Plain values pass the wall unchanged; nothing else passes."""

import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from olutil.grading import wire

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
    assert same(value, wire.decode(wire.encode(value)))


@given(ARRAYS)
def test_arrays_come_back_with_shape_and_kind(value):
    found = wire.decode(wire.encode(value))
    assert found.shape == value.shape
    assert found.dtype.kind == {"u": "i"}.get(value.dtype.kind, value.dtype.kind)
    np.testing.assert_array_equal(found, value)


def test_numpy_numbers_and_tuples_become_plain():
    value = (np.int32(3), np.float32(0.5), np.True_, (1, 2))
    assert same([3, 0.5, True, [1, 2]], wire.decode(wire.encode(value)))


def test_halves_of_characters_are_replaced():
    assert wire.decode(wire.encode("a\ud800b")) == "a?b"
    assert wire.decode(rb'"\ud800"') == "?"
    assert wire.decode(rb'{"map":{"\ud800":1}}') == {"?": 1}


class Liar(int):
    """An int in name only."""


@pytest.mark.parametrize(
    "value",
    [
        1j, b"x", {1}, range(3), object(), print, Liar(3), {1: 2},
        10**400 + 1, np.array(["a"]), np.array([None]), np.zeros(3, complex),
        np.zeros(wire.LONGEST, np.bool_), "x" * wire.LONGEST,
        [[[[[[[[[[[[[[0]]]]]]]]]]]]]],
    ],
    ids=lambda value: type(value).__name__,
)  # fmt: skip
def test_nothing_else_is_written(value):
    with pytest.raises(wire.NotPlain):
        wire.encode(value)


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
        '{"array":[],"shape":[-1,0],"kind":"f"}',
        '{"array":[1],"shape":[1.0],"kind":"i"}',
        '{"array":[99999999999999999999],"shape":[1],"kind":"i"}',
        '{"array":[1],"shape":[' + ",".join("1" * 40) + '],"kind":"i"}',
        '{"__reduce__":"os.system"}', '{"map":{"a":{"map":{"b":{"x":1}}}}}',
        '"' + "x" * wire.LONGEST + '"',
    ],
    ids=lambda line: line[:20],
)  # fmt: skip
def test_no_other_line_is_read(line):
    with pytest.raises(wire.NotPlain):
        wire.decode(line)


@given(st.binary(max_size=40) | st.text(max_size=40))
def test_any_line_gives_a_plain_value_or_is_refused(line):
    try:
        value = wire.decode(line)
    except wire.NotPlain:
        return
    wire.encode(value)


@given(st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(
        st.sampled_from(["map", "array", "shape", "kind", "fraction", "float"]), inner
    ),
))  # fmt: skip
def test_any_json_gives_a_plain_value_or_is_refused(value):
    line = json.dumps(value).encode()
    try:
        wire.encode(wire.decode(line))
    except wire.NotPlain:
        pass
