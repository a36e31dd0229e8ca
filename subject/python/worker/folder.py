"""The folder that holds the files of a case."""

import fcntl
import os
import shutil
import tempfile

__builtins__ = dict(__builtins__)  # what a program changes does not reach this module

PREFIX = "harness-python-"
FLAGS = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW


class CaseFolder:
    """The folder that holds the files of a case."""

    def __init__(self, path):
        self.path, self.present = path, {}

    @classmethod
    def new(cls):
        """A folder with a name of its own. It is locked as long as the worker lives."""
        remove_leftovers(tempfile.gettempdir())
        path = tempfile.mkdtemp(prefix=PREFIX)
        fcntl.flock(os.open(path, FLAGS), fcntl.LOCK_EX)
        return cls(path)

    def fill(self, files):
        if not os.path.isdir(self.path):
            os.mkdir(self.path, 0o700)
        for name in self.present.keys() - files.keys():
            os.unlink(os.path.join(self.path, name))
        for name, data in files.items():
            if self.present.get(name) != data:
                with open(os.path.join(self.path, name), "wb") as file:
                    file.write(data)
        self.present = dict(files)

    def written(self, files):
        """The files that are new or changed. Leaves the folder empty of anything else."""
        found, is_plain = {}, True
        for entry in os.scandir(self.path):
            if entry.is_file(follow_symlinks=False):
                with open(entry.path, "rb") as file:
                    found[os.fsencode(entry.name).decode(errors="replace")] = file.read()
            else:
                is_plain = False
        self.present = found
        if not is_plain:
            self.clear()
        return {name: data for name, data in found.items() if files.get(name) != data}

    def clear(self):
        for entry in os.scandir(self.path) if os.path.isdir(self.path) else ():
            if entry.is_dir(follow_symlinks=False):
                shutil.rmtree(entry.path, ignore_errors=True)
            else:
                os.unlink(entry.path)
        self.present = {}

    def remove(self):
        shutil.rmtree(self.path, ignore_errors=True)
        self.present = {}


def remove_leftovers(place):
    """Removes the folders of workers that were killed: nobody holds their locks."""
    for name in os.listdir(place):
        path = os.path.join(place, name)
        if name.startswith(PREFIX):
            try:
                folder = os.open(path, FLAGS)
            except OSError:  # another worker has just removed it, or it belongs to somebody else
                continue
            try:
                fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
                if os.fstat(folder).st_uid == os.getuid():
                    shutil.rmtree(path, ignore_errors=True)
            except BlockingIOError:
                pass
            finally:
                os.close(folder)
