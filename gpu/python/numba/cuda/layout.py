"""Shapes and strides of arrays."""

import operator


def contiguous(shape: tuple, itemsize: int, order: str) -> tuple:
    """The strides of a contiguous array."""
    strides = []
    step = itemsize
    for size in reversed(shape) if order == "C" else shape:
        strides.append(step)
        step *= size
    return tuple(reversed(strides)) if order == "C" else tuple(strides)


def is_contiguous(shape: tuple, strides: tuple, itemsize: int, order: str) -> bool:
    """Whether elements follow each other without gaps; the strides of dimensions of length 1 say nothing."""
    step = itemsize
    for size, stride in zip(reversed(shape), reversed(strides)) if order == "C" else zip(shape, strides):
        if size > 1 and stride != step:
            return 0 in shape
        step *= size
    return True


def extent(shape: tuple, strides: tuple, itemsize: int) -> tuple[int, int]:
    """Where the bytes of an array begin, seen from its first element, and how many there are. ValueError for what no memory holds."""
    if any(size < 0 for size in shape):
        raise ValueError("negative dimensions are not allowed")
    if 0 in shape:
        return 0, 0
    steps = [(size - 1) * stride for size, stride in zip(shape, strides, strict=True)]
    low = sum(step for step in steps if step < 0)
    span = sum(step for step in steps if step > 0) - low + itemsize
    if span >= 1 << 63:
        raise ValueError("array is too big")
    return low, span


def sizes_of(shape) -> tuple:
    """A shape as ints. TypeError where it is none."""
    try:
        return (operator.index(shape),)
    except TypeError:
        return tuple(map(operator.index, shape))
