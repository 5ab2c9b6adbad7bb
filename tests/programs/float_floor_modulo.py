# float // and % and divmod: sign of the divisor, signed zeros, inf, nan, huge quotients, zero division.
import math


def show(x):
    return repr(x) if x == x else "nan"


def wrap_angles(count):
    x, total = -1000.0, 0.0
    for _ in range(count):
        x += 0.37
        total += x % 6.283185307179586 - x // 2.5
    return total.hex()


def every_pair(values, count):
    text = []
    failures = 0
    for i in range(count):
        a = values[i % len(values)]
        b = values[i // len(values) % len(values)]
        try:
            q, r = a // b, a % b
            d = divmod(a, b)
            if i < len(values) ** 2:
                text.append(f"{a}/{b}: {show(q)} {show(r)} {show(d[0])} {show(d[1])}")
        except ZeroDivisionError as error:
            failures += 1
            if failures < 4:
                text.append(str(error))
    return failures, text


def int_and_float(count):
    total = 0.0
    for i in range(count):
        total += i % 2.5 + i // 0.7 + 100.5 // (i + 1) + -i % 3.3
    return total.hex()


VALUES = [0.0, -0.0, 1.0, -1.0, 3.5, -3.5, 0.1, 1e300, -1e300, 5e-324, math.inf, -math.inf, math.nan, 2.0**53]
print(wrap_angles(9000), int_and_float(9000))
failures, text = every_pair(VALUES, 9000)
print(failures)
print("\n".join(text))
