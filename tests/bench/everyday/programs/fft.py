"""FFT with complex numbers: recursive and in place."""

import cmath
import math
import sys

BENCH = {"size": 15, "small": 6}


def fft(x):
    n = len(x)
    if n == 1:
        return x
    even = fft(x[0::2])
    odd = fft(x[1::2])
    twiddled = [cmath.exp(-2j * math.pi * k / n) * odd[k] for k in range(n // 2)]
    return [even[k] + twiddled[k] for k in range(n // 2)] + [even[k] - twiddled[k] for k in range(n // 2)]


def fft_in_place(a, invert=False):
    n = len(a)
    j = 0
    for i in range(1, n):
        bit = n >> 1
        while j & bit:
            j ^= bit
            bit >>= 1
        j ^= bit
        if i < j:
            a[i], a[j] = a[j], a[i]
    length = 2
    while length <= n:
        angle = 2 * math.pi / length * (-1 if not invert else 1)
        step = complex(math.cos(angle), math.sin(angle))
        for start in range(0, n, length):
            w = 1 + 0j
            for k in range(length // 2):
                u = a[start + k]
                v = a[start + k + length // 2] * w
                a[start + k] = u + v
                a[start + k + length // 2] = u - v
                w *= step
        length *= 2
    if invert:
        for i in range(n):
            a[i] /= n


def multiply(p, q):
    n = 1
    while n < len(p) + len(q):
        n *= 2
    fa = [complex(v) for v in p] + [0j] * (n - len(p))
    fb = [complex(v) for v in q] + [0j] * (n - len(q))
    fft_in_place(fa)
    fft_in_place(fb)
    fa = [x * y for x, y in zip(fa, fb)]
    fft_in_place(fa, True)
    return [round(v.real) for v in fa]


def run(size):
    n = 2 ** size
    signal = [complex(math.sin(i * 0.1) + (i % 7) / 7, 0) for i in range(n)]
    spectrum = fft(signal)
    loudest = max(range(1, n // 2), key=lambda k: abs(spectrum[k]))
    power = sum(abs(v) ** 2 for v in spectrum)
    product = multiply([i % 10 for i in range(n // 2)], [i * 3 % 10 for i in range(n // 2)])
    return loudest, round(power, 2), sum(i * v for i, v in enumerate(product)) % 1000003


if __name__ == "__main__":
    print(run(int(sys.argv[1])))
