"""Shortest paths in a graph of dicts: sets, tuples, heapq, string keys."""

import heapq
import sys

BENCH = {"group": "other", "size": 30, "small": 1, "numba": "dicts of dicts"}


def make_graph(size):
    graph = {}
    state = 3
    for row in range(size):
        for column in range(size):
            edges = {}
            for other in ((row + 1, column), (row, column + 1), (row - 1, column), (row, column - 1)):
                if 0 <= other[0] < size and 0 <= other[1] < size:
                    state = (state * 48271) % 2147483647
                    edges[other] = state % 9 + 1
            graph[row, column] = edges
    return graph


def shortest(graph, start):
    distances = {start: 0}
    done = set()
    heap = [(0, start)]
    while heap:
        distance, node = heapq.heappop(heap)
        if node in done:
            continue
        done.add(node)
        for other, weight in graph[node].items():
            candidate = distance + weight
            if other not in distances or candidate < distances[other]:
                distances[other] = candidate
                heapq.heappush(heap, (candidate, other))
    return distances


def reachable(graph, start, depth):
    seen = {start}
    layer = [start]
    for _ in range(depth):
        layer = [other for node in layer for other in graph[node] if other not in seen and not seen.add(other)]
    return len(seen)


def run(n):
    graph = make_graph(40)
    total = 0
    for k in range(n):
        distances = shortest(graph, (k % 40, k * 7 % 40))
        total += max(distances.values()) + reachable(graph, (k % 40, 0), 30)
    return total


if __name__ == "__main__":
    print(run(int(sys.argv[1])))
