# methods of strings, lists, dicts and sets
from _harness import drive


def work(n):
    words = ["one", "two", "three", "one"]
    counts = {}
    stack = []
    group = set()
    total = 0
    for i in range(n):  # kiln-native
        word = words[i & 3]
        counts[word] = counts.get(word, 0) + 1
        stack.append(word.upper())
        if word.startswith("t"):
            total += len(stack.pop())
        group.add(i & 63)
        group.discard(i & 7)
        counts.setdefault("none", 0)
        total += len("-".join(words)) + len(word.replace("o", "0")) + len(" a b ".strip().split(" "))
    return total, counts, len(group), len(stack)


drive(work)
