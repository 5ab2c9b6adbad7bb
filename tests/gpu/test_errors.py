"""What a user is told: the class of the error, the names and types in it, and the line with a caret."""

import math
import random
import unittest

from support import main  # before NumPy: skips the tests where there is none

import numpy as np
from numba import cuda, float32, int32
from numba.core.errors import TypingError, UnsupportedError


class Errors(unittest.TestCase):
    def error(self, kind, kernel, *arguments) -> str:
        """The message of the error that a launch ends in."""
        with self.assertRaises(kind) as caught:
            kernel[1, 1](*arguments)
        return str(caught.exception)

    def test_operands(self) -> None:
        @cuda.jit
        def kernel(out, a):
            name = "x"
            out[0] = a[0] + name

        text = self.error(TypingError, kernel, np.zeros(1), np.zeros(1, np.float32))
        self.assertIn("operator + does not work on float32 and 'name' (a string)", text)
        self.assertIn("in kernel kernel, ", text)
        self.assertIn("test_errors.py:", text)
        self.assertIn("    out[0] = a[0] + name\n             ^^^^^^^^^^^", text)

    def test_whole_arrays(self) -> None:
        @cuda.jit
        def kernel(out, a):
            out[0] = a + 1

        self.assertIn("not on whole arrays", self.error(TypingError, kernel, np.zeros(1), np.zeros(1)))

    def test_what_to_do(self) -> None:
        """Errors about what kernels cannot contain name it as it is written, and say what to write instead."""
        for text, message in [
            ("np.zeros(3)[0]", "'np.zeros' cannot be called in a kernel; kernels get arrays as arguments"),
            ("random.random()", "'random.random' cannot be called in a kernel; numba.cuda.random has generators"),
            ("np.random.rand()", "'np.random.rand' cannot be called in a kernel; numba.cuda.random"),
            ("sorted(out)[0]", "'sorted' cannot be called in a kernel; sort in a loop"),
            ("plain(1)", "'plain' cannot be called in a kernel; decorate it with @cuda.jit(device=True)"),
            ("[i for i in range(3)][0]", "this expression (ListComp); write a loop"),
            ("math.nope(1)", "module 'math' has no attribute 'nope'"),
            ("cuda.nvvm", "kiln has no NVVM yet"),
            ("math + 1", "does not work on 'math' (module 'math') and int64"),
            ("plain + 1", "does not work on 'plain' (function 'plain') and int64"),
        ]:
            scope = {"np": np, "random": random, "math": math, "cuda": cuda, "plain": lambda x: x}
            scope["plain"].__name__ = "plain"
            exec(f"def kernel(out):\n    out[0] = {text}\n", scope)
            self.assertIn(message, self.error((TypingError, UnsupportedError), cuda.jit(scope["kernel"]), np.zeros(1)))

    def test_global_variables(self) -> None:
        """Kernels read them, and do not assign to them."""
        for body in "out[0] = COUNT", "COUNT = 1", "COUNT += 1":
            scope = {"COUNT": 5}
            exec(f"def kernel(out):\n    global COUNT\n    {body}\n", scope)
            out = np.zeros(1)
            if body.startswith("out"):
                cuda.jit(scope["kernel"])[1, 1](out)
                self.assertEqual(out[0], 5)
            else:
                self.assertIn("cannot assign to global variables", self.error(UnsupportedError, cuda.jit(scope["kernel"]), out))

    def test_argument_kinds(self) -> None:
        @cuda.jit
        def kernel(out, x):
            out[0] = x

        for argument, message in [(np.array([None]), "of dtype object"), (np.zeros(2, "M8[25s]"), "of dtype datetime64[25s]"),
                                  (np.zeros(2, ">f4"), "of dtype >f4"), (np.zeros(2, [("a", ">U4")]), "of dtype [('a', '>U4')]"), ([1], "arguments of type 'list'")]:
            self.assertIn(message, self.error(TypeError, kernel, np.zeros(1), argument))
        self.assertIn("kernel takes 2 arguments, but 1 was given", self.error(TypeError, kernel, np.zeros(1)))

    def test_parts_of_slices(self) -> None:
        @cuda.jit
        def kernel(x, stop):
            x[0] = x[0:stop].size

        with self.assertRaisesRegex(TypingError, "the parts of a slice are integers, and this is .*float64"):
            kernel[1, 1](np.zeros(3), 1.5)

    def test_two_types(self) -> None:
        @cuda.jit
        def kernel(out, flag):
            if flag:
                value = 1.5
            else:
                value = (1, 2)
            out[0] = value

        text = self.error(TypingError, kernel, np.zeros(1), 3)
        self.assertIn("variable 'value' is float64 on one path and Tuple(int64, int64) on another", text)

    def test_names(self) -> None:
        @cuda.jit
        def unknown(out):
            out[0] = nowhere

        @cuda.jit
        def early(out):
            out[0] = late
            late = 3

        @cuda.jit
        def loop(out):
            for i in range(3):
                if i > 0:
                    out[0] = never
                if i > 5:
                    other = 1

        self.assertIn("name 'nowhere' is not defined", self.error(NameError, unknown, np.zeros(1)))
        self.assertIn("'late' is used before it is assigned", self.error(NameError, early, np.zeros(1)))
        self.assertIn("name 'never' is not defined", self.error(NameError, loop, np.zeros(1)))

    def test_bools_as_indices(self) -> None:
        """Of arrays: NumPy takes them for masks. Slices, tuples and atomics take them as Python does."""

        def read(out, n):
            out[0] = out[n > 1]

        def write(out, n):
            out[n > 1, 0] = 1

        for body, array in (read, np.zeros(2)), (write, np.zeros((2, 2))):
            self.assertIn("this is bool; int() makes an integer of it", self.error(TypingError, cuda.jit(body), array, 3))

        @cuda.jit
        def others(out, n):
            cuda.atomic.add(out, n > 1, 2)
            out[0] = (4, 5)[n > 1] + out[n > 1:].size + out[int(n > 1)]

        out = np.zeros(3)
        others[1, 1](out, 3)
        self.assertEqual(out.tolist(), [9, 2, 0])

    def test_calls(self) -> None:
        def plain(x):
            return x

        @cuda.jit
        def kernel(out):
            out[0] = plain(1)

        text = self.error(TypingError, kernel, np.zeros(1))
        self.assertIn("'plain' cannot be called in a kernel; decorate it with @cuda.jit(device=True)", text)

        @cuda.jit
        def many(out):
            out[0] = abs(1, 2)

        self.assertIn("builtins.abs takes 1 arguments here, and got 2", self.error(TypingError, many, np.zeros(1)))

    def test_in_device_function(self) -> None:
        @cuda.jit(device=True)
        def inner(x):
            return x.wrong

        @cuda.jit
        def kernel(out):
            out[0] = inner(out)

        text = self.error(TypingError, kernel, np.zeros(1))
        self.assertIn("array(float64, 1d, C) has no attribute 'wrong' in kernels\n  in device function inner", text)

    def test_statements(self) -> None:
        @cuda.jit
        def kernel(out):
            try:
                out[0] = 1
            except ValueError:
                pass

        self.assertIn("kernels cannot contain this statement (Try)", self.error(UnsupportedError, kernel, np.zeros(1)))

    def test_returned_value(self) -> None:
        @cuda.jit
        def kernel(out):
            return out[0]

        self.assertIn("a kernel cannot return a value", self.error(TypeError, kernel, np.zeros(1)))
        with self.assertRaises(TypeError):
            cuda.jit("int32(int32)")(lambda x: x)

    def test_shapes(self) -> None:
        @cuda.jit
        def kernel(out, n):
            shared = cuda.shared.array(n, float32)
            out[0] = shared[0]

        text = self.error(TypingError, kernel, np.zeros(1), 4)
        self.assertIn("the shape of cuda.shared.array must be known at compile time", text)

        @cuda.jit
        def deep(out):
            out[0, 0] = 1

        text = self.error(TypingError, deep, np.zeros(1))
        self.assertIn("array(float64, 1d, C) has 1 dimension, and this index has 2", text)

    def test_read_only(self) -> None:
        @cuda.jit
        def kernel(out):
            out[0] = 1

        fixed = np.zeros(1)
        fixed.setflags(write=False)
        self.assertIn("this array is read-only", self.error(TypingError, kernel, fixed))

    def test_arguments(self) -> None:
        @cuda.jit
        def kernel(out, x):
            out[0] = 1

        self.assertIn("takes 2 arguments, but 1 was given", self.error(TypeError, kernel, np.zeros(1)))
        self.assertIn("type 'dict'", self.error(TypeError, kernel, np.zeros(1), {}))
        with self.assertRaises(TypeError):
            kernel[1, 1](np.zeros(1), y=3)

        @cuda.jit("void(float32[:], int32)")
        def eager(out, x):
            out[0] = x

        text = self.error(TypeError, eager, np.zeros(1), 1)
        self.assertIn("No matching definition for argument type(s)", text)

    def test_configuration(self) -> None:
        @cuda.jit
        def kernel(out):
            out[0] = 1

        with self.assertRaisesRegex(ValueError, "Kernel launch configuration was not specified"):
            kernel(np.zeros(1))
        with self.assertRaisesRegex(RuntimeError, "Cannot compile a device function as a kernel"):
            cuda.jit(device=True)(lambda x: x)[1, 1](np.zeros(1))
        with self.assertRaises(ValueError):
            kernel[1](np.zeros(1))
        with self.assertRaises(TypeError):
            kernel[1.5, 1](np.zeros(1))
        with self.assertRaisesRegex(cuda.CudaAPIError, "2048 threads|dimension is 2048"):
            kernel[1, 2048](np.zeros(1))
        with self.assertRaisesRegex(cuda.CudaAPIError, "at most 1024 threads"):
            kernel[1, (64, 64)](np.zeros(1))
        with self.assertRaisesRegex(cuda.CudaAPIError, "grid's y dimension is 70000"):
            kernel[(1, 70000), 1](np.zeros(1))
        with self.assertRaisesRegex(cuda.CudaAPIError, "grid's x dimension is 0"):
            kernel[0, 1](np.zeros(1))

    def test_outside_of_kernels(self) -> None:
        with self.assertRaisesRegex(TypeError, "in kernels only"):
            cuda.grid(1)
        with self.assertRaisesRegex(TypeError, "in kernels only"):
            cuda.threadIdx.x


if __name__ == "__main__":
    main()
