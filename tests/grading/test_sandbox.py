"""The sandbox: what is seen inside, what each limit does, how it starts and ends."""

import itertools
import json
import os
import shutil
import signal
import struct
import subprocess
import sys
import sysconfig
import threading
import time
from pathlib import Path

import nbformat
import pytest
import trial

from grading import bubblewrap, messages, sandbox, syscalls
from grading.__main__ import main
from grading.sandbox import Ended, NoSandbox, Overdue, Sandbox, StudentError

pytestmark = pytest.mark.skipif(
    shutil.which("bwrap") is None and "CI" not in os.environ,
    reason="needs bubblewrap; never skipped where CI is set",
)


def run(box: Sandbox, code: str, limit: float = 10.0) -> str:
    """What a cell shows, in one text."""
    shown = box.ask("run", code, limit, True, deadline=limit + 100)
    return "\n".join(text for output in shown for text in output.values())


@pytest.fixture(scope="module")
def box():
    with Sandbox() as box:
        yield box


# --- Inside ----------------------------------------------------------------------


def test_only_the_scratch_folder_can_be_written_to(box):
    mounts = run(box, "print(open('/proc/self/mountinfo').read())").splitlines()
    fields = [line.split() for line in mounts if line]
    writable = {about[4] for about in fields if "rw" in about[5].split(",")}
    devices = {f"/dev/{name}" for name in bubblewrap.DEVICES}
    assert writable - devices == {"/tmp"}
    shown = run(box, "import os\nprint(*os.listdir('/dev'))").split()
    assert set(shown) == set(bubblewrap.DEVICES)


def test_no_file_of_ours_or_of_the_machine_is_seen(box):
    seen = set(run(box, "import os\nprint(*os.listdir('/'))").split())
    ours = {"tmp", "dev", "proc", "worker", "packages", "python"}
    assert ours <= seen <= ours | {"usr", "lib", "lib64"}
    assert set(run(box, "print(*os.listdir('/usr'))").split()) <= {"lib", "lib64"}
    assert "No module named 'olutil'" in run(box, "import olutil.theorems")


def test_of_the_systems_libraries_no_programs_are_shown(box):
    """Where they can be told apart, as on Debian and Ubuntu."""
    libraries = Path("/usr/lib", sysconfig.get_config_var("MULTIARCH") or "")
    if not (libraries / "libc.so.6").exists():
        pytest.skip("libraries and programs lie in one folder here")
    shown = run(box, "import os\nprint(*os.listdir('/usr/lib'))").split()
    assert {name for name in shown if not name.startswith("ld-")} == {libraries.name}


def test_the_systems_own_python_works_without_its_programs(monkeypatch):
    if not Path(f"/usr/lib/{bubblewrap.PYTHON}/os.py").exists():
        pytest.skip(f"the system has no {bubblewrap.PYTHON}")
    monkeypatch.setattr(sys, "base_prefix", "/usr")
    with Sandbox() as box:
        assert (
            run(box, "import os\nos.listdir('/python/lib')")
            == f"['{bubblewrap.PYTHON}']"
        )
        assert run(box, "import numpy\nnumpy.arange(2).tolist()") == "[0, 1]"


def test_packages_of_ours_are_covered(box):
    code = """
import glob, os
for path in glob.glob("/packages/*olutil*") + glob.glob("/python/lib/*/*/*olutil*"):
    try:
        print(os.listdir(path) if os.path.isdir(path) else open(path).read())
    except PermissionError:
        print([])  # a device that cannot be opened here
"""
    shown = run(box, code).splitlines()
    assert set(shown) <= {"[]", ""}


def test_root_has_become_nobody(box):
    found = run(box, "import os\nprint(os.getuid(), os.getgid())").split()
    ours = os.geteuid(), os.getegid()
    expected = (bubblewrap.NOBODY, bubblewrap.NOBODY) if ours[0] == 0 else ours
    assert tuple(map(int, found)) == expected
    about = run(box, "print(open('/proc/self/status').read())")
    lines = dict(line.split(":", 1) for line in about.splitlines() if ":" in line)
    assert {int(lines[cap], 16) for cap in ("CapEff", "CapPrm", "CapBnd")} == {0}
    assert lines["NoNewPrivs"].strip() == "1" and lines["Seccomp"].strip() == "2"


