"""Measured kernels over arrays of one dimension: streams, functions of math, reductions, scans, histograms, sorting.

A case is a name, a kernel, and a function that makes for a size its grid, block, arguments, and which argument is the result.
"""

import math

import numpy as np
from numba import cuda, float32, float64, int32
from numba.cuda.random import create_xoroshiro128p_states, xoroshiro128p_uniform_float32

BLOCK = 256
BINS = 256
SPAN = BLOCK + 16  # numba wants a name or a number as a shape


def floats(n, dtype=np.float32, divisor=1009):
    """n numbers from 0 to 1, the same under every Python."""
    return np.resize((np.arange(divisor) * 7919 % divisor / divisor).astype(dtype), n)


def integers(n, dtype=np.int32, below=1 << 30):
    """n scattered integers."""
    return (np.arange(n, dtype=np.uint64) * np.uint64(2654435761) % np.uint64(below)).astype(dtype)


def blocks(n):
    return (n + BLOCK - 1) // BLOCK


def saxpy(a, x, y):
    i = cuda.grid(1)
    if i < x.size:
        y[i] = a * x[i] + y[i]


def triad(a, b, c, factor):
    for i in range(cuda.grid(1), a.size, cuda.gridsize(1)):
        a[i] = b[i] + factor * c[i]


def half_axpy(x, y, out):
    i = cuda.grid(1)
    if i < x.size:
        out[i] = x[i] * y[i] + x[i]


def waves(x, out):
    i = cuda.grid(1)
    if i < x.size:
        out[i] = math.exp(-x[i]) * math.sin(x[i]) + math.log(x[i] + 1.0) * math.cos(x[i])


def horner(x):
    total = float32(0.5)
    for k in range(16):
        total = total * x + float32(1) / float32(k + 1)
    return total


def black_scholes(price, strike, years, call, put):
    i = cuda.grid(1)
    if i >= price.size:
        return
    rate = float32(0.02)
    volatility = float32(0.3)
    spread = volatility * math.sqrt(years[i])
    d1 = (math.log(price[i] / strike[i]) + (rate + float32(0.5) * volatility * volatility) * years[i]) / spread
    d2 = d1 - spread
    n1 = float32(0.5) * (float32(1) + math.erf(d1 * float32(0.70710678)))
    n2 = float32(0.5) * (float32(1) + math.erf(d2 * float32(0.70710678)))
    discount = math.exp(-rate * years[i])
    call[i] = price[i] * n1 - strike[i] * discount * n2
    put[i] = strike[i] * discount * (float32(1) - n2) - price[i] * (float32(1) - n1)


def wide_stencil(x, out):
    tile = cuda.shared.array(SPAN, float32)
    i = cuda.grid(1)
    here = cuda.threadIdx.x + 8
    if i < x.size:
        tile[here] = x[i]
        if cuda.threadIdx.x < 8:
            tile[here - 8] = x[i - 8] if i >= 8 else float32(0)
            tile[here + BLOCK] = x[i + BLOCK] if i + BLOCK < x.size else float32(0)
    cuda.syncthreads()
    if i < x.size:
        total = float32(0)
        for k in range(-8, 9):
            total += tile[here + k]
        out[i] = total


def dot(a, b, out):
    parts = cuda.shared.array(BLOCK, float64)
    thread = cuda.threadIdx.x
    mine = 0.0
    for i in range(cuda.grid(1), a.size, cuda.gridsize(1)):
        mine += a[i] * b[i]
    parts[thread] = mine
    cuda.syncthreads()
    step = cuda.blockDim.x // 2
    while step > 0:
        if thread < step:
            parts[thread] += parts[thread + step]
        cuda.syncthreads()
        step //= 2
    if thread == 0:
        out[cuda.blockIdx.x] = parts[0]


def warp_sum(a, out):
    mine = float32(0)
    for i in range(cuda.grid(1), a.size, cuda.gridsize(1)):
        mine += a[i]
    offset = 16
    while offset > 0:
        mine += cuda.shfl_down_sync(0xFFFFFFFF, mine, offset)
        offset //= 2
    if cuda.laneid == 0:
        cuda.atomic.add(out, 0, mine)


