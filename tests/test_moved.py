"""Names that have moved are found where users have them, with a warning."""

import importlib
import inspect

import pytest

from olutil import concepts, linear


def _moved():
    for module in (concepts, linear):
        homes = inspect.getclosurevars(module.__getattr__).nonlocals["home"]
        yield from ((module, name, home) for name, home in homes.items())


@pytest.mark.parametrize(("module", "name", "home"), list(_moved()))
def test_a_name_that_moved_is_found_and_says_where_it_is(module, name, home):
    with pytest.warns(DeprecationWarning, match=f"{name} has moved.*{home}"):
        assert getattr(module, name) is getattr(importlib.import_module(home), name)


def test_a_name_that_never_was_is_no_attribute():
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        concepts.nonsense  # noqa: B018
