"""LRU caches: OrderedDict and a hand-written doubly linked list."""

import sys
from collections import OrderedDict

BENCH = {"size": 430_000, "small": 1500}


class OrderedCache:
    def __init__(self, capacity):
        self.capacity = capacity
        self.data = OrderedDict()
        self.hits = self.misses = 0

    def get(self, key):
        if key in self.data:
            self.data.move_to_end(key)
            self.hits += 1
            return self.data[key]
        self.misses += 1
        return None

    def put(self, key, value):
        if key in self.data:
            self.data.move_to_end(key)
        self.data[key] = value
        if len(self.data) > self.capacity:
            self.data.popitem(last=False)


class Node:
    def __init__(self, key, value):
        self.key = key
        self.value = value
        self.prev = None
        self.next = None


class LinkedCache:
    def __init__(self, capacity):
        self.capacity = capacity
        self.nodes = {}
        self.hits = self.misses = 0
        self.head = Node(None, None)
        self.tail = Node(None, None)
        self.head.next = self.tail
        self.tail.prev = self.head

    def _remove(self, node):
        node.prev.next = node.next
        node.next.prev = node.prev

    def _add(self, node):
        last = self.tail.prev
        last.next = node
        node.prev = last
        node.next = self.tail
        self.tail.prev = node

    def get(self, key):
        node = self.nodes.get(key)
        if node is None:
            self.misses += 1
            return None
        self.hits += 1
        self._remove(node)
        self._add(node)
        return node.value

    def put(self, key, value):
        if key in self.nodes:
            self._remove(self.nodes[key])
        node = Node(key, value)
        self._add(node)
        self.nodes[key] = node
        if len(self.nodes) > self.capacity:
            oldest = self.head.next
            self._remove(oldest)
            del self.nodes[oldest.key]


def exercise(cache, n):
    state = 7
    total = 0
    for _ in range(n):
        state = (state * 1103515245 + 12345) & 0x7FFFFFFF
        key = (state >> 8) % 700
        if key % 3 == 0:
            key %= 50
        value = cache.get(key)
        if value is None:
            cache.put(key, key * key)
        else:
            total += value
    return total % 1000003, cache.hits, cache.misses


def run(size):
    return exercise(OrderedCache(300), size), exercise(LinkedCache(300), size)


if __name__ == "__main__":
    print(run(int(sys.argv[1])))
