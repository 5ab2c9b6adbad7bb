"""The commands that compare reports, and that search for what goes wrong when it is compiled."""

import json
import os
import shlex
import shutil
import subprocess
import tempfile
import unittest

from support import KILN, clean_environment, run_kiln, write_files

# Prints what only compiled code changes: where calls of a function enter. `bad` and `worse` are right as long as nothing enters
# them but the interpreter.
GOES_WRONG = """
import ctypes, sys
VECTORCALL = 128  # bytes into a function object of CPython 3.12

def enters(function): return ctypes.c_void_p.from_address(id(function) + VECTORCALL).value
def fresh(): pass

def good(n):
    s = 0
    for i in range(n): s += i * 2
    return s
def bad(n):
    s = 0
    for i in range(n): s += i * 3
    return s
def better(n):
    s = 0
    for i in range(n): s += i * 5
    return s
class Holder:
    def worse(self, n):
        s = 0
        for i in range(n): s += i * 7
        return s

holder = Holder()
for function in good, bad, better, holder.worse:
    for k in range(300): function(30)
WRONG = [f.__qualname__ for f in WATCHED if enters(f) != enters(fresh)]
print("right" if not WRONG else "wrong")
sys.exit(len(WRONG) and STATUS)
"""


def report_of(functions: list[tuple[str, float, str]]) -> str:
    """A report file with functions of that name, time and tier."""
    rows = []
    for line, (name, seconds, tier) in enumerate(functions, 1):
        native = seconds if tier == "native" else 0
        refusal = {"code": "A001", "line": line, "detail": "yield"} if tier == "interpreted" else None
        root = {
            "kind": "loop", "line": line, "unit": 4, "state": "compiled" if native else "blacklisted",
            "iterations": {"interpreted": 1, "native": 1}, "compiles": 1, "compile_ms": 1, "refusal": refusal, "exits": [], "opaque": [],
        }  # fmt: skip
        rows.append({
            "name": name, "file": "/p.py", "first_line": line, "self_s": seconds, "native_s": native, "compile_s": 0,
            "cumulative_s": seconds, "samples": int(seconds * 1000), "calls": {"interpreted": 1, "native": 1}, "tier": tier,
            "share": {"interpreted": 0, "native": 1, "compile": 0}, "roots": [root], "lines": [],
        })  # fmt: skip
    share = sum(row["native_s"] for row in rows) / sum(row["self_s"] for row in rows)
    whole = {"samples": 1, "interval_ms": 1, "overhead_ms": 1, "share": {"interpreted": 1 - share, "native": share, "compile": 0}}
    return json.dumps({"kiln_report": 1, "functions": rows, **whole, "processes": []})


