# Watches what a file of tests does with the program that it tests: a test calls it, and does not read it. What watches is in a closure,
# so that the tests find no name for it. Decoys find a test that looks at the program in a way that is not told here.
#
# Code says itself which file it is from, so that this is not believed: code is known if it is in a file that was there before the tests.


def guarded(event):
    """A function that takes the place of another one, which what watches keeps to itself, and calls if the tests may."""
    def call(*args):
        answer = []
        sys.audit(event, answer, *args)
        return answer[0]
    return call


def guarded_by_name(event):
    """The same for a function that makes a module. What it is asked for may come from the tests, and is looked at once."""
    call = guarded(event)
    return lambda spec, *_: call(spec.name, spec.origin)


def watch(path, folder, tell):
    """Calls `tell(line, message)` if something of the file `path` looks at the program in its folder."""
    import _io, _posixsubprocess, builtins, ctypes, gc, importlib.util, inspect, logging, marshal, traceback, types
    frame_at, thread, imp = sys._getframe, threading.get_ident, sys.modules["_imp"]
    back, guards = types.FrameType.f_back.__get__, {guarded("").__code__, guarded_by_name("").__code__}
    bootstrap, external = importlib._bootstrap, importlib._bootstrap_external
    cached, compiled, loaded = importlib.util.cache_from_source, compile, marshal.loads
    installed = tuple(os.path.join(it, "") for it in sys.path if os.path.isabs(it) and not folder.startswith(it))
    given, modules, sources = {}, set(), set()
    for at, _, names in os.walk(folder):
        for name in names:
            file = os.path.join(at, name)
            if file != path and name.endswith((".py", ".pyc")):
                with open(file, "rb") as text:
                    given[file if name.endswith(".py") else file[len(folder) + 1:-1]] = text.read()
            if name.endswith(".pyc"):
                modules.add(name)
                sources.add(file[len(folder) + 1:-1])
    with_code = types.FunctionType, types.GeneratorType, types.CoroutineType, types.AsyncGeneratorType, types.FrameType
    # Modules that read files or memory, or start programs, without telling.
    silent = set("readline ctypes _ctypes _tkinter _posixsubprocess _imp _testcapi _testlimitedcapi _testinternalcapi".split())
    codes, frames = ("__code__", "gi_code", "cr_code", "ag_code", "f_code"), ("tb_frame", "gi_frame", "cr_frame", "ag_frame")
    # What reads the code of a function only to say how it is called, and what gives away the frame of its caller.
    signature = {getattr(inspect, name).__code__ for name in ("_signature_from_function", "_signature_is_functionlike", "_has_code_flag")}
    callers = {it.__code__ for it in (inspect.currentframe, inspect.stack, logging.currentframe, traceback.walk_stack)}
    imports = external.FileLoader.get_data, external.SourcelessFileLoader.get_code, external._LoaderBasics.exec_module
    imports, load = tuple(it.__code__ for it in imports), {bootstrap._load_unlocked.__code__, bootstrap._exec.__code__}
    # What would get the code of a program, or of a function, if another thing took its place.
    whole = [(module, dict(vars(module))) for module in (bootstrap, external, inspect)]
    parts = [(module, name, getattr(module, name)) for module, names in (
        (builtins, "exec memoryview isinstance getattr"), (marshal, "loads"), (_io, "open_code"), (imp, "source_hash"),
    ) for name in names.split()]
    # The threads that watch, those that ask for a frame to do so, the frames of the hook, and the functions that guarded ones replace.
    busy, asking, hooks, kept, known = set(), set(), set(), {}, {}

    def inside(code):
        """A code with those in it."""
        found = [code]
        for it in found:
            found += [inner for inner in it.co_consts if isinstance(inner, types.CodeType)]
        return found

    def read(name):
        """The code of a file that was there before the tests, or nothing."""
        if name in given:
            return loaded(given[name][16:]) if name in sources else compiled(given[name], name, "exec", dont_inherit=True)
        if name.startswith("<frozen "):
            return imp.get_frozen_object(name[8:-1])
        if not os.path.realpath(name).startswith(installed):
            return None
        if os.path.exists(cached(name)):
            with open(cached(name), "rb") as file:
                return loaded(file.read()[16:])
        with open(name, "rb") as file:
            return compiled(file.read(), name, "exec", dont_inherit=True)

    def is_known(code):
        name = code.co_filename
        if name not in known:
            try:
                found = read(name)
            except Exception:
                found = None
            known[name] = set(inside(found)) if found else set()
        return code in known[name] or id(code) in program

    program = {id(code): code for code in inside(frame_at(1).f_code)}

    def is_unchanged():
        return all(dict(vars(module)) == names for module, names in whole) and all(getattr(*it[:2]) is it[2] for it in parts)

    def only_asks_how_it_is_called(asks):
        code, name = asks.f_code, asks.f_code.co_filename
        if code in signature:
            return is_unchanged()
        if name.endswith("/unittest/mock.py"):
            # It asks for all that a function has, and gives it to `iscoroutinefunction`.
            if code.co_name not in ("_mock_add_spec", "_is_async_obj", "_is_async_func"):
                return False
            given_to = asks.f_globals.get("iscoroutinefunction")
            return is_known(code) and isinstance(given_to, types.FunctionType) and is_known(given_to.__code__) and is_unchanged()
        return "/_pytest/" in name and "/_code/" not in name and is_known(code)

    def attribute(asks, thing, name):
        if name in frames:
            return None if is_known(asks.f_code) else "it looks at what called it"
        if name in codes and isinstance(thing, with_code):
            code = next(getattr(thing, it) for it in codes if hasattr(thing, it))
            if code.co_filename not in sources:
                return None
            if not (is_known(asks.f_code) if name == "f_code" else only_asks_how_it_is_called(asks)):
                return f"it reads the code of `{code.co_qualname if hasattr(code, 'co_qualname') else code.co_name}`"
        return None

    def part_of_frame(asks, *_):
        """What judges who reads an attribute of a frame, however the tests get one."""
        return None if asks is not None and is_known(asks.f_code) else "it looks at what called it"

    def variables(asks, answer, frame):
        """The same for the variables. A framework that shows those of the program finds none."""
        message = part_of_frame(asks)
        if message is None and frame.f_code.co_filename in sources and asks.f_code.co_filename not in sources:
            answer.append({})
        return message

    def text(file):
        """The name of a file, also if it is of a class that the tests define."""
        return str.__str__(file) if isinstance(file, str) else os.fsdecode(bytes(memoryview(file)))

    def opened(asks, file, mode, *_):
        if isinstance(file, int):
            return None
        file = text(file)
        # Only `os.open` has no mode. It may mean a file in any folder that is open.
        for at in folders() if mode is None else [""]:
            found = os.path.realpath(os.path.join(at, file))
            if os.path.basename(found) in modules and not is_import(asks):
                return f"it opens the file of `{os.path.basename(found)[:-4]}`"
            if os.path.join(found, "").startswith("/proc/") and id(asks.f_code) not in program and (not at or os.path.exists(found)):
                return "it reads what the system says of processes"
        return None

    def folders():
        """The folder of the process, and all that are open."""
        open_files = (f"/proc/self/fd/{fd}" for fd in os.listdir("/proc/self/fd"))
        return ["", *(os.readlink(it) for it in open_files if os.path.isdir(it))]

    def imported(asks, name, *_):
        if name not in silent:
            return None
        at = asks
        while at is not None and is_known(at.f_code):
            file = at.f_code.co_filename
            if file in sources or at.f_code.co_name == "<module>" and "-packages/" in file:
                return None
            at = back(at)
        while asks is not None and is_known(asks.f_code) and "importlib" in asks.f_code.co_filename:
            asks = back(asks)
        if asks is not None and is_known(asks.f_code):
            raise ImportError(f"a test does not get `{name}`")
        return f"it uses `{name}`"

    def made(asks, _, name, file):
        if type(name) is not str or type(file) is not str:
            raise ImportError("the name of a module must be a text")
        if file.startswith("/") and not os.path.realpath(file).startswith(installed):
            return f"it loads a module of its own, `{name}`"
        return imported(asks, name)

    def is_import(asks):
        """Whether Python reads a module to run it."""
        for code in imports:
            if asks is None or asks.f_code is not code:
                return False
            asks = back(asks)
        return asks is not None and asks.f_code in load and is_unchanged()

    def moved(_, *files):
        for file in files[:2]:
            if not isinstance(file, int) and os.path.basename(text(file)) in modules:
                return f"it moves the file of `{os.path.basename(text(file))[:-4]}`"
        return None

    def frame(asks, *_):
        asked = back(asks) if asks.f_code in callers else asks
        return None if asked is None or is_known(asked.f_code) else "it looks at what called it"

    def always(message):
        return lambda *_: message

    says = {"object.__getattr__": attribute, "open": opened, "import": imported, "sys._getframe": frame}
    says["sys._current_frames"] = always("it looks at what runs")
    for events, message in (
        ("sys.settrace sys.setprofile sys.monitoring.register_callback", "it follows how the program runs"),
        ("sys.addaudithook cpython.PyInterpreterState_New", "it watches the interpreter"),
        ("gc.get_objects gc.get_referrers gc.get_referents", "it searches the memory"),
        ("ctypes.dlsym ctypes.string_at ctypes.wstring_at ctypes.addressof ctypes.cdata", "it uses `ctypes`"),
        ("subprocess.Popen os.system os.exec os.posix_spawn os.spawn os.forkpty", "it starts another program"),
    ):
        says.update(dict.fromkeys(events.split(), always(message)))
    says.update(dict.fromkeys(("os.rename", "os.link", "os.symlink"), moved))
    of_libraries = set(says) - {"object.__getattr__", "open", "import"}

    def is_of_library(asks):
        """Whether a module does this while it is imported that is no part of the tests."""
        at = asks
        while at and at.f_code not in load and is_known(at.f_code):
            at = back(at)
        return at is not None and at is not asks and at.f_code in load

    def line_of_tests(at):
        while at and at.f_code.co_filename != path:
            at = back(at)
        return at.f_lineno if at else None

    def judge(say, event, asks, args):
        message = say(asks, *args)
        if message and not (event in of_libraries and is_of_library(asks)):
            tell(line_of_tests(asks), f"it looks at the program instead of calling it: {message}")

    def hook(event, args):
        say, me = says.get(event), thread()
        if say is None or event == "sys._getframe" and me in asking:
            return
        # A handler of signals may raise an exception anywhere here.
        try:
            asking.add(me)
            asks, here = back(frame_at(0)), id(frame_at(0))
        finally:
            asking.discard(me)
        if id(asks) in hooks:
            return
        try:
            hooks.add(here)
            calls = asks
            while asks is not None and asks.f_code in guards:
                asks = back(asks)
            if event in kept and asks is calls:
                raise ValueError(f"{event} is not for tests")
            # What the tests leave to be called at any time, such as a handler of signals, may run while this does.
            if me not in busy:
                try:
                    busy.add(me)
                    judge(say, event, asks, args)
                finally:
                    busy.discard(me)
            elif asks is None or id(asks.f_code) not in program:
                judge(say, event, asks, args)
        finally:
            hooks.discard(here)
        if event in kept and not args[0]:
            args[0].append(kept[event](*args[1:]))

    def keep(event, function, say, guard=guarded):
        kept[event], says[event] = function, say
        return guard(event)

    def by_name(create):
        return lambda name, file: create(types.SimpleNamespace(name=name, origin=file))

    start = keep("guarded.fork_exec", _posixsubprocess.fork_exec, always("it starts another program"))
    of_libraries.add("guarded.fork_exec")
    _posixsubprocess.fork_exec = start
    if "subprocess" in sys.modules:
        sys.modules["subprocess"]._fork_exec = start
    for name in ("create_builtin", "create_dynamic"):
        setattr(imp, name, keep(f"guarded.{name}", by_name(getattr(imp, name)), made, guarded_by_name))
    # The attributes of frames are written in C. This is the only way to change them.
    attributes = gc.get_referents(vars(types.FrameType))[0]
    for name, say in {**dict.fromkeys(("f_back", "f_builtins", "f_globals"), part_of_frame), "f_locals": variables}.items():
        attributes[name] = property(keep(f"guarded.{name}", attributes[name].__get__, say))
    ctypes.pythonapi.PyType_Modified(ctypes.py_object(types.FrameType))
    for name in [it for it in sys.modules if it.partition(".")[0] in silent - {"_imp", "_posixsubprocess"}]:
        del sys.modules[name]
    sys.addaudithook(hook)
