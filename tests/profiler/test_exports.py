"""Reports in the forms of other tools, read as those read them. Usage: test_exports.py KILN [unittest options].

Each reader here follows the published description of its format, not kiln's writer.
"""

import gzip
import json
import math
import os
import re

import report_case
from report_case import ReportTest

PROGRAM = """
import time

def leaf(n):
    s = 0
    for i in range(n):
        s = (s + i * i) % 1000003
    return s

def outer(n): return leaf(n) + (lambda m: leaf(m))(n)

def main(seconds):
    end = time.perf_counter() + seconds
    while time.perf_counter() < end: outer(20000)

main({seconds})
"""


def fields(data: bytes) -> list[tuple[int, int | bytes]]:
    """A protocol buffers message: (number, value) of each field; groups and fixed-width numbers are not expected."""

    def number(at: int) -> tuple[int, int]:
        value = shift = 0
        while True:
            byte = data[at]
            at += 1
            value |= (byte & 0x7F) << shift
            shift += 7
            if not byte & 0x80:
                return value, at

    found, at = [], 0
    while at < len(data):
        key, at = number(at)
        value, at = number(at)
        if key & 7 == 2:
            assert at + value <= len(data)
            value, at = data[at : at + value], at + value
        else:
            assert key & 7 == 0, f"wire type {key & 7}"
        found.append((key >> 3, value))
    return found


def packed(data: bytes) -> list[int]:
    """Numbers packed into one field."""
    values, value, shift = [], 0, 0
    for byte in data:
        value |= (byte & 0x7F) << shift
        shift += 7
        if not byte & 0x80:
            values.append(value)
            value = shift = 0
    return values


