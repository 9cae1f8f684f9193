"""Runs the cells of a page in the reader's browser; loaded by live-worker.js."""

import os
import sys
import traceback
import warnings
from base64 import b64encode
from collections.abc import Callable, Iterator
from io import BytesIO

from pyodide.code import eval_code_async

# Figures become pictures, drawn as the stored ones were (see _tools/matplotlibrc).
os.environ["MPLBACKEND"] = "agg"
warnings.filterwarnings("ignore", "FigureCanvasAgg is non-interactive")
# Whole lines keep the order of what is printed to the two streams.
sys.stdout.reconfigure(line_buffering=True)
sys.stderr.reconfigure(line_buffering=True)


async def run(source: str, name: str, show: Callable[[str, str], None]) -> str:
    """Run a cell as a notebook would.

    Parameters
    ----------
    source : str
        The cell's code.
    name : str
        What a traceback calls it, such as "cell 3".
    show : callable
        Takes ``(kind, text)`` for each output after the printed ones: the kind is
        "text/plain", "text/html", "image/png" (in base64) or "error".

    Returns
    -------
    str
        The name of the exception that ended the cell, or "".
    """
    try:
        variables = vars(sys.modules["__main__"])
        value = await eval_code_async(source, variables, filename=name)
        flush()
        if value is not None:
            show(*rich(value))
    except BaseException as error:
        flush()
        show("error", short(error))
        return type(error).__name__
    finally:
        for png in figures():
            show("image/png", png)
    return ""


def flush() -> None:
    """Hand over what was printed without a final newline."""
    sys.stdout.flush()
    sys.stderr.flush()


def rich(value: object) -> tuple[str, str]:
    """How a notebook shows a value: as HTML if it can, else as its repr."""
    kind = type(value)
    if hasattr(kind, "_repr_mimebundle_"):
        bundle = kind._repr_mimebundle_(value)
        data, *_ = bundle if isinstance(bundle, tuple) else (bundle,)
        if html := (data or {}).get("text/html"):
            return "text/html", html
    if hasattr(kind, "_repr_html_") and (html := kind._repr_html_(value)):
        return "text/html", html
    return "text/plain", repr(value)


def figures() -> Iterator[str]:
    """The open figures as PNG in base64; they are closed."""
    if plt := sys.modules.get("matplotlib.pyplot"):
        for number in plt.get_fignums():
            picture = BytesIO()
            figure = plt.figure(number)
            figure.savefig(picture, format="png", dpi="figure", bbox_inches="tight")
            plt.close(figure)
            yield b64encode(picture.getvalue()).decode()


def short(error: BaseException) -> str:
    """The traceback, with the lines of the page's own cells, which one can edit."""
    told = traceback.TracebackException.from_exception(error)
    frames = [frame for frame in told.stack if frame.filename.startswith("cell ")]
    told.stack = traceback.StackSummary.from_list(frames)
    return "".join(told.format(chain=False)).rstrip()
