"""Methods of sets, lists and tuples that look at few items of many, and items whose comparison is Python code."""


class Loud:
    """Equal to all of its kind with the same name; tells when it is asked."""

    asked = []

    def __init__(self, name, number):
        self.name, self.number = name, number

    def __hash__(self):
        Loud.asked.append(("hash", self.name))
        return hash(self.number)

    def __eq__(self, other):
        Loud.asked.append(("eq", self.name, getattr(other, "name", other)))
        return isinstance(other, Loud) and self.number == other.number

    def __bool__(self):
        Loud.asked.append(("bool", self.name))
        return self.number != 0

    def __del__(self):
        Loud.asked.append(("del", self.name))


def large_and_small(rounds):
    large = set(range(200_000))
    answers = []
    for i in range(rounds):
        small = {i, i + 300_000, -i}
        large.update([i, -i])
        large.difference_update(small)
        large.update(range(i, i + 2))
        answers.append((small.isdisjoint(large), large.isdisjoint(small), small.issubset(large), large.issuperset(small),
                        large.issuperset([i + 1]), len(small.intersection(large)), len(large.intersection([i, i + 1]))))
    return len(large), answers[0], answers[-1], sum(map(sum, answers))


def early(rounds):
    items = list(range(100_000))
    row = tuple(items)
    many = [True] * 50_000
    total = 0
    for i in range(rounds):
        total += items.index(i % 7) + row.index(i % 5) + items.index(9, -99_995, -99_990) + items.index(i % 7, 0, 50)
        total += any(many) + all([i % 3, *many[:2]])
    return total


def changes(rounds):
    seen = []
    for i in range(rounds):
        items = [i, "a", None, 2.0, (1, "x"), i + 1, float("nan"), "a"]
        items.remove("a")
        items.remove((1, "x"))
        seen.append((items.count("a"), items.count(i), items.count(True), len(items), items.index(2)))
        chars = set("hello")
        chars.update("world", "again")
        chars.difference_update("aeiou")
        chars.update({"x": 1}, {"y": 2}.keys(), (3, 4.0))
        seen.append(sorted(map(str, chars)))
        chars.update(chars)
        chars.difference_update(chars)
        seen.append((len(chars), frozenset("abc").difference("b"), frozenset("abc").issubset("abcd"), {1, 2}.issubset(range(3)),
                     {1, 2}.issuperset(range(1, 3)), {1.0, True}.intersection([1, 2]), {1, 2}.isdisjoint({3: 4}), {1, 2}.difference({2: 0})))
    return seen[-3:]


def failures(rounds):
    told = []
    for i in range(rounds):
        for call in ((lambda: [1, 2].index(i + 5)), (lambda: (1, 2).index("x")), (lambda: [1].remove(i + 2)), (lambda: [1, 2, 3].index(1, 1)),
                     (lambda: {1}.update(5)), (lambda: {1}.update([[]])), (lambda: {1}.difference_update([{}])), (lambda: {1}.issubset([[]]))):
            try:
                call()
            except Exception as error:
                told.append(f"{type(error).__name__}: {error}")
    return len(told), told[-8:]


def loud(rounds):
    log = []
    for i in range(rounds):
        a, b, c = Loud("a", 1), Loud("b", 1), Loud("c", 3)
        Loud.asked.clear()
        some = {a, c}
        some.update([b, 1])
        some.difference_update([3, b])
        log.append((some.isdisjoint({1}), {1}.isdisjoint(some), some.issubset({c, a}), some.issuperset([c]), len(some)))
        items = [a, c, a]
        log.append((items.index(c), items.count(b), items.count(1), (a, c).index(c)))
        items.remove(b)
        log.append((any(items), all([c, Loud("zero", 0), a]), any({Loud("zero", 0): 1}), len(items)))
        log.append({1: a, 2: c} == {1: b, 2: c})
        log.append({a: 1} == {b: 1})
        last = {Loud("only", 7)}
        last.difference_update(list(last))
        row = [Loud("row", 8)]
        row.remove(row[0])
        log.append(list(Loud.asked))
    return log[0] == log[6] and log[:6], len(log)


def equal_dicts(rounds):
    a = {i: str(i) for i in range(2000)}
    b = dict(a)
    same = 0
    for i in range(rounds):
        b[i % 2000] = None if i % 3 == 0 else str(i % 2000)
        same += (a == b) + 2 * (a != b) + 4 * ({1: [2]} == {1: [2]}) + 8 * ({1: float("nan")} == {1: float("nan")}) + 16 * ({1: 2} == {True: 2.0})
        b[i % 2000] = str(i % 2000)
    return same


print(large_and_small(1500))
print(early(3000))
print(changes(300))
print(failures(100))
print(loud(60))
print(equal_dicts(600))
