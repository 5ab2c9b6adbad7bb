# elements of complex arrays: operators among them and with Python's numbers, parts, conjugates, abs, comparisons, an FFT's butterfly
# kiln-test: needs=numpy
import numpy as np
from _harness import drive

SIGNAL = np.exp(0.01j * np.arange(20000))
SHORT = SIGNAL.astype(np.complex64)
OUT = np.zeros(20000, complex)


def work(n):
    x, short, out = SIGNAL, SHORT, OUT
    total = np.float64(0.0)
    for i in range(n):  # kiln-native
        u, v = x[i], x[-1 - i] * 0.5j
        out[i] = u + v
        out[-1 - i] = (u - v) / (1.5 + u) + short[i] * short[0]
        out[i] *= -x[i].conjugate()
        if abs(u) > 0.25 and u != v:
            total += out[i].real - v.imag
    return total


drive(work)
