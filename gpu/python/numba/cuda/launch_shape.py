"""The sizes of grids and blocks."""


def dimensions(value, what: str) -> tuple[int, int, int]:
    """A grid or block as three ints. TypeError and ValueError as numba raises them."""
    sizes = list(value) if isinstance(value, (tuple, list)) else [value]
    if not 1 <= len(sizes) <= 3:
        raise ValueError(f"{what} must be a sequence of 1, 2 or 3 integers, got {sizes}")
    numbers = []
    for size in sizes:
        if isinstance(size, float) or not hasattr(size, "__index__"):
            raise TypeError(f"{what} must be a sequence of integers, got {sizes}")
        numbers.append(size.__index__())
    for number in numbers:
        if not -(2**31) <= number < 2**31:
            raise ValueError(f"{what} has a dimension of {number}, which no GPU has")
    return tuple(numbers + [1] * (3 - len(numbers)))
