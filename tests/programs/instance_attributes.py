"""Attributes of instances in hot code: where they lie, what hides them, and everything that moves them meanwhile."""

import enum
import sys
import traceback


class Point:
    scale = 2

    def __init__(self, x, y):
        self.x = x
        self.y = y

    def length2(self):
        return self.x * self.x + self.y * self.y

    def shift(self, dx, dy=1):
        self.x += dx
        self.y += dy
        return self

    @property
    def total(self):
        return self.x + self.y


class Slotted:
    __slots__ = ("x", "y")

    def __init__(self, x, y):
        self.x = x
        self.y = y


def sums(points, rounds):
    total = 0
    for _ in range(rounds):
        for point in points:
            total += point.x - point.y
    return total


def show(*values):
    print(*values, flush=True)


# ---- plain loads and stores
points = [Point(i, 2 * i) for i in range(10)]
show(sums(points, 60))
floats = [Point(i / 4, -i / 8) for i in range(10)]
show(sums(floats, 60))
show(sums(points + floats, 60))
show(sums([Slotted(i, 1) for i in range(10)], 60))
show(sums([Slotted(1, 2), Point(3, 4), Slotted(0.5, 1)], 60))


def shared_floats(rounds):
    """A float that others hold too must not change with the attribute."""
    a, b = Point(0.5, 0.25), Point(0.0, 0.0)
    kept = []
    for i in range(rounds):
        before = a.x
        b.x = a.x
        a.x += 0.125
        kept.append(before)
        if b.x != before:
            return "changed"
    return a.x, b.x, kept[:3], sum(kept)


show(shared_floats(200))


def missing(rounds, at):
    point = Point(1, 2)
    for i in range(rounds):
        if i == at:
            del point.y
        point.x += point.y
    return point.x


for at in (3, 150):
    try:
        missing(200, at)
    except AttributeError as error:
        show(error, traceback.extract_tb(error.__traceback__)[-1].lineno - missing.__code__.co_firstlineno)


def to_dict(rounds, at):
    point = Point(0, 1)
    for i in range(rounds):
        if i == at:
            point.__dict__["z"] = 5
        point.x += point.y
        point.y = i & 3
    return point.__dict__


show(to_dict(200, 100), to_dict(200, 500))


def order(names, rounds):
    """The order in which attributes come into being shows in __dict__."""
    seen = set()
    for i in range(rounds):
        p = Point.__new__(Point)
        if i % 3 == 0:
            p.y = 1
            p.x = 2
        elif i % 3 == 1:
            p.x = 1.5
            p.y = i
        else:
            p.y = i
        seen.add(tuple(p.__dict__))
    return sorted(seen)


show(order("xy", 300))


# ---- methods, class attributes, properties
def methods(rounds, change):
    point = Point(1, 2)
    results = []
    for i in range(rounds):
        if i == 120:
            change(point)
        results.append(point.shift(i & 1).length2() + point.scale)
    return results[0], results[119], results[120:123], results[-1]


class Original:
    shift, length2, scale = Point.shift, Point.length2, Point.scale


def restore():
    Point.shift, Point.length2, Point.scale = Original.shift, Original.length2, Original.scale


def new_method(point):
    Point.length2 = lambda self: -1


def own_method(point):
    point.length2 = lambda: -2


def new_constant(point):
    Point.scale = 1000


def own_constant(point):
    point.scale = 7


def other_class(point):
    point.__class__ = Other


class Other(Point):
    def length2(self):
        return -3


for change in (lambda point: None, new_method, own_method, new_constant, own_constant, other_class):
    show(methods(200, change))
    restore()


class Base:
    weight = 1

    def value(self):
        return self.weight


class Middle(Base):
    pass


class Leaf(Middle):
    def __init__(self):
        self.n = 0


class Replacement(Base):
    weight = 50


def inherited(rounds, change):
    leaf = Leaf()
    for i in range(rounds):
        if i == 150:
            change()
        leaf.n += leaf.value()
    return leaf.n


def change_base_attribute():
    Base.weight = 10


def change_bases():
    Leaf.__bases__ = (Replacement,)


show(inherited(200, lambda: None), inherited(200, change_base_attribute), inherited(200, change_bases))


def properties(rounds, at):
    point = Point(1, 1)
    total = 0
    for i in range(rounds):
        if i == at:
            Point.total = property(lambda self: 1000)
        total += point.total
        point.x = i
    return total