def test_the_graders_environment_stays_outside(monkeypatch):
    monkeypatch.setenv("OLUTIL_TEST_SECRET", "do-not-tell")
    code = """
import os
for pid in filter(str.isdigit, os.listdir("/proc")):
    print(open(f"/proc/{pid}/environ").read())
print("PATH=" in open("/proc/1/environ").read(), dict(os.environ))
"""
    with Sandbox() as box:
        shown = run(box, code)
    assert "do-not-tell" not in shown
    assert "True" in shown, "the environment of process 1 can be read at all"


def test_packages_of_the_book_work(box):
    code = """
import numpy as np, matplotlib.pyplot as plt
plt.plot(np.linalg.inv(np.eye(3)))
"""
    kinds = box.ask("run", code, 300.0, True, deadline=400)
    assert "png" in kinds[-1]


# --- Limits --------------------------------------------------------------------


@pytest.mark.parametrize(
    "code, said",
    [
        ("x = bytearray(4 << 30)", "MemoryError"),
        ("open('/tmp/x', 'wb').write(bytes(20 << 20))", "File too large"),
        ("for i in range(9): open(f'/tmp/{i}', 'wb').write(bytes(15 << 20))",
         "No space left"),
        ("import os\nx = [os.dup(0) for _ in range(200)]", "Too many open files"),
        ("import threading, time\nfor _ in range(20): threading.Thread("
         "target=time.sleep, args=(9,), daemon=True).start()", "start new thread"),
        ("while True: pass", "longer than 1 seconds"),
        ("print('x' * 10**6)", "[output cut here]"),
        ("import mmap; mmap.mmap(-1, 4096)", "not permitted"),
        ("import os; os.memfd_create('x')", "not permitted"),
        ("import socket; socket.socket()", "not permitted"),
    ],
)  # fmt: skip
def test_a_limit_binds(code, said):
    with Sandbox() as box:
        assert said in run(box, code, limit=1.0 if "seconds" in said else 60.0)


def test_just_below_the_limits_is_allowed():
    code = """
import threading, time, os
x = bytearray(500 << 20)
open('/tmp/x', 'wb').write(bytes(15 << 20))
y = [os.dup(0) for _ in range(50)]
z = [threading.Thread(target=time.sleep, args=(0.1,)) for _ in range(8)]
[t.start() for t in z]; [t.join() for t in z]
"""
    with Sandbox() as box:
        assert "failed" not in str(box.ask("run", code, 10.0, True))


def test_memory_is_limited_in_sum():
    code = """
import os, time
for _ in range(4):
    if os.fork() == 0:
        x = b"x" * (60 << 20)
        time.sleep(60)
time.sleep(60)
"""
    with Sandbox(memory=200 << 20) as box, pytest.raises(Ended, match="200 MiB"):
        run(box, code)


LEADERLESS = """
import ctypes, os, threading, time
def hold():
    time.sleep(0.2)
    x = b"x" * (150 << 20)
    time.sleep(60)
for _ in range(2):
    if os.fork() == 0:
        threading.Thread(target=hold).start()
        ctypes.CDLL(None).syscall(60 if os.uname().machine == "x86_64" else 93, 0)
time.sleep(60)
"""
RENAMED = """
import os, time
os.symlink(f"/python/bin/{os.listdir('/python/bin')[0]}", NAME)
if os.fork() == 0:
    os.execve(NAME, [b"python", b"-Sc", b"import time; time.sleep(60)"], os.environ)
time.sleep(1)
x = b"x" * (250 << 20)
time.sleep(60)
"""
NAMES = [b"\xff", b"\rVmRSS:"]


@pytest.mark.parametrize(
    "code",
    [LEADERLESS, *(RENAMED.replace("NAME", repr(b"/tmp/" + name)) for name in NAMES)],
    ids=["leaderless", *map(repr, NAMES)],
)
def test_memory_cannot_be_hidden_from_the_count(code):
    """By a process whose first thread is gone, or whose name is no text or odd."""
    with Sandbox(memory=200 << 20) as box, pytest.raises(Ended, match="200 MiB"):
        run(box, code)


