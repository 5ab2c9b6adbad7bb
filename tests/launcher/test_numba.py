"""kiln's own numba: who gets it, and what it does."""

import os
import shutil
import tempfile
import unittest

from support import run_kiln, write_files

ENV = os.environ.get("VIRTUAL_ENV", "")
PROGRAM = """
import numba, pickle
from numba import *
from numba import config, float32, float64, int8, int32, jit, njit, prange, typed, types, uint8, vectorize
from numba.core import types as core_types
from numba.core.errors import NumbaError, NumbaPerformanceWarning, TypingError
from numba.experimental import jitclass
from numba.extending import is_jitted, overload, register_jitable
from numba.typed import Dict, List

@jit(nopython=True)
def total(n):
    '''Adds.'''
    s = 0
    for i in prange(n):
        s += i
    return s

@njit
def plain(x): return x
@njit()
def called(x): return x
@jit
def bare(x): return x
@jit("f8(f8)", cache=True, fastmath={'nnan'}, parallel=True, nogil=True, error_model='numpy', inline='always')
def text(x): return x
@jit([float64(float64), int32(int32)], nopython=True)
def listed(x): return x
@jit((int32, int32))
def tupled(x): return x
@njit(float64(float64), locals={'y': float32})
def one(x): return x
wrapped = njit(lambda x: x)

print(total(10), [f(3) for f in (plain, called, bare, text, listed, tupled, one, wrapped)])
print(total.py_func(10), total.py_func is total, total.__name__, total.__doc__, total.signatures, total.inspect_llvm())
print(is_jitted(total), is_jitted(print), pickle.loads(pickle.dumps(total)) is total, prange is range)
print(float64[:], float64[:, ::1], float64[::1, :], float64(float64, int32))
print(types.UniTuple(int32, 2), core_types.int8 is int8)
print(int8(300), uint8(-1.5), int32(7.9), float32(0.1), float32(1e300), boolean(2), complex64(1), float64(3), void)
print(int8.minval, int8.maxval, uint8.maxval, float64.bitwidth, float64 == types.f8)
print(List([1, 2]), List.empty_list(int32), Dict.empty(int32, float64), isinstance([], List), isinstance({}, List))
print(typeof(1), typeof((1, 2)), typeof((1, 2.0)), typeof('s'), typeof([1.0]))

@jitclass([('x', int32)])
class Point:
    def __init__(self, x):
        self.x = x
with objmode(y='float64'):
    print(Point(3).x)
config.DISABLE_JIT = True
print(issubclass(TypingError, NumbaError), issubclass(NumbaPerformanceWarning, Warning), get_num_threads() >= 1)
try:
    njit(3)
except TypeError as error:
    print(error)
try:
    numba.gdb
except AttributeError as error:
    print(error)
print(numba.__version__)
"""
EXPECTED = """
45 [3, 3, 3, 3, 3, 3, 3, 3]
45 True total Adds. [] {}
True False True True
array(float64, 1d, A) array(float64, 2d, C) array(float64, 2d, F) (float64, int32) -> float64
UniTuple(int32 x 2) True
44 255 7 0.10000000149011612 inf True (1+0j) 3.0 none
-128 127 255 64 True
[1, 2] [] {} True False
int64 UniTuple(int64 x 2) Tuple(int64, float64) unicode_type reflected list(float64)<iv=None>
3
True True True
jit decorates functions, and this is a int
kiln's own numba has no 'gdb'; install numba for it (kiln then serves that one)
0.0.0
"""
ARRAYS = """
import numpy as np, numba
from numba import float64, guvectorize, int64, vectorize
@vectorize(['int64(int64, int64)', float64(float64, float64)])
def add(a, b): return a + b
print(add(1, 2), add(1.5, 2), add(np.arange(3), np.arange(3)).dtype, add(np.arange(3), 0.5), add.reduce(np.arange(5)))
print(add.accumulate(np.arange(4.0)), add.outer([1, 2], [3, 4]).tolist(), add(np.zeros((2, 0)), 1).shape)
out = np.empty(2)
print(add(np.ones(2), np.ones(2), out) is out, out)
@vectorize
def square(x): return x * x
print(square(np.arange(3.0)), square(3))
@guvectorize([(float64[:], float64, float64[:])], '(n),()->(n)')
def shift(x, y, result):
    for i in range(x.shape[0]):
        result[i] = x[i] + y
print(shift(np.arange(6).reshape(2, 3), np.array([10, 20])).tolist())
@guvectorize(['void(float64[:], float64[:])'], '(n)->()')
def sum_of(x, result): result[0] = x.sum()
print(sum_of(np.arange(6.0).reshape(2, 3)), sum_of(np.arange(3.0)))
print(np.zeros(1, dtype=numba.float32).dtype, numba.typeof(np.zeros((2, 2))), numba.from_dtype(np.dtype('u2')))
"""
ARRAYS_EXPECTED = """
3 3.5 int64 [0.5 1.5 2.5] 10
[0. 1. 3. 6.] [[4, 5], [5, 6]] (2, 0)
True [2. 2.]
[0. 1. 4.] 9.0
[[10.0, 11.0, 12.0], [23.0, 24.0, 25.0]]
[ 3. 12.] 3.0
float32 array(float64, 2d, C) uint16
"""
LIBRARY = """
def probe():
    import importlib.util
    found = importlib.util.find_spec('numba') is not None
    try:
        import numba
        return found, numba.__version__
    except ModuleNotFoundError as error:
        return found, repr(error), error.name
"""
TRACES = (
    "import sys; before = repr((sys.path, sys.meta_path, sys.path_hooks)); import numba; "
    "print(before == repr((sys.path, sys.meta_path, sys.path_hooks)), hasattr(numba, '__file__'), "
    "numba.__path__ == [sys.executable + '/numba'])"
)
# What a package that replaces a submodule of numba's installs: a finder in front of all, by a .pth file.
REDIRECTOR = """
import importlib.util, sys, warnings
class Finder:
    def find_spec(self, name, path, target=None):
        if not name.startswith('numba.cuda'):
            return None
        here = importlib.util.find_spec('numba').submodule_search_locations
        there = importlib.util.find_spec('replacement').submodule_search_locations
        if len(here) != 1 or len(there) != 1:
            warnings.warn('multiple search locations')
            return None
        if any(there[0] in folder for folder in path):
            return None
        changed = [folder.replace(here[0], there[0] + '/numba') for folder in path]
        for finder in sys.meta_path:
            spec = finder.find_spec(name, changed, target)
            if spec is not None:
                return spec
sys.meta_path.insert(0, Finder())
"""
REDIRECTED = """
import site
site.addsitedir('site-packages')
import importlib.util, pkgutil
from numba import cuda
import numba.core.errors
print(cuda.__spec__.loader is numba.__spec__.loader, cuda.__name__, list(pkgutil.iter_modules(numba.__path__)))
print(numba.core.__path__ == [numba.__path__[0] + '/core'], importlib.util.find_spec('numba.absent'))
print(len(numba.types.__spec__.submodule_search_locations or ()))
"""


