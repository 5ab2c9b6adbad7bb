"""What is worth compiling, as reports show it. Usage: test_worth.py KILN [unittest options]."""

import report_case
from report_case import ReportTest

# Loops that do well at first and are then left by an exception in each third iteration, by what they `try`: a called
# function with code of its own, one that is interpreted, and an operation.
LEFT_BY_EXCEPTIONS = """
class Refused(ValueError):
    def __init__(self, x): super().__init__(x); self.x = x

def rejects(x):
    if x > 300000 and x % 3 == 0: raise ValueError(x)
    return x * 3 % 7 + x // 2

def refuses(x):
    if x > 300000 and x % 3 == 0: raise Refused(x)
    return [x][0]

values = [1, 2, None]
"""
TRIED = {
    "calls_compiled": ("rejects(i)", "ValueError"),
    "calls_interpreted": ("refuses(i)", "ValueError"),
    "operates": ("values[i % 3 if i > 300000 else 1] + 1", "TypeError"),
}
ROUNDS = 4800000
for caller, (tried, error) in TRIED.items():
    LEFT_BY_EXCEPTIONS += f"""
def {caller}(n):
    failures = 0
    for i in range(n):
        try: {tried}
        except {error}: failures += 1
    return failures

print({caller}({ROUNDS}))
"""


class Worth(ReportTest):
    def test_loops_that_exceptions_leave_are_given_up(self) -> None:
        """Each round in three is left so; they are given up long before the end."""
        self.run_source(LEFT_BY_EXCEPTIONS, "out.json")
        for name in (*TRIED, "rejects"):
            function = self.function(self.read(), name)
            left = sum(way["count"] for root in function["roots"] for way in root["exits"])
            self.assertLess(left, ROUNDS // 6, name)

    def test_loops_of_few_rounds_are_taken_in(self) -> None:
        """By the loop or the function around them: no code is made for them alone. Decided by counting, without times."""
        source = """
def pairs(points, weight):
    total = 0.0
    for i in range(3):
        for j in range(i + 1, 4):
            total += points[i] * points[j] * weight
    return total

def steps(points, n):
    total = 0.0
    for step in range(n):
        for k in range(4):
            total += points[k] / (step + 1)
    return total

points = [1.0, 2.0, 3.0, 4.0]
"""
        source += report_case.settle("[pairs(points, weight) for weight in range(2000)]; steps(points, 2000)")
        self.run_source(source, "out.json", KILN_THRESHOLD="1000")
        compiled = {
            name: [root["line"] for root in self.function(self.read(), name)["roots"] if root["compiles"] > 0]
            for name in ("pairs", "steps")
        }
        self.assertEqual(compiled, {"pairs": [2], "steps": [11]})

    def test_large_code_waits_for_more_rounds(self) -> None:
        """Building it takes as long as it is large; a loop of few rounds in it makes the function no sooner hot."""
        lines = "\n".join(f"    total += point[{k % 3}] * {k} - total // {k + 2}" for k in range(200))
        source = f"""
def small(point, total):
    for k in range(3): total += point[k] * total % 7
    return total

def large(point, total):
    for k in range(3): total += point[k] * total % 7
{lines}
    return total

point = [1, 2, 3]
for i in range(8000): small(point, i)
for i in range(3000): large(point, i)
"""
        self.run_source(source, "out.json")
        for name, isCompiled in (("small", True), ("large", False)):
            compiles = sum(root["compiles"] for root in self.function(self.read(), name)["roots"])
            self.assertEqual(compiles > 0, isCompiled, name)

    def test_entries_that_miss_are_counted(self) -> None:
        """A version for other classes is made when they come as often as exits that are worth a compilation."""
        source = """
def total(value, n):
    for i in range(n): value = value + i % 3
    return value

total(1, 50000)
for n in {rounds}: total(1.5, n)
total(1, 50000)
"""
        compiles = {}
        for name, rounds in (("few", "[100]"), ("many", "[100] * 30")):
            self.run_source(source.format(rounds=rounds), "out.json", KILN_TIER="quick")
            compiles[name] = sum(root["compiles"] for root in self.function(self.read(), "total")["roots"])
        self.assertEqual(compiles, {"few": 1, "many": 2})

    def test_rare_exits_are_nothing(self) -> None:
        """A function that leaves its code once in a hundred calls keeps it, whether or not there is a report."""
        source = """
def rejects(x):
    total = 0
    for k in range(9): total += x * k
    if x % 100 == 0: raise ValueError(total)
    return total

def tries(n):
    failures = 0
    for i in range(n):
        try: rejects(i)
        except ValueError: failures += 1
    return failures
"""
        source += report_case.settle("tries(5000)")
        for report in "", "out.json":
            done = self.run_source(source, report, KILN_THRESHOLD="1000", KILN_LOG="compile")
            self.assertRegex(done.stderr, "py::rejects:.* unit 0: quick code in")
            self.assertNotIn("not compiled: rejects unit 0", done.stderr)

    def test_sites_that_go_wrong_together_are_mended_together(self) -> None:
        """Attributes move from values to a dict in six places of a loop, none of which is left much oftener than the others."""
        source = """
class Options:
    def __init__(self): self.a = self.b = self.c = self.d = self.e = self.f = 1

def reads(o, n):
    total = 0
    for i in range(n):
        k = i % 6
        if k == 0: total += o.a
        elif k == 1: total += o.b
        elif k == 2: total += o.c
        elif k == 3: total += o.d
        elif k == 4: total += o.e
        else: total += o.f
    return total

options = Options()
reads(options, 60000)
vars(options)["later"] = None
reads(options, 600000)
"""
        self.run_source(source, "out.json", KILN_THRESHOLD="1000")
        loop = next(root for root in self.function(self.read(), "reads")["roots"] if root["compiles"] > 0)
        self.assertLessEqual(loop["compiles"], 3)
        self.assertLess(sum(way["count"] for way in loop["exits"]), 6000)
        self.assertGreater(loop["iterations"]["native"], 600000)


if __name__ == "__main__":
    report_case.main()