def maximum(a, out):
    mine = int32(-1)
    for i in range(cuda.grid(1), a.size, cuda.gridsize(1)):
        mine = max(mine, a[i])
    cuda.atomic.max(out, cuda.threadIdx.x % 32, mine)


def block_scan(a, out):
    parts = cuda.shared.array((2, BLOCK), int32)
    thread = cuda.threadIdx.x
    i = cuda.grid(1)
    parts[0, thread] = a[i]
    cuda.syncthreads()
    source = 0
    step = 1
    while step < BLOCK:
        if thread >= step:
            parts[1 - source, thread] = parts[source, thread] + parts[source, thread - step]
        else:
            parts[1 - source, thread] = parts[source, thread]
        source = 1 - source
        cuda.syncthreads()
        step *= 2
    out[i] = parts[source, thread]


def shared_histogram(values, counts):
    mine = cuda.shared.array(BINS, int32)
    thread = cuda.threadIdx.x
    if thread < BINS:
        mine[thread] = 0
    cuda.syncthreads()
    for i in range(cuda.grid(1), values.size, cuda.gridsize(1)):
        cuda.atomic.add(mine, values[i], 1)
    cuda.syncthreads()
    if thread < BINS:
        cuda.atomic.add(counts, thread, mine[thread])


def global_histogram(values, low, high, counts):
    width = (high - low) / counts.size
    for i in range(cuda.grid(1), values.size, cuda.gridsize(1)):
        place = int32((values[i] - low) / width)
        if 0 <= place < counts.size:
            cuda.atomic.add(counts, place, 1)


def bitonic_step(values, j, k):
    i = cuda.grid(1)
    other = i ^ j
    if other > i:
        rises = (i & k) == 0
        if (values[i] > values[other]) == rises:
            values[i], values[other] = values[other], values[i]


def block_sort(values, out):
    mine = cuda.shared.array(BLOCK, int32)
    thread = cuda.threadIdx.x
    mine[thread] = values[cuda.grid(1)]
    cuda.syncthreads()
    k = 2
    while k <= BLOCK:
        j = k // 2
        while j > 0:
            other = thread ^ j
            if other > thread and (mine[thread] > mine[other]) == ((thread & k) == 0):
                kept = mine[thread]
                mine[thread] = mine[other]
                mine[other] = kept
            cuda.syncthreads()
            j //= 2
        k *= 2
    out[cuda.grid(1)] = mine[thread]


def collatz(out, first):
    i = cuda.grid(1)
    if i < out.size:
        value = first + i
        steps = 0
        while value != 1:
            value = value // 2 if value % 2 == 0 else 3 * value + 1
            steps += 1
        out[i] = steps


def digits(values, base, out):
    i = cuda.grid(1)
    if i < values.size:
        rest = values[i]
        total = 0
        while rest > 0:
            total += rest % base
            rest //= base
        out[i] = total


def local_sort(values, out):
    i = cuda.grid(1)
    mine = cuda.local.array(8, float32)
    if i < out.size:
        for k in range(8):
            mine[k] = values[i * 8 + k]
        for k in range(1, 8):
            value = mine[k]
            at = k
            while at > 0 and mine[at - 1] > value:
                mine[at] = mine[at - 1]
                at -= 1
            mine[at] = value
        out[i] = (mine[3] + mine[4]) * float32(0.5)


def monte_carlo(states, tries, out):
    i = cuda.grid(1)
    inside = 0
    for _ in range(tries):
        x = xoroshiro128p_uniform_float32(states, i)
        y = xoroshiro128p_uniform_float32(states, i)
        if x * x + y * y <= 1.0:
            inside += 1
    out[i] = inside


def find_word(text, word, out):
    i = cuda.grid(1)
    if i + word.size <= text.size:
        for k in range(word.size):
            if text[i + k] != word[k]:
                return
        cuda.atomic.add(out, 0, 1)


def move(particles, dt):
    i = cuda.grid(1)
    if i < particles.size:
        particles[i].x += particles[i].vx * dt
        particles[i].y += particles[i].vy * dt
        if particles[i].x > 1.0 or particles[i].x < 0.0:
            particles[i].vx = -particles[i].vx
        particles[i].hits += 1


