# abs min max round sum divmod pow ord chr isinstance len in hot loops: result types, ties, keyword forms, errors.
import fractions


def extremes(count):
    total = 0
    low, high = 10**9, -(10**9)
    for i in range(count):
        x = (i * 7919) % 10007 - 5000
        low = min(low, x)
        high = max(high, x)
        total += min(x, 0) + max(x, 0.5, i) + abs(x) - min((x, 3)) + max([i, x])
    return low, high, total


def ties(count):
    kinds = {}
    for i in range(count):
        for value in (
            min(1, 1.0),
            min(1.0, 1),
            max(True, 1),
            max(0.0, -0.0),
            min(0.0, -0.0),
            max(-0.0, 0),
            min(2, True),
            max(float("nan"), 1),
            max(1, float("nan")),
        ):
            key = repr(value)
            kinds[key] = kinds.get(key, 0) + 1
    return kinds


def keyed(count):
    total = 0
    words = ["pear", "fig", "apple", "kiwi"]
    for i in range(count):
        total += (
            len(min(words, key=len))
            + len(max(words, key=lambda w: (len(w), w)))
            + max([], default=i)
            + min(i, 5, key=lambda v: -v)
        )
    return total


def sums(count):
    total = 0
    items = list(range(20))
    floats = [0.1] * 20
    for i in range(count):
        total += sum(items) + sum(floats) + sum(range(i % 10)) + sum((1, 2), 3) + len(sum([[1], [2]], []))
    return total


def divmods(count):
    total = 0
    out = 0.0
    for i in range(count):
        q, r = divmod(i * 3 - 4000, 7 if i % 2 else -7)
        total += q * 5 + r
        a, b = divmod(i * 0.3 - 100, 1.7)
        out += a - b
    return total, out.hex()


def characters(count):
    total = 0
    text = []
    for i in range(count):
        c = chr(i % 0x500 + 32)
        total += ord(c) + ord("a") + (c < "m") + ("a" <= c <= "z")
        if i % 997 == 0:
            text.append(c)
    return total, "".join(text)


class Base:
    pass


class Derived(Base):
    pass


class Meta(type):
    def __instancecheck__(cls, instance):
        return instance == 4


class Odd(metaclass=Meta):
    pass


def instances(count):
    objects = [1, True, 2.5, "s", None, Base(), Derived(), [], (), 4, 2**70]
    counts = [0] * 8
    for i in range(count):
        x = objects[i % len(objects)]
        counts[0] += isinstance(x, int)
        counts[1] += isinstance(x, (float, str))
        counts[2] += isinstance(x, Base)
        counts[3] += isinstance(x, Derived)
        counts[4] += isinstance(x, int | None)
        counts[5] += isinstance(x, Odd)
        counts[6] += type(x) is int
        counts[7] += issubclass(type(x), object)
    return counts


class Loud:
    def __init__(self, n):
        self.n = n

    def __abs__(self):
        return -self.n

    def __round__(self, digits=None):
        return (self.n, digits)

    def __len__(self):
        return self.n

    def __lt__(self, other):
        return self.n > other.n

    def __divmod__(self, other):
        return "divmod", other


def overloaded(count):
    total = 0
    for i in range(count):
        thing = Loud(i)
        total += abs(thing) + len(thing) + round(thing)[0] + max(thing, Loud(5)).n + len(divmod(thing, 1))
    return total


def errors(count):
    seen = {}
    attempts = [
        lambda: len(5),
        lambda: abs("x"),
        lambda: min(),
        lambda: min([]),
        lambda: max(1, "a"),
        lambda: ord("ab"),
        lambda: chr(-1),
        lambda: chr(0x110000),
        lambda: sum(["a"]),
        lambda: sum("ab", ""),
        lambda: divmod(1, 0),
        lambda: divmod(1.0, 0),
        lambda: pow(0, -1),
        lambda: pow(2, 3, 0),
        lambda: pow(2.0, 3, 5),
        lambda: round("x"),
        lambda: round(1.5, "x"),
        lambda: isinstance(1, 1),
        lambda: range(1.5),
        lambda: len(Loud(-1)),
        lambda: int("12x"),
        lambda: float("1.5.2"),
        lambda: int(None),
        lambda: bool(1, 2),
        lambda: abs(),
    ]
    for i in range(count):
        try:
            attempts[i % len(attempts)]()
        except Exception as error:
            key = f"{type(error).__name__}: {error}"
            seen[key] = seen.get(key, 0) + 1
    return seen


print(extremes(20000), ties(1000), keyed(6000), sums(9000).hex())
print(divmods(20000), characters(20000), instances(22000), overloaded(9000))
for key, n in errors(6000).items():
    print(n, key)
print(
    pow(3, 4),
    pow(3, 4, 5),
    pow(3, -1, 7),
    pow(2.0, -2),
    round(2.675, 2),
    round(-1.5),
    round(1234, -2),
    round(fractions.Fraction(7, 2)),
)
