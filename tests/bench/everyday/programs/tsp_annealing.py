"""Travelling salesman by simulated annealing."""

import math
import random
import sys

BENCH = {"size": 250_000, "small": 300}


def distance(a, b):
    return math.sqrt((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2)


def tour_length(cities, tour):
    return sum(distance(cities[tour[i]], cities[tour[i - 1]]) for i in range(len(tour)))


def anneal(cities, rng, steps):
    n = len(cities)
    tour = list(range(n))
    rng.shuffle(tour)
    length = tour_length(cities, tour)
    best = length
    temperature = 10.0
    for _ in range(steps):
        i = rng.randrange(n)
        j = rng.randrange(n)
        if i > j:
            i, j = j, i
        if i == j or j - i == n - 1:
            continue
        a, b = cities[tour[i - 1]], cities[tour[i]]
        c, d = cities[tour[j]], cities[tour[(j + 1) % n]]
        delta = distance(a, c) + distance(b, d) - distance(a, b) - distance(c, d)
        if delta < 0 or rng.random() < math.exp(-delta / temperature):
            tour[i:j + 1] = reversed(tour[i:j + 1])
            length += delta
            best = min(best, length)
        temperature *= 0.9999
    return tour, best


def nearest_neighbour(cities):
    left = set(range(1, len(cities)))
    tour = [0]
    while left:
        here = cities[tour[-1]]
        nearest = min(left, key=lambda k: (distance(here, cities[k]), k))
        left.remove(nearest)
        tour.append(nearest)
    return tour


def run(size):
    rng = random.Random(11)
    cities = [(rng.random() * 100, rng.random() * 100) for _ in range(150)]
    tour, best = anneal(cities, rng, size)
    assert sorted(tour) == list(range(150))
    start = nearest_neighbour(cities * 3)
    return round(best, 6), round(tour_length(cities, tour), 6), start[50]


if __name__ == "__main__":
    print(run(int(sys.argv[1])))
