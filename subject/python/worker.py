"""Runs one Python program on many cases: python3 worker.py PROGRAM.py

The harness starts this file and talks to it over standard input and output (`subject::wire` defines
the frames). A supervisor forks a server, which answers requests: it runs the program's compiled code
in a fresh `__main__`, with its streams in memory. What a run leaves behind is restored, or makes the
program unfit for this engine. If a run kills or hangs the server, the supervisor notes how that run
ended and forks the next server, which answers the same request again without that run.

With SUBJECT_ENGINE=fork, each run has a process of its own instead.
"""

import sys

STARTUP = dict(sys.modules)  # what a program may find loaded
__builtins__ = dict(vars(sys.modules["builtins"]))  # what a program changes does not reach this file

import ast, atexit, builtins, collections, contextvars, errno, functools, gc, importlib.machinery
import io, itertools, mmap, os, posix, select, shutil, struct, types, warnings
import tempfile, time, traceback
import weakref
import _locale, _signal, _thread

try:
    import ctypes

    PRCTL = ctypes.CDLL(None).prctl
except (ImportError, AttributeError, OSError):  # without it, a killed harness may leave a process
    PRCTL = None

VERSION = "2"
OTHER_VERSION = "the program's version of the worker protocol is "
UNFIT = "the program cannot run in this engine: "
EXIT, CRASH, TIMEOUT, MEMORY, OUTPUT_LIMIT = range(5)  # the ends of runs, as on the wire
BY_OUTPUT, BY_EXIT, BY_CRASH = range(3)  # how outcomes differ; then as the ends from TIMEOUT on
VERDICTS, REFERENCE, OUTCOMES = range(3)  # how much an answer contains
STATUS_UNFIT, STATUS_RENEW, STATUS_BROKEN = 3, 4, 5  # exit statuses of a server
LOOK = 0.02  # seconds between two looks of the supervisor
PATH = os.path.abspath(sys.argv[1]) if len(sys.argv) > 1 else ""
FOLDER = os.path.dirname(PATH)
HOME = os.getcwd()
read, write, leave = os.read, os.write, os._exit  # the program gets others

Case = collections.namedtuple("Case", "args input files")
Request = collections.namedtuple("Request", "case mutants detail steps")
Outcome = collections.namedtuple("Outcome", "end stdout stderr files")  # end: (kind, detail)


# --- Frames -----------------------------------------------------------------------------------------


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


# --- Answers ----------------------------------------------------------------------------------------


def difference(reference, mutant):
    """How the outcome of a mutant differs, or None. `How::between` has the same rule."""
    kind, detail = mutant.end
    if kind == EXIT and mutant.end == reference.end:
        same = mutant.stdout == reference.stdout and mutant.files == reference.files
        return None if same else BY_OUTPUT
    return kind + 1


def answer(request, hello, run):
    """The bytes of the answer. `run` gives an outcome, the steps (None: unknown) and what it reached."""
    most = hello.reference_steps if request.steps is None else request.steps
    reference, steps, reached = run(request.case, None, most)
    differing, near = [], set()
    if reference.end == (EXIT, 0):
        allowed = most if steps is None else max(steps * hello.step_factor, hello.step_floor)
        for mutant in sorted(reached & request.mutants):
            outcome, taken, _ = run(request.case, mutant, allowed)
            how = difference(reference, outcome)
            if how is not None:
                whole = [encoded_outcome(outcome)] if request.detail == OUTCOMES else []
                differing.append(struct.pack("<IB", mutant, how) + counted(whole))
            elif taken != steps:
                near.add(mutant)
    if request.detail == VERDICTS:
        reference = reference._replace(stdout=b"", files={})
    body = encoded_outcome(reference) + struct.pack("<Q", steps or 0) + encoded_set(reached)
    return sized(body + counted(differing) + encoded_set(near))


