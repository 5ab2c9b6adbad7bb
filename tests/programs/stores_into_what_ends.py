"""Objects that end with the very instruction that stores into them, and take what was stored, or displaced, with them."""

import sys

seen = set()


class Noisy:
    def __del__(self):
        frame = sys._getframe(1)
        frames = []
        while frame is not None:
            frames.append((frame.f_code.co_name, frame.f_lineno, sorted(frame.f_locals)))
            frame = frame.f_back
        seen.add(repr(frames[:-1]))


class Node:
    def __init__(self, parent=None):
        self.parent = parent
        self.children = []
        self.data = Noisy() if parent is None else None


def items(count):
    total = 0
    for i in range(count):
        [None][0] = Noisy()
        total += i
    return total


def appended(count):
    total = 0
    for i in range(count):
        [].append(Noisy())
        total += i
    return total


def attributes(count):
    total = 0
    for i in range(count):
        Node(0).data = Noisy()
        total += i
    return total


def orphan():
    parent = Node()
    child = Node(parent)
    parent.children.append(child)
    return [child]


def orphans(count):
    total = 0
    for i in range(count):
        stack = orphan()
        stack.pop().parent = None
        total += i
    return total


def take(box):
    node = box.parent
    box.parent = None
    return node


def own_parents(count):
    total = 0
    box = Node(0)
    for i in range(count):
        node = Node()
        node.parent = node
        box.parent = node
        node = None
        take(box).parent = None
        total += i
    return total


def own_items(count):
    total = 0
    for i in range(count):
        ring = [None]
        ring[0] = ring
        ring.append(Noisy())
        box = [ring]
        ring = None
        box.pop()[0] = None
        total += i
    return total


def own_numbers(count):
    total = 0
    for i in range(count):
        node = Node()
        node.parent = node
        box = [node]
        node = None
        box.pop().parent = i * 0.5
        total += i
    return total


# A caller of its own for each, so that each is taken into a loop.
CALLER = """
def run(count):
    total = 0
    for _ in range(count):
        total += {name}(4)
    return total
"""

for function in items, appended, attributes, orphans, own_parents, own_items, own_numbers:
    exec(CALLER.format(name=function.__name__))
    print(function.__name__, run(1500))  # noqa: F821
    print(*sorted(seen), sep="\n")
    seen.clear()
