"""Two GPUs: copies between them, a kernel on each, a thread for each, arrays of the other one. Skipped where there are not two."""

import threading
import unittest

from support import main  # before NumPy: skips the tests where there is none

import _kiln
import numpy as np
from numba import cuda

COUNT = 1 << 20


def two_gpus() -> bool:
    """Whether kernels run on GPUs and there are two of them."""
    return _kiln.kernel_probe()[0] == "gpu" and len(cuda.gpus) > 1


@cuda.jit
def scale(x, factor):
    i = cuda.grid(1)
    if i < x.size:
        x[i] = x[i] * factor + 1


@cuda.jit
def total(x, out):
    i = cuda.grid(1)
    if i < x.size:
        cuda.atomic.add(out, 0, x[i])


@unittest.skipUnless(two_gpus(), "there are no two GPUs")
class TwoGpus(unittest.TestCase):
    def tearDown(self) -> None:
        cuda.select_device(0)

    def test_peer_copies(self) -> None:
        """Of contiguous and other arrays, in both directions, with the host in between where nothing else does."""
        host = np.arange(COUNT, dtype=np.float64).reshape(1024, -1)
        first = cuda.to_device(host)
        with cuda.gpus[1]:
            second = cuda.device_array_like(host)
            second.copy_to_device(first)
            np.testing.assert_array_equal(second.copy_to_host(), host)
            second[::2].copy_to_device(first[1::2])
            scale[COUNT // 256, 256](second.ravel(), 2.0)
        expected = host.copy()
        expected[::2] = host[1::2]
        first.copy_to_device(second)
        np.testing.assert_array_equal(first.copy_to_host(), expected * 2 + 1)

    def test_a_kernel_on_each(self) -> None:
        """At the same time, each on its own arrays; the code is compiled for both."""
        arrays = []
        for number in range(2):
            with cuda.gpus[number]:
                arrays.append(cuda.to_device(np.full(COUNT, number, np.float64)))
        for _ in range(10):
            for number, array in enumerate(arrays):
                with cuda.gpus[number]:
                    scale[COUNT // 256, 256](array, 2.0)
        for number, array in enumerate(arrays):
            with cuda.gpus[number]:
                cuda.synchronize()
                self.assertEqual(set(array.copy_to_host().tolist()), {number * 1024 + 1023})

    def test_a_thread_for_each(self) -> None:
        """Each thread has a device of its own, which others do not change."""
        results, failures = {}, []

        def work(number: int) -> None:
            try:
                cuda.select_device(number)
                stream = cuda.stream()
                x = cuda.to_device(np.full(COUNT, number + 1.0), stream=stream)
                out = cuda.to_device(np.zeros(1), stream=stream)
                for _ in range(20):
                    total[COUNT // 256, 256, stream](x, out)
                stream.synchronize()
                results[number] = (cuda.get_current_device().id, out.copy_to_host()[0])
            except BaseException as error:
                failures.append(error)

        threads = [threading.Thread(target=work, args=(number,)) for number in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(failures, [])
        self.assertEqual(results, {number: (number, 20.0 * COUNT * (number + 1)) for number in range(2)})
        self.assertEqual(cuda.get_current_device().id, 0)

    def test_arrays_of_the_other(self) -> None:
        """They are refused by name, or reached; never wrong."""
        x = cuda.to_device(np.ones(COUNT))
        with cuda.gpus[1]:
            try:
                scale[COUNT // 256, 256](x, 2.0)
                cuda.synchronize()
                expected = 3
            except (cuda.CudaSupportError, cuda.CudaAPIError) as error:
                self.assertIn("GPU 0", str(error))
                expected = 1
        self.assertEqual(set(x.copy_to_host().tolist()), {expected})

    def test_freed_on_the_other(self) -> None:
        """Memory is freed on the device that it is of, whichever the thread's is."""
        free = {}
        for number in range(2):
            with cuda.gpus[number]:
                cuda.synchronize()
                free[number] = cuda.current_context().get_memory_info().free
        for _ in range(20):
            with cuda.gpus[1]:
                x = cuda.device_array(1 << 24, np.float64)
            x = None  # with GPU 0 current
        for number in range(2):
            with cuda.gpus[number]:
                cuda.synchronize()
                self.assertLess(free[number] - cuda.current_context().get_memory_info().free, 1 << 29)


if __name__ == "__main__":
    main()
