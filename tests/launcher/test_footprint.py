"""What kiln leaves in a process: memory, and in code that it gave up nothing. The interpreter runs that as if kiln were off."""

import json
import re
import unittest

from support import KILN, PYTHON, run_kiln

MOST_KILOBYTES = 10 * 1024
# Loops and functions over numbers and over objects, twenty of each. At its end: the most memory that the process had, and what it maps.
HOT = """
class Point:
    def __init__(self, x, y):
        self.x = x
        self.y = y
    def moved(self, k): return Point(self.x * k % 101 + 1, self.y + self.x % 7)
SOURCE = '''
def leaf{k}(x, y): return x * {k} % 7 + y // 2
def numbers{k}(n):
    total = 0
    for i in range(n):
        total += leaf{k}(i, total) if i % 3 else i * {k}
        if i % 5 == 1: total = total % 100003
    return total
def objects{k}(n):
    point = Point(1, 2)
    words = dict()
    for i in range(n):
        point = point.moved(i % {k})
        words[point.x] = str(point.y)
    return point.x + len(words)
'''
for k in range(3, 23): exec(SOURCE.format(k=k))
print(sum(globals()[f"numbers{k}"](3000) + globals()[f"objects{k}"](3000) for k in range(3, 23)))
print(open("/proc/self/status").read().partition("VmHWM:")[2].split()[0])
print([name for name in ("LLVM", "kiln_llvm") if name in open("/proc/self/maps").read()])
"""
# Functions' instructions as they lie in memory: what dis shows of code that was recorded may be older.
LIES = """
import ctypes, dis, json, types
def lies(function):
    code = function.__code__
    units = ctypes.string_at(id(code) + types.CodeType.__basicsize__, len(code.co_code))
    names, place = [], 0
    while place < len(units):
        names.append(dis._all_opname[units[place]])
        place += 2 * (1 + dis._inline_cache_entries[code.co_code[place]])
    return names
def show(*functions): print(json.dumps({f.__qualname__: lies(f) for f in functions}))
"""
# How many tools watch the functions' namespace.
WATCHERS = """
def show(failing, caller): print((ctypes.c_uint64.from_address(id(globals()) + 24).value & 255).bit_count())  # of ma_version_tag
"""
# Its loop is left by an exception in each third round.
LOOP = """
def failing(values, n):
    failures = 0
    expected = TypeError  # a handler that names no class is the interpreter's
    for i in range(n):
        try: values[i % 3] + 1
        except expected: failures += i * 2 + 1
    return failures
def caller(values, n):
    total = 0
    for k in range(n): total = total + failing(values, 1000) + k % 7
    return total
caller([1, None, 2], 150)
show(failing, caller)
"""
# Each of them leaves by an exception in one of four calls.
FUNCTIONS = """
class Table:
    def __init__(self, values): self.values = values
    def method(self, i): return self.values[i % 4] * 2 + i % 3 + 7
    def bound(self, i): return self.values[i % 4] * 2 + i % 3 + 7
    def default(self, i, j=2): return self.values[i % 4] * 2 + i % 3 + j
    @property
    def value(self): return self.values[self.place % 4] * 2 + self.place % 3 + 7
    def __getitem__(self, i): return self.values[i % 4] * 2 + i % 3 + 7
def plain(table, i): return table.values[i % 4] * 2 + i % 3 + 7
CALLER = '''
def caller_{name}(table, n):
    total = 0
    bound = table.bound
    for i in range(n):
        table.place = i
        try: total = total + {call}
        except IndexError: total = total - 1
    return total
'''
CALLS = {
    "method": "table.method(i)", "bound": "bound(i)", "default": "table.default(i)", "value": "table.value", "getitem": "table[i]",
    "plain": "plain(table, i)",
}
callers = []
for name, call in CALLS.items():
    exec(CALLER.format(name=name, call=call))
    callers.append(globals()["caller_" + name])
    callers[-1](Table([1, 2, 3]), 40000)
show(Table.method, Table.bound, Table.default, Table.value.fget, Table.__getitem__, plain, *callers)
"""
GENERATOR = """
def rows(n):
    k = 0
    while k < n:
        yield k * 2 + 1
        k += 1
def caller(n):
    total = 0
    for k in range(n):
        for x in rows(30): total = total + x * 3
    return total
caller(4000)
show(rows, caller)
"""
# Compiled callers take it in; the interpreter's calls of it stay what they are.
LITTLE = """
def little(x): return x + 1
def compiled(n):
    total = 0
    for i in range(n): total += little(i) * i
    return total
def caller(n):
    total = 0
    for i in range(n): total = total + little(i)
    return total
compiled(40000), caller(40000), compiled(40000), caller(40000)
show(little, caller)
"""


