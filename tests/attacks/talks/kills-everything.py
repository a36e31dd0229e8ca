# Verdict: wrong, crash, timeout
# Ends every process that it may, and the interactor if that is one of them.
import os
import signal

os.kill(-1, signal.SIGKILL)
print(1, flush=True)
