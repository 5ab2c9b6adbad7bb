"""Tests of the benchmark driver: that wrong results and crashes are seen."""

import contextlib
import dataclasses
import io
import os
import pathlib
import re
import sys
import tempfile
import textwrap
import unittest
import unittest.mock

sys.path.insert(0, str(pathlib.Path(__file__).parent))

from child import run_child
from cpu.bars import BARS
from cpu.program import CpuProgram, load_program, load_programs
from everyday.bars import BARS as EVERYDAY_BARS
from everyday.program import load_program as load_everyday_program
from everyday.program import load_programs as load_everyday_programs
from gpu.tables import cpu_table, gpu_table, medians, varied_table
from gpu.varied import compare
from instructions.command import NATIVE, find_programs, parse_counts
from packages.program import REQUIREMENTS as PACKAGE_PINS
from packages.program import load_program as load_package_program
from packages.program import load_programs as load_package_programs
from progress import Progress
from pyperformance.program import REQUIREMENTS as PYPERFORMANCE_PINS
from pyperformance.program import Benchmark
from pyperformance.program import load_programs as load_benchmarks
from suite.bars import judge
from suite.command import Suite, run_command
from suite.native import gather_native
from suite.peers import NotInstalled, Peer
from suite.rounds import Measurement, check, measure, run_short

PLAIN = Peer("plain", (sys.executable,), "")
OPTIMISED = Peer("optimised", (sys.executable, "-O"), "")


def program_named(name: str, group: str = "numeric", tolerance: float = 0.0) -> CpuProgram:
    """Returns a program for tests that run nothing."""
    return CpuProgram(name, pathlib.Path(name), group, 1, 1, 1, (), "", tolerance, short_size=1 if group == "numeric" else 0)


class ProgressLines(unittest.TestCase):
    """How far a run is, as it is told."""

    def told(self, terminal: bool) -> str:
        """What two steps of three write, the third of which does not come."""
        output = io.StringIO()
        with contextlib.redirect_stderr(output), unittest.mock.patch.object(output, "isatty", lambda: terminal):
            progress = Progress(3)
            progress.step("one")
            progress.skip()
            progress.step("two")
            progress.finish()
        return output.getvalue()

    def test_lines_of_a_log(self) -> None:
        self.assertRegex(self.told(False), r"^bench: \[1/3\] one \(0 s\)\nbench: \[2/2\] two \(0 s\)\n$")

    def test_one_line_of_a_terminal(self) -> None:
        self.assertRegex(self.told(True), r"^\r\x1b\[K\[1/3\] one \(0 s\)\r\x1b\[K\[2/2\] two \(0 s\)\r\x1b\[K$")


class CountedInstructions(unittest.TestCase):
    """What callgrind_annotate prints is read as counts by function."""

    TEXT = """
--------------------------------------------------------------------------------
Ir
--------------------------------------------------------------------------------
10,300  PROGRAM TOTALS

Ir      file:function
 1,200  ???:0x0000000005a7607c [???]
   100  ???:0x0000000005a7607c'2 [???]
 5,000  ???:kiln::(anonymous namespace)::item(long const*, long) [/kiln/bin/kiln]
 3,000  /python/Objects/dictobject.c:dict_dealloc'2 [/kiln/bin/kiln]
 1,000  ./malloc/./malloc/malloc.c:free [/lib/libc.so.6]
"""

    def test_functions(self) -> None:
        item = "kiln::(anonymous namespace)::item(long const*, long)"
        self.assertEqual(parse_counts(self.TEXT), {NATIVE: 1300, item: 5000, "dict_dealloc": 3000, "free": 1000})

    def test_unknown_program(self) -> None:
        with self.assertRaisesRegex(ValueError, "no program named no_such"):
            find_programs(["bank", "no_such"])


