"""The engine that runs everything in one process."""

import atexit
import builtins
import collections
import contextvars
import functools
import gc
import io
import itertools
import os
import sys
import warnings
import weakref

from depth import Depth
from guard import Guard
from program import HOME, PATH, CourseLoader, compiled, forget_worker, main_module
from steps import tick
from streams import Cut, Input, Limit, Output, wrapped, wrapped_output
from wire import CRASH, Case, Outcome, end_of
__builtins__ = dict(__builtins__)  # what a program changes does not reach this module


def states():
    """What a program can set in the interpreter: functions that get it and that set it again."""
    for module, name in ((sys, "switchinterval"), (sys, "dlopenflags"), (sys, "_int_max_str_digits"),
                         (sys, "_coroutine_origin_tracking_depth"), (gc, "_debug")):
        if hasattr(module, "get" + name):  # older versions lack some
            yield getattr(module, "get" + name), getattr(module, "set" + name)
    set_threshold, set_hooks = gc.set_threshold, sys.set_asyncgen_hooks
    yield gc.get_threshold, lambda kept: set_threshold(*kept)
    yield sys.get_asyncgen_hooks, lambda kept: set_hooks(*kept)
    callbacks = gc.callbacks
    yield lambda: list(callbacks), lambda kept: callbacks.__setitem__(slice(None), kept)


STATES = list(states())


def status_of(code):
    """The exit status for what a program passes to `sys.exit`. A text goes to standard error."""
    if code is None or isinstance(code, int):
        code = int(code or 0)
        return code & 0xFF if -(1 << 63) <= code < 1 << 63 else 0xFF
    try:
        print(code, file=sys.stderr)
    except Exception:
        pass
    return 1


def show(error):
    """Prints an uncaught exception, without the frame of the caller."""
    error.__traceback__ = error.__traceback__ and error.__traceback__.tb_next
    try:
        sys.excepthook(type(error), error, error.__traceback__)
    except BaseException as failed:
        sys.__excepthook__(type(failed), failed, None)