class Hello:
    """The first frame: the mutants' ids and the limits."""

    def __init__(self, frame):
        self.ids = frame.all(frame.text)
        self.index = {id: at for at, id in enumerate(self.ids)}
        self.reference_steps, self.step_floor, self.step_factor = (frame.long() for _ in range(3))
        self.output, self.memory, milliseconds, _ = (frame.long() for _ in range(4))
        # The harness waits this long for a whole answer, so one run must take less.
        self.seconds = milliseconds / 2000


def end_of(status, stderr):
    """The end of a run that exited, from its status and messages. `process::end_of` has the same rule."""
    texts = (b"memory allocation of", b"std::bad_alloc", b"MemoryError", b"OutOfMemoryError",
             b"Cannot allocate memory")
    if status and any(text in stderr for text in texts):
        return (MEMORY, None)
    return (EXIT, status)


# --- Compiling --------------------------------------------------------------------------------------

MARK = "\0tick"  # stands in the tree for the function that counts
tick = functools.partial(int)  # every run gives it another counter


class Counting(ast.NodeTransformer):
    """Makes a program count its steps: the rounds of its loops and comprehensions, and its calls."""

    def call(self, place):
        call = ast.Call(ast.Constant(MARK), [], [])
        return ast.fix_missing_locations(ast.copy_location(call, place))

    def counted_body(self, node):
        self.generic_visit(node)
        first = node.body[0]
        is_text = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
        at = 1 if is_text and not isinstance(node, (ast.For, ast.AsyncFor, ast.While)) else 0
        place = node.body[min(at, len(node.body) - 1)]
        node.body.insert(at, ast.copy_location(ast.Expr(self.call(place)), place))
        return node

    visit_For = visit_AsyncFor = visit_While = counted_body
    visit_FunctionDef = visit_AsyncFunctionDef = counted_body

    def visit_Lambda(self, node):
        self.generic_visit(node)
        body = ast.BoolOp(ast.Or(), [self.call(node.body), node.body])
        node.body = ast.copy_location(body, node.body)
        return node

    def visit_comprehension(self, node):
        self.generic_visit(node)
        place = node.target
        node.ifs.insert(0, ast.copy_location(ast.UnaryOp(ast.Not(), self.call(place)), place))
        return node


def with_counter(code):
    """The code with the function `tick` in place of its mark."""
    consts = tuple(
        tick if const == MARK and isinstance(const, str)
        else with_counter(const) if isinstance(const, types.CodeType)
        else const
        for const in code.co_consts
    )
    return code.replace(co_consts=consts)


def is_of_course(name):
    """Whether a module of this name belongs to the program."""
    if name == "__main__":
        return True
    place = os.path.join(FOLDER, name.split(".")[0])
    return os.path.exists(place + ".py") or os.path.isdir(place)


def changes_a_library(tree):
    """Where the program assigns to something inside a library, which the next run would find."""
    libraries = set()
    for node in ast.walk(tree):
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            origin = getattr(node, "module", None)
            for alias in node.names:
                if not (getattr(node, "level", 0) or is_of_course(origin or alias.name)):
                    libraries.add(alias.asname or alias.name.split(".")[0])
    for node in ast.walk(tree):
        stored = isinstance(getattr(node, "ctx", None), (ast.Store, ast.Del))
        if stored and isinstance(node, (ast.Attribute, ast.Subscript)):
            root = node
            while isinstance(root, (ast.Attribute, ast.Subscript)):
                root = root.value
            is_restored = isinstance(root, ast.Name) and (
                root.id in ("sys", "builtins") or ast.dump(node.value) == ENVIRON
            )
            if isinstance(root, ast.Name) and root.id in libraries and not is_restored:
                return "line %d changes `%s`" % (node.lineno, root.id)
    return None


ENVIRON = ast.dump(ast.parse("os.environ", mode="eval").body)


