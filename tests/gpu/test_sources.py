"""Whose source a kernel is made from: only a text that compiles to its very code."""

import functools
import importlib
import os
import subprocess
import sys
import tempfile
import unittest
import warnings
import zipfile

from support import main  # before NumPy: skips the tests where there is none

import numpy as np
from numba import cuda
from numba.core.errors import UnsupportedError


def result_of(kernel) -> float:
    """What a kernel of one array stores in its first element."""
    x = np.zeros(2)
    kernel[1, 1](x)
    return float(x[0])


def defined_by(text: str, name: str = "k", file: str = "<string>", **options):
    """The function that a text defines when it is executed under a file name."""
    scope: dict = {}
    exec(compile(text, file, "exec", **options), scope)
    return scope[name]


class Texts(unittest.TestCase):
    def test_equal_names(self) -> None:
        for file in "<string>", "<cell>", "no_such_file.py":
            kernels = [cuda.jit(defined_by(f"def k(x):\n    x[0] = {i}\n", file=file)) for i in range(5)]
            self.assertEqual([result_of(kernel) for kernel in kernels], [0, 1, 2, 3, 4])

    def test_device_functions(self) -> None:
        def made(i: int):
            helper = cuda.jit(device=True)(defined_by(f"def helper():\n    return {i}\n", "helper"))
            return cuda.jit(lambda x: x.fill(helper()))

        self.assertEqual([result_of(kernel) for kernel in [made(i) for i in range(3)]], [0, 1, 2])

    def test_a_constant_differs(self) -> None:
        kernels = [cuda.jit(defined_by(f"def k(x):\n    x[0] = {value}\n")) for value in ("1", "1.0", "True", "2.5")]
        self.assertEqual([result_of(kernel) for kernel in kernels], [1, 1, 1, 2.5])

    def test_many_texts(self) -> None:
        first = cuda.jit(defined_by("def k(x):\n    x[0] = 77\n"))
        for i in range(1000):
            exec(f"def k(x): return {i}", {})
        self.assertEqual(result_of(first), 77)

    def test_inherited_future(self) -> None:
        text = "from __future__ import annotations\nexec('def k(x: np.unknown):\\n    y: np.float32 = 3\\n    x[0] = y\\n')\n"
        self.assertEqual(result_of(cuda.jit(defined_by(text))), 3)

    def test_optimised(self) -> None:
        text = "def k(x):\n    'A documentation.'\n    assert x.size\n    x[0] = 4\n"
        for level in -1, 0, 1, 2:
            self.assertEqual(result_of(cuda.jit(defined_by(text, optimize=level))), 4)

    def test_no_second_warning(self) -> None:
        text = "def k(x):\n    '\\d'\n    x[0] = 4 is 4\n"
        with warnings.catch_warnings(record=True) as first:
            warnings.simplefilter("always")
            kernel = cuda.jit(defined_by(text))
        filters = warnings.filters
        with warnings.catch_warnings(record=True) as second:
            warnings.simplefilter("error")
            self.assertEqual(result_of(kernel), 1)
        self.assertEqual((len(first), len(second)), (2, 0))
        self.assertIs(warnings.filters, filters)

    def test_gone(self) -> None:
        def changed(x):
            x[0] = 1.5

        changed.__code__ = changed.__code__.replace(co_consts=(None, 2.5, 0))
        made = defined_by("def k(x):\n    x[0] = 1\n")
        made.__code__ = made.__code__.replace(co_firstlineno=7)
        for function in changed, made:
            with self.assertRaisesRegex(UnsupportedError, f"the source of {function.__name__} cannot be had"):
                result_of(cuda.jit(function))


