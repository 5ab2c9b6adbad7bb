"""What Numba's documents show beside its decorators: types of annotations, records of C's, structures with methods, names of its modules."""

import ctypes
import typing
import unittest

from support import main  # before NumPy: skips the tests where there is none

import numba
import numpy as np
from numba import PassThruContainer, as_numba_type, carray, cfunc, njit, objmode, typed, typeof, types
from numba.core import errors
from numba.core.extending import overload, overload_attribute, overload_method
from numba.cpython.unsafe.tuple import tuple_setitem
from numba.experimental import jitclass, structref
from numba.extending import get_cython_function_address
from numba.np.numpy_support import as_dtype, from_dtype, is_array
from numba.np.unsafe.ndarray import to_fixed_tuple

try:
    import cffi
except ImportError:
    cffi = None
try:
    import scipy.special.cython_special
except ImportError:
    scipy = None


@structref.register
class VectorType(types.StructRef):
    def preprocess_fields(self, fields):
        return tuple((name, types.unliteral(kind)) for name, kind in fields)


@overload_attribute(VectorType, "size")
def vector_size(vector):
    return lambda vector: vector.data.size


class Vector(structref.StructRefProxy):
    def __new__(cls, data, next):
        return structref.StructRefProxy.__new__(cls, data, next)

    def first(self):
        return self.data[0]


structref.define_proxy(Vector, VectorType, ["data", "next"])


@overload_method(VectorType, "distance")
def vector_distance(vector, other):
    if not isinstance(other, VectorType):
        raise errors.TypingError(f"{other} is no vector")

    def between(vector, other):
        return float(np.sqrt(((vector.data - other.data) ** 2).sum()))

    return between


@overload_method(VectorType, "scaled")
def vector_scaled(vector, by):
    return (lambda vector, by: vector.data * by) if isinstance(by, types.Float) else None


@overload_method(VectorType, "scaled")
def vector_scaled_by_ints(vector, by):
    return (lambda vector, by: vector.data * by + 0.5) if isinstance(by, types.Integer) else None


@overload_method(VectorType, "first")
def vector_first(vector):
    return lambda vector: None


class Structures(unittest.TestCase):
    def test_members(self) -> None:
        @njit
        def apart():
            a, b = Vector(np.array([3.0, 0.0]), None), Vector(np.array([0.0, 4.0]), None)
            return a.distance(b), a.size, a.first()

        for _ in range(5):
            self.assertEqual(apart(), (5.0, 2, 3.0))
        chain = Vector(np.ones(2), Vector(np.ones(2), None))
        self.assertEqual((chain.scaled(2.0).tolist(), chain.scaled(2).tolist(), chain.scaled(by=2.0).tolist()), ([2, 2], [2.5, 2.5], [2, 2]))
        self.assertIsInstance(typeof(chain), VectorType)
        self.assertEqual(typeof(chain).field_dict["data"], types.float64[::1])
        with self.assertRaisesRegex(errors.TypingError, "int64 is no vector"):
            chain.distance(3)
        with self.assertRaises(AttributeError):
            chain.missing

    def test_new(self) -> None:
        made = structref.new(typeof(Vector(np.zeros(1), None)))
        made.data = np.ones(3)
        self.assertEqual((type(made), made.size), (Vector, 3))


def power(x, n):
    raise NotImplementedError


@overload(power)
def power_by_value(x, n):
    if not isinstance(n, types.Literal):
        return lambda x, n: numba.literally(n)
    if n.literal_value == 2:
        return lambda x, n: (x * x, "square")
    return lambda x, n: (x**n, "generic")


class Literals(unittest.TestCase):
    def test_literally(self) -> None:
        @njit
        def raised(x, n):
            return power(x, n)

        for _ in range(3):
            self.assertEqual((raised(3, 2), raised(3, 4), power(2.5, n=2)), ((9, "square"), (81, "generic"), (6.25, "square")))


def described(x):
    pass


@overload(described)
def describe(x):
    found = tuple(map(str, x.literal_value)) if isinstance(x, types.LiteralList) else None
    if isinstance(x, types.LiteralStrKeyDict):
        found = tuple(key.literal_value * kind.literal_value if isinstance(kind, types.IntegerLiteral) else str(kind) for key, kind in x.literal_value.items())
    return lambda x: found


def made_with(x):
    pass


@overload(made_with)
def tell_initial_value(x):
    initial = x.initial_value
    if initial is None:
        return lambda x: numba.literally(x)
    return lambda x: (initial, x)


def chosen_by_text(n):
    pass


@overload(chosen_by_text, prefer_literal=True)
def choose_by_text(n):
    return (lambda n: "literal") if isinstance(n, types.IntegerLiteral) else (lambda n: "any")


def literals_only(n):
    pass