@functools.lru_cache(maxsize=None)
def compiled(path, guard):
    with open(path, "rb") as file:
        source = file.read()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        tree = compile(source, path, "exec", ast.PyCF_ONLY_AST, dont_inherit=True)
        reason = guard and changes_a_library(tree)
        if reason:
            unfit("%s: %s" % (os.path.basename(path), reason))
        return count_steps(tree, path)


def count_steps(tree, path):
    """The code of a program that counts its steps."""
    return with_counter(compile(Counting().visit(tree), path, "exec", dont_inherit=True))


class CourseLoader(importlib.machinery.SourceFileLoader):
    """Loads a module that lies beside the program. Its code is compiled once, and run in every run."""

    guarded = True

    def get_code(self, fullname):
        return compiled(self.get_filename(fullname), self.guarded)


def course_finder(folder):
    """Finds modules in the program's folder and below it."""
    if not (folder + os.sep).startswith(FOLDER + os.sep):
        raise ImportError
    suffixes = importlib.machinery.EXTENSION_SUFFIXES, importlib.machinery.SOURCE_SUFFIXES
    loaders = importlib.machinery.ExtensionFileLoader, CourseLoader
    return importlib.machinery.FileFinder(folder, *zip(loaders, suffixes))


# --- What a run must not do -------------------------------------------------------------------------


def unfit(reason):
    """Ends the server, because its engine cannot run the program."""
    write_all(Pipes.stderr, (UNFIT + reason + "\n").encode())
    leave(STATUS_UNFIT)


class Guard:
    """Watches a run for what neither memory nor a fresh namespace can undo."""

    REFUSED = {
        posix: "_exit close closerange dup dup2 read readv write writev pread preadv pwrite pwritev "
        "fstat lseek ftruncate fsync sendfile splice copy_file_range pipe pipe2 openpty login_tty umask nice setpgid setsid "
        "setpriority sched_setaffinity setuid setgid chroot fchdir memfd_create eventfd",
        _signal: "signal alarm setitimer pthread_sigmask set_wakeup_fd siginterrupt raise_signal",
        _locale: "setlocale",
        _thread: "start_new_thread start_new start_joinable_thread interrupt_main",
    }
    MODULES = {"_ctypes", "_socket", "_posixsubprocess", "_multiprocessing", "faulthandler",
               "resource", "fcntl", "termios", "tracemalloc", "readline"}
    FILES = {"os.mkdir", "os.rmdir", "os.remove", "os.rename", "os.link", "os.truncate", "os.chmod",
             "os.utime"}
    PREFIXES = {"ctypes", "socket", "subprocess", "fcntl", "pty", "resource", "signal", "_thread"}
    EVENTS = {"os.fork", "os.forkpty", "os.system", "os.exec", "os.posix_spawn", "os.spawn",
              "os.kill", "os.killpg", "os.symlink", "os.chown", "os.lchown", "os.setxattr",
              "sys.settrace", "sys.setprofile", "sys.addaudithook", "mmap.__new__",
              "os.startfile"}
    WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
    DEVICES = {"/dev/null", "/dev/urandom", "/dev/random", "/dev/zero"}

    def __init__(self):
        self.active = False
        self.folder = None  # the folder in which the run may write
        self.moved = self.wrote = self.environ = False
        originals = {}
        for module, names in self.REFUSED.items():
            for name in names.split():
                if hasattr(module, name):
                    originals[id(getattr(module, name))] = self.refusal(name, getattr(module, name))
        for module in list(sys.modules.values()):
            for name, value in list(vars(module).items()):
                if id(value) in originals and module is not sys.modules[__name__]:
                    setattr(module, name, originals[id(value)])
        sys.addaudithook(self.see)

    def refusal(self, name, original):
        @functools.wraps(original)
        def refused(*args, **kwargs):
            if self.active:
                unfit("it calls `%s`" % name)
            return original(*args, **kwargs)

        return refused

    def see(self, event, args):
        if not self.active:
            return
        if event == "open":
            self.see_open(*args)
        elif event == "import":
            self.see_import(args[0], args[1])
        elif event == "os.chdir":
            self.moved = True
        elif event in ("os.putenv", "os.unsetenv"):
            self.environ = True
        elif event in self.FILES:
            self.wrote = True
            for path in args:
                if isinstance(path, (str, bytes)):
                    self.check_written(path)
        elif event in self.EVENTS or event.partition(".")[0] in self.PREFIXES:
            unfit("it does `%s`" % event)

    def see_open(self, path, mode, flags):
        if isinstance(path, int):
            unfit("it opens the descriptor %d" % path)
        path = os.path.abspath(os.fsdecode(path))
        if path in self.DEVICES:
            return
        if path.startswith(("/dev/", "/proc/")):
            unfit("it opens `%s`" % path)
        if (flags or 0) & self.WRITES:
            self.wrote = True
            self.check_written(path)

    def check_written(self, path):
        path = os.path.abspath(os.fsdecode(path))
        if self.folder is None or not path.startswith(self.folder + os.sep):
            unfit("it changes `%s`" % path)

    def see_import(self, name, file):
        if name in self.MODULES:
            unfit("it imports `%s`" % name)
        if file and file.endswith(".so") and os.path.dirname(os.__file__) not in file:
            unfit("it loads `%s`" % file)
        if file and ("site-packages" in file or "dist-packages" in file):
            unfit("it loads `%s`" % file)