def test_nobody_runs_unwatched(monkeypatch):
    """Where the watch itself fails, which must not happen, the processes end."""
    held = sandbox._held
    monkeypatch.setattr(threading, "excepthook", lambda arguments: None)
    with Sandbox() as broken, pytest.raises(Ended):
        monkeypatch.setattr(
            sandbox, "_held", lambda pid: 1 / 0 if pid == broken._first else held(pid)
        )
        run(broken, "import time\ntime.sleep(9)")


def test_no_two_processes_share_memory():
    """It could be handed on faster than it is counted; and Python does without."""
    code = """
import ctypes, multiprocessing, subprocess, threading
libc = ctypes.CDLL(None, use_errno=True)
intel = os.uname().machine == "x86_64"
for flags in (0x100, 0x111, 0x4111, 0x8111):
    assert libc.syscall(56 if intel else 220, flags, 0, 0, 0, 0) == -1
    assert ctypes.get_errno() == 1
assert libc.syscall(435, None, 0) == -1 and ctypes.get_errno() == 38
if intel:
    assert libc.syscall(58) == -1 and ctypes.get_errno() == 1
python = f"/python/bin/{os.listdir('/python/bin')[0]}"
print(subprocess.run([python, "-Sc", "print(6 * 7)"], capture_output=True).stdout)
found = []
thread = threading.Thread(target=found.append, args=(1,))
thread.start(), thread.join()
print(found)
"""
    with Sandbox() as box:
        assert run(box, "import os" + code).splitlines() == [r"b'42\n'", "[1]"]


def test_memory_in_pieces_of_huge_pages_cannot_be_held():
    """One small page that is kept of each would hold all of it, and count little."""
    code = """
import ctypes, mmap
libc = ctypes.CDLL(None)
for arguments in [(41, 0, 0, 0, 0), (41, 1, 2, 0, 0)]:
    assert libc.prctl(*arguments) == -1, "they were switched on again"
memory = mmap.mmap(-1, 16 << 20, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
memory.madvise(mmap.MADV_HUGEPAGE)
memory[::4096] = bytes(len(memory) // 4096)
print(next(line for line in open("/proc/self/smaps_rollup") if "AnonHuge" in line))
"""
    with Sandbox() as box:
        assert run(box, code).split() == ["AnonHugePages:", "0", "kB"]


def test_signals_that_wait_and_timers_are_limited():
    code = """
import ctypes
libc = ctypes.CDLL(None)
made = sum(libc.timer_create(1, 0, ctypes.byref(ctypes.c_void_p())) == 0
           for _ in range(1000))
print(made)
"""
    with Sandbox() as box:
        assert 0 < int(run(box, code)) <= 64


def test_files_are_limited_in_number():
    code = "import os\nfor i in range(10**6): os.close(os.open(f'/tmp/{i}', 64))"
    with Sandbox() as box, pytest.raises(Ended, match="10,000 files"):
        run(box, code)


# --- A core for each -------------------------------------------------------------


@pytest.fixture
def two_cores(tmp_path, monkeypatch):
    """Two that no other grader of this machine uses meanwhile."""
    cores = sorted(os.sched_getaffinity(0))[:2]
    if len(cores) < 2:
        pytest.skip("needs two cores")
    for core in cores:
        (tmp_path / f"cpu{core}").mkdir()
    monkeypatch.setattr(sandbox, "CORES", tmp_path)
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, cores)
    yield set(cores)
    os.sched_setaffinity(0, before)


WHERE = "import os\nprint(*os.sched_getaffinity(0))"
SPIN = """
import os, time
for _ in range(13):
    if os.fork() == 0:
        until = time.monotonic() + 30
        while time.monotonic() < until:
            pass
        os._exit(0)
"""


def test_each_has_a_core_until_it_is_closed(two_cores):
    with Sandbox() as one:
        with Sandbox() as other, Sandbox() as third:
            on = [set(map(int, run(b, WHERE).split())) for b in (one, other, third)]
            assert on[0] | on[1] == two_cores
            assert [len(cores) for cores in on] == [1, 1, 1]
        with Sandbox() as other:
            assert set(map(int, run(other, WHERE).split())) == on[1]
    assert os.sched_getaffinity(0) == two_cores


def test_a_core_cannot_be_left(two_cores):
    with Sandbox() as box:
        for cores in ({0}, two_cores, range(os.cpu_count())):
            code = f"import os\nos.sched_setaffinity(0, {cores})"
            assert "not permitted" in run(box, code)
        assert "not permitted" in run(box, "import os\nos.setsid()")


