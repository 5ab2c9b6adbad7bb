# np.uint64 with all of its 64 bits: operators that need them, and the others, which meet numbers beyond 63 bits on the way.
# kiln-test: needs=numpy
import numpy as np
from _arrays import digest, exact, fresh, heard

COUNT = 3000
WORDS = [np.uint64(n) for n in (0, 1, 2, 2**31, 2**63 - 1, 2**63, 2**63 + 1, 2**64 - 2, 2**64 - 1, 0x9E3779B97F4A7C15)]
SMALL = [np.uint8(200), np.uint32(2**32 - 1), np.bool_(True), np.uint16(7)]


def bits(words, others):
    out = []
    for i in range(COUNT):
        x, y = words[i % len(words)], others[i * 7 % len(others)]
        out.append((x & y, x | y, x ^ y, ~x, x & 255, 1 | x))
    return out


def compared(words, others):
    out = []
    for i in range(COUNT):
        x, y = words[i % len(words)], others[i * 7 % len(others)]
        out.append((x < y, x <= y, x == y, x != y, x > y, x >= y, x == 5, x > 0, 3 < x, x != -1, x > -1, x < 2**63))
    return out


def computed(words, others):
    out = []
    for i in range(COUNT):
        x, y = words[i % len(words)], others[i * 7 % len(others)]
        out.append((x + y, x - y, x * y))
    return out


def divided(words):
    out = []
    for i in range(COUNT):
        x = words[i % len(words)]
        out.append((x // np.uint64(7), x % np.uint64(10), divmod(x, np.uint64(3)), x / 2, x * 0.5, x + 1.5, x ** np.uint64(1)))
    return out


def converted(words):
    out = []
    for i in range(COUNT):
        x = words[i % len(words)]
        out.append((int(x), float(x), bool(x), round(x), abs(x), hash(x), str(x), np.float64(x), np.uint64(x), x.item(), 1 if x else 0))
    return out


def extremes(words):
    out = []
    for i in range(COUNT):
        x, y = words[i % len(words)], words[i * 3 % len(words)]
        out.append((min(x, y), max(x, y), np.minimum(x, y), np.sqrt(x)))
    return out


def indices(words):
    row, found = list(range(10)), []
    for i in range(COUNT):
        try:
            found.append(row[words[i % len(words)]])
        except IndexError as error:
            found.append(str(error))
    return found


def xorshift(out, s):
    for i in range(out.size):
        s ^= s << np.uint64(13)
        s ^= s >> np.uint64(7)
        s ^= s << np.uint64(17)
        out[i] = s
    return s


def mixed(array, out, floats, ints):
    """Stores of such words where they do not fit, too."""
    for i in range(len(array)):
        x = array[i]
        out[i] = x ^ (x >> np.uint64(33))
        floats[i] = x
        if x < 1000:
            ints[i] = x
    return out


def too_large(array, ints):
    i = 0
    try:
        for i in range(len(array)):
            ints[i] = array[i]
    except OverflowError as error:
        return i, str(error)
    return i, None


def iterated(array):
    total, most = np.uint64(0), np.uint64(0)
    for x in array:
        total ^= x
        if x > most:
            most = x
    return total, most, x


def summed(array):
    total = 0
    for i in range(len(array)):
        total += array[i]
    return total


def contained(array, words):
    return [sum(1 for _ in range(400) if word in array) for word in words]


for others in (WORDS, SMALL, [np.int64(-1), np.int32(5)], [3, 2**62, 0], [1.5, np.float32(2)]):
    tests = (compared, computed) if isinstance(others[0], float) or others[0] == -1 else (bits, compared, computed)
    for test in tests:
        try:
            result, warned = heard(fresh(test), WORDS, others)
        except Exception as error:
            print(test.__name__, type(error).__name__, error)
            continue
        print(test.__name__, *digest([x for xs in result for x in xs]), warned)
for test in (divided, converted, extremes, indices):
    result, warned = heard(fresh(test), WORDS)
    print(test.__name__, [repr(x) for x in result[:10]], len(set(map(repr, result))), warned)
words = np.zeros(5000, np.uint64)
print(exact(fresh(xorshift)(words, np.uint64(88172645463325252))), *digest(list(words)))
small = words.copy()
small[::3] = 7
floats, ints = np.zeros(5000), np.zeros(5000, np.int64)
print(*digest(list(fresh(mixed)(small, np.zeros_like(small), floats, ints))), *digest(list(floats)), *digest(list(ints)))
small[:4000] = 9
print(heard(fresh(too_large), small, ints), *digest(list(ints)))
print([exact(x) for x in fresh(iterated)(words)])
print(heard(fresh(summed), small % np.uint64(1000)), heard(fresh(summed), small)[1])
print(contained(words[:50], [words[3], words[3] + np.uint64(1), 5, -1, 2.5]))
