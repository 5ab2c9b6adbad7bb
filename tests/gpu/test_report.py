"""Kernels in the report: its JSON, its table, and the rows of several processes."""

import json
import os
import subprocess
import sys
import tempfile
import unittest

from support import main  # before NumPy: skips the tests where there is none

ON_GPU = os.environ.get("KILN_OFFLOAD") == "gpu"
PROGRAM = """
import numpy as np
from numba import cuda
@cuda.jit
def busy(x, n):
    i = cuda.grid(1)
    if i < n:
        x[i] += 1
x = np.zeros(100000)
for _ in range(3):
    busy[400, 256](x, x.size)
busy[400, 256](np.zeros(100000, np.float32), x.size)
del busy
@cuda.jit
def reader(x, out):
    if x[0] > 0:
        out[0] = x[1]
device = cuda.to_device(x)
reader[1, 1](x, device)
@cuda.jit
def unused(x): pass
"""
FORKING = PROGRAM + """
import os
child = os.fork()
if child == 0:
    reader[1, 1](x, np.zeros(3))
    os._exit(0)
os.waitpid(child, 0)
"""


def run(program: str, report: str) -> str:
    """Runs a program that must succeed; what it wrote on stderr."""
    environment = {**os.environ, "KILN_REPORT": report}
    result = subprocess.run([sys.executable, "-W", "ignore", "-c", program], capture_output=True, text=True, timeout=120, env=environment)
    if result.returncode != 0:
        raise AssertionError(result.stderr)
    return result.stderr


class Report(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = os.path.join(folder.name, "out.json")

    def rows(self, path: str) -> dict:
        """The rows of a report by kernel and types."""
        with open(path, encoding="utf-8") as file:
            return {(row["name"], row["types"]): row for row in json.load(file)["kernels"]}

    def test_json(self) -> None:
        self.assertEqual(run(PROGRAM, self.path), "")
        rows = self.rows(self.path)
        doubles, floats = "array(float64, 1d, C), int64", "array(float32, 1d, C), int64"
        reader = "array(float64, 1d, C), array(float64, 1d, C)"
        self.assertEqual(set(rows), {("busy", doubles), ("busy", floats), ("reader", reader)})
        row = rows["busy", doubles]
        self.assertEqual((row["launches"], row["file"], row["line"]), (3, "<string>", 4))
        self.assertEqual(row["where"], "gpu" if ON_GPU else "cpu")
        self.assertTrue(row["why"] and row["device"])
        self.assertGreater(row["device_ms"], 0)
        self.assertGreater(row["overhead_ms"], 0)
        self.assertGreater(row["compile_ms"], 0)
        copied = 3 * 800000 if ON_GPU else 0
        self.assertEqual((row["copies_in"]["bytes"], row["copies_out"]["bytes"]), (copied, copied))
        self.assertEqual(row["copies_in"]["ms"] > 0, ON_GPU)
        # What a kernel only reads is not copied back.
        row = rows["reader", reader]
        self.assertEqual((row["copies_in"]["bytes"], row["copies_out"]["bytes"]), (800000 if ON_GPU else 0, 0))

    def test_table(self) -> None:
        table = run(PROGRAM, "1").partition("kernels on the ")[2]
        self.assertRegex(table, r"\n +3 +[0-9.]+ .* busy\n +<string>:4 \(array\(float64, 1d, C\), int64\)\n")
        self.assertNotIn("unused", table)
        self.assertLessEqual(max(map(len, table.splitlines())), 100)
        run(PROGRAM, self.path)
        shown = subprocess.run([sys.executable, "-m", "kiln", "report", self.path], capture_output=True, text=True, timeout=60)
        self.assertRegex(shown.stdout, r"\n +3 +[0-9.]+ .* busy\n +<string>:4 \(array\(float64, 1d, C\), int64\)\n")

    @unittest.skipIf(ON_GPU, "a child cannot use the GPU of its parent")
    def test_children(self) -> None:
        table = run(FORKING, "1").partition("kernels on the ")[2]
        self.assertRegex(table, r"\n +3 .* busy\n")
        self.assertRegex(table, r"\n +2 .* reader\n")  # one launch by the child
        self.assertEqual(table.count(" busy\n"), 2)
        run(FORKING, self.path)
        self.assertEqual(next(iter(row["launches"] for row in self.rows(self.path).values() if row["name"] == "reader")), 1)
        (child,) = [name for name in os.listdir(os.path.dirname(self.path)) if name != "out.json"]
        rows = self.rows(os.path.join(os.path.dirname(self.path), child))
        self.assertEqual([(name, row["launches"]) for (name, _), row in rows.items()], [("reader", 1)])

    def test_without_kernels(self) -> None:
        run("import numba", self.path)
        self.assertEqual(self.rows(self.path), {})


if __name__ == "__main__":
    main()
