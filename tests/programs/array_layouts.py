# The same loops over arrays laid out in every way: C, F, strided, reversed, repeated, misaligned, byte-swapped.
# kiln-test: needs=numpy
import numpy as np
from _arrays import digest, exact, fresh
from numpy.lib.stride_tricks import as_strided

ROWS, COLUMNS = 60, 70


def base(dtype):
    return (np.arange(ROWS * COLUMNS) * 7 % 101).reshape(ROWS, COLUMNS).astype(dtype)


def misaligned(a):
    raw = np.zeros(a.nbytes + 1, np.uint8)
    b = raw[1:].view(a.dtype).reshape(a.shape)
    b[...] = a
    return b


def layouts(dtype):
    """Yields names and arrays of the same shape; all but the read-only one can be stored into."""
    yield "C", base(dtype)
    yield "F", np.asfortranarray(base(dtype))
    yield "transposed", np.ascontiguousarray(base(dtype).T).T
    yield "every other column", np.repeat(base(dtype), 2, axis=1)[:, ::2]
    yield "reversed rows", base(dtype)[::-1]
    yield "reversed columns", base(dtype)[:, ::-1]
    yield "both reversed, strided", np.tile(base(dtype), (3, 2))[::-3, ::-2]
    yield "one row repeated", as_strided(base(dtype)[3], (ROWS, COLUMNS), (0, np.dtype(dtype).itemsize))
    yield "one element repeated", as_strided(base(dtype)[3, 4:], (ROWS, COLUMNS), (0, 0))
    yield "rows overlap", as_strided(base(dtype), (ROWS, COLUMNS), (np.dtype(dtype).itemsize,) * 2)
    yield "misaligned", misaligned(base(dtype))
    yield "byte-swapped", base(dtype).astype(np.dtype(dtype).newbyteorder())
    yield "of a buffer", np.frombuffer(bytearray(base(dtype).tobytes()), dtype).reshape(ROWS, COLUMNS)
    yield "part of a larger one", np.pad(base(dtype), 5)[5:-5, 5:-5]


def read(a):
    out = []
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            out.append(a[i, j])
    return out


def smooth(a):
    rows, columns = a.shape
    for i in range(rows - 1):
        for j in range(1, columns):
            a[i, j] = (a[i, j - 1] + a[i + 1, j]) / 2
    return a


def flip(a):
    for i in range(len(a)):
        row = a[i]
        for j in range(len(row) // 2):
            row[j], row[-1 - j] = row[-1 - j], row[j]
    return a


for dtype in ("float64", "float32", "int32", "uint8", "complex128", "bool", "float16"):
    for name, a in layouts(dtype):
        print(dtype, name, *digest(fresh(read)(a)))
        if dtype not in ("complex128", "bool"):
            print(*digest(fresh(smooth)(a).ravel().tolist()))
        print(*digest(fresh(flip)(a).ravel().tolist()))


def walk(cube):
    t = 0.0
    for i in range(cube.shape[0]):
        for j in range(cube.shape[1]):
            for k in range(cube.shape[2]):
                t = t * 0.5 + cube[i, j, k]
                cube[i, j, k] += 1
    return t


def walk_four(a):
    t = 0
    p, q, r, s = a.shape
    for i in range(p):
        for j in range(q):
            for k in range(r):
                for m in range(s):
                    t = (t * 3 + int(a[i, j, k, m])) % 1000003
                    a[i][j][k][m] = t % 128
    return t


cube = np.arange(12 * 20 * 25, dtype=float).reshape(12, 20, 25)
for a in (cube.copy(), np.asfortranarray(cube), cube.copy().transpose(2, 0, 1), cube[::-1, ::2, ::-3]):
    print(a.shape, a.strides, exact(fresh(walk)(a)), exact(a[1, 2, 3]))
four = np.arange(5 * 8 * 9 * 12).reshape(5, 8, 9, 12)
for a in (four.astype("int8"), four.astype("int64").transpose(3, 1, 0, 2), four.astype("uint16")[:, ::-1, 1:, ::2]):
    print(a.shape, a.strides, fresh(walk_four)(a), exact(a[2, 3, 4, 1]))
