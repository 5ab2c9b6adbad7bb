"""NetworkX: shortest paths, centrality, components and flows of grids."""

import sys

import networkx

BENCH = {"size": 19, "small": 4}


def run(size):
    graph = networkx.grid_2d_graph(size, size)
    for number, (a, b) in enumerate(graph.edges):
        graph[a][b]["weight"] = number * 7 % 11 + 1
        graph[a][b]["capacity"] = number * 5 % 9 + 1
    last = (size - 1, size - 1)
    lengths = networkx.single_source_dijkstra_path_length(graph, (0, 0))
    central = networkx.betweenness_centrality(graph, weight="weight")
    tree = networkx.minimum_spanning_tree(graph)
    flow = networkx.maximum_flow_value(graph, (0, 0), last)
    ranks = networkx.core_number(graph)
    cut = graph.copy()
    cut.remove_nodes_from([node for node in graph if (node[0] * 3 + node[1]) % 4 == 0])
    parts = sorted(len(part) for part in networkx.connected_components(cut))
    best = max(central, key=lambda node: (central[node], node))
    return (lengths[last], best, round(central[best], 9), tree.size(weight="weight"), flow, sum(ranks.values()), parts)


if __name__ == "__main__":
    print(run(int(sys.argv[1])))
