"""Command lines: scripts, packages, archives, standard input, and the processes that programs start."""

from support import Case

SHOW = """
import sys
print(__name__, globals().get('__file__'), __spec__, __package__, sys.argv, sys.path[0], sys.orig_argv)
"""
PACKAGE = {
    "pkg/__init__.py": "print('init', __name__)\n",
    "pkg/__main__.py": SHOW,
    "pkg/sub.py": SHOW + "from . import part\n",
    "pkg/part.py": "print(__name__, __package__)\n",
}
MAKE_ARCHIVE = "$EXE -m zipfile -c app.zip __main__.py helper.py >/dev/null && "
ARCHIVE = {"__main__.py": SHOW + "import helper\n", "helper.py": "print(__name__, __file__, __loader__.__class__)\n"}
POOL = """
import multiprocessing, os, sys
def work(x):
    return x * x, os.path.samefile('/proc/self/exe', sys.executable), __name__, sys.argv
if __name__ == '__main__':
    multiprocessing.set_start_method(METHOD)
    with multiprocessing.Pool(2) as pool:
        print(pool.map(work, range(3)), sys.argv)
"""
EXECUTOR = """
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
def double(x):
    return 2 * x
if __name__ == '__main__':
    for kind in ThreadPoolExecutor, ProcessPoolExecutor:
        with kind(2) as executor:
            print(list(executor.map(double, range(4))))
"""
CHILD = '''
import subprocess, sys
program = """
import os, sys
print(os.path.samefile('/proc/self/exe', sys.executable), sys.flags, sys._xoptions, sys.warnoptions)
"""
options = subprocess._args_from_interpreter_flags()
print(options, subprocess.run([sys.executable, *options, '-c', program], capture_output=True, text=True, env={}))
'''
FORK = """
import os, sys
print('before', flush=True)
child = os.fork()
if child == 0:
    print('child', sys.executable, flush=True)
    os._exit(5)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""
TERMINAL = """
import os, pty, select, sys
child, terminal = pty.fork()
if child == 0:
    os.execve(os.environ['EXE'], [os.environ['EXE'], '-q'], dict(os.environ, PYTHONSTARTUP=''))
for line in b'x = 41\\n', b'x + 1\\n', b'def f():\\n', b'    return undefined\\n', b'\\n', b'f()\\n', b'exit(3)\\n':
    seen = b''
    while not seen.endswith((b'>>> ', b'... ')) and select.select([terminal], [], [], 20)[0]:
        seen += os.read(terminal, 1000)
    print(seen)
    os.write(terminal, line)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""

