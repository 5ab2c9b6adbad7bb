# Stores to rows, columns, slices and blocks of arrays: numbers, other parts, broadcast and overlapping ones, and what NumPy refuses.
# kiln-test: needs=numpy timeout=300
import warnings

import numpy as np
from _arrays import NUMBERS, digest, exact, heard, outcome, written

STORE = """
def loop(a, b, value):
    for i in range({rounds}):
        {target} = {value}
    return a
"""
TARGETS = ("a[i % 4]", "a[:, i % 5]", "a[1:, 2:4]", "a[::2, ::-1]", "a[:]", "a[...]", "a[i % 3:, 1]", "a[..., i % 5]", "a[5:, :]",
           "a[-1, i % 2:]", "a[:, None][2]", "a[1][1:3]", "a[..., i % 5:].T", "a[:i % 4 + 1]", "a[i % 4][::i % 2 + 1]")
NUMBERS_STORED = ("i % 100", "value", "0.5", "-1", "True", "1e300", "300", "2**70", "1j", "np.float64(i)", "np.int8(i % 100)", "a[0, 0]",
                  "float('nan')", "None", "'x'")
PARTS = ("b[i % 4]", "b[2:3]", "b[:, 1:2]", "b[0, 1:2]", "b", "b[i % 4, ::-1]", "b.T[:1]", "a[i % 3 + 1]", "a[::-1]", "a[:, ::-1]",
         "a[0]", "a[-1:]", "b[1:, 1:]", "b[0][None]", "[7] * 5", "(i % 9,) * 5", "b[:0]", "b.astype('f4')[1]", "b[1].tolist()")
SHIFTS = ("a[1:] = a[:-1]", "a[:-1] = a[1:]", "a[:, 1:] = a[:, :-1]", "a[::-1] = a", "a[1:3] = a[2:4]", "a[:2, :2] = a[1:3, 1:3]",
          "a[:] = a[0]", "a[0] = a[0]", "a[:] = a[:, :1]", "a[:, ::2] = a[:, 2:5]", "a.T[1:3] = a.T[:2]")
SHIFT = """
def loop(a):
    for i in range(20):
        {store}
        a[i % 4, i % 5] = i
    return a
"""


def block(dtype, layout="C"):
    """Returns 4 x 5 elements, in some order."""
    a = (np.arange(20).reshape(4, 5) % 7).astype(dtype)
    if layout == "F":
        return np.asfortranarray(a)
    if layout == "steps":
        return np.repeat(np.repeat(a, 2, axis=0), 3, axis=1)[::2, ::3]
    return np.ascontiguousarray(a[::-1])[::-1] if layout == "back" else a


def show(label, source, *arguments, **names):
    """Runs the loop twice on copies of its own, so that the second run is compiled; prints the second's outcome."""
    loop = written(source, **names)
    outcome(loop, *[a.copy() if isinstance(a, np.ndarray) else a for a in arguments])
    result, warned = heard(loop, *arguments)
    text = digest(result.ravel()) if isinstance(result, np.ndarray) else result
    print(label, text, digest(arguments[0].ravel())[2], warned[:3])


for dtype in ("bool", "int8", "int64", "uint8", "uint64", "float16", "float32", "float64", "complex64", "complex128", "object", ">f8"):
    for number, value in enumerate(NUMBERS_STORED):
        target = TARGETS[number % 4]
        show(f"{dtype} {target} = {value}", STORE, block(dtype), None, 3, target=target, value=value, rounds=30)
for dtype, layout in (("float64", "C"), ("int32", "steps"), ("complex64", "F"), ("complex128", "back")):
    for target in TARGETS:
        show(f"{layout} {dtype} {target} = 5", STORE, block(dtype, layout), None, 3, target=target, value="5", rounds=40)
    for number, part in enumerate(PARTS):
        target = ("a[i % 4]", "a[1:]", "a[:]", "a[:, i % 5]", "a[::2, ::-1]", "a[:i % 3 + 1]")[number % 6 if layout != "C" else number % 3]
        a, b = block(dtype, layout), block(dtype) * 3
        show(f"{layout} {dtype} {target} = {part}", STORE, a, b, 3, target=target, value=part, rounds=40)
    for store in SHIFTS:
        show(f"{layout} {dtype} {store}", SHIFT, block(dtype, layout), store=store)
