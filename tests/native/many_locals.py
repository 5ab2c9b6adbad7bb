# twelve live locals of several types
from _harness import drive


def work(n):
    a = b = e = f = g = k = 0
    c = d = m = 0.5
    h = False
    item = None
    for i in range(n):  # kiln-native
        a += 1
        b += a
        c = c * 0.5 + d
        d += 0.25
        e = a & 7
        f ^= e
        g = f - e
        h = not h
        k = k + g if h else k - 1
        m += c
        item = e
    return a, b, c, d, e, f, g, h, k, m, item


drive(work)
