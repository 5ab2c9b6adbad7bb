"""StencilFunc: what @stencil makes. Its loops are Python, which kiln compiles. It needs NumPy."""

import functools

import _kiln
import numpy

from numba.core.errors import NumbaValueError
from numba.stencil_loops import Neighbours, Offsets, UnknownOffsets, find_offsets, write_loops


class StencilFunc:
    """A kernel that indexes its arrays relative to the place for which it is called, as a function of whole arrays.

    Called with the kernel's arguments and an optional `out`. At places whose neighbours are not all inside, the result is `cval`;
    of an `out` they stay as they are unless `cval` was given.
    """

    def __init__(self, kernel, mode: str, options: dict) -> None:
        self.py_func = getattr(kernel, "py_func", kernel)
        self.mode = mode
        self.options = options
        self.neighborhood = options.get("neighborhood")
        functools.update_wrapper(self, self.py_func, updated=())
        code = self.py_func.__code__
        self._names = code.co_varnames[: code.co_argcount]
        self._loops: dict[tuple[tuple[str, ...], int], object] = {}
        self._found: dict[tuple[tuple[str, ...], int], Offsets] = {}
        self._types: dict[tuple, object] = {}
        standard = options.get("standard_indexing", ())
        self._standard = {standard} if isinstance(standard, str) else set(standard)
        if not self._standard.issubset(self._names):
            raise NumbaValueError(f"Standard indexing requested for an array name not present in the stencil kernel definition: "
                                  f"{sorted(self._standard.difference(self._names))}")

    def __reduce__(self) -> str:
        return self.__qualname__

    def __call__(self, *arguments, out=None, **named):
        values = self._bind(arguments, named)
        relative = tuple(name for name, value in zip(self._names, values)
                         if isinstance(value, numpy.ndarray) and value.ndim and name not in self._standard)
        if not relative:
            raise NumbaValueError(f"{self.__name__}: a stencil needs an array that is indexed relatively")
        arrays = [value for name, value in zip(self._names, values) if name in relative]
        shape = arrays[0].shape
        for other in arrays[1:]:
            if other.ndim != len(shape) or any(size < least for size, least in zip(other.shape, shape)):
                raise ValueError("Secondary stencil array has some dimension smaller the same dimension in the first stencil input.")
        offsets = self._offsets(relative, len(shape))
        ranges = [(max(0, -low), size - max(0, high)) for (low, high), size in zip(offsets, shape)]
        kind = self._result_type(values)
        widened = [_widened(value, kind, out) if name in relative else value for name, value in zip(self._names, values)]
        result = self._border(shape, ranges, kind, out)
        self._loops_for(relative, len(shape))(result, *(bound for pair in ranges for bound in pair), *widened)
        if result.dtype == object and out is None:
            return self._unified(result, ranges)
        return result

    def _bind(self, arguments, named) -> list:
        """The kernel's arguments in order. TypeError as for a call of it."""
        if not named and len(arguments) == len(self._names):
            return list(arguments)
        import inspect

        bound = inspect.signature(self.py_func).bind(*arguments, **named)
        bound.apply_defaults()
        return [bound.arguments[name] for name in self._names]

    def _offsets(self, relative: tuple[str, ...], ndim: int) -> Offsets:
        """How far the kernel reaches in each dimension: as was said, or as its constant indices say."""
        if self.options.get("neighborhood") is None:
            try:
                if (relative, ndim) not in self._found:
                    self._found[relative, ndim] = find_offsets(self.py_func, relative, ndim)
                self.neighborhood = self._found[relative, ndim]
            except UnknownOffsets as error:
                raise NumbaValueError(f"stencil kernel index is not constant, 'neighborhood' option required ({error})") from None
        if len(self.neighborhood) != ndim:
            raise NumbaValueError(f"{len(self.neighborhood)} dimensional neighborhood specified for {ndim} dimensional input array")
        return self.neighborhood

    def _result_type(self, values):
        """The dtype that numba's rules give; None where they are not known: then the results themselves say."""
        from numba.cuda.type_names import describe_type
        from numba.typing import typeof

        try:
            described = tuple(describe_type(typeof(value)) for value in values)
            if described not in self._types:
                self._types[described] = None
                found = _kiln.kernel_result_type(self.py_func, described)
                self._types[described] = numpy.dtype(found) if isinstance(found, str) else None
            return self._types[described]
        except Exception:  # whatever the kernels' compiler does not know, Python does
            return None

    def _border(self, shape, ranges, kind, out):
        """The result with its border filled."""
        if out is None:
            value = self.options.get("cval", 0)
            if kind is None:
                result = numpy.empty(shape, dtype=object)
                result.fill(value)
                return result
            return numpy.full(shape, numpy.asarray(value).astype(kind), dtype=kind)
        if "cval" in self.options:
            for axis, (start, stop) in enumerate(ranges):
                along = numpy.moveaxis(out, axis, 0)
                along[:start] = self.options["cval"]
                along[max(stop, 0) :] = self.options["cval"]
        return out

    @staticmethod
    def _unified(result, ranges):
        """The results as numbers of one dtype, which holds those of all of them."""
        inner = result[tuple(slice(start, max(start, stop)) for start, stop in ranges)].ravel().tolist()
        kinds = {numpy.asarray(value).dtype for value in inner}
        return result.astype(numpy.result_type(*kinds) if kinds else numpy.float64)

    def _loops_for(self, relative: tuple[str, ...], ndim: int):
        """loops(out, start, stop, ..., arguments): fills `out` between each dimension's start and stop."""
        key = relative, ndim
        if key not in self._loops:
            self._loops[key] = write_loops(self.py_func, relative, ndim) or self._slow_loops(relative)
        return self._loops[key]

    def _slow_loops(self, relative: tuple[str, ...]):
        """The loops for a kernel that does with its arrays what only objects in their stead can do."""

        def loops(out, *rest) -> None:
            bounds, arguments = rest[: 2 * out.ndim], list(rest[2 * out.ndim :])
            starts = bounds[::2]
            views = [Neighbours(value) if name in relative else value for name, value in zip(self._names, arguments)]
            for place in numpy.ndindex(*(max(stop - start, 0) for start, stop in zip(starts, bounds[1::2]))):
                at = tuple(start + step for start, step in zip(starts, place))
                for view in views:
                    if isinstance(view, Neighbours):
                        view.place = at
                out[at] = self.py_func(*views)

        return loops


def _widened(array, kind, out):
    """The array with elements that are computed with as numba does: integers in 64 bits, floats in those of the result."""
    wide = array.dtype
    if wide.kind in "bi" or (wide.kind == "u" and wide.itemsize < 8):
        wide = numpy.dtype(numpy.int64)
    elif wide.kind == "f" and kind is not None and kind.kind == "f" and wide.itemsize < kind.itemsize:
        wide = kind
    if wide == array.dtype or (out is not None and numpy.may_share_memory(array, out)):
        return array  # what the loops store in it, they read
    return array.astype(wide)
