# instances of subclasses of dict, list and set with an __init__ of the program's; slot wrappers: super().__init__, object.__setattr__
from _harness import drive


class Record(dict):
    def __init__(self, key, value):
        super().__init__()
        self[key] = value


class Stack(list):
    def __init__(self, first):
        self.append(first)


class Letters(set):
    def __init__(self, letters):
        super().__init__(letters)


class Frozen:
    __slots__ = ("number",)

    def __init__(self, number):
        object.__setattr__(self, "number", number)


def work(n):
    total = 0
    for i in range(n):  # kiln-native allow-opaque=BINARY_SUBSCR
        record = Record("a", i)
        total += record["a"]
        stack = Stack(i)
        letters = Letters("ab")
        total += Frozen(i).number
    return total, record, stack, sorted(letters)


drive(work)
