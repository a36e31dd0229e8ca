//! Programs that are run by the Python worker and by processes.

/// Begins every program. With the argument `innocent`, it tells what an earlier run may have left behind.
pub(crate) const INNOCENT: &str = r#"
import sys
if sys.argv[1:] == ["innocent"]:
    import builtins, decimal, gc, os, random, threading, warnings
    print("innocent", int(input()) + 1, __name__, os.path.basename(__file__), len(sys.argv))
    print(os.listdir(), "LEFT" in os.environ)
    print(sys.getswitchinterval(), gc.get_threshold(), gc.get_debug(), len(gc.callbacks), sys.getdlopenflags())
    print(getattr(sys, "get_int_max_str_digits", int)(), sys.get_asyncgen_hooks(), sys.get_coroutine_origin_tracking_depth())
    print(sys.getrecursionlimit(), gc.isenabled(), decimal.getcontext().prec, sorted(globals()))
    print(sys.path[0] == os.path.dirname(__file__), sys.stdout.encoding, sys.stdout.isatty(), sys.stdin.isatty())
    print(threading.active_count(), print is builtins.print, hasattr(builtins, "left"), hasattr(sys, "left"))
    print(sys.excepthook is sys.__excepthook__, any(f[0] == "error" for f in warnings.filters))
    random.seed(5)
    print(random.random(), sys.stdin.read(), "left_module" in sys.modules)
    sys.exit(7)
"#;

