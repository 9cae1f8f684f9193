"""What a cell means in IPython, for the worker in the sandbox.

IPython's own transformer turns prompts, help, magics and shell lines into calls of
``get_ipython()``, and `Shell` is what these get.  The Python that such a line holds is
run.  What cannot run here (programs, files, help, settings) is dropped, and named where
the cell's outputs are.
"""

import ast
import io
import re
import sys
import time
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from types import SimpleNamespace

PROMPT = re.compile(r"\s*(In \[\d*\]:|>>> )")  # the first is Python, too: ``In[1]: 2``
OPTIONS = re.compile(r"\s*(-\w+\s*\d*\s+)*")
HELP = {"pinfo": "?", "pinfo2": "??", "psearch": "?"}  # as people write it
PYLAB = (
    "import numpy, matplotlib\nfrom matplotlib import pyplot\nfrom pylab import *\n"
    "from numpy import *\nnp, plt = numpy, pyplot"
)


def as_python(source):
    """A cell as Python; what is Python already stays as it is."""
    if not PROMPT.match(source):
        try:
            ast.parse(source)
            return source
        except (SyntaxError, ValueError):
            pass
    # IPython takes a while to be imported, and few cells need it.
    from IPython.core.inputtransformer2 import TransformerManager

    return TransformerManager().transform_cell(source)


class History:
    """``In``, ``Out``, ``_`` and their like among the names of the cells.

    A cell has the number that it has when all are run from the first on.
    """

    def __init__(self, names):
        self.names, self.inputs, self.outputs = names, [""], {}
        self.shown, self.written = [""] * 3, [""] * 3
        names.update(In=self.inputs, _ih=self.inputs, Out=self.outputs)
        names.update(_oh=self.outputs, **self._last())

    def begins(self, source):
        """Note a cell; one that is empty has no number."""
        if source.strip():
            names = ("_i", "_ii", "_iii")
            self.names.update(zip(names, self.written, strict=True))
            self.names[f"_i{len(self.inputs)}"] = source
            self.written = [source, *self.written[:2]]
            self.inputs.append(source)

    def shows(self, value):
        """Note the value of the cell that runs."""
        if value is self.outputs:
            return
        last = self._last()
        ours = all(self.names.get(name, old) is old for name, old in last.items())
        if ours:  # unless a cell has given one of the names to something else
            self.shown = [value, *self.shown[:2]]
            self.names.update(self._last())
        number = len(self.inputs) - 1
        self.names[f"_{number}"] = self.outputs[number] = value

    def _last(self):
        return dict(zip(("_", "__", "___"), self.shown, strict=True))


class Shell:
    """What ``get_ipython()`` gives a cell; ``run`` runs one, and gives its value."""

    def __init__(self, run, names):
        self.run, self.user_ns = run, names

    def run_line_magic(self, name, line):
        code = OPTIONS.sub("", line, count=1)
        if name in ("time", "prun"):
            return self.run(code)
        if name == "timeit" and "-o" in line.split():
            began = time.perf_counter()
            eval(compile(as_python(code), "timeit", "exec"), dict(self.user_ns))
            took = time.perf_counter() - began
            return SimpleNamespace(
                average=took, best=took, worst=took, stdev=0.0, all_runs=[took],
                timings=[took], loops=1, repeat=1,
            )  # fmt: skip
        if name == "pylab":
            return self.run(PYLAB)
        if name in HELP:
            return dropped(f"{line}{HELP[name]}")
        return dropped(f"%{name} {line}")

    def run_cell_magic(self, name, line, cell):
        if name in ("time", "prun"):
            return self.run(f"{line}\n{cell}" if name == "time" else cell)
        if name == "capture":
            with redirect_stdout(io.StringIO()) as out, redirect_stderr(out):
                self.run(cell)
            for word in line.split():
                if word.isidentifier():
                    kept = {"stdout": out.getvalue(), "stderr": "", "outputs": []}
                    self.user_ns[word] = SimpleNamespace(**kept)
            return None
        if name in ("writefile", "file"):
            *options, path = line.split()
            with Path(path).open("a" if "-a" in options else "w") as file:
                file.write(cell)
            if "" not in sys.path:
                sys.path.insert(0, "")  # as a notebook finds what lies beside it
            return None
        return dropped(f"%%{name} {line}")

    def magic(self, line):
        """The same in one text, as older scripts call it."""
        name, _, rest = line.lstrip("%").partition(" ")
        return self.run_line_magic(name, rest)

    def system(self, line):
        return dropped(f"!{line}")

    def getoutput(self, line):
        return dropped(f"!{line}") or []

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return lambda *given, **more: dropped(f"get_ipython().{name}")


def dropped(line):
    print(f"[not run here: {line.strip()[:200]}]")
