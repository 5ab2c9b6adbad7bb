"""jit and njit: every spelling and option is accepted, and the function stays what it is."""

from collections import namedtuple
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


_Stats = namedtuple("_CompileStats", "cache_path cache_hits cache_misses")

_DISPATCHER = {
    "overloads": {},
    "targetoptions": {},
    "stats": _Stats(None, {}, {}),
    "inspect_asm": _nothing,
    "inspect_llvm": _nothing,
    "inspect_cfg": _nothing,
    "inspect_disasm_cfg": _nothing,
    "inspect_types": _inspect_types,
    "parallel_diagnostics": _ignore,
    "get_metadata": _nothing,
    "disable_compile": _ignore,
    "recompile": _ignore,
    "enable_caching": _ignore,
}


def mark(function: FunctionType, signatures=()) -> FunctionType:
    """Gives a function a dispatcher's attributes and hints it to the JIT. Returns it. TypeError for anything else."""
    if not isinstance(function, FunctionType):
        raise TypeError(f"jit decorates functions, and this is a {type(function).__name__}")
    vars(function).update(_DISPATCHER, py_func=function, signatures=[given.args for given in signatures])
    vars(function)["nopython_signatures"] = list(signatures)
    vars(function)["compile"] = lambda signature: function
    if _hint is not None:
        _hint(function)
    return function


def jit(
    signature_or_function=None, locals=None, cache=False, pipeline_class=None, boundscheck=None, **options
) -> Callable:
    """@jit, @jit(...), @jit("f8(f8)"), @jit([...]), jit(function): of signatures and options `parallel` alone has an effect.

    Loops over prange in a function with parallel=True run on all cores, as error_model="numpy" has them divide.
    """
    if isinstance(signature_or_function, FunctionType) or not _is_signature(signature_or_function):
        return _decorated(signature_or_function, (), options)
    signatures = _signatures(signature_or_function)
    return lambda function: _decorated(function, signatures, options)


def _decorated(function: FunctionType, signatures, options: dict) -> FunctionType:
    mark(function, signatures)
    if options.get("parallel"):
        from numba.core import config

        if not config.DISABLE_JIT:
            from numba.prange_loops import parallelise

            parallelise(function, options)
    return function


def njit(*arguments, **options) -> Callable:
    """jit(nopython=True)."""
    return jit(*arguments, **options)


def jit_module(**options) -> None:
    """Decorates nothing: kiln compiles the module's hot functions anyway."""


def _is_signature(value) -> bool:
    from numba.types import Signature, Type

    return value is None or isinstance(value, (str, list, tuple, Signature, Type))


def _signatures(given) -> list:
    """What was given as a signature or as a list of them."""
    from numba.types import Signature
    from numba.ufuncs import parse_signature

    if given is None:
        return []
    return [parse_signature(one) for one in (given if isinstance(given, list) else [given]) if isinstance(one, (str, tuple, Signature))]


def generated_jit(function=None, **options) -> Callable:
    """@generated_jit, @generated_jit(...): the decorated function gives the implementation for the types of the arguments."""
    from functools import update_wrapper

    from numba.by_types import ByTypes

    def decorate(chooser: FunctionType) -> ByTypes:
        made = ByTypes(chooser.__name__)
        made.add(chooser)
        return update_wrapper(made, chooser)

    return decorate if function is None else decorate(function)
