"""Lists that are read before the loop around, once that code is there: then with other items, shorter rows, and lists that change amid."""


def rows_of(n, m, seed):
    return [[((i * 37 + j * 17 + seed) % 101) / 101.0 - 0.5 for j in range(m)] for i in range(n)]


def multiply(a, b, n):
    c = []
    for i in range(n):
        row = a[i]
        out = []
        for j in range(n):
            s = 0.0
            for k in range(n):
                s += row[k] * b[k][j]
            out.append(s)
        c.append(out)
    return c


def told(function, *arguments):
    try:
        return [[x.hex() if type(x) is float else x for x in row] for row in function(*arguments)]
    except (IndexError, TypeError, ValueError) as error:
        trace = error.__traceback__
        while trace.tb_next is not None:
            trace = trace.tb_next
        seen = {name: trace.tb_frame.f_locals[name] for name in ("i", "j", "k", "s") if name in trace.tb_frame.f_locals}
        return type(error).__name__, str(error), trace.tb_lineno - multiply.__code__.co_firstlineno, seen


N = 60
a, b = rows_of(N, N, 1), rows_of(N, N, 2)
for _ in range(30):
    product = multiply(a, b, N)
print(sum(map(sum, product)).hex())


class Odd(float):
    def __mul__(self, other):
        return 1000.0

    __rmul__ = __mul__


for what in (float("nan"), -0.0, float("inf"), 5e-324, 3, True, Odd(2.0), 2j, "text", None):
    for which in (a, b):
        for place in (7, N - 1):
            kept = which[place][N - 1 - place]
            which[place][N - 1 - place] = what
            result = told(multiply, a, b, N)
            print(type(what).__name__, place, result if isinstance(result, tuple) else hash(str(result).replace("nan", "n")) and sum(map(ord, str(result))))
            which[place][N - 1 - place] = kept
            multiply(a, b, N)
for place in (9, N - 1):
    for other in ([], [1.0] * (N - 1), [1.0] * (N + 3), (1.0,) * N, "x" * N, None, range(N)):
        for which in (a, b):
            kept = which[place]
            which[place] = other
            result = told(multiply, a, b, N)
            print(type(other).__name__, place, result if isinstance(result, tuple) else sum(map(ord, str(result))))
            which[place] = kept
            multiply(a, b, N)
b[3] = b[4] = a[5]
print(sum(map(sum, multiply(a, b, N))).hex())
print(sum(map(sum, multiply(a, a, N))).hex(), told(multiply, a, b, N + 1))
