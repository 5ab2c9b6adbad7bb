# array.flat where more than an element is asked of it: kept, passed on, compared, sliced, shared by names, resized and reshaped arrays.
# kiln-test: needs=numpy
import numpy as np
from _arrays import exact

COUNT = 1500


def kept(a):
    held = []
    for i in range(COUNT):
        f = a.flat
        if i % 300 == 7:
            next(f)
            held.append(f)
        g = f
        held[-1:] = [h for h in held[-1:] if g is f]
    return [(h.index, h.base is a) for h in held]


def in_tuples(a):
    t = 0
    for i in range(COUNT):
        pair = (a.flat, i)
        t += int(pair[0][pair[1] % a.size])
        [f, k] = [a.flat, 3]
        t += int(f[k]) + len(f)
    return t


def first(f, i):
    return f[i]


def passed(a):
    t = 0
    for i in range(COUNT):
        t += int(first(a.flat, i % a.size)) + int(max(a.flat)) if i % 100 == 0 else int(first(a.flat, -1))
    return t


def asked(a):
    out = []
    for i in range(COUNT):
        out.append((len(a.flat), a.flat[1:3].tolist(), a.flat[[0, 2]].tolist(), bool((a.flat == 3).any()), a.flat.index, a.flat.coords, bool(a.flat)))
        a.flat[i % a.size] = i % 5
        a.flat[2:4] = 9
        a.flat[True] = 4
    return out[-1], out[0]


def shared(a):
    t = 0
    for i in range(COUNT):
        f = g = a.flat
        t += int(f[0]) + int(g[1])
        for x in f:
            t += int(x)
            break
        t += f.index * 10 + g.index * 100 + (f is g)
    return t


def reshaped(a):
    t = []
    for i in range(COUNT):
        f = a.flat
        a.shape = (3, 4) if i % 2 else (12,)
        t.append((f[i % 12] + a.flat[-1 - i % 12], f.base.shape, f.coords))
    return exact(t[-1][0]), t[-2:]


def temporary(n):
    t = 0.0
    for i in range(COUNT):
        t += np.full(n, i + 0.5).flat[i % n]
        np.zeros(3).flat[1] = 2
        for x in np.full(n, 2.0).flat:
            t += x
    return t


def caught(a):
    seen = {}
    for i in range(COUNT):
        try:
            a.flat[i % 14] = i
            text = str(int(a.flat[i % 13 - 13]) * 0)
        except IndexError as error:
            text = str(error)
        seen[text] = seen.get(text, 0) + 1
    return seen


def deleted(a):
    for i in range(COUNT):
        f = a.flat
        if i % 2:
            del f
        else:
            f = f[0]
    return exact(a)


def yielding(a):
    f = a.flat
    for i in range(COUNT):
        yield f[i % 12] * 2
        f = a.flat if i % 3 else f


def block():
    return np.arange(12).reshape(3, 4)


print(kept(block()), in_tuples(block()), passed(block()), shared(block()))
print(asked(block()))
print(reshaped(np.arange(12.0)), temporary(4), caught(np.arange(12.0)), deleted(block()), int(sum(yielding(block()))))
