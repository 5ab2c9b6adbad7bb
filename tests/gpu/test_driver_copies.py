"""What kiln copies, allocates and frees, with stand-ins for NVIDIA's libraries."""

import unittest

from driver_support import KERNEL, Driver, main


class Copies(Driver):
    def test_sizes(self) -> None:
        """Through pinned chunks of 4 MB from 64 KB on, whatever the size."""
        program = KERNEL + """
for n in [0, 1, 100, 8191, 8192, 524287, 524288, 524289, 1 << 21, (1 << 21) + 7, 2621440, 5000001]:
    x = np.arange(float(n))
    increment[max(1, n // 256 + 1), 256](x)
    assert (x == np.arange(1.0, n + 1)).all(), n
    device = cuda.to_device(np.arange(float(n)))
    assert (device.copy_to_host() == np.arange(float(n))).all(), n
print('done')
"""
        self.assertEqual(self.output(program), "done")
        calls = self.calls()
        self.assertEqual([call for call in calls if call.startswith("pin")], [f"pin {16 << 20}"])
        self.assertLessEqual(max(int(call.split()[-1]) for call in calls if call.startswith(("in ", "out "))), 4 << 20)
        self.assertEqual(self.output(program, FAKE_CUDA_PIN="0"), "done")  # the driver copies by itself then

    def test_pinned(self) -> None:
        """What is pinned is copied at once."""
        program = KERNEL + """
x = cuda.pinned_array(1000000)
x[:] = 1
increment[4000, 256](x)
y = np.ones(1000000)
with cuda.pinned(y):
    device = cuda.to_device(y)
print(x.sum(), cuda.pinned_array_like(np.ones((2, 3), order='F')).strides, device.copy_to_host(y).sum())
del x
"""
        self.assertEqual(self.output(program), "2000000.0 (8, 16) 1000000.0")
        calls = self.calls()
        self.assertEqual([call for call in calls if call.startswith("in ")], ["in 0 8000000"] * 2)
        self.assertEqual([call for call in calls if "pin" in call], [
            "pin 8000000", "pin 8000000", "unpin", "pin 48", "unpin", f"pin {16 << 20}", "unpin"])

    def test_within(self) -> None:
        """From device array to device array without the host."""
        program = KERNEL + """
a = cuda.to_device(np.arange(5.0))
b = cuda.device_array_like(a)
b.copy_to_device(a)
c = cuda.to_device(b)
print(b.copy_to_host(), c.copy_to_host())
"""
        self.assertEqual(self.output(program), "[0. 1. 2. 3. 4.] [0. 1. 2. 3. 4.]")
        calls = self.calls()
        self.assertEqual([call for call in calls if call.startswith(("in ", "within"))], ["in 0 40", "within 0 40", "within 0 40"])

    def test_between_devices(self) -> None:
        """From one GPU to another, and what is on another one is refused by name."""
        program = KERNEL + """
a = cuda.to_device(np.arange(5.0))
with cuda.gpus[1]:
    b = cuda.device_array(5)
    b.copy_to_device(a)
    print(b.copy_to_host(), cuda.to_device(a).copy_to_host().sum())
    try:
        increment[1, 32](a)
    except cuda.CudaSupportError as error:
        print(error)
increment[1, 32](a)
print(a.copy_to_host().sum())
"""
        self.assertEqual(self.output(program).splitlines(), [
            "[0. 1. 2. 3. 4.] 10.0",
            "an argument is an array on GPU 0, and the kernel was launched on GPU 1; copy it there, or launch `with cuda.gpus[0]:`",
            "15.0"])
        self.assertEqual([call for call in self.calls() if call.startswith("peer")], ["peer 1 0 40"] * 2)

    def test_adopted_context(self) -> None:
        """The thread's device is the one that another library made current, and stays so."""
        program = KERNEL + """
import ctypes
driver = ctypes.CDLL("libcuda.so.1")
cuda.synchronize()
context = ctypes.c_void_p()
driver.cuDevicePrimaryCtxRetain(ctypes.byref(context), 1)
driver.cuCtxSetCurrent(context)
x = np.ones(3)
increment[1, 32](x)
print(x, cuda.get_current_device().id)
with cuda.gpus[0]:
    a = cuda.to_device(x)
del a
now = ctypes.c_void_p()
driver.cuCtxGetCurrent(ctypes.byref(now))
print(now.value == context.value, cuda.gpus.current.id)
"""
        self.assertEqual(self.output(program).splitlines(), ["[2. 2. 2.] 1", "True 1"])
        self.assertIn("launch 1 increment 1x1x1 32x1x1 0 0", self.calls())

    def test_short_memory(self) -> None:
        """What was freed is given back before an allocation fails."""
        program = KERNEL + "print(cuda.to_device(np.ones(3)).copy_to_host(), cuda.device_array(1000).size)"
        self.assertEqual(self.output(program, FAKE_CUDA_MOST="4000"), "[1. 1. 1.] 1000")
        self.assertEqual(self.calls().count("trim"), 1)

    def test_foreign_stream(self) -> None:
        """Memory that was used on another library's stream is freed after what was launched there."""
        program = KERNEL + """
import ctypes
driver = ctypes.CDLL("libcuda.so.1")
foreign = ctypes.c_void_p()
a = cuda.to_device(np.ones(3))
driver.cuStreamCreate(ctypes.byref(foreign), 1)
class Stream:
    def __cuda_stream__(self):
        return 0, foreign.value
increment[1, 32, Stream()](a)
del a
b = cuda.to_device(np.ones(3))
increment[1, 32, cuda.stream()](b)
del b
"""
        self.output(program)
        calls = [call.split()[0] for call in self.calls() if call.startswith(("launch", "record", "stream-wait", "free"))]
        self.assertEqual(calls, ["launch", "record", "stream-wait", "free", "launch", "free", "record"])  # the last for the kernel's end

    def test_overlaps(self) -> None:
        """Host arrays that overlap are one copy, and only their elements are written back."""
        program = KERNEL + """
a = np.arange(12.0)
increment[1, 32](a)
b = np.arange(12.0)
@cuda.jit
def increment_both(x, y):
    x[0] += 1
    y[0] += 1
increment_both[1, 1](b[:8], b[4:])
print(a.sum(), b[:8].sum())
"""
        self.assertEqual(self.output(program), "78.0 36.0")
        calls = [call for call in self.calls() if call.startswith(("in ", "out "))]
        self.assertEqual(calls, ["in 0 96", "out 0 96", "in 0 96", "out 0 64", "out 0 64"])

    def test_stream_order(self) -> None:
        """What a launch needs for its host arrays is allocated and freed in its stream's order."""
        program = KERNEL + "stream = cuda.stream()\nx = np.ones(3)\nincrement[1, 32, stream](x)\nprint(x)"
        self.assertEqual(self.output(program), "[2. 2. 2.]")
        streams = {call.split()[-1] for call in self.calls() if call.startswith(("allocate", "free", "launch"))}
        self.assertEqual(len(streams), 1)
        self.assertNotEqual(streams, {"0"})


