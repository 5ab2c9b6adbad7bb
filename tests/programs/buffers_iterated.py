# Loops over bytes, bytearrays and arrays of the module `array`: what changes amid them, iterators by hand, enumerate, zip, slices, `in`.
import array

COUNT = 3000


def outcome(work, *arguments):
    try:
        return work(*arguments)
    except Exception as error:
        return f"{type(error).__name__}: {error}"


def iterated(buffer):
    t = n = 0
    for item in buffer:
        t = (t * 3 + int(item)) % 65521
        n += 1
    for i, item in enumerate(buffer, 2):
        t += i * item
    for item, other, k in zip(buffer, buffer, range(n)):
        t += item * k - other
    for (i, item), other in zip(enumerate(buffer), buffer):
        t -= i + item - other
    return t, n


def grown(buffer, extra):
    n = 0
    for item in buffer:
        n += 1
        if n % 3 == 0 and len(buffer) < COUNT:
            buffer.append(extra)
    return n, len(buffer)


def shrunk(buffer):
    n = t = 0
    for item in buffer:
        t += item
        n += 1
        if n % 4 == 0:
            buffer.pop()
    return n, t, len(buffer)


def emptied(buffer, at):
    n = 0
    for i, item in enumerate(buffer):
        n += item
        if i == at:
            del buffer[:]
    return n, len(buffer)


def by_hand(buffer):
    iterator = iter(buffer)
    t = next(iterator)
    for item in iterator:
        t += item
        if t % 5 == 0:
            t += next(iterator, 0)
    if hasattr(buffer, "append"):
        buffer.append(1)
    return t, next(iterator, "over"), [*iterator]


def left_and_resumed(buffer):
    iterator = iter(buffer)
    out = []
    for rounds in range(4):
        n = 0
        for item in iterator:
            n += item
            if n > 300 * rounds + 50:
                break
        out.append(n)
    return out, sum(iterator)


def kept(buffer):
    out = []
    for i in range(60):
        iterator = iter(buffer)
        for item in iterator:
            if item == i:
                break
        out.append(iterator)
    return [next(iterator, None) for iterator in out]


def uneven(short, long):
    iterator = iter(long)
    t = 0
    for a, b in zip(iterator, short):
        t += a * b
    return t, next(iterator, "over")


def strict(short, long):
    t = 0
    for a, b in zip(short, long, strict=True):
        t += a * b
    return t


def rebound(buffers):
    t = 0
    for buffer in buffers:
        for item in buffer:
            t = t * 7 % 9973 + item
            buffer = None
    return t


def contained(buffer, wanted):
    found = 0
    for i in range(COUNT):
        found += wanted[i % len(wanted)] in buffer
    return found


def slices(buffer):
    t = 0
    for i in range(COUNT):
        part = buffer[i % 5:len(buffer) - i % 3]
        t += part[0] + part[-1] * len(part)
        part = buffer[:-i % 7 - 1]
        t += len(part) + (type(part) is type(buffer))
    return t


def nested(buffers):
    t = 0
    for a in buffers[0]:
        for b in buffers[1]:
            for c in buffers[2]:
                t += a * b - c
    return t


class Text(bytes):
    pass


class Marks(bytearray):
    def __iter__(self):
        return iter([1, 2, 3])


class Numbers(array.array):
    def __getitem__(self, index):
        return 5


def both(data):
    return [bytearray(data), array.array("B", data), array.array("h", data), array.array("d", data)]


DATA = bytes(range(100)) * 12
for buffer in [DATA, *both(DATA)]:
    print(iterated(buffer), by_hand(buffer), left_and_resumed(buffer), kept(buffer)[:5], slices(buffer))
    print(contained(buffer, [3, 99, 100, True]), outcome(contained, buffer, [5, 1.0]), outcome(contained, buffer, [300]), outcome(contained, buffer, ["a"]))
    print(uneven(buffer[:700], buffer), uneven(buffer, buffer[:700]), strict(buffer, buffer), outcome(strict, buffer[:700], buffer), outcome(strict, buffer, buffer[:700]))
for buffer in both(DATA):
    print(grown(buffer[:], 7), shrunk(buffer[:]), emptied(buffer[:], 5), emptied(buffer[:], 1100))
for code in "bBhHiIlLqQfd":
    print(code, iterated(array.array(code, range(120)) * 10))
print(outcome(iterated, array.array("Q", [1, 2**63 + 5, 2**64 - 1] * 400)))
print(rebound([b"abc" * 300, bytearray(b"def" * 300), array.array("f", [0.5] * 900), [1, 2], b"ghi" * 300]))
print(nested([DATA[:30], bytearray(DATA[:20]), array.array("i", range(15))]))
print(iterated(Text(DATA)), iterated(Marks(DATA)), iterated(Numbers("i", range(1000))))
print(contained(DATA, [b"", b"\1\2", b"zz"]), contained(bytearray(DATA), [b"", b"\1\2", bytearray(b"\5\6")]))
