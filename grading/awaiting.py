"""The event loop in which a notebook's cells run, for the worker in the sandbox.

In Jupyter a loop runs all the time: a cell may await, and it may start tasks that go on
while later cells await something.  Here one runs while a cell does that needs it.
"""

import inspect
import io
import os
import sys
from types import CodeType
from typing import Any


class End(io.FileIO):
    """An end of a pipe, with what asyncio asks of a socket."""

    recv, send = io.FileIO.read, io.FileIO.write

    def setblocking(self, blocking):
        os.set_blocking(self.fileno(), blocking)


def pipe():
    """In place of the pair of sockets by which a loop is woken: sockets are refused."""
    reads, writes = os.pipe()
    return End(reads, "rb"), End(writes, "wb")


class Loop:
    """Evaluates code, in a loop where it needs one."""

    def __init__(self) -> None:
        self.loop = None

    def value_of(self, code: CodeType, names: dict[str, Any]) -> Any:
        """The value of code, of which the awaited parts are awaited."""
        awaits = code.co_flags & inspect.CO_COROUTINE
        if awaits or "asyncio" in code.co_names or "asyncio" in sys.modules:
            return self._run(code, names)
        return eval(code, names)

    def _run(self, code: CodeType, names: dict[str, Any]) -> Any:
        if self.loop is None:
            self.loop = _new()
        if self.loop.is_running():  # of a cell that has a magic in it
            return eval(code, names)
        task = self.loop.create_task(_value(code, names))
        try:
            return self.loop.run_until_complete(task)
        finally:
            task.cancel()  # if its time was over; else it does nothing


async def _value(code: CodeType, names: dict[str, Any]) -> Any:
    value = eval(code, names)
    return await value if code.co_flags & inspect.CO_COROUTINE else value


def _new() -> Any:
    import asyncio  # takes a while, and few cells need it
    import socket

    socket.socketpair = pipe  # the cells' own loops need it, too
    loop = asyncio.new_event_loop()
    asyncio.set_event_loop(loop)
    return loop
