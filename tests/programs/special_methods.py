"""Operations that call special methods of the program's classes: results, NotImplemented, exceptions, what frames and finalisers see."""

import sys
import traceback

ROUNDS = 1500


class Money:
    def __init__(self, amount):
        self.amount = amount

    def __eq__(self, other):
        if isinstance(other, Money):
            return self.amount == other.amount
        if isinstance(other, int):
            return self.amount == other
        return NotImplemented

    def __lt__(self, other):
        if other.__class__ is not self.__class__:
            return NotImplemented
        return self.amount < other.amount

    def __le__(self, other):
        return "yes" if self.amount <= other.amount else ""

    def __hash__(self):
        return hash(self.amount)


class Coin(Money):
    def __gt__(self, other):
        return ("reflected", self.amount, other.amount)


class Asks:
    def __eq__(self, other):
        return ("Asks", type(other).__name__)

    def __gt__(self, other):
        return "Asks is greater"


class Bag:
    def __init__(self, items):
        self.items = items
        self.log = []

    def __contains__(self, item):
        return self.items.get(item, [])

    def __len__(self):
        return self.items["length"]

    def __setitem__(self, key, value):
        key = key + 1
        self.items[key] = value
        return "dropped"

    def __getitem__(self, key):
        return self.items[key]


class Near:
    def __init__(self, centre):
        self.centre = centre

    def __contains__(self, number):
        return -3 < number - self.centre < 3

    def __len__(self):
        return self.centre


class Adder:
    def __init__(self, base):
        self.base = base

    def __call__(self, number, scale=2, *more, offset=0):
        self.base += 1
        return self.base + number * scale + len(more) + offset


class Scope:
    depth = 0
    swallowed = 0

    def __init__(self, swallow=False):
        self.swallow = swallow

    def __enter__(self):
        Scope.depth += 1
        return Scope.depth

    def __exit__(self, kind, value, trace):
        Scope.depth -= 1
        if kind is not None and self.swallow:
            Scope.swallowed += 1
            return True
        return False


class Loose:
    entered = left = 0

    def __enter__(self):
        self.entered += 1
        return self

    def __exit__(self, *about):
        self.left += 1
        self.last = about


class Refuses:
    def __enter__(self):
        raise ValueError("not today")

    def __exit__(self, *about):
        print("never")


class Named:
    count = 0
    label = "named"

    @classmethod
    def tally(cls, step):
        cls.count += step
        return cls.count

    @classmethod
    def make(cls):
        return cls()

    @staticmethod
    def twice(number):
        return number * 2

    def of_class(self):
        return self.__class__.label, self.__class__ is Named


class Derived(Named):
    label = "derived"


def compare(left, right):
    found = [0, 0, 0]
    for _ in range(ROUNDS):
        found[0] += left == right
        found[1] += left < right
        found[2] += (left <= right) == "yes"
    return found


def compare_any(left, rights):
    found = []
    for number in range(ROUNDS):
        result = left == rights[number % len(rights)]
        if number < 12:
            found.append(result)
    return found


def greater(left, right):
    for _ in range(ROUNDS):
        result = left < right
    return result


def unordered(left, right):
    problems = set()
    for _ in range(ROUNDS):
        try:
            left < right
        except TypeError as problem:
            problems.add(str(problem))
    return problems


def contained(bag, items):
    count = missing = 0
    for number in range(ROUNDS):
        item = items[number % len(items)]
        if item in bag:
            count += 1
        missing += item not in bag
    return count, missing


def lengths(things):
    total = 0
    for number in range(ROUNDS):
        total += len(things[number % len(things)])
    return total


def length_problem(bag):
    problems = set()
    for _ in range(ROUNDS):
        try:
            len(bag)
        except Exception as problem:
            problems.add((type(problem).__name__, str(problem)))
    return problems


def store(bag):
    for number in range(ROUNDS):
        bag[number] = number * 2
    return len(bag.items), sum(bag.items.values())


def call(adder):
    total = 0
    for number in range(ROUNDS):
        total += adder(number) + adder(number, 3) + adder(number, scale=5) + adder(number, 1, 2, 3, offset=7)
    return total, adder.base


def call_wrong(adder):
    problems = set()
    for _ in range(ROUNDS):
        try:
            adder()
        except TypeError as problem:
            problems.add(str(problem))
    return problems


def enter(scope):
    total = 0
    for number in range(ROUNDS):
        with scope as depth:
            total += depth * number
    return total, Scope.depth


