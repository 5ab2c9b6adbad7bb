# array.flat: elements at an index, stores, iteration, amid changes; arrays of each layout; the iterator's own state.
# kiln-test: needs=numpy
import numpy as np
from _arrays import exact, outcome

COUNT = 3000


def summed(a):
    t = a.dtype.type(0)
    n = 0
    for x in a.flat:
        t = t + x if n % 2 else x
        n += 1
    return exact(t), n


def at_index(a, keys):
    t = 0.0
    for i in range(COUNT):
        t += float(a.flat[keys[i % len(keys)]].real)
    return t


def by_one_iterator(a):
    f = a.flat
    t = 0.0
    for i in range(COUNT):
        t += float(f[i % a.size].real) * (i & 3)
        if i % 7 == 0:
            t += f.index
    return t, f.index, f.coords


def stored(a, values):
    for i in range(COUNT):
        a.flat[i % a.size] = values[i % len(values)]
        a.flat[-1 - i % a.size] = a.flat[i % a.size]
    return a.tolist()


def failures(a, keys, values):
    seen = {}
    for i in range(COUNT):
        try:
            a.flat[keys[i % len(keys)]] = values[i // len(keys) % len(values)]
            text = "stored"
        except Exception as error:
            text = f"{type(error).__name__}: {error}"
        seen[text] = seen.get(text, 0) + 1
    return sorted(seen.items())


def resumed(a):
    f = a.flat
    out = []
    for rounds in range(5):
        n = 0
        for x in f:
            n += 1
            if n == 40 * rounds + 3:
                break
        out.append((n, f.index, f.coords))
    return out, len(list(f)), len(list(f))


def reset_amid(a):
    f = a.flat
    n = 0
    t = 0.0
    for x in f:
        t += float(x)
        n += 1
        if n % 100 == 50 and n < 500:
            t += float(f[3])
    return n, t, f.index


def changed_amid(a):
    n = 0
    for x in a.flat:
        n += int(x)
        a.flat[-1] = n % 50
    return n


def counted(a):
    t = 0
    for i, x in enumerate(a.flat):
        t += i * int(x)
    for x, y in zip(a.flat, a.T.flat):
        t += int(x) - 2 * int(y)
    return t


def mixed(arrays):
    t = 0.0
    for a in arrays:
        for x in a.flat:
            t = t % 997 * 3 + float(x)
    return t


class Sub(np.ndarray):
    def __getitem__(self, index):
        return 7


BLOCK = np.arange(720).reshape(8, 9, 10)
for dtype in "? b B h H i I q Q f d F D e M8[s] O".split():
    a = (BLOCK % 100).astype(dtype)
    print(dtype, outcome(lambda: summed(a)) if dtype[0] not in "M?" else len(list(a.flat)))
    if dtype[0] not in "MO":
        print(at_index(a, [0, 5, -1, 719, -720]), by_one_iterator(a[0]), by_one_iterator(a[0, 0]), by_one_iterator(a.T[0]))
        print(stored(np.zeros((2, 3), dtype), [True, 3, 2.5, np.float32(7.25), np.int16(9)]), stored(np.zeros(7, dtype)[::2], [1, 0]))
print(summed(np.array([2**64 - 1, 2**63, 5] * 400, np.uint64)), at_index(np.array([2**64 - 1, 1], np.uint64), [0, 1]))
print(failures(np.zeros((3, 4), np.int8), [0, 11, 12, -13, "a", None, True, 2.5, slice(1, 3), [1, 2]], [1, 300, "x", None, 2.5, np.nan, [1], 2**70]))
frozen = np.zeros(5)
frozen.flags.writeable = False
print(failures(frozen, [0, 9], [1, "x"]), failures(np.zeros(5, np.float32), [0], [1e300, 2, "x", 1j]))
print(resumed(BLOCK), resumed(BLOCK.T), resumed(np.arange(300)), resumed(np.arange(600)[::2]), resumed(np.arange(900).reshape(30, 30)[:, :20]))
print(reset_amid(np.arange(600.0)), reset_amid(np.arange(600.0).reshape(20, 30)), changed_amid(np.arange(1200) % 9))
print(counted(BLOCK[0]), counted(np.arange(1200).reshape(30, 40)))
print(mixed([BLOCK, BLOCK.T, BLOCK[::2], BLOCK.astype("f"), np.arange(1500), np.zeros((0, 3)), np.array(5.0), BLOCK.view(Sub)]))
