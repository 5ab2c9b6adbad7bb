"""Arithmetic of libdevice's that rounds down (rd), up (ru) or to zero (rz): the nearest number, and the sign of what is missing, which is
computed exactly. A float32's is found in float64."""

_WAYS = {"rd": -1, "ru": 1, "rz": 0}

HELPERS = """
@device
def stepped32(nearest, missing, way):
    if missing < 0 and (way < 0 or (way == 0 and nearest > 0)):
        return math.nextafter(nearest, float32(-INF))
    if missing > 0 and (way > 0 or (way == 0 and nearest < 0)):
        return math.nextafter(nearest, float32(INF))
    return nearest

@device
def stepped64(nearest, missing, way):
    if missing < 0 and (way < 0 or (way == 0 and nearest > 0)):
        return math.nextafter(nearest, -INF)
    if missing > 0 and (way > 0 or (way == 0 and nearest < 0)):
        return math.nextafter(nearest, INF)
    return nearest

@device
def missing_of_sum(x, y, total):
    # Exact; where the sum is too large, its sign turned.
    if math.isinf(total) and math.isfinite(x) and math.isfinite(y):
        return -total
    part = total - x
    return (x - (total - part)) + (y - part)

@device
def signed_zero(x, y, way):
    # Of a sum that is 0: down, only that of two positive zeros is positive.
    isAlike = x == 0 and y == 0 and math.copysign(1.0, x) == math.copysign(1.0, y)
    return -0.0 if way < 0 and not isAlike else x + y

@device
def narrowed(high, low, way):
    # To float32, of an exact sum of two float64 of which the second is what the first misses.
    near = float32(high)
    return stepped32(near, (high - float64(near)) + low, way)

@device
def narrowed_sum(a, b, way):
    total = a + b
    if total == 0:
        return float32(signed_zero(a, b, way))
    return narrowed(total, missing_of_sum(a, b, total), way)

@device
def add32(x, y, way):
    return narrowed_sum(float64(x), float64(y), way)

@device
def multiply32(x, y, way):
    return narrowed(float64(x) * float64(y), 0.0, way)

@device
def fma32(x, y, z, way):
    return narrowed_sum(float64(x) * float64(y), float64(z), way)

@device
def divide32(x, y, way):
    near = float32(float64(x) / float64(y))
    missing = cuda.fma(-float64(near), float64(y), float64(x))
    return stepped32(near, -missing if y < 0 else missing, way)

@device
def root32(x, way):
    near = float32(math.sqrt(float64(x)))
    return stepped32(near, cuda.fma(-float64(near), float64(near), float64(x)), way)

@device
def add64(x, y, way):
    total = x + y
    if total == 0:
        return signed_zero(x, y, way)
    return stepped64(total, missing_of_sum(x, y, total), way)

@device
def multiply64(x, y, way):
    # Between numbers around 1, where nothing is too small.
    near = x * y
    a, i = math.frexp(x)
    b, j = math.frexp(y)
    return stepped64(near, cuda.fma(a, b, -math.ldexp(near, -i - j)), way)

@device
def divide64(x, y, way):
    near = x / y
    a, i = math.frexp(x)
    b, j = math.frexp(y)
    missing = cuda.fma(-math.ldexp(near, j - i), b, a)
    return stepped64(near, -missing if y < 0 else missing, way)

@device
def root64(x, way):
    near = math.sqrt(x)
    a, i = math.frexp(x)
    if i % 2 != 0:
        a *= 2.0
        i -= 1
    scaled = math.ldexp(near, -i // 2)
    return stepped64(near, cuda.fma(-scaled, scaled, a), way)

@device
def moved(x, by, least):
    # Times a power of two; of what would be lost, the sign stays.
    result = math.ldexp(x, by)
    return math.copysign(least, x) if result == 0 and x != 0 else result

@device
def fma64(x, y, z, way):
    near = cuda.fma(x, y, z)
    if not (math.isfinite(x) and math.isfinite(y) and math.isfinite(z)):
        return near
    # Moved so that neither the larger part nor what is missing leaves the range; then the parts of Boldo and Muller.
    a, i = math.frexp(x)
    b, j = math.frexp(y)
    c, k = math.frexp(z)
    size = i + j
    if x == 0 or y == 0 or (z != 0 and k > size):
        size = k
    product = moved(a * b, i + j - size, 1e-320)
    tail = moved(cuda.fma(a, b, -(a * b)), i + j - size, 5e-324)
    other = moved(c, k - size, 5e-324)
    result = math.ldexp(near, -size)
    if math.isinf(near):
        return stepped64(near, -near, way)
    low = other + tail
    rest = missing_of_sum(other, tail, low)
    high = product + low
    error = missing_of_sum(product, low, high)
    missing = ((high - result) + error) + rest
    if near == 0 and missing == 0:
        return signed_zero(x * y, z, way)
    return stepped64(near, missing, way)

@device
def missing_of_signed(x, near):
    if near >= 9223372036854775808.0:
        return int64(-1)
    return x - int64(near)

@device
def missing_of_unsigned(x, near):
    whole = uint64(near)
    if near >= 18446744073709551616.0 or whole > x:
        return int64(-1)
    return int64(1) if whole < x else int64(0)
"""


def _functions() -> dict:
    """By name: parameters and value."""
    found = {}
    for suffix, way in _WAYS.items():
        for letter, kind, bits in (("f", "float32", 32), ("d", "float64", 64)):
            x, y = f"{kind}(x)", f"{kind}(y)"
            found[f"{letter}add_{suffix}"] = ("x, y", f"add{bits}({x}, {y}, {way})")
            found[f"{letter}sub_{suffix}"] = ("x, y", f"add{bits}({x}, -{y}, {way})")
            found[f"{letter}mul_{suffix}"] = ("x, y", f"multiply{bits}({x}, {y}, {way})")
            found[f"{letter}div_{suffix}"] = ("x, y", f"divide{bits}({x}, {y}, {way})")
            found[f"{letter}rcp_{suffix}"] = ("x", f"divide{bits}({kind}(1), {x}, {way})")
            found[f"{letter}sqrt_{suffix}"] = ("x", f"root{bits}({x}, {way})")
        found[f"fmaf_{suffix}"] = ("x, y, z", f"fma32(float32(x), float32(y), float32(z), {way})")
        found[f"fma_{suffix}"] = ("x, y, z", f"fma64(float64(x), float64(y), float64(z), {way})")
        found[f"double2float_{suffix}"] = ("x", f"narrowed(float64(x), 0.0, {way})")
        found[f"int2float_{suffix}"] = ("x", f"narrowed(float64(int32(x)), 0.0, {way})")
        found[f"uint2float_{suffix}"] = ("x", f"narrowed(float64(uint32(x)), 0.0, {way})")
        for name, kind, helper in (("ll", "int64", "signed"), ("ull", "uint64", "unsigned")):
            for target, bits in (("float", 32), ("double", 64)):
                value = f"{kind}(x)"
                found[f"{name}2{target}_{suffix}"] = (
                    "x", f"stepped{bits}(float{bits}({value}), missing_of_{helper}({value}, float64(float{bits}({value}))), {way})")
    return found


FUNCTIONS = _functions()
