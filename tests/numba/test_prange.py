"""Loops over prange: what they compute natively is what they compute in order, and what cannot run natively runs in order."""

import contextlib
import inspect
import io
import math
import signal
import unittest

import support
from support import in_order, loops_of
import numpy as np
from numba import njit, prange
import numba

HELD = 3


@njit(parallel=True)
def mandelbrot(height, width, depth):
    out = np.zeros((height, width), np.int64)
    for y in prange(height):
        for x in range(width):
            cr, ci = x / width * 3.0 - 2.0, y / height * 2.0 - 1.0
            zr = zi = 0.0
            step = 0
            while step < depth and zr * zr + zi * zi < 4.0:
                zr, zi = zr * zr - zi * zi + cr, 2.0 * zr * zi + ci
                step += 1
            out[y, x] = step
    return out


@njit(parallel=True)
def sums(values):
    total = 0
    product = 1
    least = values[0]
    most = values[0]
    odd = 0
    for i in prange(len(values)):
        total += values[i]
        product *= values[i] | 1
        least = min(least, values[i])
        most = max(values[i], most)
        if values[i] % 2:
            odd = odd + 1
    return total, product, least, most, odd


@njit(parallel=True)
def bits(values):
    every = -1
    some = 0
    parity = 0
    for i in prange(values.size):
        every &= values[i]
        some |= values[i]
        parity ^= values[i]
    return every, some, parity


@njit(parallel=True)
def differences(start, values):
    for i in prange(values.size):
        start -= values[i]
    return start


@njit(parallel=True)
def from_number(start, n):
    for i in prange(n):
        start += i
    return start


@njit
def weight(x, scale=2):
    if x % 3 == 0:
        return x * scale
    return x - HELD


@njit(parallel=True)
def with_calls(n):
    total = 0
    for i in numba.prange(n):
        total += weight(i) + weight(i, scale=5)
    return total


@njit(parallel=True)
def stepped(values, start, stop, step):
    out = np.zeros_like(values)
    for i in prange(start, stop, step):
        out[i] = values[i] * 2 + i
    return out


@njit(parallel=True)
def kept(values):
    last = -1
    for i in prange(values.size):
        last = values[i] * 2
        double = last * 2
        values[i] = double
    return last, double, i


@njit(parallel=True)
def nested(a):
    n, m = a.shape
    out = np.zeros((n, m))
    for i in prange(n):
        row = 0.0
        for j in prange(m):
            row += a[i, j]
        for j in range(m):
            out[i, j] = row - a[i, j]
    return out


@njit(parallel=True)
def two_loops(a):
    b = np.empty_like(a)
    s = 0
    for i in prange(a.size):
        t = a[i] + 1
        b[i] = t
    for i in prange(a.size):
        t = b[i] * 2
        s += t
    return s


@njit(parallel=True)
def skipping(a):
    count = 0
    for i in prange(a.size):
        if a[i] < 0:
            continue
        count += 1
    return count


@njit(parallel=True)
def carried(a):
    before = 0
    for i in prange(a.size):
        a[i] += before
        before = a[i]
    return before


@njit(parallel=True)
def breaks(a):
    found = -1
    for i in prange(a.size):
        if a[i] == 7:
            found = i
            break
    return found


@njit(parallel=True)
def returns(a):
    for i in prange(a.size):
        if a[i] == 7:
            return i
    return -1


@njit(parallel=True)
def of_lists(a):
    total = 0
    for i in prange(len(a)):
        total += a[i]
    return total


@njit(parallel=True)
def shifted(a, by):
    out = np.zeros(a.size)
    for i in prange(a.size):
        out[i] = a[i + by]
    return out


@njit(parallel=True)
def quotients(a, b):
    out = np.zeros(a.size)
    for i in prange(a.size):
        out[i] = a[i] / b[i]
    return out


@njit(parallel=True)
def whole_quotients(a, b):
    out = np.zeros(a.size, np.int64)
    for i in prange(a.size):
        out[i] = a[i] // b[i] + a[i] % b[i]
    return out


@njit(parallel=True)
def raising(a):
    for i in prange(a.size):
        if a[i] == 5:
            raise ValueError("five", 5)
        assert a[i] != 6, "six"
        a[i] = -1


