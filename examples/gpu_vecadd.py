"""Adds two vectors, one thread an element: once on NumPy's arrays, once on arrays that stay on the device.

Kernels run on all CPU cores; KILN_OFFLOAD=auto runs them on a GPU if there is one.
"""

import time

import numpy as np
from numba import cuda


@cuda.jit
def add(a, b, c):
    i = cuda.grid(1)
    if i < c.size:
        c[i] = a[i] + b[i]


def main(n: int = 1 << 22) -> None:
    a = np.arange(n, dtype=np.float32)
    b = np.full(n, 0.5, dtype=np.float32)
    c = np.empty_like(a)
    threads = 256
    blocks = (n + threads - 1) // threads

    add[blocks, threads](a, b, c)
    print("host arrays:", np.array_equal(c, a + b))

    on_device = [cuda.to_device(a), cuda.to_device(b), cuda.device_array_like(a)]
    launch = add[blocks, threads]
    start = time.perf_counter()
    for _ in range(10):
        launch(*on_device)
    cuda.synchronize()
    seconds = (time.perf_counter() - start) / 10
    print("device arrays:", np.array_equal(on_device[2].copy_to_host(), a + b))
    print(f"{seconds * 1e3:.2f} ms a launch, {3 * a.nbytes / seconds / 1e9:.1f} GB/s")


main()
