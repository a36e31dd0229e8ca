# A server that forks for each variant on which test cases run, so that Python and the framework start once for all. It speaks the
# worker's protocol: an answer's standard output is what PROGRAM printed with the case's files beside it, and its steps are the nanoseconds
# that this took. The tests are in the same process as PROGRAM, so that what that says of its time is not believed.
#
# The server itself never reads a request: its memory is also the memory of the tests. WIRE, PROGRAM, WARM_UP and SECONDS come before.
import gc
import os
import random
import resource
import select
import shutil
import signal
import struct
import sys
import tempfile
import time
import types

wire = types.ModuleType("wire")
exec(compile(WIRE, "wire", "exec"), wire.__dict__)
program = compile(PROGRAM, "program", "exec")
here = os.getcwd()
# Only in the sandbox is every other process, and everything in these folders, left by the tests.
is_alone = os.getppid() == 1 and here == "/box"
FOLDERS = ["/box", "/tmp", "/dev/shm"] if is_alone else [here]
MOST = 16 << 20  # bytes that the cases of a variant may print
LOOK = 1  # seconds between two looks at a variant's process
CLOSED = 77  # the status of a process that found no request


def is_dumpable(answer):
    """Says whether other processes may look into this one, with prctl(PR_SET_DUMPABLE)."""
    import ctypes
    ctypes.CDLL(None).prctl(4, int(answer), 0, 0, 0)


def forget_files(kept):
    """Opens nothing in the place of each file that is open in the server, too. Such a file remembers what one process says of it."""
    fresh = os.open(os.devnull, os.O_RDWR)
    for fd in map(int, os.listdir("/proc/self/fd")):
        if fd not in (kept, fresh):
            os.dup2(fresh, fd)
    os.close(fresh)


def serve_one(writer, session):
    """Reads a request, and runs the program with its files. What it prints goes to `writer`. A framework's session, if there is one, goes
    on where this returns."""
    frame = wire.read_frame(stdin)
    if frame is None:
        os._exit(CLOSED)
    case = wire.Frame(frame).request().case
    os.close(stdin)
    os.close(stdout)
    if is_alone:
        is_dumpable(True)
    forget_files(writer)
    folder = tempfile.mkdtemp(dir=here)
    for name, text in case.files.items():
        path = os.path.join(folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(text)
    os.dup2(writer, 1)
    os.close(writer)
    limit = int(SECONDS) + 1
    resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))
    random.seed()
    os.chdir(tempfile.mkdtemp(dir=here))
    sys.argv = ["-c", os.path.join(folder, case.args[0]), str(SECONDS), *case.args[1:]]
    exec(program, {"__name__": "__main__", "session": session})


def is_stopped(child):
    """Says whether the tests have stopped the process that runs them, which would never end."""
    return os.waitid(os.P_PID, child, os.WSTOPPED | os.WNOHANG | os.WNOWAIT) is not None


def printed_by(child, reader):
    """What a process prints until it ends, its status, and how many nanoseconds it took."""
    start, end, printed = time.monotonic_ns(), os.pidfd_open(child), b""
    waiting = [reader, end]
    while len(printed) < MOST:
        ready, _, _ = select.select(waiting, [], [], LOOK)
        if not ready and not is_stopped(child):
            continue
        if reader not in ready:
            break
        more = os.read(reader, 1 << 16)
        printed += more
        if not more:
            waiting.remove(reader)
    os.close(end)
    os.close(reader)
    os.kill(child, signal.SIGKILL)
    os.waitid(os.P_PID, child, os.WEXITED | os.WNOWAIT)
    took = time.monotonic_ns() - start - waited_for_processor(child)
    return printed, os.waitpid(child, 0)[1], max(took, 0)


def waited_for_processor(process):
    """How many nanoseconds a process was ready to run while others ran. A busy machine takes no time from a test."""
    try:
        with open(f"/proc/{process}/schedstat") as file:
            return int(file.read().split()[1])
    except (OSError, ValueError, IndexError):
        return 0


def clean():
    """Ends what the tests have left, and removes it."""
    while is_alone:
        try:
            os.kill(-1, signal.SIGKILL)
        except ProcessLookupError:
            break
        os.sched_yield()
    for path in on_disk() - present:
        if os.path.isdir(path) and not os.path.islink(path):
            shutil.rmtree(path)
        else:
            os.remove(path)


def on_disk():
    """What is directly in the folders that the tests can write to."""
    return {entry.path for folder in FOLDERS for entry in os.scandir(folder)}


def outcome(printed, status):
    end = (wire.CRASH, "signal %d" % os.WTERMSIG(status)) if os.WIFSIGNALED(status) else (wire.EXIT, os.WEXITSTATUS(status))
    return wire.Outcome(end, printed, b"", {})


if is_alone:
    is_dumpable(False)
stdin, stdout = (os.dup(fd) for fd in range(2))
nowhere = os.open(os.devnull, os.O_RDWR)
for fd in range(2):
    os.dup2(nowhere, fd)
present = set()


def serve(session=None):
    """Answers requests. It returns only in the process of one, which does what is left to do."""
    gc.collect()
    gc.freeze()
    present.update(on_disk())
    wire.read_frame(stdin)
    while True:
        select.select([stdin], [], [])
        sys.stdout.flush()
        reader, writer = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(reader)
            return serve_one(writer, session)
        os.close(writer)
        printed, status, took = printed_by(child, reader)
        if status == CLOSED << 8:
            os._exit(0)
        clean()
        encoded = wire.encoded_outcome(outcome(printed, status))
        steps, nothing = struct.pack("<QQ", took, 0), wire.encoded_set(())
        wire.write_all(stdout, wire.sized(encoded + steps + nothing + wire.counted([]) + nothing + nothing))


exec(WARM_UP)
serve()
os._exit(0)
