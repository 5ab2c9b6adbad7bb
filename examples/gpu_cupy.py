"""A kernel on CuPy's arrays, in CuPy's stream: nothing is copied. Needs CuPy and a GPU (KILN_OFFLOAD=auto)."""

import sys

from numba import cuda

try:
    import cupy

    cupy.cuda.runtime.getDeviceCount()
except Exception as error:
    print(f"CuPy cannot be used here: {error}")
    sys.exit(77)
if not hasattr(cuda.device_array(1), "__cuda_array_interface__"):
    print("kernels run on the CPU; KILN_OFFLOAD=auto has them run on the GPU")
    sys.exit(77)


@cuda.jit
def smooth(values, result):
    i = cuda.grid(1)
    if 0 < i < values.size - 1:
        result[i] = (values[i - 1] + values[i] + values[i + 1]) / 3


values = cupy.sin(cupy.linspace(0, 10, 1 << 20, dtype=cupy.float32))
result = cupy.zeros_like(values)
stream = cupy.cuda.Stream(non_blocking=True)
with stream:
    values += 1
    smooth[(values.size + 255) // 256, 256, stream](values, result)
    expected = (values[:-2] + values[1:-1] + values[2:]) / 3
stream.synchronize()
print("as CuPy's own:", bool(cupy.allclose(result[1:-1], expected)))
