"""Times by line: in compiled code too they are those of the lines that run. Usage: test_lines.py KILN [unittest options]."""

import report_case
from report_case import ReportTest

# Of each function, the line with the comment `hot` takes most of the time of its loop, and is neither its first nor its last.
LOOPS = """
def divides(n):
    a = 0.0
    b = 1.0
    for i in range(n):
        a = a + 1.0
        b = (((((b / 1.1 + 1.0) / 1.3 + 1.0) / 1.7 + 1.0) / 1.9 + 1.0) / 1.21 + a) / 1.33  # hot
        a = a - 0.5
        a = a * 0.25
    return a + b

def powers(n):
    total = 0.0
    for i in range(n):
        x = i * 0.5
        total = total + (x ** 0.3) ** 0.7  # hot
        total = total * 0.5
        x = x + total
    return total

def halves(x):
    total = 0.0
    for j in range(20):
        total = (total + x) / 1.1
        total = total / 1.3
        total = total / 1.7
    return total

def calls(n):
    total = 0.0
    for i in range(n):
        x = i * 0.5
        total = total + halves(x)  # calls
        total = total * 0.5
        x = x + total
    return total

def nested(n):
    total = 0
    for i in range(n):
        x = i & 7
        for j in range(40):
            total = (total * 3 + j * x) % 1000003  # hot
        total = total + 1
        x = total ^ i
    return total

def branches(n):
    s = 1.0
    for i in range(n):
        if i & 1:
            s = s + 1.0
        else:
            s = ((s / 1.1 + 1.0) / 1.3 + 2.0) / 1.7 + (s / 1.9) / 1.21  # hot
        s = s * 0.5
    return s
"""

STRIPS = """
import numpy
def vectors(a, b, c):
    for i in range(len(a)):
        x = a[i] + 1.0
        y = x / b[i] / 3.0 / (x + 2.0)  # hot
        c[i] = y * 0.5
"""

TIERS = ("quick", "thorough")


class Lines(ReportTest):
    def lines(self, source: str, name: str, call: str, tier: str) -> tuple[dict[int, int], dict[str, int]]:
        """Samples by line of what a function's compiled code did, and the lines that comments name."""
        program = source + report_case.settle(call) + f"for _ in range(100): {call}\n"
        done = self.run_source(program, "out.json", KILN_TIER=tier)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        report = self.read()
        own = [index for index, function in enumerate(report["functions"]) if function["name"] == name]
        samples: dict[int, int] = {}
        for _, frame, count, _ in report["stacks"]["nodes"]:
            index, line, ran = report["stacks"]["frames"][frame]
            if index in own and ran == tier and count:
                samples[line] = samples.get(line, 0) + count
        text = program.splitlines()
        first = next(number for number, line in enumerate(text, 1) if line.startswith(f"def {name}("))
        named: dict[str, int] = {}
        for number in range(first, len(text) + 1):
            if "  # " in text[number - 1]:
                named.setdefault(text[number - 1].rpartition("# ")[2], number)
        if not samples:
            self.skipTest("this kiln compiles nothing")
        return samples, named

    def assert_hottest(self, samples: dict[int, int], line: int) -> None:
        self.assertGreater(sum(samples.values()), 30)
        self.assertEqual(max(samples, key=samples.__getitem__), line, samples)
        self.assertGreater(samples[line], sum(samples.values()) / 2, samples)

    def check(self, name: str, size: int) -> None:
        for tier in TIERS:
            with self.subTest(tier=tier):
                samples, named = self.lines(LOOPS, name, f"{name}({size})", tier)
                self.assert_hottest(samples, named["hot"])

    def test_divisions(self) -> None:
        self.check("divides", 50000)

    def test_functions_of_the_runtime(self) -> None:
        self.check("powers", 20000)

    def test_inner_loop(self) -> None:
        self.check("nested", 2000)

    def test_one_branch(self) -> None:
        self.check("branches", 100000)

    def test_calls(self) -> None:
        """A compiled callee's time is its own; what the caller has for itself is spread over its lines, none of which is far away."""
        for tier in TIERS:
            with self.subTest(tier=tier):
                samples, _ = self.lines(LOOPS, "halves", "calls(2000)", tier)
                caller, named = self.lines(LOOPS, "calls", "calls(2000)", tier)
                self.assertGreater(sum(samples.values()), 3 * sum(caller.values()))
                self.assertLessEqual(set(caller), set(range(named["calls"] - 2, named["calls"] + 3)))

    def test_strips(self) -> None:
        """Loops that are vectorised: their lines are done at once, and share the time by their work."""
        source = STRIPS + "a = numpy.arange(1.0, 100000.0)\nc = a.copy()\n"
        done = self.run_source("import numpy", "0")
        if done.returncode != 0:
            self.skipTest("no NumPy")
        samples, named = self.lines(source, "vectors", "vectors(a, a, c)", "thorough")
        self.assertEqual(max(samples, key=samples.__getitem__), named["hot"], samples)


if __name__ == "__main__":
    report_case.main()
