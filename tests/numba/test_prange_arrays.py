"""Loops over prange with arrays of their own: reductions of arrays, arrays of a run-time size, threads' numbers; prange by other names."""

import unittest

import support
from support import in_order, loops_of
import numpy as np
import numba as nb
from numba import get_thread_id, njit, prange, prange as parallel_range
import numba

renamed = nb.prange
xrange = range  # not prange, though it is the same object
FACTOR = 3


@njit(parallel=True)
def summed(rows, total):
    for i in prange(len(rows)):
        total += rows[i]
    return total


@njit(parallel=True)
def less(rows, total):
    for i in prange(len(rows)):
        if i % 3:
            total -= rows[i]
        total -= 1
    return total


@njit(parallel=True)
def multiplied(rows, total):
    count = 0
    for i in prange(len(rows)):
        total *= rows[i]
        count += 1
    return total, count


@njit(parallel=True)
def bits(rows, some, every, odd):
    for i in prange(len(rows)):
        some |= rows[i]
        every &= rows[i]
        odd ^= rows[i]
    return some, every, odd


@njit(parallel=True)
def made_inside(rows):
    total = np.zeros(rows.shape[1])
    n = rows.shape[1]
    for i in prange(len(rows)):
        part = np.empty(n)
        for k in range(n):
            part[k] = rows[i, k] * FACTOR
        total += part
    return total


@njit(parallel=True)
def scratch(a, n):
    out = np.zeros(len(a))
    single = np.float32
    for i in nb.prange(len(a)):
        t = np.zeros((n, 2), np.int64)
        u = np.ones_like(a)
        for k in range(n):
            t[k, k % 2] += i
        t += 1
        u[0] += a[i]
        if i % 2:
            v = np.ones(max(n, 2) + a.shape[0], dtype=np.float32)
            v[-1] = u[0]
            out[i] += v[-1] + v.sum()
        out[i] += t.sum() + u[0] + u[-1]
    return out


@njit(parallel=True)
def swapped(a, n):
    """Both names of two arrays are good until the iteration ends."""
    out = np.zeros(len(a))
    for i in nb.prange(len(a)):
        old = np.zeros(n)
        new = np.zeros(n)
        for step in range(3):
            for k in range(n):
                new[k] = old[n - 1 - k] + a[i] + k
            old, new = new, old
        out[i] = old[0] + 10 * new[1]
    return out


@njit(parallel=True)
def in_inner_loop(a, n):
    out = np.zeros(len(a))
    for i in prange(len(a)):
        old = np.zeros(n)
        for step in range(3):
            new = np.zeros(n)
            new[0] = old[1] + a[i]
            new[1] = old[0]
            old = new
        out[i] = old[0] + 10 * old[1]
    return out


@njit(parallel=True)
def of_changing_size(a):
    total = 0.0
    for i in prange(len(a)):
        t = np.ones(i % 5 + 1)
        total += t.sum()
    return total


@njit(parallel=True)
def negative_size(a, n):
    total = 0.0
    for i in prange(len(a)):
        t = np.zeros(n)
        total += t.sum()
    return total


@njit(parallel=True)
def by_thread(n, m):
    counts = np.zeros((nb.get_num_threads(), m), np.int64)
    wrong = 0
    for i in prange(n):
        thread = get_thread_id()
        if thread < 0 or thread >= numba.get_num_threads():
            wrong += 1
        for k in range(m):
            counts[thread, k] += k
    return counts.sum(), wrong


@njit(parallel=True)
def other_names(n):
    total = 0
    for i in parallel_range(n):
        total += i
    for i in renamed(n):
        total += i
    return total


@njit(parallel=True)
def plain_range(a):
    for i in xrange(1, len(a)):
        a[i] += a[i - 1]
    return a


@njit(parallel=True)
def rebound(rows, total):
    for i in prange(len(rows)):
        total = total + rows[i]
    return total


@njit(parallel=True)
def rows_of(a, b):
    for i in prange(len(a)):
        a[i] += b
        a[i, 1:] *= 2
        a[i][:1] = b[:1]
    return a


@njit(parallel=True)
def shifted(a):
    for i in prange(len(a)):
        a[i, 1:] += a[i, :-1]
    return a


@njit(parallel=True)
def too_short(a, b):
    for i in prange(len(a)):
        a[i] = b
    return a


@njit(parallel=True)
def computed_rows(a, b, c):
    for i in prange(len(a)):
        a[i] = b[i] * 2 + c
        a[i] = a[i] - b[i] / 4 * (c - 1)
    return a


@njit(parallel=True)
def computed_parts(a, b):
    for i in prange(len(a)):
        a[i, 1:] = b[i, :-1] * 2 - b[i, 1:]
        a[i, ::2] = 3 - b[0, ::2] * i
    return a


@njit(parallel=True)
def masked_rows(a, b):
    for i in prange(len(a)):
        a[i] = (b[i] & 12) | (a[i] ^ i)
    return a


