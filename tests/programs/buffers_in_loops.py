# array.array, bytes, bytearray and memoryview in loops: elements, stores, errors, growing and releasing amid a loop.
import array
import struct

COUNT = 5000


def total(buffer):
    t = 0
    for i in range(len(buffer)):
        t += buffer[i]
    for x in buffer:
        t -= x * 2
    return t


def filled(buffer, values):
    for i in range(COUNT):
        buffer[i % len(buffer)] = values[i % len(values)]
        buffer[-1 - i % len(buffer)] += 1
    return bytes(buffer[:10]), buffer[-1]


def failures(buffer, keys, values):
    seen = {}
    for i in range(COUNT):
        try:
            buffer[keys[i % len(keys)]] = values[i // len(keys) % len(values)]
            text = "stored"
        except (IndexError, TypeError, OverflowError, ValueError, struct.error) as error:
            text = f"{type(error).__name__}: {error}"
        seen[text] = seen.get(text, 0) + 1
    return sorted(seen.items())


def off_the_end(buffer):
    i = 0
    t = 0
    try:
        while True:
            t += buffer[i]
            i += 1
    except IndexError as error:
        return i, t, str(error)


def checksum(data):
    a, b = 1, 0
    for byte in data:
        a = (a + byte) % 65521
        b = (b + a) % 65521
    return b << 16 | a


def crc(data):
    table = array.array("L", [0] * 256)
    for n in range(256):
        c = n
        for _ in range(8):
            c = c >> 1 ^ 0xEDB88320 if c & 1 else c >> 1
        table[n] = c
    c = 0xFFFFFFFF
    for i in range(len(data)):
        c = table[(c ^ data[i]) & 255] ^ c >> 8
    return c ^ 0xFFFFFFFF


def grown(make, count):
    buffer = make([1, 2, 3])
    t = 0
    for i in range(count):
        buffer.append(i % 100)
        t += buffer[i] + buffer[-1] + len(buffer)
        if i % 1000 == 999:
            del buffer[5:]
            buffer.extend(make([7]) * (i + 1))
    return t, len(buffer)


def shrunk(buffer):
    """The buffer loses its end amid the loop."""
    n = len(buffer)
    t = 0
    try:
        for i in range(n):
            t += buffer[i]
            if i == n - 100:
                del buffer[n - 50 :]
    except IndexError as error:
        return t, i, str(error)


def held(data):
    """A bytearray can't change its size while a view is out."""
    t = 0
    with memoryview(data) as view:
        for i in range(len(view)):
            t += view[i]
            view[i] = t & 0xFF
            if i == 4000:
                try:
                    data.append(1)
                except BufferError as error:
                    text = str(error)
    try:
        view[0]
    except ValueError as error:
        return t, text, str(error), checksum(data)


def released(data):
    view = memoryview(data)
    t = 0
    try:
        for i in range(COUNT):
            t += view[i % len(view)]
            if i == COUNT - 9:
                view.release()
    except ValueError as error:
        return t, i, str(error)


def parts(view):
    t = 0
    for i in range(COUNT):
        part = view[i % 7 : len(view) - i % 5 : i % 3 + 1]
        t += part[0] + part[-1] * len(part) + part.nbytes + part.itemsize
    return t


for code in "bBhHiIlLqQfd":
    values = array.array(code, [i % 120 for i in range(COUNT)])
    print(code, total(values), total(memoryview(values)), total(memoryview(values)[::3]))
    print(filled(array.array(code, [0] * 40), [1, 2, 50]), filled(memoryview(array.array(code, [0] * 40)), [1, 2, 5]))
    print(failures(array.array(code, [0] * 4), [0, -1, 4, -5, "x", 1.0, None, True], [1, -1, 2**31, 2**64, 1.5, "a", None]))
    print(off_the_end(values), off_the_end(memoryview(values)), shrunk(array.array(code, [3] * 4000)))
    print(parts(memoryview(values)[:60]))
data = bytes(i * 7 & 255 for i in range(9000))
print(checksum(data), checksum(bytearray(data)), checksum(memoryview(data)), crc(data), crc(memoryview(data)[::-1]))
print(grown(bytearray, 5000), grown(lambda items: array.array("i", items), 5000), shrunk(bytearray(data)))
print(held(bytearray(data)), released(bytearray(data)), released(array.array("d", range(50))))
print(failures(bytearray(5), [0, 5, -6, 2, "x", 2.0], [1, 255, 256, -1, 1.5, "a", True]))
print(failures(memoryview(bytes(5)), [0, 5], [1, 2]), failures(memoryview(bytearray(5)), [0, 5, -6, "x"], [1, 256, -1, "a"]))
print(failures(b"abcde", [0, 1], [1]), off_the_end(data), off_the_end(bytearray(data)))
grid = memoryview(bytearray(range(200))).cast("B", (10, 20))


def of_two_axes(grid):
    t = 0
    for i in range(COUNT):
        grid[i % 10, i % 20] = i & 127
        t += grid[i % 10, -1 - i % 20]
    return t


print(of_two_axes(grid))
