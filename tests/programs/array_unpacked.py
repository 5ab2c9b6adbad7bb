# Unpacking of arrays, rows and views: elements, rows, wrong lengths, other dtypes, stores amid.
# kiln-test: needs=numpy
import numpy as np
from _arrays import exact, outcome

COUNT = 2000


def rows(a):
    t = 0.0
    for i in range(COUNT):
        x, y, z = a[i % len(a)]
        t = t * 0.5 + float(x) - float(y) * float(z)
    return t


def each_row(a):
    out = []
    for x, y, z in a:
        out.append(x + y - z if len(out) % 2 else y)
    return exact(out[-1]), len(out)


def whole(a):
    t = 0.0
    for _ in range(COUNT):
        first, second, third = a
        t += float(first.sum() if first.ndim else first) - float(second[0] if second.ndim else second)
        a[0] = third
    return t


def columns(a):
    t = 0.0
    for i in range(COUNT):
        x, y = a[i % 3, :2]
        p, q = a[:2, i % 3]
        a[i % 3, 0] = y
        t += float(x) * 2 + float(y) - float(p) + float(q)
    return t


def pairs(a):
    t = 0
    for i, (x, y, z) in enumerate(a):
        t += i * int(x) + int(y) - int(z)
    for (x, y, z), (u, v, w) in zip(a, a[::-1]):
        t += int(x) * int(u) - int(v)
    return t


def caught(arrays):
    seen = {}
    for i in range(COUNT):
        try:
            x, y, z = arrays[i % len(arrays)]
            text = "done"
        except ValueError as error:
            text = str(error)
        except TypeError as error:
            text = str(error)
        seen[text] = seen.get(text, 0) + 1
    return sorted(seen.items())


def kept(a):
    held = []
    for i in range(60):
        x, y, z = a[i % (len(a) - 2):i % (len(a) - 2) + 3]
        held.append((x, z))
    a[:] = 9
    return [(exact(x), exact(z)) for x, z in held[::20]]


for dtype in "? b B h H i I q Q f d F D e O".split():
    a = (np.arange(900).reshape(300, 3) % 90).astype(dtype)
    if dtype in "FD":
        a = a.real
    print(dtype, outcome(lambda: rows(a)), outcome(lambda: each_row(a)) if dtype != "?" else 0, outcome(lambda: pairs(a)))
print(rows(np.array([[2**64 - 1, 2**63, 1], [1, 2, 3]], np.uint64)))
print(whole(np.arange(12.0).reshape(3, 4)), whole(np.arange(3.0)))
print(columns(np.arange(12.0).reshape(3, 4)), columns(np.asfortranarray(np.arange(12).reshape(3, 4))))
print(caught([np.arange(3), np.arange(4), np.arange(2), np.zeros((3, 2)), np.zeros((0,)), np.array(5), [1, 2, 3], "abc"]))
print(kept(np.arange(30)), kept(np.arange(60.0).reshape(20, 3)))
