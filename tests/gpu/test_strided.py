"""Loops that threads go through by strides, which the CPU backend runs pass by pass for the whole block: the same results whatever it is."""

import os
import signal
import subprocess
import sys
import threading
import time
import unittest

from support import main  # before NumPy: skips the tests where there is none

import numpy as np
from numba import cuda, float32

ON_GPU = os.environ.get("KILN_OFFLOAD", "cpu") not in ("", "cpu")
SHAPES = [(1, 8), (3, 64), (2, 256), (5, 7), (2, 60), (1, 1), (4, (16, 2)), ((2, 3), (8, 3)), ((2, 2, 2), (8, 2, 2)), (1, (4, 4))]


class Strided(unittest.TestCase):
    def check(self, kernel, expected, *arguments, result=-1) -> None:
        """Launches on copies of the arguments in all shapes; the result is one of them."""
        for grid, block in SHAPES:
            given = [argument.copy() if isinstance(argument, np.ndarray) else argument for argument in arguments]
            kernel[grid, block](*given)
            np.testing.assert_array_equal(given[result], expected, str((grid, block)))

    @unittest.skipIf(ON_GPU, "the CPU's code is looked at")
    def test_vectors(self) -> None:
        """Such a loop goes through memory by vectors, in a kernel with barriers too."""
        program = """
import numpy as np
from numba import cuda
@cuda.jit
def kernel(a, out):
    part = cuda.shared.array(64, np.float64)
    mine = 0.0
    for i in range(cuda.grid(1), a.size, cuda.gridsize(1)):
        mine += a[i]
    part[cuda.threadIdx.x] = mine
    BARRIER
    out[cuda.grid(1)] = part[63 - cuda.threadIdx.x]
kernel[1, 64](np.zeros(100), np.zeros(64))
"""
        for barrier in "cuda.syncthreads()", "pass":
            environment = {**os.environ, "KILN_DUMP": "llvm"}
            result = subprocess.run([sys.executable, "-c", program.replace("BARRIER", barrier)], capture_output=True, text=True, env=environment)
            self.assertEqual((result.returncode, "x double> @" in result.stderr or "fadd <" in result.stderr), (0, True))

    def test_with_barriers(self) -> None:
        """Sums of a block by shared memory, behind a return of some threads and under a condition."""

        @cuda.jit
        def kernel(a, out, limit):
            part = cuda.shared.array(256, np.int64)
            size = cuda.blockDim.x * cuda.blockDim.y * cuda.blockDim.z
            thread = cuda.threadIdx.x + cuda.blockDim.x * (cuda.threadIdx.y + cuda.blockDim.y * cuda.threadIdx.z)
            mine = 0
            odd = 0
            if thread < limit:
                for i in range(thread, a.size, size):
                    mine += a[i]
                    if a[i] % 2 == 1:
                        odd += 1
            part[thread] = mine * 1000 + odd
            cuda.syncthreads()
            step = 1
            while step < size:
                if thread % (2 * step) == 0 and thread + step < size:
                    part[thread] += part[thread + step]
                cuda.syncthreads()
                step *= 2
            if cuda.blockIdx.x + cuda.blockIdx.y + cuda.blockIdx.z > 0:
                return
            for i in range(thread, out.size, size):
                out[i] = part[0] + i

        for _, block in SHAPES:
            size = int(np.prod(block))
            for count in 0, 1, 63, 64, 100, 1003:
                for limit in 0, 5, size, size + 1:
                    a, out = np.arange(count), np.zeros(70, np.int64)
                    kernel[2, block](a, out, limit)
                    taken = a[a % size < limit]
                    np.testing.assert_array_equal(out, taken.sum() * 1000 + (taken % 2).sum() + np.arange(70), str((block, count, limit)))

    def test_locks(self) -> None:
        """A thread that waits for another one of its block, which holds a lock around such a loop."""

        @cuda.jit
        def kernel(lock, a):
            while cuda.atomic.cas(lock, 0, 0, 1) != 0:
                pass
            for i in range(cuda.grid(1), a.size, cuda.gridsize(1)):
                a[i] += 1
            cuda.threadfence()
            cuda.atomic.exch(lock, 0, 0)

        a = np.zeros(100)
        kernel[1, 64](np.zeros(1, np.int32), a)
        self.assertEqual(a.tolist(), [1] * 100)

        @cuda.jit
        def waiting(lock, a):
            while cuda.atomic.cas(lock, 0, 0, 1) != 0:
                pass
            for i in range(cuda.grid(1), a.size, cuda.gridsize(1)):
                a[i] += 1
            cuda.threadfence()
            cuda.atomic.exch(lock, 0, 0)
            cuda.syncthreads()
            a[cuda.threadIdx.x] += 1

        waiting[1, 64](np.zeros(1, np.int32), a)
        self.assertEqual(a.tolist(), [3] * 64 + [2] * 36)

    def test_elements(self) -> None:
        @cuda.jit
        def kernel(a, b):
            block = cuda.blockIdx.x + cuda.gridDim.x * (cuda.blockIdx.y + cuda.gridDim.y * cuda.blockIdx.z)
            size = cuda.blockDim.x * cuda.blockDim.y * cuda.blockDim.z
            thread = cuda.threadIdx.x + cuda.blockDim.x * (cuda.threadIdx.y + cuda.blockDim.y * cuda.threadIdx.z)
            start, step = block * size + thread, size * cuda.gridDim.x * cuda.gridDim.y * cuda.gridDim.z
            for i in range(start, a.size, step):
                b[i] = 2 * a[i] + 1

        for size in 0, 1, 7, 8, 1000, 1003:
            a = np.arange(size, dtype=np.float64)
            self.check(kernel, 2 * a + 1, a, np.zeros(size))

    def test_jumps(self) -> None:
        """continue, break and return; what is behind the loop; a condition around it."""

        @cuda.jit
        def skipping(a, b):
            block = cuda.blockIdx.x + cuda.gridDim.x * (cuda.blockIdx.y + cuda.gridDim.y * cuda.blockIdx.z)
            size = cuda.blockDim.x * cuda.blockDim.y * cuda.blockDim.z
            thread = cuda.threadIdx.x + cuda.blockDim.x * (cuda.threadIdx.y + cuda.blockDim.y * cuda.threadIdx.z)
            start, step = block * size + thread, size * cuda.gridDim.x * cuda.gridDim.y * cuda.gridDim.z
            if start < a.size:
                for i in range(start, a.size, step):
                    if a[i] % 3 == 0:
                        continue
                    b[i] = a[i]
                    if a[i] % 5 == 0:
                        b[i] = -1

        a = np.arange(500)
        self.check(skipping, np.where(a % 3 == 0, 0, np.where(a % 5 == 0, -1, a)), a, np.zeros(500, np.int64))

        @cuda.jit
        def leaving(a, ends, after):
            block = cuda.blockIdx.x + cuda.gridDim.x * (cuda.blockIdx.y + cuda.gridDim.y * cuda.blockIdx.z)
            size = cuda.blockDim.x * cuda.blockDim.y * cuda.blockDim.z
            thread = cuda.threadIdx.x + cuda.blockDim.x * (cuda.threadIdx.y + cuda.blockDim.y * cuda.threadIdx.z)
            start, step = block * size + thread, size * cuda.gridDim.x * cuda.gridDim.y * cuda.gridDim.z
            if start >= ends.size:
                return
            last = -1
            for i in range(start, a.size, step):
                last = i
                if a[i] > 40:
                    break
                if a[i] == 13:
                    ends[start] = 1000
                    return
            ends[start] = last
            after[start] += 1

        for grid, block in SHAPES:
            threads = int(np.prod(grid) * np.prod(block))
            ends, after = np.full(100, -5), np.zeros(100, np.int64)
            leaving[grid, block](np.arange(60), ends, after)
            for start in range(min(threads, 100)):
                visited = []
                for i in range(start, 60, threads):
                    visited.append(i)
                    if i > 40 or i == 13:
                        break
                returned = bool(visited) and visited[-1] == 13
                self.assertEqual(ends[start], 1000 if returned else visited[-1] if visited else -1, (grid, block, start))
                self.assertEqual(after[start], 0 if returned else 1)

    def test_counters(self) -> None:
        """What counts the passes is behind the loop as it was in the last one; where there was none, as before."""

        @cuda.jit
        def kernel(a, n, after, together):
            start, step = cuda.grid(1), cuda.gridsize(1)
            i, k = -1, -1
            for i in range(start, a.size, step):
                a[i] += 1
            after[start] = i
            if start % 3 != 0:
                for k in range(n):
                    a[start] += 1
            together[start] = k

        for block, blocks in ((64, 2), (8, 16), (1, 128)):
            for size in (100, 128, 300):
                for n in (0, 5):
                    after, together = np.zeros(128, np.int64), np.zeros(128, np.int64)
                    kernel[blocks, block](np.zeros(300)[:size], n, after, together)
                    self.assertEqual(after.tolist(), [(range(s, size, 128) or [-1])[-1] for s in range(128)])
                    self.assertEqual(together.tolist(), [n - 1 if n and s % 3 else -1 for s in range(128)])

    def test_sums(self) -> None:
        """A thread's own variables live from pass to pass, and behind the loop; types widen in it."""

        @cuda.jit
        def kernel(a, sums, counts, products):
            block = cuda.blockIdx.x + cuda.gridDim.x * (cuda.blockIdx.y + cuda.gridDim.y * cuda.blockIdx.z)
            size = cuda.blockDim.x * cuda.blockDim.y * cuda.blockDim.z
            thread = cuda.threadIdx.x + cuda.blockDim.x * (cuda.threadIdx.y + cuda.blockDim.y * cuda.threadIdx.z)
            start, step = block * size + thread, size * cuda.gridDim.x * cuda.gridDim.y * cuda.gridDim.z
            total = 0
            count = np.int8(0)
            product = float32(1)
            half = True
            for i in range(start, a.size, step):
                total = total + a[i] * 0.5
                count += 1
                if half:
                    product *= float32(2)
                half = not half
            if start < sums.size:
                sums[start] = total
                counts[start] = count
                products[start] = product

        a = np.arange(1000.0)
        for grid, block in SHAPES:
            threads = int(np.prod(grid) * np.prod(block))
            sums, counts, products = np.zeros(50), np.zeros(50), np.zeros(50)
            kernel[grid, block](a, sums, counts, products)
            for start in range(min(threads, 50)):
                mine = a[start::threads]
                self.assertEqual((sums[start], counts[start]), (mine.sum() * 0.5, mine.size if mine.size < 128 else counts[start]))
                self.assertEqual(products[start], 2.0 ** min((mine.size + 1) // 2, 127) if mine.size < 200 else products[start])

    def test_ranges(self) -> None:
        """Downwards, unsigned, with strides of a block's own, several after one another, in two dimensions."""

        @cuda.jit
        def kernel(a, b, c, d, m):
            block = cuda.blockIdx.x + cuda.gridDim.x * (cuda.blockIdx.y + cuda.gridDim.y * cuda.blockIdx.z)
            size = cuda.blockDim.x * cuda.blockDim.y * cuda.blockDim.z
            thread = cuda.threadIdx.x + cuda.blockDim.x * (cuda.threadIdx.y + cuda.blockDim.y * cuda.threadIdx.z)
            start, step = block * size + thread, size * cuda.gridDim.x * cuda.gridDim.y * cuda.gridDim.z
            for i in range(a.size - 1 - start, -1, -step):
                b[i] = a[i] + 1
            for i in range(np.uint32(start), np.uint32(a.size), np.uint32(step)):
                c[i] = a[i] + i
            for i in range(cuda.threadIdx.x, d.shape[1], cuda.blockDim.x):
                if cuda.threadIdx.y == 0 and cuda.threadIdx.z == 0 and cuda.blockIdx.x + cuda.blockIdx.y + cuda.blockIdx.z == 0:
                    d[0, i] += 1
                    d[1, i] = d[0, i] + 1
            x, y = cuda.grid(2)
            if cuda.blockIdx.z == 0 and cuda.threadIdx.z == 0:
                for i in range(y, m.shape[0], cuda.gridDim.y * cuda.blockDim.y):
                    for j in range(x, m.shape[1], cuda.gridDim.x * cuda.blockDim.x):
                        m[i, j] += i * 100 + j

        a = np.arange(300)
        matrix = np.arange(30)[:, None] * 100 + np.arange(50)
        for grid, block in SHAPES:
            b, c, d, m = np.zeros(300), np.zeros(300), np.zeros((2, 70)), np.zeros((30, 50))
            kernel[grid, block](a, b, c, d, m)
            np.testing.assert_array_equal(b, a + 1, str((grid, block)))
            np.testing.assert_array_equal(c, a + a)
            np.testing.assert_array_equal(d, [[1] * 70, [2] * 70])
            np.testing.assert_array_equal(m, matrix)

    def test_fields_views_and_tuples(self) -> None:
        pair = np.dtype([("x", np.float32), ("y", np.int64)])

        @cuda.jit
        def kernel(records, rows, both):
            block = cuda.blockIdx.x + cuda.gridDim.x * (cuda.blockIdx.y + cuda.gridDim.y * cuda.blockIdx.z)
            size = cuda.blockDim.x * cuda.blockDim.y * cuda.blockDim.z
            thread = cuda.threadIdx.x + cuda.blockDim.x * (cuda.threadIdx.y + cuda.blockDim.y * cuda.threadIdx.z)
            start, step = block * size + thread, size * cuda.gridDim.x * cuda.gridDim.y * cuda.gridDim.z
            first, second = both
            for i in range(start, records.size, step):
                row = rows[i]
                records[i].x = row[0] + first
                records[i].y = row[-1] * second if row[1] > 0 else -1

        rows = np.arange(300.0).reshape(100, 3) - 30
        expected = np.zeros(100, pair)
        expected["x"], expected["y"] = rows[:, 0] + 1.5, np.where(rows[:, 1] > 0, rows[:, 2] * 2, -1)
        self.check(kernel, expected, np.zeros(100, pair), rows, (1.5, 2), result=0)

    @unittest.skipIf(ON_GPU, "the kernel keeps the GPU")
    def test_interrupts(self) -> None:
        """A loop that goes on for ever can be ended."""

        @cuda.jit
        def endless(a):
            for i in range(cuda.grid(1), 1 << 62, cuda.gridsize(1)):
                a[i % 64] = i

        main_thread = threading.main_thread().ident
        timer = threading.Timer(0.5, lambda: signal.pthread_kill(main_thread, signal.SIGINT))
        timer.start()
        start = time.monotonic()
        with self.assertRaises(KeyboardInterrupt):
            endless[1, 64](np.zeros(64))
            while time.monotonic() - start < 60:
                time.sleep(0.01)
        timer.join()


if __name__ == "__main__":
    main()
