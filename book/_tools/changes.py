"""In a notebook's kernel: which of its names have another value than before a cell.

`notebooks.py` puts this file into a kernel and asks after each cell.  It sees every
change, whatever made it: an assignment, a method, a function, another name for the same
object.
"""

import hashlib
import json
import os
import sys
import types

import cloudpickle
from IPython import get_ipython

NAMELESS = (types.ModuleType, types.BuiltinFunctionType, type)
before = {}


def changes() -> str:
    """What has changed since this was asked last, and what cannot be looked into.

    As JSON; a name that begins with "<" stands for a setting that cells share.
    """
    now = {
        name: digest(value)
        for name, value in get_ipython().user_ns.items()
        if not name.startswith("_") and name not in get_ipython().user_ns_hidden
    }
    now |= {f"<{name}>": digest(value) for name, value in settings().items()}
    changed = sorted(name for name in now if now[name] != before.get(name, ""))
    before.clear()
    before.update(now)
    closed = [name for name in now if not now[name]]
    return json.dumps({"changed": changed, "closed": closed})


def settings() -> dict:
    """What a cell may set for those after it."""
    found = {"folder": os.getcwd()}
    if "matplotlib" in sys.modules:
        found["figures"] = sorted(sys.modules["matplotlib"].rcParams.items())
    if "numpy" in sys.modules:
        found["printing"] = sys.modules["numpy"].get_printoptions()
    return found


def digest(value) -> str:
    """Equal for equal values, and empty for what cannot be looked into."""
    if isinstance(value, NAMELESS):
        return "constant"
    if type(value).__module__.startswith("matplotlib"):
        return ""
    try:
        if isinstance(value, types.FunctionType):
            # Its code is in the cell's source; what it keeps is not.
            kept = [cell.cell_contents for cell in value.__closure__ or ()]
            value = (value.__defaults__, value.__kwdefaults__, kept)
        return hashlib.sha256(cloudpickle.dumps(value)).hexdigest()
    except Exception:  # whatever a class of any library may raise
        return ""
