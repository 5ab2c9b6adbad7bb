"""What kiln asks NVIDIA's libraries for, with stand-ins for them: fake/ says what these do. TEST_FAKES is their folder."""

import os
import unittest

from driver_support import FAKES, KERNEL, Driver, main


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
    try:
        cuda.to_device(np.arange(1))
    except CudaDriverError as error:
        print("CUDA initialized before forking" in str(pickle.loads(pickle.dumps(error))))
    del device, increment
    sys.stdout.flush()
    os._exit(0)
print(os.waitpid(child, 0)[1])
"""
        program = "import pickle\nfrom numba.cuda.cudadrv.error import CudaDriverError\n" + program
        forked = "this process was forked from one that had used the GPU"
        self.assertEqual(self.output(program).splitlines(), [f"{forked} 0", forked, forked, "True", "0"])
        before = self.calls()
        self.assertEqual(self.output(program, "auto").splitlines(), [
            "[2. 2. 2.]", "an argument is a device array on the GPU of the process that this one was forked from",
            "the array is on the GPU of the process that this one was forked from", "0"])
        self.assertEqual(before.count("free 0 0"), 1)  # by the parent alone

    def test_fork_while_others_start(self) -> None:
        """A child of a process one of whose threads was starting CUDA, choosing a backend or compiling has the CPU, or an error."""
        program = KERNEL + """
import signal, threading, time, warnings
warnings.simplefilter("ignore", DeprecationWarning)
def work():
    for i in range(4):
        names = {"cuda": cuda}
        exec(f"def increment(x):\\n    x[{i}] += {i}", names)
        cuda.jit(names["increment"])[1, 1](np.ones(30))
