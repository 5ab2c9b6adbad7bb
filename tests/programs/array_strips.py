"""Long loops over arrays, in which something happens after a thousand rounds: what was stored before, and nothing else, stays."""
# kiln-test: needs=numpy

import warnings

import numpy as np

N = 5000


def outcome(work, *arguments):
    """What a call gives, raises and warns of, the line of each warning, and the arrays afterwards."""
    arrays = [argument.copy() if isinstance(argument, np.ndarray) else argument for argument in arguments]
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            result = work(*arrays)
            result = (type(result).__name__, repr(result))
        except Exception as error:
            result = (type(error).__name__, str(error), error.__traceback__.tb_next.tb_lineno - work.__code__.co_firstlineno)
    told = [(str(w.message), w.lineno - work.__code__.co_firstlineno) for w in caught]
    sums = [hash(a.tobytes()) % 100003 if a.dtype != object else 0 for a in arrays if isinstance(a, np.ndarray)]
    return result, len(told), told[:3], sums


def show(work, *arguments):
    first = outcome(work, *arguments)
    for _ in range(8):
        again = outcome(work, *arguments)
        assert again == first, (work.__name__, first, again)
    result, count, told, _ = first
    tails = [a[-3:].tolist() for a in arguments if isinstance(a, np.ndarray) and a.ndim == 1]
    print(work.__name__, result, count, told, [np.asarray(a).sum() if a.dtype.kind in "iu" else None for a in arguments if isinstance(a, np.ndarray)], len(tails))


def checked(work, make):
    """The arrays after each of many calls with new arguments are those of the first."""
    sums = set()
    for _ in range(8):
        arguments = make()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                work(*arguments)
                end = "returned"
            except Exception as error:
                end = type(error).__name__
        sums.add((end, *(bytes(a.tobytes()) for a in arguments if isinstance(a, np.ndarray))))
    assert len(sums) == 1, work.__name__
    end, *rest = sums.pop()
    print(work.__name__, end, [sum(r) for r in rest])


def scale(a, out):
    for i in range(len(a)):
        out[i] = a[i] * 2.5


def shift_left(a):
    for i in range(len(a) - 1):
        a[i] = a[i + 1]


def shift_right(a):
    for i in range(1, len(a)):
        a[i] = a[i - 1] + a[i]


def circle(a, out):
    for i in range(len(a)):
        out[i] = a[i - 1] + a[i]


def past_the_end(a, out):
    for i in range(len(a) + 3):
        out[i] = a[i]


def narrow(a, out):
    for i in range(len(a)):
        out[i] = a[i] + a[i]


def squares(a):
    s = 0
    for i in range(len(a)):
        s += int(a[i]) * int(a[i])
    return s


def stored_counter(out):
    for i in range(len(out)):
        out[i] = i


def threshold(a, out):
    for i in range(len(a)):
        if a[i] > 100:
            out[i] = 1
        else:
            out[i] = a[i]


def some(a, out):
    for i in range(len(a)):
        if a[i] > 100:
            out[i] = a[i] * 1.5


def backwards(a, out):
    for i in range(len(a) - 1, -1, -1):
        out[i] = a[i] - 1


def in_twos(a, out):
    for i in range(0, len(a) - 1, 2):
        out[i] = a[i + 1]


def counted(a, out):
    i = 0
    while i < len(a):
        out[i] = a[i]
        i += 1
    return i


def modulo(a, out, n):
    for i in range(len(a)):
        out[i] = a[(i + 1) % n]


