# List, set, dict and generator comprehensions, hot themselves and inside hot loops, with closures and scoping rules.

scale = 3


def hot_inside(count):
    values = [i * i % 1009 for i in range(count)]
    evens = {v for v in values if v % 2 == 0}
    table = {v: i for i, v in enumerate(values) if i % 3}
    pairs = [(a, b) for a in range(150) for b in range(a % 60) if (a + b) % 4 == 0]
    return sum(values), len(evens), sum(table.values()), len(pairs), sum(a * b for a, b in pairs)


def in_hot_loop(count):
    total = 0
    for i in range(count):
        total += sum([j * i for j in range(4)]) + len({j % 2 for j in range(3)}) + len({j: i for j in (1, 2)})
        total += sum(j for j in (i, i + 1) if j % 2)
    return total


def scoping(count):
    i = "outer"
    for k in range(count):
        inner = [i for i in range(3)]
    functions = [lambda: j for j in range(count)]
    snapshot = [lambda j=j: j for j in range(count)]
    return i, inner, functions[0](), functions[-1](), snapshot[count // 2]()


def shared_cell(count):
    base = 0

    def read():
        return base

    out = []
    for base in range(count):
        if base % 2000 == 0:
            out.append([read() + x for x in range(2)])
    return out


def walrus(count):
    found = [y for x in range(count) if (y := x * x % 101) > 97]
    last = y
    total = 0
    any_big = any((hit := x) > count - 10 for x in range(count))
    return len(found), last, any_big, hit


def nested(n):
    matrix = [[i * n + j for j in range(n)] for i in range(n)]
    transposed = [[row[i] for row in matrix] for i in range(n)]
    flat = [x for row in transposed for x in row]
    return sum(x * i for i, x in enumerate(flat)), [sum(row) for row in zip(*matrix)][:3]


def with_globals(count):
    global scale
    first = [scale * i for i in range(count)]
    scale = 0.5
    second = [scale * i for i in range(count)]
    scale = 3
    return sum(first), sum(second)


def fails(count):
    results = []
    for form in (
        lambda: [10 // (count - 5 - i) for i in range(count)],
        lambda: {10 // (count - 5 - i) for i in range(count)},
        lambda: {i: 10 // (count - 5 - i) for i in range(count)},
        lambda: sum(10 // (count - 5 - i) for i in range(count)),
    ):
        try:
            form()
        except ZeroDivisionError as error:
            tb = error.__traceback__
            lines = []
            while tb:
                lines.append(tb.tb_lineno)
                tb = tb.tb_next
            results.append(lines)
    return results


class Body:
    size = 5
    squares = [x * x for x in range(size)]
    lengths = [len(str(x)) for x in range(6000)]


print(hot_inside(9000), in_hot_loop(6000), scoping(6000), shared_cell(6001), walrus(9000))
print(nested(90), with_globals(9000), fails(6000), Body.squares, sum(Body.lengths))
print(
    sum([x for x in range(20000) if x % 3 == 0 if x % 5 == 0]),
    [x for x in range(9000)][-1],
    sum([i ^ scale for i in range(9000)]),
)
