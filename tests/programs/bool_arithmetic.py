# bool in arithmetic, comparison and indexing: it is an int, but its type must survive where Python keeps it.


def arithmetic(count):
    total = 0
    t, f = True, False
    for i in range(count):
        b = i % 3 == 1
        total += b
        total -= -b
        total += b * 5 + (b << 2) - (b - t) + (f or b)
        total += (t + t) * b + (not b)
    return total


def types_kept(count):
    kinds = {}
    for i in range(count):
        b = i % 2 == 0
        for value in (
            b,
            not b,
            b and i,
            b or i,
            b & True,
            b + 0,
            +b,
            -b,
            b == 1,
            b is True,
            bool(i % 5),
            b * 1.5,
            b / 2,
            b // 1,
            abs(b),
        ):
            name = type(value).__name__
            kinds[name] = kinds.get(name, 0) + 1
    return sorted(kinds.items())


def index_with_bool(count):
    pair = ["even", "odd"]
    out = {"even": 0, "odd": 0}
    for i in range(count):
        out[pair[i % 2 == 1]] += 1
    return out


def count_true(flags):
    n = 0
    for flag in flags:
        if flag is True:
            n += 1
        elif flag == True:  # 1 and 1.0 too
            n += 100
    return n


print(arithmetic(9000))
print(types_kept(3000))
print(index_with_bool(7001))
print(count_true([True, 1, 1.0, False, 0, None, "True"] * 1500))
print(sum(i % 2 == 0 for i in range(9001)), max(True, 0), min(False, 1, -0.0), round(True), int(True), float(False))
print(True + True, True / True, True // True, True % True, True**False, divmod(True, True), ~True, -True, True == 1.0)