# --- Streams and files of a run ---------------------------------------------------------------------


class Cut(BaseException):
    """Ends a run that exceeds a limit."""


class Limit:
    """What ended the current run, if a limit did. A run that catches its end ends with the server."""

    def __init__(self, give_up, patience=20):
        self.give_up, self.patience = give_up, patience
        self.reset()

    def reset(self):
        self.end, self.count = None, 0

    def exceed(self, kind):
        self.end = self.end or (kind, None)
        self.count += 1
        if self.count > self.patience:
            self.give_up(self.end[0])
        raise Cut

    def __iter__(self):
        return self

    def __next__(self):  # called for the first step too many, and every later one
        self.exceed(TIMEOUT)


class Input(io.BytesIO):
    """Standard input. What a program could do with its descriptor is refused, except `isatty`."""

    name, mode = "<stdin>", "rb"

    def fileno(self):
        return 0


class Output(io.RawIOBase):
    """A pipe's end in memory."""

    mode = "wb"

    def __init__(self, name, most, limit):
        self.name, self.left, self.limit, self.parts = name, most, limit, []

    def writable(self):
        return True

    def fileno(self):
        return 1 if self.name == "<stdout>" else 2

    def write(self, data):
        if self.limit is not None:
            if len(data) > self.left:
                self.limit.exceed(OUTPUT_LIMIT)
            self.left -= len(data)
            self.parts.append(bytes(data))
        return len(data)

    def take(self):
        """What was written. What is written later, by an object of this run that lives on, is lost."""
        self.limit = None
        return b"".join(self.parts)


class CaseFolder:
    """The folder that holds the files of a case."""

    def __init__(self, path):
        self.path, self.present = path, {}

    def fill(self, files):
        if not os.path.isdir(self.path):
            os.mkdir(self.path, 0o700)
        for name in self.present.keys() - files.keys():
            os.unlink(os.path.join(self.path, name))
        for name, data in files.items():
            if self.present.get(name) != data:
                with open(os.path.join(self.path, name), "wb") as file:
                    file.write(data)
        self.present = dict(files)

    def written(self, files):
        """The files that are new or changed. Leaves the folder empty of anything else."""
        found, is_plain = {}, True
        for entry in os.scandir(self.path):
            if entry.is_file(follow_symlinks=False):
                with open(entry.path, "rb") as file:
                    found[os.fsencode(entry.name).decode(errors="replace")] = file.read()
            else:
                is_plain = False
        self.present = found
        if not is_plain:
            self.clear()
        return {name: data for name, data in found.items() if files.get(name) != data}

    def clear(self):
        for entry in os.scandir(self.path) if os.path.isdir(self.path) else ():
            if entry.is_dir(follow_symlinks=False):
                shutil.rmtree(entry.path, ignore_errors=True)
            else:
                os.unlink(entry.path)
        self.present = {}

    def remove(self):
        shutil.rmtree(self.path, ignore_errors=True)
        self.present = {}


