"""Loops over objects of several classes, whose class is asked for at one place in many states."""


class First:
    def __init__(self, names):
        self.names = names


class Second:
    def __init__(self, names):
        self.extra = 1
        self.names = names


class Third:
    def __init__(self, names):
        self.more = 1
        self.other = 2
        self.names = names


class Fourth:
    def __init__(self, names):
        self.names = names
        self.last = 4


def without(things):
    return [thing for thing in things if not thing.names]


def count(things):
    named = empty = 0
    for thing in things:
        if thing.names:
            named += 1
        else:
            empty += 1
    return named, empty


def pairs(things):
    total = 0
    last = None
    for thing in things:
        if last is not None and len(last.names) <= len(thing.names):
            total += 1
        last = thing
    return total


def main():
    classes = [First, Second, Third, Fourth]
    seed = 7
    things = []
    for k in range(60):
        seed = (seed * 1103515245 + 12345) % 2**31
        things.append(classes[seed // 7 % 4](["x"] * (seed // 64 % 3)))
    for k in range(40):
        chosen = things[k % 7 :: 1 + k % 3]
        print(len(without(chosen)), count(chosen), pairs(chosen))
    mixed = things + [First([]), Second(["y"])]
    for k in range(400):
        found = len(without(mixed)), count(mixed), pairs(mixed)
    print(found)


main()