@njit(parallel=True)
def many_kinds(flags, small, single, z):
    count = 0
    total = np.float32(0)
    product = 1j
    for i in prange(flags.size):
        if flags[i]:
            count += small[i]
        total += single[i]
        product += z[i] * 2
    return count, total, product


@njit(parallel=True)
def conditional(n, flag):
    if flag:
        scale = 3
    total = 0
    for i in prange(n):
        if flag:
            total += scale * i
        else:
            total += i
    return total


@njit(parallel=True)
def scratch(a):
    out = np.zeros(a.size)
    for i in prange(a.size):
        t = np.zeros(3)
        u = np.empty((2, 2), dtype=np.int64)
        for j in range(5):
            t[j % 3] += a[i]
            u[j % 2, 0] = j
            u[j % 2, 1] = i
        out[i] = t[0] + t[1] * u[1, 1] + u[0, 0]
    return out


@njit(parallel=True)
def swapping(a):
    out = np.zeros(a.size)
    for i in prange(a.size):
        old = np.zeros(2)
        for j in range(3):
            new = np.zeros(2)
            new[0] = old[1] + 1
            new[1] = old[0] + a[i]
            old = new
        out[i] = old[0] + 10 * old[1]
    return out


@njit
def made():
    return np.zeros(3)


@njit(parallel=True)
def handed_out(a):
    out = np.zeros(a.size)
    for i in prange(a.size):
        t = made()
        t[0] += a[i]
        out[i] = t[0]
    return out


@njit(parallel=True, error_model="numpy")
def quotients_of_numpy(a, b):
    out = np.zeros(a.size)
    for i in prange(a.size):
        out[i] = a[i] / b[i]
    return out


@njit(parallel=True)
def printing(n):
    for i in prange(n):
        print(i)


@njit(parallel=True)
def endless(n):
    total = 0
    for i in prange(n):
        x = i
        while x >= 0:
            x ^= 1
        total += x
    return total


TABLE = np.arange(10.0)


@njit(parallel=True)
def with_globals(n):
    out = np.zeros(n)
    for i in prange(n):
        out[i] = TABLE[i % 10] * HELD + math.pi
    return out


class Native(unittest.TestCase):
    """What is compiled."""

    def check(self, function, *arguments, native=True):
        copies = [argument.copy() if isinstance(argument, np.ndarray) else argument for argument in arguments]
        expected = in_order(function)(*copies)
        given = [argument.copy() if isinstance(argument, np.ndarray) else argument for argument in arguments]
        for again in range(2):
            actual = function(*[argument.copy() if isinstance(argument, np.ndarray) else argument for argument in given])
            np.testing.assert_equal(actual, expected)
        for loop in loops_of(function):
            self.assertEqual(bool(loop._native) and loop._refused == set(), native, function.__name__)

    def test_mandelbrot(self):
        self.check(mandelbrot, 40, 50, 100)

    def test_reductions(self):
        for size in (1, 2, 3, 255, 256, 257, 3000):
            self.check(sums, np.arange(1, size + 1) % 3)
        self.check(bits, np.array([7, 15, 23] * 100))
        self.check(differences, 10, np.arange(3000))
        self.check(skipping, np.arange(-500, 3000))
        self.check(many_kinds, np.arange(3000) % 2 == 0, np.arange(3000), np.arange(3000, dtype=np.float32) % 16,
                   np.arange(3000) * 1j)

    def test_wraparound(self):
        self.assertEqual(sums(np.full(64, 2**40 + 1))[1], pow(2**40 + 1, 64, 2**64) - (2**64 if pow(2**40 + 1, 64, 2**64) >= 2**63 else 0))

    def test_calls_and_globals(self):
        global HELD, TABLE
        for HELD in (3, 11):
            self.check(with_calls, 5000)
            self.check(with_globals, 5000)
        TABLE[3] = 100
        self.check(with_globals, 5000)
        TABLE = np.arange(20.0) / 3
        self.check(with_globals, 5000)

    def test_ranges(self):
        values = np.arange(5000)
        for bounds in ((0, 5000, 1), (10, 4000, 3), (4999, -1, -1), (4999, 10, -7), (-5, -2000, -1), (5, 5, 1), (9, 3, 1), (7, 8, 1)):
            self.check(stepped, values, *bounds)
        self.check(stepped, values[::-2], 0, 2500, 1)

    def test_names(self):
        self.check(kept, np.arange(4000))
        self.check(two_loops, np.arange(4000))
        self.check(conditional, 4000, True)
        self.check(conditional, 4000, False, native=True)

    def test_nested(self):
        self.check(nested, np.arange(600.0).reshape(20, 30))
        self.check(nested, np.asfortranarray(np.arange(600.0).reshape(20, 30)))

    def test_scratch(self):
        self.check(scratch, np.arange(3000.0))

    def test_empty(self):
        self.assertEqual(of_lists([]), 0)
        with self.assertRaises(UnboundLocalError):
            kept(np.arange(0))


