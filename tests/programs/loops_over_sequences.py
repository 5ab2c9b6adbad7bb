# for over list, tuple, str, enumerate with start, zip, reversed and nested pairs, with values of several types.


def over_list(items):
    total = 0
    for x in items:
        total += x
    return total


def over_enumerate(items, start):
    total = 0
    for i, x in enumerate(items, start):
        total += i * x
    return total, i


def over_zip(a, b, c):
    total = 0
    n = 0
    for x, y, z in zip(a, b, c):
        total += x * y - z
        n += 1
    return total, n


def nested_unpack(pairs):
    total = 0
    for i, ((a, b), c) in enumerate(pairs):
        total += i * a - b + c
    return total


def backwards(items):
    out = 0
    for x in reversed(items):
        out = out * 31 + x & 0xFFFFFFFF
    return out


def characters(text):
    vowels = 0
    code = 0
    for ch in text:
        if ch in "aeiou":
            vowels += 1
        code = code * 131 + ord(ch) & 0xFFFFFFFF
    return vowels, code


def same_tuple_reused(items):
    kept = []
    for pair in enumerate(items):
        kept.append(pair)
    for pair in zip(items, items):
        kept.append(pair)
    return len(set(map(id, kept))) == len(kept), kept[:2], kept[-2:]


def zip_strict(count):
    try:
        for a, b in zip(range(count), range(count - 1), strict=True):
            pass
    except ValueError as error:
        return a, str(error)


ints = list(range(-3000, 3000))
floats = [x / 7 for x in ints]
mixed = [x if x % 3 else x / 2 for x in ints]
print(over_list(ints), over_list(tuple(floats)).hex(), over_list(mixed).hex(), over_list([]), over_list([True] * 6000))
print(over_list([2**62] * 5001), over_list((0.5, 2**70, 1) * 2000))
for start in (0, 1, -5, 2**62, 2**63 - 100, 10**25):
    print(over_enumerate(ints, start))
print(
    over_zip(ints, floats, mixed)[0].hex(),
    over_zip(ints, range(5500), tuple(ints)),
    over_zip(ints, iter(ints), iter(range(10**9))),
)
print(nested_unpack([((i, -i), i / 2) for i in range(6000)]).hex())
print(backwards(ints), backwards(tuple(ints)), backwards(range(6000)))
print(characters("the quick brown fox jumps over the lazy dög €" * 150))
print(same_tuple_reused(ints))
print(zip_strict(6000))
iterator = iter(ints)
for first in iterator:
    if first == 0:
        break
print(first, next(iterator), over_list(iterator), list(iterator))
