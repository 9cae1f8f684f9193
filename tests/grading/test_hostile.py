"""No hostile submission takes a point that it has not earned, or does harm."""

import json
import os
import secrets
import shutil
import socket
import threading
import time
from pathlib import Path

import pytest
import trial
from hostile import CORPUS, Hostile

from olutil.grading import checks, grading, graft, intake, marking
from olutil.grading.sandbox import Sandbox

pytestmark = pytest.mark.skipif(
    shutil.which("bwrap") is None and "CI" not in os.environ,
    reason="needs bubblewrap; never skipped where CI is set",
)
MEMORY = 600 << 20
CELL, CALL, LATE, GRACE, QUESTION, SUBMISSION = 1.5, 0.7, 0.5, 1.0, 2.5, 8.0
SECONDS = SUBMISSION + 6.0  # the last request may be late, and starting again takes time


class Seen(Sandbox):
    """A sandbox whose processes can be looked for when it is closed."""

    namespaces: list[int] = []

    def __init__(self) -> None:
        super().__init__(memory=MEMORY)
        # As long as it is open here, no other namespace gets its number.
        path = f"/proc/{self._first}/ns/pid"
        self.namespaces.append(os.open(path, os.O_RDONLY))


@pytest.fixture(autouse=True)
def small_limits(monkeypatch):
    monkeypatch.setattr(marking, "Sandbox", Seen)
    monkeypatch.setattr(checks, "CALL", CALL)
    monkeypatch.setattr(checks, "LATE", LATE)
    for name in ("CELL", "QUESTION", "SUBMISSION", "GRACE"):
        monkeypatch.setattr(marking, name, globals()[name])


# --- Detectors of harm -------------------------------------------------------


class Watch:
    """What a hostile submission must not touch, and whether it did.

    ``harm`` lists what it did.
    """

    def __init__(self, folder: Path) -> None:
        self.secret = secrets.token_hex(16)
        self.canary = folder / "canary"
        self.canary.write_text(self.secret)
        self.about = self.canary.stat().st_mtime_ns, os.listdir(folder)
        os.environ["OLUTIL_TEST_SECRET"] = self.secret
        self.abstract = secrets.token_hex(8)
        self.knocks = 0
        self.sockets = [
            socket.create_server(("127.0.0.1", 0)),
            socket.socket(socket.AF_INET, socket.SOCK_DGRAM),
            socket.socket(socket.AF_UNIX),
        ]
        self.port = self.sockets[0].getsockname()[1]
        self.sockets[1].bind(("127.0.0.1", self.port))
        self.sockets[2].bind(f"\0{self.abstract}")
        self.sockets[2].listen()
        Seen.namespaces = []

    def fill(self, text: str) -> str:
        """Hostile code with the names of what it is after."""
        text = text.replace("CANARY", str(self.canary))
        return text.replace("PORT", str(self.port)).replace("ABSTRACT", self.abstract)

    def harm(self, shown: str, seconds: float) -> list[str]:
        found = []
        about = self.canary.stat().st_mtime_ns, os.listdir(self.canary.parent)
        if self.canary.read_text() != self.secret or about != self.about:
            found.append("changed a file")
        if self.secret in shown:
            found.append("read a file or the environment")
        if trial.TOKEN in shown:
            found.append("read the hidden checks")
        if self.knocked():
            found.append("reached the network")
        if processes():
            found.append("left a process")
        if len(shown) > marking.SHOWN + 100_000:
            found.append("showed too much")
        if seconds > SECONDS:
            found.append(f"took {seconds:.0f} seconds")
        return found

    def knocked(self) -> bool:
        for listening in self.sockets:
            listening.setblocking(False)
            try:
                listening.recvfrom(100) if (
                    listening.type == socket.SOCK_DGRAM
                ) else listening.accept()[0].close()
            except BlockingIOError:
                continue
            return True
        return False

    def close(self) -> None:
        del os.environ["OLUTIL_TEST_SECRET"]
        for opened in self.sockets:
            opened.close()
        for namespace in Seen.namespaces:
            os.close(namespace)
        Seen.namespaces = []


def processes() -> list[int]:
    """Those that live in one of the sandboxes seen."""
    ours = {os.fstat(namespace).st_ino for namespace in Seen.namespaces}
    found = []
    for path in Path("/proc").glob("[0-9]*"):
        try:
            dead = "State:\tZ" in (path / "status").read_text()
            if os.stat(path / "ns" / "pid").st_ino in ours and not dead:
                found.append(int(path.name))
        except OSError:
            continue
    return found


@pytest.fixture
def watch(tmp_path):
    watch = Watch(tmp_path)
    yield watch
    watch.close()


def submit(hostile: Hostile, watch: Watch) -> marking.Result | str:
    """Its result, or why it is not graded."""
    notebook = trial.handed_in(
        {name: watch.fill(text) for name, text in hostile.cells.items()}
    )
    if hostile.edit:
        hostile.edit(notebook)
    try:
        parsed = intake.parse(watch.fill(json.dumps(notebook)).encode())
        grafted, _ = graft.graft(trial.RELEASED, parsed)
    except (intake.Refused, graft.Unusable) as error:
        return str(error)
    seed = secrets.randbits(64)
    return marking.mark(graft.code(grafted), grading.load(trial.CHECKS), seed)


@pytest.mark.parametrize("hostile", CORPUS, ids=lambda hostile: hostile.name)
def test_hostile(hostile, watch, record_property):
    began = time.monotonic()
    result = submit(hostile, watch)
    harm = watch.harm(json.dumps(shown(result)), time.monotonic() - began)
    points = 0.0 if isinstance(result, str) else sum(map(result.earned, trial.POINTS))
    took = points > hostile.points
    record_property("hostile", "harm" if harm else "point" if took else "nothing")
    assert not harm, hostile.tries
    assert points == hostile.points, (hostile.tries, shown(result))
    assert isinstance(result, str) == hostile.refused
    if not hostile.refused:
        assert result.outcomes.keys() == trial.POINTS.keys()
        assert hostile.says in str(result.outputs)


def shown(result: marking.Result | str):
    return result if isinstance(result, str) else result.plain()
