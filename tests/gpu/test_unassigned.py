"""Names that some paths do not assign: 0 where such a path led, as in numba."""

import unittest

from support import main  # before NumPy: skips the tests where there is none

import numpy as np
from numba import cuda
from numba.core.errors import TypingError


def value(body, n: int, kind=np.float64):
    """What a device function returns for n, stored as a number of this kind."""
    function = cuda.jit(body, device=True)

    @cuda.jit
    def kernel(out, n):
        out[0] = function(n)

    out = np.full(1, -1, kind)
    kernel[1, 1](out, n)
    return out[0]


def constant(n):
    if n > 0:
        x = 3
    return x


def part(n):
    if n > 0:
        pair = (1, 2.5)
    return pair[1]


def in_loop(n):
    for i in range(n):
        last = i * 2
    return last + i


def found(n):
    while n > 0:
        if n == 3:
            best = n
        n -= 1
    return best


def complex_sum(n):
    if n > 0:
        z = n + 1j
    return z.real + z.imag


def narrow(n):
    if n > 0:
        x = np.float32(n)
    return x


def endless(n):
    """Valid Python for each n: the break comes before the assignment."""
    while True:
        if n > 5:
            break
        n += 1
        z = n
    return z


def counted(n):
    for i in range(10):
        if i > n:
            break
        before = i
    else:
        before = 70
    return before


class Unassigned(unittest.TestCase):
    def test_values(self) -> None:
        for body, n, expected in (
            (constant, 0, 0), (constant, 1, 3), (part, 0, 0), (part, 1, 2.5), (in_loop, 0, 0), (in_loop, 3, 6), (found, 2, 0),
            (found, 5, 3), (narrow, 0, 0), (narrow, 2, 2), (complex_sum, 0, 0), (complex_sum, 2, 3), (endless, 0, 6), (endless, 9, 0),
            (counted, 4, 4), (counted, 20, 70), (counted, -1, 0),
        ):
            with self.subTest(body=body.__name__, n=n):
                self.assertEqual(value(body, n), expected)

    def test_each_thread(self) -> None:
        """No thread sees what another one assigned, across barriers, or in an earlier launch."""

        @cuda.jit
        def kernel(out, n):
            shared = cuda.shared.array(64, np.int64)
            t = cuda.threadIdx.x
            if t < n:
                x = t + 10
            shared[t] = t
            cuda.syncthreads()
            out[cuda.grid(1)] = x + 100 * shared[63 - t]

        out = np.zeros(128, np.int64)
        for n in 64, 2, 0:
            kernel[2, 64](out, n)
            expected = [(t + 10 if t < n else 0) + 100 * (63 - t) for t in range(64)]
            self.assertEqual(out.tolist(), expected * 2)

    def test_in_loops_of_threads(self) -> None:
        @cuda.jit
        def kernel(out, a):
            for i in range(cuda.grid(1), a.size, cuda.gridsize(1)):
                if a[i] > 0:
                    sign = 1
                elif a[i] < 0:
                    sign = -1
                out[i] = sign

        a = np.array([0, 1, 0, -1, -2, 0, 3, 0])
        out = np.zeros(8, int)
        kernel[2, 4](out, a)
        self.assertEqual(out.tolist(), [0, 1, 0, -1, -1, 0, 1, 0])

    def test_kept_values(self) -> None:
        """A name keeps what an earlier pass of its loop assigned."""

        @cuda.jit
        def kernel(out, a):
            for i in range(a.size):
                if a[i] > 0:
                    seen = a[i]
                out[i] = seen

        out = np.zeros(6, int)
        kernel[1, 1](out, np.array([0, 4, 0, 0, 7, -1]))
        self.assertEqual(out.tolist(), [0, 4, 4, 4, 7, 7])

    def test_of_the_pass_before(self) -> None:
        """Loops that read what they assign behind that."""

        @cuda.jit
        def kernel(out, a):
            for i in range(a.size):
                if i > 0:
                    out[0] += a[i] - last
                last = a[i]
            for j in range(3):
                if j == 2:
                    out[1] = pair[0] + pair[1]
                    row[0] = 9
                pair = (j, a[j])
                row = a[j:]
            i = 0
            while i < a.size:
                now = before + 1 if i > 0 else 0
                out[2] += now
                before = now
                i += 1
            for j in range(2):
                for i in range(a.size):
                    if j > 0:
                        out[3] += outer
                outer = a[0]

        a, out = np.array([1.0, 2, 4, 8]), np.zeros(4)
        kernel[1, 1](out, a)
        self.assertEqual((out.tolist(), a.tolist()), ([7, 3, 6, 4], [1, 9, 4, 8]))

    def test_in_a_loop(self) -> None:
        """Likewise where only what is behind the loop assigns it."""

        def never(out, a):
            for i in range(a.size):
                for j in range(3):
                    if a[i] > 100:
                        out[j] += late
            for k in (1, 2):
                if a[0] > 200:
                    out[0] = k + late
            while a[0] > 300 and late > 1:
                out[0] = 3
            late = a[0]
            out[3] = late

        kernel = cuda.jit(never)
        out = np.zeros(4)
        kernel[1, 1](out, np.array([1.0, 2.0]))
        self.assertEqual(out.tolist(), [0, 0, 0, 1])
        with self.assertRaisesRegex(UnboundLocalError, "cannot access local variable 'late'"):
            kernel[1, 1](out, np.array([1.0, 200.0]))

    def test_in_a_branch(self) -> None:
        """Where no path has assigned a name, as in a branch that is never taken: the thread that takes it has Python's error."""

        @cuda.jit(device=True)
        def step(x, n):
            if n > 3:
                q = x
            else:
                q = q + x
            return q

        @cuda.jit
        def kernel(out, n):
            if n > 0:
                x = n
            else:
                x = last * 2
                out[2] = x
            last = x + 1
            out[0] = step(last, n + 3)
            if n < 0:
                del gone
            gone = 4
            out[1] = gone

        out = np.zeros(3)
        kernel[1, 1](out, 5)
        self.assertEqual(out.tolist(), [6, 4, 0])
        with self.assertRaisesRegex(UnboundLocalError, "cannot access local variable 'last'"):
            kernel[1, 1](out, 0)

        def always(out):
            out[0] = late
            late = 3

        with self.assertRaisesRegex(TypingError, "'late' is used before it is assigned"):
            cuda.jit(always)[1, 1](out)

        def nowhere(out, n):
            if n > 0:
                out[0] = no_such_name

        with self.assertRaisesRegex(TypingError, "name 'no_such_name' is not defined"):
            cuda.jit(nowhere)[1, 1](out, 0)


if __name__ == "__main__":
    main()
