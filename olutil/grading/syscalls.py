"""What a student's process may not ask of the kernel: a seccomp filter for bubblewrap.

The wall's namespaces keep files, processes and the network away.  This filter
takes away memory that belongs to no process, which the watchdog could not
count, and calls that no homework needs and that kernels have had faults in.
"""

import platform
import struct

# By architecture: its number in the kernel's audit, then the numbers of the calls.
MACHINES = {"x86_64": (0xC000003E, 0), "aarch64": (0xC00000B7, 1)}
MMAP = (9, 222)
FORBIDDEN = {
    # Memory outside every process.
    "memfd_create": (319, 279), "memfd_secret": (447, 447), "shmget": (29, 194),
    "msgget": (68, 186), "semget": (64, 190), "mq_open": (240, 180),
    "io_setup": (206, 0), "io_uring_setup": (425, 425),
    # The network, and the buffers of sockets.
    "socket": (41, 198), "socketpair": (53, 199),
    # Other processes.
    "ptrace": (101, 117), "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271), "pidfd_getfd": (438, 438), "kcmp": (312, 272),
    # Namespaces and mounts.
    "unshare": (272, 97), "setns": (308, 268), "mount": (165, 40),
    "umount2": (166, 39), "pivot_root": (155, 41), "chroot": (161, 51),
    "open_tree": (428, 428), "move_mount": (429, 429), "fsopen": (430, 430),
    "fspick": (433, 433), "mount_setattr": (442, 442),
    # What outlives a process, or has a long history of faults.
    "add_key": (248, 217), "request_key": (249, 218), "keyctl": (250, 219),
    "bpf": (321, 280), "userfaultfd": (323, 282), "perf_event_open": (298, 241),
    "fanotify_init": (300, 262),
}  # fmt: skip

# The words of the filter's language, and what it may return.
LOAD, EQUAL, AT_LEAST, ANY_BIT, RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
ALLOW, REFUSE, KILL = 0x7FFF0000, 0x00050001, 0x80000000  # REFUSE: with EPERM
NUMBER, MACHINE, FLAGS = 0, 4, 16 + 3 * 8  # where the kernel puts what is asked


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
    numbers = [call[column] for call in FORBIDDEN.values()]
    # Shared memory without a file stays after its pages were dropped from the count.
    mapping = [(EQUAL, 0, 2, MMAP[column]), (LOAD, 0, 0, FLAGS), (ANY_BIT, 1, 0, 1)]
    # Two steps remain below: allow, and then refuse.  Jumps count from the next line.
    lines = [
        (LOAD, 0, 0, MACHINE),
        (EQUAL, 1, 0, audit),
        (RETURN, 0, 0, KILL),
        (LOAD, 0, 0, NUMBER),
        # The calls of x86's third, forgotten interface.
        (AT_LEAST, len(numbers) + len(mapping) + 1, 0, 0x40000000),
    ]
    for left, number in zip(range(len(numbers), 0, -1), numbers, strict=True):
        lines.append((EQUAL, left + len(mapping), 0, number))
    lines += [*mapping, (RETURN, 0, 0, ALLOW), (RETURN, 0, 0, REFUSE)]
    return b"".join(
        struct.pack("=HBBI", code, yes, no, value) for code, yes, no, value in lines
    )
