"""What kiln asks NVIDIA's libraries for, with stand-ins for them: fake/ says what these do. TEST_FAKES is their folder."""

import os
import subprocess
import sys
import tempfile
import unittest

KILN = os.environ["TEST_KILN"]
FAKES = os.environ["TEST_FAKES"]
SKIPPED = 77
KERNEL = """
import numpy as np, os, sys
from numba import cuda, float64
@cuda.jit
def increment(x):
    i = cuda.grid(1)
    if i < x.size:
        x[i] += 1
"""


class Driver(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.log = os.path.join(folder.name, "log")
        self.cache = os.path.join(folder.name, "cache")

    def run_kiln(self, program: str, offload: str = "gpu", **environment: str) -> subprocess.CompletedProcess:
        """Runs a program with the stand-ins."""
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("KILN", "CUDA", "FAKE_"))}
        given = {"LD_LIBRARY_PATH": os.path.join(FAKES, "driver"), "CUDA_HOME": os.path.join(FAKES, "toolkit"),
                 "NUMBA_CUDA_LOW_OCCUPANCY_WARNINGS": "0", "NUMBA_CUDA_WARN_ON_IMPLICIT_COPY": "0", "FAKE_CUDA_LOG": self.log, "KILN_OFFLOAD": offload, "KILN_CACHE_DIR": self.cache, **environment}
        return subprocess.run([KILN, "-c", program], capture_output=True, text=True, timeout=120, env={**kept, **given})

    def output(self, program: str, offload: str = "gpu", **environment: str) -> str:
        """What a program that must succeed prints."""
        result = self.run_kiln(program, offload, **environment)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        return result.stdout.strip()

    def calls(self) -> list[str]:
        """The log, which is emptied."""
        if not os.path.exists(self.log):
            return []
        with open(self.log, encoding="utf-8") as file:
            lines = file.read().splitlines()
        os.unlink(self.log)
        return lines


