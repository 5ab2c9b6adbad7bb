"""Loops with the same bounds for all threads, which the CPU backend computes by vectors of threads: the same results whatever the block is."""

import linecache
import math
import os
import subprocess
import sys
import unittest

from support import main  # before NumPy: skips the tests where there is none

import numpy as np
from numba import cuda, float32
from random_loops import Writer

ON_GPU = os.environ.get("KILN_OFFLOAD", "cpu") not in ("", "cpu")
BLOCKS = [8, 64, 7, 1, (16, 2), (8, 3), (4, 4), (32, 8)]
CODE = """
import numpy as np
from numba import cuda, float32
@cuda.jit
def matmul(a, b, c):
    j, i = cuda.grid(2)
    if i < c.shape[0] and j < c.shape[1]:
        total = float32(0)
        for k in range(a.shape[1]):
            total += a[i, k] * b[k, j]
        c[i, j] = total
a, b = np.random.rand(20, 30).astype("f4"), np.random.rand(30, 40).astype("f4")
c = np.zeros((20, 40), "f4")
matmul[(3, 2), (16, 16)](a, b, c)
assert np.allclose(c, a @ b, rtol=1e-4)
"""


class Uniform(unittest.TestCase):
    @unittest.skipIf(ON_GPU, "there is no such code on a GPU")
    def test_code(self) -> None:
        """The sum of a matrix product, one after another in each thread, is computed by vectors."""
        environment = {**os.environ, "KILN_DUMP": "llvm", "KILN_JIT": "off", "KILN_OFFLOAD": "cpu"}
        result = subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True, env=environment, timeout=120)
        self.assertEqual(result.returncode, 0, result.stderr[-3000:])
        optimised = "".join(part.partition("; ModuleID = 'py::")[0] for part in result.stderr.split("; optimised")[1:])
        self.assertRegex(optimised, r"fmul (contract )?<\d+ x float>")

    def test_products(self) -> None:
        @cuda.jit
        def matmul(a, b, c):
            j, i = cuda.grid(2)
            if i < c.shape[0] and j < c.shape[1]:
                total = 0.0
                for k in range(a.shape[1]):
                    total += a[i, k] * b[k, j]
                c[i, j] = total

        rng = np.random.default_rng(1)
        a, b = rng.integers(0, 9, (13, 40)).astype(np.float64), rng.integers(0, 9, (40, 21)).astype(np.float64)
        for block in BLOCKS:
            x, y = block if isinstance(block, tuple) else (block, 1)
            for order in "CF":
                c = np.zeros((13, 21))
                matmul[((21 + x - 1) // x, (13 + y - 1) // y), block](a, np.asarray(b, order=order), c)
                np.testing.assert_array_equal(c, a @ b, str((block, order)))

    def test_stencils(self) -> None:
        """Loops in loops, conditions and other variables in them, steps backwards, no pass at all."""

        @cuda.jit
        def kernel(a, w, r, out, counts):
            j, i = cuda.grid(2)
            if r <= i < a.shape[0] - r and r <= j < a.shape[1] - r:
                total, count, last = 0.0, 0, -1
                for dy in range(-r, r + 1):
                    for dx in range(r, -r - 1, -1):
                        value = a[i + dy, j + dx]
                        if value > 0.5:
                            total += value * w[dy + r, dx + r]
                            count += 1
                        else:
                            last = dx
                out[i, j] = total + last
                counts[i, j] = count

        rng = np.random.default_rng(2)
        a = rng.integers(0, 100, (20, 37)) / 64
        for r in (0, 1, 3):
            w = rng.integers(0, 9, (2 * r + 1, 2 * r + 1)) / 8
            expected, counts = np.zeros_like(a), np.zeros(a.shape, np.int64)
            for i in range(r, a.shape[0] - r):
                for j in range(r, a.shape[1] - r):
                    last = -1
                    for dy in range(-r, r + 1):
                        for dx in range(r, -r - 1, -1):
                            value = a[i + dy, j + dx]
                            if value > 0.5:
                                expected[i, j] += value * w[dy + r, dx + r]
                                counts[i, j] += 1
                            else:
                                last = dx
                    expected[i, j] += last
            for block in BLOCKS:
                x, y = block if isinstance(block, tuple) else (block, 1)
                out, found = np.zeros_like(a), np.zeros(a.shape, np.int64)
                kernel[((37 + x - 1) // x, (20 + y - 1) // y), block](a, w, r, out, found)
                np.testing.assert_array_equal(found, counts, str((block, r)))
                np.testing.assert_array_equal(out, expected, str((block, r)))

    def test_bodies(self) -> None:
        """n bodies: roots, several sums, the thread itself left out; what is stored in each pass; threads that returned before."""

        @cuda.jit
        def kernel(x, n, forces, steps, last):
            i = cuda.grid(1)
            if i >= n:
                return
            own = x[i]
            total, near = float32(0), 0
            for j in range(n):
                distance = x[j] - own
                if j != i:
                    total += float32(1) / math.sqrt(distance * distance)
                    near += abs(distance) < 2
                steps[j, i] = near
            forces[i] = total
            last[i] = j + near

        n = 45
        x = (np.arange(n) * 4).astype(np.float32)
        expected = np.zeros(n, np.float32)
        for i in range(n):
            for j in range(n):
                if i != j:
                    expected[i] += np.float32(1) / np.abs(x[j] - x[i])
        for block in (8, 64, 7, 1, 32):
            forces, steps, last = np.zeros(n, np.float32), np.full((n, n), -1), np.zeros(n, np.int64)
            kernel[(n + block - 1) // block, block](x, n, forces, steps, last)
            np.testing.assert_array_equal(forces, expected, str(block))
            self.assertEqual(set(steps.ravel().tolist()), {0})
            self.assertEqual(set(last.tolist()), {n - 1})

    def test_in_place(self) -> None:
        """Each thread changes what it read, pass after pass, and reads what no other writes."""

        @cuda.jit
        def kernel(a, b, n):
            i = cuda.grid(1)
            if i < a.size:
                for k in range(n):
                    a[i] = a[i] * 3 + b[k]
                    if k % 2 == 0:
                        a[i] += k

        for n in (0, 1, 20):
            start, b = np.arange(50), np.arange(20) * 7
            expected = start.copy()
            for k in range(n):
                expected = expected * 3 + b[k] + (k if k % 2 == 0 else 0)
            for block in (8, 64, 7):
                a = start.copy()
                kernel[(50 + block - 1) // block, block](a, b, n)
                self.assertEqual(a.tolist(), expected.tolist(), (n, block))

    def test_divergent(self) -> None:
        """Such a loop in one whose bounds differ, and behind one that ended early."""

        @cuda.jit
        def kernel(a, n, out):
            i = cuda.grid(1)
            total = 0
            for outer in range(i % 4):
                if outer == 2:
                    continue
                for k in range(n):
                    total += a[k] * (outer + 1)
            for k in range(n):
                if total > 100 and k == 5:
                    break
                total += a[k]
            if i < out.size:
                out[i] = total

        a, n = np.arange(10), 10
        expected = []
        for i in range(40):
            total = 0
            for outer in range(i % 4):
                if outer != 2:
                    total += 45 * (outer + 1)
            for k in range(n):
                if total > 100 and k == 5:
                    break
                total += k
            expected.append(total)
        for block in (8, 40, 5):
            out = np.zeros(40, np.int64)
            kernel[40 // block, block](a, n, out)
            self.assertEqual(out.tolist(), expected, block)

    def test_random(self) -> None:
        """Random loops: blocks that are run by groups, and one thread after another, give the same."""
        for seed in range(40):
            text, name = Writer(seed).text(), f"<loops {seed}>"
            linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
            scope = {"cuda": cuda}
            exec(compile(text, name, "exec"), scope)
            kernel = cuda.jit(scope["kernel"])
            numbers = np.random.default_rng(seed)
            a, b = numbers.integers(0, 7, (24, 96)).astype(np.float64), numbers.integers(0, 7, 24).astype(np.float64)
            n, found = int(numbers.integers(0, 20)), []
            for grid, block in ((96, 1), (3, 32), (12, 8)):
                found.append(np.zeros((24, 96)))
                kernel[grid, block](a, b, n, found[-1])
            for other in found[1:]:
                np.testing.assert_array_equal(found[0], other, text)


if __name__ == "__main__":
    main()
