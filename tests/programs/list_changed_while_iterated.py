# Lists that grow, shrink, are cleared, sorted or replaced while a hot loop iterates over them.


def grows(limit):
    items = [1]
    n = 0
    for x in items:
        n += x
        if len(items) < limit:
            items.append(len(items) % 3)
    return n, len(items)


def removes_every_other(count):
    items = list(range(count))
    seen = []
    for x in items:
        items.remove(x)
        seen.append(x)
    return len(seen), seen[:4], len(items), items[:4]


def cleared(count):
    items = list(range(count))
    n = 0
    for x in items:
        n += 1
        if x == count // 2:
            items.clear()
    return n, items


def exhausted_stays_exhausted(count):
    items = list(range(count))
    iterator = iter(items)
    for _ in iterator:
        pass
    items.append("late")
    return list(iterator)


def type_changes_ahead(count):
    items = [1] * count
    total = 0
    for i, x in enumerate(items):
        total += x
        if i == count // 2:
            items[i + 1 :] = [0.5] * (count - i - 1)
        if i == count - 100:
            items[i + 1] = 2**70
    return total


def rebinding_the_name(count):
    items = list(range(count))
    n = 0
    for x in items:
        items = []
        n += 1
    return n, items


def inserts_before(count):
    items = [0]
    steps = 0
    for x in items:
        steps += 1
        if steps < count:
            items.insert(0, x + 1)
    return steps, items[:3]


def zipped_with_itself(count):
    items = list(range(count))
    iterator = iter(items)
    total = 0
    for a, b in zip(iterator, iterator):
        total += a * b
        if a == 2000:
            items.append(7)
    return total, a, b


def sorted_underway(count):
    items = list(range(count, 0, -1))
    total = 0
    for i, x in enumerate(items):
        if i == count // 2:
            items.sort()
        total = total * 3 + x & 0xFFFFFFF
    return total


def dict_grows(count):
    d = dict.fromkeys(range(count))
    try:
        for k in d:
            if k == count - 5:
                d["new"] = 1
    except RuntimeError as error:
        return k, str(error)


def set_shrinks(count):
    s = set(range(count))
    try:
        for k in s:
            if k == count - 5:
                s.discard(0)
    except RuntimeError as error:
        return k, str(error)


print(grows(6000), removes_every_other(6000), cleared(9000), exhausted_stays_exhausted(6000))
print(type_changes_ahead(6000), rebinding_the_name(6000), inserts_before(6000), zipped_with_itself(6001))
print(sorted_underway(6000), dict_grows(6000), set_shrinks(6000))
