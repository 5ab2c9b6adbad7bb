"""Kernels as PTX or LTO-IR, without launching them."""

import _kiln
from numba.cuda.dispatcher import CUDADispatcher
from numba.cuda.type_names import describe_type
from numba.overloads import type_of
from numba.types import void
from numba.ufuncs import parse_signature

_OUTPUTS = ("ptx", "ltoir")


def compile(pyfunc, sig, debug=None, lineinfo=False, device=True, fastmath=False, cc=None, opt=None, abi="c", abi_info=None, output="ptx",
            forceinline=False, launch_bounds=None):
    """The code of a device function, or of a kernel, for argument types, and the type it returns.

    output: "ptx", a str, or "ltoir", bytes that nvJitLink optimises as it links. cc: the compute capability, (7, 5) by default. A device
    function is there under its own name, with C's linkage.
    """
    if output not in _OUTPUTS:
        raise NotImplementedError(f"Unsupported output type: {output}")
    if forceinline and output != "ltoir":
        raise ValueError("Can only designate forced inlining in LTO-IR")
    if forceinline and not device:
        raise ValueError("Cannot force-inline kernels")
    if abi not in ("c", "numba"):
        raise NotImplementedError(f"Unsupported ABI: {abi}")
    options = {"debug": bool(debug), "lineinfo": lineinfo, "fastmath": fastmath, "opt": opt is None or bool(opt), "device": device,
               "launch_bounds": launch_bounds}
    kernel = CUDADispatcher(getattr(pyfunc, "py_func", pyfunc), options, [])
    types = sig if isinstance(sig, tuple) else parse_signature(sig).args
    described = tuple(map(describe_type, types))
    major, minor = cc or (7, 5)
    image = kernel._image(described, major * 10 + minor, output)
    returned = type_of(_kiln.kernel_result_type(kernel.py_func, described)) if device else void
    return image if output == "ltoir" else image.rstrip(b"\0").decode(), returned


def compile_for_current_device(pyfunc, sig, **options):
    """compile() for the device in use."""
    _, _, capability = _kiln.kernel_probe()[2][_kiln.kernel_selected_device()]
    return compile(pyfunc, sig, cc=divmod(capability, 10), **options)


def compile_all(pyfunc, sig, output="ptx", **options):
    """compile(), as a list of one: kiln links no other code."""
    code, returned = compile(pyfunc, sig, output=output, **options)
    return [code], returned


def compile_ptx(pyfunc, sig, debug=False, lineinfo=False, device=False, fastmath=False, cc=None, opt=True, abi=None, abi_info=None):
    """compile() to PTX, of a kernel by default."""
    return compile(pyfunc, sig, debug, lineinfo, device, fastmath, cc, opt, abi or "numba", abi_info)


def compile_ptx_for_current_device(pyfunc, sig, debug=False, lineinfo=False, device=False, fastmath=False, opt=True, abi=None, abi_info=None):
    """compile_ptx() for the device in use."""
    return compile_for_current_device(pyfunc, sig, debug=debug, lineinfo=lineinfo, device=device, fastmath=fastmath, opt=opt)
