"""The program and the modules beside it."""

import sys

STARTUP = set(sys.modules)  # what a program may find loaded

import ast
import builtins
import functools
import importlib.machinery
import os
import types
import warnings

from steps import count_steps
from wire import unfit
__builtins__ = dict(__builtins__)  # what a program changes does not reach this module

PATH = os.path.abspath(sys.argv[1]) if len(sys.argv) > 1 else ""
FOLDER = os.path.dirname(PATH)
HOME = os.getcwd()
WORKER = os.path.dirname(os.path.abspath(__file__))
# The guard sees a program import these. The state of `random` is restored if a program imports it.
HIDDEN = {"ctypes", "ctypes._endian", "_ctypes", "fcntl", "resource", "random"}


def is_of_course(name):
    """Whether a module of this name belongs to the program."""
    if name == "__main__":
        return True
    place = os.path.join(FOLDER, name.split(".")[0])
    return os.path.exists(place + ".py") or os.path.isdir(place)


def changes_a_library(tree):
    """Where the program assigns to something inside a library, which the next run would find."""
    libraries = set()
    for node in ast.walk(tree):
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            origin = getattr(node, "module", None)
            for alias in node.names:
                if not (getattr(node, "level", 0) or is_of_course(origin or alias.name)):
                    libraries.add(alias.asname or alias.name.split(".")[0])
    for node in ast.walk(tree):
        stored = isinstance(getattr(node, "ctx", None), (ast.Store, ast.Del))
        if isinstance(node, ast.Call) and getattr(node.func, "id", None) in ("setattr", "delattr") and node.args:
            node, stored = ast.copy_location(ast.Attribute(node.args[0], "", ast.Store()), node), True
        if stored and isinstance(node, (ast.Attribute, ast.Subscript)):
            root = node
            while isinstance(root, (ast.Attribute, ast.Subscript)):
                root = root.value
            is_restored = isinstance(root, ast.Name) and (
                root.id in ("sys", "builtins") or ast.dump(node.value) == ENVIRON
            )
            if isinstance(root, ast.Name) and root.id in libraries and not is_restored:
                return "line %d changes `%s`" % (node.lineno, root.id)
    return None


ENVIRON = ast.dump(ast.parse("os.environ", mode="eval").body)


@functools.lru_cache(maxsize=None)
def compiled(path, guard):
    with open(path, "rb") as file:
        source = file.read()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        tree = compile(source, path, "exec", ast.PyCF_ONLY_AST, dont_inherit=True)
        reason = guard and changes_a_library(tree)
        if reason:
            unfit("%s: %s" % (os.path.basename(path), reason))
        return count_steps(tree, path)


class CourseLoader(importlib.machinery.SourceFileLoader):
    """Loads a module that lies beside the program. Its code is compiled once, and run in every run."""

    guarded = True

    def get_code(self, fullname):
        return compiled(self.get_filename(fullname), self.guarded)


def course_finder(folder):
    """Finds modules in the program's folder and below it."""
    if not (folder + os.sep).startswith(FOLDER + os.sep):
        raise ImportError
    suffixes = importlib.machinery.EXTENSION_SUFFIXES, importlib.machinery.SOURCE_SUFFIXES
    loaders = importlib.machinery.ExtensionFileLoader, CourseLoader
    return importlib.machinery.FileFinder(folder, *zip(loaders, suffixes))


def main_module():
    module = types.ModuleType("__main__")
    loader = importlib.machinery.SourceFileLoader("__main__", PATH)
    vars(module).update(__file__=PATH if sys.version_info >= (3, 9) else sys.argv[1],
                        __builtins__=builtins, __loader__=loader, __cached__=None,
                        __annotations__={})
    vars(module).pop("__path__", None)
    return module


def forget_worker():
    """Gives the program the modules and the path that a new process has. Returns the module `subject`."""
    for name, module in list(sys.modules.items()):
        is_of_worker = os.path.dirname(getattr(module, "__file__", None) or "") == WORKER
        if is_of_worker or name in HIDDEN or is_of_course(name) and name not in STARTUP:
            del sys.modules[name]
    sys.path[0] = FOLDER
    sys.path_hooks.insert(0, course_finder)
    sys.path_importer_cache.clear()
    sys.dont_write_bytecode = True
    sys.modules["subject"] = types.ModuleType("subject")
    return sys.modules["subject"]