@njit(parallel=True)
def divided_rows(a, b):
    for i in prange(len(a)):
        a[i] = b[i] / b[0, 0]
    return a


@njit(parallel=True)
def moved_along(a):
    for i in prange(len(a)):
        a[i, 1:] = a[i, :-1]
    return a


@njit(parallel=True)
def moved_from(a, b):
    for i in prange(len(a)):
        a[i, 1:] = b[i, :-1]
    return a


@njit(parallel=True)
def moved_and_computed(a, b):
    for i in prange(len(a)):
        a[i, 1:] = b[i, :-1] + 1
    return a


@njit(parallel=True, fastmath=True)
def quick(a):
    total = 0.0
    for i in prange(len(a)):
        for k in range(a.shape[1]):
            total += a[i, k] * a[i, k]
    return total


@njit(parallel=True, fastmath=True)
def special(a):
    total = 0.0
    for i in prange(len(a)):
        for k in range(a.shape[1]):
            if a[i, k] != a[i, k]:
                total += 1
    return total


@njit(parallel=True)
def after_the_last(a, b):
    for i in prange(a.shape[0]):
        for j in range(1, a.shape[1]):
            b[i, j] = a[i, j - 1] * 0.5 + 1.0
    return b


@njit(parallel=True)
def smoothed(a, b, scratch):
    for i in prange(a.shape[0]):
        row = np.zeros(a.shape[1])
        for j in range(1, a.shape[1] - 1):
            row[j] = a[i, j - 1] + a[i, j + 1]
        for j in range(a.shape[1]):
            b[i, j] = row[j] + scratch[i]
            scratch[i] += a[i, j]
    return b


NAMED = np.arange(60000.0).reshape(3000, 20)


@njit(parallel=True)
def beside_a_global(b):
    for i in prange(b.shape[0]):
        for j in range(1, b.shape[1]):
            b[i, j] = b[i, j - 1] + NAMED[0, j]
    return b