def test_many_processes_have_no_more_time_than_one(two_cores):
    with Sandbox() as box:
        run(box, SPIN)
        began = time.monotonic()
        before = spent(box)
        time.sleep(1)
        share = (spent(box) - before) / (time.monotonic() - began)
    assert share < 1.2


def spent(box: Sandbox) -> float:
    """Seconds of computing by the processes in the sandbox."""
    family = [box._first]
    ticks = 0
    for member in family:
        family += sandbox._children(member)
        about = Path(f"/proc/{member}/stat").read_text().rsplit(")", 1)[1].split()
        ticks += int(about[11]) + int(about[12])
    return ticks / os.sysconf("SC_CLK_TCK")


# --- Questions and answers -------------------------------------------------------


def test_names_calls_objects_and_errors(box):
    run(box, "class A:\n    n = 1\n    def up(self, by=1):\n        self.n += by\n"
             "        return self.n\ndef fail():\n    1 / 0")  # fmt: skip
    number = box.ask("new", "A", [], {}, 60.0)
    assert box.ask("call", number, "up", [2], {}, 60.0) == 3
    assert box.ask("call", number, "up", [], {"by": 4}, 60.0) == 7
    assert box.ask("get", number, "n", 60.0) == 7
    for request, kind in [
        (("call", None, "fail", [], {}, 60.0), "ZeroDivisionError"),
        (("get", None, "absent", 60.0), "NameError"),
        (("get", number, "absent", 60.0), "AttributeError"),
        (("get", None, "A", 60.0), "NotPlain"),
        (("dance",), "LookupError"),
    ]:
        with pytest.raises(StudentError) as error:
            box.ask(*request)
        assert error.value.kind == kind


def test_what_a_fork_did_is_forgotten(box):
    run(box, "seen = []\ndef see(x):\n    seen.append(x)\n    return len(seen)")
    for _ in range(2):
        box.ask("fork")
        assert box.ask("call", None, "see", [1], {}, 60.0) == 1
        assert box.ask("call", None, "see", [1], {}, 60.0) == 2
        box.ask("close")


ERROR = '  File "cell", line 1'


@pytest.mark.parametrize(
    "source, shown",
    [
        ("1 + 1", "2"), ("1 + 1;", ""), ("None", ""), ("_ + 5", "7"), ("_", "7"),
        ("for _ in range(3): pass\n4", "4"), ("_", "2"),
        ("get_ipython().magic('time 8')", "8"), ("get_ipython().magic('%time 9')", "9"),
        ("%matplotlib inline\n3", "[not run here: %matplotlib inline]\n\n3"),
        ("!ls\nx = 5\nx", "[not run here: !ls]\n\n5"), ("%%time\n7", "7"),
        ("if True:\n    %time y = 3\ny", "3"), ("t = %time 2 + 2\nt", "4"),
        ("x = !ls\nlen(x)", "[not run here: !ls]\n\n0"),
        ("import math\nmath.pi?\n3", "[not run here: math.pi?]\n\n3"),
        ("?len", "[not run here: len?]\n"), ("len??", "[not run here: len??]\n"),
        ("math.*?", "[not run here: math.*?]\n"),
        ("%timeit sum(\\\n  [1])\n5", "[not run here: %timeit sum("),
        ("t = %timeit -o sum([1])\nt.loops", "1"), ("  x = 6\n  x", "6"),
        (">>> x = 7\n>>> x", "7"), ("In [3]: x = 8\n   ...: x", "8"),
        ("%%capture out\nprint('a')", ""), ("%%capture out\n%time z = 9\n3", ""),
        ("out.stdout, z", "('', 9)"), ("%%bash\nls", "[not run here: %%bash]\n"),
        ("%%writefile helper.py\ndef f():\n    return 4", ""),
        ("import helper\nhelper.f()", "4"), ("async def g():\n    return 3", ""),
        ("await g()", "3"), ("import asyncio\nt = asyncio.create_task(g())", ""),
        ("await asyncio.sleep(0.01)\nt.result()", "3"),
        ("async def h():\n    for i in range(3):\n        yield i", ""),
        ("async with asyncio.timeout(60):\n    y = [x async for x in h()]\ny",
         "[0, 1, 2]"),
        ("sum(await asyncio.gather(g(), asyncio.to_thread(lambda: 4)))", "7"),
        ("await asyncio.sleep(0)\n%time x = 3\nx", "3"),
        ("from threading import Thread\nt = Thread(target=lambda: asyncio.run(g()))\n"
         "t.start(); t.join()", ""),
        ("from __future__ import annotations", ""),
        ("def f(x: Nowhere):\n    return x\nf(2)", "2"), ("f(", ERROR),
        ("from IPython import get_ipython\nget_ipython().run_line_magic('x', '')\n1",
         "[not run here: %x]\n\n1"), ("y = 5 if z else %time 3", ERROR),
        ("a = \"\"\"\n!ls\n? %%time\n\"\"\"\nlen(a)", "14"), ("(7\n%4)", "3"),
        ("!ls {x} \\\n  -l\n%cd ..\n2", "[not run here: !ls {x}    -l]\n"),
        ("'''\n%not magic\n'''", "'\\n%not magic\\n'"), ("x = 5 \\\n % 3\nx", "2"),
        ("print('a')\n'b'", "a\n\n'b'"), ("1 / 0", "line 1: ZeroDivisionError"),
    ],
)  # fmt: skip
def test_cells_run_as_in_jupyter(box, source, shown):
    found = run(box, source)
    cut = shown.startswith(("line", "[not", "  File"))
    assert found == shown or (cut and found.startswith(shown))


