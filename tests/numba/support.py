"""For the tests of kiln's own numba: they are skipped where there is no NumPy."""

import inspect
import sys
import textwrap
import types
import typing
import unittest

SKIPPED = 77
try:
    import numpy
except ImportError:
    print("NumPy is not installed")
    sys.exit(SKIPPED)


def in_order(function: types.FunctionType) -> types.FunctionType:
    """The function as Python has it, from its text."""
    scope = dict(function.__globals__)
    scope.update({name: cell.cell_contents for name, cell in zip(function.__code__.co_freevars, function.__closure__ or ())})
    scope.update(njit=lambda *given, **options: given[0] if given else lambda made: made)
    exec(textwrap.dedent(inspect.getsource(function)), scope)
    return scope[function.__name__]


def loops_of(function: types.FunctionType) -> list[typing.Any]:
    """The parallel loops that its code holds."""
    return [constant for constant in function.__code__.co_consts if type(constant).__name__ == "ParallelLoop"]


def main() -> None:
    """Runs the tests of the calling module. Ends the process."""
    unittest.main(module="__main__", argv=[sys.argv[0]])
