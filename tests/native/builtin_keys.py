# dicts with strings and tuples for keys
from _harness import drive


def work(n):
    words = ["alpha", "beta", "gamma", "alpha"]
    counts = {}
    grid = {}
    for i in range(n):  # kiln-native
        word = words[i & 3]
        if word not in counts:
            counts[word] = 0
        counts[word] += 1
        place = (i & 7, i & 3)
        grid[place] = i
        if place in grid:
            grid[place] += counts[word]
    return counts, len(grid)


drive(work)
