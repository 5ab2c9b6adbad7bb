"""jit and njit: every spelling and option is accepted, and the function stays what it is."""

from collections.abc import Callable
from types import FunctionType

import _kiln

_hint = getattr(_kiln, "hint", None)  # tells the JIT to compile a function at its first call


def _nothing(*arguments, **options) -> dict:
    """Stands for a dispatcher's inspect methods: nothing was compiled for certain types."""
    return {}


def _ignore(*arguments, **options) -> None:
    """Stands for a dispatcher's methods that steer compilation."""


def _inspect_types(file=None, signature=None, pretty=False, **options) -> None:
    """Stands for a dispatcher's inspect_types()."""
    print("kiln compiles for the types it meets; KILN_REPORT=1 shows what was compiled", file=file)


_DISPATCHER = {
    "signatures": (),
    "nopython_signatures": (),
    "overloads": {},
    "targetoptions": {},
    "inspect_asm": _nothing,
    "inspect_llvm": _nothing,
    "inspect_cfg": _nothing,
    "inspect_disasm_cfg": _nothing,
    "inspect_types": _inspect_types,
    "parallel_diagnostics": _ignore,
    "get_metadata": _nothing,
    "compile": _ignore,
    "disable_compile": _ignore,
    "recompile": _ignore,
    "enable_caching": _ignore,
}


def mark(function: FunctionType) -> FunctionType:
    """Gives a function a dispatcher's attributes and hints it to the JIT. Returns it. TypeError for anything else."""
    if not isinstance(function, FunctionType):
        raise TypeError(f"jit decorates functions, and this is a {type(function).__name__}")
    vars(function).update(_DISPATCHER, py_func=function)
    if _hint is not None:
        _hint(function)
    return function


def jit(
    signature_or_function=None, locals=None, cache=False, pipeline_class=None, boundscheck=None, **options
) -> Callable:
    """@jit, @jit(...), @jit("f8(f8)"), @jit([...]), jit(function): signatures and options have no effect on results."""
    if isinstance(signature_or_function, FunctionType):
        return mark(signature_or_function)
    return mark if _is_signature(signature_or_function) else mark(signature_or_function)


def njit(*arguments, **options) -> Callable:
    """jit(nopython=True)."""
    return jit(*arguments, **options)


def jit_module(**options) -> None:
    """Decorates nothing: kiln compiles the module's hot functions anyway."""


def _is_signature(value) -> bool:
    from numba.types import Signature, Type

    return value is None or isinstance(value, (str, list, tuple, Signature, Type))
