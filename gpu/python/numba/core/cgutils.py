"""numba.core.cgutils: of numba's helpers for LLVM IR, what the code that uses it can be followed with."""

from numba.recording import create_struct_proxy


def __getattr__(name: str):
    raise AttributeError(f"numba.core.cgutils.{name} makes LLVM IR, which kiln's kernels do not; overload() takes Python functions", name=name)
