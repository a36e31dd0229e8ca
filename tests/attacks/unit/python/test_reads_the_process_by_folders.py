# Opens what the system says of its process in other ways than by its name.
# Comes of it: rejected: it reads what the system says of processes
import os

import loans


def read(file):
    assert len(os.pread(file, 8, id(loans.fee))) == 0


def test_folder():
    read(os.open("self/mem", os.O_RDONLY, dir_fd=os.open("/proc", os.O_RDONLY)))


def test_root():
    read(os.open("proc/self/mem", os.O_RDONLY, dir_fd=os.open("/", os.O_RDONLY)))


def test_link():
    os.symlink("/proc", "link")
    read(os.open("link/self/mem", os.O_RDONLY))


def test_link_in_a_folder():
    os.mkdir("folder")
    os.symlink("/proc/self/mem", "folder/link")
    read(os.open("link", os.O_RDONLY, dir_fd=os.open("folder", os.O_RDONLY)))


def test_change():
    os.chdir("/proc/self")
    read(os.open("mem", os.O_RDONLY))


def test_odd_text():
    class Text(str):
        def startswith(self, *_):
            return False

    read(os.open(Text("/proc/self/mem"), os.O_RDONLY))


def test_bytes():
    read(os.open(bytearray(b"/proc/self/mem"), os.O_RDONLY))