CASES = [
    Case("script", ["s.py", "a", "b c"], files={"s.py": SHOW}),
    Case(
        "script_in_folder", ["sub/s.py"], files={"sub/s.py": SHOW + "import near\n", "sub/near.py": "print(__file__)\n"}
    ),
    Case("script_by_dots", ["./sub/../s.py"], files={"s.py": SHOW, "sub/x": ""}),
    Case("script_isolated", ["-I", "s.py"], files={"s.py": SHOW}),
    Case("script_missing", ["nowhere.py"]),
    Case("script_unreadable", ["s.py/x.py"], files={"s.py": SHOW}),
    Case("script_with_bom", ["s.py"], files={"s.py": b"\xef\xbb\xbfprint('\xe2\x82\xac')\n"}),
    Case("script_with_cookie", ["s.py"], files={"s.py": b"# coding: latin-1\nprint(ascii('\xe4'))\n"}),
    Case("script_badly_encoded", ["s.py"], files={"s.py": b"x = '\xe4'\n"}),
    Case("script_with_nul", ["s.py"], files={"s.py": b"x = 1\0\n"}),
    Case(
        "script_compiled",
        shell="$EXE -c \"import py_compile; py_compile.compile('s.py', 's.pyc')\" && $EXE s.pyc a",
        files={"s.py": SHOW},
    ),
    Case(
        "script_from_fifo",
        shell="cat s.py | $EXE /dev/stdin a",
        files={"s.py": "import sys; print(sys.argv, __file__)\n"},
    ),
    Case("shebang", shell="./s.py a b", files={"s.py": "#!$EXE\n" + SHOW}),
    Case("shebang_option", shell="./s.py a", files={"s.py": "#!$EXE -IO\nprint(__debug__)\n" + SHOW}),
    Case(
        "by_name_along_path",
        shell="PATH=$(dirname $EXE):$PATH; $(basename $EXE) -c 'import sys; print(sys.executable)'",
    ),
    Case(
        "by_relative_path",
        shell="ln -s $EXE interpreter; ./interpreter -c 'import sys; print(sys.executable, sys.prefix)'",
    ),
    Case("folder", ["pkg"], files=PACKAGE),
    Case("folder_without_main", ["pkg"], files={"pkg/x.py": ""}),
    Case("module", ["-m", "mod", "a"], files={"mod.py": SHOW}),
    Case("package", ["-m", "pkg", "a"], files=PACKAGE),
    Case("submodule", ["-m", "pkg.sub", "a"], files=PACKAGE),
    Case("package_without_main", ["-m", "pkg"], files={"pkg/__init__.py": ""}),
    Case("module_missing", ["-m", "nowhere"]),
    Case("submodule_missing", ["-m", "pkg.nowhere"], files=PACKAGE),
    Case(
        "module_that_fails", ["-m", "pkg"], files={"pkg/__init__.py": "", "pkg/__main__.py": "import nowhere_at_all\n"}
    ),
    Case("archive", shell=MAKE_ARCHIVE + "$EXE app.zip a", files=ARCHIVE),
    Case("archive_isolated", shell=MAKE_ARCHIVE + "$EXE -I app.zip a", files=ARCHIVE),
    Case("zipapp", shell="mkdir app; mv *.py app; $EXE -m zipapp app -p $EXE && ./app.pyz a", files=ARCHIVE),
    Case("command_with_lines", ["-c", "import sys\nfor i in range(2):\n    print(i, sys.argv)\n", "a"]),
    Case("command_indented", ["-c", "  print(1)\n  print(2)\n"]),
    Case("stdin", [], stdin="import sys\nprint(sys.argv, __name__)\nprint(sys.stdin.read())\n"),
    Case("stdin_dash", ["-", "a"], stdin=SHOW),
    Case("stdin_is_data", ["-c", "import sys; print([line for line in sys.stdin], input.__name__)"], stdin="one\ntwo"),
    Case("stdin_input", ["-c", "print(input('? '), input())"], stdin="one\ntwo\n"),
    Case("stdin_ends", ["-c", "input()"], stdin=""),
    Case("interactive_command", ["-i", "-q", "-c", "x = 5"], stdin="print(x)\n1/0\nx\n"),
    Case("interactive_script", ["-i", "s.py"], stdin="print(x)\n", files={"s.py": "x = 6\nraise ValueError(x)\n"}),
    Case("interactive_variable", ["-c", "x = 7"], stdin="print(x)\n", env={"PYTHONINSPECT": "1"}),
    Case(
        "startup_file",
        ["-i", "-q"],
        stdin="print(y)\n",
        files={"start.py": "y = 8\n"},
        env={"PYTHONSTARTUP": "$FOLDER/start.py"},
    ),
    Case(
        "site_customised",
        ["-c", "print(1)"],
        files={"sitecustomize.py": "print('site')\n"},
        env={"PYTHONPATH": "$FOLDER"},
    ),
    Case("terminal", shell="$EXE t.py", files={"t.py": TERMINAL}),
    Case("child", ["-X", "dev", "-W", "error", "-O", "-c", CHILD]),
    Case("fork", ["-c", FORK]),
    Case("pool_fork", ["s.py", "a"], files={"s.py": POOL.replace("METHOD", "'fork'")}),
    Case("pool_spawn", ["s.py", "a"], files={"s.py": POOL.replace("METHOD", "'spawn'")}),
    Case("pool_forkserver", ["s.py", "a"], files={"s.py": POOL.replace("METHOD", "'forkserver'")}),
    Case("executors", ["s.py"], files={"s.py": EXECUTOR}),
    Case("own_kiln", ["-c", "import kiln; print(kiln.x, kiln.__file__)"], files={"kiln.py": "x = 1\n"}),
    Case(
        "own_numba",
        ["-c", "import numba.core; print(numba.core.x, numba)"],
        files={"numba/__init__.py": "", "numba/core.py": "x = 2\n"},
    ),
    Case("own_kiln_missing_part", ["-c", "import kiln.doctor"], files={"kiln/__init__.py": ""}),
    Case("exec_replaces", ["-c", "import os, sys; os.execv(sys.executable, [sys.executable, '-c', 'print(1)'])"]),
]
