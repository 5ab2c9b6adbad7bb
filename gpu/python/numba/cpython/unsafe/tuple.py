"""numba.cpython.unsafe.tuple: tuples with an item replaced."""


def tuple_setitem(items: tuple, index: int, value) -> tuple:
    """A tuple with one other item."""
    replaced = list(items)
    replaced[index] = value
    return tuple(replaced)
