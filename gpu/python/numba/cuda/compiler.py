"""Kernels as PTX or LTO-IR, without launching them."""

from itertools import count as numbers

import _kiln
from numba.cuda.dispatcher import CUDADispatcher, jit
from numba.cuda.type_names import describe_type
from numba.cuda.written import define
from numba.overloads import type_of
from numba.types import Type, void
from numba.ufuncs import parse_signature, parse_type

_numbers = numbers(1)
_OUTPUTS = ("ptx", "ltoir")


def compile(pyfunc, sig, debug=None, lineinfo=False, device=True, fastmath=False, cc=None, opt=None, abi="c", abi_info=None, output="ptx",
            forceinline=False, launch_bounds=None):
    """The code of a device function, or of a kernel, for argument types, and the type it returns.

    output: "ptx", a str, or "ltoir", bytes that nvJitLink optimises as it links. cc: the compute capability, (7, 5) by default. A device
    function is there under its own name, with C's linkage.
    """
    if abi not in ("c", "numba"):
        raise NotImplementedError(f"Unsupported ABI: {abi}")
    if abi == "c" and not device:
        raise NotImplementedError("The C ABI is not supported for kernels")
    if output not in _OUTPUTS:
        raise NotImplementedError(f"Unsupported output type: {output}")
    if forceinline and output != "ltoir":
        raise ValueError("Can only designate forced inlining in LTO-IR")
    if forceinline and not device:
        raise ValueError("Cannot force-inline kernels")
    options = {"debug": bool(debug), "lineinfo": lineinfo, "fastmath": fastmath, "opt": opt is None or bool(opt), "device": device,
               "launch_bounds": launch_bounds}
    function = getattr(pyfunc, "py_func", pyfunc)
    declared = parse_type(sig) if isinstance(sig, str) else sig
    described = tuple(map(describe_type, declared if isinstance(declared, tuple) else parse_signature(declared).args))
    major, minor, *family = cc or (7, 5)
    if family:
        raise NotImplementedError(f"kiln compiles for compute capabilities, and not for those of one device alone ({major}.{minor}{family[0]})")
    returned = type_of(_kiln.kernel_result_type(function, described)) if device else void
    wanted = returned if isinstance(declared, tuple) else declared.return_type
    name = (abi_info or {}).get("abi_name", function.__name__) if abi == "c" else function.__name__
    if device and (wanted != returned or name != function.__name__):
        function, returned = _wrapper(function, name, len(described), returned, wanted), wanted
    image = CUDADispatcher(function, options, [])._image(described, major * 10 + minor, output)
    return image if output == "ltoir" else image.rstrip(b"\0").decode(), returned


def _wrapper(function, name: str, count: int, returned: Type, wanted: Type):
    """A function of another name, or one that returns another type."""
    given = ", ".join(f"a{i}" for i in range(count))
    call = f"inner({given})"
    body = call if wanted == void else f"return {call}" if wanted == returned else f"return kind({call})"
    name = "".join(letter if letter.isalnum() else "_" for letter in name)
    scope = define(f"compile {next(_numbers)}", f"def {name}({given}):\n    {body}\n", inner=jit(function, device=True), kind=wanted)
    return scope[name]


def compile_for_current_device(pyfunc, sig, **options):
    """compile() for the device in use."""
    _, _, capability = _kiln.kernel_probe()[2][_kiln.kernel_selected_device()]
    return compile(pyfunc, sig, cc=divmod(capability, 10), **options)


def compile_all(pyfunc, sig, output="ptx", **options):
    """compile(), as a list of one: kiln links no other code."""
    code, returned = compile(pyfunc, sig, output=output, **options)
    return [code], returned


def compile_ptx(pyfunc, sig, debug=False, lineinfo=False, device=False, fastmath=False, cc=None, opt=True, abi="numba", abi_info=None,
                forceinline=False, launch_bounds=None):
    """compile() to PTX, of a kernel by default."""
    return compile(pyfunc, sig, debug, lineinfo, device, fastmath, cc, opt, abi or "numba", abi_info, "ptx", forceinline, launch_bounds)


def compile_ptx_for_current_device(pyfunc, sig, debug=False, lineinfo=False, device=False, fastmath=False, opt=True, abi="numba", abi_info=None,
                                   forceinline=False, launch_bounds=None):
    """compile_ptx() for the device in use."""
    return compile_for_current_device(pyfunc, sig, debug=debug, lineinfo=lineinfo, device=device, fastmath=fastmath, opt=opt, abi=abi or "numba",
                                      abi_info=abi_info, forceinline=forceinline, launch_bounds=launch_bounds)