class WrittenPrograms(unittest.TestCase):
    """Tests that write a program of their own and run it."""

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def write(self, body: str, table: str = '{"group": "other", "size": 3, "small": 2, "numba": "a test"}') -> CpuProgram:
        """Writes a program whose run() has this body, and loads it."""
        path = self.folder / "written.py"
        path.write_text(f"import os, sys\nBENCH = {table}\ndef run(n):\n{textwrap.indent(body, '    ')}\n"
                        "if __name__ == '__main__':\n    print(run(int(sys.argv[1])))\n")
        return load_program(path)

    def test_equal_results_give_figures(self) -> None:
        program = self.write("return n * 2")
        measurement = measure([program], [PLAIN, OPTIMISED], 2)
        self.assertEqual(measurement.problems, [])
        figures = measurement.figures["written", "optimised"]
        self.assertEqual([len(figures.first), len(figures.steady), len(figures.whole)], [2, 2, 2])
        self.assertGreater(min(figures.whole), max(figures.steady))
        self.assertGreater(min(figures.peak_kb), 1000)

    def test_short_processes(self) -> None:
        table = '{"group": "other", "size": 3, "short_size": -4, "small": 2, "numba": "a test"}'
        program = self.write("return n * 2", table)
        measurement = measure([program], [PLAIN, OPTIMISED], 2, 0.0)
        self.assertEqual((measurement.problems, measurement.results["written", -4]), ([], ("plain", "-8")))
        figures = measurement.figures["written", "optimised"]
        self.assertEqual((len(figures.short), len(figures.short_kb)), (2, 2))
        self.assertGreater(min(figures.short_kb), 1000)
        self.assertEqual(run_short(Measurement(), program, dataclasses.replace(PLAIN, numba=True)), [])
        self.assertEqual(measure([self.write("return n")], [PLAIN], 1, 0.0).figures["written", "plain"].short, [])
        wrong = self.write("return n + (n < 0) * sys.flags.optimize", table)
        self.assertIn("the result for -4", measure([wrong], [PLAIN, OPTIMISED], 1, 0.0).problems[0])

    def test_differing_result_is_a_problem(self) -> None:
        program = self.write("return sys.flags.optimize")
        for measurement in (measure([program], [PLAIN, OPTIMISED], 1), check([program], [PLAIN, OPTIMISED])):
            self.assertEqual(len(measurement.problems), 1)
            self.assertIn("written under optimised: the result for", measurement.problems[0])
            self.assertNotIn(("written", "optimised"), measurement.figures)

    def test_summary_says_what_is_compared(self) -> None:
        path = self.folder / "summed.py"
        path.write_text('import sys\nBENCH = {"group": "other", "size": 3, "small": 2, "numba": "a test"}\n'
                        "def run(n):\n    return [n, sys.flags.optimize]\n"
                        "def summary(result):\n    return f'first {result[0]}'\n"
                        "if __name__ == '__main__':\n    print(summary(run(int(sys.argv[1]))))\n")
        measurement = check([load_program(path)], [PLAIN, OPTIMISED])
        self.assertEqual((measurement.problems, measurement.results["summed", 2][1]), ([], "first 2"))

    def test_array_programs_run_where_numpy_is(self) -> None:
        (self.folder / "site").mkdir()
        (self.folder / "site" / "stand_in.py").write_text("value = 7\n")
        program = self.write("import stand_in\nreturn stand_in.value",
                             '{"group": "array", "size": 1, "small": 1, "kernels": ["run"]}')
        able = dataclasses.replace(PLAIN, numpy=str(self.folder / "site"))
        self.assertFalse(program.applicable(PLAIN))
        measurement = check([program], [PLAIN, able])
        self.assertEqual((measurement.problems, measurement.results["written", 1]), ([], ("plain", "7")))
        self.assertEqual(self.write("return n").environment(able), {})

    def test_result_that_changes_from_call_to_call_is_a_problem(self) -> None:
        program = self.write("global calls\ncalls = globals().get('calls', 0) + 1\nreturn calls")
        self.assertIn("call 2 gives 2", measure([program], [PLAIN], 1).problems[0])

    def test_reports_tell_how_soon_native_code_is_there(self) -> None:
        roots = ", ".join(f'{{"first_ms": {ms}}}' for ms in (0, 0.5, 2))
        program = self.write("for suffix in ('', '.7.json') if 'KILN_REPORT' in os.environ else ():\n"
                             "    with open(os.environ['KILN_REPORT'] + suffix, 'w') as file:\n"
                             f"        file.write('{{\"functions\": [{{\"roots\": [{roots}]}}, {{\"roots\": []}}]}}')\n"
                             "return n")
        kiln = dataclasses.replace(PLAIN, name="kiln")
        measurement = measure([program], [PLAIN, kiln], 1, 0.0)
        gather_native(measurement, [program], [PLAIN, kiln])
        self.assertEqual((measurement.problems, measurement.native_ms), ([], {"written": [0.5, 2, 0.5, 2]}))

    def test_failure_with_a_report_leaves_the_figures(self) -> None:
        program = self.write("return 'KILN_REPORT' in os.environ")
        kiln = dataclasses.replace(PLAIN, name="kiln")
        measurement = measure([program], [kiln], 1, 0.0)
        gather_native(measurement, [program], [kiln])
        self.assertIn("written under kiln with a report: the result for 3", measurement.problems[0])
        self.assertEqual((measurement.native_ms, list(measurement.figures)), ({}, [("written", "kiln")]))

    def test_unreadable_report_is_a_problem(self) -> None:
        program = self.write("if 'KILN_REPORT' in os.environ:\n    open(os.environ['KILN_REPORT'], 'w').write('{')\nreturn n")
        kiln = dataclasses.replace(PLAIN, name="kiln")
        measurement = measure([program], [kiln], 1, 0.0)
        gather_native(measurement, [program], [kiln])
        self.assertIn("written under kiln with a report: its report can't be read", measurement.problems[0])

    def test_calls_timed_by_processor_time(self) -> None:
        program = self.write("import time\ntime.sleep(0.2)\nreturn n")
        with unittest.mock.patch.dict(os.environ, {"BENCH_CLOCK": "thread_time"}):
            figures = measure([program], [PLAIN], 1, 0.0).figures["written", "plain"]
        self.assertLess(figures.steady[0], 0.1)
        self.assertGreater(figures.whole[0], 0.2)

    def test_crash_is_a_problem(self) -> None:
        program = self.write("if sys.flags.optimize:\n    os.abort()\nreturn 1")
        measurement = measure([program], [PLAIN, OPTIMISED], 2)
        self.assertEqual(measurement.problems, ["written under optimised: killed by SIGABRT"])

    def test_exception_is_a_problem(self) -> None:
        program = self.write("return n // 0")
        self.assertIn("ZeroDivisionError", check([program], [PLAIN]).problems[0])

    def test_malformed_tables_are_refused(self) -> None:
        for table in ('{"group": "numeric", "size": 1, "numba": "x"}',
                      '{"group": "numeric", "size": 1, "small": 1}',
                      '{"group": "numeric", "size": 1, "small": 1, "numba": "x", "kernels": ["run"]}',
                      '{"group": "fast", "size": 1, "small": 1, "numba": "x"}',
                      '{"group": "numeric", "size": "1", "small": 1, "numba": "x"}',
                      '{"group": "numeric", "size": 1, "small": 1, "numba": "x", "sise": 1}'):
            with self.subTest(table), self.assertRaises(ValueError):
                self.write("return 1", table)

    def test_program_without_a_table_is_refused(self) -> None:
        path = self.folder / "bare.py"
        path.write_text("def run(n):\n    return n\n")
        with self.assertRaises(ValueError):
            load_program(path)


