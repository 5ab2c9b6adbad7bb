# Containers and strings that are made of values in hot loops: of keys that run Python code, equal keys, unhashable ones, and values of
# every class in f-strings.
ROUNDS = 2400


class Key:
    def __init__(self, log, number):
        self.log = log
        self.number = number

    def __hash__(self):
        self.log.append("h")
        return 1

    def __eq__(self, other):
        self.log.append("e")
        return self.number == other

    def __del__(self):
        self.log.append("d")


class Text(str):
    def __format__(self, specification):
        return "formatted"

    def __str__(self):
        return "shown"


class Shown:
    def __str__(self):
        return "str"

    def __repr__(self):
        return "repr"

    def __format__(self, specification):
        return f"format {specification}"


def displays():
    kept = []
    for index in range(ROUNDS):
        items = [1, 2, 3, 4]
        more = [*items, *(5, 6), *"ab", *range(2)]
        group = {1, 2, 3}
        joined = {*items, *more}
        table = {index: 1, "a": index, (1, index): None}
        same = {index & 1: "first", 1: "second", True: "third"}
        if index % 1000 == 7:
            kept.append((items, more, group, joined, table, same))
        items.append(index)
        group.add(index)
    return kept, items, group


def foreign():
    log = []
    count = 0
    for index in range(ROUNDS):
        key = Key(log, index) if index % 400 == 399 else index & 3
        table = {key: index, 1: 2}
        group = {key, 1}
        count += len(table) + len(group) + len({item for item in (key, 1, 2)}) + len({item: 1 for item in (1, key)})
        key = table = group = None
    return count, "".join(log)


def unhashable():
    told = []
    for index in range(ROUNDS):
        key = [] if index % 800 == 799 else index
        try:
            made = {1: 2, key: 3} if index & 1 else {key, 1}
        except TypeError as error:
            told.append((index, str(error), error.__traceback__.tb_lineno - unhashable.__code__.co_firstlineno))
    return told


def lost_values():
    """A value whose key comes again ends at once."""
    log = []
    for index in range(ROUNDS):
        table = {index & 1: Key(log, 1) if index % 600 == 1 else 2, 1: 3}
        log.append(len(table)) if index % 600 == 1 else None
    return log


def formats(values):
    shown = []
    for index in range(ROUNDS):
        value = values[index % len(values)]
        text = f"{value}|{value!s}|{value!r}|{value!a}"
        if index < len(values):
            shown.append(text)
    return shown


def one_class(value, rounds=300):
    for index in range(rounds):
        text = f"<{value}> <{value!r}> {value!s} {index}"
    return text


def specified():
    shown = []
    for index in range(ROUNDS):
        number = index / 7
        text = f"{number:.3f} {number:>10.1f} {index:05d} {index:x} {'ab':>5} {number:e} {index:,}"
        if index % 800 == 1:
            shown.append(text)
    return shown


def wrong_formats():
    told = []
    for index in range(ROUNDS):
        try:
            text = f"{index / 2:{'.2f' if index % 800 != 799 else 'q'}}"
            text += f"{'text':{'>6' if index % 800 != 798 else '.2f'}}"
        except ValueError as error:
            told.append((index, str(error), error.__traceback__.tb_lineno - wrong_formats.__code__.co_firstlineno))
    return told, text


def starred(rounds):
    total = 0
    for index in range(rounds):
        first, *rest = [index, *(1, 2), *[3]]
        total += first + sum(rest) + max(*rest, 0)
    return total


def comprehensions():
    kept = []
    for index in range(400):
        kept = [{item % 3 for item in range(index)}, {item: item * index for item in range(5)}, [*{1: 2}], {**{1: 2}, 3: 4}]
    return kept


print(displays())
print(foreign())
print(unhashable())
print(lost_values())
print(formats([1, -1, 2**63, 2**80, 1.5, -0.0, 1e300, float("inf"), True, None, "té\n", b"x", (1, 2), [1], Text("t"), Shown()]))
for value in (7, 2.5, True, None, "ä'", 2**70, Text("x"), Shown(), -(2**63), b"b"):
    print(one_class(value))
print(specified())
print(wrong_formats())
print(starred(600))
print(comprehensions())
