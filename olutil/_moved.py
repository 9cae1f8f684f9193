"""Names that have moved to another module, for one release: see CHANGELOG.md."""

import importlib
import warnings
from collections.abc import Callable
from typing import Any


def moved(old: str, homes: dict[str, str]) -> Callable[[str], Any]:
    """A module's ``__getattr__`` that finds names where they are now, and warns.

    Parameters
    ----------
    old : str
        The module that users still import the names from.
    homes : dict
        For each module that has some of them now: their names, with blanks between.
    """
    home = {name: module for module, names in homes.items() for name in names.split()}

    def find(name: str) -> Any:
        if name not in home:
            raise AttributeError(f"module {old!r} has no attribute {name!r}")
        message = f"{old}.{name} has moved: import it from {home[name]}"
        warnings.warn(message, DeprecationWarning, stacklevel=2)
        return getattr(importlib.import_module(home[name]), name)

    return find
