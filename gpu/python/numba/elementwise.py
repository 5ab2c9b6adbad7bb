"""A function of scalars as a kernel over arrays: what @vectorize uses where it is worth a launch."""

import _kiln

SMALLEST = 1024  # elements; for fewer, calling the function is cheaper than compiling it
THREADS = 256


def device_view(value):
    """A device array that is the memory of another library's array on a device; anything else as it is."""
    from numba.cuda.arrays import DeviceNDArray, as_cuda_array

    is_foreign = not isinstance(value, DeviceNDArray) and hasattr(value, "__cuda_array_interface__")
    return as_cuda_array(value) if is_foreign else value


class ElementwiseKernel:
    """Calls a DUFunc's function for all elements at once. None from a call: the DUFunc must loop over them itself."""

    def __init__(self, ufunc, target: str) -> None:
        self._ufunc = ufunc
        self._target = target
        self._kernels: dict[tuple[bool, ...], object] = {}
        self._results: dict[tuple[str, ...], object] = {}

    def __call__(self, arguments, out, stream, casting="same_kind", smallest=SMALLEST):
        """The result for these arguments, or None, as for fewer elements than `smallest`."""
        import numpy

        from numba.cuda.arrays import DeviceNDArray

        arguments, out = list(map(device_view, arguments)), device_view(out)
        on_device = any(isinstance(argument, DeviceNDArray) for argument in (*arguments, out))
        arrays = [argument if isinstance(argument, DeviceNDArray) else numpy.asarray(argument) for argument in arguments]
        if len(arrays) != self._ufunc.nin:
            return None
        try:
            shape = numpy.broadcast_shapes(*(array.shape for array in arrays))
        except ValueError:
            return None  # whose error says more
        size = int(numpy.prod(shape, dtype=numpy.int64))
        if not on_device and (size < smallest or (out is not None and not isinstance(out, numpy.ndarray))):
            return None
        signature = self._ufunc._choose(arrays, arguments, out, casting)
        kinds = [array.dtype if signature is None else kind.dtype for array, kind in
                 zip(arrays, arrays if signature is None else signature.args)]
        result = self.result_type(kinds)
        if result is None:
            if on_device:
                raise TypeError(f"{self._ufunc.__name__} cannot be compiled for device arrays")
            return None
        result = result if signature is None else signature.return_type.dtype
        if isinstance(out, numpy.ndarray):
            self._ufunc._check_out(result, out, casting)
        operands = [self._operand(array, kind, shape) for array, kind in zip(arrays, kinds)]
        return self._run(operands, shape, size, result, out, stream, on_device)

    def knows(self, arrays, arguments) -> bool:
        """Whether a kernel can be made for arguments that became arrays."""
        return self.result_type([array.dtype for array in arrays]) is not None

    def result_type(self, kinds):
        """The dtype of the function's results for arguments of these; None when it cannot be compiled."""
        import numpy

        names = tuple(kind.name for kind in kinds)
        if names not in self._results:
            try:
                found = _kiln.kernel_result_type(self._ufunc.py_func, names)
                found = numpy.dtype(found) if isinstance(found, str) else None
            except Exception:  # whatever the compiler does not know, Python does
                found = None
            self._results[names] = found
        return self._results[names]

    @staticmethod
    def _operand(array, kind, shape):
        """A flat array, or a scalar for what has no dimensions."""
        import numpy

        from numba.cuda.arrays import DeviceNDArray

        if isinstance(array, DeviceNDArray):
            if array.shape != shape or array.dtype != kind:
                array = numpy.broadcast_to(array.copy_to_host().astype(kind), shape)
            else:
                return array if array.ndim == 1 else array.reshape(-1) if array._layout == "C" else array.copy_to_host().reshape(-1)
        array = array.astype(kind, copy=False)
        return array[()] if array.ndim == 0 else numpy.ascontiguousarray(numpy.broadcast_to(array, shape)).reshape(-1)

    def _run(self, operands, shape, size, dtype, out, stream, on_device):
        import numpy

        from numba.cuda.args import InOut
        from numba.cuda.arrays import device_array

        kernel = self._kernel_for(tuple(hasattr(operand, "shape") and operand.shape != () for operand in operands))
        blocks = max((size + THREADS - 1) // THREADS, 1)
        if on_device and (out is None or not isinstance(out, numpy.ndarray)):
            target = device_array(shape, dtype) if out is None else out
            kernel[blocks, THREADS, stream](*operands, target if target.ndim == 1 else target.reshape(-1))
            return target
        flat = numpy.empty(size, dtype)
        kernel[blocks, THREADS, stream](*map(InOut, operands), InOut(flat))
        if out is None:
            return flat.reshape(shape)
        out[...] = flat.reshape(shape)
        return out

    def _kernel_for(self, is_array: tuple[bool, ...]):
        """The kernel for arguments that are arrays or scalars."""
        if is_array not in self._kernels:
            from numba import cuda
            from numba.cuda.written import own_kernel

            names = [f"x{position}" for position in range(len(is_array))]
            items = ", ".join(f"{name}[i]" if indexed else name for name, indexed in zip(names, is_array))
            source = (
                f"def kernel({', '.join(names)}, out):\n    i = cuda.grid(1)\n    if i < out.size:\n        out[i] = function({items})\n"
            )
            scope = {"cuda": cuda, "function": cuda.jit(device=True)(self._ufunc.py_func)}
            exec(compile(source, f"<vectorize {' '.join(map(str, is_array))}>", "exec"), scope)
            self._kernels[is_array] = own_kernel(scope["kernel"])
        return self._kernels[is_array]
