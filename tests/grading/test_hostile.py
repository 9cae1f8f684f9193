"""No hostile submission takes a point that it has not earned, or does harm."""

import json
import os
import secrets
import shutil
import socket
import time
from pathlib import Path

import numpy as np
import pytest
import trial
from hostile import CORPUS, Hostile

from grading import (
    answers,
    archives,
    cells,
    checks,
    marking,
    messages,
    notebooks,
    sandbox,
)
from grading.checks import load
from grading.sandbox import Sandbox

pytestmark = pytest.mark.skipif(
    shutil.which("bwrap") is None and "CI" not in os.environ,
    reason="needs bubblewrap; never skipped where CI is set",
)
MEMORY = 600 << 20
# Seconds, of which a hostile submission may use all.
LIMITS = {
    (marking, "CELL"): 1.0,
    (checks, "CALL"): 0.5,
    (checks, "LATE"): 0.4,
    (marking, "GRACE"): 0.7,
    (marking, "QUESTION"): 1.5,
    (marking, "SUBMISSION"): 3.0,
}
# On the clock.  The last request may be late, and starting again takes time.
AT_MOST = messages.PATIENCE * LIMITS[marking, "SUBMISSION"] + 6.0
# Where the machine is so busy that an honest cell has no time, limits are this much
# larger when all is tried once more.
MORE = 12


class Seen(Sandbox):
    """A sandbox whose processes can be looked for when it is closed."""

    namespaces: list[int] = []

    def __init__(self) -> None:
        super().__init__(memory=MEMORY)
        # As long as it is open here, no other namespace gets its number.
        path = f"/proc/{self._first}/ns/pid"
        self.namespaces.append(os.open(path, os.O_RDONLY))


def limit(monkeypatch, factor: float) -> None:
    for (module, name), seconds in LIMITS.items():
        monkeypatch.setattr(module, name, factor * seconds)


@pytest.fixture(autouse=True)
def small_limits(monkeypatch):
    monkeypatch.setattr(marking, "Sandbox", Seen)
    limit(monkeypatch, 1)


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
        if len(shown) > marking.OUTPUTS_LENGTH + 100_000:
            found.append("showed too much")
        if seconds > AT_MOST:
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
            # As bytes: a process may bear any name.
            dead = b"State:\tZ" in (path / "status").read_bytes()
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
        parsed = notebooks.parse(watch.fill(json.dumps(notebook)).encode())
        filled, _ = answers.fill(trial.RELEASED, parsed)
    except (archives.Unreadable, answers.Unusable) as error:
        return str(error)
    seed = secrets.randbits(64)
    return marking.mark(cells.code(filled), load(trial.CHECKS), seed)


def shown(result: marking.Result | str) -> str:
    return json.dumps(result if isinstance(result, str) else result.plain())


def took_points(hostile: Hostile, result: marking.Result | str) -> float:
    """Points above those it has earned, or below them."""
    if isinstance(result, str):
        return 0.0
    return sum(map(result.earned, trial.POINTS)) - hostile.points


@pytest.mark.parametrize("hostile", CORPUS, ids=lambda hostile: hostile.name)
def test_hostile(hostile, watch, record_property, monkeypatch):
    for factor in (1, MORE):
        limit(monkeypatch, factor)
        began = time.monotonic()
        result = submit(hostile, watch)
        harm = watch.harm(shown(result), (time.monotonic() - began) / factor)
        took = took_points(hostile, result)
        if harm or took > 0 or not short_of_time(hostile, result):
            break
    record_property("hostile", "harm" if harm else "point" if took > 0 else "nothing")
    assert not harm, hostile.tries
    assert took == 0, (hostile.tries, shown(result))
    assert isinstance(result, str) == hostile.refused
    if not hostile.refused:
        assert result.outcomes.keys() == trial.POINTS.keys()
        assert hostile.says in str(result.outputs)
        assert hostile.told in str(result.outcomes)


