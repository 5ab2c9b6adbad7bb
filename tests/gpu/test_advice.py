"""What the report tells a user to do about a kernel: few blocks, blocks of odd size, float64 by accident, elements far apart."""

import json
import os
import subprocess
import sys
import tempfile
import unittest

from support import main  # before NumPy: skips the tests where there is none

START = """
import numpy as np
from numba import cuda
floats, doubles = cuda.to_device(np.ones((64, 64), np.float32)), cuda.to_device(np.ones((64, 64)))
flat = cuda.to_device(np.ones(100000, np.float32))
"""
MANY = "[4096, 64]"


def report(program: str, form: str) -> str:
    """Runs a program that must succeed; what it wrote on stderr."""
    result = subprocess.run([sys.executable, "-W", "ignore", "-c", START + program], capture_output=True, text=True, timeout=120,
                            env={**os.environ, "KILN_REPORT": form})
    if result.returncode != 0:
        raise AssertionError(result.stderr)
    return result.stderr


class Advice(unittest.TestCase):
    def told(self, program: str) -> dict[str, str]:
        """The advice for a program's kernel by code."""
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "out.json")
            report(program, path)
            with open(path, encoding="utf-8") as file:
                (row,) = json.load(file)["kernels"]
        return {advice["code"]: advice["text"] for advice in row["advice"]}

    def kernel(self, body: str, launch: str) -> dict[str, str]:
        """The advice for a kernel of this body."""
        lines = "".join(f"    {line}\n" for line in body.split("; "))
        return self.told(f"@cuda.jit\ndef kernel(a, n):\n{lines}kernel{launch}\n")

    def test_nothing(self) -> None:
        body = "i = cuda.grid(1); if i < a.size: a[i] = a[i] * np.float32(2)"
        self.assertEqual(self.kernel(body, MANY + "(flat, 1)"), {})

    def test_shape(self) -> None:
        body = "i = cuda.grid(1); if i < a.size: a[i] += np.float32(1)"
        self.assertRegex(self.kernel(body, "[1, 64](flat, 1)")["K001"], r"^launches of 1 block on \d+ (cores|multiprocessors): more")
        self.assertEqual(self.kernel(body, "[4096, 100](flat, 1)"), {
            "K002": "blocks of 100 threads take 4 warps of 32: a multiple of 32 leaves none idle"})

    def test_doubles(self) -> None:
        body = "i = cuda.grid(1); if i < a.size: a[i] = a[i] * 0.5"
        self.assertEqual(list(self.kernel(body, MANY + "(flat, 1)")), ["K004"])
        self.assertIn("(line 9)", self.kernel(body, MANY + "(flat, 1)")["K004"])
        body = "i = cuda.grid(1); if i < a.size: a[i] = a[i] * n"
        self.assertEqual(list(self.kernel(body, MANY + "(flat, 0.5)")), ["K004"])
        self.assertEqual(self.kernel(body, MANY + "(flat, np.float32(0.5))"), {})
        self.assertEqual(self.kernel(body, MANY + "(doubles.ravel(), 0.5)"), {})

    def test_far_apart(self) -> None:
        guard = "if i < a.shape[0] and j < a.shape[1]: a[i, j] = 0"
        for body, is_far in [("i, j = cuda.grid(2); " + guard, True), ("j, i = cuda.grid(2); " + guard, False)]:
            told = self.kernel(body, "[(64, 64), (32, 2)](doubles, 1)")
            self.assertEqual(list(told), ["K005"] if is_far else [], body)
        self.assertEqual(told, {})
        turned = self.kernel("i, j = cuda.grid(2); " + guard, "[(64, 64), (1, 32)](doubles, 1)")
        self.assertEqual(turned, {})  # neighbours are along y there
        rows = "i = cuda.grid(1); if i * n + n <= a.size:;     for j in range(n):;         a[i * n + j] = 0"
        self.assertIn("far apart in 'a' (line ", self.kernel(rows.replace(":;", ":; ").replace(";  ", "; "), MANY + "(flat, 8)")["K005"])
        strided = "for i in range(cuda.grid(1), a.size, cuda.gridsize(1)): a[i] = 0"
        self.assertEqual(self.kernel(strided, MANY + "(flat, 1)"), {})

    def test_table(self) -> None:
        table = report("@cuda.jit\ndef odd(a):\n    a[0] = 1\nodd[4096, 33](flat)\n", "1").partition("kernels on the ")[2]
        self.assertIn("\n       K002 blocks of 33 threads take 2 warps of 32: a multiple of 32 leaves none idle\n", table)
        self.assertLessEqual(max(map(len, table.splitlines())), 100)

    def test_explained(self) -> None:
        listed = subprocess.run([sys.executable, "-m", "kiln", "explain"], capture_output=True, text=True, timeout=60).stdout
        self.assertEqual([line[:4] for line in listed.splitlines() if line.startswith("K")], [f"K00{i}" for i in range(1, 8)])


if __name__ == "__main__":
    main()