class ReportCommands(unittest.TestCase):
    """Each test has a folder of its own."""

    def setUp(self) -> None:
        self.folder = os.path.realpath(tempfile.mkdtemp(prefix="launcher"))
        self.addCleanup(shutil.rmtree, self.folder)

    def kiln(self, *args: str, status: int = 0, **env: str) -> str:
        """What a command prints, which must end with this status and without errors."""
        result = run_kiln("-m", "kiln", *args, cwd=self.folder, **env)
        self.assertEqual((result.returncode, result.stderr), (status, ""), result.stdout)
        return result.stdout

    def test_diff(self) -> None:
        """Changes are told from noise, and tiers that changed are named with their reason."""
        before = [("steady", 5.0, "native"), ("mended", 4.0, "interpreted"), ("spoilt", 1.0, "native"), ("gone", 0.5, "native")]
        after = [("steady", 5.1, "native"), ("mended", 0.4, "native"), ("spoilt", 3.0, "interpreted"), ("tiny", 0.001, "native")]
        write_files(self.folder, {"a.json": report_of(before), "b.json": report_of(after)})
        text = self.kiln("diff", "a.json", "b.json")
        parts = dict.fromkeys(("not native any more:", "native now:", "slower:", "faster:"), "")
        heading = ""
        for line in text.splitlines():
            heading = line if line in parts else heading
            if heading:
                parts[heading] += line + "\n"
        self.assertIn("spoilt p.py:3", parts["not native any more:"])
        self.assertIn("A001 line 3: yield", parts["not native any more:"])
        self.assertIn("mended p.py:2", parts["native now:"])
        self.assertIn("spoilt", parts["slower:"])
        self.assertIn("3.00x", parts["slower:"])
        self.assertNotIn("mended", parts["slower:"])
        self.assertIn("mended", parts["faster:"])
        self.assertIn("gone", parts["faster:"])
        self.assertNotIn("steady", text)
        self.assertTrue(text.startswith("10.500 s -> 8.501 s, 0.81x: a change\nnative 62 % -> 65 %\n"), text)

    def test_diff_of_equal_runs(self) -> None:
        """Two runs of the same program do not differ."""
        write_files(self.folder, {"a.json": report_of([("f", 1.0, "native")]), "b.json": report_of([("f", 1.06, "native")])})
        text = self.kiln("diff", "a.json", "b.json")
        self.assertIn("within noise\n", text.splitlines()[0] + "\n")
        self.assertEqual(text.splitlines()[-1], "1 function within noise, 0 too small to tell")
        result = run_kiln("-m", "kiln", "diff", "a.json", "missing.json", cwd=self.folder)
        self.assertEqual((result.returncode, result.stdout), (1, ""))

    def test_spoilt_reports(self) -> None:
        """Files that are no reports are refused in the same words by all commands; what a report lacks counts as nothing."""
        whole = json.loads(report_of([("f", 1.0, "native")]))
        function = whole["functions"][0]
        lacking = [
            {"kiln_report": 1},
            {**whole, "functions": [{"name": 3}]},
            {**whole, "functions": [{**function, "roots": [{}], "lines": [{"line": "x"}]}], "interval_ms": None},
            {**whole, "stacks": {"frames": [[0, {}, "c"], [7]], "nodes": [[-1, 0, "x", 1e308], ["x", 0, 1, 1e308], [5, 9, 1]]}},
        ]
        broken = ["", "x", "{}", "[]", '{"kiln_report": 2}', "[" * 10_000, '{"kiln_report": 1, "samples": Infinity}', b"\xff"]
        write_files(self.folder, {"good.json": json.dumps(whole), "p.py": "def f(): pass\n"})
        commands = (
            ["report", "bad.json"], ["report", "bad.json", "good.json"], ["report", "bad.json", "--html", "out.html"],
            ["report", "bad.json", "--source", "/p.py"], ["diff", "bad.json", "good.json"], ["diff", "good.json", "bad.json"],
            *(["report", "bad.json", "--export", f"out.{form}"] for form in ("speedscope.json", "trace.json", "folded", "pb.gz")),
        )  # fmt: skip
        for content in (*broken, *map(json.dumps, lacking)):
            write_files(self.folder, {"bad.json": content})
            for command in commands:
                with self.subTest(content=content[:60], command=command):
                    result = run_kiln("-m", "kiln", *command, cwd=self.folder)
                    self.assertNotIn("Traceback", result.stderr)
                    if content in broken:
                        self.assertRegex(result.stderr, "^kiln: cannot show bad.json: .*\n$")
                        self.assertEqual((result.returncode, result.stdout), (1, ""))
                    elif "--source" not in command:
                        self.assertEqual((result.returncode, result.stderr), (0, ""))

    def test_source_of_files_with_one_name(self) -> None:
        """Each function is shown with the text of its own file; names may have colons."""
        write_files(self.folder, {"a/p:q.py": "def first():\n    pass  # a\n", "b/p:q.py": "def second():\n    pass  # b\n"})
        report = json.loads(report_of([("first", 1.0, "native"), ("second", 1.0, "native")]))
        for function, folder in zip(report["functions"], "ab"):
            function.update(file=f"{self.folder}/{folder}/p:q.py", first_line=1, roots=[], lines=[{"line": 2, "self_s": 1.0}])
        write_files(self.folder, {"out.json": json.dumps(report)})
        text = self.kiln("report", "out.json", "--source", "p:q.py")
        self.assertRegex(text, r"(?s)first .*# a\n.*second .*# b\n")
        text = self.kiln("report", "out.json", "--source", "p:q.py:second")
        self.assertIn("# b", text)
        self.assertNotIn("# a", text)

    def test_file_names_that_are_no_text(self) -> None:
        """Their source is found, in the terminal and for the page, and bisect can name them."""
        name = os.fsdecode(b"n\xff\xe9.py")
        write_files(self.folder, {name: GOES_WRONG.replace("WATCHED", "[bad]").replace("STATUS", "1")})
        for report in ("out.json", "out.html"):
            run_kiln(name, cwd=self.folder, KILN_REPORT=report, KILN_JIT="always")
        for wish in (name, f"{name}:bad", os.path.join(self.folder, name)):
            self.assertIn("s += i * 3", self.kiln("report", "out.json", "--source", wish))
        self.assertEqual(self.kiln("report", "out.json", "--html", "other.html"), "")
        for page in ("out.html", "other.html"):
            with open(os.path.join(self.folder, page), encoding="utf-8") as file:
                self.assertIn("s += i * 3", file.read())
        text = self.kiln("bisect", "--", name, KILN_JIT="always")
        self.assertRegex(text, r"n\\udcff\\udce9\.py:12\n")

    @unittest.skipUnless(os.path.exists("/dev/full"), "needs /dev/full")
    def test_output_that_cannot_be_written(self) -> None:
        """Is said in a line; closed output is no mistake."""
        write_files(self.folder, {"out.json": report_of([("f", 1.0, "native")])})
        for command in (["report", "out.json"], ["completion", "bash"], ["manual"], ["explain"], ["diff", "out.json", "out.json"]):
            shell = " ".join(["exec", shlex.quote(KILN), "-m", "kiln", *command])
            for redirect, expected in (">/dev/full", (1, "kiln: cannot write the output: No space left on device\n")), (">&-", (0, "")):
                done = subprocess.run(
                    ["sh", "-c", f"{shell} {redirect}"], cwd=self.folder, env=clean_environment(), capture_output=True, text=True,
                    timeout=120,
                )  # fmt: skip
                self.assertEqual((done.returncode, done.stderr), expected, (command, redirect))

    def test_files_that_cannot_be_written(self) -> None:
        """Nothing stays of them."""
        os.mkdir(os.path.join(self.folder, "is.html"))
        write_files(self.folder, {"out.json": report_of([("f", 1.0, "native")])})
        result = run_kiln("-m", "kiln", "report", "out.json", "--html", "is.html", cwd=self.folder)
        self.assertEqual((result.returncode, result.stderr), (1, "kiln: cannot write is.html: Is a directory\n"))
        self.assertEqual(sorted(os.listdir(self.folder)), ["is.html", "out.json"])

    def bisect(self, watched: str, status: str = "0", **env: str) -> str:
        source = GOES_WRONG.replace("WATCHED", f"[{watched}]").replace("STATUS", status)
        write_files(self.folder, {"p.py": source})
        return self.kiln("bisect", "--", "p.py", KILN_JIT="always", **env)

    def test_bisect(self) -> None:
        """By output; functions and methods that go wrong by themselves are found one after the other."""
        lines = self.bisect("bad, Holder.worse").splitlines()
        named = {line.strip() for line in lines if line.startswith(f"  {self.folder}/p.py:") and "after" not in line}
        self.assertEqual(named, {f"{self.folder}/p.py:12", f"{self.folder}/p.py:21"})
        excluded = lines[-1].removeprefix("until that is mended: KILN_EXCLUDE=")
        for value in excluded, "bad,Holder.worse":
            done = run_kiln("p.py", cwd=self.folder, KILN_JIT="always", KILN_EXCLUDE=value)
            self.assertEqual((done.stdout, done.returncode), ("right\n", 0))

    def test_messages_say_what_helps(self) -> None:
        """A file that is no report, a folder that is not there, a command that is missing."""
        write_files(self.folder, {"page.html": "<!DOCTYPE html>", "out.json": json.dumps({"kiln_report": 1, "functions": []})})
        for command, message in (
            ("report missing.json", "cannot read missing.json: No such file or directory; KILN_REPORT=FILE.json kiln PROGRAM.py writes a"),
            ("report page.html", "cannot show page.html: not JSON: line 1: expected a value; KILN_REPORT=FILE.json kiln PROGRAM.py writes"),
            ("diff page.html page.html", "cannot show page.html: not JSON: line 1: expected a value; KILN_REPORT=FILE.json kiln "),
            ("report out.json --html no/such/place.html", "cannot write no/such/place.html: there is no folder no/such\n"),
            ("report out.json --source x.py:f", "the report has nothing of x.py:f"),
        ):
            result = run_kiln("-m", "kiln", *command.split(), cwd=self.folder)
            self.assertEqual((result.returncode, result.stdout), (1, ""))
            self.assertTrue(result.stderr.startswith(f"kiln: {message}"), result.stderr)
        alone = run_kiln("-m", "kiln")
        self.assertEqual((alone.returncode, alone.stdout), (2, ""))
        self.assertEqual(alone.stderr, self.kiln("--help"))

    def test_bisect_by_status(self) -> None:
        """A program whose output varies by itself is judged by its exit status."""
        source = "import time\nprint(time.time())\n" + GOES_WRONG.replace("WATCHED", "[better]").replace("STATUS", "3")
        write_files(self.folder, {"p.py": source})
        text = self.kiln("bisect", "--", "p.py", KILN_JIT="always")
        self.assertIn("only exit statuses are compared", text)
        self.assertIn(f"\n  {self.folder}/p.py:18\n", text)

    def test_bisect_of_a_right_program(self) -> None:
        """Nothing is searched."""
        write_files(self.folder, {"p.py": "import sys\nprint(sum(range(1000)), sys.argv)\n"})
        text = self.kiln("bisect", "--", "p.py", "-x", "--html")
        self.assertEqual(text, "the program does the same with and without the compiler\n")

    def test_bisect_of_programs_that_end_badly(self) -> None:
        """How is said, since it may not be what was meant."""
        write_files(self.folder, {"ends.py": "import os, sys\nos.kill(os.getpid(), 9) if sys.argv[1:] else None\nwhile True: pass\n"})
        same = "the program does the same with and without the compiler"
        self.assertRegex(self.kiln("bisect", "--", "missing.py"), f"\\A{same}: it ends with status 2, after: .*missing.py': \\[Errno 2\\] .*\n\\Z")
        self.assertEqual(self.kiln("bisect", "--", "ends.py", "x"), f"{same}: signal 9 ends it\n")
        for timeout, message in (("0.5", "is not over after 0.5 s; --timeout"), ("nan", "--timeout is a number"), ("-1", "--timeout is a number")):
            result = run_kiln("-m", "kiln", "bisect", f"--timeout={timeout}", "--", "ends.py", cwd=self.folder)
            self.assertEqual((result.returncode, result.stdout), (1, ""))
            self.assertIn(message, result.stderr)

    def test_excluded_code_says_so(self) -> None:
        """In the report; by name and by folder. Another folder, whose name begins the same, is none of them."""
        program = "def f(n):\n    for i in range(n): pass\nfor _ in range(3): f(30000)\n"
        write_files(self.folder, {"some/p.py": program, "list": "f\n"})
        for value, codes in (("@list", {"A014"}), (f"g,{self.folder}/some/", {"A014"}), (f"{self.folder}/so/", set())):
            run_kiln("some/p.py", cwd=self.folder, KILN_REPORT="out.json", KILN_EXCLUDE=value, KILN_JIT="always")
            with open(os.path.join(self.folder, "out.json"), encoding="utf-8") as file:
                functions = json.load(file)["functions"]
            [f] = [function for function in functions if function["name"] == "f" and function["file"].endswith("p.py")]
            self.assertEqual({root["refusal"]["code"] for root in f["roots"] if root["refusal"]}, codes)
            self.assertFalse(codes and f["share"]["native"])


if __name__ == "__main__":
    unittest.main()