class InOrder(unittest.TestCase):
    """What is not."""

    check = Native.check

    def test_carried(self):
        self.check(carried, np.arange(100), native=False)
        self.check(breaks, np.arange(100), native=False)
        self.check(returns, np.arange(100), native=False)

    def test_types(self):
        self.check(of_lists, [1, 2, 3], native=False)
        self.check(of_lists, np.arange(3), native=False)
        self.assertEqual(of_lists(np.arange(3000)), 4498500)

    def test_arrays(self):
        self.check(swapping, np.arange(300.0), native=False)
        self.check(handed_out, np.arange(300.0), native=False)

    def test_print(self):
        with contextlib.redirect_stdout(io.StringIO()) as written:
            printing(300)
        self.assertEqual(written.getvalue().split(), [str(i) for i in range(300)])

    def test_huge_numbers(self):
        self.assertEqual(stepped(np.arange(3), 2**70, 2**70, 1).tolist(), [0, 0, 0])
        self.assertEqual(from_number(2**70, 100), 2**70 + 4950)


@njit(parallel=True)
def counted(n, rounds):
    out = np.zeros(n, np.int64)
    for i in prange(n):
        for k in range(rounds):
            out[i] += k
    return out


class Errors(unittest.TestCase):
    """What the body raises."""

    def test_index(self):
        for by in (1, 5000, -4001, -2**62, 2**62):
            with self.assertRaisesRegex(IndexError, "index -?[0-9]+ is out of bounds for axis 0 with size 3000"):
                shifted(np.arange(3000.0), by)
        self.assertEqual(shifted(np.arange(3000.0), -3000).tolist(), list(range(3000)))

    def test_range_of_a_float(self):
        self.assertEqual(counted(3000, 4)[2999], 6)
        with self.assertRaisesRegex(TypeError, "'float' object cannot be interpreted as an integer"):
            counted(3000, 4.0)

    def test_division(self):
        a, b = np.arange(3000), np.ones(3000, np.int64)
        self.assertEqual(quotients(a, b).tolist(), a.tolist())
        b[2000] = 0
        for function in (quotients, whole_quotients):
            with self.assertRaises(ZeroDivisionError):
                function(a, b)

    def test_division_of_numpy(self):
        a, b = np.arange(3.0), np.zeros(3)
        np.testing.assert_equal(quotients_of_numpy(a, b), [math.nan, math.inf, math.inf])

    def test_signals(self):
        def stop(*arguments):
            raise KeyboardInterrupt

        before = signal.signal(signal.SIGALRM, stop)
        try:
            for n in (1, 8, 5000):
                signal.setitimer(signal.ITIMER_REAL, 0.3)
                with self.assertRaises(KeyboardInterrupt):
                    endless(n)
        finally:
            signal.signal(signal.SIGALRM, before)

    def test_raise(self):
        with self.assertRaises(ValueError) as caught:
            raising(np.full(3000, 5))
        self.assertEqual(caught.exception.args, ("five", 5))
        with self.assertRaisesRegex(AssertionError, "six"):
            raising(np.full(3000, 6))

    def test_traceback(self):
        try:
            raising(np.full(3000, 5))
        except ValueError as error:
            trace = error.__traceback__
        while trace.tb_next is not None:
            trace = trace.tb_next
        self.assertEqual(trace.tb_frame.f_code.co_name, "raising")
        self.assertIn("raise ValueError", inspect.getsource(raising).splitlines()[trace.tb_lineno - inspect.getsourcelines(raising)[1]])

    def test_read_only(self):
        fixed = np.arange(3000)
        fixed.flags.writeable = False
        with self.assertRaisesRegex(ValueError, "read-only"):
            raising(fixed)


support.main()
