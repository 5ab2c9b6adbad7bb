# Tuples in hot loops: indexing, comparison, concatenation, membership, hashing, slices, nesting, identity.


def indexed(count):
    t = (5, 2.5, "s", (1, 2), None)
    total = 0
    for i in range(count):
        total += t[0] + t[-4] + len(t[2]) + t[3][i % 2] + (t[4] is None) + t[i % 2]
    return total


def compared(count):
    hits = [0] * 5
    for i in range(count):
        a, b = (i % 7, i % 3), (3, i % 5)
        hits[0] += a < b
        hits[1] += a == b
        hits[2] += max(a, b) is a
        hits[3] += (i % 7, "x") <= (3, "y")
        hits[4] += a in ((1, 1), (2, 2), b)
    return hits


def grown(count):
    t = ()
    for i in range(count):
        t += (i,)
        if len(t) > 40:
            t = t[20:] + t[:1] * 2
    return len(t), t[:3], t[-2:], hash(t) == hash(tuple(list(t)))


def nested_swap(count):
    state = ((0, 1), (2.0, "x"))
    for i in range(count):
        (a, b), (c, d) = state
        state = ((b, a), (c + 0.5, d)) if i % 2 else ((a, b + 1), (c, d))
    return state


def points(count):
    best = (10**9, None)
    for i in range(count):
        x, y = i * 37 % 101 - 50, i * 91 % 103 - 51
        best = min(best, (x * x + y * y, (x, y)))
    return best


def returned(count):
    def both(n):
        return n // 10, n % 10

    def three(n):
        return (n, *both(n))

    total = 0
    for i in range(count):
        tens, ones = both(i)
        _, t, o = three(i)
        total += tens * 10 + ones - t * 10 - o + both(i)[1] + three(i)[-1]
    return total


def same_objects(count):
    constant_ids = set()
    empty = 0
    for i in range(count):
        t = (1, 2, 3)
        constant_ids.add(id(t))
        empty += tuple() is tuple([])
        u = t[:]
        empty += u is t
    return len(constant_ids), empty


def varied_lengths(count):
    shapes = [(), (1,), (1, 2), (1, 2, 3), ((),), ("a", 2.5)]
    total = 0
    for i in range(count):
        t = shapes[i % len(shapes)]
        total += len(t)
        for x in t:
            total += x if isinstance(x, int) else 1
        match t:
            case (a, b):
                total += 1000
            case (a,):
                total += 1
    return total


print(
    indexed(9000),
    compared(9000),
    grown(9000),
    nested_swap(9001),
    points(9000),
    returned(9000),
    same_objects(6000),
    varied_lengths(9000),
)
