# C methods that classes of the program, and of Python's library, inherit: called in hot loops, hidden, replaced and misused.
# kiln-test: libraries=compiled
import collections
import random


class Stack(list):
    def twice(self, x):
        self.append(x)
        self.append(x)
        return self.pop()


class Counts(dict):
    def add(self, key):
        self[key] = self.get(key, 0) + 1
        return self.setdefault(key, 5)


class Text(str):
    pass


class Loaded(random.Random):
    pass


class Quiet(random.Random):
    def random(self):
        return 0.25


def dice(generator, n):
    inside = 0
    for _ in range(n):
        x = generator.random()
        y = generator.random()
        inside += x * x + y * y <= 1
        inside += generator.getrandbits(3)
    return inside


def stack(n):
    s = Stack()
    total = 0
    for i in range(n):
        s.append(i)
        total += s.twice(i & 7) + s.count(3) + len(s)
        s.insert(0, i)
        if len(s) > 20:
            s.clear()
        s.extend([i, 2])
        s.reverse()
        s.sort()
    return total, list(s)


def counts(n):
    c = Counts()
    t = 0
    for i in range(n):
        t += c.add(i % 7) + len(c.keys()) + (c.pop(100, 3))
    return t, sorted(c.items())


def queue(n):
    q = collections.deque([1, 2, 3])
    o = collections.OrderedDict()
    c = collections.Counter("hello")
    total = 0
    for i in range(n):
        q.append(i)
        total += q.popleft() + q.count(1)
        q.rotate(1)
        o[i % 5] = i
        o.move_to_end(i % 5)
        total += c.get("l", 0) + c.total()
    return total, list(q), list(o)


def text(n):
    s = Text("a,b,c")
    return sum(len(s.split(",")) + s.find("c") + len(s.upper()) for _ in range(n))


def hidden(n):
    """An instance's own attribute, then the class's, hide the inherited method."""
    g = Loaded(5)
    out = []
    for i in range(n):
        out.append(round(g.random(), 3))
        if i == 300:
            g.random = lambda: 7.0
        if i == 600:
            del g.random
        if i == 900:
            Loaded.random = lambda self: 8.0
        if i == 1200:
            del Loaded.random
    return out[295:310], out[598:606], out[898:904], out[1198:1204]


def classes(n):
    made = [Loaded(1), Quiet(2), random.Random(3)]
    total = 0.0
    for i in range(n):
        total += made[i % 3].random()
    return round(total, 6)


def misused(n):
    errors = []
    g = random.Random(1)
    for i in range(n):
        try:
            if i % 50 == 49:
                g.getrandbits(-1)
            elif i % 50 == 48:
                g.random(1)
            elif i % 50 == 47:
                g.getrandbits(2.5)
            else:
                g.random()
        except (ValueError, TypeError) as error:
            errors.append(str(error))
    return len(errors), errors[:3]


for _ in range(3):
    print(dice(random.Random(1), 3000), dice(Loaded(2), 3000), dice(Quiet(3), 2000))
    print(stack(800), counts(2000), queue(1500), text(1500))
    print(hidden(1500), classes(1500), misused(600))