def wrapped(raw, like, **how):
    return io.TextIOWrapper(raw, encoding=like.encoding, errors=like.errors, **how)


def main_module():
    module = types.ModuleType("__main__")
    loader = importlib.machinery.SourceFileLoader("__main__", PATH)
    vars(module).update(__file__=PATH if sys.version_info >= (3, 9) else sys.argv[1],
                        __builtins__=builtins, __loader__=loader, __cached__=None,
                        __annotations__={})
    vars(module).pop("__path__", None)
    return module


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


def forget_startup():
    """Gives the program the modules and the path that a new process has. Returns the module `subject`."""
    for name in set(sys.modules) - set(STARTUP):
        if name.partition(".")[0] == "ctypes" or name == "_ctypes" or is_of_course(name):
            del sys.modules[name]
    sys.path[0] = FOLDER
    sys.path_hooks.insert(0, course_finder)
    sys.path_importer_cache.clear()
    sys.dont_write_bytecode = True
    sys.modules["subject"] = types.ModuleType("subject")
    return sys.modules["subject"]


# --- The engine that runs everything in one process ---------------------------------------------------


class Runner:
    """Runs the program in this process, and restores what a run changes."""

    def __init__(self, hello, folder, give_up):
        self.hello, self.folder = hello, folder
        self.limit = Limit(give_up)
        self.like = sys.stdin, sys.stdout, sys.stderr
        self.argv0 = sys.argv[1]
        self.subject = forget_startup()
        self.folder.clear()  # the last server may have been killed in the middle of a run
        self.guard = Guard()
        self.cwd = HOME
        atexit._clear()
        sys.stdin = sys.stdout = sys.stderr = sys.__stdin__ = sys.__stdout__ = sys.__stderr__ = None
        self.default_depth, self.extra_depth, self.runs = sys.getrecursionlimit(), 0, 0
        self.hide_depth()
        self.remember()
        self.probe = count_steps(ast.parse(self.PROBE), "")

    PROBE = """def f(n):
    global deepest
    deepest = n
    f(n + 1)
for _ in range(3):
    try: f(1)
    except RecursionError: pass
print(deepest)
"""

    def hide_depth(self):
        """Makes the program see the limit of a process, although it is `extra_depth` deeper in the stack."""
        get, put = sys.getrecursionlimit, sys.setrecursionlimit
        sys.getrecursionlimit = functools.wraps(get)(lambda: get() - self.extra_depth)
        sys.setrecursionlimit = functools.wraps(put)(
            lambda limit: put(limit + self.extra_depth if limit > 0 else limit)
        )

    def remember(self):
        sys.argv = sys.modules["__main__"] = None
        gc.collect()
        gc.freeze()
        self.modules = dict(sys.modules)
        self.sys, self.builtins = dict(vars(sys)), dict(vars(builtins))
        self.lists = [(held, list(held)) for held in
                      (sys.path, sys.meta_path, sys.path_hooks, warnings.filters)]
        self.environ = dict(os.environ)
        random = sys.modules.get("random")
        self.random = random and (random, random.getstate())

    def __call__(self, case, mutant, most):
        """The outcome, the number of steps, and the mutants that were reached."""
        self.runs += 1
        if self.runs <= 10 or self.runs == 100:  # the interpreter needs less of the stack for calls that it repeats
            tick.__setstate__((itertools.repeat(None).__next__, (), {}, None))
            deepest = self.execute(Case([], b"", {}), self.probe)[1]
            self.extra_depth += self.default_depth - 1 - int(deepest)
            sys.setrecursionlimit(self.default_depth)
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
        sys.stdout = sys.__stdout__ = wrapped(io.BufferedWriter(out), like_out)
        sys.stderr = sys.__stderr__ = wrapped(io.BufferedWriter(err), like_err, line_buffering=True)
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
        sys.setrecursionlimit(self.default_depth)
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
        for name, module in sys.modules.items():
            spec = getattr(module, "__spec__", None)
            is_library = spec and spec.origin and not isinstance(spec.loader, CourseLoader)
            if name not in kept and is_library and name.partition(".")[0] != "logging":
                kept[name] = module
        sys.modules.clear()
        sys.modules.update(kept)
        if kept.keys() != self.modules.keys():
            self.remember()


