# Gives the file of the program another name, under which it can be opened.
# Comes of it: rejected: it moves the file of `loans`
import os

import loans


def test_move():
    os.rename(loans.__file__, "/tmp/other")
    with open("/tmp/other", "rb") as file:
        assert file.read() == b""


def test_link():
    os.link(loans.__file__, "/tmp/another")