class Benchmarks(unittest.TestCase):
    """Scripts written for pyperf, run with the stand-in for it."""

    SCRIPT = """
import os, sys, pyperf
TABLE = {"text": [1, 2.5]}
async def wait(n):
    TABLE["text"].append(n)
def spend(loops, n):
    TABLE["text"].append(sys.flags.optimize)
    return 0.25 * loops
runner = pyperf.Runner(add_cmdline_args=None)
runner.metadata["description"] = "a test"
runner.argparser.add_argument("--level", type=int, default=1)
level = runner.parse_args().level
runner.bench_func("plain", lambda n: {"object": object(), "level": n}, level)
runner.bench_time_func("timed", spend, level)
runner.bench_async_func("waiting", wait, level)
"""

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = pathlib.Path(folder.name) / "run_benchmark.py"
        self.path.write_text(self.SCRIPT)

    def benchmark(self, name: str, *arguments: str) -> Benchmark:
        """Returns one benchmark of the script."""
        return Benchmark(name, self.path, "test", 4, 1, 1, name, arguments)

    def test_times_and_results(self) -> None:
        benchmarks = [self.benchmark(name, "--level", "3") for name in ("plain", "waiting")]
        measurement = measure(benchmarks, [PLAIN, OPTIMISED], 1, 0.0)
        self.assertEqual(measurement.problems, [])
        self.assertGreater(measurement.figures["waiting", "plain"].whole[0], 0.0)

    def test_a_time_is_what_the_benchmark_tells_divided_by_its_loops(self) -> None:
        measurement = measure([self.benchmark("timed")], [PLAIN], 1, 0.0)
        self.assertEqual(measurement.figures["timed", "plain"].steady, [0.25])

    def test_what_is_left_in_globals_is_compared(self) -> None:
        for problems in (measure([self.benchmark("timed")], [PLAIN, OPTIMISED], 1, 0.0).problems,
                         check([self.benchmark("timed")], [PLAIN, OPTIMISED]).problems):
            self.assertEqual(len(problems), 1)
            self.assertIn("timed under optimised: the result for", problems[0])

    def test_a_name_that_the_script_lacks_is_a_problem(self) -> None:
        self.assertIn("gone under plain", check([self.benchmark("gone")], [PLAIN]).problems[0])


