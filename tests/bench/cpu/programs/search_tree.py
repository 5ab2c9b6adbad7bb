"""A binary tree of objects: recursive methods, links that are None or a node, and a walk with a stack."""

import sys

BENCH = {"group": "objects", "size": 120_000, "short_size": 16_000, "small": 60, "numba": "classes"}


class Node:
    def __init__(self, key, value):
        self.key = key
        self.value = value
        self.left = None
        self.right = None

    def insert(self, key, value):
        if key == self.key:
            self.value += value
        elif key < self.key:
            if self.left:
                self.left.insert(key, value)
            else:
                self.left = Node(key, value)
        elif self.right:
            self.right.insert(key, value)
        else:
            self.right = Node(key, value)

    def depth(self):
        left = self.left.depth() if self.left else 0
        right = self.right.depth() if self.right else 0
        return 1 + max(left, right)


def find(node, key):
    while node:
        if node.key == key:
            return node.value
        node = node.left if key < node.key else node.right
    return None


def walk(root):
    stack, total, place = [root], 0, 0
    while stack:
        node = stack.pop()
        place += 1
        total += node.value * (place % 7)
        if node.right:
            stack.append(node.right)
        if node.left:
            stack.append(node.left)
    return total


def run(n):
    root = Node(1 << 20, 0)
    state = 12345
    for step in range(n):
        state = (state * 1103515245 + 12345) % 2147483648
        root.insert(state >> 10, step % 11)
    found = sum(1 for key in range(0, 1 << 21, (1 << 21) // n) if find(root, key) is not None)
    return f"{walk(root)} {root.depth()} {found}"


if __name__ == "__main__":
    print(run(int(sys.argv[1])))
