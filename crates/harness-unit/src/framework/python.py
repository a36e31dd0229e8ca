# The beginning of a program that runs the test cases of a file in Python, each in a process of its own: FILE SECONDS [--lines] [CASE
# ...]. Without cases, it lists them. It prints a line for each case: its name, or what came of it, as JSON; with --lines, also which lines
# of the program it reached.
import ast, json, os, re, resource, sys, threading, time

path, seconds, wanted = sys.argv[1], float(sys.argv[2]), sys.argv[3:]
# Which cases run, and how many, is not for the tests to know.
del sys.argv[1:], sys.orig_argv[1:]
sys.modules["__main__"] = type(sys)("__main__")
folder, name = os.path.split(path)
out = os.fdopen(os.dup(1), "w", buffering=1)
nowhere = os.open(os.devnull, os.O_WRONLY)
os.dup2(nowhere, 1)
# The lines of the program that were reached, by the names of its modules.
lines = {}


def follow():
    """Notes from now on which lines of the program are reached."""
    modules = (os.path.join(at, file)[len(folder) + 1:-1] for at, _, files in os.walk(folder) for file in files if file.endswith(".pyc"))
    lines.update((module, set()) for module in modules)

    def reached(frame, event, _):
        if event == "line":
            lines[frame.f_code.co_filename].add(frame.f_lineno)
        return reached

    def called(frame, *_):
        return reached if frame.f_code.co_filename in lines else None

    threading.settrace(called)
    sys.settrace(called)


def ranges(numbers):
    """The first and the last of numbers that follow each other."""
    found = []
    for number in sorted(numbers):
        if found and found[-1][1] == number - 1:
            found[-1][1] = number
        else:
            found.append([number, number])
    return found


if wanted[:1] == ["--lines"]:
    del wanted[0]
    follow()
# In the process of a case, what says whether it passed and what else came of it, in no more bytes than a pipe has room for.
say = None
# Why it is skipped, if it is.
skipped = None
MOST = 60000


def settle_hypothesis():
    """Lets tests that draw values with Hypothesis draw the same ones each time, in whatever time that takes on a busy machine."""
    def names_it(file):
        with open(file, "rb") as text:
            return b"hypothesis" in text.read()

    files = (os.path.join(folder, it) for it in os.listdir(folder) if it.endswith(".py"))
    if any(os.path.isfile(file) and names_it(file) for file in files):
        try:
            from hypothesis import HealthCheck, Phase, given, settings, strategies
        except ImportError:  # The tests fail at that, too.
            return
        # To explain a failure, it follows how the program runs.
        phases, slow = [Phase.explicit, Phase.generate, Phase.target, Phase.shrink], [HealthCheck.too_slow]
        settings.register_profile(
            "same", derandomize=True, deadline=None, database=None, phases=phases, suppress_health_check=slow
        )
        settings.load_profile("same")
        # In its first test, it searches the memory.
        given(strategies.none())(lambda _: None)()


def same(message):
    """A message without what differs from run to run: the folder of the tests, and the places of objects."""
    return re.sub("0x[0-9a-f]{6,}", "0x...", re.sub(re.escape(folder) + r"/(\S*/)?", "", message))


def named(case):
    """The name of a case, with escapes for what is no character."""
    return case.encode("utf-8", "backslashreplace").decode()


def list_cases(cases):
    for case in [*cases, None]:  # The last line tells that the file has not ended the program before.
        print(json.dumps(case), file=out)
    leave([0])


def with_lost(cases, classes, separator):
    """The cases, and in place of each function that looks like one and never runs, why: something below it takes its name, or pytest makes
    no object of its class. Those are called by their names and lines."""
    if wanted and all(case in cases for case in wanted):
        return cases
    found = {}

    def look(body, prefix, why):
        last = {}
        for it in reversed([it for it in body if isinstance(it, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef))]):
            taken = last.setdefault(it.name, it)
            lost = why or (f"`{taken.name}` in line {taken.lineno} takes its place" if taken is not it else None)
            if isinstance(it, ast.ClassDef) and it.name.startswith(classes):
                inside = prefix + it.name + separator
                has_cases = any(case.startswith(inside) for case in cases)
                look(it.body, inside, lost or (None if has_cases else constructed(it)))
            elif lost and it.name.startswith("test"):
                found[f"{prefix}{it.name} (line {it.lineno})"] = f"it never runs, because {lost}"

    def constructed(it):
        methods = (at for at in it.body if isinstance(at, ast.FunctionDef) and at.name in ("__init__", "__new__"))
        own = next(methods, None) if classes else None
        return own and f"its class has `{own.name}` in line {own.lineno}"

    try:
        with open(path, "rb") as file:
            look(ast.parse(file.read()).body, "", None)
    except (MemoryError, RecursionError):  # It is nested too deeply.
        pass
    return {**cases, **found}


