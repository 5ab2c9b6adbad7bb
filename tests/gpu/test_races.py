"""Under KILN_DEBUG=1 on the CPU: races and reads of what nothing has written are found, and clean kernels pass.

Each kernel below with `# found:` ends with that error, at the lines with the marks `# here` and `# there`; the others do not.
The file runs itself with the variable set.
"""

import os
import re
import subprocess
import sys
import unittest

from support import main  # before NumPy: skips the tests where there is none

import numpy as np
from numba import cuda, float32, float64, int32, int64

RACE = "DataRaceError"
UNWRITTEN = "UninitializedMemoryError"
CHECKED = os.environ.get("KILN_DEBUG") == "1"
ON_GPU = os.environ.get("KILN_OFFLOAD") not in (None, "", "cpu")
TILE = 8


def lines_of(kernel, *marks) -> list:
    """The numbers of the kernel's lines with these marks."""
    code = kernel.py_func.__code__
    with open(__file__, encoding="utf-8") as file:
        text = file.read().splitlines()
    found = []
    for mark in marks:
        found.append(next(i for i in range(code.co_firstlineno, len(text) + 1) if text[i - 1].endswith("# " + mark)))
    return found


@unittest.skipIf(ON_GPU, "what threads do is looked at on the CPU")
class Faulty(unittest.TestCase):
    """One test for each planted bug."""

    def check(self, kind, element, kernel, grid, block, *arguments, threads=None) -> None:
        with self.assertRaises(RuntimeError) as caught:
            kernel[grid, block](*arguments)
        message = str(caught.exception)
        self.assertEqual(type(caught.exception).__name__, kind, message)
        self.assertIn(element, message)
        named = [int(number) for number in re.findall(r", line (\d+)", message)]
        expected = lines_of(kernel, "here", "there") if kind == RACE else lines_of(kernel, "here")
        self.assertEqual(sorted(named), sorted(expected), message)
        self.assertEqual(len(re.findall(r"tid=\[\d+, \d+, \d+\] ctaid=\[\d+, \d+, \d+\]", message)), len(named), message)
        if threads is not None:
            self.assertEqual(re.findall(r"tid=\[(\d+, \d+, \d+)\]", message), threads)

    def test_missing_barrier(self) -> None:
        @cuda.jit
        def reverse(data):
            part = cuda.shared.array(32, int32)
            i = cuda.threadIdx.x
            part[i] = data[i]  # here
            data[i] = part[31 - i]  # there

        self.check(RACE, "of shared array 'part'", reverse, 1, 32, np.arange(32, dtype=np.int32))

    def test_missing_second_barrier(self) -> None:
        @cuda.jit
        def matmul(a, b, c):
            left = cuda.shared.array((TILE, TILE), float32)
            right = cuda.shared.array((TILE, TILE), float32)
            x, y = cuda.grid(2)
            tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
            total = float32(0)
            for k in range(a.shape[1] // TILE):
                left[ty, tx] = a[y, tx + k * TILE]  # here
                right[ty, tx] = b[ty + k * TILE, x]
                cuda.syncthreads()
                for j in range(TILE):
                    total += left[ty, j] * right[j, tx]  # there
            c[y, x] = total

        ones = np.ones((16, 16), np.float32)  # the values do not show the bug
        self.check(RACE, "of shared array 'left'", matmul, (2, 2), (TILE, TILE), ones, ones, ones.copy())

    def test_reduction_without_barriers(self) -> None:
        @cuda.jit
        def total(data, out):
            part = cuda.shared.array(64, float64)
            i = cuda.threadIdx.x
            part[i] = data[cuda.grid(1)]
            cuda.syncthreads()
            step = 32
            while step > 0:
                if i < step:
                    part[i] += part[i + step]  # here # there
                step //= 2
            if i == 0:
                out[cuda.blockIdx.x] = part[0]

        with self.assertRaises(RuntimeError) as caught:
            total[2, 64](np.ones(128), np.zeros(2))
        self.assertEqual(type(caught.exception).__name__, RACE)
        self.assertIn("shared array 'part'", str(caught.exception))

    def test_counter_without_atomic(self) -> None:
        @cuda.jit
        def count(data, bins):
            i = cuda.grid(1)
            bins[data[i]] += 1  # here

        with self.assertRaises(RuntimeError) as caught:
            count[4, 32](np.zeros(128, np.int32), np.zeros(4, np.int64))
        line = lines_of(count, "here")[0]
        self.assertIn(f"line {line}, tid=[0, 0, 1] ctaid=[0, 0, 0]: race on element [0] of array 'bins', which is read here "
                      f"and written in function '", str(caught.exception))
        self.assertIn(f"line {line}, tid=[0, 0, 0] ctaid=[0, 0, 0], with no barrier between", str(caught.exception))

    def test_between_blocks(self) -> None:
        @cuda.jit
        def shift(data):
            i = cuda.grid(1)
            cuda.syncthreads()
            value = data[(i + 1) % data.size]  # there
            cuda.syncthreads()
            data[i] = value  # here

        self.check(RACE, "of array 'data'", shift, 2, 16, np.arange(32.0))

    def test_atomic_and_plain(self) -> None:
        @cuda.jit
        def histogram(data, out):
            bins = cuda.shared.array(8, int32)
            i = cuda.threadIdx.x
            if i < 8:
                bins[i] = 0  # there
            cuda.atomic.add(bins, data[i], 1)  # here
            cuda.syncthreads()
            if i < 8:
                out[i] = bins[i]

        self.check(RACE, "of shared array 'bins'", histogram, 1, 32, np.arange(32) % 8, np.zeros(8, np.int32))

        @cuda.jit
        def unfinished(data, out):
            bins = cuda.shared.array(8, int32)
            i = cuda.threadIdx.x
            if i < 8:
                bins[i] = 0
            cuda.syncthreads()
            cuda.atomic.add(bins, data[i], 1)  # here
            if i < 8:
                out[i] = bins[i]  # there

        self.check(RACE, "of shared array 'bins'", unfinished, 1, 32, np.arange(32) % 8, np.zeros(8, np.int32))

    def test_without_fence(self) -> None:
        @cuda.jit
        def last(data, parts, ticket, out):
            b = cuda.blockIdx.x
            parts[b] = data[b]  # there
            if cuda.atomic.add(ticket, 0, 1) == cuda.gridDim.x - 1:
                for k in range(cuda.gridDim.x):
                    out[0] += parts[k]  # here

        self.check(RACE, "of array 'parts'", last, 4, 1, np.ones(4), np.zeros(4), np.zeros(1, np.int32), np.zeros(1))

    def test_within_a_warp(self) -> None:
        @cuda.jit
        def neighbours(out):
            part = cuda.shared.array(32, int32)
            i = cuda.threadIdx.x
            part[i] = i  # there
            cuda.syncwarp(0xFFFF)
            out[i] = part[i ^ 16]  # here

        self.check(RACE, "of shared array 'part'", neighbours, 1, 32, np.zeros(32, np.int32))

    def test_two_writers(self) -> None:
        @cuda.jit
        def write(out):
            out[cuda.grid(1) // 2] = cuda.grid(1)  # here

        with self.assertRaises(RuntimeError) as caught:
            write[1, 4](np.full(2, -1))
        self.assertIn("race on element [0] of array 'out', which is written here and written in", str(caught.exception))

    def test_views_and_functions(self) -> None:
        @cuda.jit(device=True)
        def put(row, value):
            row[1:][cuda.threadIdx.y] = value

        @cuda.jit
        def kernel(out, kind):
            if kind == 0:
                put(out[1], float64(cuda.threadIdx.x))
            else:
                out.view(np.int8)[0, cuda.threadIdx.x] = cuda.threadIdx.x

        with self.assertRaises(RuntimeError) as caught:
            kernel[1, (2, 2)](np.full((2, 4), -1.0), 0)
        self.assertIn("In function 'put'", str(caught.exception))
        self.assertIn("race on element [0] of array 'row'", str(caught.exception))

    def test_unwritten(self) -> None:
        @cuda.jit
        def histogram(data, out):
            bins = cuda.shared.array(8, int32)
            cuda.atomic.add(bins, data[cuda.threadIdx.x], 1)  # here
            cuda.syncthreads()
            if cuda.threadIdx.x < 8:
                out[cuda.threadIdx.x] = bins[cuda.threadIdx.x]

        self.check(UNWRITTEN, "element [0] of shared array 'bins'", histogram, 1, 32, np.arange(32) % 8, np.zeros(8, np.int32),
                   threads=["0, 0, 0"])

        @cuda.jit
        def stencil(data, out):
            part = cuda.shared.array(34, float64)
            i = cuda.threadIdx.x
            part[i + 1] = data[i]
            cuda.syncthreads()
            out[i] = part[i] + part[i + 2]  # here

        self.check(UNWRITTEN, "element [0] of shared array 'part'", stencil, 1, 32, np.ones(32), np.ones(32))

        @cuda.jit
        def dynamic(out):
            part = cuda.shared.array(0, float32)
            if cuda.threadIdx.x > 0:
                part[cuda.threadIdx.x] = 1
            cuda.syncthreads()
            if cuda.threadIdx.x == 3:
                out[0] = part[0]  # here

        with self.assertRaises(RuntimeError) as caught:
            dynamic[1, 4, 0, 16](np.zeros(1))
        self.assertIn("element [0] of shared array 'part' is read, and nothing has written it", str(caught.exception))

    def test_unwritten_local(self) -> None:
        for barrier in False, True:
            @cuda.jit
            def kernel(out, n):
                own = cuda.local.array(4, float64)
                i = cuda.threadIdx.x
                for k in range(n):
                    own[k] = k
                if barrier:
                    cuda.syncthreads()
                for k in range(4):
                    out[i] += own[k]  # here

            self.check(UNWRITTEN, "element [3] of local array 'own'", kernel, 1, 8, np.zeros(8), 3)
            out = np.zeros(8)
            kernel[1, 8](out, 4)
            self.assertEqual(out.tolist(), [6.0] * 8)

    def test_what_the_thread_before_left(self) -> None:
        @cuda.jit
        def kernel(out):
            own = cuda.local.array(1, int64)
            if cuda.threadIdx.x == 0:
                own[0] = 1
            out[cuda.threadIdx.x] = own[0]  # here

        self.check(UNWRITTEN, "element [0] of local array 'own'", kernel, 1, 2, np.zeros(2), threads=["0, 0, 1"])


class Clean(unittest.TestCase):
    """Nothing is found, and results are right."""

    def test_matmul(self) -> None:
        @cuda.jit
        def matmul(a, b, c):
            left = cuda.shared.array((TILE, TILE), float32)
            right = cuda.shared.array((TILE, TILE), float32)
            x, y = cuda.grid(2)
            tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
            total = float32(0)
            for k in range(a.shape[1] // TILE):
                left[ty, tx] = a[y, tx + k * TILE]
                right[ty, tx] = b[ty + k * TILE, x]
                cuda.syncthreads()
                for j in range(TILE):
                    total += left[ty, j] * right[j, tx]
                cuda.syncthreads()
            c[y, x] = total

        a = np.random.default_rng(1).random((32, 32)).astype(np.float32)
        c = np.zeros((32, 32), np.float32)
        matmul[(4, 4), (TILE, TILE)](a, a, c)
        np.testing.assert_allclose(c, a @ a, rtol=1e-5)

    def test_reduction_and_last_block(self) -> None:
        @cuda.jit
        def total(data, parts, ticket, out):
            part = cuda.shared.array(64, float64)
            is_last = cuda.shared.array(1, int32)
            i = cuda.threadIdx.x
            part[i] = data[cuda.grid(1)]
            cuda.syncthreads()
            step = 32
            while step > 0:
                if i < step:
                    part[i] += part[i + step]
                cuda.syncthreads()
                step //= 2
            if i == 0:
                parts[cuda.blockIdx.x] = part[0]
                cuda.threadfence()
                is_last[0] = cuda.atomic.inc(ticket, 0, cuda.gridDim.x) == cuda.gridDim.x - 1
            cuda.syncthreads()
            if is_last[0]:
                if i == 0:
                    for k in range(cuda.gridDim.x):
                        out[0] += parts[k]

        out = np.zeros(1)
        total[40, 64](np.ones(40 * 64), np.zeros(40), np.zeros(1, np.uint32), out)
        self.assertEqual(out[0], 40 * 64)

    def test_warp_reduction(self) -> None:
        @cuda.jit
        def total(data, out):
            parts = cuda.shared.array(2, int64)
            i = cuda.threadIdx.x
            value = data[cuda.grid(1)]
            for shift in (16, 8, 4, 2, 1):
                value += cuda.shfl_down_sync(0xFFFFFFFF, value, shift)
            if i % 32 == 0:
                parts[i // 32] = value
            cuda.syncthreads()
            if i == 0:
                cuda.atomic.add(out, 0, parts[0] + parts[1])

        out = np.zeros(1, np.int64)
        total[4, 64](np.arange(256), out)
        self.assertEqual(out[0], sum(range(256)))

    def test_syncwarp(self) -> None:
        @cuda.jit
        def neighbours(out):
            part = cuda.shared.array(64, int32)
            i = cuda.threadIdx.x
            half = 0xFFFF if i % 32 < 16 else 0xFFFF0000
            for k in range(3):
                part[i] = i + k
                cuda.syncwarp(half)
                out[i] += part[i ^ 1]
                cuda.syncwarp(half)

        out = np.zeros(64, np.int64)
        neighbours[1, 64](out)
        self.assertEqual(out.tolist(), [3 * (i ^ 1) + 3 for i in range(64)])

    def test_stencil_and_scan(self) -> None:
        @cuda.jit
        def stencil(data, out):
            part = cuda.shared.array(34, float64)
            i = cuda.grid(1)
            t = cuda.threadIdx.x
            part[t + 1] = data[i]
            if t == 0:
                part[0] = data[i - 1] if i > 0 else 0.0
            if t == 31:
                part[33] = data[i + 1] if i + 1 < data.size else 0.0
            cuda.syncthreads()
            out[i] = part[t] + part[t + 1] + part[t + 2]

        data = np.arange(128.0)
        out = np.zeros(128)
        stencil[4, 32](data, out)
        self.assertEqual(out.tolist(), np.convolve(data, np.ones(3), "same").tolist())

        @cuda.jit
        def scan(data, out):
            part = cuda.shared.array((2, 64), int64)
            i = cuda.threadIdx.x
            now = 0
            part[0, i] = data[i]
            cuda.syncthreads()
            step = 1
            while step < 64:
                part[1 - now, i] = part[now, i] + (part[now, i - step] if i >= step else 0)
                now = 1 - now
                step *= 2
                cuda.syncthreads()
            out[i] = part[now, i]

        out = np.zeros(64, np.int64)
        scan[1, 64](np.arange(64), out)
        self.assertEqual(out.tolist(), np.cumsum(np.arange(64)).tolist())

    def test_histogram(self) -> None:
        @cuda.jit
        def histogram(data, out):
            bins = cuda.shared.array(8, int32)
            i = cuda.threadIdx.x
            if i < 8:
                bins[i] = 0
            cuda.syncthreads()
            for k in range(cuda.grid(1), data.size, cuda.gridsize(1)):
                cuda.atomic.add(bins, data[k], 1)
            cuda.syncthreads()
            if i < 8:
                cuda.atomic.add(out, i, bins[i])

        data = np.arange(10000) ** 2 % 8
        out = np.zeros(8, np.int32)
        histogram[100, 32](data, out)
        self.assertEqual(out.tolist(), np.bincount(data, minlength=8).tolist())

    def test_lock(self) -> None:
        @cuda.jit
        def locked(lock, out):
            if cuda.threadIdx.x == 0:
                while cuda.atomic.cas(lock, 0, 0, 1) != 0:
                    pass
                cuda.threadfence()
                out[0] += 1
                out[1] = max(out[1], cuda.blockIdx.x)
                cuda.threadfence()
                cuda.atomic.exch(lock, 0, 0)

        out = np.zeros(2, np.int64)
        locked[200, 32](np.zeros(1, np.int32), out)
        self.assertEqual(out.tolist(), [200, 199])

    def test_same_value(self) -> None:
        @cuda.jit
        def any_negative(data, found):
            if data[cuda.grid(1)] < 0:
                found[0] = 1

        found = np.zeros(1, np.int8)
        any_negative[4, 32](-np.ones(128), found)
        self.assertEqual(found[0], 1)

    def test_grid(self) -> None:
        @cuda.jit
        def steps(data, out):
            grid = cuda.cg.this_grid()
            i = cuda.grid(1)
            for _ in range(3):
                out[i] = data[(i + 1) % data.size]
                grid.sync()
                data[i] = out[i]
                grid.sync()

        data = np.arange(64)
        steps[4, 16](data, np.zeros_like(data))
        self.assertEqual(data.tolist(), np.roll(np.arange(64), -3).tolist())

    def test_bytes_and_records(self) -> None:
        pair = np.dtype([("a", np.int8), ("b", np.int32), ("c", np.int8)])

        @cuda.jit
        def fields(records, small):
            i = cuda.threadIdx.x
            part = cuda.shared.array(16, pair)
            if i % 2 == 0:
                part[i // 2].a = i
                part[i // 2].c = -i
            else:
                part[i // 2].b = i
            small[i] = i
            cuda.syncthreads()
            if i % 2 == 0:
                records[i // 2] = part[i // 2]

        records = np.zeros(16, pair)
        small = np.zeros(32, np.int8)
        fields[1, 32](records, small)
        self.assertEqual([tuple(r) for r in records], [(2 * i, 2 * i + 1, -2 * i) for i in range(16)])
        self.assertEqual(small.tolist(), list(range(32)))

    def test_divergence(self) -> None:
        @cuda.jit
        def kernel(data, out):
            part = cuda.shared.array(32, int64)
            own = cuda.local.array(3, int64)
            i = cuda.threadIdx.x
            if i >= data.size:
                return
            for k in range(3):
                own[k] = data[i] + k
            for k in range(3):
                part[i] = own[k]
                cuda.syncthreads()
                if i > 0:
                    out[i] += part[i - 1]
                if cuda.syncthreads_or(own[k] > 1000):
                    break

        out = np.zeros(20, np.int64)
        kernel[1, 32](np.arange(20), out)
        self.assertEqual(out.tolist(), [0] + [3 * i + 3 for i in range(19)])


if __name__ == "__main__":
    if CHECKED or ON_GPU:
        main()
    command = [sys.executable, "-B", __file__, *sys.argv[1:]]
    sys.exit(subprocess.run(command, env=dict(os.environ, KILN_DEBUG="1"), check=False, timeout=600).returncode)
