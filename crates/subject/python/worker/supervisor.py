"""Servers that answer requests, and the supervisor that keeps one running."""

import mmap
import os
import select
import struct
import traceback

from process import LOOK, Usage, end_with_parent, number_in_proc
from run import Runner
from wire import (CRASH, STATUS_BROKEN, STATUS_RENEW, STATUS_UNFIT, TIMEOUT, Frame, Outcome, Pipes,
                  answer, leave, read_frame, write_all)


class Shared:
    """Memory that the supervisor shares with its servers: what a server is doing."""

    # The server's number in /proc, the number of the run, its mutant, what cut it, the request's number and its length.
    HEAD = struct.Struct("<QQqqQQ")
    IDLE, REFERENCE = -2, -1
    SIZE = 1 << 20

    def __init__(self):
        self.memory = mmap.mmap(-1, self.SIZE)
        self.server = self.run = self.request = self.size = 0
        self.note(self.IDLE)

    def note(self, mutant, cut=-1):
        self.run += 1
        self.HEAD.pack_into(self.memory, 0, self.server, self.run, mutant, cut, self.request, self.size)

    def keep(self, frame):
        """Keeps the request, so that another server can answer it. A longer one ends with its server."""
        self.request += 1
        self.size = len(frame) if len(frame) <= self.SIZE - self.HEAD.size else 0
        if self.size:
            self.memory[self.HEAD.size : self.HEAD.size + self.size] = frame

    def look(self):
        return self.HEAD.unpack_from(self.memory)

    def kept(self):
        size = self.look()[-1]
        return self.memory[self.HEAD.size : self.HEAD.size + size] if size else None


def serve(run, next_frame, hello):
    """Answers requests until there are no more."""
    while True:
        frame = next_frame()
        if frame is None:
            return 0
        write_all(Pipes.stdout, answer(Frame(frame).request(), hello, run))


class Server:
    """Runs programs for a supervisor, and tells it what it is doing."""

    def __init__(self, hello, shared, folder, frame, known):
        """`frame` is a request that an earlier server did not finish: some of its runs have a `known` end."""
        self.shared, self.frame, self.known = shared, frame, known
        self.runner = Runner(hello, folder, self.give_up)

    def next_frame(self):
        frame, self.frame = self.frame, None
        if frame is None:
            frame, self.known = read_frame(Pipes.stdin), {}
            if frame is not None:
                self.shared.keep(frame)
        return frame

    def run(self, case, mutant, most):
        key = self.shared.REFERENCE if mutant is None else mutant
        if key in self.known:
            return Outcome(self.known[key], b"", b"", {}), 0, set()
        self.shared.note(key)
        result = self.runner(case, mutant, most)
        self.shared.note(self.shared.IDLE)
        return result

    def give_up(self, kind):
        self.shared.note(self.shared.look()[2], kind)
        leave(STATUS_RENEW)


def supervise(hello, shared, folder):
    """Keeps one server running until the requests end. Gives the status to exit with."""
    frame, known, number = None, {}, 0
    while True:
        parent, (alive, held) = os.getpid(), os.pipe()
        pid = os.fork()
        if pid == 0:
            os.close(alive)
            end_with_parent(parent)
            shared.server = number_in_proc()
            server = Server(hello, shared, folder, frame, known)
            guarded(lambda: serve(server.run, server.next_frame, hello))
        os.close(held)
        cut = watch(pid, alive, shared, hello.seconds)
        os.close(alive)
        status = os.waitpid(pid, 0)[1]
        _, shared.run, mutant, given_up, shared.request, _ = shared.look()
        if mutant == shared.IDLE or status == STATUS_UNFIT << 8:
            return os.WEXITSTATUS(status) if os.WIFEXITED(status) else STATUS_BROKEN
        if shared.request != number:
            frame, known, number = shared.kept(), {}, shared.request
        if frame is None or mutant in known:
            return STATUS_BROKEN
        if given_up >= 0:
            end = (given_up, None)
        else:
            end = (TIMEOUT, None) if cut else (CRASH, "signal %d" % os.WTERMSIG(status))
        known[mutant] = end


def watch(pid, alive, shared, seconds):
    """Waits for a server to end. Kills it, and gives True, if a run takes too long."""
    usage = Usage()
    while not select.select([alive], [], [], LOOK)[0]:
        server, run, mutant, *_ = shared.look()
        if usage.seconds(server, run) > seconds and mutant != shared.IDLE and shared.look()[1] == run:
            os.kill(pid, 9)
            return True
    return False


def guarded(task):
    """Ends this process with the outcome of `task`, whatever that is."""
    status = 0
    try:
        status = task()
    except BrokenPipeError:  # the harness has ended
        pass
    except Exception:
        status = STATUS_BROKEN
        write_all(Pipes.stderr, traceback.format_exc().encode(errors="replace"))
    leave(status)