class Devices(Driver):
    ASK = KERNEL + """
@cuda.jit("void(float64[:])")
def eager(x):
    x[0] = 1
print(cuda.is_available(), len(cuda.gpus), cuda.gpus[0].name, cuda.gpus[0].compute_capability, cuda.gpus[0].uuid, cuda.cuda_error())
cuda.detect()
print(cuda.gpus[0].name.decode("utf-8"), cuda.get_current_device())
"""

    def test_answers_without_cuda(self) -> None:
        """is_available(), gpus, decorators and eager signatures do not start CUDA."""
        output = self.output(self.ASK)
        self.assertEqual(output.splitlines()[0], "True 2 Fake GPU 0 (9, 0) GPU-000000a0-0000 None")
        self.assertIn("Found 2 CUDA devices", output)
        self.assertEqual(output.splitlines()[-1], "Fake GPU 0 <CUDA device 0 'Fake GPU 0'>")
        self.assertEqual({line for line in self.calls() if not line.startswith("nvml")}, set())

    def test_fork_before_use(self) -> None:
        program = KERNEL + """
assert cuda.is_available()
child = os.fork()
increment[1, 32](np.ones(3))
if child == 0:
    os._exit(0)
print(os.waitpid(child, 0)[1])
"""
        self.assertEqual(self.output(program), "0")
        self.assertEqual(self.calls().count("cuInit"), 2)

    def test_visible(self) -> None:
        ask = "from numba import cuda\nprint([gpu.name[-1:] for gpu in cuda.gpus] if cuda.is_available() else cuda.cuda_error())"
        for wish, names in [("1", "['1']"), ("1,0", "['1', '0']"), ("0,7,1", "['0']"), ("GPU-000000a1", "['1']"), (" 1 , 0", "['1', '0']"),
                            ("GPU-000000a1-0000,0", "['1', '0']"), ("0,0", "['0']")]:
            self.assertEqual(self.output(ask, CUDA_VISIBLE_DEVICES=wish), names, wish)
        for wish in "", "-1", "nothing", "7":
            self.assertEqual(self.output(ask, CUDA_VISIBLE_DEVICES=wish), "NVML shows no GPU (CUDA_VISIBLE_DEVICES may hide it)", wish)
            self.assertEqual(self.output(ask, "auto", CUDA_VISIBLE_DEVICES=wish), "['d']")  # the CPU backend

    def test_several(self) -> None:
        program = KERNEL + """
a = cuda.to_device(np.ones(3))
with cuda.gpus[1]:
    b = cuda.to_device(np.ones(3))
    increment[1, 32](b)
    print(cuda.get_current_device().id, cuda.current_context().device.id)
increment[1, 32](a)
print(cuda.select_device(1).id, cuda.get_current_device().compute_capability, cuda.gpus.current.id)
print(a.copy_to_host(), b.copy_to_host(), cuda.get_current_device().MAX_GRID_DIM_Z, cuda.get_current_device().WARP_SIZE)
import threading
thread = threading.Thread(target=lambda: print(cuda.get_current_device().id))
thread.start(); thread.join()
cuda.close()
try:
    cuda.select_device(2)
except IndexError as error:
    print(error)
print(cuda.get_current_device().id)
"""
        self.assertEqual(self.output(program).splitlines(), [
            "1 1", "1 (8, 0) 1", "[2. 2. 2.] [2. 2. 2.] 7 10", "0", "there is no device 2; there are 2", "0"])
        calls = self.calls()
        self.assertEqual([call for call in calls if call.startswith(("context", "load", "launch"))], [
            "context 0", "context 1", "load 1 made by 129 --gpu-architecture=sm_80", "launch 1 increment 1x1x1 32x1x1 0 0",
            "load 0 made by 129 --gpu-architecture=sm_90", "launch 0 increment 1x1x1 32x1x1 0 0"])
        self.assertEqual(sorted(call for call in calls if call.startswith("free")), ["free 0 0", "free 1 0"])

    def test_errors(self) -> None:
        ask = KERNEL + "increment[1, 32](np.ones(3))"
        for environment, message in [
            ({"FAKE_CUDA_INIT": "34"}, "libcuda.so.1 is the CUDA toolkit's stub, not the driver"),
            ({"FAKE_CUDA_INIT": "100"}, "NVIDIA's driver finds no GPU (CUDA_VISIBLE_DEVICES may hide it)"),
            ({"FAKE_CUDA_DEVICES": "0"}, "NVIDIA's driver finds no GPU (CUDA_VISIBLE_DEVICES may hide it)"),
            ({"LD_LIBRARY_PATH": "/nonexistent"}, "NVIDIA's driver library cannot be opened: libcuda.so.1"),
        ]:
            result = self.run_kiln(ask, **environment)
            self.assertEqual(result.returncode, 1)
            self.assertIn(f"CudaSupportError: {message}", result.stderr)
            self.assertIn("\nKILN_OFFLOAD=gpu asks for a GPU; with auto kernels run on the CPU", result.stderr)
            self.assertEqual(self.output(ask + "\nprint('done')", "auto", **environment), "done")
        result = self.run_kiln("from numba import cuda\nprint(cuda.is_available(), cuda.cuda_error())", LD_LIBRARY_PATH="/nonexistent")
        self.assertRegex(result.stdout, "^False (NVML|NVIDIA's driver library) cannot be opened: lib")

    def test_forked_child(self) -> None:
        program = KERNEL + """
device = cuda.to_device(np.ones(3))
increment[1, 32](device)
child = os.fork()
if child == 0:
    try:
        x = np.ones(3)
        increment[1, 32](x)
        print(x)
    except cuda.CudaSupportError as error:
        print(str(error).partition(';')[0], len(cuda.gpus) if cuda.is_available() else 0)
    try:
        increment[1, 32](device)
    except cuda.CudaSupportError as error:
        print(str(error).partition(';')[0])
    try:
        device.copy_to_host()
    except cuda.CudaSupportError as error:
        print(str(error).partition(';')[0])
    del device, increment
    sys.stdout.flush()
    os._exit(0)
print(os.waitpid(child, 0)[1])
"""
        forked = "this process was forked from one that had used the GPU"
        self.assertEqual(self.output(program).splitlines(), [f"{forked} 0", forked, forked, "0"])
        before = self.calls()
        self.assertEqual(self.output(program, "auto").splitlines(), [
            "[2. 2. 2.]", "an argument is a device array on the GPU of the process that this one was forked from",
            "the array is on the GPU of the process that this one was forked from", "0"])
        self.assertEqual(before.count("free 0 0"), 1)  # by the parent alone


