"""The page api.md shows all that is public in the package, and nothing else."""

import functools
import importlib
import inspect
import pkgutil
from pathlib import Path

import pytest
from sphinx.application import Sphinx

import olutil

API = Path(__file__).resolve().parent.parent / "book" / "api.md"


@pytest.fixture(scope="module")
def shown(tmp_path_factory):
    """What Sphinx finds on the page: the kind of each object, by its full name."""
    folder = tmp_path_factory.mktemp("api")
    (folder / "api.md").write_text(API.read_text("utf-8"), "utf-8")
    extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
    settings = {"extensions": extensions, "root_doc": "api"}
    site = Sphinx(
        folder, None, folder / "out", folder / "trees", "dummy", settings, status=None
    )
    site.build()
    objects = site.env.get_domain("py").objects
    return {name: entry.objtype for name, entry in objects.items() if not entry.aliased}


def public_modules():
    """The modules at the top of the package; of a folder, the folder itself."""
    names = [info.name for info in pkgutil.iter_modules(olutil.__path__)]
    private = [name for name in names if name.startswith("_") or name == "grading"]
    return ["olutil", *(f"olutil.{name}" for name in names if name not in private)]


def public_names(module):
    """Classes and functions: those that the module lists, or else those it defines."""
    found = importlib.import_module(module)
    listed = getattr(found, "__all__", None)
    for name, value in inspect.getmembers(found):
        if isinstance(value, functools.partial):
            value = value.func
        if inspect.isclass(value) or inspect.isfunction(value):
            here = name in listed if listed else value.__module__ == module
            if here and not name.startswith("_"):
                yield f"{module}.{name}"


def test_every_public_module_is_shown(shown):
    modules = {name for name, kind in shown.items() if kind == "module"}
    assert modules == set(public_modules())


def test_every_public_class_and_function_is_shown(shown):
    kinds = {"class", "exception", "function"}
    found = {name for name, kind in shown.items() if kind in kinds}
    # (The names of olutil itself are those of its modules.)
    modules = public_modules()[1:]
    assert found == {name for module in modules for name in public_names(module)}
