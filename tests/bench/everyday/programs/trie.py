"""A trie with insert, search and the words of a prefix."""

import sys

BENCH = {"size": 180_000, "small": 200}


class TrieNode:
    def __init__(self):
        self.children = {}
        self.is_word = False


class Trie:
    def __init__(self):
        self.root = TrieNode()
        self.size = 0

    def insert(self, word):
        node = self.root
        for char in word:
            if char not in node.children:
                node.children[char] = TrieNode()
            node = node.children[char]
        if not node.is_word:
            node.is_word = True
            self.size += 1

    def find(self, prefix):
        node = self.root
        for char in prefix:
            node = node.children.get(char)
            if node is None:
                return None
        return node

    def __contains__(self, word):
        node = self.find(word)
        return node is not None and node.is_word

    def with_prefix(self, prefix):
        node = self.find(prefix)
        words = []
        if node is not None:
            self._collect(node, prefix, words)
        return words

    def _collect(self, node, prefix, words):
        if node.is_word:
            words.append(prefix)
        for char in sorted(node.children):
            self._collect(node.children[char], prefix + char, words)


def make_words(n):
    syllables = ["ba", "ko", "ri", "tu", "ne", "la", "mo", "si", "pa", "du", "fe", "go"]
    words = []
    seed = 99
    for _ in range(n):
        word = ""
        seed = (seed * 48271) % 2147483647
        for k in range(seed % 3 + 2):
            seed = (seed * 48271) % 2147483647
            word += syllables[seed % len(syllables)]
        words.append(word)
    return words


def run(size):
    words = make_words(size)
    trie = Trie()
    for word in words:
        trie.insert(word)
    found = sum(1 for w in words if w in trie)
    found += sum(1 for w in words if w[::-1] in trie)
    total = 0
    for prefix in ("ba", "ko", "ri", "tula", "ne", "mosi"):
        matches = trie.with_prefix(prefix)
        total += sum(len(m) for m in matches) + len(matches)
    return trie.size, found, total


if __name__ == "__main__":
    print(run(int(sys.argv[1])))
