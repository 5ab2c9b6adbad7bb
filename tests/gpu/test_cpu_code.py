"""The code of kernels on the CPU: loops over threads are vectorised, and results stay what they are."""

import os
import subprocess
import sys
import unittest

from support import main  # before NumPy: skips the tests where there is none

import numpy as np
from numba import cuda, float64, int64

MATMUL = """
from numba import cuda, float32
import numpy as np
T = 16

@cuda.jit
def matmul(A, B, C):
    a = cuda.shared.array((T, T), float32)
    b = cuda.shared.array((T, T), float32)
    x, y = cuda.grid(2)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    total = float32(0)
    for i in range(cuda.gridDim.x):
        a[ty, tx] = 0
        b[ty, tx] = 0
        if y < A.shape[0] and tx + i * T < A.shape[1]:
            a[ty, tx] = A[y, tx + i * T]
        if x < B.shape[1] and ty + i * T < B.shape[0]:
            b[ty, tx] = B[ty + i * T, x]
        cuda.syncthreads()
        for j in range(T):
            total += a[ty, j] * b[j, tx]
        cuda.syncthreads()
    if y < C.shape[0] and x < C.shape[1]:
        C[y, x] = total

@cuda.jit
def add(a, b, c):
    i = cuda.grid(1)
    if i < c.size:
        c[i] = a[i] - b[i]

n = 40
A, B, C = np.random.rand(n, n).astype("f4"), np.random.rand(n, n).astype("f4"), np.zeros((n, n), "f4")
matmul[(3, 3), (T, T)](A, B, C)
assert np.allclose(C, A @ B, rtol=1e-5)
c = np.zeros(n * n, "f4")
add[13, 128](A.ravel(), B.ravel(), c)
assert (c == (A - B).ravel()).all()
"""


class Vectorised(unittest.TestCase):
    def test_shared_matmul_and_vector_add(self) -> None:
        environment = dict(os.environ, KILN_DUMP="llvm", KILN_JIT="off", KILN_OFFLOAD="cpu")
        result = subprocess.run([sys.executable, "-c", MATMUL], capture_output=True, text=True, env=environment, timeout=120)
        self.assertEqual(result.returncode, 0, result.stderr[-3000:])
        optimised = "".join(part.partition("; ModuleID = 'py::")[0] for part in result.stderr.split("; optimised")[1:])
        self.assertRegex(optimised, r"fmul <\d+ x float>")
        self.assertRegex(optimised, r"fsub <\d+ x float>")


