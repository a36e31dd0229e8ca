"""Frames, as `subject::wire` defines them, and the streams that carry them."""

import collections
import fcntl
import os
import struct

read, write, leave = os.read, os.write, os._exit  # the program gets others
__builtins__ = dict(__builtins__)  # what a program changes does not reach this module

VERSION = "5"
OTHER_VERSION = "the program's version of the worker protocol is "
UNFIT = "the program cannot run in this engine: "
EXIT, CRASH, TIMEOUT, MEMORY, OUTPUT_LIMIT = range(5)  # the ends of runs, as on the wire
BY_OUTPUT, BY_EXIT, BY_CRASH = range(3)  # how outcomes differ; then as the ends from TIMEOUT on
BY_MESSAGE = 7
VERDICTS, REFERENCE, OUTCOMES = range(3)  # how much an answer contains
STATUS_UNFIT, STATUS_RENEW, STATUS_BROKEN = 3, 4, 5  # exit statuses of a server

Case = collections.namedtuple("Case", "args input files")
Request = collections.namedtuple("Request", "case mutants detail steps")
Outcome = collections.namedtuple("Outcome", "end stdout stderr files")  # end: (kind, detail)


class Pipes:
    """The real streams, at descriptors of their own. The program finds others at 0, 1 and 2."""

    stdin = stdout = stderr = None

    @classmethod
    def move(cls):
        cls.stdin, cls.stdout, cls.stderr = (fcntl.fcntl(fd, fcntl.F_DUPFD_CLOEXEC, 100) for fd in range(3))
        nothing = os.open(os.devnull, os.O_RDWR)
        for fd in range(3):
            os.dup2(nothing, fd)
        os.close(nothing)


def unfit(reason):
    """Ends the server, because its engine cannot run the program."""
    write_all(Pipes.stderr, (UNFIT + reason + "\n").encode())
    leave(STATUS_UNFIT)


class Frame:
    """Decodes the bytes of one frame."""

    def __init__(self, data):
        self.data, self.at = data, 0

    def number(self, code="<I"):
        (number,) = struct.unpack_from(code, self.data, self.at)
        self.at += struct.calcsize(code)
        return number

    def bytes(self):
        size = self.number()
        self.at += size
        return self.data[self.at - size : self.at]

    def text(self):
        return self.bytes().decode()

    def all(self, item):
        return [item() for _ in range(self.number())]

    def long(self):
        return self.number("<Q")

    def request(self):
        args, given = self.all(self.text), self.bytes()
        files = dict(self.all(lambda: (self.text(), self.bytes())))
        words = self.all(self.long)
        mutants = {64 * w + b for w, word in enumerate(words) for b in range(64) if word >> b & 1}
        detail, steps = self.number("<B"), self.all(self.long)
        return Request(Case(args, given, files), mutants, detail, steps[-1] if steps else None)


def counted(items):
    return struct.pack("<I", len(items)) + b"".join(items)


def sized(data):
    return struct.pack("<I", len(data)) + data


def encoded_set(indices):
    words = [0] * (max(indices, default=-1) // 64 + 1)
    for index in indices:
        words[index // 64] |= 1 << index % 64
    return counted([struct.pack("<Q", word) for word in words])


def encoded_outcome(outcome):
    kind, detail = outcome.end
    end = bytes([kind])
    if kind == EXIT:
        end += bytes([detail])
    elif kind == CRASH:
        end += sized(detail.encode())
    files = [sized(name.encode()) + sized(data) for name, data in sorted(outcome.files.items())]
    return end + sized(outcome.stdout) + sized(outcome.stderr) + counted(files)


def read_exactly(fd, size):
    data = b""
    while len(data) < size:
        more = read(fd, size - len(data))
        if not more:
            return None
        data += more
    return data


def read_frame(fd):
    """The bytes of the next frame, or None at the end. Reads no further, so that another server can continue."""
    size = read_exactly(fd, 4)
    return size and read_exactly(fd, struct.unpack("<I", size)[0])


def write_all(fd, data):
    while data:
        data = data[write(fd, data) :]


def difference(reference, mutant, hello):
    """How the outcome of a mutant differs, or None. `Hello::difference` has the same rule."""
    kind, detail = mutant.end
    if kind == EXIT and mutant.end == reference.end:
        if mutant.stdout != reference.stdout or mutant.files != reference.files:
            return BY_OUTPUT
        says_other = hello.runs_refused and detail != 0 and mutant.stderr != reference.stderr
        return BY_MESSAGE if says_other else None
    return kind + 1


def answer(request, hello, run):
    """The bytes of the answer. `run` gives an outcome, the steps (None: unknown) and what it reached."""
    most = hello.reference_steps if request.steps is None else request.steps
    reference, steps, reached = run(request.case, None, most)
    differing, near = [], set()
    if hello.runs_mutants_after(reference.end):
        allowed = most if steps is None else max(steps * hello.step_factor, hello.step_floor)
        for mutant in sorted(reached & request.mutants):
            outcome, taken, _ = run(request.case, mutant, allowed)
            how = difference(reference, outcome, hello)
            if how is not None:
                whole = [encoded_outcome(outcome)] if request.detail == OUTCOMES else []
                differing.append(struct.pack("<IB", mutant, how) + counted(whole))
            elif taken != steps:
                near.add(mutant)
    written = len(reference.stdout) + sum(map(len, reference.files.values()))
    if request.detail == VERDICTS:
        reference = reference._replace(stdout=b"", files={})
    body = encoded_outcome(reference) + struct.pack("<QQ", steps or 0, written) + encoded_set(reached)
    endless = ()  # steps and time prove of no mutant that it never ends
    return sized(body + counted(differing) + encoded_set(near) + encoded_set(endless))


class Hello:
    """The first frame: the mutants' ids and the limits."""

    def __init__(self, frame):
        self.ids = frame.all(frame.text)
        self.index = {id: at for at, id in enumerate(self.ids)}
        self.reference_steps, self.step_floor, self.step_factor = (frame.long() for _ in range(3))
        self.output, self.memory, milliseconds, self.processes = (frame.long() for _ in range(4))
        self.seconds = milliseconds / 1000
        self.runs_refused = frame.number("<B") != 0

    def runs_mutants_after(self, end):
        """Whether mutants are run on a case on which the reference ends so."""
        kind, status = end
        return kind == EXIT and (status == 0 or self.runs_refused)


def end_of(status, stderr):
    """The end of a run that exited, from its status and messages. `process::end_of` has the same rule."""
    texts = (b"memory allocation of", b"std::bad_alloc", b"MemoryError", b"OutOfMemoryError",
             b"Cannot allocate memory")
    if status and any(text in stderr for text in texts):
        return (MEMORY, None)
    return (EXIT, status)
