# Lists in hot loops: get, set, append, pop, negative indices, slices, `in`, methods, and values of changing type.


def sieve(limit):
    flags = [True] * limit
    flags[0] = flags[1] = False
    for i in range(2, int(limit**0.5) + 1):
        if flags[i]:
            for j in range(i * i, limit, i):
                flags[j] = False
    return sum(flags)


def negative_indices(items, count):
    total = 0
    n = len(items)
    for i in range(count):
        total += items[-1 - i % n] - items[i % n - n]
        items[-(i % n) - 1] += 1
    return total, items[:5]


def stack(count):
    s = []
    popped = 0
    for i in range(count):
        s.append(i)
        s.append(-i)
        if i % 3 == 0:
            popped += s.pop() + s.pop(0)
        if i % 100 == 99:
            s.insert(5, "mark")
            s.remove("mark")
    return len(s), popped, s[:4], s[-4:]


def matrix_product(n):
    a = [[i * j % 7 for j in range(n)] for i in range(n)]
    b = [[(i + j) % 5 - 2.5 for j in range(n)] for i in range(n)]
    c = [[0] * n for _ in range(n)]
    for i in range(n):
        for j in range(n):
            s = 0
            for k in range(n):
                s += a[i][k] * b[k][j]
            c[i][j] = s
    return sum(map(sum, c)), c[3][4]


def contains(count):
    items = [1, 2.0, "three", None, (4,), True, float("nan")]
    hits = 0
    for i in range(count):
        hits += i % 9 in items
        hits += 10 * (None in items) + 100 * ("three" in items)
        hits += 1000 * (items[-1] in items) + (i not in items)
    return hits


def slices(count):
    items = list(range(50))
    total = 0
    for i in range(count):
        k = i % 50
        total += (
            len(items[k:]) + len(items[:-k]) + len(items[::-1]) + len(items[k : k + 3 : 2]) + len(items[-1000:1000])
        )
        if i % 1000 == 0:
            items[10:12] = [0, 1, 2]
            del items[5], items[-1:]
    return total, items


def type_changes(count):
    cells = [0] * 8
    for i in range(count):
        k = i % 8
        if i == 3000:
            cells[k] = 0.5
        elif i == 4000:
            cells[k] = "s"
        elif i == 5000:
            cells[k] = 2**80
        else:
            v = cells[k]
            cells[k] = v + 1 if not isinstance(v, str) else v[:3] + "t"
    return cells


def bubble(items):
    n = len(items)
    for i in range(n):
        for j in range(n - 1 - i):
            if items[j] > items[j + 1]:
                items[j], items[j + 1] = items[j + 1], items[j]
    return items


def bool_index(count):
    items = [10, 20]
    return sum(items[i % 2 == 0] + items[-True] for i in range(count))


print(sieve(20000), negative_indices(list(range(17)), 9000), stack(6000))
print(matrix_product(30), contains(6000))
print(slices(4000))
print(type_changes(9000))
print(bubble([(i * 7919) % 131 - 60 for i in range(131)])[::13], bubble([x / 3 for x in range(100, 0, -1)])[:3])
print(bool_index(6000), [1, 2] * 3, [] + [1], [3, 1] < [3, 1, 0], [1, 2] == [1.0, 2.0])
