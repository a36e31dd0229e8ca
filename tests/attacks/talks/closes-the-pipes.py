# Verdict: wrong, timeout
# Closes what the interactor reads and writes, and goes on.
import os
import time

os.close(0)
os.close(1)
time.sleep(1000)
