"""Arithmetic of indices: in 32 bits where it is proven to fit, with the results of 64 bits everywhere."""

import unittest

from random_bounds import Writer
from support import main  # before NumPy: skips the tests where there is none

import numpy as np
from numba import cuda, float64, int64

THREADS = 64


def body(kernel, signature) -> str:
    """The kernel's own text in CUDA C++, without what stands before every kernel."""
    kernel.compile(signature)
    text = kernel.inspect_source()
    return text[text.index("__global__"):]


class Limits(unittest.TestCase):
    def test_expressions(self) -> None:
        """Around the limits of 32 bits, of operands whose ranges are known: of threadIdx, and of what was compared."""
        leaves = ["t", "(t - 40)", "(t * 33554432)", "2147483647", "(-2147483648)", "(t + 1)", "c", "46341", "4294967296"]
        expressions = [f"{a} {op} {b}" for a in leaves for op in ("+", "-", "*") for b in leaves
                       if (a, op, b) != ("4294967296", "*", "4294967296")]
        expressions += [f"{a} {op} {b}" for a in leaves for op in ("//", "%") for b in leaves if b not in ("t", "(t - 40)", "(t * 33554432)", "c")]
        expressions += [f"{a} {op} {b}" for a in leaves for op in ("&", "|", "^", "<", ">=") for b in leaves]
        expressions += [f"{a} << {b}" for a in ("t", "c", "1", "(-t)", "2147483647") for b in ("3", "25", "31", "t % 30")]
        expressions += [f"{a} >> {b}" for a in leaves for b in ("1", "31", "33", "t")]
        expressions += [f"{name}({a}, {b})" for name in ("min", "max") for a in leaves for b in leaves]
        expressions += [f"{op}({a})" for op in ("-", "~", "abs") for a in leaves]
        for first in range(0, len(expressions), 100):
            part = expressions[first:first + 100]
            lines = "".join(f"        out[t, {i}] = {text}\n" for i, text in enumerate(part))
            scope = {"cuda": cuda}
            exec(f"def kernel(out, given):\n    t = cuda.threadIdx.x\n    c = given[t]\n    if -50 <= c < 50000:\n{lines}", scope)
            given = (np.arange(THREADS) * 790 - 50).astype(np.int64)
            out = np.zeros((THREADS, len(part)), np.int64)
            cuda.jit(scope["kernel"])[1, THREADS](out, given)
            for t in range(THREADS):
                wanted = [int(eval(text, {"t": t, "c": int(given[t])})) for text in part]
                # numba's integers have 64 bits.
                wanted = [(value + 2**63) % 2**64 - 2**63 for value in wanted]
                self.assertEqual(dict(zip(part, out[t].tolist())), dict(zip(part, wanted)))

    def test_hashes(self) -> None:
        """A product that overflows is negative, and its index counts from the end, as in numba."""
        factor = 11400714819323

        @cuda.jit
        def scatter(keys, table):
            i = cuda.grid(1)
            if i < keys.size:
                table[(int64(keys[i]) * factor) >> 40] = i + 1

        keys = np.array([0, 1, 3000000000, 4294967295, 2**31, 123456789], np.uint32)
        table = np.zeros(1 << 24, np.int32)
        scatter[1, 32](keys, table)
        wanted = np.zeros_like(table)
        for i, key in enumerate(keys.tolist()):
            wrapped = (key * factor + 2**63) % 2**64 - 2**63
            wanted[wrapped >> 40] = i + 1
        np.testing.assert_array_equal(np.flatnonzero(table), np.flatnonzero(wanted))
        self.assertTrue((table == wanted).all())