class Runner:
    """Runs the program in this process, and restores what a run changes."""

    def __init__(self, hello, folder, give_up):
        self.hello, self.folder = hello, folder
        self.limit = Limit(give_up)
        self.like = sys.stdin, sys.stdout, sys.stderr
        self.argv0 = sys.argv[1]
        self.subject = forget_worker()
        self.folder.clear()  # the last server may have been killed in the middle of a run
        self.guard = Guard()
        self.cwd = HOME
        atexit._clear()
        sys.stdin = sys.stdout = sys.stderr = sys.__stdin__ = sys.__stdout__ = sys.__stderr__ = None
        self.depth, self.runs = Depth(), 0
        self.remember()

    def remember(self):
        sys.argv = sys.modules["__main__"] = None
        gc.collect()
        gc.freeze()
        self.modules = dict(sys.modules)
        self.sys, self.builtins = dict(vars(sys)), dict(vars(builtins))
        self.lists = [(held, list(held)) for held in
                      (sys.path, sys.meta_path, sys.path_hooks, warnings.filters)]
        self.environ = dict(os.environ)
        self.states = [(get, put, get()) for get, put in STATES]
        random = sys.modules.get("random")
        self.random = random and (random, random.getstate())

    def __call__(self, case, mutant, most):
        """The outcome, the number of steps, and the mutants that were reached."""
        self.runs += 1
        if self.runs <= 10 or self.runs == 100:  # the interpreter needs less of the stack for calls that it repeats
            self.execute(Case([], b"", {}), self.depth.probe())
            self.depth.note()
            gc.freeze()  # so that no collection looks at the code and the caches again
        self.enter(case)
        left = itertools.repeat(None, min(most, sys.maxsize))
        tick.__setstate__((itertools.chain(left, self.limit).__next__, (), {}, None))
        chosen = {self.hello.ids[mutant]: True} if mutant is not None else {}
        bugs = collections.defaultdict(bool, chosen)
        self.subject.bug = bugs.__getitem__
        end, stdout, stderr = self.execute(case, None)
        files = self.leave(case)
        steps = min(most, sys.maxsize) - left.__length_hint__()
        index = self.hello.index
        reached = {index[id] for id in bugs if id in index}
        return Outcome(end, stdout, stderr, files), steps, reached

    def execute(self, case, code):
        """Runs the program, or other `code`, and gives its end and what it wrote."""
        out = Output("<stdout>", self.hello.output, self.limit)
        err = Output("<stderr>", self.hello.output, self.limit)
        like_in, like_out, like_err = self.like
        sys.stdin = sys.__stdin__ = wrapped(io.BufferedReader(Input(case.input)), like_in)
        sys.stdout = sys.__stdout__ = wrapped_output(out, like_out)
        sys.stderr = sys.__stderr__ = wrapped_output(err, like_err, line_buffering=True)
        streams = sys.stdout, sys.stderr
        sys.argv = [self.argv0, *case.args]
        self.guard.active = True
        try:
            status = contextvars.Context().run(self.main, code)
        except Cut:
            status = 1
        for stream in (getattr(sys, "stdout", None), *streams):
            try:
                stream.flush()
            except BaseException:  # closed, detached or cut
                pass
        self.guard.active = False
        stdout, stderr = out.take(), err.take()
        if self.limit.end:
            return self.limit.end, stdout, stderr
        if status < 0:
            return (CRASH, "signal %d" % -status), stdout, stderr
        return end_of(status, stderr), stdout, stderr

    def main(self, code):
        """Runs the program to its end, and gives its exit status, or the signal that ends it, negated."""
        status, module = 0, main_module()
        sys.modules["__main__"] = module
        try:
            exec(code or compiled(PATH, True), vars(module))
        except SystemExit as exit:
            status = status_of(exit.code)
        except KeyboardInterrupt:
            status = -2
        except BaseException as error:
            if self.limit.end is None:
                status = 1
                show(error)
        atexit._run_exitfuncs()
        # What the program left behind ends with it, and may still print.
        module = sys.modules["__main__"] = None
        if sys.modules != self.modules:
            self.forget_modules()
        gc.collect()
        return status

    def enter(self, case):
        self.limit.reset()
        weakref.finalize._registered_with_atexit = weakref.finalize._shutdown = False
        self.guard.moved = self.guard.wrote = self.guard.environ = False
        self.guard.folder = self.folder.path if case.files else None
        if case.files:
            self.folder.fill(case.files)
        cwd = self.guard.folder or HOME
        if cwd != self.cwd:
            os.chdir(cwd)
            self.cwd = cwd

    def leave(self, case):
        """Restores what the run has changed, and gives the files that it wrote."""
        sys.stdin = sys.stdout = sys.stderr = sys.__stdin__ = sys.__stdout__ = sys.__stderr__ = None
        sys.argv = None
        for held, kept in ((vars(sys), self.sys), (vars(builtins), self.builtins)):
            if held != kept:
                held.update(kept)
                for name in held.keys() - kept.keys():
                    del held[name]
        for held, kept in self.lists:
            if held != kept:
                held[:] = kept
                warnings._filters_mutated()
        if sys.modules != self.modules:
            self.forget_modules()
        if self.random:
            self.random[0].setstate(self.random[1])
        self.depth.reset()
        for get, put, kept in self.states:
            if get() != kept:
                put(kept)
        gc.enable()
        if self.guard.moved:
            os.chdir(self.cwd)
        if self.guard.environ:
            os.environ.clear()
            os.environ.update(self.environ)
        return self.folder.written(case.files) if case.files and self.guard.wrote else {}

    def forget_modules(self):
        """Forgets modules of the course, and keeps those of the library."""
        kept = dict(self.modules)
        for name in [name for name in sys.modules if name not in kept]:
            module = sys.modules[name]
            spec = getattr(module, "__spec__", None)
            is_library = spec and spec.origin and not isinstance(spec.loader, CourseLoader)
            if is_library and name.partition(".")[0] != "logging":
                kept[name] = module
        sys.modules.clear()
        sys.modules.update(kept)
        if kept.keys() != self.modules.keys():
            self.remember()
