"""Command lines: programs of the standard library, and tools that work on other programs."""

from support import Case

WORK = """
def add(a, b):
    c = a + b
    return c
total = 0
for i in range(3):
    total = add(total, i)
print(total)
"""
PROFILE = """
import cProfile, io, pstats, re
profile = cProfile.Profile()
def callee(n):
    return len(str(n))
def caller():
    import colorsys
    return sum(callee(i) for i in range(10))
profile.runcall(caller)
out = io.StringIO()
pstats.Stats(profile, stream=out).sort_stats('name').print_stats()
rows = [line.split(None, 5) for line in out.getvalue().splitlines()]
print(sorted((row[5], row[0]) for row in rows if len(row) == 6 and row[0][0].isdigit()))
"""
TRACE = """
import sys
def tracer(frame, event, argument):
    if frame.f_code.co_filename == __file__:
        print(event, frame.f_lineno, frame.f_code.co_name)
    return tracer
def f(n):
    for i in range(n):
        yield i
sys.settrace(tracer)
import colorsys
list(f(2))
sys.settrace(None)
sys.setprofile(lambda frame, event, argument: print(event, frame.f_code.co_name, getattr(argument, '__name__', '')))
import keyword
len('')
sys.setprofile(None)
"""
TEST = """
import unittest
class T(unittest.TestCase):
    def test_passes(self):
        self.assertEqual(1, 1)
    @unittest.skip('not now')
    def test_skipped(self):
        pass
"""
DOCTEST = {"s.py": "def f():\n    '''\n    >>> 1 + 1\n    2\n    >>> 1 / 0\n    3\n    '''\n"}
SOURCE = {"s.py": WORK}

CASES = [
    Case("pdb", ["-m", "pdb", "s.py"], stdin="b add\nc\np a, b\nn\np c\nw\nr\nq\n", files=SOURCE),
    Case("pdb_commands", ["-m", "pdb", "-c", "until 7", "-c", "p total", "s.py"], stdin="c\nq\n", files=SOURCE),
    Case("breakpoint", ["s.py"], stdin="p x\nq\n", files={"s.py": "x = 3\nbreakpoint()\n"}),
    Case("profile_module", shell="$EXE -m cProfile -s name s.py | sed -n '/^$/q;p'", files=SOURCE),
    Case("profile_counts", ["s.py"], files={"s.py": PROFILE}),
    Case("trace", ["s.py"], files={"s.py": TRACE}),
    Case("trace_module", ["-m", "trace", "--trace", "s.py"], files=SOURCE),
    Case("trace_count", shell="$EXE -m trace --count -C out --missing s.py && cat out/s.cover", files=SOURCE),
    Case("unittest", shell="$EXE -m unittest -v test_it 2>&1 | sed 's/in .*s$//'", files={"test_it.py": TEST}),
    Case("doctest", ["-m", "doctest", "s.py"], files=DOCTEST),
    Case("json_tool", ["-m", "json.tool", "--sort-keys"], stdin='{"b": [1, 2.5], "a": null}'),
    Case("json_tool_fails", ["-m", "json.tool"], stdin="{"),
    Case("dis", ["-m", "dis", "s.py"], files=SOURCE),
    Case(
        "dis_adaptive",
        [
            "-c",
            "import dis\ndef f(n):\n    t = 0\n    for i in range(n):\n        t += i\n    return t\n"
            "f(3)\ndis.dis(f, show_caches=True)",
        ],
    ),
    Case("ast", ["-m", "ast", "s.py"], files=SOURCE),
    Case("tokenize", ["-m", "tokenize", "-e", "s.py"], files=SOURCE),
    Case("compileall", ["-m", "compileall", "-f", "."], files=SOURCE),
    Case("py_compile", ["-m", "py_compile", "missing.py"]),
    Case("inspect", ["-m", "inspect", "--details", "keyword"]),
    Case("pydoc", ["-m", "pydoc", "keyword.iskeyword"]),
    Case("calendar", ["-m", "calendar", "2024", "2"]),
    Case("base64", ["-m", "base64", "-e"], stdin="text"),
    Case("site", ["-m", "site"]),
    Case("sysconfig", shell="$EXE -m sysconfig | grep -v 'projectbase\\|scripts\\|BINDIR\\|EXENAME'"),
    Case("platform", ["-m", "platform"]),
    Case("this", ["-m", "this"]),
    Case(
        "asyncio",
        ["-c", "import asyncio\nasync def f():\n    await asyncio.sleep(0)\n    return 1\nprint(asyncio.run(f()))"],
    ),
    Case("venv_help", ["-m", "venv", "--help"]),
    Case("pip_version", ["-m", "pip", "--version"]),
    Case("pip_list", ["-m", "pip", "--disable-pip-version-check", "list"]),
    Case("ensurepip", ["-m", "ensurepip", "--version"]),
    Case("runpy", ["-c", "import runpy; print(sorted(runpy.run_path('s.py', run_name='x')))"], files=SOURCE),
    Case("code_module", ["-m", "code", "-q"], stdin="1 + 1\nundefined\n"),
    Case("import_times", shell="$EXE -X importtime -c 'import json' 2>&1 | sed 's/.*| //'"),
    Case("verbose", shell="$EXE -v -c 'import json' 2>&1 | grep -v '^# \\(cleanup\\|destroy\\|clear\\|trying\\)'"),
    Case(
        "imports",
        [
            "-c",
            "import sys, importlib, pkgutil, importlib.util as u\n"
            "print(u.find_spec('json'), u.find_spec('nowhere'), importlib.machinery.PathFinder.find_spec('colorsys'))\n"
            "print(importlib.machinery.PathFinder.find_spec, [m.name for m in pkgutil.iter_modules()])",
        ],
    ),
]
