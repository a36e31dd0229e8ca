# Watches what a file of tests does with the program that it tests: a test calls it, and does not read it. What watches is in a closure,
# so that the tests find no name for it. Decoys find a test that looks at the program in a way that is not told here.
#
# Code says itself which file it is from, so that this is not believed: code is known if it is in a file that was there before the tests.


def watch(path, folder, tell):
    """Calls `tell(line, message)` if something of the file `path` looks at the program in its folder."""
    import _io, builtins, importlib.util, inspect, logging, marshal, traceback, types
    frame_at, thread, imp = sys._getframe, threading.get_ident, sys.modules["_imp"]
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
    busy, known = set(), {}

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
            is_allowed = is_known(asks.f_code) if name == "f_code" else only_asks_how_it_is_called(asks)
            if code.co_filename in sources and not is_allowed:
                return f"it reads the code of `{code.co_qualname if hasattr(code, 'co_qualname') else code.co_name}`"
        return None

    def opened(asks, file, *_):
        if not isinstance(file, (str, bytes)):
            return None
        file = os.path.realpath(os.fsdecode(file))
        if os.path.basename(file) in modules and not is_import(asks):
            return f"it opens the file of `{os.path.basename(file)[:-4]}`"
        return "it reads what the system says of processes" if file.startswith("/proc/") and id(asks.f_code) not in program else None

    def is_import(asks):
        """Whether Python reads a module to run it."""
        for code in imports:
            if asks is None or asks.f_code is not code:
                return False
            asks = asks.f_back
        return asks is not None and asks.f_code in load and is_unchanged()

    def moved(_, *files):
        for file in files[:2]:
            if isinstance(file, (str, bytes)) and os.path.basename(os.fsdecode(file)) in modules:
                return f"it moves the file of `{os.path.basename(os.fsdecode(file))[:-4]}`"
        return None

    def frame(asks, *_):
        asked = asks.f_back if asks.f_code in callers else asks
        return None if asked is None or is_known(asked.f_code) else "it looks at what called it"

    def always(message):
        return lambda *_: message

    says = {"object.__getattr__": attribute, "open": opened, "sys._getframe": frame, "sys._current_frames": always("it looks at what runs")}
    for events, message in (
        ("sys.settrace sys.setprofile sys.monitoring.register_callback", "it follows how the program runs"),
        ("sys.addaudithook cpython.PyInterpreterState_New", "it watches the interpreter"),
        ("gc.get_objects gc.get_referrers gc.get_referents", "it searches the memory"),
        ("ctypes.dlsym ctypes.string_at ctypes.wstring_at ctypes.addressof ctypes.cdata", "it uses `ctypes`"),
        ("subprocess.Popen os.system os.exec os.posix_spawn os.spawn os.forkpty", "it starts another program"),
    ):
        says.update(dict.fromkeys(events.split(), always(message)))
    says.update(dict.fromkeys(("os.rename", "os.link", "os.symlink"), moved))

    def is_of_library(asks):
        """Whether a module does this while it is imported that is no part of the tests."""
        at = asks
        while at and at.f_code not in load and is_known(at.f_code):
            at = at.f_back
        return at is not None and at is not asks and at.f_code in load

    def line_of_tests(at):
        while at and at.f_code.co_filename != path:
            at = at.f_back
        return at.f_lineno if at else None

    def hook(event, args):
        say, me = says.get(event), thread()
        if say is None or me in busy:
            return
        busy.add(me)
        try:
            asks = frame_at(0).f_back
            message = say(asks, *args)
            if message and not (say not in (attribute, opened) and is_of_library(asks)):
                tell(line_of_tests(asks), f"it looks at the program instead of calling it: {message}")
        finally:
            busy.discard(me)

    sys.addaudithook(hook)
