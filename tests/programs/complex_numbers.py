# Complex numbers in hot loops, which are pairs of floats until somebody asks for the object: signs of zeros, infinities, nans, errors,
# identity.
import cmath
import hashlib
import struct
import sys

INF = float("inf")
NAN = float("nan")
PARTS = [0.0, -0.0, 1.0, -1.0, 0.5, -2.5, 3.0, 1e-310, 1e154, -1e200, 1e308, INF, -INF]


def bits(z):
    # The sign of a nan is nobody's business.
    return tuple("nan" if part != part else struct.pack("d", part).hex() for part in (z.real, z.imag))


def operate(numbers, others):
    out = []
    for z in numbers:
        for w in others:
            out.append(bits(z + w))
            out.append(bits(z - w))
            out.append(bits(z * w))
            out.append((z == w, z != w, -z == w, bool(z)))
    return out


def divide(numbers, others):
    out = []
    for z in numbers:
        for w in others:
            try:
                out.append(bits(z / w))
            except ZeroDivisionError as error:
                out.append(str(error))
    return out


def lengths(numbers):
    out = []
    for z in numbers:
        try:
            out.append(abs(z))
        except OverflowError as error:
            out.append(str(error))
    return out


def powers(numbers):
    out = []
    for z in numbers:
        try:
            out.append(bits(z**2))
            out.append(bits(z**3))
            out.append(bits(z**7))
            out.append(bits(z**1))
            out.append(bits(z**0))
            out.append(bits(z**-1))
            out.append(bits(z**0.5))
        except (OverflowError, ZeroDivisionError) as error:
            out.append(str(error))
    return out


def mixed(n):
    z = 1 + 1j
    for i in range(n):
        z = z * 0.5 + i - True
        z = 2 * z - 1.5 + (i % 3) * 1j
        z = z / 4 + 1 / (z + 3) - z / (i + 1)
        z += 10**3
        z -= 1000
        z *= 1.0
    return bits(z)


def mandelbrot(width, height, most):
    total = 0
    for y in range(height):
        for x in range(width):
            c = complex(-2 + 3 * x / width, -1.5 + 3 * y / height)
            z = 0j
            for i in range(most):
                z = z * z + c
                if abs(z) > 2:
                    break
            total += i
    return total


def newton(n):
    roots = {}
    for i in range(n):
        z = complex(i / n - 0.5, 0.3)
        for _ in range(30):
            d = 3 * z**2
            if d == 0:
                break
            z = z - (z**3 - 1) / d
        key = complex(round(z.real, 6) + 0.0, round(z.imag, 6) + 0.0)
        roots[key] = roots.get(key, 0) + 1
    return sorted(roots.items(), key=lambda item: (item[0].real, item[0].imag))


def fourier(values):
    n = len(values)
    out = []
    for k in range(n):
        s = 0
        for j in range(n):
            s += values[j] * cmath.exp(-2j * cmath.pi * j * k / n)
        out.append(s)
    return out


def identity(n):
    kept = []
    same = 0
    previous = None
    for i in range(n):
        z = complex(i, 1)
        w = z
        u = z + 0
        same += (w is z) + 2 * (u is z) + 4 * (previous is z)
        previous = z
        pair = (z, w, u)
        if i % 5 == 0:
            kept.append(pair)
            kept.append([w, hash(z), repr(u), f"{z:.2f}", str(-z), type(w) is complex, isinstance(u, complex)])
    return same, [p[0] is p[1] for p in kept[::2]], kept


def swapped(n):
    a, b = 1 + 2j, 3 - 1j
    for i in range(n):
        a, b = b * 0.5, a + b
        if b.real > 100:
            b = b / 64
        if a.imag < -50:
            a = a.conjugate()
    return bits(a), bits(b)


def changing(values):
    """A name that is an int, a float, a complex number, and then none."""
    total = 0
    for v in values:
        total = total + v if v is not None else total * 1
    return total


def step(z, c):
    return z * z + c


def called(n):
    z = 0.1j
    for i in range(n):
        z = step(z, 0.3 + 0.1j) if i % 7 else step(z, 0.25)
    return bits(z)


def compared(values):
    out = []
    for v in values:
        try:
            out.append(v < 1j)
        except TypeError as error:
            out.append(str(error))
        out.append((v == 1, v == 1.0, v == "1", v != 2**70, v in (1j, 2j), not v))
    return out


def looked_at(n):
    seen = []
    for i in range(n):
        z = complex(i, -i)
        w = z * 2
        if i % 9 == 8:
            seen.append(sys._getframe().f_locals["w"] == w)
            seen.append(sorted((k, repr(v)) for k, v in locals().items() if k in "zw"))
    return seen


def attributes(n):
    t = 0.0
    z = 1j
    for i in range(n):
        z = complex(z.imag + 1, z.real - i)
        t += z.real * 2 - z.imag
        try:
            z.real = 3
        except AttributeError as error:
            t += len(str(error))
    return t, z


class Fancy(complex):
    def __add__(self, other):
        return Fancy(complex.__add__(self, other))


def subclasses(n):
    z = Fancy(1, 1)
    w = 0j
    for i in range(n):
        z = z + 1j
        w = w + z
    return type(z).__name__, z, w, type(w).__name__


z = 0j
trail = 0.0
for i in range(4000):
    z = z * z + (-0.4 + 0.6j)
    trail += z.real
    if z.imag > 1e3:
        z = 0j

numbers = [complex(x, y) for x in PARTS for y in PARTS] + [complex(NAN, 1), complex(1, NAN), complex(INF, NAN)]
few = numbers[::7] + [2, -3, 0.5, -0.0, True, NAN]
for _ in range(3):
    results = [operate(numbers, few), operate(few[:-6], few), divide(numbers, few), lengths(numbers), powers(numbers)]
for result in results:
    print(len(result), hashlib.md5(str(result).encode()).hexdigest(), result[:4], result[-3:])
plain = [complex(i % 11 - 5, i % 7 - 3) / 3 for i in range(300)]
print(operate(plain, plain[:20])[::401], divide(plain, plain[3:20])[::301], lengths(plain)[::29], powers(plain)[::83])
print(bits(z), trail, mixed(3000), mandelbrot(40, 30, 50), newton(60))
print(fourier(plain[:60])[3], identity(60), swapped(4000))
print(changing([1, 2.5, 1j] * 200 + [None, 3]), changing([1j] * 500), called(3000))
print(compared([1, 1j, 1 + 0j, 0j, 2.0] * 60)[:10], looked_at(40), attributes(500), subclasses(300))