class Ranges(unittest.TestCase):
    """Loops over the threads that a condition lets through, and no others."""

    def test_conditions_of_threads(self) -> None:
        @cuda.jit
        def kernel(out, n):
            shared = cuda.shared.array((2, 128), int64)
            t, y = cuda.threadIdx.x, cuda.threadIdx.y
            shared[y, t] = 0
            cuda.syncthreads()
            if t < 5:
                shared[y, t] += 1
            cuda.syncthreads()
            if 64 <= t:
                shared[y, t] += 10
            cuda.syncthreads()
            if t == 3:
                shared[y, t] += 100
            cuda.syncthreads()
            if t > 2000:
                shared[y, t] += 1000
            cuda.syncthreads()
            if t < n:
                shared[y, t] += 10000
            cuda.syncthreads()
            kept = 0
            if t >= 100:
                kept = t
            cuda.syncthreads()
            if t < 127:
                if t > 120:
                    return
                shared[y, t] += 100000
            cuda.syncthreads()
            if 2 >= y:
                shared[y, t] += kept
            cuda.syncthreads()
            out[y, t] = shared[y, t]

        for n in -3, 0, 1, 20, 99, 1 << 40:
            for width in 128, 100, 3:
                out = np.full((2, 128), -1)
                kernel[1, (width, 2)](out, n)
                expected = [-1] * 128
                for t in range(width):
                    if not 120 < t < 127:
                        kept = t if t >= 100 else 0
                        expected[t] = (t < 5) + 10 * (t >= 64) + 100 * (t == 3) + 10000 * (t < n) + 100000 * (t < 127) + kept
                self.assertEqual(out.tolist(), [expected] * 2, (n, width))

    def test_sums_by_halves(self) -> None:
        @cuda.jit
        def kernel(a, out):
            shared = cuda.shared.array(256, float64)
            t = cuda.threadIdx.x
            shared[t] = a[cuda.grid(1)]
            cuda.syncthreads()
            half = cuda.blockDim.x // 2
            while half > 0:
                if t < half:
                    shared[t] += shared[t + half]
                cuda.syncthreads()
                half //= 2
            if t == 0:
                out[cuda.blockIdx.x] = shared[0]

        a = np.arange(1024.0)
        for threads in 256, 64, 8, 2:
            out = np.zeros(1024 // threads)
            kernel[1024 // threads, threads](a, out)
            self.assertEqual(out.tolist(), a.reshape(-1, threads).sum(axis=1).tolist())

    def test_places_in_the_grid(self) -> None:
        @cuda.jit
        def kernel(out, n, offset):
            i = cuda.grid(1)
            if i < n:
                out[i] += 1
            cuda.syncthreads()
            if n > i + 3:
                out[i] += 10
            cuda.syncthreads()
            if i + offset < n:
                out[i] += 100

        @cuda.jit
        def plain(out, n):
            i = cuda.grid(1)
            if i < n:
                out[i] += 1

        @cuda.jit
        def square(out, n):
            x, y = cuda.grid(2)
            if x < n:
                for _ in range(2):
                    out[y, x] += y + 1

        for n in -5, 0, 1, 7, 31, 32, 33, 95, 96, 1000, 1 << 62, -(1 << 63):
            for offset in 0, -40, 40, -(1 << 40), 1 << 40:
                out = np.zeros(96, np.int64)
                kernel[3, 32](out, n, offset)
                expected = [(i < n) + 10 * (n > i + 3) + 100 * (i + offset < n) for i in range(96)]
                self.assertEqual(out.tolist(), expected, (n, offset))
            for threads in 32, 6, 1:
                out = np.zeros(96, np.int64)
                plain[96 // threads, threads](out, n)
                self.assertEqual(out.tolist(), [int(i < n) for i in range(96)], (n, threads))
            out = np.zeros((6, 96), np.int64)
            square[(3, 2), (32, 3)](out, n)
            self.assertEqual(out.tolist(), [[2 * (y + 1) * (i < n) for i in range(96)] for y in range(6)], n)

    def test_exits_and_two_bounds(self) -> None:
        @cuda.jit
        def exits(out, n):
            i = cuda.grid(1)
            if i >= n:
                return
            out[i] += 1
            if i == 5:
                return
            out[i] += 10

        @cuda.jit
        def both(out, w, h):
            x, y = cuda.grid(2)
            if x < w and y < h:
                out[y, x] += 1

        @cuda.jit
        def either(out, count, w, h):
            x, y = cuda.grid(2)
            if y >= h or w <= x:
                return
            out[y, x] += 1
            cuda.atomic.add(count, 0, 1)

        @cuda.jit
        def other(out, odd):
            t = cuda.threadIdx.x
            if t < 20 and t % 2 == odd:
                out[t] += 1
            cuda.syncthreads()
            if t > 3 or odd:
                out[t] += 10

        for n in -5, 0, 1, 6, 31, 32, 33, 95, 96, 1 << 62, -(1 << 63):
            out = np.zeros(96, np.int64)
            exits[3, 32](out, n)
            self.assertEqual(out.tolist(), [(i < n) * (1 if i == 5 else 11) for i in range(96)], n)
            for h in 0, 4, 9:
                out = np.zeros((6, 96), np.int64)
                both[(3, 2), (32, 3)](out, n, h)
                expected = np.array([[int(x < n and y < h) for x in range(96)] for y in range(6)])
                self.assertEqual(out.tolist(), expected.tolist(), (n, h))
                out = np.zeros((6, 96), np.int64)
                count = np.zeros(1, np.int64)
                either[(3, 2), (32, 3)](out, count, n, h)
                self.assertEqual((out.tolist(), count[0]), (expected.tolist(), expected.sum()), (n, h))
        for odd in 0, 1:
            out = np.zeros(32, np.int64)
            other[1, 32](out, odd)
            self.assertEqual(out.tolist(), [int(t < 20 and t % 2 == odd) + 10 * int(t > 3 or odd == 1) for t in range(32)])

    def test_no_masks(self) -> None:
        """Adding vectors with a bound needs none."""
        environment = dict(os.environ, KILN_DUMP="llvm", KILN_JIT="off", KILN_OFFLOAD="cpu")
        text = MATMUL[: MATMUL.index("n = 40")] + "a = np.ones(1000, 'f4')\nadd[8, 128](a, a, a)\n"
        result = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, env=environment, timeout=120)
        self.assertEqual(result.returncode, 0, result.stderr[-3000:])
        self.assertNotIn("masked.store", result.stderr)


class Results(unittest.TestCase):
    def test_blocks_of_many_shapes(self) -> None:
        @cuda.jit
        def kernel(out):
            shared = cuda.shared.array(256, int64)
            t = cuda.threadIdx.x + cuda.blockDim.x * cuda.threadIdx.y
            shared[t] = t
            cuda.syncthreads()
            last = cuda.blockDim.x * cuda.blockDim.y - 1
            out[cuda.blockIdx.x, t] = shared[last - t] * 2

        for shape in (8, 1), (3, 5), (1, 7), (16, 16), (8, 1), (31, 2), (5, 5), (256, 1):
            n = shape[0] * shape[1]
            out = np.zeros((3, n), np.int64)
            kernel[3, shape](out)
            self.assertEqual(out.tolist(), [[2 * (n - 1 - t) for t in range(n)]] * 3)

    def test_local_arrays_stay_each_threads_own(self) -> None:
        @cuda.jit(device=True)
        def total(scratch, n):
            result = 0.0
            for k in range(n):
                result += scratch[k]
            return result

        @cuda.jit(device=True)
        def sorted_sum(a, b):
            pair = cuda.local.array(2, float64)
            pair[0] = min(a, b)
            pair[1] = max(a, b)
            return pair[0] * 2 + pair[1]

        @cuda.jit
        def kernel(out, data):
            i = cuda.grid(1)
            scratch = cuda.local.array(8, float64)
            for k in range(8):
                scratch[(k + i) % 8] = data[i] * k
            part = scratch[2:6]
            other = scratch
            if data[i] > 0.5:
                other = data[i:]
            out[i] = total(scratch, 8) + part[1] - scratch[3] + other[0] + sorted_sum(data[i], 0.5)

        data = np.random.default_rng(4).random(64)
        out = np.zeros(64)
        kernel[2, 32](out, data)
        first = [value if value > 0.5 else value * (-i % 8) for i, value in enumerate(data)]
        expected = [28 * v + f + min(v, 0.5) * 2 + max(v, 0.5) for v, f in zip(data, first)]
        np.testing.assert_allclose(out, expected, rtol=1e-14)

    def test_variables_across_barriers(self) -> None:
        @cuda.jit
        def kernel(out):
            t = cuda.threadIdx.x
            shared = cuda.shared.array(32, int64)
            a = 0
            b = t
            for k in range(3):
                if t % 2 == 0:
                    c = k
                else:
                    c = -k
                shared[t] = b + c
                cuda.syncthreads()
                a += shared[(t + 1) % 32] + c
                for m in range(t % 3):
                    b += m
                cuda.syncthreads()
            out[t] = a * 1000 + b

        def plain():
            a, b = [0] * 32, list(range(32))
            for k in range(3):
                c = [k if t % 2 == 0 else -k for t in range(32)]
                shared = [b[t] + c[t] for t in range(32)]
                for t in range(32):
                    a[t] += shared[(t + 1) % 32] + c[t]
                    b[t] += sum(range(t % 3))
            return [x * 1000 + y for x, y in zip(a, b)]

        out = np.zeros(32, np.int64)
        kernel[1, 32](out)
        self.assertEqual(out.tolist(), plain())

    def test_closed_forms_of_loops(self) -> None:
        @cuda.jit
        def kernel(out):
            i = cuda.threadIdx.x
            total = 0
            for m in range(i, 200, i + 1):
                total += m * m
            out[i] = total

        out = np.zeros(32, np.int64)
        kernel[1, 32](out)
        self.assertEqual(out.tolist(), [sum(m * m for m in range(i, 200, i + 1)) for i in range(32)])


if __name__ == "__main__":
    main()
