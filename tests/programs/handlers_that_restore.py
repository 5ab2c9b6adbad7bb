# Handlers that set things back, count and return before they drop their exception: nothing that they do looks at it, until something does.
import sys
import traceback


class Fail(Exception):
    def __init__(self, place):
        self.place = place


class Other(Exception):
    pass


class Reader:
    def __init__(self, tokens):
        self.tokens = tokens
        self.place = 0
        self.failures = 0
        self.last = None

    def take(self, wanted):
        token = self.tokens[self.place % len(self.tokens)]
        self.place += 1
        if token != wanted:
            raise Fail(self.place)
        return token

    def pair(self, wanted):
        return self.take(wanted) + self.take(wanted)

    def attempt(self, wanted):
        start = self.place
        try:
            return self.pair(wanted)
        except Fail:
            self.place = start
            self.failures += 1
            return None

    def default(self, wanted, other):
        value = other
        try:
            value = self.pair(wanted)
        except (Fail, Other):
            value = other * 2
            self.last = value
        return value

    def counted(self, rounds):
        missed = 0
        for index in range(rounds):
            try:
                self.pair(index % 3)
            except Fail:
                missed += 1
                continue
            missed += 1000
        return missed


class Watching(Reader):
    """Its attributes are set by Python code, which looks at what is being handled."""

    seen = []

    def __setattr__(self, name, value):
        error = sys.exc_info()[1]
        if error is not None:
            Watching.seen.append((name, type(error).__name__, error.place))
        object.__setattr__(self, name, value)


class Loud:
    def __init__(self, name):
        self.name = name

    def __del__(self):
        error = sys.exc_info()[1]
        print("ends", self.name, type(error).__name__, getattr(error, "place", None))


class Adds:
    def __init__(self, value):
        self.value = value

    def __add__(self, other):
        error = sys.exc_info()[1]
        return Adds(self.value + other + (error.place if error is not None else 0))


def restored(rounds):
    reader = Reader([1, 1, 2, 2, 2, 0])
    print([reader.attempt(1 + index % 2) for index in range(rounds)][-3:], reader.place, reader.failures)
    print(sum(reader.default(index % 3, index) for index in range(rounds)), reader.last, reader.place)
    print(reader.counted(rounds), reader.place)


def watched(rounds):
    """A class with __setattr__ comes to compiled code that knew another."""
    Watching.seen.clear()
    plain, watching = Reader([1, 2, 3]), Watching([1, 2, 3])
    for index in range(rounds):
        plain.attempt(2)
        if index % (rounds // 2) == 1:
            watching.attempt(2)
    print(plain.failures, Watching.seen)
    Watching.seen.clear()
    for index in range(rounds):
        watching.attempt(2)
    print(len(Watching.seen), set(Watching.seen))


def ended(rounds):
    """What the handler displaces ends while the exception is being handled."""

    def displace(reader, value):
        held = Loud(value) if value % (rounds // 2) == 1 else value
        try:
            reader.pair(7)
        except Fail:
            held = value
            reader.place = 0
        return held

    reader = Reader([1, 2])
    print(sum(displace(reader, index) for index in range(rounds)))


def added(rounds):
    def count(reader, total):
        try:
            reader.pair(7)
        except Fail:
            total = total + 1
            reader.place = 0
        return total

    reader = Reader([1, 2])
    total = 0
    for _ in range(rounds):
        total = count(reader, total)
    print(total, count(reader, Adds(3)).value)


def raising_inside(rounds):
    """A handler that fails has the first exception as its context, with its traceback."""

    def count(reader, total):
        try:
            reader.pair(7)
        except Fail:
            total = total + reader.failures
        return total

    reader = Reader([1, 2])
    total = 0
    for _ in range(rounds):
        total = count(reader, total)
    reader.failures = "no number"
    for _ in range(3):
        try:
            count(reader, total)
        except TypeError as error:
            context = error.__context__
            print(error, [entry.name for entry in traceback.extract_tb(error.__traceback__)], type(context).__name__, context.place)


def handled_around(rounds):
    """What was being handled before is so again."""

    def outer(reader, value):
        try:
            raise Other(value)
        except Other as error:
            reader.attempt(7)
            reader.default(7, value)
            return sys.exc_info()[1] is error, [entry.name for entry in traceback.extract_tb(error.__traceback__)]

    reader = Reader([1, 2])
    print([outer(reader, index) for index in range(rounds)][-1], sys.exc_info())


def kept(rounds):
    """Somebody has the exception: it has its traceback."""
    errors = []

    class Keeps(Exception):
        def __init__(self):
            errors.append(self)

    def leaf(value):
        raise Keeps() if value % (rounds // 2) == 1 else Fail(value)

    def between(value):
        leaf(value)

    def outer(value):
        missed = 0
        try:
            between(value)
        except (Keeps, Fail):
            missed = value
        return missed

    print(sum(outer(index) for index in range(rounds)))
    print([[entry.name for entry in traceback.extract_tb(error.__traceback__)] for error in errors])


class Sees:
    seen = set()

    def __del__(self):
        Sees.seen.add(type(sys.exc_info()[1]).__name__)


def operands_end(rounds):
    """What the expression had so far ends before the exception is handled."""

    def outer(reader):
        try:
            print(Sees(), reader.pair(7))
        except Fail:
            reader.place = 0

    reader = Reader([1, 2])
    Sees.seen.clear()
    for _ in range(rounds):
        outer(reader)
    print(Sees.seen)


def run(rounds):
    for part in (operands_end, restored, watched, ended, added, raising_inside, handled_around, kept):
        print(part.__name__)
        part(rounds)


run(60)
run(4000)
