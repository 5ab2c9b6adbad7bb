"""A binary search tree and an AVL tree."""

import sys

BENCH = {"size": 35_000, "small": 100}


class Node:
    __slots__ = ("key", "left", "right", "height")

    def __init__(self, key):
        self.key = key
        self.left = None
        self.right = None
        self.height = 1


def height(node):
    return node.height if node else 0


def update(node):
    node.height = 1 + max(height(node.left), height(node.right))


def rotate_right(y):
    x = y.left
    y.left, x.right = x.right, y
    update(y)
    update(x)
    return x


def rotate_left(x):
    y = x.right
    x.right, y.left = y.left, x
    update(x)
    update(y)
    return y


def insert(node, key):
    if node is None:
        return Node(key)
    if key < node.key:
        node.left = insert(node.left, key)
    elif key > node.key:
        node.right = insert(node.right, key)
    else:
        return node
    update(node)
    balance = height(node.left) - height(node.right)
    if balance > 1:
        if key > node.left.key:
            node.left = rotate_left(node.left)
        return rotate_right(node)
    if balance < -1:
        if key < node.right.key:
            node.right = rotate_right(node.right)
        return rotate_left(node)
    return node


class BST:
    def __init__(self):
        self.root = None

    def insert(self, key):
        if self.root is None:
            self.root = Node(key)
            return
        node = self.root
        while True:
            if key == node.key:
                return
            child = node.left if key < node.key else node.right
            if child is None:
                break
            node = child
        if key < node.key:
            node.left = Node(key)
        else:
            node.right = Node(key)

    def __contains__(self, key):
        node = self.root
        while node is not None and node.key != key:
            node = node.left if key < node.key else node.right
        return node is not None


def inorder(node):
    if node:
        yield from inorder(node.left)
        yield node.key
        yield from inorder(node.right)


def run(size):
    keys = []
    state = 1
    for _ in range(size):
        state = (state * 69069 + 5) & 0xFFFFFFFF
        keys.append(state >> 12)
    root = None
    for key in keys:
        root = insert(root, key)
    tree = BST()
    for key in keys:
        tree.insert(key)
    hits = sum(1 for k in range(0, 1 << 20, (1 << 19) // size) if k in tree)
    total = 0
    for i, key in enumerate(inorder(root)):
        total = (total + i * key) % 1000003
    assert list(inorder(tree.root)) == sorted(set(keys))
    return root.height, hits, total


if __name__ == "__main__":
    print(run(int(sys.argv[1])))