FILLS = """
import numpy as np
from numba import cuda, float64, int64

def run(body, shape, grid, block, *more, order="C", signature=None):
    out = np.zeros(shape, order=order)
    kernel = cuda.jit(signature)(body) if signature else cuda.jit(body)
    kernel[grid, block](out, *more)

def guarded(out):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = 1
def by_hand(out):
    i = cuda.threadIdx.x + cuda.blockDim.x * cuda.blockIdx.x
    if out.shape[0] > i:
        out[i] = i
def leaves(out):
    i = cuda.grid(1)
    if i >= len(out):
        return
    total = 0
    for k in range(i):
        if k > 5:
            break
        total += k
    out[i] = total
def otherwise(out):
    i = cuda.grid(1)
    if i < out.size:
        pass
    else:
        return
    out[i] = 1
def bare(out):
    out[cuda.grid(1)] = 1
def number(out, n):
    i = cuda.grid(1)
    if i < n:
        out[i] = 1
def other(out, a):
    i = cuda.grid(1)
    if i < a.size:
        out[i] = a[i]
def two(out):
    x, y = cuda.grid(2)
    if x < out.shape[0] and y < out.shape[1]:
        out[x, y] = 1
def turned(out):
    x, y = cuda.grid(2)
    if x >= out.shape[1] or y >= out.shape[0]:
        return
    out[y, x] = 1
def reads(out):
    i = cuda.grid(1)
    if i < out.size:
        out[i] += 1
def both(out, a):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = a[i]
def atomic(out):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = 1
        cuda.atomic.add(out, i, 1)
def condition(out):
    i = cuda.grid(1)
    if i < out.size and i > 2:
        out[i] = 1
def inner(out):
    i = cuda.grid(1)
    if i < out.size:
        if i % 2:
            out[i] = 1
def loop(out, n):
    i = cuda.grid(1)
    for k in range(n):
        if i < out.size:
            out[i] = 1
def changed(out):
    i = cuda.grid(1)
    i += 1
    if i < out.size:
        out[i] = 1
def reused(out):
    i = cuda.grid(1)
    for i in range(3):
        pass
    if i < out.size:
        out[i] = 1
def stops(out, n):
    i = cuda.grid(1)
    if n > 3:
        return
    if i < out.size:
        out[i] = 1
def diagonal(out):
    i = cuda.grid(1)
    if i < out.shape[0] and i < out.shape[1]:
        out[i, i] = 1
def one_row(out):
    x, y = cuda.grid(2)
    if x < out.size and y < 1:
        out[x] = 1
def row(out):
    x, y = cuda.grid(2)
    if x < out.shape[0]:
        out[x, 0] = 1
def strided(out):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = 1
"""


