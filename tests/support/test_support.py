"""Tests of the test tools themselves: each must fail when what it guards is broken."""

from __future__ import annotations

import copy
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
import unittest.mock

import native_report
import run_program

HERE = pathlib.Path(__file__).resolve().parent
FUZZ = HERE.parent / "fuzz"
sys.path.insert(0, str(FUZZ))

import generate  # noqa: E402
import minimise  # noqa: E402

PROGRAM = """from _harness import drive


def helper(x):  # kiln-native
    return x + 1


def work(n):
    i = total = 0
    while i < n:  # kiln-native
        i += 1
        total += helper(i)
    for k in range(n):  # kiln-native allow-opaque=CALL
        total += k
    return total
"""


def loop(line: int, native: int, **changes: object) -> dict:
    """Returns a loop's record of a report."""
    record = {"kind": "loop", "line": line, "state": "compiled", "iterations": {"interpreted": 10, "native": native}}
    return record | {"compiles": 1, "compile_ms": 1.0, "refusal": None, "exits": [], "opaque": []} | changes


class NativeReportTest(unittest.TestCase):
    """judge() passes a good report and names the fault of each bad one."""

    def setUp(self) -> None:
        """Writes the program and makes a report that must pass."""
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.program = pathlib.Path(folder.name, "program.py")
        self.program.write_text(PROGRAM)
        self.marked = native_report.find_marked(self.program)
        for m in self.marked:
            m.total = 10000
        calls = {"interpreted": 10, "native": 9990}
        helper = {"name": "helper", "file": str(self.program), "first_line": 4, "calls": calls, "roots": []}
        roots = [loop(11, 9990), loop(13, 9990)]
        work = {"name": "work", "file": str(self.program), "first_line": 8, "calls": calls, "roots": roots}
        self.report = {"kiln_report": 1, "functions": [helper, work]}

    def codes(self, **changes: object) -> list[str]:
        """Returns the codes of all problems after changing the while loop's record."""
        report = copy.deepcopy(self.report)
        report["functions"][1]["roots"][0] |= changes
        return [p.code for p in native_report.judge(report, self.program, self.marked)]

    def test_marks_are_found(self) -> None:
        self.assertEqual([(m.kind, m.line) for m in self.marked], [("function", 4), ("loop", 10), ("loop", 13)])

    def test_stray_mark_is_refused(self) -> None:
        self.program.write_text(PROGRAM.replace("i += 1", "i += 1  # kiln-native"))
        self.assertRaises(ValueError, native_report.find_marked, self.program)

    def test_good_report(self) -> None:
        self.assertEqual(self.codes(), [])

    def test_interpreted_iterations(self) -> None:
        self.assertEqual(self.codes(iterations={"interpreted": 10, "native": 9800}), ["share"])

    def test_uncounted_iterations_are_not_native(self) -> None:
        self.assertEqual(self.codes(iterations={"interpreted": 0, "native": 50}), ["share"])

    def test_counting_twice(self) -> None:
        self.assertEqual(self.codes(iterations={"interpreted": 10, "native": 20000}), ["overcount"])

    def test_missing_root(self) -> None:
        self.assertEqual(self.codes(line=9), ["missing"])

    def test_other_file(self) -> None:
        self.report["functions"][1]["file"] = "/elsewhere/program.py"
        self.assertEqual(self.codes(), ["missing", "missing"])

    def test_calls_that_nothing_counted(self) -> None:
        self.report["functions"][0]["calls"] = {"interpreted": None, "native": None}
        self.assertEqual(self.codes(), ["missing"])

    def test_too_many_compiles(self) -> None:
        self.assertEqual(self.codes(compiles=4), ["compiles"])

    def test_exit_storm(self) -> None:
        self.assertEqual(self.codes(exits=[{"reason": "D001", "line": 12, "count": 5000}]), ["exits"])

    def test_opaque_operation(self) -> None:
        self.assertEqual(self.codes(opaque=[{"operation": "CALL helper", "line": 12}]), ["opaque"])

    def test_opaque_operation_in_callee(self) -> None:
        self.assertEqual(self.codes(opaque=[{"operation": "BINARY_OP +", "line": 5}]), ["opaque"])

    def test_allowed_opaque_operation(self) -> None:
        self.assertEqual(self.codes(opaque=[{"operation": "CALL f", "line": 14}]), [])
        self.assertEqual(self.codes(opaque=[{"operation": "BINARY_OP +", "line": 14}]), ["opaque"])

    def test_other_version(self) -> None:
        self.report["kiln_report"] = 2
        self.assertRaises(ValueError, self.codes)


