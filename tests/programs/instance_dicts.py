"""Instances that keep their attributes in a dict: made by late attributes, by __dict__, by many names; read, stored, missed."""

import gc
import weakref


class Late:
    shared = "of the class"
    default = 0

    def __init__(self, n):
        self.n = n

    def grow(self):
        self.colour = self.n % 3
        self.total = self.default
        self.default = self.n

    def method(self):
        return self.n + 1

    def step(self, other):
        self.total += other.n * self.colour
        return self.method() + len(self.shared)


class Noisy:
    def __init__(self, name):
        self.name = name

    def __del__(self):
        dropped.append(self.name)


dropped = []


def make(count):
    things = [Late(k) for k in range(count)]
    for thing in things:
        thing.grow()  # the class's keys are full by now: each gets a dict
    return things


def run(things, rounds):
    total = 0
    for r in range(rounds):
        for thing in things:
            total += thing.step(things[r % len(things)])
            thing.extra = total % 7
    return total, sum(thing.total + thing.extra + thing.default for thing in things)


def missing(things):
    seen = []
    for k, thing in enumerate(things * 20):
        if k == 700:
            del things[5].colour
        if k == 900:
            things[6].__dict__[3] = "no string"
        if k == 1000:
            things[7].__dict__ = {"n": 70, "colour": 1, "total": 0}
        if k == 1100:
            things[8].method = lambda: -1000
        try:
            seen.append(thing.colour + thing.method())
        except AttributeError as error:
            seen.append(str(error))
    return seen


def replaced(count):
    holders = make(64)
    for k in range(count):
        holder = holders[k % 64]
        holder.noisy = Noisy(k)
    holders.clear()
    return len(dropped), dropped[:5], sorted(dropped) == list(range(count))


def changes(things):
    total = 0
    for k in range(3000):
        thing = things[k % len(things)]
        if k == 1500:
            Late.colour = property(lambda self: 100)
        if k == 2000:
            del Late.colour
        if k == 2500:
            Late.method = lambda self: self.n * 2
        total += thing.colour * 3 + thing.method()
    return total


class Node:
    def __init__(self, name):
        self.name = name


def orders(count):
    """Attributes in other orders, deleted and added again, under equal keys that are other objects, in shared keys."""
    things = [Node(k) for k in range(64)]
    for k, thing in enumerate(things):
        for name in ("red", "green", "blue")[k % 3 :] + ("red", "green", "blue")[: k % 3]:
            setattr(thing, name, k)
        if k % 4 == 1:
            del thing.green
            thing.green = -k
        if k % 8 == 2:
            vars(thing)["".join(["bl", "ue"])] = 500
        if k % 8 == 3:
            vars(thing)  # a dict of the class's keys
    total = 0
    for k in range(count):
        thing = things[k % 64]
        total += thing.red + 10 * thing.green + 100 * thing.blue
        thing.green = thing.blue
        thing.blue = k
    return total, vars(things[9]), list(vars(things[10]))


def cycles(count):
    """A dict of plain numbers, which the collector does not know, comes to hold its own instance."""
    nodes = [Node(k) for k in range(count)]
    for k, node in enumerate(nodes):
        node.link = 0
        vars(node)["more"] = 1.5
    seen = [weakref.ref(node) for node in nodes]
    for node in nodes:
        node.link = node
    nodes.clear()
    del node
    gc.collect()
    return sum(reference() is not None for reference in seen)


print(run(make(90), 60))
print(missing(make(90))[::13])
print(replaced(2000))
print(changes(make(40)))
print(orders(3000))
print(cycles(2000))
things = make(50)
vars(things[3])["n"] = 1000
print(run(things, 40), vars(things[3]))


class Ordered:
    def __init__(self, first):
        if first:
            self.a, self.b, self.c = 1, 2, 3
        else:
            self.c, self.a, self.b = 3, 1, 2


def iterated(objects, count):
    """Over the dicts that instances with values show: in the order in which each was filled, and with changes on the way."""
    seen = {}
    total = 0
    for index in range(count):
        one = objects[index % len(objects)]
        text = ""
        try:
            for name, value in vars(one).items():
                text += name
                total += value
                if index % 50 == 49:
                    one.d = 4
            for name in vars(one):
                text += name.upper()
            for value in one.__dict__.values():
                total += value
                if index % 70 == 69:
                    del one.a
                    one.a = 5
        except RuntimeError as error:
            text += str(error)
        seen[text] = seen.get(text, 0) + 1
        if index % 200 == 199:
            objects[index % len(objects)] = Ordered(index % 3)
    return total, seen


print(iterated([Ordered(True), Ordered(False), Ordered(True)], 3000))
print(iterated([Ordered(False)], 40))
