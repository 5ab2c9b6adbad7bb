# Instances that live in compiled code only: names of one instance see each other's stores, and it is one object wherever it gets out.
# kiln-test: libraries=compiled
import gc
import math
import sys
import weakref
from dataclasses import dataclass


class Vec:
    def __init__(self, x, y):
        self.x = x
        self.y = y

    def __add__(self, other):
        return Vec(self.x + other.x, self.y + other.y)

    def __sub__(self, other):
        return Vec(self.x - other.x, self.y - other.y)

    def __mul__(self, k):
        return Vec(self.x * k, self.y * k)

    __rmul__ = __mul__

    def __eq__(self, other):
        return self.x == other.x and self.y == other.y

    def __lt__(self, other):
        return self.x < other.x

    def __getitem__(self, index):
        return self.y if index else self.x

    def __bool__(self):
        return self.x != 0

    def dot(self, other):
        return self.x * other.x + self.y * other.y

    def length(self):
        return math.sqrt(self.dot(self))

    @property
    def norm(self):
        return abs(self.x) + abs(self.y)

    @classmethod
    def unit(cls, angle):
        return cls(math.cos(angle), math.sin(angle))

    def __repr__(self):
        return f"Vec({self.x:.6g}, {self.y:.6g})"


class Slots:
    __slots__ = ("a", "b", "__weakref__")

    def __init__(self, a, b=None):
        self.b = b
        self.a = a


class Plain:
    kind = "default"

    def __init__(self, value):
        self.value = value


class Sub(Plain):
    def __init__(self, value, more):
        super().__init__(value)
        self.more = more


class Chain:
    def __init__(self, item, rest):
        self.item = item
        self.rest = rest


class Doomed:
    ended = 0

    def __init__(self, value):
        self.value = value

    def __del__(self):
        Doomed.ended += self.value


class Noted:
    def __init__(self, value):
        self.value = value
        if value % 500 == 499:
            raise ValueError(value)
        self.after = value + 1


@dataclass
class Point:
    x: float
    y: float
    tag: int = 3


@dataclass(order=True, frozen=True)
class Frozen:
    key: int
    other: str = "o"


def sums(n):
    total = Vec(0, 0)
    step = Vec(1, 2.5)
    for i in range(n):
        total = total + step * i - Vec(i, 1)
    return total


def names(n):
    seen = 0
    for i in range(n):
        a = Vec(i, 1)
        b = a
        b.x += 1
        a.y = b.x * 2
        seen += a.x + b.y
        if a is not b or b is Vec(i, 1):
            seen = -1
    return seen


def escapes(n):
    kept = []
    for i in range(n):
        v = Vec(i, i)
        w = v
        if i % 7 == 0:
            kept.append(v)
        w.y = -i
        if i % 14 == 0:
            kept.append(w)
            w.x = "changed"
    return [(v.x, v.y) for v in kept][-3:], sum(a is b for a in kept for b in kept)


def order_of_names(n):
    out = []
    for i in range(n):
        p = Plain(i)
        if i % 2:
            p.late = 1
        p.last = 2
        p.late = 3
        if i % 100 == 99:
            out.append(list(vars(p)))
    return out[-2:], list(vars(Sub(1, 2)))


def unset(n):
    missing = 0
    for i in range(n):
        p = Plain(i)
        try:
            missing += p.none
        except AttributeError as error:
            missing += len(str(error))
        s = Slots.__new__(Slots)
        s.b = i
        try:
            s.a
        except AttributeError:
            missing += 1
        missing += len(p.kind)
        if i % 3 == 0:
            p.kind = "own"
            missing += len(p.kind)
    return missing


def slots(n):
    total = 0
    for i in range(n):
        s = Slots(i, Slots(1))
        s.b.a += s.a
        total += s.b.a
        s.b = s.a
        total -= s.b
        if i % 50 == 0:
            total += weakref.ref(s)() is s
    return total


def chains(n):
    head = None
    for i in range(n):
        head = Chain(i, head)
        if i % 10 == 9:
            head.rest.item = -1
    total = 0
    while head is not None:
        total += head.item
        head = head.rest
    return total


def loops_to_itself(n):
    count = 0
    for i in range(n):
        c = Chain(i, None)
        c.rest = c
        d = Chain(c, [c])
        count += c.rest.rest.item + (d.item is c) + (d.rest[0] is c)
        c.rest = None
    return count


def swapped(n):
    a, b = Vec(1, 2), Vec(3, 4)
    for i in range(n):
        a, b = b, a
        if i % 3 == 0:
            a.x += 1
        pair = (a, b)
        pair[0].y += pair[1].x
    return a, b


