# Bytes of bytearrays in hot loops: what is refused, bytearrays that grow, shrink, move or end between two rounds, and subclasses.
import array


def sieve(n):
    marks = bytearray([1]) * (n + 1)
    marks[0] = marks[1] = 0
    for i in range(2, n):
        if marks[i]:
            for k in range(i * i, n + 1, i):
                marks[k] = 0
    return sum(marks), bytes(marks[:20])


def stored(table, values):
    """Stores of values that do not fit, or are no ints, behind others."""
    found = []
    for i in range(len(values) * 30):
        value = values[i // 30 % len(values)] if i % 30 == 29 else i % 256
        try:
            table[i % len(table)] = value
            table[-1] = True
        except (TypeError, ValueError, IndexError) as error:
            found.append((type(error).__name__, str(error), error.__traceback__.tb_lineno - stored.__code__.co_firstlineno))
    return found, bytes(table)


def indexed(table, indices):
    found = []
    for i in range(len(indices) * 20):
        try:
            found.append(table[indices[i % len(indices)]])
        except (TypeError, IndexError) as error:
            found.append(str(error))
    return found[: len(indices)], len(found), sorted({type(value).__name__ for value in found})


def growing(n):
    """It moves as it grows, and its first byte with what is taken from its front."""
    table = bytearray(b"abc")
    total = 0
    for i in range(n):
        table.append(i % 256)
        total += table[i % len(table)]
        if i % 5 == 4:
            del table[:2]
        if i % 50 == 49:
            table.extend(bytes(1000))
            table[7] = 9
            total += table[700]
            table.clear()
            table += b"xyz"
        table[0] = total % 256
    return total, bytes(table)


def exported(n):
    table = bytearray(16)
    view = memoryview(table)
    errors = 0
    for i in range(n):
        table[i % 16] = i % 256
        view[3] = table[2]
        try:
            table.append(1)
        except BufferError:
            errors += 1
        if table[3] != view[3]:
            errors += 1000
    return errors, bytes(table)


class Noisy(bytearray):
    def __getitem__(self, index):
        return super().__getitem__(index) + 1000

    def __setitem__(self, index, value):
        super().__setitem__(index, value ^ 1)


def any_bytes(table, n):
    """Called with bytearrays, bytes, a subclass, an array."""
    total = 0
    for i in range(n):
        total += table[i % 4] * 3
        if not isinstance(table, bytes):
            table[i % 4] = i % 100
    return total, len(table), bytes(table)


def rebound(n):
    table = bytearray(8)
    for i in range(n):
        table[i % 8] = 7
        if i == n // 2:
            table = bytearray(4) + bytearray([i % 256]) * 4
        if i == n - 20:
            table = [0] * 8
    return table


print(sieve(5000))
print(stored(bytearray(10), [256, -1, 1.5, "x", 2**70, None, b"a", False]))
print(indexed(bytearray(b"hello"), [0, -1, 4, -5, 5, -6, True, "x", 2**70, 1.0]))
print(indexed(bytearray(), [0, -1]))
print(growing(600), exported(200), rebound(300))
for made in (bytearray(b"abcd"), b"abcd", Noisy(b"abcd"), array.array("B", b"abcd"), bytearray(b"wxyz")):
    print(type(made).__name__, any_bytes(made, 200))
