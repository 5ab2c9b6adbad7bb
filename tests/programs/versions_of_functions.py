# Functions that are called with numbers and with objects, by callers that were compiled for either, while paths and classes come up that
# were not there before.
import random

ROUNDS = 4000


def visit(value, seen, depth=0):
    """Recursive: numbers are leaves."""
    if isinstance(value, list):
        total = 0
        for item in value:
            total += visit(item, seen, depth + 1)
        return total
    if isinstance(value, dict):
        return sum([visit(item, seen, depth + 1) for item in value.values()])
    if value in seen:
        seen[value] += 1
    else:
        seen[value] = 1
    if depth > 6:
        return -depth
    return len(value) if isinstance(value, str) else int(value)


def scale(value, factor):
    if factor == 0:
        return value
    return value * factor


def of_ints(count):
    total = 0
    for index in range(count):
        total += scale(index, index % 3)
    return total


def of_floats(count):
    total = 0.0
    for index in range(count):
        total += scale(index * 0.5, index % 3)
    return total


def of_texts(count):
    total = 0
    for index in range(count):
        total += len(scale("ab", index % 3))
    return total


def even(value):
    return True if value == 0 else odd(value - 1)


def odd(value):
    return False if value == 0 else even(value - 1)


def mixed(values, count):
    found = []
    for index in range(count):
        found.append(scale(values[index % len(values)], 2))
    return found[-len(values):]


class Number(int):
    def __mul__(self, other):
        return Number(int(self) * other + 1)


def turns(count):
    """What a callee returns changes for good."""
    total = 0
    for index in range(count):
        total += shown(index) if index < count // 2 else len(shown(index))
    return total


def shown(value):
    return value if value < ROUNDS // 2 else "text" * (value % 3)


trees = [1, 2.5, "abc", [1, 2, [3, "x"]], {"a": 1, "b": [2.0, {"c": 7}]}, [[[[[[[[1]]]]]]]], True, 2**70]
choose = random.Random(5)
for kinds in (trees[:1], trees[:3], trees, trees[3:5], trees[5:]):
    seen = {}
    print(sum(visit(choose.choice(kinds), seen) for _ in range(ROUNDS)), sorted(seen.items(), key=str))
print(of_ints(ROUNDS), of_floats(ROUNDS), of_texts(ROUNDS), of_ints(ROUNDS), of_floats(ROUNDS))
print(sum(even(index % 40) for index in range(ROUNDS)), sum(even(index % 7 + 0.0) for index in range(ROUNDS)))
print(mixed([1, 2], ROUNDS), mixed([1, 2.5, "a", [3], (4,), Number(5), True, 2**70], ROUNDS), turns(ROUNDS))
