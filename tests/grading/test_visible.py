"""Visible checks end in a sentence, whatever a student's code returns or raises."""

import ast
import contextlib
import io
import re
import warnings
from fractions import Fraction

import numpy as np
import pytest
from sets import NAMES, questions, source

ALL = [(name, question) for name in NAMES for question in questions(name)]


class Stops(Exception):
    def __str__(self):
        return ""


def raising(error):
    def value():
        raise error

    return value


# What is returned in place of an answer: each made anew, as some can be used only once.
ZOO = {
    "None": lambda: None,
    "a text": lambda: "abc",
    "bytes": lambda: b"01",
    "NaN": lambda: float("nan"),
    "infinity": lambda: float("inf"),
    "-1": lambda: -1,
    "7.5": lambda: 7.5,
    "a huge number": lambda: 10**400,
    "a huge fraction": lambda: Fraction(10**400, 3),
    "a complex number": lambda: 1j,
    "an array without axes": lambda: np.array(1.0),
    "an array of None": lambda: np.array(None),
    "an empty array": lambda: np.zeros((0, 3)),
    "a wrong shape": lambda: np.ones((2, 3, 4)),
    "a short list": lambda: [1],
    "an empty list": lambda: [],
    "ragged": lambda: [[1, 2], [3]],
    "a list of None": lambda: [None] * 5,
    "a list of texts": lambda: ["0"] * 6,
    "a generator": lambda: (i for i in range(3)),
    "a generator that raises": lambda: (1 // i for i in (1, 1, 0)),
    "a set": lambda: {1, 2},
    "an empty dict": dict,
    "an object": object,
    "a type": lambda: int,
    "a function": lambda: lambda: 1,
    "StopIteration": raising(StopIteration),
    "an error without words": raising(Stops),
    "an assertion without words": raising(AssertionError),
    "KeyError": raising(KeyError("a")),
    "RecursionError": raising(RecursionError("too deep")),
    "ZeroDivisionError": raising(ZeroDivisionError("division by zero")),
}


def told(asked, mended, names) -> str:
    """What the visible checks say of an answer, of which ``mended`` replaces names."""
    space = {"__name__": "__main__"}
    with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for cell in [*asked.before, asked.answer]:
            exec(cell, space)
        space |= {name: mended(space[name]) for name in names}
        try:
            exec(compile(asked.visible, "visible", "exec"), space)
        except AssertionError as error:
            return str(error)
    return ""


def answer_names(asked) -> list[str]:
    """The functions and classes that the visible checks use."""
    names = [getattr(node, "name", None) for node in ast.parse(asked.answer).body]
    return [name for name in names if name and re.search(rf"\b{name}\b", asked.visible)]


def replaced(made, change):
    """A function, or a class's objects, with ``change`` of what each call gives."""
    if not isinstance(made, type):
        return lambda *args, **more: change(lambda: made(*args, **more))

    class Replaced:
        def __init__(self, *args, **more):
            self.inner = made(*args, **more)

        def __getattr__(self, name):
            value = getattr(self.inner, name)
            if callable(value):
                return lambda *args, **more: change(lambda: value(*args, **more))
            return change(lambda: value)

    return Replaced


def late(bad, number):
    """A change of one call only; those before and after it are right."""
    calls = 0

    def change(value):
        nonlocal calls
        calls += 1
        return bad() if calls == number else value()

    return change


def inside(bad):
    """A change of what a dict, a list or a tuple holds."""

    def change(value):
        found = value()
        if isinstance(found, dict):
            return {key: bad() for key in found}
        if isinstance(found, (list, tuple)):
            return [bad() for _ in found]
        return bad()

    return change


CHANGES = {
    "all": lambda bad: lambda value: bad(),
    "inside": inside,
    **{f"call {n}": lambda bad, n=n: late(bad, n) for n in (2, 3, 5, 8)},
}


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize(("name", "key"), ALL)
def test_whatever_comes_back_is_answered_with_a_sentence(name, key, change):
    asked = questions(name)[key]
    names = answer_names(asked)
    assert names
    for what, bad in ZOO.items():
        made = CHANGES[change](bad)
        said = told(asked, lambda one, made=made: replaced(one, made), names)
        # Some of it may be right there, or what is returned is not looked at.
        if change == "all":
            assert said, f"{what} passes"
        assert not said or len(said.split()) > 3, f"{what}: {said}"


def test_an_object_that_cannot_be_made():
    for name, key in ALL:
        asked = questions(name)[key]
        classes = re.findall(r"(?m)^class (\w+)", asked.answer)
        for error in (StopIteration, TypeError("no arguments")):
            refuse = raising(error)
            said = told(asked, lambda _, r=refuse: lambda *a, **b: r(), classes)
            assert bool(said) == bool(set(classes) & set(answer_names(asked)))


def test_all_sets_wrap_their_checks_in_the_same_words():
    helpers = set()
    for name in NAMES:
        texts = {c.metadata.get("nbgrader", {}).get("grade_id"): c.source
                 for c in source(name).cells}  # fmt: skip
        helpers.add(texts["in-words"])
        for key, asked in questions(name).items():
            body = ast.parse(asked.visible).body
            assert len(body) == 1 and isinstance(body[0], ast.With), (name, key)
    assert len(helpers) == 1


def test_the_words_say_what_happened_and_where():
    """The student's own error stays in sight, with the line at which it was raised."""
    space = {}
    exec(source(NAMES[0]).cells[2].source, space)
    with pytest.raises(AssertionError, match="ZeroDivisionError: ") as caught:
        with space["in_words"]:
            print(1 // 0)
    assert str(caught.traceback[-1].statement).strip() == "print(1 // 0)"
    with pytest.raises(NotImplementedError):
        with space["in_words"]:
            raise NotImplementedError("your code here")
    with pytest.raises(AssertionError, match="^as it is$"):
        with space["in_words"]:
            raise AssertionError("as it is")
    with pytest.raises(KeyboardInterrupt):
        with space["in_words"]:
            raise KeyboardInterrupt