@overload(literals_only)
def take_literals(n):
    if isinstance(n, types.StringLiteral):
        text = n.literal_value
        return lambda n: text * 2


class LiteralContainers(unittest.TestCase):
    def test_mixed(self) -> None:
        @njit
        def mixed():
            pets = {"a": 1, "b": 2, "c": "cat", "e": np.ones(5)}
            return described(["a", 10, 1j, ["another", "list"]]), described(pets), described([1, 2.5]), described({"a": 1.5, "b": 2})

        names = "Literal[str](a)", "Literal[int](10)", "complex128", "list(unicode_type)<iv=['another', 'list']>"
        for _ in range(3):
            self.assertEqual(mixed(), (names, ("a", "bb", "Literal[str](cat)", "array(float64, 1d, C)"), None, None))

    def test_initial_values(self) -> None:
        @njit
        def changed(given):
            numbers = {"a": 1, "b": 2}
            numbers["c"] = 3
            items = [1, 2]
            items.append(4)
            twice = [1]
            twice = [*twice, 2]
            return made_with(numbers), made_with(x=items), made_with([5]), made_with(twice), made_with(given)

        for _ in range(3):
            expected = ({"a": 1, "b": 2}, {"a": 1, "b": 2, "c": 3}), ([1, 2], [1, 2, 4]), ([5], [5]), [1, 2], [7]
            self.assertEqual(changed([7]), expected)

    def test_literals_of_the_text(self) -> None:
        @njit
        def called(k):
            m = 4
            return chosen_by_text(3), chosen_by_text(k), chosen_by_text(m), chosen_by_text(n=5), literals_only("ab")

        self.assertEqual(called(7), ("literal", "any", "literal", "literal", "abab"))
        with self.assertRaisesRegex(errors.TypingError, "No implementation of function literals_only"):
            literals_only(str(called))

    def test_types(self) -> None:
        kinds = types.List(types.int64), types.List(types.literal(2), True, [2]), types.DictType(types.unicode_type, types.literal(1), {"a": 1})
        self.assertEqual(list(map(str, kinds)), ["list(int64)<iv=None>", "reflected list(int64)<iv=[2]>", "DictType[unicode_type,int64]<iv={'a': 1}>"])
        self.assertEqual((kinds[0].initial_value, kinds[1].initial_value, isinstance(kinds[2], types.InitialValue)), (None, [2], True))
        mixed = types.LiteralList([types.literal(1), types.float64])
        self.assertEqual((mixed[1], len(mixed), list(mixed), str(mixed)), (types.float64, 2, mixed.literal_value, "LiteralList([Literal[int](1), float64])"))


