"""Kernels that are pickled: by their name where a module has them, else with their code, options, and what they refer to."""

import copy
import math
import os
import pickle
import subprocess
import sys
import tempfile
import unittest

from support import main  # before NumPy: skips the tests where there is none

import numpy as np
from numba import cuda, njit, vectorize

OFFSET = 3
SCALES = (2, 5)


@cuda.jit
def known(a):
    a[0] += 1


@njit
def shifted(x):
    return x + OFFSET


class Kernels(unittest.TestCase):
    def copy_of(self, thing):
        return pickle.loads(pickle.dumps(pickle.loads(pickle.dumps(thing))))

    def result(self, kernel, start=100):
        a = np.array([start])
        kernel[1, 1](a)
        return a[0]

    def test_by_name(self) -> None:
        self.assertIs(self.copy_of(known), known)

    def test_local(self) -> None:
        @cuda.jit(device=True)
        def inner(a):
            return a + 1

        @cuda.jit
        def outer(a):
            a[0] = inner(a[0]) * SCALES[1] + int(math.floor(2.5))

        @cuda.jit("void(intp[:])")
        def typed(a):
            a[0] = inner(a[0])

        self.assertEqual(self.result(self.copy_of(outer)), 507)
        again = self.copy_of(typed)
        self.assertEqual((self.result(again), again.signatures), (101, typed.signatures))
        with self.assertRaises(TypeError):
            again[1, 1](np.zeros(1))

    def test_options(self) -> None:
        @cuda.jit(debug=True, opt=False)
        def divide(a):
            a[0] = a[0] // (a[0] - 100)

        with self.assertRaises(ZeroDivisionError):
            self.result(self.copy_of(divide))
        self.assertEqual(self.result(self.copy_of(divide), 101), 101)

    def test_functions_and_recursion(self) -> None:
        @njit
        def doubled(x):
            return 2 * x

        @cuda.jit(device=True)
        def device(x):
            return doubled(shifted(x))

        @cuda.jit("int64(int64)", device=True)
        def factorial(n):
            return 1 if n < 2 else n * factorial(n - 1)

        @cuda.jit
        def outer(a):
            a[0] = device(a[0]) + factorial(5)

        self.assertEqual(self.result(self.copy_of(outer)), 206 + 120)

    def test_launches(self) -> None:
        @cuda.jit
        def add(a):
            a[0] += 1

        launch = self.copy_of(add[5, (8, 2), 0, 16])
        self.assertEqual((launch.griddim, launch.blockdim, launch.sharedmem), ((5, 1, 1), (8, 2, 1), 16))
        add[5, 8].pre_launch_callbacks.append(lambda kernel, configuration: None)
        with self.assertRaisesRegex(pickle.PicklingError, "Cannot pickle configured launches with pre-launch callbacks"):
            pickle.dumps(add[5, 8])

    def test_vectorized(self) -> None:
        @vectorize(["intp(intp)", "float64(float64)"], target="cuda")
        def double(x):
            return x * 2

        again = self.copy_of(double)
        np.testing.assert_array_equal(again(np.arange(10)), np.arange(10) * 2)
        self.assertEqual(again.types, double.types)

    def test_another_process(self) -> None:
        """The source is not there any more."""
        program = "import numpy as np\nfrom numba import cuda\ndef make():\n    @cuda.jit\n    def add(a):\n        a[0] += 7\n    return add\n"
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        source = os.path.join(folder.name, "source.py")
        with open(source, "w", encoding="utf-8") as file:
            file.write(program + f"import pickle\nwith open({folder.name!r} + '/kernel', 'wb') as file:\n    pickle.dump(make(), file)\n")
        subprocess.run([sys.executable, source], check=True)
        os.unlink(source)
        reader = f"import pickle\nimport numpy as np\nk = pickle.load(open({folder.name!r} + '/kernel', 'rb'))\na = np.zeros(1)\nk[1, 1](a)\nprint(a[0])"
        result = subprocess.run([sys.executable, "-c", reader], capture_output=True, text=True)
        self.assertEqual((result.stdout.strip(), result.stderr), ("7.0", ""))


class Arrays(unittest.TestCase):
    def test_device_arrays(self) -> None:
        """They stay where they are, as numba's; the error says what to do."""
        for function in pickle.dumps, copy.copy, copy.deepcopy:
            with self.assertRaisesRegex(TypeError, "copy_to_host\\(\\) gives its elements, and get_ipc_handle"):
                function(cuda.to_device(np.arange(3)))


if __name__ == "__main__":
    main()