# --- Processes ----------------------------------------------------------------------------------------


class Pipes:
    """The real streams, at descriptors of their own. The program finds others at 0, 1 and 2."""

    stdin = stdout = stderr = None

    @classmethod
    def move(cls):
        import fcntl

        cls.stdin, cls.stdout, cls.stderr = (fcntl.fcntl(fd, fcntl.F_DUPFD_CLOEXEC, 100) for fd in range(3))
        nothing = os.open(os.devnull, os.O_RDWR)
        for fd in range(3):
            os.dup2(nothing, fd)
        os.close(nothing)
        del sys.modules["fcntl"]


def end_with_parent(parent):
    if PRCTL:
        PRCTL(1, 9)  # PR_SET_PDEATHSIG, SIGKILL
        if os.getppid() != parent:
            leave(0)


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


# --- The engine that forks a process for each run -----------------------------------------------------


class Forks:
    """Runs the program in a process for each run, and ends whatever that process leaves behind."""

    STEPS = struct.Struct("<qq")  # the steps that the run took, or -1; whether it took too many

    def __init__(self, hello, folder):
        self.hello, self.folder = hello, folder
        self.memory = mmap.mmap(-1, self.STEPS.size + len(hello.ids) + 1)
        self.subject = forget_startup()
        CourseLoader.guarded = False
        if PRCTL:
            PRCTL(36, 1)  # PR_SET_CHILD_SUBREAPER: what the run starts can be found, whatever it does

    def __call__(self, case, mutant, most):
        self.STEPS.pack_into(self.memory, 0, -1, 0)
        self.memory[self.STEPS.size :] = bytes(len(self.hello.ids) + 1)
        if case.files:
            self.folder.clear()
            self.folder.fill(case.files)
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
        reached = {at for at in range(len(self.hello.ids)) if self.memory[self.STEPS.size + at]}
        return Outcome(end, *streams, files), None if steps < 0 else steps, reached

    def watch(self, pid, pipes):
        """Reads both streams until the process ends or a limit stops it. Gives that limit, or None."""
        streams, open_pipes, usage, ended = [b"", b""], set(pipes), Usage(pid), None
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
            elif usage.seconds(0) > self.hello.seconds:
                cut = TIMEOUT
            elif not ended and os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT):
                ended = time.monotonic()
        for pipe in pipes:
            os.close(pipe)
        return cut, streams

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
        with tempfile.TemporaryFile() as file:
            file.write(case.input)
            file.seek(0)
            for fd, place in ((file.fileno(), 0), (out, 1), (err, 2)):
                os.dup2(fd, place)
        os.closerange(3, 200)
        sys.stdin = sys.__stdin__ = open(0, encoding=sys.stdin.encoding, errors=sys.stdin.errors,
                                         closefd=False)
        os.chdir(self.folder.path if case.files else HOME)
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
        self.memory[self.STEPS.size + index] = 1
        return index == mutant


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


# --- The supervisor and its servers -----------------------------------------------------------------


