"""The program in the sandbox: it runs a student's cells and answers requests.

The grader trusts nothing here.  A student's code can do to this process whatever it
likes; all that comes out are the plain values of `messages`.

    python worker.py 3 4        reads requests from descriptor 3, answers on 4

When it is ready it answers once without being asked.  A request is ``[verb, ...]``; an
answer is ``["value", v]`` or ``["error", type, text]``.  One process runs the cells in
order, once.  For each check it forks, so that what the check does to the student's
objects is forgotten afterwards.
"""

import __future__

import ast
import base64
import contextlib
import ctypes
import functools
import io
import os
import re
import resource
import signal
import sys
import traceback

import awaiting
import ipython
import messages

OUTPUT_LENGTH = 20_000  # characters of output that are kept for a cell
PICTURES = 4  # kept for a cell
PICTURE_BYTES = 300_000  # of one

LIMITS = {
    resource.RLIMIT_AS: 3 << 30,
    resource.RLIMIT_NPROC: 16,
    resource.RLIMIT_FSIZE: 16 << 20,
    resource.RLIMIT_NOFILE: 128,
    resource.RLIMIT_SIGPENDING: 64,  # timers too
    resource.RLIMIT_CORE: 0,
}
FUTURE = functools.reduce(
    int.__or__,
    (getattr(__future__, name).compiler_flag for name in __future__.all_feature_names),
)
NO_HUGE_PAGES = 41  # PR_SET_THP_DISABLE


class TooLong(BaseException):
    """The time of a cell or a call is over."""


def on_alarm(number, frame):
    # Again soon: the student's code may catch it, as a bare ``except`` does.
    signal.setitimer(signal.ITIMER_REAL, 0.2)
    raise TooLong


@contextlib.contextmanager
def seconds(limit):
    """Let so many seconds be used, and more pass on the clock."""
    timers = [
        (signal.SIGPROF, signal.ITIMER_PROF, limit),
        (signal.SIGALRM, signal.ITIMER_REAL, messages.PATIENCE * limit),
    ]
    for number, timer, most in timers:
        signal.signal(number, on_alarm)
        signal.setitimer(timer, most)
    try:
        yield
    finally:
        for _, timer, _ in timers:
            signal.setitimer(timer, 0)


class Names:
    """The student's names, and the objects that the grader has asked for."""

    def __init__(self):
        self.defined = {"__name__": "__main__", "display": print}
        shell = ipython.Shell(self.value_of, self.defined)
        self.defined["get_ipython"] = lambda: shell
        self.flags = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
        self.loop = awaiting.Loop()
        self.history = ipython.History(self.defined)
        self.objects = []
        self.broken = []  # the cells that did not run to their end, and why

    def run(self, source, limit, show):
        """Execute a cell; its outputs, or without ``show`` only its error."""
        outputs = Outputs(show)
        with outputs:
            try:
                with seconds(limit):
                    self.execute(source, outputs)
            except TooLong:
                outputs.failed(f"{messages.TOO_LONG} {limit:.0f} seconds.")
            except BaseException as fault:
                outputs.error(fault)
        why = next((kept["failed"] for kept in outputs.kept if "failed" in kept), None)
        if why:
            self.broken.append((source, why))
        return outputs.kept

    def execute(self, source, outputs):
        """Run a cell and show its value."""
        self.history.begins(source)
        value = self.value_of(source)
        if value is not None and not source.rstrip().endswith(";"):
            try:
                outputs.result(value)
            finally:  # even if it cannot be written out
                self.history.shows(value)

    def value_of(self, source):
        """The value of a cell's last line, if that is an expression."""
        if "IPython" in source:
            self.be_found()
        tree = ast.parse(ipython.as_python(source), "cell")
        last = None
        if tree.body and isinstance(tree.body[-1], ast.Expr):
            last = ast.Expression(tree.body.pop().value)
        self.evaluate(tree, "exec")
        return None if last is None else self.evaluate(last, "eval")

    def evaluate(self, tree, mode):
        code = compile(tree, "cell", mode, self.flags)
        # ``from __future__ import annotations`` holds for the cells below, too.
        self.flags |= code.co_flags & FUTURE
        return self.loop.value_of(code, self.defined)

    def be_found(self):
        """Let IPython's own ``get_ipython`` find the shell, too."""
        import IPython

        IPython.get_ipython = self.defined["get_ipython"]

    def call(self, target, name, args, kwargs):
        """Call a function, a class or a method."""
        return self.value(target, name)(*args, **kwargs)

    def value(self, target, name):
        """One of the student's names, or an attribute of a kept object."""
        if target is not None:
            return getattr(self.objects[target], name)
        if name not in self.defined:
            word = re.compile(rf"\b{name}\b")
            found = (why for source, why in self.broken if word.search(source))
            cause = next(found, "").strip()
            cause = f", since its cell ended early: {cause}" if cause else ""
            raise NameError(f"{name} is not defined{cause}")
        return self.defined[name]


