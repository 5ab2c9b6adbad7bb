"""Exceptions in kernels: assert and raise with debug=True, divisions by zero there, and bounds checks with KILN_DEBUG=1."""

import os
import subprocess
import sys
import unittest

from support import main  # before NumPy: skips the tests where there is none

import numpy as np
from numba import cuda, int64


class WrongValue(Exception):
    """An exception of the program's own."""


def failure(kind, kernel, *arguments, blocks=2, threads=4) -> BaseException:
    """What a launch raises."""
    with Catch(kind) as caught:
        kernel[blocks, threads](*arguments)
    return caught.exception


class Catch(unittest.TestCase):
    """assertRaises outside of a test."""

    def __init__(self, kind) -> None:
        super().__init__()
        self.kind = kind

    def __enter__(self):
        self.context = self.assertRaises(self.kind)
        return self.context.__enter__()

    def __exit__(self, *error):
        return self.context.__exit__(*error)


class Raise(unittest.TestCase):
    def test_class_and_arguments(self) -> None:
        @cuda.jit(debug=True, opt=False)
        def kernel(out, kind):
            i = cuda.grid(1)
            out[i] = i
            if i == 5:
                if kind == 0:
                    raise WrongValue("too large", 3, 1.5, None)
                if kind == 1:
                    raise KeyError

        out = np.zeros(8)
        error = failure(WrongValue, kernel, out, 0)
        self.assertRegex(
            error.args[0],
            r"^In function 'kernel', file .*test_debug\.py, line \d+, tid=\[0, 0, 1\] ctaid=\[0, 0, 1\]: too large$")
        self.assertEqual(error.args[1:], (3, 1.5, None))
        error = failure(KeyError, kernel, out, 1)
        self.assertRegex(error.args[0], r"tid=\[0, 0, 1\] ctaid=\[0, 0, 1\]$")
        kernel[2, 4](out, 2)
        self.assertEqual(out.tolist(), list(range(8)))
        kernel[2, 4](out, 2)  # the record was cleared

    def test_assert(self) -> None:
        @cuda.jit(debug=True, opt=False)
        def kernel(out):
            i = cuda.grid(1)
            assert out[i] < 3, "must be small"
            assert True

        kernel[2, 4](np.zeros(8))
        error = failure(AssertionError, kernel, np.full(8, 9.0))
        self.assertTrue(error.args[0].endswith(": must be small"), error.args)

        @cuda.jit
        def without(out):
            i = cuda.grid(1)
            assert out[i] < 3, "nothing happens"
            out[i] = 1
            if i > 2:
                raise ValueError("ends the thread")
            out[i] = 2

        out = np.full(8, 9.0)
        without[2, 4](out)
        self.assertEqual(out.tolist(), [2, 2, 2, 1, 1, 1, 1, 1])

    def test_in_device_function_and_loop(self) -> None:
        @cuda.jit(device=True)
        def checked(x):
            if x > 6:
                raise ValueError("in a device function")
            return x * 2

        @cuda.jit(debug=True, opt=False)
        def kernel(out):
            i = cuda.grid(1)
            shared = cuda.shared.array(4, int64)
            for k in range(3):
                shared[cuda.threadIdx.x] = checked(i + k)
                cuda.syncthreads()
                out[i] += shared[3 - cuda.threadIdx.x]
                cuda.syncthreads()

        error = failure(ValueError, kernel, np.zeros(8, np.int64))
        self.assertIn("In function 'checked'", error.args[0])
        out = np.zeros(4, np.int64)
        kernel[1, 4](out)
        self.assertEqual(out.tolist(), [24, 18, 12, 6])

    def test_arithmetic(self) -> None:
        messages = [("integer division by zero", lambda x: 5 // x), ("integer modulo by zero", lambda x: 5 % x),
                    ("division by zero", lambda x: 5 / x), ("modulo by zero", lambda x: 5.0 % x)]
        for message, text in messages:
            device = cuda.jit(device=True)(text)

            @cuda.jit(debug=True, opt=False)
            def kernel(out, x):
                out[0] = device(x)

            error = failure(ZeroDivisionError, kernel, np.zeros(1), 0)
            self.assertTrue(error.args[0].endswith(": " + message), error.args)
            kernel[1, 1](np.zeros(1), 2)

        @cuda.jit(debug=True, opt=False, fastmath=True)
        def fast(out, x):
            out[0] = 5 / x

        out = np.zeros(1)
        fast[1, 1](out, 0.0)
        self.assertEqual(out[0], np.inf)

        @cuda.jit(debug=True, opt=False)
        def item(out, i):
            out[0] = (3, 4, 5)[i]

        self.assertIn("tuple index out of range", failure(IndexError, item, np.zeros(1), 3).args[0])
        item[1, 1](np.zeros(1), -3)

    def test_what_cannot_be_raised(self) -> None:
        from numba.core.errors import TypingError

        @cuda.jit(debug=True, opt=False)
        def number(out):
            raise 3

        @cuda.jit(debug=True, opt=False)
        def variable(out):
            raise ValueError(out[0])

        self.assertIn("raise takes an exception class", str(failure(TypingError, number, np.zeros(1))))
        self.assertIn("must be constants", str(failure(TypingError, variable, np.zeros(1))))


PROGRAM = """
import numpy as np
from numba import cuda

@cuda.jit(device=True)
def put(target, i, j, value):
    target[i, j] = value  # line 7

@cuda.jit
def kernel(data, i, j, kind):
    if cuda.grid(1) == 3:
        if kind == 0:
            put(data, i, j, 1)
        elif kind == 1:
            cuda.atomic.add(data, (i, j), 1.0)
        elif kind == 2:
            row = data[i]
            row[j] = 2.0
        else:
            data[0, cuda.threadIdx.y + i] = 1.0

data = np.zeros((4, 5))
for kind in range(4):
    for i, j in (0, 0), (-4, -5), (3, 4):
        if kind < 3:
            kernel[1, 8](data, i, j, kind)
    for i, j in (4, 0), (0, -6), (2**40, 1):
        try:
            kernel[1, 8](data, i, np.int32(j), kind)
            print("nothing", i, j, kind)
        except IndexError as error:
            print(str(error).partition("line ")[2])
try:
    print(kernel._check_images((75, 80, 90, 100)) % 4, "cubins are missing")
except cuda.CudaSupportError:
    print("0 cubins are missing")
"""


MEMBERS = """
import numpy as np
from numba import cuda

kind = np.dtype([("a", np.int32), ("v", np.float64, (3,)), ("m", np.int32, (2, 2))], align=True)

@cuda.jit(device=True)
def put(record, j):
    record.v[j] = 2.0

@cuda.jit
def kernel(r, j, access):
    if access == 0:
        r[0].v[j] = 1.0
    elif access == 1:
        r[0]["m"][1, j] = 1
    elif access == 2:
        cuda.atomic.add(r[0].v, j, 1.0)
    elif access == 3:
        put(r[1], j)
    elif access == 4:
        r.a[j] = 1
    else:
        r[0].m[1][j] += 1

r = np.zeros(2, kind)
for access in range(6):
    kernel[1, 1](r, 1, access)
    try:
        kernel[1, 1](r, 7, access)
    except IndexError as error:
        print(str(error).partition("axis ")[2])
"""


class Bounds(unittest.TestCase):
    def test_members_of_records(self) -> None:
        environment = dict(os.environ, KILN_DEBUG="1")
        result = subprocess.run([sys.executable, "-c", MEMBERS], capture_output=True, text=True, env=environment, timeout=120)
        self.assertEqual(result.stderr, "")
        self.assertEqual(result.stdout.splitlines(), [
            "0 of array 'r[0].v' with size 3", "1 of array 'r[0][\"m\"]' with size 2", "0 of array 'r[0].v' with size 3",
            "0 of array 'record.v' with size 3", "0 of array 'r.a' with size 2", "0 of array 'r[0].m[1]' with size 2"])

    def test_messages(self) -> None:
        environment = dict(os.environ, KILN_DEBUG="1")
        result = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, env=environment, timeout=120)
        where = "tid=[0, 0, 3] ctaid=[0, 0, 0]: index"
        big = 2**40
        expected = []
        for line, name, in ((7, "target"), (15, "data"), (17, "data")):
            other = ("row", 18, 0) if line == 17 else (name, line, 1)
            expected += [f"{line}, {where} 4 is out of bounds for axis 0 of array '{name}' with size 4",
                         f"{other[1]}, {where} -6 is out of bounds for axis {other[2]} of array '{other[0]}' with size 5",
                         f"{line}, {where} {big} is out of bounds for axis 0 of array '{name}' with size 4"]
        expected += ["nothing 4 0 3", "nothing 0 -6 3", f"20, {where} {big} is out of bounds for axis 1 of array 'data' with size 5",
                     "0 cubins are missing"]
        self.assertEqual(result.stderr, "")
        self.assertEqual(result.stdout.splitlines(), expected)


if __name__ == "__main__":
    main()
