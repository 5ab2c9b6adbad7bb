"""carray and farray in kernels, where a pointer is an array of one dimension without an end."""

from numba.core.errors import TypingError
from numba.cuda.written import define, device_function

# By how many dimensions there are, the order, and whether a type is given.
_TEXT = """
@device
def number(ptr, shape, dtype=None):
    return ptr[:shape]

@device
def number_typed(ptr, shape, dtype):
    return ptr.view(dtype)[:shape]

@device
def line(ptr, shape, dtype=None):
    return ptr[:shape[0]]

@device
def line_typed(ptr, shape, dtype):
    return ptr.view(dtype)[:shape[0]]

@device
def product(shape):
    size = 1
    for length in shape:
        size *= length
    return size

@device
def rows(ptr, shape, dtype=None):
    return ptr[:product(shape)].reshape(shape)

@device
def rows_typed(ptr, shape, dtype):
    return ptr.view(dtype)[:product(shape)].reshape(shape)

@device
def columns(ptr, shape, dtype=None):
    return ptr[:product(shape)].reshape(shape[::-1]).T

@device
def columns_typed(ptr, shape, dtype):
    return ptr.view(dtype)[:product(shape)].reshape(shape[::-1]).T
"""
_FUNCTIONS = define("pointers", _TEXT, device=device_function)


def find(name: str, given: list):
    """The Python function for a call of one of them with arguments of these types. TypingError where the first is no pointer."""
    if len(given) < 2 or getattr(given[0], "ndim", 0) != 1:
        raise TypingError(f"{name}() takes a pointer, a shape and a type in kernels")
    dimensions = len(given[1]) if hasattr(given[1], "__len__") else 0
    shape = ("number", "line")[dimensions] if dimensions < 2 else "columns" if name == "farray" else "rows"
    is_typed = len(given) > 2 and str(given[2]) != "none"
    return _FUNCTIONS[shape + "_typed" * is_typed].py_func
