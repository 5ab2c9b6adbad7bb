"""Kernels in the style of courses and tutorials, compared with what NumPy or plain Python gives."""

import math
import subprocess
import sys
import unittest
from collections import namedtuple
from enum import IntEnum

from support import main  # before NumPy: skips the tests where there is none

import numpy as np
from numba import cuda, float32, float64, int32

MASK = np.array([1.0, 2.0, 3.0, 2.0, 1.0], np.float32)
WARP = 32
EVERYONE = 0xFFFFFFFF
Parts = namedtuple("Parts", "a b scale")


class Operation(IntEnum):
    ADD = 1
    MULTIPLY = 2


class Courses(unittest.TestCase):
    def setUp(self) -> None:
        self.rng = np.random.default_rng(3)

    def test_convolution_with_constant_mask(self) -> None:
        @cuda.jit
        def kernel(a, out):
            mask = cuda.const.array_like(MASK)
            i = cuda.grid(1)
            if i < a.size:
                total = float32(0)
                for j in range(mask.size):
                    k = i + j - mask.size // 2
                    if 0 <= k < a.size:
                        total += a[k] * mask[j]
                out[i] = total

        a, out = self.rng.integers(0, 9, 50).astype(np.float32), np.zeros(50, np.float32)
        kernel[2, 32](a, out)
        np.testing.assert_array_equal(out, np.convolve(a, MASK, "same"))

    def test_sparse_rows_by_warps(self) -> None:
        @cuda.jit
        def kernel(begins, columns, values, x, y):
            row, lane = cuda.grid(1) // WARP, cuda.threadIdx.x % WARP
            if row < y.size:
                total = 0.0
                for k in range(begins[row] + lane, begins[row + 1], WARP):
                    total += values[k] * x[columns[k]]
                offset = WARP // 2
                while offset > 0:
                    total += cuda.shfl_down_sync(EVERYONE, total, offset)
                    offset //= 2
                if lane == 0:
                    y[row] = total

        dense = (self.rng.random((10, 40)) < 0.5) * self.rng.integers(1, 9, (10, 40))
        begins = np.concatenate([[0], np.cumsum((dense != 0).sum(1))])
        x, y = self.rng.integers(0, 5, 40).astype(float), np.zeros(10)
        kernel[5, 64](begins, np.nonzero(dense)[1], dense[dense != 0].astype(float), x, y)
        np.testing.assert_array_equal(y, dense @ x)

    def test_named_tuples_and_enums(self) -> None:
        def made(factor):
            scaled = cuda.jit(device=True)(lambda value: value * factor)

            @cuda.jit
            def kernel(operation, parts, arrays, out):
                i = cuda.grid(1)
                if operation == Operation.ADD:
                    out[i] = scaled(parts.a[i]) + parts.b + arrays[0][i]
                elif operation == Operation.MULTIPLY:
                    out[i] = scaled(parts.a[i]) * parts.scale - arrays[1][i]

            return kernel

        a = np.arange(6.0)
        for factor in 5, 7:
            kernel = made(factor)
            for operation, expected in (Operation.ADD, a * factor + 2 + 10 * a), (Operation.MULTIPLY, a * factor * 3.5 - a):
                out = np.zeros(6)
                kernel[1, 6](operation, Parts(a, 2, 3.5), (a * 10, a), out)
                np.testing.assert_array_equal(out, expected)

    def test_table_of_sums(self) -> None:
        @cuda.jit
        def along_rows(a):
            row = cuda.grid(1)
            if row < a.shape[0]:
                for column in range(1, a.shape[1]):
                    a[row, column] += a[row, column - 1]

        a = self.rng.integers(0, 9, (7, 9))
        table = cuda.to_device(a)
        along_rows[1, 8](table)
        along_rows[1, 16](table.T)
        np.testing.assert_array_equal(table.copy_to_host(), a.cumsum(1).cumsum(0))

    def test_sort_with_a_stack_of_its_own(self) -> None:
        @cuda.jit
        def kernel(a):
            row = cuda.grid(1)
            if row >= a.shape[0]:
                return
            stack = cuda.local.array((32, 2), int32)
            stack[0, 0], stack[0, 1] = 0, a.shape[1] - 1
            top = 0
            while top >= 0:
                low, high = stack[top, 0], stack[top, 1]
                top -= 1
                if low < high:
                    i = low - 1
                    for j in range(low, high + 1):
                        if a[row, j] <= a[row, high]:
                            i += 1
                            a[row, i], a[row, j] = a[row, j], a[row, i]
                    for begin, end in ((low, i - 1), (i + 1, high)):
                        top += 1
                        stack[top, 0], stack[top, 1] = begin, end

        a = self.rng.integers(0, 99, (5, 20))
        out = a.copy()
        kernel[1, 8](out)
        np.testing.assert_array_equal(out, np.sort(a, 1))

    def test_transform_of_fourier(self) -> None:
        @cuda.jit
        def kernel(x, out):
            k, n = cuda.grid(1), x.size
            total = 0j
            for t in range(n):
                angle = -2 * math.pi * k * t / n
                total += x[t] * complex(math.cos(angle), math.sin(angle))
            out[k] = total

        x, out = self.rng.normal(size=16) + 1j * self.rng.normal(size=16), np.zeros(16, complex)
        kernel[1, 16](x, out)
        np.testing.assert_allclose(out, np.fft.fft(x), rtol=1e-10, atol=1e-10)

    def test_stencil_with_halo(self) -> None:
        @cuda.jit
        def kernel(a, out):
            tile = cuda.shared.array(34, float64)
            i, t = cuda.grid(1), cuda.threadIdx.x + 1
            if i < a.size:
                tile[t] = a[i]
                if t == 1:
                    tile[0] = a[i - 1] if i > 0 else 0
                if t == 32 or i == a.size - 1:
                    tile[t + 1] = a[i + 1] if i + 1 < a.size else 0
            cuda.syncthreads()
            if i < a.size:
                out[i] = tile[t - 1] - 2 * tile[t] + tile[t + 1]

        a, out = self.rng.integers(-50, 50, 75).astype(float), np.zeros(75)
        kernel[3, 32](a, out)
        padded = np.pad(a, 1)
        np.testing.assert_array_equal(out, padded[:-2] - 2 * a + padded[2:])

    def test_lock(self) -> None:
        @cuda.jit
        def kernel(mutex, count):
            while cuda.atomic.cas(mutex, 0, 0, 1) != 0:
                pass
            cuda.threadfence()
            count[0] += 1
            cuda.threadfence()
            cuda.atomic.exch(mutex, 0, 0)

        mutex, count = np.zeros(1, np.int32), np.zeros(1)
        kernel[16, 1](mutex, count)
        self.assertEqual((mutex[0], count[0]), (0, 16))

    def test_hash_table(self) -> None:
        @cuda.jit
        def kernel(keys, table):
            i = cuda.grid(1)
            if i < keys.size:
                place = keys[i] * 2654435761 % table.size
                while True:
                    old = cuda.atomic.cas(table, place, -1, keys[i])
                    if old == -1 or old == keys[i]:
                        break
                    place = (place + 1) % table.size

        keys, table = self.rng.integers(0, 40, 50), np.full(64, -1)
        kernel[2, 32](keys, table)
        np.testing.assert_array_equal(np.sort(table[table >= 0]), np.unique(keys))

    def test_sum_by_the_last_block(self) -> None:
        @cuda.jit
        def kernel(a, parts, count, out):
            shared, is_last = cuda.shared.array(32, float64), cuda.shared.array(1, int32)
            t, i = cuda.threadIdx.x, cuda.grid(1)
            shared[t] = a[i] if i < a.size else 0
            cuda.syncthreads()
            width = 16
            while width > 0:
                if t < width:
                    shared[t] += shared[t + width]
                width //= 2
                cuda.syncthreads()
            if t == 0:
                parts[cuda.blockIdx.x] = shared[0]
                cuda.threadfence()
                is_last[0] = cuda.atomic.add(count, 0, 1) == cuda.gridDim.x - 1
            cuda.syncthreads()
            if is_last[0] and t == 0:
                total = 0.0
                for block in range(cuda.gridDim.x):
                    total += parts[block]
                out[0] = total

        a, out = self.rng.integers(0, 9, 200).astype(float), np.zeros(1)
        kernel[7, 32](a, np.zeros(7), np.zeros(1, np.int32), out)
        self.assertEqual(out[0], a.sum())

    def test_bitonic_sort(self) -> None:
        @cuda.jit
        def kernel(values, j, k):
            i = cuda.grid(1)
            other = i ^ j
            if other > i and (values[i] > values[other]) == ((i & k) == 0):
                values[i], values[other] = values[other], values[i]

        values = self.rng.permutation(64)
        device = cuda.to_device(values)
        k = 2
        while k <= 64:
            j = k // 2
            while j:
                kernel[2, 32](device, j, k)
                j //= 2
            k *= 2
        np.testing.assert_array_equal(device.copy_to_host(), np.arange(64))

    def test_streams_in_a_row(self) -> None:
        @cuda.jit
        def kernel(a, by):
            i = cuda.grid(1)
            if i < a.size:
                a[i] = a[i] * by + 1

        first, second, moment = cuda.stream(), cuda.stream(), cuda.event()
        device = cuda.to_device(np.arange(8.0), stream=first)
        kernel[1, 8, first](device, 2)
        moment.record(first)
        moment.wait(second)
        kernel[1, 8, second](device, 10)
        second.synchronize()
        np.testing.assert_array_equal(device.copy_to_host(), (np.arange(8.0) * 2 + 1) * 10 + 1)

    def test_ranges_to_floats(self) -> None:
        @cuda.jit
        def kernel(out, single, whole, double):
            for i in range(single[0]):
                out[0] += i
            for i in range(-2.9, whole, 1.5):
                out[1] += 1
            for i in range(double):
                out[2] = i

        out = np.zeros(3, np.int64)
        kernel[1, 1](out, np.array([4.7], np.float32), 3, -1.0)
        self.assertEqual(out.tolist(), [6, 5, 0])

    def test_registers_of_a_specialized_kernel(self) -> None:
        @cuda.jit
        def kernel(a):
            a[0] = 1

        self.assertGreaterEqual(kernel.specialize(np.zeros(1))._func.get().attrs.regs, 0)

    def test_signature_with_generators(self) -> None:
        from numba.cuda import random

        @cuda.jit((float32[:], random.xoroshiro128p_type[:]))
        def kernel(out, states):
            i = cuda.grid(1)
            out[i] = random.xoroshiro128p_uniform_float32(states, i)

        out = np.zeros(8, np.float32)
        kernel[1, 8](out, random.create_xoroshiro128p_states(8, seed=1))
        self.assertEqual(len(set(out.tolist())), 8)

    def test_kernels_without_an_import_of_cuda(self) -> None:
        program = "import numba, numpy; print(numba.cuda.gridsize is not None, [int(part) for part in numba.__version__.split('.')])"
        printed = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
        self.assertEqual(printed, "True [0, 0, 0]\n")


if __name__ == "__main__":
    main()
