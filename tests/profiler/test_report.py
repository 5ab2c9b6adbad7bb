"""Reports of whole programs: what is written, when, and by which process. Usage: test_report.py KILN [unittest options]."""

import os
import signal
import subprocess
import sys
import time
import unicodedata

import report_case
from report_case import ReportTest

LOOPS = """import time

def light(n):
    s = 0
    for i in range(n):
        s = (s + i * i) % 1000003
    return s

def heavy(n):
    s = 0
    for i in range(3 * n):
        s = (s + i * i) % 1000003
    return s

def main(seconds, n):
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        light(n)
        heavy(n)

main({seconds}, 20000)
"""

# The same with a known cost: prints which part of the time went into heavy(), about three quarters. By the clock, since
# samples are weighted by it too: on a busy machine other processes take more of the one function's time than of the other's.
KNOWN_COST = LOOPS.replace("main({seconds}, 20000)", """
def measure(seconds, n):
    clock = time.perf_counter
    spent, end = [0.0, 0.0], clock() + seconds
    while clock() < end:
        start = clock()
        light(n)
        middle = clock()
        heavy(n)
        spent = [spent[0] + middle - start, spent[1] + clock() - middle]
    return spent[1] / sum(spent)

print(measure({seconds}, 20000))
""")

# By the thread's own clock: on a busy machine the wall's may run on while the program, or the sampler, waits for a core.
SPIN = "import time\nend = time.thread_time() + {seconds}\nwhile time.thread_time() < end: pass\n"


def straight_line(name: str, lines: int) -> str:
    """A function without loops or calls, whose time is `lines` times that of one line."""
    return f"def {name}(x):\n    a = x\n" + "    a = a + x - 3 + (x & 7)\n" * lines + "    return a\n"


class Contents(ReportTest):
    def test_schema(self) -> None:
        done = self.run_source(LOOPS.format(seconds=0.3), "out.json")
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))
        report = self.read()
        self.assertEqual(report["kiln_report"], 1)
        self.assertGreater(report["samples"], 10)
        self.assertEqual(report["interval_ms"], 1)
        self.assertGreater(report["overhead_ms"], 0)
        self.assertEqual([process["command"] for process in report["processes"]], ["program.py"])
        heavy = self.function(report, "heavy")
        self.assertEqual((heavy["file"], heavy["first_line"]), (os.path.join(self.directory, "program.py"), 9))
        self.assertGreater(heavy["samples"], 0)
        self.assertGreaterEqual(heavy["cumulative_s"], heavy["self_s"])
        self.assertEqual(set(heavy["calls"]), {"interpreted", "native"})
        self.assertIn(heavy["tier"], {"interpreted", "compiling", "native"})
        self.assertAlmostEqual(sum(heavy["share"].values()), 1, places=4)
        self.assertLessEqual({line["line"] for line in heavy["lines"]}, set(range(9, 14)))
        for root in (root for function in report["functions"] for root in function["roots"]):
            self.assertIn(root["kind"], {"loop", "function"})
            self.assertIn(root["state"], {"counting", "recording", "compiling", "compiled", "blacklisted"})
            self.assertEqual(set(root["iterations"]), {"interpreted", "native"})
            for member in "line compiles compile_ms refusal exits opaque".split():
                self.assertIn(member, root)

    def test_functions_are_sorted_and_cumulative(self) -> None:
        self.run_source(LOOPS.format(seconds=0.5), "out.json", KILN_JIT="off")
        report = self.read()
        times = [function["self_s"] for function in report["functions"]]
        self.assertEqual(times, sorted(times, reverse=True))
        main, total = self.function(report, "main"), sum(times)
        self.assertLess(main["self_s"], 0.2 * total)
        self.assertGreater(main["cumulative_s"], 0.6 * total)

    def assert_known_cost(self, report: dict, share: str) -> None:
        """The report agrees with the share of heavy()'s time that the program printed."""
        heavy, light = self.function(report, "heavy")["self_s"], self.function(report, "light")["self_s"]
        self.assertGreater(heavy + light, 0.5)
        self.assertAlmostEqual(heavy / (heavy + light), float(share), delta=0.05)

    def test_known_cost_interpreted(self) -> None:
        done = self.run_source(KNOWN_COST.format(seconds=2), "out.json", KILN_JIT="off")
        report = self.read()
        self.assert_known_cost(report, done.stdout)
        self.assertEqual(report["share"]["native"], 0)

    def test_known_cost_compiled(self) -> None:
        done = self.run_source(KNOWN_COST.format(seconds=3), "out.json")
        report = self.read()
        if not any(function["roots"] for function in report["functions"]):
            self.skipTest("this kiln counts and compiles nothing")
        heavy = self.function(report, "heavy")
        self.assertEqual(heavy["tier"], "native")
        self.assert_known_cost(report, done.stdout)
        self.assertGreater(heavy["share"]["native"], 0.05)  # nearly all, where the compiler has a core of its own

    def test_functions_without_loops_get_their_own_time(self) -> None:
        # Tens of microseconds each: the sampler's look at a stack takes a few.
        source = "import time\n" + straight_line("light", 300) + straight_line("heavy", 900)
        source += KNOWN_COST[KNOWN_COST.index("\ndef measure") :].format(seconds=2)
        done = self.run_source(source, "out.json", KILN_JIT="off")
        self.assert_known_cost(self.read(), done.stdout)

    def test_threads(self) -> None:
        source = "import threading\ndef spin():\n    s = 0\n    for i in range(4000000): s += i\n"
        source += "thread = threading.Thread(target=spin)\nthread.start()\nthread.join()\n"
        self.run_source(source, "out.json", KILN_JIT="off")
        report = self.read()
        self.assertGreater(self.function(report, "spin")["self_s"], 0.7 * sum(f["self_s"] for f in report["functions"]))

    def test_subinterpreters_are_their_callers_time(self) -> None:
        inside = "for i in range(3000):\n    exec('def f():\\n  for i in range(2000): pass\\nf()', {})\n"
        source = f"import _testcapi\ndef outside():\n    _testcapi.run_in_subinterp({inside!r})\noutside()\n"
        done = self.run_source(source, "out.json", KILN_JIT="off")
        if "No module named '_testcapi'" in done.stderr:
            self.skipTest("this Python has no test modules")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        report = self.read()
        self.assertGreater(self.function(report, "outside")["self_s"], 0.1)
        self.assertEqual([function for function in report["functions"] if function["name"] == "f"], [])

    def test_a_blocking_call_is_the_callers_time(self) -> None:
        self.run_source("import time\ndef wait():\n    time.sleep(0.3)\nwait()\n", "out.json")
        wait = self.function(self.read(), "wait")
        self.assertGreater(wait["self_s"], 0.2)
        self.assertEqual([line["line"] for line in wait["lines"] if line["samples"] > 9], [3])