class RunProgramTest(unittest.TestCase):
    """The runner tells a difference in each of the things it compares, and an unfit program."""

    def run_with(self, program: str, interpreter: str, *options: str) -> tuple[int, str]:
        """Runs the runner on a program text, with a shell script's text as the interpreter under test."""
        with tempfile.TemporaryDirectory() as folder:
            script, fake = pathlib.Path(folder, "p.py"), pathlib.Path(folder, "fake")
            script.write_text(program)
            fake.write_text(f"#!/bin/sh\n{interpreter}\n")
            fake.chmod(0o755)
            command = [sys.executable, str(HERE / "run_program.py"), "--python", sys.executable, "--kiln", str(fake)]
            done = subprocess.run([*command, *options, str(script)], capture_output=True, text=True, check=False)
            return done.returncode, done.stdout + done.stderr

    def test_equal(self) -> None:
        self.assertEqual(self.run_with("print(5)\n", f'exec {sys.executable} "$@"')[0], 0)

    def test_stdout(self) -> None:
        code, text = self.run_with("print(5)\n", "echo 6")
        self.assertEqual(code, 1)
        self.assertIn("mode deopt", text)
        self.assertIn("-5\n  +6", text)

    def test_stderr(self) -> None:
        self.assertEqual(self.run_with("print(5)\n", "echo 5; echo oops >&2")[0], 1)

    def test_exit_code(self) -> None:
        code, text = self.run_with("print(5)\n", "echo 5; exit 3")
        self.assertEqual(code, 1)
        self.assertIn("exit code 3", text)

    def test_signal(self) -> None:
        self.assertIn("killed by SIGSEGV", self.run_with("print(5)\n", "echo 5; kill -SEGV $$")[1])

    def test_one_mode_only(self) -> None:
        code, text = self.run_with("print(5)\n", 'if [ "$KILN_JIT" = always ]; then echo 6; else echo 5; fi')
        self.assertEqual(code, 1)
        self.assertIn("mode always", text)
        self.assertNotIn("mode default", text)

    def test_hang(self) -> None:
        code, text = self.run_with("# kiln-test: timeout=1 modes=default\nprint(5)\n", "echo 5; sleep 60")
        self.assertEqual(code, 1)
        self.assertIn("no end within 1 s", text)

    def test_unannounced_failure(self) -> None:
        self.assertEqual(self.run_with("1 / 0\n", f'exec {sys.executable} "$@"')[0], 2)

    def test_announced_failure(self) -> None:
        self.assertEqual(self.run_with("# kiln-test: exit=1\n1 / 0\n", f'exec {sys.executable} "$@"')[0], 0)

    def test_not_repeatable(self) -> None:
        self.assertEqual(self.run_with("import os\nprint(os.getpid())\n", f'exec {sys.executable} "$@"')[0], 2)

    def test_missing_module(self) -> None:
        self.assertEqual(self.run_with("# kiln-test: needs=no_such_module\n", "echo")[0], run_program.SKIPPED)

    def test_unknown_header(self) -> None:
        self.assertRaises(ValueError, run_program.Header.read, "# kiln-test: stdn=x\n")

    def test_sanitizer_report(self) -> None:
        reporting = 'echo 5; file=${{ASAN_OPTIONS##*log_path=}}; echo "=={}" >$file.77'
        code, text = self.run_with("print(5)\n", reporting.format("ERROR: $PYTHONMALLOC use-after-free"), "--asan")
        self.assertEqual(code, 1)
        self.assertIn("+==ERROR: malloc use-after-free", text)
        refusal = "77==WARNING: AddressSanitizer failed to allocate 0x29 bytes"
        self.assertEqual(self.run_with("print(5)\n", reporting.format(refusal), "--asan")[0], 0)

    def test_skipped_with_sanitizer(self) -> None:
        program = "# kiln-test: asan='deep stacks'\nprint(5)\n"
        code, text = self.run_with(program, "echo 6", "--asan")
        self.assertEqual((code, text), (run_program.SKIPPED, "skipped: with AddressSanitizer deep stacks\n"))
        self.assertEqual(self.run_with(program, "echo 6")[0], 1)

    def test_environment_is_clean(self) -> None:
        ours = {"KILN_JIT": "x", "PYTHONSTARTUP": "x", "VIRTUAL_ENV": "/x"}
        with unittest.mock.patch.dict(os.environ, ours):
            names = run_program.clean_environment({})
        self.assertFalse(ours.keys() & names.keys())


class FuzzTest(unittest.TestCase):
    """The generator is deterministic; the search finds a wrong interpreter, and shrinks its program."""

    def test_same_seed_same_program(self) -> None:
        self.assertEqual(generate.generate(5), generate.generate(5))
        self.assertNotEqual(generate.generate(5), generate.generate(6))

    def test_wrong_interpreter_is_found(self) -> None:
        wrong = """
import builtins, sys
right = divmod
builtins.divmod = lambda a, b: (right(a, b)[0] + (a == 18), right(a, b)[1])
sys.argv = sys.argv[1:]
exec(compile(open(sys.argv[0]).read(), sys.argv[0], "exec"), {"__name__": "__main__"})
"""
        with tempfile.TemporaryDirectory() as folder:
            fake, script = pathlib.Path(folder, "fake"), pathlib.Path(folder, "wrong.py")
            script.write_text(wrong)
            fake.write_text(f'#!/bin/sh\nexec {sys.executable} {script} "$@"\n')
            fake.chmod(0o755)
            tool = [sys.executable, str(FUZZ / "run.py"), "--python", sys.executable, "--kiln", str(fake)]
            tool += ["--save", folder, "--modes", "default", "--minimise-seconds", "600"]
            done = subprocess.run([*tool, "--seeds", "60-60"], capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
            self.assertIn("--stress-seed 60", done.stdout)
            smallest = pathlib.Path(folder, "seed60_default_minimal.py").read_text()
            self.assertLess(len(smallest), len(generate.generate(60)) / 10)
            self.assertIn("divmod", smallest)

    def test_right_interpreter_passes(self) -> None:
        tool = [sys.executable, str(FUZZ / "run.py"), "--python", sys.executable, "--kiln", sys.executable]
        done = subprocess.run([*tool, "--seeds", "1-3"], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_minimiser_keeps_what_fails(self) -> None:
        source = "a = 1\nfor i in range(3):\n    if a:\n        b = (a + 2) * 7\n        a = b\nprint(a)\n"
        self.assertEqual(minimise.minimise(source, lambda text: "* 7" in text, 10).split(), ["b", "=", "a", "*", "7"])


if __name__ == "__main__":
    unittest.main()
