# Methods that are not called where they are read: passed on, kept, compared, spread; with the lifetimes that CPython gives them.
import gc
import sys


class Loud:
    def __init__(self, name):
        self.name = name

    def __del__(self):
        print("ends", self.name)

    def add(self, *values, scale=1, **others):
        return sum(values) * scale + len(others)

    def forward(self, *values, **names):
        return self.add(*values, **names)

    def forward_first(self, first, *values, **names):
        return self.add(first, *values, scale=2, **names)

    def rebinds(self, *values):
        self = values
        return len(self)

    def forward_rebinds(self, *values):
        return self.rebinds(*values)

    @classmethod
    def made(cls, *values, **names):
        return cls.__name__, values, sorted(names)

    @classmethod
    def remade(cls, *values, **names):
        return cls.made(*values, **names)

    def made_by_instance(self, *values):
        return self.made(*values)


class Louder(Loud):
    def add(self, *values, **names):
        return super().add(*values, **names) + 1000

    @classmethod
    def made(cls, *values, **names):
        return ("louder",) + super().made(*values, **names)


def call(function, *values, **names):
    return function(*values, **names)


def spread(rounds):
    total = 0
    loud = Loud("spread")
    louder = Louder("spread louder")
    for index in range(rounds):
        total += loud.forward(index, 1, scale=3) + loud.forward_first(index, other=1)
        total += louder.forward(index, 2) + louder.forward_first(index)
        total += call(loud.add, index, index, scale=2) + call(louder.add)
        total += loud.forward_rebinds(index, index)
    print(total, loud.remade(1, key=2), louder.remade(3), louder.made_by_instance(4))


def classes(rounds):
    seen = set()
    for index in range(rounds):
        loud = (Loud, Louder)[index % 2]
        seen.add(repr(loud.remade(index % 3, key=1)))
        made = loud.made
        seen.add(repr(made(1)))
    print(sorted(seen))


def kept(rounds):
    methods = []
    loud = Loud("kept")
    same = equal = 0
    for index in range(rounds):
        method = loud.add
        again = loud.add
        same += method is again
        equal += method == again
        if index % 100 == 0:
            methods.append(method)
        assert method.__self__ is loud and method.__func__ is Loud.add and bool(method)
    print(same, equal, len(methods), [method(2) for method in methods][:2], type(methods[0]).__name__)
    del loud, method, again
    print("still held")
    methods.clear()
    print("gone")


def hidden(rounds):
    loud = Loud("hidden")
    total = 0
    for index in range(rounds):
        if index == rounds // 2:
            loud.add = lambda *values, **names: 7
        total += loud.forward(index % 5)
        method = loud.add
        total += method(1)
    print(total)
    del loud.add


def changed(rounds):
    loud = Loud("changed")
    total = 0
    plain = Loud.add
    for index in range(rounds):
        method = loud.add
        if index == rounds // 2:
            Loud.add = lambda self, *values, **names: 100000
        total += method(1) + loud.forward(index % 5)
    Loud.add = plain
    print(total)


def last_reference(rounds):
    """The method is what holds the instance."""
    total = 0
    for index in range(rounds):
        method = Loud(index).add if index % (rounds // 3) == 0 else total.__index__
        if index % (rounds // 3) == 0:
            total += method(index)
            print("called")
    print(total)


def mixed(rounds):
    loud = Loud("mixed")
    functions = [loud.add, lambda *values: 3, max, Loud, loud.remade]
    texts = set()
    for index in range(rounds):
        made = functions[index % 5](index % 3, *(1,) if index % 5 == 2 else ())
        texts.add(made.name if isinstance(made, Loud) else str(made))
        made = None
    print(sorted(map(str, texts)))


def wrong(rounds):
    loud = Loud("wrong")
    texts = set()
    for index in range(rounds):
        for function in (loud.forward_rebinds, loud.remade, call):
            try:
                if function is call:
                    call(loud.rebinds, key=1)
                elif index % 50 == 0:
                    call(function, *(1,) * (index % 3), scale=[])
            except TypeError as error:
                texts.add(str(error))
    print(sorted(texts))


def counts(rounds):
    loud = Loud("counts")
    before = sys.getrefcount(loud), sys.getrefcount(Loud.__dict__["add"])
    for index in range(rounds):
        method = loud.add
        loud.forward(index)
        call(loud.add, index)
        if index % 7 == 0:
            try:
                loud.add(index, scale="a", **{"scale": 1}) if index < 0 else loud.add(None)
            except TypeError:
                pass
    del method
    print(before == (sys.getrefcount(loud), sys.getrefcount(Loud.__dict__["add"])))


def run(rounds):
    for part in (spread, classes, kept, hidden, changed, last_reference, mixed, wrong, counts):
        print(part.__name__)
        part(rounds)
        gc.collect()


run(60)
run(3000)


class Ends:
    def __init__(self, name, held=None):
        self.name = name

    def __del__(self):
        caller = sys._getframe(1)
        print("ends", self.name, caller.f_code.co_name)


class Drops:
    def one(self, item, **names):
        item = None
        names.clear()
        print("in one")

    def made(self, item):
        item = None
        print("in made")

    def spread_one(self, *items, **names):
        return self.one(*items, **names)


class Made:
    def __init__(self, item):
        item = None
        print("in __init__")


def function(item, **names):
    item = None
    names.clear()
    print("in function")


def held_by_calls(functions, names, rounds):
    """What a call with stars made for itself ends before a function starts, and after any other callee has returned."""
    for index in range(rounds):
        callee = functions[index % len(functions)]
        if names:
            callee(*[Ends(index % 4)], **{"name": Ends((index % 4, "name"))})
        else:
            callee(*[Ends(index % 4)])


def held_by_known(drops, rounds):
    for index in range(rounds):
        drops.one(*[Ends(index % 4)])
        drops.one(*[Ends(index % 4)], **{"name": Ends("name")})
        drops.spread_one(Ends(index % 4), name=Ends("other"))


drops = Drops()
held_by_calls([drops.one, Drops().one, function], False, 24)
held_by_calls([drops.one, function], True, 24)
held_by_calls([drops.made, Made], False, 24)
held_by_calls([drops.one], True, 24)
held_by_known(drops, 24)


class Called(Ends):
    def __call__(self, *items):
        return len(items)


def callee_ends(rounds):
    """A callee that is gone after its call ends before the arguments."""
    for index in range(rounds):
        callee = (lambda: Called("callee"), lambda: function, lambda: len, lambda: print)[index % 4]
        callee()(*[Ends("argument")]) if index % 4 < 2 else callee()(*["ab"])


callee_ends(40)
