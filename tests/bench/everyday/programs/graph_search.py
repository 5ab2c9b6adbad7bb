"""BFS, DFS and topological order over graphs in dicts."""

import sys
from collections import deque, defaultdict

BENCH = {"size": 17, "small": 1}


def make_graph(n, degree):
    seed = 12345
    graph = {f"n{i}": [] for i in range(n)}
    for i in range(n):
        for _ in range(degree):
            seed = (seed * 1103515245 + 12345) % 2147483648
            j = seed // 65536 % n
            if j != i:
                graph[f"n{i}"].append(f"n{j}")
    return graph


def bfs(graph, start):
    distance = {start: 0}
    queue = deque([start])
    while queue:
        node = queue.popleft()
        for neighbour in graph[node]:
            if neighbour not in distance:
                distance[neighbour] = distance[node] + 1
                queue.append(neighbour)
    return distance


def dfs_iterative(graph, start):
    seen = set()
    order = []
    stack = [start]
    while stack:
        node = stack.pop()
        if node in seen:
            continue
        seen.add(node)
        order.append(node)
        for neighbour in reversed(graph[node]):
            if neighbour not in seen:
                stack.append(neighbour)
    return order


def dfs_recursive(graph, node, visited):
    visited.add(node)
    depth = 0
    for neighbour in graph[node]:
        if neighbour not in visited:
            depth = max(depth, dfs_recursive(graph, neighbour, visited))
    return depth + 1


def topological(graph):
    indegree = defaultdict(int)
    dag = {}
    for node, neighbours in graph.items():
        dag[node] = [m for m in neighbours if int(m[1:]) > int(node[1:])]
        for m in dag[node]:
            indegree[m] += 1
    ready = deque(n for n in dag if indegree[n] == 0)
    order = []
    while ready:
        node = ready.popleft()
        order.append(node)
        for m in dag[node]:
            indegree[m] -= 1
            if indegree[m] == 0:
                ready.append(m)
    return order


def run(size):
    graph = make_graph(6000, 4)
    sparse = make_graph(500, 2)
    total = 0
    for k in range(size):
        d = bfs(graph, f"n{k * 7}")
        total += sum(d.values())
        order = dfs_iterative(graph, f"n{k * 11}")
        total += sum(i * int(name[1:]) for i, name in enumerate(order)) % 9973
        total += len(topological(graph))
        total += dfs_recursive(sparse, f"n{k}", set())
    return total


if __name__ == "__main__":
    print(run(int(sys.argv[1])))