/// Programs that one process can run again and again: a name, and the source.
pub(crate) const ORDINARY: &[(&str, &str)] = &[
    ("args", "print(sys.argv[1:], len(sys.argv))"),
    (
        "input",
        "print(input('? '), repr(input()), repr(input()), input())\ntry: input()\nexcept EOFError as e: print('EOF', e)",
    ),
    ("read", "print(repr(sys.stdin.read()), repr(sys.stdin.read()))"),
    ("lines", "for line in sys.stdin: print(repr(line))"),
    ("readline", "print(sys.stdin.readline(), sys.stdin.readlines())"),
    ("bytes in", "print(sys.stdin.buffer.peek(2)[:2], sys.stdin.buffer.read())"),
    ("raw in", "print(sys.stdin.buffer.raw.read(3), sys.stdin.buffer.readline())"),
    (
        "seek",
        "sys.stdin.read(); sys.stdin.seek(0); print(sys.stdin.read(), sys.stdin.seekable(), sys.stdout.seekable())",
    ),
    (
        "isatty",
        "print(sys.stdin.isatty(), sys.stdout.isatty(), sys.stdin.fileno(), sys.stdout.fileno(), sys.stderr.fileno())",
    ),
    (
        "bytes out",
        "sys.stdout.write('a'); sys.stdout.flush(); sys.stdout.buffer.write(b'\\xffb'); sys.stdout.buffer.raw.write(b'first')",
    ),
    ("order", "sys.stdout.write('a'); sys.stdout.buffer.write(b'b'); sys.stdout.flush()"),
    (
        "surrogates",
        "print(sys.stdin.encoding, sys.stdin.errors, sys.stdout.errors, sys.stderr.errors, ascii(sys.argv[2]))",
    ),
    ("unprintable", "print('\\ud800')"),
    ("newlines", "print('a\\r\\nb', end='\\r\\n')"),
    (
        "rewrap",
        "import io\nsys.stdout = io.TextIOWrapper(sys.stdout.buffer, encoding='latin-1')\nprint('ü')",
    ),
    (
        "detach",
        "import io\nsys.stdout = io.TextIOWrapper(sys.stdout.detach(), newline='\\r\\n')\nprint('ü')",
    ),
    ("reconfigure", "sys.stdout.reconfigure(newline='\\r\\n')\nprint('ü')"),
    (
        "stringio",
        "import io\nsys.stdout = io.StringIO()\nprint('lost')\nsys.__stdout__.write('kept')",
    ),
    ("close stdout", "print('a'); sys.stdout.close()"),
    ("print after close", "print('a'); sys.stdout.close(); print('b')"),
    ("no stdout", "print('a'); sys.stdout = None; print('b')"),
    ("del stdout", "print('a'); del sys.stdout; print('b')"),
    ("close stdin", "sys.stdin.close(); print(1); input()"),
    ("exit 3", "sys.exit(3)"),
    ("exit -1", "sys.exit(-1)"),
    ("exit 256", "print(1); sys.exit(256)"),
    ("exit true", "sys.exit(True)"),
    ("exit huge", "sys.exit(10**30)"),
    ("exit text", "sys.exit('text')"),
    ("exit none", "sys.exit(None)"),
    ("exit float", "sys.exit(2.0)"),
    ("exit tuple", "raise SystemExit(1, 2)"),
    ("quit", "quit(4)"),
    ("exit in finally", "try: 1 / 0\nfinally: sys.exit(9)"),
    ("exception", "print('before'); 1 / 0"),
    ("exception group of causes", "try: 1 / 0\nexcept Exception as e: raise KeyError('x') from e"),
    ("assert", "assert False, 'no'"),
    ("interrupt", "raise KeyboardInterrupt"),
    ("bad exception", "class E(Exception):\n    def __str__(self): raise ValueError\nraise E"),
    ("excepthook", "sys.excepthook = lambda *a: print('hook', a[0].__name__)\n1 / 0"),
    ("bad excepthook", "sys.excepthook = lambda *a: 1 / 0\n{}['x']"),
    (
        "traceback",
        "import traceback\ndef f(): 1 / 0\ntry: f()\nexcept Exception: print(traceback.format_exc())",
    ),
    (
        "stack",
        "import traceback\ndef f():\n    print([s.name for s in traceback.extract_tb(sys.exc_info()[2])])\ntry: 1 / 0\nexcept Exception: f()",
    ),
    ("memory text", "sys.stderr.write('MemoryError: no'); sys.exit(2)"),
    ("memory error", "raise MemoryError"),
    ("recursion", "def f(n): return f(n + 1)\nf(0)"),
    ("deep", "sys.setrecursionlimit(10000)\ndef f(n): return n and 1 + f(n - 1)\nprint(f(9000))"),
    ("bad limit", "sys.setrecursionlimit(-1)"),
    (
        "atexit",
        "import atexit\natexit.register(print, 'one')\natexit.register(print, 'two')\nprint('main')",
    ),
    (
        "atexit fails",
        "import atexit\natexit.register(lambda: 1 / 0)\natexit.register(print, 'two')\nsys.exit(3)",
    ),
    ("atexit exits", "import atexit\natexit.register(sys.exit, 4)\nprint('main')"),
    (
        "del",
        "class C:\n    def __del__(self): print('gone', len(str(self.__class__)))\nc = C()\nc.me = c\nprint('end')",
    ),
    (
        "generator left",
        "def g():\n    try: yield 1\n    finally: print('closed')\nx = g(); next(x)\nprint('end')",
    ),
    (
        "cycle left",
        "class C: pass\ndef g(c):\n    try: yield 1\n    finally: print('closed')\nc = C(); c.g = g(c); next(c.g)\nc = None\nprint('end')",
    ),
    (
        "finalize",
        "import weakref\nclass C: pass\nc = C()\nweakref.finalize(c, print, 'finalized')\nprint('end')",
    ),
    (
        "generators",
        "def g(n):\n    for i in range(n): yield i\nprint(list(g(5)), sum(x * y for x in g(4) for y in g(3) if x))",
    ),
    (
        "comprehensions",
        "print([x for x in range(5)], {x for x in 'ab' if x > 'a'}, {x: y for x in 'ab' for y in 'c'}, (lambda a, *b: a)(1))",
    ),
    (
        "docstrings",
        "def f():\n    'text'\ndef g():\n    'text'\n    return 1\nprint(f.__doc__, g.__doc__, f(), g(), (lambda: None)())",
    ),
    (
        "lines of tracebacks",
        "def f(x):\n    for i in range(3):\n        y = [1 // (i - 1) for _ in 'a']\n    return x\ntry: f(1)\nexcept Exception as e:\n    t = e.__traceback__\n    while t: print(t.tb_lineno); t = t.tb_next",
    ),
    (
        "classes",
        "class C:\n    x = [i for i in range(3)]\n    def f(self): return __class__.__name__\nprint(C().f(), C.x)",
    ),
    (
        "async",
        "async def f():\n    return [x async for x in g()]\nasync def g():\n    for i in range(3): yield i\nc = f()\ntry: c.send(None)\nexcept StopIteration as e: print(e.value)",
    ),
    (
        "stop iteration",
        "class I:\n    def __iter__(self): return self\n    n = 0\n    def __next__(self):\n        self.n += 1\n        if self.n > 3: raise StopIteration\n        return self.n\nprint(list(I()))",
    ),
    ("exec", "exec('for i in range(3): print(i)'); print(eval('1 + 1'))"),
    ("globals", "print(sorted(globals()), __name__, __doc__, __spec__, __package__)"),
    (
        "main module",
        "import __main__\n__main__.x = 5\nprint(x, sys.modules['__main__'] is __main__)",
    ),
    ("pickle", "import pickle\nclass C: pass\nprint(type(pickle.loads(pickle.dumps(C()))) is C)"),
    (
        "dataclass",
        "from dataclasses import dataclass\n@dataclass\nclass P:\n    x: int\n    y: int = 2\nprint(P(1), P(1) == P(1, 2))",
    ),
    ("annotations", "x: int = 3\ndef f(a: str): pass\nprint(__annotations__, f.__annotations__)"),
    (
        "argparse",
        "import argparse\np = argparse.ArgumentParser()\np.add_argument('-x', action='store_true')\np.add_argument('rest')\nprint(p.parse_args())",
    ),
    ("argparse fails", "import argparse\nargparse.ArgumentParser().parse_args()"),
    (
        "libraries",
        "import collections, heapq, itertools, functools, re, string, json, math, copy, bisect, textwrap, queue\nprint(json.dumps({'a': [1, 2]}), re.findall('a+', 'aaba'), math.isqrt(17), heapq.heappop([1, 2]))",
    ),
    ("decimal", "import decimal\ndecimal.getcontext().prec = 50\nprint(decimal.Decimal(1) / 3)"),
    ("random", "import random\nrandom.seed(1)\nprint(random.random(), random.sample(range(9), 3))"),
    (
        "environment",
        "import os\nprint(os.environ.get('LEFT'))\nos.environ['LEFT'] = '1'\ndel os.environ['PATH']\nprint(os.getenv('SUBJECT_WORKER'), os.getenv('SUBJECT_ENGINE'))",
    ),
    ("folder", "import os\nos.chdir('/')\nprint(os.getcwd())"),
    (
        "path",
        "sys.path.insert(0, '/nowhere'); sys.path.append('x'); sys.left = 1; print(sys.path[0])",
    ),
    ("path replaced", "sys.path = []; sys.argv = None; print(len(sys.path))"),
    (
        "modules",
        "import types\nsys.modules['left_module'] = types.ModuleType('left_module')\nimport left_module\nprint(left_module)",
    ),
    ("modules replaced", "sys.modules = {}\nprint(1)"),
    ("modules gone", "sys.modules.clear()\nprint(1)"),
    (
        "builtins",
        "import builtins\nbuiltins.print('a')\nbuiltins.left = 1\nold = builtins.print\nbuiltins.print = lambda *a: old('mine', *a)\nbuiltins.len = None\nprint(left)",
    ),
    ("builtins gone", "import builtins\np = print\nvars(builtins).pop('len')\np(1)"),
    ("warnings", "import warnings\nwarnings.simplefilter('error')\nwarnings.warn('x')"),
    ("gc", "import gc\ngc.disable()\nprint(gc.isenabled())"),
    ("digits", "print(len(str(10 ** 4000)))"),
    ("mutable default", "def f(found=[]):\n    found.append(1)\n    return found\nf(); print(f())"),
    ("function attribute", "def f(): f.n = getattr(f, 'n', 0) + 1; return f.n\nprint(f(), f())"),
    (
        "cache",
        "import functools\n@functools.lru_cache(None)\ndef f(n): return n < 2 or f(n - 1) + f(n - 2)\nprint(f(80), f.cache_info())",
    ),
    ("sleep", "import time\ntime.sleep(0.01)\nprint(1)"),
    (
        "read course file",
        "import os\nprint(len(open(__file__).read()), os.path.exists('program.py'))",
    ),
    ("missing file", "open('missing')"),
    (
        "settings",
        "import gc\nsys.setswitchinterval(0.5); gc.set_threshold(7, 8, 9); gc.set_debug(gc.DEBUG_STATS & 0 | 32)\ngc.callbacks.append(print.__class__); gc.callbacks.clear(); gc.callbacks.append(lambda *_: None)\nsys.set_asyncgen_hooks(print, print); sys.set_coroutine_origin_tracking_depth(3); sys.setdlopenflags(1)\ngetattr(sys, 'set_int_max_str_digits', int)(5000)",
    ),
    ("folder's entries", "import os\nprint(os.listdir(), os.path.exists('other'))"),
    ("null", "import os\nopen(os.devnull, 'w').write('x')\nprint(open('/dev/null').read())"),
    (
        "subject",
        "from subject import bug\nimport subject\nprint(bug('a'), bug('b'), bug is subject.bug)\nsubject.bug = None",
    ),
    ("id and hash", "print(hash(3), hash((1, 2)), type(id(3)))"),
    (
        "many threads imported",
        "import threading, concurrent.futures\nprint(threading.current_thread().name)",
    ),
    (
        "cut in finally",
        "try:\n    try: raise ValueError\n    finally: print('x')\nexcept ValueError: print('y')",
    ),
    (
        "logging",
        "import logging, sys\nlogging.basicConfig(stream=sys.stdout)\nlogging.warning('x')",
    ),
    ("abort", "import os\nprint('a')\nos.abort()"),
];

