# Functions of NumPy's on ints and complex numbers, ~, round and divmod of scalars: values, classes, errors and warnings at the limits.
# kiln-test: needs=numpy timeout=300
import numpy as np
from _arrays import digest, edge_values, exact, heard, outcome, written

UNARY = """
def loop(xs):
    out = []
    for x in xs:
        out.append({expression})
    return out
"""
BINARY = """
def loop(xs, ys):
    out = []
    for x in xs:
        for y in ys:
            out.append({expression})
    return out
"""
FUNCTIONS = ("sqrt", "fabs", "absolute", "square", "sign", "conjugate", "isnan", "isfinite", "floor", "rint", "negative")
EXPRESSIONS = tuple(f"np.{name}(x)" for name in FUNCTIONS) + ("~x", "round(x)", "round(x, 1)", "round(x, None)", "x.item()", "abs(x)")
PAIRS = ("np.maximum(x, y)", "np.minimum(y, x)", "np.fmax(x, y)", "np.fmin(x, y)", "divmod(x, y)", "divmod(y, x)")


def values_of(name):
    """Scalars of a NumPy class, or Python's numbers."""
    if name == "python":
        return [0, 1, -1, 7, -100, 2**31, -(2**62), 2**63 - 1, True]
    if name == "floats":
        return [0.0, -0.0, 1.5, 2.5, -2.5, 1e10, 1e300, 5e-324]
    return list(edge_values(name))


def show(label, source, *arguments, **names):
    """Prints what a compiled loop gives, one element after the other where an error ends it."""
    calm = [[value for value in values if value == value and abs(complex(value)) < 100] for values in arguments]
    with np.errstate(all="ignore"):
        loop = written(source, **names)
        outcome(loop, *[values * 4 for values in calm])
        quiet = outcome(loop, *arguments)
    result, warned = heard(loop, *arguments)
    texts = [digest(value) if isinstance(value, list) else exact(value) for value in (quiet, result)]
    print(label, *texts, warned[:4])
    if not isinstance(result, list) and len(arguments) == 1:
        print("  ", digest([exact(outcome(loop, [value])) for value in arguments[0]]))


for name in ("int8", "int16", "int32", "int64", "uint8", "uint64", "bool", "float32", "float64", "python", "floats", "complex64", "complex128"):
    for expression in EXPRESSIONS:
        with np.errstate(all="warn"):
            show(f"{name} {expression}", UNARY, values_of(name), expression=expression)
for row, name in enumerate(("int8", "int32", "int64", "uint8", "uint64", "bool", "float64", "python", "floats")):
    for column, other in enumerate(("int8", "int64", "uint64", "float64", "python")):
        for expression in PAIRS[(row + column) % 2 :: 2]:
            show(f"{name} {other} {expression}", BINARY, values_of(name), values_of(other), expression=expression)


def turned(n, z):
    """A complex number of Python's that NumPy conjugates."""
    for i in range(n):
        z = np.conj(z) + 1j
    return z


print(exact(turned(50, 1 - 2j)), exact(turned(50, np.complex64(1 - 2j))), exact(turned(50, 0.5)))
with np.errstate(all="raise"):
    for value in (np.int64(-(2**63)), np.int8(-128), np.int64(2**40), np.int64(-1)):
        for function in ("sqrt", "absolute", "square", "sign"):
            print(exact(outcome(written(UNARY, expression=f"np.{function}(x)"), [np.int64(2)] * 30 + [value])))
