"""Tests of the benchmark driver: that wrong results and crashes are seen, and that the arithmetic is right."""

import pathlib
import sys
import tempfile
import textwrap
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))

from child import run_child
from cpu.bars import BARS
from cpu.program import CpuProgram, load_program, load_programs
from gpu.tables import cpu_table, gpu_table, medians
from suite.bars import Verdict, judge
from suite.peers import Peer
from suite.ratios import extra_memory_mb, mean_speedup, speedup
from suite.report import report_text
from suite.rounds import Figures, Measurement, check, measure

PLAIN = Peer("plain", (sys.executable,), "")
OPTIMISED = Peer("optimised", (sys.executable, "-O"), "")


def program_named(name: str, group: str = "numeric", tolerance: float = 0.0) -> CpuProgram:
    """Returns a program for tests that run nothing."""
    return CpuProgram(name, pathlib.Path(name), group, 1, 1, 1, (), "", tolerance)


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

    def test_differing_result_is_a_problem(self) -> None:
        program = self.write("return sys.flags.optimize")
        for measurement in (measure([program], [PLAIN, OPTIMISED], 1), check([program], [PLAIN, OPTIMISED])):
            self.assertEqual(len(measurement.problems), 1)
            self.assertIn("written under optimised: the result for", measurement.problems[0])
            self.assertNotIn(("written", "optimised"), measurement.figures)

    def test_result_that_changes_from_call_to_call_is_a_problem(self) -> None:
        program = self.write("global calls\ncalls = globals().get('calls', 0) + 1\nreturn calls")
        self.assertIn("call 2 gives 2", measure([program], [PLAIN], 1).problems[0])

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

    def test_output_and_status(self) -> None:
        done = run_child([sys.executable, "-c", "import sys; print('out'); sys.exit('why')"], 60.0)
        self.assertEqual((done.status, done.output, done.failure()), (1, "out\n", "exit status 1: why"))


class Arithmetic(unittest.TestCase):
    """Ratios, means and bars of figures made by hand."""

    def setUp(self) -> None:
        self.measurement = Measurement()
        self.programs = [program_named("nested_float"), program_named("lucas"), program_named("cold", "other")]
        for program, seconds in zip(self.programs, (0.01, 0.04, 2.0)):
            self.measurement.figures[program.name, "python"] = Figures([1.0], [0.9, 1.0, 5.0], [1.0], [1.1], [10 << 10])
            self.measurement.figures[program.name, "kiln"] = Figures([0.1], [seconds], [1.02], [1.32], [100 << 10])

    def test_ratios(self) -> None:
        first, second, _ = self.programs
        self.assertAlmostEqual(speedup(self.measurement, first, "kiln", "python", "steady"), 100.0)
        self.assertIsNone(speedup(self.measurement, first, "numba", "python", "steady"))
        self.assertAlmostEqual(mean_speedup(self.measurement, [first, second], "kiln", "python", "steady"), 50.0)
        self.assertIsNone(mean_speedup(self.measurement, [first], "pypy", "python", "steady"))
        self.assertAlmostEqual(extra_memory_mb(self.measurement, first, "kiln", "python"), 90.0)

    def test_bars(self) -> None:
        words = [(verdict.text, verdict.word()) for verdict in judge(self.measurement, self.programs, BARS)]
        self.assertEqual(words, [
            ("nested_float, steady state, against python", "met"),
            ("nested_float, steady state, against numba", "not measured"),
            ("lucas, steady state, against python", "met"),
            ("lucas, first call, against numba", "not measured"),
            ("numeric programs (mean of 2), steady state, against python", "met"),
            ("numeric programs (mean of 2), steady state, against pypy", "not measured"),
            ("every program, steady state, against python (least: cold)", "missed"),
            ("every program, whole process, against python (least: cold)", "met"),
            ("every program, peak memory above python's (most: nested_float)", "missed"),
        ])

    def test_report(self) -> None:
        peers = [Peer("python", (), ""), Peer("kiln", (), ""), Peer("pypy", (), "")]
        self.measurement.fail(self.programs[1], peers[2], "killed by SIGSEGV")
        lines = report_text(self.measurement, self.programs, peers, []).splitlines()
        self.assertEqual(lines[2].split(), ["nested_float", "~1.00", "s", "10", "ms", "100.00x", "-"])
        self.assertEqual(lines[3].split()[-1], "FAILED")
        self.assertEqual(lines[5].split(), ["mean", "of", "the", "numeric", "50.00x"])

    def test_words(self) -> None:
        self.assertEqual(Verdict("", 60.0, 60.0).word(), "met")
        self.assertEqual(Verdict("", 54.5, 60.0).word(), "near")
        self.assertEqual(Verdict("", 53.0, 60.0).word(), "missed")
        self.assertEqual(Verdict("", -5.0, 80.0, at_most=True).word(), "met")
        self.assertEqual(Verdict("", 85.0, 80.0, at_most=True).word(), "near")
        self.assertEqual(Verdict("", 95.0, 80.0, at_most=True).word(), "missed")

    def test_tolerance_is_for_numba_alone(self) -> None:
        loose = program_named("loose", tolerance=0.01)
        numba = Peer("numba", (), "", numba=True)
        self.assertTrue(loose.same_result(numba, "3.141", "3.142"))
        self.assertFalse(loose.same_result(numba, "3.2", "3.142"))
        self.assertFalse(loose.same_result(PLAIN, "3.141", "3.142"))
        self.assertFalse(program_named("exact").same_result(numba, "3.141", "3.142"))


class Suite(unittest.TestCase):
    """The programs of the suite."""

    def test_bars_name_programs_that_exist(self) -> None:
        programs = load_programs()
        self.assertGreaterEqual(len(programs), 14)
        self.assertTrue(all(verdict.value is None for verdict in judge(Measurement(), programs, BARS)))
        self.assertLessEqual({"nested_float", "lucas"}, {program.name for program in programs})


class GpuTables(unittest.TestCase):
    """The other suite's arithmetic."""

    def test_bars(self) -> None:
        figures = {"kiln": {"launch()": 4.5, "second kernel": 79.0, "vector add": 1.005, "matmul": 2.0},
                   "numba-cuda": {"launch()": 17.6, "vector add": 1.0, "matmul": 1.0}}
        lines = {line.split("  ")[0]: line for line in gpu_table(figures, ["kiln", "numba-cuda"]).splitlines()}
        self.assertRegex(lines["launch()"], "4.50 +17.6 +<= 4 MISSED$")
        self.assertRegex(lines["second kernel"], "79.0 +- +<= 80 reached$")
        self.assertRegex(lines["vector add"], "<= numba-cuda reached$")  # within what two runs differ by
        self.assertRegex(lines["matmul"], "<= numba-cuda MISSED$")
        self.assertRegex(lines["mandelbrot"], "ms +- +-$")

    def test_on_the_cpu(self) -> None:
        table = cpu_table({"vector add": 6.0, "matmul": 3.1}, {"vector add": 3.0, "matmul": 1.0})
        self.assertRegex(table, "vector add +ms +6.00 +3.00 +2.00x +<= 3x reached\n")
        self.assertRegex(table, "matmul .*3.10x +<= 3x MISSED$")

    def test_medians(self) -> None:
        self.assertEqual(medians([{"a": 1.0}, {"a": 5.0, "b": 2.0}, {"a": 2.0}]), {"a": 2.0, "b": 2.0})


if __name__ == "__main__":
    unittest.main()
