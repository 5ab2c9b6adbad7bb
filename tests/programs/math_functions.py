# Every function of math in hot loops, bit for bit, with domain and range errors, ints, bools and big ints as arguments.
import math
from math import sin, sqrt

ONE_ARGUMENT = [
    "acos",
    "acosh",
    "asin",
    "asinh",
    "atan",
    "atanh",
    "cbrt",
    "ceil",
    "cos",
    "cosh",
    "degrees",
    "erf",
    "erfc",
    "exp",
    "exp2",
    "expm1",
    "fabs",
    "floor",
    "gamma",
    "lgamma",
    "log",
    "log10",
    "log1p",
    "log2",
    "radians",
    "sin",
    "sinh",
    "sqrt",
    "tan",
    "tanh",
    "trunc",
    "ulp",
    "isnan",
    "isinf",
    "isfinite",
    "frexp",
    "modf",
]
TWO_ARGUMENTS = ["atan2", "copysign", "fmod", "pow", "remainder", "log", "hypot", "nextafter", "isclose"]
EDGES = [
    0.0,
    -0.0,
    0.5,
    -0.5,
    1.0,
    -1.0,
    2.0,
    10.5,
    -3.25,
    710.0,
    -746.0,
    1e16,
    1e308,
    5e-324,
    math.inf,
    -math.inf,
    math.nan,
    0,
    1,
    -2,
    True,
    2**53 + 1,
    2**63,
    10**400,
]


def text(x):
    return "nan" if isinstance(x, float) and x != x else repr(x)


def attempt(function, *arguments):
    try:
        return text(function(*arguments))
    except (ArithmeticError, ValueError, TypeError) as error:
        return f"{type(error).__name__}: {error}"


def sweep(function, count):
    total = 0.0
    errors = 0
    for i in range(count):
        x = (i - count / 2) * 0.013
        try:
            y = function(x)
        except (ValueError, OverflowError):
            errors += 1
        else:
            if not isinstance(y, tuple) and y < 1e200:
                total = total * 0.999 + y
    return total.hex(), errors


def direct_calls(count):
    a = b = 0.0
    for i in range(1, count):
        x = i * 0.001
        a += sin(x) * math.cos(x) + sqrt(x) - math.exp(-x) + math.log(x) + math.atan2(x, a + 1.0)
        b += math.hypot(x, 3.0) - math.pow(x, 0.3) + math.fmod(x, 0.7) + math.tan(x) - math.floor(x) + x**2
    return a.hex(), b.hex()


def first_domain_error(count):
    total = 0.0
    for i in range(count):
        total += math.sqrt(count - 3 - i)
    return total


def integer_functions(count):
    total = 0
    for i in range(1, count):
        total += math.gcd(i, 360) + math.isqrt(i * i + 1) + math.lcm(i % 20 + 1, 6) + math.comb(i % 30, 3)
        total += math.perm(i % 9, 2) + math.factorial(i % 12)
    return total


def renamed_midway(count):
    total = 0.0
    for i in range(count):
        total += math.fabs(-i)
        if i == count // 2:
            saved, math.fabs = math.fabs, lambda x: 0.25
    math.fabs = saved
    return total


for name in ONE_ARGUMENT:
    function = getattr(math, name)
    print(name, sweep(function, 5000), [attempt(function, x) for x in EDGES])
for name in TWO_ARGUMENTS:
    function = getattr(math, name)
    for x in EDGES[::2]:
        print(name, x if isinstance(x, float) else "int", [attempt(function, x, y) for y in EDGES[:17]])
print(direct_calls(20000), integer_functions(20000), renamed_midway(9000))
print(attempt(math.ldexp, 1.0, 2000), attempt(math.ldexp, 0.5, -1080), math.fsum([0.1] * 10), math.prod(range(1, 25)))
print(math.dist([1.0, 2.0], [4.0, 6.0]), attempt(math.sumprod, [1, 2], [3.5, 4]), math.pi, math.e, math.tau)
try:
    first_domain_error(9000)
except ValueError as error:
    print(error, error.__traceback__.tb_next.tb_lineno)