thread = threading.Thread(target=work)
thread.start()
outcomes = set()
while thread.is_alive():
    child = os.fork()
    if child == 0:
        signal.alarm(100)
        x = np.ones(300)
        try:
            increment[1, 512](x)
            assert (x == 2).all()
            os._exit(0)
        except cuda.CudaSupportError as error:
            assert "this process was forked" in str(error), error
            os._exit(7)
    outcomes.add(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
    time.sleep(0.01)
print(*sorted(outcomes))
"""
        slow = {"FAKE_CUDA_INIT_MICROSECONDS": "100000", "FAKE_NVRTC_MICROSECONDS": "60000"}
        self.assertEqual(self.output(program, "auto", **slow), "0")
        self.assertEqual(self.output(program, "gpu", KILN_CACHE_DIR=self.cache + "2", **slow), "7")

    def test_fork_while_compiling_for_others(self) -> None:
        """Texts are made by NVRTC on the CPU backend, too."""
        program = KERNEL + """
import threading, time, warnings
from numba import float64
warnings.simplefilter("ignore", DeprecationWarning)
def work(i):
    names = {}
    exec(f"def f(x, y):\\n    return x + y * {i}", names)
    return cuda.compile_ptx(names["f"], (float64, float64), device=True)
thread = threading.Thread(target=lambda: [work(i) for i in range(4)])
thread.start()
outcomes = set()
while thread.is_alive():
    time.sleep(0.02)
    child = os.fork()
    if child == 0:
        increment[1, 3](np.ones(3))
        try:
            work(100)
            os._exit(0)
        except cuda.CudaSupportError as error:
            os._exit(7)
    outcomes.add(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
print(7 in outcomes, outcomes <= {0, 7})
"""
        self.assertEqual(self.output(program, "cpu", FAKE_NVRTC_MICROSECONDS="60000"), "True True")


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

    def test_short_of_memory(self) -> None:
        """What hangs in cycles is freed where memory is short; then the error says how much was asked for."""
        program = KERNEL + """
import gc
gc.set_threshold(10**8)
class Node: pass
def leave(make):
    node = Node()
    node.itself, node.array = node, make(100)
for make in cuda.device_array, cuda.pinned_array:
    for i in range(5):
        leave(make)
    gc.collect()
    try:
        keep = [make(100) for i in range(3)]
        print('too many')
    except cuda.CudaAPIError as error:
        print(error.code, '800 bytes' in str(error))
print(cuda.to_device(np.ones(3)).copy_to_host())
"""
        self.assertEqual(self.output(program, FAKE_CUDA_TOTAL="2000"), "2 True\n2 True\n[1. 1. 1.]")

    def test_codes(self) -> None:
        """The driver's status is the error's code."""
        program = KERNEL + """
try:
    cuda.pinned_array(3)
except cuda.CudaAPIError as error:
    print(error.code, error)
"""
        self.assertEqual(self.output(program, FAKE_CUDA_PIN="0"), "2 [2] pinning 24 bytes: CUDA_ERROR_OUT_OF_MEMORY: what a fake says")

    def test_lost_context(self) -> None:
        """After an illegal access everything is a named error that says what came first, close() and reset() too."""
        program = KERNEL + """
@cuda.jit
def faulty(x):
    x[0] = 1
x = cuda.to_device(np.ones(3))
stream, event, called = cuda.stream(), cuda.event(), []
faulty[1, 1](x)
for use in (cuda.synchronize, x.copy_to_host, lambda: cuda.to_device(np.ones(3)), lambda: increment[1, 1](x), cuda.close,
            cuda.get_current_device().reset, cuda.current_context().reset, stream.synchronize):
    try:
        use()
    except cuda.CudaAPIError as error:
        print(error.code, "since an earlier error: [700]" in str(error))
del x, stream
print("end")
"""
        self.assertEqual(self.output(program), "700 False\n" + "700 True\n" * 7 + "end")

    def test_two_blocks_at_once(self) -> None:
        """Where their number is even and half the threads fill the device: 16 multiprocessors of 39 threads."""
        program = KERNEL + "x = cuda.to_device(np.ones(3))\nfor blocks in 4, 6, 7:\n    increment[blocks, 256](x)\n"
        program += "increment[(6, 3), 64](x)\nincrement[6, 512, 0, 16](x)\ncuda.synchronize()"
        self.output(program)
        launches = [call.split()[2:5] for call in self.calls() if call.startswith("launch")]
        self.assertEqual(launches, [["increment", "4x1x1", "256x1x1"], ["increment_pairs", "3x1x1", "256x1x1"], ["increment", "7x1x1", "256x1x1"],
                                    ["increment", "6x3x1", "64x1x1"], ["increment", "6x1x1", "512x1x1"]])

    def test_forms_come_with_launches(self) -> None:
        """Code for small arrays, for large ones, and for two blocks at once: each is compiled by the first launch that takes it."""
        program = KERNEL + """
class Long:
    def __init__(self, elements):
        self.__cuda_array_interface__ = dict(x.__cuda_array_interface__, shape=(elements,))
@cuda.jit
def touch(x):
    i = cuda.grid(1)
    if i < x.size:
        x[i] = x[i] * 2
x = cuda.to_device(np.ones(3))
for argument, grid in (x, 1), (x, 3), (Long(1 << 28), 1), (Long((1 << 28) - 1), 1), (x, (1 << 21) + 1), (x, 64), (x, 1), (Long(1 << 28), 64), (Long(1 << 28), 64):
    touch[grid, 64](argument)
cuda.synchronize()
"""
        self.output(program)
        lines = [" ".join(call.split()[:1] + call.split()[2:4]) for call in self.calls() if call.startswith(("load", "launch"))]
        shapes = [line.replace("load ", "load: ").split(": ")[0] if line.startswith("load") else line for line in lines]
        self.assertEqual(shapes, ["load", "launch touch 1x1x1", "launch touch 3x1x1", "load", "launch touch 1x1x1", "launch touch 1x1x1",
                                  "launch touch 2097153x1x1", "load", "launch touch_pairs 32x1x1", "launch touch 1x1x1", "load",
                                  "launch touch_pairs 32x1x1", "launch touch_pairs 32x1x1"])

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

    def test_linked_callbacks(self) -> None:
        """Once for each module that is loaded, with the driver's library; at its end, or the process's, before it is unloaded."""
        program = """
import atexit, gc, threading
told = []
atexit.register(lambda: print(told))
from numba import cuda
code = cuda.CUSource("", setup_callback=lambda library: told.append(("up", library.handle)),
                     teardown_callback=lambda library: told.append(("down", library.handle)))
f = cuda.declare_device("f", "int32()", link=[code])
@cuda.jit(link=[code])
def kernel(x): pass
@cuda.jit
def caller(): f()
threads = [threading.Thread(target=lambda: (kernel[1, 1](1), kernel[1, 1](2), kernel[1, 1](2.5))) for _ in range(4)]
for thread in threads: thread.start()
for thread in threads: thread.join()
caller[1, 1]()
caller[1, 1]()
print([what for what, _ in told], all(handle > 0 for _, handle in told), len({handle for _, handle in told}))
del kernel
gc.collect()
print([what for what, _ in told[3:]], sorted(told[3:]) == sorted(("down", handle) for _, handle in told[:2]))
def fail(library): raise ValueError("no")
@cuda.jit(link=[cuda.CUSource("", setup_callback=fail)])
def failing(): pass
for _ in range(2):
    try: failing[1, 1]()
    except ValueError as error: print(error)
@cuda.jit(link=[cuda.CUSource("// plain")])
def plain(): pass
plain[1, 1]()
told.clear()
"""
        lines = self.output(program).splitlines()
        self.assertEqual(lines[:4], ["['up', 'up', 'up'] True 3", "['down', 'down'] True", "no", "no"])
        self.assertIn("('down', ", lines[4])
        calls = [call.split()[:2] for call in self.calls() if call.startswith(("load", "unload"))]
        self.assertEqual(calls.count(["load", "library"]), 5)
        self.assertEqual(calls.count(["load", "0"]), 1)
        self.assertGreaterEqual(calls.count(["unload", "library"]), 4)

    def test_carveout(self) -> None:
        program = """
from numba import cuda
for wish in "MaxL1", "maxshared", -1, 30, None:
    @cuda.jit(shared_memory_carveout=wish)
    def kernel(): pass
    kernel[1, 1]()
"""
        self.output(program)
        self.assertEqual([call for call in self.calls() if call.startswith("function attribute")],
                         ["function attribute 9 0", "function attribute 9 100", "function attribute 9 -1", "function attribute 9 30"])

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
            self.assertIn(f"CudaAPIError: [{701 if 'registers' in message else 1}] kernel increment", result.stderr)
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


class Report(Driver):
    def test_advice(self) -> None:
        """What only a GPU shows: copies of host arrays, spilled registers, few threads at a time."""
        program = KERNEL + "x = np.ones(3)\nfor _ in range(3): increment[64, 32](x)"
        result = self.run_kiln(program, KILN_REPORT="1", FAKE_CUDA_LOCAL="48", FAKE_CUDA_RESIDENT="2048")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn(" K003 host arrays are copied at 3 of 3 launches: cuda.to_device() copies them once\n", result.stderr)
        self.assertIn(" K006 48 bytes of each thread's registers are spilled to memory", result.stderr)
        self.assertIn(" K007 64 threads of 2048 run at a time, with 40 registers each and 0 shared bytes a block\n", result.stderr)
        program = KERNEL + "x = cuda.to_device(np.ones(3))\nfor _ in range(3): increment[64, 32](x)"
        result = self.run_kiln(program, KILN_REPORT="1")
        self.assertNotRegex(result.stderr, " K00[0-9] ")


if __name__ == "__main__":
    main()
