# Descriptors with __set__ or __delete__, but no __get__: an instance's own attribute goes before them, and without one they are
# themselves what is read.


class Noting:
    def __set__(self, instance, value):
        instance.__dict__["table"] = value
        instance.__dict__.pop("size", None)


class Forgetting:
    def __delete__(self, instance):
        del instance.__dict__["kind"]


class Keeping:
    def __set__(self, instance, value):
        pass


class Graph:
    table = Noting()
    kind = Forgetting()
    kept = Keeping()

    def __init__(self):
        self.table = {}
        self.__dict__["kind"] = "graph"
        self.degree = 0

    def add(self, edges):
        for source, target in edges:
            if source not in self.table:
                self.table[source] = []
            if target not in self.table:
                self.table[target] = []
            self.table[source].append(target)


class Derived(Graph):
    pass


class Slotted:
    __slots__ = ("number",)
    kept = Keeping()


class Meta(type):
    kept = Keeping()


class Made(metaclass=Meta):
    kept = 7


class Unmade(metaclass=Meta):
    pass


def built(cls, count):
    graph = cls()
    graph.add([(i, i * 7 % count) for i in range(count)])
    return len(graph.table), sum(map(len, graph.table.values())), graph.kind


def read(thing, count):
    seen = {}
    for i in range(count):
        if i == count // 2 and hasattr(thing, "__dict__"):
            try:
                thing.__dict__["kept"] = i
            except TypeError:
                pass
        name = type(thing.kept).__name__
        seen[name] = seen.get(name, 0) + 1
    return sorted(seen.items())


def asked(thing, count):
    total = 0
    for i in range(count):
        total += len(getattr(thing, "table", "")) + hasattr(thing, "kept") + (getattr(thing, "kind") == "graph")
        if i == count // 2:
            thing.table = {1: 2}
    return total


def mixed(things, count):
    names = []
    for i in range(count):
        names.append(type(things[i % len(things)].kept).__name__)
    return {name: names.count(name) for name in sorted(set(names))}


def gains(count):
    graph = Graph()
    graph.__dict__["kept"] = 1
    total = 0
    for i in range(count):
        total += graph.kept
        if i == count // 2:
            Keeping.__get__ = lambda self, instance, owner: 1000
    del Keeping.__get__
    return total, graph.kept


def deletes(count):
    graph = Graph()
    told = 0
    for _ in range(count):
        del graph.kind
        told += isinstance(graph.kind, Forgetting)
        graph.__dict__["kind"] = "graph"
        told += graph.kind == "graph"
    return told


print(built(Graph, 6000), built(Derived, 6000))
print(read(Graph(), 6000), read(Derived(), 6000), read(Slotted(), 6000), read(Made, 6000), read(Unmade, 6000))
print(asked(Graph(), 6000), asked(Derived(), 6000))
print(mixed([Graph(), Slotted(), Made, Derived(), Unmade], 6000))
print(gains(6000), deletes(3000))
