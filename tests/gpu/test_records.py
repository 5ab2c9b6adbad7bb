"""Structured arrays, records, named tuples, enums and float16 in kernels."""

import collections
import enum
import unittest

from support import main  # before NumPy: skips the tests where there is none

import numpy as np
from numba import cuda, float32, from_dtype, int32, types, void
from numba.core.errors import TypingError

Particle = np.dtype([("x", np.float64), ("id", np.int32), ("alive", np.bool_), ("z", np.complex64)], align=True)
Packed = np.dtype([("flag", np.uint8), ("value", np.float64), ("count", np.int16), ("z", np.complex128)])
Inner = np.dtype([("a", np.int32), ("b", np.float32)], align=True)
Outer = np.dtype([("inner", Inner), ("grid", np.float64, (2, 3)), ("parts", Inner, (2,))], align=True)


class Records(unittest.TestCase):
    def test_fields(self) -> None:
        """By attribute, by string, by a constant name, and by position; read and written."""

        @cuda.jit
        def step(p, out):
            i = cuda.grid(1)
            if i < p.size:
                p[i].x += 1.5
                p[i]["id"] = p[i].id * 2
                r = p[i]
                r.alive = not r.alive
                r.z = r.z + 1j
                out[i] = r["x"] + r[1] + getattr(r, "id")

        p = np.zeros(5, Particle)
        p["x"] = np.arange(5)
        p["id"] = np.arange(5) + 10
        out = np.zeros(5)
        step[1, 8](p, out)
        self.assertEqual(p["x"].tolist(), [1.5, 2.5, 3.5, 4.5, 5.5])
        self.assertEqual(p["id"].tolist(), [20, 22, 24, 26, 28])
        self.assertEqual(p["alive"].tolist(), [True] * 5)
        self.assertEqual(p["z"].tolist(), [1j] * 5)
        self.assertEqual(out.tolist(), [p["x"][i] + 2 * p["id"][i] for i in range(5)])
        device = cuda.to_device(p)
        step[1, 8](device, out)
        self.assertEqual(device.copy_to_host()["id"].tolist(), [40, 44, 48, 52, 56])
        self.assertEqual(device[1]["x"], 4.0)

    def test_packed_copies(self) -> None:
        """Whole records, where fields that are arrays are not aligned."""
        kind = np.dtype([("a", "i4"), ("b", "u1"), ("v", "f4", (3,)), ("n", [("x", "i2"), ("y", "u1")])])

        @cuda.jit
        def kernel(r, s):
            i = cuda.grid(1)
            if i < r.size:
                local = cuda.local.array(2, kind)
                local[1] = r[i]
                local[0] = local[1]
                local[0].a += 1
                s[r.size - 1 - i] = local[0]

        r = np.zeros(5, kind)
        r["a"], r["b"], r["v"] = np.arange(5), np.arange(5) + 9, np.arange(15).reshape(5, 3)
        r["n"]["x"], r["n"]["y"] = -np.arange(5), 255
        s = np.zeros(5, kind)
        kernel[1, 8](r, s)
        wanted = r[::-1].copy()
        wanted["a"] += 1
        self.assertEqual(s.tobytes(), wanted.tobytes())

    def test_packed(self) -> None:
        """Fields that are not aligned."""

        @cuda.jit
        def double(p):
            i = cuda.grid(1)
            if i < p.shape[0]:
                p[i].value *= 2
                p[i].count -= 3
                p[i].z = p[i].z * 1j
                p[i].flag = 7

        p = np.zeros(4, Packed)
        p["value"], p["count"], p["z"] = np.arange(4) + 0.25, -5, 1 + 2j
        double[1, 4](p)
        self.assertEqual(p["value"].tolist(), [0.5, 2.5, 4.5, 6.5])
        self.assertEqual((p["count"].tolist(), p["z"].tolist(), p["flag"].tolist()), ([-8] * 4, [-2 + 1j] * 4, [7] * 4))

    def test_nested(self) -> None:
        @cuda.jit
        def fill(p):
            i = cuda.grid(1)
            if i < p.size:
                p[i].inner.a = i
                p[i].grid[1, 2] = i * 10
                for k in range(3):
                    p[i].grid[0, k] = k
                for part in p[i].parts:
                    part.b += 0.5
                p[i].parts[1] = p[i].inner
                p[i]["parts"][0]["a"] = p[i].grid.shape[1]

        p = np.zeros(3, Outer)
        p["inner"]["b"] = 2.5
        fill[1, 4](p)
        self.assertEqual(p["inner"]["a"].tolist(), [0, 1, 2])
        self.assertEqual(p["grid"][2].tolist(), [[0, 1, 2], [0, 0, 20]])
        self.assertEqual(p["parts"]["a"].tolist(), [[3, 0], [3, 1], [3, 2]])
        self.assertEqual(p["parts"]["b"].tolist(), [[0.5, 2.5]] * 3)

    def test_copies_and_views(self) -> None:
        @cuda.jit
        def move(a, b):
            i = cuda.grid(1)
            if i < a.size:
                b[a.size - 1 - i] = a[i]
                ids = a["id"]
                ids[i] = -1
                a.x[i] = a.x[i] + ids.size

        a, b = np.zeros(4, Particle), np.zeros(4, Particle)
        a["x"], a["id"] = np.arange(4), np.arange(4) + 5
        before = a.copy()
        move[1, 4](a, b)
        np.testing.assert_array_equal(b, before[::-1])
        self.assertEqual(a["id"].tolist(), [-1] * 4)
        self.assertEqual(a["x"].tolist(), [4, 5, 6, 7])
        rows = np.zeros((3, 4), Particle)
        rows["id"] = np.arange(12).reshape(3, 4)
        other = np.zeros(2, Particle)
        move[1, 4](rows[1, ::2], other)
        self.assertEqual(other["id"].tolist(), [6, 4])
        self.assertEqual(rows["id"][1].tolist(), [-1, 5, -1, 7])

    def test_shared_local_and_functions(self) -> None:
        @cuda.jit(device=True)
        def weight(r, factor):
            return r.x * factor + r.id

        @cuda.jit(device=True)
        def pick(records, i):
            return records[i]

        @cuda.jit
        def kernel(p, out):
            i = cuda.threadIdx.x
            shared = cuda.shared.array(32, Particle)
            mine = cuda.local.array(2, dtype=Inner)
            shared[i] = p[i]
            mine[1].a = i
            mine[1].b = 0.5
            cuda.syncthreads()
            other = pick(shared, p.size - 1 - i)
            out[i] = weight(other, 2) + mine[1].a + mine[1].b

        p = np.zeros(32, Particle)
        p["x"], p["id"] = np.arange(32), 100
        out = np.zeros(32)
        kernel[1, 32](p, out)
        self.assertEqual(out.tolist(), [(31 - i) * 2 + 100 + i + 0.5 for i in range(32)])

    def test_types_of_records(self) -> None:
        """numba's Record as the type of shared and local arrays, with arrays among its fields."""
        record = from_dtype(np.dtype([("i", np.int32), ("j", np.float32, (3, 2))]))

        @cuda.jit
        def kernel(out):
            shared = cuda.shared.array(4, dtype=record)
            mine = cuda.local.array(2, dtype=record)
            shared[1].i, shared[1].j[2, 1] = 5, 2.5
            mine[0] = shared[1]
            out[0] = mine[0].i + mine[0].j[2, 1]

        out = np.zeros(1)
        kernel[1, 1](out)
        self.assertEqual(out[0], 7.5)

    def test_record_arguments(self) -> None:
        @cuda.jit
        def set_record(r):
            r.x = 3.25
            r.id += 1

        p = np.zeros(2, Particle)
        set_record[1, 1](p[1])
        self.assertEqual((p[1]["x"], p[1]["id"], p[0]["x"]), (3.25, 1, 0.0))
        records = p.view(np.recarray)
        set_record[1, 1](records[0])
        self.assertEqual(p[0]["x"], 3.25)

    def test_signatures(self) -> None:
        record = from_dtype(Particle)
        self.assertIsInstance(record, types.Record)

        @cuda.jit(void(record[:], int32))
        def set_id(p, value):
            p[0].id = value

        p = np.zeros(1, Particle)
        set_id[1, 1](p, 9)
        self.assertEqual(p["id"][0], 9)
        self.assertRaises(TypeError, set_id[1, 1], np.zeros(1, Inner), 9)

    def test_constants_and_atomics(self) -> None:
        table = np.zeros(3, Inner)
        table["a"], table["b"] = [1, 2, 3], [0.5, 0.25, 0.125]

        @cuda.jit
        def kernel(out, counters):
            i = cuda.grid(1)
            out[i] = table[i % 3].a + table[i % 3].b
            cuda.atomic.add(counters["a"], 0, 1)

        out, counters = np.zeros(6), np.zeros(1, Inner)
        kernel[1, 6](out, counters)
        self.assertEqual(out.tolist(), [1.5, 2.25, 3.125] * 2)
        self.assertEqual(counters["a"][0], 6)

    def test_dlpack_has_none(self) -> None:
        self.assertRaises(BufferError, np.from_dlpack, cuda.to_device(np.zeros(2, Inner)))

    def test_errors(self) -> None:
        def unknown(p):
            p[0].nothing = 1

        def whole(p):
            p[0] = 1.0

        for body, words in [(unknown, "nothing"), (whole, "cannot be assigned")]:
            with self.assertRaisesRegex(TypingError, words):
                cuda.jit(body)[1, 1](np.zeros(1, Particle))
        with self.assertRaisesRegex(TypeError, "dtype"):
            cuda.jit(unknown)[1, 1](np.zeros(1, [("name", ">U4")]))


