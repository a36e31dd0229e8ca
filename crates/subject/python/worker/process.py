"""The processes of a worker: how they end, and what they use."""

import os
import time

from wire import leave

try:
    import ctypes

    PRCTL = ctypes.CDLL(None).prctl
except (ImportError, AttributeError, OSError):  # without it, a killed harness may leave a process
    PRCTL = None

LOOK = 0.02  # seconds between two looks at a process


def end_with_parent(parent):
    """Lets this process end when its parent does."""
    if PRCTL:
        PRCTL(1, 9)  # PR_SET_PDEATHSIG, SIGKILL
        if os.getppid() != parent:
            leave(0)


def adopt_orphans():
    """Makes this process the parent of what its children leave behind, so that it can be found."""
    if PRCTL:
        PRCTL(36, 1)  # PR_SET_CHILD_SUBREAPER


def number_in_proc():
    """The number of this process in /proc. In a PID namespace, it may have another number."""
    try:
        return int(os.readlink("/proc/self"))
    except (OSError, ValueError):
        return os.getpid()


class Usage:
    """How long a run has kept a process busy, or waiting for anything but the processor."""

    TICK = os.sysconf("SC_CLK_TCK")

    def __init__(self):
        self.run, self.start, self.asleep, self.seen = None, 0, 0, 0

    def seconds(self, number, run):
        """For the run with the number `run`, of the process with a `number` in /proc."""
        try:
            with open("/proc/%d/stat" % number) as file:
                fields = file.read().rpartition(")")[2].split()
        except OSError:
            return 0
        used, now = (int(fields[11]) + int(fields[12])) / self.TICK, time.monotonic()
        if run != self.run:
            self.run, self.start, self.asleep = run, used, 0
        elif fields[0] == "S":
            self.asleep += min(now - self.seen, 5 * LOOK)  # a longer time passed while this process waited
        self.seen = now
        return used - self.start + self.asleep


def children():
    """The processes whose parent is this one."""
    found = set()
    with open("/proc/thread-self/children") as file:
        for name in file.read().split():
            try:
                found.add(number_of(name))
            except (IndexError, OSError):  # it has ended, or is in no namespace of this process
                pass
    return found


def number_of(name):
    """The number in the PID namespace of this process of the one that has a `name` in /proc."""
    depth = len(numbers_of("self"))
    return numbers_of(name)[depth - 1] if depth else int(name)


def numbers_of(name):
    """The numbers of a process, from the namespace of /proc inwards."""
    with open("/proc/%s/status" % name) as file:
        for line in file:
            if line.startswith("NSpid:"):
                return [int(number) for number in line.split()[1:]]
    return []