def test_what_was_shown_and_written_has_the_names_of_ipython():
    cells = [
        ("(_, Out, In[1:])", "('', {}, ['(_, Out, In[1:])'])"), ("", ""),
        ("2 + 3", "5"), ("7;", ""), ("_ + 1", "6"),
        ("_, __, Out[2], _2, Out[4]", "(6, 5, 5, 5, 6)"),
        ("In[2], _i2, _i, _ii", repr(("2 + 3",) * 2 + ("_, __, Out[2], _2, Out[4]",
                                                       "_ + 1"))),
        ("class Mute:\n    def __repr__(self):\n        1 / 0\nMute()",
         "line 3: ZeroDivisionError: division by zero\n"),
        ("type(_).__name__", "'Mute'"), ("9 / 0", "line 1: ZeroDivisionError"),
        ("_", "'Mute'"), ("__ = 4\n8", "8"), ("_, __", "('Mute', 4)"),
        ("Out[11], Out[10]", "(8, 'Mute')"), ("del __, In, Out", ""), ("8", "8"),
        ("_, _oh[15], len(_ih)", "(8, 8, 17)"), ("Out", "line 1: NameError"),
    ]  # fmt: skip
    with Sandbox() as box:
        for source, shown in cells:
            found = run(box, source)
            failed = shown.startswith("line") and found.startswith(shown)
            assert found == shown or failed, source


def test_what_is_not_defined_says_why_if_its_cell_was_broken(box):
    run(box, "import pandas_of_another_machine\ndef solve():\n    return 1")
    run(box, "assert solve() == 1")
    for name, why in (("solve", "ModuleNotFoundError: No module named 'pandas_of_"),
                      ("other", "other is not defined")):  # fmt: skip
        with pytest.raises(StudentError) as error:
            box.ask("call", None, name, [], {}, 60.0)
        assert error.value.kind == "NameError" and why in str(error.value)
        assert ("its cell ended early" in str(error.value)) == (name == "solve")


@pytest.mark.parametrize("rest", ["asyncio.sleep(60)", "spin()"])
def test_a_cell_that_awaits_for_too_long_is_interrupted(box, rest):
    run(box, "import asyncio\nasync def spin():\n    while True:\n        pass")
    began = time.monotonic()
    found = box.ask("run", f"await {rest}", 0.3, True, deadline=100)
    assert found[-1]["failed"].startswith(messages.TOO_LONG)
    assert time.monotonic() - began < 60
    assert run(box, "await asyncio.sleep(0.01, 5)") == "5"


def test_a_slow_call_is_too_long_and_the_process_lives(box):
    run(box, "import time\ndef slow():\n    time.sleep(60)")
    with pytest.raises(StudentError) as error:
        box.ask("call", None, "slow", [], {}, 0.2, deadline=100)
    assert error.value.kind == "TooLong"
    assert run(box, "4") == "4"


