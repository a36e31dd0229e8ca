# Ends what runs it.
# Comes of it: rejected: it crashes on a right program | rejected: it does not end on a right program
import os
import signal


def test_parent():
    os.kill(os.getppid(), signal.SIGKILL)
    os.kill(os.getpid(), signal.SIGKILL)
