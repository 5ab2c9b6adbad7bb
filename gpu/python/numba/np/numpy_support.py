"""numba.np.numpy_support: numba's types and NumPy's dtypes."""

from numba.callbacks import carray, farray
from numba.types import Array, NestedArray, NoneType, Omitted, Type
from numba.typing import from_dtype


def as_dtype(kind: Type):
    """NumPy's dtype of a type. NotImplementedError when there is none."""
    if isinstance(kind, NestedArray):
        import numpy

        return numpy.dtype((as_dtype(kind.dtype), kind.shape))
    found = getattr(kind, "dtype", None)
    if found is None or isinstance(found, Type):
        raise NotImplementedError(f"{kind!r} cannot be represented as a NumPy dtype")
    return found


def is_nonelike(kind) -> bool:
    """Whether a type or a value stands for None."""
    return kind is None or isinstance(kind, NoneType) or (isinstance(kind, Omitted) and kind.value is None)


def __getattr__(name: str):
    """numpy_version: the first two numbers of NumPy's."""
    if name == "numpy_version":
        import numpy

        return tuple(map(int, numpy.__version__.split(".")[:2]))
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def is_array(kind) -> bool:
    """Whether a type is that of arrays."""
    return isinstance(kind, Array)
