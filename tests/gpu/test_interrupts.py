"""Signals while kernels run: Ctrl-C ends a kernel that does not end by itself, handlers run meanwhile."""

import os
import signal
import subprocess
import sys
import unittest

from support import main  # before NumPy: skips the tests where there is none

ON_GPU = os.environ.get("KILN_OFFLOAD", "cpu") not in ("", "cpu")
SECONDS = 60  # that a program has; an endless kernel that is not ended takes them all

HEAD = """
import os, signal, sys, threading, time
import numpy as np
from numba import cuda, float64

@cuda.jit(device=True)
def wait_in_device_function(a):
    while a[0] == 0:
        a[1] += 1
    return a[1]

@cuda.jit(device=True)
def recursive(a, depth):
    if depth == 0:
        a[1] += 1
        return
    recursive(a, depth - 1)
    recursive(a, depth - 1)

@cuda.jit
def waits(a):
    while a[0] == 0:
        a[1] += 1

@cuda.jit
def waits_in_callee(a):
    a[2] = wait_in_device_function(a)

@cuda.jit
def calls_itself(a):
    recursive(a, 60)

@cuda.jit
def counts(a):
    for i in range(1 << 60):
        if i & a[0]:
            a[1] += i

@cuda.jit
def counts_deeply(a):
    for i in range(1 << 20):
        for j in range(1 << 20):
            for k in range(1000):
                a[1] ^= i * j + k

@cuda.jit
def waits_at_barriers(a):
    shared = cuda.shared.array(32, float64)
    while a[0] == 0:
        shared[cuda.threadIdx.x] = a[1]
        cuda.syncthreads()
        a[1] = shared[31 - cuda.threadIdx.x] + 1
        cuda.syncthreads()

@cuda.jit
def some_wait_at_barriers(a):
    shared = cuda.shared.array(32, float64)
    i = 0
    while i <= cuda.threadIdx.x or a[0] == 0:
        shared[cuda.threadIdx.x] = a[1]
        cuda.syncthreads()
        i += 1

@cuda.jit
def waits_for_grid(a):
    grid = cuda.cg.this_grid()
    while a[0] == 0:
        grid.sync()

@cuda.jit
def waits_in_grid(a):
    cuda.cg.this_grid().sync()
    while a[0] == 0:
        a[1] += 1

@cuda.jit
def increment(a):
    i = cuda.grid(1)
    if i < a.size:
        a[i] += 1

def strike(after=0.3, number=signal.SIGINT):
    def run():
        time.sleep(after)
        os.kill(os.getpid(), number)
    threading.Thread(target=run, daemon=True).start()

def works():
    a = np.zeros(100000)
    increment[400, 256](a)
    assert (a == 1).all()

a = np.zeros(3, dtype=np.int64)
works()
"""


def run(program, *arguments):
    return subprocess.run([sys.executable, "-c", HEAD + program, *arguments], capture_output=True, text=True, timeout=SECONDS)


