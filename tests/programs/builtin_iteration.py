# Loops over dicts, their views, sets and strings: changed meanwhile, left early, shared, over namespaces, and ending what they run over.
import sys
import weakref

ROUNDS = 40


class Loud:
    def __init__(self, log, name):
        self.log = log
        self.name = name

    def __del__(self):
        self.log.append(self.name)


def sums(table, group, text):
    total = 0
    seen = []
    for _ in range(ROUNDS):
        for key in table:
            total += key
        for value in table.values():
            total += len(value)
        for key, value in table.items():
            total += key * len(value)
        for item in table.items():
            seen.append(item) if len(seen) < 3 else None
        for member in group:
            total += member
        for character in text:
            if character in "lé":
                total += 1000
    return total, seen


def changed(change):
    """Whoever changes the size meanwhile is told so, at the loop's line."""
    told = []
    for round in range(60):
        table = {index: index for index in range(30)}
        total = 0
        try:
            for key, value in table.items():
                total += value
                if round % 20 == 19 and key == 20:
                    change(table)
        except RuntimeError as error:
            told.append((round, str(error), error.__traceback__.tb_lineno - changed.__code__.co_firstlineno, total))
    return told


def grow(table):
    table["new"] = 1


def shrink(table):
    del table[3]


def exchange(table):
    del table[3]
    table["new"] = 1


def replace_all(table):
    for key in table:
        table[key] = 0


def changed_set():
    told = []
    for round in range(60):
        group = set(range(30))
        try:
            for member in group:
                if round % 20 == 19 and member == 20:
                    group.add("new")
        except RuntimeError as error:
            told.append((round, str(error), error.__traceback__.tb_lineno - changed_set.__code__.co_firstlineno))
    return told


def values_replaced(rounds):
    table = {index: 0 for index in range(50)}
    for round in range(rounds):
        for key, value in table.items():
            table[key] = value + key
    return sum(table.values())


def shared(rounds):
    """Two loops over one iterator, and what is left of it."""
    log = []
    for round in range(rounds):
        iterator = iter({1: 2, 3: 4, 5: 6, 7: 8}.items())
        for key, value in iterator:
            if key == 3:
                break
        rest = 0
        for key, value in iterator:
            rest += key
        log.append((rest, list(iterator), next(iterator, "end")))
    return log[0], log[-1], len(set(map(str, log)))


def kept_tuples(table):
    kept = []
    for round in range(ROUNDS):
        last = None
        for item in table.items():
            if last is not None and round == ROUNDS - 1:
                kept.append((item is last, item, last))
            last = item
    return kept


def ends_with_loop():
    """The last holder of a dict is the loop over it."""
    log = []
    for round in range(200):
        for key, value in {"a": Loud(log, round) if round % 50 == 10 else 1}.items():
            value = None
        log.append(("after", round)) if round % 50 == 10 else None
    return log


def weak_set():
    log = []

    class Group(set):
        pass

    for round in range(200):
        group = Group((1, 2))
        reference = weakref.ref(group, lambda _: log.append(round))
        for member in group:
            group = None if round % 50 == 20 else group
        if round % 50 == 20:
            log.append(("after", round))
    return log[:20], len(log)


def characters(texts):
    counts = {}
    for _ in range(ROUNDS):
        for text in texts:
            for character in text:
                counts[character] = counts.get(character, 0) + 1
    return sorted(counts.items())


def early(table):
    found = 0
    for round in range(400):
        for key, value in table.items():
            if value == round % 7:
                found += key
                break
        else:
            found -= 1
        for key in table:
            if key > 3:
                return_early = key
                continue
            found += 1
    return found, return_early


def of_instance(rounds):
    class Point:
        def __init__(self):
            self.x, self.y, self.z = 1, 2, 3

    total = 0
    for round in range(rounds):
        point = Point()
        for name, value in vars(point).items():
            total += value * len(name)
        for name in point.__dict__:
            total += len(name)
    return total


def sorted_views(table):
    out = []
    for round in range(200):
        out = sorted(table.items()) + sorted(table) + sorted(table.values(), reverse=True)
        total = sum(table.values()) + max(table) + min(table.values())
    return out, total


def comprehensions(table):
    for _ in range(200):
        made = ([key for key in table], {value: key for key, value in table.items()}, {key + 1 for key in table}, [c for c in "añb"])
    return made


print(sums({1: "a", 2: "bb", 3: "ccc"}, {1, 2, 30}, "hello é wörld"))
for change in (grow, shrink, exchange, replace_all):
    print(change.__name__, changed(change))
print(changed_set())
print(values_replaced(60))
print(shared(300))
print(kept_tuples({1: 2, 3: 4}))
print(ends_with_loop())
print(weak_set())
print(characters(["abc", "äöü", "a€", ""]))
print(early({1: 1, 2: 2, 3: 3, 4: 4, 5: 9}))
print(of_instance(300))
print(sorted_views({3: 1, 1: 2, 2: 9}))
print(comprehensions({1: "x", 2: "y"}))

total = 0
names = {}
for round in range(100):
    for name, value in names.items():
        total += value
    names[f"n{round % 9}"] = round
    for character in "abc":
        total += ord(character)
print(total)

count = 0
for round in range(60):
    own = 0
    for name, value in list(globals().items()) if round % 2 else globals().copy().items():
        if name == "count":
            own += value
    count += 1
    for name in globals():
        if name == "count":
            own += globals()[name]
print(own, count)
try:
    for round in range(3000):
        for name, value in globals().items():
            if name == "count":
                count += 1
            if round == 2500 and name == "count":
                another_name = value
except RuntimeError as error:
    print(error, count)
