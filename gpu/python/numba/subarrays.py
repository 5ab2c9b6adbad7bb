"""A function of sub-arrays as a kernel: what @guvectorize uses where it is worth a launch. A thread for each call."""

SMALLEST = 1024  # elements; for fewer, calling the function is cheaper than compiling it
THREADS = 64


class SubarrayKernel:
    """Calls a GUFunc's function for all places of the outer dimensions at once."""

    def __init__(self, function) -> None:
        self._function = function
        self._kernels: dict[tuple[bool, ...], object] = {}
        self._cannot: set[tuple[str, ...]] = set()

    def run(self, arrays, cores, results, outer, as_arrays, stream, must: bool, smallest=SMALLEST) -> bool:
        """Fills the results, arrays of shape outer + core. False: they are unchanged, and the caller must loop.

        cores: how many dimensions the function sees of each array; as_arrays: for which arguments of no dimensions it
        wants an array of one element. With `must` whatever the compiler does not know is raised.
        """
        import numpy

        from numba.cuda.args import InOut

        count = int(numpy.prod(outer, dtype=numpy.int64))
        elements = sum(int(numpy.prod(array.shape, dtype=numpy.int64)) for array in (*arrays, *results))
        kinds = tuple(str(array.dtype) for array in arrays)
        if count == 0:
            return True
        if not must and (elements < smallest or kinds in self._cannot):
            return False
        operands, indexed = [], []
        for array, core, as_array in zip(arrays, cores, as_arrays):
            operand, varies = _flattened(array, core, outer, count, as_array)
            operands.append(operand)
            indexed.append(varies)
        flat = [_flat_result(result, outer, count) for result in results]
        kernel = self._kernel_for(tuple(indexed), len(results))
        try:
            kernel[(count + THREADS - 1) // THREADS, THREADS, stream](count, *map(InOut, operands), *map(InOut, flat))
        except Exception:  # whatever the compiler does not know, Python does; nothing ran
            if must:
                raise
            self._cannot.add(kinds)
            return False
        for result, made in zip(results, flat):
            if isinstance(result, numpy.ndarray) and not numpy.shares_memory(result, made):
                result[...] = made.reshape(result.shape)
        return True

    def _kernel_for(self, indexed: tuple[bool, ...], results: int):
        """The kernel for arguments that differ from call to call, or are the same for all."""
        if indexed not in self._kernels:
            from numba import cuda
            from numba.cuda.written import own_kernel

            inputs = [f"x{position}" for position in range(len(indexed))]
            outputs = [f"out{position}" for position in range(results)]
            items = [f"{name}[i]" if varies else name for name, varies in zip(inputs, indexed)]
            items += [f"{name}[i]" for name in outputs]
            source = (
                f"def kernel({', '.join(['count', *inputs, *outputs])}):\n    i = cuda.grid(1)\n    if i < count:\n"
                f"        function({', '.join(items)})\n"
            )
            scope = {"cuda": cuda, "function": cuda.jit(device=True)(self._function)}
            exec(compile(source, f"<guvectorize {' '.join(map(str, indexed))}>", "exec"), scope)
            self._kernels[indexed] = own_kernel(scope["kernel"])
        return self._kernels[indexed]


def _flattened(array, core: int, outer, count: int, as_array: bool):
    """The array with its outer dimensions as one, and whether it has any."""
    import numpy

    from numba.cuda.arrays import DeviceNDArray

    own = array.shape[array.ndim - core :]
    if array.ndim == core:
        return (array.reshape(1) if as_array else array[()] if core == 0 else array), False
    if isinstance(array, DeviceNDArray):
        if array.shape == outer + own and array._layout == "C":
            return array.reshape((count, *own, 1) if as_array else (count, *own)), True
        array = array.copy_to_host()
    whole = numpy.ascontiguousarray(numpy.broadcast_to(array, outer + own))
    return whole.reshape((count, *own, 1) if as_array else (count, *own)), True


def _flat_result(result, outer, count: int):
    """The result with its outer dimensions as one; a copy where its memory is not that."""
    return result.reshape((count, *(result.shape[len(outer) :] or (1,))))
