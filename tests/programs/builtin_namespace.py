# Loops whose variables compiled code keeps in registers, and dicts that are these variables' own namespace, or those of classes and
# modules, which others watch.
import sys
import types

total = 0
names = globals()
plain = {"total": 5}
seen = []
for index in range(4000):
    total += 1
    table = names if index % 1000 == 999 else plain
    if "total" in table and index % 1000 == 999:
        seen.append(table["total"])
    table["total"] = table["total"] + 1
    if index % 1000 == 998:
        seen.append(total)
print(seen, total, plain["total"])

count = 0
lengths = set()
for index in range(4000):
    count += len(plain)
    table = globals()
    if index & 1:
        table["count"] = count - 1
    else:
        table["fresh"] = index
    lengths.add("fresh" in table)
print(count, lengths, fresh)

value = 0
for index in range(3000):
    value = index
    if index == 2500:
        del globals()["value"]
        print("value" in globals(), "value" in names)
print(value)

module = types.ModuleType("module")
module.step = 1


def by_module(rounds):
    steps = 0
    for index in range(rounds):
        steps += module.step
        if index == 2500:
            vars(module)["step"] = 100
    return steps


print(by_module(3000))


class Settings:
    scale = 2

    def __init__(self):
        self.offset = 1

    def scaled(self, number):
        return number * self.scale + self.offset


def by_instance(rounds):
    settings = Settings()
    own = settings.__dict__
    results = []
    for index in range(rounds):
        if index % 1000 == 500:
            own["scale"] = index
        elif index % 1000 == 900:
            del own["scale"]
        own["offset"] = index & 1
        value = settings.scaled(index)
        if index % 100 == 0:
            results.append(value)
    return results, sorted(own)


print(by_instance(3000))


def keywords(**options):
    hits = 0
    for index in range(2000):
        if "a" in options:
            hits += options["a"]
        options["b"] = index
    return hits, options


print(keywords(a=1, b=2))


def registry(rounds):
    """sys.modules, and the dict of a module, as dicts like any other."""
    table = sys.modules
    hits = 0
    for index in range(rounds):
        if "sys" in table:
            hits += table["sys"] is sys
        if index % 700 == 0:
            table["nowhere"] = None
        elif index % 700 == 1:
            del table["nowhere"]
    return hits


print(registry(3000))