class NearRemainders(unittest.TestCase):
    """The remainder of what is near its divisor needs no division."""

    def test_at_the_edges(self) -> None:
        @cuda.jit
        def rings(a, out, k):
            i = cuda.grid(1)
            if i >= a.size:
                return
            n = a.shape[0]
            out[0, i], out[1, i], out[2, i], out[3, i] = (i + 1) % n, (i - 1) % n, i % n, (i + k) % n
            out[4, i], out[5, i], out[6, i] = (n - 1 - i) % n, (i + 2) % len(a), (i - 2) % a.size
            if n > 5:
                out[7, i], out[8, i], out[9, i], out[10, i] = (i + 3) % n, (i - 6) % n, (i + 6) % n, (i + 7) % n

        for n in range(1, 20):
            for k in -100, -1, 0, 1, 50:
                out = np.zeros((11, n), np.int64)
                rings[2, 32](np.zeros(n), out, k)
                i = np.arange(n)
                wanted = [i + 1, i - 1, i, i + k, n - 1 - i, i + 2, i - 2, i + 3, i - 6, i + 6, i + 7]
                wanted = [line % n if row < 7 or n > 5 else 0 * line for row, line in enumerate(wanted)]
                np.testing.assert_array_equal(out, wanted, f"n={n}, k={k}")

    def test_bounds_that_change(self) -> None:
        def loops(out):
            n = out.shape[1]
            for i in range(n):
                out[0, i], out[1, i] = (i + 1) % n, (i - 1) % n
                j = i
                while j < n:
                    j += 1
                out[2, i] = j % n
                other = n
                if i == 2:
                    other = n - 1
                if other > 0:
                    out[3, i] = (i + 1) % other
            m, i = n, 0
            while i < m:
                out[4, i] = (i + 1) % m
                if i == 1 and m > 3:
                    m = 3
                out[5, i] = (i + 1) % m
                i += 1
            for i in range(n - 1, -1, -1):
                out[6, i], out[7, i] = (i + 1) % n, (i - 1) % n
            least = n
            for i in range(n):
                if i < least:
                    out[8, i] = (i + 1) % least
                    least = n - i if n - i > 0 else 1
                    out[9, i] = (i + 1) % least

        for n in range(1, 20):
            out, wanted = np.full((10, n), -7, np.int64), np.full((10, n), -7, np.int64)
            cuda.jit(loops)[1, 1](out)
            loops(wanted)
            np.testing.assert_array_equal(out, wanted, f"n={n}")

    def test_text(self) -> None:
        @cuda.jit
        def kernel(a, out):
            x, y = cuda.grid(2)
            h, w = a.shape
            if y < h and x < w:
                for d in range(-1, 2):
                    out[y, x] += a[(y + d) % h, (x - d) % a.shape[1]]

        self.assertNotIn("modulo", body(kernel, (float64[:, :], float64[:, :])))
        a, out = np.arange(35.0).reshape(5, 7), np.zeros((5, 7))
        kernel[1, (8, 8)](a, out)
        np.testing.assert_array_equal(out, sum(np.roll(a, (-d, d), (0, 1)) for d in range(-1, 2)))


