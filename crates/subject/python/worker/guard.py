"""What a run must not do, because it cannot be undone."""

import _locale
import _signal
import _thread
import functools
import os
import posix
import sys
import time

from wire import unfit
__builtins__ = dict(__builtins__)  # what a program changes does not reach this module


class Guard:
    """Watches a run for what neither memory nor a fresh namespace can undo."""

    REFUSED = {
        posix: "_exit close closerange dup dup2 read readv write writev pread preadv pwrite pwritev "
        "fstat lseek ftruncate fsync sendfile splice copy_file_range pipe pipe2 openpty login_tty umask nice setpgid setsid "
        "setpriority sched_setaffinity setuid setgid chroot fchdir memfd_create eventfd",
        _signal: "signal alarm setitimer pthread_sigmask set_wakeup_fd siginterrupt raise_signal",
        _locale: "setlocale",
        time: "tzset",
        _thread: "start_new_thread start_new start_joinable_thread interrupt_main",
    }
    MODULES = {"_ctypes", "_socket", "_posixsubprocess", "_multiprocessing", "faulthandler",
               "resource", "fcntl", "termios", "tracemalloc", "readline"}
    FILES = {"os.mkdir", "os.rmdir", "os.remove", "os.rename", "os.link", "os.truncate", "os.chmod",
             "os.utime"}
    PREFIXES = {"ctypes", "socket", "subprocess", "fcntl", "pty", "resource", "signal", "_thread"}
    EVENTS = {"os.fork", "os.forkpty", "os.system", "os.exec", "os.posix_spawn", "os.spawn",
              "os.kill", "os.killpg", "os.symlink", "os.chown", "os.lchown", "os.setxattr",
              "sys.settrace", "sys.setprofile", "sys.addaudithook", "mmap.__new__",
              "os.startfile"}
    WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
    DEVICES = {"/dev/null", "/dev/urandom", "/dev/random", "/dev/zero"}

    def __init__(self):
        self.active = False
        self.folder = None  # the folder in which the run may write
        self.moved = self.wrote = self.environ = False
        originals = {}
        for module, names in self.REFUSED.items():
            for name in names.split():
                if hasattr(module, name):
                    originals[id(getattr(module, name))] = self.refusal(name, getattr(module, name))
        for module in list(sys.modules.values()):
            for name, value in list(vars(module).items()):
                if id(value) in originals:
                    setattr(module, name, originals[id(value)])
        sys.addaudithook(self.see)

    def refusal(self, name, original):
        @functools.wraps(original)
        def refused(*args, **kwargs):
            if self.active:
                unfit("it calls `%s`" % name)
            return original(*args, **kwargs)

        return refused

    def see(self, event, args):
        if not self.active:
            return
        if event == "open":
            self.see_open(*args)
        elif event == "import":
            self.see_import(args[0], args[1])
        elif event == "os.chdir":
            self.moved = True
        elif event in ("os.putenv", "os.unsetenv"):
            self.environ = True
        elif event in self.FILES:
            self.wrote = True
            for path in args:
                if isinstance(path, (str, bytes)):
                    self.check_written(path)
        elif event in self.EVENTS or event.partition(".")[0] in self.PREFIXES:
            unfit("it does `%s`" % event)

    def see_open(self, path, mode, flags):
        if isinstance(path, int):
            unfit("it opens the descriptor %d" % path)
        path = os.path.abspath(os.fsdecode(path))
        if path in self.DEVICES:
            return
        if path.startswith(("/dev/", "/proc/")) and not self.is_of_case(path):
            unfit("it opens `%s`" % path)
        if (flags or 0) & self.WRITES:
            self.wrote = True
            self.check_written(path)

    def check_written(self, path):
        path = os.path.abspath(os.fsdecode(path))
        if not self.is_of_case(path):
            unfit("it changes `%s`" % path)

    def is_of_case(self, path):
        return self.folder is not None and path.startswith(self.folder + os.sep)

    def see_import(self, name, file):
        if name in self.MODULES:
            unfit("it imports `%s`" % name)
        if file and file.endswith(".so") and os.path.dirname(os.__file__) not in file:
            unfit("it loads `%s`" % file)
        if file and ("site-packages" in file or "dist-packages" in file):
            unfit("it loads `%s`" % file)
