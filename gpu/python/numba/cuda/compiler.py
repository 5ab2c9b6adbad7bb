"""Kernels as PTX, without launching them."""

import _kiln
from numba.cuda.dispatcher import CUDADispatcher, describe_type
from numba.types import void
from numba.ufuncs import parse_signature


def compile_ptx(pyfunc, sig, debug=False, lineinfo=False, device=False, fastmath=False, cc=None, opt=True, abi=None, abi_info=None):
    """The PTX of a kernel for argument types, and the type it returns. cc: the compute capability, (7, 5) by default."""
    if device:
        raise NotImplementedError("kiln compiles kernels; it makes no PTX of device functions alone")
    options = {"debug": debug, "lineinfo": lineinfo, "fastmath": fastmath, "opt": opt}
    kernel = CUDADispatcher(getattr(pyfunc, "py_func", pyfunc), options, [])
    types = sig if isinstance(sig, tuple) else parse_signature(sig).args
    major, minor = cc or (7, 5)
    image = kernel._image(tuple(map(describe_type, types)), major * 10 + minor, True)
    return image.rstrip(b"\0").decode(), void


def compile_ptx_for_current_device(pyfunc, sig, debug=False, lineinfo=False, device=False, fastmath=False, opt=True, abi=None, abi_info=None):
    """compile_ptx() for the device in use."""
    _, _, capability = _kiln.kernel_probe()[2][_kiln.kernel_selected_device()]
    return compile_ptx(pyfunc, sig, debug, lineinfo, device, fastmath, divmod(capability, 10), opt)
