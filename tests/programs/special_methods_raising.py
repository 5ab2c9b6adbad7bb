"""Exceptions out of special methods that operations call: which, where they show, who handles them; and the truth of instances."""

import traceback

ROUNDS = 1500


class Trouble:
    """Raises now and then, of itself or by an operation."""

    def __init__(self, every):
        self.every = every
        self.count = 0
        self.items = [1, 2, 3]

    def step(self):
        self.count += 1
        if self.count % self.every == 0:
            raise KeyError
        return self.count

    def __eq__(self, other):
        self.count += 1
        if self.count % self.every == 0:
            raise KeyError
        return self.count % 2 == 0

    def __lt__(self, other):
        self.count += 1
        return self.items[self.count % self.every] > 2

    def __contains__(self, item):
        self.count += 1
        return self.items[self.count % self.every] == item

    def __len__(self):
        self.count += 1
        return self.items[self.count % self.every]

    def __bool__(self):
        self.count += 1
        return self.items[self.count % self.every] == 2

    def __setitem__(self, index, value):
        self.count += 1
        self.items[self.count % self.every] = 1 + (index + value) % 3

    def __getitem__(self, index):
        self.count += 1
        return self.items[self.count % self.every]

    def __call__(self, number):
        self.count += 1
        return self.items[self.count % self.every] + number

    def __enter__(self):
        self.count += 1
        return self.items[self.count % self.every]

    def __exit__(self, *about):
        return None

    def __iter__(self):
        self.count += 1
        return iter([self.items[self.count % self.every]])

    @classmethod
    def make(cls, number):
        return [1, 2, 3][number % 50]


class Leaves(Trouble):
    def __enter__(self):
        return 1

    def __exit__(self, *about):
        self.count += 1
        self.items[self.count % self.every] += 1


class Walks(Trouble):
    def __iter__(self):
        return self

    def __next__(self):
        self.count += 1
        if self.count % 7 == 0:
            raise StopIteration
        return self.items[self.count % self.every]


def equal(thing, number):
    return thing == number


def less(thing, number):
    return 1 if (thing
                 < number) else 0


def inside(thing, number):
    return number in thing


def outside(thing, number):
    return number % 3 not in thing


def length(thing, number):
    return len(thing) + number


def true(thing, number):
    if (
        thing
    ):
        return number
    return -number


def false(thing, number):
    return (not
            thing)


def store(thing, number):
    thing[number] = number
    return number


def load(thing, number):
    return thing[number]


def call(thing, number):
    return thing(
        number
    )


def with_statement(thing, number):
    with thing as item:
        number += item
    return number


def iterate(thing, number):
    for item in thing:
        number += item
    return number


def class_method(thing, number):
    return thing.make(number)


def drive(operation, thing):
    """As a callee that is inlined, with a handler around it."""
    total = failures = 0
    places = set()
    for number in range(ROUNDS):
        try:
            total += operation(thing, number)
        except (KeyError, IndexError) as problem:
            failures += 1
            places.add(tuple((entry.lineno, entry.name) for entry in traceback.extract_tb(problem.__traceback__)))
    return total, failures, sorted(places)


def compares_at_once(thing):
    total = 0
    for number in range(ROUNDS):
        total += thing == number
    return total


def truth_at_once(thing):
    total = 0
    for number in range(ROUNDS):
        if thing:
            total += 1
        if not (thing and number):
            total += 1
    return total


def with_at_once(thing):
    total = 0
    for number in range(ROUNDS):
        with thing as item:
            total += item
    return total


def contains_at_once(thing):
    total = 0
    for number in range(ROUNDS):
        total += number % 3 in thing
    return total


def stores_at_once(thing):
    for number in range(ROUNDS):
        thing[number] = number
    return thing.items


def iterates_at_once(thing):
    total = 0
    for number in range(ROUNDS):
        for item in thing:
            total += item
    return total


def at_once(operation, thing):
    """A loop that an exception ends, which nobody in it handles."""
    try:
        return operation(thing)
    except (KeyError, IndexError) as problem:
        entries = traceback.extract_tb(problem.__traceback__)
        return type(problem).__name__, [(entry.lineno, entry.line, entry.name) for entry in entries], thing.count


class Truth:
    def __init__(self, answers):
        self.answers = answers
        self.asked = 0

    def __bool__(self):
        self.asked += 1
        return self.answers[self.asked % len(self.answers)]


class Length:
    def __init__(self, lengths):
        self.lengths = lengths
        self.asked = 0

    def __len__(self):
        self.asked += 1
        return self.lengths[self.asked % len(self.lengths)]


class Always:
    pass


def truths(thing):
    found = [0, 0, 0, 0]
    problems = set()
    for number in range(ROUNDS):
        try:
            if thing:
                found[0] += 1
            else:
                found[1] += 1
            found[2] += not thing
            if not thing or number % 2:
                found[3] += 1
            rounds = 0
            while thing:
                rounds += 1
                if number % 5 == 0 or rounds == 3:
                    break
            found[3] += rounds
        except (TypeError, ValueError, OverflowError) as problem:
            problems.add((type(problem).__name__, str(problem)))
    return found, thing.asked if hasattr(thing, "asked") else None, problems


def truths_of(things):
    return sum(1 if things[number % len(things)] else 2 for number in range(ROUNDS))


def main():
    for operation in (equal, less, inside, outside, length, true, false, store, load, call, with_statement, iterate, class_method):
        for every in (3, 4, 41):
            print(operation.__name__, drive(operation, Trouble(every)))
    print(drive(with_statement, Leaves(4)), drive(iterate, Walks(3)), drive(iterate, Walks(4)))
    for operation in (compares_at_once, truth_at_once, with_at_once, contains_at_once, stores_at_once, iterates_at_once):
        for make in (Trouble, Leaves, Walks):
            thing = make(3)
            thing.items.append(4)
            print(operation.__name__, at_once(operation, thing))
            thing = make(1400)
            thing.items = [number % 4 for number in range(1300)]
            print(operation.__name__, at_once(operation, thing))
    for answers in ([True, False, True], [True], [False], [1, 0], [True, None], ["no"]):
        print(truths(Truth(answers)))
    for lengths in ([0, 1, 2], [5], [0], [True, False], [-1, 3], [2**80, 1], ["x"], [None, 0]):
        print(truths(Length(lengths)))
    print(truths(Always()), truths_of([Truth([True]), Length([0]), Always(), [], 3, None]))


main()
