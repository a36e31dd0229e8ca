# Verdict: wrong, timeout
# Leaves a process that keeps both pipes open, and ends.
import os
import time

if os.fork() == 0:
    os.setsid()
    time.sleep(1000)