original_total = Point.total
show(properties(200, 500), properties(200, 150))
Point.total = original_total


class Failing:
    limit = 150

    def __init__(self):
        self.n = 0

    @property
    def next(self):
        self.n += 1
        if self.n > self.limit:
            raise ValueError(f"past {self.limit}")
        return self.n


def failing(item):
    total = 0
    for i in range(300):
        try:
            total += item.next
        except ValueError as error:
            frames = [(f.name, f.lineno - failing.__code__.co_firstlineno) for f in traceback.extract_tb(error.__traceback__)]
            item.limit += 100
            show(error, frames[0], frames[1][0])
    return total


show(failing(Failing()))


def hooks(rounds, at, hook):
    class Watched:
        def __init__(self):
            self.n = 1

    item = Watched()
    total = 0
    for i in range(rounds):
        if i == at:
            hook(Watched)
        item.n = i
        total += item.n
    return total


def add_getattribute(cls):
    cls.__getattribute__ = lambda self, name: 5


def add_setattr(cls):
    cls.__setattr__ = lambda self, name, value: None


def add_data_descriptor(cls):
    cls.n = property(lambda self: 3, lambda self, value: None)


for hook in (lambda cls: None, add_getattribute, add_setattr, add_data_descriptor):
    show(hooks(200, 100, hook))


# ---- many classes at one place, and many kinds of values
classes = [type(f"Kind{i}", (Point,), {"scale": i}) for i in range(7)]
for count in (2, 3, 4, 6, 7):
    mixed = [classes[i % count](i, 1) for i in range(20)]
    show(count, sums(mixed, 30), sum(p.scale for p in mixed))


def kinds(values):
    point = Point(None, None)
    seen = []
    for value in values:
        point.x = value
        got = point.x
        seen.append(type(got).__name__ if got is value or got == value else "wrong")
    return seen


values = [1, 2.5, None, True, "text", 2**70, (1, 2), [3], -0.0, float("inf"), 2**62, -(2**63)] * 12
show(sorted(set(kinds(values))))


class Counted:
    made = 0
    gone = []

    def __init__(self, name):
        Counted.made += 1
        self.name = name

    def __del__(self):
        self.gone.append(self.name)


def finalised(rounds):
    holder = Point(None, None)
    for i in range(rounds):
        holder.x = Counted(i)
        if len(Counted.gone) != i:
            return "late", i
    return Counted.made, Counted.gone[-1]


show(finalised(150))


class Colour(enum.Enum):
    RED = 1
    GREEN = 2


class Tools:
    factor = 3

    @staticmethod
    def twice(x):
        return 2 * x

    @classmethod
    def scaled(cls, x):
        return cls.factor * x


def constants(rounds):
    tools = Tools()
    reds = total = 0
    for i in range(rounds):
        colour = Colour.RED if i % 3 else Colour.GREEN
        reds += colour is Colour.RED
        if i == 150:
            Tools.factor = 100
        total += Tools.twice(i) + tools.twice(1) + Tools.scaled(1) + tools.scaled(i) + Tools.factor
    return reds, total


show(constants(200))


# ---- frames and lines in methods
class Deep:
    def __init__(self, depth):
        self.depth = depth

    def down(self, n):
        if n == 0:
            frame = sys._getframe()
            names = []
            while frame.f_code.co_name != "<module>":
                names.append((frame.f_code.co_name, sorted(frame.f_locals)))
                frame = frame.f_back
            return len(names), names[1]
        return self.down(n - 1)


def deep(rounds):
    item = Deep(3)
    last = None
    for i in range(rounds):
        last = item.down(item.depth)
    return last


show(deep(150))


def unbound_slot(rounds):
    item = Slotted(1, 2)
    count = 0
    for i in range(rounds):
        try:
            if i % 50 == 49:
                del item.x
            count += item.x
        except AttributeError as error:
            show(error)
            item.x = i
    return count


show(unbound_slot(200))


class Node:
    def __init__(self, value, left=None, right=None):
        self.value = value
        self.left = left
        self.right = right


def build(depth):
    return Node(depth, build(depth - 1), build(depth - 1)) if depth else None


def weigh(node):
    return node.value + weigh(node.left) + weigh(node.right) if node is not None else 0


show(weigh(build(9)))
