"""match statements in loops: sequences, mappings, classes, and what they ask of their subjects."""

import collections
import dataclasses


@dataclasses.dataclass
class Point:
    x: int
    y: int


@dataclasses.dataclass
class Line:
    start: Point
    end: Point


class Shy:
    __match_args__ = ("hidden",)

    def __init__(self, value):
        self.value = value

    @property
    def hidden(self):
        if self.value % 3 == 0:
            raise AttributeError("hidden")
        if self.value % 50 == 49:
            raise KeyError(self.value)
        return self.value


class Twice:
    __match_args__ = ("a", "a")
    a = 1


class Wrong:
    __match_args__ = ["a"]


class NoNames:
    __match_args__ = (1,)


class Mine(collections.abc.Mapping):
    def __init__(self, values):
        self.values_ = values

    def __getitem__(self, key):
        return self.values_[key]

    def __iter__(self):
        return iter(self.values_)

    def __len__(self):
        return len(self.values_)


class Meta(type):
    def __instancecheck__(cls, instance):
        log.append(type(instance).__name__)
        if instance == 13:
            raise RuntimeError("unlucky")
        return instance == 7


class Seven(metaclass=Meta):
    pass


log = []


def kind(value):
    match value:
        case 0 | None | "":
            return "nothing"
        case []:
            return "empty"
        case [x]:
            return "one", x
        case [int(x), int(y)]:
            return "two", x + y
        case [first, *_, last] if first == last:
            return "ends", first
        case ["go", direction, *rest]:
            return direction, len(rest)
        case {"type": "circle", "radius": r}:
            return "circle", r
        case {"type": str(name), **others}:
            return name, sorted(others)
        case Point(x=0, y=y):
            return "axis", y
        case Point(x, y) if x == y:
            return "diagonal", x
        case Line(Point(a, b), end=Point(c, d)):
            return a, b, c, d
        case Shy(v):
            return "shy", v
        case bool() | float():
            return "plain", value
        case str(text):
            return "text", text
        case Seven():
            return "seven"
        case _:
            return "other"


VALUES = [0, None, "", [], (), [1], [1, 2], ("a", "b"), [3, 4, 3], ["go", "north", 1, 2], ["go"], {"type": "circle", "radius": 3},
          {"type": "box", "w": 1}, {"kind": 2}, Mine({"type": "circle", "radius": 9}), Point(0, 4), Point(5, 5), Point(1, 2),
          Line(Point(1, 2), Point(3, 4)), Shy(1), Shy(3), True, 2.5, "words", 7, 8, range(2), b"ab", bytearray(b"ab"),
          collections.deque([1, 2]), {1, 2}]


def kinds(rounds):
    counts = collections.Counter()
    for _ in range(rounds):
        for value in VALUES:
            counts[str(kind(value))] += 1
    return counts


def machine(program, rounds):
    total = pc = 0
    while rounds:
        match program[pc % len(program)]:
            case ("add", n):
                total += n
            case ("sub", n):
                total -= n
            case ("loop", n, times):
                total += n * times
            case {"op": "mul", "by": n}:
                total = total * n % 1000003
            case _:
                rounds -= 1
        pc += 1
    return total


def raising(rounds):
    seen = collections.Counter()
    for number in range(rounds):
        try:
            match Shy(number):
                case Shy(value):
                    seen["got"] += value
                case _:
                    seen["none"] += 1
        except KeyError as error:
            seen[error.args] += 1
    return sorted(seen.items(), key=str)


def wrong(rounds):
    texts = collections.Counter()
    for number in range(rounds):
        try:
            match [Twice(), Wrong(), NoNames(), Point(1, 2), 13][number % 5]:
                case Twice(a, b):
                    pass
                case Wrong(a):
                    pass
                case NoNames(a):
                    pass
                case Point(a, b, c):
                    pass
                case Seven():
                    pass
        except (TypeError, RuntimeError) as error:
            texts[str(error)] += 1
    return sorted(texts.items())


for _ in range(3):
    for text, count in sorted(kinds(60).items()):
        print(text, count)
    print(len(log), log[-1])
    print(machine([("add", 3), ("sub", 1), {"op": "mul", "by": 7}, ("loop", 2, 3), "end"], 300))
    print(raising(300))
    print(wrong(300))
    log.clear()
