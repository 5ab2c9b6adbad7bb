# Items, slices, containment, truth and comparison of dicts, sets, strings, lists and tuples in hot loops: with keys that run Python code,
# values that do so as they end, errors, and subclasses.
import weakref

ROUNDS = 3000


class Key:
    """Equal to a number, with its hash."""

    def __init__(self, number, log):
        self.number = number
        self.log = log

    def __hash__(self):
        self.log.append("h")
        return hash(self.number)

    def __eq__(self, other):
        self.log.append("e")
        return isinstance(other, (int, float)) and self.number == other or isinstance(other, Key) and self.number == other.number


class Text(str):
    """Equal to no other."""

    def __eq__(self, other):
        return False

    def __hash__(self):
        return str.__hash__(self)


class Defaults(dict):
    def __missing__(self, key):
        return ("missing", key)


class Loud:
    """Tells of its end."""

    def __init__(self, log, name):
        self.log = log
        self.name = name

    def __del__(self):
        self.log.append(self.name)


def lookups(table, keys):
    """Some keys are found by Python code only."""
    found = missing = 0
    for index in range(ROUNDS):
        key = keys[index % len(keys)]
        try:
            found += table[key]
        except KeyError as error:
            missing += 1
            last = repr(error)
    return found, missing, last if missing else None


def foreign_keys():
    log = []
    table = {index: index for index in range(20)}
    table[Key(100, log)] = 1000
    print(lookups(table, [1, 2, 3, 100, 4]), len(log), sorted(set(log)))
    print(lookups(table, [1, 2, Key(3, log), 100, Key(100, log)]), len(log))
    texts = {"a": 1, Text("b"): 2}
    print(lookups(texts, ["a", "b", Text("a")]))
    print(lookups({1: 1, 2.0: 2, True: 3, (1, 2): 4, None: 5, b"x": 6}, [1, 1.0, True, 2, (1, 2), (1.0, 2), None, b"x", "x"]))
    print(lookups({2**70: 1, 2**61 - 1: 2, -1: 3, -2: 4}, [2**70, 0, 2**61 - 1, -1, -2, -(2**61), float(2**70)]))