def leave_early(scope):
    total = 0
    for number in range(ROUNDS):
        with scope as depth:
            if number % 3 == 0:
                continue
            total += depth
            if number == ROUNDS - 2:
                break
    return total, Scope.depth


def returning(scope, number):
    with scope as depth:
        return depth + number


def raising(scope):
    seen = 0
    for number in range(ROUNDS):
        try:
            with scope:
                if number % 5 == 0:
                    raise KeyError(number)
        except KeyError:
            seen += 1
    return seen, Scope.depth, Scope.swallowed


def nested(outer, inner):
    total = 0
    for number in range(ROUNDS):
        with outer as a, inner as b:
            total += a * 10 + b
    return total, Scope.depth


def loose(manager):
    for _ in range(ROUNDS):
        with manager as same:
            pass
    return manager.entered, manager.left, manager.last, same is manager


def refuses(manager):
    lines = set()
    for number in range(ROUNDS):
        try:
            with manager:
                print("never")
        except ValueError as problem:
            if number % 500 == 0:
                lines.add(tuple((entry.name, entry.line) for entry in traceback.extract_tb(problem.__traceback__)))
    return lines


def changed(scope):
    """The class gets another __exit__ while a block runs: the one that was bound is called."""
    left = []
    before = Scope.__exit__

    def other(self, *about):
        left.append(Scope.depth)
        Scope.depth -= 1

    for number in range(ROUNDS):
        with scope:
            if number == ROUNDS - 5:
                Scope.__exit__ = other
    Scope.__exit__ = before
    return left, Scope.depth


def class_methods():
    total = 0
    named = Derived()
    for number in range(ROUNDS):
        total += Named.tally(1) + named.tally(2) + Named.twice(number) + named.twice(1)
        made = Derived.make()
    return total, Named.count, Derived.count, type(made).__name__


def of_class(things):
    found = []
    for number in range(ROUNDS):
        found.append(things[number % 2].of_class())
    return found[:4]


class Watched:
    ended = []

    def __init__(self, name):
        self.name = name

    def __del__(self):
        Watched.ended.append(self.name)

    def __eq__(self, other):
        return len(Watched.ended)

    def __contains__(self, item):
        return len(Watched.ended) % 2


def temporaries():
    seen = []
    for number in range(ROUNDS):
        equal = Watched("left") == Watched("right")
        inside = Watched("item") in Watched("bag")
        if number < 3:
            seen.append((equal, inside, len(Watched.ended)))
    return seen, len(Watched.ended), Watched.ended[:8]


class Looks:
    def __eq__(self, other):
        frame = sys._getframe(1)
        return frame.f_lineno - frame.f_code.co_firstlineno, frame.f_locals["number"] if "number" in frame.f_locals else None

    def __len__(self):
        frame = sys._getframe(1)
        return frame.f_lineno - frame.f_code.co_firstlineno

    def __enter__(self):
        frame = sys._getframe(1)
        return frame.f_lineno - frame.f_code.co_firstlineno, frame.f_code.co_name

    def __exit__(self, *about):
        return None


def look(looks):
    found = set()
    for number in range(ROUNDS):
        equal = (
            looks
            == number
        )
        length = len(
            looks
        )
        with looks as place:
            found.add((equal[0], equal[1] == number, length, place))
    return found


def main():
    print(compare(Money(3), Money(3)), compare(Money(2), Money(3)), compare(Money(4), Money(3)))
    print(compare_any(Money(3), [Money(3), 3, 4, "3", None, 3.0, Asks()]))
    print(compare_any(Asks(), [Money(3), 3]))
    print(greater(Money(1), Coin(2)), greater(Money(1), Asks()))
    print(unordered(Money(1), 3), unordered(Money(1), "x"))
    print(contained(Bag({1: [0], 2: "", 3: 7}), [1, 2, 3, 4]), contained(Near(10), [9, 5, 12, 13]))
    print(lengths([Near(3), Near(4), "four", [1]]), lengths([Near(True)]))
    for bad in (-1, "x", 2**70, 1.5, None):
        print(length_problem(Bag({"length": bad})))
    print(length_problem(Near(-2)))
    print(store(Bag({})))
    print(call(Adder(1)), call_wrong(Adder(1)))
    print(enter(Scope()), leave_early(Scope()), raising(Scope()), raising(Scope(True)), nested(Scope(), Scope()))
    print(sum(returning(Scope(), number) for number in range(ROUNDS)), Scope.depth)
    print(loose(Loose()), refuses(Refuses()))
    print(changed(Scope()))
    print(class_methods(), of_class([Named(), Derived()]))
    print(temporaries())
    print(look(Looks()))


main()
