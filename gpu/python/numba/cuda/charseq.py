"""Strings of NumPy's types S and U in kernels: functions of their codes, in arrays that zeros fill up."""

from numba.cuda.written import define, device_function

_TEXT = """
@device
def length(codes):
    n = codes.size
    while n > 0 and codes[n - 1] == 0:
        n -= 1
    return n

@device
def position(codes, index):
    return index if index >= 0 else index + length(codes)

@device
def assign(to, source):
    n = min(to.size, source.size)
    for i in range(n):
        to[i] = source[i]
    for i in range(n, to.size):
        to[i] = 0

@device
def equal(a, b):
    n = length(a)
    if n != length(b):
        return False
    for i in range(n):
        if a[i] != b[i]:
            return False
    return True

@device
def less(a, b):
    m, n = length(a), length(b)
    for i in range(min(m, n)):
        if a[i] != b[i]:
            return a[i] < b[i]
    return m < n

@device
def is_at(codes, part, count, place):
    for i in range(count):
        if codes[place + i] != part[i]:
            return False
    return True

@device
def find(codes, part):
    n, count = length(codes), length(part)
    for place in range(n - count + 1):
        if is_at(codes, part, count, place):
            return place
    return -1

@device
def rfind(codes, part):
    n, count = length(codes), length(part)
    for place in range(n - count, -1, -1):
        if is_at(codes, part, count, place):
            return place
    return -1

@device
def contains(codes, part):
    return find(codes, part) >= 0

@device
def startswith(codes, part):
    count = length(part)
    return count <= length(codes) and is_at(codes, part, count, 0)

@device
def endswith(codes, part):
    n, count = length(codes), length(part)
    return count <= n and is_at(codes, part, count, n - count)

@device
def isascii(codes):
    for i in range(codes.size):
        if codes[i] > 127:
            return False
    return True
"""

FUNCTIONS = define("charseq", _TEXT, device=device_function)