EDGES = """
class Pair:
    def __init__(self, a, b=1): self.a, self.b = a, b
    def __add__(self, other): return Pair(self.a + other.a)
    @property
    def both(self): return self.a + self.b
def weigh(x, n=9, *, scale=3, a=0, b=0, c=0, d=0, e=0, f=0, g=0, h=0, i=0, j=0, k=0, l=0, m=0, o=0, p=0, q=0, r=0, s=0, t=0, u=0):
    total = 0
    for i in range(n): total += x * i % 7 * scale
    return total
def feed(n):
    for i in range(n): yield weigh(i, scale=2)
def main(n):
    total = Pair(0)
    for i in range(n):
        total = total + Pair(i)
        total.a += total.both & 1
    return total.a
print(main(30000), sum(feed(30000)))
"""


class Windows(ReportTest):
    def test_edges_and_calls_taken_over(self) -> None:
        """Properties, operators and constructors are edges, too; calls with more parameters than are bound at once are
        taken over in windows."""
        source = EDGES + report_case.settle("sum(feed(2000))") + "sum(feed(30000))\n"
        done = self.run_source(source, "out.json", KILN_THRESHOLD="1000")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        report = self.read()
        edges = {(edge["caller"], edge["line"], edge["callee"]): edge["arguments"] for edge in report["edges"]}
        self.assertEqual(edges[("main", 16, "Pair.__add__")], ["Pair", "Pair"])
        self.assertEqual(edges[("main", 16, "Pair.__init__")], ["Pair", "int", "int"])
        self.assertEqual(edges[("main", 17, "Pair.both")], ["Pair"])
        (windows,) = report["windows"]
        self.assertGreater(windows["taken_over"], 20000)
        self.assertEqual(windows["refused"], 0)
        for report in "", "0":  # whether or not the reader reports itself
            shown = self.run_kiln("-m", "kiln", "report", "out.json", report=report)
            self.assertIn("calls taken over\n", shown.stdout)
        self.run_source(EDGES, "out.json", KILN_JIT="off")
        self.assertEqual(self.read().get("windows", []), [])

    def test_another_hook(self) -> None:
        """While perf's trampoline is the hook no compiled code runs, so that no window is asked for."""
        source = EDGES + "import sys\nsys.activate_stack_trampoline('perf')\nprint(sum(feed(3000)))\n"
        source += "print(sys.is_stack_trampoline_active())\nsys.deactivate_stack_trampoline()\n"
        source += "import os\nos.remove(f'/tmp/perf-{os.getpid()}.map')\n"
        done = self.run_source(source, "out.json", KILN_JIT="always")
        self.assertEqual((done.returncode, done.stdout.split()[-1], done.stderr), (0, "True", ""))
        (windows,) = self.read()["windows"]
        self.assertEqual(windows["refused"], 0)
        self.assertGreater(windows["taken_over"], 0)

    def test_children_are_added(self) -> None:
        source = EDGES + "import os\nif os.fork() == 0:\n    sum(feed(30000))\n    os._exit(0)\nos.wait()\n"
        done = self.run_source(source, "1", KILN_JIT="always")
        self.assertRegex(done.stderr, r"6\d\.\dk windows of the frame hook, 6\d\.\dk calls taken over\n$")