class Commands(unittest.TestCase):
    """The command line that the suites of programs share."""

    def suite(self, find) -> Suite:
        """Returns a suite of one program with one peer."""
        return Suite("test", "A test.", lambda: [program_named("one"), program_named("two")], {"python": find},
                     ("python",), [])

    def run_silently(self, suite: Suite, *arguments: str) -> tuple[int, str]:
        """Returns the exit status and what was printed."""
        output = io.StringIO()
        with contextlib.redirect_stdout(output), contextlib.redirect_stderr(output):
            status = run_command(suite, list(arguments))
        return status, output.getvalue()

    def test_list(self) -> None:
        self.assertEqual(self.run_silently(self.suite(None), "--list"), (0, "one\ntwo\n"))
        self.assertEqual(self.run_silently(self.suite(None), "--list", "--only", "two"), (0, "two\n"))

    def test_packages_that_cannot_be_installed(self) -> None:
        def find(options) -> Peer:
            raise NotInstalled("no network")

        self.assertEqual(self.run_silently(self.suite(find), "--check"), (77, "bench: no network\n"))

    def test_wrong_names(self) -> None:
        with self.assertRaises(SystemExit) as left:
            self.run_silently(self.suite(None), "--only", "three")
        self.assertEqual(left.exception.code, 2)


class Children(unittest.TestCase):
    """run_child."""

    def test_time_limit(self) -> None:
        done = run_child([sys.executable, "-c", "import time; time.sleep(60)"], 0.3)
        self.assertEqual(done.failure(), "ran into the time limit")
        self.assertLess(done.seconds, 30.0)

    def test_peak_memory_is_the_childs_own(self) -> None:
        done = run_child([sys.executable, "-c", "block = b'x' * (64 << 20)\ndel block\n"
                          "print(open('/proc/self/status').read().split('VmHWM:')[1].split()[0])"], 60.0)
        self.assertGreater(done.peak_kb, 64 << 10)
        self.assertLess(abs(done.peak_kb - int(done.output)), 2 << 10)

    def test_processor_time_is_that_of_all_threads_and_processes(self) -> None:
        spend = "import time\nwhile time.process_time() < 0.2: pass"
        done = run_child([sys.executable, "-c", f"import subprocess, sys, time\nsubprocess.run([sys.executable, '-c', "
                          f"{spend!r}])\n{spend}\ntime.sleep(0.2)"], 60.0)
        self.assertGreater(done.processor_seconds, 0.4)
        self.assertGreater(done.seconds, 0.6)

    def test_variables(self) -> None:
        done = run_child([sys.executable, "-c", "import os; print(os.environ['BENCH_A'], os.environ['PYTHONHASHSEED'])"],
                         60.0, {"BENCH_A": "b"})
        self.assertEqual(done.output, "b 0\n")

    def test_output_and_status(self) -> None:
        done = run_child([sys.executable, "-c", "import sys; print('out'); sys.exit('why')"], 60.0)
        self.assertEqual((done.status, done.output, done.failure()), (1, "out\n", "exit status 1: why"))