def kinds(n):
    p = Plain(1)
    out = []
    for i in range(n):
        p.value = i if i % 4 == 0 else i / 2 if i % 4 == 1 else None if i % 4 == 2 else str(i)
        if i > n - 5:
            out.append(p.value)
    return out


def big(n):
    p = Vec(1, 1)
    for i in range(n):
        p = Vec(p.x * 3 + 1, p.y)
        if p.x > 10**30:
            p.x = 1
    return p.x


def seen_in_frames(n):
    def look():
        frame = sys._getframe(1)
        found = frame.f_locals["v"]
        found.x += 100
        return found

    total = 0
    for i in range(n):
        v = Vec(i, 2)
        if i % 50 == 49:
            total += look() is v
        total += v.x
        if i % 70 == 69:
            total += locals()["v"] is v
    return total


def raising(n):
    out = 0
    for i in range(n):
        try:
            note = Noted(i)
            out += note.after
        except ValueError as error:
            made = error.__traceback__.tb_next.tb_frame.f_locals["self"]
            out += made.value + len(vars(made))
    return out


def finalised(n):
    Doomed.ended = 0
    for i in range(n):
        d = Doomed(i)
        d.value += 1
    return Doomed.ended


def attribute_functions(n):
    total = 0
    for i in range(n):
        p = Plain(i)
        setattr(p, "other", 5)
        total += getattr(p, "value") + hasattr(p, "other") + hasattr(p, "none")
        q = Plain(i)
        del q.value
        total += hasattr(q, "value")
        total += isinstance(p, Plain) + isinstance(p, Sub) + (type(p) is Plain) + (p.__class__ is Plain)
    return total


def subclasses(n):
    total = 0
    for i in range(n):
        p = Sub(i, 2) if i % 3 else Plain(i)
        total += p.value
        if isinstance(p, Sub):
            total += p.more
    return total


def points(n):
    total = 0.0
    best = Point(0.0, 0.0)
    for i in range(n):
        p = Point(i * 0.5, 1.0)
        p.tag += i
        total += p.x * p.y + p.tag
        if p == Point(3.0, 1.0, 9):
            total += 1000
        if p.x > best.x:
            best = p
        f = Frozen(i % 5)
        if f < Frozen(3) and f == Frozen(2):
            total += hash(f) == hash(Frozen(2))
    return total, best


def held_by_closure(n):
    total = 0
    for i in range(n):
        v = Vec(i, 0)
        get = lambda: v.x
        v.x += 1
        total += get()
    return total


def held_by_generator(n):
    def items(v):
        for k in range(3):
            v.x += k
            yield v.x

    total = 0
    for i in range(n):
        v = Vec(i, 0)
        for item in items(v):
            total += item
        total += v.x
    return total


def truths(n):
    count = 0
    for i in range(n):
        if Vec(i % 2, 0):
            count += 1
        if Plain(0):
            count += 1
        if not Vec(0, 1) and Vec(i, 1)[1] == 1:
            count += Vec(i, i).norm
        count += Vec(i, 2) < Vec(i + 1, 0)
    return count


def returned(i):
    v = Vec(i, 1)
    if i % 3:
        v.x = -v.x
    return v


def passed(v, depth):
    if depth == 0:
        v.x += 1
        return v
    return passed(v, depth - 1)


def calls(n):
    total = 0
    for i in range(n):
        total += returned(i).x
        v = Vec(i, 1)
        w = passed(v, 5)
        total += (w is v) + v.x
    return total


def objects_inside(n):
    items = []
    for i in range(n):
        p = Plain([i])
        p.value.append(1)
        q = Plain(p.value)
        p.value = None
        items = q.value
        q.value.append(p)
    return len(items), items[:2], items[2].value


def printed(n):
    text = ""
    for i in range(n):
        v = Vec(i, 0.5)
        v.y += 1
        text = f"{v}|{v!r}" if i % 10 == 0 else text
    return text


def units(n):
    total = Vec(0.0, 0.0)
    for i in range(n):
        u = Vec.unit(i)
        total += 2 * u
        if u.length() > 1.5:
            total = u
    return total


top = Vec(0, 0)
for number in range(3000):
    top = top + Vec(number, 1)
    if number % 1000 == 999:
        print(top)

for function in (sums, names, order_of_names, unset, slots, chains, loops_to_itself, swapped, kinds, big, seen_in_frames, raising, finalised,
                 attribute_functions, subclasses, points, held_by_closure, held_by_generator, truths, calls, objects_inside, printed, units):
    for size in (3, 2500, 2501):
        print(function.__name__, function(size))
print(escapes(1000))
gc.collect()
print(sum(isinstance(item, Vec) for item in gc.get_objects()))
