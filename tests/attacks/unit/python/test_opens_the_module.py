# Opens the file of the program.
# Comes of it: rejected: it opens the file of `loans` | rejected: it moves the file of `loans`
import os
import pathlib

import loans


def test_open():
    with open(loans.__file__, "rb") as file:
        assert file.read() == b""


def test_linked():
    link = "/tmp/other"
    os.symlink(loans.__file__, link)
    assert pathlib.Path(link).read_bytes() == b""


def test_opened_in_a_thread():
    import threading
    thread = threading.Thread(target=open, args=(loans.__file__, "rb"))
    thread.start()
    thread.join()
