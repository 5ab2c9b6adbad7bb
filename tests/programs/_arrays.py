"""For the programs about arrays: code of its own for each class, values spelled exactly, warnings counted."""

import collections
import types
import warnings
import zlib

import numpy as np

INTEGERS = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")
FLOATS = ("float16", "float32", "float64")
COMPLEX = ("complex64", "complex128")
NUMBERS = ("bool",) + INTEGERS + FLOATS + COMPLEX


def fresh(function):
    """Returns a copy of `function` with a code object of its own, so that it is compiled for what it meets alone."""
    copy = types.FunctionType(
        function.__code__.replace(), function.__globals__, function.__name__, function.__defaults__, function.__closure__
    )
    copy.__kwdefaults__ = function.__kwdefaults__
    return copy


def written(source, **names):
    """Returns the function `loop` that the text defines, its {name}s filled in: as if each had been written by hand."""
    namespace = {"np": np}
    exec(compile(source.format(**names), "<written>", "exec"), namespace)
    return namespace["loop"]


def exact(value):
    """Spells a value with its class. The repr of NumPy's and Python's floats tells all but which nan it is."""
    if isinstance(value, np.ndarray):
        return f"{type(value).__name__} {value.dtype.str} {value.shape} {value.tolist()!r}"
    if type(value) in (tuple, list):
        return f"{type(value).__name__}({', '.join(map(exact, value))})"
    return f"{type(value).__name__} {value!r}"


def digest(values):
    """Returns what tells a long list of values from another one: length, classes, a checksum, both ends."""
    texts = [exact(value) for value in values]
    classes = sorted({type(value).__name__ for value in values})
    checksum = zlib.crc32("|".join(texts).encode())
    return len(texts), classes, f"{checksum:08x}", [text[:60] for text in texts[:3] + texts[-2:]]


def outcome(function, *arguments):
    """Calls `function` and returns its result, or the class and text of what it raises."""
    try:
        return function(*arguments)
    except Exception as error:
        return f"{type(error).__name__}: {error}"


def heard(function, *arguments):
    """Calls `function` with all warnings on; returns its outcome and how often which warning came from which line.

    Lines are counted from that of the function's head, so that moving it changes nothing.
    """
    head = function.__code__.co_firstlineno
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        result = outcome(function, *arguments)
    counts = collections.Counter((w.category.__name__, str(w.message), w.lineno - head) for w in caught)
    return result, sorted(counts.items())


def edge_values(dtype):
    """Returns an array of the values of `dtype` at which something happens: limits, zeros, nan, subnormals."""
    dtype = np.dtype(dtype)
    if dtype.kind == "b":
        return np.array([False, True, True, False])
    if dtype.kind in "iu":
        limits = np.iinfo(dtype)
        small = [0, 1, 2, 3, 5, 7, 100]
        signed = [-1, -2, -3, -100] if dtype.kind == "i" else []
        return np.array(small + signed + [limits.min, limits.min + 1, limits.max, limits.max - 1], dtype)
    limits = np.finfo(dtype)
    parts = [0.0, -0.0, 1.0, -1.0, 0.1, -2.5, 3.0, np.inf, -np.inf, np.nan]
    parts += [limits.max, -limits.max, limits.tiny, limits.smallest_subnormal, limits.eps]
    if dtype.kind == "f":
        return np.array(parts, dtype)
    return np.array([complex(x, y) for x, y in zip(parts, parts[3:] + parts[:3])], dtype)
