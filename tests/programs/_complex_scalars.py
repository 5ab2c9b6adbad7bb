"""For the programs about complex NumPy scalars: operators with each other and with other numbers, and what parts they have."""

import numpy as np
from _arrays import digest, edge_values, exact, heard, outcome, written

OPERATORS = """
def loop(xs, ys):
    out = []
    for x in xs:
        for y in ys:
            out.append(x {operator} y)
    return out
"""
WITH_NUMBER = """
def loop(xs, unused):
    out = []
    for _ in range(4):
        for x in xs:
            out.append(x {operator} {number})
            out.append({number} {operator} x)
    return out
"""
PARTS = """
def loop(xs, unused):
    out = []
    for _ in range(12):
        for x in xs:
            z = x * 1
            out.append((z.real, x.imag, -z, x.conjugate(), z.conj(), abs(x), np.abs(z), bool(x), complex(x), +x))
            out.append((np.complex64(x), np.complex128(z), x ** 2, z.conjugate().real, not z, z is z, x == z, z != x))
    return out
"""
OTHERS = ("complex64", "complex128", "float32", "float64", "int8", "int64", "uint64", "bool")
NUMBERS = ("2", "True", "0.1", "(0.1 + 2j)", "1j", "2**70", "1e300", "np.float64(0.1)", "np.int16(7)")
QUIET = [complex(i % 7 * 0.37 - 1.3, i % 5 * 0.21 - 0.5) for i in range(35)]


def bits(values):
    """The values, nans with their signs and payloads."""
    return [value.tobytes().hex() if isinstance(value, np.generic) else exact(value) for value in values]


def show(label, source, xs, ys=None, **names):
    loop = written(source, **names)
    with np.errstate(all="ignore"):
        outcome(loop, xs, ys)
        result = outcome(loop, xs, ys)
    text = digest(bits(result)) if isinstance(result, list) and not isinstance(result[0], tuple) else result
    if isinstance(text, list):
        text = digest([text])
    noisy, warned = heard(written(source, **names), xs, ys)
    print(label, text, digest(noisy)[:3] if isinstance(noisy, list) else noisy, warned)


def scalars(dtype):
    return list(edge_values(dtype))


def scalars_of(dtype):
    """Prints what operators and parts of complex scalars of the class give."""
    quiet = list(np.array(QUIET, dtype))
    for operator in ("+", "-", "*", "/", "==", "!=", "<"):
        others = ("complex64", "complex128", "float64") if operator in ("-", "!=", "<") else OTHERS
        for other in others:
            show(f"{dtype} {operator} {other}", OPERATORS, scalars(dtype), scalars(other), operator=operator)
            show(f"{other} {operator} {dtype}", OPERATORS, scalars(other), scalars(dtype), operator=operator)
        show(f"{dtype} {operator} array", OPERATORS, edge_values(dtype), np.array(QUIET, dtype), operator=operator)
        show(f"quiet {operator} {dtype}", OPERATORS, quiet, quiet, operator=operator)
        numbers = ("2", "0.1", "1j") if operator in ("-", "!=", "<") else NUMBERS
        for number in numbers:
            show(f"{dtype} {operator} {number}", WITH_NUMBER, quiet, operator=operator, number=number)
    for number in ("2", "3", "0", "-1", "0.5", "2.0", "np.int64(2)", "(2 + 0j)"):
        show(f"{dtype} ** {number}", WITH_NUMBER, quiet + scalars(dtype), operator="**", number=number)
    show(f"{dtype} parts", PARTS, quiet)
    show(f"{dtype} parts of edges", PARTS, scalars(dtype))
