"""cmath in kernels, and NumPy's functions of complex numbers."""

import cmath
import math
import unittest

from support import main  # before NumPy: skips the tests where there is none

import numpy as np
from numba import cuda


class ComplexFunctions(unittest.TestCase):
    ONE = "exp log log10 sqrt sin cos tan sinh cosh tanh asin acos atan asinh acosh atanh".split()

    def test_values(self) -> None:
        rng = np.random.default_rng(5)
        z = rng.normal(size=40) + 1j * rng.normal(size=40)
        z[:6] = [0.5, -0.5j, 1 + 1j, -2, 3j, 0.25 - 0.75j]
        for name in self.ONE:
            function = getattr(cmath, name)

            def body(z, out):
                i = cuda.grid(1)
                if i < z.size:
                    out[i] = function(z[i])

            out = np.zeros_like(z)
            cuda.jit(body)[1, 64](z, out)
            np.testing.assert_allclose(out, [function(value) for value in z], rtol=1e-12, atol=1e-12, err_msg=name)

    def test_narrow_values(self) -> None:
        rng = np.random.default_rng(6)
        z = (rng.normal(size=40) + 1j * rng.normal(size=40)).astype(np.complex64)
        z[:5] = [0.5, -0.5j, 1 + 1j, 3j, 0.25 - 0.75j]
        for name in self.ONE:
            function = getattr(cmath, name)

            def body(z, out):
                i = cuda.grid(1)
                if i < z.size:
                    out[i] = function(z[i])

            out = np.zeros_like(z)
            cuda.jit(body)[1, 64](z, out)
            np.testing.assert_allclose(out, [function(complex(value)) for value in z], rtol=1e-5, atol=1e-5, err_msg=name)

    def test_truth(self) -> None:
        @cuda.jit
        def kernel(z, out):
            i = cuda.grid(1)
            out[i] = np.bool_(z[i]) + 2 * bool(z[i]) + 4 * (not z[i])

        z, out = np.array([0, 1j, -0.0, 1, complex(math.nan, 0)], np.complex64), np.zeros(5)
        kernel[1, 5](z, out)
        np.testing.assert_array_equal(out, [4, 3, 4, 3, 3])

    def test_special_values(self) -> None:
        """As CPython has them, where it has a value; zeros may have another sign."""
        different = []
        parts = [math.nan, -math.inf, math.inf, 0.0, -0.0, 1.0, -2.5, 1e308, -1e200, 1e-300]
        z = np.array([complex(a, b) for a in parts for b in parts])
        for name in [name for name in self.ONE if name not in ("exp", "cosh", "sinh", "cos", "sin")] + ["rect"]:
            function = getattr(cmath, name)

            def of_one(z, out):
                i = cuda.grid(1)
                out[i] = function(z[i])

            def of_two(z, out):
                i = cuda.grid(1)
                out[i] = function(z[i].real, z[i].imag)

            out = np.zeros_like(z)
            cuda.jit(of_two if name == "rect" else of_one)[1, z.size](z, out)
            for value, found in zip(z, out):
                try:
                    expected = function(value.real, value.imag) if name == "rect" else function(value)
                except (ValueError, OverflowError):
                    continue
                for one, other in zip((found.real, found.imag), (expected.real, expected.imag)):
                    same = one == other or (math.isnan(one) and math.isnan(other)) or abs(one - other) <= 1e-12 * abs(other)
                    if not same:
                        different.append((name, value, found, expected))
        self.assertEqual(different, [], "\n".join(map(repr, different)))

    def test_others(self) -> None:
        @cuda.jit
        def kernel(z, out):
            r, phi = cmath.polar(z[0])
            out[0] = cmath.rect(r, phi)
            out[1] = cmath.phase(z[0])
            out[2] = cmath.isnan(z[0]) + 2 * cmath.isinf(z[1]) + 4 * cmath.isfinite(z[0])
            out[3] = cmath.pi * cmath.e
            out[4] = cmath.log(z[0], 2)

        z, out = np.array([3 - 4j, complex(math.inf, 1)]), np.zeros(5, complex)
        kernel[1, 1](z, out)
        np.testing.assert_allclose(out, [3 - 4j, cmath.phase(3 - 4j), 6, math.pi * math.e, cmath.log(3 - 4j, 2)])

    def test_ufuncs(self) -> None:
        """Of numbers and of arrays."""
        rng = np.random.default_rng(7)
        z = rng.normal(size=20) + 1j * rng.normal(size=20)
        for name in "sin cos tan arcsin arccos arctan sinh cosh tanh arcsinh arccosh arctanh exp expm1 log log2 log10 log1p sqrt".split():
            function = getattr(np, name)

            def of_numbers(z, out):
                i = cuda.grid(1)
                if i < z.size:
                    out[i] = function(z[i])

            def of_arrays(z, out):
                function(z, out)

            for body, dtype, error in (of_numbers, np.complex128, 1e-12), (of_arrays, np.complex64, 1e-4):
                out = np.zeros(z.size, dtype)
                cuda.jit(body)[1, 32 if body is of_numbers else 1](z.astype(dtype), out)
                np.testing.assert_allclose(out, function(z), rtol=error, atol=error, err_msg=name)


if __name__ == "__main__":
    main()
