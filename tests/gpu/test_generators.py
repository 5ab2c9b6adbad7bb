"""Random numbers in kernels: the same as numba's."""

import unittest

from support import main  # before NumPy: skips the tests where there is none

import numpy as np
from numba import cuda
from numba.cuda import random


class Generator:
    """xoroshiro128+ with plain integers."""

    MASK = 2**64 - 1

    def __init__(self, seed: int) -> None:
        z = (seed + 0x9E3779B97F4A7C15) & self.MASK
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & self.MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & self.MASK
        self.s0 = self.s1 = z ^ (z >> 31)

    def draw(self) -> int:
        s0, s1 = self.s0, self.s1
        result = (s0 + s1) & self.MASK
        s1 ^= s0
        self.s0 = (((s0 << 55) | (s0 >> 9)) ^ s1 ^ (s1 << 14)) & self.MASK
        self.s1 = ((s1 << 36) | (s1 >> 28)) & self.MASK
        return result

    def jump(self) -> None:
        s0 = s1 = 0
        for word in 0xBEAC0467EBA5FACB, 0xD86B048B86AA9922:
            for bit in range(64):
                if word >> bit & 1:
                    s0 ^= self.s0
                    s1 ^= self.s1
                self.draw()
        self.s0, self.s1 = s0, s1


class Random(unittest.TestCase):
    def test_sequences(self) -> None:
        """Bit for bit those of the definition."""
        @cuda.jit
        def draw(states, raw, single, double):
            i = cuda.grid(1)
            if i < raw.shape[0]:
                raw[i, 0] = random.xoroshiro128p_next(states, i)
                raw[i, 1] = random.xoroshiro128p_next(states, i)
                single[i] = random.xoroshiro128p_uniform_float32(states, i)
                double[i] = random.xoroshiro128p_uniform_float64(states, i)

        for seed, start, n in (1, 0, 5), (12345678901234567890 % 2**64, 3, 3), (0, 1, 1):
            states = random.create_xoroshiro128p_states(n, seed, subsequence_start=start)
            raw, single, double = np.zeros((n, 2), np.uint64), np.zeros(n, np.float32), np.zeros(n)
            draw[1, 32](states, raw, single, double)
            generator = Generator(seed)
            for _ in range(start):
                generator.jump()
            for i in range(n):
                copy = Generator(0)
                copy.s0, copy.s1 = generator.s0, generator.s1
                self.assertEqual(raw[i].tolist(), [copy.draw(), copy.draw()])
                self.assertEqual(single[i], np.float32((copy.draw() >> 11) * 2.0**-53))
                self.assertEqual(double[i], (copy.draw() >> 11) * 2.0**-53)
                generator.jump()

    def test_many_states(self) -> None:
        """Threads make them at the same time, each some of them."""
        for start, n in (0, 64), (5, 65), (64, 300):
            states = random.create_xoroshiro128p_states(n, 42, subsequence_start=start).copy_to_host()
            generator = Generator(42)
            for _ in range(start):
                generator.jump()
            for s0, s1 in states.tolist():
                self.assertEqual((s0, s1), (generator.s0, generator.s1))
                generator.jump()

    def test_distributions(self) -> None:
        @cuda.jit
        def draw(states, out):
            i = cuda.grid(1)
            if i < out.shape[0]:
                out[i, 0] = random.xoroshiro128p_normal_float32(states, i)
                out[i, 1] = random.xoroshiro128p_normal_float64(states, i)

        n = 1 << 14
        states = random.create_xoroshiro128p_states(n, seed=7)
        self.assertEqual((len(np.unique(states.copy_to_host(), axis=0)), random.xoroshiro128p_dtype.itemsize), (n, 16))
        out = np.zeros((n, 2))
        draw[n // 256, 256](states, out)
        self.assertLess(np.abs(out.mean(0)).max(), 0.05)
        self.assertLess(np.abs(out.std(0) - 1).max(), 0.05)


if __name__ == "__main__":
    main()