class Table(ReportTest):
    def test_is_on_stderr_and_narrow(self) -> None:
        name = "計算_" + "very_long_name_" * 10
        done = self.run_source(LOOPS.format(seconds=0.3).replace("heavy", name), "1")
        self.assertEqual((done.returncode, done.stdout), (0, ""))
        lines = done.stderr.splitlines()
        self.assertRegex(lines[1], r"^self%\s+cum%\s+self s\s+calls\s+tier\s+i/n/c %\s+compiles\s+exits\s+function$")
        self.assertTrue(any("計算_very" in line and "program.py:9" in line for line in lines), done.stderr)
        self.assertRegex(lines[-1], r"^interpreted \(i\) \d+% · native \(n\) \d+% · waiting for the compiler \(c\) \d+%$")
        self.assertRegex(lines[-2], r"^\d+ samples, every 1.0 ms, overhead [\d.]+ ms \([\d.]+ %\)$")
        for line in lines:
            columns = sum(2 if unicodedata.east_asian_width(character) in "WF" else 1 for character in line)
            self.assertLessEqual(columns, 100, line)
        self.assert_no_leftovers()

    def test_shown_again_from_json(self) -> None:
        self.run_source(LOOPS.format(seconds=0.3), "out.json")
        shown = self.run_kiln("-m", "kiln", "report", "out.json", report="0")
        self.assertEqual((shown.returncode, shown.stderr), (0, ""))
        self.assertIn(" heavy program.py:9\n", shown.stdout)
        refused = self.run_kiln("-m", "kiln", "report", "program.py", report="0")
        self.assertEqual((refused.returncode, refused.stdout), (1, ""))
        self.assertIn("not JSON", refused.stderr)

    def test_not_asked_for(self) -> None:
        for arguments, variables in ((["-I"], {}), (["-E"], {}), ([], {"KILN": "0"})):
            done = self.run_kiln(*arguments, "-c", "print(1)", report="1", **variables)
            self.assertEqual((done.stdout, done.stderr), ("1\n", ""), arguments)
        source = "import os, threading; print(len(os.listdir('/proc/self/task')), '_KILN_REPORT' in os.environ)"
        self.assertEqual(self.run_kiln("-c", source, report="0").stdout, "1 False\n")


