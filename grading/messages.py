"""Plain values as lines of JSON, in which grader and worker talk to each other.

A message can hold None, bool, int, float, str, Fraction, maps with text keys, arrays of
numbers, and lists.  Whatever is like a list becomes one: tuples, sets and ranges, the
views of a dict, generators that end, and arrays of other such values.

Reading trusts nothing: size, depth and every tag are checked, and nothing is ever
unpickled or imported.  The length of a line bounds the memory that its value takes: an
empty array, which a check may turn into many lists, is written with a null for each.

The worker in the sandbox uses this file too, so it imports nothing of ours.
"""

import json
import math
from collections.abc import Iterator, Sequence, Set, ValuesView
from fractions import Fraction
from itertools import islice
from typing import Any

import numpy as np

# Limits on time are seconds that a student's processes use, or sleep.  So many times as
# many may pass on the clock, for they may have to wait for a busy machine.
PATIENCE = 12.0
TOO_LONG = "This cell ran longer than"  # begins what a cell shows that did
LINE_LENGTH = 4_000_000  # characters
LIST_DEPTH = 12  # lists in lists
DIMENSIONS = 4  # of an array: each is one more list around every number
LARGEST_INT = 10**400
KINDS = "biuf"  # of arrays: bool, integers, floats
# A set's items keep the order in which Python gives them; for numbers it is the same
# in every run.
LIKE_LISTS = (Sequence, Set, ValuesView, Iterator)
LIKE_TEXT = (str, bytes, bytearray, memoryview)  # sequences, but not of values


class NotPlain(ValueError):
    """A value that no message can hold."""


def encode(value: Any) -> str:
    """A value as one line.

    A generator of the student's is run for it: this may take long, and raise anything.

    Raises
    ------
    NotPlain
        For a value of any other type, or one that is too large or too deep.
    """
    line = json.dumps(_pack(value, 0), separators=(",", ":"))
    if len(line) > LINE_LENGTH:
        raise NotPlain(f"a value of {len(line):,} characters; {LINE_LENGTH:,} may pass")
    return line


def decode(line: str | bytes) -> Any:
    """The value of a line, whoever wrote it.

    Raises
    ------
    NotPlain
        If the line is not what `encode` writes.
    """
    if len(line) > LINE_LENGTH:
        raise NotPlain(f"a line of {len(line):,} characters")
    try:
        return _unpack(json.loads(line), 0)
    except NotPlain:
        raise
    except (ValueError, RecursionError, TypeError, OverflowError) as error:
        raise NotPlain(f"a line that is no value ({type(error).__name__})") from None


def _pack(value: Any, depth: int) -> Any:
    if depth > LIST_DEPTH:
        raise NotPlain(f"lists nested more than {LIST_DEPTH} deep")
    kind = type(value)
    if value is None or kind is bool:
        return value
    if kind is str:
        return _text(value)
    if kind is int or isinstance(value, np.integer):
        if abs(int(value)) > LARGEST_INT:
            raise NotPlain("a whole number of more than 400 digits")
        return int(value)
    if isinstance(value, np.bool_):
        return bool(value)
    if kind is float or isinstance(value, np.floating):
        # JSON has no infinity.
        return float(value) if math.isfinite(value) else {"float": str(float(value))}
    if isinstance(value, Fraction):
        return {"fraction": [value.numerator, value.denominator]}
    if isinstance(value, np.ndarray):
        if value.dtype.kind == "O":
            return _pack(value.tolist(), depth)
        if value.dtype.kind not in KINDS:
            raise NotPlain(f"an array of {value.dtype}")
        if value.ndim > DIMENSIONS:
            raise NotPlain(f"an array of {value.ndim} dimensions")
        if _size(value.shape) > LINE_LENGTH // 2:
            raise NotPlain(f"an array of shape {value.shape}")
        flat = value.astype(float) if value.dtype.kind == "f" else value
        flat = _pack_all(flat.ravel().tolist(), depth) or [None] * _size(value.shape)
        return {"array": flat, "shape": list(value.shape), "kind": value.dtype.kind}
    if isinstance(value, LIKE_LISTS) and not isinstance(value, LIKE_TEXT):
        items = list(islice(value, LINE_LENGTH // 2 + 1))
        if len(items) > LINE_LENGTH // 2:
            raise NotPlain(f"a {kind.__name__} of more than {LINE_LENGTH // 2:,} items")
        return _pack_all(items, depth + 1)
    if kind is dict:
        if not all(type(key) is str for key in value):
            raise NotPlain("a map whose keys are not text")
        items = {_text(key): _pack(item, depth + 1) for key, item in value.items()}
        return {"map": items}
    raise NotPlain(f"a value of type {kind.__name__}")


def _pack_all(items: list, depth: int) -> list:
    if _are_floats(items) and depth <= LIST_DEPTH:
        return items
    return [_pack(item, depth) for item in items]


def _are_floats(items: list) -> bool:
    """Whether items can pass as they are: in long games most lists are of this kind."""
    return set(map(type, items)) == {float} and all(map(math.isfinite, items))


def _unpack(value: Any, depth: int) -> Any:
    if depth > LIST_DEPTH:
        raise NotPlain(f"lists nested more than {LIST_DEPTH} deep")
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, int):
        if abs(value) > LARGEST_INT:
            raise NotPlain("a whole number of more than 400 digits")
        return value
    if isinstance(value, float):
        if not math.isfinite(value):
            raise NotPlain("a float outside the tag for it")
        return value
    if isinstance(value, list):
        return _unpack_all(value, depth + 1)
    match value:
        case {"float": ("nan" | "inf" | "-inf") as text, **more} if not more:
            return float(text)
        case {"fraction": [int(top), int(bottom)], **more} if not more and bottom > 0:
            return Fraction(_unpack(top, depth), _unpack(bottom, depth))
        case {"map": dict(items), **more} if not more:
            return {_text(k): _unpack(item, depth + 1) for k, item in items.items()}
        case {"array": list(flat), "shape": list(shape), "kind": str(kind), **more}:
            if not more:
                return _array(_unpack_all(flat, depth), shape, kind)
    raise NotPlain("a map without a known tag")


def _unpack_all(items: list, depth: int) -> list:
    if _are_floats(items) and depth <= LIST_DEPTH:
        return items
    return [_unpack(item, depth) for item in items]


def _text(value: str) -> str:
    """Without lone surrogates, which JSON can hold but no file."""
    return value.encode("utf-8", "replace").decode()


def _size(shape: Sequence[int]) -> int:
    """How many items are written for an array: for an empty one, one for each list."""
    return math.prod(max(side, 1) for side in shape)


def _array(flat: list, shape: list, kind: str) -> np.ndarray:
    types = {"b": bool, "i": int, "u": int, "f": float}
    sizes = all(type(n) is int and 0 <= n <= LINE_LENGTH for n in shape)
    if kind not in types or not sizes or len(shape) > DIMENSIONS:
        raise NotPlain("an array of unknown kind or shape")
    if _size(shape) != len(flat):
        raise NotPlain("an array whose shape is not that of its items")
    empty = 0 in shape
    if not all(type(item) is (type(None) if empty else types[kind]) for item in flat):
        raise NotPlain("an array whose items are not of its kind")
    numbers = [] if empty else flat
    return np.array(numbers, dtype=np.int64 if kind in "iu" else types[kind]).reshape(
        shape
    )
