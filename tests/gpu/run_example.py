"""Runs an example with kernels on the backend that KILN_OFFLOAD names; exit status 77 (skipped) without NumPy."""

import importlib.util
import runpy
import sys

if importlib.util.find_spec("numpy") is None:
    print("skipped: no module numpy")
    sys.exit(77)
sys.argv = sys.argv[1:]
runpy.run_path(sys.argv[0], run_name="__main__")
