"""The layout of a generalised ufunc, "(m,n),(n)->(m)": which dimensions of its operands the function itself sees."""

import re

import numpy

_CORE = r"\((?:[^\W\d]\w*(?:,[^\W\d]\w*)*,?)?\)"
_OPERANDS = re.compile(f"{_CORE}(?:,{_CORE})*")


class Layout:
    """The names of each operand's core dimensions."""

    def __init__(self, text: str) -> None:
        self.text = text.replace(" ", "")
        given, arrow, made = self.text.partition("->")
        if not arrow or not _OPERANDS.fullmatch(made) or (given and not _OPERANDS.fullmatch(given)):
            raise ValueError(f"{text!r} is not a layout such as '(m,n),(n)->(m)'")
        self.inputs, self.outputs = _names(given), _names(made)
        undefined = {name for core in self.outputs for name in core}.difference(name for core in self.inputs for name in core)
        if undefined:
            raise NameError(f"undefined output symbols: {', '.join(sorted(undefined))}")

    def measure(self, name: str, arrays, results) -> tuple[tuple[int, ...], dict[str, int]]:
        """The dimensions to loop over, and the size of each named one. ValueError where sizes differ, which calls the ufunc `name`."""
        sizes: dict[str, int] = {}
        outer = []
        operands = [("Input", *item) for item in zip(range(len(arrays)), arrays, self.inputs)]
        operands += [("Output", *item) for item in zip(range(len(results)), results, self.outputs)]
        for role, position, array, core in operands:
            if array.ndim < len(core):
                raise ValueError(f"{name}: {role} operand {position} does not have enough dimensions (has {array.ndim}, gufunc core with "
                                 f"signature {self.text} requires {len(core)})")
            outer.append(array.shape[: array.ndim - len(core)])
            for axis, (dimension, size) in enumerate(zip(core, array.shape[array.ndim - len(core) :])):
                if sizes.setdefault(dimension, size) != size:
                    raise ValueError(f"{name}: {role} operand {position} has a mismatch in its core dimension {axis}, with gufunc "
                                     f"signature {self.text} (size {size} is different from {sizes[dimension]})")
        whole = numpy.broadcast_shapes(*outer)
        for own in outer[len(arrays) :]:
            if (1,) * (len(whole) - len(own)) + own != whole:
                raise ValueError(f"non-broadcastable output operand with shape {own} doesn't match the broadcast shape {whole}")
        return whole, sizes

    def axes(self, axis, axes) -> list[tuple[int, ...]] | None:
        """Where each operand's core dimensions are, from the options of those names; None: at its end."""
        if axis is not None:
            return [(axis,) if core else () for core in (*self.inputs, *self.outputs)]
        return None if axes is None else [tuple(at) if isinstance(at, (tuple, list)) else (at,) for at in axes]

    def kept(self, name: str, where: list[tuple[int, ...]] | None) -> tuple[int, ...]:
        """The dimensions that `keepdims` leaves, of size 1. TypeError for a layout that has no such option."""
        counts = {len(core) for core in self.inputs}
        if len(counts) != 1 or any(self.outputs):
            raise TypeError(f"{name} does not support keepdims: its signature {self.text} requires multiple operands to have the same "
                            "number of core dimensions and results to have none")
        return where[0] if where is not None else tuple(range(-counts.pop(), 0))


def _names(operands: str) -> list[list[str]]:
    return [[name for name in part.split(",") if name] for part in re.findall(r"\(([^)]*)\)", operands)]


def cores_last(array, axes: tuple[int, ...]):
    """The array with its core dimensions at the end."""
    return numpy.moveaxis(array, axes, range(-len(axes), 0)) if axes else array


def cores_back(array, axes: tuple[int, ...]):
    """What cores_last() was given."""
    return numpy.moveaxis(array, range(-len(axes), 0), axes) if axes else array
