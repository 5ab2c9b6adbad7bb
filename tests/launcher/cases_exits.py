"""Command lines: how programs end."""

from support import Case


def program(name: str, text: str, *options: str, **env: str) -> Case:
    """A case that runs a script, so that tracebacks show its lines."""
    return Case(f"exit_{name}", [*options, "s.py"], files={"s.py": text}, env=env)


def command(name: str, text: str, shell: str = "") -> Case:
    """A case that runs a script from the shell, which sees its status."""
    return Case(f"exit_{name}", shell=shell, files={"s.py": text})


CHAIN = """
def inner(d):
    return d['missing']
try:
    inner({})
except KeyError as error:
    raise ValueError('outer') from error
"""
GROUP = """
raise ExceptionGroup('several', [ValueError(1), TypeError('x')])
"""
AT_EXIT = """
import atexit, threading, time
atexit.register(print, 'registered first')
@atexit.register
def fails():
    raise RuntimeError('at exit')
class Noisy:
    def __del__(self):
        raise ValueError('in __del__')
def work():
    time.sleep(0.1)
    print('thread done')
threading.Thread(target=work).start()
Noisy()
print('main done')
"""
HOOKS = """
import sys, threading
sys.excepthook = lambda *error: print('hook', error[0], error[1])
threading.excepthook = lambda error: print('thread hook', error.exc_value)
thread = threading.Thread(target=lambda: 1 / 0)
thread.start()
thread.join()
raise ValueError('seen by the hook')
"""
HANDLED = """
import os, signal, sys
def handler(number, frame):
    print('handled', signal.Signals(number).name, frame.f_lineno)
signal.signal(signal.SIGUSR1, handler)
os.kill(os.getpid(), signal.SIGUSR1)
try:
    signal.raise_signal(signal.SIGINT)
except KeyboardInterrupt as error:
    print('caught', repr(error))
"""
RECURSION = """
import sys
depth = 0
def deeper():
    global depth
    depth += 1
    deeper()
try:
    deeper()
except RecursionError as error:
    print(error, depth)
deeper()
"""

CASES = [
    program("status", "import sys; sys.exit(7)"),
    program("message", "import sys; sys.exit('a message')"),
    program("none", "raise SystemExit"),
    program("large", "raise SystemExit(256 + 5)"),
    program("negative", "raise SystemExit(-1)"),
    program("object", "raise SystemExit([1, 2])"),
    program("at_once", "import os; print('lost?'); os._exit(3)"),
    program(
        "in_thread",
        "import threading, sys; t = threading.Thread(target=lambda: sys.exit(4)); t.start(); t.join(); print(1)",
    ),
    program("exception", "def f(x):\n    return x / 0\n\nf(1)\n"),
    program("chain", CHAIN),
    program("group", GROUP),
    program("note", "error = ValueError('x')\nerror.add_note('a note')\nraise error\n"),
    program("syntax", "def f(:\n    pass\n"),
    program("indentation", "if 1:\nx = 1\n"),
    Case("exit_syntax_command", ["-c", "1 +"]),
    program("import", "import nowhere_at_all"),
    program("import_from", "from os import nothing_like_that"),
    program("import_relative", "from . import x"),
    program("name", "prin('x')"),
    program("attribute", "import sys; sys.exitt"),
    program("at_exit", AT_EXIT),
    program("hooks", HOOKS),
    program("warning", "import warnings\ndef f():\n    warnings.warn('careful', stacklevel=2)\nf()\n"),
    program("warning_as_error", "import warnings; warnings.warn('careful')", "-W", "error"),
    program("unclosed", "f = open('s.py'); del f", "-X", "dev"),
    program("deprecated", "'\\d'\nimport imp"),
    program("assertion", "assert 1 == 2, 'unequal'"),
    program("recursion", RECURSION),
    program("memory", "x = [0] * (1 << 60)"),
    program("overflow", "float(10 ** 400)"),
    program("digits", "str(10 ** 5000)"),
    program("interrupt", "raise KeyboardInterrupt"),
    program("signal_interrupt", "import os, signal; os.kill(os.getpid(), signal.SIGINT); input()"),
    program("signal_terminate", "import os, signal; print('x', flush=True); os.kill(os.getpid(), signal.SIGTERM)"),
    program("signal_kill", "import os, signal; os.kill(os.getpid(), signal.SIGKILL)"),
    program("signal_handled", HANDLED),
    program("abort", "import os; os.abort()"),
    program("abort_explained", "import os\ndef f():\n    os.abort()\nf()\n", "-X", "faulthandler"),
    program("segfault", "import faulthandler; faulthandler._sigsegv()", PYTHONFAULTHANDLER="1"),
    command("broken_pipe", "for i in range(100000): print(i)", "$EXE s.py | head -1"),
    command("full_disk", "print('x')", "$EXE s.py >/dev/full"),
    command("full_disk_flushed", "print('x', flush=True)", "$EXE s.py >/dev/full"),
    command("no_stdout", "import sys; print(sys.stdout)\nprint(1)", "$EXE s.py >&-"),
    command("no_stdin", "import sys; print(sys.stdin)", "$EXE s.py <&-"),
    command("no_stderr", "import sys; print(sys.stderr)\n1/0", "$EXE s.py 2>&-"),
    command("stdin_is_folder", "", "$EXE < /"),
    command("shell_status", "import signal; signal.raise_signal(signal.SIGINT)", "$EXE s.py; echo $?"),
    Case("exit_stdout_closed", ["-c", "import sys; sys.stdout.close(); print(1)"]),
]
