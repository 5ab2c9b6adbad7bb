# Attributes of arrays in loops: shape, size, ndim, len, dtype, T, real, imag, flat, strides, base, flags, item().
# kiln-test: needs=numpy
import numpy as np
from _arrays import digest, exact, fresh, outcome


def measures(arrays, count):
    t = 0
    for i in range(count):
        a = arrays[i % len(arrays)]
        h, w = a.shape
        t = (t * 31 + h * 7 + w + len(a) + a.size + a.ndim + a.itemsize + a.nbytes) % 1000003
        t += a.shape[0] - a.shape[-1] + a.strides[1] + len(a.shape)
    return t


def unpacked_wrongly(a, count):
    t = 0
    for i in range(count):
        if i == count - 1:
            a = a[0]
        h, w = a.shape
        t += h * w
    return t


def classes(arrays, count):
    seen = set()
    for i in range(count):
        a = arrays[i % len(arrays)]
        seen.add((a.dtype.name, a.dtype.kind, a.dtype == np.float64, a.dtype.type is np.float32, a.flags.writeable))
    return sorted(seen)


def parts(a):
    t = 0.0
    for i in range(len(a)):
        t += a.real[i] - a.imag[i]
        t += a[i].real * 0.5 + a[i].imag
        if a.dtype.kind == "c":
            a.imag[i] = i
            a.real[i] = -a.imag[i]
    return t


def items(a):
    t = 0
    for i in range(a.size):
        x = a.item(i)
        t += x
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            t += a.item(i, j) + a.item((i, j)) - a[i, j].item()
    return type(x).__name__, t


def turned(a, count):
    t = 0
    for i in range(count):
        b = a.T
        t += b[i % b.shape[0], i % b.shape[1]] * (b.shape[0] - b.strides[0])
        t += b.T is a
        t += b.base is a
    return t


def by_flat(a, count):
    for i in range(count):
        a.flat[i % a.size] += i % 3
        a.flat[-1 - i % a.size] -= a.flat[i % 5]
    return exact(a)


def flat_off_the_end(a, count):
    for i in range(count):
        a.flat[i] = i % 50
    return a


def missing(a, count):
    t = 0
    for i in range(count):
        try:
            t += a.shapes if i % 2 else a.size
        except AttributeError as error:
            t += len(str(error))
    return t


def rare(a, count):
    t = 0
    for i in range(count):
        t += a.strides[0] + a.data.nbytes + (a.base is None) + a.flags.c_contiguous + a.ctypes.data % 2
        t += a.dtype.itemsize + a.dtype.alignment + a.dtype.isnative + a.__len__() + a.__array_interface__["version"]
    return t


grids = [np.zeros((3, 4)), np.zeros((5, 2), np.int8), np.zeros((4, 6), np.float32).T, np.zeros((6, 6))[::2, 1:]]
print(measures(grids, 6000), fresh(measures)(grids[:1], 6000), outcome(fresh(measures), [np.zeros(3)], 4000))
print(outcome(unpacked_wrongly, np.zeros((3, 4)), 5000), outcome(fresh(unpacked_wrongly), np.zeros((3, 4, 5)), 5000))
print(classes(grids, 4000), classes([np.zeros(2)], 4000))
for dtype in ("complex128", "complex64", "float64", "float32", "int16"):
    a = (np.arange(4000) * (1 + 2j)).astype(dtype) if dtype[0] == "c" else np.arange(4000).astype(dtype)
    print(dtype, exact(fresh(parts)(a)), *digest(a))
for dtype in ("int8", "uint64", "float32", "float64", "complex64", "bool", "float16"):
    grid = (np.arange(3600) % 100).astype(dtype).reshape(60, 60)
    print(dtype, outcome(fresh(items), grid), outcome(fresh(items), grid[::-2, ::3]))
    if dtype != "bool":
        print(exact(fresh(turned)(grid[:7], 4000)))
        print(fresh(by_flat)(grid[:3, :5].copy(), 4000), fresh(by_flat)(grid[:9:3, ::-12].copy("F"), 4000))
print(outcome(flat_off_the_end, np.zeros((50, 80)), 4001), outcome(fresh(flat_off_the_end), np.zeros((9, 9), int), 4000))
print(missing(np.zeros(3), 4000), rare(np.zeros(8), 4000), fresh(rare)(np.zeros(8, np.int16)[::2], 4000))
