"""What programs for Numba's compiler name beside its decorators, and what it does in plain Python."""

import math
import pickle
import unittest

from support import main  # before NumPy: skips the tests where there is none

import numba
import numpy as np
from numba import generated_jit, jit, literal_unroll, njit, objmode, prange, typed, typeof, types
from numba.core import errors
from numba.core.dispatcher import Dispatcher
from numba.core.registry import CPUDispatcher
from numba.core.typing import signature
from numba.experimental import jitclass, structref
from numba.extending import intrinsic, is_jitted, overload, overload_method, register_jitable


def size_of(x):
    """Not for Python."""


def unavailable(x):
    raise NotImplementedError


def has_a_body(x):
    return x + 1


@overload(size_of)
def overload_size(x):
    if isinstance(x, types.Array):
        return lambda x: x.size
    if isinstance(x, types.BaseTuple):
        return lambda x: len(x)
    return None


@overload(size_of)
def overload_size_of_numbers(x):
    return (lambda x: -1) if isinstance(x, types.Number) else None


@overload(unavailable)
def overload_unavailable(x):
    return lambda x: x * 2


@overload(has_a_body)
def overload_body(x):
    return lambda x: x + 1


@structref.register
class PointType(types.StructRef):
    def preprocess_fields(self, fields):
        return tuple((name, types.unliteral(kind)) for name, kind in fields)


class Point(structref.StructRefProxy):
    def __new__(cls, name, place):
        return structref.StructRefProxy.__new__(cls, name, place)

    @property
    def name(self):
        return name_of(self)

    def moved(self, by):
        return moved(self, by)


@njit
def name_of(self):
    return self.name


@njit
def moved(self, by):
    self.place = self.place + by
    return self.place


structref.define_proxy(Point, PointType, ["name", "place"])


