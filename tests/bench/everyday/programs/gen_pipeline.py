"""Pipelines of generators over log records, with yield from."""

import sys

BENCH = {"size": 150_000, "small": 100}


def source(n):
    levels = ("INFO", "DEBUG", "WARNING", "ERROR")
    for i in range(n):
        yield f"{i % 24:02d}:{i % 60:02d} {levels[(i * 7) % 4]} user{i % 97} took {i * 31 % 1000}ms"


def fields(lines):
    for line in lines:
        yield line.split(" ")


def only(level, records):
    for record in records:
        if record[1] == level:
            yield record


def durations(records):
    for record in records:
        yield int(record[-1][:-2])


def chunks(items, size):
    chunk = []
    for item in items:
        chunk.append(item)
        if len(chunk) == size:
            yield chunk
            chunk = []
    if chunk:
        yield chunk


def flatten(tree):
    for node in tree:
        if isinstance(node, list):
            yield from flatten(node)
        else:
            yield node


def nested(depth):
    if depth == 0:
        return [1, 2, 3]
    return [depth, nested(depth - 1), nested(depth - 1), -depth]


def running_mean():
    total = 0.0
    n = 0
    mean = None
    while True:
        value = yield mean
        total += value
        n += 1
        mean = total / n


def run(size):
    total = 0
    for level in ("ERROR", "INFO"):
        for chunk in chunks(durations(only(level, fields(source(size)))), 16):
            total += max(chunk) - min(chunk)
    for leaf in flatten(nested(13)):
        total += leaf
    mean = running_mean()
    next(mean)
    last = 0
    for i in range(size * 2):
        last = mean.send(i % 100)
    squares = (x * x for x in range(size * 2))
    even = (x for x in squares if x % 2 == 0)
    total += sum(x % 7 for x in even)
    return total, round(last, 6)


if __name__ == "__main__":
    print(run(int(sys.argv[1])))