def test_generators_are_run_within_the_time_of_the_call(box):
    run(box, "import time\ndef slowly():\n    while True:\n        time.sleep(0.1)\n"
             "        yield 1\ndef fails():\n    yield 1 / 0\ndef ends():\n"
             "    yield from range(3)")  # fmt: skip
    assert box.ask("call", None, "ends", [], {}, 60.0) == [0, 1, 2]
    for name, kind in (("slowly", "TooLong"), ("fails", "ZeroDivisionError")):
        with pytest.raises(StudentError) as error:
            box.ask("call", None, name, [], {}, 0.3, deadline=100)
        assert error.value.kind == kind
    assert run(box, "4") == "4"


def test_an_error_whose_text_fails_is_an_answer_too(box):
    run(box, "class Mute(Exception):\n    def __str__(self):\n        return 1 / 0\n"
             "def fail():\n    raise Mute")  # fmt: skip
    with pytest.raises(StudentError) as error:
        box.ask("call", None, "fail", [], {}, 60.0)
    assert error.value.text == "an error without words (ZeroDivisionError)"


@pytest.mark.parametrize(
    "line, why",
    [
        (b"]\n", "no value"), (b"[]\n", "no known form"), (b"7\n", "no known form"),
        (b'["value"]\n', "no known form"), (b'["error",1,2]\n', "no known form"),
        (b'[{"array":[1,2],"shape":[2],"kind":"i"},1]\n', "no known form"),
        (b"x" * 5_000_000, "too long"), (b"[", "in time"), (b"", "in time"),
    ],
)  # fmt: skip
def test_what_is_no_answer_ends_the_session(line, why):
    with Sandbox() as box:
        os.close(box._answers)
        box._answers, write = os.pipe()
        os.set_blocking(box._answers, False)
        child = os.fork()
        if child == 0:
            os.close(box._answers)
            os.write(write, line) if len(line) < 10**5 else [
                os.write(write, line[:65536]) for _ in range(80)
            ]
            time.sleep(3)
            os._exit(0)
        os.close(write)
        with pytest.raises(Ended, match=why):
            box.ask("get", None, "x", 1.0, deadline=1.0 if why == "in time" else 100.0)
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)


def test_a_thief_of_answers_cannot_make_the_grader_wait():
    """What was there to be read is gone when it is read."""
    with Sandbox() as box:
        assert not os.get_blocking(box._answers)
        with pytest.raises(BlockingIOError):
            os.read(box._answers, 1)
        began = time.monotonic()
        with pytest.raises(Overdue):
            box._receive(began + 0.3)
        assert time.monotonic() - began < 60


# --- Beginning and end ------------------------------------------------------------


def alive(pid: int) -> bool:
    try:
        return "State:\tZ" not in Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return False


def test_closing_ends_every_process():
    box = Sandbox()
    run(
        box,
        "import os, time\nif os.fork() == 0:\n    os.setpgid(0, 0)\n    time.sleep(99)",
    )
    inside = sandbox._children(box._first)
    family = [box._first, *inside, *(c for p in inside for c in sandbox._children(p))]
    assert len(family) >= 3 and all(map(alive, family))
    box.close()
    assert not any(map(alive, family))


def test_nothing_stays_open_or_running():
    def state():
        return len(os.listdir("/proc/self/fd")), len(os.listdir("/proc/self/task"))

    Sandbox().close()
    time.sleep(0.1)
    before = state()
    for _ in range(3):
        with Sandbox() as box, pytest.raises(Ended):
            run(box, "import os; os._exit(0)")
    # A thread that was joined may be listed for a moment more.
    until = time.monotonic() + 60
    while state() != before and time.monotonic() < until:
        time.sleep(0.01)
    assert state() == before


