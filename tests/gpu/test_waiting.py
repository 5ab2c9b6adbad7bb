"""Device functions that wait for other threads."""

import os
import unittest

from support import main  # before NumPy: skips the tests where there is none

import numpy as np
from numba import cuda, float64, int64
from numba.core.errors import LoweringError

ON_GPU = os.environ.get("KILN_OFFLOAD", "cpu") not in ("", "cpu")


class Waiting(unittest.TestCase):
    """Device functions with barriers in them."""

    def test_results(self) -> None:
        @cuda.jit(device=True)
        def rotate(shared, value):
            tid = cuda.threadIdx.x
            shared[tid] = value
            cuda.syncthreads()
            other = shared[(tid + 1) % 32]
            cuda.syncthreads()
            return other, other - value

        @cuda.jit(device=True)
        def twice(shared, value):
            first, difference = rotate(shared, value)
            second, _ = rotate(shared, first)
            return second + 0 * difference

        @cuda.jit
        def kernel(out):
            shared = cuda.shared.array(32, float64)
            tid = cuda.threadIdx.x
            for k in range(2):
                out[tid, k] = twice(shared, tid * 10.0 + k)
            a, b = rotate(shared, float(tid))
            out[tid, 2] = a * 100 + b

        out = np.zeros((32, 3))
        kernel[1, 32](out)
        expected = [[(t + 2) % 32 * 10 + k for k in range(2)] + [(t + 1) % 32 * 100 + (t + 1) % 32 - t] for t in range(32)]
        self.assertEqual(out.tolist(), expected)

    def test_early_return(self) -> None:
        @cuda.jit(device=True)
        def early(shared, x, n):
            tid = cuda.threadIdx.x
            if n == 0:
                return -1, 0.5
            for k in range(n):
                shared[tid] = x + k
                cuda.syncthreads()
                x += shared[(tid + 1) % 32]
                cuda.syncthreads()
                for j in range(3):
                    if n == 4 and k + j == 3:
                        return x, 1.5
            return x, 2.5

        @cuda.jit
        def kernel(out, n):
            shared = cuda.shared.array(32, int64)
            tid = cuda.threadIdx.x
            for turn in range(2):
                a, b = early(shared, tid + turn, n - turn)
                out[tid, turn] = a + b

        def plain(x, n):
            if n <= 0:
                return [-0.5 if n == 0 else value + 2.5 for value in x]
            for k in range(n):
                x = [value + x[(t + 1) % 32] + k for t, value in enumerate(x)]
                if n == 4 and 1 <= k <= 3:
                    return [value + 1.5 for value in x]
            return [value + 2.5 for value in x]

        for n in 0, 1, 2, 4, 5:
            out = np.zeros((32, 2))
            kernel[1, 32](out, n)
            for turn in range(2):
                self.assertEqual(out[:, turn].tolist(), plain([t + turn for t in range(32)], n - turn))

    @unittest.skipIf(ON_GPU, "on a GPU all threads must come to a barrier, or end before")
    def test_some_threads_return_early(self) -> None:
        @cuda.jit(device=True)
        def early(shared, x, n):
            tid = cuda.threadIdx.x
            if x % 4 == 3:
                return -1, 0.5
            shared[tid] = x
            cuda.syncthreads()
            total = 0
            for k in range(n):
                if k == x % 5 and x % 4 == 1:
                    return total, 1.5
                total += shared[(tid // 4 * 4 + k % 3) % 32]
                cuda.syncthreads()
                j = 0
                while True:
                    j += 1
                    if j == x % 7:
                        if x % 4 == 2 and k == 2:
                            return total * 10, 2.5
                        break
                    if j > 8:
                        break
                cuda.syncthreads()
            return total, 3.5

        @cuda.jit
        def kernel(out, n):
            shared = cuda.shared.array(32, int64)
            tid = cuda.threadIdx.x
            for turn in range(2):
                a, b = early(shared, tid + turn, n)
                out[tid, turn] = a + b
                cuda.syncthreads()

        def plain(tid, x, turn, n):
            if x % 4 == 3:
                return -0.5
            total = 0
            for k in range(n):
                if k == x % 5 and x % 4 == 1:
                    return total + 1.5
                total += shared[turn][(tid // 4 * 4 + k % 3) % 32]
                if 1 <= x % 7 <= 8 and x % 4 == 2 and k == 2:
                    return total * 10 + 2.5
            return total + 3.5

        shared = [[0] * 32, None]
        for turn in range(2):
            shared[turn] = list(shared[0])
            for t in range(32):
                if (t + turn) % 4 != 3:
                    shared[turn][t] = t + turn
        for n in 0, 1, 4:
            out = np.zeros((32, 2))
            kernel[1, 32](out, n)
            expected = [[plain(t, t + turn, turn, n) for turn in range(2)] for t in range(32)]
            self.assertEqual(out.tolist(), expected)

    @unittest.skipIf(ON_GPU, "on a GPU all threads must come to a barrier, or end before")
    def test_some_threads_return_early_without_a_value(self) -> None:
        @cuda.jit(device=True)
        def nothing(shared, x):
            if x > 20:
                return
            cuda.syncthreads()
            if x > 10:
                shared[x] = 0
                return
            cuda.syncthreads()
            shared[x] = 1

        @cuda.jit
        def kernel(out):
            shared = cuda.shared.array(32, int64)
            tid = cuda.threadIdx.x
            shared[tid] = 5
            nothing(shared, tid)
            cuda.syncthreads()
            out[tid] = shared[31 - tid]

        out = np.zeros(32)
        kernel[1, 32](out)
        self.assertEqual(out.tolist(), [5 if 31 - t > 20 else 0 if 31 - t > 10 else 1 for t in range(32)])

    def test_recursion(self) -> None:
        @cuda.jit(device=True)
        def deeper(x):
            if x > 3:
                return 1
            cuda.syncthreads()
            return deeper(x + 1)

        @cuda.jit
        def kernel(out):
            out[cuda.threadIdx.x] = deeper(cuda.threadIdx.x)

        with self.assertRaisesRegex(LoweringError, "must not call itself"):
            kernel[1, 32](np.zeros(32))


if __name__ == "__main__":
    main()
