"""carray and farray in kernels, where a pointer is an array of one dimension without an end."""

from numba.core.errors import TypingError


def find(name: str, given: list):
    """The Python function for a call of one of them with arguments of these types. TypingError where the first is no pointer."""
    if len(given) < 2 or getattr(given[0], "ndim", 1) != 1:
        raise TypingError(f"{name}() takes a pointer, a shape and a type in kernels")
    is_typed = len(given) > 2 and str(given[2]) != "none"
    dimensions = len(given[1]) if hasattr(given[1], "__len__") else 0
    if dimensions < 2:
        return (_LINES_TYPED if is_typed else _LINES)[dimensions]
    return (_COLUMNS if name == "farray" else _ROWS)[is_typed]


def _number(ptr, shape, dtype=None):
    return ptr[:shape]


def _number_typed(ptr, shape, dtype):
    return ptr.view(dtype)[:shape]


def _line(ptr, shape, dtype=None):
    return ptr[: shape[0]]


def _line_typed(ptr, shape, dtype):
    return ptr.view(dtype)[: shape[0]]


def _rows(ptr, shape, dtype=None):
    size = 1
    for length in shape:
        size *= length
    return ptr[:size].reshape(shape)


def _rows_typed(ptr, shape, dtype):
    size = 1
    for length in shape:
        size *= length
    return ptr.view(dtype)[:size].reshape(shape)


def _columns(ptr, shape, dtype=None):
    size = 1
    for length in shape:
        size *= length
    return ptr[:size].reshape(shape[::-1]).T


def _columns_typed(ptr, shape, dtype):
    size = 1
    for length in shape:
        size *= length
    return ptr.view(dtype)[:size].reshape(shape[::-1]).T


_LINES, _LINES_TYPED = (_number, _line), (_number_typed, _line_typed)
_ROWS, _COLUMNS = (_rows, _rows_typed), (_columns, _columns_typed)
