# Reads the code of the program in modules that it writes and imports.
# Comes of it: rejected: it reads the code of `fee` | rejected: it opens the file of `loans`
import importlib
import sys
import tempfile

sys.path.insert(0, tempfile.mkdtemp())


def found(name, text):
    with open(f"{sys.path[0]}/{name}.py", "w") as file:
        file.write("import loans\n" + text)
    return importlib.import_module(name).found


def test_code():
    assert sum(found("one", "found = loans.fee.__code__.co_code")) % 2 == 0


def test_file():
    assert len(found("two", "with open(loans.__file__, 'rb') as file: found = file.read()")) % 2 == 0
