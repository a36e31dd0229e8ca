# Runs a test of its own, so that pytest has imported everything that it imports late.
folder = tempfile.mkdtemp(dir=here)
path = os.path.join(folder, "test_nothing.py")
with open(path, "w") as file:
    file.write("import pytest\n\n@pytest.mark.parametrize('it', [1, 2])\ndef test_one(it):\n    assert it == 1\n")
import pytest
pytest.main(["-q", "-s", "--noconftest", "-c", os.devnull, "--rootdir", folder, "-p", "no:cacheprovider", path])
del sys.modules["test_nothing"]
shutil.rmtree(folder)
