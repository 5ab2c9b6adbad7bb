# NumPy's ints as bounds of ranges, and as indices and keys of lists, tuples, dicts, texts and bytes: classes, identity and errors.
# kiln-test: needs=numpy
import numpy as np
from _arrays import exact, outcome, written

LOOP = """
def loop(k, xs, t, d, s, b):
    out = []
    for i in range(30):
        out.append({expression})
    return out[:3], out[-1]
"""
EXPRESSIONS = ("list(range(k[i % 4]))", "range(k[0], k[3])", "list(range(k[3], k[0], -k[1]))", "xs[k[i % 4]]", "t[k[i % 4]]", "d[k[i % 4]]",
               "s[k[i % 4]]", "b[k[i % 4]]", "xs[-k[1]]", "xs[k[3] * 9]", "d[k[3] * 9]", "d.get(k[i % 4])", "k[i % 4] in d",
               "xs[k.astype(float)[1]]", "xs[k[1] > 0]", "xs[k[1]:k[3]]", "range(k[i % 4], 9, k[1]).step", "range(k[1])[0]",
               "sum(range(k[3]))", "type(range(k[2]).stop)", "s[k[0]] * k[i % 4]", "[x for x in range(k[i % 4])]")
STORES = """
def loop(k, xs, d):
    for i in range(40):
        {target} = i
        xs[0] = k[1]
    return xs, d
"""
for dtype in ("int8", "int32", "int64", "uint8", "uint64", "bool", "float64"):
    k = np.array([0, 1, 2, 5]).astype(dtype)
    for expression in EXPRESSIONS:
        arguments = k, [10, 2.5, "x", None, (), 7, 8], tuple("abcdefg"), {n: str(n) for n in range(6)}, "texts äö", b"0123456"
        print(dtype, expression, exact(outcome(written(LOOP, expression=expression), *arguments)))
    for target in ("xs[k[i % 4]]", "d[k[i % 4]]", "xs[k[3] * 9]", "xs[-k[2]]"):
        xs, d = [0] * 7, {0: 0, 5: 5}
        print(dtype, target, exact(outcome(written(STORES, target=target), k, xs, d)), exact(xs), [(exact(key), d[key]) for key in d])


class Odd:
    """Equal to everything with its hash, and noisy about it."""

    def __init__(self, number):
        self.number = number

    def __hash__(self):
        return self.number

    def __eq__(self, other):
        print("asked about", type(other).__name__, other)
        return False


def odd_keys(d, k):
    """Keys whose comparison runs Python code see the very key."""
    total = 0
    for i in range(12):
        total += d[k[i % 4]]
    return total


odd = {0: 1, 1: 2, 2: 3, 5: 4}
print(odd_keys(dict(odd), np.array([0, 1, 2, 5])), odd_keys({Odd(5): 9, **odd}, np.array([0, 1, 2, 5])))
print(odd_keys({np.int64(n): n for n in (0, 1, 2, 5)}, np.array([0, 1, 2, 5], np.int16)), odd_keys({0.0: 1, 1: 2, 2 + 0j: 3, 5: 1}, np.array([0, 1, 2, 5])))


def rows(starts, columns, data, x):
    """A product of a matrix by its rows' starts."""
    out = []
    for i in range(len(starts) - 1):
        total = 0.0
        for k in range(starts[i], starts[i + 1]):
            total += data[k] * x[columns[k]]
        out.append(total)
    return out


for dtype in ("int32", "int64", "uint32", "uint64"):
    starts = np.arange(0, 301, 3).astype(dtype)
    columns = (np.arange(300) * 7 % 40).astype(dtype)
    print(exact(rows(starts, columns, np.linspace(0, 1, 300), [float(n) for n in range(40)])[-2:]))
    print(exact(rows(starts, columns, np.linspace(0, 1, 300), np.arange(40.0))[-2:]))