class SplitLoops(unittest.TestCase):
    """Loops whose counter may begin below zero are two."""

    def test_results(self) -> None:
        def sums(starts, values, out):
            i = cuda.grid(1)
            if i < starts.size - 1:
                total, last = 0, -99
                for k in range(starts[i], starts[i + 1]):
                    if values[k] == 4:
                        continue
                    total += values[k] * (k + 100)
                    last = k
                    k = 7
                out[i, 0], out[i, 1] = total, last
                for k in range(starts[i], starts[i + 1]):
                    if values[k] == 6:
                        break
                    out[i, 2] += values[k]
                for k in range(starts[i], starts[i + 1]):
                    for j in range(starts[i] // 2, k):
                        out[i, 3] += values[j] - values[k]

        values = np.arange(1, 9)
        for kind in np.int8, np.int32, np.int64, np.uint32:
            starts = np.array([0, 3, 3, 2, 8, 5, 0, 1] if kind == np.uint32 else [-8, -5, 0, -3, 4, -1, 8, 3, 3, 7, -8, 8, -1, 0, -2, -2], kind)
            out, wanted = np.zeros((starts.size, 4), np.int64), np.zeros((starts.size, 4), np.int64)
            cuda.jit(sums)[1, 32](starts, values, out)
            for i in range(starts.size - 1):
                whole = [int(start) for start in starts[i:i + 2]]
                passes = range(*whole)
                kept = [k for k in passes if values[k] != 4]
                wanted[i, 0], wanted[i, 1] = sum(values[k] * (k + 100) for k in kept), kept[-1] if kept else -99
                for k in passes:
                    if values[k] == 6:
                        break
                    wanted[i, 2] += values[k]
                wanted[i, 3] = sum(values[j] - values[k] for k in passes for j in range(whole[0] // 2, k))
            np.testing.assert_array_equal(out, wanted, str(kind))

    def test_text(self) -> None:
        @cuda.jit
        def kernel(starts, values, out):
            i = cuda.grid(1)
            for k in range(starts[i], starts[i + 1]):
                out[i] += values[k]

        text = body(kernel, (int64[::1], float64[::1], float64[::1]))
        self.assertEqual((text.count("values(wrap("), text.count("values(k)"), text.count("for (")), (1, 1, 2), text)


class RandomBounds(unittest.TestCase):
    def test_like_python(self) -> None:
        for seed in range(80):
            text = Writer(seed).text()
            scope = {}
            exec(text, scope)
            plain, device = scope["kernel"], cuda.jit(scope["kernel"], device=True)
            kernel = cuda.jit(lambda a, out, p, q: device(a, out, cuda.threadIdx.x, p, q))
            for size, p, q in (1, 1, -1), (5, 3, -4), (4, 7, 2):
                out, wanted = np.full(6, -5, np.int64), np.full(6, -5, np.int64)
                kernel[1, 6](np.zeros(size), out, p, q)
                for i in range(6):
                    plain(np.zeros(size), wanted, i, p, q)
                self.assertEqual(out.tolist(), wanted.tolist(), f"seed {seed}, {size}, {p}, {q}\n{text}")


class Texts(unittest.TestCase):
    """What is made narrower, and what is not."""

    def test_reduction(self) -> None:
        @cuda.jit
        def total(x):
            shared = cuda.shared.array(256, float64)
            t = cuda.threadIdx.x
            shared[t] = x[t]
            cuda.syncthreads()
            s = 1
            while s < cuda.blockDim.x:
                if t % (2 * s) == 0 and t + s < cuda.blockDim.x:
                    shared[t] += shared[t + s]
                s *= 2
                cuda.syncthreads()
            x[t] = shared[0]

        text = body(total, (float64[:],))
        self.assertIn("t % (2 * (int32)s)", text)
        self.assertIn("t + (int32)s", text)
        x = np.arange(200.0)
        total[1, 200](x)
        self.assertEqual(x[0], sum(range(200)))

    def test_grid(self) -> None:
        @cuda.jit
        def kernel(x, n):
            i, j = cuda.grid(2)
            x[i, j] = (i % n) + (j // 3) + (i - 5) % 7

        text = body(kernel, (float64[:, :], int64))
        self.assertIn("(int64)blockIdx.x * (int64)blockDim.x", text)  # up to 2^41
        self.assertIn("(int32)blockIdx.y * (int32)blockDim.y", text)
        self.assertIn("modulo<int64>(i, n)", text)  # of any sign
        self.assertIn("modulo<int64>((i - 5ll), 7ll)" if "(i - 5ll)" in text else "modulo<int64>(i - 5ll, 7ll)", text)
        self.assertIn("(int32)j / 3", text)
        x = np.zeros((9, 8))
        kernel[(3, 2), (3, 4)](x, 4)
        i, j = np.indices(x.shape)
        np.testing.assert_array_equal(x, i % 4 + j // 3 + (i - 5) % 7)

    def test_decided(self) -> None:
        """Conditions that always hold leave nothing behind."""
        @cuda.jit
        def kernel(x):
            shared = cuda.shared.array((4, 8), float64)
            t = cuda.threadIdx.x
            if t < 2000 and shared.shape[0] * shared.shape[1] == 32:
                x[t] = shared.shape[1] * 2
            else:
                x[t] = 99

        self.assertNotIn("99", body(kernel, (float64[:],)))
        x = np.zeros(3)
        kernel[1, 3](x)
        self.assertEqual(x.tolist(), [16] * 3)


if __name__ == "__main__":
    main()
