"""numba.np.unsafe.ndarray: arrays and tuples."""


def to_fixed_tuple(array, length: int) -> tuple:
    """The items of an array of one dimension and this length."""
    if len(array) != length:
        raise ValueError(f"the array has {len(array)} items, and {length} were asked for")
    return tuple(array)
