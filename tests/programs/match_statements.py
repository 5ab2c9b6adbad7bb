# match in hot loops: literals, sequences, mappings, classes, guards, captures, or-patterns.
import dataclasses


@dataclasses.dataclass
class Move:
    x: int
    y: int


class Stop:
    __match_args__ = ("code",)

    def __init__(self, code):
        self.code = code


def classify(value):
    match value:
        case 0:
            return "zero"
        case 1 | 2 | 3:
            return "small"
        case int(n) if n > 1000:
            return "large"
        case bool() | float():
            return "other number"
        case str() as s if len(s) > 1:
            return s
        case []:
            return "empty"
        case [x]:
            return f"one {x}"
        case [x, y, *rest]:
            return f"{x} {y} {len(rest)}"
        case {"kind": kind, **others}:
            return f"{kind} {sorted(others)}"
        case Move(x=0, y=y):
            return f"up {y}"
        case Move(x, y):
            return f"move {x} {y}"
        case Stop(code):
            return f"stop {code}"
        case None:
            return "none"
        case _:
            return "rest"


def run(count):
    values = [
        0,
        2,
        5000,
        1.5,
        True,
        "abc",
        "a",
        [],
        [7],
        (1, 2, 3, 4),
        {"kind": 1, "z": 2},
        {},
        Move(0, 5),
        Move(1, 2),
        Stop(9),
        None,
        500,
        b"x",
    ]
    seen = {}
    for i in range(count):
        r = classify(values[i % len(values)])
        seen[r] = seen.get(r, 0) + 1
    return seen


def machine(count):
    state, steps = ("start", 0), 0
    for i in range(count):
        match state:
            case ("start", n):
                state = ("run", n + 1)
            case ("run", n) if n % 5 == 0:
                state = ("rest", n, i)
            case ("run", n):
                state = ("run", n + 1)
            case ("rest", n, since):
                state = ("start", n + i - since)
                steps += 1
    return state, steps


print(run(9000))
print(machine(9000))
