"""KILN_* variables and -X kiln-* options from outside."""

import subprocess
import unittest

from support import KILN, clean_environment, run_kiln

SHOW = "import os, sys; print({k: v for k, v in os.environ.items() if k.startswith('KILN')}, sys._xoptions)"
CHILD = "import subprocess, sys; subprocess.run([sys.executable, *sys.argv[1:]], check=True)"

# A loop whose every iteration calls what is not compiled, and how many full collections ran meanwhile.
COLLECTIONS = """
import gc
full = 0
def note(phase, details):
    global full
    full += phase == 'start' and details['generation'] == 2
def fill(count):
    table = {}
    for i in range(count):
        table[str(i)] = list(map(str, [i]))
gc.callbacks.append(note)
fill(150)
gc.callbacks.clear()
print(full)
"""


def origins(*options: str, **env: str) -> dict[str, tuple[str, str]]:
    """Value and origin of each knob, as `kiln -m kiln config` prints them."""
    result = run_kiln(*options, "-m", "kiln", "config", **env)
    rows = [line.partition("=") for line in result.stdout.splitlines() if line.startswith("KILN")]
    return {name: tuple(rest.removesuffix(")").split("  (")) for name, _, rest in rows}


class Knobs(unittest.TestCase):
    """Each test runs programs that do nothing else."""

    def test_options_reach_the_environment(self) -> None:
        """With their value, or 1; python's own view of -X stays."""
        result = run_kiln(
            "-X", "kiln-jit=off", "-Xkiln-perf", "-X", "dev", "-X", "kiln-num-threads=3", "-c", SHOW, KILN_JIT="on"
        )
        self.assertEqual(
            result.stdout,
            "{'KILN_JIT': 'off', 'KILN_PERF': '1', 'KILN_NUM_THREADS': '3'} "
            "{'kiln-jit': 'off', 'kiln-perf': True, 'dev': True, 'kiln-num-threads': '3'}\n",
        )
        self.assertEqual(result.stderr, "")

    def test_options_reach_children(self) -> None:
        """Through the environment, which they inherit."""
        result = run_kiln("-X", "kiln-jit=off", "-c", CHILD, "-c", "import kiln; print(kiln.is_active())")
        self.assertEqual(result.stdout, "False\n")

    def test_bytes_in_options(self) -> None:
        """A path is not text."""
        command = [
            KILN.encode(),
            b"-bXkiln-cache-dir=/x/\xff\xe2\x82\xac",
            b"-c",
            b"import os; print(os.environb[b'KILN_CACHE_DIR'] == b'/x/\\xff\\xe2\\x82\\xac')",
        ]
        self.assertEqual(subprocess.run(command, capture_output=True, env=clean_environment()).stdout, b"True\n")

    def test_options_of_the_program_are_not_kilns(self) -> None:
        """Behind the script or command they are arguments."""
        result = run_kiln("-c", SHOW, "-X", "kiln-jit=off")
        self.assertEqual(result.stdout, "{} {}\n")

    def test_origins(self) -> None:
        """-X goes before the environment; -I and -E ignore the environment only."""
        knobs = origins("-X", "kiln-seed=4", KILN_SEED="3", KILN_JIT="off")
        self.assertEqual(knobs["KILN_SEED"], ("4", "from -X"))
        self.assertEqual(knobs["KILN_JIT"], ("off", "from the environment"))
        self.assertEqual(knobs["KILN_PERF"], ("0", "default"))
        self.assertEqual(origins("-X", "kiln_num_threads=4")["KILN_NUM_THREADS"], ("4", "from -X"))  # as python's own are written
        for isolation in "-I", "-E":
            knobs = origins(isolation, "-X", "kiln-seed=4", KILN_JIT="off", KILN_UNKNOWN="x", KILN_PERF="wrong")
            self.assertEqual(knobs["KILN_SEED"], ("4", "from -X"))
            self.assertEqual(knobs["KILN_JIT"], ("on", "default"))

    def test_warnings_change_nothing_else(self) -> None:
        """Output and status are the program's; each mistake has one line, in the first process only."""
        result = run_kiln(
            "-c",
            CHILD.replace("check=True", "check=False") + "; sys.exit(5)",
            "-c",
            "print(1)",
            KILN_JITT="off",
            KILN_JIT="quick",
            KILN_LOG="compile,nonsense",
            KILN_SEED="",
        )
        self.assertEqual((result.returncode, result.stdout), (5, "1\n"))
        lines = sorted(result.stderr.splitlines())
        self.assertEqual(len(lines), 3, result.stderr)
        self.assertIn("off|on|always", lines[0])
        self.assertIn("did you mean KILN_JIT?", lines[1])
        self.assertIn("KILN_LOG=compile,nonsense", lines[2])

    def test_warnings_under_isolation(self) -> None:
        """About options, not about the environment that is ignored."""
        result = run_kiln("-I", "-c", "print(1)", KILN_JITT="off", KILN_JIT="x", KILN_REPORT="x")
        self.assertEqual((result.stdout, result.stderr), ("1\n", ""))
        self.assertIn("did you mean -X kiln-jit?", run_kiln("-I", "-X", "kiln-jitt=off", "-c", "1").stderr)

    def test_values_not_understood(self) -> None:
        """Are named as they were given, with what is accepted: variables and options alike."""
        accepted = {"jit": ("quick", "one of off|on|always; using the default on"),
                    "num-threads": ("-1", "a whole number, 0 or more (threads); using the default 0"),
                    "log": ("compile,x", "a comma list of 1,all,compile,deopt,record,invalidate,offload; "
                            "using the default (none)")}
        for name, (value, words) in accepted.items():
            variable = "KILN_" + name.upper().replace("-", "_")
            told = f"={value} is not understood: expected {words}\n"
            result = run_kiln("-c", "print(1)", **{variable: value})
            self.assertEqual((result.returncode, result.stdout), (0, "1\n"))
            self.assertEqual(result.stderr, f"kiln: warning: {variable}{told}")
            result = run_kiln("-X", f"kiln-{name}={value}", "-c", "print(1)")
            self.assertEqual((result.returncode, result.stdout), (0, "1\n"))
            self.assertEqual(result.stderr, f"kiln: warning: -X kiln-{name}{told}")
        self.assertEqual(origins(KILN_JIT="quick")["KILN_JIT"], ("on", "default"))

    def test_off(self) -> None:
        """KILN=0 says nothing at all."""
        result = run_kiln("-c", "import kiln; print(kiln.is_active())", KILN="0", KILN_JITT="x", KILN_REPORT="out.txt")
        self.assertEqual((result.returncode, result.stdout, result.stderr), (0, "False\n", ""))

    def test_collecting_stress(self) -> None:
        """KILN_STRESS=gc collects everything at each opaque operation of compiled code; else nothing does here."""
        for stress, fewest, most in ("gc", 100, 2000), ("", 0, 0):
            result = run_kiln("-c", COLLECTIONS, KILN_JIT="always", KILN_STRESS=stress)
            self.assertEqual(result.stderr, "")
            self.assertTrue(fewest <= int(result.stdout) <= most, result.stdout)

    def test_report_of_an_unknown_kind(self) -> None:
        """Is an error that names what there is, before the program runs; a child's, too."""
        told = "=out.txt is not understood: expected one of 0|1|live|FILE.json|FILE.html; nothing was run\n"
        result = run_kiln("-c", "print('ran')", KILN_REPORT="out.txt")
        self.assertEqual((result.returncode, result.stdout), (2, ""))
        self.assertEqual(result.stderr, f"kiln: error: KILN_REPORT{told}")
        result = run_kiln("-I", "-X", "kiln-report=out.txt", "-c", "print('ran')")
        self.assertEqual((result.returncode, result.stdout), (2, ""))
        self.assertEqual(result.stderr, f"kiln: error: -X kiln-report{told}")
        child = "import subprocess, sys; print(subprocess.run([sys.executable, '-c', '1'], env={'KILN_REPORT': 'x'}).returncode)"
        result = run_kiln("-c", child)
        self.assertEqual(result.stdout, "2\n")
        self.assertIn("KILN_REPORT=x", result.stderr)


if __name__ == "__main__":
    unittest.main()
