"""NUMBA_ENABLE_CUDASIM=1: kernels that kiln does not compile run as Python, for debuggers in them."""

import os
import subprocess
import sys
import unittest

from support import main  # before NumPy: skips the tests where there is none

HEAD = """
import collections, numpy as np
from numba import cuda, float32, int32, float64
@cuda.jit
def compiled(x):
    i = cuda.grid(1)
    if i < x.size:
        x[i] = i
"""


def run(program: str, given: str = "") -> subprocess.CompletedProcess:
    environment = {**os.environ, "NUMBA_ENABLE_CUDASIM": "1", "KILN_OFFLOAD": "cpu"}
    return subprocess.run([sys.executable, "-c", HEAD + program], input=given, capture_output=True, text=True, timeout=300, env=environment)


class Simulator(unittest.TestCase):
    def output(self, program: str, given: str = "") -> str:
        result = run(program, given)
        self.assertEqual((result.returncode, result.stderr), (0, ""), result.stdout)
        return result.stdout

    def test_debugger(self) -> None:
        """As the documentation of numba has it: a breakpoint in one thread, which looks at names and goes on."""
        output = self.output("""
from pdb import set_trace
@cuda.jit
def kernel(x, out):
    i = cuda.grid(1)
    value = x[i] * 10
    if i == 3:
        set_trace()
    out[i] = value
out = np.zeros(5)
kernel[5, 1](cuda.to_device(np.arange(5.0)), out)
print(out)
""", "p i, value, cuda.blockIdx.x\nvalue = 77\nc\n")
        self.assertRegex(output, r"\(3, (np.float64\()?30.0\)?, 3\)")
        self.assertTrue(output.endswith("[ 0. 10. 20. 77. 40.]\n"), output)

    def test_results(self) -> None:
        """What runs as Python computes what it would compute compiled: barriers, shared and dynamic arrays, atomics, warps."""
        text = """
@cuda.jit
def kernel(x, out, counts):
    {line}
    shared = cuda.shared.array(64, float64)
    second = cuda.shared.array((2, 2), int32)
    dynamic = cuda.shared.array(0, float32)
    mine = cuda.local.array(3, int32)
    i, tid = cuda.grid(1), cuda.threadIdx.x
    shared[tid] = x[i]
    dynamic[tid] = tid
    if tid < 4:
        second[tid // 2, tid % 2] = tid
    mine[0] = tid
    cuda.syncthreads()
    out[i] = shared[63 - tid] + second[1, 1] + mine[0] + dynamic[(tid + 1) % 64]
    counts[0] = cuda.syncthreads_count(tid % 3 == 0)
    cuda.atomic.add(counts, 1, tid)
    cuda.atomic.max(counts, 2, i)
    out[i] += cuda.shfl_down_sync(0xFFFFFFFF, tid, 1) + cuda.shfl_xor_sync(0xFFFFFFFF, tid, 3)
    if cuda.ballot_sync(0xFFFFFFFF, tid % 2 == 0) == 0x55555555:
        cuda.atomic.add(counts, 3, 1)
    counts[4] = cuda.popc(255) + cuda.clz(int32(1)) + cuda.ffs(8)
x = np.arange(128.0) ** 2
out, counts = np.zeros(128), np.zeros(5, np.int64)
kernel[2, 64, 0, 256](x, out, counts)
print(out.tolist(), counts.tolist(), kernel._is_python)
"""
        compiled = self.output(text.format(line="pass"))
        as_python = self.output(text.format(line="names = {'a': 1}"))
        self.assertTrue(compiled.endswith(" False\n"))
        self.assertEqual(compiled.replace("False", "True"), as_python)

    def test_device_functions(self) -> None:
        self.assertEqual(self.output("""
Pair = collections.namedtuple("Pair", "a b")
@cuda.jit(device=True)
def twice(x):
    log = {0: x}
    return log[0] * 2
@cuda.jit("void(float64[:])")
def kernel(x):
    for i in range(cuda.grid(1), x.size, cuda.gridsize(1)):
        x[i] = twice(x[i])
@cuda.jit
def of_pair(pair, out):
    f"{pair}"
    out[cuda.grid(1)] = pair.a[0] + pair.b
x = np.arange(6.0)
kernel[1, 2](x)
device = cuda.to_device(np.zeros(2))
of_pair[1, 2](Pair(x[5:], 3), device)
compiled[1, 32](x)
print(x, device.copy_to_host(), kernel._is_python, compiled._is_python)
"""), "[0. 1. 2. 3. 4. 5.] [13. 13.] True False\n")

    def test_errors(self) -> None:
        """They name the thread; those that wait for it end."""
        self.assertEqual(self.output("""
@cuda.jit
def plain(x):
    message = f"at {cuda.grid(1)}"
    if cuda.grid(1) == 5:
        raise ValueError(message)
@cuda.jit
def waits(x):
    message = f"at {cuda.grid(1)}"
    if cuda.threadIdx.x == 1:
        raise KeyError(message)
    cuda.syncthreads()
@cuda.jit
def disagree(x):
    {1: 2}
    if cuda.threadIdx.x == 1:
        cuda.syncwarp()
    else:
        cuda.syncthreads()
import threading
for kernel in plain, waits, disagree:
    try:
        kernel[2, 4](np.zeros(3))
    except Exception as error:
        print(type(error).__name__, error)
print(cuda.threadIdx is not None, threading.active_count() < 5)
try:
    cuda.grid(1)
except TypeError as error:
    print(error)
"""), "ValueError tid=[1, 0, 0] ctaid=[1, 0, 0]: at 5\nKeyError \"tid=[1, 0, 0] ctaid=[0, 0, 0]: 'at 1'\"\n"
              "RuntimeError some threads wait at a barrier, and others at another one\nTrue True\ncuda.grid can be called in kernels only\n")


if __name__ == "__main__":
    main()
