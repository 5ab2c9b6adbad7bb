# Builtins of numbers that compiled code computes by itself, over many values, bit for bit: round to digits, hypot, sum,
# pow with a modulus, min and max of mixed classes, isinstance, ord, chr, len and sum of ranges.
import math
import random
import zlib


class Digest:
    """A checksum over the texts of many results, to compare runs by one line."""

    def __init__(self):
        self.value = 0

    def add(self, *results):
        for result in results:
            text = result.hex() if isinstance(result, float) and result == result else repr(result)
            self.value = zlib.crc32(f"{type(result).__name__} {text};".encode(), self.value)


def random_floats(count, seed):
    rng = random.Random(seed)
    edges = [0.0, -0.0, 0.5, 1.5, 2.5, -2.5, 2.675, 1e16, 1e22, 1e308, 5e-324, 2.2e-308, 1e-310, 1.0, 0.1]
    values = edges + [-x for x in edges]
    while len(values) < count:
        values.append(rng.uniform(-1, 1) * 10.0 ** rng.randint(-20, 20))
        values.append(round(rng.uniform(-1000, 1000), rng.randint(0, 4)) + 0.5)
    return values


def rounding(values, digits):
    digest = Digest()
    total = 0.0
    for x in values:
        y = round(x, digits)
        total += y if abs(y) < 1e10 else 1.0
        digest.add(y)
    return digest.value, total.hex()


def rounding_ints(digits):
    total = 0
    for i in range(-3000, 3000):
        total = total * 3 % 1000003 + round(i * 5, digits) + round(i) + round(i & 1 == 0) + round(i * 0.25, None)
    return total


def norms(values, others):
    digest = Digest()
    total = 0.0
    for i in range(len(values)):
        h = math.hypot(values[i], others[i])
        total += h if h < 1e10 else 0.5
        digest.add(h)
    return digest.value, total.hex()


def float_sums(lists, start):
    digest = Digest()
    total = 0.0
    for items in lists:
        total += sum(items, start)
        digest.add(sum(items), sum(items, start))
    return digest.value, repr(total)


def int_sums(lists):
    total = 0
    for items in lists:
        total = total % 1000003 + sum(items) + sum(items, 7) + sum((1, 2, True), -3)
    return total


def range_sums(count):
    total = 0
    for i in range(count):
        total += sum(range(i)) - sum(range(i, -i, -3), 5) + len(range(i)) + len(range(i, -i, -3)) + len(range(5, i, 7))
    return total


def big_range_sums():
    total = 0
    for i in range(900):
        total += sum(range(2**61, 2**61 + i % 7)) % 1000003 + sum(range(-(2**63), 2**63 - 1, 2**60 + i)) % 1009
    return total


def powers(modulus):
    total = 0
    for i in range(-1500, 1500):
        total += pow(i, i & 31, modulus) + pow(i * 12345678901, 10**9 + 7, modulus)
    return total


def inverses(modulus):
    total = failed = 0
    for i in range(1, 2000):
        try:
            total += pow(i, -3, modulus)
        except ValueError:
            failed += 1
    return total, failed


def negative_exponents(count):
    total = 0.0
    for i in range(count):
        total += pow(2, (i & 7) - 4) + (i + 1) ** -2
    return total.hex()


def mixed_extremes(count):
    kinds = {}
    total = 0.0
    nan = float("nan")
    for i in range(count):
        x = i * 0.5
        a = max(i, 100.0)
        b = min(x, i, 7)
        c = max(True, i & 1, 0.5)
        d = min(x, nan)
        e = max(nan, x)
        f = max(i & 3, 1, 2, 3)
        g = min(-0.0, 0, x)
        total += a - b + c + f + g + (d if d == d else 1) + (e if e == e else 2)
        if i < 300:
            key = f"{type(a)} {type(b)} {type(c)} {d!r} {e!r} {f!r} {g!r}"
            kinds[key] = kinds.get(key, 0) + 1
    return total.hex(), sorted(kinds.items())


def huge_extremes(count):
    total = 0
    for i in range(count):
        big = 2**53 + i % 3
        total += max(big, 2.0**53) == big
        total += min(2**62 + i, 4.6e18) < 4.6e18
    return total


class Shape:
    pass


class Square(Shape):
    pass


class Pretender:
    @property
    def __class__(self):
        return Square


class Deep(int):
    pass


