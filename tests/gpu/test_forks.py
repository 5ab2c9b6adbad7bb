"""A process that forks while another of its threads compiles or runs kernels: both go on."""

import os
import signal
import threading
import time
import unittest

from support import main  # before NumPy: skips the tests where there is none

import numpy as np
from numba import cuda

ON_GPU = os.environ.get("KILN_OFFLOAD", "cpu") not in ("", "cpu")
FORKS = 16

SOURCE = """
def kernel(a, out):
    i = cuda.grid(1)
    if i < a.size:
        x = a[i]
        for j in range({rounds}):
            x = x * {factor} + j
        out[i] = x
"""


def make(number, rounds=3):
    names = {"cuda": cuda}
    exec(SOURCE.format(factor=number % 7 + 1, rounds=rounds), names)
    return cuda.jit(names["kernel"])


def expected(a, number):
    for j in range(3):
        a = a * (number % 7 + 1) + j
    return a


class Busy(threading.Thread):
    """Calls `work` with 0, 1, … until it is left."""

    def __init__(self, work):
        super().__init__()
        self.work = work
        self.left = False

    def run(self):
        number = 0
        while not self.left:
            self.work(number)
            number += 1

    def __enter__(self):
        self.start()

    def __exit__(self, *_):
        self.left = True
        self.join()


@unittest.skipIf(ON_GPU, "a child of a process that has used the GPU cannot")
class Forks(unittest.TestCase):
    def check_child(self, number, kernels=()):
        """In a child: a kernel of its own, and those given."""
        child = os.fork()
        if child == 0:
            signal.alarm(60)
            a = np.arange(100.0)
            good = True
            for kernel in (make(number), *kernels):
                out = np.zeros(100)
                kernel[1, 128](a, out)
                good = good and (out == expected(a, number)).all()
            os._exit(0 if good else 1)
        self.assertEqual(os.waitpid(child, 0)[1], 0)

    def test_while_compiling(self) -> None:
        a = np.arange(50.0)
        with Busy(lambda number: make(number)[1, 64](a, np.zeros(50))):
            for number in range(FORKS):
                time.sleep(number % 5 * 0.004)
                self.check_child(number)

    def test_same_kernel(self) -> None:
        """What the other thread was compiling is compiled again."""
        kernel = [None]

        def work(number):
            kernel[0] = make(5)
            for block in 32, 64, 96:
                kernel[0][2, block](np.arange(50.0), np.zeros(50))

        with Busy(work):
            for number in range(FORKS):
                time.sleep(number % 5 * 0.004)
                self.check_child(5, [kernel[0]] if kernel[0] is not None else [])

    def test_while_running(self) -> None:
        long = make(3, rounds=20000)
        a = np.arange(5000.0)
        with Busy(lambda number: long[40, 128](a, np.zeros(5000))):
            for number in range(FORKS):
                time.sleep(0.002)
                self.check_child(number)


if __name__ == "__main__":
    main()
