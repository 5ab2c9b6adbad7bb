"""`match` in kernels, and assignments to names with a star: what Python does with the same functions."""

import unittest

from support import main  # before NumPy: skips the tests where there is none

import numpy as np
from numba import cuda
from numba.core.errors import TypingError, UnsupportedError

RED, GREEN = 1, 2


class Codes:
    STOP = 7
    GO = 8


def values(x):
    match x:
        case 0:
            return 10
        case 1 | 2 | 3:
            return 20
        case -4:
            return 30
        case Codes.STOP | Codes.GO:
            return 40
        case _:
            return x


def guards(x):
    seen = 0
    match x:
        case n if n > 20:
            seen = n
        case n if n % 2 == 0:
            seen = n * 100
        case other:
            seen = -other
    return seen


def captured_although_refused(x):
    n = 1
    match x:
        case n if n > 20:
            return 0
        case 3:
            return n + 100
    return n


def pairs(x):
    y = x // 4
    match x % 4, y:
        case 0, 0:
            return 1
        case 0, k:
            return k
        case (1 | 2) as which, k if k > 1:
            return which * 100 + k
        case a, b:
            return a * 1000 + b


def stars(x):
    total = 0
    for part in ((x, 2, 3), (x,), (4, x, 6, 7)):
        match part:
            case [first]:
                total += first
            case [4, *middle, last]:
                total += 10 * last + len(middle)
                for item in middle:
                    total += item
            case [_, *rest]:
                total += 1000 * len(rest) + rest[0]
    return total


def nested(x):
    match ((x, x + 1), True, None):
        case (_, _), False, None:
            return 1
        case (3, four), True, None:
            return four
        case (a, 6 | 7), True, _:
            return a * 10
        case (_, b), flag, None if flag:
            return b
    return -1


def loops(x):
    total = 0
    for i in range(x):
        match i % 5:
            case 0:
                continue
            case 4 if i > 10:
                break
            case k:
                total += k
    match total:
        case 0:
            pass
        case total if total > 12:
            total += 1
    return total


def no_case(x):
    match x:
        case 100:
            return 1
    return 0


def star_names(x):
    first, *rest = (x, x + 1, x + 2)
    *most, last = rest
    a, *none, b = most[0], last
    (c, *d), [*e] = (x, 5, 6), (7, 8)
    total = 0
    for head, *tail in ((1, 2, x), (3, 4, 5)):
        total += head * tail[0] + tail[-1]
    return first + 10 * a + 100 * b + 1000 * len(none) + c + d[1] + len(e) + total


class Match(unittest.TestCase):
    def check(self, function) -> None:
        device = cuda.jit(device=True)(function)

        @cuda.jit
        def kernel(out):
            i = cuda.grid(1)
            out[i] = device(i)

        out = np.zeros(32, np.int64)
        kernel[1, 32](out)
        self.assertEqual(out.tolist(), [function(i) for i in range(32)])

    def test_as_python(self) -> None:
        for function in (values, guards, captured_although_refused, pairs, stars, nested, loops, no_case, star_names):
            with self.subTest(function.__name__):
                self.check(function)

    def test_subject(self) -> None:
        """It is evaluated once. An array is no sequence; None, bools and texts are what they are."""
        @cuda.jit
        def kernel(out, a, flag):
            match cuda.atomic.add(out, 0, 1):
                case 5:
                    out[1] = 1
                case 0:
                    out[1] = 2
            match a:
                case [_, _]:
                    out[2] = 1
                case array:
                    out[2] = array[1]
            match flag:
                case True:
                    out[3] = 1
                case False:
                    out[3] = 2
            match "text":
                case "other":
                    out[4] = 1
                case "text":
                    out[4] = 2
            match None:
                case True:
                    out[5] = 1
                case None:
                    out[5] = 2

        for flag in True, False:
            out = np.zeros(6, np.int64)
            kernel[1, 1](out, np.array([3, 4]), flag)
            self.assertEqual(out.tolist(), [1, 2, 4, 1 if flag else 2, 2, 2])

    def test_barriers(self) -> None:
        @cuda.jit
        def kernel(out, way):
            shared = cuda.shared.array(32, np.int64)
            i = cuda.threadIdx.x
            match way:
                case 0:
                    shared[i] = i
                    cuda.syncthreads()
                    out[i] = shared[31 - i]
                case k:
                    out[i] = k

        for way, expected in (0, list(range(31, -1, -1))), (4, [4] * 32):
            out = np.zeros(32, np.int64)
            kernel[1, 32](out, way)
            self.assertEqual(out.tolist(), expected)

    def test_refused(self) -> None:
        def mapping(out):
            match out[0]:
                case {"a": _}:
                    out[0] = 1

        def types(out):
            match out[0]:
                case int():
                    out[0] = 1

        def names(out):
            match out[0], 1:
                case (0, k) | (k, 1):
                    out[0] = k

        def too_few(out):
            a, b, *c = (1,)
            out[0] = a

        def no_tuple(out):
            a, *b = out
            out[0] = a

        for function, kind in (mapping, UnsupportedError), (types, UnsupportedError), (names, UnsupportedError), (too_few, TypingError), (no_tuple, TypingError):
            with self.subTest(function.__name__), self.assertRaises(kind):
                cuda.jit(function)[1, 1](np.zeros(2))

    def test_deleted_names(self) -> None:
        """A deleted name is not a global one of the same name."""
        def kernel(out, RED):
            del RED
            out[0] = RED

        with self.assertRaises(TypingError):
            cuda.jit(kernel)[1, 1](np.zeros(1), 5)


main()
