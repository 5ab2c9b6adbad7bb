"""Huffman coding."""

import heapq
import sys
from collections import Counter

BENCH = {"size": 240_000, "small": 600}


class Node:
    def __init__(self, weight, symbol=None, left=None, right=None):
        self.weight = weight
        self.symbol = symbol
        self.left = left
        self.right = right

    def __lt__(self, other):
        return self.weight < other.weight


def build(text):
    counts = Counter(text)
    heap = [Node(w, s) for s, w in sorted(counts.items())]
    heapq.heapify(heap)
    while len(heap) > 1:
        a = heapq.heappop(heap)
        b = heapq.heappop(heap)
        heapq.heappush(heap, Node(a.weight + b.weight, None, a, b))
    return heap[0]


def codes(node, prefix="", table=None):
    if table is None:
        table = {}
    if node.symbol is not None:
        table[node.symbol] = prefix or "0"
    else:
        codes(node.left, prefix + "0", table)
        codes(node.right, prefix + "1", table)
    return table


def encode(text, table):
    return "".join(table[c] for c in text)


def decode(bits, root):
    out = []
    node = root
    for bit in bits:
        node = node.left if bit == "0" else node.right
        if node.symbol is not None:
            out.append(node.symbol)
            node = root
    return "".join(out)


def pack(bits):
    data = bytearray()
    for i in range(0, len(bits), 8):
        data.append(int(bits[i:i + 8].ljust(8, "0"), 2))
    return bytes(data)


def make_text(n):
    words = "the quick brown fox jumps over the lazy dog and runs away from the angry bear".split()
    seed = 3
    out = []
    for _ in range(n):
        seed = (seed * 16807) % 2147483647
        out.append(words[seed % len(words)])
    return " ".join(out)


def run(size):
    text = make_text(size)
    root = build(text)
    table = codes(root)
    bits = encode(text, table)
    assert decode(bits, root) == text
    packed = pack(bits)
    many = sum(build(text[i:i + 300]).weight for i in range(0, size, 300))
    return len(bits), sum(packed) % 65521, many


if __name__ == "__main__":
    print(run(int(sys.argv[1])))