class Ends(ReportTest):
    def assert_written(self, source: str, status: int, error: str = "") -> None:
        for report in ("1", "out.json"):
            done = self.run_source(SPIN.format(seconds=0.1) + source, report)
            self.assertEqual(done.returncode, status, done.stderr)
            self.assertIn(error, done.stderr)
            if report == "1":
                self.assertEqual(done.stderr.count("kiln report:"), 1, done.stderr)
            else:
                self.assertGreater(self.function(self.read(), "<module>")["self_s"], 0.05)
                os.remove(os.path.join(self.directory, "out.json"))
        self.assert_no_leftovers()

    def test_exits(self) -> None:
        self.assert_written("", 0)
        self.assert_written("import sys; sys.exit(3)", 3)
        self.assert_written("raise SystemExit('bye')", 1, "bye")
        self.assert_written("1 / 0", 1, "ZeroDivisionError: division by zero")
        self.assert_written("import os; os._exit(4)", 4)
        self.assert_written("import os, signal; os.kill(os.getpid(), signal.SIGINT)", -signal.SIGINT, "KeyboardInterrupt")
        self.assert_written("import atexit; atexit._clear()", 0)
        self.assert_written("import os; os.chdir('/')", 0)
        self.assert_written("import ctypes; ctypes.CDLL(None).exit(5)", 5)

    def test_a_failing_exit_call_is_no_end(self) -> None:
        self.assert_written("import os\ntry: os._exit('no')\nexcept TypeError: pass\nos._exit(6)", 6)

    def terminate(self, source: str, report: str) -> tuple[int, str, str, float]:
        """Sends SIGTERM a moment after the program has printed a line: its status, output, and seconds to its end."""
        process = subprocess.Popen(
            [report_case.kiln, "-c", source], env=self.environment(report), cwd=self.directory, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )
        line = process.stdout.readline()
        time.sleep(0.3)
        start = time.monotonic()
        process.terminate()
        output, error = process.communicate(timeout=60)
        return process.returncode, line + output, error, time.monotonic() - start

    def test_sigterm(self) -> None:
        ready = "print('ready', flush=True)\n"
        sources = {
            "spinning": ready + "while True: pass",
            "sleeping": ready + "import time; time.sleep(60)",
            "waiting": ready + "import threading\ndef f():\n  while True: pass\nthreading.Thread(target=f).start()",
        }
        for name, source in sources.items():
            with self.subTest(name):
                status, _, error, seconds = self.terminate(source, "1")
                self.assertEqual(status, -signal.SIGTERM)
                self.assertEqual(error.count("kiln report: "), 1, error)
                self.assertNotIn("too short", error)
                self.assertLess(seconds, 1.5)
        status, _, error, _ = self.terminate(sources["spinning"], "out.json")
        self.assertEqual((status, error), (-signal.SIGTERM, ""))
        self.assertGreater(self.function(self.read(), "<module>")["self_s"], 0.1)
        self.assert_no_leftovers()

    def test_sigterm_while_c_code_keeps_the_lock(self) -> None:
        source = "print('ready', flush=True)\ndef stuck():\n    max(iter(int, 1))\nstuck()"
        status, _, error, seconds = self.terminate(source, "1")
        self.assertEqual(status, -signal.SIGTERM)
        self.assertIn("stuck <string>:2", error)
        self.assertLess(seconds, 20)

    def test_sigterm_that_the_end_overtakes(self) -> None:
        source = "import ctypes\nprint('ready', flush=True)\nctypes.PyDLL(None).sleep(20)"
        status, _, error, seconds = self.terminate(source, "1")
        self.assertEqual((status, error.count("kiln report:")), (-signal.SIGTERM, 1))
        self.assertLess(seconds, 1.5)

    def test_sigterm_belongs_to_the_program(self) -> None:
        source = "import signal, sys\nprint(signal.getsignal(signal.SIGTERM) is signal.SIG_DFL, flush=True)\n"
        status, output, _, _ = self.terminate(source + "while True: pass", "1")
        self.assertEqual((status, output), (-signal.SIGTERM, "True\n"))
        own = "signal.signal(signal.SIGTERM, lambda *_: sys.exit(9))\nwhile True: pass"
        status, _, error, _ = self.terminate(source + own, "1")
        self.assertEqual((status, error.count("kiln report:")), (9, 1))


