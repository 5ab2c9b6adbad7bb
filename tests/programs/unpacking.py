# Tuple packing and unpacking, swaps, star-unpacking, and the errors of wrong lengths.
# kiln-test: modes=always,quick,default,deopt,gc timeout=240


def fibonacci_pairs(count):
    a, b = 0, 1
    for _ in range(count):
        a, b = b, (a + b) % 1000007
    return a, b


def rotate(count):
    a, b, c = 1, 2.5, "x"
    for _ in range(count):
        a, b, c = c, a, b
    return a, b, c


def swap_items(items, count):
    n = len(items)
    for i in range(count):
        j = (i * 7 + 3) % n
        items[i % n], items[j] = items[j], items[i % n]
    return items


def order_matters(count):
    items = [0, 1, 2]
    i = 0
    for _ in range(count):
        i, items[i] = (i + 1) % 3, i
    return items, i


def stars(count):
    total = 0
    sizes = 0
    for i in range(count):
        first, *rest = range(i % 6 + 1)
        *init, last = (i, i + 1, i + 2)
        a, *middle, z = [i] * (2 + i % 3)
        total += first + sum(rest) + last + init[0] + a - z
        sizes += len(rest) + len(middle)
    return total, sizes, type(rest), type(middle)


def build_with_stars(count):
    total = 0
    for i in range(count):
        t = (*range(i % 4), i, *[1, 2])
        d = {**{"a": i}, "b": t}
        total += len(t) + d["a"] + len([*t, *d])
    return total


def wrong_lengths(count):
    errors = {}
    candidates = [
        (1, 2),
        (1,),
        (1, 2, 3),
        "ab",
        "abc",
        [1, 2],
        5,
        None,
        iter((1, 2)),
        iter((1, 2, 3)),
        {1: 2, 3: 4},
        (),
        range(2),
        range(9),
    ]
    for i in range(count):
        value = candidates[i % len(candidates)]
        try:
            a, b = value
        except (ValueError, TypeError) as error:
            errors[str(error)] = errors.get(str(error), 0) + 1
    return errors


def returns_pair(i):
    return i // 7, i % 7


def unpack_results(count):
    total = 0
    for i in range(count):
        q, r = returns_pair(i)
        (x, y), z = (q, r), i
        total += q * 7 + r - x * y + z
    return total


def escaping_tuples(count):
    kept = []
    pair = None
    for i in range(count):
        pair = (i, -i)
        if i % 1000 == 0:
            kept.append(pair)
    kept.append(pair)
    return kept, kept[-1] is pair


print(fibonacci_pairs(9000), rotate(9001), swap_items(list(range(11)), 9000), order_matters(9000))
print(stars(6000), build_with_stars(6000))
print(wrong_lengths(7000))
print(unpack_results(7000), escaping_tuples(6001))
