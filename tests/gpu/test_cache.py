"""The cache of compiled kernels: for the CPU, and with stand-ins for NVIDIA's libraries as in driver_support.py."""

import json
import os
import subprocess
import tempfile

import driver_support


class Cache(driver_support.Driver):
    ASK = driver_support.KERNEL + "increment[1, 32](np.ones(3))"
    LINES_MATTER = True  # where code tells of its lines

    def kernels(self) -> list[str]:
        """The files of compiled kernels in the cache."""
        return [os.path.join(self.cache, name) for name in os.listdir(self.cache) if name.endswith(".kernel")]

    def compiles(self, program: str = ASK) -> bool:
        """Whether the program compiles a kernel, or finds all in the cache."""
        self.calls()
        ending = "\nimport threading\nfor thread in threading.enumerate()[1:]: thread.join()\n"
        return self.output(program + ending + "print('libnvrtc' in open('/proc/self/maps').read())") == "True"

    def test_unsound_files(self) -> None:
        """What was cut off, overwritten or is another key's file is compiled anew, and replaced."""
        self.assertTrue(self.compiles())
        (path,) = self.kernels()
        with open(path, "rb") as file:
            sound = file.read()
        self.assertFalse(self.compiles())
        flipped = sound[:-1] + bytes([sound[-1] ^ 1])
        for unsound in (b"", sound[:20], sound[: len(sound) // 2], flipped, b"\xff" * len(sound)):
            with open(path, "wb") as file:
                file.write(unsound)
            self.assertTrue(self.compiles(), unsound[:40])
            with open(path, "rb") as file:
                self.assertEqual(file.read(), sound)
            self.assertFalse(self.compiles())

    def test_same_kernel_elsewhere(self) -> None:
        """A line above the kernel, and another place of the file, do not matter; they do where the code tells of its lines."""
        with tempfile.TemporaryDirectory() as folder:
            for options, again in ("", False), ("(lineinfo=True)", self.LINES_MATTER):
                for name, above, expected in ("one.py", "", True), ("one.py", "\n# a line\n", again), ("two.py", "\n", again):
                    path = os.path.join(folder, name)
                    with open(path, "w", encoding="utf-8") as file:
                        file.write(above + self.ASK.replace("@cuda.jit", "@cuda.jit" + options))
                    program = f"import runpy; runpy.run_path({path!r})"
                    known = options != "" and not self.LINES_MATTER
                    self.assertEqual(self.compiles(program), expected and not known, (options, name, above))

    def test_folder(self) -> None:
        """It is private; one that others can write is none, and kiln says so; --clear empties it."""
        self.assertTrue(self.compiles())
        self.assertEqual(os.stat(self.cache).st_mode & 0o777, 0o700)
        os.chmod(self.cache, 0o777)
        self.assertTrue(self.compiles())
        environment = {**os.environ, "KILN_CACHE_DIR": self.cache}
        show = [driver_support.KILN, "-m", "kiln", "cache"]
        result = subprocess.run(show, capture_output=True, text=True, env=environment, timeout=60)
        self.assertIn("can be written by other users", result.stdout + result.stderr)
        os.chmod(self.cache, 0o700)
        self.assertFalse(self.compiles())
        shown = subprocess.run(show, capture_output=True, text=True, env=environment, timeout=60).stdout
        self.assertIn("(1 kernel,", shown)
        subprocess.run([*show, "--clear"], env=environment, timeout=60, check=True, capture_output=True)
        self.assertEqual(self.kernels(), [])
        self.assertTrue(self.compiles())

    def test_unusable_folder(self) -> None:
        """Kernels are compiled each time, silently, where they cannot be kept."""
        with open(self.cache, "w", encoding="utf-8"):
            pass
        for folder in (self.cache, os.path.join(self.cache, "below"), "/proc/none", "/dev/full"):
            self.assertEqual(self.output(self.ASK + "\nprint('done')", KILN_CACHE_DIR=folder), "done")

    def test_full_disk(self) -> None:
        """What could be written in part only is deleted; so is all that a limit of the process's forbids."""
        limited = "import resource\nresource.setrlimit(resource.RLIMIT_FSIZE, (60, resource.getrlimit(resource.RLIMIT_FSIZE)[1]))\n"
        self.output(limited + self.ASK, FAKE_CUDA_LOG="/dev/null")
        self.assertEqual(os.listdir(self.cache), [])

    def test_killed(self) -> None:
        """A file that a killed process left half written is none, and is deleted when it is old; --clear deletes it at once."""
        self.assertTrue(self.compiles())
        (path,) = self.kernels()
        os.unlink(path)
        old, young = path + ".partAbCd12", path + ".partzzzzzz"
        for left in old, young:
            with open(left, "wb") as file:
                file.write(b"kilnkrn1")
        os.utime(old, (0, 0))
        self.assertTrue(self.compiles())
        self.assertEqual(self.kernels(), [path])
        self.assertEqual((os.path.exists(old), os.path.exists(young)), (False, True))
        clear = [driver_support.KILN, "-m", "kiln", "cache", "--clear"]
        subprocess.run(clear, env={**os.environ, "KILN_CACHE_DIR": self.cache}, timeout=60, check=True, capture_output=True)
        self.assertEqual(os.listdir(self.cache), [])

    def test_killed_in_mid_write(self) -> None:
        """Wherever a process is killed, the next one runs, and kernels are found after it."""
        program = driver_support.KERNEL + """
import threading
def work(number):
    for i in range(50):
        names = {"cuda": cuda}
        exec(f"def increment(x):\\n    x[{number}] += {i}", names)
        cuda.jit(names["increment"])[1, 1](np.ones(30))
for number in range(3):
    threading.Thread(target=work, args=(number,)).start()
"""
        for delay in (0.15, 0.2, 0.3, 0.4):
            running = self.start(program)
            try:
                running.wait(delay)
            except subprocess.TimeoutExpired:
                running.kill()
            running.wait()
            self.output(program)
        self.assertFalse(self.compiles(program))

    def test_together(self) -> None:
        """Processes that compile and keep the same kernels at the same time."""
        running = [self.start(self.ASK) for _ in range(6)]
        self.assertEqual([process.wait() for process in running], [0] * 6)
        self.assertEqual(len(self.kernels()), 1)
        self.assertFalse(self.compiles())


class CpuCache(Cache):
    OFFLOAD = "cpu"
    LINES_MATTER = False  # what a fault says of them is not in the code

    def compiles(self, program: str = Cache.ASK) -> bool:
        report = self.log + ".json"
        self.output(program, KILN_REPORT=report)
        with open(report, encoding="utf-8") as file:
            rows = json.load(file)["kernels"]
        self.assertNotEqual(rows, [])
        return not all(row["cached"] for row in rows)

    def check_same(self, program: str) -> str:
        """What a program prints, which is the same when its kernels come from the cache."""
        first = self.output(program)
        self.assertFalse(self.compiles(program))
        self.assertEqual(self.output(program), first)
        return first

    def test_all_that_code_calls(self) -> None:
        """Barriers, warps, functions of the C library, prints, blocks that wait for each other, interrupts: by names in the code."""
        program = """
import math
import numpy as np
from numba import cuda, float64
@cuda.jit(device=True)
def fibonacci(n):
    return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)
@cuda.jit
def everything(a, out):
    part = cuda.shared.array(64, float64)
    i = cuda.threadIdx.x
    part[i] = math.sin(a[i]) + math.gamma(a[i] + 1) + a[i] ** 2.5
    cuda.syncthreads()
    total = part[63 - i]
    for lane in (16, 8, 4, 2, 1):
        total += cuda.shfl_xor_sync(0xffffffff, total, lane)
    cuda.cg.this_grid().sync()
    while total > 1e3:
        total *= 0.5
    cuda.atomic.add(out, i % 4, total + fibonacci(5) + (int(a[i]) ** 7) // 3)
    if cuda.grid(1) == 0:
        print("thread", i, total)
out = np.zeros(4)
everything[2, 64](np.linspace(0, 3, 64), out)
everything[3, 64](np.linspace(0, 3, 64), out)
print(out.round(3).tolist())
"""
        self.assertIn("thread 0 ", self.check_same(program))

    def test_shapes_of_blocks(self) -> None:
        """Code is for a shape, and for any when there are many; each is kept."""
        program = driver_support.KERNEL + """
for threads in 32, 64, 96, 128, 160, 192:
    a = np.zeros(1000)
    increment[4, threads](a)
    print(a.sum())
"""
        self.assertEqual(self.check_same(program).split(), ["128.0", "256.0", "384.0", "512.0", "640.0", "768.0"])
        self.assertEqual(len(self.kernels()), 4)

    def test_faults(self) -> None:
        """The message of a fault has the lines of the program that runs."""
        program = """
import numpy as np
from numba import cuda
@cuda.jit(debug=True, opt=False)
def fails(a):
    if a[0] == 0:
        raise ValueError("not that")
try:
    fails[1, 1](np.zeros(1))
except ValueError as error:
    print(error)
"""
        self.assertIn(", line 7,", self.output(program))
        self.assertIn(", line 9,", self.output("\n\n" + program))
        self.assertEqual(len(self.kernels()), 1)

    def test_other_code(self) -> None:
        """A constant, a type, an array that is named: code is kept only for what it was made of."""
        program = """
import numpy as np
from numba import cuda
table = np.arange(4.0)
named = cuda.to_device(np.ones(4))
@cuda.jit
def kernel(a):
    a[0] = FACTOR * table[2] + named[0]
a = np.zeros(1, DTYPE)
kernel[1, 1](a)
print(a[0])
"""
        for _ in range(2):
            for factor, dtype, expected in ("2", "'f8'", "5.0"), ("3", "'f8'", "7.0"), ("3", "'i4'", "7"):
                self.assertEqual(self.output(program.replace("FACTOR", factor).replace("DTYPE", dtype)), expected)
        self.assertEqual(os.listdir(self.cache) if os.path.exists(self.cache) else [], [])
        program = program.replace(" + named[0]", "")
        for again in range(2):
            for factor, dtype, expected in ("2", "'f8'", "4.0"), ("3", "'f8'", "6.0"), ("3", "'i4'", "6"):
                given = program.replace("FACTOR", factor).replace("DTYPE", dtype)
                self.assertEqual(self.compiles(given), again == 0)
                self.assertEqual(self.output(given), expected)


if __name__ == "__main__":
    driver_support.main()