class Compiler(Driver):
    ASK = KERNEL + "increment[1, 32](np.ones(3))"

    def chosen(self, **environment: str) -> str:
        """The version and architecture that a kernel was compiled with."""
        self.output(self.ASK, **environment)
        return next(line for line in self.calls() if line.startswith("made by"))

    def test_choice(self) -> None:
        """The newest that knows the device and whose major version the driver supports."""
        self.assertEqual(self.chosen(), "made by 129 --gpu-architecture=sm_90")
        self.assertEqual(self.chosen(FAKE_CUDA_VERSION="13000"), "made by 139 --gpu-architecture=sm_90")
        self.assertEqual(self.chosen(FAKE_CUDA_CC="75"), "made by 124 --gpu-architecture=sm_75")
        self.assertEqual(self.chosen(FAKE_CUDA_VERSION="13000", FAKE_CUDA_CC="200"), "made by 139 --gpu-architecture=compute_120")
        self.assertEqual(self.chosen(FAKE_CUDA_CC="103"), "made by 129 --gpu-architecture=compute_100")

    def test_places(self) -> None:
        """The error, and doctor, list every place tried, and what was wrong with what is there."""
        result = self.run_kiln(self.ASK, FAKE_CUDA_VERSION="11080")
        self.assertEqual(result.returncode, 1)
        toolkit = os.path.join(FAKES, "toolkit")
        for line in [f"  {toolkit}/lib64\n", f"{toolkit}/lib64/libnvrtc.so.12.9: CUDA 12.9, newer than the driver, which supports CUDA 11\n",
                     f"  {toolkit}/lib: nothing\n", "  /usr/local/cuda/lib64", "  the loader's path\n"]:
            self.assertIn(line, result.stderr)
        self.calls()
        doctor = self.output("from kiln import doctor\ndoctor.print_findings()")
        self.assertRegex(doctor, r"NVRTC +12\.9 in \S+libnvrtc\.so\.12\.9")
        self.assertIn(f"{toolkit}/lib64/libnvrtc.so.12.4: CUDA 12.4", doctor)
        self.assertIn("the loader's path", doctor)
        self.assertIn("Fake GPU 1", doctor)
        self.assertNotIn("cuInit", self.calls())

    def test_cache(self) -> None:
        self.chosen()
        self.output(self.ASK)
        self.assertEqual([line for line in self.calls() if line.startswith("made by")], [])
        # The compiler is not even opened then.
        program = self.ASK + "\nprint('libnvrtc' in open('/proc/self/maps').read())"
        self.assertEqual(self.output(program), "False")
        self.assertEqual(self.output(program, CUDA_HOME="/nonexistent", CUDA_PATH=os.path.join(FAKES, "toolkit")), "True")
        # A file of another time is asked again; one that cannot be read is none.
        for name in os.listdir(self.cache):
            if name.endswith(".compiler"):
                with open(os.path.join(self.cache, name), "r+b") as file:
                    file.seek(40)
                    file.write(b"damaged")
        self.assertEqual(self.output(program), "True")


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
        self.assertEqual(calls, ["launch", "record", "stream-wait", "free", "launch", "free"])

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