def test_a_killed_grader_leaves_no_process(tmp_path):
    code = (
        "import time\nfrom grading.sandbox import Sandbox\n"
        "box = Sandbox(); print(box._first, flush=True); time.sleep(60)"
    )
    grader = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE)
    first = int(grader.stdout.readline())
    assert alive(first)
    grader.kill()
    grader.communicate()
    until = time.monotonic() + 60
    while alive(first) and time.monotonic() < until:
        time.sleep(0.05)
    assert not alive(first)


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_a_killed_grader_ends_its_pool(number):
    code = """
from grading import parallel
from grading.marking import Cell
cells = [Cell(0, "import time; time.sleep(60)")]
checks = "from grading.checks import Checks; checks = Checks()"
list(parallel.on_cores([(name, checks, cells, 1, []) for name in "ab"], 2))
"""
    grader = subprocess.Popen([sys.executable, "-c", code])
    family = set()
    until = time.monotonic() + 300
    while time.monotonic() < until:
        family = set(descendants(grader.pid))
        if any(b"worker.py" in command(pid) for pid in family):
            break
        time.sleep(0.1)
    else:
        pytest.fail("no submission was begun")
    grader.send_signal(number)
    grader.wait()
    until = time.monotonic() + 60
    while any(map(alive, family)) and time.monotonic() < until:
        time.sleep(0.05)
    left = list(filter(alive, family))
    for pid in left:
        os.kill(pid, signal.SIGKILL)
    assert not left


def descendants(pid: int) -> list[int]:
    family = [pid]
    for member in family:
        family += sandbox._children(member)
    return family[1:]