def tell(case, passed, **more):
    """Says what came of a case, or without one, of reading the file."""
    if "message" in more:
        more["message"] = same(more["message"])
    print(json.dumps({"case": case, "passed": passed, **more}), file=out)


def fail(line, message):
    """Ends this process, because what it runs is wrong."""
    if say is None:
        tell(None, False, line=line, message=message)
        leave([1])
    say(False, line=line, message=message[:4000])
    os._exit(1)


def skip(reason):
    """Notes that the case is skipped."""
    global skipped
    skipped = same(str(reason))[:4000]


def shown(error):
    """An error as Python shows it. Its text may come from the tests, and fail."""
    try:
        return f"{type(error).__name__}: {error}"
    except BaseException:
        return type(error).__name__


def run_here(run):
    """Runs a case in this process, says what came of it, and ends the process."""
    if len(wanted) > 1:
        limit = int(seconds) + 1
        resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))
    try:
        failed = run()
    except BaseException as error:  # such as `pytest.exit`
        failed = None, shown(error)
    if failed:
        fail(*failed)
    reached = list(getattr(sys.modules.get("subject"), "reached", ()))
    told = {"reached": reached, "lines": {module: ranges(numbers) for module, numbers in lines.items()}}
    if skipped is not None:
        told["skipped"] = skipped
    if len(json.dumps(told)) > MOST:
        del told["lines"]
    if len(json.dumps(told)) > MOST:
        told["reached"] = None
    say(True, **told)
    os._exit(0)


def waited_for_processor(child):
    """How many seconds a process was ready to run while others ran. A busy machine takes no time from a test."""
    try:
        with open(f"/proc/{child}/schedstat") as file:
            return int(file.read().split()[1]) / 1e9
    except (OSError, ValueError, IndexError):
        return 0


def run_each(cases, run):
    """Runs the cases that are wanted, each in a process of its own. `run` gives the line and the message of a failure."""
    def run_it(case):
        it = cases[case]
        return (None, it) if isinstance(it, str) else run(it)  # A text says why it never runs.

    if len(wanted) == 1 and "session" in globals():
        run_only(wanted[0], lambda: run_it(wanted[0]))
    leave([run_apart(case, lambda: run_it(case)) for case in wanted])


def run_only(case, run):
    """Runs the only case in this process, which a server has made for it. To make another one takes longer than most tests."""
    global say

    def say(passed, **more):
        tell(case, passed, **more)
        out.flush()

    run_here(run)


def run_apart(case, run):
    """Runs a case in a process of its own, whose status says whether it passed."""
    global say
    start = time.monotonic()
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.close(reader)
            os.close(out.fileno())
            say = lambda passed, **told: os.write(writer, json.dumps(told).encode())
            run_here(run)
        finally:
            # Nothing that the tests raise goes on in the loop over the cases.
            os._exit(1)
    os.close(writer)
    os.waitid(os.P_PID, child, os.WEXITED | os.WNOWAIT)
    took = time.monotonic() - start - waited_for_processor(child)
    _, status = os.waitpid(child, 0)
    os.set_blocking(reader, False)
    try:
        said = json.loads(os.read(reader, 65536))
    except (BlockingIOError, ValueError):
        said = {}
    os.close(reader)
    if os.WIFEXITED(status) and not said:
        status, said = 1 << 8, {"message": "it ends the program, as `os._exit` does"}
    passed = status == 0
    if passed or said:
        tell(case, passed, seconds=took, **said)
    return status


def leave(statuses):
    """Ends as the only case did."""
    if len(statuses) == 1 and os.WIFSIGNALED(statuses[0]):
        os.kill(os.getpid(), os.WTERMSIG(statuses[0]))
    out.flush()
    os._exit(1 if any(statuses) else 0)
