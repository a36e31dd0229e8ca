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


class Usage:
    """How long a run has kept a process busy, or waiting for anything but the processor."""

    TICK = os.sysconf("SC_CLK_TCK")

    def __init__(self, pid):
        self.pid, self.run, self.start, self.asleep, self.seen = pid, None, 0, 0, 0

    def seconds(self, run):
        try:
            with open("/proc/%d/stat" % self.pid) as file:
                fields = file.read().rpartition(")")[2].split()
        except OSError:
            return 0
        used, now = (int(fields[11]) + int(fields[12])) / self.TICK, time.monotonic()
        if run != self.run:
            self.run, self.start, self.asleep = run, used, 0
        elif fields[0] == "S":
            self.asleep += now - self.seen
        self.seen = now
        return used - self.start + self.asleep


def children():
    """The processes whose parent is this one."""
    found, parent = set(), str(os.getpid())
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open("/proc/%s/stat" % name) as file:
                if file.read().rpartition(")")[2].split()[1] == parent:
                    found.add(int(name))
        except OSError:
            pass
    return found
