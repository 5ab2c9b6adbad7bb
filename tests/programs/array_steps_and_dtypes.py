# Slices whose steps vary, up and down; parts stored with another dtype of floats: infinities, nans, what overflows or becomes too small.
# kiln-test: needs=numpy
import warnings
import zlib

import numpy as np
from _arrays import exact, outcome

COUNT = 1500
warnings.simplefilter("always")


def crc(text):
    return zlib.crc32(text.encode())


def stepped(a, steps):
    out = []
    for i in range(COUNT):
        part = a[i % 4 - 2::steps[i % len(steps)]]
        out.append((len(part), exact(part[0]) if len(part) else None, exact(part[-1]) if len(part) else None, part.strides))
    return crc(str(out)), out[-3:]


def bounded(a, steps):
    t = []
    for i in range(COUNT):
        step, start, stop = steps[i % len(steps)], i % 23 - 11, i % 29 - 14
        for part in (a[start:stop:step], a[:stop:step], a[start::step]):
            t.append((part.shape, part.strides, int(part.sum())))
    return crc(str(t)), t[-4:]


def columns(a, steps):
    t = []
    for i in range(COUNT):
        step = steps[i % len(steps)]
        part = a[::step, i % 3::-step]
        part[:1] = i % 50
        t.append((part.shape, part.strides, int(part.sum())))
    return crc(str(t)), t[-3:]


def caught(a, steps):
    seen = {}
    for i in range(COUNT):
        try:
            text = str(a[::steps[i % len(steps)]].shape)
        except (ValueError, TypeError) as error:
            text = f"{type(error).__name__}: {error}"
        seen[text] = seen.get(text, 0) + 1
    return sorted(seen.items())


def stored(target, source, at):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for i in range(COUNT):
            target[i % 3, 1:] = source[i % len(source)]
            target[:, 0] = source[i % len(source), :3]
            if i == at:
                source[0, 1] = 1e39
    return exact(target), sorted({(str(w.message), w.lineno) for w in caught})


def errors(target, source, **state):
    with np.errstate(**state):
        for i in range(COUNT):
            target[i % 3, 1:] = source[i % len(source)]
    return exact(target)


def overlapping(memory):
    double = memory[:80].view(np.float64)
    single = memory[4:60].view(np.float32)
    for i in range(600):
        single[1:9] = double[:8]
        double[i % 2::2] = 0.5 * i
    return memory.tolist()


ROW = np.arange(20)
for steps in ([1, 2, 3], [-1, -2, -7], [2, -3], [1, -1], [100, -100, 2**40, -(2**40)], [np.int8(-2), np.int64(3)], [True, -1]):
    print(stepped(ROW, steps), bounded(ROW * 1.5, steps), columns(np.arange(60).reshape(6, 10), steps))
print(caught(ROW, [1, -1, 0, 2]), caught(ROW, [0]), caught(ROW, [1, "a", None, 2.0]))
print(stepped(np.zeros(0), [-1, 2]), bounded(np.arange(1), [-1, 1, -3]))

VALUES = [[0.1, -0.0, np.inf, -np.inf], [1e-30, 3e38, np.nan, -np.nan], [1e-45, 1e-50, 1.17e-38, 5.0]]
for values in (VALUES[:1], VALUES[:2], VALUES):
    source = np.array(values)
    print(stored(np.zeros((3, 5), np.float32), source.copy(), -1), stored(np.zeros((3, 5), np.float32), source.copy(), 700))
    print(stored(np.zeros((3, 5)), source.astype(np.float32), -1), stored(np.zeros((3, 5), np.int32), np.nan_to_num(source, posinf=1, neginf=2) % 7, -1))
    print(stored(np.zeros((3, 9), np.float32)[:, ::2], source, -1), stored(np.zeros((3, 5), np.float32), source.T.copy().T, -1))
print(outcome(lambda: errors(np.zeros((3, 5), np.float32), np.array(VALUES), under="raise")))
print(outcome(lambda: errors(np.zeros((3, 5), np.float32), np.array([[1e39] * 4]), over="raise")))
print(outcome(lambda: errors(np.zeros((3, 5), np.float32), np.array([[1e39] * 4]), over="ignore")))
signalling = np.array([0x7FF0000000000001] * 4, np.uint64).view(np.float64).reshape(1, 4)
print(outcome(lambda: stored(np.zeros((3, 5), np.float32), signalling, -1)[1]))
with np.errstate(all="ignore"):
    print(crc(str(overlapping(np.zeros(88, np.uint8)))))
