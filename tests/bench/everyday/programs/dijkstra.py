"""Shortest paths with heapq over a dict of dicts."""

import heapq
import sys

BENCH = {"size": 5000, "small": 200}


def make_roads(n):
    roads = {}
    state = 42
    for i in range(n):
        roads[i] = {}
    for i in range(n):
        for step in (1, 7, 31, 101):
            state = (state * 16807) % 2147483647
            weight = state % 100 + 1
            j = (i + step) % n
            roads[i][j] = weight
            roads[j][i] = weight
    return roads


def dijkstra(graph, source):
    dist = {node: float("inf") for node in graph}
    dist[source] = 0
    previous = {}
    heap = [(0, source)]
    while heap:
        d, node = heapq.heappop(heap)
        if d > dist[node]:
            continue
        for neighbour, weight in graph[node].items():
            candidate = d + weight
            if candidate < dist[neighbour]:
                dist[neighbour] = candidate
                previous[neighbour] = node
                heapq.heappush(heap, (candidate, neighbour))
    return dist, previous


def path_to(previous, target):
    path = [target]
    while path[-1] in previous:
        path.append(previous[path[-1]])
    return path[::-1]


def run(size):
    graph = make_roads(size)
    total = 0
    for source in range(0, size, size // 40):
        dist, previous = dijkstra(graph, source)
        total += sum(dist.values())
        total += len(path_to(previous, (source + size // 2) % size))
    return total


if __name__ == "__main__":
    print(run(int(sys.argv[1])))
