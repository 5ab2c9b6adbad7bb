# Iteration over arrays: elements, rows, enumerate, zip, reversed, flat, unpacking, membership; stores while it goes on.
# kiln-test: needs=numpy
import numpy as np
from _arrays import digest, exact, fresh, outcome


def elements(a):
    t = a.dtype.type(0)
    for x in a:
        t += x
    return t


def rows(a):
    t = 0
    for row in a:
        for x in row:
            t = (t * 3 + int(x)) % 9973
        row[0] = t % 100
    return t


def counted(a):
    out = []
    for i, x in enumerate(a, -3):
        out.append(x * (i & 1) + (i > 0))
    return out


def paired(a, b):
    t = 0
    for x, y in zip(a, b):
        t += x * y
    return t


def in_threes(a, b, names):
    out = []
    for i, (x, y, name) in enumerate(zip(a, b, names)):
        out.append((x - y, name * (i % 3)))
    return out


def backwards(a):
    t = 0
    for x in reversed(a):
        t = t * 0.5 + x
    return t


def flat(a):
    t = 0
    for x in a.flat:
        t += x
    for i in range(a.size):
        t -= a.flat[i] * 2
        a.flat[i] = i % 10
    return t


def unpacked(pairs):
    t = 0
    for x, y in pairs:
        t += x - 2 * y
    for first, *rest in pairs:
        t += first + len(rest)
    return t


def members(a, count):
    n = 0
    for i in range(count):
        n += i in a
        if i % 3 not in a:
            n += 1000
    return n


def stored_while_iterated(a):
    seen = []
    for i, x in enumerate(a):
        seen.append(x)
        a[-1 - i] = x + 1
        if i + 2 < len(a):
            a[i + 2] *= 2
    return seen


def rebound_while_iterated(a):
    t = 0
    for x in a:
        a = a * 2 if a[0] < 1000 else a
        t += x + a[0]
    return t


def comprehended(a):
    squares = [x * x for x in a]
    small = {i: x for i, x in enumerate(a) if x < 20}
    return squares, len(small), sum(x for x in a), [y for row in a.reshape(-1, 10) for y in row][:5]


def built_in(a):
    return sum(a), min(a), max(a), sorted(a)[:3], any(a), all(a), list(map(abs, a[:3])), tuple(a[:2])


def two_at_once(a):
    """Two iterators of one array, one of which is left and taken up again."""
    t = 0
    rest = iter(a)
    for x in a:
        y = next(rest, 1)
        if y % 3 == 0:
            y = next(rest, 0)
        t = (t * 7 + x - y) % 8191
    return t


for dtype in ("int64", "float64", "float32", "int32", "uint8", "bool", "float16", "complex128"):
    values = np.arange(4000) % 2 if dtype == "bool" else np.arange(4000) * 3 % 47
    a, b = values.astype(dtype), values[::-1].astype(dtype)
    with np.errstate(over="ignore"):
        if dtype != "bool":
            print(dtype, exact(fresh(elements)(a)), exact(outcome(fresh(unpacked), a.reshape(-1, 2))))
            print(exact(outcome(fresh(flat), a.copy().reshape(40, 100))))
            print(exact(outcome(fresh(flat), a.copy().reshape(40, 100)[::2, ::-3])))
        print(dtype, *digest(fresh(counted)(a)), exact(fresh(paired)(a, b)))
        print(exact(fresh(backwards)(a)), exact(fresh(members)(a[:40], 4000)))
        print(*digest(fresh(stored_while_iterated)(a.copy())))
        if dtype not in ("bool", "complex128"):
            print(exact(fresh(rows)(a.copy().reshape(50, 80))), exact(fresh(rebound_while_iterated)(a[a > 0])))
            print(*digest([outcome(fresh(comprehended), a), outcome(fresh(built_in), a)]))
            print(exact(outcome(fresh(two_at_once), a[:3000])))
print(*digest(in_threes(np.arange(5000.0), np.arange(5000), ["a", "bc"] * 2500)))
print(*digest(fresh(in_threes)(np.arange(5000, dtype="f4"), range(4500), iter("xyz" * 2000))))
print(outcome(fresh(elements), np.array(3.0)), outcome(fresh(unpacked), np.arange(9000).reshape(3000, 3)))
print(outcome(fresh(paired), np.arange(4000), np.array(5)), outcome(fresh(members), np.arange(6).reshape(2, 3), 3500))
