# NumPy scalars among other classes: subclasses, Fraction and Decimal, operators of the program's own, arrays of no axes.
# kiln-test: needs=numpy
import decimal
import fractions

import numpy as np
from _arrays import digest, exact, fresh, heard

COUNT = 3300


def operators(x, y):
    out = []
    for _ in range(COUNT):
        out.append(x + y)
        out.append(y - x)
        out.append(x * y)
        out.append(x == y)
    return out


def each_pair(xs, ys):
    seen = {}
    for i in range(COUNT):
        x, y = xs[i % len(xs)], ys[i // len(xs) % len(ys)]
        try:
            text = exact(x + y) + " " + exact(y * x)
        except (TypeError, ValueError, OverflowError) as error:
            text = f"{type(error).__name__}: {error}"
        seen[text] = seen.get(text, 0) + 1
    return sorted(seen.items())


class Metres(np.float64):
    """A subclass with an operator of its own."""

    def __add__(self, other):
        return Metres(float(self) + float(other))


class Plain(np.float64):
    pass


class Left:
    def __add__(self, other):
        return f"left {other}"

    def __radd__(self, other):
        return f"right {other}"

    __mul__ = __rmul__ = __sub__ = __rsub__ = __add__

    def __eq__(self, other):
        return "equal"

    __hash__ = None


class NoUfunc(Left):
    __array_ufunc__ = None


class Prior(Left):
    __array_priority__ = 1000


class Float(float):
    def __radd__(self, other):
        return Float(other * 100)


class Int(int):
    pass


def accumulated(values):
    t = 0
    for i in range(COUNT):
        t = values[i % len(values)] + t
        if i % 50 == 0:
            t = type(t)(0)
    return t


def identical(a):
    """Elements are new objects each time; singletons of bool are not."""
    n = 0
    for i in range(COUNT):
        x = a[i % len(a)]
        n += x is a[i % len(a)]
        n += (x > 0) is np.True_
        n += x is x
    return n


def methods(xs):
    out = []
    for i in range(COUNT):
        x = xs[i % len(xs)]
        out.append(x.item())
        out.append(x.dtype.name)
        out.append(x.real)
        out.append(x.imag)
        out.append(x.astype(np.float32))
        out.append(x.conjugate())
        out.append((x.ndim, x.shape, x.size, x.itemsize, x.nbytes))
        out.append(x.view(x.dtype))
        out.append(x.sum() + x.max())
    return out


def own_methods(floats, ints):
    out = []
    for i in range(COUNT):
        x, n = floats[i % len(floats)], ints[i % len(ints)]
        out.append(x.is_integer())
        out.append(x.as_integer_ratio())
        out.append(n.is_integer())
        out.append(n.bit_count())
    return out


def show(label, function, *arguments):
    result, warned = heard(fresh(function), *arguments)
    print(label, *digest(result) if isinstance(result, list) else [exact(result)], warned)


RELATIVES = [Metres(2), Plain(2.5), Left(), NoUfunc(), Prior(), Float(1.5), Int(7), fractions.Fraction(1, 3)]
RELATIVES += [np.array(3), np.array([1.5, 2]), np.longdouble(2), np.float16(1.5), np.timedelta64(3, "D"), 2**100]
for scalar in (np.float64(1.25), np.float32(1.25), np.int64(5)):
    for other in RELATIVES:
        show(f"{type(scalar).__name__}, {type(other).__name__}", operators, scalar, other)
ODD = [None, "text", decimal.Decimal("1.5"), [1, 2], (3,), {}, object, b"x", np.str_("y"), ...]
print(heard(fresh(each_pair), [np.float64(2), np.int32(3), np.uint8(1)], ODD))
for values in ([np.float64(1), 1.0], [np.float64(1), Metres(1)], [np.int8(1), 1, True], [np.float32(0.1), 0.1, np.float64(0.1)]):
    show(f"{values}", accumulated, values)
for a in (np.arange(5.0), np.arange(5), np.arange(5) > 2, [np.float64(3)], [1.5, 2]):
    print(identical(a), fresh(identical)(a))
for dtype in ("float64", "float32", "int64", "uint8", "bool", "complex64", "float16"):
    show(dtype, methods, np.array([0, 1, 2, 3]).astype(dtype))
show("methods of their own", own_methods, np.array([0.5, 3.0, -1.25]), np.array([3, 250, -7]))
