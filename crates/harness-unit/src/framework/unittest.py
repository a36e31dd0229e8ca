import importlib, traceback, types, unittest

sys.path.insert(0, folder)


def line_in(trace):
    """The last line in the file of tests of a traceback."""
    at = [frame.lineno for frame in traceback.extract_tb(trace) if frame.filename == path]
    return at[-1] if at else None


class Result(unittest.TestResult):
    """Keeps the first failure: its line and its message."""

    first = None

    def _exc_info_to_string(self, err, test):
        kind, error, trace = err
        if self.first is None:
            said = str(error)
            message = said if issubclass(kind, AssertionError) and said else f"{kind.__name__}: {said}"
            # Hypothesis notes the values that it drew.
            self.first = line_in(trace), "\n".join([message, *map(str, getattr(error, "__notes__", []))])
        return ""


def flat(suite):
    return [case for it in suite for case in (flat(it) if isinstance(it, unittest.TestSuite) else [it])]


def run(case):
    if isinstance(case, types.FunctionType):
        return None, "unittest does not run it, because it is no method of a class that extends `unittest.TestCase`"
    result = Result()
    unittest.TestSuite([case]).run(result)
    # A skipped subtest is only a part.
    of_all = [reason for skipped, reason in result.skipped if skipped is case]
    if of_all:
        skip(of_all[0])
    if result.unexpectedSuccesses:
        return None, "it passes, and is expected to fail"
    return None if result.wasSuccessful() else result.first


settle_hypothesis()
watch(path, folder, fail)
try:
    module = importlib.import_module(os.path.splitext(name)[0])
except BaseException as error:
    line = error.lineno if isinstance(error, SyntaxError) else line_in(error.__traceback__)
    said = f"{type(error).__name__}: {error}"
    if isinstance(error, SystemExit):
        said = 'the file ends the program: put `unittest.main()` below `if __name__ == "__main__":`'
    tell(None, False, line=line, message=said)
    leave([1])
cases = {named(case.id().partition(".")[2]): case for case in flat(unittest.defaultTestLoader.loadTestsFromModule(module))}
# What looks like a case and would silently be none.
for of_module, it in vars(module).items():
    if of_module.startswith("test_") and isinstance(it, types.FunctionType) and it.__module__ == module.__name__:
        cases.setdefault(named(of_module), it)
cases = with_lost(cases, "", ".")
if not wanted:
    list_cases(cases)
run_each(cases, run)
