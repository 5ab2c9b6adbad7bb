# Methods, functions and classes of CPython's own in hot loops: with arguments that run Python code, errors, and results of every class.
ROUNDS = 2400


class Text(str):
    def __str__(self):
        return "special"

    def __hash__(self):
        return str.__hash__(self)

    def __eq__(self, other):
        return False


class Number(int):
    def __repr__(self):
        return "number"


class Loud:
    def __init__(self, log, name):
        self.log = log
        self.name = name

    def __del__(self):
        self.log.append(self.name)

    def __hash__(self):
        return 7

    def __eq__(self, other):
        return isinstance(other, Loud)


def strings(words):
    found = []
    for index in range(ROUNDS):
        word = words[index % len(words)]
        parts = word.strip().split(" ")
        joined = "-".join(parts)
        shown = (joined.upper(), joined.lower(), joined.title(), joined.replace("o", "0"), joined.replace("l", "L", 1), joined.find("o"),
                 joined.find("o", 2, None), joined.count("l"), joined.startswith("h"), joined.startswith(("x", "w")), joined.endswith("d"),
                 joined.partition("-"), joined.zfill(14), joined.center(15, "*"), joined.encode(), joined.isalpha(), joined.isdigit(),
                 joined.isspace(), joined.isalnum(), joined.rsplit("-", 1), joined.splitlines(), joined.removeprefix("he"))
        if index < 2 * len(words):
            found.append(shown)
    return found


def string_errors():
    for wrong in (1, None, b"x", ["a", 1]):
        for index in range(300):
            try:
                if index == 299:
                    "abc".index("z")
                elif isinstance(wrong, list):
                    "".join(wrong)
                else:
                    "abc".find(wrong)
            except (TypeError, ValueError) as error:
                last = (type(error).__name__, str(error), error.__traceback__.tb_lineno - string_errors.__code__.co_firstlineno)
                if index in (0, 150, 299):
                    print(last)


def surrogates():
    for index in range(ROUNDS):
        try:
            ("ab" if index % 1000 else "\ud800").encode()
        except UnicodeEncodeError as error:
            print(index, error.reason)


def lists():
    items = []
    log = []
    for index in range(ROUNDS):
        items.append(index)
        items.extend((index, index + 1))
        items.insert(0, -index)
        if index & 1:
            log.append(items.pop())
            items.pop(0)
        if index % 500 == 499:
            items.reverse()
            log.append(items.index(index))
            items.remove(index)
            log.append((items.count(index), len(items), items.copy() == items))
            items.sort()
            items.clear()
    return log[-12:], sum(log[:500:3])


def list_errors():
    for index in range(900):
        try:
            [].pop() if index % 3 == 0 else [1].remove(2) if index % 3 == 1 else [1].index(3)
        except (IndexError, ValueError) as error:
            if index < 3 or index > 896:
                print(error)


def failed_sort():
    """A sort that fails leaves the list as CPython leaves it."""
    left = []
    for index in range(600):
        items = [3, 1, 2, "a", 0] if index % 200 == 199 else [3, 1, 2]
        try:
            items.sort()
        except TypeError as error:
            left.append((items, str(error)))
    return left


def dicts():
    table = {}
    log = []
    for index in range(ROUNDS):
        key = index & 15
        table[key] = table.get(key, 0) + 1
        table.setdefault("items", []).append(index)
        if index % 400 == 399:
            log.append(len(table.pop("items")))
            log.append(table.pop("items", "none"))
            log.append(sum(table.values()) if 0 in table else None)
            table.update({"a": 1, 3: 0})
            log.append((list(table.keys())[-3:], list(table.items())[0], table.copy() == table, table.get(99)))
        try:
            table.pop("nothing" if index % 600 == 599 else key)
        except KeyError as error:
            log.append(repr(error))
    return log


def foreign_keys():
    log = []
    table = {Loud(log, "first"): 1, 8: 2}
    for index in range(ROUNDS):
        key = 7 if index % 100 == 99 else 8
        table.setdefault(key, 0)
        table.get(key)
        if index == 2000:
            print(table.pop(Loud(log, "other")), log)
    return table, log


def kept_and_lost():
    """What a container takes lives on; what it is not given ends at once."""
    log = []
    items, table, group = [], {}, set()
    for index in range(ROUNDS):
        items.append(Loud(log, index) if index % 300 == 5 else None)
        table.setdefault(index % 300, Loud(log, -index) if index % 300 == 7 else None)
        group.add(index & 63)
        if index % 300 == 8:
            log.append("eight")
            items.pop()
        if index % 600 == 599:
            items = []
    return log


