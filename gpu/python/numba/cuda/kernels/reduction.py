"""numba.cuda.kernels.reduction: another place of cuda.Reduce."""

from numba.cuda.reduction import Reduce

__all__ = ["Reduce"]
