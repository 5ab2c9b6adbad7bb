"""Loops over prange: threads and chunks, where they run, what the report tells, and random numbers."""

import math
import os
import random
import subprocess
import sys
import tempfile
import textwrap
import unittest

import support
import numpy as np
from numba import njit, prange
import numba


@njit(parallel=True)
def remainders(n):
    total = 0
    for i in prange(n):
        total += i % 3
    return total


@njit(parallel=True)
def float_sum(a):
    total = 0.0
    for i in prange(a.size):
        total += math.sqrt(a[i])
    return total


@njit
def throw():
    return np.random.uniform(-1.0, 1.0) ** 2 + (2.0 * random.random() - 1.0) ** 2 < 1.0


@njit(parallel=True)
def circle(n):
    hits = 0
    for i in prange(n):
        if throw():
            hits += 1
    return 4.0 * hits / n


@njit(parallel=True)
def distributions(n):
    ones = np.zeros((8, n))
    for i in prange(n):
        ones[0, i] = np.random.rand()
        ones[1, i] = np.random.normal(2.0, 3.0)
        ones[2, i] = np.random.randint(10)
        ones[3, i] = random.randint(1, 6)
        ones[4, i] = random.gauss(0.0, 1.0)
        ones[5, i] = np.random.exponential(2.0)
        ones[6, i] = np.random.randn()
        ones[7, i] = random.uniform(4, 6)
    return ones


@njit(parallel=True)
def arrays_of_numbers(n):
    total = 0.0
    for i in prange(n):
        total += np.random.rand(3).sum()
    return total


class Settings(unittest.TestCase):
    """Threads, chunks, and where loops run."""

    def test_threads(self):
        values = np.arange(100000.0)
        expected = float_sum(values)
        self.assertAlmostEqual(expected, np.sqrt(values).sum(), delta=1e-3)
        count = numba.get_num_threads()
        for threads in range(1, count + 1):
            numba.set_num_threads(threads)
            self.assertEqual(float_sum(values), expected)
        numba.set_num_threads(count)

    def test_chunks(self):
        for size in (1, 7, 100000):
            with numba.parallel_chunksize(size):
                self.assertEqual(remainders(3000), sum(i % 3 for i in range(3000)))

    def run_apart(self, text, **environment):
        made = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, env={**os.environ, "KILN_NUMBA": "1", **environment})
        self.assertEqual(made.returncode, 0, made.stderr)
        return made

    def test_offload(self):
        text = textwrap.dedent("""
            import numba
            @numba.njit(parallel=True)
            def total(n):
                s = 0
                for i in numba.prange(n):
                    s += i
                return s
            print(total(3000))
            """)
        self.assertEqual(self.run_apart(text, KILN_OFFLOAD="gpu", KILN_LOG="").stdout, "4498500\n")

    def test_fastmath(self):
        """Only where it is asked for are floats added in another order."""
        text = textwrap.dedent("""
            import numba
            @numba.njit(parallel=True, fastmath=GIVEN)
            def total(n):
                s = 0.0
                for i in numba.prange(n):
                    for k in range(n):
                        s += float(k)
                return s
            print(total(300))
            """)
        for given, reorders in (("True", True), ("{'reassoc', 'nsz'}", True), ("False", False), ("{'contract'}", False)):
            made = self.run_apart(text.replace("GIVEN", given), KILN_DUMP="llvm")
            self.assertEqual((made.stdout, "fadd reassoc" in made.stderr), ("13455000.0\n", reorders), given)

    def test_fastmath_of_the_same_text(self):
        """A loop is not given the code of one with the same text and fastmath, which is kept in a folder."""
        text = textwrap.dedent("""
            import numba, numpy
            def made(**options):
                @numba.njit(parallel=True, **options)
                def dot(a, b, out):
                    for i in numba.prange(out.shape[0]):
                        s = 0.0
                        for j in range(a.shape[1]):
                            s += a[i, j] * b[i, j]
                        out[i] = s
                    return out[0]
                return dot
            a = numpy.random.default_rng(1).random((4, 10007))
            quick, strict = (made(fastmath=given)(a, a, numpy.zeros(4)) for given in (True, False))
            expected = 0.0
            for x in a[0].tolist():
                expected += x * x
            print(strict == expected, abs(quick - expected) < 1e-6)
            """)
        with tempfile.TemporaryDirectory() as folder:
            for _ in range(2):
                self.assertEqual(self.run_apart(text, KILN_CACHE_DIR=folder).stdout, "True True\n")

    def test_report(self):
        text = textwrap.dedent("""
            import numba
            @numba.njit(parallel=True)
            def total(values):
                s = 0
                for i in numba.prange(len(values)):
                    s += values[i]
                for i in numba.prange(len(values)):
                    if i:
                        break
                return s
            print(total([1, 2, 3]), total((1, 2, 3)))
            """)
        told = self.run_apart(text, KILN_REPORT="1").stderr
        self.assertIn("prange in order: total <string>:6\n       kernels cannot take arguments of type 'list'", told)
        self.assertIn("prange in order: total <string>:8\n       it has a break", told)
        self.assertIn("total, prange", told)


class Random(unittest.TestCase):
    """Random numbers."""

    def test_seeds(self):
        given = []
        for seed in (1, 1, 2):
            np.random.seed(seed)
            random.seed(seed)
            given.append((circle(50000), circle(50000)))
        self.assertEqual(given[0], given[1])
        self.assertEqual(len({*given[0], *given[2]}), 4)
        self.assertAlmostEqual(given[0][0], math.pi, delta=0.05)

    def test_untouched(self):
        random.seed(1)
        np.random.seed(1)
        expected = random.random(), np.random.rand()
        random.seed(1)
        np.random.seed(1)
        float_sum(np.arange(5000.0))
        self.assertEqual((random.random(), np.random.rand()), expected)

    def test_distributions(self):
        np.random.seed(3)
        random.seed(3)
        made = distributions(40000)
        np.testing.assert_allclose(made.mean(axis=1), [0.5, 2, 4.5, 3.5, 0, 2, 0, 5], atol=0.06)
        np.testing.assert_allclose(made.std(axis=1), [12**-0.5, 3, 8.25**0.5, 35**0.5 / 12**0.5, 1, 2, 1, 3**-0.5], rtol=0.03)
        self.assertEqual([set(made[row]) for row in (2, 3)], [set(range(10)), set(range(1, 7))])
        self.assertEqual(len(set(made[0])), 40000)
        self.assertLess(np.abs(np.corrcoef(made)[np.triu_indices(8, 1)]).max(), 0.03)
        self.assertLess(abs(np.corrcoef(made[0, :-1], made[0, 1:])[0, 1]), 0.03)

    def test_arrays(self):
        self.assertAlmostEqual(arrays_of_numbers(1000) / 3000, 0.5, delta=0.1)


support.main()
