"""What the compiler decides, as its log tells it: the same in each process, and anew when a program's classes change."""

import re
import unittest

from support import run_kiln

CHANNELS = "compile,record,deopt,invalidate"
VALUE = """
class Value:
    def __init__(self, v): self.v = v
    def __mul__(self, other): return Value(self.v * other.v)
    def __add__(self, other): return Value(self.v + other.v)
    def __radd__(self, other): return Value(self.v + other)
    def __repr__(self): return f"Value({self.v})"
"""
SOME = """
def some(items):
    total = 0
    for x in items:
        total += x * x + x
    return total
"""
# Loops, calls, generators, exits, changes of classes, and what the code relies on is changed.
VARIED = VALUE + SOME + """
class Base:
    step = 1
    def move(self, x): return (x * 3 + self.step) % 1009
class Other(Base):
    def move(self, x): return (x * 5 - self.step) % 997
class Third(Base):
    def move(self, x): return str(x)[-1] and x + 1
scale = 3
def leaf(x): return x * scale % 7 + x // 2
def moves(things, n):
    x = 1
    for i in range(n): x = things[i % len(things)].move(x)
    return x
def failing(values, n):
    failures = 0
    expected = TypeError  # a handler that names no class is the interpreter's
    for i in range(n):
        try: values[i % len(values)] + 1
        except expected: failures += 1
    return failures
def nested(n):
    total = 0
    for i in range(n):
        for j in range(i % 5): total += leaf(j)
        if i % 11 == 3: total *= 1.5
        if total > 1e6: total = 0
    return total
def words(n):
    counts = {}
    for i in range(n):
        word = "abcdefg"[i % 7] * (i % 3)
        counts[word] = counts.get(word, 0) + 1
        if i % 17 == 0: counts = dict(sorted(counts.items()))
    return counts
def numbers(n):
    for i in range(n): yield i * 2 % 13
def fib(n): return n if n < 2 else fib(n - 1) + fib(n - 2)
batches = [1, 2, 3] * 50, [1., 2., 3.] * 50, [Value(1), Value(2)] * 50, [1, 2.5] * 50, [10 ** 20, 1] * 50
for _ in range(3):
    for items in batches:
        for _ in range(30): some(items)
    moves([Base(), Other()], 4000), moves([Base(), Third(), Other()], 4000)
    failing([1, 2, 3], 3000), failing([1, None, 2], 3000)
    for _ in range(20): nested(200)
    words(3000), fib(15), sum(numbers(3000)), sum(x * x for x in numbers(3000))
    sorted(range(3000), key=lambda x: x * 7 % 101)
    scale += 1
    Base.step += 1
print(moves([Base()], 100), nested(50), fib(10), failing([None], 3), words(9))
"""
# Forty regions rely on one global, and are thrown away together.
DEPENDENT = """
step = 1
for k in range(40):
    exec(f"def work{k}(n):\\n    s = 0\\n    for i in range(n): s += i * step % 7 + {k}\\n    return s")
for _ in range(3):
    print(sum(globals()[f"work{k}"](3000) for k in range(40)))
    step += 1
"""
# The methods of each class lie elsewhere, and so do those of each process: where is written beside the instructions that load them.
LITTLE = """
for k in range(300):
    exec(f"class Thing{k}:\\n    def one(self): return 1\\n    def two(self): return self.one() + self.one()")
def drive(things):
    for thing in things:
        method = thing.two
        for _ in range(1200): method()
drive([globals()[f"Thing{k}"]() for k in range(300)])
"""
CALLS, LAST = 200, 10
WANTED = "D007", "D021", "D022"  # the interpreter was wanted meanwhile, whatever the code
CHANGES = VALUE + SOME + f"""
import sys
from fractions import Fraction
def phase(items):
    for k in range({CALLS}):
        if k in (0, {CALLS - LAST}): print("phase" if k == 0 else "last calls", file=sys.stderr, flush=True)
        total = some(items)
    print(total)
for items in BATCHES: phase(items)
"""
BATCHES = {
    "int": "[1, 2, 3] * 100",
    "float": "[1.5, 2.0, 3.0] * 100",
    "value": "[Value(1), Value(2), Value(3)] * 100",
    "fraction": "[Fraction(1, 2), Fraction(3, 4), Fraction(5)] * 10",
}


def log_of(source: str, **env: str) -> list[str]:
    """What the compiler did in a process of its own, without times."""
    done = run_kiln("-c", source, KILN_LOG=CHANNELS, PYTHONHASHSEED="0", **env)
    assert done.returncode == 0, done.stderr
    return re.sub(r" in [\d.]+ ms", "", done.stderr).splitlines()


