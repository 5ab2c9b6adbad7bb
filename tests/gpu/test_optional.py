"""Names and results that are None on some paths and a value on others: numba's optional types."""

import math
import unittest

from support import main  # before NumPy: skips the tests where there is none

import numpy as np
from numba import cuda
from numba.core.errors import TypingError, UnsupportedError


@cuda.jit(device=True)
def find(x, v):
    """Falls off its end."""
    for i in range(x.size):
        if x[i] == v:
            return i


@cuda.jit(device=True)
def pair(v):
    if v > 2:
        return v, 1
    return None


@cuda.jit(device=True)
def sign(v):
    if v > 0:
        return 1
    elif v <= 0:
        return -1.5


@cuda.jit(device=True)
def doubled(v):
    if v is None:
        return -1
    return v * 2


@cuda.jit(device=True)
def climbed(n):
    if n > 5:
        return n
    if n < 0:
        return None
    above = climbed(n + 1)
    return None if above is None else above + 1


@cuda.jit(device=True)
def row(m, i):
    if i < m.shape[0]:
        return m[i]


@cuda.jit(device=True)
def rest(x, n):
    if n > 0:
        return x[n:], n
    return None


@cuda.jit(device=True)
def strided(x, n):
    if n == 0:
        return None
    if n == 1:
        return x[::2]
    return x


@cuda.jit(device=True)
def made(n):
    if n > 0:
        return cuda.local.array(3, np.float64), n + 1
    return None, 0


@cuda.jit(device=True)
def at(records, i):
    return records[i] if i >= 0 else None


def results(out, x, n, f):
    i, j = find(x, 3.0), find(x, 99.0)
    out[0] = -1 if i is None else i
    out[1] = -1 if j is None else j
    if i is not None:
        out[2] = x[i]
    if j:
        out[3] = x[j]
    first = find(x, 1.0)
    out[4] = 1 if first else 2
    out[5] = not first
    p = pair(n)
    if p is not None:
        a, b = p
        out[6] = p[0] + a + b
    out[7] = pair(1) is None
    out[8], out[9], out[10] = sign(f), abs(sign(-f)), math.sqrt(sign(f))
    out[11], out[12] = climbed(3), climbed(-1) is None


def names(out, x, n, f):
    best, worst, last = None, None, None
    for i in range(x.size):
        v = x[i]
        if v > 1 and (best is None or v < best):
            best = v
        if v > 100:
            worst = v
        if last is not None:
            out[i] = v - last
        last = v
    out[4] = best
    out[5] = worst is None
    v = f if n > 2 else None
    w = f if n > 5 else None
    out[6], out[7], out[8], out[9] = doubled(v), doubled(w), doubled(None), doubled(4)
    place = None
    i = 0
    while place is None and i < x.size:
        if x[i] > 2:
            place = i
        i += 1
    out[10] = place
    row = None
    if n > 2:
        row = x[1:]
    if row is not None:
        row[0] = 9
    out[11] = x[1]
    place += 1
    out[12] = x[place] + max(place, 1) - (-place) + (place == 3)


def questions(out, x, n, f):
    v, w = (n if n > 3 else None), (0 if n > 3 else None)
    out[0], out[1], out[2] = v == 0, v == n, v != w
    out[3], out[4], out[5] = v in (0, None), v in (0, 4), v in range(5)
    out[6], out[7] = v is w, w == w
    out[8], out[9] = bool(w), (v, 1) == (None, 1)
    chosen = v or -7
    both = v and 5
    out[10] = chosen
    out[11] = 1 if both is None else both
    match v:
        case None:
            out[12] = 1
        case 4:
            out[12] = 2


def patterns(out, x, n, f):
    p = pair(n - 1)
    match p:
        case (a, b):
            out[0] = a + b
        case None:
            out[0] = -1
    match find(x, f):
        case 0 | 1:
            out[1] = 1
        case None:
            out[1] = 2
        case other:
            out[1] = other
    t = (find(x, 2.0), find(x, f))
    out[2], out[3] = t[0], t[1] is None
    found = [find(x, 4.0), 1]
    out[4] = found[0] is None

    def inner():
        return t[1] is None or t[0] is None

    out[5] = inner()
    k = j = find(x, f)
    out[6], out[7] = k is None, not j
    if (here := find(x, 3.0)) is not None:
        out[8] = here
    if k is None:
        k = n
    elif not (j is None) and n > 0:
        out[9] = 3
    out[10] = k
    for i in range(3):
        at = find(x, i + 1.5 * n - 3.0)
        if at is None:
            continue
        out[11] += at + isinstance(at, int)
        at = None


