# Methods of built-in classes that are bound before the loop: of one instance and of many, of subclasses, with wrong arguments, and
# with arguments that run code as they end.
ROUNDS = 3000


class List(list):
    pass


class Loud(list):
    def append(self, item):
        super().append(item + 1)


class Ends:
    def __init__(self, log):
        self.log = log

    def __del__(self):
        self.log.append("end")


def filled(count):
    out = []
    append = out.append
    for index in range(count):
        append(index * 2)
    return out


def filled_by_call(count, append):
    for index in range(count):
        append(index)


def nested(rows):
    table = []
    add_row = table.append
    for index in range(rows):
        row = []
        add = row.append
        for column in range(index % 5):
            add((index, column))
        add_row(row)
    return table


def counted(words):
    counts = {}
    get = counts.get
    for word in words:
        counts[word] = get(word, 0) + 1
    return sorted(counts.items())


def of_many(containers, count):
    """The same place calls methods of different instances and classes."""
    for index in range(count):
        put = containers[index % len(containers)].append
        put(index)
    return [(type(one).__name__, len(one), list(one)[-2:]) for one in containers]


def joined(count):
    join = ", ".join
    upper = str.upper
    out = ""
    for index in range(count):
        out = join(["a", out[:5], str(index)])
    return out, upper("x")


def wrong(count):
    seen = {}
    out = []
    append, pop, insert = out.append, out.pop, out.insert
    for index in range(count):
        try:
            if index % 3 == 0:
                append()
            elif index % 3 == 1:
                pop("x")
            else:
                insert(1)
        except (TypeError, IndexError) as error:
            seen[str(error)] = seen.get(str(error), 0) + 1
    return seen


def ends(count):
    log = []
    out = [Ends(log)]
    append, pop, clear = out.append, out.pop, out.clear
    for index in range(count):
        append(Ends(log))
        pop(0)
        if index % 100 == 0:
            clear()
            append(None)
    return len(log)


def last_reference(count):
    """The list lives by its bound method alone."""
    log = []
    for index in range(count):
        append = [Ends(log)].append
        append(index)
        if index % 2:
            append = None
            log.append("-")
    del append
    return len(log), log[:9]


def sets_and_texts(count):
    seen = set()
    add, discard = seen.add, seen.discard
    starts = "prefix".startswith
    total = 0
    for index in range(count):
        add(index % 50)
        discard(index % 7)
        total += starts("pre") + starts("x")
    return sorted(seen)[:5], total


print(len(filled(ROUNDS)), filled(ROUNDS)[-3:])
for kind in (list, List, Loud):
    one = kind()
    filled_by_call(ROUNDS, one.append)
    print(kind.__name__, len(one), one[-2:])
print(sum(map(len, nested(ROUNDS))), nested(7)[-2:])
print(counted(["a", "b", "a"] * 1000))
print(of_many([[], List(), Loud(), []], ROUNDS), of_many([[]], ROUNDS))
print(joined(ROUNDS), wrong(ROUNDS), ends(ROUNDS), last_reference(ROUNDS), sets_and_texts(ROUNDS))


def through_class(words, count):
    """Methods called through their class, with and without an instance of it."""
    out = []
    table = {}
    errors = {}
    for index in range(count):
        word = words[index % len(words)]
        try:
            list.append(out, str.upper(word))
            dict.setdefault(table, word, len(out))
            assert int.__repr__ is int.__repr__ and str.__len__(word) == len(word)
        except TypeError as error:
            errors[str(error)] = errors.get(str(error), 0) + 1
    return len(out), table, errors


print(through_class(["a", "b", "c"], ROUNDS), through_class(["a", 1, List()], ROUNDS))
