"""What a student's process may not ask of the kernel: a seccomp filter for bubblewrap.

The wall's namespaces keep files, processes and the network away.  This filter
takes away memory that belongs to no process, which the watchdog could not
count, the choice of a core, and calls that no homework needs and that kernels
have had faults in.  Calls that are newer than this list are as if the kernel had
none of them, which the C library expects of older kernels.
"""

import platform
import struct
from collections.abc import Sequence

# By architecture: its number in the kernel's audit, then the numbers of the calls.
MACHINES = {"x86_64": (0xC000003E, 0), "aarch64": (0xC00000B7, 1)}
NEWER = 451  # the first call that was not weighed here; x86's third interface too
FORBIDDEN = {
    # Memory outside every process: files, queues, rings, and what a pipe can hold
    # on to when the process has let go of it.
    "memfd_create": (319, 279), "memfd_secret": (447, 447), "shmget": (29, 194),
    "msgget": (68, 186), "semget": (64, 190), "mq_open": (240, 180),
    "io_setup": (206, 0), "io_uring_setup": (425, 425),
    "vmsplice": (278, 75), "splice": (275, 76), "tee": (276, 77),
    "sendfile": (40, 71),
    # The kernel's own memory, which grows with each name, event or rule.
    "setxattr": (188, 5), "lsetxattr": (189, 6), "fsetxattr": (190, 7),
    "inotify_init": (253, None), "inotify_init1": (294, 26),
    "fanotify_init": (300, 262), "landlock_create_ruleset": (444, 444),
    "seccomp": (317, 277),
    # Locks that whoever is graded at the same time would see: all read one Python.
    "flock": (73, 32),
    # The network, and the buffers of sockets.
    "socket": (41, 198), "socketpair": (53, 199),
    # The cores of others, and more than one share of time: kernels give one to each
    # session.
    "sched_setaffinity": (203, 122), "setsid": (112, 157),
    # Other processes, and one memory for two of them.
    "vfork": (58, None), "ptrace": (101, 117), "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271), "pidfd_getfd": (438, 438), "kcmp": (312, 272),
    # Namespaces and mounts.
    "unshare": (272, 97), "setns": (308, 268), "mount": (165, 40),
    "umount2": (166, 39), "pivot_root": (155, 41), "chroot": (161, 51),
    "open_tree": (428, 428), "move_mount": (429, 429), "fsopen": (430, 430),
    "fspick": (433, 433), "mount_setattr": (442, 442),
    # What outlives a process, or has a long history of faults.
    "add_key": (248, 217), "request_key": (249, 218), "keyctl": (250, 219),
    "bpf": (321, 280), "userfaultfd": (323, 282), "perf_event_open": (298, 241),
}  # fmt: skip

# Calls that are allowed with some arguments only.  Shared memory without a file
# stays after its pages were dropped from the count, and the system's pool of huge
# pages is not ours.  A lock on a file, or a longer pipe, is the kernel's memory.
# Huge pages may be switched off, as the worker does: what is left of one when most
# of it was given back counts as little and holds all.  Threads share their memory;
# processes that did could hand it on faster than it can be counted.
MMAP, SHARED_OR_HUGE = (9, 222), 0x40001
FCNTL, DUPLICATES_AND_FLAGS = (72, 25), (0, 1, 2, 3, 4, 1030)
PRCTL, NO_HUGE_PAGES = (157, 167), (41, 1, 0)
CLONE, SHARED, THREAD = (56, 220), 0x100, 0x10000
# What it asks for stands where no filter can read it; the C library then uses clone.
CLONE3 = 435

# The words of the filter's language, and what it may return.
LOAD, EQUAL, AT_LEAST, ANY_BIT, RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
ALLOW, KILL = 0x7FFF0000, 0x80000000
REFUSE, MISSING = 0x00050001, 0x00050026  # with EPERM, with ENOSYS
NUMBER, MACHINE, ARGUMENTS = 0, 4, 16  # where the kernel puts what is asked


def rules(machine: str | None = None) -> bytes:
    """The filter as the kernel reads it.

    Parameters
    ----------
    machine : str, optional
        Architecture by the name that ``platform.machine()`` gives; this one by
        default.

    Raises
    ------
    KeyError
        If the numbers of its calls are not known here.
    """
    audit, column = MACHINES[machine or platform.machine()]
    numbers = [call[column] for call in FORBIDDEN.values() if call[column] is not None]
    lines = [
        (LOAD, 0, 0, MACHINE),
        (EQUAL, 1, 0, audit),
        (RETURN, 0, 0, KILL),
        (LOAD, 0, 0, NUMBER),
        (AT_LEAST, MISSING, 0, NEWER),
        (EQUAL, MISSING, 0, CLONE3),
        *((EQUAL, REFUSE, 0, number) for number in numbers),
    ]
    flags = [(LOAD, 0, 0, ARGUMENTS + 8 * 3), (ANY_BIT, REFUSE, 0, SHARED_OR_HUGE)]
    # The second line is for those who share.
    sharing = [
        (LOAD, 0, 0, ARGUMENTS), (ANY_BIT, 0, 1, SHARED), (ANY_BIT, 0, REFUSE, THREAD),
    ]  # fmt: skip
    wanted = [
        line for k, value in enumerate(NO_HUGE_PAGES) for line in _one_of(k, [value])
    ]
    for call, tests in [
        (MMAP, flags),
        (FCNTL, _one_of(1, DUPLICATES_AND_FLAGS)),
        (PRCTL, wanted),
        (CLONE, sharing),
    ]:
        # Where another call is asked for, the jump leads past these lines.
        lines += [(EQUAL, 0, len(tests) + 1, call[column]), *tests]
        lines.append((RETURN, 0, 0, ALLOW))
    ends = [ALLOW, REFUSE, MISSING]
    lines += [(RETURN, 0, 0, end) for end in ends]

    def steps(at: int, where: int) -> int:
        """How far a jump leads; where it leads to an end, that is named."""
        if where not in ends:
            return where
        return len(lines) - len(ends) + ends.index(where) - at - 1

    return b"".join(
        struct.pack("=HBBI", code, steps(at, yes), steps(at, no), value)
        for at, (code, yes, no, value) in enumerate(lines)
    )


def _one_of(argument: int, values: Sequence[int]) -> list[tuple[int, int, int, int]]:
    """Lines that go on where an argument has one of these values, and refuse others."""
    lines = [(LOAD, 0, 0, ARGUMENTS + 8 * argument)]
    for left, value in zip(range(len(values) - 1, -1, -1), values, strict=True):
        lines.append((EQUAL, left, 0 if left else REFUSE, value))
    return lines
