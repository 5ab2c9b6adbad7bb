"""Arithmetic of indices: in 32 bits where it is proven to fit, with the results of 64 bits everywhere."""

import unittest

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