Point = collections.namedtuple("Point", "x y")
Line = collections.namedtuple("Line", ["begin", "end", "name"])


class Color(enum.Enum):
    RED = 1
    BLUE = 2


class Level(enum.IntEnum):
    LOW = 3
    HIGH = 7


class Tuples(unittest.TestCase):
    def test_named(self) -> None:
        @cuda.jit(device=True)
        def moved(point, dx):
            return Point(point.x + dx, y=point.y)

        @cuda.jit
        def kernel(line, out):
            p = moved(line.begin, 10)
            q = line.end
            x, y = p
            out[0] = x + y
            out[1] = q.x * q[1]
            out[2] = len(line)
            out[3] = moved(p, 0.5).x

        out = np.zeros(4)
        kernel[1, 1](Line(Point(1, 2.5), Point(np.float32(3), 4), None), out)
        self.assertEqual(out.tolist(), [13.5, 12.0, 3.0, 11.5])

    def test_kinds_are_told_apart(self) -> None:
        Other = collections.namedtuple("Other", "y x")

        @cuda.jit
        def first(p, out):
            out[0] = p.x

        out = np.zeros(1)
        first[1, 1](Point(1, 2), out)
        self.assertEqual(out[0], 1)
        first[1, 1](Other(1, 2), out)
        self.assertEqual(out[0], 2)

    def test_heterogeneous_with_arrays(self) -> None:
        @cuda.jit
        def kernel(data, out):
            arrays, (scale, shift) = data
            i = cuda.grid(1)
            if i < out.size:
                out[i] = arrays[0][i] * scale + arrays[1][i] + shift

        out = np.zeros(4)
        kernel[1, 4](((np.arange(4.0), np.arange(4, dtype=np.int32)), (2, 0.5)), out)
        self.assertEqual(out.tolist(), [0.5, 3.5, 6.5, 9.5])

    def test_order_of_tuples(self) -> None:
        def kernel(out, x):
            out[0] = (x[0], 2.5) < (1, x[1])
            out[1] = (x[0], x[1]) <= (x[0], x[1])
            out[2] = (x[2], 1) <= (x[2], 1)
            out[3] = (x[0], (x[1], 3)) > (1, (x[1], 2))
            out[4] = (1, 2) < (1, 3)
            out[5] = (2, 0) <= (1, 9)
            out[6] = (1,) < (1, x[0])
            out[7] = (1, 2) >= (1, 2, 3)

        x = np.array([1, 3, np.nan])
        out, wanted = np.zeros(8), np.zeros(8)
        cuda.jit(kernel)[1, 1](out, x)
        kernel(wanted, x)
        self.assertEqual(out.tolist(), wanted.tolist())

    def test_deleted_names(self) -> None:
        @cuda.jit
        def kernel(out, x):
            for i in range(out.size):
                y, z = x[i], i
                out[i] = y + z
                del y, (z)

        out = np.zeros(3)
        kernel[1, 1](out, np.arange(3.0))
        self.assertEqual(out.tolist(), [0, 2, 4])

        @cuda.jit
        def used(out):
            y = 1
            del y
            out[0] = y

        with self.assertRaisesRegex(NameError, "'y'"):
            used[1, 1](np.zeros(1))

    def test_enums(self) -> None:
        @cuda.jit
        def kernel(color, level, out):
            if color == Color.RED:
                out[0] = 1
            elif color == Color.BLUE:
                out[0] = 2
            out[1] = level + Level.LOW
            out[2] = level == Level.HIGH

        out = np.zeros(3)
        kernel[1, 1](Color.BLUE, Level.HIGH, out)
        self.assertEqual(out.tolist(), [2, 10, 1])


    def test_values_of_enums(self) -> None:
        @cuda.jit
        def kernel(color, out):
            out[0] = color.value
            out[1] = Color.RED.value + Level["HIGH"].value
            member = Color.BLUE if out[1] > 3 else Color.RED
            out[2] = member.value

        out = np.zeros(3)
        kernel[1, 1](Color.BLUE, out)
        self.assertEqual(out.tolist(), [2, 8, 2])


