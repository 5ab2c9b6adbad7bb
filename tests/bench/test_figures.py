"""Tests of what the benchmark driver makes of its figures: ratios, means, bars and reports."""

import json
import unittest

from cpu.bars import BARS
from suite.bars import NATIVE_CODE, NO_SLOWER, Bar, Verdict, judge
from suite.native import NativeDelay, native_delay
from suite.peers import Peer
from suite.ratios import extra_memory_mb, mean_speedup, speedup
from suite.report import report_json, report_text
from suite.rounds import Figures, Measurement
from test_bench import PLAIN, program_named


class Arithmetic(unittest.TestCase):
    """Ratios, means and bars of figures made by hand."""

    def setUp(self) -> None:
        self.measurement = Measurement()
        self.programs = [program_named("nested_float"), program_named("lucas"), program_named("cold", "other")]
        for program, seconds in zip(self.programs, (0.01, 0.04, 2.0)):
            short, short_kb = ([0.06], [12 << 10]) if program.short_size else ([], [])
            self.measurement.figures[program.name, "python"] = Figures([1.0], [0.9, 1.0, 5.0], [1.0], [1.1], [10 << 10], [10 << 10], short,
                                                                       short_kb)
            self.measurement.figures[program.name, "kiln"] = Figures([0.1], [seconds], [1.02], [1.32], [100 << 10], [20 << 10],
                                                                     [seconds / 3 for seconds in short], [kb * 1.25 for kb in short_kb])
        self.measurement.native_ms = {"nested_float": [0.5, 0.25], "lucas": [4.0], "cold": []}

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
            ("objects programs (mean of 0), steady state, against python", "not measured"),
            ("objects programs (mean of 0), first call, against python", "not measured"),
            ("numeric programs (mean of 2), short process, against python", "met"),
            ("objects programs (mean of 0), short process, against python", "not measured"),
            ("array programs (mean of 0), steady state, against python", "not measured"),
            ("array programs (mean of 0), steady state, against numba", "not measured"),
            ("every array program, steady state, against numba (least: none)", "not measured"),
            ("all programs (mean of 3), steady state, against numba", "not measured"),
            ("all programs (mean of 3), first call, against numba", "not measured"),
            ("grey, steady state, against numba", "not measured"),
            ("every program, steady state, against python (least: cold)", "missed"),
            ("every program, whole process, against python (least: cold)", "met"),
            ("native code after its recording (median of all roots)", "met"),
            ("all programs (mean of 3), peak memory of the whole process, against python", "missed"),
            ("all programs (mean of 2), peak memory of a short process, against python", "met"),
            ("every program, peak memory above python's (most: nested_float)", "missed"),
        ])

    def test_worst_of_a_group(self) -> None:
        verdict, = judge(self.measurement, self.programs, [Bar("every", "steady", "python", 30.0, "numeric")])
        self.assertEqual((verdict.text, verdict.word()),
                         ("every numeric program, steady state, against python (least: lucas)", "missed"))
        self.assertAlmostEqual(verdict.value, 25.0)

    def test_bars_on_processor_time(self) -> None:
        bars = [Bar("mean", "processor", "python", 1.05), Bar("every", "processor", "python", 1.25, "numeric")]
        mean, most = judge(self.measurement, self.programs, bars)
        self.assertEqual((mean.text, mean.word()),
                         ("all programs (mean of 3), processor time of the whole process, against python", "missed"))
        self.assertAlmostEqual(mean.value, 1.2)
        self.assertAlmostEqual(most.value, 1.2)
        self.assertEqual(most.word(), "met")

    def test_bars_on_one_core(self) -> None:
        self.measurement.figures["cold", "kiln"].steady = [1.04]
        self.measurement.figures["cold", "kiln"].whole = [1.04]
        for bars, word in ((NO_SLOWER, "near"), ([bar.on_one_core() for bar in NO_SLOWER], "met")):
            self.assertEqual([verdict.word() for verdict in judge(self.measurement, self.programs, bars)], [word, word])
        self.assertEqual(NATIVE_CODE.on_one_core(), NATIVE_CODE)

    def test_native_code_after_its_recording(self) -> None:
        self.assertEqual(native_delay(self.measurement), NativeDelay(0.5, 3, 2))
        self.assertIsNone(native_delay(Measurement()))
        peers = [Peer("python", (), ""), Peer("kiln", (), "")]
        lines = report_text(self.measurement, self.programs, peers, []).splitlines()
        self.assertEqual(lines[-1], "native code 0.50 ms after its recording, median of 3 roots of 2 programs")
        answer = json.loads(json.dumps(report_json("cpu", self.measurement, self.programs, peers, [], {}, 1)))
        self.assertEqual(answer["native_code"], {"median_ms": 0.5, "roots": 3, "programs": 2})
        self.assertEqual([program["native_ms"] for program in answer["programs"].values()], [[0.5, 0.25], [4.0], []])
        slow = Measurement()
        slow.native_ms = {"nested_float": [1.05]}
        self.assertEqual([verdict.word() for verdict in judge(slow, self.programs, [NATIVE_CODE])], ["near"])

    def test_short_processes_are_those_of_some_programs(self) -> None:
        peers = [Peer("python", (), ""), Peer("kiln", (), "")]
        table = report_text(self.measurement, self.programs, peers, []).partition("\nshort process: ")[2].partition("\n\n")[0]
        rows = [line.split() for line in table.splitlines()[2:]]
        self.assertEqual(rows, [["nested_float", "60", "ms", "20", "ms", "3.00x"], ["lucas", "60", "ms", "20", "ms", "3.00x"],
                                ["mean", "of", "all", "2", "3.00x"]])
        self.assertNotIn("short process", report_text(self.measurement, self.programs[2:], peers, []))

    def test_mean_of_peak_memory(self) -> None:
        text = report_text(self.measurement, self.programs, [Peer("python", (), ""), Peer("kiln", (), "")], [])
        self.assertIn("\nof the whole process alone, as a multiple of python's (geometric mean): kiln 2.00x\n"
                      "of a short process alone, as a multiple of python's (geometric mean): kiln 1.25x\n\n", text)

    def test_ratios_to_off(self) -> None:
        peers = [Peer("python", (), ""), Peer("off", (), ""), Peer("kiln", (), "")]
        for program in self.programs:
            self.measurement.figures[program.name, "off"] = Figures([1.0], [0.5], [1.0], [1.2], [10 << 10])
        lines = report_text(self.measurement, self.programs, peers, []).splitlines()
        self.assertEqual(lines[1].split(), ["python", "off", "kiln", "to", "off"])
        self.assertEqual(lines[2].split()[3:], ["500", "ms", "2.00x", "10", "ms", "100.00x", "50.00x"])

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


if __name__ == "__main__":
    unittest.main()