def command(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


def test_no_descriptor_of_the_grader_is_inherited(tmp_path):
    secret = tmp_path / "secret"
    secret.write_text("x")
    opened = os.open(secret, os.O_RDONLY)
    high = os.dup2(opened, 700, inheritable=True)
    code = """
import glob, os
for path in glob.glob("/proc/[0-9]*/fd/*"):
    if os.path.lexists(path):
        print(os.readlink(path))
"""
    with Sandbox() as box:
        shown = run(box, code)
        assert "pipe:" in shown and "secret" not in shown and "(deleted)" not in shown
    os.close(high)
    os.close(opened)


def grade(tmp_path, capsys) -> tuple[int, str]:
    """Try to grade an honest submission; the exit code and what was said."""
    for folder in ("source", "checks", "in"):
        (tmp_path / folder).mkdir()
    nbformat.write(trial.source(), tmp_path / "source" / "trial.ipynb")
    (tmp_path / "checks" / "trial.py").write_text(trial.CHECKS)
    (tmp_path / "in" / "ada.ipynb").write_text(json.dumps(trial.handed_in({})))
    code = main(["trial", "--submissions", str(tmp_path / "in"), "--exercises",
                 str(tmp_path), "--out", str(tmp_path / "out")])  # fmt: skip
    return code, capsys.readouterr().err


def test_without_bubblewrap_nothing_is_graded(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(shutil, "which", lambda name: None)
    code, said = grade(tmp_path, capsys)
    assert code == 2 and "apt-get install bubblewrap" in said
    assert not (tmp_path / "out" / "grades.csv").exists()


def test_where_it_cannot_start_nothing_is_graded(tmp_path, capsys, monkeypatch):
    """As in a container that forbids user namespaces."""
    fails = ["sh", "-c", "echo 'bwrap: No permissions to create new namespace' >&2"]
    monkeypatch.setattr(bubblewrap, "command", lambda *descriptors: fails)
    code, said = grade(tmp_path, capsys)
    assert code == 2 and "No permissions to create new namespace" in said
    assert "user namespaces" in said
    assert not (tmp_path / "out" / "grades.csv").exists()


def test_on_another_system_nothing_is_graded(monkeypatch):
    monkeypatch.setattr(sys, "platform", "darwin")
    with pytest.raises(NoSandbox, match="Linux"):
        sandbox.preflight()


def test_on_another_processor_nothing_is_graded(monkeypatch):
    monkeypatch.setattr(sandbox.platform, "machine", lambda: "riscv64")
    with pytest.raises(NoSandbox, match="riscv64"):
        sandbox.preflight()


@pytest.mark.parametrize("machine", syscalls.MACHINES)
def test_the_filters_jumps_land_where_they_should(machine):
    """A small reader of the kernel's filter language."""
    program = list(struct.iter_unpack("=HBBI", syscalls.seccomp_filter(machine)))
    audit, column = syscalls.MACHINES[machine]

    def decide(number: int, *arguments: int, audit: int = audit) -> int:
        data = {syscalls.NUMBER: number, syscalls.MACHINE: audit}
        for k in range(6):
            given = arguments[k] if k < len(arguments) else 0
            data[syscalls.ARGUMENTS + 8 * k] = given
        at, value = 0, 0
        while True:
            code, yes, no, k = program[at]
            at += 1
            if code == syscalls.RETURN:
                return k
            if code == syscalls.LOAD:
                value = data[k]
                continue
            holds = {
                syscalls.EQUAL: value == k,
                syscalls.AT_LEAST: value >= k,
                syscalls.ANY_BIT: bool(value & k),
            }[code]
            at += yes if holds else no

    mmap, fcntl, prctl, clone = (
        call[column]
        for call in (syscalls.MMAP, syscalls.FCNTL, syscalls.PRCTL, syscalls.CLONE)
    )
    forbidden = {call[column] for call in syscalls.FORBIDDEN.values()} | {prctl}
    for number in range(600):
        right = syscalls.REFUSE if number in forbidden else syscalls.ALLOW
        if number >= syscalls.NEWER or number == syscalls.CLONE3:
            right = syscalls.MISSING
        assert decide(number) == right, number
    for flags, right in [(0x22, syscalls.ALLOW), (0x21, syscalls.REFUSE),
                         (0x01, syscalls.REFUSE), (0x03, syscalls.REFUSE),
                         (0x40022, syscalls.REFUSE)]:  # fmt: skip
        assert decide(mmap, 0, 0, 0, flags) == right
    for word in range(2000):
        right = word in (0, 1, 2, 3, 4, 1030)
        assert (decide(fcntl, 9, word, 9) == syscalls.ALLOW) == right, word
    for arguments in itertools.product((0, 1, 2, 41), repeat=3):
        right = arguments == (41, 1, 0)
        assert (decide(prctl, *arguments) == syscalls.ALLOW) == right, arguments
    # What fork and a thread ask for; vfork, a sibling with the same memory, its like.
    for flags, right in [
        (0x1200011, syscalls.ALLOW),
        (0x3D0F00, syscalls.ALLOW),
        (0x11, syscalls.ALLOW),
        (0x4111, syscalls.REFUSE),
        (0x8111, syscalls.REFUSE),
        (0x100, syscalls.REFUSE),
    ]:
        assert decide(clone, flags) == right, hex(flags)
    assert decide(0x40000000) == decide(0x40000009) == syscalls.MISSING
    assert decide(0, audit=0x40000003) == syscalls.KILL


def test_who_sleeps_is_ended_as_who_works():
    with Sandbox() as box:
        began = time.monotonic()
        with pytest.raises(Overdue):
            sleep = "import time\ntime.sleep(300)"
            box.ask("run", sleep, 100.0, False, deadline=200, most=1.0)
        assert 1.0 < box.used() < 3.0 and time.monotonic() - began < 100


def test_who_waits_for_the_processor_does_not_sleep():
    burn = "import time\nwhile time.process_time() < {}: pass"
    with Sandbox() as box:
        core = os.sched_getaffinity(box._first)
        busy = [
            subprocess.Popen(
                [sys.executable, "-c", "while True: pass"],
                preexec_fn=lambda: os.sched_setaffinity(0, core),
            )
            for _ in range(6)
        ]
        try:
            began = time.monotonic()
            box.ask("run", burn.format(2.0), 60.0, False, deadline=200)
            took = time.monotonic() - began
        finally:
            for process in busy:
                process.kill()
                process.wait()
        assert box.used() < 2.5 < took


@pytest.mark.parametrize(
    ("code", "can"),
    [
        ("time.sleep(60)", False),
        ("threading.Event().wait(60)", False),
        ("while True: pass", True),
        ("threading.Thread(target=spin).start(); time.sleep(60)", True),
        ("os.fork() or spin(); time.sleep(60)", True),
    ],
)
def test_who_can_run(code, can):
    spin = "import os, threading, time\ndef spin():\n    while True: pass\n"
    with subprocess.Popen(
        [sys.executable, "-c", f"{spin}print(1, flush=True)\n{code}"],
        stdout=subprocess.PIPE, start_new_session=True,
    ) as process:  # fmt: skip
        try:
            process.stdout.readline()
            until = time.monotonic() + 60
            while sandbox._can_run(process.pid) != can and time.monotonic() < until:
                time.sleep(0.05)
            found = [sandbox._can_run(process.pid) for _ in range(20)]
        finally:
            os.killpg(process.pid, signal.SIGKILL)
    assert found == [can] * 20
