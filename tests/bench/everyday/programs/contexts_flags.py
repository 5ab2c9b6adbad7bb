"""Context managers, enums and bit flags."""

import sys
from contextlib import contextmanager, suppress
from enum import Enum, IntEnum, IntFlag, auto

BENCH = {"size": 95_000, "small": 60}

READ, WRITE, EXECUTE = 4, 2, 1


class Color(Enum):
    RED = 1
    GREEN = 2
    BLUE = 3

    def next(self):
        members = list(Color)
        return members[(members.index(self) + 1) % len(members)]


class Priority(IntEnum):
    LOW = 1
    MEDIUM = 5
    HIGH = 10


class Permission(IntFlag):
    READ = auto()
    WRITE = auto()
    EXECUTE = auto()


class Transaction:
    def __init__(self, store):
        self.store = store

    def __enter__(self):
        self.backup = dict(self.store)
        return self.store

    def __exit__(self, kind, error, trace):
        if kind is not None:
            self.store.clear()
            self.store.update(self.backup)
            return kind is ValueError
        return False


class Indenter:
    def __init__(self):
        self.level = 0
        self.lines = 0

    def __enter__(self):
        self.level += 1
        return self

    def __exit__(self, *exc):
        self.level -= 1

    def print(self, text):
        self.lines += self.level * len(text)


@contextmanager
def pushed(stack, item):
    stack.append(item)
    try:
        yield stack
    finally:
        stack.pop()


def chmod_text(mode):
    text = ""
    for bit, letter in ((READ, "r"), (WRITE, "w"), (EXECUTE, "x")):
        text += letter if mode & bit else "-"
    return text


def run(size):
    store = {"a": 0, "b": 0}
    indent = Indenter()
    stack = []
    color = Color.RED
    total = 0
    counts = {c: 0 for c in Color}
    allowed = Permission.READ
    for i in range(size):
        with Transaction(store) as s:
            s["a"] += i % 5
            if i % 10 == 3:
                raise ValueError("roll back")
        with indent:
            with indent as inner:
                inner.print("hello")
        with pushed(stack, i) as st:
            total += len(st) + st[-1] % 3
        with suppress(KeyError):
            total += store["c" if i % 4 == 0 else "b"]
        if i % 8 == 0:
            color = color.next()
        counts[color] += 1
        if color is Color.BLUE:
            total += color.value
        level = Priority.HIGH if i % 3 == 0 else Priority.LOW
        if level > Priority.MEDIUM:
            total += level
        if i % 16 == 0:
            allowed ^= Permission.WRITE
        if allowed & Permission.WRITE:
            total += 1
        total += len(chmod_text(i & 7).replace("-", ""))
    return total, store, indent.lines, [counts[c] for c in Color]


if __name__ == "__main__":
    print(run(int(sys.argv[1])))