def instances(count):
    objects = [1, 2.0, True, Deep(5), Square(), Shape(), Pretender(), "text", None, [1], (2,)]
    found = [0] * 8
    for i in range(count):
        x = objects[i % len(objects)]
        found[0] += isinstance(x, Shape)
        found[1] += isinstance(x, Square)
        found[2] += isinstance(x, (int, (float, str)))
        found[3] += isinstance(x, int)
        found[4] += isinstance(i, (float, (str, (bool, int))))
        found[5] += isinstance(i & 1 == 0, int)
        found[6] += isinstance(0.5 * i, int)
        found[7] += isinstance(None, type(None))
    return found


def characters(count):
    total = 0
    text = "aé€😀"
    for i in range(count):
        total += ord(text[i & 3]) + ord(b"z") + ord(chr(i * 37 % 0x110000)) + len(chr(i + 32)) + len(text)
        total += ord("q") + ord(chr(True))
    return total


def bad_characters(count):
    errors = {}
    for i in range(count):
        try:
            c = chr(0x10FF00 + i)
            if i % 100 == 0:
                ord(c + c)
        except (ValueError, TypeError) as error:
            errors[str(error)] = errors.get(str(error), 0) + 1
    return errors


def whole_numbers(count):
    total = 0
    for i in range(1, count):
        total += math.gcd(i * 6, 84) + math.isqrt(i * i - 1) + math.lcm(i & 15, 12) + math.factorial(i % 18)
        total += math.trunc(i * -0.3) + math.floor(True) + math.ceil(i)
    return total


def growing_factorials():
    total = 0
    for i in range(900):
        total += math.factorial(i % 25) % 1009
    return total


def other_functions(values):
    digest = Digest()
    for x in values:
        y = abs(x) + 0.1
        small = math.fmod(x, 20.0)
        digest.add(math.gamma(small % 5 + 0.5), math.lgamma(min(y, 1e200)), math.log(y, 3), math.remainder(x, 0.7))
        digest.add(math.degrees(small), math.radians(x), math.ldexp(small, 5), math.nextafter(x, 0), math.ulp(x))
        digest.add(math.isnan(x), math.isinf(x * 1e300), math.isfinite(y), math.dist((x,), (y,)))
    return digest.value


def overflowing_floors():
    total = 0
    for i in range(1200):
        x = 0.5 * i if i < 600 else 1e19 * i
        total = (total + math.floor(x) + math.ceil(x) + math.trunc(x) + round(x) + int(x)) % 1000003
    return total


floats = random_floats(3000, 1)
others = random_floats(3000, 2)
random.Random(3).shuffle(others)
for digits in (0, 1, 2, 5, 17, 330, -1, -2, -400, True):
    print("round", digits, rounding(floats, digits))
print("round inf", [round(x, 1) for x in (math.inf, -math.inf)], rounding([math.nan] * 500, 2)[0])
for digits in (0, 3, -1, -2, -3, -18):
    print("round int", digits, rounding_ints(digits))
print("hypot", norms(floats, others), norms([1e-320] * 500, [3e-321] * 500), norms([1.5e308] * 500, [1.6e308] * 500))
print("hypot", norms([math.inf, math.nan] * 300, [math.nan, 1.0] * 300)[0])
float_lists = [floats[i : i + i % 9 + 1] for i in range(0, 2500, 2)]
mixed_lists = [[1, 2, 0.1, 3, True, 0.2, -0.3, 10**i] for i in range(17)] * 60
for start in (0, 5, 0.25, -0.0):
    print("sum", start, float_sums(float_lists, start), float_sums(mixed_lists, start), float_sums([[]] * 600, start))
print("sum", float_sums([[1e308, 1e308, -1e308]] * 600, 0.0), float_sums([[-0.0, -0.0]] * 600, -0.0))
print("sum", int_sums([list(range(i % 7)) for i in range(1500)]), int_sums([[2**62, i, 2**62] for i in range(600)]))
print("range", range_sums(1500), big_range_sums())
for modulus in (1, -1, 7, -7, 1009, 2**31 - 1, 2**61 - 1, -(2**63)):
    print("pow", modulus, powers(modulus), inverses(modulus))
print("pow", negative_exponents(1500))
print("extremes", mixed_extremes(3000), huge_extremes(2000))
print("isinstance", instances(3300))
print("characters", characters(3000), bad_characters(600))
print("math", whole_numbers(2500), growing_factorials(), other_functions(floats), overflowing_floors())