class Halves(unittest.TestCase):
    def test_arithmetic(self) -> None:
        @cuda.jit
        def kernel(a, b, out):
            i = cuda.grid(1)
            x, y = a[i], b[i]
            out[i, 0] = x + y
            out[i, 1] = x - y
            out[i, 2] = x * y
            out[i, 3] = x / y
            out[i, 4] = -x
            out[i, 5] = abs(x)
            out[i, 6] = max(x, y)
            out[i, 7] = cuda.fp16.hfma(x, y, x)
            out[i, 8] = cuda.fp16.hsqrt(cuda.fp16.habs(x))
            out[i, 9] = np.float16(float32(x) + 1)
            out[i, 10] = 1 if x < y else 0
            out[i, 11] = cuda.fp16.hadd(x, y)

        rng = np.random.default_rng(3)
        with np.errstate(all="ignore"):
            a = np.concatenate([rng.normal(size=50), [1e-7, 6e-8, 65504, 0, np.inf, 2049]]).astype(np.float16)
            b = np.concatenate([rng.normal(size=50), [1, 1e-7, 65504, 1, 1, 0.5]]).astype(np.float16)
            out = np.zeros((len(a), 12), np.float16)
            kernel[1, len(a)](a, b, out)
            wide = (a.astype(np.float64) * b + a).astype(np.float16)
            expected = np.stack([a + b, a - b, a * b, a / b, -a, abs(a), np.fmax(a, b), wide, np.sqrt(abs(a)),
                                 (a.astype(np.float32) + 1).astype(np.float16), a < b, a + b], 1)
        np.testing.assert_array_equal(out, expected)

    def test_conversions_round_once(self) -> None:
        @cuda.jit
        def kernel(doubles, integers, out):
            i = cuda.grid(1)
            out[i, 0] = doubles[i]
            out[i, 1] = integers[i]
            out[i, 2] = np.float32(doubles[i])

        doubles = np.array([1 + 2**-11, 1 + 2**-11 + 2**-40, 1 + 3 * 2**-11, 2.0**-25, 2.0**-25 * 1.0000001, 65519.999, 65520.0, 1e300])
        integers = np.array([2049, 2050, 2051, 65519, 65520, -70000, 2**40, -3])
        out = np.zeros((8, 3), np.float16)
        kernel[1, 8](doubles, integers, out)
        with np.errstate(over="ignore"):
            expected = np.stack([doubles.astype(np.float16), integers.astype(np.float16), doubles.astype(np.float32).astype(np.float16)], 1)
        np.testing.assert_array_equal(out, expected)

    def test_scalars_shared_and_types(self) -> None:
        @cuda.jit
        def kernel(factor, out):
            values = cuda.shared.array(32, types.float16)
            i = cuda.threadIdx.x
            values[i] = i * factor
            cuda.syncthreads()
            out[i] = values[31 - i]

        out = np.zeros(32, np.float32)
        kernel[1, 32](np.float16(0.5), out)
        self.assertEqual(out.tolist(), [(31 - i) * 0.5 for i in range(32)])


main()
