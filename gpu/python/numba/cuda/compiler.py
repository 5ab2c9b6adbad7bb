"""Kernels as PTX, without launching them."""

import _kiln
from numba.cuda.dispatcher import CUDADispatcher, describe_type
from numba.types import void
from numba.ufuncs import parse_signature, parse_type


def compile_ptx(pyfunc, sig, debug=False, lineinfo=False, device=False, fastmath=False, cc=None, opt=True, abi=None, abi_info=None):
    """The PTX of a kernel, or of a device function, for argument types, and the type it returns.

    cc: the compute capability, (7, 5) by default. A device function is there under its own name, with C's linkage.
    """
    options = {"debug": debug, "lineinfo": lineinfo, "fastmath": fastmath, "opt": opt, "device": device}
    kernel = CUDADispatcher(getattr(pyfunc, "py_func", pyfunc), options, [])
    types = sig if isinstance(sig, tuple) else parse_signature(sig).args
    described = tuple(map(describe_type, types))
    major, minor = cc or (7, 5)
    image = kernel._image(described, major * 10 + minor, True)
    returned = parse_type(_kiln.kernel_result_type(kernel.py_func, described)) if device else void
    return image.rstrip(b"\0").decode(), returned


def compile_ptx_for_current_device(pyfunc, sig, debug=False, lineinfo=False, device=False, fastmath=False, opt=True, abi=None, abi_info=None):
    """compile_ptx() for the device in use."""
    _, _, capability = _kiln.kernel_probe()[2][_kiln.kernel_selected_device()]
    return compile_ptx(pyfunc, sig, debug, lineinfo, device, fastmath, divmod(capability, 10), opt)
