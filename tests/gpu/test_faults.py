"""What a program or a machine does wrong ends in an exception with a name: no crash, no hang, no wrong result."""

import os
import subprocess
import sys
import tempfile
import threading
import unittest

from support import main  # before NumPy: skips the tests where there is none

import numpy as np
from numba import cuda, float64
from numba.cuda.cudadrv.driver import LinkerError

ON_GPU = os.environ.get("KILN_OFFLOAD", "cpu") not in ("", "cpu")


@cuda.jit
def increment(x):
    i = cuda.grid(1)
    if i < x.size:
        x[i] += 1


class Memory(unittest.TestCase):
    def test_sizes(self) -> None:
        """What no memory holds, or no array has."""
        for make in cuda.device_array, cuda.pinned_array, cuda.managed_array, cuda.mapped_array:
            for shape, message in (((2**40, 2**40), "array is too big"), ((-2, -3), "negative dimensions"), (-1, "negative dimensions")):
                with self.assertRaisesRegex(ValueError, message):
                    make(shape)
            self.assertEqual(make((0, 2**40)).size, 0)
        with self.assertRaises((MemoryError, cuda.CudaAPIError)):
            cuda.device_array(2**56)
        increment[1, 32](device := cuda.to_device(np.zeros(3)))
        self.assertEqual(device.copy_to_host().tolist(), [1, 1, 1])

    def test_strides(self) -> None:
        """Memory holds all that strides reach, also downwards."""
        for strides in (24,), (-24,):
            device = cuda.device_array(1000, strides=strides)
            increment[8, 128](device)
            device.copy_to_device(np.arange(1000.0))
            increment[8, 128](device)
            np.testing.assert_array_equal(device.copy_to_host(), np.arange(1000.0) + 1)

    def test_arrays_of_kernels(self) -> None:
        """Local arrays have CUDA's limit on the CPU, too."""

        def kernel_of(shape):
            @cuda.jit
            def kernel(out):
                local = cuda.local.array(shape, float64)
                for i in range(local.shape[0]):
                    local[i] = i
                out[cuda.grid(1)] = local[out.size - 1]

            return kernel

        for shape in 10**7, 10**10, 2**60:
            with self.assertRaisesRegex(LinkerError, "local arrays take [0-9]+ bytes a thread, and at most 524288 fit"):
                kernel_of(shape)[1, 32](np.zeros(32))
        out = np.zeros(64)
        kernel_of(1000)[2, 32](out)
        self.assertEqual(out.tolist(), [63.0] * 64)

    def test_dynamic_memory(self) -> None:
        for size in 10**6, 10**12:
            with self.assertRaisesRegex(cuda.CudaAPIError, f"{size} bytes of dynamic shared memory are too many"):
                increment[1, 32, 0, size](np.zeros(3))


class Recursion(unittest.TestCase):
    @unittest.skipIf(ON_GPU, "a GPU loses its context, or goes on")
    def test_recursion_without_an_end(self) -> None:
        """Calls that a compiler could make a loop of."""

        @cuda.jit(device=True)
        def up(n):
            return 0 if n == -5 else up(n + 1)

        @cuda.jit(device=True)
        def add(n):
            if n == -5:
                return 0
            return add(n + 1) + n

        @cuda.jit(device=True)
        def again(n):
            if n != 0:
                return again(n)
            return 0

        @cuda.jit(device=True)
        def even(n):
            return True if n == 0 else odd(n + 1)

        @cuda.jit(device=True)
        def odd(n):
            return False if n == 0 else even(n + 1)

        @cuda.jit(device=True)
        def add_to(x, n):
            x[0] += n
            add_to(x, n)

        for function in up, add, again, even:

            def kernel(x):
                x[0] = function(3)

            with self.assertRaisesRegex(cuda.CudaAPIError, "calls itself too deeply"):
                cuda.jit(kernel)[1, 1](np.zeros(3))

        @cuda.jit
        def adding(x):
            add_to(x, 3)

        with self.assertRaisesRegex(cuda.CudaAPIError, "calls itself too deeply"):
            adding[1, 1](np.zeros(3))

    @unittest.skipIf(ON_GPU, "a GPU loses its context")
    def test_without_end(self) -> None:
        """On all threads, also those with little stack and those of blocks that wait for each other."""

        @cuda.jit(device=True)
        def deeper(x, n):
            if n < 0:
                return 0
            x[n % x.size] += deeper(x, n + 1)
            return n

        @cuda.jit
        def kernel(x):
            deeper(x, cuda.threadIdx.x)

        @cuda.jit
        def cooperative(x):
            cuda.cg.this_grid().sync()
            deeper(x, cuda.threadIdx.x)

        def run():
            for blocks in 1, 50:
                for launched in kernel, cooperative:
                    with self.assertRaisesRegex(cuda.CudaAPIError, "calls itself too deeply") as caught:
                        launched[blocks, 64](np.zeros(3))
                    self.assertEqual(caught.exception.code, 719)

        failures = []

        def run_in_thread():
            try:
                run()
            except BaseException as error:
                failures.append(error)

        run()
        before = threading.stack_size(256 << 10)
        thread = threading.Thread(target=run_in_thread)
        thread.start()
        threading.stack_size(before)
        thread.join()
        self.assertEqual(failures, [])

    @unittest.skipIf(ON_GPU, "a GPU's stack is small")
    def test_deep(self) -> None:
        @cuda.jit(device=True)
        def depth(x, n):
            if n == 0:
                return 0
            x[n % x.size] += 1
            return depth(x, n - 1) + 1

        @cuda.jit
        def kernel(x):
            x[0] = depth(x, 10000)

        x = np.zeros(3)
        kernel[1, 1](x)
        self.assertEqual(x[0], 10000)