class Memory(unittest.TestCase):
    """Processes that run quick code only."""

    def peak_of(self, executable: str, **env: str) -> tuple[str, int]:
        """What the program computes, and how many kilobytes it took."""
        done = run_kiln("-c", HOT, executable=executable, **env)
        self.assertEqual(done.returncode, 0, done.stderr)
        result, kilobytes, maps = done.stdout.splitlines()
        self.assertEqual(maps, "[]")
        self.assertEqual("quick code" in done.stderr, "KILN_LOG" in env)
        self.assertNotIn("thorough code", done.stderr)
        return result, int(kilobytes)

    def test_quick_code_is_small(self) -> None:
        """Compared with kiln that compiles nothing, and with python."""
        if run_kiln("-c", "import ctypes; ctypes.CDLL(None).__asan_init").returncode == 0:
            self.skipTest("AddressSanitizer takes memory of its own")
        without = self.peak_of(KILN, KILN_JIT="off"), self.peak_of(PYTHON)
        for env in {}, {"KILN_TIER": "quick"}, {"KILN_TIER": "quick", "KILN_THRESHOLD": "1000"}:
            result, kilobytes = self.peak_of(KILN, KILN_LOG="compile", **env)
            for expected, least in without:
                self.assertEqual(result, expected)
                self.assertLess(kilobytes - least, MOST_KILOBYTES, env)


class GivenUp(unittest.TestCase):
    """Functions that kiln gave up, and interpreted callers of theirs."""

    def assert_specialised(self, source: str, refusal: str, refused: str, excluded: str) -> dict[str, list[str]]:
        """As with kiln off, but for where it counts still; returns what lies there."""
        found = []
        for env in {"KILN_JIT": "off"}, {}:
            knobs = {"KILN_TIER": "quick", "KILN_LOG": "compile", "KILN_EXCLUDE": excluded.replace(" ", ",")}
            done = run_kiln("-c", LIES + source, **knobs, **env)
            self.assertEqual(done.returncode, 0, done.stderr)
            found.append(json.loads(done.stdout))
        told = set(re.findall(rf"not compiled: (\S+) unit \d+: {refusal} ", done.stderr))
        self.assertLessEqual(set(refused.split()), told)
        self.assertLessEqual(told, {*refused.split(), *excluded.split()})
        for name, expected in found[0].items():
            names = [opcode.removeprefix("INSTRUMENTED_") for opcode in found[1][name]]
            self.assertEqual(names, expected, name)
        return found[1]

    def test_loops(self) -> None:
        """They fire no event any more."""
        found = self.assert_specialised(LOOP, "A006", "failing", "caller")
        self.assertNotIn("INSTRUMENTED_JUMP_BACKWARD", found["failing"])
        self.assertIn("BINARY_OP_ADD_INT", found["failing"])
        self.assertIn("CALL_PY_EXACT_ARGS", found["caller"])

    def test_functions(self) -> None:
        """By whatever instruction they are called."""
        calls = {
            "Table.method": "CALL_PY_EXACT_ARGS", "Table.bound": "CALL_BOUND_METHOD_EXACT_ARGS", "Table.default": "CALL_PY_WITH_DEFAULTS",
            "Table.value": "LOAD_ATTR_PROPERTY", "Table.__getitem__": "BINARY_SUBSCR_GETITEM", "plain": "CALL_PY_EXACT_ARGS",
        }  # fmt: skip
        callers = {name: "caller_" + name.removeprefix("Table.").strip("_") for name in calls}
        found = self.assert_specialised(FUNCTIONS, "A006", " ".join(calls), " ".join(callers.values()))
        for name, call in calls.items():
            self.assertFalse([opcode for opcode in found[name] if opcode.startswith("INSTRUMENTED")], name)
            self.assertIn(call, found[callers[name]], name)

    def test_generators(self) -> None:
        """A loop that yields is refused once it was recorded, which takes what was specialised away for that time."""
        found = self.assert_specialised(GENERATOR, "A001", "rows", "caller")
        self.assertFalse([opcode for opcode in found["rows"] if opcode.startswith("INSTRUMENTED")])
        self.assertIn("FOR_ITER_GEN", found["caller"])

    def test_namespaces_are_watched_no_more(self) -> None:
        """The loop's code relied on a global function, and nothing else does."""
        source = LIES + WATCHERS + LOOP.replace("values[i", "values[odd(i)")
        done = run_kiln("-c", "def odd(i): return i * 2 + 1\n" + source, KILN_LOG="compile", KILN_EXCLUDE="caller")
        self.assertEqual(done.stdout, "0\n", done.stderr)
        self.assertIn("not compiled: failing unit", done.stderr)

    def test_what_is_excluded(self) -> None:
        """Alone, and with its caller."""
        for source, name in (LOOP, "failing"), (GENERATOR, "rows"):
            self.assert_specialised(source, "A014", name, f"{name} caller")

    def test_what_does_little(self) -> None:
        """Called by compiled code and by the interpreter in turn."""
        found = self.assert_specialised(LITTLE, "A014", "caller", "caller")
        self.assertIn("CALL_PY_EXACT_ARGS", found["caller"])


if __name__ == "__main__":
    unittest.main()
