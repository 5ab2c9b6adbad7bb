"""Call stacks, tiers and times in reports of whole programs. Usage: test_stacks.py KILN [unittest options]."""

import os

import report_case
from report_case import ReportTest

NESTED = """
import time

def leaf(n):
    s = 0
    for i in range(n):
        s = (s + i * i) % 1000003
    return s

def left(n): return leaf(n)
def right(n): return leaf(3 * n)

def main(seconds):
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        left(20000)
        right(20000)

main({seconds})
"""

RECURSIVE = """
import sys
sys.setrecursionlimit(5000)

def down(depth):
    if depth == 0:
        return spin()
    return down(depth - 1) + 1

def spin():
    s = 0
    for i in range(60000): s += i & 7
    return s

for depth in 10, 900, 1500, 10:
    down(depth)
    for k in range(40): down(depth)
"""


class Stacks(ReportTest):
    def stacks(self, report: dict) -> list[tuple[list[tuple[str, int, str]], int, float]]:
        """Each stack that samples ended in, as (name, line, tier), outermost first; its samples and seconds."""
        functions = report["functions"]
        frames = [(functions[index]["name"] if index >= 0 else "", line, tier) for index, line, tier in report["stacks"]["frames"]]
        paths, stacks = [], []
        for index, (parent, frame, samples, seconds) in enumerate(report["stacks"]["nodes"]):
            self.assertLess(parent, index, "parents come first")
            paths.append([*(paths[parent] if parent >= 0 else []), frames[frame]])
            if samples:
                stacks.append((paths[-1], samples, seconds))
        return stacks

    def run_stacks(self, source: str, **variables: str) -> tuple[dict, list]:
        done = self.run_source(source, "out.json", **variables)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        report = self.read()
        return report, self.stacks(report)

    def test_callers_are_told_apart(self) -> None:
        report, stacks = self.run_stacks(NESTED.format(seconds=1.5), KILN_JIT="off")
        below = {"left": 0.0, "right": 0.0}
        moved = 0.0  # the callers are read a moment later than the callee: it may have returned
        for path, _, seconds in stacks:
            names = [name for name, _, _ in path]
            if names[-1] == "leaf":
                self.assertEqual(names[-4:-2], ["<module>", "main"])
                below[names[-2]] += seconds
                self.assertEqual(path[-4][1], 19)
                moved += seconds if path[-3][1] != {"left": 16, "right": 17}[names[-2]] else 0
                self.assertIn(path[-1][1], {5, 6, 7, 8})
        self.assertGreater(below["left"] + below["right"], 0.7)
        self.assertLess(moved / sum(below.values()), 0.03)
        self.assertAlmostEqual(below["right"] / sum(below.values()), 0.75, delta=0.1)

    def test_sums_are_those_of_the_functions(self) -> None:
        report, stacks = self.run_stacks(NESTED.format(seconds=0.5))
        self.assertEqual(sum(samples for _, samples, _ in stacks), report["samples"])
        for function in report["functions"]:
            own = sum(seconds for path, _, seconds in stacks if path[-1][0] == function["name"] and function["name"] == "leaf")
            if function["name"] == "leaf":
                self.assertAlmostEqual(own, function["self_s"], delta=0.001)
        total = sum(function["self_s"] for function in report["functions"])
        self.assertAlmostEqual(sum(map(sum, report["timeline"]["steps"])), total, delta=0.001 + total / 100)

    def test_tiers(self) -> None:
        """Quick code first, thorough code in the end; the caller stays interpreted; C functions are told."""
        source = NESTED.format(seconds=1) + report_case.settle("left(20000)") + "for _ in range(300): left(200000)\n"
        source += "def sorts(n):\n    for _ in range(n): sorted(range(100000))\nsorts(200)\n"
        report, stacks = self.run_stacks(source)
        tiers = {tier for path, _, _ in stacks for name, _, tier in path[-1:] if name == "leaf"}
        if not any(function["roots"] for function in report["functions"]):
            self.skipTest("this kiln counts and compiles nothing")
        self.assertIn("thorough", tiers)
        for path, _, _ in stacks:
            for name, _, tier in path:
                if name == "<module>":
                    self.assertIn(tier, {"interpreted", "c"}, path)
        in_c = sum(seconds for path, _, seconds in stacks if path[-1][0] == "sorts" and path[-1][2] == "c")
        own = self.function(report, "sorts")
        self.assertGreater(in_c, 0.5 * own["self_s"], "the rest is the end of the lists")
        self.assertEqual(own["share"]["native"], 0)

    def test_one_tier_only(self) -> None:
        for tier in "quick", "thorough":
            source = NESTED.format(seconds=0.2) + report_case.settle("left(20000)") + "for _ in range(200): left(200000)\n"
            report, stacks = self.run_stacks(source, KILN_TIER=tier)
            seen = {path[-1][2] for path, _, _ in stacks if path[-1][0] == "leaf"}
            self.assertIn(tier, seen)
            self.assertNotIn({"quick": "thorough", "thorough": "quick"}[tier], seen)
            made = {event["tier"] for event in report["timeline"]["compilations"]["events"] if "leaf" in event["name"]}
            self.assertIn(tier, made)

    def test_calls_back_from_compiled_code_are_interpreted_frames(self) -> None:
        """key functions below sorted() below a compiled loop."""
        source = """
def key(x):
    try: return eval("x", {"x": x})
    finally: pass
def main(n):
    total = 0
    for i in range(n):
        for j in range(50): total += i * j
        total += sorted([i, 3, 4, 1], key=key)[0]
    return total
main(30000)
"""
        _, stacks = self.run_stacks(source, KILN_THRESHOLD="1000")
        outer = {path[-2][2] for path, _, _ in stacks if path[-1][0] == "key" and path[-2][0] == "main"}
        inner = {path[-1][2] for path, _, _ in stacks if path[-1][0] == "key"}
        self.assertTrue(outer & {"quick", "thorough"}, outer)
        self.assertTrue(inner & {"interpreted", "c"}, inner)

    def test_deep_recursion_is_folded(self) -> None:
        for jit in "off", "on":
            report, stacks = self.run_stacks(RECURSIVE, KILN_JIT=jit)
            deepest = max(len(path) for path, _, _ in stacks)
            self.assertLessEqual(deepest, 202)
            self.assertLess(len(report["stacks"]["nodes"]), 5000)
            if jit == "off":
                self.assertTrue(any(name == "" for path, _, _ in stacks for name, _, _ in path), "(more frames)")
            folded = [path for path, _, _ in stacks if len(path) > 150]
            for path in folded:
                self.assertEqual(path[0][0], "<module>")

    def test_bounded(self) -> None:
        """Thousands of functions that call each other in ever new ways."""
        source = "import sys, random\nrandom.seed(7)\nfs = []\n"
        source += "for k in range(400):\n    exec(f'def f{k}(d):\\n  s = 0\\n  for i in range(2000): s += i\\n"
        source += "  return s + (fs[int(random.random() * 400)](d - 1) if d else 0)')\n    fs.append(globals()[f'f{k}'])\n"
        source += "for k in range(600): fs[k % 400](25)\n"
        report, _ = self.run_stacks(source, KILN_JIT="off")
        self.assertLessEqual(len(report["stacks"]["nodes"]), 20000)
        self.assertLessEqual(len(report["stacks"]["frames"]), 8000)

    def test_timeline_of_children(self) -> None:
        source = "import os, time\ndef spin(s):\n    end = time.perf_counter() + s\n    while time.perf_counter() < end: pass\n"
        source += "pid = os.fork()\nif pid:\n    os.waitpid(pid, 0)\nelse:\n    spin(0.4)\n    os._exit(0)\n"
        self.run_source(source, "out.json", KILN_JIT="off")
        [child] = [file for file in os.listdir(self.directory) if file.startswith("out.") and file != "out.json"]
        parent, report = self.read()["timeline"], self.read(child)["timeline"]
        self.assertGreater(report["start_s"], parent["start_s"])
        self.assertAlmostEqual(len(report["steps"]) * report["step_s"], 0.4, delta=0.3)

    def test_environment(self) -> None:
        report, _ = self.run_stacks("pass", KILN_SEED="5")
        environment = report["environment"]
        self.assertRegex(environment["python"], r"^3\.12\.")
        self.assertEqual(environment["compiler"], "on")
        self.assertIn("KILN_SEED=5", environment["knobs"])


if __name__ == "__main__":
    report_case.main()