class Repeats(unittest.TestCase):
    """Programs run again: addresses differ, as the system places them and as another allocator does."""

    def assert_repeated(self, source: str, **env: str) -> list[str]:
        """The log of all runs."""
        first = log_of(source, **env)
        for more in {}, {}, {"PYTHONMALLOC": "malloc"}:
            again = log_of(source, **env, **more)
            place = next((k for k, pair in enumerate(zip(first, again)) if pair[0] != pair[1]), min(len(first), len(again)))
            self.assertEqual(first[place : place + 5], again[place : place + 5], f"line {place}, behind {first[:place][-5:]}")
        return first

    def test_varied_code(self) -> None:
        """With quick code only, and by default: a program this short gets no other, and what is quick is the same."""
        quick = self.assert_repeated(VARIED, KILN_TIER="quick")
        for channel in CHANNELS.split(","):
            self.assertTrue(any(line.startswith(f"kiln: {channel}: ") for line in quick), channel)
        self.assertEqual(self.assert_repeated(VARIED), quick)

    def test_what_is_thrown_away_together(self) -> None:
        """Goes, and comes again, in one order."""
        log = self.assert_repeated(DEPENDENT, KILN_TIER="quick")
        gone = [line for line in log if "invalidate: py::work" in line]
        self.assertGreaterEqual(len(gone), 80)

    def test_what_does_little(self) -> None:
        """Is told by its instructions, not by what CPython keeps between them: versions and addresses."""
        log = log_of(LITTLE, KILN_TIER="quick", KILN_THRESHOLD="1000", KILN_EXCLUDE="drive")
        self.assertEqual([line for line in log if "recording Thing" in line], [])


# One class nearly always, two others each hundredth time.
RARE = """
class Common:
    def __init__(self, value): self.value = value
    def get(self): return self.value
Rare = [type(f"Rare{k}", (Common,), {"get": lambda self: self.value + 1}) for k in range(2)]
items = [Rare[i // 100 % 2](i % 7) if i % 100 == 99 else Common(i % 5) for i in range(20000)]
def some(items):
    total = 0
    for item in items:
        total += item.get()
        if total > 1000: total -= 1000
    return total
for _ in range(120): result = some(items)
print(result)
"""


class Changes(unittest.TestCase):
    """A hot loop whose values are of one class for long, then for good of another."""

    def assert_follows(self, *kinds: str, **env: str) -> None:
        """Each change costs two compilations at most. The loop then runs as compiled code from the first round to the last."""
        source = CHANGES.replace("BATCHES", f"[{', '.join(BATCHES[kind] for kind in kinds)}]")
        done = run_kiln("-c", source, KILN_LOG=CHANNELS, **env)
        self.assertEqual((done.returncode, done.stdout), (0, run_kiln("-c", source, KILN_JIT="off").stdout))
        self.assertNotIn("not compiled: some ", done.stderr)
        _, *phases = done.stderr.split("phase\n")
        self.assertEqual(len(phases), len(kinds))
        for kind, phase in zip(kinds, phases):
            with self.subTest(kinds=kinds, kind=kind):
                compiled = re.findall(r"compile: py::some:.* quick code", phase)
                self.assertLessEqual(len(compiled), 2)
                ways = re.findall(r"deopt: py::some:.*: (D\d+) ", phase.partition("last calls\n")[2])
                self.assertEqual([way for way in ways if way not in WANTED], ["D004"] * LAST)

    def test_classes_change(self) -> None:
        """From numbers to numbers, to instances of the program's class, to the library's."""
        for env in {"KILN_TIER": "quick"}, {}:
            self.assert_follows("int", "float", "value", "fraction", KILN_EXCLUDE="phase", **env)

    def test_classes_come_back(self) -> None:
        """What was compiled for them may be gone by then."""
        for env in {"KILN_TIER": "quick"}, {}:
            self.assert_follows("int", "value", "int", KILN_EXCLUDE="phase", **env)

    def test_classes_come_back_again(self) -> None:
        """And others in their turn."""
        self.assert_follows("float", "int", "float", "value", "int", "value", KILN_EXCLUDE="phase", KILN_TIER="quick")

    def test_rare_classes_are_no_change(self) -> None:
        """Each is compiled once; then all stays as it is, however long it goes on."""
        done = run_kiln("-c", RARE, KILN_LOG="compile", KILN_TIER="quick")
        self.assertEqual(done.stdout, "997\n", done.stderr)
        self.assertLessEqual(len(re.findall(r"compile: py::some:.* quick code", done.stderr)), 5)


if __name__ == "__main__":
    unittest.main()