class Arrays(unittest.TestCase):
    def check(self, function, *arguments, native=True, close=False):
        def copies():
            return [argument.copy() if isinstance(argument, np.ndarray) else argument for argument in arguments]

        plain, given = copies(), copies()
        expected = in_order(function)(*plain)
        for again in range(2):
            given = copies()
            actual = function(*given)
            compare = np.testing.assert_allclose if close else np.testing.assert_equal
            for one, other in zip(*((value if isinstance(value, tuple) else (value,)) for value in (actual, expected)), strict=True):
                compare(one, other)
                self.assertEqual(getattr(one, "dtype", None), getattr(other, "dtype", None))
            for one, other in zip(given, plain):  # what is changed in place is
                compare(one, other)
        for loop in loops_of(function):
            self.assertEqual(bool(loop._native) and loop._refused == set(), native, function.__name__)

    def test_reductions(self):
        for count in (1, 2, 255, 257, 5000):
            rows = np.arange(count * 3).reshape(count, 3) % 7
            for dtype in (np.int64, np.int32, np.uint8, np.float64, np.complex128):
                self.check(summed, rows.astype(dtype), np.arange(3).astype(dtype))
            self.check(less, rows, np.arange(3))
            self.check(multiplied, rows | 1, np.arange(1, 4))
            self.check(bits, rows, np.zeros(3, np.int64), np.full(3, -1), np.arange(3))
            self.check(made_inside, rows.astype(float))
        self.check(summed, np.ones((3000, 4, 5)), np.zeros((4, 5)))
        self.check(summed, np.ones((3000, 4, 5)), np.zeros((5, 4)).T)
        self.check(summed, np.ones((3000, 5)), np.zeros((4, 5)))
        self.check(summed, np.ones((3000, 1)), np.zeros((4, 5)))
        self.check(summed, np.arange(3000.0), np.zeros(5))
        big = np.ones((90, 100_000))
        self.check(summed, big, np.zeros(100_000))

    def test_reduction_keeps_its_array(self):
        total = np.zeros(3)
        view = total[:]
        self.assertIs(summed(np.ones((3000, 3)), total), total)
        self.assertEqual(view.tolist(), [3000.0] * 3)

    def test_float_order(self):
        rows = np.random.default_rng(1).uniform(size=(5000, 3)).astype(np.float32)
        self.check(summed, rows.astype(float), np.zeros(3), close=True)
        count = numba.get_num_threads()
        made = set()
        for threads in range(1, count + 1):
            numba.set_num_threads(threads)
            made.add(summed(rows, np.zeros(3, np.float32)).tobytes())
        numba.set_num_threads(count)
        self.assertEqual(len(made), 1)

    def test_refused_reductions(self):
        self.check(rebound, np.ones((300, 3)), np.zeros(3), native=False)
        for rows, total in ((np.ones((300, 3)), np.zeros(3, np.int64)), (np.ones((300, 4)), np.zeros(3)), (np.ones((300, 3)), np.zeros((2, 4)))):
            with self.assertRaises((TypeError, ValueError)) as plain:
                in_order(summed)(rows, total.copy())
            with self.assertRaises(type(plain.exception)):
                summed(rows, total.copy())
        fixed = np.zeros(3)
        fixed.flags.writeable = False
        with self.assertRaisesRegex(ValueError, "read-only"):
            summed(np.ones((300, 3)), fixed)

    def test_scratch(self):
        for n in (1, 2, 7):
            self.check(scratch, np.arange(3000.0), n)
        self.check(swapped, np.arange(3000.0), 5)

    def test_scratch_in_order(self):
        self.check(in_inner_loop, np.arange(300.0), 4, native=False)
        self.check(of_changing_size, np.arange(300.0), native=False)
        with self.assertRaisesRegex(ValueError, "negative dimensions"):
            negative_size(np.arange(300.0), -1)
        self.assertEqual(negative_size(np.arange(0.0), -1), 0.0)

    def test_threads(self):
        for again in range(20):
            self.assertEqual(by_thread(100_000, 3), (300_000, 0))
        self.assertEqual(loops_of(by_thread)[0]._refused, set())

    def test_names(self):
        self.assertEqual(len(loops_of(other_names)), 2)
        self.check(other_names, 5000)
        self.assertEqual(loops_of(plain_range), [])
        self.check(plain_range, np.arange(5000))

    def test_whole_rows(self):
        self.check(rows_of, np.arange(9000.0).reshape(3000, 3), np.arange(3.0))
        self.check(rows_of, np.arange(9000).reshape(3000, 3), np.arange(1))
        self.check(shifted, np.arange(9000).reshape(3000, 3), native=False)
        with self.assertRaises(ValueError):
            too_short(np.zeros((3000, 3)), np.zeros(2))
        self.check(too_short, np.zeros((3000, 3)), np.ones(1))

    def test_computed_rows(self):
        values = np.random.default_rng(3).uniform(size=(3000, 5))
        for c in (np.arange(5.0), np.arange(1.0), np.arange(10.0)[::-2]):
            self.check(computed_rows, np.zeros((3000, 5)), values, c)
        self.check(computed_rows, np.zeros((3000, 5), np.complex128), values + 1j, np.arange(5.0))
        self.check(computed_rows, np.zeros((3000, 5), order="F"), values, np.arange(5.0))
        self.check(computed_parts, np.zeros((3000, 5)), values)
        self.check(computed_parts, np.zeros((3000, 5), np.int64), np.arange(15000).reshape(3000, 5))
        self.check(masked_rows, np.arange(15000).reshape(3000, 5), np.arange(15000).reshape(3000, 5))
        self.check(divided_rows, np.zeros((3000, 5)), values + 1, native=False)
        for short in (np.zeros(4), np.zeros((2, 3, 5))):
            with self.assertRaises(ValueError):
                computed_rows(np.zeros((3000, 5)), values, short)

    def test_rows_that_overlap(self):
        values = np.arange(15000.0).reshape(3000, 5)
        self.check(moved_along, values, native=False)
        for move in (moved_from, moved_and_computed):
            self.check(move, np.zeros((3000, 5)), values)
            for part in (slice(None), slice(None, None, -1)):
                given, plain = values.copy(), values.copy()
                move(given, given[:, part])
                in_order(move)(plain, plain[:, part])
                np.testing.assert_equal(given, plain)

    def test_memory(self):
        """Arrays that share memory, and then others that do not, or the other way round: each has its own code."""
        values = np.arange(60000.0).reshape(3000, 20)
        for first in range(2):
            for shared in (first, 1 - first, first):
                for parts in ((np.s_[:, :-1], np.s_[:, 1:]), (np.s_[:], np.s_[:]), (np.s_[:, ::2], np.s_[:, 1::2]), (np.s_[:, ::-1], np.s_[:])):
                    plain, given = values.copy(), values.copy()
                    in_order(after_the_last)(plain[parts[0]], plain[parts[1]] if shared else values.copy()[parts[1]])
                    after_the_last(given[parts[0]], given[parts[1]] if shared else values.copy()[parts[1]])
                    np.testing.assert_equal(given, plain)
        self.check(after_the_last, values, np.zeros((3000, 20)))
        self.check(smoothed, values, np.zeros((3000, 20)), np.zeros(3000))
        given, plain = values.copy(), values.copy()
        smoothed(given, given, given[:, 3])
        in_order(smoothed)(plain, plain, plain[:, 3])
        np.testing.assert_equal(given, plain)

    def test_global_memory(self):
        expected = in_order(beside_a_global)(NAMED.copy())
        np.testing.assert_equal(beside_a_global(NAMED.copy()), expected)

    def test_fastmath(self):
        values = np.random.default_rng(2).uniform(size=(3000, 50))
        self.check(quick, values, close=True)
        values[7, 7] = np.nan
        self.check(special, values)


support.main()