class Definitions(unittest.TestCase):
    def test_lambdas_of_a_line(self) -> None:
        one, two = lambda x: x.fill(1), lambda x: x.fill(2)
        outer = lambda: (lambda x: x.fill(3), lambda x: x.fill(4)); three, four = outer()  # fmt: skip
        empty = (lambda: lambda x: None)()  # fmt: skip
        self.assertEqual(result_of(cuda.jit(empty)), 0)
        alike = [lambda x: x.fill(5), lambda x: x.fill(5)]
        chosen = lambda x: x.fill(6) if True else x.fill(7)  # fmt: skip
        results = [result_of(cuda.jit(function)) for function in (one, two, three, four, *alike, chosen)]
        self.assertEqual(results, [1, 2, 3, 4, 5, 5, 6])

    def test_without_columns(self) -> None:
        program = (
            "import numpy as np\nfrom numba import cuda\nx = np.zeros(1)\n"
            "for f in lambda x: x.fill(1), lambda x: x.fill(2), lambda x: x.fill(1):\n    cuda.jit(f)[1, 1](x)\n    print(x[0])\n"
        )
        command = [sys.executable, "-X", "no_debug_ranges", "-c", program]
        result = subprocess.run(command, capture_output=True, text=True, timeout=60)
        self.assertEqual((result.stdout, result.stderr), ("1.0\n2.0\n1.0\n", ""))

    def test_decorators(self) -> None:
        def passing(function):
            return function

        @passing
        @cuda.jit
        # A comment between them.
        @passing
        def below(x):
            x[0] = 8

        self.assertEqual(result_of(below), 8)

    def test_wrappers_are_not_unwrapped(self) -> None:
        def inner(x):
            x[0] = 1

        @functools.wraps(inner)
        def wrapper(x):
            x[0] = 2

        self.assertIs(wrapper.__wrapped__, inner)
        self.assertEqual(result_of(cuda.jit(wrapper)), 2)

    def test_equal_names_in_a_file(self) -> None:
        made = []
        for i in range(2):
            if i == 0:
                def k(x):
                    x[0] = 10
            else:
                def k(x):
                    x[0] = 11
            made.append(cuda.jit(k))
        self.assertEqual([result_of(kernel) for kernel in made], [10, 11])


    def test_by_lines_alone(self) -> None:
        """Shapes of definitions, each in the middle of a text, with what an inner one needs around itself."""
        top = "import math\nfrom numba import (cuda as c,  # renamed\n    float32)\n"
        bodies = {
            "k": ["def k(x): x[0] = c.grid(1) + 1\n", "def k(\n    x,\n):\n    x[0] = (1 +\n0)\n",
                  "def k(x):\n    '''Text\nat the margin.\n    '''\n    x[0] = 1\n", "def k(x):\n\t# Tabs.\n# A comment.\n\n\tx[0] = math.cos(0)\n",
                  "def same(f):\n    return f\n@same\n@same\ndef k(x):\n    x[0] = 1\n", "if float32:\n    def k(x):\n        x[0] = math.floor(1.5)\n",
                  "def outer(a, b):\n    def k(x):\n        x[0] = a - b\n    return k\nk = outer(3, 2)\n",
                  "def outer(a):\n    from numba import cuda\n    def k(x):\n        x[0] = cuda.grid(1) + a\n    return k\nk = outer(1)\n",
                  "class C:\n    one = 1\n    @staticmethod\n    def k(x):\n        x[0] = C.one\n    two = 2\nk = C.k\n",
                  "class C:\n    @staticmethod\n    def k(x):\n        __one = 1\n        x[0] = __one\nk = C.k\n",
                  "def outer():\n    def k(x):\n        def inner(y): return y + 1\n        x[0] = inner(0)\n    return k\nk = outer()\n"],
        }["k"]
        for number, body in enumerate(bodies):
            for text in top + "y = 3\n" + body + "z = (4,\n5)\ndef k2(x): pass\n", top + body:
                with self.subTest(text=text):
                    self.assertEqual(result_of(cuda.jit(defined_by(text, file=f"shape{number}.py"))), 1)


class Files(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        sys.path.insert(0, self.folder)
        self.addCleanup(sys.path.remove, self.folder)

    def write(self, name: str, value: str) -> str:
        path = os.path.join(self.folder, name)
        with open(path, "w") as file:
            file.write(f"# Encoded: é\nfrom numba import cuda\n@cuda.jit\ndef k(x):\n    x[0] = {value}\n")
        return path

    def test_reload(self) -> None:
        self.write("edited_kernel.py", "1")
        import edited_kernel

        early, late = edited_kernel.k, cuda.jit(edited_kernel.k.py_func)
        self.assertEqual(result_of(early), 1)
        self.write("edited_kernel.py", "1 + 1")
        self.assertEqual(result_of(late), 1)  # linecache has the older text
        importlib.invalidate_caches()
        importlib.reload(edited_kernel)
        self.assertEqual(result_of(edited_kernel.k), 2)
        self.assertEqual(result_of(early), 1)
        with self.assertRaisesRegex(UnsupportedError, "cannot be had"):
            result_of(cuda.jit(early.py_func))

    def test_only_the_definition_is_read(self) -> None:
        """What else there is in the file may be long, or be no Python any more."""
        path = self.write("long_kernel.py", "cuda.grid(1) + 5")
        import long_kernel

        with open(path, "a") as file:
            file.write("def unfinished(:\n")
        self.assertEqual(result_of(long_kernel.k), 5)

    def test_zip(self) -> None:
        path = os.path.join(self.folder, "packed.zip")
        with zipfile.ZipFile(path, "w") as packed:
            packed.write(self.write("zipped_kernel.py", "12"), "zipped_kernel.py")
        os.remove(os.path.join(self.folder, "zipped_kernel.py"))
        sys.path.insert(0, path)
        self.addCleanup(sys.path.remove, path)
        import zipped_kernel

        self.assertEqual(result_of(zipped_kernel.k), 12)


if __name__ == "__main__":
    main()
