"""Arguments that are no numbers and arrays of numbers: types, arrays of values of the program's own types, arrays of dtypes without a code."""

import enum
import unittest

from support import main  # before NumPy: skips the tests where there is none

import numpy as np
from numba import cuda, float32, int32, types
from numba.core import cgutils
from numba.core.errors import TypingError
from numba.core.extending import lower_builtin, make_attribute_wrapper, models, register_model, type_callable, typeof_impl

ON_HOST = not hasattr(cuda.device_array(1), "__cuda_array_interface__")


class PairType(types.Type):
    def __init__(self):
        super().__init__(name="Pair")


pair_type = PairType()
PAIR = np.dtype([("first", np.int32), ("second", np.float64)], align=True)


class Pair:
    def __init__(self, first, second):
        self.first, self.second = first, second


@typeof_impl.register(Pair)
def typeof_pair(value, context):
    return pair_type


@type_callable(Pair)
def type_pair(context):
    return lambda first, second: pair_type


@register_model(PairType)
class PairModel(models.StructModel):
    def __init__(self, manager, kind):
        models.StructModel.__init__(self, manager, kind, [("first", types.int32), ("second", types.float64)])


@lower_builtin(Pair, types.Number, types.Number)
def make_pair(context, builder, sig, args):
    made = cgutils.create_struct_proxy(sig.return_type)(context, builder)
    made.first, made.second = args
    return made._getvalue()


make_attribute_wrapper(PairType, "first", "first")
make_attribute_wrapper(PairType, "second", "second")


class Pairs(np.ndarray):
    """An array whose elements are Pairs for kernels."""


@typeof_impl.register(Pairs)
def typeof_pairs(value, context):
    return types.Array(pair_type, value.ndim, "C")


def some_pairs(count: int):
    pairs = np.zeros(count, PAIR)
    pairs["first"], pairs["second"] = np.arange(count), np.arange(count) / 2
    return pairs


class Colour(enum.IntEnum):
    RED = 3
    BLUE = 7


class Types(unittest.TestCase):
    def test_of_elements(self) -> None:
        @cuda.jit
        def convert(out, kind):
            i = cuda.grid(1)
            kept = cuda.shared.array(8, kind)
            kept[i] = kind(i / 3)
            cuda.syncthreads()
            out[i] = kept[7 - i]

        for kind, wanted in [(np.float32, np.float32), (np.int8, np.int8), (float, np.float64), (float32, np.float32), (types.int16, np.int16)]:
            out = np.zeros(8)
            convert[1, 8](out, kind)
            np.testing.assert_array_equal(out, (np.arange(7, -1, -1) / 3).astype(wanted), str(kind))
        self.assertEqual(len(convert.overloads), 5)

    def test_dtypes(self) -> None:
        @cuda.jit
        def fill(out, kind):
            kept = cuda.local.array(2, kind)
            kept[0] = 300
            out[0] = kept[0]

        out = np.zeros(1)
        fill[1, 1](out, np.dtype(np.uint8))
        self.assertEqual(out[0], 300 % 256)
        fill[1, 1](out, np.dtype("f4"))
        self.assertEqual(out[0], 300)

    def test_in_tuples_and_enums(self) -> None:
        @cuda.jit
        def pick(out, options):
            kind, colours = options
            out[0] = kind(2.75) + colours.BLUE

        out = np.zeros(1)
        pick[1, 1](out, (np.int32, Colour))
        self.assertEqual(out[0], 9)

    def test_new_classes_are_new_forms(self) -> None:
        """A class that was forgotten may leave its address to another one."""
        @cuda.jit
        def call(out, kind):
            out[0] = kind.number

        out = np.zeros(1)
        for number in range(20):
            call[1, 1](out, type("Number", (), {"number": number}))
            self.assertEqual(out[0], number)


class Addresses(unittest.TestCase):
    def test_ctypes(self) -> None:
        @cuda.jit
        def places(out, given, shifted):
            local = cuda.local.array(4, int32)
            shared = cuda.shared.array(4, float32)
            local[0] = shared[0] = 0
            out[0] = given.ctypes.data
            out[1] = given[3:].ctypes.data
            out[2] = shifted.ctypes.data
            out[3] = local.ctypes.data % 4 + shared.ctypes.data % 4

        given = cuda.to_device(np.zeros(9))
        out = np.zeros(4, np.uint64)
        places[1, 1](out, given, given[2:])
        begin = given.device_ctypes_pointer.value
        self.assertEqual(out.tolist(), [begin, begin + 24, begin + 16, 0])

    def test_refused(self) -> None:
        @cuda.jit
        def strange(a):
            a[0] = a.ctypes.strides

        with self.assertRaises(TypingError):
            strange[1, 1](np.zeros(1))


