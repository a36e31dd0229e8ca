import _imp, base64, marshal, pathlib, re

try:
    import pytest
except ImportError as error:
    tell(None, False, message=f"pytest cannot be imported: {error}")
    leave([1])


class Cases:
    """Takes the place of pytest's loop over the cases."""

    # The names of the functions and classes of the cases that are wanted.
    names = {re.split(r"\[|::", case)[0] for case in wanted}

    def pytest_configure(self, config):
        # What watches the tests does not know the code of plugins that pytest has changed.
        getattr(config.pluginmanager.rewrite_hook, "_must_rewrite", set()).clear()
        take_fixtures(config)

    def pytest_collectreport(self, report):
        if report.failed:
            crash = getattr(report.longrepr, "reprcrash", None)
            shown = str(report.longrepr).strip()
            message = crash.message if crash else shown.splitlines()[-1].removeprefix("E").strip()
            # Of a file that cannot be imported, pytest gives text.
            lines = re.findall(re.escape(name) + r'(?::|", line )(\d+)', shown)
            line = line_in(report.longrepr) or (int(lines[-1]) if lines else None)
            tell(None, False, line=line, message=message)
            leave([1])

    def pytest_internalerror(self, excinfo):
        if excinfo.errisinstance(SystemExit):
            tell(None, False, line=line_of_tests(excinfo), message="the file ends the program")
            leave([1])

    def pytest_pycollect_makeitem(self, collector, name):
        # A case that does not run need not be made.
        if wanted and isinstance(collector, pytest.Module) and named(name) not in self.names:
            return []
        return None

    def pytest_runtestloop(self, session):
        items = {named(item.nodeid.partition("::")[2]): item for item in session.items}
        items = with_lost(items, "Test", "::")
        if not wanted:
            list_cases(items)
        # Only where and how a case failed is told. To show its code takes longer than most tests.
        session.config.option.tbstyle = "line"
        run_each(items, self.run)

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_makereport(self, call):
        made = yield
        made.get_result().line = call.excinfo and line_of_tests(call.excinfo)

    def pytest_runtest_logreport(self, report):
        self.reports.append(report)

    def run(self, item):
        self.reports = []
        item.ihook.pytest_runtest_protocol(item=item, nextitem=None)
        for report in self.reports:
            if report.failed:
                crash = getattr(report.longrepr, "reprcrash", None)
                # Of a fixture that there is not, pytest gives all that there are.
                missing = getattr(report.longrepr, "errorstring", None)
                if missing:
                    return report.longrepr.firstlineno + 1, missing.strip().splitlines()[0]
                return report.line, crash.message if crash else str(report.longrepr)
            # One that is expected to fail runs, and a subtest is only a part.
            if report.skipped and not hasattr(report, "wasxfail") and not hasattr(report, "context"):
                skip(report.longrepr[2].removeprefix("Skipped: "))
        return None


def line_of_tests(excinfo):
    """The last line in the file of tests that led to an exception, and that the tests do not hide."""
    entries = [entry for entry in excinfo.traceback if entry.frame.code.raw.co_filename == path]
    lines = [entry.lineno + 1 for entry in entries if entry.locals.get("__tracebackhide__") is not True]
    return lines[-1] if lines else None


def line_in(shown):
    """The last line in the file of tests of a traceback as pytest shows it."""
    trace = getattr(shown, "reprtraceback", None)
    places = [entry.reprfileloc for entry in getattr(trace, "reprentries", []) if getattr(entry, "reprfileloc", None)]
    at = [place.lineno for place in places if os.path.basename(place.path) == name]
    return at[-1] if at else None


def take_fixtures(config):
    """Takes what the course's own `conftest.py` has for its tests, if there is one beside them."""
    file = os.path.join(folder, "conftest.py")
    if file == path or not os.path.isfile(file):
        return
    sys.path.insert(0, folder)
    try:
        import conftest
    except BaseException as error:
        tell(None, False, message=f"the course's `conftest.py` cannot be imported: {shown(error)}")
        leave([1])
    config.pluginmanager.register(conftest, "conftest")


def prepare(config):
    """Compiles the tests with their assertions once for all variants. It takes longer than most tests."""
    from _pytest.assertion import rewrite
    if wanted == ["--prepare"]:
        _, code = rewrite._rewrite_test(pathlib.Path(path), config)
        print(base64.b64encode(marshal.dumps(code)).decode(), file=out)
        leave([0])
    prepared = path + ".prepared"
    if os.path.exists(prepared):
        with open(prepared, "rb") as file:
            code = marshal.loads(base64.b64decode(file.read()))
        os.remove(prepared)
        _imp._fix_co_filename(code, path)
        compile_it = rewrite._rewrite_test
        rewrite._rewrite_test = lambda file, config: (
            (os.stat(file), code) if str(file) == path else compile_it(file, config)
        )


settle_hypothesis()
watch(path, folder, fail)
if globals().get("session"):
    # A server has begun it.
    prepare(session.config)
    session.collect = lambda: [pytest.Module.from_parent(session, path=pathlib.Path(path))]
    session.config.pluginmanager.register(Cases())
else:
    sys.exit(pytest.main(
        ["-q", "-s", "--noconftest", "-c", os.devnull, "--rootdir", folder, "-p", "no:cacheprovider", "-p", "no:randomly", path],
        plugins=[Cases()],
    ))
