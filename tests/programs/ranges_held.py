"""Ranges in variables, attributes and closures, and sums over zipped and numbered arguments."""

BIG = 2**70


class Board:
    def __init__(self, size):
        self.cells = range(size)
        self.down = range(size - 1, -1, -2)


def walk(board):
    total = 0
    for row in board.cells:
        for column in board.down:
            total += row * column
    return total


def outer(size):
    cells = range(size)

    def inner(k):
        return len(set(k + c for c in cells)) + sum(c for c in cells)
    return sum(inner(k) for k in range(20))


def varied(ranges):
    total = 0
    for numbers in ranges:
        for number in numbers:
            total += number
    return total


def huge(rounds):
    wide = range(BIG, BIG + 3)
    total = 0
    for _ in range(rounds):
        for number in wide:
            total += number - BIG
    return total


def dot(p, q):
    return sum(a * b for a, b in zip(p, q))


def triple(p, q, r):
    return [a + b + c for a, b, c in zip(p, q, r)]


def numbered(items, start):
    total = 0
    for index, item in enumerate(items, start):
        total += index * item
    return total + sum(items) + sum(items, start)


def kinds(rounds):
    total = 0
    for number in range(rounds):
        pair = (number, 2), [3, number]
        total += dot(*pair) + dot((1.5, 2.0), (number, 4)) + numbered((1, 2, number), number) + triple((1, 2), [3, 4], (number, 5))[1]
        if number % 50 == 49:
            total += dot({1: 2}, {3}) + dot("", []) + numbered([], 0) + dot(iter((1, 2)), range(2)) + numbered({1: 2}, 1)
    return total


def backwards(rounds):
    total, seen = 0, set()
    for n in range(rounds):
        for i in reversed(range(n % 7)):
            total = total * 3 + i & 0xFFFF
        for i in reversed(range(10, n % 5, -2)):
            total += i
        for i in reversed(range(n % 3, n % 11, 3)):
            total ^= i
        walker = reversed(range(n % 4))
        seen.add((next(walker, None), list(walker).__repr__(), type(walker).__name__, walker.__length_hint__()))
        seen.add(str(list(reversed(range(2**62 * (n % 3 - 1), 2**62 * (n % 3 - 1) + 2)))))
    return total, sorted(map(str, seen))


board = Board(8)
print(backwards(400))
for _ in range(4):
    print([walk(board) for _ in range(60)][-1], outer(6), outer(0))
    print(varied([range(10), range(0), range(9, 0, -3), range(-5, 5, 2)] * 40 + [[1, 2], (3,)] * 5), huge(100))
    print(kinds(200))
    board.cells = range(3, 9)