class Shared:
    """Memory that the supervisor shares with its servers: what a server is doing."""

    # The number of the run, its mutant, what cut it, the request's number and its length.
    HEAD = struct.Struct("<QqqQQ")
    IDLE, REFERENCE = -2, -1
    SIZE = 1 << 20

    def __init__(self):
        self.memory = mmap.mmap(-1, self.SIZE)
        self.run = self.request = self.size = 0
        self.note(self.IDLE)

    def note(self, mutant, cut=-1):
        self.run += 1
        self.HEAD.pack_into(self.memory, 0, self.run, mutant, cut, self.request, self.size)

    def keep(self, frame):
        """Keeps the request, so that another server can answer it. A longer one ends with its server."""
        self.request += 1
        self.size = len(frame) if len(frame) <= self.SIZE - self.HEAD.size else 0
        if self.size:
            self.memory[self.HEAD.size : self.HEAD.size + self.size] = frame

    def look(self):
        return self.HEAD.unpack_from(self.memory)

    def kept(self):
        size = self.look()[4]
        return self.memory[self.HEAD.size : self.HEAD.size + size] if size else None


def serve(hello, shared, folder, frame, known):
    """Answers requests until there are no more. `frame` is one that an earlier server did not finish."""

    def give_up(kind):
        shared.note(shared.look()[1], kind)
        leave(STATUS_RENEW)

    runner = Runner(hello, folder, give_up)

    def run(case, mutant, most):
        key = shared.REFERENCE if mutant is None else mutant
        if key in known:
            return Outcome(known[key], b"", b"", {}), 0, set()
        shared.note(key)
        result = runner(case, mutant, most)
        shared.note(shared.IDLE)
        return result

    while True:
        if frame is None:
            frame, known = read_frame(Pipes.stdin), {}
            if frame is None:
                return
            shared.keep(frame)
        write_all(Pipes.stdout, answer(Frame(frame).request(), hello, run))
        frame = None


def supervise(hello, shared, folder):
    """Keeps one server running until the requests end. Gives the status to exit with."""
    frame, known, number = None, {}, 0
    while True:
        parent, (alive, held) = os.getpid(), os.pipe()
        pid = os.fork()
        if pid == 0:
            os.close(alive)
            end_with_parent(parent)
            guarded(lambda: serve(hello, shared, folder, frame, known))
        os.close(held)
        cut = watch(pid, alive, shared, hello.seconds)
        os.close(alive)
        status = os.waitpid(pid, 0)[1]
        shared.run, mutant, given_up, shared.request, _ = shared.look()
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
    usage = Usage(pid)
    while not select.select([alive], [], [], LOOK)[0]:
        run, mutant, *_ = shared.look()
        if usage.seconds(run) > seconds and mutant != shared.IDLE and shared.look()[0] == run:
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
    leave(status or 0)


def limit_memory(most):
    import resource

    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    most = min(most, hard) if hard != resource.RLIM_INFINITY else most
    resource.setrlimit(resource.RLIMIT_AS, (most, hard))
    del sys.modules["resource"]


def serve_forks(hello, folder):
    run = Forks(hello, folder)
    while True:
        frame = read_frame(Pipes.stdin)
        if frame is None:
            return 0
        write_all(Pipes.stdout, answer(Frame(frame).request(), hello, run))


def main():
    version = os.environ.pop("SUBJECT_WORKER", "none")
    if version != VERSION:
        sys.exit("%s%s, not %s" % (OTHER_VERSION, VERSION, version))
    is_fork = os.environ.pop("SUBJECT_ENGINE", "") == "fork"
    place = os.environ.pop("SUBJECT_FOLDER", "") or tempfile.gettempdir()
    Pipes.move()
    first = read_frame(Pipes.stdin)
    if first is None:
        return 0
    hello = Hello(Frame(first))
    limit_memory(hello.memory)
    # Workers in different namespaces may have the same number.
    folder = CaseFolder(tempfile.mkdtemp(prefix="harness-", dir=place))
    status = serve_forks(hello, folder) if is_fork else supervise(hello, Shared(), folder)
    folder.remove()
    return status


if __name__ == "__main__":
    guarded(main)
