"""Runs one Python program on many cases: python3 worker/__main__.py PROGRAM.py

The harness starts this file and talks to it over standard input and output (`subject::wire` defines
the frames). A supervisor forks a server, which answers requests: it runs the program's compiled code
in a fresh `__main__`, with its streams in memory. What a run leaves behind is restored, or makes the
program unfit for this engine. If a run kills or hangs the server, the supervisor notes how that run
ended and forks the next server, which answers the same request again without that run.

With SUBJECT_ENGINE=fork, each run has a process of its own instead.
"""

import program  # comes first, because it notes which modules a new process has

import os
import resource
import sys

from folder import CaseFolder
from fork import Forks
from supervisor import Shared, guarded, serve, supervise
from wire import OTHER_VERSION, VERSION, Frame, Hello, Pipes, read_frame


def limit_memory(most):
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    most = min(most, hard) if hard != resource.RLIM_INFINITY else most
    resource.setrlimit(resource.RLIMIT_AS, (most, hard))


def main():
    version = os.environ.pop("SUBJECT_WORKER", "none")
    if version != VERSION:
        sys.exit("%s%s, not %s" % (OTHER_VERSION, VERSION, version))
    is_fork = os.environ.pop("SUBJECT_ENGINE", "") == "fork"
    Pipes.move()
    first = read_frame(Pipes.stdin)
    if first is None:
        return 0
    hello = Hello(Frame(first))
    limit_memory(hello.memory)
    folder = CaseFolder.new()
    if is_fork:
        status = serve(Forks(hello, folder), lambda: read_frame(Pipes.stdin), hello)
    else:
        status = supervise(hello, Shared(), folder)
    folder.remove()
    return status


guarded(main)
