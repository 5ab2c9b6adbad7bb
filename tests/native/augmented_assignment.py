# += -= *= //= %= &= |= ^= <<= >>= /= **= on locals
from _harness import drive


def work(n):
    a = b = c = 1
    e = f = 1.0
    for i in range(n):  # kiln-native
        a += i
        a -= 3
        b *= 3
        b %= 10007
        c <<= 1
        c &= 0xFFFF
        c |= i & 1
        c ^= 5
        d = a
        d //= 7
        d >>= 1
        e += d
        e /= 1.5
        f **= 0.5
        f += 2.0
    return a, b, c, d, e, f


drive(work)
