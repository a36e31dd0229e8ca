# Stops what runs it.
# Comes of it: nothing
import os
import signal


def test_parent():
    os.kill(os.getppid(), signal.SIGSTOP)
