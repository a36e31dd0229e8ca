"""The engine that runs the program in a process of its own for each run."""

import atexit
import functools
import itertools
import mmap
import os
import select
import struct
import sys
import tempfile
import time

from depth import Depth
from process import LOOK, Usage, adopt_orphans, children, end_with_parent, number_in_proc
from program import PATH, CourseLoader, compiled, forget_worker, main_module
from run import show
from steps import tick
from streams import Limit
from wire import CRASH, OUTPUT_LIMIT, TIMEOUT, Outcome, end_of, leave, read

__builtins__ = dict(__builtins__)  # what a program changes does not reach this module


class Forks:
    """Runs the program in a process for each run, and ends whatever that process leaves behind."""

    STEPS = struct.Struct("<qq")  # the steps that the run took, or -1; whether it took too many
    NUMBER = struct.Struct("<q")  # the number of the run's process in /proc, once it has begun
    HEAD = STEPS.size + NUMBER.size

    def __init__(self, hello, folder):
        self.hello, self.folder = hello, folder
        self.memory = mmap.mmap(-1, self.HEAD + len(hello.ids) + 1)
        self.subject = forget_worker()
        self.depth = Depth()
        CourseLoader.guarded = False
        adopt_orphans()

    def __call__(self, case, mutant, most):
        self.STEPS.pack_into(self.memory, 0, -1, 0)
        self.memory[self.STEPS.size :] = bytes(self.NUMBER.size + len(self.hello.ids) + 1)
        self.folder.renew(case.files)
        parent, (out, to_out), (err, to_err) = os.getpid(), os.pipe(), os.pipe()
        pid = os.fork()
        if pid == 0:
            self.become_program(parent, case, mutant, most, to_out, to_err)
        os.close(to_out)
        os.close(to_err)
        cut, streams = self.watch(pid, [out, err])
        status = self.end_all(pid)
        files = self.folder.written(case.files) if case.files else {}
        steps, too_many = self.STEPS.unpack_from(self.memory)
        if too_many:
            end = (TIMEOUT, None)
        elif cut is not None:
            end = (cut, None)
        elif os.WIFSIGNALED(status):
            end = (CRASH, "signal %d" % os.WTERMSIG(status))
        else:
            end = end_of(os.WEXITSTATUS(status), streams[1])
        reached = {at for at in range(len(self.hello.ids)) if self.memory[self.HEAD + at]}
        return Outcome(end, *streams, files), None if steps < 0 else steps, reached

    def watch(self, pid, pipes):
        """Reads both streams until the process ends or a limit stops it. Gives that limit, or None."""
        streams, open_pipes, usage, ended = [b"", b""], set(pipes), Usage(), None
        cut = None
        while cut is None and not (ended and (not open_pipes or time.monotonic() > ended + 0.2)):
            look = LOOK if open_pipes else 0.001
            for pipe in select.select(list(open_pipes), [], [], look)[0]:
                data = read(pipe, 1 << 16)
                streams[pipes.index(pipe)] += data
                if not data:
                    open_pipes.remove(pipe)
            if max(map(len, streams)) > self.hello.output:
                cut = OUTPUT_LIMIT
            elif self.seconds(usage) > self.hello.seconds:
                cut = TIMEOUT
            elif not ended and os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT):
                ended = time.monotonic()
        for pipe in pipes:
            os.close(pipe)
        return cut, streams

    def seconds(self, usage):
        number = self.NUMBER.unpack_from(self.memory, self.STEPS.size)[0]
        return usage.seconds(number, 0) if number else 0

    def end_all(self, pid):
        """Ends the run's process and all that it started. Gives the status of that process."""
        status = None
        while True:
            for child in {pid} - {status and pid} | children():
                try:
                    os.kill(child, 9)
                except ProcessLookupError:
                    pass
            try:
                ended, how = os.waitpid(-1, 0)
            except ChildProcessError:
                return status
            if ended == pid:
                status = how

    def become_program(self, parent, case, mutant, most, out, err):
        """Runs the program as the only thing in this process, and ends as an interpreter ends."""
        os.setpgid(0, 0)
        end_with_parent(parent)
        self.NUMBER.pack_into(self.memory, self.STEPS.size, number_in_proc())
        with tempfile.TemporaryFile() as file:
            file.write(case.input)
            file.seek(0)
            for fd, place in ((file.fileno(), 0), (out, 1), (err, 2)):
                os.dup2(fd, place)
        os.closerange(3, 200)
        sys.stdin = sys.__stdin__ = open(0, encoding=sys.stdin.encoding, errors=sys.stdin.errors,
                                         closefd=False)
        os.chdir(self.folder.path)
        exec(self.depth.probe(), {})
        self.depth.note()
        left = itertools.repeat(None, min(most, sys.maxsize))
        tick.__setstate__((itertools.chain(left, Limit(self.give_up, 0)).__next__, (), {}, None))
        self.subject.bug = functools.partial(self.bug, mutant)
        sys.argv = [sys.argv[1], *case.args]
        module = sys.modules["__main__"] = main_module()
        atexit.register(self.note_steps, left, min(most, sys.maxsize))
        try:
            exec(compiled(PATH, False), vars(module))
        except (SystemExit, KeyboardInterrupt) as error:
            raise error.with_traceback(error.__traceback__.tb_next)
        except BaseException as error:
            show(error)
            sys.exit(1)
        sys.exit()

    def note_steps(self, left, most):
        self.STEPS.pack_into(self.memory, 0, most - left.__length_hint__(), 0)

    def give_up(self, kind):
        self.STEPS.pack_into(self.memory, 0, -1, 1)
        leave(1)

    def bug(self, mutant, id):
        index = self.hello.index.get(id, len(self.hello.ids))
        self.memory[self.HEAD + index] = 1
        return index == mutant
