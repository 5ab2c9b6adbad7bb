# What is true: objects with and without methods for it, None, containers, subclasses and numbers at one place
import collections
import weakref


class Plain:
    pass


class Sized:
    def __init__(self, size):
        self.size = size

    def __len__(self):
        return self.size


class Answers:
    def __init__(self, answer):
        self.answer = answer

    def __bool__(self):
        log.append(self.answer)
        return self.answer


class Rude:
    def __bool__(self):
        raise ValueError("ask somebody else")


class Odd:
    def __len__(self):
        return -1


class Words(list):
    pass


class Quiet(dict):
    def __len__(self):
        return 0


class Pair(collections.namedtuple("Pair", "a b")):
    pass


class Count(int):
    pass


class Node:
    def __init__(self, label, after=None):
        self.label = label
        self.after = after


class Tree:
    def __init__(self, label):
        self.label = label
        self.left = self.right = None

    def insert(self, label):
        if label < self.label:
            if self.left:
                self.left.insert(label)
            else:
                self.left = Tree(label)
        elif self.right:
            self.right.insert(label)
        else:
            self.right = Tree(label)
        return self

    def total(self):
        return self.label + (self.left.total() if self.left else 0) + (not self.right and 1 or self.right.total())


log = []
gone = Plain()
proxy = weakref.proxy(gone)
values = [
    None, Plain(), Sized(0), Sized(3), Answers(True), Answers(False), Words(), Words([1]), Quiet(a=1), Pair(1, 2), Count(0), Count(4), 0, 10**30,
    0.0, 1j, "", "text", b"", (), (1,), [], [0], {}, {1: 2}, set(), {3}, frozenset(), range(0), range(4), bytearray(), bytearray(b"a"),
    collections.deque(), collections.deque([1]), {}.keys(), True, False, Plain, len, proxy, ..., iter([]), collections.OrderedDict(),
    collections.Counter(a=1), memoryview(b""),
]


def asked(value):
    if value:
        return 1
    return 0


def denied(value):
    return not value


def either(value, other):
    return value or other


def both(value, other):
    return value and other


def length_of(node):
    count = 0
    while node:
        count += 1
        node = node.after
    return count


def all_of(rounds):
    text = []
    for function in (asked, denied):
        for number in range(rounds):
            result = function(values[number % len(values)])
            if number >= rounds - len(values):
                text.append(int(result))
    for number in range(rounds):
        value = values[number % len(values)]
        found = either(value, "other"), both(value, "other")
        if number >= rounds - len(values):
            text.append("".join("o" if part == "other" else "v" for part in found))
    return text


def few(rounds, some):
    return sum(asked(some[number % len(some)]) + 2 * denied(some[number % len(some)]) for number in range(rounds))


def fails(value):
    try:
        return asked(value)
    except (ValueError, ReferenceError) as error:
        return type(error).__name__


def changes(rounds):
    thing = Plain()
    total = 0
    for number in range(rounds):
        if number == rounds // 2:
            Plain.__bool__ = lambda self: False
        if thing:
            total += 1
    del Plain.__bool__
    return total, bool(thing)


total = {}
for step in range(3000):
    if total:
        total[step % 7] = step
    else:
        total["first"] = step
print(len(total), total["first"])
for rounds in (90, 450, 4500):
    print(all_of(rounds))
    print([few(rounds, some) for some in ([None, Plain()], [Plain()], [None, "a", ""], [Words(), Words([0])], [Sized(0), None, Sized(1)])])
    chain = None
    for number in range(rounds):
        chain = Node(number, chain)
    print(length_of(chain), length_of(None), changes(rounds))
    tree = Tree(rounds)
    for number in range(rounds):
        tree.insert(number * 7919 % 4096)
    print(tree.total(), len(log))
    print([fails(value) for value in (Rude(), Odd(), Plain())])
gone = None
print([fails(value) for value in (Plain(), proxy)])