class Contexts(unittest.TestCase):
    def test_closed(self) -> None:
        """Arrays, kernels, streams and events go on after close() and reset()."""
        device = cuda.to_device(np.zeros(3))
        for reset in cuda.close, cuda.current_context().reset, cuda.get_current_device().reset:
            reset()
            stream, event = cuda.stream(), cuda.event()
            increment[1, 32, stream](device)
            event.record(stream)
            event.synchronize()
        self.assertEqual(device.copy_to_host().tolist(), [3, 3, 3])


class Ends(unittest.TestCase):
    """Programs that end while kernels run or are compiled in other threads."""

    HEAD = """
import os, sys, threading, time
import numpy as np
from numba import cuda
@cuda.jit
def long(x):
    for i in range(1 << 24):
        x[cuda.grid(1) % x.size] += i
def compile_for_ever():
    for n in range(10**9):
        names = {"cuda": cuda}
        exec(f"def kernel(x):\\n    for i in range({n}):\\n        x[i] += {n}\\n", names)
        cuda.jit(names["kernel"])[1, 1](np.zeros(1 << 16))
def run_for_ever():
    while True:
        long[64, 64](np.zeros(5000))
for work in run_for_ever, compile_for_ever, run_for_ever:
    threading.Thread(target=work, daemon=True).start()
time.sleep(0.3)
"""

    def test_status(self) -> None:
        for end, status in (("", 0), ("sys.exit(3)", 3), ("os._exit(4)", 4), ("raise ValueError", 1), ("os.kill(os.getpid(), 15)", -15)):
            result = subprocess.run([sys.executable, "-c", self.HEAD + end], capture_output=True, text=True, timeout=120)
            self.assertEqual(result.returncode, status, result.stderr)

    COMPILERS = """
import threading, time
from numba import cuda, float64
def compile_for_ever(first):
    for n in range(first, first + 10**9):
        names = {"cuda": cuda}
        exec(f"def kernel(x):\\n    for i in range({n}):\\n        x[i] += {n}\\n", names)
        cuda.compile(names["kernel"], (float64[:],), cc=(9, 0))
for first in 1, 10**9:
    threading.Thread(target=compile_for_ever, args=(first,), daemon=True).start()
"""

    def test_compilers(self) -> None:
        """NVRTC's destructors wait for the threads that are in it."""
        try:
            cuda.compile(increment.py_func, (float64[:],), cc=(9, 0))
        except cuda.CudaSupportError as error:
            self.skipTest(str(error))
        for turn in range(16):
            end = self.COMPILERS + f"time.sleep({0.1 + turn * 0.02})"
            result = subprocess.run([sys.executable, "-c", end], capture_output=True, text=True, timeout=120)
            self.assertEqual(result.returncode, 0, result.stderr)

    UNWOUND = """
import linecache, os, sys, threading, time
import numpy as np
from numba import cuda
real = linecache.getlines
def slow(*arguments, sleep=time.sleep):
    sleep(0.4)
    return real(*arguments)
class End:
    def __init__(self):
        self.threads = len(os.listdir("/proc/self/task"))
    def __del__(self, sleep=time.sleep, listdir=os.listdir, write=os.write):
        sleep(0.8)
        write(1, b"stays" if len(listdir("/proc/self/task")) > self.threads else b"is gone")
@cuda.jit
def kernel(x):
    x[0] = 1
thread = threading.Thread(target=lambda: kernel[1, 1](np.zeros(1)), daemon=True)
linecache.getlines = slow
sys.end = End()
thread.start()
time.sleep(0.1)
"""

    def test_unwinding(self) -> None:
        """A thread that asks for the GIL after the end is not unwound: C++ frames let go of objects then."""
        with tempfile.TemporaryDirectory() as folder:
            script = os.path.join(folder, "script.py")
            with open(script, "w") as file:
                file.write(self.UNWOUND)
            result = subprocess.run([sys.executable, script], capture_output=True, text=True, timeout=120, env=dict(os.environ, KILN_JIT="off", KILN_OFFLOAD="cpu"))
        self.assertEqual((result.returncode, result.stdout), (0, "stays"), result.stderr)

    def test_threads(self) -> None:
        """Threads come and go."""
        sums = []

        def work():
            x = np.zeros(100000)
            for _ in range(3):
                increment[400, 256](x)
            sums.append(x.sum())

        for _ in range(10):
            threads = [threading.Thread(target=work) for _ in range(8)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
        self.assertEqual(set(sums), {300000.0})


if __name__ == "__main__":
    main()
