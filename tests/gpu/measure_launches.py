"""Prints what a launch and a first call cost; nothing is asserted."""

import time

import support  # before NumPy: skips where there is none

import numpy as np
from numba import cuda


@cuda.jit
def nothing():
    pass


@cuda.jit
def three(a, b, c):
    i = cuda.grid(1)
    if i < c.size:
        c[i] = a[i] + b[i]


@cuda.jit
def mixed(a, n, x):
    i = cuda.grid(1)
    if i < a.size:
        a[i] = n * x


def microseconds(launch, *arguments, count: int = 5000, rounds: int = 5) -> float:
    """The best round's time for one launch, without waiting for the kernels."""
    best = float("inf")
    for _ in range(rounds):
        start = time.perf_counter()
        for _ in range(count):
            launch(*arguments)
        best = min(best, (time.perf_counter() - start) / count * 1e6)
        cuda.synchronize()
    return best


def milliseconds(function) -> float:
    """The time of one call, with what it launched."""
    start = time.perf_counter()
    function()
    cuda.synchronize()
    return (time.perf_counter() - start) * 1e3


def main() -> None:
    """Measures and prints."""
    arrays = [cuda.to_device(np.ones(32, np.float32)) for _ in range(3)]
    print(f"first launch of all: {milliseconds(lambda: nothing[1, 1]()):.1f} ms")
    print(f"first launch of a second kernel: {milliseconds(lambda: three[1, 32](*arrays)):.1f} ms")
    mixed[1, 32](arrays[0], 3, 2.0)
    print(f"launch: {microseconds(nothing[1, 1]):.2f} us without arguments, "
          f"{microseconds(three[1, 32], *arrays):.2f} us with three device arrays, "
          f"{microseconds(mixed[1, 32], arrays[0], 3, 2.0):.2f} us with an array, an int and a float")
    n = 1 << 26
    big = [cuda.to_device(np.ones(n, np.float32)) for _ in range(3)]
    three[n // 256, 256](*big)
    best = min(milliseconds(lambda: three[n // 256, 256](*big)) for _ in range(5))
    print(f"vector add of 2^26 float32: {best:.3f} ms, {3 * 4 * n / best / 1e6:.0f} GB/s")


if __name__ == "__main__":
    main()
