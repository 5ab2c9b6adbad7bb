"""Stores into containers that only an attribute or an item holds: `self.items[i] = x`, `node.next.prev = x`, `self.table[key] = x`."""

import gc


class Forest:
    def __init__(self, n):
        self.parent = list(range(n))
        self.weights = [1.0] * n
        self.seen = {}
        self.log = []
        self.groups = [[i] for i in range(n)]

    def find(self, x):
        while self.parent[x] != x:
            self.parent[x] = self.parent[self.parent[x]]
            x = self.parent[x]
        return x

    def union(self, a, b):
        a, b = self.find(a), self.find(b)
        self.seen[a, b] = self.seen.get((a, b), 0) + 1
        self.log.append((a, b))
        if a != b:
            self.parent[b] = a
            self.weights[a] += self.weights[b]
            self.groups[a] = self.groups[a] + self.groups[b]
            self.groups[b] = None


def forest(n):
    f = Forest(n)
    for i in range(0, n - 3, 2):
        f.union(i, (i * 7 + 3) % n)
        f.union(i + 1, (i * 5 + 1) % n)
    groups = sorted(sorted(g) for g in f.groups if g)
    return len(groups), groups[-1][:5], sum(f.weights), len(f.seen), f.log[-2:], max(f.seen.values())


class Node:
    def __init__(self, value):
        self.value = value
        self.next = self.prev = None


class Ring:
    def __init__(self):
        self.head = Node(None)
        self.head.next = self.head.prev = self.head
        self.length = 0

    def push(self, value):
        node = Node(value)
        node.prev = self.head.prev
        node.next = self.head
        self.head.prev.next = node
        self.head.prev = node
        self.length += 1

    def pop(self):
        node = self.head.next
        node.prev.next = node.next
        node.next.prev = node.prev
        self.length -= 1
        return node.value


def rings(n):
    ring, total = Ring(), 0
    for i in range(n):
        ring.push(i * 3)
        if i % 3 == 2:
            total += ring.pop()
    while ring.length:
        total -= ring.pop()
    ring.head.next = ring.head.prev = None
    return total


class Loud:
    ended = []

    def __init__(self, name):
        self.name = name

    def __del__(self):
        Loud.ended.append(self.name)


class Holder:
    def __init__(self):
        self.items = [None, None]
        self.table = {}
        self.part = None


def displaced_finalisers(n):
    """What is displaced runs code, at the store's place."""
    Loud.ended.clear()
    h, seen = Holder(), []
    for i in range(n):
        h.items[i % 2] = Loud(i)
        seen.append(len(Loud.ended))
        h.table["k"] = Loud(-i)
        seen.append(len(Loud.ended))
    h.items = h.table = None
    return seen[-6:], Loud.ended[-6:], len(Loud.ended)


def containers_that_end(n):
    """Nobody but the stack holds what is stored into: it ends behind the store, with what was stored."""
    Loud.ended.clear()
    for i in range(n):
        [None, 1][0] = Loud(i)
        {}["x"] = Loud(i + 0.5)
        Holder().part = Loud(-i)
        Holder().items.append(Loud("a"))
    return Loud.ended[-8:], len(Loud.ended)


class Peeling:
    """As it ends it takes the list away in which it lay."""

    def __init__(self, holder):
        self.holder = holder

    def __del__(self):
        self.holder.items = [0, 0, 0]


def taken_away(n):
    h, total = Holder(), 0
    for i in range(n):
        h.items[1] = Peeling(h)
        h.items[1] = i
        total += h.items[1] or 1
        h.items[0] = i
        total += h.items[0]
    return total, len(h.items)


def holder_in_displaced(n):
    """What is displaced is the last that holds the list itself."""
    Loud.ended.clear()
    kept = []
    for i in range(n):
        box = Holder()
        box.items[0] = box
        items = box.items
        items[1] = Loud(i)
        del box
        items[0].items[1] = items[1]
        items[0] = None
        kept.append(len(Loud.ended))
    del items
    gc.collect()
    return kept[-4:], len(Loud.ended)


def matrices(n):
    class Grid:
        def __init__(self):
            self.rows = [[0.0] * n for _ in range(n)]

    g = Grid()
    for _ in range(4):
        for i in range(n):
            for j in range(n):
                g.rows[i][j] = g.rows[i][j] * 0.5 + i - j
                g.rows[j][i] += 1
    return sum(map(sum, g.rows))


def raised(n):
    h, out = Holder(), []
    for i in range(n):
        try:
            h.items[i % 3] = i
        except IndexError as error:
            out.append(str(error))
    return len(out), h.items


def everything(n):
    return (forest(n), rings(n), displaced_finalisers(n), containers_that_end(n), taken_away(n), holder_in_displaced(n),
            matrices(20), raised(n))


for _ in range(3):
    for line in everything(1200):
        print(line)


class Queue:
    def __init__(self):
        self.items = [1]
        self.index = {}
        self.bits = bytearray(64)
        self.next = None


def deletions(n):
    q, total = Queue(), 0
    for i in range(n):
        q.items[1:2] = [i, Loud(i), i + 1]
        total += len(q.items)
        del q.items[0]
        q.index[i] = q.items[-1]
        if i > 3:
            del q.index[i - 4]
        q.bits[i & 63] = i & 255
        if len(q.items) > 20:
            q.items[2:] = ()
    return total, len(q.items), sorted(q.index)[-2:], bytes(q.bits[:4])


for _ in range(2):
    Loud.ended.clear()
    print(deletions(900), len(Loud.ended))


class Bag:
    pass


class Slot:
    __slots__ = ("part", "noise")


def own_holders(n):
    """Stores that give up, with what they displace, the last that held the container."""
    Loud.ended.clear()
    for i in range(n):
        one, two, three, bag, slot, name = {}, {}, Bag(), Bag(), Slot(), lambda: 0
        one["x"] = one
        two["x"] = [two]
        three.part = three
        slot.part = [slot]
        bag.part = bag
        bag.__dict__["more"] = 1
        name.part = name
        one["y"], two["y"], three.noise, bag.noise, slot.noise, name.noise = map(Loud, range(i, i + 6))
        box = [one, two, three, bag, slot, name]
        one = two = three = bag = slot = name = None
        box.pop().part = i
        box.pop().part = i * 0.5
        box.pop().part = i
        box.pop().part = None
        box.pop()["x"] = i
        box.pop()["x"] = i
    return len(Loud.ended), Loud.ended[-6:]


for _ in range(3):
    print(own_holders(400))
