"""mpmath: constants, special functions, sums, integrals and roots to many digits."""

import sys

import mpmath

BENCH = {"size": 130, "small": 15}


def run(size):
    with mpmath.workdps(30 + size):
        values = [
            mpmath.zeta(3) + mpmath.gamma(mpmath.mpf(7) / 3),
            mpmath.quad(lambda x: mpmath.exp(-x * x) * mpmath.cos(x), [0, 1, 4]),
            mpmath.nsum(lambda n: 1 / (n * n + 1), [0, mpmath.inf]),
            mpmath.findroot(lambda x: mpmath.cos(x) - x, 0.7),
            mpmath.besselj(2, mpmath.mpf(5) / 2) + mpmath.erf(mpmath.mpf(1) / 3),
            mpmath.det(mpmath.matrix([[mpmath.mpf(1) / (i + j + 1) for j in range(7)] for i in range(7)])),
            mpmath.polyroots([1, -3, 1, 5])[0].real,
            mpmath.diff(lambda x: mpmath.sin(x) ** 3, 1, 3),
        ]
        return [mpmath.nstr(value, 22 + size) for value in values]


if __name__ == "__main__":
    print(run(int(sys.argv[1])))
