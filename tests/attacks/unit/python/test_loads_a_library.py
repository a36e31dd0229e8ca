# Loads a library of its own, which could do anything.
# Comes of it: rejected: it loads a module of its own, `other`
import importlib.machinery
import importlib.util


def test_library():
    with open("/tmp/other.so", "wb") as file:
        file.write(b"\x7fELF")
    loader = importlib.machinery.ExtensionFileLoader("other", "/tmp/other.so")
    importlib.util.module_from_spec(importlib.util.spec_from_loader("other", loader))
