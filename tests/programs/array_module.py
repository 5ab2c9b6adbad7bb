# Items of arrays of the module `array` in hot loops: every type, what is refused, arrays that grow, move, and are of another type later.
import array

VALUES = [0, 1, -1, 127, 128, 255, 256, 32767, 65536, -(2**31), 2**31, 2**32, 2**63 - 1, 2**63, 2**64, True, 1.5, -0.0, float("nan"), 1e300, 1e-45,
          "x", None, 1j]


def stored(a, values):
    """Stores each value in the midst of others that fit; gives what became of it."""
    found = []
    for value in values:
        for i in range(30):
            try:
                a[i % len(a)] = value if i == 29 else i % 100
                a[-1] = 3
            except (TypeError, OverflowError, ValueError) as error:
                found.append(f"{type(error).__name__}: {error}")
        found.append(repr(a[29 % len(a)]))
    return found, a.tolist()


def read(a, n):
    total = 0
    last = None
    for i in range(n):
        last = a[i % len(a)]
        total += last
        total += a[-1 - i % len(a)]
    return total, last, type(last).__name__


def indexed(a, indices):
    found = []
    for i in range(len(indices) * 20):
        try:
            found.append(a[indices[i % len(indices)]])
        except (TypeError, IndexError) as error:
            found.append(str(error))
    return found[: len(indices)], len(found)


def growing(n):
    """It moves as it grows, and is another one at times."""
    a = array.array("i", [1, 2, 3])
    total = 0
    for i in range(n):
        a.append(i)
        total += a[i % len(a)]
        a[0] = total % 1000
        if i % 7 == 6:
            del a[:3]
        if i % 50 == 49:
            a.extend(range(1000))
            total += a[900]
            a = array.array("i", a[:5])
    return total, a.tolist()


def exported(n):
    a = array.array("d", [0.0] * 16)
    view = memoryview(a)
    errors = 0
    for i in range(n):
        a[i % 16] = i * 0.5
        view[3] = a[2]
        try:
            a.append(1)
        except BufferError:
            errors += 1
        if a[3] != view[3]:
            errors += 1000
    return errors, a.tolist()


class Noisy(array.array):
    def __getitem__(self, index):
        return super().__getitem__(index) + 1000


def any_numbers(a, n):
    """Called with arrays of all types, lists, a subclass."""
    total = 0
    for i in range(n):
        total += a[i % 4] * 3
        a[i % 4] = i % 100
    return total, len(a), list(a)


def identity(n):
    """Each item is a new object, unless it is a small int."""
    a = array.array("d", [1.5])
    b = array.array("i", [7, 1000])
    same = 0
    for i in range(n):
        x = a[0]
        same += (x is a[0]) + 2 * (b[0] is b[0]) + (b[1] is b[1])
    return same


for typecode in "bBhHiIlLqQfd":
    print(typecode, stored(array.array(typecode, [0] * 7), VALUES))
    for values in ([1, 2, 3, 4], [0, 100, 7]):
        print(read(array.array(typecode, values), 200))
top = array.array("L", [2**64 - 1, 2**63, 5])
print(read(top, 100), indexed(array.array("h", range(5)), [0, -1, 4, -5, 5, -6, True, "x", 2**70, 1.0]), indexed(array.array("d"), [0, -1]))
print(growing(400), exported(200), identity(100))
for made in (array.array("b", [1, 2, 3, 4]), array.array("d", [1, 2, 3, 4]), array.array("q", [1, 2, 3, 4]), [1, 2, 3, 4], Noisy("i", [1, 2, 3, 4]),
             array.array("f", [1, 2, 3, 4])):
    print(type(made).__name__, any_numbers(made, 200))