/// Programs that tell how deep they are in the stack.
pub(crate) const DEPTHS: &[(&str, &str)] = &[
    (
        "recursion depth",
        "def f(n):\n    global d\n    d = n\n    f(n + 1)\ntry: f(1)\nexcept RecursionError: print(d)",
    ),
    (
        "recursion limit",
        "sys.setrecursionlimit(3000)\ndef f(n):\n    global d\n    d = n\n    f(n + 1)\ntry: f(1)\nexcept RecursionError: print(d, sys.getrecursionlimit())",
    ),
];

/// Programs that need a process for each run: a name, and the source.
pub(crate) const ONLY_IN_PROCESSES: &[(&str, &str)] = &[
    ("time zone", "import os, time\nos.environ['TZ'] = 'XYZ3'\ntime.tzset()\nprint(time.tzname)"),
    ("setattr", "import math\nsetattr(math, 'pi', 3)\nprint(math.pi)"),
    (
        "thread",
        "import threading\nt = threading.Thread(target=print, args=(1,))\nt.start(); t.join()",
    ),
    (
        "thread left",
        "import threading, time\ndef f():\n    time.sleep(0.05); print('late')\nthreading.Thread(target=f).start()\nprint('main')",
    ),
    (
        "big stack",
        "import sys, threading\nthreading.stack_size(1 << 26)\nsys.setrecursionlimit(1 << 20)\ndef f(n): return n and 1 + f(n - 1)\nt = threading.Thread(target=lambda: print(f(20000)))\nt.start(); t.join()",
    ),
    ("low thread", "import _thread, time\n_thread.start_new_thread(print, (1,)); time.sleep(0.05)"),
    (
        "pool",
        "from concurrent.futures import ThreadPoolExecutor\nwith ThreadPoolExecutor() as e: print(list(e.map(abs, [-1])))",
    ),
    (
        "fork",
        "import os\nif os.fork() == 0:\n    print('child')\n    os._exit(0)\nos.wait(); print('parent')",
    ),
    (
        "subprocess",
        "import subprocess\nprint(subprocess.run(['echo', 'a'], capture_output=True).stdout)",
    ),
    ("child's output", "import subprocess\nsubprocess.run(['echo', 'a'])"),
    ("system", "import os\nos.system('exit 3'); print(1)"),
    ("popen", "import os\nprint(os.popen('echo a').read())"),
    ("_exit", "import os\nprint('lost')\nos._exit(5)"),
    ("_exit flushed", "import os, sys\nprint('kept', flush=True)\nos._exit(0)"),
    ("kill itself", "import os\nos.kill(os.getpid(), 9)"),
    ("close 1", "import os\nos.close(1)\nprint(1)"),
    ("low read", "import os\nprint(os.read(0, 10))"),
    ("low write", "import os\nos.write(1, b'a')\nprint('b')"),
    ("size of input", "import os\nprint(os.fstat(0).st_size)"),
    ("open 0", "print(open(0).read())"),
    ("open 1", "open(1, 'w').write('a')"),
    ("fdopen", "import os\nprint(os.fdopen(0).read())"),
    ("dev stdin", "print(open('/dev/stdin').read())"),
    ("dev fd", "open('/dev/fd/1', 'w').write('a')"),
    ("dup2", "import os\nos.dup2(2, 1)\nprint('gone')"),
    ("signal", "import signal\nsignal.signal(signal.SIGPIPE, signal.SIG_DFL)\nprint(1)"),
    (
        "alarm",
        "import signal\nsignal.setitimer(signal.ITIMER_REAL, 0.01)\nimport time\ntime.sleep(1)",
    ),
    ("socket", "import socket\ns = socket.socketpair()\ns[0].send(b'a'); print(s[1].recv(1))"),
    ("ctypes", "import ctypes\nprint(ctypes.sizeof(ctypes.c_int))"),
    ("wild pointer", "import ctypes\nctypes.string_at(1)"),
    ("asyncio", "import asyncio\nasync def f(): print(1)\nasyncio.run(f())"),
    ("library changed", "import math\nmath.pi = 3\nprint(math.pi)"),
    (
        "class of a library changed",
        "from decimal import DefaultContext\nDefaultContext.prec = 3\nprint(DefaultContext.prec)",
    ),
    ("trace", "import sys\nsys.settrace(lambda *a: None)\nprint(1)"),
    ("locale", "import locale\nlocale.setlocale(locale.LC_ALL, 'C')\nprint(1)"),
    ("limits", "import resource\nprint(resource.getrlimit(resource.RLIMIT_CORE)[0] <= 1)"),
    ("temporary file", "import tempfile\nprint(tempfile.TemporaryFile().name is None)"),
    (
        "multiprocessing",
        "import multiprocessing\nprint(multiprocessing.get_context('fork').Pool(1).map(abs, [-1]))",
    ),
];