def short_of_time(hostile: Hostile, result: marking.Result | str) -> bool:
    """Whether honest work was lost, or the code did not come as far as it should."""
    if isinstance(result, str):
        return False
    return (
        took_points(hostile, result) < 0
        or hostile.says not in str(result.outputs)
        or hostile.told not in str(result.outcomes)
    )


def test_there_are_enough():
    assert len({hostile.name for hostile in CORPUS}) == len(CORPUS) >= 80


SLOW = """
import time
def twice(number):
    until = time.process_time() + 0.2
    while time.process_time() < until:
        pass
    return 2 * number
"""


def test_a_hog_takes_no_point_from_its_neighbor(watch, tmp_path, monkeypatch):
    """An honest answer that computes for a second, beside thirteen processes.

    It has twice the time that is enough for it alone, however busy the machine is.
    """
    cores = sorted(os.sched_getaffinity(0))[:2]
    if len(cores) < 2:
        pytest.skip("there is no neighbor on one core")
    # These two are not those of another grader of this machine.
    monkeypatch.setattr(sandbox, "CORES", tmp_path)
    for core in cores:
        (tmp_path / f"cpu{core}").mkdir()
    hog = next(hostile for hostile in CORPUS if hostile.name == "hog")
    honest = Hostile("slow", "is honest", trial.HONEST | {"twice-answer": SLOW}, 7.0)
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, cores)
    try:
        for factor in (1, 2, 4, 8, 16):
            limit(monkeypatch, factor)
            if took_points(honest, submit(honest, watch)) == 0:
                break
        limit(monkeypatch, 2 * factor)
        with Sandbox() as neighbor:
            neighbor.ask("run", hog.cells["twice-answer"], 1.0, False)
            result = submit(honest, watch)
    finally:
        os.sched_setaffinity(0, before)
    assert took_points(honest, result) == 0, shown(result)


# --- Each detector can fail -----------------------------------------------------


def test_detector_of_changed_files(watch):
    assert not watch.harm("", 0)
    watch.canary.write_text("changed")
    assert watch.harm("", 0) == ["changed a file"]


def test_detector_of_new_files(watch):
    (watch.canary.parent / "new").touch()
    assert watch.harm("", 0) == ["changed a file"]


def test_detectors_of_what_was_read(watch):
    read = watch.canary.read_text()
    assert watch.harm(f"... {read} ...", 0) == ["read a file or the environment"]
    assert read == os.environ["OLUTIL_TEST_SECRET"]
    assert watch.harm(trial.CHECKS, 0) == ["read the hidden checks"]


@pytest.mark.parametrize("number", range(3))
def test_detector_of_the_network(watch, number):
    """Each of the three sockets is knocked at from outside of the sandbox."""
    listening = watch.sockets[number]
    with socket.socket(listening.family, listening.type) as knocking:
        knocking.connect(listening.getsockname())
        knocking.send(b"knock")
        assert watch.harm("", 0) == ["reached the network"]


def test_detector_of_processes(watch):
    with Seen() as box:
        box.ask("run", "import os, time\nif not os.fork(): time.sleep(9)", 1.0, False)
        assert len(processes()) == 3
        assert watch.harm("", 0) == ["left a process"]
    assert not watch.harm("", 0)


def test_detectors_of_output_and_time(watch):
    assert watch.harm("x" * (marking.OUTPUTS_LENGTH + 200_000), 0) == [
        "showed too much"
    ]
    assert watch.harm("", AT_MOST + 1) == [f"took {AT_MOST + 1:.0f} seconds"]


def test_detector_of_points(watch, monkeypatch):
    """With a grader that believes a patched numpy, a constant takes points."""
    constant = next(hostile for hostile in CORPUS if hostile.name == "constant")
    assert took_points(constant, submit(constant, watch)) == 0
    monkeypatch.setattr(np, "allclose", lambda *a: True)
    monkeypatch.setattr(marking, "Student", lambda *a: Believed())
    assert took_points(constant, submit(constant, watch)) == trial.POINTS["weights"]


class Believed:
    """A student whose answers to all questions are six zeros."""

    def call(self, name, *arguments):
        return [0.0] * 6

    new = call
