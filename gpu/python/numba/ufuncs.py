"""vectorize and guvectorize, and the signatures that they are given. They need NumPy."""

import warnings

from numba.types import Signature, Type

_TARGETS = ("cpu", "parallel", "cuda")


def parse_type(text: str):
    """What a text such as "float32[:, ::1]" or "f8(f8, f8)" says: a Type, a Signature, or a tuple of types. TypeError when it is none."""
    from numba import types

    try:
        return eval(text.strip(), {"__builtins__": {}, "bool": types.boolean}, vars(types))
    except NameError as error:
        raise TypeError(f"{error.name!r} is not a type, in {text!r}") from None
    except Exception as error:
        raise TypeError(f"{text!r} is not a signature such as 'float64(float64)': {error}") from None


def parse_signature(signature) -> Signature:
    """The Signature of one, of its text ("f8(f8, f8)"), or of a tuple of argument types."""
    from numba import types

    found = parse_type(signature) if isinstance(signature, str) else signature
    if isinstance(found, tuple) and all(isinstance(part, Type) for part in found):
        return Signature(types.none, found)
    if not isinstance(found, Signature):
        raise TypeError(f"{signature!r} is not a signature such as 'float64(float64)'")
    return found


def _check(target: str) -> None:
    """ImportError that says who needs NumPy; ValueError for a target that is none."""
    try:
        import numpy  # noqa: F401
    except ImportError:
        raise ImportError("numba.vectorize and numba.guvectorize need NumPy, which is not installed") from None
    if target not in _TARGETS:
        raise ValueError(f"Unsupported target: {target}")


_CUDA_OPTIONS = {"cache", "fastmath", "debug", "opt", "lineinfo", "max_registers", "inline", "locals"}


def _check_options(target: str, options: dict) -> None:
    """Of vectorize, as numba has them for GPUs: KeyError for unknown ones, a warning about nopython."""
    if target != "cuda":
        return
    if options.pop("nopython", None) is not None:
        warnings.warn("nopython kwarg for cuda target is redundant", RuntimeWarning, stacklevel=3)
    unknown = set(options) - _CUDA_OPTIONS
    if unknown:
        raise KeyError(f"Unrecognized options. Got: {', '.join(sorted(unknown))}")


def _check_generalised_options(target: str, options: dict) -> None:
    """Of guvectorize, likewise: TypeErrors."""
    if target != "cuda":
        return
    if not options.pop("nopython", True):
        raise TypeError("nopython flag must be True")
    unknown = set(options) - _CUDA_OPTIONS
    if unknown:
        raise TypeError(f"The following target options are not supported: {', '.join(sorted(unknown))}")


def _signatures(given) -> list[Signature]:
    return [parse_signature(signature) for signature in (given if isinstance(given, list) else [given])]


def vectorize(ftylist_or_function=(), target="cpu", identity=None, **options):
    """@vectorize, @vectorize([...], ...): a DUFunc."""
    _check(target)
    _check_options(target, options)
    from numba.dufunc import DUFunc

    if callable(ftylist_or_function) and not isinstance(ftylist_or_function, (Type, Signature)):
        return DUFunc(ftylist_or_function, [], identity, target)
    signatures = _signatures(list(ftylist_or_function) if isinstance(ftylist_or_function, tuple) else ftylist_or_function)
    return lambda function: DUFunc(function, signatures, identity, target)


def guvectorize(*arguments, target="cpu", writable_args=(), **options):
    """@guvectorize([...], "(n),()->(n)"), @guvectorize("(n),()->(n)"): a GUFunc."""
    _check(target)
    _check_generalised_options(target, options)
    if not 1 <= len(arguments) <= 2:
        raise TypeError("guvectorize() takes one or two positional arguments")
    from numba.gufunc import GUFunc

    *given, layout = arguments
    signatures = _signatures(given[0]) if given else []
    return lambda function: GUFunc(function, signatures, layout, target, writable_args)
