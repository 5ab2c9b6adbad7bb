# memoryviews in loops: items of each type, stores, errors, steps, slices, views released amid a loop, their iterators, what they contain.
import array
import gc
import sys

COUNT = 3000


def outcome(work, *arguments):
    try:
        return work(*arguments)
    except Exception as error:
        return f"{type(error).__name__}: {error}"


def summed(view, keys):
    t = 0
    for i in range(COUNT):
        t += view[keys[i % len(keys)]] * (i & 3)
    return t


def filled(view, values):
    for i in range(COUNT):
        view[i % len(view)] = values[i % len(values)]
        view[-1 - i % len(view)] = view[i % len(view)]
    return view.tolist()


def failures(view, keys, values):
    seen = {}
    for i in range(COUNT):
        try:
            view[keys[i % len(keys)]] = values[i // len(keys) % len(values)]
            text = "stored"
        except (IndexError, TypeError, OverflowError, ValueError) as error:
            text = f"{type(error).__name__}: {error}"
        seen[text] = seen.get(text, 0) + 1
    return sorted(seen.items())


def iterated(view):
    t = n = 0
    for item in view:
        t = t * 3 % 65521 + item
        n += 1
    for i, item in enumerate(view, -5):
        t += i * item
    for item, other in zip(view, view):
        t += item - other * 2
    for item, other, k in zip(view[1:], view, range(n)):
        t -= item + k * other
    return t, n


def contained(view, wanted):
    found = 0
    for i in range(COUNT):
        found += wanted[i % len(wanted)] in view
    return found


def released_amid(view, at):
    t = 0
    try:
        for i, item in enumerate(view):
            t += item
            if i == at:
                view.release()
    except ValueError as error:
        return t, i, str(error)
    return t, i


def released_while_read(view, at):
    t = 0
    try:
        for i in range(COUNT):
            t += view[i % 7]
            if i == at:
                view.release()
    except ValueError as error:
        return t, i, str(error)
    return t


def released_behind(view):
    t = 0
    for item in view:
        t += item
    view.release()
    return t, outcome(lambda: view[0]), outcome(lambda: [1 for _ in view])


def exporter_released(data):
    outer = memoryview(data)
    inner = outer[2:]
    t = 0
    for i in range(COUNT):
        t += inner[i % len(inner)]
        if i == COUNT // 2:
            outer.release()
    inner.release()
    data.append(1)
    return t, len(data)


def by_hand(view):
    iterator = iter(view)
    t = next(iterator)
    for item in iterator:
        t += item
        if t % 5 == 0:
            t += next(iterator, 0)
    return t, next(iterator, "over"), [*iterator]


def left_and_resumed(view):
    iterator = iter(view)
    out = []
    for rounds in range(4):
        n = 0
        for item in iterator:
            n += item
            if n > 100 * rounds + 50:
                break
        out.append(n)
    return out, list(iterator)


def slices(view):
    t = 0
    for i in range(COUNT):
        part = view[i % 5:len(view) - i % 3]
        t += part[0] + part[-1] * len(part)
    return t


def swapped(views):
    t = 0
    for i in range(COUNT):
        view = views[i * len(views) // COUNT]
        t += view[i % len(view)]
        for item in view[:4]:
            t += item
    return t


class Owner(bytearray):
    pass


def ends_with_exporter():
    t = 0
    for i in range(COUNT):
        view = memoryview(Owner(b"abc"))
        t += view[i % 3]
        for item in view:
            t += item
    return t


CODES = {"b": [-128, 127, 0], "B": [0, 255], "h": [-32768, 32767], "H": [0, 65535], "i": [-(2**31), 2**31 - 1], "I": [0, 2**32 - 1],
         "l": [-(2**63), 2**63 - 1], "L": [0, 2**63 - 1, 5], "q": [-(2**63), 1], "Q": [2**63 - 1, 9], "f": [0.1, -0.0, 1e300, 3], "d": [0.1, -2.5e-310, True]}
for code, values in CODES.items():
    stored = array.array(code, [1] * 60)
    print(code, filled(memoryview(stored), values)[:5], summed(memoryview(stored), [0, -1, 5, -60, 59]), iterated(memoryview(stored)[7:30]))
    for step in (2, -1, -3):
        print(code, step, filled(memoryview(array.array(code, range(60)))[::step], values)[:4], iterated(memoryview(array.array(code, range(60)))[::step]))
print(outcome(summed, memoryview(array.array("Q", [2**64 - 1, 2**63])), [0, 1]))
print(outcome(iterated, memoryview(array.array("Q", [2**64 - 1, 2**63, 3] * 500))))
wrong = [300, -1, 2**70, "a", None, 2.5, 7, True]
print(failures(memoryview(bytearray(9)), [0, 8, 9, -9, -10, 2**70, "k", None, 2.5], wrong))
print(failures(memoryview(array.array("d", [0.0] * 9)), [0, -10, 8], wrong))
print(failures(memoryview(b"readonly"), [0, 9], wrong))
print(failures(memoryview(array.array("q", [0] * 9)), [0, 8], wrong))
print(summed(memoryview(b"some bytes"), [0, 3, -1]), iterated(memoryview(b"some bytes" * 200)))
print(contained(memoryview(b"some bytes"), [115, 116, 10.0, True, None, "s", 2**70]), contained(memoryview(array.array("d", [1.0, 2.5])), [1, 2.5, "x"]))
for at in (5, 2500):
    print(released_amid(memoryview(bytes(range(200)) * 20), at), released_while_read(memoryview(array.array("i", range(9))), at))
print(released_behind(memoryview(b"abc" * 500)))
print(exporter_released(bytearray(range(50))))
print(by_hand(memoryview(bytes(range(250)) * 8)), left_and_resumed(memoryview(bytes(range(200)))))
print(slices(memoryview(bytes(range(100)))), slices(memoryview(array.array("h", range(-50, 50)))[::-1]))
print(swapped([memoryview(b"0123456789"), memoryview(array.array("d", range(10))), memoryview(array.array("B", range(10))), memoryview(bytearray(12)).cast("i")]))
print(ends_with_exporter())
for odd in (memoryview(b"12345678").cast("B", (2, 4)), memoryview(b"1234").cast("c"), memoryview(b"\0\1\0\1").cast("?"), memoryview(b"12345678").cast("d", ())):
    print(outcome(lambda: [item for _ in range(400) for item in odd][-1]), outcome(lambda: [odd[i % 2] for i in range(COUNT)][-1]), outcome(len, odd))
# Ints that begin at an odd address.
shifted = memoryview(bytearray(range(41)))[1:].cast("i")
print(summed(shifted, [0, 3, -1]), filled(shifted, [5, -6, 7]), iterated(shifted))
for name in "text", "marks":
    held = memoryview(bytearray(b"xyz"))
    before = sys.getrefcount(held)
    for _ in range(COUNT // 10):
        for item in held:
            pass
    print(sys.getrefcount(held) - before, gc.collect() >= 0)
