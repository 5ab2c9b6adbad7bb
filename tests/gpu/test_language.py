"""What kernels may be written in: statements, expressions, types, device functions."""

import math
import operator
import unittest

from support import main  # before NumPy: skips the tests where there is none

import numpy as np
from numba import cuda, float64, int32

SIZE = 7
TABLE = (3, 5, 7)
SCALE = np.float32(1.5)


def run(kernel, *arrays, threads=32):
    """Launches a kernel with one block on copies of the arrays; returns the first."""
    copies = [array.copy() if isinstance(array, np.ndarray) else array for array in arrays]
    kernel[1, threads](*copies)
    return copies[0]


def types_of(function, *arguments):
    """The type that a device function returns for these arguments: through a kernel that stores it."""
    seen = []
    device = cuda.jit(device=True)(function)

    @cuda.jit
    def kernel(out, a, b):
        out[0] = device(a, b)

    out = np.zeros(1)
    kernel[1, 1](out, *arguments)
    text = kernel._source(None, "ir")
    return text.partition("function ")[2].partition("-> ")[2].partition(" {")[0]


class Statements(unittest.TestCase):
    def test_if_elif_else(self) -> None:
        @cuda.jit
        def kernel(out):
            i = cuda.grid(1)
            if i >= out.size:
                return
            if i < 5:
                out[i] = 1
            elif i < 10:
                out[i] = 2
            else:
                out[i] = 3

        self.assertEqual(run(kernel, np.zeros(20, np.int32)).tolist(), [1] * 5 + [2] * 5 + [3] * 10)

    def test_loops(self) -> None:
        @cuda.jit
        def kernel(out):
            i = cuda.threadIdx.x
            total = 0
            for j in range(i):
                if j == 3:
                    continue
                if j == 9:
                    break
                total += j
            k = 10
            while k > i:
                k -= 1
                if k == 2:
                    break
            out[i, 0] = total
            out[i, 1] = k
            for m in range(10, 0, -3):
                out[i, 2] += m
            for m in range(i, 20, i + 1):
                out[i, 3] += m

        def plain(i):
            total = sum(j for j in range(min(i, 9)) if j != 3)
            k = 10
            while k > i:
                k -= 1
                if k == 2:
                    break
            return [total, k, sum(range(10, 0, -3)), sum(range(i, 20, i + 1))]

        self.assertEqual(run(kernel, np.zeros((32, 4), np.int64)).tolist(), [plain(i) for i in range(32)])

    def test_loop_else(self) -> None:
        @cuda.jit
        def kernel(out):
            i = cuda.threadIdx.x
            for j in range(10):
                if j == i:
                    break
            else:
                out[i] = -1
            while i > 3:
                if i == 20:
                    break
                i -= 1
            else:
                i = 100
            out[cuda.threadIdx.x] += i

        expected = [(0 if i < 10 else -1) + (100 if i < 20 else 20) for i in range(32)]
        self.assertEqual(run(kernel, np.zeros(32, np.int64)).tolist(), expected)

    def test_loop_types_widen(self) -> None:
        @cuda.jit
        def kernel(out, values):
            total = 0
            for i in range(values.size):
                total += values[i]
            out[0] = total
            x = 1
            if values[0] > 0:
                x = 2.5
            out[1] = x
            last = 0
            for i in range(5):
                if i > 0:
                    last += previous
                previous = i * 10
            out[2] = last
            out[3] = i

        values = np.array([0.5, 1.25, 2.0], np.float32)
        self.assertEqual(run(kernel, np.zeros(4), values, threads=1).tolist(), [3.75, 2.5, 60.0, 4.0])

    def test_tuples(self) -> None:
        @cuda.jit
        def kernel(out, shape):
            a, b = 3, 4.5
            a, b = b, a
            pair = (a, b)
            x, (y, z) = pair[0], (pair[1], 7)
            out[0] = x
            out[1] = y + z
            out[2] = len(pair) + shape[1] + TABLE[cuda.threadIdx.x + 1]
            for item in TABLE:
                out[3] += item
            for n, item in enumerate(TABLE, 10):
                out[4] += n * item
            out[5] = 5 in TABLE
            out[6] = (1, 2) == (1, 2)
            rows, columns = out.shape[0], 2
            out[7] = rows * columns
            both = pair + (1,)
            out[8] = len(both)

        result = run(kernel, np.zeros(9), (2, 30), threads=1)
        self.assertEqual(result.tolist(), [4.5, 10, 37, 15, 30 + 55 + 84, 1, 1, 18, 3])

    def test_slices_of_tuples(self) -> None:
        @cuda.jit
        def kernel(a, out):
            height, width = a.shape[:2]
            out[0], out[1] = height, width
            t = (1, 2.5, a[0, 0, 0], 4)
            for i, value in enumerate(t[1:]):
                out[2 + i] = value
            out[5] = len(t[-2:]) + 10 * len(t[3:1]) + 100 * len(t[9:])
            out[6], out[7] = t[::-2]
            out[8], out[9] = t[2:0:-1]
            out[10] = a[t[:1] + (0, 1)]

        a, out = np.arange(24.0).reshape(2, 3, 4), np.zeros(11)
        kernel[1, 1](a, out)
        self.assertEqual(out.tolist(), [2, 3, 2.5, 0, 4, 2, 4, 2.5, 0, 2.5, a[1, 0, 1]])

    def test_loops_over_tuples(self) -> None:
        @cuda.jit
        def kernel(out, pair):
            for x in TABLE:
                if x == 5:
                    continue
                out[0] += x
            for n, x in enumerate(pair):
                if x > 6:
                    break
                out[1] += n + x
            else:
                out[1] = -1
            for x, (n, y) in zip(TABLE, ((1, 2.5), (2, 1.5))):
                out[2] += x * n + y
            for x, y in zip(out, TABLE):
                out[3] += x * y
            for inner in (1, 2), (3.5, 4):
                for x in inner:
                    out[4] += x

        result = run(kernel, np.zeros(5), (4, 6, 8), threads=1)
        self.assertEqual(result.tolist(), [10, 4 + 7, 3 + 2.5 + 10 + 1.5, 10 * 3 + 11 * 5 + 17 * 7, 10.5])

    def test_expressions(self) -> None:
        @cuda.jit
        def kernel(out, x):
            i = cuda.threadIdx.x
            out[0] = 1 if i == 0 and x > 2 else 2
            out[1] = x or 5
            out[2] = 0 < x < 10 < 20
            out[3] = not x
            out[4] = -x + abs(-3) + min(2, x, 7) + max(1, 4)
            out[5] = (x << 3) | 1 ^ 6 & 3
            out[6] = ~x >> 1
            out[7] = int(7.9) + round(2.5) + round(3.5) + bool(x) + float(2)
            out[8] = pow(x, 3) + x**2 + 2**x
            q, r = divmod(-7, 2)
            out[9] = q * 100 + r
            out[10] = operator.add(x, 1) * operator.neg(x)
            out[11] = round(2.675, 2)

        expected = [1, 3, 1, 0, -3 + 3 + 2 + 4, (3 << 3) | 1 ^ 6 & 3, ~3 >> 1, 7 + 2 + 4 + 1 + 2, 27 + 9 + 8, -400 + 1, -12, 2.68]
        np.testing.assert_allclose(run(kernel, np.zeros(12), 3, threads=1), expected, rtol=1e-12)

    def test_division(self) -> None:
        @cuda.jit
        def kernel(out, floats, a, b, x, y):
            i = cuda.grid(1)
            if i < a.size:
                out[i, 0] = a[i] // b[i]
                out[i, 1] = a[i] % b[i]
                floats[i, 0] = x[i] // y[i]
                floats[i, 1] = x[i] % y[i]
                floats[i, 2] = a[i] / b[i]

        a = np.array([7, -7, 7, -7, 5, -(2**63), 0, 6], np.int64)
        b = np.array([2, 2, -2, -2, 0, -1, 3, 3], np.int64)
        x = np.array([7.5, -7.5, 7.5, -7.5, 5.0, 0.0, 6.0, -1e-20])
        y = np.array([2.0, 2.0, -2.0, -2.0, 0.0, 3.0, 3.0, 3.0])
        floats = np.zeros((8, 3))
        out = np.zeros((8, 2), np.int64)
        kernel[1, 32](out, floats, a, b, x, y)
        whole = [[int(p) // int(q), int(p) % int(q)] if q else [0, 0] for p, q in zip(a, b)]
        whole[5] = [-(2**63), 0]
        self.assertEqual(out.tolist(), whole)
        with np.errstate(all="ignore"):
            np.testing.assert_array_equal(floats[:, 2], a / b)
        for row, p, q in zip(floats, x, y):
            if q:
                self.assertEqual(row[:2].tolist(), [p // q, p % q])
            else:
                self.assertEqual(row[0], np.inf)
                self.assertTrue(np.isnan(row[1]))

    def test_globals_closures_and_literals(self) -> None:
        factor = 4

        @cuda.jit
        def kernel(out):
            """Its documentation."""
            out[0] = SIZE * factor
            out[1] = SCALE * out[0]
            out[2] = math.pi
            name = "x"
            if name == "x" and None is None:
                out[3] = 1
            pass

        self.assertEqual(run(kernel, np.zeros(4), threads=1).tolist(), [28.0, 42.0, math.pi, 1.0])

    def test_constant_arrays(self) -> None:
        weights = np.array([[1, 2, 3], [4, 5, 6]], np.int16)[:, ::-1]
        shifts = np.array([0.5, -1.5], np.float32)

        @cuda.jit(device=True)
        def shift(i):
            return shifts[i]

        @cuda.jit
        def kernel(out):
            local = cuda.const.array_like(weights)
            i = cuda.threadIdx.x
            total = 0
            for k in range(local.shape[1]):
                total += local[i, k] * k
            out[i] = total + shift(i) + weights[i, -1]

        expected = [float((weights[i] * np.arange(3)).sum() + shifts[i] + weights[i, -1]) for i in range(2)]
        self.assertEqual(run(kernel, np.zeros(2), threads=2).tolist(), expected)

    def test_math(self) -> None:
        names = [
            "sin cos tan asin acos atan sinh cosh tanh exp expm1 log log10 log2 log1p sqrt ceil floor fabs erf erfc gamma",
            "lgamma degrees radians trunc asinh atanh",
        ]
        x = np.array([0.1, 0.5, 0.9])
        for name in " ".join(names).split():
            function = getattr(math, name)

            @cuda.jit
            def kernel(out, x):
                i = cuda.grid(1)
                if i < x.size:
                    out[i] = function(x[i])

            expected = [function(value) for value in x]
            np.testing.assert_allclose(run(kernel, np.zeros(3), x), expected, rtol=1e-14, err_msg=name)
            np.testing.assert_allclose(run(kernel, np.zeros(3), x.astype(np.float32)), expected, rtol=1e-5, err_msg=name)

    def test_math_of_two(self) -> None:
        @cuda.jit
        def kernel(out, x, y):
            out[0] = math.atan2(x, y)
            out[1] = math.hypot(x, y)
            out[2] = math.pow(x, y)
            out[3] = math.fmod(x, y)
            out[4] = math.copysign(x, -y)
            out[5] = math.isnan(x) + 2 * math.isinf(x / 0.0) + 4 * math.isfinite(x)
            out[6] = np.sqrt(x) + np.minimum(x, y)
            out[7] = math.log(x, 2)

        expected = [math.atan2(3, 2), math.hypot(3, 2), 9.0, 1.0, -3.0, 6.0, math.sqrt(3) + 2, math.log(3, 2)]
        np.testing.assert_allclose(run(kernel, np.zeros(8), 3.0, 2.0, threads=1), expected, rtol=1e-15)

    def test_print(self) -> None:
        import subprocess
        import sys

        program = (
            "from numba import cuda\n@cuda.jit\ndef k(x):\n    print('value', x, x * 0.5, True, (1, x))\nk[1, 1](7)\ncuda.synchronize()\n"
        )
        output = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
        self.assertEqual((output.stdout, output.stderr), ("value 7 3.500000 True (1, 7)\n", ""))


class Arrays(unittest.TestCase):
    def test_indices(self) -> None:
        @cuda.jit
        def kernel(out, a):
            i, j = cuda.grid(2)
            if i < a.shape[0] and j < a.shape[1]:
                out[i, j] = a[i, j] + a[-1, -1] + a[i][j] + a[i - 4, j - 5]

        a = np.arange(20.0).reshape(4, 5)
        expected = a + a[-1, -1] + a + a
        for array in a, np.asfortranarray(a), np.repeat(a, 2, axis=1)[:, ::2], a[::-1][::-1]:
            out = np.zeros((4, 5))
            kernel[(1, 1), (8, 8)](out, array)
            np.testing.assert_array_equal(out, expected)

    def test_three_dimensions(self) -> None:
        @cuda.jit
        def kernel(out, a):
            x, y, z = cuda.grid(3)
            nx, ny, nz = a.shape
            if x < nx and y < ny and z < nz:
                out[z, y, x] = a[x, y, z]

        a = np.arange(24, dtype=np.int16).reshape(2, 3, 4)
        out = np.zeros((4, 3, 2), np.int16)
        kernel[(1, 1, 1), (4, 4, 4)](out, a)
        np.testing.assert_array_equal(out, a.transpose(2, 1, 0))

    def test_views(self) -> None:
        @cuda.jit
        def kernel(out, a):
            i = cuda.grid(1)
            if i < a.shape[0]:
                row = a[i]
                part = row[1:-1]
                back = row[::-1]
                out[i, 0] = part[0] + part[-1] + part.size
                out[i, 1] = back[0]
                out[i, 2] = a[:, 1][i] + a[i:, 0][0] + a.T[2, i] + a[..., 3][i]
                total = 0.0
                for value in row[::2]:
                    total += value
                out[i, 3] = total

        a = np.random.default_rng(1).random((6, 5))
        out = np.zeros((6, 4))
        kernel[1, 8](out, a)
        for i in range(6):
            row = a[i]
            expected = [row[1] + row[-2] + 3, row[-1], a[i, 1] + a[i, 0] + a[i, 2] + a[i, 3], row[0] + row[2] + row[4]]
            np.testing.assert_allclose(out[i], expected, rtol=1e-15)

    def test_types_of_elements(self) -> None:
        @cuda.jit
        def kernel(out, a):
            i = cuda.grid(1)
            if i < a.size:
                out[i] = a[i] + 1

        for kind in "i1 i2 i4 i8 u1 u2 u4 u8 f4 f8".split():
            a = np.arange(10).astype(kind)
            np.testing.assert_array_equal(run(kernel, np.zeros(10, kind), a), a + 1)
        flags = np.array([True, False])

        @cuda.jit
        def negate(out, a):
            i = cuda.grid(1)
            if i < a.size:
                out[i] = not a[i]

        self.assertEqual(run(negate, np.zeros(2, bool), flags).tolist(), [False, True])

    def test_attributes(self) -> None:
        @cuda.jit
        def kernel(out, a):
            out[0] = a.ndim
            out[1] = a.size
            out[2] = a.itemsize
            out[3] = a.strides[0]
            out[4] = len(a)
            out[5] = a.shape[-1]

        a = np.zeros((3, 5), np.float32)
        self.assertEqual(run(kernel, np.zeros(6, np.int64), a, threads=1).tolist(), [2, 15, 4, 20, 3, 5])

    def test_iteration(self) -> None:
        a = np.arange(5.0)

        @cuda.jit
        def kernel(out, a, b):
            for x in a:
                out[0] += x
            for i, x in enumerate(b):
                out[1] += i * x
            for x, y in zip(a, b):
                out[2] += x * y

        self.assertEqual(run(kernel, np.zeros(3), a, a + 1, threads=1).tolist(), [10, 40, 40])

    def test_local_arrays(self) -> None:
        @cuda.jit
        def kernel(out):
            i = cuda.grid(1)
            n = 4
            scratch = cuda.local.array(n, float64)
            grid = cuda.local.array((2, 3), dtype=int32)
            for k in range(n):
                scratch[k] = i * k
            grid[1, 2] = i
            total = 0.0
            for k in range(n):
                total += scratch[k]
            out[i] = total + grid[1, 2]

        self.assertEqual(run(kernel, np.zeros(32)).tolist(), [7.0 * i for i in range(32)])


class Typing(unittest.TestCase):
    """numba's table."""

    CASES = [
        ("+", "i1 i1 int64, i4 i4 int64, u4 i4 int64, u1 u1 uint64, u1 i8 int64, u8 i8 int64, f4 f4 float32, f4 i4 float64, f4 i8 float64, f4 i2 float32, f4 u1 float32, f4 f8 float64"),
        ("//", "i4 i4 int64, f4 f4 float32"),
        ("%", "i4 i4 int64, f4 f4 float32"),
        ("/", "i4 i4 float64, f4 f4 float32, f4 i4 float64"),
        ("**", "f4 i4 float32, f4 f4 float32, f4 f8 float64, i4 i4 int64"),
        ("&", "i4 i4 int64, ? ? bool, u1 u1 uint64"),
        ("<<", "i4 i4 int64, u4 u4 uint64"),
        ("<", "i4 f4 bool, u8 i8 bool"),
    ]

    def test_binary(self) -> None:
        for op, cases in self.CASES:
            for case in cases.split(","):
                left, right, wanted = case.split()
                source = f"def f(a, b):\n    return a {op} b\n"
                self.assertEqual(self.type_of(source, left, right), wanted, f"{left} {op} {right}")

    def type_of(self, source: str, left: str, right: str) -> str:
        import linecache

        name = f"<typing {source}>"
        linecache.cache[name] = (len(source), None, source.splitlines(True), name)
        scope = {"math": math}
        exec(compile(source, name, "exec"), scope)
        return types_of(scope["f"], np.dtype(left).type(1), np.dtype(right).type(1))

    def test_functions(self) -> None:
        for expression, left, right, wanted in [
            ("min(a, b)", "i4", "f4", "float64"), ("max(a, 0)", "f4", "f4", "float64"), ("abs(a)", "i1", "i1", "int8"),
            ("math.sqrt(a)", "f4", "f4", "float32"), ("math.sqrt(a)", "i4", "i4", "float64"),
            ("math.floor(a)", "f4", "f4", "float32"), ("round(a)", "f4", "f4", "int64"), ("int(a)", "f8", "f8", "int64"),
            ("-a", "u4", "u4", "uint64"), ("~a", "u1", "u1", "uint64"), ("-a", "i1", "i1", "int64"),
            ("a * 2", "f4", "f4", "float64"), ("a * 2.0", "f4", "f4", "float64"), ("a ** 2", "f4", "f4", "float32"),
            ("a ** 0.5", "f4", "f4", "float64"), ("a + 1", "u1", "u1", "int64"), ("a >> 1", "u4", "u4", "uint64"),
        ]:
            self.assertEqual(self.type_of(f"def f(a, b):\n    return {expression}\n", left, right), wanted, expression)


if __name__ == "__main__":
    main()