class Fills(Driver):
    """Which host arrays are not copied in, because the launch stores every element."""

    def copied(self, call: str) -> list[int]:
        """The bytes of the copies in that a launch makes."""
        self.output(FILLS + call)
        return [int(line.split()[-1]) for line in self.calls() if line.startswith("in ")]

    def test_filled(self) -> None:
        for call in ["run(guarded, 100, 1, 128)", "run(guarded, 100, 4, 25)", "run(by_hand, 100, 1, 100)", "run(leaves, 100, 1, 128)",
                     "run(otherwise, 100, 1, 128)", "run(bare, 100, 1, 100)", "run(number, 100, 1, 128, 100)", "run(number, 100, 1, 128, 2**40)",
                     "run(two, (10, 20), (2, 2), (8, 16))", "run(turned, (10, 20), (2, 2), (16, 8))",
                     "run(two, (10, 20), (2, 2), (8, 16), order='F')", "run(guarded, 100, 1, 128, signature='(float64[:],)')",
                     "a = cuda.to_device(np.ones(100)); cuda.synchronize(); print(); run(other, 100, 1, 128, a)"]:
            expected = [800] if "to_device" in call else []
            self.assertEqual(self.copied(call), expected, call)
        self.assertEqual(self.copied("run(both, 100, 1, 128, np.ones(100, np.float32))"), [400])

    def test_not_filled(self) -> None:
        for call in ["run(guarded, 100, 1, 64)", "run(number, 100, 1, 128, 99)", "run(number, 100, 1, 128, np.uint64(100))", "run(reads, 100, 1, 128)",
                     "run(atomic, 100, 1, 128)", "run(condition, 100, 1, 128)", "run(inner, 100, 1, 128)", "run(loop, 100, 1, 128, 3)",
                     "run(changed, 100, 1, 128)", "run(reused, 100, 1, 128)", "run(stops, 100, 1, 128, 2)", "run(diagonal, (10, 10), 1, 128)",
                     "run(one_row, 100, (1, 1), (128, 1))", "run(row, (10, 10), (1, 1), (128, 1))", "run(two, (10, 10), (2, 1), (8, 8))",
                     "x = np.zeros(100)\ncuda.jit(both)[1, 128](x, x)"]:
            self.assertEqual(self.copied(call), [800], call)
        self.assertEqual(self.copied("x = np.zeros(200)\ncuda.jit(strided)[1, 128](x[::2])"), [1592])
        self.assertEqual(self.copied("run(other, 100, 1, 128, cuda.to_device(np.ones(99)))"), [792, 800])


