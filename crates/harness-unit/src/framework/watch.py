# Watches what a file of tests does with the program that it tests: a test calls it, and does not read it. What watches is in a closure,
# so that the tests find no name for it. Decoys find a test that looks at the program in a way that is not told here.


def watch(path, folder, tell):
    """Calls `tell(line, message)` if something of the file `path` looks at the program in its folder."""
    import _thread, importlib, threading, types
    frame_at, thread, main = sys._getframe, _thread.get_ident, threading.main_thread().ident
    library = os.path.dirname(os.__file__)
    mock, current = os.path.join(library, "unittest", "mock.py"), (os.path.join(library, "inspect.py"), "currentframe")
    loads = [getattr(importlib._bootstrap, name).__code__ for name in ("_load_unlocked", "_exec")]
    modules = {name for _, _, names in os.walk(folder) for name in names if name.endswith(".pyc")}
    sources = {os.path.join(at, name)[len(folder) + 1:-1] for at, _, names in os.walk(folder) for name in names if name in modules}
    with_code = types.FunctionType, types.GeneratorType, types.CoroutineType, types.FrameType
    busy, mocks, own = set(), set(), frame_at(0).f_code.co_filename

    def code_of(thing):
        for name in ("__code__", "gi_code", "cr_code", "f_code"):
            if hasattr(thing, name):
                return getattr(thing, name)

    def attribute(thing, name):
        if name in ("tb_frame", "gi_frame", "cr_frame"):
            return "it looks at what called it" if is_asked_by_tests() else None
        if name in ("__code__", "gi_code", "cr_code", "f_code") and isinstance(thing, with_code):
            code = code_of(thing)
            if code.co_filename in sources and (name != "f_code" or is_asked_by_tests()):
                return f"it reads the code of `{code.co_qualname if hasattr(code, 'co_qualname') else code.co_name}`"

    def opened(file, *_):
        if isinstance(file, (str, bytes)):
            file = os.path.realpath(os.fsdecode(file))
            if os.path.basename(file) in modules:
                return f"it opens the file of `{os.path.basename(file)[:-4]}`"
            return "it reads what the system says of processes" if file.startswith("/proc/") else None

    def moved(*files):
        for file in files[:2]:
            if isinstance(file, (str, bytes)) and os.path.basename(os.fsdecode(file)) in modules:
                return f"it moves the file of `{os.path.basename(os.fsdecode(file))[:-4]}`"

    def is_of_tests(code):
        # What the tests compile can have any name. This program has one that is no path, and follows lines if it is asked to.
        name = code.co_filename
        return name == path or name != own and not (name.startswith("<frozen ") or os.path.isabs(name))

    def is_of_mock(code):
        if code.co_filename != mock:
            return False
        if not mocks:
            with open(mock, "rb") as file:
                inside = [compile(file.read(), mock, "exec", dont_inherit=True)]
            while inside:
                mocks.add(inside[-1])
                inside += [it for it in inside.pop().co_consts if isinstance(it, types.CodeType)]
        return code in mocks

    def frame(*_):
        asks = frame_at(2)
        is_inspect = (asks.f_code.co_filename, asks.f_code.co_name) == current
        return "it looks at what called it" if is_inspect or is_of_tests(asks.f_code) else None

    def always(message):
        return lambda *_: message

    says = {"object.__getattr__": attribute, "open": opened, "sys._getframe": frame, "sys._current_frames": always("it looks at what runs")}
    for events, message in (
        ("sys.settrace sys.setprofile sys.monitoring.register_callback", "it follows how the program runs"),
        ("sys.addaudithook", "it watches the interpreter"),
        ("gc.get_objects gc.get_referrers gc.get_referents", "it searches the memory"),
        ("ctypes.dlsym ctypes.string_at ctypes.wstring_at ctypes.addressof ctypes.cdata", "it uses `ctypes`"),
        ("subprocess.Popen os.system os.exec os.posix_spawn os.spawn os.forkpty", "it starts another program"),
    ):
        says.update(dict.fromkeys(events.split(), always(message)))
    says.update(dict.fromkeys(("os.rename", "os.link", "os.symlink"), moved))

    def is_asked_by_tests():
        return is_of_tests(frame_at(3).f_code)

    def line_of_tests():
        """The line of the tests from which this comes, or 0 if it comes from a thread without one."""
        at = frame_at(2)
        while at:
            code = at.f_code
            if any(code is load for load in loads) or is_of_mock(code):
                return None
            if code.co_filename == path:
                return at.f_lineno
            at = at.f_back
        return None if thread() == main else 0

    def hook(event, args):
        say, me = says.get(event), thread()
        if say is None or me in busy:
            return
        busy.add(me)
        try:
            message = say(*args)
            line = line_of_tests() if message else None
            if line is not None:
                tell(line or None, f"it looks at the program instead of calling it: {message}")
        finally:
            busy.discard(me)

    sys.addaudithook(hook)
