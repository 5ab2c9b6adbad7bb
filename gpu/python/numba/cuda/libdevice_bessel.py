"""Bessel functions of libdevice's, in float64: by recurrence from above, by Neumann's series of those, and far out by Hankel's expansion."""

HELPERS = """
@device
def hankel(order, x, isSecond):
    # J and Y of order 0 or 1 for large x.
    square = 4.0 * order * order
    even = 1.0
    odd = 0.0
    term = 1.0
    for k in range(1, 80):
        factor = (square - (2.0 * k - 1.0) * (2.0 * k - 1.0)) / (8.0 * k * x)
        if math.fabs(factor) >= 1.0 or math.fabs(term) < 1e-18:
            break
        term *= factor
        if k % 2 == 1:
            odd += term if k % 4 == 1 else -term
        else:
            even += term if k % 4 == 0 else -term
    plus = math.cos(x) + math.sin(x)
    minus = math.sin(x) - math.cos(x)
    cosine = plus if order == 0 else minus
    sine = minus if order == 0 else -plus
    size = math.sqrt(1.0 / (PI * x))
    return size * (even * sine + odd * cosine) if isSecond else size * (even * cosine - odd * sine)

@device
def near_bessel(n, x):
    # J of order n, and Y of orders 0 and 1, of 1e-8 <= x.
    most = max(float64(n), x)
    start = 2 * int(0.5 * (most + 20.0 + math.sqrt(160.0 * most)))
    upper = 0.0
    here = 1e-200
    total = 0.0
    wanted = 0.0
    first = 0.0
    even = 0.0
    odd = 0.0
    for step in range(start):
        k = start - step
        m = float64(k // 2)
        sign = 1.0 if (k // 2) % 2 == 0 else -1.0
        if k % 2 == 0:
            total += 2.0 * here
            even += sign * here / m
        elif k > 1:
            odd += sign * (2.0 * m + 1.0) / (m * (m + 1.0)) * here
        else:
            first = here
        if k == n:
            wanted = here
        lower = 2.0 * k / x * here - upper
        upper = here
        here = lower
        if math.fabs(here) > 1e100:
            upper *= 1e-200
            here *= 1e-200
            total *= 1e-200
            wanted *= 1e-200
            first *= 1e-200
            even *= 1e-200
            odd *= 1e-200
    total += here
    if n == 0:
        wanted = here
    level = math.log(0.5 * x) + 0.57721566490153286
    zero = (level * here - 2.0 * even) / total
    one = ((level - 1.0) * first - here / x - odd) / total
    return wanted / total, zero * (2.0 / PI), one * (2.0 / PI)

@device
def bessel_j(n, x):
    size = math.fabs(x)
    if n < 0 or math.isnan(x):
        return math.nan
    if math.isinf(x):
        return 0.0
    if size < 1e-8:
        value = 1.0
        for k in range(1, n + 1):
            value *= 0.5 * size / k
            if value == 0.0:
                break
    elif size < 25.0 or n > size:
        value, zero, one = near_bessel(n, size)
    else:
        value = hankel(0, size, False)
        above = hankel(1, size, False)
        for k in range(1, n + 1):
            value, above = above, 2.0 * k / size * above - value
    return -value if x < 0 and n % 2 == 1 else value

@device
def bessel_y(n, x):
    if n < 0 or math.isnan(x) or x < 0:
        return math.nan
    if x == 0:
        return -math.inf
    if math.isinf(x):
        return 0.0
    if x < 1e-8:
        value = (2.0 / PI) * (math.log(0.5 * x) + 0.57721566490153286)
        above = -2.0 / (PI * x)
    elif x < 25.0:
        first, value, above = near_bessel(0, x)
    else:
        value = hankel(0, x, True)
        above = hankel(1, x, True)
    for k in range(1, n + 1):
        value, above = above, 2.0 * k / x * above - value
        if math.isinf(value):
            break
    return value

@device
def bessel_i(order, x):
    size = math.fabs(x)
    term = 1.0
    total = 1.0
    if size < 30.0:
        for k in range(1, 200):
            term *= 0.25 * size * size / (k * (k + order))
            total += term
            if term < total * 1e-18:
                break
        value = total if order == 0 else total * 0.5 * size
    else:
        for k in range(1, 80):
            factor = ((2.0 * k - 1.0) * (2.0 * k - 1.0) - 4.0 * order) / (8.0 * k * size)
            if factor >= 1.0 or math.fabs(term) < 1e-18:
                break
            term *= factor
            total += term
        root = math.exp(0.5 * size)
        value = root * (root / math.sqrt(2.0 * PI * size) * total)
    return -value if order == 1 and x < 0 else value
"""

FUNCTIONS = {
    "j0": ("x", "T(bessel_j(0, float64(x)))"), "j1": ("x", "T(bessel_j(1, float64(x)))"), "jn": ("n, x", "T(bessel_j(int64(n), float64(x)))"),
    "y0": ("x", "T(bessel_y(0, float64(x)))"), "y1": ("x", "T(bessel_y(1, float64(x)))"), "yn": ("n, x", "T(bessel_y(int64(n), float64(x)))"),
    "cyl_bessel_i0": ("x", "T(bessel_i(0, float64(x)))"), "cyl_bessel_i1": ("x", "T(bessel_i(1, float64(x)))"),
}
