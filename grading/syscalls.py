"""The system calls that a student's process may not make: a seccomp filter.

Bubblewrap's namespaces keep files, processes and the network out of reach.  This filter
takes away memory that belongs to no process, which the sandbox could not count, the
choice of a core, and calls that no homework needs and that kernels have had faults in.
Calls that are newer than this list fail as they do on an older kernel that lacks them,
for which the C library is prepared.
"""

import platform
import struct
from collections.abc import Sequence
from typing import NamedTuple

# By architecture: its number in the kernel's audit, then the numbers of the calls.
MACHINES = {"x86_64": (0xC000003E, 0), "aarch64": (0xC00000B7, 1)}
# The first call that nobody has judged here.  The numbers of x86's third interface are
# larger, too.
NEWER = 451
FORBIDDEN = {
    # Memory outside every process: files, queues, rings, and what a pipe keeps when the
    # process has given it back.
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
    # Locks: others who are graded at the same time have the same files of Python.
    "flock": (73, 32),
    # The network, and the buffers of sockets.
    "socket": (41, 198), "socketpair": (53, 199),
    # Other cores, and more than one share of a core's time: kernels give each session
    # a share.
    "sched_setaffinity": (203, 122), "setsid": (112, 157),
    # Waiting for the disks of the whole machine, where others wait with them.
    "sync": (162, 81), "syncfs": (306, 267), "sync_file_range": (277, 84),
    # Other processes, and memory that two of them share.
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

# Calls that are allowed with some arguments only.
# - mmap: shared memory without a file is still held when no process counts it any more,
#   and huge pages are taken from the whole system.
# - fcntl: a lock on a file, or a longer pipe, takes the kernel's own memory.
# - prctl: the worker switches huge pages off; part of one counts as little memory and
#   holds the whole page.
# - clone: threads may share their memory.  Processes that did could pass it on faster
#   than it can be counted.
MMAP, SHARED_OR_HUGE = (9, 222), 0x40001
FCNTL, DUPLICATES_AND_FLAGS = (72, 25), (0, 1, 2, 3, 4, 1030)
PRCTL, NO_HUGE_PAGES = (157, 167), (41, 1, 0)
CLONE, SHARED, THREAD = (56, 220), 0x100, 0x10000
# A filter cannot read its arguments.  Where it is missing, the C library uses clone.
CLONE3 = 435

# The filter's language: load a word, compare it and jump, return.
LOAD, EQUAL, AT_LEAST, ANY_BIT, RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
NUMBER, MACHINE, ARGUMENTS = 0, 4, 16  # where the kernel puts what is asked
# What a filter returns: with the last two the call fails with EPERM or ENOSYS.
ALLOW, KILL, REFUSE, MISSING = 0x7FFF0000, 0x80000000, 0x00050001, 0x00050026


class Line(NamedTuple):
    """An instruction; of two with a jump, ``yes`` and ``no`` name where it leads.

    A jump leads to the line that has this label, or to the next one if it is empty.
    """

    code: int
    value: int
    yes: str = ""
    no: str = ""
    label: str = ""


# The lines at which the filter ends, which come last.
ENDS = [
    Line(RETURN, ALLOW, label="allow"),
    Line(RETURN, REFUSE, label="refuse"),
    Line(RETURN, MISSING, label="missing"),
]


def seccomp_filter(machine: str | None = None) -> bytes:
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
    forbidden = [c[column] for c in FORBIDDEN.values() if c[column] is not None]
    return assembled(
        [
            Line(LOAD, MACHINE),
            Line(EQUAL, audit, yes="number"),
            Line(RETURN, KILL),
            Line(LOAD, NUMBER, label="number"),
            Line(AT_LEAST, NEWER, yes="missing"),
            Line(EQUAL, CLONE3, yes="missing"),
            *(Line(EQUAL, number, yes="refuse") for number in forbidden),
            *_where(MMAP[column], "mmap", _without(3, SHARED_OR_HUGE, "allow")),
            *_where(FCNTL[column], "fcntl", _one_of(1, DUPLICATES_AND_FLAGS, "allow")),
            *_where(
                PRCTL[column],
                "prctl",
                [
                    *_one_of(0, NO_HUGE_PAGES[:1], "second"),
                    *_one_of(1, NO_HUGE_PAGES[1:2], "third", label="second"),
                    *_one_of(2, NO_HUGE_PAGES[2:], "allow", label="third"),
                ],
            ),
            *_where(
                CLONE[column],
                "clone",
                [
                    Line(LOAD, ARGUMENTS),
                    Line(ANY_BIT, SHARED, no="allow"),
                    Line(ANY_BIT, THREAD, yes="allow", no="refuse"),
                ],
            ),
            *ENDS,
        ]
    )


def _where(number: int, name: str, lines: list[Line]) -> list[Line]:
    """Lines for the call with that number; other calls go past them."""
    over = f"not {name}"
    return [Line(EQUAL, number, no=over), *lines, Line(LOAD, NUMBER, label=over)]


def _without(argument: int, bits: int, then: str) -> list[Line]:
    """Go there if an argument has none of these bits, and refuse otherwise."""
    return [
        Line(LOAD, ARGUMENTS + 8 * argument),
        Line(ANY_BIT, bits, yes="refuse", no=then),
    ]


def _one_of(
    argument: int, values: Sequence[int], then: str, label: str = ""
) -> list[Line]:
    """Go there if an argument has one of these values, and refuse otherwise."""
    *first, last = (Line(EQUAL, value, yes=then) for value in values)
    load = Line(LOAD, ARGUMENTS + 8 * argument, label=label)
    return [load, *first, last._replace(no="refuse")]


def assembled(lines: list[Line]) -> bytes:
    """The lines in the kernel's form, where a jump says how many lines to skip."""
    at = {line.label: number for number, line in enumerate(lines) if line.label}

    def skipped(number: int, label: str) -> int:
        return at[label] - number - 1 if label else 0

    return b"".join(
        struct.pack(
            "=HBBI", line.code, skipped(n, line.yes), skipped(n, line.no), line.value
        )
        for n, line in enumerate(lines)
    )
