# kiln-test: needs=numpy
"""Loops over arrays that are globals: strips ask once what they are like, so whatever changes them between two calls must be seen."""

import numpy as np

N = 600
A = np.arange(N) * 0.5
B = np.ones(N)
C = np.zeros(N)
I = np.arange(N)
M = np.arange(N * 3.0).reshape(3, N)
ONE = np.zeros(1)


def add():
    for i in range(N):
        C[i] = A[i] + B[i]


def add_all():
    for i in range(len(A)):
        C[i] = A[i] + B[i]


def through_locals():
    a, b, c = A, B, C
    for i in range(len(a)):
        c[i] = a[i] - b[i]


def rows():
    total = 0.0
    for y in range(M.shape[0]):
        for x in range(M.shape[1]):
            total += M[y, x]
            M[y, x] = M[y, x] * 0.5 + 1.0
    return total


def ints():
    total = 0
    for i in range(N):
        total += int(I[i])
        I[i] = I[i] * 3 % 1000
    return total


def shifted():
    for i in range(1, N):
        A[i] = A[i - 1] * 0.5 + B[i]


def one():
    total = 0.0
    for i in range(50):
        total += ONE[0] + A[i]
    return total


def attempt(function):
    try:
        return function()
    except Exception as error:
        return type(error).__name__, str(error)


def state(*arrays):
    return [(type(a).__name__, np.asarray(a).dtype.str, np.shape(a), float(np.asarray(a, float).sum())) for a in arrays]


FUNCTIONS = [add, add_all, through_locals, rows, ints, shifted, one]


def run_all(times):
    for _ in range(times):
        results = [attempt(function) for function in FUNCTIONS]
    return results, state(A, B, C, I, M)


print(run_all(400))
# Changed in place: shape, dtype, flags, strides by a transposed shape, size.
C.flags.writeable = False
print(run_all(3))
C.flags.writeable = True
print(run_all(3))
A.shape = (N // 2, 2)
print(run_all(3))
A.shape = (N,)
B.dtype = np.int64
print(run_all(3), B[:3])
B.dtype = np.float64
M.shape = (N, 3)
print(run_all(3))
M.shape = (3 * N,)
print(run_all(3))
M.shape = (3, N)
ONE.shape = ()
print(run_all(3))
ONE.shape = (1,)
I.dtype = np.uint64
print(run_all(3))
I.dtype = np.int64
C.resize(N - 5, refcheck=False)
print(run_all(3))
C.resize(N, refcheck=False)
print(run_all(3))
# Other arrays, and what is no array, under the names.
C = A[::-1]
print(run_all(300))
C = A
print(run_all(3))
C = np.zeros(2 * N)[::2]
B = np.float32(1) * np.ones(N, np.float32)
print(run_all(300))
C = [0.0] * N
print(run_all(3))
C = np.zeros(N)
A = np.arange(N)[:]
print(run_all(300))


# A loop at the module's level, with a call that changes an array amid it.
def spoil(i):
    if i == 700:
        B.shape = (1, N)
    return 0


seen = []
for i in range(900):
    k = i % N
    try:
        C[k] = A[k] + B[k] + spoil(i)
    except (ValueError, IndexError) as error:
        seen.append((i, str(error)))
        B.shape = (N,)
for outer in range(300):
    for i in range(N):
        C[i] = A[i] * 2 + B[i]
print(seen, state(A, B, C))
