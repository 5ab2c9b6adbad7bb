"""sympy: polynomials expanded, factored, differentiated and solved."""

import sys

import sympy
from sympy.core.cache import clear_cache

BENCH = {"size": 5, "small": 1}


def run(size):
    clear_cache()
    x, y, z = sympy.symbols("x y z")
    lines = []
    for k in range(1, size + 1):
        product = sympy.expand((x + k * y + z) ** 6 * (x - y))
        lines.append(str(product.coeff(x, 3)))
        lines.append(str(sympy.factor(sympy.expand((x ** 2 - k ** 2) * (x + 3 * k)))))
        lines.append(str(sympy.diff(sympy.sin(x ** k) * sympy.exp(k * x) / (1 + x ** 2), x)))
        lines.append(str(sympy.solve(x ** 2 - (k + 2) * x + k, x)))
        lines.append(str(sympy.Matrix([[x, k, 1], [1, x, k], [k, 1, x]]).det()))
    return "; ".join(lines)[-2000:]


if __name__ == "__main__":
    print(run(int(sys.argv[1])))