class Launches(Driver):
    def test_warnings(self) -> None:
        """Of few blocks and of host arrays, as numba has them; not of the package's own launches."""
        program = KERNEL + """
import warnings
from numba.core.errors import NumbaPerformanceWarning
def caught(call):
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        call()
    for warning in found:
        assert warning.category is NumbaPerformanceWarning and warning.filename == "<string>", warning
    return [str(warning.message) for warning in found]
x = np.ones(3)
print(caught(lambda: increment[1, 32](x)))
print(caught(lambda: increment[128, 32](cuda.to_device(x))), caught(lambda: increment[128, 33](cuda.InOut(x))))
"""
        output = self.output(program, NUMBA_CUDA_LOW_OCCUPANCY_WARNINGS="1", NUMBA_CUDA_WARN_ON_IMPLICIT_COPY="1")
        self.assertEqual(output.splitlines(), [
            "['Grid size 1 will likely result in GPU under-utilization due to low occupancy.', "
            "'Host array used in CUDA kernel will incur copy overhead to/from device.']", "[] []"])

    def test_cooperative(self) -> None:
        program = KERNEL + """
@cuda.jit
def increment_all(x):
    cuda.cg.this_grid().sync()
    x[0] = 1
increment_all[2, 32](x := cuda.to_device(np.ones(3)))
print(list(increment_all.overloads.values())[0].max_cooperative_grid_blocks(32))
"""
        self.assertEqual(self.output(program), "32")
        self.assertIn("cooperative", self.calls())

    def test_mapped_and_managed(self) -> None:
        """They are not copied."""
        program = KERNEL + """
for make in cuda.mapped_array, cuda.managed_array:
    x = make(3)
    x[:] = 1
    increment[1, 32](x)
    cuda.synchronize()
    print(x)
"""
        self.assertEqual(self.output(program), "[2. 2. 2.]\n[2. 2. 2.]")
        self.assertEqual([call for call in self.calls() if call.startswith(("in ", "out "))], [])

    def test_collected_kernels(self) -> None:
        program = KERNEL + """
import gc
increment[1, 32](np.ones(3))
del increment
gc.collect()
print('collected')
"""
        self.assertEqual(self.output(program), "collected")
        self.assertEqual([call for call in self.calls() if call.startswith(("load", "unload"))],
                         ["load 0 made by 129 --gpu-architecture=sm_90", "unload 0"])

    def test_limits(self) -> None:
        """The launch limits are named."""
        for configuration, message in [
            ("1, 1025", "the block's x dimension is 1025; it must be 1 to 1024"),
            ("1, (1, 1, 65)", "the block's z dimension is 65; it must be 1 to 64"),
            ("1, (32, 32, 2)", "a block of 2048 threads is too large: at most 1024 threads fit a block"),
            ("(1, 65536), 1", "the grid's y dimension is 65536; it must be 1 to 65535"),
            ("0, 1", "the grid's x dimension is 0; it must be 1 to 2147483647"),
            ("1, 513", "uses 40 registers a thread, so that a block can have 512 threads, and not 513; max_registers limits them"),
            ("1, 32, 0, 100001", "100001 bytes of dynamic shared memory are too many; 100000 are left on this GPU"),
        ]:
            result = self.run_kiln(KERNEL + f"increment[{configuration}](np.ones(3))")
            self.assertIn(f"CudaAPIError: kernel increment", result.stderr)
            self.assertIn(message, result.stderr)
        self.output(KERNEL + "increment[1, 32, 0, 60000](np.ones(3))\nincrement[1, 32, 0, 60000](np.ones(3))")
        self.assertEqual([call for call in self.calls() if call.startswith("function")], ["function attribute 8 60000"])

    def test_device_time(self) -> None:
        """Events around launches, when a report is asked for."""
        program = KERNEL + "for _ in range(3000): increment[1, 32](np.ones(3))"
        result = self.run_kiln(program, KILN_REPORT="1")
        self.assertEqual(result.returncode, 0)
        self.assertRegex(result.stderr, r"kernels on the gpu \(Fake GPU 0\): KILN_OFFLOAD=gpu\n.*\n +3000 +6000.00 .* increment\n")
        result = self.run_kiln(program, KILN_REPORT="1", KILN_OFFLOAD="cpu")
        self.assertIn("KILN_OFFLOAD is not set to auto or gpu, so the Fake GPU 0 stands idle", result.stderr)

    def test_best_block(self) -> None:
        program = KERNEL + "x = np.ones(1000)\nincrement.forall(x.size)(x)\nincrement.forall(x.size, tpb=128)(x)\nprint(x.sum())"
        self.assertEqual(self.output(program), "3000.0")
        self.assertEqual([call.split()[3:5] for call in self.calls() if call.startswith("launch")], [["3x1x1", "384x1x1"], ["8x1x1", "128x1x1"]])


def main() -> None:
    """Runs the tests of the main module; says so when they can't run here."""
    probe = subprocess.run([KILN, "-c", "import numpy"], capture_output=True)
    if probe.returncode != 0:
        print("NumPy is not installed")
        sys.exit(SKIPPED)
    unittest.main()


if __name__ == "__main__":
    main()