class Optionals(unittest.TestCase):
    def check(self, body) -> None:
        devices = {"find", "pair", "sign", "doubled", "climbed"}
        plain = type(body)(body.__code__, {**globals(), **{name: globals()[name].py_func for name in devices}})
        for name in devices:
            function = globals()[name].py_func
            plain.__globals__[name] = type(function)(function.__code__, plain.__globals__)
        kernel = cuda.jit(body)
        for n in 3, 4:
            found, wanted = np.zeros(13), np.zeros(13)
            kernel[1, 1](found, np.arange(1, 5.0), n, 2.25)
            plain(wanted, np.arange(1, 5.0), n, 2.25)
            self.assertEqual(found.tolist(), wanted.tolist())

    def test_results(self) -> None:
        self.check(results)

    def test_names(self) -> None:
        self.check(names)

    def test_questions(self) -> None:
        self.check(questions)

    def test_patterns(self) -> None:
        self.check(patterns)

    def test_each_thread(self) -> None:
        @cuda.jit
        def kernel(out, x):
            shared = cuda.shared.array(64, np.float64)
            t = cuda.threadIdx.x
            found = None
            if t % 3 == 0:
                found = x[t]
            shared[t] = t
            cuda.syncthreads()
            out[t] = shared[63 - t] if found is None else found

        out = np.zeros(64)
        kernel[1, 64](out, np.arange(64) + 100.0)
        self.assertEqual(out.tolist(), [t + 100 if t % 3 == 0 else 63 - t for t in range(64)])

    def test_none_used(self) -> None:
        """In debug kernels, as with numba."""

        @cuda.jit(debug=True, opt=False)
        def kernel(out, n):
            v = None
            if n > 2:
                v = n
            out[0] = v + 1

        out = np.zeros(1)
        kernel[1, 1](out, 3)
        self.assertEqual(out[0], 4)
        with self.assertRaisesRegex(TypeError, "expected int64, got None"):
            kernel[1, 1](out, 1)

    def test_refused(self) -> None:
        def shown(out, n):
            v = None
            if n > 2:
                v = n
            print(v)

        def mixed(out, n):
            v = None
            if n > 2:
                v = n
            elif n > 1:
                v = "text"
            out[0] = v

        def sliced(out, n):
            v = None
            if n > 2:
                v = n
            out[0] = out[:v][0]

        def formatted(out, n):
            v = None
            if n > 2:
                v = n
            print(f"{v}")

        def asked(out, n):
            v = None
            if n > 2:
                v = n
            out[0] = isinstance(v, int)

        refused = ((sliced, "parts of a slice are integers"), (asked, "isinstance does not take OptionalType"), (formatted, "cannot show"))
        for body, message in (*refused, (shown, r"print does not take OptionalType\(int64\)"), (mixed, "give it one type")):
            with self.subTest(body=body.__name__), self.assertRaisesRegex((TypingError, UnsupportedError), message):
                cuda.jit(body)[1, 1](np.zeros(1), 3)

    def test_arrays(self) -> None:
        """Functions that return an array, a row, a record or a tuple of these on some paths, and None on others."""

        @cuda.jit
        def kernel(out, m, records, n):
            for i in range(4):
                found = row(m, i)
                out[i] = -1 if found is None else found.sum()
            always = row(m, n - 2)
            out[4], out[5] = always[1], len(always)
            for value in always:
                out[6] += value
            tail = rest(m[0], n)
            if tail is not None:
                values, place = tail
                values[0] = 50
                out[7] = place
            out[8] = rest(m[0], 0) is None
            for i in range(3):
                view = strided(m[1], i)
                out[9 + i] = 99 if view is None else view[1] + 10 * view.size
            own, size = made(n)
            if own is not None:
                own[0] = size
                out[12] = own[0] + size
            record = at(records, 1)
            if record is not None:
                out[13] = record.count
            out[14] = at(records, -1) is None

        records = np.array([(1.5, 2), (2.5, 7)], [("x", np.float64), ("count", np.int32)])
        m, out = np.arange(12.0).reshape(3, 4), np.zeros(15)
        kernel[1, 1](out, m, records, 2)
        self.assertEqual(out.tolist(), [6, 22, 38, -1, 1, 4, 6, 2, 1, 99, 26, 45, 6, 7, 1])
        self.assertEqual(m[0, 2], 50)

    def test_arrays_of_two_layouts(self) -> None:
        @cuda.jit(device=True)
        def half(x, n):
            if n > 0:
                return x[::2]
            return x

        @cuda.jit
        def kernel(out, x):
            out[0], out[1] = half(x, 1).sum(), half(x, 0).sum()

        out = np.zeros(2)
        kernel[1, 1](out, np.arange(5.0))
        self.assertEqual(out.tolist(), [6, 10])

    def test_strings_made_when_run(self) -> None:
        """Their comparison is refused."""

        def kernel(out, n):
            out[0] = f"{n}" == "3"

        with self.assertRaisesRegex(UnsupportedError, "a string that is made when the kernel runs cannot be compared"):
            cuda.jit(kernel)[1, 1](np.zeros(1), 3)


if __name__ == "__main__":
    main()
