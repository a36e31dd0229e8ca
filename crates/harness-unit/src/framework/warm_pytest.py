# Runs a test of its own, so that pytest has imported everything that it imports late. Then it begins a session without tests, from which
# each request goes on.
import pytest

# Each plugin takes time to start, and no test asks for these. The last one takes the cases in another order each time.
unused = [word for it in ("cacheprovider", "pastebin", "stepwise", "setupplan", "randomly") for word in ("-p", "no:" + it)]
options = ["-q", "-s", "--noconftest", "-c", os.devnull, "--rootdir", here, *unused]
folder = tempfile.mkdtemp(dir=here)
path = os.path.join(folder, "test_nothing.py")
with open(path, "w") as file:
    file.write("import pytest\n\n@pytest.mark.parametrize('it', [1, 2])\ndef test_one(it):\n    assert it == 1\n")


class Unchanged:
    def pytest_configure(self, config):
        # What watches the tests does not know the code of plugins that pytest has changed.
        getattr(config.pluginmanager.rewrite_hook, "_must_rewrite", set()).clear()


pytest.main([*options, path], plugins=[Unchanged()])
del sys.modules["test_nothing"]
shutil.rmtree(folder)


class Serves(Unchanged):
    def pytest_collection(self, session):
        serve(session)


os._exit(int(pytest.main([*options, here], plugins=[Serves()])))
