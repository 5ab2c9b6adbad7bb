"""Quick code first, thorough code where it goes on running: as the log tells it."""

import re
import unittest

from support import run_kiln

LONG = """
def work(n):
    s = 0
    for i in range(n):
        s = (s + i * i) % 1000003
    return s
print(work({rounds}))
"""
CALLS = """
import time
def leaf(x):
    return x * 3 % 7 + x // 2
def calls(n):
    s = 0
    for i in range(n):
        s += list(map(leaf, (i, i + 1)))[0]
    return s
print(calls(600000), end=' ')
time.sleep(1)
print(calls(600000))
"""
RECURSION = """
def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)
print([fib(26) for _ in range(300)][-1])
"""
# Neither has a loop or two operations, but each call of them from outside is hundreds.
WALKS = """
class Node:
    def __init__(self, low, high):
        self.key = low
        self.left = Node(low, (low + high) // 2) if high - low > 1 else None
        self.right = Node((low + high) // 2, high) if high - low > 1 else None
    def walk(self, found):
        if self.left is not None:
            self.left.walk(found)
            self.right.walk(found)
        found.append(self.key)
def depth(node):
    return 0 if node is None else 1 + max(depth(node.left), depth(node.right))
tree = Node(0, 256)
for _ in [None] * 200:
    found = []
    depth(tree), tree.walk(found)
print(depth(tree), len(found))
"""
# Both in the midst of what is being improved: the assumption breaks, the process is forked.
CHANGED = """
import os
step = 1
def work(n):
    s = 0
    for i in range(n):
        s += i * step % 7
    return s
total = 0
for k in range(300):
    total += work(3000)
    if k % 50 == 9:
        step += 1
    if k % 100 == 10:
        child = os.fork()
        if child == 0:
            os._exit(0 if work(30000) > 0 else 1)
        assert os.waitpid(child, 0)[1] == 0
print(total)
"""
# Leaves by exceptions only after thorough code is there.
WORSENS = """
import time
def some(values, n):
    failures = 0
    expected = TypeError  # a handler that names no class is the interpreter's
    for i in range(n):
        try:
            values[i % 3] + 1
        except expected:
            failures += 1
    return failures
total = 0
for _ in range(20):
    total += some([1, 2, 3], 100_000)
    time.sleep(0.1)
print(total + some([1, 2, None], 100_000))
"""
# A tool that has no callbacks sees nothing.
NO_CALLBACK = """
import sys
monitoring = sys.monitoring
monitoring.use_tool_id(3, "tests")
def work(n):
    s = 0
    for i in range(n):
        s = (s + i * i) % 1000003
    return s
total = 0
for _ in range(100):
    total += work(3000)
    monitoring.register_callback(3, monitoring.events.LINE, None)
print(total)
"""

WIDE = """
def give_up(a):
    {lists}
    return a
def work(n):
    s = 0
    for i in range(n):
        s += give_up(i)
    return s
print(work(150000), any('libkiln_llvm' in line for line in open('/proc/self/maps')))
""".format(lists="; ".join(f"l{number} = [a, {number}]" for number in range(20)))


def tiers_of(stderr: str) -> dict[str, list[str]]:
    """The functions' tiers in the order in which their code came."""
    tiers: dict[str, list[str]] = {}
    for name, tier in re.findall(r"compile: py::([\w.]+):.* (quick|thorough) code", stderr):
        tiers.setdefault(name, []).append(tier)
    return tiers


class Tiers(unittest.TestCase):
    """Each test runs one program with the log of compilations."""

    def run_source(self, source: str, **env: str) -> tuple[str, dict[str, list[str]]]:
        """What the program printed, and its functions' tiers."""
        done = run_kiln("-c", source, KILN_LOG="compile", **env)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout.strip(), tiers_of(done.stderr)

    def test_one_long_call(self) -> None:
        """The loop leaves its quick code for the thorough one in mid-way."""
        printed, tiers = self.run_source(LONG.format(rounds=60_000_000))
        self.assertEqual(printed, "39776")
        self.assertEqual(tiers, {"work": ["quick", "thorough"]})

    def test_a_short_call(self) -> None:
        """What has done little stays quick."""
        self.assertEqual(self.run_source(LONG.format(rounds=8000))[1], {"work": ["quick"]})

    def test_only_one_tier(self) -> None:
        """By the knob."""
        for tier in ("quick", "thorough"):
            printed, tiers = self.run_source(LONG.format(rounds=3_000_000), KILN_TIER=tier)
            self.assertEqual((printed, tiers), ("999718", {"work": [tier]}))

    def test_quick_code_opens_no_llvm(self) -> None:
        """However much a function that is taken in gives up at its end."""
        printed, tiers = self.run_source(WIDE, KILN_TIER="quick")
        self.assertEqual((printed, tiers["work"]), ("11249925000 False", ["quick"]))

    def test_functions(self) -> None:
        """Their callers need nothing new."""
        printed, tiers = self.run_source(CALLS)
        first, second = printed.split()
        self.assertEqual(first, second)
        self.assertIn(["quick", "thorough"], tiers.values())

    def test_recursion(self) -> None:
        """It calls itself by what is there at each call."""
        printed, tiers = self.run_source(RECURSION)
        self.assertEqual(printed, "121393")
        self.assertEqual(tiers["fib"], ["quick", "thorough"])

    def test_what_does_little_but_calls_itself(self) -> None:
        """By a global name, or as a method."""
        printed, tiers = self.run_source(WALKS)
        self.assertEqual(printed, "9 511")
        self.assertIn("quick", tiers["depth"])
        self.assertIn("quick", tiers["Node.walk"])

    def test_changes_meanwhile(self) -> None:
        """Code that is thrown away, or lost by a fork, while better code is made."""
        printed, _ = self.run_source(CHANGED)
        self.assertEqual(printed, run_kiln("-c", CHANGED, KILN_JIT="off").stdout.strip())

    def test_code_that_worsens_is_given_up(self) -> None:
        """Although thorough code counts no rounds."""
        done = run_kiln("-c", WORSENS, KILN_LOG="compile")
        self.assertIn("some unit", done.stderr)
        self.assertRegex(done.stderr, r"(?s)thorough code.*not compiled: some unit \d+: A006")
        self.assertEqual(done.stdout, run_kiln("-c", WORSENS, KILN_JIT="off").stdout)

    def test_a_callback_that_goes(self) -> None:
        """Code is thrown away for callbacks that come."""
        done = run_kiln("-c", NO_CALLBACK, KILN_LOG="compile,invalidate")
        self.assertEqual(done.stdout, run_kiln("-c", NO_CALLBACK, KILN_JIT="off").stdout)
        self.assertIn("compile: py::work", done.stderr)
        self.assertNotIn("invalidate", done.stderr)
        done = run_kiln("-c", NO_CALLBACK.replace("None)", "print)"), KILN_LOG="compile,invalidate")
        self.assertIn("invalidate", done.stderr)


if __name__ == "__main__":
    unittest.main()
