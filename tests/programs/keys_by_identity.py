# Dicts, sets and sequences of what is equal to itself only: instances, classes, functions. Some of it comes to compare otherwise
# midway, has a hash of its own, or runs code as it ends.
import abc
import enum

ROUNDS = 3000


class Node:
    def __init__(self, name):
        self.name = name


class Loud(Node):
    def __init__(self, name, log):
        super().__init__(name)
        self.log = log

    def __del__(self):
        self.log.append(self.name)


class Hashed(Node):
    def __init__(self, name, log):
        super().__init__(name)
        self.log = log

    def __hash__(self):
        self.log.append("hash")
        return 5


class Equal(Hashed):
    def __eq__(self, other):
        self.log.append("equal")
        return isinstance(other, Equal) and self.name == other.name

    __hash__ = Hashed.__hash__


class Shape(abc.ABC):
    @abc.abstractmethod
    def sides(self):
        """How many."""


class Square(Shape):
    def sides(self):
        return 4


class Meta(type):
    def __eq__(cls, other):
        return cls is other or (isinstance(other, Meta) and cls.group == other.group)

    def __hash__(cls):
        return hash(cls.group)


class First(metaclass=Meta):
    group = 1


class Second(metaclass=Meta):
    group = 1


class Colour(enum.Enum):
    RED = 1
    BLUE = 2


def dispatch(values):
    """By class, as copy and pprint do it."""
    table = {int: "int", str: "str", float: "float", type(None): "none", Node: "node", Shape: "shape", First: "first"}
    plain = frozenset({int, str, type(None)})
    counts = {}
    for index in range(ROUNDS):
        value = values[index % len(values)]
        cls = type(value)
        name = table.get(cls)
        if name is None:
            name = "other" if cls not in plain else "never"
        elif cls in plain:
            name += "!"
        counts[name] = counts.get(name, 0) + 1
    return counts


def graph(count):
    nodes = [Node(index) for index in range(40)]
    edges = {}
    for index in range(count):
        a, b = nodes[index % 40], nodes[index * 7 % 40]
        if a not in edges:
            edges[a] = set()
        edges[a].add(b)
    seen = set()
    order = []
    stack = [nodes[1]]
    while stack:
        node = stack.pop()
        if node in seen:
            continue
        seen.add(node)
        order.append(node.name)
        stack.extend(sorted(edges[node] - seen, key=lambda other: other.name))
    del edges[nodes[3]]
    return order, len(edges), len(seen & set(nodes[:20])), nodes[5] in nodes, nodes.index(nodes[7]), nodes.count(nodes[9])


def foreign(makers, log):
    """Keys of one hash, of which some are asked."""
    answers = []
    for maker in makers:
        keys = [maker(index % 3) for index in range(6)]
        table = {}
        log.clear()
        for index in range(600):
            key = keys[index % 6]
            table[key] = table.get(key, 0) + 1
            if key in table and index % 2:
                table[keys[0]] = index
        answers.append((len(table), sorted(table.values()), len(log)))
    return answers


def turns_midway(count):
    """A class that leaves == to identity learns another one."""

    class Late:
        def __init__(self, name):
            self.name = name

    keys = [Late(index % 2) for index in range(4)]
    table = {}
    found = 0
    for index in range(count):
        if index == count // 2:
            Late.__eq__ = lambda self, other: self.name == other.name
            Late.__hash__ = lambda self: self.name
            table.clear()
        key = keys[index % 4]
        if key in table:
            found += 1
        else:
            table[key] = index
    return found, len(table), keys[2] in keys[:1], keys.index(keys[3])


def class_assigned(count):
    """A key itself gets another class, with the hash that it had."""
    log = []
    key = Node(1)
    other = Node(1)
    number = hash(other)

    class Same(Node):
        def __eq__(self, other):
            log.append("asked")
            return True

        def __hash__(self):
            return number

    table = {other: "other"}
    missing = 0
    for index in range(count):
        if index == count // 2:
            key.__class__ = Same
        if table.get(key) is None:
            missing += 1
    return missing, len(log)


def ends(count):
    """What is given up with a key runs code."""
    log = []
    table = {}
    group = set()
    for index in range(count):
        key = Loud(index % 5, log)
        table[key] = index
        group.add(key)
        group.discard(key)
        del table[key]
        del key
        if index % 3 == 0:
            log.append("-")
    group.update([Loud("a", log), Loud("b", log)])
    for _ in range(300):
        group.add(Loud("c", log))
        group.clear()
    items = [Loud("d", log)]
    for _ in range(300):
        items.append(Loud("e", log))
        items.remove(items[0])
    return len(log), log[:30], log[-30:], len(group)


def odd_items(count):
    """Functions of any and all, sum and max ask the items other things."""

    class Odd:
        def __init__(self, log):
            self.log = log

        def __bool__(self):
            self.log.append("bool")
            return False

        def __radd__(self, other):
            self.log.append("add")
            return other

        def __lt__(self, other):
            self.log.append("less")
            return False

        __gt__ = __lt__

    log = []
    items = [Odd(log), Odd(log)]
    group = set(items)
    for _ in range(count):
        any(items), all(items), sum(items), max(items), min(items), sorted(items), any(group), sum(group)
        frozenset(items), set(group), group | set(items), list(group)
    return sorted((name, log.count(name)) for name in set(log))


log = []
print(dispatch([1, "a", 2.5, None, Node(1), Square(), First(), Second(), Colour.RED, [], lambda: 0]))
print(dispatch([Node(1)]), dispatch([3, 4]))
print(graph(4000))
print(foreign([Node, lambda name: Hashed(name, log), lambda name: Equal(name, log), lambda name: (Node, name),
               lambda name: (Equal(name, log), 1), lambda name: Colour(1 + name % 2), lambda name: [First, Second, Node][name]], log))
print(turns_midway(4000), class_assigned(4000), ends(2000), odd_items(400))


def compared(left, right, count):
    """== of what is equal to itself only, and of what it meets."""
    answers = []
    for index in range(count):
        a, b = left[index % len(left)], right[index // len(left) % len(right)]
        answer = (a == b, a != b)
        if index < len(left) * len(right):
            answers.append(answer)
    return answers


class Equals:
    def __eq__(self, other):
        log.append("eq")
        return True

    def __ne__(self, other):
        log.append("ne")
        return "different"


log.clear()
node, nan = Node(1), float("nan")
sides = [node, Node(1), Colour.RED, Colour.BLUE, None, int, nan, 1, "a", [node], (node, 1), {node: node}, {node}, First, Second, lambda: 0]
print(compared(sides, sides, ROUNDS), compared([node, Colour.RED], [Colour.RED, node], ROUNDS)[:4])
print(compared([node, Colour.RED, None, "a", Equals()], [Equals(), node], ROUNDS), len(log))