PARTICLE = np.dtype([("x", np.float32), ("y", np.float32), ("vx", np.float32), ("vy", np.float32), ("hits", np.int32)])


def many_particles(n):
    particles = np.zeros(n, PARTICLE)
    for number, field in enumerate(("x", "y", "vx", "vy")):
        particles[field] = floats(n, divisor=1009 + 2 * number)
    return particles


def polynomial(x, out):
    i = cuda.grid(1)
    if i < x.size:
        out[i] = HORNER(x[i])


HORNER = cuda.jit(device=True)(horner)


def prepare_black_scholes(n):
    price, strike, years = 5 + 25 * floats(n), 1 + 99 * floats(n, divisor=1013), np.float32(0.25) + 9 * floats(n, divisor=1019)
    return blocks(n), BLOCK, [price.astype(np.float32), strike.astype(np.float32), years.astype(np.float32), floats(n), floats(n)], 3


CASES = [
    ("saxpy", saxpy, lambda n: (blocks(n), BLOCK, [np.float32(0.5), floats(n), floats(n)], 1)),
    ("triad by strides, float64", triad, lambda n: (1056, BLOCK, [floats(n // 2, np.float64) for _ in range(3)] + [3.0], 0)),
    ("float16 a*b+a", half_axpy, lambda n: (blocks(n), BLOCK, [floats(n, np.float16) for _ in range(3)], 2)),
    ("exp, sin, log, cos, float64", waves, lambda n: (blocks(n // 4), BLOCK, [floats(n // 4, np.float64) for _ in range(2)], 1)),
    ("polynomial, device function", polynomial, lambda n: (blocks(n), BLOCK, [floats(n), floats(n)], 1)),
    ("Black-Scholes", black_scholes, prepare_black_scholes),
    ("stencil of 17, shared memory", wide_stencil, lambda n: (blocks(n), BLOCK, [floats(n), floats(n)], 1)),
    ("dot product, float64", dot, lambda n: (1056, BLOCK, [floats(n, np.float64), floats(n, np.float64), np.zeros(1056)], 2)),
    ("sum by shuffles", warp_sum, lambda n: (1056, BLOCK, [floats(n), np.zeros(1, np.float32)], 1)),
    ("maximum by atomics", maximum, lambda n: (1056, BLOCK, [integers(n), np.zeros(32, np.int32)], 1)),
    ("scan of blocks", block_scan, lambda n: (n // BLOCK, BLOCK, [integers(n, below=100), np.zeros(n, np.int32)], 1)),
    ("histogram, shared memory", shared_histogram, lambda n: (1056, BLOCK, [integers(n, np.uint8, BINS), np.zeros(BINS, np.int32)], 1)),
    ("histogram, global memory", global_histogram, lambda n: (1056, BLOCK, [floats(n), 0.0, 1.0, np.zeros(4096, np.int32)], 3)),
    ("bitonic sort, a step", bitonic_step, lambda n: (n // BLOCK, BLOCK, [integers(n), 64, 1024], 0)),
    ("sort of blocks", block_sort, lambda n: (n // 4 // BLOCK, BLOCK, [integers(n // 4), np.zeros(n // 4, np.int32)], 1)),
    ("Collatz, int64", collatz, lambda n: (blocks(n // 16), BLOCK, [np.zeros(n // 16, np.int32), 1], 0)),
    ("digits by // and %", digits, lambda n: (blocks(n // 4), BLOCK, [integers(n // 4, np.int64), 10, np.zeros(n // 4, np.int32)], 2)),
    ("medians, local arrays", local_sort, lambda n: (blocks(n // 8), BLOCK, [floats(n), np.zeros(n // 8, np.float32)], 1)),
    ("Monte Carlo", monte_carlo, lambda n: (blocks(n // 256), BLOCK, [create_xoroshiro128p_states(n // 256, 1), 256, np.zeros(n // 256, np.int32)], 2)),
    ("word in a text", find_word, lambda n: (blocks(n), BLOCK, [integers(n, np.uint8, 64), integers(4, np.uint8, 64), np.zeros(1, np.int64)], 2)),
    ("records", move, lambda n: (blocks(n // 4), BLOCK, [many_particles(n // 4), np.float32(1e-3)], 0)),
]
