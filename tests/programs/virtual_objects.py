# Tuples, ranges and iterators that compiled code keeps in registers: identity, sharing, loops left and entered in
# mid-way, iterators with a second name, containers that change under an iterator.
import sys


def tuples_in_locals(count):
    same = total = 0
    kept = []
    for i in range(count):
        pair = (i, i * 0.5)
        other = pair
        third = (i, i * 0.5)
        same += (other is pair) + 2 * (third is pair) + 4 * (pair == third)
        nested = (pair, other, (third, i))
        same += 8 * (nested[0] is nested[1]) + 16 * (nested[2][0] is third) + 32 * (nested[0] is third)
        total += pair[0] + other[1] + nested[2][1] + pair[-1] + len(nested) + len(pair)
        if i % 500 == 0:
            kept.append(pair)
            kept.append(other)
            same += kept[-1] is kept[-2]
    return same, total, kept[:4]


def swap_and_rotate(count):
    a, b, c = 1, 2.5, "text"
    for i in range(count):
        a, b, c = b, c, a
        t = (a, b, c)
        x, y, z = t
        if (x, y) == (b, c):
            a = a
    return a, b, c, t


def carried(count):
    pair = (0, 1)
    for i in range(count):
        x, y = pair
        pair = (y, (x + y) % 1000003)
    return pair


def growing(count):
    chain = None
    for i in range(count):
        chain = (i, chain) if i % 50 else (i, None)
    depth = 0
    while chain is not None:
        depth += 1
        chain = chain[1]
    return depth


def pick(pair, index):
    return pair[index]


def identical(a, b):
    return a is b


def through_calls(count):
    total = same = 0
    for i in range(count):
        pair = (i, i + 1)
        total += pick(pair, 0) + pick(pair, i & 1) + pick((i, total & 7), 1)
        same += identical(pair, pair) + 2 * identical(pair, (i, i + 1))
        if i > count - 5:
            total += sum(pair)
    return total, same


def bad_index(count):
    seen = []
    for i in range(count):
        pair = (i, i)
        try:
            if i % 300 == 299:
                pair[i & 7 | 2]
            elif i % 300 == 100:
                a, b, c = pair
        except (IndexError, ValueError) as error:
            seen.append((i, str(error), pair))
    return seen[:4], len(seen)


def ranges_in_locals(count):
    total = same = 0
    for i in range(1, count):
        r = range(i, i * 3, 2)
        s = r
        total += r[0] + r[-1] + len(r) + s[i // 2] + (7 in r) + sum(s)
        same += (s is r) + 2 * (range(i) is r) + 4 * (r == s)
        for x in r:
            total += x
            if x > i + 6:
                break
        for x in s:
            total -= x
            break
    return total, same, r


def range_errors(count):
    seen = {}
    for i in range(count):
        r = range(i % 5)
        try:
            r[i % 7]
        except IndexError as error:
            seen[str(error)] = seen.get(str(error), 0) + 1
        try:
            range(0, 5, i % 3)
        except ValueError as error:
            seen[str(error)] = seen.get(str(error), 0) + 1
    return seen


def named_iterators(count):
    items = [3, 1, 4, 1, 5, 9, 2, 6]
    total = 0
    for i in range(count):
        e = enumerate(items, i)
        for k, x in e:
            total += k * x
            if x == 4:
                break
        for k, x in e:
            total -= k + x
        z = zip(items, range(5), items)
        for x, y, w in z:
            total += x * y - w
            if y == 1:
                break
        total += sum(x for x, y, w in z)
        f = z
        total += f is z
    return total


def left_in_mid_way(count):
    """Each inner loop is left by break, and the outer by return, from several depths."""
    items = list(range(30))
    other = tuple(i * 0.5 for i in range(25))
    total = 0
    for n, i in enumerate(range(count)):
        for k, (x, y) in enumerate(zip(items, other), start=n):
            if x > i % 28:
                break
            total += k * x - y
        else:
            total += 1000
        for x, (k, y) in zip(items, enumerate(other, 3)):
            if k == i % 31:
                total += x
                break
        if n == count - 3:
            return total, n, k, x, y


def changed_under_iterators(count):
    total = 0
    for i in range(count):
        items = [1, 2, 3, 4]
        for k, x in enumerate(items):
            total += x
            if k == 1:
                items.append(i & 3)
            if k > 3:
                items.clear()
        other = [1, 2, 3]
        for x, y in zip(items or [7, 8], other):
            other.append(x) if len(other) < 6 else other.clear()
            total += x * y
    return total


def shared_inner(count):
    total = 0
    for i in range(count):
        source = iter([1, 2, 3, 4, 5, 6, i])
        for x, y in zip(source, source):
            total += x * 10 + y
        total += len(list(source))
        source = iter(range(9))
        for k, x in enumerate(source):
            total += k * x
            if k == 3:
                total += next(source)
    return total


def unequal_lengths(count):
    total = 0
    for i in range(count):
        short, long = [1, 2, 3], iter(range(10))
        for x, y in zip(long, short):
            total += x + y
        total += next(long)  # zip asked it before it met the end of the other
        for (x,) in zip(range(3)):
            total += x
        for x in zip():
            total += 1
    return total


def strict_zip(count):
    seen = {}
    for i in range(count):
        try:
            for x, y in zip(range(i % 4), range(3), strict=True):
                seen[x] = seen.get(x, 0) + y
        except ValueError as error:
            seen[str(error)] = seen.get(str(error), 0) + 1
    return seen


def counting_far():
    seen = []
    for start in (sys.maxsize - 300, 2**70, True, -5):
        total = 0
        for k, x in enumerate(range(600), start):
            total += k - start + x
        seen.append((total, k))
    return seen


def unfit_items(count):
    seen = {}
    rows = [(1, 2), [3, 4], "ab", (1, 2, 3), 5, {7: 8, 9: 10}]
    for i in range(count):
        try:
            for a, b in (rows[i % 6], rows[(i + 1) % 6]):
                seen[f"{a}{b}"] = seen.get(f"{a}{b}", 0) + 1
        except (TypeError, ValueError) as error:
            seen[str(error)] = seen.get(str(error), 0) + 1
    return seen


def hot_enumerate(items):
    total = 0
    for k, x in enumerate(items):
        total += k * x
        if total > 10**12:
            total = 0.5
    return total


def hot_zip(a, b):
    total = 0
    for x, y in zip(a, b):
        total = total + x * y if x is not None else total + 1
    return total


print(tuples_in_locals(3000), swap_and_rotate(3001), carried(5000), growing(3000))
print(through_calls(3000), bad_index(3000))
print(ranges_in_locals(1500), range_errors(2000))
print(named_iterators(1500), left_in_mid_way(1500), changed_under_iterators(1500))
print(shared_inner(1000), unequal_lengths(1000), strict_zip(1200), counting_far())
print(unfit_items(1200))
print(hot_enumerate(list(range(20000))), hot_enumerate([0.5, 1] * 3000), hot_enumerate([]))
print(hot_zip(range(9000), [2] * 8000), hot_zip([1, None, 2.5] * 2000, (i for i in range(5000))))