class Outputs:
    """What a cell prints and shows, cut to a length."""

    def __init__(self, show):
        self.show = show
        self.kept = []
        self.text = Capped()

    def __enter__(self):
        self.saved = sys.stdout, sys.stderr
        sys.stdout = sys.stderr = self.text
        return self

    def __exit__(self, *error):
        sys.stdout, sys.stderr = self.saved
        if self.show:
            self.flush()
            self.pictures()
        return False

    def flush(self):
        if text := self.text.getvalue():
            self.kept.append({"stream": text})
        self.text.clear()

    def result(self, value):
        text = repr(value)[:OUTPUT_LENGTH]
        if self.show and "matplotlib" not in type(value).__module__:
            self.flush()
            self.kept.append({"result": text})

    def error(self, fault):
        error = "".join(traceback.format_exception_only(type(fault), fault))
        frames = traceback.extract_tb(fault.__traceback__)
        line = next((f.lineno for f in reversed(frames) if f.filename == "cell"), None)
        where = f"line {line}: " if line else ""
        self.failed(where + error)

    def failed(self, why):
        self.flush()
        self.kept.append({"failed": why[:2000]})

    def pictures(self):
        plots = sys.modules.get("matplotlib.pyplot")
        if plots is None:
            return
        try:
            with seconds(10):
                for number in plots.get_fignums()[:PICTURES]:
                    drawn = io.BytesIO()
                    plots.figure(number).savefig(drawn, format="png", dpi=72)
                    if drawn.tell() <= PICTURE_BYTES:
                        png = base64.b64encode(drawn.getvalue()).decode()
                        self.kept.append({"png": png})
                plots.close("all")
        except BaseException:
            pass  # a drawing that cannot be shown costs nobody a point


class Capped(io.TextIOBase):
    """Keeps the beginning of what is written."""

    def __init__(self):
        self.clear()

    def clear(self):
        self.pieces, self.room = [], OUTPUT_LENGTH

    def writable(self):
        return True

    def write(self, text):
        text = str(text)
        if self.room > 0:
            self.pieces.append(text[: self.room])
        self.room -= len(text)
        return len(text)

    def getvalue(self):
        cut = "\n[output cut here]\n" if self.room < 0 else ""
        return "".join(self.pieces) + cut


def answer(names, request):
    """Do what was asked; a line with a value or an error."""
    verb, *rest = request
    try:
        if verb == "run":
            return value_line(names.run(*rest))
        if verb == "lost":  # a cell that ended a process before this one, and why
            return value_line(names.broken.append(tuple(rest)))
        if verb not in ("new", "call", "get"):
            raise LookupError(f"no such request: {verb}")
        *rest, limit = rest
        # Writing the value can run the student's code, too: that of a generator.
        with seconds(limit):
            if verb == "new":
                names.objects.append(names.call(None, *rest))
                return value_line(len(names.objects) - 1)
            done = names.call if verb == "call" else names.value
            return value_line(done(*rest))
    except TooLong:
        return error_line(TooLong("took too long"))
    except BaseException as fault:
        return error_line(fault)


def value_line(value):
    return messages.encode(["value", value])


def error_line(fault):
    try:
        return messages.encode(["error", type(fault).__name__, str(fault)[:500]])
    except BaseException as worse:  # its name and its text are the student's code, too
        text = f"an error without words ({type(worse).__name__})"
        return messages.encode(["error", "Exception", text])


def serve(names, requests, answers):
    """Answer until the grader closes this process or the pipe."""

    def say(text):
        answers.write(text + "\n")
        answers.flush()

    say(value_line(None))  # ready
    for asked in requests:
        request = messages.decode(asked)
        if request == ["close"]:
            return
        if request != ["fork"]:
            say(answer(names, request))
            continue
        try:
            child = os.fork()
        except OSError as fault:  # the student's code has used up the processes
            say(error_line(fault))
            continue
        if child == 0:
            try:
                serve(names, requests, answers)
            finally:
                os._exit(0)
        os.waitpid(child, 0)
        say(value_line(None))


def main():
    for limit, value in LIMITS.items():
        resource.setrlimit(limit, (value, value))
    # Part of a huge page counts as little memory, and holds the whole page.
    if ctypes.CDLL(None).prctl(NO_HUGE_PAGES, 1, 0, 0, 0):
        raise OSError("huge pages cannot be switched off")
    os.chdir("/tmp")
    requests, answers = map(int, sys.argv[1:])
    requests = os.fdopen(requests, "r", encoding="utf-8")
    answers = os.fdopen(answers, "w", encoding="utf-8")
    nothing = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1, 2):
        os.dup2(nothing, standard)
    serve(Names(), requests, answers)


if __name__ == "__main__":
    main()