use subject::End;

/// Programs that a limit must end: a name, the source, and their end.
pub(crate) const ENDLESS: &[(&str, &str, End)] = &[
    ("while", "while True: pass", End::Timeout),
    ("for", "import itertools\nfor i in itertools.count(): pass", End::Timeout),
    ("comprehension", "import itertools\n[0 for i in itertools.count()]", End::Timeout),
    ("generator", "import itertools\nsum(0 for i in itertools.count())", End::Timeout),
    ("lambda", "import itertools\nlist(map(lambda i: 0, itertools.count()))", End::Timeout),
    ("calls", "def f(n):\n    if n: f(n - 1); f(n - 1)\nf(60)", End::Timeout),
    (
        "next",
        "class I:\n    def __iter__(self): return self\n    def __next__(self): return 1\nsum(I())",
        End::Timeout,
    ),
    (
        "catches all",
        "while True:\n    try:\n        while True: pass\n    except BaseException: pass",
        End::Timeout,
    ),
    (
        "finally",
        "def f():\n    while True:\n        try: pass\n        finally: continue\nf()",
        End::Timeout,
    ),
    (
        "exits",
        "while True:\n    try:\n        while True: pass\n    except BaseException: sys.exit(0)",
        End::Timeout,
    ),
    ("exec", "exec('while True: pass')", End::Timeout),
    ("in C", "import itertools\nsum(itertools.repeat(0))", End::Timeout),
    ("sum in C", "sum(range(10 ** 12))", End::Timeout),
    ("list in C", "import itertools\nlist(itertools.count())", End::Memory),
    ("endless generator", "def g():\n    while True: yield 1\nfor x in g(): pass", End::Timeout),
    ("recursion", "def f(): f()\nf()", End::Exit(1)),
    ("recursion in finally", "def f():\n    try: f()\n    finally: f()\nf()", End::Timeout),
    ("big number", "10 ** 10 ** 8 % 7", End::Timeout),
    ("sleep", "import time\ntime.sleep(100)", End::Timeout),
    ("atexit", "import atexit\n@atexit.register\ndef f():\n    while True: pass", End::Timeout),
    ("del", "class C:\n    def __del__(self):\n        while True: pass\nc = C()", End::Timeout),
    ("memory", "x = bytearray(1 << 40)", End::Memory),
    ("memory step by step", "x = []\nwhile True: x.append(bytes(1 << 24))", End::Memory),
    ("flood", "while True: print('x' * 1000)", End::OutputLimit),
    ("one large line", "print('x' * (1 << 20))", End::OutputLimit),
    (
        "flood that catches all",
        "while True:\n    try: print('x' * 1000)\n    except BaseException: pass",
        End::OutputLimit,
    ),
    ("flood of errors", "while True: sys.stderr.write('x' * 1000)", End::OutputLimit),
];
