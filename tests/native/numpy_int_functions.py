# functions of NumPy's on ints, and operators of scalars that stay ints: sqrt, abs, maximum, sign, conjugate, ~, round, divmod
# kiln-test: needs=numpy
import numpy as np
from _harness import drive

NUMBERS = np.arange(-500, 500)
SMALL = np.arange(100, dtype=np.uint8)
MASK = NUMBERS > 7
REALS = np.linspace(-9.0, 9.0, 1000)
WAVES = REALS + 1j * REALS[::-1]


def work(n):
    numbers, small, mask, reals, waves = NUMBERS, SMALL, MASK, REALS, WAVES
    total = 0.0
    for i in range(n):  # kiln-native
        k, x = numbers[i % 1000], reals[i % 1000]
        total += np.sqrt(i) + np.sqrt(np.abs(k)) + np.maximum(k, 3) + np.minimum(k, numbers[5]) + np.sign(k) + np.square(k)
        total += int(~k) + int(~small[i % 100]) + round(x) + round(k) + np.conj(waves[i % 1000]).imag
        quotient, rest = divmod(k, 7)
        total += quotient - rest
        whole, part = divmod(x, 0.75)
        total += whole + part
        if ~mask[i % 1000] and not np.isnan(k):
            total += 1
    return float(total)


drive(work)
