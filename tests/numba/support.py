"""For the tests of kiln's own numba: they are skipped where there is no NumPy."""

import sys
import unittest

SKIPPED = 77
try:
    import numpy
except ImportError:
    print("NumPy is not installed")
    sys.exit(SKIPPED)


def main() -> None:
    """Runs the tests of the calling module. Ends the process."""
    unittest.main(module="__main__", argv=[sys.argv[0]])