class Surface(unittest.TestCase):
    def test_overload(self) -> None:
        @njit
        def sizes(a):
            return size_of(a), size_of((1, 2, 3)), size_of(7), unavailable(4), has_a_body(1)

        for _ in range(5):
            self.assertEqual(sizes(np.zeros((2, 4))), (8, 3, -1, 8, 2))
        self.assertEqual((size_of.__name__, size_of.__doc__), ("size_of", "Not for Python."))
        with self.assertRaisesRegex(errors.TypingError, "No implementation of function size_of"):
            size_of("text")

    def test_generated_jit(self) -> None:
        @generated_jit(nopython=True)
        def is_missing(x):
            if isinstance(x, types.Float):
                return lambda x: math.isnan(x)
            return lambda x: False

        self.assertEqual([is_missing(x) for x in (1, 2.5, math.nan, np.float32("nan"))], [False, False, True, True])

    def test_extending(self) -> None:
        @register_jitable
        def plain(x):
            return x + 1

        @register_jitable(inline="always")
        def inlined(x):
            return x + 2

        @overload_method(types.Array, "anything")
        def anything(array):
            return lambda array: 0

        @intrinsic
        def address(context, source):
            return None

        self.assertEqual((plain(1), inlined(1)), (2, 3))
        with self.assertRaisesRegex(errors.TypingError, "address is an intrinsic"):
            address(1)

    def test_dispatchers(self) -> None:
        @jit("float64(float64)", nopython=True)
        def one(x):
            return x

        @njit([types.int32(types.int32), "int64(int64)"])
        def two(x):
            return x

        self.assertEqual((one.signatures, two.signatures), ([(types.float64,)], [(types.int32,), (types.int64,)]))
        self.assertEqual(str(two.nopython_signatures), "[(int32,) -> int32, (int64,) -> int64]")
        self.assertEqual(signature(types.int32, types.int32), two.nopython_signatures[0])
        for kind in Dispatcher, CPUDispatcher:
            self.assertEqual((isinstance(one, kind), isinstance(len, kind)), (True, False))
        self.assertEqual((one.stats.cache_path, is_jitted(one), typeof(one).dispatcher), (None, True, one))

    def test_loops(self) -> None:
        @njit(parallel=True, fastmath=True, error_model="numpy", boundscheck=True, nogil=True, cache=True)
        def reductions(values, rounds):
            total, product, most = 0.0, 1, -1
            counts = np.zeros(4, np.int64)
            for i in prange(rounds):
                total += values[i]
                product *= 1 + i % 2
                most = max(most, i)
                counts += i % 3
                counts[i % 4] += 1
            return total, product, most, counts.tolist()

        values = np.arange(50.0)
        counts = [sum(i % 3 for i in range(50)) + sum(i % 4 == k for i in range(50)) for k in range(4)]
        for _ in range(5):
            self.assertEqual(reductions(values, 50), (1225.0, 2**25, 49, counts))

        @njit
        def unrolled():
            total = 0
            for value in literal_unroll((1, 2.5, 3j)):
                total += value
            return total

        self.assertEqual(unrolled(), 3.5 + 3j)

    def test_objmode(self) -> None:
        @njit
        def outside(x):
            with objmode(y="float64", z=types.int64):
                y, z = float(x) * 2, 3
            with objmode:
                z += 1
            with objmode():
                z += 1
            return y + z

        self.assertEqual([outside(i) for i in range(3)], [5.0, 7.0, 9.0])
        with self.assertRaises(ZeroDivisionError), objmode:
            1 / 0

    def test_jitclass(self) -> None:
        node = numba.deferred_type()

        @jitclass([("data", types.int32), ("next", numba.optional(node))])
        class Node:
            def __init__(self, data, next):
                self.data = data
                self.next = next

            @property
            def length(self):
                return 1 if self.next is None else 1 + self.next.length

            @staticmethod
            def kind():
                return "node"

        node.define(Node.class_type.instance_type)

        @njit
        def chain(n):
            found = None
            for i in range(n):
                found = Node(i, found)
            return found

        self.assertEqual((chain(30).length, chain(3).next.data, Node.kind()), (30, 1, "node"))
        self.assertIs(typeof(chain(1)).class_type, Node.class_type)

    def test_structref(self) -> None:
        point = Point("A", np.arange(3))
        self.assertEqual((point.name, name_of(point)), ("A", "A"))
        self.assertEqual((point.moved(2).tolist(), point.place.tolist()), ([2, 3, 4], [2, 3, 4]))

    def test_containers(self) -> None:
        @njit
        def fill(values, table):
            for i in range(20):
                values.append(i * i)
                table[i] = values[i] + 0.5
            return sum(values), len(table)

        values, table = typed.List.empty_list(types.int64), typed.Dict.empty(types.int64, types.float64)
        self.assertEqual(fill(values, table), (2470, 20))
        self.assertEqual((list(values)[:3], table[2], list(typed.List([1, 2]))), ([0, 1, 4], 4.5, [1, 2]))

    def test_threads(self) -> None:
        numba.set_num_threads(1)
        self.assertEqual(numba.get_num_threads(), 1)
        for wrong in 0, numba.config.NUMBA_DEFAULT_NUM_THREADS + 1:
            with self.assertRaisesRegex(ValueError, "The number of threads must be between 1 and"):
                numba.set_num_threads(wrong)
        with numba.parallel_chunksize(8):
            self.assertEqual(numba.get_parallel_chunksize(), 8)
        self.assertEqual((numba.get_parallel_chunksize(), numba.set_parallel_chunksize(4), numba.set_parallel_chunksize(0)), (0, 0, 4))
        with self.assertRaises(ValueError):
            numba.set_parallel_chunksize(-1)
        self.assertEqual(list(numba.pndindex(2, 2)), list(np.ndindex(2, 2)))

    def test_types(self) -> None:
        names = {
            types.UniTuple(types.int64, 3): "UniTuple(int64 x 3)", types.Tuple((types.int64, types.float64)): "Tuple(int64, float64)",
            types.List(types.int64): "list(int64)<iv=None>", types.ListType(types.int64): "ListType[int64]", types.Set(types.int64): "set(int64)",
            types.DictType(types.int64, types.float64): "DictType[int64,float64]<iv=None>", types.CPointer(types.float64): "float64*",
            types.Optional(types.int64): "OptionalType(int64)", types.literal(3): "Literal[int](3)", types.Omitted(3): "omitted(default=3)",
            types.voidptr: "void*", types.float64[:, :].copy(layout="F"): "array(float64, 2d, F)",
        }
        for kind, name in names.items():
            self.assertEqual(str(kind), name)
        pair = types.UniTuple(types.int64, 2)
        self.assertEqual((pair.dtype, pair.count, len(pair), list(pair)), (types.int64, 2, 2, [types.int64] * 2))
        self.assertEqual((types.literal("a").literal_value, types.unliteral(types.literal(3))), ("a", types.int64))
        self.assertIsInstance(types.literal(True), types.BooleanLiteral)
        self.assertEqual((types.DictType(*pair).value_type, types.ListType(types.int8).dtype), (types.int64, types.int8))
        self.assertEqual((types.float64[:, ::1].is_c_contig, types.float64[::1, :].is_f_contig, types.float64[:].is_contig), (True, True, False))
        for value, name in ((1, "int64"), (2.5, "float64"), (True, "bool"), (1j, "complex128"), ("a", "unicode_type"), (None, "none"),
                            ([1], "reflected list(int64)<iv=None>"), ({1}, "reflected set(int64)"), ((1, "a"), "Tuple(int64, unicode_type)"),
                            (np.float32(1), "float32"), (np.zeros((2, 2), order="F"), "array(float64, 2d, F)"), (range(3), "range_state_int64")):
            self.assertEqual(str(typeof(value)), name)
        self.assertEqual((str(typeof({1: 2.5})), str(typeof({}))), ("DictType[int64,float64]<iv=None>", "DictType[undefined,undefined]<iv=None>"))
        with self.assertRaisesRegex(ValueError, "Cannot determine Numba type of <class 'object'>"):
            typeof(object())

    def test_casts(self) -> None:
        @njit
        def product(n):
            found = numba.float32(1)
            for i in range(n):
                found = found * numba.float32(1.1) + numba.float32(i)
            return found

        wanted = np.float32(1)
        for i in range(200):
            wanted = wanted * np.float32(1.1) + np.float32(i)
        self.assertEqual((product(200), type(product(200))), (wanted, np.float32))
        found = [types.float32(2.5), types.complex64(1j), types.float64(1), types.complex128(1), types.uint8(300), types.boolean(2)]
        self.assertEqual(found, [2.5, 1j, 1.0, 1, 44, True])
        self.assertEqual(list(map(type, found)), [np.float32, np.complex64, float, complex, int, bool])
        self.assertEqual(types.float32(np.arange(3)).dtype, np.float32)
        self.assertEqual(pickle.loads(pickle.dumps(types.float32)), types.float32)

    def test_names(self) -> None:
        from numba.core.errors import ForceLiteralArg, ForbiddenConstruct, LoweringError, NumbaValueError  # noqa: F401
        from numba.misc.special import prange as same
        from numba.np.numpy_support import as_dtype, is_nonelike

        self.assertIs(same, prange)
        self.assertEqual((as_dtype(types.int16), is_nonelike(types.none), is_nonelike(types.int8)), (np.dtype(np.int16), True, False))
        self.assertTrue(issubclass(numba.TypingError, errors.NumbaError) and issubclass(numba.NumbaPerformanceWarning, Warning))
        self.assertIs(pickle.loads(pickle.dumps(name_of)), name_of)


if __name__ == "__main__":
    main()
