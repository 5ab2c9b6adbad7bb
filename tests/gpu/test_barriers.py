"""Barriers, shared memory, atomics, warp operations."""

import os
import unittest

from support import main  # before NumPy: skips the tests where there is none

import numpy as np
from numba import cuda, float32, float64, int32, int64

TPB = 16
random = np.random.default_rng(7)


class Shared(unittest.TestCase):
    def test_matmul(self) -> None:
        @cuda.jit
        def matmul(A, B, C):
            sA = cuda.shared.array(shape=(TPB, TPB), dtype=float32)
            sB = cuda.shared.array(shape=(TPB, TPB), dtype=float32)
            x, y = cuda.grid(2)
            tx = cuda.threadIdx.x
            ty = cuda.threadIdx.y
            if x >= C.shape[0] and y >= C.shape[1]:
                return
            tmp = 0.0
            for i in range((A.shape[1] + TPB - 1) // TPB):
                sA[tx, ty] = 0
                sB[tx, ty] = 0
                if x < A.shape[0] and ty + i * TPB < A.shape[1]:
                    sA[tx, ty] = A[x, ty + i * TPB]
                if y < B.shape[1] and tx + i * TPB < B.shape[0]:
                    sB[tx, ty] = B[tx + i * TPB, y]
                cuda.syncthreads()
                for j in range(TPB):
                    tmp += sA[tx, j] * sB[j, ty]
                cuda.syncthreads()
            if x < C.shape[0] and y < C.shape[1]:
                C[x, y] = tmp

        a = random.random((50, 40), np.float32)
        b = random.random((40, 30), np.float32)
        c = np.zeros((50, 30), np.float32)
        matmul[(4, 2), (TPB, TPB)](a, b, c)
        np.testing.assert_allclose(c, a @ b, rtol=1e-5)

    def test_reduction_under_if(self) -> None:
        """Barriers under a condition that threads do not agree on, in a loop that they do agree on."""

        @cuda.jit
        def array_sum(data, out):
            tid = cuda.threadIdx.x
            i = cuda.grid(1)
            size = len(data)
            if i < size:
                shr = cuda.shared.array(256, int32)
                shr[tid] = data[i]
                cuda.syncthreads()
                s = 1
                while s < cuda.blockDim.x:
                    if tid % (2 * s) == 0:
                        shr[tid] += shr[tid + s]
                    s *= 2
                    cuda.syncthreads()
                if tid == 0:
                    out[cuda.blockIdx.x] = shr[tid]

        data = np.arange(1024).astype(np.int32)
        out = np.zeros(4, np.int32)
        array_sum[4, 256](data, out)
        self.assertEqual(out.tolist(), data.reshape(4, 256).sum(axis=1).tolist())

    def test_halving_loop(self) -> None:
        @cuda.jit
        def total(data, out):
            shared = cuda.shared.array(128, float64)
            tid = cuda.threadIdx.x
            i = cuda.grid(1)
            value = 0.0
            while i < data.size:
                value += data[i]
                i += cuda.gridsize(1)
            shared[tid] = value
            cuda.syncthreads()
            step = cuda.blockDim.x // 2
            while step > 0:
                if tid < step:
                    shared[tid] += shared[tid + step]
                cuda.syncthreads()
                step //= 2
            if tid == 0:
                cuda.atomic.add(out, 0, shared[0])

        data = random.random(10000)
        out = np.zeros(1)
        total[8, 128](data, out)
        np.testing.assert_allclose(out[0], data.sum(), rtol=1e-12)

    def test_early_return_before_barrier(self) -> None:
        @cuda.jit
        def kernel(out, n):
            shared = cuda.shared.array(64, int32)
            tid = cuda.threadIdx.x
            shared[tid] = tid
            cuda.syncthreads()
            if tid >= n:
                return
            mine = shared[63 - tid]
            cuda.syncthreads()
            shared[tid] = mine * 2
            cuda.syncthreads()
            out[tid] = shared[n - 1 - tid] + mine

        out = np.zeros(64, np.int32)
        kernel[1, 64](out, 40)
        expected = [2 * (63 - (39 - t)) + 63 - t for t in range(40)] + [0] * 24
        self.assertEqual(out.tolist(), expected)

    @unittest.skipIf(os.environ.get("KILN_OFFLOAD") == "gpu", "GPUs require that all threads reach a barrier")
    def test_divergent_loops(self) -> None:
        """Threads leave a loop with a barrier in it at different times, by break, continue and its condition."""

        @cuda.jit
        def kernel(out):
            shared = cuda.shared.array(32, int64)
            tid = cuda.threadIdx.x
            shared[tid] = 0
            cuda.syncthreads()
            count = 0
            while count < tid:
                count += 1
                cuda.syncthreads()
                if count == 20:
                    break
                if count % 3 == 0:
                    continue
                cuda.atomic.add(shared, count, 1)
                cuda.syncthreads()
                out[tid, 1] += shared[count]
            out[tid, 0] = count
            for k in range(tid, 32):
                cuda.syncthreads()
                out[tid, 2] += k
                if k == 25:
                    break
            for k in range(3):
                cuda.syncthreads()
                out[tid, 3] += k * 10

        def plain():
            rows = [[0, 0, 0, 0] for _ in range(32)]
            shared = [0] * 32
            state = [0] * 32
            active = set(range(32))
            for step in range(1, 33):
                active = {t for t in active if state[t] < t}
                for t in active:
                    state[t] += 1
                active = {t for t in active if state[t] != 20}
                if step % 3 == 0:
                    continue
                for t in active:
                    shared[step] += 1
                for t in active:
                    rows[t][1] += shared[step]
            for t in range(32):
                rows[t][0] = state[t]
                rows[t][2] = sum(range(t, 26)) if t <= 25 else sum(range(t, 32))
                rows[t][3] = 30
            return rows

        out = np.zeros((32, 4), np.int64)
        kernel[1, 32](out)
        self.assertEqual(out.tolist(), plain())

    def test_values_across_barriers(self) -> None:
        @cuda.jit
        def kernel(out, n):
            tid = cuda.threadIdx.x
            shared = cuda.shared.array(32, float32)
            mine = cuda.local.array(3, float64)
            x = tid * 1.5
            flag = tid % 2 == 0
            row = out[tid]
            for k in range(3):
                mine[k] = tid + k
            pair = (tid, x)
            shared[tid] = x
            cuda.syncthreads()
            other = shared[(tid + 1) % 32]
            cuda.syncthreads()
            row[0] = x + other
            row[1] = flag
            row[2] = mine[0] + mine[1] + mine[2]
            row[3] = pair[0] + pair[1]
            if n > 2:
                cuda.syncthreads()
                row[4] = n
            else:
                row[4] = -1

        for n in 1, 3:
            out = np.zeros((32, 5))
            kernel[1, 32](out, n)
            expected = [[t * 1.5 + (t + 1) % 32 * 1.5, t % 2 == 0, 3 * t + 3, 2.5 * t, n if n > 2 else -1] for t in range(32)]
            self.assertEqual(out.tolist(), expected)

    def test_bounds_that_threads_compute(self) -> None:
        """Of a loop around a barrier: the same in all threads, by a variable that they set under a condition."""

        @cuda.jit
        def kernel(a, flag, out):
            n, step = 3, 1
            if flag > 0:
                n = 5
                step = flag
            i = cuda.threadIdx.x
            for _ in range(0, n, step):
                mine = a[(i + 1) % 8]
                cuda.syncthreads()
                a[i] += mine
                cuda.syncthreads()
            out[i] = n

        for flag, n, passes in ((0, 3, 3), (1, 5, 5), (2, 5, 3)):
            a, out = np.arange(8.0), np.zeros(8, np.int64)
            expected = a.copy()
            for _ in range(passes):
                expected = expected + np.roll(expected, -1)
            kernel[1, 8](a, flag, out)
            self.assertEqual((a.tolist(), out.tolist()), (expected.tolist(), [n] * 8))

    def test_two_dimensions_and_counts(self) -> None:
        @cuda.jit
        def kernel(out, counts):
            x, y, z = cuda.threadIdx.x, cuda.threadIdx.y, cuda.threadIdx.z
            tile = cuda.shared.array((2, 3, 4), int32)
            tile[z, y, x] = x + 10 * y + 100 * z
            cuda.syncthreads()
            out[z, y, x] = tile[1 - z, 2 - y, 3 - x]
            n = cuda.syncthreads_count(x > 1)
            some = cuda.syncthreads_or(x == 9)
            every = cuda.syncthreads_and(x < 4)
            if x == 0 and y == 0 and z == 0:
                counts[0] = n
                counts[1] = some != 0
                counts[2] = every != 0

        out = np.zeros((2, 3, 4), np.int32)
        counts = np.zeros(3, np.int32)
        kernel[1, (4, 3, 2)](out, counts)
        expected = [[[(3 - x) + 10 * (2 - y) + 100 * (1 - z) for x in range(4)] for y in range(3)] for z in range(2)]
        self.assertEqual(out.tolist(), expected)
        self.assertEqual(counts.tolist(), [12, 0, 1])

    def test_dynamic_shared(self) -> None:
        @cuda.jit
        def kernel(out):
            dynamic = cuda.shared.array(0, float32)
            tid = cuda.threadIdx.x
            dynamic[tid] = tid * 2
            cuda.syncthreads()
            out[tid] = dynamic[cuda.blockDim.x - 1 - tid] + dynamic.size

        out = np.zeros(64, np.float32)
        kernel[1, 64, 0, 64 * 4](out)
        self.assertEqual(out.tolist(), [2.0 * (63 - t) + 64 for t in range(64)])

    def test_device_function_with_shared(self) -> None:
        @cuda.jit(device=True)
        def fill(shared, i):
            shared[i] = i * i

        @cuda.jit
        def kernel(out):
            shared = cuda.shared.array(32, int32)
            tid = cuda.threadIdx.x
            fill(shared, tid)
            cuda.syncthreads()
            out[tid] = shared[31 - tid]

        out = np.zeros(32, np.int32)
        kernel[1, 32](out)
        self.assertEqual(out.tolist(), [(31 - t) ** 2 for t in range(32)])


class Atomics(unittest.TestCase):
    def test_add(self) -> None:
        @cuda.jit
        def histogram(values, bins):
            i = cuda.grid(1)
            if i < values.size:
                cuda.atomic.add(bins, values[i], 1)

        values = random.integers(0, 10, 20000)
        for kind in "i4 u4 i8 u8 f4 f8".split():
            bins = np.zeros(10, kind)
            histogram[200, 128](values, bins)
            np.testing.assert_array_equal(bins, np.bincount(values, minlength=10))

    def test_others(self) -> None:
        @cuda.jit
        def kernel(out, old):
            i = cuda.grid(1)
            cuda.atomic.sub(out, (0, 0), 1)
            cuda.atomic.max(out, (0, 1), i)
            cuda.atomic.min(out, (0, 2), -i)
            cuda.atomic.and_(out, (0, 3), ~(1 << i))
            cuda.atomic.or_(out, (0, 4), 1 << i)
            cuda.atomic.xor(out, (0, 5), 1 << i)
            if i == 3:
                old[0] = cuda.atomic.exch(out, (0, 6), 42)
                old[1] = cuda.atomic.cas(out, (0, 7), 5, 77)
                old[2] = cuda.atomic.cas(out, (0, 7), 5, 88)

        out = np.array([[0, 0, 0, -1, 0, 0, 9, 5]])
        old = np.zeros(3, np.int64)
        kernel[2, 16](out, old)
        self.assertEqual(out.tolist(), [[-32, 31, -31, -1 << 32, 0xFFFFFFFF, 0xFFFFFFFF, 42, 77]])
        self.assertEqual(old.tolist(), [9, 5, 77])

    def test_floats_and_counts(self) -> None:
        @cuda.jit
        def kernel(floats, counts, values):
            i = cuda.grid(1)
            cuda.atomic.max(floats, 0, values[i])
            cuda.atomic.min(floats, 1, values[i])
            cuda.atomic.nanmax(floats, 2, values[i])
            cuda.atomic.inc(counts, 0, 6)
            cuda.atomic.dec(counts, 1, 6)

        values = random.random(64)
        for kind in np.float32, np.float64:
            floats = np.array([0, 10, np.nan], kind)
            counts = np.zeros(2, np.uint32)
            kernel[1, 64](floats, counts, values.astype(kind))
            top, bottom = values.astype(kind).max(), values.astype(kind).min()
            self.assertEqual(floats.tolist(), [top, bottom, top])
            self.assertEqual(counts.tolist(), [64 % 7, (-64) % 7])

    def test_shared_atomics(self) -> None:
        @cuda.jit
        def kernel(values, out):
            local = cuda.shared.array(4, int32)
            tid = cuda.threadIdx.x
            if tid < 4:
                local[tid] = 0
            cuda.syncthreads()
            i = cuda.grid(1)
            if i < values.size:
                cuda.atomic.add(local, values[i] % 4, 1)
            cuda.syncthreads()
            if tid < 4:
                cuda.atomic.add(out, tid, local[tid])
            cuda.threadfence()

        values = random.integers(0, 100, 3000)
        out = np.zeros(4, np.int32)
        kernel[24, 128](values, out)
        np.testing.assert_array_equal(out, np.bincount(values % 4))


class Warps(unittest.TestCase):
    def test_shuffles(self) -> None:
        @cuda.jit
        def kernel(out, values):
            i = cuda.grid(1)
            lane = cuda.laneid
            value = values[i]
            out[0, i] = cuda.shfl_sync(0xFFFFFFFF, value, 5)
            out[1, i] = cuda.shfl_up_sync(0xFFFFFFFF, value, 2)
            out[2, i] = cuda.shfl_down_sync(0xFFFFFFFF, value, 3)
            out[3, i] = cuda.shfl_xor_sync(0xFFFFFFFF, value, 1)
            out[4, i] = lane
            total = value
            step = 16
            while step > 0:
                total += cuda.shfl_down_sync(0xFFFFFFFF, total, step)
                step //= 2
            if lane == 0:
                out[5, i] = total
            cuda.syncwarp()

        values = random.random(64)
        out = np.zeros((6, 64))
        kernel[1, 64](out, values)
        warps = values.reshape(2, 32)
        lanes = np.arange(32)
        np.testing.assert_array_equal(out[0], np.repeat(warps[:, 5], 32))
        np.testing.assert_array_equal(out[1].reshape(2, 32), warps[:, np.where(lanes < 2, lanes, lanes - 2)])
        np.testing.assert_array_equal(out[2].reshape(2, 32), warps[:, np.where(lanes > 28, lanes, lanes + 3)])
        np.testing.assert_array_equal(out[3].reshape(2, 32), warps[:, lanes ^ 1])
        np.testing.assert_array_equal(out[4].reshape(2, 32), [lanes, lanes])
        np.testing.assert_allclose(out[5, ::32], warps.sum(axis=1), rtol=1e-13)

    def test_votes_and_bits(self) -> None:
        @cuda.jit
        def kernel(out):
            i = cuda.threadIdx.x
            out[0, i] = cuda.all_sync(0xFFFFFFFF, i < 32)
            out[1, i] = cuda.any_sync(0xFFFFFFFF, i == 7)
            out[2, i] = cuda.ballot_sync(0xFFFFFFFF, i % 2 == 0)
            out[3, i] = cuda.match_any_sync(0xFFFFFFFF, i // 4)
            out[4, i] = cuda.popc(i) + 100 * cuda.ffs(i) + 10000 * cuda.clz(int32(i))
            out[5, i] = cuda.activemask()
            out[6, i] = cuda.lanemask_lt()
            out[7, i] = cuda.brev(int32(1)) if i == 0 else cuda.selp(i > 3, 1, 2)

        out = np.zeros((8, 32), np.int64)
        kernel[1, 32](out)
        lanes = range(32)
        self.assertEqual(out[0].tolist(), [1] * 32)
        self.assertEqual(out[1].tolist(), [1] * 32)
        self.assertEqual(out[2].tolist(), [0x55555555] * 32)
        self.assertEqual(out[3].tolist(), [0xF << (i // 4 * 4) for i in lanes])
        first = [0 if i == 0 else (i & -i).bit_length() for i in lanes]
        self.assertEqual(out[4].tolist(), [i.bit_count() + 100 * f + 10000 * (32 - i.bit_length()) for i, f in zip(lanes, first)])
        self.assertEqual(out[5].tolist(), [0xFFFFFFFF] * 32)
        self.assertEqual(out[6].tolist(), [(1 << i) - 1 for i in lanes])
        self.assertEqual(out[7].tolist(), [1 << 31] + [2] * 3 + [1] * 28)


if __name__ == "__main__":
    main()