for number, dtype in enumerate(NUMBERS):
    source = ("float32", "int16", "bool", "uint64", "complex128")[number % 5]
    show(f"{dtype} = {source}", STORE, block(dtype), block(source), 3, target="a[i % 4]", value="b[i % 3]", rounds=40)


def refused(a, b, period):
    """Stores that NumPy refuses, in some rounds, behind and before others."""
    found = []
    for i in range(60):
        try:
            a[i % 4] = i
            a[1:3] = b if i % period == 0 else 2
            a[:, 0] = 7
        except (ValueError, IndexError, TypeError) as error:
            found.append((i, str(error), error.__traceback__.tb_lineno - refused.__code__.co_firstlineno))
            a[i % 5 - 1] = -1
    return found[:3], len(found), a.tolist()


def read_only(a):
    """The array becomes read-only in the midst of it."""
    view = a[1:]
    for i in range(60):
        view[:, 1] = i
        a[i % 4] = a[3 - i % 4]
        if i == 50:
            a.flags.writeable = False
            view = a[1:]


def onto_itself(n):
    """Parts that have elements twice: the last one that is stored stays."""
    line = np.zeros(20)
    twice = np.lib.stride_tricks.as_strided(line, (4, 3), (8, 8))
    back = np.lib.stride_tricks.as_strided(line[9:], (4, 3), (8, -16))
    same = np.lib.stride_tricks.as_strided(line[15:], (4, 3), (0, 8))
    block = np.arange(12.0).reshape(4, 3)
    for i in range(n):
        twice[:] = block
        back[:, ::-1] = block * 2
        same[i % 2:] = block[i % 2:]
        same[:, 1:] = i
        block[0, 0] = i
    return line


def memory_shared(n):
    """What is stored to ends with the statement, or is somebody else's view."""
    kept = []
    for i in range(n):
        np.zeros((2, 3))[:] = i
        a = np.zeros((3, 4))
        row = a[1]
        a[0] = i
        a[1:] = a[0]
        row[:2] = -1.0
        kept.append((float(a.sum()), row.base is a))
        a = row
    return kept[:2], kept[-1]


def three(a):
    """Arrays of one, three and four dimensions, and empty ones."""
    for i in range(50):
        a[i % 2] = i
        a[..., i % 3] = a[0, 0, 0]
        a[:, i % 2, 1:] = a[1, 1, :1]
        a[i % 2, ..., None, 0] = i % 7
        a[:0] = 1 / (i + 1)
        a[2:2, :] = a[:0]
    return a


def filled(a, values):
    """fill(), of numbers that fit and others."""
    found = []
    for i in range(len(values) * 12):
        try:
            found.append(a[i % 3:].fill(values[i // 12]))
            a[:, 1].fill(a[0, 0])
        except (ValueError, TypeError, OverflowError) as error:
            found.append(str(error))
    return found[::12], a


for dtype in ("float64", "float32", "uint8", "bool", "complex64"):
    print(dtype, exact(heard(filled, block(dtype), [1, 2.5, True, -1, 300, 1e300, 1j, None, 2**70, np.float32(0.1), np.arange(3), float("nan")])))
for period in (1, 7, 59):
    print(refused(np.zeros((4, 5)), np.ones(3), period), refused(np.zeros((4, 5), "int8"), np.ones((3, 5), "int8"), period))
print(outcome(read_only, block("float64")), exact(memory_shared(60)), exact(onto_itself(60)))
print(exact(three(np.zeros((2, 2, 3)))), exact(three(np.zeros((2, 2, 3), "uint8"))), exact(three(np.zeros((2, 2, 3), "complex64"))))
with warnings.catch_warnings():
    warnings.simplefilter("error")
    show("overflow", STORE, block("float32"), None, 3, target="a[i % 4]", value="1e300 if i == 25 else 1.0", rounds=30)
    show("overflow of ints", STORE, block("int8"), None, 3, target="a[i % 4]", value="np.int64(300) if i == 25 else 1", rounds=30)