class Numba(unittest.TestCase):
    """Each test has a folder for packages, on PYTHONPATH."""

    def setUp(self) -> None:
        self.folder = os.path.realpath(tempfile.mkdtemp(prefix="launcher"))
        self.addCleanup(shutil.rmtree, self.folder)
        self.packages = os.path.join(self.folder, "site-packages")

    def output(self, *args: str, stdin: str = "", **env: str) -> str:
        """What a program that must succeed prints."""
        env.setdefault("PYTHONPATH", self.packages)
        result = run_kiln(*args, stdin=stdin, cwd=self.folder, **env)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        return result.stdout.strip()

    def test_program(self) -> None:
        """All spellings; as a script, as a command, on standard input and in a spawned process."""
        write_files(self.folder, {"p.py": PROGRAM})
        self.assertEqual(self.output("p.py"), EXPECTED.strip())
        self.assertEqual(self.output("-I", "p.py"), EXPECTED.strip())
        self.assertEqual(self.output("-c", PROGRAM), EXPECTED.strip())
        self.assertEqual(self.output("-", stdin=PROGRAM), EXPECTED.strip())
        self.assertEqual(self.output("-m", "p"), EXPECTED.strip())

    @unittest.skipUnless(
        os.path.isdir(os.path.join(ENV, "lib/python3.12/site-packages/numpy")), "no NumPy in VIRTUAL_ENV"
    )
    def test_arrays(self) -> None:
        """vectorize, guvectorize and dtypes, which need NumPy."""
        self.assertEqual(self.output("-c", ARRAYS, VIRTUAL_ENV=ENV), ARRAYS_EXPECTED.strip())

    def test_no_traces(self) -> None:
        """The import system looks as it does under python."""
        self.assertEqual(self.output("-c", TRACES), "True False True")

    def test_libraries_do_not_get_it(self) -> None:
        """Nor the standard library; neither by import nor by find_spec. The user's modules do."""
        write_files(self.packages, {"library.py": LIBRARY})
        write_files(self.folder, {"mine.py": LIBRARY})
        missing = """(False, 'ModuleNotFoundError("No module named \\'numba\\'")', 'numba')"""
        self.assertEqual(self.output("-c", "import library; print(library.probe())"), missing)
        self.assertEqual(self.output("-c", "import mine; print(mine.probe())"), "(True, '0.0.0')")
        self.assertEqual(
            self.output("-c", "import importlib; print(importlib.import_module('numba').__version__)"), "0.0.0"
        )
        result = run_kiln("-m", "numba")
        self.assertIn("No module named numba", result.stderr)

    def test_knob(self) -> None:
        """1: to all, before a real one. 0 and KILN=0: to none."""
        write_files(self.packages, {"library.py": LIBRARY, "numba/__init__.py": "__version__ = 'real'\n"})
        program = "import library; print(library.probe()); import numba; print(numba.__version__)"
        self.assertEqual(self.output("-c", program), "(True, 'real')\nreal")
        self.assertEqual(self.output("-c", program, KILN_NUMBA="1"), "(True, '0.0.0')\n0.0.0")
        self.assertEqual(self.output("-X", "kiln-numba", "-c", program), "(True, '0.0.0')\n0.0.0")
        self.assertEqual(self.output("-c", program, KILN_NUMBA="0"), "(True, 'real')\nreal")
        shutil.rmtree(os.path.join(self.packages, "numba"))
        for env in {"KILN_NUMBA": "0"}, {"KILN": "0"}:
            result = run_kiln("-c", "import numba", **env)
            self.assertEqual(result.stderr.splitlines()[-1], "ModuleNotFoundError: No module named 'numba'")

    def test_real_one_is_not_mixed_up(self) -> None:
        """Submodules that only kiln's has are missing from a real one, and a broken real one stays broken."""
        write_files(self.packages, {"numba/__init__.py": "x = 1\n", "numba/core/__init__.py": ""})
        result = run_kiln("-c", "import numba.core; print(numba.x); import numba.typed", PYTHONPATH=self.packages)
        self.assertEqual(result.stdout, "1\n")
        self.assertIn("No module named 'numba.typed'", result.stderr)
        write_files(self.packages, {"numba/__init__.py": "import llvm_is_missing\n"})
        result = run_kiln("-c", "import numba", PYTHONPATH=self.packages)
        self.assertIn("No module named 'llvm_is_missing'", result.stderr)

    def test_found_by_a_later_finder(self) -> None:
        """As editable installs are: sys.meta_path behind PathFinder."""
        program = """
import importlib.util, sys
class Finder:
    def find_spec(name, path=None, target=None):
        return importlib.util.spec_from_file_location(name, 'elsewhere.py') if name == 'numba' else None
sys.meta_path.append(Finder)
import numba
print(numba.x)
"""
        write_files(self.folder, {"elsewhere.py": "x = 'editable'\n"})
        self.assertEqual(self.output("-c", program), "editable")

    def test_redirected_submodules(self) -> None:
        """An installed replacement of numba.cuda finds a package with one search location; kiln's own is taken."""
        files = {"redirector.py": REDIRECTOR, "redirector.pth": "import redirector\n", "replacement/__init__.py": "",
                 "replacement/numba/cuda/__init__.py": "__name__ = 'replacement'\n"}
        write_files(self.packages, files)
        self.assertEqual(self.output("-c", REDIRECTED), "True numba.cuda []\nTrue None\n0")
        self.assertEqual(self.output("-c", REDIRECTED, KILN_NUMBA="1"), "True numba.cuda []\nTrue None\n0")

    def test_folder_of_that_name(self) -> None:
        """One without __init__.py is no package."""
        os.makedirs(os.path.join(self.folder, "numba"))
        self.assertEqual(self.output("-c", "import numba; print(numba.__version__)"), "0.0.0")


if __name__ == "__main__":
    unittest.main()