class Exports(ReportTest):
    def export(self, name: str) -> bytes:
        """The bytes of one export of a run's report."""
        if not os.path.exists(os.path.join(self.directory, "out.json")):
            self.run_source(PROGRAM.format(seconds=0.6), "out.json")
        done = self.run_kiln("-m", "kiln", "report", "out.json", "--export", name, report="0")
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))
        with open(os.path.join(self.directory, name), "rb") as file:
            return file.read()

    def total(self) -> float:
        return sum(function["self_s"] for function in self.read()["functions"])

    def test_speedscope(self) -> None:
        """https://github.com/jlfwong/speedscope/blob/main/src/lib/file-format-spec.ts"""
        document = json.loads(self.export("a.speedscope.json"))
        self.assertEqual(document["$schema"], "https://www.speedscope.app/file-format-schema.json")
        self.assertLessEqual(set(document), {"$schema", "name", "exporter", "activeProfileIndex", "shared", "profiles"})
        frames = document["shared"]["frames"]
        for frame in frames:
            self.assertIsInstance(frame["name"], str)
            self.assertLessEqual(set(frame), {"name", "file", "line", "col"})
            self.assertIsInstance(frame.get("line", 0), int)
        [profile] = document["profiles"]
        self.assertEqual((profile["type"], profile["unit"]), ("sampled", "seconds"))
        self.assertEqual(set(profile), {"type", "name", "unit", "startValue", "endValue", "samples", "weights"})
        self.assertEqual(len(profile["samples"]), len(profile["weights"]))
        self.assertAlmostEqual(sum(profile["weights"]), self.total(), delta=0.01)
        self.assertAlmostEqual(profile["endValue"] - profile["startValue"], sum(profile["weights"]), delta=1e-6)
        for sample in profile["samples"]:
            self.assertTrue(all(0 <= index < len(frames) for index in sample))
            self.assertTrue(sample)
        names = [[frames[index]["name"].split(" [")[0] for index in sample] for sample in profile["samples"]]
        self.assertTrue(any(sample[-4:-1] == ["<module>", "main", "outer"] or sample[-3:] == ["main", "outer", "leaf"] for sample in names))

    def test_chrome_trace(self) -> None:
        """The trace event format, as Perfetto and chrome://tracing read it."""
        document = json.loads(self.export("a.trace.json"))
        slices: dict[tuple[int, int], list] = {}
        for event in document["traceEvents"]:
            self.assertIn(event["ph"], {"M", "C", "X"})
            self.assertTrue(math.isfinite(event["ts"]) and event["ts"] >= 0)
            self.assertIsInstance(event["pid"], int)
            self.assertIsInstance(event["tid"], int)
            self.assertIsInstance(event["name"], str)
            if event["ph"] == "M":
                self.assertIn(event["name"], {"process_name", "thread_name"})
                self.assertIsInstance(event["args"]["name"], str)
            elif event["ph"] == "C":
                self.assertTrue(all(isinstance(value, (int, float)) for value in event["args"].values()))
            else:
                self.assertGreaterEqual(event["dur"], 0)
                slices.setdefault((event["pid"], event["tid"]), []).append(event)
        # Slices of a thread nest: each begins and ends within the one that is open.
        [stacks] = [of for of in slices.values() if any(event["name"] == "main" for event in of)]
        open_: list[tuple[float, float]] = []
        for event in sorted(stacks, key=lambda event: (event["ts"], -event["dur"])):
            start, end = event["ts"], event["ts"] + event["dur"]
            while open_ and open_[-1][1] <= start + 0.01:
                open_.pop()
            self.assertTrue(not open_ or end <= open_[-1][1] + 0.01)
            open_.append((start, end))
        self.assertAlmostEqual(max(event["ts"] + event["dur"] for event in stacks) / 1e6, self.total(), delta=0.01)

    def test_folded(self) -> None:
        """https://github.com/brendangregg/FlameGraph: frames joined by semicolons, a space, a count."""
        counted = 0
        for line in self.export("a.folded").decode().splitlines():
            match = re.fullmatch(r"(.+) (\d+)", line)
            self.assertTrue(match, line)
            self.assertTrue(all(match[1].split(";")), line)
            counted += int(match[2])
        self.assertEqual(counted, self.read()["samples"])

    def test_pprof(self) -> None:
        """https://github.com/google/pprof/blob/main/proto/profile.proto"""
        profile: dict[int, list] = {}
        for number, value in fields(gzip.decompress(self.export("a.pb.gz"))):
            profile.setdefault(number, []).append(value)
        strings = [text.decode() for text in profile[6]]
        self.assertEqual(strings[0], "")
        types = [[strings[value] for _, value in fields(kind)] for kind in profile[1]]
        self.assertEqual(types, [["samples", "count"], ["wall", "nanoseconds"]])
        functions = {dict(fields(row))[1]: dict(fields(row)) for row in profile[5]}
        self.assertNotIn(0, functions)
        locations = {}
        for row in profile[4]:
            location = dict(fields(row))
            line = dict(fields(location[4]))
            self.assertIn(line[1], functions)
            locations[location[1]] = (strings[functions[line[1]][2]], line[2])
        self.assertNotIn(0, locations)
        samples = nanoseconds = 0
        seen = set()
        for row in profile[2]:
            sample = dict(fields(row))
            places = [locations[place] for place in packed(sample[1])]
            values = packed(sample[2])
            self.assertEqual(len(values), len(types))
            samples, nanoseconds = samples + values[0], nanoseconds + values[1]
            label = dict(fields(sample[3]))
            self.assertEqual(strings[label[1]], "tier")
            seen.add(strings[label[2]])
            if places[0][0] == "leaf" and len(places) > 3:
                self.assertIn("main", [name for name, _ in places[1:]])
        self.assertEqual(samples, self.read()["samples"])
        self.assertAlmostEqual(nanoseconds / 1e9, self.total(), delta=0.01)
        self.assertLessEqual(seen, {"interpreted", "c", "quick", "thorough", "waiting", "kernel", "idle"})
        self.assertEqual(strings[dict(fields(profile[11][0]))[1]], "wall")
        self.assertEqual(profile[12], [1000000])

    def test_names_of_all_kinds(self) -> None:
        """Semicolons, line ends and lone surrogates in names break no format."""
        name = "a;b\nc \udc80é"
        source = f"import time\ndef wait(s):\n    end = time.perf_counter() + s\n    while time.perf_counter() < end: pass\n"
        source += f"wait.__code__ = wait.__code__.replace(co_qualname={name!r})\nwait(0.2)\n"
        self.run_source(source, "out.json", KILN_JIT="off")
        for line in self.export("a.folded").decode().splitlines():
            self.assertRegex(line, r"^[^;]+(;[^;]+)* \d+$")
        json.loads(self.export("a.speedscope.json"))
        json.loads(self.export("a.trace.json"))
        fields(gzip.decompress(self.export("a.pb.gz")))

    def test_refusals(self) -> None:
        self.run_source("pass", "out.json")
        for report, output, message in (
            ("out.json", "a.svg", "cannot tell the form of a.svg"),
            ("program.py", "a.folded", "not JSON"),
            ("out.json", "no/such/a.folded", "there is no folder no/such"),
            ("missing.json", "a.folded", "No such file"),
        ):
            done = self.run_kiln("-m", "kiln", "report", report, "--export", output, report="0")
            self.assertEqual((done.returncode, done.stdout), (1, ""))
            self.assertIn(message, done.stderr)

    def test_source_in_the_terminal(self) -> None:
        self.run_source(PROGRAM.format(seconds=0.5) + "# \x1b[31mred\n", "out.json")
        done = self.run_kiln("-m", "kiln", "report", "out.json", "--source", "program.py:leaf", report="0")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertRegex(done.stdout, r"(?m)^ +7 +\d+\.\d [·qN] \|         s = \(s \+ i \* i\) % 1000003$")
        self.assertRegex(done.stdout, r"(?m)^ +\^ loop: ")
        self.assertNotIn("def main", done.stdout)
        done = self.run_kiln("-m", "kiln", "report", "out.json", "--source", "program.py", report="0")
        self.assertIn("def main", done.stdout)
        self.assertNotIn("\x1b", done.stdout)
        done = self.run_kiln("-m", "kiln", "report", "out.json", "--source", "program.py:nothing", report="0")
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertEqual(done.stderr, "kiln: the report has nothing of program.py:nothing; of program.py:leaf it has most\n")


if __name__ == "__main__":
    report_case.main()