class Types(unittest.TestCase):
    def test_annotations(self) -> None:
        @jitclass
        class Counter:
            value: int

            def __init__(self):
                self.value = 0

        Optional, List, Dict, Tuple = typing.Optional, typing.List, typing.Dict, typing.Tuple
        names = {int: "int64", float: "float64", None: "none", List[float]: "ListType[float64]", Dict[int, str]: "DictType[int64,unicode_type]<iv=None>",
                 Tuple[int, int]: "UniTuple(int64 x 2)", tuple[int, bool]: "Tuple(int64, bool)", Optional[complex]: "OptionalType(complex128)",
                 set[int]: "set(int64)", Counter: "instance.jitclass.Counter"}
        for annotation, name in names.items():
            self.assertEqual(str(as_numba_type(annotation)), name)
        for unknown in object, list, tuple[int, ...]:
            with self.assertRaises(errors.TypingError):
                as_numba_type(unknown)
        as_numba_type.register(bytearray, types.uint8[::1])
        self.assertEqual(as_numba_type(bytearray), types.uint8[::1])
        as_numba_type.register(lambda kind: types.int8 if kind == "byte" else None)
        self.assertEqual(as_numba_type("byte"), types.int8)

    def test_bases(self) -> None:
        pair, mixed = types.UniTuple(types.int64, 2), types.Tuple((types.int64, types.float64))
        bases = {
            types.Sequence: (pair, types.List(types.int64)), types.BaseTuple: (pair, mixed), types.BaseAnonymousTuple: (pair, mixed),
            types.IterableType: (pair, types.int64[:], types.unicode_type, types.DictType(*pair)), types.Buffer: (types.int64[:], types.Bytes("bytes")),
            types.Container: (types.Set(types.int64),), types.Hashable: (types.int64, pair), types.MutableSequence: (types.ListType(types.int64),),
        }
        for base, kinds in bases.items():
            for kind in kinds:
                self.assertIsInstance(kind, base)
            self.assertNotIsInstance(types.none, base)
        self.assertNotIsInstance(mixed, types.Sequence)

    def test_records(self) -> None:
        pair = types.NestedArray(dtype=types.float32, shape=(2, 3))
        record = types.Record.make_c_struct([("count", types.int8), ("weight", types.float64), ("place", pair)])
        self.assertEqual(record.dtype, np.dtype([("count", np.int8), ("weight", np.float64), ("place", np.float32, (2, 3))], align=True))
        self.assertEqual((from_dtype(record.dtype["place"]), as_dtype(pair).shape), (pair, (2, 3)))
        self.assertEqual((is_array(pair), is_array(types.int8), pair.ndim), (True, False, 2))

        @cfunc(types.float64(types.CPointer(record), types.intc))
        def total(records, count):
            found = 0.0
            for one in carray(records, count):
                found += one.count * one.weight + one.place.sum()
            return found

        records = np.zeros(3, record.dtype)
        records["count"], records["weight"], records["place"] = 2, [1, 2, 3], 0.5
        self.assertEqual(total.ctypes(records.ctypes.data, 3), 21.0)

    def test_containers(self) -> None:
        kinds = types.int64, types.unicode_type
        numbers, names = typed.List([1.5]), typed.Dict()
        names[1] = "apple"
        self.assertEqual((typeof(names), str(typeof(numbers))), (types.DictType(*kinds), "reflected list(float64)<iv=None>"))
        self.assertEqual((typed.List[int](), typed.Dict[int, str](), typing.get_args(typed.List[int])), ([], {}, (int,)))
        members = typed.Set.empty(types.unicode_type)
        members.add("One")
        self.assertEqual((members, typed.Set([1, 1]), isinstance(members, typed.Set)), ({"One"}, {1}, True))

    def test_objects_pass_through(self) -> None:
        class Config:
            parameter = 42

        @njit
        def read(container):
            assert container == container
            with objmode(found="int8"):
                found = container.obj.parameter
            return found

        self.assertEqual([read(PassThruContainer(Config())) for _ in range(3)], [42] * 3)

    def test_tuples(self) -> None:
        @njit
        def index(array, place, value):
            return array[tuple_setitem(to_fixed_tuple(place, 2), 1, value)]

        array = np.arange(12).reshape(3, 4)
        self.assertEqual([index(array, np.array([i % 3, 0]), i % 4) for i in range(12)], [array[i % 3, i % 4] for i in range(12)])
        with self.assertRaises(ValueError):
            to_fixed_tuple(np.arange(3), 2)

    def test_modules(self) -> None:
        from numba.core.decorators import njit as same
        from numba.core.runtime import rtsys
        from numba.np.numpy_support import numpy_version
        from numba.np.ufunc import parallel, vectorize
        from numba.np.ufunc.dufunc import DUFunc
        from numba.typed.typeddict import Dict
        from numba.typed.typedlist import List

        self.assertIs(same, njit)
        self.assertEqual((rtsys.get_allocation_stats().alloc, numpy_version >= (1, 22)), (0, True))
        compiled = njit(lambda x: x + 1).compile((types.int64,))
        self.assertEqual(compiled(2), 3)
        self.assertEqual((List, Dict, parallel.get_num_threads()), (typed.List, typed.Dict, numba.get_num_threads()))
        self.assertIsInstance(vectorize(lambda x: x), DUFunc)


class OtherCode(unittest.TestCase):
    @unittest.skipIf(cffi is None, "needs cffi")
    def test_cffi(self) -> None:
        from numba.core.typing import cffi_utils

        interface = cffi.FFI()
        interface.cdef("typedef struct part { int count; float weight; double sizes[3]; } part; typedef double (*weigh)(part *, size_t);"
                       "typedef void (*other)(unsigned char, void *, const int *);")
        signature = cffi_utils.map_type(interface.typeof("weigh"), use_record_dtype=True)
        self.assertEqual((signature.return_type, signature.args[1]), (types.float64, types.uint64))
        self.assertEqual(cffi_utils.map_type(interface.typeof("other")), types.void(types.uint8, types.voidptr, types.CPointer(types.int32)))

        @cfunc(signature)
        def weigh(parts, count):
            found = 0.0
            for i in range(count):
                part = carray(parts, count)[i]
                found += part.count * part.weight + part.sizes.sum()
            return found

        parts = interface.new("part[2]", [(2, 0.5, [1, 2, 3]), (4, 0.25, [0, 0, 1])])
        self.assertEqual(weigh.ctypes(int(interface.cast("size_t", parts)), 2), 9.0)

    @unittest.skipIf(scipy is None, "needs SciPy")
    def test_cython_functions(self) -> None:
        made = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double)(get_cython_function_address("scipy.special.cython_special", "j0"))
        self.assertEqual(made(0.0), 1.0)
        with self.assertRaisesRegex(ValueError, "No function 'nothing' found"):
            get_cython_function_address("scipy.special.cython_special", "nothing")


if __name__ == "__main__":
    main()
