# membership in sets, and their operators
from _harness import drive


def work(n):
    numbers = {1, 3, 5}
    words = frozenset(("a", "b"))
    total = 0
    for i in range(n):  # kiln-native
        if i % 7 in numbers:
            total += 1
        if "c" not in words:
            total += len(words)
        total += len(numbers & words) + len(numbers | words)
    return total


drive(work)
