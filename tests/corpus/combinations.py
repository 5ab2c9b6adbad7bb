"""The regular expression parser: long loops whose locals are bound and unbound in more ways than a place has versions."""

import re

PATTERNS = [
    r"(?P<word>[a-z_]\w*)|(?P<number>\d+(?:\.\d*)?)|(?P<space>\s+)",
    r"^(?:(?!end).)*?end{2,5}$",
    r"(a|b|[^c-f]){1,3}(?=x)(?<!y)\bz\B",
    r"(?i:abc)(?#note)(x)?(?(1)y|n)[\]\-\\]+\x41\u0042",
]

for turn in range(40):
    re.purge()
    for pattern in PATTERNS:
        re.compile(pattern, re.VERBOSE if turn & 1 else 0)