class Interrupts(unittest.TestCase):
    def check(self, program: str, *arguments: str) -> None:
        """It must say at its end how long it took from the signal to the exception."""
        result = run(program, *arguments)
        self.assertEqual((result.returncode, result.stderr), (0, ""), result.stdout)
        self.assertEqual(result.stdout, "ended\n")

    ENDS = """
kernel = globals()[sys.argv[1]]
strike()
try:
    kernel[int(sys.argv[2]), 32](a)
    cuda.synchronize()
except KeyboardInterrupt:
    print("ended", flush=True)
"""

    def test_kernels(self) -> None:
        """Small launches, which run on the calling thread, and large ones."""
        kernels = ["waits", "waits_in_callee", "counts", "counts_deeply", "waits_at_barriers", "waits_for_grid", "waits_in_grid"]
        if not ON_GPU:  # a GPU's threads must all come to a barrier; its stack is too small
            kernels += ["some_wait_at_barriers", "calls_itself"]
        for kernel in kernels:
            for blocks in "2", "100":
                with self.subTest(kernel, blocks=blocks):
                    self.check(self.ENDS, kernel, blocks)

    def test_uncaught(self) -> None:
        """The exit status is that of a program that Ctrl-C ended."""
        result = run("strike()\nwaits[100, 64](a)\ncuda.synchronize()")
        self.assertEqual(result.returncode, -signal.SIGINT)
        self.assertTrue(result.stderr.endswith("\nKeyboardInterrupt\n"), result.stderr)

    @unittest.skipIf(ON_GPU, "the kernel keeps the GPU")
    def test_goes_on(self) -> None:
        """Kernels run as before after one was interrupted."""
        self.check("""
for i in range(20):
    strike(0.02)
    try:
        [waits, waits_at_barriers, waits_for_grid][i % 3][[2, 100][i % 2], 32](a)
    except KeyboardInterrupt:
        works()
print("ended")
""")

    @unittest.skipIf(ON_GPU, "the kernel reads what the handler writes when it is launched")
    def test_handlers(self) -> None:
        """A handler that returns lets the kernel go on; it may launch kernels itself."""
        self.check("""
calls = []
def handler(number, frame):
    if len(calls) == 10:  # of a timer that is about to be stopped
        return
    calls.append(number)
    works()
    waits_for_grid[4, 32](np.ones(1))
    if len(calls) == 10:
        raise ZeroDivisionError
signal.signal(signal.SIGALRM, handler)
for kernel in waits, waits_at_barriers, waits_for_grid, waits_in_grid:
    for blocks in 1, 100:
        calls.clear()
        signal.setitimer(signal.ITIMER_REAL, 0.01, 0.01)
        try:
            kernel[blocks, 64](a)
        except ZeroDivisionError:
            signal.setitimer(signal.ITIMER_REAL, 0)
        assert len(calls) == 10, calls
        works()
print("ended")
""")

    @unittest.skipIf(ON_GPU, "a child of a process that has used the GPU cannot")
    def test_fork_in_handler(self) -> None:
        """The child goes on with what is left of its threads: not with the kernel."""
        self.check("""
import warnings
warnings.simplefilter("ignore", DeprecationWarning)
children = []
def handler(number, frame):
    child = os.fork()
    if child == 0:
        raise SystemExit(0) if len(children) % 2 else ZeroDivisionError
    children.append(child)
    if len(children) == 6:
        signal.setitimer(signal.ITIMER_REAL, 0)
        raise ZeroDivisionError
signal.signal(signal.SIGALRM, handler)
for blocks in 1, 100:
    for kernel in waits, waits_for_grid:
        children.clear()
        signal.setitimer(signal.ITIMER_REAL, 0.05, 0.05)
        try:
            kernel[blocks, 64](a)
        except ZeroDivisionError:
            works()
            if len(children) < 6:
                os._exit(7)
        for i, child in enumerate(children):
            status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
            assert status == (0 if i % 2 else 7), (i, status)
print("ended")
""")

    @unittest.skipIf(ON_GPU, "the kernel keeps the GPU")
    def test_other_thread(self) -> None:
        """The main thread is interrupted while another thread's kernel runs, also when it waits to launch one itself; daemon threads
        end with the process."""
        self.check("""
thread = threading.Thread(target=lambda: waits[100, 64](a), daemon=True)
thread.start()
time.sleep(0.1)
for work in thread.join, lambda: waits[100, 64](np.zeros(3)):
    strike(0.1)
    try:
        work()
    except KeyboardInterrupt:
        pass
print("ended", flush=True)
""")

    @unittest.skipIf(ON_GPU or os.cpu_count() == 1, "on a GPU the other threads go on, on one core they do not run yet")
    def test_others_end_with_a_failure(self) -> None:
        """Threads that would wait for one that failed end with it."""
        self.check("""
@cuda.jit(debug=True, opt=False)
def fails(a):
    if cuda.grid(1) == cuda.gridsize(1) - 1:
        raise ValueError("last")
    while cuda.blockIdx.x == 0 and a[0] == 0:
        a[1] += 1
try:
    fails[3, 1000](a)
except ValueError:
    pass
print("ended")
""")


if __name__ == "__main__":
    main()