def temporary_lists():
    log = []
    for index in range(ROUNDS):
        [1, 2].append(Loud(log, index) if index % 500 == 3 else 3)
        log.append("next") if index % 500 == 4 else None
        "x".join([str(index)] * 2)
    return log


def sets():
    group = set()
    log = []
    for index in range(ROUNDS):
        group.add(index & 31)
        group.add("a" if index & 1 else (index & 3, 1))
        group.discard(index & 7)
        if index % 500 == 499:
            log.append(sorted(map(str, group.union({100}, ))))
            log.append((len(group.intersection([1, 2, 30, 31])), group.issubset(range(9)), group.isdisjoint({-1}), len(group - {1, "a"})))
            group.update([1, 2, 300])
            group.remove(300)
        try:
            group.remove(-1 if index % 700 == 699 else index & 31)
        except KeyError as error:
            log.append(repr(error))
    return log


def conversions():
    log = []
    values = [1, -5, 2**62, 2**70, 1.5, -0.0, float("nan"), True, None, "text", b"bytes", Text("t"), Number(3), (1,), [2]]
    for index in range(ROUNDS):
        value = values[index % len(values)]
        shown = str(value)
        told = repr(value)
        if index < len(values) or index > ROUNDS - len(values):
            log.append((shown, told, type(value).__name__, bool(value)))
    return log


def parsing():
    log = []
    words = ["12", " 7 ", "-3", "1_000", "٣", "x", "9" * 30, "1.5", ""]
    for index in range(ROUNDS):
        for convert in (int, float):
            try:
                value = convert(words[index % len(words)])
            except ValueError as error:
                value = str(error)
            if index < len(words):
                log.append(value)
    return log


def parsed_ints(words):
    total = 0
    for index in range(ROUNDS):
        total += int(words[index % len(words)]) + len(str(index))
    return total


def copies():
    log = []
    for index in range(ROUNDS):
        made = (list((1, index)), tuple([index, 2]), set((1, 1, 2)), dict({1: index}), list("ab"), tuple(range(3)), list({1: 2}), sorted((3, 1, 2)),
                frozenset([1]), max((1, 5, 3)), min([4, 2]), max("a", "b"), min(index, 3), any((0, index)), all([1, index]), sum([1, 2, index]))
        if index % 1000 == 5:
            log.append(made)
    return log


def foreign_iterables():
    class Items:
        def __iter__(self):
            return iter((1, 2))

    log = []
    for index in range(ROUNDS):
        source = Items() if index % 800 == 799 else (3, 4)
        made = list(source)
        made.extend(source)
        if index % 800 >= 798:
            log.append((made, sorted(source), sum(source)))
    return log


def sorted_mixed():
    log = []
    for index in range(900):
        try:
            result = sorted([2, 1] if index % 300 else ["a", 1])
        except TypeError as error:
            result = str(error)
        if index % 300 < 2:
            log.append(result)
    return log


for shown in strings([" hello world ", "héllo wörld", "one", "x y z"]):
    print(*shown)
string_errors()
surrogates()
print(lists())
list_errors()
print(failed_sort())
print(dicts())
print(foreign_keys()[1])
print(kept_and_lost())
print(temporary_lists())
print(sets())
print(conversions())
print(parsing())
print(parsed_ints(["1", "22", "333"]))
print(copies())
print(foreign_iterables())
print(sorted_mixed())


def sorted_tuples(lists):
    """Tuples in order, and such that can't be compared: a sort that fails leaves its list half done."""
    seen = []
    for index in range(ROUNDS):
        items = list(lists[index % len(lists)])
        try:
            items.sort()
        except TypeError as error:
            items.append(str(error))
        if index < len(lists) or index >= ROUNDS - len(lists):
            seen.append([repr(item) for item in items])
    return seen


print(sorted_tuples([[(True, 2, "b"), (False, 3, "a"), (True, 2, "a")], [(2, "b"), (1, None), (1, "a"), (0, "x")], [(1, 2), (1,), (0, 3)],
                     [(1, (2, 3)), (1, (2, 2))], [True, 2.5, 1], [], [()], [(), ()], [(1.5, "x"), (True, "y")], [("a", 1), ("a", "b")]]))


def extremes(groups):
    seen = []
    for index in range(ROUNDS):
        group = groups[index % len(groups)]
        try:
            answer = max(group), min(group)
        except (TypeError, ValueError) as error:
            answer = str(error)
        if index < len(groups) or index >= ROUNDS - len(groups):
            seen.append(answer)
    return seen


print(extremes([{3, 1, 2}, [5, 2**70, -1], (1.5, 1, True), {"a": 1, "b": 2}, "text", range(3), [], frozenset([2**65]), [1, "a"], {1: 2}.values(),
                [0, -0.0, False], [Number(3), 4], b"bytes", {-5}, [float("nan"), 1.0]]))
