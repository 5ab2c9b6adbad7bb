"""Long loops whose locals are bound and unbound in more ways than a place has versions: some of them read, and the regular
expression parser, in which most are not."""

import re

PATTERNS = [
    r"(?P<word>[a-z_]\w*)|(?P<number>\d+(?:\.\d*)?)|(?P<space>\s+)",
    r"^(?:(?!end).)*?end{2,5}$",
    r"(a|b|[^c-f]){1,3}(?=x)(?<!y)\bz\B",
    r"(?i:abc)(?#note)(x)?(?(1)y|n)[\]\-\\]+\x41\u0042",
]


def bound_in_many_ways(count):
    total = 0
    for i in range(count):
        if i & 1:
            a = i
        if i & 2:
            b = i
        if i & 4:
            c = i
        if i & 8:
            d = i
        if i & 16:
            e = i
        if i & 1:
            total += a
            del a
        if i & 2:
            total += b
            del b
        if i & 4:
            total += c
            del c
        if i & 8:
            total += d
            del d
        if i & 16:
            total += e
            del e
    return total


print(bound_in_many_ways(4000))
for turn in range(40):
    re.purge()
    for pattern in PATTERNS:
        re.compile(pattern, re.VERBOSE if turn & 1 else 0)