SHARING = KERNEL + """
import pickle
from numba.cuda.cudadrv.driver import NumbaCUDAMemoryManager
cuda.set_memory_manager(NumbaCUDAMemoryManager)
array = cuda.to_device(np.arange(6.0))
"""


class Sharing(Driver):
    """Device memory in other processes. The stand-in opens the process's own."""

    def test_handles(self) -> None:
        self.assertEqual(self.output(SHARING + """
handle = pickle.loads(pickle.dumps(array[2:].get_ipc_handle()))
with handle as other:
    print(other.copy_to_host())
    increment[1, 32](other)
    view = other[1:]
try:
    handle.close()
except ValueError as error:
    print(error)
print(array.copy_to_host(), view.copy_to_host())
del view
again = array[1:].get_ipc_handle()._ipc_handle
with cuda.open_ipc_array(again.handle, 2, np.float64, offset=16) as other:
    print(other.copy_to_host())
try:
    again.open_array(None, 1, np.float64)
except ValueError as error:
    print(error)
"""), "[2. 3. 4. 5.]\nIpcHandle not opened\n[0. 1. 3. 4. 5. 6.] [4. 5. 6.]\n[3. 4.]\nopening IpcHandle from original process")
        calls = self.calls()
        self.assertEqual(([call for call in calls if call in ("open", "close")]), ["open", "open", "close", "close"])

    def test_memory_of_the_pool(self) -> None:
        """Others cannot open it: it is moved, once, when a handle is asked for."""
        self.assertEqual(self.output(KERNEL + """
import pickle
array = cuda.to_device(np.arange(6.0))
increment[1, 32](array)
handle = pickle.loads(pickle.dumps(array.get_ipc_handle()))
increment[1, 32](array)
again = array.get_ipc_handle()
with handle as other:
    print(other.copy_to_host())
del other
print(array.copy_to_host())
del array, again
"""), "[2. 3. 4. 5. 6. 7.]\n[2. 3. 4. 5. 6. 7.]")
        calls = self.calls()
        self.assertEqual(len([call for call in calls if call.startswith("free ")]), 2, calls)

    def test_memory_that_stays(self) -> None:
        """Where others know the address, the error says so, with the remedy."""
        for before in "view = array[1:]", "address = array.device_ctypes_pointer", "shown = array.__cuda_array_interface__", "memory = array.gpu_data":
            result = self.run_kiln(KERNEL + f"array = cuda.to_device(np.arange(6.0))\n{before}\narray.get_ipc_handle()")
            self.assertNotEqual(result.returncode, 0)
            self.assertRegex(result.stderr, "CudaSupportError: .*NumbaCUDAMemoryManager", before)

    def test_memory_of_others(self) -> None:
        """What an interface told of is shared if the driver does so; else its error says what can be shared."""
        told = """
class Told:
    def __init__(self, array):
        self.array, self.__cuda_array_interface__ = array, array.__cuda_array_interface__
view = cuda.as_cuda_array(Told(array))
"""
        self.assertEqual(self.output(SHARING + told + """
handle = pickle.loads(pickle.dumps(view[1:4].get_ipc_handle()))
with handle as other:
    print(other.copy_to_host())
"""), "[1. 2. 3.]")
        result = self.run_kiln(KERNEL + "array = cuda.to_device(np.arange(6.0))" + told + "view.get_ipc_handle()")
        self.assertRegex(result.stderr, r"CudaAPIError: \[1\] .*other processes can open only what cuMemAlloc or cudaMalloc gave")
        for made in "mapped_array(4)", "managed_array(4)":
            result = self.run_kiln(KERNEL + f"cuda.{made}.get_ipc_handle()")
            self.assertRegex(result.stderr, "CudaSupportError: a M[a-z]+NDArray lies in the host's memory", made)

    def test_allocations(self) -> None:
        self.output(SHARING + "part = array[1:]\ndel array, part\ncuda.synchronize()")
        calls = self.calls()
        self.assertEqual([call for call in calls if call.startswith(("allocate", "free"))], ["allocate 0 48 0", "free 0 0"])


if __name__ == "__main__":
    main()
