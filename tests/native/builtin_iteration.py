# loops over dicts, their views, sets and strings
from _harness import drive


def work(n):
    table = {}
    for i in range(64):
        table[i] = i + 1
    words = {"a": 1.5, "b": 2.5}
    group = {1, 2, 3}
    total = 0
    for _ in range(n // 64):
        for key in table:  # kiln-native
            total += key
        for key, value in table.items():  # kiln-native
            total += key * value
        for value in table.values():  # kiln-native
            total += value
        for word, weight in words.items():
            total += len(word) + int(weight)
        for member in group:
            total += member
        for character in "hello world, hello":
            if character == "o":
                total += 1
    return total


drive(work)