class Programs(unittest.TestCase):
    """The programs of the suite."""

    def test_bars_name_programs_that_exist(self) -> None:
        programs = load_programs()
        self.assertGreaterEqual(len(programs), 14)
        self.assertTrue(all(verdict.value is None for verdict in judge(Measurement(), programs, BARS)))
        self.assertLessEqual({"nested_float", "lucas"}, {program.name for program in programs})
        for program in programs:
            self.assertEqual(bool(program.short_size), program.group in ("numeric", "objects"), program.name)

    def test_everyday_programs(self) -> None:
        programs = load_everyday_programs()
        self.assertGreaterEqual(len(programs), 40)
        self.assertTrue(all(verdict.value is None for verdict in judge(Measurement(), programs, EVERYDAY_BARS)))
        for program in programs:
            with self.subTest(program.name):
                self.assertLess(program.small, program.size)
                self.assertRegex(program.path.read_text(), r"(?m)^def run\(size\):$")
                self.assertNotIn(program.name, sys.stdlib_module_names)  # a script's folder comes first on sys.path

    def test_everyday_programs_run_where_they_are_understood(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "written.py"
            path.write_text('BENCH = {"size": 2, "small": 1, "python": "3.10"}\n')
            program = load_everyday_program(path)
            old, enough = (dataclasses.replace(PLAIN, python=version) for version in ((3, 9), (3, 10)))
            self.assertEqual([program.applicable(peer) for peer in (PLAIN, old, enough)], [True, False, True])
            self.assertEqual(program.absence(), "not before Python 3.10: written")
            path.write_text('BENCH = {"size": 2, "small": 1}\n')
            self.assertEqual((load_everyday_program(path).applicable(old), load_everyday_program(path).absence()), (True, ""))
            for table in ('{"size": 2}', '{"size": 2, "small": 1, "python": "new"}', '{"size": 2, "small": 1, "python": 3.1}'):
                path.write_text(f"BENCH = {table}\n")
                with self.subTest(table), self.assertRaises(ValueError):
                    load_everyday_program(path)

    def test_pins_are_exact(self) -> None:
        for path in (PACKAGE_PINS, PYPERFORMANCE_PINS):
            for line in path.read_text().splitlines()[1:]:
                self.assertRegex(line, r"^[a-z0-9_.-]+==[a-z0-9.]+$", path)

    def test_programs_over_packages(self) -> None:
        programs = load_package_programs()
        self.assertGreaterEqual(len(programs), 25)
        pinned = set(re.findall(r"^[^=#\n]+", PACKAGE_PINS.read_text(), re.MULTILINE))
        for program in programs:
            with self.subTest(program.name):
                self.assertLess(program.small, program.size)
                self.assertRegex(program.path.read_text(), r"(?m)^def run\(size\):$")
                # A script's folder comes first on sys.path.
                self.assertNotIn(program.name, pinned | set(sys.stdlib_module_names))

    def test_tables_of_programs_over_packages(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "written.py"
            for table in ('{"size": 1}', '{"size": 1, "small": "1"}', '{"size": 1, "small": 1, "group": "other"}'):
                path.write_text(f"BENCH = {table}\n")
                with self.subTest(table), self.assertRaises(ValueError):
                    load_package_program(path)

    def test_benchmarks(self) -> None:
        benchmarks = load_benchmarks()
        self.assertGreaterEqual(len(benchmarks), 45)
        self.assertEqual(len({benchmark.name for benchmark in benchmarks}), len(benchmarks))
        self.assertEqual([benchmark.name for benchmark in benchmarks if benchmark.size.bit_count() != 1], [])


class GpuTables(unittest.TestCase):
    """The other suite's arithmetic."""

    def test_bars(self) -> None:
        figures = {"kiln": {"launch()": 4.5, "second kernel": 29.0, "vector add": 1.005, "matmul": 2.0},
                   "numba-cuda": {"launch()": 17.6, "vector add": 1.0, "matmul": 1.0}, "driver": {"launch()": 3.9}}
        lines = {line.split("  ")[0]: line for line in gpu_table(figures, ["kiln", "numba-cuda"]).splitlines()}
        self.assertRegex(lines["launch()"], "4.50 +17.6 +<= driver \\+ 0.5 MISSED$")
        self.assertRegex(lines["second kernel"], "29.0 +- +<= 30 reached$")
        self.assertRegex(lines["vector add"], "<= numba-cuda reached$")  # within what two runs differ by
        self.assertRegex(lines["matmul"], "<= numba-cuda MISSED$")
        self.assertRegex(lines["mandelbrot"], "ms +- +-$")

    def test_on_the_cpu(self) -> None:
        table = cpu_table({"vector add": 4.5, "matmul": 3.1}, {"vector add": 3.0, "matmul": 1.0})
        self.assertRegex(table, "vector add +ms +4.50 +3.00 +1.50x +<= 1.5x reached\n")
        self.assertRegex(table, "\nmatmul .*3.10x +<= 1.5x MISSED\n")

    def test_varied(self) -> None:
        table = varied_table({"kiln": {"a": 1.0, "b": 2.1}, "numba-cuda": {"a": 2.0, "b": 2.0}, "cupy": {"a": 1.0}})
        self.assertRegex(table, "\na +1.00 +2.00 +1.00 +0.50x +1.00x")
        self.assertRegex(table, "\nb +2.10 +2.00 +- +1.05x +- +MISSED: numba-cuda")
        self.assertRegex(table, "\ngeometric mean +0.72x +1.00x")
        sums = {"a": 1.0}
        self.assertEqual(compare("kiln", {"a": 1.00001, "b": 3.0}, sums), [])
        self.assertEqual(compare("numba-cuda", {"a": 1.1, "b": float("nan")}, sums), ["numba-cuda: a gives 1.1, and not 1.0", "numba-cuda: b gives nan, and not 3.0"])

    def test_medians(self) -> None:
        self.assertEqual(medians([{"a": 1.0}, {"a": 5.0, "b": 2.0}, {"a": 2.0}]), {"a": 2.0, "b": 2.0})


if __name__ == "__main__":
    unittest.main()
