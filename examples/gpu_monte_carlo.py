"""pi by throwing darts: each thread has random numbers of its own, from numba.cuda.random. Needs NumPy."""

import numpy as np
from numba import cuda
from numba.cuda.random import create_xoroshiro128p_states, xoroshiro128p_uniform_float64

THREADS, BLOCKS, THROWS = 128, 32, 500


@cuda.jit
def throw(states, throws, hits):
    thread = cuda.grid(1)
    inside = 0
    for _ in range(throws):
        x = xoroshiro128p_uniform_float64(states, thread)
        y = xoroshiro128p_uniform_float64(states, thread)
        if x * x + y * y <= 1.0:
            inside += 1
    hits[thread] = inside


count = THREADS * BLOCKS
states = create_xoroshiro128p_states(count, seed=42)
hits = cuda.device_array(count, np.int64)
throw[BLOCKS, THREADS](states, THROWS, hits)
pi = 4 * hits.copy_to_host().sum() / (count * THROWS)
print(f"{count * THROWS} darts: pi is about {pi:.3f}")
print("within a hundredth:", abs(pi - np.pi) < 0.01)