class Children(ReportTest):
    FORK = "import os\npid = os.fork()\n" + SPIN.format(seconds=0.2) + "if pid:\n    os.waitpid(pid, 0)\nelse:\n    os._exit(0)\n"
    SPAWN = "import subprocess, sys, os\nchild = " + repr(SPIN.format(seconds=0.2)) + "\n"
    SPAWN += "subprocess.run([sys.executable, '-c', child], env=dict(os.environ), cwd='/', check=True)\n"
    POOL = "import concurrent.futures, multiprocessing, time\ndef work(_):\n"
    POOL += "    end = time.perf_counter() + 0.1\n    while time.perf_counter() < end: pass\nif __name__ == '__main__':\n"
    POOL += "    context = multiprocessing.get_context('{method}')\n"
    POOL += "    with concurrent.futures.ProcessPoolExecutor(2, context) as pool: list(pool.map(work, range(4)))\n"

    def test_add_rows_to_the_table(self) -> None:
        sources = {"fork": (self.FORK, 2), "spawn": (self.SPAWN, 2), "pool": (self.POOL.format(method="fork"), 3)}
        sources["spawned pool"] = (self.POOL.format(method="spawn"), 3)
        for name, (source, processes) in sources.items():
            with self.subTest(name):
                done = self.run_source(source, "1", KILN_JIT="off")
                self.assertEqual((done.returncode, done.stdout), (0, ""))
                self.assertEqual(done.stderr.count("kiln report:"), 1, done.stderr)
                count = int(done.stderr.split(" processes")[0].split()[-1])
                self.assertGreaterEqual(count, processes, done.stderr)
                self.assert_no_leftovers()

    def test_write_files_beside_the_parents(self) -> None:
        for name, source in {"fork": self.FORK, "spawn": self.SPAWN}.items():
            with self.subTest(name):
                done = self.run_source(source, "out.json", KILN_JIT="off")
                self.assertEqual((done.returncode, done.stderr), (0, ""))
                [child] = [file for file in os.listdir(self.directory) if file.startswith("out.") and file != "out.json"]
                report = self.read(child)
                self.assertEqual(child, f"out.{report['processes'][0]['pid']}.json")
                self.assertGreater(self.function(report, "<module>")["self_s"], 0.1)
                self.assertLess(self.function(report, "<module>")["self_s"], report["processes"][0]["elapsed_s"] + 0.05)
                self.assertEqual(len(self.read()["processes"]), 1)
                os.remove(os.path.join(self.directory, child))

    def test_no_fork_warning(self) -> None:
        source = "import os, warnings\nwarnings.simplefilter('error')\n"
        source += "os.register_at_fork(after_in_parent=lambda: sum(range(200000)))\n"
        source += SPIN.format(seconds=0.05) + self.FORK * 2
        source += SPIN.format(seconds=0.05)
        source += "import pathlib\nprint([file.read_text() for file in pathlib.Path('/proc/self/task').glob('*/comm')])\n"
        done = self.run_source(source, "out.json")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("kiln-sampler", done.stdout, "it must be back")

    def test_a_child_with_another_wish_has_it(self) -> None:
        source = self.SPAWN.replace("dict(os.environ)", "dict(os.environ, KILN_REPORT=os.getcwd() + '/other.json')")
        done = self.run_source(source, "1")
        self.assertNotIn("processes", done.stderr)
        self.assertEqual(len(self.read("other.json")["processes"]), 1)


class Errors(ReportTest):
    def test_values_that_cannot_be_obeyed(self) -> None:
        unknown = " is not understood: expected one of 0|1|live|FILE.json|FILE.html"
        unwritable = ": the report cannot be written there: "
        os.mkdir(os.path.join(self.directory, "folder.json"))
        for report, message in {
            "out.txt": unknown,
            ".html": unknown,
            "yes": unknown,
            ".json": unknown,
            "/no/such/place/out.json": unwritable + "there is no folder /no/such/place",
            "program.py/out.json": unwritable + "Not a directory",
            "folder.json": unwritable + "Is a directory",
            "long" * 70 + ".json": unwritable + "File name too long",
            "/proc/out.json": unwritable + "No such file or directory",
        }.items():
            done = self.run_source("print(1)", report)
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertEqual(done.stderr, f"kiln: error: KILN_REPORT={report}{message}; nothing was run\n")

    def test_the_trial_leaves_nothing(self) -> None:
        """While the program runs there is the old file, or none."""
        source = "import os; print(sorted(os.listdir()))"
        self.assertEqual(self.run_source(source, "out.json").stdout, "['program.py', 'temporary']\n")
        with open(os.path.join(self.directory, "out.json"), "w", encoding="utf-8") as file:
            file.write("old")
        done = self.run_source(source + "; print(open('out.json').read())", "out.json")
        self.assertEqual(done.stdout, "['out.json', 'program.py', 'temporary']\nold\n")
        self.assertEqual(self.read()["kiln_report"], 1)

    def test_a_place_that_goes_away(self) -> None:
        source = "import os; os.mkdir('gone'); os.chdir('gone'); os.rmdir('../gone')"
        self.assertEqual(self.run_source(source, "out.json").returncode, 0)
        os.mkdir(os.path.join(self.directory, "gone"))
        done = self.run_source("import os; os.rmdir('gone')", "gone/out.json")
        self.assertEqual(done.returncode, 0)
        self.assertRegex(done.stderr, r"^kiln: cannot write the report .*/gone/out.json: there is no folder .*/gone\n$")


if __name__ == "__main__":
    report_case.main()
