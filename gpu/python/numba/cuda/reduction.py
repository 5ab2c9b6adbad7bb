"""cuda.reduce: a function of two values, applied to all elements of an array."""

from numba.cuda.arrays import device_array, is_cuda_array, to_device
from numba.cuda.written import define, device_function, own_kernel
from numba.typing import from_dtype

_THREADS = 256
_BLOCKS = 256
_TEXT = """
def reduce(array, partial, count):
    values = cuda.shared.array(THREADS, ELEMENT)
    thread = cuda.threadIdx.x
    begin = cuda.blockIdx.x * THREADS
    i = begin + thread
    if i < count:
        value = array[i]
        i += cuda.gridDim.x * THREADS
        while i < count:
            value = ELEMENT(function(value, array[i]))
            i += cuda.gridDim.x * THREADS
        values[thread] = value
    cuda.syncthreads()
    width = THREADS // 2
    while width > 0:
        if thread < width and begin + thread + width < count:
            values[thread] = function(values[thread], values[thread + width])
        cuda.syncthreads()
        width //= 2
    if thread == 0:
        partial[cuda.blockIdx.x] = values[0]
"""


class Reduce:
    """Reduces one-dimensional arrays by a function that is associative and commutative."""

    def __init__(self, functor) -> None:
        self._functor = getattr(functor, "py_func", functor)
        self._device = device_function(self._functor)
        self._kernels = {}

    def _kernel_for(self, dtype):
        from numba import cuda

        if dtype not in self._kernels:
            found = define("reduce", _TEXT, cuda=cuda, function=self._device, THREADS=_THREADS, ELEMENT=from_dtype(dtype))
            self._kernels[dtype] = own_kernel(found["reduce"])
        return self._kernels[dtype]

    def __call__(self, arr, size=None, res=None, init=0, stream=0):
        """The reduced value of the first `size` elements (all by default), with `init` as one more; in res[0] if res is given."""
        if arr.ndim != 1:
            raise TypeError("only support 1D array")
        count = arr.size if size is None else size
        if count > arr.size:
            raise ValueError("size > array")
        value = init
        if count:
            array = arr if is_cuda_array(arr) else to_device(arr, stream)
            kernel = self._kernel_for(array.dtype)
            blocks = min((count + _THREADS - 1) // _THREADS, _BLOCKS)
            partial, result = device_array(blocks, array.dtype, stream=stream), device_array(1, array.dtype, stream=stream)
            kernel[blocks, _THREADS, stream](array, partial, count)
            kernel[1, _THREADS, stream](partial, result, blocks)
            value = result.copy_to_host(stream=stream)[0]
            value = value if init == 0 else arr.dtype.type(self._functor(init, value))
        if res is None:
            return value
        if is_cuda_array(res):
            res[:1] = value
        else:
            res[0] = value


reduce = Reduce
