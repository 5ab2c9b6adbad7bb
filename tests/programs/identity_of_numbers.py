# A number taken out of an object is that object as long as nobody computes; one that was computed is one object from the first
# time on that it has to be one.
import math

INF = float("inf")
NAN = float("nan")


def constants(n):
    best = INF
    hits = same = 0
    d = {"k": 1e308}
    for i in range(n):
        if best is INF:
            hits += 1
        x = d["k"]
        if d["k"] is x:
            same += 1
        best = INF if i & 1 else best
    return hits, same, best is INF, x is d["k"]


print(*constants(3000))


def moved(xs):
    out = []
    for x in xs:
        out.append(x)
    return all(a is b for a, b in zip(xs, out))


FLOATS = [float(i) for i in range(3000)]
print(moved(FLOATS), moved([i << 70 for i in range(3000)]), moved([i << 40 for i in range(3000)]))


def computed(n):
    x = 1e-9
    same = 0
    for i in range(n):
        x = x + 1.0
        y = x
        z = [x]
        same += (y is x) + (z[0] is x) + (z[0] is y)
        w = x + 0.0
        same += (w is x) + (x is not x)
    return same


print(computed(3000))


def across_blocks(n):
    x = 1e-9
    same = 0
    for i in range(n):
        x = x + 1.0
        y = x
        if i & 1:
            z = [x]
        else:
            z = (y, 1)
        same += (y is x) + (z[0] is x) + (z[0] is y)
    return same


print(across_blocks(3000))


def least(xs):
    best = INF
    for x in xs:
        if x < best:
            best = x
    return best


def largest(xs):
    best = xs[0]
    for x in xs:
        best = max(best, x)
    low = xs[0]
    for x in xs:
        low = min(x, low)
    return best, low


def choose(a, b):
    return a if a < b else b


def same(x):
    return x


def pair(a, b):
    return b, a


def accumulate(n):
    s = 0.5
    for i in range(n):
        s += max(i * 0.5, 3.5) - min(i * 0.25, s)
    return s


def swapped(xs):
    xs = list(xs)
    for i in range(len(xs) - 1):
        xs[i], xs[i + 1] = xs[i + 1], xs[i]
    return xs


def sorted_by_hand(xs):
    xs = list(xs)
    for i in range(1, len(xs)):
        x = xs[i]
        j = i - 1
        while j >= 0 and xs[j] > x:
            xs[j + 1] = xs[j]
            j -= 1
        xs[j + 1] = x
    return xs


print(accumulate(3000))
print(least(FLOATS) is FLOATS[0], least([]) is INF, [least([f]) is f for f in FLOATS[:3]])
print(largest(FLOATS)[0] is FLOATS[-1], largest(FLOATS)[1] is FLOATS[0])
print(all(a is b for a, b in zip(swapped(FLOATS), FLOATS[1:] + FLOATS[:1])))
SHUFFLED = [FLOATS[(i * 37) % 100] for i in range(100)]
print({id(x) for x in sorted_by_hand(SHUFFLED)} == {id(x) for x in SHUFFLED})


def calls(xs):
    count = 0
    for i in range(len(xs) - 1):
        a, b = xs[i], xs[i + 1]
        count += same(a) is a
        count += choose(a, b) is a
        count += choose(b, a) is a
        c, d = pair(a, b)
        count += (c is b) + (d is a) + (max(a, b) is b) + (min(a, b) is a) + (max(b, a, a) is b)
        count += (float(a) is a) + (+a is a) + ((a or b) is (a if a else b)) + ((a and b) is (b if a else a))
        count += (a if i & 1 else b) is (a if i & 1 else b)
    return count


print(calls(FLOATS), calls([i << 40 for i in range(3000)]), calls([i for i in range(3000)]))


def recursive(x, n):
    return x if n == 0 else recursive(x, n - 1)


def gcd(a, b):
    while b:
        a, b = b, a % b
    return a


def deep(xs):
    return sum(recursive(x, 20) is x for x in xs), sum(gcd(x, 0) is x for x in xs)


print(deep(FLOATS[:300]), deep([i << 40 for i in range(1, 300)]))