def quotient(a, out, n):
    for i in range(len(a)):
        out[i] = a[i // n]


def gather(a, indices, out):
    for i in range(len(indices)):
        out[i] = a[indices[i]]


def two_rows(a, out):
    for i in range(a.shape[0]):
        for j in range(1, a.shape[1] - 1):
            out[i, j] = a[i, j - 1] + a[i, j + 1] - a[i - 1, j]


def same_element(a, out):
    for i in range(len(a)):
        out[3] = a[i]
        out[i] = out[3] + 1


def root(a, out):
    import math
    for i in range(len(a)):
        out[i] = math.sqrt(a[i])


def divide(a, b, out):
    for i in range(len(a)):
        out[i] = a[i] / b[i]


def python_divide(a, b, out):
    for i in range(len(a)):
        out[i] = float(a[i]) / float(b[i])


def small(a, out):
    for i in range(len(a)):
        out[i] = a[i] * a[i]


def found(a, wanted):
    for i in range(len(a)):
        if a[i] == wanted:
            break
    return i


def with_at(value, place, dtype=np.float64, size=N):
    a = np.arange(size).astype(dtype) % 50
    a[place] = value
    return a


for place in 0, 15, 1023, 1025, 3000, N - 1:
    for value in 1e308, np.inf, -np.inf, np.nan, 5e-324, -0.0:
        checked(scale, lambda: (with_at(value, place), np.zeros(N)))
        checked(small, lambda: (with_at(value, place), np.zeros(N)))
        checked(divide, lambda: (with_at(1.0, 3), with_at(value, place) + 1, np.zeros(N)))
    checked(narrow, lambda: (with_at(2**31 - 1, place, np.int32), np.zeros(N, np.int32)))
    checked(narrow, lambda: (with_at(100, place, np.int8), np.zeros(N, np.int8)))
    checked(narrow, lambda: (with_at(2**63 - 1, place, np.int64), np.zeros(N, np.int64)))
    checked(narrow, lambda: (with_at(300, place, np.int64), np.zeros(N, np.uint8)))
    checked(threshold, lambda: (with_at(300, place, np.int64), np.zeros(N, np.uint8)))
    checked(some, lambda: (with_at(1e308, place), np.zeros(N)))
    checked(python_divide, lambda: (with_at(1.0, 3), with_at(-1.0, place) + 1, np.zeros(N)))
    checked(root, lambda: (with_at(-1.0, place), np.zeros(N)))
    checked(gather, lambda: (with_at(7, place), with_at(-3, place, np.int64), np.zeros(N)))
    checked(gather, lambda: (with_at(7, place), with_at(N, place, np.int64), np.zeros(N)))
    print(found(with_at(77, place), 77), squares(with_at(2**62, place, np.int64)), squares(with_at(-5, place, np.int64)))

base = np.arange(2 * N, dtype=np.float64)
for make in (lambda: (base.copy()[:N],), lambda: (base.copy()[::2],), lambda: (base.copy()[::-1],), lambda: (base.astype(np.int16),),
             lambda: (base.astype(np.float32)[1::3],)):
    checked(shift_left, make)
    checked(shift_right, make)
    checked(stored_counter, make)
for make in (lambda a: (a[:N], a[N:]), lambda a: (a[:-1], a[1:]), lambda a: (a[1:], a[:-1]), lambda a: (a, a), lambda a: (a, a[::-1]),
             lambda a: (a[::-1], a), lambda a: (np.broadcast_to(a[:1], (N,)), a), lambda a: (a[: N // 2], a[N // 2 :])):
    for dtype in np.float64, np.float32, np.int32, np.uint8:
        for work in circle, past_the_end, backwards, in_twos, counted, same_element, scale, threshold:
            checked(work, lambda: make(base.astype(dtype)))
for n in N, N - 1, 7, 1, 0, -3:
    checked(modulo, lambda: (base[:N].copy(), np.zeros(N), n))
    checked(quotient, lambda: (base[:N].copy(), np.zeros(N), n))
table = np.arange(12000.0).reshape(4, 3000)
checked(two_rows, lambda: (table.copy(), np.zeros((4, 3000))))
checked(two_rows, lambda: (table.copy().T, np.zeros((4, 3000)).T))
checked(two_rows, lambda: (table.astype(np.int8), np.zeros((4, 3000), np.int16)))

show(scale, with_at(1e308, 2222), np.zeros(N))
show(narrow, with_at(2**31 - 1, 4000, np.int32), np.zeros(N, np.int32))
show(past_the_end, np.zeros(N), np.zeros(N + 1))
show(divide, with_at(1.0, 3), with_at(0.0, 1500) , np.zeros(N))
show(python_divide, with_at(1.0, 3) + 1, with_at(0.0, 1500) + (np.arange(N) != 1500), np.zeros(N))
for state in {"under": "warn"}, {"under": "raise"}, {"over": "raise"}, {"all": "ignore"}, {"invalid": "raise", "divide": "raise"}:
    with np.errstate(**state):
        show(small, with_at(1e-200, 1600), np.zeros(N))
        show(small, with_at(1e200, 1600), np.zeros(N))
        show(divide, with_at(1.0, 3), with_at(1.0, 3), np.zeros(N))
show(small, with_at(1e-200, 1600), np.zeros(N))
