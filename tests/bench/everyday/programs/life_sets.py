"""Game of Life on a set of live cells."""

import sys
from collections import Counter

BENCH = {"size": 800, "small": 10}

R_PENTOMINO = {(1, 0), (2, 0), (0, 1), (1, 1), (1, 2)}
ACORN = {(0, 2), (1, 0), (1, 2), (3, 1), (4, 2), (5, 2), (6, 2)}


def neighbours(cell):
    x, y = cell
    for dx in (-1, 0, 1):
        for dy in (-1, 0, 1):
            if dx or dy:
                yield x + dx, y + dy


def step_counter(live):
    counts = Counter(n for cell in live for n in neighbours(cell))
    return {cell for cell, count in counts.items() if count == 3 or (count == 2 and cell in live)}


def step_dict(live):
    counts = {}
    for x, y in live:
        for dx in (-1, 0, 1):
            for dy in (-1, 0, 1):
                if dx == 0 and dy == 0:
                    continue
                key = (x + dx, y + dy)
                counts[key] = counts.get(key, 0) + 1
    new = set()
    for cell, count in counts.items():
        if count == 3 or (count == 2 and cell in live):
            new.add(cell)
    return new


def bounds(live):
    xs = [x for x, _ in live]
    ys = [y for _, y in live]
    return min(xs), max(xs), min(ys), max(ys)


def run(size):
    live = set(R_PENTOMINO)
    for _ in range(size * 3 // 5):
        live = step_counter(live)
    total = len(live) + sum(bounds(live))
    live = set(ACORN)
    for _ in range(size):
        live = step_dict(live)
    return total, len(live), bounds(live)


if __name__ == "__main__":
    print(run(int(sys.argv[1])))