class Point:
    def __init__(self, x, y):
        self.x = x
        self.y = y

    def get(self):
        return self.x

    def set(self, x):
        self.x = x
        return x is self.x

    @property
    def first(self):
        return self.x

    def __add__(self, other):
        self.y = other
        return other


def attributes(xs):
    p = Point(1.5, 2.5)
    count = 0
    for x in xs:
        p.x = x
        y = p.x
        count += (p.x is x) + (y is x) + (p.get() is x) + (p.first is x) + p.set(y) + (p.x is y)
        p.y = p.x
        count += p.y is p.x
        z = x * 0.5
        p.y = z
        count += (p.y is z) + (p + x is x) + (p.y is x)
        q = Point(z, x)
        count += (q.x is z) + (q.y is x)
    return count


print(attributes(FLOATS))


def containers(xs):
    count = 0
    cells = [0.0] * 4
    d = {}
    for x in xs:
        cells[0] = x
        y = x + 1.0
        cells[1] = y
        cells[2] = x * 2.0
        cells[3] = cells[2]
        d["x"] = x
        d["y"] = y
        t = (x, y, x)
        u = [y, x]
        count += (cells[0] is x) + (cells[1] is y) + (cells[2] is cells[3]) + (d["x"] is x) + (d["y"] is y) + (t[0] is t[2])
        count += (t[1] is u[0]) + (u[1] is x)
        a, b, c = t
        count += (a is c) + (a is x) + (b is y)
    return count


print(containers(FLOATS))


def nans(n):
    count = 0
    xs = [NAN, 1.0]
    d = {NAN: 1}
    for i in range(n):
        x = xs[0]
        y = x
        z = INF - INF
        count += (x in xs) + (y in d) + (z in xs) + (z in [z]) + ([x] == [y]) + (x == y) + d.get(x, 0) + d[xs[0]]
    return count


print(nans(3000))


def shadowed(x):
    def inner():
        return x

    return inner() is x, inner() is inner()


def closures(xs):
    return sum(all(shadowed(x)) for x in xs)


print(closures(FLOATS))


def kept_after(xs, at):
    try:
        for i, x in enumerate(xs):
            y = x
            if i == at:
                raise ValueError
    except ValueError:
        return x is xs[at], y is x
    return x is xs[-1], y is x


print(kept_after(FLOATS, 2500), kept_after(FLOATS, -1))


class Seer:
    seen = None

    def __radd__(self, other):
        Seer.seen = other
        return other

    def __getitem__(self, index):
        return index

    def __lt__(self, other):
        Seer.seen = other
        return True


def seers(xs):
    s = Seer()
    count = 0
    for x in xs:
        if x > 1.0:
            count += x + s is x
            count += Seer.seen is x
            count += s[x] is x
            count += s < x
            count += Seer.seen is x
    return count


print(seers(FLOATS))


def integers(n):
    count = 0
    big = 1 << 50
    for i in range(n):
        a = i + 1000
        b = i % 7
        c = b
        count += (a is a) + (b is c) + (b + 0 is b) + (a + 1 is a + 1) + (abs(b) is b) + (big is big) + (int(a) is a)
        e = [a, b]
        count += (e[0] is a) + (e[1] is b) + (round(a) is a) + (math.floor(a) is a)
    return count


print(integers(3000))


def default(x=2.5, *rest, y=1e300):
    return x, y


def defaults(n):
    return sum(default()[0] is default()[0] for i in range(n)), sum(default()[1] is default.__kwdefaults__["y"] for i in range(n))


print(defaults(3000))


def comprehension(xs):
    ys = [x for x in xs if x > 2.0]
    zs = {x: x for x in xs}
    return all(a is b for a, b in zip(ys, xs[3:])), all(k is v for k, v in zs.items())


print(comprehension(FLOATS))

g = 0.25
held = []
count = 0
for i in range(3000):
    h = g
    held.append(g)
    count += (h is g) + (held[-1] is g)
    if i % 3 == 0:
        g = g + 1.0
    count += h is held[-1]
print(count, held[-1] is h, g is held[-1])


def set_global(n):
    global g
    count = 0
    for i in range(n):
        g = i * 0.5
        k = g
        count += (g is k) + (globals()["g"] is k) + (get_global() is k)
    return count


def get_global():
    return g


print(set_global(3000))
