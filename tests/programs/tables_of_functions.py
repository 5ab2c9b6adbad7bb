# One place calls functions of a few codes, in turns: small and large ones, with defaults that are objects and change while they are in
# use, closures, generators, functions of other namespaces, and wrong arguments.
import weakref

ROUNDS = 3000


class Loud:
    def __init__(self, name, log):
        self.name = name
        self.log = log

    def __del__(self):
        self.log.append(self.name)


def same(value, memo):
    return value


def doubled(value, memo):
    return value * 2


def noted(value, memo, notes=[], step=1):
    notes.append(value)
    if len(notes) > 5:
        notes.clear()
    return value + step


def summed(value, memo, convert=float):
    total = 0
    for index in range(5):
        total += value + index
    return convert(total)


def again(value, memo, call=None):
    if value > 3:
        return again(value // 2, memo, call)
    memo["again"] = memo.get("again", 0) + 1
    return value


def run(table, count):
    memo = {}
    total = 0
    for index in range(count):
        function = table[index % len(table)]
        total += function(index, memo)
    return total, memo


def with_keywords(table, count):
    total = 0
    for index in range(count):
        total += table[index % len(table)](index, memo={"k": index})
    return total


def errors(table, count):
    seen = {}
    for index in range(count):
        try:
            table[index % len(table)](index)
        except (TypeError, ZeroDivisionError) as error:
            seen[str(error)] = seen.get(str(error), 0) + 1
    return seen


def closures(count):
    total = 0
    for index in range(count):
        def add(value):
            return value + index

        def subtract(value, amount=[1]):
            return value - index - amount[0]

        call = add if index % 3 else subtract
        total += call(index * 3)
    return total


def changing_defaults(count):
    """The function's defaults change while a call uses them."""
    log = []

    def first(value, held=Loud("first 0", log)):
        first.__defaults__ = (Loud(f"first {value}", log),)
        return len(held.name) + value

    def second(value, held=Loud("second", log)):
        return len(held.name)

    table = [first, second]
    total = 0
    for index in range(count):
        total += table[index % 2](index)
        if index == count // 2:
            second.__defaults__ = (Loud("longer", log), 5)
            del second.__defaults__
            second.__defaults__ = (Loud("third", log),)
    return total, len(log), log[:3], log[-3:]


def missing_defaults(count):
    def first(value, held=(1, 2)):
        return held[0]

    def second(value, held=[3]):
        return held[0]

    table = [first, second]
    answers = []
    for index in range(count):
        if index == count // 2:
            second.__defaults__ = None
        try:
            answer = table[index % 2](index)
        except TypeError as error:
            answer = str(error)
        if not answers or answer not in answers:
            answers.append(answer)
    return answers


def other_code(count):
    def first(value):
        return value + 1

    def second(value):
        return value * 2

    def third(value):
        return -value

    table = [first, second]
    total = 0
    for index in range(count):
        if index == count // 2:
            first.__code__ = third.__code__
        total += table[index % 2](index)
    return total


def of_other_namespaces(count):
    source = "scale = %d\ndef scaled(value):\n    return value * scale\n"
    table = []
    for scale in (2, 3):
        names = {}
        exec(source % scale, names)
        table.append(names["scaled"])
    total = 0
    for index in range(count):
        total += table[index % 2](index)
    return total


def generators(count):
    def made(value):
        yield value
        yield value + 1

    def listed(value):
        return [value]

    total = 0
    for index in range(count):
        total += sum((made if index % 2 else listed)(index))
    return total


def raising(count):
    def divided(value):
        return 10 // (value % 3)

    def negated(value):
        return -value

    total = caught = 0
    for index in range(count):
        try:
            total += (divided if index % 4 < 3 else negated)(index)
        except ZeroDivisionError as error:
            caught += error.__traceback__.tb_next.tb_frame.f_locals["value"] == index
    return total, caught


def lifetimes(count):
    """An argument lives as long as its callee keeps it."""
    ended = 0

    def keeps(value, store):
        store.append(value)
        return len(store)

    def drops(value, store):
        del value
        return len(store)

    log = []
    for index in range(count):
        thing = Loud("t", log)
        watch = weakref.ref(thing)
        store = []
        (keeps if index % 2 else drops)(thing, store)
        del thing
        ended += watch() is None
        store.clear()
        ended += watch() is None
    return ended, len(log)


lambdas = [lambda v, m: v, lambda v, m: v + 1, lambda v, m: v * 2, lambda v, m: -v, lambda v, m: v // 2, lambda v, m: 7]
print(run([same, doubled], ROUNDS), run([same, same, doubled, noted, summed], ROUNDS), noted.__defaults__)
print(run([again, summed, same, noted], ROUNDS), run(lambdas[:4], ROUNDS), run(lambdas, ROUNDS))
print(run([same, max], 0), run([same, lambda v, m, *rest, **more: len(rest)], ROUNDS), run([Loud.__init__.__get__, same][1:], ROUNDS))
print(with_keywords([same, doubled, noted], ROUNDS), errors([same, doubled, lambda v: v // 0], ROUNDS))
print(closures(ROUNDS), changing_defaults(ROUNDS), missing_defaults(ROUNDS), other_code(ROUNDS), of_other_namespaces(ROUNDS))
print(generators(ROUNDS), raising(ROUNDS), lifetimes(ROUNDS))
