# A collection may come after any operation: what a loop still uses survives it, cycles that it dropped do not.
# kiln-test: modes=always,quick,default,deopt,gc
import gc
import weakref

COUNT = 120


class Node:
    live = 0

    def __init__(self, value):
        self.value = value
        self.me = self
        Node.live += 1

    def __del__(self):
        Node.live -= 1

    def __add__(self, other):
        return Node(self.value + other.value)

    def __iter__(self):
        return iter([Node(self.value), Node(-self.value)])

    def __bool__(self):
        return self.value % 3 != 0


def temporaries():
    """Operands and results that only the operand stack holds."""
    total = 0
    for i in range(COUNT):
        total += (Node(i) + Node(1) + Node(2)).value
    return total


def carried():
    """A value that passes from one iteration to the next."""
    node = Node(0)
    for i in range(COUNT):
        node = node + Node(i)
        if i % 40 == 7:
            node = Node(node.value)
    return node.value


def containers():
    """Lists, dicts, tuples and sets that are being built, and read while they are."""
    table, chain = {}, None
    for i in range(COUNT):
        key = (Node(i), str(i))
        table[key[1]] = [key, chain]
        chain = [table[key[1]], {Node(i)}]
    length = 0
    while chain is not None:
        length += len(chain[1])
        chain = chain[0][1]
    return length, sorted(table)[:3], sum(item[0][0].value for item in table.values())


def unpacked():
    """Items that an iterator has just handed out."""
    total = 0
    for i in range(COUNT):
        a, b = Node(i)
        total += a.value - b.value
        for c in Node(i):
            if c:
                total += c.value
    return total


def weak():
    """A weak reference dies with its object, not before."""
    alive = dead = 0
    for i in range(COUNT):
        node = Node(i)
        reference = weakref.ref(node)
        alive += reference() is node
        del node
        gc.collect()
        dead += reference() is None
    return alive, dead


def caught():
    """An exception on its way, with frames that hold objects."""

    def fail(node):
        local = [node, Node(1)]
        raise ValueError(local[0].value + local[1].value)

    total = 0
    for i in range(COUNT):
        try:
            fail(Node(i))
        except ValueError as error:
            total += error.args[0] + len(error.__traceback__.tb_next.tb_frame.f_locals)
    return total


def raised():
    """An exception that leaves the loop."""
    items = [Node(i) for i in range(COUNT)] + [None]
    total = 0
    try:
        for item in items:
            total += item.value
    except AttributeError as error:
        return total, str(error)


def inlined(node, k):
    other = Node(k)
    return node.value + other.value if node else other.value


def calls():
    """Frames of callees that are left in their middle."""
    total = 0.0
    for i in range(COUNT):
        total += inlined(Node(i), i if i < 100 else i + 0.5)
    return total


class Rebinder:
    """Its finaliser changes what the loop takes for constant."""

    def __init__(self):
        self.me = self

    def __del__(self):
        global step
        step = 1000


def rebound():
    """A collection that runs code: the loop sees what that did, at the next iteration at the latest."""
    global step
    step = 1
    total = 0
    for i in range(COUNT):
        total += step
        str(i)
        if i == COUNT // 2:
            Rebinder()
            gc.collect()
    return total


for function in temporaries, carried, containers, unpacked, weak, caught, raised, calls, rebound:
    result = function()
    gc.collect()
    print(function.__name__, result, Node.live)

items = []
for i in range(COUNT):
    items.append(Node(i) + Node(1))
    last = items[-1]
gc.collect()
print(sum(item.value for item in items), last.value, Node.live)
