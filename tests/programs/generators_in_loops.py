"""Loops over generators: what they yield, raise, return and leave behind."""

import sys
def numbers(n):
    for i in range(n):
        yield i * 2
def squares(xs):
    for x in xs:
        yield x * x + 0.5
def evens(n):
    i = 0
    while True:
        if i >= n: return
        if i % 2 == 0: yield i
        i += 1
def pair(n):
    a, b = 0, 1
    for _ in range(n):
        yield a, b
        a, b = b, (a + b) % 1000007
def fails(n):
    for i in range(n):
        if i == n - 3: yield [][i]
        yield 100 // (n - 2 - i)
def total(n):
    s = 0
    for x in numbers(n): s += x
    for y in squares(numbers(n)): s += y
    for e in evens(n): s -= e
    for a, b in pair(n): s += a ^ b
    return s
def exprs(n):
    s = 0
    for x in (i * 3 for i in range(n) if i % 3): s += x
    rows = [[1, 2, 3], [4, 5, 6]] * (n // 10)
    for r in (a * b for row in rows for a, b in zip(row, row)): s += r
    return s
def brk(n):
    s = 0
    for k in range(n // 10):
        for x in numbers(20):
            if x > 20: break
            s += x
        else: s += 1
    return s
def err(n):
    out = []
    for k in range(30):
        try:
            for x in fails(n + k): out.append(x)
        except (ZeroDivisionError, IndexError) as e:
            out.append(type(e).__name__); out.append(e.__traceback__.tb_next.tb_lineno)
    return sum(x for x in out if isinstance(x, int)), len(out), out[-1]
def nested(g, n):
    s = 0
    for x in g:
        s += x
        if x % 3 == 0:
            for y in numbers(5): s += y
    return s
def seen(n):
    s = 0
    for x in numbers(n):
        if x == n: print(sys._getframe().f_locals["s"], s)
        s += x
    return s
def ident(n):
    big = [float(i) for i in range(n)]
    def it(items):
        for x in items: yield x
    return all(x is y for x, y in zip(it(big), big)), sum(1 for _ in it(big)), [a is b for a, b in zip(big, [v for v in it(big)])].count(True)
for r in range(4):
    print(total(1000), exprs(1000), brk(2000), err(300), nested(numbers(900), 1), seen(800), ident(500))
g = numbers(2000)
s = 0
for x in g:
    s += x
    if x == 1000: break
print(s, next(g), sum(g), list(g))
for x in g: print("no")


class Ends:
    def __init__(self, name):
        self.name = name

    def __del__(self):
        print("end of", self.name)


def holding(n):
    held = Ends("held")
    for i in range(n):
        yield i
    other = Ends("other")
    yield n


def leaves_early(n):
    s = 0
    for k in range(4):
        for x in holding(n):
            s += x
            if x == n - 2 + k % 2:
                break
        print("left", s)
    for x in holding(n):
        s += x
    return s


def returns(n):
    for x in numbers(n):
        if x > n:
            return x


def mixed(n):
    for i in range(n):
        yield i if i % 7 else float(i)
        yield str(i) if i % 50 == 0 else None


def closures(n):
    scale = n % 5 + 1
    def scaled():
        nonlocal scale
        for i in range(n):
            yield i * scale
            if i % 100 == 99:
                scale += 1
    s = 0
    for x in scaled():
        s += x
    return s, scale


def count(*values, step=1, **options):
    for v in values:
        yield v * step + len(options)


def called_with(n):
    s = 0
    for k in range(n):
        for x in count(k, k + 1, step=2):
            s += x
        for x in count(k, a=1):
            s += x
    return s


def tree(depth):
    if depth:
        for x in tree(depth - 1):
            yield x + 1
        yield depth
        for x in tree(depth - 1):
            yield x - 1


def inside(n):
    """Who looks at the frames of generator and loop while both run."""
    frame = sys._getframe(1)
    return frame.f_code.co_name, frame.f_lineno - frame.f_code.co_firstlineno, frame.f_locals["i"], frame.f_back.f_code.co_name


def looked_into(n):
    for i in range(n):
        if i == n - 1:
            yield inside(n)
        yield i


def looks(n):
    last = None
    for x in looked_into(n):
        if type(x) is tuple:
            last = x
    return last


def pipeline(n):
    a = (i for i in range(n))
    b = (i * i for i in a if i % 2)
    c = (i + 1 for i in b)
    s = 0
    for x in c:
        s += x
    return s


def reused(n):
    g = numbers(n)
    s = 0
    for x in g:
        s += x
        if x >= n:
            break
    for x in g:
        s -= x
    return s, next(g, "ended")


def passes(items):
    last = None
    for x in items:
        kept = x
        yield x
        last = kept
    yield last


def counts(n):
    """Nothing holds an item longer than the loop."""
    items = [float(i) for i in range(n)] + [str(i) for i in range(n)]
    same = 0
    for x, y in zip(items, passes(items)):
        same += x is y
    total = 0.0
    for x in passes(items[:n]):
        total += x
    for x in passes(passes(items)):
        same += type(x) is str
    x = y = None
    return same, total, set(map(sys.getrefcount, items))


def throws(n):
    g = numbers(n)
    s = 0
    for x in g:
        s += x
        if x == n:
            try:
                g.throw(ValueError("thrown"))
            except ValueError as e:
                s += len(str(e))
    return s


for _ in range(4):
    print(leaves_early(600), returns(800), sum(isinstance(x, float) for x in mixed(700)))
    print([x for x in mixed(200) if isinstance(x, str)], closures(777), called_with(400), sum(x for x in tree(9)))
    print(looks(500), pipeline(1000), reused(900), throws(900), counts(700))
