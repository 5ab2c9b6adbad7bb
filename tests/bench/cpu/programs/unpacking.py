"""Tuples and lists taken apart and put together: rows, swaps, starred targets, keyword arguments and named tuples."""

import collections
import sys

BENCH = {"group": "objects", "size": 90_000, "short_size": 12_800, "small": 60, "numba": "tuples of mixed values and keyword arguments"}

Point = collections.namedtuple("Point", "x y label")


def bounds(*points, margin=0, **options):
    low, *_ = sorted(point[0] for point in points)
    first, *rest, last = points
    width = options.get("width", 1)
    return low - margin, first[1] + last[1] * width, len(rest)


def move(point, dx=0, dy=0):
    x, y, label = point
    return Point(x + dx, y + dy, label)


def divide(number, by):
    quotient, remainder = divmod(number, by)
    return remainder, quotient


def run(n):
    rows = [(number, number * 3 % 101, (str(number % 10), number % 4)) for number in range(200)]
    a, b, c = 1, 2, 3
    total = 0
    for step in range(n):
        x, y, (label, kind) = rows[step % 200]
        a, b, c = b, c, (a + x) % 1009
        rest, part = divide(a * b + c, 97)
        point = move(Point(x, y, label), dy=kind, dx=rest)
        low, edge, between = bounds(point, (a, b), *rows[step % 190 : step % 190 + 3], margin=2, width=kind)
        head, *tail = [part, rest, low, edge]
        total = (total + head + sum(tail) + between + point.x - point.y) % 1000003
        for index, (key, value) in enumerate((("p", part), ("q", rest))):
            total += index + value + len(key)
    return f"{total} {a} {b} {c}"


if __name__ == "__main__":
    print(run(int(sys.argv[1])))