def counted(words):
    counts = {}
    for _ in range(ROUNDS // len(words)):
        for word in words:
            if word in counts:
                counts[word] += 1
            else:
                counts[word] = 1
    return counts


def nan_keys():
    nan = float("nan")
    table = {nan: 1}
    values = [nan, float("nan"), 1.0]
    hits = 0
    for index in range(ROUNDS):
        if values[index % 3] in table:
            hits += 1
    return hits, nan in [nan], nan in (float("nan"),)


NAN_LOOKUPS = ["x in items", "y in table", "z in items", "(x, 1) in pairs", "table[x]", "pairs[x, 1]", "(x, 1) == (y, 1)", "x in (y,)", "x in {x}"]


def nan_lookups():
    """Nothing else asks which object the nan is."""
    found = []
    for lookup in NAN_LOOKUPS:
        names = {"NAN": float("nan"), "INF": float("inf")}
        exec(f"""
def count(rounds):
    total = 0
    items, table, pairs = [NAN, 1.0], {{NAN: 1}}, {{(NAN, 1): 1}}
    for index in range(rounds):
        x = items[0]
        y = x
        z = INF - INF
        total += {lookup}
    return total
""", names)
        found.append(names["count"](ROUNDS))
    return found


def unhashable(tables):
    log = []
    for index in range(ROUNDS):
        key = [1] if index % 1000 == 999 else index & 7
        try:
            tables[key] = index
            if key in tables:
                log.append(tables[key]) if index % 500 == 0 else None
        except TypeError as error:
            log.append((str(error), error.__traceback__.tb_lineno - unhashable.__code__.co_firstlineno))
    return log, tables


def displaced_values():
    """A value that is replaced or deleted tells of its end at once."""
    log = []
    table = {}
    for index in range(ROUNDS):
        table[index & 3] = Loud(log, index) if index % 100 == 7 else index
        log.append(-index) if index % 100 == 11 else None
        if index % 250 == 249:
            del table[index & 3]
    return log, sorted(map(str, table.values()))[:2]


def weak_callbacks():
    log = []

    class Node:
        pass

    table = {}
    references = []
    for index in range(ROUNDS):
        if index % 500 == 3:
            node = Node()
            references.append(weakref.ref(node, lambda _, index=index: log.append((index, len(table)))))
            table["node"] = node
            del node
        else:
            table["node"] = index
    return log


def changed_by_eq():
    """A key's __eq__ changes the dict that is looked into."""
    table = {}

    class Nasty:
        def __hash__(self):
            return 5

        def __eq__(self, other):
            table[len(table) + 100] = 1
            return False

    table[Nasty()] = 0
    total = 0
    for index in range(ROUNDS):
        key = 5 if index % 300 == 299 else 6
        total += 1 if key in table else 2
        try:
            total += table[key]
        except KeyError:
            total += 3
    return total, len(table)


def members(container, items):
    total = 0
    for index in range(ROUNDS):
        item = items[index % len(items)]
        if item in container:
            total += 1
        if item not in container:
            total += 100
    return total


def containment():
    log = []
    items = [1, "a", 2.0, (1, 2), None, 99, 2**80]
    for container in ({1, "a", 2, (1, 2), 2**80}, frozenset(items), [1, "a", 2], (1, None, (1, 2)), {1: 2, None: 3}):
        print(type(container).__name__, members(container, items))
    print(members({1, Key(2, log), 3}, [1, 2, 3]), len(log), members([1, Key(2, log)], [1, 2]), len(log))
    print(members("hello", ["l", "x", "ell", ""]), members(b"hello", [b"l", 104, b"", 1]))
    for container, wrong in (("text", 1), (b"bytes", "s"), ({1}, [1]), (b"bytes", 256)):
        try:
            members(container, [wrong])
        except (TypeError, ValueError) as error:
            print(type(error).__name__, error)


def comparisons():
    values = ["a", "b", "ab", b"a", 1, 2.5, None, (1, 2), (1, "a"), [1, 2], [1, "a"], {1, 2}, frozenset((1, 2)), {1: 2}, 2**70, True]
    for operation in (lambda a, b: a == b, lambda a, b: a != b, lambda a, b: a < b, lambda a, b: a >= b):
        outcome = []
        for a in values:
            for b in values:
                try:
                    for _ in range(20):
                        result = operation(a, b)
                    outcome.append("01"[result])
                except TypeError as error:
                    outcome.append("E" if "not supported between" in str(error) else "?")
        print("".join(outcome))


def tuples_with_foreign_items():
    log = []
    left = (1, Key(2, log))
    right = (1, 2, 3)
    count = 0
    for index in range(ROUNDS):
        pair = (left, right) if index % 1000 == 500 else ((1, 2), right)
        count += pair[0] == pair[1]
        count += pair[0] < pair[1] if index % 1000 != 500 else 0
    return count, len(log), sorted(set(log))


def characters(text):
    seen = {}
    for index in range(ROUNDS):
        character = text[index % len(text)]
        seen[character] = seen.get(character, 0) + (character == "é")
        if text[-1 - index % len(text)] == "x":
            seen["x"] = 1
    return seen


def out_of_range(text):
    for index in range(ROUNDS):
        try:
            text[index if index % 700 == 699 else 0]
        except IndexError as error:
            print(index, error, error.__traceback__.tb_lineno - out_of_range.__code__.co_firstlineno)


def slices(sequence):
    total = 0
    last = None
    for index in range(ROUNDS):
        last = sequence[index % 5 : index % 11]
        total += len(last) + len(sequence[:3]) + len(sequence[-2:]) + len(sequence[:])
    return total, last, sequence[:] is sequence


def truths(values):
    total = 0
    for index in range(ROUNDS):
        value = values[index % len(values)]
        if value:
            total += 1
        total += 10 if not value else 0
    return total


def operators():
    text = number = joined = union = None
    left, right = {1, 2, 3}, frozenset((2, 3, 4))
    for index in range(ROUNDS):
        text = "ab" * (index % 3) + "c"
        number = 2 * [index] + [1]
        joined = (index,) + (1, 2)
        union = (left | right, left & right, left - right, right ^ left, type(right | left).__name__)
    return text, number, joined, union


def in_place():
    """What changes in place stays what it is."""
    items = other = [0]
    numbers = also = {1}
    table = same = {1: 1}
    for index in range(ROUNDS):
        items += [index]
        numbers |= {index & 7}
        table |= {index & 7: index}
    return len(other), items is other, also is numbers, len(also), same is table, len(same)


def deletions():
    table = {index: index for index in range(ROUNDS)}
    items = list(range(ROUNDS))
    for index in range(ROUNDS):
        try:
            del table[index if index % 1000 != 999 else "none"]
        except KeyError as error:
            print("no", error)
        del items[-1 if index & 1 else 0]
    return table, items


def subclasses():
    total = []
    tables = [{1: "plain"}, Defaults({2: 2}), {2: 3}]
    for index in range(ROUNDS):
        table = tables[1] if index % 1000 == 999 else tables[index & 2]
        if index & 2:
            value = table[2]
        else:
            value = table[1]
        if index % 999 == 0:
            total.append(value)
    return total


foreign_keys()
print(counted(["a", "b", "a", "ü", "a" * 50]))
print(nan_keys())
print(nan_lookups())
print(*unhashable({}))
print(displaced_values())
print(weak_callbacks())
print(changed_by_eq())
containment()
comparisons()
print(tuples_with_foreign_items())
print(sorted(characters("héllo wörld €").items()), characters("x"))
out_of_range("abc")
for sequence in ("hello wörld", b"hello world", list(range(9)), tuple(range(9))):
    print(slices(sequence))
print(truths(["", "a", {}, {1: 1}, set(), {1}, (), (1,), [], [1], b"", b"a", None, 0, 2**70, 0.0]), truths(["", "a"]), truths([{}, {1: 1}]))
print(operators())
print(in_place())
print(deletions())
print(subclasses())
