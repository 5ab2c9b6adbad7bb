"""A* on a grid with walls."""

import heapq
import sys
from itertools import count

BENCH = {"size": 7, "small": 1}

SIDE = 150
ENDS = [
    ((0, 1), (149, 148)), ((149, 1), (1, 148)), ((2, 149), (149, 75)), ((1, 75), (148, 3)), ((3, 149), (149, 2)),
    ((75, 75), (0, 2)), ((149, 75), (1, 75)),
]


class PriorityQueue:
    def __init__(self):
        self.items = []
        self.order = count()

    def push(self, item, priority):
        heapq.heappush(self.items, (priority, next(self.order), item))

    def pop(self):
        return heapq.heappop(self.items)[2]

    def __bool__(self):
        return bool(self.items)


class Grid:
    def __init__(self, width, height, walls):
        self.width = width
        self.height = height
        self.walls = walls

    def in_bounds(self, cell):
        x, y = cell
        return 0 <= x < self.width and 0 <= y < self.height

    def passable(self, cell):
        return cell not in self.walls

    def neighbours(self, cell):
        x, y = cell
        results = [(x + 1, y), (x, y - 1), (x - 1, y), (x, y + 1)]
        results = filter(self.in_bounds, results)
        return filter(self.passable, results)

    def cost(self, a, b):
        return 1 + (b[0] * 3 + b[1] * 7) % 5


def heuristic(a, b):
    return abs(a[0] - b[0]) + abs(a[1] - b[1])


def a_star(grid, start, goal):
    frontier = PriorityQueue()
    frontier.push(start, 0)
    came_from = {start: None}
    cost_so_far = {start: 0}
    while frontier:
        current = frontier.pop()
        if current == goal:
            break
        for following in grid.neighbours(current):
            new_cost = cost_so_far[current] + grid.cost(current, following)
            if following not in cost_so_far or new_cost < cost_so_far[following]:
                cost_so_far[following] = new_cost
                frontier.push(following, new_cost + heuristic(following, goal))
                came_from[following] = current
    return came_from, cost_so_far


def rebuild(came_from, start, goal):
    path = []
    cell = goal
    while cell != start:
        path.append(cell)
        cell = came_from[cell]
    return path[::-1]


def run(size):
    walls = {(x, y) for x in range(SIDE) for y in range(SIDE) if (x * 7 + y * 13) % 11 == 0 and (x + y) % 3}
    grid = Grid(SIDE, SIDE, walls)
    total = 0
    for k in range(size):
        start, goal = ENDS[k % len(ENDS)]
        came_from, costs = a_star(grid, start, goal)
        total += costs[goal] * 1000 + len(rebuild(came_from, start, goal))
    return total


if __name__ == "__main__":
    print(run(int(sys.argv[1])))
