# Lets another interpreter read the program.
# Comes of it: rejected: it starts another program
import os
import subprocess
import sys

import loans


def test_subprocess():
    text = subprocess.run([sys.executable, "-c", f"print(open({loans.__file__!r}, 'rb').read())"], capture_output=True).stdout
    assert text == b""


def test_system():
    assert os.system("cat " + loans.__file__) == 1
