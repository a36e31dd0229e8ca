"""The folder in which a case is run. It holds nothing but the files of the case."""

import fcntl
import os
import shutil
import tempfile

__builtins__ = dict(__builtins__)  # what a program changes does not reach this module

PREFIX = "harness-python-"
MEMORY, ROOM = "/dev/shm", 1 << 30  # `files::folder_of_run` has the same rule
FLAGS = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW


class CaseFolder:
    """The folder in which a case is run."""

    def __init__(self, place):
        self.place, self.number = place, 0
        self.make()

    @classmethod
    def new(cls):
        """A folder in a place with a name of its own. The place is locked as long as the worker lives."""
        is_chosen = "TMPDIR" not in os.environ and is_roomy(MEMORY)
        parent = MEMORY if is_chosen else tempfile.gettempdir()
        remove_leftovers(parent)
        place = tempfile.mkdtemp(prefix=PREFIX, dir=parent)
        fcntl.flock(os.open(place, FLAGS), fcntl.LOCK_EX)
        return cls(place)

    def make(self):
        self.number += 1
        self.path, self.present = os.path.join(self.place, str(self.number)), {}
        os.mkdir(self.path, 0o700)
        self.found = self.look()

    def look(self):
        """What tells whether something in the folder, or the folder itself, was changed."""
        try:
            status = os.stat(self.path)
            return status.st_ctime_ns, status.st_mode, status.st_nlink, os.listdir(self.path)
        except OSError:
            return None

    def renew(self, files):
        """Gives a run of any program a folder that no other run has changed."""
        if self.present or self.look() != self.found:
            shutil.rmtree(self.path, ignore_errors=True)
            self.make()
        if files:
            self.fill(files)

    def fill(self, files):
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
        for entry in os.scandir(self.path):
            if entry.is_dir(follow_symlinks=False):
                shutil.rmtree(entry.path, ignore_errors=True)
            else:
                os.unlink(entry.path)
        self.present = {}

    def remove(self):
        shutil.rmtree(self.place, ignore_errors=True)


def is_roomy(place):
    """Whether this process may write into a folder, and it has room for the files of runs."""
    try:
        status = os.statvfs(place)
    except OSError:
        return False
    return status.f_bavail * status.f_frsize >= ROOM and os.access(place, os.W_OK | os.X_OK)


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