class Structures(unittest.TestCase):
    """Arrays of values of a type that the program adds."""

    def check(self, kernel, pairs) -> None:
        expected = some_pairs(len(pairs))
        kernel[1, 32](pairs)
        found = pairs.copy_to_host() if hasattr(pairs, "copy_to_host") else pairs
        np.testing.assert_array_equal(found["first"], expected["first"] + 1)
        np.testing.assert_array_equal(found["second"], expected["second"] + expected["first"])

    @staticmethod
    def step(pairs):
        i = cuda.grid(1)
        if i < len(pairs):
            pair = pairs[i]
            pairs[i] = Pair(pair.first + 1, pair.second + pair.first)

    def test_by_signature(self) -> None:
        self.check(cuda.jit(types.void(pair_type[::1]))(self.step), some_pairs(10))
        self.check(cuda.jit([types.void(pair_type[:])])(self.step), cuda.to_device(some_pairs(10)))
        other = np.zeros(3, [("first", np.int64), ("second", np.float64)])
        with self.assertRaises(TypeError):
            cuda.jit(types.void(pair_type[::1]))(self.step)[1, 32](other)

    def test_by_class(self) -> None:
        self.check(cuda.jit(self.step), some_pairs(10).view(Pairs))

    @unittest.skipUnless(ON_HOST, "the memory is the host's")
    def test_by_interface(self) -> None:
        class Kept:
            def __init__(self, array):
                self.array = array
                self.__cuda_array_interface__ = {**array.__array_interface__, "version": 3, "strides": None}

        typeof_impl.register(Kept)(lambda value, context: types.Array(pair_type, 1, "C"))
        kept = Kept(some_pairs(10))
        cuda.jit(self.step)[1, 32](kept)
        np.testing.assert_array_equal(kept.array["first"], np.arange(10) + 1)


class BrainFloats(unittest.TestCase):
    @unittest.skipUnless(ON_HOST, "the memory is the host's")
    def test_dtype_without_a_code(self) -> None:
        """As CuPy shows arrays of ml_dtypes' bfloat16: two bytes, and the dtype's name."""
        class Kind:
            name, str, fields, names, subdtype = "bfloat16", "<V2", None, None, None

        class Brains:
            dtype = Kind()

            def __init__(self, words):
                self.words = words
                self.__cuda_array_interface__ = {"shape": words.shape, "typestr": "<V2", "descr": [("", "<V2")], "strides": None,
                                                 "data": (words.ctypes.data, False), "version": 3}

        @cuda.jit
        def double(a):
            i = cuda.grid(1)
            if i < a.size:
                a[i] = a[i] + a[i]

        words = (np.array([1, 2.5, -3, 1024], np.float32).view(np.uint32) >> 16).astype(np.uint16)
        brains = Brains(words)
        double[1, 32](brains)
        self.assertEqual((words.astype(np.uint32) << 16).view(np.float32).tolist(), [2, 5, -6, 2048])
        with self.assertRaisesRegex(TypeError, "not understood"):
            brains.dtype = None
            double[1, 32](brains)


class Errors(unittest.TestCase):
    """Where numba raises a TypingError, kiln does."""

    def test_names(self) -> None:
        @cuda.jit
        def unknown(out):
            out[0] = nowhere

        for kind in TypingError, NameError:
            with self.assertRaisesRegex(kind, "^NameError: name 'nowhere' is not defined"):
                unknown[1, 1](np.zeros(1))

    def test_texts_of_dtypes(self) -> None:
        for space in cuda.local, cuda.shared:
            @cuda.jit
            def make(out):
                kept = space.array(3, "int33")
                out[0] = kept[0]

            with self.assertRaisesRegex(TypingError, "Invalid NumPy dtype specified: 'int33'"):
                make[1, 1](np.zeros(1))

    def test_votes(self) -> None:
        @cuda.jit
        def vote(mask, predicate, out):
            out[0] = cuda.all_sync(mask[0], predicate[0])

        for mask in np.float32, np.bool_, np.float64:
            with self.assertRaisesRegex(TypingError, "Mask type must be an integer"):
                vote[1, 32](np.ones(1, mask), np.ones(1, np.int32), np.zeros(1))
        for predicate in np.float32, np.float64:
            with self.assertRaisesRegex(TypingError, "Predicate must be an integer or boolean"):
                vote[1, 32](np.ones(1, np.int32), np.ones(1, predicate), np.zeros(1))
        out = np.zeros(1)
        vote[1, 32](np.full(1, -1, np.int64), np.ones(1, np.bool_), out)
        self.assertEqual(out[0], 1)


if __name__ == "__main__":
    main()
